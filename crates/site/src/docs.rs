//! What programmers read: the API's document in Swagger UI, the page that every problem's `type` points to,
//! and what pages are made of. In English only.

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, web};

#[cfg(any(debug_assertions, test))]
use crate::pages::BuildingBlocks;
use crate::pages::assets;
use owlbox_http::methods::DOCUMENT;
use owlbox_http::problem::codes::{Section, sections};

/// `/docs/problems`
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

/// Registers `/docs`, `/docs/problems` and, in a debug build, `/docs/ui`.
pub(super) fn configure(config: &mut web::ServiceConfig) {
    #[cfg(any(debug_assertions, test))]
    config.route("/docs/ui", web::get().to(building_blocks));
    config
        .route("/docs/problems", web::get().to(problems))
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

/// Shows what pages are made of.
#[cfg(any(debug_assertions, test))]
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
