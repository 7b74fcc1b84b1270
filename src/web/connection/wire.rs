//! The bytes of a connection, and the end of those whose clients keep it waiting too long.
//!
//! The server's own timers end with the first head of a connection: a second one that never ends, a body that
//! nobody reads and an answer that nobody takes would hold a connection for ever.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::places::Place;
use super::{Allowance, FOR_A_HEAD, FOR_AN_ANSWER, Watch};

/// A connection that fails with [`io::ErrorKind::TimedOut`] when its client has kept it waiting too long.
pub struct Wire {
    stream: TcpStream,
    watch: Rc<Watch>,
    timer: Pin<Box<Sleep>>,
    /// The time for what is to be sent, once the client has not taken it at once.
    sending: Option<Allowance>,
    _place: Place,
}

impl Wire {
    /// Of a connection just accepted, whose place it keeps.
    #[must_use]
    pub fn new(stream: TcpStream, place: Place) -> Self {
        let timer = Box::pin(sleep_until(Instant::now() + FOR_A_HEAD));
        Self { stream, watch: Watch::new(), timer, sending: None, _place: place }
    }

    /// Whose turn it is, for whoever answers the requests.
    #[must_use]
    pub fn watch(&self) -> Rc<Watch> {
        Rc::clone(&self.watch)
    }

    /// Ready with the error once the client's time is over; until then the task is woken when it will be.
    fn overdue(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        loop {
            let sending = self.sending.map(Allowance::ends);
            let Some(ends) = self.watch.wire_ends().into_iter().chain(sending).min() else {
                return Poll::Pending;
            };
            if Instant::now() >= ends {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            // One that rings too early is looked at again; setting it anew for every byte would cost more.
            if self.timer.is_elapsed() || self.timer.deadline() > ends {
                self.timer.as_mut().reset(ends);
            }
            ready!(self.timer.as_mut().poll(context));
        }
    }

    /// What came of an attempt to send.
    fn sent(
        &mut self,
        outcome: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match outcome {
            Poll::Ready(Ok(bytes)) => {
                if let Some(sending) = &mut self.sending {
                    sending.add(bytes);
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                self.sending.get_or_insert_with(|| Allowance::from_now(FOR_AN_ANSWER));
                self.overdue(context).map(Err)
            }
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(outcome) => {
                self.watch.received(buffer.filled().len() - before);
                Poll::Ready(outcome)
            }
            Poll::Pending => self.overdue(context).map(Err),
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(outcome, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.sent(outcome, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// The server flushes when it has written all that it had: from here on other bytes have their own time. It
    /// does so at the end of every turn, too, and may then wait without reading; so the timer is set here.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.sending = None;
        match self.overdue(context) {
            Poll::Ready(error) => Poll::Ready(Err(error)),
            Poll::Pending => Pin::new(&mut self.stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
