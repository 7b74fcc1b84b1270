//! Ratings at the desk: the effect of a finished, corrected or undone match on everybody's rating.
//!
//! Ratings depend on the order in which matches were finished. A match at the end of that order costs two
//! look-ups, however long the history is. Anything else - a result corrected, undone or reported late - has
//! later matches rated again, in the same act: those of players whose rating changes by it, then those of
//! their opponents, and so on until nothing changes any more. `verify` computes all ratings from the results
//! alone and compares.

mod answers;

use std::collections::{BTreeMap, BTreeSet};

pub use self::answers::{PlayerRating, RatedMatch};
use crate::club::stream::CLUB;
use crate::{Actor, Desk, Refused, UnitOfWork};
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::club::Club;
use owlbox_play::tournament::rated::RatingOrder;
pub use owlbox_play::tournament::rated::{Key, Rated};
use owlbox_play::tournament::rating::{Experience, RatedPlayer, rated};
use owlbox_store::ratings;
pub use owlbox_store::ratings::{RatedMatchRow, RatingRow};
use owlbox_store::{AnyConnection, StoreError, players};

/// The number of matches read at a time while a history is rated again.
const PAGE: i64 = 500;

/// Removes the matches `gone` from the ratings, and adds or replaces those in `now_rated`. Takes a lock, so
/// other acts that change ratings wait until this one is done.
///
/// # Errors
/// The store failed.
pub(crate) fn rate(unit: &mut UnitOfWork<'_, '_>, gone: &[Key], now_rated: &[Rated]) -> Result<(), Refused> {
    if gone.is_empty() && now_rated.is_empty() {
        return Ok(());
    }
    ratings::lock(unit.transaction.connection()?)?;
    // Read it under the lock: a change of the convention takes the same lock and rates everything again.
    let counts = match unit.load_unlocked::<Club>(CLUB) {
        Ok(club) => club.state.settings().map(|settings| settings.rating_experience).unwrap_or_default(),
        Err(Refused::NotFound(_)) => Experience::default(),
        Err(refused) => return Err(refused),
    };
    Ok(rate_by(unit.transaction.connection()?, counts, gone, now_rated)?)
}

/// Rates every match again, with another convention for counting experience.
///
/// # Errors
/// The store failed.
pub(crate) fn rate_all_anew(unit: &mut UnitOfWork<'_, '_>, counts: Experience) -> Result<(), Refused> {
    let connection = unit.transaction.connection()?;
    ratings::lock(connection)?;
    let mut changes = Changes::default();
    changes.run(connection, counts, None)?;
    Ok(changes.keep(connection)?)
}

fn rate_by(
    connection: &mut AnyConnection,
    counts: Experience,
    gone: &[Key],
    now_rated: &[Rated],
) -> Result<(), StoreError> {
    let mut changes = Changes::default();
    let mut new: BTreeMap<Key, Rated> = now_rated.iter().map(|one| (one.key, *one)).collect();
    for key in gone.iter().filter(|key| !new.contains_key(key)) {
        if let Some(row) = ratings::find(connection, *key)? {
            changes.take_out(connection, &row.rated()?)?;
        }
    }
    for key in new.keys().copied().collect::<Vec<_>>() {
        let Some(before) = ratings::find(connection, key)?.map(|row| row.rated()).transpose()? else {
            continue;
        };
        if new.get(&key) == Some(&before) {
            new.remove(&key);
        } else {
            changes.take_out(connection, &before)?;
        }
    }
    let newest = ratings::newest(connection)?.map(|row| row.rated()).transpose()?;
    let earliest = new.values().map(Rated::place).min();
    // If nothing else changes, everybody's current rating is also their rating before the first new match.
    changes.at_the_end = changes.earliest.is_none()
        && newest.is_none_or(|newest| earliest.is_none_or(|new| newest.place() < new));
    for one in new.values() {
        changes.put_in(connection, one)?;
    }
    let Some(earliest) = changes.earliest else { return Ok(()) };
    changes.run(connection, counts, Some(earliest))?;
    changes.keep(connection)
}

/// The changes an act makes to the ratings.
#[derive(Default)]
struct Changes {
    /// The first place in the order of matches that changes.
    earliest: Option<RatingOrder>,
    /// Whether all changes are new matches at the end of the order.
    at_the_end: bool,
    /// The places ahead of the run where a match was added or removed, with its players.
    waiting: BTreeMap<RatingOrder, Vec<PlayerId>>,
    /// The standings, at this point of the run, of everybody met so far.
    standings: BTreeMap<PlayerId, RatedPlayer>,
    /// The players whose standing at this point of the run differs from what it was.
    differ: BTreeSet<PlayerId>,
    /// The players whose standing differed at any point.
    differed: BTreeSet<PlayerId>,
    /// Matches whose stored standings have to be rewritten.
    rows: Vec<RatedMatchRow>,
    /// The change in the number of matches, by player.
    more: BTreeMap<PlayerId, i64>,
}

impl Changes {
    fn touch(&mut self, one: &Rated, matches: i64) {
        self.earliest = Some(self.earliest.map_or(one.place(), |earliest| earliest.min(one.place())));
        for player in [one.winner, one.loser] {
            *self.more.entry(player).or_default() += matches;
            self.waiting.entry(one.place()).or_default().push(player);
        }
    }

    /// Moves the run on to `place`: the players of matches added or removed up to there now count as
    /// different.
    fn scope(&mut self, place: RatingOrder) {
        while let Some(next) = self.waiting.first_entry().filter(|next| *next.key() <= place) {
            let players = next.remove();
            self.differ.extend(&players);
            self.differed.extend(players);
        }
    }

    fn take_out(&mut self, connection: &mut AnyConnection, one: &Rated) -> Result<(), StoreError> {
        self.touch(one, -1);
        ratings::remove(connection, one.key)
    }

    /// Inserted with standings as if it were the first match of both players; the [run](Self::run) corrects
    /// them.
    fn put_in(&mut self, connection: &mut AnyConnection, one: &Rated) -> Result<(), StoreError> {
        self.touch(one, 1);
        ratings::insert(connection, &RatedMatchRow::new(one, [RatedPlayer::default(); 2]))
    }

    /// Rates the matches from `earliest` on again until nobody's standing differs any more; without it, all
    /// matches.
    fn run(
        &mut self,
        connection: &mut AnyConnection,
        counts: Experience,
        earliest: Option<RatingOrder>,
    ) -> Result<(), StoreError> {
        // Load these first: a player whose match was removed may have none after it, and would not be met.
        for player in self.more.keys().copied().collect::<Vec<_>>() {
            self.standing(connection, player, earliest)?;
        }
        if let Some(earliest) = earliest
            && let Some(first) = ratings::find(connection, earliest.key)?
            && first.rated()?.place() == earliest
        {
            self.step(connection, counts, Some(earliest), &first)?;
        }
        let mut after = earliest;
        while earliest.is_none() || !self.is_settled() {
            let page = ratings::after(connection, after, PAGE)?;
            for row in &page {
                self.step(connection, counts, earliest, row)?;
            }
            ratings::update(connection, &std::mem::take(&mut self.rows))?;
            match page.last() {
                Some(last) => after = Some(last.rated()?.place()),
                None => break,
            }
        }
        // The removed match may have been the last of all.
        if let Some(last) = self.waiting.keys().next_back().copied() {
            self.scope(last);
        }
        ratings::update(connection, &std::mem::take(&mut self.rows))
    }

    /// Whether the rest of the order stays as it is.
    fn is_settled(&self) -> bool {
        self.differ.is_empty() && self.waiting.is_empty()
    }

    fn step(
        &mut self,
        connection: &mut AnyConnection,
        counts: Experience,
        earliest: Option<RatingOrder>,
        row: &RatedMatchRow,
    ) -> Result<(), StoreError> {
        let one = row.rated()?;
        self.scope(one.place());
        let players = [one.winner, one.loser];
        if earliest.is_some() && !players.iter().any(|player| self.differ.contains(player)) {
            let stands = players.into_iter().filter_map(|player| Some((player, row.standing(player)?)));
            self.standings.extend(stands);
            return Ok(());
        }
        let winner = self.standing(connection, one.winner, earliest)?;
        let loser = self.standing(connection, one.loser, earliest)?;
        let (winner, loser) = rated(winner, loser, one.length.points(), counts);
        let after = RatedMatchRow::new(&one, [winner, loser]);
        for (player, now) in [(one.winner, winner), (one.loser, loser)] {
            self.standings.insert(player, now);
            if row.standing(player) == Some(now) {
                self.differ.remove(&player);
            } else {
                self.differ.insert(player);
                self.differed.insert(player);
            }
        }
        if after != *row {
            self.rows.push(after);
        }
        Ok(())
    }

    /// A player's standing at this point of the run; for one not met yet, their standing before `earliest`.
    fn standing(
        &mut self,
        connection: &mut AnyConnection,
        player: PlayerId,
        earliest: Option<RatingOrder>,
    ) -> Result<RatedPlayer, StoreError> {
        if let Some(standing) = self.standings.get(&player) {
            return Ok(*standing);
        }
        let standing = match earliest {
            None => None,
            Some(_) if self.at_the_end => ratings::rating_of(connection, player)?.map(|row| row.standing()),
            Some(earliest) => {
                let last = ratings::before(connection, player, Some(earliest), 1)?;
                last.first().and_then(|(row, _)| row.standing(player))
            }
        };
        let standing = standing.unwrap_or_default();
        self.standings.insert(player, standing);
        Ok(standing)
    }

    /// Stores the current ratings of all players whose standing or number of matches changed.
    fn keep(&self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        for player in &self.differed {
            let before = ratings::rating_of(connection, *player)?;
            let more = self.more.get(player).copied().unwrap_or(0);
            // A standing that no longer differs has converged: the stored rating is still right.
            let as_it_was = before.filter(|_| !self.differ.contains(player)).map(|row| row.standing());
            let standing = as_it_was.or_else(|| self.standings.get(player).copied()).unwrap_or_default();
            let after = RatingRow {
                player: (*player).into(),
                value: standing.rating.0,
                experience: i64::from(standing.experience),
                matches: before.map_or(0, |row| row.matches) + more,
            };
            if before != Some(after) {
                ratings::put_rating(connection, after)?;
            }
        }
        Ok(())
    }
}

impl Desk {
    /// A page of ratings, best first. `after` is the rating and player to continue from.
    ///
    /// # Errors
    /// The caller may not see players.
    pub async fn ratings(
        &self,
        actor: &Actor,
        after: Option<(i64, PlayerId)>,
        limit: i64,
    ) -> Result<Vec<PlayerRating>, Refused> {
        self.principal(actor).await?.require(Permission::ViewPlayers)?;
        self.read(move |connection| {
            let rows = ratings::best(connection, after, limit)?;
            Ok(rows.into_iter().map(PlayerRating::from).collect())
        })
        .await
    }

    /// The ratings of all players.
    ///
    /// # Errors
    /// The store failed.
    pub async fn all_ratings(&self) -> Result<Vec<RatingRow>, Refused> {
        self.read(|connection| Ok(ratings::all_ratings(connection)?)).await
    }

    /// The current rating of a player; `None` before their first rated match.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see players.
    pub async fn rating(&self, actor: &Actor, player: PlayerId) -> Result<Option<RatingRow>, Refused> {
        self.principal(actor).await?.require(Permission::ViewPlayers)?;
        self.read(move |connection| {
            players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            Ok(ratings::rating_of(connection, player)?)
        })
        .await
    }

    /// A page of a player's rated matches, newest first. `before` is the place to continue from.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see players.
    pub async fn rated_matches(
        &self,
        actor: &Actor,
        player: PlayerId,
        before: Option<RatingOrder>,
        limit: i64,
    ) -> Result<Vec<RatedMatch>, Refused> {
        self.principal(actor).await?.require(Permission::ViewPlayers)?;
        self.read(move |connection| {
            players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            Ok(answers::rated_matches(player, &ratings::before(connection, player, before, limit)?)?)
        })
        .await
    }
}

#[cfg(test)]
mod tests;
