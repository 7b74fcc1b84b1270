//! The nights of a club: when they were, who came, and what everybody had in the end.
//!
//! A night is a day with a chouette at which a game was finished. A player came to it if they have, or had, a
//! seat at such a table. Their score is that of all tables of the night together.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate, TimeDelta};
use serde::Serialize;

use super::Month;
use owlbox_base::values::{Currency, HalfPoints, PlayerId, Stake, Timestamp, is_in_calendar};

/// A year, a month or a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClubSpan {
    Year(i32),
    Month(Month),
    Night(NaiveDate),
}

impl ClubSpan {
    /// `None` for a year outside the calendar.
    #[must_use]
    pub fn year(year: i32) -> Option<Self> {
        is_in_calendar(NaiveDate::from_ymd_opt(year, 1, 1)?).then_some(Self::Year(year))
    }

    /// `None` if there is no such month, or its year is outside the calendar.
    #[must_use]
    pub fn month(year: i32, month: u32) -> Option<Self> {
        is_in_calendar(NaiveDate::from_ymd_opt(year, month, 1)?).then_some(Self::Month(Month { year, month }))
    }

    /// The span of the same length with this day in it.
    #[must_use]
    pub fn around(self, day: NaiveDate) -> Self {
        match self {
            Self::Year(_) => Self::Year(day.year()),
            Self::Month(_) => Self::Month(day.into()),
            Self::Night(_) => Self::Night(day),
        }
    }

    #[must_use]
    pub fn first_day(self) -> NaiveDate {
        let (year, month) = match self {
            Self::Year(year) => (year, 1),
            Self::Month(Month { year, month }) => (year, month),
            Self::Night(day) => return day,
        };
        NaiveDate::from_ymd_opt(year, month, 1).unwrap_or_default()
    }

    #[must_use]
    pub fn last_day(self) -> NaiveDate {
        let (year, month) = match self {
            Self::Year(year) => (year + 1, 1),
            Self::Month(Month { year, month: 12 }) => (year + 1, 1),
            Self::Month(Month { year, month }) => (year, month + 1),
            Self::Night(day) => return day,
        };
        let next = NaiveDate::from_ymd_opt(year, month, 1);
        next.and_then(|next| next.pred_opt()).unwrap_or_default()
    }
}

/// A chouette with finished games, as far as nights are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NightTable {
    pub night: NaiveDate,
    pub games: i64,
    pub stake: Option<Stake>,
    pub opened_at: Timestamp,
    /// `None` while it is open.
    pub closed_at: Option<Timestamp>,
    /// Everybody who has had a seat, with their score from finished games.
    pub seats: Vec<(PlayerId, HalfPoints)>,
}

/// A night, and what everybody had at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NightScores {
    pub night: NaiveDate,
    pub tables: usize,
    pub games: i64,
    /// From the opening of the first table to the closing of the last; `None` while one is open, and if one
    /// was forgotten for a day.
    pub length: Option<TimeDelta>,
    pub scores: BTreeMap<PlayerId, HalfPoints>,
}

/// The nights of these tables, the earliest first.
#[must_use]
pub fn nights(tables: &[NightTable]) -> Vec<NightScores> {
    let mut nights: BTreeMap<NaiveDate, Vec<&NightTable>> = BTreeMap::new();
    for table in tables.iter().filter(|table| table.games > 0) {
        nights.entry(table.night).or_default().push(table);
    }
    let night = |(night, tables): (NaiveDate, Vec<&NightTable>)| {
        let mut scores: BTreeMap<PlayerId, HalfPoints> = BTreeMap::new();
        for (player, score) in tables.iter().flat_map(|table| &table.seats) {
            *scores.entry(*player).or_default() += *score;
        }
        NightScores {
            night,
            tables: tables.len(),
            games: tables.iter().map(|table| table.games).sum(),
            length: length(&tables),
            scores,
        }
    };
    nights.into_iter().map(night).collect()
}

fn length(tables: &[&NightTable]) -> Option<TimeDelta> {
    let opened = tables.iter().map(|table| table.opened_at).min()?;
    let closed = tables.iter().map(|table| table.closed_at).collect::<Option<Vec<_>>>()?;
    let length = closed.into_iter().max()?.utc() - opened.utc();
    Some(length).filter(|length| *length < TimeDelta::days(1))
}

impl NightScores {
    /// What the winners of the night won together.
    #[must_use]
    pub fn changed_hands(&self) -> HalfPoints {
        self.scores.values().copied().filter(|score| *score > HalfPoints::ZERO).sum()
    }
}

/// What a player has won or lost in a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoneyWon {
    pub currency: Currency,
    /// In minor units.
    pub amount: i64,
}

/// A player's nights in a period.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attendance {
    /// The nights they came.
    pub nights: usize,
    /// The nights they ended with more than they began.
    pub ahead: usize,
    /// The nights they ended with less.
    pub behind: usize,
    pub score: HalfPoints,
    /// What that score was worth at tables with a stake, by currency.
    pub money: BTreeMap<Currency, i64>,
}

/// Everybody who came, with their nights.
#[must_use]
pub fn attendance(tables: &[NightTable]) -> BTreeMap<PlayerId, Attendance> {
    let mut players: BTreeMap<PlayerId, Attendance> = BTreeMap::new();
    for (player, score) in nights(tables).iter().flat_map(|night| &night.scores) {
        let one = players.entry(*player).or_default();
        one.nights += 1;
        one.score += *score;
        match score.cmp(&HalfPoints::ZERO) {
            Ordering::Greater => one.ahead += 1,
            Ordering::Equal => {}
            Ordering::Less => one.behind += 1,
        }
    }
    for table in tables.iter().filter(|table| table.games > 0) {
        let Some(stake) = table.stake else { continue };
        for (player, score) in &table.seats {
            // House rules with halves keep a table from stakes that a score could split.
            let worth = stake.worth(*score).map_or(0, |worth| worth.0);
            let money = &mut players.entry(*player).or_default().money;
            *money.entry(stake.currency).or_default() += worth;
        }
    }
    players
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn table(night: &str, games: i64, times: [&str; 2], seats: &[(u128, i64)]) -> NightTable {
        let at = |time: &str| format!("{night}T{time}:00Z").parse::<chrono::DateTime<chrono::Utc>>().ok();
        NightTable {
            night: night.parse().unwrap(),
            games,
            stake: None,
            opened_at: at(times[0]).unwrap().into(),
            closed_at: at(times[1]).map(Into::into),
            seats: seats.iter().map(|(number, score)| (player(*number), HalfPoints(*score))).collect(),
        }
    }

    fn evening() -> Vec<NightTable> {
        let stake = |amount: i64, code: &str| {
            Some(Stake { amount: amount.try_into().unwrap(), currency: code.parse().unwrap() })
        };
        vec![
            NightTable {
                stake: stake(500, "EUR"),
                ..table("2026-11-20", 4, ["19:00", "22:00"], &[(1, 6), (2, -6), (3, 0)])
            },
            NightTable {
                stake: stake(100, "CHF"),
                ..table("2026-11-20", 3, ["19:30", "23:15"], &[(1, -8), (4, 8)])
            },
            table("2026-11-20", 0, ["18:00", "18:05"], &[(5, 0)]),
            table("2026-11-27", 2, ["20:00", ""], &[(1, 1), (2, -1)]),
        ]
    }

    #[test]
    fn a_night_is_all_its_tables_together() {
        let nights = nights(&evening());
        let told: Vec<_> = nights
            .iter()
            .map(|night| {
                let minutes = night.length.map(|length| length.num_minutes());
                (night.night.to_string(), night.tables, night.games, minutes, night.changed_hands().0)
            })
            .collect();
        assert_eq!(
            told,
            [("2026-11-20".to_owned(), 2, 7, Some(255), 8), ("2026-11-27".to_owned(), 1, 2, None, 1)]
        );
        let first: Vec<_> =
            nights[0].scores.iter().map(|(player, score)| (player.0.as_u128(), score.0)).collect();
        assert_eq!(first, [(1, -2), (2, -6), (3, 0), (4, 8)], "nobody came to a table without games");
    }

    #[test]
    fn who_came_how_often_and_what_they_won() {
        let told: Vec<_> = attendance(&evening())
            .into_iter()
            .map(|(player, one)| {
                let money: Vec<_> = one.money.iter().map(|(code, won)| (code.to_string(), *won)).collect();
                (player.0.as_u128(), [one.nights, one.ahead, one.behind], one.score.0, money)
            })
            .collect();
        let money = |code: &str, won: i64| (code.to_owned(), won);
        assert_eq!(
            told,
            [
                (1, [2, 1, 1], -1, vec![money("CHF", -400), money("EUR", 1500)]),
                (2, [2, 0, 2], -7, vec![money("EUR", -1500)]),
                (3, [1, 0, 0], 0, vec![money("EUR", 0)]),
                (4, [1, 1, 0], 8, vec![money("CHF", 400)]),
            ]
        );
    }

    #[test]
    fn a_night_that_was_forgotten_for_a_day_has_no_length() {
        let mut forgotten = table("2026-11-20", 1, ["19:00", "22:00"], &[]);
        forgotten.closed_at = forgotten.closed_at.map(|at| (at.utc() + TimeDelta::days(3)).into());
        assert_eq!(nights(&[forgotten])[0].length, None);
    }

    #[test]
    fn a_span_has_its_days() {
        let days = |span: Option<ClubSpan>| {
            span.map(|span| [span.first_day(), span.last_day()].map(|day| day.to_string()))
        };
        let told = |first: &str, last: &str| Some([first.to_owned(), last.to_owned()]);
        assert_eq!(days(ClubSpan::year(2026)), told("2026-01-01", "2026-12-31"));
        assert_eq!(days(ClubSpan::month(2026, 12)), told("2026-12-01", "2026-12-31"));
        assert_eq!(days(ClubSpan::month(2028, 2)), told("2028-02-01", "2028-02-29"));
        for nothing in
            [ClubSpan::year(1899), ClubSpan::year(2201), ClubSpan::month(2026, 13), ClubSpan::month(2026, 0)]
        {
            assert_eq!(nothing, None);
        }
    }
}
