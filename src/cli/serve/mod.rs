//! `owlbox serve`: runs the service, from reading the configuration to the stop signal.

mod clubs;
mod reload;
mod supervisor;

use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::{System, SystemRunner};
use actix_web::web;
use chrono::TimeDelta;
use secrecy::{ExposeSecret as _, SecretSlice};

use super::admin::socket::AdminSocket;
use super::club::url_of_one;
use super::healthcheck::reached_at;
use super::progress::while_opening;
use crate::RELEASE;
use owlbox_desk::access::tokens::{self, KeyRing, SigningKey};
use owlbox_desk::access::{AuthSettings, Passwords};
use owlbox_desk::{DatabaseUrl, Dependencies, Desk, Limits};
use owlbox_http::clubs::Clubs;
use owlbox_http::config::{self, Config};
use owlbox_http::server::{self, Running, Served, Setup};
use owlbox_http::telemetry::{self, Metrics};
use owlbox_store::clubs::ClubsError;
use owlbox_store::files::write_secret;
use owlbox_store::{Options, Store, StoreError};
use reload::{Keys, Reload};

/// What can keep the service from running.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("{0}")]
    Store(#[from] owlbox_store::StoreError),
    #[error("{0}")]
    Clubs(#[from] ClubsError),
    #[error("{0}")]
    Telemetry(#[from] telemetry::TelemetryError),
    /// Standard output could not be written, or no runtime started.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file of the signing key cannot be read or created.
    #[error("the signing key in {path}: {error}")]
    KeyFile { path: String, error: std::io::Error },
    #[error("auth.signing_keys: {0}")]
    Key(#[from] owlbox_base::values::InvalidValue),
    #[error("{0}")]
    Desk(#[from] owlbox_desk::Refused),
    /// The address cannot be listened on.
    #[error("http.listen: {0}")]
    Listen(std::io::Error),
}

/// Runs the service until a stop signal. Prints `listening on http://ADDRESS` when it is ready. At a SIGHUP
/// it reads some of its settings again, from `file`: see [`reload`].
///
/// # Errors
/// Anything that keeps it from starting, or a disk that refuses to write while it runs.
pub fn serve(config: Config, file: Option<PathBuf>) -> Result<(), ServeError> {
    run(config, file, |_| {})
}

/// Like [`serve`], with further pages besides the service's own.
///
/// # Errors
/// As for [`serve`].
pub fn serve_with(config: Config, besides: fn(&mut web::ServiceConfig)) -> Result<(), ServeError> {
    run(config, None, besides)
}

fn run(
    config: Config,
    file: Option<PathBuf>,
    besides: fn(&mut web::ServiceConfig),
) -> Result<(), ServeError> {
    let level = telemetry::start_log(&config.log)?;
    let system = System::new();
    let reload = system.block_on(async { Reload::new(file, level) })?;
    let metrics = Metrics::start()?;
    if let Some(clubs) = config.clubs.clone() {
        return serve_many(system, config, clubs, metrics, besides, reload);
    }
    // Before there is a club: one that cannot be served is not made, and not migrated.
    let listener = server::listen(&config).map_err(ServeError::Listen)?;
    serve_one(system, config, listener, metrics, besides, Some(reload))
}

/// Like [`serve`], for one club and where it listens already.
///
/// # Errors
/// As for [`serve`].
pub fn serve_at(config: Config, listener: TcpListener) -> Result<(), ServeError> {
    telemetry::start_log(&config.log)?;
    serve_one(System::new(), config, listener, Metrics::start()?, |_| {}, None)
}

/// All clubs of a domain: each is opened when it is asked for.
fn serve_many(
    system: SystemRunner,
    config: Config,
    settings: config::Clubs,
    metrics: Metrics,
    besides: fn(&mut web::ServiceConfig),
    reload: Reload,
) -> Result<(), ServeError> {
    let opener = clubs::ClubOpener::new(config.clone())?;
    let listener = server::listen(&config).map_err(ServeError::Listen)?;
    system.block_on(async move {
        let domain = settings.domain.clone();
        let served = Served::Many(settings, Box::new(opener.clone()));
        let running = start(config, listener, served, metrics, besides)?;
        let clubs = running.clubs().clone();
        let hung_up = async {
            match clubs {
                Clubs::Many(awake) => reload.heed(Keys::Many(opener, awake)).await,
                Clubs::One(_) => std::future::pending().await,
            }
        };
        let mut out = std::io::stdout();
        writeln!(out, "listening on http://{}", running.address)?;
        writeln!(out, "each club is at NAME.{domain}; \"owlbox club create NAME\" creates one")?;
        out.flush()?;
        supervisor::ready(reached_at(running.address))?;
        running.until_stopped(hung_up).await?;
        Ok(())
    })
}

fn serve_one(
    system: SystemRunner,
    config: Config,
    listener: TcpListener,
    metrics: Metrics,
    besides: fn(&mut web::ServiceConfig),
    reload: Option<Reload>,
) -> Result<(), ServeError> {
    let store = while_opening(|| Store::open(&config.database.url, &options(&config)))?;
    let desk = desk(&config, store.clone())?;
    let watched = store.clone();
    let served = system.block_on(async move {
        let running = start(config.clone(), listener, Served::One(desk.clone()), metrics, besides)?;
        let _socket = admin_socket(&config, &desk, running.address);
        announce(&config, &desk, running.address).await?;
        supervisor::ready(reached_at(running.address))?;
        let url = url_of_one(&config, running.address);
        let hung_up = async {
            match reload {
                Some(reload) => {
                    reload.heed(Keys::One { desk, config: Box::new(config), url }).await;
                }
                None => std::future::pending().await,
            }
        };
        let over = async {
            tokio::select! {
                () = given_up(watched) => {}
                () = hung_up => {}
            }
        };
        running.until_stopped(over).await?;
        Ok(())
    });
    // With whatever still runs in it.
    drop(system);
    // Commands whose callers did not wait for the answer are settled too.
    store.settle();
    // An error, so that the supervisor restarts the service: until then nothing can be written.
    if store.has_given_up() { Err(StoreError::NotDurable.into()) } else { served }
}

/// On SQLite, where nobody else can use the database, the command line gives its orders to the service. One
/// that has no socket for that serves none the less.
fn admin_socket(config: &Config, desk: &Desk, address: SocketAddr) -> Option<AdminSocket> {
    let DatabaseUrl::Sqlite(database) = &config.database.url else { return None };
    AdminSocket::begin(database, desk.clone(), url_of_one(config, address))
        .inspect_err(|error| {
            tracing::warn!(%error, "no admin socket: to use \"owlbox admin\", stop the service");
        })
        .ok()
}

/// Starts to serve the API, the pages and further ones.
fn start(
    config: Config,
    listener: TcpListener,
    served: Served,
    metrics: Metrics,
    besides: fn(&mut web::ServiceConfig),
) -> std::io::Result<Running> {
    let document = owlbox_api::document(&config.limits)?;
    let served_document = web::Data::new(owlbox_api::Document::new(config.limits.clone()));
    let routes = move |config: &mut web::ServiceConfig| {
        owlbox_api::mount(config, served_document.clone(), RELEASE);
        owlbox_site::mount(config, besides);
    };
    server::start(Setup {
        config,
        listener,
        served,
        release: RELEASE,
        metrics: Some(metrics),
        routes: Arc::new(routes),
        deliver: owlbox_api::webhooks::deliver,
        document,
        pages: owlbox_site::PAGES,
    })
}

/// The options of the store in this configuration.
#[must_use]
pub fn options(config: &Config) -> Options {
    Options {
        pool_size: config.database.pool_size,
        batch_limit: config.database.batch_limit,
        queue_limit: config.database.queue_limit,
        throwaway: false,
    }
}

/// A desk over `store`, set up as the configuration says.
///
/// # Errors
/// The signing keys are not usable.
pub fn desk(config: &Config, store: Store) -> Result<Desk, ServeError> {
    let passwords = Passwords::start(config.auth.password_slots, config.auth.password_queue);
    desk_with(config, store, passwords)
}

/// Like [`desk`], with threads that hash passwords.
fn desk_with(config: &Config, store: Store, passwords: Passwords) -> Result<Desk, ServeError> {
    let auth = &config.auth;
    let terms = AuthSettings {
        access_lifetime: TimeDelta::minutes(auth.access_minutes.into()),
        refresh_lifetime: TimeDelta::days(auth.refresh_days.into()),
        invite_lifetime: TimeDelta::days(auth.invite_days.into()),
        ..AuthSettings::with(key_ring(config)?, passwords)
    };
    let limits = Limits { stream_length: config.limits.stream_length, ..Limits::default() };
    Ok(Desk::new(Dependencies { limits, terms, ..Dependencies::with_store(store) }))
}

/// Prints the address of the service and, for a club without an admin, how to set it up.
async fn announce(config: &Config, desk: &Desk, address: SocketAddr) -> Result<(), ServeError> {
    let mut out = std::io::stdout();
    writeln!(out, "listening on http://{address}")?;
    let url = url_of_one(config, address);
    if let Some(how) = how_to_set_up(desk, &url).await? {
        writeln!(out, "{how}")?;
    } else if config.http.public_url.is_some() {
        writeln!(out, "reached at {url}")?;
    }
    out.flush()?;
    Ok(())
}

/// How the club is set up, with a code that belongs to the signing keys of the moment; `None` once somebody
/// has.
async fn how_to_set_up(desk: &Desk, url: &str) -> Result<Option<String>, ServeError> {
    let how = |code| format!("the club is not set up yet: open {url}/set-up and enter the code {code}");
    Ok(desk.set_up_code().await?.map(how))
}

/// How often to check whether the store can still write.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Waits until the store has given up: after a refused write nothing can be written before the next start.
async fn given_up(store: Store) {
    let mut due = tokio::time::interval(LOOK_EVERY);
    while !store.has_given_up() {
        due.tick().await;
    }
}

/// The signing keys of access tokens: those of the configuration, or the one in a file, which on SQLite the
/// first start creates.
///
/// # Errors
/// A key is not usable, or the file cannot be read or created.
pub fn key_ring(config: &Config) -> Result<KeyRing, ServeError> {
    let mut keys = Vec::new();
    for key in &config.auth.signing_keys {
        let secret = SecretSlice::from(key.secret.expose_secret().as_bytes().to_vec());
        keys.push(SigningKey::new(&key.id, &secret)?);
    }
    if keys.is_empty()
        && let Some(path) = config.key_file()
    {
        let secret = key_from_file(&path, config.makes_key_file())
            .map_err(|error| ServeError::KeyFile { path: path.display().to_string(), error })?;
        keys.push(SigningKey::new("file", &secret)?);
    }
    Ok(KeyRing::new(keys)?)
}

/// The length in bytes of a key that the service generates.
const KEY_BYTES: usize = 48;

/// Reads the key in `path`, or perhaps generates one in a file that only its owner can read.
fn key_from_file(path: &Path, makes_one: bool) -> std::io::Result<SecretSlice<u8>> {
    use std::os::unix::fs::PermissionsExt as _;
    match std::fs::metadata(path) {
        Ok(there) if there.permissions().mode() & 0o077 != 0 => {
            Err(std::io::Error::other("other users can read it: run chmod 600 on it"))
        }
        Ok(_) => std::fs::read(path).map(SecretSlice::from),
        Err(error) if makes_one && error.kind() == std::io::ErrorKind::NotFound => {
            let secret = tokens::random::<KEY_BYTES>();
            write_secret(path, &secret)?;
            Ok(SecretSlice::from(secret.to_vec()))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_start_that_broke_off_leaves_no_half_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.key");
        std::fs::write(folder.path().join("club.key.new"), "half").unwrap();
        let made = key_from_file(&path, true).unwrap();
        assert_eq!(made.expose_secret().len(), KEY_BYTES);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(key_from_file(&path, true).unwrap().expose_secret(), made.expose_secret());
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(key_from_file(&path, true).is_err());
    }
}
