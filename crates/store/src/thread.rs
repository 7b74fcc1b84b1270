//! The threads that write.

use std::cell::Cell;
use std::thread::{JoinHandle, current};

use super::StoreError;

thread_local! {
    /// Whether a [`Thread`] that is dropped on this thread is waited for.
    static WAITS: Cell<bool> = const { Cell::new(true) };
}

/// Lets nothing that is dropped on this thread wait for another one: for a thread that others wait for, and
/// that runs what callers gave it.
pub(super) fn wait_for_nobody() {
    WAITS.set(false);
}

/// A thread that is joined when dropped.
pub(super) struct Thread(Option<JoinHandle<()>>);

impl Thread {
    /// Starts a thread; dropping this waits for its end.
    pub(super) fn start(name: &str, run: impl FnOnce() + Send + 'static) -> Result<Self, StoreError> {
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(run)
            .map(|thread| Self(Some(thread)))
            .map_err(StoreError::Thread)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // The last handle may be dropped by a unit of work on the thread itself, which cannot join itself.
        if let Some(thread) = self.0.take().filter(|thread| thread.thread().id() != current().id())
            && WAITS.get()
        {
            // A panic was reported when it happened.
            drop(thread.join());
        }
    }
}
