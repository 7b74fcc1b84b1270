//! How a ledger is drawn: with which signs, and game by game.

use askama::Template;
use chrono::NaiveDate;

use super::POSTINGS;
use super::links::Here;
use super::words::{link, source_name, what};
use crate::amounts::{alone, amount};
use crate::pages::{BalanceChart, ChipLink, Frame};
use crate::say::Say;
use crate::treasury::{Transfer, transfer};
use owlbox_base::values::{Holder, Timestamp};
use owlbox_books::daybook::MoveKind;
use owlbox_books::ledger::{Source, Unit};
use owlbox_desk::books::statements::{Period, StatementLine, StatementScreen};
use owlbox_desk::books::treasury::{DuePayment, OwnDue, OwnDues};
use owlbox_locale::Amount;

/// A ledger, of a player, of the house or of a tournament's pools: the balance, and how it came about.
///
/// The accounts of the club fall as money comes, which is right for accountants and reads upside down: the
/// bank is turned round, the house shows what was earned and what came into the drawer, and on the accounts
/// that only balance others nothing is won or lost.
#[derive(Template)]
#[template(path = "ledger.html")]
pub(crate) struct LedgerPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub title: String,
    /// Links to the ledgers of the club, for its treasurer.
    pub books: Vec<ChipLink>,
    pub here: Here,
    /// Whether it is the reader's own.
    pub own: bool,
    /// Whether the reader may remind them by mail, and where to is known.
    pub remindable: bool,
    /// Whether it begins with the newest lines.
    pub is_first: bool,
    pub screen: &'a StatementScreen,
    /// What is on this page, newest first.
    pub games: Vec<Game<'a>>,
    /// The last line of it, if older ones follow.
    pub goes_on: Option<&'a StatementLine>,
}

impl LedgerPage<'_> {
    /// The units to switch between. A player always has points, even if none were won yet; other accounts
    /// have the unit that is shown.
    fn units(&self) -> Vec<Unit> {
        let first = if self.here.holder.player().is_some() { Unit::HalfPoints } else { self.here.unit };
        let kept = self.screen.balances.iter().filter_map(|balance| balance.unit.parse::<Unit>().ok());
        std::iter::once(first).chain(kept.filter(|unit| *unit != first)).collect()
    }

    /// The first and the last day of the period, as typed.
    fn days(&self) -> [String; 2] {
        let filter = &self.here.filter;
        [filter.from, filter.until].map(|day| day.map(|day| day.to_string()).unwrap_or_default())
    }

    fn is_turned(&self) -> bool {
        self.here.holder == Holder::Bank
    }

    /// An amount of the books with the sign that it has for who reads it.
    fn turned(&self, units: i64) -> i64 {
        if self.is_turned() { -units } else { units }
    }

    fn toned(&self, amount: Amount) -> Amount {
        match self.here.holder {
            Holder::Opening | Holder::Rounding | Holder::Outside => amount.neutral(),
            Holder::Player(_) | Holder::Pool(_) | Holder::House | Holder::Bank => amount,
        }
    }

    fn with_unit(&self, units: &i64) -> Amount {
        self.toned(amount(&self.t, self.here.unit, self.turned(*units)))
    }

    /// An amount below a heading that names the unit.
    fn alone(&self, units: i64) -> Amount {
        self.toned(alone(&self.t, self.here.unit, self.turned(units)))
    }

    fn balance(&self) -> Amount {
        let unit = self.here.unit.to_string();
        let stands = self.screen.balances.iter().find(|balance| balance.unit == unit);
        self.with_unit(&stands.map_or(0, |balance| balance.amount))
    }

    /// What came and what went in a period.
    fn gained_and_lost(&self, period: &Period) -> [Amount; 2] {
        let sums = [&period.sums.gained, &period.sums.lost].map(|sum| self.with_unit(sum));
        if self.is_turned() {
            let [lost, gained] = sums;
            return [gained, lost];
        }
        sums
    }

    /// What a player owes or is owed, as a sentence.
    fn due(&self, due: &OwnDue) -> String {
        due_in_words(&self.t, due, self.own)
    }

    /// How one of the player's payments is made by bank.
    fn transfer(&self, dues: &OwnDues, due: &OwnDue, payment: &DuePayment) -> Option<Transfer> {
        let creditor = dues.creditors.get(&payment.payee).filter(|_| payment.payer == self.here.holder);
        transfer(&self.t, creditor, due.currency, payment.amount, Some(&dues.name))
    }

    /// The course of the balance, if it has one. The house has none that says anything.
    fn course(&self) -> Option<BalanceChart> {
        let is_shown = self.is_first && self.here.holder != Holder::House;
        is_shown.then(|| course(&self.games, |balance| self.turned(balance))).flatten()
    }

    fn nights(&self) -> Vec<(NaiveDate, &[Game<'_>])> {
        nights(&self.games)
    }

    /// What a game was booked for: `Friday table, game 14`.
    fn what(&self, game: &Game<'_>) -> String {
        let source = game.newest.source;
        what(&self.t, &source_name(&self.t, source, self.screen.sources.get(&source)), game.newest)
    }

    /// Everybody on the other side.
    fn others(&self, game: &Game<'_>) -> String {
        let mut others: Vec<String> = Vec::new();
        for line in game.lines.iter().rev() {
            let name = self.t.other_side(&line.other);
            // In a correction everybody appears twice.
            if !others.contains(&name) {
                others.push(name);
            }
        }
        self.t.list(&others)
    }

    /// Which day it counts for, in words, if that is another than the night.
    fn counts_for(&self, game: &Game<'_>) -> Option<String> {
        let line = game.newest;
        let day = Some(line.booked_on).filter(|day| *day != line.night)?;
        Some(self.t.with("line-counts-for", "day", self.t.day(&day)))
    }

    /// The two figures of a game: what moved and the balance after it; of the house what was earned, and what
    /// came into the drawer.
    fn figures(&self, game: &Game<'_>) -> [Amount; 2] {
        if self.here.holder != Holder::House {
            return [self.alone(game.amount()), self.alone(game.balance())];
        }
        let sum = |cash: bool| -> i64 {
            game.lines.iter().filter(|line| is_cash(&line.bet) == cash).map(|line| line.amount).sum()
        };
        [sum(false), -sum(true)].map(|units| self.alone(units).unless_zero(units))
    }
}

/// What a player owes or is owed, as a sentence to them or about them.
pub(crate) fn due_in_words(t: &Say<'_>, due: &OwnDue, own: bool) -> String {
    let key = match (due.balance < 0, own) {
        (true, true) => "due-you-owe",
        (true, false) => "due-owes",
        (false, true) => "due-you-are-owed",
        (false, false) => "due-is-owed",
    };
    let amount = i64::try_from(due.balance.unsigned_abs()).unwrap_or(i64::MAX);
    t.with(key, "amount", t.sum(&due.currency, &amount))
}

/// The course of the balance over these games, each balance as `turned` has it.
pub(crate) fn course(games: &[Game<'_>], turned: impl Fn(i64) -> i64) -> Option<BalanceChart> {
    let oldest = games.last()?;
    let before = oldest.balance() - oldest.amount();
    let balances = std::iter::once(before).chain(games.iter().rev().map(Game::balance)).map(turned);
    BalanceChart::new(&balances.collect::<Vec<_>>())
}

/// The games of each night, newest first.
pub(crate) fn nights<'g, 'a>(games: &'g [Game<'a>]) -> Vec<(NaiveDate, &'g [Game<'a>])> {
    let night = |game: &Game<'_>| game.newest.night;
    let nights = games.chunk_by(|one, other| night(one) == night(other));
    nights.filter_map(|games| Some((night(games.first()?), games))).collect()
}

/// The tables, tournaments and matches of these games, each once.
pub(crate) fn places(t: &Say<'_>, games: &[Game<'_>], screen: &StatementScreen) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for source in games.iter().rev().map(|game| game.newest.source) {
        let place = source_name(t, source, screen.sources.get(&source));
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Whether a posting to the house of this kind is money in the drawer.
fn is_cash(kind: &str) -> bool {
    MoveKind::ALL.iter().any(|known| known.is_cash() && known.name() == kind)
}

/// The postings of one transaction on the account: a game's bets, or payments. Each transfer of a tournament
/// stands alone. Newest first.
pub(crate) struct Game<'a> {
    newest: &'a StatementLine,
    lines: &'a [StatementLine],
}

impl Game<'_> {
    pub fn at(&self) -> Timestamp {
        self.newest.happened_at
    }

    /// The page about what it came from.
    fn link(&self) -> String {
        link(self.newest.source)
    }

    pub fn amount(&self) -> i64 {
        self.lines.iter().map(|line| line.amount).sum()
    }

    /// The balance after it: in the order on show, or in that of posting where a filter leaves lines out.
    fn balance(&self) -> i64 {
        self.newest.running.unwrap_or(self.newest.balance)
    }
}

/// Groups postings by game. Returns the last line too if older ones follow; a page ends between two games.
pub(crate) fn games(postings: &[StatementLine]) -> (Vec<Game<'_>>, Option<&StatementLine>) {
    let together = |one: &StatementLine, other: &StatementLine| {
        one.transaction == other.transaction && !matches!(one.source, Source::Tournament(_))
    };
    let mut games: Vec<Game<'_>> = postings
        .chunk_by(together)
        .filter_map(|lines| Some(Game { newest: lines.first()?, lines }))
        .collect();
    let full = i64::try_from(postings.len()).is_ok_and(|read| read >= POSTINGS);
    if full && games.len() > 1 {
        games.pop();
    }
    let last = games.last().and_then(|game| game.lines.last());
    (games, last.filter(|_| full))
}
