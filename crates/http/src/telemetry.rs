//! What the service reports about itself: log lines on stderr and metrics for Prometheus.
//!
//! Every metric is named here, or in the room that counts it, with its labels, and described in [`METRICS`].
//! To count, use `metrics::counter!(telemetry::COMMANDS, "kind" => kind, "outcome" => outcome)`. Labels
//! come from closed sets (a route is its pattern, never a path), so that the number of series stays small.

mod prometheus;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::IsTerminal;

use strum::IntoEnumIterator as _;
use tracing::Subscriber;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::reload;
use tracing_subscriber::util::{SubscriberInitExt as _, TryInitError};

use crate::config::{Log, LogFormat};
pub use crate::problem::DATABASE_ERRORS;
use crate::problem::DatabaseError;
use crate::release::Release;
pub use owlbox_desk::commands::metrics::{COMMAND_QUEUE, COMMANDS, COMMIT_BATCH, PASSWORD_QUEUE, SIGN_INS};
pub use prometheus::{METRICS, Metric, Metrics};

/// Requests answered. Labels: `method`, `route` (the pattern), `status`.
pub const HTTP_REQUESTS: &str = "owlbox_http_requests_total";
/// Seconds from a request's arrival to its answer. Labels: `method`, `route`.
pub const HTTP_DURATION: &str = "owlbox_http_request_duration_seconds";
/// Always 1. Labels: `version`, `commit`.
pub const BUILD_INFO: &str = "owlbox_build_info";
pub const LIVE_STREAMS: &str = "owlbox_live_streams";
pub const CONNECTIONS: &str = "owlbox_connections";
/// Messages sent to webhooks. Label: `outcome`, `done` or `failed`.
pub const WEBHOOK_DELIVERIES: &str = "owlbox_webhook_deliveries_total";

/// Why the log or the metrics could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is invalid. The configuration has checked it, so the library must have changed.
    #[error("log.level is not understood: {0}")]
    Filter(#[from] ParseError),
    /// Another log was set up in this process before.
    #[error("the log is set up already: {0}")]
    Log(#[from] TryInitError),
    /// The log that was set up is gone.
    #[error("the log's level cannot be changed: {0}")]
    Level(#[from] reload::Error),
    /// Another recorder was set up in this process before.
    #[error("the metrics are set up already")]
    MetricsTaken,
}

/// The level from which on the log's lines are written.
pub struct LogLevel(Box<dyn Fn(Targets) -> Result<(), reload::Error> + Send + Sync>);

impl LogLevel {
    /// Lines are written from the level of `log` on.
    ///
    /// # Errors
    /// The level is not understood; then nothing has changed.
    pub fn set(&self, log: &Log) -> Result<(), TelemetryError> {
        Ok((self.0)(heard(log)?)?)
    }

    /// No line is written any more.
    pub fn silence(&self) {
        // Fails only if the log is gone, and then none is written either.
        drop((self.0)(Targets::new()));
    }
}

fn heard(log: &Log) -> Result<Targets, ParseError> {
    format!("{UNHEARD},{}", log.level).parse()
}

/// Sends log lines to stderr, in the configured format and from the configured level on. Call it once in a
/// process.
///
/// # Errors
/// A log is set up already.
pub fn start_log(log: &Log) -> Result<LogLevel, TelemetryError> {
    let lines = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(std::io::stderr);
    let level = match log.format {
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(true).with_span_list(false);
            filtered(lines.finish(), log)?
        }
        LogFormat::Human => {
            let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            filtered(lines.with_ansi(colours).finish(), log)?
        }
    };
    std::panic::set_hook(Box::new(log_panic));
    Ok(level)
}

/// Makes these lines the log of the process, from the configured level on.
fn filtered(lines: impl Subscriber + Send + Sync + 'static, log: &Log) -> Result<LogLevel, TelemetryError> {
    let (heard, level) = reload::Layer::new(heard(log)?);
    lines.with(heard).try_init()?;
    Ok(LogLevel(Box::new(move |heard| level.reload(heard))))
}

/// The HTTP library reports broken connections as errors, and without an address. The code that serves them
/// reports them better. The driver of PostgreSQL writes every value of every query, digests of passwords
/// among them. Naming the target in `log.level` brings the lines back.
const UNHEARD: &str = "actix_http=off,tokio_postgres=warn";

/// Logs a panic as an ordinary line within the span of its request, and so with the request's id and the
/// client's address.
fn log_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let backtrace = Backtrace::capture();
    let backtrace = (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string());
    tracing::error!(
        at = panic.location().map(ToString::to_string),
        why = panic.payload_as_str(),
        backtrace,
        "the program panicked"
    );
}

/// Says which release this is, and begins to count from zero what may fail on the `routes`, by method and
/// pattern: a series that appears with its first failure does not *increase* for Prometheus, so no alert
/// would see it.
pub fn begin<'a>(release: &Release, routes: impl Iterator<Item = (String, &'a str)>) {
    for (method, route) in routes {
        for status in ["500", "503"] {
            let labels =
                [("method", method.clone()), ("route", route.to_owned()), ("status", status.to_owned())];
            metrics::counter!(HTTP_REQUESTS, &labels).increment(0);
        }
    }
    for kind in DatabaseError::iter() {
        metrics::counter!(DATABASE_ERRORS, "kind" => <&str>::from(kind)).increment(0);
    }
    for outcome in ["done", "failed"] {
        metrics::counter!(WEBHOOK_DELIVERIES, "outcome" => outcome).increment(0);
    }
    owlbox_desk::commands::metrics::begin();
    let labels = [("version", release.version), ("commit", release.commit.unwrap_or("unknown"))];
    metrics::gauge!(BUILD_INFO, &labels).set(1.0);
    for gauge in [LIVE_STREAMS, CONNECTIONS, PASSWORD_QUEUE, COMMAND_QUEUE] {
        metrics::gauge!(gauge).increment(0.0);
    }
}

#[cfg(test)]
mod tests {
    use owlbox_desk::Refused;
    use owlbox_desk::StoreError;

    use super::*;
    use crate::problem::Problem;

    #[test]
    fn a_failure_of_the_database_is_counted() {
        let figures = Metrics::default();
        metrics::with_local_recorder(&figures, || {
            let _ = Problem::from(Refused::Store(StoreError::Panicked));
        });
        let text = figures.to_string();
        assert!(text.contains(&format!("{DATABASE_ERRORS}{{kind=\"panic\"}} 1")), "{text}");
    }
}
