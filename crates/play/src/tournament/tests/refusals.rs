//! Every refusal, each provoked at least once.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{TestTournament, player};
use crate::matches::Slot;
use crate::tournament::Refusal;

/// One line for each refusal: the expected code, the tournament, and the command to refuse.
fn asked() -> Vec<(&'static str, TestTournament, Value)> {
    let new = || TestTournament::closed(1);
    let open =
        || TestTournament::with(json!({"re_entries": 1, "side_pools": [{"name": "Calcutta", "stake": 5}]}));
    let entered = || {
        let mut tournament = open();
        tournament.enter(1..=4);
        tournament
    };
    let drawn = || {
        let mut tournament = entered();
        tournament.draw(&[1, 2, 3, 4]);
        tournament
            .good(json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2, "for": "closed"}]}));
        tournament
    };
    let after = |command: Value| {
        let mut tournament = drawn();
        tournament.good(command);
        tournament
    };
    let won = |numbers: &[u32]| {
        let mut tournament = drawn();
        numbers.iter().for_each(|number| tournament.won(*number, Slot::Upper));
        tournament
    };
    let waiting = || {
        let mut tournament = won(&[1, 2, 3]);
        let mut settings = json!((*tournament.division().settings).clone());
        settings["fees"]["entry"] = json!(100);
        tournament.good(json!({"command": "change_division", "division": 1, "settings": settings}));
        tournament.enter([5]);
        tournament
    };
    let closed = || {
        let mut tournament = won(&[1, 2, 3]);
        tournament.good(json!({"command": "close"}));
        tournament
    };
    let cancelled = || {
        let mut tournament = drawn();
        tournament.good(json!({"command": "cancel", "reason": "no venue"}));
        tournament
    };
    let without_money = || {
        let mut tournament = new();
        tournament.good(json!({"command": "open", "about": {"name": "Owl", "date": "2026-11-21"}}));
        tournament
    };
    let call = |number: u32| json!({"command": "call", "match": number});
    let about = json!({"name": "Owl", "date": "2026-11-21"});
    let result = |number: u32, ended: Value| json!({"command": "result", "match": number, "ended": ended});
    let late_and_gone = || {
        let mut tournament = won(&[2]);
        tournament.enter([5]);
        tournament.good(json!({"command": "withdraw", "entry": 1}));
        tournament.won(3, Slot::Upper);
        tournament
    };
    let two_divisions = || {
        let mut tournament = after(call(1));
        tournament.good(json!({"command": "add_division", "settings": {}}));
        let entries = json!([{"player": player(1)}, {"player": player(9)}]);
        tournament.good(json!({"command": "enter", "division": 2, "entries": entries}));
        tournament.good(json!({"command": "draw", "division": 2}));
        tournament
    };
    vec![
        ("tournament_not_open", new(), json!({"command": "close"})),
        ("tournament_already_open", open(), json!({"command": "open", "about": about})),
        (
            "outside_calendar",
            new(),
            json!({"command": "open", "about": {"name": "Owl", "date": "1899-12-31"}}),
        ),
        (
            "outside_calendar",
            open(),
            json!({"command": "change", "about": {"name": "Owl", "date": "+262142-12-31"}}),
        ),
        (
            "outside_calendar",
            open(),
            json!({"command": "change",
            "about": {"name": "Owl", "date": "2026-11-21", "entries_open": "1899-12-31T23:59:59Z"}}),
        ),
        (
            "outside_calendar",
            open(),
            json!({"command": "change",
            "about": {"name": "Owl", "date": "2026-11-21", "entries_close": "+10000-01-01T00:00:00Z"}}),
        ),
        (
            "outside_calendar",
            drawn(),
            json!({"command": "postpone", "match": 1, "until": "2201-01-01T00:00:00Z"}),
        ),
        ("tournament_closed", closed(), json!({"command": "draw"})),
        ("tournament_closed", closed(), json!({"command": "close"})),
        ("tournament_closed", closed(), json!({"command": "cancel", "reason": "too late"})),
        ("tournament_cancelled", cancelled(), json!({"command": "cancel", "reason": "no venue"})),
        ("tournament_cancelled", cancelled(), json!({"command": "reopen"})),
        (
            "tournament_cancelled",
            cancelled(),
            json!({"command": "enter", "entries": [{"player": player(9)}]}),
        ),
        ("tournament_cancelled", cancelled(), call(1)),
        ("tournament_not_closed", open(), json!({"command": "reopen"})),
        ("still_played", drawn(), json!({"command": "close"})),
        ("no_such_division", open(), json!({"command": "draw", "division": 2})),
        ("no_such_division", open(), json!({"command": "draw", "division": 0})),
        ("too_many", drawn(), json!({"command": "call_next", "matches": 0})),
        ("too_many", drawn(), json!({"command": "call_next", "matches": 1_001})),
        ("division_flawed", open(), json!({"command": "add_division", "settings": {"re_entries": 10}})),
        (
            "already_drawn",
            drawn(),
            json!({"command": "change_division", "settings": {"format": {"third_place": true}}}),
        ),
        ("already_drawn", entered(), json!({"command": "change_division", "settings": {}})),
        ("already_drawn", drawn(), json!({"command": "join_pools", "entry": 1, "side_pools": []})),
        ("not_drawn", entered(), call(1)),
        ("not_drawn", entered(), json!({"command": "award"})),
        ("not_drawn", entered(), json!({"command": "re_enter", "entry": 1})),
        ("not_drawn", entered(), json!({"command": "draw_last_chance", "entries": [1, 2]})),
        ("bad_list", open(), json!({"command": "enter", "entries": []})),
        (
            "bad_list",
            open(),
            json!({"command": "enter", "entries": [{"player": player(1)}, {"player": player(1)}]}),
        ),
        ("bad_list", entered(), json!({"command": "seed", "entries": [1, 1]})),
        ("bad_list", open(), json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 1}]})),
        ("no_such_entry", entered(), json!({"command": "withdraw", "entry": 9})),
        ("no_such_entry", entered(), json!({"command": "withdraw", "entry": 0})),
        ("already_entered", entered(), json!({"command": "enter", "entries": [{"player": player(1)}]})),
        ("player_not_entered", entered(), json!({"command": "pay_in", "player": player(9), "amount": 1})),
        (
            "entry_out",
            after(json!({"command": "withdraw", "entry": 1})),
            json!({"command": "disqualify", "entry": 1}),
        ),
        ("entry_in", drawn(), json!({"command": "reinstate", "entry": 1})),
        ("still_in", drawn(), json!({"command": "re_enter", "entry": 1})),
        ("still_in", drawn(), json!({"command": "draw_last_chance", "entries": [1, 2]})),
        (
            "no_re_entry",
            after(json!({"command": "disqualify", "entry": 1})),
            json!({"command": "re_enter", "entry": 1}),
        ),
        ("no_such_side_pool", entered(), json!({"command": "join_pools", "entry": 1, "side_pools": [1]})),
        ("too_few_entries", open(), json!({"command": "draw"})),
        ("too_few_entries", won(&[1]), json!({"command": "draw_last_chance", "entries": [2]})),
        ("bad_draw", entered(), json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2]}})),
        ("draw_needs_reason", drawn(), json!({"command": "draw"})),
        ("match_began", won(&[1]), json!({"command": "draw", "reason": "again"})),
        ("later_matches_played", late_and_gone(), json!({"command": "reinstate", "entry": 1})),
        (
            "later_matches_played",
            late_and_gone(),
            json!({"command": "seat", "entry": 5, "match": 1, "slot": "upper"}),
        ),
        ("slot_taken", late_and_gone(), json!({"command": "seat", "entry": 5, "match": 2, "slot": "upper"})),
        (
            "debt_changed",
            entered(),
            json!({"command": "pay_in", "player": player(1), "amount": 5, "account": -5}),
        ),
        (
            "debt_changed",
            entered(),
            json!({"command": "pay_out", "player": player(1), "amount": 5, "account": 5}),
        ),
        ("not_waiting", drawn(), json!({"command": "seat", "entry": 1, "match": 1, "slot": "upper"})),
        ("not_waiting", drawn(), json!({"command": "seat_by_lot", "entries": [1]})),
        ("bad_list", waiting(), json!({"command": "seat_by_lot", "entries": []})),
        ("bad_list", waiting(), json!({"command": "seat_by_lot", "entries": [5, 5]})),
        ("no_such_entry", waiting(), json!({"command": "seat_by_lot", "entries": [6]})),
        ("slot_taken", waiting(), json!({"command": "seat_by_lot", "entries": [5]})),
        ("keeping_needs_reason", waiting(), json!({"command": "close", "keep": [{"entry": 5}]})),
        ("no_such_match", drawn(), call(4)),
        ("no_such_match", drawn(), call(0)),
        ("match_not_ready", drawn(), call(3)),
        ("match_not_ready", drawn(), result(3, json!({"ending": "walkover", "winner": "upper"}))),
        ("match_has_result", won(&[1]), result(1, json!({"ending": "walkover", "winner": "upper"}))),
        (
            "match_has_no_result",
            drawn(),
            json!({"command": "correct", "match": 1, "ended": null, "later": "void"}),
        ),
        ("bad_score", drawn(), result(1, json!({"ending": "played", "score": [1, 2]}))),
        ("not_this_match", drawn(), json!({"command": "report", "match": 1, "entry": 3, "score": [7, 0]})),
        (
            "others_sit",
            drawn(),
            json!({"command": "report", "match": 1, "entry": 1, "score": [7, 0], "players": [3, 2]}),
        ),
        (
            "others_sit",
            drawn(),
            json!({"command": "result", "match": 1, "players": [2, 1],
                "ended": {"ending": "walkover", "winner": "upper"}}),
        ),
        (
            "nothing_changes",
            drawn(),
            json!({"command": "report", "match": 1, "entry": 1, "score": null, "players": [1, 2]}),
        ),
        ("no_such_table", drawn(), json!({"command": "call", "match": 1, "table": 3})),
        ("table_closed", drawn(), json!({"command": "call", "match": 1, "table": 2})),
        ("no_free_table", after(call(1)), call(2)),
        ("nobody_waits", closed_room(), json!({"command": "call_next"})),
        (
            "plays_elsewhere",
            two_divisions(),
            json!({"command": "call", "division": 2, "match": 1, "table": 1}),
        ),
        ("already_called", after(call(1)), call(1)),
        ("not_called", drawn(), json!({"command": "uncall", "match": 1})),
        ("already_began", begun(), json!({"command": "begin", "match": 1})),
        ("not_postponed", drawn(), json!({"command": "resume", "match": 1})),
        ("no_money", without_money(), json!({"command": "pay_in", "player": player(1), "amount": 1})),
        ("bad_amount", entered(), json!({"command": "pay_in", "player": player(1), "amount": 0})),
        ("bad_amount", entered(), json!({"command": "add_money", "amount": 0})),
        (
            "not_the_pool",
            drawn(),
            json!({"command": "award", "awards": [{"player": player(1), "amount": 1}]}),
        ),
    ]
}

fn closed_room() -> TestTournament {
    let mut tournament = TestTournament::drawn(json!({}), 2, &[1, 2]);
    tournament.good(json!({"command": "set_tables", "tables": [{"table": 1}]}));
    tournament.won(1, Slot::Upper);
    tournament
}

fn begun() -> TestTournament {
    let mut tournament = TestTournament::drawn(json!({}), 2, &[1, 2]);
    tournament.good(json!({"command": "set_tables", "tables": [{"table": 1}]}));
    tournament.good(json!({"command": "call", "match": 1}));
    tournament.good(json!({"command": "begin", "match": 1}));
    tournament
}

#[test]
fn what_may_not_be_is_refused_by_its_code() {
    let mut codes = BTreeSet::new();
    for (code, mut tournament, command) in asked() {
        let refusal = tournament.refused(command.clone());
        assert_eq!(refusal.code().name(), code, "{command}");
        codes.insert(code);
    }
    // Only the service can set the id of a sheet, so `room.rs` tests this one.
    codes.insert("match_has_sheet");
    let all: BTreeSet<&str> = Refusal::CODES.iter().map(|code| code.name()).collect();
    assert_eq!(codes, all, "each code is asked for");
}

#[test]
fn lists_have_their_limits() {
    let mut tournament = TestTournament::with(json!({}));
    for _ in 1..16 {
        tournament.good(json!({"command": "add_division", "settings": {}}));
    }
    let refusal = tournament.refused(json!({"command": "add_division", "settings": {}}));
    assert_eq!(refusal, Refusal::TooMany { what: "divisions", most: 16 });
    tournament.enter(1..=65_530);
    let more: Vec<Value> = (70_000..70_007).map(|number| json!({"player": player(number)})).collect();
    let refusal = tournament.refused(json!({"command": "enter", "entries": more}));
    assert_eq!(refusal, Refusal::TooMany { what: "entries", most: 65_536 });
    let directors: Vec<_> =
        (0..21).map(|number| owlbox_base::values::AccountId(uuid::Uuid::from_u128(number))).collect();
    let refusal = tournament.refused(json!({"command": "set_directors", "directors": directors}));
    assert_eq!(refusal, Refusal::BadList { field: "directors" });
    let tables: Vec<Value> = (1..=2_001).map(|table| json!({"table": table})).collect();
    assert_eq!(
        tournament.refused(json!({"command": "set_tables", "tables": tables})),
        Refusal::BadList { field: "tables" }
    );
    assert_eq!(
        tournament.refused(json!({"command": "set_tables", "tables": [{"table": 2_001}]})),
        Refusal::NoTable
    );
}

/// Proves T1.
#[test]
fn no_more_than_eight_last_chances_are_drawn() {
    let mut tournament = TestTournament::drawn(json!({}), 4, &[1, 2, 3, 4]);
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    let last = json!({"command": "draw_last_chance", "entries": [2, 4]});
    for number in 4..12 {
        tournament.good(last.clone());
        tournament.won(number, Slot::Upper);
    }
    assert_eq!(tournament.refused(last), Refusal::TooMany { what: "last_chances", most: 8 });
}
