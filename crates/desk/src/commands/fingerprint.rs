//! A fingerprint of what somebody has seen, by which a form that was made from something else is found.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// A hash that identifies a value, whatever else has changed since it was looked at.
#[must_use]
pub fn fingerprint(seen: &impl Serialize) -> String {
    // By way of a value, so that what was typed is like what is stored. It cannot fail: whatever a form is
    // made from is also stored as JSON.
    let written = serde_json::to_value(seen).unwrap_or(Value::Null).to_string();
    Sha256::digest(written).iter().map(|byte| format!("{byte:02x}")).collect()
}
