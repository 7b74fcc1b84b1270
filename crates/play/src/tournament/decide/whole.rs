//! The tournament as a whole: its details, directors, divisions and tables, and its end.

use super::{Act, Decision, MOST_ENTRIES, each_once, entries, money};
use crate::matches::MatchNo;
use crate::tournament::Tournament;
use crate::tournament::about::{About, Remark};
use crate::tournament::bracket::Pairing;
use crate::tournament::command::WaitingEntry;
use crate::tournament::division::Division;
use crate::tournament::ending::WaitingFees;
use crate::tournament::event::{Event, Leaving};
use crate::tournament::refusal::Refusal;
use crate::tournament::room::{DivisionNo, MOST_TABLES, MatchRef, Table};
use crate::tournament::settings::{DivisionSettings, Fee, SidePool};
use owlbox_base::journal::Inputs;
use owlbox_base::values::{AccountId, TournamentId};

/// The most divisions a tournament may have.
pub const MOST_DIVISIONS: u8 = 16;
/// The most logins that may direct a tournament besides the club's directors.
pub const MOST_DIRECTORS: usize = 20;

pub(super) fn open(tournament: TournamentId, about: &About) -> Decision {
    check_days(about)?;
    Ok(vec![Event::Opened { tournament, about: about.clone() }])
}

pub(super) fn change_about(tournament: &Tournament, about: &About) -> Decision {
    check_days(about)?;
    if about.currency != tournament.currency() && tournament.has_booked() {
        return Err(Refusal::NoMoney);
    }
    for (_, division) in tournament.divisions() {
        division.settings.check(about.currency.is_some()).map_err(|flaw| Refusal::Flawed { flaw })?;
    }
    Ok(vec![Event::AboutChanged { about: about.clone() }])
}

pub(super) fn set_directors(directors: &[AccountId]) -> Decision {
    each_once(directors, MOST_DIRECTORS, "directors")?;
    Ok(vec![Event::DirectorsChanged { directors: directors.to_vec() }])
}

pub(super) fn add_division(tournament: &Tournament, settings: &DivisionSettings) -> Decision {
    check(tournament, settings)?;
    let there = u8::try_from(tournament.divisions().len()).unwrap_or(u8::MAX);
    if there >= MOST_DIVISIONS {
        return Err(Refusal::TooMany { what: "divisions", most: MOST_DIVISIONS.into() });
    }
    let division = DivisionNo(there + 1);
    Ok(vec![Event::DivisionAdded { division, settings: Box::new(settings.clone()) }])
}

pub(super) fn reopen(tournament: &Tournament) -> Decision {
    match tournament.closed_at {
        Some(_) => Ok(vec![Event::Reopened {}]),
        None => Err(Refusal::NotClosed),
    }
}

/// Cancels the tournament and gives back what was charged where nobody was awarded anything.
pub(in crate::tournament) fn cancel(tournament: &Tournament, reason: &Remark) -> Decision {
    let transfers = money::all_back(tournament);
    let currency = tournament.currency().filter(|_| !transfers.is_empty());
    Ok(vec![Event::Cancelled { reason: reason.clone(), currency, transfers }])
}

fn check_days(about: &About) -> Result<(), Refusal> {
    about.outside_calendar().map_or(Ok(()), |field| Err(Refusal::OutsideCalendar { field }))
}

fn check(tournament: &Tournament, settings: &DivisionSettings) -> Result<(), Refusal> {
    let has_currency = tournament.currency().is_some();
    settings.check(has_currency).map_err(|flaw| Refusal::Flawed { flaw })
}

pub(super) fn change_division(
    tournament: &Tournament,
    number: DivisionNo,
    settings: &DivisionSettings,
) -> Decision {
    let division = tournament.in_division(number)?;
    check(tournament, settings)?;
    let before = &division.settings;
    let fewer_pools = settings.side_pools.len() < before.side_pools.len();
    // All members of a side pool must have paid the same, so a stake is fixed once there is money in the
    // pool. Members of a pool without a stake have paid nothing, so it cannot get one.
    let staked = |(pool, sum): (&SidePool, &u64)| *sum > 0 || pool.stake == Fee::NONE;
    let mut other_stakes = before.side_pools.iter().zip(&division.side_pools).zip(&settings.side_pools);
    let other_stakes = other_stakes.any(|((pool, sum), now)| pool.stake != now.stake && staked((pool, sum)));
    let pools_change = (fewer_pools || other_stakes) && division.entered() > 0;
    if (division.is_drawn() && settings.format != before.format) || pools_change {
        return Err(Refusal::AlreadyDrawn);
    }
    let begun = |(at, found): &(MatchNo, &Pairing)| {
        Division::is_played(found) || tournament.is_under_way(number, *at)
    };
    let kept = division.bracket.iter().filter(begun).filter_map(|(at, found)| {
        let length = division.length(found);
        (settings.length(&division.bracket, found) != length).then_some((at, length))
    });
    let kept = kept.collect();
    Ok(vec![Event::DivisionChanged { division: number, settings: Box::new(settings.clone()), kept }])
}

pub(super) fn set_tables(tournament: &Tournament, tables: &[Table]) -> Decision {
    let numbers: Vec<_> = tables.iter().map(|table| table.table).collect();
    each_once(&numbers, MOST_TABLES, "tables")?;
    if numbers.iter().any(|table| !(1..=2_000).contains(&table.0)) {
        return Err(Refusal::NoTable);
    }
    // A table with a match called to it must stay.
    if tournament.room.calls.values().any(|call| !numbers.contains(&call.table)) {
        return Err(Refusal::NoTable);
    }
    Ok(vec![Event::TablesSet { tables: tables.to_vec() }])
}

/// Whether the tournament can be closed: no match is undecided.
pub(in crate::tournament) fn may_close(tournament: &Tournament) -> Result<(), Refusal> {
    if tournament.closed_at.is_some() {
        return Err(Refusal::Closed);
    }
    for (number, division) in tournament.divisions().filter(|(_, division)| division.undecided > 0) {
        if let Some((open, _)) = division.bracket.iter().find(|(_, at)| at.outcome.is_none()) {
            return Err(Refusal::StillPlayed { at: MatchRef { division: number, number: open } });
        }
    }
    Ok(())
}

/// Closes the tournament. Entries that still wait are withdrawn and refunded, except those in `keep`.
pub(super) fn close(
    tournament: &Tournament,
    keep: &[WaitingEntry],
    reason: Option<&Remark>,
    inputs: &Inputs<'_>,
) -> Decision {
    may_close(tournament)?;
    each_once(keep, MOST_ENTRIES, "keep")?;
    let waiting = tournament.waiting_with_fees();
    let waits = |kept: &WaitingEntry| waiting.iter().any(|fees| fees.is_of(*kept));
    if let Some(kept) = keep.iter().find(|kept| !waits(kept)) {
        return Err(Refusal::NotWaiting { entry: kept.entry });
    }
    if !keep.is_empty() && reason.is_none() {
        return Err(Refusal::KeepingNeedsReason);
    }
    let mut act = Act::on(tournament, inputs.now);
    for WaitingFees { division, entry, .. } in waiting {
        if keep.contains(&WaitingEntry { division, entry }) {
            continue;
        }
        let left = entries::leave(&act.now, division, entry, Leaving::Withdrew, inputs)?;
        left.into_iter().for_each(|event| act.happens(event));
    }
    act.happens(Event::Closed { reason: reason.filter(|_| !keep.is_empty()).cloned() });
    Ok(act.events)
}
