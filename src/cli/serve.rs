//! `owlbox serve`: the service, from the configuration to the stop signal.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretSlice};

use crate::club::tokens::{self, KeyRing, SigningKey};
use crate::config::Config;
use crate::desk::{Desk, Fittings, Limits};
use crate::store::{Options, Store};
use crate::telemetry::{self, Figures};
use crate::web::server;

/// What can go wrong on the way to a running service.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database.
    #[error("{0}")]
    Store(#[from] crate::store::StoreError),
    /// Log or figures.
    #[error("{0}")]
    Telemetry(#[from] telemetry::TelemetryError),
    /// The file of the signing key.
    #[error("the signing key in {path}: {error}")]
    KeyFile {
        /// Which.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A signing key.
    #[error("auth.signing_keys: {0}")]
    Key(#[from] crate::values::InvalidValue),
    /// The desk refused.
    #[error("{0}")]
    Desk(#[from] crate::desk::Refused),
    /// The server.
    #[error("http.listen: {0}")]
    Server(#[from] std::io::Error),
}

/// Runs the service until it is told to stop. Prints `listening on http://ADDRESS` when it is ready.
///
/// # Errors
/// Whatever keeps it from starting.
pub fn serve(config: Config) -> Result<(), ServeError> {
    telemetry::start_log(&config.log)?;
    let figures = Figures::start()?;
    let store = Store::open(&config.database.url, &options(&config))?;
    let desk = desk(&config, store);
    let keys = Arc::new(key_ring(&config)?);
    actix_web::rt::System::new().block_on(async move {
        let running = server::start(server::Setup {
            config: config.clone(),
            desk: desk.clone(),
            keys,
            figures: Some(figures.clone()),
        })?;
        announce(&config, &desk, running.address).await?;
        let chores = tokio::spawn(chores(config, desk, figures));
        running.until_stopped().await?;
        chores.abort();
        Ok(())
    })
}

/// The store's part of the configuration.
#[must_use]
pub fn options(config: &Config) -> Options {
    Options {
        pool_size: config.database.pool_size,
        batch_limit: config.database.batch_limit,
        queue_limit: config.database.queue_limit,
    }
}

/// A desk around `store` as the configuration says.
#[must_use]
pub fn desk(config: &Config, store: Store) -> Desk {
    let limits = Limits { stream_length: config.limits.stream_length, ..Limits::default() };
    Desk::new(Fittings { limits, ..Fittings::around(store) })
}

/// Says on the console where the service is.
async fn announce(config: &Config, _desk: &Desk, address: std::net::SocketAddr) -> Result<(), ServeError> {
    let mut out = std::io::stdout();
    writeln!(out, "listening on http://{address}")?;
    if let Some(url) = &config.http.public_url {
        writeln!(out, "reached at {}", url.as_str())?;
    }
    out.flush()?;
    Ok(())
}

/// How often what has been kept long enough is swept out.
const SWEEP_EVERY: Duration = Duration::from_secs(3600);

/// What must be done now and then.
async fn chores(config: Config, desk: Desk, figures: Figures) {
    let mut figures_due = tokio::time::interval(telemetry::SWEEP_EVERY);
    let mut sweep_due = tokio::time::interval(SWEEP_EVERY);
    loop {
        tokio::select! {
            _ = figures_due.tick() => figures.sweep(),
            _ = sweep_due.tick() => {
                let limits = &config.limits;
                if let Err(error) = desk.sweep(limits.idempotency_hours, limits.token_retention_days).await {
                    tracing::warn!(%error, "nothing was swept out");
                }
            }
        }
    }
}

/// The keys of access tokens: those of the configuration, or the one in the file beside the database,
/// made on first start.
///
/// # Errors
/// A key is no good, or the file cannot be read or made.
pub fn key_ring(config: &Config) -> Result<KeyRing, ServeError> {
    let mut keys = Vec::new();
    for key in &config.auth.signing_keys {
        let secret = SecretSlice::from(key.secret.expose_secret().as_bytes().to_vec());
        keys.push(SigningKey::new(&key.id, &secret)?);
    }
    if keys.is_empty()
        && let Some(path) = config.key_file()
    {
        let secret = key_from_file(&path)
            .map_err(|error| ServeError::KeyFile { path: path.display().to_string(), error })?;
        keys.push(SigningKey::new("file", &secret)?);
    }
    Ok(KeyRing::new(keys)?)
}

/// Bytes of a key that the service makes for itself.
const KEY_BYTES: usize = 48;

/// Reads the key in `path`, or makes one that only its owner can read.
fn key_from_file(path: &Path) -> std::io::Result<SecretSlice<u8>> {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    match std::fs::File::options().write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => {
            let secret = tokens::random::<KEY_BYTES>();
            file.write_all(&secret)?;
            file.sync_all()?;
            Ok(SecretSlice::from(secret.to_vec()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            if std::fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
                return Err(std::io::Error::other("others can read it: chmod 600 it"));
            }
            std::fs::read(path).map(SecretSlice::from)
        }
        Err(error) => Err(error),
    }
}
