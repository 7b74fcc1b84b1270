//! Events of a sheet. They record outcomes - points, the score after them, dice, the match result - so that
//! applying one evaluates no rule, and they hold ids, never names. An event happens at the time of its act,
//! and the clock relies on that.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::game::{EnteredBy, SheetStanding, Won};
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::ClockSetting;
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
        clock: Option<ClockSetting>,
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
        /// How many points.
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
        clock: Option<ClockSetting>,
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
