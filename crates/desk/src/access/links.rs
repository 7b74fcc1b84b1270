//! Single-use links: an invitation to choose login and password, or a password reset.
//!
//! The secret of a link is shown once, to the admin who makes it. A newer link replaces all older ones of its
//! account.

use chrono::TimeDelta;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::hashing::Asker;
use super::mail::{MailAddress, address_of};
use super::sessions::Tokens;
use super::sign_in::unlock;
use super::{bytes, end_all_proofs};
use crate::access::password::{Password, PasswordHash};
use crate::access::tokens::{Secret, SecretKind, random};
use crate::club::webhooks::WebhookOff;
use crate::{Actor, Desk, Refused, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::text::folded;
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_books::club::Login;
use owlbox_store::credentials::{api_tokens, links, passwords};
use owlbox_store::{AnyConnection, StoreError, Transaction, accounts, players, webhooks};

/// How long a password reset link works.
const RESET_LIFETIME: TimeDelta = TimeDelta::hours(24);

/// The purpose of a single-use link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Invites the owner of a new account to choose login and password.
    Invite,
    /// Lets the owner of an account choose a new password.
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
    /// The secret in the link's address: for the account's owner alone.
    pub secret: SecretString,
    pub expires_at: Timestamp,
    /// Where the account's owner is sent mail, if that is known.
    pub mail: Option<MailAddress>,
}

/// What a link is for, and for whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LinkViewBody))]
pub struct LinkView {
    /// Whether it is for choosing a login and a password, or a new password.
    pub purpose: Purpose,
    /// The person's name as a player; null if they do not play.
    #[cfg_attr(feature = "schema", schema(example = "Mari"))]
    pub name: Option<String>,
    /// Their login, if they have one already.
    pub login: Option<String>,
    /// When the link expires.
    pub expires_at: Timestamp,
}

/// The data for claiming a link.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ClaimBody))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The login to have from now on. For an invitation only.
    #[serde(default)]
    pub login: Option<Login>,
    /// The new password: 10 to 200 characters.
    #[cfg_attr(feature = "schema", schema(value_type = String, format = Password, min_length = 10, max_length = 200))]
    pub password: SecretString,
}

impl Desk {
    /// Makes a new invitation for an account that nobody has claimed. The older one stops working.
    ///
    /// # Errors
    /// There is no such account, it has been claimed or is not active, or the caller may not manage accounts.
    pub async fn invite_again(&self, actor: Actor, account: AccountId) -> Result<NewLink, Refused> {
        self.link(actor, account, Purpose::Invite).await
    }

    /// Makes a password reset link. The old password works until the link is claimed.
    ///
    /// # Errors
    /// There is no such account, it has never been claimed or is not active, or the caller may not manage
    /// accounts.
    pub async fn reset_link(&self, actor: Actor, account: AccountId) -> Result<NewLink, Refused> {
        self.link(actor, account, Purpose::Reset).await
    }

    async fn link(&self, actor: Actor, account: AccountId, purpose: Purpose) -> Result<NewLink, Refused> {
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                accounts::lock(transaction.connection()?, account)?;
                let mut unit = UnitOfWork::new(&desk, transaction, &actor)?;
                unit.principal.require(Permission::ManageAccounts)?;
                let listed = accounts::find(unit.transaction.connection()?, account)?
                    .ok_or(Refused::NotFound("account"))?;
                if !listed.active {
                    return Err(inactive());
                }
                match (purpose, listed.login.is_some()) {
                    (Purpose::Invite, true) => Err(already_claimed()),
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

    /// The purpose and owner of a link, without using it up.
    ///
    /// # Errors
    /// There is no such link, or it no longer works.
    pub async fn link_view(&self, secret: &str) -> Result<LinkView, Refused> {
        let hash = hash_of(secret)?;
        let now = self.now();
        self.inner.store.read(move |connection| Ok(usable(connection, &hash, now)?.1)).await
    }

    /// Claims a link with login and password, or with a new password, and signs its owner in.
    ///
    /// # Errors
    /// There is no such link, it no longer works, the login is taken, or the password is refused.
    pub async fn claim_link(&self, secret: &str, claim: Claim) -> Result<Tokens, Refused> {
        let hash = hash_of(secret)?;
        let (now, digest) = (self.now(), hash.clone());
        let (account, view) =
            self.inner.store.read(move |connection| usable(connection, &digest, now)).await?;
        let login = match (view.purpose, claim.login) {
            (Purpose::Invite, Some(login)) => Some(login),
            (Purpose::Invite, None) => {
                return Err(Refused::rule(Code::LoginRequired, Some("login"), "an invitation needs a login"));
            }
            (Purpose::Reset, Some(_)) => {
                return Err(Refused::rule(Code::LoginNotAsked, Some("login"), "a reset keeps the login"));
            }
            (Purpose::Reset, None) => None,
        };
        let name = login.as_ref().map(Login::as_str).or(view.login.as_deref()).unwrap_or_default();
        let password = Password::new(&claim.password, name)?;
        let password = self.passwords().hash(Asker::Account(account), password).await?;
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                let now = desk.now();
                let (account, view) = usable(transaction.connection()?, &hash, now)?;
                accounts::lock(transaction.connection()?, account)?;
                // Check again: another request may have used the link or deactivated the account before we
                // held the lock.
                usable(transaction.connection()?, &hash, now)?;
                if !links::use_link(transaction.connection()?, &hash, now)? {
                    return Err(used());
                }
                match &login {
                    Some(login) => {
                        let mut unit = UnitOfWork::new(&desk, transaction, &Actor::CONSOLE)?;
                        unit.keep_credential(account, login, &password)?;
                    }
                    None => {
                        reset(transaction, account, &password, now)?;
                        if let Some(login) = &view.login {
                            unlock(transaction.connection()?, &folded(login), now)?;
                        }
                    }
                }
                desk.forget_proofs(transaction)?;
                desk.start_session(transaction, account)
            })
            .await
    }
}

impl UnitOfWork<'_, '_> {
    /// Makes a link. Earlier links of the account stop working.
    pub(super) fn keep_link(&mut self, account: AccountId, purpose: Purpose) -> Result<NewLink, StoreError> {
        let lifetime = match purpose {
            Purpose::Invite => self.desk().terms().invite_lifetime,
            Purpose::Reset => RESET_LIFETIME,
        };
        self.keep_link_for(account, purpose, lifetime)
    }

    pub(super) fn keep_link_for(
        &mut self,
        account: AccountId,
        purpose: Purpose,
        lifetime: TimeDelta,
    ) -> Result<NewLink, StoreError> {
        let expires_at = Timestamp::from(self.now.utc() + lifetime);
        let secret = Secret::new(SecretKind::OneTimeLink, random());
        let link =
            links::OneTimeLinkRow { account, purpose: purpose.name().to_owned(), expires_at, used_at: None };
        let now = self.now;
        let connection = self.transaction.connection()?;
        links::insert_link(connection, secret.digest().as_bytes(), &link, now)?;
        let mail = address_of(connection, account)?;
        Ok(NewLink { account, purpose, secret: secret.reveal().into(), expires_at, mail })
    }
}

/// Sets another password and ends every proof of the account. Those who need a reset may have lost more than
/// a password, so their API tokens go too, and their webhooks are switched off.
pub(super) fn reset(
    transaction: &mut Transaction<'_>,
    account: AccountId,
    password: &PasswordHash,
    now: Timestamp,
) -> Result<(), StoreError> {
    passwords::set_password(transaction.connection()?, account, &password.to_phc(), now)?;
    end_all_proofs(transaction, account, now)?;
    let connection = transaction.connection()?;
    api_tokens::revoke_api_tokens(connection, account, None, now)?;
    webhooks::switch_off_of(connection, account, now, &WebhookOff::Owner.to_string())?;
    Ok(())
}

fn hash_of(secret: &str) -> Result<Vec<u8>, Refused> {
    let secret = Secret::parse(SecretKind::OneTimeLink, secret).map_err(|_| Refused::NotFound("link"))?;
    Ok(bytes(&secret.digest()))
}

/// The link with this hash, and its account, if it still works.
fn usable(
    connection: &mut AnyConnection,
    hash: &[u8],
    now: Timestamp,
) -> Result<(AccountId, LinkView), Refused> {
    let link = links::link(connection, hash)?.ok_or(Refused::NotFound("link"))?;
    let listed = accounts::find(connection, link.account)?.ok_or(Refused::NotFound("link"))?;
    if link.used_at.is_some() {
        return Err(used());
    }
    if link.expires_at <= now {
        return Err(Refused::rule(Code::LinkExpired, None, "the link has expired: ask for a new one"));
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

pub(super) fn already_claimed() -> Refused {
    let detail = "the account has a login already: make a link for a new password";
    Refused::rule(Code::AlreadyClaimed, None, detail)
}

fn used() -> Refused {
    Refused::rule(Code::LinkUsed, None, "the link has been used, or replaced by a newer one")
}

pub(super) fn inactive() -> Refused {
    Refused::rule(Code::AccountInactive, None, "the account is not active")
}
