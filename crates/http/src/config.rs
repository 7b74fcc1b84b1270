//! The configuration: every setting, typed and checked before anything starts.
//!
//! `config/default.toml` is embedded and explains every key. A file and then the environment
//! (`OWLBOX_SECTION__KEY`) override it. Fields have the names of their keys. Secrets are wrapped so that they
//! cannot be logged.

mod layers;
mod mail;
mod network;

use std::fmt;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use actix_web::http::Uri;
use actix_web::http::header::HeaderValue;
use secrecy::SecretString;
use tracing_subscriber::filter::{LevelFilter, Targets};

pub use layers::Mistakes;
use layers::{Layers, WrittenValue, entries};
pub use mail::Mail;
pub use network::{Network, NotANetwork};
use owlbox_desk::access::tokens::derived;
use owlbox_desk::{ClubIdentity, ClubLabel, ClubLocation, DatabaseUrl};

/// The built-in values, with a comment on every key.
pub const DEFAULT: &str = include_str!("../../../config/default.toml");

/// Every setting of the service.
#[derive(Clone, Debug)]
pub struct Config {
    pub http: Http,
    pub database: Database,
    pub auth: Auth,
    pub limits: Limits,
    pub log: Log,
    /// `None` for one club.
    pub clubs: Option<Clubs>,
    /// `None` if no mail is sent.
    pub mail: Option<Mail>,
}

/// Section `clubs`: where one service has many.
#[derive(Clone, Debug)]
pub struct Clubs {
    /// The domain that the clubs' hosts are in: `clubs.example` for `lugano.clubs.example`.
    pub domain: String,
    /// The most clubs open at a time.
    pub awake: usize,
    /// Minutes after which a club that nobody uses is closed.
    pub idle_minutes: u64,
}

/// Section `http`: the web server.
#[derive(Clone, Debug)]
pub struct Http {
    /// The address to listen on; port 0 picks any free port.
    pub listen: SocketAddr,
    /// The URL under which browsers reach the service; without it, that of each request is used.
    pub public_url: Option<PublicUrl>,
    /// Proxies that are trusted to report the client's address.
    pub trusted_proxies: Vec<Network>,
    /// The networks that webhooks may send to besides the public one.
    pub webhook_networks: Vec<Network>,
    /// The origins whose pages may send tokens and commands to the API, as browsers write them.
    pub cors_origins: Vec<HeaderValue>,
    /// Threads that answer requests; 0 means one per core.
    pub workers: usize,
    /// The most connections open at a time.
    pub connections: usize,
    /// The most connections open at a time from one address, unless it is a trusted proxy's.
    pub connections_per_address: usize,
    /// The largest request body, in bytes.
    pub body_limit: usize,
    /// Seconds a client has to send the head of a request, counted from the end of the previous answer.
    pub head_timeout_seconds: u64,
    /// Seconds a client has to send a body, plus one for every KiB.
    pub body_timeout_seconds: u64,
    /// Seconds a client has to take an answer, plus one for every KiB.
    pub answer_timeout_seconds: u64,
    /// Seconds between heartbeats on a quiet live stream. At each, the listener's permission is checked
    /// again.
    pub heartbeat_seconds: u64,
    /// Seconds that a shutdown waits for requests in flight.
    pub shutdown_timeout_seconds: u64,
}

/// Section `database`: where everything is stored.
#[derive(Clone, Debug)]
pub struct Database {
    pub url: DatabaseUrl,
    /// Connections kept open for reading.
    pub pool_size: u32,
    /// The most commands in one commit.
    pub batch_limit: usize,
    /// The most commands waiting to be carried out.
    pub queue_limit: usize,
}

/// Section `auth`: signing in.
#[derive(Clone, Debug)]
pub struct Auth {
    /// The keys of access tokens. The first one signs, all of them verify. May be empty on SQLite, and with a
    /// key file.
    pub signing_keys: Vec<SigningKey>,
    /// The file of the key, if not the one beside the database: see [`Config::key_file`].
    pub key_file: Option<PathBuf>,
    /// The most passwords hashed at the same time.
    pub password_slots: usize,
    /// The most sign-ins waiting for a slot.
    pub password_queue: usize,
    /// Minutes until an access token expires.
    pub access_minutes: u32,
    /// Days until an unused session expires.
    pub refresh_days: u32,
    /// Days until an invitation's link expires.
    pub invite_days: u32,
}

/// Section `limits`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most live streams open at a time.
    pub live_streams: usize,
    /// The most live streams open at a time for one account.
    pub live_streams_per_account: usize,
    pub stream_length: i64,
    /// Entries on a page if the request does not ask for a number.
    pub page_size: i64,
    /// The most entries a request may ask for.
    pub page_size_max: i64,
    /// Hours for which the answer to an `Idempotency-Key` is kept.
    pub idempotency_hours: u32,
    /// Days for which ended sessions and used links are kept.
    pub token_retention_days: u32,
}

/// Section `log`.
#[derive(Clone, Debug)]
pub struct Log {
    pub format: LogFormat,
    /// A filter in the syntax of `tracing_subscriber`'s `Targets`, checked on loading.
    pub level: String,
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Readable on a terminal.
    Human,
    /// One JSON object per line.
    Json,
}

#[derive(Clone, Debug)]
pub struct SigningKey {
    /// The `kid` by which a token names its key.
    pub id: String,
    /// At least 32 characters.
    pub secret: SecretString,
}

/// The base URL as browsers know it: `http://HOST` or `https://HOST`, without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The URL without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether cookies have to be `Secure`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// That of a club of many, whose name is put before the host.
    #[must_use]
    pub fn of_club(&self, label: &ClubLabel) -> Option<Self> {
        let (scheme, host) = self.0.split_once("://")?;
        Some(Self(format!("{scheme}://{label}.{host}")))
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Config {
    /// Loads the built-in configuration, overridden by `file` and then by the process's environment.
    ///
    /// # Errors
    /// Lists every unknown key and every wrong value.
    pub fn load(file: Option<&Path>) -> Result<Self, Mistakes> {
        Self::from_layers(file, environment())
    }

    /// Loads the built-in configuration, overridden by `file` and then by the given variables.
    ///
    /// # Errors
    /// Lists every unknown key and every wrong value.
    pub fn from_layers(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Mistakes> {
        Self::read(file, environment).map(|(config, _)| config)
    }

    /// Every setting with its value and where that is from, as a file. Keys and the addresses of a PostgreSQL
    /// database and a mail server are comments in it, without what is secret.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn written_out(file: Option<&Path>) -> Result<String, Mistakes> {
        let (config, layers) = Self::read(file, environment())?;
        Ok(layers.written_out(|key| match key {
            "auth.signing_keys" if !config.auth.signing_keys.is_empty() => {
                let keys = config.auth.signing_keys.iter().map(|key| format!("{}:***", key.id));
                Some(keys.collect::<Vec<_>>().join(", "))
            }
            "database.url" => match &config.database.url {
                DatabaseUrl::Sqlite(_) => None,
                url @ DatabaseUrl::Postgres(_) => Some(url.to_string()),
            },
            "mail.url" => config.mail.as_ref().map(Mail::shown),
            _ => None,
        }))
    }

    fn read(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(Self, Layers), Mistakes> {
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
            clubs: Clubs::read(&mut layers),
            mail: Mail::read(&mut layers),
        };
        config.check_together(&mut layers);
        layers.finish().map(|layers| (config, layers))
    }

    /// The file of the signing key: the configured one, or on SQLite one beside the database. `None` wherever
    /// keys are configured.
    #[must_use]
    pub fn key_file(&self) -> Option<PathBuf> {
        if !self.auth.signing_keys.is_empty() {
            return None;
        }
        let configured = self.auth.key_file.clone();
        match &self.database.url {
            DatabaseUrl::Sqlite(database) => configured.or_else(|| Some(database.with_extension("key"))),
            DatabaseUrl::Postgres(_) => configured,
        }
    }

    /// Whether the first start makes the key file. Instances on PostgreSQL share one, so none makes its own.
    #[must_use]
    pub const fn makes_key_file(&self) -> bool {
        matches!(self.database.url, DatabaseUrl::Sqlite(_))
    }

    /// The configuration of one club of many: its database, its address, and on PostgreSQL its own keys,
    /// derived from those of the service.
    #[must_use]
    pub fn of_club(&self, label: &ClubLabel, location: &ClubLocation) -> Self {
        let mut config = self.clone();
        config.clubs = None;
        config.database.url = location.url.clone();
        config.http.public_url = self.url_of(label);
        match location.identity {
            // A key file each, beside the database.
            ClubIdentity::Locked => {}
            ClubIdentity::Salt(salt) => {
                for key in &mut config.auth.signing_keys {
                    key.secret = derived(&key.secret, salt);
                }
            }
        }
        config
    }

    /// Where browsers reach a club of many, if the configuration says where they reach the service.
    #[must_use]
    pub fn url_of(&self, label: &ClubLabel) -> Option<PublicUrl> {
        self.http.public_url.as_ref()?.of_club(label)
    }

    fn check_clubs(&self, layers: &mut Layers) {
        let Some(clubs) = &self.clubs else { return };
        if let Some(PublicUrl(url)) = &self.http.public_url {
            let host = url.split_once("://").map_or("", |(_, host)| host).split(':').next();
            if host != Some(clubs.domain.as_str()) {
                layers.mistake(
                    "http.public_url: its host has to be clubs.domain, which each club's name is put before",
                );
            }
        }
        let on_sqlite = matches!(self.database.url, DatabaseUrl::Sqlite(_));
        if self.auth.key_file.is_some() || (on_sqlite && !self.auth.signing_keys.is_empty()) {
            layers.mistake(
                "auth: where there are many clubs on SQLite each has a key file of its own; give neither \
                 signing_keys nor key_file",
            );
        }
    }

    fn check_together(&self, layers: &mut Layers) {
        self.check_clubs(layers);
        if self.mail.is_some() && self.http.public_url.is_none() {
            layers.mistake("http.public_url: needed with mail, whose links begin with it");
        }
        let postgres = matches!(self.database.url, DatabaseUrl::Postgres(_));
        if postgres && self.auth.signing_keys.is_empty() && self.auth.key_file.is_none() {
            layers.mistake(
                "auth.signing_keys: none given, nor auth.key_file; PostgreSQL needs a key for all instances to share",
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

/// The process's environment.
fn environment() -> impl Iterator<Item = (String, String)> {
    let readable = |(name, text): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, text.to_string_lossy().into_owned()))
    };
    std::env::vars_os().filter_map(readable)
}

/// A whole number within `range`, converted to the field's type.
fn whole<T: TryFrom<i64>>(layers: &mut Layers, key: &'static str, range: RangeInclusive<i64>) -> T {
    let allowed = format!("a whole number from {} to {}", range.start(), range.end());
    layers.value(key, &allowed, |written| {
        let number = written.whole()?;
        if range.contains(&number) { T::try_from(number).ok() } else { None }
    })
}

impl Http {
    fn read(layers: &mut Layers) -> Self {
        Self {
            listen: layers.value(
                "http.listen",
                "an IP address and a port, such as 127.0.0.1:8080 or [::]:8080",
                |written| written.text()?.parse().ok(),
            ),
            public_url: layers.value(
                "http.public_url",
                "http://HOST or https://HOST without a path, or nothing",
                |written| match written.text()? {
                    "" => Some(None),
                    text => public_url(text).map(Some),
                },
            ),
            trusted_proxies: networks(layers, "http.trusted_proxies"),
            webhook_networks: networks(layers, "http.webhook_networks"),
            cors_origins: layers.value(
                "http.cors_origins",
                "a list of at most 100 origins such as https://www.club.example: scheme and host in small letters, the port \
                 unless it is the usual one, no path",
                |written| {
                    let origins = written.list()?;
                    if origins.len() > 100 {
                        return None;
                    }
                    origins.into_iter().map(origin).collect()
                },
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

fn networks(layers: &mut Layers, key: &'static str) -> Vec<Network> {
    layers.value(key, "a list of addresses such as 10.0.0.1 and networks such as 10.0.0.0/8", |written| {
        written.list()?.into_iter().map(|entry| entry.parse().ok()).collect()
    })
}

fn public_url(text: &str) -> Option<PublicUrl> {
    let uri: Uri = text.parse().ok()?;
    let web = matches!(uri.scheme_str(), Some("http" | "https"));
    let host = uri.authority().filter(|principal| !principal.as_str().contains('@'))?;
    let bare = format!("{}://{host}", uri.scheme_str()?);
    (web && !host.host().is_empty() && bare == text).then_some(PublicUrl(bare))
}

/// An origin in the one spelling that browsers send.
fn origin(text: &str) -> Option<HeaderValue> {
    let url = public_url(text)?;
    let usual_port = if url.is_https() { ":443" } else { ":80" };
    let as_sent = text == text.to_ascii_lowercase() && !text.ends_with(usual_port);
    if as_sent { HeaderValue::from_str(text).ok() } else { None }
}

impl Database {
    fn read(layers: &mut Layers) -> Self {
        Self {
            url: layers.secret(
                "database.url",
                "sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE",
                |written| written.text()?.parse().ok(),
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
            key_file: layers.value("auth.key_file", "a file's path, or nothing", |written| {
                let path = written.text()?;
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

fn signing_keys(written: &WrittenValue<'_>) -> Option<Vec<SigningKey>> {
    let pairs: Vec<(&str, &str)> = match written {
        WrittenValue::Text(text) => {
            entries(text).map(|entry| entry.split_once(':')).collect::<Option<_>>()?
        }
        WrittenValue::Typed(value) => value.as_array()?.iter().map(id_and_secret).collect::<Option<_>>()?,
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

/// An entry `{ id = "...", secret = "..." }` of a file.
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

impl Clubs {
    fn read(layers: &mut Layers) -> Option<Self> {
        let domain = layers.value(
            "clubs.domain",
            "a host name in small letters, such as clubs.example, or nothing",
            |written| match written.text()? {
                "" => Some(None),
                text => is_domain(text).then(|| Some(text.to_owned())),
            },
        );
        let (awake, idle_minutes) =
            (whole(layers, "clubs.awake", 1..=100_000), whole(layers, "clubs.idle_minutes", 1..=1440));
        domain.map(|domain| Self { domain, awake, idle_minutes })
    }
}

/// Whether a text is the name of a host: labels of letters, digits and hyphens between dots.
fn is_domain(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    // With the longest name of a club it has to remain a host's.
    text.len() <= 200 && text.split('.').all(is_label)
}

impl Log {
    fn read(layers: &mut Layers) -> Self {
        Self {
            format: layers.value("log.format", "human or json", |written| match written.text()? {
                "human" => Some(LogFormat::Human),
                "json" => Some(LogFormat::Json),
                _ => None,
            }),
            level: layers.value(
                "log.level",
                "error, warn, info, debug or trace, or per module as in info,owlbox_desk=debug",
                |written| {
                    let text = written.text()?;
                    is_filter(text).then(|| text.to_owned())
                },
            ),
        }
    }
}

/// Whether a text is a level for everything, and perhaps others for some modules. The library would take a
/// word it does not know for the name of a module, and so silence all others.
fn is_filter(text: &str) -> bool {
    let is_meant =
        |part: &str| part.contains('=') || (!part.is_empty() && part.parse::<LevelFilter>().is_ok());
    let levels = text.parse::<Targets>().ok().filter(|_| text.split(',').all(is_meant));
    levels.is_some_and(|levels| levels.default_level().is_some()) && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests;
