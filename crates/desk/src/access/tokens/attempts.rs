//! The limit on failed attempts to sign in. The store keeps the counts, so that they hold across instances;
//! this module only judges them.
//!
//! A whole club may sit behind one address, and a login is no secret. A stranger in the room who tries
//! invented logins, or a crowd elsewhere who try a real one, must not lock out the club. So a login that has
//! been used from a client lately is *known* there, and there only its own failures from that client count
//! against it. And a client with too many failures may still sign in, but its passwords are checked one at a
//! time, a second apart if they are wrong ([`Guessers`](super::super::guessers::Guessers)): eighty phones
//! behind one address get in while one of them guesses. Guessing stays bounded: each login has its number of
//! tries per client and from anywhere.
//!
//! Counting invented logins apart from real ones would lock out fewer people still, but the moment the limit
//! is reached would show which logins are real. Here it does not: beyond a common limit a wrong password for
//! a known login is answered like an attempt refused unchecked, and just as late.

use chrono::TimeDelta;

/// Failed attempts within the policy's window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailureCounts {
    /// Failures of this login from this client.
    pub login_and_client: u32,
    /// Failures of this login from anywhere.
    pub login: u32,
    /// Failures of any login from this client.
    pub client: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// Go on and check the password.
    Allowed,
    /// Check the password: the login is known here, or only the client has failed too often. Answer a wrong
    /// one like [`Self::TooMany`].
    OnlyIfRight {
        /// The value for the `Retry-After` header.
        retry_within: TimeDelta,
    },
    /// Refuse without checking the password.
    TooMany {
        /// The value for the `Retry-After` header: the whole window, because the counts do not show when it
        /// began. By then the oldest failures no longer count.
        retry_within: TimeDelta,
    },
}

/// The limits on failures. The limit for a login from anywhere is higher, so that a stranger cannot lock
/// somebody out of their own phone with a few tries. The one for a client is the highest, because a whole
/// club may sit behind one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptPolicy {
    /// How long a failure counts.
    pub window: TimeDelta,
    /// The limit for one login from one client.
    pub login_and_client: u32,
    /// The limit for one login from anywhere.
    pub login: u32,
    /// The limit for one client over all logins.
    pub client: u32,
    /// How long a login stays known at a client after a successful sign-in.
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
    /// Whether another attempt may be made after these failures. `is_known`: the login has been used from
    /// this client.
    #[must_use]
    pub const fn judge(&self, failures: FailureCounts, is_known: bool) -> Attempts {
        let retry_within = self.window;
        let login_is_over = failures.login >= self.login;
        if failures.login_and_client >= self.login_and_client || (login_is_over && !is_known) {
            Attempts::TooMany { retry_within }
        } else if login_is_over || failures.client >= self.client {
            Attempts::OnlyIfRight { retry_within }
        } else {
            Attempts::Allowed
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
        for refused in [counts(10, 10, 10), counts(0, 50, 0), counts(0, 50, 100), counts(u32::MAX, 0, 0)] {
            assert_eq!(policy.judge(refused, false), too_many, "{refused:?}");
        }
        let only_if_right = Attempts::OnlyIfRight { retry_within: TimeDelta::minutes(15) };
        assert_eq!(
            policy.judge(counts(9, 49, 100), false),
            only_if_right,
            "others behind the address failed"
        );
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
