//! The daybook at the desk: what the treasurer records, the second person's approval, and the closing of
//! months.
//! [`import`]: standings and past games from a table.

pub mod import;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::books::posting::NewTransaction;
use crate::club::stream::{CLUB, require_currency};
use crate::commands::metrics::COMMANDS;
use crate::commands::pipeline::outcome;
use crate::people::players::called_on;
use crate::{Actor, Desk, Done, Principal, Receipt, Refused, Request, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{BrokenHistory, Stream, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, Currency, Holder, PlayerId, Timestamp, is_in_calendar};
use owlbox_books::club::{Club, Settings};
use owlbox_books::daybook::{
    Authority, Bookkeeper, Command, CommandKind, Daybook, DaybookCommand, Entry, Event, Memo, Month, Record,
    Recorded, Stands, Status,
};
use owlbox_books::ledger::{self, Source};
use owlbox_store::statements::Balances;
use owlbox_store::types::Hash;
use owlbox_store::{AnyConnection, StoreError, books, journal, statements};

/// The most events the daybook takes.
const MOST_EVENTS: Version = 1_000_000;

/// Where a record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = StatusBody))]
#[serde(rename_all = "snake_case")]
pub enum EntryStatus {
    /// It is in the books.
    Posted,
    /// It waits for a second person's approval; `proposes` says whether to be in the books, or to be taken
    /// out of them.
    Proposed,
    /// It was declined, and never in the books.
    Declined,
    /// It was taken back: its reversal is in the books.
    TakenBack,
}

/// What waits for a second person's approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ProposalBody))]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// The record: it is not in the books yet.
    Record,
    /// To take the record back: it is in the books until then.
    TakeBack,
}

impl EntryStatus {
    /// Where a record stands, and what of it waits for a second person.
    const fn of(status: Status) -> (Self, Option<Proposal>) {
        match status {
            Status::Posted => (Self::Posted, None),
            Status::Proposed(_) => (Self::Proposed, Some(Proposal::Record)),
            Status::TakingBack(_) => (Self::Proposed, Some(Proposal::TakeBack)),
            Status::Declined => (Self::Declined, None),
            Status::TakenBack => (Self::TakenBack, None),
        }
    }

    /// Whether the record is in the books no more, or never was.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Declined | Self::TakenBack)
    }
}

/// What came of a command to the daybook.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NotedBody))]
pub struct Noted {
    /// The version of the daybook after it.
    pub version: Version,
    /// The record it was about; null if it was about a month.
    pub entry: Option<ShownEntry>,
    /// Up to which month the books are closed; null if none is.
    pub closed: Option<Month>,
}

/// A record of the daybook.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DaybookEntryBody))]
pub struct ShownEntry {
    /// Its number, from 1.
    #[serde(rename = "entry")]
    pub number: u32,
    /// The day it belongs to.
    pub on: NaiveDate,
    pub memo: Option<Memo>,
    /// What was recorded.
    pub what: Record,
    pub status: EntryStatus,
    /// What waits for a second person; null if nothing does.
    pub proposes: Option<Proposal>,
    /// Who proposed that.
    #[serde(skip)]
    pub proposed_by: Option<AccountId>,
    /// Why it was declined or taken back, or is to be taken back; null if it is not.
    pub reason: Option<Memo>,
    /// When it was entered.
    pub at: Timestamp,
    /// The login that entered it.
    pub by: AccountId,
}

/// A page of the daybook.
#[derive(Clone, Debug)]
pub struct DaybookPage {
    pub version: Version,
    /// Newest first.
    pub entries: Vec<ShownEntry>,
    /// The names of everybody in them.
    pub names: BTreeMap<PlayerId, String>,
}

/// What the books are read with, as it stands in the same snapshot as they do.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub settings: Settings,
    pub daybook: Arc<Stream<Daybook>>,
    /// The club's day.
    pub today: NaiveDate,
}

/// What the club has by its books in one currency, in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ClubMoneyBody))]
pub struct ClubMoney {
    /// The code of the currency.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "EUR"))]
    pub currency: Currency,
    /// What should be in the drawer. `count` records what is.
    pub drawer: i64,
    /// What should be at the bank.
    pub bank: i64,
}

impl Desk {
    /// The daybook; empty before anything was recorded.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn daybook(&self) -> Result<Arc<Stream<Daybook>>, Refused> {
        match self.stream::<Daybook>(Source::DAYBOOK).await {
            Err(Refused::NotFound(_)) => Ok(Arc::default()),
            answer => answer,
        }
    }

    /// Runs `query` on one snapshot of the database, with the club's settings and the daybook as they stand
    /// in it.
    ///
    /// # Errors
    /// The error of `query`, or the store failed.
    pub(crate) async fn books_snapshot<T, F>(&self, query: F) -> Result<T, Refused>
    where
        F: FnOnce(&mut AnyConnection, &Snapshot) -> Result<T, Refused> + Send + 'static,
        T: Send + 'static,
    {
        // What is in memory now is most likely what the snapshot has.
        self.club().await?;
        self.daybook().await?;
        let desk = self.clone();
        self.snapshot(move |connection| {
            let settings = match desk.load_in_snapshot::<Club>(connection, CLUB) {
                Ok(club) => club.state.settings().cloned().unwrap_or_default(),
                Err(Refused::NotFound(_)) => Settings::default(),
                Err(other) => return Err(other),
            };
            let daybook = match desk.load_in_snapshot::<Daybook>(connection, Source::DAYBOOK) {
                Err(Refused::NotFound(_)) => Arc::default(),
                answer => answer?,
            };
            let today = settings.night_of(desk.now());
            query(connection, &Snapshot { settings, daybook, today })
        })
        .await
    }

    /// Carries out an order to the daybook.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn record(&self, request: Request, order: DaybookCommand) -> Result<Noted, Refused> {
        let (expected, kind) = (request.expected, CommandKind::from(&order));
        let stood = self.stood(&request.actor, &order).await?;
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(kind.needs())?;
                let before = unit.daybook()?;
                UnitOfWork::expect(&before, expected)?;
                let command = unit.command_of(&before.state, order.clone(), &stood)?;
                let version = unit.append_to_daybook(&before, &command)?;
                Ok((Receipt { status: 201, stream: Source::DAYBOOK, version }, version))
            })
            .await;
        metrics::counter!(COMMANDS, "kind" => <&'static str>::from(kind), "outcome" => outcome(&done))
            .increment(1);
        let version = match done? {
            Done::Now(version) | Done::Before(Receipt { version, .. }) => version,
        };
        self.noted(version).await
    }

    /// For an order to close a month, how everybody stands at its end. That is added up before the books are
    /// locked, since all months are; what is posted until they are comes on top.
    async fn stood(&self, actor: &Actor, order: &DaybookCommand) -> Result<Stood, Refused> {
        let DaybookCommand::CloseMonth { month } = order else { return Ok(Stood::default()) };
        let day = month.last_day();
        self.principal(actor).await?.require(CommandKind::from(order).needs())?;
        self.snapshot(move |connection| Stood::read(connection, day)).await
    }

    /// What the event of this version was about.
    async fn noted(&self, version: Version) -> Result<Noted, Refused> {
        let daybook = self.daybook().await?;
        self.read(move |connection| {
            let number = daybook.state.record_at(version);
            let entries = number.and_then(|number| Some((number, daybook.state.entry(number)?)));
            let entry = shown(connection, entries.into_iter().collect())?.into_iter().next();
            Ok(Noted { version, entry, closed: daybook.state.closing().0 })
        })
        .await
    }

    /// A page of the daybook, newest first, before record `before`.
    ///
    /// # Errors
    /// The caller may not see all ledgers, or the store failed.
    pub async fn daybook_page(
        &self,
        actor: &Actor,
        before: Option<u32>,
        limit: usize,
    ) -> Result<DaybookPage, Refused> {
        self.principal(actor).await?.require(Permission::ViewAnyLedger)?;
        self.books_snapshot(move |connection, Snapshot { daybook, .. }| {
            let entries = daybook.state.newest_first();
            let entries = entries.filter(|(number, _)| before.is_none_or(|before| *number < before));
            let entries = shown(connection, entries.take(limit).collect())?;
            let names = called_on(connection, players_of(&entries))?;
            Ok(DaybookPage { version: daybook.version, entries, names })
        })
        .await
    }

    /// A record of the daybook.
    ///
    /// # Errors
    /// There is none of this number, or the caller may not see all ledgers.
    pub async fn daybook_entry(&self, actor: &Actor, number: u32) -> Result<ShownEntry, Refused> {
        let before = number.checked_add(1).ok_or(Refused::NotFound("record"))?;
        let page = self.daybook_page(actor, Some(before), 1).await?;
        let found = page.entries.into_iter().find(|entry| entry.number == number);
        found.ok_or(Refused::NotFound("record"))
    }

    /// What should be in the club's drawer and at its bank, in each currency of the club.
    ///
    /// # Errors
    /// The caller may not see all ledgers, or the store failed.
    pub async fn club_money(&self, actor: &Actor) -> Result<Vec<ClubMoney>, Refused> {
        self.principal(actor).await?.require(Permission::ViewAnyLedger)?;
        self.books_snapshot(|connection, Snapshot { settings, .. }| {
            let currencies = settings.currencies.as_slice();
            currencies.iter().map(|currency| ClubMoney::read(connection, *currency)).collect()
        })
        .await
    }
}

impl ClubMoney {
    pub(crate) fn read(connection: &mut AnyConnection, currency: Currency) -> Result<Self, Refused> {
        let (drawer, bank) = books::club_money(connection, currency)?;
        Ok(Self { currency, drawer, bank })
    }
}

/// Everybody in these records.
pub(crate) fn players_of(entries: &[ShownEntry]) -> impl Iterator<Item = PlayerId> {
    entries.iter().flat_map(|entry| entry.what.players())
}

/// The records with who entered them.
pub(crate) fn shown(
    connection: &mut AnyConnection,
    entries: Vec<(u32, &Entry)>,
) -> Result<Vec<ShownEntry>, Refused> {
    let versions: Vec<Version> = entries.iter().map(|(_, entry)| entry.entered).collect();
    let authors: BTreeMap<Version, AccountId> = journal::authors(connection, Source::DAYBOOK, &versions)?;
    let shown = |(number, entry): (u32, &Entry)| {
        let by = authors.get(&entry.entered).copied();
        let by = by.ok_or_else(|| BrokenHistory(format!("record {number} has no author")));
        let Recorded { on, memo, what } = entry.recorded.as_ref().clone();
        let (status, proposes) = EntryStatus::of(entry.status);
        Ok(ShownEntry {
            number,
            on,
            memo,
            what,
            status,
            proposes,
            proposed_by: entry.status.proposed_by(),
            reason: entry.ended.as_ref().map(|(reason, _)| reason.clone()),
            at: entry.at,
            by: by.map_err(StoreError::from)?,
        })
    };
    entries.into_iter().map(shown).collect()
}

impl UnitOfWork<'_, '_> {
    fn daybook(&mut self) -> Result<Arc<Stream<Daybook>>, Refused> {
        match self.load::<Daybook>(Source::DAYBOOK) {
            Err(Refused::NotFound(_)) => Ok(Arc::default()),
            answer => answer,
        }
    }

    /// The command of an order, with everything that it depends on.
    fn command_of(
        &mut self,
        before: &Daybook,
        order: DaybookCommand,
        stood: &Stood,
    ) -> Result<Command, Refused> {
        let by = self.principal.account;
        let settings = self.settings_unlocked()?;
        let today = settings.night_of(self.now);
        Ok(match order {
            DaybookCommand::Approve { entry } => Command::Approve { entry, by },
            DaybookCommand::Decline { entry, reason } => Command::Decline { entry, by, reason },
            DaybookCommand::TakeBack { entry, reason } => {
                let waits = |who: &Bookkeeper<'_>| before.take_back_waits(entry, who);
                Command::TakeBack { entry, reason, word: word(&self.principal, &settings, self.now, waits) }
            }
            DaybookCommand::CloseMonth { month } => {
                if month.last_day() >= today {
                    let detail = format!("{month} is not over");
                    return Err(Refused::rule(Code::MonthNotOver, Some("month"), detail));
                }
                let transactions = books::lock_book_head(self.transaction.connection()?)?.number;
                let digest = digest(stood.now(self.transaction.connection()?, month.last_day())?);
                Command::CloseMonth { month, stands: Stands { transactions, digest } }
            }
            DaybookCommand::ReopenMonth { month, reason } => {
                let transactions = books::lock_book_head(self.transaction.connection()?)?.number;
                Command::ReopenMonth { month, transactions, reason }
            }
            order @ (DaybookCommand::Pay { .. }
            | DaybookCommand::Charge { .. }
            | DaybookCommand::OpenBalances { .. }
            | DaybookCommand::RecordGames { .. }
            | DaybookCommand::Adjust { .. }
            | DaybookCommand::Spend { .. }
            | DaybookCommand::Receive { .. }
            | DaybookCommand::Deposit { .. }
            | DaybookCommand::Count { .. }) => {
                let mut in_drawer = 0;
                if let DaybookCommand::Count { currency, .. } = &order {
                    (in_drawer, _) = books::club_money(self.transaction.connection()?, *currency)?;
                }
                let recorded = order.recorded(today, in_drawer).ok_or(Refused::NotFound("record"))?;
                self.may_be_recorded(&recorded, &settings, today)?;
                let waits = |who: &Bookkeeper<'_>| before.record_waits(&recorded, who);
                let word = word(&self.principal, &settings, self.now, waits);
                Command::Record { recorded, word }
            }
        })
    }

    /// Refuses days that are not yet, currencies that the club keeps no books in, and players it does not
    /// know.
    fn may_be_recorded(
        &mut self,
        recorded: &Recorded,
        settings: &Settings,
        today: NaiveDate,
    ) -> Result<(), Refused> {
        recorded.days().into_iter().try_for_each(|day| may_be_day(day, today))?;
        let what = &recorded.what;
        what.check()?;
        for currency in what.currencies() {
            require_currency(settings, currency, "currency")?;
        }
        let club = self.club_unlocked()?;
        let unknown = |player: &PlayerId| club.state.player(*player).is_none();
        match what.players().into_iter().find(unknown) {
            None => Ok(()),
            Some(player) => {
                let detail = format!("there is no player {player}");
                Err(Refused::rule(Code::UnknownPlayer, None, detail))
            }
        }
    }

    /// Carries out a command to the daybook, and posts what it comes to. Returns the daybook's version.
    fn append_to_daybook(
        &mut self,
        before: &Arc<Stream<Daybook>>,
        command: &Command,
    ) -> Result<Version, Refused> {
        let kind = self.decide(&before.state, command)?;
        let appended = self.append(Source::DAYBOOK, before, kind, MOST_EVENTS)?;
        for effect in &appended.effects {
            for event in &effect.events {
                self.post(transactions(&before.state, event, effect.version, self.now)?);
                if let Some(closing) = event.closing() {
                    books::set_closing(self.transaction.connection()?, closing)?;
                }
            }
        }
        Ok(appended.stream.version)
    }
}

/// On whose word it happens: alone, unless the club has a limit and it is above it.
fn word(
    principal: &Principal,
    settings: &Settings,
    now: Timestamp,
    waits: impl Fn(&Bookkeeper<'_>) -> bool,
) -> Authority {
    match needs_second(principal, settings, now, waits) {
        true => Authority::Proposed(principal.account),
        false => Authority::Alone(Some(principal.account)),
    }
}

/// Whether what this principal wants to do needs a second person by these settings.
pub(crate) fn needs_second(
    principal: &Principal,
    settings: &Settings,
    now: Timestamp,
    waits: impl Fn(&Bookkeeper<'_>) -> bool,
) -> bool {
    settings.adjustment_limit.is_some_and(|limit| {
        let day_of = |moment| settings.night_of(moment);
        let (account, player, today) = (principal.account, principal.player, day_of(now));
        waits(&Bookkeeper { account, player, limit, day_of: &day_of, today })
    })
}

/// Refuses days that are not yet, and those of no calendar.
fn may_be_day(day: NaiveDate, today: NaiveDate) -> Result<(), Refused> {
    if !is_in_calendar(day) {
        return Err(Refused::rule(Code::OutsideCalendar, Some("on"), "this day is outside the calendar"));
    }
    if day > today {
        return Err(Refused::rule(Code::InTheFuture, Some("on"), format!("today is {today}")));
    }
    Ok(())
}

/// What an event of the daybook posts, by the state before it.
///
/// # Errors
/// Nothing that a checked record leads to.
pub(crate) fn transactions(
    before: &Daybook,
    event: &Event,
    version: Version,
    at: Timestamp,
) -> Result<Vec<NewTransaction>, Refused> {
    let posted = ledger::of_daybook_event(before, event, at);
    let posted = posted.map_err(|error| Refused::rule(error.code(), None, error.to_string()))?;
    let takes_back = match event {
        Event::TakenBack { entry, .. } => before.entry(*entry).and_then(|entry| entry.posted),
        Event::Approved { entry, .. } if before.is_to_be_taken_back(*entry) => {
            before.entry(*entry).and_then(|entry| entry.posted)
        }
        Event::Recorded { .. }
        | Event::Proposed { .. }
        | Event::TakeBackProposed { .. }
        | Event::Approved { .. }
        | Event::Declined { .. }
        | Event::MonthClosed { .. }
        | Event::MonthReopened { .. } => None,
    };
    let new = |transaction| NewTransaction { transaction, variant: None, version, takes_back };
    Ok(posted.into_iter().map(new).collect())
}

/// How all accounts stood at the end of a day, after so many transactions: none, if nobody has looked.
#[derive(Default)]
struct Stood {
    transactions: i64,
    balances: Balances,
}

impl Stood {
    fn read(connection: &mut AnyConnection, day: NaiveDate) -> Result<Self, Refused> {
        let transactions = books::head_of_books(connection)?.number;
        Ok(Self { transactions, balances: statements::all_balances_on(connection, day)? })
    }

    /// The balances at the end of the same day with what was posted since, which is all that is read.
    fn now(&self, connection: &mut AnyConnection, day: NaiveDate) -> Result<Balances, Refused> {
        let mut balances = self.balances.clone();
        balances.add_since(connection, self.transactions, day)?;
        Ok(balances)
    }
}

/// SHA-256, in hexadecimal digits, over balances: by holder and unit, those of zero left out.
#[must_use]
pub(crate) fn digest(balances: impl IntoIterator<Item = (Holder, String, i64)>) -> String {
    let line = |(holder, unit, amount): (Holder, String, i64)| format!("{} {unit} {amount}\n", holder.id());
    let mut lines: Vec<String> = balances.into_iter().map(line).collect();
    lines.sort_unstable();
    Hash(Sha256::digest(lines.concat()).into()).hex()
}

/// Whether the principal could give this command to the daybook, as far as that is not a matter of amounts:
/// for verification.
pub(crate) fn may(principal: &Principal, command: &Command) -> bool {
    let by_themselves = |by: AccountId| by == principal.account;
    let (permission, own) = match command {
        Command::Record { word, .. } | Command::TakeBack { word, .. } => {
            let own = match word {
                Authority::Alone(by) => by.is_none_or(by_themselves),
                Authority::Proposed(by) => by_themselves(*by),
            };
            (Permission::KeepBooks, own)
        }
        Command::Approve { by, .. } | Command::Decline { by, .. } => {
            (Permission::KeepBooks, by_themselves(*by))
        }
        Command::CloseMonth { .. } => (Permission::KeepBooks, true),
        Command::ReopenMonth { .. } => (Permission::ReopenBooks, true),
    };
    own && principal.require(permission).is_ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use uuid::Uuid;

    use super::*;
    use crate::chouettes::NewChouette;
    use crate::fixture::{Db, Fixture};
    use owlbox_base::values::ChouetteId;
    use owlbox_chouette::Chouette;
    use owlbox_store::books::{NewPosting, ToPost, TransactionRow};
    use owlbox_store::types::{Key, Moment};

    /// A game that the first of two players wins from the other.
    fn game(table: ChouetteId, version: i64, on: NaiveDate, [one, other]: [u128; 2], points: i64) -> ToPost {
        let at = Moment(chrono::DateTime::UNIX_EPOCH.into());
        let line = |holder: u128, counterparty: u128, amount| NewPosting {
            holder: PlayerId(Uuid::from_u128(holder)).into(),
            counterparty: PlayerId(Uuid::from_u128(counterparty)).into(),
            unit: "half_points".to_owned(),
            kind: "member".to_owned(),
            amount,
        };
        let head = TransactionRow {
            id: Key(Uuid::now_v7()),
            act: Key(Uuid::now_v7()),
            kind: "game".to_owned(),
            stream: table.into(),
            game: 1,
            variant: None,
            version,
            happened_at: at,
            posted_at: at,
            night: on,
            booked_on: on,
            reverses: None,
        };
        ToPost { head, takes_back: None, postings: vec![line(one, other, points), line(other, one, -points)] }
    }

    /// What is posted between the look at the books and the lock comes on top: for new accounts, for those
    /// that are even by it, and not if it counts for a later day.
    #[rstest]
    #[tokio::test]
    async fn a_month_is_closed_with_what_was_posted_meanwhile(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
        let Some((fixture, admin)) = Fixture::open(db).await else { return };
        let desk = &fixture.desk;
        let new = NewChouette { name: "Friday".to_owned(), stake: None, rules: None, house_rules: None };
        let table = desk.open::<Chouette>(Request::by(admin), new).await.unwrap().id;
        let day = |day: u32| NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        let post = |games: Vec<ToPost>| async move {
            let posted = desk.inner.store.write(move |transaction| {
                transaction.post(games.clone(), day(31));
                Ok::<_, StoreError>(())
            });
            posted.await.unwrap();
        };
        post(vec![game(table, 101, day(2), [1, 2], 4), game(table, 102, day(3), [3, 4], 2)]).await;
        let before = desk.snapshot(move |connection| Stood::read(connection, day(20))).await.unwrap();
        assert_eq!(before.balances.clone().into_iter().count(), 4);
        let games = [
            game(table, 103, day(5), [2, 1], 4),
            game(table, 104, day(20), [3, 5], 6),
            game(table, 105, day(21), [3, 6], 8),
        ];
        post(games.into()).await;
        let read = desk.snapshot(move |connection| {
            let by_hand: Vec<i64> =
                before.now(connection, day(20))?.into_iter().map(|(.., amount)| amount).collect();
            assert_eq!(by_hand, [8, -2, -6], "of players 3, 4 and 5");
            let after = statements::all_balances_on(connection, day(20))?;
            assert_eq!(before.now(connection, day(20))?, after);
            assert_eq!(Stood::default().now(connection, day(20))?, after, "nobody has looked before");
            Ok(())
        });
        read.await.unwrap();
    }
}
