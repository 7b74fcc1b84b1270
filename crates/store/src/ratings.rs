//! Ratings: the rated matches in their order, and every player's current rating.
//!
//! Ratings are computed by the domain; here are only its rows.

use diesel::prelude::*;
use diesel::sql_types::BigInt;

use super::StoreError;
use super::connection::AnyConnection;
use super::schema::{rated_match, rating, stream};
use super::statement::SqlStatement;
use super::types::{Id, Key, Moment};
use owlbox_base::journal::BrokenHistory;
use owlbox_base::values::PlayerId;
use owlbox_books::ledger::Source;
use owlbox_play::matches::score::Length;
use owlbox_play::tournament::rated::{self, Rated, RatingOrder};
use owlbox_play::tournament::rating::{RatedPlayer, Rating};

/// A rated match as stored, with both players' ratings after it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = rated_match)]
pub struct RatedMatchRow {
    /// The stream of its tournament; of a friendly match its own, with division and number 0.
    pub stream: Key,
    pub division: i32,
    pub number: i64,
    pub finished_at: Moment,
    pub length: i32,
    pub winner: Key,
    pub loser: Key,
    /// The winner's rating after it, in thousandths of a point.
    pub winner_rating: i64,
    /// The winner's experience after it: the sum of their matches' lengths.
    pub winner_experience: i64,
    /// The loser's rating after it, in thousandths of a point.
    pub loser_rating: i64,
    /// The loser's experience after it.
    pub loser_experience: i64,
}

impl RatedMatchRow {
    /// The row of a match; the ratings after it come winner first.
    #[must_use]
    pub fn new(one: &Rated, [winner, loser]: [RatedPlayer; 2]) -> Self {
        Self {
            stream: Key(one.key.stream),
            division: i32::from(one.key.division),
            number: i64::from(one.key.number),
            finished_at: one.finished_at.into(),
            length: i32::from(one.length.points()),
            winner: one.winner.into(),
            loser: one.loser.into(),
            winner_rating: winner.rating.0,
            winner_experience: i64::from(winner.experience),
            loser_rating: loser.rating.0,
            loser_experience: i64::from(loser.experience),
        }
    }

    /// The match without its ratings.
    ///
    /// # Errors
    /// The row cannot have been written by this program.
    pub fn rated(&self) -> Result<Rated, StoreError> {
        let read = || {
            let division = u16::try_from(self.division).ok()?;
            let number = u32::try_from(self.number).ok()?;
            let length = Length::try_from(u16::try_from(self.length).ok()?).ok()?;
            let key = rated::Key { stream: self.stream.0, division, number };
            let (winner, loser) = (self.winner.into(), self.loser.into());
            Some(Rated { key, finished_at: self.finished_at.into(), length, winner, loser })
        };
        read().ok_or_else(|| BrokenHistory(format!("no rated match: {self:?}")).into())
    }

    /// The rating of `player` after it; `None` if they did not play it.
    #[must_use]
    pub fn standing(&self, player: PlayerId) -> Option<RatedPlayer> {
        let (rating, experience) = if self.winner == Key::from(player) {
            (self.winner_rating, self.winner_experience)
        } else if self.loser == Key::from(player) {
            (self.loser_rating, self.loser_experience)
        } else {
            return None;
        };
        Some(RatedPlayer {
            rating: Rating(rating),
            experience: u32::try_from(experience).unwrap_or(u32::MAX),
        })
    }
}

/// A player's current rating, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = rating)]
pub struct RatingRow {
    pub player: Key,
    /// In thousandths of a point.
    pub value: i64,
    /// The sum of the lengths of their rated matches.
    pub experience: i64,
    pub matches: i64,
}

impl RatingRow {
    #[must_use]
    pub fn standing(&self) -> RatedPlayer {
        let experience = u32::try_from(self.experience).unwrap_or(u32::MAX);
        RatedPlayer { rating: Rating(self.value), experience }
    }
}

/// Keeps other transactions from rating until this one ends: a rating depends on all matches before it.
/// (SQLite has a single writer and needs no lock.)
///
/// # Errors
/// The query failed.
pub fn lock(connection: &mut AnyConnection) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(_) => {}
        AnyConnection::Postgres(connection) => {
            use super::schema::rating_lock;
            rating_lock::table.select(rating_lock::id).for_update().load::<i16>(connection)?;
        }
    }
    Ok(())
}

/// The row of a rated match.
///
/// # Errors
/// The query failed.
pub fn find(connection: &mut AnyConnection, key: rated::Key) -> Result<Option<RatedMatchRow>, StoreError> {
    let place = (Key(key.stream), i32::from(key.division), i64::from(key.number));
    let query = rated_match::table.find(place).select(RatedMatchRow::as_select());
    Ok(query.get_result(connection).optional()?)
}

/// The last match in rating order.
///
/// # Errors
/// The query failed.
pub fn newest(connection: &mut AnyConnection) -> Result<Option<RatedMatchRow>, StoreError> {
    let query = rated_match::table.order((
        rated_match::finished_at.desc(),
        rated_match::stream.desc(),
        rated_match::division.desc(),
        rated_match::number.desc(),
    ));
    Ok(query.select(RatedMatchRow::as_select()).limit(1).get_result(connection).optional()?)
}

/// The condition for rows after (or before) a place in rating order. It repeats the comparison of
/// `finished_at` on its own, so that the index is used.
macro_rules! beyond {
    ($place:expr, $strictly:ident, $at_least:ident) => {{
        let RatingOrder { finished_at, key } = $place;
        let (at, stream) = (Moment(finished_at), Key(key.stream));
        let (division, number) = (i32::from(key.division), i64::from(key.number));
        rated_match::finished_at.$at_least(at).and(
            rated_match::finished_at.$strictly(at).or(rated_match::stream.$strictly(stream).or(
                rated_match::stream.eq(stream).and(
                    rated_match::division
                        .$strictly(division)
                        .or(rated_match::division.eq(division).and(rated_match::number.$strictly(number))),
                ),
            )),
        )
    }};
}

/// Matches after `place`, or from the first on, in rating order.
///
/// # Errors
/// The query failed.
pub fn after(
    connection: &mut AnyConnection,
    place: Option<RatingOrder>,
    limit: i64,
) -> Result<Vec<RatedMatchRow>, StoreError> {
    let mut query = rated_match::table
        .order((rated_match::finished_at, rated_match::stream, rated_match::division, rated_match::number))
        .select(RatedMatchRow::as_select())
        .limit(limit)
        .into_boxed();
    if let Some(place) = place {
        query = query.filter(beyond!(place, gt, ge));
    }
    Ok(query.load(connection)?)
}

/// A player's newest matches, or the newest before `place`, newest first, each with where it was played.
/// Matches won and matches lost are read separately, each by its own index.
///
/// # Errors
/// The query failed.
pub fn before(
    connection: &mut AnyConnection,
    player: PlayerId,
    place: Option<RatingOrder>,
    limit: i64,
) -> Result<Vec<(RatedMatchRow, Source)>, StoreError> {
    let player = Key::from(player);
    let mut rows: Vec<(RatedMatchRow, String)> = Vec::new();
    for won in [true, false] {
        let mut query = rated_match::table
            .inner_join(stream::table)
            .order((
                rated_match::finished_at.desc(),
                rated_match::stream.desc(),
                rated_match::division.desc(),
                rated_match::number.desc(),
            ))
            .select((RatedMatchRow::as_select(), stream::kind))
            .limit(limit)
            .into_boxed();
        query = match won {
            true => query.filter(rated_match::winner.eq(player)),
            false => query.filter(rated_match::loser.eq(player)),
        };
        if let Some(place) = place {
            query = query.filter(beyond!(place, lt, le));
        }
        rows.extend(query.load::<(RatedMatchRow, String)>(connection)?);
    }
    rows.sort_by_key(|(row, _)| std::cmp::Reverse((row.finished_at, row.stream, row.division, row.number)));
    rows.truncate(usize::try_from(limit).unwrap_or(0));
    let known = |(row, kind): (RatedMatchRow, String)| {
        let source = Source::from_parts(&kind, row.stream.0);
        Ok((row, source.ok_or_else(|| BrokenHistory(format!("a {kind} has no matches")))?))
    };
    rows.into_iter().map(known).collect()
}

/// Inserts a match.
///
/// # Errors
/// The query failed.
pub fn insert(connection: &mut AnyConnection, row: &RatedMatchRow) -> Result<(), StoreError> {
    diesel::insert_into(rated_match::table).values(row).execute(connection)?;
    Ok(())
}

/// Updates the ratings of existing matches. On PostgreSQL that is one statement, because each would cost a
/// round trip.
///
/// # Errors
/// The query failed.
pub fn update(connection: &mut AnyConnection, rows: &[RatedMatchRow]) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => {
            for row in rows {
                let place = (row.stream, row.division, row.number);
                diesel::update(rated_match::table.find(place)).set(row).execute(connection)?;
            }
        }
        AnyConnection::Postgres(connection) => {
            use diesel::upsert::excluded;
            diesel::insert_into(rated_match::table)
                .values(rows)
                .on_conflict((rated_match::stream, rated_match::division, rated_match::number))
                .do_update()
                .set((
                    rated_match::winner_rating.eq(excluded(rated_match::winner_rating)),
                    rated_match::winner_experience.eq(excluded(rated_match::winner_experience)),
                    rated_match::loser_rating.eq(excluded(rated_match::loser_rating)),
                    rated_match::loser_experience.eq(excluded(rated_match::loser_experience)),
                ))
                .execute(connection)?;
        }
    }
    Ok(())
}

/// Deletes a match.
///
/// # Errors
/// The query failed.
pub fn remove(connection: &mut AnyConnection, key: rated::Key) -> Result<(), StoreError> {
    let place = (Key(key.stream), i32::from(key.division), i64::from(key.number));
    diesel::delete(rated_match::table.find(place)).execute(connection)?;
    Ok(())
}

/// A player's current rating, or `None` if they have no rated match.
///
/// # Errors
/// The query failed.
pub fn rating_of(connection: &mut AnyConnection, player: PlayerId) -> Result<Option<RatingRow>, StoreError> {
    let query = rating::table.find(Key::from(player)).select(RatingRow::as_select());
    Ok(query.get_result(connection).optional()?)
}

/// Inserts or updates a player's current rating, or deletes it once they have no rated match.
///
/// # Errors
/// The query failed.
pub fn put_rating(connection: &mut AnyConnection, row: RatingRow) -> Result<(), StoreError> {
    if row.matches == 0 {
        diesel::delete(rating::table.find(row.player)).execute(connection)?;
        return Ok(());
    }
    SqlStatement::<_>::new(
        "INSERT INTO rating (player, rating, experience, matches) VALUES ($1, $2, $3, $4) ON CONFLICT (player) \
               DO UPDATE SET rating = excluded.rating, experience = excluded.experience, matches = excluded.matches",
    )
    .value::<Id, _>(row.player)
    .value::<BigInt, _>(row.value)
    .value::<BigInt, _>(row.experience)
    .value::<BigInt, _>(row.matches)
    .execute(connection)?;
    Ok(())
}

/// A page of ratings, best first. `after` is the rating and player the page before ended with.
///
/// # Errors
/// The query failed.
pub fn best(
    connection: &mut AnyConnection,
    after: Option<(i64, PlayerId)>,
    limit: i64,
) -> Result<Vec<RatingRow>, StoreError> {
    let mut query = rating::table
        .order((rating::value.desc(), rating::player))
        .select(RatingRow::as_select())
        .limit(limit)
        .into_boxed();
    if let Some((than, player)) = after {
        let behind = rating::value.eq(than).and(rating::player.gt(Key::from(player)));
        query = query.filter(rating::value.le(than).and(rating::value.lt(than).or(behind)));
    }
    Ok(query.load(connection)?)
}

/// Every rating, player by player.
///
/// # Errors
/// The query failed.
pub fn all_ratings(connection: &mut AnyConnection) -> Result<Vec<RatingRow>, StoreError> {
    Ok(rating::table.order(rating::player).select(RatingRow::as_select()).load(connection)?)
}
