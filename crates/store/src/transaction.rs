//! A unit of work: what it is, and in progress what it may ask and has to write.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use chrono::NaiveDate;
use uuid::Uuid;

use super::accounts::{self, AccountStanding};
use super::batch::{Batch, Overlay, Prefetched};
use super::books::ToPost;
use super::chouettes::{ChouetteRow, SeatRow};
use super::connection::AnyConnection;
use super::idempotency::{self, ReceiptKey, StoredReceipt};
use super::journal::{self, Entry, Growth, StreamHead};
use super::matches::MatchRow;
use super::pending::Pending;
use super::types::Hash;
use super::{Failure, StoreError};
use owlbox_base::journal::{Act, Aggregate, Version};
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_books::statistics::Tallies;

/// What a unit of work or a query has made. Each of them has types of its own, and the store's machinery
/// would be compiled again for every one; erased, they have one.
pub(super) type Made = Box<dyn Any + Send>;
/// How it failed, erased likewise.
pub(super) type Failed = Box<dyn Failure>;
pub(super) type Outcome = Result<Made, Failed>;
pub(super) type Work = Box<dyn FnMut(&mut Transaction<'_>) -> Outcome + Send>;
/// An action to run once the work is committed.
pub(super) type AfterCommit = Box<dyn FnOnce() + Send>;

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Box::new(error)
    }
}

/// A unit of work in progress.
pub struct Transaction<'a> {
    connection: &'a mut AnyConnection,
    /// Overlays of units that the caches do not have yet, the newest first.
    earlier: &'a [&'a Overlay],
    /// What is shared with the other units of the same commit.
    together: Option<&'a mut Batch>,
    pending: Pending,
    /// What it has written already.
    written: Prefetched,
    staged: Overlay,
    after: Vec<AfterCommit>,
}

/// What a unit of work leaves behind.
pub(super) struct Effects {
    pub(super) staged: Overlay,
    pub(super) after: Vec<AfterCommit>,
}

impl<'a> Transaction<'a> {
    /// A unit of work that begins, within a transaction of the database.
    pub(super) fn new(
        connection: &'a mut AnyConnection,
        earlier: &'a [&'a Overlay],
        together: Option<&'a mut Batch>,
    ) -> Self {
        let (pending, written) = (Pending::default(), Prefetched::default());
        Self { connection, earlier, together, pending, written, staged: Overlay::new(), after: Vec::new() }
    }

    /// Runs `work`, and writes what it left to be written unless that waits for others. A panic becomes an
    /// error, so that it costs this unit of work alone: the writer, the batch and the connection go on after
    /// the rollback.
    pub(super) fn run(mut self, work: &mut Work) -> Result<(Made, Effects), Failed> {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let value = work(&mut self)?;
            if self.together.is_none() {
                self.pending.write(self.connection)?;
            }
            Ok::<_, Failed>(value)
        }));
        let value = outcome.unwrap_or_else(|_| Err(StoreError::Panicked.into()))?;
        let Self { together, pending, written, staged, after, .. } = self;
        if let Some(together) = together {
            together.join(written, pending);
        }
        Ok((value, Effects { staged, after }))
    }

    /// The connection, inside the transaction: no unit of work begins or ends one. What was to be written is
    /// written first, except for counts and postings, which come at its end. A statement that fails spoils
    /// this unit alone.
    ///
    /// # Errors
    /// That could not be written.
    pub fn connection(&mut self) -> Result<&mut AnyConnection, StoreError> {
        if let Some(together) = &mut self.together {
            together.part(self.connection)?;
        }
        self.written.note(&self.pending);
        self.pending.write_first(self.connection)?;
        Ok(self.connection)
    }

    /// The connection for asking about streams that this transaction has not changed. What it has to write is
    /// not written yet.
    pub const fn unflushed_connection(&mut self) -> &mut AnyConnection {
        self.connection
    }

    /// The current version of a stream, locked until the transaction ends; `None` if there is no stream `id`
    /// of this kind. (SQLite's single writer needs no lock.)
    ///
    /// # Errors
    /// The query failed.
    pub fn lock_head(&mut self, id: Uuid, kind: &'static str) -> Result<Option<Version>, StoreError> {
        match self.known(id, Prefetched::locked) {
            Some(head) => Ok(head.version_of(kind)),
            None => {
                let head = journal::lock_head(self.connection, id, kind);
                // It may have been waited for.
                if let Some(together) = &mut self.together {
                    together.ahead.look_anew();
                }
                head
            }
        }
    }

    /// The current version of a stream, not locked; `None` if there is no stream `id` of this kind.
    ///
    /// # Errors
    /// The query failed.
    pub fn head(&mut self, id: Uuid, kind: &'static str) -> Result<Option<Version>, StoreError> {
        match self.known(id, Prefetched::head) {
            Some(head) => Ok(head.version_of(kind)),
            None => {
                let version = journal::head(self.connection, id, kind)?;
                if let Some((together, version)) = self.together.as_mut().zip(version) {
                    together.looked_at(id, StreamHead::at(kind, version));
                }
                Ok(version)
            }
        }
    }

    /// The head of a stream as this transaction will leave it, or as it was read ahead; `None` if neither is
    /// known.
    fn known(&self, id: Uuid, ahead: fn(&Prefetched, Uuid) -> Option<StreamHead>) -> Option<StreamHead> {
        let together = self.together.as_ref();
        let grown = |pending: &Pending| pending.first.streams.get(&id).map(Growth::head);
        grown(&self.pending)
            .or_else(|| ahead(&self.written, id))
            .or_else(|| together.and_then(|together| grown(&together.pending)))
            .or_else(|| together.and_then(|together| ahead(&together.ahead, id)))
    }

    /// The hash of the newest entry of a stream that is locked and at this version.
    fn newest_hash(&mut self, id: Uuid, version: Version) -> Result<Hash, StoreError> {
        match self.known(id, Prefetched::locked).and_then(|head| head.hash_at(version)) {
            Some(hash) => Ok(hash),
            None => journal::hash_at(self.connection, id, version),
        }
    }

    /// Has `act` appended to the stream, which must be at version `before`, and returns the entries. Version
    /// 0 begins the stream; any other is [locked](Self::lock_head) before. Once it is written, another
    /// transaction that has begun the stream meanwhile is a [conflict](StoreError::is_conflict).
    ///
    /// # Errors
    /// An event cannot be written as JSON, or a query failed.
    pub fn append<A: Aggregate>(
        &mut self,
        id: Uuid,
        before: Version,
        act: &Act<A::Event>,
    ) -> Result<Vec<Entry>, StoreError> {
        let entries = journal::entries::<A>(act)?;
        let hash = if before == 0 { Hash::default() } else { self.newest_hash(id, before)? };
        self.pending.grow(id, Growth::chained(A::KIND, id, before, hash, &entries)?);
        Ok(entries)
    }

    /// Has a chouette inserted or updated.
    pub fn put_chouette(&mut self, row: ChouetteRow) {
        self.pending.put_table(row);
    }

    /// Has the score of a seat changed that is there and stays as it is.
    pub fn change_score(&mut self, seat: SeatRow) {
        self.pending.change_seat(seat);
    }

    /// Has a match inserted or updated.
    pub fn put_match(&mut self, row: MatchRow) {
        self.pending.put_match(row);
    }

    /// Has changes added to the stored counts. A tally left without games is deleted.
    pub fn count(&mut self, changes: &Tallies) {
        self.pending.count(changes);
    }

    /// Has all transactions of an act posted, in order. A transaction whose night is in a closed month counts
    /// for `today`. If a balance would overflow, [`StoreError::BeyondBooks`] is the answer in the end.
    pub fn post(&mut self, all: Vec<ToPost>, today: NaiveDate) {
        self.pending.post(all, today);
    }

    /// The standing of an account, or `None` if there is no such account.
    ///
    /// # Errors
    /// The query failed, or the stored roles are not ones this program knows.
    pub fn standing(&mut self, account: AccountId) -> Result<Option<AccountStanding>, StoreError> {
        match self.together.as_ref().and_then(|together| together.ahead.standing(account)) {
            Some(known) => Ok(known),
            None => accounts::standing(self.connection, account),
        }
    }

    /// The record of an account's idempotency key, or `None` if the key is unused.
    ///
    /// # Errors
    /// The query failed.
    pub fn receipt(&mut self, place: &ReceiptKey) -> Result<Option<StoredReceipt>, StoreError> {
        let together = self.together.as_ref();
        let kept = |pending: &Pending| pending.first.receipts.get(place).map(|(record, _)| record.clone());
        let pending = kept(&self.pending).or_else(|| together.and_then(|together| kept(&together.pending)));
        if pending.is_some() {
            return Ok(pending);
        }
        let ahead = || together.and_then(|together| together.ahead.receipt(place));
        match self.written.receipt(place).or_else(ahead) {
            Some(known) => Ok(known),
            None => idempotency::find(self.connection, place),
        }
    }

    /// Has a record kept. If the key is taken, the transaction meets a [conflict](StoreError::is_conflict),
    /// and the retry finds the record.
    pub fn keep_receipt(&mut self, place: ReceiptKey, record: StoredReceipt, at: Timestamp) {
        self.pending.first.receipts.insert(place, (record, at));
    }

    /// The state of stream `id` as staged by this unit of work, or by an earlier one not answered yet.
    #[must_use]
    pub fn staged<T: Any + Send + Sync>(&self, id: Uuid) -> Option<Arc<T>> {
        let any = self.staged.get(&id).or_else(|| self.earlier.iter().find_map(|made| made.get(&id)))?;
        Arc::clone(any).downcast().ok()
    }

    /// Stages the new state of stream `id` for later units of work, until the caches have it. A rollback
    /// drops it.
    pub fn stage<T: Any + Send + Sync>(&mut self, id: Uuid, made: Arc<T>) {
        self.staged.insert(id, made);
    }

    /// Runs `action` after the commit, or never if there is none. It runs on the writer's path, so it must be
    /// short.
    pub fn after_commit(&mut self, action: impl FnOnce() + Send + 'static) {
        self.after.push(Box::new(action));
    }
}
