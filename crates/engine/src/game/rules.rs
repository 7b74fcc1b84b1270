//! The rules agreed on before the first roll.

use crate::cube::{Animals, CubeValue};
use crate::variant::Variant;

/// The rules of the board, apart from the cube. A missing key takes its default; an unknown one is refused.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::Variant;
use owlbox_engine::game::{BoardRules, CubeRules};

let board = BoardRules { variant: Variant::Nackgammon, ..BoardRules::default() };
assert!(!board.are_usual());
assert_eq!(board.with(CubeRules::default()).variant, Variant::Nackgammon);
```"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardRules {
    /// The game that is played (V1 to V4).
    pub variant: Variant,
    /// Whether nothing is played at all if only the smaller of two numbers can be (G8a).
    pub strict_larger_die: bool,
    /// Whether a side that is closed out rolls (G16, G17).
    pub closed_out: ClosedOut,
}

impl BoardRules {
    /// Whether these are the default rules: backgammon without any options.
    #[must_use]
    pub fn are_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The rules of a game on this board with this cube.
    #[must_use]
    pub const fn with(self, cube: CubeRules) -> GameRules {
        let Self { variant, strict_larger_die, closed_out } = self;
        GameRules { variant, cube, strict_larger_die, closed_out }
    }
}

/// The rules of one game. A missing key takes its default; an unknown one is refused.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::game::{CubeRules, Game, GameRules};

let rules = GameRules { cube: CubeRules::Without {}, ..GameRules::default() };
assert_eq!(Game::new(rules).cube(), None);
```"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameRules {
    /// The game that is played (V1 to V4).
    pub variant: Variant,
    /// Whether and how the cube is used. A variant without a cube ignores it (V4).
    pub cube: CubeRules,
    /// G8a: if only the smaller of two numbers can be played, nothing is played.
    pub strict_larger_die: bool,
    /// Whether a side that is closed out rolls (G16, G17).
    pub closed_out: ClosedOut,
}

/// Whether and how the cube is used (C0).
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::game::{CubeOptions, CubeRules};

assert_eq!(CubeRules::default(), CubeRules::With(CubeOptions::default()));
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "use", rename_all = "snake_case", deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum CubeRules {
    /// The game is played with the cube.
    With(CubeOptions),
    /// The game is played without the cube: the stake is 1, and every kind of win counts.
    Without {},
    /// M3: the Crawford game of a match, without the cube because of the score.
    Crawford {},
}

impl Default for CubeRules {
    fn default() -> Self {
        Self::With(CubeOptions::default())
    }
}

/// The options of the cube. All but the cap belong to money play (M4). They have no meaning without a cube,
/// so they come with it.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::game::CubeOptions;
use owlbox_engine::{Animals, CubeValue};

let money = CubeOptions { jacoby: true, beavers: Animals::Beaver, ..CubeOptions::default() };
assert_eq!(money.limit(), CubeValue::MAX);
```"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CubeOptions {
    /// C9: gammons and backgammons count only once the cube has been offered and taken.
    pub jacoby: bool,
    /// C7, C8: how often a double may be redoubled at once.
    pub beavers: Animals,
    /// C6: how many ties of the opening roll double the stake.
    pub automatic_doubles: u8,
    /// C10: the highest value the cube may reach; `null` for no cap.
    pub cap: Option<CubeValue>,
}

impl CubeOptions {
    /// The highest value the cube may reach (C10): the cap, or [`CubeValue::MAX`] without one.
    #[must_use]
    pub fn limit(&self) -> CubeValue {
        self.cap.unwrap_or(CubeValue::MAX)
    }
}

/// Whether a side that is closed out rolls (G16, G17).
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::game::{ClosedOut, GameRules};

assert_eq!(GameRules::default().closed_out, ClosedOut::Passes);
```"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum ClosedOut {
    /// Its turn passes without a roll.
    #[default]
    Passes,
    /// It rolls, and passes because it cannot enter.
    Rolls,
}
