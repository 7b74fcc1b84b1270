//! What callers hand over: queries and units of work, on whatever thread and connection they belong.

use std::sync::PoisonError;
use std::time::Instant;

use tokio::sync::oneshot;

use super::batch::ReadPlan;
use super::together::UnitAnswer;
use super::transaction::{Made, Outcome, Work};
use super::{AnyConnection, Database, Failure, Store, StoreError, Transaction, writer, writing};

impl Store {
    /// Runs `query` on a connection of the pool, on a thread for blocking work.
    ///
    /// # Errors
    /// What `query` returns; [`StoreError::Busy`] if no connection was free in time.
    pub async fn read<T, E, F>(&self, query: F) -> Result<T, E>
    where
        F: FnOnce(&mut AnyConnection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure + From<StoreError>,
    {
        typed(self.read_erased(Box::new(move |connection| erased_outcome(query(connection)))).await)
    }

    async fn read_erased(&self, query: Query) -> Outcome {
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
    pub fn read_blocking<T, E: From<StoreError>>(
        &self,
        query: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        if let Database::File { writer, .. } = &self.database {
            writer.show()?;
        }
        self.pool.run(query)
    }

    /// Runs `work` in a transaction and answers after the commit. After a conflict, or if the batch that it
    /// is committed with cannot be written, `work` is run again, so it must leave nothing behind outside of
    /// the transaction.
    ///
    /// # Errors
    /// What `work` returns, or a failure of the store. Nothing is kept then, except as [`StoreError::Commit`]
    /// says.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure + From<StoreError>,
    {
        typed(self.write_erased(erased(work)).await)
    }

    async fn write_erased(&self, work: Work) -> Outcome {
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

    /// [`write`](Self::write) for work that says beforehand what it asks for: it shares what it asks and
    /// writes with others that are committed with it.
    ///
    /// # Errors
    /// As `write`.
    pub async fn write_together<T, E, F>(&self, foreseen: ReadPlan, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure + From<StoreError>,
    {
        typed(self.write_together_erased(foreseen, erased(work)).await)
    }

    async fn write_together_erased(&self, foreseen: ReadPlan, work: Work) -> Outcome {
        let grouping = match &self.database {
            Database::File { writer, .. } => return self.write_file(writer, Some(foreseen), work).await,
            Database::Server(server) => server.grouping.as_ref(),
        };
        let Some(grouping) = grouping else { return self.write_erased(work).await };
        match grouping.submit(Some(foreseen), work)?.await {
            Ok(UnitAnswer::Done(answer)) => self.noted(answer),
            Ok(UnitAnswer::Alone(work)) => self.write_erased(work).await,
            Err(oneshot::error::RecvError { .. }) => Err(StoreError::Closed.into()),
        }
    }

    /// Has SQLite's writer carry out `work`.
    async fn write_file(&self, writer: &writer::Writer, foreseen: Option<ReadPlan>, work: Work) -> Outcome {
        match writer.queue.submit(foreseen, work)?.await {
            Ok(answer) => self.noted(answer.outcome()),
            Err(oneshot::error::RecvError { .. }) => Err(StoreError::Closed.into()),
        }
    }

    /// Remembers where there was no room.
    fn noted(&self, outcome: Outcome) -> Outcome {
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
        E: Failure + From<StoreError>,
    {
        typed(self.write_erased_blocking(erased(work)))
    }

    pub(super) fn write_erased_blocking(&self, work: Work) -> Outcome {
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

/// A query, erased like a unit of work.
type Query = Box<dyn FnOnce(&mut AnyConnection) -> Outcome + Send>;

pub(super) fn erased<T: Send + 'static, E: Failure>(
    mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
) -> Work {
    Box::new(move |transaction| erased_outcome(work(transaction)))
}

fn erased_outcome<T: Send + 'static, E: Failure>(outcome: Result<T, E>) -> Outcome {
    match outcome {
        Ok(made) => Ok(Box::new(made)),
        Err(error) => Err(Box::new(error)),
    }
}

/// What was erased, which has these types: it comes from the work that was handed over, or is a failure of
/// the store.
pub(super) fn typed<T: 'static, E: Failure + From<StoreError>>(outcome: Outcome) -> Result<T, E> {
    let unknown: Made = match outcome {
        Ok(made) => match made.downcast() {
            Ok(made) => return Ok(*made),
            Err(unknown) => unknown,
        },
        Err(failed) => match (failed as Made).downcast::<E>() {
            Ok(error) => return Err(*error),
            Err(unknown) => unknown,
        },
    };
    Err(unknown.downcast::<StoreError>().map_or_else(
        |_| {
            tracing::error!("a unit of work came back as something else");
            StoreError::Panicked.into()
        },
        |error| (*error).into(),
    ))
}

/// Runs `work` on a thread for blocking work. It is boxed, since all of tokio's machinery is compiled again
/// for each type of task.
fn spawn(work: Box<dyn FnOnce() + Send>) {
    tokio::task::spawn_blocking(work);
}

/// The answer of `work`, which runs on a thread for blocking work.
pub(super) async fn on_blocking_thread<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
{
    let (answer, answered) = oneshot::channel();
    spawn(Box::new(move || {
        // The one who asked may have gone away since.
        let _ = answer.send(work());
    }));
    answered.await.unwrap_or_else(|_| Err(StoreError::Panicked.into()))
}
