//! The API's documentation: the OpenAPI document, a viewer served from the binary, and the page that
//! every problem's `type` points to.

use actix_web::http::header;
use actix_web::middleware::DefaultHeaders;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde_json::{Value, json};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::assets;
use super::problem::codes::{SUBJECTS, Subject};

/// Where the document is.
const DOCUMENT: &str = "/api/v1/openapi.json";

/// The OpenAPI document, made once.
#[derive(Clone)]
pub struct Document(pub web::Bytes);

/// The page of problems. In English alone, as everything for programmers is.
#[derive(askama::Template)]
#[template(path = "problems.html")]
struct ProblemsPage {
    subjects: [Subject; 10],
    style: &'static str,
    icon: &'static str,
}

/// Registers `/api/v1/openapi.json`, `/docs/problems` and `/docs`.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route(DOCUMENT, web::get().to(document))
        .route("/docs/problems", web::get().to(problems))
        .service(web::redirect("/docs", "/docs/").see_other())
        .service(
            web::scope("")
                .guard(actix_web::guard::fn_guard(|context| context.head().uri.path().starts_with("/docs/")))
                // The viewer styles itself inline; it gets no more than that.
                .wrap(DefaultHeaders::new().add((header::CACHE_CONTROL, "no-cache")).add((
                    header::CONTENT_SECURITY_POLICY,
                    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                     connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
                )))
                .service(SwaggerUi::new("/docs/{_:.*}").config(Config::from(DOCUMENT))),
        );
}

async fn document(document: web::Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(document.0.clone())
}

async fn problems() -> HttpResponse {
    let page = ProblemsPage {
        subjects: SUBJECTS,
        style: assets::address("owlbox.css"),
        icon: assets::address("favicon.svg"),
    };
    match page.render() {
        Ok(html) => HttpResponse::Ok().content_type("text/html; charset=utf-8").body(html),
        Err(error) => {
            tracing::error!(%error, "the page of problems cannot be shown");
            HttpResponse::InternalServerError().finish()
        }
    }
}
/// What a problem's status means for every operation that can answer with it.
const PROBLEMS: [(&str, &str); 11] = [
    ("400", "What was sent cannot be read; the code and the detail say why"),
    ("401", "Not signed in, or with a token that is no good, or no longer"),
    ("403", "Signed in, but not allowed to"),
    ("404", "There is no such thing, or none that the caller may see"),
    ("412", "The version is not the one in `If-Match`"),
    ("413", "The body is larger than allowed"),
    ("415", "The body is not `application/json`"),
    ("422", "The rules refuse it; the code says which"),
    ("429", "Too many attempts: `Retry-After` says when to come back"),
    ("503", "The service has too much to do: try again"),
    ("default", "The service failed; its log says how"),
];

/// Completes what the handlers say with what holds for all of them alike, so that none can forget it:
/// the problems that come of reading a request, their media type, and what each status means.
pub fn complete(document: &mut Value) {
    let methods = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    for operation in methods.filter_map(Value::as_object_mut).flat_map(|methods| methods.values_mut()) {
        let mut statuses = vec!["default"];
        let has = |kind: &str, name: Option<&str>| {
            let all = operation["parameters"].as_array().into_iter().flatten();
            all.filter(|one| one["in"] == kind).any(|one| name.is_none_or(|name| one["name"] == name))
        };
        if operation.get("requestBody").is_some() {
            statuses.extend(["400", "413", "415"]);
        }
        if has("query", None) || has("header", None) {
            statuses.push("400");
        }
        if has("header", Some("If-Match")) {
            statuses.push("412");
        }
        if has("path", None) {
            statuses.push("404");
        }
        if operation.get("security").is_none() {
            statuses.extend(["401", "403"]);
        }
        let Some(responses) = operation["responses"].as_object_mut() else { continue };
        for status in statuses {
            responses.entry(status).or_insert(Value::Null);
        }
        for (status, response) in responses {
            match PROBLEMS.into_iter().find(|(known, _)| known == status) {
                Some((_, meaning)) => *response = problem(response, meaning),
                None if response["description"].is_null() => response["description"] = json!("Done"),
                None => {}
            }
        }
    }
}

/// The response with a problem, as `told` or with the usual meaning.
fn problem(told: &Value, meaning: &str) -> Value {
    let description = told["description"].as_str().unwrap_or(meaning);
    let schema = json!({ "$ref": "#/components/schemas/Problem" });
    json!({ "description": description, "content": { "application/problem+json": { "schema": schema } } })
}
