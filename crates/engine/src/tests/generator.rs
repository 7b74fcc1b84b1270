//! The fast generator, the step-by-step answers and the second, obvious generator all agree.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::slow::{self, Board};
use super::{Numbers, games, roll};
use crate::{
    BAR, Checkers, Generator, IllegalPlay, LegalPlays, OFF, Place, Play, Position, Roll, Steps, Variant,
};

fn board(position: Position) -> Board {
    (position.board().map(i32::from), position.mover().off().into())
}

/// Compares the two generators on one position and roll, and returns the plays.
fn compare(position: Position, roll: Roll, strict: bool) -> Vec<Play> {
    let expected = slow::results(board(position), [roll.high().pips(), roll.low().pips()], strict);
    let mut found = BTreeSet::new();
    let mut plays = Vec::new();
    Generator::new(position).strict_larger_die(strict).for_each(roll, |play| {
        plays.push(play);
        let mover = play.result.turned();
        assert!(found.insert(board(mover)), "twice: {position:?} {roll} {:?}", play.steps);
        // G5, G15: no checker appears or vanishes.
        assert_eq!(mover.mover().total(), position.mover().total(), "{position:?} {roll}");
        assert_eq!(mover.other().total(), position.other().total(), "{position:?} {roll}");
        assert_eq!(mover.other().off(), position.other().off(), "{position:?} {roll}");
    });
    assert_eq!(found, expected, "{position:?} {roll} strict: {strict}");
    plays
}

fn compare_for(time: Duration, at_most: usize) -> usize {
    let seed = rand::random();
    println!("seed {seed:#x}");
    let mut numbers = Numbers(seed);
    let started = Instant::now();
    let mut compared = 0;
    let mut played = super::start();
    // On a busy machine at least as many as say something.
    while compared < at_most && (compared <= 300 || started.elapsed() < time) {
        let any = numbers.position();
        compare(any, numbers.roll(), false);
        compare(any, numbers.roll(), true);
        // And positions that arise in play.
        let roll = numbers.roll();
        compare(played, roll, false);
        let plays = LegalPlays::new(played, roll).results();
        played = plays[numbers.below(plays.len())].result;
        if played.is_over() {
            played = super::start();
        }
        compared += 3;
    }
    compared
}

#[test]
fn g5_to_g12_two_generators_agree() {
    let compared = compare_for(Duration::from_secs(3), usize::MAX);
    println!("{compared} rolls compared");
}

#[test]
#[ignore = "takes long without optimisation: run it with --release before a change of the generator is kept"]
fn g5_to_g12_two_generators_agree_a_hundred_thousand_times() {
    assert!(compare_for(Duration::MAX, 300_000) >= 300_000);
}

/// The variants with backgammon's movement; those of V4 are in `tavli.rs`.
const SAME_MOVES: [Variant; 5] =
    [Variant::Standard, Variant::Nackgammon, Variant::HyperBackgammon, Variant::Misere, Variant::Inverse];

#[test]
fn v1_to_v3_two_generators_agree_on_whole_games() {
    for variant in SAME_MOVES {
        assert!(games(variant, Duration::from_millis(400), usize::MAX, compare) > 0);
    }
}

#[test]
#[ignore = "takes hours without optimisation: run it with --release before a change of the generator is kept"]
fn v1_to_v3_two_generators_agree_on_a_hundred_thousand_games_of_each() {
    for variant in SAME_MOVES {
        assert_eq!(games(variant, Duration::MAX, 100_000, compare), 100_000);
    }
}

/// A generator that handles one side only would stumble over the mirrored position: what a side can do must
/// not depend on which one is called the mover.
#[test]
fn g1_both_sides_play_by_the_same_rules() {
    let mut numbers = Numbers(1);
    for _ in 0..300 {
        let (position, roll) = (numbers.position(), numbers.roll());
        let mut mirrored = [0; 26];
        for (slot, count) in position.turned().board().into_iter().enumerate() {
            mirrored[25 - slot] = -count;
        }
        assert_eq!(position.board(), mirrored);
        let again = Position::from_board(&mirrored, 15).unwrap();
        let results = |position| -> BTreeSet<_> {
            LegalPlays::new(position, roll).results().iter().map(|play| play.result).collect()
        };
        assert_eq!(results(position), results(again));
    }
}

#[test]
fn g6_every_play_is_legal_step_by_step_and_every_move_list_makes_one_of_the_results() {
    let mut numbers = Numbers(2);
    for _ in 0..400 {
        let (position, roll) = (numbers.position(), numbers.roll());
        for strict in [false, true] {
            let legal = LegalPlays::new(position, roll).strict_larger_die(strict);
            let results: BTreeSet<Position> = legal.results().iter().map(|play| play.result).collect();
            for play in legal.results() {
                assert_eq!(legal.check(play.steps), Ok(play), "{position:?} {roll}");
            }
            let mut reached = BTreeSet::new();
            for list in legal.move_lists() {
                let play =
                    legal.check(list).unwrap_or_else(|why| panic!("{position:?} {roll} {list:?}: {why}"));
                reached.insert(play.result);
            }
            assert_eq!(reached, results, "{position:?} {roll}");
        }
    }
}

#[test]
fn g6_step_by_step_leads_to_every_move_list_and_to_nothing_else() {
    let mut numbers = Numbers(3);
    for _ in 0..60 {
        let (position, roll) = (numbers.position(), numbers.roll());
        let legal = LegalPlays::new(position, roll);
        let lists: BTreeSet<Steps> = legal.move_lists().into_iter().collect();
        let mut walked = BTreeSet::new();
        let mut open = vec![Steps::NONE];
        while let Some(taken) = open.pop().filter(|_| walked.len() < 40) {
            let next = legal.next_steps(taken);
            assert!(next.is_sorted_by(|one, other| one > other), "each once: {next:?}");
            if next.is_empty() {
                assert!(lists.contains(&taken), "{position:?} {roll} {taken:?}");
                walked.insert(taken);
            }
            open.extend(next.into_iter().map(|step| taken.then(step)));
        }
        assert!(walked.len() == lists.len() || walked.len() == 40, "{position:?} {roll}");
    }
}

/// Random steps are accepted exactly if they make one of the results, and refused with a reason otherwise.
#[test]
fn g8_any_steps_at_all_are_accepted_only_if_they_make_a_result() {
    let mut numbers = Numbers(4);
    let (mut accepted, mut refused) = (0, BTreeSet::new());
    for _ in 0..4_000 {
        let (position, roll) = (numbers.position(), numbers.roll());
        let legal = LegalPlays::new(position, roll).strict_larger_die(numbers.below(2) == 0);
        let mut taken = Steps::NONE;
        for _ in 0..numbers.below(5) {
            let die = if numbers.below(2) == 0 { roll.high() } else { roll.low() };
            let from = u8::try_from(1 + numbers.below(25)).unwrap();
            taken = taken.then(crate::Step::new(from, die).unwrap());
        }
        match legal.check(taken) {
            Ok(play) => {
                accepted += 1;
                assert!(legal.results().iter().any(|legal| legal.result == play.result));
            }
            Err(why) => {
                refused.insert(format!("{why:?}").split(' ').next().unwrap().to_owned());
            }
        }
    }
    assert!(accepted > 20, "{accepted}");
    // Every reason comes up, except those that need a specially chosen play; the rulebook's tests have them.
    for why in
        ["NoSuchDie", "NoChecker", "OnTheBar", "Blocked", "NotAllHome", "HigherChecker", "OneCanBePlayed"]
    {
        assert!(refused.contains(why), "{why}: {refused:?}");
    }
}

#[test]
fn a_turned_position_turned_is_itself_and_counts_the_same_pips() {
    let mut numbers = Numbers(5);
    for _ in 0..500 {
        let position = numbers.position();
        assert_eq!(position.turned().turned(), position);
        assert_eq!(Position::from_board(&position.board(), 15), Ok(position));
        let board = position.board();
        let pips: i32 =
            (1..=25_u8).map(|place| i32::from(board[usize::from(place)].max(0)) * i32::from(place)).sum();
        assert_eq!(i32::from(position.mover().pips()), pips);
        let blots: Vec<Place> = (1..=24).filter(|place| board[usize::from(*place)] == 1).collect();
        assert_eq!(position.blots().collect::<Vec<_>>(), blots);
        let made: Vec<Place> = (1..=24).filter(|place| board[usize::from(*place)] > 1).collect();
        assert_eq!(position.made_points().collect::<Vec<_>>(), made);
        let longest = made.chunk_by(|one, next| one + 1 == *next).map(<[u8]>::len).max().unwrap_or(0);
        assert_eq!(position.longest_prime() as usize, longest);
        let own = (1..=25).rev().find(|place: &usize| board[*place] > 0);
        let theirs = (0..=24).find(|place: &usize| board[*place] < 0);
        assert_eq!(position.has_contact(), own.zip(theirs).is_some_and(|(own, theirs)| own > theirs));
    }
}

#[test]
fn what_cannot_stand_is_refused_with_the_reason() {
    use crate::InvalidPosition::{BothOff, None, Shared, TooMany, WrongBar};
    let mut board = [0_i8; 26];
    board[6] = 15;
    assert_eq!(Position::from_board(&board, 3), Err(TooMany { checkers: 15 }));
    board[5] = 1;
    assert_eq!(Position::from_board(&board, 15), Err(TooMany { checkers: 16 }));
    // A checker on the wrong side's bar is not silently taken as borne off.
    for (slot, count) in [(25, -1), (0, 1)] {
        let mut board = super::start().board();
        board[usize::from(slot)] = count;
        assert_eq!(Position::from_board(&board, 15), Err(WrongBar { slot }));
    }
    assert_eq!(Checkers::new([0; 26]), Err(None));
    let mut off = [0_u8; 26];
    off[usize::from(OFF)] = 15;
    let off = Checkers::new(off).unwrap();
    assert_eq!(Position::new(off, off), Err(BothOff));
    let on = |place: Place| {
        let mut counts = [0_u8; 26];
        counts[usize::from(place)] = 2;
        Checkers::new(counts).unwrap()
    };
    assert_eq!(Position::new(on(6), on(19)), Err(Shared { point: 6 }));
    let mut two = [0_u8; 26];
    (two[19], two[5]) = (1, 1);
    let mut both = [0_u8; 26];
    (both[6], both[20]) = (1, 1);
    let shared = Position::new(Checkers::new(both).unwrap(), Checkers::new(two).unwrap());
    assert_eq!(shared, Err(Shared { point: 6 }), "the lowest of several");
    assert!(Position::new(on(BAR), on(BAR)).is_ok(), "both may be on their bars");
}

/// Proves G8.
#[test]
fn the_reasons_of_g8_name_what_must_be_played() {
    // Only one of the numbers can be played: the six (24/18) or the four (24/20).
    let either = super::position("24:1", "11:2");
    let legal = LegalPlays::new(either, roll(6, 4));
    assert_eq!(
        legal.check(super::steps(&[(24, 4)])),
        Err(IllegalPlay::LargerMustBePlayed { die: super::die(6) })
    );
    assert!(legal.check(super::steps(&[(24, 6)])).is_ok());
}
