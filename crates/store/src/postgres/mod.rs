//! A connection to PostgreSQL without libpq: Diesel over `tokio-postgres`, driven on the thread that uses it.
//!
//! Every connection has a runtime of its own that runs only while a query does, so a round trip changes no
//! thread, and what [`sqlstate`] says is of the query that just failed here. It must not be used in
//! asynchronous code: the store's callers come on threads for blocking work.

mod address;
mod dial;
mod diesel_connection;
pub(crate) mod sqlstate;

use std::future::{Future, poll_fn};
use std::time::Duration;

use diesel::ConnectionError;
use diesel_async::methods::{ExecuteDsl, LoadQuery};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection as _};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio_postgres::{AsyncMessage, Client, SimpleQueryMessage};
use uuid::Uuid;

use address::Address;

use super::StoreError;

/// A synchronous connection to PostgreSQL.
pub struct PgConnection {
    /// The instance of the store that has it.
    pub(super) instance: Uuid,
    /// What is told to all instances [after the commit](super::notify::commit).
    pub(super) to_tell: Vec<String>,
    inner: Box<AsyncPgConnection>,
    /// Ends when the connection does.
    driver: JoinHandle<()>,
    runtime: OwnRuntime,
}

impl PgConnection {
    /// What `asked` makes of several queries. Those that it waits for together are sent without waiting for
    /// the answer to the one before: that saves round trips, and both sides from being woken for each. The
    /// server carries them out one after the other in the order in which they are first polled, so wait for
    /// them with [`in_order`].
    pub(super) fn at_once<T>(&mut self, asked: impl AsyncFnOnce(PipelinedConnection<'_>) -> T) -> T {
        self.runtime.block_on(asked(PipelinedConnection(&self.inner)))
    }

    /// Whether the server has hung up, as far as this machine knows. Unlike a query it takes no round trip.
    pub(super) fn is_closed(&self) -> bool {
        self.runtime.block_on(async {
            // The first has the runtime look at the socket, the second lets the driver read from it.
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        });
        self.driver.is_finished()
    }
}

/// A connection that queries are sent on while others are under way.
#[derive(Clone, Copy)]
pub(super) struct PipelinedConnection<'c>(&'c AsyncPgConnection);

impl<'c> PipelinedConnection<'c> {
    /// Sends a query and returns the rows that answer it.
    ///
    /// # Errors
    /// It failed, or another before it has spoilt the transaction.
    pub(super) async fn load<'q, U, Q>(self, query: Q) -> Result<Vec<U>, StoreError>
    where
        Q: LoadQuery<'q, &'c AsyncPgConnection, U> + 'q,
        U: Send,
    {
        let mut connection = self.0;
        Ok(RunQueryDsl::load(query, &mut connection).await?)
    }

    /// Sends a statement and returns how many rows it has changed.
    ///
    /// # Errors
    /// It failed, or another before it has spoilt the transaction.
    pub(super) async fn execute<'q, Q>(self, statement: Q) -> Result<usize, StoreError>
    where
        Q: ExecuteDsl<&'c AsyncPgConnection> + 'q,
    {
        let mut connection = self.0;
        Ok(RunQueryDsl::execute(statement, &mut connection).await?)
    }

    /// Sends statements without values.
    ///
    /// # Errors
    /// One failed, and those after it were not carried out; or another before them has spoilt the
    /// transaction.
    pub(super) async fn batch_execute(self, statements: &str) -> Result<(), StoreError> {
        let mut connection = self.0;
        Ok(connection.batch_execute(statements).await?)
    }
}

/// Waits for several queries [at once](PgConnection::at_once), sent in this order. The error is that of the
/// first that fails.
macro_rules! in_order {
    ($($query:expr),+ $(,)?) => {
        tokio::try_join!(biased; $($query),+)
    };
}
pub(super) use in_order;

/// What runs a connection: on the thread that waits for it, and nowhere else.
struct OwnRuntime(Option<Runtime>);

impl OwnRuntime {
    fn start() -> Result<Self, ConnectionError> {
        let built = Builder::new_current_thread().enable_all().build();
        Ok(Self(Some(built.map_err(|error| refused(&error))?)))
    }

    #[expect(clippy::expect_used, reason = "it is taken out only as it is dropped")]
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        sqlstate::take();
        self.0.as_ref().expect("a runtime until it is dropped").block_on(future)
    }
}

impl Drop for OwnRuntime {
    /// Waits for nothing: the last handle to a store may be dropped in asynchronous code.
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Connects to a server.
///
/// # Errors
/// The address is not one, or the server cannot be reached, refuses, or cannot prove who it is.
pub(super) fn connect(url: &str) -> Result<PgConnection, ConnectionError> {
    let address: Address = url.parse()?;
    let runtime = OwnRuntime::start()?;
    let (inner, driver) = runtime.block_on(async {
        let (client, driver) = dial::dial(&address).await?;
        let driver = tokio::spawn(async move {
            // The caller that waits for an answer is told the error as well.
            let _ = driver.await;
        });
        let connection = dial::within_limit(&address, AsyncPgConnection::try_from(client)).await?;
        Ok::<_, ConnectionError>((connection, driver))
    })?;
    Ok(PgConnection { instance: Uuid::nil(), to_tell: Vec::new(), inner: Box::new(inner), driver, runtime })
}

/// A failure to connect, with the reasons behind it.
fn refused(error: &dyn std::error::Error) -> ConnectionError {
    let behind = std::iter::successors(error.source(), |error| error.source()).map(ToString::to_string);
    let reasons: Vec<_> = std::iter::once(error.to_string()).chain(behind).collect();
    ConnectionError::BadConnection(reasons.join(": "))
}

/// How long a listener waits for an answer.
const ANSWER: Duration = Duration::from_secs(5);

/// A connection that hears what is notified on some channels.
pub(super) struct Listening {
    notified: UnboundedReceiver<Notified>,
    client: Client,
    runtime: OwnRuntime,
}

/// What was notified.
pub(super) struct Notified {
    pub channel: String,
    pub payload: String,
}

impl Listening {
    /// Connects and listens on `channels`, which are plain names.
    ///
    /// # Errors
    /// See [`connect`].
    pub(super) fn start(url: &str, channels: &[&'static str]) -> Result<Self, ConnectionError> {
        let address: Address = url.parse()?;
        let runtime = OwnRuntime::start()?;
        let (tell, notified) = unbounded_channel();
        let client = runtime.block_on(async {
            let (client, driver) = dial::dial(&address).await?;
            tokio::spawn(pass_on(driver, tell));
            let listen: String = channels.iter().map(|channel| format!("LISTEN {channel};")).collect();
            let listening = async { client.batch_execute(&listen).await.map_err(|error| refused(&error)) };
            dial::within_limit(&address, listening).await?;
            Ok::<_, ConnectionError>(client)
        })?;
        Ok(Self { notified, client, runtime })
    }

    /// The first value of the answer to a query. Afterwards everything has been received that was notified
    /// before.
    ///
    /// # Errors
    /// The connection was lost, or the query failed.
    pub(super) fn ask(&self, query: &str) -> Result<Option<String>, ConnectionError> {
        let asked = async { tokio::time::timeout(ANSWER, self.client.simple_query(query)).await };
        let lost = |_| ConnectionError::BadConnection("the server does not answer".into());
        let answered = self.runtime.block_on(asked).map_err(lost)?.map_err(|error| refused(&error))?;
        Ok(answered.iter().find_map(|message| {
            if let SimpleQueryMessage::Row(row) = message { row.get(0).map(str::to_owned) } else { None }
        }))
    }

    /// The next notification; `None` if none arrives in this time.
    ///
    /// # Errors
    /// The connection was lost.
    pub(super) fn next(&mut self, within: Duration) -> Result<Option<Notified>, ConnectionError> {
        let notified = &mut self.notified;
        match self.runtime.block_on(async { tokio::time::timeout(within, notified.recv()).await }) {
            Ok(Some(notified)) => Ok(Some(notified)),
            Ok(None) => Err(ConnectionError::BadConnection("the connection was lost".into())),
            Err(_in_vain) => Ok(None),
        }
    }
}

/// Drives a connection and passes on what is notified, until it is lost or nobody listens.
async fn pass_on(mut driver: dial::Driver, tell: UnboundedSender<Notified>) {
    while let Some(Ok(message)) = poll_fn(|context| driver.poll_message(context)).await {
        if let AsyncMessage::Notification(notification) = message
            && tell
                .send(Notified {
                    channel: notification.channel().into(),
                    payload: notification.payload().into(),
                })
                .is_err()
        {
            return;
        }
    }
}
