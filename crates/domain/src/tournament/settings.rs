//! How a division is played: its format, lengths, clock and money. Published on the draw sheet.

use serde::{Deserialize, Serialize};

use super::about::Title;
use super::bracket::{Bracket, Contradiction, FlightKind, Format, Pairing};
use super::payout::Schedule;
use crate::matches::Terms;
use crate::matches::clock::{ClockPolicy, Setting};
use crate::matches::score::Length;
use crate::matches::terms::Contradiction as ContradictoryTerms;
use crate::values::InvalidValue;
use owlbox_engine::CubeValue;
use owlbox_engine::game::BoardRules;

/// The lengths of a flight's matches, **from its last round backwards**: `[11, 9, 7]` is a final to 11, semi-finals to 9, all
/// earlier rounds to 7. So it survives any number of entrants. 1 to 17 of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "Vec<Length>", into = "Vec<Length>")]
#[cfg_attr(feature = "schema", schema(value_type = Vec<Length>, min_items = 1, max_items = 17))]
pub struct Lengths(Vec<Length>);

impl Lengths {
    /// Of the round that is so many before the last.
    #[must_use]
    pub fn before_last(&self, rounds: usize) -> Length {
        self.0.get(rounds).or_else(|| self.0.last()).copied().unwrap_or(Length::SEVEN)
    }

    /// As they are written, the last round first.
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

/// Who must not meet early, as far as it can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Apart {
    /// Nobody.
    #[default]
    Nobody,
    /// Players of the same club.
    Club,
    /// Players of the same country.
    Country,
}

/// How moves are policed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// An illegal play must be put right by whoever sees it.
    #[default]
    Legal,
    /// An illegal play may be condoned by the opponent alone.
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

    /// In minor units.
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

/// What an entry costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Fees {
    /// Into the pool.
    pub entry: Fee,
    /// To the house.
    pub registration: Fee,
    /// Into the pool, of who enters again.
    pub re_entry: Fee,
}

/// A pool beside the prizes, for those who want to play for more: it goes to the best of those who joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SidePool {
    /// What it is called.
    pub name: Title,
    /// What it costs to join.
    pub stake: Fee,
}

/// How a division is played. What is missing takes its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = DivisionSettings))]
pub struct Settings {
    /// What the division is called: Championship, Beginners.
    pub name: Title,
    /// Its flights.
    pub format: Format,
    /// Lengths in the main flight, the final's first.
    pub lengths: Lengths,
    /// Lengths in the consolation, its final's first; without them those of the main flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consolation_lengths: Option<Lengths>,
    /// Lengths in a last chance; without them those of the consolation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_chance_lengths: Option<Lengths>,
    /// M5: after the Crawford game the trailing side may not double before its third turn.
    pub holland: bool,
    /// M3: whether the first game after a side comes within one point of the length is played without the cube.
    pub crawford: bool,
    /// C10: the highest value the cube may reach, if it is lower than what the club allows; 1 for matches without the
    /// cube (C0).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest_cube: Option<CubeValue>,
    /// What is played on the board, and how.
    pub game: BoardRules,
    /// Whether matches are rated.
    pub rated: bool,
    /// Whether clocks are used.
    pub clock_policy: ClockPolicy,
    /// What a clock is set to.
    pub clock: Setting,
    /// How moves are policed.
    pub moves: Moves,
    /// Who is drawn apart.
    pub apart: Apart,
    /// How often a player who is out may enter again: 0 to 9.
    #[cfg_attr(feature = "schema", schema(maximum = 9))]
    pub re_entries: u8,
    /// What it costs.
    pub fees: Fees,
    /// Pools beside the prizes: at most 8.
    pub side_pools: Vec<SidePool>,
    /// What the house keeps of the fees in the pool, in hundredths of a per cent: 0 to 10,000.
    #[cfg_attr(feature = "schema", schema(maximum = 10_000))]
    pub kept: u16,
    /// How the pool is paid out; without it as is usual for so many entrants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payout: Option<Schedule>,
    /// Prizes are whole multiples of so many minor units, what is left over going to the first: 1 to 1,000,000.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1_000_000))]
    pub payout_unit: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: Title::default(),
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
            clock: Setting::default(),
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

/// What cannot be played so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Flaw {
    /// Two parts of the format.
    Format(Contradiction),
    /// Two of the terms of its matches.
    Terms(ContradictoryTerms),
    /// More re-entries than nine.
    ReEntries,
    /// More side pools than eight.
    SidePools,
    /// More kept than there is.
    Kept,
    /// A unit of prizes that is none.
    PayoutUnit,
    /// Money, and the tournament has no currency.
    NoCurrency,
    /// A clock with more than an hour a point, or ten minutes a move.
    Clock,
}

impl Settings {
    /// # Errors
    /// What cannot be played so.
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

    /// The terms of a match to so many points. Whether one counts for the ratings its division says, not its sheet.
    #[must_use]
    pub const fn terms(&self, length: Length, rated: bool) -> Terms {
        let Self { holland, crawford, highest_cube, game, .. } = *self;
        Terms::Match { length, holland, crawford, rated, highest_cube, game }
    }

    fn costs_money(&self) -> bool {
        let Fees { entry, registration, re_entry } = self.fees;
        let stakes = self.side_pools.iter().map(|pool| pool.stake);
        [entry, registration, re_entry].into_iter().chain(stakes).any(|fee| fee != Fee::NONE)
    }

    /// To how many points a match of this division's bracket is played.
    #[must_use]
    pub fn length(&self, bracket: &Bracket, at: &Pairing) -> Length {
        let flight = bracket.flights().get(usize::from(at.flight));
        let (kind, rounds) =
            flight.map_or((FlightKind::Main, 1), |flight| (flight.kind, flight.rounds.len()));
        self.length_of(kind, rounds.saturating_sub(usize::from(at.round) + 1))
    }

    /// To how many points a round of a flight is played that is so many before its last.
    #[must_use]
    pub fn length_of(&self, flight: FlightKind, before_last: usize) -> Length {
        let consolation = self.consolation_lengths.as_ref().unwrap_or(&self.lengths);
        match flight {
            FlightKind::Main => self.lengths.before_last(before_last),
            // They stand for a final, whatever round they are.
            FlightKind::GrandFinal | FlightKind::SecondPlace => self.lengths.before_last(0),
            FlightKind::ThirdPlace => self.lengths.before_last(1),
            FlightKind::Consolation => consolation.before_last(before_last),
            FlightKind::LastChance => {
                self.last_chance_lengths.as_ref().unwrap_or(consolation).before_last(before_last)
            }
        }
    }
}
