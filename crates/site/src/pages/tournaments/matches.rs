//! The pages of one match, and of one player's way through a tournament.

use askama::Template;

use super::Around;
use crate::pages::bracket::{PathStep, State};
use crate::pages::frame::{Frame, LivePart};
use owlbox_locale::Locale;

/// A match in a list.
#[derive(Clone, Debug)]
pub struct MatchLine {
    /// Unique on the page; the `id` of its element.
    pub id: String,
    pub link: String,
    /// Division, flight, round and length.
    pub about: String,
    /// The two players, upper slot first.
    pub names: [String; 2],
    pub won: [bool; 2],
    pub score: Option<[u16; 2]>,
    /// The way it ended. `None` if it was played to the end.
    pub ending: Option<String>,
    /// The table, while the match is called or in progress.
    pub table: Option<u16>,
    /// Whether it is called but has not begun.
    pub called: bool,
    pub at: Option<String>,
}

#[derive(Debug, Template)]
#[template(path = "tournaments/match.html")]
pub struct MatchPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// How the page is fetched again after a change.
    pub live: LivePart,
    pub number: u32,
    pub round: String,
    /// The length of the match in words.
    pub length: String,
    /// The variant, if it is not backgammon.
    pub game: Option<String>,
    pub state: State,
    pub said: String,
    pub sides: [Side; 2],
    /// The events of the match, each with its time.
    pub times: Vec<(String, String)>,
    /// The players' reports of the result, while they wait for the director's confirmation.
    pub reports: Vec<String>,
    /// The page where the viewer reports the result, if they play in it.
    pub own: Option<String>,
    /// Whether to explain how players report their result by their card. Only for viewers who are not signed
    /// in.
    pub by_card: bool,
    pub clock: Option<String>,
    /// The address of the sheet with its games.
    pub sheet: Option<String>,
    /// The next matches of the winner and the loser.
    pub then: Vec<Way>,
    /// The address of the match in the bracket.
    pub bracket: String,
    /// The director's desk, for viewers who work there.
    pub desk: Option<String>,
}

/// A slot of a match.
#[derive(Clone, Debug)]
pub struct Side {
    /// The player, or the match whose winner or loser comes here.
    pub name: String,
    /// The page with the player's matches, or the match they come from.
    pub link: Option<String>,
    /// Whether the player is known.
    pub known: bool,
    pub from: String,
    pub score: Option<u32>,
    /// Whether they won. `None` while nobody has.
    pub won: Option<bool>,
}

/// The match somebody goes to, or came from.
#[derive(Clone, Debug)]
pub struct Way {
    pub label: String,
    pub link: String,
}

/// One player's way through a tournament.
#[derive(Debug, Template)]
#[template(path = "tournaments/entrant.html")]
pub struct EntrantPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// How the page is fetched again after a change.
    pub live: LivePart,
    pub name: String,
    pub from: String,
    /// Their present or next match.
    pub now: Option<Next>,
    /// The sentence shown when they have no match.
    pub idle: String,
    /// The form for reporting the result. Only on the player's own page.
    pub report: Option<ReportForm>,
    /// Their way in each division, entry by entry.
    pub ways: Vec<DivisionWay>,
}

/// A player's present or next match.
#[derive(Clone, Debug)]
pub struct Next {
    /// Its state in a few words: at table 4, waiting for an opponent.
    pub said: String,
    pub against: String,
    pub about: String,
    pub link: String,
    /// Whether it is called or in progress.
    pub now: bool,
}

/// The form in which a player reports the result of their match with one tap.
#[derive(Clone, Debug)]
pub struct ReportForm {
    pub action: String,
    /// The idempotency key: a form that is sent twice counts once.
    pub key: String,
    pub division: u8,
    /// The match the report is about.
    pub number: u32,
    /// The players of the match when the form was made. A report is refused if they have changed.
    pub players: String,
    /// The value that withdraws the report. `None` if the player has not made one.
    pub taken_back: Option<&'static str>,
    /// The reports of both players so far.
    pub said: Vec<String>,
    /// The opponent's report, to be confirmed with one tap, unless the player has reported the same.
    pub confirm: Option<Tap>,
    /// The results to choose from, by the loser's points: the player's wins, then their losses.
    pub taps: [(String, Vec<Tap>); 2],
}

/// A result the player can report.
#[derive(Clone, Debug)]
pub struct Tap {
    /// The score on the button, the player's own points first.
    pub label: String,
    /// The score that is sent, upper slot first.
    pub score: String,
    /// Whether it is what the player has reported.
    pub chosen: bool,
}

/// The way of an entry through its division.
#[derive(Clone, Debug)]
pub struct DivisionWay {
    /// The division and the entry's number, in words.
    pub title: String,
    /// The same way in the bracket.
    pub bracket: String,
    /// The state of the entry in words.
    pub standing: String,
    pub steps: Vec<PathStep>,
}
