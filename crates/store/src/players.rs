//! Players: the flags derived from the club's stream, and the personal columns. Those are plain records,
//! because a person must be erasable.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::schema::{entrant, ledger_transaction, match_sheet, player, posting, rated_match, seat};
use super::types::Key;
use owlbox_base::values::PlayerId;
use owlbox_books::club::meant::Search;

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = player, treat_none_as_null = true)]
pub struct PlayerRow {
    #[diesel(deserialize_as = Key, serialize_as = Key)]
    pub id: PlayerId,
    /// A guest rather than a member.
    pub guest: bool,
    pub active: bool,
    pub name: String,
    /// The folded name, which is unique.
    pub name_key: String,
    /// What the table calls them, if not by their name.
    pub nickname: Option<String>,
    /// Two letters, as in ISO 3166.
    pub country: Option<String>,
    pub club: Option<String>,
    pub contact: Option<String>,
    /// Anything the club wants to remember about them.
    pub notes: Option<String>,
    /// Their account at a bank.
    pub iban: Option<String>,
}

impl PlayerRow {
    /// The nickname, or else the name.
    #[must_use]
    pub fn display_name(&self) -> &str {
        self.nickname.as_deref().unwrap_or(&self.name)
    }
}

/// The row of one player.
///
/// # Errors
/// The query failed.
pub fn find(connection: &mut AnyConnection, id: PlayerId) -> Result<Option<PlayerRow>, StoreError> {
    Ok(player::table.find(Key::from(id)).select(PlayerRow::as_select()).get_result(connection).optional()?)
}

/// The row of one player, locked until the transaction ends: nobody is deactivated while they sit down, or
/// the other way round. (SQLite has a single writer and needs no lock.)
///
/// # Errors
/// The query failed.
pub fn find_locked(connection: &mut AnyConnection, id: PlayerId) -> Result<Option<PlayerRow>, StoreError> {
    match connection {
        AnyConnection::Sqlite(_) => find(connection, id),
        AnyConnection::Postgres(connection) => {
            let query = player::table.find(Key::from(id)).select(PlayerRow::as_select());
            Ok(query.for_no_key_update().get_result(connection).optional()?)
        }
    }
}

/// The player whose folded name is `name_key`.
///
/// # Errors
/// The query failed.
pub fn find_by_name(connection: &mut AnyConnection, name_key: &str) -> Result<Option<PlayerId>, StoreError> {
    let id: Option<Key> = player::table
        .filter(player::name_key.eq(name_key))
        .select(player::id)
        .get_result(connection)
        .optional()?;
    Ok(id.map(PlayerId::from))
}

/// Which players a list shows.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only players whose name or nickname this [finds](Search::finds).
    pub search: Option<String>,
    /// Only active players, or only inactive ones; all if `None`.
    pub active: Option<bool>,
}

/// A page of players in order of name, following `after`.
///
/// # Errors
/// The query failed.
pub fn page(
    connection: &mut AnyConnection,
    filter: &Filter,
    after: Option<PlayerId>,
    limit: i64,
) -> Result<Vec<PlayerRow>, StoreError> {
    if let Some(search) = filter.search.as_deref().map(Search::new).filter(|search| !search.is_empty()) {
        return found(connection, filter, &search, after, limit);
    }
    let mut query = player::table.into_boxed().order(player::name_key).limit(limit);
    if let Some(active) = filter.active {
        query = query.filter(player::active.eq(active));
    }
    if let Some(after) = after {
        let name: Option<String> = player::table
            .find(Key::from(after))
            .select(player::name_key)
            .get_result(connection)
            .optional()?;
        // Behind somebody who is not there is nobody.
        let Some(name) = name else { return Ok(Vec::new()) };
        query = query.filter(player::name_key.gt(name));
    }
    Ok(query.select(PlayerRow::as_select()).load(connection)?)
}

/// How many players a search reads at a time.
const LOOKED_THROUGH: i64 = 1_000;

/// The page of players whose name or nickname `search` finds. Neither database compares letters without their
/// accents, so the names are compared here, in order, until the page is full.
fn found(
    connection: &mut AnyConnection,
    filter: &Filter,
    search: &Search,
    mut after: Option<PlayerId>,
    limit: i64,
) -> Result<Vec<PlayerRow>, StoreError> {
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let all = Filter { search: None, active: filter.active };
    let mut rows = Vec::new();
    loop {
        let next = page(connection, &all, after, LOOKED_THROUGH)?;
        after = next.last().map(|row| row.id);
        let is_found = |row: &PlayerRow| {
            [Some(&row.name), row.nickname.as_ref()].into_iter().flatten().any(|name| search.finds(name))
        };
        rows.extend(next.into_iter().filter(is_found));
        rows.truncate(wanted);
        if after.is_none() || rows.len() >= wanted {
            return Ok(rows);
        }
    }
}

/// The display names of these players. Ids of nobody are left out.
///
/// # Errors
/// The query failed.
pub fn display_names(
    connection: &mut AnyConnection,
    ids: impl IntoIterator<Item = PlayerId>,
) -> Result<HashMap<PlayerId, String>, StoreError> {
    let ids: Vec<Key> = ids.into_iter().map(Key::from).collect();
    let mut names = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(PLAYERS) {
        let rows: Vec<(Key, Option<String>, String)> = player::table
            .filter(player::id.eq_any(ids))
            .select((player::id, player::nickname, player::name))
            .load(connection)?;
        names.extend(rows.into_iter().map(|(id, nickname, name)| (id.into(), nickname.unwrap_or(name))));
    }
    Ok(names)
}

/// The full names of these players. Ids of nobody are left out.
///
/// # Errors
/// The query failed.
pub fn full_names(
    connection: &mut AnyConnection,
    ids: impl IntoIterator<Item = PlayerId>,
) -> Result<Vec<(PlayerId, String)>, StoreError> {
    let ids: Vec<Key> = ids.into_iter().map(Key::from).collect();
    let mut names = Vec::with_capacity(ids.len());
    for ids in ids.chunks(PLAYERS) {
        let rows: Vec<(Key, String)> = player::table
            .filter(player::id.eq_any(ids))
            .select((player::id, player::name))
            .load(connection)?;
        names.extend(rows.into_iter().map(|(id, name)| (id.into(), name)));
    }
    Ok(names)
}

/// Everybody who is a guest rather than a member.
///
/// # Errors
/// The query failed.
pub fn guests(connection: &mut AnyConnection) -> Result<BTreeSet<PlayerId>, StoreError> {
    let ids: Vec<Key> = player::table.filter(player::guest).select(player::id).load(connection)?;
    Ok(ids.into_iter().map(PlayerId::from).collect())
}

/// What everybody is called: the full name, and the nickname if they have one.
///
/// # Errors
/// The query failed.
pub fn names(connection: &mut AnyConnection) -> Result<Vec<(PlayerId, String, Option<String>)>, StoreError> {
    let rows: Vec<(Key, String, Option<String>)> =
        player::table.select((player::id, player::name, player::nickname)).load(connection)?;
    Ok(rows.into_iter().map(|(id, name, nickname)| (id.into(), name, nickname)).collect())
}

/// Inserts a player.
///
/// # Errors
/// The name is taken ([`StoreError::violates`] `name_key`).
pub fn insert(connection: &mut AnyConnection, row: PlayerRow) -> Result<(), StoreError> {
    diesel::insert_into(player::table).values(row).execute(connection)?;
    Ok(())
}

/// Updates all columns of a player.
///
/// # Errors
/// The name is taken ([`StoreError::violates`] `name_key`).
pub fn update(connection: &mut AnyConnection, row: PlayerRow) -> Result<(), StoreError> {
    diesel::update(player::table.find(Key::from(row.id))).set(row).execute(connection)?;
    Ok(())
}

/// Updates the flags derived from the club's stream.
///
/// # Errors
/// The query failed.
pub fn set_flags(
    connection: &mut AnyConnection,
    id: PlayerId,
    guest: bool,
    active: bool,
) -> Result<(), StoreError> {
    diesel::update(player::table.find(Key::from(id)))
        .set((player::guest.eq(guest), player::active.eq(active)))
        .execute(connection)?;
    Ok(())
}

/// Whether a player has ever sat at a chouette, entered a tournament or played a match, or has a posting in
/// the books. Postings of the stream `but` do not count.
///
/// # Errors
/// The query failed.
pub fn has_history(
    connection: &mut AnyConnection,
    id: PlayerId,
    but: Option<Uuid>,
) -> Result<bool, StoreError> {
    let key = Key::from(id);
    let sat: i64 = seat::table.filter(seat::player.eq(key)).count().get_result(connection)?;
    let entered: i64 = entrant::table.filter(entrant::player.eq(key)).count().get_result(connection)?;
    let played: i64 = match_sheet::table
        .filter(match_sheet::upper_player.eq(key).or(match_sheet::lower_player.eq(key)))
        .count()
        .get_result(connection)?;
    let rated: i64 = rated_match::table
        .filter(rated_match::winner.eq(key).or(rated_match::loser.eq(key)))
        .count()
        .get_result(connection)?;
    let posted = posting::table.inner_join(ledger_transaction::table).filter(posting::holder.eq(key));
    let posted: i64 = match but {
        Some(stream) => {
            posted.filter(ledger_transaction::stream.ne(Key(stream))).count().get_result(connection)?
        }
        None => posted.count().get_result(connection)?,
    };
    Ok(sat + entered + played + rated + posted > 0)
}

/// All players, in order of id.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<PlayerRow>, StoreError> {
    Ok(player::table.order(player::id).select(PlayerRow::as_select()).load(connection)?)
}

/// Everybody's id.
///
/// # Errors
/// The query failed.
pub fn ids(connection: &mut AnyConnection) -> Result<Vec<PlayerId>, StoreError> {
    let ids: Vec<Key> = player::table.order(player::id).select(player::id).load(connection)?;
    Ok(ids.into_iter().map(PlayerId::from).collect())
}

/// What a draw needs to know about a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerOrigin {
    pub active: bool,
    /// Two letters, as in ISO 3166.
    pub country: Option<String>,
    pub club: Option<String>,
}

/// How many ids one query names; both databases limit the parameters of a query.
const PLAYERS: usize = 500;

/// The country, club and activity of these players. Ids of nobody are left out.
///
/// # Errors
/// The query failed.
pub fn origins(
    connection: &mut AnyConnection,
    ids: &[PlayerId],
) -> Result<HashMap<PlayerId, PlayerOrigin>, StoreError> {
    let mut found = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(PLAYERS) {
        let rows: Vec<(Key, bool, Option<String>, Option<String>)> = player::table
            .filter(player::id.eq_any(ids.iter().map(|id| Key::from(*id))))
            .select((player::id, player::active, player::country, player::club))
            .load(connection)?;
        let rows = rows
            .into_iter()
            .map(|(id, active, country, club)| (id.into(), PlayerOrigin { active, country, club }));
        found.extend(rows);
    }
    Ok(found)
}
