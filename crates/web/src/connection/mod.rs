//! One connection of a client: a place among all of them, and how long its client may keep the service
//! waiting.
//!
//! On a connection it is either the client's turn - to ask, and to send what he announced and somebody waits
//! for - or ours, to answer. While it is the client's, time runs: [`wire`] ends a connection whose client does
//! not come to the end of a head, or does not take what is sent to him; [`manners`] refuses a body that comes
//! too slowly, and says so. While it is ours no time runs, so a live stream may last as long as it likes,
//! whatever of a body nobody wants is still to come. Until an answer is taken nothing else is waited for; then
//! the time for the next head begins. How many
//! connections there may be, in all and from one address, is counted in [`places`]; [`files`] sees to it that
//! the system has room for them. How much of their bodies is held at a time is counted in [`bodies`].

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

pub use manners::attend;
pub use wire::Wire;

/// How long a client may take for a body whatever its size.
const FOR_ANY_BODY: Duration = Duration::from_secs(60);
/// For every kibibyte that moves a client has so much longer: a kibibyte a second is the least rate.
const FOR_A_KIBIBYTE: Duration = Duration::from_secs(1);
/// What [`wire`] gives a body besides: [`manners`] is to come first, which can say what is wrong.
const GRACE: Duration = Duration::from_secs(2);

/// How long a client is waited for, at least.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the head of a request, counted from the end of the answer before.
    head: Duration,
    /// For a body, besides what its size allows.
    body: Duration,
    /// For taking what is sent to him, besides what its size allows.
    answer: Duration,
}

impl Patience {
    /// As built in: for a request that came over no connection.
    const USUAL: Self = Self {
        head: Duration::from_secs(15),
        body: Duration::from_secs(10),
        answer: Duration::from_secs(30),
    };
}

impl From<&Http> for Patience {
    fn from(settings: &Http) -> Self {
        Self {
            head: Duration::from_secs(settings.head_timeout_seconds),
            body: Duration::from_secs(settings.body_timeout_seconds),
            answer: Duration::from_secs(settings.answer_timeout_seconds),
        }
    }
}

/// Whose turn it is on a connection. Shared by what reads and writes it and by whoever answers its requests.
#[derive(Debug)]
pub struct Watch {
    turn: Cell<Turn>,
    patience: Patience,
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    /// The client's: to send a request, up to the end of its head.
    Head {
        since: Instant,
    },
    /// The client's: to send the body that a head has announced and somebody waits for.
    Body(Allowance),
    Answer,
}

/// The time that somebody has, which grows with what moves.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    since: Instant,
    /// Bytes that have moved since.
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
    /// Of a connection that has just been made.
    fn new(patience: Patience) -> Rc<Self> {
        Rc::new(Self { turn: Cell::new(Turn::Head { since: Instant::now() }), patience })
    }

    /// Until when the wire waits for its client, if it is the client's turn.
    fn wire_ends(&self) -> Option<Instant> {
        match self.turn.get() {
            Turn::Head { since } => Some(since + self.patience.head),
            Turn::Body(_) => self.body_ends().map(|ends| ends + GRACE),
            Turn::Answer => None,
        }
    }

    /// Until when a body is waited for, if one is.
    fn body_ends(&self) -> Option<Instant> {
        match self.turn.get() {
            Turn::Body(allowance) => Some(allowance.ends().min(allowance.since + FOR_ANY_BODY)),
            Turn::Head { .. } | Turn::Answer => None,
        }
    }

    /// So many bytes came.
    fn received(&self, bytes: usize) {
        match self.turn.get() {
            Turn::Body(mut allowance) => {
                allowance.add(bytes);
                self.turn.set(Turn::Body(allowance));
            }
            // A head has its time, however much of it has come.
            Turn::Head { .. } | Turn::Answer => {}
        }
    }

    fn expect_body(&self) {
        self.turn.set(Turn::Body(Allowance::from_now(self.patience.body)));
    }

    /// Nobody waits for the body any more, come or not. It may be let go after the answer: then the head that is
    /// waited for by now keeps its time.
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

    /// The client has taken an answer that he kept waiting. The next head's time begins only now.
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

    const PATIENCE: Patience = Patience::USUAL;

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
