//! Statements by their text, each prepared once for a connection.
//!
//! Diesel prepares an update, and an insert that may meet a row, anew each time: on SQLite with all that the
//! table's triggers do. The backend that is common to both databases walks a query again and again. And
//! Diesel has no words for many rows at once, as an array a column. So what a command asks and writes is here
//! where that counts.

use std::fmt::Debug;
use std::marker::PhantomData;

use diesel::QueryResult;
use diesel::RunQueryDsl;
use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{Array, HasSqlType, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};

use super::connection::{AnyConnection, MultiBackend};
use super::postgres::PgConnection;

/// A statement with its values, in order of its placeholders: `$1` and so on, on SQLite alone `?` as well.
/// `Row` is the SQL type of what it answers.
pub(super) struct SqlStatement<DB, Row = ()> {
    sql: &'static str,
    values: Vec<Box<dyn Value<DB>>>,
    row: PhantomData<Row>,
}

impl<DB: Backend, Row> SqlStatement<DB, Row> {
    pub(super) const fn new(sql: &'static str) -> Self {
        Self { sql, values: Vec::new(), row: PhantomData }
    }

    /// Binds the next value, of the SQL type `S`.
    pub(super) fn value<S, T>(mut self, value: T) -> Self
    where
        S: Send + 'static,
        T: ToSql<S, DB> + Send + 'static,
        DB: HasSqlType<S>,
    {
        self.values.push(Box::new(One::<S, T>(value, PhantomData)));
        self
    }
}

impl<Row> SqlStatement<Pg, Row> {
    /// Binds the next value: an array of these, of the SQL type `S` each.
    pub(super) fn array<S, T>(self, values: impl IntoIterator<Item = T>) -> Self
    where
        S: Send + 'static,
        T: Send + 'static,
        Vec<T>: ToSql<Array<S>, Pg> + Debug,
        Pg: HasSqlType<Array<S>>,
    {
        self.value::<Array<S>, Vec<T>>(values.into_iter().collect())
    }
}

impl<Row> SqlStatement<Sqlite, Row> {
    /// Binds the next value: rows, each an array, for `json_each`. Many rows belong into one statement where
    /// the table has triggers: at the end of each such statement SQLite walks over all that a savepoint has
    /// kept so far, so that a statement for each row would take time as the square of their number.
    pub(super) fn rows(self, rows: impl IntoIterator<Item = serde_json::Value>) -> Self {
        self.value::<Text, _>(serde_json::Value::from_iter(rows).to_string())
    }
}

trait Value<DB: Backend>: Send {
    fn bind<'b>(&'b self, pass: &mut AstPass<'_, 'b, DB>) -> QueryResult<()>;
}

struct One<S, T>(T, PhantomData<S>);

impl<DB, S, T> Value<DB> for One<S, T>
where
    DB: Backend + HasSqlType<S>,
    S: Send,
    T: ToSql<S, DB> + Send,
{
    fn bind<'b>(&'b self, pass: &mut AstPass<'_, 'b, DB>) -> QueryResult<()> {
        pass.push_bind_param_value_only::<S, _>(&self.0)
    }
}

impl<DB: Backend, Row> QueryFragment<DB> for SqlStatement<DB, Row> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        pass.push_sql(self.sql);
        self.values.iter().try_for_each(|value| value.bind(&mut pass))
    }
}

impl<DB, Row> QueryId for SqlStatement<DB, Row> {
    type QueryId = ();
    /// The cache of prepared statements keys it by its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB, Row> Query for SqlStatement<DB, Row> {
    type SqlType = Row;
}

impl<Row> RunQueryDsl<AnyConnection> for SqlStatement<MultiBackend, Row> {}
impl<Row> RunQueryDsl<SqliteConnection> for SqlStatement<Sqlite, Row> {}
impl<Row> RunQueryDsl<PgConnection> for SqlStatement<Pg, Row> {}
