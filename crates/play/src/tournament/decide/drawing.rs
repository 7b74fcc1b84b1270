//! Seating: the draw by lot or by hand, last chances, and slots filled or swapped after the draw.

use std::collections::{BTreeSet, HashSet};

use super::{Act, Decision, MOST_ENTRIES, leavers, some_once};
use crate::matches::{Ending, MatchNo, Slot};
use crate::tournament::Tournament;
use crate::tournament::about::Remark;
use crate::tournament::bracket::{Change, EntryNo, Later, Misdrawn, Pairing, Source, check_line};
use crate::tournament::command::{DrawBy, SlotOfMatch};
use crate::tournament::division::Division;
use crate::tournament::draw::{DrawEntrant, Seed, draw, one_of};
use crate::tournament::entry::EntryStanding;
use crate::tournament::event::{DrawnBy, DrawnSlot, Event, Leaving, SeatLot};
use crate::tournament::refusal::Refusal;
use crate::tournament::room::DivisionNo;
use owlbox_base::journal::again::drawn_for_shuffle;
use owlbox_base::journal::{Chance, Inputs};
use owlbox_base::values::Timestamp;

const MOST_LAST_CHANCES: usize = 8;
/// The most entries that one command may seat by lot.
pub const MOST_SEATED_AT_ONCE: usize = 64;

/// Entries sorted by what a draw does with them.
#[derive(Default)]
pub(in crate::tournament) struct Seats {
    pub drawn: Vec<EntryNo>,
    pub waiting: Vec<EntryNo>,
    /// Earlier entries of players who have entered again. Only the newest entry is drawn.
    pub replaced: Vec<EntryNo>,
}

impl Seats {
    /// Sorts the entries of a division for a draw. Entries that are out are left aside.
    pub(in crate::tournament) fn of(of: &Division, only_checked_in: bool) -> Self {
        let mut seats = Self::default();
        for (number, entry) in of.entries().filter(|(_, entry)| !entry.standing.is_out()) {
            let list = match of.entry_of(entry.player) == Some(number) {
                false => &mut seats.replaced,
                true if only_checked_in && !entry.checked_in => &mut seats.waiting,
                true => &mut seats.drawn,
            };
            list.push(number);
        }
        seats
    }
}

/// How the main flight of a division is to be drawn.
pub(super) struct DrawOptions<'a> {
    pub method: &'a DrawBy,
    pub only_checked_in: bool,
    pub reason: Option<&'a Remark>,
    pub groups: &'a [(EntryNo, u32)],
}

pub(super) fn draw_main(
    tournament: &Tournament,
    division: DivisionNo,
    how: &DrawOptions<'_>,
    chance: &mut dyn Chance,
) -> Decision {
    let of = tournament.in_division(division)?;
    let reason = how.reason.filter(|_| of.is_drawn());
    if of.is_drawn() && reason.is_none() {
        return Err(Refusal::NeedsReason);
    }
    let Seats { drawn: to_draw, waiting, replaced } = to_draw(tournament, division, how.only_checked_in)?;
    let (drawn, slots) = match how.method {
        DrawBy::Hand { slots } => {
            check_hand(&to_draw, slots)?;
            (DrawnBy::Hand {}, slots.clone())
        }
        DrawBy::Lot {} => by_lot(of, &to_draw, how.groups, chance),
    };
    // The draw replaces the whole bracket, so these withdrawals change nothing in the old one.
    let left = |entry| Event::Withdrawn { division, entry, how: Leaving::EnteredAgain, changes: Vec::new() };
    let mut events: Vec<Event> = replaced.into_iter().map(left).collect();
    events.push(Event::Drawn { division, drawn, waiting, slots, reason: reason.cloned() });
    Ok(events)
}

/// The entries to draw. Errs unless there are at least two, and if a match of an earlier draw has begun.
pub(in crate::tournament) fn to_draw(
    tournament: &Tournament,
    division: DivisionNo,
    only_checked_in: bool,
) -> Result<Seats, Refusal> {
    let of = tournament.in_division(division)?;
    // A player's report does not block a draw, unlike a call or a sheet: drawing again takes a reason, so the
    // director decides.
    let began = |(number, at): &(MatchNo, &Pairing)| {
        Division::is_played(at) || tournament.may_have_begun(division, *number)
    };
    if let Some((number, _)) = of.bracket.iter().find(began) {
        return Err(Refusal::MatchBegan { number });
    }
    let seats = Seats::of(of, only_checked_in);
    if seats.drawn.len() < 2 { Err(Refusal::TooFewEntries) } else { Ok(seats) }
}

/// Draws a new seed, and the slots from it. `entries` must be sorted.
fn by_lot(
    of: &Division,
    entries: &[EntryNo],
    groups: &[(EntryNo, u32)],
    chance: &mut dyn Chance,
) -> (DrawnBy, Vec<DrawnSlot>) {
    let seed = new_seed(chance);
    let groups_of: std::collections::BTreeMap<EntryNo, u32> = groups.iter().copied().collect();
    let drawn = |entry: &EntryNo| DrawEntrant {
        entry: *entry,
        seeded: of.entry(*entry).and_then(|entry| entry.seeded),
        apart: groups_of.get(entry).copied(),
    };
    let line = draw(&entries.iter().map(drawn).collect::<Vec<_>>(), seed);
    let slots = line.into_iter().filter_map(DrawnSlot::new).collect();
    let groups = groups.iter().copied().filter(|(entry, _)| entries.binary_search(entry).is_ok()).collect();
    (DrawnBy::Lot { seed, groups }, slots)
}

/// Draws a seed, in two halves of 24 bits: JSON readers that use doubles keep a 48-bit seed exact.
fn new_seed(chance: &mut dyn Chance) -> Seed {
    const HALF: u32 = 1 << 24;
    Seed(u64::from(chance.below(HALF)) << 24 | u64::from(chance.below(HALF)))
}

fn check_hand(entries: &[EntryNo], slots: &[DrawnSlot]) -> Result<(), Refusal> {
    let line: Vec<Source> = slots.iter().map(|slot| Source::from(*slot)).collect();
    check_line(&line).map_err(|misdrawn| match misdrawn {
        Misdrawn::Twice(entry) => Refusal::BadDraw { entry: Some(entry) },
        Misdrawn::Slots | Misdrawn::EmptyMatch | Misdrawn::Source => Refusal::BadDraw { entry: None },
    })?;
    let sits: BTreeSet<EntryNo> =
        slots.iter().filter_map(|slot| slot.0.filter(|entry| *entry != 0)).map(EntryNo).collect();
    let missing = entries.iter().find(|entry| !sits.contains(entry));
    let strange = sits.iter().find(|entry| entries.binary_search(entry).is_err());
    match missing.or(strange) {
        Some(entry) => Err(Refusal::BadDraw { entry: Some(*entry) }),
        None => Ok(()),
    }
}

pub(in crate::tournament) fn last_chance(
    tournament: &Tournament,
    division: DivisionNo,
    entries: &[EntryNo],
    chance: &mut dyn Chance,
) -> Decision {
    let of = tournament.in_division(division)?;
    takes_last_chance(of)?;
    some_once(entries, MOST_ENTRIES, "entries")?;
    if entries.len() < 2 {
        return Err(Refusal::TooFewEntries);
    }
    let mut sorted = entries.to_vec();
    sorted.sort_unstable();
    sorted.iter().try_for_each(|entry| may_play_last_chance(of, *entry))?;
    let (drawn, slots) = by_lot(of, &sorted, &[], chance);
    Ok(vec![Event::LastChanceDrawn { division, drawn, slots }])
}

/// Whether a division may have another last chance.
pub(in crate::tournament) fn takes_last_chance(of: &Division) -> Result<(), Refusal> {
    if !of.is_drawn() {
        return Err(Refusal::NotDrawn);
    }
    if of.last_chances.len() >= MOST_LAST_CHANCES {
        return Err(Refusal::TooMany { what: "last_chances", most: 8 });
    }
    Ok(())
}

/// Whether an entry may play a last chance: neither it nor its player under a newer number has anything left
/// to play.
pub(in crate::tournament) fn may_play_last_chance(of: &Division, entry: EntryNo) -> Result<(), Refusal> {
    let player = of.playing(entry)?.player;
    let plays_again = of.entry_of(player).is_some_and(|newest| newest != entry && !of.is_out(newest));
    if of.current(entry).is_some() || plays_again { Err(Refusal::StillIn { entry }) } else { Ok(()) }
}

/// The slots that a waiting entry can be given now, in order. Empty if the entry does not wait.
pub(in crate::tournament) fn free_places(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    at: Timestamp,
) -> impl Iterator<Item = SlotOfMatch> {
    let waits =
        |of: &&Division| of.entry(entry).is_some_and(|entry| entry.standing == EntryStanding::Waiting);
    let of = tournament.division(division).filter(waits);
    let first_rounds = of.into_iter().flat_map(|of| of.bracket.iter().filter(|(_, at)| at.round == 0));
    let places = first_rounds.flat_map(|(number, _)| Slot::BOTH.map(|slot| SlotOfMatch { number, slot }));
    places
        .filter(move |place| of.is_some_and(|of| is_free(of, *place)))
        .filter(move |place| seat_by_hand(&mut Act::on(tournament, at), division, entry, *place).is_ok())
}

/// Whether a slot is free for a late entry: a slot of a first round that is a bye, is open, or belongs to an
/// entry that has left.
fn is_free(of: &Division, SlotOfMatch { number, slot }: SlotOfMatch) -> bool {
    let Some(at) = of.bracket.get(number).filter(|at| at.round == 0) else { return false };
    match at.source(slot) {
        Source::Bye | Source::Open => true,
        Source::Entry { entry } => of.is_out(entry) && !Division::is_played(at),
        Source::Winner { .. } | Source::Loser { .. } => false,
    }
}

/// The changes if this entry is seated there. Errs if that would disturb a match that was played or is under
/// way.
fn seating(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    SlotOfMatch { number, slot }: SlotOfMatch,
) -> Result<Vec<Change>, Refusal> {
    let of = tournament.in_division(division)?;
    let source = DrawnSlot(Some(entry.0)).into();
    let changes = of.settle(Later::Void, &[], None, |settling| settling.source(number, slot, source));
    let disturbed = of.disturbed(&changes, |number| tournament.is_under_way(division, number));
    if disturbed.is_empty() { Ok(changes) } else { Err(Refusal::LaterPlayed { matches: disturbed }) }
}

/// Seats waiting entries in free slots by lot, open slots before byes. Entries that find none go on waiting.
pub(super) fn seat_by_lot(
    act: &mut Act,
    division: DivisionNo,
    entries: &[EntryNo],
    chance: &mut dyn Chance,
) -> Result<(), Refusal> {
    let mut free = free_for_anybody(act.division(division)?);
    shuffle(&mut free, chance);
    free.sort_by_key(|(is_bye, _)| *is_bye);
    let mut free = free.into_iter();
    for entry in entries {
        // If somebody has played on from a slot, it is lost to every entry, so it is not offered again.
        let seated = free.by_ref().find_map(|(_, place)| {
            let mut trial = Act { now: act.now.clone(), at: act.at, events: Vec::new() };
            take_place(&mut trial, division, *entry, place, None).is_ok().then_some(trial)
        });
        let Some(mut seated) = seated else { break };
        act.now = seated.now;
        act.events.append(&mut seated.events);
    }
    Ok(())
}

/// The slots of the first round that no entry is named for, in order, each with whether it is a bye.
fn free_for_anybody(of: &Division) -> Vec<(bool, SlotOfMatch)> {
    let first_round = of.bracket.of_flight(0).take_while(|(_, at)| at.round == 0);
    let unless_named = |source: Source| matches!(source, Source::Bye | Source::Open);
    first_round
        .flat_map(|(number, at)| Slot::BOTH.map(|slot| (at.source(slot), SlotOfMatch { number, slot })))
        .filter(|(source, _)| unless_named(*source))
        .map(|(source, place)| (source == Source::Bye, place))
        .collect()
}

/// The numbers chance must have drawn for [`seat_by_lot`] to give these slots away in this order: they came
/// first among those of their kind. `None` if one of them was not free.
pub(in crate::tournament) fn drawn_for_seats(of: &Division, inputs: &[SlotOfMatch]) -> Option<Vec<u32>> {
    let free: Vec<(MatchNo, Slot)> =
        free_for_anybody(of).into_iter().map(|(_, place)| (place.number, place.slot)).collect();
    let mut wanted: Vec<(MatchNo, Slot)> = inputs.iter().map(|place| (place.number, place.slot)).collect();
    let named: HashSet<(MatchNo, Slot)> = wanted.iter().copied().collect();
    wanted.extend(free.iter().copied().filter(|place| !named.contains(place)));
    drawn_for_shuffle(&free, &wanted)
}

fn shuffle<T>(list: &mut [T], chance: &mut dyn Chance) {
    for last in (1..list.len()).rev() {
        let sides = u32::try_from(last + 1).unwrap_or(u32::MAX);
        list.swap(last, usize::try_from(chance.below(sides)).unwrap_or(last));
    }
}

pub(super) fn seat(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    place: SlotOfMatch,
    inputs: &Inputs<'_>,
) -> Decision {
    let mut act = Act::on(tournament, inputs.now);
    seat_by_hand(&mut act, division, entry, place)?;
    Ok(act.events)
}

fn seat_by_hand(
    act: &mut Act,
    division: DivisionNo,
    entry: EntryNo,
    place: SlotOfMatch,
) -> Result<(), Refusal> {
    let of = act.division(division)?;
    if DrawnSlot(Some(entry.0)) == DrawnSlot::BYE {
        return leave_empty(act, division, place);
    }
    if of.playing(entry)?.standing != EntryStanding::Waiting {
        return Err(Refusal::NotWaiting { entry });
    }
    of.known_match(place.number)?;
    if !is_free(of, place) {
        return Err(Refusal::SlotTaken);
    }
    take_place(act, division, entry, place, None)
}

/// Turns an open slot into a bye because nobody comes for it. If the other slot is empty too, nobody
/// advances.
fn leave_empty(act: &mut Act, division: DivisionNo, place: SlotOfMatch) -> Result<(), Refusal> {
    let at = act.division(division)?.known_match(place.number)?;
    if at.source(place.slot) != Source::Open {
        return Err(Refusal::SlotTaken);
    }
    take_place(act, division, EntryNo(0), place, None)
}

/// Seats an entry in a slot. Its player's other entries give up theirs.
fn take_place(
    act: &mut Act,
    division: DivisionNo,
    entry: EntryNo,
    place: SlotOfMatch,
    lot: Option<SeatLot>,
) -> Result<(), Refusal> {
    for other in leavers::others_of_player(act.division(division)?, entry) {
        leavers::may_leave_its_match(&act.now, division, other)?;
        let left = leavers::left(act.division(division)?, division, other, Leaving::EnteredAgain);
        act.happens(left);
    }
    let changes = seating(&act.now, division, entry, place)?;
    act.happens(Event::Seated { division, entry, number: place.number, slot: place.slot, changes, lot });
    Ok(())
}

/// Seats waiting entries by lots that are drawn now, each from a seed of its own.
pub(super) fn seat_drawn(
    tournament: &Tournament,
    division: DivisionNo,
    entries: &[EntryNo],
    inputs: &mut Inputs<'_>,
) -> Decision {
    let of = tournament.in_division(division)?;
    some_once(entries, MOST_SEATED_AT_ONCE, "entries")?;
    for entry in entries {
        if of.playing(*entry)?.standing != EntryStanding::Waiting {
            return Err(Refusal::NotWaiting { entry: *entry });
        }
    }
    let mut act = Act::on(tournament, inputs.now);
    for entry in entries {
        let among = places_for_lot(&act.now, division, *entry, inputs.now);
        if among.is_empty() {
            continue;
        }
        let seed = new_seed(inputs.chance);
        let place = *among.get(one_of(seed, among.len())).ok_or(Refusal::SlotTaken)?;
        take_place(&mut act, division, *entry, place, Some(SeatLot { seed, among }))?;
    }
    if act.events.is_empty() { Err(Refusal::SlotTaken) } else { Ok(act.events) }
}

/// The slots among which the lot is drawn for a waiting entry, in order. Filling an open slot changes the
/// least.
pub(in crate::tournament) fn places_for_lot(
    tournament: &Tournament,
    division: DivisionNo,
    entry: EntryNo,
    at: Timestamp,
) -> Vec<SlotOfMatch> {
    let found = |place: &SlotOfMatch| tournament.division(division)?.bracket.get(place.number);
    let free = free_places(tournament, division, entry, at);
    let main = free.filter(|place| found(place).is_some_and(|at| at.flight == 0));
    let is_open = |place: &SlotOfMatch| found(place).is_some_and(|at| at.source(place.slot) == Source::Open);
    let (open, others): (Vec<_>, Vec<_>) = main.partition(is_open);
    if open.is_empty() { others } else { open }
}

pub(super) fn exchange(
    tournament: &Tournament,
    division: DivisionNo,
    one: SlotOfMatch,
    other: SlotOfMatch,
) -> Decision {
    let of = tournament.in_division(division)?;
    let source = |place: SlotOfMatch| {
        let at = of.known_match(place.number)?;
        let drawn = DrawnSlot::new(at.source(place.slot)).map(Source::from);
        let source = drawn.filter(|_| at.round == 0).ok_or(Refusal::SlotTaken)?;
        let began = Division::is_played(at) || tournament.is_under_way(division, place.number);
        if began { Err(Refusal::MatchBegan { number: place.number }) } else { Ok((source, at.flight)) }
    };
    let ((here, flight), (there, other_flight)) = (source(one)?, source(other)?);
    if flight != other_flight || here == there {
        return Err(Refusal::SlotTaken);
    }
    let changes = of.settle(Later::Void, &[], None, |settling| {
        settling.source(one.number, one.slot, there);
        settling.source(other.number, other.slot, here);
    });
    // A swap must not put two byes into one match.
    let empty = |change: &&Change| {
        let at = of.bracket.get(change.number);
        at.is_some_and(|at| at.round == 0)
            && change.outcome.is_some_and(|outcome| outcome.ending == Ending::Bye && outcome.winner.is_none())
    };
    if changes.iter().any(|change| empty(&change)) {
        return Err(Refusal::BadDraw { entry: None });
    }
    let disturbed = of.disturbed(&changes, |number| tournament.is_under_way(division, number));
    if !disturbed.is_empty() {
        return Err(Refusal::LaterPlayed { matches: disturbed });
    }
    Ok(vec![Event::Exchanged { division, changes }])
}
