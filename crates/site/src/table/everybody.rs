//! Acts that everybody does alike at one tap: doubles, takes and drops. Also the sheet that shows the result
//! where all drop.
//!
//! Such an act consists of several commands. Each would be accepted after the one before, and together they
//! are one act.

use actix_web::{HttpResponse, web};
use askama::Template;

use super::{Change, screen, table_address};
use crate::pages::button::{Button, Target};
use crate::pages::{Fields, Frame, Tab};
use crate::say::Say;
use crate::visitor::{Visitor, redirect};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_chouette::{Alike, Chouette, Command, Everybody, Game};
use owlbox_desk::chouettes::screen::{TableScreen, TableScreenOptions};
use owlbox_http::problem::Problem;

/// The act as one button. If all drop the game is over, so the result is shown first.
pub(super) fn everybody_alike(say: &Say<'_>, Everybody { does, commands, .. }: &Everybody) -> Button {
    let label = say.get(match does {
        Alike::Double => "say-everybody-doubles",
        Alike::Take => "say-everybody-takes",
        Alike::Drop => "say-everybody-drops",
    });
    let button = Button::of_form(label, Fields::default().with("commands", commands));
    if *does == Alike::Drop { button.quiet() } else { button }
}

/// `/chouettes/{id}/everybody`
#[derive(Template)]
#[template(path = "everybody.html")]
pub(super) struct EverybodyPage<'a> {
    t: Say<'a>,
    frame: Frame,
    screen: &'a TableScreen,
    game: &'a Game,
    drops: &'a Everybody,
    /// The table after the drops. `None` where it could reveal a secret answer.
    after: Option<Chouette>,
}

/// The sheet on which everybody who still has to answer drops, with the outcome.
pub(crate) async fn show(visitor: Visitor, id: web::Path<ChouetteId>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunChouette)?;
    let screen =
        screen(&visitor, *id, TableScreenOptions { everybody: true, ..TableScreenOptions::default() })
            .await?;
    let frame = visitor.frame(&visitor.t.get("everybody-drops-title"), Some(Tab::Night));
    match EverybodyPage::new(visitor.say(&screen.names), frame, &screen) {
        Some(page) => visitor.answer(page.render()),
        // Somebody has answered in the meantime.
        None => Ok(redirect(&table_address(*id))),
    }
}

impl<'a> EverybodyPage<'a> {
    /// The sheet. `None` if not everybody may drop now.
    pub fn new(t: Say<'a>, frame: Frame, screen: &'a TableScreen) -> Option<Self> {
        let before = &screen.stream.state;
        let drops = screen.everybody.iter().find(|everybody| everybody.does == Alike::Drop)?;
        let after = drops.events.as_ref().map(|events| before.after(events));
        Some(Self { t, frame, screen, game: before.game()?, drops, after })
    }

    fn target(&self) -> Target {
        Target::at_table(self.screen.id, self.screen.stream.version)
    }

    /// Those who drop, in the order of their answers.
    fn who(&self) -> Vec<String> {
        let who = self.drops.commands.iter().filter_map(|command| {
            if let Command::Drop { player, .. } = command { Some(player) } else { None }
        });
        self.t.names(who)
    }

    fn button(&self) -> Button {
        everybody_alike(&self.t, self.drops)
    }

    /// The table after the drops, if they end the game.
    fn ended(&self) -> Option<&Chouette> {
        self.after.as_ref().filter(|after| after.game().is_none())
    }

    /// What the drops bring everybody. If they end the game that is its whole result; otherwise only the loss
    /// by the drop.
    fn changes(&self) -> Vec<Change> {
        let Some(after) = &self.after else { return Vec::new() };
        let before = &self.screen.stream.state;
        let change = |player| {
            let by = match self.ended() {
                Some(_) => after.booked(player) - before.booked(player),
                None => after.score(player) - before.score(player),
            };
            Change { player, besides: None, by, to: after.score(player) }
        };
        self.game.stakeholders().into_iter().map(change).collect()
    }

    /// Box and captain of the next game, if the drops end this one.
    fn next(&self) -> Option<(PlayerId, PlayerId)> {
        let ended = self.ended()?;
        ended.box_player().zip(ended.captain())
    }
}
