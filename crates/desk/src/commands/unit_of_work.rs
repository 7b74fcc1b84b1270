//! The unit of work of one command: everything it may see and do inside its transaction.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::books::posting as books;
use crate::books::posting::NewTransaction;
use crate::club::stream::CLUB;
use crate::reading::live::{Frame, Hint};
use crate::reading::memory::Seen;
use crate::{Actor, Desk, Dice, Idempotency, Principal, Receipt, Refused};
use owlbox_base::journal::{Act, ActKind, Aggregate, BrokenHistory, Inputs, Stream, Version, decide_all};
use owlbox_base::values::{ActId, Timestamp};
use owlbox_books::club::meant::NameIndex;
use owlbox_books::club::{Club, Settings};
use owlbox_store::idempotency::{self, ReceiptKey};
use owlbox_store::{Transaction, journal, notify};

/// The unit of work of one command.
pub struct UnitOfWork<'d, 't> {
    desk: &'d Desk,
    pub transaction: &'d mut Transaction<'t>,
    /// The caller's permissions, read in this transaction.
    pub principal: Principal,
    pub now: Timestamp,
    pub act: ActId,
    dice: Dice,
    /// What was known when the unit began.
    seen: Seen,
    /// What the acts of the unit post, with the act. Posted at its end, all at once.
    posted: Vec<(NewTransaction, ActId)>,
    /// What everybody is called, once somebody has asked.
    pub(crate) people: Option<Arc<NameIndex>>,
}

pub struct Appended<A: Aggregate> {
    /// The stream after the act.
    pub stream: Arc<Stream<A>>,
    pub act: Act<A::Event>,
    /// The effects of the act, in order, with undo and redo resolved.
    pub effects: Vec<Effect<A::Event>>,
}

/// The effect of an act with undo and redo resolved: events that happen, for the first time or again by a
/// redo, or that are undone. An undo or redo of several acts has one effect for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect<E> {
    pub events: Vec<E>,
    /// Whether the events are undone.
    pub taken_back: bool,
    /// The time at which the events first happened.
    pub at: Timestamp,
    /// The stream's version with it: the last one of an ordinary act; for an act undone or redone, that of
    /// the journal entry which names it.
    pub version: Version,
    /// The version at which the events first happened: that of the act itself, unless it undoes or redoes
    /// one.
    pub first: Version,
}

impl<E: Clone> Effect<E> {
    /// The effects of `act`, in order. `acts` are those of its stream.
    ///
    /// # Errors
    /// It names an act to undo or redo that is not an ordinary act of the stream.
    pub fn all_of(act: &Act<E>, acts: &[Act<E>]) -> Result<Vec<Self>, BrokenHistory> {
        let (named, taken_back) = match &act.kind {
            ActKind::Events(events) => {
                let events = events.clone();
                let (version, at) = (act.version, act.at);
                return Ok(vec![Self { events, taken_back: false, at, version, first: version }]);
            }
            ActKind::Undo(named) => (named, true),
            ActKind::Redo(named) => (named, false),
        };
        let first = act.version - act.kind.versions() + 1;
        let by_id: BTreeMap<ActId, &Act<E>> = acts.iter().map(|earlier| (earlier.id, earlier)).collect();
        (first..)
            .zip(named)
            .map(|(version, named)| match by_id.get(named) {
                Some(Act { kind: ActKind::Events(events), at, version: first, .. }) => {
                    Ok(Self { events: events.clone(), taken_back, at: *at, version, first: *first })
                }
                _ => Err(BrokenHistory(format!("no act {named}"))),
            })
            .collect()
    }
}

impl<'d, 't> UnitOfWork<'d, 't> {
    pub(crate) fn new(
        desk: &'d Desk,
        transaction: &'d mut Transaction<'t>,
        actor: &Actor,
    ) -> Result<Self, Refused> {
        let standing = match actor.proof {
            crate::Proof::Console | crate::Proof::EntryLink { .. } => None,
            crate::Proof::AccessToken { .. } | crate::Proof::ApiToken { .. } => {
                transaction.standing(actor.account)?
            }
        };
        Ok(Self {
            desk,
            transaction,
            principal: Principal::from_account(actor, standing)?,
            now: desk.now(),
            act: ActId(Uuid::now_v7()),
            dice: desk.dice(),
            seen: desk.inner.memory.seen(),
            posted: Vec::new(),
            people: None,
        })
    }

    #[must_use]
    pub const fn desk(&self) -> &Desk {
        self.desk
    }

    /// The receipt of an earlier command under the same key; `None` if there was none.
    pub(crate) fn receipt(&mut self, idempotency: &Idempotency) -> Result<Option<Receipt>, Refused> {
        match self.transaction.receipt(&self.place(idempotency))? {
            None => Ok(None),
            Some(record) if record.request_hash == idempotency.request_hash => {
                Ok(Some(Receipt { status: record.status, stream: record.stream, version: record.version }))
            }
            Some(_) => Err(Refused::KeyReused),
        }
    }

    fn place(&self, Idempotency { key, .. }: &Idempotency) -> ReceiptKey {
        ReceiptKey { account: self.principal.account, key: key.clone() }
    }

    pub(crate) fn keep_receipt(&mut self, idempotency: &Idempotency, receipt: Receipt) {
        let record = idempotency::StoredReceipt {
            request_hash: idempotency.request_hash.clone(),
            status: receipt.status,
            stream: receipt.stream,
            version: receipt.version,
        };
        self.transaction.keep_receipt(self.place(idempotency), record, self.now);
    }

    /// The state of a stream in this transaction, locked until its end.
    ///
    /// # Errors
    /// [`Refused::NotFound`], or the store failed.
    pub fn load<A: Aggregate>(&mut self, id: Uuid) -> Result<Arc<Stream<A>>, Refused> {
        if let Some(staged) = self.transaction.staged::<Stream<A>>(id) {
            return Ok(staged);
        }
        let head = self.transaction.lock_head(id, A::KIND)?.ok_or(Refused::NotFound(A::KIND))?;
        // Another instance may have erased somebody while this one waited for the head, which no version
        // tells.
        if !self.desk.inner.store.is_sole_writer() && id != CLUB {
            let erased = self.club_unlocked()?.state.erased();
            self.desk.inner.memory.know_erased(erased);
        }
        self.desk.at_head(self.transaction.unflushed_connection(), id, head)
    }

    /// The current state of a stream, without locking it.
    ///
    /// # Errors
    /// See [`load`](Self::load).
    pub(crate) fn load_unlocked<A: Aggregate>(&mut self, id: Uuid) -> Result<Arc<Stream<A>>, Refused> {
        self.desk.load_in(self.transaction, id)
    }

    /// Refuses unless `stream` is at the version the caller saw. Later acts that [stand
    /// aside](Stream::is_as_at), such as a player's report, do not matter.
    ///
    /// # Errors
    /// [`Refused::Stale`].
    pub fn expect<A: Aggregate>(stream: &Stream<A>, expected: Option<Version>) -> Result<(), Refused> {
        match expected {
            Some(expected) if !stream.is_as_at(expected) => Err(Refused::Stale { current: stream.version }),
            _ => Ok(()),
        }
    }

    /// The version of the stream after `kind`.
    ///
    /// # Errors
    /// [`Refused::Limit`]: it would exceed its maximum length.
    pub(crate) fn version_after<A: Aggregate>(
        before: &Stream<A>,
        kind: &ActKind<A::Event>,
        length_limit: Version,
    ) -> Result<Version, Refused> {
        let version = before.version + kind.versions();
        if version > length_limit {
            let limit = u64::try_from(length_limit).unwrap_or(0);
            return Err(Refused::Limit { what: "limits.stream_length", limit });
        }
        Ok(version)
    }

    /// The events of `command` on `state`.
    ///
    /// # Errors
    /// Refusals of the rules.
    pub fn decide<A: Aggregate>(
        &mut self,
        state: &A,
        command: &A::Command,
    ) -> Result<ActKind<A::Event>, A::Refusal> {
        let mut inputs = Inputs { now: self.now, chance: &mut self.dice };
        state.decide(command, &mut inputs).map(ActKind::Events)
    }

    /// The events of `commands`, carried out one after the other on `state`.
    ///
    /// # Errors
    /// The first refusal by the rules.
    pub fn decide_all<A: Aggregate>(
        &mut self,
        state: &A,
        commands: &[A::Command],
    ) -> Result<ActKind<A::Event>, A::Refusal> {
        let mut inputs = Inputs { now: self.now, chance: &mut self.dice };
        decide_all(state, commands, &mut inputs).map(ActKind::Events)
    }

    /// Does something as an act of its own, which is not undone together with that of the unit.
    pub(crate) fn apart<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let of_the_unit = std::mem::replace(&mut self.act, ActId(Uuid::now_v7()));
        let done = act(self);
        self.act = of_the_unit;
        done
    }

    /// Appends `kind` to a stream. Later commands of the same batch see it at once; the cache and listeners
    /// get it after the commit.
    ///
    /// # Errors
    /// The stream would exceed its maximum length, or the store failed.
    pub fn append<A: Aggregate>(
        &mut self,
        id: Uuid,
        before: &Arc<Stream<A>>,
        kind: ActKind<A::Event>,
        length_limit: Version,
    ) -> Result<Appended<A>, Refused> {
        let version = Self::version_after(before, &kind, length_limit)?;
        let act = Act { id: self.act, version, at: self.now, by: self.principal.account, kind };
        let entries = self.transaction.append::<A>(id, before.version, &act)?;
        let appended = self.after::<A>(id, before, act)?;
        let stream = &appended.stream;
        self.transaction.stage(id, Arc::clone(stream));
        self.announce(id, Arc::clone(stream), Frame::new(before.version, entries));
        Ok(appended)
    }

    /// The stream after `act`, with the effects of the act.
    fn after<A: Aggregate>(
        &mut self,
        id: Uuid,
        before: &Stream<A>,
        act: Act<A::Event>,
    ) -> Result<Appended<A>, Refused> {
        let broken = owlbox_store::StoreError::from;
        let (stream, effects) = if let ActKind::Events(_) = &act.kind {
            let mut stream = before.clone();
            stream.extend(&act).map_err(broken)?;
            (stream, Effect::all_of(&act, &[]))
        } else {
            // `connection` writes what is pending first, so the journal has this act too.
            let acts = journal::acts::<A>(self.transaction.connection()?, id, act.version)?;
            (Stream::replay(&acts).map_err(broken)?, Effect::all_of(&act, &acts))
        };
        Ok(Appended { stream: Arc::new(stream), act, effects: effects.map_err(broken)? })
    }

    /// Has these transactions posted at the end of the unit, as those of its act.
    pub(crate) fn post(&mut self, transactions: impl IntoIterator<Item = NewTransaction>) {
        let act = self.act;
        self.posted.extend(transactions.into_iter().map(|new| (new, act)));
    }

    /// Has posted what the unit's acts post. The end of the books is locked from when it is written until the
    /// commit, so nothing else should follow.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) fn close_books(&mut self) -> Result<(), Refused> {
        let posted = std::mem::take(&mut self.posted);
        if posted.is_empty() {
            return Ok(());
        }
        let settings = self.settings_unlocked()?;
        let now = self.now;
        let to_post = |(new, act): (NewTransaction, ActId)| {
            books::to_post(&new, books::Posted { act, at: now }, |at| settings.night_of(at))
        };
        let all = posted.into_iter().map(to_post).collect();
        self.transaction.post(all, settings.night_of(now));
        Ok(())
    }

    /// The club's settings; the default ones before it is set up.
    pub(crate) fn settings_unlocked(&mut self) -> Result<Settings, Refused> {
        Ok(self.club_unlocked()?.state.settings().cloned().unwrap_or_default())
    }

    /// The state of the club, without locking it; empty before it is set up.
    pub(crate) fn club_unlocked(&mut self) -> Result<Arc<Stream<Club>>, Refused> {
        match self.load_unlocked::<Club>(CLUB) {
            Err(Refused::NotFound(_)) => Ok(Arc::default()),
            found => found,
        }
    }

    fn announce<A: Aggregate>(&mut self, id: Uuid, stream: Arc<Stream<A>>, frame: Frame) {
        let (desk, seen) = (self.desk.clone(), self.seen);
        self.transaction.after_commit(move || {
            desk.inner.memory.keep_current(id, stream, seen);
            desk.inner.hub.tell(id, Hint::Act(frame));
        });
    }

    /// Removes all accounts and proofs from the caches of all instances, after the commit.
    ///
    /// # Errors
    /// The store failed.
    pub fn forget_standings(&mut self) -> Result<(), Refused> {
        self.desk.forget_proofs(self.transaction)
    }

    /// Removes all names from the caches of all instances, after the commit.
    ///
    /// # Errors
    /// The store failed.
    pub fn forget_names(&mut self) -> Result<(), Refused> {
        notify::notify_names_changed(self.transaction.connection()?)?;
        let desk = self.desk.clone();
        self.transaction.after_commit(move || desk.inner.memory.names.forget());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::Request;
    use crate::fixture::{Db, Fixture, code};
    use owlbox_base::code::Code;
    use owlbox_books::club::players::PlayerDetails;

    use super::*;

    #[rstest]
    #[tokio::test]
    async fn what_a_unit_has_appended_is_seen_by_it_and_by_nobody_if_it_fails(
        #[values(Db::Sqlite, Db::Postgres)] db: Db,
    ) {
        let Some((fixture, admin)) = Fixture::open(db).await else { return };
        let before = fixture.desk.stream::<Club>(CLUB).await.unwrap().version;
        let failed = fixture.desk.carry_out(Request::by(admin), move |unit| -> Result<(_, ()), _> {
            unit.add_guest(PlayerDetails::named("Ada".parse().unwrap()))?;
            assert_eq!(unit.load_unlocked::<Club>(CLUB)?.version, before + 1);
            Err(Refused::rule(Code::NothingChanges, None, "on purpose"))
        });
        assert_eq!(code(failed.await.map(drop)), Code::NothingChanges.name());
        assert_eq!(fixture.desk.stream::<Club>(CLUB).await.unwrap().version, before);
    }
}
