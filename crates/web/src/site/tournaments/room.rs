//! The screen on the wall, which shows the room's tables and the brackets in turn.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::{Names, ShownDivision, TournamentData, with_names, won_by};
use crate::problem::Problem;
use crate::session::own_origin;
use crate::site::visitor::{self, Visitor};
use owlbox_domain::tournament::division::Division;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::values::TournamentId;
use owlbox_pages::bracket::{Bare, Planned, RoomLine, RoomPage, RoomTurn, to_points};
use owlbox_pages::locale::Locale;
use owlbox_pages::{other_game, qr_code};

/// Seconds for which a turn is shown.
const SECONDS: u16 = 12;
/// Parts of brackets shown before the lists come again.
const BRACKETS_AT_ONCE: usize = 2;
/// The most matches listed, those called last first.
const MOST_LINES: usize = 64;

/// The turn to show, from 1.
#[derive(Debug, Default, Deserialize)]
pub(in crate::site) struct Query {
    #[serde(default)]
    turn: String,
}

/// A turn of the screen: the matches with their tables, then the brackets, division by division.
pub(in crate::site) async fn screen(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    query: web::Query<Query>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let data = TournamentData::load(&visitor, *id).await?;
    let t = visitor.t;
    let mut matches = data.state().playing();
    matches.reverse();
    matches.truncate(MOST_LINES);
    // Everybody looks for their table.
    matches.sort_by_key(|at| data.state().room.calls.get(at).map(|call| call.table));
    let turns = turns(&data, matches.len());
    let asked: usize = query.turn.parse().unwrap_or(1);
    // If the turn no longer exists, it starts over.
    let nth = if (1..=turns.len()).contains(&asked) { asked } else { 1 };
    let Some(&turn) = turns.get(nth - 1) else { return Err(crate::problem::not_found()) };
    let turn = with_names(&visitor, |names| match turn {
        Turn::Winners => {
            let winners = data.winners(&t, names).into_iter();
            RoomTurn::Winners(winners.map(|winner| (winner.division, winner.name)).collect())
        }
        Turn::Planned(number, planned) => data.turn(&t, names, number, planned, &matches),
    })
    .await?;
    let next = if nth < turns.len() { nth + 1 } else { 1 };
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
        place: (nth, turns.len()),
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

/// All turns: who has won, lists of the whole room, then the interesting parts of each division's brackets. The winners
/// and the lists come again after every two of those, so that nobody waits long to see their table.
fn turns(data: &TournamentData, lines: usize) -> Vec<Turn> {
    let empty = owlbox_domain::tournament::bracket::Bracket::default();
    let is_worth = |(_, turn): &(DivisionNo, Planned)| *turn != Planned::Quiet;
    let planned = |(number, planned)| Turn::Planned(number, planned);
    let won = data.state().divisions().any(|(_, division)| won_by(division).is_some());
    let lists = Planned::turns(&empty, lines).into_iter().map(|turn| (DivisionNo::default(), turn));
    let first: Vec<Turn> =
        won.then_some(Turn::Winners).into_iter().chain(lists.filter(is_worth).map(planned)).collect();
    let brackets = data.state().divisions().flat_map(|(number, division)| {
        Planned::turns(&division.bracket, 0).into_iter().map(move |turn| (number, turn))
    });
    let brackets: Vec<Turn> = brackets.filter(is_worth).map(planned).collect();
    if !brackets.is_empty() {
        return brackets.chunks(BRACKETS_AT_ONCE).flat_map(|two| first.iter().chain(two)).copied().collect();
    }
    if first.is_empty() { vec![Turn::Planned(DivisionNo::default(), Planned::Quiet)] } else { first }
}

impl TournamentData {
    fn turn(
        &self,
        t: &Locale,
        names: &Names,
        number: DivisionNo,
        planned: Planned,
        matches: &[MatchRef],
    ) -> RoomTurn {
        let lines: Vec<RoomLine> = match planned {
            Planned::Lines(_) => matches.iter().filter_map(|at| self.room_line(t, names, *at)).collect(),
            Planned::Part(..) | Planned::Quiet => Vec::new(),
        };
        let nothing = Division::default();
        let division = self.state().division(number).unwrap_or(&nothing);
        let shown = ShownDivision { t, number, division, names };
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

    fn room_line(&self, t: &Locale, names: &Names, at: MatchRef) -> Option<RoomLine> {
        let division = self.state().division(at.division)?;
        let found = division.bracket.get(at.number)?;
        let call = self.state().room.calls.get(&at)?;
        Some(RoomLine {
            table: call.table.0.to_string(),
            names: found.players()?.map(|entry| names.of_entry(t, division, entry)),
            length: to_points(t, Some(division.length(found))),
            game: other_game(t, division.settings.game.variant),
            began: call.began_at.is_some(),
            score: None,
        })
    }
}
