//! HMAC-SHA256, which signs everything here: links, marks and forms directly, access tokens by way of
//! `jsonwebtoken`. That crate accepts a crypto provider from outside ([`PROVIDER`]); its own ones would build
//! every other algorithm too, and a C library with them.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use sha2::Sha256;

/// The length of a tag in bytes.
pub(super) const TAG: usize = 32;

/// A key, prepared once for any number of messages.
#[derive(Clone)]
pub struct Key(Hmac<Sha256>);

impl Key {
    /// Makes a key from `secret`, which may have any length.
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    pub(super) fn new(secret: &[u8]) -> Self {
        Self(Hmac::new_from_slice(secret).expect("a key of any length"))
    }

    /// The HMAC-SHA256 tag of `message`.
    pub(super) fn sign(&self, message: &[u8]) -> [u8; TAG] {
        self.0.clone().chain_update(message).finalize().into_bytes().into()
    }

    /// Whether `tag` is the full tag of `message`. Compares in constant time.
    pub(super) fn verify(&self, message: &[u8], tag: &[u8]) -> bool {
        self.0.clone().chain_update(message).verify_slice(tag).is_ok()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// The crypto provider of `jsonwebtoken`: HS256 and nothing else.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| Ok(Box::new(Hs256(signing(*algorithm, key)?))),
    verifier_factory: |algorithm, key| Ok(Box::new(Hs256(verifying(*algorithm, key)?))),
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes [`PROVIDER`] the one `jsonwebtoken` uses. Called wherever a key is made; takes effect once per
/// process.
pub(super) fn install() {
    // An error means that it is installed already.
    let _ = PROVIDER.install_default();
}

fn signing(algorithm: Algorithm, key: &EncodingKey) -> Result<Key, Error> {
    only_hs256(algorithm)?;
    Ok(Key::new(key.as_bytes()))
}

fn verifying(algorithm: Algorithm, key: &DecodingKey) -> Result<Key, Error> {
    only_hs256(algorithm)?;
    Ok(Key::new(key.try_get_as_bytes()?))
}

fn only_hs256(algorithm: Algorithm) -> Result<(), Error> {
    if algorithm == Algorithm::HS256 { Ok(()) } else { Err(ErrorKind::InvalidAlgorithm.into()) }
}

struct Hs256(Key);

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Ok(self.0.sign(message).to_vec())
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], tag: &Vec<u8>) -> Result<(), signature::Error> {
        if self.0.verify(message, tag) { Ok(()) } else { Err(signature::Error::new()) }
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_hmac_of_rfc_4231() {
        // Test cases 1, 2 and 6: a short key, a shorter one, and one longer than a block.
        let cases: [(&[u8], &[u8], &str); 3] = [
            (&[0x0b; 20], b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                &[0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ];
        for (key, message, wanted) in cases {
            let key = Key::new(key);
            let tag = key.sign(message);
            assert_eq!(tag.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), wanted);
            assert!(key.verify(message, &tag));
            assert!(!key.verify(message, &tag[..31]), "a part of it is not it");
            assert!(!key.verify(b"another message", &tag));
        }
    }

    #[test]
    fn no_other_algorithm_is_known() {
        let key = EncodingKey::from_secret(&[1; 32]);
        for algorithm in [Algorithm::HS384, Algorithm::HS512, Algorithm::RS256, Algorithm::EdDSA] {
            assert!(signing(algorithm, &key).is_err());
            assert!(verifying(algorithm, &DecodingKey::from_secret(&[1; 32])).is_err());
        }
    }
}
