//! The sheet that undoes several acts at once: which ones, and what becomes of the scores. Everything is
//! shown before it is confirmed.

use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::log::{History, Line};
use super::{Change, answer, table_address};
use crate::form::Form;
use crate::pages::button::{Button, Target};
use crate::pages::{Frame, Tab};
use crate::say::Say;
use crate::visitor::{Visitor, redirect};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ActId, ChouetteId};
use owlbox_desk::chouettes::screen::{TableScreen, TakingBack};
use owlbox_desk::{Refused, Unauthorised};
use owlbox_http::problem::Problem;

#[derive(Debug, Deserialize)]
pub(crate) struct TakeBackQuery {
    /// The oldest act to undo; without it, only the newest.
    to: Option<ActId>,
}

/// `/chouettes/{id}/undo?to=`
#[derive(Template)]
#[template(path = "take_back.html")]
pub(super) struct TakeBackPage<'a> {
    t: Say<'a>,
    frame: Frame,
    /// With a log that has the acts to take back.
    screen: &'a TableScreen,
    back: &'a TakingBack,
    history: History<'a>,
}

pub(crate) async fn show(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    query: web::Query<TakeBackQuery>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunChouette)?;
    let (principal, id) = (visitor.principal.ok_or_else(|| Refused::from(Unauthorised::Missing))?, *id);
    let back = match visitor.service.desk.taking_back(principal, id, query.to).await {
        Ok(Some(back)) => back,
        // Somebody else may have undone it in the meantime.
        Ok(None) => return Ok(redirect(&table_address(id))),
        Err(refused) => {
            return answer(&visitor.refused("", &Form::default(), &refused.into()), id, false).await;
        }
    };
    let frame = visitor.frame(&visitor.t.get("take-back-title"), Some(Tab::Night));
    visitor.answer(TakeBackPage::new(visitor.say(&back.screen.names), frame, &back).render())
}

impl<'a> TakeBackPage<'a> {
    pub fn new(t: Say<'a>, frame: Frame, back: &'a TakingBack) -> Self {
        let screen = &back.screen;
        Self { t, frame, screen, back, history: History::new(t, screen) }
    }

    fn target(&self) -> Target {
        Target::at_table(self.screen.id, self.back.preview.here.before.version)
    }

    /// The lines to take back, newest first.
    fn lines(&self) -> Vec<Line<'a>> {
        let named = &self.back.preview.here.named;
        let mut lines = self.history.lines();
        lines.retain(|line| named.iter().any(|act| act.id == line.act.id));
        lines
    }

    /// The scores that change, if the viewer may see them.
    fn changes(&self) -> Vec<Change> {
        let after = &self.back.preview.here.after.stream.state;
        let changes = if self.screen.viewer.sees_points { self.back.preview.changes() } else { Vec::new() };
        let change = |change: owlbox_chouette::Score| Change {
            player: change.player,
            besides: None,
            by: change.points,
            to: after.score(change.player),
        };
        changes.into_iter().map(change).collect()
    }

    /// The button that confirms.
    fn button(&self) -> Button {
        let label = self.t.count("take-back-acts", &self.back.preview.here.named.len());
        Button::new(label, &self.back.command)
    }
}
