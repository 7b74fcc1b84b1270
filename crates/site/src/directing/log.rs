//! The log of a tournament at the desk.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use super::status;
use crate::pages::directing::{DeskLogPage, log};
use crate::pages::{LivePage as _, Tab};
use crate::visitor::{self, Visitor};
use owlbox_base::journal::Version;
use owlbox_base::values::TournamentId;
use owlbox_desk::tournaments::TournamentReader;
use owlbox_http::problem::Problem;
use owlbox_play::tournament::CommandKind;

/// Acts on a page.
const A_PAGE: usize = 100;

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct LogQuery {
    /// Acts before this version; without it, the newest.
    pub(super) before: Option<Version>,
}

impl LogQuery {
    /// The query of an address below the desk.
    pub(super) fn from_address(address: &str) -> Self {
        super::query_of(address).unwrap_or_default()
    }
}

pub(crate) async fn show(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    query: web::Query<LogQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer(&visitor, *id, *query, visitor::is_partial(&request), None).await
}

/// The current log.
pub(super) async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    LogQuery { before }: LogQuery,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let from = before.unwrap_or(Version::MAX);
    let look = move |looking: &mut TournamentReader<'_>| looking.log(from, A_PAGE);
    let (screen, read) = super::screen(visitor, id, CommandKind::Call, look).await?;
    let frame = visitor.frame(&visitor.t.get("the-log"), Some(Tab::Tournaments));
    let page = super::page(visitor, &screen, &log::below(before), problem, |context, mut desk| {
        // Older acts do not change.
        desk.live = before.is_none();
        DeskLogPage::new(context, frame, desk, &read)
    });
    visitor::html(status(problem), page.rendered(partial))
}
