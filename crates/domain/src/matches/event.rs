//! What can have happened to a sheet. Events record outcomes - points, the score after them, dice, what the match came
//! to - so that applying one computes no rule, and hold ids, never names. When it happened, its act says: the clock
//! goes by that.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::game::{EnteredBy, Standing, Won};
use super::terms::{Of, Terms};
use crate::matches::clock::Setting;
use crate::matches::{Outcome, Slot};
use crate::values::PlayerId;
use owlbox_engine::game::{DiceSource, Event as OnBoard, GameRules};

/// Makes [`Event`] and [`Event::kind`] from one list.
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident $tag:literal $body:tt)*) => {
        /// An event of a sheet.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
        #[schema(as = SheetEvent)]
        pub enum Event { $($(#[$doc])* $name $body,)* }

        impl Event {
            /// The stored name of every kind of event, the same as its serde tag.
            pub const KINDS: &'static [&'static str] = &[$($tag),*];

            /// The stored name of the event.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self { $(Self::$name { .. } => $tag),* }
            }
        }
    };
}

impl Event {
    /// Who entered it; `None` of what nobody enters, and of what stood here before that was written down.
    #[must_use]
    pub const fn entered_by(&self) -> Option<EnteredBy> {
        if let Self::GameWon { entered_by, .. }
        | Self::GameDrawn { entered_by, .. }
        | Self::Corrected { entered_by, .. }
        | Self::Imported { entered_by, .. }
        | Self::Finished { entered_by, .. } = self
        {
            *entered_by
        } else {
            None
        }
    }
}

events! {
    /// The sheet was opened.
    Opened "opened" {
        /// Who plays, upper and lower slot.
        #[schema(min_items = 2, max_items = 2)]
        players: [PlayerId; 2],
        /// What for.
        terms: Terms,
        /// What the clock is set to.
        clock: Option<Setting>,
        /// Which match of a tournament it is.
        of: Option<Of>,
        /// Whether its games are posted to the books: those of every money session, but of one that was opened before
        /// sessions were.
        #[serde(default)]
        booked: bool,
    }
    /// A game was won.
    GameWon "game_won" {
        /// Its number, from 1.
        game: u32,
        /// What it was, with its points.
        won: Won,
        /// The score after it.
        standing: Standing,
        /// Who entered it; `null` of what the board counts, and of what stood here before that was written down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    }
    /// A game was drawn.
    GameDrawn "game_drawn" {
        /// Its number, from 1.
        game: u32,
        /// The score after it.
        standing: Standing,
        /// Who entered it; `null` of what the board counts, and of what stood here before that was written down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    }
    /// A side has points of the other's penalty.
    Penalised "penalised" {
        /// Who has them.
        gains: Slot,
        /// How many.
        points: u16,
        /// How many minutes late the other was, if that is what it was for.
        minutes: Option<u32>,
        /// The score after it.
        standing: Standing,
    }
    /// An earlier game was entered wrongly.
    Corrected "corrected" {
        /// Its number, from 1.
        game: u32,
        /// What it was taken for; `null` of one that was drawn, and of one that was corrected before this was told.
        #[serde(default)]
        was: Option<Won>,
        /// What it really was, with its points.
        now: Won,
        /// The score after it, and after every later line of the sheet.
        standings: Vec<Standing>,
        /// Whether it was contested, so that what it was taken for was in no book.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        contested: bool,
        /// Who put it right; `null` of what stood here before that was written down, when it was always a scorer. What one of the
        /// two has put right the other may contest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    }
    /// A side contested what the other had entered.
    Contested "contested" {
        /// Which side.
        by: Slot,
        /// The number of the game, from 1; `null` of the final score.
        game: Option<u32>,
        /// What the game had been entered as, which is taken out of the books; `null` if nothing is in them.
        won: Option<Won>,
    }
    /// It contested it no more.
    ContestWithdrawn "contest_withdrawn" {
        /// Which side.
        by: Slot,
        /// As of `contested`.
        game: Option<u32>,
        /// What goes back into the books.
        won: Option<Won>,
    }
    /// A scorer ruled that what was contested stands.
    Upheld "upheld" {
        /// As of `contested`.
        game: Option<u32>,
        /// What goes back into the books.
        won: Option<Won>,
    }
    /// A scorer ruled that a contested game never was.
    Voided "voided" {
        /// Its number, from 1.
        game: u32,
        /// The score after it, and after every later line of the sheet.
        standings: Vec<Standing>,
    }
    /// A side said how the match ended, and the other had not said the same.
    Claimed "claimed" {
        /// Which.
        by: Slot,
        /// The final score that it said.
        #[schema(min_items = 2, max_items = 2)]
        score: [u16; 2],
    }
    /// The match has an outcome, or another one than it had.
    Finished "finished" {
        /// What decided it.
        by: DecidedBy,
        /// What came of it.
        outcome: Outcome,
        /// Who entered it, where the final score alone was stated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    }
    /// It has none any more, and goes on.
    Reopened "reopened" {}
    /// Others play the match in its tournament now: the sheet is over without an outcome.
    Detached "detached" {}
    /// Its two play the match after all.
    Attached "attached" {}
    /// The match was adjourned.
    Adjourned "adjourned" {}
    /// It went on.
    Resumed "resumed" {}
    /// The money session was over.
    Closed "closed" {}
    /// A side of a money session paid the other.
    Paid "paid" {
        /// Who paid.
        by: Slot,
        /// Minor units of the stake's currency.
        amount: i64,
    }
    /// The next game was to be refereed on a board.
    BoardStarted "board_started" {
        /// Its number, from 1.
        game: u32,
        /// Whether the service rolls.
        dice: DiceSource,
        /// The rules in force.
        rules: GameRules,
    }
    /// Something happened on the board.
    Board "board" {
        /// What.
        of: OnBoard,
    }
    /// The game on the board was not refereed any more.
    BoardAbandoned "board_abandoned" {}
    /// A match text was brought.
    Imported "imported" {
        /// It, as this program writes it: without names.
        text: String,
        /// Its games that are over, in order.
        games: Vec<ImportedGame>,
        /// Who brought it; older journals do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    }
    /// The clock was set anew.
    ClockSet "clock_set" {
        /// To what; `null` took it away.
        clock: Option<Setting>,
    }
    /// A side's move began.
    ClockStarted "clock_started" {
        /// Whose.
        slot: Slot,
    }
    /// The clock was stopped.
    ClockPaused "clock_paused" {}
    /// It ran on.
    ClockResumed "clock_resumed" {}
}

/// A game of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedGame {
    /// What it was, with its points; `null` if it broke off and counted nothing.
    pub won: Option<Won>,
    /// The score after it.
    pub standing: Standing,
}

/// What decided a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "decided_by", rename_all = "snake_case", deny_unknown_fields)]
pub enum DecidedBy {
    /// Its score (M1).
    Score {},
    /// The final score alone was stated.
    Stated {},
    /// It was conceded.
    Concession {
        /// By whom.
        by: Slot,
    },
    /// A side came so late that it lost the match.
    Lateness {
        /// Which.
        by: Slot,
        /// How many minutes.
        minutes: u32,
    },
    /// A side has had so many penalty points that it lost the match.
    Penalties {
        /// Which.
        against: Slot,
    },
    /// The director.
    Ruling {},
}
