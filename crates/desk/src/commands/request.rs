//! The envelope of a command: who gives it, on which conditions, and its receipt.

use uuid::Uuid;

use crate::Actor;
use crate::club::stream::CLUB;
use crate::commands::subject::ToLock;
use owlbox_base::journal::Version;
use owlbox_store::ReadPlan;
use owlbox_store::idempotency::ReceiptKey;

/// Everything a caller sends with a command, apart from the command itself.
#[derive(Clone, Debug)]
pub struct Request {
    pub actor: Actor,
    /// The version the caller saw (`If-Match`). At any other version the command is refused.
    pub expected: Option<Version>,
    pub idempotency: Option<Idempotency>,
}

impl Request {
    #[must_use]
    pub const fn by(actor: Actor) -> Self {
        Self { actor, expected: None, idempotency: None }
    }
}

impl Request {
    /// What a command that locks these streams will ask the store for.
    pub(crate) fn foreseen(&self, locked: ToLock) -> ReadPlan {
        let account = self.actor.account;
        let receipt =
            self.idempotency.as_ref().map(|Idempotency { key, .. }| ReceiptKey { account, key: key.clone() });
        ReadPlan { account: Some(account), receipt, locked, looked_at: vec![CLUB] }
    }
}

/// An `Idempotency-Key`, with a hash of the request it was used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    pub key: String,
    /// SHA-256 of method, path and body.
    pub request_hash: Vec<u8>,
}

/// Where the answer to a command can be read again. Stored with the idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The HTTP status of the first answer.
    pub status: u16,
    pub stream: Uuid,
    /// The stream's version after the command.
    pub version: Version,
}

/// The outcome of a command.
#[derive(Debug)]
pub enum Done<T> {
    Now(T),
    /// It was carried out before under the same key, and not again now.
    Before(Receipt),
}

impl Done<Version> {
    /// The version of the stream after the command.
    #[must_use]
    pub const fn version(&self) -> Version {
        match self {
            Self::Now(version) | Self::Before(Receipt { version, .. }) => *version,
        }
    }
}
