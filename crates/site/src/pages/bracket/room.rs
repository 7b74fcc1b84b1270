//! The screen on the wall. There is nothing to press; it is read at ten metres, and shows one turn after
//! another.

use askama::Template;

use super::shown::BracketShown;
use super::window::{Room, Window};
use super::words::flight_name;
use super::{Bare, BracketLookup, View};
use owlbox_base::values::Timestamp;
use owlbox_locale::Locale;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::Bracket;

/// The part of a bracket that is readable at ten metres.
const WALL: Room = Room { matches: 8, columns: 4 };

/// How many lines, one below the other, are readable at ten metres.
const LINES: usize = 8;
/// The number of columns, if there are more lines.
const COLUMNS: usize = 2;

/// The most parts of one flight that are shown in turn. A flight with more is left out.
const MOST_PARTS: u32 = 8;

/// The most turns before the screen starts again.
const MOST_TURNS: usize = 40;

/// One turn of the screen.
#[derive(Debug, Template)]
#[template(path = "room.html")]
pub struct RoomPage {
    pub t: Locale,
    /// The head of the page, and the next turn.
    pub bare: Bare,
    pub event: String,
    pub now: Timestamp,
    pub turn: RoomTurn,
    /// The number of the turn, from 1, and the number of turns.
    pub place: (usize, usize),
    /// The code that opens the bracket on a phone: an `<svg>` element.
    pub picture: Option<String>,
}

impl RoomPage {
    /// The lines in columns of equal height, or in a single column if they all fit into one.
    #[must_use]
    pub fn columns<'a>(&self, lines: &'a [RoomLine]) -> Vec<&'a [RoomLine]> {
        let most = if lines.len() > LINES { lines.len().div_ceil(COLUMNS) } else { LINES };
        lines.chunks(most).collect()
    }
}

#[derive(Debug)]
pub enum RoomTurn {
    Lines(Vec<RoomLine>),
    /// A part of a bracket, with the name of its flight.
    Bracket(String, Box<BracketShown>),
    /// Who has won: the division, unless it is the only one, and the name.
    Winners(Vec<(Option<String>, String)>),
    Quiet,
}

/// A match that is called or in progress.
#[derive(Clone, Debug)]
pub struct RoomLine {
    pub table: String,
    pub names: [String; 2],
    /// The length in words: `to 9`.
    pub length: Option<String>,
    /// The game, if it is not backgammon.
    pub game: Option<String>,
    pub began: bool,
    /// The score so far, if it is known.
    pub score: Option<[u16; 2]>,
}

impl RoomLine {
    /// Whether a name is too long for one line in the common size.
    #[must_use]
    pub fn is_long(&self, name: usize) -> bool {
        self.names.get(name).is_some_and(|name| name.chars().count() > 24)
    }
}

/// A planned turn of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// A list of matches, starting with this line.
    Lines(usize),
    /// A part of a flight: the flight, and the match the part leads to.
    Part(usize, MatchNo),
    Quiet,
}

impl Planned {
    /// The turns for this many lines and this bracket.
    #[must_use]
    pub fn turns(bracket: &Bracket, lines: usize) -> Vec<Self> {
        let lists = (0..lines).step_by(LINES * COLUMNS).map(Self::Lines);
        let parts = (0..bracket.flights().len())
            .flat_map(|flight| parts(bracket, flight).into_iter().map(move |root| Self::Part(flight, root)));
        let turns: Vec<Self> = lists.chain(parts).take(MOST_TURNS).collect();
        if turns.is_empty() { vec![Self::Quiet] } else { turns }
    }

    #[must_use]
    pub fn turn(self, t: &Locale, known: &BracketLookup<'_>, lines: &[RoomLine]) -> RoomTurn {
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

/// The last matches of the parts of a flight that are worth a look. The parts start with the earliest
/// undecided round; of a finished flight they are its last rounds.
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
