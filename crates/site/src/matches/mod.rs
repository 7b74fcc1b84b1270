//! Matches: what [`pages`](crate::pages::matches) show to a visitor, and what their forms do.
//!
//! Every button posts to `/matches/{id}/act` ([`act`](super::acting::act)). A script gets the live part of the form's page as the
//! answer.

mod act;
mod list;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

pub(super) use list::{list, open};

use super::visitor::{self, Visitor};
use crate::pages::matches::{ClockPage, MatchContext, SheetPage, has_buttons, is_of_clock};
use crate::pages::{LivePage as _, Tab};
use owlbox_base::values::MatchId;
use owlbox_desk::Refused;
use owlbox_desk::matches::screen::{Asked, MatchScreen};
use owlbox_http::problem::Problem;
use owlbox_play::matches::Sheet;

/// The match as the visitor is shown it.
///
/// # Errors
/// There is no such match, or the visitor may not see it.
async fn screen(visitor: &Visitor, id: MatchId, asked: Asked) -> Result<MatchScreen, Problem> {
    let desk = &visitor.service.desk;
    let (_, principal) = desk.visible::<Sheet>(visitor.actor().ok().as_ref(), id).await?;
    Ok(desk.match_screen(principal, id, asked).await?)
}

fn context<'a>(visitor: &'a Visitor, screen: &'a MatchScreen) -> MatchContext<'a> {
    MatchContext::new(&visitor.t, screen, visitor.view)
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct SheetQuery {
    /// The earlier game to correct.
    correct: Option<u32>,
}

pub(super) async fn show(
    visitor: Visitor,
    id: web::Path<MatchId>,
    query: web::Query<SheetQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer(&visitor, *id, *query, visitor::is_partial(&request), None).await
}

/// The current sheet, whole or only its live part; after a refusal with the problem above it, and its status.
async fn answer(
    visitor: &Visitor,
    id: MatchId,
    query: SheetQuery,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let asked = Asked { offers: has_buttons, correct: query.correct, events: true };
    let screen = screen(visitor, id, asked).await?;
    let context = context(visitor, &screen);
    let mut frame = visitor.frame(&context.title(), Some(Tab::Matches));
    frame.here = format!("/matches/{id}");
    let mut page = SheetPage::new(&context, frame, query.correct);
    page.notice = problem.map(|problem| visitor.notice(problem).text);
    visitor::html(status(problem), page.rendered(partial))
}

pub(super) async fn clock(
    visitor: Visitor,
    id: web::Path<MatchId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer_clock(&visitor, *id, visitor::is_partial(&request), None).await
}

/// The current clock; not found for a match without one.
async fn answer_clock(
    visitor: &Visitor,
    id: MatchId,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let screen = screen(visitor, id, Asked { offers: is_of_clock, ..Asked::default() }).await?;
    let context = context(visitor, &screen);
    let mut frame = visitor.frame(&context.title(), Some(Tab::Matches));
    frame.here = format!("/matches/{id}/clock");
    let page = ClockPage::new(&context, frame).ok_or(Refused::NotFound("clock"))?;
    let page = ClockPage { notice: problem.map(|problem| visitor.notice(problem).text), ..page };
    visitor::html(status(problem), page.rendered(partial))
}

/// The status of a page: the problem's, if it shows one.
fn status(problem: Option<&Problem>) -> StatusCode {
    problem.map_or(StatusCode::OK, visitor::status)
}
