//! The list of matches, and the form that opens one.

use askama::Template;

use crate::pages::playing::PlayingFields;
use crate::pages::{Choice, Frame};
use owlbox_locale::Locale;

/// The list of matches: those in progress, and those that are over.
#[derive(Debug, Template)]
#[template(path = "matches/list.html")]
pub struct MatchesPage {
    pub t: Locale,
    pub frame: Frame,
    /// The player whose matches are listed. `None` for everybody's.
    pub of: Option<String>,
    /// Matches with something contested, for a viewer who may rule on it. Empty on later pages.
    pub contested: Vec<MatchCard>,
    pub waiting: usize,
    /// Matches in progress. Empty on later pages.
    pub open: Vec<MatchCard>,
    /// Matches that are over, the newest first.
    pub over: Vec<MatchCard>,
    /// Whether this is the first page of the list.
    pub first: bool,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
    /// The form for a new match, if the viewer may open one.
    pub form: Option<NewMatchForm>,
}

#[derive(Clone, Debug)]
pub struct MatchCard {
    pub link: String,
    pub names: [String; 2],
    pub score: [i64; 2],
    /// Who won. Both `false` as long as nobody has.
    pub won: [bool; 2],
    /// What is played for, the number of games, the date.
    pub facts: Vec<String>,
    pub adjourned: bool,
    /// Whether the viewer plays in it.
    pub mine: bool,
}

/// The form for a new match or money session.
#[derive(Clone, Debug)]
pub struct NewMatchForm {
    /// The choices for the first player and for the second. Empty in a club without players.
    pub players: [Vec<Choice>; 2],
    /// Suggested lengths in points (M7).
    pub lengths: Vec<u16>,
    /// The length as typed, or the usual one.
    pub length: String,
    /// Whether the match is to count for the ratings.
    pub rated: bool,
    /// Whether the Holland rule is asked for (M5).
    pub holland: bool,
    /// The variant, its options, and the cap of the cube.
    pub playing: PlayingFields,
    /// Whether a money session is asked for, not a match.
    pub money: bool,
    /// The stake of the match, or the worth of a point, as typed.
    pub amount: String,
    pub currencies: Vec<Choice>,
    /// Whether the Jacoby rule is asked for (C9).
    pub jacoby: bool,
    /// How far a double may be redoubled at once (C7, C8).
    pub beavers: Vec<Choice>,
    /// How many ties of the opening roll double the stake (C6), as typed.
    pub automatic_doubles: String,
    /// Whether a clock is asked for.
    pub clock: bool,
    /// Seconds of reserve for each point.
    pub reserve: String,
    /// Seconds of each move that cost nothing.
    pub delay: String,
    /// Whether the form is shown unfolded.
    pub unfolded: bool,
}
