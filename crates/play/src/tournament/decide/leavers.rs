//! Entries that leave: at once, or after their match. Those leave however it ends, even if nobody enters a
//! result: the opponent may have left, or a correction may have changed who sits there.

use std::collections::VecDeque;

use super::Act;
use crate::matches::{Ending, Outcome, Slot};
use crate::tournament::Tournament;
use crate::tournament::bracket::{Change, EntryNo, Later};
use crate::tournament::division::Division;
use crate::tournament::entry::EntryStanding;
use crate::tournament::event::{Event, Leaving};
use crate::tournament::refusal::Refusal;
use crate::tournament::room::{DivisionNo, MatchRef};
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
        let event = left(of, division, entry, Leaving::Withdrew);
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

/// The event of an entry leaving, with its changes. An entry that is disqualified loses a match that is ready
/// to be played; other endings follow from its absence.
pub(super) fn left(of: &Division, division: DivisionNo, entry: EntryNo, how: Leaving) -> Event {
    let on = of.current(entry).filter(|(_, at)| at.is_ready() && how == Leaving::Disqualified);
    let changes = of.settle(Later::Void, &[entry], None, |settling| {
        if let Some((number, at)) = on {
            let winner = Slot::BOTH.into_iter().find(|slot| at.occupant(*slot).entry() != Some(entry));
            settling.decide(number, Some(Outcome { winner, ending: Ending::Disqualified, score: None }));
        }
        of.look_again(entry, settling);
    });
    Event::Withdrawn { division, entry, how, changes }
}

/// Whether an entry may give up its slots to a newer entry of its player: not while its match is under way.
pub(super) fn may_leave_its_match(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
) -> Result<(), Refusal> {
    let of = tournament.in_division(division)?;
    let player = of.known(entry)?.player;
    match of.current(entry) {
        Some((number, at)) if at.is_ready() && tournament.is_under_way(division, number) => {
            Err(Refusal::PlaysElsewhere { player, at: MatchRef { division, number } })
        }
        _ => Ok(()),
    }
}

/// The player's earlier entries that still play. They give up their slots to this one.
pub(super) fn others_of_player(of: &Division, entry: EntryNo) -> Vec<EntryNo> {
    let earlier = |number: &EntryNo| of.entry(*number).and_then(|entry| entry.again);
    std::iter::successors(earlier(&entry), earlier).filter(|number| !of.is_out(*number)).collect()
}
