//! Ratings as they are shown: the ranking, and how each rating came about.

use serde::Serialize;

use super::{RatedMatchRow, RatingRow};
use owlbox_base::journal::BrokenHistory;
use owlbox_base::values::{MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_books::ledger::Source;
use owlbox_play::tournament::rated::RatingOrder;
use owlbox_play::tournament::rating::{RatedPlayer, Rating};
use owlbox_store::StoreError;

/// The rating of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RatingBody))]
pub struct PlayerRating {
    pub player: PlayerId,
    /// The rating in thousandths of a point.
    #[cfg_attr(feature = "schema", schema(example = 1_523_460))]
    pub rating_thousandths: Rating,
    /// Deprecated: the same as `rating_thousandths`.
    #[cfg_attr(feature = "schema", schema(example = 1_523_460))]
    pub rating: Rating,
    /// The sum of the lengths of all rated matches, in points.
    pub experience: i64,
    /// The number of rated matches.
    pub matches: i64,
}

impl From<RatingRow> for PlayerRating {
    fn from(row: RatingRow) -> Self {
        let rating = Rating(row.value);
        let (player, experience, matches) = (row.player.into(), row.experience, row.matches);
        Self { player, rating_thousandths: rating, rating, experience, matches }
    }
}

/// A rated match of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RatedMatchBody))]
pub struct RatedMatch {
    /// The tournament of the match; null for a friendly match.
    pub tournament: Option<TournamentId>,
    /// The sheet of a friendly match; null for a tournament's match.
    #[serde(rename = "match")]
    pub sheet: Option<MatchId>,
    /// The division of the tournament.
    pub division: u16,
    /// The number of the match in the division.
    pub number: u32,
    /// When the match was finished.
    pub finished_at: Timestamp,
    /// The length of the match in points.
    pub length: u16,
    pub opponent: PlayerId,
    /// Whether the player won.
    pub won: bool,
    /// The rating after the match, in thousandths of a point.
    pub rating_thousandths: Rating,
    /// The change of the rating, in thousandths of a point.
    pub change_thousandths: Rating,
    /// Deprecated: the same as `rating_thousandths`.
    pub rating: Rating,
    /// Deprecated: the same as `change_thousandths`.
    pub change: Rating,
    /// The sum of the lengths of all rated matches up to this one, in points.
    pub experience: u32,
    /// The position in the order of all rated matches, which is the cursor.
    #[serde(skip)]
    pub place: RatingOrder,
}

/// The matches of a player, newest first. The next row, an older match, gives the rating that a match
/// changed.
pub(super) fn rated_matches(
    player: PlayerId,
    rows: &[(RatedMatchRow, Source)],
) -> Result<Vec<RatedMatch>, StoreError> {
    let standing = |row: &RatedMatchRow| {
        row.standing(player).ok_or_else(|| BrokenHistory(format!("a match without {player}")))
    };
    let mut matches = Vec::with_capacity(rows.len());
    for (at, (row, source)) in rows.iter().enumerate() {
        let before = rows.get(at + 1).map_or_else(|| Ok(RatedPlayer::default()), |(row, _)| standing(row))?;
        let after = standing(row)?;
        let (one, change) = (row.rated()?, Rating(after.rating.0 - before.rating.0));
        let (mut tournament, mut sheet) = (None, None);
        match source {
            Source::Tournament(id) => tournament = Some(*id),
            Source::Match(id) => sheet = Some(*id),
            Source::Chouette(_) | Source::Daybook => {}
        }
        matches.push(RatedMatch {
            tournament,
            sheet,
            division: one.key.division,
            number: one.key.number,
            finished_at: one.finished_at,
            length: one.length.points(),
            opponent: if one.winner == player { one.loser } else { one.winner },
            won: one.winner == player,
            rating_thousandths: after.rating,
            change_thousandths: change,
            rating: after.rating,
            change,
            experience: after.experience,
            place: one.place(),
        });
    }
    Ok(matches)
}
