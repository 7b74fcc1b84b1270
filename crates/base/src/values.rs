//! The small values every module shares: half points, money, ids, times and household addresses.
//!
//! Each type is checked where it is made, so a value in hand is a valid one. Nothing here does I/O, and no
//! floating-point number comes near an amount.

use std::fmt;
use std::iter::Sum;
use std::net::{IpAddr, Ipv6Addr};
use std::ops::{Add, AddAssign, Neg, Sub};
use std::str::FromStr;

use chrono::{DateTime, Datelike as _, NaiveDate, SubsecRound, Utc};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use uuid::Uuid;

/// A score in whole numbers of half points: 3 is a point and a half.
//
// The largest score that can arise (cube cap × players' stakes × backgammon × a full table × a long night) is
// far inside an `i64`, so plain arithmetic is safe. Its worth in money may not fit: see [`Stake::worth`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct HalfPoints(pub i64);

impl HalfPoints {
    pub const ZERO: Self = Self(0);

    /// Converts whole points to half points.
    #[must_use]
    pub const fn from_points(points: u32) -> Self {
        Self(points as i64 * 2)
    }
}

impl fmt::Display for HalfPoints {
    /// Always signed unless zero, with halves as ½: `+3`, `-1½`, `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0");
        }
        f.write_str(if self.0 > 0 { "+" } else { "-" })?;
        let magnitude = self.0.unsigned_abs();
        match (magnitude / 2, magnitude % 2) {
            (0, _) => f.write_str("½"),
            (whole, 0) => write!(f, "{whole}"),
            (whole, _) => write!(f, "{whole}½"),
        }
    }
}

impl Add for HalfPoints {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}
impl AddAssign for HalfPoints {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}
impl Sub for HalfPoints {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}
impl Neg for HalfPoints {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}
impl Sum for HalfPoints {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.map(|amount| amount.0).sum())
    }
}

pub use owlbox_engine::InvalidValue;

/// A currency: an ISO 4217 code of three capital letters, like `EUR`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schema(value_type = String, example = "EUR", pattern = "^[A-Z]{3}$"))]
pub struct Currency([u8; 3]);

impl Currency {
    /// The euro.
    pub const EURO: Self = Self(*b"EUR");

    /// The code, three capital letters.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("???")
    }

    /// The number of decimal digits of the minor unit (ISO 4217): 2 except for a few currencies.
    #[must_use]
    pub fn decimals(&self) -> u32 {
        match self.code() {
            "JPY" | "KRW" | "ISK" | "CLP" | "VND" | "XAF" | "XOF" | "PYG" | "UGX" => 0,
            "BHD" | "KWD" | "JOD" | "OMR" | "TND" => 3,
            _ => 2,
        }
    }
}

impl FromStr for Currency {
    type Err = InvalidValue;
    fn from_str(code: &str) -> Result<Self, InvalidValue> {
        match code.as_bytes() {
            &[a, b, c] if [a, b, c].iter().all(u8::is_ascii_uppercase) => Ok(Self([a, b, c])),
            _ => {
                Err(InvalidValue { what: "currency", allowed: "three capital letters (ISO 4217), like EUR" })
            }
        }
    }
}
impl TryFrom<String> for Currency {
    type Error = InvalidValue;
    fn try_from(code: String) -> Result<Self, InvalidValue> {
        code.parse()
    }
}
impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code().to_owned()
    }
}
impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// An amount of money in whole **minor units** (cents) of whatever currency goes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct MinorUnits(pub i64);

impl Neg for MinorUnits {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// What is played for in money: the worth of one point or, on the sheet of a match, of the whole match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Stake {
    /// Minor units per point, or for the whole match, 1 to 100,000,000. No player may be able to win or lose
    /// more than 10^15 minor units in one game. That counts twenty bets, a backgammon each, the cube at its
    /// cap and players' own stakes. Where the cube has no cap (2^20) and everybody plays for the same stake,
    /// a point is worth 15,894,571 at most.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 100_000_000, example = 500))]
    pub amount: StakeAmount,
    pub currency: Currency,
}

/// Minor units per point, or for a whole match: 1 to 100,000,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "i64", into = "i64")]
#[cfg_attr(feature = "schema", schema(value_type = i64))]
pub struct StakeAmount(i64);

impl StakeAmount {
    /// The most a point may be worth anywhere. A table sets a lower limit where the cube may go high, so that
    /// no night leaves the range of an `i64`.
    pub const MAX: i64 = 100_000_000;
}
impl TryFrom<i64> for StakeAmount {
    type Error = InvalidValue;
    fn try_from(amount: i64) -> Result<Self, InvalidValue> {
        if (1..=Self::MAX).contains(&amount) {
            Ok(Self(amount))
        } else {
            Err(InvalidValue { what: "stake", allowed: "1 to 100,000,000 minor units" })
        }
    }
}
impl From<StakeAmount> for i64 {
    fn from(amount: StakeAmount) -> Self {
        amount.0
    }
}

impl Stake {
    /// The worth of `score`. `None` if half a point of an odd stake would [split](Self::splits) a minor unit,
    /// or if the amount does not fit an `i64`.
    #[must_use]
    pub fn worth(&self, score: HalfPoints) -> Option<MinorUnits> {
        let doubled = self.doubled(score);
        (doubled % 2 == 0).then(|| i64::try_from(doubled / 2).ok().map(MinorUnits)).flatten()
    }

    /// Whether `score` is not worth a whole number of minor units.
    #[must_use]
    pub fn splits(&self, score: HalfPoints) -> bool {
        self.doubled(score) % 2 != 0
    }

    fn doubled(&self, score: HalfPoints) -> i128 {
        i128::from(score.0) * i128::from(self.amount.0)
    }
}

/// Characters that change how the text around them is shown, or show nothing: with one of them a name could
/// pass for another, or for none.
#[must_use]
pub const fn is_deceptive(character: char) -> bool {
    matches!(character, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// A moment in UTC, truncated to whole microseconds. Both databases keep that much, so a value read back
/// equals the one written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Timestamp(DateTime<Utc>);

impl Timestamp {
    /// The moment as a `chrono` value.
    #[must_use]
    pub const fn utc(&self) -> DateTime<Utc> {
        self.0
    }

    /// Whether the moment falls on a day in the calendar: see [`is_in_calendar`].
    #[must_use]
    pub fn is_in_calendar(&self) -> bool {
        is_in_calendar(self.0.date_naive())
    }

    /// Reads a moment from a request, for `#[serde(deserialize_with)]`. Stored moments are read without this
    /// check.
    ///
    /// # Errors
    /// The text is not a moment, or the moment is not [in the calendar](Self::is_in_calendar).
    pub fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let moment = Self::deserialize(deserializer)?;
        if moment.is_in_calendar() { Ok(moment) } else { Err(serde::de::Error::custom(OUTSIDE_CALENDAR)) }
    }
}

/// Whether a club can mean this day: 1900-01-01 to 2200-12-31. Far outside that range day arithmetic
/// overflows, years need a sign and five digits, and PostgreSQL knows no day before 4713 BC.
#[must_use]
pub fn is_in_calendar(day: NaiveDate) -> bool {
    (1900..=2200).contains(&day.year())
}

const OUTSIDE_CALENDAR: InvalidValue =
    InvalidValue { what: "date", allowed: "a day from 1900-01-01 to 2200-12-31" };

/// A day given in a request, in a URL for instance: one [in the calendar](is_in_calendar).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "NaiveDate")]
pub struct Day(NaiveDate);

impl Day {
    /// The day as a `chrono` value.
    #[must_use]
    pub const fn date(self) -> NaiveDate {
        self.0
    }
}
impl TryFrom<NaiveDate> for Day {
    type Error = InvalidValue;
    fn try_from(day: NaiveDate) -> Result<Self, InvalidValue> {
        if is_in_calendar(day) { Ok(Self(day)) } else { Err(OUTSIDE_CALENDAR) }
    }
}
impl From<DateTime<Utc>> for Timestamp {
    fn from(moment: DateTime<Utc>) -> Self {
        Self(moment.trunc_subsecs(6))
    }
}
impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        DateTime::<Utc>::deserialize(deserializer).map(Self::from)
    }
}

/// Defines a typed id, so that the id of one thing cannot be taken for another's. Each takes a single doc
/// line.
macro_rules! id {
    ($(#[$doc:meta] $name:ident),* $(,)?) => {$(
        #[$doc]
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }
        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                Uuid::parse_str(text).map(Self)
            }
        }
    )*};
}

id! {
    /// A person the club knows, with or without a login.
    PlayerId,
    /// A login of the club, with or without a player.
    AccountId,
    /// A chouette: one night at one table.
    ChouetteId,
    /// One act: everything one command did, in whatever streams.
    ActId,
    /// A transaction of the ledger, with all its postings.
    TransactionId,
    /// A tournament, with all its divisions.
    TournamentId,
    /// A match or a money session: the sheet on which it is scored.
    MatchId,
}

/// The holder of an account in the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// A player, under their id.
    Player(PlayerId),
    /// The pool of a tournament: what has been paid in and not yet paid out.
    Pool(TournamentId),
    /// The club itself, which holds the cash.
    House,
    /// The club's account at a bank.
    Bank,
    /// What was there before the club kept its books here: the other side of every opening balance.
    Opening,
    /// What rounding and counting have left over.
    Rounding,
    /// People outside the club: landlords, shops, donors.
    Outside,
}

impl Holder {
    /// Stands in for an id where the holder is the house.
    pub const HOUSE: Uuid = Uuid::from_u128(0x6f77_6c62_6f78_0000_8000_0000_0000_0002);

    /// The same for the [`Bank`](Self::Bank), and so on.
    pub const BANK: Uuid = Uuid::from_u128(0x6f77_6c62_6f78_0000_8000_0000_0000_0004);
    pub const OPENING: Uuid = Uuid::from_u128(0x6f77_6c62_6f78_0000_8000_0000_0000_0005);
    pub const ROUNDING: Uuid = Uuid::from_u128(0x6f77_6c62_6f78_0000_8000_0000_0000_0006);
    pub const OUTSIDE: Uuid = Uuid::from_u128(0x6f77_6c62_6f78_0000_8000_0000_0000_0007);

    #[must_use]
    pub const fn kind(self) -> HolderKind {
        match self {
            Self::Player(_) => HolderKind::Player,
            Self::Pool(_) => HolderKind::Pool,
            Self::House => HolderKind::House,
            Self::Bank => HolderKind::Bank,
            Self::Opening => HolderKind::Opening,
            Self::Rounding => HolderKind::Rounding,
            Self::Outside => HolderKind::Outside,
        }
    }

    /// The player's id, the tournament's id, or the one that stands for an account of the club's.
    #[must_use]
    pub const fn id(self) -> Uuid {
        match self {
            Self::Player(player) => player.0,
            Self::Pool(tournament) => tournament.0,
            Self::House => Self::HOUSE,
            Self::Bank => Self::BANK,
            Self::Opening => Self::OPENING,
            Self::Rounding => Self::ROUNDING,
            Self::Outside => Self::OUTSIDE,
        }
    }

    /// The player, if the holder is one.
    #[must_use]
    pub const fn player(self) -> Option<PlayerId> {
        match self {
            Self::Player(player) => Some(player),
            Self::Pool(_) | Self::House | Self::Bank | Self::Opening | Self::Rounding | Self::Outside => None,
        }
    }

    /// The tournament, if the holder is its pool.
    #[must_use]
    pub const fn pool(self) -> Option<TournamentId> {
        match self {
            Self::Pool(tournament) => Some(tournament),
            Self::Player(_) | Self::House | Self::Bank | Self::Opening | Self::Rounding | Self::Outside => {
                None
            }
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(player) => write!(f, "player {player}"),
            Self::Pool(tournament) => write!(f, "pool {tournament}"),
            Self::House | Self::Bank | Self::Opening | Self::Rounding | Self::Outside => {
                f.write_str(self.kind().name())
            }
        }
    }
}
impl From<PlayerId> for Holder {
    fn from(player: PlayerId) -> Self {
        Self::Player(player)
    }
}

/// The kinds of holders of an account in the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum HolderKind {
    /// A person the club knows.
    Player,
    /// The pool of a tournament.
    Pool,
    /// The club itself, which holds the cash.
    House,
    /// The club's account at a bank.
    Bank,
    /// The other side of opening balances.
    Opening,
    /// What rounding and counting have left over.
    Rounding,
    /// People outside the club.
    Outside,
}

impl HolderKind {
    pub const ALL: [Self; 7] =
        [Self::Player, Self::Pool, Self::House, Self::Bank, Self::Opening, Self::Rounding, Self::Outside];

    /// The name in JSON and in the books.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// The holder of this kind with this [`id`](Holder::id); for the accounts of the club the id is ignored.
    #[must_use]
    pub const fn with_id(self, id: Uuid) -> Holder {
        match self {
            Self::Player => Holder::Player(PlayerId(id)),
            Self::Pool => Holder::Pool(TournamentId(id)),
            Self::House => Holder::House,
            Self::Bank => Holder::Bank,
            Self::Opening => Holder::Opening,
            Self::Rounding => Holder::Rounding,
            Self::Outside => Holder::Outside,
        }
    }
}
impl TryFrom<String> for HolderKind {
    type Error = InvalidValue;
    fn try_from(name: String) -> Result<Self, InvalidValue> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        let allowed = "player, pool, house, bank, opening, rounding or outside";
        known.ok_or(InvalidValue { what: "holder", allowed })
    }
}
impl From<HolderKind> for String {
    fn from(kind: HolderKind) -> Self {
        kind.name().to_owned()
    }
}

/// A payment from one player to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Payment {
    pub payer: PlayerId,
    pub payee: PlayerId,
    /// The amount, above zero: minor units, or half points where no money is played for.
    pub amount: i64,
}

/// The address to count or limit by. An IPv6 address counts as its /64, because one household has all the
/// addresses in it.
#[must_use]
pub fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_points_read_as_players_write_them() {
        let cases = [(0, "0"), (1, "+½"), (-1, "-½"), (2, "+1"), (-3, "-1½"), (26, "+13")];
        for (halves, text) in cases {
            assert_eq!(HalfPoints(halves).to_string(), text);
        }
    }

    /// Proves C12.
    #[test]
    fn a_stake_never_splits_a_minor_unit() {
        let stake = |amount| Stake { amount: StakeAmount(amount), currency: "EUR".parse().unwrap() };
        assert_eq!(stake(500).worth(HalfPoints(-3)), Some(MinorUnits(-750)));
        assert_eq!(stake(5).worth(HalfPoints(3)), None);
        assert_eq!(stake(5).worth(HalfPoints(4)), Some(MinorUnits(10)));
    }

    #[test]
    fn a_holder_is_known_by_kind_and_id() {
        let id = Uuid::from_u128(7);
        for kind in HolderKind::ALL {
            let holder = kind.with_id(id);
            assert_eq!(HolderKind::try_from(String::from(holder.kind())).unwrap(), kind);
            assert_eq!(kind.with_id(holder.id()), holder);
        }
        assert!(HolderKind::try_from("purse".to_owned()).is_err());
    }

    #[test]
    fn a_club_can_mean_days_of_three_centuries() {
        let known = |day: &str| is_in_calendar(day.parse().unwrap());
        assert!(known("1900-01-01") && known("2200-12-31"));
        assert!(!known("1899-12-31") && !known("2201-01-01"));
    }

    #[test]
    fn a_household_has_one_address_or_the_lower_half_of_them() {
        let household = |address: &str| household(address.parse().unwrap()).to_string();
        assert_eq!(household("192.0.2.7"), "192.0.2.7");
        assert_eq!(household("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(household("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_ne!(household("2001:db8:1:2::"), household("2001:db8:1:3::"));
    }

    #[test]
    fn currencies_are_three_capitals() {
        assert_eq!("EUR".parse::<Currency>().unwrap().code(), "EUR");
        for bad in ["eur", "EURO", "", "€"] {
            assert!(bad.parse::<Currency>().is_err(), "{bad}");
        }
    }
}
