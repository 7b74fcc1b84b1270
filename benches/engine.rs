//! The engine's move generation compared with the crate `bkgm`, the fastest other one.
//!
//! `cargo bench --bench engine` prints two ratios, then single figures. The two engines take turns, so that a
//! change in the machine's speed affects both. `docs/performance.md` has the results.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a measurement, not the product")]

#[path = "support/moment.rs"]
mod moment;

use std::collections::HashSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bkgm::{ClassicRules, PositionRules as _};
use divan::Bencher;
use moment::measured_or;
use owlbox_engine::notation::gnu::{from_position_id, position_id};
use owlbox_engine::{Generator, Position, Roll, perft};

type Peer = bkgm::Position<15>;

const START: &str = "4HPwATDgc/ABMA";

fn main() {
    positions();
    perft_to_three();
    divan::main();
}

/// Times all distinct results of 2,000 positions for all 21 rolls.
fn positions() {
    let ours = varied_positions();
    let peers: Vec<Peer> = ours.iter().copied().map(peer).collect();
    let (results, peer_results) = check(&ours, &peers);
    let mut buffer = Vec::new();
    let [our_time, peer_time] =
        medians(measured_or(1, 9), || list_all(&ours, &mut buffer), || list_all_of_peer(&peers));
    let a_second = |time: Duration| ours.len() as f64 / time.as_secs_f64();
    println!(
        "{} positions times 21 rolls: {results} results, all distinct; bkgm lists {peer_results}",
        ours.len()
    );
    println!(
        "  ours {:.0} positions/s, bkgm {:.0} positions/s: {:.2} times  (gate 2.2)",
        a_second(our_time),
        a_second(peer_time),
        peer_time.as_secs_f64() / our_time.as_secs_f64()
    );
}

/// perft(start, 3) = 116,154,993. One ply less when the bench is only tried.
fn perft_to_three() {
    let (plies, whole) = measured_or((2, 202_782), (3, 116_154_993));
    let start = from_position_id(START, 15).unwrap();
    let (mut ours, mut peers) = (0, 0);
    let [our_time, peer_time] = medians(
        measured_or(1, 3),
        || ours = perft(black_box(start), plies),
        || peers = perft_of_peer(peer(black_box(start)), plies),
    );
    assert_eq!((ours, peers), (whole, whole));
    println!(
        "perft(start, {plies}): ours {our_time:.2?}, bkgm {peer_time:.2?}: {:.2} times  (gate 2.2)\n",
        peer_time.as_secs_f64() / our_time.as_secs_f64()
    );
}

/// Positions from random games, from the opening to the bear-off, with every legal play equally likely.
fn varied_positions() -> Vec<Position> {
    let mut state = 1_u64;
    let mut below = move |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % end
    };
    let start = from_position_id(START, 15).unwrap();
    let (mut at, mut results, mut positions) = (start, Vec::new(), Vec::new());
    let wanted = measured_or(100, 2_000);
    while positions.len() < wanted {
        Generator::new(at).results(Roll::ALL[below(21)], &mut results);
        at = results[below(results.len())];
        if at.is_over() {
            at = start;
        } else if below(3) == 0 {
            positions.push(at);
        }
    }
    positions
}

fn peer(position: Position) -> Peer {
    bkgm::codecs::gnuid::decode_position(&position_id(position)).unwrap()
}

/// Checks that both engines find the same results, ours without duplicates. Returns the number of results of
/// each.
fn check(ours: &[Position], peers: &[Peer]) -> (usize, usize) {
    let (mut count, mut peer_count) = (0, 0);
    let mut results = Vec::new();
    for (position, peer_position) in ours.iter().zip(peers) {
        for (roll, (dice, _)) in Roll::ALL.into_iter().map(|roll| (roll, peer_roll(roll))) {
            Generator::new(*position).results(roll, &mut results);
            let distinct: HashSet<String> = results.iter().copied().map(position_id).collect();
            assert_eq!(distinct.len(), results.len(), "{position:?} {roll}");
            let listed = ClassicRules::legal_positions(*peer_position, &dice);
            let peer_distinct: HashSet<String> =
                listed.iter().map(bkgm::codecs::gnuid::encode_position).collect();
            assert_eq!(distinct, peer_distinct, "{position:?} {roll}");
            count += results.len();
            peer_count += listed.len();
        }
    }
    (count, peer_count)
}

fn peer_roll(roll: Roll) -> (bkgm::Dice, u32) {
    (bkgm::Dice::new(roll.high().pips().into(), roll.low().pips().into()), roll.weight())
}

fn list_all(positions: &[Position], results: &mut Vec<Position>) {
    for position in positions {
        let generator = Generator::new(*black_box(position));
        for roll in Roll::ALL {
            generator.results(roll, results);
            black_box(&results);
        }
    }
}

fn list_all_of_peer(positions: &[Peer]) {
    for position in positions {
        for (dice, _) in bkgm::dice::ALL_21 {
            black_box(ClassicRules::legal_positions(*black_box(position), &dice));
        }
    }
}

fn perft_of_peer(position: Peer, depth: u32) -> u64 {
    let results = |dice| ClassicRules::legal_positions(position, dice);
    let rolls = bkgm::dice::ALL_21.iter().map(|(dice, _)| dice);
    match depth {
        1 => rolls.map(|dice| results(dice).len() as u64).sum(),
        _ => rolls.flat_map(results).map(|result| perft_of_peer(result, depth - 1)).sum(),
    }
}

/// The median times of two works that take turns.
fn medians(rounds: usize, mut one: impl FnMut(), mut other: impl FnMut()) -> [Duration; 2] {
    let time = |work: &mut dyn FnMut()| {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    let mut times: Vec<[Duration; 2]> = (0..rounds).map(|_| [time(&mut one), time(&mut other)]).collect();
    [0, 1].map(|which| {
        times.sort_unstable_by_key(|pair| pair[which]);
        times[rounds / 2][which]
    })
}

/// Times one roll from the start.
#[divan::bench(args = ["3-1", "6-5", "1-1", "4-4"])]
fn start(bencher: Bencher<'_, '_>, roll: &str) {
    let position = from_position_id(START, 15).unwrap();
    let roll = *Roll::ALL.iter().find(|known| known.to_string() == roll).unwrap();
    let mut results = Vec::new();
    bencher.bench_local(|| {
        Generator::new(black_box(position)).results(black_box(roll), &mut results);
        results.len()
    });
}

/// Times all 21 rolls of one position.
#[divan::bench(args = ["4HPwATDgc/ABMA", "27ahBADYnoMDQA", "1W0AAKjtBgAAAA", "tt0BAFja7QAAAA"])]
fn all_rolls(bencher: Bencher<'_, '_>, id: &str) {
    let position = from_position_id(id, 15).unwrap();
    let mut results = Vec::new();
    bencher.bench_local(|| {
        let generator = Generator::new(black_box(position));
        for roll in Roll::ALL {
            generator.results(roll, &mut results);
            black_box(&results);
        }
    });
}
