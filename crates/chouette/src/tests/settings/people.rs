//! Settlements, coming and going, the number of players.

use serde_json::json;

use super::{Night, beside, letters, setting};

#[test]
fn setting_settlements_whole_points() {
    setting("settlements", "whole_points").comes_to(
        "start; A settles C ½; C settles A 1; box wins",
        "C settles A 1: no_such_opponent; A+½ B-1 C+½, ACB",
        "A settles C ½: whole_points_only; A+2 B-1 C-1, ACB",
    );
}

/// A bet that is called off is settled for nothing: the amounts begin at 0, and somebody still counts as the
/// winner.
#[test]
fn setting_settlements_can_be_for_nothing() {
    for option in ["whole_points", "halves"] {
        let mut night = Night::seated_under("ABC", super::super::rules(json!({"settlements": option})));
        night.play("start; A settles B 0 for team; box wins");
        assert_eq!(night.stands(), "A+1 B0 C-1, BCA", "{option}");
    }
}

#[test]
fn setting_settlements_forbidden() {
    setting("settlements", "forbidden").comes_to(
        "start; C settles A 1; team wins",
        "A0 B+1 C-1, BCA",
        "C settles A 1: not_in_rules; A-2 B+1 C+1, BCA",
    );
}

#[test]
fn setting_leaving_mid_game_with_captain() {
    setting("leaving.mid_game", "with_captain").comes_to(
        "start; C leaves; A doubles; B takes; C takes; box wins",
        "C leaves: proxy_needed; A+4 B-2 C-2, ACB",
        "C takes: no_offer; A+4 B-2 C-2, AB",
    );
    // A player drops with the captain too.
    setting("leaving.mid_game", "with_captain").between("ABCD").comes_to(
        "start; C leaves; A doubles; B drops; D takes; box wins",
        "C leaves: proxy_needed; D takes: not_your_answer; box wins: offer_pending; A+1 B-1 C0 D0, ABCD",
        "A+4 B-1 C-1 D-2, ADB",
    );
    // The box names a proxy who is on neither side.
    setting("leaving.mid_game", "with_captain").comes_to(
        "D joins; start; A leaves; A leaves to B; E joins; A leaves to E; B doubles; A takes; team wins",
        "A leaves: proxy_needed; A leaves to B: bad_proxy; A-4 B+2 C+1 D+1 E0, BCDE",
        "A leaves: proxy_needed; A leaves to B: bad_proxy; A-4 B+2 C+1 D+1 E0, BCDE",
    );
}

#[test]
fn setting_leaving_mid_game_settle() {
    setting("leaving.mid_game", "settle").comes_to(
        "start; C leaves to B; C settles A 1; C leaves; box wins",
        "C leaves: not_here; A+2 B-1 C-1, AB",
        "C leaves to B: must_settle; A+2 B-1 C-1, AB",
    );
}

#[test]
fn setting_leaving_mid_game_not_allowed() {
    setting("leaving.mid_game", "not_allowed").comes_to(
        "start; C leaves to B; C rests to B; box wins",
        "C rests to B: not_here; A+2 B-1 C-1, AB",
        "C leaves to B: game_in_progress; C rests to B: game_in_progress; A+2 B-1 C-1, ACB",
    );
}

#[test]
fn setting_leaving_on_break_end_of_line() {
    setting("leaving.on_break", "end_of_line").between("ABCD").comes_to(
        "B rests; start; box wins; B returns",
        "A+2 B0 C-1 D-1, ABDC",
        "A+2 B0 C-1 D-1, ADCB",
    );
    setting("leaving.on_break", "end_of_line").between("ABCD").comes_to(
        "B rests; start; box wins",
        "A+2 B0 C-1 D-1, ABDC resting B",
        "A+2 B0 C-1 D-1, ADC resting B",
    );
}

#[test]
fn setting_declining_allowed() {
    setting("declining", "allowed").between("ABCD").comes_to(
        "start; team wins; B declines the box; start; box wins",
        "B declines the box: cannot_decline; A-4 B+4 C0 D0, BDAC",
        "A-4 B0 C+4 D0, CABD",
    );
}

#[test]
fn setting_table_size_at_most() {
    setting("table_size.at_most", 5).between("ABCDEF").comes_to(
        "start; box wins; split DEF; start; box wins",
        "A+7 B-2 C-2 D-1 E-1 F-1, ABC",
        "start: split_due; box wins: no_game; A+2 B-1 C-1 D0 E0 F0, ACB",
    );
    // Nobody is sent away: one too many may join, and then the table is split.
    setting("table_size.at_most", 5).between("ABCDE").comes_to(
        "F joins; start; box wins",
        "A+5 B-1 C-1 D-1 E-1 F-1, ACDEFB",
        "start: split_due; box wins: no_game; A0 B0 C0 D0 E0 F0, ABCDEF",
    );
}

#[test]
fn setting_table_size_split_bottom() {
    // F is the newcomer, but C, D and E sit behind F: they came back from a break.
    let others = [("leaving.on_break", json!("end_of_line")), ("table_size.at_most", json!(5))];
    let [default, option] = beside(&others, "table_size.split", "bottom").between("ABCDE").look(
        Night::seated_under,
        "C rests; D rests; E rests; F joins; C returns; D returns; E returns",
        |night, told| (told, letters(&night.state().view().split_due)),
    );
    let stands = "A0 B0 C0 D0 E0 F0, ABFCDE".to_owned();
    assert_eq!(default, (stands.clone(), "FDE".into()), "the newcomer, and the last two");
    assert_eq!(option, (stands, "CDE".into()));
}

#[test]
fn setting_heads_up_pause() {
    setting("heads_up", "pause").comes_to(
        "C leaves; start; box wins",
        "A+1 B-1 C0, AB",
        "start: too_few_players; box wins: no_game; A0 B0 C0, AB",
    );
}

/// A game that ends by settlements was won by the winner of its last bet with the box; of several settled at
/// once, by the one the table names for the captain's. `counts_for` always decides.
#[test]
fn settlements_win_the_game_for_whom_the_table_names() {
    use crate::{Command, Settlement, Side};
    use owlbox_base::values::HalfPoints;

    let won_by = |counts_for: Side, last: &str| {
        let mut night = Night::seated_under("ABCD", crate::HouseRules::default());
        night.play("start").play(last);
        let pays = |payer: char, payee: char| Settlement {
            payer: crate::tests::player(payer),
            payee: crate::tests::player(payee),
            points: HalfPoints(2),
        };
        // B is captain, and is paid; C, last in line, pays.
        night.ok(&Command::Settle {
            bets: vec![pays('A', 'B'), pays('C', 'A')],
            counts_for: Some(counts_for),
        });
        let finished = night.state().finished().last().map(|game| (game.winner, game.win));
        (finished, night.line())
    };
    assert_eq!(won_by(Side::Team, "D settles A 1"), (Some((Side::Team, None)), "BCDA".into()));
    assert_eq!(won_by(Side::Box, "D settles A 1"), (Some((Side::Box, None)), "ACDB".into()));
}
