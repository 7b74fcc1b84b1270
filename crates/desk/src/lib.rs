//! The desk carries out commands; it is the one place that knows all rooms below.
//!
//! REST, page forms and the command line all come here, and there is no other way to write. Every
//! command walks the same road, in one transaction ([`Desk::carry_out`]):
//!
//! 1. who asks, and how his account stands, read in the same transaction;
//! 2. the idempotency key: a retry does nothing, and is answered as far as the asker may still see it;
//! 3. load the stream, at the version the caller saw if he said so (`If-Match`);
//! 4. permission;
//! 5. decide, append to the journal, derive the read tables and the books ([`UnitOfWork`]);
//! 6. after the commit: memory, answers, live frames.
//!
//! What a command does to its subject is in the file of that subject.

// A test that meets what it does not know fails by itself.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod access;
pub mod acts;
mod allowed;
pub mod books;
mod bounds;
pub mod chouettes;
pub mod clubs;
pub mod debts;
pub mod figures;
pub mod history;
pub mod house_rules;
mod inputs;
pub mod listening;
pub mod live;
pub mod matches;
pub mod memory;
pub mod passwords;
mod pipeline;
pub mod players;
mod principal;
pub mod ratings;
pub mod refused;
mod request;
pub mod settling;
mod sheets;
pub mod statistics;
pub mod subject;
mod subjects;
mod surroundings;
pub mod tournaments;
mod unit_of_work;
pub mod verify;

#[cfg(test)]
mod fixture;

use std::sync::{Arc, Mutex, PoisonError};

use crate::live::Hub;
pub use allowed::{Allowed, PlayingTable};
pub use inputs::{Clock, Dice, SystemClock};
use memory::Memory;
use owlbox_domain::journal::Version;
use owlbox_domain::permissions::{Caller, Permission, Public};
use owlbox_domain::values::Timestamp;
use owlbox_store::{AnyConnection, Failure, Store, accounts, idempotency, registrations};
pub use owlbox_store::{DatabaseUrl, StoreError, most_writing};
pub use principal::{Actor, Principal, Proof};
pub use refused::{Often, Refused, Rule, Unauthorised};
pub use request::{Done, Idempotency, Receipt, Request};
pub(crate) use unit_of_work::{Appended, Effect, UnitOfWork};

/// How much the desk takes on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most events a chouette's stream may have.
    pub stream_length: Version,
    /// The most streams whose states are kept in memory.
    pub remembered_streams: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { stream_length: 5_000, remembered_streams: 2_000 }
    }
}

/// The desk. Cheap to clone.
#[derive(Clone)]
pub struct Desk {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    memory: Memory,
    hub: Hub,
    clock: Box<dyn Clock>,
    dice: Mutex<Dice>,
    limits: Limits,
    notifier: Option<listening::Notifier>,
    access: access::Access,
}

/// What the desk is made of.
pub struct Dependencies {
    pub store: Store,
    pub clock: Box<dyn Clock>,
    pub dice: Dice,
    /// How much the desk takes on.
    pub limits: Limits,
    /// On what terms one gets in.
    pub terms: access::Terms,
}

impl Dependencies {
    /// The usual dependencies with `store`, with signing keys that last as long as they do.
    #[must_use]
    pub fn with_store(store: Store) -> Self {
        Self {
            store,
            clock: Box::new(SystemClock),
            dice: Dice::unforeseeable(),
            limits: Limits::default(),
            terms: access::Terms::throwaway(),
        }
    }
}

impl Desk {
    /// A desk with these dependencies.
    #[must_use]
    pub fn new(dependencies: Dependencies) -> Self {
        let hub = Hub::default();
        let notifier = listening::Notifier::start(&dependencies.store, &hub);
        Self {
            inner: Arc::new(Inner {
                memory: Memory::new(dependencies.limits.remembered_streams),
                hub,
                clock: dependencies.clock,
                dice: Mutex::new(dependencies.dice),
                limits: dependencies.limits,
                notifier,
                access: access::Access::new(dependencies.terms),
                store: dependencies.store,
            }),
        }
    }

    /// Runs `query` on a reader. Connections do not leave the desk: whoever wants to know something asks for it by a method of
    /// the room that it is about, which reads all of its answer in one go.
    ///
    /// # Errors
    /// What `query` returns, or that no connection became free.
    pub(crate) async fn read<T, E, F>(&self, query: F) -> Result<T, E>
    where
        F: FnOnce(&mut AnyConnection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        self.inner.store.read(query).await
    }

    /// True if the database answers and stands where this program expects it.
    ///
    /// # Errors
    /// It does not answer.
    pub async fn is_ready(&self) -> Result<bool, StoreError> {
        self.inner.store.is_ready().await
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// A generator for one command, so that commands do not wait for each other's dice.
    fn dice(&self) -> Dice {
        self.inner.dice.lock().unwrap_or_else(PoisonError::into_inner).fork()
    }

    /// What `actor` may do.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`] if the account is not active or what proves it is no longer good.
    pub async fn principal(&self, actor: &Actor) -> Result<Principal, Refused> {
        if matches!(actor.proof, Proof::Console | Proof::EntryLink { .. }) {
            return Principal::from_account(actor, None);
        }
        let account = actor.account;
        let (remembered, generation) = self.inner.memory.standings.get(&account);
        // What another instance changed is only in the database.
        if self.inner.store.is_sole_writer() && remembered.is_some() {
            return Principal::from_account(actor, remembered);
        }
        let standing =
            self.inner.store.read(move |connection| accounts::standing(connection, account)).await?;
        if let Some(standing) = standing {
            self.inner.memory.standings.keep(account, standing, generation);
        }
        Principal::from_account(actor, standing)
    }

    /// Who asks as the permission table knows him, and what the club shows to everybody.
    ///
    /// # Errors
    /// As [`principal`](Self::principal).
    pub async fn require(
        &self,
        actor: Option<&Actor>,
        permission: Permission,
    ) -> Result<Option<Principal>, Refused> {
        let principal = match actor {
            Some(actor) => Some(self.principal(actor).await?),
            None => None,
        };
        let caller = principal.map_or(Caller::Public, |principal| Caller::SignedIn(principal.roles));
        let public = self.settings().await?.map_or(Public::default(), |settings| settings.public);
        match (caller.may(permission, public), principal) {
            (true, _) => Ok(principal),
            (false, Some(_)) => Err(Refused::Forbidden(permission)),
            (false, None) => Err(Unauthorised::Missing.into()),
        }
    }

    /// Carries out `work` on the one road. It runs inside the transaction, perhaps more than once.
    ///
    /// # Errors
    /// What `work` refuses, what the desk refuses, or that the store failed; nothing has changed.
    async fn carry_out<T, F>(&self, request: Request, work: F) -> Result<Done<T>, Refused>
    where
        F: Fn(&mut UnitOfWork<'_, '_>) -> Result<(Receipt, T), Refused> + Send + 'static,
        T: Send + 'static,
    {
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                let mut unit = UnitOfWork::new(&desk, transaction, &request.actor)?;
                if let Some(idempotency) = &request.idempotency
                    && let Some(receipt) = unit.receipt(idempotency)?
                {
                    return Ok(Done::Before(receipt));
                }
                let (receipt, made) = match work(&mut unit) {
                    Ok(done) => done,
                    Err(refused) => return Err(overtaken(&mut unit, &request).unwrap_or(refused)),
                };
                if let Some(idempotency) = &request.idempotency {
                    unit.keep_receipt(idempotency, receipt)?;
                }
                Ok(Done::Now(made))
            })
            .await
    }

    /// Forgets what has been kept long enough: idempotency records, spent credentials, and who has asked for a login in vain.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sweep(&self, idempotency_hours: u32, token_days: u32) -> Result<(), Refused> {
        let now = self.now().utc();
        let records_before: Timestamp = (now - chrono::TimeDelta::hours(idempotency_hours.into())).into();
        let tokens_before: Timestamp = (now - chrono::TimeDelta::days(token_days.into())).into();
        self.inner
            .store
            .write(move |transaction| {
                idempotency::forget(transaction.connection, records_before)?;
                owlbox_store::credentials::sweep(transaction.connection, tokens_before, now.into())?;
                registrations::sweep(transaction.connection, access::registrations::kept_since(now.into()))?;
                Ok(())
            })
            .await
    }
}

/// Whether what was refused had been done meanwhile: on PostgreSQL the first of two under one key may be
/// at work when the second asks for its receipt, and the second then finds a table that has moved on. Tried
/// again, it gets the receipt. (After a failed query nothing more can be asked, and nothing is found.)
fn overtaken(unit: &mut UnitOfWork<'_, '_>, request: &Request) -> Option<Refused> {
    let idempotency = request.idempotency.as_ref()?;
    let receipt = unit.receipt(idempotency).ok().flatten();
    receipt.map(|_| owlbox_store::StoreError::Overtaken.into())
}
