//! The page of a chouette's table, and the sheets that end a game or undo several acts.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::visitor::{self, Visitor, redirect};
use crate::pages::LivePage as _;
use crate::pages::{EverybodyDrops, Finish, Tab, TableContext, TablePage, TakeBack, has_buttons};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ActId, ChouetteId};
use owlbox_books::club::settings::ExposureLimit;
use owlbox_chouette::{Chouette, Legal, Side};
use owlbox_desk::chouettes::screen::{Asked, TableScreen};
use owlbox_desk::commands::subject::Preview;
use owlbox_desk::{Refused, Unauthorised};
use owlbox_engine::Win;
use owlbox_http::problem::Problem;

/// Players that the page offers to join. In a larger club the others have to be typed by name.
const MOST_TO_JOIN: i64 = 150;

/// A table, whole or only the part that a live update replaces.
pub(super) async fn show(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    answer(&visitor, *id, visitor::is_partial(&request), None).await
}

/// The current table; after a refusal with the problem above it, and its status.
pub(super) async fn answer(
    visitor: &Visitor,
    id: ChouetteId,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let asked = Asked { offers: has_buttons, everybody: true, log: true, free_players: Some(MOST_TO_JOIN) };
    let screen = screen(visitor, id, asked).await?;
    let notice = problem.map(|problem| visitor.notice(problem));
    let status = problem.map_or(StatusCode::OK, visitor::status);
    let table = context(visitor, &screen).table(notice);
    let mut frame = visitor.frame(&table.name, Some(Tab::Night));
    frame.here = format!("/chouettes/{id}");
    let t = visitor.t;
    let page = TablePage { t, frame, table };
    visitor::html(status, page.rendered(partial))
}

/// The table as the visitor is shown it.
pub(super) async fn screen(visitor: &Visitor, id: ChouetteId, asked: Asked) -> Result<TableScreen, Problem> {
    Ok(visitor.service.desk.table_screen(visitor.principal, id, asked).await?)
}

pub(super) fn context<'a>(visitor: &'a Visitor, screen: &'a TableScreen) -> TableContext<'a> {
    TableContext {
        say: visitor.say(&screen.names),
        screen,
        exposure_limit: visitor.settings().exposure_limit.map(ExposureLimit::points),
        view: visitor.view,
    }
}

/// The result to confirm.
#[derive(Debug, Deserialize)]
pub(super) struct FinishQuery {
    winner: Option<Side>,
    kind: Option<Win>,
}

/// The sheet that ends a game: what everybody would get.
pub(super) async fn finish(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    query: web::Query<FinishQuery>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunChouette)?;
    let asked = Asked { offers: |legal| matches!(legal, Legal::Finish { .. }), ..Asked::default() };
    let screen = screen(&visitor, *id, asked).await?;
    let frame = visitor.frame(&visitor.t.get("game-over"), Some(Tab::Night));
    match Finish::from_domain(&context(&visitor, &screen), frame, query.winner.zip(query.kind)) {
        Some(page) => visitor::html(StatusCode::OK, page.render()),
        None => Ok(redirect(&format!("/chouettes/{id}"))),
    }
}

/// The sheet on which everybody who still has to answer drops, with the outcome.
pub(super) async fn everybody(visitor: Visitor, id: web::Path<ChouetteId>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunChouette)?;
    let screen = screen(&visitor, *id, Asked { everybody: true, ..Asked::default() }).await?;
    let frame = visitor.frame(&visitor.t.get("everybody-drops-title"), Some(Tab::Night));
    match EverybodyDrops::from_domain(&context(&visitor, &screen), frame) {
        Some(page) => visitor::html(StatusCode::OK, page.render()),
        // Somebody has answered in the meantime.
        None => Ok(redirect(&format!("/chouettes/{id}"))),
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct TakeBackQuery {
    /// The oldest act to undo; without it, only the newest.
    to: Option<ActId>,
}

/// The sheet that undoes several acts at once: which ones, and what becomes of the scores.
pub(super) async fn take_back(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    query: web::Query<TakeBackQuery>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunChouette)?;
    let (principal, id) = (visitor.principal.ok_or_else(|| Refused::from(Unauthorised::Missing))?, *id);
    let taking_back = match visitor.service.desk.taking_back(principal, id, query.to).await {
        Ok(Some(taking_back)) => taking_back,
        // Somebody else may have undone it in the meantime.
        Ok(None) => return Ok(redirect(&format!("/chouettes/{id}"))),
        Err(refused) => return answer(&visitor, id, false, Some(&Problem::from(refused))).await,
    };
    let frame = visitor.frame(&visitor.t.get("take-back-title"), Some(Tab::Night));
    let page = TakeBack::from_domain(&context(&visitor, &taking_back.screen), frame, &taking_back);
    visitor::html(StatusCode::OK, page.render())
}

/// What a previewed act would do, in words. Whoever it brings to the table is named, too.
pub(super) async fn preview_in_words(
    visitor: &Visitor,
    id: ChouetteId,
    preview: &Preview<Chouette>,
) -> Result<String, Problem> {
    visitor.require(Permission::ViewTables)?;
    let mut screen = screen(visitor, id, Asked { log: true, ..Asked::default() }).await?;
    let named = screen.names.keys().copied().chain(preview.here.after.stream.state.known()).collect();
    screen.names = visitor.service.desk.names(named).await?;
    Ok(context(visitor, &screen).preview_in_words(preview))
}
