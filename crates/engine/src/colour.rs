//! The two sides of a board by colour (G20).

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A side of the board. White counts as the rules' first side; which checkers are really white, a page
/// decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Runs from 1A over 12A and 12 to 1 (K1).
    White,
    /// The other way.
    Black,
}

impl Colour {
    /// Both, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Colour {
    /// As `white`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_colour_has_one_other_and_is_written_as_shown() {
        for colour in Colour::ALL {
            assert_ne!(colour.other(), colour);
            assert_eq!(colour.other().other(), colour);
            assert_eq!(serde_json::to_string(&colour).unwrap(), format!("\"{colour}\""));
        }
    }
}
