//! The room: which match is called where, and when.

use serde_json::{Value, json};

use super::{FIRST, TestTournament, match_ref, moment, player};
use crate::matches::{MatchNo, Slot};
use crate::tournament::bracket::EntryNo;
use crate::tournament::event::Event;
use crate::tournament::refusal::Refusal;
use crate::tournament::room::TableNo;
use crate::tournament::view::MatchState;
use owlbox_base::values::MatchId;

/// Eight entries that can all play, and this many tables.
fn eight(tables: u16) -> TestTournament {
    let mut tournament = TestTournament::drawn(json!({}), 8, &[1, 2, 3, 4, 5, 6, 7, 8]);
    let tables: Vec<Value> = (1..=tables).map(|table| json!({"table": table})).collect();
    tournament.good(json!({"command": "set_tables", "tables": tables}));
    tournament
}

fn called(events: &[Event]) -> Vec<(u32, u16)> {
    let call = |event: &Event| match event {
        Event::Called { number, table, .. } => (number.0, table.0),
        other => panic!("{other:?}"),
    };
    events.iter().map(call).collect()
}

fn next(tournament: &mut TestTournament, matches: u16) -> Vec<(u32, u16)> {
    called(&tournament.good(json!({"command": "call_next", "matches": matches})))
}

/// Proves T16.
#[test]
fn next_match_goes_to_next_free_table_and_who_has_waited_longest_first() {
    let mut tournament = eight(2);
    assert_eq!(next(&mut tournament, 1), [(1, 1)]);
    assert_eq!(next(&mut tournament, 9), [(2, 2)], "there are two tables");
    assert_eq!(tournament.refused(json!({"command": "call_next"})), Refusal::NoFreeTable);
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    // The second round is ready, but 5 to 8 have waited longer.
    assert_eq!(next(&mut tournament, 9), [(3, 1), (4, 2)]);
    tournament.won(3, Slot::Upper);
    assert_eq!(next(&mut tournament, 9), [(5, 1)]);
    tournament.won(4, Slot::Upper);
    tournament.won(5, Slot::Upper);
    assert_eq!(next(&mut tournament, 9), [(6, 1)]);
    assert_eq!(tournament.refused(json!({"command": "call_next"})), Refusal::NobodyWaits);
}

#[test]
fn a_match_waits_is_ready_called_and_played_and_its_players_are_asked_once_they_are_called() {
    let mut tournament = TestTournament::drawn(json!({}), 3, &[1, 2, 3, 0]);
    tournament.good(json!({"command": "set_tables", "tables": [{"table": 1}]}));
    let is = |tournament: &TestTournament, number: u32| {
        let at = match_ref(number);
        let asked = tournament.now.asks_for_result(at, moment(100));
        (tournament.now.match_state(at, tournament.at(number)), asked)
    };
    assert_eq!(
        [1, 2, 3].map(|number| is(&tournament, number).0),
        [MatchState::Ready, MatchState::Empty, MatchState::Waiting]
    );
    assert!(!is(&tournament, 1).1, "who is called to a table has not played before");
    tournament.good(json!({"command": "call", "match": 1}));
    assert_eq!(is(&tournament, 1), (MatchState::Called, true));
    assert_eq!(tournament.now.plays_as(player(2)), Some((FIRST, EntryNo(2))));
    tournament.good(json!({"command": "begin", "match": 1}));
    assert_eq!(is(&tournament, 1), (MatchState::Playing, true));
    tournament.won(1, Slot::Lower);
    assert_eq!(is(&tournament, 1).0, MatchState::Done);
    assert_eq!(Slot::BOTH.map(|slot| tournament.at(1).won(slot)), [Some(false), Some(true)]);
    assert_eq!(Slot::BOTH.map(|slot| tournament.at(2).won(slot)), [Some(true), None], "nobody lost to a bye");
    assert_eq!(tournament.at(3).slot_of(EntryNo(2)), Some(Slot::Upper));
    assert_eq!(tournament.now.plays_as(player(1)), None);
    assert!(tournament.now.won().is_empty());
    tournament.won(3, Slot::Lower);
    assert_eq!(tournament.now.winners(), [player(3)]);
}

#[test]
fn who_plays_in_another_division_is_not_called_before_that_is_over() {
    let mut tournament = eight(4);
    tournament.good(json!({"command": "add_division", "settings": {}}));
    let entries: Vec<Value> = [1, 3, 9, 10].map(|number| json!({"player": player(number)})).into();
    tournament.good(json!({"command": "enter", "division": 2, "entries": entries}));
    let method = json!({"by": "hand", "slots": [1, 2, 3, 4]});
    tournament.good(json!({"command": "draw", "division": 2, "method": method}));
    tournament.good(json!({"command": "call", "match": 1}));
    let refusal = tournament.refused(json!({"command": "call", "division": 2, "match": 1}));
    assert_eq!(refusal, Refusal::PlaysElsewhere { player: player(1), at: match_ref(1) });
    assert_eq!(next(&mut tournament, 9), [(2, 2), (3, 3), (4, 4)]);
    tournament.won(1, Slot::Upper);
    tournament.won(3, Slot::Upper);
    // 3 is still playing, so 9 and 10 are called before 1 and 3.
    assert_eq!(next(&mut tournament, 9), [(2, 1)]);
    tournament.won(2, Slot::Upper);
    assert_eq!(next(&mut tournament, 9), [(1, 2)]);
}

/// Proves T16.
#[test]
fn two_matches_at_one_table_may_be_by_hand() {
    let mut tournament = eight(1);
    tournament.good(json!({"command": "call", "match": 1, "table": 1}));
    tournament.good(json!({"command": "call", "match": 2, "table": 1}));
    assert_eq!(tournament.now.room.calls.values().filter(|call| call.table == TableNo(1)).count(), 2);
}

/// Proves T16.
#[test]
fn reserved_tables_are_given_by_hand_only_and_closed_ones_to_nobody() {
    let mut tournament = eight(1);
    let tables = json!([{"table": 1, "for": "reserved"}, {"table": 2, "for": "closed"}]);
    tournament.good(json!({"command": "set_tables", "tables": tables}));
    assert_eq!(tournament.refused(json!({"command": "call_next"})), Refusal::NoFreeTable);
    let refusal = tournament.refused(json!({"command": "call", "match": 1, "table": 2}));
    assert_eq!(refusal, Refusal::TableClosed { table: TableNo(2) });
    tournament.good(json!({"command": "call", "match": 1, "table": 1}));
    let refusal = tournament.refused(json!({"command": "set_tables", "tables": [{"table": 2}]}));
    assert_eq!(refusal, Refusal::NoTable, "somebody plays at 1");
}

#[test]
fn a_match_sent_to_another_table_has_begun_there_too() {
    let mut tournament = eight(2);
    tournament.good(json!({"command": "call", "match": 1}));
    tournament.good(json!({"command": "begin", "match": 1}));
    let began = tournament.division().began_at.get(&MatchNo(1)).copied();
    assert!(began.is_some());
    tournament.good(json!({"command": "call", "match": 1, "table": 2}));
    assert_eq!(tournament.now.room.calls.get(&match_ref(1)).unwrap().began_at, began);
    assert_eq!(tournament.refused(json!({"command": "begin", "match": 1})), Refusal::Began);
    // Taking a call back also takes back that the match began.
    tournament.good(json!({"command": "uncall", "match": 1}));
    assert!(tournament.division().began_at.is_empty());
}

/// Proves T16.
#[test]
fn a_postponed_match_is_not_called_before_its_time() {
    let mut tournament = eight(4);
    let until = moment(tournament.second + 4);
    tournament.good(json!({"command": "postpone", "match": 1, "until": until}));
    tournament.good(json!({"command": "postpone", "match": 2}));
    assert_eq!(next(&mut tournament, 1), [(3, 1)]);
    tournament.good(json!({"command": "uncall", "match": 3}));
    // The time of match 1 has come, and it has waited as long as the others.
    assert_eq!(next(&mut tournament, 9), [(1, 1), (3, 2), (4, 3)]);
    tournament.good(json!({"command": "resume", "match": 2}));
    assert_eq!(next(&mut tournament, 9), [(2, 4)]);
}

#[test]
fn to_postpone_who_was_called_takes_the_call_back() {
    let mut tournament = eight(1);
    tournament.good(json!({"command": "call", "match": 1}));
    tournament.good(json!({"command": "postpone", "match": 1}));
    assert!(tournament.now.room.calls.is_empty());
    assert_eq!(next(&mut tournament, 1), [(2, 1)]);
}

#[test]
fn a_call_ends_with_its_match_and_when_others_sit_there() {
    let mut tournament = eight(4);
    next(&mut tournament, 4);
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    assert_eq!(tournament.now.room.calls.size(), 2);
    tournament.good(json!({"command": "call", "match": 5}));
    let ended = tournament.played(1, Slot::Lower);
    tournament.good(json!({"command": "correct", "match": 1, "ended": ended, "later": "void"}));
    assert!(!tournament.now.room.calls.contains_key(&match_ref(5)), "2 was not called");
    assert_eq!(next(&mut tournament, 9), [(5, 1)]);
}

#[test]
fn a_sheet_is_of_those_for_whom_it_was_opened() {
    let mut tournament = eight(1);
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    let sheet = Some(MatchId(uuid::Uuid::from_u128(9)));
    let open = crate::tournament::Command::OpenSheet { division: super::FIRST, number: MatchNo(5), sheet };
    tournament.does(&open).unwrap();
    assert_eq!(tournament.division().sheet(MatchNo(5)), sheet);
    assert_eq!(tournament.asks(&open), Err(Refusal::HasSheet));
    let ended = tournament.played(1, Slot::Lower);
    tournament.good(json!({"command": "correct", "match": 1, "ended": ended, "later": "void"}));
    assert_eq!(tournament.division().sheet(MatchNo(5)), None);
    tournament.does(&open).unwrap();
}
