//! `owlbox verify`: checks that everything in the database follows from the journal.

use super::progress::Progress;
use owlbox_desk::verify::{Checked, Unverified, verify_telling};
use owlbox_store::{DatabaseUrl, Store};

/// Verifies the database. A server may be running beside it.
///
/// # Errors
/// The first difference, or an error of the database.
pub fn verify(url: &DatabaseUrl) -> Result<Checked, Unverified> {
    let progress = Progress::of("verifying");
    let mut connection = Store::open_to_verify(url)?;
    verify_telling(&mut connection, &|done, all| progress.tell(done, all))
}
