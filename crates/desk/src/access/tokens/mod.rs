//! Tokens: what a browser, a script or a link shows to prove whose it is.
//!
//! * [`access`]: signed tokens of fifteen minutes, checked without the database; and the tokens that
//!   prove a form came from our own page.
//! * [`entry_link`]: signed links for entries of tournaments.
//! * `mac`: HMAC-SHA256, which signs them.
//! * [`opaque`]: random secrets of which only a hash is kept: refresh tokens, API tokens, links.
//! * [`refresh`]: what to do when a refresh token is shown.
//! * [`setup`]: the one-time code the console shows for setting the club up.
//! * [`attempts`]: how often signing in may fail.
//!
//! Pure decisions all of them: time and stored records come in, and so do random bytes, which
//! [`random`] is there to draw. Every comparison of secrets takes constant time, and no secret shows
//! when printed with `{:?}`.

pub mod access;
pub mod attempts;
pub mod entry_link;
mod mac;
pub mod opaque;
pub mod refresh;
pub mod setup;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use access::{AccessClaims, AccessGrant, KeyRing, SigningKey, TokenRefusal};
pub use attempts::{AttemptPolicy, Attempts, FailureCounts};
pub use entry_link::{EntryGrant, EntryLink};
pub use opaque::{Secret, SecretDigest, SecretKind};
pub use refresh::{RefreshDecision, RefreshRecord};
pub use setup::SetupCode;

/// A session: everything that grew out of one sign-in, its refresh tokens being one family.
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

/// Random bytes fit for secrets, for callers to hand in; nothing in this room calls it.
#[must_use]
pub fn random<const COUNT: usize>() -> [u8; COUNT] {
    let mut bytes = [0; COUNT];
    #[expect(clippy::expect_used, reason = "without the system's randomness no secret may be made at all")]
    getrandom::fill(&mut bytes).expect("the system's source of randomness");
    bytes
}
