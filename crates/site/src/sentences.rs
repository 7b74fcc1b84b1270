//! What happens in a club, in words: one sentence an event, in every language. The log, the live region, the
//! buttons, undo and previews all have the same.

pub(crate) mod board;
pub(crate) mod chouette;
pub(crate) mod house_rules;
pub(crate) mod matches;
pub(crate) mod tournament;

use owlbox_engine::Win;
use owlbox_locale::Locale;

/// How a game is won (G14).
pub(crate) fn win(t: &Locale, win: Win) -> String {
    t.get(match win {
        Win::Single => "kind-single",
        Win::Gammon => "kind-gammon",
        Win::Backgammon => "kind-backgammon",
    })
}

/// The code of a kind of win in addresses and commands.
pub(crate) const fn win_code(win: Win) -> &'static str {
    match win {
        Win::Single => "single",
        Win::Gammon => "gammon",
        Win::Backgammon => "backgammon",
    }
}

/// Parts of a line, side by side.
pub(crate) fn in_a_row(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(" · ")
}
