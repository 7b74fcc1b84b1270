//! A club to put under load: tables with three players each, and a server process over its database.

#![allow(dead_code, reason = "a kit: not every bench uses every tool")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use actix_files::NamedFile;
use actix_web::{HttpResponse, web};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_chouette as chouette;
use owlbox_chouette::Chouette;
use owlbox_desk::chouettes::{NewChouette, Order};
use owlbox_desk::{Actor, Desk, Request};
use owlbox_http::caller::Caller;
use owlbox_http::config::Config;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_store::Store;
use secrecy::ExposeSecret as _;

use super::load::request;

const LOGIN: &str = "bench";
const PASSWORD: &str = "correct horse battery";
const SIGNING_KEY: &str = "bench:0123456789abcdef0123456789abcdef";
/// Names the file that a server has for anybody.
pub const FILE: &str = "OWLBOX_BENCH_FILE";
const BE_A_SERVER: &str = "OWLBOX_BENCH_SERVER";

/// A club whose tables are ready for their first game.
#[derive(Clone)]
pub struct Club {
    /// What the paths begin with: at a service of many clubs, what names this one.
    below: String,
    tables: Vec<(ChouetteId, [PlayerId; 3])>,
    /// The value of an `Authorization` header.
    token: String,
}

impl Club {
    /// Founds the club in the database at `url`.
    pub fn found(url: &str, tables: usize) -> Self {
        Self::found_in(&config(url), tables)
    }

    /// Founds the club in the database of this configuration.
    pub fn found_in(config: &Config, tables: usize) -> Self {
        let store = Store::open(&config.database.url, &owlbox::cli::serve::options(config)).expect("a store");
        let desk = owlbox::cli::serve::desk(config, store).expect("a desk");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            desk.create_admin(LOGIN.parse().expect("a login"), PASSWORD.to_owned().into())
                .await
                .expect("an admin");
            let mut founded = Vec::new();
            for number in 0..tables {
                founded.push(Self::set_table(&desk, number).await);
            }
            let client = std::net::IpAddr::from([127, 0, 0, 1]);
            let tokens = desk.sign_in(LOGIN, PASSWORD.to_owned().into(), client).await.expect("a sign-in");
            Self {
                below: String::new(),
                tables: founded,
                token: format!("Bearer {}", tokens.access.expose_secret()),
            }
        })
    }

    async fn set_table(desk: &Desk, number: usize) -> (ChouetteId, [PlayerId; 3]) {
        let console = || Request::by(Actor::CONSOLE);
        let new =
            NewChouette { name: format!("Table {number}"), stake: None, rules: None, house_rules: None };
        let table = desk.open::<Chouette>(console(), new).await.expect("a table").id;
        for letter in ["A", "B", "C"] {
            let name = format!("{letter} {number}").parse().expect("a name");
            let details = owlbox_books::club::players::PlayerDetails::named(name);
            let player = desk.add_player(console(), details, false).await.expect("a player").0;
            let join = Order::Command(chouette::Command::Join { player });
            desk.command::<Chouette>(console(), table, join).await.expect("a seat");
        }
        let order = Order::Command(chouette::Command::DrawOrder {});
        let answer = desk.command::<Chouette>(console(), table, order).await.expect("an order");
        let line = answer.stream.state.line();
        (table, [line[0], line[1], line[2]])
    }

    /// The same club, at a service of many that knows it by this name.
    pub fn called(&self, name: &str) -> Self {
        Self { below: format!("/clubs/{name}"), ..self.clone() }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn table_path(&self, table: usize) -> String {
        format!("{}/api/v1/chouettes/{}", self.below, self.tables[table].0)
    }

    pub fn events_path(&self, table: usize) -> String {
        format!("{}/events", self.table_path(table))
    }

    /// The requests of two games, which leave the table as it was. The box doubles both, both take, the
    /// captain first, and the box wins. The captain then goes to the end of the line, so the other player is
    /// captain in the second game.
    pub fn two_games(&self, table: usize) -> Vec<Vec<u8>> {
        let [first, second, third] = self.tables[table].1;
        let game = |captain: PlayerId, other: PlayerId| {
            [
                r#"{"command":"start_game"}"#.to_owned(),
                format!(r#"{{"command":"double","player":"{first}"}}"#),
                format!(r#"{{"command":"take","player":"{captain}"}}"#),
                format!(r#"{{"command":"take","player":"{other}"}}"#),
                r#"{"command":"finish","winner":"box","win":"single"}"#.to_owned(),
            ]
        };
        let commands = game(second, third).into_iter().chain(game(third, second));
        let path = format!("{}/commands", self.table_path(table));
        commands.map(|body| request("POST", &path, &[("Authorization", &self.token)], &body)).collect()
    }

    /// Begins a money session between two of a table's players, and answers the request of a game in it.
    pub fn game_of_a_session(&self, server: &Server, table: usize) -> Vec<u8> {
        let [upper, lower, _] = self.tables[table].1;
        let post = |path: &str, body: &str| request("POST", path, &[("Authorization", &self.token)], body);
        let matches = format!("{}/api/v1/matches", self.below);
        let new = format!(r#"{{"players":["{upper}","{lower}"],"terms":{{"play":"money"}}}}"#);
        let session: serde_json::Value =
            serde_json::from_str(&server.send(&post(&matches, &new))).expect("a session");
        let id = session["match"]["id"].as_str().expect("its id");
        let game = r#"{"command":"game","winner":"upper","win":"single","cube":2}"#;
        post(&format!("{matches}/{id}/commands"), game)
    }

    /// Stops the server and counts what the journal has of its tables: one version for each event.
    pub fn acts(&self, url: &str, server: Server) -> i64 {
        drop(server);
        let url = url.parse().expect("a URL");
        let mut connection = Store::open_for_reading(&url).expect("a database");
        let streams = owlbox_store::journal::streams(&mut connection, "chouette").expect("streams");
        streams.iter().map(|(_, version)| version).sum()
    }
}

/// What a bench may set for its server.
const OF_THE_BENCH: [&str; 9] = [
    "OWLBOX_DATABASE__BATCH_LIMIT",
    "OWLBOX_DATABASE__POOL_SIZE",
    "OWLBOX_AUTH__SIGNING_KEYS",
    "OWLBOX_CLUBS__AWAKE",
    "OWLBOX_CLUBS__DOMAIN",
    "OWLBOX_HTTP__CONNECTIONS",
    "OWLBOX_HTTP__CONNECTIONS_PER_ADDRESS",
    "OWLBOX_LIMITS__LIVE_STREAMS",
    "OWLBOX_LIMITS__LIVE_STREAMS_PER_ACCOUNT",
];

/// The configuration of the server on a database.
pub fn config(url: &str) -> Config {
    let set = |key: &str, value: &str| (format!("OWLBOX_{key}"), value.to_owned());
    let vars = [
        set("DATABASE__URL", url),
        set("HTTP__LISTEN", "127.0.0.1:0"),
        set("AUTH__SIGNING_KEYS", SIGNING_KEY),
        set("LIMITS__STREAM_LENGTH", "1000000"),
        set("LOG__LEVEL", "warn"),
    ];
    let vars =
        vars.into_iter().chain(std::env::vars().filter(|(key, _)| OF_THE_BENCH.contains(&key.as_str())));
    Config::from_layers(None, vars).expect("a configuration")
}

/// Whether this process was started as the server.
pub fn is_server() -> bool {
    std::env::var_os(BE_A_SERVER).is_some()
}

pub fn serve() {
    let config = config(&std::env::var(BE_A_SERVER).expect("the URL"));
    owlbox::cli::serve::serve_with(config, |routes| {
        routes.route("/bare/{size}", web::get().to(bare));
        routes.route("/ready/{size}", web::get().to(ready));
        routes.route("/file", web::get().to(file));
    })
    .expect("the server runs");
}

/// Signs in like the real handlers and answers with so many bytes.
async fn bare(service: Service, caller: Caller, size: web::Path<usize>) -> Result<HttpResponse, Problem> {
    service.desk.require(Some(&caller.actor), Permission::ViewTables).await?;
    Ok(HttpResponse::Ok().content_type("application/json").body(vec![b' '; *size]))
}

/// Answers anybody with so many bytes that lie ready.
async fn ready(size: web::Path<usize>) -> HttpResponse {
    static READY: [u8; 1 << 20] = [b' '; 1 << 20];
    HttpResponse::Ok().content_type("text/plain").body(web::Bytes::from_static(&READY[..*size]))
}

/// Answers anybody with a file, as the framework's own library does.
async fn file() -> std::io::Result<NamedFile> {
    NamedFile::open(std::env::var(FILE).map_err(std::io::Error::other)?)
}

/// An answer on a connection of its own.
pub struct Answer {
    /// Its entity tag, if it has one.
    pub etag: String,
    pub body: Vec<u8>,
}

/// A server process, killed on drop.
pub struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    pub fn start(url: &str, environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .env(BE_A_SERVER, url)
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let address = lines
            .find_map(|line| line.ok()?.strip_prefix("listening on http://")?.parse().ok())
            .expect("the server's address");
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn get(&self, token: &str, path: &str) -> String {
        self.send(&request("GET", path, &[("Authorization", token)], ""))
    }

    /// Sends one request on a new connection and returns the body of the answer, a text.
    pub fn send(&self, request: &[u8]) -> String {
        String::from_utf8(self.answer(request).body).expect("text")
    }

    /// Sends one request on a new connection.
    pub fn answer(&self, request: &[u8]) -> Answer {
        let mut connection = self.connect();
        connection.write_all(request).expect("sent");
        let mut reader = BufReader::new(connection);
        let (mut length, mut etag) = (0, String::new());
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a header");
            match line.trim_end().split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse().expect("a length");
                }
                Some((name, value)) if name.eq_ignore_ascii_case("etag") => etag = value.to_owned(),
                _ => {}
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        Answer { etag, body }
    }

    /// The memory that the server has, in MiB.
    pub fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        line.and_then(|kib| kib.trim().parse::<usize>().ok()).unwrap_or(0) / 1024
    }

    pub fn listen(&self, token: &str, path: &str) -> Listener {
        let mut connection = self.connect();
        connection.write_all(&request("GET", path, &[("Authorization", token)], "")).expect("sent");
        let mut listener = Listener(BufReader::new(connection));
        listener.wait_for("retry:");
        listener
    }

    fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(self.address).expect("a connection");
        connection.set_nodelay(true).expect("no delay");
        connection.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        connection
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }
}

pub struct Listener(BufReader<TcpStream>);

impl Listener {
    pub fn wait_for_act(&mut self) {
        self.wait_for("event: act");
    }

    fn wait_for(&mut self, start: &str) {
        let mut line = String::new();
        while !line.starts_with(start) {
            line.clear();
            assert!(self.0.read_line(&mut line).expect("the stream") > 0, "the stream ended");
        }
    }
}

/// A library that makes every fsync take 4 ms longer, or `None` if there is no C compiler.
pub fn slow_fsync_library() -> Option<tempfile::TempPath> {
    const SOURCE: &str = r"
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <unistd.h>
        static int slow(const char *name, int file) {
            int (*real)(int) = dlsym(RTLD_NEXT, name);
            usleep(4000);
            return real(file);
        }
        int fsync(int file) { return slow(__func__, file); }
        int fdatasync(int file) { return slow(__func__, file); }
    ";
    let library = tempfile::Builder::new().suffix(".so").tempfile().ok()?.into_temp_path();
    let mut compiler = Command::new("cc")
        .args(["-shared", "-fPIC", "-x", "c", "-", "-ldl", "-o"])
        .arg(&library)
        .stdin(Stdio::piped())
        .spawn()
        .ok()?;
    compiler.stdin.take()?.write_all(SOURCE.as_bytes()).ok()?;
    compiler.wait().ok()?.success().then_some(library)
}
