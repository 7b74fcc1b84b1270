//! The room: calling matches to tables, beginning and postponing them, opening their sheets.

use std::collections::BTreeSet;

use super::{Act, Decision};
use crate::matches::MatchNo;
use crate::tournament::Tournament;
use crate::tournament::event::Event;
use crate::tournament::refusal::Refusal;
use crate::tournament::room::{DivisionNo, MatchRef, TableNo, TableUse};
use owlbox_base::values::{MatchId, PlayerId, Timestamp};

/// The most matches one command may call.
pub const MOST_CALLED_AT_ONCE: u16 = 1_000;

/// A division and the number of a match in it.
type At = (DivisionNo, MatchNo);

pub(super) fn call_to(tournament: &Tournament, at: At, table: Option<TableNo>) -> Decision {
    let at = ready(tournament, at)?;
    Ok(vec![call(tournament, at, table)?])
}

pub(super) fn uncall(tournament: &Tournament, (division, number): At) -> Decision {
    called(tournament, (division, number))?;
    Ok(vec![Event::Uncalled { division, number }])
}

pub(super) fn begin(tournament: &Tournament, (division, number): At) -> Decision {
    let at = called(tournament, (division, number))?;
    match tournament.room.calls.get(&at).and_then(|call| call.began_at) {
        Some(_) => Err(Refusal::Began),
        None => Ok(vec![Event::Began { division, number }]),
    }
}

pub(super) fn postpone(
    tournament: &Tournament,
    (division, number): At,
    until: Option<Timestamp>,
    now: Timestamp,
) -> Decision {
    if until.is_some_and(|until| !until.is_in_calendar()) {
        return Err(Refusal::OutsideCalendar { field: "until" });
    }
    let at = ready(tournament, (division, number))?;
    let mut act = Act::on(tournament, now);
    if tournament.room.calls.contains_key(&at) {
        act.happens(Event::Uncalled { division, number });
    }
    act.happens(Event::Postponed { division, number, until });
    Ok(act.events)
}

pub(super) fn resume(tournament: &Tournament, (division, number): At) -> Decision {
    let at = ready(tournament, (division, number))?;
    match tournament.room.postponed.contains_key(&at) {
        true => Ok(vec![Event::Resumed { division, number }]),
        false => Err(Refusal::NotPostponed),
    }
}

/// Opens a sheet. The desk supplies its id; without one, nothing happens.
pub(super) fn open_sheet(
    tournament: &Tournament,
    (division, number): At,
    sheet: Option<MatchId>,
) -> Decision {
    let Some(sheet) = sheet else { return Ok(Vec::new()) };
    ready(tournament, (division, number))?;
    if tournament.in_division(division)?.sheet(number).is_some() {
        return Err(Refusal::HasSheet);
    }
    Ok(vec![Event::SheetOpened { division, number, sheet }])
}

/// Checks that a match can be played.
fn ready(tournament: &Tournament, (division, number): At) -> Result<MatchRef, Refusal> {
    let at = tournament.in_division(division)?.known_match(number)?;
    match (at.outcome, at.is_ready()) {
        (Some(_), _) => Err(Refusal::HasResult),
        (None, false) => Err(Refusal::NotReady),
        (None, true) => Ok(MatchRef { division, number }),
    }
}

fn called(tournament: &Tournament, (division, number): At) -> Result<MatchRef, Refusal> {
    tournament.in_division(division)?.known_match(number)?;
    if tournament.room.calls.contains_key(&MatchRef { division, number }) {
        Ok(MatchRef { division, number })
    } else {
        Err(Refusal::NotCalled)
    }
}

/// Calls a match to the named table or to the lowest free one. A match that was called may be sent to another
/// table, but only by naming it.
fn call(tournament: &Tournament, at: MatchRef, table: Option<TableNo>) -> Result<Event, Refusal> {
    let room = &tournament.room;
    let there = room.calls.get(&at).map(|call| call.table);
    if there.is_some() && (table.is_none() || table == there) {
        return Err(Refusal::AlreadyCalled);
    }
    let table = match table {
        None => room.free_table().ok_or(Refusal::NoFreeTable)?,
        // A table named by hand may be reserved, or occupied by another match.
        Some(table) => match room.tables.get(&table).map(|table| table.used_for) {
            None => return Err(Refusal::NoTable),
            Some(TableUse::Closed) => return Err(Refusal::TableClosed { table }),
            Some(TableUse::Open | TableUse::Reserved) => table,
        },
    };
    let division = tournament.in_division(at.division)?;
    let players = division.players(division.known_match(at.number)?).into_iter().flatten();
    for player in players {
        if let Some(elsewhere) = tournament.plays_elsewhere(player, at) {
            return Err(Refusal::PlaysElsewhere { player, at: elsewhere });
        }
    }
    Ok(Event::Called { division: at.division, number: at.number, table })
}

/// Calls the matches that have waited longest to the free tables, up to `matches` of them. Skips postponed
/// matches and those with a player who is at another table.
pub(in crate::tournament) fn call_next(tournament: &Tournament, matches: u16, now: Timestamp) -> Decision {
    if !(1..=MOST_CALLED_AT_ONCE).contains(&matches) {
        return Err(Refusal::TooMany { what: "matches", most: MOST_CALLED_AT_ONCE.into() });
    }
    let room = &tournament.room;
    let players = |at: &MatchRef| {
        let (division, found) = tournament.match_at(*at)?;
        division.players(found)
    };
    let mut busy: BTreeSet<PlayerId> = room.calls.keys().filter_map(players).flatten().collect();
    let mut tables = room.free_tables();
    let mut events = Vec::new();
    for (_, at) in room.queue.keys().filter(|(_, at)| tournament.may_be_called(*at, now)) {
        let free = players(at).filter(|two| two.iter().all(|player| !busy.contains(player)));
        let Some(two) = free else { continue };
        let Some(table) = tables.next() else {
            return if events.is_empty() { Err(Refusal::NoFreeTable) } else { Ok(events) };
        };
        busy.extend(two);
        events.push(Event::Called { division: at.division, number: at.number, table });
        if events.len() >= usize::from(matches) {
            break;
        }
    }
    if events.is_empty() { Err(Refusal::NobodyWaits) } else { Ok(events) }
}

impl Tournament {
    /// Whether a playable match is waiting to be called at this moment: it was not called, and is not
    /// postponed.
    #[must_use]
    pub fn may_be_called(&self, at: MatchRef, now: Timestamp) -> bool {
        let later = match self.room.postponed.get(&at) {
            None => false,
            Some(until) => until.is_none_or(|until| now < until),
        };
        !later && !self.room.calls.contains_key(&at)
    }
}
