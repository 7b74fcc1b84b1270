//! The consequences of an act at a tournament outside its journal: the read tables, ratings and the books.
//! `verify` rebuilds the same from the journal alone and compares.

use std::collections::BTreeSet;

use crate::books::posting::NewTransaction;
use crate::commands::subject::Change;
use crate::people::ratings::{Rated, rate};
use crate::{Effect, Refused, UnitOfWork};
use owlbox_base::values::{Currency, PlayerId, TournamentId};
use owlbox_books::ledger;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::money::Transfer;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Event, Tournament};
use owlbox_store::tournaments::{self as stored, EntrantRow};

/// The row of a tournament in its read table; `None` before it is opened.
#[must_use]
pub fn row(id: TournamentId, state: &Tournament) -> Option<stored::TournamentRow> {
    let about = state.about()?;
    Some(stored::TournamentRow {
        id: id.into(),
        name: about.name.as_str().to_owned(),
        date: about.date,
        status: status(state).to_owned(),
        public: about.public,
        opened_at: state.opened_at?.into(),
        closed_at: state.closed_at.map(Into::into),
    })
}

const fn status(state: &Tournament) -> &'static str {
    match (&state.closed_at, &state.cancelled) {
        (None, _) => "open",
        (Some(_), None) => "closed",
        (Some(_), Some(_)) => "cancelled",
    }
}

/// Whether a player has entered any division.
#[must_use]
pub fn has_entered(state: &Tournament, player: PlayerId) -> bool {
    state.divisions().any(|(_, division)| division.entry_of(player).is_some())
}

/// Updates the read tables, ratings and books for an act, in its transaction.
pub(crate) fn derive(unit: &mut UnitOfWork<'_, '_>, change: &Change<Tournament>) -> Result<(), Refused> {
    let (id, before, after) = (change.id, &change.before.state, &change.after.state);
    let effects = &change.effects;
    if let Some(now) = row(id, after).filter(|now| row(id, before).as_ref() != Some(now)) {
        stored::put(unit.transaction.connection()?, &now)?;
    }
    for player in entered_players(effects) {
        let (was_in, is_in) = (has_entered(before, player), has_entered(after, player));
        if was_in != is_in {
            let entrant = EntrantRow { tournament: id.into(), player: player.into() };
            stored::put_entrant(unit.transaction.connection()?, entrant, is_in)?;
        }
    }
    derive_matches(unit, [before, after], effects)?;
    let mut posted = Vec::new();
    for effect in effects {
        let transactions = transactions(id, effect)?;
        let new = |transaction| NewTransaction::of(effect, transaction, None);
        posted.extend(transactions.into_iter().map(new));
    }
    unit.post(posted);
    Ok(())
}

/// Updates the matches that were played, and the ratings, for all whose result the act may have changed.
fn derive_matches(
    unit: &mut UnitOfWork<'_, '_>,
    [before, after]: [&Tournament; 2],
    effects: &[Effect<Event>],
) -> Result<(), Refused> {
    let mut touched = BTreeSet::new();
    for event in effects.iter().flat_map(|effect| &effect.events) {
        let Some(division) = event.division() else { continue };
        let numbers: Vec<MatchNo> = if matches!(event, Event::DivisionChanged { .. }) {
            // Whether and for which length its matches are rated may have changed.
            let of = after.division(division);
            of.into_iter().flat_map(|of| of.finished_at.keys().copied()).collect()
        } else {
            event.changes().iter().map(|change| change.number).collect()
        };
        touched.extend(numbers.into_iter().map(|number| MatchRef { division, number }));
    }
    let (mut gone, mut now_rated) = (Vec::new(), Vec::new());
    for at in touched {
        let [was, is] = [before, after].map(|state| state.played_match(at));
        match (was, is) {
            (was, Some(is)) if was != Some(is) => {
                stored::put_played(unit.transaction.connection()?, (&is).into())?;
            }
            (Some(was), None) => stored::remove_played(unit.transaction.connection()?, (&was).into())?,
            _ => {}
        }
        let rated = |one: Option<Rated>, state: &Tournament| one.filter(|_| state.is_rated(at.division));
        match (rated(was, before), rated(is, after)) {
            (was, Some(is)) if was != Some(is) => now_rated.push(is),
            (Some(was), None) => gone.push(was.key),
            _ => {}
        }
    }
    rate(unit, &gone, &now_rated)
}

/// The rating inputs of all rated matches of a tournament.
pub fn all_rated(tournament: &Tournament) -> impl Iterator<Item = Rated> {
    let is_rated = move |one: &Rated| {
        u8::try_from(one.key.division).is_ok_and(|division| tournament.is_rated(DivisionNo(division)))
    };
    tournament.played_matches().filter(is_rated)
}

/// The transaction that an effect of an act at a tournament posts: all transfers of its events. `None`
/// without any.
///
/// # Errors
/// A transfer is invalid. The act fails.
pub fn transactions(
    id: TournamentId,
    effect: &Effect<Event>,
) -> Result<Option<ledger::Transaction>, Refused> {
    let moves: Vec<(Currency, &[Transfer])> = effect.events.iter().filter_map(Event::transfers).collect();
    // The whole act uses the currency the tournament had at that moment.
    let Some(&(currency, _)) = moves.first() else { return Ok(None) };
    let moved: Vec<Transfer> = moves.iter().flat_map(|(_, transfers)| *transfers).copied().collect();
    let place = ledger::PostingOrigin {
        source: ledger::Source::Tournament(id),
        stake: None,
        at: effect.at,
        night: None,
    };
    let posted = ledger::transfers(place, ledger::TransactionKind::Transfer, currency, &moved);
    let posted = posted.map_err(|error| Refused::rule(error.code(), None, error.to_string()))?;
    Ok(Some(if effect.taken_back { ledger::reversal_of(&posted) } else { posted }))
}

/// All players entered by these effects.
pub(crate) fn entered_players(effects: &[Effect<Event>]) -> BTreeSet<PlayerId> {
    let events = effects.iter().flat_map(|effect| &effect.events);
    let entered = events
        .filter_map(|event| if let Event::Entered { entries, .. } = event { Some(entries) } else { None });
    entered.flatten().map(|entered| entered.player).collect()
}
