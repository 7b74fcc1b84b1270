//! The bracket of a flight on paper.

use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::sheet::{self, PaperSheet};
use super::{everybody, full_name, title};
use crate::pages::{Frame, Tab};
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::values::TournamentId;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;

/// A paper size, in landscape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Paper {
    /// 297 by 210 mm, landscape.
    #[default]
    A4,
    /// 420 by 297 mm, landscape.
    A3,
}

impl Paper {
    const ALL: [Self; 2] = [Self::A4, Self::A3];

    const fn code(self) -> &'static str {
        match self {
            Self::A4 => "a4",
            Self::A3 => "a3",
        }
    }

    /// The size with this code. An unknown code gives the usual size.
    fn from_code(code: &str) -> Self {
        Self::ALL.into_iter().find(|paper| paper.code() == code).unwrap_or_default()
    }
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct PrintQuery {
    #[serde(default)]
    flight: String,
    #[serde(default)]
    paper: String,
    #[serde(default)]
    from: String,
}

/// The match or entry after which a page of slips or cards starts.
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

/// `/tournaments/{id}/{division}/print?flight=&paper=&from=`
#[derive(Template)]
#[template(path = "bracket_print.html")]
pub(super) struct PrintPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub flight: usize,
    pub paper: Paper,
    /// The first sheet on this page, counted from 0.
    pub from: usize,
}

pub(crate) async fn print(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<PrintQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let (screen, ()) = super::screen(&visitor, id, move |looking| everybody(looking, division)).await?;
    let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
    let flights = of.bracket.flights().len();
    let page = PrintPage {
        t,
        frame: visitor.frame(&title(&screen, of, &t.get("bracket")), Some(Tab::Tournaments)),
        screen: &screen,
        division,
        of,
        flight: query.flight.parse().ok().filter(|flight| *flight < flights).unwrap_or(0),
        paper: Paper::from_code(&query.paper),
        from: query.from.parse().unwrap_or(0),
    };
    visitor.answer(page.render())
}

impl PrintPage<'_> {
    fn event(&self) -> String {
        full_name(&self.t, self.screen, self.of)
    }

    fn address(&self, paper: &Paper, from: &usize) -> String {
        format!("?flight={}&paper={}&from={from}", self.flight, paper.code())
    }

    /// The sheets on this page, and the number to continue with.
    fn sheets(&self) -> (Vec<PaperSheet>, Option<usize>) {
        sheet::of_flight(&self.t, self.of, self.flight, self.from)
    }
}
