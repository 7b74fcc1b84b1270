//! Opaque secrets: 32 random bytes after a prefix that names their purpose. Only the SHA-256 of the whole
//! text is stored, so that reading the database is not enough to use one. A plain hash suffices, because 256
//! random bits cannot be guessed.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretBox};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::mac::Key;

use owlbox_base::values::InvalidValue;

/// The purpose of a secret. One kind never passes for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecretKind {
    /// Renews a session; can be used once.
    Refresh,
    /// Authenticates a script until it is revoked or expires.
    ApiToken,
    /// Opens an invitation or a password reset; can be used once.
    OneTimeLink,
}

impl SecretKind {
    /// The first characters of every secret of this kind.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Refresh => "owlr_",
            Self::ApiToken => "owlt_",
            Self::OneTimeLink => "owll_",
        }
    }
}

/// A secret as its holder knows it.
pub struct Secret {
    kind: SecretKind,
    bytes: SecretBox<[u8; 32]>,
}

impl Secret {
    /// A secret from `random` bytes, which must not be used for anything else.
    #[must_use]
    pub fn new(kind: SecretKind, random: [u8; 32]) -> Self {
        Self { kind, bytes: SecretBox::new(Box::new(random)) }
    }

    /// Parses a secret that somebody shows.
    ///
    /// # Errors
    /// It is not a secret of this kind. The error does not repeat the text.
    pub fn parse(kind: SecretKind, text: &str) -> Result<Self, InvalidValue> {
        let refused = || InvalidValue { what: "token", allowed: "a token as it was handed out" };
        let encoded = text.strip_prefix(kind.prefix()).ok_or_else(refused)?;
        let bytes = URL_SAFE_NO_PAD.decode(encoded).map_err(|_| refused())?;
        Ok(Self::new(kind, bytes.try_into().map_err(|_| refused())?))
    }

    /// The text to hand to its holder. It is not stored anywhere.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{}{}", self.kind.prefix(), URL_SAFE_NO_PAD.encode(self.bytes.expose_secret()))
    }

    /// The digest that is stored and looked up.
    #[must_use]
    pub fn digest(&self) -> SecretDigest {
        SecretDigest(Sha256::digest(self.reveal()).into())
    }

    /// A secret of the same kind derived from this one and `salt`. Nobody can compute it without this one.
    #[must_use]
    pub fn derive(&self, salt: &[u8]) -> Self {
        Self::new(self.kind, Key::new(self.bytes.expose_secret()).sign(salt))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({:?})", self.kind)
    }
}

/// The SHA-256 of a secret's text. Compares in constant time.
#[derive(Clone, Copy)]
pub struct SecretDigest([u8; 32]);

impl SecretDigest {
    /// The 32 bytes, as they are stored.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether this is the digest of `secret`.
    #[must_use]
    pub fn matches(&self, secret: &Secret) -> bool {
        *self == secret.digest()
    }
}
impl PartialEq for SecretDigest {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}
impl Eq for SecretDigest {}
impl TryFrom<&[u8]> for SecretDigest {
    type Error = InvalidValue;
    fn try_from(stored: &[u8]) -> Result<Self, InvalidValue> {
        let refused = InvalidValue { what: "token_digest", allowed: "32 bytes" };
        stored.try_into().map(Self).map_err(|_| refused)
    }
}
impl fmt::Debug for SecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretDigest")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [SecretKind; 3] = [SecretKind::Refresh, SecretKind::ApiToken, SecretKind::OneTimeLink];

    proptest! {
        #[test]
        fn a_secret_is_known_again_by_its_digest_and_no_other_is(one: [u8; 32], other: [u8; 32]) {
            prop_assume!(one != other);
            for kind in KINDS {
                let secret = Secret::new(kind, one);
                let shown = Secret::parse(kind, &secret.reveal()).unwrap();
                let stored = SecretDigest::try_from(secret.digest().as_bytes().as_slice()).unwrap();
                prop_assert!(stored.matches(&shown));
                prop_assert!(!stored.matches(&Secret::new(kind, other)));
            }
        }

        #[test]
        fn whatever_is_shown_is_read_or_refused(text in "\\PC{0,60}") {
            for kind in KINDS {
                let shown = format!("{}{text}", kind.prefix());
                if let Ok(secret) = Secret::parse(kind, &shown) {
                    prop_assert_eq!(secret.reveal(), shown);
                }
            }
        }
    }

    #[test]
    fn one_kind_is_never_taken_for_another() {
        for kind in KINDS {
            for other in KINDS {
                let text = Secret::new(kind, [1; 32]).reveal();
                assert_eq!(Secret::parse(other, &text).is_ok(), kind == other);
                let same = Secret::new(kind, [1; 32]).digest() == Secret::new(other, [1; 32]).digest();
                assert_eq!(same, kind == other);
            }
        }
    }

    #[test]
    fn shortened_lengthened_and_padded_secrets_are_refused() {
        let text = Secret::new(SecretKind::ApiToken, [255; 32]).reveal();
        assert_eq!(text.len(), 48);
        for bad in ["", "owlt_", &text[..47], &format!("{text}A"), &format!("{text}="), &text[5..]] {
            assert!(Secret::parse(SecretKind::ApiToken, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_derived_secret_depends_on_the_secret_and_the_salt() {
        let secret = Secret::new(SecretKind::Refresh, [1; 32]);
        let derived = secret.derive(b"salt").reveal();
        assert_eq!(secret.derive(b"salt").reveal(), derived);
        assert_ne!(secret.derive(b"other").reveal(), derived);
        assert_ne!(Secret::new(SecretKind::Refresh, [2; 32]).derive(b"salt").reveal(), derived);
    }

    #[test]
    fn nothing_shows_when_printed() {
        let secret = Secret::new(SecretKind::Refresh, [1; 32]);
        assert_eq!(format!("{secret:?} {:?}", secret.digest()), "Secret(Refresh) SecretDigest");
    }
}
