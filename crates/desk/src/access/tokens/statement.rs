//! The signature of statements: Ed25519, with a key derived from that of the access tokens, so that there is
//! no other to keep.

use ring::signature::{KeyPair as _, Signature};

use super::access::KeyRing;

impl KeyRing {
    /// The public key that [`sign_statement`](Self::sign_statement) signs with: 32 bytes (RFC 8032).
    #[must_use]
    pub fn statement_key(&self) -> &[u8] {
        self.statements().public_key().as_ref()
    }

    /// Signs a statement with the first key: 64 bytes (RFC 8032).
    #[must_use]
    pub fn sign_statement(&self, statement: &[u8]) -> Signature {
        self.statements().sign(statement)
    }
}
