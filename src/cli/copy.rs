//! `owlbox copy`: moves a club to another database, of the same kind or the other.

use secrecy::{ExposeSecret as _, SecretString};

use super::args::CopyClub;
use super::progress::Progress;
use owlbox_desk::verify::copying::{self, NotCopied};
use owlbox_store::DatabaseUrl;

/// Why the club was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyFailed {
    #[error("{argument}: this value (not shown) is not allowed; allowed: {why}")]
    Address { argument: &'static str, why: String },
    #[error(transparent)]
    NotCopied(#[from] NotCopied),
}

/// Copies the club. Returns a message for the console.
///
/// # Errors
/// [`CopyFailed`]. Nothing of the copy was kept, unless it says that nobody knows.
pub fn copy(CopyClub { from, to }: &CopyClub) -> Result<String, CopyFailed> {
    let (from, to) = (address("--from", from)?, address("--to", to)?);
    let progress = Progress::of("copying the club");
    let copied = copying::copy(&from, &to, &|done, all| progress.tell(done, all))?;
    Ok(format!("copied {from} to {to}: {copied}"))
}

/// Read here and not with the arguments: a message about those quotes them, and this may hold a password.
fn address(argument: &'static str, given: &SecretString) -> Result<DatabaseUrl, CopyFailed> {
    given
        .expose_secret()
        .parse::<DatabaseUrl>()
        .map_err(|why| CopyFailed::Address { argument, why: why.to_string() })
}
