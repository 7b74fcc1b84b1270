//! The shape of a SQLite file.

use std::sync::OnceLock;

use diesel::sqlite::Sqlite;

use super::*;
use crate::migrations::{self, RECORD, RECORD_MADE, SQLITE_MIGRATIONS};

/// Everything but what SQLite makes by itself: indexes of constraints, which have no definition, and
/// statistics.
const OBJECTS: &str = "
    SELECT type AS kind, name, tbl_name AS on_table, sql AS definition FROM sqlite_schema
    WHERE NOT (type = 'index' AND sql IS NULL)
        AND NOT (type = 'table' AND sql IN ('CREATE TABLE sqlite_sequence(name,seq)',
            'CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'))";

fn of(connection: &mut SqliteConnection) -> Result<Vec<Object>, StoreError> {
    let mut objects: Vec<Object> = diesel::sql_query(OBJECTS).load(connection)?;
    let is_record = |object: &Object| {
        object.name == RECORD && object.kind == "table" && plain(object.definition()) == RECORD_MADE
    };
    objects.retain(|object| !is_record(object));
    Ok(objects)
}

/// A database in memory with these migrations applied, or all.
pub(crate) fn fresh(applied: Option<&[String]>) -> Result<SqliteConnection, StoreError> {
    let mut fresh = SqliteConnection::establish(":memory:")?;
    for migration in migrations::<Sqlite>(&SQLITE_MIGRATIONS, applied)? {
        migration.run(&mut fresh).map_err(failed)?;
    }
    Ok(fresh)
}

/// What all migrations make.
fn current_made() -> Result<&'static [Object], StoreError> {
    static CURRENT: OnceLock<Vec<Object>> = OnceLock::new();
    if let Some(current) = CURRENT.get() {
        return Ok(current);
    }
    let made = of(&mut fresh(None)?)?;
    Ok(CURRENT.get_or_init(|| made))
}

/// The names of all tables that the migrations make.
pub(crate) fn our_tables() -> Result<BTreeSet<String>, StoreError> {
    let tables = current_made()?.iter().filter(|object| object.kind == "table");
    Ok(tables.map(|table| table.name.clone()).collect())
}

/// The names and the text of the triggers that guard these tables, from the migrations: all but those that
/// keep sums.
pub(crate) fn guards(tables: &[&str]) -> Result<Vec<(&'static str, &'static str)>, StoreError> {
    let is_guard = |object: &&Object| {
        let ends = ["_stays", "_remains", "_is_new"];
        object.kind == "trigger"
            && tables.contains(&object.on_table.as_str())
            && ends.iter().any(|end| object.name.ends_with(end))
    };
    Ok(current_made()?
        .iter()
        .filter(is_guard)
        .map(|guard| (guard.name.as_str(), guard.definition()))
        .collect())
}

pub(in crate::shape) fn both(connection: &mut SqliteConnection) -> Result<(Shape, Shape), StoreError> {
    let shape = |objects: &[Object]| -> Shape {
        objects.iter().map(|object| object.shape(&plain(object.definition()))).collect()
    };
    Ok((shape(&of(connection)?), shape(current_made()?)))
}

/// [`super::admit`] for a file.
pub(crate) fn admit(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let found = of(connection)?;
    // Without a record of what was applied nothing can be compared.
    if let Some(record) = found.iter().find(|object| object.name == RECORD) {
        return Err(StoreError::Foreign(format!("{} is not Owlbox's", told(record))));
    }
    let applied = migrations::applied_to_sqlite(connection)?;
    migrations::refuse_unknown::<Sqlite>(&SQLITE_MIGRATIONS, &applied)?;
    let current = current_made()?;
    let ours = our_tables()?;
    let is_current = applied.len() == migrations::versions::<Sqlite>(&SQLITE_MIGRATIONS)?.len();
    let older = if is_current { None } else { Some(of(&mut fresh(Some(&applied))?)?) };
    let mut bound = BTreeSet::new();
    for table in found.iter().filter(|object| !ours.contains(&object.on_table.to_lowercase())) {
        // What is deleted in ours would be deleted or changed there too, with that table's defaults and
        // checks.
        let referenced: Vec<String> =
            SqlStatement::<Sqlite, Text>::new("SELECT \"table\" FROM pragma_foreign_key_list(?)")
                .value::<Text, _>(table.name.clone())
                .load(connection)?;
        if referenced.iter().any(|referenced| ours.contains(&referenced.to_lowercase())) {
            bound.insert(table.name.clone());
        }
    }
    let made = older.as_deref().unwrap_or(current);
    let same = |found: &Object, made: &Object| {
        found.definition == made.definition || plain(found.definition()) == plain(made.definition())
    };
    // A virtual table is a program.
    let harmless = |object: &Object| {
        object.kind == "table"
            && plain(object.definition()).to_uppercase().starts_with("CREATE TABLE ")
            && !bound.contains(&object.name)
    };
    Compared { found: &found, made, ours: &ours }.judged(same, harmless)
}

/// The definition without comments, and with a blank for each run of white space, except for what is quoted.
pub(in crate::shape) fn plain(definition: &str) -> String {
    let mut plain = String::with_capacity(definition.len());
    let mut rest = definition.chars().peekable();
    let mut is_apart = false;
    while let Some(letter) = rest.next() {
        match (letter, rest.peek()) {
            ('-', Some('-')) => {
                rest.by_ref().find(|letter| *letter == '\n');
                is_apart = true;
                continue;
            }
            ('/', Some('*')) => {
                rest.next();
                let mut before = ' ';
                rest.by_ref().find(|letter| std::mem::replace(&mut before, *letter) == '*' && *letter == '/');
                is_apart = true;
                continue;
            }
            (white, _) if white.is_ascii_whitespace() => {
                is_apart = true;
                continue;
            }
            _ => {}
        }
        if std::mem::take(&mut is_apart) && !plain.is_empty() {
            plain.push(' ');
        }
        plain.push(letter);
        let end = match letter {
            '\'' | '"' | '`' => letter,
            '[' => ']',
            _ => continue,
        };
        for quoted in rest.by_ref() {
            plain.push(quoted);
            if quoted == end {
                break;
            }
        }
    }
    plain
}
