//! `owlbox verify`: checks that everything in the database follows from the journal.

use serde_json::json;

use super::args::Listing;
use super::progress::Progress;
use owlbox_desk::verify::{Unverified, verify_telling};
use owlbox_store::{DatabaseUrl, Store};

/// Verifies the database, and returns what was counted. A server may be running beside it.
///
/// # Errors
/// The first difference, or an error of the database.
pub fn verify(url: &DatabaseUrl, asked: Listing) -> Result<String, Unverified> {
    let progress = Progress::of("verifying");
    let mut connection = Store::open_to_verify(url)?;
    let checked = verify_telling(&mut connection, &|done, all| progress.tell(done, all))?;
    Ok(if asked.json { json!(checked).to_string() } else { checked.to_string() })
}
