//! The outcome of a match, no matter who plays it or where: in a bracket or between two friends.

use serde::{Deserialize, Serialize};

/// The number of a match in a bracket, from 1. A match that feeds another has the lower number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct MatchNo(pub u32);

/// The two slots of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// The side drawn in the upper line, shown first.
    Upper,
    /// The side drawn in the lower line, shown second.
    Lower,
}

impl Slot {
    /// Both slots, upper first.
    pub const BOTH: [Self; 2] = [Self::Upper, Self::Lower];

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }

    /// Its name in commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Upper => "upper",
            Self::Lower => "lower",
        }
    }

    /// The value of this slot, of a list of two.
    #[must_use]
    pub fn choose<T>(self, [upper, lower]: [T; 2]) -> T {
        match self {
            Self::Upper => upper,
            Self::Lower => lower,
        }
    }

    /// The pair with this slot's value first. Applied twice it gives the pair again.
    #[must_use]
    pub fn first<T>(self, [upper, lower]: [T; 2]) -> [T; 2] {
        match self {
            Self::Upper => [upper, lower],
            Self::Lower => [lower, upper],
        }
    }

    /// The index in a list of two.
    pub(crate) const fn at(self) -> usize {
        match self {
            Self::Upper => 0,
            Self::Lower => 1,
        }
    }
}

/// The way in which a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The match was played to its end.
    Played,
    /// One side conceded during play.
    Conceded,
    /// One side did not come: the other gets a walkover.
    Walkover,
    /// One side lost it by ruling: too late, or out of time.
    Forfeit,
    /// Neither side came, so nobody advances.
    DoubleForfeit,
    /// One side was disqualified in it.
    Disqualified,
    /// One side, or both, had left the event or their last chance. Set automatically; nobody advances if
    /// nobody is left.
    Withdrawn,
    /// One slot is empty, or both are. Set automatically.
    Bye,
    /// A second final that became unnecessary with the first. Set automatically.
    NotNeeded,
}

impl Ending {
    /// Whether the ending follows from who is in the slots, and is recomputed when that changes.
    #[must_use]
    pub const fn is_automatic(self) -> bool {
        matches!(self, Self::Withdrawn | Self::Bye | Self::NotNeeded)
    }

    /// Whether the match counts for the ratings: played, or conceded at the table.
    #[must_use]
    pub const fn is_rated(self) -> bool {
        matches!(self, Self::Played | Self::Conceded)
    }
}

/// The outcome of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = MatchOutcome))]
pub struct Outcome {
    /// The side that advances; `null` if neither came, or neither was there.
    pub winner: Option<Slot>,
    pub ending: Ending,
    /// Points of the upper and the lower slot, if the match was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: Option<[u16; 2]>,
}
