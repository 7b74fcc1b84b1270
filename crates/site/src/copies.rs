//! Answers of pages of which all strangers have one copy.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};

use super::visitor::{self, Visitor};
use owlbox_base::values::TournamentId;
use owlbox_http::copies::{CachedPage, Key, PageState};
use owlbox_http::problem::Problem;
use owlbox_http::session::is_stranger;
use owlbox_play::tournament::Tournament;

/// Answers with a page of a tournament: a stranger gets the copy, anybody else what `render` makes for them.
/// `address` is the page's own, the same for whatever addresses show the same.
///
/// # Errors
/// The visitor may not see the tournament; or those of `render`.
pub(super) async fn answer(
    visitor: Visitor,
    request: &HttpRequest,
    tournament: TournamentId,
    address: String,
    render: impl AsyncFnOnce(&Visitor) -> Result<String, Problem>,
) -> Result<HttpResponse, Problem> {
    if !is_stranger(request) {
        return Ok(visitor::private(StatusCode::OK, render(&visitor).await?));
    }
    let (service, club) = (visitor.service.clone(), visitor.club.version);
    let (language, theme) = (visitor.t.tag(), visitor.theme.word());
    let (stream, _) = service.desk.visible::<Tournament>(None, tournament).await?;
    let names = service.desk.names_generation();
    let anybody = visitor.like_any_stranger(&address);
    let make = async || CachedPage::new(&render(&anybody).await?);
    let copy = match names {
        Some(names) => {
            let shows = PageState { tournament: stream.version, club, names };
            service.copies.get(Key { address, language, theme }, shows, make).await?
        }
        // Nobody would tell when it is no longer right.
        None => make().await?,
    };
    copy.answer(request)
}
