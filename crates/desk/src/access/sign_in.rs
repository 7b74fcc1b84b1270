//! Signing in with login and password, and changing the own password.
//!
//! An unknown login, a wrong password and a deactivated account get the same answer after the same work. An
//! attempt is counted before the password is checked, and uncounted if it was right. So a burst of parallel
//! attempts, even at several instances, gets no more tries than a series of single ones.
//!
//! "Too many attempts" is never answered before [`BEFORE_TOO_MANY`] has passed, whether the password was
//! checked or not. So the timing does not reveal the logins known at a client, and retrying at once gains
//! nothing.

use std::net::IpAddr;
use std::time::Duration;

use chrono::TimeDelta;
use secrecy::SecretString;

use super::hashing::Asker;
use super::sessions::Tokens;
use super::{end_all_proofs, sha256};
use crate::access::password::{Password, PasswordHash};
use crate::access::tokens::{AttemptPolicy, Attempts, FailureCounts};
use crate::commands::metrics::{SIGN_INS, SignInOutcome};
use crate::{Actor, Desk, Refused, Unauthorised};
use owlbox_base::values::{Timestamp, household};
use owlbox_books::club::Login;
use owlbox_store::credentials::{attempts, passwords};
use owlbox_store::{AnyConnection, StoreError, accounts};

/// The minimum time before an attempt is answered with "too many attempts"; longer than checking a password
/// takes.
const BEFORE_TOO_MANY: Duration = Duration::from_secs(1);

/// The keys an attempt is counted under: login and client together, login, and client. `known` records that
/// the login has been used from this client, `unlocked` when its failures were forgiven, at whatever client.
#[derive(Clone)]
struct Counters {
    login_and_client: Vec<u8>,
    login: Vec<u8>,
    client: Vec<u8>,
    known: Vec<u8>,
    unlocked: Vec<u8>,
}

impl Counters {
    fn new(login_key: &str, client: IpAddr) -> Self {
        let client = household(client).to_string();
        Self {
            login_and_client: sha256(&[b"login and client", login_key.as_bytes(), client.as_bytes()]),
            login: login_counter(login_key),
            client: sha256(&[b"client", client.as_bytes()]),
            known: sha256(&[b"known", login_key.as_bytes(), client.as_bytes()]),
            unlocked: unlocked(login_key),
        }
    }

    /// The keys to count under, always in this order: transactions that meet here wait instead of
    /// deadlocking.
    fn all(&self) -> [&[u8]; 3] {
        [&self.login_and_client, &self.login, &self.client]
    }
}

/// An attempt that has been counted, with the data to check it against.
struct Counted {
    /// Too many attempts from this client have failed in this club.
    client_is_over: bool,
    credential: Option<passwords::Credential>,
    /// The credential's hash; `None` if there is no such login or its account is deactivated.
    hash: Option<PasswordHash>,
    /// The answer to a wrong password.
    if_wrong: Refused,
}

impl Desk {
    /// Signs in with login and password, and starts a session.
    ///
    /// # Errors
    /// [`Unauthorised::WrongPassword`] for every kind of mismatch; [`Refused::TooMany`]; [`Refused::Busy`].
    pub async fn sign_in(
        &self,
        login: &str,
        password: SecretString,
        client: IpAddr,
    ) -> Result<Tokens, Refused> {
        // Text that cannot be a login is looked up like one, so that it takes as long.
        let key = login.parse().map_or_else(|_| owlbox_base::text::folded(login), |login: Login| login.key());
        let credential = self.prove(Asker::stranger(client), key, password, client).await?;
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                let connection = transaction.connection()?;
                let account = credential.account;
                accounts::lock(connection, account)?;
                // The password may have been changed while the old one was being checked.
                let same = passwords::of_account(connection, account)?
                    .is_some_and(|now| now.password_hash == credential.password_hash);
                if !same {
                    return Err(Unauthorised::WrongPassword.into());
                }
                desk.start_session(transaction, account)
            })
            .await
    }

    /// Changes the caller's own password: takes the old one, signs out everywhere, and signs in again here.
    ///
    /// # Errors
    /// The old password is wrong, the new one is refused, or there were too many attempts.
    pub async fn change_password(
        &self,
        actor: Actor,
        old: SecretString,
        new: SecretString,
        client: IpAddr,
    ) -> Result<Tokens, Refused> {
        let principal = self.principal(&actor).await?;
        principal.require(owlbox_base::permissions::Permission::ManageOwnAccount)?;
        let account = principal.account;
        let credential = self
            .inner
            .store
            .read(move |connection| passwords::of_account(connection, account))
            .await?
            .ok_or(Unauthorised::WrongPassword)?;
        let new = Password::new(&new, &credential.login)?;
        let key = owlbox_base::text::folded(&credential.login);
        let credential = self.prove(Asker::Account(account), key, old, client).await?;
        let hash = self.passwords().hash(Asker::Account(account), new).await?.to_phc();
        self.on_own_account(actor, move |unit| {
            let now = unit.now;
            let kept = passwords::of_account(unit.transaction.connection()?, account)?;
            if kept.is_none_or(|kept| kept.password_hash != credential.password_hash) {
                return Err(Unauthorised::WrongPassword.into());
            }
            passwords::set_password(unit.transaction.connection()?, account, &hash, now)?;
            end_all_proofs(unit.transaction, account, now)?;
            unit.forget_standings()?;
            let desk = unit.desk().clone();
            desk.start_session(unit.transaction, account)
        })
        .await
    }

    /// The credential with this login and password. Delays the answer if there were too many attempts.
    pub(super) async fn prove(
        &self,
        asker: Asker,
        login_key: String,
        password: SecretString,
        client: IpAddr,
    ) -> Result<passwords::Credential, Refused> {
        let not_before = tokio::time::Instant::now() + BEFORE_TOO_MANY;
        let proven = self.prove_at_once(asker, login_key, password, client).await;
        note(&proven);
        if matches!(proven, Err(Refused::TooMany { .. })) {
            tokio::time::sleep_until(not_before).await;
        }
        proven
    }

    async fn prove_at_once(
        &self,
        asker: Asker,
        login_key: String,
        password: SecretString,
        client: IpAddr,
    ) -> Result<passwords::Credential, Refused> {
        let (policy, guessers) = (self.terms().attempts, self.passwords().guessers());
        let (address, window) = (household(client), policy.window.to_std().unwrap_or(Duration::MAX));
        // A client that guesses waits for its turn before it is counted: its attempts would wait there for
        // each other.
        let turn = if guessers.is_over(address, policy.client, window) {
            Some(guessers.turn(address, &login_key).await?)
        } else {
            None
        };
        // Take the place before too: an attempt turned away because the queue is full must not be counted.
        let place = self.passwords().place(asker)?;
        let counters = Counters::new(&login_key, client);
        let Counted { client_is_over, credential, hash, if_wrong } =
            self.count(login_key.clone(), counters.clone()).await?;
        let checked = if turn.is_none() && client_is_over {
            // Those who wait for a turn keep no place from others.
            drop(place);
            self.check_in_turn(asker, address, &login_key, hash, password).await
        } else {
            place.verify(hash, password).await
        };
        match (turn, &checked) {
            (Some(turn), Ok(true)) => turn.was_right(),
            (None, Ok(false)) if !client_is_over => guessers.count(address, window),
            (Some(_) | None, Ok(_) | Err(_)) => {}
        }
        let right = match checked {
            Ok(right) => right,
            Err(refused) => {
                self.uncount(counters).await?;
                return Err(refused);
            }
        };
        let credential = credential.filter(|_| right).ok_or(if_wrong)?;
        let now = self.now();
        self.inner
            .store
            .write(move |transaction| {
                let connection = transaction.connection()?;
                // Forgive only what this client did: others may be guessing at the same login.
                attempts::forgive(connection, &counters.login_and_client)?;
                attempts::uncount_failure(connection, &counters.login)?;
                attempts::uncount_failure(connection, &counters.client)?;
                attempts::note(connection, &counters.known, now)?;
                Ok::<_, Refused>(())
            })
            .await?;
        Ok(credential)
    }

    /// Whether the password is right, for a client that has too many failures as only the store knows: at
    /// another instance.
    async fn check_in_turn(
        &self,
        asker: Asker,
        address: IpAddr,
        login_key: &str,
        hash: Option<PasswordHash>,
        password: SecretString,
    ) -> Result<bool, Refused> {
        let turn = self.passwords().guessers().turn(address, login_key).await?;
        let right = self.passwords().place(asker)?.verify(hash, password).await?;
        if right {
            turn.was_right();
        }
        Ok(right)
    }

    /// Takes back that an attempt was counted: it was never checked.
    async fn uncount(&self, counters: Counters) -> Result<(), Refused> {
        self.inner
            .store
            .write(move |transaction| {
                let connection = transaction.connection()?;
                for key in counters.all() {
                    attempts::uncount_failure(connection, key)?;
                }
                Ok::<_, Refused>(())
            })
            .await
    }

    /// Counts an attempt, unless there have been too many. An attempt refused here is not counted, because
    /// its transaction is rolled back.
    async fn count(&self, login_key: String, counters: Counters) -> Result<Counted, Refused> {
        let policy = self.terms().attempts;
        let now = self.now();
        let since = Timestamp::from(now.utc() - policy.window);
        self.inner
            .store
            .write(move |transaction| {
                let connection = transaction.connection()?;
                let of_login = since_unlocked(connection, &counters.unlocked, since)?;
                let windows = counters.all().into_iter().zip([of_login, of_login, since]);
                let mut before = [0; 3];
                for ((key, since), before) in windows.zip(&mut before) {
                    attempts::count_failure(connection, key, since, now)?;
                    // Without the one that was just counted.
                    *before = attempts::failures(connection, key, since)?.saturating_sub(1);
                }
                let [login_and_client, login, client] = before;
                let before = FailureCounts { login_and_client, login, client };
                let known_since = Timestamp::from(now.utc() - policy.known_for);
                let is_known =
                    attempts::noted_at(connection, &counters.known)?.is_some_and(|at| at >= known_since);
                let if_wrong = match policy.judge(before, is_known) {
                    Attempts::Allowed => Unauthorised::WrongPassword.into(),
                    Attempts::OnlyIfRight { retry_within } => too_many(retry_within),
                    Attempts::TooMany { retry_within } => return Err(too_many(retry_within)),
                };
                let credential = passwords::by_login(connection, &login_key)?;
                let hash = usable_hash(connection, credential.as_ref())?;
                Ok(Counted { client_is_over: before.client >= policy.client, credential, hash, if_wrong })
            })
            .await
    }
}

/// Counts an attempt and logs one that failed. The line stands in the span of its request, which names the
/// client. The login is left out: people type passwords there.
fn note(proven: &Result<passwords::Credential, Refused>) {
    let outcome = match proven {
        Ok(_) => SignInOutcome::Done,
        Err(Refused::Unauthorised(_)) => SignInOutcome::Wrong,
        Err(Refused::TooMany { .. }) => SignInOutcome::TooMany,
        Err(_) => SignInOutcome::Failed,
    };
    metrics::counter!(SIGN_INS, "outcome" => <&str>::from(outcome)).increment(1);
    if outcome != SignInOutcome::Done {
        tracing::info!(outcome = <&str>::from(outcome), "a sign-in failed");
    }
}

pub(super) fn too_many(retry_within: TimeDelta) -> Refused {
    Refused::TooMany { seconds: u64::try_from(retry_within.num_seconds()).unwrap_or(0) }
}

fn login_counter(login_key: &str) -> Vec<u8> {
    sha256(&[b"login", login_key.as_bytes()])
}

fn unlocked(login_key: &str) -> Vec<u8> {
    sha256(&[b"unlocked", login_key.as_bytes()])
}

/// Since when failures of a login count: `since`, or the moment it was unlocked, if that is later.
fn since_unlocked(
    connection: &mut AnyConnection,
    unlocked: &[u8],
    since: Timestamp,
) -> Result<Timestamp, StoreError> {
    Ok(attempts::noted_at(connection, unlocked)?.map_or(since, |at| at.max(since)))
}

/// Forgives the failures of a login, from wherever they came: its owner has proven themselves with a link, or
/// the one who runs the service says so. The clients are known by hashes alone, so that their counts are not
/// deleted but become too old.
pub(super) fn unlock(
    connection: &mut AnyConnection,
    login_key: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    attempts::note(connection, &unlocked(login_key), now)
}

/// How often signing in to a login has failed lately, from wherever.
pub(super) fn failures_of(
    connection: &mut AnyConnection,
    login_key: &str,
    policy: &AttemptPolicy,
    now: Timestamp,
) -> Result<u32, StoreError> {
    let since = Timestamp::from(now.utc() - policy.window);
    let since = since_unlocked(connection, &unlocked(login_key), since)?;
    attempts::failures(connection, &login_counter(login_key), since)
}

/// The hash to check a password against; `None` if there is no such login or its account is deactivated.
fn usable_hash(
    connection: &mut AnyConnection,
    credential: Option<&passwords::Credential>,
) -> Result<Option<PasswordHash>, StoreError> {
    let Some(credential) = credential else { return Ok(None) };
    let active = accounts::standing(connection, credential.account)?.is_some_and(|standing| standing.active);
    let hash = credential.password_hash.parse().map_err(|_| {
        owlbox_base::journal::BrokenHistory(format!("the password hash of account {}", credential.account))
    })?;
    Ok(active.then_some(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_household_counts_as_one_client_and_ipv4_is_the_same_in_both_spellings() {
        let counters = |address: &str| Counters::new("mario", address.parse().unwrap()).client;
        assert_eq!(counters("2001:db8:1:2::1"), counters("2001:db8:1:2:ffff::9"));
        assert_ne!(counters("2001:db8:1:2::1"), counters("2001:db8:1:3::1"));
        assert_eq!(counters("192.0.2.1"), counters("::ffff:192.0.2.1"));
        assert_ne!(counters("192.0.2.1"), counters("192.0.2.2"));
    }
}
