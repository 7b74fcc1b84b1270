//! The screen on the wall, which shows the room's tables and the brackets in turn.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::{ShownDivision, TournamentData};
use crate::pages::bracket::{Bare, Planned, RoomLine, RoomPage, RoomTurn, to_points};
use crate::pages::{other_game, qr_code};
use crate::visitor::{self, Visitor};
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_http::problem::Problem;
use owlbox_http::session::own_origin;
use owlbox_locale::Locale;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// Seconds for which a turn is shown.
const SECONDS: u16 = 12;
/// Parts of brackets shown before the lists come again.
const BRACKETS_AT_ONCE: usize = 2;
/// The most matches listed, those called last first.
const MOST_LINES: usize = 64;

/// The turn to show, from 1.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Query {
    #[serde(default)]
    turn: String,
}

/// A turn of the screen: the matches with their tables, then the brackets, division by division.
pub(crate) async fn show(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    query: web::Query<Query>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let asked: usize = query.turn.parse().unwrap_or(1);
    let (data, Shown { matches, turn, nth, turns }) = TournamentData::load(&visitor, *id, move |looking| {
        let stream = looking.stream();
        let shown = Shown::new(&stream.state, asked).ok_or(Refused::NotFound("page"))?;
        match shown.turn {
            Turn::Winners => looking.name(stream.state.winners()),
            Turn::Planned(number, Planned::Part(..)) => super::everybody(looking, number)?,
            Turn::Planned(_, Planned::Lines(_) | Planned::Quiet) => {
                looking.name(stream.state.players_in(&shown.matches));
            }
        }
        Ok(shown)
    })
    .await?;
    let t = visitor.t;
    let turn = match turn {
        Turn::Winners => {
            let winners = data.state().won().into_iter();
            let winner = |(of, entry)| (data.division_name(of), data.names.of_entry(&t, of, entry));
            RoomTurn::Winners(winners.map(winner).collect())
        }
        Turn::Planned(number, planned) => data.turn(&t, number, planned, &matches),
    };
    let next = if nth < turns { nth + 1 } else { 1 };
    let name = data.about.name.as_str().to_owned();
    let event = data.cancelled(&t).map_or_else(|| name.clone(), |cancelled| format!("{name} · {cancelled}"));
    let page = RoomPage {
        t,
        bare: Bare {
            title: event.clone(),
            club: visitor.frame("", None).club,
            next: Some((SECONDS, format!("{}/screen?turn={next}", data.home()))),
        },
        event,
        now: visitor.service.desk.now(),
        turn,
        place: (nth, turns),
        picture: Some(qr_code(&format!("{}{}", own_origin(&request), data.home()))),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// A turn of the screen.
#[derive(Clone, Copy)]
enum Turn {
    Winners,
    Planned(DivisionNo, Planned),
}

/// What the screen shows now.
struct Shown {
    /// The matches in play, in order of their tables: everybody looks for theirs.
    matches: Vec<MatchRef>,
    turn: Turn,
    /// Which of the turns it is, from 1.
    nth: usize,
    turns: usize,
}

impl Shown {
    /// The turn that was asked for. If it no longer exists, it starts over.
    fn new(state: &Tournament, asked: usize) -> Option<Self> {
        let mut matches = state.playing();
        matches.reverse();
        matches.truncate(MOST_LINES);
        matches.sort_by_key(|at| state.room.calls.get(at).map(|call| call.table));
        let turns = turns(state, matches.len());
        let nth = if (1..=turns.len()).contains(&asked) { asked } else { 1 };
        Some(Self { matches, turn: *turns.get(nth - 1)?, nth, turns: turns.len() })
    }
}

/// All turns: who has won, lists of the whole room, then the interesting parts of each division's brackets. The winners
/// and the lists come again after every two of those, so that nobody waits long to see their table.
fn turns(state: &Tournament, lines: usize) -> Vec<Turn> {
    let empty = owlbox_play::tournament::bracket::Bracket::default();
    let is_worth = |(_, turn): &(DivisionNo, Planned)| *turn != Planned::Quiet;
    let planned = |(number, planned)| Turn::Planned(number, planned);
    let won = state.divisions().any(|(_, division)| division.won_by().is_some());
    let lists = Planned::turns(&empty, lines).into_iter().map(|turn| (DivisionNo::default(), turn));
    let first: Vec<Turn> =
        won.then_some(Turn::Winners).into_iter().chain(lists.filter(is_worth).map(planned)).collect();
    let brackets = state.divisions().flat_map(|(number, division)| {
        Planned::turns(&division.bracket, 0).into_iter().map(move |turn| (number, turn))
    });
    let brackets: Vec<Turn> = brackets.filter(is_worth).map(planned).collect();
    if !brackets.is_empty() {
        return brackets.chunks(BRACKETS_AT_ONCE).flat_map(|two| first.iter().chain(two)).copied().collect();
    }
    if first.is_empty() { vec![Turn::Planned(DivisionNo::default(), Planned::Quiet)] } else { first }
}

impl TournamentData {
    fn turn(&self, t: &Locale, number: DivisionNo, planned: Planned, matches: &[MatchRef]) -> RoomTurn {
        let lines: Vec<RoomLine> = match planned {
            Planned::Lines(_) => matches.iter().filter_map(|at| self.room_line(t, *at)).collect(),
            Planned::Part(..) | Planned::Quiet => Vec::new(),
        };
        let nothing = Division::default();
        let division = self.state().division(number).unwrap_or(&nothing);
        let shown = ShownDivision { t, number, division };
        let turn = self.known(&shown, false, |known| planned.turn(t, known, &lines));
        match turn {
            RoomTurn::Bracket(flight, bracket) => {
                let game = other_game(t, division.settings.game.variant);
                let parts = [self.division_name(division), Some(flight), game];
                RoomTurn::Bracket(parts.into_iter().flatten().collect::<Vec<_>>().join(" · "), bracket)
            }
            turn @ (RoomTurn::Lines(_) | RoomTurn::Winners(_) | RoomTurn::Quiet) => turn,
        }
    }

    fn room_line(&self, t: &Locale, at: MatchRef) -> Option<RoomLine> {
        let division = self.state().division(at.division)?;
        let found = division.bracket.get(at.number)?;
        let call = self.state().room.calls.get(&at)?;
        Some(RoomLine {
            table: call.table.0.to_string(),
            names: found.players()?.map(|entry| self.names.of_entry(t, division, entry)),
            length: to_points(t, Some(division.length(found))),
            game: other_game(t, division.settings.game.variant),
            began: call.began_at.is_some(),
            score: None,
        })
    }
}
