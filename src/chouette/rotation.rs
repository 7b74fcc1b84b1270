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

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use uuid::Uuid;

    use super::*;
    use crate::chouette::bet::BetKind;
    use crate::values::HalfPoints;

    fn player(letter: char) -> PlayerId {
        PlayerId(Uuid::from_u128(u128::from(u32::from(letter))))
    }

    /// The line after a game of box A against B C D E, whose bets are told as who lost them how: `a`
    /// the box dropped, `A` the box lost the game, `x` the member dropped, `X` the member lost the game.
    fn line_after(retention: BoxRetention, bets: &str, last_standing: char) -> String {
        let members: Vec<PlayerId> = "BCDE".chars().map(player).collect();
        let settled: Vec<SettledBet> = (1..)
            .zip(bets.chars().zip(&members))
            .map(|(bet, (told, &member))| {
                let box_lost = told.eq_ignore_ascii_case(&'a');
                let (winner, loser) = if box_lost { (member, player('A')) } else { (player('A'), member) };
                let by = if told.is_lowercase() { SettledBy::Drop } else { SettledBy::Game };
                SettledBet { bet, winner, loser, points: HalfPoints(2), kind: BetKind::Member, by }
            })
            .collect();
        let outcome = Outcome {
            box_player: player('A'),
            members: &members,
            bets: &settled,
            last_standing: player(last_standing),
        };
        let letter = |player: PlayerId| "ABCDE".chars().find(|&letter| self::player(letter) == player);
        next_line(retention, &outcome).into_iter().filter_map(letter).collect()
    }

    use BoxRetention::{LastStanding, OriginalCaptain};

    #[rstest]
    #[case::box_keeps_it("XXXX", 'B', "ACDEB")]
    #[case::box_keeps_it_though_it_lost_to_the_others("xAAA", 'C', "ACDEB")]
    #[case::captain_won("AAAA", 'B', "BCDEA")]
    #[case::captain_won_though_the_others_lost("aXXX", 'C', "BCDEA")]
    #[case::everybody_dropped("xxxx", 'E', "ACDEB")]
    #[case::box_dropped_all("aaaa", 'E', "BCDEA")]
    fn q12_the_captain_who_began_decides(#[case] bets: &str, #[case] last: char, #[case] line: &str) {
        assert_eq!(line_after(OriginalCaptain, bets, last), line);
    }

    #[rstest]
    #[case::box_keeps_it("XXXX", 'B', "ACDEB")]
    #[case::captain_was_last_and_won("Axxx", 'B', "BCDEA")]
    #[case::last_standing_beat_the_box("xxAx", 'D', "DCEBA")]
    #[case::the_one_behind_the_captain_beat_the_box("xAAA", 'C', "CDEBA")]
    #[case::last_standing_lost_though_the_captain_won("axXx", 'D', "ACDEB")]
    #[case::the_box_dropped_the_last("xxxa", 'E', "ECDBA")]
    #[case::everybody_dropped("xxxx", 'E', "ACDEB")]
    #[case::box_dropped_all("aaaa", 'E', "BCDEA")]
    fn q12_the_last_standing_decides(#[case] bets: &str, #[case] last: char, #[case] line: &str) {
        assert_eq!(line_after(LastStanding, bets, last), line);
    }
}
