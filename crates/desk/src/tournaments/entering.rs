//! Entering by name: whoever is not known to the club is a guest of it from then on. One unit of work, so that what is refused leaves
//! nobody behind.

use std::collections::BTreeSet;

use super::{LENGTH, Order, derive, prepared, scope};
use crate::clubs::CLUB;
use crate::subject::{Answer, Change, Part};
use crate::surroundings::Surroundings as _;
use crate::{Desk, Refused, Request, UnitOfWork};
use owlbox_domain::club::players::{PlayerDetails, PlayerName};
use owlbox_domain::club::{self, Club};
use owlbox_domain::journal::ActKind;
use owlbox_domain::tournament::command::NewEntry;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::tournament::{Command, CommandKind, Tournament};
use owlbox_domain::values::{ActId, PlayerId, TournamentId};
use owlbox_store::{StoreError, journal, players};

impl Desk {
    /// Enters players into a division by their names, for who may enter anybody. Who is named twice, or has entered before,
    /// enters once; guests are added as an act of its own. When the entries are taken back, they go with them, unless something
    /// else has come to speak of them.
    ///
    /// # Errors
    /// What the rules or the desk refuse; `bad_list` if nobody is left who has not entered.
    pub async fn enter_by_name(
        &self,
        request: Request,
        id: TournamentId,
        division: DivisionNo,
        entrants: Vec<Entrant>,
    ) -> Result<Answer<Tournament>, Refused> {
        let expected = request.expected;
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            let before = unit.find::<Tournament>(id, expected)?;
            // Of nobody in particular: who may enter himself alone adds no guests.
            let anybody = Order::Command(Command::Enter { division, entries: Vec::new() });
            scope::require(&unit.principal, &before, &anybody, unit.now)?;
            let of = before.state.division(division).ok_or(Refused::NotFound("division"))?;
            let named = named(unit, &entrants)?;
            let mut entries: Vec<NewEntry> = Vec::new();
            for player in named {
                if of.entry_of(player).is_none() && entries.iter().all(|entry| entry.player != player) {
                    entries.push(NewEntry { player, side_pools: Vec::new() });
                }
            }
            let command = Command::Enter { division, entries };
            let command = prepared(unit, &before.state, &command)?;
            let kind = unit.decide(&before.state, &command)?;
            Ok(Part { id, before, kind, limit: LENGTH }.into())
        };
        self.give(request, CommandKind::Enter.into(), 200, plan).await
    }
}

/// Who is to enter: somebody whom the club knows, or whoever has this name, a guest if nobody has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    Player(PlayerId),
    Named(PlayerName),
}

fn named(unit: &mut UnitOfWork<'_, '_>, entrants: &[Entrant]) -> Result<Vec<PlayerId>, Refused> {
    let mut meant = Vec::with_capacity(entrants.len());
    for entrant in entrants {
        meant.push(match entrant {
            Entrant::Player(player) => *player,
            Entrant::Named(name) => match players::find_by_name(unit.transaction.connection, &name.key())? {
                Some(player) => player,
                None => unit.apart(|unit| unit.add_guest(PlayerDetails::named(name.clone())))?,
            },
        });
    }
    unit.bring_back(&meant.iter().copied().collect())?;
    Ok(meant)
}

/// Guests who were added to be entered go when that is taken back, and come again when it is put back.
///
/// # Errors
/// The store failed.
pub(super) fn guests_follow(
    unit: &mut UnitOfWork<'_, '_>,
    change: &Change<Tournament>,
) -> Result<(), Refused> {
    let id = change.id;
    let players = derive::named(&change.effects);
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

/// The guests who were added when this act entered them: at the same moment, by the same account.
fn guests_of(unit: &mut UnitOfWork<'_, '_>, id: TournamentId, act: ActId) -> Result<Vec<PlayerId>, Refused> {
    let connection = &mut *unit.transaction.connection;
    let Some(entry) = journal::entries_of(connection, id.0, act)?.into_iter().next() else {
        return Ok(Vec::new());
    };
    let added = journal::written_at(connection, CLUB, "player_added", (entry.account, entry.at))?;
    let acts = journal::group::<Club>(&added).map_err(StoreError::from)?;
    let events = acts.into_iter().flat_map(|act| match act.kind {
        ActKind::Events(events) => events,
        ActKind::Undo(_) | ActKind::Redo(_) => Vec::new(),
    });
    Ok(events
        .filter_map(|event| {
            let club::Event::PlayerAdded { player, guest: true } = event else { return None };
            Some(player)
        })
        .collect())
}
