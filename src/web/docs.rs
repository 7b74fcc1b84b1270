//! The API's documentation: the OpenAPI document, a viewer served from the binary, and the page that
//! every problem's `type` points to.

use actix_web::http::header;
use actix_web::middleware::DefaultHeaders;
use actix_web::{HttpResponse, web};
use askama::Template as _;
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
    subjects: [Subject; 7],
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
                .wrap(DefaultHeaders::new().add((
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
