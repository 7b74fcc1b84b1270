//! The languages of the pages, and the choice between them: the reader's cookie, else the best match of
//! `Accept-Language`, else English.

/// The cookie with the language that the reader picked.
pub const LANGUAGE_COOKIE: &str = "owlbox_language";

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Also for readers of languages that the pages do not have.
    #[default]
    English,
    Italian,
}

impl Language {
    /// Every language, in the order of the picker.
    pub const ALL: [Self; 2] = [Self::English, Self::Italian];

    /// The BCP 47 tag, for the cookie and the `lang` attribute.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Italian => "it",
        }
    }

    /// The language's name in itself, as its readers look for it.
    #[must_use]
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Italian => "Italiano",
        }
    }

    /// The language of a tag such as `it` or `it-CH`.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next()?.trim();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// The cookie's choice, else the best match of `Accept-Language`, else English.
    #[must_use]
    pub fn choose(cookie: Option<&str>, accept_language: Option<&str>) -> Self {
        cookie
            .and_then(Self::from_tag)
            .or_else(|| accept_language.and_then(Self::best_accepted))
            .unwrap_or_default()
    }

    /// The language with the highest weight in an `Accept-Language` header, the first among equals.
    fn best_accepted(header: &str) -> Option<Self> {
        let mut best: Option<(f32, Self)> = None;
        for choice in header.split(',') {
            let (tag, weight) = choice.split_once(';').unwrap_or((choice, "q=1"));
            let weight: f32 = weight.trim().strip_prefix("q=").and_then(|q| q.parse().ok()).unwrap_or(0.0);
            let heavier = weight > best.map_or(0.0, |(heaviest, _)| heaviest);
            if let (true, Some(language)) = (heavier, Self::from_tag(tag.trim())) {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_goes_before_the_browser_and_english_stands_in() {
        use Language::{English, Italian};
        let cases = [
            (None, None, English),
            (Some("it"), Some("en"), Italian),
            (Some("xx"), Some("it-CH,it;q=0.9,en;q=0.8"), Italian),
            (None, Some("fr, en;q=0.5, it;q=0.7"), Italian),
            (None, Some("fr;q=1.0, *;q=0.1"), English),
            (None, Some("it;q=0"), English),
            (None, Some(";;q=,,"), English),
        ];
        for (cookie, header, expected) in cases {
            assert_eq!(Language::choose(cookie, header), expected, "{cookie:?} {header:?}");
        }
    }
}
