//! Chouettes at a glance and their seats; and what each of them should have posted.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::books::ExpectedTransaction;
use super::{
    Checked, Columns, Difference, Heads, Replayed, Unverified, Wrong, compare, replay, stream_name, text,
};
use crate::chouette::{Chouette, Event};
use crate::desk::Effect;
use crate::desk::chouettes::derive::{Posted, new_head, new_postings, row, seats, transactions};
use crate::journal::{Act, Aggregate as _};
use crate::store::chouettes::{self as stored, Row, Seat};
use crate::store::{AnyConnection, types::Moment};
use crate::values::{ChouetteId, PlayerId, TransactionId};

/// Verifies the read tables of every chouette; answers the transactions that the books should hold.
pub(super) fn verify(
    connection: &mut AnyConnection,
    heads: &Heads,
    checked: &mut Checked,
) -> Result<Vec<ExpectedTransaction>, Unverified> {
    let mut rows: BTreeMap<Uuid, Columns> = BTreeMap::new();
    let mut sitting: BTreeMap<(ChouetteId, PlayerId), Columns> = BTreeMap::new();
    let mut posted = Vec::new();
    for (&id, (_, head)) in heads.iter().filter(|(_, (kind, _))| kind == Chouette::KIND) {
        let Replayed { acts, stream } = replay::<Chouette>(connection, id, *head, checked)?;
        let chouette = ChouetteId(id);
        rows.extend(row(chouette, &stream.state).map(|row| (id, row_columns(&row))));
        sitting.extend(seats(chouette, &stream.state).iter().map(seat_columns));
        posted.extend(expected_transactions(chouette, &stream.state, &acts)?);
    }
    let found = stored::all(connection)?.iter().map(|row| (row.id.0, row_columns(row))).collect();
    checked.chouettes = compare("chouette", |id| format!("chouette {id}"), &rows, &found)?;
    let found = stored::all_seats(connection)?.iter().map(seat_columns).collect();
    let name =
        |(chouette, player): &(ChouetteId, PlayerId)| format!("player {player} at chouette {chouette}");
    checked.seats = compare("seat", name, &sitting, &found)?;
    Ok(posted)
}

fn row_columns(row: &Row) -> Columns {
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

fn seat_columns(seat: &Seat) -> ((ChouetteId, PlayerId), Columns) {
    let columns = vec![("present", seat.present.to_string()), ("score", seat.score.to_string())];
    ((seat.chouette.into(), seat.player.into()), columns)
}

/// What the acts of a chouette post, in order: a game when it is finished, put right or put back, what is
/// paid, and the reversal of what is taken back.
fn expected_transactions(
    id: ChouetteId,
    state: &Chouette,
    acts: &[Act<Event>],
) -> Result<Vec<ExpectedTransaction>, Difference> {
    let mut expected = Vec::new();
    for act in acts {
        // The state is that of the end: of it only the stake matters, which never changes.
        let broken = |why: String| Difference {
            table: "journal",
            row: stream_name(id.0),
            wrong: Wrong::Broken(format!("version {}: {why}", act.version)),
        };
        for effect in Effect::all_of(act, acts).map_err(|error| broken(error.to_string()))? {
            let posted = transactions(id, state, &effect).map_err(|refused| broken(refused.to_string()))?;
            for transaction in posted {
                let by = Posted { act: act.id, version: effect.version, at: act.at };
                let head = new_head(TransactionId(Uuid::nil()), &transaction, by);
                expected.push(ExpectedTransaction { head, postings: new_postings(&transaction) });
            }
        }
    }
    Ok(expected)
}
