//! What a tournament prints: brackets; slips and cards are in files of their own.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::{ShownDivision, TournamentData, everybody};
use crate::pages::Tab;
use crate::pages::bracket::{Paper, PaperSheet, PrintedBracket};
use crate::visitor::{self, Visitor};
use owlbox_base::values::TournamentId;
use owlbox_http::problem::Problem;
use owlbox_play::tournament::room::DivisionNo;

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

impl AfterQuery {
    pub(super) fn after(&self) -> u32 {
        self.after.parse().unwrap_or(0)
    }
}
