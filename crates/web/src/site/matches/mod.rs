//! Matches: what [`pages`](owlbox_pages::matches) show to a visitor, and what their forms do.
//!
//! Every button posts to `/matches/{id}/act` ([`act`](super::acting::act)). A script gets the live part of the form's page as the
//! answer.

mod act;
mod list;

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

pub(super) use list::{list, open};

use super::visitor::{self, Visitor};
use crate::problem::Problem;
use owlbox_desk::subject::HistorySteps;
use owlbox_desk::{Principal, Refused};
use owlbox_domain::journal::{HistoryKind, Stream};
use owlbox_domain::matches::Slot;
use owlbox_domain::matches::clock::Setting;
use owlbox_domain::matches::{Legal, Sheet};
use owlbox_domain::tournament::Tournament;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::values::MatchId;
use owlbox_pages::LivePage as _;
use owlbox_pages::Tab;
use owlbox_pages::matches::{ClockPage, MatchContext, SheetPage, Taken};

/// A match as a visitor sees it.
struct MatchData {
    id: MatchId,
    stream: Arc<Stream<Sheet>>,
    /// The visitor's principal at this match.
    principal: Option<Principal>,
    names: [String; 2],
    legal: Vec<Legal>,
    /// The setting of the clock in the division of its tournament.
    division_clock: Option<Setting>,
}

impl MatchData {
    /// Reads the match.
    ///
    /// # Errors
    /// There is no such match, or the visitor may not see it.
    async fn load(visitor: &Visitor, id: MatchId) -> Result<Self, Problem> {
        let desk = &visitor.service.desk;
        let (stream, principal) = desk.visible::<Sheet>(visitor.actor().ok().as_ref(), id).await?;
        let players = stream.state.players().ok_or(Refused::NotFound("match"))?;
        let mut known = desk.names(players.to_vec()).await?;
        let names = players.map(|player| known.remove(&player).unwrap_or_else(|| "?".to_owned()));
        let legal = desk.legal_at_match(&stream, principal.as_ref());
        let division_clock = match stream.state.tournament_match() {
            Some(of) => {
                let tournament = desk.find::<Tournament>(of.tournament).await?;
                tournament.state.division(DivisionNo(of.division)).map(|of| of.settings.clock)
            }
            None => None,
        };
        Ok(Self { id, stream, principal, names, legal, division_clock })
    }

    fn context<'a>(&'a self, visitor: &'a Visitor) -> MatchContext<'a> {
        MatchContext {
            t: &visitor.t,
            id: self.id,
            sheet: &self.stream.state,
            version: self.stream.version,
            names: &self.names,
            legal: &self.legal,
            plays: self.plays(),
            now: visitor.service.desk.now(),
            division_clock: self.division_clock,
            view: visitor.view,
        }
    }

    /// The slot of the visitor. `None` while an act has been undone, or while their clock is not running:
    /// then nothing should happen on its own.
    fn plays(&self) -> Option<Slot> {
        let player = self.principal.as_ref().and_then(|principal| principal.player)?;
        let sheet = &self.stream.state;
        let has_time = |slot: &Slot| sheet.clock().is_none_or(|clock| clock.running() == Some(*slot));
        sheet.slot_of(player).filter(has_time).filter(|_| self.stream.redoable().is_empty())
    }

    fn title(&self) -> String {
        let [upper, lower] = &self.names;
        format!("{upper} – {lower}")
    }

    /// The act that the visitor can undo or redo next.
    async fn newest(&self, visitor: &Visitor, kind: HistoryKind) -> Result<Option<Taken>, Problem> {
        let desk = &visitor.service.desk;
        let steps = desk.steps(&self.stream, self.principal.as_ref(), kind).await?;
        let Some(HistorySteps { entry, .. }) = steps else { return Ok(None) };
        let events =
            desk.events::<Sheet>(self.id, vec![entry.id]).await?.remove(&entry.id).unwrap_or_default();
        Ok(Some(Taken { act: entry.id, events }))
    }
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
    let data = MatchData::load(visitor, id).await?;
    let undo = data.newest(visitor, HistoryKind::Undo).await?;
    let redo = data.newest(visitor, HistoryKind::Redo).await?;
    let mut frame = visitor.frame(&data.title(), Some(Tab::Matches));
    frame.here = format!("/matches/{id}");
    let context = data.context(visitor);
    let mut page = SheetPage::new(&context, frame, [undo.as_ref(), redo.as_ref()], query.correct);
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
    let data = MatchData::load(visitor, id).await?;
    let mut frame = visitor.frame(&data.title(), Some(Tab::Matches));
    frame.here = format!("/matches/{id}/clock");
    let page = ClockPage::new(&data.context(visitor), frame).ok_or(Refused::NotFound("clock"))?;
    let page = ClockPage { notice: problem.map(|problem| visitor.notice(problem).text), ..page };
    visitor::html(status(problem), page.rendered(partial))
}

/// The status of a page: the problem's, if it shows one.
fn status(problem: Option<&Problem>) -> StatusCode {
    problem.map_or(StatusCode::OK, visitor::status)
}
