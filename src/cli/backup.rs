//! `owlbox backup` and `owlbox restore`: copies the club's SQLite database, and puts a copy back.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, Utc};

use super::club::{NotEveryClub, for_every_club};
use super::progress::Progress;
use owlbox_http::config::Config;
use owlbox_store::DatabaseUrl;
use owlbox_store::backup;
pub use owlbox_store::backup::BackupError;

/// Copies the database into the new file `to`, even beside a running server. Returns a message for the
/// console.
///
/// # Errors
/// The [`BackupError`] of the store.
pub fn backup(url: &DatabaseUrl, to: &Path) -> Result<String, BackupError> {
    let _progress = Progress::of("copying the club");
    backup::backup(url, to)?;
    Ok(format!("copied {url} to {}", to.display()))
}

/// The time in the name of a copy.
const TIME: &str = "%Y-%m-%dT%H%M%S%.3fZ";

/// Copies every club of the service into `folder`, even beside a running server; then deletes older copies,
/// so that of each club that was copied now `keep` are left, the new one among them. Prints what was done of
/// each.
///
/// # Errors
/// [`NotEveryClub`]. A club that cannot be copied keeps no other from it.
pub fn all(
    config: &Config,
    folder: &Path,
    keep: Option<NonZeroUsize>,
    now: DateTime<Utc>,
) -> Result<(), NotEveryClub> {
    for_every_club(config, |club, url| one(url, folder, club, keep, now))
}

/// Copies a club, and deletes older copies of it once the new one is safe.
fn one(
    url: &DatabaseUrl,
    folder: &Path,
    club: &str,
    keep: Option<NonZeroUsize>,
    now: DateTime<Utc>,
) -> Result<String, String> {
    let copy = folder.join(format!("{club}-{}.db", now.format(TIME)));
    // What a killed run leaves must not count as a copy.
    let part = copy.with_extension("db.part");
    backup::backup(url, &part).map_err(|error| error.to_string())?;
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    std::fs::rename(&part, &copy).map_err(|error| at(&copy, error))?;
    std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| at(folder, error))?;
    let mut said = format!("copied {url} to {}", copy.display());
    let others = keep.map_or(usize::MAX, |keep| keep.get() - 1);
    let older = copies(folder, club).map_err(|error| at(folder, error))?.into_iter();
    for old in older.filter(|path| *path != copy).skip(others) {
        match std::fs::remove_file(&old) {
            Ok(()) => said.push_str(&format!("\n{} is deleted", old.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(&old, error)),
        }
    }
    Ok(said)
}

/// The copies of a club that [`all`] has made, newest first.
fn copies(folder: &Path, club: &str) -> io::Result<Vec<PathBuf>> {
    let mut copies = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
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
    let named = |table: &String| format!("left unchanged, since it is not Owlbox's: table {table}\n");
    left.iter().map(named).collect()
}
