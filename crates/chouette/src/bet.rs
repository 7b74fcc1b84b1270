//! A bet: what one player on the box's side and one on the team's play for.
//!
//! A game *is* its bets. A player's result is the sum of their bets, so every game adds up to zero by
//! construction, and no event ever stores a score.

use serde::{Deserialize, Serialize};

use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_engine::{Colour, Cube, CubeValue, Owner, Raise, Win};

/// One of the two sides of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The box, alone against the team.
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

/// The side that plays a colour on the board: White is the box.
pub(crate) const fn side_of(colour: Colour) -> Side {
    match colour {
        Colour::White => Side::Box,
        Colour::Black => Side::Team,
    }
}

/// The colour a side plays on the board: White for the box.
pub(crate) const fn colour(side: Side) -> Colour {
    match side {
        Side::Box => Colour::White,
        Side::Team => Colour::Black,
    }
}

/// The kind of a bet: who plays it, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BetKind {
    /// Between the box and a member of the team.
    Member,
    /// Between the giver of an extra, on the box's side, and the lone taker (Q10).
    Extra,
    /// The payment to the lone taker for an extra: a bet that is settled the moment it is made.
    ExtraPayment,
    /// Between the box and a partner: the partner's share of the box's net (Q13).
    Partner,
}

impl BetKind {
    pub const ALL: [Self; 4] = [Self::Member, Self::Extra, Self::ExtraPayment, Self::Partner];

    /// The name, as JSON and the ledger write it.
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

/// How a bet came to be settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SettledBy {
    /// A double or a beaver was dropped (C3, C7).
    Drop,
    /// The game was played to its end.
    Game,
    /// The players agreed on a payment, or on none.
    Settlement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetStanding {
    /// Running, with nothing to answer.
    Open,
    /// A double or a beaver waits for its answer.
    Offered(Raise<Side>),
    Settled(Settled),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The side that won the bet; in a settlement, the side that is paid.
    pub winner: Side,
    /// What that side won, in half points. Never negative; a settlement may be for nothing.
    pub points: HalfPoints,
    pub by: SettledBy,
    /// The side that counts as the winner for the rotation. It differs from `winner` only in a settlement for
    /// which the scorer named the other side.
    pub counts_for: Side,
}

/// One bet of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bet {
    /// Its number within the game, from 1.
    pub id: u32,
    /// The player on the box's side: the box, or the giver of an extra.
    pub box_side: PlayerId,
    /// The player on the team's side.
    pub team_side: PlayerId,
    pub kind: BetKind,
    /// Where its cube began. It never stands lower.
    pub start: CubeValue,
    /// The cube; while an offer waits, as it was before.
    pub cube: Cube<Side>,
    /// How many of the table's stakes one point is worth: 1 unless players have stakes of their own.
    pub units: u16,
    pub standing: BetStanding,
}

impl Bet {
    /// The player on `side` of this bet.
    #[must_use]
    pub const fn on(&self, side: Side) -> PlayerId {
        match side {
            Side::Box => self.box_side,
            Side::Team => self.team_side,
        }
    }

    /// The side of `player`; `None` if the bet is not theirs.
    #[must_use]
    pub fn side_of(&self, player: PlayerId) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.on(side) == player)
    }

    /// The opponent of `player`; `None` if the bet is not theirs.
    #[must_use]
    pub fn opponent_of(&self, player: PlayerId) -> Option<PlayerId> {
        self.side_of(player).map(|side| self.on(side.other()))
    }

    /// Takes out what was won, if it is settled.
    pub(crate) const fn hide_points(&mut self) {
        if let BetStanding::Settled(settled) = &mut self.standing {
            settled.points = HalfPoints::ZERO;
        }
    }

    #[must_use]
    pub const fn is_settled(&self) -> bool {
        matches!(self.standing, BetStanding::Settled(_))
    }

    /// The double or beaver that waits for an answer, if any.
    #[must_use]
    pub const fn raise(&self) -> Option<Raise<Side>> {
        match self.standing {
            BetStanding::Offered(raise) => Some(raise),
            BetStanding::Open | BetStanding::Settled(_) => None,
        }
    }

    /// The side whose double or beaver waits for an answer, if any.
    #[must_use]
    pub fn offered_by(&self) -> Option<Side> {
        self.raise().map(Raise::by)
    }

    /// What the bet is worth with its cube at `value`, in half points. The pair's units count.
    #[must_use]
    pub const fn worth(&self, value: CubeValue) -> HalfPoints {
        HalfPoints(value.get() as i64 * self.units as i64 * 2)
    }

    /// The result; `None` until the bet is settled.
    #[must_use]
    pub fn result(&self) -> Option<SettledBet> {
        match self.standing {
            BetStanding::Settled(settled) => Some(self.won_by(settled)),
            BetStanding::Open | BetStanding::Offered(_) => None,
        }
    }

    /// The result if `winner` wins the game with `win` now. A bet settled before keeps its result. The points
    /// are the cube times the kind of win (G14); under Jacoby gammons count only on a turned cube (C9).
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

/// The result of a bet: who won how much from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SettledBet {
    /// Its number within the game.
    pub bet: u32,
    pub winner: PlayerId,
    pub loser: PlayerId,
    /// What the loser pays the winner, in half points; never negative.
    pub points: HalfPoints,
    pub kind: BetKind,
    pub by: SettledBy,
    /// In a settlement: who counts as the winner for the rotation, if not the player who was paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts_for: Option<PlayerId>,
}

impl SettledBet {
    /// The player who counts as the winner for the rotation.
    #[must_use]
    pub fn counted_winner(&self) -> PlayerId {
        self.counts_for.unwrap_or(self.winner)
    }
}

/// The owner of a cube, as views show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CubeOwner {
    /// Nobody owns it: either side may double.
    Centred,
    /// The box owns it, or the giver of an extra.
    Box,
    /// The member owns it, or the taker of an extra.
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
