//! The API's documentation: the OpenAPI document, and a viewer served from the binary.

use actix_web::http::header;
use actix_web::middleware::DefaultHeaders;
use actix_web::{HttpResponse, web};
use utoipa_swagger_ui::{Config, SwaggerUi};

/// Where the document is.
const DOCUMENT: &str = "/api/v1/openapi.json";

/// The OpenAPI document, made once.
#[derive(Clone)]
pub struct Document(pub web::Bytes);

/// Registers `/api/v1/openapi.json` and `/docs`.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route(DOCUMENT, web::get().to(document))
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
