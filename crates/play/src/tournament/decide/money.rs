//! Fees, side pools, cash and prizes.

use std::collections::BTreeMap;

use super::Decision;
use crate::tournament::Tournament;
use crate::tournament::bracket::EntryNo;
use crate::tournament::event::{Awarded, Entered, Event};
use crate::tournament::money::{Transfer, TransferKind};
use crate::tournament::prizes::{Scheduled, scheduled};
use crate::tournament::refusal::Refusal;
use crate::tournament::room::DivisionNo;
use crate::tournament::settings::Fee;
use owlbox_base::values::{Currency, Holder, MinorUnits, PlayerId};

pub(super) fn pay_in(tournament: &Tournament, player: PlayerId, amount: Fee, seen: Option<i64>) -> Decision {
    is_as_seen(tournament, player, seen)?;
    let paid_in = transfer(Holder::House, Holder::Player(player), amount.minor_units(), TransferKind::PaidIn);
    cash_booking(tournament, player, paid_in)
}

pub(super) fn pay_out(tournament: &Tournament, player: PlayerId, amount: Fee, seen: Option<i64>) -> Decision {
    is_as_seen(tournament, player, seen)?;
    let paid_out =
        transfer(Holder::Player(player), Holder::House, amount.minor_units(), TransferKind::PaidOut);
    cash_booking(tournament, player, paid_out)
}

impl Tournament {
    /// What a player owes the tournament.
    ///
    /// # Errors
    /// `bad_amount`: more than a payment may be.
    pub fn owed_by(&self, player: PlayerId) -> Result<Fee, Refusal> {
        Fee::try_from(self.account(player).min(0).unsigned_abs()).map_err(|_| Refusal::BadAmount)
    }

    /// Refuses to take money from a player who does not owe what was seen.
    ///
    /// # Errors
    /// `debt_changed`.
    pub fn owes_as_seen(&self, player: PlayerId, owed: Fee) -> Result<(), Refusal> {
        if self.owed_by(player)? == owed { Ok(()) } else { Err(Refusal::DebtChanged) }
    }
}

/// Refuses a payment that was recorded elsewhere already: the account is not as the caller saw it.
fn is_as_seen(tournament: &Tournament, player: PlayerId, seen: Option<i64>) -> Result<(), Refusal> {
    let account = tournament.account(player);
    if seen.is_none_or(|seen| seen == account) { Ok(()) } else { Err(Refusal::DebtChanged) }
}

pub(super) fn add(tournament: &Tournament, division: DivisionNo, amount: Fee) -> Decision {
    currency(tournament)?;
    tournament.in_division(division)?;
    let pool = Holder::Pool(tournament.id);
    let transfer = transfer(Holder::House, pool, amount.minor_units(), TransferKind::Added);
    let booked = booked(tournament, Some(division), None, transfer.into_iter().collect())?;
    Ok(vec![booked.ok_or(Refusal::BadAmount)?])
}

pub(in crate::tournament) fn currency(tournament: &Tournament) -> Result<Currency, Refusal> {
    tournament.currency().ok_or(Refusal::NoMoney)
}

/// A booking of these transfers; `None` if there are none.
fn booked(
    tournament: &Tournament,
    division: Option<DivisionNo>,
    side_pool: Option<u8>,
    transfers: Vec<Transfer>,
) -> Result<Option<Event>, Refusal> {
    if transfers.is_empty() {
        return Ok(None);
    }
    Ok(Some(Event::Booked { division, side_pool, currency: currency(tournament)?, transfers }))
}

/// A transfer of this amount; `None` if it is zero.
fn transfer(from: Holder, to: Holder, amount: u64, what: TransferKind) -> Option<Transfer> {
    let amount = i64::try_from(amount).ok().filter(|amount| *amount > 0)?;
    Some(Transfer { from, to, amount: MinorUnits(amount), what })
}

/// The booking of cash that a player pays or gets.
fn cash_booking(tournament: &Tournament, player: PlayerId, cash: Option<Transfer>) -> Decision {
    currency(tournament)?;
    let plays = |of: &crate::tournament::division::Division| of.entry_of(player).is_some();
    if !tournament.divisions().any(|(_, of)| plays(of)) {
        return Err(Refusal::NotEntered);
    }
    let booked = booked(tournament, None, None, cash.into_iter().collect())?;
    Ok(vec![booked.ok_or(Refusal::BadAmount)?])
}

/// The bookings that charge new entries their fees and stakes. A re-entry pays no registration.
pub(super) fn charges(
    tournament: &Tournament,
    division: DivisionNo,
    entered: &[Entered],
) -> Result<Vec<Event>, Refusal> {
    let of = tournament.in_division(division)?;
    let (fees, pool) = (of.settings.fees, Holder::Pool(tournament.id));
    let transfers = entered.iter().flat_map(|new| {
        let player = Holder::Player(new.player);
        let fee = match new.again {
            None => transfer(player, pool, fees.entry.minor_units(), TransferKind::EntryFee),
            Some(_) => transfer(player, pool, fees.re_entry.minor_units(), TransferKind::ReEntry),
        };
        let registration = fees.registration.minor_units();
        let registration = transfer(player, Holder::House, registration, TransferKind::Registration);
        fee.into_iter().chain(registration.filter(|_| new.again.is_none()))
    });
    let mut events: Vec<Event> =
        booked(tournament, Some(division), None, transfers.collect())?.into_iter().collect();
    for side in 0..8_u8 {
        let joined = entered.iter().filter(|new| new.side_pools & (1 << side) != 0);
        let joined: Vec<PlayerId> = joined.map(|new| new.player).collect();
        events.extend(side_pool(tournament, division, side, &joined, true)?);
    }
    Ok(events)
}

/// The booking of stakes that players pay into a side pool, or get back from it.
pub(super) fn side_pool(
    tournament: &Tournament,
    division: DivisionNo,
    side: u8,
    players: &[PlayerId],
    joins: bool,
) -> Result<Option<Event>, Refusal> {
    let of = tournament.in_division(division)?;
    let stake = of.settings.side_pools.get(usize::from(side)).map_or(0, |pool| pool.stake.minor_units());
    let pool = Holder::Pool(tournament.id);
    let transfers = players.iter().filter_map(|player| {
        let player = Holder::Player(*player);
        if joins {
            transfer(player, pool, stake, TransferKind::SidePool)
        } else {
            transfer(pool, player, stake, TransferKind::Refund)
        }
    });
    booked(tournament, Some(division), Some(side), transfers.collect())
}

/// The bookings that refund everything an entry without a slot was charged.
pub(super) fn refund(
    tournament: &Tournament,
    division: DivisionNo,
    player: PlayerId,
    entry: EntryNo,
) -> Result<Vec<Event>, Refusal> {
    let of = tournament.in_division(division)?;
    let charged = of.known(entry)?;
    // State books charges to a player's newest entry, so only that one can be refunded.
    if of.entry_of(charged.player) != Some(entry) {
        return Ok(Vec::new());
    }
    let pool = Holder::Pool(tournament.id);
    let back = [
        transfer(pool, Holder::Player(player), charged.into_pool, TransferKind::Refund),
        transfer(Holder::House, Holder::Player(player), charged.registration, TransferKind::Refund),
    ];
    let back = back.into_iter().flatten().collect();
    let mut events: Vec<Event> = booked(tournament, Some(division), None, back)?.into_iter().collect();
    for side in (0..8_u8).filter(|side| charged.is_in_pool(*side)) {
        events.extend(side_pool(tournament, division, side, &[player], false)?);
    }
    Ok(events)
}

/// Everything that goes back when the tournament is cancelled: what entries were charged, to their players,
/// and what else is in the pools, to the house.
pub(super) fn all_back(tournament: &Tournament) -> Vec<Transfer> {
    let pool = Holder::Pool(tournament.id);
    let mut transfers = Vec::new();
    for (_, of) in tournament.divisions() {
        let mut left = of.in_the_pools();
        for (_, entry) in of.gets_back() {
            let player = Holder::Player(entry.player);
            let from_pools = entry.into_pool + of.stakes_of(entry);
            left = left.saturating_sub(from_pools);
            transfers.extend(transfer(pool, player, from_pools, TransferKind::Refund));
            transfers.extend(transfer(Holder::House, player, entry.registration, TransferKind::Refund));
        }
        if of.awards.is_none() {
            transfers.extend(transfer(pool, Holder::House, left, TransferKind::Refund));
        }
    }
    transfers
}

/// Awards the pools of a division. If they were awarded before, only the difference moves.
pub(super) fn award(tournament: &Tournament, division: DivisionNo, by_hand: Option<&[Awarded]>) -> Decision {
    let currency = currency(tournament)?;
    let of = tournament.in_division(division)?;
    if !of.is_drawn() {
        return Err(Refusal::NotDrawn);
    }
    let Scheduled { kept, prizes, still_played, .. } = scheduled(of);
    let to_give = of.played_for().for_players(of.settings.kept);
    let awards = match by_hand {
        Some(awards) => {
            let given = awards.iter().try_fold(0_u64, |sum, award| sum.checked_add(award.amount));
            let known = awards.iter().all(|award| of.entry_of(award.player).is_some());
            if given != Some(to_give) || !known {
                return Err(Refusal::NotThePool { pool: to_give });
            }
            let players: Vec<PlayerId> = awards.iter().map(|award| award.player).collect();
            super::each_once(&players, super::MOST_ENTRIES, "awards")?;
            awards.to_vec()
        }
        None => match still_played {
            Some(number) => {
                let at = crate::tournament::room::MatchRef { division, number };
                return Err(Refusal::StillPlayed { at });
            }
            None => {
                prizes.iter().map(|(player, amount)| Awarded { player: *player, amount: *amount }).collect()
            }
        },
    };
    let before = of.awards.as_deref();
    let transfers = differences(Holder::Pool(tournament.id), kept, &awards, before);
    Ok(vec![Event::Awarded { division, kept, awards, currency, transfers }])
}

/// The transfers that take everybody from the earlier award, if any, to the new one.
fn differences(
    pool: Holder,
    kept: u64,
    awards: &[Awarded],
    before: Option<&crate::tournament::division::Awards>,
) -> Vec<Transfer> {
    let mut wanted: BTreeMap<Holder, i128> = BTreeMap::from([(Holder::House, i128::from(kept))]);
    for award in awards {
        *wanted.entry(Holder::Player(award.player)).or_default() += i128::from(award.amount);
    }
    if let Some(before) = before {
        *wanted.entry(Holder::House).or_default() -= i128::from(before.kept);
        for award in &before.awards {
            *wanted.entry(Holder::Player(award.player)).or_default() -= i128::from(award.amount);
        }
    }
    let moves = wanted.into_iter().filter_map(|(holder, amount)| {
        let what = if holder == Holder::House { TransferKind::Kept } else { TransferKind::Prize };
        let units = u64::try_from(amount.unsigned_abs()).unwrap_or(u64::MAX);
        if amount > 0 {
            transfer(pool, holder, units, what)
        } else {
            transfer(holder, pool, units, TransferKind::Returned)
        }
    });
    moves.collect()
}
