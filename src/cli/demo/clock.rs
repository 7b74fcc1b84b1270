//! The clock of the demonstration.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::TimeDelta;

use owlbox_base::values::Timestamp;
use owlbox_desk::Clock;

/// A clock that is moved from act to act, but never past the real time.
#[derive(Clone)]
pub(super) struct DemoClock {
    shown: Arc<Mutex<Timestamp>>,
    real: Timestamp,
}

impl DemoClock {
    pub(super) fn at(real: Timestamp) -> Self {
        Self { shown: Arc::new(Mutex::new(real)), real }
    }

    pub(super) fn set(&self, moment: Timestamp) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = moment.min(self.real);
    }

    /// Moves it on to `moment`; never back.
    pub(super) fn not_before(&self, moment: Timestamp) {
        self.set(moment.max(self.now()));
    }

    pub(super) fn advance(&self, by: TimeDelta) {
        self.set((self.now().utc() + by).into());
    }
}

impl Clock for DemoClock {
    fn now(&self) -> Timestamp {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
