//! Cubes: how many, who doubles when, how high, and their worth.

use serde_json::{Value, json};

use super::{Setting, beside, setting};

#[test]
fn setting_cubes_single() {
    setting("cubes", "single").between("ABCD").comes_to(
        "start; C doubles; B doubles; A takes; team wins",
        "A-5 B+2 C+2 D+1, BCDA",
        "C doubles: only_captain; A-6 B+2 C+2 D+2, BCDA",
    );
    setting("cubes", "single").comes_to(
        "start; A doubles B; A doubles; B takes; C takes; box wins",
        "A+4 B-2 C-2, ACB",
        "A doubles B: bad_choice; A+4 B-2 C-2, ACB",
    );
}

#[test]
fn setting_box_restraint_same_value_same_action() {
    setting("box_restraint", "same_value_same_action").between("ABCD").comes_to(
        "start; A doubles B; B takes; box wins",
        "A+4 B-2 C-1 D-1, ACDB",
        "A doubles B: restraint; B takes: no_offer; A+3 B-1 C-1 D-1, ACDB",
    );
    // Takes and drops must be alike too; cubes of another value do not matter.
    setting("box_restraint", "same_value_same_action").between("ABCD").comes_to(
        "start; A doubles; B takes; C takes; D drops; play on; B doubles; A takes; play on; A doubles B; B takes; \
         play on; B doubles; C doubles; A takes B; A drops C; box wins",
        "A+15 B-16 C+2 D-1, ACDB",
        "A+15 B-16 C+2 D-1, ACDB",
    );
    setting("box_restraint", "same_value_same_action").comes_to(
        "start; B doubles; C doubles; A takes B; A drops C; box wins",
        "A+1 B-2 C+1, ACB",
        "A drops C: restraint; box wins: offer_pending; A0 B0 C0, ABC",
    );
}

#[test]
fn setting_box_restraint_first_all_or_none() {
    setting("box_restraint", "first_all_or_none").between("ABCD").comes_to(
        "start; B doubles; C doubles; A takes B; A drops C; box wins",
        "A+2 B-2 C+1 D-1, ACDB",
        "A drops C: restraint; box wins: offer_pending; A0 B0 C0 D0, ABCD",
    );
    // Only the first time: at the next turn the box does as it likes.
    setting("box_restraint", "first_all_or_none").between("ABCDE").comes_to(
        "start; B doubles; A takes; play on; C doubles; D doubles; A takes C; A drops D; box wins",
        "A+4 B-2 C-2 D+1 E-1, ACDEB",
        "A+4 B-2 C-2 D+1 E-1, ACDEB",
    );
    setting("box_restraint", "first_all_or_none").comes_to(
        "start; A doubles B; B takes; box wins",
        "A+3 B-2 C-1, ACB",
        "A doubles B: restraint; B takes: no_offer; A+2 B-1 C-1, ACB",
    );
}

#[test]
fn setting_box_restraint_at_least_half() {
    setting("box_restraint", "at_least_half").between("ABCD").comes_to(
        "start; A doubles B; A doubles BC; B takes; C takes; box wins",
        "A doubles BC: offer_pending; C takes: no_offer; A+4 B-2 C-1 D-1, ACDB",
        "A doubles B: restraint; A+5 B-2 C-2 D-1, ACDB",
    );
    // Of three doubles, two or none must be taken.
    setting("box_restraint", "at_least_half").between("ABCD").comes_to(
        "start; B doubles; C doubles; D doubles; A drops BC; A takes D; A drops D",
        "A drops D: no_offer; A-2 B+1 C+1 D0, ABCD",
        "A takes D: restraint; A-3 B+1 C+1 D+1, BCDA",
    );
}

#[test]
fn setting_box_restraint_break_even_with_captain() {
    // Losing all three would cost three points, and winning the one brings only two.
    setting("box_restraint", "break_even_with_captain").between("ABCDE").comes_to(
        "start; B doubles; C doubles; D doubles; E doubles; A drops CDE; A takes B; box wins",
        "A-1 B-2 C+1 D+1 E+1, ACDEB",
        "A takes B: restraint; box wins: offer_pending; A-3 B0 C+1 D+1 E+1, ABCDE",
    );
    // Two and two break even.
    setting("box_restraint", "break_even_with_captain").between("ABCD").comes_to(
        "start; B doubles; C doubles; D doubles; A drops CD; A takes B; box wins",
        "A0 B-2 C+1 D+1, ACDB",
        "A0 B-2 C+1 D+1, ACDB",
    );
    setting("box_restraint", "break_even_with_captain").between("ABCD").comes_to(
        "start; A doubles CD; A doubles BC; B takes; C takes; D takes; box wins",
        "A doubles BC: offer_pending; B takes: no_offer; A+5 B-1 C-2 D-2, ACDB",
        "A doubles CD: restraint; D takes: no_offer; A+5 B-2 C-2 D-1, ACDB",
    );
}

#[test]
fn setting_box_restraint_captains() {
    setting("box_restraint", "captains").between("ABCD").comes_to(
        "start; B doubles; C doubles; A drops B; A takes C; box wins",
        "A+2 B+1 C-2 D-1, BCDA",
        "A takes C: restraint; box wins: offer_pending; A-1 B+1 C0 D0, ABCD",
    );
    // The captain's alone is enough.
    setting("box_restraint", "captains").between("ABCDE").comes_to(
        "start; B doubles; C doubles; D doubles; E doubles; A drops CDE; A takes B; box wins",
        "A-1 B-2 C+1 D+1 E+1, ACDEB",
        "A-1 B-2 C+1 D+1 E+1, ACDEB",
    );
    setting("box_restraint", "captains").comes_to(
        "start; A doubles C; C takes; box wins",
        "A+3 B-1 C-2, ACB",
        "A doubles C: restraint; C takes: no_offer; A+2 B-1 C-1, ACB",
    );
}

#[test]
fn setting_late_doubles_open() {
    setting("late_doubles", "open").comes_to(
        "start; B doubles; A takes; C doubles; A takes; team wins",
        "C doubles: late_double; A takes: no_offer; A-3 B+2 C+1, BCA",
        "A-4 B+2 C+2, BCA",
    );
    // The roll ends the turn, and C's cube is still in the middle.
    setting("late_doubles", "open").comes_to(
        "start; B doubles; A takes; play on; C doubles; A takes; team wins",
        "A-4 B+2 C+2, BCA",
        "A-4 B+2 C+2, BCA",
    );
}

#[test]
fn setting_jacoby_off() {
    setting("jacoby", "off").comes_to("start; team wins gammon", "A-2 B+1 C+1, BCA", "A-4 B+2 C+2, BCA");
    setting("jacoby", "off").comes_to(
        "start; A doubles B; B takes; box wins backgammon",
        "A+7 B-6 C-1, ACB",
        "A+9 B-6 C-3, ACB",
    );
}

#[test]
fn setting_animals_beaver() {
    setting("animals", "beaver").comes_to(
        "start; A doubles; B beavers; C takes; A takes; box wins",
        "B beavers: no_beaver; C takes: not_your_answer; A takes: no_offer; box wins: offer_pending; \
         A0 B0 C0, ABC",
        "A+6 B-4 C-2, ACB",
    );
}

#[test]
fn setting_animals_raccoon() {
    setting("animals", "raccoon").comes_to(
        "start; A doubles B; B beavers; A beavers; B takes; box wins",
        "B beavers: no_beaver; A beavers: no_offer; A+3 B-2 C-1, ACB",
        "A+9 B-8 C-1, ACB",
    );
}

/// As many answers as the most permissive option needs.
const ANIMALS: &str =
    "start; A doubles B; B beavers; A beavers; B beavers; A beavers; B takes; A takes; box wins";
const NO_ANIMALS: &str = "B beavers: no_beaver; A beavers: no_offer; B beavers: no_beaver; A beavers: no_offer; \
                          A takes: no_offer; A+3 B-2 C-1, ACB";

#[test]
fn setting_animals_otter() {
    let otter = "A beavers: no_beaver; B takes: no_offer; A+17 B-16 C-1, ACB";
    setting("animals", "otter").comes_to(ANIMALS, NO_ANIMALS, otter);
}

#[test]
fn setting_animals_any() {
    setting("animals", "any").comes_to(ANIMALS, NO_ANIMALS, "A takes: no_offer; A+33 B-32 C-1, ACB");
}

fn automatics(others: &[(&str, Value)], key: &str, option: impl Into<Value>) -> Setting {
    beside(others, &format!("automatics.{key}"), option)
}

#[test]
fn setting_automatics_at_most() {
    let ties = "start; tie; tie; tie; box wins gammon";
    // Under Jacoby a gammon counts once here: an automatic double does not turn the cube.
    let one = "A+4 B-2 C-2, ACB";
    automatics(&[], "at_most", 0).comes_to(ties, one, "A+2 B-1 C-1, ACB");
    automatics(&[], "at_most", 2).comes_to(ties, one, "A+8 B-4 C-4, ACB");
    automatics(&[], "at_most", Value::Null).comes_to(ties, one, "A+16 B-8 C-8, ACB");
}

#[test]
fn setting_automatics_later_box_chooses() {
    let three = [("automatics.at_most", json!(3))];
    automatics(&three, "later", "box_chooses").comes_to(
        "start; tie declined; tie; tie declined; tie; tie; tie; box wins",
        "tie declined: automatic_compulsory; tie declined: automatic_compulsory; A+16 B-8 C-8, ACB",
        // A declined tie does not count towards the limit.
        "tie declined: automatic_compulsory; A+16 B-8 C-8, ACB",
    );
}

#[test]
fn setting_automatics_carry_over() {
    automatics(&[], "carry_over", true).comes_to(
        "start; tie; tie; tie; box wins; start; tie; box wins; start; box wins",
        "A+10 B-5 C-5, ACB",
        // One is carried over and the surplus lost; it is the one tie of the next game, whose own is carried
        // over in turn.
        "A+12 B-6 C-6, ACB",
    );
    automatics(&[], "carry_over", true).comes_to(
        "start; tie; tie; box wins; start; box wins; start; box wins",
        "A+8 B-4 C-4, ACB",
        "A+10 B-5 C-5, ACB",
    );
}

/// A tie that finds every cube at the cap doubles nothing in this game, and is carried over too.
#[test]
fn setting_automatics_carry_over_loses_no_tie_at_the_cap() {
    let cap = [("cube_cap", json!(2))];
    automatics(&cap, "carry_over", true).comes_to(
        "start; tie; tie; box wins; start; box wins",
        "A+6 B-3 C-3, ABC",
        "A+8 B-4 C-4, ABC",
    );
    // The same for one that the limit would still have let double.
    let cap = [("cube_cap", json!(2)), ("automatics.at_most", json!(3))];
    automatics(&cap, "carry_over", true).comes_to(
        "start; tie; tie; box wins; start; box wins",
        "A+6 B-3 C-3, ABC",
        "A+8 B-4 C-4, ABC",
    );
}

/// A tie that would have no effect anyway, at the cap or beyond the limit, is nobody's duty: the box can
/// decline it.
#[test]
fn setting_automatics_later_lets_a_tie_be_declined_that_doubles_nothing() {
    let at_the_cap = [("automatics.at_most", json!(3)), ("cube_cap", json!(2))];
    automatics(&at_the_cap, "later", "box_chooses").comes_to(
        "start; tie; tie declined; box wins",
        "A+4 B-2 C-2, ACB",
        "A+4 B-2 C-2, ACB",
    );
    let beyond = [("automatics.at_most", json!(2))];
    automatics(&beyond, "later", "box_chooses").comes_to(
        "start; tie; tie; tie declined; box wins",
        "A+8 B-4 C-4, ACB",
        "A+8 B-4 C-4, ACB",
    );
    // A tie that would be carried over can be declined like any after the first.
    let carried = [("automatics.carry_over", json!(true))];
    automatics(&carried, "later", "box_chooses").comes_to(
        "start; tie; tie declined; box wins; start; box wins",
        "tie declined: automatic_compulsory; A+6 B-3 C-3, ABC",
        "A+6 B-3 C-3, ABC",
    );
}

#[test]
fn setting_cube_cap() {
    setting("cube_cap", 2).comes_to(
        "start; A doubles; B takes; C takes; B doubles; A takes; box wins",
        "A+6 B-4 C-2, ACB",
        "B doubles: cube_at_limit; A takes: no_offer; A+4 B-2 C-2, ACB",
    );
    beside(&[("automatics.at_most", Value::Null)], "cube_cap", 4).comes_to(
        "start; tie; tie; tie; box wins",
        "A+16 B-8 C-8, ACB",
        "A+8 B-4 C-4, ACB",
    );
}

#[test]
fn setting_stakes_lower_of_two() {
    setting("stakes", "lower_of_two").comes_to(
        "A plays for 3; B plays for 2; start; box wins",
        "A plays for 3: not_in_rules; B plays for 2: not_in_rules; A+2 B-1 C-1, ACB",
        "A+3 B-2 C-1, ACB",
    );
}

#[test]
fn setting_stakes_own_start() {
    setting("stakes", "own_start").comes_to(
        "C starts at 4; start; box wins; start; box wins",
        "C starts at 4: not_in_rules; A+4 B-2 C-2, ABC",
        // As long as the box is the same.
        "A+10 B-2 C-8, ABC",
    );
    setting("stakes", "own_start").comes_to(
        "C starts at 4; start; team wins; start; box wins",
        "C starts at 4: not_in_rules; A-3 B+3 C0, BAC",
        "A-6 B+3 C+3, BAC",
    );
}

/// It is a member's cube that starts elsewhere, with the box's agreement: so there must be a box, and it must
/// be somebody else.
#[test]
fn setting_stakes_own_start_is_nothing_for_the_box_and_nothing_before_there_is_one() {
    setting("stakes", "own_start").comes_to(
        "A starts at 2; B starts at 2; start; box wins",
        "A starts at 2: not_in_rules; B starts at 2: not_in_rules; A+2 B-1 C-1, ACB",
        "A starts at 2: box_has_no_cube; A+3 B-2 C-1, ACB",
    );
    setting("stakes", "own_start").orders(
        "B starts at 2",
        "B starts at 2: not_in_rules; A0 B0 C0, ",
        "B starts at 2: no_order; A0 B0 C0, ",
    );
}
