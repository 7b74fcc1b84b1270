//! Who may give which command at a table: for themselves, for anybody, or not at all.
//!
//! Which roles may give a command, and for whom, is in the club's permission table ([`OrderKind::scope`]).
//! This module says whose act a command is, with the same answer for commands given and commands offered.

use super::Order;
use crate::access::principal::Rights;
use crate::{Desk, Principal, Refused};
use owlbox_base::journal::Stream;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::permissions::scopes::Area;
use owlbox_base::permissions::{OrderKind, Permission, Scope};
use owlbox_base::values::PlayerId;
use owlbox_chouette::{Chouette, Command, CommandKind, Legal, Side, Speaks};
use owlbox_engine::game::{Action, ActionKind};

/// The party a command speaks for. What others have to enter on the board is nobody's own.
fn speaks(command: &Command) -> Speaks {
    if let Command::Board { action, .. } = command
        && (!is_own_on_board(action.kind()) || enters_dice(action))
    {
        return Speaks::ForTable;
    }
    command.aspects().speaks
}

/// The player whose act it is, in this state of the table: the box, the acting captain, or the one who
/// decides for the player named. `None` if it is not one player's to give.
fn acting(speaks: Speaks, chouette: &Chouette) -> Option<PlayerId> {
    let player = match speaks {
        Speaks::For(player) => player,
        Speaks::ForSide(Side::Box) => chouette.box_player()?,
        Speaks::ForSide(Side::Team) => chouette.acting_captain()?,
        Speaks::AboutTie => chouette.game().filter(|game| game.tie_waits)?.box_player,
        Speaks::ForTable => return None,
    };
    Some(chouette.decides_for(player))
}

/// Whether the one who rolls for a side may do this alone. Dice thrown and agreements made at the table are
/// for the scorer to enter, and nobody resigns for a side alone.
const fn is_own_on_board(action: ActionKind) -> bool {
    use ActionKind::{Pass, Play, RejectResignation, Roll, RollOpening};
    matches!(action, RollOpening | Roll | Play | Pass | RejectResignation)
}

/// Whether the dice of this action are entered by hand rather than drawn.
const fn enters_dice(action: &Action) -> bool {
    matches!(action, Action::RollOpening { dice: Some(_) } | Action::Roll { dice: Some(_) })
}

/// The viewer for whom a table is redacted.
pub(crate) fn viewer(rights: &Rights) -> Viewer {
    Viewer {
        sees_points: rights.may(Permission::ViewStandings),
        sees_payments: rights.may(Permission::ViewPayments),
        ..Viewer::default()
    }
}

impl Desk {
    /// The viewer for whom a table is redacted, if this is the caller.
    ///
    /// # Errors
    /// The store failed.
    pub async fn viewer_at_table(&self, principal: Option<&Principal>) -> Result<Viewer, Refused> {
        Ok(viewer(&self.rights_of(principal.copied()).await?))
    }
}

/// Refuses unless the caller may give this order.
///
/// # Errors
/// Refusals of the permission table.
pub(crate) fn require(
    principal: &Principal,
    before: &Stream<Chouette>,
    order: &Order,
) -> Result<(), Refused> {
    let acting = match order {
        // Players may undo and redo acts of their own account.
        Order::History(history) if history.is_of(principal.account, before) => principal.player,
        Order::History(_) => None,
        Order::Command(command) => acting(speaks(command), &before.state),
    };
    let kind = order.kind::<CommandKind>();
    let scope = kind.scope(principal.at(Area::Table));
    principal.require_scope((Area::Table, scope), kind.needs(), acting)
}

/// The legal commands the caller may give; none without a principal.
#[must_use]
pub(crate) fn legal_for(chouette: &Chouette, principal: Option<&Principal>) -> Vec<Legal> {
    let Some(principal) = principal else { return Vec::new() };
    let mut legal = chouette.legal();
    legal.retain_mut(|legal| {
        let (kind, speaks) = legal.aspects();
        match OrderKind::from(kind).scope(principal.at(Area::Table)) {
            Scope::Anybody => true,
            Scope::Nobody => false,
            Scope::Oneself => {
                if let Legal::Board { action, .. } = legal {
                    action.retain(|kind| is_own_on_board(*kind));
                }
                let nothing_left = matches!(legal, Legal::Board { action, .. } if action.is_empty());
                let acting = acting(speaks, chouette);
                !nothing_left && acting.is_some() && acting == principal.player
            }
        }
    });
    legal
}
