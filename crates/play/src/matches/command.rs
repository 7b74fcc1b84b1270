//! The commands of a sheet. The API, the pages and the command line all take these objects, and whether a
//! command is allowed is decided in `decide`, and `aspects` says which permission each kind of command needs.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::game::{EnteredBy, GameEnding};
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::ClockSetting;
use crate::matches::{Outcome, Slot};
use owlbox_base::json::by_name;
use owlbox_base::values::PlayerId;
use owlbox_engine::game::{Action, DiceSource};
use owlbox_engine::{CubeValue, Win};

/// A command to a sheet, as `{"command": "game", "winner": "upper", "win": "gammon", "cube": 2}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields, remote = "Self")]
#[cfg_attr(feature = "schema", schema(as = SheetCommand))]
#[strum_discriminants(
    name(CommandKind),
    derive(IntoStaticStr, VariantArray, PartialOrd, Ord, Serialize),
    strum(serialize_all = "snake_case"),
    serde(rename_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind a command is; as text, its name.")]
pub enum Command {
    /// Opens the sheet. The first command, and given only once.
    Open {
        /// The two players, upper slot first.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        players: [PlayerId; 2],
        /// What is played, and by which rules: a match or a money session.
        #[serde(deserialize_with = "by_name")]
        terms: Terms,
        /// The setting of the clock; absent if there is none. Only matches have clocks.
        #[serde(default)]
        clock: Option<ClockSetting>,
        /// The match of a tournament that this sheet is for. The service fills it in.
        #[serde(default)]
        of: Option<MatchOfTournament>,
    },

    // The score.
    /// Enters the result of a finished game.
    Game(Entered),
    /// A side resigns the game.
    Resign {
        /// The side that resigns and so loses.
        by: Slot,
        /// The kind of win that the other side gets.
        win: Win,
        /// The value of the cube.
        #[serde(default = "one")]
        cube: CubeValue,
        /// Whether the cube was turned and taken (C9). Without it, true if its value is above 1.
        #[serde(default)]
        turned: Option<bool>,
        /// The side that began the game, if that is known.
        #[serde(default)]
        began: Option<Slot>,
    },
    /// The game is drawn, by agreement or by a director (M8).
    Draw {},
    /// Gives a side points for the other's penalty. A side whose penalties exceed half the length loses the
    /// match.
    Penalty {
        /// The side that gets the points.
        gains: Slot,
        /// The number of points, 1 to 255.
        points: u16,
    },
    /// A side came late. That costs one point after five minutes and one for every five after that. More than
    /// half the length loses the match.
    Late {
        /// The side that came late.
        by: Slot,
        /// How late they came, in minutes.
        minutes: u32,
    },
    /// Enters only the final score of the match.
    Final {
        /// The points, upper slot first. Exactly one side has the length.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: [u16; 2],
    },
    /// A side concedes the match to the other.
    Concede {
        /// The side that concedes and so loses.
        by: Slot,
    },
    /// A director rules on the outcome of the match.
    Rule {
        /// The outcome. Without one the match goes on.
        outcome: Option<Outcome>,
        /// Of a tournament's match: whose players withdraw with the ruling, such as those who did not come.
        /// They go on in no other flight. Without it they go on wherever the format leads them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", schema(max_items = 2))]
        withdraws: Vec<Slot>,
    },
    /// Brings the sheet in line with the bracket of its tournament. Only the service gives this command.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    Follow(InBracket),
    /// A command that enters something, together with the person who gives it. Only the service gives this
    /// command.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    GivenBy {
        by: EnteredBy,
        /// The command as the caller gave it.
        command: Box<Command>,
    },
    /// A side contests what the other has entered in a friendly match or a money session: a game, or the
    /// final score. It counts in no book and no rating until a scorer has ruled.
    Contest {
        /// The side that contests it.
        by: Slot,
        /// The number of the game, from 1. Without it, the final score is contested.
        #[serde(default)]
        game: Option<u32>,
    },
    /// A side withdraws its contest.
    WithdrawContest {
        /// The side that contested it.
        by: Slot,
        /// The number of the game, from 1. Without it, the final score is meant.
        #[serde(default)]
        game: Option<u32>,
    },
    /// A scorer rules on a contest. To change the result of a contested game they use `correct` instead.
    RuleContest {
        /// The number of the game, from 1. Without it, the final score is meant.
        #[serde(default)]
        game: Option<u32>,
        /// Whether it stands as entered or is void.
        ruling: ContestRuling,
    },
    /// One player reports this alone. If it would decide the match, it waits until the other reports the
    /// same. Only the service gives this command.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    Claim {
        /// The side that reports it.
        by: Slot,
        /// The command that the player gave.
        command: Box<Command>,
    },
    /// Corrects a game that was entered wrongly.
    Correct {
        /// The number of the game, from 1.
        game: u32,
        /// The game as it really was.
        now: Entered,
    },
    /// Adjourns the match, which also stops the clock.
    Adjourn {},
    /// Resumes the match after it was adjourned.
    Resume {},
    /// Closes the money session: no more games.
    Close {},
    /// A side of a money session, or of a match with a stake, pays the other what it owes, or part of it.
    /// This changes debts, never the score.
    Pay {
        /// The side that pays, which must owe something.
        by: Slot,
        /// The amount in minor units of the stake's currency: at most what the side owes.
        amount: i64,
    },

    // The board.
    /// Puts the next game on a board, where the engine referees it.
    StartBoard {
        /// Whether the service rolls the dice or the players enter what they rolled.
        dice: DiceSource,
    },
    /// An action on the board. The upper slot is White.
    Board {
        /// The side that acts: the slot, not the colour.
        by: Slot,
        /// The action. Dice are given exactly if the players enter them.
        #[serde(deserialize_with = "by_name")]
        action: Action,
    },
    /// Stops refereeing the game on the board. Its result will be entered instead.
    AbandonBoard {},

    // A file.
    /// Imports a match text (`.mat`), play by play, onto an empty sheet.
    Import {
        /// The whole text: 262,144 bytes at most. Names and other headers in it are not kept.
        text: String,
        /// The side in the left column of the text.
        #[serde(default = "upper")]
        left: Slot,
    },

    // The clock.
    /// Sets the clock, or removes it. Not while it is running.
    SetClock {
        /// The new setting; `null` removes the clock.
        clock: Option<ClockSetting>,
        /// The seconds that the upper and the lower slot have left. Absent means the whole reserve. In
        /// mid-match a director grants, as a rule, the reserve of the points that a side still needs, in the
        /// mean of the two.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        left: Option<[u32; 2]>,
    },
    /// Starts the clock for a side's first move.
    StartClock {
        /// The side whose time starts.
        slot: Slot,
    },
    /// A side has moved and presses the clock: now the other's time runs.
    PressClock {
        /// The side that has moved.
        by: Slot,
    },
    /// Pauses the clock for both sides.
    PauseClock {},
    /// Lets a paused clock run on.
    ResumeClock {},
}

owlbox_base::read_by_value!(Command);

/// A scorer's ruling on a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContestRuling {
    /// The game or the score stands as it was entered.
    Stands,
    /// It is struck: the game counts for nothing or, if it was the final score, the match goes on.
    Void,
}

/// The state of a sheet's match in the bracket of its tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InBracket {
    /// Other players have this match now, or the bracket has no match of this number.
    Others,
    /// The sheet's players have the match. With its outcome, if it has one.
    Theirs(Option<Outcome>),
}

/// The result of a game as somebody enters it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = EnteredGame))]
pub struct Entered {
    /// The side that won the game.
    pub winner: Slot,
    pub win: Win,
    /// The value of the cube at the end. For a drop, the value before the double.
    #[serde(default = "one")]
    pub cube: CubeValue,
    /// How the game ended: played out by default.
    #[serde(default)]
    pub how: GameEnding,
    /// Whether the cube was turned and taken (C9). Without it, true if its value is above 1.
    #[serde(default)]
    pub turned: Option<bool>,
    /// The side that began the game, if that is known.
    #[serde(default)]
    pub began: Option<Slot>,
}

const fn one() -> CubeValue {
    CubeValue::ONE
}

const fn upper() -> Slot {
    Slot::Upper
}
