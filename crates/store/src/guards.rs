//! The triggers by which the database itself refuses to change or delete what was recorded and posted.
//!
//! They are lifted for one thing alone: what a person's erasure takes out of the journal.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::StoreError;
use super::connection::AnyConnection;

#[derive(QueryableByName)]
struct Guard {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    sql: String,
}

/// The guards of SQLite: all triggers but those that keep sums.
const GUARDS: &str = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'
    AND (name LIKE '%\\_stays' ESCAPE '\\' OR name LIKE '%\\_remains' ESCAPE '\\' OR name LIKE '%\\_is\\_new' ESCAPE '\\')";

/// The guarded tables of PostgreSQL.
#[cfg(feature = "postgres")]
const GUARDED: [&str; 4] = ["journal", "ledger_transaction", "posting", "book_chain"];

/// Runs `work` with the guards lifted, and puts them back.
///
/// # Errors
/// What `work` returns, or the guards could not be lifted or put back. Nothing is left half done if this is inside a
/// transaction that is then rolled back.
pub fn lifted<T, E: From<StoreError>>(
    connection: &mut AnyConnection,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
) -> Result<T, E> {
    let failed = |error: diesel::result::Error| StoreError::from(error);
    match connection {
        AnyConnection::Sqlite(inner) => {
            let guards: Vec<Guard> = diesel::sql_query(GUARDS).load(inner).map_err(failed)?;
            let drop: String = guards.iter().map(|guard| format!("DROP TRIGGER {};", guard.name)).collect();
            inner.batch_execute(&drop).map_err(failed)?;
            let done = work(connection);
            let back: String = guards.iter().map(|guard| format!("{};", guard.sql)).collect();
            connection.batch_execute(&back).map_err(failed)?;
            done
        }
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(inner) => {
            let turn = |how: &str| -> String {
                GUARDED.iter().map(|table| format!("ALTER TABLE {table} {how} TRIGGER USER;")).collect()
            };
            inner.batch_execute(&turn("DISABLE")).map_err(failed)?;
            let done = work(connection);
            connection.batch_execute(&turn("ENABLE")).map_err(failed)?;
            done
        }
    }
}
