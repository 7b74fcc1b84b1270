//! A person's own: all data about them ([`person`]), their erasure ([`erasure`]), and who of the staff has
//! read their ledger ([`readings`]).

pub mod erasure;
pub mod person;
pub mod readings;

use crate::{Principal, Refused};
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;

/// Refuses unless it is the caller's own, or they may handle everybody's.
pub(crate) fn require_own(principal: &Principal, player: PlayerId) -> Result<(), Refused> {
    let own = principal.player == Some(player);
    principal.require(if own { Permission::ManageOwnAccount } else { Permission::ManagePersonalData })
}

#[cfg(test)]
mod tests;
