//! Games won and lost by kind (M8): of a player, against an opponent, and of the whole club.

use super::{Actor, Desk, Refused};
use owlbox_domain::permissions::Permission;
use owlbox_domain::statistics::Summary;
use owlbox_domain::values::{Holder, PlayerId};
use owlbox_store::statistics as stored;
pub use owlbox_store::statistics::Filter;
use owlbox_store::{AnyConnection, players};

impl Desk {
    /// The games of a player: all of them with a list of opponents, or those against one opponent.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see the player's ledger, which would reveal the
    /// winnings too.
    pub async fn statistics(
        &self,
        actor: &Actor,
        player: PlayerId,
        against: Option<PlayerId>,
        filter: Filter,
    ) -> Result<Summary, Refused> {
        self.may_see_ledger(actor, Holder::Player(player)).await?;
        self.read(move |connection| {
            for player in std::iter::once(player).chain(against) {
                players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            }
            let summary = summary(connection, Some(player), against, filter)?;
            match against {
                Some(_) => Ok(summary),
                None => Ok(summary.with_opponents(&stored::opponents(connection, player, filter)?)),
            }
        })
        .await
    }

    /// The games of the whole club.
    ///
    /// # Errors
    /// The caller may not see players.
    pub async fn club_statistics(&self, actor: &Actor, filter: Filter) -> Result<Summary, Refused> {
        self.principal(actor).await?.require(Permission::ViewPlayers)?;
        self.read(move |connection| summary(connection, None, None, filter)).await
    }
}

fn summary(
    connection: &mut AnyConnection,
    player: Option<PlayerId>,
    against: Option<PlayerId>,
    filter: Filter,
) -> Result<Summary, Refused> {
    let found = stored::games(connection, player, against, filter)?;
    Ok(Summary::new(&found.games, &found.by_month))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::{Days, NaiveDate};
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _};
    use rstest::rstest;
    use uuid::Uuid;

    use super::*;
    use crate::fixture::{Db, Fixture};
    use owlbox_domain::statistics::{
        Began, Count, Ending, Kind, Manner, Month, Outcome, ResultCount, Role, Tallies, Tally,
    };
    use owlbox_domain::values::HalfPoints;
    use owlbox_engine::Variant;
    use owlbox_store::{StoreError, Transaction};

    fn player(number: u128) -> Option<PlayerId> {
        (number > 0).then(|| PlayerId(Uuid::from_u128(number)))
    }

    /// A day within four years; half of the time the first or last of a year.
    fn day(chance: &mut StdRng) -> NaiveDate {
        let year = chance.random_range(2023..=2026);
        let edges = [(1, 1), (12, 31)].map(|(month, day)| NaiveDate::from_ymd_opt(year, month, day).unwrap());
        match chance.random_range(0..4) {
            edge @ (0 | 1) => edges[edge],
            _ => edges[0] + Days::new(chance.random_range(0..365)),
        }
    }

    fn tally(chance: &mut StdRng) -> Tally {
        let manner = Manner {
            kind: *[Kind::Chouette, Kind::Match].choose(chance).unwrap(),
            variant: *[Variant::Standard, Variant::Fevga].choose(chance).unwrap(),
            began: *[Began::OwnSide, Began::Unknown].choose(chance).unwrap(),
            role: *[Role::Box, Role::Captain].choose(chance).unwrap(),
            result: *Outcome::ALL.choose(chance).unwrap(),
            ending: *[Ending::Single, Ending::Gammon].choose(chance).unwrap(),
            cube: *[1, 2].choose(chance).unwrap(),
        };
        let [player, opponent] = [(); 2].map(|()| player(chance.random_range(0..3)));
        Tally { player, opponent, day: day(chance), manner }
    }

    fn filter(chance: &mut StdRng) -> Filter {
        Filter {
            kind: chance.random_bool(0.2).then_some(Kind::Chouette),
            variant: chance.random_bool(0.2).then_some(Variant::Fevga),
            began: chance.random_bool(0.2).then_some(Began::Unknown),
            from: chance.random_bool(0.6).then(|| day(chance)),
            until: chance.random_bool(0.6).then(|| day(chance)),
        }
    }

    type Sums<K> = BTreeMap<K, (i64, i64)>;

    fn sums<K: Ord>(counted: impl Iterator<Item = (K, Count)>) -> Sums<K> {
        let mut sums = Sums::new();
        for (key, count) in counted {
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + count.games, sum.1 + count.half_points);
        }
        sums
    }

    fn by_value<T>(found: ResultCount<T>) -> ((T, Outcome), Count) {
        ((found.value, found.result), found.count)
    }

    /// M8: the totals of years and months are the sums of their days, whatever is counted, removed and
    /// queried.
    #[rstest]
    fn m8_whole_years_and_days_come_to_what_every_day_comes_to(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
        let Some(fixture) = Fixture::empty(db) else { return };
        let mut chance = StdRng::seed_from_u64(81);
        let mut all = Tallies::default();
        for _ in 0..12 {
            let mut change = Tallies::default();
            // Removes one tally in three, entirely or only some of its games.
            let removed = all.iter().filter(|_| chance.random_ratio(1, 3)).collect::<Vec<_>>();
            for (tally, count) in removed {
                let games = *[1, count.games].choose(&mut chance).unwrap();
                change.count(*tally, -games, HalfPoints(count.half_points / count.games));
            }
            (0..60).for_each(|_| change.count(tally(&mut chance), 1, HalfPoints(2)));
            change.iter().for_each(|(tally, count)| match count.games {
                0 => {}
                games => all.count(*tally, games, HalfPoints(count.half_points / games)),
            });
            let add = move |transaction: &mut Transaction<'_>| stored::add(transaction.connection, &change);
            fixture.desk.inner.store.write_blocking(add).unwrap();
        }
        for _ in 0..200 {
            let (filter, whose) = (filter(&mut chance), chance.random_range(0..3));
            let (whose, against) = (player(whose), player(chance.random_range(0..3)));
            let asked: Vec<(Tally, Count)> = all
                .iter()
                .filter(|(Tally { player, day, manner, .. }, _)| {
                    *player == whose
                        && filter.kind.is_none_or(|kind| kind == manner.kind)
                        && filter.variant.is_none_or(|variant| variant == manner.variant)
                        && filter.began.is_none_or(|began| began == manner.began)
                        && filter.from.is_none_or(|from| *day >= from)
                        && filter.until.is_none_or(|until| *day <= until)
                })
                .map(|(tally, count)| (*tally, *count))
                .collect();
            let store = &fixture.desk.inner.store;
            let (found, opponents) = store
                .read_blocking(|connection| {
                    let found = stored::games(connection, whose, against, filter)?;
                    let opponents =
                        whose.map(|whose| stored::opponents(connection, whose, filter)).transpose()?;
                    Ok::<_, StoreError>((found, opponents))
                })
                .unwrap();
            let of_two = || asked.iter().filter(|(tally, _)| tally.opponent == against);
            assert_eq!(
                sums(found.games.into_iter().map(|found| (found.manner, found.count))),
                sums(of_two().map(|(tally, count)| (tally.manner, *count)))
            );
            let month = |tally: &Tally| (Month::from(tally.day), tally.manner.result);
            assert_eq!(
                sums(found.by_month.into_iter().map(by_value)),
                sums(of_two().map(|(tally, count)| (month(tally), *count))),
                "{filter:?}"
            );
            if let Some(opponents) = opponents {
                let with =
                    |(tally, count): &(Tally, Count)| Some(((tally.opponent?, tally.manner.result), *count));
                assert_eq!(sums(opponents.into_iter().map(by_value)), sums(asked.iter().filter_map(with)));
            }
        }
    }
}
