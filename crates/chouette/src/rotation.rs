//! Rotation: who sits where after a game.
//!
//! The club's retention rule decides by the results of *named bets*, and only by the box's net where the rule
//! says so: a box can win points on balance and lose the box to the captain, and the other way round.
//!
//! | the rules say | captain | next box | next captain | tail of the line |
//! |---|---|---|---|---|
//! | the box keeps it | lost, or won (`profit`) | box | next in line | ..., captain |
//! | the box loses it | won | that captain | next in line | ..., box |
//! | the box loses it, `last_standing` | the last standing beat the box | the last standing | next in line | ..., old captain, box |
//! | the box loses it otherwise | lost | next in line | the one after | ..., captain, box |
//!
//! Extras are between members and decide nothing here: neither their results, nor that they are played on
//! when the box is out.
//!
//! Not a setting: if everybody dropped, the box stays; if the box dropped everybody, the captain becomes box.
//! With `double_stand_up` the last row holds whenever captain and box have both lost. Partners of a box that
//! loses come right behind the new box, the first of them as captain, or go to the tail ahead of the old box.
//!
//! The line closes up over players who left during the game. Players who came during it sit behind all of
//! these, or ahead of the tail.

use crate::bet::{BetKind, SettledBet, SettledBy, Side};
use crate::rules::{BoxRetention, DoubleStandUp, HouseRules, PartnerAfterLoss};
use owlbox_base::values::PlayerId;

/// What the rotation needs to know about a finished game.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    pub box_player: PlayerId,
    pub captain: PlayerId,
    pub partners: &'a [PlayerId],
    /// Everybody else in the line, in order. Players on a break are included, in their places.
    pub members: &'a [PlayerId],
    /// Players of the line who have left or are on a break. They cannot take the box as next in line.
    pub absent: &'a [PlayerId],
    /// Every bet with its result.
    pub bets: &'a [SettledBet],
    /// The side that won between box and members: the game, or the last of their bets if all were settled
    /// before.
    pub winner: Side,
    /// Whether a member's drop ended the last of those bets.
    pub ended_by_drop_of_member: bool,
    /// The last member still in: the acting captain before the act that ended the game.
    pub last_standing: PlayerId,
}

/// Who sits where after a game, before players who came during it are seated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Next {
    pub front: Vec<PlayerId>,
    /// Who stood up. They sit behind `front`.
    pub tail: Vec<PlayerId>,
    /// The partners that the box keeps.
    pub partners: Vec<PlayerId>,
    /// How many of the next in line become partners of the new box, once everybody is seated.
    pub new_partners: usize,
    /// The captain, if they won the box; `None` if they have it only for want of a next in line.
    pub won_by_captain: Option<PlayerId>,
}

/// What becomes of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seat {
    Kept,
    To(PlayerId),
    /// To the next in line, who is neither box nor captain.
    ToNextInLine,
}

impl Outcome<'_> {
    /// The results between the box and members.
    fn with_box(&self) -> impl Iterator<Item = &SettledBet> {
        self.bets.iter().filter(|bet| bet.kind == BetKind::Member)
    }

    /// Whether `member` counts as the winner against the box.
    fn beat_the_box(&self, member: PlayerId) -> bool {
        self.with_box().any(|bet| bet.counted_winner() == member)
    }

    /// Whether every bet was dropped: by the box if `by_box`, otherwise by the members.
    fn all_dropped_by_box(&self, by_box: bool) -> bool {
        self.with_box().all(|bet| bet.by == SettledBy::Drop && (bet.loser == self.box_player) == by_box)
    }

    /// The box's net from the members, in half points.
    fn net(&self) -> i64 {
        self.with_box()
            .map(|bet| if bet.winner == self.box_player { bet.points.0 } else { -bet.points.0 })
            .sum()
    }

    /// Los Angeles: what the box must have done, besides having a net that is not a loss.
    fn box_earned_it(&self) -> bool {
        let won = |bet: &SettledBet| bet.winner == self.box_player;
        self.ended_by_drop_of_member
            || self.with_box().any(|bet| match bet.by {
                SettledBy::Game => won(bet),
                SettledBy::Settlement => won(bet) && bet.points.0 > 0,
                SettledBy::Drop => false,
            })
    }

    fn seat(&self, rules: &HouseRules) -> Seat {
        let captain_won = self.beat_the_box(self.captain);
        if self.all_dropped_by_box(false) {
            return Seat::Kept;
        }
        if self.all_dropped_by_box(true) {
            return Seat::To(self.captain);
        }
        if rules.double_stand_up == DoubleStandUp::On && !captain_won && self.winner == Side::Team {
            return Seat::ToNextInLine;
        }
        let kept = match rules.box_retention {
            BoxRetention::OriginalCaptain => !captain_won,
            BoxRetention::LastStanding if self.beat_the_box(self.last_standing) => {
                return Seat::To(self.last_standing);
            }
            BoxRetention::LastStanding => true,
            BoxRetention::BeatEveryone => self.with_box().all(|bet| bet.counted_winner() == self.box_player),
            BoxRetention::Profit => self.net() > 0,
            BoxRetention::ProfitOrEven => self.net() >= 0,
            BoxRetention::Composite => self.net() >= 0 && self.box_earned_it(),
        };
        match (kept, captain_won) {
            (true, _) => Seat::Kept,
            (false, true) => Seat::To(self.captain),
            (false, false) => Seat::ToNextInLine,
        }
    }

    /// The first in line who is there and is not the captain.
    fn next_in_line(&self) -> Option<PlayerId> {
        let next = |member: &&PlayerId| **member != self.captain && !self.absent.contains(member);
        self.members.iter().find(next).copied()
    }

    /// The members in order without `taken`.
    fn crew(&self, taken: &[PlayerId]) -> Vec<PlayerId> {
        self.members.iter().copied().filter(|member| !taken.contains(member)).collect()
    }
}

/// Who sits where next: box, captain, crew.
#[must_use]
pub fn next(rules: &HouseRules, outcome: &Outcome<'_>) -> Next {
    let (captain, old_box) = (outcome.captain, outcome.box_player);
    let (new_box, tail) = match outcome.seat(rules) {
        Seat::Kept => {
            let front = [vec![old_box], outcome.crew(&[captain])].concat();
            return Next {
                front,
                tail: vec![captain],
                partners: outcome.partners.to_vec(),
                new_partners: 0,
                won_by_captain: None,
            };
        }
        Seat::To(member) if member == captain => (member, vec![old_box]),
        Seat::To(member) => (member, vec![captain, old_box]),
        Seat::ToNextInLine => match outcome.next_in_line() {
            Some(next) => (next, vec![captain, old_box]),
            None => (captain, vec![old_box]),
        },
    };
    let crew = outcome.crew(&[captain, new_box]);
    let won_by_captain = (new_box == captain && outcome.beat_the_box(captain)).then_some(captain);
    match rules.partner.after_loss {
        PartnerAfterLoss::Captain => {
            let front = [vec![new_box], outcome.partners.to_vec(), crew].concat();
            Next { front, tail, partners: Vec::new(), new_partners: 0, won_by_captain }
        }
        PartnerAfterLoss::NextInLine => {
            let mut tail = tail;
            let last = tail.len().saturating_sub(1);
            tail.splice(last..last, outcome.partners.iter().copied());
            let front = std::iter::once(new_box).chain(crew).collect();
            let new_partners = outcome.partners.len();
            Next { front, tail, partners: Vec::new(), new_partners, won_by_captain }
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use owlbox_base::values::HalfPoints;

    fn player(letter: char) -> PlayerId {
        PlayerId(Uuid::from_u128(u128::from(u32::from(letter))))
    }
    fn players(letters: &str) -> Vec<PlayerId> {
        letters.chars().map(player).collect()
    }
    fn letters(players: &[PlayerId]) -> String {
        let letter = |found: &PlayerId| ('A'..='Z').find(|&letter| player(letter) == *found);
        players.iter().filter_map(letter).collect()
    }

    /// A game of box A against B C D E. A bet is written as who lost it and how: `a` the box dropped, `A` the
    /// box lost the game, `x` the member dropped, `X` the member lost the game. A digit is for half points.
    fn bets(told: &str) -> Vec<SettledBet> {
        let told: Vec<&str> = told.split_whitespace().collect();
        let settled = |(number, (told, member)): (u32, (&&str, char))| {
            let (how, points) = told.split_at(1);
            let box_lost = how.eq_ignore_ascii_case("a");
            let (winner, loser) =
                if box_lost { (player(member), player('A')) } else { (player('A'), player(member)) };
            let by = if how == how.to_lowercase() { SettledBy::Drop } else { SettledBy::Game };
            let points = HalfPoints(points.parse().unwrap_or(2));
            SettledBet { bet: number, winner, loser, points, kind: BetKind::Member, by, counts_for: None }
        };
        (1..).zip(told.iter().zip("BCDE".chars())).map(settled).collect()
    }

    /// Who sits where next, as in `ACDE B +P`: the front, the tail, partners behind a plus.
    fn after(rules: Value, told: &str, last_standing: char, partners: &str) -> String {
        let rules: HouseRules = serde_json::from_value(rules).unwrap();
        let bets = bets(told);
        let by_game = bets.iter().find(|bet| bet.by == SettledBy::Game);
        let lost_by_box = by_game.or(bets.last()).is_some_and(|bet| bet.loser == player('A'));
        let partners = players(partners);
        let next = next(
            &rules,
            &Outcome {
                box_player: player('A'),
                captain: player('B'),
                partners: &partners,
                members: &players("BCDE"),
                absent: &[],
                bets: &bets,
                winner: if lost_by_box { Side::Team } else { Side::Box },
                ended_by_drop_of_member: by_game.is_none() && !lost_by_box,
                last_standing: player(last_standing),
            },
        );
        let told = format!("{} {}", letters(&next.front), letters(&next.tail));
        match (next.partners.as_slice(), next.new_partners) {
            ([], 0) => told,
            ([], many) => format!("{told} +{many} of the next"),
            (kept, _) => format!("{told} +{}", letters(kept)),
        }
    }

    fn retention(option: &str) -> Value {
        json!({"box_retention": option})
    }

    #[rstest]
    #[case::box_keeps_it("X X X X", 'B', "ACDE B")]
    #[case::box_keeps_it_though_it_lost_to_the_others("x A A A", 'C', "ACDE B")]
    #[case::captain_won("A A A A", 'B', "BCDE A")]
    #[case::captain_won_though_the_others_lost("a X X X", 'C', "BCDE A")]
    #[case::everybody_dropped("x x x x", 'E', "ACDE B")]
    #[case::box_dropped_all("a a a a", 'E', "BCDE A")]
    fn q12_the_captain_who_began_decides(#[case] bets: &str, #[case] last: char, #[case] line: &str) {
        assert_eq!(after(retention("original_captain"), bets, last, ""), line);
    }

    #[rstest]
    #[case::box_keeps_it("X X X X", 'B', "ACDE B")]
    #[case::captain_was_last_and_won("A x x x", 'B', "BCDE A")]
    #[case::last_standing_beat_the_box("x x A x", 'D', "DCE BA")]
    #[case::the_one_behind_the_captain_beat_the_box("x A A A", 'C', "CDE BA")]
    #[case::last_standing_lost_though_the_captain_won("a x X x", 'D', "ACDE B")]
    #[case::the_box_dropped_the_last("x x x a", 'E', "ECD BA")]
    #[case::everybody_dropped("x x x x", 'E', "ACDE B")]
    #[case::box_dropped_all("a a a a", 'E', "BCDE A")]
    fn q12_the_last_standing_decides(#[case] bets: &str, #[case] last: char, #[case] line: &str) {
        assert_eq!(after(retention("last_standing"), bets, last, ""), line);
    }

    /// Proves Q12.
    #[rstest]
    #[case::it_did("X x X X", "ACDE B")]
    #[case::it_lost_to_one_who_is_not_captain("X X X a", "CDE BA")]
    #[case::it_lost_to_the_captain("a X X X", "BCDE A")]
    fn the_box_stays_if_it_beat_everyone(#[case] bets: &str, #[case] line: &str) {
        assert_eq!(after(retention("beat_everyone"), bets, 'C', ""), line);
    }

    /// Proves Q12.
    #[rstest]
    #[case::profit_though_the_captain_won("profit", "a X X X", "ACDE B")]
    #[case::even_is_no_profit("profit", "a a X X", "BCDE A")]
    #[case::loss_though_the_captain_lost("profit", "x A A A", "CDE BA")]
    #[case::even_is_enough("profit_or_even", "a a X X", "ACDE B")]
    #[case::half_a_point_lost_is_not("profit_or_even", "a a X X1", "BCDE A")]
    #[case::everybody_dropped("profit", "x x x x", "ACDE B")]
    #[case::box_dropped_all("profit", "a a a a", "BCDE A")]
    fn the_box_stays_by_what_it_won(#[case] option: &str, #[case] bets: &str, #[case] line: &str) {
        assert_eq!(after(retention(option), bets, 'C', ""), line);
    }

    /// Proves Q12.
    #[rstest]
    #[case::won_by_play_and_even("a a X X", "ACDE B")]
    #[case::the_last_in_dropped("a a x x", "ACDE B")]
    #[case::won_by_play_and_lost_more("a4 a X X", "BCDE A")]
    #[case::captain_lost_and_the_box_lost_more("x A A A", "CDE BA")]
    #[case::won_only_by_drops_and_dropped_itself_last("x x4 a a", "CDE BA")]
    fn los_angeles_keeps_a_box_that_earned_it(#[case] bets: &str, #[case] line: &str) {
        assert_eq!(after(retention("composite"), bets, 'C', ""), line);
    }

    /// Proves Q12.
    #[rstest]
    #[case::both_lost("x A A A", "CDE BA")]
    #[case::the_captain_won("A A A A", "BCDE A")]
    #[case::the_box_won("x X X X", "ACDE B")]
    #[case::everybody_dropped("x x x x", "ACDE B")]
    fn captain_and_box_both_stand_up_if_both_have_lost(#[case] bets: &str, #[case] line: &str) {
        assert_eq!(after(json!({"double_stand_up": "on"}), bets, 'C', ""), line);
    }

    #[rstest]
    #[case::kept("captain", "X X X X", "ACDE B +PQ")]
    #[case::kept_by_the_other_rule("next_in_line", "X X X X", "ACDE B +PQ")]
    #[case::lost("captain", "A A A A", "BPQCDE A")]
    #[case::lost_by_the_other_rule("next_in_line", "A A A A", "BCDE PQA +2 of the next")]
    fn q13_partners_come_behind_the_new_box_or_go_to_the_end(
        #[case] after_loss: &str,
        #[case] bets: &str,
        #[case] line: &str,
    ) {
        assert_eq!(after(json!({"partner": {"after_loss": after_loss}}), bets, 'B', "PQ"), line);
    }
}
