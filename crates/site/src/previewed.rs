//! What a form would do now, in words: for an act that was kept in the browser while others acted
//! (`assets/outbox.js`). The same form goes to the address of its act with `/preview` after its path; nothing
//! is recorded. A form without such an address cannot be previewed by mistake: it meets no route.

use std::future::Future;

use actix_web::HttpResponse;
use actix_web::http::header;
use serde::Serialize;

use super::visitor::{self, Visitor};
use owlbox_base::code::Code;
use owlbox_base::journal::Version;
use owlbox_http::problem::Problem;

/// Either what the act would do, or why it is no longer possible.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Previewed {
    Does(String),
    Refused(String),
}

/// The answer for a page's script, with the version that the preview is of.
///
/// # Errors
/// The visitor may not ask, the service failed, or nothing can be said beforehand (dice, secret answers).
pub(super) async fn answer(
    visitor: &Visitor,
    tried: impl Future<Output = Result<(String, Version), Problem>>,
) -> Result<HttpResponse, Problem> {
    let mut built = HttpResponse::Ok();
    built.insert_header((header::CACHE_CONTROL, "no-store"));
    match tried.await {
        Ok((does, version)) => Ok(visitor::with_version(built.json(Previewed::Does(does)), version)),
        Err(problem) if is_refused_as_things_stand(&problem) => {
            Ok(built.json(Previewed::Refused(visitor.notice(&problem).text)))
        }
        Err(problem) => Err(problem),
    }
}

/// Whether the act itself is refused, rather than its form or the asking.
fn is_refused_as_things_stand(problem: &Problem) -> bool {
    [409, 422].contains(&problem.status) && problem.code != Code::NoPreview
}
