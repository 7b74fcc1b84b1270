//! What happens on the sheet of a match or a money session, in words: on the undo button, and in previews.

use super::board;
use crate::pages::matches::{MatchContext, words};
use owlbox_engine::Colour;
use owlbox_play::matches::{Event, Slot};

/// An act, by its first event.
pub(crate) fn act(context: &MatchContext<'_>, events: &[Event]) -> String {
    let first = events.first().map(|event| sentence(context, event));
    first.unwrap_or_else(|| context.t.get("scoring-did-something"))
}

/// An event as a sentence.
pub(crate) fn sentence(context: &MatchContext<'_>, event: &Event) -> String {
    let t = context.t;
    match event {
        Event::Opened { .. } => t.get("scoring-did-open"),
        Event::GameWon { won, .. } => words::game(context, won),
        Event::GameDrawn { .. } => t.get("scoring-drawn"),
        Event::Penalised { gains, points, .. } => words::penalty(context, *gains, *points),
        Event::Corrected { game, .. } => t.with("scoring-did-correct", "game", game),
        Event::Contested { by, game, .. } => words::contest(context, "contest-did", *by, *game),
        Event::ContestWithdrawn { by, game, .. } => {
            words::contest(context, "contest-did-withdraw", *by, *game)
        }
        Event::Upheld { game, .. } => t.with("contest-did-uphold", "what", words::which(context, *game)),
        Event::Voided { game, .. } => t.with("contest-did-void", "what", words::which(context, Some(*game))),
        Event::Finished { outcome, .. } => words::outcome(context, *outcome),
        Event::Reopened {} => t.get("scoring-goes-on"),
        Event::Claimed { by, score } => words::claimed(context, (*by, *score)),
        Event::Detached {} => t.get("scoring-detached"),
        Event::Attached {} => t.get("scoring-attached"),
        Event::StakeMoved { .. } => t.get("line-stake"),
        Event::Adjourned {} => t.get("scoring-adjourned"),
        Event::Resumed {} => t.get("scoring-resumed"),
        Event::Closed {} => t.get("scoring-closed"),
        Event::Paid { by, amount } => words::pays(context, "scoring-pays", *by, *amount),
        Event::BoardStarted { game, .. } => t.with("scoring-did-start-board", "game", game),
        Event::Board { of } => board::sentence(t, of, |side| match side {
            Colour::White => context.name(Slot::Upper).to_owned(),
            Colour::Black => context.name(Slot::Lower).to_owned(),
        }),
        Event::BoardAbandoned {} => t.get("scoring-abandon-board"),
        Event::Imported { .. } => t.get("scoring-did-import"),
        Event::ClockSet { clock: Some(_), .. } => t.get("scoring-did-set-clock"),
        Event::ClockSet { clock: None, .. } => t.get("scoring-did-remove-clock"),
        Event::ClockStarted { .. } | Event::ClockPaused {} | Event::ClockResumed {} => {
            t.get("clock-the-clock")
        }
    }
}
