//! What can have happened to a chouette. Events record outcomes - seats, amounts, cube values - so that
//! applying one computes no rule, and hold ids, never names.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::chouette::bet::{BetKind, SettledBet, Side};
use crate::chouette::order::{Roll, Seats};
use crate::chouette::rules::HouseRules;
use crate::engine::{CubeValue, Win};
use crate::values::{HalfPoints, PlayerId, Stake};

/// An event of a chouette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The table was opened.
    Opened {
        /// What it is called.
        name: String,
        /// The night it belongs to.
        night: NaiveDate,
        /// What a point is worth.
        stake: Option<Stake>,
        /// The full set of rules in force.
        rules: HouseRules,
    },
    /// A player came in.
    Joined {
        /// Who.
        player: PlayerId,
        /// Who sits where after it.
        seats: Seats,
    },
    /// A player went.
    Left {
        /// Who.
        player: PlayerId,
        /// Who sits where after it.
        seats: Seats,
    },
    /// Rolls for the order were entered.
    RollsEntered {
        /// The rolls.
        rolls: Vec<Roll>,
        /// Who sits where after them.
        seats: Seats,
    },
    /// The service rolled for the order.
    OrderDrawn {
        /// Every round: first all, then the tied.
        rounds: Vec<Vec<Roll>>,
        /// Who sits where after them.
        seats: Seats,
    },
    /// A game began.
    GameStarted {
        /// Its number in this chouette, from 1.
        game: u32,
        /// The box.
        #[serde(rename = "box")]
        box_player: PlayerId,
        /// The captain.
        captain: PlayerId,
        /// The bets, in line order.
        bets: Vec<OpenedBet>,
    },
    /// A player doubled.
    Doubled {
        /// Who.
        player: PlayerId,
        /// The bets doubled.
        bets: Vec<TurnedBet>,
    },
    /// A player took.
    Taken {
        /// Who.
        player: PlayerId,
        /// The bets taken.
        bets: Vec<TurnedBet>,
    },
    /// A player dropped. If nothing is left to play for, `game_finished` follows in the same act.
    Dropped {
        /// Who.
        player: PlayerId,
        /// The bets lost.
        bets: Vec<DroppedBet>,
    },
    /// A game is over.
    GameFinished(FinishedGame),
    /// The night is over.
    Closed {},
}

impl Event {
    /// The stored name of the event, the same as its serde tag.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Opened { .. } => "opened",
            Self::Joined { .. } => "joined",
            Self::Left { .. } => "left",
            Self::RollsEntered { .. } => "rolls_entered",
            Self::OrderDrawn { .. } => "order_drawn",
            Self::GameStarted { .. } => "game_started",
            Self::Doubled { .. } => "doubled",
            Self::Taken { .. } => "taken",
            Self::Dropped { .. } => "dropped",
            Self::GameFinished(_) => "game_finished",
            Self::Closed {} => "closed",
        }
    }
}

/// A bet as a game began with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenedBet {
    /// Its number within the game, from 1.
    pub bet: u32,
    /// Who plays it against the box.
    pub member: PlayerId,
    /// What kind it is.
    pub kind: BetKind,
    /// Where its cube stands, centred.
    pub value: CubeValue,
}

/// A bet whose cube was offered or taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnedBet {
    /// Its number within the game.
    pub bet: u32,
    /// The other player of it.
    pub opponent: PlayerId,
    /// What the cube stands at if taken, and then does.
    pub to: CubeValue,
}

/// A bet lost by a drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DroppedBet {
    /// Its number within the game.
    pub bet: u32,
    /// The player who won it.
    pub opponent: PlayerId,
    /// What the opponent won, in half points.
    pub points: HalfPoints,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishedGame {
    /// Its number in this chouette.
    pub game: u32,
    /// The side that won it; if it ended by drops, the side that the last drop was to.
    pub winner: Side,
    /// How; `null` if it ended by drops.
    pub win: Option<Win>,
    /// Every bet with its result, in the order of the bets.
    pub bets: Vec<SettledBet>,
    /// The whole new line: box, captain, crew.
    pub line: Vec<PlayerId>,
}
