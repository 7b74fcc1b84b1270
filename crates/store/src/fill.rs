//! What a migration has left for the program to fill in, before anything is written.

use diesel::prelude::*;

use super::books::{self, TransactionRow};
use super::connection::AnyConnection;
use super::schema::{book_chain, book_head, journal as entries, unfilled};
use super::types::{Hash, Key};
use super::{StoreError, journal, statistics, tournaments};
use owlbox_base::journal::BrokenHistory;

/// The tables still to be filled, by name.
///
/// # Errors
/// The query failed.
pub fn unfilled(connection: &mut AnyConnection) -> Result<Vec<String>, StoreError> {
    Ok(unfilled::table.select(unfilled::name).order(unfilled::name).load(connection)?)
}

/// Fills them.
///
/// # Errors
/// What they are filled from cannot be read, or a query failed.
pub(super) fn fill(connection: &mut AnyConnection) -> Result<(), StoreError> {
    for name in unfilled(connection)? {
        connection.transaction(|connection| {
            // Only one of several instances starting together deletes the row; the others have nothing to do.
            if diesel::delete(unfilled::table.find(&name)).execute(connection)? == 0 {
                return Ok(());
            }
            match name.as_str() {
                "game_tally" => statistics::fill(connection),
                "tournament_match" => tournaments::fill(connection),
                "journal" => chain_journal(connection),
                "book_chain" => chain_books(connection),
                _ => Err(BrokenHistory(format!("nothing is known of how to fill {name}")).into()),
            }
        })?;
    }
    Ok(())
}

/// Gives every entry of the journal its hash. Entries that have one keep it, unless the
/// [guards](super::guards) are lifted.
///
/// # Errors
/// An entry cannot be read, or a query failed.
pub fn chain_journal(connection: &mut AnyConnection) -> Result<(), StoreError> {
    for id in journal::streams_with_entries(connection)? {
        let mut hash = Hash::default();
        for entry in journal::entries_after(connection, id, 0, None)? {
            hash = entry.hash_after(&hash, id)?;
            diesel::update(entries::table.find((Key(id), entry.version)))
                .set(entries::hash.eq(hash.0.to_vec()))
                .execute(connection)?;
        }
    }
    Ok(())
}

/// Chains all transactions, in the order in which they were posted.
fn chain_books(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let mut heads: Vec<TransactionRow> = books::all_heads(connection)?;
    heads.sort_by_key(|head| (head.posted_at, head.stream, head.version, head.game));
    let (mut number, mut hash) = (0_i64, Hash::default());
    for head in &heads {
        hash = head.hash_after(&hash, &books::postings_of(connection, head.id.into())?);
        number += 1;
        diesel::insert_into(book_chain::table)
            .values((
                book_chain::number.eq(number),
                book_chain::ledger_transaction.eq(head.id),
                book_chain::hash.eq(hash.0.to_vec()),
            ))
            .execute(connection)?;
    }
    diesel::update(book_head::table)
        .set((book_head::number.eq(number), book_head::hash.eq(hash.0.to_vec())))
        .execute(connection)?;
    Ok(())
}
