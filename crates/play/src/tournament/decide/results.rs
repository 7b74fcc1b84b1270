//! Results: entered by a scorer, reported by both players, recorded from a sheet, and corrected.

use std::collections::BTreeSet;

use super::{Act, Decision, each_once};
use crate::matches::score::Length;
use crate::matches::{Ending, MatchNo, Outcome, Slot};
use crate::tournament::Tournament;
use crate::tournament::bracket::{Change, EntryNo, FlightKind, Later, Pairing, Settling};
use crate::tournament::command::MatchEnded;
use crate::tournament::division::Division;
use crate::tournament::entry::EntryStanding;
use crate::tournament::event::{Event, GivenUp};
use crate::tournament::refusal::Refusal;
use crate::tournament::room::DivisionNo;
use owlbox_base::values::Timestamp;

/// A division and the number of a match in it.
type At = (DivisionNo, MatchNo);

pub(in crate::tournament) fn result(
    tournament: &Tournament,
    (division, number): At,
    (ended, withdraws): (&MatchEnded, &[Slot]),
    players: Option<[EntryNo; 2]>,
) -> Decision {
    let of = tournament.in_division(division)?;
    let at = of.known_match(number)?;
    as_seen(at, players)?;
    each_once(withdraws, 2, "withdraws")?;
    // A result found because an entry left can only be corrected, like a stated one: others may have played
    // on since.
    if at.outcome.is_some() && at.players().is_some() {
        return Err(Refusal::HasResult);
    }
    let outcome = outcome(of, at, ended)?;
    Ok(vec![resulted(of, (division, number), outcome, withdraws)])
}

/// Checks that the entries the caller saw still sit in the match.
fn as_seen(at: &Pairing, seen: Option<[EntryNo; 2]>) -> Result<(), Refusal> {
    if seen.is_none() || seen == at.players() {
        return Ok(());
    }
    Err(Refusal::OthersSit { players: at.players() })
}

/// The outcome that `ended` stands for in a match. Errs if the match cannot have it.
fn outcome(division: &Division, at: &Pairing, ended: &MatchEnded) -> Result<Outcome, Refusal> {
    // A player who entered twice may meet their own earlier entry. Nobody plays themselves.
    if division.players(at).is_none_or(|[upper, lower]| upper == lower) {
        return Err(Refusal::NotReady);
    }
    let length = division.length(at);
    let unfinished = |score: Option<[u16; 2]>| match score {
        Some(score) if score.iter().any(|points| *points >= length.points()) => {
            Err(Refusal::BadScore { length: length.points() })
        }
        score => Ok(score),
    };
    Ok(match *ended {
        MatchEnded::Played { score } => {
            Outcome { winner: Some(winner_by(score, length)?), ending: Ending::Played, score: Some(score) }
        }
        MatchEnded::Conceded { winner, score } => {
            Outcome { winner: Some(winner), ending: Ending::Conceded, score: unfinished(score)? }
        }
        MatchEnded::Walkover { winner } => {
            Outcome { winner: Some(winner), ending: Ending::Walkover, score: None }
        }
        MatchEnded::Forfeit { winner, score } => {
            Outcome { winner: Some(winner), ending: Ending::Forfeit, score: unfinished(score)? }
        }
        MatchEnded::DoubleForfeit {} => Outcome { winner: None, ending: Ending::DoubleForfeit, score: None },
    })
}

fn winner_by(score: [u16; 2], length: Length) -> Result<Slot, Refusal> {
    length.winner(score).ok_or(Refusal::BadScore { length: length.points() })
}

/// The result of a match and its changes. Entries that had announced to leave after it leave with it, and so
/// do those that withdraw.
fn resulted(of: &Division, (division, number): At, outcome: Outcome, withdraws: &[Slot]) -> Event {
    let players = of.bracket.get(number).and_then(Pairing::players).into_iter().flatten();
    let announced =
        |entry: EntryNo| of.entry(entry).is_some_and(|entry| entry.standing == EntryStanding::Leaving);
    let leaves = |(slot, entry)| (withdraws.contains(&slot) || announced(entry)).then_some(entry);
    let left: Vec<EntryNo> = Slot::BOTH.into_iter().zip(players).filter_map(leaves).collect();
    let changes = of.settle(Later::Void, &left, None, |settling| {
        settling.decide(number, Some(outcome));
        left.iter().for_each(|entry| of.look_again(*entry, settling));
    });
    Event::Resulted { division, number, changes, left }
}

/// Records the result of a sheet. If the match has a result already, the sheet may change the score but not
/// the winner: others may have played on since.
pub(super) fn record(
    tournament: &Tournament,
    (division, number): At,
    outcome: Outcome,
    withdraws: &[Slot],
) -> Decision {
    let of = tournament.in_division(division)?;
    let at = of.known_match(number)?;
    match at.outcome {
        _ if at.players().is_none() => Err(Refusal::NotReady),
        None => Ok(vec![resulted(of, (division, number), outcome, withdraws)]),
        Some(_) if !withdraws.is_empty() => Err(Refusal::HasResult),
        Some(before) if before == outcome => Ok(Vec::new()),
        Some(before) if before.winner == outcome.winner => {
            let changes =
                of.settle(Later::Stands, &[], None, |settling| settling.decide(number, Some(outcome)));
            Ok(vec![Event::Corrected { division, number, changes, given_up: Vec::new(), left: Vec::new() }])
        }
        Some(_) => Err(Refusal::HasResult),
    }
}

pub(super) fn report(
    tournament: &Tournament,
    now: Timestamp,
    (division, number): At,
    (entry, score): (EntryNo, Option<[u16; 2]>),
    players: Option<[EntryNo; 2]>,
) -> Decision {
    let of = tournament.in_division(division)?;
    let at = of.known_match(number)?;
    as_seen(at, players)?;
    if at.outcome.is_some() {
        return Err(Refusal::HasResult);
    }
    let by = Slot::BOTH.into_iter().find(|slot| at.occupant(*slot).entry() == Some(entry));
    let by = by.ok_or(Refusal::NotInMatch)?;
    if at.players().is_none() {
        return Err(Refusal::NotReady);
    }
    if let Some(score) = score {
        winner_by(score, of.length(at))?;
    }
    if of.reports.get(&number).copied().unwrap_or_default()[by.at()] == score {
        return Err(Refusal::NothingChanges);
    }
    let mut act = Act::on(tournament, now);
    act.happens(Event::Reported { division, number, by, entry: Some(entry), score });
    let said = act.division(division)?.reports.get(&number).copied().unwrap_or_default();
    if let [Some(upper), Some(lower)] = said
        && upper == lower
    {
        let of = act.division(division)?;
        let at = of.known_match(number)?;
        let outcome = outcome(of, at, &MatchEnded::Played { score: upper })?;
        let resulted = resulted(of, (division, number), outcome, &[]);
        act.happens(resulted);
    }
    Ok(act.events)
}

pub(in crate::tournament) fn correct(
    tournament: &Tournament,
    now: Timestamp,
    (division, number): At,
    (ended, later): (Option<&MatchEnded>, Later),
    withdraws: &[Slot],
) -> Decision {
    let of = tournament.in_division(division)?;
    let at = of.known_match(number)?;
    each_once(withdraws, 2, "withdraws")?;
    let before = at.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded).ok_or(Refusal::NoResult)?;
    if at.players().is_none() {
        return Err(Refusal::NoResult);
    }
    let after = ended.map(|ended| outcome(of, at, ended)).transpose()?;
    if after == Some(before) || (after.is_none() && before.ending.is_automatic()) {
        return Err(Refusal::NoResult);
    }
    let left: Vec<EntryNo> = withdraws.iter().filter_map(|slot| at.occupant(*slot).entry()).collect();
    let left: Vec<EntryNo> = left.into_iter().filter(|entry| !of.is_out(*entry)).collect();
    let decided = |settling: &mut Settling<'_>| {
        settling.decide(number, after);
        left.iter().for_each(|entry| of.look_again(*entry, settling));
    };
    let mut changes = of.settle(later, &left, None, decided);
    let stay = of.entries().map(|(entry, _)| entry).filter(|entry| !left.contains(entry));
    let given_up = last_chances_given_up(of, &changes, stay);
    if !given_up.is_empty() {
        changes = giving_up(of, &given_up).settle(later, &left, None, |settling| {
            decided(settling);
            given_up.iter().for_each(|gone| of.look_again(gone.entry, settling));
        });
    }
    let mut act = Act::on(tournament, now);
    act.happens(Event::Corrected { division, number, changes, given_up, left });
    // A match to be played again needs an open tournament.
    if tournament.closed_at.is_some() && act.division(division)?.undecided > 0 {
        act.happens(Event::Reopened {});
    }
    Ok(act.events)
}

/// The last chances to give up once these changes are made: one of `entries` that is in one has an undecided
/// match in an earlier flight again.
pub(super) fn last_chances_given_up(
    of: &Division,
    changes: &[Change],
    entries: impl Iterator<Item = EntryNo>,
) -> Vec<GivenUp> {
    if of.last_chances.is_empty() {
        return Vec::new();
    }
    let mut moved = of.clone();
    moved.bracket.apply(changes);
    let is_last_chance = |flight: u8| {
        moved.bracket.flights().get(usize::from(flight)).is_some_and(|of| of.kind == FlightKind::LastChance)
    };
    let open = |entry: EntryNo| {
        let open = moved.bracket.path(entry).filter(|(_, at)| at.outcome.is_none());
        open.map(|(_, at)| at.flight).filter(|flight| !moved.is_out_of(entry, *flight)).collect::<Vec<_>>()
    };
    let mut given_up = BTreeSet::new();
    for entry in entries {
        let flights = open(entry);
        let later = flights.iter().filter(|flight| flights.iter().any(|before| before < flight));
        given_up.extend(
            later.filter(|flight| is_last_chance(**flight)).map(|flight| GivenUp { entry, flight: *flight }),
        );
    }
    given_up.into_iter().collect()
}

/// The division with these last chances given up.
fn giving_up(of: &Division, given_up: &[GivenUp]) -> Division {
    let mut of = of.clone();
    given_up.iter().for_each(|gone| of.give_up(*gone));
    of
}
