//! `owlbox verify`: checks that everything in the database follows from the journal.

use serde_json::json;

use super::args::Listing;
use super::club::{NotEveryClub, for_every_club};
use super::progress::Progress;
use owlbox_desk::verify::{Checked, Unverified, verify_telling};
use owlbox_http::config::Config;
use owlbox_store::{DatabaseUrl, Store};

/// Verifies the database, and returns what was counted. A server may be running beside it.
///
/// # Errors
/// The first difference, or an error of the database.
pub fn verify(url: &DatabaseUrl, asked: Listing) -> Result<String, Unverified> {
    let checked = counted(url)?;
    Ok(if asked.json { json!(checked).to_string() } else { checked.to_string() })
}

/// Verifies every club of the service, and prints what was counted in each, on a line of its own.
///
/// # Errors
/// [`NotEveryClub`], with the first difference in each club that is not in order.
pub fn all(config: &Config, asked: Listing) -> Result<(), NotEveryClub> {
    for_every_club(config, |club, url| {
        let checked = counted(url).map_err(|error| error.to_string())?;
        Ok(if asked.json {
            json!({"club": club, "checked": checked}).to_string()
        } else {
            format!("{club}: {checked}")
        })
    })
}

fn counted(url: &DatabaseUrl) -> Result<Checked, Unverified> {
    let progress = Progress::of("verifying");
    verify_telling(&mut Store::open_to_verify(url)?, &|done, all| progress.tell(done, all))
}
