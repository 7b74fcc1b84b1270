//! `owlbox verify`: checks that everything in the database follows from the journal.

use owlbox_desk::verify::{Checked, Unverified};
use owlbox_store::{DatabaseUrl, Store};

/// Verifies the database. A server may be running beside it.
///
/// # Errors
/// The first difference, or an error of the database.
pub fn verify(url: &DatabaseUrl) -> Result<Checked, Unverified> {
    let mut connection = Store::open_to_verify(url)?;
    owlbox_desk::verify::verify(&mut connection)
}
