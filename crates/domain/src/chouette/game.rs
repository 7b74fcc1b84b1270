//! A game in progress: its bets, and what they come to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::chouette::bet::{Bet, BetKind, BetStanding, Settled, SettledBet, Side};
use crate::values::{HalfPoints, PlayerId};
use owlbox_engine::game::BoardRules;
use owlbox_engine::{CubeValue, Win};

/// A game in progress. There is at least one bet, and until the game is finished at least one is not
/// settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number in this chouette, from 1.
    pub number: u32,
    pub box_player: PlayerId,
    /// The captain, as the rotation will see it: who began the game, dropped or not - or, where who drops
    /// gives the captaincy up (Q8), who has it now.
    pub captain: PlayerId,
    pub partners: Vec<PlayerId>,
    /// Everybody else of the line in order, whoever is on a break in his place.
    pub members: Vec<PlayerId>,
    /// How many played when the game began: box, partners, members.
    pub players: usize,
    /// The bets: the members' in the order in which they sat when the game began, then extras.
    pub bets: Vec<Bet>,
    /// Which bets with the box were settled last, during play: several if that was at once.
    pub settled_last: Vec<u32>,
    /// How many ties the opening roll had, or carried over, that count towards the limit.
    pub automatics: u8,
    /// How many ties are to be carried over to the next game.
    pub carried: u8,
    /// Whether anything but ties has happened.
    pub begun: bool,
    /// The turn in which somebody doubled, until the roll.
    pub turn: Option<Turn>,
    /// Whether the box has doubled in this game.
    pub box_has_doubled: bool,
    /// Whether the box has answered a member's double in an earlier turn.
    pub box_has_answered: bool,
    /// What those who have answered said, while all answer at once and not all have.
    pub answers: BTreeMap<PlayerId, Answer>,
    /// A rule about lone takers that holds now.
    pub lone: Option<LoneState>,
    pub proxies: BTreeMap<PlayerId, Proxy>,
    /// Whether the box has still to say if a tie on the board doubles.
    pub tie_waits: bool,
    /// What is played, and how.
    pub on_board: BoardRules,
    /// Which side began (G3); `None` before the opening roll, and where the engine does not referee.
    pub began: Option<Side>,
    /// The board, if the engine referees.
    pub board: Option<Box<owlbox_engine::game::Game>>,
}

/// A turn in which a side doubled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub side: Side,
    /// Whether the box had not doubled before in this game.
    pub first: bool,
    /// Who acted as captain when it was answered first.
    pub captain: Option<PlayerId>,
    pub doubled: Vec<u32>,
    /// What the other side first answered.
    pub answered: Vec<FirstAnswer>,
}

/// What was answered to a double at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstAnswer {
    pub bet: u32,
    /// The stake before the double.
    pub before: CubeValue,
    /// Whether the cube was in the middle then.
    pub centred: bool,
    pub answer: Answer,
}

/// An answer to a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// C4.
    Take,
    /// C3.
    Drop,
    /// C7, C8.
    Beaver,
}

/// Who decides for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Proxy {
    /// This player.
    Player(PlayerId),
    /// Whoever acts as captain, with the own cube.
    Captain,
}

/// A rule about lone takers that holds now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoneState {
    /// This one drops too, within the act (Q9).
    MustDrop(PlayerId),
    /// This one took and must now beaver, or drop.
    MustBeaverOrDrop(PlayerId),
    /// Some are asked whether they give an extra (Q10).
    Extras(Asking),
}

/// Who is asked whether he gives an extra.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    pub taker: PlayerId,
    /// Who has still to say, in order; the first is asked now.
    pub asked: Vec<PlayerId>,
    /// Who has offered one, where the taker answers when all have been asked.
    pub offered: Vec<PlayerId>,
}

impl Game {
    /// The bets that are not settled.
    pub fn running(&self) -> impl Iterator<Item = &Bet> {
        self.bets.iter().filter(|bet| !bet.is_settled())
    }

    /// The unsettled bets that `player` plays.
    pub fn running_of(&self, player: PlayerId) -> impl Iterator<Item = &Bet> {
        self.running().filter(move |bet| bet.side_of(player).is_some())
    }

    /// The unsettled bets between the box and members.
    pub fn running_members(&self) -> impl Iterator<Item = &Bet> {
        self.running().filter(|bet| bet.kind == BetKind::Member)
    }

    /// The bet between the box and `member`, settled or not.
    #[must_use]
    pub fn member_bet(&self, member: PlayerId) -> Option<&Bet> {
        self.bets.iter().find(|bet| bet.kind == BetKind::Member && bet.team_side == member)
    }

    /// The bet with this number.
    #[must_use]
    pub fn bet(&self, id: u32) -> Option<&Bet> {
        self.bets.iter().find(|bet| bet.id == id)
    }

    /// How the bet with the box that was settled last, during play, ended; `None` while all are on. Of several that
    /// were settled at once it is the captain's, whose winner the table names, or else the last in line. Extras are
    /// nothing to the box.
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

    /// The side `player` still plays on; `None` for one who has dropped or never was in.
    #[must_use]
    pub fn side_of(&self, player: PlayerId) -> Option<Side> {
        self.running().find_map(|bet| bet.side_of(player))
    }

    /// Everybody still in: the box, the members in order, then who gave extras.
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

    /// The members still in, in order.
    #[must_use]
    pub fn team(&self) -> Vec<PlayerId> {
        self.members.iter().copied().filter(|&member| self.side_of(member) == Some(Side::Team)).collect()
    }

    /// Whether doubles, or beavers, of `side` wait for an answer. Where some have beavered and others have
    /// not answered yet, those of both sides do.
    #[must_use]
    pub fn offers(&self, side: Side) -> bool {
        self.bets.iter().any(|bet| bet.offered_by() == Some(side))
    }

    /// Whether the cube of this bet waits for an answer.
    #[must_use]
    pub fn is_offered(&self, bet: u32) -> bool {
        self.bet(bet).is_some_and(|bet| bet.offered_by().is_some())
    }

    /// A side whose doubles, or beavers, wait for an answer.
    #[must_use]
    pub fn offering(&self) -> Option<Side> {
        self.bets.iter().find_map(Bet::offered_by)
    }

    /// Whether `player` is the lone taker about whom a rule holds now.
    #[must_use]
    pub fn is_lone_taker(&self, player: PlayerId) -> bool {
        match &self.lone {
            Some(LoneState::MustDrop(lone) | LoneState::MustBeaverOrDrop(lone)) => *lone == player,
            Some(LoneState::Extras(asking)) => asking.taker == player,
            None => false,
        }
    }

    /// Who decides the cubes of `player`, `acting` being the acting captain.
    #[must_use]
    pub fn decides_for(&self, player: PlayerId, acting: Option<PlayerId>) -> PlayerId {
        match self.proxies.get(&player) {
            None => player,
            Some(Proxy::Player(proxy)) => *proxy,
            Some(Proxy::Captain) => acting.unwrap_or(player),
        }
    }

    /// Whether the cube of `player` does what that of `acting`, the acting captain, does.
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

/// What `player` wins by `results`.
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

/// Every bet of `game` with its result if `winner` now wins with `win`: those settled before as they
/// were, the others at their cube times the kind of win (G14, C9). It changes nothing, so a page can show
/// what everybody gets before it is confirmed. Partners' shares are not among them.
#[must_use]
pub fn settle(game: &Game, winner: Side, win: Win, jacoby: bool) -> Vec<SettledBet> {
    game.bets.iter().map(|bet| bet.settled(winner, win, jacoby)).collect()
}
