//! The director's desk: what [`pages`](owlbox_pages::directing) show to those who direct a tournament, and
//! what their forms do.
//!
//! Every button posts to `/tournaments/{id}/act` ([`act`](super::acting::act)) and names the page to go on to ([`ReturnPage`]); a
//! script gets that page's live part as the answer. Only corrections, draws and the like carry the version
//! they were shown at, so that two helpers at one desk do not get in each other's way.

mod about;
mod act;
mod division;
mod draw_by_hand;
mod enter;
mod entering;
mod entries;
mod log;
mod now;
mod one_match;
mod return_page;
mod rooms;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};

pub(super) use about::{change, edit, new, open, show_settings};
pub(super) use division::{
    add as add_division, change as change_division, show as division, show_new as new_division,
};
pub(super) use draw_by_hand::{draw as draw_hand, show as draw_by_hand};
pub(super) use enter::show as enter_oneself;
pub(super) use entering::{enter, seed};
pub(super) use entries::{list as entries, show as entry};
pub(super) use log::show as log;
pub(super) use one_match::{correct, show as one_match};
pub(super) use rooms::{draw, money, room};

use super::visitor::{self, Visitor};
use crate::problem::{Allowed, Problem};
use owlbox_desk::subject::{Preview, StreamPreview};
use owlbox_desk::tournaments::{Order, scope};
use owlbox_desk::{Allowed as DeskAllowed, Principal, Refused, Request, Unauthorised};
use owlbox_domain::journal::{Act, ActKind, HistoryKind, Stream};
use owlbox_domain::permissions::{OrderKind, Scope};
use owlbox_domain::tournament::Allowed as TournamentAllowed;
use owlbox_domain::tournament::room::MatchRef;
use owlbox_domain::tournament::{Command, CommandKind, Event, Tournament};
use owlbox_domain::values::{ActId, Currency, MinorUnits, PlayerId, TournamentId};
use owlbox_pages::directing::about::label_of;
use owlbox_pages::directing::{DirectorContext, Heading, Taken, words};

/// A tournament as its director sees it.
pub(super) struct DirectorData {
    id: TournamentId,
    stream: Arc<Stream<Tournament>>,
    principal: Principal,
    undo: Option<Taken>,
    redo: Option<Taken>,
    names: BTreeMap<PlayerId, String>,
}

impl DirectorData {
    /// Reads the tournament for a visitor who may give `needed` for others.
    ///
    /// # Errors
    /// There is no such tournament; the visitor is not signed in, or lacks the permission.
    async fn load(visitor: &Visitor, id: TournamentId, needed: CommandKind) -> Result<Self, Problem> {
        let actor = visitor.actor()?;
        let desk = &visitor.service.desk;
        let (stream, principal) = desk.visible::<Tournament>(Some(&actor), id).await?;
        let principal = principal.ok_or(Refused::Unauthorised(Unauthorised::Missing))?;
        if scope::scope(&principal, &stream.state, needed) != Scope::Anybody {
            return Err(Refused::Forbidden(OrderKind::from(needed).needs().anybody).into());
        }
        let newest = async |kind| desk.steps(&stream, Some(&principal), kind).await;
        let undo = newest(HistoryKind::Undo).await?.map(|steps| steps.entry.id);
        let redo = newest(HistoryKind::Redo).await?.map(|steps| steps.entry.id);
        let mut events = desk.events::<Tournament>(id, undo.into_iter().chain(redo).collect()).await?;
        let mut taken = |act: ActId| Taken { act, events: events.remove(&act).unwrap_or_default() };
        let (undo, redo) = (undo.map(&mut taken), redo.map(&mut taken));
        let mut data = Self { id, stream, principal, undo, redo, names: BTreeMap::new() };
        let of_acts: Vec<PlayerId> = [&data.undo, &data.redo]
            .into_iter()
            .flatten()
            .flat_map(|taken| taken.events.iter().take(1))
            .flat_map(|event| words::players_named(&data.stream.state, event))
            .collect();
        data.name(visitor, of_acts).await?;
        Ok(data)
    }

    /// Reads the names of these players.
    async fn name(&mut self, visitor: &Visitor, players: Vec<PlayerId>) -> Result<(), Problem> {
        if players.iter().any(|player| !self.names.contains_key(player)) {
            // Together with the names already known: two players may have the same one and must be told
            // apart.
            let all: BTreeSet<PlayerId> = players.into_iter().chain(self.names.keys().copied()).collect();
            self.names = visitor.service.desk.distinct_names(all.into_iter().collect()).await?;
        }
        Ok(())
    }

    /// What a command would do, or why it is refused. The names of players in the matches that it changes are
    /// read, too.
    async fn tried(
        &mut self,
        visitor: &Visitor,
        command: Command,
    ) -> Result<Result<Preview<Tournament>, Problem>, Problem> {
        let request = Request { expected: Some(self.stream.version), ..Request::by(visitor.actor()?) };
        let tried =
            visitor.service.desk.preview::<Tournament>(request, self.id, Order::Command(command)).await;
        match tried.map_err(Problem::from) {
            Ok(tried) => {
                let touched: Vec<MatchRef> = tried.touched().into_iter().collect();
                self.name(visitor, words::in_matches(&tried.here.before.state, &touched)).await?;
                self.name(visitor, words::in_matches(&tried.here.after.stream.state, &touched)).await?;
                Ok(Ok(tried))
            }
            Err(problem) if problem.status >= 500 => Err(problem),
            Err(problem) => Ok(Err(problem)),
        }
    }

    /// Whether the visitor may give a command for others.
    fn may(&self, command: CommandKind) -> bool {
        scope::scope(&self.principal, &self.stream.state, command) == Scope::Anybody
    }

    /// Renders a page of this data, at `here` below the desk.
    fn render<T>(
        &self,
        visitor: &Visitor,
        here: &str,
        problem: Option<&Problem>,
        page: impl FnOnce(&DirectorContext<'_>, Heading) -> T,
    ) -> T {
        let may = |command| self.may(command);
        let context = DirectorContext {
            t: &visitor.t,
            id: self.id,
            state: &self.stream.state,
            version: self.stream.version,
            names: &self.names,
            now: visitor.service.desk.now(),
            may: &may,
        };
        let mut heading = Heading::new(&context, here, self.undo.as_ref(), self.redo.as_ref());
        let currency = self.stream.state.about().and_then(|about| about.currency);
        heading.notice = problem.map(|problem| problem_in_words(visitor, problem, currency));
        page(&context, heading)
    }
}

pub(super) async fn desk(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    query: web::Query<entries::LookQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    now::answer(&visitor, *id, &query.looked().find, visitor::is_partial(&request), None).await
}

/// What a previewed act would do, in a few words.
async fn preview_in_words(
    visitor: &Visitor,
    id: TournamentId,
    preview: &Preview<Tournament>,
) -> Result<String, Problem> {
    let StreamPreview { before, after, named } = &preview.here;
    let (state, events, key) = match &after.act.kind {
        ActKind::Events(events) => (&after.stream.state, events.clone(), None),
        ActKind::Undo(_) => (&before.state, events_of(named), Some("undo-what")),
        ActKind::Redo(_) => (&after.stream.state, events_of(named), Some("redo-what")),
    };
    let players = events.iter().flat_map(|event| words::players_named(state, event)).collect();
    let names = visitor.service.desk.distinct_names(players).await?;
    let context = DirectorContext {
        t: &visitor.t,
        id,
        state,
        version: after.stream.version,
        names: &names,
        now: visitor.service.desk.now(),
        may: &|_| false,
    };
    let what = words::act(&context, &events);
    Ok(key.map_or(what.clone(), |key| visitor.t.with(key, "what", what)))
}

fn events_of(acts: &[Act<Event>]) -> Vec<Event> {
    acts.iter().flat_map(Act::events).cloned().collect()
}

/// What is wrong, in words: the field or line it is about, and the sum needed.
fn problem_in_words(visitor: &Visitor, problem: &Problem, currency: Option<Currency>) -> String {
    let t = &visitor.t;
    let text = visitor.notice(problem).text;
    let sum = match &problem.allowed {
        Some(Allowed::Desk(DeskAllowed::Tournament(TournamentAllowed::Pool(pool)))) => {
            i64::try_from(*pool).ok().zip(currency)
        }
        _ => None,
    };
    let line = match &problem.allowed {
        Some(Allowed::Line { line }) => Some(line),
        _ => None,
    };
    match (problem.field.and_then(label_of), line, sum) {
        (_, _, Some((sum, currency))) => {
            format!("{text} {}", t.with("desk-sum-is", "amount", t.how_much(MinorUnits(sum), currency)))
        }
        (_, Some(line), _) => format!("{line}: {text}"),
        (Some(label), ..) => format!("{}: {text}", t.get(label)),
        _ => text,
    }
}

/// The status of a page: the problem's, if it shows one.
fn status(problem: Option<&Problem>) -> StatusCode {
    problem.map_or(StatusCode::OK, visitor::status)
}
