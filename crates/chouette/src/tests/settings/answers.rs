//! The order of answers, consultation, and lone takers.

use serde_json::json;

use super::{beside, setting};

#[test]
fn setting_consultation_after_own_cube() {
    let script = "A doubles BC; B takes; C drops";
    setting("consultation", "after_own_cube").between("ABCD").advise(script, "BD", "B");
    setting("consultation", "after_own_cube").between("ABCD").advise("tie", "", "");
}

#[test]
fn setting_consultation_free() {
    setting("consultation", "free").between("ABCD").advise("", "", "BCD");
    // A player who has dropped is silent.
    setting("consultation", "free").between("ABCD").advise(
        "A doubles; B drops; C takes; D takes",
        "CD",
        "CD",
    );
}

#[test]
fn setting_consultation_none() {
    setting("consultation", "none").between("ABCD").advise("A doubles BC; B takes; C drops", "BD", "");
}

#[test]
fn setting_decision_order_last_first() {
    setting("decision_order", "last_first").between("ABCD").comes_to(
        "start; A doubles; D takes; B takes; C takes; D takes; B takes",
        "D takes: not_your_answer; B takes: no_offer; A0 B0 C0 D0, ABCD",
        "B takes: not_your_answer; D takes: no_offer; A0 B0 C0 D0, ABCD",
    );
}

#[test]
fn setting_decision_order_lowest_score_first() {
    // After the first game D has lost two, and C sits before B, who has lost as much.
    setting("decision_order", "lowest_score_first").between("ABCD").comes_to(
        "start; A doubles D; D takes; box wins; start; A doubles; C takes; D takes; B takes; C takes; B takes",
        "C takes: no_offer; B takes: no_offer; A+4 B-1 C-1 D-2, ACDB",
        "C takes: not_your_answer; B takes: not_your_answer; A+4 B-1 C-1 D-2, ACDB",
    );
}

#[test]
fn setting_decision_order_all_at_once() {
    setting("decision_order", "all_at_once").comes_to(
        "start; A doubles; C takes; B drops; C drops",
        "C takes: not_your_answer; A+2 B-1 C-1, ACB",
        "C drops: no_offer; A+1 B-1 C0, ABC",
    );
    // Until all have answered, each may change their mind.
    setting("decision_order", "all_at_once").comes_to(
        "start; A doubles; C takes; C drops; B takes",
        "C takes: not_your_answer; C drops: not_your_answer; A0 B0 C0, ABC",
        "A+1 B0 C-1, ABC",
    );
}

#[test]
fn setting_decision_order_any_order() {
    setting("decision_order", "any_order").comes_to(
        "start; A doubles; C takes; B takes; box wins",
        "C takes: not_your_answer; box wins: offer_pending; A0 B0 C0, ABC",
        "A+4 B-2 C-2, ACB",
    );
}

#[test]
fn setting_lone_taker_rule_must_drop() {
    setting("lone_taker.rule", "must_drop").between("ABCDE").comes_to(
        "start; A doubles; B drops; C drops; D drops; E takes; box wins",
        "A+5 B-1 C-1 D-1 E-2, ACDEB",
        "E takes: must_drop; box wins: offer_pending; A+3 B-1 C-1 D-1 E0, ABCDE",
    );
    // A player who took before the others dropped has to drop too, and the game is over.
    setting("lone_taker.rule", "must_drop").between("ABCDE").comes_to(
        "start; A doubles; B takes; C drops; D drops; E drops; box wins",
        "A+5 B-2 C-1 D-1 E-1, ACDEB",
        "box wins: no_game; A+4 B-1 C-1 D-1 E-1, ACDEB",
    );
}

#[test]
fn setting_lone_taker_from() {
    beside(&[("lone_taker.rule", json!("must_drop"))], "lone_taker.from", 6).between("ABCDE").comes_to(
        "start; A doubles; B drops; C drops; D drops; E takes; box wins",
        "E takes: must_drop; box wins: offer_pending; A+3 B-1 C-1 D-1 E0, ABCDE",
        "A+5 B-1 C-1 D-1 E-2, ACDEB",
    );
}

#[test]
fn setting_lone_taker_rule_must_beaver_or_drop() {
    let beavers = [("animals", json!("beaver"))];
    beside(&beavers, "lone_taker.rule", "must_beaver_or_drop").comes_to(
        "start; A doubles; B drops; C takes; C beavers; A takes; box wins",
        "C beavers: no_offer; A takes: no_offer; A+3 B-1 C-2, ACB",
        "C takes: must_beaver_or_drop; A+5 B-1 C-4, ACB",
    );
    // A player who took before the others dropped must choose now, before anything else happens.
    beside(&beavers, "lone_taker.rule", "must_beaver_or_drop").comes_to(
        "start; A doubles; B takes; C drops; box wins; B drops",
        "B drops: no_game; A+3 B-2 C-1, ACB",
        "box wins: must_answer; A+2 B-1 C-1, ACB",
    );
}

#[test]
fn setting_lone_taker_rule_extras() {
    // B pays C one point and plays a cube at 2 against C, D does not; C loses both.
    setting("lone_taker.rule", "extras").between("ABCD").comes_to(
        "start; A doubles; B drops; C takes; D drops; B gives; D passes; box wins",
        "B gives: not_asked; D passes: not_asked; A+4 B-1 C-2 D-1, ACDB",
        "A+4 B0 C-3 D-1, ACDB",
    );
}

#[test]
fn setting_lone_taker_rule_extras_or_drop() {
    setting("lone_taker.rule", "extras_or_drop").between("ABCD").comes_to(
        "start; A doubles; B drops; C takes; D drops; B gives; D passes; C drops; box wins",
        "B gives: not_asked; D passes: not_asked; C drops: no_offer; A+4 B-1 C-2 D-1, ACDB",
        "box wins: no_game; A+3 B-1 C-1 D-1, ACDB",
    );
    // Once taken, the extra is as good as any.
    setting("lone_taker.rule", "extras_or_drop").between("ABCD").comes_to(
        "start; A doubles; B drops; C takes; D drops; B gives; play on; D passes; C takes; box wins",
        "B gives: not_asked; D passes: not_asked; C takes: no_offer; A+4 B-1 C-2 D-1, ACDB",
        "play on: must_answer; A+4 B0 C-3 D-1, ACDB",
    );
}

#[test]
fn setting_lone_taker_rule_must_drop_or_extras() {
    // Q9 with five players, Q10 with four.
    let rule = || setting("lone_taker.rule", "must_drop_or_extras");
    rule().between("ABCDE").comes_to(
        "start; A doubles; B drops; C drops; D drops; E takes; box wins",
        "A+5 B-1 C-1 D-1 E-2, ACDEB",
        "E takes: must_drop; box wins: offer_pending; A+3 B-1 C-1 D-1 E0, ABCDE",
    );
    rule().between("ABCD").comes_to(
        "start; A doubles; B drops; C takes; D drops; B gives; D passes; box wins",
        "B gives: not_asked; D passes: not_asked; A+4 B-1 C-2 D-1, ACDB",
        "A+4 B0 C-3 D-1, ACDB",
    );
}

#[test]
fn setting_lone_taker_extras_from_onlookers() {
    beside(&[("lone_taker.rule", json!("extras"))], "lone_taker.extras_from", "onlookers").comes_to(
        "start; D joins; A doubles; B drops; C takes; B passes; D gives; box wins",
        "D gives: not_asked; A+3 B-1 C-2 D0, ACBD",
        "A+3 B-1 C-3 D+1, ACBD",
    );
}
