//! Setting up a club that has no admin yet.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};
use secrecy::SecretString;
use serde::Deserialize;

use super::{answer, secret};
use crate::Routes;
use owlbox_books::club::{Login, Settings};
use owlbox_desk::access::set_up::SetUp;
use owlbox_http::ask::Body;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(set_up);
}

/// The first settings and the first admin of the club.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SetUpBody {
    /// The code shown on the console.
    #[cfg_attr(test, schema(example = "F7K2-9QXM-4TRC"))]
    code: String,
    #[serde(default)]
    settings: Settings,
    /// The login of the first admin.
    login: Login,
    /// The password of the first admin: 10 to 200 characters.
    #[serde(deserialize_with = "secret")]
    #[cfg_attr(test, schema(value_type = String, format = Password, min_length = 10, max_length = 200))]
    password: SecretString,
}

/// Sets up the club and signs its first admin in.
///
/// Works with the code shown on the console as long as the club has no admin. Needs no sign-in.
#[cfg_attr(test, utoipa::path(
    security(()),
    request_body(
        content = SetUpBody,
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
async fn set_up(service: Service, Body(body): Body<SetUpBody>) -> Result<HttpResponse, Problem> {
    let SetUpBody { code, settings, login, password } = body;
    let tokens = service.desk.set_up(SetUp { code, settings, login, password }).await?;
    Ok(answer(StatusCode::CREATED, tokens))
}
