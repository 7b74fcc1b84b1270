//! How far a long command is: a line on standard error that is gone once the command is done. Nothing of it
//! where that is no terminal.

use std::io::{self, IsTerminal as _, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What ends sooner shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a line stands.
const EVERY: Duration = Duration::from_millis(200);
/// How many characters a bar has.
const BAR: usize = 30;

/// Shows how far it is until it is dropped.
pub struct Progress {
    far: Arc<Far>,
    /// The thread ends when the sender is dropped.
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How much of how much is done; of nothing as long as that is not known.
#[derive(Default)]
struct Far {
    done: AtomicUsize,
    all: AtomicUsize,
}

impl Progress {
    /// Shows that `what` is going on.
    #[must_use]
    pub fn of(what: &'static str) -> Self {
        let far = Arc::<Far>::default();
        let shown = io::stderr().is_terminal().then(|| {
            let (sender, ended) = channel();
            let far = Arc::clone(&far);
            let thread = std::thread::spawn(move || show(&mut io::stderr(), what, &far, &ended, PATIENCE));
            (sender, thread)
        });
        Self { far, shown }
    }

    /// Takes note that so much of so much is done.
    pub fn tell(&self, done: usize, all: usize) {
        self.far.done.store(done, Relaxed);
        self.far.all.store(all, Relaxed);
    }
}

/// Opens a club, which brings one of an older version to this one.
pub fn while_opening<T>(open: impl FnOnce() -> T) -> T {
    let _progress = Progress::of("opening the club");
    open()
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.shown.take() {
            drop(sender);
            // A panic there was reported when it happened.
            drop(thread.join());
        }
    }
}

/// Writes a line every now and then, and takes it away at the end. A terminal that is gone is no failure.
fn show(out: &mut impl Write, what: &str, far: &Far, ended: &Receiver<()>, patience: Duration) {
    let (began, mut wait, mut is_shown) = (Instant::now(), patience, false);
    while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        let line = line(what, far, began.elapsed());
        let _ = write!(out, "\r\u{1b}[K{line}").and_then(|()| out.flush());
        (wait, is_shown) = (EVERY, true);
    }
    if is_shown {
        let _ = write!(out, "\r\u{1b}[K").and_then(|()| out.flush());
    }
}

fn line(what: &str, far: &Far, elapsed: Duration) -> String {
    let (done, all) = (far.done.load(Relaxed), far.all.load(Relaxed));
    match done.min(all).saturating_mul(100).checked_div(all) {
        None => format!("{what} ... {} s", elapsed.as_secs()),
        Some(percent) => format!("{what} [{:<BAR$}] {percent} %", "#".repeat(percent * BAR / 100)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is_or_how_long_it_has_taken() {
        let line = |what: &str, done: usize, all: usize| {
            line(what, &Far { done: done.into(), all: all.into() }, Duration::from_millis(3_900))
        };
        assert_eq!(line("verifying", 0, 0), "verifying ... 3 s");
        assert_eq!(line("playing", 1, 4), format!("playing [#######{}] 25 %", " ".repeat(23)));
        assert_eq!(line("copying", 9, 8), format!("copying [{}] 100 %", "#".repeat(BAR)));
    }

    #[test]
    fn what_is_done_soon_shows_nothing_and_what_was_shown_is_taken_away() {
        let shown = |patience: Duration| {
            let (sender, ended) = channel();
            let showing = std::thread::spawn(move || {
                let mut out = Vec::new();
                show(&mut out, "playing", &Far { done: 1.into(), all: 2.into() }, &ended, patience);
                String::from_utf8(out).unwrap()
            });
            std::thread::sleep(Duration::from_millis(50));
            drop(sender);
            showing.join().unwrap()
        };
        assert_eq!(shown(Duration::from_secs(20)), "");
        let out = shown(Duration::ZERO);
        assert!(out.starts_with("\r\u{1b}[Kplaying [") && out.ends_with("50 %\r\u{1b}[K"), "{out:?}");
    }
}
