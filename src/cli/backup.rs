//! `owlbox backup` and `owlbox restore`: copies the club's SQLite database, and puts a copy back.

use std::path::Path;

use super::progress::Progress;
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
    Ok(format!("{url} is copied to {}", to.display()))
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
