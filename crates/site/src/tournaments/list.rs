//! The list of tournaments.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::{Names, TournamentData, home};
use crate::pages::Tab;
use crate::pages::tournaments::{TournamentCard, TournamentsPage};
use crate::visitor::{self, Visitor};
use owlbox_base::journal::Stream;
use owlbox_base::permissions::Permission;
use owlbox_base::values::TournamentId;
use owlbox_desk::tournaments::TournamentCards;
use owlbox_http::paging::{self, Page};
use owlbox_http::problem::{Problem, not_found};
use owlbox_locale::Locale;
use owlbox_play::tournament::Tournament;

/// The most open tournaments on the page.
const MOST_OPEN: i64 = 60;
/// Closed tournaments per page.
const PAGE: i64 = 20;

#[derive(Debug, Deserialize)]
pub(crate) struct Query {
    after: Option<String>,
}

/// The list; without a login only public tournaments.
pub(crate) async fn list(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    let after: Option<TournamentId> = paging::cursor(query.after.as_deref())?;
    let first = after.is_none();
    let open = if first { open_cards(&visitor, MOST_OPEN).await? } else { Vec::new() };
    let past = read(&visitor, true, after, PAGE + 1).await?;
    let past = Page::cut(cards(past)?, PAGE, |data| data.id.to_string());
    let page = TournamentsPage {
        t: visitor.t,
        frame: visitor.frame(&visitor.t.get("tab-tournaments"), Some(Tab::Tournaments)),
        open,
        past: past.items.iter().map(|data| data.card(&visitor)).collect(),
        first,
        next: past.next.map(|next| format!("/tournaments?after={next}")),
        may_open: visitor.may(Permission::RunTournaments),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// Open tournaments that the viewer may see, the next one first: at most `most`, the newest.
pub(crate) async fn open_cards(visitor: &Visitor, most: i64) -> Result<Vec<TournamentCard>, Problem> {
    cards_of(visitor, read(visitor, false, None, most).await?)
}

/// Open tournaments, the next one first.
pub(crate) fn cards_of(visitor: &Visitor, open: TournamentCards) -> Result<Vec<TournamentCard>, Problem> {
    let mut open = cards(open)?;
    open.sort_by_key(|data| data.about.date);
    Ok(open.iter().map(|data| data.card(visitor)).collect())
}

/// A page of tournaments that the viewer may see, with the names of their winners.
async fn read(
    visitor: &Visitor,
    closed: bool,
    after: Option<TournamentId>,
    limit: i64,
) -> Result<TournamentCards, Problem> {
    let actor = visitor.actor().ok();
    let desk = &visitor.service.desk;
    Ok(desk.tournament_cards(actor.as_ref(), closed, after, limit, Tournament::winners).await?)
}

fn cards(read: TournamentCards) -> Result<Vec<TournamentData>, Problem> {
    let TournamentCards { tournaments, names } = read;
    let names = Arc::new(names);
    let card = |(id, stream): (TournamentId, Arc<Stream<Tournament>>)| {
        let about = stream.state.about().cloned().ok_or_else(not_found)?;
        Ok(TournamentData { id, about, principal: None, names: Names(Arc::clone(&names)), stream })
    };
    tournaments.into_iter().map(card).collect()
}

impl TournamentData {
    fn card(&self, visitor: &Visitor) -> TournamentCard {
        let t: &Locale = &visitor.t;
        let state = self.state();
        let today = visitor.settings().night_of(visitor.service.desk.now());
        TournamentCard {
            link: home(self.id),
            name: self.about.name.as_str().to_owned(),
            day: t.day_at(self.about.date, self.about.starts),
            today: self.about.date == today && state.closed_at.is_none(),
            place: self.about.place.as_ref().map(|place| place.as_str().to_owned()),
            entries: state.divisions().map(|(_, division)| division.taking_part()).sum(),
            playing: state.room.calls.size(),
            winners: self.winners(t),
            cancelled: state.cancelled.is_some(),
        }
    }
}
