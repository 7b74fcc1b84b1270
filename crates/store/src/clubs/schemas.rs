//! Clubs in one PostgreSQL database: a schema each, `club_NAME`, whose comment holds the salt of its keys.
//!
//! Nothing but plain statements on schemas and tables is used, and no statement reaches across two clubs:
//! that is what an engine that spreads schemas over machines can follow.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use diesel::connection::SimpleConnection as _;
use diesel::pg::Pg;
use diesel::prelude::{Connection as _, OptionalExtension as _, Queryable, RunQueryDsl as _};
use diesel::sql_types::{Bool, Integer, Nullable, Text};
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;

use super::{ClubLabel, ClubLocation, ClubsError, Identity, LET_GO_WITHIN};
use crate::notify::NotificationListener;
use crate::postgres::{self, PgConnection};
use crate::statement::SqlStatement;
use crate::{DatabaseUrl, StoreError, in_time, on_own_thread, shape};

const PREFIX: &str = "club_";
const ARCHIVED: &str = "away_";
/// What a club's comment begins with.
const MARK: &str = "owlbox ";
/// The first half of the advisory lock of anyone who wants a club alone; the second is the schema's number.
const ALONE: i32 = 0x6f77_6c63;
/// The same of a club that is open: shared by all who have it open, and had by the one who has it alone.
pub(crate) const IN_USE: i32 = 0x6f77_6c64;
/// The number of the schema that a connection's tables are in.
pub(crate) const OWN_SCHEMA: &str =
    "(SELECT oid::int8::bit(32)::int4 FROM pg_namespace WHERE nspname = current_schema())";

#[derive(Clone)]
pub struct Schemas(Arc<Inner>);

struct Inner {
    url: SecretString,
    /// For all clubs that are open.
    listener: NotificationListener,
    kept: Mutex<Kept>,
}

/// The connection for looking and finding, opened anew after it has failed.
#[derive(Default)]
struct Kept {
    connection: Option<PgConnection>,
    /// The numbers of the schemas that the connection keeps from being had alone.
    claimed: Vec<i32>,
}

/// Keeps everybody from having a club alone.
pub struct SharedSchemaLock {
    schemas: Schemas,
    number: i32,
}

impl Drop for SharedSchemaLock {
    fn drop(&mut self) {
        // Anyone who drops a store may do so in asynchronous code.
        let released = on_own_thread(|| {
            self.schemas.release(self.number);
            Ok(())
        });
        if let Err(error) = released {
            tracing::error!(%error, "a club stays claimed");
        }
    }
}

/// A schema held alone.
pub struct SchemaLock {
    connection: PgConnection,
    schema: String,
}

impl Drop for SchemaLock {
    /// Gives the club back at once: the server notices the end of a connection only some time after it.
    fn drop(&mut self) {
        // A connection that fails has ended, and its locks end with it.
        drop(self.connection.batch_execute("SELECT pg_advisory_unlock_all()"));
    }
}

#[derive(Queryable)]
struct FoundSchema {
    name: String,
    said: Option<String>,
    alone: bool,
}

impl FoundSchema {
    fn label(&self) -> Option<ClubLabel> {
        self.name.strip_prefix(PREFIX)?.replace('_', "-").parse().ok()
    }

    /// The salt of a schema that is a club.
    fn salt(&self) -> Option<Uuid> {
        Uuid::parse_str(self.said.as_deref()?.strip_prefix(MARK)?).ok()
    }
}

/// The name of a club's schema, which needs no quotes: a label has no underscore.
fn schema(label: &ClubLabel) -> String {
    format!("{PREFIX}{}", label.as_str().replace('-', "_"))
}

fn comment(schema: &str, salt: Uuid) -> String {
    format!("COMMENT ON SCHEMA {schema} IS '{MARK}{salt}'")
}

impl Schemas {
    pub(super) fn at(url: &SecretString) -> Result<Self, ClubsError> {
        let options = url.expose_secret().split_once('?').map_or("", |(_, options)| options);
        let names_a_schema = options.split('&').any(|option| {
            percent_decode_str(option.split('=').next().unwrap_or_default()).decode_utf8_lossy() == "options"
        });
        if names_a_schema {
            return Err(ClubsError::Place(
                "without `options` where there are many clubs, which have a schema each",
            ));
        }
        Ok(Self(Arc::new(Inner {
            url: url.clone(),
            listener: NotificationListener::of_many(url),
            kept: Mutex::default(),
        })))
    }

    fn connect(&self) -> Result<PgConnection, StoreError> {
        Ok(postgres::connect(self.0.url.expose_secret())?)
    }

    pub(super) fn listener(&self) -> NotificationListener {
        self.0.listener.clone()
    }

    /// Asks on the connection that is kept, and once more on a new one if that fails: the server may have
    /// restarted.
    fn ask<T>(
        &self,
        query: impl Fn(&mut PgConnection) -> Result<T, diesel::result::Error>,
    ) -> Result<T, ClubsError> {
        self.ask_on(&mut self.kept(), query)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask_on<T>(
        &self,
        kept: &mut Kept,
        query: impl Fn(&mut PgConnection) -> Result<T, diesel::result::Error>,
    ) -> Result<T, ClubsError> {
        if let Some(connection) = kept.connection.as_mut() {
            match query(connection) {
                // With the connection all claims would go, so it has to have failed itself.
                Err(error) if connection.batch_execute("SELECT 1").is_ok() => return Err(error.into()),
                Err(_) => kept.connection = None,
                Ok(found) => return Ok(found),
            }
        }
        let mut connection = self.connect()?;
        // What is had alone meanwhile is not to be claimed again; it is found wanted then, and closed.
        SqlStatement::<Pg>::new("SELECT pg_try_advisory_lock_shared($1, number) FROM unnest($2) AS number")
            .value::<Integer, _>(IN_USE)
            .array::<Integer, _>(kept.claimed.iter().copied())
            .execute(&mut connection)?;
        Ok(query(kept.connection.insert(connection))?)
    }

    pub(super) fn list(&self) -> Result<Vec<ClubLabel>, ClubsError> {
        let all = self.ask(|connection| {
            SqlStatement::<Pg, (Text, Nullable<Text>, Bool)>::new(
                "SELECT nspname::text, obj_description(oid, 'pg_namespace'), false \
                 FROM pg_namespace WHERE nspname LIKE 'club\\_%'",
            )
            .load::<FoundSchema>(connection)
        })?;
        Ok(all.iter().filter(|found| found.salt().is_some()).filter_map(FoundSchema::label).collect())
    }

    /// What there is of these schemas.
    fn look(&self, schemas: &[String]) -> Result<Vec<FoundSchema>, ClubsError> {
        self.ask(|connection| {
            SqlStatement::<Pg, (Text, Nullable<Text>, Bool)>::new(
                "SELECT nspname::text, obj_description(n.oid, 'pg_namespace'), EXISTS ( \
                     SELECT FROM pg_locks \
                     WHERE locktype = 'advisory' AND classid = $2::oid AND objid = n.oid AND objsubid = 2 AND granted \
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) \
                 FROM pg_namespace n WHERE nspname = ANY($1)",
            )
            .array::<Text, _>(schemas.iter().cloned())
            .value::<Integer, _>(ALONE)
            .load::<FoundSchema>(connection)
        })
    }

    /// Where the club is, and whether somebody has it alone.
    fn there(&self, label: &ClubLabel) -> Result<(ClubLocation, bool), ClubsError> {
        let schema = schema(label);
        let found = self.look(std::slice::from_ref(&schema))?.pop();
        let club = found.and_then(|found| Some((self.location(&schema, found.salt()?), found.alone)));
        club.ok_or_else(|| ClubsError::NoSuchClub(label.clone()))
    }

    pub(super) fn find(&self, label: &ClubLabel) -> Result<ClubLocation, ClubsError> {
        let (location, alone) = self.there(label)?;
        if alone { Err(ClubsError::Borrowed(label.clone())) } else { Ok(location) }
    }

    fn location(&self, schema: &str, salt: Uuid) -> ClubLocation {
        let url = self.0.url.expose_secret();
        let joint = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{joint}options=-csearch_path%3D{schema}");
        ClubLocation { url: DatabaseUrl::Postgres(url.into()), identity: Identity::Salt(salt) }
    }

    pub(super) fn wanted(&self, open: &[(ClubLabel, Identity)]) -> Result<Vec<ClubLabel>, ClubsError> {
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let schemas: Vec<String> = open.iter().map(|(label, _)| schema(label)).collect();
        let found = self.look(&schemas)?;
        let is_ours = |schema: &String, identity: &Identity| {
            found.iter().any(|found| {
                found.name == *schema && !found.alone && found.salt().map(Identity::Salt) == Some(*identity)
            })
        };
        let gone = open.iter().zip(&schemas).filter(|((_, identity), schema)| !is_ours(schema, identity));
        Ok(gone.map(|((label, _), _)| label.clone()).collect())
    }

    pub(super) fn create(&self, label: &ClubLabel) -> Result<ClubLocation, ClubsError> {
        let (schema, salt) = (schema(label), Uuid::now_v7());
        self.change(label, &format!("CREATE SCHEMA {schema}; {}", comment(&schema, salt)))?;
        Ok(self.location(&schema, salt))
    }

    pub(super) fn adopt(
        &self,
        label: &ClubLabel,
        from: &str,
    ) -> Result<(ClubLocation, Vec<String>), ClubsError> {
        let why =
            "give a schema of the same database that is not one of the many; a SQLite file cannot become one";
        let no_club = || ClubsError::NoClub { from: from.to_owned(), why };
        // What is renamed is named in the statement.
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if from.is_empty() || !from.chars().all(plain) || from.starts_with(PREFIX) {
            return Err(no_club());
        }
        let journal = format!("{from}.journal");
        let is_club = self.ask(|connection| {
            SqlStatement::<Pg, Bool>::new("SELECT to_regclass($1) IS NOT NULL")
                .value::<Text, _>(journal.clone())
                .get_result::<bool>(connection)
        })?;
        if !is_club {
            return Err(no_club());
        }
        let found = self.look(&[from.to_owned()])?.pop().ok_or_else(no_club)?;
        // Before any of its triggers or views is used.
        let DatabaseUrl::Postgres(url) = self.location(from, Uuid::nil()).url else { return Err(no_club()) };
        let left =
            shape::admit_schema(&mut postgres::connect(url.expose_secret()).map_err(StoreError::from)?)?;
        let (schema, salt) = (schema(label), found.salt().unwrap_or_else(Uuid::now_v7));
        self.change(label, &format!("ALTER SCHEMA {from} RENAME TO {schema}; {}", comment(&schema, salt)))?;
        Ok((self.location(&schema, salt), left))
    }

    /// Carries out statements, as one, that bring a club of this name.
    fn change(&self, label: &ClubLabel, sql: &str) -> Result<(), ClubsError> {
        let mut connection = self.connect()?;
        named_anew(&mut connection, label, sql)
    }

    /// Takes an advisory lock on the club's schema, and says whether it was free.
    fn lock(connection: &mut PgConnection, purpose: i32, schema: &str) -> Result<bool, ClubsError> {
        let sql = "SELECT coalesce(pg_try_advisory_lock($1, \
                   (SELECT oid::int8::bit(32)::int4 FROM pg_namespace WHERE nspname = $2)), false)";
        Ok(SqlStatement::<Pg, Bool>::new(sql)
            .value::<Integer, _>(purpose)
            .value::<Text, _>(schema.to_owned())
            .get_result(connection)?)
    }

    /// Keeps everybody from having the club alone; and where it is.
    pub(super) fn claim(&self, label: &ClubLabel) -> Result<(SharedSchemaLock, ClubLocation), ClubsError> {
        let (mut kept, schema) = (self.kept(), schema(label));
        let claimed = self.ask_on(&mut kept, |connection| {
            SqlStatement::<Pg, (Integer, Bool)>::new(
                "SELECT number, pg_try_advisory_lock_shared($1, number) FROM ( \
                     SELECT oid::int8::bit(32)::int4 AS number FROM pg_namespace WHERE nspname = $2) AS schema",
            )
            .value::<Integer, _>(IN_USE)
            .value::<Text, _>(schema.clone())
            .get_result::<(i32, bool)>(connection)
            .optional()
        })?;
        let claim = claimed.filter(|(_, is_taken)| *is_taken).map(|(number, _)| {
            kept.claimed.push(number);
            SharedSchemaLock { schemas: self.clone(), number }
        });
        drop(kept);
        // Looked at with the lock in hand: from now on it stays where it is.
        let location = self.find(label)?;
        Ok((claim.ok_or_else(|| ClubsError::Borrowed(label.clone()))?, location))
    }

    fn release(&self, number: i32) {
        let mut kept = self.kept();
        let Some(place) = kept.claimed.iter().position(|&claimed| claimed == number) else { return };
        kept.claimed.swap_remove(place);
        let released = kept.connection.as_mut().map(|connection| {
            SqlStatement::<Pg>::new("SELECT pg_advisory_unlock_shared($1, $2)")
                .value::<Integer, _>(IN_USE)
                .value::<Integer, _>(number)
                .execute(connection)
        });
        // The next who asks opens another one, and claims what is still in use.
        if released.is_some_and(|released| released.is_err()) {
            kept.connection = None;
        }
    }

    pub(super) fn borrow(&self, label: &ClubLabel) -> Result<SchemaLock, ClubsError> {
        let mut held = SchemaLock { connection: self.connect()?, schema: schema(label) };
        let mut taken = |purpose| {
            in_time(LET_GO_WITHIN, || {
                self.there(label)?;
                let taken = Self::lock(&mut held.connection, purpose, &held.schema)?;
                Ok::<_, ClubsError>(taken.then_some(()))
            })
        };
        taken(ALONE)?.ok_or_else(|| ClubsError::Borrowed(label.clone()))?;
        // Services see that, and close it.
        taken(IN_USE)?.ok_or_else(|| ClubsError::InUse(label.clone()))?;
        Ok(held)
    }

    pub(super) fn rename(&self, mut held: SchemaLock, to: &ClubLabel) -> Result<(), ClubsError> {
        let sql = format!("ALTER SCHEMA {} RENAME TO {}", held.schema, schema(to));
        named_anew(&mut held.connection, to, &sql)
    }

    pub(super) fn archive(&self, mut held: SchemaLock, name: &str) -> Result<String, ClubsError> {
        let archived = format!("{ARCHIVED}{}", name.replace('-', "_"));
        held.connection.batch_execute(&format!("ALTER SCHEMA {} RENAME TO {archived}", held.schema))?;
        Ok(archived)
    }
}

/// Carries out statements, as one, after which there is a club of this name.
fn named_anew(connection: &mut PgConnection, label: &ClubLabel, sql: &str) -> Result<(), ClubsError> {
    let done = connection.transaction(|connection| connection.batch_execute(sql));
    // The name is looked at after the refusal, so that nobody can get in between.
    done.map_err(|error| {
        let is_there = SqlStatement::<Pg>::new("SELECT 1 FROM pg_namespace WHERE nspname = $1")
            .value::<Text, _>(schema(label))
            .execute(connection);
        if is_there.is_ok_and(|rows| rows > 0) { ClubsError::Exists(label.clone()) } else { error.into() }
    })
}
