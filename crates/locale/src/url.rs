//! Addresses with free text in them: percent encoding for what people typed or named.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters that need no escape in a query's value or in a segment of a path.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Percent-encodes a query's value, or text within a path. A slash stays a slash.
#[must_use]
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}

/// An address with these fields in its query. Empty ones are left out.
#[must_use]
pub fn address(path: &str, fields: &[(&str, String)]) -> String {
    let given = fields.iter().filter(|(_, value)| !value.is_empty());
    let fields: Vec<String> = given.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    if fields.is_empty() { path.to_owned() } else { format!("{path}?{}", fields.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_query_has_what_was_typed_and_no_empty_fields() {
        let typed = [("q", "Ada & Bea".to_owned()), ("status", String::new())];
        assert_eq!(address("/x", &typed), "/x?q=Ada%20%26%20Bea");
        assert_eq!(address("/x", &typed[1..]), "/x");
    }
}
