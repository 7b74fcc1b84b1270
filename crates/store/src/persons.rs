//! Everything that is kept of one person, beside the books.

use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::credentials::api_tokens::ApiToken;
use super::schema::{
    api_token, chouette, entrant, game_tally, journal, match_sheet, rated_match, seat, session, stream,
    tournament,
};
use super::types::{Key, Moment};
use super::{chouettes, matches, ratings, statistics, tournaments};
use owlbox_base::values::{AccountId, ActId, PlayerId, Timestamp};

/// A seat at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSeat {
    pub table: chouettes::ChouetteRow,
    /// In half points.
    pub score: i64,
}

/// The tables a player ever sat at, oldest first.
///
/// # Errors
/// The query failed.
pub fn seats(connection: &mut AnyConnection, player: PlayerId) -> Result<Vec<PlayerSeat>, StoreError> {
    let rows: Vec<(chouettes::ChouetteRow, i64)> = seat::table
        .inner_join(chouette::table)
        .filter(seat::player.eq(Key::from(player)))
        .order(chouette::id)
        .select((chouettes::ChouetteRow::as_select(), seat::score))
        .load(connection)?;
    Ok(rows.into_iter().map(|(table, score)| PlayerSeat { table, score }).collect())
}

/// The matches and money sessions of a player, oldest first.
///
/// # Errors
/// The query failed.
pub fn matches(
    connection: &mut AnyConnection,
    player: PlayerId,
) -> Result<Vec<matches::MatchRow>, StoreError> {
    let key = Key::from(player);
    Ok(match_sheet::table
        .filter(match_sheet::upper_player.eq(key).or(match_sheet::lower_player.eq(key)))
        .order(match_sheet::id)
        .select(matches::MatchRow::as_select())
        .load(connection)?)
}

/// The tournaments a player has entered, oldest first.
///
/// # Errors
/// The query failed.
pub fn tournaments(
    connection: &mut AnyConnection,
    player: PlayerId,
) -> Result<Vec<tournaments::TournamentRow>, StoreError> {
    Ok(entrant::table
        .inner_join(tournament::table)
        .filter(entrant::player.eq(Key::from(player)))
        .order(tournament::id)
        .select(tournaments::TournamentRow::as_select())
        .load(connection)?)
}

/// The rated matches of a player, oldest first.
///
/// # Errors
/// The query failed.
pub fn rated_matches(
    connection: &mut AnyConnection,
    player: PlayerId,
) -> Result<Vec<ratings::RatedMatchRow>, StoreError> {
    let key = Key::from(player);
    Ok(rated_match::table
        .filter(rated_match::winner.eq(key).or(rated_match::loser.eq(key)))
        .order((rated_match::finished_at, rated_match::stream, rated_match::number))
        .select(ratings::RatedMatchRow::as_select())
        .load(connection)?)
}

/// The tallies of a player's games, oldest first.
///
/// # Errors
/// The query failed.
pub fn tallies(
    connection: &mut AnyConnection,
    player: PlayerId,
) -> Result<Vec<statistics::TallyRow>, StoreError> {
    Ok(game_tally::table
        .filter(game_tally::player.eq(Key::from(player)))
        .order(game_tally::day)
        .select(statistics::TallyRow::as_select())
        .load(connection)?)
}

/// A session of a login.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct SessionPeriod {
    #[diesel(deserialize_as = Moment)]
    pub started_at: Timestamp,
    #[diesel(deserialize_as = Moment)]
    pub ends_at: Timestamp,
}

/// The sessions of an account that are still kept, oldest first.
///
/// # Errors
/// The query failed.
pub fn sessions(
    connection: &mut AnyConnection,
    account: AccountId,
) -> Result<Vec<SessionPeriod>, StoreError> {
    Ok(session::table
        .filter(session::account.eq(Key::from(account)))
        .order(session::id)
        .select((session::started_at, session::ends_at))
        .load(connection)?)
}

/// All API tokens of an account that are still kept, oldest first.
///
/// # Errors
/// The query failed.
pub fn api_tokens(connection: &mut AnyConnection, account: AccountId) -> Result<Vec<ApiToken>, StoreError> {
    Ok(api_token::table
        .filter(api_token::account.eq(Key::from(account)))
        .order(api_token::id)
        .select(ApiToken::as_select())
        .load(connection)?)
}

/// An entry of the journal that an account wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthoredEntry {
    pub stream: Uuid,
    /// The kind of stream.
    pub of: String,
    pub version: i64,
    pub act: ActId,
    /// The kind of event.
    pub kind: String,
    pub at: Timestamp,
}

/// Everything an account has written to the journal, oldest first.
///
/// # Errors
/// The query failed.
pub fn authored_entries(
    connection: &mut AnyConnection,
    account: AccountId,
) -> Result<Vec<AuthoredEntry>, StoreError> {
    let rows: Vec<(Key, String, i64, Key, String, Moment)> = journal::table
        .inner_join(stream::table)
        .filter(journal::account.eq(Key::from(account)))
        .order((journal::at, journal::stream, journal::version))
        .select((journal::stream, stream::kind, journal::version, journal::act, journal::kind, journal::at))
        .load(connection)?;
    let row = |(stream, of, version, act, kind, at): (Key, String, i64, Key, String, Moment)| AuthoredEntry {
        stream: stream.0,
        of,
        version,
        act: act.into(),
        kind,
        at: at.0,
    };
    Ok(rows.into_iter().map(row).collect())
}
