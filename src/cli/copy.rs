//! `owlbox copy`: moves a club to another database, of the same kind or the other.

use super::args::CopyClub;
use super::progress::Progress;
use owlbox_desk::verify::copying::{self, NotCopied};

/// Copies the club. Returns a message for the console.
///
/// # Errors
/// [`NotCopied`]. Nothing of the copy was kept.
pub fn copy(CopyClub { from, to }: &CopyClub) -> Result<String, NotCopied> {
    let progress = Progress::of("copying the club");
    let copied = copying::copy(from, to, &|done, all| progress.tell(done, all))?;
    Ok(format!("{from} is copied to {to}: {copied}"))
}
