//! How a division is played: its format, match lengths, clock and money. The settings are published on the
//! draw sheet.

use serde::{Deserialize, Serialize};

use super::about::{TimeOfDay, Title};
use super::bracket::{Bracket, Contradiction, FlightKind, Format, Pairing};
use super::payout::Schedule;
use crate::matches::Terms;
use crate::matches::clock::{ClockPolicy, ClockSetting};
use crate::matches::score::Length;
use crate::matches::terms::Contradiction as ContradictoryTerms;
use owlbox_base::values::InvalidValue;
use owlbox_engine::CubeValue;
use owlbox_engine::game::BoardRules;

/// The match lengths of a flight, **from its last round backwards**: `[11, 9, 7]` is a final to 11,
/// semi-finals to 9, and all earlier rounds to 7. That way they fit any number of entrants. 1 to 17 lengths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "Vec<Length>", into = "Vec<Length>")]
#[cfg_attr(feature = "schema", schema(value_type = Vec<Length>, min_items = 1, max_items = 17))]
pub struct Lengths(Vec<Length>);

impl Lengths {
    /// The length of the round that is `rounds` rounds before the last. The last length of the list holds for
    /// all earlier rounds.
    #[must_use]
    pub fn before_last(&self, rounds: usize) -> Length {
        self.0.get(rounds).or_else(|| self.0.last()).copied().unwrap_or(Length::SEVEN)
    }

    /// The lengths as written, the last round first.
    #[must_use]
    pub fn as_slice(&self) -> &[Length] {
        &self.0
    }
}

impl Default for Lengths {
    fn default() -> Self {
        Self(vec![Length::SEVEN])
    }
}

impl TryFrom<Vec<Length>> for Lengths {
    type Error = InvalidValue;
    fn try_from(lengths: Vec<Length>) -> Result<Self, InvalidValue> {
        if (1..=17).contains(&lengths.len()) {
            Ok(Self(lengths))
        } else {
            Err(InvalidValue { what: "lengths", allowed: "1 to 17 lengths, the last round's first" })
        }
    }
}

impl From<Lengths> for Vec<Length> {
    fn from(lengths: Lengths) -> Self {
        lengths.0
    }
}

/// Which players should not meet early, as far as the draw allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Apart {
    /// All players are drawn alike.
    #[default]
    Nobody,
    /// Players of the same club.
    Club,
    /// Players of the same country.
    Country,
}

/// What happens to an illegal play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// Legal moves: anyone who notices an illegal play must have it corrected.
    #[default]
    Legal,
    /// Responsible moves: the opponent alone may let an illegal play stand.
    Responsible,
}

/// An amount of money in minor units: 0 to 1,000,000,000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "u64", into = "u64")]
#[cfg_attr(feature = "schema", schema(value_type = u64, minimum = 0, maximum = 1_000_000_000))]
pub struct Fee(u64);

impl Fee {
    pub const NONE: Self = Self(0);

    #[must_use]
    pub const fn minor_units(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for Fee {
    type Error = InvalidValue;
    fn try_from(amount: u64) -> Result<Self, InvalidValue> {
        if amount <= 1_000_000_000 {
            Ok(Self(amount))
        } else {
            Err(InvalidValue { what: "amount", allowed: "0 to 1,000,000,000 minor units" })
        }
    }
}

impl From<Fee> for u64 {
    fn from(fee: Fee) -> Self {
        fee.0
    }
}

/// What it costs to play in a division.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Fees {
    /// Charged for a first entry. It goes into the pool.
    pub entry: Fee,
    /// Charged for a first entry. It goes to the house.
    pub registration: Fee,
    /// Charged for entering again. It goes into the pool.
    pub re_entry: Fee,
}

/// A pool beside the prizes, for those who want to play for more. It goes to the best placed of those who
/// joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SidePool {
    pub name: Title,
    /// What each member pays to join.
    pub stake: Fee,
}

/// How a division is played. Fields that are missing take their defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DivisionSettings {
    /// The name of the division, such as Championship or Beginners.
    pub name: Title,
    /// When it starts on the tournament's first day, if not with the tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<TimeOfDay>,
    /// Its flights, and what the consolation leads to.
    pub format: Format,
    /// Match lengths in the main flight, the final first.
    pub lengths: Lengths,
    /// Match lengths in the consolation, its final first. Absent means those of the main flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consolation_lengths: Option<Lengths>,
    /// Match lengths in a last chance. Absent means those of the consolation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_chance_lengths: Option<Lengths>,
    /// M5: after the Crawford game the trailing side may not double before its third turn.
    pub holland: bool,
    /// M3: whether the first game after a side comes within one point of the length is played without the
    /// cube.
    pub crawford: bool,
    /// C10: the highest value the cube may reach, if lower than the club allows; 1 for matches without the
    /// cube (C0).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest_cube: Option<CubeValue>,
    /// The game and the rules on the board.
    pub game: BoardRules,
    /// Whether its matches count for the ratings.
    pub rated: bool,
    /// Whether clocks are used, and for which matches.
    pub clock_policy: ClockPolicy,
    /// What the clocks are set to.
    pub clock: ClockSetting,
    /// What happens to an illegal play.
    pub moves: Moves,
    /// Which players should not meet early.
    pub apart: Apart,
    /// How often a player who is out may enter again: 0 to 9.
    #[cfg_attr(feature = "schema", schema(maximum = 9))]
    pub re_entries: u8,
    /// What it costs to play.
    pub fees: Fees,
    /// Pools beside the prizes: at most 8.
    pub side_pools: Vec<SidePool>,
    /// What the house keeps of the fees in the pool, in hundredths of a per cent: 0 to 10,000.
    #[cfg_attr(feature = "schema", schema(maximum = 10_000))]
    pub kept: u16,
    /// How the pool is paid out. Absent means the usual schedule for the number of entrants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payout: Option<Schedule>,
    /// Prizes are multiples of this many minor units, and the first prize takes the remainder: 1 to
    /// 1,000,000.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1_000_000))]
    pub payout_unit: u32,
}

impl Default for DivisionSettings {
    fn default() -> Self {
        Self {
            name: Title::default(),
            starts: None,
            format: Format::default(),
            lengths: Lengths::default(),
            consolation_lengths: None,
            last_chance_lengths: None,
            holland: false,
            crawford: true,
            highest_cube: None,
            game: BoardRules::default(),
            rated: true,
            clock_policy: ClockPolicy::default(),
            clock: ClockSetting::default(),
            moves: Moves::default(),
            apart: Apart::default(),
            re_entries: 0,
            fees: Fees::default(),
            side_pools: Vec::new(),
            kept: 0,
            payout: None,
            payout_unit: 100,
        }
    }
}

/// Why a division cannot be played with such settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Flaw {
    /// Two parts of the format contradict each other.
    #[error(transparent)]
    Format(Contradiction),
    /// Two of the match terms contradict each other.
    #[error("{0}")]
    Terms(ContradictoryTerms),
    /// More than nine re-entries are allowed.
    #[error("at most nine re-entries are allowed")]
    ReEntries,
    /// There are more than eight side pools.
    #[error("at most eight side pools are allowed")]
    SidePools,
    /// The house keeps more than the whole of the fees.
    #[error("the house cannot keep more than the whole of the fees")]
    Kept,
    /// The unit of prizes is not from 1 to 1,000,000.
    #[error("the unit of prizes is from 1 to 1,000,000 minor units")]
    PayoutUnit,
    /// It costs money, but the tournament has no currency.
    #[error("it costs money, but the tournament has no currency")]
    NoCurrency,
    /// The clock has more than an hour for a point, or more than ten minutes for a move.
    #[error("a clock has at most an hour for a point and ten minutes for a move")]
    Clock,
}

impl DivisionSettings {
    /// Checks the settings against themselves; `has_currency` says whether the tournament has one.
    ///
    /// # Errors
    /// The first [`Flaw`] found.
    pub fn check(&self, has_currency: bool) -> Result<(), Flaw> {
        self.format.check().map_err(Flaw::Format)?;
        self.terms(Length::SEVEN, self.rated).check().map_err(Flaw::Terms)?;
        let wrong = [
            (self.re_entries > 9, Flaw::ReEntries),
            (self.side_pools.len() > 8, Flaw::SidePools),
            (self.kept > 10_000, Flaw::Kept),
            (!(1..=1_000_000).contains(&self.payout_unit), Flaw::PayoutUnit),
            (self.costs_money() && !has_currency, Flaw::NoCurrency),
            (!self.clock.is_possible(), Flaw::Clock),
        ];
        wrong.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, flaw)| Err(flaw))
    }

    /// The terms of a match to this length. The caller passes `rated`, because only the division decides
    /// whether its matches count for the ratings, not a sheet.
    #[must_use]
    pub const fn terms(&self, length: Length, rated: bool) -> Terms {
        let Self { holland, crawford, highest_cube, game, .. } = *self;
        Terms::Match { length, holland, crawford, rated, highest_cube, game, stake: None }
    }

    /// The side pools with their numbers.
    pub fn numbered_pools(&self) -> impl Iterator<Item = (u8, &SidePool)> {
        (0..8).zip(&self.side_pools)
    }

    fn costs_money(&self) -> bool {
        let Fees { entry, registration, re_entry } = self.fees;
        let stakes = self.side_pools.iter().map(|pool| pool.stake);
        [entry, registration, re_entry].into_iter().chain(stakes).any(|fee| fee != Fee::NONE)
    }

    /// The length of a match of this division's bracket.
    #[must_use]
    pub fn length(&self, bracket: &Bracket, at: &Pairing) -> Length {
        let flight = bracket.flights().get(usize::from(at.flight));
        let (kind, rounds) =
            flight.map_or((FlightKind::Main, 1), |flight| (flight.kind, flight.rounds.len()));
        self.length_of(kind, rounds.saturating_sub(usize::from(at.round) + 1))
    }

    /// The length of the round of a flight that is `before_last` rounds before its last.
    #[must_use]
    pub fn length_of(&self, flight: FlightKind, before_last: usize) -> Length {
        let consolation = self.consolation_lengths.as_ref().unwrap_or(&self.lengths);
        match flight {
            FlightKind::Main => self.lengths.before_last(before_last),
            // They are finals of a kind, whatever their round within their own flight.
            FlightKind::GrandFinal | FlightKind::SecondPlace => self.lengths.before_last(0),
            FlightKind::ThirdPlace => self.lengths.before_last(1),
            FlightKind::Consolation => consolation.before_last(before_last),
            FlightKind::LastChance => {
                self.last_chance_lengths.as_ref().unwrap_or(consolation).before_last(before_last)
            }
        }
    }
}
