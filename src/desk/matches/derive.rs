//! What follows of an act on a sheet besides its journal. `verify` makes the same from the journal alone and compares.

use crate::desk::{Refused, Visit};
use crate::store::matches as stored;
use crate::tournament::bracket::Slot;
use crate::tournament::sheet::{Sheet, Status, View};
use crate::values::MatchId;

/// What an act made of a sheet. Where the outcomes differ and the sheet is `of` a tournament, its match has been decided,
/// decided otherwise, or opened again.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) id: MatchId,
    pub(super) before: &'a Sheet,
    pub(super) after: &'a Sheet,
}

/// The match at a glance, as its read table has it; `None` of one that is not open.
#[must_use]
pub fn row(id: MatchId, sheet: &Sheet) -> Option<stored::Row> {
    let ([upper, lower], opened_at) = (sheet.players()?, sheet.opened_at()?);
    let of = sheet.of();
    let [upper_score, lower_score] = View::score_of(sheet).map(i64::from);
    let winner = sheet.outcome().and_then(|outcome| outcome.winner);
    Some(stored::Row {
        id: id.into(),
        tournament: of.map(|of| of.tournament.into()),
        division: of.map(|of| of.division.into()),
        number: of.map(|of| of.number.0.into()),
        upper_player: upper.into(),
        lower_player: lower.into(),
        length: sheet.length().map_or(0, |length| length.points().into()),
        status: status(sheet.status()).to_owned(),
        upper_score,
        lower_score,
        games: i32::try_from(sheet.games_over()).unwrap_or(i32::MAX),
        winner: winner.map(|slot| match slot {
            Slot::Upper => "upper".to_owned(),
            Slot::Lower => "lower".to_owned(),
        }),
        opened_at: opened_at.into(),
        finished_at: sheet.finished_at().map(Into::into),
    })
}

/// A status as the read table has it.
const fn status(status: Status) -> &'static str {
    match status {
        Status::Over => stored::OVER,
        Status::Adjourned => "adjourned",
        Status::Open | Status::Unopened => "open",
    }
}

/// What follows of an act, in its transaction: the one place where a sheet tells others what it has come to.
pub(super) fn derive(visit: &mut Visit<'_, '_>, change: Change<'_>) -> Result<(), Refused> {
    let connection = &mut *visit.transaction.connection;
    match (row(change.id, change.before), row(change.id, change.after)) {
        (Some(_), None) => stored::remove(connection, change.id)?,
        (before, Some(after)) if before.as_ref() != Some(&after) => stored::put(connection, &after)?,
        _ => {}
    }
    Ok(())
}
