//! The page of a chouette's table, and the sheets that end a game or undo several acts.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::visitor::{self, Visitor, redirect};
use crate::problem::Problem;
use owlbox_desk::chouettes::page_context::{self, PageContext};
use owlbox_desk::chouettes::{Order, Together};
use owlbox_desk::history::HistoryCommand;
use owlbox_desk::subject::Preview;
use owlbox_desk::{Refused, Request};
use owlbox_domain::chouette::{Chouette, Command, Event, Legal, Side};
use owlbox_domain::club::settings::ExposureLimit;
use owlbox_domain::code::Code;
use owlbox_domain::journal::{Act, ActKind, HistoryKind, Steps, Stream};
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::{AccountId, ActId, ChouetteId, PlayerId};
use owlbox_engine::Win;
use owlbox_pages::LivePage as _;
use owlbox_pages::{Choice, EverybodyDrops, Finish, Tab, TableContext, TablePage, TakeBack, everybody_drops};

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
    let data = TableData::load(visitor, id, None).await?;
    let notice = problem.map(|problem| visitor.notice(problem));
    let status = problem.map_or(StatusCode::OK, visitor::status);
    let table = data.context(visitor).table(notice);
    let mut frame = visitor.frame(&table.name, Some(Tab::Night));
    frame.here = format!("/chouettes/{id}");
    let t = visitor.t;
    let page = TablePage { t, frame, table };
    visitor::html(status, page.rendered(partial))
}

/// The data that a table's page is made from.
pub(super) struct TableData {
    id: ChouetteId,
    stream: Arc<Stream<Chouette>>,
    legal: Vec<Legal>,
    undo: Option<ActId>,
    back: usize,
    redo: Option<ActId>,
    forth: usize,
    names: BTreeMap<PlayerId, String>,
    acts: Vec<Act<Event>>,
    accounts: BTreeMap<AccountId, String>,
    club: Vec<Choice>,
}

impl TableData {
    /// Reads the data, with enough of the log to include the act named, if any.
    pub(super) async fn load(
        visitor: &Visitor,
        id: ChouetteId,
        named: Option<ActId>,
    ) -> Result<Self, Problem> {
        let desk = &visitor.service.desk;
        let stream = desk.find::<Chouette>(id).await?;
        let principal = visitor.principal.as_ref();
        let legal = desk.legal(&stream, principal);
        let may_undo = desk.steps(&stream, principal, HistoryKind::Undo).await?;
        let undo = may_undo.map(|steps| steps.entry.id);
        // A player undoes act by act.
        let back = may_undo.filter(|_| visitor.may(Permission::RunChouette)).map_or(0, |steps| steps.acts);
        let may_redo = desk.steps(&stream, principal, HistoryKind::Redo).await?;
        let (redo, forth) = (may_redo.map(|steps| steps.entry.id), may_redo.map_or(0, |steps| steps.acts));
        let may_join = legal.contains(&Legal::Join {});
        let asked = page_context::PageContextRequest {
            version: stream.version,
            named: [undo, redo, named].into_iter().flatten().collect(),
            logins: principal.is_some(),
            free_players: may_join.then_some(MOST_TO_JOIN),
        };
        let PageContext { acts, people: accounts, free_players } =
            desk.chouette_page_context(id, asked).await?;
        let club = free_players.iter().map(|player| Choice::player(player, false)).collect();
        let names = desk.names(stream.state.known().chain(gone(&acts)).collect()).await?;
        Ok(Self { id, stream, legal, undo, back, redo, forth, names, acts, accounts, club })
    }

    pub(super) fn context<'a>(&'a self, visitor: &'a Visitor) -> TableContext<'a> {
        TableContext {
            t: &visitor.t,
            id: self.id,
            stream: &self.stream,
            legal: &self.legal,
            undo: self.undo,
            back: self.back,
            redo: self.redo,
            forth: self.forth,
            viewer: visitor.principal.and_then(|principal| principal.player),
            names: &self.names,
            acts: &self.acts,
            accounts: &self.accounts,
            club: &self.club,
            guests: visitor.may(Permission::AddGuests),
            standings: visitor.may(Permission::ViewStandings),
            runs: visitor.may(Permission::RunChouette),
            exposure_limit: visitor.settings().exposure_limit.map(ExposureLimit::points),
            view: visitor.view,
        }
    }
}

/// Players whom the log may name but the table no longer knows: their joining was undone, or they were merged
/// into another player.
fn gone(acts: &[Act<Event>]) -> impl Iterator<Item = PlayerId> {
    let events = acts.iter().flat_map(|act| match &act.kind {
        ActKind::Events(events) => events.as_slice(),
        ActKind::Undo(_) | ActKind::Redo(_) => &[],
    });
    events.filter_map(|event| match event {
        Event::Joined { player, .. } | Event::PlayersMerged { duplicate: player, .. } => Some(*player),
        Event::Opened { .. }
        | Event::RulesChanged { .. }
        | Event::Left { .. }
        | Event::WentOnBreak { .. }
        | Event::Returned { .. }
        | Event::ProxyNamed { .. }
        | Event::StakeSet { .. }
        | Event::StartSet { .. }
        | Event::RollsEntered { .. }
        | Event::OrderDrawn { .. }
        | Event::OrderSet { .. }
        | Event::PartnershipOffered { .. }
        | Event::PartnershipDeclined { .. }
        | Event::PartnershipMade { .. }
        | Event::BoxDeclined { .. }
        | Event::GameStarted { .. }
        | Event::OpeningTied { .. }
        | Event::Doubled { .. }
        | Event::Beavered { .. }
        | Event::Answered { .. }
        | Event::Taken { .. }
        | Event::Dropped { .. }
        | Event::CaptainChanged { .. }
        | Event::TakersMovedUp { .. }
        | Event::LoneTaker { .. }
        | Event::ExtraOffered { .. }
        | Event::ExtraPassed { .. }
        | Event::ExtrasGiven { .. }
        | Event::PlayedOn { .. }
        | Event::Settled { .. }
        | Event::Board { .. }
        | Event::GameFinished(_)
        | Event::GameCorrected { .. }
        | Event::Paid { .. }
        | Event::Split { .. }
        | Event::MergedInto { .. }
        | Event::Closed { .. } => None,
    })
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
    let (actor, id) = (visitor.actor()?, *id);
    let data = TableData::load(&visitor, id, None).await?;
    if !data.legal.iter().any(|legal| matches!(legal, Legal::Finish { .. })) {
        return Ok(redirect(&format!("/chouettes/{id}")));
    }
    let mut after = Vec::new();
    for (winner, win) in Finish::results(&data.stream.state) {
        let request = Request { expected: Some(data.stream.version), ..Request::by(actor) };
        let order = Order::Command(Command::Finish { winner, win });
        let preview = visitor.service.desk.preview::<Chouette>(request, id, order).await?;
        after.push(preview.here.after.stream.state.clone());
    }
    let frame = visitor.frame(&visitor.t.get("game-over"), Some(Tab::Night));
    let chosen = query.winner.zip(query.kind);
    match Finish::from_domain(&data.context(&visitor), frame, &after, chosen) {
        Some(page) => visitor::html(StatusCode::OK, page.render()),
        None => Ok(redirect(&format!("/chouettes/{id}"))),
    }
}

/// The sheet on which everybody who still has to answer drops, with the outcome.
pub(super) async fn everybody(visitor: Visitor, id: web::Path<ChouetteId>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunChouette)?;
    let (actor, id) = (visitor.actor()?, *id);
    let data = TableData::load(&visitor, id, None).await?;
    let back = || Ok(redirect(&format!("/chouettes/{id}")));
    // Somebody may have answered in the meantime.
    let Some(together) = everybody_drops(&data.stream.state).and_then(Together::new) else { return back() };
    let request = Request { expected: Some(data.stream.version), ..Request::by(actor) };
    let after = match visitor.service.desk.preview_together(request, id, together).await {
        Ok(previewed) => Some(previewed.here.after.stream.state.clone()),
        Err(Refused::Rule(rule)) if rule.code == Code::NoPreview => None,
        Err(refused) => return answer(&visitor, id, false, Some(&Problem::from(refused))).await,
    };
    let frame = visitor.frame(&visitor.t.get("everybody-drops-title"), Some(Tab::Night));
    match EverybodyDrops::from_domain(&data.context(&visitor), frame, after.as_ref()) {
        Some(page) => visitor::html(StatusCode::OK, page.render()),
        None => back(),
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
    let (actor, id) = (visitor.actor()?, *id);
    let data = TableData::load(&visitor, id, query.to).await?;
    let mut newest = data.stream.undoable().newest_first().take(data.back);
    let acts = match query.to {
        Some(to) => newest.position(|entry| entry.id == to).map(|before| before + 1),
        None => newest.next().map(|_| 1),
    };
    // Somebody else may have undone it in the meantime.
    let acts = acts.and_then(|acts| Steps::try_from(u16::try_from(acts).ok()?).ok());
    let Some(acts) = acts else { return Ok(redirect(&format!("/chouettes/{id}"))) };
    let command = HistoryCommand::Undo { act: data.undo, acts };
    let request = Request { expected: Some(data.stream.version), ..Request::by(actor) };
    let preview = match visitor.service.desk.preview::<Chouette>(request, id, Order::History(command)).await {
        Ok(preview) => preview,
        Err(refused) => return answer(&visitor, id, false, Some(&Problem::from(refused))).await,
    };
    let frame = visitor.frame(&visitor.t.get("take-back-title"), Some(Tab::Night));
    let page = TakeBack::from_domain(&data.context(&visitor), frame, command, &preview);
    visitor::html(StatusCode::OK, page.render())
}

/// What a previewed act would do, in words. Whoever it brings to the table is named, too.
pub(super) async fn foreseen(
    visitor: &Visitor,
    id: ChouetteId,
    preview: &Preview<Chouette>,
) -> Result<String, Problem> {
    visitor.require(Permission::ViewTables)?;
    let data = TableData::load(visitor, id, None).await?;
    let known = data.stream.state.known().chain(preview.here.after.stream.state.known());
    let names = visitor.service.desk.names(known.collect()).await?;
    let context = TableContext { names: &names, ..data.context(visitor) };
    Ok(context.foreseen(preview))
}
