//! Records that break the rules.

use crate::colour::Colour::{Black, White};
use crate::cube::{CannotDouble, Cube, CubeValue};
use crate::dice::{Die, Roll};
use crate::play::{Step, Steps};
use crate::record::{Action, Entry, GameRecord, Illegal, Record, ReplayError, Rules, replay};
use crate::result::{Ended, Win};
use crate::step_rules::IllegalPlay;
use crate::{Colour, Owner};

fn roll(one: usize, other: usize) -> Roll {
    Roll::new(Die::ALL[one - 1], Die::ALL[other - 1])
}

fn play(by: Colour, dice: [usize; 2], steps: &[(u8, usize)]) -> Entry {
    let steps: Vec<_> =
        steps.iter().map(|(from, pips)| Step::new(*from, Die::ALL[pips - 1]).unwrap()).collect();
    Entry { by, action: Action::Play { roll: roll(dice[0], dice[1]), steps: Steps::new(&steps).unwrap() } }
}

fn does(by: Colour, action: Action) -> Entry {
    Entry { by, action }
}

/// White opens by playing 3-1.
fn opening() -> Entry {
    play(White, [3, 1], &[(8, 3), (6, 1)])
}

fn session(length: u16, actions: &[Entry]) -> Record {
    let game = GameRecord { actions: actions.to_vec(), ..GameRecord::default() };
    let rules = Rules { crawford: length > 0, jacoby: length == 0 };
    Record { length, rules, games: vec![game], ..Record::default() }
}

#[track_caller]
fn refused(record: &Record, action: usize, reason: Illegal) {
    assert_eq!(replay(record).unwrap_err(), ReplayError { game: 1, action: Some(action), reason });
}

#[test]
fn g3_a_game_does_not_begin_with_equal_numbers() {
    let record = session(0, &[play(White, [1, 1], &[(8, 1), (8, 1), (6, 1), (6, 1)])]);
    refused(&record, 1, Illegal::EqualOpening);
}

#[test]
fn g4_the_sides_take_turns() {
    refused(&session(0, &[opening(), opening()]), 2, Illegal::NotOnTurn { turn: Black });
}

#[test]
fn g8_a_play_uses_both_numbers() {
    let why = IllegalPlay::BothCanBePlayed;
    refused(&session(0, &[play(White, [3, 1], &[(8, 3)])]), 1, Illegal::Play { roll: roll(3, 1), why });
}

#[test]
fn c5_nobody_doubles_before_the_opening_roll() {
    refused(&session(0, &[does(White, Action::Double)]), 1, Illegal::DoubleBeforeOpening);
}

#[test]
fn c2_a_double_is_offered_on_ones_own_turn_and_answered_at_once() {
    refused(&session(0, &[opening(), does(White, Action::Double)]), 2, Illegal::NotOnTurn { turn: Black });
    let doubled = [opening(), does(Black, Action::Double)];
    for (entry, reason) in [
        (play(Black, [3, 1], &[(8, 3), (6, 1)]), Illegal::OfferOpen),
        (does(White, Action::Resign(Win::Single)), Illegal::OfferOpen),
        (does(Black, Action::Take), Illegal::NotOnTurn { turn: White }),
    ] {
        refused(&session(0, &[&doubled[..], &[entry]].concat()), 3, reason);
    }
    refused(&session(0, &[opening(), does(Black, Action::Take)]), 2, Illegal::NoOffer);
}

#[test]
fn c4_the_taker_owns_the_cube() {
    let taken = [opening(), does(Black, Action::Double), does(White, Action::Take)];
    let record = session(0, &taken);
    let cube = replay(&record).unwrap().games().next().unwrap().1.last.cube;
    assert_eq!(cube, Cube { value: CubeValue::try_from(2).unwrap(), owner: Owner::Owned(White) });
    let again = session(0, &[&taken[..], &[does(Black, Action::Double)]].concat());
    refused(&again, 4, Illegal::Cube(CannotDouble::NotYours));
}

#[test]
fn c7_who_refuses_a_beaver_loses_the_doubled_stake() {
    let beavered =
        [opening(), does(Black, Action::Double), does(White, Action::Double), does(Black, Action::Drop)];
    let record = session(0, &beavered);
    let replayed = replay(&record).unwrap();
    let outcome = replayed.games().next().unwrap().1.outcome.unwrap();
    assert_eq!((outcome.winner, outcome.ended, outcome.points), (White, Ended::Dropped {}, 2));
    assert_eq!(replayed.score(), [2, 0]);
}

#[test]
fn m4_beavers_are_not_used_in_matches() {
    let record = session(7, &[opening(), does(Black, Action::Double), does(White, Action::Double)]);
    refused(&record, 3, Illegal::BeaverInMatch);
}

#[test]
fn c9_an_undoubled_gammon_counts_one_point_with_jacoby() {
    let resigned = |win| [opening(), does(Black, Action::Resign(win))];
    for win in Win::ALL {
        let mut record = session(0, &resigned(win));
        assert_eq!(replay(&record).unwrap().score(), [1, 0]);
        record.rules.jacoby = false;
        assert_eq!(replay(&record).unwrap().score(), [win.multiplier(), 0]);
    }
}

#[test]
fn g13_nothing_happens_after_the_end() {
    let over = [opening(), does(Black, Action::Resign(Win::Single)), does(Black, Action::Double)];
    refused(&session(0, &over), 3, Illegal::GameOver);
}

#[test]
fn a_roll_that_was_not_played_is_the_last_thing_but_a_resignation() {
    let open = [opening(), does(Black, Action::Roll(roll(5, 4)))];
    assert!(replay(&session(0, &open)).unwrap().games().next().unwrap().1.outcome.is_none());
    let resigned = [&open[..], &[does(Black, Action::Resign(Win::Single))]].concat();
    assert_eq!(replay(&session(0, &resigned)).unwrap().score(), [1, 0]);
    refused(&session(0, &[&open[..], &[does(Black, Action::Double)]].concat()), 3, Illegal::RollOpen);
}

#[test]
fn m3_the_crawford_game_is_played_without_the_cube_and_is_marked() {
    let mut record = session(2, &[opening(), does(Black, Action::Double)]);
    record.games[0].score = [1, 0];
    // The first game of a record may come after the Crawford game.
    assert!(replay(&record).is_ok());
    record.games[0].crawford = true;
    refused(&record, 2, Illegal::Crawford);
    record.games[0].score = [0, 0];
    let reason = Illegal::NotCrawford { score: [0, 0], marked: true };
    assert_eq!(replay(&record).unwrap_err(), ReplayError { game: 1, action: None, reason });
    assert_eq!(
        replay(&record).unwrap_err().to_string(),
        "game 1: at 0-0 this cannot be the Crawford game (M3)"
    );
}

#[test]
fn m1_scores_follow_from_the_games_and_nothing_follows_the_match() {
    let mut record = session(1, &[opening(), does(Black, Action::Resign(Win::Single))]);
    record.games.push(GameRecord::default());
    let reason = Illegal::Score { found: [0, 0], counted: [1, 0] };
    assert_eq!(replay(&record).unwrap_err(), ReplayError { game: 2, action: None, reason });
    record.games[1].score = [1, 0];
    let reason = Illegal::MatchOver;
    assert_eq!(replay(&record).unwrap_err(), ReplayError { game: 2, action: None, reason });
}

#[test]
fn scores_and_lengths_at_their_limits_do_no_harm() {
    let mut record = session(u16::MAX, &[opening(), does(Black, Action::Resign(Win::Single))]);
    record.games[0].score = [u32::MAX; 2];
    assert!(replay(&record).is_err());
    record.length = 0;
    assert_eq!(replay(&record).unwrap().score(), [u32::MAX; 2]);
}
