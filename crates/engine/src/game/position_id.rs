//! Positions as actions and events write them: GNU position IDs, which are short and which other programs
//! read. Positions that they cannot express have an ID of our own (V4).

use crate::notation::gnu::{InvalidPositionId, from_position_id, position_id};
use crate::position::{MOST_CHECKERS, Position};

/// A position's GNU ID: 14 characters, the side about to move last. In Plakoto and Fevga (V4) it follows the
/// name of the game, as `plakoto-` or `fevga-`, and is longer in Plakoto. It does not say how many checkers
/// have been borne off; the game knows how many there are.
#[cfg_attr(
    doc,
    doc = r#"
```
use owlbox_engine::Variant;
use owlbox_engine::game::PositionId;

let start = Variant::Standard.start();
let id = PositionId::from(start);
assert_eq!(id.as_str(), "4HPwATDgc/ABMA");
assert_eq!(id.position(15), Ok(start));
```"#
)]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "String", into = "String")
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(
    value_type = String,
    pattern = "^(plakoto-[A-Za-z0-9+/]{22}|(fevga-)?[A-Za-z0-9+/]{14})$",
    example = "4HPwATDgc/ABMA"
))]
pub struct PositionId(String);

impl PositionId {
    /// The position, in a game with `checkers` a side.
    ///
    /// # Errors
    /// [`InvalidPositionId`] if more than `checkers` are on the board, or if both sides have borne off
    /// everything.
    pub fn position(&self, checkers: u8) -> Result<Position, InvalidPositionId> {
        from_position_id(&self.0, checkers)
    }

    /// The ID as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Position> for PositionId {
    fn from(position: Position) -> Self {
        Self(position_id(position))
    }
}
impl TryFrom<String> for PositionId {
    type Error = InvalidPositionId;
    fn try_from(text: String) -> Result<Self, InvalidPositionId> {
        from_position_id(&text, MOST_CHECKERS)?;
        Ok(Self(text))
    }
}
impl From<PositionId> for String {
    fn from(id: PositionId) -> Self {
        id.0
    }
}
