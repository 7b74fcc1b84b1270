//! The night: what is being played, and how do I stand?

use askama::Template;

use super::frame::{Choice, Frame};
use super::tournaments::TournamentCard;
use crate::locale::{Amount, Locale};
use owlbox_domain::values::Timestamp;

#[derive(Debug, Template)]
#[template(path = "home.html")]
pub struct Home {
    pub t: Locale,
    pub frame: Frame,
    pub night: Timestamp,
    /// The tables that are open.
    pub open: Vec<OpenTable>,
    /// The tournaments that are not over, the next one first.
    pub tournaments: Vec<TournamentCard>,
    /// How many matches wait for the viewer to rule on what is contested.
    pub contested: usize,
    /// How many have asked for a login, and wait for the viewer.
    pub waiting: usize,
    /// The tables closed this night.
    pub finished: Vec<FinishedTable>,
    /// The sheets of the whole night, one for every unit that is played for: address and label.
    pub settle_up: Vec<(String, String)>,
    /// The viewer's balance in every unit, points first, and whether it is in points; nothing for one who is no player.
    pub balance: Vec<(Amount, bool)>,
    /// Whether the club has too few players for a table yet, and the viewer may add some.
    pub players_first: bool,
    /// Whether the viewer may open a chouette.
    pub may_open: bool,
    pub currencies: Vec<String>,
    /// The sets of house rules to choose from: the club's own, and those that are ready.
    pub house_rules: [Vec<Choice>; 2],
}

/// A chouette that is open.
#[derive(Clone, Debug)]
pub struct OpenTable {
    pub id: String,
    pub name: String,
    /// What a point is worth, as `5 EUR`.
    pub stake: Option<String>,
    /// Who is box, once the order is known.
    pub box_player: Option<String>,
    pub captain: Option<String>,
    pub players: usize,
    pub games: usize,
    /// Whether a game is going on.
    pub playing: bool,
    /// Whether the viewer sits there.
    pub mine: bool,
}

/// A chouette closed this night.
#[derive(Clone, Debug)]
pub struct FinishedTable {
    pub id: String,
    pub name: String,
    pub games: usize,
    /// Who won most, and how much.
    pub best: Option<(String, Amount)>,
}
