//! Mail addresses of logins, and forgotten passwords.
//!
//! An address is a plain record beside the login: its owner sets it, or who invites them. Nobody confirms it
//! before it is used, so that changing one's own takes the password. Sending is the HTTP crate's; here is
//! what may be sent, and how much a club may send. A caller who asks for a new password learns nothing about
//! any login: what they are told is decided by [`Desk::count_forgotten`], which looks at no login.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use chrono::TimeDelta;
use lettre::Address;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::hashing::Asker;
use super::links::{NewLink, Purpose};
use super::sign_in::too_many;
use super::{session_of, sha256};
use crate::books::treasury::OwnDues;
use crate::{Actor, Desk, Refused, Unauthorised, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::BrokenHistory;
use owlbox_base::permissions::Permission;
use owlbox_base::text::folded;
use owlbox_base::values::{AccountId, InvalidValue, PlayerId, Timestamp, household};
use owlbox_store::credentials::{attempts, links, mail_addresses, passwords};
use owlbox_store::{AnyConnection, StoreError, Transaction, accounts};

/// How long a link works that was sent to who has forgotten a password.
const FORGOTTEN_LIFETIME: TimeDelta = TimeDelta::hours(1);
/// The window of the limits below, unless they say another.
const DAY: TimeDelta = TimeDelta::days(1);
/// How often one household may ask for a new password within the window of the sign-in limits.
const MOST_ASKED: u32 = 5;
/// How often a login is sent a link for a new password in a day.
const MOST_OF_LOGIN: u32 = 3;
/// The most such links that a club sends in a day.
const MOST_FORGOTTEN: u32 = 100;
/// The most other mails that a club sends in a day.
const MOST_OF_CLUB: u32 = 200;
/// The most logins that are sent a link for one address: a family may share it.
const MOST_SHARING: i64 = 3;

/// A mail address. Printed for debugging, it is without the part before the `@`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = String, max_length = 254, example = "maria@club.example"))]
pub struct MailAddress(Address);

impl MailAddress {
    #[must_use]
    pub const fn address(&self) -> &Address {
        &self.0
    }

    #[must_use]
    pub fn domain(&self) -> &str {
        self.0.domain()
    }

    /// What it is found by.
    fn key(&self) -> String {
        key_of(self.0.as_ref())
    }
}

fn key_of(address: &str) -> String {
    address.to_lowercase()
}

impl FromStr for MailAddress {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let text = text.trim();
        let plain = |letter: char| !letter.is_control() && !letter.is_whitespace();
        let address = Some(text).filter(|text| text.len() <= 254 && text.chars().all(plain));
        address
            .and_then(|text| text.parse().ok())
            .map(Self)
            .ok_or(InvalidValue { what: "email", allowed: "a mail address such as maria@club.example" })
    }
}
impl TryFrom<String> for MailAddress {
    type Error = InvalidValue;
    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}
impl From<MailAddress> for String {
    fn from(MailAddress(address): MailAddress) -> Self {
        address.to_string()
    }
}
impl fmt::Display for MailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
impl fmt::Debug for MailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "…@{}", self.domain())
    }
}

impl Desk {
    /// The caller's own address, if they have one.
    ///
    /// # Errors
    /// The caller has no account of their own, or the store failed.
    pub async fn own_mail_address(&self, actor: &Actor) -> Result<Option<MailAddress>, Refused> {
        let account = self.principal(actor).await?.account;
        self.read(move |connection| Ok(address_of(connection, account)?)).await
    }

    /// Changes the caller's own address, or removes it. Takes the password, as who gets the mail can choose
    /// another.
    ///
    /// # Errors
    /// The password is wrong, there were too many attempts, or nobody has signed in with a password here.
    pub async fn change_own_mail_address(
        &self,
        actor: Actor,
        address: Option<MailAddress>,
        password: SecretString,
        client: IpAddr,
    ) -> Result<(), Refused> {
        session_of(&actor)?;
        let account = self.principal(&actor).await?.account;
        let credential =
            self.read(move |connection| Ok::<_, Refused>(passwords::of_account(connection, account)?));
        let credential = credential.await?.ok_or(Unauthorised::WrongPassword)?;
        self.prove(Asker::Account(account), folded(&credential.login), password, client).await?;
        self.on_own_account(actor, move |unit| {
            let now = unit.now;
            let connection = unit.transaction.connection()?;
            end_links_to_another(connection, account, address.as_ref(), now)?;
            match &address {
                Some(address) => Ok(keep_address(connection, account, address)?),
                None => Ok(mail_addresses::forget(connection, account)?),
            }
        })
        .await
    }

    /// Gives an account that nobody has claimed yet an address.
    ///
    /// # Errors
    /// There is no such account, it has been claimed, or the caller may not manage accounts.
    pub async fn address_invitation(
        &self,
        actor: Actor,
        account: AccountId,
        address: MailAddress,
    ) -> Result<(), Refused> {
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                accounts::lock(transaction.connection()?, account)?;
                let unit = UnitOfWork::new(&desk, transaction, &actor)?;
                unit.principal.require(Permission::ManageAccounts)?;
                let now = unit.now;
                let connection = unit.transaction.connection()?;
                let listed = accounts::find(connection, account)?.ok_or(Refused::NotFound("account"))?;
                if listed.login.is_some() {
                    return Err(super::links::already_claimed());
                }
                end_links_to_another(connection, account, Some(&address), now)?;
                Ok(keep_address(connection, account, &address)?)
            })
            .await
    }

    /// The address to which a player is sent mail, if they have one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mail_address_of_player(&self, player: PlayerId) -> Result<Option<MailAddress>, Refused> {
        self.read(move |connection| {
            let account = accounts::of_player(connection, player)?.filter(|account| account.active);
            Ok(account.map(|account| address_of(connection, account.id)).transpose()?.flatten())
        })
        .await
    }

    /// What a player owes, and where to remind them of it. The reminder is
    /// [counted](Self::count_reminder) when it can be sent.
    ///
    /// # Errors
    /// The caller may not keep the books; or there is no such player, they owe nothing or have no address.
    pub async fn reminder(&self, actor: &Actor, player: PlayerId) -> Result<(MailAddress, OwnDues), Refused> {
        self.principal(actor).await?.require(Permission::KeepBooks)?;
        let mut owed = self.own_dues(actor, player).await?;
        owed.dues.retain(|due| due.balance < 0);
        if owed.dues.is_empty() {
            return Err(Refused::rule(Code::NothingOwed, None, "the player owes nothing"));
        }
        let address = self.mail_address_of_player(player).await?.ok_or_else(|| {
            Refused::rule(Code::NoMailAddress, None, "nobody knows where to send the player mail")
        })?;
        Ok((address, owed))
    }

    /// Counts a reminder, of which a player is sent one a day.
    ///
    /// # Errors
    /// They have been reminded today.
    pub async fn count_reminder(&self, player: PlayerId) -> Result<(), Refused> {
        self.count_of(reminder_of(player), DAY, 1).await
    }

    /// Takes back that a reminder was counted: it was not sent.
    ///
    /// # Errors
    /// The store failed.
    pub async fn uncount_reminder(&self, player: PlayerId) -> Result<(), Refused> {
        let key = reminder_of(player);
        self.inner
            .store
            .write(move |transaction| {
                attempts::uncount_failure(transaction.connection()?, &key)?;
                Ok::<_, Refused>(())
            })
            .await
    }

    /// Counts a mail that the club sends.
    ///
    /// # Errors
    /// The club has sent its share of the day.
    pub async fn count_mail(&self) -> Result<(), Refused> {
        self.count_of(sha256(&[b"mail of the club"]), DAY, MOST_OF_CLUB).await
    }

    /// Counts that somebody has asked for a new password.
    ///
    /// # Errors
    /// Their household has asked too often.
    pub async fn count_forgotten(&self, client: IpAddr) -> Result<(), Refused> {
        let key = sha256(&[b"forgotten from", household(client).to_string().as_bytes()]);
        self.count_of(key, self.terms().attempts.window, MOST_ASKED).await
    }

    async fn count_of(&self, key: Vec<u8>, window: TimeDelta, most: u32) -> Result<(), Refused> {
        let now = self.now();
        self.inner
            .store
            .write(move |transaction| {
                if counted(transaction, &key, window, most, now)? { Ok(()) } else { Err(too_many(window)) }
            })
            .await
    }

    /// Makes a link for a new password for each login that is called so or has this address, and has an
    /// address. There is none if there is no such login, or it or the club has been sent enough today.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forgotten_password(&self, named: &str) -> Result<Vec<NewLink>, Refused> {
        let (login, address) = (folded(named), key_of(named.trim()));
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                let found =
                    mail_addresses::known_as(transaction.connection()?, &login, &address, MOST_SHARING)?;
                let (now, mut made) = (desk.now(), Vec::new());
                // In the order of their ids, and before the counters of the club: so transactions that meet
                // here wait instead of deadlocking.
                for account in &found {
                    accounts::lock(transaction.connection()?, *account)?;
                }
                for account in found {
                    // An admin's link lasts longer, and is in somebody's hands already: a stranger who asks
                    // for another must not make it void.
                    let later = Timestamp::from(now.utc() + FORGOTTEN_LIFETIME);
                    if links::is_open_after(transaction.connection()?, account, later)? {
                        continue;
                    }
                    let own = sha256(&[b"forgotten", account.0.as_bytes()]);
                    let all = sha256(&[b"forgotten in the club"]);
                    if counted(transaction, &own, DAY, MOST_OF_LOGIN, now)?
                        && counted(transaction, &all, DAY, MOST_FORGOTTEN, now)?
                    {
                        let mut unit = UnitOfWork::new(&desk, transaction, &Actor::CONSOLE)?;
                        made.push(unit.keep_link_for(account, Purpose::Reset, FORGOTTEN_LIFETIME)?);
                    }
                }
                Ok::<_, Refused>(made)
            })
            .await
    }
}

fn reminder_of(player: PlayerId) -> Vec<u8> {
    sha256(&[b"reminder", player.0.as_bytes()])
}

/// Counts something that may happen `most` times within a window, also when it may not. Whether it may.
fn counted(
    transaction: &mut Transaction<'_>,
    key: &[u8],
    window: TimeDelta,
    most: u32,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let connection = transaction.connection()?;
    let since = Timestamp::from(now.utc() - window);
    // Counted first: of two requests at once, the second waits for the first and sees it.
    attempts::count_failure(connection, key, since, now)?;
    Ok(attempts::failures(connection, key, since)? <= most)
}

/// The address of an account, which was checked when it was given.
pub(crate) fn address_of(
    connection: &mut AnyConnection,
    account: AccountId,
) -> Result<Option<MailAddress>, StoreError> {
    let stored = mail_addresses::of_account(connection, account)?;
    let parsed = stored.map(|address| address.parse()).transpose();
    parsed.map_err(|_| BrokenHistory(format!("the mail address of account {account}")).into())
}

/// Ends the links of an account whose address changes: one may have been mailed to the old address.
fn end_links_to_another(
    connection: &mut AnyConnection,
    account: AccountId,
    address: Option<&MailAddress>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let old = address_of(connection, account)?;
    if old.is_some() && old.as_ref() != address {
        links::use_links(connection, account, now)?;
    }
    Ok(())
}

pub(super) fn keep_address(
    connection: &mut AnyConnection,
    account: AccountId,
    address: &MailAddress,
) -> Result<(), StoreError> {
    mail_addresses::put(connection, account, address.0.as_ref(), &address.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_checked_and_its_owner_does_not_stand_in_the_log() {
        let address: MailAddress = " Maria.Rossi@Club.example ".parse().unwrap();
        assert_eq!(address.to_string(), "Maria.Rossi@Club.example");
        assert_eq!(address.key(), "maria.rossi@club.example");
        assert_eq!(format!("{address:?}"), "…@Club.example");
        let long = format!("{}@club.example", "x".repeat(250));
        let wrong = [
            "",
            "maria",
            "@club.example",
            "maria@",
            "maria@club.example\r\nBcc: all@club.example",
            "maria@club.example, bea@club.example",
            "Maria <maria@club.example>",
            "ma ria@club.example",
            &long,
        ];
        for wrong in wrong {
            assert_eq!(wrong.parse::<MailAddress>().unwrap_err().what, "email", "{wrong:?}");
        }
    }
}
