//! Words for codes: kinds of win, and variants.

use owlbox_engine::{Variant, Win};
use owlbox_locale::Locale;

/// How a game is won, in order of what it costs (G14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Single,
    Gammon,
    Backgammon,
}

impl Kind {
    /// The code in addresses and commands.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Gammon => "gammon",
            Self::Backgammon => "backgammon",
        }
    }

    #[must_use]
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

/// The name of the variant. `None` for plain backgammon, which needs no mention.
#[must_use]
pub fn other_game(t: &Locale, played: Variant) -> Option<String> {
    (played != Variant::Standard).then(|| variant(t, played))
}

#[must_use]
pub fn variant(t: &Locale, variant: Variant) -> String {
    t.get(match variant {
        Variant::Standard => "variant-standard",
        Variant::Nackgammon => "variant-nackgammon",
        Variant::HyperBackgammon => "variant-hyper-backgammon",
        Variant::Misere => "variant-misere",
        Variant::Inverse => "variant-inverse",
        Variant::Plakoto => "variant-plakoto",
        Variant::Fevga => "variant-fevga",
    })
}
