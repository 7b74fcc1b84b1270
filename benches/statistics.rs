//! The statistics of a club with 100,000 games, on SQLite and, if available, on PostgreSQL.
//!
//! ```sh
//! cargo bench --bench statistics
//! OWLBOX_TEST_POSTGRES=postgres://... cargo bench --bench statistics
//! ```
//!
//! Ten years of two nights a week: sixty regulars in chouettes of four, and one game in five between two
//! players. Each answer is compared, taking turns, with merely counting the rows it is made of, which is a
//! lower bound for anything that reads them. `docs/performance.md` has the results.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a measurement, not the product")]

#[path = "support/moment.rs"]
mod moment;
#[path = "support/schema.rs"]
mod schema;

use std::time::{Duration, Instant};

use chrono::{Days, NaiveDate};
use diesel::prelude::*;
use moment::measured_or;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_books::statistics::{Began, Ending, Kind, Manner, Outcome, Role, Tallies, TallyKey};
use owlbox_desk::{Actor, Dependencies, Desk};
use owlbox_engine::Variant;
use owlbox_store::schema::{game_tally, month_tally, year_tally};
use owlbox_store::statistics::Filter;
use owlbox_store::types::Key;
use owlbox_store::{AnyConnection, DatabaseUrl, Options, Store, StoreError, players};
use uuid::Uuid;

/// The number of players in the club.
const REGULARS: u64 = 60;
/// Players meet if their numbers differ by a multiple of this.
const APART: u64 = 7;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    measure("SQLite", DatabaseUrl::Sqlite(folder.path().join("club.db")));
    if let Ok(url) = std::env::var("OWLBOX_TEST_POSTGRES") {
        measure("PostgreSQL", schema::fresh_schema(&url, "club").parse().unwrap());
    }
}

/// Times every question on one database.
fn measure(name: &str, url: DatabaseUrl) {
    let store = Store::open(&url, &Options::default()).unwrap();
    let nights = measured_or(2, 1_040);
    store
        .write_blocking(move |transaction| {
            for number in 0..REGULARS {
                players::insert(transaction.connection()?, regular(number))?;
            }
            let mut chance = Chance(14);
            for night in 0..nights {
                transaction.count(&games_of(night, &mut chance));
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
    let desk = Desk::new(Dependencies::with_store(store.clone()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let standard = Filter { variant: Some(Variant::Standard), ..Filter::default() };
    let a_year = Filter { from: Some(first_night() + Days::new(365)), ..Filter::default() };
    let a_year = Filter { until: a_year.from.map(|from| from + Days::new(364)), ..a_year };
    for (of, who, against) in
        [("the club", None, None), ("a player", Some(0), None), ("a pair", Some(0), Some(APART))]
    {
        for (which, filter) in [("all", Filter::default()), ("standard", standard), ("a year", a_year)] {
            let [who, against] = [who, against].map(|number| number.map(player));
            let mut games = 0;
            let mut answer = || {
                let summary = runtime.block_on(async {
                    match (who, against) {
                        (None, _) => desk.club_statistics(&Actor::CONSOLE, filter).await.map(|all| all.games),
                        (Some(who), None) => {
                            desk.statistics(&Actor::CONSOLE, who, filter).await.map(|all| all.games)
                        }
                        (Some(who), Some(other)) => {
                            let pair = desk.pair_statistics(&Actor::CONSOLE, who, other, filter).await;
                            pair.map(|pair| pair.games)
                        }
                    }
                });
                games = summary.unwrap().total.games;
            };
            let mut rows = 0;
            let mut count = || rows = rows_of(&store, who, against, filter);
            let [answered, counted] = medians([&mut answer, &mut count]);
            let ratio = answered.as_secs_f64() / counted.as_secs_f64();
            println!(
                "{name}, {of}, {which}: {games} games in {rows} rows: {answered:.2?}; rows counted {counted:.2?}: {ratio:.1} times"
            );
        }
    }
}

/// Counts the rows behind an answer: of years and months, or of days where only parts of years are asked for.
fn rows_of(store: &Store, who: Option<PlayerId>, against: Option<PlayerId>, filter: Filter) -> i64 {
    let key = |player: Option<PlayerId>| Key(player.map_or(Uuid::nil(), |player| player.0));
    let variant = filter.variant.map_or("%", Variant::key);
    let count = |connection: &mut AnyConnection| {
        let (Some(from), Some(until)) = (filter.from, filter.until) else {
            let years = year_tally::table
                .filter(year_tally::player.eq(key(who)))
                .filter(year_tally::opponent.eq(key(against)))
                .filter(year_tally::variant.like(variant));
            let months = month_tally::table
                .filter(month_tally::player.eq(key(who)))
                .filter(month_tally::opponent.eq(key(against)))
                .filter(month_tally::variant.like(variant));
            let (years, months): (i64, i64) =
                (years.count().get_result(connection)?, months.count().get_result(connection)?);
            return Ok(years + months);
        };
        let days = game_tally::table
            .filter(game_tally::player.eq(key(who)))
            .filter(game_tally::opponent.eq(key(against)))
            .filter(game_tally::day.between(from, until))
            .filter(game_tally::variant.like(variant));
        days.count().get_result(connection).map_err(StoreError::from)
    };
    store.read_blocking(count).unwrap()
}

fn first_night() -> NaiveDate {
    NaiveDate::from_ymd_opt(2016, 1, 5).unwrap()
}

fn player(number: u64) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(number) + 1))
}

fn regular(number: u64) -> players::PlayerRow {
    let name = format!("Player {number}");
    players::PlayerRow {
        id: player(number),
        guest: false,
        active: true,
        name_key: name.to_lowercase(),
        name,
        nickname: None,
        country: None,
        club: None,
        contact: None,
        notes: None,
        iban: None,
    }
}

/// The games of a night: 96, so that 1,040 nights have 99,840.
fn games_of(night: u64, chance: &mut Chance) -> Tallies {
    let mut tallies = Tallies::default();
    let day = first_night() + Days::new(night / 2 * 7 + night % 2 * 3);
    for game in 0..96 {
        let seats = if game % 5 == 0 { 2 } else { 4 };
        let first = chance.below(REGULARS);
        let players = (0..seats).map(|seat| player((first + seat * APART) % REGULARS)).collect::<Vec<_>>();
        count(&mut tallies, day, &players, chance);
    }
    tallies
}

/// Tallies one game: between two players, or of the box against the team.
fn count(tallies: &mut Tallies, day: NaiveDate, players: &[PlayerId], chance: &mut Chance) {
    let box_wins = chance.below(2) == 0;
    let cube = [1, 2, 2, 4, 8][chance.index(5)];
    let endings = [Ending::Single, Ending::Single, Ending::Drop, Ending::Gammon, Ending::Backgammon];
    let kinds = [Kind::Match, Kind::MoneySession, Kind::Tournament];
    let whole = TallyKey {
        player: None,
        opponent: None,
        day,
        manner: Manner {
            kind: if players.len() > 2 { Kind::Chouette } else { kinds[chance.index(3)] },
            variant: if chance.below(8) == 0 { Variant::Nackgammon } else { Variant::Standard },
            began: [Began::OwnSide, Began::OtherSide, Began::Unknown][chance.index(3)],
            role: if players.len() == 2 {
                Role::Opponent
            } else if box_wins {
                Role::Box
            } else {
                Role::Captain
            },
            result: Outcome::Won,
            ending: endings[chance.index(5)],
            cube,
        },
    };
    let points = HalfPoints(2 * i64::from(cube));
    tallies.count(whole, 1, points);
    for (seat, player) in players.iter().enumerate() {
        let role = [Role::Box, Role::Captain, Role::Crew, Role::Crew][seat];
        let role = if players.len() == 2 { Role::Opponent } else { role };
        let result = if (seat == 0) == box_wins { Outcome::Won } else { Outcome::Lost };
        let mine =
            TallyKey { player: Some(*player), manner: Manner { role, result, ..whole.manner }, ..whole };
        tallies.count(mine, 1, points);
        let others = if seat == 0 { &players[1..] } else { &players[..1] };
        for other in others {
            tallies.count(TallyKey { opponent: Some(*other), ..mine }, 1, points);
        }
    }
}

/// Chance that is the same in every run (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn index(&mut self, bound: u64) -> usize {
        usize::try_from(self.below(bound)).unwrap()
    }
}

/// The median times of two works that take turns.
fn medians(mut works: [&mut dyn FnMut(); 2]) -> [Duration; 2] {
    let mut times: [Vec<Duration>; 2] = Default::default();
    let rounds = measured_or(1, 51);
    for _ in 0..rounds {
        for (work, times) in works.iter_mut().zip(&mut times) {
            let started = Instant::now();
            work();
            times.push(started.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[rounds / 2]
    })
}
