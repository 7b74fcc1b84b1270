//! What an order comes to, at every table that it touches, before anything is written: worked out by the same code
//! for the act itself and for its preview.
//!
//! A table that is split opens another, and one that goes over to another closes, while its people sit down there: one
//! act of two tables. Undo and redo take such an act back, or put it back, at all of its tables or at none.

use std::collections::BTreeSet;
use std::sync::Arc;

use uuid::Uuid;

use super::derive::sitting;
use super::{Order, Together, is_secret, no_preview};
use crate::bounds::{Kinds, Reaches, Share, left_in_reserve, within_own_share};
use crate::subject::{Change, Part, Plan, StreamPreview, Subject as _};
use crate::surroundings::Surroundings;
use crate::{Allowed, Refused, Rule, UnitOfWork};
use owlbox_domain::chouette::{self, Chouette, Command, Event, EventKind, Phase};
use owlbox_domain::code::Code;
use owlbox_domain::journal::{ActKind, InTheWay, Stream, Version};
use owlbox_domain::ledger::Source;
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::{AccountId, ActId, ChouetteId, PlayerId};
use owlbox_store::{AnyConnection, books, chouettes as stored, journal, players};

/// What a player can do of his own at a table for ever.
const GO_ON_FOR_EVER: Share<EventKind> = Share::repeated(|_| false);

/// The kinds of what reaches into what is kept for putting right.
const PUT_RIGHT: Kinds<EventKind> = Kinds { are: EventKind::puts_right, history: true };

/// The other tables that an order touches. Which acts are others' as well is read before they are taken: where another act
/// comes in between, PostgreSQL sees to it that one of the two is tried again.
pub(crate) fn touches(
    unit: &mut UnitOfWork<'_, '_>,
    id: ChouetteId,
    order: &Order,
) -> Result<BTreeSet<Uuid>, Refused> {
    match order {
        Order::Command(Command::MergeInto { table }) => {
            unit.principal.require(Permission::RunChouette)?;
            Ok(BTreeSet::from([table.0]))
        }
        Order::History(history) if !unit.desk().inner.store.is_sole_writer() => {
            let seen = unit.look::<Chouette>(id.0, Chouette::WHAT)?;
            match history.act_kind(&seen) {
                Ok(kind) => others_of(unit.transaction.connection, id, &kind),
                Err(_) => Ok(BTreeSet::new()),
            }
        }
        Order::History(_) | Order::Command(_) => Ok(BTreeSet::new()),
    }
}

/// What `order`, which is given to table `id`, comes to; whether whoever gives it may do so of his `own` alone, and who that
/// is.
///
/// # Errors
/// What the rules or the desk refuse, at any of the tables.
pub(crate) fn plan(
    around: &mut impl Surroundings,
    id: ChouetteId,
    before: &Arc<Stream<Chouette>>,
    order: &Order,
    own: bool,
    account: AccountId,
) -> Result<Plan<Chouette>, Refused> {
    order.has_room(before.version, around.limit())?;
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
                    "a table cannot go over to itself",
                ));
            }
            someone_may_sit_down(around.connection(), id, &before.state, command)?;
            let kind = around.decide(&before.state, std::slice::from_ref(command))?;
            let others = match command {
                Command::Split { players, table: Some(table), name } => {
                    vec![split_off(around, id, &before.state, *table, name, players)?]
                }
                Command::MergeInto { table } => seated_at(around, *table, &before.state.present())?,
                Command::Open { .. }
                | Command::ChangeRules { .. }
                | Command::Close { .. }
                | Command::Split { .. }
                | Command::Join { .. }
                | Command::Leave { .. }
                | Command::Break { .. }
                | Command::Return { .. }
                | Command::NameProxy { .. }
                | Command::MergePlayers { .. }
                | Command::SetStake { .. }
                | Command::SetStart { .. }
                | Command::DrawOrder { .. }
                | Command::EnterRolls { .. }
                | Command::SetOrder { .. }
                | Command::OfferPartnership { .. }
                | Command::AcceptPartnership { .. }
                | Command::DeclinePartnership { .. }
                | Command::DeclineBox { .. }
                | Command::StartGame { .. }
                | Command::OpeningTie { .. }
                | Command::Double { .. }
                | Command::Take { .. }
                | Command::Drop { .. }
                | Command::Beaver { .. }
                | Command::GiveExtra { .. }
                | Command::PassExtra { .. }
                | Command::PlayOn { .. }
                | Command::Settle { .. }
                | Command::Board { .. }
                | Command::Finish { .. }
                | Command::Correct { .. }
                | Command::Pay { .. } => Vec::new(),
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
    if reaches == Reaches::Reserve {
        let left = left_in_reserve(around, id.0, before.version, account, PUT_RIGHT)?;
        limit = limit.max(before.version + left);
    }
    Ok(Plan { here: Part { id, before: Arc::clone(before), kind, limit }, others })
}

/// What commands of several players come to, given one after the other as one act: nothing happens with it elsewhere.
///
/// # Errors
/// What the rules refuse of the first that they do.
pub(crate) fn plan_together<S: Surroundings>(
    around: &mut S,
    id: ChouetteId,
    before: &Arc<Stream<Chouette>>,
    together: &Together,
) -> Result<Plan<Chouette>, Refused> {
    if S::PREVIEW && together.commands().iter().any(|command| is_secret(&before.state, command)) {
        return Err(no_preview());
    }
    let kind = around.decide(&before.state, together.commands())?;
    let limit = if together.winds_up() { Version::MAX } else { around.limit() };
    Ok(Part { id, before: Arc::clone(before), kind, limit }.into())
}

/// What is taken back, or put back, at other tables, because it is one act with what is at table `id`.
fn taken_along(
    around: &mut impl Surroundings,
    id: ChouetteId,
    kind: &ActKind<Event>,
) -> Result<Vec<Part<Chouette>>, Refused> {
    let (ActKind::Undo(acts) | ActKind::Redo(acts)) = kind else { return Ok(Vec::new()) };
    let shared = journal::shared(around.connection(), id.0, acts)?;
    let mut parts = Vec::new();
    for (table, acts) in shared {
        let table = ChouetteId(table);
        let before = around.stream::<Chouette>(table.0, "chouette")?;
        let kind = match kind {
            ActKind::Undo(_) => before.undo_with(&acts).map(ActKind::Undo),
            ActKind::Events(_) | ActKind::Redo(_) => before.redo_with(&acts).map(ActKind::Redo),
        };
        let kind = kind.map_err(|InTheWay(acts)| moved_on(table, before.state.name(), &acts))?;
        if kind.versions() == 0 {
            continue;
        }
        let is_all = matches!(&kind, ActKind::Undo(acts) if acts.len() == before.effective().len());
        if is_all && books::knows(around.connection(), Source::Chouette(table))? {
            // What was posted there was reversed, and stays in the books; so must the table.
            return Err(moved_on(table, before.state.name(), &[]));
        }
        parts.push(Part { id: table, before, kind, limit: Version::MAX });
    }
    Ok(parts)
}

/// An act is one of another table as well, where something stands in its way.
fn moved_on(table: ChouetteId, name: &str, acts: &[ActId]) -> Refused {
    let detail = if acts.is_empty() {
        "the act opened another table, of which games are in the books: that table can go over to this one"
    } else {
        "the act is one of another table too, where later acts depend on it"
    };
    Refused::Rule(Rule {
        code: Code::OtherTableMovedOn,
        field: Some("act"),
        allowed: Some(Allowed::OtherTable { acts: acts.to_vec(), name: name.to_owned(), table }),
        detail: detail.to_owned(),
    })
}

/// The table of those who leave another for one of their own.
fn split_off(
    around: &mut impl Surroundings,
    from: ChouetteId,
    old: &Chouette,
    table: ChouetteId,
    name: &str,
    players: &[PlayerId],
) -> Result<Part<Chouette>, Refused> {
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
    Ok(Part { id: table, before: empty, kind, limit: around.limit() })
}

/// Those who leave a table sit down at this one, in their order; nothing happens there if nobody does.
fn seated_at(
    around: &mut impl Surroundings,
    table: ChouetteId,
    players: &[PlayerId],
) -> Result<Vec<Part<Chouette>>, Refused> {
    let before: Arc<Stream<Chouette>> = around.find(table, None)?;
    if before.state.phase() == Phase::Closed {
        return Err(about_the_table(chouette::Refusal::Closed.into()));
    }
    if players.is_empty() {
        return Ok(Vec::new());
    }
    let commands: Vec<Command> = players.iter().map(|&player| Command::Join { player }).collect();
    let kind = around.decide(&before.state, &commands).map_err(about_the_table)?;
    Ok(vec![Part { id: table, before, kind, limit: Version::MAX }])
}

/// A refusal of the table that the others go over to.
fn about_the_table(refused: Refused) -> Refused {
    refused.about("table")
}

/// Whether whoever sits down by this command may.
fn someone_may_sit_down(
    connection: &mut AnyConnection,
    id: ChouetteId,
    chouette: &Chouette,
    command: &Command,
) -> Result<(), Refused> {
    match command {
        Command::Join { player } => may_sit_down(connection, id, *player),
        // Whoever takes over a seat sits down.
        Command::MergePlayers { player, duplicate } if chouette.present().contains(duplicate) => {
            may_sit_down(connection, id, *player)
        }
        Command::Open { .. }
        | Command::ChangeRules { .. }
        | Command::Close { .. }
        | Command::Split { .. }
        | Command::MergeInto { .. }
        | Command::Leave { .. }
        | Command::Break { .. }
        | Command::Return { .. }
        | Command::NameProxy { .. }
        | Command::MergePlayers { .. }
        | Command::SetStake { .. }
        | Command::SetStart { .. }
        | Command::DrawOrder { .. }
        | Command::EnterRolls { .. }
        | Command::SetOrder { .. }
        | Command::OfferPartnership { .. }
        | Command::AcceptPartnership { .. }
        | Command::DeclinePartnership { .. }
        | Command::DeclineBox { .. }
        | Command::StartGame { .. }
        | Command::OpeningTie { .. }
        | Command::Double { .. }
        | Command::Take { .. }
        | Command::Drop { .. }
        | Command::Beaver { .. }
        | Command::GiveExtra { .. }
        | Command::PassExtra { .. }
        | Command::PlayOn { .. }
        | Command::Settle { .. }
        | Command::Board { .. }
        | Command::Finish { .. }
        | Command::Correct { .. }
        | Command::Pay { .. } => Ok(()),
    }
}

/// Whether a player of the club may sit down at `id`: somebody the club knows, who still comes, and
/// who sits nowhere else. (That he sits here already is for the table to say.)
fn may_sit_down(connection: &mut AnyConnection, id: ChouetteId, player: PlayerId) -> Result<(), Refused> {
    still_comes(connection, player)?;
    match stored::table_of(connection, player)? {
        Some(table) if table != id => Err(at_another_table(player, Some(table))),
        _ => Ok(()),
    }
}

/// Whether the club knows the player, and he still comes.
pub(crate) fn still_comes(connection: &mut AnyConnection, player: PlayerId) -> Result<(), Refused> {
    let row = players::hold(connection, player)?.ok_or_else(|| {
        Refused::rule(Code::UnknownPlayer, Some("player"), format!("there is no player {player}"))
    })?;
    if row.active {
        return Ok(());
    }
    Err(Refused::rule(Code::PlayerInactive, Some("player"), format!("player {player} is not active")))
}

/// A table before an act and after it.
#[derive(Clone, Copy)]
pub(crate) struct Moved<'a> {
    pub id: ChouetteId,
    pub before: &'a Chouette,
    pub after: &'a Chouette,
}

impl<'a> From<&'a Change<Chouette>> for Moved<'a> {
    fn from(change: &'a Change<Chouette>) -> Self {
        Self { id: change.id, before: &change.before.state, after: &change.after.state }
    }
}

impl<'a> From<&'a StreamPreview<Chouette>> for Moved<'a> {
    fn from(previewed: &'a StreamPreview<Chouette>) -> Self {
        let after = &previewed.after;
        Self { id: after.id, before: &previewed.before.state, after: &after.stream.state }
    }
}

/// Whether everybody who sits down somewhere by an act still comes, and sits nowhere else after it: an undo seats
/// people whom nobody has asked.
///
/// # Errors
/// `player_inactive`, `player_at_another_table`.
pub(crate) fn seats_are_free(connection: &mut AnyConnection, moved: &[Moved<'_>]) -> Result<(), Refused> {
    for Moved { id, before, after } in moved {
        let sat = sitting(before);
        for player in sitting(after).into_iter().filter(|player| !sat.contains(player)) {
            still_comes(connection, player)?;
            let Some(table) = stored::table_of(connection, player)? else { continue };
            let leaves = |other: &Moved<'_>| other.id == table && !sitting(other.after).contains(&player);
            if table != *id && !moved.iter().any(leaves) {
                return Err(at_another_table(player, Some(table)));
            }
        }
    }
    Ok(())
}

pub(crate) fn at_another_table(player: PlayerId, table: Option<ChouetteId>) -> Refused {
    Refused::Rule(Rule {
        code: Code::PlayerAtAnotherTable,
        field: Some("player"),
        allowed: table.map(Allowed::Table),
        detail: format!("player {player} sits at another table"),
    })
}

/// The other tables of the acts that an act takes back, or puts back.
pub(crate) fn others_of(
    connection: &mut AnyConnection,
    id: ChouetteId,
    kind: &ActKind<Event>,
) -> Result<BTreeSet<Uuid>, Refused> {
    match kind {
        ActKind::Undo(acts) | ActKind::Redo(acts) => {
            Ok(journal::shared(connection, id.0, acts)?.into_keys().collect())
        }
        ActKind::Events(_) => Ok(BTreeSet::new()),
    }
}
