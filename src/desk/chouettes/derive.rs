//! What follows of an act at a chouette besides its journal: the read tables and the books. `verify` makes the same
//! from the journal alone and compares.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{Preview, at_another_table};
use crate::chouette::{Chouette, Event, Phase};
use crate::desk::{Effect, Refused, Visit};
use crate::journal::{Deed, Version};
use crate::ledger;
use crate::store::books;
use crate::store::chouettes::{self as stored, Seat};
use crate::values::{ActId, ChouetteId, PlayerId, Timestamp, TransactionId};

/// The chouette at a glance, as its read table has it.
#[must_use]
pub fn row(id: ChouetteId, state: &Chouette) -> Option<stored::Row> {
    Some(stored::Row {
        id: id.into(),
        name: state.name().to_owned(),
        night: state.night(),
        status: if state.phase() == Phase::Closed { "closed" } else { "open" }.to_owned(),
        stake_amount: state.stake().map(|stake| stake.amount.into()),
        stake_currency: state.stake().map(|stake| stake.currency.to_string()),
        games: i32::try_from(state.games_finished()).unwrap_or(i32::MAX),
        opened_at: state.opened_at()?.into(),
        closed_at: state.closed_at().map(Into::into),
    })
}

/// The seats of a chouette, as their read table has them. Nobody sits at a closed table.
#[must_use]
pub fn seats(id: ChouetteId, state: &Chouette) -> Vec<Seat> {
    let present: BTreeSet<PlayerId> = match state.phase() {
        Phase::Closed => BTreeSet::new(),
        _ => state.present().into_iter().collect(),
    };
    let mut seats: Vec<Seat> = state
        .known()
        .map(|player| Seat {
            chouette: id.into(),
            player: player.into(),
            present: present.contains(&player),
            score: state.booked(player).0,
        })
        .collect();
    seats.sort_unstable();
    seats
}

pub(super) fn derive_row(
    visit: &mut Visit<'_, '_>,
    id: ChouetteId,
    before: &Chouette,
    after: &Chouette,
) -> Result<(), Refused> {
    match row(id, after) {
        Some(row_after) if row(id, before).as_ref() != Some(&row_after) => {
            Ok(stored::put(visit.transaction.connection, &row_after)?)
        }
        _ => Ok(()),
    }
}

pub(super) fn derive_seats(
    visit: &mut Visit<'_, '_>,
    id: ChouetteId,
    before: &Chouette,
    after: &Chouette,
) -> Result<(), Refused> {
    let (seats_before, seats_after) = (seats(id, before), seats(id, after));
    let connection = &mut *visit.transaction.connection;
    for gone in seats_before.iter().filter(|seat| !after.knows(seat.player.into())) {
        stored::remove_seat(connection, id, gone.player.into())?;
    }
    for seat in seats_after.iter().filter(|seat| seats_before.binary_search(seat).is_err()) {
        stored::put_seat(connection, *seat).map_err(|error| {
            // Only undo gets here: joining has asked before.
            if error.violates("seat_one_table") || error.violates("seat.player") {
                at_another_table(None)
            } else {
                error.into()
            }
        })?;
    }
    Ok(())
}

/// Posts what this made of the books, and reverses what it took back.
pub(super) fn derive_books(
    visit: &mut Visit<'_, '_>,
    id: ChouetteId,
    state: &Chouette,
    effect: &Effect<Event>,
) -> Result<(), Refused> {
    for transaction in transactions(id, state, effect)? {
        let posted = Posted { act: visit.act, version: effect.version, at: visit.now };
        let head = new_head(TransactionId(Uuid::now_v7()), &transaction, posted);
        books::post(visit.transaction.connection, &head, &new_postings(&transaction))?;
    }
    Ok(())
}

/// What an effect of an act at a chouette posts. Of the state only the stake matters, which never changes.
///
/// # Errors
/// The amounts do not add up to zero, split a minor unit, or are more than the books hold: the act fails.
pub fn transactions(
    id: ChouetteId,
    state: &Chouette,
    effect: &Effect<Event>,
) -> Result<Vec<ledger::Transaction>, Refused> {
    let place = ledger::Place { chouette: id, stake: state.stake(), at: effect.at };
    let mut transactions = Vec::new();
    for event in &effect.events {
        let posted = place.transactions(event);
        let posted = posted.map_err(|error| Refused::rule(error.code(), None, error.to_string()))?;
        let taken_back = |one| if effect.taken_back { ledger::reversal_of(&one) } else { one };
        transactions.extend(posted.into_iter().map(taken_back));
    }
    Ok(transactions)
}

/// What the books would post if the act of a preview were carried out, in order.
///
/// # Errors
/// As of [`transactions`].
pub fn would_post(preview: &Preview) -> Result<Vec<ledger::Posting>, Refused> {
    let taken_back = matches!(preview.after.act.deed, Deed::Undo(_));
    let acts = std::iter::once(&preview.after.act).chain(&preview.named);
    let mut postings = Vec::new();
    for act in acts {
        let Deed::Events(events) = &act.deed else { continue };
        let effect = Effect { events: events.clone(), taken_back, at: act.at, version: act.version };
        for transaction in transactions(preview.after.id, &preview.after.stream.state, &effect)? {
            postings.extend_from_slice(transaction.postings());
        }
    }
    Ok(postings)
}

/// By what, and when, a transaction is posted.
#[derive(Clone, Copy, Debug)]
pub struct Posted {
    /// The act.
    pub act: ActId,
    /// The chouette's version with it ([`Effect::version`]).
    pub version: Version,
    /// When.
    pub at: Timestamp,
}

/// A transaction's head as the store takes it.
#[must_use]
pub fn new_head(id: TransactionId, transaction: &ledger::Transaction, posted: Posted) -> books::Head {
    let game = transaction.game().map(|game| i32::try_from(game).unwrap_or(i32::MAX));
    books::Head {
        id: id.into(),
        act: posted.act.into(),
        kind: transaction.kind().name().to_owned(),
        chouette: transaction.chouette().into(),
        game: game.unwrap_or(books::NO_GAME),
        version: posted.version,
        happened_at: transaction.at().into(),
        posted_at: posted.at.into(),
    }
}

/// A transaction's postings as the store takes them.
#[must_use]
pub fn new_postings(transaction: &ledger::Transaction) -> Vec<books::NewPosting> {
    transaction
        .postings()
        .iter()
        .map(|posting| books::NewPosting {
            player: posting.player,
            unit: posting.unit.to_string(),
            counterparty: posting.counterparty,
            bet: posting.kind.name().to_owned(),
            amount: posting.amount,
        })
        .collect()
}
