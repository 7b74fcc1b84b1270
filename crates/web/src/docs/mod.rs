//! The API's documentation: the OpenAPI document, Swagger UI to read it with, and the page that every problem's
//! `type` points to.
//!
//! The document is the file `openapi.json`. A test holds it to what the handlers and their types declare
//! (`compose`). They are compiled for tests alone: a service that serves the file has no use for them.

#[cfg(test)]
mod compose;

use std::sync::OnceLock;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, web};
use serde_json::Value;

use super::problem::codes::{Section, sections};
use crate::config::Limits;
use owlbox_pages::{BuildingBlocks, assets};

pub(crate) const DOCUMENT: &str = "/api/v1/openapi.json";

/// The document, with the usual limits.
const COMPOSED: &str = include_str!("openapi.json");

/// The OpenAPI document as text. It is written out when somebody first asks for it.
pub struct Document {
    limits: Limits,
    text: OnceLock<web::Bytes>,
}

impl Document {
    /// The document of a service with these limits.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        Self { limits, text: OnceLock::new() }
    }

    fn text(&self) -> serde_json::Result<web::Bytes> {
        if let Some(text) = self.text.get() {
            return Ok(text.clone());
        }
        let text = serde_json::to_string_pretty(&document(&self.limits)?)?;
        Ok(self.text.get_or_init(|| text.into()).clone())
    }
}

/// The page of problems. In English only, like everything for programmers.
#[derive(askama::Template)]
#[template(path = "problems.html")]
struct ProblemsPage {
    sections: Vec<Section>,
    style: &'static str,
    icon: &'static str,
}

/// Shows the document with Swagger UI.
#[derive(askama::Template)]
#[template(path = "api_docs.html")]
struct ViewerPage {
    document: &'static str,
    style: &'static str,
    icon: &'static str,
    viewer: &'static str,
    start: &'static str,
}

/// Swagger UI writes its styles into the page, and gets no other exception.
const VIEWER_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The OpenAPI document of the API, as served with these limits.
///
/// # Errors
/// The file is not JSON.
pub fn document(limits: &Limits) -> serde_json::Result<Value> {
    let mut document = serde_json::from_str(COMPOSED)?;
    bound_pages(&mut document, limits);
    Ok(document)
}

/// Says of every `limit` in a query how large a page may be, and is if nothing is said.
fn bound_pages(document: &mut Value, limits: &Limits) {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    let operations = paths.filter_map(Value::as_object_mut).flat_map(|methods| methods.values_mut());
    let parameters =
        operations.filter_map(|operation| operation.get_mut("parameters")?.as_array_mut()).flatten();
    for parameter in parameters.filter(|parameter| parameter["name"] == "limit") {
        parameter["schema"]["maximum"] = limits.page_size_max.into();
        parameter["schema"]["default"] = limits.page_size.into();
    }
}

/// Registers `/api/v1/openapi.json`, `/docs/problems`, `/docs/ui` and `/docs`.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route(DOCUMENT, web::get().to(show))
        .route("/docs/problems", web::get().to(problems))
        .route("/docs/ui", web::get().to(building_blocks))
        .service(web::redirect("/docs", "/docs/").see_other())
        .service(web::redirect("/docs/index.html", "/docs/").see_other())
        .route("/docs/", web::get().to(viewer));
}

async fn viewer() -> HttpResponse {
    let page = ViewerPage {
        document: DOCUMENT,
        style: assets::address("swagger-ui.css"),
        icon: assets::address("favicon.svg"),
        viewer: assets::address("swagger-ui.js"),
        start: assets::address("docs.js"),
    };
    let mut answer = render(&page);
    let headers = answer.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(VIEWER_SECURITY_POLICY));
    answer
}

async fn show(document: web::Data<Document>) -> HttpResponse {
    match document.text() {
        Ok(text) => HttpResponse::Ok().content_type("application/json").body(text),
        Err(error) => {
            tracing::error!(%error, "the OpenAPI document cannot be shown");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// Shows what pages are made of.
async fn building_blocks() -> HttpResponse {
    render(&BuildingBlocks::default())
}

async fn problems() -> HttpResponse {
    let page = ProblemsPage {
        sections: sections(),
        style: assets::address("owlbox.css"),
        icon: assets::address("favicon.svg"),
    };
    render(&page)
}

fn render(page: &impl askama::Template) -> HttpResponse {
    match page.render() {
        Ok(html) => HttpResponse::Ok().content_type("text/html; charset=utf-8").body(html),
        Err(error) => {
            tracing::error!(%error, "a page of the documentation cannot be shown");
            HttpResponse::InternalServerError().finish()
        }
    }
}
