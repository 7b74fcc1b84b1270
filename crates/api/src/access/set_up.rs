//! Setting up a club that has no admin yet.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};

use super::answer;
use crate::Routes;
use owlbox_desk::access::set_up::SetUp;
use owlbox_http::ask::Body;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(set_up);
}

/// Sets up the club and signs its first admin in.
///
/// Works with the code shown on the console as long as the club has no admin. Needs no sign-in.
#[cfg_attr(test, utoipa::path(
    security(()),
    request_body(
        content = SetUp,
        example = json!({
            "code": "F7K2-9QXM-4TRC",
            "settings": {
                "name": "Circolo Backgammon Milano", "time_zone": "Europe/Rome", "currencies": ["EUR"],
                "public": {"tables": true, "standings": true}
            },
            "login": "maria",
            "password": "quattro oche sul lago"
        })
    ),
    responses((status = 201, body = super::TokensBody), (status = 422, body = Problem))
))]
#[post("/set-up")]
async fn set_up(service: Service, Body(set_up): Body<SetUp>) -> Result<HttpResponse, Problem> {
    let tokens = service.desk.set_up(set_up).await?;
    Ok(answer(StatusCode::CREATED, tokens))
}
