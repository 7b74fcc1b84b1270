//! Guests who were added by an act that names them: by their entry into a tournament.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::clubs::CLUB;
use crate::{Refused, UnitOfWork};
use owlbox_domain::club::{self, Club};
use owlbox_domain::journal::ActKind;
use owlbox_domain::values::{ActId, PlayerId};
use owlbox_store::{StoreError, journal};

/// After an act of a stream that brought `players`, or takes that back: removes the guests added with it when it is
/// undone, so that their names are free, and brings them back when it is redone. Who has a history by then stays.
///
/// # Errors
/// The store failed.
pub(crate) fn follow<E>(
    unit: &mut UnitOfWork<'_, '_>,
    stream: Uuid,
    act: &ActKind<E>,
    players: &BTreeSet<PlayerId>,
) -> Result<(), Refused> {
    if players.is_empty() {
        return Ok(());
    }
    match act {
        ActKind::Events(_) => Ok(()),
        ActKind::Redo(_) => unit.bring_back(players),
        ActKind::Undo(acts) => {
            let mut guests = BTreeSet::new();
            for act in acts {
                guests.extend(added_with(unit, stream, *act)?);
            }
            guests.retain(|guest| players.contains(guest));
            unit.take_out_guests(&guests, stream)
        }
    }
}

/// The guests added with this act: at the same moment, by the same account.
fn added_with(unit: &mut UnitOfWork<'_, '_>, stream: Uuid, act: ActId) -> Result<Vec<PlayerId>, Refused> {
    let connection = &mut *unit.transaction.connection;
    let Some(entry) = journal::entries_of(connection, stream, act)?.into_iter().next() else {
        return Ok(Vec::new());
    };
    let added = journal::written_at(connection, CLUB, "player_added", entry.account, entry.at)?;
    let acts = journal::group::<Club>(&added).map_err(StoreError::from)?;
    let events = acts.into_iter().flat_map(|act| match act.kind {
        ActKind::Events(events) => events,
        ActKind::Undo(_) | ActKind::Redo(_) => Vec::new(),
    });
    Ok(events
        .filter_map(|event| {
            let club::Event::PlayerAdded { player, guest: true } = event else { return None };
            Some(player)
        })
        .collect())
}
