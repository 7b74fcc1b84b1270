//! A mail server for tests: it speaks as much SMTP as it takes, without encryption, on a loopback address.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The longest that a letter may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// What it does with those who want to send.
#[derive(Clone, Copy)]
pub enum Manner {
    Takes,
    /// Answers each receiver so, quoting the address.
    Refuses(u16),
    /// Says nothing at all.
    Hangs,
}

/// A letter that arrived.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Who the server was told to hand it to.
    pub to: Vec<String>,
    /// By name in small letters.
    pub headers: BTreeMap<String, String>,
    pub text: String,
}

pub struct MailServer {
    pub url: String,
    inside: Arc<Mutex<Inside>>,
}

struct Inside {
    manner: Manner,
    letters: Vec<Letter>,
    /// Those whom it did not answer.
    held: Vec<TcpStream>,
}

impl MailServer {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let inside = Inside { manner: Manner::Takes, letters: Vec::new(), held: Vec::new() };
        let inside = Arc::new(Mutex::new(inside));
        let shared = Arc::clone(&inside);
        // It ends with the test's process.
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let inside = Arc::clone(&shared);
                std::thread::spawn(move || drop(speak(client, &inside)));
            }
        });
        Self { url, inside }
    }

    pub fn does(&self, manner: Manner) {
        let mut inside = self.inside.lock().unwrap();
        inside.manner = manner;
        inside.held.clear();
    }

    /// The settings of a service that sends through it.
    pub fn settings(&self) -> [(&'static str, &str); 3] {
        [
            ("MAIL__URL", &self.url),
            ("MAIL__FROM", "owlbox@club.example"),
            ("HTTP__PUBLIC_URL", "http://club.example"),
        ]
    }

    /// Those that have arrived so far.
    pub fn letters(&self) -> Vec<Letter> {
        self.inside.lock().unwrap().letters.clone()
    }

    /// The letter that arrives as this one, counted from zero.
    #[track_caller]
    pub fn letter(&self, number: usize) -> Letter {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(letter) = self.letters().get(number) {
                return letter.clone();
            }
            assert!(Instant::now() < until, "letter {number} does not come");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Letter {
    /// The link in it, without scheme and host.
    #[track_caller]
    pub fn path(&self) -> String {
        let (_, link) = self.text.split_once("http://").unwrap_or_else(|| panic!("no link: {}", self.text));
        let link = link.split_whitespace().next().unwrap();
        link[link.find('/').unwrap()..].to_owned()
    }
}

fn speak(client: TcpStream, inside: &Mutex<Inside>) -> std::io::Result<()> {
    if let Inside { manner: Manner::Hangs, held, .. } = &mut *inside.lock().unwrap() {
        held.push(client);
        return Ok(());
    }
    let mut lines = BufReader::new(client.try_clone()?).lines();
    let say = |line: &str| write!(&client, "{line}\r\n");
    say("220 owl")?;
    let mut to = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        let word = line.split([' ', ':']).next().unwrap().to_ascii_uppercase();
        match word.as_str() {
            "RCPT" => {
                let Manner::Refuses(code) = inside.lock().unwrap().manner else {
                    to.push(line.split(['<', '>']).nth(1).unwrap().to_owned());
                    say("250 yes")?;
                    continue;
                };
                say(&format!("{code} not {line}"))?;
            }
            "DATA" => {
                say("354 go on")?;
                let mut raw = Vec::new();
                while let Some(line) = lines.next().transpose()?.filter(|line| line != ".") {
                    raw.push(line.strip_prefix('.').map_or(line.clone(), str::to_owned));
                }
                let letter = letter(std::mem::take(&mut to), &raw);
                inside.lock().unwrap().letters.push(letter);
                say("250 taken")?;
            }
            "QUIT" => return say("221 bye"),
            _ => say("250 yes")?,
        }
    }
    Ok(())
}

fn letter(to: Vec<String>, raw: &[String]) -> Letter {
    let end = raw.iter().position(String::is_empty).expect("headers end");
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in &raw[..end] {
        if line.starts_with([' ', '\t']) {
            headers.last_mut().unwrap().1.push_str(line);
        } else {
            let (name, value) = line.split_once(": ").expect("a header");
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
    }
    let count = headers.len();
    let headers: BTreeMap<String, String> = headers.into_iter().collect();
    assert_eq!(headers.len(), count, "a header is there twice: {raw:?}");
    let body = &raw[end + 1..];
    let text = match headers.get("content-transfer-encoding").map(String::as_str) {
        Some("base64") => STANDARD.decode(body.concat()).expect("base64"),
        Some("quoted-printable") => unquoted(&body.join("\n")),
        _ => body.join("\n").into_bytes(),
    };
    Letter { to, headers, text: String::from_utf8(text).expect("a text").replace("\r\n", "\n") }
}

/// Text as it was before it was made quoted-printable.
fn unquoted(text: &str) -> Vec<u8> {
    let text = text.replace("=\n", "");
    let mut pieces = text.split('=');
    let mut plain = pieces.next().unwrap().as_bytes().to_vec();
    for piece in pieces {
        plain.push(u8::from_str_radix(&piece[..2], 16).expect("a byte"));
        plain.extend_from_slice(&piece.as_bytes()[2..]);
    }
    plain
}
