//! The home page: what is played tonight, and how the viewer stands.

use askama::Template;
use chrono::NaiveDate;

use super::frame::{Choice, Frame};
use super::tournaments::TournamentCard;
use owlbox_base::values::Timestamp;
use owlbox_locale::{Amount, Locale};

#[derive(Debug, Template)]
#[template(path = "home.html")]
pub struct Home {
    pub t: Locale,
    pub frame: Frame,
    pub night: Timestamp,
    pub open: Vec<OpenTable>,
    /// The tournaments that are not over, the next one first.
    pub tournaments: Vec<TournamentCard>,
    /// How many matches have something contested that waits for the viewer's ruling.
    pub contested: usize,
    /// How many requests for a login wait for the viewer's approval.
    pub waiting: usize,
    /// The tables that were closed this night.
    pub finished: Vec<FinishedTable>,
    /// The settling-up pages of the whole night, one for each unit played for: address and label.
    pub settle_up: Vec<(String, String)>,
    /// Whether there are closed tables to look at.
    pub has_past: bool,
    /// The viewer's balance in every unit, points first, with whether it is in points. Empty for a viewer who
    /// is no player.
    pub balance: Vec<(Amount, bool)>,
    /// What the viewer owes: in words, and the address of how to settle it.
    pub owes: Vec<(String, String)>,
    /// Whether the club has too few players for a table yet and the viewer may add some.
    pub players_first: bool,
    /// Whether the viewer may open a chouette.
    pub may_open: bool,
    /// What the form for a new table begins with.
    pub as_before: AsBefore,
    /// The currencies to choose from.
    pub currencies: Vec<Choice>,
    /// The sets of house rules to choose from: the club's own, then those that come with the program.
    pub house_rules: [Vec<Choice>; 2],
}

/// The newest table, from which a new one seldom differs.
#[derive(Clone, Debug, Default)]
pub struct AsBefore {
    /// Its name. Empty while a table of that name is open.
    pub name: String,
    /// Its stake as it would be typed. Empty if no money was played for.
    pub amount: String,
}

#[derive(Clone, Debug)]
pub struct OpenTable {
    pub id: String,
    pub name: String,
    /// What a point is worth, as `5 EUR`. `None` if no money is played for.
    pub stake: Option<String>,
    /// The name of the box, once the order is known.
    pub box_player: Option<String>,
    pub captain: Option<String>,
    pub players: usize,
    pub games: usize,
    /// Whether a game is on.
    pub playing: bool,
    /// Whether the viewer sits there.
    pub mine: bool,
}

/// The nights that are over, newest first.
#[derive(Debug, Template)]
#[template(path = "nights.html")]
pub struct PastNights {
    pub t: Locale,
    pub frame: Frame,
    pub nights: Vec<PastNight>,
    /// The year whose nights are counted on a page of their own, if the viewer may see who came.
    pub year: Option<i32>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
}

#[derive(Clone, Debug)]
pub struct PastNight {
    pub night: NaiveDate,
    pub tables: Vec<FinishedTable>,
    /// The settling-up pages of the whole night, one for each unit played for: address and label.
    pub settle_up: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
pub struct FinishedTable {
    pub id: String,
    pub name: String,
    pub games: usize,
    /// The player who won most, and how much.
    pub best: Option<(String, Amount)>,
}
