//! What comes with a command besides the command, and what its caller gets back besides the answer.

use uuid::Uuid;

use super::Actor;
use owlbox_domain::journal::Version;

/// What a caller says about a command besides the command.
#[derive(Clone, Debug)]
pub struct Request {
    pub actor: Actor,
    /// The version the caller saw (`If-Match`): at another one the command is refused.
    pub expected: Option<Version>,
    pub idempotency: Option<Idempotency>,
}

impl Request {
    #[must_use]
    pub const fn by(actor: Actor) -> Self {
        Self { actor, expected: None, idempotency: None }
    }
}

/// An `Idempotency-Key` with what it was used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    pub key: String,
    /// SHA-256 of method, path and body.
    pub request_hash: Vec<u8>,
}

/// Where a command's answer can be read again: what an idempotency record keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The HTTP status of the first answer.
    pub status: u16,
    pub stream: Uuid,
    /// Its version after the command.
    pub version: Version,
}

/// The outcome of a command: done now, or done before under the same key.
#[derive(Debug)]
pub enum Done<T> {
    Now(T),
    /// Done before: nothing was done again.
    Before(Receipt),
}

impl Done<Version> {
    /// The version that the command left its stream at.
    #[must_use]
    pub const fn version(&self) -> Version {
        match self {
            Self::Now(version) | Self::Before(Receipt { version, .. }) => *version,
        }
    }
}
