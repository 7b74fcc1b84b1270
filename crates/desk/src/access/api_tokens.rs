//! API tokens, for scripts. They carry the roles of their account, within their scopes, until they are
//! revoked or expire.

use chrono::{DurationRound as _, TimeDelta};
use secrecy::SecretString;
use uuid::Uuid;

use super::{Proven, SignedIn, bytes, session_of, too_many_api_tokens};
use crate::access::tokens::{Secret, SecretKind, random};
use crate::reading::memory::ProvenToken;
use crate::{Actor, Desk, Proof, Refused, Unauthorised};
use owlbox_base::code::Code;
use owlbox_base::permissions::scopes::TokenScopes;
use owlbox_base::values::Timestamp;
use owlbox_play::tournament::Tournament;
use owlbox_store::credentials::api_tokens;
pub use owlbox_store::credentials::api_tokens::{ApiToken, StoredScopes};
use owlbox_store::types::Key;

#[derive(Debug)]
pub struct NewApiToken {
    /// The stored record; it does not contain the secret.
    pub token: ApiToken,
    /// The token itself. This is the only time it is shown.
    pub secret: SecretString,
}

/// What a token is made with.
#[derive(Clone, Debug)]
pub struct TokenTerms {
    /// What it is for: 1 to 60 characters.
    pub name: String,
    /// What it may be used for; `None` for everything that its login may do.
    pub scopes: Option<TokenScopes>,
    /// From when on it is no longer valid; `None` if only revoking ends it.
    pub expires_at: Option<Timestamp>,
}

impl Desk {
    /// Makes an API token for `actor`'s account.
    ///
    /// # Errors
    /// `needs_session` unless `actor` signed in with a password; `too_many_api_tokens`; an invalid name or
    /// expiry; there is no such tournament as its scopes name.
    pub async fn create_api_token(&self, actor: Actor, terms: TokenTerms) -> Result<NewApiToken, Refused> {
        session_of(&actor)?;
        let TokenTerms { name, scopes, expires_at } = terms;
        let name = name.trim().to_owned();
        if !(1..=60).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            let detail = "a token's name must have 1 to 60 visible characters";
            return Err(Refused::rule(Code::InvalidName, Some("name"), detail));
        }
        if expires_at.is_some_and(|end| !end.is_in_calendar()) {
            let detail = "days and times are from 1900-01-01 to 2200-12-31";
            return Err(Refused::rule(Code::OutsideCalendar, Some("expires_at"), detail));
        }
        if let Some(tournament) = scopes.and_then(TokenScopes::tournament) {
            self.visible::<Tournament>(Some(&actor), tournament).await?;
        }
        self.on_own_account(actor, move |unit| {
            if expires_at.is_some_and(|end| end <= unit.now) {
                let detail = "the expiry must be in the future";
                return Err(Refused::rule(Code::ExpiresInThePast, Some("expires_at"), detail));
            }
            let account = unit.principal.account;
            let connection = unit.transaction.connection()?;
            if api_tokens::unrevoked_api_tokens(connection, account)?.len() >= super::MOST_API_TOKENS {
                return Err(too_many_api_tokens());
            }
            api_tokens::forget_revoked_api_tokens(connection, account, super::MOST_REVOKED_API_TOKENS)?;
            let secret = Secret::new(SecretKind::ApiToken, random());
            let token = ApiToken {
                id: Key(Uuid::now_v7()),
                account,
                name: name.clone(),
                created_at: unit.now,
                expires_at: expires_at.map(Into::into),
                revoked_at: None,
                scopes: StoredScopes(scopes),
                last_used_at: None,
            };
            api_tokens::insert_api_token(connection, &token, secret.digest().as_bytes())?;
            Ok(NewApiToken { token, secret: secret.reveal().into() })
        })
        .await
    }

    /// The tokens of `actor`'s account that have not been revoked, newest first.
    ///
    /// # Errors
    /// The actor's proof is no longer valid, or they may not manage an account.
    pub async fn api_tokens(&self, actor: &Actor) -> Result<Vec<ApiToken>, Refused> {
        let principal = self.principal(actor).await?;
        principal.require(owlbox_base::permissions::Permission::ManageOwnAccount)?;
        let account = principal.account;
        self.inner
            .store
            .read(move |connection| Ok(api_tokens::unrevoked_api_tokens(connection, account)?))
            .await
    }

    /// Revokes one of the tokens of `actor`'s account.
    ///
    /// # Errors
    /// [`Refused::NotFound`]: the account has no such token.
    pub async fn revoke_api_token(&self, actor: Actor, id: Uuid) -> Result<(), Refused> {
        self.on_own_account(actor, move |unit| {
            let account = unit.principal.account;
            let (connection, now) = (unit.transaction.connection()?, unit.now);
            if api_tokens::revoke_api_tokens(connection, account, Some(id), now)? == 0 {
                return Err(Refused::NotFound("token"));
            }
            unit.forget_standings()?;
            Ok(())
        })
        .await
    }

    /// The actor an API token stands for, and when it expires. The roles and state of the account are read
    /// later, in the command's own transaction.
    ///
    /// # Errors
    /// The token is unknown, revoked or expired.
    pub async fn verify_api_token(&self, token: &str) -> Result<SignedIn, Refused> {
        let secret = Secret::parse(SecretKind::ApiToken, token).map_err(|_| Unauthorised::Invalid)?;
        let hash = bytes(&secret.digest());
        let key = hash.clone().into_boxed_slice();
        let proven = self
            .proven(key.clone(), move |connection| {
                let token = api_tokens::api_token(connection, &hash)?;
                Ok(token.filter(|token| token.revoked_at.is_none()).map(|token| Proven {
                    account: token.account,
                    ends_at: token.expires_at.map(Timestamp::from),
                    token: Some(ProvenToken {
                        id: token.id.0,
                        scopes: token.scopes.0,
                        last_used_at: token.last_used_at.map(Timestamp::from),
                    }),
                }))
            })
            .await?;
        let token = proven.token.ok_or(Unauthorised::Invalid)?;
        self.note_use(key, proven, token);
        let actor = Actor { account: proven.account, proof: Proof::ApiToken { scopes: token.scopes } };
        Ok(SignedIn { actor, expires_at: proven.ends_at })
    }

    /// Notes the hour in which a token is used, once, and without having its request wait for that.
    fn note_use(&self, key: Box<[u8]>, proven: Proven, token: ProvenToken) {
        let now = self.now().utc();
        let hour = Timestamp::from(now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now));
        if token.last_used_at.is_some_and(|noted| noted >= hour) {
            return;
        }
        let noted = ProvenToken { last_used_at: Some(hour), ..token };
        self.inner.memory.proofs.change(&key, Proven { token: Some(noted), ..proven });
        let desk = self.clone();
        tokio::spawn(async move {
            let write = desk.inner.store.write(move |transaction| {
                api_tokens::note_use(transaction.connection()?, Key(token.id), hour)
            });
            if let Err(error) = write.await {
                tracing::warn!(%error, token = %token.id, "cannot record the last use of an API token");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;
    use secrecy::ExposeSecret as _;

    use super::*;
    use crate::fixture::{Db, Fixture};

    async fn last_used_at(fixture: &Fixture, owner: &Actor) -> Option<Timestamp> {
        let [token] = <[ApiToken; 1]>::try_from(fixture.desk.api_tokens(owner).await.unwrap()).unwrap();
        token.last_used_at.map(Timestamp::from)
    }

    /// The last use, once it is another than this.
    async fn noted_after(fixture: &Fixture, owner: &Actor, before: Option<Timestamp>) -> Timestamp {
        for _ in 0..2_000 {
            match last_used_at(fixture, owner).await {
                Some(noted) if Some(noted) != before => return noted,
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
        panic!("the use was not noted");
    }

    #[rstest]
    #[tokio::test]
    async fn the_use_of_a_token_is_noted_by_the_hour(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
        let Some((fixture, admin)) = Fixture::open(db).await else { return };
        let terms = TokenTerms { name: "bot".into(), scopes: Some(TokenScopes::READ), expires_at: None };
        let made = fixture.desk.create_api_token(admin, terms).await.unwrap();
        assert_eq!(last_used_at(&fixture, &admin).await, None);
        let used = async || fixture.desk.verify_api_token(made.secret.expose_secret()).await.unwrap();
        assert_eq!(used().await.actor.proof, Proof::ApiToken { scopes: Some(TokenScopes::READ) });
        let first = noted_after(&fixture, &admin, None).await;
        let passed = fixture.desk.now().utc() - first.utc();
        assert!((TimeDelta::zero()..TimeDelta::hours(1)).contains(&passed), "{passed}");
        fixture.clock.advance(TimeDelta::minutes(59) - passed);
        used().await;
        fixture.clock.advance(TimeDelta::minutes(1));
        used().await;
        let second = noted_after(&fixture, &admin, Some(first)).await;
        assert_eq!(second.utc() - first.utc(), TimeDelta::hours(1), "nothing was noted in between");
    }
}
