//! The implementation of `Subject` for matches and money sessions, in a tournament or friendly.

use std::sync::Arc;

use crate::commands::plan_context::{PlanContext, PreviewContext};
use crate::commands::subject::{Change, Plan, Preview, Subject, ToLock, Visible};
use crate::matches::{NewMatch, Order, derive, opening, plan, scope};
use crate::subjects::sheets;
use crate::subjects::sheets::OnSheet;
use crate::{Actor, Desk, Principal, Refused, UnitOfWork};
use owlbox_base::journal::{Aggregate as _, HistoryKind, Stream};
use owlbox_base::permissions::scopes::Area;
use owlbox_base::permissions::{Permission, Scope};
use owlbox_base::values::{MatchId, TournamentId};
use owlbox_play::matches::{Command, CommandKind, Sheet};
use owlbox_play::tournament::Tournament;

/// The tournament of a match, as far as it is in memory. It stays the same.
fn tournament_of(desk: &Desk, id: MatchId) -> Option<TournamentId> {
    let known = desk.inner.memory.stream::<Sheet>(id.0)?;
    Some(known.state.tournament_match()?.tournament)
}

impl Subject for Sheet {
    type New = NewMatch;

    fn opening(unit: &mut UnitOfWork<'_, '_>, _: MatchId, new: NewMatch) -> Result<Vec<Command>, Refused> {
        unit.principal.require_at(Area::Match(None), Permission::RunMatch)?;
        Ok(vec![opening(unit, new)?])
    }

    /// What is said or decided at a tournament's match changes its tournament, which is locked before it, as
    /// by the director. That is, if it is known to be a tournament's; otherwise the two can deadlock, and one
    /// is tried again.
    fn lock(unit: &mut UnitOfWork<'_, '_>, id: MatchId, _: &Order) -> Result<(), Refused> {
        let of = tournament_of(unit.desk(), id).filter(|_| !unit.desk().inner.store.is_sole_writer());
        of.map_or(Ok(()), |tournament| unit.load::<Tournament>(tournament.0).map(drop))
    }

    fn foreseen(desk: &Desk, id: MatchId, order: &Order) -> Option<ToLock> {
        plan::is_brief(order).then(|| {
            let of = tournament_of(desk, id).map(|tournament| (tournament.0, Tournament::KIND));
            of.into_iter().chain([(id.0, Self::KIND)]).collect()
        })
    }

    fn plan<S: PlanContext>(
        around: &mut S,
        principal: &Principal,
        id: MatchId,
        before: &Arc<Stream<Self>>,
        order: Order,
    ) -> Result<Plan<Self>, Refused> {
        let of = before.state.tournament_match();
        let tournament = of.map(|of| around.load_unlocked::<Tournament>(of.tournament.0)).transpose()?;
        let here = tournament.map_or(*principal, |stream| scope::at_sheet_of(*principal, &stream.state));
        scope::require(&here, before, &order)?;
        let own = order.kind::<CommandKind>().scope(here.at(scope::area(&before.state))) == Scope::Oneself;
        let order = sheets::as_said(around, &here, &before.state, order)?;
        let by = scope::who(&here, &before.state);
        plan::plan(around, id, before, &order, own, by, here.account).map(Plan::from)
    }

    /// Includes the consequences at the match's tournament.
    fn follow(unit: &mut UnitOfWork<'_, '_>, changes: &[Change<Self>]) -> Result<(), Refused> {
        for change in changes {
            derive::derive(unit, change)?;
            let sheet = [&*change.before, &*change.after];
            sheets::inform_tournament(unit, OnSheet { id: change.id, sheet, kind: &change.act.kind })?;
        }
        Ok(())
    }

    fn would_follow(
        beside: &mut PreviewContext<'_>,
        principal: &Principal,
        preview: &Preview<Self>,
    ) -> Result<(), Refused> {
        for previewed in preview.all() {
            let after = &previewed.after;
            let sheet = [&*previewed.before, &*after.stream];
            sheets::at_tournament(beside, principal, OnSheet { id: after.id, sheet, kind: &after.act.kind })?;
        }
        Ok(())
    }

    /// Those who may see the tournament may see its matches. All others are for those who may see tables, and
    /// money sessions for those of them who may see points.
    async fn visible(desk: &Desk, actor: Option<&Actor>, id: MatchId) -> Result<Visible<Self>, Refused> {
        let stream = desk.find::<Self>(id).await;
        let Some(of) = stream.as_ref().ok().and_then(|stream| stream.state.tournament_match()) else {
            let rights = desk.rights(actor).await?;
            rights.require(Permission::ViewTables)?;
            let stream = stream?;
            // A money session is nothing but what its players win and lose.
            if stream.state.terms().is_some_and(|terms| terms.length().is_none()) {
                rights.require(Permission::ViewStandings)?;
            }
            let viewer = scope::viewer(rights.principal.as_ref(), None);
            return Ok(Visible { stream, principal: rights.principal, viewer });
        };
        let (tournament, principal) = desk.visible::<Tournament>(actor, of.tournament).await?;
        let viewer = scope::viewer(principal.as_ref(), Some(&tournament.state));
        let principal = principal.map(|principal| scope::at_sheet_of(principal, &tournament.state));
        Ok(Visible { stream: stream?, principal, viewer })
    }

    async fn steps(
        desk: &Desk,
        stream: &Stream<Self>,
        principal: &Principal,
        kind: HistoryKind,
    ) -> Result<usize, Refused> {
        let tournament = match stream.state.tournament_match() {
            Some(of) => Some(desk.find::<Tournament>(of.tournament).await?),
            None => None,
        };
        Ok(scope::steps(principal, stream, tournament.as_deref(), kind))
    }
}
