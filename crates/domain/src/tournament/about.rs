//! What everybody may know of a tournament: its name, when and where it is, what it costs and what can be won.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::text::{lines, one_line, text};
use crate::values::{Currency, Timestamp, is_in_calendar};

text!(
    /// What a tournament or a division is called.
    Title, "name", "1 to 80 visible characters on one line", 80, one_line
);
text!(
    /// Where it is, or a short remark.
    #[cfg_attr(feature = "schema", schema(as = Remark))]
    Line, "text", "1 to 200 visible characters on one line", 200, one_line
);
text!(
    /// A sheet: prizes, rules, how to get there.
    #[cfg_attr(feature = "schema", schema(as = TournamentSheet))]
    Sheet, "text", "1 to 10,000 visible characters", 10_000, lines
);

impl Default for Title {
    /// A division that is open to everybody.
    fn default() -> Self {
        Self("Open".to_owned())
    }
}

/// What a tournament is: everything about it but its divisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = AboutTournament))]
pub struct About {
    /// What it is called.
    pub name: Title,
    /// The day on which it begins.
    pub date: NaiveDate,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Line>,
    /// From when players may enter themselves. Without it they may not: the director enters them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries_open: Option<Timestamp>,
    /// Until when; without it until the draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries_close: Option<Timestamp>,
    /// What fees and prizes are paid in; without it there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// What can be won, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<Sheet>,
    /// The rules sheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Sheet>,
    /// Whether everybody may look at it without a login.
    #[serde(default)]
    pub public: bool,
}

impl About {
    /// The first field with a day or a time that no club can mean, if there is one.
    #[must_use]
    pub fn outside_calendar(&self) -> Option<&'static str> {
        let strange = |moment: Option<Timestamp>| moment.is_some_and(|moment| !moment.is_in_calendar());
        if !is_in_calendar(self.date) {
            Some("date")
        } else if strange(self.entries_open) {
            Some("entries_open")
        } else if strange(self.entries_close) {
            Some("entries_close")
        } else {
            None
        }
    }

    /// Whether players may enter themselves at this moment.
    #[must_use]
    pub fn takes_entries(&self, now: Timestamp) -> bool {
        self.entries_open.is_some_and(|open| open <= now)
            && self.entries_close.is_none_or(|close| now < close)
    }
}
