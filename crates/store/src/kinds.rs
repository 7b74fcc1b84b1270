//! Checks that every stored value has the type its column declares.
//!
//! PostgreSQL enforces that. SQLite accepts any value in any column, and reading one converts it where
//! comparing does not: a 2 is read as true but does not equal true, `12x` is read as 12. So `owlbox verify`
//! checks the stored types.

use diesel::prelude::*;
use diesel::sql_types::Text;

use super::StoreError;
use super::connection::AnyConnection;

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    tabular: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    declared: String,
}

/// The columns of our tables and their declared types.
const COLUMNS: &str = "
    SELECT sqlite_master.name AS tabular, columns.name AS name, columns.type AS declared
    FROM sqlite_master JOIN pragma_table_info(sqlite_master.name) columns
    WHERE sqlite_master.type = 'table' AND sqlite_master.name NOT LIKE '\\_\\_diesel\\_%' ESCAPE '\\'
        AND sqlite_master.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY tabular, columns.cid";

/// The first table and column that hold a value of another type than declared.
///
/// # Errors
/// A query failed.
pub fn at_odds(connection: &mut AnyConnection) -> Result<Option<(String, String)>, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => of_sqlite(connection),
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(_) => Ok(None),
    }
}

fn of_sqlite(connection: &mut SqliteConnection) -> Result<Option<(String, String)>, StoreError> {
    let columns: Vec<Column> = diesel::sql_query(COLUMNS).load(connection)?;
    for of_table in columns.chunk_by(|one, next| one.tabular == next.tabular) {
        let Some(Column { tabular, .. }) = of_table.first() else { continue };
        // One scan of the table checks all of its columns.
        let told = of_table.iter().map(|column| {
            let Column { name, .. } = column;
            format!("WHEN NOT (\"{name}\" IS NULL OR {}) THEN '{name}'", kind(column))
        });
        let told: Vec<String> = told.collect();
        let sql = format!(
            "SELECT '{tabular}' AS tabular, name, '' AS declared
             FROM (SELECT CASE {} END AS name FROM \"{tabular}\") WHERE name IS NOT NULL LIMIT 1",
            told.join(" ")
        );
        let found: Vec<Column> = diesel::sql_query(sql).load(connection)?;
        if let Some(Column { tabular, name, .. }) = found.into_iter().next() {
            return Ok(Some((tabular, name)));
        }
    }
    Ok(None)
}

/// The SQL condition a value of the column's declared type fulfils.
fn kind(Column { name, declared, .. }: &Column) -> String {
    match declared.as_str() {
        "BOOLEAN" => format!("(typeof(\"{name}\") = 'integer' AND \"{name}\" IN (0, 1))"),
        "SMALLINT" | "INTEGER" | "BIGINT" => format!("typeof(\"{name}\") = 'integer'"),
        "BLOB" => format!("typeof(\"{name}\") = 'blob'"),
        // Ids, moments, dates and JSON are text; reading one checks its form.
        _ => format!("typeof(\"{name}\") = 'text'"),
    }
}
