//! Coming and going in the middle of things (Q5): proxies, breaks, tables split and merged, players entered
//! twice, and what each has at stake.

use serde_json::{Value, json};

use super::said::outcome_of;
use super::{Night, letters, player, rules};
use crate::{Command, Event, Phase};
use owlbox_base::values::ChouetteId;

fn playing(letters: &str, settings: Value) -> Night {
    Night::playing_under(letters, rules(settings))
}

/// Who decides for whom, as the table shows it: `C by B`.
fn proxies(night: &Night) -> Vec<String> {
    let shown = night.state().view().game.unwrap().proxies;
    let told = |proxy: &crate::view::ProxyView| {
        let how = if proxy.with_captain { "with" } else { "by" };
        format!("{} {how} {}", letters(&[proxy.player]), letters(&[proxy.decides]))
    };
    shown.iter().map(told).collect()
}

#[test]
fn q5_bets_left_to_a_proxy_are_still_ones_own() {
    let mut night = playing("ABCD", json!({}));
    night.play("C leaves to B; A doubles; B takes; C takes; D drops");
    assert_eq!(proxies(&night), ["C by B"]);
    assert_eq!(letters(night.state().line()), "ABD");
    night.play("team wins");
    assert_eq!(night.stands(), "A-3 B+2 C+2 D-1, BDA");
    assert_eq!(letters(&night.state().away()), "C");
}

#[test]
fn q10_nobody_gives_an_extra_to_one_they_decide_for() {
    let extras = || json!({"lone_taker": {"rule": "extras"}});
    let mut night = playing("ABCD", extras());
    night.play("B leaves to C; A doubles; B takes; C drops; D drops");
    assert_eq!(night.no("C gives"), "not_asked");
    night.play("D gives; box wins");
    assert_eq!(night.scores(), "A+4 B-3 C-1 D0");

    // A player who comes to decide for the taker is asked no more.
    let mut night = playing("ABCD", extras());
    night.play("A doubles; B takes; C drops; D drops; B leaves to C");
    assert_eq!(night.no("C gives"), "not_asked");
    night.play("D passes; box wins");
}

#[test]
fn q10_an_extra_offered_by_one_who_goes_is_off_the_table() {
    let mut night = playing(
        "ABCD",
        json!({"lone_taker": {"rule": "extras_or_drop"}, "leaving": {"mid_game": "not_allowed"}}),
    );
    night.play("A doubles; B takes; C drops; D drops; C gives; C leaves; D gives; B takes; box wins");
    assert_eq!(night.scores(), "A+4 B-3 C-1 D0");
    assert_eq!(letters(&night.state().away()), "C");
}

#[test]
fn q5_the_partner_of_the_box_decides_for_the_box_and_never_for_the_team() {
    let mut night = Night::seated_under(
        "ABCDE",
        rules(json!({"partner": {"when": "optional", "from": 4}, "settlements": "whole_points"})),
    );
    night.play("offer; B declines; C accepts; start");
    assert_eq!(night.no("D leaves to C"), "bad_proxy", "half of what D loses is C's");
    assert_eq!(night.no("C decides for D"), "bad_proxy");
    night.play("D leaves to B; A leaves to C; box wins");
    assert_eq!(night.scores(), "A+2 B-1 C+1 D-1 E-1");
}

#[test]
fn q5_coming_back_ends_the_proxy_and_the_place_is_gone() {
    let mut night = playing("ABCD", json!({}));
    night.play("C leaves to B; C joins");
    assert_eq!(proxies(&night), [""; 0]);
    assert_eq!(night.stands(), "A0 B0 C0 D0, ABD waiting C");
    night.play("A doubles C; C takes; box wins");
    assert_eq!(night.stands(), "A+4 B-1 C-2 D-1, ADBC");
}

#[test]
fn q5_who_is_there_names_a_proxy_and_takes_it_back() {
    let mut night = playing("ABC", json!({}));
    night.play("C decides for B");
    assert_eq!(proxies(&night), ["B by C"]);
    night.play("B decides for B");
    assert_eq!(proxies(&night), [""; 0]);
    night.play("B rests to C");
    assert_eq!(night.no("B decides for B"), "proxy_needed", "B is not there");
    assert_eq!(night.state().acting_captain(), Some(player('C')), "the captain is not there to act");
    night.play("B returns; box wins");
    assert_eq!(night.stands(), "A+2 B-1 C-1, ACB");
}

#[test]
fn q5_the_box_goes_home_and_the_game_goes_on() {
    let mut night = playing("ABC", json!({}));
    assert_eq!(night.no("A leaves"), "proxy_needed");
    assert_eq!(night.no("A leaves to B"), "bad_proxy");
    night.play("D joins; A leaves to D; B doubles; A takes; box wins");
    // The box has kept its seat but is not there: the next in line gets it.
    assert_eq!(night.stands(), "A+3 B-2 C-1 D0, CBD");
}

#[test]
fn q5_a_captain_who_went_and_has_won_is_left_out() {
    let mut night = playing("ABCD", json!({}));
    night.play("B leaves to C; team wins");
    assert_eq!(night.stands(), "A-3 B+1 C+1 D+1, CDA");
}

#[test]
fn q5_cubes_follow_the_captains_and_go_on_without_them() {
    let mut night = playing("ABCD", json!({"leaving": {"mid_game": "with_captain"}}));
    night.play("C leaves; D leaves");
    assert_eq!(proxies(&night), ["C with B", "D with B"]);
    night.play("B doubles");
    assert_eq!(letters(&offered(&night)), "BCD");
    night.play("A takes; play on; B rests");
    // All have left: the first decides on their own.
    assert_eq!(night.state().acting_captain(), Some(player('B')));
    night.play("A doubles; B drops");
    assert_eq!(night.stands(), "A+6 B-2 C-2 D-2, AB resting B");
}

/// The team sides of the bets with a pending offer.
fn offered(night: &Night) -> Vec<owlbox_base::values::PlayerId> {
    let bets = night.state().bets().iter().filter(|bet| bet.offered_by().is_some());
    bets.map(|bet| bet.team_side).collect()
}

/// Proves Q5.
#[test]
fn a_break_keeps_the_place_or_not_and_the_game_goes_on_around_it() {
    let mut night = Night::seated_under("ABCD", rules(json!({})));
    night.play("B rests");
    assert_eq!(night.state().captain(), Some(player('C')), "who rests is passed over");
    night.play("start; team wins");
    assert_eq!(night.stands(), "A-2 B0 C+1 D+1, CBDA resting B");
    night.play("B returns; start; box wins");
    assert_eq!(night.stands(), "A-3 B-1 C+4 D0, CDAB");

    let mut night = Night::seated_under("ABCD", rules(json!({"leaving": {"on_break": "end_of_line"}})));
    night.play("B rests; start; B returns; team wins");
    assert_eq!(night.stands(), "A-2 B0 C+1 D+1, CDAB");
}

/// Proves Q5.
#[test]
fn a_box_on_a_break_gives_up_the_box_and_a_partner_the_partnership() {
    let partners = || rules(json!({"partner": {"when": "optional"}}));
    let mut night = Night::seated_under("ABCDEFG", partners());
    night.play("offer; B accepts; A rests");
    assert_eq!(night.stands(), "A0 B0 C0 D0 E0 F0 G0, ACDEFGB resting A");
    assert_eq!(night.state().box_player(), Some(player('C')));

    let mut night = Night::seated_under("ABCDEFG", partners());
    night.play("offer; B accepts; B rests");
    assert_eq!(night.stands(), "A0 B0 C0 D0 E0 F0 G0, ACDEFGB resting B");

    // During a game the partner still shares the result, but loses the place all the same.
    let mut night = Night::seated_under("ABCDEF", partners());
    night.play("offer; B accepts; start; B rests; box wins");
    assert_eq!(night.scores(), "A+2 B+2 C-1 D-1 E-1 F-1");
    assert_eq!(letters(night.state().partners()), "");
    assert_eq!(letters(night.state().resting()), "B");
}

#[test]
fn a_newcomer_ahead_of_who_has_lost_is_never_box() {
    let ahead = rules(json!({"newcomer": "ahead_of_loser", "double_stand_up": "on"}));
    let mut night = Night::seated_under("ABC", ahead);
    night.play("start; A doubles; B drops; C takes; team wins");
    assert_eq!(night.line(), "CBA", "captain and box have lost");
    // C leaves, and B is box despite having just stood up.
    night.play("C leaves; D joins");
    assert_eq!(night.line(), "BDA");
}

/// Proves Q5.
#[test]
fn who_waits_and_rests_comes_behind_everybody() {
    let script = "D joins; D rests; E joins; box wins";
    assert_eq!(outcome_of("ABC", rules(json!({})), script), "A+2 B-1 C-1 D0 E0, ACBED resting D");
}

/// Proves N10.
#[test]
fn a_player_entered_twice_is_one_with_all_that_both_had() {
    let mut night = Night::seated_under("ABCD", rules(json!({})));
    night.play("start; box wins; D leaves; E joins; start; team wins");
    assert_eq!(night.stands(), "A0 B0 C0 D-1 E+1, CBEA");
    let before = night.state().clone();
    let events = night.ok(&super::said::command("E is D"));
    assert!(matches!(&events[..], [Event::PlayersMerged { bets, .. }] if bets.len() == 1));
    assert_eq!(night.stands(), "A0 B0 C0 D0, CBDA");
    assert!(!night.state().knows(player('E')));
    // A game of the duplicate is corrected as the other's.
    night.play("correct 2 box single");
    assert_eq!(night.scores(), "A+6 B-2 C-2 D-2");
    night.play("undo; undo");
    assert_eq!(*night.state(), before);
}

/// Proves N10.
#[test]
fn two_who_sat_in_one_game_are_two() {
    let mut night = Night::seated_under("ABCD", rules(json!({})));
    night.play("start; box wins");
    for pair in ["A is B", "C is D", "D is A"] {
        assert_eq!(night.no(pair), "cannot_merge");
    }
    // A player who came and never played can be merged.
    night.play("E joins; E is D");
    assert_eq!(night.stands(), "A+3 B-1 C-1 D-1, ACDB");
}

/// Proves N8.
#[test]
fn some_leave_for_a_table_of_their_own_with_their_scores_kept() {
    let mut night = Night::seated_under("ABCDEFG", rules(json!({"table_size": {"at_most": 6}})));
    assert_eq!(letters(&night.state().view().split_due), "EFG");
    assert_eq!(night.no("start"), "split_due");
    let events = night.ok(&super::said::command("split EFG"));
    assert!(matches!(&events[..], [Event::Split { players, .. }] if letters(players) == "EFG"));
    night.play("start; box wins");
    assert_eq!(night.stands(), "A+3 B-1 C-1 D-1 E0 F0 G0, ACDB");
    assert_eq!(letters(&night.state().away()), "EFG");
}

/// Proves N8.
#[test]
fn a_table_that_goes_over_to_another_is_closed() {
    let table = ChouetteId(uuid::Uuid::max());
    let mut night = playing("ABC", json!({}));
    assert_eq!(night.refused(&Command::MergeInto { table }), "game_in_progress");
    night.play("box wins");
    night.ok(&Command::MergeInto { table });
    assert_eq!((night.state().phase(), night.state().merged_into()), (Phase::Closed, Some(table)));
    assert_eq!(night.booked(), "A+2 B-1 C-1");
    assert_eq!(night.no("start"), "closed");
}

/// Proves N5.
#[test]
fn a_secret_answer_is_shown_to_nobody_before_all_have_answered() {
    let mut night = playing("ABCD", json!({"decision_order": "all_at_once"}));
    night.play("A doubles; D drops; B takes");
    let game = night.state().view().game.unwrap();
    assert_eq!(letters(&game.answered), "BD");
    let shown = serde_json::to_string(&game).unwrap();
    assert!(!shown.contains("drop") && !shown.contains("take\""), "{shown}");
    assert_eq!(letters(&offered(&night)), "BCD");
    assert_eq!(night.scores(), "A0 B0 C0 D0");
    // The last to answer may decide as freely as the first: the lone taker's rule applies when all answers
    // are shown.
    let lone = json!({"decision_order": "all_at_once", "lone_taker": {"rule": "must_drop", "from": 3}});
    assert_eq!(outcome_of("ABC", rules(lone), "A doubles; B drops; C takes"), "A+2 B-1 C-1, ACB");
}

/// Proves N11.
#[test]
fn what_each_can_still_lose() {
    let exposure = |night: &Night| {
        let told = |score: &crate::Score| format!("{}{}", letters(&[score.player]), score.points);
        let shown = night.state().view().game.unwrap().exposure;
        shown.iter().map(told).collect::<Vec<_>>().join(" ")
    };
    // Under Jacoby only a turned cube can cost three times its value.
    let mut night = playing("ABCD", json!({}));
    assert_eq!(exposure(&night), "A+3 B+1 C+1 D+1");
    night.play("A doubles BD; B takes; D drops");
    assert_eq!(exposure(&night), "A+7 B+6 C+1");
    // The partner has half of it.
    let mut night = Night::seated_under("ABCDEF", rules(json!({"partner": {"when": "optional"}})));
    night.play("offer; B accepts; start");
    assert_eq!(exposure(&night), "A+2 C+1 D+1 E+1 F+1 B+2");
    // The lone taker loses to the box and to the givers; a giver loses to the lone taker.
    let mut night = playing("ABC", json!({"lone_taker": {"rule": "extras"}}));
    night.play("A doubles; B drops; C takes; B gives");
    assert_eq!(exposure(&night), "A+6 B+6 C+12");
}

/// The view proposes what `split` does, no matter who is on a break; where nobody can leave, no split is due.
/// Proves N9.
#[rstest::rstest]
#[case::all_there("", "FGHI")]
#[case::the_last_rests("I rests", "EFGH")]
#[case::enough_for_three_each("G rests; H rests; I rests", "DEF")]
#[case::fewer_than_it_takes("F rests; G rests; H rests; I rests", "")]
#[case::most_rest("D rests; E rests; F rests; G rests; H rests; I rests", "")]
fn a_split_is_proposed_if_it_can_be_and_due_only_then(#[case] breaks: &str, #[case] proposed: &str) {
    for from in ["newcomer_and_last", "bottom"] {
        let rules = rules(json!({"table_size": {"at_most": 5, "split": from}, "heads_up": "pause"}));
        let mut night = Night::seated_under("ABCDEFGHI", rules);
        night.play(breaks);
        assert_eq!(letters(&night.state().view().split_due), proposed, "{from}");
        if proposed.is_empty() {
            night.play("start; box wins");
        } else {
            assert_eq!(night.no("start"), "split_due");
            night.play(&format!("split {proposed}"));
        }
    }
}

/// Where the captain secretly beavers and a follower's cube cannot be beavered, the follower takes in the
/// same act: if the follower were asked alone, everybody would see what the captain has answered.
/// Proves N5.
#[test]
fn a_follower_shows_nobody_what_the_captain_has_answered_in_secret() {
    let rules = json!({
        "decision_order": "all_at_once", "leaving": {"mid_game": "with_captain"}, "animals": "beaver",
        "stakes": "own_start", "cube_cap": 8,
    });
    let look = |answer: &str| {
        let mut night = Night::seated_under("ABCD", self::rules(rules.clone()));
        night.play(&format!("C starts at 4; start; C leaves; A doubles; B {answer}"));
        let answered: Vec<_> = night.state().game().unwrap().answers.keys().copied().collect();
        (night.state().legal(), letters(&answered), night)
    };
    let (legal, answered, _) = look("takes");
    let (legal_of_beaver, answered_of_beaver, mut night) = look("beavers");
    assert_eq!(answered, "BC");
    assert_eq!((legal_of_beaver, answered_of_beaver), (legal, answered));
    night.play("D drops; A takes; team wins");
    assert_eq!(night.scores(), "A-11 B+4 C+8 D-1");
}
