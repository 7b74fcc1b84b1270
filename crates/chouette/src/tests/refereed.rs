//! Games that the engine referees: White is the box, Black the team.

use rstest::rstest;
use serde_json::json;

use super::{Night, Script, now, rules};
use crate::event::Automatic;
use crate::{Chouette, Command, Event, HouseRules, Legal, Side};
use owlbox_base::journal::{Aggregate, Inputs};
use owlbox_engine::game::{Action, ActionKind, OpeningDice, Phase as OnBoard};
use owlbox_engine::{Roll, Win};

fn board(by: Side, action: Action) -> Command {
    Command::Board { by, action }
}

/// An opening roll: one die of the box, one of the team.
fn opening(box_die: u8, team_die: u8) -> Command {
    let dice = OpeningDice { white: box_die.try_into().unwrap(), black: team_die.try_into().unwrap() };
    board(Side::Box, Action::RollOpening { dice: Some(dice) })
}

fn rolls(by: Side, one: u8, other: u8) -> Command {
    let dice = Roll::new(one.try_into().unwrap(), other.try_into().unwrap());
    board(by, Action::Roll { dice: Some(dice) })
}

fn refereed(letters: &str, rules: HouseRules) -> Night {
    let mut night = Night::seated_under(letters, rules);
    night.play("start refereed");
    night
}

/// Plays the pending roll in the first legal way.
fn plays(night: &mut Night, by: Side) -> Vec<Event> {
    let plays = night.state().game().unwrap().board.as_ref().unwrap().plays();
    let action = plays.first().map_or(Action::Pass {}, |play| Action::Play { steps: play.steps });
    night.ok(&board(by, action))
}

/// The game up to the team's first turn: the box has opened and played.
fn after_the_opening(rules: HouseRules) -> Night {
    let mut night = refereed("ABC", rules);
    night.ok(&opening(5, 3));
    plays(&mut night, Side::Box);
    night
}

fn cubes(night: &Night) -> Vec<u32> {
    night.state().bets().iter().map(|bet| bet.cube.value.get()).collect()
}

#[test]
fn c5_nobody_doubles_before_the_openers_opponent_may() {
    let mut night = refereed("ABC", rules(json!({})));
    for who in ["A doubles", "B doubles", "C doubles"] {
        assert_eq!(night.no(who), "not_on_turn", "before the opening");
    }
    night.ok(&opening(5, 3));
    for who in ["A doubles", "B doubles"] {
        assert_eq!(night.no(who), "not_on_turn", "the opener plays at once");
    }
    plays(&mut night, Side::Box);
    assert_eq!(night.no("A doubles"), "not_on_turn", "the box has just played");
    night.play("C doubles; A takes");
    assert_eq!(cubes(&night), [1, 2]);
}

#[test]
fn c2_doubles_come_before_the_roll_of_the_side_on_turn() {
    let mut night = after_the_opening(rules(json!({})));
    night.play("B doubles");
    assert_eq!(night.refused(&rolls(Side::Team, 6, 1)), "offer_pending");
    night.play("A takes");
    assert_eq!(night.no("C doubles"), "late_double");
    night.ok(&rolls(Side::Team, 6, 1));
    assert_eq!(night.no("C doubles"), "not_on_turn", "the dice are rolled");
    plays(&mut night, Side::Team);
    assert_eq!(night.no("C doubles"), "not_on_turn", "the box is on roll");
    night.play("A doubles C; C takes");
    assert_eq!(night.no("B doubles"), "not_on_turn");
    // A roll ends the turn: the next time the team is on roll, doubles are open again.
    night.ok(&rolls(Side::Box, 2, 1));
    plays(&mut night, Side::Box);
    night.play("C doubles; A takes");
    assert_eq!(cubes(&night), [2, 4]);
}

#[test]
fn c6_a_tie_on_the_board_doubles_the_cubes_within_the_limit() {
    let mut night = refereed("ABC", rules(json!({})));
    let events = night.ok(&opening(4, 4));
    let [Event::Board { .. }, Event::OpeningTied { bets, automatic: Automatic::Doubled }] = events.as_slice()
    else {
        panic!("{events:?}")
    };
    assert_eq!((bets.len(), cubes(&night)), (2, vec![2, 2]));
    let events = night.ok(&opening(1, 1));
    assert!(matches!(events[1], Event::OpeningTied { automatic: Automatic::BeyondLimit, .. }), "{events:?}");
    night.ok(&opening(1, 6));
    assert_eq!(cubes(&night), [2, 2]);
    assert_eq!(night.no("tie"), "refereed");
}

#[test]
fn c6_the_box_says_whether_a_later_tie_on_the_board_doubles() {
    let rules = rules(json!({"automatics": {"at_most": null, "later": "box_chooses"}}));
    let mut night = refereed("ABC", rules);
    assert_eq!(night.ok(&opening(4, 4)).len(), 2, "the first is compulsory");
    assert_eq!(night.ok(&opening(2, 2)).len(), 1);
    assert_eq!(night.refused(&opening(6, 1)), "must_answer");
    night.play("tie declined");
    assert_eq!(cubes(&night), [2, 2]);
    night.ok(&opening(3, 3));
    night.play("tie doubles");
    assert_eq!(cubes(&night), [4, 4]);
    night.ok(&opening(6, 1));
}

/// Proves N4.
#[test]
fn the_board_is_neither_finished_nor_played_on_by_word() {
    let mut night = after_the_opening(rules(json!({})));
    assert_eq!(night.no("team wins"), "refereed");
    assert_eq!(night.no("play on"), "refereed");
    let kinds = |by: Side| {
        let found = night.state().legal().into_iter().find_map(|legal| match legal {
            Legal::Board { by: side, action } if side == by => Some(action),
            _ => None,
        });
        found.unwrap_or_default()
    };
    assert!(kinds(Side::Team).contains(&ActionKind::Roll));
    assert_eq!(kinds(Side::Box), [ActionKind::Resign]);
    assert!(!kinds(Side::Team).contains(&ActionKind::Double), "cubes are the chouette's");
}

/// Proves G13, G14.
#[rstest]
#[case::single(Win::Single, "A-3 B+2 C+1, BCA")]
// C's cube was never turned (C9).
#[case::gammon(Win::Gammon, "A-5 B+4 C+1, BCA")]
fn a_resignation_that_is_accepted_ends_the_game(#[case] win: Win, #[case] stands: &str) {
    let mut night = after_the_opening(rules(json!({})));
    night.play("B doubles; A takes");
    night.ok(&board(Side::Box, Action::Resign { win }));
    assert_eq!(night.no("C doubles"), "not_on_turn", "it has to be answered first");
    assert_eq!(night.refused(&board(Side::Box, Action::AcceptResignation {})), "not_your_answer");
    night.ok(&board(Side::Team, Action::RejectResignation {}));
    night.ok(&board(Side::Box, Action::Resign { win }));
    night.ok(&board(Side::Team, Action::AcceptResignation {}));
    assert_eq!(night.stands(), stands);
}

/// Proves N4.
#[test]
fn drops_end_a_refereed_game_like_any() {
    let mut night = after_the_opening(rules(json!({})));
    night.play("B doubles; C doubles; A drops");
    assert_eq!(night.stands(), "A-2 B+1 C+1, BCA");
}

/// A whole game with dice from this seed, every roll played at random. B's cube was turned at the team's
/// first turn.
fn played_out(seed: u64) -> (Night, Vec<Event>) {
    let mut night = after_the_opening(rules(json!({})));
    night.play("B doubles; A takes");
    let mut dice = Script::endless(seed);
    for turn in 0.. {
        let on_board = night.state().game().unwrap().board.as_ref().unwrap();
        let by = if turn % 2 == 0 { Side::Team } else { Side::Box };
        assert_eq!(on_board.phase(), OnBoard::ToRoll);
        let roll = board(by, Action::Roll { dice: None });
        let mut inputs = Inputs { now: now(), chance: &mut dice };
        let rolled = night.state().decide(&roll, &mut inputs).unwrap();
        night.append(owlbox_base::journal::ActKind::Events(rolled));
        let choices = night.state().game().unwrap().board.as_ref().unwrap().plays();
        let action = match choices.len() {
            0 => Action::Pass {},
            many => {
                let sides = u32::try_from(many).unwrap();
                let chosen = owlbox_base::journal::Chance::below(&mut dice, sides);
                Action::Play { steps: choices[chosen as usize].steps }
            }
        };
        let events = night.ok(&board(by, action));
        if night.state().game().is_none() {
            return (night, events);
        }
    }
    unreachable!("a game ends")
}

#[test]
fn g13_g14_the_board_finds_the_result_and_a_gammon_is_borne_off() {
    let mut seen = Vec::new();
    for seed in 0..60 {
        let (night, events) = played_out(seed);
        let Some(Event::GameFinished(finished)) = events.last() else { panic!("{events:?}") };
        let (winner, win) = (finished.winner, finished.win.unwrap());
        // The refereed result equals the same result entered by hand.
        let mut said = Night::seated_under("ABC", rules(json!({})));
        said.play("start; B doubles; A takes");
        said.ok(&super::finish(winner, win));
        assert_eq!(night.stands(), said.stands());
        seen.push((winner, win));
        let both = |win| [Side::Box, Side::Team].iter().all(|side| seen.contains(&(*side, win)));
        if both(Win::Single) && both(Win::Gammon) {
            return;
        }
    }
    panic!("no gammon by both sides in {seen:?}");
}

/// Proves N4.
#[test]
fn both_kinds_of_game_in_one_night() {
    let mut night = Night::seated_under("ABC", rules(json!({})));
    night.play("start; box wins; start refereed");
    night.ok(&opening(2, 6));
    assert_eq!(night.no("box wins"), "refereed");
    night.ok(&board(Side::Team, Action::Resign { win: Win::Single }));
    night.ok(&board(Side::Box, Action::AcceptResignation {}));
    night.play("start");
    assert_eq!(night.refused(&opening(2, 6)), "not_refereed");
    night.play("team wins");
    assert_eq!(night.stands(), "A+2 B-1 C-1, BCA");
    while night.undo().is_ok() {}
    assert_eq!(night.state().known().count(), 0);
    assert_eq!(*night.state().rules(), rules(json!({})));
    assert_ne!(*night.state(), Chouette::initial(), "the table is still open");
}
