//! A bet: what one player on the box's side and one on the team's play for.
//!
//! A game *is* its bets. What a player wins in it is the sum of that player's bets, so every game adds
//! up to zero by construction, and nobody's score is ever stored as such.

use serde::{Deserialize, Serialize};

use crate::values::{HalfPoints, PlayerId};
use owlbox_engine::{Colour, Cube, CubeValue, Owner, Raise, Win};

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The box.
    Box,
    /// The captain and the crew.
    Team,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Box, Self::Team];

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Box => Self::Team,
            Self::Team => Self::Box,
        }
    }
}

/// The side that plays a colour: White is the box.
pub(in crate::chouette) const fn side_of(colour: Colour) -> Side {
    match colour {
        Colour::White => Side::Box,
        Colour::Black => Side::Team,
    }
}

/// The colour that a side plays on the board.
pub(in crate::chouette) const fn colour(side: Side) -> Colour {
    match side {
        Side::Box => Colour::White,
        Side::Team => Colour::Black,
    }
}

/// What kind of bet it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BetKind {
    /// Between the box and a member of the team.
    Member,
    /// Between one who gives an extra, on the box's side, and the lone taker (Q10).
    Extra,
    /// What was paid to the lone taker for an extra.
    ExtraPayment,
    /// Between the box and its partner: the partner's share of the box's net (Q13).
    Partner,
}

impl BetKind {
    pub const ALL: [Self; 4] = [Self::Member, Self::Extra, Self::ExtraPayment, Self::Partner];

    /// The name, as in JSON and in the books.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Extra => "extra",
            Self::ExtraPayment => "extra_payment",
            Self::Partner => "partner",
        }
    }
}

/// What settled a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SettledBy {
    /// A double was dropped (C3).
    Drop,
    /// The game was played to its end.
    Game,
    /// The players agreed.
    Settlement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetStanding {
    /// On, and nothing to answer.
    Open,
    /// A double, or a beaver, waits for its answer.
    Offered(Raise<Side>),
    Settled(Settled),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The side that won it; of a settlement, the side that is paid.
    pub winner: Side,
    /// What it won, in half points; never negative.
    pub points: HalfPoints,
    pub by: SettledBy,
    /// The side that counts as its winner for the rotation: the winner, but of a settlement whom the
    /// scorer named.
    pub counts_for: Side,
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
    pub kind: BetKind,
    /// Where its cube began: it never stands lower.
    pub start: CubeValue,
    /// Its cube; while an offer waits, as it was before.
    pub cube: Cube<Side>,
    /// How many of the table's stakes a point of it is: 1 but where players have stakes of their own.
    pub units: u16,
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

    /// Against whom `player` plays it, if at all.
    #[must_use]
    pub fn opponent_of(&self, player: PlayerId) -> Option<PlayerId> {
        self.side_of(player).map(|side| self.on(side.other()))
    }

    #[must_use]
    pub const fn is_settled(&self) -> bool {
        matches!(self.standing, BetStanding::Settled(_))
    }

    /// The raise that waits for an answer, if one does.
    #[must_use]
    pub const fn raise(&self) -> Option<Raise<Side>> {
        match self.standing {
            BetStanding::Offered(raise) => Some(raise),
            BetStanding::Open | BetStanding::Settled(_) => None,
        }
    }

    /// The side whose double, or beaver, waits for an answer, if one does.
    #[must_use]
    pub fn offered_by(&self) -> Option<Side> {
        self.raise().map(Raise::by)
    }

    /// What a cube of this value stands for in this bet (the pair's stake counted), in half points.
    #[must_use]
    pub const fn worth(&self, value: CubeValue) -> HalfPoints {
        HalfPoints(value.get() as i64 * self.units as i64 * 2)
    }

    /// The bet with its result, if it is over.
    #[must_use]
    pub fn result(&self) -> Option<SettledBet> {
        match self.standing {
            BetStanding::Settled(settled) => Some(self.won_by(settled)),
            BetStanding::Open | BetStanding::Offered(_) => None,
        }
    }

    /// The bet with its result: as it was settled before, or else as `winner` and `win` settle it now
    /// (G14: the kind of win times the cube; C9: under Jacoby only if that was turned).
    #[must_use]
    pub fn settled(&self, winner: Side, win: Win, jacoby: bool) -> SettledBet {
        self.result().unwrap_or_else(|| {
            let multiplier = win.counted(self.cube.gammons_count(jacoby)).multiplier();
            let points = HalfPoints(self.worth(self.cube.value).0 * i64::from(multiplier));
            self.won_by(Settled { winner, points, by: SettledBy::Game, counts_for: winner })
        })
    }

    fn won_by(&self, Settled { winner, points, by, counts_for }: Settled) -> SettledBet {
        SettledBet {
            bet: self.id,
            winner: self.on(winner),
            loser: self.on(winner.other()),
            points,
            kind: self.kind,
            by,
            counts_for: (counts_for != winner).then(|| self.on(counts_for)),
        }
    }
}

/// A bet that is over, with its result: who won how much from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    /// Of a settlement: who counts as the winner for the rotation, if that is not who was paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts_for: Option<PlayerId>,
}

impl SettledBet {
    /// Who counts as the winner for the rotation.
    #[must_use]
    pub fn counted_winner(&self) -> PlayerId {
        self.counts_for.unwrap_or(self.winner)
    }
}

/// Whose cube it is, in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CubeOwner {
    /// Nobody's: either may double.
    Centred,
    /// The box's, or of an extra the giver's.
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
