//! How often signing in may fail before it is refused unheard. The counts are kept by the store, so
//! that they hold across instances; this only judges them.
//!
//! A whole club may sit behind one address, and a login is no secret. So that a stranger in the room who
//! tries invented logins, or a crowd elsewhere who try one, shut nobody of the club out, a login that has
//! been signed in with from a client lately is *known* there: from there only its own failures there end it.
//! Guessing stays bounded: so many tries for each such login and client, as ever, and none beyond the
//! common shares for any other.
//!
//! Counting invented logins apart from real ones would shut out fewer still, but when the limit is
//! reached would tell which are real. This tells nobody: beyond a common share a wrong password
//! for a known login is answered like an attempt that is refused unheard, and as late.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// Go on and check the password.
    Allowed,
    /// Go on and check the password of a known login; a wrong one is to be answered like [`Self::TooMany`].
    OnlyIfRight {
        /// For `Retry-After`.
        retry_within: TimeDelta,
    },
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
    /// How long a login stays known where it has been signed in with.
    pub known_for: TimeDelta,
}

impl Default for AttemptPolicy {
    fn default() -> Self {
        Self {
            window: TimeDelta::minutes(15),
            login_and_client: 10,
            login: 50,
            client: 100,
            known_for: TimeDelta::days(30),
        }
    }
}

impl AttemptPolicy {
    /// Whether another attempt may be made after `failures` in the window, with a login that is or is not
    /// known at its client.
    #[must_use]
    pub const fn judge(&self, failures: FailureCounts, is_known: bool) -> Attempts {
        let retry_within = self.window;
        if failures.login_and_client >= self.login_and_client {
            Attempts::TooMany { retry_within }
        } else if failures.login < self.login && failures.client < self.client {
            Attempts::Allowed
        } else if is_known {
            Attempts::OnlyIfRight { retry_within }
        } else {
            Attempts::TooMany { retry_within }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_ends_it_by_itself_and_one_below_does_not() {
        let policy = AttemptPolicy::default();
        let counts = |login_and_client, login, client| FailureCounts { login_and_client, login, client };
        assert_eq!(policy.judge(FailureCounts::default(), false), Attempts::Allowed);
        assert_eq!(policy.judge(counts(9, 49, 99), false), Attempts::Allowed);
        let too_many = Attempts::TooMany { retry_within: TimeDelta::minutes(15) };
        for refused in [counts(10, 10, 10), counts(0, 50, 0), counts(0, 0, 100), counts(u32::MAX, 0, 0)] {
            assert_eq!(policy.judge(refused, false), too_many, "{refused:?}");
        }
    }

    #[test]
    fn a_known_login_is_ended_by_its_own_failures_there_alone() {
        let policy = AttemptPolicy::default();
        let counts = |login_and_client, login, client| FailureCounts { login_and_client, login, client };
        let retry_within = TimeDelta::minutes(15);
        assert_eq!(policy.judge(counts(9, 49, 99), true), Attempts::Allowed);
        for others in [counts(9, 50, 0), counts(0, 0, 100), counts(9, u32::MAX, u32::MAX)] {
            assert_eq!(policy.judge(others, true), Attempts::OnlyIfRight { retry_within }, "{others:?}");
        }
        assert_eq!(policy.judge(counts(10, 10, 10), true), Attempts::TooMany { retry_within });
    }
}
