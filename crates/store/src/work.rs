//! What callers hand over: queries and units of work, on whatever thread and connection they belong.

use std::any::Any;
use std::sync::PoisonError;
use std::time::Instant;

use tokio::sync::oneshot;

use super::together::{Answer, ReadPlan};
use super::{AnyConnection, Database, Failure, Store, StoreError, Transaction, writer, writing};

impl Store {
    /// Runs `query` on a connection of the pool, on a thread for blocking work.
    ///
    /// # Errors
    /// What `query` returns; [`StoreError::Busy`] if no connection was to be had in time.
    pub async fn read<T, E, F>(&self, query: F) -> Result<T, E>
    where
        F: FnOnce(&mut AnyConnection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        self.read_erased(Box::new(move |connection| Ok(Box::new(query(connection)?)))).await.and_then(typed)
    }

    async fn read_erased<E: Failure>(&self, query: Query<E>) -> Result<Erased, E> {
        let place = self.reading.enter().await?;
        let (store, span) = (self.clone(), tracing::Span::current());
        on_blocking_thread(move || {
            let _place = place;
            span.in_scope(|| store.read_blocking(query))
        })
        .await
    }

    /// [`read`](Self::read) for callers outside the runtime.
    ///
    /// # Errors
    /// As `read`.
    pub fn read_blocking<T, E: Failure>(
        &self,
        query: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        if let Database::File { writer, .. } = &self.database {
            writer.show()?;
        }
        self.pool.run(query)
    }

    /// Runs `work` in a transaction and answers after the commit. After a conflict, or if the batch that it is
    /// committed with cannot be written, `work` is run again, so it must leave nothing behind outside of the transaction.
    ///
    /// # Errors
    /// What `work` returns, or a failure of the store. Nothing is kept then, except as [`StoreError::Commit`]
    /// says.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        self.write_erased(erased(work)).await.and_then(typed)
    }

    async fn write_erased<E: Failure>(&self, work: Work<E>) -> Result<Erased, E> {
        let place = match &self.database {
            Database::File { writer, .. } => return self.write_file(writer, None, work).await,
            Database::Server(server) => server.places.enter().await?,
        };
        let (store, span) = (self.clone(), tracing::Span::current());
        let written = on_blocking_thread(move || {
            let _place = place;
            span.in_scope(|| store.pool.run(|connection| writing::in_own_transaction(connection, work)))
        });
        self.noted(written.await)
    }

    /// [`write`](Self::write) for work that says beforehand what it asks for: it shares what it asks and writes with others that are
    /// committed with it.
    ///
    /// # Errors
    /// As `write`.
    pub async fn write_together<T, E, F>(&self, foreseen: ReadPlan, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        self.write_together_erased(foreseen, erased(work)).await.and_then(typed)
    }

    async fn write_together_erased<E: Failure>(
        &self,
        foreseen: ReadPlan,
        work: Work<E>,
    ) -> Result<Erased, E> {
        let grouping = match &self.database {
            Database::File { writer, .. } => return self.write_file(writer, Some(foreseen), work).await,
            Database::Server(server) => server.grouping.as_ref(),
        };
        let Some(grouping) = grouping else { return self.write_erased(work).await };
        match grouping.submit(Some(foreseen), work)?.await {
            Ok(Answer::Done(answer)) => self.noted(answer),
            Ok(Answer::Alone(work)) => self.write_erased(work).await,
            Err(oneshot::error::RecvError { .. }) => Err(StoreError::Closed.into()),
        }
    }

    /// Has SQLite's writer carry out `work`.
    async fn write_file<E: Failure>(
        &self,
        writer: &writer::Writer,
        foreseen: Option<ReadPlan>,
        work: Work<E>,
    ) -> Result<Erased, E> {
        match writer.queue.submit(foreseen, work)?.await {
            Ok(answer) => self.noted(answer.outcome()),
            Err(oneshot::error::RecvError { .. }) => Err(StoreError::Closed.into()),
        }
    }

    /// Remembers where there was no room.
    fn noted<T, E: Failure>(&self, outcome: Result<T, E>) -> Result<T, E> {
        if let Err(error) = &outcome
            && matches!(error.store_error(), Some(StoreError::Full))
        {
            *self.full.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        outcome
    }

    /// [`write`](Self::write) for callers outside the runtime.
    ///
    /// # Errors
    /// As `write`.
    pub fn write_blocking<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        self.write_erased_blocking(erased(work)).and_then(typed)
    }

    fn write_erased_blocking<E: Failure>(&self, work: Work<E>) -> Result<Erased, E> {
        match &self.database {
            Database::File { writer, .. } => match writer.queue.submit(None, work)?.blocking_recv() {
                Ok(answer) => self.noted(answer.outcome()),
                Err(_) => Err(StoreError::Closed.into()),
            },
            Database::Server(_) => {
                self.noted(self.pool.run(|connection| writing::in_own_transaction(connection, work)))
            }
        }
    }
}

/// What a unit of work or a query has made. Each of them has types of its own, and the store's machinery would be
/// compiled again for every one; erased, they have one.
type Erased = Box<dyn Any + Send>;
type Work<E> = Box<dyn FnMut(&mut Transaction<'_>) -> Result<Erased, E> + Send>;
type Query<E> = Box<dyn FnOnce(&mut AnyConnection) -> Result<Erased, E> + Send>;

fn erased<T: Send + 'static, E>(
    mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
) -> Work<E> {
    Box::new(move |transaction| Ok(Box::new(work(transaction)?)))
}

/// What was erased, which has this type: it comes from the work that was handed over.
fn typed<T: 'static, E: Failure>(erased: Erased) -> Result<T, E> {
    erased.downcast().map(|made| *made).map_err(|_| {
        tracing::error!("a unit of work came back as something else");
        StoreError::Panicked.into()
    })
}

/// Runs `work` on a thread for blocking work. It is boxed, since all of tokio's machinery is compiled again for each type
/// of task.
fn spawn(work: Box<dyn FnOnce() + Send>) {
    tokio::task::spawn_blocking(work);
}

/// The answer of `work`, which runs on a thread for blocking work.
pub(super) async fn on_blocking_thread<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: Failure,
{
    let (answer, answered) = oneshot::channel();
    spawn(Box::new(move || {
        // Whoever asked may have gone away since.
        let _ = answer.send(work());
    }));
    answered.await.unwrap_or_else(|_| Err(StoreError::Panicked.into()))
}
