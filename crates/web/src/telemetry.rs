//! What the service reports about itself: log lines on stderr and metrics for Prometheus.
//!
//! Every metric is named here, or in the room that counts it, with its labels, and described to the recorder
//! in one place. To count, use `metrics::counter!(telemetry::COMMANDS, "kind" => kind, "outcome" =>
//! outcome)`. Labels come from closed sets (a route is its pattern, never a path), so that the number of
//! series stays small.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::IsTerminal;
use std::time::Duration;

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use strum::IntoEnumIterator as _;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::TryInitError;

use crate::config::{Log, LogFormat};
use crate::problem::DatabaseError;
pub use owlbox_desk::figures::{COMMAND_QUEUE, COMMANDS, COMMIT_BATCH, PASSWORD_QUEUE, SIGN_INS};

/// Requests answered. Labels: `method`, `route` (the pattern), `status`.
pub const HTTP_REQUESTS: &str = "owlbox_http_requests_total";
/// Seconds from a request's arrival to its answer. Labels: `method`, `route`.
pub const HTTP_DURATION: &str = "owlbox_http_request_duration_seconds";
pub const LIVE_STREAMS: &str = "owlbox_live_streams";
pub const CONNECTIONS: &str = "owlbox_connections";
/// Database errors that are no caller's fault. Label: `kind`.
pub const DATABASE_ERRORS: &str = "owlbox_database_errors_total";

/// The buckets of the latency histogram, in seconds.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
/// The buckets of the batch histogram, in commands.
const COMMANDS_PER_COMMIT: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];
/// How often to call [`Figures::sweep`].
pub const SWEEP_EVERY: Duration = Duration::from_secs(5);

/// Why the log or the metrics could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is invalid. The configuration has checked it, so the library must have changed.
    #[error("log.level is not understood: {0}")]
    Filter(#[from] ParseError),
    /// Another log was set up in this process before.
    #[error("the log is set up already: {0}")]
    Log(#[from] TryInitError),
    /// The recorder rejects the buckets.
    #[error("the figures cannot be set up: {0}")]
    Figures(#[from] BuildError),
    /// Another recorder was set up in this process before.
    #[error("the figures are set up already")]
    FiguresTaken,
}

/// Sends log lines to stderr, in the configured format and from the configured level on. Call it once in a
/// process.
///
/// # Errors
/// A log is set up already.
pub fn start_log(log: &Log) -> Result<(), TelemetryError> {
    use tracing_subscriber::util::SubscriberInitExt;
    let lines = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(std::io::stderr);
    let heard: Targets = format!("{UNHEARD},{}", log.level).parse()?;
    match log.format {
        LogFormat::Json => {
            lines
                .json()
                .flatten_event(true)
                .with_current_span(true)
                .with_span_list(false)
                .finish()
                .with(heard)
                .try_init()?;
        }
        LogFormat::Human => {
            let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            lines.with_ansi(colours).finish().with(heard).try_init()?;
        }
    }
    std::panic::set_hook(Box::new(log_panic));
    Ok(())
}

/// The HTTP library reports broken connections as errors, and without an address. The code that serves them
/// reports them better. The driver of PostgreSQL writes every value of every query, digests of passwords among them.
/// Naming the target in `log.level` brings the lines back.
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

/// The metrics of this process, for `/metrics`.
#[derive(Clone)]
pub struct Figures(PrometheusHandle);

impl Figures {
    /// Sets up the process's recorder. Call it once in a process.
    ///
    /// # Errors
    /// A recorder is set up already.
    pub fn start() -> Result<Self, TelemetryError> {
        let recorder = builder()?.build_recorder();
        let figures = Self(recorder.handle());
        metrics::set_global_recorder(recorder).map_err(|_| TelemetryError::FiguresTaken)?;
        describe();
        Ok(figures)
    }

    /// The metrics in Prometheus' text format.
    #[must_use]
    pub fn render(&self) -> String {
        self.0.render()
    }

    /// Folds measurements into the histograms. Call it every [`SWEEP_EVERY`]: until then each measurement is
    /// kept singly, and without a scraper they would pile up.
    pub fn sweep(&self) {
        self.0.run_upkeep();
    }
}

fn builder() -> Result<PrometheusBuilder, BuildError> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full(HTTP_DURATION.to_owned()), &SECONDS)?
        .set_buckets_for_metric(Matcher::Full(COMMIT_BATCH.to_owned()), &COMMANDS_PER_COMMIT)
}

/// A metric, as described to the recorder.
pub struct Figure {
    pub name: &'static str,
    kind: Kind,
    about: &'static str,
}

enum Kind {
    Counter,
    Gauge,
    Histogram,
    /// A histogram of seconds.
    Seconds,
}

pub const FIGURES: [Figure; 10] = [
    figure(HTTP_REQUESTS, Kind::Counter, "Requests answered, by method, route and status."),
    figure(HTTP_DURATION, Kind::Seconds, "From a request's arrival to its answer."),
    figure(
        COMMANDS,
        Kind::Counter,
        "Commands to chouettes, matches, tournaments and the daybook, by kind and outcome.",
    ),
    figure(SIGN_INS, Kind::Counter, "Attempts to prove a password, by outcome."),
    figure(COMMIT_BATCH, Kind::Histogram, "Commands that one commit took along."),
    figure(COMMAND_QUEUE, Kind::Gauge, "Commands that wait to be carried out."),
    figure(LIVE_STREAMS, Kind::Gauge, "Live streams open now."),
    figure(CONNECTIONS, Kind::Gauge, "Connections open now."),
    figure(PASSWORD_QUEUE, Kind::Gauge, "Sign-ins that wait for their password to be hashed."),
    figure(DATABASE_ERRORS, Kind::Counter, "Errors of the database that no caller is to blame for."),
];

const fn figure(name: &'static str, kind: Kind, about: &'static str) -> Figure {
    Figure { name, kind, about }
}

fn describe() {
    for Figure { name, kind, about } in FIGURES {
        match kind {
            Kind::Counter => describe_counter!(name, about),
            Kind::Gauge => describe_gauge!(name, about),
            Kind::Histogram => describe_histogram!(name, about),
            Kind::Seconds => describe_histogram!(name, Unit::Seconds, about),
        }
    }
}

/// Begins to count from zero what may fail on the `routes`, by method and pattern: a series that appears with its first
/// failure does not *increase* for Prometheus, so no alert would see it.
pub fn begin<'a>(routes: impl Iterator<Item = (String, &'a str)>) {
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
    owlbox_desk::figures::begin();
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
    fn figures_are_prometheus_text_with_their_descriptions() {
        let recorder = builder().unwrap().build_recorder();
        let figures = Figures(recorder.handle());
        metrics::with_local_recorder(&recorder, || {
            describe();
            metrics::counter!(COMMANDS, "kind" => "double", "outcome" => "done").increment(2);
            metrics::histogram!(HTTP_DURATION, "method" => "GET", "route" => "/healthz").record(0.002);
            metrics::gauge!(LIVE_STREAMS).set(3);
        });
        figures.sweep();
        let text = figures.render();
        for line in [
            "# HELP owlbox_commands_total Commands to chouettes, matches, tournaments and the daybook, by kind and outcome.",
            "# TYPE owlbox_commands_total counter",
            "owlbox_commands_total{kind=\"double\",outcome=\"done\"} 2",
            "# TYPE owlbox_http_request_duration_seconds histogram",
            "owlbox_http_request_duration_seconds_bucket{method=\"GET\",route=\"/healthz\",le=\"0.0025\"} 1",
            "owlbox_live_streams 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn a_failure_of_the_database_is_counted() {
        let recorder = builder().unwrap().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            let _ = Problem::from(Refused::Store(StoreError::Panicked));
        });
        let text = recorder.handle().render();
        assert!(text.contains(&format!("{DATABASE_ERRORS}{{kind=\"panic\"}} 1")), "{text}");
    }
}
