//! The consequences of an act at a chouette outside its journal: the read tables and the books. `verify`
//! rebuilds the same from the journal alone and compares.

use std::collections::BTreeSet;

use super::seats::{Moved, at_another_table, seats_are_free, sitting};
use crate::books::posting::NewTransaction;
use crate::commands::subject::{Change, Preview, StreamPreview};
use crate::{Effect, Refused, UnitOfWork};
use owlbox_base::journal::ActKind;
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_books::ledger;
use owlbox_books::statistics::Tallies;
use owlbox_chouette::{Chouette, Event, Phase};
use owlbox_store::chouettes::{self as stored, SeatRow};

/// The row of a chouette in its read table; `None` before it is opened, and after its opening was undone.
#[must_use]
pub fn row(id: ChouetteId, state: &Chouette) -> Option<stored::ChouetteRow> {
    Some(stored::ChouetteRow {
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

/// The rows of a chouette's seats in their read table, sorted.
#[must_use]
pub fn seats(id: ChouetteId, state: &Chouette) -> Vec<SeatRow> {
    let present: BTreeSet<PlayerId> = sitting(state).into_iter().collect();
    let mut seats: Vec<SeatRow> = state
        .known()
        .map(|player| SeatRow {
            chouette: id.into(),
            player: player.into(),
            present: present.contains(&player),
            score: state.booked(player).0,
        })
        .collect();
    seats.sort_unstable();
    seats
}

/// Updates the read tables and the books for all tables an act touches. Everybody stands up before anybody
/// sits down, because a player may have only one seat; all accounts are locked before anything is posted.
pub(crate) fn derive(unit: &mut UnitOfWork<'_, '_>, changes: &[Change<Chouette>]) -> Result<(), Refused> {
    for change in changes {
        put_row(unit, change);
    }
    let moved: Vec<Moved<'_>> = changes.iter().map(Moved::from).collect();
    seats_are_free(|| Ok(unit.transaction.connection()?), &moved)?;
    let seats: Vec<[Vec<SeatRow>; 2]> = changes
        .iter()
        .map(|change| [&change.before, &change.after].map(|stream| seats(change.id, &stream.state)))
        .collect();
    for present in [false, true] {
        for seats in &seats {
            derive_seats(unit, seats, present)?;
        }
    }
    for change in changes {
        if row(change.id, &change.after.state).is_none() {
            stored::remove(unit.transaction.connection()?, change.id)?;
        }
    }
    derive_books(unit, changes)?;
    let mut counted = Tallies::default();
    for change in changes {
        counted.change_chouette(&change.before.state, &change.after.state);
    }
    unit.transaction.count(&counted);
    Ok(())
}

fn put_row(unit: &mut UnitOfWork<'_, '_>, change: &Change<Chouette>) {
    let before = row(change.id, &change.before.state);
    if let Some(after) = row(change.id, &change.after.state)
        && before.as_ref() != Some(&after)
    {
        unit.transaction.put_chouette(after);
    }
}

/// Writes the changed seats of a table: with `present` those occupied after the act, without it all others.
/// `before` and `after` are sorted.
fn derive_seats(
    unit: &mut UnitOfWork<'_, '_>,
    [before, after]: &[Vec<SeatRow>; 2],
    present: bool,
) -> Result<(), Refused> {
    if !present {
        let stays = |gone: &SeatRow| after.binary_search_by_key(&gone.player, |seat| seat.player).is_ok();
        for gone in before.iter().filter(|gone| !stays(gone)) {
            stored::remove_seat(unit.transaction.connection()?, gone.chouette.into(), gone.player.into())?;
        }
    }
    let is_new = |seat: &SeatRow| before.binary_search(seat).is_err();
    for seat in after.iter().filter(|seat| seat.present == present && is_new(seat)) {
        let sat = before.binary_search_by_key(&seat.player, |seat| seat.player).ok();
        if sat.and_then(|at| before.get(at)).is_some_and(|sat| sat.present == seat.present) {
            unit.transaction.change_score(*seat);
            continue;
        }
        stored::put_seat(unit.transaction.connection()?, *seat).map_err(|error| {
            // Reached only if another act seats the player at this very moment; `seats_are_free` has checked
            // before.
            if error.violates("seat_one_table") || error.violates("seat.player") {
                at_another_table(seat.player.into(), None)
            } else {
                error.into()
            }
        })?;
    }
    Ok(())
}

/// Posts the transactions of these changes, and reverses those that were undone.
fn derive_books(unit: &mut UnitOfWork<'_, '_>, changes: &[Change<Chouette>]) -> Result<(), Refused> {
    let mut all = Vec::new();
    for Change { id, before, after, effects, .. } in changes {
        // A game that this act undoes exists only in the state before it.
        let game = |number| after.state.finished_game(number).or_else(|| before.state.finished_game(number));
        for effect in effects {
            let new = |transaction: ledger::Transaction| {
                let variant = transaction.game().and_then(game).map(|game| game.variant);
                NewTransaction::of(effect, transaction, variant)
            };
            all.extend(transactions(*id, &after.state, effect)?.into_iter().map(new));
        }
    }
    unit.post(all);
    Ok(())
}

/// The transactions that an effect of an act at a chouette posts. Of the state it reads only the table's
/// stake and its night, which never change.
///
/// # Errors
/// The amounts do not add up to zero, split a minor unit, or exceed what the books can hold. The act fails.
pub fn transactions(
    id: ChouetteId,
    state: &Chouette,
    effect: &Effect<Event>,
) -> Result<Vec<ledger::Transaction>, Refused> {
    let (source, night) = (ledger::Source::Chouette(id), Some(state.night()));
    let place = ledger::PostingOrigin { source, stake: state.stake(), at: effect.at, night };
    let posted = place.transactions_of(&effect.events);
    let posted = posted.map_err(|error| Refused::rule(error.code(), None, error.to_string()))?;
    let taken_back = |one| if effect.taken_back { ledger::reversal_of(&one) } else { one };
    Ok(posted.into_iter().map(taken_back).collect())
}

/// The postings that would result from carrying out a previewed act, in order.
///
/// # Errors
/// See [`transactions`].
pub fn would_post(preview: &Preview<Chouette>) -> Result<Vec<ledger::Posting>, Refused> {
    let mut postings = Vec::new();
    for StreamPreview { after, named, .. } in preview.all() {
        let taken_back = matches!(after.act.kind, ActKind::Undo(_));
        for act in std::iter::once(&after.act).chain(named) {
            let ActKind::Events(events) = &act.kind else { continue };
            let effect = Effect {
                events: events.clone(),
                taken_back,
                at: act.at,
                version: act.version,
                first: act.version,
            };
            for transaction in transactions(after.id, &after.stream.state, &effect)? {
                postings.extend_from_slice(transaction.postings());
            }
        }
    }
    Ok(postings)
}
