//! Refusals of a sheet. Their codes are stable; the pages' locales have words of their own.
//!
//! If several reasons apply, the first in this order is given:
//!
//! 1. the sheet: `match_already_open`, `match_not_open`, `match_detached`, `session_closed`, `match_over`;
//! 2. what is played: `not_in_money`, `not_in_match`;
//! 3. whether it goes on: `match_adjourned`, `not_adjourned`;
//! 4. the board: `refereed`, `not_refereed`, `dice_needed`, `dice_drawn`, `too_many_actions`;
//! 5. the command's own values;
//! 6. the rules of the match: `crawford_game`, `holland`, `game_rules_change`, `later_game`.

use owlbox_engine::record::Binary;
use serde::Serialize;

use super::command::CommandKind;
use super::terms::Contradiction;
use crate::matches::Slot;
use owlbox_engine::{CubeValue, Variant, Win};

owlbox_base::refusals! {
    /// Why a command was refused. A refused command changes nothing.
    pub enum Refusal;

    /// The sheet has not been opened: the first command must be `open`.
    NotOpen = MatchNotOpen, "the sheet is not open yet";
    /// The sheet has been opened; `open` comes only once.
    AlreadyOpen = MatchAlreadyOpen, "the sheet is open already";
    /// The money session is closed. It still takes corrections, contests and payments.
    SessionClosed = SessionClosed, "the session is closed";
    /// The match has an outcome. It still takes corrections, rulings and contests.
    MatchOver = MatchOver, "the match is over";
    /// The bracket of the tournament now has other players in this match.
    Detached = MatchDetached, "other players play this match of the tournament now";
    /// The command exists for matches only, and this is a money session.
    NotInMoney = NotInMoney, "this is for matches, not for money sessions";
    /// The command exists for money sessions only, and this is a match; payments exist for a match with a
    /// stake, too.
    NotInMatch = NotInMatch, "this is for money sessions, not for matches";
    /// The match is adjourned, and must be resumed first.
    Adjourned = MatchAdjourned, "the match is adjourned";
    /// The match cannot resume, because it is not adjourned.
    NotAdjourned = NotAdjourned, "the match is not adjourned";
    /// A game is on the board, so its result comes from there.
    Refereed = Refereed, "a game is being refereed on the board";
    /// No game is on the board.
    NotRefereed = NotRefereed, "no game is being refereed on the board";
    /// The players roll in this game, so an action needs the dice they rolled.
    DiceNeeded = DiceNeeded, "the dice that were rolled must be entered";
    /// The service rolls in this game, so no dice are entered.
    DiceDrawn = DiceDrawn, "the service rolls the dice in this game";
    /// The game on the board has as many actions as a game may have.
    TooManyActions {
        /// The most actions in a game.
        most: u32,
    } = TooManyActions, "a game may have at most {most} actions";
    /// Both slots name the same player.
    SamePlayer = SamePlayer, "the two players are the same";
    /// Two of the terms contradict each other.
    ContradictoryTerms {
        /// The first contradiction found, with the keys of both terms.
        contradiction: Contradiction,
    } = ContradictoryTerms, "{contradiction}";
    /// A clock cannot have this setting.
    BadClock = BadClock, "a clock has at most 3,600 seconds a point, 600 a move, and 918,000 for a side";
    /// The sheet has as many games as a sheet may have.
    TooManyGames {
        /// The most games on a sheet.
        most: u32,
    } = TooManyGames, "a sheet may have at most {most} games";
    /// G14, V4: the variant being played does not have this kind of win.
    NoSuchWin {
        /// The kinds of win that it has.
        wins: &'static [Win],
    } = NoSuchWin, "this game has no such win";
    /// C3: a dropped game counts as a single win.
    DropIsSingle = DropIsSingle, "a dropped game is a single win";
    /// C9: the cube starts at 1. A turned cube stands higher, and one that was not turned is where automatic
    /// doubles left it.
    CannotBeTurned = CannotBeTurned, "a turned cube is at 2 or higher, and an unturned one is where automatic doubles left it";
    /// C10: the cube does not go this high here.
    CubeAtLimit {
        /// The highest value that the cube may have.
        limit: CubeValue,
    } = CubeAtLimit, "the cube may not go above {limit}";
    /// The points of a penalty are out of range.
    BadPenalty = BadPenalty, "a penalty is 1 to 255 points";
    /// Not a possible final score of this match.
    BadScore {
        /// The length of the match.
        length: u16,
        /// The score on the sheet, upper slot's points first.
        so_far: [u16; 2],
    } = BadScore, "in a final score exactly one side has {length} points, and neither has fewer than on the sheet";
    /// Not a possible outcome of a match of this length.
    BadRuling = BadRuling, "a ruling names a winner, or nobody if neither came, with a score that fits";
    /// M1: the score decides the match, so no ruling may say otherwise.
    DecidedByScore = DecidedByScore, "the score decides the match: correct a game instead";
    /// Nothing can be paid while a game is contested.
    Contested = Contested, "a game is contested: nothing can be paid until that is ruled on or withdrawn";
    /// This side owes nothing. Without a stake nobody ever does.
    NothingOwed = NothingOwed, "this side owes the other nothing";
    /// A payment of less than one minor unit, or of more than the side owes.
    BadAmount {
        /// The amount it owes, in minor units.
        most: i64,
    } = BadAmount, "this side owes {most} and can pay at most that";
    /// Everything is already as the command would make it.
    NothingChanges = NothingChanges, "this changes nothing";
    /// No finished game on the sheet has this number.
    NoSuchGame {
        /// The number of finished games.
        games: u32,
    } = NoSuchGame, "no finished game on the sheet has this number";
    /// Not entered by the other side, contested or ruled on already, or part of a tournament match.
    NotContestable = NotContestable, "a side can only contest what the other side entered, outside tournaments and until a scorer has ruled";
    /// There is no contest here to rule on, or none by this side to withdraw.
    NotContested = NotContested, "this is not contested";
    /// Players withdraw from a tournament, and the match is of none.
    NotOfTournament = NotOfTournament, "the match is of no tournament: nobody can withdraw from one with it";
    /// The list of those who withdraw names somebody twice.
    BadList = BadList, "the list names somebody twice";
    /// M3: the Crawford game is played without the cube.
    CrawfordGame = CrawfordGame, "the Crawford game is played without the cube";
    /// M5: under the Holland rule the trailing side may not double yet.
    Holland = Holland, "after the Crawford game the trailing side may double from its third turn on";
    /// The command would change the rules of the game that is on the board.
    GameRulesChange = GameRulesChange, "this would change the rules of the game on the board";
    /// After the correction a later game would no longer be possible.
    LaterGame {
        /// The number of that game.
        game: u32,
        /// Whether the match would be over before it. If not, it would be the Crawford game, with the cube
        /// above 1.
        over: bool,
    } = LaterGame, "game {game} would no longer be possible";
    /// A file can only be imported onto an empty sheet.
    AlreadyScored = AlreadyScored, "the sheet is not empty";
    /// The file is larger than a file may be.
    FileTooLong {
        /// The most bytes it may have.
        most: usize,
    } = FileTooLong, "the text may have at most {most} bytes";
    /// The file is not match text, or its games break the rules.
    BadFile {
        /// Line and column, or the game and its action.
        place: String,
        /// What is wrong there, in English.
        detail: String,
        /// What the file is, if it is no text.
        file: Option<Binary>,
    } = BadFile, "{place}: {detail}";
    /// The file is of a match of another length.
    OtherLength {
        /// The length in the file; 0 for a money session.
        found: u16,
    } = OtherLength, "the match length in the file is {found}, where 0 is a money session";
    /// The file is of another variant (V1 to V4).
    OtherVariant {
        /// The variant of the file.
        found: Variant,
    } = OtherVariant, "the file is of another game: {found}";
    /// The file begins in the middle of a match.
    NotFromStart = NotFromStart, "the file does not begin at 0-0";
    /// Match text consists of plays, and the sheet has only the result of a game.
    PlaysNotKnown {
        /// The number of the game.
        game: u32,
    } = PlaysNotKnown, "the sheet does not have the plays of game {game}";
    /// The sheet has something that match text cannot express.
    Unwritable {
        /// What that is, in English.
        detail: String,
    } = Unwritable, "match text cannot express this: {detail}";
    /// The match is played without a clock.
    NoClock = NoClock, "there is no clock";
    /// The clock is running already, and must be paused first.
    ClockRuns = ClockRuns, "the clock is running";
    /// The clock is not running, or is not paused.
    ClockStands = ClockStands, "the clock is not running";
    /// The other side's time is running, so this side cannot press the clock.
    NotYourClock {
        /// The side whose time is running.
        running: Slot,
    } = NotYourClock, "the other side's time is running";

    =>
    /// A refusal of the engine in a refereed game. The code is the engine's too.
    Board {
        refusal: owlbox_engine::game::Refusal,
    }, "{refusal}";
}

/// What would have been allowed, or what is in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// One of these commands instead.
    Commands(&'static [CommandKind]),
    /// The highest number of games or actions.
    HowMany(u32),
    /// The highest number of bytes.
    Bytes(usize),
    /// The highest amount, in minor units.
    MinorUnits(i64),
    /// A number of this form, in English.
    Text(&'static str),
    /// The highest value of the cube.
    Cube(CubeValue),
    /// The kinds of win that there are.
    Wins(&'static [Win]),
    /// Two terms that cannot both stay as they are. Written as their keys.
    Terms(#[serde(serialize_with = "keys")] Contradiction),
    /// A possible final score of the match.
    Score {
        /// The score on the sheet: neither side may have fewer points.
        at_least: [u16; 2],
        /// The length of the match: one side must have exactly this many points.
        length: u16,
    },
    /// The later game that would no longer be possible.
    LaterGame {
        /// The number of that game.
        game: u32,
        /// Whether the match would be over before it.
        over: bool,
    },
    /// The place at which a file is wrong.
    Place {
        /// What is wrong there, in English.
        detail: String,
        /// Line and column, or the game and its action.
        place: String,
        /// What the file is, if it is no text.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<Binary>,
    },
    /// The game that is in the way.
    Game {
        /// The number of that game.
        game: u32,
    },
    /// What is in the way, in English.
    Detail {
        /// A phrase such as "points of a penalty".
        detail: String,
    },
    /// The length of the match in the file.
    Length {
        /// In points; 0 for a money session.
        found: u16,
    },
    /// The variant in the file.
    Variant {
        /// The variant, which is not the sheet's.
        found: Variant,
    },
    /// The side whose clock is running.
    Side(Slot),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn keys<S: serde::Serializer>(contradiction: &Contradiction, serializer: S) -> Result<S::Ok, S::Error> {
    contradiction.keys().serialize(serializer)
}

impl Refusal {
    /// The field of the command that is to blame, if a single one is.
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
            Self::NotOfTournament | Self::BadList => "withdraws",
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
            Self::BadFile { place, detail, file } => {
                Allowed::Place { detail: detail.clone(), place: place.clone(), file: *file }
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
            | Self::NotOfTournament
            | Self::BadList
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
