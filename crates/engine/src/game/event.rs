//! What can have happened in a game. Events record outcomes - dice, positions, cube values - so that
//! applying one computes no rule, and a later change of a rule rewrites no history.

use super::position_id::PositionId;
use crate::colour::Colour;
use crate::cube::CubeValue;
use crate::dice::{Die, Roll};
use crate::play::Steps;
use crate::result::{Outcome, Win};

/// An event of a game, as `{"event": "taken", "side": "black", "value": 2, "owner": "black"}`. `side` is
/// whose act it is. A position is as it stands afterwards, seen by the side that is then about to move.
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
        /// What both dice showed.
        die: Die,
        /// Where the dice came from.
        source: DiceSource,
        /// What the cube stands at after an automatic double (C6); `null` without one.
        doubled_to: Option<CubeValue>,
    },
    /// The opening roll was won (G3): `side` plays both numbers now, or where the variant says so throws anew (V4).
    Opened {
        /// Who begins.
        side: Colour,
        /// White's die.
        white: Die,
        /// Black's die.
        black: Die,
        /// Where the dice came from.
        source: DiceSource,
    },
    /// Dice were cocked (I1).
    DiceCocked {
        /// Who threw them; in the opening, who said so.
        side: Colour,
    },
    /// Dice were rolled.
    Rolled {
        /// Who plays them.
        side: Colour,
        /// Who threw them: in the inverse game the other side (V1).
        thrower: Colour,
        /// The roll.
        #[cfg_attr(feature = "schema", schema(value_type = [u8; 2], min_items = 2, max_items = 2))]
        roll: Roll,
        /// Where the dice came from.
        source: DiceSource,
    },
    /// Dice were rolled before the other side had lifted its own (I3); they stand.
    RolledEarly {
        /// Who will play them.
        side: Colour,
        /// The roll.
        #[cfg_attr(feature = "schema", schema(value_type = [u8; 2], min_items = 2, max_items = 2))]
        roll: Roll,
        /// Where the dice came from.
        source: DiceSource,
    },
    /// A roll was played.
    Played {
        /// Who.
        side: Colour,
        /// The roll.
        #[cfg_attr(feature = "schema", schema(value_type = [u8; 2], min_items = 2, max_items = 2))]
        roll: Roll,
        /// What was moved, in order.
        steps: Steps,
        /// What came of it.
        position: PositionId,
    },
    /// A turn was lost (G8, G16).
    Passed {
        /// Whose.
        side: Colour,
        /// The roll that could not be played; `null` if a closed-out side did not roll.
        #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
        roll: Option<Roll>,
        /// The board as it was, the other side being about to move.
        position: PositionId,
    },
    /// The dice were lifted over what is no legal play (I2).
    BoardLeft {
        /// By whom.
        side: Colour,
        /// The roll.
        #[cfg_attr(feature = "schema", schema(value_type = [u8; 2], min_items = 2, max_items = 2))]
        roll: Roll,
        /// What stood there.
        position: PositionId,
    },
    /// The board as it was left stands (I2). Rolling, doubling, playing and passing do the same without it.
    PlayAccepted {
        /// Who accepted.
        side: Colour,
    },
    /// The play was sent back, to be made legally with the same roll (I2).
    PlaySentBack {
        /// Who sent it back.
        side: Colour,
        /// The board as it was before.
        position: PositionId,
    },
    /// The cube was offered (C2).
    Doubled {
        /// By whom.
        side: Colour,
        /// The stake before: what a drop costs.
        before: CubeValue,
        /// The stake if it is taken.
        to: CubeValue,
    },
    /// The cube just offered was offered back (C7, C8).
    Beavered {
        /// By whom.
        side: Colour,
        /// Which in the row: 1 a beaver, 2 a raccoon, 3 an otter.
        number: u8,
        /// The stake before: what a drop costs.
        before: CubeValue,
        /// The stake if it is taken.
        to: CubeValue,
        /// Whose the cube will be.
        owner: Colour,
    },
    /// The cube was taken (C4, C8).
    Taken {
        /// By whom.
        side: Colour,
        /// What it stands at.
        value: CubeValue,
        /// Whose it is.
        owner: Colour,
    },
    /// The cube was dropped (C3); `finished` follows in the same act.
    Dropped {
        /// By whom.
        side: Colour,
    },
    /// The game was offered as lost.
    Resigned {
        /// By whom.
        side: Colour,
        /// As what.
        win: Win,
    },
    /// A resignation was accepted; `finished` follows in the same act.
    ResignationAccepted {
        /// Who accepted.
        side: Colour,
    },
    /// A resignation was rejected.
    ResignationRejected {
        /// Who rejected it.
        side: Colour,
    },
    /// V4, Plakoto: both mothers are pinned. The game counts nothing, and begins anew with an opening roll.
    Tied {},
    /// The game is over.
    Finished {
        /// How.
        outcome: Outcome,
    },
}

impl Event {
    /// The stored name of the event, the same as its serde tag.
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

/// Where dice came from.
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
    /// The service drew them.
    Drawn,
    /// They were thrown on a table and entered.
    Entered,
}
