//! A game in progress: its bets and their results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bet::{Bet, BetKind, BetStanding, Settled, SettledBet, Side};
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_engine::game::BoardRules;
use owlbox_engine::{CubeValue, Win};

/// A game in progress. It has at least one bet, and until the game is finished at least one is not settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number in this chouette, from 1.
    pub number: u32,
    pub box_player: PlayerId,
    /// The captain for the rotation: the one who was captain at the start, even after dropping. Where a
    /// captain who drops loses the captaincy (Q8), the one who has it now.
    pub captain: PlayerId,
    pub partners: Vec<PlayerId>,
    /// Everybody else in the line, in order. Players on a break are included, in their places.
    pub members: Vec<PlayerId>,
    /// How many players the game began with: box, partners and members.
    pub players: usize,
    /// The members' bets, in line order at the start of the game, then extras and the payments for them.
    pub bets: Vec<Bet>,
    /// The numbers of the bets with the box that were settled last during play; several if they were settled
    /// at once.
    pub settled_last: Vec<u32>,
    /// How many automatic doubles count towards the limit, including those carried over from the game before.
    pub automatics: u8,
    /// How many ties to carry over to the next game.
    pub carried: u8,
    /// Whether anything but opening ties has happened.
    pub begun: bool,
    /// The turn in which somebody doubled, until the roll.
    pub turn: Option<Turn>,
    /// Whether the box has doubled in this game.
    pub box_has_doubled: bool,
    /// Whether the box has answered a member's double in an earlier turn.
    pub box_has_answered: bool,
    /// The hidden answers where all answer at once, until all are in.
    pub answers: BTreeMap<PlayerId, Answer>,
    /// The rule about lone takers in force now, if any.
    pub lone: Option<LoneState>,
    pub proxies: BTreeMap<PlayerId, Proxy>,
    /// Whether the box still has to say if a tie on the board doubles.
    pub tie_waits: bool,
    /// The variant and the rules of the board.
    pub on_board: BoardRules,
    /// Which side began (G3). `None` before the opening roll, and where the engine does not referee.
    pub began: Option<Side>,
    /// `None` if the engine does not referee.
    pub board: Option<Box<owlbox_engine::game::Game>>,
}

/// A turn in which a side doubled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub side: Side,
    /// Whether the box had not doubled before this turn.
    pub first: bool,
    /// The acting captain when the first answer came.
    pub captain: Option<PlayerId>,
    pub doubled: Vec<u32>,
    /// The other side's first answer to each double.
    pub answered: Vec<FirstAnswer>,
}

/// The first answer to a double, as the box restraint and the lone-taker rules need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstAnswer {
    pub bet: u32,
    /// The cube's value before the double.
    pub before: CubeValue,
    /// Whether the cube was centred before the double.
    pub centred: bool,
    pub answer: Answer,
}

/// An answer to a double or a beaver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Accepts the raised stake (C4).
    Take,
    /// Refuses, and loses the stake before the raise (C3).
    Drop,
    /// Redoubles at once and keeps the cube (C7, C8).
    Beaver,
}

/// Who decides a player's cubes in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Proxy {
    /// Another player, named as proxy.
    Player(PlayerId),
    /// The one who acts as captain: the cube does what the captain's own cube does.
    Captain,
}

/// A rule about lone takers that is in force now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoneState {
    /// This player drops too, in the same act (Q9).
    MustDrop(PlayerId),
    /// This player took and must now beaver or drop.
    MustBeaverOrDrop(PlayerId),
    /// Players are being asked for an extra (Q10).
    Extras(Asking),
}

/// Who is asked to give the lone taker an extra.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    pub taker: PlayerId,
    /// Who has not answered yet, in order. The first is asked now.
    pub asked: Vec<PlayerId>,
    /// Who has offered an extra, where the taker answers only once all have been asked.
    pub offered: Vec<PlayerId>,
}

impl Game {
    /// The bets that are not settled yet.
    pub fn running(&self) -> impl Iterator<Item = &Bet> {
        self.bets.iter().filter(|bet| !bet.is_settled())
    }

    /// The running bets of `player`, on either side.
    pub fn running_of(&self, player: PlayerId) -> impl Iterator<Item = &Bet> {
        self.running().filter(move |bet| bet.side_of(player).is_some())
    }

    /// The running bets between the box and members; extras are not among them.
    pub fn running_members(&self) -> impl Iterator<Item = &Bet> {
        self.running().filter(|bet| bet.kind == BetKind::Member)
    }

    /// The bet between the box and `member`, settled or not.
    #[must_use]
    pub fn member_bet(&self, member: PlayerId) -> Option<&Bet> {
        self.bets.iter().find(|bet| bet.kind == BetKind::Member && bet.team_side == member)
    }

    /// The bet with this number, if the game has it.
    #[must_use]
    pub fn bet(&self, id: u32) -> Option<&Bet> {
        self.bets.iter().find(|bet| bet.id == id)
    }

    /// How the last bet with the box to be settled during play ended; `None` while all are running. Of
    /// several settled at once, the captain's decides, because the table names its winner; failing that, the
    /// last in line. Extras do not concern the box.
    #[must_use]
    pub fn last_with_box(&self) -> Option<Settled> {
        let settled = |id: &u32| match self.bet(*id)?.standing {
            BetStanding::Settled(settled) => Some((*id, settled)),
            BetStanding::Open | BetStanding::Offered(_) => None,
        };
        let settled: Vec<(u32, Settled)> = self.settled_last.iter().filter_map(settled).collect();
        let captains = self.member_bet(self.captain).map(|bet| bet.id);
        let the_captains = settled.iter().find(|(id, _)| Some(*id) == captains);
        the_captains.or(settled.last()).map(|(_, settled)| *settled)
    }

    /// The side that `player` is still on. `None` for a player who has dropped or never was in.
    #[must_use]
    pub fn side_of(&self, player: PlayerId) -> Option<Side> {
        self.running().find_map(|bet| bet.side_of(player))
    }

    /// Everybody still in: the box, the members in order, then the givers of extras.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerId> {
        let everybody = std::iter::once(self.box_player)
            .chain(self.members.iter().copied())
            .chain(self.bets.iter().map(|bet| bet.box_side));
        let mut players = Vec::new();
        for player in everybody {
            if self.side_of(player).is_some() && !players.contains(&player) {
                players.push(player);
            }
        }
        players
    }

    /// Everybody with a stake in it, whether still in or not: the box, its partners, the members, then the
    /// givers of extras.
    #[must_use]
    pub fn stakeholders(&self) -> Vec<PlayerId> {
        let sides = self.bets.iter().flat_map(|bet| [bet.team_side, bet.box_side]);
        let everybody = std::iter::once(self.box_player).chain(self.partners.iter().copied()).chain(sides);
        let mut players = Vec::new();
        for player in everybody {
            if !players.contains(&player) {
                players.push(player);
            }
        }
        players
    }

    /// The members still in, in line order.
    #[must_use]
    pub fn team(&self) -> Vec<PlayerId> {
        self.members.iter().copied().filter(|&member| self.side_of(member) == Some(Side::Team)).collect()
    }

    /// Whether doubles or beavers of `side` wait for an answer. Both sides have some out while some members
    /// have beavered and others have not answered yet.
    #[must_use]
    pub fn offers(&self, side: Side) -> bool {
        self.bets.iter().any(|bet| bet.offered_by() == Some(side))
    }

    /// Whether the cube of this bet waits for an answer.
    #[must_use]
    pub fn is_offered(&self, bet: u32) -> bool {
        self.bet(bet).is_some_and(|bet| bet.offered_by().is_some())
    }

    /// A side whose doubles or beavers wait for an answer, if any.
    #[must_use]
    pub fn offering(&self) -> Option<Side> {
        self.bets.iter().find_map(Bet::offered_by)
    }

    /// Whether `player` is the lone taker for whom a rule is in force now.
    #[must_use]
    pub fn is_lone_taker(&self, player: PlayerId) -> bool {
        match &self.lone {
            Some(LoneState::MustDrop(lone) | LoneState::MustBeaverOrDrop(lone)) => *lone == player,
            Some(LoneState::Extras(asking)) => asking.taker == player,
            None => false,
        }
    }

    /// Who decides the cubes of `player`. `acting` is the acting captain.
    #[must_use]
    pub fn decides_for(&self, player: PlayerId, acting: Option<PlayerId>) -> PlayerId {
        match self.proxies.get(&player) {
            None => player,
            Some(Proxy::Player(proxy)) => *proxy,
            Some(Proxy::Captain) => acting.unwrap_or(player),
        }
    }

    /// Whether the cube of `player` follows that of `acting`, the acting captain.
    #[must_use]
    pub fn follows(&self, player: PlayerId, acting: Option<PlayerId>) -> bool {
        acting.is_some_and(|acting| acting != player)
            && self.side_of(player) == Some(Side::Team)
            && self.proxies.get(&player) == Some(&Proxy::Captain)
    }

    /// What `player` has won so far by settled bets of this game.
    #[must_use]
    pub fn score_of(&self, player: PlayerId) -> HalfPoints {
        score_of(player, self.bets.iter().filter_map(Bet::result))
    }
}

/// The balance of `player` over `results`.
pub fn score_of(player: PlayerId, results: impl IntoIterator<Item = SettledBet>) -> HalfPoints {
    results
        .into_iter()
        .map(|result| match player {
            _ if player == result.winner => result.points,
            _ if player == result.loser => -result.points,
            _ => HalfPoints::ZERO,
        })
        .sum()
}

/// Every bet of `game` with its result if `winner` wins with `win` now: bets settled before as they were, the
/// others at their cube times the kind of win (G14, C9). Changes nothing, so that a page can preview the
/// results before they are confirmed. Partners' shares are not among them.
#[must_use]
pub fn settle(game: &Game, winner: Side, win: Win, jacoby: bool) -> Vec<SettledBet> {
    game.bets.iter().map(|bet| bet.settled(winner, win, jacoby)).collect()
}
