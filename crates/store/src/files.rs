//! Files beside a database: their names, secrets, and what makes a change of a folder durable.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The path with this end added to its name: `club.db` and `-wal` make `club.db-wal`.
#[must_use]
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Writes a file that only its owner can read, in the place of one that is there. A crash never leaves a part
/// of it: it is written to another file first and renamed.
///
/// # Errors
/// It cannot be written.
pub fn write_secret(path: &Path, secret: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let new = beside(path, ".new");
    drop(std::fs::remove_file(&new));
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&new)?;
    file.write_all(secret)?;
    file.sync_all()?;
    std::fs::rename(&new, path)
}

/// Makes durable that a file was created, renamed or removed in its folder.
///
/// # Errors
/// The folder cannot be flushed.
pub(super) fn sync_folder_of(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
