//! Who may give which command to a match: for their own side of their own match, for anybody, or not at all.
//!
//! Which roles may give a command is in the club's permission table ([`OrderKind::scope`]). This module says
//! which side a command speaks for, with the same answer for commands given and commands offered.

use super::Order;
use crate::commands::history::steps_for;
use crate::subjects::sheets;
use crate::{Principal, Refused, tournaments};
use owlbox_base::journal::shared::Viewer;
use owlbox_base::journal::{HistoryKind, Stream, UndoEntries, UndoEntry};
use owlbox_base::permissions::scopes::Area;
use owlbox_base::permissions::{OrderKind, Role, Scope};
use owlbox_base::values::PlayerId;
use owlbox_play::matches::{CommandAspect, CommandKind, EnteredBy, EventKind, Legal, OfferedTo, Sheet, Slot};
use owlbox_play::tournament::Tournament;

/// The player whose act a command is: that of its side, or the caller if it speaks for no side and they are
/// one of the two players.
fn acting(sheet: &Sheet, side: Option<Slot>, asker: Option<PlayerId>) -> Option<PlayerId> {
    match side {
        Some(slot) => sheet.player(slot),
        None => asker.filter(|asker| sheet.slot_of(*asker).is_some()),
    }
}

/// Where a permission at this match is used.
pub(crate) fn area(sheet: &Sheet) -> Area {
    Area::Match(sheet.tournament_match().map(|of| of.tournament))
}

/// The caller's part in the match: one of the two players, whatever their roles, or a scorer.
pub(crate) fn who(principal: &Principal, sheet: &Sheet) -> EnteredBy {
    principal.player.and_then(|player| sheet.slot_of(player)).into()
}

/// Whether the caller plays in this match and it is a friendly one. In a tournament a director may play and
/// still judge.
#[must_use]
pub fn is_party(principal: &Principal, sheet: &Sheet) -> bool {
    sheet.tournament_match().is_none() && who(principal, sheet) != EnteredBy::Scorer
}

/// Whether an act of somebody else judges the match. The other side cannot contest such an act, so no party
/// to the match may undo or redo it.
fn is_judged_by_others(entry: &UndoEntry<EventKind>, principal: &Principal) -> bool {
    entry.by != principal.account && entry.kind.judges()
}

/// How many of these acts, newest first, a party to the match may undo or redo. Their own contest is theirs
/// to undo; a contest by the other side and a ruling are not.
fn steps_of_a_party(principal: &Principal, entries: UndoEntries<'_, EventKind>) -> usize {
    entries.newest_first().take_while(|entry| !is_judged_by_others(entry, principal)).count()
}

/// How many of the newest acts the caller may undo or redo at once. Leaves out acts that the tournament would
/// refuse to undo, and rulings on the caller's own match.
pub(crate) fn steps(
    principal: &Principal,
    stream: &Stream<Sheet>,
    tournament: Option<&Stream<Tournament>>,
    kind: HistoryKind,
) -> usize {
    let entries = stream.undo_entries(kind);
    let mut most = steps_for::<Sheet>(scope_of(kind, &stream.state, principal), entries, principal);
    if is_party(principal, &stream.state) {
        most = most.min(steps_of_a_party(principal, entries));
    }
    match tournament {
        Some(tournament) if most > 0 => sheets::steps(principal, stream, tournament, most, kind),
        Some(_) | None => most,
    }
}

/// Whether an order judges the match. Correcting an entry that nobody contests is no judgement: either side
/// may do it if they may run matches, and the other can contest the result.
fn judges(principal: &Principal, before: &Stream<Sheet>, order: &Order) -> bool {
    match order {
        Order::Command(command) => is_judgement(command.into(), &before.state),
        Order::History(history) => {
            let (entries, steps) = history.reach_into(before);
            steps_of_a_party(principal, entries) < steps.acts().min(entries.len())
        }
    }
}

/// Whether such a command judges this match.
fn is_judgement(kind: CommandKind, sheet: &Sheet) -> bool {
    kind.has(CommandAspect::Judging) || kind == CommandKind::Correct && sheet.is_contested()
}

/// The scope of a command at this sheet. A party to the match contests for themselves only. The clock of a
/// tournament's match, which its division may require, is set by those who run it.
fn scope_here(kind: OrderKind<CommandKind>, sheet: &Sheet, principal: &Principal) -> Scope {
    match (kind, kind.scope(principal.at(area(sheet)))) {
        (OrderKind::Command(CommandKind::Contest | CommandKind::WithdrawContest), Scope::Anybody)
            if is_party(principal, sheet) =>
        {
            Scope::Oneself
        }
        (OrderKind::Command(CommandKind::SetClock), Scope::Oneself) if sheet.tournament_match().is_some() => {
            Scope::Nobody
        }
        (_, scope) => scope,
    }
}

/// Refuses unless the caller may give this order.
///
/// # Errors
/// Refusals of the permission table; [`Refused::OwnMatch`] for a party to the match who would judge it.
pub(crate) fn require(principal: &Principal, before: &Stream<Sheet>, order: &Order) -> Result<(), Refused> {
    let sheet = &before.state;
    let acting = match order {
        // Players may undo and redo acts of their own account in their own match.
        Order::History(history) if history.is_of(principal.account, before) => {
            acting(sheet, None, principal.player)
        }
        Order::History(_) => None,
        Order::Command(command) => acting(sheet, command.side(), principal.player),
    };
    let kind = order.kind::<CommandKind>();
    let scope = scope_here(kind, sheet, principal);
    principal.require_scope((area(sheet), scope), kind.needs(), acting)?;
    if is_party(principal, sheet) && judges(principal, before, order) {
        return Err(Refused::OwnMatch);
    }
    Ok(())
}

/// The caller's principal at the sheets of a tournament: an account named as its director has that role
/// there. A link to an entry does not carry it.
#[must_use]
pub(crate) fn at_sheet_of(principal: Principal, tournament: &Tournament) -> Principal {
    if tournament.directors.contains(&principal.account) && principal.link.is_none() {
        principal.with(Role::Director)
    } else {
        principal
    }
}

/// The viewer for whom a sheet is redacted: at a tournament's the same as for the tournament itself. Anyone
/// who sees a friendly match sees who entered what.
#[must_use]
pub fn viewer(principal: Option<&Principal>, tournament: Option<&Tournament>) -> Viewer {
    match tournament {
        Some(tournament) => tournaments::scope::viewer(principal, tournament),
        None => Viewer { sees_accounts: true, sees_payments: principal.is_some(), ..Viewer::default() },
    }
}

/// The scope of a command at a match; nobody's if the caller may only act for themselves and plays in another
/// match.
#[must_use]
pub fn scope_of(kind: impl Into<OrderKind<CommandKind>>, sheet: &Sheet, principal: &Principal) -> Scope {
    match scope_here(kind.into(), sheet, principal) {
        Scope::Oneself if acting(sheet, None, principal.player).is_none() => Scope::Nobody,
        scope @ (Scope::Nobody | Scope::Oneself | Scope::Anybody) => scope,
    }
}

/// The legal commands the caller may give; none without a principal.
#[must_use]
pub(crate) fn legal_for(sheet: &Sheet, principal: Option<&Principal>) -> Vec<Legal> {
    let Some(principal) = principal else { return Vec::new() };
    let own = principal.player.and_then(|player| sheet.slot_of(player));
    let mut legal = sheet.legal();
    legal.retain_mut(|legal| {
        let (kind, offered_to) = legal.aspects();
        if is_party(principal, sheet) && is_judgement(kind, sheet) {
            return false;
        }
        match scope_of(kind, sheet, principal) {
            Scope::Anybody => true,
            Scope::Oneself => own.is_some_and(|own| is_offered(offered_to, own, sheet)),
            Scope::Nobody => false,
        }
    });
    legal
}

/// Restricts a legal command to what speaks for this side. Returns whether anything is left.
fn is_offered(to: OfferedTo<'_>, own: Slot, sheet: &Sheet) -> bool {
    match to {
        OfferedTo::Either => true,
        OfferedTo::One(slot) => slot == own,
        OfferedTo::Each(sides) => {
            sides.retain(|slot| *slot == own);
            !sides.is_empty()
        }
        OfferedTo::Unheard => sheet.claim().is_none_or(|(by, _)| by != own),
    }
}
