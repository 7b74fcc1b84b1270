//! A [`PgConnection`] as Diesel wants one: each call waits for that of `diesel-async`.
//!
//! Its own `AsyncConnectionWrapper` does the same, but cannot be one of several in a `MultiConnection`.

use std::any::Any;
use std::num::NonZeroU32;

use diesel::connection::{
    CacheSize, Connection, ConnectionSealed, Instrumentation, LoadConnection, MultiConnectionHelper,
    SimpleConnection, TransactionDepthChange as Change, TransactionManager, TransactionManagerStatus,
};
use diesel::expression::QueryMetadata;
use diesel::migration::{CREATE_MIGRATIONS_TABLE, MigrationConnection};
use diesel::pg::{Pg, PgMetadataLookup, PgTypeMetadata};
use diesel::query_builder::{Query, QueryFragment, QueryId};
use diesel::sql_types::TypeMetadata;
use diesel::{ConnectionResult, QueryResult};
use diesel_async::{
    AnsiTransactionManager, AsyncConnection, AsyncConnectionCore, AsyncPgConnection,
    SimpleAsyncConnection as _, TransactionManager as AsyncTransactionManager,
};
use futures_util::TryStreamExt as _;

use super::{PgConnection, PipelinedConnection, in_order};
use crate::StoreError;

type Row = <AsyncPgConnection as AsyncConnectionCore>::Row<'static, 'static>;

impl SimpleConnection for PgConnection {
    fn batch_execute(&mut self, query: &str) -> QueryResult<()> {
        self.runtime.block_on(self.inner.batch_execute(query))
    }
}

impl ConnectionSealed for PgConnection {}

impl Connection for PgConnection {
    type Backend = Pg;
    type TransactionManager = Transactions;

    fn establish(url: &str) -> ConnectionResult<Self> {
        super::connect(url)
    }

    fn execute_returning_count<T>(&mut self, source: &T) -> QueryResult<usize>
    where
        T: QueryFragment<Pg> + QueryId,
    {
        self.runtime.block_on(self.inner.execute_returning_count(source))
    }

    fn transaction_state(&mut self) -> &mut AnsiTransactionManager {
        self.inner.transaction_state()
    }

    fn instrumentation(&mut self) -> &mut dyn Instrumentation {
        self.inner.instrumentation()
    }

    fn set_instrumentation(&mut self, instrumentation: impl Instrumentation) {
        self.inner.set_instrumentation(instrumentation);
    }

    fn set_prepared_statement_cache_size(&mut self, size: CacheSize) {
        self.inner.set_prepared_statement_cache_size(size);
    }
}

impl LoadConnection for PgConnection {
    type Cursor<'conn, 'query> = std::iter::Map<std::vec::IntoIter<Row>, fn(Row) -> QueryResult<Row>>;
    type Row<'conn, 'query> = Row;

    fn load<'conn, 'query, T>(&'conn mut self, source: T) -> QueryResult<Self::Cursor<'conn, 'query>>
    where
        T: Query + QueryFragment<Pg> + QueryId + 'query,
        Pg: QueryMetadata<T::SqlType>,
    {
        let Self { inner, runtime, .. } = self;
        let rows: Vec<Row> = runtime.block_on(async { inner.load(source).await?.try_collect().await })?;
        Ok(rows.into_iter().map(Ok))
    }
}

impl PgConnection {
    /// Begins a transaction with this statement, and asks `asked` in it, all [at once](Self::at_once).
    ///
    /// # Errors
    /// One failed, or there is a transaction already. Then none has begun.
    pub(crate) fn begin<T>(
        &mut self,
        statement: &str,
        asked: impl AsyncFnOnce(PipelinedConnection<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.depth()?.is_some() {
            return Err(diesel::result::Error::AlreadyInTransaction.into());
        }
        self.to_tell.clear();
        let begin = format!("BEGIN; {statement}");
        let begun = self.at_once(async |all| in_order!(all.batch_execute(&begin), asked(all)));
        let answered =
            begun.and_then(|((), answer)| Ok(self.change_depth(Change::IncreaseDepth).map(|()| answer)?));
        if answered.is_err() {
            // Of a transaction that has begun, and in which something failed, nobody would know.
            drop(self.batch_execute("ROLLBACK"));
        }
        answered
    }

    /// Commits the transaction after the statement `last`, and has `then` carried out in one of its own after
    /// that, all sent [at once](Self::at_once). That the second cannot be committed is the inner error.
    ///
    /// # Errors
    /// The first was not committed, or that is unknown. Either way it has to be rolled back.
    pub(crate) fn commit(
        &mut self,
        last: &str,
        then: Option<&str>,
    ) -> Result<Result<(), StoreError>, StoreError> {
        if self.depth()?.map(NonZeroU32::get) != Some(1) {
            return Err(diesel::result::Error::NotInTransaction.into());
        }
        let (committed, ended) = self.at_once(async |all| {
            let begin = then.map(|then| format!("; BEGIN; {then}")).unwrap_or_default();
            let commit = format!("{last}; COMMIT{begin}");
            // In a message of its own. It fails if the server can queue no more notifications, which must not
            // look as if the first commit had failed.
            let end = async { if then.is_some() { all.batch_execute("COMMIT").await } else { Ok(()) } };
            tokio::join!(biased; all.batch_execute(&commit), end)
        });
        committed?;
        self.change_depth(Change::DecreaseDepth)?;
        Ok(ended)
    }

    /// How many transactions there are, one within the other, as far as Diesel knows.
    fn depth(&mut self) -> QueryResult<Option<NonZeroU32>> {
        Inner::transaction_manager_status_mut(&mut *self.inner).transaction_depth()
    }

    /// Has Diesel know of a transaction that has begun or ended.
    fn change_depth(&mut self, change: Change) -> QueryResult<()> {
        match Inner::transaction_manager_status_mut(&mut *self.inner) {
            TransactionManagerStatus::Valid(status) => status.change_transaction_depth(change),
            TransactionManagerStatus::InError => Err(diesel::result::Error::BrokenTransactionManager),
        }
    }
}

/// Begins and ends transactions and savepoints.
pub struct Transactions;

type Inner = AnsiTransactionManager;

impl TransactionManager<PgConnection> for Transactions {
    type TransactionStateData = AnsiTransactionManager;

    fn begin_transaction(connection: &mut PgConnection) -> QueryResult<()> {
        let status = Inner::transaction_manager_status_mut(&mut *connection.inner);
        if matches!(status.transaction_depth(), Ok(None)) {
            connection.to_tell.clear();
        }
        connection.runtime.block_on(Inner::begin_transaction(&mut *connection.inner))
    }

    fn rollback_transaction(connection: &mut PgConnection) -> QueryResult<()> {
        connection.runtime.block_on(Inner::rollback_transaction(&mut *connection.inner))
    }

    fn commit_transaction(connection: &mut PgConnection) -> QueryResult<()> {
        connection.runtime.block_on(Inner::commit_transaction(&mut *connection.inner))
    }

    fn transaction_manager_status_mut(connection: &mut PgConnection) -> &mut TransactionManagerStatus {
        Inner::transaction_manager_status_mut(&mut *connection.inner)
    }

    fn is_broken_transaction_manager(connection: &mut PgConnection) -> bool {
        Inner::is_broken_transaction_manager(&mut *connection.inner)
    }
}

impl MigrationConnection for PgConnection {
    fn setup(&mut self) -> QueryResult<usize> {
        self.batch_execute(CREATE_MIGRATIONS_TABLE).map(|()| 0)
    }
}

/// Stands for the connection where Diesel asks for a type's number. All of ours have fixed ones, so it is
/// never asked; but `MultiConnection` wants to pass it on.
struct FixedTypes;

impl PgMetadataLookup for FixedTypes {
    /// Zero has the server find out itself.
    fn lookup_type(&mut self, _: &str, _: Option<&str>) -> PgTypeMetadata {
        PgTypeMetadata::new(0, 0)
    }
}

type Lookup = <Pg as TypeMetadata>::MetadataLookup;

impl MultiConnectionHelper for PgConnection {
    fn to_any<'a>(_: &mut Lookup) -> &mut (dyn Any + 'a) {
        // Without a size, it takes no memory.
        Box::leak(Box::new(FixedTypes))
    }

    fn from_any(lookup: &mut dyn Any) -> Option<&mut Lookup> {
        lookup.downcast_mut::<FixedTypes>().map(|fixed| fixed as &mut dyn PgMetadataLookup)
    }
}
