//! A copy of a SQLite club while it is in use. (PostgreSQL has `pg_dump`.)

use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;

use super::connection::{AnyConnection, DatabaseUrl};
use super::{Store, StoreError};

/// Writes a consistent copy of the database at `from` into the new file `to`, beside whoever uses
/// it. The copy is checked before this returns.
///
/// # Errors
/// `to` exists, the database is not SQLite, or a file cannot be read or written.
pub fn backup(from: &DatabaseUrl, to: &Path) -> Result<(), StoreError> {
    refuse_existing(to)?;
    let mut connection = Store::open_for_reading(from)?;
    let AnyConnection::Sqlite(sqlite) = &mut connection else {
        return Err(StoreError::Migration("PostgreSQL is backed up with pg_dump".into()));
    };
    // Writing another file is not writing this database, but the pragma does not know that.
    diesel::sql_query("PRAGMA query_only = OFF").execute(sqlite)?;
    diesel::sql_query("VACUUM INTO ?").bind::<Text, _>(to.to_string_lossy().into_owned()).execute(sqlite)?;
    check(to)
}

/// Makes the backup `from` the database at `to`, which must not exist yet.
///
/// # Errors
/// `to` exists, or `from` is not a sound backup.
pub fn restore(from: &Path, to: &Path) -> Result<(), StoreError> {
    refuse_existing(to)?;
    check(from)?;
    std::fs::copy(from, to).map_err(|error| StoreError::File { path: to.to_owned(), error })?;
    let file = std::fs::File::open(to).and_then(|file| file.sync_all());
    file.map_err(|error| StoreError::File { path: to.to_owned(), error })
}

fn refuse_existing(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        let error = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        return Err(StoreError::File { path: path.to_owned(), error });
    }
    Ok(())
}

fn check(path: &Path) -> Result<(), StoreError> {
    #[derive(QueryableByName)]
    struct Report {
        #[diesel(sql_type = Text)]
        integrity_check: String,
    }
    let mut connection = Store::open_for_reading(&DatabaseUrl::Sqlite(path.to_owned()))?;
    let AnyConnection::Sqlite(sqlite) = &mut connection else { return Ok(()) };
    let report: Vec<Report> = diesel::sql_query("PRAGMA integrity_check").load(sqlite)?;
    match report.as_slice() {
        [only] if only.integrity_check == "ok" => Ok(()),
        _ => Err(StoreError::Migration(format!("{} is damaged", path.display()))),
    }
}
