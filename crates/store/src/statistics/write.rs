//! Writing tallies: what acts change is added to the stored counts.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date, Text};
use diesel::sqlite::Sqlite;

use super::{StoredManner, TallyRow};
use crate::StoreError;
use crate::connection::AnyConnection;
use crate::postgres::{PipelinedConnection, in_order};
use crate::schema::game_tally;
use crate::statement::SqlStatement;
use crate::types::Id;
use owlbox_books::statistics::Tallies;

/// Adds changes to the stored counts.
pub(super) fn write(connection: &mut AnyConnection, changes: &Tallies) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => write_each(connection, changes),
        AnyConnection::Postgres(connection) => {
            connection.at_once(async |asked| write_all(asked, changes).await)
        }
    }
}

/// Adds changes to the stored counts, on SQLite. Only what was taken away can leave a tally without games.
pub(crate) fn write_each(connection: &mut SqliteConnection, changes: &Tallies) -> Result<(), StoreError> {
    let rows: Vec<TallyRow> = changes.iter().map(|(tally, change)| TallyRow::new(tally, *change)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    SqlStatement::<Sqlite>::new(
        "INSERT INTO game_tally (player, opponent, day, kind, variant, began, role, result, ending, cube, games, half_points) \
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, \
         value ->> 8, value ->> 9, value ->> 10, value ->> 11 FROM json_each(?) WHERE true \
         ON CONFLICT (player, opponent, day, kind, variant, began, role, result, ending, cube) DO UPDATE \
         SET games = games + excluded.games, half_points = half_points + excluded.half_points",
    )
    .rows(rows.iter().map(TallyRow::to_json))
    .execute(connection)?;
    rows.iter().filter(|row| row.games <= 0).try_for_each(|row| forget_one(connection, row))
}

/// Adds changes to the stored counts, on PostgreSQL, all in the order of their tallies, so that two who do so
/// do not deadlock over them. Over the sums that several tallies share they can: that is a conflict, and is
/// tried again.
pub(crate) async fn write_all(asked: PipelinedConnection<'_>, changes: &Tallies) -> Result<(), StoreError> {
    let rows: Vec<TallyRow> = changes.iter().map(|(tally, change)| TallyRow::new(tally, *change)).collect();
    in_order!(add_all(asked, &rows), forget_all(asked, &rows)).map(drop)
}

async fn add_all(asked: PipelinedConnection<'_>, rows: &[TallyRow]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let add = SqlStatement::<Pg>::new(
        "INSERT INTO game_tally (player, opponent, day, kind, variant, began, role, result, ending, cube, games, half_points) \
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::date[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], \
         $9::text[], $10::bigint[], $11::bigint[], $12::bigint[]) \
         ON CONFLICT (player, opponent, day, kind, variant, began, role, result, ending, cube) DO UPDATE \
         SET games = game_tally.games + excluded.games, half_points = game_tally.half_points + excluded.half_points",
    );
    let add = with_places(add, rows.iter())
        .array::<BigInt, _>(rows.iter().map(|row| row.games))
        .array::<BigInt, _>(rows.iter().map(|row| row.half_points));
    asked.execute(add).await.map(drop)
}

/// Binds what tells these tallies apart, as ten arrays.
fn with_places<'r>(
    statement: SqlStatement<Pg>,
    rows: impl Iterator<Item = &'r TallyRow> + Clone,
) -> SqlStatement<Pg> {
    let words = |word: fn(&StoredManner) -> &String| rows.clone().map(move |row| word(&row.words).clone());
    statement
        .array::<Id, _>(rows.clone().map(|row| row.player))
        .array::<Id, _>(rows.clone().map(|row| row.opponent))
        .array::<Date, _>(rows.clone().map(|row| row.day))
        .array::<Text, _>(words(|words| &words.kind))
        .array::<Text, _>(words(|words| &words.variant))
        .array::<Text, _>(words(|words| &words.began))
        .array::<Text, _>(words(|words| &words.role))
        .array::<Text, _>(words(|words| &words.result))
        .array::<Text, _>(words(|words| &words.ending))
        .array::<BigInt, _>(rows.clone().map(|row| row.words.cube))
}

/// Deletes the row of a tally, if it has no games left.
fn forget_one(connection: &mut SqliteConnection, row: &TallyRow) -> Result<(), StoreError> {
    let TallyRow { player, opponent, day, words, .. } = row;
    let StoredManner { kind, variant, began, role, result, ending, cube } = words;
    let place = (player, opponent, day, kind, variant, began, role, result, ending, cube);
    let empty = game_tally::table.find(place).filter(game_tally::games.eq(0));
    diesel::delete(empty).execute(connection)?;
    Ok(())
}

/// Deletes the rows of those of these tallies that have no games left. Only what was taken away can leave
/// none.
async fn forget_all(asked: PipelinedConnection<'_>, rows: &[TallyRow]) -> Result<(), StoreError> {
    let fewer = rows.iter().filter(|row| row.games <= 0);
    if fewer.clone().next().is_none() {
        return Ok(());
    }
    let delete = SqlStatement::<Pg>::new(
        "DELETE FROM game_tally AS tally USING unnest($1::uuid[], $2::uuid[], $3::date[], $4::text[], $5::text[], $6::text[], \
         $7::text[], $8::text[], $9::text[], $10::bigint[]) \
         AS fewer (player, opponent, day, kind, variant, began, role, result, ending, cube) \
         WHERE (tally.player, tally.opponent, tally.day, tally.kind, tally.variant, tally.began, tally.role, tally.result, \
         tally.ending, tally.cube) = (fewer.player, fewer.opponent, fewer.day, fewer.kind, fewer.variant, fewer.began, \
         fewer.role, fewer.result, fewer.ending, fewer.cube) AND tally.games = 0",
    );
    asked.execute(with_places(delete, fewer)).await.map(drop)
}
