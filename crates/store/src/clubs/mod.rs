//! The clubs of a service that has many: each is a database of its own, so that nothing of one can be read
//! through another.
//!
//! On SQLite a club is a file in a [`folder`], on PostgreSQL a schema of one database ([`schemas`]). A
//! service opens those that are asked for and closes them again; the command line creates, renames and puts
//! away. So that neither has a club opened that the other just moves, a club is *borrowed* by the one who
//! needs it alone: meanwhile it cannot be opened, and a service that looks ([`Clubs::wanted`]) closes it.

mod folder;
mod label;
mod schemas;

use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use label::{ClubLabel, NotALabel};

use super::backup::BackupError;
use super::{DatabaseUrl, Options, Store, StoreError};
use folder::Folder;
use schemas::Schemas;
pub(super) use schemas::{IN_USE, OWN_SCHEMA, SharedSchemaLock};

/// How often a service has to look whether somebody wants one of its clubs alone.
pub const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long anyone who wants a club alone waits until a service has let go of it.
const LET_GO_WITHIN: Duration = Duration::from_secs(30);

/// Why nothing was done with a club.
#[derive(Debug, thiserror::Error)]
pub enum ClubsError {
    #[error("there is no club {0}")]
    NoSuchClub(ClubLabel),
    #[error("there is a club {0} already")]
    Exists(ClubLabel),
    /// Somebody has it alone: it is being renamed, archived, or written to from the command line.
    #[error("the club {0} is being worked on")]
    Borrowed(ClubLabel),
    /// A service that has it open did not let go of it in time.
    #[error("the club {0} is in use")]
    InUse(ClubLabel),
    /// The setting `database.url` cannot name the place of many clubs.
    #[error("database.url: {0}")]
    Place(&'static str),
    /// What was given as a club is none.
    #[error("{from} is not a club's database: {why}")]
    NoClub {
        from: String,
        /// What it is, or what is to be given.
        why: &'static str,
    },
    /// A key without its club.
    #[error("{} belongs to no existing club: move it away, or give its club with --from", .0.display())]
    StrayKey(PathBuf),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for ClubsError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

/// The place of a service's clubs. Cheap to clone.
#[derive(Clone)]
pub enum Clubs {
    Folder(Folder),
    Schemas(Schemas),
}

/// Where one club is.
#[derive(Clone, Debug)]
pub struct ClubLocation {
    /// Of the club's own database: its file, or the address with its schema.
    pub url: DatabaseUrl,
    pub identity: Identity,
}

/// What tells a club from a later one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A file: its lock keeps everybody else off it for as long as it is open.
    Locked,
    /// A schema, by the salt that it was given when it was created. Its keys are derived from it.
    Salt(Uuid),
}

/// A club that one process has alone, until this is dropped.
pub struct Borrowed {
    label: ClubLabel,
    alone: Alone,
}

enum Alone {
    Folder(Folder, folder::ClubLock),
    Schemas(Schemas, Box<schemas::SchemaLock>),
}

impl Clubs {
    /// The clubs at the place that `database.url` names: on SQLite a folder, on PostgreSQL a database.
    ///
    /// # Errors
    /// [`ClubsError::Place`]: no clubs can be there.
    pub fn at(url: &DatabaseUrl) -> Result<Self, ClubsError> {
        match url {
            DatabaseUrl::Sqlite(path) => Ok(Self::Folder(Folder::at(path)?)),
            DatabaseUrl::Postgres(url) => Ok(Self::Schemas(Schemas::at(url)?)),
        }
    }

    /// All clubs, by name.
    ///
    /// # Errors
    /// The place cannot be read.
    pub fn list(&self) -> Result<Vec<ClubLabel>, ClubsError> {
        let mut found = match self {
            Self::Folder(folder) => folder.list()?,
            Self::Schemas(schemas) => schemas.list()?,
        };
        found.sort();
        Ok(found)
    }

    /// Where the club is.
    ///
    /// # Errors
    /// There is none of this name, or somebody has it alone.
    pub fn find(&self, label: &ClubLabel) -> Result<ClubLocation, ClubsError> {
        match self {
            Self::Folder(folder) => folder.find(label),
            Self::Schemas(schemas) => schemas.find(label),
        }
    }

    /// Opens the club, migrated, and says where it is. As long as the store is open nobody can have the club
    /// alone.
    ///
    /// # Errors
    /// There is none of this name, or somebody has it alone; or as [`Store::open`].
    pub fn open(&self, label: &ClubLabel, options: &Options) -> Result<(Store, ClubLocation), ClubsError> {
        match self {
            Self::Folder(folder) => {
                let _door = folder.pass(label)?;
                let location = folder.find(label)?;
                Ok((Store::open(&location.url, options)?, location))
            }
            Self::Schemas(schemas) => {
                let (claim, location) = schemas.claim(label)?;
                Ok((Store::open_schema(&location.url, options, schemas.listener(), Some(claim))?, location))
            }
        }
    }

    /// Creates an empty club.
    ///
    /// # Errors
    /// There is one of this name already, or the place cannot be written.
    pub fn create(&self, label: &ClubLabel) -> Result<ClubLocation, ClubsError> {
        match self {
            Self::Folder(folder) => folder.create(label),
            Self::Schemas(schemas) => schemas.create(label),
        }
    }

    /// Makes a club of one that a service had alone, or that was archived: on SQLite of a copy of a file
    /// (with the key beside it), which is migrated, on PostgreSQL of a schema of the same database, which is
    /// renamed. Returns also the names of tables in it that are not ours.
    ///
    /// # Errors
    /// There is one of this name already; `from` is no club, or its schema is not what the program made; the
    /// place cannot be written.
    pub fn adopt(&self, label: &ClubLabel, from: &str) -> Result<(ClubLocation, Vec<String>), ClubsError> {
        match self {
            Self::Folder(folder) => folder.adopt(label, from.as_ref()),
            Self::Schemas(schemas) => schemas.adopt(label, from),
        }
    }

    /// Which of these clubs have to be closed: somebody wants them alone, or they are not there any more.
    ///
    /// # Errors
    /// The place cannot be read.
    pub fn wanted(&self, open: &[(ClubLabel, Identity)]) -> Result<Vec<ClubLabel>, ClubsError> {
        match self {
            Self::Folder(folder) => folder.wanted(open),
            Self::Schemas(schemas) => schemas.wanted(open),
        }
    }

    /// Has a club alone, once a service that has it open has let go of it.
    ///
    /// # Errors
    /// There is none of this name, somebody else has it alone, or it stays in use.
    pub fn borrow(&self, label: &ClubLabel) -> Result<Borrowed, ClubsError> {
        let alone = match self {
            Self::Folder(folder) => Alone::Folder(folder.clone(), folder.borrow(label)?),
            Self::Schemas(schemas) => Alone::Schemas(schemas.clone(), Box::new(schemas.borrow(label)?)),
        };
        Ok(Borrowed { label: label.clone(), alone })
    }

    /// Where the club is, for a command that writes: on SQLite it has the club alone for as long as it keeps
    /// what is returned beside that. On PostgreSQL a service may write at the same time.
    ///
    /// # Errors
    /// As [`find`](Self::find) and [`borrow`](Self::borrow).
    pub fn for_writing(&self, label: &ClubLabel) -> Result<(ClubLocation, Option<Borrowed>), ClubsError> {
        match self {
            Self::Folder(folder) => {
                let borrowed = self.borrow(label)?;
                Ok((folder.location(label), Some(borrowed)))
            }
            Self::Schemas(schemas) => Ok((schemas.find(label)?, None)),
        }
    }
}

impl Borrowed {
    /// Gives the club another name.
    ///
    /// # Errors
    /// There is a club of that name already, or the place cannot be written.
    pub fn rename(self, to: &ClubLabel) -> Result<(), ClubsError> {
        match self.alone {
            Alone::Folder(folder, door) => folder.rename(door, &self.label, to),
            Alone::Schemas(schemas, held) => schemas.rename(*held, to),
        }
    }

    /// Puts the club away, and says where it is then: [`Clubs::adopt`] can bring it back.
    ///
    /// # Errors
    /// The place cannot be written.
    pub fn archive(self, now: DateTime<Utc>) -> Result<String, ClubsError> {
        let name = format!("{}-{}", self.label, now.format("%Y%m%d%H%M%S%3f"));
        match self.alone {
            Alone::Folder(folder, door) => folder.archive(door, &self.label, &name),
            Alone::Schemas(schemas, held) => schemas.archive(*held, &name),
        }
    }
}

#[cfg(test)]
mod tests;
