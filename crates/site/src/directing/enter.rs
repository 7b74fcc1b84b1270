//! How players enter themselves, while that is open.

use actix_web::{HttpResponse, web};
use askama::Template as _;

use std::collections::BTreeMap;

use super::status;
use crate::pages::Tab;
use crate::pages::directing::DirectorContext;
use crate::pages::directing::enter::{EnterPage, address};
use crate::visitor::{self, Visitor};
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_http::problem::Problem;
use owlbox_play::tournament::Tournament;

pub(crate) async fn show(visitor: Visitor, id: web::Path<TournamentId>) -> Result<HttpResponse, Problem> {
    answer(&visitor, *id, None).await
}

/// The current page; after a refusal with the problem on it.
pub(super) async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let (stream, principal) = visitor.service.desk.visible::<Tournament>(Some(&actor), id).await?;
    let names = BTreeMap::new();
    let context = DirectorContext {
        t: &visitor.t,
        id,
        state: &stream.state,
        version: stream.version,
        names: &names,
        now: visitor.service.desk.now(),
        viewer: None,
    };
    let title = visitor.t.get("enter-title");
    let mut frame = match problem {
        Some(problem) => visitor.frame_about(&title, Some(Tab::Tournaments), problem),
        None => visitor.frame(&title, Some(Tab::Tournaments)),
    };
    frame.here = address(id);
    let page = EnterPage::new(&context, frame, principal.and_then(|principal| principal.player));
    visitor::html(status(problem), page.ok_or(Refused::NotFound("tournament"))?.render())
}
