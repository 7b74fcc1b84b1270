//! Entering players by name. Names the club does not know become guests. It is one unit of work, so that a
//! refusal leaves no stray guests behind.

use std::collections::BTreeSet;

use super::{LENGTH, Order, derive, prepared, scope};
use crate::club::stream::CLUB;
use crate::commands::plan_context::PlanContext as _;
use crate::commands::subject::{Change, StreamAfter, StreamPlan};
use crate::people::players::Entrant;
use crate::{Desk, Refused, Request, UnitOfWork};
use owlbox_base::journal::{Act, ActKind};
use owlbox_base::values::{ActId, PlayerId, TournamentId};
use owlbox_books::club::{self, Club};
use owlbox_play::tournament::command::NewEntry;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::{Command, CommandKind, Tournament};
use owlbox_store::{StoreError, journal};

impl Desk {
    /// Enters players into a division by their names. Only for callers who may enter anybody. Players named
    /// twice or entered already are entered once. New guests are added in an act of their own; if the entries
    /// are undone, they are removed again, unless they have a history by then.
    ///
    /// # Errors
    /// Refusals of the rules or the desk; `bad_list` if everybody has entered already.
    pub async fn enter_by_name(
        &self,
        request: Request,
        id: TournamentId,
        division: DivisionNo,
        entrants: Vec<Entrant>,
    ) -> Result<StreamAfter<Tournament>, Refused> {
        let expected = request.expected;
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            let before = unit.find::<Tournament>(id, expected)?;
            // Without entries, so that only callers who may enter anybody pass: others must not add guests.
            let anybody = Order::Command(Command::Enter { division, entries: Vec::new() });
            scope::require(&unit.principal, &before, &anybody, unit.now)?;
            let of = before.state.division(division).ok_or(Refused::NotFound("division"))?;
            let named = find_or_add(unit, &entrants)?;
            let mut entries: Vec<NewEntry> = Vec::new();
            for player in named {
                if of.entry_of(player).is_none() && entries.iter().all(|entry| entry.player != player) {
                    entries.push(NewEntry { player, side_pools: Vec::new() });
                }
            }
            let command = Command::Enter { division, entries };
            let command = prepared(unit, &before.state, &command)?;
            let kind = unit.decide(&before.state, &command)?;
            Ok(StreamPlan { id, before, kind, limit: LENGTH }.into())
        };
        self.give(request, CommandKind::Enter.into(), 200, None, plan).await
    }
}

fn find_or_add(unit: &mut UnitOfWork<'_, '_>, entrants: &[Entrant]) -> Result<Vec<PlayerId>, Refused> {
    let meant = entrants.iter().map(|entrant| unit.find_or_add(entrant, "names", None));
    let meant = meant.collect::<Result<Vec<_>, _>>()?;
    unit.bring_back(&meant.iter().copied().collect())?;
    Ok(meant)
}

/// Removes guests added with an entry when that is undone, and brings them back when it is redone.
///
/// # Errors
/// The store failed.
pub(super) fn guests_follow(
    unit: &mut UnitOfWork<'_, '_>,
    change: &Change<Tournament>,
) -> Result<(), Refused> {
    let id = change.id;
    let players = derive::entered_players(&change.effects);
    if players.is_empty() {
        return Ok(());
    }
    match &change.act.kind {
        ActKind::Events(_) => Ok(()),
        ActKind::Redo(_) => unit.bring_back(&players),
        ActKind::Undo(acts) => {
            let mut guests = BTreeSet::new();
            for act in acts {
                guests.extend(guests_of(unit, id, *act)?);
            }
            guests.retain(|guest| players.contains(guest));
            unit.take_out_guests(&guests, id.0)
        }
    }
}

/// The guests added when this act entered them: at the same moment, by the same account.
fn guests_of(unit: &mut UnitOfWork<'_, '_>, id: TournamentId, act: ActId) -> Result<Vec<PlayerId>, Refused> {
    let connection = unit.transaction.connection()?;
    let Some(entry) = journal::entries_of(connection, id.0, act)?.into_iter().next() else {
        return Ok(Vec::new());
    };
    let added = journal::entries_written_at(connection, CLUB, "player_added", entry.account, entry.at)?;
    let acts = journal::group::<Club>(&added).map_err(StoreError::from)?;
    let events = acts.iter().flat_map(Act::events);
    Ok(events
        .filter_map(|event| {
            let club::Event::PlayerAdded { player, guest: true } = event else { return None };
            Some(*player)
        })
        .collect())
}
