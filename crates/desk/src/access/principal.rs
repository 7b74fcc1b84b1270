//! The caller of a command, and what they may do.

use uuid::Uuid;

use crate::{Refused, Unauthorised};
use owlbox_base::permissions::scopes::{Area, LocalPowers, Powers, TokenScopes};
use owlbox_base::permissions::{Needs, Permission, Public, Role, Roles, Scope, allows_public};
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
    ApiToken {
        /// What it may be used for; `None` for everything that its login may do.
        scopes: Option<TokenScopes>,
    },
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
    pub powers: Powers,
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
        // Signing in never takes away what the public may see.
        self.principal.is_some_and(|principal| principal.may(permission))
            || allows_public(self.public, permission)
    }

    /// Refuses unless the caller has the permission, or everybody has.
    ///
    /// # Errors
    /// [`Refused::Forbidden`]; [`Unauthorised::Missing`] without a login.
    pub fn require(&self, permission: Permission) -> Result<(), Refused> {
        match (self.may(permission), self.principal) {
            (true, _) => Ok(()),
            (false, Some(principal)) => principal.require(permission),
            (false, None) => Err(Unauthorised::Missing.into()),
        }
    }
}

impl Principal {
    pub(crate) const CONSOLE: Self = Self::of_login(Actor::CONSOLE.account, None, Roles::ALL);

    /// Somebody with these roles who came with no token that takes some away.
    #[must_use]
    pub const fn of_login(account: AccountId, player: Option<PlayerId>, roles: Roles) -> Self {
        Self { account, player, powers: Powers::new(roles, None), link: None }
    }

    /// Somebody who came with the link to an entry of this player.
    pub(crate) const fn of_link(account: AccountId, player: PlayerId, tournament: TournamentId) -> Self {
        let powers = Powers::new(Roles::NONE, None);
        Self { account, player: Some(player), powers, link: Some(tournament) }
    }

    /// The principal of an actor whose account has this standing, if their proof is still valid.
    pub(crate) fn from_account(
        actor: &Actor,
        standing: Option<accounts::AccountStanding>,
    ) -> Result<Self, Refused> {
        let scopes = match actor.proof {
            Proof::Console => return Ok(Self::CONSOLE),
            Proof::EntryLink { tournament, player } => {
                return Ok(Self::of_link(actor.account, player, tournament));
            }
            Proof::AccessToken { .. } => None,
            Proof::ApiToken { scopes } => scopes,
        };
        let standing = standing.filter(|standing| standing.active).ok_or(Unauthorised::Invalid)?;
        if let Proof::AccessToken { epoch, .. } = actor.proof
            && epoch != standing.epoch
        {
            return Err(Unauthorised::Invalid.into());
        }
        let powers = Powers::new(standing.roles, scopes);
        Ok(Self { account: actor.account, player: standing.player, powers, link: None })
    }

    /// What the caller may do in this area.
    #[must_use]
    pub const fn at(&self, area: Area) -> LocalPowers {
        self.powers.at(area)
    }

    /// The same person with another role: that of a director, at a tournament that names them.
    #[must_use]
    pub(crate) fn with(self, role: Role) -> Self {
        Self { powers: self.powers.and(role), ..self }
    }

    /// The same person for deciding what they are shown: no token takes away from what its login may read.
    #[must_use]
    pub(crate) const fn to_read(self) -> Self {
        Self { powers: self.powers.to_read(), ..self }
    }

    /// Whether the caller has `permission` in no area in particular. What belongs to a match or a tournament
    /// asks [`at`](Self::at) it.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        self.at(Area::Club).allows(permission)
    }

    /// Refuses unless the caller has `permission` in no area in particular.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], [`Refused::OutsideScopes`].
    pub fn require(&self, permission: Permission) -> Result<(), Refused> {
        self.require_at(Area::Club, permission)
    }

    /// Refuses unless the caller has `permission` in this area.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], [`Refused::OutsideScopes`].
    pub(crate) fn require_at(&self, area: Area, permission: Permission) -> Result<(), Refused> {
        if self.at(area).allows(permission) {
            Ok(())
        } else {
            Err(self.refusal(area, Needs::only(permission)))
        }
    }

    /// Why the caller may not do what needs this: it is not their part, or their token's scopes leave it out.
    pub(crate) fn refusal(&self, area: Area, needs: Needs) -> Refused {
        match self.at(area).lacks(needs) {
            Some(enough) => Refused::OutsideScopes(enough),
            None => Refused::Forbidden(needs.anybody),
        }
    }

    /// Refuses unless `scope`, which the caller has in this area, covers an act of `player`; `needs` names
    /// the permission to report.
    pub(crate) fn require_scope(
        &self,
        (area, scope): (Area, Scope),
        needs: Needs,
        player: Option<PlayerId>,
    ) -> Result<(), Refused> {
        match scope {
            Scope::Anybody => Ok(()),
            Scope::Oneself if self.player.is_some() && self.player == player => Ok(()),
            Scope::Oneself => Err(Refused::NotYours),
            Scope::Nobody => Err(self.refusal(area, needs)),
        }
    }
}
