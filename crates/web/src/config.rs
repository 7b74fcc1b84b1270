//! The configuration: every setting, typed and checked before anything starts.
//!
//! `config/default.toml` is part of the program and says what each key means; a file and the
//! environment (`OWLBOX_SECTION__KEY`) lie over it. Fields are named like their keys. Secrets are
//! wrapped so that no log line shows them.

mod layers;
mod network;

use std::fmt;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use actix_web::http::Uri;
use secrecy::SecretString;
use tracing_subscriber::EnvFilter;

pub use layers::Mistakes;
use layers::{Given, Layers, entries};
pub use network::{Network, NotANetwork};
use owlbox_desk::DatabaseUrl;

/// The built-in values, every key with a comment.
pub const DEFAULT: &str = include_str!("../../../config/default.toml");

/// Every setting of the service.
#[derive(Clone, Debug)]
pub struct Config {
    pub http: Http,
    pub database: Database,
    pub auth: Auth,
    pub limits: Limits,
    /// What is logged, and how.
    pub log: Log,
}

/// Section `http`: the web server.
#[derive(Clone, Debug)]
pub struct Http {
    /// Where to listen; port 0 for any free one.
    pub listen: SocketAddr,
    /// How browsers reach the service, if that is not to be taken from the request.
    pub public_url: Option<PublicUrl>,
    /// The proxies whose word on the client's address is taken.
    pub trusted_proxies: Vec<Network>,
    /// Threads that answer requests; 0 is one a core.
    pub workers: usize,
    /// Connections open at a time, in all.
    pub connections: usize,
    /// Connections open at a time from one address that is no trusted proxy's.
    pub connections_per_address: usize,
    /// The largest request body, in bytes.
    pub body_limit: usize,
    /// How long a client may take for the head of a request, from the end of the answer before.
    pub head_timeout_seconds: u64,
    /// How long a client may take for a body, besides a second for every KiB.
    pub body_timeout_seconds: u64,
    /// How long a client may take for an answer, besides a second for every KiB.
    pub answer_timeout_seconds: u64,
    /// How often a quiet live stream says that it is there, and is looked at whether its listener still may.
    pub heartbeat_seconds: u64,
    /// How long a stop waits for requests in flight.
    pub shutdown_timeout_seconds: u64,
}

/// Section `database`: where everything is kept.
#[derive(Clone, Debug)]
pub struct Database {
    pub url: DatabaseUrl,
    /// Connections kept open for reading.
    pub pool_size: u32,
    /// The most commands that one commit takes along.
    pub batch_limit: usize,
    /// The most commands that wait to be carried out.
    pub queue_limit: usize,
}

/// Section `auth`: signing in.
#[derive(Clone, Debug)]
pub struct Auth {
    /// The keys of access tokens: the first signs, all verify. Empty only on SQLite.
    pub signing_keys: Vec<SigningKey>,
    /// The file that keeps a key made on first start, if not the one beside the database: see
    /// [`Config::key_file`].
    pub key_file: Option<PathBuf>,
    /// How many passwords are hashed at a time.
    pub password_slots: usize,
    /// How many sign-ins wait for a slot.
    pub password_queue: usize,
    /// How long an access token is good for.
    pub access_minutes: u32,
    /// How long a sign-in lasts without being used.
    pub refresh_days: u32,
    /// How long the link of an invitation works.
    pub invite_days: u32,
}

/// Section `limits`: how much of what.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Live streams open at a time, in all.
    pub live_streams: usize,
    /// Live streams open at a time for one account.
    pub live_streams_per_account: usize,
    pub stream_length: i64,
    /// Entries on a page when the request names no number.
    pub page_size: i64,
    /// The most entries a request may ask for.
    pub page_size_max: i64,
    /// How long the answer to an `Idempotency-Key` is kept.
    pub idempotency_hours: u32,
    /// How long ended sign-ins and used-up links are kept.
    pub token_retention_days: u32,
}

/// Section `log`: what is logged, and how.
#[derive(Clone, Debug)]
pub struct Log {
    pub format: LogFormat,
    /// What is logged, in the words of `tracing_subscriber`'s `EnvFilter`; checked.
    pub level: String,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For reading on a terminal.
    Human,
    /// One JSON object a line.
    Json,
}

/// A key that signs access tokens.
#[derive(Clone, Debug)]
pub struct SigningKey {
    /// What a token names its key by.
    pub id: String,
    /// At least 32 characters.
    pub secret: SecretString,
}

/// How browsers reach the service: `http://HOST` or `https://HOST`, without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The URL without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether cookies must be `Secure`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Config {
    /// The built-in configuration with `file` and the variables of the process over it.
    ///
    /// # Errors
    /// Every unknown key and wrong value there is.
    pub fn load(file: Option<&Path>) -> Result<Self, Mistakes> {
        let readable = |(name, text): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, text.to_string_lossy().into_owned()))
        };
        Self::from_layers(file, std::env::vars_os().filter_map(readable))
    }

    /// The built-in configuration with `file` and the given variables over it.
    ///
    /// # Errors
    /// Every unknown key and wrong value there is.
    pub fn from_layers(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Mistakes> {
        let mut layers = Layers::built_in(DEFAULT);
        if let Some(file) = file {
            layers.add_file(file);
        }
        layers.add_environment(environment);
        let config = Self {
            http: Http::read(&mut layers),
            database: Database::read(&mut layers),
            auth: Auth::read(&mut layers),
            limits: Limits::read(&mut layers),
            log: Log::read(&mut layers),
        };
        config.check_together(&mut layers);
        layers.finish().map(|()| config)
    }

    /// The file that keeps the signing key made on first start: the configured one, or the one beside
    /// the database. `None` on PostgreSQL and wherever keys are configured.
    #[must_use]
    pub fn key_file(&self) -> Option<PathBuf> {
        match &self.database.url {
            DatabaseUrl::Sqlite(database) if self.auth.signing_keys.is_empty() => {
                Some(self.auth.key_file.clone().unwrap_or_else(|| database.with_extension("key")))
            }
            DatabaseUrl::Sqlite(_) | DatabaseUrl::Postgres(_) => None,
        }
    }

    fn check_together(&self, layers: &mut Layers) {
        let postgres = matches!(self.database.url, DatabaseUrl::Postgres(_));
        if postgres && !cfg!(feature = "postgres") {
            layers.mistake(
                "database.url: this program was built without PostgreSQL; allowed: sqlite://FILE, \
                 or a build with `cargo build --release --features postgres`",
            );
        }
        if postgres && self.auth.signing_keys.is_empty() {
            layers.mistake(
                "auth.signing_keys: none given; PostgreSQL needs at least one, for all instances to share",
            );
        }
        if let (DatabaseUrl::Sqlite(database), Some(key)) = (&self.database.url, self.key_file())
            && *database == key
        {
            layers.mistake("auth.key_file: the key cannot be kept in the database's own file");
        }
        if self.limits.page_size > self.limits.page_size_max {
            layers.mistake("limits.page_size: more than limits.page_size_max");
        }
    }
}

/// A whole number of a range, as the field's type.
fn whole<T: TryFrom<i64>>(layers: &mut Layers, key: &'static str, range: RangeInclusive<i64>) -> T {
    let allowed = format!("a whole number from {} to {}", range.start(), range.end());
    layers.value(key, &allowed, |given| {
        let number = given.whole()?;
        if range.contains(&number) { T::try_from(number).ok() } else { None }
    })
}

impl Http {
    fn read(layers: &mut Layers) -> Self {
        Self {
            listen: layers.value(
                "http.listen",
                "an IP address and a port, such as 127.0.0.1:8080 or [::]:8080",
                |given| given.text()?.parse().ok(),
            ),
            public_url: layers.value(
                "http.public_url",
                "http://HOST or https://HOST without a path, or nothing",
                |given| match given.text()? {
                    "" => Some(None),
                    text => public_url(text).map(Some),
                },
            ),
            trusted_proxies: layers.value(
                "http.trusted_proxies",
                "a list of addresses such as 10.0.0.1 and networks such as 10.0.0.0/8",
                |given| given.list()?.into_iter().map(|entry| entry.parse().ok()).collect(),
            ),
            workers: whole(layers, "http.workers", 0..=256),
            connections: whole(layers, "http.connections", 16..=1_000_000),
            connections_per_address: whole(layers, "http.connections_per_address", 8..=1_000_000),
            body_limit: whole(layers, "http.body_limit", 1024..=16_777_216),
            head_timeout_seconds: whole(layers, "http.head_timeout_seconds", 1..=300),
            body_timeout_seconds: whole(layers, "http.body_timeout_seconds", 1..=60),
            answer_timeout_seconds: whole(layers, "http.answer_timeout_seconds", 1..=300),
            heartbeat_seconds: whole(layers, "http.heartbeat_seconds", 1..=60),
            shutdown_timeout_seconds: whole(layers, "http.shutdown_timeout_seconds", 0..=300),
        }
    }
}

fn public_url(text: &str) -> Option<PublicUrl> {
    let uri: Uri = text.parse().ok()?;
    let web = matches!(uri.scheme_str(), Some("http" | "https"));
    let host = uri.authority().filter(|principal| !principal.as_str().contains('@'))?;
    let bare = format!("{}://{host}", uri.scheme_str()?);
    (web && !host.host().is_empty() && bare == text).then_some(PublicUrl(bare))
}

impl Database {
    fn read(layers: &mut Layers) -> Self {
        Self {
            url: layers.secret(
                "database.url",
                "sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE",
                |given| given.text()?.parse().ok(),
            ),
            pool_size: whole(layers, "database.pool_size", 1..=256),
            batch_limit: whole(layers, "database.batch_limit", 1..=10_000),
            queue_limit: whole(layers, "database.queue_limit", 1..=100_000),
        }
    }
}

impl Auth {
    fn read(layers: &mut Layers) -> Self {
        Self {
            signing_keys: layers.secret(
                "auth.signing_keys",
                "a list of { id, secret }, in the environment ID:SECRET,ID:SECRET; each id once, of 1 to 32 \
                 letters, digits, \"-\" or \"_\", each secret of at least 32 characters without a comma",
                signing_keys,
            ),
            key_file: layers.value("auth.key_file", "a file's path, or nothing", |given| {
                let path = given.text()?;
                Some((!path.is_empty()).then(|| PathBuf::from(path)))
            }),
            password_slots: whole(layers, "auth.password_slots", 1..=64),
            password_queue: whole(layers, "auth.password_queue", 1..=10_000),
            access_minutes: whole(layers, "auth.access_minutes", 1..=1440),
            refresh_days: whole(layers, "auth.refresh_days", 1..=365),
            invite_days: whole(layers, "auth.invite_days", 1..=365),
        }
    }
}

fn signing_keys(given: &Given<'_>) -> Option<Vec<SigningKey>> {
    let pairs: Vec<(&str, &str)> = match given {
        Given::Text(text) => entries(text).map(|entry| entry.split_once(':')).collect::<Option<_>>()?,
        Given::Typed(value) => value.as_array()?.iter().map(id_and_secret).collect::<Option<_>>()?,
    };
    let mut keys: Vec<SigningKey> = Vec::new();
    for (id, secret) in pairs {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        let right = (1..=32).contains(&id.len())
            && id.chars().all(plain)
            && secret.chars().count() >= 32
            && !secret.contains(',')
            && keys.iter().all(|key| key.id != id);
        if !right {
            return None;
        }
        keys.push(SigningKey { id: id.to_owned(), secret: SecretString::from(secret) });
    }
    Some(keys)
}

/// The entry `{ id = "...", secret = "..." }` of a file.
fn id_and_secret(entry: &toml::Value) -> Option<(&str, &str)> {
    let table = entry.as_table().filter(|table| table.len() == 2)?;
    Some((table.get("id")?.as_str()?, table.get("secret")?.as_str()?))
}

impl Limits {
    fn read(layers: &mut Layers) -> Self {
        Self {
            live_streams: whole(layers, "limits.live_streams", 1..=100_000),
            live_streams_per_account: whole(layers, "limits.live_streams_per_account", 1..=1000),
            stream_length: whole(layers, "limits.stream_length", 100..=1_000_000),
            page_size: whole(layers, "limits.page_size", 1..=1000),
            page_size_max: whole(layers, "limits.page_size_max", 1..=1000),
            idempotency_hours: whole(layers, "limits.idempotency_hours", 1..=720),
            token_retention_days: whole(layers, "limits.token_retention_days", 1..=3650),
        }
    }
}

impl Log {
    fn read(layers: &mut Layers) -> Self {
        Self {
            format: layers.value("log.format", "human or json", |given| match given.text()? {
                "human" => Some(LogFormat::Human),
                "json" => Some(LogFormat::Json),
                _ => None,
            }),
            level: layers.value(
                "log.level",
                "error, warn, info, debug or trace, or per module as in info,owlbox_desk=debug",
                |given| {
                    let text = given.text()?;
                    EnvFilter::try_new(text).is_ok().then(|| text.to_owned())
                },
            ),
        }
    }
}

#[cfg(test)]
mod tests;
