//! The shape of the database (tables, columns, indexes, constraints, triggers and their functions, views) as
//! it is, and as the migrations make it.
//!
//! The journal does not record what a foreign trigger or rule does to the tables, and without its unique
//! index two players may share a name. So `owlbox verify` compares the two shapes. The second is made on the
//! spot: in memory on SQLite, in a temporary schema inside a transaction that is rolled back on PostgreSQL.

use std::collections::BTreeMap;

use diesel::migration::{Migration, MigrationSource};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};

use super::StoreError;
use super::connection::AnyConnection;
use super::migrate::SQLITE_MIGRATIONS;

/// The definition of every object, by kind and name.
pub type Shape = BTreeMap<(String, String), String>;

#[derive(QueryableByName)]
struct Object {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Nullable<Text>)]
    definition: Option<String>,
}

/// The shape the database has, and the shape the migrations make. `None` where that cannot be made: on a
/// read-only PostgreSQL server, or with a login that may not create a schema.
///
/// # Errors
/// A query or a migration failed.
pub fn both(connection: &mut AnyConnection) -> Result<Option<(Shape, Shape)>, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => Ok(Some((of_sqlite(connection)?, made_by_sqlite()?))),
        AnyConnection::Postgres(connection) => postgres::both(connection),
    }
}

/// The definition without comments and line breaks.
fn plain(definition: &str) -> String {
    let lines = definition.lines().map(|line| line.split("--").next().unwrap_or_default());
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn shape(objects: Vec<Object>, qualifier: &str) -> Shape {
    let plain = |definition: Option<String>| plain(&definition.unwrap_or_default()).replace(qualifier, "");
    let named = |object: Object| ((object.kind, object.name), plain(object.definition));
    objects.into_iter().map(named).collect()
}

fn of_sqlite(connection: &mut SqliteConnection) -> Result<Shape, StoreError> {
    // Objects SQLite creates by itself (indexes of constraints, statistics) have no definition.
    let objects = diesel::sql_query(
        "SELECT type AS kind, name, sql AS definition FROM sqlite_master
         WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '__diesel_schema_migrations'",
    )
    .load(connection)?;
    // SQLite qualifies no names, so there is no qualifier to remove.
    Ok(shape(objects, "\0"))
}

fn made_by_sqlite() -> Result<Shape, StoreError> {
    let mut fresh = SqliteConnection::establish(":memory:")?;
    for migration in migrations::<diesel::sqlite::Sqlite>(&SQLITE_MIGRATIONS)? {
        migration.run(&mut fresh).map_err(failed)?;
    }
    of_sqlite(&mut fresh)
}

/// All migrations, in the order they run.
fn migrations<DB: diesel::backend::Backend>(
    source: &impl MigrationSource<DB>,
) -> Result<Vec<Box<dyn Migration<DB>>>, StoreError> {
    let mut all = source.migrations().map_err(failed)?;
    all.sort_by(|one, other| one.name().version().cmp(&other.name().version()));
    Ok(all)
}

fn failed(error: impl ToString) -> StoreError {
    StoreError::Migration(error.to_string())
}

mod postgres {
    use diesel::connection::SimpleConnection;
    use diesel::pg::Pg;
    use diesel::result::Error as DieselError;

    use super::*;
    use crate::migrate::POSTGRES_MIGRATIONS;
    use crate::postgres::PgConnection;

    /// Everything in the first schema of the search path, except what belongs to an extension.
    const OBJECTS: &str = "
        WITH ours AS (
            SELECT class.oid, relname, relkind FROM pg_class class
            WHERE relnamespace = current_schema()::regnamespace AND relname NOT LIKE '\\_\\_diesel\\_%'
                AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = class.oid AND deptype = 'e')
        )
        SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'i' THEN 'index'
               ELSE 'relation' END AS kind,
            relname::text AS name,
            CASE WHEN relkind = 'i' THEN pg_get_indexdef(oid) WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(oid)
                 ELSE relkind::text END AS definition
        FROM ours
        UNION ALL
        SELECT 'column', relname || '.' || attname,
            format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
                || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') || attidentity::text || attgenerated::text
        FROM ours JOIN pg_attribute ON attrelid = ours.oid LEFT JOIN pg_attrdef ON adrelid = ours.oid AND adnum = attnum
        WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p', 'v', 'm', 'f')
        UNION ALL
        SELECT 'constraint', relname || '.' || conname, pg_get_constraintdef(constraints.oid)
        FROM ours JOIN pg_constraint constraints ON conrelid = ours.oid WHERE contype <> 'n'
        UNION ALL
        SELECT 'trigger', relname || '.' || tgname, pg_get_triggerdef(triggers.oid)
        FROM ours JOIN pg_trigger triggers ON tgrelid = ours.oid WHERE NOT tgisinternal
        UNION ALL
        SELECT 'trigger', relname || '.' || tgname, 'switched off: ' || tgenabled::text
        FROM ours JOIN pg_trigger ON tgrelid = ours.oid WHERE tgisinternal AND tgenabled <> 'O'
        UNION ALL
        SELECT 'function', proname::text, pg_get_functiondef(functions.oid)
        FROM pg_proc functions WHERE pronamespace = current_schema()::regnamespace AND prokind IN ('f', 'p')
            AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = functions.oid AND deptype = 'e')
        UNION ALL
        SELECT 'rule', relname || '.' || rulename, pg_get_ruledef(rules.oid)
        FROM ours JOIN pg_rewrite rules ON ev_class = ours.oid WHERE relkind = 'r'
        UNION ALL
        SELECT 'policy', relname || '.' || polname, polcmd::text
        FROM ours JOIN pg_policy ON polrelid = ours.oid";

    #[derive(QueryableByName)]
    struct Name {
        #[diesel(sql_type = Nullable<Text>)]
        name: Option<String>,
    }

    pub(super) fn both(connection: &mut PgConnection) -> Result<Option<(Shape, Shape)>, StoreError> {
        let found = of_postgres(connection)?;
        let mut made = None;
        // The closure always errs, so that the transaction is always rolled back.
        let outcome = connection.transaction::<(), Undone, _>(|connection| {
            made = Some(made_by_postgres(connection)?);
            Err(Undone(None))
        });
        match (outcome, made) {
            (_, Some(made)) => Ok(Some((found, made))),
            // Nothing can be created here: the server or the login may only read.
            (Err(Undone(Some(StoreError::ForReaders(_)))), None) => Ok(None),
            (Err(Undone(Some(error))), None) => Err(error),
            _ => Ok(None),
        }
    }

    /// Why the transaction is rolled back: it failed with this error, or it is done.
    struct Undone(Option<StoreError>);

    impl From<DieselError> for Undone {
        fn from(error: DieselError) -> Self {
            Self(Some(error.into()))
        }
    }
    impl From<StoreError> for Undone {
        fn from(error: StoreError) -> Self {
            Self(Some(error))
        }
    }

    fn of_postgres(connection: &mut PgConnection) -> Result<Shape, StoreError> {
        let schema =
            diesel::sql_query("SELECT current_schema()::text AS name").get_result::<Name>(connection)?;
        let schema = schema.name.unwrap_or_default();
        Ok(shape(diesel::sql_query(OBJECTS).load(connection)?, &format!("{schema}.")))
    }

    fn made_by_postgres(connection: &mut PgConnection) -> Result<Shape, StoreError> {
        let schema = format!("owlbox_shape_{}", uuid::Uuid::now_v7().simple());
        connection.batch_execute(&format!("CREATE SCHEMA {schema}; SET LOCAL search_path = {schema}"))?;
        for migration in migrations::<Pg>(&POSTGRES_MIGRATIONS)? {
            migration.run(connection).map_err(failed)?;
        }
        of_postgres(connection)
    }
}
