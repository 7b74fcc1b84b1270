//! Authentication: setting up the club, signing in and out, invitations, passwords and tokens.
//!
//! * [`set_up`]: the club's first admin.
//! * [`sign_in`]: login and password, and the limit on attempts.
//! * [`sessions`]: the tokens of a sign-in, refreshed and revoked.
//! * [`accounts`]: the club's logins: made, invited, changed, deactivated.
//! * [`console`]: what the operator of the service does with logins, from its own machine.
//! * [`links`]: single-use links for invitations and password resets.
//! * [`mail`]: the mail addresses of logins, and forgotten passwords.
//! * [`registrations`]: people who ask for a login on their own, where the club lets them.
//! * [`api_tokens`]: tokens for scripts.
//! * `hashing`: passwords hashed and checked on threads of their own.
//! * `guessers`: addresses whose sign-ins fail too often.
//!
//! Permissions live in the database and not in a token: see [`crate::Principal`]. Credentials are plain
//! records, written in transactions like everything else. On PostgreSQL an account's
//! [`lock`](owlbox_store::accounts::lock) serialises signing in with being signed out. Secrets leave these
//! types only by `reveal` and `expose_secret`.

pub mod accounts;
pub mod api_tokens;
pub mod console;
mod guessers;
mod hashing;
pub mod links;
pub mod mail;
pub mod password;
pub(crate) mod principal;
pub mod registrations;
pub mod sessions;
pub mod set_up;
pub mod sign_in;
pub mod tokens;

use std::sync::Arc;

use chrono::TimeDelta;
pub use hashing::{Asker, Passwords};
use secrecy::SecretSlice;
use sha2::{Digest as _, Sha256};

use crate::access::password::PasswordRefusal;
use crate::access::tokens::{
    AttemptPolicy, HeldKeys, KeyRing, SecretDigest, SessionId, SigningKey, TokenRefusal, access, random,
    refresh,
};
use crate::reading::memory::Proven;
use crate::{Actor, Allowed, Desk, Proof, Refused, Rule, Unauthorised, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_books::club::Login;
use owlbox_store::accounts as stored;
use owlbox_store::{StoreError, Transaction, credentials, notify};

/// The settings of authentication: keys, lifetimes and limits.
#[derive(Clone, Debug)]
pub struct AuthSettings {
    /// The keys that sign access tokens, forms, entry links and the marks of refresh tokens.
    pub keys: HeldKeys,
    /// The lifetime of an access token.
    pub access_lifetime: TimeDelta,
    /// How long a sign-in lasts without being used.
    pub refresh_lifetime: TimeDelta,
    /// How long an invitation link works.
    pub invite_lifetime: TimeDelta,
    /// How many failed attempts to sign in are allowed.
    pub attempts: AttemptPolicy,
    /// The threads that hash passwords. Several desks can share them.
    pub passwords: Passwords,
}

impl AuthSettings {
    /// The default terms, with these keys and threads.
    #[must_use]
    pub fn with(keys: KeyRing, passwords: Passwords) -> Self {
        Self {
            keys: HeldKeys::new(keys),
            access_lifetime: access::LIFETIME,
            refresh_lifetime: refresh::LIFETIME,
            invite_lifetime: TimeDelta::days(7),
            attempts: AttemptPolicy::default(),
            passwords,
        }
    }

    /// The default terms with a random key that is lost with the process: for tests and throwaway clubs.
    #[must_use]
    pub fn throwaway() -> Self {
        let secret = SecretSlice::from(random::<32>().to_vec());
        #[expect(clippy::expect_used, reason = "the key has a name and 32 bytes")]
        let key = SigningKey::new("throwaway", &secret).expect("a key");
        #[expect(clippy::expect_used, reason = "it is the only key")]
        let keys = KeyRing::new(vec![key]).expect("a ring");
        Self::with(keys, Passwords::start(1, 64))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedIn {
    pub actor: Actor,
    /// The expiry of the proof, if it has one.
    pub expires_at: Option<Timestamp>,
}

impl Desk {
    /// The actor an access token stands for, if its session is still live. The roles and state of the account
    /// are read later, in the command's own transaction.
    ///
    /// # Errors
    /// The token is invalid or has expired.
    pub async fn verify_access_token(&self, token: &str) -> Result<SignedIn, Refused> {
        let now = self.now();
        let claims = self.keys().verify(token, now).map_err(|refusal| match refusal {
            TokenRefusal::Expired => Unauthorised::Expired,
            TokenRefusal::Invalid => Unauthorised::Invalid,
        })?;
        let grant = claims.grant;
        let session = grant.session.0;
        let proven = self
            .proven(session.as_bytes().as_slice().into(), move |connection| {
                let session = credentials::sessions::live_session(connection, session, now)?;
                let proven = session.map(|session| Proven {
                    account: session.account,
                    ends_at: Some(session.ends_at),
                    token: None,
                });
                Ok(proven)
            })
            .await?;
        if proven.account != grant.account {
            return Err(Unauthorised::Invalid.into());
        }
        let proof = Proof::AccessToken { epoch: grant.epoch, session };
        Ok(SignedIn { actor: Actor { account: grant.account, proof }, expires_at: Some(claims.expires_at) })
    }

    /// Looks up a session or an API token by its key, in the cache where that is [current](Desk::lease).
    async fn proven<F>(&self, key: Box<[u8]>, read: F) -> Result<Proven, Refused>
    where
        F: FnOnce(&mut owlbox_store::AnyConnection) -> Result<Option<Proven>, StoreError> + Send + 'static,
    {
        let lease = self.lease();
        let (remembered, generation) = self.inner.memory.proofs.get(&key);
        let proven = match remembered.filter(|_| lease.holds()) {
            Some(proven) => proven,
            None => {
                let proven = self.inner.store.read(read).await?.ok_or(Unauthorised::Invalid)?;
                self.inner.memory.proofs.keep(key, proven, generation);
                proven
            }
        };
        let now = self.now();
        if proven.ends_at.is_some_and(|end| end <= now) {
            return Err(Unauthorised::Expired.into());
        }
        Ok(proven)
    }

    /// The CSRF token that a form of `session` must carry.
    #[must_use]
    pub fn csrf_token(&self, session: SessionId) -> String {
        self.keys().csrf_token(session)
    }

    /// Whether `shown` is the CSRF token of a form of `session`.
    #[must_use]
    pub fn csrf_matches(&self, session: SessionId, shown: &str) -> bool {
        self.keys().csrf_matches(session, shown)
    }

    pub(super) fn terms(&self) -> &AuthSettings {
        &self.inner.terms
    }

    /// The keys that sign and verify.
    pub(super) fn keys(&self) -> Arc<KeyRing> {
        self.terms().keys.now()
    }

    /// From now on these keys sign and verify.
    pub fn exchange_keys(&self, keys: KeyRing) {
        self.terms().keys.exchange(keys);
    }

    fn passwords(&self) -> &Passwords {
        &self.terms().passwords
    }

    /// Runs `work` on `actor`'s own account. The account's lock keeps it apart from a concurrent sign-out.
    async fn on_own_account<T, F>(&self, actor: Actor, work: F) -> Result<T, Refused>
    where
        F: Fn(&mut UnitOfWork<'_, '_>) -> Result<T, Refused> + Send + 'static,
        T: Send + 'static,
    {
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                stored::lock(transaction.connection()?, actor.account)?;
                let mut unit = UnitOfWork::new(&desk, transaction, &actor)?;
                unit.principal.require(owlbox_base::permissions::Permission::ManageOwnAccount)?;
                work(&mut unit)
            })
            .await
    }

    /// Removes the proofs of these sessions from the cache, after the commit. Only these: if every sign-in
    /// cleared the cache, somebody who signs in often would cost everybody else a database query.
    ///
    /// On PostgreSQL every instance hears of it, this one too, and drops all of its proofs.
    fn forget_sessions(
        &self,
        transaction: &mut Transaction<'_>,
        ended: Vec<uuid::Uuid>,
    ) -> Result<(), Refused> {
        if !ended.is_empty() {
            notify::notify_access_changed(transaction.connection()?)?;
            let desk = self.clone();
            transaction.after_commit(move || {
                let keys = ended.iter().map(|session| session.as_bytes().as_slice());
                desk.inner.memory.proofs.forget_only(keys);
            });
        }
        Ok(())
    }

    /// Removes all accounts and all proofs from the caches of all instances, after the commit, and has the
    /// webhooks looked at again.
    pub(crate) fn forget_proofs(&self, transaction: &mut Transaction<'_>) -> Result<(), Refused> {
        notify::notify_access_changed(transaction.connection()?)?;
        let desk = self.clone();
        transaction.after_commit(move || {
            desk.inner.memory.forget_accounts();
            // Some of them may have been switched off.
            desk.inner.webhooks.send_replace(());
        });
        Ok(())
    }
}

/// The session of an actor who came with an access token. Signing out and making tokens take a person who is
/// present, so API tokens are refused here.
pub(crate) fn session_of(actor: &Actor) -> Result<SessionId, Refused> {
    match actor.proof {
        Proof::AccessToken { session, .. } => Ok(SessionId(session)),
        Proof::ApiToken { .. } | Proof::EntryLink { .. } | Proof::Console => {
            Err(Refused::rule(Code::NeedsSession, None, "this needs a sign-in with a password"))
        }
    }
}

/// Invalidates every proof of an account except its API tokens: access tokens, sessions and unused links. The
/// epoch comes first because raising it takes the lock on the account.
fn end_all_proofs(
    transaction: &mut Transaction<'_>,
    account: AccountId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let connection = transaction.connection()?;
    stored::raise_epoch(connection, account)?;
    credentials::sessions::revoke_sessions(connection, account, now)?;
    credentials::links::use_links(connection, account, now)?;
    Ok(())
}

/// The bytes of a digest, as the store looks proofs up by them.
fn bytes(digest: &SecretDigest) -> Vec<u8> {
    digest.as_bytes().to_vec()
}

/// SHA-256 of several parts, each preceded by its length so that no two lists of parts hash alike.
fn sha256(parts: &[&[u8]]) -> Vec<u8> {
    let mut all = Sha256::new();
    for part in parts {
        all.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        all.update(part);
    }
    all.finalize().to_vec()
}

fn login_taken(login: &Login) -> Refused {
    Refused::rule(Code::LoginTaken, Some("login"), format!("the login {login} is taken"))
}

impl From<PasswordRefusal> for Refused {
    fn from(refusal: PasswordRefusal) -> Self {
        Self::Rule(Rule {
            code: refusal.code(),
            field: refusal.field(),
            allowed: refusal.allowed(),
            detail: refusal.to_string(),
        })
    }
}

/// The maximum number of API tokens per account.
const MOST_API_TOKENS: usize = 50;

/// How many revoked tokens of an account are kept, for an admin looking into an incident, when a new one is
/// made. Nothing else needs them, and a loop that makes and revokes tokens must not fill the database.
const MOST_REVOKED_API_TOKENS: i64 = 50;

fn too_many_api_tokens() -> Refused {
    Refused::Rule(Rule {
        code: Code::TooManyApiTokens,
        field: None,
        allowed: Some(Allowed::Tokens(MOST_API_TOKENS)),
        detail: format!("an account can have at most {MOST_API_TOKENS} API tokens at a time"),
    })
}

#[cfg(test)]
mod tests;
