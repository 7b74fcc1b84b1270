//! The club's settings and accounts, derived from the club's stream. Logins and tokens are in
//! [`credentials`](super::credentials).

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Nullable, SmallInt};
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::postgres::PipelinedConnection;
use super::schema::{account, club, credential, token_epoch};
use super::statement::SqlStatement;
use super::types::{Id, Json, Key};
use owlbox_base::journal::BrokenHistory;
use owlbox_base::permissions::Roles;
use owlbox_base::values::{AccountId, PlayerId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = account, treat_none_as_null = true)]
pub struct AccountRow {
    pub id: Key,
    /// `None` if the account belongs to nobody who plays.
    pub player: Option<Key>,
    #[diesel(deserialize_as = i16, serialize_as = i16)]
    pub roles: Roles,
    pub active: bool,
}

/// What authorising a request needs to know about its account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountStanding {
    /// `None` if the account belongs to nobody who plays.
    pub player: Option<PlayerId>,
    pub roles: Roles,
    pub active: bool,
    /// Access tokens of an earlier epoch are no longer valid.
    pub epoch: i32,
}

/// Player, roles, whether it is active, and the epoch of its tokens.
type StandingRow = (Option<Key>, i16, bool, i32);

impl AccountStanding {
    fn read(id: AccountId, (player, roles, active, epoch): StandingRow) -> Result<Self, StoreError> {
        let roles = Roles::from_bits(roles).map_err(|error| BrokenHistory(format!("{id:?}: {error}")))?;
        Ok(Self { player: player.map(PlayerId::from), roles, active, epoch })
    }
}

/// The standing of an account, or `None` if there is no such account.
///
/// # Errors
/// The query failed, or the stored roles are not ones this program knows.
pub fn standing(
    connection: &mut AnyConnection,
    id: AccountId,
) -> Result<Option<AccountStanding>, StoreError> {
    let query = "SELECT player, roles, active, epoch FROM account \
                 JOIN token_epoch ON token_epoch.account = account.id WHERE account.id = $1";
    let standing =
        SqlStatement::<_, (Nullable<Id>, SmallInt, Bool, Integer)>::new(query).value::<Id, _>(Key::from(id));
    let row: Option<StandingRow> = standing.get_result(connection).optional()?;
    row.map(|row| AccountStanding::read(id, row)).transpose()
}

/// The standings of all these accounts; `None` for those that do not exist.
pub(super) async fn standings(
    asked: PipelinedConnection<'_>,
    ids: BTreeSet<AccountId>,
) -> Result<HashMap<AccountId, Option<AccountStanding>>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let standings = account::table
        .inner_join(token_epoch::table.on(token_epoch::account.eq(account::id)))
        .filter(account::id.eq_any(ids.iter().copied().map(Key::from).collect::<Vec<_>>()))
        .select((account::id, (account::player, account::roles, account::active, token_epoch::epoch)));
    let rows: Vec<(Key, StandingRow)> = asked.load(standings).await?;
    let mut found: HashMap<_, _> = ids.into_iter().map(|id| (id, None)).collect();
    for (id, row) in rows {
        let id = id.into();
        found.insert(id, Some(AccountStanding::read(id, row)?));
    }
    Ok(found)
}

/// Inserts or updates an account. A new one starts at token epoch 1.
///
/// # Errors
/// The player already has another account.
pub fn put(connection: &mut AnyConnection, row: AccountRow) -> Result<(), StoreError> {
    if diesel::update(account::table.find(row.id)).set(row).execute(connection)? == 0 {
        diesel::insert_into(account::table).values(row).execute(connection)?;
        diesel::insert_into(token_epoch::table)
            .values((token_epoch::account.eq(row.id), token_epoch::epoch.eq(1)))
            .execute(connection)?;
    }
    Ok(())
}

/// Locks an account's credentials until the transaction ends, so that a sign-in and a sign-out everywhere
/// cannot run side by side and leave the new session alive.
///
/// # Errors
/// The query failed.
pub fn lock(connection: &mut AnyConnection, id: AccountId) -> Result<(), StoreError> {
    let row = token_epoch::table.find(Key::from(id)).select(token_epoch::epoch);
    let _: Option<i32> = match connection {
        // SQLite has a single writer and needs no lock.
        AnyConnection::Sqlite(connection) => row.get_result(connection).optional()?,
        AnyConnection::Postgres(connection) => row.for_update().get_result(connection).optional()?,
    };
    Ok(())
}

/// Invalidates every access token issued to an account so far.
///
/// # Errors
/// The query failed.
pub fn raise_epoch(connection: &mut AnyConnection, id: AccountId) -> Result<(), StoreError> {
    diesel::update(token_epoch::table.find(Key::from(id)))
        .set(token_epoch::epoch.eq(token_epoch::epoch + 1))
        .execute(connection)?;
    Ok(())
}

/// An account as lists show it, with its login.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Listed {
    #[diesel(deserialize_as = Key)]
    pub id: AccountId,
    pub player: Option<Key>,
    #[diesel(deserialize_as = i16)]
    pub roles: Roles,
    pub active: bool,
    /// `None` until the invitation is claimed.
    pub login: Option<String>,
}

/// A page of accounts, oldest first: ids sort by creation time.
///
/// # Errors
/// The query failed.
pub fn page(
    connection: &mut AnyConnection,
    after: Option<AccountId>,
    limit: i64,
) -> Result<Vec<Listed>, StoreError> {
    let after = after.map_or(Uuid::nil(), |id| id.0);
    Ok(account::table
        .left_join(credential::table.on(credential::account.eq(account::id)))
        .filter(account::id.gt(Key(after)))
        .order(account::id)
        .limit(limit)
        .select((account::id, account::player, account::roles, account::active, credential::login.nullable()))
        .load(connection)?)
}

/// One account as lists show it.
///
/// # Errors
/// The query failed.
pub fn find(connection: &mut AnyConnection, id: AccountId) -> Result<Option<Listed>, StoreError> {
    Ok(account::table
        .left_join(credential::table.on(credential::account.eq(account::id)))
        .filter(account::id.eq(Key::from(id)))
        .select((account::id, account::player, account::roles, account::active, credential::login.nullable()))
        .get_result(connection)
        .optional()?)
}

/// The account of a player, or `None` if they have none.
///
/// # Errors
/// The query failed.
pub fn of_player(connection: &mut AnyConnection, player: PlayerId) -> Result<Option<Listed>, StoreError> {
    Ok(account::table
        .left_join(credential::table.on(credential::account.eq(account::id)))
        .filter(account::player.eq(Key::from(player)))
        .select((account::id, account::player, account::roles, account::active, credential::login.nullable()))
        .get_result(connection)
        .optional()?)
}

/// Every account, in order of id.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<AccountRow>, StoreError> {
    Ok(account::table.order(account::id).select(AccountRow::as_select()).load(connection)?)
}

/// The club's settings as JSON, or `None` before the club is set up.
///
/// # Errors
/// The query failed.
pub fn settings(connection: &mut AnyConnection, id: Uuid) -> Result<Option<String>, StoreError> {
    let json: Option<Json> =
        club::table.find(Key(id)).select(club::settings).get_result(connection).optional()?;
    Ok(json.map(|json| json.0))
}

/// Every row of settings with its id. There is exactly one, unless the database is damaged.
///
/// # Errors
/// The query failed.
pub fn all_settings(connection: &mut AnyConnection) -> Result<Vec<(Uuid, String)>, StoreError> {
    let rows: Vec<(Key, Json)> =
        club::table.order(club::id).select((club::id, club::settings)).load(connection)?;
    Ok(rows.into_iter().map(|(id, json)| (id.0, json.0)).collect())
}

/// Inserts or updates the club's settings, given as JSON.
///
/// # Errors
/// The query failed.
pub fn put_settings(connection: &mut AnyConnection, id: Uuid, settings: String) -> Result<(), StoreError> {
    let settings = Json(settings);
    if diesel::update(club::table.find(Key(id))).set(club::settings.eq(&settings)).execute(connection)? == 0 {
        diesel::insert_into(club::table)
            .values((club::id.eq(Key(id)), club::settings.eq(&settings)))
            .execute(connection)?;
    }
    Ok(())
}
