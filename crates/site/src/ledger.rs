//! Ledgers: a player's, the one of a tournament's pool, the house's. [`page`]: how a ledger is drawn.

pub(crate) mod links;
pub(crate) mod page;
mod words;

use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;
use uuid::Uuid;

use self::links::Here;
use self::page::{LedgerPage, games};
use self::words::title;
use super::books::{address, books};
use super::days::AskedDays;
use super::form::Form;
use super::visitor::{Visitor, redirect};
use crate::pages::Tab;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, Holder, HolderKind, MatchId, PlayerId, TournamentId};
use owlbox_books::ledger::{PostingKind, Source};
use owlbox_desk::Refused;
use owlbox_desk::books::statements::{Filter, LedgerRange, LinePosition};
use owlbox_http::paging;
use owlbox_http::problem::Problem;

/// Postings read for a page: enough for a good number of games and for the chart.
pub(super) const POSTINGS: i64 = 150;

#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    unit: Option<String>,
    after: Option<String>,
    opponent: Option<PlayerId>,
    /// A kind of posting, as the books name it.
    kind: Option<String>,
    chouette: Option<ChouetteId>,
    tournament: Option<TournamentId>,
    r#match: Option<MatchId>,
}

impl Query {
    fn filter(&self, days: &AskedDays) -> Filter {
        Filter {
            from: days.from,
            until: days.until,
            kind: self.kind.clone().filter(|kind| PostingKind::named(kind).is_some()),
            source: self
                .chouette
                .map(Source::Chouette)
                .or(self.tournament.map(Source::Tournament))
                .or(self.r#match.map(Source::Match)),
            counterparty: self.opponent.map(Holder::Player),
        }
    }

    fn part(&self, filter: Filter) -> Result<LedgerRange, Problem> {
        if filter == Filter::default() {
            return Ok(LedgerRange::All { before: paging::cursor(self.after.as_deref())? });
        }
        let place = |text: &str| {
            let (day, sequence) = text.split_once('.')?;
            Some(LinePosition { day: day.parse().ok()?, sequence: sequence.parse().ok()? })
        };
        let place = |text: &str| place(text).ok_or_else(paging::no_cursor);
        Ok(LedgerRange::Period { filter, before: self.after.as_deref().map(place).transpose()? })
    }
}

/// A player's ledger in one unit.
pub(super) async fn show(
    visitor: Visitor,
    player: web::Path<PlayerId>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    of_holder(visitor, Holder::Player(*player), &query).await
}

/// Reminds a player by mail of what they owe.
pub(super) async fn remind(
    visitor: Visitor,
    player: web::Path<PlayerId>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (actor, page) = (visitor.actor()?, address(Holder::Player(*player)));
    match visitor.service.mail_reminder(&actor, *player).await {
        Ok(()) => Ok(redirect(&format!("{page}?saved"))),
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => {
            let visitor = visitor.refused(&format!("{page}/remind"), &form, &problem);
            of_holder(visitor, Holder::Player(*player), &Query::default()).await
        }
    }
}

pub(super) async fn pool(
    visitor: Visitor,
    tournament: web::Path<TournamentId>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    of_holder(visitor, Holder::Pool(*tournament), &query).await
}

pub(super) async fn house(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    of_holder(visitor, Holder::House, &query).await
}

/// An account of the club's own: `bank`, `opening`, `rounding`, `outside`.
pub(super) async fn account(
    visitor: Visitor,
    account: web::Path<HolderKind>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    match *account {
        HolderKind::Player | HolderKind::Pool => Err(Refused::NotFound("account").into()),
        kind @ (HolderKind::House
        | HolderKind::Bank
        | HolderKind::Opening
        | HolderKind::Rounding
        | HolderKind::Outside) => of_holder(visitor, kind.with_id(Uuid::nil()), &query).await,
    }
}

async fn of_holder(visitor: Visitor, holder: Holder, query: &Query) -> Result<HttpResponse, Problem> {
    let (days, visitor) = AskedDays::of(visitor);
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let asked = query.unit.as_deref().and_then(|unit| unit.parse().ok());
    let part = query.part(query.filter(&days))?;
    let screen = desk.statement_screen(&actor, holder, asked, part, POSTINGS).await?;
    let own = holder
        .player()
        .is_some_and(|player| visitor.principal.and_then(|principal| principal.player) == Some(player));
    let title = title(&visitor.t, holder, own, &screen);
    let here = Here { holder, unit: screen.unit, filter: query.filter(&days) };
    let (games, goes_on) = games(&screen.lines);
    let frame = visitor.frame(&title, Some(tab(holder, own)));
    let remindable = match holder.player() {
        Some(player) if !own && visitor.service.mail.is_some() && visitor.may(Permission::KeepBooks) => {
            desk.mail_address_of_player(player).await?.is_some()
        }
        Some(_) | None => false,
    };
    let page = LedgerPage {
        t: visitor.say(&screen.names),
        frame,
        title,
        books: books(&visitor, &address(holder)),
        here,
        own,
        remindable,
        is_first: query.after.is_none(),
        screen: &screen,
        games,
        goes_on,
    };
    visitor.answer(page.render())
}

/// The club's own ledgers and the viewer's are kept under the tab of ledgers, other players' under that of
/// players.
const fn tab(holder: Holder, own: bool) -> Tab {
    match holder {
        Holder::Player(_) if !own => Tab::Players,
        Holder::Player(_)
        | Holder::Pool(_)
        | Holder::House
        | Holder::Bank
        | Holder::Opening
        | Holder::Rounding
        | Holder::Outside => Tab::Ledger,
    }
}
