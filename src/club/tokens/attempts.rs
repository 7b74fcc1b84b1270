//! How often signing in may fail before it is refused unheard. The counts are kept by the store, so
//! that they hold across instances; this only judges them.

use chrono::TimeDelta;

/// Failed attempts within the policy's window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailureCounts {
    /// For this login from this client.
    pub login_and_client: u32,
    /// For this login from anywhere.
    pub login: u32,
    /// From this client for any login.
    pub client: u32,
}

/// What may be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// Go on and check the password.
    Allowed,
    /// Refuse without checking; after at most this long the oldest failures no longer count.
    TooMany {
        /// For `Retry-After`: the whole window, for the counts do not tell when it began.
        retry_within: TimeDelta,
    },
}

/// How many failures are too many. The limit for a login from anywhere is the higher, so that a
/// stranger cannot lock somebody out of his own phone with a few tries; the one for a client is the
/// highest, for a whole club may sit behind one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptPolicy {
    /// How long a failure counts.
    pub window: TimeDelta,
    /// So many failures for one login from one client end it.
    pub login_and_client: u32,
    /// So many for one login.
    pub login: u32,
    /// So many from one client.
    pub client: u32,
}

impl Default for AttemptPolicy {
    fn default() -> Self {
        Self { window: TimeDelta::minutes(15), login_and_client: 10, login: 50, client: 100 }
    }
}

impl AttemptPolicy {
    /// Whether another attempt may be made after `failures` in the window.
    #[must_use]
    pub const fn judge(&self, failures: FailureCounts) -> Attempts {
        let below = failures.login_and_client < self.login_and_client
            && failures.login < self.login
            && failures.client < self.client;
        if below { Attempts::Allowed } else { Attempts::TooMany { retry_within: self.window } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_ends_it_by_itself_and_one_below_does_not() {
        let policy = AttemptPolicy::default();
        let counts = |login_and_client, login, client| FailureCounts { login_and_client, login, client };
        assert_eq!(policy.judge(FailureCounts::default()), Attempts::Allowed);
        assert_eq!(policy.judge(counts(9, 49, 99)), Attempts::Allowed);
        let too_many = Attempts::TooMany { retry_within: TimeDelta::minutes(15) };
        for refused in [counts(10, 10, 10), counts(0, 50, 0), counts(0, 0, 100), counts(u32::MAX, 0, 0)] {
            assert_eq!(policy.judge(refused), too_many, "{refused:?}");
        }
    }
}
