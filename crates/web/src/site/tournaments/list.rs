//! The list of tournaments.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::{Names, TournamentData, home, with_names};
use crate::paging::{self, Page};
use crate::problem::Problem;
use crate::site::visitor::{self, Visitor};
use owlbox_desk::tournaments::{Filter, Row};
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::TournamentId;
use owlbox_pages::Tab;
use owlbox_pages::locale::Locale;
use owlbox_pages::tournaments::{TournamentCard, TournamentsPage};

/// The most open tournaments on the page.
const MOST_OPEN: i64 = 60;
/// Closed tournaments per page.
const PAGE: i64 = 20;

#[derive(Debug, Deserialize)]
pub(in crate::site) struct Query {
    after: Option<String>,
}

/// The list; without a login only public tournaments.
pub(in crate::site) async fn list(
    visitor: Visitor,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let after: Option<TournamentId> = paging::cursor(query.after.as_deref())?;
    let first = after.is_none();
    let open = if first { open_cards(&visitor, MOST_OPEN).await? } else { Vec::new() };
    let past = rows(&visitor, true, after, PAGE + 1).await?;
    let past = Page::cut(past, PAGE, |row| TournamentId::from(row.id).to_string());
    let page = TournamentsPage {
        t: visitor.t,
        frame: visitor.frame(&visitor.t.get("tab-tournaments"), Some(Tab::Tournaments)),
        open,
        past: cards(&visitor, past.items).await?,
        first,
        next: past.next.map(|next| format!("/tournaments?after={next}")),
        may_open: visitor.may(Permission::RunTournaments),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// Open tournaments that the viewer may see, the next one first: at most `most`, the newest.
pub(in crate::site) async fn open_cards(
    visitor: &Visitor,
    most: i64,
) -> Result<Vec<TournamentCard>, Problem> {
    let mut rows = rows(visitor, false, None, most).await?;
    rows.sort_by_key(|row| row.date);
    cards(visitor, rows).await
}

async fn rows(
    visitor: &Visitor,
    closed: bool,
    after: Option<TournamentId>,
    limit: i64,
) -> Result<Vec<Row>, Problem> {
    let filter = Filter { closed: Some(closed), private: visitor.may(Permission::ViewTournaments) };
    Ok(visitor.service.desk.tournaments(filter, after, limit).await?)
}

async fn cards(visitor: &Visitor, rows: Vec<Row>) -> Result<Vec<TournamentCard>, Problem> {
    let mut data = Vec::with_capacity(rows.len());
    for row in rows {
        data.push(TournamentData::load(visitor, row.id.into()).await?);
    }
    with_names(visitor, |names| data.iter().map(|data| data.card(visitor, names)).collect()).await
}

impl TournamentData {
    fn card(&self, visitor: &Visitor, names: &Names) -> TournamentCard {
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
            winners: self.winners(t, names),
            cancelled: state.cancelled.is_some(),
        }
    }
}
