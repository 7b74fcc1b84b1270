//! A receiver of webhooks, which answers as a test says.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::Value;

/// How a message is answered.
#[derive(Clone, Debug)]
pub enum Reply {
    Status(u16),
    RedirectTo(String),
    /// 200, and a body without an end.
    Endless,
    /// Never.
    Never,
    /// The connection is closed.
    Nothing,
    /// Something that is not HTTP.
    Noise,
    /// A head without an end.
    EndlessHead,
}

/// A message that was received.
#[derive(Debug)]
pub struct Message {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

impl Message {
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or_else(|| panic!("no {name}: {:?}", self.headers), |(_, value)| value)
    }
}

pub struct Receiver {
    pub port: u16,
    messages: mpsc::Receiver<Message>,
    replies: Arc<Mutex<Vec<Reply>>>,
}

impl Receiver {
    /// Answers with these replies in turn, and with the last of them from then on. Its thread ends with the
    /// tests.
    pub fn answering(replies: &[Reply]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let replies = Arc::new(Mutex::new(replies.to_vec()));
        let (sender, messages) = mpsc::channel();
        let answers = Arc::clone(&replies);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (sender, answers) = (sender.clone(), Arc::clone(&answers));
                std::thread::spawn(move || take(stream, &sender, &answers));
            }
        });
        Self { port, messages, replies }
    }

    /// From now on it answers like this.
    pub fn answer(&self, reply: Reply) {
        *self.replies.lock().unwrap() = vec![reply];
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/owlbox?to=me", self.port)
    }

    #[track_caller]
    pub fn next(&self) -> Message {
        self.within(Duration::from_secs(20)).expect("a message")
    }

    pub fn within(&self, timeout: Duration) -> Option<Message> {
        self.messages.recv_timeout(timeout).ok()
    }
}

fn take(mut stream: TcpStream, sender: &mpsc::Sender<Message>, replies: &Mutex<Vec<Reply>>) {
    let Some(message) = read(&mut stream) else { return };
    let reply = {
        let mut replies = replies.lock().unwrap();
        if replies.len() > 1 { replies.remove(0) } else { replies[0].clone() }
    };
    let _ = sender.send(message);
    let said = match &reply {
        Reply::Status(status) => format!("HTTP/1.1 {status} So\r\nContent-Length: 2\r\n\r\nok"),
        Reply::RedirectTo(url) => {
            format!("HTTP/1.1 307 Elsewhere\r\nLocation: {url}\r\nContent-Length: 0\r\n\r\n")
        }
        Reply::Endless => "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".to_owned(),
        Reply::EndlessHead => "HTTP/1.1 200 OK\r\n".to_owned(),
        Reply::Noise => "SSH-2.0-OpenSSH_9.2\r\n".to_owned(),
        Reply::Nothing => return,
        Reply::Never => String::new(),
    };
    let _ = stream.write_all(said.as_bytes());
    match reply {
        Reply::Never => drop(stream.read(&mut [0])),
        Reply::Endless => while stream.write_all(&[b'x'; 4096]).is_ok() {},
        Reply::EndlessHead => {
            while stream.write_all(b"x: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n").is_ok() {}
        }
        Reply::Status(_) | Reply::RedirectTo(_) | Reply::Noise | Reply::Nothing => {}
    }
}

fn read(stream: &mut TcpStream) -> Option<Message> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.lines();
    let path = lines.next()?.strip_prefix("POST ")?.strip_suffix(" HTTP/1.1")?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(Message { path, headers, body: serde_json::from_slice(&body).ok()? })
}
