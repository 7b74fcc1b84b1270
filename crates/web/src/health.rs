//! Monitoring: liveness, readiness and metrics.

use actix_web::{HttpResponse, web};

use super::service::Service;

/// Registers `/healthz`, `/readyz` and `/metrics`.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route("/healthz", web::get().to(healthz))
        .route("/readyz", web::get().to(readyz))
        .route("/metrics", web::get().to(metrics));
}

async fn healthz() -> &'static str {
    "ok\n"
}

/// Ready means that the database answers, its migrations are current and the service is not stopping.
async fn readyz(service: web::Data<Service>) -> HttpResponse {
    if *service.stopping.borrow() {
        return HttpResponse::ServiceUnavailable().body("stopping\n");
    }
    match service.desk.is_ready().await {
        Ok(true) => HttpResponse::Ok().body("ready\n"),
        Ok(false) => HttpResponse::ServiceUnavailable().body("migrations are not current\n"),
        Err(error) => {
            tracing::error!(%error, "the database does not answer");
            HttpResponse::ServiceUnavailable().body("the database does not answer\n")
        }
    }
}

/// The metrics in Prometheus' text format.
async fn metrics(service: web::Data<Service>) -> HttpResponse {
    match &service.figures {
        Some(figures) => HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(figures.render()),
        None => HttpResponse::NotFound().finish(),
    }
}
