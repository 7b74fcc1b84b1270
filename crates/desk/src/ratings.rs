//! Ratings at the desk: what a match that was finished, corrected or undone makes of everybody's rating.
//!
//! Ratings follow from the order in which matches were finished. A match at the end of it costs two look-ups, however
//! long the history is; anything else - a result corrected or taken back, one reported late - is rated anew with all
//! that come after of those whose standing is another by it, and so on, in the same act, until nobody's is. They are derived: `verify` makes them from results alone and compares.

use std::collections::{BTreeMap, BTreeSet};

use super::clubs::CLUB;
use super::{Actor, Desk, Refused, UnitOfWork};
use owlbox_domain::club::Club;
use owlbox_domain::ledger::Source;
use owlbox_domain::permissions::Permission;
use owlbox_domain::tournament::rated::RatingOrder;
pub use owlbox_domain::tournament::rated::{Key, Rated};
use owlbox_domain::tournament::rating::{Experience, RatedPlayer, rated};
use owlbox_domain::values::PlayerId;
use owlbox_store::ratings;
pub use owlbox_store::ratings::{RatingRow, Row};
use owlbox_store::{AnyConnection, StoreError, players};

/// Matches read at once while a history is rated anew.
const PAGE: i64 = 500;

/// Has `gone` rated no more and `now_rated` rated, each new, or with another result than before. Everybody else who
/// rates waits until the act is done.
///
/// # Errors
/// The store failed.
pub(crate) fn rate(unit: &mut UnitOfWork<'_, '_>, gone: &[Key], now_rated: &[Rated]) -> Result<(), Refused> {
    if gone.is_empty() && now_rated.is_empty() {
        return Ok(());
    }
    ratings::lock(unit.transaction.connection)?;
    // Only now: whoever changes the convention holds the lock, and rates everything anew.
    let counts = match unit.look::<Club>(CLUB, "club") {
        Ok(club) => club.state.settings().map(|settings| settings.rating_experience).unwrap_or_default(),
        Err(Refused::NotFound(_)) => Experience::default(),
        Err(refused) => return Err(refused),
    };
    Ok(rate_by(unit.transaction.connection, counts, gone, now_rated)?)
}

/// Rates every match anew, by another convention.
///
/// # Errors
/// The store failed.
pub(super) fn rate_all_anew(unit: &mut UnitOfWork<'_, '_>, counts: Experience) -> Result<(), Refused> {
    let connection = &mut *unit.transaction.connection;
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
    // What everybody has now is what he had before the first new one, if nothing else has changed.
    changes.at_the_end = changes.earliest.is_none()
        && newest.is_none_or(|newest| earliest.is_none_or(|new| newest.place() < new));
    for one in new.values() {
        changes.put_in(connection, one)?;
    }
    let Some(earliest) = changes.earliest else { return Ok(()) };
    changes.run(connection, counts, Some(earliest))?;
    changes.keep(connection)
}

/// What an act changes of the ratings.
#[derive(Default)]
struct Changes {
    /// The first place of the order that is another now.
    earliest: Option<RatingOrder>,
    /// Whether all that is new stands at the end.
    at_the_end: bool,
    /// Where a match is new or gone, and who plays or played it, as far as the run has not been there.
    waiting: BTreeMap<RatingOrder, Vec<PlayerId>>,
    /// What everybody has who played from there on, so far.
    standings: BTreeMap<PlayerId, RatedPlayer>,
    /// Whose standing is at this point of the run another than it was.
    differ: BTreeSet<PlayerId>,
    /// Whose was so at any point.
    differed: BTreeSet<PlayerId>,
    /// Matches that are to be written with what both have after them now.
    rows: Vec<Row>,
    /// How many matches more everybody has.
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

    /// From here on theirs differ who play or played what is new or gone up to this place.
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

    /// It stands there as if it were the first match of both until it is [reached](Self::run).
    fn put_in(&mut self, connection: &mut AnyConnection, one: &Rated) -> Result<(), StoreError> {
        self.touch(one, 1);
        ratings::insert(connection, &Row::new(one, [RatedPlayer::default(); 2]))
    }

    /// Rates every match from `earliest` on until nobody's standing is another than it was, or every match from the first.
    fn run(
        &mut self,
        connection: &mut AnyConnection,
        counts: Experience,
        earliest: Option<RatingOrder>,
    ) -> Result<(), StoreError> {
        // Whose match was taken out may have none after it.
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
        // What is gone may have been the last of all.
        if let Some(last) = self.waiting.keys().next_back().copied() {
            self.scope(last);
        }
        ratings::update(connection, &std::mem::take(&mut self.rows))
    }

    /// Whether all that comes is as it was.
    fn is_settled(&self) -> bool {
        self.differ.is_empty() && self.waiting.is_empty()
    }

    fn step(
        &mut self,
        connection: &mut AnyConnection,
        counts: Experience,
        earliest: Option<RatingOrder>,
        row: &Row,
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
        let after = Row::new(&one, [winner, loser]);
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

    /// What a player has so far; of one not met yet, what he had before `earliest`.
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

    /// Writes what everybody has now whose matches or standing are others.
    fn keep(&self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        for player in &self.differed {
            let before = ratings::rating_of(connection, *player)?;
            let more = self.more.get(player).copied().unwrap_or(0);
            // Who was met last with what he had then has what he had.
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
    /// A page of ratings, the best first, after that of a player.
    ///
    /// # Errors
    /// The asker may not see players.
    pub async fn ratings(
        &self,
        actor: &Actor,
        after: Option<(i64, PlayerId)>,
        limit: i64,
    ) -> Result<Vec<RatingRow>, Refused> {
        self.principal(actor).await?.require(Permission::ViewPlayers)?;
        self.read(move |connection| Ok(ratings::best(connection, after, limit)?)).await
    }

    /// What everybody is rated.
    ///
    /// # Errors
    /// The store failed.
    pub async fn all_ratings(&self) -> Result<Vec<RatingRow>, Refused> {
        self.read(|connection| Ok(ratings::all_ratings(connection)?)).await
    }

    /// What a player is rated now; `None` before his first match.
    ///
    /// # Errors
    /// There is no such player, or the asker may not see players.
    pub async fn rating(&self, actor: &Actor, player: PlayerId) -> Result<Option<RatingRow>, Refused> {
        self.principal(actor).await?.require(Permission::ViewPlayers)?;
        self.read(move |connection| {
            players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            Ok(ratings::rating_of(connection, player)?)
        })
        .await
    }

    /// A page of the matches for which a player was rated, newest first, before a place in their order.
    ///
    /// # Errors
    /// There is no such player, or the asker may not see players.
    pub async fn rated_matches(
        &self,
        actor: &Actor,
        player: PlayerId,
        before: Option<RatingOrder>,
        limit: i64,
    ) -> Result<Vec<(Row, Source)>, Refused> {
        self.principal(actor).await?.require(Permission::ViewPlayers)?;
        self.read(move |connection| {
            players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            Ok(ratings::before(connection, player, before, limit)?)
        })
        .await
    }
}

#[cfg(test)]
mod tests;
