//! Plakoto and Fevga (V4): rule by rule, and every legal play against a second generator.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::slow_tavli::{self, Heaps, Man};
use super::{Numbers, die, games, position_in, roll, steps};
use crate::notation::board::draw;
use crate::notation::gnu::{from_position_id, position_id};
use crate::notation::play::{parse, resolve, write};
use crate::notation::state::{MatchState, Seat};
use crate::notation::xgid::{InvalidXgid, Xgid};
use crate::step_graph::NextStep;
use crate::{
    Checkers, Generator, IllegalPlay, InvalidPosition, LegalPlays, Mothers, Movement, Play, Position, Roll,
    Variant, Win, perft,
};

const PLAKOTO: Movement = Movement::Plakoto;
const FEVGA: Movement = Movement::Fevga;

/// The heaps of a position, as its mover counts.
fn heaps(position: Position) -> Heaps {
    let (mover, other) = (position.mover(), position.other());
    let mut heaps = vec![Vec::new(); 26];
    for point in 1..=24 {
        let across = position.across(point);
        let own = vec![Man::Own; mover.at(point).into()];
        let others = vec![Man::Other; other.at(across).into()];
        // A pinned checker is at the bottom.
        let heap = if mover.is_pinned(point) { [own, others] } else { [others, own] };
        heaps[usize::from(point)] = heap.concat();
    }
    (heaps, mover.off().into())
}

fn expected(position: Position, roll: Roll, strict: bool) -> BTreeSet<Heaps> {
    let dice = [roll.high().pips(), roll.low().pips()];
    match position.movement() {
        PLAKOTO => slow_tavli::plakoto(&heaps(position), dice, strict),
        _ => slow_tavli::fevga(&heaps(position), dice, strict),
    }
}

/// Compares the two generators on one position and roll, and returns the plays.
fn compare(position: Position, roll: Roll, strict: bool) -> Vec<Play> {
    let mut found = BTreeSet::new();
    let mut plays = Vec::new();
    Generator::new(position).strict_larger_die(strict).for_each(roll, |play| {
        let mover = play.result.turned();
        assert_eq!(Position::new(mover.mover(), mover.other()), Ok(mover), "{position:?} {roll}");
        assert!(found.insert(heaps(mover)), "twice: {position:?} {roll} {:?}", play.steps);
        assert_eq!((mover.mover().total(), mover.other().total()), (15, 15), "{position:?} {roll}");
        plays.push(play);
    });
    assert_eq!(found, expected(position, roll, strict), "{position:?} {roll} strict: {strict}");
    plays
}

#[test]
fn v4_two_generators_agree_on_whole_games_of_plakoto_and_fevga() {
    for variant in [Variant::Plakoto, Variant::Fevga] {
        let played = games(variant, Duration::from_millis(1_200), usize::MAX, compare);
        println!("{played} games");
        assert!(played > 0);
    }
}

#[test]
#[ignore = "takes long without optimisation: run it with --release before a change of the movements is kept"]
fn v4_two_generators_agree_on_a_hundred_thousand_games_of_each() {
    for variant in [Variant::Plakoto, Variant::Fevga] {
        assert_eq!(games(variant, Duration::MAX, 100_000, compare), 100_000);
    }
}

/// One side of a position under construction.
#[derive(Clone, Copy, Default)]
struct Half {
    counts: [u8; 26],
    pinned: [bool; 26],
}

impl Half {
    fn checkers(mut self, movement: Movement) -> Checkers {
        self.counts[0] = 15 - self.counts.iter().sum::<u8>();
        let side = Checkers::new(self.counts).unwrap().moving(movement);
        (1..=24).filter(|point| self.pinned[usize::from(*point)]).fold(side, Checkers::pinned)
    }
}

/// A random position, crowded so that blocks, pins, primes and the bear-off are common.
fn any_position(movement: Movement, numbers: &mut Numbers) -> Position {
    loop {
        let mut halves = [Half::default(); 2];
        let (first, reach) = (1 + numbers.below(18), 6 + numbers.below(19));
        // Now and then the other side is all on one point, as behind a prime.
        let together = (numbers.below(4) == 0).then(|| 7 + numbers.below(18));
        for _ in 0..30 {
            let side = numbers.below(2);
            let mut point = (first + numbers.below(reach) - 1) % 24 + 1;
            if let (1, Some(together)) = (side, together) {
                point = usize::from(movement.across(u8::try_from(together).unwrap()));
            }
            lay(movement, &mut halves, side, point);
        }
        let [own, other] = halves.map(|half| half.checkers(movement));
        if let Some(position) = Position::new(own, other).ok().filter(|position| !position.is_over()) {
            return position;
        }
    }
}

/// Lays a checker of one side on a point, as the first side counts, if the rules allow it.
fn lay(movement: Movement, halves: &mut [Half; 2], side: usize, point: usize) {
    let across = usize::from(movement.across(u8::try_from(point).unwrap()));
    let (own, theirs) = if side == 0 { (point, across) } else { (across, point) };
    let there = halves[1 - side].counts[theirs];
    let pins = there == 1 && movement == PLAKOTO && theirs > 1 && !halves[side].pinned[own];
    if halves[side].counts.iter().sum::<u8>() < 15 && (there == 0 || pins) {
        // With a second checker of its own side, it is not a lone one any more.
        halves[side].counts[own] += 1;
        halves[1 - side].pinned[theirs] = pins;
    }
}

#[test]
fn v4_two_generators_agree_on_any_position_of_plakoto_and_fevga() {
    let seed = rand::random();
    println!("seed {seed:#x}");
    let mut numbers = Numbers(seed);
    let started = Instant::now();
    let mut compared = 0;
    while compared <= 50 || started.elapsed() < Duration::from_millis(1_500) {
        for movement in [PLAKOTO, FEVGA] {
            let (position, roll) = (any_position(movement, &mut numbers), numbers.roll());
            compare(position, roll, numbers.below(4) == 0);
            compared += 1;
        }
    }
}

/// Counts like [`perft`], with the second generator.
fn slow_perft(board: &Heaps, off: usize, movement: Movement, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for roll in Roll::ALL {
        let dice = [roll.high().pips(), roll.low().pips()];
        let results = match movement {
            PLAKOTO => slow_tavli::plakoto(board, dice, false),
            _ => slow_tavli::fevga(board, dice, false),
        };
        for after in results {
            let turned = slow_tavli::turned(&after, movement == FEVGA, off);
            count += slow_perft(&turned, after.1, movement, depth - 1);
        }
    }
    count
}

/// The counts for depths 1, 2 and 3.
const PERFT: [(Variant, [u64; 3]); 2] =
    [(Variant::Plakoto, [59, 3_474, 708_405]), (Variant::Fevga, [22, 479, 21_893])];

fn counts_agree(depth: u32) {
    for (variant, counts) in PERFT {
        let (start, count) = (variant.start(), counts[depth as usize - 1]);
        assert_eq!(perft(start, depth), count, "{variant:?} {depth}");
        assert_eq!(slow_perft(&heaps(start), 0, start.movement(), depth), count, "{variant:?} {depth}");
    }
}

#[test]
fn v4_perft_counts_the_same_by_both_generators() {
    (1..=2).for_each(counts_agree);
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn v4_perft_of_three_plies_counts_the_same_by_both_generators() {
    counts_agree(3);
}

/// The results at all ends of the graph.
fn ends_in_graph(position: Position, roll: Roll) -> BTreeSet<Position> {
    fn go(graph: &[Vec<NextStep>], at: usize, position: Position, ends: &mut BTreeSet<Position>) {
        if graph[at].is_empty() {
            ends.insert(position.turned());
        }
        for next in &graph[at] {
            let step = crate::Step::new(next.from, die(next.pips)).unwrap();
            go(graph, next.then, crate::step_rules::stepped(position, step).unwrap(), ends);
        }
    }
    let mut ends = BTreeSet::new();
    go(&LegalPlays::new(position, roll).step_graph(), 0, position, &mut ends);
    ends
}

#[test]
fn v4_step_by_step_list_by_list_and_at_once_the_plays_are_the_same_and_are_read_back() {
    let mut numbers = Numbers(6);
    for turn in 0..160 {
        let movement = if turn % 2 == 0 { PLAKOTO } else { FEVGA };
        let position = any_position(movement, &mut numbers);
        // A double has more orders than a quick test can go through.
        let roll = loop {
            let roll = numbers.roll();
            if !roll.is_double() {
                break roll;
            }
        };
        let legal = LegalPlays::new(position, roll);
        let results: BTreeSet<Position> = legal.results().iter().map(|play| play.result).collect();
        assert_eq!(ends_in_graph(position, roll), results, "{position:?} {roll}");
        let listed = legal.move_lists().into_iter().map(|list| legal.check(list).unwrap().result);
        assert_eq!(listed.collect::<BTreeSet<_>>(), results, "{position:?} {roll}");
        for play in legal.results() {
            assert_eq!(legal.check(play.steps), Ok(play), "{position:?} {roll}");
            let written = write(position, play.steps);
            let read = resolve(position, roll, &parse(&written).unwrap());
            assert_eq!(read.map(|play| play.result), Ok(play.result), "{position:?} {roll} {written}");
        }
    }
}

fn refused(position: Position, dice: (u8, u8), list: &[(u8, u8)]) -> IllegalPlay {
    LegalPlays::new(position, roll(dice.0, dice.1)).check(steps(list)).unwrap_err()
}

fn played(position: Position, dice: (u8, u8), list: &[(u8, u8)]) -> Position {
    LegalPlays::new(position, roll(dice.0, dice.1)).check(steps(list)).unwrap().result
}

#[test]
fn v4_plakoto_a_lone_checker_is_pinned_where_it_stands_and_freed_when_the_last_leaves_it() {
    let before = position_in(PLAKOTO, "20:2 18:13", "11:1 24:14");
    // The other side's 11 is the mover's 14.
    let after = played(before, (6, 4), &[(20, 6), (18, 4)]);
    assert_eq!(after.mover(), position_in(PLAKOTO, "11:pinned 24:14", "14:2 18:12 20:1").mover());
    assert_eq!(after.mover().on_bar(), 0);
    assert_eq!(refused(after, (3, 1), &[(11, 3), (24, 1)]), IllegalPlay::Pinned { from: 11 });
    // If one of the two leaves, the checker is still pinned; if both do, it is free.
    let over = after.turned();
    let one = played(over, (2, 1), &[(14, 2), (18, 1)]);
    assert!(one.mover().is_pinned(11));
    let both = played(over, (2, 1), &[(14, 2), (14, 1)]);
    assert_eq!((both.mover().is_pinned(11), both.mover().at(11)), (false, 1));
    assert!(LegalPlays::new(both, roll(3, 1)).check(steps(&[(11, 3), (24, 1)])).is_ok());
}

#[test]
fn v4_plakoto_one_checker_that_pins_blocks_a_point_and_so_do_two() {
    let pinning = position_in(PLAKOTO, "14:pinned 24:14", "11:1 24:14");
    assert_eq!(refused(pinning, (6, 4), &[(24, 6), (18, 4)]), IllegalPlay::Blocked { to: 14 });
    let two = position_in(PLAKOTO, "24:15", "11:2 24:13");
    assert_eq!(refused(two, (6, 4), &[(24, 6), (18, 4)]), IllegalPlay::Blocked { to: 14 });
    // A lone checker does not block.
    let lone = position_in(PLAKOTO, "24:15", "11:1 24:14");
    assert!(played(lone, (6, 4), &[(24, 6), (18, 4)]).mover().is_pinned(11));
}

#[test]
fn v4_plakoto_pinning_the_mother_wins_double_once_ones_own_cannot_be_pinned_so() {
    // The last checker of the mover has left its start, so pinning the mother decides the game.
    let open = position_in(PLAKOTO, "3:1 6:14", "24:1 10:14");
    let after = played(open, (2, 1), &[(3, 2), (6, 1)]);
    assert_eq!((Mothers::in_position(after), after.is_over()), (Mothers::MoverLost, true));
    assert_eq!(Win::in_position(after), None, "nobody has borne off everything");
    assert_eq!(Mothers::in_position(after.turned()), Mothers::OtherLost);
    // The mover's own mother has not left its start, so nothing is decided yet.
    let own = position_in(PLAKOTO, "3:1 6:13 24:1", "24:1 10:14");
    let after = played(own, (2, 1), &[(3, 2), (6, 1)]);
    assert_eq!((Mothers::in_position(after), after.is_over()), (Mothers::Safe, false));
    // It is decided once that mother has left.
    let left = played(after.turned(), (6, 5), &[(24, 6), (18, 5)]);
    assert_eq!(Mothers::in_position(left), Mothers::MoverLost);
}

#[test]
fn v4_plakoto_both_mothers_pinned_is_a_tie() {
    let own = position_in(PLAKOTO, "6:14 24:pinned", "1:1 5:1 10:12 24:1");
    let after = played(own, (5, 1), &[(6, 5), (6, 1)]);
    assert_eq!((Mothers::in_position(after), after.is_over()), (Mothers::Tied, true));
}

#[test]
fn v4_plakoto_a_second_checker_at_the_start_is_no_mother_and_cannot_be_pinned() {
    let two = position_in(PLAKOTO, "3:1 6:14", "24:2 10:13");
    assert_eq!(refused(two, (2, 1), &[(3, 2), (6, 1)]), IllegalPlay::Blocked { to: 1 });
}

#[test]
fn v4_plakoto_bearing_off_is_as_in_backgammon_and_a_pinned_checker_stays() {
    let home = position_in(PLAKOTO, "6:pinned 3:2", "19:1 1:14");
    // The highest checker is pinned, so a larger number cannot bear off a lower one.
    assert_eq!(refused(home, (5, 3), &[(3, 5), (3, 3)]), IllegalPlay::HigherChecker { from: 3 });
    assert_eq!(refused(home, (6, 3), &[(6, 6), (3, 3)]), IllegalPlay::Pinned { from: 6 });
    assert_eq!(played(home, (5, 3), &[(3, 3)]).other().off(), 13);
    let away = position_in(PLAKOTO, "7:pinned 3:2", "18:1 1:14");
    assert_eq!(refused(away, (3, 1), &[(3, 3), (3, 1)]), IllegalPlay::NotAllHome);
    // Bearing off the checker on top frees the pinned one.
    let over = position_in(PLAKOTO, "3:1", "22:pinned 10:14");
    let off = played(over, (3, 1), &[(3, 3)]);
    assert_eq!((Win::in_position(off), off.mover().is_pinned(22)), (Some(Win::Gammon), false));
}

#[test]
fn v4_fevga_both_run_the_same_way_and_one_checker_holds_a_point() {
    // The other side's 18 is the mover's 6, its 24 the mover's 12.
    let before = position_in(FEVGA, "11:1 24:14", "18:1 24:14");
    assert_eq!(refused(before, (5, 1), &[(11, 5), (24, 1)]), IllegalPlay::Blocked { to: 6 });
    assert_eq!(before.across(6), 18);
    assert!(played(before, (4, 1), &[(11, 4), (24, 1)]).mover().at(18) == 1, "nobody is hit");
}

#[test]
fn v4_fevga_the_first_checker_must_pass_the_others_start_before_another_moves() {
    let start = Variant::Fevga.start();
    let after = played(start, (5, 2), &[(24, 5), (19, 2)]).turned();
    assert_eq!(refused(after, (3, 1), &[(24, 3), (17, 1)]), IllegalPlay::FirstChecker);
    assert_eq!(refused(start, (5, 2), &[(24, 5), (24, 2)]), IllegalPlay::FirstChecker);
    // The example in the source: four sixes, of which one can be played.
    let sixes = LegalPlays::new(start, roll(6, 6)).results();
    assert_eq!(sixes.iter().map(|play| play.steps.len()).collect::<Vec<_>>(), [1]);
    // Once the first checker is past that point, another may play the remaining number in the same turn.
    let near = position_in(FEVGA, "13:1 24:14", "13:1 24:14");
    assert!(LegalPlays::new(near, roll(2, 1)).check(steps(&[(13, 2), (24, 1)])).is_ok());
    assert_eq!(refused(near, (2, 1), &[(24, 1), (13, 2)]), IllegalPlay::FirstChecker);
    // A checker on the other side's start, which is empty, has not passed it.
    let on_it = position_in(FEVGA, "12:1 24:14", "5:15");
    assert_eq!(refused(on_it, (2, 1), &[(24, 2), (24, 1)]), IllegalPlay::FirstChecker);
}

#[test]
fn v4_fevga_not_all_six_points_of_ones_own_starting_quarter() {
    let five = position_in(FEVGA, "11:1 24:10 23:1 22:1 21:1 20:1", "24:15");
    assert_eq!(refused(five, (5, 1), &[(24, 5), (24, 1)]), IllegalPlay::StartingQuarter);
    assert_eq!(refused(five, (5, 1), &[(24, 5), (11, 1)]), IllegalPlay::StartingQuarter);
    // Not even for a moment; but one of the six points may be opened first.
    let opened = LegalPlays::new(five, roll(5, 4));
    assert_eq!(opened.check(steps(&[(24, 5), (20, 4)])), Err(IllegalPlay::StartingQuarter));
    assert!(opened.check(steps(&[(20, 4), (24, 5)])).is_ok());
}

#[test]
fn v4_fevga_a_prime_before_all_fifteen_of_the_other_must_leave_a_way() {
    // Six points in front of the other side's start, which is 12, where all of its checkers are.
    let walled = position_in(FEVGA, "11:2 10:2 9:2 8:2 7:2 6:2 24:3", "24:15");
    assert_eq!(refused(walled, (2, 1), &[(24, 2), (24, 1)]), IllegalPlay::MustLeaveWay);
    assert_eq!(refused(walled, (2, 1), &[(24, 2)]), IllegalPlay::BothCanBePlayed);
    // A point with two checkers is opened only if both of them leave it.
    assert!(LegalPlays::new(walled, roll(6, 6)).check(steps(&[(11, 6), (11, 6), (24, 6), (24, 6)])).is_ok());
    // A roll of small numbers is played as well.
    assert!(LegalPlays::new(walled, roll(1, 1)).results().iter().all(|play| !play.steps.is_empty()));
    // Closing the six is refused like keeping them closed: 22/15 would, with 18 to 13.
    let closing = from_position_id("fevga-wP8fAACIiOYrDA", 15).unwrap();
    for closed in [[(22, 5), (17, 2)], [(22, 2), (20, 5)]] {
        assert_eq!(refused(closing, (5, 2), &closed), IllegalPlay::MustLeaveWay);
    }
    // One of the other side's checkers is elsewhere, so the rest may be walled in.
    let elsewhere = position_in(FEVGA, "11:2 10:2 9:2 8:2 7:2 6:2 24:3", "24:14 5:1");
    assert!(LegalPlays::new(elsewhere, roll(2, 1)).check(steps(&[(24, 2), (24, 1)])).is_ok());
}

#[test]
fn v4_a_win_counts_once_or_twice_and_never_as_a_backgammon() {
    for movement in [PLAKOTO, FEVGA] {
        for (left, win) in [("24:15", Win::Gammon), ("24:14", Win::Single), ("3:1 24:13", Win::Single)] {
            let over = position_in(movement, "", left);
            assert_eq!(
                (Win::in_position(over), Win::in_position(over.turned())),
                (Some(win), Some(win)),
                "{movement:?} {left}"
            );
        }
    }
    let counts: Vec<u32> = Variant::Fevga.wins().iter().map(|win| win.multiplier()).collect();
    assert_eq!(counts, [1, 2]);
}

#[test]
fn v4_what_cannot_stand_is_refused_with_the_reason() {
    let side = |movement: Movement, places: &[(usize, u8)]| {
        let mut counts = [0; 26];
        places.iter().for_each(|(place, count)| counts[*place] = *count);
        Checkers::new(counts).unwrap().moving(movement)
    };
    let plakoto = |places: &[(usize, u8)]| side(PLAKOTO, places);
    use InvalidPosition::{NoBar, NothingPinned, Shared, TwoGames};
    for (mover, other, why) in [
        (plakoto(&[(25, 1)]), plakoto(&[(3, 1)]), NoBar),
        (plakoto(&[(3, 1)]), plakoto(&[(22, 1)]), Shared { point: 3 }),
        (plakoto(&[(3, 2)]).pinned(3), plakoto(&[(22, 1)]), Shared { point: 3 }),
        (plakoto(&[(3, 1)]).pinned(3), plakoto(&[(22, 1)]).pinned(22), Shared { point: 3 }),
        (plakoto(&[(3, 1)]).pinned(3), plakoto(&[(23, 1)]), NothingPinned { point: 3 }),
        (plakoto(&[(3, 1)]), side(FEVGA, &[(3, 1)]), TwoGames),
        (plakoto(&[(3, 1)]), side(Movement::Backgammon, &[(3, 1)]), TwoGames),
        (side(FEVGA, &[(3, 1)]), side(FEVGA, &[(15, 1)]), Shared { point: 3 }),
    ] {
        assert_eq!(Position::new(mover, other), Err(why), "{mover:?} {other:?}");
    }
    // No checker is pinned where the other side begins and never comes back to.
    assert!(!plakoto(&[(1, 1)]).pinned(1).is_pinned(1));
    assert!(!side(FEVGA, &[(24, 1)]).is_pinned(24));
}

#[test]
fn v4_every_position_has_an_id_of_its_own_and_no_xgid() {
    let mut numbers = Numbers(9);
    for turn in 0..400 {
        let (movement, begins) = if turn % 2 == 0 { (PLAKOTO, "plakoto-") } else { (FEVGA, "fevga-") };
        let position = any_position(movement, &mut numbers);
        let id = position_id(position);
        assert!(id.starts_with(begins) && id.len() <= 30, "{id}");
        assert_eq!(from_position_id(&id, 15), Ok(position), "{id}");
        let xgid = Xgid::new(position, MatchState::money(Seat::Bottom));
        assert_eq!(xgid, Err(InvalidXgid::Movement));
    }
    for wrong in ["plakoto-4HPwATDgc/ABMA", "fevga-", "tapa-4HPwATDgc/ABMA"] {
        assert!(from_position_id(wrong, 15).is_err(), "{wrong}");
    }
}

#[test]
fn v4_pinned_checkers_and_runners_are_drawn() {
    let pinned = position_in(PLAKOTO, "14:pinned 6:2 3:6 24:5 21:1", "11:1 4:pinned 24:12");
    let drawn = "
 +13-14-15-16-17-18------19-20-21-22-23-24-+  O: 303 pips, 1 off
 |    x             |   |       o        X |
 |    O             |   |       X        X |
 |                  |   |                X |
 |                  |   |                X |
 |                  |   |                X |
 |                  |BAR|                  |
 |                  |   |          6    12 |
 |                  |   |          X     O |
 |                  |   |          X     O |
 |                  |   | X        X     O |  to move
 |                  |   | X        X     O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+  X: 185 pips, 0 off
";
    assert_eq!(draw(pinned, None), drawn[1..]);
    // O begins on its own 24, which is X's 12, and runs in the same direction as X.
    let start = "
 +13-14-15-16-17-18------19-20-21-22-23-24-+  O: 360 pips, 0 off
 |                  |   |                X |
 |                  |   |                X |
 |                  |   |                X |
 |                  |   |                X |
 |                  |   |               15 |
 |                  |BAR|                  |
 |15                |   |                  |
 | O                |   |                  |
 | O                |   |                  |
 | O                |   |                  |  to move
 | O                |   |                  |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+  X: 360 pips, 0 off
";
    assert_eq!(draw(Variant::Fevga.start(), None), start[1..]);
}
