//! Who gives a command, and what they may do.

use uuid::Uuid;

use super::{Refused, Unauthorised};
use owlbox_domain::permissions::{Needs, Permission, Roles, Scope};
use owlbox_domain::values::{AccountId, PlayerId, TournamentId};
use owlbox_store::accounts;

/// Who asks, and what proves it. The proof itself (a signature, a hash) was checked before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    pub account: AccountId,
    pub proof: Proof,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// An access token of this epoch, issued in this session.
    AccessToken {
        /// The account's token epoch when it was issued.
        epoch: i32,
        session: Uuid,
    },
    /// An API token, looked up just now.
    ApiToken,
    /// The link of one of this player's entries to this tournament.
    EntryLink { tournament: TournamentId, player: PlayerId },
    /// The command line on the service's own machine.
    Console,
}

impl Actor {
    /// Whoever sits at the service's own machine: may do everything, has no account.
    pub const CONSOLE: Self = Self { account: AccountId(Uuid::nil()), proof: Proof::Console };
}

/// What the asker may do: read from the database, not from a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Principal {
    pub account: AccountId,
    pub player: Option<PlayerId>,
    pub roles: Roles,
    /// Who came by the link of an entry has no roles, and reaches into nothing but this tournament.
    pub link: Option<TournamentId>,
}

impl Principal {
    pub(crate) const CONSOLE: Self =
        Self { account: Actor::CONSOLE.account, player: None, roles: Roles::ALL, link: None };

    /// What an account that stands so may do, if what proves it is still good.
    pub(crate) fn from_account(
        actor: &Actor,
        standing: Option<accounts::AccountStanding>,
    ) -> Result<Self, Refused> {
        match actor.proof {
            Proof::Console => return Ok(Self::CONSOLE),
            Proof::EntryLink { tournament, player } => {
                let (account, link) = (actor.account, Some(tournament));
                return Ok(Self { account, player: Some(player), roles: Roles::NONE, link });
            }
            Proof::AccessToken { .. } | Proof::ApiToken => {}
        }
        let standing = standing.filter(|standing| standing.active).ok_or(Unauthorised::Invalid)?;
        if let Proof::AccessToken { epoch, .. } = actor.proof
            && epoch != standing.epoch
        {
            return Err(Unauthorised::Invalid.into());
        }
        Ok(Self { account: actor.account, player: standing.player, roles: standing.roles, link: None })
    }

    /// Refuses unless the roles have `permission`.
    ///
    /// # Errors
    /// [`Refused::Forbidden`].
    pub fn require(&self, permission: Permission) -> Result<(), Refused> {
        if owlbox_domain::permissions::allows(self.roles, permission) {
            Ok(())
        } else {
            Err(Refused::Forbidden(permission))
        }
    }

    /// Refuses unless the roles reach an act of `player` by a command that needs this.
    pub(crate) fn require_scope(
        &self,
        scope: Scope,
        needs: Needs,
        player: Option<PlayerId>,
    ) -> Result<(), Refused> {
        match scope {
            Scope::Anybody => Ok(()),
            Scope::Oneself if self.player.is_some() && self.player == player => Ok(()),
            Scope::Oneself => Err(Refused::NotYours),
            Scope::Nobody => Err(Refused::Forbidden(needs.anybody)),
        }
    }
}
