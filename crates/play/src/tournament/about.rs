//! The public details of a tournament: its name, date and place, when players may enter, its prizes and
//! rules.

use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use owlbox_base::text::{lines, one_line};
use owlbox_base::values::{Currency, InvalidValue, Timestamp, is_in_calendar};

owlbox_base::text!(
    /// The name of a tournament or a division.
    Title, "name", "1 to 80 visible characters on one line", 80, one_line
);
owlbox_base::text!(
    /// A place, a reason or another short remark.
    Remark, "text", "1 to 200 visible characters on one line", 200, one_line
);
owlbox_base::text!(
    /// A longer text: prizes, rules, how to get there.
    #[cfg_attr(feature = "schema", schema(as = TournamentSheet))]
    LongText, "text", "1 to 10,000 visible characters", 10_000, lines
);

impl Default for Title {
    /// The name of a division that is open to all.
    fn default() -> Self {
        Self("Open".to_owned())
    }
}

/// A time of day by the club's clock, to the minute: `19:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$", example = "19:30"))]
pub struct TimeOfDay(
    /// Minutes since midnight: below 1,440.
    u16,
);

impl fmt::Display for TimeOfDay {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl FromStr for TimeOfDay {
    type Err = InvalidValue;

    fn from_str(written: &str) -> Result<Self, InvalidValue> {
        let part = |digits: &str, below: u16| {
            let two = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
            digits.parse::<u16>().ok().filter(|part| two && *part < below)
        };
        let parts = written.split_once(':');
        let parts = parts.and_then(|(hour, minute)| Some((part(hour, 24)?, part(minute, 60)?)));
        let (hour, minute) = parts.ok_or(InvalidValue { what: "time", allowed: "00:00 to 23:59" })?;
        Ok(Self(hour * 60 + minute))
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = InvalidValue;

    fn try_from(written: String) -> Result<Self, InvalidValue> {
        written.parse()
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> Self {
        time.to_string()
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
    /// When play starts on that day, by the club's clock. Absent if that is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<TimeOfDay>,
    /// The venue, with a remark if one is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Remark>,
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
    pub prizes: Option<LongText>,
    /// The rules of play, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<LongText>,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_time_of_day_is_two_digits_and_two() {
        for written in ["00:00", "09:05", "19:30", "23:59"] {
            assert_eq!(written.parse::<TimeOfDay>().unwrap().to_string(), written);
            assert_eq!(json!(serde_json::from_value::<TimeOfDay>(json!(written)).unwrap()), json!(written));
        }
        for wrong in ["", "24:00", "12:60", "9:30", "19:3", "+9:30", "19.30", "19:30:00", "noon"] {
            assert!(wrong.parse::<TimeOfDay>().is_err(), "{wrong}");
        }
    }
}
