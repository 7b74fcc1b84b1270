//! What comes of a match, whoever plays it and wherever: in a bracket or between two friends.

use serde::{Deserialize, Serialize};

/// A match of an event's bracket. From 1; who feeds a match has a lower number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct MatchNo(pub u32);

/// The two slots of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// The one drawn above.
    Upper,
    /// The one drawn below.
    Lower,
}

impl Slot {
    /// Both, as they are drawn.
    pub const BOTH: [Self; 2] = [Self::Upper, Self::Lower];

    /// The other of the two.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }

    /// As a place in a list of two.
    pub(crate) const fn at(self) -> usize {
        match self {
            Self::Upper => 0,
            Self::Lower => 1,
        }
    }
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It was played to its end.
    Played,
    /// One gave it up while it was played.
    Conceded,
    /// One did not come: the other walks over.
    Walkover,
    /// One lost it by ruling: too late, out of time.
    Forfeit,
    /// Neither came: nobody advances.
    DoubleForfeit,
    /// One was disqualified in it.
    Disqualified,
    /// One has left the event, or its last chance, or both have: found by itself. Nobody advances if nobody is left.
    Withdrawn,
    /// One slot is empty, or both are: found by itself.
    Bye,
    /// A second final that the first has made unnecessary: found by itself.
    NotNeeded,
}

impl Ending {
    /// Whether it follows from who sits there, and is found anew when that changes.
    #[must_use]
    pub const fn is_automatic(self) -> bool {
        matches!(self, Self::Withdrawn | Self::Bye | Self::NotNeeded)
    }

    /// Whether it counts for the rating: played, or given up at the table.
    #[must_use]
    pub const fn is_rated(self) -> bool {
        matches!(self, Self::Played | Self::Conceded)
    }
}

/// What came of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = MatchOutcome))]
pub struct Outcome {
    /// Who advances; nobody where neither came, or neither was there.
    pub winner: Option<Slot>,
    /// How.
    pub ending: Ending,
    /// Points, upper and lower slot, if it was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: Option<[u16; 2]>,
}
