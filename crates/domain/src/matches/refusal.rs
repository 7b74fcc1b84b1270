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

use serde_json::{Value, json};

use super::terms::Contradiction;
use crate::matches::Slot;
use owlbox_engine::{CubeValue, Variant, Win};

/// Makes [`Refusal`] with its codes and sentences from one list.
macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident $({ $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })? = $code:literal, $message:literal;)*) => {
        /// Why a command was refused. Nothing has changed.
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        pub enum Refusal {
            $($(#[$doc])* #[error($message)] $name $({ $($(#[$field_doc])* $field: $type),* })?,)*
        }

        impl Refusal {
            /// Every code there is, but for those of the engine that a refereed game adds.
            pub const CODES: &'static [&'static str] = &[$($code),*];

            const fn own_code(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => $code),*
                }
            }
        }
    };
}

refusals! {
    /// Only `open` can come first.
    NotOpen = "match_not_open", "the sheet is not open yet";
    /// `open` comes once.
    AlreadyOpen = "match_already_open", "the sheet has been opened already";
    /// The money session is over.
    SessionClosed = "session_closed", "the session is closed";
    /// The match has its outcome.
    MatchOver = "match_over", "the match is over";
    /// Others play it now.
    Detached = "match_detached", "others play this match of the tournament now";
    /// Of matches only.
    NotInMoney = "not_in_money", "this belongs to matches, not to money sessions";
    /// Of money sessions only.
    NotInMatch = "not_in_match", "this belongs to money sessions, not to matches";
    /// The match is adjourned.
    Adjourned = "match_adjourned", "the match is adjourned";
    /// It is not.
    NotAdjourned = "not_adjourned", "the match is not adjourned";
    /// The engine referees the game and finds that itself.
    Refereed = "refereed", "the game is refereed: this comes from its board";
    /// The game has no board.
    NotRefereed = "not_refereed", "the game is not refereed";
    /// What was thrown is entered in this game.
    DiceNeeded = "dice_needed", "what was thrown has to be entered";
    /// The service rolls in this game.
    DiceDrawn = "dice_drawn", "the service rolls in this game";
    /// A game has its limit.
    TooManyActions {
        /// How many there may be.
        most: u32,
    } = "too_many_actions", "a game may have {most} actions";
    /// Nobody plays himself.
    SamePlayer = "same_player", "the two players are one";
    /// Two terms that cannot stand together.
    ContradictoryTerms {
        /// Which, and why.
        contradiction: Contradiction,
    } = "contradictory_terms", "{contradiction}";
    /// Not what a clock can be set to.
    BadClock = "bad_clock", "a clock has at most 3,600 seconds a point and 600 a move";
    /// A sheet has its limit.
    TooManyGames {
        /// How many there may be.
        most: u32,
    } = "too_many_games", "a sheet may have {most} games";
    /// G14, V4: the game that is played knows no such win.
    NoSuchWin {
        /// Those that it knows.
        wins: &'static [Win],
    } = "no_such_win", "the game knows no such win";
    /// C3: a drop counts as a single win.
    DropIsSingle = "drop_is_single", "a game that was dropped is a single win";
    /// C9: the cube began at 1, and turned it stands higher.
    CannotBeTurned = "cannot_be_turned", "a cube that was turned stands at 2 at least; one that was not stands where automatic doubles left it";
    /// C10: no cube gets so high here.
    CubeAtLimit {
        /// How high it gets.
        limit: CubeValue,
    } = "cube_at_limit", "the cube may not go above {limit}";
    /// Not a penalty.
    BadPenalty = "bad_penalty", "a penalty is 1 to 255 points";
    /// Not a final score.
    BadScore {
        /// The length of the match.
        length: u16,
        /// The score as the sheet has it.
        so_far: [u16; 2],
    } = "bad_score", "exactly one side has {length} points in the end, and neither fewer than it had";
    /// Not a ruling.
    BadRuling = "bad_ruling", "a ruling names a winner, or nobody where neither came, with a score that fits";
    /// M1: the score says who has won.
    DecidedByScore = "decided_by_score", "the score decides the match; correct a game instead";
    /// Nothing is paid before a scorer has ruled.
    Contested = "contested", "a game is contested: nothing is paid before a scorer has ruled, or it is contested no more";
    /// Who owes nothing pays nothing; without a stake nobody owes anything.
    NothingOwed = "nothing_owed", "this side owes the other nothing";
    /// Not what a side can pay.
    BadAmount {
        /// What it owes.
        most: i64,
    } = "bad_amount", "a side pays at most the {most} that it owes";
    /// Nothing would change.
    NothingChanges = "nothing_changes", "this changes nothing";
    /// No game of this number stands on the sheet.
    NoSuchGame {
        /// How many do.
        games: u32,
    } = "no_such_game", "no such game is on the sheet";
    /// Nobody contests what he has entered himself, what a scorer has entered or ruled, and a match of a tournament.
    NotContestable = "not_contestable", "only what the other side has entered in a friendly match or a money session is contested, until a scorer has ruled";
    /// Nothing is to be ruled, or to be taken back.
    NotContested = "not_contested", "this is not contested";
    /// M3: the Crawford game is played without the cube.
    CrawfordGame = "crawford_game", "the Crawford game is played without the cube";
    /// M5: the trailing side may not double yet.
    Holland = "holland", "after the Crawford game the trailing side doubles from its third turn on";
    /// The game on the board would be played by other rules.
    GameRulesChange = "game_rules_change", "the game on the board would be played by other rules";
    /// A later game would not be possible as it is.
    LaterGame {
        /// Which.
        game: u32,
        /// Whether the match would be over before it; otherwise it would be the Crawford game, with the cube above 1.
        over: bool,
    } = "later_game", "game {game} would not be possible as it is";
    /// A file begins a sheet.
    AlreadyScored = "already_scored", "something stands on the sheet already";
    /// Files have their limit.
    FileTooLong {
        /// In bytes.
        most: usize,
    } = "file_too_long", "the text may have {most} bytes";
    /// Not a match text, or against the rules.
    BadFile {
        /// Where: a line, or a game of it.
        place: String,
        /// What is wrong there.
        detail: String,
    } = "bad_file", "{place}: {detail}";
    /// Another match.
    OtherLength {
        /// The length in the file; 0 is a money session.
        found: u16,
    } = "other_length", "the file is of a match to {found} points";
    /// A match of another game (V1 to V4).
    OtherVariant {
        /// The one that the file is of.
        found: Variant,
    } = "other_variant", "the file is of another game: {found:?}";
    /// The file begins in the middle of a match.
    NotFromStart = "not_from_start", "the file does not begin at 0-0";
    /// Match text tells plays, and the sheet does not know them.
    PlaysNotKnown {
        /// Of which game.
        game: u32,
    } = "plays_not_known", "how game {game} was played is not on the sheet";
    /// What match text has no words for.
    Unwritable {
        /// What.
        detail: String,
    } = "unwritable", "match text cannot say this: {detail}";
    /// No clock is set.
    NoClock = "no_clock", "there is no clock";
    /// The clock runs.
    ClockRuns = "clock_runs", "the clock runs already";
    /// The clock stands.
    ClockStands = "clock_stands", "the clock stands";
    /// The other side's time runs.
    NotYourClock {
        /// Whose time runs.
        running: Slot,
    } = "not_your_clock", "the other side's time runs";
    /// What the engine refuses in a refereed game; the code is the engine's.
    Board {
        /// Its refusal.
        refusal: owlbox_engine::game::Refusal,
    } = "board", "{refusal}";
}

impl Refusal {
    /// The stable code; of what the engine refuses, the engine's.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        if let Self::Board { refusal } = self { refusal.code() } else { self.own_code() }
    }

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

    /// What would have been allowed: commands, a number, a place; `None` if nothing would.
    #[must_use]
    pub fn allowed(&self) -> Option<Value> {
        Some(match self {
            Self::NotOpen => json!(["open"]),
            Self::Contested => json!(["rule_contest", "withdraw_contest", "correct"]),
            Self::MatchOver => json!(["correct", "rule"]),
            Self::Adjourned => json!(["resume"]),
            Self::Refereed => json!(["board", "abandon_board"]),
            Self::NotRefereed => json!(["start_board"]),
            Self::DecidedByScore => json!(["correct"]),
            Self::TooManyActions { most } | Self::TooManyGames { most } => json!(most),
            Self::FileTooLong { most } => json!(most),
            Self::CubeAtLimit { limit } => json!(limit),
            Self::BadAmount { most } => json!(most),
            Self::NoSuchWin { wins } => json!(wins),
            Self::ContradictoryTerms { contradiction } => json!([contradiction.one, contradiction.other]),
            Self::CrawfordGame => json!(1),
            Self::BadPenalty => json!("1 to 255"),
            Self::BadScore { length, so_far } => json!({ "length": length, "at_least": so_far }),
            Self::NoSuchGame { games } => json!(games),
            Self::LaterGame { game, over } => json!({ "game": game, "over": over }),
            Self::BadFile { place, detail } => json!({ "place": place, "detail": detail }),
            Self::PlaysNotKnown { game } => json!({ "game": game }),
            Self::Unwritable { detail } => json!({ "detail": detail }),
            Self::OtherLength { found } => json!({ "found": found }),
            Self::OtherVariant { found } => json!({ "found": found }),
            Self::NotYourClock { running } => json!(running),
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
