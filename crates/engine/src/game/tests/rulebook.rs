//! The course of a game: G3 to G18, and the parts of example X1 that concern turns.

use super::*;
use crate::game::{ClosedOut, Phase};
use crate::{Ended, Win};

/// Six made home points, with the other three checkers on the seven-point.
const CLOSED: &str = "1:2 2:2 3:2 4:2 5:2 6:2 7:3";

#[test]
fn g3_the_higher_die_begins_and_plays_exactly_those_two_numbers() {
    for (white, black, side) in [(6, 2, White), (2, 6, Black)] {
        let mut table = Table::new(common());
        assert_eq!((table.game.turn(), table.game.decision()), (None, None));
        table.ok(Black, &opening(white, black));
        assert_eq!((table.game.turn(), table.game.decision()), (Some(side), Some(side)));
        assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(6, 2), early: None });
        assert_eq!(table.no(side, &rolls(5, 4)), Refusal::AlreadyRolled { roll: roll(6, 2) });
        assert!(matches!(table.no(side, &play(&[(24, 5), (13, 4)])), Refusal::IllegalPlay(_)));
        table.ok(side, &play(&[(24, 6), (13, 2)]));
        assert_eq!(table.game.turn(), Some(side.other()));
    }
}

#[test]
fn g3_ties_are_rolled_again() {
    let mut table = Table::new(common());
    let events = table.drawn(White, &Action::RollOpening { dice: None }, &[4, 4, 1, 1, 2, 5]);
    assert_eq!(
        events.iter().map(Event::kind).collect::<Vec<_>>(),
        ["opening_tied", "opening_tied", "opened"]
    );
    assert_eq!(table.game.turn(), Some(Black));

    let mut table = Table::new(common());
    table.ok(White, &opening(4, 4));
    assert_eq!(table.game.turn(), None);
    assert!(table.may(Black, ActionKind::RollOpening));
    assert_eq!(table.game.stake().get(), 1, "no automatic double without the option");
}

#[test]
fn g3_dice_that_only_tie_come_to_an_end() {
    struct Ties;
    impl Chance for Ties {
        fn below(&mut self, _: u32) -> u32 {
            0
        }
    }
    let mut table = Table::new(with_cube(CubeOptions { automatic_doubles: 2, ..CubeOptions::default() }));
    let draw = Action::RollOpening { dice: None };
    for times in 1..=2 {
        let events = table.game.decide(White, &draw, &mut Ties).unwrap();
        assert!(events.iter().all(|event| event.kind() == "opening_tied"));
        table.happen(&events);
        assert_eq!(table.events.len(), times * 100);
        // The opening roll is still to come, with no more automatic doubles than agreed.
        assert_eq!(table.game.phase(), Phase::Opening { automatic_doubles: 2 });
        assert_eq!(table.game.stake(), value(4));
    }
    // Asking again draws on until there is no tie.
    table.drawn(Black, &draw, &[3, 3, 2, 5]);
    assert_eq!((table.game.turn(), table.game.stake()), (Some(Black), value(4)));
}

#[test]
fn g3_a_roll_that_is_no_tie_is_kept_though_it_comes_after_ninety_nine_ties() {
    let dice = [[6, 6]; 99].into_iter().chain([[1, 2]]).flatten().collect::<Vec<_>>();
    let mut table = Table::new(common());
    let events = table.drawn(White, &Action::RollOpening { dice: None }, &dice);
    assert_eq!((events.len(), table.game.turn()), (100, Some(Black)));
}

#[test]
fn g4_the_sides_roll_two_dice_in_turn() {
    let mut table = Table::opened(common());
    let events = table.drawn(Black, &Action::Roll { dice: None }, &[2, 6]);
    assert_eq!(
        events,
        [Event::Rolled { side: Black, thrower: Black, roll: roll(6, 2), source: DiceSource::Drawn }]
    );
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    assert_eq!(table.no(Black, &rolls(1, 2)), Refusal::NotYourTurn { side: White });
    table.ok(White, &rolls(5, 5));
}

#[test]
fn g7_no_extra_roll_follows_a_double() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(2, 2));
    table.ok(Black, &play(&[(13, 2), (13, 2), (6, 2), (6, 2)]));
    assert_eq!(table.game.turn(), Some(White));
}

#[test]
fn g8_a_play_that_leaves_a_number_unused_is_refused() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    assert!(matches!(table.no(Black, &play(&[(24, 6)])), Refusal::IllegalPlay(_)));
    assert!(matches!(table.no(Black, &play(&[])), Refusal::IllegalPlay(_)));
}

#[test]
fn g8a_without_the_larger_number_the_turn_is_passed() {
    // From 13 the five is blocked, even after the two; the two can be played alone.
    let (white, black) = ("13:1", "17:2 19:2 1:11");
    let mut table = Table::with(common(), white, black);
    table.ok(White, &rolls(5, 2));
    assert_eq!(table.no(White, &Action::Pass {}), Refusal::PlayPossible);
    table.ok(White, &play(&[(13, 2)]));

    let strict = GameRules { strict_larger_die: true, ..common() };
    let mut table = Table::with(strict, white, black);
    table.ok(White, &rolls(5, 2));
    assert_eq!(table.no(White, &play(&[(13, 2)])), Refusal::NothingToPlay);
    assert!(table.game.plays().is_empty());
    table.ok(White, &Action::Pass {});
}

/// Proves G10.
#[test]
fn x1_entering_with_six_four_where_the_six_is_blocked() {
    // Black's six-point is White's 19. White enters on 21 and must play the six from elsewhere.
    let mut table = Table::with(common(), "bar:1 13:1 6:13", "6:2 13:13");
    table.ok(White, &rolls(6, 4));
    assert!(matches!(table.no(White, &play(&[(25, 6), (13, 4)])), Refusal::IllegalPlay(_)));
    table.ok(White, &play(&[(25, 4), (13, 6)]));
    assert_eq!(table.game.position_seen_by(White).mover().on_bar(), 0);
}

#[test]
fn g10_what_can_enter_enters_and_what_cannot_waits() {
    let mut table = Table::with(common(), "bar:2 6:13", "6:2 13:13");
    table.ok(White, &rolls(6, 4));
    table.ok(White, &play(&[(25, 4)]));
    assert_eq!(table.game.position_seen_by(White).mover().on_bar(), 1);
    assert_eq!(table.game.turn(), Some(Black));
}

#[test]
fn g13_the_last_checker_off_wins_and_g14_tells_how_much() {
    for (black, win, points) in [
        ("1:14", Win::Single, 1),
        ("7:15", Win::Gammon, 2),
        ("19:1 1:14", Win::Backgammon, 3),
        ("bar:1 1:14", Win::Backgammon, 3),
    ] {
        let mut table = Table::with(common(), "2:1", black);
        table.ok(White, &rolls(6, 5));
        let events = table.ok(White, &play(&[(2, 6)]));
        assert_eq!(events.iter().map(Event::kind).collect::<Vec<_>>(), ["played", "finished"]);
        let ended = Ended::BorneOff { win };
        assert_eq!(table.outcome(), Outcome { winner: White, ended, stake: value(1), points }, "{black}");
        assert_eq!(table.game.decision(), None);
        assert!(Colour::ALL.map(|side| table.game.legal_actions(side).is_empty()) == [true, true]);
    }
}

#[test]
fn g15_no_passing_while_a_move_exists_and_no_second_roll() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    assert_eq!(table.no(Black, &Action::Pass {}), Refusal::PlayPossible);
    assert_eq!(table.no(Black, &rolls(6, 6)), Refusal::AlreadyRolled { roll: roll(6, 2) });
    assert_eq!(table.no(Black, &Action::CockedDice {}), Refusal::AlreadyRolled { roll: roll(6, 2) });
}

#[test]
fn g16_a_closed_out_side_does_not_roll_but_may_double() {
    let mut table = Table::with(common(), "bar:1 6:14", CLOSED);
    assert_eq!(table.no(White, &rolls(6, 2)), Refusal::ClosedOut);
    assert!(table.may(White, ActionKind::Double));
    table.ok(White, &Action::Double {});
    table.ok(Black, &Action::Take {});
    assert_eq!(table.no(White, &rolls(6, 2)), Refusal::ClosedOut, "also after the take");
    let events = table.ok(White, &Action::Pass {});
    assert!(matches!(events[..], [Event::Passed { side: White, roll: None, .. }]));
    assert_eq!(table.game.turn(), Some(Black));
}

#[test]
fn g17_by_the_setting_a_closed_out_side_rolls_and_confirms_that_it_passes() {
    let rules = GameRules { closed_out: ClosedOut::Rolls, ..common() };
    let mut table = Table::with(rules, "bar:1 6:14", CLOSED);
    assert_eq!(table.no(White, &Action::Pass {}), Refusal::NotRolled);
    table.ok(White, &rolls(6, 2));
    let events = table.ok(White, &Action::Pass {});
    assert!(matches!(events[..], [Event::Passed { roll: Some(_), .. }]));
}

#[test]
fn g17_where_nothing_can_be_played_the_player_confirms_and_a_pass_is_recorded() {
    let mut table = Table::with(common(), "bar:1 6:14", "1:2 2:2 3:2 4:2 5:2 13:5");
    table.ok(White, &rolls(5, 3));
    assert!(table.game.plays().is_empty());
    assert_eq!(table.no(White, &play(&[])), Refusal::NothingToPlay);
    let before = table.game.position();
    let events = table.ok(White, &Action::Pass {});
    let position: PositionId = before.turned().into();
    assert_eq!(events, [Event::Passed { side: White, roll: Some(roll(5, 3)), position }]);
    assert_eq!(table.game.position(), before.turned());
}

#[test]
fn g18_where_a_double_is_available_the_turn_opens_with_the_choice() {
    let mut table = Table::opened(common());
    assert!(table.may(Black, ActionKind::Double) && table.may(Black, ActionKind::Roll));
    table.ok(Black, &Action::Double {});
    table.ok(White, &Action::Take {});
    assert!(!table.may(Black, ActionKind::Double), "nobody doubles twice running");
    assert!(table.may(Black, ActionKind::Roll));
}

#[test]
fn g18_a_roll_is_drawn_once_however_often_it_is_asked_for() {
    let mut table = Table::opened(common());
    table.drawn(Black, &Action::Roll { dice: None }, &[6, 2]);
    for _ in 0..3 {
        // The script has no dice left, so this would fail if any were drawn.
        let refusal = table.no(Black, &Action::Roll { dice: None });
        assert_eq!(refusal, Refusal::AlreadyRolled { roll: roll(6, 2) });
    }
    assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(6, 2), early: None });
}

#[test]
fn a_play_in_any_order_of_its_steps_is_recorded_as_it_was_made() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    let events = table.ok(Black, &play(&[(13, 2), (24, 6)]));
    let Event::Played { steps: made, position, .. } = &events[0] else { panic!("{events:?}") };
    assert_eq!(*made, steps(&[(13, 2), (24, 6)]));
    assert_eq!(position.position(15).unwrap(), table.game.position());
}

#[test]
fn a_resignation_is_accepted_or_the_game_goes_on() {
    let mut table = Table::opened(common());
    table.ok(White, &Action::Resign { win: Win::Gammon });
    assert_eq!(table.game.decision(), Some(Black));
    assert_eq!(table.no(Black, &rolls(1, 2)), Refusal::ResignationPending);
    assert_eq!(table.no(White, &Action::AcceptResignation {}), Refusal::NotYourAnswer { side: Black });
    let before = table.game.phase();
    table.ok(Black, &Action::RejectResignation {});
    assert_eq!((table.game.phase(), table.game.resignation()), (before, None));
    table.ok(Black, &Action::Resign { win: Win::Single });
    table.ok(White, &Action::AcceptResignation {});
    let ended = Ended::Resigned { win: Win::Single };
    assert_eq!(table.outcome(), Outcome { winner: White, ended, stake: value(1), points: 1 });
}

#[test]
fn a_resignation_counts_as_what_it_was_offered_times_the_cube() {
    for (win, points) in [(Win::Single, 2), (Win::Gammon, 4), (Win::Backgammon, 6)] {
        let mut table = Table::opened(common());
        table.ok(Black, &Action::Double {});
        table.ok(White, &Action::Take {});
        table.ok(White, &Action::Resign { win });
        table.ok(Black, &Action::AcceptResignation {});
        let ended = Ended::Resigned { win };
        assert_eq!(table.outcome(), Outcome { winner: Black, ended, stake: value(2), points });
    }
}
