//! Results: entered, reported by both players, corrected.

use serde_json::{Value, json};

use super::{FIRST, TestTournament, match_ref, moment};
use crate::matches::{Ending, MatchNo, Outcome, Slot};
use crate::tournament::Tournament;
use crate::tournament::bracket::EntryNo;
use crate::tournament::entry::EntryStanding;
use crate::tournament::event::Event;
use crate::tournament::refusal::Refusal;
use owlbox_base::journal::Aggregate as _;

fn four(settings: Value) -> TestTournament {
    TestTournament::drawn(settings, 4, &[1, 2, 3, 4])
}

/// 1 and 3 won their matches, and 1 beat 3 in the final.
fn played() -> TestTournament {
    let mut tournament = four(json!({}));
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    tournament.won(3, Slot::Upper);
    tournament
}

fn correct(number: u32, ended: Value, later: &str) -> Value {
    json!({"command": "correct", "match": number, "ended": ended, "later": later})
}

#[test]
fn m1_m2_exactly_one_has_the_length_and_nobody_more() {
    let mut tournament = four(json!({"lengths": [7]}));
    for score in [[7, 7], [6, 5], [8, 3], [0, 0], [7, 8]] {
        let ended = json!({"ending": "played", "score": score});
        let refusal = tournament.refused(json!({"command": "result", "match": 1, "ended": ended}));
        assert_eq!(refusal, Refusal::BadScore { length: 7 }, "{score:?}");
    }
    for unfinished in ["conceded", "forfeit"] {
        let ended = json!({"ending": unfinished, "winner": "upper", "score": [7, 3]});
        let refusal = tournament.refused(json!({"command": "result", "match": 1, "ended": ended}));
        assert_eq!(refusal, Refusal::BadScore { length: 7 });
    }
    // The player who was behind wins if the other concedes.
    let ended = json!({"ending": "conceded", "winner": "upper", "score": [2, 6]});
    tournament.good(json!({"command": "result", "match": 1, "ended": ended}));
    assert_eq!(tournament.at(1).winner(), Some(EntryNo(1)));
}

/// Proves T11.
#[test]
fn where_neither_came_nobody_advances_and_the_next_opponent_does() {
    let mut tournament = four(json!({}));
    tournament.good(json!({"command": "result", "match": 1, "ended": {"ending": "double_forfeit"}}));
    tournament.won(2, Slot::Lower);
    let last = tournament.at(3).outcome.unwrap();
    assert_eq!((last.winner, last.ending), (Some(Slot::Lower), Ending::Bye));
    assert_eq!(tournament.at(3).winner(), Some(EntryNo(4)));
}

#[test]
fn what_was_said_of_a_match_of_others_is_of_no_match() {
    let mut tournament = played();
    tournament.good(correct(3, Value::Null, "void"));
    let report = |entry: u32| json!({"command": "report", "match": 3, "entry": entry, "score": [7, 3]});
    let said = tournament.good(report(1));
    let reports = |tournament: &TestTournament| tournament.division().reports.get(&MatchNo(3)).copied();
    assert_eq!(reports(&tournament), Some([Some([7, 3]), None]));
    // Undo leaves reports out, so one may be applied where the result that brought its player there was
    // undone or differs.
    let mut without = four(json!({}));
    said.iter().for_each(|event| without.now.apply(event, moment(9)));
    assert_eq!(reports(&without), None, "nobody sits there yet");
    without.won(1, Slot::Lower);
    without.won(2, Slot::Upper);
    said.iter().for_each(|event| without.now.apply(event, moment(9)));
    assert_eq!(reports(&without), None, "another sits there");
    assert!(said.iter().all(Tournament::stands_aside));
    assert!(!tournament.good(report(3)).iter().all(Tournament::stands_aside), "it is the result now");
}

/// Proves T10.
#[test]
fn what_both_players_say_is_the_result() {
    let mut tournament = four(json!({}));
    let report =
        |entry: u32, score: Value| json!({"command": "report", "match": 1, "entry": entry, "score": score});
    tournament.good(report(1, json!([7, 3])));
    tournament.good(report(2, json!([7, 4])));
    assert!(tournament.at(1).outcome.is_none(), "two different ones go to the director");
    tournament.good(report(1, Value::Null));
    tournament.good(report(1, json!([7, 4])));
    let outcome = Outcome { winner: Some(Slot::Upper), ending: Ending::Played, score: Some([7, 4]) };
    assert_eq!(tournament.at(1).outcome, Some(outcome));
    assert!(tournament.division().reports.is_empty());
    assert_eq!(tournament.refused(report(1, json!([7, 4]))), Refusal::HasResult);
}

/// Proves T12.
#[test]
fn a_score_corrected_moves_nobody() {
    let mut tournament = played();
    let events = tournament.good(correct(1, json!({"ending": "played", "score": [7, 6]}), "void"));
    let [Event::Corrected { changes, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(changes.iter().map(|change| change.number).collect::<Vec<_>>(), [MatchNo(1)]);
    assert_eq!(tournament.at(3).winner(), Some(EntryNo(1)));
}

/// Proves T12.
#[test]
fn a_first_round_corrected_after_the_final_voids_the_final() {
    let mut tournament = played();
    let ended = tournament.played(1, Slot::Lower);
    tournament.good(correct(1, ended, "void"));
    assert_eq!(tournament.sit(3), [2, 3]);
    assert!(tournament.at(3).is_ready());
    assert!(tournament.now.room.ready_since.contains_key(&match_ref(3)));
    assert!(!tournament.division().finished_at.contains_key(&MatchNo(3)));
}

/// Proves T12.
#[test]
fn a_first_round_corrected_after_the_final_can_leave_it_as_it_was_played() {
    let mut tournament = played();
    let ended = tournament.played(1, Slot::Lower);
    let finished = tournament.division().finished_at.get(&MatchNo(3)).copied();
    tournament.good(correct(1, ended, "stands"));
    assert_eq!((tournament.sit(3), tournament.at(3).winner()), ([2, 3], Some(EntryNo(2))));
    assert_eq!(tournament.division().finished_at.get(&MatchNo(3)).copied(), finished);
}

/// Proves T12.
#[test]
fn a_result_taken_back_is_played_again() {
    let mut tournament = played();
    tournament.good(correct(2, Value::Null, "void"));
    assert!(tournament.at(2).is_ready());
    assert_eq!((tournament.sit(3), tournament.at(3).outcome), ([1, 0], None));
    assert_eq!(tournament.division().undecided, 2);
}

#[test]
fn a_later_result_stands_also_for_one_who_has_left_since() {
    // 2 really won both matches. 1 was written down by mistake, and 2 has gone home.
    let mut tournament = four(json!({"format": {"consolation": {"of": "first_losers"}}}));
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    tournament.won(3, Slot::Upper);
    tournament.good(json!({"command": "withdraw", "entry": 2}));
    let ended = tournament.played(1, Slot::Lower);
    tournament.good(correct(1, ended, "stands"));
    assert_eq!(tournament.at(3).winner(), Some(EntryNo(2)));
}

#[test]
fn a_later_result_stands_for_who_has_entered_again_but_not_against_themselves() {
    let mut tournament = TestTournament::drawn(json!({"re_entries": 1}), 7, &[1, 2, 3, 4, 5, 6, 7, 0]);
    for number in [1, 2, 3, 5] {
        tournament.won(number, Slot::Upper);
    }
    // 2 lost and has entered again as 8, taking the bye of 7.
    tournament.good(json!({"command": "re_enter", "entry": 2}));
    assert_eq!((tournament.sit(4), tournament.standing(2)), ([7, 8], EntryStanding::EnteredAgain));
    tournament.won(4, Slot::Lower);
    tournament.won(6, Slot::Lower);
    // 1 beat 8 in the final. By the correction it was 2 all along, and 2 cannot have beaten themselves.
    tournament.won(7, Slot::Upper);
    let ended = tournament.played(1, Slot::Lower);
    tournament.good(correct(1, ended, "stands"));
    let second = tournament.at(5).outcome.unwrap();
    assert_eq!(
        (tournament.sit(5), second.winner, second.ending),
        ([2, 3], Some(Slot::Upper), Ending::Played)
    );
    let last = tournament.at(7).outcome.unwrap();
    assert_eq!((tournament.sit(7), last.winner, last.ending), ([2, 8], Some(Slot::Lower), Ending::Withdrawn));
}

#[test]
fn the_match_of_one_who_has_left_is_corrected_not_said_again() {
    let mut tournament = four(json!({}));
    tournament.good(json!({"command": "withdraw", "entry": 2}));
    tournament.won(2, Slot::Upper);
    tournament.won(3, Slot::Upper);
    let ended = tournament.played(1, Slot::Lower);
    let again = json!({"command": "result", "match": 1, "ended": ended.clone()});
    assert_eq!(tournament.refused(again), Refusal::HasResult, "else the final would be void without a word");
    tournament.good(correct(1, ended, "void"));
    // 2 won and then left, so 3 wins the final.
    assert_eq!(tournament.at(3).winner(), Some(EntryNo(3)));
}

#[test]
fn a_correction_that_leaves_a_match_to_be_played_opens_it_again() {
    let mut tournament = played();
    tournament.good(json!({"command": "close"}));
    tournament.good(correct(1, json!({"ending": "played", "score": [7, 6]}), "void"));
    assert!(tournament.now.closed_at.is_some(), "a score is nothing to play");
    let ended = tournament.played(1, Slot::Lower);
    tournament.good(correct(1, ended, "void"));
    assert!(tournament.now.closed_at.is_none());
    tournament.won(3, Slot::Upper);
    tournament.good(json!({"command": "close"}));
}

#[test]
fn who_is_leaving_leaves_when_a_correction_ends_their_match() {
    // 4 waits in the final and leaves after it. A correction sends 2, who has left, there as the opponent.
    let mut tournament = four(json!({}));
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Lower);
    tournament.good(json!({"command": "withdraw", "entry": 2}));
    tournament.good(json!({"command": "withdraw", "entry": 4, "when": "after_match"}));
    let ended = tournament.played(1, Slot::Lower);
    // 2 has left, so 4 wins by that, and then leaves.
    tournament.good(correct(1, ended, "void"));
    assert_eq!(
        (tournament.at(3).winner(), tournament.standing(4)),
        (Some(EntryNo(4)), EntryStanding::Withdrawn)
    );
}

/// Proves T11.
#[test]
fn nobody_is_given_a_result_against_themselves() {
    let mut tournament = TestTournament::drawn(json!({"re_entries": 1}), 3, &[1, 0, 2, 3]);
    tournament.good(json!({"command": "withdraw", "entry": 1}));
    tournament.good(json!({"command": "re_enter", "entry": 1}));
    assert_eq!(tournament.sit(1), [1, 4], "1 against 1, who has left");
    assert_eq!(tournament.at(1).winner(), Some(EntryNo(4)));
    let ended = tournament.played(1, Slot::Upper);
    assert_eq!(tournament.refused(correct(1, ended, "void")), Refusal::NotReady);
}

#[test]
fn the_first_division_is_meant_where_none_is_named() {
    let mut tournament = four(json!({}));
    tournament.good(json!({"command": "add_division", "settings": {}}));
    tournament.won(1, Slot::Upper);
    assert_eq!(tournament.now.division(FIRST).unwrap().undecided, 2);
}

#[test]
fn a_second_final_that_a_correction_makes_unnecessary_is_not_needed_whatever_stands() {
    let double = json!({"format": {"consolation": {"of": "progressive_with_finalist"}, "final": "double"}});
    let mut tournament = four(double);
    let ready = |tournament: &TestTournament| {
        tournament.division().bracket.iter().find(|(_, at)| at.is_ready()).map(|(number, _)| number.0)
    };
    let last = u32::try_from(tournament.division().bracket.len()).unwrap();
    while let Some(number) = ready(&tournament) {
        tournament.won(number, if number == last - 1 { Slot::Lower } else { Slot::Upper });
    }
    assert_eq!(tournament.at(last).outcome.unwrap().ending, Ending::Played);
    let unbeaten = tournament.sit(last - 1)[0];
    tournament.good(correct(last - 1, json!({"ending": "played", "score": [7, 0]}), "stands"));
    assert_eq!(tournament.at(last).outcome.unwrap().ending, Ending::NotNeeded);
    assert_eq!(tournament.division().places(0)[0].entry, EntryNo(unbeaten));
}

#[test]
fn what_has_begun_keeps_its_length_when_the_division_is_given_others() {
    let mut tournament = four(json!({"lengths": [7, 5]}));
    tournament.won(1, Slot::Upper);
    tournament.good(json!({"command": "set_tables", "tables": [{"table": 1}]}));
    tournament.good(json!({"command": "call", "match": 2}));
    tournament.good(json!({"command": "change_division", "division": 1, "settings": {"lengths": [5, 3]}}));
    let length =
        |tournament: &TestTournament, number| tournament.division().length(tournament.at(number)).points();
    assert_eq!([1, 2, 3].map(|number| length(&tournament, number)), [5, 5, 5]);
    tournament.good(correct(1, json!({"ending": "played", "score": [5, 4]}), "void"));
    tournament.good(json!({"command": "change_division", "division": 1, "settings": {"lengths": [3]}}));
    assert_eq!([1, 2, 3].map(|number| length(&tournament, number)), [5, 5, 3], "the final had not begun");
    tournament.won(2, Slot::Lower);
    tournament.won(3, Slot::Upper);
    tournament.good(json!({"command": "change_division", "division": 1, "settings": {"lengths": [9]}}));
    assert_eq!(length(&tournament, 3), 3);
    // Others sit there now and play it from the start, to the length now set.
    tournament.good(correct(1, json!({"ending": "played", "score": [1, 5]}), "void"));
    assert_eq!(length(&tournament, 3), 9);
}

/// C09: who won because the opponent did not come has not played yet, where the division counts a walkover
/// like a bye.
/// Proves T1.
#[test]
fn c09_a_first_match_lost_after_a_walkover_leads_to_the_consolation_if_walkovers_are_byes() {
    for (walkovers_are_byes, fifth, comes) in [
        (false, Slot::Lower, [2, 4]),
        (false, Slot::Upper, [2, 4]),
        (true, Slot::Lower, [1, 4]),
        (true, Slot::Upper, [0, 4]),
    ] {
        let settings = json!({"format": {
            "consolation": {"of": "first_losers", "walkovers_are_byes": walkovers_are_byes},
        }});
        let mut tournament = TestTournament::drawn(settings, 8, &[1, 2, 3, 4, 5, 6, 7, 8]);
        let walkover = json!({"ending": "walkover", "winner": "upper"});
        tournament.good(json!({"command": "result", "match": 1, "ended": walkover}));
        for number in [2, 3, 4] {
            tournament.won(number, Slot::Upper);
        }
        tournament.won(5, fifth);
        assert_eq!(tournament.sit(8), comes, "{walkovers_are_byes} {fifth:?}");
        // If it was played after all, its loser plays on.
        let ended = tournament.played(1, Slot::Upper);
        tournament.good(json!({"command": "correct", "match": 1, "ended": ended, "later": "stands"}));
        assert_eq!(tournament.sit(8), [2, 4]);
        assert_eq!(tournament.replayed(tournament.acts.len()), tournament.now);
    }
    let plain = json!({"of": "first_losers"});
    let read: crate::tournament::bracket::Consolation = serde_json::from_value(plain.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), plain, "older tournaments are written as they were");
}
