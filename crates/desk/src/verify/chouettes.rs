//! The read tables of chouettes and seats, and the transactions each chouette should have posted.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::acts::{About, Answerable, Standings};
use super::books::{ExpectedTransaction, expected};
use super::{Columns, Heads, Journals, Replayed, Unverified, compare, text};
use crate::chouettes::derive::{row, seats, transactions};
use crate::chouettes::scope;
use crate::commands::history::Order;
use crate::{Effect, Principal};
use owlbox_base::journal::{Act, ActKind, Aggregate as _, Stream, Version};
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_chouette::{Chouette, Command, Event};
use owlbox_engine::Variant;
use owlbox_store::chouettes::{self as stored, ChouetteRow, SeatRow};
use owlbox_store::{AnyConnection, types::Moment};

/// Verifies the read tables of every chouette. Returns the transactions the books should hold.
pub(super) fn verify(
    connection: &mut AnyConnection,
    heads: &Heads,
    journals: &mut Journals,
) -> Result<Vec<ExpectedTransaction>, Unverified> {
    let mut rows: BTreeMap<Uuid, Columns> = BTreeMap::new();
    let mut sitting: BTreeMap<(ChouetteId, PlayerId), Columns> = BTreeMap::new();
    let mut posted = Vec::new();
    for (&id, (_, head)) in heads.iter().filter(|(_, (kind, _))| kind == Chouette::KIND) {
        let Replayed { acts, stream } = journals.replay::<Chouette>(connection, id, *head)?;
        let chouette = ChouetteId(id);
        journals.tallies.change_chouette(&Chouette::initial(), &stream.state);
        rows.extend(row(chouette, &stream.state).map(|row| (id, row_columns(&row))));
        sitting.extend(seats(chouette, &stream.state).iter().map(seat_columns));
        // The final state will do: only the stake is read from it, which never changes.
        let transactions = |effect: &Effect<Event>| transactions(chouette, &stream.state, effect);
        let started = started(&acts);
        posted.extend(expected(id, &acts, transactions, |effect, transaction| {
            let game = transaction.game()?;
            started.range((game, 0)..=(game, effect.version)).next_back().map(|(_, variant)| *variant)
        })?);
    }
    let found = stored::all(connection)?.iter().map(|row| (row.id.0, row_columns(row))).collect();
    journals.checked.chouettes = compare("chouette", |id| format!("chouette {id}"), &rows, &found)?;
    let found = stored::all_seats(connection)?.iter().map(seat_columns).collect();
    let name =
        |(chouette, player): &(ChouetteId, PlayerId)| format!("player {player} at chouette {chouette}");
    journals.checked.seats = compare("seat", name, &sitting, &found)?;
    Ok(posted)
}

/// The variant of every game ever started, by its number and the version of its start. A game whose start is
/// undone may be started again with another variant.
fn started(acts: &[Act<Event>]) -> BTreeMap<(u32, Version), Variant> {
    let mut started = BTreeMap::new();
    for act in acts {
        let ActKind::Events(events) = &act.kind else { continue };
        for event in events {
            if let Event::GameStarted { game, on_board, .. } = event {
                started.insert((*game, act.version), on_board.variant);
            }
        }
    }
    started
}

impl Answerable for Chouette {
    fn may(
        _: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Command>,
        _: About,
    ) -> bool {
        scope::require(principal, before, order).is_ok()
    }

    /// The table it was split from, split off, or merged into.
    fn other(event: &Event) -> Option<Uuid> {
        let (Event::Opened { from: Some(table), .. }
        | Event::Split { table, .. }
        | Event::MergedInto { table }) = event
        else {
            return None;
        };
        Some(table.0)
    }
}

fn row_columns(row: &ChouetteRow) -> Columns {
    let time = |moment: Moment| moment.0.utc().to_rfc3339();
    vec![
        ("name", row.name.clone()),
        ("night", row.night.to_string()),
        ("status", row.status.clone()),
        ("stake_amount", text(row.stake_amount)),
        ("stake_currency", text(row.stake_currency.as_deref())),
        ("games", row.games.to_string()),
        ("opened_at", time(row.opened_at)),
        ("closed_at", text(row.closed_at.map(time))),
    ]
}

fn seat_columns(seat: &SeatRow) -> ((ChouetteId, PlayerId), Columns) {
    let columns = vec![("present", seat.present.to_string()), ("score", seat.score.to_string())];
    ((seat.chouette.into(), seat.player.into()), columns)
}
