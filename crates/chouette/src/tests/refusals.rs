//! Refusals, state by state: every row names a state, a command and the code it is refused with. Further
//! tests check the fields and the choices that a refusal reports.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::said::command as say;
use super::{Night, double, open, plain, players, rules, take};
use crate::{BetCorrection, BetEnded, Command, HouseRules, Refusal, Side};
use owlbox_base::values::HalfPoints;
use owlbox_engine::Win;
use owlbox_engine::game::{Action, OpeningDice};

/// A night in one of the states that the rows name.
fn at(state: &str) -> Night {
    let (letters, settings, script) = match state {
        "fresh" => return Night::default(),
        "gathering" => return Night::gathered("ABC"),
        "full" => return Night::gathered("ABCDEFGHIJKLMNOPQRST"),
        "tied" => {
            let mut night = Night::gathered("ABC");
            night.play("roll A4 B4 C2");
            return night;
        }
        "to be ordered by hand" => {
            let mut night = Night::opened(rules(json!({"order": {"dice": "by_hand"}})));
            night.all_join("ABC");
            return night;
        }
        "between" => ("ABC", Value::Null, ""),
        "alone" => ("ABC", Value::Null, "B leaves; C leaves"),
        "closed" => ("ABC", Value::Null, "close"),
        // E left before the game, D joined during it.
        "playing" => ("ABCE", Value::Null, "E leaves; start; D joins"),
        "refereed" => ("ABC", Value::Null, "start refereed"),
        "box doubled captain" => ("ABC", Value::Null, "start; A doubles B"),
        "captain doubled" => ("ABC", Value::Null, "start; B doubles"),
        "captain took" => ("ABC", Value::Null, "start; A doubles B; B takes"),
        "captain dropped" => ("ABC", Value::Null, "start; A doubles B; B drops"),
        "played" => ("ABCD", Value::Null, "start; A doubles D; D drops; box wins; D leaves"),
        "all dropped" => ("ABC", Value::Null, "start; A doubles; B drops; C drops"),
        "all dropped by the common rules" => ("ABC", json!({}), "start; A doubles; B drops; C drops"),
        "capped" => ("ABC", json!({"cube_cap": 1}), "start"),
        "plakoto" => ("ABC", tavli(), "start"),
        "plakoto played" => ("ABC", tavli(), "start; box wins"),
        "alone, to pause" => ("ABC", json!({"heads_up": "pause"}), "C leaves"),
        "too many" => ("ABCDEF", json!({"table_size": {"at_most": 4}}), ""),
        "partner wanted" => ("ABCDEFG", json!({"partner": {"when": "compulsory"}}), ""),
        "partnership offered" => ("ABCDEF", json!({"partner": {"when": "optional"}}), "offer"),
        "partner found" => {
            let partner = json!({"partner": {"when": "optional", "offer": "next_in_line"}});
            ("ABCDEF", partner, "offer")
        }
        "captain won" => ("ABC", json!({"declining": "allowed"}), "start; team wins"),
        "common" => ("ABC", json!({}), "start"),
        "resting" => ("ABC", json!({}), "C rests"),
        "own stakes" => ("ABC", json!({"stakes": "lower_of_two"}), ""),
        "own starts" => ("ABC", json!({"stakes": "own_start"}), "B starts at 2"),
        "to be settled" => ("ABC", json!({"leaving": {"mid_game": "settle"}}), "start"),
        "whole points" => ("ABC", json!({"settlements": "whole_points"}), "start"),
        "first tie" => ("ABC", json!({"automatics": {"at_most": 3, "later": "box_chooses"}}), "start"),
        "tie on the board" => {
            return tie_on_the_board();
        }
        "single cube" => ("ABC", json!({"cubes": "single"}), "start"),
        "common double" => ("ABC", json!({}), "start; A doubles"),
        "beaver" => ("ABC", json!({"animals": "beaver"}), "start; A doubles B; B beavers"),
        "restrained" => ("ABC", json!({"box_restraint": "same_value_same_action"}), "start"),
        "answered" => ("ABC", json!({}), "start; B doubles; A takes"),
        "last to answer" => {
            let lone = json!({"lone_taker": {"rule": "must_drop", "from": 3}});
            ("ABC", lone, "start; A doubles; B drops")
        }
        "last to beaver" => {
            let lone = json!({"lone_taker": {"rule": "must_beaver_or_drop"}, "animals": "beaver"});
            ("ABC", lone, "start; A doubles; B drops")
        }
        "must beaver" => {
            let lone = json!({
                "lone_taker": {"rule": "must_beaver_or_drop"}, "animals": "beaver",
                "decision_order": "any_order",
            });
            ("ABC", lone, "start; A doubles; C takes; B drops")
        }
        "extras" => {
            ("ABCD", json!({"lone_taker": {"rule": "extras"}}), "start; A doubles; B drops; C takes; D drops")
        }
        _ => panic!("no such state: {state}"),
    };
    let rules = if settings.is_null() { plain() } else { rules(settings) };
    let mut night = Night::seated_under(letters, rules);
    night.play(script);
    night
}

/// V4: rules without a cube, for a variant that has none.
fn tavli() -> Value {
    json!({"game": {"variant": "plakoto"}, "cube_cap": 1, "jacoby": "off", "automatics": {"at_most": 0}})
}

/// A refereed game after its second opening tie, whose automatic double the box may decline.
fn tie_on_the_board() -> Night {
    let rules = rules(json!({"automatics": {"at_most": 3, "later": "box_chooses"}}));
    let mut night = Night::seated_under("ABC", rules);
    night.play("start refereed");
    let three = 3.try_into().unwrap();
    for _ in 0..2 {
        let dice = Some(OpeningDice { white: three, black: three });
        night.ok(&on_board(Action::RollOpening { dice }));
    }
    night
}

fn on_board(action: Action) -> Command {
    Command::Board { by: Side::Box, action }
}

fn named(name: &str) -> Command {
    open(name, plain())
}

fn under(settings: Value, stake: Value) -> Command {
    let rules: HouseRules = serde_json::from_value(settings).unwrap();
    let Command::Open { name, night, from, .. } = named("One") else { unreachable!() };
    Command::Open { name, night, from, rules, stake: serde_json::from_value(stake).unwrap() }
}

fn correction(bet: u32, ended: Option<BetEnded>) -> Command {
    let bets = vec![BetCorrection { bet, cube: None, turned: None, ended }];
    Command::Correct { game: 1, winner: None, win: None, bets }
}

fn won_threefold() -> Command {
    Command::Correct { game: 1, winner: None, win: Some(Win::Backgammon), bets: Vec::new() }
}

fn turned(bet: u32) -> Command {
    let bets = vec![BetCorrection { bet, cube: None, turned: Some(true), ended: None }];
    Command::Correct { game: 1, winner: None, win: None, bets }
}

type Row = (&'static str, Command, &'static str);

/// Refusals without a game in progress: opening, the order, people.
fn before_the_game() -> Vec<Row> {
    let contradictory = json!({"cubes": "single", "late_doubles": "open"});
    vec![
        ("fresh", say("A joins"), "not_open"),
        ("fresh", say("close"), "not_open"),
        ("fresh", named(""), "bad_name"),
        ("fresh", named("  "), "bad_name"),
        ("fresh", named("a\nb"), "bad_name"),
        ("fresh", named("a\u{2028}b"), "bad_name"),
        ("fresh", named("\u{200B}"), "bad_name"),
        ("fresh", named("\u{202E}elbaT"), "bad_name"),
        ("fresh", named(&"x".repeat(81)), "bad_name"),
        ("fresh", under(contradictory, Value::Null), "contradictory_rules"),
        ("fresh", under(json!({}), json!({"amount": 501, "currency": "EUR"})), "odd_stake"),
        ("fresh", under(json!({}), json!({"amount": 100_000_000, "currency": "EUR"})), "stakes_too_high"),
        ("gathering", named("One"), "already_open"),
        ("gathering", say("A joins"), "already_here"),
        ("gathering", say("D leaves"), "unknown_player"),
        ("gathering", say("start"), "no_order"),
        ("gathering", say("A rests"), "no_order"),
        ("gathering", say("roll A1 B2"), "wrong_rollers"),
        ("gathering", say("roll A1 B2 B3"), "wrong_rollers"),
        ("gathering", say("roll A1 B2 D3"), "wrong_rollers"),
        ("gathering", say("roll A1+1 B2+1 C3+1"), "wrong_rollers"),
        ("gathering", say("order ABC"), "not_in_rules"),
        ("gathering", say("A doubles"), "no_game"),
        ("gathering", say("box wins"), "no_game"),
        ("to be ordered by hand", say("draw"), "not_in_rules"),
        ("to be ordered by hand", say("order AB"), "wrong_line"),
        ("to be ordered by hand", say("order ABB"), "wrong_line"),
        ("tied", say("roll A1 B2 C3"), "wrong_rollers"),
        ("tied", say("start"), "no_order"),
        ("full", say("U joins"), "table_full"),
        ("between", say("draw"), "order_already_set"),
        ("between", say("roll A1 B2 C3"), "order_already_set"),
        ("between", say("Z takes"), "no_game"),
        ("between", say("C returns"), "not_on_break"),
        ("between", say("offer"), "not_in_rules"),
        ("between", say("B plays for 2"), "not_in_rules"),
        ("between", say("B starts at 2"), "not_in_rules"),
        ("between", say("B declines the box"), "cannot_decline"),
        ("between", say("A is A"), "cannot_merge"),
        ("between", say("split ABC"), "bad_split"),
        ("between", say("A pays A 2"), "bad_amount"),
        ("between", say("A pays B 0"), "bad_amount"),
        ("between", Command::ChangeRules { rules: plain() }, "nothing_changes"),
        ("alone", say("start"), "too_few_players"),
        ("alone", say("B leaves"), "not_here"),
        ("alone, to pause", say("start"), "too_few_players"),
        ("too many", say("start"), "split_due"),
        ("too many", say("split EF"), "bad_split"),
        ("too many", say("split DEE"), "bad_split"),
        ("too many", say("split BCDEF"), "bad_split"),
        ("resting", say("C rests"), "on_break"),
        ("partner wanted", say("start"), "partner_due"),
        ("partner found", say("offer"), "no_partnership"),
        ("partnership offered", say("offer"), "must_answer"),
        ("partnership offered", say("C accepts"), "not_offered"),
        ("partnership offered", say("C declines"), "not_offered"),
        ("captain won", say("C declines the box"), "cannot_decline"),
        ("own stakes", say("B plays for 0"), "bad_stake"),
        ("own stakes", say("B plays for 1001"), "bad_stake"),
        ("own stakes", say("B plays for 1"), "nothing_changes"),
        ("own starts", say("B starts at 8"), "bad_start"),
        ("own starts", say("A starts at 2"), "box_has_no_cube"),
        ("own starts", say("B starts at 2"), "nothing_changes"),
        ("closed", say("A joins"), "closed"),
        ("closed", say("close"), "closed"),
        ("closed", named("One"), "already_open"),
        ("closed", say("A doubles"), "closed"),
    ]
}

/// Refusals during a game: people, cubes, the end of the game.
fn during_the_game() -> Vec<Row> {
    vec![
        ("playing", say("start"), "game_in_progress"),
        ("playing", say("draw"), "game_in_progress"),
        ("playing", say("roll A1"), "game_in_progress"),
        ("playing", say("close"), "game_in_progress"),
        ("playing", say("A leaves"), "game_in_progress"),
        ("playing", say("split ABC"), "game_in_progress"),
        ("playing", say("A is B"), "game_in_progress"),
        ("playing", say("D joins"), "already_here"),
        ("playing", say("Z doubles"), "unknown_player"),
        ("playing", say("E doubles"), "not_here"),
        ("playing", say("D doubles"), "not_in_game"),
        ("playing", double('A', ""), "bad_choice"),
        ("playing", double('A', "BB"), "bad_choice"),
        ("playing", double('A', "BD"), "no_such_opponent"),
        ("playing", double('A', "A"), "no_such_opponent"),
        ("playing", double('B', "C"), "no_such_opponent"),
        ("playing", take('B', "*"), "no_offer"),
        ("playing", say("A drops B"), "no_offer"),
        ("playing", say("A settles B 1 for box"), "not_in_rules"),
        ("playing", say("play on"), "nothing_to_play_on"),
        ("playing", say("B gives"), "not_asked"),
        ("playing", on_board(Action::RollOpening { dice: None }), "not_refereed"),
        ("playing", say("correct 1 box single"), "no_such_game"),
        ("refereed", say("box wins"), "refereed"),
        ("refereed", say("tie"), "refereed"),
        ("refereed", on_board(Action::Pass {}), "not_opened"),
        ("tie on the board", on_board(Action::RollOpening { dice: None }), "must_answer"),
        ("common", say("B leaves"), "proxy_needed"),
        ("common", say("B leaves to A"), "bad_proxy"),
        ("common", say("B leaves to B"), "bad_proxy"),
        ("common", say("A decides for B"), "bad_proxy"),
        ("common", say("B decides for B"), "nothing_changes"),
        ("to be settled", say("B leaves"), "must_settle"),
        ("first tie", say("tie declined"), "automatic_compulsory"),
    ]
}

fn of_the_cubes() -> Vec<Row> {
    let settlement = |points| BetEnded::Settlement { winner: Side::Box, points: HalfPoints(points) };
    vec![
        ("box doubled captain", say("A doubles B"), "offer_pending"),
        ("box doubled captain", say("A doubles CB"), "offer_pending"),
        ("box doubled captain", say("B doubles"), "not_on_turn"),
        ("box doubled captain", say("C doubles"), "not_on_turn"),
        ("box doubled captain", say("team wins"), "offer_pending"),
        ("box doubled captain", say("play on"), "offer_pending"),
        ("box doubled captain", say("A takes"), "no_offer"),
        ("box doubled captain", say("C takes"), "no_offer"),
        ("box doubled captain", say("B takes C"), "no_such_opponent"),
        ("box doubled captain", say("B beavers"), "no_beaver"),
        ("box doubled captain", say("tie"), "too_late"),
        ("captain doubled", say("A doubles C"), "not_on_turn"),
        ("captain doubled", say("B doubles"), "offer_pending"),
        ("captain doubled", say("A takes BC"), "no_offer"),
        ("captain took", say("A doubles B"), "not_your_cube"),
        ("captain took", say("A doubles BC"), "not_your_cube"),
        ("captain dropped", say("B doubles"), "not_in_game"),
        ("captain dropped", say("A doubles B"), "no_such_opponent"),
        ("capped", say("A doubles"), "cube_at_limit"),
        ("plakoto", Command::Finish { winner: Side::Box, win: Win::Backgammon }, "no_such_win"),
        ("plakoto played", won_threefold(), "no_such_win"),
        ("single cube", say("C doubles"), "only_captain"),
        ("single cube", say("A doubles B"), "bad_choice"),
        ("common double", say("C takes"), "not_your_answer"),
        ("common double", say("C settles A 1"), "offer_pending"),
        ("beaver", say("A beavers"), "no_beaver"),
        ("restrained", say("A doubles B"), "restraint"),
        ("answered", say("C doubles"), "late_double"),
        ("last to answer", say("C takes"), "must_drop"),
        ("last to beaver", say("C takes"), "must_beaver_or_drop"),
        ("must beaver", say("C takes"), "must_beaver_or_drop"),
        ("must beaver", say("play on"), "must_answer"),
        ("extras", say("D gives"), "not_asked"),
        ("extras", say("A gives"), "not_asked"),
        ("common", say("B settles A 3½ for box"), "bad_amount"),
        ("common", say("B settles A 1"), "counts_for"),
        ("common", say("C settles A 1 for box"), "counts_for"),
        ("common", say("B settles C 1"), "no_such_opponent"),
        ("whole points", say("C settles A ½"), "whole_points_only"),
        ("played", say("correct 1 box single"), "nothing_changes"),
        ("played", say("correct 2 box single"), "no_such_game"),
        ("played", correction(4, None), "no_such_bet"),
        ("played", say("B is A"), "cannot_merge"),
        ("all dropped", correction(1, Some(BetEnded::Game {})), "win_needed"),
        ("all dropped", correction(1, Some(settlement(0))), "not_in_rules"),
        ("all dropped by the common rules", correction(1, Some(settlement(-1))), "bad_amount"),
        ("all dropped", turned(1), "cube_too_low"),
    ]
}

fn table() -> Vec<Row> {
    [before_the_game(), during_the_game(), of_the_cubes()].concat()
}

#[test]
fn every_row_is_refused_with_its_code_and_changes_nothing() {
    for (state, command, code) in table() {
        assert_eq!(at(state).refused(&command), code, "{state}: {command:?}");
    }
}

#[test]
fn every_code_has_a_row() {
    let mut rows: BTreeSet<&str> = table().into_iter().map(|(.., code)| code).collect();
    // A refusal of the engine has the engine's code, which is none of the chouette's.
    assert!(rows.remove("not_opened"));
    assert_eq!(rows, Refusal::CODES.iter().map(|code| code.name()).collect());
}

#[test]
fn a_refusal_names_the_field_and_what_would_have_been_allowed() {
    let ids = |letters: &str| Some(json!(players(letters)));
    let cases = [
        ("fresh", say("A joins"), None, Some(json!(["open"]))),
        ("gathering", say("D leaves"), Some("player"), ids("ABC")),
        ("tied", say("roll A1 B2 C3"), Some("rolls"), ids("AB")),
        ("gathering", say("start"), None, Some(json!(["draw_order", "enter_rolls", "set_order"]))),
        ("playing", say("A leaves"), Some("player"), ids("D")),
        ("playing", say("D doubles"), Some("player"), ids("ABC")),
        ("playing", say("A doubles BD"), Some("against"), ids("BC")),
        ("captain took", say("A doubles B"), Some("against"), ids("C")),
        ("box doubled captain", say("C doubles"), Some("player"), ids("A")),
        ("box doubled captain", say("box wins"), None, ids("B")),
        ("capped", say("A doubles"), None, Some(json!(1))),
        ("plakoto played", won_threefold(), Some("win"), Some(json!(["single", "gammon"]))),
        ("common", say("B leaves"), Some("proxy"), ids("C")),
        ("common", say("B settles A 4 for box"), Some("amount"), Some(json!(6))),
        ("common double", say("C takes"), Some("player"), Some(json!(players("B")[0]))),
        ("too many", say("start"), None, ids("DEF")),
        ("extras", say("D gives"), Some("player"), Some(json!(players("B")[0]))),
        ("last to beaver", say("C takes"), None, Some(json!(["beaver", "drop"]))),
        ("restrained", say("A doubles B"), Some("against"), Some(json!("same_value_same_action"))),
    ];
    for (state, command, field, allowed) in cases {
        let refusal = at(state).give(&command).unwrap_err();
        assert_eq!((refusal.field(), json!(refusal.allowed())), (field, json!(allowed)), "{refusal:?}");
    }
}

#[test]
fn naming_nobody_means_all_it_can_apply_to() {
    let mut night = at("captain took");
    night.play("A doubles");
    let offered: Vec<bool> = night.state().bets().iter().map(|bet| bet.offered_by().is_some()).collect();
    assert_eq!(offered, [false, true], "B owns the cube, C's is centred");
}
