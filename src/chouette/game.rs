//! A game in progress: its bets, and what they come to.

use crate::chouette::bet::{Bet, SettledBet, Side};
use crate::engine::Win;
use crate::values::{HalfPoints, PlayerId};

/// A game in progress. There is at least one bet, and until the game is finished at least one is not
/// settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number in this chouette, from 1.
    pub number: u32,
    /// The box.
    pub box_player: PlayerId,
    /// The captain who began the game, dropped or not.
    pub captain: PlayerId,
    /// The bets, in the order their members sat in line when the game began.
    pub bets: Vec<Bet>,
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

    /// The side `player` still plays on; `None` for one who has dropped or never was in.
    #[must_use]
    pub fn side_of(&self, player: PlayerId) -> Option<Side> {
        self.running().find_map(|bet| bet.side_of(player))
    }

    /// Everybody still in: the box, and the members with a running bet in line order.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerId> {
        std::iter::once(self.box_player).chain(self.running().map(|bet| bet.team_side)).collect()
    }

    /// The first member in line still in: the captain, or who acts for one who dropped. `None` only
    /// when everything is settled.
    #[must_use]
    pub fn acting_captain(&self) -> Option<PlayerId> {
        self.running().map(|bet| bet.team_side).next()
    }

    /// The side whose doubles wait for an answer. Never both: only the side on roll can double (C2).
    #[must_use]
    pub fn offering(&self) -> Option<Side> {
        self.bets.iter().find_map(Bet::offered_by)
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

/// Every bet of `game` with its result if `winner` now wins with `win`: those dropped before as they
/// were, the others at their cube times the kind of win (G14). It changes nothing, so a page can show
/// what everybody gets before it is confirmed.
#[must_use]
pub fn settle(game: &Game, winner: Side, win: Win) -> Vec<SettledBet> {
    game.bets.iter().map(|bet| bet.settled(winner, win)).collect()
}
