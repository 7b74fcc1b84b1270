//! What one person may put into the books alone, where the club has a limit.
//!
//! The limit is about what rests on the word of one person and makes somebody richer or poorer: adjustments,
//! balances and games from before, payments that the person who records them has part in, fees, and taking
//! any of it back. What the same person has put into the books alone on the same day counts with it, or a
//! large amount would go through in small parts. What a second person has approved is taken back by two
//! again.
//!
//! Payments among others, and what the club pays, gets, carries to the bank or counts in its drawer, need no
//! second person: somebody else, a receipt or the drawer bears witness to each.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::record::{Record, Recorded};
use super::state::{Daybook, Entry, Status};
use crate::club::settings::AdjustmentLimit;
use crate::unit::Unit;
use owlbox_base::values::{AccountId, Currency, Holder, PlayerId, Timestamp};

/// Who wants to put something into the books alone, and how far they may.
#[derive(Clone, Copy)]
pub struct Bookkeeper<'a> {
    pub account: AccountId,
    /// The player whose login it is.
    pub player: Option<PlayerId>,
    pub limit: AdjustmentLimit,
    /// The club's day at a moment.
    pub day_of: &'a dyn Fn(Timestamp) -> NaiveDate,
    /// The day of now.
    pub today: NaiveDate,
}

/// What rests on one person's word.
#[derive(Debug, Default)]
struct Alone {
    /// All that was moved, in each currency.
    moved: BTreeMap<Currency, i128>,
    /// The fees of each player. No single one of them may be charged more than the limit; how many are
    /// charged is no matter.
    charged: BTreeMap<(PlayerId, Currency), i128>,
    points: bool,
}

impl Alone {
    fn of(record: &Record, player: Option<PlayerId>) -> Self {
        let mut alone = Self::default();
        alone.add(record, player);
        alone
    }

    /// Adds a record, as far as it rests on the word of the login of `player`.
    fn add(&mut self, record: &Record, player: Option<PlayerId>) {
        match record {
            Record::Adjustment { unit, amount, .. } => self.moves(*unit, *amount),
            Record::OpeningBalances { balances } => {
                balances.iter().for_each(|balance| self.moves(balance.unit, balance.amount));
            }
            Record::PastGames { games } => {
                games
                    .iter()
                    .flat_map(super::PastGame::won)
                    .for_each(|(unit, amount)| self.moves(unit, amount));
            }
            Record::Payment { payer, payee, currency, amount, means: _ } => {
                if player.is_some_and(|player| [*payer, *payee].contains(&Holder::Player(player))) {
                    self.moves(Unit::Money(*currency), *amount);
                }
            }
            Record::Fee { players, currency, amount, fee: _ } => {
                for player in players {
                    *self.charged.entry((*player, *currency)).or_default() += i128::from(*amount);
                }
            }
            Record::Expense { .. }
            | Record::Income { .. }
            | Record::Deposit { .. }
            | Record::Count { .. } => {}
        }
    }

    fn moves(&mut self, unit: Unit, amount: i64) {
        match unit {
            Unit::HalfPoints => self.points = true,
            Unit::Money(currency) => {
                *self.moved.entry(currency).or_default() += i128::from(amount).abs();
            }
        }
    }

    fn is_nothing(&self) -> bool {
        self.moved.is_empty() && self.charged.is_empty() && !self.points
    }

    /// Whether this, on top of what was put into the books `before`, is more than one person may. Points have
    /// no limit that they could stay below.
    fn is_too_much(&self, before: &Self, limit: AdjustmentLimit) -> bool {
        fn above<K: Ord>(these: &BTreeMap<K, i128>, before: &BTreeMap<K, i128>, limit: i128) -> bool {
            these.iter().any(|(key, amount)| amount + before.get(key).copied().unwrap_or(0) > limit)
        }
        let limit = limit.minor_units().into();
        self.points
            || above(&self.moved, &before.moved, limit)
            || above(&self.charged, &before.charged, limit)
    }
}

impl Daybook {
    /// Whether this waits for a second person if somebody wants to record it.
    #[must_use]
    pub fn record_waits(&self, recorded: &Recorded, who: &Bookkeeper<'_>) -> bool {
        self.waits(&Alone::of(&recorded.what, who.player), who)
    }

    /// Whether taking this record back waits for a second person if somebody wants it.
    #[must_use]
    pub fn take_back_waits(&self, entry: u32, who: &Bookkeeper<'_>) -> bool {
        let Some(entry) = self.entry(entry) else { return false };
        if was_approved(entry) {
            return true;
        }
        !is_own_slip(entry, who.account, who.today, who)
            && self.waits(&Alone::of(&entry.recorded.what, who.player), who)
    }

    fn waits(&self, these: &Alone, who: &Bookkeeper<'_>) -> bool {
        !these.is_nothing() && these.is_too_much(&self.alone_today(who), who.limit)
    }

    /// What somebody has put into the books today without a second person, and what of others they have taken
    /// back.
    fn alone_today(&self, who: &Bookkeeper<'_>) -> Alone {
        let mut alone = Alone::default();
        for (version, entry) in self.newest_events() {
            let done = match (entry.alone, entry.taken_back_alone) {
                (Some(by), _) if entry.entered == version => Some((by, entry.at, true)),
                (_, Some((by, at, when))) if when == version => Some((by, at, false)),
                _ => None,
            };
            let Some((by, at, recorded)) = done else { continue };
            let day = (who.day_of)(at);
            if day < who.today {
                break;
            }
            let counts = match recorded {
                true => stands(entry),
                false => !is_own_slip(entry, by, day, who),
            };
            if day == who.today && by == who.account && counts {
                alone.add(&entry.recorded.what, who.player);
            }
        }
        alone
    }
}

/// Whether somebody put it into the books alone on `day`: if they take it back on the same day, they have
/// done nothing.
fn is_own_slip(entry: &Entry, by: AccountId, day: NaiveDate, who: &Bookkeeper<'_>) -> bool {
    entry.alone == Some(by) && (who.day_of)(entry.at) == day
}

/// Whether it is in the books because a second person approved it.
fn was_approved(entry: &Entry) -> bool {
    entry.posted.is_some_and(|posted| posted != entry.entered)
}

/// Whether it is in the books.
const fn stands(entry: &Entry) -> bool {
    match entry.status {
        Status::Posted | Status::TakingBack(_) => true,
        Status::Proposed(_) | Status::Declined | Status::TakenBack => false,
    }
}

/// Whether one person could record this before the second person was asked for more than single adjustments:
/// in format 1.
#[must_use]
pub fn stood_alone_in_format_1(record: &Record, limit: Option<AdjustmentLimit>) -> bool {
    match (record, limit) {
        (Record::Adjustment { unit: Unit::Money(_), amount, .. }, Some(limit)) => {
            *amount <= limit.minor_units()
        }
        (Record::Adjustment { unit: Unit::HalfPoints, .. }, Some(_)) => false,
        _ => true,
    }
}
