//! The shape of a PostgreSQL schema.

use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::result::Error as DieselError;
use diesel_migrations::MigrationHarness as _;

use super::*;
use crate::migrations::{self, POSTGRES_MIGRATIONS};
use crate::postgres::PgConnection;

/// Everything in the first schema of the search path, except what belongs to an extension, and indexes of
/// constraints. Functions and operators are named with their arguments, since several can share a name.
const OBJECTS: &str = "
    WITH ours AS (
        SELECT class.oid, relname, relkind FROM pg_class class
        WHERE relnamespace = current_schema()::regnamespace
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = class.oid AND deptype = 'e')
            AND NOT EXISTS (SELECT FROM pg_index JOIN pg_constraint ON conrelid = indrelid AND conindid = indexrelid
                WHERE indexrelid = class.oid AND contype IN ('p', 'u', 'x'))
    )
    SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'i' THEN 'index'
           WHEN 'S' THEN 'sequence' ELSE 'relation' END AS kind,
        relname::text AS name, relname::text AS on_table,
        CASE WHEN relkind = 'i' THEN pg_get_indexdef(oid) WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(oid)
             ELSE relkind::text END AS definition
    FROM ours
    UNION ALL
    SELECT 'column', relname || '.' || attname, relname::text,
        format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
            || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') || attidentity::text || attgenerated::text
    FROM ours JOIN pg_attribute ON attrelid = ours.oid LEFT JOIN pg_attrdef ON adrelid = ours.oid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p', 'v', 'm', 'f')
    UNION ALL
    SELECT CASE contype WHEN 'f' THEN 'foreign key' ELSE 'constraint' END, relname || '.' || conname, relname::text,
        pg_get_constraintdef(constraints.oid)
    FROM ours JOIN pg_constraint constraints ON conrelid = ours.oid WHERE contype NOT IN ('n', 't')
    UNION ALL
    SELECT 'trigger', relname || '.' || tgname, relname::text, pg_get_triggerdef(triggers.oid)
        || CASE WHEN tgenabled <> 'O' THEN ' switched off: ' || tgenabled::text ELSE '' END
    FROM ours JOIN pg_trigger triggers ON tgrelid = ours.oid WHERE NOT tgisinternal
    UNION ALL
    SELECT 'trigger', relname || '.' || tgname, relname::text, 'switched off: ' || tgenabled::text
    FROM ours JOIN pg_trigger ON tgrelid = ours.oid WHERE tgisinternal AND tgenabled <> 'O'
    UNION ALL
    SELECT 'inheritance', relname || '.' || inhparent::regclass::text, relname::text, ''
    FROM ours JOIN pg_inherits ON inhrelid = ours.oid
    UNION ALL
    SELECT 'rule', relname || '.' || rulename, relname::text, pg_get_ruledef(rules.oid)
    FROM ours JOIN pg_rewrite rules ON ev_class = ours.oid WHERE relkind = 'r'
    UNION ALL
    SELECT 'policy', relname || '.' || polname, relname::text, polcmd::text
    FROM ours JOIN pg_policy ON polrelid = ours.oid
    UNION ALL
    SELECT 'function', proname || '(' || pg_get_function_identity_arguments(functions.oid) || ')', '',
        CASE WHEN prokind = 'a' THEN 'aggregate' ELSE pg_get_functiondef(functions.oid) END
    FROM pg_proc functions WHERE pronamespace = current_schema()::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = functions.oid AND deptype = 'e')
    UNION ALL
    SELECT 'operator', operators.oid::regoperator::text, '', oprcode::text
    FROM pg_operator operators WHERE oprnamespace = current_schema()::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_operator'::regclass AND objid = operators.oid AND deptype = 'e')
    UNION ALL
    SELECT 'type', typname::text, '', typtype::text
    FROM pg_type types WHERE typnamespace = current_schema()::regnamespace AND typtype IN ('b', 'd', 'e') AND typcategory <> 'A'
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass AND objid = types.oid AND deptype = 'e')";

pub(in crate::shape) fn both(connection: &mut PgConnection) -> Result<Option<(Shape, Shape)>, StoreError> {
    let shape = |objects: &[Object]| -> Shape {
        objects.iter().map(|object| object.shape(object.definition())).collect()
    };
    let found = of(connection)?;
    Ok(made(connection, None)?.map(|made| (shape(&found), shape(&made))))
}

pub(crate) fn admit(connection: &mut PgConnection) -> Result<Vec<String>, StoreError> {
    let found = of(connection)?;
    let applied = migrations::applied_to_postgres(connection)?;
    migrations::refuse_unknown::<Pg>(&POSTGRES_MIGRATIONS, &applied)?;
    let Some(made) = made(connection, Some(&applied))? else {
        tracing::warn!("did not compare the schema with Owlbox's: this role may not create a second schema");
        return Ok(Vec::new());
    };
    let ours = made.iter().filter(|object| object.kind == "table").map(|table| table.name.clone()).collect();
    let same = |found: &Object, made: &Object| found.definition == made.definition;
    let harmless =
        |object: &Object| matches!(object.kind.as_str(), "table" | "column" | "constraint" | "sequence");
    Compared { found: &found, made: &made, ours: &ours }.judged(same, harmless)
}

/// What these migrations make, or all. `None` where nothing can be created: the server or the login may only
/// read.
fn made(
    connection: &mut PgConnection,
    applied: Option<&[String]>,
) -> Result<Option<Vec<Object>>, StoreError> {
    let mut made = None;
    // The closure always errs, so that the transaction is always rolled back.
    let outcome = connection.transaction::<(), Undone, _>(|connection| {
        made = Some(made_here(connection, applied)?);
        Err(Undone(None))
    });
    match (outcome, made) {
        (_, Some(made)) => Ok(Some(made)),
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

fn of(connection: &mut PgConnection) -> Result<Vec<Object>, StoreError> {
    let schema = SqlStatement::<Pg, Nullable<Text>>::new("SELECT quote_ident(current_schema())")
        .get_result::<Option<String>>(connection)?
        .ok_or_else(|| StoreError::Migration("there is no schema at that address".into()))?;
    let qualifier = format!("{schema}.");
    let mut objects: Vec<Object> = diesel::sql_query(OBJECTS).load(connection)?;
    for object in &mut objects {
        object.name = object.name.replace(&qualifier, "");
        object.definition = object.definition.take().map(|definition| definition.replace(&qualifier, ""));
    }
    Ok(objects)
}

fn made_here(connection: &mut PgConnection, applied: Option<&[String]>) -> Result<Vec<Object>, StoreError> {
    let schema = format!("owlbox_shape_{}", uuid::Uuid::now_v7().simple());
    connection.batch_execute(&format!("CREATE SCHEMA {schema}; SET LOCAL search_path = {schema}"))?;
    // Makes the table of what was applied.
    connection.applied_migrations().map_err(failed)?;
    for migration in migrations::<Pg>(&POSTGRES_MIGRATIONS, applied)? {
        migration.run(connection).map_err(failed)?;
    }
    of(connection)
}
