//! Entries that leave after their match. They leave however it ends, even if nobody enters a result: the
//! opponent may have left, or a correction may have changed who sits there.

use std::collections::VecDeque;

use super::{Act, entries};
use crate::matches::Ending;
use crate::tournament::Tournament;
use crate::tournament::bracket::{Change, EntryNo};
use crate::tournament::division::Division;
use crate::tournament::entry::EntryStanding;
use crate::tournament::event::{Event, Leaving};
use crate::tournament::room::DivisionNo;
use owlbox_base::values::Timestamp;

/// Adds to these events the withdrawal of every entry whose last match they end. A withdrawal may end the
/// last match of another, so this goes on until there are no more.
pub(super) fn gone(tournament: &Tournament, events: Vec<Event>, at: Timestamp) -> Vec<Event> {
    // Spares the copy where nobody leaves. Decided matches count too: an earlier event may open one again.
    if events.iter().all(|event| leavers(tournament, event, false).is_empty()) {
        return events;
    }
    let mut act = Act::on(tournament, at);
    let mut going = VecDeque::new();
    for event in events {
        going.extend(leavers(&act.now, &event, true));
        act.happens(event);
    }
    while let Some((division, entry)) = going.pop_front() {
        let Some(of) = act.now.division(division).filter(|of| !of.is_out(entry)) else { continue };
        let event = entries::left(of, division, entry, Leaving::Withdrew);
        going.extend(leavers(&act.now, &event, true));
        act.happens(event);
    }
    act.events
}

/// The leaving entries whose match is decided by this event. With `only_now`, only if it was undecided
/// before.
fn leavers(tournament: &Tournament, event: &Event, only_now: bool) -> Vec<(DivisionNo, EntryNo)> {
    let Some((number, of)) = event.division().and_then(|number| Some((number, tournament.division(number)?)))
    else {
        return Vec::new();
    };
    let ends = |change: &&Change| {
        let was_open = of.bracket.get(change.number).is_some_and(|at| at.outcome.is_none());
        let ended = change.outcome.is_some_and(|outcome| {
            // A bye is no match, so an entry does not leave with it.
            !matches!(outcome.ending, Ending::Bye | Ending::NotNeeded)
        });
        ended && (was_open || !only_now)
    };
    let sit = event.changes().iter().filter(ends).flat_map(|change| change.occupants);
    let leave = sit.filter_map(|occupant| occupant.entry()).filter(|entry| leaves(of, *entry));
    leave.map(|entry| (number, entry)).collect()
}

fn leaves(of: &Division, entry: EntryNo) -> bool {
    of.entry(entry).is_some_and(|entry| entry.standing == EntryStanding::Leaving)
}
