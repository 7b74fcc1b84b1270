//! The order, and who sits where next.

use serde_json::json;

use super::{beside, setting};

#[test]
fn setting_order_dice_two_dice() {
    setting("order.dice", "two_dice").orders(
        "roll A6 B5 C4; roll A1+1 B6+5 C3+3",
        "roll A1+1 B6+5 C3+3: order_already_set; A0 B0 C0, ABC",
        "roll A6 B5 C4: wrong_rollers; A0 B0 C0, BCA",
    );
    // A double is nothing special, and equal sums are a tie.
    setting("order.dice", "two_dice").orders(
        "roll A3+3 B4+2 C5+2; roll A1+1 B6+5",
        "roll A3+3 B4+2 C5+2: wrong_rollers; roll A1+1 B6+5: wrong_rollers; A0 B0 C0, ",
        "A0 B0 C0, CBA",
    );
}

#[test]
fn setting_order_dice_four_dice() {
    setting("order.dice", "four_dice").orders(
        "roll A6 B5 C4; roll A1+1+1+1 B6+5+1+1 C3+3+3+3",
        "roll A1+1+1+1 B6+5+1+1 C3+3+3+3: order_already_set; A0 B0 C0, ABC",
        "roll A6 B5 C4: wrong_rollers; A0 B0 C0, BCA",
    );
}

#[test]
fn setting_order_dice_shuffle() {
    setting("order.dice", "shuffle").drawing(&[2, 0, 5]).orders(
        "draw; roll A6 B5 C4",
        "roll A6 B5 C4: order_already_set; A0 B0 C0, CAB",
        "roll A6 B5 C4: not_in_rules; A0 B0 C0, BAC",
    );
}

#[test]
fn setting_order_dice_by_hand() {
    setting("order.dice", "by_hand").orders(
        "order CAB; roll A6 B5 C4",
        "order CAB: not_in_rules; A0 B0 C0, ABC",
        "roll A6 B5 C4: not_in_rules; A0 B0 C0, CAB",
    );
}

#[test]
fn setting_box_retention_last_standing() {
    setting("box_retention", "last_standing").between("ABCDE").comes_to(
        "start; A doubles; B drops; C takes; D drops; E drops; team wins",
        "A+1 B-1 C+2 D-1 E-1, ACDEB",
        "A+1 B-1 C+2 D-1 E-1, CDEBA",
    );
}

#[test]
fn setting_box_retention_beat_everyone() {
    // The captain has lost, so the next in line takes the box.
    setting("box_retention", "beat_everyone").between("ABCD").comes_to(
        "start; C doubles; A drops; box wins",
        "A+1 B-1 C+1 D-1, ACDB",
        "A+1 B-1 C+1 D-1, CDBA",
    );
}

#[test]
fn setting_box_retention_profit() {
    // The captain has won, and the box has won more.
    setting("box_retention", "profit").between("ABCD").comes_to(
        "start; B doubles; A drops; box wins",
        "A+1 B+1 C-1 D-1, BCDA",
        "A+1 B+1 C-1 D-1, ACDB",
    );
    // Breaking even is not a profit.
    setting("box_retention", "profit").comes_to(
        "start; B doubles; A drops; box wins",
        "A0 B+1 C-1, BCA",
        "A0 B+1 C-1, BCA",
    );
    // The captain has lost, and the box has lost more.
    setting("box_retention", "profit").between("ABCD").comes_to(
        "start; A doubles B; B drops; team wins",
        "A-1 B-1 C+1 D+1, ACDB",
        "A-1 B-1 C+1 D+1, CDBA",
    );
}

#[test]
fn setting_box_retention_profit_or_even() {
    setting("box_retention", "profit_or_even").comes_to(
        "start; B doubles; A drops; box wins",
        "A0 B+1 C-1, BCA",
        "A0 B+1 C-1, ACB",
    );
}

#[test]
fn setting_box_retention_composite() {
    // The box is even, but won nothing by play, by the last drop or by a settlement.
    setting("box_retention", "composite").between("ABCD").comes_to(
        "start; A doubles B; B drops; C doubles; A drops; A settles D 0",
        "A0 B-1 C+1 D0, ACDB",
        "A0 B-1 C+1 D0, CDBA",
    );
    // The box was paid half a point: no loss on balance, and a settlement received.
    setting("box_retention", "composite").between("ABCD").comes_to(
        "start; B doubles; A drops; A doubles C; C drops; D settles A ½",
        "A+½ B+1 C-1 D-½, BCDA",
        "A+½ B+1 C-1 D-½, ACDB",
    );
    // The box won against somebody by play, and is even.
    setting("box_retention", "composite").comes_to(
        "start; B doubles; A drops; box wins",
        "A0 B+1 C-1, BCA",
        "A0 B+1 C-1, ACB",
    );
    // The last member still in dropped.
    setting("box_retention", "composite").comes_to(
        "start; B doubles; A drops; A doubles C; C drops",
        "A0 B+1 C-1, BCA",
        "A0 B+1 C-1, ACB",
    );
}

#[test]
fn setting_double_stand_up_on() {
    setting("double_stand_up", "on").between("ABCD").comes_to(
        "start; A doubles B; B drops; team wins",
        "A-1 B-1 C+1 D+1, ACDB",
        "A-1 B-1 C+1 D+1, CDBA",
    );
    // Only if the box has lost too.
    setting("double_stand_up", "on").between("ABCD").comes_to(
        "start; A doubles B; B drops; box wins",
        "A+3 B-1 C-1 D-1, ACDB",
        "A+3 B-1 C-1 D-1, ACDB",
    );
}

/// The captain drops, C takes alone, B gives C an extra, C redoubles and the box drops: captain and box have
/// both lost, no matter who wins the bet that B and C play on.
#[test]
fn setting_double_stand_up_goes_by_the_boxs_bets_and_never_by_extras() {
    let until_the_extra = "start; A doubles; B drops; C takes; B gives; play on; C doubles A; A drops";
    let both_stand_up = beside(&[("lone_taker.rule", json!("extras"))], "double_stand_up", "on");
    for (end, scores) in [
        ("team wins", "A-1 B-4 C+5"),
        ("box wins", "A-1 B0 C+1"),
        ("play on; C doubles; B drops", "A-1 B-4 C+5"),
        ("B settles C 1", "A-1 B-3 C+4"),
    ] {
        let script = format!("{until_the_extra}; {end}");
        both_stand_up.comes_to(&script, &format!("{scores}, ACB"), &format!("{scores}, CBA"));
    }
}

/// Los Angeles: the drop of the last member in counts, even while a bet between members goes on.
#[test]
fn setting_box_retention_composite_never_looks_at_extras() {
    beside(&[("lone_taker.rule", json!("extras"))], "box_retention", "composite").between("ABCD").comes_to(
        "start; B doubles; A drops; play on; A doubles; C takes; D drops; D gives; play on; C doubles A; A takes;
         play on; A doubles; C drops; box wins",
        "A+4 B+1 C-5 D0, BCDA",
        "A+4 B+1 C-5 D0, ACDB",
    );
}

#[test]
fn setting_newcomer_ahead_of_loser() {
    setting("newcomer", "ahead_of_loser").comes_to(
        "start; D joins; box wins; E joins",
        "A+2 B-1 C-1 D0 E0, ACBDE",
        "A+2 B-1 C-1 D0 E0, ACDEB",
    );
    // Before any game nobody has stood up.
    setting("newcomer", "ahead_of_loser").comes_to("D joins", "A0 B0 C0 D0, ABCD", "A0 B0 C0 D0, ABCD");
}

/// A player who declined the box stood up like the loser, and a newcomer sits ahead of both, no matter who
/// came first.
#[test]
fn setting_newcomer_ahead_of_loser_when_the_box_was_declined() {
    let declining = beside(&[("declining", json!("allowed"))], "newcomer", "ahead_of_loser").between("ABCD");
    for script in [
        "start; team wins; B declines the box; E joins",
        "start; team wins; E joins; B declines the box",
        "start; E joins; team wins; B declines the box",
    ] {
        declining.comes_to(script, "A-3 B+1 C+1 D+1 E0, CDABE", "A-3 B+1 C+1 D+1 E0, CDEAB");
    }
    // Two newcomers, one before and one after.
    declining.comes_to(
        "start; team wins; E joins; B declines the box; F joins",
        "A-3 B+1 C+1 D+1 E0 F0, CDABEF",
        "A-3 B+1 C+1 D+1 E0 F0, CDEFAB",
    );
}

/// A former partner at the end of the line does not put a newcomer behind the loser.
#[test]
fn setting_newcomer_ahead_of_loser_though_a_former_partner_sits_behind_them() {
    let partners = [("partner.when", json!("optional")), ("partner.from", json!(4))];
    beside(&partners, "newcomer", "ahead_of_loser").between("ABCDE").comes_to(
        "offer; B accepts; start; box wins; B rests; B returns; F joins",
        "A+1½ B+1½ C-1 D-1 E-1 F0, ADECBF",
        "A+1½ B+1½ C-1 D-1 E-1 F0, ADEFCB",
    );
}

/// A player who left and came back is a newcomer like any, and nobody sits before the box.
#[test]
fn setting_newcomer_ahead_of_loser_but_not_of_newcomers_nor_of_the_box() {
    setting("newcomer", "ahead_of_loser").between("ABCD").comes_to(
        "start; box wins; B leaves; B joins; E joins",
        "A+3 B-1 C-1 D-1 E0, ACDBE",
        "A+3 B-1 C-1 D-1 E0, ACDBE",
    );
    // C stood up, but is the only one who can be box, as the others rest.
    setting("newcomer", "ahead_of_loser").between("ABC").comes_to(
        "start; team wins; B rests; C rests; D joins",
        "A-2 B+1 C+1 D0, BCAD resting BC",
        "A-2 B+1 C+1 D0, BCAD resting BC",
    );
}

/// A player who stood up and was also entered a second time has still stood up.
#[test]
fn setting_newcomer_ahead_of_loser_though_entered_twice() {
    setting("newcomer", "ahead_of_loser").between("ABCD").comes_to(
        "start; box wins; E joins; E is B; F joins",
        "A+3 B-1 C-1 D-1 F0, ACDBF",
        "A+3 B-1 C-1 D-1 F0, ACDFB",
    );
}

/// What counts is how a seat was obtained, by a newcomer or by a player who stood up, no matter who turns out
/// to sit there.
#[test]
fn setting_newcomer_ahead_of_loser_goes_by_the_seat_that_a_name_is_put_right_for() {
    setting("newcomer", "ahead_of_loser").between("ABCD").comes_to(
        "start; box wins; B leaves; E joins; E is B; F joins",
        "A+3 B-1 C-1 D-1 F0, ACDBF",
        "A+3 B-1 C-1 D-1 F0, ACDBF",
    );
    setting("newcomer", "ahead_of_loser").between("ABCD").comes_to(
        "start; box wins; E joins; E leaves; B is E; F joins",
        "A+3 C-1 D-1 E-1 F0, ACDEF",
        "A+3 C-1 D-1 E-1 F0, ACDFE",
    );
}

/// A player who came back to the table during the game, won the box and declines it has still stood up.
#[test]
fn setting_newcomer_ahead_of_loser_when_who_declined_the_box_had_come_back_during_the_game() {
    let others = [("declining", json!("allowed")), ("leaving.on_break", json!("end_of_line"))];
    beside(&others, "newcomer", "ahead_of_loser").between("ABC").comes_to(
        "start; B rests to C; B returns; C rests to B; C returns; D joins; team wins; A rests; B declines the box; E joins",
        // Newcomers sit behind the loser, so A had the box until A rested: B has not won it.
        "B declines the box: cannot_decline; A-2 B+1 C+1 D0 E0, BCDE resting A",
        "A-2 B+1 C+1 D0 E0, CDEB resting A",
    );
}

#[test]
fn setting_captain_drops_becomes() {
    // The example of the sources: the first keeps A as box, the second makes C box.
    beside(&[("cubes", json!("single"))], "captain_drops", "becomes").between("ABCDE").comes_to(
        "start; A doubles; B drops; C takes; D drops; E drops; team wins",
        "A+1 B-1 C+2 D-1 E-1, ACDEB",
        "A+1 B-1 C+2 D-1 E-1, CDEBA",
    );
}

#[test]
fn setting_takers_move_up_line() {
    let others = [("cubes", json!("single")), ("captain_drops", json!("becomes"))];
    let rule = || beside(&others, "takers_move_up", "line").between("ABCDE");
    // C and E drop; D takes the place of C (Q7).
    rule().comes_to(
        "start; A doubles; B takes; C drops; D takes; E drops; box wins",
        "A+6 B-2 C-1 D-2 E-1, ACDEB",
        "A+6 B-2 C-1 D-2 E-1, ADCEB",
    );
    // The captain drops (Q8): D, who took, becomes captain, then box; the former captain is last before the
    // box.
    rule().comes_to(
        "start; A doubles; B drops; C drops; D takes; E takes; team wins",
        "A-2 B-1 C-1 D+2 E+2, DCEBA",
        "A-2 B-1 C-1 D+2 E+2, DECBA",
    );
}
