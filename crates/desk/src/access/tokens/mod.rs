//! Tokens: what a browser, a script or a link shows as proof.
//!
//! * [`access`]: signed tokens of fifteen minutes, checked without the database; and the CSRF tokens of
//!   forms.
//! * [`entry_link`]: signed links to tournament entries.
//! * `held`: the keys in use, and how they are exchanged.
//! * `mac`: HMAC-SHA256, which signs them.
//! * [`opaque`]: random secrets stored only as a hash: refresh tokens, API tokens, single-use links.
//! * [`refresh`]: the decision on a refresh token that is shown.
//! * [`setup`]: the set-up code, shown on the console.
//! * `statement`: the signature of statements.
//! * [`attempts`]: the limit on failed attempts to sign in.
//!
//! All of these are pure functions of the time, the stored records and the random bytes passed in; [`random`]
//! draws those bytes. Every comparison of secrets takes constant time, and `{:?}` shows no secret.

pub mod access;
pub mod attempts;
pub mod entry_link;
mod held;
mod mac;
pub mod opaque;
pub mod refresh;
pub mod setup;
mod statement;

use std::fmt;
use std::str::FromStr;

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use access::{AccessClaims, AccessGrant, KeyRing, SigningKey, TokenRefusal};
pub use attempts::{AttemptPolicy, Attempts, FailureCounts};
pub use entry_link::{EntryGrant, EntryLink};
pub use held::HeldKeys;
pub use opaque::{Secret, SecretDigest, SecretKind};
pub use refresh::{RefreshDecision, RefreshRecord};
pub use setup::SetupCode;

/// A session: everything that began with one sign-in. Its refresh tokens form one family.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct SessionId(pub Uuid);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionId({})", self.0)
    }
}
impl FromStr for SessionId {
    type Err = uuid::Error;
    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        Uuid::parse_str(text).map(Self)
    }
}

/// A secret for one of many clubs, from the one that they share and what tells the club from all others.
#[must_use]
pub fn derived(secret: &SecretString, club: Uuid) -> SecretString {
    let message = [b"owlbox club 1 ".as_slice(), club.as_bytes()].concat();
    let tag = mac::Key::new(secret.expose_secret().as_bytes()).sign(&message);
    tag.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

/// Random bytes for secrets. For callers to pass in; nothing in this module calls it.
///
/// # Panics
/// If the system has no source of randomness.
#[must_use]
pub fn random<const COUNT: usize>() -> [u8; COUNT] {
    let mut bytes = [0; COUNT];
    #[expect(clippy::expect_used, reason = "without the system's randomness no secret may be made at all")]
    getrandom::fill(&mut bytes).expect("the system's source of randomness");
    bytes
}
