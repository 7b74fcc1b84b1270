//! Links that work once: an invitation to choose login and password, or a reset of the password.
//!
//! A link's secret is shown to the admin who makes it and never again; a newer link ends the older
//! ones of its account.

use chrono::TimeDelta;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::sessions::Tokens;
use super::sign_in::forgive_login;
use super::{bytes, end_all_proofs};
use crate::access::password::Password;
use crate::access::tokens::{Secret, SecretKind, random};
use crate::{Actor, Desk, Refused, UnitOfWork};
use owlbox_domain::club::Login;
use owlbox_domain::code::Code;
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::{AccountId, Timestamp};
use owlbox_store::{AnyConnection, StoreError, accounts, credentials, players};

/// How long the link for a new password works.
const RESET_LIFETIME: TimeDelta = TimeDelta::hours(24);

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To choose login and password.
    Invite,
    /// To choose a new password.
    Reset,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Invite => "invite",
            Self::Reset => "reset",
        }
    }

    fn stored(name: &str) -> Self {
        if name == Self::Reset.name() { Self::Reset } else { Self::Invite }
    }
}

#[derive(Debug)]
pub struct NewLink {
    pub account: AccountId,
    pub purpose: Purpose,
    /// What opens it: for that person alone.
    pub secret: SecretString,
    pub expires_at: Timestamp,
}

/// What whoever holds a link may see of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkView {
    pub purpose: Purpose,
    /// What the person is called, if he plays.
    pub name: Option<String>,
    /// His login, if he has chosen it before.
    pub login: Option<String>,
    pub expires_at: Timestamp,
}

/// What a link is claimed with.
#[derive(Debug)]
pub struct Claim {
    /// The login: of an invitation, and only there.
    pub login: Option<Login>,
    pub password: SecretString,
}

impl Desk {
    /// Makes a new invitation for an account that has not been claimed; the older one stops working.
    ///
    /// # Errors
    /// There is no such account, it was claimed or is not active, or the asker may not.
    pub async fn invite_again(&self, actor: Actor, account: AccountId) -> Result<NewLink, Refused> {
        self.link(actor, account, Purpose::Invite).await
    }

    /// Makes a link for a new password. Until it is claimed the old one works.
    ///
    /// # Errors
    /// There is no such account, it was never claimed or is not active, or the asker may not.
    pub async fn reset_link(&self, actor: Actor, account: AccountId) -> Result<NewLink, Refused> {
        self.link(actor, account, Purpose::Reset).await
    }

    async fn link(&self, actor: Actor, account: AccountId, purpose: Purpose) -> Result<NewLink, Refused> {
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                accounts::lock(transaction.connection, account)?;
                let mut unit = UnitOfWork::new(&desk, transaction, &actor)?;
                unit.principal.require(Permission::ManageAccounts)?;
                let listed = accounts::find(unit.transaction.connection, account)?
                    .ok_or(Refused::NotFound("account"))?;
                if !listed.active {
                    return Err(inactive());
                }
                match (purpose, listed.login.is_some()) {
                    (Purpose::Invite, true) => Err(Refused::rule(
                        Code::AlreadyClaimed,
                        None,
                        "the account has a login: make a link for a new password",
                    )),
                    (Purpose::Reset, false) => Err(Refused::rule(
                        Code::NotClaimed,
                        None,
                        "the account has no login yet: make an invitation",
                    )),
                    _ => Ok(unit.keep_link(account, purpose)?),
                }
            })
            .await
    }

    /// What a link is for.
    ///
    /// # Errors
    /// There is no such link, or it no longer works.
    pub async fn look_at_link(&self, secret: &str) -> Result<LinkView, Refused> {
        let hash = hash_of(secret)?;
        let now = self.now();
        self.inner.store.read(move |connection| Ok(usable(connection, &hash, now)?.1)).await
    }

    /// Claims a link, and signs in: with login and password chosen, or a new password.
    ///
    /// # Errors
    /// There is no such link, it no longer works, the login is taken, or the password may not be one.
    pub async fn claim_link(&self, secret: &str, claim: Claim) -> Result<Tokens, Refused> {
        let hash = hash_of(secret)?;
        let view = self.look_at_link(secret).await?;
        let login = match (view.purpose, claim.login) {
            (Purpose::Invite, Some(login)) => Some(login),
            (Purpose::Invite, None) => {
                return Err(Refused::rule(Code::LoginRequired, Some("login"), "an invitation needs a login"));
            }
            (Purpose::Reset, Some(_)) => {
                return Err(Refused::rule(Code::LoginNotAsked, Some("login"), "the login stays as it is"));
            }
            (Purpose::Reset, None) => None,
        };
        let name = login.as_ref().map(Login::as_str).or(view.login.as_deref()).unwrap_or_default();
        let password = Password::new(&claim.password, name)?;
        let password = self.passwords().hash(password).await?;
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                let now = desk.now();
                let (account, view) = usable(transaction.connection, &hash, now)?;
                accounts::lock(transaction.connection, account)?;
                // Somebody may have claimed it, or the account been closed, before the lock was ours.
                usable(transaction.connection, &hash, now)?;
                if !credentials::use_link(transaction.connection, &hash, now)? {
                    return Err(used());
                }
                match &login {
                    Some(login) => {
                        let mut unit = UnitOfWork::new(&desk, transaction, &Actor::CONSOLE)?;
                        unit.keep_credential(account, login, &password)?;
                    }
                    None => {
                        let phc = password.to_phc();
                        credentials::set_password(transaction.connection, account, &phc, now)?;
                        end_all_proofs(transaction, account, now)?;
                        // Who needs a reset may have lost more than a password.
                        credentials::revoke_api_tokens(transaction.connection, account, None, now)?;
                        let login = view.login.unwrap_or_default();
                        forgive_login(transaction.connection, &login)?;
                    }
                }
                desk.forget_proofs(transaction);
                desk.start_session(transaction, account)
            })
            .await
    }
}

impl UnitOfWork<'_, '_> {
    /// Makes a link; earlier ones of the account stop working.
    pub(super) fn keep_link(&mut self, account: AccountId, purpose: Purpose) -> Result<NewLink, StoreError> {
        let lifetime = match purpose {
            Purpose::Invite => self.desk().terms().invite_lifetime,
            Purpose::Reset => RESET_LIFETIME,
        };
        let expires_at = Timestamp::from(self.now.utc() + lifetime);
        let secret = Secret::new(SecretKind::OneTimeLink, random());
        let link =
            credentials::Link { account, purpose: purpose.name().to_owned(), expires_at, used_at: None };
        let now = self.now;
        credentials::insert_link(self.transaction.connection, secret.digest().as_bytes(), &link, now)?;
        Ok(NewLink { account, purpose, secret: secret.reveal().into(), expires_at })
    }
}

fn hash_of(secret: &str) -> Result<Vec<u8>, Refused> {
    let secret = Secret::parse(SecretKind::OneTimeLink, secret).map_err(|_| Refused::NotFound("link"))?;
    Ok(bytes(&secret.digest()))
}

/// The link of that hash, if it works.
fn usable(
    connection: &mut AnyConnection,
    hash: &[u8],
    now: Timestamp,
) -> Result<(AccountId, LinkView), Refused> {
    let link = credentials::link(connection, hash)?.ok_or(Refused::NotFound("link"))?;
    let listed = accounts::find(connection, link.account)?.ok_or(Refused::NotFound("link"))?;
    if link.used_at.is_some() {
        return Err(used());
    }
    if link.expires_at <= now {
        return Err(Refused::rule(Code::LinkExpired, None, "the link has expired: ask for another"));
    }
    if !listed.active {
        return Err(inactive());
    }
    let name = match listed.player {
        Some(player) => players::find(connection, player.into())?.map(|row| row.display_name().to_owned()),
        None => None,
    };
    let view = LinkView {
        purpose: Purpose::stored(&link.purpose),
        name,
        login: listed.login,
        expires_at: link.expires_at,
    };
    Ok((link.account, view))
}

fn used() -> Refused {
    Refused::rule(Code::LinkUsed, None, "the link was used, or replaced by a newer one")
}

fn inactive() -> Refused {
    Refused::rule(Code::AccountInactive, None, "the account is not active")
}
