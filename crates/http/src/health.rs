//! Monitoring: liveness, readiness and metrics.

use actix_web::{HttpResponse, web};
use tokio::sync::watch;

use super::clubs::Clubs;
use super::telemetry::Metrics;
use owlbox_desk::StoreError;

/// What is asked about the process, whichever clubs it serves.
#[derive(Clone)]
pub struct Process {
    /// The metrics, if this process keeps them.
    pub metrics: Option<Metrics>,
    /// Becomes true when the process is told to stop.
    pub stopping: watch::Receiver<bool>,
}

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

/// Ready means that the database answers, its migrations are current and the service is not stopping. Where
/// there are many clubs, it means that they can be found: each is opened and migrated when it is asked for,
/// and a broken one does not affect the others.
async fn readyz(process: web::Data<Process>, clubs: web::Data<Clubs>) -> HttpResponse {
    if *process.stopping.borrow() {
        return HttpResponse::ServiceUnavailable().body("stopping\n");
    }
    let service = match clubs.get_ref() {
        Clubs::One(service) => service,
        Clubs::Many(awake) if awake.is_ready().await => return HttpResponse::Ok().body("ready\n"),
        Clubs::Many(_) => return HttpResponse::ServiceUnavailable().body("the clubs cannot be found\n"),
    };
    match service.desk.is_ready().await {
        Ok(true) => HttpResponse::Ok().body("ready\n"),
        Ok(false) => HttpResponse::ServiceUnavailable().body("migrations are not current\n"),
        Err(error) => {
            tracing::error!(%error, "the database cannot be used");
            let is_full = matches!(error, StoreError::Full);
            let why = if is_full { "there is no room left to write" } else { "the database does not answer" };
            HttpResponse::ServiceUnavailable().body(format!("{why}\n"))
        }
    }
}

/// The metrics in Prometheus' text format.
async fn metrics(process: web::Data<Process>) -> HttpResponse {
    match &process.metrics {
        Some(metrics) => {
            HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(metrics.to_string())
        }
        None => HttpResponse::NotFound().finish(),
    }
}
