//! What a finished game counts (G14).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of win (G14): what the stake is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Win {
    /// The loser has borne off at least one checker.
    Single,
    /// The loser has borne off none.
    Gammon,
    /// None, and one is still on the bar or in the winner's home.
    Backgammon,
}

impl Win {
    /// Every kind, the likeliest first.
    pub const ALL: [Self; 3] = [Self::Single, Self::Gammon, Self::Backgammon];

    /// Times the cube: 1, 2 or 3.
    #[must_use]
    pub const fn multiplier(self) -> u32 {
        match self {
            Self::Single => 1,
            Self::Gammon => 2,
            Self::Backgammon => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g14_single_gammon_backgammon_count_one_two_three() {
        assert_eq!(Win::ALL.map(Win::multiplier), [1, 2, 3]);
    }
}
