//! Tournaments for readers: the list, one tournament, its entries, places and matches, a player's way.
//!
//! | page | address |
//! |---|---|
//! | [`TournamentsPage`] | `/tournaments?after=` |
//! | [`TournamentPage`] | `/tournaments/{id}` |
//! | [`EntriesPage`] | `/tournaments/{id}/{division}/entries?q=&status=&sort=&order=&after=&all=` |
//! | [`PlacesPage`] | `/tournaments/{id}/{division}/places?flight=&q=&sort=&order=&from=&all=` |
//! | [`MatchPage`] | `/tournaments/{id}/{division}/matches/{match}` |
//! | [`EntrantPage`] | `/tournaments/{id}/players/{player}`; by the link of an entry, `/e/{link}`, which takes the report of a result: `match score key` |
//!
//! The bracket, the draw, paper and the screen on the wall are in [`bracket`](super::bracket).

mod division;
mod matches;
#[cfg(test)]
pub(crate) mod samples;

use askama::Template;

use super::frame::{Frame, LivePart};
use owlbox_locale::Locale;

pub use super::around::{Around, PageLink};
pub use division::{
    DivisionTable, EntriesPage, EntryRow, PlaceRow, PlacesPage, PrizeRow, Prizes, ShownEntries,
};
pub use matches::{DivisionWay, EntrantPage, MatchLine, MatchPage, Next, ReportForm, Side, Tap, Way};

/// The list of tournaments: those to come or in progress, and those that are over.
#[derive(Debug, Template)]
#[template(path = "tournaments/list.html")]
pub struct TournamentsPage {
    pub t: Locale,
    pub frame: Frame,
    /// Tournaments that are not over, the next one first. Empty on later pages.
    pub open: Vec<TournamentCard>,
    /// Tournaments that are over, the newest first.
    pub past: Vec<TournamentCard>,
    /// Whether this is the first page of the list.
    pub first: bool,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
    /// Whether the viewer may announce a tournament.
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
    /// The number of its entries.
    pub entries: usize,
    /// How many matches are called or in progress.
    pub playing: usize,
    /// The winners of the divisions that are over.
    pub winners: Vec<Winner>,
    pub cancelled: bool,
}

/// The winner of a division.
#[derive(Clone, Debug)]
pub struct Winner {
    /// The division. `None` if it is the only one.
    pub division: Option<String>,
    pub name: String,
}

/// The home page of a tournament.
#[derive(Debug, Template)]
#[template(path = "tournaments/tournament.html")]
pub struct TournamentPage {
    pub t: Locale,
    pub frame: Frame,
    /// How the page is fetched again after a change.
    pub live: LivePart,
    pub name: String,
    /// Day, place and state, in words.
    pub facts: Vec<String>,
    /// That it was cancelled, and why.
    pub cancelled: Option<String>,
    pub winners: Vec<Winner>,
    pub divisions: Vec<DivisionCard>,
    /// Matches in progress, in the order in which they were called.
    pub playing: Vec<MatchLine>,
    /// How many more matches are in progress than are shown.
    pub playing_more: usize,
    /// How many matches wait for a table.
    pub waiting: usize,
    /// The latest results, newest first.
    pub latest: Vec<MatchLine>,
    /// What can be won, in words.
    pub prizes: Option<String>,
    pub rules: Option<String>,
    /// The director's desk, for viewers who work there.
    pub desk: Option<String>,
    /// The page of payments, for viewers who do nothing else in the tournament.
    pub money: Option<String>,
    /// The page where the viewer can enter, while they may.
    pub enter: Option<String>,
    /// The viewer's own page, if they have an entry.
    pub mine: Option<String>,
    /// The address of the screen on the wall.
    pub screen: String,
    /// What to copy into another site's page, for each division. Only of a public tournament.
    pub embeds: Vec<Embed>,
}

/// The link and the HTML element that show a division in another site's page.
#[derive(Clone, Debug)]
pub struct Embed {
    /// The division. `None` if it is the only one.
    pub division: Option<String>,
    pub link: String,
    pub element: String,
}

/// A division on the tournament's home page.
#[derive(Clone, Debug)]
pub struct DivisionCard {
    pub number: u8,
    pub name: String,
    /// The number of its entries.
    pub entries: usize,
    /// What is played: format, clock, rule for moves.
    pub facts: Vec<String>,
    /// The lengths of the matches: flight or round, and points.
    pub lengths: Vec<(String, String)>,
    /// Entry fees and pools: label and amount.
    pub money: Vec<(String, String)>,
    pub links: Vec<PageLink>,
    /// How many matches are left to play. `None` before the draw.
    pub left: Option<usize>,
    /// What the director can print.
    pub paper: Vec<PageLink>,
}
