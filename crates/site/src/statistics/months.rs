//! The chart of a statistics page: what was won and lost month by month.

use super::tallies::in_words;
use owlbox_books::statistics::{Group, Month};
use owlbox_locale::Locale;

/// One column per month, up for wins and down for losses, in a box of 640 × 120.
pub(super) struct MonthChart {
    /// The first month and the last.
    pub ends: [Month; 2],
    /// Each column: left edge, width, height above the line, depth below it, and its description.
    pub columns: Vec<(i64, i64, i64, i64, String)>,
    pub zero: i64,
}

impl MonthChart {
    /// The last five years at most, with a gap for a month without games. `None` if there is only one month.
    pub fn new(t: &Locale, months: &[Group<Month>]) -> Option<Self> {
        let newest = months.last()?;
        let has_room = |month: &&Group<Month>| newest.value.number() - month.value.number() < 60;
        let shown: Vec<_> = months.iter().filter(has_room).collect();
        let oldest = shown.first()?;
        let apart = newest.value.number() - oldest.value.number();
        let up = shown.iter().map(|month| month.record.won).max()?.max(0);
        let down = shown.iter().map(|month| month.record.lost).max()?.max(0);
        let scale = |count: i64| count * 112 / (up + down).max(1);
        // The first column touches the left edge and the last the right one, above the names of their months.
        let wide = (640 / (apart + 1) - 2).clamp(1, 60);
        let column = |month: &&Group<Month>| {
            let said = t.labelled(month.value, in_words(t, &month.record));
            let at = month.value.number() - oldest.value.number();
            let left = (at * (640 - wide)).checked_div(apart)?;
            Some((left, wide, scale(month.record.won), scale(month.record.lost), said))
        };
        Some(Self {
            ends: [oldest.value, newest.value],
            columns: shown.iter().map(column).collect::<Option<_>>()?,
            zero: 4 + scale(up),
        })
    }
}
