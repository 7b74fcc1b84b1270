//! Games on the board.

use super::*;
use owlbox_engine::game::{Action, ActionKind, CubeRules, OpeningDice};
use owlbox_engine::{Animals, Die, Roll};

fn start(table: &mut Table) {
    table.good(&Command::StartBoard { dice: DiceSource::Entered });
}

fn act(by: Slot, action: Action) -> Command {
    Command::Board { by, action }
}

fn die(pips: u8) -> Die {
    Die::ALL[usize::from(pips) - 1]
}

fn opening(white: u8, black: u8) -> Command {
    act(Upper, Action::RollOpening { dice: Some(OpeningDice { white: die(white), black: die(black) }) })
}

fn roll(by: Slot, one: u8, other: u8) -> Command {
    act(by, Action::Roll { dice: Some(Roll::new(die(one), die(other))) })
}

/// Plays the first legal play, or passes.
fn play_any(table: &mut Table, by: Slot) {
    let plays = table.sheet.board().unwrap().game.plays();
    let action = plays.first().map_or(Action::Pass {}, |play| Action::Play { steps: play.steps });
    table.good(&act(by, action));
}

fn turn(table: &mut Table, by: Slot) {
    table.good(&roll(by, 2, 1));
    play_any(table, by);
}

#[test]
fn c3_a_double_that_is_dropped_ends_the_game_and_gives_its_points() {
    let mut table = Table::to(5);
    start(&mut table);
    assert_eq!(table.refused(&game(Upper, Win::Single, 1)), Refusal::Refereed);
    table.good(&opening(3, 1));
    play_any(&mut table, Upper);
    table.good(&act(Lower, Action::Double {}));
    let events: Vec<_> = table.good(&act(Upper, Action::Drop {})).iter().map(kind_of::<Sheet>).collect();
    assert_eq!(events, ["board", "board", "game_won"]);
    let view = table.view();
    assert_eq!((view.score, view.board), ([0, 1], None));
    assert_eq!(view.statistics.by_beginner.white.games, 1);
    assert_eq!(view.statistics.by_win[0].how, GameEnding::Dropped);
}

#[test]
fn m3_m4_the_rules_of_a_game_follow_from_the_score() {
    let mut table = Table::to(3);
    start(&mut table);
    assert_eq!(table.sheet.board().unwrap().game.rules().cube, CubeRules::With(CubeOptions::default()));
    table.good(&Command::AbandonBoard {});
    table.game(Upper, Win::Gammon, 1);
    start(&mut table);
    assert_eq!(table.sheet.board().unwrap().game.rules().cube, CubeRules::Crawford {});
    table.good(&opening(3, 1));
    play_any(&mut table, Upper);
    assert_eq!(table.refused(&act(Lower, Action::Double {})).code().name(), "crawford_game");

    let cube =
        CubeOptions { jacoby: true, beavers: Animals::Beaver, automatic_doubles: 2, cap: Some(cube(16)) };
    let mut table = Table::money(cube);
    start(&mut table);
    assert_eq!(table.sheet.board().unwrap().game.rules().cube, CubeRules::With(cube));
}

#[test]
fn m6_a_pointless_double_is_not_offered_and_yet_taken() {
    let mut table = Table::to(3);
    table.game(Upper, Win::Gammon, 1).game(Lower, Win::Single, 1);
    start(&mut table);
    table.good(&opening(1, 3));
    play_any(&mut table, Lower);
    let offered = |table: &Table, by| table.sheet.offered(by).contains(&ActionKind::Double);
    assert!(!offered(&table, Upper), "one point away");
    let mut doubled = table.clone();
    doubled.good(&act(Upper, Action::Double {}));
    turn(&mut table, Upper);
    assert!(offered(&table, Lower), "two points away");
}

#[test]
fn m5_after_the_crawford_game_the_trailing_side_waits_for_its_third_turn() {
    let length = Length::try_from(3).unwrap();
    let mut table =
        Table::opened(DivisionSettings { holland: true, ..DivisionSettings::default() }.terms(length, false));
    table.game(Upper, Win::Gammon, 1).game(Lower, Win::Single, 1);
    start(&mut table);
    table.good(&opening(1, 3));
    play_any(&mut table, Lower);
    turn(&mut table, Upper);
    assert_eq!(table.refused(&act(Lower, Action::Double {})), Refusal::Holland, "its second turn");
    assert!(!table.sheet.offered(Lower).contains(&ActionKind::Double));
    turn(&mut table, Lower);
    turn(&mut table, Upper);
    assert!(table.sheet.offered(Lower).contains(&ActionKind::Double));
    table.good(&act(Lower, Action::Double {}));
}

#[test]
fn m5_without_the_option_the_trailing_side_doubles_at_once() {
    let mut table = Table::to(3);
    table.game(Upper, Win::Gammon, 1).game(Lower, Win::Single, 1);
    start(&mut table);
    table.good(&opening(3, 1));
    play_any(&mut table, Upper);
    table.good(&act(Lower, Action::Double {}));
}

#[test]
fn dice_are_drawn_or_entered_as_was_agreed() {
    let mut table = Table::to(3);
    start(&mut table);
    assert_eq!(table.refused(&act(Upper, Action::RollOpening { dice: None })), Refusal::DiceNeeded);
    table.good(&Command::AbandonBoard {});
    table.good(&Command::StartBoard { dice: DiceSource::Drawn });
    assert_eq!(table.refused(&opening(3, 1)), Refusal::DiceDrawn);
    table.asks(&act(Upper, Action::RollOpening { dice: None }), &mut Dice(vec![4, 4, 2, 5])).unwrap();
    let view = table.view().board.unwrap();
    assert_eq!(
        (view.turn, view.roll.map(|roll| (roll.high().pips(), roll.low().pips()))),
        (Some(Lower), Some((6, 3)))
    );
}

#[test]
fn a_resignation_that_is_accepted_counts_what_was_offered() {
    let mut table = Table::to(7);
    start(&mut table);
    table.good(&opening(3, 1));
    table.good(&act(Lower, Action::Resign { win: Win::Gammon }));
    table.good(&act(Upper, Action::AcceptResignation {}));
    assert_eq!(table.score(), [2, 0]);
}

#[test]
fn a_penalty_does_not_change_the_rules_of_the_game_that_is_on() {
    let mut table = Table::to(9);
    table.game(Upper, Win::Single, 4);
    start(&mut table);
    table.good(&Command::Penalty { gains: Upper, points: 2 });
    assert_eq!(table.refused(&Command::Penalty { gains: Upper, points: 2 }), Refusal::GameRulesChange);
    assert_eq!(table.refused(&correct(1, Upper, Win::Backgammon, 2)), Refusal::GameRulesChange);
    table.good(&Command::Penalty { gains: Lower, points: 5 });
    assert_eq!(
        table.sheet.outcome(),
        Some(won(Lower, Ending::Forfeit, [6, 5])),
        "then no game is on any more"
    );
}

#[test]
fn a_match_conceded_in_a_game_goes_on_there_if_it_is_ruled_so() {
    let mut table = Table::to(7);
    start(&mut table);
    table.good(&opening(3, 1));
    table.good(&Command::Concede { by: Upper });
    assert_eq!(table.refused(&act(Upper, Action::CockedDice {})), Refusal::MatchOver);
    table.good(&Command::Rule { outcome: None, withdraws: Vec::new() });
    play_any(&mut table, Upper);
}

#[test]
fn a_session_is_not_closed_in_a_game_that_is_refereed() {
    let mut table = Table::money(CubeOptions::default());
    start(&mut table);
    assert_eq!(table.refused(&Command::Close {}), Refusal::Refereed);
}
