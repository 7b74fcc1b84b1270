//! The cost of one command at the end of a short night and of a long one: a copy of the stream, the decision,
//! the event, and the commands that are then legal, as JSON. It should not grow with the night.
//!
//! ```sh
//! cargo bench --bench night
//! ```

#![allow(
    missing_docs,
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "a measurement, not the product"
)]

#[path = "support/moment.rs"]
mod moment;

use std::hint::black_box;
use std::time::{Duration, Instant};

use moment::measured_or;
use owlbox_base::journal::{Act, ActKind, Aggregate, Chance, Inputs, Stream};
use owlbox_base::values::{AccountId, ActId, PlayerId, Timestamp};
use owlbox_chouette::{Chouette, Command, HouseRules, Side};
use owlbox_engine::Win;
use uuid::Uuid;

const PLAYERS: u128 = 6;

/// Dice that always differ from the last, so that rolling for the order ends.
struct Falling(u32);

impl Chance for Falling {
    fn below(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_add(1);
        self.0 % sides
    }
}

fn player(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}

fn now() -> Timestamp {
    chrono::DateTime::UNIX_EPOCH.into()
}

/// The act that `command` leads to after `stream`.
fn act(stream: &Stream<Chouette>, command: &Command) -> Act<<Chouette as Aggregate>::Event> {
    let mut inputs = Inputs { now: now(), chance: &mut Falling(0) };
    let events = stream.state.decide(command, &mut inputs).expect("the bench gives legal commands");
    let version = stream.version + i64::try_from(events.len()).expect("few events");
    let id = ActId(Uuid::from_u128(version.unsigned_abs().into()));
    Act { id, version, at: now(), by: AccountId(Uuid::nil()), kind: ActKind::Events(events) }
}

fn play(stream: &mut Stream<Chouette>, command: &Command) {
    let act = act(stream, command);
    stream.extend(&act).expect("it follows");
}

/// A table that has finished so many games and started another.
fn night(games: u32) -> Stream<Chouette> {
    let mut stream = Stream::default();
    let night = chrono::NaiveDate::default();
    let rules = HouseRules::default();
    play(&mut stream, &Command::Open { name: "Long".into(), night, stake: None, rules, from: None });
    (1..=PLAYERS).for_each(|number| play(&mut stream, &Command::Join { player: player(number) }));
    play(&mut stream, &Command::DrawOrder {});
    for _ in 0..games {
        play(&mut stream, &Command::StartGame { refereed: false, variant: None });
        play(&mut stream, &Command::OpeningTie { double: None });
        play(&mut stream, &Command::Finish { winner: Side::Box, win: Win::Single });
    }
    play(&mut stream, &Command::StartGame { refereed: false, variant: None });
    stream
}

/// Carries out one command as the desk does.
fn command(stream: &Stream<Chouette>, command: &Command) {
    let act = act(stream, command);
    let mut after = stream.clone();
    after.extend(&act).expect("it follows");
    black_box(serde_json::to_string(&after.state.legal()).expect("it is JSON"));
    black_box(after);
}

fn measured(stream: &Stream<Chouette>) -> Duration {
    let double = Command::Double { player: stream.state.line()[0], against: None, rolled: false };
    // How often in each turn. The fastest turn counts.
    let (times, turns) = measured_or((2, 1), (200, 20));
    let turn = || {
        let begun = Instant::now();
        (0..times).for_each(|_| command(stream, &double));
        begun.elapsed() / times
    };
    (0..turns).map(|_| turn()).min().unwrap_or_default()
}

fn main() {
    let short = measured(&night(10));
    println!("after    10 games: {short:?} a command");
    let long_nights: &[u32] = measured_or(&[20], &[100, 1_000, 10_000]);
    for &games in long_nights {
        let long = measured(&night(games));
        let ratio = long.as_secs_f64() / short.as_secs_f64();
        println!("after {games:>5} games: {long:?} a command, {ratio:.2} times the short night's");
    }
}
