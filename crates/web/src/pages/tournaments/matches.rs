//! One match, and one player's way through a tournament.

use askama::Template;

use super::Around;
use crate::locale::Locale;
use crate::pages::bracket::{PathStep, State};
use crate::pages::frame::{Frame, LivePart};

/// A match in a list.
#[derive(Clone, Debug)]
pub struct MatchLine {
    /// What tells it from the others on the page.
    pub id: String,
    pub link: String,
    /// Division, flight, round and length.
    pub about: String,
    /// Both players, upper and lower slot.
    pub names: [String; 2],
    pub won: [bool; 2],
    pub score: Option<[u16; 2]>,
    /// How it ended, if not in the usual way.
    pub ending: Option<String>,
    /// The table, while it is called or under way.
    pub table: Option<u16>,
    /// Whether it is called, and has not begun.
    pub called: bool,
    pub at: Option<String>,
}

#[derive(Debug, Template)]
#[template(path = "tournaments/match.html")]
pub struct MatchPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// What is shown again as soon as it changes.
    pub live: LivePart,
    pub number: u32,
    pub round: String,
    /// To how many points, in words.
    pub length: String,
    /// What is played, if it is another game.
    pub game: Option<String>,
    pub state: State,
    pub said: String,
    pub sides: [Side; 2],
    /// When what happened: what, and when.
    pub times: Vec<(String, String)>,
    /// What players have said of the result, while it waits for a word of the director.
    pub reports: Vec<String>,
    /// Where the viewer says how it ended, if he plays it.
    pub own: Option<String>,
    /// Whether who plays it is told how he can say that: nobody is signed in.
    pub by_card: bool,
    pub clock: Option<String>,
    /// Where its games are written down.
    pub sheet: Option<String>,
    /// Where winner and loser go.
    pub then: Vec<Way>,
    /// The match in the bracket.
    pub bracket: String,
    /// The director's desk, for those who work there.
    pub desk: Option<String>,
}

/// A slot of a match.
#[derive(Clone, Debug)]
pub struct Side {
    /// Who, or whose winner or loser.
    pub name: String,
    /// The way of the player, or the match he comes from.
    pub link: Option<String>,
    /// Whether it is a player.
    pub known: bool,
    pub from: String,
    pub score: Option<u32>,
    /// Whether he won; nothing as long as nobody has.
    pub won: Option<bool>,
}

/// Where somebody goes from a match, or came from.
#[derive(Clone, Debug)]
pub struct Way {
    pub label: String,
    pub link: String,
}

/// A player's way through a tournament.
#[derive(Debug, Template)]
#[template(path = "tournaments/entrant.html")]
pub struct EntrantPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// What is shown again as soon as it changes.
    pub live: LivePart,
    pub name: String,
    pub from: String,
    /// What he plays now, or next.
    pub now: Option<Next>,
    /// What to say where he plays nothing.
    pub idle: String,
    /// Where the player himself looks and plays: how he says the result.
    pub report: Option<ReportForm>,
    /// His way in each division, entry by entry.
    pub ways: Vec<DivisionWay>,
}

/// What somebody plays now, or next.
#[derive(Clone, Debug)]
pub struct Next {
    /// In a few words: at table 4, waiting for an opponent.
    pub said: String,
    pub against: String,
    pub about: String,
    pub link: String,
    /// Whether he is called, or plays.
    pub now: bool,
}

/// How a player says how his match ended: one tap.
#[derive(Clone, Debug)]
pub struct ReportForm {
    pub action: String,
    /// Makes a form that is sent twice do nothing twice.
    pub key: String,
    pub division: u8,
    /// Which match he says it of.
    pub number: u32,
    /// Who sat in it when the form was made.
    pub players: String,
    /// What takes back what he has said; nothing if he has said nothing.
    pub taken_back: Option<&'static str>,
    /// What both have said so far.
    pub said: Vec<String>,
    /// What he can say: that he won, and that he lost; by the loser's points.
    pub taps: [(String, Vec<Tap>); 2],
}

/// A result that can be said.
#[derive(Clone, Debug)]
pub struct Tap {
    /// As it is shown, his own points first.
    pub label: String,
    /// As it is sent: upper and lower slot.
    pub score: String,
    /// Whether it is what he has said.
    pub chosen: bool,
}

/// The way of an entry.
#[derive(Clone, Debug)]
pub struct DivisionWay {
    /// The division and the entry's number, in words.
    pub title: String,
    /// The same way in the bracket.
    pub bracket: String,
    /// How the entry stands, in words.
    pub standing: String,
    pub steps: Vec<PathStep>,
}
