//! Entries: entering before and after the draw, entering again, checking in, leaving and coming back.

use super::leavers::{left, may_leave_its_match};
use super::{Act, Decision, MOST_ENTRIES, drawing, each_once, money, some_once};
use crate::matches::{Ending, MatchNo};
use crate::tournament::Tournament;
use crate::tournament::bracket::{EntryNo, Later, Pairing};
use crate::tournament::command::{NewEntry, When};
use crate::tournament::division::Division;
use crate::tournament::entry::EntryStanding;
use crate::tournament::event::{Entered, Event, Leaving};
use crate::tournament::refusal::Refusal;
use crate::tournament::room::DivisionNo;
use owlbox_base::journal::Inputs;
use owlbox_base::values::{PlayerId, Timestamp};

pub(super) fn check_in(
    tournament: &Tournament,
    division: DivisionNo,
    entries: &[EntryNo],
    here: bool,
) -> Decision {
    let of = tournament.in_division(division)?;
    some_once(entries, MOST_ENTRIES, "entries")?;
    entries.iter().try_for_each(|entry| of.playing(*entry).map(drop))?;
    Ok(vec![Event::CheckedIn { division, entries: entries.to_vec(), here }])
}

pub(super) fn seed(tournament: &Tournament, division: DivisionNo, entries: &[EntryNo]) -> Decision {
    let of = tournament.in_division(division)?;
    each_once(entries, MOST_ENTRIES, "entries")?;
    entries.iter().try_for_each(|entry| of.playing(*entry).map(drop))?;
    Ok(vec![Event::Seeded { division, entries: entries.to_vec() }])
}

/// The side pools as bits: bit 0 is the first pool.
fn bits(of: &Division, side_pools: &[u8]) -> Result<u8, Refusal> {
    each_once(side_pools, 8, "side_pools")?;
    side_pools.iter().try_fold(0, |bits, pool| {
        let known = usize::from(*pool) < of.settings.side_pools.len();
        if known { Ok(bits | 1 << pool) } else { Err(Refusal::NoSidePool) }
    })
}

pub(super) fn enter(
    tournament: &Tournament,
    division: DivisionNo,
    entries: &[NewEntry],
    inputs: &mut Inputs<'_>,
) -> Decision {
    let of = tournament.in_division(division)?;
    let players: Vec<PlayerId> = entries.iter().map(|entry| entry.player).collect();
    some_once(&players, MOST_ENTRIES, "entries")?;
    if of.entered() + entries.len() > MOST_ENTRIES {
        let most = u32::try_from(MOST_ENTRIES).unwrap_or(u32::MAX);
        return Err(Refusal::TooMany { what: "entries", most });
    }
    if let Some(player) = players.iter().find(|player| of.entry_of(**player).is_some()) {
        return Err(Refusal::AlreadyEntered { player: *player });
    }
    let entered = |new: &NewEntry| {
        Ok(Entered { player: new.player, again: None, side_pools: bits(of, &new.side_pools)? })
    };
    let entered: Vec<Entered> = entries.iter().map(entered).collect::<Result<_, Refusal>>()?;
    let first = u32::try_from(of.entered()).unwrap_or(u32::MAX);
    let waiting = of.is_drawn();
    let mut act = Act::on(tournament, inputs.now);
    act.happens(Event::Entered { division, entries: entered.clone(), waiting });
    let charged = money::charges(&act.now, division, &entered)?;
    charged.into_iter().for_each(|event| act.happens(event));
    if waiting {
        let late: Vec<EntryNo> = (first + 1..).zip(entries).map(|(number, _)| EntryNo(number)).collect();
        drawing::seat_by_lot(&mut act, division, &late, inputs.chance)?;
    }
    Ok(act.events)
}

pub(in crate::tournament) fn re_enter(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    inputs: &mut Inputs<'_>,
) -> Decision {
    may_re_enter(tournament, division, entry)?;
    let of = tournament.in_division(division)?;
    let again = Entered { player: of.known(entry)?.player, again: Some(entry), side_pools: 0 };
    let number = EntryNo(u32::try_from(of.entered()).map_or(u32::MAX, |there| there + 1));
    let mut act = Act::on(tournament, inputs.now);
    act.happens(Event::Entered { division, entries: vec![again], waiting: true });
    let charged = money::charges(&act.now, division, &[again])?;
    charged.into_iter().for_each(|event| act.happens(event));
    drawing::seat_by_lot(&mut act, division, &[number], inputs.chance)?;
    Ok(act.events)
}

/// Whether the player of an entry may enter again.
pub(in crate::tournament) fn may_re_enter(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
) -> Result<(), Refusal> {
    let of = tournament.in_division(division)?;
    let before = of.known(entry)?;
    if !of.is_drawn() {
        return Err(Refusal::NotDrawn);
    }
    if of.entry_of(before.player) != Some(entry) {
        return Err(Refusal::AlreadyEntered { player: before.player });
    }
    let earlier = std::iter::successors(before.again, |entry| of.entry(*entry)?.again).count();
    // An entry that was refunded never played, so it is reinstated instead.
    let may_not = before.standing == EntryStanding::Disqualified || before.refunded;
    if earlier >= usize::from(of.settings.re_entries) || may_not {
        return Err(Refusal::NoReEntry);
    }
    // The loss that lets a player enter again is one in the main flight, whatever they still play elsewhere.
    let lost = |at: &Pairing| {
        at.flight == 0
            && at.outcome.is_some_and(|outcome| outcome.ending != Ending::NotNeeded)
            && at.winner() != Some(entry)
    };
    let is_out = before.standing.is_out() || of.bracket.path(entry).any(|(_, at)| lost(at));
    if !is_out {
        return Err(Refusal::StillIn { entry });
    }
    if of.entered() >= MOST_ENTRIES {
        let most = u32::try_from(MOST_ENTRIES).unwrap_or(u32::MAX);
        return Err(Refusal::TooMany { what: "entries", most });
    }
    may_leave_its_match(tournament, division, entry)
}

pub(super) fn join_pools(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    side_pools: &[u8],
    inputs: &Inputs<'_>,
) -> Decision {
    may_join_pools(tournament, division, entry)?;
    let of = tournament.in_division(division)?;
    let before = of.playing(entry)?;
    let bits = bits(of, side_pools)?;
    let mut act = Act::on(tournament, inputs.now);
    let (player, was_in) = (before.player, before.side_pools);
    act.happens(Event::PoolsJoined { division, entry, side_pools: bits });
    for pool in (0..8_u8).filter(|pool| (was_in ^ bits) & (1 << pool) != 0) {
        let joins = bits & (1 << pool) != 0;
        let booked = money::side_pool(&act.now, division, pool, &[player], joins)?;
        booked.into_iter().for_each(|event| act.happens(event));
    }
    Ok(act.events)
}

/// Whether an entry may join or leave side pools: until it is drawn, so that nobody joins who has seen the
/// draw go well for them. An entry that waits for a slot has not been drawn yet.
pub(in crate::tournament) fn may_join_pools(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
) -> Result<(), Refusal> {
    let of = tournament.in_division(division)?;
    let waits = of.playing(entry)?.standing == EntryStanding::Waiting;
    if of.is_drawn() && !waits { Err(Refusal::AlreadyDrawn) } else { Ok(()) }
}

pub(super) fn withdraw(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    when: When,
    inputs: &Inputs<'_>,
) -> Decision {
    let of = tournament.in_division(division)?;
    of.playing(entry)?;
    let still_plays = match when {
        When::Now => None,
        When::AfterMatch => of.current(entry),
    };
    match still_plays {
        Some((number, _)) => Ok(vec![Event::LeavesAfter { division, entry, number }]),
        None => leave(tournament, division, entry, Leaving::Withdrew, inputs),
    }
}

/// An entry leaves every flight. It is refunded if it never had a slot and was not disqualified.
pub(super) fn leave(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    how: Leaving,
    inputs: &Inputs<'_>,
) -> Decision {
    let of = tournament.in_division(division)?;
    let has_slot = of.bracket.path(entry).next().is_some();
    let player = of.playing(entry)?.player;
    let mut act = Act::on(tournament, inputs.now);
    let event = left(of, division, entry, how);
    act.happens(event);
    if !has_slot && how == Leaving::Withdrew {
        let refunds = money::refund(&act.now, division, player, entry)?;
        refunds.into_iter().for_each(|event| act.happens(event));
    }
    Ok(act.events)
}

pub(in crate::tournament) fn reinstate(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    at: Timestamp,
) -> Decision {
    let of = tournament.in_division(division)?;
    let before = of.known(entry)?;
    match before.standing {
        EntryStanding::Withdrawn | EntryStanding::Disqualified => {}
        // It had announced to leave after its match and now stays.
        EntryStanding::Leaving => {
            return Ok(vec![Event::Reinstated { division, entry, waiting: false, changes: Vec::new() }]);
        }
        EntryStanding::EnteredAgain => return as_if_not_again(tournament, division, entry, at),
        EntryStanding::In | EntryStanding::Waiting => return Err(Refusal::EntryIn { entry }),
    }
    if of.entry_of(before.player) != Some(entry) {
        return Err(Refusal::AlreadyEntered { player: before.player });
    }
    let mut act = Act::on(tournament, at);
    back(&mut act, division, entry)?;
    Ok(act.events)
}

/// Undoes a re-entry that a wrong result led to. The old entry plays on and the new one is withdrawn and
/// refunded. Errs if the new entry has played or is playing.
fn as_if_not_again(tournament: &Tournament, division: DivisionNo, entry: EntryNo, at: Timestamp) -> Decision {
    let of = tournament.in_division(division)?;
    let player = of.known(entry)?.player;
    let again = of
        .entry_of(player)
        .filter(|newest| of.entry(*newest).is_some_and(|newest| newest.again == Some(entry)));
    let again = again.ok_or(Refusal::EntryOut { entry })?;
    let on = |(number, at): &(MatchNo, &Pairing)| {
        Division::is_played(at) || tournament.is_under_way(division, *number)
    };
    let played: Vec<MatchNo> = of.bracket.path(again).filter(on).map(|(number, _)| number).collect();
    if !played.is_empty() {
        return Err(Refusal::LaterPlayed { matches: played });
    }
    let mut act = Act::on(tournament, at);
    if !of.is_out(again) {
        act.happens(left(of, division, again, Leaving::Withdrew));
        let refunds = money::refund(&act.now, division, player, again)?;
        refunds.into_iter().for_each(|event| act.happens(event));
    }
    back(&mut act, division, entry)?;
    Ok(act.events)
}

/// Brings back an entry that was out. Errs if anybody has played on because it was.
fn back(act: &mut Act, division: DivisionNo, entry: EntryNo) -> Result<(), Refusal> {
    let of = act.division(division)?;
    let before = of.known(entry)?;
    let ruled: Vec<MatchNo> = lost_by_ruling(of, entry).collect();
    let changes = of.settle(Later::Void, &[], Some(entry), |settling| {
        ruled.iter().for_each(|number| settling.decide(*number, None));
        of.look_again(entry, settling);
        // If it left after a loss, it now drops from that match again.
        of.bracket.path(entry).for_each(|(number, _)| settling.look_beyond(number));
    });
    let mut disturbed = of.disturbed(&changes, |number| act.now.is_under_way(division, number));
    disturbed.retain(|number| !ruled.contains(number));
    if !disturbed.is_empty() {
        return Err(Refusal::LaterPlayed { matches: disturbed });
    }
    let waiting = of.is_drawn() && of.bracket.path(entry).next().is_none();
    let was_refunded = before.refunded;
    let entered = Entered { player: before.player, again: before.again, side_pools: before.side_pools };
    act.happens(Event::Reinstated { division, entry, waiting, changes });
    if was_refunded {
        let charged = money::charges(&act.now, division, &[entered])?;
        charged.into_iter().for_each(|event| act.happens(event));
    }
    Ok(())
}

/// The matches an entry lost by disqualification. It plays them again when it comes back.
fn lost_by_ruling(of: &Division, entry: EntryNo) -> impl Iterator<Item = MatchNo> {
    let by_ruling = move |at: &Pairing| {
        at.winner() != Some(entry) && at.outcome.is_some_and(|outcome| outcome.ending == Ending::Disqualified)
    };
    of.bracket.path(entry).filter(move |(_, at)| by_ruling(at)).map(|(number, _)| number)
}
