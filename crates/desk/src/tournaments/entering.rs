//! Entering players by name. Names the club does not know become guests. It is one unit of work, so that a
//! refusal leaves no stray guests behind.

use super::{LENGTH, Order, prepared, scope};
use crate::subject::{Answer, Part};
use crate::surroundings::Surroundings as _;
use crate::{Desk, Refused, Request, UnitOfWork};
use owlbox_domain::club::players::{PlayerDetails, PlayerName};
use owlbox_domain::tournament::command::NewEntry;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::tournament::{Command, CommandKind, Tournament};
use owlbox_domain::values::{PlayerId, TournamentId};
use owlbox_store::players;

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
    ) -> Result<Answer<Tournament>, Refused> {
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
            Ok(Part { id, before, kind, limit: LENGTH }.into())
        };
        self.give(request, CommandKind::Enter.into(), 200, plan).await
    }
}

/// Somebody to enter: a known player, or a name, which makes a guest if nobody has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    Player(PlayerId),
    Named(PlayerName),
}

fn find_or_add(unit: &mut UnitOfWork<'_, '_>, entrants: &[Entrant]) -> Result<Vec<PlayerId>, Refused> {
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
