//! A reader's choice of how pages look in this browser: as the device says, light, dark, or dim for a dark
//! room, with larger type on a tablet.
//!
//! It is kept in a cookie, like the language, and nowhere else. `owlbox.css` has the colours.

use strum::{IntoStaticStr, VariantArray};

/// The name of the cookie that keeps the choice.
pub(crate) const THEME_COOKIE: &str = "owlbox_theme";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Theme {
    /// As the device says.
    #[default]
    Device,
    Light,
    Dark,
    Dim,
}

impl Theme {
    /// Reads the cookie or a form. The default applies if there is none, or one that we did not write.
    #[must_use]
    pub fn from_word(word: Option<&str>) -> Self {
        Self::VARIANTS.iter().copied().find(|theme| word == Some(theme.word())).unwrap_or_default()
    }

    /// The theme in forms, in the cookie and in the style sheet.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.into_str()
    }

    /// The theme, unless it is left to the device.
    #[must_use]
    pub fn chosen(self) -> Option<&'static str> {
        (self != Self::Device).then_some(self.word())
    }

    /// The key of its name.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Device => "theme-device",
            Self::Light => "theme-light",
            Self::Dark => "theme-dark",
            Self::Dim => "theme-dim",
        }
    }

    /// The colour schemes that pages may have, as CSS names them, each with its colour of the ground.
    #[must_use]
    pub const fn schemes(self) -> &'static [(&'static str, &'static str)] {
        const SCHEMES: [(&str, &str); 3] = [("dark", "#14181f"), ("light", "#f6f4ef"), ("dark", "#0d0a07")];
        let [night, day, dim] = &SCHEMES;
        match self {
            Self::Device => SCHEMES.split_at(2).0,
            Self::Light => std::slice::from_ref(day),
            Self::Dark => std::slice::from_ref(night),
            Self::Dim => std::slice::from_ref(dim),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_as_it_was_kept_and_nonsense_is_left_to_the_device() {
        for theme in Theme::VARIANTS {
            assert_eq!(Theme::from_word(Some(theme.word())), *theme);
        }
        for nothing in [None, Some(""), Some("Dark"), Some("dark ")] {
            assert_eq!(Theme::from_word(nothing), Theme::Device, "{nothing:?}");
        }
    }
}
