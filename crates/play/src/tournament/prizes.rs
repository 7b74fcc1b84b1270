//! Which part of a division's pools is due to whom, by its schedule and the places as they stand. Nothing is
//! booked here: `decide` turns the result into an award.

use std::collections::BTreeMap;

use super::bracket::{EntryNo, Final, FlightKind, Place, Source};
use super::division::Division;
use super::entry::Entry;
use super::payout::{Prize, Schedule, Share, shared};
use crate::matches::MatchNo;
use owlbox_base::values::PlayerId;

/// What is due by the schedule, in minor units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scheduled {
    pub kept: u64,
    /// The amount of each prize of the schedule, no matter who wins it. Side pools are not included.
    pub amounts: Vec<(Prize, u64)>,
    /// The amount due to each player from all pools together.
    pub prizes: BTreeMap<PlayerId, u64>,
    /// A match that is still to be played for one of the prizes; `None` if all are decided.
    pub still_played: Option<MatchNo>,
}

/// The shares of a division's schedule that can be won. Prizes of flights that are not played are left out;
/// the others keep their proportions. If none is left, the winner takes all.
#[must_use]
pub fn schedule(division: &Division) -> Schedule {
    // Count the slots rather than the draw: late entries and re-entries have paid too.
    let first_round = division.bracket.of_flight(0).take_while(|(_, at)| at.round == 0);
    let seated =
        first_round.flat_map(|(_, at)| at.sources).filter(|source| matches!(source, Source::Entry { .. }));
    let entrants = u32::try_from(seated.count()).unwrap_or(u32::MAX);
    let schedule = division.settings.payout.clone().unwrap_or_else(|| Schedule::usual(entrants));
    let played = |share: &&Share| match share.prize {
        Prize::Winner | Prize::Finalist | Prize::SemiFinalist => true,
        Prize::ConsolationWinner | Prize::ConsolationFinalist => consolation(division).is_some(),
        Prize::LastChanceWinner => last_chances(division).next().is_some(),
    };
    let shares: Vec<Share> = schedule.shares().iter().filter(played).copied().collect();
    Schedule::try_from(shares).unwrap_or_else(|_| Schedule::winner_takes_all())
}

fn flight(division: &Division, kind: FlightKind) -> Option<usize> {
    division.bracket.flights().iter().position(|flight| flight.kind == kind)
}

/// The flights of last chances, in the order in which they were drawn.
fn last_chances(division: &Division) -> impl Iterator<Item = usize> {
    let kinds = division.bracket.flights().iter().map(|flight| flight.kind).enumerate();
    kinds.filter(|(_, kind)| *kind == FlightKind::LastChance).map(|(flight, _)| flight)
}

/// What the winner of each last chance gets. The prizes are dealt out in turn, the first prize to the first
/// last chance. If there are more last chances than prizes, they share all of it: every winner gets
/// something, and the schedule stays as published.
fn for_last_chances(prizes: &[u64], last_chances: usize, unit: u64) -> Vec<u64> {
    if prizes.len() < last_chances {
        return shared(prizes.iter().sum(), last_chances, unit);
    }
    let mut amounts = vec![0; last_chances];
    for (place, prize) in prizes.iter().enumerate() {
        if let Some(amount) = place.checked_rem(last_chances).and_then(|place| amounts.get_mut(place)) {
            *amount += prize;
        }
    }
    amounts
}

/// The consolation, if it has prizes of its own. In a double elimination its winner plays on for the event
/// instead.
fn consolation(division: &Division) -> Option<usize> {
    let plays_on = matches!(division.settings.format.last, Final::Single | Final::Double);
    flight(division, FlightKind::Consolation).filter(|_| !plays_on)
}

/// Works out what is due to whom.
#[must_use]
pub fn scheduled(division: &Division) -> Scheduled {
    let money = division.played_for();
    let kept = money.kept(division.settings.kept);
    let mut due = Scheduled { kept, ..Scheduled::default() };
    let unit = u64::from(division.settings.payout_unit);
    let schedule = schedule(division);
    let amounts = schedule.amounts(money.pool.saturating_sub(kept), unit);
    due.amounts = schedule.shares().iter().map(|share| share.prize).zip(amounts).collect();
    due.amounts.sort_by_key(|(prize, _)| *prize);
    // The amount for each place of a flight. A kind of prize covers a fixed number of places: one without a
    // share gets nothing, and shares beyond them go to the last of its places.
    let of = |prizes: &[(Prize, usize)]| -> Vec<u64> {
        prizes.iter().fold(Vec::new(), |mut amounts, (prize, places)| {
            let (first, last) = (amounts.len(), amounts.len() + places - 1);
            amounts.resize(last + 1, 0);
            let named = due.amounts.iter().filter(|(named, _)| named == prize);
            named.zip(first..).for_each(|((_, amount), place)| amounts[place.min(last)] += amount);
            amounts
        })
    };
    let named = due.amounts.iter().filter(|(prize, _)| *prize == Prize::LastChanceWinner);
    let chances: Vec<u64> = named.map(|(_, amount)| *amount).collect();
    let flights = [
        (Some(0), of(&[(Prize::Winner, 1), (Prize::Finalist, 1), (Prize::SemiFinalist, 2)])),
        (consolation(division), of(&[(Prize::ConsolationWinner, 1), (Prize::ConsolationFinalist, 1)])),
    ];
    let drawn: Vec<usize> = last_chances(division).collect();
    let chances = for_last_chances(&chances, drawn.len(), unit);
    let chances = drawn.into_iter().zip(chances).map(|(flight, amount)| (Some(flight), vec![amount]));
    let mut left = 0;
    for (flight, amounts) in flights.into_iter().chain(chances) {
        left += match flight {
            Some(flight) => give(division, flight, &amounts, unit, &mut due),
            None => amounts.iter().sum(),
        };
    }
    left += give_side_pools(division, &money.side_pools, unit, &mut due);
    let heirs = heirs(division);
    for (heir, part) in heirs.iter().zip(shared(left, heirs.len(), unit)) {
        *due.prizes.entry(*heir).or_default() += part;
    }
    due.prizes.retain(|_, amount| *amount > 0);
    due
}

/// Who gets what nobody won: the winner. If nobody has won, the best placed of those who have not left,
/// shared among equals. If everybody has left, the best placed of all.
fn heirs(division: &Division) -> Vec<PlayerId> {
    let places = division.bracket.places(0);
    let players = |heirs: &mut dyn Iterator<Item = &Place>| -> Vec<PlayerId> {
        heirs.filter_map(|place| player(division, place.entry)).collect()
    };
    if let Some(winner) = places.first().filter(|place| place.best == 1) {
        return players(&mut std::iter::once(winner));
    }
    let stayed = |place: &&Place| !division.is_out(place.entry);
    let sharing = |first: Option<&Place>| first.map(|first| first.best);
    let best = sharing(places.iter().find(stayed));
    if best.is_some() {
        return players(&mut places.iter().filter(|place| Some(place.best) == best).filter(stayed));
    }
    let best = sharing(places.first());
    players(&mut places.iter().filter(|place| Some(place.best) == best))
}

fn player(division: &Division, entry: EntryNo) -> Option<PlayerId> {
    division.entry(entry).map(|entry| entry.player)
}

/// Gives the prizes of a flight to its places, best first. Entries that share places share their prizes.
/// Returns what nobody won.
fn give(division: &Division, flight: usize, amounts: &[u64], unit: u64, due: &mut Scheduled) -> u64 {
    let places = division.bracket.places(flight);
    let mut left: u64 = amounts.iter().sum();
    for sharing in places.chunk_by(|one, other| one.best == other.best) {
        let Some(first) = sharing.first() else { continue };
        let sum: u64 = amounts_of(amounts, first).iter().sum();
        if sum == 0 {
            continue;
        }
        if first.playing {
            due.still_played = due.still_played.or_else(|| open_match(division, flight));
        }
        left -= sum;
        for (place, part) in sharing.iter().zip(shared(sum, sharing.len(), unit)) {
            if let Some(player) = player(division, place.entry) {
                *due.prizes.entry(player).or_default() += part;
            }
        }
    }
    left
}

fn amounts_of<'a>(amounts: &'a [u64], place: &Place) -> &'a [u64] {
    let at = |place: u32| usize::try_from(place).unwrap_or(usize::MAX).min(amounts.len());
    amounts.get(at(place.best.saturating_sub(1))..at(place.worst)).unwrap_or_default()
}

fn open_match(division: &Division, flight: usize) -> Option<MatchNo> {
    let of_flight = division.bracket.of_flight(flight).filter(|(_, at)| at.outcome.is_none()).last();
    of_flight
        .or_else(|| division.bracket.iter().find(|(_, at)| at.outcome.is_none()))
        .map(|(number, _)| number)
}

/// Gives each side pool to those of its members who did best in the main flight. If no member has a place,
/// because their slots went to others, they get their stakes back. Returns the pools nobody joined.
fn give_side_pools(division: &Division, side_pools: &[u64], unit: u64, due: &mut Scheduled) -> u64 {
    let places = division.bracket.places(0);
    let mut left = 0;
    for (side, sum) in (0..8_u8).zip(side_pools).filter(|(_, sum)| **sum > 0) {
        let joined = |place: &&Place| {
            division.entry(place.entry).is_some_and(|entry| has_stake(division, entry, side))
        };
        let joined: Vec<&Place> = places.iter().filter(joined).collect();
        let best = joined.first().copied();
        let sharing: Vec<EntryNo> = match best {
            Some(best) => {
                joined.iter().filter(|place| place.best == best.best).map(|place| place.entry).collect()
            }
            None => members(division, side).collect(),
        };
        if best.is_some_and(|best| best.playing) && sharing.len() > 1 {
            due.still_played = due.still_played.or_else(|| open_match(division, 0));
        }
        if sharing.is_empty() {
            left += sum;
        }
        for (entry, part) in sharing.iter().zip(shared(*sum, sharing.len(), unit)) {
            if let Some(player) = player(division, *entry) {
                *due.prizes.entry(player).or_default() += part;
            }
        }
    }
    left
}

/// The entries with a stake in a side pool.
fn members(division: &Division, side: u8) -> impl Iterator<Item = EntryNo> {
    let staked = division.entries().filter(move |(_, entry)| has_stake(division, entry, side));
    staked.map(|(number, _)| number)
}

/// Whether an entry has a stake in a side pool: it joined, was not refunded, and is not still waiting for a
/// slot, when it might be.
fn has_stake(division: &Division, entry: &Entry, side: u8) -> bool {
    entry.is_in_pool(side) && !entry.refunded && !division.waits_in_vain(entry)
}
