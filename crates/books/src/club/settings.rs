//! The club's settings: name, time zone, currencies, what the public may see, and its conventions.

use std::fmt;
use std::str::FromStr;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use super::bank::Iban;
use super::language::Language;
use super::players::ClubName;
use super::seasons::Seasons;
use owlbox_base::permissions::Public;
use owlbox_base::text::one_line;
use owlbox_base::values::{Currency, HalfPoints, InvalidValue, Timestamp};
use owlbox_engine::CubeValue;
use owlbox_play::tournament::rating::Experience;

/// The club's settings, always whole and valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = ClubSettings))]
pub struct Settings {
    /// The club's name, as its pages show it.
    pub name: ClubName,
    /// The time zone of the club's clock. It decides which day a night belongs to.
    pub time_zone: TimeZone,
    /// The currencies that may be played for, the usual one first.
    pub currencies: Currencies,
    /// What is shown without a login.
    pub public: Public,
    /// The number of points at stake from which a table's page warns a player of what the current game may
    /// cost them; `null` if it never does.
    #[serde(default)]
    pub exposure_limit: Option<ExposureLimit>,
    /// Whether a match counts towards the experience with which it is rated: `before` if only earlier matches
    /// do, `including` if the match itself does too. Changing the convention re-rates all matches.
    #[serde(default)]
    pub rating_experience: Experience,
    /// The highest cube that a game between two may be entered with, in a money session, a friendly match or
    /// on the sheet of a tournament match: a power of two from 2 to 1,048,576. In a match it may be as high
    /// as the match is long. Whatever is already open keeps the limit it was opened with; tables have their
    /// house rules.
    #[serde(default)]
    pub highest_cube: HighestCube,
    /// The language of the pages for readers who have picked none and whose browser asks for none of theirs.
    #[serde(default)]
    pub language: Language,
    /// Whether people may ask for a login themselves: `off` if an admin invites everybody, `confirmed` if
    /// people may ask and an admin confirms.
    #[serde(default)]
    pub self_registration: SelfRegistration,
    /// The club's own words for the seats of a chouette. The pages use them in every language.
    #[serde(default)]
    pub seat_words: SeatWords,
    /// The most that one person can put into the books alone, in minor units of any currency; `null` if there
    /// is no limit. A person's adjustments, opening balances, past games, imports and payments of their own
    /// of a day count together, and the fees of each player. What is above it, anything in points, and taking
    /// back what two approved, waits for a second person's approval.
    #[serde(default)]
    pub adjustment_limit: Option<AdjustmentLimit>,
    /// The club's account at a bank, to which members can be shown how to pay what they owe; `null` if it has
    /// none.
    #[serde(default)]
    pub iban: Option<Iban>,
    /// The club's seasons with the rule of each, the latest first; 20 at most.
    #[serde(default)]
    pub seasons: Seasons,
}

/// An amount of money above which what rests on one person's word needs a second: 0 to 100,000,000 minor
/// units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "i64", into = "i64")]
#[cfg_attr(feature = "schema", schema(value_type = i64, minimum = 0, maximum = 100_000_000, example = 5000))]
pub struct AdjustmentLimit(i64);

impl AdjustmentLimit {
    #[must_use]
    pub const fn minor_units(self) -> i64 {
        self.0
    }
}
impl TryFrom<i64> for AdjustmentLimit {
    type Error = InvalidValue;
    fn try_from(amount: i64) -> Result<Self, InvalidValue> {
        let allowed = "0 to 100,000,000 minor units";
        (0..=100_000_000)
            .contains(&amount)
            .then_some(Self(amount))
            .ok_or(InvalidValue { what: "adjustment_limit", allowed })
    }
}
impl From<AdjustmentLimit> for i64 {
    fn from(limit: AdjustmentLimit) -> Self {
        limit.0
    }
}

/// What a club calls the seats of a chouette; `null` for the usual word of the reader's language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatWords {
    /// Who plays alone against all others.
    #[serde(default)]
    pub r#box: Option<SeatWord>,
    /// Who rolls for the team.
    #[serde(default)]
    pub captain: Option<SeatWord>,
    /// The team's other members.
    #[serde(default)]
    pub crew: Option<SeatWord>,
}

owlbox_base::text!(
    /// A club's own word for a seat.
    SeatWord, "seat_words", "1 to 20 visible characters on one line", 20, one_line
);

/// Whether people may ask for a login themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SelfRegistration {
    /// Nobody may ask: an admin invites everybody.
    #[default]
    Off,
    /// Anybody may ask, and gets a login once an admin has confirmed it.
    Confirmed,
}

/// The highest cube a club allows in games between two: a power of two from 2 to 1,048,576; 64 by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "u32", into = "u32")]
#[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 2, maximum = 1_048_576, default = 64, example = 64))]
pub struct HighestCube(CubeValue);

impl HighestCube {
    #[must_use]
    pub const fn cube(self) -> CubeValue {
        self.0
    }
}
impl Default for HighestCube {
    /// The highest face of a doubling cube.
    fn default() -> Self {
        Self(CubeValue::SIXTY_FOUR)
    }
}
impl TryFrom<u32> for HighestCube {
    type Error = InvalidValue;
    fn try_from(value: u32) -> Result<Self, InvalidValue> {
        let cube = CubeValue::try_from(value).ok().filter(|cube| *cube > CubeValue::ONE);
        let allowed = "a power of two from 2 to 1,048,576";
        cube.map(Self).ok_or(InvalidValue { what: "highest_cube", allowed })
    }
}
impl FromStr for HighestCube {
    type Err = InvalidValue;
    fn from_str(value: &str) -> Result<Self, InvalidValue> {
        // Text that is not a number is refused like a number out of range: 0 is one.
        value.parse().unwrap_or(0_u32).try_into()
    }
}
impl From<HighestCube> for u32 {
    fn from(highest: HighestCube) -> Self {
        highest.0.get()
    }
}
impl fmt::Display for HighestCube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The points at stake from which a table's page warns a player: 1 to 1,000,000 whole points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "u32", into = "u32")]
#[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 1_000_000, example = 32))]
pub struct ExposureLimit(u32);

impl ExposureLimit {
    #[must_use]
    pub const fn points(self) -> HalfPoints {
        HalfPoints::from_points(self.0)
    }
}
impl TryFrom<u32> for ExposureLimit {
    type Error = InvalidValue;
    fn try_from(points: u32) -> Result<Self, InvalidValue> {
        if (1..=1_000_000).contains(&points) {
            Ok(Self(points))
        } else {
            Err(InvalidValue { what: "exposure_limit", allowed: "1 to 1,000,000 points" })
        }
    }
}
impl FromStr for ExposureLimit {
    type Err = InvalidValue;
    fn from_str(points: &str) -> Result<Self, InvalidValue> {
        // Text that is not a number is refused like a number out of range: 0 is one.
        points.parse().unwrap_or(0).try_into()
    }
}
impl From<ExposureLimit> for u32 {
    fn from(limit: ExposureLimit) -> Self {
        limit.0
    }
}
impl fmt::Display for ExposureLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Default for Settings {
    /// The settings of a club that nobody has set up: "Owlbox club", UTC, EUR, nothing public.
    fn default() -> Self {
        Self {
            name: ClubName::owlbox(),
            time_zone: TimeZone(Tz::UTC),
            currencies: Currencies::default(),
            public: Public::default(),
            exposure_limit: None,
            rating_experience: Experience::default(),
            highest_cube: HighestCube::default(),
            language: Language::default(),
            self_registration: SelfRegistration::default(),
            seat_words: SeatWords::default(),
            adjustment_limit: None,
            iban: None,
            seasons: Seasons::default(),
        }
    }
}

impl Settings {
    /// The day that a night starting at `moment` belongs to: the club's local date at that moment.
    #[must_use]
    pub fn night_of(&self, moment: Timestamp) -> NaiveDate {
        moment.utc().with_timezone(&self.time_zone.0).date_naive()
    }

    /// The moment at which a day begins on the club's clock. Where clocks are put forward at midnight, that
    /// is an hour later.
    #[must_use]
    pub fn beginning_of(&self, day: NaiveDate) -> Timestamp {
        self.time_zone.moment(day.and_time(NaiveTime::MIN))
    }
}

/// A time zone by its IANA name, like `Europe/Rome`.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schema(value_type = String, example = "Europe/Rome"))]
pub struct TimeZone(pub Tz);

impl TimeZone {
    /// The moment at which clocks there show this: the first, where they show it twice, and an hour later
    /// where they are put forward over it.
    #[must_use]
    pub fn moment(&self, local: NaiveDateTime) -> Timestamp {
        let hours = [0, 1].map(|hours| local + TimeDelta::hours(hours));
        let found = hours.into_iter().find_map(|local| self.0.from_local_datetime(&local).earliest());
        found.map_or_else(|| local.and_utc(), |found| found.to_utc()).into()
    }
}

impl FromStr for TimeZone {
    type Err = InvalidValue;
    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        name.parse().map(Self).map_err(|_| InvalidValue {
            what: "time_zone",
            allowed: "a name of the IANA time zone database, like Europe/Rome",
        })
    }
}
impl TryFrom<String> for TimeZone {
    type Error = InvalidValue;
    fn try_from(name: String) -> Result<Self, InvalidValue> {
        name.parse()
    }
}
impl From<TimeZone> for String {
    fn from(zone: TimeZone) -> Self {
        zone.0.name().to_owned()
    }
}
impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}
impl fmt::Debug for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// One to ten different currencies, the usual one first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "Vec<Currency>", into = "Vec<Currency>")]
#[cfg_attr(feature = "schema", schema(value_type = Vec<Currency>, min_items = 1, max_items = 10, example = json!(["EUR", "USD"])))]
pub struct Currencies(Vec<Currency>);

impl Currencies {
    /// The most currencies a club can have.
    pub const MAX: usize = 10;

    /// The currencies, the usual one first; never empty.
    #[must_use]
    pub fn as_slice(&self) -> &[Currency] {
        &self.0
    }

    /// Whether the club plays for `currency`.
    #[must_use]
    pub fn contains(&self, currency: Currency) -> bool {
        self.0.contains(&currency)
    }
}

impl Default for Currencies {
    fn default() -> Self {
        #[expect(clippy::expect_used, reason = "EUR is three capital letters")]
        let euro = "EUR".parse().expect("a currency");
        Self(vec![euro])
    }
}
impl TryFrom<Vec<Currency>> for Currencies {
    type Error = InvalidValue;
    fn try_from(list: Vec<Currency>) -> Result<Self, InvalidValue> {
        let repeated =
            list.iter().enumerate().any(|(at, currency)| list.iter().take(at).any(|c| c == currency));
        if list.is_empty() || list.len() > Self::MAX || repeated {
            return Err(InvalidValue { what: "currencies", allowed: "1 to 10 different currencies" });
        }
        Ok(Self(list))
    }
}
impl From<Currencies> for Vec<Currency> {
    fn from(currencies: Currencies) -> Self {
        currencies.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(zone: &str) -> Settings {
        Settings { time_zone: zone.parse().unwrap(), ..Settings::default() }
    }

    #[test]
    fn a_day_begins_at_midnight_on_the_clubs_clock() {
        for (zone, day, begins) in [
            ("Europe/Rome", "2026-11-20", "2026-11-19T23:00:00Z"),
            ("Europe/Rome", "2026-07-01", "2026-06-30T22:00:00Z"),
            ("UTC", "2026-11-20", "2026-11-20T00:00:00Z"),
            // In Beirut clocks go from midnight to one o'clock.
            ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z"),
        ] {
            let at: Timestamp = serde_json::from_value(begins.into()).unwrap();
            assert_eq!(settings(zone).beginning_of(day.parse().unwrap()), at, "{zone} {day}");
        }
    }

    #[test]
    fn a_clubs_word_for_a_seat_is_one_short_line() {
        let read = |written: &str| written.parse::<SeatWord>().ok().map(|word| word.to_string());
        assert_eq!(read("  Capo   di tutti "), Some("Capo di tutti".to_owned()));
        assert_eq!(read("Mannschaftskapitän!!"), Some("Mannschaftskapitän!!".to_owned()));
        for bad in ["", " ", "Mannschaftskapitän!!!", "Ca\u{202e}po"] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_night_belongs_to_the_day_it_began_on_the_clubs_clock() {
        let at = |text: &str| -> Timestamp { serde_json::from_value(text.into()).unwrap() };
        let date = |text: &str| text.parse::<NaiveDate>().unwrap();
        let cases = [
            ("Europe/Rome", "2026-11-20T22:59:59Z", "2026-11-20"),
            ("Europe/Rome", "2026-11-20T23:00:00Z", "2026-11-21"),
            ("America/New_York", "2026-11-21T04:59:59Z", "2026-11-20"),
            ("UTC", "2026-11-20T23:59:59Z", "2026-11-20"),
            // The night the clocks go back.
            ("Europe/Rome", "2026-10-24T22:30:00Z", "2026-10-25"),
            ("Europe/Rome", "2026-10-25T22:30:00Z", "2026-10-25"),
        ];
        for (zone, moment, day) in cases {
            assert_eq!(settings(zone).night_of(at(moment)), date(day), "{zone} {moment}");
        }
    }

    #[test]
    fn settings_survive_json_and_say_every_field() {
        let json = r#"{"name":"Owlbox club","time_zone":"UTC","currencies":["EUR"],"public":{"tables":false,"standings":false},"exposure_limit":null,"rating_experience":"before","highest_cube":64,"language":"en","self_registration":"off","seat_words":{"box":null,"captain":null,"crew":null},"adjustment_limit":null,"iban":null,"seasons":[]}"#;
        assert_eq!(serde_json::to_string(&Settings::default()).unwrap(), json);
        assert_eq!(serde_json::from_str::<Settings>(json).unwrap(), Settings::default());
        let refused = [
            json.replace("UTC", "Mars/Olympus"),
            json.replace(r#"["EUR"]"#, "[]"),
            json.replace(r#"["EUR"]"#, r#"["EUR","EUR"]"#),
            json.replace("Owlbox club", "   "),
            json.replace(r#""tables""#, r#""chairs""#),
            json.replace(r#""name""#, r#""title""#),
            json.replacen("null", "0", 1),
            json.replacen("null", "1000001", 1),
            json.replacen("null", "1.5", 1),
            json.replace(r#""box":null"#, r#""box":" ""#),
            json.replace(r#""box":null"#, r#""box":"123456789012345678901""#),
            json.replace(r#""crew":null"#, r#""cook":null"#),
            json.replace("64", "1"),
            json.replace("64", "96"),
            json.replace("64", "2097152"),
        ];
        for bad in refused {
            assert!(serde_json::from_str::<Settings>(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_limit_of_exposure_is_whole_points_and_settings_of_old_have_none() {
        let old = r#"{"name":"Old","time_zone":"UTC","currencies":["EUR"],"public":{"tables":true,"standings":false}}"#;
        let read: Settings = serde_json::from_str(old).unwrap();
        assert_eq!((read.exposure_limit, u32::from(read.highest_cube)), (None, 64));
        assert_eq!((read.seat_words, read.seasons), (SeatWords::default(), Seasons::default()));
        for (typed, points) in [("1", Some(2)), ("1000000", Some(2_000_000)), ("0", None), ("1000001", None)]
        {
            assert_eq!(typed.parse::<ExposureLimit>().ok().map(|limit| limit.points().0), points, "{typed}");
        }
        for bad in ["", "-3", "1.5", "lots", "99999999999"] {
            assert!(bad.parse::<ExposureLimit>().is_err(), "{bad}");
        }
    }

    #[test]
    fn ten_currencies_fit_and_eleven_do_not() {
        let list = |count: u8| -> Vec<Currency> {
            (0..count).map(|n| format!("AA{}", char::from(b'A' + n)).parse().unwrap()).collect()
        };
        assert!(Currencies::try_from(list(10)).is_ok());
        assert!(Currencies::try_from(list(11)).is_err());
    }
}
