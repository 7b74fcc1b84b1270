//! The caller of a command, and what they may do.

use uuid::Uuid;

use crate::{Refused, Unauthorised};
use owlbox_base::permissions::{Caller, Needs, Permission, Public, Roles, Scope};
use owlbox_base::values::{AccountId, PlayerId, TournamentId};
use owlbox_store::accounts;

/// A caller and their proof. The proof itself (a signature, a hash) has been checked already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    pub account: AccountId,
    pub proof: Proof,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// An access token, issued in this session at this epoch.
    AccessToken {
        /// The account's token epoch when the token was issued.
        epoch: i32,
        session: Uuid,
    },
    /// An API token that was just looked up.
    ApiToken,
    /// The link to one of this player's entries in this tournament.
    EntryLink { tournament: TournamentId, player: PlayerId },
    /// The command line on the service's own machine.
    Console,
}

impl Actor {
    /// The person at the service's own machine, who may do everything and has no account.
    pub const CONSOLE: Self = Self { account: AccountId(Uuid::nil()), proof: Proof::Console };
}

/// The permissions of a caller, read from the database and not from a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Principal {
    pub account: AccountId,
    pub player: Option<PlayerId>,
    pub roles: Roles,
    /// Set for callers with the link to an entry: they have no roles, and no access beyond this tournament.
    pub link: Option<TournamentId>,
}

/// What a caller may do in the club: by their own roles, and as everybody.
#[derive(Clone, Copy, Debug)]
pub struct Rights {
    /// The caller; `None` without a login.
    pub principal: Option<Principal>,
    public: Public,
}

impl Rights {
    #[must_use]
    pub const fn new(principal: Option<Principal>, public: Public) -> Self {
        Self { principal, public }
    }

    /// Whether the caller has the permission, or everybody has.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        let caller = self.principal.map_or(Caller::Public, |principal| Caller::SignedIn(principal.roles));
        caller.may(permission, self.public)
    }

    /// Refuses unless the caller has the permission, or everybody has.
    ///
    /// # Errors
    /// [`Refused::Forbidden`]; [`Unauthorised::Missing`] without a login.
    pub fn require(&self, permission: Permission) -> Result<(), Refused> {
        match (self.may(permission), self.principal) {
            (true, _) => Ok(()),
            (false, Some(_)) => Err(Refused::Forbidden(permission)),
            (false, None) => Err(Unauthorised::Missing.into()),
        }
    }
}

impl Principal {
    pub(crate) const CONSOLE: Self =
        Self { account: Actor::CONSOLE.account, player: None, roles: Roles::ALL, link: None };

    /// The principal of an actor whose account has this standing, if their proof is still valid.
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

    /// Refuses unless the roles include `permission`.
    ///
    /// # Errors
    /// [`Refused::Forbidden`].
    pub fn require(&self, permission: Permission) -> Result<(), Refused> {
        if owlbox_base::permissions::allows(self.roles, permission) {
            Ok(())
        } else {
            Err(Refused::Forbidden(permission))
        }
    }

    /// Refuses unless `scope` covers an act of `player`; `needs` names the permission to report.
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
