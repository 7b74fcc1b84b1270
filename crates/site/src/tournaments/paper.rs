//! What a tournament prints: brackets, match slips, cards for entries.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::{ShownDivision, TournamentData, everybody};
use crate::pages::Tab;
use crate::pages::bracket::{EntryCard, EntryCards, MatchSlips, Paper, PaperSheet, PrintedBracket, Slip};
use crate::visitor::{self, Visitor};
use owlbox_base::permissions::OrderKind;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_desk::{Refused, Unauthorised};
use owlbox_http::problem::Problem;
use owlbox_http::session::own_origin;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::CommandKind;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

#[derive(Debug, Default, Deserialize)]
pub(crate) struct PrintQuery {
    #[serde(default)]
    flight: String,
    #[serde(default)]
    paper: String,
    #[serde(default)]
    from: String,
}

pub(crate) async fn print(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<PrintQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let (data, ()) = TournamentData::load(&visitor, id, move |looking| everybody(looking, number)).await?;
    let division = data.division(number)?;
    let t = visitor.t;
    let flights = division.bracket.flights().len();
    let flight = query.flight.parse().ok().filter(|flight| *flight < flights).unwrap_or(0);
    let from: usize = query.from.parse().unwrap_or(0);
    let paper = Paper::ALL.into_iter().find(|paper| paper.code() == query.paper).unwrap_or_default();
    let address = |paper: Paper, from: usize| format!("?flight={flight}&paper={}&from={from}", paper.code());
    let shown = ShownDivision { t: &t, number, division };
    let (sheets, next) = data.known(&shown, false, |known| PaperSheet::of_flight(&t, known, flight, from));
    let papers = Paper::ALL.map(|size| (size.code().to_uppercase(), address(size, from), size == paper));
    let page = PrintedBracket {
        t,
        frame: visitor.frame(&data.title(&t.get("bracket"), division), Some(Tab::Tournaments)),
        event: data.full_name(&t, division),
        home: format!("{}/{}?flight={flight}", data.home(), number.0),
        paper,
        papers: papers.to_vec(),
        sheets,
        next: next.map(|from| address(paper, from)),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// The match or entry after which the page starts.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct AfterQuery {
    #[serde(default)]
    after: String,
}

/// Slips for the matches that can be played, which their players take along.
pub(crate) async fn slips(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<AfterQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let after: u32 = query.after.parse().unwrap_or(0);
    let (data, (ready, more)) = TournamentData::load(&visitor, id, move |looking| {
        let stream = looking.stream();
        let ready = stream.state.room.ready_since.keys().filter(|at| at.division == number);
        let mut ready: Vec<MatchRef> = ready.filter(|at| at.number.0 > after).copied().collect();
        ready.sort_unstable();
        let more = ready.len() > MatchSlips::MOST;
        ready.truncate(MatchSlips::MOST);
        looking.name(stream.state.players_in(&ready));
        Ok((ready.into_iter().map(|at| at.number).collect::<Vec<MatchNo>>(), more))
    })
    .await?;
    let division = data.division(number)?;
    let t = visitor.t;
    let origin = own_origin(&request);
    let slips = data.known(&ShownDivision { t: &t, number, division }, false, |known| {
        let slip = |at: &MatchNo| {
            let link = format!("{origin}{}", data.match_link(number, *at));
            let settings = &division.settings;
            Slip::new(&t, known, *at, Some(settings.clock), settings.game.variant, Some(&link))
        };
        ready.iter().filter_map(slip).collect()
    });
    let page = MatchSlips {
        t,
        frame: visitor.frame(&data.title(&t.get("match-slips"), division), Some(Tab::Tournaments)),
        event: data.printed_name(division),
        home: data.home(),
        slips,
        next: ready.last().filter(|_| more).map(|last| format!("?after={}", last.0)),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// A card for every entry in play. Its code opens the player's own page: next match, table, result.
pub(crate) async fn cards(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<AfterQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let after: u32 = query.after.parse().unwrap_or(0);
    let (data, (playing, more)) = TournamentData::load(&visitor, id, move |looking| {
        let stream = looking.stream();
        let division = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
        let playing = (after.saturating_add(1)..=u32::MAX).map(EntryNo);
        let playing = playing.map_while(|entry| Some((entry, division.entry(entry)?)));
        let mut playing: Vec<(EntryNo, PlayerId)> = playing
            .filter(|(_, entry)| !entry.standing.is_out())
            .map(|(number, entry)| (number, entry.player))
            .take(EntryCards::MOST + 1)
            .collect();
        let more = playing.len() > EntryCards::MOST;
        playing.truncate(EntryCards::MOST);
        looking.name(playing.iter().map(|(_, player)| *player));
        Ok((playing.into_iter().map(|(number, _)| number).collect::<Vec<EntryNo>>(), more))
    })
    .await?;
    data.requires(CommandKind::CheckIn)?;
    let division = data.division(number)?;
    let t = visitor.t;
    let principal = data.principal.ok_or(Refused::from(Unauthorised::Missing))?;
    let links = visitor.service.desk.entry_links(&principal, id, number, &playing).await?;
    let origin = own_origin(&request);
    let card = |(entry, link): (&EntryNo, &String)| {
        EntryCard::new(*entry, data.names.of_entry(&t, division, *entry), &origin, format!("/e/{link}"))
    };
    let cards = playing.iter().zip(&links).map(card).collect();
    let page = EntryCards {
        t,
        frame: visitor.frame(&data.title(&t.get("entry-cards"), division), Some(Tab::Tournaments)),
        event: data.printed_name(division),
        home: data.home(),
        cards,
        next: playing.last().filter(|_| more).map(|last| format!("?after={}", last.0)),
    };
    visitor::html(StatusCode::OK, page.render())
}

impl TournamentData {
    /// Refuses unless the viewer may give this command for others.
    fn requires(&self, command: CommandKind) -> Result<(), Problem> {
        match &self.principal {
            None => Err(Refused::from(Unauthorised::Missing).into()),
            Some(_) if self.may(command) => Ok(()),
            Some(_) => Err(Refused::Forbidden(OrderKind::from(command).needs().anybody).into()),
        }
    }

    /// Tournament and division as printed.
    fn printed_name(&self, division: &Division) -> String {
        match self.division_name(division) {
            Some(name) => format!("{} · {name}", self.about.name.as_str()),
            None => self.about.name.as_str().to_owned(),
        }
    }
}
