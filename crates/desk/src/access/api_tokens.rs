//! Tokens for scripts: as good as their account's roles, until they are revoked or expire.

use secrecy::SecretString;
use uuid::Uuid;

use super::{Proven, bytes, session_of, too_many_api_tokens};
use crate::access::tokens::{Secret, SecretKind, random};
use crate::{Actor, Desk, Proof, Refused, Unauthorised};
use owlbox_domain::code::Code;
use owlbox_domain::values::Timestamp;
use owlbox_store::credentials;
pub use owlbox_store::credentials::ApiToken;
use owlbox_store::types::Key;

#[derive(Debug)]
pub struct NewApiToken {
    /// What is kept of it.
    pub token: ApiToken,
    /// The token itself: shown once.
    pub secret: SecretString,
}

impl Desk {
    /// Makes a token called `name` (1 to 60 characters) for scripts of `actor`.
    ///
    /// # Errors
    /// Only somebody who signed in with a password can; and there is a limit.
    pub async fn create_api_token(
        &self,
        actor: Actor,
        name: String,
        expires_at: Option<Timestamp>,
    ) -> Result<NewApiToken, Refused> {
        session_of(&actor)?;
        let name = name.trim().to_owned();
        if !(1..=60).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            let detail = "a token's name has 1 to 60 visible characters";
            return Err(Refused::rule(Code::InvalidName, Some("name"), detail));
        }
        if expires_at.is_some_and(|end| !end.is_in_calendar()) {
            let detail = "days and times are from 1900-01-01 to 2200-12-31";
            return Err(Refused::rule(Code::OutsideCalendar, Some("expires_at"), detail));
        }
        self.on_own_account(actor, move |unit| {
            if expires_at.is_some_and(|end| end <= unit.now) {
                let detail = "the token would have expired already";
                return Err(Refused::rule(Code::ExpiresInThePast, Some("expires_at"), detail));
            }
            let account = unit.principal.account;
            let connection = &mut *unit.transaction.connection;
            if credentials::api_tokens(connection, account)?.len() >= super::MOST_API_TOKENS {
                return Err(too_many_api_tokens());
            }
            credentials::forget_revoked_api_tokens(connection, account, super::MOST_REVOKED_API_TOKENS)?;
            let secret = Secret::new(SecretKind::ApiToken, random());
            let token = ApiToken {
                id: Key(Uuid::now_v7()),
                account,
                name: name.clone(),
                created_at: unit.now,
                expires_at: expires_at.map(Into::into),
                revoked_at: None,
            };
            credentials::insert_api_token(connection, &token, secret.digest().as_bytes())?;
            Ok(NewApiToken { token, secret: secret.reveal().into() })
        })
        .await
    }

    /// The tokens of `actor`'s account that are not revoked, newest first.
    ///
    /// # Errors
    /// What proves him is no longer good.
    pub async fn api_tokens(&self, actor: &Actor) -> Result<Vec<ApiToken>, Refused> {
        let principal = self.principal(actor).await?;
        principal.require(owlbox_domain::permissions::Permission::ManageOwnAccount)?;
        let account = principal.account;
        self.inner.store.read(move |connection| Ok(credentials::api_tokens(connection, account)?)).await
    }

    /// Revokes one of the tokens of `actor`'s account.
    ///
    /// # Errors
    /// He has no such token.
    pub async fn revoke_api_token(&self, actor: Actor, id: Uuid) -> Result<(), Refused> {
        self.on_own_account(actor, move |unit| {
            let account = unit.principal.account;
            let (connection, now) = (&mut *unit.transaction.connection, unit.now);
            if credentials::revoke_api_tokens(connection, account, Some(id), now)? == 0 {
                return Err(Refused::NotFound("token"));
            }
            unit.forget_standings();
            Ok(())
        })
        .await
    }

    /// Whom an API token speaks for. How the account stands, a command reads in its transaction.
    ///
    /// # Errors
    /// It is no good, was revoked, or has expired.
    pub async fn verify_api_token(&self, token: &str) -> Result<Actor, Refused> {
        let secret = Secret::parse(SecretKind::ApiToken, token).map_err(|_| Unauthorised::Invalid)?;
        let hash = bytes(&secret.digest());
        let proven = self
            .proven(hash.clone().into_boxed_slice(), move |connection| {
                let token = credentials::api_token(connection, &hash)?;
                Ok(token.filter(|token| token.revoked_at.is_none()).map(|token| Proven {
                    account: token.account,
                    ends_at: token.expires_at.map(Timestamp::from),
                }))
            })
            .await?;
        Ok(Actor { account: proven.account, proof: Proof::ApiToken })
    }
}
