//! What happens in a club, in words: one sentence an event, in every language. The log, the live region, the buttons,
//! undo and previews all have the same.

pub(crate) mod board;
pub(crate) mod chouette;
pub(crate) mod house_rules;
pub(crate) mod matches;
pub(crate) mod tournament;
pub(crate) mod wins;

/// Parts of a line, side by side.
pub(crate) fn in_a_row(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(" · ")
}
