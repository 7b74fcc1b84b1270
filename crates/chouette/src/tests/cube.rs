//! The rulebook's rules of the cube, as a chouette plays them.

use rstest::rstest;
use serde_json::json;

use super::said::{command, outcome_of};
use super::{Night, double, drop, finish, plain, player, rules, take};
use crate::event::Automatic;
use crate::{CubeOwner, Event, HouseRules, Legal, Side, settle};
use owlbox_engine::Win;

#[test]
fn c1_cubes_begin_centred_at_one_and_either_side_may_double() {
    for (doubler, taker) in [('A', 'B'), ('B', 'A')] {
        let mut night = Night::playing("ABC");
        let bet = night.state().bets()[0];
        assert_eq!((bet.cube.value.get(), CubeOwner::from(bet.cube.owner)), (1, CubeOwner::Centred));
        night.ok(&double(doubler, &taker.to_string()));
        night.ok(&take(taker, "*"));
    }
}

#[test]
fn c2_only_the_side_on_roll_doubles() {
    let mut night = Night::playing("ABC");
    night.ok(&double('A', "B"));
    assert_eq!(night.refused(&double('C', "*")), "not_on_turn");
    night.ok(&take('B', "*"));
    night.ok(&double('C', "*"));
    assert_eq!(night.refused(&double('A', "*")), "not_on_turn");
}

#[test]
fn c3_the_refuser_loses_the_stake_before_the_offer() {
    let mut night = Night::playing("ABC");
    night.ok(&double('A', "B"));
    night.ok(&take('B', "*"));
    night.ok(&double('B', "*"));
    assert!(
        matches!(night.state().bets()[0].raise(), Some(raise) if raise.by() == Side::Team && raise.to().get() == 4)
    );
    night.ok(&drop('A', "*"));
    assert_eq!(night.scores(), "A-2 B+2 C0");
}

#[test]
fn c4_the_taker_owns_the_cube_and_alone_doubles_next() {
    let mut night = Night::playing("ABC");
    night.ok(&double('A', "*"));
    night.ok(&take('B', "*"));
    night.ok(&take('C', "*"));
    assert_eq!(night.refused(&double('A', "*")), "not_your_cube");
    night.ok(&double('B', "*"));
    night.ok(&take('A', "*"));
    assert_eq!(night.refused(&double('B', "*")), "not_your_cube");
    night.ok(&double('A', "B"));
}

#[test]
fn c10_a_cap_holds() {
    let rules = HouseRules { cube_cap: Some(2.try_into().unwrap()), ..plain() };
    let mut night = Night::playing_under("ABC", rules);
    night.ok(&double('A', "*"));
    night.ok(&take('B', "*"));
    night.ok(&take('C', "*"));
    assert_eq!(night.refused(&double('B', "*")), "cube_at_limit");
}

#[test]
fn g14_the_kind_of_win_multiplies_each_cube() {
    for (win, scores) in
        [(Win::Single, "A+3 B-2 C-1"), (Win::Gammon, "A+6 B-4 C-2"), (Win::Backgammon, "A+9 B-6 C-3")]
    {
        let mut night = Night::playing("ABC");
        night.ok(&double('A', "B"));
        night.ok(&take('B', "*"));
        let shown_before = settle(night.state().game().unwrap(), Side::Box, win, false);
        let events = night.ok(&finish(Side::Box, win));
        let [Event::GameFinished(finished)] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(finished.bets, shown_before);
        assert_eq!(night.scores(), scores);
    }
}

#[test]
fn c6_ties_double_every_centred_cube_up_to_the_agreed_number() {
    let mut night = Night::playing_under("ABC", rules(json!({"automatics": {"at_most": 2}})));
    for (value, automatic) in [(2, Automatic::Doubled), (4, Automatic::Doubled), (4, Automatic::BeyondLimit)]
    {
        let events = night.ok(&super::said::command("tie"));
        assert!(matches!(&events[..], [Event::OpeningTied { automatic: was, .. }] if *was == automatic));
        for bet in night.state().bets() {
            assert_eq!((bet.cube.value.get(), CubeOwner::from(bet.cube.owner)), (value, CubeOwner::Centred));
        }
    }
    // Too late once anything has happened.
    night.play("B doubles; A takes");
    assert_eq!(night.no("tie"), "too_late");
    night.play("play on");
    assert_eq!(night.no("tie"), "too_late");
}

#[rstest]
#[case::taken("A takes; box wins", "A+5 B-4 C-1, ACB")]
// Two points, after a first double.
#[case::dropped("A drops; box wins", "A-1 B+2 C-1, BCA")]
fn c7_a_beaver_keeps_the_cube_and_refused_costs_the_doubled_stake(
    #[case] answer: &str,
    #[case] stands: &str,
) {
    let script = format!("A doubles B; B beavers; {answer}");
    assert_eq!(outcome_of("ABC", rules(json!({"animals": "beaver"})), &script), stands);
    let mut night = Night::playing_under("ABC", rules(json!({"animals": "beaver"})));
    night.play("A doubles B; B beavers; A takes");
    assert_eq!(CubeOwner::from(night.state().bets()[0].cube.owner), CubeOwner::Member);
    assert_eq!(night.no("A doubles B"), "not_your_cube");
    night.play("play on; B doubles");
}

#[test]
fn c7_the_box_beavers_the_members_doubles_each_by_itself() {
    let mut night = Night::playing_under("ABCD", rules(json!({"animals": "beaver"})));
    night.play("B doubles; C doubles; D doubles; A beavers B; A takes C; A drops D");
    assert_eq!(night.no("C takes"), "no_offer");
    night.play("B drops");
    // B pays 2, D is paid 1.
    assert_eq!(night.stands(), "A+1 B-2 C0 D+1, ABCD");
}

#[rstest]
#[case::raccoon_taken("A beavers; B takes; box wins", "A+9 B-8 C-1, ACB")]
#[case::raccoon_dropped("A beavers; B drops; box wins", "A+5 B-4 C-1, ACB")]
#[case::otter_dropped("A beavers; B beavers; A drops; box wins", "A-7 B+8 C-1, BCA")]
fn c8_each_animal_can_be_taken_or_refused_and_the_first_to_beaver_keeps_the_cube(
    #[case] answers: &str,
    #[case] stands: &str,
) {
    let script = format!("A doubles B; B beavers; {answers}");
    assert_eq!(outcome_of("ABC", rules(json!({"animals": "any"})), &script), stands);
    let mut night = Night::playing_under("ABC", rules(json!({"animals": "any"})));
    night.play("A doubles B; B beavers; A beavers; B takes");
    let cube = night.state().bets()[0].cube;
    assert_eq!((cube.value.get(), CubeOwner::from(cube.owner)), (8, CubeOwner::Member));
}

#[test]
fn c8_no_beaver_once_the_double_was_taken() {
    let mut night = Night::playing_under("ABC", rules(json!({"animals": "any"})));
    night.play("A doubles; B takes");
    assert_eq!(night.no("B beavers"), "no_offer");
}

#[test]
fn c9_under_jacoby_a_gammon_counts_in_a_bet_whose_cube_was_turned() {
    let jacoby = || rules(json!({}));
    assert_eq!(outcome_of("ABC", jacoby(), "A doubles B; B takes; box wins gammon"), "A+5 B-4 C-1, ACB");
    assert_eq!(outcome_of("ABC", jacoby(), "box wins backgammon"), "A+2 B-1 C-1, ACB");
    // An automatic double does not turn the cube, and a dropped double costs the usual.
    assert_eq!(outcome_of("ABC", jacoby(), "tie; A doubles B; B drops; team wins gammon"), "A0 B-2 C+2, ACB");
}

#[test]
fn c10_the_cap_holds_beavers_and_automatic_doubles_too() {
    let capped = || rules(json!({"cube_cap": 4, "animals": "any", "automatics": {"at_most": null}}));
    let script = "A doubles; B beavers; C takes; A beavers; A takes; box wins";
    assert_eq!(outcome_of("ABC", capped(), script), "A beavers: cube_at_limit; A+6 B-4 C-2, ACB");
    assert_eq!(
        outcome_of("ABC", capped(), "tie; tie; tie; A doubles"),
        "A doubles: cube_at_limit; A0 B0 C0, ABC"
    );
}

/// Proves C2.
#[test]
fn the_side_whose_doubles_wait_alone_may_double_and_a_roll_ends_the_turn() {
    let mut night = Night::playing_under("ABC", rules(json!({})));
    assert_eq!(night.no("play on"), "nothing_to_play_on");
    night.play("C doubles; B doubles; A takes; play on");
    assert_eq!(night.no("play on"), "nothing_to_play_on");
    night.play("A doubles B; B takes");
}

/// F1 of the chouette night: nobody at a table says that the dice were rolled, so a member's double may say
/// it.
/// Proves C2.
#[test]
fn f1_a_double_that_says_the_dice_were_rolled_opens_another_turn() {
    let mut night = Night::playing_under("ABCD", rules(json!({"late_doubles": "closed"})));
    night.play("B doubles; A takes");
    assert_eq!(night.no("C doubles"), "late_double");
    let late = |night: &Night, who: char| {
        let late = |legal: &Legal| matches!(legal, Legal::Double { player: one, rolled: true, .. } if *one == player(who));
        night.state().legal().iter().any(late)
    };
    assert!(late(&night, 'C') && late(&night, 'D') && !late(&night, 'A') && !late(&night, 'B'));
    let act = night.ok(&command("C doubles after the roll"));
    assert!(matches!(act[..], [Event::PlayedOn {}, Event::Doubled { .. }]), "{act:?}");
    // The turn has begun anew: the others may follow, and no double is called late.
    night.play("D doubles");
    assert_eq!(night.no("B doubles after the roll"), "offer_pending");
    night.play("A takes C; A drops D");
    // Where nothing depends on the roll, saying it changes nothing.
    let mut night = Night::playing("ABC");
    let act = night.ok(&command("B doubles after the roll"));
    assert!(matches!(act[..], [Event::Doubled { .. }]), "{act:?}");
}

/// C2 to C4: what a cube at the table shows, and what its member has won by it.
#[test]
fn a_bet_shows_the_value_on_offer_and_what_its_member_won() {
    let mut night = Night::playing("ABC");
    let shown = |night: &Night| -> Vec<(u32, Option<i64>)> {
        let bets = night.state().view().game.unwrap().bets;
        bets.iter().map(|bet| (bet.shown().get(), bet.members_result().map(|points| points.0))).collect()
    };
    assert_eq!(shown(&night), [(1, None), (1, None)]);
    night.play("A doubles");
    assert_eq!(shown(&night), [(2, None), (2, None)]);
    night.play("B drops; C takes");
    assert_eq!(shown(&night), [(1, Some(-2)), (2, None)]);
    night = Night::playing("ABC");
    night.play("B doubles; A drops");
    assert_eq!(shown(&night), [(1, Some(2)), (1, None)]);
}
