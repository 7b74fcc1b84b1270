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

/// The guarded tables.
const GUARDED: [&str; 4] = ["journal", "ledger_transaction", "posting", "book_chain"];

/// What puts lifted guards back.
#[must_use]
pub struct Lifted(String);

/// Lifts the guards of these tables until [`put_back`]. On PostgreSQL nobody else writes to them until the transaction
/// ends, so it is the first thing that a transaction does.
///
/// # Errors
/// They could not be lifted.
pub fn lift(connection: &mut AnyConnection, tables: &[&str]) -> Result<Lifted, StoreError> {
    match connection {
        AnyConnection::Sqlite(inner) => {
            // All triggers but those that keep sums.
            let tables: Vec<String> = tables.iter().map(|table| format!("'{table}'")).collect();
            let query = format!(
                "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ({})
                AND (name LIKE '%\\_stays' ESCAPE '\\' OR name LIKE '%\\_remains' ESCAPE '\\'
                    OR name LIKE '%\\_is\\_new' ESCAPE '\\')",
                tables.join(", ")
            );
            let guards: Vec<Guard> = diesel::sql_query(query).load(inner)?;
            let drop: String = guards.iter().map(|guard| format!("DROP TRIGGER {};", guard.name)).collect();
            inner.batch_execute(&drop)?;
            Ok(Lifted(guards.iter().map(|guard| format!("{};", guard.sql)).collect()))
        }
        AnyConnection::Postgres(inner) => {
            let turn = |how: &str| -> String {
                tables.iter().map(|table| format!("ALTER TABLE {table} {how} TRIGGER USER;")).collect()
            };
            inner.batch_execute(&turn("DISABLE"))?;
            Ok(Lifted(turn("ENABLE")))
        }
    }
}

/// Puts lifted guards back.
///
/// # Errors
/// They could not be put back.
pub fn put_back(connection: &mut AnyConnection, Lifted(back): Lifted) -> Result<(), StoreError> {
    Ok(connection.batch_execute(&back)?)
}

/// Runs `work` with all guards lifted, and puts them back.
///
/// # Errors
/// What `work` returns, or else the guards could not be lifted or put back.
pub fn lifted<T, E: From<StoreError>>(
    connection: &mut AnyConnection,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
) -> Result<T, E> {
    let lifted = lift(connection, &GUARDED)?;
    let done = work(connection);
    // In a transaction that has failed nothing can be put back; then it is the rollback that does.
    let back = put_back(connection, lifted);
    let done = done?;
    back?;
    Ok(done)
}
