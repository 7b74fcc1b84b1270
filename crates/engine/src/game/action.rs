//! What a side can ask of a game.

use super::position_id::PositionId;
use crate::dice::{Die, Roll};
use crate::play::Steps;
use crate::result::Win;

/// Makes [`Action`] and its [`ActionKind`], so that neither has what the other lacks.
macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)? })*) => {
        /// An action, as `{"action": "double"}`. Who asks for it is said beside it.
        #[cfg_attr(
            doc,
            doc = "
```
use owlbox_engine::game::{Action, ActionKind};

assert_eq!(Action::Double {}.kind(), ActionKind::Double);
```"
        )]
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)
        )]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub enum Action {
            $($(#[$doc])* $name { $($(#[$field_doc])* $field: $type),* },)*
        }

        /// What kind of action: its tag, without what goes with it.
        #[cfg_attr(
            doc,
            doc = "
```
use owlbox_engine::Colour;
use owlbox_engine::game::{ActionKind, Game, GameRules};

let game = Game::new(GameRules::default());
let legal = game.legal_actions(Colour::White);
assert_eq!(legal, [ActionKind::RollOpening, ActionKind::CockedDice]);
```"
        )]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(rename_all = "snake_case")
        )]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub enum ActionKind {
            $($(#[$doc])* $name,)*
        }

        impl ActionKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }

        impl Action {
            /// Its kind.
            #[must_use]
            pub const fn kind(&self) -> ActionKind {
                match self { $(Self::$name { .. } => ActionKind::$name),* }
            }
        }
    };
}

actions! {
    /// The opening roll (G3): one die each. Either side may ask for it. Drawn dice are drawn until they
    /// are no tie.
    RollOpening {
        /// What was thrown on the table; without it, the service draws.
        #[cfg_attr(feature = "serde", serde(default))]
        dice: Option<OpeningDice>,
    }
    /// The roll of the side on turn (G4, G18), which thereby does not double. In the inverse game the side
    /// on turn asks for it too, though the other throws (V1). Asked for by the side that waits, it is a roll
    /// before the other has lifted its dice: it stands, and there is no double at that turn any more (I3).
    Roll {
        /// What was thrown on the table; without it, the service draws.
        #[cfg_attr(feature = "serde", serde(default))]
        #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
        dice: Option<Roll>,
    }
    /// Dice that are cocked (I1) and will be thrown again: recorded, and not counted as a roll.
    CockedDice {}
    /// The roll is played and the dice are lifted.
    Play {
        /// What is moved, in order.
        steps: Steps,
    }
    /// Nothing can be moved, and the turn is lost (G8, G17).
    Pass {}
    /// The dice are lifted over a board that is no legal play (I2).
    LeaveBoard {
        /// What stands there, the other side being about to move.
        position: PositionId,
    }
    /// The other side's incomplete or illegal play stands (I2). Rolling, doubling, playing and passing say
    /// the same.
    AcceptPlay {}
    /// The other side's incomplete or illegal play is sent back, to be played legally (I2).
    SendBack {}
    /// The cube is offered (C2).
    Double {}
    /// The cube just offered is offered back (C7, C8): a beaver, a raccoon, an otter.
    Beaver {}
    /// The cube offered is taken (C4).
    Take {}
    /// The cube offered is dropped, and the game lost (C3).
    Drop {}
    /// The game is offered as lost.
    Resign {
        /// As what.
        win: Win,
    }
    /// The other side's resignation is accepted.
    AcceptResignation {}
    /// It is not, and the game goes on.
    RejectResignation {}
}

/// The opening roll: a die of each side (G3).
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::game::{Action, Event, Game, GameRules, OpeningDice};
use owlbox_engine::{Colour, Die};

let game = Game::new(GameRules::default());
let dice = Some(OpeningDice { white: Die::ONE, black: Die::THREE });
let events = game.decide(Colour::White, &Action::RollOpening { dice }, &mut |_: u32| 0)?;
assert!(matches!(events[..], [Event::Opened { side: Colour::Black, .. }]));
# Ok::<(), owlbox_engine::game::Refusal>(())
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OpeningDice {
    /// White's.
    pub white: Die,
    /// Black's.
    pub black: Die,
}
