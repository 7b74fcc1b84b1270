//! The URL of a club's database, as the configuration gives it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use secrecy::{ExposeSecret as _, SecretString};

#[derive(Clone)]
pub enum DatabaseUrl {
    /// The path of the file, relative to the working folder unless absolute.
    Sqlite(PathBuf),
    /// The whole `postgres://...` URL. It may contain a password.
    Postgres(SecretString),
}

impl PartialEq for DatabaseUrl {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sqlite(one), Self::Sqlite(other)) => one == other,
            (Self::Postgres(one), Self::Postgres(other)) => one.expose_secret() == other.expose_secret(),
            (Self::Sqlite(_), Self::Postgres(_)) | (Self::Postgres(_), Self::Sqlite(_)) => false,
        }
    }
}

/// The text is not the URL of a database; the message says what is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sqlite://PATH or postgres://USER:PASSWORD@HOST/DATABASE")]
pub struct NotADatabase;

impl FromStr for DatabaseUrl {
    type Err = NotADatabase;

    /// Requires a scheme, so that a mistyped URL is not taken for the name of a file.
    fn from_str(url: &str) -> Result<Self, NotADatabase> {
        match url.split_once("://").ok_or(NotADatabase)? {
            ("sqlite", file) if !file.is_empty() && !file.starts_with(':') && !file.contains('?') => {
                Ok(Self::Sqlite(PathBuf::from(file)))
            }
            ("postgres" | "postgresql", rest) if !rest.is_empty() => {
                Ok(Self::Postgres(SecretString::from(url)))
            }
            _ => Err(NotADatabase),
        }
    }
}

/// Hides user, password and options: `sqlite://owlbox.db`, `postgres://***@host/database`, `postgres://***`.
impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(file) => write!(f, "sqlite://{}", file.display()),
            Self::Postgres(url) => {
                let url = url.expose_secret();
                let rest = url.split_once("://").map_or("", |(_, rest)| rest);
                // A password may contain "@" and "?". Where it cannot be told from the host, nothing is
                // shown.
                let (place, options) = rest.split_once('?').unwrap_or((rest, ""));
                match place.rsplit_once('@') {
                    _ if options.contains('@') => f.write_str("postgres://***"),
                    Some((_, place)) => write!(f, "postgres://***@{place}"),
                    None => write!(f, "postgres://{place}"),
                }
            }
        }
    }
}
impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
