//! SIGHUP: a service that runs reads its log level and its signing keys again. Every other setting waits for
//! the next start.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::clubs::ClubOpener;
use super::{ServeError, how_to_set_up, key_ring};
use owlbox_desk::Desk;
use owlbox_http::clubs::awake::Awake;
use owlbox_http::config::{Auth, Config, Mistakes};
use owlbox_http::telemetry::{LogLevel, TelemetryError};

/// What hears of a SIGHUP; from the moment this is made, the signal no longer kills the process.
pub struct Reload {
    hangups: Signal,
    /// The file of the configuration, if there is one.
    file: Option<PathBuf>,
    level: LogLevel,
    /// Whether the service was started on a terminal.
    on_terminal: bool,
}

/// Whether the log is on one: what is sent to a file has its reader still.
fn on_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Whose keys are exchanged.
pub enum Keys {
    /// Those of the only club. With its configuration as it was at the start, and where browsers reach it.
    One {
        desk: Desk,
        config: Box<Config>,
        url: String,
    },
    Many(ClubOpener, Awake),
}

/// Why not everything was read again.
#[derive(Debug, thiserror::Error)]
enum NotReloaded {
    #[error(transparent)]
    Config(#[from] Mistakes),
    /// Its keys are not those of the clubs that are served.
    #[error("database.url or clubs.domain has changed: restart the service for that")]
    OtherDatabase,
    #[error("these clubs keep their old signing keys, the rest was reloaded: {0}")]
    KeptByClubs(String),
    #[error(transparent)]
    Keys(#[from] ServeError),
    #[error(transparent)]
    Level(#[from] TelemetryError),
}

impl Reload {
    /// Call it inside the runtime.
    ///
    /// # Errors
    /// The signal cannot be heard.
    pub fn new(file: Option<PathBuf>, level: LogLevel) -> io::Result<Self> {
        Ok(Self { hangups: signal(SignalKind::hangup())?, file, level, on_terminal: on_terminal() })
    }

    /// Reads again at every signal. Wrong settings are logged, and change nothing. Returns if the signal came
    /// because the terminal was closed on which the service runs: then it has to stop, and nobody could read
    /// its log.
    pub async fn heed(mut self, keys: Keys) {
        loop {
            if self.hangups.recv().await.is_none() {
                std::future::pending::<()>().await;
            }
            if self.on_terminal && !on_terminal() {
                self.level.silence();
                return;
            }
            match self.again(&keys).await {
                Ok(level) => tracing::info!(level, "reloaded the log level and the signing keys"),
                Err(error) => {
                    let lines = error.to_string();
                    let error = lines.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                    tracing::error!(error, "the settings were not reloaded");
                }
            }
        }
    }

    async fn again(&self, keys: &Keys) -> Result<String, NotReloaded> {
        let new = Config::load(self.file.as_deref())?;
        let old = match keys {
            Keys::One { config, .. } => Config::clone(config),
            Keys::Many(opener, _) => opener.config(),
        };
        if new.database.url != old.database.url || new.clubs.is_some() != old.clubs.is_some() {
            return Err(NotReloaded::OtherDatabase);
        }
        let Config { log, auth: Auth { signing_keys, key_file, .. }, .. } = new;
        match keys {
            Keys::One { desk, url, .. } => {
                let auth = Auth { signing_keys, key_file, ..old.auth };
                let keys = key_ring(&Config { auth, ..old })?;
                self.level.set(&log)?;
                desk.exchange_keys(keys);
                // The code that was printed before may be of other keys. Without a reader, it waits for the
                // next start.
                if let Some(how) = how_to_set_up(desk, url).await? {
                    let mut out = io::stdout();
                    drop(writeln!(out, "{how}").and_then(|()| out.flush()));
                }
            }
            Keys::Many(opener, awake) => {
                self.level.set(&log)?;
                opener.take(signing_keys);
                exchange(opener, awake);
                // Those that were being opened may have the old ones.
                awake.turned().await;
                let kept = exchange(opener, awake);
                if !kept.is_empty() {
                    return Err(NotReloaded::KeptByClubs(kept.join(", ")));
                }
            }
        }
        Ok(log.level)
    }
}

/// Gives the clubs that are open their keys anew, and returns those whose key cannot be read: they keep what
/// they have.
fn exchange(opener: &ClubOpener, awake: &Awake) -> Vec<String> {
    let mut kept = Vec::new();
    for ((label, identity), service) in awake.open_clubs() {
        match opener.keys(&label, &service.config.database.url, identity) {
            Ok(keys) => service.desk.exchange_keys(keys),
            Err(error) => {
                tracing::error!(club = %label, %error, "the club keeps its signing keys");
                kept.push(label.to_string());
            }
        }
    }
    kept
}
