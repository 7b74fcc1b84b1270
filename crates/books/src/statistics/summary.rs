//! Summaries of tallies: in total, and by everything that tells games apart.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{Datelike as _, NaiveDate};
use serde::{Serialize, Serializer};

use super::{Began, Count, Ending, Kind, Manner, Outcome, Role};
use owlbox_base::values::PlayerId;
use owlbox_engine::Variant;

/// The record of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Record {
    /// How many games.
    pub games: i64,
    /// Games won; for the club, every game that somebody won.
    pub won: i64,
    /// Games lost; for the club always 0.
    pub lost: i64,
    /// Games neither won nor lost.
    pub drawn: i64,
    /// The share of games won, in hundredths of a per cent, rounded: 3333 is 33.33 per cent. 0 without games.
    pub won_share: i64,
    /// The share of games lost.
    pub lost_share: i64,
    /// The share of games drawn.
    pub drawn_share: i64,
    /// Net win in half points, from chouettes and money sessions; for the club, the amount that changed
    /// hands.
    pub half_points: i64,
}

impl Record {
    /// Adds `count` games with this result.
    pub const fn add(&mut self, result: Outcome, count: Count) {
        self.games += count.games;
        match result {
            Outcome::Won => self.won += count.games,
            Outcome::Lost => self.lost += count.games,
            Outcome::Drawn => self.drawn += count.games,
        }
        self.half_points += count.half_points;
        self.won_share = self.share(self.won);
        self.lost_share = self.share(self.lost);
        self.drawn_share = self.share(self.drawn);
    }

    /// How many of a thousand of all these games they are.
    #[must_use]
    pub fn part_of(&self, all: &Self) -> i64 {
        (self.games * 1000).checked_div(all.games).unwrap_or(0)
    }

    /// The share of so many of these games, in hundredths of a per cent, rounded. 0 without games.
    #[must_use]
    pub const fn share(&self, games: i64) -> i64 {
        if self.games == 0 { 0 } else { (games * 20_000 + self.games) / (2 * self.games) }
    }
}

/// The record of the games that have one value in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Group<T> {
    /// The value that the games have in common.
    pub value: T,
    #[serde(flatten)]
    pub record: Record,
}

/// How many games were played in one manner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MannerCount {
    pub manner: Manner,
    pub count: Count,
}

/// How many of the games with one value in common had this result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultCount<T> {
    /// The value that the games have in common.
    pub value: T,
    pub result: Outcome,
    pub count: Count,
}

/// A month of a year, shown as `2026-11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    pub year: i32,
    pub month: u32,
}

impl From<NaiveDate> for Month {
    fn from(day: NaiveDate) -> Self {
        Self { year: day.year(), month: day.month() }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl Serialize for Month {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Month {
    /// The number of months since January of the year 0.
    #[must_use]
    pub fn number(self) -> i64 {
        i64::from(self.year) * 12 + i64::from(self.month) - 1
    }
}

/// The record of some games, in total and by everything that tells them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GameSummary))]
pub struct Summary {
    pub total: Record,
    /// By kind of event: chouette, match, money session or tournament.
    pub by_kind: Vec<Group<Kind>>,
    /// By the variant that was played.
    pub by_variant: Vec<Group<Variant>>,
    /// By which side began, seen from the player's.
    pub by_began: Vec<Group<Began>>,
    /// By the player's role; for the club, by the winners'.
    pub by_role: Vec<Group<Role>>,
    /// By the way the game ended for the player.
    pub by_ending: Vec<Group<Ending>>,
    /// By the value of the cube at the end; without games where it is not recorded.
    pub by_cube: Vec<Group<u32>>,
    /// By month, earliest first.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Group<String>>))]
    pub by_month: Vec<Group<Month>>,
    /// By opponent, the one with most games first; in a chouette, those with whom the player had bets. Empty
    /// for the club.
    pub by_opponent: Vec<Group<PlayerId>>,
}

impl Summary {
    /// Summarises games given by manner, and the same games given by month. Opponents are left empty: see
    /// [`with_opponents`](Self::with_opponents).
    #[must_use]
    pub fn new(games: &[MannerCount], by_month: &[ResultCount<Month>]) -> Self {
        let mut total = Record::default();
        for MannerCount { manner, count } in games {
            total.add(manner.result, *count);
        }
        Self {
            total,
            by_kind: by(games, |manner| Some(manner.kind)),
            by_variant: by(games, |manner| Some(manner.variant)),
            by_began: by(games, |manner| Some(manner.began)),
            by_role: by(games, |manner| Some(manner.role)),
            by_ending: by(games, |manner| Some(manner.ending)),
            by_cube: by(games, |manner| Some(manner.cube).filter(|cube| *cube > 0)),
            by_month: grouped(by_month.iter().copied()),
            by_opponent: Vec::new(),
        }
    }

    /// The same summary with the records against these opponents.
    #[must_use]
    pub fn with_opponents(self, opponents: &[ResultCount<PlayerId>]) -> Self {
        let mut by_opponent = grouped(opponents.iter().copied());
        by_opponent.sort_by_key(|group| std::cmp::Reverse(group.record.games));
        Self { by_opponent, ..self }
    }
}

fn by<T: Ord>(games: &[MannerCount], what: impl Fn(&Manner) -> Option<T>) -> Vec<Group<T>> {
    grouped(games.iter().filter_map(|MannerCount { manner, count }| {
        Some(ResultCount { value: what(manner)?, result: manner.result, count: *count })
    }))
}

/// Groups by value, in the order of the values.
fn grouped<T: Ord>(games: impl Iterator<Item = ResultCount<T>>) -> Vec<Group<T>> {
    let mut records: BTreeMap<T, Record> = BTreeMap::new();
    for ResultCount { value, result, count } in games {
        records.entry(value).or_default().add(result, count);
    }
    records.into_iter().map(|(value, record)| Group { value, record }).collect()
}
