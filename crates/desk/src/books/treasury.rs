//! What the treasurer's page shows, as one answer: what is due and paid, what is in the drawer, what was
//! recorded and what waits for approval.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike as _, NaiveDate};
use serde::Serialize;
use uuid::Uuid;

use crate::books::daybook::{ClubMoney, ShownEntry, Snapshot, players_of, shown};
use crate::people::players::{ActivePlayer, active_players, called, called_on};
use crate::{Actor, Desk, Refused};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{Currency, Holder, HolderKind, Payment, PlayerId};
use owlbox_books::club::Settings;
use owlbox_books::club::bank::{Iban, transfer_code};
use owlbox_books::club::settings::Currencies;
use owlbox_books::daybook::{Closing, Entry};
use owlbox_books::ledger::settle_up::{Balances, SettlingUp, settle_up};
use owlbox_store::{AnyConnection, books, players};

/// The treasurer's page.
#[derive(Clone, Debug)]
pub struct TreasuryScreen {
    pub today: NaiveDate,
    /// The currencies of the club.
    pub currencies: Currencies,
    pub closing: Closing,
    /// In each currency of the club, with what was earned this year.
    pub money: Vec<ClubStanding>,
    /// In each currency in which players are not even.
    pub due: Vec<DuePart>,
    /// Who of those shown to be paid has an account at a bank.
    pub creditors: BankAccounts,
    /// The newest records, newest first, without those that wait.
    pub recent: Vec<ShownEntry>,
    /// What waits for a second person, oldest first: records, and taking one back.
    pub waiting: Vec<ShownEntry>,
    /// The names of everybody in it.
    pub names: BTreeMap<PlayerId, String>,
    /// The first active players in order of name, for forms.
    pub players: Vec<ActivePlayer>,
}

/// How the club stands in one currency, in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClubStanding {
    pub money: ClubMoney,
    /// What players owe in all, and what they are owed: neither is below zero.
    pub owe: i64,
    pub owed: i64,
    /// What the club earned in a period, less what it spent.
    pub earned: i64,
}

/// Open debts in a currency.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OpenDebtsBody))]
pub struct OpenDebts {
    pub currency: Currency,
    /// Everybody who is not even, by id.
    pub balances: Vec<OpenDebt>,
    /// The fewest payments after which all of them are even. The club has part in them for whatever is left.
    pub payments: Vec<DuePayment>,
    /// Whether it is proven that fewer payments would not do.
    pub fewest: bool,
    /// The names of these players.
    pub names: BTreeMap<PlayerId, String>,
}

/// What a player owes or is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OpenDebtBody))]
pub struct OpenDebt {
    pub player: PlayerId,
    /// In minor units: above zero, what the others owe the player; below, what the player owes.
    pub amount: i64,
}

/// A part of what is due in one currency. The sums are of all of it.
#[derive(Clone, Debug)]
pub struct DuePart {
    pub currency: Currency,
    /// What players owe in all, and what they are owed: neither is below zero.
    pub owe: i64,
    pub owed: i64,
    /// Some of the fewest payments, the largest first.
    pub payments: Vec<DuePayment>,
    pub more_payments: bool,
    /// Those chosen, then some of the others; those who owe most first.
    pub people: Vec<Debtor>,
    pub more_people: bool,
}

/// A player who is not even in a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debtor {
    pub player: PlayerId,
    /// Above zero: what the others owe the player.
    pub balance: i64,
    /// Whether it is asked what is due among this player and others.
    pub chosen: bool,
}

/// What is asked for of what is due.
#[derive(Clone, Debug, Default)]
pub struct DueOptions {
    /// Only what is due among these players, and the club.
    pub among: Option<BTreeSet<PlayerId>>,
    /// Where a list of this currency goes on. All others begin.
    pub behind: Option<(Currency, Behind)>,
}

/// The last that a list had before. If it is there no more, the list begins again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// The payment between these holders, by their ids.
    Payment {
        payer: Uuid,
        payee: Uuid,
    },
    Person(PlayerId),
}

/// A payment between two players, or a player and the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DebtPaymentBody))]
pub struct DuePayment {
    /// A player, or `house` for the club.
    pub payer: Holder,
    pub payee: Holder,
    /// In minor units.
    pub amount: i64,
}

impl DuePayment {
    /// Whether the club pays or is paid.
    #[must_use]
    pub fn is_with_club(&self) -> bool {
        [self.payer, self.payee].contains(&Holder::House)
    }
}

/// How many payments and people are shown at a time.
const LISTED: usize = 25;
/// How many of the newest records are shown.
const RECENT: usize = 8;
/// The most players offered in forms.
const PLAYERS: i64 = 500;

impl Desk {
    /// What the treasurer's page shows.
    ///
    /// # Errors
    /// The caller may not see all ledgers, or the store failed.
    pub async fn treasury(&self, actor: &Actor, asked: DueOptions) -> Result<TreasuryScreen, Refused> {
        self.principal(actor).await?.require(Permission::ViewAnyLedger)?;
        self.books_snapshot(move |connection, Snapshot { settings, daybook, today }| {
            let year = [NaiveDate::from_ymd_opt(today.year(), 1, 1), Some(*today)];
            let money = club_standings(connection, settings.currencies.as_slice(), year)?;
            let (due, mut names) = due_parts(connection, &asked)?;
            let creditors = creditors(connection, settings, due.iter().flat_map(|due| &due.payments))?;
            let settled = |(_, entry): &(u32, &Entry)| entry.status.proposed_by().is_none();
            let recent = daybook.state.newest_first().filter(settled).take(RECENT);
            let recent = shown(connection, recent.collect())?;
            let waiting = shown(connection, daybook.state.waiting().collect())?;
            names.extend(called_on(connection, players_of(&recent).chain(players_of(&waiting)))?);
            Ok(TreasuryScreen {
                today: *today,
                currencies: settings.currencies.clone(),
                closing: daybook.state.closing(),
                names,
                players: active_players(connection, PLAYERS)?,
                money,
                due,
                creditors,
                recent,
                waiting,
            })
        })
        .await
    }
}

/// How the club stands in these currencies, with what it earned in a period.
pub(crate) fn club_standings(
    connection: &mut AnyConnection,
    currencies: &[Currency],
    period: [Option<NaiveDate>; 2],
) -> Result<Vec<ClubStanding>, Refused> {
    let open = books::open_balances(connection)?;
    let is_player = |balance: &&books::BalanceRow| balance.holder_kind == HolderKind::Player;
    let standing = |currency: &Currency| {
        let of_players = open.iter().filter(is_player).filter(|balance| balance.unit == currency.code());
        let amounts: Vec<i64> = of_players.map(|balance| balance.amount).collect();
        let sum = |sign: i64| amounts.iter().map(|amount| (amount * sign).max(0)).sum();
        Ok(ClubStanding {
            money: ClubMoney::read(connection, *currency)?,
            owe: sum(-1),
            owed: sum(1),
            earned: books::earned(connection, *currency, period)?,
        })
    };
    currencies.iter().map(standing).collect()
}

/// Accounts at banks by whose they are: a player's, or the club's.
pub type BankAccounts = BTreeMap<Holder, BankAccount>;

/// An account at a bank that can be paid by a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankAccount {
    /// The name on the transfer.
    pub name: String,
    pub iban: Iban,
}

impl BankAccount {
    /// The text of the QR code with which a banking app fills in the transfer; `None` unless it is of euros.
    #[must_use]
    pub fn transfer_code(&self, currency: Currency, amount: i64, remittance: &str) -> Option<String> {
        if currency == Currency::EURO {
            transfer_code(&self.name, &self.iban, amount, remittance)
        } else {
            None
        }
    }
}

/// What a player owes or is owed in one currency, over all nights, tournaments and records.
#[derive(Clone, Debug)]
pub struct OwnDue {
    pub currency: Currency,
    /// Above zero: what the others owe the player. Never zero.
    pub balance: i64,
    /// Their part in the fewest payments after which everybody is even.
    pub payments: Vec<DuePayment>,
}

/// What a player's own page reminds them of.
#[derive(Clone, Debug)]
pub struct OwnDues {
    /// The player's name, for the remittance.
    pub name: String,
    /// In each currency in which they are not even.
    pub dues: Vec<OwnDue>,
    pub creditors: BankAccounts,
    /// The names of those who pay or are paid.
    pub names: BTreeMap<PlayerId, String>,
}

impl Desk {
    /// What players owe and are owed in each currency, and the fewest payments that settle it: of all, or
    /// among some with the club.
    ///
    /// # Errors
    /// The caller may not see all ledgers, or the store failed.
    pub async fn dues(
        &self,
        actor: &Actor,
        among: Option<BTreeSet<PlayerId>>,
    ) -> Result<Vec<OpenDebts>, Refused> {
        self.principal(actor).await?.require(Permission::ViewAnyLedger)?;
        self.snapshot(move |connection| {
            let mut open = open_dues(connection, among.as_ref())?;
            for OpenDebts { balances, names, .. } in &mut open {
                *names = called_on(connection, balances.iter().map(|debt| debt.player))?;
            }
            Ok(open)
        })
        .await
    }

    /// What a player owes and is owed, and the payments that would settle it together with everybody else's.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see the ledger.
    pub async fn own_dues(&self, actor: &Actor, player: PlayerId) -> Result<OwnDues, Refused> {
        self.require_ledger(actor, Holder::Player(player)).await?;
        self.books_snapshot(move |connection, Snapshot { settings, .. }| {
            own_dues(connection, settings, player)
        })
        .await
    }
}

/// What a player owes and is owed, for who may see it.
pub(crate) fn own_dues(
    connection: &mut AnyConnection,
    settings: &Settings,
    player: PlayerId,
) -> Result<OwnDues, Refused> {
    let row = players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
    let mut dues = Vec::new();
    for due in open_dues(connection, None)? {
        let debt = due.balances.iter().find(|debt| debt.player == player);
        let Some(balance) = debt.map(|debt| debt.amount) else { continue };
        let mut payments = due.payments;
        payments.retain(|payment| [payment.payer, payment.payee].contains(&player.into()));
        dues.push(OwnDue { currency: due.currency, balance, payments });
    }
    let payments = || dues.iter().flat_map(|due| &due.payments);
    let creditors = creditors(connection, settings, payments())?;
    let parties = payments().flat_map(|payment| [payment.payer, payment.payee]);
    let names = called_on(connection, parties.filter_map(Holder::player))?;
    Ok(OwnDues { name: row.name, dues, creditors, names })
}

/// The part that is asked for in each currency, and the names of everybody who is not even.
fn due_parts(
    connection: &mut AnyConnection,
    asked: &DueOptions,
) -> Result<(Vec<DuePart>, BTreeMap<PlayerId, String>), Refused> {
    let open = owing(connection)?;
    let names = called_on(connection, open.values().flat_map(|balances| balances.keys().copied()))?;
    let part = |(currency, all): (Currency, Balances)| {
        let is_chosen = |player: &PlayerId| asked.among.as_ref().is_some_and(|among| among.contains(player));
        let mut counted = all.clone();
        counted.retain(|player, _| asked.among.is_none() || is_chosen(player));
        let behind = asked.behind.filter(|(of, _)| *of == currency).map(|(_, behind)| behind);
        let OpenDebts { balances, payments, .. } = due(currency, counted)?;
        let sum = |sign: i64| balances.iter().map(|debt| (debt.amount * sign).max(0)).sum();
        let last = |payment: &DuePayment| {
            let DuePayment { payer, payee, .. } = payment;
            Some(Behind::Payment { payer: payer.id(), payee: payee.id() }) == behind
        };
        let (payments, more_payments) = page(payments, last);
        let mut people: Vec<Debtor> = all
            .iter()
            .map(|(player, balance)| Debtor { player: *player, balance: *balance, chosen: is_chosen(player) })
            .collect();
        people.sort_by_cached_key(|one| (!one.chosen, one.balance, called(&names, one.player)));
        let others = people.split_off(people.partition_point(|one| one.chosen));
        let (others, more_people) = page(others, |one| Some(Behind::Person(one.player)) == behind);
        people.extend(others);
        Ok(DuePart { currency, owe: sum(-1), owed: sum(1), payments, more_payments, people, more_people })
    };
    let parts: Result<Vec<DuePart>, Refused> = open.into_iter().map(part).collect();
    let mut parts = parts?;
    // Where nobody of those chosen is uneven, nothing is due among them.
    parts.retain(|part| asked.among.is_none() || part.people.iter().any(|one| one.chosen));
    Ok((parts, names))
}

/// A page of a list, behind the `last` of the page before; and whether others follow.
fn page<T>(mut all: Vec<T>, last: impl Fn(&T) -> bool) -> (Vec<T>, bool) {
    let before = all.iter().position(last).map_or(0, |last| last + 1);
    all.drain(..before);
    let more = all.len() > LISTED;
    all.truncate(LISTED);
    (all, more)
}

/// What players owe and are owed in each currency in which they are not even, and the fewest payments that
/// settle it: of all, or among some. The club has part in it for whatever is left.
fn open_dues(
    connection: &mut AnyConnection,
    among: Option<&BTreeSet<PlayerId>>,
) -> Result<Vec<OpenDebts>, Refused> {
    let mut open = owing(connection)?;
    for balances in open.values_mut() {
        balances.retain(|player, _| among.is_none_or(|among| among.contains(player)));
    }
    let open = open.into_iter().filter(|(_, balances)| !balances.is_empty());
    open.map(|(currency, balances)| due(currency, balances)).collect()
}

/// Who is not even, in each currency.
fn owing(connection: &mut AnyConnection) -> Result<BTreeMap<Currency, Balances>, Refused> {
    let mut open: BTreeMap<Currency, Balances> = BTreeMap::new();
    for balance in books::open_balances(connection)? {
        let holder = balance.holder_kind.with_id(balance.holder.0);
        if let (Some(player), Ok(currency)) = (holder.player(), balance.unit.parse()) {
            open.entry(currency).or_default().insert(player, balance.amount);
        }
    }
    Ok(open)
}

/// The fewest payments that settle these balances with the club.
fn due(currency: Currency, balances: Balances) -> Result<OpenDebts, Refused> {
    // Among the players of a settling up the club is one like them.
    let the_club = PlayerId(Holder::HOUSE);
    let party = |player| if player == the_club { Holder::House } else { Holder::Player(player) };
    let mut all = balances.clone();
    let club = balances.values().try_fold(0_i64, |sum, amount| sum.checked_sub(*amount));
    if let Some(club) = club.filter(|club| *club != 0) {
        all.insert(the_club, club);
    }
    let settling = settle_up(&all);
    let SettlingUp { payments, exact } =
        settling.map_err(|error| Refused::rule(Code::Unbalanced, None, error.to_string()))?;
    let payment =
        |Payment { payer, payee, amount }| DuePayment { payer: party(payer), payee: party(payee), amount };
    Ok(OpenDebts {
        currency,
        balances: balances.into_iter().map(|(player, amount)| OpenDebt { player, amount }).collect(),
        payments: payments.into_iter().map(payment).collect(),
        fewest: exact,
        names: BTreeMap::new(),
    })
}

/// Who of those to be paid has an account at a bank.
fn creditors<'p>(
    connection: &mut AnyConnection,
    settings: &Settings,
    payments: impl Iterator<Item = &'p DuePayment>,
) -> Result<BankAccounts, Refused> {
    let mut creditors = BankAccounts::new();
    let payees: BTreeSet<Holder> = payments.map(|payment| payment.payee).collect();
    for payee in payees {
        let creditor = match payee.player() {
            None => settings.iban.clone().map(|iban| BankAccount { name: settings.name.to_string(), iban }),
            Some(player) => {
                let row = players::find(connection, player)?;
                row.and_then(|row| Some(BankAccount { iban: row.iban?.parse().ok()?, name: row.name }))
            }
        };
        creditors.extend(creditor.map(|creditor| (payee, creditor)));
    }
    Ok(creditors)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::Request;
    use crate::books::statements::LedgerRange;
    use crate::fixture::{Db, Fixture};
    use owlbox_books::club::players::PlayerDetails;
    use owlbox_books::daybook::{DaybookCommand, Means};
    use owlbox_books::ledger::Unit;

    const PAYMENTS: u32 = 60;

    /// Each payment brings the drawer one euro, and says in its memo which it is.
    #[rstest]
    #[tokio::test]
    async fn the_treasury_and_a_statement_show_one_moment_while_payments_come_in(
        #[values(Db::Sqlite, Db::Postgres)] db: Db,
    ) {
        let Some((fixture, admin)) = Fixture::open(db).await else { return };
        let desk = &fixture.desk;
        let anna = PlayerDetails::named("Anna".parse().unwrap());
        let anna = desk.add_player(Request::by(admin), anna, false).await.unwrap().0;
        let paying = desk.clone();
        let paying = tokio::spawn(async move {
            for _ in 0..PAYMENTS {
                let order = DaybookCommand::Pay {
                    payer: Holder::Player(anna),
                    payee: Holder::House,
                    currency: Currency::EURO,
                    amount: 100.try_into().unwrap(),
                    means: Means::Cash,
                    on: None,
                    memo: Some("a euro".parse().unwrap()),
                };
                paying.record(Request::by(admin), order).await.unwrap();
            }
        });
        let mut seen = BTreeSet::new();
        while !paying.is_finished() || seen.is_empty() {
            let screen = desk.treasury(&admin, DueOptions::default()).await.unwrap();
            let newest = screen.recent.first().map_or(0, |shown| shown.number);
            assert_eq!(
                screen.money[0].money.drawer,
                i64::from(newest) * 100,
                "the drawer of {newest} records"
            );
            assert_eq!(screen.due.iter().map(|due| due.owed).sum::<i64>(), screen.money[0].owed);
            assert!(screen.due.iter().all(|due| due.people[0].balance == due.owed));
            seen.insert(newest);
            let part = LedgerRange::All { before: None };
            let screen =
                desk.statement_screen(&admin, Holder::Player(anna), None, part.clone(), 5).await.unwrap();
            let euros =
                screen.balances.iter().find(|balance| balance.unit == "EUR").map_or(0, |it| it.amount);
            let due = screen.dues.unwrap().dues.iter().map(|due| due.balance).sum::<i64>();
            assert_eq!(euros, due, "what is due is the balance");
            let unit = Some(Unit::Money(Currency::EURO));
            let screen = desk.statement_screen(&admin, Holder::House, unit, part, 5).await.unwrap();
            assert!(screen.lines.iter().all(|line| line.memo.is_some()), "a line without its record");
            assert!(screen.lines.is_empty() || screen.names[&anna] == "Anna");
        }
        paying.await.unwrap();
        assert!(seen.len() > 5, "read between payments: {seen:?}");
    }
}
