//! The triggers by which the database itself refuses to change or delete what was recorded and posted.
//!
//! They are lifted for one thing alone: what a person's erasure takes out of the journal.

use diesel::connection::SimpleConnection as _;

use super::connection::AnyConnection;
use super::{StoreError, shape};

/// The guarded tables.
const GUARDED: [&str; 4] = ["journal", "ledger_transaction", "posting", "book_chain"];

/// What puts lifted guards back.
#[must_use]
pub struct Lifted(String);

/// Lifts the guards of these tables until [`put_back`]. On PostgreSQL nobody else writes to them until the
/// transaction ends, so it is the first thing that a transaction does.
///
/// # Errors
/// They could not be lifted.
pub fn lift(connection: &mut AnyConnection, tables: &[&str]) -> Result<Lifted, StoreError> {
    match connection {
        AnyConnection::Sqlite(inner) => {
            // Their names and their text are the migrations' own: those in the file are whatever somebody
            // wrote there.
            let guards = shape::guards(tables)?;
            let drop: String = guards.iter().map(|(name, _)| format!("DROP TRIGGER {name};")).collect();
            inner.batch_execute(&drop)?;
            Ok(Lifted(guards.iter().map(|(_, text)| format!("{text};")).collect()))
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
