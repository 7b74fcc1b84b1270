//! What units of work share that are committed together: what was read ahead for them, what they have to
//! write, the states that they have produced. How they are carried out is in [`together`](super::together).

use std::any::Any;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use diesel::RunQueryDsl as _;
use diesel::connection::SimpleConnection as _;
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::accounts::{self, AccountStanding};
use super::idempotency::{self, ReceiptKey, StoredReceipt};
use super::journal::{self, StreamHead};
use super::pending::Pending;
use super::postgres::{PipelinedConnection, in_order};
use super::statement::SqlStatement;
use super::{AnyConnection, StoreError, notify};
use owlbox_base::values::AccountId;

/// What a unit of work will ask for, as far as that is known beforehand. It may be less than it asks for, or
/// more.
#[derive(Clone, Debug, Default)]
pub struct ReadPlan {
    /// The account whose standing is asked for.
    pub account: Option<AccountId>,
    /// Where the receipt of an earlier command would be.
    pub receipt: Option<ReceiptKey>,
    /// The streams that are locked, with the kind that each has to be of.
    pub locked: Vec<(Uuid, &'static str)>,
    /// The streams of which only the version is asked.
    pub looked_at: Vec<Uuid>,
}

/// What was read for a batch, and what its units have changed of that: nobody else changes the head of a
/// locked stream, or a receipt at one, and no unit of a batch on PostgreSQL changes an account. Heads that
/// were only looked at hold until somebody waits for a lock, or asks the database: what others have committed
/// by then, a unit has to see.
#[derive(Default)]
pub(super) struct Prefetched {
    locked: HashMap<Uuid, StreamHead>,
    heads: HashMap<Uuid, StreamHead>,
    standings: HashMap<AccountId, Option<AccountStanding>>,
    receipts: HashMap<ReceiptKey, Option<StoredReceipt>>,
}

impl Prefetched {
    /// Locks and reads what these units ask for. Hashes, receipts and the rest are read after the streams are
    /// locked: whatever was done to them before is known then.
    pub(super) async fn read<'f>(
        asked: PipelinedConnection<'_>,
        all: impl Iterator<Item = &'f ReadPlan> + Clone,
    ) -> Result<Self, StoreError> {
        let locked: BTreeSet<(Uuid, &'static str)> =
            all.clone().flat_map(|one| one.locked.iter().copied()).collect();
        let looked_at: BTreeSet<Uuid> = all.clone().flat_map(|one| one.looked_at.iter().copied()).collect();
        let accounts: BTreeSet<AccountId> = all.clone().filter_map(|one| one.account).collect();
        let places: BTreeSet<&ReceiptKey> = all.filter_map(|one| one.receipt.as_ref()).collect();
        let (mut locked, hashes, heads, standings, receipts) = in_order!(
            journal::lock_heads(asked, &locked),
            journal::newest_hashes(asked, &locked),
            journal::heads_of(asked, &looked_at),
            accounts::standings(asked, accounts),
            idempotency::find_all(asked, places),
        )?;
        for (id, hash) in hashes {
            locked.entry(id).and_modify(|head| head.hash = Some(hash));
        }
        Ok(Self { locked, heads, standings, receipts })
    }

    /// Takes note of what is written now: the streams are locked, and stand there.
    pub(super) fn note(&mut self, written: &Pending) {
        let heads = written.first.streams.iter().map(|(id, growth)| (*id, growth.head()));
        self.locked.extend(heads);
        let receipts = written.first.receipts.iter();
        self.receipts.extend(receipts.map(|(place, (record, _))| (place.clone(), Some(record.clone()))));
    }

    /// Forgets what was only looked at.
    pub(super) fn look_anew(&mut self) {
        self.heads.clear();
    }

    /// The head of a stream that was locked; `None` if it was not.
    pub(super) fn locked(&self, id: Uuid) -> Option<StreamHead> {
        self.locked.get(&id).cloned()
    }

    /// The head of a stream; `None` if it was not read.
    pub(super) fn head(&self, id: Uuid) -> Option<StreamHead> {
        self.locked.get(&id).or_else(|| self.heads.get(&id)).cloned()
    }

    /// The standing of an account, if it was asked for; `Some(None)` if there is no such account.
    pub(super) fn standing(&self, account: AccountId) -> Option<Option<AccountStanding>> {
        self.standings.get(&account).copied()
    }

    /// The record of a receipt, if it was asked for; `Some(None)` if the key is unused.
    pub(super) fn receipt(&self, place: &ReceiptKey) -> Option<Option<StoredReceipt>> {
        self.receipts.get(place).cloned()
    }
}

/// Stream states that units of work have produced and the caches do not have yet, by stream id.
pub(super) type Overlay = HashMap<Uuid, Arc<dyn Any + Send + Sync>>;

/// What the units of a batch share.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) ahead: Prefetched,
    /// What the units before have to write.
    pub(super) pending: Pending,
    /// The states that they have produced.
    pub(super) overlay: Overlay,
    /// Those of the batch before, if it is committed but not answered yet, so that the caches lack them.
    pub(super) last: Arc<Overlay>,
    /// Whether the transaction has a savepoint.
    savepoint: bool,
    /// Whether it was set by the unit that is running.
    pub(super) parted: bool,
    /// How much was to be told when it was set.
    pub(super) told: usize,
    /// Why the transaction can no longer be committed, if something has spoilt it.
    pub(super) spoilt: Option<StoreError>,
}

impl Batch {
    /// A batch that begins with what was read ahead of it.
    pub(super) fn knowing(ahead: Prefetched) -> Self {
        Self { ahead, ..Self::default() }
    }

    /// A batch after one that has produced these states.
    pub(super) fn after(last: &Arc<Overlay>) -> Self {
        Self { last: Arc::clone(last), ..Self::default() }
    }

    /// Begins a transaction on SQLite. It is `IMMEDIATE`, because one that reads before it writes would
    /// otherwise fail as locked whatever the busy timeout. Where the disk or memory fails SQLite rolls back
    /// by itself, and from there on each statement would commit alone. Such a rollback takes the savepoint
    /// with it, so [`write`](Self::write), which releases it first, fails before it writes anything.
    ///
    /// # Errors
    /// The file is locked, or cannot be written.
    pub(super) fn begin(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        connection.batch_execute("BEGIN IMMEDIATE; SAVEPOINT unit")?;
        self.savepoint = true;
        Ok(())
    }

    /// Writes what the units left to be written. Whether anything may have been.
    ///
    /// # Errors
    /// That could not be written.
    pub(super) fn write(&mut self, connection: &mut AnyConnection) -> Result<bool, StoreError> {
        let writes = self.savepoint || !self.pending.is_empty();
        if std::mem::take(&mut self.savepoint) {
            // It fails where the transaction is spoilt and nobody has said so: then nothing can be kept.
            savepoint(connection, "RELEASE unit")?;
        }
        self.pending.write(connection)?;
        Ok(writes)
    }

    /// Parts what comes from what other units did, if this unit has not done so yet: what they have to write
    /// is written, on PostgreSQL [without what others wait for](Pending::write_first), and a savepoint set.
    pub(super) fn part(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        self.ahead.look_anew();
        if self.parted {
            return Ok(());
        }
        if let Some(why) = &self.spoilt {
            return Err(failed_by(why));
        }
        // If this panics, what the others had to write is lost.
        self.spoilt = Some(StoreError::Panicked);
        let set = match connection {
            AnyConnection::Sqlite(_) => {
                // What was known of it stands in the database from here on, and this unit may change it.
                self.ahead = Prefetched::default();
                self.write(connection).and_then(|_| savepoint(connection, "SAVEPOINT unit"))
            }
            AnyConnection::Postgres(_) => {
                // Later units still ask for what `write_first` takes out of `pending`.
                self.ahead.note(&self.pending);
                let set = if self.savepoint { "RELEASE unit; SAVEPOINT unit" } else { "SAVEPOINT unit" };
                self.pending.write_first(connection).and_then(|()| savepoint(connection, set))
            }
        };
        self.spoilt = set.as_ref().err().map(failed_by);
        set?;
        (self.savepoint, self.parted, self.told) = (true, true, notify::count(connection));
        Ok(())
    }

    /// Keeps the head of a stream that a unit has looked at, for those after it. One that asks the database
    /// itself may see what has been committed since.
    pub(super) fn looked_at(&mut self, id: Uuid, head: StreamHead) {
        if !self.parted {
            self.ahead.heads.insert(id, head);
        }
    }

    /// Takes over what a unit has written, and what it has to write.
    pub(super) fn join(&mut self, written: Prefetched, pending: Pending) {
        let Prefetched { locked, receipts, heads: _, standings: _ } = written;
        self.ahead.locked.extend(locked);
        self.ahead.receipts.extend(receipts);
        self.pending.join(pending);
    }
}

/// Sets or ends a savepoint.
pub(super) fn savepoint(connection: &mut AnyConnection, sql: &'static str) -> Result<(), StoreError> {
    match connection {
        // Parsing it each time would cost a command a tenth of its time.
        AnyConnection::Sqlite(connection) => {
            SqlStatement::<Sqlite>::new(sql).execute(connection).map(drop)?
        }
        AnyConnection::Postgres(connection) => connection.batch_execute(sql)?,
    }
    Ok(())
}

/// What a unit of work is told whose batch failed.
pub(super) fn failed_by(error: &StoreError) -> StoreError {
    if let StoreError::Commit(why) = error {
        return StoreError::Commit(why.clone());
    }
    if matches!(error, StoreError::Full) { StoreError::Full } else { StoreError::Commit(error.to_string()) }
}
