//! The screen on the wall, which shows the room's tables and the brackets in turn. There is nothing to press;
//! it is read at ten metres.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::picture::Picture;
use super::rounds::flight_name;
use super::view::View;
use super::window::{Room, Window};
use super::{cancelled, home, line};
use crate::pages::{Frame, qr_code};
use crate::playing::other_game;
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_http::session::own_origin;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::bracket::{Bracket, EntryNo, Pairing};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{Call, DivisionNo, MatchRef};

/// Seconds for which a turn is shown.
const SECONDS: u16 = 12;
/// Parts of brackets shown before the lists come again.
const BRACKETS_AT_ONCE: usize = 2;
/// The most matches listed, those called last first.
const MOST_LINES: usize = 64;

/// The part of a bracket that is readable at ten metres.
pub(super) const WALL: Room = Room { matches: 8, columns: 4 };
/// How many lines, one below the other, are readable at ten metres.
const LINES: usize = 8;
/// The number of columns, if there are more lines.
const COLUMNS: usize = 2;
/// The most letters of a name that fit a line in the common size.
const LETTERS: usize = 24;
/// The most parts of one flight that are shown in turn. A flight with more is left out.
const MOST_PARTS: u32 = 8;
/// The most parts of a division's bracket that are shown before the screen starts again.
const MOST_TURNS: usize = 40;

/// The turn to show, from 1.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Query {
    #[serde(default)]
    turn: String,
}

/// `/tournaments/{id}/screen?turn=`
#[derive(Template)]
#[template(path = "room.html")]
pub(super) struct WallPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub shown: &'a Shown,
    /// The service's own origin, for the code.
    pub origin: &'a str,
}

/// A turn of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Winners,
    /// A list of matches, starting with this line.
    Lines(usize),
    /// A part of a flight: the division, the flight, and the match that the part leads to.
    Part(DivisionNo, usize, MatchNo),
    Quiet,
}

/// What the screen shows now.
pub(super) struct Shown {
    /// The matches in play, in order of their tables: everybody looks for theirs.
    matches: Vec<MatchRef>,
    turn: Turn,
    /// Which of the turns it is, from 1.
    nth: usize,
    turns: usize,
}

/// A turn of the screen: the matches with their tables, then the brackets, division by division.
pub(crate) async fn show(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    query: web::Query<Query>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let asked: usize = query.turn.parse().unwrap_or(1);
    let (screen, shown) = super::screen(&visitor, *id, move |looking| {
        let stream = looking.stream();
        let shown = Shown::new(&stream.state, asked).ok_or(Refused::NotFound("page"))?;
        match shown.turn {
            Turn::Winners => looking.name(stream.state.winners()),
            Turn::Part(division, ..) => super::everybody(looking, division)?,
            Turn::Lines(_) => looking.name(stream.state.players_in(&shown.matches)),
            Turn::Quiet => {}
        }
        Ok(shown)
    })
    .await?;
    let t = visitor.say(&screen.names);
    let frame = visitor.frame(&line([Some(screen.name()), cancelled(&t, &screen).as_deref()]), None);
    let page = WallPage { t, frame, screen: &screen, shown: &shown, origin: &own_origin(&request) };
    visitor.answer(page.render())
}

impl Shown {
    /// The turn that was asked for. If it no longer exists, it starts over.
    pub fn new(state: &Tournament, asked: usize) -> Option<Self> {
        let mut matches = state.playing();
        matches.reverse();
        matches.truncate(MOST_LINES);
        matches.sort_by_key(|at| state.room.calls.get(at).map(|call| call.table));
        let turns = turns(state, matches.len());
        let nth = if (1..=turns.len()).contains(&asked) { asked } else { 1 };
        Some(Self { matches, turn: *turns.get(nth - 1)?, nth, turns: turns.len() })
    }
}

/// All turns: who has won, lists of the whole room, then the interesting parts of each division's brackets.
/// The winners and the lists come again after every two of those, so that nobody waits long to see their
/// table.
pub(super) fn turns(state: &Tournament, lines: usize) -> Vec<Turn> {
    let winners = (!state.won().is_empty()).then_some(Turn::Winners);
    let first: Vec<Turn> = winners.into_iter().chain(lists(lines)).collect();
    let parts = |(division, of): (DivisionNo, &Division)| {
        let parts = parts_of(&of.bracket).into_iter();
        parts.map(|(flight, root)| Turn::Part(division, flight, root)).collect::<Vec<_>>()
    };
    let brackets: Vec<Turn> = state.divisions().flat_map(parts).collect();
    if !brackets.is_empty() {
        return brackets.chunks(BRACKETS_AT_ONCE).flat_map(|two| first.iter().chain(two)).copied().collect();
    }
    if first.is_empty() { vec![Turn::Quiet] } else { first }
}

/// The lists of so many matches.
pub(super) fn lists(lines: usize) -> impl Iterator<Item = Turn> {
    (0..lines).step_by(LINES * COLUMNS).map(Turn::Lines)
}

/// The parts of a bracket that are worth a look: flight, and the match that each leads to.
pub(super) fn parts_of(bracket: &Bracket) -> Vec<(usize, MatchNo)> {
    let flights = 0..bracket.flights().len();
    let parts = flights.flat_map(|flight| parts(bracket, flight).map(move |root| (flight, root)));
    parts.take(MOST_TURNS).collect()
}

/// The last matches of the parts of a flight that are worth a look. The parts start with the earliest
/// undecided round; of a finished flight they are its last rounds.
fn parts(bracket: &Bracket, flight: usize) -> impl Iterator<Item = MatchNo> + use<> {
    let rounds = bracket.flights().get(flight).map_or(&[][..], |flight| &flight.rounds);
    let last = rounds.len().saturating_sub(1);
    let undecided = bracket.of_flight(flight).find(|(_, at)| at.outcome.is_none());
    let first = undecided.map_or(last, |(_, at)| usize::from(at.round));
    let ending = rounds.get(last.min(first + WALL.columns - 1)).filter(|ending| ending.matches <= MOST_PARTS);
    let numbers = ending.map_or(0..0, |ending| ending.first.0..ending.first.0 + ending.matches);
    numbers.map(MatchNo)
}

impl WallPage<'_> {
    /// The next turn: the seconds until then, and its address.
    fn next(&self) -> Option<(u16, String)> {
        let next = if self.shown.nth < self.shown.turns { self.shown.nth + 1 } else { 1 };
        Some((SECONDS, format!("{}/screen?turn={next}", home(self.screen.id))))
    }

    /// The lines of a list in columns of equal height, or in a single column if they all fit into one.
    fn columns(&self, from: &usize) -> Vec<Vec<Line<'_>>> {
        let shown = self.shown.matches.iter().skip(*from).take(LINES * COLUMNS);
        let lines: Vec<Line<'_>> = shown.filter_map(|at| self.line(at)).collect();
        let most = if lines.len() > LINES { lines.len().div_ceil(COLUMNS) } else { LINES };
        lines.chunks(most).map(<[Line<'_>]>::to_vec).collect()
    }

    fn line(&self, at: &MatchRef) -> Option<Line<'_>> {
        let (of, found) = self.screen.state().match_at(*at)?;
        Some(Line { of, found, players: found.players()?, call: self.screen.state().room.calls.get(at)? })
    }

    /// Whether a name is too long for one line in the common size.
    fn is_long(&self, name: &str) -> bool {
        name.chars().count() > LETTERS
    }

    /// The game of a match, if it is not backgammon.
    fn game(&self, line: &Line<'_>) -> Option<String> {
        other_game(&self.t, line.of.settings.game.variant)
    }

    fn points(&self, line: &Line<'_>) -> u16 {
        line.of.length(line.found).points()
    }

    /// The name of a flight, with the division if there are several, and the game if it is not backgammon.
    fn flight(&self, division: &DivisionNo, flight: &usize) -> String {
        let Some(of) = self.screen.state().division(*division) else { return String::new() };
        let (flight, game) =
            (flight_name(&self.t, &of.bracket, *flight), other_game(&self.t, of.settings.game.variant));
        line([self.screen.state().name_among(of), Some(&*flight), game.as_deref()])
    }

    /// A part of a flight.
    fn part(&self, division: &DivisionNo, flight: &usize, root: &MatchNo) -> Option<Picture<'_>> {
        let of = self.screen.state().division(*division)?;
        let view = View { flight: *flight, section: Some(*root), ..View::default() };
        let window = Window::new(&of.bracket, *flight, Some(*root), WALL);
        Some(Picture::in_window(self.t, self.screen, (*division, of), view, window))
    }

    /// The code that opens the tournament on a phone.
    fn code(&self) -> String {
        qr_code(&format!("{}{}", self.origin, home(self.screen.id)))
    }
}

/// A match that is called or in progress.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    of: &'a Division,
    found: &'a Pairing,
    players: [EntryNo; 2],
    call: &'a Call,
}
