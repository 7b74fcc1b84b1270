//! Plans of commands to chouettes: the events at every table involved, before anything is written. The act
//! and its preview share this code.
//!
//! Splitting a table opens another one. Merging a table into another closes the first and seats its players
//! at the second. Either is a single act on two tables, and undo and redo apply to both or to neither.

use std::collections::BTreeSet;
use std::sync::Arc;

use uuid::Uuid;

use super::seats::someone_may_sit_down;
use super::{CommandBatch, Order, has_room, is_secret, no_preview};
use crate::commands::bounds::{ActQuota, KindFilter, LengthAllowance, left_in_reserve, within_own_share};
use crate::commands::plan_context::PlanContext;
use crate::commands::subject::{Plan, StreamPlan};
use crate::{Allowed, Refused, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{ActKind, InTheWay, Stream, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, ActId, ChouetteId, PlayerId};
use owlbox_books::ledger::Source;
use owlbox_chouette::{self as chouette, Chouette, Command, Elsewhere, Event, EventKind, Phase};
use owlbox_store::{AnyConnection, books, journal};

/// The share of undo and redo by a player for themselves, which could go on forever.
const GO_ON_FOR_EVER: ActQuota<EventKind> = ActQuota::repeated(|_| false);

/// The kinds of events that count against the reserve for corrections.
const PUT_RIGHT: KindFilter<EventKind> = KindFilter { are: EventKind::puts_right, history: true };

/// Locks all tables an order touches if it touches several, always in the same order, so that two orders
/// cannot deadlock. The tables an act shares are read before they are locked; if another act comes in
/// between, PostgreSQL has one of the two retried.
pub(crate) fn lock(unit: &mut UnitOfWork<'_, '_>, id: ChouetteId, order: &Order) -> Result<(), Refused> {
    let mut tables = match order {
        Order::Command(Command::MergeInto { table }) => {
            // The plan checks this too, but only once both tables are locked.
            unit.principal.require(Permission::RunChouette)?;
            BTreeSet::from([table.0])
        }
        Order::History(history) if !unit.desk().inner.store.is_sole_writer() => {
            let seen = unit.load_unlocked::<Chouette>(id.0)?;
            match history.act_kind(&seen) {
                Ok(kind) => others_of(unit.transaction.connection()?, id, &kind)?,
                // The plan refuses it with the reason, after it has checked who asks.
                Err(_) => return Ok(()),
            }
        }
        Order::History(_) | Order::Command(_) => return Ok(()),
    };
    tables.insert(id.0);
    tables.into_iter().try_for_each(|table| unit.load::<Chouette>(table).map(drop))
}

/// Whether an order changes no other table. Undo and redo can take other tables along.
pub(crate) fn changes_one(order: &Order) -> bool {
    match order {
        Order::History(_) => false,
        Order::Command(command) => command.aspects().elsewhere == Elsewhere::Nothing,
    }
}

/// The plan of `order` at table `id`. `own`: the caller may only act for themselves; `account` is theirs.
///
/// # Errors
/// Refusals of the rules or the desk at any of the tables.
pub(crate) fn plan(
    around: &mut impl PlanContext,
    id: ChouetteId,
    before: &Arc<Stream<Chouette>>,
    order: &Order,
    own: bool,
    account: AccountId,
) -> Result<Plan<Chouette>, Refused> {
    let (kind, others) = match order {
        Order::History(history) => {
            let kind = history.act_kind(before)?;
            let others = taken_along(around, id, &kind)?;
            (kind, others)
        }
        Order::Command(command) => {
            if matches!(command, Command::MergeInto { table } if *table == id) {
                return Err(Refused::rule(
                    Code::SameTable,
                    Some("table"),
                    "a table cannot be merged into itself",
                ));
            }
            has_room(command, before.version, around.limit())?;
            someone_may_sit_down(around, id, &before.state, command)?;
            let kind = around.decide(&before.state, std::slice::from_ref(command))?;
            let others = match command.aspects().elsewhere {
                Elsewhere::Opens { players, table: Some(table), name } => {
                    vec![split_off(around, id, &before.state, table, name, players)?]
                }
                Elsewhere::Seats(table) => seated_at(around, table, &before.state.present())?,
                Elsewhere::Opens { table: None, .. } | Elsewhere::Nothing => Vec::new(),
            };
            (kind, others)
        }
    };
    if own && matches!(order, Order::History(_)) {
        let adds = GO_ON_FOR_EVER.added_by(&kind);
        within_own_share(around, id.0, account, GO_ON_FOR_EVER, adds, 0)?;
    }
    let reaches = order.reaches(own);
    let mut limit = reaches.limit(around.limit());
    if reaches == LengthAllowance::Reserve {
        let left = left_in_reserve(around, id.0, before.version, account, PUT_RIGHT)?;
        limit = limit.max(before.version + left);
    }
    Ok(Plan { here: StreamPlan { id, before: Arc::clone(before), kind, limit }, others })
}

/// The plan of commands given at once, in order, as a single act. No other table is involved.
///
/// # Errors
/// The first refusal by the rules.
pub(crate) fn plan_together<S: PlanContext>(
    around: &mut S,
    id: ChouetteId,
    before: &Arc<Stream<Chouette>>,
    together: &CommandBatch,
) -> Result<Plan<Chouette>, Refused> {
    if S::PREVIEW && together.commands().iter().any(|command| is_secret(&before.state, command)) {
        return Err(no_preview());
    }
    for command in together.commands() {
        has_room(command, before.version, around.limit())?;
    }
    let kind = around.decide(&before.state, together.commands())?;
    let limit = if together.winds_up() { Version::MAX } else { around.limit() };
    Ok(StreamPlan { id, before: Arc::clone(before), kind, limit }.into())
}

/// The undo or redo at other tables that have the act in common with table `id`.
fn taken_along(
    around: &mut impl PlanContext,
    id: ChouetteId,
    kind: &ActKind<Event>,
) -> Result<Vec<StreamPlan<Chouette>>, Refused> {
    let (ActKind::Undo(acts) | ActKind::Redo(acts)) = kind else { return Ok(Vec::new()) };
    let shared = journal::acts_in_other_streams(around.connection()?, id.0, acts)?;
    let mut parts = Vec::new();
    for (table, acts) in shared {
        let table = ChouetteId(table);
        let before = around.stream::<Chouette>(table.0)?;
        let kind = match kind {
            ActKind::Undo(_) => before.undo_with(&acts).map(ActKind::Undo),
            ActKind::Events(_) | ActKind::Redo(_) => before.redo_with(&acts).map(ActKind::Redo),
        };
        let kind = kind.map_err(|InTheWay(acts)| moved_on(table, before.state.name(), &acts))?;
        if kind.versions() == 0 {
            continue;
        }
        let is_all = matches!(&kind, ActKind::Undo(acts) if acts.len() == before.effective().len());
        if is_all && books::has_transactions(around.connection()?, Source::Chouette(table))? {
            // The postings there have been reversed but stay in the books, so the table must stay too.
            return Err(moved_on(table, before.state.name(), &[]));
        }
        parts.push(StreamPlan { id: table, before, kind, limit: Version::MAX });
    }
    Ok(parts)
}

/// The act belongs to another table as well, and later acts there are in the way.
fn moved_on(table: ChouetteId, name: &str, acts: &[ActId]) -> Refused {
    let detail = if acts.is_empty() {
        "the act opened another table, and its games are in the books: merge that table into this one"
    } else {
        "the act belongs to another table too, and later acts there depend on it"
    };
    Refused::Rule(Rule {
        code: Code::OtherTableMovedOn,
        field: Some("act"),
        allowed: Some(Allowed::OtherTable { acts: acts.to_vec(), name: name.to_owned(), table }),
        detail: detail.to_owned(),
    })
}

/// The new table of those who split off.
fn split_off(
    around: &mut impl PlanContext,
    from: ChouetteId,
    old: &Chouette,
    table: ChouetteId,
    name: &str,
    players: &[PlayerId],
) -> Result<StreamPlan<Chouette>, Refused> {
    let opening = Command::Open {
        name: name.to_owned(),
        night: old.night(),
        stake: old.stake(),
        rules: old.rules().clone(),
        from: Some(from),
    };
    let joining = players.iter().map(|&player| Command::Join { player });
    let commands: Vec<Command> = std::iter::once(opening).chain(joining).collect();
    let empty = Arc::new(Stream::default());
    let kind = around.decide(&empty.state, &commands)?;
    Ok(StreamPlan { id: table, before: empty, kind, limit: around.limit() })
}

/// Seats the players of a merged table at table `table`, in their order. Empty if there are none.
fn seated_at(
    around: &mut impl PlanContext,
    table: ChouetteId,
    players: &[PlayerId],
) -> Result<Vec<StreamPlan<Chouette>>, Refused> {
    let before: Arc<Stream<Chouette>> = around.find(table, None)?;
    if before.state.phase() == Phase::Closed {
        return Err(about_the_table(chouette::Refusal::Closed.into()));
    }
    if players.is_empty() {
        return Ok(Vec::new());
    }
    let commands: Vec<Command> = players.iter().map(|&player| Command::Join { player }).collect();
    let kind = around.decide(&before.state, &commands).map_err(about_the_table)?;
    Ok(vec![StreamPlan { id: table, before, kind, limit: Version::MAX }])
}

/// Reports a refusal of the other table under the field `table`.
fn about_the_table(refused: Refused) -> Refused {
    refused.about("table")
}

/// The other tables involved in the acts that an undo or redo names.
fn others_of(
    connection: &mut AnyConnection,
    id: ChouetteId,
    kind: &ActKind<Event>,
) -> Result<BTreeSet<Uuid>, Refused> {
    match kind {
        ActKind::Undo(acts) | ActKind::Redo(acts) => {
            Ok(journal::acts_in_other_streams(connection, id.0, acts)?.into_keys().collect())
        }
        ActKind::Events(_) => Ok(BTreeSet::new()),
    }
}
