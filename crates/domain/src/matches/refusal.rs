//! Why a sheet refuses a command. Codes are stable; words live with the pages' locales.
//!
//! If several reasons apply, the first of this order is given:
//!
//! 1. the sheet: `match_already_open`, `match_not_open`, `match_detached`, `session_closed`, `match_over`;
//! 2. what is played: `not_in_money`, `not_in_match`;
//! 3. whether it goes on: `match_adjourned`, `not_adjourned`;
//! 4. the board: `refereed`, `not_refereed`, `dice_needed`, `dice_drawn`, `too_many_actions`;
//! 5. the command's own values;
//! 6. the rules of the match: `crawford_game`, `holland`, `game_rules_change`, `later_game`.

use serde::Serialize;

use super::command::CommandKind;
use super::terms::Contradiction;
use crate::listed::refusals;
use crate::matches::Slot;
use owlbox_engine::{CubeValue, Variant, Win};

refusals! {
    /// Why a command was refused. Nothing has changed.
    pub enum Refusal;

    /// Only `open` can come first.
    NotOpen = MatchNotOpen, "the sheet is not open yet";
    /// `open` comes once.
    AlreadyOpen = MatchAlreadyOpen, "the sheet has been opened already";
    /// The money session is over.
    SessionClosed = SessionClosed, "the session is closed";
    /// The match has its outcome.
    MatchOver = MatchOver, "the match is over";
    /// Others play it now.
    Detached = MatchDetached, "others play this match of the tournament now";
    /// Of matches only.
    NotInMoney = NotInMoney, "this belongs to matches, not to money sessions";
    /// Of money sessions only.
    NotInMatch = NotInMatch, "this belongs to money sessions, not to matches";
    /// The match is adjourned.
    Adjourned = MatchAdjourned, "the match is adjourned";
    /// It is not.
    NotAdjourned = NotAdjourned, "the match is not adjourned";
    /// The engine referees the game and finds that itself.
    Refereed = Refereed, "the game is refereed: this comes from its board";
    /// The game has no board.
    NotRefereed = NotRefereed, "the game is not refereed";
    /// What was thrown is entered in this game.
    DiceNeeded = DiceNeeded, "what was thrown has to be entered";
    /// The service rolls in this game.
    DiceDrawn = DiceDrawn, "the service rolls in this game";
    /// A game has its limit.
    TooManyActions {
        /// How many there may be.
        most: u32,
    } = TooManyActions, "a game may have {most} actions";
    /// Nobody plays himself.
    SamePlayer = SamePlayer, "the two players are one";
    /// Two terms that cannot stand together.
    ContradictoryTerms {
        /// Which, and why.
        contradiction: Contradiction,
    } = ContradictoryTerms, "{contradiction}";
    /// Not what a clock can be set to.
    BadClock = BadClock, "a clock has at most 3,600 seconds a point and 600 a move";
    /// A sheet has its limit.
    TooManyGames {
        /// How many there may be.
        most: u32,
    } = TooManyGames, "a sheet may have {most} games";
    /// G14, V4: the game that is played knows no such win.
    NoSuchWin {
        /// Those that it knows.
        wins: &'static [Win],
    } = NoSuchWin, "the game knows no such win";
    /// C3: a drop counts as a single win.
    DropIsSingle = DropIsSingle, "a game that was dropped is a single win";
    /// C9: the cube began at 1, and turned it stands higher.
    CannotBeTurned = CannotBeTurned, "a cube that was turned stands at 2 at least; one that was not stands where automatic doubles left it";
    /// C10: no cube gets so high here.
    CubeAtLimit {
        /// How high it gets.
        limit: CubeValue,
    } = CubeAtLimit, "the cube may not go above {limit}";
    /// Not a penalty.
    BadPenalty = BadPenalty, "a penalty is 1 to 255 points";
    /// Not a final score.
    BadScore {
        /// The length of the match.
        length: u16,
        /// The score as the sheet has it.
        so_far: [u16; 2],
    } = BadScore, "exactly one side has {length} points in the end, and neither fewer than it had";
    /// Not a ruling.
    BadRuling = BadRuling, "a ruling names a winner, or nobody where neither came, with a score that fits";
    /// M1: the score says who has won.
    DecidedByScore = DecidedByScore, "the score decides the match; correct a game instead";
    /// Nothing is paid before a scorer has ruled.
    Contested = Contested, "a game is contested: nothing is paid before a scorer has ruled, or it is contested no more";
    /// Who owes nothing pays nothing; without a stake nobody owes anything.
    NothingOwed = NothingOwed, "this side owes the other nothing";
    /// Not what a side can pay.
    BadAmount {
        /// What it owes.
        most: i64,
    } = BadAmount, "a side pays at most the {most} that it owes";
    /// Nothing would change.
    NothingChanges = NothingChanges, "this changes nothing";
    /// No game of this number stands on the sheet.
    NoSuchGame {
        /// How many do.
        games: u32,
    } = NoSuchGame, "no such game is on the sheet";
    /// Nobody contests what he has entered himself, what a scorer has entered or ruled, and a match of a tournament.
    NotContestable = NotContestable, "only what the other side has entered in a friendly match or a money session is contested, until a scorer has ruled";
    /// Nothing is to be ruled, or to be taken back.
    NotContested = NotContested, "this is not contested";
    /// M3: the Crawford game is played without the cube.
    CrawfordGame = CrawfordGame, "the Crawford game is played without the cube";
    /// M5: the trailing side may not double yet.
    Holland = Holland, "after the Crawford game the trailing side doubles from its third turn on";
    /// The game on the board would be played by other rules.
    GameRulesChange = GameRulesChange, "the game on the board would be played by other rules";
    /// A later game would not be possible as it is.
    LaterGame {
        /// Which.
        game: u32,
        /// Whether the match would be over before it; otherwise it would be the Crawford game, with the cube above 1.
        over: bool,
    } = LaterGame, "game {game} would not be possible as it is";
    /// A file begins a sheet.
    AlreadyScored = AlreadyScored, "something stands on the sheet already";
    /// Files have their limit.
    FileTooLong {
        /// In bytes.
        most: usize,
    } = FileTooLong, "the text may have {most} bytes";
    /// Not a match text, or against the rules.
    BadFile {
        /// Where: a line, or a game of it.
        place: String,
        /// What is wrong there.
        detail: String,
    } = BadFile, "{place}: {detail}";
    /// Another match.
    OtherLength {
        /// The length in the file; 0 is a money session.
        found: u16,
    } = OtherLength, "the file is of a match to {found} points";
    /// A match of another game (V1 to V4).
    OtherVariant {
        /// The one that the file is of.
        found: Variant,
    } = OtherVariant, "the file is of another game: {found:?}";
    /// The file begins in the middle of a match.
    NotFromStart = NotFromStart, "the file does not begin at 0-0";
    /// Match text tells plays, and the sheet does not know them.
    PlaysNotKnown {
        /// Of which game.
        game: u32,
    } = PlaysNotKnown, "how game {game} was played is not on the sheet";
    /// What match text has no words for.
    Unwritable {
        /// What.
        detail: String,
    } = Unwritable, "match text cannot say this: {detail}";
    /// No clock is set.
    NoClock = NoClock, "there is no clock";
    /// The clock runs.
    ClockRuns = ClockRuns, "the clock runs already";
    /// The clock stands.
    ClockStands = ClockStands, "the clock stands";
    /// The other side's time runs.
    NotYourClock {
        /// Whose time runs.
        running: Slot,
    } = NotYourClock, "the other side's time runs";

    =>
    /// What the engine refuses in a refereed game; the code is the engine's.
    Board {
        /// Its refusal.
        refusal: owlbox_engine::game::Refusal,
    }, "{refusal}";
}

/// What would have been allowed, or what is in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// These commands.
    Commands(&'static [CommandKind]),
    /// So many games or actions.
    HowMany(u32),
    /// So many bytes.
    Bytes(usize),
    /// At most so much.
    MinorUnits(i64),
    /// A number like this, in English.
    Text(&'static str),
    /// At most this cube.
    Cube(CubeValue),
    /// A win of these kinds.
    Wins(&'static [Win]),
    /// These two terms, but not both as they are. Written as their keys.
    Terms(#[serde(serialize_with = "keys")] Contradiction),
    /// The final score of such a match.
    Score {
        /// The score as the sheet has it: neither side has fewer.
        at_least: [u16; 2],
        /// The length of the match, which one side has.
        length: u16,
    },
    /// The game that would not be possible as it is.
    LaterGame {
        /// Which.
        game: u32,
        /// Whether the match would be over before it.
        over: bool,
    },
    /// Where a file is wrong.
    Place {
        /// What is wrong there.
        detail: String,
        /// A line, or a game of it.
        place: String,
    },
    /// The game that is in the way.
    Game {
        /// Which.
        game: u32,
    },
    /// What is in the way, in English.
    Detail {
        /// What.
        detail: String,
    },
    /// The file is of a match to this length.
    Length {
        /// 0 is a money session.
        found: u16,
    },
    /// The file is of this game.
    Variant {
        /// Which.
        found: Variant,
    },
    /// This side's clock.
    Side(Slot),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn keys<S: serde::Serializer>(contradiction: &Contradiction, serializer: S) -> Result<S::Ok, S::Error> {
    contradiction.keys().serialize(serializer)
}

impl Refusal {
    /// The field of the command that is to blame, if one is.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        Some(match self {
            Self::SamePlayer => "players",
            Self::ContradictoryTerms { .. } => "terms",
            Self::BadClock => "clock",
            Self::DropIsSingle | Self::NoSuchWin { .. } => "win",
            Self::CannotBeTurned => "turned",
            Self::CubeAtLimit { .. } | Self::CrawfordGame => "cube",
            Self::BadPenalty => "points",
            Self::NothingOwed => "by",
            Self::BadAmount { .. } => "amount",
            Self::BadScore { .. } => "score",
            Self::BadRuling => "outcome",
            Self::NoSuchGame { .. } | Self::NotContestable | Self::NotContested => "game",
            Self::FileTooLong { .. }
            | Self::BadFile { .. }
            | Self::OtherLength { .. }
            | Self::OtherVariant { .. }
            | Self::NotFromStart => "text",
            Self::Holland | Self::Board { .. } | Self::DiceNeeded | Self::DiceDrawn => "action",
            Self::NotOpen
            | Self::AlreadyOpen
            | Self::SessionClosed
            | Self::MatchOver
            | Self::Detached
            | Self::NotInMoney
            | Self::NotInMatch
            | Self::Adjourned
            | Self::NotAdjourned
            | Self::Refereed
            | Self::NotRefereed
            | Self::TooManyActions { .. }
            | Self::TooManyGames { .. }
            | Self::DecidedByScore
            | Self::Contested
            | Self::NothingChanges
            | Self::GameRulesChange
            | Self::LaterGame { .. }
            | Self::AlreadyScored
            | Self::PlaysNotKnown { .. }
            | Self::Unwritable { .. }
            | Self::NoClock
            | Self::ClockRuns
            | Self::ClockStands
            | Self::NotYourClock { .. } => return None,
        })
    }

    /// What would have been allowed; `None` if nothing would.
    #[must_use]
    pub fn allowed(&self) -> Option<Allowed> {
        Some(match self {
            Self::NotOpen => Allowed::Commands(&[CommandKind::Open]),
            Self::Contested => Allowed::Commands(&[
                CommandKind::RuleContest,
                CommandKind::WithdrawContest,
                CommandKind::Correct,
            ]),
            Self::MatchOver => Allowed::Commands(&[CommandKind::Correct, CommandKind::Rule]),
            Self::Adjourned => Allowed::Commands(&[CommandKind::Resume]),
            Self::Refereed => Allowed::Commands(&[CommandKind::Board, CommandKind::AbandonBoard]),
            Self::NotRefereed => Allowed::Commands(&[CommandKind::StartBoard]),
            Self::DecidedByScore => Allowed::Commands(&[CommandKind::Correct]),
            Self::TooManyActions { most } | Self::TooManyGames { most } => Allowed::HowMany(*most),
            Self::FileTooLong { most } => Allowed::Bytes(*most),
            Self::CubeAtLimit { limit } => Allowed::Cube(*limit),
            Self::BadAmount { most } => Allowed::MinorUnits(*most),
            Self::NoSuchWin { wins } => Allowed::Wins(wins),
            Self::ContradictoryTerms { contradiction } => Allowed::Terms(*contradiction),
            Self::CrawfordGame => Allowed::Cube(CubeValue::ONE),
            Self::BadPenalty => Allowed::Text("1 to 255"),
            Self::BadScore { length, so_far } => Allowed::Score { at_least: *so_far, length: *length },
            Self::NoSuchGame { games } => Allowed::HowMany(*games),
            Self::LaterGame { game, over } => Allowed::LaterGame { game: *game, over: *over },
            Self::BadFile { place, detail } => {
                Allowed::Place { detail: detail.clone(), place: place.clone() }
            }
            Self::PlaysNotKnown { game } => Allowed::Game { game: *game },
            Self::Unwritable { detail } => Allowed::Detail { detail: detail.clone() },
            Self::OtherLength { found } => Allowed::Length { found: *found },
            Self::OtherVariant { found } => Allowed::Variant { found: *found },
            Self::NotYourClock { running } => Allowed::Side(*running),
            Self::AlreadyOpen
            | Self::SessionClosed
            | Self::Detached
            | Self::NotInMoney
            | Self::NotInMatch
            | Self::NotAdjourned
            | Self::DiceNeeded
            | Self::DiceDrawn
            | Self::SamePlayer
            | Self::BadClock
            | Self::DropIsSingle
            | Self::CannotBeTurned
            | Self::BadRuling
            | Self::NothingOwed
            | Self::NothingChanges
            | Self::NotContestable
            | Self::NotContested
            | Self::Holland
            | Self::GameRulesChange
            | Self::AlreadyScored
            | Self::NotFromStart
            | Self::NoClock
            | Self::ClockRuns
            | Self::ClockStands
            | Self::Board { .. } => return None,
        })
    }
}
