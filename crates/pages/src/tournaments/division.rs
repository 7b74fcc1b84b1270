//! The pages of a division of a tournament: its entries, and its places and prizes.

use askama::Template;

use super::Around;
use crate::bracket::FlightTab;
use crate::frame::{Frame, LivePart};
use crate::locale::Locale;

/// The list of entries, and the search in it.
#[derive(Debug, Template)]
#[template(path = "tournaments/entries.html")]
pub struct EntriesPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// How the page is fetched again after a change.
    pub live: LivePart,
    pub count: usize,
    /// How many of them have checked in.
    pub here: usize,
    pub search: String,
    pub rows: Vec<EntryRow>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
}

#[derive(Clone, Debug)]
pub struct EntryRow {
    pub number: u32,
    pub name: String,
    /// The page with the player's matches.
    pub link: String,
    /// Club, country and side pools in one line.
    pub about: String,
    /// The place on the seeding list. `None` if unseeded.
    pub seeded: Option<u32>,
    /// Whether the entry has checked in.
    pub checked_in: bool,
    /// The state of the entry in words. `None` while it is simply in play.
    pub standing: Option<String>,
    /// Whether the entry is out of the division.
    pub out: bool,
}

#[derive(Debug, Template)]
#[template(path = "tournaments/places.html")]
pub struct PlacesPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// How the page is fetched again after a change.
    pub live: LivePart,
    pub flights: Vec<FlightTab>,
    /// The places of the chosen flight, the best first.
    pub rows: Vec<PlaceRow>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
    /// The prizes. `None` if no money is played for.
    pub prizes: Option<Prizes>,
}

#[derive(Clone, Debug)]
pub struct PlaceRow {
    pub entry: u32,
    /// The place, or a range of shared places: `1`, `3–4`.
    pub place: String,
    /// Whether it is the first place, and decided.
    pub won: bool,
    pub name: String,
    /// The page with the player's matches.
    pub link: String,
    /// Whether the place is still being played for.
    pub playing: bool,
}

#[derive(Clone, Debug)]
pub struct Prizes {
    /// Whether the prizes were paid out. Otherwise they are what the present places would give.
    pub given: bool,
    /// The pools and the house's cut: label and amount.
    pub pools: Vec<(String, String)>,
    /// The prizes and their amounts, while their winners are open.
    pub prizes: Vec<(String, String)>,
    /// The winners, the largest prize first, once they are known.
    pub rows: Vec<PrizeRow>,
    /// A match that still has to be played for one of the prizes: its number and address.
    pub still_played: Option<(u32, String)>,
}

#[derive(Clone, Debug)]
pub struct PrizeRow {
    pub name: String,
    /// The page with the player's matches.
    pub link: String,
    pub amount: String,
}
