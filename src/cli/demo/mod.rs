//! `owlbox demo`: a throwaway club with a night and a tournament in progress, to look around in.
//!
//! The club is in a temporary database that is gone when the program stops. [`population`] and
//! [`tournaments`] fill it through the desk, and then it is served like any other club. [`year`] fills one
//! with a whole year.

mod books;
mod clock;
mod evening;
mod population;
mod tournaments;
pub mod year;

use std::io::{self, Write as _};
use std::net::TcpListener;

use owlbox_base::permissions::Role;
use owlbox_base::values::{InvalidValue, Timestamp};
use owlbox_desk::{Clock as _, Dependencies, Desk, Refused, SystemClock};
use owlbox_http::config::Config;
use owlbox_http::server;
use owlbox_store::{DatabaseUrl, Options, Store, StoreError};

use super::args;
use super::progress::Progress;
use super::serve::{self, ServeError};
use clock::DemoClock;
use population::{PASSWORD, SIGN_INS};
use year::Year;

/// Why the demonstration could not run.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The desk refused a command that fills the club.
    #[error("the throwaway club: {0}")]
    Club(#[from] Refused),
    #[error("the throwaway club: {0}")]
    Store(#[from] StoreError),
    /// A value among the demonstration's data is invalid.
    #[error("the throwaway club: {0}")]
    Value(#[from] InvalidValue),
    /// The service could not run.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The temporary folder could not be made, or the console could not be written.
    #[error("the throwaway club: {0}")]
    Io(#[from] io::Error),
}

/// Fills a throwaway club and serves it until a stop signal, at the configured address or, if that is taken,
/// on any free port. Which it is is settled first: a year takes its time.
///
/// # Errors
/// Any [`DemoError`].
pub fn demo(mut config: Config, asked: args::Demo) -> Result<(), DemoError> {
    let listener = listening(&config)?;
    let folder = tempfile::Builder::new().prefix("owlbox-demo.").tempdir()?;
    config.database.url = DatabaseUrl::Sqlite(folder.path().join("demo.db"));
    config.auth.key_file = None;
    config.clubs = None;
    config.mail = None;
    let options = Options { throwaway: true, ..serve::options(&config) };
    let store = Store::open(&config.database.url, &options)?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    // The store is moved in and so closed afterwards: the service opens the database itself.
    let now = SystemClock.now();
    if asked.year {
        let progress = Progress::of("playing a year");
        let tell = |days, all| progress.tell(days, all);
        runtime.block_on(year::fill(store, now, &Year::whole(asked.seed), tell))?;
    } else {
        runtime.block_on(fill(store, now, usize::MAX))?;
    }
    let mut out = io::stdout();
    writeln!(out, "a throwaway club: it is deleted when this program stops")?;
    for (role, login) in SIGN_INS {
        writeln!(out, "sign in as {:<8} login {login:<8} password {PASSWORD}", Role::name(role))?;
    }
    out.flush()?;
    Ok(serve::serve_at(config, listener)?)
}

/// The address of the club. If the configured one is taken, that is said.
fn listening(config: &Config) -> Result<TcpListener, ServeError> {
    let listener = match server::listen(config) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            let mut any = config.http.listen;
            any.set_port(0);
            let listener = TcpListener::bind(any).map_err(ServeError::Listen)?;
            let address = listener.local_addr()?;
            // Standard error may be closed, and then there is nobody to tell.
            let _ = writeln!(
                io::stderr(),
                "owlbox: {} is taken: the club will be at http://{address}",
                config.http.listen
            );
            listener
        }
        listener => listener.map_err(ServeError::Listen)?,
    };
    Ok(listener)
}

/// Fills a database without an admin, as of `now`, with tonight's table and at most so many past nights. With
/// any past nights there are tournaments too.
///
/// # Errors
/// The club has an admin already, or the database failed.
pub async fn fill(store: Store, now: Timestamp, past_nights: usize) -> Result<(), DemoError> {
    let clock = DemoClock::at(now);
    let desk = Desk::new(Dependencies { clock: Box::new(clock.clone()), ..Dependencies::with_store(store) });
    population::populate(&desk, &clock, now, past_nights).await
}
