//! The actions a side can ask a game for.

use super::position_id::PositionId;
use crate::dice::{Die, Roll};
use crate::play::Steps;
use crate::result::Win;

/// Makes [`Action`] and [`ActionKind`] from one list, so that they always agree.
macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)? })*) => {
        /// An action, written as `{"action": "double"}`. The side that asks for it is given separately.
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

        /// The kind of an action: its tag, without its fields.
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
            /// Every kind, in the order of the variants.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }

        impl Action {
            /// The kind of this action, which is its tag.
            #[must_use]
            pub const fn kind(&self) -> ActionKind {
                match self { $(Self::$name { .. } => ActionKind::$name),* }
            }
        }
    };
}

actions! {
    /// The opening roll (G3): one die for each side. Either side may ask for it. Drawn dice are drawn again
    /// until they are no tie.
    RollOpening {
        /// The dice thrown on the table; if absent, the service draws.
        #[cfg_attr(feature = "serde", serde(default))]
        dice: Option<OpeningDice>,
    }
    /// The roll of the side on turn (G4, G18), which gives up its double for this turn. In the inverse game
    /// the side on turn asks for it too, although the other side throws (V1). If the waiting side asks for
    /// it, it has rolled before the other side lifted its dice. The roll stands, and that side cannot double
    /// in the turn it is for (I3).
    Roll {
        /// The dice thrown on the table; if absent, the service draws.
        #[cfg_attr(feature = "serde", serde(default))]
        #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
        dice: Option<Roll>,
    }
    /// Cocked dice, which will be thrown again (I1). They are recorded and do not count as a roll.
    CockedDice {}
    /// The roll is played and the dice are lifted.
    Play {
        /// The steps in the order in which they are made.
        steps: Steps,
    }
    /// The turn is lost because nothing can be moved (G8, G17).
    Pass {}
    /// The dice are lifted over a board that no legal play leads to (I2).
    LeaveBoard {
        /// The board as it was left, the other side being about to move.
        position: PositionId,
    }
    /// The other side's incomplete or illegal play stands (I2). Rolling, doubling, playing and passing accept
    /// it as well.
    AcceptPlay {}
    /// The other side's incomplete or illegal play is sent back, to be made legally (I2).
    SendBack {}
    /// The cube is offered at twice its value (C2).
    Double {}
    /// The cube just offered is offered back (C7, C8): a beaver, a raccoon or an otter.
    Beaver {}
    /// The offered cube is taken (C4).
    Take {}
    /// The offered cube is dropped, which loses the game (C3).
    Drop {}
    /// The game is offered as lost.
    Resign {
        /// The kind of loss that is offered.
        win: Win,
    }
    /// The other side's resignation is accepted.
    AcceptResignation {}
    /// The other side's resignation is rejected, and the game goes on.
    RejectResignation {}
}

/// The dice of the opening roll, one for each side (G3).
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
    /// The die thrown by White.
    pub white: Die,
    /// The die thrown by Black.
    pub black: Die,
}
