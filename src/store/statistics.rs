//! Statistics: games that are counted together, by whose they are and what they are like.

use std::str::FromStr;

use chrono::NaiveDate;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use diesel::upsert::excluded;
use uuid::Uuid;

use super::connection::{AnyConnection, MultiBackend, on};
use super::schema::{game_tally, unfilled};
use super::types::Key;
use super::{StoreError, journal};
use crate::chouette::Chouette;
use crate::engine::Variant;
use crate::journal::{Aggregate, BrokenHistory, Stream};
use crate::statistics::{Began, Count, Kind, Outcome, Tallies, Tally};
use crate::tournament::sheet::Sheet;
use crate::values::{InvalidValue, PlayerId};

/// Who is nobody: the club as a player, and as an opponent the game as a whole.
const NOBODY: Key = Key(Uuid::nil());

/// A tally as stored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable, Selectable, Insertable)]
#[diesel(table_name = game_tally)]
pub struct Row {
    /// Whose.
    pub player: Key,
    /// Against whom.
    pub opponent: Key,
    /// When.
    pub day: NaiveDate,
    /// At what.
    pub kind: String,
    /// What was played.
    pub variant: String,
    /// Who began.
    pub began: String,
    /// As what.
    pub role: String,
    /// What it was.
    pub result: String,
    /// How it ended.
    pub ending: String,
    /// The cube's value.
    pub cube: i64,
    /// How many games.
    pub games: i64,
    /// What was won by them.
    pub half_points: i64,
}

impl Row {
    /// A tally with its count.
    #[must_use]
    pub fn new(tally: &Tally, count: Count) -> Self {
        let key = |player: Option<PlayerId>| player.map_or(NOBODY, Key::from);
        Self {
            player: key(tally.player),
            opponent: key(tally.opponent),
            day: tally.day,
            kind: tally.kind.name().to_owned(),
            variant: tally.variant.key().to_owned(),
            began: tally.began.name().to_owned(),
            role: tally.role.name().to_owned(),
            result: tally.result.name().to_owned(),
            ending: tally.ending.name().to_owned(),
            cube: tally.cube.into(),
            games: count.games,
            half_points: count.half_points,
        }
    }

    /// The tally and its count.
    ///
    /// # Errors
    /// The row cannot have been written by this program.
    pub fn read(&self) -> Result<(Tally, Count), StoreError> {
        let tally = Tally {
            player: somebody(self.player),
            opponent: somebody(self.opponent),
            day: self.day,
            kind: word(&self.kind)?,
            variant: Variant::of(&self.variant).ok_or_else(|| broken(&"a variant that is unknown"))?,
            began: word(&self.began)?,
            role: word(&self.role)?,
            result: word(&self.result)?,
            ending: word(&self.ending)?,
            cube: u32::try_from(self.cube).map_err(|_| broken(&"a cube that cannot be"))?,
        };
        Ok((tally, Count { games: self.games, half_points: self.half_points }))
    }
}

fn somebody(key: Key) -> Option<PlayerId> {
    Some(key).filter(|key| *key != NOBODY).map(PlayerId::from)
}

fn word<T: FromStr<Err = InvalidValue>>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|error| broken(&error))
}

fn broken(error: &dyn std::fmt::Display) -> StoreError {
    BrokenHistory(format!("game_tally: {error}")).into()
}

/// Adds what has changed to what stands there. Nothing is left of what comes to nothing.
///
/// # Errors
/// A query failed.
pub fn add(connection: &mut AnyConnection, changes: &Tallies) -> Result<(), StoreError> {
    // All come to their rows in one order, so that on PostgreSQL nobody waits for one who waits for him.
    for (tally, change) in changes.iter() {
        let row = Row::new(tally, *change);
        on!(connection, inner => diesel::insert_into(game_tally::table)
            .values(&row)
            .on_conflict(game_tally::table.primary_key())
            .do_update()
            .set((
                game_tally::games.eq(game_tally::games + excluded(game_tally::games)),
                game_tally::half_points.eq(game_tally::half_points + excluded(game_tally::half_points)),
            ))
            .execute(inner))?;
        if change.games <= 0 {
            forget(connection, &row)?;
        }
    }
    Ok(())
}

/// Takes a tally out of which nothing is left.
fn forget(connection: &mut AnyConnection, row: &Row) -> Result<(), StoreError> {
    let Row { player, opponent, day, kind, variant, began, role, result, ending, cube, .. } = row;
    let place = (player, opponent, day, kind, variant, began, role, result, ending, cube);
    let empty = game_tally::table.find(place).filter(game_tally::games.eq(0));
    on!(connection, inner => diesel::delete(empty).execute(inner))?;
    Ok(())
}

/// Which games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// At what.
    pub kind: Option<Kind>,
    /// What was played.
    pub variant: Option<Variant>,
    /// From this day on.
    pub from: Option<NaiveDate>,
    /// Until this day, with it.
    pub until: Option<NaiveDate>,
    /// Who began.
    pub began: Option<Began>,
}

/// The tallies of a player, or the club; against somebody, or of games as a whole. Those of one day are told apart.
///
/// # Errors
/// The query failed.
pub fn tallies(
    connection: &mut AnyConnection,
    player: Option<PlayerId>,
    opponent: Option<PlayerId>,
    filter: Filter,
) -> Result<Vec<(Tally, Count)>, StoreError> {
    let against = game_tally::opponent.eq(opponent.map_or(NOBODY, Key::from));
    let found = game_tally::table.filter(of(player, filter)).filter(against);
    let rows: Vec<Row> = found.select(Row::as_select()).load(connection)?;
    rows.iter().map(Row::read).collect()
}

type Condition = Box<dyn BoxableExpression<game_tally::table, MultiBackend, SqlType = Bool>>;

/// Whose, and which.
fn of(player: Option<PlayerId>, filter: Filter) -> Condition {
    let mut which: Condition = Box::new(game_tally::player.eq(player.map_or(NOBODY, Key::from)));
    if let Some(from) = filter.from {
        which = Box::new(which.and(game_tally::day.ge(from)));
    }
    if let Some(until) = filter.until {
        which = Box::new(which.and(game_tally::day.le(until)));
    }
    if let Some(kind) = filter.kind {
        which = Box::new(which.and(game_tally::kind.eq(kind.name())));
    }
    if let Some(variant) = filter.variant {
        which = Box::new(which.and(game_tally::variant.eq(variant.key())));
    }
    if let Some(began) = filter.began {
        which = Box::new(which.and(game_tally::began.eq(began.name())));
    }
    which
}

/// Against whom a player has played: how many games were what, and what they came to.
///
/// # Errors
/// The query failed.
pub fn opponents(
    connection: &mut AnyConnection,
    player: PlayerId,
    filter: Filter,
) -> Result<Vec<(PlayerId, Outcome, Count)>, StoreError> {
    let rows: Vec<(Key, String, i64, i64)> = game_tally::table
        .group_by((game_tally::opponent, game_tally::result))
        .filter(of(Some(player), filter))
        .filter(game_tally::opponent.ne(NOBODY))
        .select((
            game_tally::opponent,
            game_tally::result,
            sql::<BigInt>("CAST(sum(games) AS BIGINT)"),
            sql::<BigInt>("CAST(sum(half_points) AS BIGINT)"),
        ))
        .load(connection)?;
    let read = |(opponent, result, games, half_points): (Key, String, i64, i64)| {
        Ok((opponent.into(), word(&result)?, Count { games, half_points }))
    };
    rows.into_iter().map(read).collect()
}

/// Every tally, in order.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<Row>, StoreError> {
    Ok(game_tally::table.select(Row::as_select()).load(connection)?)
}

/// Derived tables that a migration has made and nobody has filled.
///
/// # Errors
/// The query failed.
pub fn unfilled(connection: &mut AnyConnection) -> Result<Vec<String>, StoreError> {
    Ok(unfilled::table.select(unfilled::name).load(connection)?)
}

/// Fills what was made empty by a migration, from the journal.
///
/// # Errors
/// The journal cannot be read, or a query failed.
pub(super) fn fill(connection: &mut AnyConnection) -> Result<(), StoreError> {
    if unfilled(connection)?.is_empty() {
        return Ok(());
    }
    connection.transaction(|connection| {
        // Of several instances that start together one fills it, and the others find nothing to do.
        if diesel::delete(unfilled::table).execute(connection)? == 0 {
            return Ok(());
        }
        diesel::delete(game_tally::table).execute(connection)?;
        let mut tallies = Tallies::default();
        each(connection, |state: &Chouette| tallies.change_chouette(&Chouette::initial(), state))?;
        each(connection, |state: &Sheet| tallies.change_sheet(&Sheet::initial(), state))?;
        add(connection, &tallies)
    })
}

/// Every stream of a kind as it stands.
fn each<A: Aggregate>(connection: &mut AnyConnection, mut look: impl FnMut(&A)) -> Result<(), StoreError> {
    for (id, _) in journal::streams(connection, A::KIND)? {
        let acts = journal::group::<A>(&journal::entries_after(connection, id, 0, None)?)?;
        look(&Stream::<A>::replay(&acts)?.state);
    }
    Ok(())
}
