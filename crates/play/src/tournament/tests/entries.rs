//! Entering late and again, leaving and coming back.

use serde_json::{Value, json};

use super::{FIRST, TestTournament, moment};
use crate::matches::{Ending, MatchNo, Slot};
use crate::tournament::bracket::EntryNo;
use crate::tournament::entry::EntryStanding;
use crate::tournament::legal::EntryAct;
use crate::tournament::refusal::Refusal;

/// Five entries in eight slots: 1 plays 2, and the others have byes.
fn five(settings: Value) -> TestTournament {
    TestTournament::drawn(settings, 5, &[1, 2, 3, 0, 4, 0, 5, 0])
}

fn four(settings: Value) -> TestTournament {
    TestTournament::drawn(settings, 4, &[1, 2, 3, 4])
}

fn withdraw(tournament: &mut TestTournament, entry: u32, when: &str) {
    tournament.good(json!({"command": "withdraw", "entry": entry, "when": when}));
}

/// Proves T8.
#[test]
fn who_comes_late_takes_a_free_bye_and_else_waits() {
    let mut tournament = TestTournament::drawn(json!({}), 3, &[1, 2, 3, 0]);
    assert_eq!(tournament.sit(3), [0, 3], "3 had a bye");
    tournament.enter([4]);
    assert_eq!((tournament.sit(2), tournament.sit(3)), ([3, 4], [0, 0]));
    assert_eq!(tournament.standing(4), EntryStanding::In);
    tournament.enter([5]);
    assert_eq!(tournament.standing(5), EntryStanding::Waiting);
}

/// Proves T8.
#[test]
fn a_bye_whose_winner_has_played_on_is_not_free() {
    let mut tournament = five(json!({}));
    tournament.won(6, Slot::Upper);
    tournament.enter([6, 7]);
    assert_eq!(tournament.sit(2), [3, 6]);
    assert_eq!((tournament.sit(3), tournament.sit(4)), ([4, 0], [5, 0]));
    assert_eq!(tournament.standing(7), EntryStanding::Waiting);
}

/// Proves T8.
#[test]
fn a_bye_whose_winner_is_called_is_not_free() {
    let mut tournament = five(json!({}));
    tournament.good(json!({"command": "set_tables", "tables": [{"table": 1}]}));
    tournament.good(json!({"command": "call", "match": 6}));
    tournament.enter([6, 7]);
    assert_eq!((tournament.sit(2), tournament.standing(7)), ([3, 6], EntryStanding::Waiting));
    let refusal = tournament.refused(json!({"command": "seat", "entry": 7, "match": 3, "slot": "lower"}));
    assert_eq!(refusal, Refusal::LaterPlayed { matches: vec![MatchNo(6)] });
}

/// Proves T8.
#[test]
fn late_byes_are_given_by_lot() {
    let mut taken = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut tournament = five(json!({}));
        tournament.lots = super::Lots::new(seed);
        tournament.enter([6]);
        taken.extend((2..=4).filter(|number| tournament.sit(*number)[1] == 6));
    }
    assert_eq!(taken.len(), 3, "each of the three byes is given sometimes");
}

/// Proves T9.
#[test]
fn entering_again_gives_up_everything_else() {
    let mut tournament = five(json!({"re_entries": 1, "format": {"consolation": {"of": "progressive"}}}));
    let again = |entry: u32| json!({"command": "re_enter", "entry": entry});
    assert_eq!(tournament.refused(again(1)), Refusal::StillIn { entry: EntryNo(1) });
    tournament.won(1, Slot::Upper);
    assert!(tournament.division().current(EntryNo(2)).is_some(), "2 waits in the consolation");
    tournament.good(again(2));
    assert_eq!(tournament.standing(2), EntryStanding::EnteredAgain);
    let (_, at) = tournament.division().current(EntryNo(6)).unwrap();
    assert_eq!((at.flight, at.round), (0, 0), "6, who is 2, has a bye's place");
    assert_eq!(tournament.refused(again(2)), Refusal::AlreadyEntered { player: super::player(2) });
    withdraw(&mut tournament, 6, "now");
    assert_eq!(tournament.refused(again(6)), Refusal::NoReEntry);
}

/// Proves T13.
#[test]
fn leaving_after_a_match_takes_effect_even_for_its_winner() {
    let mut tournament = four(json!({}));
    withdraw(&mut tournament, 1, "after_match");
    assert_eq!(tournament.standing(1), EntryStanding::Leaving);
    tournament.won(1, Slot::Upper);
    assert_eq!((tournament.standing(1), tournament.sit(3)), (EntryStanding::Withdrawn, [1, 0]));
    tournament.won(2, Slot::Upper);
    let last = tournament.at(3).outcome.unwrap();
    assert_eq!((last.winner, last.ending), (Some(Slot::Lower), Ending::Withdrawn));
}

#[test]
fn leaving_after_a_match_takes_effect_when_the_other_leaves() {
    let mut tournament = four(json!({}));
    withdraw(&mut tournament, 1, "after_match");
    withdraw(&mut tournament, 2, "now");
    assert_eq!(tournament.standing(1), EntryStanding::Withdrawn);
    assert_eq!(tournament.at(1).outcome.unwrap().winner, Some(Slot::Upper), "1 won it first");
    tournament.won(2, Slot::Upper);
    assert_eq!(tournament.at(3).winner(), Some(EntryNo(3)));
}

#[test]
fn both_of_a_match_can_leave_after_it() {
    let mut tournament = four(json!({"format": {"consolation": {"of": "first_losers"}}}));
    withdraw(&mut tournament, 1, "after_match");
    withdraw(&mut tournament, 2, "after_match");
    tournament.won(1, Slot::Lower);
    assert_eq!(
        (tournament.standing(1), tournament.standing(2)),
        (EntryStanding::Withdrawn, EntryStanding::Withdrawn)
    );
    tournament.won(2, Slot::Lower);
    assert_eq!(tournament.division().undecided, 0, "4 has won the final, 3 the consolation");
}

#[test]
fn leaving_after_a_match_waits_for_the_next_opponent() {
    let mut tournament = four(json!({}));
    tournament.won(1, Slot::Upper);
    withdraw(&mut tournament, 1, "after_match");
    assert_eq!(tournament.standing(1), EntryStanding::Leaving, "1 waits for 3 or 4");
    tournament.won(2, Slot::Upper);
    assert!(tournament.at(3).is_ready());
    tournament.won(3, Slot::Upper);
    assert_eq!(tournament.standing(1), EntryStanding::Withdrawn);
    assert_eq!(tournament.division().bracket.places(0)[0].entry, EntryNo(1), "and has won");
}

#[test]
fn who_was_to_leave_can_stay() {
    let mut tournament = four(json!({}));
    withdraw(&mut tournament, 1, "after_match");
    tournament.good(json!({"command": "reinstate", "entry": 1}));
    tournament.won(1, Slot::Upper);
    assert_eq!(tournament.standing(1), EntryStanding::In);
}

/// Proves T13.
#[test]
fn who_leaves_now_loses_everywhere_at_once() {
    let mut tournament = four(json!({"format": {"consolation": {"of": "first_losers"}}}));
    tournament.won(1, Slot::Upper);
    withdraw(&mut tournament, 2, "now");
    withdraw(&mut tournament, 1, "now");
    tournament.won(2, Slot::Upper);
    assert_eq!(tournament.at(3).winner(), Some(EntryNo(3)));
    assert_eq!(tournament.at(4).winner(), Some(EntryNo(4)), "the consolation");
    assert_eq!(tournament.division().undecided, 0);
}

/// Proves T13.
#[test]
fn who_is_disqualified_has_lost_the_match_that_is_on() {
    let mut tournament = four(json!({}));
    tournament.good(json!({"command": "disqualify", "entry": 2}));
    let lost = tournament.at(1).outcome.unwrap();
    assert_eq!((lost.winner, lost.ending), (Some(Slot::Upper), Ending::Disqualified));
    // Nobody has played on, so the ruling can be taken back.
    tournament.good(json!({"command": "reinstate", "entry": 2}));
    assert!(tournament.at(1).is_ready());
    assert_eq!(tournament.sit(3), [0, 0]);
    tournament.good(json!({"command": "disqualify", "entry": 2}));
    tournament.won(2, Slot::Upper);
    tournament.won(3, Slot::Upper);
    let refusal = tournament.refused(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(refusal, Refusal::LaterPlayed { matches: vec![MatchNo(3)] });
}

/// Proves T13.
#[test]
fn who_is_back_plays_what_nobody_played_on_for() {
    let mut tournament = four(json!({}));
    withdraw(&mut tournament, 2, "now");
    assert_eq!(tournament.sit(3), [1, 0]);
    tournament.good(json!({"command": "reinstate", "entry": 2}));
    assert!(tournament.at(1).is_ready());
    assert_eq!(tournament.sit(3), [0, 0]);
    withdraw(&mut tournament, 2, "now");
    tournament.won(2, Slot::Upper);
    tournament.won(3, Slot::Upper);
    let refusal = tournament.refused(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(refusal, Refusal::LaterPlayed { matches: vec![MatchNo(3)] });
}

#[test]
fn who_is_back_when_another_has_the_slot_waits() {
    let mut tournament = four(json!({}));
    tournament.enter([5]);
    withdraw(&mut tournament, 1, "now");
    tournament.good(json!({"command": "seat", "entry": 5, "match": 1, "slot": "upper"}));
    assert_eq!((tournament.sit(1), tournament.sit(3)), ([5, 2], [0, 0]));
    assert_eq!(tournament.division().bracket.path(EntryNo(1)).count(), 0);
    assert_eq!(tournament.division().current(EntryNo(5)).unwrap().0, MatchNo(1));
    tournament.good(json!({"command": "reinstate", "entry": 1}));
    assert_eq!((tournament.standing(1), tournament.sit(1)), (EntryStanding::Waiting, [5, 2]));
}

#[test]
fn the_seeding_list_is_said_as_a_whole() {
    let mut tournament = TestTournament::with(json!({}));
    tournament.enter(1..=4);
    let seeded = |tournament: &TestTournament| -> Vec<Option<u32>> {
        tournament.division().entries().map(|(_, entry)| entry.seeded).collect()
    };
    tournament.good(json!({"command": "seed", "entries": [3, 1]}));
    assert_eq!(seeded(&tournament), [Some(2), None, Some(1), None]);
    tournament.good(json!({"command": "seed", "entries": [4]}));
    assert_eq!(seeded(&tournament), [None, None, None, Some(1)]);
    tournament.good(json!({"command": "seed", "entries": []}));
    assert_eq!(seeded(&tournament), [None; 4]);
}

#[test]
fn many_come_late_at_once() {
    let mut tournament = TestTournament::with(json!({}));
    tournament.enter(1..=1_100);
    tournament.good(json!({"command": "draw"}));
    tournament.enter(2_000..4_000);
    let standing =
        |standing| tournament.division().entries().filter(|(_, entry)| entry.standing == standing).count();
    assert_eq!((standing(EntryStanding::In), standing(EntryStanding::Waiting)), (2_048, 1_052));
}

#[test]
fn who_entered_again_because_a_result_was_wrong_plays_on_as_before() {
    let mut tournament = TestTournament::drawn(
        json!({"re_entries": 1, "fees": {"entry": 1_000, "re_entry": 500}}),
        3,
        &[1, 2, 3, 0],
    );
    tournament.won(1, Slot::Upper);
    tournament.good(json!({"command": "re_enter", "entry": 2}));
    assert_eq!(tournament.sit(2), [3, 4], "in the free bye");
    tournament.good(json!({"command": "correct", "match": 1, "ended": {"ending": "played", "score": [5, 7]}, "later": "void"}));
    assert_eq!(tournament.standing(2), EntryStanding::EnteredAgain, "and so 2 loses what 2 should play");
    tournament.good(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(
        (tournament.standing(2), tournament.standing(4)),
        (EntryStanding::In, EntryStanding::Withdrawn)
    );
    assert_eq!(tournament.now.account(super::player(2)), -1_000, "what entering again cost is given back");
    assert_eq!(tournament.sit(3), [2, 3], "nobody came to the bye after all");
    tournament.won(3, Slot::Upper);
    assert_eq!(tournament.division().undecided, 0);
    assert_eq!(tournament.division().places(0)[0].entry, EntryNo(2));
}

#[test]
fn who_has_played_under_a_new_number_does_not_come_back() {
    let mut tournament = TestTournament::drawn(json!({"re_entries": 1}), 3, &[1, 2, 3, 0]);
    tournament.won(1, Slot::Upper);
    tournament.good(json!({"command": "re_enter", "entry": 2}));
    tournament.won(2, Slot::Lower);
    let refused = tournament.refused(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(refused, Refusal::LaterPlayed { matches: vec![MatchNo(2)] });
}

#[test]
fn nobody_enters_again_during_their_match() {
    let mut tournament = four(json!({"re_entries": 1, "format": {"consolation": {"of": "first_losers"}}}));
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    tournament.good(json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2}]}));
    tournament.good(json!({"command": "call", "match": 4}));
    let again = json!({"command": "re_enter", "entry": 2});
    let on = Refusal::PlaysElsewhere { player: super::player(2), at: super::match_ref(4) };
    assert_eq!(tournament.refused(again.clone()), on);
    tournament.won(4, Slot::Upper);
    tournament.good(again);
}

#[test]
fn whose_slot_is_given_to_another_is_placed_after_all_who_sit_there() {
    let mut tournament = four(json!({}));
    withdraw(&mut tournament, 2, "now");
    tournament.enter([5]);
    tournament.good(json!({"command": "seat", "entry": 5, "match": 1, "slot": "lower"}));
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    tournament.won(3, Slot::Upper);
    let placed: Vec<_> =
        tournament.division().places(0).iter().map(|at| (at.entry.0, at.best, at.worst)).collect();
    assert_eq!(placed, [(1, 1, 1), (3, 2, 2), (5, 3, 4), (4, 3, 4), (2, 5, 5)]);
}

#[test]
fn a_last_chance_is_for_whoever_plays_nowhere_even_after_trying_to_enter_again() {
    let mut tournament = TestTournament::drawn(json!({"re_entries": 1}), 4, &[1, 2, 3, 4]);
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    tournament.good(json!({"command": "re_enter", "entry": 2}));
    assert_eq!(tournament.standing(5), EntryStanding::Waiting);
    let chance = json!({"command": "draw_last_chance", "entries": [2, 4]});
    assert_eq!(tournament.refused(chance.clone()), Refusal::StillIn { entry: EntryNo(2) });
    withdraw(&mut tournament, 5, "now");
    tournament.good(chance);
}

/// F1: a bye that let somebody through the consolation is not given away once they play a last chance because
/// they were out.
#[test]
fn f1_a_late_entry_puts_nobody_into_two_matches_at_once() {
    let settings = json!({"lengths": [1], "format": {"consolation": {"of": "up_to", "round": 1}}});
    let mut tournament = TestTournament::drawn(settings, 5, &[0, 4, 0, 1, 0, 3, 2, 5]);
    tournament.won(5, Slot::Lower);
    tournament.won(4, Slot::Lower);
    let before = tournament.now.clone();
    tournament.good(json!({"command": "draw_last_chance", "entries": [2, 4]}));
    let last_chance = tournament.division().current(EntryNo(2)).map(|(number, _)| number).unwrap();
    tournament.enter([6]);
    assert_eq!(tournament.standing(6), EntryStanding::Waiting);
    let seat = json!({"command": "seat", "entry": 6, "match": 3, "slot": "upper"});
    assert_eq!(tournament.refused(seat.clone()), Refusal::LaterPlayed { matches: vec![last_chance] });
    assert!(!tournament.now.acts_of_entry(FIRST, EntryNo(6), moment(99)).contains(&EntryAct::Seat));

    // A finished last chance stands, and then who lost it can play on in the consolation.
    tournament.won(last_chance.0, Slot::Upper);
    tournament.good(seat.clone());
    assert_eq!(tournament.sit(3), [6, 3]);
    // Without a last chance the bye was free.
    tournament.now = before;
    tournament.enter([6]);
    assert_eq!(tournament.sit(3), [6, 3]);
    let open = |entry: u32| {
        let path = tournament.division().bracket.path(EntryNo(entry));
        path.filter(|(_, at)| at.outcome.is_none()).count()
    };
    assert_eq!([2, 3, 6].map(open), [1; 3], "one match each");
}
