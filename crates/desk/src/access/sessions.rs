//! Sessions: the tokens of a sign-in, how they are refreshed, and how they end.

use chrono::DateTime;
use secrecy::SecretString;
use uuid::Uuid;

use super::{UnitOfWork, end_all_proofs, session_of};
use crate::access::tokens::{
    AccessGrant, RefreshDecision, RefreshRecord, Secret, SecretKind, SessionId, random, refresh,
};
use crate::{Actor, Desk, Refused, Unauthorised};
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_store::credentials::sessions;
use owlbox_store::{AnyConnection, StoreError, Transaction, accounts};

/// The tokens of a session, for its holder alone.
#[derive(Debug)]
pub struct Tokens {
    pub account: AccountId,
    pub session: SessionId,
    /// The access token: valid for a few minutes, for every request.
    pub access: SecretString,
    pub access_expires_at: Timestamp,
    /// The refresh token: valid once, to get new tokens.
    pub refresh: SecretString,
    pub refresh_expires_at: Timestamp,
}

/// The maximum number of sessions per account. Another sign-in ends the oldest.
const MOST_SESSIONS: i64 = 100;

/// The state of a refresh token somebody shows.
enum Known {
    Kept,
    /// Its record is gone, but its mark names this session, which is still live. So it was replaced long ago.
    Retired(sessions::Session),
    Not,
}

/// A refresh token to hand out.
struct Fresh {
    secret: Secret,
    expires_at: Timestamp,
}

/// The outcome of showing a refresh token. A refusal is `Ok(No(..))` and not an error, because the revocation
/// that comes with a reuse must be committed.
enum Refreshed {
    Tokens(Tokens),
    No(Unauthorised),
}

impl Desk {
    /// Exchanges a refresh token for new tokens. Shown again within thirty seconds it gives the same
    /// successor; after that it counts as stolen, and the session ends.
    ///
    /// # Errors
    /// The token is invalid or has expired.
    pub async fn refresh(&self, shown: &str) -> Result<Tokens, Refused> {
        let shown = self.keys().read_refresh(shown).map_err(|_| Unauthorised::Invalid)?;
        // Look it up in a read first: strangers must not queue for the writer.
        let (hash, now) = (shown.secret.digest(), self.now());
        let known = self.inner.store.read(move |connection| {
            if sessions::refresh_is_known(connection, hash.as_bytes())? {
                return Ok::<_, StoreError>(Known::Kept);
            }
            let Some(family) = shown.family else { return Ok(Known::Not) };
            let live = sessions::live_session(connection, family.0, now)?;
            Ok(live.map_or(Known::Not, Known::Retired))
        });
        let secret = shown.secret;
        match known.await? {
            Known::Kept => {}
            Known::Not => return Err(Unauthorised::Invalid.into()),
            Known::Retired(session) => return self.end_stolen(session).await,
        }
        let desk = self.clone();
        let refreshed =
            self.inner.store.write(move |transaction| desk.refresh_in(transaction, &secret)).await?;
        match refreshed {
            Refreshed::Tokens(tokens) => Ok(tokens),
            Refreshed::No(why) => Err(why.into()),
        }
    }

    /// Ends a session after one of its long replaced refresh tokens was shown.
    async fn end_stolen(&self, session: sessions::Session) -> Result<Tokens, Refused> {
        let desk = self.clone();
        let ended = self.inner.store.write(move |transaction| {
            desk.end_reused(transaction, &session)?;
            Ok::<_, Refused>(())
        });
        ended.await?;
        Err(Unauthorised::Invalid.into())
    }

    fn end_reused(
        &self,
        transaction: &mut Transaction<'_>,
        session: &sessions::Session,
    ) -> Result<(), Refused> {
        tracing::warn!(account = %session.account, session = %session.id.0,
            "a refresh token was used again: its session ends");
        sessions::revoke_session(transaction.connection()?, session.id.0, self.now())?;
        self.forget_proofs(transaction)?;
        Ok(())
    }

    fn refresh_in(&self, transaction: &mut Transaction<'_>, shown: &Secret) -> Result<Refreshed, Refused> {
        let now = self.now();
        let hash = shown.digest();
        let connection = transaction.connection()?;
        let Some((token, session)) = sessions::lock_refresh(connection, hash.as_bytes())? else {
            return Ok(Refreshed::No(Unauthorised::Invalid));
        };
        // Serialises with signing this account out: either it is done already, or it waits for us.
        accounts::lock(connection, session.account)?;
        let live = sessions::live_session(connection, session.id.0, now)?;
        let standing = accounts::standing(connection, session.account)?.filter(|standing| standing.active);
        let record = RefreshRecord {
            family: SessionId(session.id.0),
            family_revoked: live.is_none() || standing.is_none(),
            rotated_at: token.rotated_at.map(Timestamp::from),
            successor_salt: token.successor_salt.try_into().unwrap_or_default(),
            expires_at: token.expires_at,
        };
        let successor = match record.decide(shown, now) {
            RefreshDecision::Rotate { successor } => {
                sessions::rotate_refresh(connection, hash.as_bytes(), now)?;
                let before = Timestamp::from(now.utc() - refresh::REPEAT_WITHIN);
                sessions::forget_replaced(connection, session.id.0, before, refresh::MOST_REPLACED)?;
                self.keep_refresh(connection, session.id.0, session.ends_at, successor)?
            }
            RefreshDecision::RepeatSuccessor { successor } => {
                let kept = sessions::lock_refresh(connection, successor.digest().as_bytes())?;
                let expires_at = kept.map_or(token.expires_at, |(kept, _)| kept.expires_at);
                Fresh { secret: successor, expires_at }
            }
            RefreshDecision::ReuseDetected => {
                self.end_reused(transaction, &session)?;
                return Ok(Refreshed::No(Unauthorised::Invalid));
            }
            RefreshDecision::Expired => return Ok(Refreshed::No(Unauthorised::Expired)),
            RefreshDecision::Revoked => return Ok(Refreshed::No(Unauthorised::Invalid)),
        };
        let epoch = standing.map_or(0, |standing| standing.epoch);
        let grant = AccessGrant { account: session.account, session: record.family, epoch };
        Ok(Refreshed::Tokens(self.tokens(grant, &successor)))
    }

    /// Starts a session for an account that has just proven itself in this transaction. Sessions beyond the
    /// maximum end with the commit, in the cache too.
    pub(super) fn start_session(
        &self,
        transaction: &mut Transaction<'_>,
        account: AccountId,
    ) -> Result<Tokens, Refused> {
        let now = self.now();
        let connection = transaction.connection()?;
        let standing = accounts::standing(connection, account)?
            .filter(|standing| standing.active)
            .ok_or(Unauthorised::WrongPassword)?;
        let session = Uuid::now_v7();
        let ends_at = refresh::family_end(now, self.terms().refresh_lifetime);
        sessions::start_session(connection, session, account, now, ends_at)?;
        let pushed_out = sessions::delete_surplus_sessions(connection, account, MOST_SESSIONS)?;
        let first = Secret::new(SecretKind::Refresh, random());
        let fresh = self.keep_refresh(connection, session, ends_at, first)?;
        self.forget_sessions(transaction, pushed_out)?;
        let grant = AccessGrant { account, session: SessionId(session), epoch: standing.epoch };
        Ok(self.tokens(grant, &fresh))
    }

    fn keep_refresh(
        &self,
        connection: &mut AnyConnection,
        session: Uuid,
        family_end: Timestamp,
        secret: Secret,
    ) -> Result<Fresh, StoreError> {
        let expires_at = refresh::expiry(family_end, self.now(), self.terms().refresh_lifetime);
        let salt = random::<16>();
        sessions::insert_refresh(connection, secret.digest().as_bytes(), session, expires_at, &salt)?;
        Ok(Fresh { secret, expires_at })
    }

    fn tokens(&self, grant: AccessGrant, fresh: &Fresh) -> Tokens {
        let now = self.now();
        let lifetime = self.terms().access_lifetime;
        // The times in an access token are whole seconds; report the same ones.
        let from = DateTime::from_timestamp(now.utc().timestamp(), 0).unwrap_or(now.utc());
        Tokens {
            account: grant.account,
            session: grant.session,
            access: self.keys().issue(grant, Uuid::now_v7(), now, lifetime).into(),
            access_expires_at: (from + lifetime).into(),
            refresh: self.keys().show_refresh(&fresh.secret, grant.session).into(),
            refresh_expires_at: fresh.expires_at,
        }
    }

    /// Ends the session `actor` came with.
    ///
    /// # Errors
    /// The actor came with another kind of proof, or with one that is no longer valid.
    pub async fn sign_out(&self, actor: Actor) -> Result<(), Refused> {
        let session = session_of(&actor)?;
        self.on_own_account(actor, move |unit| {
            sessions::revoke_session(unit.transaction.connection()?, session.0, unit.now)?;
            unit.forget_standings()?;
            Ok(())
        })
        .await
    }

    /// Ends every session of `actor`'s account and invalidates its access tokens at once. API tokens stay
    /// valid.
    ///
    /// # Errors
    /// The actor's proof is no longer valid.
    pub async fn sign_out_everywhere(&self, actor: Actor) -> Result<(), Refused> {
        self.on_own_account(actor, |unit: &mut UnitOfWork<'_, '_>| {
            end_all_proofs(unit.transaction, unit.principal.account, unit.now)?;
            unit.forget_standings()?;
            Ok(())
        })
        .await
    }
}
