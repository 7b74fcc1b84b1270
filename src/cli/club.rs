//! `owlbox club`: creates, lists, renames and puts away the clubs of a service that has many; and finds the
//! one that any other command is about.

use std::net::SocketAddr;

use chrono::Utc;
use serde_json::json;

use super::args::{ClubAdopt, ClubCommand, ClubName, ClubRename};
use super::backup::named;
use super::healthcheck::reached_at;
use super::progress::Progress;
use super::serve::{ServeError, key_ring, options};
use super::terminal;
use owlbox_desk::ClubLabel;
use owlbox_http::config::Config;
use owlbox_store::clubs::{Borrowed, ClubLocation, Clubs, ClubsError};
use owlbox_store::{DatabaseUrl, Store, StoreError};

/// Why a command about a club was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum ClubError {
    #[error("this service has one club: clubs.domain is not set")]
    OneClub,
    #[error("this service has many clubs: name one with --club NAME")]
    WhichClub,
    #[error(transparent)]
    Clubs(#[from] ClubsError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The club's keys cannot be read or made.
    #[error(transparent)]
    Keys(#[from] Box<ServeError>),
}

/// What a command does with its club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A service may have it open.
    Read,
    /// On SQLite a service closes it for as long.
    Write,
}

/// A club that a command is about.
pub struct Chosen {
    pub config: Config,
    /// Where browsers reach it, as far as the configuration tells.
    pub url: String,
    /// Keeps a service off the club's file.
    _alone: Option<Borrowed>,
}

/// The club that a command is about: the only one, or the one of many that it names.
///
/// # Errors
/// It does not say which where there are many, or names one where there is one; or there is none of that
/// name.
pub fn chosen(config: Config, club: Option<&ClubLabel>, purpose: Purpose) -> Result<Chosen, ClubError> {
    match (&config.clubs, club) {
        (None, None) => {
            let url = url_of_one(&config, reached_at(config.http.listen));
            Ok(Chosen { config, url, _alone: None })
        }
        (None, Some(_)) => Err(ClubError::OneClub),
        (Some(_), None) => Err(ClubError::WhichClub),
        (Some(settings), Some(label)) => {
            let url = address(&config, &settings.domain, label);
            let clubs = Clubs::at(&config.database.url)?;
            let (location, alone) = match purpose {
                Purpose::Read => (clubs.find(label)?, None),
                Purpose::Write => clubs.for_writing(label)?,
            };
            Ok(Chosen { config: config.of_club(label, &location), url, _alone: alone })
        }
    }
}

/// Why something was not done for every club of a service.
#[derive(Debug, thiserror::Error)]
pub enum NotEveryClub {
    #[error(transparent)]
    Clubs(#[from] ClubsError),
    /// By club. For all others it is done.
    #[error("not done:{}", .0.iter().map(|(club, why)| format!("\n  {club}: {why}")).collect::<String>())]
    Failed(Vec<(String, String)>),
}

/// Does something for every club of the service, and prints what `work` says of each. It gets the club's
/// name, or that of its file where there is one club, and where it is.
///
/// # Errors
/// [`NotEveryClub`]. A club that fails keeps no other from it.
pub fn for_every_club(
    config: &Config,
    mut work: impl FnMut(&str, &DatabaseUrl) -> Result<String, String>,
) -> Result<(), NotEveryClub> {
    let mut failed = Vec::new();
    for (club, url) in every_club(config)? {
        match url.map_err(|why| why.to_string()).and_then(|url| work(&club, &url)) {
            Ok(said) => drop(terminal::print(&said)),
            // It may quote rows of the database.
            Err(why) => failed.push((club, terminal::on_one_line(&why))),
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(NotEveryClub::Failed(failed)) }
}

/// A club's name and where it is.
type Named = (String, Result<DatabaseUrl, ClubsError>);

fn every_club(config: &Config) -> Result<Vec<Named>, ClubsError> {
    let url = &config.database.url;
    if config.clubs.is_none() {
        let name = match url {
            DatabaseUrl::Sqlite(file) => file.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
            DatabaseUrl::Postgres(_) => None,
        };
        return Ok(vec![(name.unwrap_or_else(|| "owlbox".to_owned()), Ok(url.clone()))]);
    }
    let clubs = Clubs::at(url)?;
    let place = |label: &ClubLabel| clubs.find(label).map(|location| location.url);
    Ok(clubs.list()?.iter().map(|label| (label.to_string(), place(label))).collect())
}

/// Carries out a command about the clubs, and returns what it prints.
///
/// # Errors
/// [`ClubError`].
pub fn club(config: &Config, command: &ClubCommand) -> Result<String, ClubError> {
    let domain = &config.clubs.as_ref().ok_or(ClubError::OneClub)?.domain;
    let clubs = Clubs::at(&config.database.url)?;
    match command {
        ClubCommand::Create(ClubAdopt { name, from }) => {
            let _progress = Progress::of("migrating the club to this version");
            let (location, left) = match from {
                Some(from) => clubs.adopt(name, from)?,
                None => (clubs.create(name)?, Vec::new()),
            };
            // Migrated at once, so that what is wrong with it is known now.
            let (_, _alone) = clubs.for_writing(name)?;
            drop(Store::open(&location.url, &options(config))?);
            // The code comes last: scripts read it from there.
            Ok(format!("{}{}", named(&left), code(config, domain, name, &location)?))
        }
        ClubCommand::List(asked) => {
            let names: Vec<_> = clubs.list()?.iter().map(ToString::to_string).collect();
            Ok(if asked.json { json!(names).to_string() } else { names.join("\n") })
        }
        ClubCommand::Code(ClubName { name }) => code(config, domain, name, &clubs.find(name)?),
        ClubCommand::Move(ClubRename { name, to }) => {
            clubs.borrow(name)?.rename(to)?;
            Ok(format!("{name} is {to} now: {}", address(config, domain, to)))
        }
        ClubCommand::Archive(ClubName { name }) => {
            let away = clubs.borrow(name)?.archive(Utc::now())?;
            Ok(format!("archived {name}: {away}\nto bring it back: owlbox club create {name} --from {away}"))
        }
    }
}

/// How a club is set up by the one who runs it.
fn code(
    config: &Config,
    domain: &str,
    name: &ClubLabel,
    location: &ClubLocation,
) -> Result<String, ClubError> {
    let keys = key_ring(&config.of_club(name, location)).map_err(Box::new)?;
    let (url, code) = (address(config, domain, name), keys.set_up_code().reveal());
    Ok(format!("{name}: {url}\nto set it up, unless it is: open {url}/set-up and enter the code {code}"))
}

/// Where browsers reach the only club of a service that is at this address.
pub fn url_of_one(config: &Config, address: SocketAddr) -> String {
    let here = || format!("http://{address}");
    config.http.public_url.as_ref().map_or_else(here, ToString::to_string)
}

/// Where browsers reach a club of many.
fn address(config: &Config, domain: &str, name: &ClubLabel) -> String {
    let here = || format!("http://{name}.{domain}:{}", config.http.listen.port());
    config.url_of(name).map_or_else(here, |url| url.to_string())
}
