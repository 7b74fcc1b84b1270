//! Entering late and again, leaving and coming back.

use serde_json::{Value, json};

use super::Hall;
use crate::matches::{Ending, MatchNo, Slot};
use crate::tournament::bracket::EntryNo;
use crate::tournament::entry::EntryStanding;
use crate::tournament::refusal::Refusal;

/// Five entries in eight slots: 1 plays 2, and the others have byes.
fn five(settings: Value) -> Hall {
    Hall::drawn(settings, 5, &[1, 2, 3, 0, 4, 0, 5, 0])
}

fn four(settings: Value) -> Hall {
    Hall::drawn(settings, 4, &[1, 2, 3, 4])
}

fn withdraw(hall: &mut Hall, entry: u32, when: &str) {
    hall.good(json!({"command": "withdraw", "entry": entry, "when": when}));
}

#[test]
fn who_comes_late_takes_a_free_bye_and_else_waits() {
    let mut hall = Hall::drawn(json!({}), 3, &[1, 2, 3, 0]);
    assert_eq!(hall.sit(3), [0, 3], "3 had a bye");
    hall.enter([4]);
    assert_eq!((hall.sit(2), hall.sit(3)), ([3, 4], [0, 0]));
    assert_eq!(hall.standing(4), EntryStanding::In);
    hall.enter([5]);
    assert_eq!(hall.standing(5), EntryStanding::Waiting);
}

#[test]
fn a_bye_whose_winner_has_played_on_is_not_free() {
    let mut hall = five(json!({}));
    hall.won(6, Slot::Upper);
    hall.enter([6, 7]);
    assert_eq!(hall.sit(2), [3, 6]);
    assert_eq!((hall.sit(3), hall.sit(4)), ([4, 0], [5, 0]));
    assert_eq!(hall.standing(7), EntryStanding::Waiting);
}

#[test]
fn a_bye_whose_winner_is_called_is_not_free() {
    let mut hall = five(json!({}));
    hall.good(json!({"command": "set_tables", "tables": [{"table": 1}]}));
    hall.good(json!({"command": "call", "match": 6}));
    hall.enter([6, 7]);
    assert_eq!((hall.sit(2), hall.standing(7)), ([3, 6], EntryStanding::Waiting));
    let refusal = hall.refused(json!({"command": "seat", "entry": 7, "match": 3, "slot": "lower"}));
    assert_eq!(refusal, Refusal::LaterPlayed { matches: vec![MatchNo(6)] });
}

#[test]
fn late_byes_are_given_by_lot() {
    let mut taken = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut hall = five(json!({}));
        hall.lots = super::Lots::new(seed);
        hall.enter([6]);
        taken.extend((2..=4).filter(|number| hall.sit(*number)[1] == 6));
    }
    assert_eq!(taken.len(), 3, "each of the three byes is given sometimes");
}

#[test]
fn entering_again_gives_up_everything_else() {
    let mut hall = five(json!({"re_entries": 1, "format": {"consolation": {"of": "progressive"}}}));
    let again = |entry: u32| json!({"command": "re_enter", "entry": entry});
    assert_eq!(hall.refused(again(1)), Refusal::StillIn { entry: EntryNo(1) });
    hall.won(1, Slot::Upper);
    assert!(hall.division().current(EntryNo(2)).is_some(), "2 waits in the consolation");
    hall.good(again(2));
    assert_eq!(hall.standing(2), EntryStanding::EnteredAgain);
    let (_, at) = hall.division().current(EntryNo(6)).unwrap();
    assert_eq!((at.flight, at.round), (0, 0), "6, who is 2, has a bye's place");
    assert_eq!(hall.refused(again(2)), Refusal::AlreadyEntered { player: super::player(2) });
    withdraw(&mut hall, 6, "now");
    assert_eq!(hall.refused(again(6)), Refusal::NoReEntry);
}

#[test]
fn leaving_after_a_match_takes_effect_even_for_its_winner() {
    let mut hall = four(json!({}));
    withdraw(&mut hall, 1, "after_match");
    assert_eq!(hall.standing(1), EntryStanding::Leaving);
    hall.won(1, Slot::Upper);
    assert_eq!((hall.standing(1), hall.sit(3)), (EntryStanding::Withdrawn, [1, 0]));
    hall.won(2, Slot::Upper);
    let last = hall.at(3).outcome.unwrap();
    assert_eq!((last.winner, last.ending), (Some(Slot::Lower), Ending::Withdrawn));
}

#[test]
fn leaving_after_a_match_takes_effect_when_the_other_leaves() {
    let mut hall = four(json!({}));
    withdraw(&mut hall, 1, "after_match");
    withdraw(&mut hall, 2, "now");
    assert_eq!(hall.standing(1), EntryStanding::Withdrawn);
    assert_eq!(hall.at(1).outcome.unwrap().winner, Some(Slot::Upper), "1 won it first");
    hall.won(2, Slot::Upper);
    assert_eq!(hall.at(3).winner(), Some(EntryNo(3)));
}

#[test]
fn both_of_a_match_can_leave_after_it() {
    let mut hall = four(json!({"format": {"consolation": {"of": "first_losers"}}}));
    withdraw(&mut hall, 1, "after_match");
    withdraw(&mut hall, 2, "after_match");
    hall.won(1, Slot::Lower);
    assert_eq!((hall.standing(1), hall.standing(2)), (EntryStanding::Withdrawn, EntryStanding::Withdrawn));
    hall.won(2, Slot::Lower);
    assert_eq!(hall.division().undecided, 0, "4 has won the final, 3 the consolation");
}

#[test]
fn leaving_after_a_match_waits_for_the_next_opponent() {
    let mut hall = four(json!({}));
    hall.won(1, Slot::Upper);
    withdraw(&mut hall, 1, "after_match");
    assert_eq!(hall.standing(1), EntryStanding::Leaving, "1 waits for 3 or 4");
    hall.won(2, Slot::Upper);
    assert!(hall.at(3).is_ready());
    hall.won(3, Slot::Upper);
    assert_eq!(hall.standing(1), EntryStanding::Withdrawn);
    assert_eq!(hall.division().bracket.places(0)[0].entry, EntryNo(1), "and has won");
}

#[test]
fn who_was_to_leave_can_stay() {
    let mut hall = four(json!({}));
    withdraw(&mut hall, 1, "after_match");
    hall.good(json!({"command": "reinstate", "entry": 1}));
    hall.won(1, Slot::Upper);
    assert_eq!(hall.standing(1), EntryStanding::In);
}

#[test]
fn who_leaves_now_loses_everywhere_at_once() {
    let mut hall = four(json!({"format": {"consolation": {"of": "first_losers"}}}));
    hall.won(1, Slot::Upper);
    withdraw(&mut hall, 2, "now");
    withdraw(&mut hall, 1, "now");
    hall.won(2, Slot::Upper);
    assert_eq!(hall.at(3).winner(), Some(EntryNo(3)));
    assert_eq!(hall.at(4).winner(), Some(EntryNo(4)), "the consolation");
    assert_eq!(hall.division().undecided, 0);
}

#[test]
fn who_is_disqualified_has_lost_the_match_that_is_on() {
    let mut hall = four(json!({}));
    hall.good(json!({"command": "disqualify", "entry": 2}));
    let lost = hall.at(1).outcome.unwrap();
    assert_eq!((lost.winner, lost.ending), (Some(Slot::Upper), Ending::Disqualified));
    // Nobody has played on, so the ruling can be taken back.
    hall.good(json!({"command": "reinstate", "entry": 2}));
    assert!(hall.at(1).is_ready());
    assert_eq!(hall.sit(3), [0, 0]);
    hall.good(json!({"command": "disqualify", "entry": 2}));
    hall.won(2, Slot::Upper);
    hall.won(3, Slot::Upper);
    let refusal = hall.refused(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(refusal, Refusal::LaterPlayed { matches: vec![MatchNo(3)] });
}

#[test]
fn who_is_back_plays_what_nobody_played_on_for() {
    let mut hall = four(json!({}));
    withdraw(&mut hall, 2, "now");
    assert_eq!(hall.sit(3), [1, 0]);
    hall.good(json!({"command": "reinstate", "entry": 2}));
    assert!(hall.at(1).is_ready());
    assert_eq!(hall.sit(3), [0, 0]);
    withdraw(&mut hall, 2, "now");
    hall.won(2, Slot::Upper);
    hall.won(3, Slot::Upper);
    let refusal = hall.refused(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(refusal, Refusal::LaterPlayed { matches: vec![MatchNo(3)] });
}

#[test]
fn who_is_back_when_another_has_the_slot_waits() {
    let mut hall = four(json!({}));
    hall.enter([5]);
    withdraw(&mut hall, 1, "now");
    hall.good(json!({"command": "seat", "entry": 5, "match": 1, "slot": "upper"}));
    assert_eq!((hall.sit(1), hall.sit(3)), ([5, 2], [0, 0]));
    assert_eq!(hall.division().bracket.path(EntryNo(1)).count(), 0);
    assert_eq!(hall.division().current(EntryNo(5)).unwrap().0, MatchNo(1));
    hall.good(json!({"command": "reinstate", "entry": 1}));
    assert_eq!((hall.standing(1), hall.sit(1)), (EntryStanding::Waiting, [5, 2]));
}

#[test]
fn the_seeding_list_is_said_as_a_whole() {
    let mut hall = Hall::with(json!({}));
    hall.enter(1..=4);
    let seeded = |hall: &Hall| -> Vec<Option<u32>> {
        hall.division().entries().map(|(_, entry)| entry.seeded).collect()
    };
    hall.good(json!({"command": "seed", "entries": [3, 1]}));
    assert_eq!(seeded(&hall), [Some(2), None, Some(1), None]);
    hall.good(json!({"command": "seed", "entries": [4]}));
    assert_eq!(seeded(&hall), [None, None, None, Some(1)]);
    hall.good(json!({"command": "seed", "entries": []}));
    assert_eq!(seeded(&hall), [None; 4]);
}

#[test]
fn many_come_late_at_once() {
    let mut hall = Hall::with(json!({}));
    hall.enter(1..=1_100);
    hall.good(json!({"command": "draw"}));
    hall.enter(2_000..4_000);
    let standing =
        |standing| hall.division().entries().filter(|(_, entry)| entry.standing == standing).count();
    assert_eq!((standing(EntryStanding::In), standing(EntryStanding::Waiting)), (2_048, 1_052));
}

#[test]
fn who_entered_again_because_a_result_was_wrong_plays_on_as_before() {
    let mut hall =
        Hall::drawn(json!({"re_entries": 1, "fees": {"entry": 1_000, "re_entry": 500}}), 3, &[1, 2, 3, 0]);
    hall.won(1, Slot::Upper);
    hall.good(json!({"command": "re_enter", "entry": 2}));
    assert_eq!(hall.sit(2), [3, 4], "in the free bye");
    hall.good(json!({"command": "correct", "match": 1, "ended": {"ending": "played", "score": [5, 7]}, "later": "void"}));
    assert_eq!(hall.standing(2), EntryStanding::EnteredAgain, "and so 2 loses what 2 should play");
    hall.good(json!({"command": "reinstate", "entry": 2}));
    assert_eq!((hall.standing(2), hall.standing(4)), (EntryStanding::In, EntryStanding::Withdrawn));
    assert_eq!(hall.now.account(super::player(2)), -1_000, "what entering again cost is given back");
    assert_eq!(hall.sit(3), [2, 3], "nobody came to the bye after all");
    hall.won(3, Slot::Upper);
    assert_eq!(hall.division().undecided, 0);
    assert_eq!(hall.division().places(0)[0].entry, EntryNo(2));
}

#[test]
fn who_has_played_under_a_new_number_does_not_come_back() {
    let mut hall = Hall::drawn(json!({"re_entries": 1}), 3, &[1, 2, 3, 0]);
    hall.won(1, Slot::Upper);
    hall.good(json!({"command": "re_enter", "entry": 2}));
    hall.won(2, Slot::Lower);
    let refused = hall.refused(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(refused, Refusal::LaterPlayed { matches: vec![MatchNo(2)] });
}

#[test]
fn nobody_enters_again_during_their_match() {
    let mut hall = four(json!({"re_entries": 1, "format": {"consolation": {"of": "first_losers"}}}));
    hall.won(1, Slot::Upper);
    hall.won(2, Slot::Upper);
    hall.good(json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2}]}));
    hall.good(json!({"command": "call", "match": 4}));
    let again = json!({"command": "re_enter", "entry": 2});
    let on = Refusal::PlaysElsewhere { player: super::player(2), at: super::match_ref(4) };
    assert_eq!(hall.refused(again.clone()), on);
    hall.won(4, Slot::Upper);
    hall.good(again);
}

#[test]
fn whose_slot_is_given_to_another_is_placed_after_all_who_sit_there() {
    let mut hall = four(json!({}));
    withdraw(&mut hall, 2, "now");
    hall.enter([5]);
    hall.good(json!({"command": "seat", "entry": 5, "match": 1, "slot": "lower"}));
    hall.won(1, Slot::Upper);
    hall.won(2, Slot::Upper);
    hall.won(3, Slot::Upper);
    let placed: Vec<_> = hall.division().places(0).iter().map(|at| (at.entry.0, at.best, at.worst)).collect();
    assert_eq!(placed, [(1, 1, 1), (3, 2, 2), (5, 3, 4), (4, 3, 4), (2, 5, 5)]);
}

#[test]
fn a_last_chance_is_for_whoever_plays_nowhere_even_after_trying_to_enter_again() {
    let mut hall = Hall::drawn(json!({"re_entries": 1}), 4, &[1, 2, 3, 4]);
    hall.won(1, Slot::Upper);
    hall.won(2, Slot::Upper);
    hall.good(json!({"command": "re_enter", "entry": 2}));
    assert_eq!(hall.standing(5), EntryStanding::Waiting);
    let chance = json!({"command": "draw_last_chance", "entries": [2, 4]});
    assert_eq!(hall.refused(chance.clone()), Refusal::StillIn { entry: EntryNo(2) });
    withdraw(&mut hall, 5, "now");
    hall.good(chance);
}
