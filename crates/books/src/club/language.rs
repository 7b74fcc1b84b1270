//! The languages of the pages.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A language of the pages, written as its BCP 47 tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Language {
    /// Also for readers of languages that the pages do not have.
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "de")]
    German,
    #[serde(rename = "fr")]
    French,
    #[serde(rename = "it")]
    Italian,
}

impl Language {
    /// Every language, in the order of the picker.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;

    /// The BCP 47 tag, also for the cookie and the `lang` attribute.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Italian => "it",
        }
    }

    /// The language's name in itself, as its readers look for it.
    #[must_use]
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
            Self::French => "Français",
            Self::Italian => "Italiano",
        }
    }

    /// The language of a tag such as `it` or `it-CH`.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next()?.trim();
        Self::ALL.iter().copied().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_written_as_its_tag() {
        for language in Language::ALL {
            assert_eq!(serde_json::to_value(language).unwrap(), language.tag());
            assert_eq!(Language::from_tag(language.tag()), Some(*language));
        }
        assert_eq!(Language::from_tag("de-CH"), Some(Language::German));
        assert_eq!(Language::from_tag("nl"), None);
    }
}
