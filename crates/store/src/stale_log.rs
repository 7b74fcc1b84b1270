//! A write-ahead log beside a database that it does not belong to: a copy was put over the club's file by
//! hand after a crash. SQLite cannot tell, and would write the log's pages over those of the copy.

use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel::sqlite::Sqlite;

use super::backup::{Thoroughness, intact};
use super::connection::{name_of, untouched};
use super::files::beside;
use super::statement::SqlStatement;
use super::{StoreError, shape};

/// Streams whose journal does not end where their head says.
const TORN: &str = "SELECT count(*) FROM stream \
     WHERE version IS NOT (SELECT max(version) FROM journal WHERE journal.stream = stream.id)";

/// Refuses a database that is in disorder with the log beside it. Only after a crash is there a log to look
/// at, when nobody has the database open. Neither file is changed, whatever is found: closed in the usual
/// way, the log would be gone.
///
/// # Errors
/// [`StoreError::StaleLog`]; or, since it would have to be used, [`StoreError::Foreign`].
pub(super) fn refuse(database: &Path) -> Result<(), StoreError> {
    // Whichever link leads to it: SQLite has the log beside the file itself.
    let there = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let log = beside(&there, "-wal");
    if !std::fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        return Ok(());
    }
    let refused = |why: String| StoreError::StaleLog { path: database.to_owned(), why };
    let looked = || {
        let mut connection = untouched(name_of(&there)?)?;
        // Nothing that somebody wrote into the schema is run to find out.
        shape::admit_file(&mut connection)?;
        intact(&mut connection, Thoroughness::Pages)
            .map_err(|why| refused(why.lines().last().unwrap_or("it is damaged").to_owned()))?;
        let torn: i64 = SqlStatement::<Sqlite, BigInt>::new(TORN).get_result(&mut connection)?;
        if torn > 0 {
            return Err(refused("the journal does not end where its heads say".into()));
        }
        Ok::<_, StoreError>(())
    };
    match looked() {
        Err(error @ (StoreError::StaleLog { .. } | StoreError::Foreign(_))) => Err(error),
        Err(error) if is_damage(&error.to_string()) => Err(refused(error.to_string())),
        // It is no club, or cannot be looked at from here: anyone who opens it is told.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// What SQLite says of pages that do not fit together: Diesel keeps the message and drops the code.
fn is_damage(message: &str) -> bool {
    ["malformed", "not a database"].iter().any(|damage| message.contains(damage))
}
