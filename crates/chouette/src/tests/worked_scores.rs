//! The worked scores of `docs/rules.md`: A is the box, and every row adds up to zero.

use rstest::rstest;
use serde_json::{Value, json};

use super::said::{command, outcome_of};
use super::{Night, player, rules};
use crate::Command;

/// Checks the scores after the script.
#[track_caller]
fn comes_to(letters: &str, settings: Value, script: &str, expected: &str) {
    let told = outcome_of(letters, rules(settings), script);
    let (scores, _) = told.rsplit_once(", ").unwrap();
    assert_eq!(scores, expected, "{script}");
}

#[rstest]
#[case::won("box wins", "A+4 B-1 C-1 D-1 E-1")]
#[case::lost("team wins", "A-4 B+1 C+1 D+1 E+1")]
fn e1_a_one_point_game_against_four(#[case] script: &str, #[case] scores: &str) {
    comes_to("ABCDE", json!({}), script, scores);
}

#[test]
fn e2_the_box_took_from_all_four_and_is_gammoned() {
    let script = "B doubles; C doubles; D doubles; E doubles; A takes; team wins gammon";
    comes_to("ABCDE", json!({}), script, "A-16 B+4 C+4 D+4 E+4");
}

#[test]
fn e3_three_taken_and_the_fourth_dropped_later() {
    let script = "B doubles; C doubles; D doubles; A takes; play on; E doubles; A drops; team wins gammon";
    comes_to("ABCDE", json!({}), script, "A-13 B+4 C+4 D+4 E+1");
}

#[test]
fn e4_a_single_cube_at_four() {
    let script = "A doubles; B takes; C takes; D takes; play on; B doubles; A takes; team wins";
    comes_to("ABCD", json!({"cubes": "single"}), script, "A-12 B+4 C+4 D+4");
}

const E7: &str = "start; A doubles; B takes; C takes; D drops";

#[test]
fn e7_a_drop_shows_at_once_and_the_game_goes_on() {
    let mut night = Night::seated_under("ABCD", rules(json!({})));
    night.play(E7);
    assert_eq!(night.scores(), "A+1 B0 C0 D-1");
    assert_eq!(night.booked(), "A0 B0 C0 D0", "the books have it when the game ends");
    assert!(night.state().game().is_some());
}

#[test]
fn e8_the_books_have_it_when_the_game_ends() {
    let mut night = Night::seated_under("ABCD", rules(json!({})));
    night.play(E7).play("play on; C doubles; A takes");
    assert_eq!(night.booked(), "A0 B0 C0 D0");

    night.play("team wins");
    assert_eq!(night.scores(), "A-5 B+2 C+4 D-1");
    assert_eq!(night.booked(), night.scores());
}

/// The partner is P: of 7 and of 5 points the odd one is the box's, where points are the smallest unit.
#[rstest]
#[case::won("whole_points", "box wins", "A+4 B-2 C-2 D-2 E-1 P+3")]
#[case::lost("whole_points", "team wins", "A-3 B+2 C+2 D+2 E-1 P-2")]
#[case::won_where_halves_are_in_use("halves", "box wins", "A+3½ B-2 C-2 D-2 E-1 P+3½")]
#[case::lost_where_halves_are_in_use("halves", "team wins", "A-2½ B+2 C+2 D+2 E-1 P-2½")]
fn e11_the_odd_point_of_a_partnership_is_the_boxs(
    #[case] settlements: &str,
    #[case] end: &str,
    #[case] scores: &str,
) {
    let rules = rules(json!({
        "partner": {"when": "optional", "offer": "next_in_line"}, "settlements": settlements,
    }));
    let mut night = Night::seated_under("ABPCDE", rules);
    night.play("offer; start; A doubles; B takes; C takes; D takes; E drops");
    night.ok(&command(end));
    assert_eq!(night.scores(), scores);
}

#[test]
fn e12_an_automatic_and_jacoby_cube_by_cube() {
    let script = "tie; B doubles; A takes; team wins gammon";
    comes_to("ABCD", json!({}), script, "A-12 B+8 C+2 D+2");
}

#[rstest]
#[case::with_a_raccoon("raccoon", "A beavers; B takes", "A+11 B-8 C-2 D-1")]
#[case::without("beaver", "A takes", "A+7 B-4 C-2 D-1")]
fn e13_beaver_and_raccoon(#[case] animals: &str, #[case] answer: &str, #[case] scores: &str) {
    let script = format!("A doubles; B beavers; C takes; D drops; {answer}; box wins");
    comes_to("ABCD", json!({"animals": animals}), &script, scores);
}

#[test]
fn e15_a_settlement_of_half_a_point() {
    let script = "A doubles; B takes; C takes; play on; A settles B ½ for team; box wins";
    comes_to("ABC", json!({}), script, "A+1½ B+½ C-2");
}

#[test]
fn e16_a_single_cube_redoubled_after_a_drop() {
    let script = "A doubles; B takes; C drops; D takes; play on; B doubles; A takes; team wins";
    comes_to("ABCD", json!({"cubes": "single"}), script, "A-7 B+4 C-1 D+4");
}

/// Everybody's debts and claims, in points of three dollars.
fn debts(night: &Night) -> String {
    let told = |letter: char| {
        let cents = night.state().debt(player(letter)).unwrap();
        assert_eq!(cents % 300, 0);
        format!("{letter}{:+}", cents / 300)
    };
    "ABCDE".chars().map(told).collect::<Vec<_>>().join(" ")
}

#[test]
fn e17_payments_change_debts_and_never_scores() {
    let mut night = Night::default();
    let stake = serde_json::from_value(json!({"amount": 300, "currency": "USD"})).unwrap();
    let Command::Open { name, night: date, rules, from, .. } = super::open("Table", rules(json!({}))) else {
        unreachable!()
    };
    night.ok(&Command::Open { name, night: date, stake: Some(stake), rules, from });
    night.all_join("EABCD");
    night.roll_as_they_came();
    // E is box, and the cubes stand at 8 when they settle.
    night.play(
        "start; E doubles; A takes; B takes; C takes; D takes; play on; A doubles; B doubles; C doubles",
    );
    night.play("D doubles; E takes; play on; E doubles; A takes; B takes; C takes; D takes; play on");
    night.play("E settles A 6 for team; B settles E 6; C settles E 20; D settles E 8");
    let scores = "A+6 B-6 C-20 D-8 E+28";
    assert_eq!(night.booked(), scores);
    assert_eq!(debts(&night), "A+6 B-6 C-20 D-8 E+28");

    night.play("B pays A 1800; A leaves");
    assert_eq!(debts(&night), "A+0 B+0 C-20 D-8 E+28");
    night.play("close; C pays E 6000; D pays E 2400");
    assert_eq!(debts(&night), "A+0 B+0 C+0 D+0 E+0");
    assert_eq!(night.booked(), scores, "the scores of the night stay");
}
