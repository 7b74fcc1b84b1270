//! What viewers may see of a sheet: everybody who sees the match sees all of it but the logins behind its
//! acts, and what its players pay each other. At a tournament they see logins as far as they see the
//! tournament's own.

use super::event::EventKind;
use super::{Event, Sheet};
use owlbox_base::journal::ActKind;
use owlbox_base::journal::free_text::FreeText;
use owlbox_base::journal::shared::{Shared, Viewer};
use owlbox_base::values::{AccountId, MatchId};

impl Shared for Sheet {
    type Id = MatchId;

    fn shown_to(event: &Event, viewer: &Viewer) -> Option<Event> {
        match event {
            Event::StakeMoved { from: _, to: _ } | Event::Paid { by: _, amount: _ } => {
                viewer.sees_payments.then(|| event.clone())
            }
            Event::Opened { players: _, terms: _, clock: _, of: _, booked: _ }
            | Event::GameWon { game: _, won: _, standing: _, entered_by: _ }
            | Event::GameDrawn { game: _, standing: _, entered_by: _ }
            | Event::Penalised { gains: _, points: _, minutes: _, standing: _ }
            | Event::Corrected { game: _, was: _, now: _, standings: _, contested: _, entered_by: _ }
            | Event::Contested { by: _, game: _, won: _ }
            | Event::ContestWithdrawn { by: _, game: _, won: _ }
            | Event::Upheld { game: _, won: _ }
            | Event::Voided { game: _, standings: _ }
            | Event::Claimed { by: _, score: _ }
            | Event::Finished { by: _, outcome: _, entered_by: _, withdraws: _ }
            | Event::Reopened {}
            | Event::Detached {}
            | Event::Attached {}
            | Event::Adjourned {}
            | Event::Resumed {}
            | Event::Closed {}
            | Event::BoardStarted { game: _, dice: _, rules: _ }
            | Event::Board { of: _ }
            | Event::BoardAbandoned {}
            | Event::Imported { text: _, games: _, entered_by: _ }
            | Event::ClockSet { clock: _, left: _ }
            | Event::ClockStarted { slot: _ }
            | Event::ClockPaused {}
            | Event::ClockResumed {} => Some(event.clone()),
        }
    }

    fn hide_from(&mut self, viewer: &Viewer) {
        self.redact(viewer);
    }

    fn author_shown_to(author: AccountId, viewer: &Viewer) -> bool {
        viewer.sees_author(author)
    }

    fn changes_who_sees(_: &ActKind<Event>) -> bool {
        false
    }

    fn is_authors_own(kind: EventKind) -> bool {
        kind.is_authors_own()
    }
}

impl FreeText for Sheet {
    fn text_keys(kind: EventKind) -> &'static [&'static str] {
        kind.text_keys()
    }
}
