//! Who of the staff has read the ledger of whom. A member may know it, so it is noted before the ledger is
//! shown.

use std::collections::BTreeMap;

use chrono::{Months, NaiveDate};
use serde::Serialize;

use super::require_own;
use crate::books::posting::exists;
use crate::{Actor, Desk, Principal, Refused};
use owlbox_base::journal::BrokenHistory;
use owlbox_base::values::{AccountId, Holder, PlayerId, Timestamp};
use owlbox_store::{AnyConnection, StoreError, accounts, players, readings as stored};

/// What of somebody was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Read {
    /// Their balances, statements, statistics.
    Ledger,
    /// All data about the player.
    Person,
    /// The books of the whole club, as a file.
    Books,
}

impl Read {
    const ALL: [Self; 3] = [Self::Ledger, Self::Person, Self::Books];

    /// The name in JSON and in the database. It cannot change.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ledger => "ledger",
            Self::Person => "person",
            Self::Books => "books",
        }
    }

    fn named(name: &str) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|what| what.name() == name);
        found.ok_or_else(|| BrokenHistory(format!("ledger_reading: {name} cannot be read")).into())
    }
}

/// That somebody of the staff has read a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReadingBody))]
pub struct Reading {
    /// The first time that day.
    pub at: Timestamp,
    /// The login that read it.
    #[serde(rename = "account")]
    pub reader: AccountId,
    /// Whose it is: the player's name, or else the login; null if it has neither any more.
    pub name: Option<String>,
    pub what: Read,
}

impl Desk {
    /// Notes that the caller reads what is somebody else's, if there is such a player. What was read at the
    /// service's own machine is not noted.
    pub(crate) async fn note_reading(
        &self,
        principal: &Principal,
        player: Option<PlayerId>,
        what: Read,
    ) -> Result<(), Refused> {
        let reader = principal.account;
        if reader == Actor::CONSOLE.account {
            return Ok(());
        }
        let at = self.now();
        let day = self.settings().await?.unwrap_or_default().night_of(at);
        let noted = &self.inner.memory.readings;
        let (known, generation) = noted.get(&(reader, player, day, what));
        if known.is_some() {
            return Ok(());
        }
        let row = stored::ReadingRow::new(player, day, reader, what.name(), at);
        self.inner
            .store
            .write(move |transaction| {
                if let Some(player) = player {
                    exists(transaction.connection()?, Holder::Player(player))?;
                }
                Ok::<_, Refused>(stored::note(transaction.connection()?, row.clone())?)
            })
            .await?;
        noted.keep((reader, player, day, what), (), generation);
        Ok(())
    }

    /// Who of the staff has read the ledger of a player, or the books of the club, newest first: at most
    /// `limit`, after the one with this moment and reader.
    ///
    /// # Errors
    /// There is no such player, or it is somebody else's and the caller may not see it.
    pub async fn readings(
        &self,
        actor: &Actor,
        player: PlayerId,
        after: Option<(Timestamp, AccountId)>,
        limit: i64,
    ) -> Result<Vec<Reading>, Refused> {
        require_own(&self.principal(actor).await?, player)?;
        self.read(move |connection| {
            exists(connection, Holder::Player(player))?;
            readings_of(connection, player, after, limit)
        })
        .await
    }
}

/// The same, for callers with a connection.
pub(super) fn readings_of(
    connection: &mut AnyConnection,
    player: PlayerId,
    after: Option<(Timestamp, AccountId)>,
    limit: i64,
) -> Result<Vec<Reading>, Refused> {
    let mut names: BTreeMap<AccountId, Option<String>> = BTreeMap::new();
    let mut readings = Vec::new();
    for row in stored::of_player(connection, player, after, limit)? {
        let name = match names.get(&row.reader) {
            Some(name) => name.clone(),
            None => names.entry(row.reader).or_insert(reader_name(connection, row.reader)?).clone(),
        };
        readings.push(Reading { at: row.at, reader: row.reader, name, what: Read::named(&row.what)? });
    }
    Ok(readings)
}

fn reader_name(connection: &mut AnyConnection, account: AccountId) -> Result<Option<String>, StoreError> {
    let Some(row) = accounts::find(connection, account)? else { return Ok(None) };
    let player =
        row.player.map(PlayerId::from).map(|player| players::find(connection, player)).transpose()?;
    Ok(player.flatten().map(|player| player.name).or(row.login))
}

/// The first day whose readings are kept: three years back.
pub(crate) fn kept_since(today: NaiveDate) -> NaiveDate {
    today.checked_sub_months(Months::new(36)).unwrap_or(today)
}
