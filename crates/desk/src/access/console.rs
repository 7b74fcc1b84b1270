//! What the operator of the service does with the club's logins, from its own machine: sees them, gives one
//! another password, lifts what keeps one out.

use secrecy::SecretString;
use serde::Serialize;

use super::accounts::{AccountView, view};
use super::hashing::Asker;
use super::links::{NewLink, inactive, reset};
use super::password::Password;
use super::sign_in::{failures_of, unlock};
use super::tokens::AttemptPolicy;
use crate::{Actor, Desk, Refused};
use owlbox_base::text::folded;
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_books::club::Login;
use owlbox_books::club::login::MOST_ACCOUNTS;
use owlbox_store::connection::on_snapshot;
use owlbox_store::credentials::{passwords, sessions};
use owlbox_store::{AnyConnection, StoreError, accounts};

/// A login as it is listed on the service's machine.
#[derive(Clone, Debug, Serialize)]
pub struct LoginStanding {
    #[serde(flatten)]
    pub account: AccountView,
    /// As far as its sessions are kept.
    pub last_sign_in: Option<Timestamp>,
    /// How often signing in has failed lately, from wherever: within the window of the [`AttemptPolicy`].
    pub failed_sign_ins: u32,
}

/// All logins of the club, oldest first, on one snapshot.
///
/// # Errors
/// A query failed.
pub fn logins(connection: &mut AnyConnection, now: Timestamp) -> Result<Vec<LoginStanding>, StoreError> {
    let policy = AttemptPolicy::default();
    let most = i64::try_from(MOST_ACCOUNTS).unwrap_or(i64::MAX);
    on_snapshot(connection, |connection| {
        let mut logins = Vec::new();
        for account in accounts::page(connection, None, most)? {
            let last_sign_in = sessions::last_sign_in(connection, account.id)?;
            let failed_sign_ins = match &account.login {
                Some(login) => failures_of(connection, &folded(login), &policy, now)?,
                None => 0,
            };
            let account = view(connection, account)?;
            logins.push(LoginStanding { account, last_sign_in, failed_sign_ins });
        }
        Ok(logins)
    })
}

impl Desk {
    /// Gives a login another password. Anyone who is signed in with it is signed out; its links and API
    /// tokens end, and it is not locked out any more.
    ///
    /// # Errors
    /// There is no such login, its account is not active, or the password is refused.
    pub async fn reset_password(&self, login: Login, password: SecretString) -> Result<AccountId, Refused> {
        let account = self.account_of(&login).await?;
        let hash = self.passwords().hash(Asker::Operator, Password::new(&password, login.as_str())?).await?;
        self.as_console(move |unit| {
            accounts::lock(unit.transaction.connection()?, account)?;
            let standing = accounts::standing(unit.transaction.connection()?, account)?;
            if standing.is_none_or(|standing| !standing.active) {
                return Err(inactive());
            }
            let now = unit.now;
            reset(unit.transaction, account, &hash, now)?;
            unlock(unit.transaction.connection()?, &login.key(), now)?;
            unit.forget_standings()?;
            Ok(account)
        })
        .await
    }

    /// Makes a link with which the owner of a login chooses another password. The old one works until then.
    ///
    /// # Errors
    /// There is no such login, or its account is not active.
    pub async fn reset_link_of(&self, login: Login) -> Result<NewLink, Refused> {
        let account = self.account_of(&login).await?;
        self.reset_link(Actor::CONSOLE, account).await
    }

    /// Forgives the failed sign-ins of a login, so that it is not locked out any more.
    ///
    /// # Errors
    /// There is no such login.
    pub async fn unlock(&self, login: Login) -> Result<AccountId, Refused> {
        let account = self.account_of(&login).await?;
        self.as_console(move |unit| {
            let now = unit.now;
            unlock(unit.transaction.connection()?, &login.key(), now)?;
            Ok(account)
        })
        .await
    }

    async fn account_of(&self, login: &Login) -> Result<AccountId, Refused> {
        let key = login.key();
        let credential = self.read(move |connection| passwords::by_login(connection, &key)).await;
        Ok(credential?.ok_or(Refused::NotFound("login"))?.account)
    }
}
