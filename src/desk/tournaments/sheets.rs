//! Matches that are scored on sheets. A sheet is a stream of its own; what it comes to is a result of the tournament in the
//! same act, and what the director says of a match stands on its sheet. An act of both is taken back at both or not at all.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

use crate::desk::matches::{self, Part};
use crate::desk::{Refused, Rule, Visit};
use crate::journal::{Aggregate, Deed, InTheWay, Stream, Version};
use crate::store::journal;
use crate::tournament::bracket::{Ending, Outcome};
use crate::tournament::clock::ClockPolicy;
use crate::tournament::room::{DivisionNo, MatchRef};
use crate::tournament::sheet::{self, Of, Sheet, Terms};
use crate::tournament::{Command, Event, Tournament};
use crate::values::{ActId, MatchId, TournamentId};

/// What an act at a tournament does on the sheets of its matches: opens one, rules what came of a match; takes back, or puts
/// back, what is one act with it.
pub(super) fn follow(
    visit: &mut Visit<'_, '_>,
    id: TournamentId,
    [before, after]: [&Stream<Tournament>; 2],
    deed: &Deed<Event>,
) -> Result<(), Refused> {
    let events = match deed {
        Deed::Events(events) => events,
        Deed::Undo(acts) | Deed::Redo(acts) => {
            let undone = matches!(deed, Deed::Undo(_));
            for (stream, acts) in journal::shared(visit.transaction.connection, id.0, acts)? {
                take_along_sheet(visit, MatchId(stream), &acts, undone)?;
            }
            return Ok(());
        }
    };
    for event in events {
        if let Event::SheetOpened { division, number, sheet } = event {
            open(visit, id, &after.state, MatchRef { division: *division, number: *number }, *sheet)?;
        }
        let Some(division) = event.division() else { continue };
        for change in event.changes() {
            let at = MatchRef { division, number: change.number };
            let outcome =
                |tournament: &Tournament| tournament.division(division)?.bracket.get(at.number)?.outcome;
            let sheet = after.state.division(division).and_then(|of| of.sheet(at.number));
            if let Some(sheet) = sheet.filter(|_| outcome(&before.state) != outcome(&after.state)) {
                rule(visit, sheet, outcome(&after.state))?;
            }
        }
    }
    Ok(())
}

/// Opens the sheet of a match.
fn open(
    visit: &mut Visit<'_, '_>,
    tournament: TournamentId,
    state: &Tournament,
    at: MatchRef,
    id: MatchId,
) -> Result<(), Refused> {
    let of = state.division(at.division).ok_or(Refused::NotFound("division"))?;
    let found = of.bracket.get(at.number).ok_or(Refused::NotFound("match"))?;
    let players = of.players(found).ok_or(Refused::NotFound("match"))?;
    let command = sheet::Command::Open {
        players,
        terms: Terms::Match { length: of.length(found), holland: of.settings.holland, rated: false },
        clock: (of.settings.clock_policy != ClockPolicy::Optional).then_some(of.settings.clock),
        of: Some(Of { tournament, division: at.division.0, number: at.number }),
    };
    let before = Arc::new(Stream::<Sheet>::default());
    let deed = visit.decide(&before.state, &command)?;
    matches::append(visit, Part { id, before, deed, limit: Version::MAX }).map(drop)
}

/// Says on a sheet what came of its match. What the sheet says already, or finds by its own score, it keeps.
fn rule(visit: &mut Visit<'_, '_>, id: MatchId, outcome: Option<Outcome>) -> Result<(), Refused> {
    let before = visit.load::<Sheet>(id.0, "match")?;
    if before.state.outcome() == outcome {
        return Ok(());
    }
    // Who has left has lost it; a sheet knows nobody who leaves.
    let outcome = outcome.map(|outcome| match (outcome.ending, outcome.winner) {
        (Ending::Withdrawn, Some(_)) => Outcome { ending: Ending::Forfeit, ..outcome },
        (Ending::Withdrawn, None) => Outcome { ending: Ending::DoubleForfeit, ..outcome },
        _ => outcome,
    });
    match visit.decide(&before.state, &sheet::Command::Rule { outcome }) {
        Ok(deed) => matches::append(visit, Part { id, before, deed, limit: Version::MAX }).map(drop),
        Err(_) => Ok(()),
    }
}

/// What an act on a sheet does at the tournament whose match it is: its result, once there is one; takes back, or puts back,
/// what is one act with it.
pub(in crate::desk) fn tell(
    visit: &mut Visit<'_, '_>,
    id: MatchId,
    [before, after]: [&Stream<Sheet>; 2],
    deed: &Deed<sheet::Event>,
) -> Result<(), Refused> {
    let Some(of) = after.state.of().or(before.state.of()) else { return Ok(()) };
    match deed {
        Deed::Events(_) => {
            let outcome = after.state.outcome();
            if outcome == before.state.outcome() { Ok(()) } else { record(visit, id, of, outcome) }
        }
        Deed::Undo(acts) | Deed::Redo(acts) => {
            let undone = matches!(deed, Deed::Undo(_));
            for (stream, acts) in journal::shared(visit.transaction.connection, id.0, acts)? {
                if stream == of.tournament.0 {
                    take_along_tournament(visit, of.tournament, &acts, undone)?;
                }
            }
            Ok(())
        }
    }
}

/// The result of a match is what its sheet says.
fn record(visit: &mut Visit<'_, '_>, id: MatchId, of: Of, outcome: Option<Outcome>) -> Result<(), Refused> {
    let before = visit.load::<Tournament>(of.tournament.0, "tournament")?;
    let (division, number) = (DivisionNo(of.division), of.number);
    let current = before.state.division(division).and_then(|of| of.sheet(number));
    // Others sit in the match now, or it was drawn again: it is not what this sheet is about.
    let (Some(outcome), true) = (outcome, current == Some(id)) else {
        return Err(Refused::rule(
            "result_in_bracket",
            Some("command"),
            "the result stands in the bracket of the tournament: correct it there",
        ));
    };
    let deed = visit.decide(&before.state, &Command::Record { division, number, outcome })?;
    if deed.versions() == 0 {
        return Ok(());
    }
    super::append(visit, of.tournament, &before, deed).map(drop)
}

fn take_along_sheet(
    visit: &mut Visit<'_, '_>,
    id: MatchId,
    acts: &BTreeSet<ActId>,
    undone: bool,
) -> Result<(), Refused> {
    let before = visit.load::<Sheet>(id.0, "match")?;
    let deed = along(&before, id.0, acts, undone)?;
    if deed.versions() == 0 {
        return Ok(());
    }
    matches::append(visit, Part { id, before, deed, limit: Version::MAX }).map(drop)
}

fn take_along_tournament(
    visit: &mut Visit<'_, '_>,
    id: TournamentId,
    acts: &BTreeSet<ActId>,
    undone: bool,
) -> Result<(), Refused> {
    let before = visit.load::<Tournament>(id.0, "tournament")?;
    let deed = along(&before, id.0, acts, undone)?;
    if deed.versions() == 0 {
        return Ok(());
    }
    super::append(visit, id, &before, deed).map(drop)
}

/// What takes these acts back in another of their streams, or puts them back; refused where others have happened there since.
fn along<A: Aggregate>(
    stream: &Stream<A>,
    id: Uuid,
    acts: &BTreeSet<ActId>,
    undone: bool,
) -> Result<Deed<A::Event>, Refused> {
    let deed =
        if undone { stream.undo_with(acts).map(Deed::Undo) } else { stream.redo_with(acts).map(Deed::Redo) };
    deed.map_err(|InTheWay(acts)| {
        Refused::Rule(Rule {
            code: "act_elsewhere_too",
            field: Some("act"),
            allowed: json!({ "stream": id, "kind": A::KIND, "acts": acts }),
            detail: "the act is one of another stream too, where later acts depend on it: correct it instead"
                .into(),
        })
    })
}
