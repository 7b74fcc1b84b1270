//! Which matches are rated, and in which order.
//!
//! A rating follows from all matches before, so their order is part of it: by the moment at which they were finished,
//! and of one moment by stream, division and number. [`run`] rates a whole history from results alone.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use chrono::DateTime;
use uuid::Uuid;

use super::rating::{Experience, RatedPlayer, rated};
use crate::matches::score::Length;
use crate::values::{InvalidValue, PlayerId, Timestamp};

/// What a rated match is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The stream of its tournament, or its own if it is a friendly one.
    pub stream: Uuid,
    /// In which division of the tournament; 0 of a friendly match.
    pub division: u16,
    /// Which there; 0 of a friendly match.
    pub number: u32,
}

/// A match's place in the order in which matches are rated. Written `<microseconds>_<stream>_<division>_<number>`.
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

/// A match that is rated: played to its end, no bye and no walk-over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rated {
    pub key: Key,
    pub finished_at: Timestamp,
    pub length: Length,
    pub winner: PlayerId,
    /// Who lost it: somebody else.
    pub loser: PlayerId,
}

impl Rated {
    /// Its place in the order.
    #[must_use]
    pub const fn place(&self) -> RatingOrder {
        RatingOrder { finished_at: self.finished_at, key: self.key }
    }
}

/// What a player has after his matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    pub standing: RatedPlayer,
    /// How many matches were rated.
    pub matches: u64,
}

/// A history, rated: what both had after each match, the winner first; and what everybody has now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The matches in their order.
    pub matches: BTreeMap<RatingOrder, (Rated, [RatedPlayer; 2])>,
    pub totals: BTreeMap<PlayerId, Total>,
}

/// Rates all of `matches`, whatever their order.
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
