//! The public details of a tournament: its name, date and place, when players may enter, its prizes and
//! rules.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::text::{lines, one_line, text};
use crate::values::{Currency, Timestamp, is_in_calendar};

text!(
    /// The name of a tournament or a division.
    Title, "name", "1 to 80 visible characters on one line", 80, one_line
);
text!(
    /// A place, a reason or another short remark.
    #[cfg_attr(feature = "schema", schema(as = Remark))]
    Line, "text", "1 to 200 visible characters on one line", 200, one_line
);
text!(
    /// A longer text: prizes, rules, how to get there.
    #[cfg_attr(feature = "schema", schema(as = TournamentSheet))]
    Sheet, "text", "1 to 10,000 visible characters", 10_000, lines
);

impl Default for Title {
    /// The name of a division that is open to all.
    fn default() -> Self {
        Self("Open".to_owned())
    }
}

/// The details of a tournament: everything but its divisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = AboutTournament))]
pub struct About {
    pub name: Title,
    /// The first day of play.
    pub date: NaiveDate,
    /// The venue, with a remark if one is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Line>,
    /// From when players may enter themselves. Absent means that only the director enters them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries_open: Option<Timestamp>,
    /// When entries by players close. Absent means with the draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries_close: Option<Timestamp>,
    /// The currency of fees and prizes. Absent means that there is no money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// What can be won, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<Sheet>,
    /// The rules of play, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Sheet>,
    /// Whether it can be viewed without a login.
    #[serde(default)]
    pub public: bool,
}

impl About {
    /// The first field with a date or time outside the calendar (1900 to 2200); `None` if there is none.
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
