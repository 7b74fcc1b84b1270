//! Corrections of finished games: they change bets and scores, never who sat where.

use rstest::rstest;
use serde_json::json;

use super::{Night, rules};
use crate::{BetCorrection, BetEnded, Command, Side};
use owlbox_base::values::HalfPoints;
use owlbox_engine::Win;

const DROP: BetEnded = BetEnded::Drop { winner: Side::Box };

fn bet(bet: u32) -> BetCorrection {
    BetCorrection { bet, cube: None, turned: None, ended: None }
}

fn at(bet: BetCorrection, cube: u32) -> BetCorrection {
    BetCorrection { cube: Some(cube.try_into().unwrap()), ..bet }
}

fn ended(bet: BetCorrection, ended: BetEnded) -> BetCorrection {
    BetCorrection { ended: Some(ended), ..bet }
}

fn correct(bets: &[BetCorrection]) -> Command {
    Command::Correct { game: 1, winner: None, win: None, bets: bets.to_vec() }
}

/// B took at 2, C's cube was never turned, D dropped; the box won.
fn played() -> Night {
    let mut night = Night::seated_under("ABCD", rules(json!({})));
    night.play("start; A doubles BD; B takes; D drops; box wins");
    assert_eq!(night.stands(), "A+4 B-2 C-1 D-1, ACDB");
    night
}

/// Proves N6.
#[rstest]
#[case::winner("correct 1 team single", "A-2 B+2 C+1 D-1")]
// Only where the cube was turned (C9).
#[case::kind("correct 1 box gammon", "A+6 B-4 C-1 D-1")]
#[case::both("correct 1 team backgammon", "A-6 B+6 C+1 D-1")]
fn the_winner_and_the_kind_of_win_of_what_was_played_out(#[case] correction: &str, #[case] scores: &str) {
    let mut night = played();
    night.play(correction);
    assert_eq!(night.stands(), format!("{scores}, ACDB"), "seats are facts");
    assert_eq!(night.booked(), scores);
    night.play("undo");
    assert_eq!(night.stands(), "A+4 B-2 C-1 D-1, ACDB");
}

/// Proves N6.
#[rstest]
#[case::a_cube(at(bet(1), 4), "A+6 B-4 C-1 D-1")]
#[case::a_drop_that_was_a_take(at(ended(bet(3), BetEnded::Game {}), 2), "A+5 B-2 C-1 D-2")]
#[case::a_take_that_was_a_drop(at(ended(bet(1), DROP), 1), "A+3 B-1 C-1 D-1")]
#[case::a_drop_of_the_other_side(ended(bet(3), BetEnded::Drop { winner: Side::Team }), "A+2 B-2 C-1 D+1")]
#[case::a_settlement(
    ended(bet(2), BetEnded::Settlement { winner: Side::Team, points: HalfPoints(1) }),
    "A+2½ B-2 C+½ D-1"
)]
fn what_was_wrong_with_one_bet(#[case] correction: BetCorrection, #[case] scores: &str) {
    let mut night = played();
    night.ok(&correct(&[correction]));
    assert_eq!(night.stands(), format!("{scores}, ACDB"));
}

const AGREED: BetEnded = BetEnded::Settlement { winner: Side::Box, points: HalfPoints(2) };

/// Bets 1 to 3: B took at 2, C's cube was never turned, D dropped.
/// Proves N7.
#[rstest]
#[case::above_the_cap(json!({"cube_cap": 4}), at(bet(1), 8), "cube_at_limit")]
#[case::far_above(json!({"cube_cap": 4}), at(bet(2), 1 << 20), "cube_at_limit")]
// Nobody can have doubled a cube that stood at its cap (C10).
#[case::dropped_at_the_cap(json!({"cube_cap": 4}), at(bet(3), 4), "cube_at_limit")]
#[case::dropped_at_the_highest(json!({}), at(bet(3), 1 << 20), "cube_at_limit")]
#[case::turned_where_it_began(
    json!({}), BetCorrection { turned: Some(true), ..bet(2) }, "cube_too_low"
)]
#[case::no_settlements(json!({"settlements": "forbidden"}), ended(bet(2), AGREED), "not_in_rules")]
#[case::half_a_point(
    json!({"settlements": "whole_points"}),
    ended(bet(1), BetEnded::Settlement { winner: Side::Box, points: HalfPoints(3) }),
    "whole_points_only"
)]
#[case::more_than_it_could_cost(
    json!({}), ended(bet(2), BetEnded::Settlement { winner: Side::Box, points: HalfPoints(7) }), "bad_amount"
)]
#[case::less_than_nothing(
    json!({}), ended(bet(2), BetEnded::Settlement { winner: Side::Box, points: HalfPoints(-2) }), "bad_amount"
)]
fn nothing_that_the_rules_never_allow(
    #[case] settings: serde_json::Value,
    #[case] correction: BetCorrection,
    #[case] code: &str,
) {
    let mut night = Night::seated_under("ABCD", rules(settings));
    night.play("start; A doubles BD; B takes; D drops; box wins");
    assert_eq!(night.refused(&correct(&[correction])), code);
}

/// Proves N7.
#[test]
fn a_cube_that_began_at_four_was_never_lower_and_twice_that_once_turned() {
    let mut night = Night::seated_under("ABC", rules(json!({"stakes": "own_start"})));
    night.play("B starts at 4; start; A doubles B; B takes; box wins");
    assert_eq!(night.scores(), "A+9 B-8 C-1");
    assert_eq!(night.refused(&correct(&[at(bet(1), 2)])), "cube_too_low");
    // A cube back at its starting value has not been turned.
    night.ok(&correct(&[at(bet(1), 4)]));
    assert_eq!(night.scores(), "A+5 B-4 C-1");
    assert!(!night.state().finished_game(1).unwrap().bets()[0].cube.is_turned());
}

/// Proves N7.
#[test]
fn a_settlement_must_fit_the_cube_that_is_corrected_under_it_and_keeps_whom_it_counts_for() {
    let mut night = Night::seated_under("ABC", rules(json!({})));
    night.play("start; A doubles B; B takes; B settles A 5 for team; box wins");
    assert_eq!(night.scores(), "A+6 B-5 C-1");
    assert_eq!(night.refused(&correct(&[at(bet(1), 1)])), "bad_amount", "5 is more than 3 times 1");
    let more = BetEnded::Settlement { winner: Side::Box, points: HalfPoints(16) };
    let eight = at(ended(bet(1), more), 4);
    night.ok(&correct(&[eight]));
    assert_eq!(night.scores(), "A+9 B-8 C-1");
    let counted = night.state().finished_game(1).unwrap().results[0].counted_winner();
    assert_eq!(counted, super::player('B'));
    assert_eq!(night.refused(&correct(&[eight])), "nothing_changes");
}

/// Proves N7.
#[test]
fn the_winner_alone_is_nothing_where_no_bet_was_decided_by_the_game() {
    let mut night = Night::seated_under("ABC", rules(json!({})));
    night.play("start; A doubles; B drops; C drops");
    let team = |bets: &[BetCorrection]| Command::Correct {
        game: 1,
        winner: Some(Side::Team),
        win: None,
        bets: bets.to_vec(),
    };
    assert_eq!(night.refused(&team(&[])), "nothing_changes");
    let the_box_dropped = BetEnded::Drop { winner: Side::Team };
    night.ok(&team(&[ended(bet(1), the_box_dropped), ended(bet(2), the_box_dropped)]));
    assert_eq!(night.stands(), "A-2 B+1 C+1, ACB");
    assert_eq!(night.state().finished_game(1).unwrap().winner, Side::Team);
}

/// Proves N6.
#[test]
fn whether_a_cube_was_turned_decides_about_its_gammon() {
    let mut night = played();
    night.play("correct 1 box gammon");
    // A cube corrected to a higher value counts as turned, unless stated that it was an automatic double.
    night.ok(&correct(&[at(bet(2), 2)]));
    assert_eq!(night.scores(), "A+9 B-4 C-4 D-1");
    night.ok(&correct(&[BetCorrection { turned: Some(false), ..bet(2) }]));
    assert_eq!(night.scores(), "A+7 B-4 C-2 D-1");
}

/// Proves N6.
#[test]
fn a_second_correction_starts_from_the_first_and_can_take_it_back() {
    let mut night = played();
    night.play("correct 1 team gammon; correct 1 box single");
    assert_eq!(night.stands(), "A+4 B-2 C-1 D-1, ACDB");
}

/// Proves N6.
#[test]
fn a_game_that_ended_by_drops_can_turn_out_to_have_been_played() {
    let mut night = Night::seated_under("ABC", rules(json!({})));
    night.play("start; A doubles; B drops; C drops");
    assert_eq!(night.stands(), "A+2 B-1 C-1, ACB");
    let was_played = at(ended(bet(2), BetEnded::Game {}), 2);
    assert_eq!(night.refused(&correct(&[was_played])), "win_needed");
    night.ok(&Command::Correct {
        game: 1,
        winner: Some(Side::Team),
        win: Some(Win::Gammon),
        bets: vec![was_played],
    });
    assert_eq!(night.stands(), "A-3 B-1 C+4, ACB");
}

/// Proves N6.
#[rstest]
#[case::more("correct 1 box gammon", "A+5 B+5 C-4 D-4 E-1 F-1")]
#[case::lost("correct 1 team single", "A-2 B-2 C+2 D+2 E+1 F-1")]
fn the_partners_share_is_that_of_the_corrected_net(#[case] correction: &str, #[case] scores: &str) {
    let mut night = Night::seated_under("ABCDEF", rules(json!({"partner": {"when": "optional"}})));
    night.play("offer; B accepts; start; A doubles CDF; C takes; D takes; F drops; box wins");
    assert_eq!(night.scores(), "A+3 B+3 C-2 D-2 E-1 F-1");
    night.play(correction);
    assert_eq!(night.stands(), format!("{scores}, ADEFC with B"));
}

/// Proves N6.
#[test]
fn an_extra_is_corrected_like_any_bet_but_what_was_paid_for_it_is_not() {
    let mut night = Night::seated_under("ABC", rules(json!({"lone_taker": {"rule": "extras"}})));
    night.play("start; A doubles; B drops; C takes; B gives; box wins");
    assert_eq!(night.scores(), "A+3 B0 C-3");
    // Bets 1 and 2 are the members', 3 is the payment, 4 the extra.
    assert_eq!(night.refused(&correct(&[at(bet(3), 4)])), "no_such_bet");
    night.ok(&correct(&[at(bet(4), 4)]));
    assert_eq!(night.scores(), "A+3 B+2 C-5");
    night.play("correct 1 team single");
    assert_eq!(night.scores(), "A-1 B-6 C+7");
}

/// Proves N6.
#[test]
fn earlier_games_are_corrected_later_and_when_the_night_is_closed() {
    let mut night = played();
    night.play("start; team wins");
    assert_eq!(night.stands(), "A+1 B-1 C0 D0, CDBA");
    night.play("close; correct 1 team single");
    assert_eq!(night.stands(), "A-5 B+3 C+2 D0, CDBA");
}
