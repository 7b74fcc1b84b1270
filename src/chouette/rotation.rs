//! Who sits where next.
//!
//! Decided by the results of *named bets* under the club's retention rule, never by totals: a box can win
//! points on balance and lose the box to the captain, and the other way round.
//!
//! | the rules say | captain | next box | next captain | tail of the line |
//! |---|---|---|---|---|
//! | the box keeps it | lost, or won (`profit`) | box | next in line | ..., captain |
//! | the box loses it | won | that captain | next in line | ..., box |
//! | the box loses it, `last_standing` | the last standing beat the box | the last standing | next in line | ..., old captain, box |
//! | the box loses it otherwise | lost | next in line | the one after | ..., captain, box |
//!
//! Not a setting: if everybody dropped the box stays, and if the box dropped everybody the captain becomes
//! box. With `double_stand_up` the last row holds whenever captain and box have both lost. A partner whose
//! box loses comes right behind the new box, as captain - or goes to the tail, ahead of the old box.
//!
//! The line closes up over players who went during the game; whoever came during it comes behind all of
//! these, or ahead of the tail.

use crate::chouette::bet::{BetKind, SettledBet, SettledBy, Side};
use crate::chouette::rules::{BoxRetention, DoubleStandUp, HouseRules, PartnerAfterLoss};
use crate::values::PlayerId;

/// What of a finished game the rotation goes by.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The box.
    pub box_player: PlayerId,
    /// The captain.
    pub captain: PlayerId,
    /// The box's partners.
    pub partners: &'a [PlayerId],
    /// Everybody else of the line in order, whoever is on a break in his place.
    pub members: &'a [PlayerId],
    /// Those of the line who have gone or are on a break: they cannot take the box by being next in line.
    pub absent: &'a [PlayerId],
    /// Every bet with its result.
    pub bets: &'a [SettledBet],
    /// The side that won the game, or its last bet.
    pub winner: Side,
    /// Whether it was a member's drop that ended the game.
    pub ended_by_drop_of_member: bool,
    /// The last member still in: the acting captain before the act that ended the game.
    pub last_standing: PlayerId,
}

/// Who sits where after a game, before those who came during it are seated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Next {
    /// Box, captain, crew.
    pub front: Vec<PlayerId>,
    /// Behind them: who stood up.
    pub tail: Vec<PlayerId>,
    /// The partners that the box keeps.
    pub partners: Vec<PlayerId>,
    /// How many of the next in line, once everybody is seated, become partners of the new box.
    pub new_partners: usize,
    /// The captain who won the box, if he did.
    pub won_by_captain: Option<PlayerId>,
}

/// What becomes of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seat {
    /// The box keeps it.
    Kept,
    /// This member takes it.
    To(PlayerId),
    /// The next in line takes it: neither box nor captain.
    ToNextInLine,
}

impl Outcome<'_> {
    /// The bets with the box.
    fn with_box(&self) -> impl Iterator<Item = &SettledBet> {
        self.bets.iter().filter(|bet| bet.kind == BetKind::Member)
    }

    /// Whether `member` won the bet against the box.
    fn beat_the_box(&self, member: PlayerId) -> bool {
        self.with_box().any(|bet| bet.counted_winner() == member)
    }

    /// Whether every bet was dropped by the box, or every one by the members.
    fn all_dropped_by_box(&self, by_box: bool) -> bool {
        self.with_box().all(|bet| bet.by == SettledBy::Drop && (bet.loser == self.box_player) == by_box)
    }

    /// What the box won on balance from the members, in half points.
    fn net(&self) -> i64 {
        self.with_box()
            .map(|bet| if bet.winner == self.box_player { bet.points.0 } else { -bet.points.0 })
            .sum()
    }

    /// Los Angeles: what the box has to have done besides not losing on balance.
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
