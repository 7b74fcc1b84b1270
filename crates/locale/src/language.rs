//! The choice of a language: the reader's cookie, else the best match of `Accept-Language`, else the club's.

use owlbox_books::club::Language;

/// The cookie with the language that the reader picked.
pub const LANGUAGE_COOKIE: &str = "owlbox_language";

/// The reader's own choice: their cookie's, else the best match of `Accept-Language`.
#[must_use]
pub fn chosen_language(cookie: Option<&str>, accept_language: Option<&str>) -> Option<Language> {
    cookie.and_then(Language::from_tag).or_else(|| accept_language.and_then(best_accepted))
}

/// The language with the highest weight in an `Accept-Language` header, the first among equals.
fn best_accepted(header: &str) -> Option<Language> {
    let mut best: Option<(f32, Language)> = None;
    for choice in header.split(',') {
        let (tag, weight) = choice.split_once(';').unwrap_or((choice, "q=1"));
        let weight: f32 = weight.trim().strip_prefix("q=").and_then(|q| q.parse().ok()).unwrap_or(0.0);
        let heavier = weight > best.map_or(0.0, |(heaviest, _)| heaviest);
        if let (true, Some(language)) = (heavier, Language::from_tag(tag.trim())) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_goes_before_the_browser() {
        use Language::{English, French, Italian};
        let cases = [
            (None, None, None),
            (Some("it"), Some("en"), Some(Italian)),
            (Some("xx"), Some("it-CH,it;q=0.9,en;q=0.8"), Some(Italian)),
            (None, Some("nl, en;q=0.5, it;q=0.7"), Some(Italian)),
            (None, Some("fr-CA, fr;q=0.9, en;q=0.9"), Some(French)),
            (None, Some("*, en;q=0.1"), Some(English)),
            (None, Some("nl;q=1.0, *;q=0.1"), None),
            (None, Some("it;q=0"), None),
            (None, Some(";;q=,,"), None),
        ];
        for (cookie, header, expected) in cases {
            assert_eq!(chosen_language(cookie, header), expected, "{cookie:?} {header:?}");
        }
    }
}
