//! Who may give which command to a tournament: for themselves, for anybody, or not at all.
//!
//! Which roles may give a command is in the club's permission table ([`OrderKind::scope`]). The accounts
//! named as directors of a tournament may do everything there, like the club's directors.

use super::Order;
use crate::{Principal, Refused};
use owlbox_base::journal::Stream;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::permissions::scopes::Area;
use owlbox_base::permissions::{OrderKind, Permission, Role, Scope};
use owlbox_base::values::Timestamp;
use owlbox_play::tournament::command::NewEntry;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// For whom the caller may give a command to this tournament.
#[must_use]
pub fn scope(
    principal: &Principal,
    tournament: &Tournament,
    kind: impl Into<OrderKind<CommandKind>>,
) -> Scope {
    let kind = kind.into();
    if let Some(link) = principal.link {
        let may = link == tournament.id && kind == CommandKind::Report.into();
        return if may { Scope::Oneself } else { Scope::Nobody };
    }
    kind.scope(here(principal, tournament).at(Area::Tournament(tournament.id)))
}

/// The caller at this tournament, which may name them as a director.
fn here(principal: &Principal, tournament: &Tournament) -> Principal {
    if tournament.directors.contains(&principal.account) {
        principal.with(Role::Director)
    } else {
        *principal
    }
}

/// Why the caller may not give a command to this tournament.
pub(crate) fn refusal(
    principal: &Principal,
    tournament: &Tournament,
    kind: impl Into<OrderKind<CommandKind>>,
) -> Refused {
    here(principal, tournament).refusal(Area::Tournament(tournament.id), kind.into().needs())
}

/// Refuses an act that changed the directors, unless the caller may name them. It compares the states, since
/// an undo or redo may cover a naming among other acts.
///
/// # Errors
/// [`Refused::Forbidden`], [`Refused::OutsideScopes`].
pub(crate) fn require_for_directors(
    principal: &Principal,
    before: &Tournament,
    after: &Tournament,
) -> Result<(), Refused> {
    if before.directors == after.directors {
        return Ok(());
    }
    here(principal, before).require_at(Area::Tournament(before.id), Permission::NameDirectors)
}

/// The viewer for whom this tournament is redacted; without a login it is a passer-by. Money accounts, and
/// the logins behind acts, are shown to those who may record payments there.
#[must_use]
pub fn viewer(principal: Option<&Principal>, tournament: &Tournament) -> Viewer {
    principal.map_or_else(Viewer::default, |principal| Viewer {
        account: Some(principal.account),
        player: principal.player,
        sees_accounts: scope(&principal.to_read(), tournament, CommandKind::PayIn) == Scope::Anybody,
        sees_points: true,
        sees_payments: principal.link.is_none(),
    })
}

/// Refuses unless the caller may give `order` to this tournament now.
///
/// # Errors
/// [`Refused::Forbidden`], [`Refused::NotYours`].
pub(crate) fn require(
    principal: &Principal,
    stream: &Stream<Tournament>,
    order: &Order,
    now: Timestamp,
) -> Result<(), Refused> {
    let kind = order.kind::<CommandKind>();
    match scope(principal, &stream.state, kind) {
        Scope::Anybody => Ok(()),
        Scope::Nobody => Err(refusal(principal, &stream.state, kind)),
        Scope::Oneself if is_own(principal, stream, order, now) => Ok(()),
        Scope::Oneself => Err(Refused::NotYours),
    }
}

/// Whether the order concerns the caller alone: they enter while entries are open, report their own match, or
/// undo or redo their own last acts.
fn is_own(principal: &Principal, stream: &Stream<Tournament>, order: &Order, now: Timestamp) -> bool {
    let tournament = &stream.state;
    match order {
        Order::History(history) => history.is_of(principal.account, stream),
        Order::Command(Command::Enter { division, entries }) => {
            let open = tournament.about().is_some_and(|about| about.takes_entries(now));
            let drawn = tournament.division(*division).is_none_or(Division::is_drawn);
            let is_caller = |entry: &NewEntry| principal.player == Some(entry.player);
            open && !drawn && !entries.is_empty() && entries.iter().all(is_caller)
        }
        Order::Command(Command::Report { division, entry, .. }) => {
            let of = tournament.division(*division).and_then(|division| division.entry(*entry));
            of.is_some_and(|entry| principal.player == Some(entry.player))
        }
        Order::Command(_) => false,
    }
}
