//! Plans of commands to matches: the events on the sheet, before anything is written. The act and its preview
//! share this code.
//!
//! An act on a sheet may belong to a tournament as well; `crate::subjects::sheets` handles that.

use std::sync::Arc;

use super::Order;
use crate::commands::bounds::{
    ActQuota, KindFilter, LengthAllowance, left_in_reserve, room_for_a_game, within_own_share,
};
use crate::commands::plan_context::PlanContext;
use crate::commands::subject::StreamPlan;
use crate::{Refused, Rule};
use owlbox_base::code::Code;
use owlbox_base::journal::{ActKind, Stream, Version};
use owlbox_base::permissions::OrderKind;
use owlbox_base::values::{AccountId, MatchId};
use owlbox_play::matches::{
    Allowed, Command, CommandAspect, CommandKind, EnteredBy, Event, EventKind, Sheet,
};

/// The kinds of events that count against the reserve for [corrections](Order::puts_right) and contests.
const PUT_RIGHT: KindFilter<EventKind> = KindFilter { are: EventKind::puts_right, history: true };

/// The [share](ActQuota) of the sheet that an order counts against, if its giver may only act for themselves.
fn quota_of(order: &Order) -> Option<ActQuota<EventKind>> {
    let endless = ActQuota::repeated(EventKind::goes_on_for_ever);
    match order.kind::<CommandKind>() {
        OrderKind::History(_) => Some(endless),
        OrderKind::Command(kind) if kind.has(CommandAspect::Endless) => Some(endless),
        OrderKind::Command(kind) => {
            kind.has(CommandAspect::Result).then(|| ActQuota::entered(EventKind::is_result))
        }
    }
}

/// Whether an order is over soon, so that others can wait for it.
pub(crate) fn is_brief(order: &Order) -> bool {
    match order {
        Order::History(_) => false,
        Order::Command(command) => !CommandKind::from(command).has(CommandAspect::Long),
    }
}

/// Whether it is the first contest of a line. These are limited by the number of lines the other player
/// enters, and that player must not be able to use them up.
fn contests_first(order: &Order, sheet: &Sheet) -> bool {
    matches!(order, Order::Command(Command::Contest { game, .. }) if sheet.was_never_contested(*game))
}

/// Refuses a player's own order that would exceed their share of the sheet. First contests do not count.
fn within_shares(
    around: &mut impl PlanContext,
    id: MatchId,
    before: &Stream<Sheet>,
    order: &Order,
    kind: &ActKind<Event>,
    by: EnteredBy,
    account: AccountId,
) -> Result<(), Refused> {
    let Some(quota) = quota_of(order).filter(|_| !contests_first(order, &before.state)) else {
        return Ok(());
    };
    let excused = if quota.counts(EventKind::Contested) { by.side() } else { None };
    let excused = excused.map_or(0, |side| before.state.first_contests(side));
    let adds = quota.added_by(kind);
    within_own_share(around, id.0, account, quota, adds, excused.into())
}

/// The plan of `order` on match `id`. `own`: the caller may only act for themselves; `by` is their part in
/// the match.
///
/// # Errors
/// Refusals of the rules or the desk.
pub(crate) fn plan(
    around: &mut impl PlanContext,
    id: MatchId,
    before: &Arc<Stream<Sheet>>,
    order: &Order,
    own: bool,
    by: EnteredBy,
    account: AccountId,
) -> Result<StreamPlan<Sheet>, Refused> {
    order.has_room(before.version, around.limit())?;
    let kind = match order {
        Order::History(history) => history.act_kind(before)?,
        Order::Command(command) => {
            let given = Command::GivenBy { by, command: Box::new(command.clone()) };
            around.decide(&before.state, &[given])?
        }
    };
    if own {
        within_shares(around, id, before, order, &kind, by, account)?;
    }
    let reaches =
        if contests_first(order, &before.state) { LengthAllowance::End } else { order.reaches(own) };
    let mut limit = reaches.limit(around.limit());
    if reaches == LengthAllowance::Reserve {
        let left = left_in_reserve(around, id.0, before.version, account, PUT_RIGHT)?;
        limit = limit.max(before.version + left);
    }
    Ok(StreamPlan { id, before: Arc::clone(before), kind, limit })
}

impl Order {
    /// How far into the stream it may reach. `own`: the caller may only act for themselves.
    fn reaches(&self, own: bool) -> LengthAllowance {
        let kind = match self {
            Self::Command(command) => CommandKind::from(command),
            Self::History(_) if own => return LengthAllowance::Length,
            Self::History(_) => return LengthAllowance::Reserve,
        };
        // Filling the sheet must not keep anybody from contesting it; contests have a share of their own.
        let contests = matches!(kind, CommandKind::Contest | CommandKind::WithdrawContest);
        if kind == CommandKind::Board {
            LengthAllowance::Game
        } else if kind.has(CommandAspect::WindingUp) {
            // A full stream must not leave a match stuck.
            LengthAllowance::End
        } else if contests || !own && kind.has(CommandAspect::PuttingRight) {
            LengthAllowance::Reserve
        } else {
            LengthAllowance::Length
        }
    }

    /// Refuses to start a refereed game in a stream that has no room left for it.
    fn has_room(&self, version: Version, length_limit: Version) -> Result<(), Refused> {
        let begins = matches!(self, Self::Command(Command::StartBoard { .. }));
        if !begins || room_for_a_game(version, length_limit) {
            return Ok(());
        }
        Err(Refused::Rule(Rule {
            code: Code::MatchTooLong,
            field: None,
            allowed: Some(
                Allowed::Commands(&[CommandKind::Game, CommandKind::Final, CommandKind::Close]).into(),
            ),
            detail: "the sheet's stream is nearly full: no new refereed game can begin".into(),
        }))
    }
}
