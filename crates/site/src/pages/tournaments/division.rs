//! The pages of a division of a tournament: its entries, and its places and prizes.

use askama::Template;

use super::{Around, PageLink};
use crate::pages::bracket::FlightTab;
use crate::pages::frame::{Frame, LivePart};
use crate::pages::sorted::{Column, ColumnHeading};
use owlbox_locale::Locale;
use owlbox_play::tournament::entry::{Entry, EntryStanding};

/// The kind of entries that a reader wants to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownEntries {
    #[default]
    All,
    /// Those who are in the room.
    Here,
    /// Those who wait for a slot.
    Waiting,
    /// Those who no longer play.
    Left,
}

impl ShownEntries {
    pub const ALL: [Self; 4] = [Self::All, Self::Here, Self::Waiting, Self::Left];

    /// Its name in addresses; empty for all.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Here => "here",
            Self::Waiting => "waiting",
            Self::Left => "left",
        }
    }

    /// The kind with this name. An unknown name gives all.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or_default()
    }

    #[must_use]
    pub fn label(self, t: &Locale) -> String {
        t.get(match self {
            Self::All => "list-all",
            Self::Here => "list-here",
            Self::Waiting => "list-waiting",
            Self::Left => "list-left",
        })
    }

    /// Whether an entry is of this kind.
    #[must_use]
    pub fn has(self, entry: &Entry) -> bool {
        match self {
            Self::All => true,
            Self::Here => entry.checked_in && !entry.standing.is_out(),
            Self::Waiting => entry.standing == EntryStanding::Waiting,
            Self::Left => entry.standing.is_out(),
        }
    }
}

/// A table of a division's page: what stands above it, and how it is printed.
#[derive(Clone, Debug)]
pub struct DivisionTable {
    /// The tournament, the division and the day, for the head of a printed list.
    pub heading: String,
    pub columns: Vec<ColumnHeading>,
    /// What was searched for.
    pub search: String,
    /// The fields of the address that a search keeps.
    pub kept: Vec<(&'static str, String)>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
    /// The address of the whole table. `None` if this is all of it.
    pub whole: Option<String>,
}

impl DivisionTable {
    /// Whether it has the column of this class.
    #[must_use]
    pub fn has(&self, class: &str) -> bool {
        self.columns.iter().any(|column| column.class == class)
    }
}

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
    /// Links to the kinds of entries.
    pub kinds: Vec<PageLink>,
    pub table: DivisionTable,
    pub rows: Vec<EntryRow>,
}

impl EntriesPage {
    /// The columns by which it can be sorted.
    pub const COLUMNS: [Column; 5] =
        [Column::Name, Column::From, Column::Seed, Column::Status, Column::Number];
}

#[derive(Clone, Debug)]
pub struct EntryRow {
    pub number: u32,
    pub name: String,
    /// The page with the player's matches.
    pub link: String,
    /// Club and country.
    pub from: String,
    /// The side pools it plays for.
    pub pools: String,
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
    pub table: DivisionTable,
    /// The places of the chosen flight.
    pub rows: Vec<PlaceRow>,
    /// The prizes. `None` if no money is played for.
    pub prizes: Option<Prizes>,
}

impl PlacesPage {
    /// The columns by which it can be sorted.
    pub const COLUMNS: [Column; 4] = [Column::Place, Column::Name, Column::From, Column::Prize];
}

#[derive(Clone, Debug)]
pub struct PlaceRow {
    pub entry: u32,
    /// The place, or a range of shared places: `1`, `3–4`.
    pub place: String,
    /// Whether it is the first place, and decided.
    pub won: bool,
    pub name: String,
    /// Club and country.
    pub from: String,
    /// The page with the player's matches.
    pub link: String,
    /// Whether the place is still being played for.
    pub playing: bool,
    /// What the player gets in the division, once that is known.
    pub prize: Option<String>,
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
