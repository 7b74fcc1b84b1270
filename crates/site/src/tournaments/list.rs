//! The list of tournaments: those to come or in progress, and those that are over.

use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::pages::{Frame, Tab};
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::permissions::Permission;
use owlbox_base::values::TournamentId;
use owlbox_desk::tournaments::TournamentCards;
use owlbox_http::paging::{self, Page};
use owlbox_http::problem::Problem;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::about::About;

/// The most open tournaments on the page.
const MOST_OPEN: i64 = 60;
/// Closed tournaments per page.
const PAGE: i64 = 20;

#[derive(Debug, Deserialize)]
pub(crate) struct Query {
    after: Option<String>,
}

/// `/tournaments?after=`
#[derive(Template)]
#[template(path = "tournaments/list.html")]
pub(super) struct TournamentsPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    /// Tournaments that are not over, the next one first. `None` on later pages.
    pub open: Option<Vec<Card<'a>>>,
    /// Tournaments that are over, the newest first.
    pub past: Vec<Card<'a>>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
}

/// A tournament in a list.
pub(crate) struct Card<'a> {
    pub t: Say<'a>,
    pub id: TournamentId,
    pub about: &'a About,
    pub state: &'a Tournament,
    /// Whether it is played today.
    pub is_today: bool,
}

impl Card<'_> {
    /// The day, with the time if that is said.
    pub fn day(&self) -> String {
        self.t.day_at(self.about.date, self.about.starts)
    }

    /// How many have entered.
    pub fn entries(&self) -> String {
        let entries: usize = self.state.divisions().map(|(_, of)| of.taking_part()).sum();
        self.t.count("entries-count", &entries)
    }

    /// How many matches are called or in progress.
    pub fn playing(&self) -> usize {
        self.state.room.calls.size()
    }
}

/// The list; without a login only public tournaments.
pub(crate) async fn list(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    let after: Option<TournamentId> = paging::cursor(query.after.as_deref())?;
    let open = if after.is_none() { Some(open_tournaments(&visitor, MOST_OPEN).await?) } else { None };
    let mut past = read(&visitor, true, after, PAGE + 1).await?;
    let page = Page::cut(past.tournaments, PAGE, |(id, _)| id.to_string());
    past.tournaments = page.items;
    let page = TournamentsPage {
        t: visitor.say(&past.names),
        frame: visitor.frame(&visitor.t.get("tab-tournaments"), Some(Tab::Tournaments)),
        open: open.as_ref().map(|open| cards_of(&visitor, open)),
        past: cards_as_read(&visitor, &past),
        next: page.next.map(|next| format!("/tournaments?after={next}")),
    };
    visitor.answer(page.render())
}

/// Open tournaments that the viewer may see: at most `most`, the newest.
pub(crate) async fn open_tournaments(visitor: &Visitor, most: i64) -> Result<TournamentCards, Problem> {
    read(visitor, false, None, most).await
}

/// Open tournaments, the next one first.
pub(crate) fn cards_of<'a>(visitor: &Visitor, open: &'a TournamentCards) -> Vec<Card<'a>> {
    let mut open = cards_as_read(visitor, open);
    open.sort_by_key(|card| card.about.date);
    open
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

/// Tournaments in the order in which they were read.
fn cards_as_read<'a>(visitor: &Visitor, read: &'a TournamentCards) -> Vec<Card<'a>> {
    let (t, today) = (visitor.say(&read.names), visitor.settings().night_of(visitor.service.desk.now()));
    let cards = read.tournaments.iter().filter_map(|(id, stream)| {
        let (id, state, about) = (*id, &stream.state, stream.state.about()?);
        Some(Card { t, id, about, state, is_today: about.date == today && state.closed_at.is_none() })
    });
    cards.collect()
}
