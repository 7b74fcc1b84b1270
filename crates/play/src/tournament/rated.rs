//! Which matches are rated, and in which order.
//!
//! A rating depends on every match before it, so the order counts: by the time a match finished, and for the
//! same moment by stream, division and number. [`run`] rates a whole history from the results alone.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use chrono::DateTime;
use uuid::Uuid;

use super::rating::{Experience, RatedPlayer, rated};
use super::room::{DivisionNo, MatchRef};
use super::state::Tournament;
use crate::matches::score::Length;
use owlbox_base::values::{InvalidValue, PlayerId, Timestamp};

/// Identifies a rated match. The field order is the tie-break between matches that finished at the same
/// moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The stream of the tournament, or the match's own stream if it is a friendly.
    pub stream: Uuid,
    /// The division within the tournament; 0 for a friendly.
    pub division: u16,
    /// The match number within the division; 0 for a friendly.
    pub number: u32,
}

/// A match's position in the rating order. Its text form is `<microseconds>_<stream>_<division>_<number>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RatingOrder {
    pub finished_at: Timestamp,
    pub key: Key,
}

impl fmt::Display for RatingOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { stream, division, number } = self.key;
        write!(f, "{}_{stream}_{division}_{number}", self.finished_at.utc().timestamp_micros())
    }
}
impl FromStr for RatingOrder {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let read = || {
            let mut parts = text.splitn(4, '_');
            let finished_at = DateTime::from_timestamp_micros(parts.next()?.parse().ok()?)?.into();
            let stream = parts.next()?.parse().ok()?;
            let division = parts.next()?.parse().ok()?;
            let number = parts.next()?.parse().ok()?;
            Some(Self { finished_at, key: Key { stream, division, number } })
        };
        read().ok_or(InvalidValue { what: "place", allowed: "a place in the order of rated matches" })
    }
}

/// A rated match: it was played or conceded at the table, so it is no bye and no walkover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rated {
    pub key: Key,
    pub finished_at: Timestamp,
    pub length: Length,
    pub winner: PlayerId,
    /// Never the winner: a player who entered twice is not rated against themselves.
    pub loser: PlayerId,
}

impl Rated {
    /// This match's position in the rating order.
    #[must_use]
    pub const fn place(&self) -> RatingOrder {
        RatingOrder { finished_at: self.finished_at, key: self.key }
    }
}

impl Tournament {
    /// A match that was played, or conceded at the table, as it would be rated; `None` of any other.
    #[must_use]
    pub fn played_match(&self, MatchRef { division, number }: MatchRef) -> Option<Rated> {
        let of = self.division(division)?;
        let found = of.bracket.get(number)?;
        found.outcome.filter(|outcome| outcome.ending.is_rated())?;
        let player = |entry| of.entry(entry).map(|entry| entry.player);
        let (winner, loser) = (player(found.winner()?)?, player(found.loser()?)?);
        let key = Key { stream: self.id.0, division: division.0.into(), number: number.0 };
        let finished_at = of.finished_at.get(&number).copied()?;
        Some(Rated { key, finished_at, length: of.length(found), winner, loser })
    }

    /// All of its matches that were played, or conceded at the table.
    pub fn played_matches(&self) -> impl Iterator<Item = Rated> {
        let finished = self.divisions().flat_map(|(division, of)| {
            of.finished_at.keys().map(move |number| MatchRef { division, number: *number })
        });
        finished.filter_map(move |at| self.played_match(at))
    }

    /// Whether the matches of a division are rated.
    #[must_use]
    pub fn is_rated(&self, division: DivisionNo) -> bool {
        self.division(division).is_some_and(|of| of.settings.rated)
    }
}

/// A player's rating and number of rated matches after a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    pub standing: RatedPlayer,
    pub matches: u64,
}

/// A rated history: both players' ratings after each match, winner first, and everybody's total at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The matches in rating order, each with the winner's and the loser's rating after it.
    pub matches: BTreeMap<RatingOrder, (Rated, [RatedPlayer; 2])>,
    pub totals: BTreeMap<PlayerId, Total>,
}

/// Rates all of `matches`. They may come in any order.
#[must_use]
pub fn run(matches: &[Rated], counts: Experience) -> History {
    let mut history = History::default();
    let mut ordered = matches.to_vec();
    ordered.sort_unstable_by_key(Rated::place);
    for one in ordered {
        let standing = |player| history.totals.get(&player).copied().unwrap_or_default().standing;
        let (winner, loser) = rated(standing(one.winner), standing(one.loser), one.length.points(), counts);
        for (player, standing) in [(one.winner, winner), (one.loser, loser)] {
            let total = history.totals.entry(player).or_default();
            *total = Total { standing, matches: total.matches + 1 };
        }
        history.matches.insert(one.place(), (one, [winner, loser]));
    }
    history
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let key = Key { stream: Uuid::from_u128(7), division: 2, number: 31 };
        let place = RatingOrder {
            finished_at: DateTime::from_timestamp_micros(1_790_000_000_123_456).unwrap().into(),
            key,
        };
        assert_eq!(place.to_string().parse(), Ok(place));
        for bad in ["", "1", "x_y_0_0", "1_00000000-0000-0000-0000-000000000007_0", "1_nil_0_0_0"] {
            assert!(bad.parse::<RatingOrder>().is_err(), "{bad}");
        }
    }
}
