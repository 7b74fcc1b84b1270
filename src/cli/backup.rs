//! `owlbox backup` and `owlbox restore`: a copy of the club's SQLite database, and putting it back.

use std::path::Path;

use owlbox_store::DatabaseUrl;
use owlbox_store::backup;
pub use owlbox_store::backup::BackupError;

/// Copies the database into the new file `to`, also beside a running server; answers what was done.
///
/// # Errors
/// [`BackupError`].
pub fn backup(url: &DatabaseUrl, to: &Path) -> Result<String, BackupError> {
    backup::backup(url, to)?;
    Ok(format!("{url} is copied to {}", to.display()))
}

/// Puts the copy `from` in the place of the database; answers what was done.
///
/// # Errors
/// [`BackupError`].
pub fn restore(from: &Path, url: &DatabaseUrl, replace: bool) -> Result<String, BackupError> {
    backup::restore(from, url, replace)?;
    Ok(format!("{url} is what {} was", from.display()))
}
