//! A bet: what one player of the box's side and one of the team's play for.
//!
//! A game *is* its bets. What a player wins in it is the sum of that player's bets, so every game adds
//! up to zero by construction, and nobody's score is ever stored as such.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::{Cube, CubeValue, Owner, Win};
use crate::values::{HalfPoints, PlayerId};

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The box.
    Box,
    /// The captain and the crew.
    Team,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Box, Self::Team];

    /// The side opposite.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Box => Self::Team,
            Self::Team => Self::Box,
        }
    }
}

/// What kind of bet it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BetKind {
    /// Between the box and a member of the team.
    Member,
}

impl BetKind {
    /// The name, as in JSON and in the books.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Member => "member",
        }
    }
}

/// What settled a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettledBy {
    /// A double was dropped (C3).
    Drop,
    /// The game was played to its end.
    Game,
}

/// Where a bet stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum BetStanding {
    /// On, and nothing to answer.
    Open,
    /// A double waits for its answer.
    Offered {
        /// The side that doubled.
        by: Side,
        /// What the cube will stand at if taken.
        to: CubeValue,
    },
    /// Over.
    Settled {
        /// The side that won it.
        winner: Side,
        /// What it won, in half points; never negative.
        points: HalfPoints,
        /// What settled it.
        by: SettledBy,
    },
}

/// One bet of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bet {
    /// Its number within the game, from 1.
    pub id: u32,
    /// Who plays it on the box's side.
    pub box_side: PlayerId,
    /// Who plays it on the team's side.
    pub team_side: PlayerId,
    /// What kind it is.
    pub kind: BetKind,
    /// Its cube; while an offer waits, as it was before.
    pub cube: Cube<Side>,
    /// Where it stands.
    pub standing: BetStanding,
}

impl Bet {
    /// The player who plays it on `side`.
    #[must_use]
    pub const fn on(&self, side: Side) -> PlayerId {
        match side {
            Side::Box => self.box_side,
            Side::Team => self.team_side,
        }
    }

    /// The side `player` plays it on, if at all.
    #[must_use]
    pub fn side_of(&self, player: PlayerId) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.on(side) == player)
    }

    /// Whether it is over.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        matches!(self.standing, BetStanding::Settled { .. })
    }

    /// The side whose double waits for an answer, if one does.
    #[must_use]
    pub const fn offered_by(&self) -> Option<Side> {
        match self.standing {
            BetStanding::Offered { by, .. } => Some(by),
            _ => None,
        }
    }

    /// The bet with its result, if it is over.
    #[must_use]
    pub fn result(&self) -> Option<SettledBet> {
        match self.standing {
            BetStanding::Settled { winner, points, by } => Some(self.won_by(winner, points, by)),
            _ => None,
        }
    }

    /// The bet with its result: as it was settled before, or else as `winner` and `win` settle it now
    /// (G14: the kind of win times the cube).
    #[must_use]
    pub fn settled(&self, winner: Side, win: Win) -> SettledBet {
        self.result().unwrap_or_else(|| {
            let points = HalfPoints::from_points(self.cube.value.get() * win.multiplier());
            self.won_by(winner, points, SettledBy::Game)
        })
    }

    fn won_by(&self, winner: Side, points: HalfPoints, by: SettledBy) -> SettledBet {
        SettledBet {
            bet: self.id,
            winner: self.on(winner),
            loser: self.on(winner.other()),
            points,
            kind: self.kind,
            by,
        }
    }
}

/// A bet that is over, with its result: who won how much from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettledBet {
    /// Its number within the game.
    pub bet: u32,
    /// Who won it.
    pub winner: PlayerId,
    /// Who lost it.
    pub loser: PlayerId,
    /// What the winner gets and the loser gives, in half points; never negative.
    pub points: HalfPoints,
    /// What kind of bet it was.
    pub kind: BetKind,
    /// What settled it.
    pub by: SettledBy,
}

/// Whose cube it is, in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CubeOwner {
    /// Nobody's: either may double.
    Centred,
    /// The box's.
    Box,
    /// The member's.
    Member,
}

impl From<Owner<Side>> for CubeOwner {
    fn from(owner: Owner<Side>) -> Self {
        match owner {
            Owner::Centred => Self::Centred,
            Owner::Owned(Side::Box) => Self::Box,
            Owner::Owned(Side::Team) => Self::Member,
        }
    }
}
