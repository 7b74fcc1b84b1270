//! Verification: does everything in the database follow from the journal?
//!
//! [`verify`] replays every stream from one snapshot, if need be beside a running server, recomputes all
//! derived tables and reports the first difference: a missing row, a row nothing accounts for, or a column
//! with another value. Each kind of table has a module: [`club`] settings, players and accounts,
//! [`chouettes`] tables and seats, [`matches`], [`tournaments`], [`books`] transactions, postings and
//! balances, [`daybook`] what the treasurer recorded and closed, [`chain`] days, sums and hashes,
//! [`ratings`], [`statistics`] tallies. Plain records - personal details, credentials - are only checked for
//! existence.
//!
//! The journal itself is checked against the rules ([`acts`]), and the database's schema against the
//! migrations.

mod acts;
mod books;
mod chain;
mod chouettes;
mod club;
pub mod copying;
mod daybook;
mod matches;
pub(super) mod ratings;
mod statistics;
#[cfg(test)]
mod tests;
mod tournaments;

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use uuid::Uuid;

use acts::{Answerable, NotAllowed, Others, Standings};

use crate::club::stream::CLUB;
use owlbox_base::journal::{Act, Aggregate, Stream, Version};
use owlbox_books::club::Club;
use owlbox_books::daybook::Daybook;
use owlbox_books::ledger::Source;
use owlbox_books::statistics::Tallies;
use owlbox_chouette::Chouette;
use owlbox_play::matches::Sheet;
use owlbox_play::tournament::Tournament;
use owlbox_store::connection::on_snapshot;
use owlbox_store::types::Hash;
use owlbox_store::{AnyConnection, StoreError, idempotency, journal, kinds, shape};

/// The number of rows and acts that were found correct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    pub streams: usize,
    pub events: usize,
    pub players: usize,
    pub accounts: usize,
    pub chouettes: usize,
    pub seats: usize,
    pub tournaments: usize,
    pub entrants: usize,
    pub matches: usize,
    pub transactions: usize,
    pub postings: usize,
    /// Links of the chain over all transactions.
    pub links: usize,
    /// Balances: one for each holder and unit.
    pub balances: usize,
    pub rated_matches: usize,
    /// Ratings: one for each player with a rated match.
    pub ratings: usize,
    /// Daily tallies of games by player, opponent and manner (M8).
    pub tallies: usize,
    pub idempotency_records: usize,
    pub decided: usize,
    /// Tables, columns, indexes, constraints and triggers compared with the migrations; 0 if the migrations
    /// could not be run for comparison.
    pub shape: usize,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "streams {}, events {}, players {}, accounts {}, chouettes {}, seats {}, matches {}, transactions {}, \
             postings {}, links of the chain {}, balances {}, rated matches {}, ratings {}, tallies of games {}, idempotency records {}, tournaments {}, entrants {}, \
             acts decided again {}, objects of the database {}",
            self.streams,
            self.events,
            self.players,
            self.accounts,
            self.chouettes,
            self.seats,
            self.matches,
            self.transactions,
            self.postings,
            self.links,
            self.balances,
            self.rated_matches,
            self.ratings,
            self.tallies,
            self.idempotency_records,
            self.tournaments,
            self.entrants,
            self.decided,
            self.shape
        )
    }
}

/// The first difference between the database and the journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{table}, {row}: {wrong}")]
pub struct Difference {
    pub table: &'static str,
    /// The row, described by its key.
    pub row: String,
    pub wrong: Wrong,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    Missing,
    Unaccounted,
    /// A column has another value than expected.
    Column {
        column: &'static str,
        expected: String,
        found: String,
    },
    Broken(String),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("is missing"),
            Self::Unaccounted => f.write_str("nothing accounts for it"),
            Self::Column { column, expected, found } => {
                write!(f, "{column}: expected {expected}, found {found}")
            }
            Self::Broken(why) => f.write_str(why),
        }
    }
}

/// Why verification did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum Unverified {
    #[error(transparent)]
    Differs(#[from] Difference),
    /// The database could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Replays the whole journal, recomputes everything derived from it, and compares.
///
/// # Errors
/// The first difference, or that the database could not be read.
pub fn verify(connection: &mut AnyConnection) -> Result<Checked, Unverified> {
    verify_telling(connection, &|_, _| {})
}

/// [`verify`] that tells how much of how much is done. The journal counts as half of it, and what follows
/// from it as the other.
///
/// # Errors
/// As `verify`.
pub fn verify_telling(
    connection: &mut AnyConnection,
    tell: &dyn Fn(usize, usize),
) -> Result<Checked, Unverified> {
    let shape = verify_shape(connection)?;
    on_snapshot(connection, |connection| verify_here(connection, shape, tell))
}

/// [`verify_telling`] at the snapshot, or in the transaction, that the connection has begun. `shape` is the
/// number of the schema's objects, which were compared before.
fn verify_here(
    connection: &mut AnyConnection,
    shape: usize,
    tell: &dyn Fn(usize, usize),
) -> Result<Checked, Unverified> {
    verify_kinds(connection)?;
    let heads = heads(connection)?;
    let mut journals = Journals::new(connection, shape, &heads, tell)?;
    let club = club::verify(connection, &heads, &mut journals)?;
    let mut expected = chouettes::verify(connection, &heads, &mut journals)?;
    let (of_sessions, mut rated, sheets) = matches::verify(connection, &heads, &mut journals)?;
    let (of_tournaments, of_divisions) = tournaments::verify(connection, &heads, &sheets, &mut journals)?;
    let (of_daybook, closings) = daybook::verify(connection, &heads, &mut journals)?;
    let Journals { mut checked, not_allowed, others, tallies, standings, unchained, versions, .. } = journals;
    not_allowed.settle(connection)?;
    others.settle(connection)?;
    expected.extend(of_sessions.into_iter().chain(of_tournaments).chain(of_daybook));
    rated.extend(of_divisions);
    let settings = standings.settings();
    let against = chain::Against { settings: &settings, closings: &closings };
    let (posted, postings) = books::verify(connection, &heads, &expected, &mut checked)?;
    chain::verify(connection, &posted, &postings, &expected, &against, &mut checked)?;
    tell(3 * versions, 4 * versions);
    let counts = club.settings().map(|settings| settings.rating_experience).unwrap_or_default();
    ratings::verify(connection, &rated, counts, &mut checked)?;
    statistics::verify(connection, &tallies, &mut checked)?;
    verify_idempotency(connection, &heads, &mut checked)?;
    unchained.map_or(Ok(checked), |difference| Err(difference.into()))
}

/// The kind and version of every stream, by id.
type Heads = BTreeMap<Uuid, (String, Version)>;

/// Reads the heads. All must be of known kinds, and every journal entry must belong to one.
fn heads(connection: &mut AnyConnection) -> Result<Heads, Unverified> {
    let mut heads = Heads::new();
    for (id, kind, version) in journal::heads(connection)? {
        let of_many = [Chouette::KIND, Sheet::KIND, Tournament::KIND];
        let of_one = [(Club::KIND, CLUB), (Daybook::KIND, Source::DAYBOOK)];
        let known = of_many.contains(&kind.as_str()) || of_one.contains(&(kind.as_str(), id));
        if !known {
            let found = kind;
            let of_one = of_one.map(|(kind, id)| format!("{kind} for stream {id}"));
            let expected = format!("{}, or {}", of_many.join(", "), of_one.join(", or "));
            let wrong = Wrong::Column { column: "kind", expected, found };
            return Err(Difference { table: "stream", row: stream_name(id), wrong }.into());
        }
        heads.insert(id, (kind, version));
    }
    match journal::streams_with_entries(connection)?.into_iter().find(|id| !heads.contains_key(id)) {
        Some(id) => Err(Difference { table: "stream", row: stream_name(id), wrong: Wrong::Missing }.into()),
        None => Ok(heads),
    }
}

fn stream_name(id: Uuid) -> String {
    format!("stream {id}")
}

/// A stream's acts and its final state.
struct Replayed<A: Aggregate> {
    acts: Vec<Act<A::Event>>,
    stream: Stream<A>,
}

/// The context and the findings so far, while journals are replayed.
struct Journals<'a> {
    checked: Checked,
    standings: Standings,
    not_allowed: NotAllowed,
    others: Others,
    tallies: Tallies,
    /// The first entry whose hash does not follow. Reported last: whatever else is wrong says more.
    unchained: Option<Difference>,
    /// The versions of all streams together, and of those replayed.
    versions: usize,
    replayed: usize,
    tell: &'a dyn Fn(usize, usize),
}

impl<'a> Journals<'a> {
    fn new(
        connection: &mut AnyConnection,
        shape: usize,
        heads: &Heads,
        tell: &'a dyn Fn(usize, usize),
    ) -> Result<Self, Unverified> {
        if let Some(act) = journal::contradictory_act(connection)? {
            let wrong = Wrong::Broken("its entries do not agree on who did it, and when".into());
            return Err(Difference { table: "journal", row: format!("act {act}"), wrong }.into());
        }
        let standings = Standings::read(connection)?;
        let checked = Checked { shape, ..Checked::default() };
        Ok(Self {
            checked,
            standings,
            not_allowed: NotAllowed::default(),
            others: Others::default(),
            tallies: Tallies::default(),
            unchained: None,
            versions: heads.values().map(|(_, version)| versions(*version)).sum(),
            replayed: 0,
            tell,
        })
    }

    /// Replays a stream and decides its acts again. It must end at the version in its head.
    fn replay<A: Answerable>(
        &mut self,
        connection: &mut AnyConnection,
        id: Uuid,
        head: Version,
    ) -> Result<Replayed<A>, Unverified> {
        let broken =
            |why: String| Difference { table: "journal", row: stream_name(id), wrong: Wrong::Broken(why) };
        let entries = journal::entries_after(connection, id, 0, None)?;
        let acts = journal::group::<A>(&entries).map_err(|error| broken(error.to_string()))?;
        let (stream, decided) =
            acts::verify::<A>(id, &entries, &acts, &self.standings, &mut self.not_allowed, &mut self.others)?;
        equal("stream", || stream_name(id), "version", &stream.version, &head)?;
        if self.unchained.is_none() {
            self.unchained = unchained(connection, id, &entries)?;
        }
        self.checked.streams += 1;
        self.checked.events += entries.len();
        self.checked.decided += decided;
        self.replayed += versions(head);
        (self.tell)(self.replayed, 2 * self.versions);
        Ok(Replayed { acts, stream })
    }
}

fn versions(head: Version) -> usize {
    usize::try_from(head).unwrap_or_default()
}

/// The first entry of a stream that has not the hash of its content and the entry before.
fn unchained(
    connection: &mut AnyConnection,
    id: Uuid,
    entries: &[journal::Entry],
) -> Result<Option<Difference>, Unverified> {
    let hashes = journal::hashes(connection, id)?;
    let mut hash = Hash::default();
    for (entry, found) in entries.iter().zip(hashes) {
        hash = entry.hash_after(&hash, id)?;
        if found.as_deref() != Some(&hash.0) {
            let row = format!("{}, version {}", stream_name(id), entry.version);
            let why = "its hash does not follow from the entry and the one before".to_owned();
            return Ok(Some(Difference { table: "journal", row, wrong: Wrong::Broken(why) }));
        }
    }
    Ok(None)
}

/// Compares the database's schema with that of the migrations. Returns the number of objects.
fn verify_shape(connection: &mut AnyConnection) -> Result<usize, Unverified> {
    let Some((found, made)) = shape::both(connection)? else { return Ok(0) };
    let columns = |shape: shape::Shape| -> BTreeMap<(String, String), Columns> {
        shape.into_iter().map(|(name, definition)| (name, vec![("definition", definition)])).collect()
    };
    let name = |(kind, name): &(String, String)| format!("{kind} {name}");
    Ok(compare("schema", name, &columns(made), &columns(found))?)
}

/// Checks that every value has the declared type of its column: SQLite would store any other.
fn verify_kinds(connection: &mut AnyConnection) -> Result<(), Unverified> {
    match kinds::mistyped_column(connection)? {
        Some((table, column)) => {
            let wrong = Wrong::Broken("holds what is not of its kind".into());
            Err(Difference { table: "schema", row: format!("column {table}.{column}"), wrong }.into())
        }
        None => Ok(()),
    }
}

/// Checks that every idempotency record refers to an existing version of a stream.
fn verify_idempotency(
    connection: &mut AnyConnection,
    heads: &Heads,
    checked: &mut Checked,
) -> Result<(), Unverified> {
    for (account, key, stream, version) in idempotency::all(connection)? {
        let row = format!("key {key:?} of account {account}");
        let wrong = match heads.get(&stream) {
            None => Wrong::Column {
                column: "stream",
                expected: "a stream of the journal".into(),
                found: stream.to_string(),
            },
            Some((_, head)) if !(1..=*head).contains(&version) => Wrong::Column {
                column: "version",
                expected: format!("1 to {head}"),
                found: version.to_string(),
            },
            Some(_) => {
                checked.idempotency_records += 1;
                continue;
            }
        };
        return Err(Difference { table: "idempotency", row, wrong }.into());
    }
    Ok(())
}

/// The columns of a row, with their values as text.
type Columns = Vec<(&'static str, String)>;

fn text<T: fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(|| "nothing".into(), |value| value.to_string())
}

/// Compares the rows of a table by their keys. Returns their number.
fn compare<K: Ord>(
    table: &'static str,
    name: impl Fn(&K) -> String,
    expected: &BTreeMap<K, Columns>,
    found: &BTreeMap<K, Columns>,
) -> Result<usize, Difference> {
    for (key, columns) in expected {
        let row = || name(key);
        let found = found.get(key).ok_or_else(|| Difference { table, row: row(), wrong: Wrong::Missing })?;
        for ((column, expected), (_, found)) in columns.iter().zip(found) {
            equal(table, row, column, expected, found)?;
        }
    }
    match found.keys().find(|key| !expected.contains_key(key)) {
        Some(key) => Err(Difference { table, row: name(key), wrong: Wrong::Unaccounted }),
        None => Ok(found.len()),
    }
}

fn equal<E: fmt::Display + PartialEq<F> + ?Sized, F: fmt::Display + ?Sized>(
    table: &'static str,
    row: impl Fn() -> String,
    column: &'static str,
    expected: &E,
    found: &F,
) -> Result<(), Difference> {
    if expected == found {
        return Ok(());
    }
    let wrong = Wrong::Column { column, expected: expected.to_string(), found: found.to_string() };
    Err(Difference { table, row: row(), wrong })
}
