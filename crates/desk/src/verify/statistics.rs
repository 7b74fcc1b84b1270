//! Statistics: games counted from the final states of the streams and compared with the stored tallies.

use std::collections::BTreeMap;
use std::fmt::Display;

use chrono::Datelike as _;

use super::{Checked, Columns, Difference, Unverified, Wrong, compare};
use owlbox_base::values::PlayerId;
use owlbox_books::statistics::{Count, Manner, Tallies, TallyKey, games_of};
use owlbox_store::AnyConnection;
use owlbox_store::statistics::{self, MonthTally, PairTally, somebody};

/// Verifies the tallies against those of all games.
pub(super) fn verify(
    connection: &mut AnyConnection,
    tallies: &Tallies,
    checked: &mut Checked,
) -> Result<(), Unverified> {
    let expected = tallies.iter().map(|(tally, count)| (*tally, columns(*count))).collect();
    let mut found = BTreeMap::new();
    for row in statistics::all(connection)? {
        let (tally, count) = row.read().map_err(|error| {
            let wrong = Wrong::Broken(error.to_string());
            Difference { table: "game_tally", row: format!("a row of {}", row.player.0), wrong }
        })?;
        found.insert(tally, columns(count));
    }
    checked.tallies = compare("game_tally", TallyKey::to_string, &expected, &found)?;
    verify_years(connection, tallies)?;
    verify_months(connection, tallies)?;
    verify_pairs(connection, tallies)
}

fn columns(count: Count) -> Columns {
    vec![("games", count.games.to_string()), ("half_points", count.half_points.to_string())]
}

type OfYear = (Option<PlayerId>, Option<PlayerId>, i32);

/// The tallies of a year must be the sums of those of its days.
fn verify_years(connection: &mut AnyConnection, tallies: &Tallies) -> Result<(), Unverified> {
    let year = |tally: &TallyKey| ((tally.player, tally.opponent, tally.day.year()), tally.manner);
    let found = statistics::all_of_years(connection).map_err(|error| broken("year_tally", &error))?;
    let found = found.into_iter().map(|(whose, manner, count)| ((whose, manner), columns(count)));
    let name = |((player, opponent, year), manner): &(OfYear, Manner)| {
        format!("{} in {year}, {manner}", games_of(*player, *opponent))
    };
    compare("year_tally", name, &sums(tallies, year), &found.collect())?;
    Ok(())
}

/// The tallies of a month must be the sums of those of its days.
fn verify_months(connection: &mut AnyConnection, tallies: &Tallies) -> Result<(), Unverified> {
    let month = |tally: &TallyKey| {
        ((tally.player, tally.opponent, tally.day.year()), (i64::from(tally.day.month()), words(tally)))
    };
    let mut found = BTreeMap::new();
    for row in statistics::all_of_months(connection)? {
        let MonthTally { player, opponent, year, month, kind, variant, began, result, games, half_points } =
            row;
        let whose = (somebody(player), somebody(opponent), year);
        let what = (i64::from(month), [kind, variant, began, result]);
        found.insert((whose, what), columns(Count { games, half_points }));
    }
    let name = |((player, opponent, year), (month, words)): &(OfYear, (i64, [String; 4]))| {
        format!("{} in {year}-{month:02}, {}", games_of(*player, *opponent), words.join(", "))
    };
    compare("month_tally", name, &sums(tallies, month), &found)?;
    Ok(())
}

/// The properties of a tally that a chart can be filtered by.
fn words(tally: &TallyKey) -> [String; 4] {
    let Manner { kind, variant, began, result, .. } = tally.manner;
    [kind.name(), variant.key(), began.name(), result.name()].map(str::to_owned)
}

/// The tallies of two players must be the sums of those of all days.
fn verify_pairs(connection: &mut AnyConnection, tallies: &Tallies) -> Result<(), Unverified> {
    type Pair = ((Option<PlayerId>, Option<PlayerId>), [String; 4]);
    let pair = |tally: &TallyKey| ((tally.player, tally.opponent), words(tally));
    let mut expected = sums(tallies, pair);
    expected.retain(|((player, opponent), _), _| player.is_some() && opponent.is_some());
    let mut found = BTreeMap::new();
    for row in statistics::all_of_pairs(connection)? {
        let PairTally { player, opponent, kind, variant, began, result, games, half_points } = row;
        let whose = (somebody(player), somebody(opponent));
        found.insert((whose, [kind, variant, began, result]), columns(Count { games, half_points }));
    }
    let name = |((player, opponent), words): &Pair| {
        format!("{}, {}", games_of(*player, *opponent), words.join(", "))
    };
    compare("pair_tally", name, &expected, &found)?;
    Ok(())
}

/// The sums of all tallies that agree in `common`.
fn sums<K: Ord>(tallies: &Tallies, common: impl Fn(&TallyKey) -> K) -> BTreeMap<K, Columns> {
    let mut sums: BTreeMap<K, Count> = BTreeMap::new();
    for (tally, count) in tallies.iter() {
        let sum = sums.entry(common(tally)).or_default();
        sum.games += count.games;
        sum.half_points += count.half_points;
    }
    sums.into_iter().map(|(common, count)| (common, columns(count))).collect()
}

fn broken(table: &'static str, error: &dyn Display) -> Difference {
    Difference { table, row: "a row".to_owned(), wrong: Wrong::Broken(error.to_string()) }
}
