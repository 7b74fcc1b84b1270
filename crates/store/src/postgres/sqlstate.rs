//! What an error of PostgreSQL means, by its SQLSTATE: its message is in the language of the server.
//!
//! Diesel keeps the message and drops the code, so it is read off the wire. A connection is driven on the
//! thread that uses it; so the state of the last error on this thread is that of what was just asked and
//! failed.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A SQLSTATE, such as `40P01`.
pub(crate) type SqlState = [u8; 5];

thread_local! {
    static LAST: Cell<Option<SqlState>> = const { Cell::new(None) };
}

/// What a statement is answered whose transaction another one has spoilt: the reason is the other one's.
const SPOILT: &SqlState = b"25P02";

/// The state of the last error on this thread, unless something was asked since, or it was taken.
pub(crate) fn take() -> Option<SqlState> {
    LAST.take()
}

/// A stream from a server that notes the state of every error that passes.
pub(super) struct Tap<S> {
    stream: S,
    message: Message,
}

/// How much of an error is looked at: severity and state come first.
const LOOKED_AT: usize = 256;

/// How many bytes say how long a message is, and how many its head has: those and a letter.
const LENGTH: usize = 4;
const HEAD: usize = 1 + LENGTH;

/// The message being received: a letter, its length as four bytes that count themselves, and the rest.
struct Message {
    head: Vec<u8>,
    /// How many bytes of the rest are still to come, once the length is known.
    left: Option<usize>,
    /// The beginning of an error; `None` of any other message.
    error: Option<Vec<u8>>,
}

impl<S> Tap<S> {
    pub(super) fn on(stream: S) -> Self {
        Self { stream, message: Message { head: Vec::with_capacity(HEAD), left: None, error: None } }
    }
}

impl Message {
    fn receive(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let wanted = self.left.unwrap_or(HEAD - self.head.len());
            let taken;
            (taken, bytes) = bytes.split_at(wanted.min(bytes.len()));
            if let Some(left) = &mut self.left {
                *left -= taken.len();
                if let Some(error) = &mut self.error {
                    error.extend(taken.iter().take(LOOKED_AT.saturating_sub(error.len())));
                }
            } else {
                self.head.extend_from_slice(taken);
                if let Ok([letter, length @ ..]) = <[u8; HEAD]>::try_from(&*self.head) {
                    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
                    self.left = Some(length.saturating_sub(LENGTH));
                    self.error = (letter == b'E').then(Vec::new);
                }
            }
            self.end_if_whole();
        }
    }

    fn end_if_whole(&mut self) {
        if self.left == Some(0) {
            self.head.clear();
            self.left = None;
            if let Some(state) = self.error.take().as_deref().and_then(state_of)
                && state != *SPOILT
            {
                LAST.set(Some(state));
            }
        }
    }
}

/// The state in an error's fields: each a letter and a text that ends with a zero.
fn state_of(error: &[u8]) -> Option<SqlState> {
    error.split(|byte| *byte == 0).find_map(|field| field.strip_prefix(b"C"))?.try_into().ok()
}

impl<S: AsyncRead + Unpin> AsyncRead for Tap<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        self.message.receive(into.filled().get(before..).unwrap_or_default());
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Tap<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(letter: u8, rest: &[u8]) -> Vec<u8> {
        let length = u32::try_from(rest.len() + 4).unwrap().to_be_bytes();
        [&[letter], &length[..], rest].concat()
    }

    #[test]
    fn the_state_of_an_error_is_found_however_its_bytes_arrive() {
        let error = message(b'E', b"SFEHLER\0VERROR\0C40P01\0MVerklemmung entdeckt\0\0");
        let all = [message(b'D', b"C00000\0"), message(b'1', b""), error, message(b'Z', b"E")].concat();
        for size in 1..=all.len() {
            LAST.set(None);
            let mut found = Tap::on(()).message;
            all.chunks(size).for_each(|bytes| found.receive(bytes));
            assert_eq!(take(), Some(*b"40P01"), "in chunks of {size}");
        }
    }

    #[test]
    fn what_fails_for_another_says_nothing_new() {
        let error = |state: &[u8]| message(b'E', &[b"SERROR\0C", state, b"\0\0"].concat());
        take();
        let mut found = Tap::on(()).message;
        found.receive(&[error(b"23505"), error(b"25P02"), error(b"25P02")].concat());
        assert_eq!(take(), Some(*b"23505"));
        found.receive(&error(b"25P02"));
        assert_eq!(take(), None);
    }

    #[test]
    fn an_error_as_long_as_one_likes_is_looked_at_no_further_than_its_state() {
        let error = message(b'E', &[&b"SERROR\0C53100\0M"[..], &vec![b'x'; 1 << 20], b"\0\0"].concat());
        let mut found = Tap::on(()).message;
        error.chunks(8192).for_each(|bytes| {
            found.receive(bytes);
            assert!(found.error.as_ref().is_none_or(|kept| kept.len() <= LOOKED_AT));
        });
        assert_eq!(take(), Some(*b"53100"));
    }
}
