//! Who sits where next.
//!
//! Decided by the results of *named bets* under the club's retention rule, never by totals: a box can win
//! points on balance and lose the box to the captain, and the other way round.
//!
//! | retention says | captain | next box | next captain | tail of the line |
//! |---|---|---|---|---|
//! | the box keeps it | lost | box | next in line | ..., captain |
//! | the box loses it | won | that captain | next in line | ..., box |
//! | the box loses it, `last_standing` | the last standing beat the box | the last standing | next in line | ..., old captain, box |
//!
//! Two more rows of the clubs' table (the box keeps it though the captain won; the box loses it though the
//! captain lost, and nobody else won it) need a retention rule that is not played yet. Not a setting:
//! if everybody dropped the box stays, and if the box dropped everybody the captain becomes box.
//!
//! The line closes up over players who dropped and went home during the game; whoever came during it
//! comes behind all of these.

use crate::chouette::bet::{SettledBet, SettledBy};
use crate::chouette::rules::BoxRetention;
use crate::values::PlayerId;

/// What of a finished game the rotation goes by.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The box.
    pub box_player: PlayerId,
    /// The members in line order as the game began; the first is the captain.
    pub members: &'a [PlayerId],
    /// Every bet with its result.
    pub bets: &'a [SettledBet],
    /// The last member still in: the acting captain when the last bet was settled.
    pub last_standing: PlayerId,
}

impl Outcome<'_> {
    /// Whether `member` won a bet against the box.
    fn beat_the_box(&self, member: PlayerId) -> bool {
        self.bets.iter().any(|bet| bet.winner == member && bet.loser == self.box_player)
    }

    /// Whether the box dropped every bet.
    fn box_dropped_all(&self) -> bool {
        self.bets.iter().all(|bet| bet.loser == self.box_player && bet.by == SettledBy::Drop)
    }

    /// The captain who began the game.
    fn captain(&self) -> Option<PlayerId> {
        self.members.first().copied()
    }

    /// The member who takes the box's seat; `None` if the box keeps it.
    fn successor(&self, retention: BoxRetention) -> Option<PlayerId> {
        let decides = match retention {
            BoxRetention::OriginalCaptain => self.captain(),
            BoxRetention::LastStanding if self.box_dropped_all() => self.captain(),
            BoxRetention::LastStanding => Some(self.last_standing),
        };
        decides.filter(|&member| self.beat_the_box(member))
    }
}

/// The new line of those who played: box, captain, crew.
#[must_use]
pub fn next_line(retention: BoxRetention, outcome: &Outcome<'_>) -> Vec<PlayerId> {
    let captain = outcome.captain();
    let successor = outcome.successor(retention);
    let crew = outcome
        .members
        .iter()
        .copied()
        .filter(|&member| Some(member) != captain && Some(member) != successor);
    let (front, tail) = match successor {
        None => (Some(outcome.box_player), [captain, None]),
        Some(_) if successor == captain => (successor, [Some(outcome.box_player), None]),
        Some(_) => (successor, [captain, Some(outcome.box_player)]),
    };
    front.into_iter().chain(crew).chain(tail.into_iter().flatten()).collect()
}
