//! The API's documentation: the OpenAPI document, a viewer served from the binary, and the page that every
//! problem's `type` points to.
//!
//! Handlers and their types declare what they can. [`complete`] adds what is the same for all of them:
//! [`tagged`] makes every command and every event a schema of its own, [`frames`] describes live streams,
//! [`forms`] and [`limits`] add bounds, [`answers`] says how a request can end, and [`examples`] gives each
//! command an example.

mod answers;
mod examples;
mod forms;
mod frames;
mod limits;
mod tagged;

use actix_web::http::header;
use actix_web::middleware::DefaultHeaders;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde_json::Value;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::problem::codes::{Section, sections};
use crate::config::Limits;
use owlbox_pages::assets;

const DOCUMENT: &str = "/api/v1/openapi.json";

/// The OpenAPI document, made once.
#[derive(Clone)]
pub struct Document(pub web::Bytes);

/// The page of problems. In English only, like everything for programmers.
#[derive(askama::Template)]
#[template(path = "problems.html")]
struct ProblemsPage {
    sections: Vec<Section>,
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
                // The viewer needs inline styles, and gets no other exception.
                .wrap(DefaultHeaders::new().add((header::CACHE_CONTROL, "no-cache")).add((
                    header::CONTENT_SECURITY_POLICY,
                    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                     connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
                )))
                .service(SwaggerUi::new("/docs/{_:.*}").config(viewer())),
        );
}

/// How the viewer opens: on the operations, with the hundreds of schemas folded up below.
fn viewer() -> Config<'static> {
    Config::from(DOCUMENT).default_models_expand_depth(0).filter(true)
}

async fn document(document: web::Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(document.0.clone())
}

async fn problems() -> HttpResponse {
    let page = ProblemsPage {
        sections: sections(),
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

/// Completes the handlers' declarations with what is the same for all of them, so that none can forget it.
pub fn complete(document: &mut Value, limits: &Limits) {
    tagged::split(document);
    frames::describe(document);
    answers::tell(document, limits);
    limits::set(document);
    forms::settle(document);
    examples::give(document);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use actix_web::dev::HttpServiceFactory;
    use utoipa::openapi::{RefOr, schema::Schema};
    use utoipa_actix_web::OpenApiFactory;

    use crate::api::{self, Routes};

    /// Every schema that a handler names, including those that others of the same name would replace.
    #[derive(Default)]
    struct Schemas(Vec<(String, RefOr<Schema>)>);

    impl Routes for Schemas {
        fn service(&mut self, handler: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self {
            handler.schemas(&mut self.0);
            self
        }
    }

    #[test]
    fn no_two_types_have_one_name_in_the_document() {
        let mut schemas = Schemas::default();
        api::configure(&mut schemas);
        let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, schema) in schemas.0 {
            told.entry(name).or_default().insert(serde_json::to_string(&schema).unwrap());
        }
        assert!(told.len() > 200, "the handlers no longer say what they speak of");
        told.retain(|_, schemas| schemas.len() > 1);
        assert!(told.is_empty(), "{told:#?}");
    }
}
