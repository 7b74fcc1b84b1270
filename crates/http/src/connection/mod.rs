//! One client's connection: a place among all of them, and deadlines for the client.
//!
//! A connection is either the client's turn - to send a request's head, and a body that a handler reads - or
//! ours, to answer. During the client's turn a clock runs: [`wire`] ends a connection whose client does not
//! finish a head or does not take what is sent; [`manners`] refuses a body that arrives too slowly, with a
//! reason. During our turn no clock runs, so a live stream may last as long as it likes, even if an unread
//! body is still to come. Nothing else is awaited until the client has taken the answer; only then does the
//! time for the next head begin. [`places`] counts connections, in all and by address; [`files`] makes sure
//! that the system has room for them; [`bodies`] counts the bytes of their bodies.

pub mod accept;
pub mod bodies;
pub mod files;
mod manners;
pub mod places;
mod wire;

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use tokio::time::Instant;

use crate::config::Http;

pub use manners::guard_body;
pub use wire::Wire;

/// The most time for a body, whatever its size.
const FOR_ANY_BODY: Duration = Duration::from_secs(60);
/// The extra time for each kibibyte that moves: the lowest rate is a kibibyte a second.
const FOR_A_KIBIBYTE: Duration = Duration::from_secs(1);
/// The extra time that [`wire`] grants a body, so that [`manners`], which can give a reason, acts first.
const GRACE: Duration = Duration::from_secs(2);

/// How long to wait for a client, at least.
#[derive(Clone, Copy, Debug)]
pub struct ClientTimeouts {
    /// For the head of a request, counted from the end of the previous answer.
    head: Duration,
    /// For a body, before the extra time for its size.
    body: Duration,
    /// For taking an answer, before the extra time for its size.
    answer: Duration,
}

impl ClientTimeouts {
    /// The built-in values, for requests that came over no connection.
    const USUAL: Self = Self {
        head: Duration::from_secs(15),
        body: Duration::from_secs(10),
        answer: Duration::from_secs(30),
    };
}

impl From<&Http> for ClientTimeouts {
    fn from(settings: &Http) -> Self {
        Self {
            head: Duration::from_secs(settings.head_timeout_seconds),
            body: Duration::from_secs(settings.body_timeout_seconds),
            answer: Duration::from_secs(settings.answer_timeout_seconds),
        }
    }
}

/// Whose turn it is on a connection. Shared by the wire and by whatever answers its requests.
#[derive(Debug)]
pub struct Watch {
    turn: Cell<Turn>,
    patience: ClientTimeouts,
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    /// The client's turn to send a request, up to the end of its head.
    Head {
        since: Instant,
    },
    /// The client's turn to send a body that is being read.
    Body(Allowance),
    Answer,
}

/// A deadline that moves as bytes do.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    since: Instant,
    /// Bytes moved since.
    moved: u32,
    patience: Duration,
}

impl Allowance {
    fn from_now(patience: Duration) -> Self {
        Self { since: Instant::now(), moved: 0, patience }
    }

    fn add(&mut self, bytes: usize) {
        self.moved = self.moved.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX));
    }

    fn ends(self) -> Instant {
        self.since + self.patience + FOR_A_KIBIBYTE * (self.moved / 1024)
    }
}

impl Watch {
    /// For a new connection: a head is expected.
    fn new(patience: ClientTimeouts) -> Rc<Self> {
        Rc::new(Self { turn: Cell::new(Turn::Head { since: Instant::now() }), patience })
    }

    /// Until when the wire waits for the client; `None` during our turn.
    fn wire_ends(&self) -> Option<Instant> {
        match self.turn.get() {
            Turn::Head { since } => Some(since + self.patience.head),
            Turn::Body(_) => self.body_ends().map(|ends| ends + GRACE),
            Turn::Answer => None,
        }
    }

    /// Until when a body is awaited; `None` if none is being read.
    fn body_ends(&self) -> Option<Instant> {
        match self.turn.get() {
            Turn::Body(allowance) => Some(allowance.ends().min(allowance.since + FOR_ANY_BODY)),
            Turn::Head { .. } | Turn::Answer => None,
        }
    }

    /// Counts bytes that arrived.
    fn received(&self, bytes: usize) {
        match self.turn.get() {
            Turn::Body(mut allowance) => {
                allowance.add(bytes);
                self.turn.set(Turn::Body(allowance));
            }
            // The deadline of a head does not depend on how much of it has arrived.
            Turn::Head { .. } | Turn::Answer => {}
        }
    }

    fn expect_body(&self) {
        self.turn.set(Turn::Body(Allowance::from_now(self.patience.body)));
    }

    /// Nothing reads the body any more, whether it has arrived or not. If that happens after the answer, the
    /// deadline of the next head stays.
    fn body_is_done(&self) {
        match self.turn.get() {
            Turn::Body(_) => self.answer(),
            Turn::Head { .. } | Turn::Answer => {}
        }
    }

    fn answer(&self) {
        self.turn.set(Turn::Answer);
    }

    fn expect_head(&self) {
        self.turn.set(Turn::Head { since: Instant::now() });
    }

    /// The client has taken an answer that had to wait for it. Only now does the time for the next head
    /// begin.
    fn answer_is_taken(&self) {
        match self.turn.get() {
            Turn::Head { .. } => self.expect_head(),
            Turn::Body(_) | Turn::Answer => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: ClientTimeouts = ClientTimeouts::USUAL;

    #[tokio::test(start_paused = true)]
    async fn a_head_has_its_time_and_a_body_more_the_more_comes_of_it_up_to_a_minute() {
        let watch = Watch::new(PATIENCE);
        let now = Instant::now();
        watch.received(100_000);
        assert_eq!(watch.wire_ends(), Some(now + PATIENCE.head));
        watch.expect_body();
        assert_eq!(watch.body_ends(), Some(now + PATIENCE.body));
        watch.received(1023);
        assert_eq!(watch.body_ends(), Some(now + PATIENCE.body));
        watch.received(1025);
        assert_eq!(watch.body_ends(), Some(now + PATIENCE.body + FOR_A_KIBIBYTE * 2));
        watch.received(usize::MAX);
        assert_eq!(watch.body_ends(), Some(now + FOR_ANY_BODY));
        assert_eq!(watch.wire_ends(), Some(now + FOR_ANY_BODY + GRACE), "who can say why comes first");
    }

    #[tokio::test(start_paused = true)]
    async fn while_it_is_our_turn_nobody_is_waited_for() {
        let watch = Watch::new(PATIENCE);
        watch.answer();
        assert_eq!((watch.wire_ends(), watch.body_ends()), (None, None));
        tokio::time::advance(PATIENCE.head * 100).await;
        watch.expect_head();
        assert_eq!(watch.wire_ends(), Some(Instant::now() + PATIENCE.head), "a head's time begins anew");
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_let_go_ends_the_wait_for_it_and_no_other() {
        let watch = Watch::new(PATIENCE);
        watch.expect_body();
        watch.body_is_done();
        assert_eq!(watch.wire_ends(), None);
        watch.expect_head();
        watch.body_is_done();
        assert_eq!(
            watch.wire_ends(),
            Some(Instant::now() + PATIENCE.head),
            "after the answer it changes nothing"
        );
    }
}
