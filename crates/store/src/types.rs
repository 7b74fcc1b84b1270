//! The SQL types of our columns, and the conversion of our values to and from them in both databases.
//!
//! | type | PostgreSQL | SQLite |
//! |---|---|---|
//! | [`Id`] | `uuid` | hyphenated text |
//! | [`UtcTime`] | `timestamptz` | RFC 3339 with microseconds and `Z`: fixed width, so that it sorts |
//! | [`JsonDoc`] | `jsonb` | text |

use std::error::Error;

use chrono::{DateTime, SecondsFormat, Utc};
use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{HasSqlType, SqlType};
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::StoreError;
use super::connection::MultiBackend;
use owlbox_base::journal::BrokenHistory;
use owlbox_base::values::{
    AccountId, ActId, ChouetteId, MatchId, PlayerId, Timestamp, TournamentId, TransactionId,
};

#[derive(Clone, Copy, Debug, SqlType, QueryId)]
#[diesel(sqlite_type(name = "Text"))]
#[diesel(postgres_type(oid = 2950, array_oid = 2951))]
pub struct Id;

/// A moment with microsecond precision.
#[derive(Clone, Copy, Debug, SqlType, QueryId)]
#[diesel(sqlite_type(name = "Text"))]
#[diesel(postgres_type(oid = 1184, array_oid = 1185))]
pub struct UtcTime;

#[derive(Clone, Copy, Debug, SqlType, QueryId)]
#[diesel(sqlite_type(name = "Text"))]
#[diesel(postgres_type(oid = 3802, array_oid = 3807))]
pub struct JsonDoc;

macro_rules! known_to_both {
    ($($sql:ty),*) => {$(
        impl HasSqlType<$sql> for MultiBackend {
            fn metadata(lookup: &mut Self::MetadataLookup) -> Self::TypeMetadata {
                Self::lookup_sql_type::<$sql>(lookup)
            }
        }
    )*};
}
known_to_both!(Id, UtcTime, JsonDoc);

/// The Rust value of an [`Id`] column. Typed ids convert from and into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = Id)]
pub struct Key(pub Uuid);

impl From<Key> for Uuid {
    fn from(key: Key) -> Self {
        key.0
    }
}

/// The Rust value of a [`UtcTime`] column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = UtcTime)]
pub struct Moment(pub Timestamp);

/// The Rust value of a [`JsonDoc`] column: the document's text.
#[derive(Clone, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = JsonDoc)]
pub struct Json(pub String);

macro_rules! keys {
    ($($id:ident),*) => {$(
        impl From<$id> for Key {
            fn from(id: $id) -> Self {
                Self(id.0)
            }
        }
        impl From<Key> for $id {
            fn from(key: Key) -> Self {
                Self(key.0)
            }
        }
    )*};
}
keys!(PlayerId, AccountId, ChouetteId, ActId, TransactionId, TournamentId, MatchId);

impl From<Timestamp> for Moment {
    fn from(at: Timestamp) -> Self {
        Self(at)
    }
}
impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        moment.0
    }
}

/// A SHA-256 hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// As 64 hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            use std::fmt::Write as _;
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}
impl TryFrom<&[u8]> for Hash {
    type Error = StoreError;
    fn try_from(bytes: &[u8]) -> Result<Self, StoreError> {
        let bytes =
            bytes.try_into().map_err(|_| BrokenHistory(format!("a hash of {} bytes", bytes.len())))?;
        Ok(Self(bytes))
    }
}

/// Conversions for the common backend, which passes a value on to the actual one.
macro_rules! stored_in_both {
    ($($value:ty as $sql:ident),*) => {$(
        impl ToSql<$sql, MultiBackend> for $value {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, MultiBackend>) -> serialize::Result {
                out.set_value(($sql, self));
                Ok(IsNull::No)
            }
        }
        impl FromSql<$sql, MultiBackend> for $value {
            fn from_sql(bytes: <MultiBackend as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
                bytes.from_sql::<Self, $sql>()
            }
        }
    )*};
}
stored_in_both!(Key as Id, Moment as UtcTime, Json as JsonDoc);

type Broken = Box<dyn Error + Send + Sync>;

fn sqlite_text(bytes: <Sqlite as Backend>::RawValue<'_>) -> Result<String, Broken> {
    <String as FromSql<diesel::sql_types::Text, Sqlite>>::from_sql(bytes)
}

impl ToSql<Id, Sqlite> for Key {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.hyphenated().to_string());
        Ok(IsNull::No)
    }
}
impl FromSql<Id, Sqlite> for Key {
    fn from_sql(bytes: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(Uuid::parse_str(&sqlite_text(bytes)?)?))
    }
}

impl Moment {
    /// As it is stored in SQLite.
    pub(super) fn text(self) -> String {
        self.0.utc().to_rfc3339_opts(SecondsFormat::Micros, true)
    }
}

impl ToSql<UtcTime, Sqlite> for Moment {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.text());
        Ok(IsNull::No)
    }
}
impl FromSql<UtcTime, Sqlite> for Moment {
    fn from_sql(bytes: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        let text = sqlite_text(bytes)?;
        // Earlier versions accepted years of five digits, which RFC 3339 does not allow.
        let moment = match DateTime::parse_from_rfc3339(&text) {
            Ok(moment) => moment.with_timezone(&Utc),
            Err(_) => text.parse::<DateTime<Utc>>()?,
        };
        Ok(Self(moment.into()))
    }
}

impl ToSql<JsonDoc, Sqlite> for Json {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.as_str());
        Ok(IsNull::No)
    }
}
impl FromSql<JsonDoc, Sqlite> for Json {
    fn from_sql(bytes: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(sqlite_text(bytes)?))
    }
}

mod postgres {
    use std::io::Write;

    use diesel::pg::{Pg, PgValue};

    use super::*;

    impl ToSql<Id, Pg> for Key {
        fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
            out.write_all(self.0.as_bytes())?;
            Ok(IsNull::No)
        }
    }
    impl FromSql<Id, Pg> for Key {
        fn from_sql(bytes: PgValue<'_>) -> deserialize::Result<Self> {
            Ok(Self(Uuid::from_slice(bytes.as_bytes())?))
        }
    }

    /// PostgreSQL counts microseconds from the start of the year 2000; this is that moment in Unix time.
    const EPOCH_MICROSECONDS: i64 = 946_684_800_000_000;

    impl ToSql<UtcTime, Pg> for Moment {
        fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
            let since = self.0.utc().timestamp_micros() - EPOCH_MICROSECONDS;
            out.write_all(&since.to_be_bytes())?;
            Ok(IsNull::No)
        }
    }
    impl FromSql<UtcTime, Pg> for Moment {
        fn from_sql(bytes: PgValue<'_>) -> deserialize::Result<Self> {
            let since = i64::from_be_bytes(bytes.as_bytes().try_into()?);
            let moment = since
                .checked_add(EPOCH_MICROSECONDS)
                .and_then(DateTime::<Utc>::from_timestamp_micros)
                .ok_or("a moment out of range")?;
            Ok(Self(moment.into()))
        }
    }

    /// The version byte that precedes the text of a `jsonb` in the binary protocol.
    const JSONB_VERSION: u8 = 1;

    impl ToSql<JsonDoc, Pg> for Json {
        fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
            out.write_all(&[JSONB_VERSION])?;
            out.write_all(self.0.as_bytes())?;
            Ok(IsNull::No)
        }
    }
    impl FromSql<JsonDoc, Pg> for Json {
        fn from_sql(bytes: PgValue<'_>) -> deserialize::Result<Self> {
            match bytes.as_bytes().split_first() {
                Some((&JSONB_VERSION, text)) => Ok(Self(std::str::from_utf8(text)?.to_owned())),
                _ => Err("an unknown version of jsonb".into()),
            }
        }
    }
}
