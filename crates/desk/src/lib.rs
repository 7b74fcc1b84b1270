//! The desk carries out commands. It is the one place where all modules of the domain and the store meet.
//!
//! The REST API, the page forms and the command line all come here; there is no other way to write. Every
//! command goes through the same steps, in one transaction ([`Desk::carry_out`]):
//!
//! 1. read who the caller is, and the roles and state of their account;
//! 2. check the idempotency key: a retry does nothing, and is answered as far as the caller may still see the
//!    answer;
//! 3. load the stream, at the version the caller saw if they gave one (`If-Match`);
//! 4. check permission;
//! 5. decide, append to the journal, update the read tables and the books ([`UnitOfWork`]);
//! 6. after the commit: update the cache, answer, send live frames.
//!
//! What a command does to a chouette, a match, a tournament or the club is in the module of that subject.

// In tests, a wildcard arm that meets an unknown variant makes the test fail anyway.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod access;
pub mod books;
pub mod chouettes;
pub mod club;
pub mod commands;
pub mod matches;
pub mod nights;
pub mod people;
pub mod reading;
mod subjects;
pub mod tournaments;
pub mod verify;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod simulation;

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, watch};

use crate::reading::live::Hub;
pub use access::principal::{Actor, Principal, Proof, Rights};
pub use commands::allowed::{Allowed, PlayingTable};
pub use commands::fingerprint::fingerprint;
pub use commands::inputs::{Clock, Dice, SystemClock};
pub use commands::refused::{RateLimited, Refused, Rule, Unauthorised};
pub use commands::request::{Done, Idempotency, Receipt, Request};
use commands::subject::ToLock;
pub(crate) use commands::unit_of_work::{Appended, Effect, UnitOfWork};
use owlbox_base::journal::Version;
use owlbox_base::permissions::{Permission, Public};
use owlbox_base::values::Timestamp;
pub use owlbox_store::clubs::{ClubLabel, ClubLocation, Identity as ClubIdentity, LOOK_EVERY};
use owlbox_store::connection::on_snapshot;
use owlbox_store::{
    AnyConnection, Failure, Store, Transaction, accounts, idempotency, journal, readings, registrations,
};
pub use owlbox_store::{DatabaseUrl, StoreError, most_writing};
use reading::memory::{Lease, Memory};

/// Limits on what the desk takes on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of events in the stream of a chouette or a match.
    pub stream_length: Version,
    /// The maximum number of streams kept in the cache.
    pub remembered_streams: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { stream_length: 5_000, remembered_streams: 2_000 }
    }
}

/// The desk, a handle to shared state. Cheap to clone.
#[derive(Clone)]
pub struct Desk {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    memory: Arc<Memory>,
    hub: Hub,
    clock: Box<dyn Clock>,
    dice: Mutex<Dice>,
    limits: Limits,
    /// Ends with the desk.
    _subscription: Option<owlbox_store::notify::Subscription>,
    terms: access::AuthSettings,
    /// The places for those who have a person's data handed out.
    persons: Arc<Semaphore>,
    /// Told when webhooks change.
    webhooks: watch::Sender<()>,
}

/// The parts a desk is made of.
pub struct Dependencies {
    pub store: Store,
    pub clock: Box<dyn Clock>,
    pub dice: Dice,
    pub limits: Limits,
    pub terms: access::AuthSettings,
}

impl Dependencies {
    /// The default dependencies around `store`. Their signing keys are lost with the process.
    #[must_use]
    pub fn with_store(store: Store) -> Self {
        Self {
            store,
            clock: Box::new(SystemClock),
            dice: Dice::unforeseeable(),
            limits: Limits::default(),
            terms: access::AuthSettings::throwaway(),
        }
    }
}

impl Desk {
    /// Makes a desk, which listens to other instances if they can share the database.
    #[must_use]
    pub fn new(dependencies: Dependencies) -> Self {
        let hub = Hub::default();
        let memory = Arc::new(Memory::new(dependencies.limits.remembered_streams));
        let webhooks = watch::Sender::new(());
        let subscription = reading::listening::subscribe(&dependencies.store, &hub, &memory, &webhooks);
        Self {
            inner: Arc::new(Inner {
                memory,
                hub,
                clock: dependencies.clock,
                dice: Mutex::new(dependencies.dice),
                limits: dependencies.limits,
                _subscription: subscription,
                terms: dependencies.terms,
                persons: Arc::new(Semaphore::new(people::privacy::person::AT_ONCE)),
                webhooks,
                store: dependencies.store,
            }),
        }
    }

    /// Runs `query` on a reader. Connections do not leave the desk: each module offers methods that read one
    /// whole answer in a single query.
    ///
    /// # Errors
    /// The error of `query`, or no connection became free.
    pub(crate) async fn read<T, E, F>(&self, query: F) -> Result<T, E>
    where
        F: FnOnce(&mut AnyConnection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure + From<StoreError>,
    {
        self.inner.store.read(query).await
    }

    /// Runs `query` on one snapshot of the database: for sums that must agree with their lines. Nothing of it
    /// may be kept in a cache, neither a stream nor a name: it can be out of date already.
    ///
    /// # Errors
    /// The error of `query`, or no connection became free.
    pub(crate) async fn snapshot<T, F>(&self, query: F) -> Result<T, Refused>
    where
        F: FnOnce(&mut AnyConnection) -> Result<T, Refused> + Send + 'static,
        T: Send + 'static,
    {
        self.read(move |connection| on_snapshot(connection, query)).await
    }

    /// Closes connections to the database that nobody has used for half a minute. Blocks.
    pub fn close_idle_connections(&self) {
        self.inner.store.close_idle_connections();
    }

    /// Whether the disk has refused a commit. Nothing more is written then until the database is opened anew.
    #[must_use]
    pub fn has_given_up(&self) -> bool {
        self.inner.store.has_given_up()
    }

    /// Whether the database answers and its schema is the one this program expects.
    ///
    /// # Errors
    /// The database does not answer.
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

    /// For how long what is in memory is current.
    pub(crate) fn lease(&self) -> Lease {
        if self.inner.store.is_sole_writer() { Lease::SoleWriter } else { self.inner.memory.lease() }
    }

    /// The roles and player of `actor`.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`] if the account is not active or the proof is no longer valid.
    pub async fn principal(&self, actor: &Actor) -> Result<Principal, Refused> {
        if matches!(actor.proof, Proof::Console | Proof::EntryLink { .. }) {
            return Principal::from_account(actor, None);
        }
        let account = actor.account;
        let lease = self.lease();
        let (remembered, generation) = self.inner.memory.standings.get(&account);
        if remembered.is_some() && lease.holds() {
            return Principal::from_account(actor, remembered);
        }
        let standing =
            self.inner.store.read(move |connection| accounts::standing(connection, account)).await?;
        if let Some(standing) = standing {
            self.inner.memory.standings.keep(account, standing, generation);
        }
        Principal::from_account(actor, standing)
    }

    /// Refuses unless the caller has `permission`, through their roles or because the club grants it to the
    /// public. Returns the principal if they are signed in.
    ///
    /// # Errors
    /// Those of [`principal`](Self::principal); [`Refused::Forbidden`]; [`Unauthorised::Missing`].
    pub async fn require(
        &self,
        actor: Option<&Actor>,
        permission: Permission,
    ) -> Result<Option<Principal>, Refused> {
        let rights = self.rights(actor).await?;
        rights.require(permission)?;
        Ok(rights.principal)
    }

    /// What a caller may do in the club.
    ///
    /// # Errors
    /// Those of [`principal`](Self::principal).
    pub(crate) async fn rights(&self, actor: Option<&Actor>) -> Result<Rights, Refused> {
        let principal = match actor {
            Some(actor) => Some(self.principal(actor).await?),
            None => None,
        };
        self.rights_of(principal).await
    }

    /// What a caller may do in the club whose principal is known already.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn rights_of(&self, principal: Option<Principal>) -> Result<Rights, Refused> {
        let public = self.settings().await?.map_or(Public::default(), |settings| settings.public);
        Ok(Rights::new(principal, public))
    }

    /// Carries out `work` in a transaction, with the steps described in the crate's documentation. A retry
    /// after a conflict runs `work` again.
    ///
    /// # Errors
    /// Refusals by `work` or the desk, or the store failed. Nothing has changed then.
    async fn carry_out<T, F>(&self, request: Request, work: F) -> Result<Done<T>, Refused>
    where
        F: Fn(&mut UnitOfWork<'_, '_>) -> Result<(Receipt, T), Refused> + Send + 'static,
        T: Send + 'static,
    {
        self.carry_out_at(request, None, work).await
    }

    /// [`carry_out`](Self::carry_out) for work of which it is known what it locks, if it is: then it is
    /// carried out together with others.
    ///
    /// # Errors
    /// Those of `carry_out`.
    async fn carry_out_at<T, F>(
        &self,
        request: Request,
        to_lock: Option<ToLock>,
        work: F,
    ) -> Result<Done<T>, Refused>
    where
        F: Fn(&mut UnitOfWork<'_, '_>) -> Result<(Receipt, T), Refused> + Send + 'static,
        T: Send + 'static,
    {
        let foreseen = to_lock.map(|locked| request.foreseen(locked));
        let desk = self.clone();
        let work = move |transaction: &mut Transaction<'_>| {
            let mut unit = UnitOfWork::new(&desk, transaction, &request.actor)?;
            if let Some(idempotency) = &request.idempotency
                && let Some(receipt) = unit.receipt(idempotency)?
            {
                return Ok(Done::Before(receipt));
            }
            // The books last: from there on everybody else who posts has to wait.
            let done = work(&mut unit).and_then(|(receipt, made)| {
                if let Some(idempotency) = &request.idempotency {
                    unit.keep_receipt(idempotency, receipt);
                }
                unit.close_books()?;
                Ok(made)
            });
            let made = done.map_err(|refused| overtaken(&mut unit, &request).unwrap_or(refused))?;
            Ok(Done::Now(made))
        };
        match foreseen {
            Some(foreseen) => self.inner.store.write_together(foreseen, work).await,
            None => self.inner.store.write(work).await,
        }
    }

    /// Deletes expired records: idempotency records, spent credentials, and requests for a login that nobody
    /// confirmed.
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
                idempotency::forget(transaction.connection()?, records_before)?;
                owlbox_store::credentials::sweep(transaction.connection()?, tokens_before, now.into())?;
                registrations::sweep(
                    transaction.connection()?,
                    access::registrations::kept_since(now.into()),
                )?;
                let readings_since = people::privacy::readings::kept_since(now.date_naive());
                readings::sweep(transaction.connection()?, readings_since)?;
                journal::order::sweep(transaction.connection()?, reading::whole_club::KEPT)?;
                Ok(())
            })
            .await
    }
}

/// Whether a refused command has been carried out in the meantime. On PostgreSQL two requests with the same
/// key may run at once: the second finds no receipt yet, and then a table that has moved on. The error
/// returned here has the store retry it, and then it finds the receipt. (After a failed query no other can
/// run in the transaction, so nothing is found.)
fn overtaken(unit: &mut UnitOfWork<'_, '_>, request: &Request) -> Option<Refused> {
    let idempotency = request.idempotency.as_ref()?;
    let receipt = unit.receipt(idempotency).ok().flatten();
    receipt.map(|_| owlbox_store::StoreError::Overtaken.into())
}
