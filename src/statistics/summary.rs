//! What tallies come to: in all, and by each thing that tells games apart.

use std::collections::BTreeMap;

use chrono::Datelike as _;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Began, Count, Ending, Kind, Outcome, Role, Tally};
use crate::engine::Variant;
use crate::values::PlayerId;

/// What some games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Group<T> {
    /// What.
    pub value: T,
    /// Their record.
    #[serde(flatten)]
    pub record: Record,
}

/// A month, as `2026-11`.
pub type Month = String;

/// What games came to, in all and by each thing that tells them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = GameSummary)]
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
    #[schema(value_type = Vec<Group<String>>)]
    pub by_month: Vec<Group<Month>>,
    /// By opponent, with whom most were played first; of a chouette those with whom the player had bets. Of the club none.
    pub by_opponent: Vec<Group<PlayerId>>,
}

impl Summary {
    /// What these come to; opponents are another question.
    #[must_use]
    pub fn of(tallies: &[(Tally, Count)]) -> Self {
        let mut total = Record::default();
        for (tally, count) in tallies {
            total.add(tally.result, *count);
        }
        let month = |tally: &Tally| Some((tally.day.year(), tally.day.month()));
        let by_month = grouped(tallies, month).into_iter().map(|Group { value: (year, month), record }| {
            Group { value: format!("{year:04}-{month:02}"), record }
        });
        Self {
            total,
            by_kind: grouped(tallies, |tally| Some(tally.kind)),
            by_variant: grouped(tallies, |tally| Some(tally.variant)),
            by_began: grouped(tallies, |tally| Some(tally.began)),
            by_role: grouped(tallies, |tally| Some(tally.role)),
            by_ending: grouped(tallies, |tally| Some(tally.ending)),
            by_cube: grouped(tallies, |tally| Some(tally.cube).filter(|cube| *cube > 0)),
            by_month: by_month.collect(),
            by_opponent: Vec::new(),
        }
    }

    /// The same, with these opponents.
    #[must_use]
    pub fn with_opponents(self, opponents: &[(PlayerId, Outcome, Count)]) -> Self {
        let mut records: BTreeMap<PlayerId, Record> = BTreeMap::new();
        for (opponent, result, count) in opponents {
            records.entry(*opponent).or_default().add(*result, *count);
        }
        let mut by_opponent = groups(records);
        by_opponent.sort_by_key(|group| std::cmp::Reverse(group.record.games));
        Self { by_opponent, ..self }
    }
}

fn grouped<K: Ord>(tallies: &[(Tally, Count)], by: impl Fn(&Tally) -> Option<K>) -> Vec<Group<K>> {
    let mut records: BTreeMap<K, Record> = BTreeMap::new();
    for (tally, count) in tallies {
        if let Some(value) = by(tally) {
            records.entry(value).or_default().add(tally.result, *count);
        }
    }
    groups(records)
}

fn groups<K>(records: BTreeMap<K, Record>) -> Vec<Group<K>> {
    records.into_iter().map(|(value, record)| Group { value, record }).collect()
}
