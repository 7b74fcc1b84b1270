//! What tallies come to: in all, and by each thing that tells games apart.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{Datelike as _, NaiveDate};
use serde::{Serialize, Serializer};

use super::{Began, Count, Ending, Kind, Manner, Outcome, Role};
use crate::values::PlayerId;
use owlbox_engine::Variant;

/// What some games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Record {
    /// How many.
    pub games: i64,
    /// Won; of the club all that somebody won.
    pub won: i64,
    /// Lost; of the club none.
    pub lost: i64,
    /// Neither.
    pub drawn: i64,
    /// Won by them in all, in half points, by chouettes and money sessions; of the club what changed hands.
    pub half_points: i64,
}

impl Record {
    /// Adds games that were this.
    pub const fn add(&mut self, result: Outcome, count: Count) {
        self.games += count.games;
        match result {
            Outcome::Won => self.won += count.games,
            Outcome::Lost => self.lost += count.games,
            Outcome::Drawn => self.drawn += count.games,
        }
        self.half_points += count.half_points;
    }
}

/// What the games came to that have one thing in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Group<T> {
    /// What.
    pub value: T,
    /// Their record.
    #[serde(flatten)]
    pub record: Record,
}

/// A month of a year, told as `2026-11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    pub year: i32,
    /// 1 to 12.
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
    /// How many months it comes after January of the year 0.
    #[must_use]
    pub fn number(self) -> i64 {
        i64::from(self.year) * 12 + i64::from(self.month) - 1
    }
}

/// What games came to, in all and by each thing that tells them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GameSummary))]
pub struct Summary {
    /// All of them.
    pub total: Record,
    /// By what they were played at.
    pub by_kind: Vec<Group<Kind>>,
    /// By variant.
    pub by_variant: Vec<Group<Variant>>,
    /// By who began.
    pub by_began: Vec<Group<Began>>,
    /// By what the player sat there as; of the club, what the winners did.
    pub by_role: Vec<Group<Role>>,
    /// By how they ended.
    pub by_ending: Vec<Group<Ending>>,
    /// By what the cube stood at in the end.
    pub by_cube: Vec<Group<u32>>,
    /// By month, the first first.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Group<String>>))]
    pub by_month: Vec<Group<Month>>,
    /// By opponent, with whom most were played first; of a chouette those with whom the player had bets. Of the club none.
    pub by_opponent: Vec<Group<PlayerId>>,
}

impl Summary {
    /// What these games come to, told by what they were like, and the same games told by month; opponents are another question.
    #[must_use]
    pub fn new(games: &[(Manner, Count)], by_month: &[(Month, Outcome, Count)]) -> Self {
        let mut total = Record::default();
        for (manner, count) in games {
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

    /// The same, with these opponents.
    #[must_use]
    pub fn with_opponents(self, opponents: &[(PlayerId, Outcome, Count)]) -> Self {
        let mut by_opponent = grouped(opponents.iter().copied());
        by_opponent.sort_by_key(|group| std::cmp::Reverse(group.record.games));
        Self { by_opponent, ..self }
    }
}

fn by<K: Ord>(games: &[(Manner, Count)], what: impl Fn(&Manner) -> Option<K>) -> Vec<Group<K>> {
    grouped(games.iter().filter_map(|(manner, count)| Some((what(manner)?, manner.result, *count))))
}

/// What has one thing in common, in the order of that.
fn grouped<K: Ord>(games: impl Iterator<Item = (K, Outcome, Count)>) -> Vec<Group<K>> {
    let mut records: BTreeMap<K, Record> = BTreeMap::new();
    for (value, result, count) in games {
        records.entry(value).or_default().add(result, count);
    }
    records.into_iter().map(|(value, record)| Group { value, record }).collect()
}
