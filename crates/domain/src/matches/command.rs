//! What can be asked of a sheet.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::game::{EnteredBy, How};
use super::terms::{MatchOfTournament, Terms};
use crate::listed::by_name;
use crate::matches::clock::Setting;
use crate::matches::{Outcome, Slot};
use crate::permissions::{self, Needs, Permission};
use crate::values::PlayerId;
use owlbox_engine::game::{Action, DiceSource};
use owlbox_engine::{CubeValue, Win};

/// A command to a sheet, as `{"command": "game", "winner": "upper", "win": "gammon", "cube": 2}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = SheetCommand))]
#[strum_discriminants(
    name(CommandKind),
    derive(IntoStaticStr, VariantArray, PartialOrd, Ord, Serialize),
    strum(serialize_all = "snake_case"),
    serde(rename_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind a command is; as text, its name.")]
pub enum Command {
    /// Opens the sheet; the first command, once.
    Open {
        /// Who plays, upper and lower slot.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        players: [PlayerId; 2],
        /// What for.
        #[serde(deserialize_with = "by_name")]
        terms: Terms,
        /// What the clock is set to, if there is one. Only of a match.
        #[serde(default)]
        clock: Option<Setting>,
        /// Which match of a tournament it is. The service fills it in.
        #[serde(default)]
        of: Option<MatchOfTournament>,
    },

    // The score.
    /// A game is over, in one tap.
    Game(Entered),
    /// A side gives the game up.
    Resign {
        /// Who.
        by: Slot,
        /// As what.
        win: Win,
        /// What the cube stands at.
        #[serde(default = "one")]
        cube: CubeValue,
        /// Whether it was turned and taken (C9); without it, if it stands above 1.
        #[serde(default)]
        turned: Option<bool>,
        /// Who began, if it is known.
        #[serde(default)]
        began: Option<Slot>,
    },
    /// A game is drawn, by agreement or by a director (M8).
    Draw {},
    /// A side has points of the other's penalty. When they come to more than half the length, the match is lost.
    Penalty {
        /// Who has them.
        gains: Slot,
        /// How many: 1 to 255.
        points: u16,
    },
    /// A side came late: one point after five minutes and one for each further five; above half the length the match
    /// is lost.
    Late {
        /// Who.
        by: Slot,
        /// How many minutes.
        minutes: u32,
    },
    /// The final score alone.
    Final {
        /// Points, upper and lower slot: exactly one has the length.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: [u16; 2],
    },
    /// A side gives the match up.
    Concede {
        /// Who.
        by: Slot,
    },
    /// A director's ruling: what came of the match; without an outcome, it goes on.
    Rule {
        /// What.
        outcome: Option<Outcome>,
    },
    /// What the bracket of its tournament says of the match. Only the service gives it.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    Follow(InBracket),
    /// A command that enters something, with who gives it. Only the service says so.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    Told {
        /// Who.
        by: EnteredBy,
        /// What.
        command: Box<Command>,
    },
    /// A side contests what the other has entered, in a friendly match or a money session: a game, or the final score. Until
    /// a scorer has ruled it is in no book and no rating.
    Contest {
        /// Which side.
        by: Slot,
        /// The number of the game, from 1; without it the final score that was stated.
        #[serde(default)]
        game: Option<u32>,
    },
    /// A side contests it no more.
    WithdrawContest {
        /// Which side.
        by: Slot,
        /// As of `contest`.
        #[serde(default)]
        game: Option<u32>,
    },
    /// A scorer rules on what is contested; a game that was entered wrongly is put right by `correct`.
    RuleContest {
        /// As of `contest`.
        #[serde(default)]
        game: Option<u32>,
        /// What of it.
        ruling: ContestRuling,
    },
    /// One of the two says this alone: what would decide the match waits until the other says the same. Only the service
    /// gives it.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    Claim {
        /// Who says so.
        by: Slot,
        /// What.
        command: Box<Command>,
    },
    /// An earlier game was entered wrongly.
    Correct {
        /// Its number, from 1.
        game: u32,
        /// What it really was.
        now: Entered,
    },
    /// The match is adjourned; a clock is stopped.
    Adjourn {},
    /// It goes on.
    Resume {},
    /// The money session is over.
    Close {},
    /// In a money session a side pays the other what it owes, or a part of it. It changes debts, never the score.
    Pay {
        /// Who pays.
        by: Slot,
        /// Minor units of the stake's currency.
        amount: i64,
    },

    // The board.
    /// The next game is refereed on a board.
    StartBoard {
        /// Whether the service rolls, or what was thrown is entered.
        dice: DiceSource,
    },
    /// What happens on it. The upper slot is White.
    Board {
        /// Which side acts.
        by: Slot,
        /// Its action.
        #[serde(deserialize_with = "by_name")]
        action: Action,
    },
    /// The game on the board is not refereed any more, and its result will be entered.
    AbandonBoard {},

    // A file.
    /// A match text (`.mat`), play by play, onto a sheet on which nothing stands yet.
    Import {
        /// The whole text: 262,144 bytes at most. Names and other headers in it are not kept.
        text: String,
        /// Who is in its left column.
        #[serde(default = "upper")]
        left: Slot,
    },

    // The clock.
    /// The clock is set anew, with the whole reserve; or there is none any more.
    SetClock {
        /// To what; `null` takes it away.
        clock: Option<Setting>,
    },
    /// A side's first move begins.
    StartClock {
        /// Whose.
        slot: Slot,
    },
    /// A side has moved: the other's time runs.
    PressClock {
        /// Who has moved.
        by: Slot,
    },
    /// The clock stands.
    PauseClock {},
    /// It runs on.
    ResumeClock {},
}

impl permissions::CommandKind for CommandKind {
    const HISTORY: Needs = Needs::or_for_oneself(Permission::RunMatch, Permission::ActForSelf);
    const OF_SERVICE: &'static [Self] = &[Self::Follow, Self::Told, Self::Claim];

    /// In one's own match for the own side, where it speaks for one.
    fn needs(self) -> Needs {
        match self {
            Self::Open
            | Self::Penalty
            | Self::Late
            | Self::Rule
            | Self::Follow
            | Self::Correct
            | Self::RuleContest
            | Self::AbandonBoard
            | Self::Import => Needs::only(Permission::RunMatch),
            Self::Pay => Needs::only(Permission::RecordPayments),
            Self::Game
            | Self::Told
            | Self::Resign
            | Self::Draw
            | Self::Final
            | Self::Claim
            | Self::Concede
            | Self::Contest
            | Self::WithdrawContest
            | Self::Adjourn
            | Self::Resume
            | Self::Close
            | Self::StartBoard
            | Self::Board
            | Self::SetClock
            | Self::StartClock
            | Self::PressClock
            | Self::PauseClock
            | Self::ResumeClock => Needs::or_for_oneself(Permission::RunMatch, Permission::ActForSelf),
        }
    }
}

/// What a scorer rules of what is contested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContestRuling {
    /// It stands as it was entered.
    Stands,
    /// It never was: the game counts nothing, or the match goes on.
    Void,
}

/// What the bracket of a tournament says of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InBracket {
    /// Others sit in the match, or there is none of its number.
    Others,
    /// Its two play the match, and this has come of it.
    Theirs(Option<Outcome>),
}

/// A game as it is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = EnteredGame))]
pub struct Entered {
    /// Who won it.
    pub winner: Slot,
    /// As what.
    pub win: Win,
    /// What the cube stood at in the end; of a drop, before the double.
    #[serde(default = "one")]
    pub cube: CubeValue,
    /// How it came to its end.
    #[serde(default)]
    pub how: How,
    /// Whether the cube was turned and taken (C9); without it, if it stood above 1.
    #[serde(default)]
    pub turned: Option<bool>,
    /// Who began, if it is known.
    #[serde(default)]
    pub began: Option<Slot>,
}

const fn one() -> CubeValue {
    CubeValue::ONE
}

const fn upper() -> Slot {
    Slot::Upper
}
