//! `owlbox verify`: is everything in the database what the journal says?

use owlbox_desk::verify::{Checked, Unverified};
use owlbox_store::{DatabaseUrl, Store};

/// Verifies the database, also beside a running server.
///
/// # Errors
/// The first difference, or that the database cannot be read.
pub fn verify(url: &DatabaseUrl) -> Result<Checked, Unverified> {
    let mut connection = Store::open_for_reading(url)?;
    owlbox_desk::verify::verify(&mut connection)
}
