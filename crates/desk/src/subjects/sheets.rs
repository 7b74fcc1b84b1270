//! Tournament matches scored on sheets. A sheet is a stream of its own. Its result becomes a result of the
//! tournament in the same act, and every sheet agrees with its bracket: on the result of the match, or that
//! others play it now.
//!
//! Such a shared act is undone in both streams. From the tournament that is always possible: a sheet with
//! later acts keeps them and is only brought into line with the bracket. From the sheet it is refused if the
//! tournament has moved on.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::commands::history::Order;
use crate::commands::pipeline;
use crate::commands::plan_context::PlanContext;
use crate::commands::subject::{Change, StreamPlan};
use crate::matches;
use crate::matches::derive::derive;
use crate::tournaments;
use crate::{Allowed, Principal, Refused, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{ActKind, Aggregate as _, HistoryKind, InTheWay, Stream, Version};
use owlbox_base::permissions::{OrderKind, Scope};
use owlbox_base::values::{ActId, MatchId, TournamentId};
use owlbox_books::club::Club;
use owlbox_play::matches::clock::ClockPolicy;
use owlbox_play::matches::{
    Command as SheetCommand, CommandKind as SheetCommandKind, Event as SheetEvent, InBracket,
    MatchOfTournament, ResultAuthority, Sheet,
};
use owlbox_play::matches::{Ending, Outcome, Slot};
use owlbox_play::tournament::bracket::Later;
use owlbox_play::tournament::command::MatchEnded;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Command, CommandKind, Event, Tournament};
use owlbox_store::journal;

/// The state of a sheet's match in the bracket of its tournament.
#[must_use]
pub fn in_bracket(tournament: &Tournament, id: MatchId, of: MatchOfTournament) -> InBracket {
    let division = tournament.division(DivisionNo(of.division));
    let theirs = division.filter(|division| division.sheet(of.number) == Some(id));
    match theirs.and_then(|division| division.bracket.get(of.number)).map(|found| found.outcome) {
        // The match is not played after all.
        Some(Some(Outcome { ending: Ending::Bye | Ending::NotNeeded, .. })) | None => InBracket::Others,
        // Nor is one that was not over when the tournament was cancelled.
        Some(None) if tournament.cancelled.is_some() => InBracket::Others,
        Some(outcome) => InBracket::Theirs(outcome),
    }
}

/// The effect of a tournament's act on the sheets of its matches: opens a sheet, undoes or redoes shared
/// acts, and brings every affected sheet into line with its bracket. `told_by` is the sheet that reported to
/// the tournament, if one did; it agrees already.
pub(crate) fn follow(
    unit: &mut UnitOfWork<'_, '_>,
    change: &Change<Tournament>,
    told_by: Option<MatchId>,
) -> Result<(), Refused> {
    let Change { id, before, after, act, effects } = change;
    let id = *id;
    match &act.kind {
        ActKind::Events(events) => {
            for event in events {
                if let Event::SheetOpened { division, number, sheet } = event {
                    let at = MatchRef { division: *division, number: *number };
                    open(unit, id, &after.state, at, *sheet)?;
                }
            }
        }
        ActKind::Undo(acts) => take_along(unit, id, told_by, acts, HistoryKind::Undo)?,
        ActKind::Redo(acts) => take_along(unit, id, told_by, acts, HistoryKind::Redo)?,
    }
    let events = effects.iter().flat_map(|effect| &effect.events);
    let concerned: BTreeSet<MatchId> =
        events.flat_map(|event| concerned([&before.state, &after.state], event)).collect();
    concerned
        .into_iter()
        .filter(|sheet| told_by != Some(*sheet))
        .try_for_each(|sheet| agree(unit, &after.state, sheet))
}

/// The sheets whose match may have changed in the bracket by this event.
fn concerned(states: [&Tournament; 2], event: &Event) -> Vec<MatchId> {
    let all = |of: &Division| of.last_sheets().map(|(_, sheet)| sheet).collect::<Vec<_>>();
    if matches!(event, Event::Cancelled { .. }) {
        return states.into_iter().flat_map(Tournament::divisions).flat_map(|(_, of)| all(of)).collect();
    }
    if let Event::SheetOpened { sheet, .. } = event {
        return vec![*sheet];
    }
    let Some(division) = event.division() else { return Vec::new() };
    let divisions = states.into_iter().filter_map(|state| state.division(division));
    if matches!(event, Event::Drawn { .. }) {
        return divisions.flat_map(all).collect();
    }
    let changes = event.changes().iter();
    divisions.flat_map(|of| changes.clone().filter_map(move |change| of.last_sheet(change.number))).collect()
}

/// Opens the sheet of a match, with the terms of its division.
fn open(
    unit: &mut UnitOfWork<'_, '_>,
    tournament: TournamentId,
    state: &Tournament,
    at: MatchRef,
    id: MatchId,
) -> Result<(), Refused> {
    let of = state.division(at.division).ok_or(Refused::NotFound("division"))?;
    let found = of.bracket.get(at.number).ok_or(Refused::NotFound("match"))?;
    let players = of.players(found).ok_or(Refused::NotFound("match"))?;
    let club = unit.load_unlocked::<Club>(crate::club::stream::CLUB)?;
    let allowed = club.state.settings().map(|settings| settings.highest_cube).unwrap_or_default().cube();
    let command = SheetCommand::Open {
        players,
        terms: of.settings.terms(of.length(found), false).within(allowed),
        clock: (of.settings.clock_policy != ClockPolicy::Optional).then_some(of.settings.clock),
        of: Some(MatchOfTournament { tournament, division: at.division.0, number: at.number }),
    };
    let before = Arc::new(Stream::<Sheet>::default());
    let kind = unit.decide(&before.state, &command)?;
    append(unit, StreamPlan { id, before, kind, limit: Version::MAX })
}

/// Appends an act to a sheet, with its consequences.
fn append(unit: &mut UnitOfWork<'_, '_>, plan: StreamPlan<Sheet>) -> Result<(), Refused> {
    let change = pipeline::append(unit, plan)?;
    derive(unit, &change)
}

/// Undoes or redoes on sheets the acts they share with the tournament; leaves sheets with later acts alone.
fn take_along(
    unit: &mut UnitOfWork<'_, '_>,
    id: TournamentId,
    told_by: Option<MatchId>,
    acts: &[ActId],
    kind: HistoryKind,
) -> Result<(), Refused> {
    let mut shared = journal::acts_in_other_streams(unit.transaction.connection()?, id.0, acts)?;
    shared.retain(|stream, _| told_by != Some(MatchId(*stream)));
    for (stream, acts) in shared {
        let before = unit.load::<Sheet>(stream)?;
        let kind = match kind {
            HistoryKind::Undo => before.undo_with(&acts).map(ActKind::Undo),
            HistoryKind::Redo => before.redo_with(&acts).map(ActKind::Redo),
        };
        if let Some(kind) = kind.ok().filter(|kind| kind.versions() > 0) {
            append(unit, StreamPlan { id: MatchId(stream), before, kind, limit: Version::MAX })?;
        }
    }
    Ok(())
}

/// Brings a sheet into line with its bracket.
fn agree(unit: &mut UnitOfWork<'_, '_>, tournament: &Tournament, id: MatchId) -> Result<(), Refused> {
    let before = unit.load::<Sheet>(id.0)?;
    // The opening of the sheet has been undone.
    let Some(of) = before.state.tournament_match() else { return Ok(()) };
    let bracket = in_bracket(tournament, id, of);
    if before.state.says() == bracket {
        return Ok(());
    }
    let kind = unit.decide(&before.state, &SheetCommand::Follow(bracket))?;
    append(unit, StreamPlan { id, before, kind, limit: Version::MAX })
}

/// An act on a sheet.
#[derive(Clone, Copy)]
pub(crate) struct OnSheet<'a> {
    pub(crate) id: MatchId,
    /// The sheet before and after the act.
    pub(crate) sheet: [&'a Stream<Sheet>; 2],
    pub(crate) kind: &'a ActKind<SheetEvent>,
}

/// A tournament, and what an act does there.
type AtTournament = (Arc<Stream<Tournament>>, ActKind<Event>);

/// Carries out at the tournament what an act on one of its sheets implies there.
pub(crate) fn inform_tournament(unit: &mut UnitOfWork<'_, '_>, act: OnSheet<'_>) -> Result<(), Refused> {
    let [_, after] = act.sheet;
    let Some(of) = after.state.tournament_match() else { return Ok(()) };
    let principal = unit.principal;
    let Some((before, kind)) = at_tournament(unit, &principal, act)? else { return Ok(()) };
    let mut tournament = Arc::clone(&before);
    if kind.versions() > 0 {
        let part = StreamPlan { id: of.tournament, before, kind, limit: tournaments::LENGTH };
        let change = tournaments::append(unit, part)?;
        follow(unit, &change, Some(act.id))?;
        tournament = change.after;
    }
    let bracket = in_bracket(&tournament.state, act.id, of);
    if after.state.says() == bracket { Ok(()) } else { Err(stands_in_bracket()) }
}

/// The order with its actual meaning. In a tournament a player cannot decide a match alone by entering the
/// last game or a final score: until the other side reports the same result it is only a claim.
///
/// # Errors
/// Refusals of the rules.
pub(crate) fn as_said(
    around: &mut impl PlanContext,
    principal: &Principal,
    sheet: &Sheet,
    order: Order<SheetCommand>,
) -> Result<Order<SheetCommand>, Refused> {
    let Order::Command(command @ (SheetCommand::Game(_) | SheetCommand::Final { .. })) = &order else {
        return Ok(order);
    };
    let Some((of, _)) = speaks_alone(principal, sheet) else { return Ok(order) };
    let ActKind::Events(events) = around.decide(sheet, std::slice::from_ref(command))? else {
        return Ok(order);
    };
    let tournament = around.stream::<Tournament>(of.tournament.0)?;
    let word = word(principal, sheet, Some(&tournament.state));
    Ok(Order::Command(word.said(command.clone(), &events)))
}

/// Whether the caller's word is enough to decide this match.
pub(crate) fn word(principal: &Principal, sheet: &Sheet, tournament: Option<&Tournament>) -> ResultAuthority {
    let Some((of, side)) = speaks_alone(principal, sheet) else { return ResultAuthority::Counts };
    let division = tournament.and_then(|tournament| tournament.division(DivisionNo(of.division)));
    let said = division.and_then(|division| division.reports.get(&of.number)).copied().unwrap_or_default();
    let [upper, lower] = said;
    ResultAuthority::OfOneSide { side, other: if side == Slot::Upper { lower } else { upper } }
}

/// The side for which the caller plays in a tournament's match, unless they run it.
fn speaks_alone(principal: &Principal, sheet: &Sheet) -> Option<(MatchOfTournament, Slot)> {
    let scope = OrderKind::from(SheetCommandKind::Final).scope(principal.at(matches::scope::area(sheet)));
    let of = sheet.tournament_match().filter(|_| scope != Scope::Anybody)?;
    Some((of, principal.player.and_then(|player| sheet.slot_of(player))?))
}

/// The tournament, and the effect of a sheet's act on it: a new or changed result, or the undo or redo of a
/// shared act. The effect may be empty; `None` if the act does not concern the bracket.
///
/// # Errors
/// The tournament refuses it, or the caller may not do it there.
pub(crate) fn at_tournament(
    around: &mut impl PlanContext,
    principal: &Principal,
    act: OnSheet<'_>,
) -> Result<Option<AtTournament>, Refused> {
    let OnSheet { id, sheet: [before, after], kind } = act;
    let Some(of) = after.state.tournament_match() else { return Ok(None) };
    let (acts, kind) = match kind {
        ActKind::Events(events) => {
            let claim = claim_in(kind);
            let withdraws = withdraw_in(events);
            let same = after.state.outcome() == before.state.outcome();
            if claim.is_none() && same && withdraws.is_empty() {
                return Ok(None);
            }
            let tournament = around.stream::<Tournament>(of.tournament.0)?;
            if let Some(claim) = claim {
                // A claim on the sheet is a report at the tournament.
                let (now, account) = (around.now(), principal.account);
                tournaments::may_report(around.connection()?, account, now, &tournament)?;
                let kind = reported(around, &tournament.state, of, claim)?;
                return Ok(Some((tournament, kind)));
            }
            let put_right = events.iter().any(|event| matches!(event, SheetEvent::Corrected { .. }));
            if !put_right {
                may_correct(principal, &tournament.state, of)?;
            }
            let kind = recorded(around, &tournament.state, (id, of), after.state.outcome(), withdraws)?;
            return Ok(Some((tournament, kind)));
        }
        ActKind::Undo(acts) => (acts, HistoryKind::Undo),
        ActKind::Redo(acts) => (acts, HistoryKind::Redo),
    };
    let shared = journal::acts_in_other_streams(around.connection()?, id.0, acts)?.remove(&of.tournament.0);
    let tournament = around.stream::<Tournament>(of.tournament.0)?;
    let kind = along(principal, before, &tournament, &shared.unwrap_or_default(), kind)?;
    Ok(Some((tournament, kind)))
}

/// The final score that one side claims by this act, if it does.
fn claim_in(kind: &ActKind<SheetEvent>) -> Option<(Slot, [u16; 2])> {
    let ActKind::Events(events) = kind else { return None };
    events.iter().find_map(|event| {
        if let SheetEvent::Claimed { by, score } = event { Some((*by, *score)) } else { None }
    })
}

/// Those who withdraw with a ruling among these events.
fn withdraw_in(events: &[SheetEvent]) -> &[Slot] {
    let ruled = events.iter().find_map(|event| {
        if let SheetEvent::Finished { withdraws, .. } = event { Some(withdraws.as_slice()) } else { None }
    });
    ruled.unwrap_or_default()
}

/// Refuses callers who may not correct results at the tournament, if the match has a result there already.
/// Fixing a wrong entry on the sheet is exempt; any other change of the result is a correction.
fn may_correct(principal: &Principal, tournament: &Tournament, of: MatchOfTournament) -> Result<(), Refused> {
    let kind = CommandKind::Correct;
    let division = tournament.division(DivisionNo(of.division));
    let stands = division.and_then(|division| division.bracket.get(of.number)?.outcome).is_some();
    if stands && tournaments::scope::scope(principal, tournament, kind) != Scope::Anybody {
        return Err(tournaments::scope::refusal(principal, tournament, kind));
    }
    Ok(())
}

/// Records a claim on the sheet as a report at the tournament.
fn reported(
    around: &mut impl PlanContext,
    tournament: &Tournament,
    of: MatchOfTournament,
    (by, score): (Slot, [u16; 2]),
) -> Result<ActKind<Event>, Refused> {
    let (division, number) = (DivisionNo(of.division), of.number);
    let found = tournament.division(division).and_then(|division| division.bracket.get(number));
    let entry = found.and_then(|found| found.occupant(by).entry()).ok_or_else(stands_in_bracket)?;
    let command = Command::Report { division, number, entry, score: Some(score), players: None };
    around.decide(tournament, &[command])
}

/// Records the result of a sheet at the tournament. May replace an earlier result as long as no later match
/// that depends on it has begun.
fn recorded(
    around: &mut impl PlanContext,
    tournament: &Tournament,
    (id, of): (MatchId, MatchOfTournament),
    outcome: Option<Outcome>,
    withdraws: &[Slot],
) -> Result<ActKind<Event>, Refused> {
    let (division, number) = (DivisionNo(of.division), of.number);
    let found = tournament.division(division).filter(|found| found.sheet(number) == Some(id));
    let stands = found.and_then(|found| found.bracket.get(number)).ok_or_else(stands_in_bracket)?.outcome;
    let withdraws = withdraws.to_vec();
    // Others may have played on since, so that who withdraws only now is a correction.
    let may_replace =
        |stands: Outcome, outcome: Outcome| stands.winner == outcome.winner && withdraws.is_empty();
    let command = match (stands, outcome) {
        (stands, Some(outcome)) if stands.is_none_or(|stands| may_replace(stands, outcome)) => {
            Command::Record { division, number, outcome, withdraws }
        }
        (_, outcome) => {
            let ended = outcome.map(|outcome| ended(outcome).ok_or_else(stands_in_bracket)).transpose()?;
            Command::Correct { division, number, ended, later: Later::Void, withdraws }
        }
    };
    let corrects = matches!(command, Command::Correct { .. });
    let kind = around.decide(tournament, &[command])?;
    if let (true, ActKind::Events(events), Some(found)) = (corrects, &kind, found) {
        let touched = events.iter().flat_map(Event::changes).filter(|change| change.number != number);
        let has_begun = |number| {
            found.bracket.get(number).is_some_and(Division::is_played) || found.sheet(number).is_some()
        };
        if touched.into_iter().any(|change| has_begun(change.number)) {
            return Err(stands_in_bracket());
        }
    }
    Ok(kind)
}

/// The outcome in the form a director enters it. `None` if it cannot be entered for one match: a
/// disqualification is for the whole tournament.
fn ended(outcome: Outcome) -> Option<MatchEnded> {
    let Outcome { winner, ending, score } = outcome;
    match ending {
        Ending::Played => score.map(|score| MatchEnded::Played { score }),
        Ending::Conceded => winner.map(|winner| MatchEnded::Conceded { winner, score }),
        Ending::Walkover if score.is_none() => winner.map(|winner| MatchEnded::Walkover { winner }),
        Ending::Forfeit => winner.map(|winner| MatchEnded::Forfeit { winner, score }),
        Ending::DoubleForfeit if winner.is_none() && score.is_none() => Some(MatchEnded::DoubleForfeit {}),
        Ending::Walkover
        | Ending::DoubleForfeit
        | Ending::Disqualified
        | Ending::Withdrawn
        | Ending::Bye
        | Ending::NotNeeded => None,
    }
}

/// The result cannot be changed from the sheet: others have the match now, or have played on since.
fn stands_in_bracket() -> Refused {
    Refused::rule(
        Code::ResultInBracket,
        Some("command"),
        "the result is fixed in the tournament's bracket: correct it there",
    )
}

/// The act at the tournament that undoes or redoes these shared acts. Refused if later acts there are in the
/// way. Unless it came from play, such an act may be undone only by its author, or by those who may undo at
/// the tournament.
fn along(
    principal: &Principal,
    sheet: &Stream<Sheet>,
    tournament: &Stream<Tournament>,
    acts: &BTreeSet<ActId>,
    kind: HistoryKind,
) -> Result<ActKind<Event>, Refused> {
    let mut shared = sheet.undo_entries(kind).newest_first().filter(|entry| acts.contains(&entry.id));
    let may = tournaments::scope::scope(principal, &tournament.state, kind) == Scope::Anybody;
    if !may && !shared.all(|entry| entry.kind.is_of_play() || entry.by == principal.account) {
        return Err(Refused::NotYours);
    }
    let kind = match kind {
        HistoryKind::Undo => tournament.undo_with(acts).map(ActKind::Undo),
        HistoryKind::Redo => tournament.redo_with(acts).map(ActKind::Redo),
    };
    kind.map_err(|InTheWay(acts)| {
        Refused::Rule(Rule {
            code: Code::ActElsewhereToo,
            field: Some("act"),
            allowed: Some(Allowed::OtherStream { acts, kind: Tournament::KIND, stream: tournament.state.id }),
            detail: "later acts at the tournament depend on this one: correct the result instead".into(),
        })
    })
}

/// How many of the newest acts of a sheet the caller may undo or redo at once, considering its tournament.
/// `most` is the number considering the sheet alone.
pub(crate) fn steps(
    principal: &Principal,
    sheet: &Stream<Sheet>,
    tournament: &Stream<Tournament>,
    most: usize,
    kind: HistoryKind,
) -> usize {
    let kept = tournament.effective().newest_first().chain(tournament.redoable().newest_first());
    let kept: HashSet<ActId> = kept.map(|entry| entry.id).collect();
    let entries = sheet.undo_entries(kind);
    let mut shared = BTreeSet::new();
    let possible = entries.newest_first().take(most).take_while(|entry| {
        if !kept.contains(&entry.id) {
            // No act of the tournament, or one undone there: what may be a consequence of it cannot be undone
            // from here.
            return !entry.kind.may_follow_tournament();
        }
        shared.insert(entry.id);
        along(principal, sheet, tournament, &shared, kind).is_ok()
    });
    possible.count()
}
