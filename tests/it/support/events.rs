//! A reader of server-sent events on a connection of its own, which is closed on drop.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::contract;

/// One frame of a live stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    pub id: Option<String>,
    pub event: Option<String>,
    pub data: String,
}

impl Event {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub struct Events {
    path: String,
    reader: BufReader<TcpStream>,
    pub status: u16,
    pub headers: Vec<String>,
    /// The last id that came, with an event or by itself.
    pub reached: Option<String>,
    chunked: bool,
    /// Received bytes that do not make a whole frame yet.
    waiting: Vec<u8>,
    ended: bool,
}

impl Events {
    #[track_caller]
    pub(super) fn open(address: &str, path: &str, headers: &[(String, String)]) -> Self {
        let stream = TcpStream::connect(address).unwrap_or_else(|error| panic!("{address}: {error}"));
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket");
        let mut request = format!("GET {path} HTTP/1.1\r\nAccept: text/event-stream\r\n");
        if headers.iter().all(|(name, _)| name != "Host") {
            request += &format!("Host: {address}\r\n");
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        (&stream).write_all(format!("{request}\r\n").as_bytes()).expect("the request goes out");
        let mut reader = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap_or_else(|error| panic!("GET {path}: {error}"));
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let status = lines.first().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
        let chunked = lines.iter().any(|line| line.eq_ignore_ascii_case("transfer-encoding: chunked"));
        let status = status.unwrap_or_else(|| panic!("GET {path}: not HTTP: {lines:?}"));
        Self {
            path: path.to_owned(),
            reader,
            status,
            headers: lines,
            reached: None,
            chunked,
            waiting: Vec::new(),
            ended: false,
        }
    }

    /// The next frame, or `None` if none arrives within `timeout` or the stream has ended. Comments
    /// (heartbeats) are skipped. Each frame is checked against the API's document.
    #[track_caller]
    pub fn next_within(&mut self, timeout: Duration) -> Option<Event> {
        let until = Instant::now() + timeout;
        loop {
            while let Some(end) = self.waiting.windows(2).position(|pair| pair == b"\n\n") {
                let frame: Vec<u8> = self.waiting.drain(..end + 2).collect();
                let event = event(&String::from_utf8_lossy(&frame));
                self.reached = event.id.clone().or(self.reached.take());
                // As browsers do: what has no data is no event.
                if !event.data.is_empty() {
                    if let Some(breach) = contract::breach_of_frame(&self.path, &event) {
                        panic!("the API's document says otherwise: {breach}\nof the frame {event:?}");
                    }
                    return Some(event);
                }
            }
            let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            if self.ended || !self.read_some(left) {
                return None;
            }
        }
    }

    /// The id with which a stream begins that has nothing to tell yet.
    #[track_caller]
    pub fn greeting(&mut self) -> String {
        let until = Instant::now() + Duration::from_secs(5);
        while self.reached.is_none() {
            assert!(Instant::now() < until, "no id within five seconds");
            assert_eq!(self.next_within(Duration::from_millis(20)), None);
        }
        self.reached.clone().unwrap_or_default()
    }

    /// The next frame, which must arrive within five seconds.
    #[track_caller]
    pub fn next_event(&mut self) -> Event {
        self.next_within(Duration::from_secs(5)).expect("an event within five seconds")
    }

    /// Whether the server has ended the stream. True only once everything before was read.
    pub fn ended_within(&mut self, timeout: Duration) -> bool {
        while self.next_within(timeout).is_some() {}
        self.ended
    }

    /// Reads what has arrived, waiting up to `timeout`. False if nothing arrives in time.
    fn read_some(&mut self, timeout: Duration) -> bool {
        self.reader.get_ref().set_read_timeout(Some(timeout)).expect("a socket");
        match self.reader.fill_buf() {
            Ok([]) => self.ended = true,
            Ok(_) => {
                // A chunk that has begun arrives as a whole: the server writes each at once.
                self.reader.get_ref().set_read_timeout(Some(Duration::from_secs(5))).expect("a socket");
                if self.read_piece().is_err() {
                    self.ended = true;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return false;
            }
            Err(_) => self.ended = true,
        }
        true
    }

    fn read_piece(&mut self) -> std::io::Result<()> {
        if !self.chunked {
            let piece = self.reader.fill_buf()?.to_vec();
            self.reader.consume(piece.len());
            self.waiting.extend(piece);
            return Ok(());
        }
        let mut size = String::new();
        self.reader.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16).map_err(|_| ErrorKind::InvalidData)?;
        let mut chunk = vec![0; size + 2];
        self.reader.read_exact(&mut chunk)?;
        chunk.truncate(size);
        self.waiting.extend(chunk);
        self.ended = size == 0;
        Ok(())
    }
}

/// Parses one frame.
fn event(frame: &str) -> Event {
    let mut event = Event::default();
    let mut data: Vec<&str> = Vec::new();
    for line in frame.lines().filter(|line| !line.starts_with(':')) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => event.id = Some(value.to_owned()),
            "event" => event.event = Some(value.to_owned()),
            "data" => data.push(value),
            _ => {}
        }
    }
    event.data = data.join("\n");
    event
}
