//! What can have happened to a sheet. Events record outcomes - points, the score after them, dice, what the match came
//! to - so that applying one computes no rule, and hold ids, never names. When it happened, its act says: the clock
//! goes by that.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::game::{EnteredBy, SheetStanding, Won};
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::Setting;
use crate::matches::{Outcome, Slot};
use crate::values::PlayerId;
use owlbox_engine::game::{DiceSource, Event as OnBoard, GameRules};

/// An event of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = SheetEvent))]
#[strum_discriminants(
    name(EventKind),
    derive(IntoStaticStr, VariantArray),
    strum(serialize_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind an event is; as text, what it is stored under.")]
pub enum Event {
    /// The sheet was opened.
    Opened {
        /// Who plays, upper and lower slot.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        players: [PlayerId; 2],
        /// What for.
        terms: Terms,
        /// What the clock is set to.
        clock: Option<Setting>,
        /// Which match of a tournament it is.
        of: Option<MatchOfTournament>,
        /// Whether its games are posted to the books: those of every money session, but of one that was opened before
        /// sessions were.
        #[serde(default)]
        booked: bool,
    },
    /// A game was won.
    GameWon {
        /// Its number, from 1.
        game: u32,
        /// What it was, with its points.
        won: Won,
        /// The score after it.
        standing: SheetStanding,
        /// Who entered it; `null` of what the board counts, and of what stood here before that was written down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// A game was drawn.
    GameDrawn {
        /// Its number, from 1.
        game: u32,
        /// The score after it.
        standing: SheetStanding,
        /// Who entered it; `null` of what the board counts, and of what stood here before that was written down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// A side has points of the other's penalty.
    Penalised {
        /// Who has them.
        gains: Slot,
        /// How many.
        points: u16,
        /// How many minutes late the other was, if that is what it was for.
        minutes: Option<u32>,
        /// The score after it.
        standing: SheetStanding,
    },
    /// An earlier game was entered wrongly.
    Corrected {
        /// Its number, from 1.
        game: u32,
        /// What it was taken for; `null` of one that was drawn, and of one that was corrected before this was told.
        #[serde(default)]
        was: Option<Won>,
        /// What it really was, with its points.
        now: Won,
        /// The score after it, and after every later line of the sheet.
        standings: Vec<SheetStanding>,
        /// Whether it was contested, so that what it was taken for was in no book.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        contested: bool,
        /// Who put it right; `null` of what stood here before that was written down, when it was always a scorer. What one of the
        /// two has put right the other may contest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// A side contested what the other had entered.
    Contested {
        /// Which side.
        by: Slot,
        /// The number of the game, from 1; `null` of the final score.
        game: Option<u32>,
        /// What the game had been entered as, which is taken out of the books; `null` if nothing is in them.
        won: Option<Won>,
    },
    /// It contested it no more.
    ContestWithdrawn {
        /// Which side.
        by: Slot,
        /// As of `contested`.
        game: Option<u32>,
        /// What goes back into the books.
        won: Option<Won>,
    },
    /// A scorer ruled that what was contested stands.
    Upheld {
        /// As of `contested`.
        game: Option<u32>,
        /// What goes back into the books.
        won: Option<Won>,
    },
    /// A scorer ruled that a contested game never was.
    Voided {
        /// Its number, from 1.
        game: u32,
        /// The score after it, and after every later line of the sheet.
        standings: Vec<SheetStanding>,
    },
    /// A side said how the match ended, and the other had not said the same.
    Claimed {
        /// Which.
        by: Slot,
        /// The final score that it said.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: [u16; 2],
    },
    /// The match has an outcome, or another one than it had.
    Finished {
        /// What decided it.
        by: DecidedBy,
        /// What came of it.
        outcome: Outcome,
        /// Who entered it, where the final score alone was stated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// It has none any more, and goes on.
    Reopened {},
    /// Others play the match in its tournament now: the sheet is over without an outcome.
    Detached {},
    /// Its two play the match after all.
    Attached {},
    /// The match was adjourned.
    Adjourned {},
    /// It went on.
    Resumed {},
    /// The money session was over.
    Closed {},
    /// A side of a money session paid the other.
    Paid {
        /// Who paid.
        by: Slot,
        /// Minor units of the stake's currency.
        amount: i64,
    },
    /// The next game was to be refereed on a board.
    BoardStarted {
        /// Its number, from 1.
        game: u32,
        /// Whether the service rolls.
        dice: DiceSource,
        /// The rules in force.
        rules: GameRules,
    },
    /// Something happened on the board.
    Board {
        /// What.
        of: OnBoard,
    },
    /// The game on the board was not refereed any more.
    BoardAbandoned {},
    /// A match text was brought.
    Imported {
        /// It, as this program writes it: without names.
        text: String,
        /// Its games that are over, in order.
        games: Vec<ImportedGame>,
        /// Who brought it; older journals do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// The clock was set anew.
    ClockSet {
        /// To what; `null` took it away.
        clock: Option<Setting>,
    },
    /// A side's move began.
    ClockStarted {
        /// Whose.
        slot: Slot,
    },
    /// The clock was stopped.
    ClockPaused {},
    /// It ran on.
    ClockResumed {},
}

/// What an event is where somebody asks whose act it is, or what it does to the match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    /// Players can do it in their own match for ever.
    Endless,
    /// A result that players enter in their own match.
    Result,
    /// It contests what was entered, puts it right, or says what came of the match or was paid for it.
    PuttingRight,
    /// It contests something or judges the match; a final score is of a kind with a ruling.
    Judging,
    /// An act that begins with it began with something played on the sheet; of others what its tournament said may be the cause.
    OfPlay,
    /// It may have followed what its tournament said.
    Following,
}

impl EventKind {
    const fn all(self) -> &'static [Is] {
        use Is::{Endless, Following, Judging, OfPlay, PuttingRight, Result};
        match self {
            Self::GameWon => &[Result, OfPlay],
            Self::GameDrawn => &[Result],
            Self::Penalised | Self::Corrected => &[PuttingRight, Judging, OfPlay],
            Self::Contested | Self::ContestWithdrawn => &[Endless, PuttingRight, Judging],
            Self::Upheld | Self::Voided => &[PuttingRight, Judging],
            Self::Finished | Self::Reopened => &[PuttingRight, Judging, Following],
            Self::Detached | Self::Attached => &[Following],
            Self::Claimed => &[Endless, OfPlay],
            Self::Adjourned | Self::Resumed | Self::ClockSet | Self::ClockPaused | Self::ClockResumed => {
                &[Endless]
            }
            Self::Paid => &[PuttingRight],
            Self::Board | Self::Imported => &[OfPlay],
            Self::Opened | Self::Closed | Self::BoardStarted | Self::BoardAbandoned | Self::ClockStarted => {
                &[]
            }
        }
    }

    /// Whether players can do it in their own match for ever.
    #[must_use]
    pub fn goes_on_for_ever(self) -> bool {
        self.all().contains(&Is::Endless)
    }

    /// Whether it is a result that players enter in their own match.
    #[must_use]
    pub fn is_result(self) -> bool {
        self.all().contains(&Is::Result)
    }

    /// Whether it contests what was entered, puts it right, or says what came of the match or was paid for it.
    #[must_use]
    pub fn puts_right(self) -> bool {
        self.all().contains(&Is::PuttingRight)
    }

    /// Whether it contests something or judges the match.
    #[must_use]
    pub fn judges(self) -> bool {
        self.all().contains(&Is::Judging)
    }

    /// Whether an act that begins with it began with something played on the sheet.
    #[must_use]
    pub fn is_of_play(self) -> bool {
        self.all().contains(&Is::OfPlay)
    }

    /// Whether it may have followed what its tournament said.
    #[must_use]
    pub fn may_follow_tournament(self) -> bool {
        self.all().contains(&Is::Following)
    }
}

impl Event {
    /// Who entered it; `None` of what nobody enters, and of what stood here before that was written down.
    #[must_use]
    pub const fn entered_by(&self) -> Option<EnteredBy> {
        match self {
            Self::GameWon { entered_by, .. }
            | Self::GameDrawn { entered_by, .. }
            | Self::Corrected { entered_by, .. }
            | Self::Imported { entered_by, .. }
            | Self::Finished { entered_by, .. } => *entered_by,
            Self::Opened { .. }
            | Self::Penalised { .. }
            | Self::Contested { .. }
            | Self::ContestWithdrawn { .. }
            | Self::Upheld { .. }
            | Self::Voided { .. }
            | Self::Claimed { .. }
            | Self::Reopened { .. }
            | Self::Detached { .. }
            | Self::Attached { .. }
            | Self::Adjourned { .. }
            | Self::Resumed { .. }
            | Self::Closed { .. }
            | Self::Paid { .. }
            | Self::BoardStarted { .. }
            | Self::Board { .. }
            | Self::BoardAbandoned { .. }
            | Self::ClockSet { .. }
            | Self::ClockStarted { .. }
            | Self::ClockPaused { .. }
            | Self::ClockResumed { .. } => None,
        }
    }
}

/// A game of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ImportedGame {
    /// What it was, with its points; `null` if it broke off and counted nothing.
    pub won: Option<Won>,
    /// The score after it.
    pub standing: SheetStanding,
}

/// What decided a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
