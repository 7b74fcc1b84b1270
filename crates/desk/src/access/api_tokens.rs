//! API tokens, for scripts. They carry the roles of their account until they are revoked or expire.

use secrecy::SecretString;
use uuid::Uuid;

use super::{Proven, bytes, session_of, too_many_api_tokens};
use crate::access::tokens::{Secret, SecretKind, random};
use crate::{Actor, Desk, Proof, Refused, Unauthorised};
use owlbox_base::code::Code;
use owlbox_base::values::Timestamp;
use owlbox_store::credentials::api_tokens;
pub use owlbox_store::credentials::api_tokens::ApiToken;
use owlbox_store::types::Key;

#[derive(Debug)]
pub struct NewApiToken {
    /// The stored record; it does not contain the secret.
    pub token: ApiToken,
    /// The token itself. This is the only time it is shown.
    pub secret: SecretString,
}

impl Desk {
    /// Makes an API token called `name` (1 to 60 characters) for `actor`'s account.
    ///
    /// # Errors
    /// `needs_session` unless `actor` signed in with a password; `too_many_api_tokens`; an invalid name or
    /// expiry.
    pub async fn create_api_token(
        &self,
        actor: Actor,
        name: String,
        expires_at: Option<Timestamp>,
    ) -> Result<NewApiToken, Refused> {
        session_of(&actor)?;
        let name = name.trim().to_owned();
        if !(1..=60).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            let detail = "a token's name must have 1 to 60 visible characters";
            return Err(Refused::rule(Code::InvalidName, Some("name"), detail));
        }
        if expires_at.is_some_and(|end| !end.is_in_calendar()) {
            let detail = "days and times are from 1900-01-01 to 2200-12-31";
            return Err(Refused::rule(Code::OutsideCalendar, Some("expires_at"), detail));
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

    /// The actor an API token stands for. The roles and state of the account are read later, in the command's
    /// own transaction.
    ///
    /// # Errors
    /// The token is unknown, revoked or expired.
    pub async fn verify_api_token(&self, token: &str) -> Result<Actor, Refused> {
        let secret = Secret::parse(SecretKind::ApiToken, token).map_err(|_| Unauthorised::Invalid)?;
        let hash = bytes(&secret.digest());
        let proven = self
            .proven(hash.clone().into_boxed_slice(), move |connection| {
                let token = api_tokens::api_token(connection, &hash)?;
                Ok(token.filter(|token| token.revoked_at.is_none()).map(|token| Proven {
                    account: token.account,
                    ends_at: token.expires_at.map(Timestamp::from),
                }))
            })
            .await?;
        Ok(Actor { account: proven.account, proof: Proof::ApiToken })
    }
}
