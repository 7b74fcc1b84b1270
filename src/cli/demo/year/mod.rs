//! `owlbox demo --year`: a whole year of a club, made from a seed.
//!
//! The year is the twelve full months before this one, so that its months can be closed. Everything happens
//! on its day and through the desk's ordinary commands. The same seed gives the same people, nights, results
//! and payments, and with them the same balances; only ids differ.

mod free_play;
mod lots;
mod nights;
mod tournaments;
mod treasurer;

use chrono::{Months, NaiveDate};

use super::DemoError;
use super::clock::DemoClock;
use super::population::{self, Staff};
use nights::Nights;
use owlbox_base::values::{InvalidValue, Timestamp};
use owlbox_books::club::players::PlayerDetails;
use owlbox_books::club::seasons::{Season, SeasonRule, Ties};
use owlbox_books::club::settings::Settings;
use owlbox_books::daybook::Month;
use owlbox_desk::{Dependencies, Desk, Dice, Refused};
use owlbox_store::Store;
use tournaments::Tournaments;
use treasurer::Treasurer;

/// What a year is made of.
#[derive(Clone, Copy, Debug)]
pub struct Year {
    /// Decides everything that is left to chance.
    pub seed: u64,
    /// How many people the club has, 24 to 200.
    pub players: usize,
    /// How many nights it plays.
    pub nights: usize,
    /// How many tournaments it holds.
    pub tournaments: usize,
}

impl Year {
    /// A large club's year.
    #[must_use]
    pub const fn whole(seed: u64) -> Self {
        Self { seed, players: 200, nights: 150, tournaments: 60 }
    }
}

/// The first and the last day of the twelve full months before `now`.
fn days(now: Timestamp) -> [NaiveDate; 2] {
    let this_month = Month::of(now.utc().date_naive());
    let first = this_month.first_day();
    [first.checked_sub_months(Months::new(12)).unwrap_or(first), this_month.previous().last_day()]
}

/// Fills a database without an admin with the year before `now`. After each day it tells how
/// many are over, of how many.
///
/// # Errors
/// The club has an admin already, the database failed, or the desk refused what the year needs.
pub async fn fill(
    store: Store,
    now: Timestamp,
    year: &Year,
    tell: impl Fn(usize, usize),
) -> Result<(), DemoError> {
    let clock = DemoClock::at(now);
    let desk = Desk::new(Dependencies {
        clock: Box::new(clock.clone()),
        dice: Dice::seeded(year.seed),
        ..Dependencies::with_store(store)
    });
    let [first, last] = days(now);
    clock.set(at(first, 9));
    let (players, staff) =
        population::opened_club(&desk, settings([first, last])?, people(year.players)?).await?;
    let Staff { scorer, director, .. } = staff;
    let mut nights = Nights::new((&desk, &clock), [scorer, director], &players, year.seed);
    let mut tournaments = Tournaments::new((&desk, &clock), director, &players, year.seed);
    let mut treasurer = Treasurer::new((&desk, &clock), &staff, &players, year.seed);
    treasurer.takes_over().await?;
    let length = usize::try_from((last - first).num_days() + 1).unwrap_or(1);
    for (passed, day) in first.iter_days().take(length).enumerate() {
        // As many of each as are due by the end of this day.
        let due = |all: usize| (all * passed / length)..(all * (passed + 1) / length);
        clock.not_before(at(day, 9));
        treasurer.morning(day, passed).await?;
        for number in due(year.tournaments) {
            clock.not_before(at(day, 12));
            tournaments.event(number).await?;
        }
        for number in due(year.nights) {
            clock.not_before(at(day, 18));
            nights.night(number, day).await?;
        }
        tell(passed + 1, length);
    }
    Ok(())
}

/// That hour, in UTC, of a day.
fn at(day: NaiveDate, hour: u32) -> Timestamp {
    day.and_hms_opt(hour, 0, 0).unwrap_or_default().and_utc().into()
}

/// The demonstration's settings, with a limit for adjustments and two seasons, each with a rule of its own.
fn settings([first, last]: [NaiveDate; 2]) -> Result<Settings, DemoError> {
    let spring = first.checked_add_months(Months::new(6)).unwrap_or(last);
    let half = |name: &str, from, until| -> Result<SeasonRule, InvalidValue> {
        Ok(SeasonRule {
            name: name.parse()?,
            from,
            until,
            coming: 1,
            places: vec![10, 8, 6, 4, 2, 1],
            ties: Ties::Average,
            points_won: false,
            best_nights: None,
            least_nights: 0,
            guests: false,
        })
    };
    let before = spring.pred_opt().unwrap_or(spring);
    let seasons: Vec<Season> = vec![
        SeasonRule { best_nights: Some(5), least_nights: 2, ..half("Second half", spring, last)? }
            .try_into()?,
        SeasonRule { points_won: true, ties: Ties::Best, guests: true, ..half("First half", first, before)? }
            .try_into()?,
    ];
    Ok(Settings {
        currencies: vec!["EUR".parse()?, "CHF".parse()?].try_into()?,
        adjustment_limit: Some(2_000.try_into()?),
        seasons: seasons.try_into()?,
        ..population::settings()?
    })
}

const GIVEN: [&str; 20] = [
    "Ada", "Bruno", "Chiara", "Dino", "Elena", "Fabio", "Giulia", "Henri", "Ingrid", "Jonas", "Kemal",
    "Lucía", "Marco", "Nora", "Oskar", "Paola", "Quentin", "Rosa", "Sören", "Tilde",
];
const FAMILY: [&str; 10] =
    ["Conti", "Ferri", "Greco", "Keller", "Lombardi", "Moreau", "Neri", "Ortega", "Vogel", "Weiss"];

/// People whose names differ.
fn people(many: usize) -> Result<Vec<PlayerDetails>, DemoError> {
    let pairs = FAMILY.iter().flat_map(|family| GIVEN.iter().map(move |given| format!("{given} {family}")));
    let people: Vec<_> = pairs
        .take(many)
        .map(|name| Ok(PlayerDetails::named(name.parse()?)))
        .collect::<Result<_, InvalidValue>>()?;
    Ok(people)
}

/// What came of something that the rules may refuse: nothing then.
fn unless_refused<T>(answer: Result<T, DemoError>) -> Result<Option<T>, DemoError> {
    match answer {
        Ok(done) => Ok(Some(done)),
        Err(DemoError::Club(Refused::Rule(_))) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::BTreeMap;

    use super::*;
    use owlbox_desk::verify::verify;
    use owlbox_desk::{Clock as _, SystemClock};
    use owlbox_store::{DatabaseUrl, Options, books, players};

    /// The balances of a small year's players, by name and unit.
    async fn balances(seed: u64) -> BTreeMap<(String, String), i64> {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("year.db"));
        let options = Options { throwaway: true, ..Options::default() };
        let year = Year { seed, players: 30, nights: 14, tournaments: 6 };
        let told = Cell::new((0, 0));
        let tell = |days, all| told.set((days, all));
        fill(Store::open(&url, &options).unwrap(), SystemClock.now(), &year, tell).await.unwrap();
        assert!(told.get().0 >= 365 && told.get().0 == told.get().1, "{told:?}");
        let mut connection = Store::open_for_reading(&url).unwrap();
        verify(&mut connection).unwrap();
        let names: BTreeMap<_, _> =
            players::all(&mut connection).unwrap().into_iter().map(|row| (row.id.0, row.name)).collect();
        let balances = books::all_balances(&mut connection).unwrap().into_iter();
        balances.filter_map(|one| Some(((names.get(&one.holder.0)?.clone(), one.unit), one.amount))).collect()
    }

    #[tokio::test]
    async fn the_same_seed_makes_the_same_year() {
        let year = balances(3).await;
        assert!(year.len() > 40, "{year:?}");
        assert_eq!(year, balances(3).await);
        assert_ne!(year, balances(4).await);
    }

    #[test]
    fn the_year_is_the_twelve_full_months_before_now() {
        let now: Timestamp = "2026-03-17T10:00:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap().into();
        assert_eq!(days(now).map(|day| day.to_string()), ["2025-03-01", "2026-02-28"]);
    }
}
