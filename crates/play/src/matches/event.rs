//! Events of a sheet. They record outcomes - points, the score after them, dice, the match result - so that
//! applying one evaluates no rule, and they hold ids, never names. An event happens at the time of its act,
//! and the clock relies on that.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::game::{EnteredBy, SheetStanding, Won};
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::Setting;
use crate::matches::{Outcome, Slot};
use owlbox_base::values::PlayerId;
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
    /// The sheet was opened for play.
    Opened {
        /// The players in the upper and the lower slot.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        players: [PlayerId; 2],
        terms: Terms,
        /// The clock's setting; `null` if there is no clock.
        clock: Option<Setting>,
        /// The tournament match this sheet belongs to; `null` if there is none.
        of: Option<MatchOfTournament>,
        /// Whether it is posted to the books: true for every match with a stake and for every money session,
        /// except those opened before sessions were booked.
        #[serde(default)]
        booked: bool,
    },
    /// A game was won by one side.
    GameWon {
        /// The number of the game, from 1.
        game: u32,
        /// The result of the game, with its points.
        won: Won,
        /// The score after this game.
        standing: SheetStanding,
        /// Who entered it; `null` if the board counted it, and in entries from before this was recorded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// A game was drawn: it counts nothing.
    GameDrawn {
        /// The number of the game, from 1.
        game: u32,
        /// The score after this game.
        standing: SheetStanding,
        /// Who entered it; `null` if the board counted it, and in entries from before this was recorded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// A side was given points for a penalty of the other.
    Penalised {
        /// The side that was given the points.
        gains: Slot,
        points: u16,
        /// The minutes by which the other side was late, if that was the reason.
        minutes: Option<u32>,
        /// The score after the penalty.
        standing: SheetStanding,
    },
    /// An earlier game had been entered wrongly and was corrected.
    Corrected {
        /// The number of the game, from 1.
        game: u32,
        /// The result it was taken for; `null` if it was drawn, and in corrections from before this was
        /// recorded.
        #[serde(default)]
        was: Option<Won>,
        /// The result it really had, with its points.
        now: Won,
        /// The score after it, and after every later line of the sheet.
        standings: Vec<SheetStanding>,
        /// Whether the game was contested, and the old result therefore already out of the books.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        contested: bool,
        /// Who corrected it; `null` in corrections from before this was recorded, which were always a
        /// scorer's. What one side has corrected, the other may contest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// A side contested what the other had entered.
    Contested {
        /// The side that contests it.
        by: Slot,
        /// The number of the game, from 1; `null` for the final score.
        game: Option<u32>,
        /// The entered result of the game, which is taken out of the books; `null` if nothing is in them.
        won: Option<Won>,
    },
    /// A side withdrew its contest.
    ContestWithdrawn {
        /// The side that had contested it.
        by: Slot,
        /// The number of the game, from 1; `null` for the final score.
        game: Option<u32>,
        /// The result that goes back into the books; `null` if nothing does.
        won: Option<Won>,
    },
    /// A scorer ruled that what was contested stands.
    Upheld {
        /// The number of the game, from 1; `null` for the final score.
        game: Option<u32>,
        /// The result that goes back into the books; `null` if nothing does.
        won: Option<Won>,
    },
    /// A scorer ruled that a contested game was never played.
    Voided {
        /// The number of the game, from 1.
        game: u32,
        /// The score after it, and after every later line of the sheet.
        standings: Vec<SheetStanding>,
    },
    /// A side reported how the match ended, and the other has not confirmed it.
    Claimed {
        /// The side that reported it.
        by: Slot,
        /// The final score it reported.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: [u16; 2],
    },
    /// The match got an outcome, or a different one from before.
    Finished {
        by: DecidedBy,
        outcome: Outcome,
        /// Who entered the final score, if that was entered on its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
        /// Whose players withdraw from the tournament with a ruling.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", schema(max_items = 2))]
        withdraws: Vec<Slot>,
    },
    /// The match lost its outcome and goes on.
    Reopened {},
    /// Others now play the match in its tournament: the sheet is over without an outcome.
    Detached {},
    /// The sheet's two players play the match in its tournament after all.
    Attached {},
    /// The stake of the match went to another side than before, or to none: the match was decided, decided
    /// otherwise, contested, or goes on.
    StakeMoved {
        /// The side that had won it; `null` if neither.
        from: Option<Slot>,
        /// The side that has won it now; `null` if neither.
        to: Option<Slot>,
    },
    /// The match was adjourned for later.
    Adjourned {},
    /// The adjourned match was resumed.
    Resumed {},
    /// The money session was closed.
    Closed {},
    /// A side of a money session, or of a match with a stake, paid the other.
    Paid {
        by: Slot,
        /// In minor units of the stake's currency.
        amount: i64,
    },
    /// The next game was put on a board, to be refereed.
    BoardStarted {
        /// The number of the game, from 1.
        game: u32,
        dice: DiceSource,
        /// The rules in force for this game.
        rules: GameRules,
    },
    /// Something happened on the board.
    Board {
        /// The event as the engine records it.
        of: OnBoard,
    },
    /// Refereeing of the game on the board was given up.
    BoardAbandoned {},
    /// A match text was imported.
    Imported {
        /// The text as this program writes it: without names.
        text: String,
        /// The games in it that are over, in order.
        games: Vec<ImportedGame>,
        /// Who imported it; `null` in journals from before this was recorded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered_by: Option<EnteredBy>,
    },
    /// The clock was set.
    ClockSet {
        /// The new setting; `null` if the clock was removed.
        clock: Option<Setting>,
        /// The seconds that the upper and the lower slot have left; absent if they have the whole reserve.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        left: Option<[u32; 2]>,
    },
    /// The move of one side began.
    ClockStarted {
        /// The side whose time runs now.
        slot: Slot,
    },
    /// The clock was paused during a move.
    ClockPaused {},
    /// The clock ran on after a pause.
    ClockResumed {},
}

/// A property of a kind of event that matters when somebody wants to take it back, or to limit how often it
/// happens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    /// Players can repeat it in their own match without end.
    Endless,
    /// A result that players enter in their own match.
    Result,
    /// It contests an entry, corrects one, or concerns the outcome of the match or a payment for it.
    PuttingRight,
    /// It contests something or judges the match. A stated final score is an event of the
    /// same kind as a ruling, so it is included.
    Judging,
    /// An act that starts with it came from play on the sheet; an act that starts otherwise may have been
    /// caused by the tournament.
    OfPlay,
    /// It may be the consequence of what the tournament decided.
    Following,
    /// It may have drawn dice, so an act that begins with it is nobody's own to take back.
    Chance,
}

impl EventKind {
    /// What is asked of each kind. Text that somebody typed is asked for in `shared.rs` (`text_keys`): no kind has any.
    const fn properties(self) -> &'static [Is] {
        use Is::{Chance, Endless, Following, Judging, OfPlay, PuttingRight, Result};
        match self {
            Self::GameWon => &[Result, OfPlay],
            Self::GameDrawn => &[Result],
            Self::Penalised | Self::Corrected => &[PuttingRight, Judging, OfPlay],
            Self::Contested | Self::ContestWithdrawn => &[Endless, PuttingRight, Judging],
            Self::Upheld | Self::Voided => &[PuttingRight, Judging],
            Self::Finished | Self::Reopened => &[PuttingRight, Judging, Following],
            Self::Detached | Self::Attached => &[Following],
            Self::Claimed => &[Endless, OfPlay],
            // It never comes alone: what it comes with is counted.
            Self::StakeMoved => &[PuttingRight],
            Self::Adjourned | Self::Resumed | Self::ClockSet | Self::ClockPaused | Self::ClockResumed => {
                &[Endless]
            }
            Self::Paid => &[PuttingRight],
            Self::Board => &[OfPlay, Chance],
            Self::Imported => &[OfPlay],
            Self::Opened | Self::Closed | Self::BoardStarted | Self::BoardAbandoned | Self::ClockStarted => {
                &[]
            }
        }
    }

    /// Whether players can repeat it in their own match without end.
    #[must_use]
    pub fn goes_on_for_ever(self) -> bool {
        self.properties().contains(&Is::Endless)
    }

    /// Whether it is a result that players enter in their own match.
    #[must_use]
    pub fn is_result(self) -> bool {
        self.properties().contains(&Is::Result)
    }

    /// Whether it contests an entry, corrects one, or concerns the outcome of the match or a payment for it.
    #[must_use]
    pub fn puts_right(self) -> bool {
        self.properties().contains(&Is::PuttingRight)
    }

    /// Whether it contests something or judges the match.
    #[must_use]
    pub fn judges(self) -> bool {
        self.properties().contains(&Is::Judging)
    }

    /// Whether an act that starts with it came from play on the sheet.
    #[must_use]
    pub fn is_of_play(self) -> bool {
        self.properties().contains(&Is::OfPlay)
    }

    /// Whether an act that begins with it is its author's own to take back, or put back.
    #[must_use]
    pub fn is_authors_own(self) -> bool {
        !self.properties().contains(&Is::Chance)
    }

    /// Whether it may be the consequence of what the tournament decided.
    #[must_use]
    pub fn may_follow_tournament(self) -> bool {
        self.properties().contains(&Is::Following)
    }
}

impl Event {
    /// Who entered it; `None` for events that nobody enters, and for those from before this was recorded.
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

/// A game of an imported file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ImportedGame {
    /// The result of the game, with its points; `null` if it was broken off and counted nothing.
    pub won: Option<Won>,
    /// The score after this game.
    pub standing: SheetStanding,
}

/// The reason for the match's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "decided_by", rename_all = "snake_case", deny_unknown_fields)]
pub enum DecidedBy {
    /// One side reached the length of the match (M1).
    Score {},
    /// The final score was entered on its own, without the games.
    Stated {},
    /// One side conceded the match.
    Concession {
        /// The side that conceded, and lost.
        by: Slot,
    },
    /// A side came so late that it lost the match.
    Lateness {
        /// The side that was late.
        by: Slot,
        /// By how many minutes it was late.
        minutes: u32,
    },
    /// A side had so many penalties that it lost the match.
    Penalties {
        /// The side that was penalised and lost.
        against: Slot,
    },
    /// The director ruled on it.
    Ruling {},
}
