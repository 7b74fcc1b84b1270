//! House rules: the sets that a table can be opened with, and the meaning of every setting.

use actix_web::http::header;
use actix_web::{HttpResponse, delete, get, put, web};
use serde::Serialize;

use super::etag;
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::InvalidValue;
use owlbox_books::club::{RuleSet, RuleSetName};
use owlbox_chouette::HouseRules;
use owlbox_chouette::rules::catalogue::{self, HouseRuleSetting};
use owlbox_desk::Refused;
use owlbox_desk::club::house_rules::InPlaceOf;
use owlbox_http::ask::{CommandRequest, Preconditions};
use owlbox_http::caller::MaybeCaller;
use owlbox_http::paging::{Page, PageQuery, limit, no_cursor};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_locale::url::encoded;

pub(super) fn configure(config: &mut impl super::Routes) {
    config
        .service(list_house_rules)
        .service(describe_house_rules)
        .service(show_house_rules)
        .service(save_house_rules)
        .service(remove_house_rules);
}

/// A set of house rules.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct RuleSetBody {
    /// The name of the set; for a built-in set, its key.
    #[cfg_attr(test, schema(example = "los_angeles"))]
    pub name: String,
    /// Whether the set is built in and cannot be changed.
    pub preset: bool,
    /// The keys of the settings that differ from the set `common`.
    #[cfg_attr(test, schema(example = json!(["cubes", "partner.when"])))]
    pub differences: Vec<&'static str>,
    /// All settings of the set.
    pub rules: HouseRules,
}

impl From<RuleSet<'_>> for RuleSetBody {
    fn from(set: RuleSet<'_>) -> Self {
        Self::new(set.name.to_owned(), set.is_preset, set.rules.clone())
    }
}

impl RuleSetBody {
    fn new(name: String, preset: bool, rules: HouseRules) -> Self {
        let differences = catalogue::differences(&HouseRules::default(), &rules);
        Self { name, preset, differences: differences.iter().map(|setting| setting.key).collect(), rules }
    }
}

/// Every setting of the house rules, in the order of the set.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct HouseRulesSchema {
    /// Every setting, in the order of the set.
    pub settings: &'static [HouseRuleSetting],
}

/// Lists the sets of house rules: the built-in ones, then the club's own by name.
///
/// Needs `view_tables`. The `ETag` is the version of the club.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(PageQuery),
    responses((status = 200, body = Page<RuleSetBody>, headers(("ETag" = String))))
))]
#[get("/house-rules")]
async fn list_house_rules(
    service: Service,
    caller: MaybeCaller,
    query: web::Query<PageQuery>,
) -> Result<HttpResponse, Problem> {
    service.desk.require(caller.actor(), Permission::ViewTables).await?;
    let limit = limit(&service, query.limit)?;
    let club = service.desk.club().await?;
    let mut sets: Vec<RuleSet<'_>> = club.state.rule_sets().collect();
    if let Some(after) = &query.after {
        let place = sets.iter().position(|set| set.name == after).ok_or_else(no_cursor)?;
        sets = sets.split_off(place + 1);
    }
    let shown = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
    let items = sets.into_iter().take(shown).map(RuleSetBody::from).collect();
    let page = Page::cut(items, limit, |set: &RuleSetBody| set.name.clone());
    Ok(HttpResponse::Ok().insert_header(etag(club.version)).json(page))
}

/// Describes every setting: its key, its subject, its possible values and its default.
///
/// A dotted key is a setting within another: `partner.from` is `from` in `partner`. Needs `view_tables`.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    responses((status = 200, body = HouseRulesSchema))
))]
#[get("/house-rules/schema")]
async fn describe_house_rules(service: Service, caller: MaybeCaller) -> Result<HttpResponse, Problem> {
    service.desk.require(caller.actor(), Permission::ViewTables).await?;
    Ok(HttpResponse::Ok().json(HouseRulesSchema { settings: catalogue::settings() }))
}

/// Shows a set of house rules.
///
/// Needs `view_tables`. The `ETag` is the version of the club.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(("name" = String, Path, description = "The name of the set", example = "common")),
    responses((status = 200, body = RuleSetBody, headers(("ETag" = String))))
))]
#[get("/house-rules/{name}")]
async fn show_house_rules(
    service: Service,
    caller: MaybeCaller,
    name: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    service.desk.require(caller.actor(), Permission::ViewTables).await?;
    let club = service.desk.club().await?;
    let set = club.state.rule_set(&name).ok_or(Refused::NotFound("house rules"))?;
    Ok(HttpResponse::Ok().insert_header(etag(club.version)).json(RuleSetBody::from(set)))
}

/// Saves a set of house rules under a name, replacing the club's own set of that name.
///
/// Missing settings take their defaults. Open tables keep the rules they were opened with. Needs
/// `manage_house_rules`.
#[cfg_attr(test, utoipa::path(
    params(
        ("name" = String, Path, description = "The name of the set", example = "Friday"),
        crate::schemas::ClubConditions
    ),
    request_body(
        content = HouseRules,
        example = json!({"cubes": "single", "captain_drops": "becomes", "partner": {"when": "optional", "from": 8}})
    ),
    responses(
        (status = 200, body = RuleSetBody, headers(("ETag" = String))),
        (status = 201, body = RuleSetBody, headers(("ETag" = String), ("Location" = String)))
    )
))]
#[put("/house-rules/{name}")]
async fn save_house_rules(
    service: Service,
    name: web::Path<String>,
    ask: CommandRequest<HouseRules>,
) -> Result<HttpResponse, Problem> {
    let name: RuleSetName = name
        .parse()
        .map_err(|error: InvalidValue| Problem::new(Code::InvalidName, error.to_string()).about("name"))?;
    let body = RuleSetBody::new(name.to_string(), false, ask.body.clone());
    let saved = service.desk.save_house_rules(ask.request, name, ask.body, InPlaceOf::Anything).await?;
    let mut answer = if saved.is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    if saved.is_new {
        let address = encoded(&body.name);
        answer.insert_header((header::LOCATION, format!("/api/v1/house-rules/{address}")));
    }
    Ok(answer.insert_header(etag(saved.version)).json(body))
}

/// Removes one of the club's own sets. Tables that were opened with it keep their rules.
///
/// Needs `manage_house_rules`.
#[cfg_attr(test, utoipa::path(
    params(
        ("name" = String, Path, description = "The name of the set", example = "Friday"),
        crate::schemas::ClubConditions
    ),
    responses((status = 204, headers(("ETag" = String))))
))]
#[delete("/house-rules/{name}")]
async fn remove_house_rules(
    service: Service,
    name: web::Path<String>,
    conditions: Preconditions,
) -> Result<HttpResponse, Problem> {
    let name = name.parse().map_err(|_| Refused::NotFound("house rules"))?;
    let version = service.desk.remove_house_rules(conditions.0, name).await?;
    Ok(HttpResponse::NoContent().insert_header(etag(version)).finish())
}
