//! A division of a tournament: who is in it, who came where, who gets what.

use askama::Template;

use super::Around;
use crate::locale::Locale;
use crate::pages::bracket::FlightTab;
use crate::pages::frame::{Frame, LivePart};

/// The entries of a division.
#[derive(Debug, Template)]
#[template(path = "tournaments/entries.html")]
pub struct EntriesPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// What is shown again as soon as it changes.
    pub live: LivePart,
    pub count: usize,
    /// How many of them have been seen in the room.
    pub here: usize,
    pub search: String,
    pub rows: Vec<EntryRow>,
    /// The address of the next page.
    pub next: Option<String>,
}

#[derive(Clone, Debug)]
pub struct EntryRow {
    pub number: u32,
    pub name: String,
    /// The way of the player.
    pub link: String,
    /// Club and country, side pools.
    pub about: String,
    /// Its place on the seeding list.
    pub seeded: Option<u32>,
    /// Whether it has been seen in the room.
    pub checked_in: bool,
    /// How it stands, where there is more to say than that it plays.
    pub standing: Option<String>,
    /// Whether it plays no more.
    pub out: bool,
}

#[derive(Debug, Template)]
#[template(path = "tournaments/places.html")]
pub struct PlacesPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// What is shown again as soon as it changes.
    pub live: LivePart,
    pub flights: Vec<FlightTab>,
    /// The places of the flight shown, the best first.
    pub rows: Vec<PlaceRow>,
    /// The address of the next page.
    pub next: Option<String>,
    /// The prizes, where there is money.
    pub prizes: Option<Prizes>,
}

#[derive(Clone, Debug)]
pub struct PlaceRow {
    pub entry: u32,
    /// The place or places: `1`, `3–4`.
    pub place: String,
    /// Whether it is the first place, and decided.
    pub won: bool,
    pub name: String,
    /// The way of the player.
    pub link: String,
    /// Whether it is still played for.
    pub playing: bool,
}

#[derive(Clone, Debug)]
pub struct Prizes {
    /// Whether it was given; else it is due as the places are now.
    pub given: bool,
    /// What is in the pools, and what the house keeps: what, and how much.
    pub pools: Vec<(String, String)>,
    /// While it is open who wins them: the prizes, and how much each is.
    pub prizes: Vec<(String, String)>,
    /// Else who gets what, the most first.
    pub rows: Vec<PrizeRow>,
    /// A match that is still to be played for one of them: its number, and where it is opened.
    pub still_played: Option<(u32, String)>,
}

#[derive(Clone, Debug)]
pub struct PrizeRow {
    pub name: String,
    /// The way of the player.
    pub link: String,
    pub amount: String,
}
