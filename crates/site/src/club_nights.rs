//! The club's nights: a year, a month or one night.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;

use super::visitor::{self, Visitor};
use crate::pages::Tab;
use crate::pages::club_nights::{ClubNightsPage, Reader, title};
use owlbox_base::permissions::Permission;
use owlbox_base::values::Day;
use owlbox_books::statistics::ClubSpan;
use owlbox_desk::Refused;
use owlbox_http::problem::Problem;

pub(super) async fn year(visitor: Visitor, year: web::Path<i32>) -> Result<HttpResponse, Problem> {
    page(&visitor, ClubSpan::year(*year)).await
}

pub(super) async fn month(visitor: Visitor, path: web::Path<(i32, u32)>) -> Result<HttpResponse, Problem> {
    let (year, month) = *path;
    page(&visitor, ClubSpan::month(year, month)).await
}

pub(super) async fn night(visitor: Visitor, date: web::Path<Day>) -> Result<HttpResponse, Problem> {
    page(&visitor, Some(ClubSpan::Night(date.date()))).await
}

async fn page(visitor: &Visitor, span: Option<ClubSpan>) -> Result<HttpResponse, Problem> {
    let span = span.ok_or(Refused::NotFound("period"))?;
    let screen = visitor.service.desk.club_period(&visitor.actor()?, span).await?;
    let reader = Reader {
        player: visitor.principal.and_then(|principal| principal.player),
        sees_ledgers: visitor.may(Permission::ViewAnyLedger),
    };
    let frame = visitor.frame(&title(&visitor.t, span), Some(Tab::Night));
    let page = ClubNightsPage::new(visitor.t, frame, span, &screen, reader);
    visitor::html(StatusCode::OK, page.render())
}
