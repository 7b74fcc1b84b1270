//! Accounts: the club's logins and the players they belong to.
//!
//! An admin makes an account with roles and, if its owner plays, a player. The owner claims it with a link
//! and chooses login and password there.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::end_all_proofs;
use super::links::{NewLink, Purpose};
use super::mail::{MailAddress, keep_address};
use crate::club::stream::club_receipt;
use crate::{Actor, Desk, Done, Refused, Request, UnitOfWork};
use owlbox_base::journal::Version;
use owlbox_base::permissions::{Permission, Roles};
use owlbox_base::values::{AccountId, PlayerId};
use owlbox_books::club::players::Change;
use owlbox_books::club::state::AccountEntry;
use owlbox_books::club::{Command, Event, Refusal};
use owlbox_store::AnyConnection;
use owlbox_store::accounts;
pub use owlbox_store::accounts::Listed;
use owlbox_store::credentials::{api_tokens, passwords};

/// An account to be made, before anybody has claimed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    /// The player whose account it is: active, and without an account so far. Absent if its owner does not
    /// play.
    #[serde(default)]
    pub player: Option<PlayerId>,
    /// The roles of its owner; at least one.
    pub roles: Roles,
    /// Where its owner is sent the invitation, where the service sends mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<MailAddress>,
}

/// A change of an account. Absent fields stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AccountChange {
    /// The complete new set of roles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles: Option<Roles>,
    /// Whether its owner can sign in. Deactivating it ends every session, link and API token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// The player whose account it is; null if its owner does not play.
    #[cfg_attr(feature = "schema", schema(value_type = Option<PlayerId>))]
    pub player: Change<PlayerId>,
}

impl AccountChange {
    /// The commands that turn `entry` into the account asked for; none if nothing changes.
    fn commands(&self, account: AccountId, entry: AccountEntry) -> Vec<Command> {
        let player = self.player.clone().onto(entry.player);
        let link = (player != entry.player).then_some(Command::LinkAccount { account, player });
        let roles = self.roles.filter(|roles| *roles != entry.roles);
        let active = self.active.filter(|active| *active != entry.active).map(|active| {
            if active {
                Command::ReactivateAccount { account }
            } else {
                Command::DeactivateAccount { account }
            }
        });
        let roles = roles.map(|roles| Command::ChangeAccountRoles { account, roles });
        link.into_iter().chain(roles).chain(active).collect()
    }
}

/// A login of the club, with what its owner may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AccountBody))]
pub struct AccountView {
    pub id: AccountId,
    /// The login name; null until the invitation is claimed.
    #[cfg_attr(feature = "schema", schema(example = "maria"))]
    pub login: Option<String>,
    /// The player that the account belongs to; null for somebody who does not play.
    pub player: Option<PlayerId>,
    /// The player's name; null without a player.
    pub name: Option<String>,
    pub roles: Roles,
    /// Whether the account can sign in.
    pub active: bool,
}

impl Desk {
    /// Makes an account and the link that claims it. A retry under the same key finds the account and makes a
    /// new link, because the first link's secret is not stored anywhere.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn create_account(
        &self,
        request: Request,
        new: NewAccount,
    ) -> Result<(NewLink, Version), Refused> {
        let (actor, expected) = (request.actor, request.expected);
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ManageAccounts)?;
                let before = unit.club()?;
                UnitOfWork::expect(&before, expected)?;
                let account = AccountId(Uuid::now_v7());
                let NewAccount { player, roles, ref email } = new;
                let appended = unit.change_club(&[Command::CreateAccount { account, player, roles }])?;
                if let Some(email) = email {
                    keep_address(unit.transaction.connection()?, account, email)?;
                }
                let link = unit.keep_link(account, Purpose::Invite)?;
                Ok((club_receipt(&appended, 201), (link, appended.stream.version)))
            })
            .await?;
        match done {
            Done::Now(made) => Ok(made),
            Done::Before(receipt) => {
                let events = self.club_events_at(receipt.version).await?;
                let account = events.iter().find_map(|event| {
                    if let Event::AccountCreated { account, .. } = event { Some(*account) } else { None }
                });
                let account = account.ok_or(Refused::NotFound("account"))?;
                Ok((self.invite_again(actor, account).await?, receipt.version))
            }
        }
    }

    /// Changes an account. Returns the club's version and the account.
    ///
    /// # Errors
    /// Refusals of the rules or the desk, among them `last_admin`: a club never loses its last admin.
    pub async fn change_account(
        &self,
        request: Request,
        account: AccountId,
        change: AccountChange,
    ) -> Result<(Version, AccountView), Refused> {
        let (actor, expected) = (request.actor, request.expected);
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ManageAccounts)?;
                let before = unit.club()?;
                let entry = before.state.account(account).ok_or(Refused::NotFound("account"))?;
                UnitOfWork::expect(&before, expected)?;
                let commands = change.commands(account, entry);
                if commands.is_empty() {
                    return Err(Refusal::NothingChanges.into());
                }
                let appended = unit.change_club(&commands)?;
                if commands.iter().any(|command| matches!(command, Command::DeactivateAccount { .. })) {
                    let now = unit.now;
                    end_all_proofs(unit.transaction, account, now)?;
                    api_tokens::revoke_api_tokens(unit.transaction.connection()?, account, None, now)?;
                }
                Ok((club_receipt(&appended, 200), appended.stream.version))
            })
            .await?;
        match done {
            // No second permission check: those who change their own account may no longer be admins
            // afterwards.
            Done::Now(version) => Ok((version, self.look_at_account(account).await?)),
            Done::Before(receipt) => Ok((receipt.version, self.account(&actor, account).await?)),
        }
    }

    /// A page of the club's accounts, oldest first.
    ///
    /// # Errors
    /// The caller may not manage accounts.
    pub async fn accounts(
        &self,
        actor: &Actor,
        after: Option<AccountId>,
        limit: i64,
    ) -> Result<Vec<AccountView>, Refused> {
        self.principal(actor).await?.require(Permission::ManageAccounts)?;
        self.inner
            .store
            .read(move |connection| {
                accounts::page(connection, after, limit)?
                    .into_iter()
                    .map(|account| Ok(view(connection, account)?))
                    .collect()
            })
            .await
    }

    /// One account: any of them for those who manage accounts, their own for everybody else.
    ///
    /// # Errors
    /// There is no such account, or the caller may not see it.
    pub async fn account(&self, actor: &Actor, account: AccountId) -> Result<AccountView, Refused> {
        let principal = self.principal(actor).await?;
        if principal.account != account {
            principal.require(Permission::ManageAccounts)?;
        }
        self.look_at_account(account).await
    }

    /// The account of a player, if they have one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn player_account(&self, player: PlayerId) -> Result<Option<Listed>, Refused> {
        self.read(move |connection| Ok(accounts::of_player(connection, player)?)).await
    }

    /// The first `limit` accounts of the club, oldest first: the candidates for a tournament's director.
    ///
    /// # Errors
    /// The store failed.
    pub async fn oldest_accounts(&self, limit: i64) -> Result<Vec<Listed>, Refused> {
        self.read(move |connection| Ok(accounts::page(connection, None, limit)?)).await
    }

    /// The login of an account; `None` until it has been claimed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn account_login(&self, account: AccountId) -> Result<Option<String>, Refused> {
        self.read(move |connection| {
            Ok(passwords::of_account(connection, account)?.map(|credential| credential.login))
        })
        .await
    }

    /// Whether the books have a second person: two logins that may keep them and were taken up, so that one
    /// can approve what the other has proposed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn has_second_person(&self) -> Result<bool, Refused> {
        let club = self.club().await?;
        let bookkeepers: Vec<AccountId> = club.state.bookkeepers().collect();
        let read = move |connection: &mut AnyConnection| {
            let mut taken_up = 0;
            for account in bookkeepers {
                taken_up += u8::from(passwords::of_account(connection, account)?.is_some());
                if taken_up == 2 {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        self.read(read).await
    }

    async fn look_at_account(&self, account: AccountId) -> Result<AccountView, Refused> {
        self.inner
            .store
            .read(move |connection| {
                let listed = accounts::find(connection, account)?.ok_or(Refused::NotFound("account"))?;
                Ok(view(connection, listed)?)
            })
            .await
    }
}

pub(super) fn view(
    connection: &mut AnyConnection,
    account: Listed,
) -> Result<AccountView, owlbox_store::StoreError> {
    let Listed { id, player, roles, active, login } = account;
    let player = player.map(PlayerId::from);
    let name = match player {
        Some(player) => {
            owlbox_store::players::find(connection, player)?.map(|row| row.display_name().to_owned())
        }
        None => None,
    };
    Ok(AccountView { id, login, player, name, roles, active })
}
