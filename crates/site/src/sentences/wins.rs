//! How a game is won, in words and in addresses.

use owlbox_engine::Win;
use owlbox_locale::Locale;

/// How a game is won, in order of what it costs (G14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Single,
    Gammon,
    Backgammon,
}

impl Kind {
    /// The code in addresses and commands.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Gammon => "gammon",
            Self::Backgammon => "backgammon",
        }
    }

    pub fn text(self, t: &Locale) -> String {
        t.get(match self {
            Self::Single => "kind-single",
            Self::Gammon => "kind-gammon",
            Self::Backgammon => "kind-backgammon",
        })
    }
}

impl From<Win> for Kind {
    fn from(win: Win) -> Self {
        match win {
            Win::Single => Self::Single,
            Win::Gammon => Self::Gammon,
            Win::Backgammon => Self::Backgammon,
        }
    }
}
