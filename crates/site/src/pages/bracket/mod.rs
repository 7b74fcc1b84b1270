//! The bracket on screen, on paper and on the wall, its draw, and the slips and cards that go with it.
//!
//! Every page is built from the [`Bracket`](owlbox_play::tournament::bracket::Bracket) and from [`BracketLookup`],
//! which answers what the bracket itself does not know: names, lengths, which matches are called or in
//! progress, and the address of a match. A [`View`] says which part is shown. It is an address, so a link
//! keeps flight, section, player and size.
//!
//! * [`window`]: which part of a bracket is shown, so that 65,536 entrants take no more room on a screen than
//!   128;
//! * [`shown`]: that part as columns of matches, for the page, for other sites and for the wall;
//! * [`path`]: one player's way through all flights;
//! * [`paper`]: the bracket as lines on sheets;
//! * [`room`]: the screen on the wall; [`drawing`]: the draw, slot by slot.

mod paper;
mod path;
mod room;
#[cfg(test)]
pub(crate) mod samples;
mod shown;
mod slot;
#[cfg(test)]
mod tests;
mod window;

use askama::Template;

use super::around::Around;
use super::frame::Frame;
use crate::pages::assets;
use owlbox_locale::Locale;
use owlbox_play::matches::MatchNo;
use owlbox_play::matches::score::Length;
use owlbox_play::tournament::bracket::{Bracket, EntryNo};

use crate::tournaments::rounds as words;
pub use paper::{Paper, PaperSheet, PrintedBracket};
pub use room::{Planned, RoomLine, RoomPage, RoomTurn};
pub use shown::BracketShown;
pub use words::{flight_name, round_name, to_points};

/// What the pages need to know beyond the bracket.
pub struct BracketLookup<'a> {
    pub bracket: &'a Bracket,
    pub name: &'a dyn Fn(EntryNo) -> String,
    /// The place of an entry on the seeding list. `None` if it is unseeded.
    pub seed: &'a dyn Fn(EntryNo) -> Option<u32>,
    /// The length of the matches of a round: flight and round, both from 0.
    pub length: &'a dyn Fn(usize, usize) -> Option<Length>,
    /// The present state of a match.
    pub going: &'a dyn Fn(MatchNo) -> Going,
    /// The address of a match, if it has a page.
    pub link: &'a dyn Fn(MatchNo) -> Option<String>,
}

/// The state of a match whose players are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Going {
    #[default]
    Nothing,
    /// The players are called to a table.
    Called { table: String },
    Playing {
        table: Option<String>,
        /// The score so far, upper slot first.
        score: Option<[u16; 2]>,
    },
}

/// The size at which a bracket is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zoom {
    /// As much as can still be made out.
    Far,
    /// Large enough to read and tap.
    #[default]
    Usual,
    /// Large enough to read from some distance.
    Near,
}

impl Zoom {
    /// Every size, from the smallest to the largest.
    pub const ALL: [Self; 3] = [Self::Far, Self::Usual, Self::Near];

    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Far => "far",
            Self::Usual => "usual",
            Self::Near => "near",
        }
    }

    /// The size with this code. An unknown code gives the usual size.
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

/// The part of a bracket that is shown, and everything a link to it keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The flight, as an index into the bracket's flights.
    pub flight: usize,
    /// Only the matches that lead to this one. `None` shows as many rounds before the flight's last match as
    /// there is room for.
    pub section: Option<MatchNo>,
    pub player: Option<EntryNo>,
    pub zoom: Zoom,
}

impl View {
    /// The view as the query of an address, with its question mark.
    #[must_use]
    pub fn query(self) -> String {
        let flight = (self.flight > 0).then(|| format!("flight={}", self.flight));
        let section = self.section.map(|section| format!("section={}", section.0));
        let player = self.player.map(|player| format!("player={}", player.0));
        let zoom = (self.zoom != Zoom::Usual).then(|| format!("zoom={}", self.zoom.code()));
        let parts: Vec<String> = [flight, section, player, zoom].into_iter().flatten().collect();
        format!("?{}", parts.join("&"))
    }

    /// The same view, scrolled to this match.
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
    /// The title of the division.
    pub title: String,
    /// The game that it plays, if it is not backgammon.
    pub game: Option<String>,
    /// The result of a search by name.
    pub found: Option<Found>,
    pub bracket: BracketShown,
    pub print: Option<String>,
    /// Where readers find what shows the bracket on another site. `None` if it is not public.
    pub embed: Option<String>,
}

/// The result of a search that did not find exactly one player.
#[derive(Clone, Debug)]
pub struct Found {
    pub typed: String,
    /// The players whose names contain the text: name, and the view with their path. Empty or several.
    pub players: Vec<(String, String)>,
}

/// The bracket without navigation, for display in another site's page.
#[derive(Debug, Template)]
#[template(path = "bracket_alone.html")]
pub struct BracketAlone {
    pub t: Locale,
    pub bare: Bare,
    pub event: String,
    /// The bracket's own page, for readers who want more room.
    pub home: String,
    pub bracket: BracketShown,
}

/// The replacement for a [`Frame`] on pages without header and footer.
#[derive(Clone, Debug)]
pub struct Bare {
    /// The title of the page, for the window's title bar.
    pub title: String,
    pub club: String,
    /// The next page to show by itself: the seconds until then, and its address.
    pub next: Option<(u16, String)>,
}

impl Bare {
    /// The address of an embedded file. Empty for an unknown name.
    #[must_use]
    pub fn asset(&self, name: &str) -> &'static str {
        assets::address(name)
    }
}
