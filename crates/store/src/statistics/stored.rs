//! All tallies as they are stored: what `verify` compares with the journal and adds up again.

use diesel::prelude::*;

use super::{StoredManner, TallyRow, somebody};
use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::{game_tally, month_tally, pair_tally, year_tally};
use crate::types::Key;
use owlbox_base::values::PlayerId;
use owlbox_books::statistics::{Count, Manner};

/// Every tally of a day.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<TallyRow>, StoreError> {
    Ok(game_tally::table.select(TallyRow::as_select()).load(connection)?)
}

/// Player, opponent and year of a tally.
type OfYear = (Option<PlayerId>, Option<PlayerId>, i32);

/// Every tally of a year.
///
/// # Errors
/// The query failed, or a row cannot have been written by this program.
pub fn all_of_years(connection: &mut AnyConnection) -> Result<Vec<(OfYear, Manner, Count)>, StoreError> {
    use year_tally::dsl;
    let words = (dsl::kind, dsl::variant, dsl::began, dsl::role, dsl::result, dsl::ending, dsl::cube);
    let rows: Vec<(Key, Key, i32, StoredManner, i64, i64)> = dsl::year_tally
        .select((dsl::player, dsl::opponent, dsl::year, words, dsl::games, dsl::half_points))
        .load(connection)?;
    let read =
        |(player, opponent, year, words, games, half_points): (Key, Key, i32, StoredManner, i64, i64)| {
            let whose = (somebody(player), somebody(opponent), year);
            Ok((whose, words.read()?, Count { games, half_points }))
        };
    rows.into_iter().map(read).collect()
}

/// A tally of a month, as stored. It has fewer properties than a day's: those the chart can be filtered by.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = month_tally)]
pub struct MonthTally {
    pub player: Key,
    pub opponent: Key,
    pub year: i32,
    /// From 1 to 12.
    pub month: i32,
    pub kind: String,
    pub variant: String,
    pub began: String,
    pub result: String,
    pub games: i64,
    /// The player's net win; for the club, what changed hands.
    pub half_points: i64,
}

/// Every tally of a month.
///
/// # Errors
/// The query failed.
pub fn all_of_months(connection: &mut AnyConnection) -> Result<Vec<MonthTally>, StoreError> {
    Ok(month_tally::table.select(MonthTally::as_select()).load(connection)?)
}

/// A tally of two players in all years, as stored.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = pair_tally)]
pub struct PairTally {
    pub player: Key,
    pub opponent: Key,
    pub kind: String,
    pub variant: String,
    pub began: String,
    pub result: String,
    pub games: i64,
    /// The player's net win.
    pub half_points: i64,
}

/// Every tally of two players.
///
/// # Errors
/// The query failed.
pub fn all_of_pairs(connection: &mut AnyConnection) -> Result<Vec<PairTally>, StoreError> {
    Ok(pair_tally::table.select(PairTally::as_select()).load(connection)?)
}
