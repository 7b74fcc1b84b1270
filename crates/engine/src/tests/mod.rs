//! The engine against the rulebook, against reference data, and against a second, obvious generator.

mod generator;
mod reference;
mod rulebook;
mod slow;
mod slow_tavli;
mod tavli;

use std::time::{Duration, Instant};

use super::{Checkers, Die, Movement, Play, Position, Roll, Steps, Variant};

/// A file of the reference data.
fn data(name: &str) -> String {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn die(pips: u8) -> Die {
    Die::try_from(pips).unwrap()
}

fn roll(one: u8, other: u8) -> Roll {
    Roll::new(die(one), die(other))
}

/// Checkers from texts like `6:5 8:3 13:5 24:2` and `bar:1`. Those missing from fifteen are off.
fn position(mover: &str, other: &str) -> Position {
    position_of(mover, other, 15)
}

/// Checkers from texts like `6:5 8:3 bar:1`, each side as it counts. Those missing from `checkers` are off.
pub(super) fn position_of(mover: &str, other: &str, checkers: u8) -> Position {
    let mut board = [0_i8; 26];
    for (text, sign) in [(mover, 1), (other, -1)] {
        for part in text.split_whitespace() {
            let (place, count) = part.split_once(':').unwrap();
            let place: usize = if place == "bar" { 25 } else { place.parse().unwrap() };
            let slot = if sign > 0 { place } else { 25 - place };
            let count = sign * count.parse::<i8>().unwrap();
            assert!(count == 0 || board[slot] == 0, "both sides on one point: {mover} | {other}");
            board[slot] += count;
        }
    }
    Position::from_board(&board, checkers).unwrap()
}

/// Checkers of a game with this movement, from texts like `6:5 8:3`, each side as it counts. `24:pinned` is a
/// pinned checker. Those missing from fifteen are off.
pub(super) fn position_in(movement: Movement, mover: &str, other: &str) -> Position {
    let side = |text: &str| {
        let (mut counts, mut pins) = ([0_u8; 26], Vec::new());
        for part in text.split_whitespace() {
            let (place, count) = part.split_once(':').unwrap();
            let place: u8 = place.parse().unwrap();
            counts[usize::from(place)] = count.parse().unwrap_or(1);
            pins.extend((count == "pinned").then_some(place));
        }
        counts[0] = 15 - counts.iter().sum::<u8>();
        pins.into_iter().fold(Checkers::new(counts).unwrap().moving(movement), Checkers::pinned)
    };
    Position::new(side(mover), side(other)).unwrap()
}

/// The start of backgammon (G2).
fn start() -> Position {
    position("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
}

/// Steps from pairs of place and pips.
fn steps(list: &[(u8, u8)]) -> Steps {
    let list: Vec<_> = list.iter().map(|(from, pips)| super::Step::new(*from, die(*pips)).unwrap()).collect();
    Steps::new(&list).unwrap()
}

/// Plays random games of `variant` for some time, or a number of turns. `compare` gets every roll, asserts
/// that both generators agree, and returns the plays.
fn games(
    variant: Variant,
    time: Duration,
    at_most: usize,
    compare: fn(Position, Roll, bool) -> Vec<Play>,
) -> usize {
    let seed = rand::random();
    println!("{variant:?}: seed {seed:#x}");
    let mut numbers = Numbers(seed);
    let started = Instant::now();
    let mut game = || {
        let mut at = variant.start();
        for _ in 0..5_000 {
            if at.is_over() {
                return;
            }
            let plays = compare(at, numbers.roll(), numbers.below(8) == 0);
            at = plays[numbers.below(plays.len())].result;
        }
        panic!("no end: {at:?}")
    };
    (0..at_most).take_while(|_| started.elapsed() < time).map(|_| game()).count()
}

/// A stream of random numbers from a seed (SplitMix64), for tests that print their seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    /// A random position with up to fifteen checkers a side, anywhere.
    fn position(&mut self) -> Position {
        loop {
            let mut board = [0_i8; 26];
            // Crowded into a part of the board, so that blocks, hits and the bear-off are common.
            let reach = 6 + self.below(20);
            for sign in [1_i8, -1] {
                let in_play = 1 + self.below(15);
                for _ in 0..in_play {
                    let place = match self.below(12) {
                        0 => 25,
                        _ => 1 + self.below(reach.min(24)),
                    };
                    let slot = if sign > 0 { place } else { 25 - place };
                    if board[slot] * sign >= 0 {
                        board[slot] += sign;
                    }
                }
            }
            // In a crowd one side may end up without a checker; then it tries again.
            if board.iter().any(|slot| *slot > 0) && board.iter().any(|slot| *slot < 0) {
                return Position::from_board(&board, 15).unwrap();
            }
        }
    }

    fn roll(&mut self) -> Roll {
        Roll::ALL[self.below(21)]
    }
}
