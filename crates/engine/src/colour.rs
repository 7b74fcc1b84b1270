//! The two sides of a board by colour (G20).

use std::fmt;

/// One of the two sides. White is the rules' first side; the colours a board shows are up to its page.
#[cfg_attr(
    doc,
    doc = r#"
```
use owlbox_engine::Colour;

assert_eq!(Colour::White.other(), Colour::Black);
assert_eq!(Colour::White.to_string(), "white");
```"#
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Colour {
    /// Runs from 1A over 12A and 12 to 1 (K1).
    White,
    /// Runs from 1 over 12 and 12A to 1A, against White (K1).
    Black,
}

impl Colour {
    /// Both colours, with White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other side of the board.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Colour {
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
    fn each_colour_has_one_other() {
        for colour in Colour::ALL {
            assert_ne!(colour.other(), colour);
            assert_eq!(colour.other().other(), colour);
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_colour_is_written_as_shown() {
        for colour in Colour::ALL {
            assert_eq!(serde_json::to_string(&colour).unwrap(), format!("\"{colour}\""));
        }
    }
}
