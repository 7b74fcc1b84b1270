//! The metrics of this process: counted here, and written as Prometheus reads them.
//!
//! Everything is counted where it happens, and nothing is kept singly: what [`FIGURES`] lists, with labels from closed sets,
//! takes the same room after a year as after a day.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError, RwLock};

use metrics::{Counter, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName};
use metrics::{Metadata, Recorder, SharedString, Unit};

use super::{
    COMMAND_QUEUE, COMMANDS, COMMIT_BATCH, CONNECTIONS, DATABASE_ERRORS, HTTP_DURATION, HTTP_REQUESTS,
    LIVE_STREAMS, PASSWORD_QUEUE, SIGN_INS, TelemetryError,
};

/// A metric: its name, and how and as what it is shown.
pub struct Figure {
    pub name: &'static str,
    kind: Kind,
    about: &'static str,
}

#[derive(Clone, Copy)]
enum Kind {
    Counter,
    Gauge,
    /// With the upper bounds of its buckets, in order.
    Histogram(&'static [f64]),
}

pub const FIGURES: [Figure; 10] = [
    figure(HTTP_REQUESTS, Kind::Counter, "Requests answered, by method, route and status."),
    figure(HTTP_DURATION, Kind::Histogram(&SECONDS), "From a request's arrival to its answer."),
    figure(
        COMMANDS,
        Kind::Counter,
        "Commands to chouettes, matches, tournaments and the daybook, by kind and outcome.",
    ),
    figure(SIGN_INS, Kind::Counter, "Attempts to prove a password, by outcome."),
    figure(COMMIT_BATCH, Kind::Histogram(&COMMANDS_PER_COMMIT), "Commands that one commit took along."),
    figure(COMMAND_QUEUE, Kind::Gauge, "Commands that wait to be carried out."),
    figure(LIVE_STREAMS, Kind::Gauge, "Live streams open now."),
    figure(CONNECTIONS, Kind::Gauge, "Connections open now."),
    figure(PASSWORD_QUEUE, Kind::Gauge, "Sign-ins that wait for their password to be hashed."),
    figure(DATABASE_ERRORS, Kind::Counter, "Errors of the database that no caller is to blame for."),
];
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
const COMMANDS_PER_COMMIT: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

const fn figure(name: &'static str, kind: Kind, about: &'static str) -> Figure {
    Figure { name, kind, about }
}

/// The metrics of this process. It is displayed in Prometheus' text format.
#[derive(Clone, Default)]
pub struct Figures {
    /// What counters count, and the bits of what gauges show.
    numbers: Series<AtomicU64>,
    histograms: Series<Buckets>,
}

/// Where something is counted, by name and labels.
type Series<T> = Arc<RwLock<BTreeMap<Key, Arc<T>>>>;

impl Figures {
    /// Sets up the process's recorder. Call it once in a process.
    ///
    /// # Errors
    /// A recorder is set up already.
    pub fn start() -> Result<Self, TelemetryError> {
        let figures = Self::default();
        metrics::set_global_recorder(figures.clone()).map_err(|_| TelemetryError::FiguresTaken)?;
        Ok(figures)
    }
}

/// Where the metric with this key is counted, from now on if it was not.
fn counted<T>(series: &Series<T>, key: &Key, new: impl FnOnce() -> T) -> Arc<T> {
    if let Some(there) = series.read().unwrap_or_else(PoisonError::into_inner).get(key) {
        return Arc::clone(there);
    }
    let mut series = series.write().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(series.entry(key.clone()).or_insert_with(|| Arc::new(new())))
}

impl Recorder for Figures {
    // `FIGURES` describes them.
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(counted(&self.numbers, key, AtomicU64::default))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(counted(&self.numbers, key, AtomicU64::default))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        let figure = FIGURES.iter().find(|figure| figure.name == key.name());
        let Some(Figure { kind: Kind::Histogram(bounds), .. }) = figure else { return Histogram::noop() };
        Histogram::from_arc(counted(&self.histograms, key, || Buckets::new(bounds)))
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

impl Display for Figures {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        let histograms = self.histograms.read().unwrap_or_else(PoisonError::into_inner);
        for Figure { name, kind, about } in FIGURES {
            let first = Key::from_static_name(name);
            let numbers = numbers.range(&first..).take_while(|(key, _)| key.name() == name);
            let numbers = numbers.map(|(key, number)| (labels(key, None), number.load(Relaxed)));
            writeln!(text, "# HELP {name} {about}")?;
            match kind {
                Kind::Counter => {
                    writeln!(text, "# TYPE {name} counter")?;
                    for (labels, number) in numbers {
                        writeln!(text, "{name}{labels} {number}")?;
                    }
                }
                Kind::Gauge => {
                    writeln!(text, "# TYPE {name} gauge")?;
                    for (labels, bits) in numbers {
                        writeln!(text, "{name}{labels} {}", f64::from_bits(bits))?;
                    }
                }
                Kind::Histogram(bounds) => {
                    writeln!(text, "# TYPE {name} histogram")?;
                    for (key, buckets) in histograms.range(&first..).take_while(|(key, _)| key.name() == name)
                    {
                        let bounds = bounds.iter().map(f64::to_string).chain(["+Inf".to_owned()]);
                        let mut all = 0;
                        for (bound, count) in bounds.zip(&buckets.counts) {
                            all += count.load(Relaxed);
                            writeln!(text, "{name}_bucket{} {all}", labels(key, Some(&bound)))?;
                        }
                        let (labels, sum) = (labels(key, None), f64::from_bits(buckets.sum.load(Relaxed)));
                        writeln!(text, "{name}_sum{labels} {sum}\n{name}_count{labels} {all}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The labels of a series, and of one of its buckets; nothing if it has none.
fn labels(key: &Key, bound: Option<&str>) -> String {
    let all = key.labels().map(|label| (label.key(), label.value())).chain(bound.map(|bound| ("le", bound)));
    let escaped = |value: &str| value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n");
    let all: Vec<_> = all.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
    if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(",")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_prometheus_text_with_their_descriptions() {
        let figures = Figures::default();
        metrics::with_local_recorder(&figures, || {
            metrics::counter!(COMMANDS, "kind" => "double", "outcome" => "done").increment(2);
            metrics::counter!(COMMANDS, "kind" => "a\\b\"c\nd", "outcome" => "done").increment(1);
            for seconds in [0.002, 0.0025, 0.1, 7.0] {
                metrics::histogram!(HTTP_DURATION, "method" => "GET", "route" => "/healthz").record(seconds);
            }
            metrics::gauge!(LIVE_STREAMS).set(4);
            metrics::gauge!(LIVE_STREAMS).decrement(1);
        });
        let text = figures.to_string();
        for line in [
            "# HELP owlbox_commands_total Commands to chouettes, matches, tournaments and the daybook, by kind and outcome.",
            "# TYPE owlbox_commands_total counter",
            "owlbox_commands_total{kind=\"double\",outcome=\"done\"} 2",
            "owlbox_commands_total{kind=\"a\\\\b\\\"c\\nd\",outcome=\"done\"} 1",
            "# TYPE owlbox_http_request_duration_seconds histogram",
            "owlbox_http_request_duration_seconds_bucket{method=\"GET\",route=\"/healthz\",le=\"0.001\"} 0",
            "owlbox_http_request_duration_seconds_bucket{method=\"GET\",route=\"/healthz\",le=\"0.0025\"} 2",
            "owlbox_http_request_duration_seconds_bucket{method=\"GET\",route=\"/healthz\",le=\"1\"} 3",
            "owlbox_http_request_duration_seconds_bucket{method=\"GET\",route=\"/healthz\",le=\"+Inf\"} 4",
            "owlbox_http_request_duration_seconds_sum{method=\"GET\",route=\"/healthz\"} 7.1045",
            "owlbox_http_request_duration_seconds_count{method=\"GET\",route=\"/healthz\"} 4",
            "# TYPE owlbox_live_streams gauge",
            "owlbox_live_streams 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
        }
        assert!(!text.lines().any(str::is_empty), "{text}");
    }
}
