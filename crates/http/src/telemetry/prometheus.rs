//! The metrics of this process: counted here, and written as Prometheus reads them.
//!
//! No single measurement is kept. What [`METRICS`] lists, with labels from closed sets, takes the same room
//! after a year as after a day.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError, RwLock};

use metrics::atomics::AtomicU64;
use metrics::{Counter, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName};
use metrics::{Metadata, Recorder, SharedString, Unit};

use super::{
    BUILD_INFO, COMMAND_QUEUE, COMMANDS, COMMIT_BATCH, CONNECTIONS, DATABASE_ERRORS, HTTP_DURATION,
    HTTP_REQUESTS, LIVE_STREAMS, PASSWORD_QUEUE, SIGN_INS, TelemetryError, WEBHOOK_DELIVERIES,
};

/// A metric: its name, and how and as what it is shown.
pub struct Metric {
    pub name: &'static str,
    kind: Kind,
    about: &'static str,
}

enum Kind {
    Counter,
    Gauge,
    /// With the upper bounds of its buckets, in order.
    Histogram(&'static [f64]),
}

/// All metrics of the service.
pub static METRICS: [Metric; 12] = [
    metric(HTTP_REQUESTS, Kind::Counter, "Requests answered, by method, route and status."),
    metric(HTTP_DURATION, Kind::Histogram(&SECONDS), "Seconds from a request's arrival to its answer."),
    metric(
        COMMANDS,
        Kind::Counter,
        "Commands to chouettes, matches, tournaments and the daybook, by kind and outcome.",
    ),
    metric(SIGN_INS, Kind::Counter, "Password checks, by outcome."),
    metric(COMMIT_BATCH, Kind::Histogram(&COMMANDS_PER_COMMIT), "Commands in one commit."),
    metric(COMMAND_QUEUE, Kind::Gauge, "Commands waiting to be carried out."),
    metric(BUILD_INFO, Kind::Gauge, "The running release, in its labels."),
    metric(LIVE_STREAMS, Kind::Gauge, "Live streams open now."),
    metric(CONNECTIONS, Kind::Gauge, "Connections open now."),
    metric(PASSWORD_QUEUE, Kind::Gauge, "Sign-ins waiting for their password to be hashed."),
    metric(WEBHOOK_DELIVERIES, Kind::Counter, "Messages sent to webhooks, by outcome."),
    metric(DATABASE_ERRORS, Kind::Counter, "Database errors that no caller caused."),
];

const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
const COMMANDS_PER_COMMIT: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

const fn metric(name: &'static str, kind: Kind, about: &'static str) -> Metric {
    Metric { name, kind, about }
}

/// The metrics of this process. It is displayed in Prometheus' text format.
#[derive(Clone, Default)]
pub struct Metrics {
    /// What counters count, and the bits of what gauges show.
    numbers: Series<AtomicU64>,
    histograms: Series<Buckets>,
}

/// Where something is counted, by name and labels.
type Series<T> = Arc<RwLock<BTreeMap<Key, Arc<T>>>>;

impl Metrics {
    /// Sets up the process's recorder. Call it once in a process.
    ///
    /// # Errors
    /// A recorder is set up already.
    pub fn start() -> Result<Self, TelemetryError> {
        let figures = Self::default();
        metrics::set_global_recorder(figures.clone()).map_err(|_| TelemetryError::MetricsTaken)?;
        Ok(figures)
    }
}

/// What is counted under this key, if it is declared and of the right kind. In debug builds it has to be:
/// nothing else is ever shown.
fn declared<T>(key: &Key, of: impl Fn(&'static Kind) -> Option<T>) -> Option<T> {
    let found = METRICS.iter().find(|figure| figure.name == key.name()).and_then(|figure| of(&figure.kind));
    debug_assert!(found.is_some(), "{} is not among the metrics, or of another kind", key.name());
    found
}

/// Where the metric with this key is counted, from now on if it was not.
fn counted<T>(series: &Series<T>, key: &Key, new: impl FnOnce() -> T) -> Arc<T> {
    if let Some(there) = series.read().unwrap_or_else(PoisonError::into_inner).get(key) {
        return Arc::clone(there);
    }
    let mut series = series.write().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(series.entry(key.clone()).or_insert_with(|| Arc::new(new())))
}

impl Recorder for Metrics {
    // `METRICS` describes them.
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        let number = || counted(&self.numbers, key, AtomicU64::default);
        declared(key, |kind| matches!(kind, Kind::Counter).then(number))
            .map_or(Counter::noop(), Counter::from_arc)
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        let number = || counted(&self.numbers, key, AtomicU64::default);
        declared(key, |kind| matches!(kind, Kind::Gauge).then(number)).map_or(Gauge::noop(), Gauge::from_arc)
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        let buckets = declared(key, |kind| {
            let Kind::Histogram(bounds) = kind else { return None };
            Some(counted(&self.histograms, key, || Buckets::new(bounds)))
        });
        buckets.map_or(Histogram::noop(), Histogram::from_arc)
    }
}

/// How much was measured, by size.
struct Buckets {
    /// The upper bound of each bucket but the last, which has none.
    bounds: &'static [f64],
    counts: Vec<AtomicU64>,
    /// The bits of the sum of all that was measured.
    sum: AtomicU64,
}

impl Buckets {
    fn new(bounds: &'static [f64]) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::default()).collect();
        Self { bounds, counts, sum: AtomicU64::default() }
    }

    /// One line for each bucket, with all that the smaller ones hold, and the sum and the number of all.
    fn lines(&self, name: &str, labels: &str) -> String {
        let and = if labels.is_empty() { "" } else { "," };
        let bounds = self.bounds.iter().map(f64::to_string).chain(["+Inf".to_owned()]);
        let (mut lines, mut all) = (String::new(), 0);
        for (bound, count) in bounds.zip(&self.counts) {
            all += count.load(Relaxed);
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{name}_bucket{{{labels}{and}le=\"{bound}\"}} {all}");
        }
        let (labels, sum) = (braced(labels), f64::from_bits(self.sum.load(Relaxed)));
        let _ = writeln!(lines, "{name}_sum{labels} {sum}\n{name}_count{labels} {all}");
        lines
    }
}

impl HistogramFn for Buckets {
    fn record(&self, value: f64) {
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Relaxed);
        }
        self.sum.increment(value);
    }
}

impl Display for Metrics {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Copied: while somebody reads, a new series waits, and everybody else behind it.
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner).clone();
        let histograms = self.histograms.read().unwrap_or_else(PoisonError::into_inner).clone();
        for Metric { name, kind, about } in &METRICS {
            let number = |shown: fn(u64) -> String| {
                let all = series_of(name, &numbers);
                all.map(|(labels, number)| {
                    format!("{name}{} {}\n", braced(&labels), shown(number.load(Relaxed)))
                })
                .collect::<String>()
            };
            let (kind, lines) = match kind {
                Kind::Counter => ("counter", number(|count| count.to_string())),
                Kind::Gauge => ("gauge", number(|bits| f64::from_bits(bits).to_string())),
                Kind::Histogram(_) => {
                    let all = series_of(name, &histograms);
                    ("histogram", all.map(|(labels, buckets)| buckets.lines(name, &labels)).collect())
                }
            };
            if !lines.is_empty() {
                write!(text, "# HELP {name} {about}\n# TYPE {name} {kind}\n{lines}")?;
            }
        }
        Ok(())
    }
}

/// The labels and the counts of each series of a metric.
fn series_of<'a, T>(name: &str, all: &'a BTreeMap<Key, Arc<T>>) -> impl Iterator<Item = (String, &'a T)> {
    let from = all.range(Key::from_name(name.to_owned())..);
    from.take_while(move |(key, _)| key.name() == name).map(|(key, counted)| (labels(key), &**counted))
}

/// Labels as they are written, without braces.
fn labels(key: &Key) -> String {
    let escaped = |value: &str| value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n");
    let all: Vec<_> =
        key.labels().map(|label| format!("{}=\"{}\"", label.key(), escaped(label.value()))).collect();
    all.join(",")
}

fn braced(labels: &str) -> String {
    if labels.is_empty() { String::new() } else { format!("{{{labels}}}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_prometheus_text_with_their_descriptions() {
        let figures = Metrics::default();
        metrics::with_local_recorder(&figures, || {
            metrics::gauge!(LIVE_STREAMS).set(4);
            metrics::gauge!(LIVE_STREAMS).decrement(1);
            metrics::histogram!(COMMIT_BATCH).record(1.0);
            metrics::histogram!(COMMIT_BATCH).record(3.0);
            metrics::histogram!(COMMIT_BATCH).record(300.0);
            metrics::counter!(SIGN_INS, "outcome" => "a\\b\"c\nd").increment(1);
            metrics::counter!(SIGN_INS, "outcome" => "done").increment(2);
            for seconds in [0.000_488_281_25, 0.125] {
                metrics::histogram!(HTTP_DURATION, "method" => "GET", "route" => "/healthz").record(seconds);
            }
        });
        let seconds = "owlbox_http_request_duration_seconds";
        let get = "method=\"GET\",route=\"/healthz\"";
        let bounds =
            ["0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1"].map(|bound| (bound, 1));
        let more = ["0.25", "0.5", "1", "2.5", "+Inf"].map(|bound| (bound, 2));
        let buckets: String = (bounds.iter().chain(&more))
            .map(|(bound, count)| format!("{seconds}_bucket{{{get},le=\"{bound}\"}} {count}\n"))
            .collect();
        let expected = format!(
            "# HELP {seconds} Seconds from a request's arrival to its answer.\n\
             # TYPE {seconds} histogram\n\
             {buckets}\
             {seconds}_sum{{{get}}} 0.12548828125\n\
             {seconds}_count{{{get}}} 2\n\
             # HELP owlbox_sign_ins_total Password checks, by outcome.\n\
             # TYPE owlbox_sign_ins_total counter\n\
             owlbox_sign_ins_total{{outcome=\"a\\\\b\\\"c\\nd\"}} 1\n\
             owlbox_sign_ins_total{{outcome=\"done\"}} 2\n\
             # HELP owlbox_commit_batch_commands Commands in one commit.\n\
             # TYPE owlbox_commit_batch_commands histogram\n\
             owlbox_commit_batch_commands_bucket{{le=\"1\"}} 1\n\
             owlbox_commit_batch_commands_bucket{{le=\"2\"}} 1\n\
             owlbox_commit_batch_commands_bucket{{le=\"4\"}} 2\n\
             owlbox_commit_batch_commands_bucket{{le=\"8\"}} 2\n\
             owlbox_commit_batch_commands_bucket{{le=\"16\"}} 2\n\
             owlbox_commit_batch_commands_bucket{{le=\"32\"}} 2\n\
             owlbox_commit_batch_commands_bucket{{le=\"64\"}} 2\n\
             owlbox_commit_batch_commands_bucket{{le=\"128\"}} 2\n\
             owlbox_commit_batch_commands_bucket{{le=\"256\"}} 2\n\
             owlbox_commit_batch_commands_bucket{{le=\"+Inf\"}} 3\n\
             owlbox_commit_batch_commands_sum 304\n\
             owlbox_commit_batch_commands_count 3\n\
             # HELP owlbox_live_streams Live streams open now.\n\
             # TYPE owlbox_live_streams gauge\n\
             owlbox_live_streams 3\n"
        );
        assert_eq!(figures.to_string(), expected);
    }

    #[test]
    #[should_panic(expected = "owlbox_other is not among the metrics")]
    fn what_is_not_declared_is_not_counted_in_secret() {
        metrics::with_local_recorder(&Metrics::default(), || metrics::counter!("owlbox_other").increment(1));
    }

    #[test]
    #[should_panic(expected = "owlbox_sign_ins_total is not among the metrics, or of another kind")]
    fn nothing_is_counted_as_another_kind_than_it_is_declared() {
        metrics::with_local_recorder(&Metrics::default(), || metrics::gauge!(SIGN_INS).increment(1));
    }
}
