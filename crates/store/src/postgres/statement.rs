//! Statements of PostgreSQL that Diesel's own language has no words for: many rows at once, as an array a column.

use std::fmt::Debug;
use std::marker::PhantomData;

use diesel::QueryResult;
use diesel::RunQueryDsl;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{Array, HasSqlType};

use super::PgConnection;

/// A statement with its values, for `$1` and so on. Prepared once for each connection, however many rows there are.
/// `Row` is the SQL type of what it answers.
pub(crate) struct Statement<Row = ()> {
    sql: &'static str,
    values: Vec<Box<dyn Value>>,
    row: PhantomData<Row>,
}

impl<Row> Statement<Row> {
    pub(crate) const fn new(sql: &'static str) -> Self {
        Self { sql, values: Vec::new(), row: PhantomData }
    }

    /// Binds the next value: an array of these.
    pub(crate) fn array<S, T>(mut self, values: impl IntoIterator<Item = T>) -> Self
    where
        S: 'static,
        T: 'static,
        Vec<T>: ToSql<Array<S>, Pg> + Debug,
        Pg: HasSqlType<Array<S>>,
    {
        let values: Vec<T> = values.into_iter().collect();
        self.values.push(Box::new(Many::<S, T>(values, PhantomData)));
        self
    }
}

trait Value {
    fn bind<'b>(&'b self, pass: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

struct Many<S, T>(Vec<T>, PhantomData<S>);

impl<S: 'static, T> Value for Many<S, T>
where
    Vec<T>: ToSql<Array<S>, Pg> + Debug,
    Pg: HasSqlType<Array<S>>,
{
    fn bind<'b>(&'b self, pass: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        pass.push_bind_param_value_only::<Array<S>, _>(&self.0)
    }
}

impl<Row> QueryFragment<Pg> for Statement<Row> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        pass.push_sql(self.sql);
        self.values.iter().try_for_each(|value| value.bind(&mut pass))
    }
}

impl<Row> QueryId for Statement<Row> {
    type QueryId = ();
    /// The cache of prepared statements keys it by its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Row> Query for Statement<Row> {
    type SqlType = Row;
}

impl<Row> RunQueryDsl<PgConnection> for Statement<Row> {}
