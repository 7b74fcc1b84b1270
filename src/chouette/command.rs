//! What can be asked of a chouette: the objects that the API, the pages and the command line take.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::chouette::bet::Side;
use crate::chouette::order::Roll;
use crate::chouette::rules::HouseRules;
use crate::engine::Win;
use crate::values::{PlayerId, Stake};

/// A command to a chouette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Opens the table; the first command, once.
    Open {
        /// What the table is called: 1 to 80 characters, no line breaks.
        name: String,
        /// The night it belongs to, by the club's clock.
        night: NaiveDate,
        /// What a point is worth, if money is played for.
        #[serde(default)]
        stake: Option<Stake>,
        /// The house rules; what is missing takes its default.
        #[serde(default)]
        rules: HouseRules,
    },
    /// A player comes in, or comes back, at the end of the line (Q5).
    Join {
        /// Who.
        player: PlayerId,
    },
    /// A player goes (Q5): between games, or while not in the game.
    Leave {
        /// Who.
        player: PlayerId,
    },
    /// The service rolls for the order, until nobody is tied (Q1).
    DrawOrder {},
    /// What those who have to roll for the order rolled (Q1).
    EnterRolls {
        /// One roll for each of exactly those who have to roll now.
        rolls: Vec<Roll>,
    },
    /// A game begins.
    StartGame {},
    /// A player doubles (C2, Q11).
    Double {
        /// Who.
        player: PlayerId,
        /// Whom: the opponents in the bets meant; without it, all that can be doubled.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// A player takes doubles (C4).
    Take {
        /// Who.
        player: PlayerId,
        /// Whose: the opponents in the bets meant; without it, all that wait for this player's answer.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// A player drops doubles (C3), and so loses those bets at the stake before.
    Drop {
        /// Who.
        player: PlayerId,
        /// Whose: the opponents in the bets meant; without it, all that wait for this player's answer.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// The game was played to its end (G13, G14).
    Finish {
        /// The side that won.
        winner: Side,
        /// How.
        win: Win,
    },
    /// The night is over.
    Close {},
}
