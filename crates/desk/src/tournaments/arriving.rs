//! Somebody at the door: they join side pools, pay what they owe and are here, as one act.

use serde::{Deserialize, Serialize};

use super::{LENGTH, Order, scope};
use crate::commands::plan_context::PlanContext as _;
use crate::commands::subject::{StreamAfter, StreamPlan};
use crate::{Desk, Refused, Request, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{ActKind, Aggregate as _};
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::entry::Entry;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::settings::Fee;
use owlbox_play::tournament::{Command, CommandKind, Refusal, Tournament};

/// What somebody does who comes to the door. A player who is not here yet is checked in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Arrival {
    /// The side pools that the entry plays for, counted from 0. Without it they stay as they are.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 8))]
    pub side_pools: Option<Vec<u8>>,
    /// They pay everything that they owe the tournament, the stakes of pools that they join now included:
    /// what they owed before that, in minor units, as it was seen. It is refused if they owe something else
    /// by now. Without it no payment is recorded.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<u64>, maximum = 1_000_000_000, example = 6000))]
    pub owed: Option<Fee>,
}

impl Desk {
    /// Carries out what somebody does at the door as a single act, which is undone as a whole. Needs the
    /// permission of each part.
    ///
    /// # Errors
    /// Refusals of the rules or the desk; `debt_changed` if the player does not owe what was seen,
    /// `nothing_changes` if they are here already and there is nothing to pay.
    pub async fn arrive(
        &self,
        request: Request,
        id: TournamentId,
        division: DivisionNo,
        number: EntryNo,
        arrival: Arrival,
    ) -> Result<StreamAfter<Tournament>, Refused> {
        let expected = request.expected;
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            let before = unit.find::<Tournament>(id, expected)?;
            let of = before.state.division(division).ok_or(Refused::NotFound("division"))?;
            let entry = of.entry(number).ok_or(Refused::NotFound("entry"))?;
            let may = |unit: &UnitOfWork<'_, '_>, command: &Command| {
                scope::require(&unit.principal, &before, &Order::Command(command.clone()), unit.now)
            };
            let comes = Command::CheckIn { division, entries: vec![number], here: true };
            may(unit, &comes)?;
            let mut commands = Vec::new();
            let joins = arrival.side_pools.clone().filter(|side_pools| !plays_for(entry, side_pools));
            commands.extend(joins.map(|side_pools| Command::JoinPools {
                division,
                entry: number,
                side_pools,
            }));
            commands.extend((!entry.checked_in).then_some(comes));
            commands.iter().try_for_each(|command| may(unit, command))?;
            if let Some(owed) = arrival.owed {
                before.state.owes_as_seen(entry.player, owed).map_err(of_owed)?;
                let paid = pays(unit, &before.state, &commands, entry.player)?;
                paid.iter().try_for_each(|command| may(unit, command))?;
                commands.extend(paid);
            }
            if commands.is_empty() {
                let detail = "they are here already, and there is nothing to pay";
                return Err(Refused::rule(Code::NothingChanges, Some("entry"), detail));
            }
            let kind = unit.decide_all(&before.state, &commands)?;
            Ok(StreamPlan { id, before, kind, limit: LENGTH }.into())
        };
        self.give(request, CommandKind::CheckIn.into(), 200, None, plan).await
    }
}

/// The payment of everything that a player owes after `commands`; `None` if that is nothing.
fn pays(
    unit: &mut UnitOfWork<'_, '_>,
    before: &Tournament,
    commands: &[Command],
    player: PlayerId,
) -> Result<Option<Command>, Refused> {
    let mut after = before.clone();
    if let ActKind::Events(events) = unit.decide_all(before, commands)? {
        events.iter().for_each(|event| after.apply(event, unit.now));
    }
    let amount = after.owed_by(player).map_err(of_owed)?;
    Ok((amount != Fee::NONE).then_some(Command::PayIn { player, amount, account: None }))
}

/// Whether an entry plays for these side pools and no others.
fn plays_for(entry: &Entry, side_pools: &[u8]) -> bool {
    (0..=u8::MAX).all(|pool| entry.is_in_pool(pool) == side_pools.contains(&pool))
}

/// A refusal of the rules for payments, of what was seen to be owed.
fn of_owed(refusal: Refusal) -> Refused {
    Refused::from(refusal).about("owed")
}
