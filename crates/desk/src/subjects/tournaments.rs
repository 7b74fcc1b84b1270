//! The implementation of `Subject` for tournaments.

use std::sync::Arc;

use crate::commands::history::steps_for;
use crate::commands::plan_context::{PlanContext, PreviewContext};
use crate::commands::subject::{Change, Plan, Preview, StreamPlan, Subject, ToLock, Visible};
use crate::subjects::sheets;
use crate::tournaments::{
    LENGTH, NewTournament, Order, currency_in_use, derive, is_brief, no_preview, not_too_often, opening,
    prepared, scope,
};
use crate::{Actor, Desk, Principal, Refused, UnitOfWork};
use owlbox_base::journal::{Aggregate as _, HistoryKind, Stream};
use owlbox_base::permissions::Permission;
use owlbox_base::values::TournamentId;
use owlbox_play::tournament::{Command, Tournament};

impl Subject for Tournament {
    type New = NewTournament;

    fn opening(
        unit: &mut UnitOfWork<'_, '_>,
        id: TournamentId,
        new: NewTournament,
    ) -> Result<Vec<Command>, Refused> {
        unit.principal.require(Permission::RunTournaments)?;
        currency_in_use(unit, &new.about)?;
        opening::commands(unit, id, new)
    }

    fn foreseen(_: &Desk, id: TournamentId, order: &Order) -> Option<ToLock> {
        is_brief(order).then(|| vec![(id.0, Self::KIND)])
    }

    fn plan<S: PlanContext>(
        around: &mut S,
        principal: &Principal,
        id: TournamentId,
        before: &Arc<Stream<Self>>,
        order: Order,
    ) -> Result<Plan<Self>, Refused> {
        scope::require(principal, before, &order, around.now())?;
        let kind = match &order {
            Order::History(history) => history.act_kind(before)?,
            Order::Command(command) => {
                let is_drawn = matches!(
                    command,
                    Command::Draw { .. } | Command::DrawLastChance { .. } | Command::SeatByLot { .. }
                );
                if S::PREVIEW && is_drawn {
                    return Err(no_preview());
                }
                not_too_often(around, principal, before, command)?;
                let command = prepared(around, &before.state, command)?;
                around.decide(&before.state, &[command])?
            }
        };
        Ok(StreamPlan { id, before: Arc::clone(before), kind, limit: LENGTH }.into())
    }

    /// Includes the consequences for the sheets of its matches.
    fn follow(unit: &mut UnitOfWork<'_, '_>, changes: &[Change<Self>]) -> Result<(), Refused> {
        for change in changes {
            scope::require_for_directors(&unit.principal, &change.before.state, &change.after.state)?;
            derive(unit, change)?;
            sheets::follow(unit, change, None)?;
        }
        Ok(())
    }

    /// The sheets can always follow their tournament.
    fn would_follow(
        _: &mut PreviewContext<'_>,
        principal: &Principal,
        preview: &Preview<Self>,
    ) -> Result<(), Refused> {
        let here = &preview.here;
        scope::require_for_directors(principal, &here.before.state, &here.after.stream.state)
    }

    /// Everybody may see a public tournament, only people with a login a private one.
    async fn visible(desk: &Desk, actor: Option<&Actor>, id: TournamentId) -> Result<Visible<Self>, Refused> {
        let stream = desk.find::<Self>(id).await;
        let public =
            stream.as_ref().is_ok_and(|stream| stream.state.about().is_some_and(|about| about.public));
        let principal = match (actor, public) {
            (Some(actor), _) => Some(desk.principal(actor).await?),
            (None, true) => None,
            // Without a login a private tournament looks the same as a missing one.
            (None, false) => desk.require(None, Permission::ViewTournaments).await?,
        };
        if let (Some(principal), false) = (&principal, public)
            && principal.link != Some(id)
        {
            principal.require(Permission::ViewTournaments)?;
        }
        let stream = stream?;
        let viewer = scope::viewer(principal.as_ref(), &stream.state);
        Ok(Visible { stream, principal, viewer })
    }

    async fn steps(
        _: &Desk,
        stream: &Stream<Self>,
        principal: &Principal,
        kind: HistoryKind,
    ) -> Result<usize, Refused> {
        let scope = scope::scope(principal, &stream.state, kind);
        Ok(steps_for::<Self>(scope, stream.undo_entries(kind), principal))
    }
}
