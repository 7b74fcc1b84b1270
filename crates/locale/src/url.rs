//! Free text in addresses: percent encoding for what people typed or named.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters that need no escape in a query's value or in a segment of a path.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Percent-encodes a query's value, or text within a path. A slash stays a slash.
#[must_use]
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}
