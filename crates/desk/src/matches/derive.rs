//! The consequences of an act on a sheet outside its journal: the read table, ratings and the books. `verify`
//! rebuilds the same from the journal alone and compares.

use crate::books::posting::NewTransaction;
use crate::commands::subject::Change;
use crate::people::ratings::{Key, Rated, rate};
use crate::{Effect, Refused, UnitOfWork};
use owlbox_base::values::MatchId;
use owlbox_books::ledger;
use owlbox_books::statistics::Tallies;
use owlbox_engine::Variant;
use owlbox_play::matches::Slot;
use owlbox_play::matches::{Event, Sheet, Status, Terms, View};
use owlbox_store::matches as stored;

/// The row of a match in its read table; `None` before it is opened, and after its opening was undone.
#[must_use]
pub fn row(id: MatchId, sheet: &Sheet) -> Option<stored::MatchRow> {
    let ([upper, lower], opened_at) = (sheet.players()?, sheet.opened_at()?);
    let of = sheet.tournament_match();
    let [upper_score, lower_score] = View::score_of(sheet).map(i64::from);
    let winner = sheet.outcome().and_then(|outcome| outcome.winner);
    Some(stored::MatchRow {
        id: id.into(),
        tournament: of.map(|of| of.tournament.into()),
        division: of.map(|of| of.division.into()),
        number: of.map(|of| of.number.0.into()),
        upper_player: upper.into(),
        lower_player: lower.into(),
        length: sheet.length().map_or(stored::MONEY, |length| length.points().into()),
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
        contested: sheet.is_contested(),
    })
}

/// The name of a status in the read table.
const fn status(status: Status) -> &'static str {
    match status {
        Status::Over => stored::OVER,
        Status::Adjourned => "adjourned",
        Status::Open | Status::Unopened => "open",
    }
}

/// The rating input of a friendly match; `None` if it is not rated. The tournament rates its own matches.
#[must_use]
pub fn rated(id: MatchId, sheet: &Sheet) -> Option<Rated> {
    // A contested match counts once a scorer has ruled.
    let friendly = sheet.terms().filter(|_| sheet.tournament_match().is_none() && !sheet.is_contested());
    let Some(Terms::Match { length, rated: true, .. }) = friendly else {
        return None;
    };
    let outcome = sheet.outcome().filter(|outcome| outcome.ending.is_rated())?;
    let ([upper, lower], finished_at) = (sheet.players()?, sheet.finished_at()?);
    let (winner, loser) = match outcome.winner? {
        Slot::Upper => (upper, lower),
        Slot::Lower => (lower, upper),
    };
    Some(Rated { key: Key { stream: id.0, division: 0, number: 0 }, finished_at, length, winner, loser })
}

/// The transactions that an effect of an act on a sheet posts. Of the sheet it reads only the data of its
/// opening, which never change.
///
/// # Errors
/// The amounts exceed what the books can hold. The act fails.
pub fn transactions(
    id: MatchId,
    sheet: &Sheet,
    effect: &Effect<Event>,
) -> Result<Vec<ledger::Transaction>, Refused> {
    let booked = sheet.players().zip(sheet.terms()).filter(|_| sheet.is_booked());
    let Some((players, terms)) = booked else { return Ok(Vec::new()) };
    let place = ledger::PostingOrigin {
        source: ledger::Source::Match(id),
        stake: terms.stake(),
        at: effect.at,
        night: None,
    };
    let mut posted = Vec::new();
    for event in &effect.events {
        let transactions = place.transactions_of_sheet(players, terms, event);
        posted.extend(transactions.map_err(|error| Refused::rule(error.code(), None, error.to_string()))?);
    }
    let taken_back = |one| if effect.taken_back { ledger::reversal_of(&one) } else { one };
    Ok(posted.into_iter().map(taken_back).collect())
}

/// The variant of the game that a transaction of a sheet settles.
#[must_use]
pub fn played(sheet: &Sheet, transaction: &ledger::Transaction) -> Option<Variant> {
    transaction.game().and(sheet.terms()).map(|terms| terms.game().variant)
}

/// Updates the read table, ratings, books and statistics for an act, in its transaction. This is the only
/// place where the outcome of a sheet reaches the rest of the club.
pub(crate) fn derive(unit: &mut UnitOfWork<'_, '_>, change: &Change<Sheet>) -> Result<(), Refused> {
    let (id, before, after) = (change.id, &change.before.state, &change.after.state);
    match (row(id, before), row(id, after)) {
        (Some(_), None) => stored::remove(unit.transaction.connection()?, id)?,
        (before, Some(after)) if before.as_ref() != Some(&after) => unit.transaction.put_match(after),
        _ => {}
    }
    match (rated(id, before), rated(id, after)) {
        (was, Some(is)) if was != Some(is) => rate(unit, &[], &[is])?,
        (Some(was), None) => rate(unit, &[was.key], &[])?,
        _ => {}
    }
    let mut posted = Vec::new();
    for effect in &change.effects {
        let transactions = transactions(id, after, effect)?;
        let new = |transaction| {
            let variant = played(after, &transaction);
            NewTransaction::of(effect, transaction, variant)
        };
        posted.extend(transactions.into_iter().map(new));
    }
    unit.post(posted);
    let mut counted = Tallies::default();
    counted.change_sheet(before, after);
    unit.transaction.count(&counted);
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use owlbox_base::journal::Aggregate as _;
    use owlbox_base::values::PlayerId;

    /// The number of transactions that the first game of a session posts, if its opening event has this
    /// `booked` field.
    fn posted(booked: Option<bool>) -> usize {
        let at = chrono::DateTime::UNIX_EPOCH.into();
        let players = [1, 2].map(|number| PlayerId(Uuid::from_u128(number)));
        let mut opened = json!({
            "event": "opened", "players": players, "terms": {"play": "money"}, "clock": null, "of": null
        });
        if let Some(booked) = booked {
            opened["booked"] = json!(booked);
        }
        let mut sheet = Sheet::initial();
        sheet.apply(&Sheet::decode(1, &opened.to_string()).unwrap(), at);
        let won = json!({
            "winner": "upper", "win": "single", "cube": 2, "turned": true, "how": "played", "began": null, "points": 2
        });
        let standing = json!({"won": [2, 0], "penalties": [0, 0], "phase": null});
        let game = json!({"event": "game_won", "game": 1, "won": won, "standing": standing});
        let events = vec![serde_json::from_value(game).unwrap()];
        let effect = Effect { events, taken_back: false, at, version: 2, first: 2 };
        transactions(MatchId(Uuid::nil()), &sheet, &effect).unwrap().len()
    }

    #[test]
    fn a_session_that_was_opened_before_sessions_were_posted_stays_out_of_the_books() {
        assert_eq!([posted(None), posted(Some(true))], [0, 1]);
    }
}
