//! A load generator with many keep-alive connections. Each sends its next request when the last was answered.
//! It runs on one thread, to leave the server as much of the machine as possible.
//!
//! It reads just enough HTTP/1.1 to find the end of an answer: the status and a `Content-Length`. The API
//! sends nothing else for a command or a state, and anything else stops the run.

use std::fmt;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The connections and the times of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Every other connection goes to the second, which may be the first again.
    pub servers: [SocketAddr; 2],
    /// Refusals that are no sign that something is wrong.
    pub refusals: &'static [u16],
    pub connections: usize,
    /// Time before anything is counted.
    pub warm_up: Duration,
    pub counted: Duration,
}

/// The requests of one connection, in order. Prepare the bytes before the run: the clock is running during
/// `next`.
pub trait Requests {
    /// The next whole request, or `None` if this connection is done. `last` is the status of the last answer,
    /// 0 at first.
    fn next(&mut self, last: u16) -> Option<&[u8]>;
}

/// The same few requests in a loop.
pub struct Round {
    requests: Rc<[Vec<u8>]>,
    next: usize,
}

impl Round {
    pub fn new(requests: impl Into<Rc<[Vec<u8>]>>) -> Self {
        Self { requests: requests.into(), next: 0 }
    }
}
impl Requests for Round {
    fn next(&mut self, _: u16) -> Option<&[u8]> {
        let request = self.requests.get(self.next % self.requests.len())?;
        self.next += 1;
        Some(request)
    }
}

/// The bytes of a request with further header lines and a JSON body; none if `body` is empty.
pub fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: owlbox\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() {
        text += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    }
    format!("{text}\r\n{body}").into_bytes()
}

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Answers with 2xx and 3xx within the counted time.
    pub done: usize,
    /// Answers with any other status within the counted time.
    pub refused: usize,
    /// The first refusal that was not to be expected in full, as a clue to what went wrong.
    pub first_refusal: Option<String>,
    /// The length of the counted time.
    pub time: Duration,
    /// Microseconds from sending a request to its whole answer, sorted; only of answers counted as done.
    latencies: Vec<u32>,
}

impl Measured {
    /// Answers done, per second of the counted time.
    pub fn throughput(&self) -> f64 {
        self.done as f64 / self.time.as_secs_f64()
    }

    /// The latency within which this share of the answers came: `percentile(0.99)`.
    pub fn percentile(&self, share: f64) -> Duration {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
        let at = (self.latencies.len() as f64 * share) as usize;
        let last = self.latencies.len().saturating_sub(1);
        Duration::from_micros(self.latencies.get(at.min(last)).copied().unwrap_or(0).into())
    }

    pub fn max(&self) -> Duration {
        self.percentile(1.0)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |latency: Duration| latency.as_secs_f64() * 1000.0;
        write!(
            f,
            "{:>8.0}/s   p50 {:>7.2} ms   p99 {:>7.2} ms   max {:>7.2} ms",
            self.throughput(),
            milliseconds(self.percentile(0.5)),
            milliseconds(self.percentile(0.99)),
            milliseconds(self.max()),
        )?;
        match &self.first_refusal {
            Some(first) => write!(f, "   {} refused, the first: {first}", self.refused),
            None => Ok(()),
        }
    }
}

/// Runs the plan. `requests(n)` makes the requests of connection `n`.
///
/// # Panics
/// If the server cannot be reached, closes a connection or sends something unreadable: the figures of such a
/// run would be worthless.
pub fn drive<R: Requests + 'static>(plan: Plan, requests: impl Fn(usize) -> R) -> Measured {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let local = tokio::task::LocalSet::new();
    let started = Instant::now();
    let (from, until) = (started + plan.warm_up, started + plan.warm_up + plan.counted);
    let parts: Vec<_> = (0..plan.connections)
        .map(|number| {
            let server = plan.servers[number % plan.servers.len()];
            local.spawn_local(connection(server, plan.refusals, requests(number), from, until))
        })
        .collect();
    let mut all =
        Measured { done: 0, refused: 0, first_refusal: None, time: plan.counted, latencies: Vec::new() };
    local.block_on(&runtime, async {
        for part in parts {
            let part = part.await.expect("a connection that was not cut");
            all.done += part.done;
            all.refused += part.refused;
            all.first_refusal = all.first_refusal.take().or(part.first_refusal);
            all.latencies.extend(part.latencies);
        }
    });
    all.time = plan.counted.min(started.elapsed().saturating_sub(plan.warm_up));
    all.latencies.sort_unstable();
    all
}

async fn connection(
    server: SocketAddr,
    refusals: &[u16],
    mut requests: impl Requests,
    from: Instant,
    until: Instant,
) -> Measured {
    let mut stream = TcpStream::connect(server).await.expect("the server answers");
    stream.set_nodelay(true).expect("a socket");
    let mut part =
        Measured { done: 0, refused: 0, first_refusal: None, time: Duration::ZERO, latencies: Vec::new() };
    let mut buffer = Vec::with_capacity(16 << 10);
    let mut status = 0;
    while let Some(request) = requests.next(status) {
        let sent = Instant::now();
        if sent >= until {
            break;
        }
        stream.write_all(request).await.expect("the server keeps the connection");
        status = answer(&mut stream, &mut buffer).await;
        let now = Instant::now();
        if (200..400).contains(&status) {
            if sent >= from && now <= until {
                part.done += 1;
                let micros = now.duration_since(sent).as_micros();
                part.latencies.push(u32::try_from(micros).unwrap_or(u32::MAX));
            }
        } else {
            part.refused += usize::from(sent >= from && now <= until);
            if !refusals.contains(&status) {
                part.first_refusal.get_or_insert_with(|| String::from_utf8_lossy(&buffer).into_owned());
            }
        }
    }
    part
}

/// Reads one whole answer into `buffer` and returns its status.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> u16 {
    buffer.clear();
    let mut whole: Option<(u16, usize)> = None;
    loop {
        let read = stream.read_buf(buffer).await.expect("the server keeps the connection");
        assert!(read > 0, "the server closed the connection after {:?}", String::from_utf8_lossy(buffer));
        whole = whole.or_else(|| head(buffer));
        if let Some((status, length)) = whole
            && buffer.len() >= length
        {
            return status;
        }
    }
}

/// The status and the length of the whole answer, once its head has arrived.
fn head(bytes: &[u8]) -> Option<(u16, usize)> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..end]).expect("a head in ASCII");
    let status: u16 = text.get(9..12).and_then(|code| code.parse().ok()).expect("HTTP/1.1 and a status");
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    match length {
        Some(length) => Some((status, end + length)),
        None if status == 204 || status == 304 => Some((status, end)),
        None => panic!("an answer without a length: {text}"),
    }
}
