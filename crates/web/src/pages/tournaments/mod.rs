//! Tournaments as they are read: the list, one at a glance, its entries, places and matches, a player's way.
//!
//! | page | address |
//! |---|---|
//! | [`TournamentsPage`] | `/tournaments?after=` |
//! | [`TournamentPage`] | `/tournaments/{id}` |
//! | [`EntriesPage`] | `/tournaments/{id}/{division}/entries?q=&after=` |
//! | [`PlacesPage`] | `/tournaments/{id}/{division}/places?flight=&from=` |
//! | [`MatchPage`] | `/tournaments/{id}/{division}/matches/{match}` |
//! | [`EntrantPage`] | `/tournaments/{id}/players/{player}`; by the link of an entry, `/e/{link}`, which takes his report: `match score key` |
//!
//! The bracket, the draw, paper and the screen on the wall are in [`bracket`](super::bracket).

mod division;
mod matches;
#[cfg(test)]
pub(in crate::pages) mod samples;

use askama::Template;

use super::frame::{Frame, LivePart};
use crate::locale::Locale;

pub use division::{EntriesPage, EntryRow, PlaceRow, PlacesPage, PrizeRow, Prizes};
pub use matches::{DivisionWay, EntrantPage, MatchLine, MatchPage, Next, ReportForm, Side, Tap, Way};

/// Tournaments: those that go on, and those that are over.
#[derive(Debug, Template)]
#[template(path = "tournaments/list.html")]
pub struct TournamentsPage {
    pub t: Locale,
    pub frame: Frame,
    /// Those that are not over, the next one first; none on later pages.
    pub open: Vec<TournamentCard>,
    /// Those that are over, the newest first.
    pub past: Vec<TournamentCard>,
    /// Whether it is the first page.
    pub first: bool,
    /// The address of the next page.
    pub next: Option<String>,
    /// Whether the viewer may announce one.
    pub may_open: bool,
}

/// A tournament in a list.
#[derive(Clone, Debug)]
pub struct TournamentCard {
    pub link: String,
    pub name: String,
    pub day: String,
    pub today: bool,
    pub place: Option<String>,
    /// How many entries it has.
    pub entries: usize,
    /// How many matches are called or under way.
    pub playing: usize,
    /// Who has won which division, as far as it is over.
    pub winners: Vec<Winner>,
}

/// Who has won a division.
#[derive(Clone, Debug)]
pub struct Winner {
    /// The division, if there is more than one.
    pub division: Option<String>,
    pub name: String,
}

/// What leads from a page of a tournament to the others.
#[derive(Clone, Debug)]
pub struct Around {
    /// What the tournament is called.
    pub tournament: String,
    pub home: String,
    /// The division, if there is more than one.
    pub division: Option<String>,
    /// The pages of the division.
    pub links: Vec<PageLink>,
}

/// A page of a division.
#[derive(Clone, Debug)]
pub struct PageLink {
    pub label: String,
    pub link: String,
    /// Whether it is the one shown.
    pub here: bool,
}

/// A tournament at a glance.
#[derive(Debug, Template)]
#[template(path = "tournaments/tournament.html")]
pub struct TournamentPage {
    pub t: Locale,
    pub frame: Frame,
    /// What is shown again as soon as it changes.
    pub live: LivePart,
    pub name: String,
    /// Day, place, and how it stands.
    pub facts: Vec<String>,
    pub winners: Vec<Winner>,
    pub divisions: Vec<DivisionCard>,
    /// What is played now: those called first come first.
    pub playing: Vec<MatchLine>,
    /// How many more are played than are shown.
    pub playing_more: usize,
    /// How many matches wait for a table.
    pub waiting: usize,
    /// The latest results, the newest first.
    pub latest: Vec<MatchLine>,
    /// What can be won, in words.
    pub prizes: Option<String>,
    pub rules: Option<String>,
    /// The director's desk, for those who work there.
    pub desk: Option<String>,
    /// The money there, for those who work with nothing else of it.
    pub money: Option<String>,
    /// Where the viewer enters himself, while he may.
    pub enter: Option<String>,
    /// The viewer's own page, where he plays.
    pub mine: Option<String>,
    /// The screen on the wall.
    pub screen: String,
    /// For other sites' pages, for those who direct a public tournament: what to copy for each division.
    pub embeds: Vec<Embed>,
}

/// How a division is shown inside another site's page.
#[derive(Clone, Debug)]
pub struct Embed {
    /// The division, if there is more than one.
    pub division: Option<String>,
    pub link: String,
    pub element: String,
}

/// A division at a glance.
#[derive(Clone, Debug)]
pub struct DivisionCard {
    pub number: u8,
    pub name: String,
    /// How many entries it has.
    pub entries: usize,
    /// Format, clock, moves: what is played.
    pub facts: Vec<String>,
    /// Lengths by flight: what, and to how many points.
    pub lengths: Vec<(String, String)>,
    /// What it costs, and what is in the pools: what, and how much.
    pub money: Vec<(String, String)>,
    pub links: Vec<PageLink>,
    /// How many matches are still to be played; nothing before the draw.
    pub left: Option<usize>,
    /// What its director prints: what, and where.
    pub paper: Vec<PageLink>,
}
