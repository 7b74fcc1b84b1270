//! Games won and lost by kind (M8): of a player, against an opponent, of everybody against everybody, and of
//! the whole club.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;

use crate::books::income::Period;
use crate::people::players::{called, called_on, told_apart};
use crate::{Actor, Desk, Refused};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{Holder, MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_books::statistics::{Kind, Record, Summary};
use owlbox_store::statistics as stored;
pub use owlbox_store::statistics::Filter;
use owlbox_store::statistics::PairSelection;
use owlbox_store::{AnyConnection, matches, players, tournaments};

/// How many of the newest days and matches of two players are listed.
pub const NEWEST: usize = 10;

/// How many players one query names.
const AT_ONCE: usize = 500;

/// The games of two players against each other, and the matches between them, from the side of the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairStatistics {
    #[serde(flatten)]
    pub games: Summary,
    /// The first day of these games; null if there are none.
    pub first: Option<NaiveDate>,
    /// The newest day of these games; null if there are none.
    pub last: Option<NaiveDate>,
    /// These games day by day, the newest first; ten days at most.
    pub newest: Vec<PairDay>,
    /// The finished matches between the two, whatever games are asked for.
    pub matches: PairMatches,
}

/// The games of two players against each other on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairDay {
    /// The night of a chouette, or the day on which a sheet was opened.
    pub day: NaiveDate,
    pub kind: Kind,
    #[serde(flatten)]
    pub record: Record,
}

/// The games of a player or of the club, and the matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GamesAndMatches))]
pub struct Statistics {
    #[serde(flatten)]
    pub games: Summary,
    /// The finished matches of the kind and days asked for, however they were entered. Null if a variant was
    /// asked for, or who began: matches are not counted by these.
    pub matches: Option<MatchRecord>,
}

/// Finished matches: friendly ones, and those of tournaments that were played or conceded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MatchRecord {
    /// How many matches.
    pub matches: i64,
    /// Matches won; for the club, every match.
    pub won: i64,
    /// Matches lost; for the club always 0.
    pub lost: i64,
}

/// The finished matches between two players: friendly ones, and those played in tournaments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairMatches {
    /// The matches the first player won.
    pub won: usize,
    /// The matches the first player lost.
    pub lost: usize,
    /// The newest of them, ten at most.
    pub newest: Vec<PairMatch>,
}

/// A finished match between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairMatch {
    pub finished_at: Timestamp,
    /// In points.
    pub length: i32,
    /// Whether the first player won it.
    pub won: bool,
    /// The sheet of a friendly match; null for a match of a tournament.
    #[serde(rename = "match")]
    pub sheet: Option<MatchId>,
    /// Its tournament; null for a friendly match.
    pub tournament: Option<TournamentId>,
    /// Its division; null for a friendly match.
    pub division: Option<i32>,
    /// Its number in the division; null for a friendly match.
    pub number: Option<i64>,
}

/// Everybody's games against everybody, or one player's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HeadToHead {
    /// Everybody who has games or matches, those who won most first.
    pub players: Vec<HeadToHeadPlayer>,
    /// Every two who have games or matches against each other, from both sides; of one player, or a page of
    /// players, from theirs.
    pub pairs: Vec<PairRecord>,
    /// The `after` of the next page; only on a page that others follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<PlayerId>,
}

/// Which part of everybody against everybody.
#[derive(Clone, Debug)]
pub enum PlayerSelection {
    /// These players against each other.
    Among(BTreeSet<PlayerId>),
    /// So many of those who played most against each other; this player is one of them, and comes first.
    Most { players: usize, own: Option<PlayerId> },
    /// So many players against everybody, those who won most first; those behind the one called `after`.
    Page { players: usize, after: Option<PlayerId> },
}

/// A part of everybody against everybody.
#[derive(Clone, Debug)]
pub struct HeadToHeadPart {
    pub met: HeadToHead,
    /// Everybody who has games or matches, those who played most first.
    pub everybody: Vec<Played>,
}

/// How much somebody has played in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The player, with what they won.
    pub who: HeadToHeadPlayer,
    /// Their games, those as a partner too.
    pub games: i64,
    /// Their matches; 0 if a variant was asked for.
    pub matches: i64,
}

/// A player in a table of everybody against everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HeadToHeadPlayer {
    pub player: PlayerId,
    /// The player's name.
    pub name: String,
    /// What they won in all of these games together, as partners too, in half points. Of one player's
    /// opponents, what they won from that player.
    pub half_points: i64,
}

/// A player's games against an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairRecord {
    pub player: PlayerId,
    pub opponent: PlayerId,
    #[serde(flatten)]
    pub record: Record,
    /// The matches between the two that the player won, of the kind and days asked for, however they were
    /// entered; 0 if a variant was asked for.
    pub matches_won: i64,
    /// Those that the player lost.
    pub matches_lost: i64,
}

impl HeadToHead {
    /// The games of a player against an opponent, if they have any. The pairs are in the order of their ids.
    #[must_use]
    pub fn pair(&self, player: PlayerId, opponent: PlayerId) -> Option<&PairRecord> {
        let of = |pair: &PairRecord| (pair.player, pair.opponent);
        debug_assert!(self.pairs.is_sorted_by_key(of));
        let place = self.pairs.binary_search_by_key(&(player, opponent), of);
        self.pairs.get(place.ok()?)
    }
}

impl Desk {
    /// The games of a player, with a list of opponents.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see the player's ledger, which would reveal the
    /// winnings too.
    pub async fn statistics(
        &self,
        actor: &Actor,
        player: PlayerId,
        filter: Filter,
    ) -> Result<Statistics, Refused> {
        self.require_ledger(actor, Holder::Player(player)).await?;
        in_order(filter)?;
        self.read(move |connection| {
            players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            let summary = summary(connection, Some(player), None, filter)?;
            let games = summary.with_opponents(&stored::opponents(connection, player, filter)?);
            Ok(Statistics { games, matches: match_record(connection, Some(player), filter)? })
        })
        .await
    }

    /// The games of a player against an opponent, and the matches between the two.
    ///
    /// # Errors
    /// See [`statistics`](Self::statistics).
    pub async fn pair_statistics(
        &self,
        actor: &Actor,
        player: PlayerId,
        other: PlayerId,
        filter: Filter,
    ) -> Result<PairStatistics, Refused> {
        self.require_ledger(actor, Holder::Player(player)).await?;
        in_order(filter)?;
        self.read(move |connection| {
            for player in [player, other] {
                players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            }
            let most = i64::try_from(NEWEST).unwrap_or(i64::MAX);
            let days = stored::pair_days(connection, player, other, filter, most)?;
            Ok(PairStatistics {
                games: summary(connection, Some(player), Some(other), filter)?,
                first: days.first,
                last: days.last,
                newest: newest_days(&days),
                matches: pair_matches(connection, player, other)?,
            })
        })
        .await
    }

    /// Everybody's games against everybody, or one player's against everybody.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see the ledgers that this would reveal.
    pub async fn head_to_head(
        &self,
        actor: &Actor,
        player: Option<PlayerId>,
        filter: Filter,
    ) -> Result<HeadToHead, Refused> {
        match player {
            Some(player) => self.require_ledger(actor, Holder::Player(player)).await?,
            None => self.principal(actor).await?.require(Permission::ViewAnyLedger)?,
        }
        in_order(filter)?;
        let desk = self.clone();
        self.read(move |connection| {
            if let Some(player) = player {
                players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            }
            let one = player.as_slice();
            let whose = if one.is_empty() { PairSelection::Everybody } else { PairSelection::These(one) };
            let counts = stored::pairs(connection, whose, filter)?;
            let mut pairs = added_up(&counts);
            let is_asked = |one, _| player.is_none_or(|player| player == one);
            add_matches(&mut pairs, is_asked, &wins(connection, player, filter)?);
            let pairs: Vec<PairRecord> = pairs.into_values().collect();
            let won = won(player, &counts, &pairs);
            let names = desk.distinct_names_on(connection, &won.keys().copied().collect::<Vec<_>>())?;
            Ok(HeadToHead { players: ranked(&names, player, won), pairs, next: None })
        })
        .await
    }

    /// A part of everybody's games against everybody: what it takes depends on the part, not on how many
    /// pairs the club has.
    ///
    /// # Errors
    /// The caller may not see all ledgers, or there is nobody to go on behind.
    pub async fn head_to_head_part(
        &self,
        actor: &Actor,
        part: PlayerSelection,
        filter: Filter,
    ) -> Result<HeadToHeadPart, Refused> {
        self.principal(actor).await?.require(Permission::ViewAnyLedger)?;
        in_order(filter)?;
        self.snapshot(move |connection| {
            let wins = wins(connection, None, filter)?;
            let everybody = everybody(connection, &wins, filter)?;
            let mut next = None;
            let shown: Vec<HeadToHeadPlayer> = match &part {
                PlayerSelection::Among(chosen) => {
                    let shown = everybody.iter().filter(|one| chosen.contains(&one.who.player));
                    shown.map(|one| one.who.clone()).collect()
                }
                PlayerSelection::Most { players, own } => {
                    let (own, others): (Vec<_>, Vec<_>) =
                        everybody.iter().partition(|one| Some(one.who.player) == *own);
                    own.into_iter().chain(others).take(*players).map(|one| one.who.clone()).collect()
                }
                PlayerSelection::Page { players, after } => {
                    let mut ranked: Vec<HeadToHeadPlayer> =
                        everybody.iter().map(|one| one.who.clone()).collect();
                    ranked.sort_by_cached_key(most_won);
                    let before = match after {
                        None => 0,
                        Some(after) => {
                            let last = ranked.iter().position(|one| one.player == *after);
                            last.ok_or(Refused::NotFound("player"))? + 1
                        }
                    };
                    let follow = ranked.len() > before + players;
                    let shown: Vec<_> = ranked.into_iter().skip(before).take(*players).collect();
                    next = shown.last().filter(|_| follow).map(|one| one.player);
                    shown
                }
            };
            let ids: Vec<PlayerId> = shown.iter().map(|one| one.player).collect();
            let among: BTreeSet<PlayerId> = ids.iter().copied().collect();
            let (whose, with_everybody) = match part {
                PlayerSelection::Page { .. } => (PairSelection::These(&ids), true),
                PlayerSelection::Among(_) | PlayerSelection::Most { .. } => {
                    (PairSelection::Among(&ids), false)
                }
            };
            let mut pairs = added_up(&stored::pairs(connection, whose, filter)?);
            let is_asked = |one, other| among.contains(&one) && (with_everybody || among.contains(&other));
            add_matches(&mut pairs, is_asked, &wins);
            let met = HeadToHead { players: shown, pairs: pairs.into_values().collect(), next };
            Ok(HeadToHeadPart { met, everybody })
        })
        .await
    }

    /// The games of the whole club.
    ///
    /// # Errors
    /// The caller may not see players.
    pub async fn club_statistics(&self, actor: &Actor, filter: Filter) -> Result<Statistics, Refused> {
        self.principal(actor).await?.require(Permission::ViewPlayers)?;
        in_order(filter)?;
        self.read(move |connection| {
            let games = club_summary(connection, filter)?;
            Ok(Statistics { games, matches: match_record(connection, None, filter)? })
        })
        .await
    }
}

fn in_order(filter: Filter) -> Result<(), Refused> {
    Period { from: filter.from, until: filter.until }.in_order().map(drop)
}

/// The games of the whole club.
pub(crate) fn club_summary(connection: &mut AnyConnection, filter: Filter) -> Result<Summary, Refused> {
    summary(connection, None, None, filter)
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

/// A line for each day and kind of play, the newest first.
fn newest_days(days: &stored::PairDays) -> Vec<PairDay> {
    let mut records: BTreeMap<(Reverse<NaiveDate>, Kind), Record> = BTreeMap::new();
    for (day, kind, result, count) in &days.newest {
        records.entry((Reverse(*day), *kind)).or_default().add(*result, *count);
    }
    let line = |((Reverse(day), kind), record)| PairDay { day, kind, record };
    records.into_iter().map(line).collect()
}

fn pair_matches(
    connection: &mut AnyConnection,
    player: PlayerId,
    other: PlayerId,
) -> Result<PairMatches, Refused> {
    let friendly = matches::friendly_between(connection, player, other)?.into_iter().filter_map(|row| {
        let winner = if row.winner.as_deref() == Some("upper") { row.upper_player } else { row.lower_player };
        Some(PairMatch {
            finished_at: row.finished_at?.into(),
            length: row.length,
            won: PlayerId::from(winner) == player,
            sheet: Some(row.id.into()),
            tournament: None,
            division: None,
            number: None,
        })
    });
    let of_tournaments = tournaments::played_between(connection, player, other)?;
    let of_tournaments = of_tournaments.into_iter().map(|row| PairMatch {
        finished_at: row.finished_at.into(),
        length: row.length,
        won: PlayerId::from(row.winner) == player,
        sheet: None,
        tournament: Some(row.tournament.into()),
        division: Some(row.division),
        number: Some(row.number),
    });
    let mut newest: Vec<PairMatch> = friendly.chain(of_tournaments).collect();
    newest.sort_by_key(|one| Reverse(one.finished_at));
    let won = newest.iter().filter(|one| one.won).count();
    let lost = newest.len() - won;
    newest.truncate(NEWEST);
    Ok(PairMatches { won, lost, newest })
}

/// The matches that a player has won and lost, or all of the club's.
fn match_record(
    connection: &mut AnyConnection,
    player: Option<PlayerId>,
    filter: Filter,
) -> Result<Option<MatchRecord>, Refused> {
    if filter.variant.is_some() || filter.began.is_some() {
        return Ok(None);
    }
    let mut record = MatchRecord::default();
    for matches::Wins { winner, matches, .. } in matches::wins(connection, player, filter)? {
        record.matches += matches;
        let of_player = player.is_none_or(|player| player == winner);
        *(if of_player { &mut record.won } else { &mut record.lost }) += matches;
    }
    Ok(Some(record))
}

/// Who has won matches of these against whom: none of a variant, as matches are not counted by these.
fn wins(
    connection: &mut AnyConnection,
    player: Option<PlayerId>,
    filter: Filter,
) -> Result<Vec<matches::Wins>, Refused> {
    if filter.variant.is_some() {
        return Ok(Vec::new());
    }
    Ok(matches::wins(connection, player, filter)?)
}

/// Everybody who has such games or these matches, those who played most first.
fn everybody(
    connection: &mut AnyConnection,
    wins: &[matches::Wins],
    filter: Filter,
) -> Result<Vec<Played>, Refused> {
    let mut sums: BTreeMap<PlayerId, [i64; 3]> = BTreeMap::new();
    let known = players::ids(connection)?;
    for known in known.chunks(AT_ONCE) {
        for one in stored::pairs(connection, PairSelection::AsAWhole(known), filter)? {
            let [games, _, half_points] = sums.entry(one.player).or_default();
            *games += one.count.games;
            *half_points += one.count.half_points;
        }
    }
    for won in wins {
        for player in [won.winner, won.loser] {
            let [_, matches, _] = sums.entry(player).or_default();
            *matches += won.matches;
        }
    }
    let names = called_on(connection, sums.keys().copied())?;
    let names = told_apart(connection, names)?;
    let played = |(player, [games, matches, half_points]): (PlayerId, [i64; 3])| {
        let who = HeadToHeadPlayer { player, name: called(&names, player), half_points };
        Played { who, games, matches }
    };
    let mut all: Vec<Played> = sums.into_iter().map(played).collect();
    all.sort_by_cached_key(most_played);
    Ok(all)
}

/// Orders by who played most, then by name.
fn most_played(one: &Played) -> impl Ord + use<> {
    (Reverse((one.games, one.matches)), one.who.name.clone(), one.who.player)
}

/// Orders by who won most, then by name.
fn most_won(one: &HeadToHeadPlayer) -> impl Ord + use<> {
    (Reverse(one.half_points), one.name.clone(), one.player)
}

type Pairs = BTreeMap<(PlayerId, PlayerId), PairRecord>;

/// The record of two, which is empty at first.
fn between(pairs: &mut Pairs, player: PlayerId, opponent: PlayerId) -> &mut PairRecord {
    let none = PairRecord { player, opponent, record: Record::default(), matches_won: 0, matches_lost: 0 };
    pairs.entry((player, opponent)).or_insert(none)
}

/// A record for every two, in the order of their ids.
fn added_up(counts: &[stored::PairCount]) -> Pairs {
    let mut pairs = Pairs::new();
    for stored::PairCount { player, opponent, result, count } in counts {
        if let Some(opponent) = opponent {
            between(&mut pairs, *player, *opponent).record.add(*result, *count);
        }
    }
    pairs
}

/// Adds who has won matches against whom, of the pairs that are asked for.
fn add_matches(pairs: &mut Pairs, is_asked: impl Fn(PlayerId, PlayerId) -> bool, wins: &[matches::Wins]) {
    for matches::Wins { winner, loser, matches } in wins {
        if is_asked(*winner, *loser) {
            between(pairs, *winner, *loser).matches_won += matches;
        }
        if is_asked(*loser, *winner) {
            between(pairs, *loser, *winner).matches_lost += matches;
        }
    }
}

/// What everybody in these games and pairs has won, in half points; of one player's opponents, from that
/// player.
fn won(
    player: Option<PlayerId>,
    counts: &[stored::PairCount],
    pairs: &[PairRecord],
) -> BTreeMap<PlayerId, i64> {
    let mut won: BTreeMap<PlayerId, i64> = BTreeMap::new();
    for PairRecord { player: one, opponent, record, .. } in pairs {
        won.entry(*one).or_default();
        let from_player = if player.is_some() { record.half_points } else { 0 };
        *won.entry(*opponent).or_default() -= from_player;
    }
    for one in counts.iter().filter(|one| one.opponent.is_none()) {
        *won.entry(one.player).or_default() += one.count.half_points;
    }
    won
}

/// Everybody, those who won most first, then by name; if one player was asked for, they come first.
fn ranked(
    names: &BTreeMap<PlayerId, String>,
    first: Option<PlayerId>,
    won: BTreeMap<PlayerId, i64>,
) -> Vec<HeadToHeadPlayer> {
    let named = |(player, half_points)| HeadToHeadPlayer { player, name: called(names, player), half_points };
    let mut players: Vec<HeadToHeadPlayer> = won.into_iter().map(named).collect();
    players.sort_by_key(|one| (Some(one.player) != first, Reverse(one.half_points), one.name.clone()));
    players
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
    use owlbox_base::values::HalfPoints;
    use owlbox_books::statistics::{
        Began, Count, Ending, Kind, Manner, Month, Outcome, ResultCount, Role, Tallies, TallyKey,
    };
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

    fn tally(chance: &mut StdRng) -> TallyKey {
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
        TallyKey { player, opponent, day: day(chance), manner }
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

    fn counts(TallyKey { day, manner, .. }: &TallyKey, filter: Filter) -> bool {
        filter.kind.is_none_or(|kind| kind == manner.kind)
            && filter.variant.is_none_or(|variant| variant == manner.variant)
            && filter.began.is_none_or(|began| began == manner.began)
            && filter.from.is_none_or(|from| *day >= from)
            && filter.until.is_none_or(|until| *day <= until)
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
            let add = move |transaction: &mut Transaction<'_>| {
                transaction.count(&change);
                Ok::<_, StoreError>(())
            };
            fixture.desk.inner.store.write_blocking(add).unwrap();
        }
        for _ in 0..200 {
            let (filter, whose) = (filter(&mut chance), chance.random_range(0..3));
            let (whose, against) = (player(whose), player(chance.random_range(0..3)));
            let asked: Vec<(TallyKey, Count)> = all
                .iter()
                .filter(|(tally, _)| tally.player == whose && counts(tally, filter))
                .map(|(tally, count)| (*tally, *count))
                .collect();
            let store = &fixture.desk.inner.store;
            let (found, pairs, opponents) = store
                .read_blocking(|connection| {
                    let found = stored::games(connection, whose, against, filter)?;
                    let asked = if whose.is_none() {
                        PairSelection::Everybody
                    } else {
                        PairSelection::These(whose.as_slice())
                    };
                    let pairs = stored::pairs(connection, asked, filter)?;
                    let opponents =
                        whose.map(|whose| stored::opponents(connection, whose, filter)).transpose()?;
                    Ok::<_, StoreError>((found, pairs, opponents))
                })
                .unwrap();
            let pairs = pairs.into_iter().map(|pair| ((pair.player, pair.opponent, pair.result), pair.count));
            let met = |(tally, count): &(TallyKey, Count)| {
                Some(((tally.player?, tally.opponent, tally.manner.result), *count))
            };
            let asked_of_all = all.iter().filter(|(tally, _)| counts(tally, filter));
            let asked_of_all = asked_of_all.map(|(tally, count)| (*tally, *count));
            let of_pairs = asked_of_all.filter(|(tally, _)| whose.is_none() || tally.player == whose);
            assert_eq!(sums(pairs), sums(of_pairs.filter_map(|one| met(&one))), "{whose:?} {filter:?}");
            let of_two = || asked.iter().filter(|(tally, _)| tally.opponent == against);
            assert_eq!(
                sums(found.games.into_iter().map(|found| (found.manner, found.count))),
                sums(of_two().map(|(tally, count)| (tally.manner, *count)))
            );
            let month = |tally: &TallyKey| (Month::from(tally.day), tally.manner.result);
            assert_eq!(
                sums(found.by_month.into_iter().map(by_value)),
                sums(of_two().map(|(tally, count)| (month(tally), *count))),
                "{filter:?}"
            );
            if let Some(opponents) = opponents {
                let with = |(tally, count): &(TallyKey, Count)| {
                    Some(((tally.opponent?, tally.manner.result), *count))
                };
                assert_eq!(sums(opponents.into_iter().map(by_value)), sums(asked.iter().filter_map(with)));
            }
        }
    }
}
