//! Opening a table, its rules, splitting it, payments.

use chrono::NaiveDate;

use crate::decide::SEATS;
use crate::decide::{Decision, completed, not_playing, standing_line};
use crate::event::Event;
use crate::order::{Line, Seats};
use crate::refusal::Refusal;
use crate::rules::{HouseRules, Settlements, SplitFrom, Stakes};
use crate::state::Chouette;
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId, Stake, is_deceptive};
use owlbox_engine::Win;

/// The longest name of a table, in characters.
pub const LONGEST_NAME: usize = 80;
/// The fewest who may leave to make a chouette of their own (Q1).
pub const TO_LEAVE: usize = 3;
/// The most that one player may be able to win or lose in one game, in minor units. Thousands of such games
/// still fit into the ledger.
const MOST_A_GAME: i64 = 1_000_000_000_000_000;
/// The most that one player pays another at once, in minor units or half points.
pub const MOST_PAID: i64 = 1_000_000_000_000_000;

pub(super) fn open(
    name: &str,
    night: NaiveDate,
    stake: Option<Stake>,
    rules: &HouseRules,
    from: Option<ChouetteId>,
) -> Decision {
    let name = name.trim();
    let cannot_be = |c: char| c.is_control() || is_deceptive(c) || matches!(c, '\u{2028}' | '\u{2029}');
    if !(1..=LONGEST_NAME).contains(&name.chars().count()) || name.chars().any(cannot_be) {
        return Err(Refusal::BadName);
    }
    check(rules, stake, 1, "stake")?;
    Ok(vec![Event::Opened { name: name.to_owned(), night, stake, rules: Box::new(rules.clone()), from }])
}

/// Q14: checks that the rules do not contradict each other and suit the stakes: the table's, and at most
/// `units` of them for one player. `field` names what is too high if they do not.
fn check(rules: &HouseRules, stake: Option<Stake>, units: u16, field: &'static str) -> Result<(), Refusal> {
    rules.check().map_err(|contradiction| Refusal::ContradictoryRules { contradiction })?;
    let half_a_point_splits = |stake: Stake| stake.splits(HalfPoints(1));
    if rules.settlements == Settlements::Halves && stake.is_some_and(half_a_point_splits) {
        return Err(Refusal::OddStake);
    }
    let units = if rules.stakes == Stakes::LowerOfTwo { i64::from(units) } else { 1 };
    let most = MOST_A_GAME / (most_points(rules) * units);
    match stake {
        Some(stake) if i64::from(stake.amount) > most => Err(Refusal::StakesTooHigh { field, most }),
        _ => Ok(()),
    }
}

/// The most points that one player can win or lose in a game at a stake of 1: a backgammon in a bet with
/// every seat, the cube at its cap.
fn most_points(rules: &HouseRules) -> i64 {
    let bets = i64::try_from(SEATS).unwrap_or(i64::from(u8::MAX));
    bets * i64::from(rules.cube_limit().get()) * i64::from(Win::Backgammon.multiplier())
}

/// The most of the table's stakes that one player may play for, so that no game passes `MOST_A_GAME`.
pub(super) fn most_units(chouette: &Chouette) -> i64 {
    let stake = chouette.stake().map_or(1, |stake| i64::from(stake.amount));
    MOST_A_GAME / (most_points(chouette.rules()) * stake)
}

/// Q14: rules change only between games, and the journal keeps the change.
pub(super) fn change_rules(chouette: &Chouette, rules: &HouseRules) -> Decision {
    check(rules, chouette.stake(), chouette.most_units(), "rules")?;
    not_playing(chouette)?;
    if rules == chouette.rules() {
        return Err(Refusal::NothingChanges);
    }
    let seats = match chouette.seats() {
        Seats::Line(line) => {
            // However many play: a partnership, once made, stays as long as the house has partners at all.
            let mut line = line.clone();
            line.end_partnership(rules.partner.ever());
            Seats::Line(line)
        }
        early @ (Seats::Gathering { .. } | Seats::Rolling { .. }) => early.clone(),
    };
    Ok(vec![Event::RulesChanged { rules: Box::new(rules.clone()), seats }])
}

/// Whether the table can be split: enough are ready to play for some to leave and a game to go on.
pub(crate) fn can_split(chouette: &Chouette) -> bool {
    most_leaving(chouette) >= TO_LEAVE
}

/// How many of those ready to play may leave for a table of their own. Players on a break stay.
fn most_leaving(chouette: &Chouette) -> usize {
    let ready = chouette.seats().standing().map_or(0, Line::ready);
    ready.saturating_sub(chouette.rules().players_needed())
}

/// Whether more are at the table than may play at one, and some of them can leave. Where too many are on a
/// break, nobody waits for a split that cannot be.
pub(super) fn is_split_due(chouette: &Chouette) -> bool {
    chouette.present().len() > chouette.rules().table_size.at_most.get() && can_split(chouette)
}

/// Who would leave if the table were split now; empty if it need not be split, or cannot be.
pub(crate) fn proposed_split(chouette: &Chouette) -> Vec<PlayerId> {
    let rules = chouette.rules();
    let Some(line) = chouette.seats().standing() else { return Vec::new() };
    let present = line.present();
    let at_most = rules.table_size.at_most.get();
    if !is_split_due(chouette) {
        return Vec::new();
    }
    let mut leaving = (present.len() - at_most).clamp(TO_LEAVE, most_leaving(chouette));
    let mut going = Vec::new();
    // Players on a break stay where they are.
    let active = line.active();
    let newcomer = chouette.newest().filter(|newest| active.contains(newest));
    if let (SplitFrom::NewcomerAndLast, Some(newcomer)) = (rules.table_size.split, newcomer) {
        going.push(newcomer);
        leaving -= 1;
    }
    let last = active.iter().rev().copied().filter(|player| !going.contains(player));
    let last: Vec<PlayerId> = last.take(leaving).collect();
    going.extend(last);
    // In the order they sat in.
    line.line.iter().copied().filter(|player| going.contains(player)).collect()
}

pub(super) fn split(chouette: &Chouette, players: &[PlayerId], table: Option<ChouetteId>) -> Decision {
    let line = standing_line(chouette)?;
    let stay = chouette.rules().players_needed();
    let refused = || Refusal::BadSplit { leaving: proposed_split(chouette), stay };
    let once = |player: &PlayerId| players.iter().filter(|other| *other == player).count() == 1;
    let present = line.present();
    let sit_here = |player: &PlayerId| present.contains(player) && !line.resting.contains(player);
    let mut left = line.clone();
    for player in players {
        left.remove(*player, false);
    }
    if players.len() < TO_LEAVE || !players.iter().all(|player| once(player) && sit_here(player)) {
        return Err(refused());
    }
    if left.ready() < stay {
        return Err(refused());
    }
    let table = table.ok_or_else(refused)?;
    let (players, seats) = (players.to_vec(), Seats::Line(left));
    Ok(completed(chouette, Event::Split { table, players, seats, may_decline: None }))
}

/// A payment changes debts, never scores.
pub(super) fn pay(chouette: &Chouette, payer: PlayerId, payee: PlayerId, amount: i64) -> Decision {
    for player in [payer, payee] {
        if !chouette.knows(player) {
            return Err(Refusal::UnknownPlayer { player, present: chouette.present() });
        }
    }
    if payer == payee || !(1..=MOST_PAID).contains(&amount) {
        return Err(Refusal::BadAmount { most: HalfPoints(MOST_PAID) });
    }
    Ok(vec![Event::Paid { payer, payee, amount }])
}
