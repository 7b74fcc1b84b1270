//! Matches at a glance, and the form that opens one.

use askama::Template;

use crate::locale::Locale;
use crate::pages::playing::PlayingFields;
use crate::pages::{Choice, Frame};

/// Matches: those that go on, and those that are over.
#[derive(Debug, Template)]
#[template(path = "matches/list.html")]
pub struct MatchesPage {
    pub t: Locale,
    pub frame: Frame,
    /// Whose matches they are, if not everybody's.
    pub of: Option<String>,
    /// Those on which something is contested, for whoever may rule on it; none on later pages.
    pub contested: Vec<MatchCard>,
    pub waiting: usize,
    /// Those that go on; none on later pages.
    pub open: Vec<MatchCard>,
    /// Those that are over, the newest first.
    pub over: Vec<MatchCard>,
    /// Whether it is the first page.
    pub first: bool,
    /// The address of the next page.
    pub next: Option<String>,
    /// Asks what a new one is played for, where the viewer may open one.
    pub form: Option<NewMatchForm>,
}

/// A match in a list.
#[derive(Clone, Debug)]
pub struct MatchCard {
    pub link: String,
    pub names: [String; 2],
    pub score: [i64; 2],
    /// Who won, if somebody has.
    pub won: [bool; 2],
    /// What is played for, how many games, when.
    pub facts: Vec<String>,
    pub adjourned: bool,
    /// Whether the viewer plays in it.
    pub mine: bool,
}

/// What a new match is opened with.
#[derive(Clone, Debug)]
pub struct NewMatchForm {
    /// Who may play, the first and the other; empty in a club without players.
    pub players: [Vec<Choice>; 2],
    /// To how many points it is played, as lists offer (M7).
    pub lengths: Vec<u16>,
    /// What was typed, or the usual.
    pub length: String,
    /// Whether the match is to count for the ratings.
    pub rated: bool,
    /// M5.
    pub holland: bool,
    /// What is played, and how high the cube may go.
    pub playing: PlayingFields,
    /// Whether money is asked for.
    pub money: bool,
    /// What a point is worth, as typed.
    pub amount: String,
    pub currencies: Vec<Choice>,
    /// Whether the Jacoby rule is asked for.
    pub jacoby: bool,
    /// How far a double may be redoubled at once (C7, C8).
    pub beavers: Vec<Choice>,
    /// How many ties of the opening roll double the stake (C6), as typed.
    pub automatic_doubles: String,
    /// Whether a clock is asked for.
    pub clock: bool,
    /// Seconds in reserve a point.
    pub reserve: String,
    /// Seconds a move that cost nothing.
    pub delay: String,
    /// Whether it is shown filled in already.
    pub unfolded: bool,
}
