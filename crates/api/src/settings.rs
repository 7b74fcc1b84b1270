//! The club's settings.

use actix_web::{HttpResponse, get, patch, put};
use serde::Deserialize;

use super::etag;
use owlbox_base::permissions::Permission;
#[cfg(test)]
use owlbox_books::club::Settings;
use owlbox_books::club::SettingsChange;
use owlbox_desk::{Refused, Request};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(show_settings).service(replace_settings).service(change_settings);
}

/// Shows the club's settings.
///
/// Needs `view_club`. The `ETag` is the version of the club.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    responses((status = 200, body = Settings, headers(("ETag" = String))), (status = 404, body = Problem))
))]
#[get("/settings")]
async fn show_settings(service: Service, caller: MaybeCaller) -> Result<HttpResponse, Problem> {
    service.desk.require(caller.actor(), Permission::ViewClub).await?;
    let club = service.desk.club().await?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    Ok(HttpResponse::Ok().insert_header(etag(club.version)).json(settings))
}

/// Changes the club's settings.
///
/// What is not named stays as it is, within `public` and `seat_words` too; `null` puts a setting back to what
/// a new club has. Name, time zone, currencies and what is public must be given. Needs `change_settings`.
#[cfg_attr(test, utoipa::path(
    params(crate::schemas::ClubConditions),
    request_body(
        content = SettingsReplacement,
        example = json!({
            "name": "Circolo Backgammon Milano", "time_zone": "Europe/Rome", "currencies": ["EUR", "CHF"],
            "public": {"tables": true, "standings": false}, "exposure_limit": 64, "rating_experience": "before",
            "highest_cube": 64, "language": "it", "self_registration": "confirmed",
            "seat_words": {"box": "Capo", "captain": null, "crew": null},
            "seasons": [{
                "name": "Winter 2026", "from": "2026-10-01", "until": "2027-03-31", "coming": 1,
                "places": [10, 8, 6, 4, 2, 1], "ties": "average", "points_won": false, "best_nights": 10,
                "least_nights": 3, "guests": false
            }]
        })
    ),
    responses((status = 200, body = Settings, headers(("ETag" = String))))
))]
#[put("/settings")]
async fn replace_settings(
    service: Service,
    ask: CommandRequest<SettingsReplacement>,
) -> Result<HttpResponse, Problem> {
    changed(&service, ask.request, ask.body.0).await
}

/// Changes some of the club's settings.
///
/// What is not named stays as it is, within `public` and `seat_words` too; `null` puts a setting back to what
/// a new club has. Needs `change_settings`.
#[cfg_attr(test, utoipa::path(
    params(crate::schemas::ClubConditions),
    request_body(
        content = SettingsChange,
        example = json!({"exposure_limit": 32, "seat_words": {"captain": "Capitano"}, "iban": null})
    ),
    responses((status = 200, body = Settings, headers(("ETag" = String))))
))]
#[patch("/settings")]
async fn change_settings(
    service: Service,
    ask: CommandRequest<SettingsChange>,
) -> Result<HttpResponse, Problem> {
    changed(&service, ask.request, ask.body).await
}

async fn changed(
    service: &Service,
    request: Request,
    change: SettingsChange,
) -> Result<HttpResponse, Problem> {
    let (version, settings) = service.desk.merge_settings(request, change).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(settings))
}

/// A change that names what every version of the API has asked for.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(try_from = "SettingsChange")]
#[cfg_attr(test, schema(as = ClubSettingsReplacement, value_type = Object))]
struct SettingsReplacement(SettingsChange);

impl SettingsReplacement {
    const REQUIRED: [&str; 4] = ["name", "time_zone", "currencies", "public"];
}

impl TryFrom<SettingsChange> for SettingsReplacement {
    type Error = String;
    fn try_from(change: SettingsChange) -> Result<Self, String> {
        match Self::REQUIRED.into_iter().find(|field| !change.names(field)) {
            Some(field) => Err(format!("missing field `{field}`")),
            None => Ok(Self(change)),
        }
    }
}
