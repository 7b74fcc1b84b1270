//! The signature of statements: Ed25519, with a key derived from that of the access tokens, so that there is no other to keep.

use ed25519_dalek::{Signer as _, SigningKey};

use super::access::KeyRing;

impl KeyRing {
    /// Signs a statement with the ring's first key. Returns the public key and the signature.
    #[must_use]
    pub fn sign_statement(&self, statement: &[u8]) -> ([u8; 32], [u8; 64]) {
        let key = SigningKey::from_bytes(&self.statement_seed());
        (key.verifying_key().to_bytes(), key.sign(statement).to_bytes())
    }
}
