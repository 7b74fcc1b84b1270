//! Statistics: games counted from what the journals come to, and compared with what is stored.

use std::collections::BTreeMap;

use super::{Checked, Columns, Difference, Unverified, Wrong, compare};
use crate::statistics::{Tallies, Tally};
use crate::store::AnyConnection;
use crate::store::statistics::{self, Row};

/// Verifies the tallies against all games that there are.
pub(super) fn verify(
    connection: &mut AnyConnection,
    tallies: &Tallies,
    checked: &mut Checked,
) -> Result<(), Unverified> {
    if let Some(table) = statistics::unfilled(connection)?.into_iter().next() {
        let row = format!("table {table}");
        return Err(Difference { table: "unfilled", row, wrong: Wrong::Unaccounted }.into());
    }
    let columns = |row: &Row| -> Columns {
        vec![("games", row.games.to_string()), ("half_points", row.half_points.to_string())]
    };
    let expected = tallies.iter().map(|(tally, count)| (*tally, columns(&Row::new(tally, *count)))).collect();
    let mut found = BTreeMap::new();
    for row in statistics::all(connection)? {
        let (tally, _) = row.read().map_err(|error| {
            let wrong = Wrong::Broken(error.to_string());
            Difference { table: "game_tally", row: format!("a row of {}", row.player.0), wrong }
        })?;
        found.insert(tally, columns(&row));
    }
    checked.tallies = compare("game_tally", Tally::to_string, &expected, &found)?;
    Ok(())
}
