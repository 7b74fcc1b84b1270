//! The bytes of a connection, and the end of connections whose clients keep it waiting too long.
//!
//! The server's own timers stop at the first head of a connection: a second head that never ends, a body that
//! nothing reads or an answer that nobody takes would hold the connection forever.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::places::ConnectionPlace;
use super::{Allowance, ClientTimeouts, Watch};

/// A connection that fails with [`io::ErrorKind::TimedOut`] when its client has kept it waiting too long.
pub struct Wire {
    stream: TcpStream,
    watch: Rc<Watch>,
    patience: ClientTimeouts,
    timer: Pin<Box<Sleep>>,
    /// The deadline for sending, from when the client did not take everything at once.
    sending: Option<Allowance>,
    _place: ConnectionPlace,
}

impl Wire {
    /// Wraps a connection that was just accepted, and keeps its place.
    #[must_use]
    pub fn new(stream: TcpStream, place: ConnectionPlace, patience: ClientTimeouts) -> Self {
        // What follows the head of an answer, and every act of a live stream, would wait until the client has
        // acknowledged what came before, which it may put off for 40 ms. It fails if the client has gone.
        let _ = stream.set_nodelay(true);
        let timer = Box::pin(sleep_until(Instant::now() + patience.head));
        Self { stream, watch: Watch::new(patience), patience, timer, sending: None, _place: place }
    }

    /// Whose turn it is, for whatever answers the requests.
    #[must_use]
    pub fn watch(&self) -> Rc<Watch> {
        Rc::clone(&self.watch)
    }

    /// Until when to wait for the client, if at all. A client that is still taking an answer is not late with
    /// what follows it.
    fn ends(&self) -> Option<Instant> {
        match self.sending {
            Some(sending) => Some(sending.ends()),
            None => self.watch.wire_ends(),
        }
    }

    /// Ready with the error once the deadline has passed; until then it wakes the task at the deadline.
    fn overdue(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        loop {
            let Some(ends) = self.ends() else { return Poll::Pending };
            if Instant::now() >= ends {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            // A timer that fires early is checked again. Resetting it for every byte would cost more.
            if self.timer.is_elapsed() || self.timer.deadline() > ends {
                self.timer.as_mut().reset(ends);
            }
            ready!(self.timer.as_mut().poll(context));
        }
    }

    /// Records the outcome of an attempt to send.
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
                let patience = self.patience.answer;
                self.sending.get_or_insert_with(|| Allowance::from_now(patience));
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

    /// The server flushes when it has written all it had, so later bytes get a deadline of their own. It also
    /// flushes at the end of every turn and may then wait without reading; therefore the timer is set here.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.sending.take().is_some() {
            self.watch.answer_is_taken();
        }
        match self.overdue(context) {
            Poll::Ready(error) => Poll::Ready(Err(error)),
            Poll::Pending => Pin::new(&mut self.stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    use tokio::net::{TcpListener, TcpSocket};

    use super::super::places::ConnectionPlaces;
    use super::*;

    const PATIENCE: ClientTimeouts = ClientTimeouts::USUAL;

    /// A wire whose client has sent a request and takes nothing of the answer yet; and the client.
    async fn clogged() -> (Wire, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let client = TcpSocket::new_v4().unwrap();
        client.set_recv_buffer_size(4096).unwrap();
        let client = client.connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let place = ConnectionPlaces::new(1, 1, Vec::new()).enter(IpAddr::V4(Ipv4Addr::LOCALHOST)).unwrap();
        let mut wire = Wire::new(stream, place, PATIENCE);
        assert!(wire.stream.nodelay().unwrap(), "nothing waits for an acknowledgement");
        wire.watch.answer();
        while write(&mut wire).await.is_some() {}
        (wire, client)
    }

    /// The outcome of writing now; `None` if the client has to take something first.
    async fn write(wire: &mut Wire) -> Option<io::Result<usize>> {
        poll_fn(|context| match Pin::new(&mut *wire).poll_write(context, &[b'x'; 65_536]) {
            Poll::Ready(outcome) => Poll::Ready(Some(outcome)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }

    async fn flush(wire: &mut Wire) -> io::Result<()> {
        poll_fn(|context| Pin::new(&mut *wire).poll_flush(context)).await
    }

    /// Whether the wire is waiting for the client now.
    async fn waits(wire: &mut Wire) -> bool {
        poll_fn(|context| {
            let mut some = [0; 16];
            let read = Pin::new(&mut *wire).poll_read(context, &mut ReadBuf::new(&mut some));
            Poll::Ready(read.is_pending())
        })
        .await
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_still_takes_an_answer_has_the_time_for_it_to_its_last_byte() {
        let (mut wire, _client) = clogged().await;
        // The server holds the rest of the answer itself and counts it as sent.
        wire.watch.expect_head();
        tokio::time::advance(PATIENCE.answer - Duration::from_secs(1)).await;
        assert!(waits(&mut wire).await, "the next head is not waited for yet");
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(!waits(&mut wire).await, "but nobody is waited for who takes nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_for_the_next_head_begins_when_the_answer_is_taken() {
        let (mut wire, client) = clogged().await;
        wire.watch.expect_head();
        tokio::time::advance(PATIENCE.head * 2 - Duration::from_secs(1)).await;
        let mut taken = vec![0; 1 << 20];
        while write(&mut wire).await.is_none() {
            drop(client.try_read(&mut taken));
            tokio::task::yield_now().await;
        }
        flush(&mut wire).await.unwrap();
        tokio::time::advance(PATIENCE.head - Duration::from_secs(1)).await;
        assert!(waits(&mut wire).await);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(!waits(&mut wire).await);
    }
}
