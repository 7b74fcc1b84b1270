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
    NotOpen = MatchNotOpen, "the sheet is not open yet", instead Allowed::Commands(&[CommandKind::Open]);
    /// The sheet has been opened; `open` comes only once.
    AlreadyOpen = MatchAlreadyOpen, "the sheet is open already";
    /// The money session is closed. It still takes corrections, contests and payments.
    SessionClosed = SessionClosed, "the session is closed";
    /// The match has an outcome. It still takes corrections, rulings and contests.
    MatchOver = MatchOver, "the match is over",
        instead Allowed::Commands(&[CommandKind::Correct, CommandKind::Rule]);
    /// The bracket of the tournament now has other players in this match.
    Detached = MatchDetached, "other players play this match of the tournament now";
    /// The command exists for matches only, and this is a money session.
    NotInMoney = NotInMoney, "this is for matches, not for money sessions";
    /// The command exists for money sessions only, and this is a match; payments exist for a match with a
    /// stake, too.
    NotInMatch = NotInMatch, "this is for money sessions, not for matches";
    /// The match is adjourned, and must be resumed first.
    Adjourned = MatchAdjourned, "the match is adjourned", instead Allowed::Commands(&[CommandKind::Resume]);
    /// The match cannot resume, because it is not adjourned.
    NotAdjourned = NotAdjourned, "the match is not adjourned";
    /// A game is on the board, so its result comes from there.
    Refereed = Refereed, "a game is being refereed on the board",
        instead Allowed::Commands(&[CommandKind::Board, CommandKind::AbandonBoard]);
    /// No game is on the board.
    NotRefereed = NotRefereed, "no game is being refereed on the board",
        instead Allowed::Commands(&[CommandKind::StartBoard]);
    /// The players roll in this game, so an action needs the dice they rolled.
    DiceNeeded = DiceNeeded at "action", "the dice that were rolled must be entered";
    /// The service rolls in this game, so no dice are entered.
    DiceDrawn = DiceDrawn at "action", "the service rolls the dice in this game";
    /// The game on the board has as many actions as a game may have.
    TooManyActions {
        /// The most actions in a game.
        most: u32,
    } = TooManyActions, "a game may have at most {most} actions", instead Allowed::HowMany(*most);
    /// Both slots name the same player.
    SamePlayer = SamePlayer at "players", "the two players are the same";
    /// Two of the terms contradict each other.
    ContradictoryTerms {
        /// The first contradiction found, with the keys of both terms.
        contradiction: Contradiction,
    } = ContradictoryTerms at "terms", "{contradiction}", instead Allowed::Terms(*contradiction);
    /// A clock cannot have this setting.
    BadClock = BadClock at "clock",
        "a clock has at most 3,600 seconds a point, 600 a move, and 918,000 for a side";
    /// The sheet has as many games as a sheet may have.
    TooManyGames {
        /// The most games on a sheet.
        most: u32,
    } = TooManyGames, "a sheet may have at most {most} games", instead Allowed::HowMany(*most);
    /// G14, V4: the variant being played does not have this kind of win.
    NoSuchWin {
        /// The kinds of win that it has.
        wins: &'static [Win],
    } = NoSuchWin at "win", "this game has no such win", instead Allowed::Wins(wins);
    /// C3: a dropped game counts as a single win.
    DropIsSingle = DropIsSingle at "win", "a dropped game is a single win";
    /// C9: the cube starts at 1. A turned cube stands higher, and one that was not turned is where automatic
    /// doubles left it.
    CannotBeTurned = CannotBeTurned at "turned",
        "a turned cube is at 2 or higher, and an unturned one is where automatic doubles left it";
    /// C10: the cube does not go this high here.
    CubeAtLimit {
        /// The highest value that the cube may have.
        limit: CubeValue,
    } = CubeAtLimit at "cube", "the cube may not go above {limit}", instead Allowed::Cube(*limit);
    /// The points of a penalty are out of range.
    BadPenalty = BadPenalty at "points", "a penalty is 1 to 255 points", instead Allowed::Text("1 to 255");
    /// Not a possible final score of this match.
    BadScore {
        /// The length of the match.
        length: u16,
        /// The score on the sheet, upper slot's points first.
        so_far: [u16; 2],
    } = BadScore at "score",
        "in a final score exactly one side has {length} points, and neither has fewer than on the sheet",
        instead Allowed::Score { at_least: *so_far, length: *length };
    /// Not a possible outcome of a match of this length.
    BadRuling = BadRuling at "outcome",
        "a ruling names a winner, or nobody if neither came, with a score that fits";
    /// M1: the score decides the match, so no ruling may say otherwise.
    DecidedByScore = DecidedByScore, "the score decides the match: correct a game instead",
        instead Allowed::Commands(&[CommandKind::Correct]);
    /// Nothing can be paid while a game is contested.
    Contested = Contested, "a game is contested: nothing can be paid until that is ruled on or withdrawn",
        instead Allowed::Commands(&[
            CommandKind::RuleContest,
            CommandKind::WithdrawContest,
            CommandKind::Correct,
        ]);
    /// This side owes nothing. Without a stake nobody ever does.
    NothingOwed = NothingOwed at "by", "this side owes the other nothing";
    /// A payment of less than one minor unit, or of more than the side owes.
    BadAmount {
        /// The amount it owes, in minor units.
        most: i64,
    } = BadAmount at "amount", "this side owes {most} and can pay at most that",
        instead Allowed::MinorUnits(*most);
    /// Everything is already as the command would make it.
    NothingChanges = NothingChanges, "this changes nothing";
    /// No finished game on the sheet has this number.
    NoSuchGame {
        /// The number of finished games.
        games: u32,
    } = NoSuchGame at "game", "no finished game on the sheet has this number",
        instead Allowed::HowMany(*games);
    /// Not entered by the other side, contested or ruled on already, or part of a tournament match.
    NotContestable = NotContestable at "game",
        "a side can only contest what the other side entered, outside tournaments and until a scorer has ruled";
    /// There is no contest here to rule on, or none by this side to withdraw.
    NotContested = NotContested at "game", "this is not contested";
    /// Players withdraw from a tournament, and the match is of none.
    NotOfTournament = NotOfTournament at "withdraws",
        "the match is not part of a tournament, so nobody can withdraw from one";
    /// The list of those who withdraw names somebody twice.
    BadList = BadList at "withdraws", "the list names somebody twice";
    /// M3: the Crawford game is played without the cube.
    CrawfordGame = CrawfordGame at "cube", "the Crawford game is played without the cube",
        instead Allowed::Cube(CubeValue::ONE);
    /// M5: under the Holland rule the trailing side may not double yet.
    Holland = Holland at "action",
        "after the Crawford game the trailing side may double from its third turn on";
    /// The command would change the rules of the game that is on the board.
    GameRulesChange = GameRulesChange, "this would change the rules of the game on the board";
    /// After the correction a later game would no longer be possible.
    LaterGame {
        /// The number of that game.
        game: u32,
        /// Whether the match would be over before it. If not, it would be the Crawford game, with the cube
        /// above 1.
        over: bool,
    } = LaterGame, "game {game} would no longer be possible",
        instead Allowed::LaterGame { game: *game, over: *over };
    /// A file can only be imported onto an empty sheet.
    AlreadyScored = AlreadyScored, "the sheet is not empty";
    /// The file is larger than a file may be.
    FileTooLong {
        /// The most bytes it may have.
        most: usize,
    } = FileTooLong at "text", "the text may have at most {most} bytes", instead Allowed::Bytes(*most);
    /// The file is not match text, or its games break the rules.
    BadFile {
        /// Line and column, or the game and its action.
        place: String,
        /// What is wrong there, in English.
        detail: String,
        /// What the file is, if it is no text.
        file: Option<Binary>,
    } = BadFile at "text", "{place}: {detail}",
        instead Allowed::Place { detail: detail.clone(), place: place.clone(), file: *file };
    /// The file is of a match of another length.
    OtherLength {
        /// The length in the file; 0 for a money session.
        found: u16,
    } = OtherLength at "text", "the match length in the file is {found}, where 0 is a money session",
        instead Allowed::Length { found: *found };
    /// The file is of another variant (V1 to V4).
    OtherVariant {
        /// The variant of the file.
        found: Variant,
    } = OtherVariant at "text", "the file holds another game: {found}",
        instead Allowed::Variant { found: *found };
    /// The file begins in the middle of a match.
    NotFromStart = NotFromStart at "text", "the file does not begin at 0-0";
    /// Match text consists of plays, and the sheet has only the result of a game.
    PlaysNotKnown {
        /// The number of the game.
        game: u32,
    } = PlaysNotKnown, "the sheet does not have the plays of game {game}",
        instead Allowed::Game { game: *game };
    /// The sheet has something that match text cannot express.
    Unwritable {
        /// What that is, in English.
        detail: String,
    } = Unwritable, "match text cannot express this: {detail}",
        instead Allowed::Detail { detail: detail.clone() };
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
    } = NotYourClock, "the other side's time is running", instead Allowed::Side(*running);

    =>
    /// A refusal of the engine in a refereed game. The code is the engine's too.
    Board {
        refusal: owlbox_engine::game::Refusal,
    } at "action", "{refusal}";
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
