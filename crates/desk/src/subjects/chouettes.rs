//! The implementation of `Subject` for chouettes.

use std::sync::Arc;

use uuid::Uuid;

use crate::chouettes::screen::steps_at;
use crate::chouettes::seats::{Moved, seats_are_free};
use crate::chouettes::{
    NewChouette, Order, check_chosen, derive, is_secret, no_preview, opening, plan, scope,
};
use crate::commands::plan_context::{PlanContext, PreviewContext};
use crate::commands::subject::{Change, Plan, Preview, Subject, ToLock, Visible};
use crate::{Actor, Desk, Principal, Refused, UnitOfWork};
use owlbox_base::journal::{Aggregate as _, HistoryKind, Stream};
use owlbox_base::permissions::scopes::Area;
use owlbox_base::permissions::{Permission, Scope};
use owlbox_base::values::ChouetteId;
use owlbox_chouette::{Chouette, Command, CommandKind};

impl Subject for Chouette {
    type New = NewChouette;

    /// The night is the current one in the club's time zone.
    fn opening(
        unit: &mut UnitOfWork<'_, '_>,
        _: ChouetteId,
        new: NewChouette,
    ) -> Result<Vec<Command>, Refused> {
        unit.principal.require(Permission::OpenChouette)?;
        Ok(vec![opening(unit, new)?])
    }

    fn lock(unit: &mut UnitOfWork<'_, '_>, id: ChouetteId, order: &Order) -> Result<(), Refused> {
        plan::lock(unit, id, order)
    }

    fn foreseen(_: &Desk, id: ChouetteId, order: &Order) -> Option<ToLock> {
        plan::changes_one(order).then(|| vec![(id.0, Self::KIND)])
    }

    fn plan<S: PlanContext>(
        around: &mut S,
        principal: &Principal,
        id: ChouetteId,
        before: &Arc<Stream<Self>>,
        order: Order,
    ) -> Result<Plan<Self>, Refused> {
        scope::require(principal, before, &order)?;
        check_chosen(&order)?;
        if S::PREVIEW && matches!(&order, Order::Command(command) if is_secret(&before.state, command)) {
            return Err(no_preview());
        }
        let own = order.kind::<CommandKind>().scope(principal.at(Area::Table)) == Scope::Oneself;
        let order = order.with_table(ChouetteId(Uuid::now_v7()));
        plan::plan(around, id, before, &order, own, principal.account)
    }

    fn follow(unit: &mut UnitOfWork<'_, '_>, changes: &[Change<Self>]) -> Result<(), Refused> {
        derive::derive(unit, changes)
    }

    fn would_follow(
        beside: &mut PreviewContext<'_>,
        _: &Principal,
        preview: &Preview<Self>,
    ) -> Result<(), Refused> {
        let moved: Vec<Moved<'_>> = preview.all().map(Moved::from).collect();
        seats_are_free(|| Ok(&mut *beside.connection), &moved)
    }

    async fn visible(desk: &Desk, actor: Option<&Actor>, id: ChouetteId) -> Result<Visible<Self>, Refused> {
        let rights = desk.rights(actor).await?;
        rights.require(Permission::ViewTables)?;
        let stream = desk.opened_once(id).await?;
        Ok(Visible { stream, principal: rights.principal, viewer: scope::viewer(&rights) })
    }

    async fn steps(
        _: &Desk,
        stream: &Stream<Self>,
        principal: &Principal,
        kind: HistoryKind,
    ) -> Result<usize, Refused> {
        Ok(steps_at(stream, principal, kind))
    }
}
