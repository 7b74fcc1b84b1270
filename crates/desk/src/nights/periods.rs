//! A year, a month or a night of the club: who came, who won and lost, how the games ended.
//!
//! Only chouettes are counted. What this reads does not grow with the number of games: of tables and seats a
//! row each, and of games the club's tallies - of a whole year those of the year, of a month or a night those
//! of its days.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;

use crate::nights::statistics::club_summary;
use crate::people::players::called;
use crate::{Actor, Desk, Refused};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId};
use owlbox_books::statistics::{
    Attendance, ClubSpan, Kind, MoneyWon, Month, NightScores, NightTable, Summary, attendance, nights,
};
use owlbox_store::chouettes::{self, ChouetteRow};
use owlbox_store::players;
use owlbox_store::statistics::Filter;
use owlbox_store::{AnyConnection, StoreError};

/// The nights of a period, and their games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClubPeriod {
    /// The first day of the period.
    pub from: NaiveDate,
    /// The last day of the period.
    pub until: NaiveDate,
    pub averages: NightAverages,
    /// Every night with a finished game, the earliest first.
    pub nights: Vec<ClubNight>,
    /// Everybody who came, those who won most first.
    pub players: Vec<PlayerNights>,
    /// The games of the period's chouettes, each counted once, from the side that won it.
    pub games: Summary,
}

/// Averages over a period, in hundredths; null where there is nothing to average.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NightAverages {
    /// Games a night.
    pub games_hundredths: Option<i64>,
    /// Players a night.
    pub players_hundredths: Option<i64>,
    /// Half points that changed hands in a game.
    pub half_points_hundredths: Option<i64>,
    /// Minutes a night lasted; of the nights whose length is known.
    pub minutes_hundredths: Option<i64>,
    /// Deprecated: the same as `games_hundredths`.
    pub games: Option<i64>,
    /// Deprecated: the same as `players_hundredths`.
    pub players: Option<i64>,
    /// Deprecated: the same as `half_points_hundredths`.
    pub half_points: Option<i64>,
    /// Deprecated: the same as `minutes_hundredths`.
    pub minutes: Option<i64>,
}

impl NightAverages {
    /// Those of games, players, half points and minutes, in hundredths.
    #[must_use]
    pub const fn new([games, players, half_points, minutes]: [Option<i64>; 4]) -> Self {
        Self {
            games_hundredths: games,
            players_hundredths: players,
            half_points_hundredths: half_points,
            minutes_hundredths: minutes,
            games,
            players,
            half_points,
            minutes,
        }
    }
}

/// A night of the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClubNight {
    /// The night, by the day on which it began.
    pub night: NaiveDate,
    /// Tables at which a game was finished.
    pub tables: usize,
    /// The games finished.
    pub games: i64,
    /// How many came: everybody with a seat at one of these tables.
    pub players: usize,
    /// What the winners of the night won together.
    pub half_points: i64,
    /// From the opening of the first table to the closing of the last; null while one is open, and if one was
    /// left open for a day.
    pub minutes: Option<i64>,
}

/// A player's nights in a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerNights {
    pub player: PlayerId,
    /// The player's name.
    pub name: String,
    /// A guest rather than a member.
    pub guest: bool,
    /// How many nights they came.
    pub nights: usize,
    /// The nights they ended with more than they began.
    pub ahead: usize,
    /// The nights they ended with less.
    pub behind: usize,
    /// What they won, less what they lost.
    pub half_points: i64,
    /// What that was worth at tables with a stake, by currency; null unless the caller may see everybody's
    /// ledger.
    pub money: Option<Vec<MoneyWon>>,
}

/// A year, a month or a night as a page shows it.
#[derive(Clone, Debug)]
pub struct ClubPeriodScreen {
    pub period: ClubPeriod,
    /// The nearest spans of the same length before and after it in which the club has played.
    pub neighbours: [Option<ClubSpan>; 2],
    /// The tables of the period with finished games: id, name and number of games.
    pub tables: Vec<(ChouetteId, String, i32)>,
}

impl Desk {
    /// The nights of a year, of a month, or one alone.
    ///
    /// # Errors
    /// The caller may not see players or standings.
    pub async fn club_period(&self, actor: &Actor, span: ClubSpan) -> Result<ClubPeriodScreen, Refused> {
        let rights = self.rights(Some(actor)).await?;
        rights.require(Permission::ViewPlayers)?;
        rights.require(Permission::ViewStandings)?;
        let sees_money = rights.may(Permission::ViewAnyLedger);
        let read = self.snapshot(move |connection| {
            let (from, until) = (span.first_day(), span.last_day());
            let rows = chouettes::with_games_between(connection, from, until)?;
            let kind = Some(Kind::Chouette);
            let filter = Filter { kind, from: Some(from), until: Some(until), ..Filter::default() };
            Ok(Read {
                tables: night_tables(connection, &rows, from, until)?,
                games: club_summary(connection, filter)?,
                guests: players::guests(connection)?,
                beside: chouettes::nights_beside(connection, from, until)?,
                rows,
            })
        });
        let Read { rows, tables, games, guests, beside } = read.await?;
        let came = attendance(&tables);
        let names = self.distinct_names(came.keys().copied().collect()).await?;
        let nights = nights(&tables);
        let period = ClubPeriod {
            from: span.first_day(),
            until: span.last_day(),
            averages: averages(&nights, &games),
            nights: nights.iter().map(ClubNight::from).collect(),
            players: players_of(came, &names, &guests, sees_money),
            games,
        };
        let (before, after) = beside;
        Ok(ClubPeriodScreen {
            period,
            neighbours: [before, after].map(|night| night.map(|night| span.around(night))),
            tables: rows.into_iter().map(|row| (row.id.into(), row.name, row.games)).collect(),
        })
    }
}

/// What is read of a period, at one moment.
struct Read {
    rows: Vec<ChouetteRow>,
    tables: Vec<NightTable>,
    games: Summary,
    guests: BTreeSet<PlayerId>,
    beside: (Option<NaiveDate>, Option<NaiveDate>),
}

/// Everybody who came, those who won most first, then by name.
fn players_of(
    came: BTreeMap<PlayerId, Attendance>,
    names: &BTreeMap<PlayerId, String>,
    guests: &BTreeSet<PlayerId>,
    sees_money: bool,
) -> Vec<PlayerNights> {
    let line = |(player, one): (PlayerId, Attendance)| PlayerNights {
        player,
        name: called(names, player),
        guest: guests.contains(&player),
        nights: one.nights,
        ahead: one.ahead,
        behind: one.behind,
        half_points: one.score.0,
        money: sees_money
            .then(|| one.money.into_iter().map(|(currency, amount)| MoneyWon { currency, amount }).collect()),
    };
    let mut players: Vec<PlayerNights> = came.into_iter().map(line).collect();
    players.sort_by_key(|one| (Reverse(one.half_points), one.name.clone()));
    players
}

/// The tables of a period as the domain counts them.
pub(crate) fn night_tables(
    connection: &mut AnyConnection,
    rows: &[ChouetteRow],
    from: NaiveDate,
    until: NaiveDate,
) -> Result<Vec<NightTable>, StoreError> {
    let mut seats: BTreeMap<ChouetteId, Vec<(PlayerId, HalfPoints)>> = BTreeMap::new();
    for seat in chouettes::seats_between(connection, from, until)? {
        seats.entry(seat.chouette.into()).or_default().push((seat.player.into(), HalfPoints(seat.score)));
    }
    let mut table = |row: &ChouetteRow| NightTable {
        night: row.night,
        games: row.games.into(),
        stake: row.stake(),
        opened_at: row.opened_at.into(),
        closed_at: row.closed_at.map(Into::into),
        seats: seats.remove(&row.id.into()).unwrap_or_default(),
    };
    Ok(rows.iter().map(&mut table).collect())
}

impl From<&NightScores> for ClubNight {
    fn from(night: &NightScores) -> Self {
        Self {
            night: night.night,
            tables: night.tables,
            games: night.games,
            players: night.scores.len(),
            half_points: night.changed_hands().0,
            minutes: night.length.map(|length| length.num_minutes()),
        }
    }
}

fn averages(nights: &[NightScores], games: &Summary) -> NightAverages {
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let each = |sum: i64, of: i64| sum.saturating_mul(100).checked_div(of);
    let players = nights.iter().map(|night| count(night.scores.len())).sum();
    let lengths: Vec<i64> =
        nights.iter().filter_map(|night| night.length).map(|length| length.num_minutes()).collect();
    NightAverages::new([
        each(nights.iter().map(|night| night.games).sum(), count(nights.len())),
        each(players, count(nights.len())),
        each(games.total.half_points, games.total.games),
        each(lengths.iter().sum(), count(lengths.len())),
    ])
}

/// The nights of a month of a year, together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MonthOfNights {
    pub nights: usize,
    pub games: i64,
    /// Everybody who came, counted once a night.
    pub players: usize,
    pub half_points: i64,
}

impl ClubPeriod {
    /// The months of the period that have a night.
    #[must_use]
    pub fn months(&self) -> BTreeMap<Month, MonthOfNights> {
        let mut months: BTreeMap<Month, MonthOfNights> = BTreeMap::new();
        for night in &self.nights {
            let month = months.entry(night.night.into()).or_default();
            month.nights += 1;
            month.games += night.games;
            month.players += night.players;
            month.half_points += night.half_points;
        }
        months
    }
}
