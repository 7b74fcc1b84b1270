//! The lines of an account as its page shows them, and with which signs.

use super::{Game, link, source_name, what};
use crate::amounts::{alone, amount};
use crate::pages::{ClubInWords, Course, LedgerLine};
use crate::say::{Say, other_side};
use owlbox_base::values::Holder;
use owlbox_books::daybook::MoveKind;
use owlbox_books::ledger::Unit;
use owlbox_desk::books::statements::StatementScreen;
use owlbox_desk::books::treasury::ClubStanding;
use owlbox_locale::{Amount, Locale};

/// An account as its page shows it. The accounts of the club fall as money comes, which is right for accountants and reads
/// upside down: the bank is turned round, the house shows what was earned and what came into the drawer, and on the accounts
/// that only balance others nothing is won or lost.
pub(super) struct Seen<'t> {
    pub(super) t: &'t Locale,
    pub(super) holder: Holder,
    pub(super) unit: Unit,
}

impl Seen<'_> {
    pub(super) fn is_turned(&self) -> bool {
        self.holder == Holder::Bank
    }

    /// An amount of the books with the sign that it has for who reads it.
    pub(super) fn turned(&self, units: i64) -> i64 {
        if self.is_turned() { -units } else { units }
    }

    fn toned(&self, amount: Amount) -> Amount {
        match self.holder {
            Holder::Opening | Holder::Rounding | Holder::Outside => amount.neutral(),
            Holder::Player(_) | Holder::Pool(_) | Holder::House | Holder::Bank => amount,
        }
    }

    pub(super) fn with_unit(&self, units: i64) -> Amount {
        self.toned(amount(self.t, self.unit, self.turned(units)))
    }

    fn alone(&self, units: i64) -> Amount {
        self.toned(alone(self.t, self.unit, self.turned(units)))
    }

    /// The two figures of a line: what moved and the balance after it; of the house what was earned, and what came into the
    /// drawer.
    pub(super) fn figures(&self, game: &Game<'_>) -> [Amount; 2] {
        if self.holder != Holder::House {
            return [self.alone(game.amount()), self.alone(game.balance())];
        }
        let sum = |cash: bool| -> i64 {
            let postings = game.lines.iter().map(|line| &line.line.posting);
            postings.filter(|posting| is_cash(&posting.kind) == cash).map(|posting| posting.amount).sum()
        };
        [sum(false), -sum(true)].map(|units| self.alone(units).unless_zero(units))
    }
}

/// Whether a posting to the house of this kind is money in the drawer.
fn is_cash(kind: &str) -> bool {
    MoveKind::ALL.iter().any(|known| known.is_cash() && known.name() == kind)
}

/// What the club has, in words.
pub(super) fn in_words(t: &Say<'_>, club: &ClubStanding) -> ClubInWords {
    let currency = club.money.currency;
    let text = |sum: i64| t.sum(&currency, &sum);
    ClubInWords {
        drawer: text(club.money.drawer),
        bank: text(club.money.bank),
        owe: text(club.owe),
        owed: text(club.owed),
        earned: t.money(&currency, &club.earned),
    }
}

/// The course of the balance. The house has none that says anything.
pub(super) fn course(seen: &Seen<'_>, games: &[Game<'_>]) -> Option<Course> {
    let oldest = games.last().filter(|_| seen.holder != Holder::House)?;
    let before = oldest.balance() - oldest.amount();
    let after = games.iter().rev().map(Game::balance);
    let balances = std::iter::once(before).chain(after).map(|balance| seen.turned(balance));
    Course::new(&balances.collect::<Vec<_>>())
}

pub(super) fn lines(seen: &Seen<'_>, screen: &StatementScreen, games: &[Game<'_>]) -> Vec<LedgerLine> {
    let (t, StatementScreen { names, sources, .. }) = (seen.t, screen);
    let line = |game: &Game<'_>| {
        let mut with: Vec<String> = Vec::new();
        for line in game.lines.iter().rev() {
            let name = other_side(t, names, line.line.posting.counterparty());
            // In a correction everybody appears twice.
            if !with.contains(&name) {
                with.push(name);
            }
        }
        let newest = &game.newest.line;
        let source = newest.source;
        let of = source_name(t, source, sources.get(&source));
        let [amount, balance] = seen.figures(game);
        LedgerLine {
            at: newest.head.happened_at.into(),
            night: newest.head.night,
            counts_for: Some(newest.posting.booked_on)
                .filter(|day| *day != newest.head.night)
                .map(|day| t.with("line-counts-for", "day", t.day(day))),
            what: what(t, &of, game.newest),
            link: link(source),
            with: t.list(&with.iter().map(String::as_str).collect::<Vec<_>>()),
            amount,
            balance,
        }
    };
    games.iter().map(line).collect()
}
