//! `owlbox backup` and `owlbox restore`: copies the club's SQLite database, and puts a copy back.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, Utc};

use super::progress::Progress;
use owlbox_http::config::Config;
use owlbox_store::DatabaseUrl;
use owlbox_store::backup;
pub use owlbox_store::backup::BackupError;
use owlbox_store::clubs::{Clubs, ClubsError};

/// Why not every club of a service was copied, or not every old copy deleted.
#[derive(Debug, thiserror::Error)]
pub enum NotAllCopied {
    #[error(transparent)]
    Clubs(#[from] ClubsError),
    /// The other clubs are copied.
    #[error("not copied:{}", .0.iter().map(|(club, why)| format!("\n  {club}: {why}")).collect::<String>())]
    Failed(Vec<(String, BackupError)>),
    /// A file could not be read or deleted.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
}

/// Copies the database into the new file `to`, even beside a running server. Returns a message for the
/// console.
///
/// # Errors
/// The [`BackupError`] of the store.
pub fn backup(url: &DatabaseUrl, to: &Path) -> Result<String, BackupError> {
    let _progress = Progress::of("copying the club");
    backup::backup(url, to)?;
    Ok(format!("{url} is copied to {}", to.display()))
}

/// The time in the name of a copy.
const TIME: &str = "%Y-%m-%dT%H%M%S%.3fZ";

/// Copies every club of the service into `folder`, even beside a running server; then deletes older copies, so that of each
/// club that was copied now `keep` are left. Returns a message for the console.
///
/// # Errors
/// [`NotAllCopied`]. A club that cannot be copied keeps no other from it.
pub fn all(
    config: &Config,
    folder: &Path,
    keep: Option<NonZeroUsize>,
    now: DateTime<Utc>,
) -> Result<String, NotAllCopied> {
    let (mut said, mut failed) = (Vec::new(), Vec::new());
    for (club, url) in clubs(config)? {
        match backup(&url, &folder.join(format!("{club}-{}.db", now.format(TIME)))) {
            Ok(copied) => said.push(copied),
            Err(why) => {
                failed.push((club, why));
                continue;
            }
        }
        for old in copies(folder, &club)?.into_iter().skip(keep.map_or(usize::MAX, NonZeroUsize::get)) {
            std::fs::remove_file(&old).map_err(|error| NotAllCopied::File { path: old.clone(), error })?;
            said.push(format!("{} is deleted", old.display()));
        }
    }
    if failed.is_empty() { Ok(said.join("\n")) } else { Err(NotAllCopied::Failed(failed)) }
}

/// The clubs of a service, by the name that their copies have.
fn clubs(config: &Config) -> Result<Vec<(String, DatabaseUrl)>, ClubsError> {
    let url = &config.database.url;
    if config.clubs.is_none() {
        let name = match url {
            DatabaseUrl::Sqlite(file) => file.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
            DatabaseUrl::Postgres(_) => None,
        };
        return Ok(vec![(name.unwrap_or_else(|| "owlbox".to_owned()), url.clone())]);
    }
    let clubs = Clubs::at(url)?;
    clubs.list()?.into_iter().map(|label| Ok((label.to_string(), clubs.find(&label)?.url))).collect()
}

/// The copies of a club that [`all`] has made, newest first.
fn copies(folder: &Path, club: &str) -> Result<Vec<PathBuf>, NotAllCopied> {
    let failed = |error| NotAllCopied::File { path: folder.to_owned(), error };
    let mut copies = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let time = name.strip_prefix(club).and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".db"));
        if let Some(at) = time.and_then(|time| NaiveDateTime::parse_from_str(time, TIME).ok()) {
            copies.push((at, path));
        }
    }
    copies.sort_unstable_by(|one, other| other.cmp(one));
    Ok(copies.into_iter().map(|(_, path)| path).collect())
}

/// Puts the copy `from` in the place of the database. Returns a message for the console.
///
/// # Errors
/// The [`BackupError`] of the store.
pub fn restore(from: &Path, url: &DatabaseUrl, replace: bool) -> Result<String, BackupError> {
    let _progress = Progress::of("checking and restoring the club");
    let left = backup::restore(from, url, replace)?;
    Ok(format!("{}{url} is now the club of {}", named(&left), from.display()))
}

/// What is said of tables in a club's database that are not ours.
#[must_use]
pub fn named(left: &[String]) -> String {
    let named = |table: &String| format!("left as it is, since it is not Owlbox's: table {table}\n");
    left.iter().map(named).collect()
}
