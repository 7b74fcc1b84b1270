//! The events of a game. They record outcomes - dice, positions, cube values - so that applying one needs no
//! rule, and changing a rule later does not rewrite history.

use super::position_id::PositionId;
use crate::colour::Colour;
use crate::cube::CubeValue;
use crate::dice::{Die, Roll};
use crate::play::Steps;
use crate::result::{Outcome, Win};

/// An event of a game, written as `{"event": "taken", "side": "black", "value": 2, "owner": "black"}`. `side`
/// is the side that acted. A position is the one after the event, seen by the side that is about to move
/// then.
#[cfg_attr(
    doc,
    doc = r#"
```
use owlbox_engine::game::{Action, Event, Game, GameRules, OpeningDice};
use owlbox_engine::{Colour, Die};

let game = Game::new(GameRules::default());
let dice = Some(OpeningDice { white: Die::THREE, black: Die::ONE });
let events = game.decide(Colour::Black, &Action::RollOpening { dice }, &mut |_: u32| 0)?;
assert!(matches!(events[..], [Event::Opened { side: Colour::White, .. }]));
assert_eq!(events[0].kind(), "opened");
# Ok::<(), owlbox_engine::game::Refusal>(())
```"#
)]
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BoardEvent))]
pub enum Event {
    /// The opening roll was a tie (G3).
    OpeningTied {
        /// The number on both dice.
        die: Die,
        /// Where the dice came from.
        source: DiceSource,
        /// The value of the cube after an automatic double (C6); `null` without one.
        doubled_to: Option<CubeValue>,
    },
    /// The opening roll was won (G3). `side` plays both numbers now, or throws again where the variant says
    /// so (V4).
    Opened {
        /// The side that begins the game.
        side: Colour,
        /// The die thrown by White.
        white: Die,
        /// The die thrown by Black.
        black: Die,
        /// Where the dice came from.
        source: DiceSource,
    },
    /// Dice were cocked and did not count (I1).
    DiceCocked {
        /// The side that threw them; in the opening, the side that reported it.
        side: Colour,
    },
    /// Dice were rolled for the turn.
    Rolled {
        /// The side that plays them.
        side: Colour,
        /// The side that threw them: in the inverse game the other one (V1).
        thrower: Colour,
        /// The roll to be played.
        #[cfg_attr(feature = "schema", schema(value_type = [u8; 2], min_items = 2, max_items = 2))]
        roll: Roll,
        /// Where the dice came from.
        source: DiceSource,
    },
    /// Dice were rolled before the other side had lifted its own (I3). The roll stands.
    RolledEarly {
        /// The side that will play them.
        side: Colour,
        /// The roll, for that side's next turn.
        #[cfg_attr(feature = "schema", schema(value_type = [u8; 2], min_items = 2, max_items = 2))]
        roll: Roll,
        /// Where the dice came from.
        source: DiceSource,
    },
    /// A roll was played legally.
    Played {
        /// The side that made the play.
        side: Colour,
        /// The roll that was played.
        #[cfg_attr(feature = "schema", schema(value_type = [u8; 2], min_items = 2, max_items = 2))]
        roll: Roll,
        /// The steps in the order in which they were made.
        steps: Steps,
        /// The board after the play.
        position: PositionId,
    },
    /// A turn was lost (G8, G16).
    Passed {
        /// The side that lost its turn.
        side: Colour,
        /// The roll that could not be played; `null` if a closed-out side did not roll.
        #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
        roll: Option<Roll>,
        /// The unchanged board, the other side being about to move.
        position: PositionId,
    },
    /// The dice were lifted over a board that no legal play leads to (I2).
    BoardLeft {
        /// The side that left it.
        side: Colour,
        /// The roll it should have played.
        #[cfg_attr(feature = "schema", schema(value_type = [u8; 2], min_items = 2, max_items = 2))]
        roll: Roll,
        /// The board as it was left.
        position: PositionId,
    },
    /// The board as it was left was accepted (I2). Rolling, doubling, playing and passing accept it without
    /// this event.
    PlayAccepted {
        /// The side that accepted the board.
        side: Colour,
    },
    /// The play was sent back, to be made legally with the same roll (I2).
    PlaySentBack {
        /// The side that sent it back.
        side: Colour,
        /// The board before the play, to which it returns.
        position: PositionId,
    },
    /// The cube was offered (C2).
    Doubled {
        /// The side that offered the cube.
        side: Colour,
        /// The stake before, which a drop costs.
        before: CubeValue,
        /// The stake if it is taken.
        to: CubeValue,
    },
    /// The cube just offered was offered back (C7, C8).
    Beavered {
        /// The side that offered it back.
        side: Colour,
        /// The place in the row: 1 for a beaver, 2 for a raccoon, 3 for an otter.
        number: u8,
        /// The stake before, which a drop costs.
        before: CubeValue,
        /// The stake if it is taken.
        to: CubeValue,
        /// The side that will own the cube.
        owner: Colour,
    },
    /// The cube was taken (C4, C8).
    Taken {
        /// The side that took the cube.
        side: Colour,
        /// The value of the cube, which is the stake now.
        value: CubeValue,
        /// The side that owns the cube.
        owner: Colour,
    },
    /// The cube was dropped (C3); `finished` follows in the same act.
    Dropped {
        /// The side that dropped the cube.
        side: Colour,
    },
    /// The game was offered as lost.
    Resigned {
        /// The side that offered to resign.
        side: Colour,
        /// The kind of loss that was offered.
        win: Win,
    },
    /// A resignation was accepted; `finished` follows in the same act.
    ResignationAccepted {
        /// The side that accepted it.
        side: Colour,
    },
    /// A resignation was rejected, and the game goes on.
    ResignationRejected {
        /// The side that rejected it.
        side: Colour,
    },
    /// In Plakoto (V4), both mothers are pinned. The game counts nothing and begins anew with an opening
    /// roll.
    Tied {},
    /// The game is over and has a result.
    Finished {
        /// The result with its points.
        outcome: Outcome,
    },
}

impl Event {
    /// The stored name of the event, which is also its serde tag.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::OpeningTied { .. } => "opening_tied",
            Self::Opened { .. } => "opened",
            Self::DiceCocked { .. } => "dice_cocked",
            Self::Rolled { .. } => "rolled",
            Self::RolledEarly { .. } => "rolled_early",
            Self::Played { .. } => "played",
            Self::Passed { .. } => "passed",
            Self::BoardLeft { .. } => "board_left",
            Self::PlayAccepted { .. } => "play_accepted",
            Self::PlaySentBack { .. } => "play_sent_back",
            Self::Doubled { .. } => "doubled",
            Self::Beavered { .. } => "beavered",
            Self::Taken { .. } => "taken",
            Self::Dropped { .. } => "dropped",
            Self::Resigned { .. } => "resigned",
            Self::ResignationAccepted { .. } => "resignation_accepted",
            Self::ResignationRejected { .. } => "resignation_rejected",
            Self::Tied {} => "tied",
            Self::Finished { .. } => "finished",
        }
    }
}

/// The origin of a roll of the dice.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::Colour;
use owlbox_engine::game::{Action, DiceSource, Event, Game, GameRules};

let game = Game::new(GameRules::default());
let mut numbers = [2, 0].into_iter();
let mut chance = |_: u32| numbers.next().unwrap_or_default();
let events = game.decide(Colour::White, &Action::RollOpening { dice: None }, &mut chance)?;
assert!(matches!(events[..], [Event::Opened { source: DiceSource::Drawn, .. }]));
# Ok::<(), owlbox_engine::game::Refusal>(())
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum DiceSource {
    /// The service drew them at random.
    Drawn,
    /// They were thrown on a table and entered.
    Entered,
}
