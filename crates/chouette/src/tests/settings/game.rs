//! The game on the board: refereed games with the same dice, under the default and under the option.

use serde_json::{Value, json};

use super::{Setting, beside, setting};
use crate::tests::{Night, Script};
use crate::{Command, Event, Side};
use owlbox_engine::game::{Action, Event as OnBoard, Phase};
use owlbox_engine::notation::gnu::position_id;
use owlbox_engine::{Colour, Play, Variant};

/// Plays out a game of three: the dice come from `seed`, the box builds its home board and hits, the team
/// makes the first legal play. Returns the events on the board, and the winner.
fn played(setting: &Setting, at: usize, seed: u64) -> (Vec<OnBoard>, Side) {
    let mut night = Night::seated_under("ABC", setting.rules[at].clone());
    night.dice = Script::endless(seed);
    night.play("start refereed");
    let mut happened = Vec::new();
    while let Some(board) = night.state().game().and_then(|game| game.board.as_ref()) {
        let by = if board.turn() == Some(Colour::Black) { Side::Team } else { Side::Box };
        let action = match board.phase() {
            Phase::Opening { .. } => Action::RollOpening { dice: None },
            Phase::ToPlay { .. } => {
                let plays = board.plays();
                let best = plays.iter().max_by_key(|play| if by == Side::Box { strength(play) } else { 0 });
                best.map_or(Action::Pass {}, |play| Action::Play { steps: play.steps })
            }
            _ => Action::Roll { dice: None },
        };
        let command = |action| Command::Board { by, action };
        // A player who is closed out passes if they may not roll.
        let events = night.give(&command(action)).or_else(|_| night.give(&command(Action::Pass {})));
        for event in events.unwrap() {
            if let Event::Board { of } = event {
                happened.push(of);
            }
        }
    }
    (happened, night.state().finished_game(1).unwrap().winner)
}

/// The number of points made at home; a checker on the bar counts three more.
fn strength(play: &Play) -> usize {
    let (mover, other) = (play.result.other(), play.result.mover());
    (1..=6).filter(|point| mover.at(*point) > 1).count() + 3 * usize::from(other.on_bar())
}

/// The events in which the two games first differ, under the first seed for which they do.
fn first_difference(setting: &Setting) -> [OnBoard; 2] {
    let differing = |seed| {
        let [(one, _), (other, _)] = [0, 1].map(|at| played(setting, at, seed));
        one.into_iter().zip(other).find(|(one, other)| one != other)
    };
    let (one, other) = (0..2_000).find_map(differing).expect("some game differs");
    [one, other]
}

fn begins(setting: &Setting) -> [String; 2] {
    let position = |night: &Night, _| {
        let board = night.state().game().unwrap().board.as_ref().unwrap();
        position_id(board.position())
    };
    setting.look(Night::seated_under, "start refereed", position)
}

fn variant(option: &str) -> Setting {
    setting("game.variant", Value::from(option))
}

#[test]
fn setting_game_variant_nackgammon() {
    let [default, option] = begins(&variant("nackgammon"));
    assert_eq!(default, "4HPwATDgc/ABMA");
    assert_eq!(option, position_id(Variant::Nackgammon.start()));
}

#[test]
fn setting_game_variant_hyper_backgammon() {
    let [default, option] = begins(&variant("hyper_backgammon"));
    assert_eq!(default, "4HPwATDgc/ABMA");
    assert_eq!(option, position_id(Variant::HyperBackgammon.start()));
}

#[test]
fn setting_game_variant_misere() {
    // The very same game has the other winner (V3).
    let setting = variant("misere");
    for seed in 0..5 {
        let [(one, winner), (other, loser)] = [0, 1].map(|at| played(&setting, at, seed));
        assert_eq!(one.len(), other.len());
        assert_eq!(one[..one.len() - 1], other[..other.len() - 1]);
        assert_ne!(winner, loser);
    }
}

#[test]
fn setting_game_variant_inverse() {
    // After the opening the other side throws (V1).
    let [default, option] = first_difference(&variant("inverse"));
    let thrown = |event: &OnBoard| match event {
        OnBoard::Rolled { side, thrower, .. } => (*side, *thrower),
        other => panic!("{other:?}"),
    };
    let ((side, own), (same, other)) = (thrown(&default), thrown(&option));
    assert_eq!((side, own), (same, other.other()));
}

/// All rules of the chouette about a cube are off (V4).
fn tavli(option: &str) -> [String; 2] {
    let off = [("cube_cap", json!(1)), ("jacoby", json!("off")), ("automatics.at_most", json!(0))];
    begins(&beside(&off, "game.variant", option))
}

#[test]
fn setting_game_variant_plakoto() {
    assert_eq!(tavli("plakoto"), [Variant::Standard, Variant::Plakoto].map(|of| position_id(of.start())));
}

#[test]
fn setting_game_variant_fevga() {
    assert_eq!(tavli("fevga"), [Variant::Standard, Variant::Fevga].map(|of| position_id(of.start())));
}

/// Proves G8a.
#[test]
fn setting_game_strict_larger_die() {
    // Where the default plays only the smaller number, nothing is played (G8a).
    let [default, option] = first_difference(&setting("game.strict_larger_die", json!(true)));
    let OnBoard::Played { roll, steps, .. } = &default else { panic!("{default:?}") };
    let steps: Vec<u8> = steps.iter().map(|step| step.pips()).collect();
    assert_eq!(steps, [roll.low().pips()]);
    assert!(!roll.is_double());
    assert!(matches!(option, OnBoard::Passed { roll: Some(same), .. } if same == *roll), "{option:?}");
}

#[test]
fn setting_game_closed_out_rolls() {
    // By default the turn passes without a roll (G17).
    let [default, option] = first_difference(&setting("game.closed_out", "rolls"));
    assert!(matches!(default, OnBoard::Passed { roll: None, .. }), "{default:?}");
    assert!(matches!(option, OnBoard::Rolled { .. }), "{option:?}");
}

#[test]
fn setting_other_games_allowed() {
    let start = |variant| Command::StartGame { refereed: true, variant: Some(variant) };
    let [mut default, mut option] =
        setting("other_games", "allowed").rules.map(|rules| Night::seated_under("ABC", rules));
    assert_eq!(default.refused(&start(Variant::Nackgammon)), "not_in_rules");
    default.ok(&start(Variant::Standard));
    for variant in [Variant::Nackgammon, Variant::Standard] {
        option.ok(&start(variant));
        let game = option.state().game().unwrap();
        assert_eq!(game.on_board.variant, variant);
        assert_eq!(game.board.as_ref().unwrap().position(), variant.start());
        option.undo().unwrap();
    }
    // The next game is the house's usual one again, and each finished game keeps its own variant.
    option.ok(&Command::StartGame { refereed: false, variant: Some(Variant::Misere) });
    option.play("box wins; start; team wins");
    let played: Vec<Variant> = option.state().finished().map(|game| game.variant).collect();
    assert_eq!(played, [Variant::Misere, Variant::Standard]);
}
