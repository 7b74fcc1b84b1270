use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta};
use diesel::connection::SimpleConnection as _;
use rstest::rstest;
use uuid::Uuid;

use super::*;
use crate::fixture::{Db, Fixture};
use crate::verify::{Checked, ratings::verify};
use crate::{Dice, Receipt, Request};
use owlbox_base::journal::Chance as _;
use owlbox_base::values::Timestamp;
use owlbox_books::club::Settings;
use owlbox_books::club::players::PlayerDetails;
use owlbox_play::tournament::rating::Rating;

/// The tournament that all matches belong to.
const OPEN: Uuid = Uuid::from_u128(90);

/// A club with players, and a tournament whose matches are reported.
struct Club {
    fixture: Fixture,
    admin: Actor,
    players: Vec<PlayerId>,
}

fn at(minute: i64) -> Timestamp {
    (DateTime::from_timestamp(1_790_000_000, 0).unwrap() + TimeDelta::minutes(minute)).into()
}

fn key(number: u32) -> Key {
    Key { stream: OPEN, division: 1, number }
}

impl Club {
    async fn open(db: Db, names: &[&str]) -> Option<Self> {
        let (fixture, admin) = Fixture::open(db).await?;
        let mut players = Vec::new();
        for name in names {
            let details = PlayerDetails::named(name.parse().unwrap());
            players.push(fixture.desk.add_player(Request::by(admin), details, false).await.unwrap().0);
        }
        let club = Self { fixture, admin, players };
        club.act(|unit| {
            let sql = format!("INSERT INTO stream (id, kind, version) VALUES ('{OPEN}', 'tournament', 1)");
            unit.transaction.connection()?.batch_execute(&sql).map_err(StoreError::from)?;
            Ok(())
        })
        .await;
        Some(club)
    }

    async fn act(&self, work: impl Fn(&mut UnitOfWork<'_, '_>) -> Result<(), Refused> + Send + 'static) {
        act(&self.fixture.desk, self.admin, work).await;
    }

    fn game(&self, number: u32, minute: i64, length: u16, winner: usize, loser: usize) -> Rated {
        let length = length.try_into().unwrap();
        let (winner, loser) = (self.players[winner], self.players[loser]);
        Rated { key: key(number), finished_at: at(minute), length, winner, loser }
    }

    async fn report(&self, gone: &[Key], now_rated: &[Rated]) {
        let (gone, now_rated) = (gone.to_vec(), now_rated.to_vec());
        self.act(move |unit| rate(unit, &gone, &now_rated)).await;
    }

    /// A player's rating in thousandths, their experience and their number of matches.
    async fn has(&self, player: usize) -> Option<(i64, i64, i64)> {
        let row = self.fixture.desk.rating(&self.admin, self.players[player]).await.unwrap();
        row.map(|row| (row.value, row.experience, row.matches))
    }

    async fn is_as_if_made_of(&self, matches: &[Rated], counts: Experience) {
        let matches = matches.to_vec();
        let checked = self.fixture.desk.read(move |connection| {
            let mut checked = Checked::default();
            verify(connection, &matches, counts, &mut checked).map_err(|error| {
                Refused::rule(owlbox_base::code::Code::Unbalanced, None, error.to_string())
            })?;
            assert_eq!(checked.rated_matches, matches.len());
            Ok::<_, Refused>(checked)
        });
        checked.await.unwrap();
    }
}

async fn act(
    desk: &Desk,
    by: Actor,
    work: impl Fn(&mut UnitOfWork<'_, '_>) -> Result<(), Refused> + Send + 'static,
) {
    let done = desk.carry_out(Request::by(by), move |unit| {
        work(unit)?;
        Ok((Receipt { status: 200, stream: OPEN, version: 1 }, ()))
    });
    done.await.unwrap();
}

/// Gives a player the rating and experience of the documentation's example directly.
fn standing(connection: &mut AnyConnection, player: PlayerId, rating: i64, experience: u32) {
    let row = RatingRow {
        player: player.into(),
        value: rating * 1_000,
        experience: i64::from(experience),
        matches: 1,
    };
    ratings::put_rating(connection, row).unwrap();
}

#[rstest]
#[case::underdog_wins((1500, 400), (1600, 400), 7, 6_091, -6_091)]
#[case::favourite_wins((1600, 400), (1500, 400), 7, 4_492, -4_492)]
#[case::level_one_point((1500, 400), (1500, 400), 1, 2_000, -2_000)]
#[case::level_five_points((1500, 400), (1500, 400), 5, 4_472, -4_472)]
#[case::level_nine_points((1500, 400), (1500, 400), 9, 6_000, -6_000)]
#[case::each_by_his_own_experience((1600, 500), (1500, 50), 7, 4_492, -20_213)]
#[case::the_other_way_round((1500, 50), (1600, 500), 7, 27_411, -6_091)]
#[tokio::test]
async fn the_vectors_of_the_formula_come_through_the_desk(
    #[case] winner: (i64, u32),
    #[case] loser: (i64, u32),
    #[case] length: u16,
    #[case] won: i64,
    #[case] lost: i64,
) {
    for db in [Db::Sqlite, Db::Postgres] {
        let Some(club) = Club::open(db, &["Ada", "Bea"]).await else { continue };
        let [ada, bea] = [club.players[0], club.players[1]];
        club.act(move |unit| {
            standing(unit.transaction.connection()?, ada, winner.0, winner.1);
            standing(unit.transaction.connection()?, bea, loser.0, loser.1);
            Ok(())
        })
        .await;
        club.report(&[], &[club.game(1, 0, length, 0, 1)]).await;
        let points = i64::from(length);
        let after = |(rating, experience): (i64, u32), moved| {
            Some((rating * 1_000 + moved, i64::from(experience) + points, 2))
        };
        assert_eq!(club.has(0).await, after(winner, won));
        assert_eq!(club.has(1).await, after(loser, lost));
    }
}

#[rstest]
#[tokio::test]
async fn a_correction_in_the_middle_rates_all_that_come_after_anew(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some(club) = Club::open(db, &["Ada", "Bea", "Cleo", "Dora"]).await else { return };
    let mut all = vec![
        club.game(1, 0, 7, 0, 1),
        club.game(2, 1, 7, 2, 3),
        club.game(3, 2, 9, 0, 2),
        club.game(4, 3, 5, 1, 3),
    ];
    for one in &all {
        club.report(&[], &[*one]).await;
    }
    club.is_as_if_made_of(&all, Experience::Before).await;
    let before = club.has(2).await;
    // Dora has won the second match after all. That changes the rating of Bea, who met her later.
    (all[1].winner, all[1].loser) = (all[1].loser, all[1].winner);
    club.report(&[], &[all[1]]).await;
    club.is_as_if_made_of(&all, Experience::Before).await;
    assert_ne!(club.has(2).await, before);
    // One match is reported late, one turns out to have been finished later, and one is undone.
    all.push(club.game(5, -10, 3, 3, 0));
    all[0].finished_at = at(9);
    let gone = all.remove(2);
    club.report(&[gone.key], &[all[0], *all.last().unwrap()]).await;
    club.is_as_if_made_of(&all, Experience::Before).await;
    // Repeating it changes nothing; without any matches nobody has a rating.
    club.report(&[gone.key], &all).await;
    club.is_as_if_made_of(&all, Experience::Before).await;
    club.report(&all.iter().map(|one| one.key).collect::<Vec<_>>(), &[]).await;
    club.is_as_if_made_of(&[], Experience::Before).await;
    assert_eq!(club.has(0).await, None);
}

#[rstest]
#[tokio::test]
async fn another_convention_rates_everything_anew_in_the_same_act(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some(club) = Club::open(db, &["Ada", "Bea", "Cleo"]).await else { return };
    let all: Vec<Rated> =
        (0..12).map(|n| club.game(n, i64::from(n), 25, n as usize % 3, (n as usize + 1) % 3)).collect();
    club.report(&[], &all).await;
    club.is_as_if_made_of(&all, Experience::Before).await;
    for counts in [Experience::Including, Experience::Before] {
        let settings = Settings { rating_experience: counts, ..Settings::default() };
        club.fixture.desk.change_settings(Request::by(club.admin), settings).await.unwrap();
        club.is_as_if_made_of(&all, counts).await;
    }
    let settings = Settings { rating_experience: Experience::Including, ..Settings::default() };
    club.fixture.desk.change_settings(Request::by(club.admin), settings).await.unwrap();
    let late = club.game(99, 99, 11, 0, 2);
    club.report(&[], &[late]).await;
    club.is_as_if_made_of(&[all, vec![late]].concat(), Experience::Including).await;
}

/// Random reports, in any order and several at a time, with corrections and undone results among them: the
/// ratings are those of the results that stand in the end.
#[rstest]
#[tokio::test]
async fn whatever_the_order_of_reports_the_ratings_are_the_same(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
    #[values(1, 2, 3, 4)] seed: u64,
) {
    let Some(club) = Club::open(db, &["Ada", "Bea", "Cleo", "Dora", "Eva"]).await else { return };
    let mut dice = Dice::seeded(seed);
    let mut stand: BTreeMap<Key, Rated> = BTreeMap::new();
    for _ in 0..60 {
        let (mut gone, mut now_rated) = (Vec::new(), Vec::new());
        for _ in 0..=dice.below(3) {
            let number = dice.below(25);
            let (winner, other) = (dice.below(5) as usize, 1 + dice.below(4) as usize);
            let length = 1 + 2 * u16::try_from(dice.below(7)).unwrap();
            // Few enough minutes that several matches finish in the same one.
            let one = club.game(number, i64::from(dice.below(12)), length, winner, (winner + other) % 5);
            if dice.below(4) == 0 {
                gone.push(one.key);
            } else {
                now_rated.push(one);
            }
        }
        club.report(&gone, &now_rated).await;
        stand.retain(|key, _| !gone.contains(key));
        stand.extend(now_rated.iter().map(|one| (one.key, *one)));
        club.is_as_if_made_of(&stand.values().copied().collect::<Vec<_>>(), Experience::Before).await;
    }
}

/// Of two instances that rate at the same time one waits for the other.
#[tokio::test]
async fn two_reports_at_once_are_rated_one_after_the_other() {
    let Some(club) = Club::open(Db::Postgres, &["Ada", "Bea", "Cleo"]).await else { return };
    let other = club.fixture.another_instance();
    let mut all = Vec::new();
    for round in 0..10_u32 {
        let minute = i64::from(round);
        let pair = [club.game(2 * round, minute, 7, 0, 1), club.game(2 * round + 1, minute, 7, 0, 2)];
        let [one, two] = pair;
        let reports = (
            act(&club.fixture.desk, club.admin, move |unit| rate(unit, &[], &[one])),
            act(&other, club.admin, move |unit| rate(unit, &[], &[two])),
        );
        tokio::join!(reports.0, reports.1);
        all.extend(pair);
    }
    club.is_as_if_made_of(&all, Experience::Before).await;
}

#[rstest]
#[tokio::test]
async fn the_best_come_first_and_a_history_begins_with_the_newest(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some(club) = Club::open(db, &["Ada", "Bea", "Cleo"]).await else { return };
    let all = [club.game(1, 0, 7, 0, 1), club.game(2, 1, 7, 0, 2), club.game(3, 1, 7, 1, 2)];
    club.report(&[], &all).await;
    let (desk, admin) = (&club.fixture.desk, &club.admin);
    let best = desk.ratings(admin, None, 10).await.unwrap();
    let ranked: Vec<PlayerId> = best.iter().map(|one| one.player).collect();
    assert_eq!(ranked, [club.players[0], club.players[1], club.players[2]]);
    let mut paged = Vec::new();
    let mut after = None;
    while let Some(one) = desk.ratings(admin, after, 1).await.unwrap().first() {
        after = Some((one.rating.0, one.player));
        paged.push(*one);
    }
    assert_eq!(paged, best);

    let cleo = club.players[2];
    let history = desk.rated_matches(admin, cleo, None, 10).await.unwrap();
    let places: Vec<_> = history.iter().map(|one| one.place).collect();
    assert_eq!(places, [all[2].place(), all[1].place()]);
    let older = desk.rated_matches(admin, cleo, Some(all[2].place()), 10).await.unwrap();
    assert_eq!(older, history[1..]);
    let [newest, first] = &*history else { panic!("{history:?}") };
    assert!(first.rating < Rating::START && !first.won && !newest.won);
    assert_eq!(
        (first.change.0, newest.change.0),
        (first.rating.0 - Rating::START.0, newest.rating.0 - first.rating.0)
    );
    assert_eq!([first.opponent, newest.opponent], [club.players[0], club.players[1]]);
}
