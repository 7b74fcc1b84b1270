//! What a page writes for its reader: words, names, amounts and sentences.
//!
//! Templates call these methods with the desk's own values, and hand every value over by reference.

use std::collections::BTreeMap;
use std::ops::Deref;

use chrono::NaiveDate;

use super::amounts::{amount, how_much};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{Currency, HalfPoints, Holder, PlayerId, Stake};
use owlbox_books::daybook::{FeeKind, Means, Month, Record, Way};
use owlbox_books::ledger::Unit;
use owlbox_books::ledger::settle_up::SettlingUp;
use owlbox_desk::Rights;
use owlbox_desk::books::daybook::{EntryStatus, ShownEntry};
use owlbox_desk::people::players::called;
use owlbox_locale::{Amount, Locale};
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;

/// The names of everybody on a page.
pub(super) type Names = BTreeMap<PlayerId, String>;

/// Those of a page that names nobody by their id.
pub(super) static NOBODY: Names = Names::new();

/// The most opening balances of one record whose players are named.
const NAMED: usize = 20;

/// A reader's language and rights, with the names of everybody on the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Say<'a> {
    t: Locale,
    rights: Rights,
    names: &'a Names,
}

impl Deref for Say<'_> {
    type Target = Locale;
    fn deref(&self) -> &Locale {
        &self.t
    }
}

impl<'a> Say<'a> {
    pub fn new(t: Locale, rights: Rights, names: &'a Names) -> Self {
        Self { t, rights, names }
    }

    /// The same on a part of the page with names of its own.
    pub fn with_names<'n>(&self, names: &'n Names) -> Say<'n> {
        Say { t: self.t, rights: self.rights, names }
    }

    pub fn name(&self, player: &PlayerId) -> String {
        called(self.names, *player)
    }

    /// The name of an entry; a number tells later entries of the same player apart.
    pub fn entrant(&self, of: &Division, entry: &EntryNo) -> String {
        let Some(found) = of.entry(*entry) else { return String::new() };
        let (name, times) = (self.name(&found.player), of.with_earlier(*entry).count());
        if times == 1 { name } else { self.fill("entry-again", &[("name", &name), ("times", &times)]) }
    }

    /// The other side of a posting: the name of a player, or of an account of the club's.
    pub fn other_side(&self, other: &Holder) -> String {
        match other {
            Holder::Player(player) => self.name(player),
            Holder::Pool(_) => self.get("line-with-pool"),
            Holder::House => self.get("line-with-house"),
            Holder::Bank => self.get("ledger-of-bank"),
            Holder::Opening => self.get("ledger-of-opening"),
            Holder::Rounding => self.get("ledger-of-rounding"),
            Holder::Outside => self.get("ledger-of-outside"),
        }
    }

    pub fn names<'p>(&self, players: impl IntoIterator<Item = &'p PlayerId>) -> Vec<String> {
        players.into_iter().map(|player| self.name(player)).collect()
    }

    /// What a party to a payment is called in a sentence.
    pub fn party(&self, party: &Holder) -> String {
        if *party == Holder::House { self.get("treasury-club-name") } else { self.other_side(party) }
    }

    pub fn unit(&self, unit: &Unit) -> String {
        match unit {
            Unit::HalfPoints => self.get("points-unit"),
            Unit::Money(currency) => currency.to_string(),
        }
    }

    pub fn day(&self, day: &NaiveDate) -> String {
        self.t.day(*day)
    }

    pub fn month(&self, month: &Month) -> String {
        self.t.month_of(month.first_day())
    }

    /// A balance or an amount with its sign, in whichever unit.
    pub fn amount(&self, unit: &Unit, units: &i64) -> Amount {
        amount(&self.t, *unit, *units)
    }

    /// The link to the sheet on which a night is settled up in a unit.
    pub fn sheet_of_night(&self, unit: &Unit) -> String {
        let label = self.get("settle-night-link");
        match unit {
            Unit::HalfPoints => label,
            Unit::Money(currency) => format!("{label}, {currency}"),
        }
    }

    /// How many payments settle everything. The sentence claims the minimum only if it is proved.
    pub fn payments_needed(&self, settling: &SettlingUp) -> String {
        let key = if settling.exact { "payments-exact" } else { "payments-many" };
        self.count(key, &settling.payments.len())
    }

    /// An amount of money with its sign.
    pub fn money(&self, currency: &Currency, sum: &i64) -> Amount {
        amount(&self.t, Unit::Money(*currency), *sum)
    }

    /// A sum that is rarely below zero: without a sign unless it is.
    pub fn sum(&self, currency: &Currency, sum: &i64) -> String {
        if *sum < 0 {
            self.money(currency, sum).text
        } else {
            how_much(&self.t, Unit::Money(*currency), *sum)
        }
    }

    /// A sum as it is typed.
    pub fn typed(&self, currency: &Currency, sum: &i64) -> String {
        self.t.typed(sum.unsigned_abs(), *currency)
    }

    /// The reader as a player.
    pub fn player(&self) -> Option<PlayerId> {
        self.rights.principal.and_then(|principal| principal.player)
    }

    /// Whether the reader has the permission.
    pub fn may(&self, permission: Permission) -> bool {
        self.rights.may(permission)
    }

    /// Whether the reader may see what a player won and lost.
    fn sees_ledger_of(&self, player: &PlayerId) -> bool {
        self.player() == Some(*player) || self.rights.may(Permission::ViewAnyLedger)
    }

    /// The page of a player: the statistics, for who may see them.
    pub fn player_page(&self, player: &PlayerId) -> String {
        let below = if self.sees_ledger_of(player) { "/statistics" } else { "" };
        format!("/players/{player}{below}")
    }

    /// Points won or lost.
    pub fn points(&self, half_points: &i64) -> Amount {
        self.t.points(HalfPoints(*half_points))
    }

    /// Points that changed hands.
    pub fn how_many(&self, half_points: &i64) -> String {
        self.t.how_many(HalfPoints(*half_points))
    }

    /// What points are worth, below a heading that names the currency. `None` if they split its smallest
    /// unit.
    pub fn worth(&self, stake: &Stake, points: &HalfPoints) -> Option<Amount> {
        Some(self.t.money_alone(stake.worth(*points)?, stake.currency))
    }

    pub fn changes_settings(&self) -> bool {
        self.rights.may(Permission::ChangeSettings)
    }

    pub fn keeps_books(&self) -> bool {
        self.rights.may(Permission::KeepBooks)
    }

    pub fn reopens_books(&self) -> bool {
        self.rights.may(Permission::ReopenBooks)
    }

    /// Whether the reader is the second person that a record waits for.
    pub fn may_approve(&self, entry: &ShownEntry) -> bool {
        let own = self.rights.principal.map(|principal| principal.account);
        self.keeps_books() && entry.proposed_by.is_some_and(|by| own != Some(by))
    }

    pub fn may_decline(&self, entry: &ShownEntry) -> bool {
        self.keeps_books() && entry.proposes.is_some()
    }

    pub fn may_take_back(&self, entry: &ShownEntry) -> bool {
        self.keeps_books() && entry.status == EntryStatus::Posted
    }

    /// Who pays whom, as a sentence.
    pub fn payment(&self, payer: &Holder, payee: &Holder) -> String {
        sentence(&self.pays(payer, payee))
    }

    fn pays(&self, payer: &Holder, payee: &Holder) -> String {
        self.fill("treasury-pays", &[("payer", &self.party(payer)), ("payee", &self.party(payee))])
    }

    /// What was recorded, as a sentence.
    pub fn record(&self, record: &Record) -> String {
        let with_means = |text: String, means: Means| match means {
            Means::Cash => text,
            Means::Bank => self.with("daybook-by-bank", "what", text),
        };
        sentence(&match record {
            Record::Payment { payer, payee, means, .. } => with_means(self.pays(payer, payee), *means),
            Record::Fee { players, fee, .. } => {
                format!("{}: {}", self.list(&self.names(players)), self.get(fee_key(*fee)))
            }
            Record::OpeningBalances { balances } if balances.len() > NAMED => {
                self.count("daybook-standings", &balances.len())
            }
            Record::OpeningBalances { balances } => {
                let mut who: Vec<String> = Vec::new();
                for one in balances.iter().map(|balance| self.party(&balance.holder)) {
                    // Once, in however many units.
                    if !who.contains(&one) {
                        who.push(one);
                    }
                }
                format!("{}: {}", self.list(&who), self.get("line-opening"))
            }
            Record::PastGames { games } => self.count("daybook-past-games", &games.len()),
            Record::Adjustment { from, to, .. } => {
                self.fill("daybook-adjusted", &[("from", &self.party(from)), ("to", &self.party(to))])
            }
            Record::Expense { means, .. } => with_means(self.get("line-expense"), *means),
            Record::Income { means, .. } => with_means(self.get("line-income"), *means),
            Record::Deposit { way: Way::ToBank, .. } => self.get("treasury-to-bank"),
            Record::Deposit { way: Way::FromBank, .. } => self.get("treasury-from-bank"),
            Record::Count { currency, counted, expected } => {
                let (counted, expected) = (self.sum(currency, counted), self.sum(currency, expected));
                self.fill("daybook-counted", &[("counted", &counted), ("expected", &expected)])
            }
        })
    }

    /// What a record moves; empty if it is several sums.
    pub fn record_sum(&self, record: &Record) -> String {
        match record {
            Record::Payment { currency, amount, .. }
            | Record::Expense { currency, amount, .. }
            | Record::Income { currency, amount, .. }
            | Record::Deposit { currency, amount, .. } => self.sum(currency, amount),
            Record::Fee { players, currency, amount, .. } => match players.len() {
                1 => self.sum(currency, amount),
                many => format!("{many} × {}", self.sum(currency, amount)),
            },
            Record::OpeningBalances { balances } => match balances.as_slice() {
                [only] => amount(&self.t, only.unit, only.amount).text,
                _ => String::new(),
            },
            Record::PastGames { .. } => String::new(),
            Record::Adjustment { unit, amount, .. } => how_much(&self.t, *unit, *amount),
            Record::Count { currency, counted, expected } => self.money(currency, &(counted - expected)).text,
        }
    }
}

const fn fee_key(fee: FeeKind) -> &'static str {
    match fee {
        FeeKind::Membership => "line-membership",
        FeeKind::TableMoney => "line-table-money",
        FeeKind::Other => "line-other-fee",
    }
}

/// A text as a sentence begins.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
