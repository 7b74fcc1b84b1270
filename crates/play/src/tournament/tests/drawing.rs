//! The draw, by lot and by hand, and slots filled or swapped after it.

use std::collections::BTreeSet;

use serde_json::json;

use super::{FIRST, Lots, TestTournament, match_ref, moment};
use crate::matches::{MatchNo, Slot};
use crate::tournament::bracket::{EntryNo, FlightKind, Source};
use crate::tournament::command::SlotOfMatch;
use crate::tournament::draw::{DrawEntrant, draw, one_of};
use crate::tournament::entry::EntryStanding;
use crate::tournament::event::{DrawnBy, DrawnSlot, Event};
use crate::tournament::refusal::Refusal;
use owlbox_base::journal::again::{CommandFound, decided_again};

/// Proves T3.
#[test]
fn a_draw_can_be_made_again_from_what_was_recorded() {
    let mut tournament = TestTournament::with(json!({}));
    tournament.enter(1..=23);
    tournament.good(json!({"command": "seed", "entries": [7, 3]}));
    let command = crate::tournament::Command::Draw {
        division: FIRST,
        method: crate::tournament::command::DrawBy::Lot {},
        only_checked_in: false,
        reason: None,
        groups: vec![(EntryNo(1), 5), (EntryNo(2), 5), (EntryNo(9), 6), (EntryNo(900), 6)],
    };
    let events = tournament.does(&command).unwrap();
    let [Event::Drawn { drawn: DrawnBy::Lot { seed, groups }, slots, .. }] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(groups.len(), 3, "who did not enter is in no group");
    let seeded = |number| [7, 3].iter().position(|seed| *seed == number).map(|at| [1, 2][at]);
    let apart = |number| groups.iter().find(|(entry, _)| entry.0 == number).map(|(_, group)| *group);
    let all: Vec<DrawEntrant> = (1..=23)
        .map(|number| DrawEntrant { entry: EntryNo(number), seeded: seeded(number), apart: apart(number) })
        .collect();
    let line: Vec<DrawnSlot> = draw(&all, *seed).into_iter().filter_map(DrawnSlot::new).collect();
    assert_eq!(*slots, line);
}

/// Proves T4.
#[test]
fn drawing_again_needs_a_reason_and_that_no_match_has_begun() {
    let mut tournament = TestTournament::drawn(json!({}), 4, &[1, 2, 3, 4]);
    assert_eq!(tournament.refused(json!({"command": "draw"})), Refusal::NeedsReason);
    let again = json!({"command": "draw", "reason": "a card was missing"});
    tournament.good(json!({"command": "set_tables", "tables": [{"table": 1}]}));
    tournament.good(json!({"command": "call", "match": 2}));
    assert_eq!(tournament.refused(again.clone()), Refusal::MatchBegan { number: MatchNo(2) });
    tournament.good(json!({"command": "uncall", "match": 2}));
    tournament.good(again.clone());
    assert_eq!(tournament.division().draws.len(), 2, "the first is not forgotten");
    tournament.won(1, super::Slot::Upper);
    assert_eq!(tournament.refused(again), Refusal::MatchBegan { number: MatchNo(1) });
}

/// Proves T4.
#[test]
fn nothing_that_was_said_of_matches_outlives_the_draw() {
    let mut tournament = TestTournament::drawn(json!({}), 4, &[1, 2, 3, 4]);
    tournament.good(json!({"command": "report", "match": 1, "entry": 1, "score": [7, 0]}));
    tournament.good(json!({"command": "postpone", "match": 2}));
    tournament
        .good(json!({"command": "draw", "reason": "again", "method": {"by": "hand", "slots": [1, 3, 2, 4]}}));
    assert!(tournament.division().reports.is_empty());
    assert!(tournament.now.room.postponed.is_empty());
    tournament.good(json!({"command": "report", "match": 1, "entry": 3, "score": [7, 0]}));
    assert!(tournament.at(1).outcome.is_none(), "1 has said nothing of this match");
}

#[test]
fn who_waited_and_is_drawn_waits_no_more() {
    let mut tournament = TestTournament::with(json!({}));
    tournament.enter(1..=3);
    tournament.good(json!({"command": "check_in", "entries": [1, 2]}));
    tournament.good(json!({"command": "draw", "only_checked_in": true}));
    assert_eq!(tournament.standing(3), EntryStanding::Waiting);
    tournament.good(json!({"command": "draw", "reason": "3 is here"}));
    assert_eq!(tournament.standing(3), EntryStanding::In);
    let seat = json!({"command": "seat", "entry": 3, "match": 1, "slot": "upper"});
    assert_eq!(tournament.refused(seat), Refusal::NotWaiting { entry: EntryNo(3) });
}

/// Proves T5.
#[test]
fn slots_drawn_by_hand_hold_every_entry_once() {
    let mut tournament = TestTournament::with(json!({}));
    tournament.enter(1..=3);
    let mut by_hand = |slots: serde_json::Value| {
        tournament.refused(json!({"command": "draw", "method": {"by": "hand", "slots": slots}}))
    };
    let bad = |entry: Option<u32>| Refusal::BadDraw { entry: entry.map(EntryNo) };
    assert_eq!(by_hand(json!([1, 2, 3])), bad(None));
    assert_eq!(by_hand(json!([1, 2, 3, 3])), bad(Some(3)));
    assert_eq!(by_hand(json!([1, 2, 0, 0])), bad(None));
    assert_eq!(by_hand(json!([1, 2, null, 0])), bad(Some(3)));
    assert_eq!(by_hand(json!([1, 2, 3, 9])), bad(Some(9)));
}

/// Proves T7.
#[test]
fn an_open_slot_waits_until_somebody_is_named_or_nobody_comes() {
    let mut tournament = TestTournament::with(json!({}));
    tournament.enter(1..=3);
    tournament.good(json!({"command": "draw", "method": {"by": "hand", "slots": [1, null, 2, 3]}}));
    assert!(tournament.at(1).outcome.is_none(), "an open slot is not a bye");
    let seat = |entry: u32, slot: &str| json!({"command": "seat", "entry": entry, "match": 1, "slot": slot});
    assert_eq!(tournament.refused(seat(0, "upper")), Refusal::SlotTaken);
    tournament.good(seat(0, "lower"));
    assert_eq!((tournament.at(1).sources[1], tournament.sit(3)), (Source::Bye, [1, 0]));
    // A late entry can still take the slot of that bye.
    tournament.enter([4]);
    assert_eq!(tournament.sit(1), [1, 4]);
}

#[test]
fn who_comes_late_is_seated_in_an_open_slot_before_a_bye() {
    let mut tournament = TestTournament::with(json!({}));
    tournament.enter(1..=6);
    let slots = json!([1, 0, 2, null, 3, 4, 5, 6]);
    tournament.good(json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
    tournament.enter([7]);
    assert_eq!(tournament.sit(2), [2, 7]);
}

/// Proves T5.
#[test]
fn slots_are_exchanged_across_byes() {
    let mut tournament = TestTournament::drawn(json!({}), 3, &[1, 2, 3, 0]);
    let place = |number: u32, slot: &str| json!({"match": number, "slot": slot});
    tournament.good(json!({"command": "exchange", "one": place(1, "upper"), "other": place(2, "lower")}));
    assert_eq!((tournament.sit(1), tournament.sit(2), tournament.sit(3)), ([0, 2], [3, 1], [2, 0]));
    assert_eq!(tournament.division().current(EntryNo(1)).unwrap().0, MatchNo(2));
    assert_eq!(tournament.now.room.queue.keys().map(|(_, at)| *at).collect::<Vec<_>>(), [match_ref(2)]);
    // Two byes must not meet.
    let mut two = TestTournament::drawn(json!({}), 2, &[1, 0, 2, 0]);
    let refusal =
        two.refused(json!({"command": "exchange", "one": place(1, "upper"), "other": place(2, "lower")}));
    assert_eq!(refusal, Refusal::BadDraw { entry: None });
    // Slots of a match that was played are not swapped.
    tournament.won(2, super::Slot::Upper);
    let refusal = tournament
        .refused(json!({"command": "exchange", "one": place(1, "upper"), "other": place(2, "lower")}));
    assert_eq!(refusal, Refusal::MatchBegan { number: MatchNo(2) });
    tournament.won(3, super::Slot::Upper);
    let refusal = tournament
        .refused(json!({"command": "exchange", "one": place(1, "upper"), "other": place(3, "lower")}));
    assert_eq!(refusal, Refusal::SlotTaken, "the final's slots are nobody's to exchange");
}

#[test]
fn m7_lengths_are_stated_from_the_last_round_backwards() {
    let settings = json!({
        "lengths": [11, 9, 7], "consolation_lengths": [5, 3], "format": {"consolation": {"of": "progressive"}},
    });
    for (players, main) in [(4, vec![9, 11]), (16, vec![7, 7, 9, 11]), (33, vec![7, 7, 7, 7, 9, 11])] {
        let mut tournament = TestTournament::with(settings.clone());
        tournament.enter(1..=players);
        tournament.good(json!({"command": "draw"}));
        let of = tournament.division();
        let lengths = |kind| -> Vec<u16> {
            let flight = of.bracket.flights().iter().find(|flight| flight.kind == kind).unwrap();
            let first = flight.rounds.iter().map(|round| of.bracket.get(round.first).unwrap());
            first.map(|at| of.length(at).points()).collect()
        };
        assert_eq!(lengths(FlightKind::Main), main);
        let consolation = lengths(FlightKind::Consolation);
        assert_eq!(consolation.last(), Some(&5));
        assert!(consolation.iter().rev().skip(1).all(|length| *length == 3));
    }
}

/// Proves T1.
#[test]
fn a_last_chance_is_drawn_among_those_who_play_nowhere() {
    let mut tournament = TestTournament::drawn(json!({"last_chance_lengths": [3]}), 4, &[1, 2, 3, 4]);
    tournament.won(1, super::Slot::Upper);
    tournament.won(2, super::Slot::Upper);
    let last = |entries: &[u32]| json!({"command": "draw_last_chance", "entries": entries});
    assert_eq!(tournament.refused(last(&[1, 2])), Refusal::StillIn { entry: EntryNo(1) });
    tournament.good(last(&[2, 4]));
    assert!(tournament.at(4).is_ready());
    assert_eq!(tournament.division().length(tournament.at(4)).points(), 3);
    assert_eq!(tournament.division().undecided, 2);
}

#[test]
fn a_late_entry_that_waits_can_play_the_last_chance() {
    let mut tournament = TestTournament::drawn(json!({}), 4, &[1, 2, 3, 4]);
    tournament.enter([5]);
    tournament.won(1, super::Slot::Upper);
    tournament.good(json!({"command": "draw_last_chance", "entries": [2, 5]}));
    assert_eq!(tournament.standing(5), EntryStanding::In);
}

/// Six entries in eight slots: an open one, one bye, and 7, 8 and 9 who wait because they were not there.
fn left_out() -> TestTournament {
    let mut tournament = TestTournament::with(json!({}));
    tournament.enter(1..=9);
    tournament.good(json!({"command": "check_in", "entries": [1, 2, 3, 4, 5, 6]}));
    let slots = json!([1, null, 2, 0, 3, 4, 5, 6]);
    tournament
        .good(json!({"command": "draw", "method": {"by": "hand", "slots": slots}, "only_checked_in": true}));
    tournament
}

#[test]
fn who_waits_is_seated_by_a_lot_that_can_be_drawn_again() {
    let mut tournament = left_out();
    let events = tournament.good(json!({"command": "seat_by_lot", "entries": [9, 7, 8]}));
    let lot = |event: &Event| match event {
        Event::Seated { entry, number, slot, lot: Some(lot), .. } => {
            (entry.0, SlotOfMatch { number: *number, slot: *slot }, lot.clone())
        }
        other => panic!("{other:?}"),
    };
    let lots: Vec<_> = events.iter().map(lot).collect();
    // The open slot comes first, then the bye. Then there is none for 8.
    let place = |number: u32, slot| SlotOfMatch { number: MatchNo(number), slot };
    assert_eq!(
        lots.iter().map(|(entry, place, _)| (*entry, *place)).collect::<Vec<_>>(),
        [(9, place(1, Slot::Lower)), (7, place(2, Slot::Lower))]
    );
    assert_eq!(tournament.standing(8), EntryStanding::Waiting);
    assert!(lots.iter().all(|(_, place, lot)| lot.among[one_of(lot.seed, lot.among.len())] == *place));
    assert_eq!(tournament.division().lots.len(), 2);
    // Two byes: the lot decides.
    let fell = |seed: u64| {
        let mut tournament = TestTournament::with(json!({}));
        tournament.lots = Lots::new(seed);
        tournament.enter(1..=3);
        tournament.good(json!({"command": "check_in", "entries": [1, 2]}));
        let slots = json!([1, 0, 2, 0]);
        tournament.good(
            json!({"command": "draw", "method": {"by": "hand", "slots": slots}, "only_checked_in": true}),
        );
        let events = tournament.good(json!({"command": "seat_by_lot", "entries": [3]}));
        let (_, place, lot) = lot(&events[0]);
        assert_eq!(lot.among, [self::place(1), self::place(2)]);
        place
    };
    let both: BTreeSet<u32> = (1..=20).map(|seed| fell(seed).number.0).collect();
    assert_eq!(both, BTreeSet::from([1, 2]));
}

const fn place(number: u32) -> SlotOfMatch {
    SlotOfMatch { number: MatchNo(number), slot: Slot::Lower }
}

/// Verification finds the command behind the lots, with the numbers that chance drew.
#[test]
fn lots_are_asked_for_as_they_were_drawn() {
    let mut tournament = left_out();
    let before = tournament.now.clone();
    let events = tournament.good(json!({"command": "seat_by_lot", "entries": [9, 7, 8]}));
    let (at, _) = tournament.acts.last().unwrap();
    assert_eq!(decided_again(&before, &events, *at, &|_| true), CommandFound::InOrder);
    let mut otherwise = events.clone();
    let Event::Seated { lot: Some(lot), .. } = &mut otherwise[1] else { panic!("{events:?}") };
    lot.among.push(place(3));
    assert_eq!(decided_again(&before, &otherwise, *at, &|_| true), CommandFound::Nothing);
}

/// A last chance has byes too, but they are not for those who came late.
#[test]
fn the_lot_falls_on_the_main_flight() {
    let mut tournament = TestTournament::drawn(json!({}), 8, &[1, 2, 3, 4, 5, 6, 7, 8]);
    (1..=4).for_each(|number| tournament.won(number, Slot::Upper));
    tournament.good(json!({"command": "draw_last_chance", "entries": [2, 4, 6]}));
    tournament.enter([9]);
    assert!(tournament.now.free_places(FIRST, EntryNo(9), moment(1)).next().is_some());
    assert!(!tournament.now.may_seat_by_lot(FIRST, EntryNo(9), moment(1)));
    assert_eq!(tournament.refused(json!({"command": "seat_by_lot", "entries": [9]})), Refusal::SlotTaken);
}
