//! The screen on the wall: nothing to press, read at ten metres, one turn after the other.

use askama::Template;

use super::shown::BracketShown;
use super::window::{Room, Window};
use super::words::flight_name;
use super::{Bare, Known, View};
use crate::locale::Locale;
use owlbox_domain::matches::MatchNo;
use owlbox_domain::tournament::bracket::Bracket;
use owlbox_domain::values::Timestamp;

/// What of a bracket can be read at ten metres.
const WALL: Room = Room { matches: 8, columns: 4 };

/// So many lines can be read at ten metres, one below the other.
const LINES: usize = 8;
/// In so many columns, where there are more.
const COLUMNS: usize = 2;

/// So many parts of one flight are shown one after the other; of a flight with more, none.
const MOST_PARTS: u32 = 8;

/// So many turns, and from the first again.
const MOST_TURNS: usize = 40;

/// One turn of the screen on the wall.
#[derive(Debug, Template)]
#[template(path = "room.html")]
pub struct RoomPage {
    pub t: Locale,
    /// What its head names, and where it goes on.
    pub bare: Bare,
    pub event: String,
    pub now: Timestamp,
    pub turn: RoomTurn,
    /// Which turn, from 1, of how many.
    pub place: (usize, usize),
    /// The code with which a phone opens the bracket: an `<svg>` element.
    pub picture: Option<String>,
}

impl RoomPage {
    /// The lines in columns as even as can be: one below the other as long as all can be read so.
    #[must_use]
    pub fn columns<'a>(&self, lines: &'a [RoomLine]) -> Vec<&'a [RoomLine]> {
        let most = if lines.len() > LINES { lines.len().div_ceil(COLUMNS) } else { LINES };
        lines.chunks(most).collect()
    }
}

#[derive(Debug)]
pub enum RoomTurn {
    Lines(Vec<RoomLine>),
    /// A part of a bracket: of which flight, and what.
    Bracket(String, Box<BracketShown>),
    Quiet,
}

/// A match that is called or under way.
#[derive(Clone, Debug)]
pub struct RoomLine {
    pub table: String,
    pub names: [String; 2],
    /// To how many points, in words.
    pub length: Option<String>,
    pub began: bool,
    /// Points so far, if they are known.
    pub score: Option<[u16; 2]>,
}

/// A turn that is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// Lines from this one on.
    Lines(usize),
    /// A part of a flight, and the match it leads to.
    Part(usize, MatchNo),
    Quiet,
}

impl Planned {
    /// The turns there are to show of so many lines and of this bracket.
    #[must_use]
    pub fn turns(bracket: &Bracket, lines: usize) -> Vec<Self> {
        let lists = (0..lines).step_by(LINES * COLUMNS).map(Self::Lines);
        let parts = (0..bracket.flights().len())
            .flat_map(|flight| parts(bracket, flight).into_iter().map(move |root| Self::Part(flight, root)));
        let turns: Vec<Self> = lists.chain(parts).take(MOST_TURNS).collect();
        if turns.is_empty() { vec![Self::Quiet] } else { turns }
    }

    #[must_use]
    pub fn shown(self, t: &Locale, known: &Known<'_>, lines: &[RoomLine]) -> RoomTurn {
        match self {
            Self::Lines(from) => {
                RoomTurn::Lines(lines.iter().skip(from).take(LINES * COLUMNS).cloned().collect())
            }
            Self::Part(flight, root) => {
                let view = View { flight, section: Some(root), ..View::default() };
                let window = Window::new(known.bracket, flight, Some(root), WALL);
                let shown = BracketShown::in_window(t, known, view, window.as_ref());
                RoomTurn::Bracket(flight_name(t, known.bracket, flight), Box::new(shown))
            }
            Self::Quiet => RoomTurn::Quiet,
        }
    }
}

/// The matches to which the parts of a flight lead that are worth a look: those from the earliest round that is not
/// decided on, or the last rounds of a flight that is.
fn parts(bracket: &Bracket, flight: usize) -> Vec<MatchNo> {
    let Some(of_flight) = bracket.flights().get(flight) else { return Vec::new() };
    let last = of_flight.rounds.len().saturating_sub(1);
    let undecided = bracket.of_flight(flight).find(|(_, at)| at.outcome.is_none());
    let first = undecided.map_or(last, |(_, at)| usize::from(at.round));
    let Some(ending) = of_flight.rounds.get(last.min(first + WALL.columns - 1)) else { return Vec::new() };
    if ending.matches > MOST_PARTS {
        return Vec::new();
    }
    (ending.first.0..ending.first.0 + ending.matches).map(MatchNo).collect()
}
