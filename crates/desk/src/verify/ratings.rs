//! Ratings: computed from the results alone and compared with the stored ones.

use std::collections::BTreeMap;

use super::{Checked, Columns, Unverified, compare};
use owlbox_base::values::PlayerId;
use owlbox_play::tournament::rated::{Rated, run};
use owlbox_play::tournament::rating::Experience;
use owlbox_store::AnyConnection;
use owlbox_store::ratings::{self, RatedMatchRow, RatingRow};
use owlbox_store::types::Key;

const PAGE: i64 = 1_000;

/// The key of a row of `rated_match`: stream, division, number.
type Line = (uuid::Uuid, i32, i64);

/// Verifies the ratings against the complete list of rated matches, in any order.
pub(crate) fn verify(
    connection: &mut AnyConnection,
    rated: &[Rated],
    counts: Experience,
    checked: &mut Checked,
) -> Result<(), Unverified> {
    let history = run(rated, counts);
    let rows =
        history.matches.values().map(|(one, standings)| match_columns(&RatedMatchRow::new(one, *standings)));
    let name = |(stream, division, number): &Line| format!("match {number} of division {division}, {stream}");
    checked.rated_matches = compare("rated_match", name, &rows.collect(), &found(connection)?)?;

    let totals = history.totals.iter().map(|(player, total)| {
        let row = RatingRow {
            player: Key::from(*player),
            value: total.standing.rating.0,
            experience: i64::from(total.standing.experience),
            matches: i64::try_from(total.matches).unwrap_or(i64::MAX),
        };
        rating_columns(&row)
    });
    let found = ratings::all_ratings(connection)?;
    let found = found.iter().map(rating_columns).collect();
    let name = |player: &PlayerId| format!("player {player}");
    checked.ratings = compare("rating", name, &totals.collect(), &found)?;
    Ok(())
}

fn found(connection: &mut AnyConnection) -> Result<BTreeMap<Line, Columns>, Unverified> {
    let (mut all, mut after) = (BTreeMap::new(), None);
    loop {
        let page = ratings::after(connection, after, PAGE)?;
        let Some(last) = page.last() else { return Ok(all) };
        after = Some(last.rated()?.place());
        all.extend(page.iter().map(match_columns));
    }
}

fn match_columns(row: &RatedMatchRow) -> (Line, Columns) {
    let columns = vec![
        ("finished_at", row.finished_at.0.utc().to_rfc3339()),
        ("length", row.length.to_string()),
        ("winner", row.winner.0.to_string()),
        ("loser", row.loser.0.to_string()),
        ("winner_rating", row.winner_rating.to_string()),
        ("winner_experience", row.winner_experience.to_string()),
        ("loser_rating", row.loser_rating.to_string()),
        ("loser_experience", row.loser_experience.to_string()),
    ];
    ((row.stream.0, row.division, row.number), columns)
}

fn rating_columns(row: &RatingRow) -> (PlayerId, Columns) {
    let columns = vec![
        ("rating", row.value.to_string()),
        ("experience", row.experience.to_string()),
        ("matches", row.matches.to_string()),
    ];
    (row.player.into(), columns)
}
