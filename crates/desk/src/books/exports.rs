//! The books as files for other programs, written while they are read.
//!
//! A file is read from one snapshot of the database, on either of them, so that it never has half of what was
//! posted meanwhile. It takes a connection until it is written, so only [`AT_ONCE`] are written at a time,
//! and anyone who takes a file must [keep taking](Exporting::write). In memory are the accounts, the names
//! and [one page](PAGE) of transactions, however many there are.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, LazyLock};

use chrono::NaiveDate;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::books::income::Period;
use crate::club::stream::CLUB;
use crate::people::privacy::readings::Read;
use crate::{Actor, Desk, Refused};
use owlbox_base::journal::BrokenHistory;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{Holder, HolderKind};
use owlbox_books::club::Settings;
use owlbox_books::club::players::UNNAMED;
use owlbox_books::ledger::export::{Account, Chart, Class, Entry, Format, Line, described};
use owlbox_books::ledger::{Source, Unit};
use owlbox_store::books::{NO_GAME, PostingRow, TransactionRow};
use owlbox_store::connection::on_snapshot;
use owlbox_store::types::Key;
use owlbox_store::{AnyConnection, Failure, StoreError, accounts, exports};

/// How many transactions are read at a time.
pub const PAGE: i64 = 200;

/// How many files this process writes at once.
pub const AT_ONCE: usize = 2;

static PLACES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(AT_ONCE)));

/// Why a file was not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum NotExported {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It could not be passed on.
    #[error("the export cannot be written: {0}")]
    Output(#[from] io::Error),
}

impl From<BrokenHistory> for NotExported {
    fn from(broken: BrokenHistory) -> Self {
        Self::Store(broken.into())
    }
}

impl Failure for NotExported {
    fn store_error(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

/// A caller who may export the books, and their place.
pub struct Exporting {
    desk: Desk,
    place: OwnedSemaphorePermit,
}

impl Desk {
    /// Lets a caller export the books, and notes it.
    ///
    /// # Errors
    /// They may not see the books, or [`AT_ONCE`] files are being written already ([`Refused::Busy`]).
    pub async fn exporting(&self, actor: &Actor) -> Result<Exporting, Refused> {
        let principal = self.principal(actor).await?;
        principal.require(Permission::ViewAnyLedger)?;
        let place = PLACES.clone().try_acquire_owned().map_err(|_| Refused::Busy)?;
        self.note_reading(&principal, None, Read::Books).await?;
        Ok(Exporting { desk: self.clone(), place })
    }
}

impl Exporting {
    /// Writes the file to `out`, on a thread for blocking work. `out` must give up on a reader who takes
    /// nothing for long: meanwhile PostgreSQL waits in a transaction, which it ends after a minute.
    ///
    /// # Errors
    /// [`NotExported`]. A part of the file may be written.
    pub async fn write(
        self,
        format: Format,
        period: Period,
        mut out: impl io::Write + Send + 'static,
    ) -> Result<(), NotExported> {
        let Self { desk, place } = self;
        desk.inner
            .store
            .read(move |connection| {
                // The place is taken as long as somebody reads, even if nobody waits for it any more.
                let _place = place;
                export(connection, format, period, &mut out)
            })
            .await
    }
}

/// Writes the books of a period, or all of them, to `out`.
///
/// # Errors
/// [`NotExported`]. A part of the file may be written.
pub fn export(
    connection: &mut AnyConnection,
    format: Format,
    period: Period,
    out: &mut impl io::Write,
) -> Result<(), NotExported> {
    on_snapshot(connection, |connection| {
        let books = Books::read(connection, period)?;
        let mut text = String::new();
        format.begin(&mut text, &books.chart);
        let mut after = None;
        while format.has_entries() {
            out.write_all(text.as_bytes())?;
            text.clear();
            let heads = exports::transactions(connection, books.between, after, PAGE)?;
            let Some((last, ..)) = heads.last() else { break };
            after = Some(last.id);
            let ids: Vec<Key> = heads.iter().map(|(head, ..)| head.id).collect();
            let mut postings = exports::postings(connection, &ids)?;
            for (head, source, name) in heads {
                let postings = postings.remove(&head.id).unwrap_or_default();
                format.entry(&mut text, &books.entry(&head, source, name, &postings)?);
            }
        }
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    })
}

/// What is known before the first transaction is read.
struct Books {
    between: (NaiveDate, NaiveDate),
    players: BTreeMap<Uuid, String>,
    /// With whether each is over.
    tournaments: BTreeMap<Uuid, (String, bool)>,
    chart: Chart,
}

impl Books {
    fn read(connection: &mut AnyConnection, period: Period) -> Result<Self, NotExported> {
        let settings = settings(connection)?;
        let mut books = Self {
            between: between(period),
            players: exports::players(connection)?,
            tournaments: exports::tournaments(connection)?,
            chart: Chart {
                club: settings.name.to_string(),
                usual: settings.currencies.as_slice().first().copied(),
                accounts: BTreeMap::new(),
            },
        };
        let mut in_pools: BTreeMap<Account, i64> = BTreeMap::new();
        for sum in exports::sums(connection, books.between)? {
            let unit = unit(&sum.unit)?;
            let account = books.account(sum.holder, sum.counterparty, &sum.purpose, unit)?;
            if let Holder::Pool(_) = sum.holder {
                *in_pools.entry(account.clone()).or_default() += sum.amount;
            }
            let days = (sum.first, sum.last);
            books.chart.note(account, unit, days);
        }
        // Only from the beginning on are the sums of a file what is left.
        if period.from.is_none() {
            for (account, used) in &mut books.chart.accounts {
                let over = account.owner.as_ref().and_then(|(_, id)| books.tournaments.get(id));
                let over = over.is_some_and(|(_, over)| *over);
                used.closed = over && in_pools.get(account) == Some(&0);
            }
        }
        Ok(books)
    }

    /// The name of a player or a tournament; empty for the club's own accounts, which have none.
    fn name(&self, holder: Holder) -> &str {
        match holder {
            Holder::Player(player) => self.players.get(&player.0).map_or(UNNAMED, String::as_str),
            Holder::Pool(tournament) => self.tournaments.get(&tournament.0).map_or(UNNAMED, |(name, _)| name),
            Holder::House | Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => "",
        }
    }

    fn account(
        &self,
        holder: Holder,
        counterparty: HolderKind,
        purpose: &str,
        unit: Unit,
    ) -> Result<Account, NotExported> {
        let class = Class::of(holder.kind(), counterparty, purpose, unit).ok_or_else(|| {
            BrokenHistory(format!("no account is known for {purpose} of the {}", holder.kind().name()))
        })?;
        Ok(Account::new(class, holder, self.name(holder)))
    }

    fn entry(
        &self,
        head: &TransactionRow,
        source: Source,
        name: Option<String>,
        postings: &[PostingRow],
    ) -> Result<Entry, NotExported> {
        let lines = postings.iter().map(|posting| self.line(posting)).collect::<Result<Vec<_>, _>>()?;
        let of = match source {
            Source::Chouette(_) => name.unwrap_or_else(|| UNNAMED.to_owned()),
            Source::Tournament(tournament) => self.name(Holder::Pool(tournament)).to_owned(),
            Source::Match(_) => self.sheet(name.as_deref(), postings),
            Source::Daybook if head.game == NO_GAME => "Daybook".to_owned(),
            Source::Daybook => "Past games".to_owned(),
        };
        let game = u32::try_from(head.game).ok().filter(|_| head.game != NO_GAME);
        let purposes = lines.iter().map(|line| line.purpose.as_str());
        Ok(Entry {
            id: head.id.into(),
            on: head.booked_on,
            posted_at: head.posted_at.into(),
            what: described(&of, &head.kind, game, purposes),
            kind: head.kind.clone(),
            source,
            game,
            lines,
        })
    }

    /// A sheet is known by its players, and a match by its length.
    fn sheet(&self, name: Option<&str>, postings: &[PostingRow]) -> String {
        let mut names: Vec<&str> = postings.iter().map(|posting| self.name(posting.holder())).collect();
        names.sort_unstable();
        names.dedup();
        format!("{} {}", name.unwrap_or("Money session"), names.join(" - "))
    }

    fn line(&self, posting: &PostingRow) -> Result<Line, NotExported> {
        let (holder, counterparty) = (posting.holder(), posting.counterparty());
        let unit = unit(&posting.unit)?;
        Ok(Line {
            account: self.account(holder, counterparty.kind(), &posting.kind, unit)?,
            holder,
            with: self.name(counterparty).to_owned(),
            purpose: posting.kind.clone(),
            unit,
            amount: posting.amount,
        })
    }
}

fn settings(connection: &mut AnyConnection) -> Result<Settings, NotExported> {
    let Some(json) = accounts::settings(connection, CLUB)? else { return Ok(Settings::default()) };
    let read = serde_json::from_str(&json);
    Ok(read.map_err(|error| BrokenHistory(format!("the club's settings cannot be read: {error}")))?)
}

fn unit(name: &str) -> Result<Unit, NotExported> {
    Ok(name.parse().map_err(|_| BrokenHistory(format!("the books know no unit {name}")))?)
}

/// The first and the last day. Nothing counts for a day before the calendar, or for one after it.
fn between(Period { from, until }: Period) -> (NaiveDate, NaiveDate) {
    let day = |year: i32| NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default();
    (from.unwrap_or_else(|| day(1800)), until.unwrap_or_else(|| day(2300)))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use rstest::rstest;

    use super::*;
    use crate::Request;
    use crate::chouettes::NewChouette;
    use crate::fixture::{Db, Fixture, code};
    use owlbox_base::permissions::Role;
    use owlbox_base::values::{ChouetteId, PlayerId};
    use owlbox_chouette::Chouette;
    use owlbox_store::books::{self, NewPosting};

    /// Collects a file.
    #[derive(Clone, Default)]
    struct CollectedFile(Arc<Mutex<Vec<u8>>>);

    impl CollectedFile {
        fn text(&self) -> String {
            String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
        }
    }

    impl io::Write for CollectedFile {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A reader who is gone.
    struct Gone;

    impl io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    async fn table(desk: &Desk, admin: Actor) -> ChouetteId {
        let new =
            NewChouette { name: "Friday table".to_owned(), stake: None, rules: None, house_rules: None };
        desk.open::<Chouette>(Request::by(admin), new).await.unwrap().id
    }

    /// Posts so many transactions of one and the same game between two players.
    async fn post(desk: &Desk, table: ChouetteId, count: u32) {
        let players = [1, 2].map(|player| Holder::Player(PlayerId(Uuid::from_u128(player))));
        let now = desk.now();
        let posted = desk.inner.store.write(move |transaction| {
            let post = |number: u32| {
                let head = TransactionRow {
                    id: Key(Uuid::now_v7()),
                    act: Key(Uuid::now_v7()),
                    kind: "game".to_owned(),
                    stream: Key(table.0),
                    game: i32::try_from(number).unwrap(),
                    variant: None,
                    version: number.into(),
                    happened_at: now.into(),
                    posted_at: now.into(),
                    night: now.utc().date_naive(),
                    booked_on: now.utc().date_naive(),
                    reverses: None,
                };
                let [one, other] = players;
                let line = |holder, counterparty, amount| NewPosting {
                    holder,
                    counterparty,
                    unit: "half_points".to_owned(),
                    kind: "member".to_owned(),
                    amount,
                };
                let postings = vec![line(one, other, 2), line(other, one, -2)];
                books::ToPost { head, takes_back: None, postings }
            };
            let all = (1..=count).map(post).collect();
            transaction.post(all, now.utc().date_naive());
            Ok::<(), StoreError>(())
        });
        posted.await.unwrap();
    }

    /// None, one page, one and a bit, two.
    #[rstest]
    #[tokio::test]
    async fn every_transaction_is_written_once_and_in_order(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
        let Some((fixture, admin)) = Fixture::open(db).await else { return };
        let desk = &fixture.desk;
        let page = u32::try_from(PAGE).unwrap();
        for (more, all) in [(0, 0), (page, page), (3, page + 3), (page - 3, 2 * page)] {
            post(desk, table(desk, admin).await, more).await;
            let sheet = CollectedFile::default();
            let mut out = sheet.clone();
            let written =
                desk.read(move |reader| export(reader, Format::Hledger, Period::default(), &mut out)).await;
            written.unwrap();
            let text = sheet.text();
            let codes: Vec<&str> =
                text.lines().filter_map(|line| line.split_once(" (")?.1.split(')').next()).collect();
            assert_eq!(codes.len(), usize::try_from(all).unwrap());
            assert!(codes.is_sorted_by(|one, next| one < next), "in the order of posting, each once");
            assert_eq!(text.matches("-2 HALFPT").count(), codes.len());
        }
    }

    /// More postings of an account, also of a day, than are read at a time.
    #[rstest]
    #[tokio::test]
    async fn what_an_account_has_at_a_glance_is_all_of_it(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
        let Some((fixture, admin)) = Fixture::open(db).await else { return };
        let desk = &fixture.desk;
        let count = 2_100;
        post(desk, table(desk, admin).await, count).await;
        let today = desk.now().utc().date_naive();
        let sums = desk.read(move |reader| exports::sums(reader, between(Period::default()))).await.unwrap();
        let found: Vec<_> = sums.iter().map(|sum| (&*sum.purpose, sum.first, sum.last, sum.amount)).collect();
        let won = 2 * i64::from(count);
        assert_eq!(found, [("member", today, today, won), ("member", today, today, -won)]);
    }

    #[tokio::test]
    async fn two_files_are_written_at_a_time_for_those_who_may_see_the_books() {
        let Some((fixture, admin)) = Fixture::open(Db::Sqlite).await else { return };
        let desk = &fixture.desk;
        let scorer = fixture.somebody(admin, "scorer", &[Role::Scorer]).await;
        assert_eq!(code(desk.exporting(&scorer).await.map(drop)), "forbidden");
        let first = desk.exporting(&admin).await.unwrap();
        let second = desk.exporting(&admin).await.unwrap();
        assert_eq!(code(desk.exporting(&admin).await.map(drop)), "busy");
        // A reader who goes away frees the place, and so does a whole file.
        let gone = first.write(Format::Csv, Period::default(), Gone).await;
        assert!(matches!(gone, Err(NotExported::Output(_))), "{gone:?}");
        let third = desk.exporting(&admin).await.unwrap();
        let sheet = CollectedFile::default();
        second.write(Format::Csv, Period::default(), sheet.clone()).await.unwrap();
        assert!(sheet.text().starts_with("date,transaction,"));
        drop(third);
        assert!(desk.exporting(&admin).await.is_ok());
    }
}
