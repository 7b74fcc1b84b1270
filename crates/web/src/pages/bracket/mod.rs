//! The bracket of an event on a screen, on paper and on the wall, its draw, and the slips and cards that go with it.
//!
//! Every page is built from the same few things: the [`Bracket`](owlbox_domain::tournament::bracket::Bracket), and what it does not
//! know itself, asked for through [`Known`]: names, lengths, which match is called or under way, where a match is opened.
//! What is shown of it is a [`View`], which is an address: a link keeps flight, section, player and size.
//!
//! * [`window`]: which part of a bracket is shown, so that 65,536 entrants are no larger on a screen than 128;
//! * [`shown`]: that part as columns of matches, for the page, for other sites and for the wall;
//! * [`path`]: one player's way through all flights;
//! * [`paper`]: the bracket as lines on sheets; [`slips`]: what goes with two players to their table; [`cards`]: what goes
//!   with an entry;
//! * [`room`]: the screen on the wall; [`drawing`]: the draw, slot by slot;
//! * [`words`]: what flights, rounds and endings are called.

mod cards;
mod drawing;
mod paper;
mod path;
mod room;
#[cfg(test)]
pub(in crate::pages) mod samples;
mod shown;
mod slips;
#[cfg(test)]
mod tests;
mod window;
mod words;

use askama::Template;

use super::frame::Frame;
use super::tournaments::Around;
use crate::assets;
use crate::locale::Locale;
use owlbox_domain::matches::MatchNo;
use owlbox_domain::matches::score::Length;
use owlbox_domain::tournament::bracket::{Bracket, EntryNo};

pub use cards::{EntryCard, EntryCards};
pub use drawing::{DrawPage, DrawnPair, DrawnSlot};
pub use paper::{Paper, PaperSheet, PaperText, PrintedBracket};
pub use path::{PathShown, PathStep};
pub use room::{Planned, RoomLine, RoomPage, RoomTurn};
pub use shown::{BracketShown, Column, FlightTab, Is, Joined, MatchShown, SlotShown, State, slot_name};
pub use slips::{MatchSlips, Slip};
pub use words::{ending, flight_key, flight_name, round_name, to_points};

/// What a bracket does not know itself.
pub struct Known<'a> {
    pub bracket: &'a Bracket,
    pub name: &'a dyn Fn(EntryNo) -> String,
    /// To how many points the matches of a round are played: flight and round, from 0.
    pub length: &'a dyn Fn(usize, usize) -> Option<Length>,
    /// What is going on in a match.
    pub going: &'a dyn Fn(MatchNo) -> Going,
    /// Where a match is opened, if there is something to open.
    pub link: &'a dyn Fn(MatchNo) -> Option<String>,
}

/// What is going on in a match whose players are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Going {
    #[default]
    Nothing,
    /// The players are called to a table.
    Called { table: String },
    Playing {
        table: Option<String>,
        /// Points so far, upper and lower slot.
        score: Option<[u16; 2]>,
    },
}

/// How large a bracket is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zoom {
    /// As much as can be made out.
    Far,
    /// To be read and tapped.
    #[default]
    Usual,
    /// To be read from a chair away.
    Near,
}

impl Zoom {
    /// Smallest first.
    pub const ALL: [Self; 3] = [Self::Far, Self::Usual, Self::Near];

    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Far => "far",
            Self::Usual => "usual",
            Self::Near => "near",
        }
    }

    /// The size of that name; the usual one for any other.
    #[must_use]
    pub fn from_code(code: &str) -> Self {
        Self::ALL.into_iter().find(|zoom| zoom.code() == code).unwrap_or_default()
    }

    const fn smaller(self) -> Option<Self> {
        match self {
            Self::Far => None,
            Self::Usual => Some(Self::Far),
            Self::Near => Some(Self::Usual),
        }
    }

    const fn larger(self) -> Option<Self> {
        match self {
            Self::Far => Some(Self::Usual),
            Self::Usual => Some(Self::Near),
            Self::Near => None,
        }
    }
}

/// What of a bracket is shown: all that a link to it keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The flight, an index into the bracket's.
    pub flight: usize,
    /// Only what leads to this match; without, as much before the flight's last match as there is room for.
    pub section: Option<MatchNo>,
    pub player: Option<EntryNo>,
    pub zoom: Zoom,
}

impl View {
    /// As the query of an address, from its question mark on.
    #[must_use]
    pub fn query(self) -> String {
        let flight = (self.flight > 0).then(|| format!("flight={}", self.flight));
        let section = self.section.map(|section| format!("section={}", section.0));
        let player = self.player.map(|player| format!("player={}", player.0));
        let zoom = (self.zoom != Zoom::Usual).then(|| format!("zoom={}", self.zoom.code()));
        let parts: Vec<String> = [flight, section, player, zoom].into_iter().flatten().collect();
        format!("?{}", parts.join("&"))
    }

    /// The same view at this match.
    #[must_use]
    pub fn at(self, number: MatchNo) -> String {
        format!("{}#m{}", self.query(), number.0)
    }
}

#[derive(Debug, Template)]
#[template(path = "bracket.html")]
pub struct BracketPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// What came of the search for a name.
    pub found: Option<Found>,
    pub bracket: BracketShown,
    pub print: Option<String>,
}

/// What came of the search for a name that is not one player's alone.
#[derive(Clone, Debug)]
pub struct Found {
    pub typed: String,
    /// Those whose names have it in them: the name, and the view with the path; nobody, or several.
    pub players: Vec<(String, String)>,
}

/// The bracket alone, to be shown inside another site's page.
#[derive(Debug, Template)]
#[template(path = "bracket_alone.html")]
pub struct BracketAlone {
    pub t: Locale,
    pub bare: Bare,
    pub event: String,
    /// The whole address of the bracket's own page, for one who wants more room.
    pub home: String,
    pub bracket: BracketShown,
}

/// What stands in for a [`Frame`] where there is none.
#[derive(Clone, Debug)]
pub struct Bare {
    /// The page's name, for the window.
    pub title: String,
    pub club: String,
    /// Where the page goes on by itself: after so many seconds, and to which address.
    pub next: Option<(u16, String)>,
}

impl Bare {
    /// The address of an embedded file.
    #[must_use]
    pub fn asset(&self, name: &str) -> &'static str {
        assets::address(name)
    }
}
