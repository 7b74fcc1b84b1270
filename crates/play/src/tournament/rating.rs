//! Ratings by the FIBS formula, stored as whole numbers.
//!
//! A rating is kept in thousandths of a point. The formula uses a power and a square root, whose last binary
//! digit may differ between processors. A change is rounded to thousandths once, far above that digit, and
//! only the rounded value is stored, so recomputing gives the same ratings on every machine.

use serde::{Deserialize, Serialize};

/// A rating or a change in rating, in thousandths of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Rating(pub i64);

impl Rating {
    /// The starting rating of every player: 1500 points.
    pub const START: Self = Self(1_500_000);
}

/// Which experience a match is rated with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Experience {
    /// The total length of the matches finished before it.
    #[default]
    Before,
    /// The same, plus the length of the match itself.
    Including,
}

/// A player's rating and experience before a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RatedPlayer {
    pub rating: Rating,
    /// The total length, in points, of the player's rated matches.
    pub experience: u32,
}

impl Default for RatedPlayer {
    fn default() -> Self {
        Self { rating: Rating::START, experience: 0 }
    }
}

/// The chance, from 0 to 1, that the lower-rated player, `behind` thousandths of a point below, wins a match
/// to `length` points.
fn underdog(length: u16, behind: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "ratings are far below 2^53 thousandths")]
    let points = behind as f64 / 1_000.0;
    1.0 / (10_f64.powf(points * f64::from(length).sqrt() / 2_000.0) + 1.0)
}

/// The multiplier of a rating change: 5 for a newcomer, falling to 1 at an experience of 400 points.
fn weight(experience: u32) -> f64 {
    (5.0 - f64::from(experience) / 100.0).max(1.0)
}

/// The ratings of both players, winner first, after a match to `length` points.
#[must_use]
pub fn rated(
    winner: RatedPlayer,
    loser: RatedPlayer,
    length: u16,
    counts: Experience,
) -> (RatedPlayer, RatedPlayer) {
    let behind = (winner.rating.0 - loser.rating.0).abs();
    let chance = underdog(length, behind);
    let favourite_won = winner.rating >= loser.rating;
    // The less likely the result, the more it moves the ratings.
    let surprise = if favourite_won { chance } else { 1.0 - chance };
    let after = |before: RatedPlayer, sign: f64| {
        let own = match counts {
            Experience::Before => 0,
            Experience::Including => u32::from(length),
        };
        let weight = weight(before.experience + own);
        let moved = (sign * 4_000.0 * weight * f64::from(length).sqrt() * surprise).round();
        #[expect(clippy::cast_possible_truncation, reason = "at most 4000 * 5 * 256 thousandths, and whole")]
        let moved = moved as i64;
        RatedPlayer {
            rating: Rating(before.rating.0 + moved),
            experience: before.experience + u32::from(length),
        }
    };
    (after(winner, 1.0), after(loser, -1.0))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn standing(rating: i64, experience: u32) -> RatedPlayer {
        RatedPlayer { rating: Rating(rating * 1_000), experience }
    }

    /// What the winner and the loser gain, in thousandths of a point.
    fn moved(winner: RatedPlayer, loser: RatedPlayer, length: u16) -> (i64, i64) {
        let (after, other) = rated(winner, loser, length, Experience::Before);
        (after.rating.0 - winner.rating.0, other.rating.0 - loser.rating.0)
    }

    /// Proves T20.
    // The test vectors of the page on ratings. Both players have an experience of 400, so the multiplier is
    // 1.
    #[rstest]
    #[case::underdog_wins(1500, 1600, 7, 6.09)]
    #[case::favourite_wins(1600, 1500, 7, 4.49)]
    #[case::level_one_point(1500, 1500, 1, 2.00)]
    #[case::level_five_points(1500, 1500, 5, 4.47)]
    #[case::level_nine_points(1500, 1500, 9, 6.00)]
    fn the_formula_gives_what_servers_print(
        #[case] winner: i64,
        #[case] loser: i64,
        #[case] length: u16,
        #[case] printed: f64,
    ) {
        let (won, lost) = moved(standing(winner, 400), standing(loser, 400), length);
        assert_eq!(((won as f64) / 10.0).round() / 100.0, printed);
        assert_eq!(won, -lost);
    }

    /// Proves T20.
    #[test]
    fn each_moves_by_their_own_experience() {
        let (a, b) = (standing(1600, 500), standing(1500, 50));
        assert_eq!(moved(a, b, 7), (4_492, -20_213));
        assert_eq!(moved(b, a, 7), (27_411, -6_091));
    }

    /// Proves T20.
    #[test]
    fn this_match_counts_where_the_house_says_so() {
        let new = RatedPlayer::default();
        let (before, _) = rated(new, new, 100, Experience::Before);
        let (including, _) = rated(new, new, 100, Experience::Including);
        // 20 points, times 5 or times 4.
        assert_eq!((before.rating.0, including.rating.0), (1_600_000, 1_580_000));
        assert_eq!(before.experience, 100);
    }
}
