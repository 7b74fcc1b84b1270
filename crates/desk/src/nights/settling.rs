//! Settling up a whole night: one act that makes the payments of the night's sheet at all of its tables.
//!
//! People hand each other the fewest payments that settle all tables together. The books of every table
//! record the part of it that settles that table ([`share_out`]), so that afterwards each sheet is even by
//! itself. It is a single act on all these tables: it happens at all of them or at none, and is undone the
//! same way.
//!
//! Games in progress do not count yet, and their results would be owed anew, so a night with a game in
//! progress cannot be settled. Players who leave early are paid at their own table.
//!
//! The payments are computed beside the writer, and made only if the tables have not changed since.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use crate::commands::acts::events_in;
use crate::commands::metrics::{COMMANDS, SETTLE_NIGHT};
use crate::commands::pipeline::{carry_through, outcome};
use crate::commands::subject::{Plan, StreamPlan};
use crate::nights::debts::NightDebts;
use crate::people::players::called_on;
use crate::{Allowed, Desk, Done, PlayingTable, Receipt, Refused, Request, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{Act, ActKind, Stream, UndoEntry, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::permissions::scopes::Area;
use owlbox_base::values::{ActId, ChouetteId, Payment, PlayerId};
use owlbox_books::ledger::Unit;
use owlbox_books::ledger::settle_up::{Balances, settle_up, share_out};
use owlbox_chouette::{Chouette, Command, Event, EventKind};
use owlbox_store::{AnyConnection, StoreError, chouettes as stored, journal};

/// How often the payments are computed again because tables have moved on.
const TRIES: usize = 5;

/// A night that was settled up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SettledNight {
    /// The act, which is the same at every table.
    pub act: ActId,
    /// The payments between players, largest first.
    pub payments: Vec<Payment>,
    /// The payments in each table's books.
    pub tables: Vec<SettledTable>,
    /// The names of the players.
    pub names: BTreeMap<PlayerId, String>,
}

/// A table of a night that was settled up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SettledTableBody))]
pub struct SettledTable {
    pub id: ChouetteId,
    /// The name of the table.
    pub name: String,
    /// The version of the table after the act.
    pub version: Version,
    /// The payments booked at this table.
    pub payments: Vec<Payment>,
}

/// The payments made at a table that can still be undone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaymentsMade {
    /// Whether some of them settled the whole night. Those can only be undone at all of its tables at once.
    pub by_night: bool,
    /// The payment of the newest act, if that is a single payment.
    pub newest: Option<Payment>,
}

/// The payments of a night, computed from tables at these versions.
struct Worked {
    payments: Vec<Payment>,
    playing: Vec<(ChouetteId, String)>,
    /// Every table of the night that plays for the unit, with its version and the payments to record there.
    tables: BTreeMap<ChouetteId, (Version, Vec<Payment>)>,
}

impl Desk {
    /// Makes the payments of the night's sheet in `unit` at all of its tables. With `seen`, only if they are
    /// exactly those payments.
    ///
    /// # Errors
    /// `games_in_progress`, `nothing_owed`, `sheet_changed`, or another refusal of the desk.
    pub async fn settle_night(
        &self,
        request: Request,
        night: NaiveDate,
        unit: Unit,
        seen: Option<Vec<Payment>>,
    ) -> Result<SettledNight, Refused> {
        // Its payments are made at the night's tables.
        self.principal(&request.actor).await?.require_at(Area::Table, Permission::RecordPayments)?;
        let mut tries = 1;
        let done = loop {
            let worked = Worked::new(&self.debts_of_night(night, unit).await?)?;
            let seen = seen.clone();
            let done = self.carry_out(request.clone(), move |unit| {
                unit.principal.require_at(Area::Table, Permission::RecordPayments)?;
                worked.carry_out(unit, seen.as_deref())
            });
            match done.await {
                // A table has moved on since the payments were computed.
                Err(Refused::Stale { .. }) if tries < TRIES => tries += 1,
                done => break done,
            }
        };
        metrics::counter!(COMMANDS, "kind" => SETTLE_NIGHT, "outcome" => outcome(&done)).increment(1);
        let (stream, version) = match done? {
            Done::Now(receipt) | Done::Before(receipt) => (receipt.stream, receipt.version),
        };
        self.read(move |connection| settled_by(connection, stream, version)).await
    }

    /// The payments made at a table that can still be undone.
    ///
    /// # Errors
    /// The store failed.
    pub async fn payments_made(
        &self,
        id: ChouetteId,
        stream: &Stream<Chouette>,
    ) -> Result<PaymentsMade, Refused> {
        let is_payment = |entry: &UndoEntry<EventKind>| entry.kind == EventKind::Paid;
        let newest = stream.undoable().newest().filter(|entry| is_payment(entry)).map(|entry| entry.id);
        let acts = stream.undoable().newest_first().filter(|entry| is_payment(entry));
        let acts: Vec<ActId> = acts.map(|entry| entry.id).collect();
        self.read(move |connection| {
            let by_night = !journal::acts_in_other_streams(connection, id.0, &acts)?.is_empty();
            let events = match newest {
                Some(act) => events_in::<Chouette>(connection, id.0, act)?,
                None => Vec::new(),
            };
            let newest = match events.as_slice() {
                [event] => payment(event),
                _ => None,
            };
            Ok(PaymentsMade { by_night, newest })
        })
        .await
    }
}

fn payment(event: &Event) -> Option<Payment> {
    let Event::Paid { payer, payee, amount } = event else { return None };
    Some(Payment { payer: *payer, payee: *payee, amount: *amount })
}

impl Worked {
    fn new(night: &NightDebts) -> Result<Self, Refused> {
        let payments = night.debts.settling.payments.clone();
        let balances: Vec<Balances> = night.tables.iter().map(|table| table.balances.clone()).collect();
        let shares = share_out(&balances, &payments).map_err(|error| unbalanced(&error))?;
        let playing = night.tables.iter().filter(|table| table.playing);
        Ok(Self {
            payments,
            playing: playing.map(|table| (table.id, table.name.clone())).collect(),
            tables: night
                .tables
                .iter()
                .map(|table| table.id)
                .zip(night.tables.iter().map(|table| table.version).zip(shares))
                .collect(),
        })
    }

    /// Refuses if games are in progress, or if the payments are not those the caller has seen.
    fn check(&self, seen: Option<&[Payment]>) -> Result<(), Refused> {
        if !self.playing.is_empty() {
            let tables =
                self.playing.iter().map(|(table, name)| PlayingTable { name: name.clone(), table: *table });
            return Err(Refused::Rule(Rule {
                code: Code::GamesInProgress,
                field: None,
                allowed: Some(Allowed::Tables(tables.collect())),
                detail: "games of the night are still in progress".to_owned(),
            }));
        }
        if seen.is_some_and(|seen| seen != self.payments) {
            return Err(Refused::Rule(Rule {
                code: Code::SheetChanged,
                field: Some("payments"),
                allowed: Some(Allowed::Payments(self.payments.clone())),
                detail: "the payments that settle the night have changed".to_owned(),
            }));
        }
        Ok(())
    }

    /// Records each table's payments there. Refuses if they are not those that were `seen`, or nobody owes
    /// anything.
    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        seen: Option<&[Payment]>,
    ) -> Result<(Receipt, Receipt), Refused> {
        let mut tables = Vec::new();
        for (&id, (version, payments)) in &self.tables {
            let before = unit.load::<Chouette>(id.0)?;
            UnitOfWork::expect(&before, Some(*version))?;
            tables.push((id, before, payments));
        }
        // Only now is it sure that they were computed from the tables as they are.
        self.check(seen)?;
        let mut parts = Vec::new();
        for (id, before, payments) in tables.into_iter().filter(|(.., payments)| !payments.is_empty()) {
            let pay =
                |paid: &Payment| Command::Pay { payer: paid.payer, payee: paid.payee, amount: paid.amount };
            let commands: Vec<Command> = payments.iter().map(pay).collect();
            let kind = unit.decide_all(&before.state, &commands)?;
            // No limit on the stream's length: such payments run out by themselves, since there are none
            // where nothing is owed.
            parts.push(StreamPlan { id, before, kind, limit: Version::MAX });
        }
        let mut parts = parts.into_iter();
        let here = parts.next();
        let here =
            here.ok_or_else(|| Refused::rule(Code::NothingOwed, None, "nobody owes anybody anything"))?;
        let (receipt, _) = carry_through(unit, Plan { here, others: parts.collect() }, 200)?;
        Ok((receipt, receipt))
    }
}

fn unbalanced(why: &impl ToString) -> Refused {
    Refused::rule(Code::Unbalanced, None, why.to_string())
}

/// The result of the act that brought `stream` to `version`, read from the journals of all its tables.
fn settled_by(
    connection: &mut AnyConnection,
    stream: Uuid,
    version: Version,
) -> Result<SettledNight, Refused> {
    let newest = journal::acts_before(connection, stream, version + 1, 1)?;
    let act = newest.first().and_then(|act| act.first()).ok_or(Refused::NotFound("chouette"))?.act;
    let others = journal::acts_in_other_streams(connection, stream, &[act])?;
    let streams: BTreeSet<Uuid> = others.into_keys().chain([stream]).collect();
    let mut tables = Vec::new();
    for id in streams {
        let entries = journal::entries_of(connection, id, act)?;
        let acts = journal::group::<Chouette>(&entries).map_err(StoreError::from)?;
        let Some(Act { kind: ActKind::Events(events), version, .. }) = acts.into_iter().next() else {
            continue;
        };
        let id = ChouetteId(id);
        let name = stored::find(connection, id.0)?.ok_or(Refused::NotFound("chouette"))?.name;
        tables.push(SettledTable {
            id,
            name,
            version,
            payments: events.iter().filter_map(payment).collect(),
        });
    }
    let mut through = Balances::new();
    for paid in tables.iter().flat_map(|table| &table.payments) {
        *through.entry(paid.payer).or_default() -= paid.amount;
        *through.entry(paid.payee).or_default() += paid.amount;
    }
    let payments = settle_up(&through).map_err(|error| unbalanced(&error))?.payments;
    let names = called_on(connection, through.into_keys())?;
    Ok(SettledNight { act, payments, tables, names })
}
