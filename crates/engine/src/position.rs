//! The positions of the checkers (G1, G2).
//!
//! One number holds a side's checkers: a nibble for each place, from 0 (borne off) over the points 1 to 24 as
//! that side counts them to 25 (the bar). Moving a checker is a single addition, and a position fits into
//! half a cache line. [`Position`] names its sides by the turn, not by colour: who plays White is no concern
//! of the board.
//!
//! The 24 bits above the nibbles, one for each point, tell how the checkers [move](Movement). In backgammon
//! none is set. In Plakoto (V4) a bit marks the side's lone checker on that point as pinned. Nobody is ever
//! pinned on their own 1-point, where the other side begins and never returns to, so that bit is free to say
//! "Plakoto" and is always set. In Fevga only the highest bit is set. Backgammon pays nothing for any of
//! this.

use std::fmt;

use super::movement::{Movement, START};
use super::place::{BAR, HOME, OFF, POINTS, Place, Places, across, all_across, bits, highest, lowest};

/// The largest number of checkers a side can have.
pub const MOST_CHECKERS: u8 = 15;

/// One side's checkers as that side counts, and the way they move.
///
/// ```
/// use owlbox_engine::Variant;
///
/// let start = Variant::Standard.start().mover();
/// assert_eq!((start.at(6), start.total(), start.pips()), (5, 15, 167));
/// assert_eq!(format!("{start:?}"), "6:5 8:3 13:5 24:2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checkers(u128);

/// The lowest bit of each nibble.
const ONES: u128 = 0x11_1111_1111_1111_1111_1111_1111;
/// All bits of all nibbles.
const NIBBLES: u128 = ONES * 15;
/// The bit of the 1-point above the nibbles, which marks Plakoto.
const PLAKOTO: u128 = 1 << 104;
/// The bit of the 24-point above the nibbles, which marks Fevga if the Plakoto bit is not set.
const FEVGA: u128 = 1 << 127;

impl Checkers {
    /// The number that adds one checker at `place`.
    pub(super) const fn one(place: Place) -> u128 {
        1 << (4 * place)
    }

    /// Checkers by their counts at each place, from 0 (borne off) to 25 (the bar).
    ///
    /// # Errors
    /// [`InvalidPosition::TooMany`] above fifteen checkers, [`InvalidPosition::None`] for no checker at all.
    pub fn new(counts: [u8; 26]) -> Result<Self, InvalidPosition> {
        let total: u32 = counts.iter().map(|count| u32::from(*count)).sum();
        match total {
            0 => Err(InvalidPosition::None),
            1..=15 => Ok(Self(counts.iter().rev().fold(0, |all, count| all << 4 | u128::from(*count)))),
            _ => Err(InvalidPosition::TooMany { checkers: total }),
        }
    }

    /// Checkers on `places`, one to fifteen of them, for the starts of the variants. A wrong number fails at
    /// compile time.
    pub(super) const fn standing(places: &[(Place, u8)]) -> Self {
        let (mut all, mut total, mut at) = (0, 0, 0);
        while at < places.len() {
            let (place, count) = places[at];
            all += Self::one(place) * count as u128;
            total += count;
            at += 1;
        }
        assert!(total > 0 && total <= MOST_CHECKERS, "a side has one to fifteen checkers");
        Self(all)
    }

    /// The same checkers in a game of this movement, none of them pinned.
    #[must_use]
    pub const fn moving(self, movement: Movement) -> Self {
        let counts = self.0 & NIBBLES;
        Self(match movement {
            Movement::Backgammon => counts,
            Movement::Plakoto => counts | PLAKOTO,
            Movement::Fevga => counts | FEVGA,
        })
    }

    /// The way these checkers move.
    #[must_use]
    pub const fn movement(self) -> Movement {
        if self.0 & !NIBBLES == 0 {
            Movement::Backgammon
        } else if self.0 & PLAKOTO != 0 {
            Movement::Plakoto
        } else {
            Movement::Fevga
        }
    }

    /// The bit that marks the checker on `point` as pinned; 0 where no checker can be.
    const fn pin(self, point: Place) -> u128 {
        if self.0 & PLAKOTO != 0 && point > 1 && point < BAR { PLAKOTO << (point - 1) } else { 0 }
    }

    /// Whether this side's lone checker on `point` is pinned (V4).
    #[must_use]
    pub const fn is_pinned(self, point: Place) -> bool {
        self.0 & self.pin(point) != 0
    }

    /// The same checkers with the one on `point` pinned. Changes nothing where no checker can be pinned.
    #[must_use]
    pub const fn pinned(self, point: Place) -> Self {
        Self(self.0 | self.pin(point))
    }

    /// The same checkers with none on `point` pinned.
    pub(super) const fn unpinned(self, point: Place) -> Self {
        Self(self.0 & !self.pin(point))
    }

    /// The points on which a checker is pinned, from the lowest.
    pub fn pins(self) -> impl Iterator<Item = Place> {
        (2..BAR).filter(move |point| self.is_pinned(*point))
    }

    /// The number of checkers at `place`.
    ///
    /// # Panics
    /// If `place` is above 25.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a nibble is wanted")]
    pub const fn at(self, place: Place) -> u8 {
        assert!(place <= BAR, "a place is 0 to 25");
        (self.0 >> (4 * place)) as u8 & 15
    }

    /// The number of checkers, those borne off included.
    #[must_use]
    pub fn total(self) -> u8 {
        (OFF..=BAR).map(|place| self.at(place)).sum()
    }

    /// The number of checkers borne off.
    #[must_use]
    pub const fn off(self) -> u8 {
        self.at(OFF)
    }

    /// The number of checkers on the bar.
    #[must_use]
    pub const fn on_bar(self) -> u8 {
        self.at(BAR)
    }

    /// The pip count: all pips still to go, 25 for a checker on the bar.
    #[must_use]
    pub fn pips(self) -> u16 {
        (1..=BAR).map(|place| u16::from(self.at(place)) * u16::from(place)).sum()
    }

    /// Whether every checker has been borne off (G13).
    #[must_use]
    pub const fn all_off(self) -> bool {
        (self.0 & NIBBLES) >> 4 == 0
    }

    /// The lowest place with a checker; [`OFF`] if any has been borne off.
    #[must_use]
    pub const fn lowest(self) -> Place {
        if self.off() > 0 { OFF } else { lowest(self.some()) }
    }

    /// The highest place with a checker in play, or [`OFF`] if there is none.
    #[must_use]
    pub fn highest(self) -> Place {
        // The bit of `OFF` makes sure that the set is not empty.
        highest(self.some() | 1)
    }

    /// The places with at least one checker, [`OFF`] excepted.
    pub(super) const fn some(self) -> Places {
        gather(self.0 | self.0 >> 1 | self.0 >> 2 | self.0 >> 3)
    }

    /// The places with at least two checkers, [`OFF`] excepted.
    pub(super) const fn several(self) -> Places {
        gather(self.0 >> 1 | self.0 >> 2 | self.0 >> 3)
    }

    /// The counts of the places 0 to 15, a nibble each.
    #[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
    pub(super) const fn up_to_fifteen(self) -> u64 {
        self.0 as u64
    }

    /// The same checkers with `delta` added. It must be the sum of moves of checkers that are there.
    pub(super) const fn plus(self, delta: u128) -> Self {
        Self(self.0.wrapping_add(delta))
    }
}

impl fmt::Debug for Checkers {
    /// Writes `6:5 8:3 13:5 24:2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for place in (OFF..=BAR).filter(|place| self.at(*place) > 0) {
            f.write_str(if std::mem::take(&mut first) { "" } else { " " })?;
            match place {
                OFF => write!(f, "off:{}", self.off())?,
                BAR => write!(f, "bar:{}", self.on_bar())?,
                point if self.is_pinned(point) => write!(f, "{point}:pinned")?,
                point => write!(f, "{point}:{}", self.at(point))?,
            }
        }
        Ok(())
    }
}

/// Packs the lowest bits of the nibbles side by side, without that of `OFF`.
#[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
const fn gather(nibbles: u128) -> Places {
    const fn half(nibbles: u64) -> u32 {
        let pairs = (nibbles | nibbles >> 3) & 0x0303_0303_0303_0303;
        let fours = (pairs | pairs >> 6) & 0x000f_000f_000f_000f;
        let bytes = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
        (bytes | bytes >> 24) as u32 & 0xffff
    }
    let nibbles = nibbles & ONES & !1;
    half(nibbles as u64) | half((nibbles >> 64) as u64) << 16
}

/// Both sides' checkers, seen by the side about to move.
///
/// ```
/// use owlbox_engine::{BAR, Position};
///
/// // One on the bar and two on the six-point, against three on the mover's 20.
/// let mut board = [0; 26];
/// (board[usize::from(BAR)], board[6], board[20]) = (1, 2, -3);
/// let position = Position::from_board(&board, 15)?;
/// assert_eq!((position.mover().on_bar(), position.mover().off()), (1, 12));
/// assert_eq!(position.turned().mover().at(5), 3);
/// # Ok::<(), owlbox_engine::InvalidPosition>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    mover: Checkers,
    other: Checkers,
}

// Two of them fit into a cache line; the generator fills long lists of positions.
const _: () = assert!(size_of::<Position>() == 32);

/// The reason why a position is impossible.
///
/// ```
/// use owlbox_engine::{Checkers, InvalidPosition, Position};
///
/// let side = |point: usize| {
///     let mut counts = [0; 26];
///     counts[point] = 2;
///     Checkers::new(counts)
/// };
/// assert_eq!(Position::new(side(6)?, side(19)?), Err(InvalidPosition::Shared { point: 6 }));
/// # Ok::<(), InvalidPosition>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPosition {
    /// A side has more than fifteen checkers, or more than the game has.
    #[error("{checkers} checkers, at most {MOST_CHECKERS} are allowed")]
    TooMany {
        /// The number of checkers of that side.
        checkers: u32,
    },
    /// A side has no checker, not even one that has been borne off.
    #[error("a side has no checkers")]
    None,
    /// G5: both sides have checkers on one point.
    #[error("both sides stand on the mover's point {point}")]
    Shared {
        /// The point as the mover counts; the lowest of several.
        point: Place,
    },
    /// G10: a side has checkers on the other side's bar, which it can never reach.
    #[error("slot {slot} is a bar, and the wrong side stands there")]
    WrongBar {
        /// The slot of the board: 25 is the mover's bar, 0 the other side's.
        slot: u8,
    },
    /// G13: both sides have borne off everything; the game ended when the first of them had.
    #[error("both sides have borne off everything")]
    BothOff,
    /// V4: a checker is on the bar in a game without hits.
    #[error("a checker is on the bar, and this game has none")]
    NoBar,
    /// V4: a checker is marked as pinned, and nothing pins it.
    #[error("nobody is pinned on the mover's point {point}")]
    NothingPinned {
        /// The point as the mover counts.
        point: Place,
    },
    /// The checkers of the two sides move as in different games.
    #[error("the two sides play different games")]
    TwoGames,
}

impl Position {
    /// A position with `mover` about to move. Each side counts its own points.
    ///
    /// # Errors
    /// [`InvalidPosition`] if the checkers cannot stand like this in a game of their movement.
    pub fn new(mover: Checkers, other: Checkers) -> Result<Self, InvalidPosition> {
        check(mover.movement(), mover, other)?;
        Ok(Self { mover, other })
    }

    /// The way the checkers of both sides move.
    #[must_use]
    #[inline(always)]
    pub const fn movement(self) -> Movement {
        self.mover.movement()
    }

    /// The point `place` of one side as the other side counts it.
    #[must_use]
    pub const fn across(self, place: Place) -> Place {
        self.movement().across(place)
    }

    /// A position of backgammon from a board of 26 slots as the mover counts. The mover's checkers are
    /// positive, the other side's negative; slot 25 is the mover's bar, slot 0 the other side's. Checkers
    /// missing from `checkers` a side have been borne off.
    ///
    /// # Errors
    /// [`InvalidPosition`]; more than `checkers` on the board is [`InvalidPosition::TooMany`].
    pub fn from_board(board: &[i8; 26], checkers: u8) -> Result<Self, InvalidPosition> {
        // The sums below would take them for checkers borne off.
        for (slot, wrong) in [(BAR, board[25] < 0), (OFF, board[0] > 0)] {
            if wrong {
                return Err(InvalidPosition::WrongBar { slot });
            }
        }
        let side = |count: &dyn Fn(usize) -> u8| {
            let mut counts: [u8; 26] = std::array::from_fn(|place| if place == 0 { 0 } else { count(place) });
            let in_play = counts.iter().map(|count| u32::from(*count)).sum();
            let missing = u32::from(checkers).checked_sub(in_play).and_then(|off| u8::try_from(off).ok());
            counts[0] = missing.ok_or(InvalidPosition::TooMany { checkers: in_play })?;
            Checkers::new(counts)
        };
        let mover = side(&|place| board[place].max(0).unsigned_abs())?;
        let other = side(&|place| board[25 - place].min(0).unsigned_abs())?;
        Self::new(mover, other)
    }

    /// A position known to be possible, such as a result of the generator. Nothing is checked.
    pub(super) const fn known(mover: Checkers, other: Checkers) -> Self {
        Self { mover, other }
    }

    /// The checkers of the side about to move, as that side counts.
    #[must_use]
    pub const fn mover(self) -> Checkers {
        self.mover
    }

    /// The checkers of the side that waits, as that side counts.
    #[must_use]
    pub const fn other(self) -> Checkers {
        self.other
    }

    /// The board with 26 slots as [`from_board`](Self::from_board) reads it. A point with a pinned checker
    /// shows the checkers that pin it.
    #[must_use]
    pub fn board(self) -> [i8; 26] {
        let mut board = [0; 26];
        for place in 1..=BAR {
            // A count is at most 15, so it fits.
            if !self.mover.is_pinned(place) {
                board[usize::from(place)] += self.mover.at(place).cast_signed();
            }
            if !self.other.is_pinned(place) {
                board[usize::from(self.across(place))] -= self.other.at(place).cast_signed();
            }
        }
        board
    }

    /// The same checkers with the other side about to move.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self { mover: self.other, other: self.mover }
    }

    /// Whether a side has borne off everything (G13), or the mothers decide the game (V4).
    #[must_use]
    pub const fn is_over(self) -> bool {
        self.mover.all_off() || self.other.all_off() || !matches!(Mothers::in_position(self), Mothers::Safe)
    }

    /// Whether the two sides still have to pass each other; without contact the game is a race. Has a meaning
    /// only where they move against each other.
    #[must_use]
    pub fn has_contact(self) -> bool {
        self.mover.highest() + self.other.highest() > BAR
    }

    /// The points with a single checker of the mover (G9), from the lowest.
    pub fn blots(self) -> impl Iterator<Item = Place> {
        bits(self.mover.some() & !self.mover.several() & POINTS)
    }

    /// The points with two or more checkers of the mover, from the lowest.
    pub fn made_points(self) -> impl Iterator<Item = Place> {
        bits(self.mover.several() & POINTS)
    }

    /// The length of the mover's longest run of made points; six are a prime (G16). In Fevga one checker
    /// makes a point (V4).
    ///
    /// ```
    /// use owlbox_engine::Position;
    ///
    /// // Points 4 to 8 are made, and so is the 10.
    /// let mut board = [0; 26];
    /// board[4..=8].fill(2);
    /// (board[10], board[20]) = (2, -2);
    /// let position = Position::from_board(&board, 15)?;
    /// assert_eq!((position.longest_prime(), position.has_prime()), (5, false));
    /// # Ok::<(), owlbox_engine::InvalidPosition>(())
    /// ```
    #[must_use]
    pub const fn longest_prime(self) -> u32 {
        let made = match self.movement() {
            Movement::Backgammon | Movement::Plakoto => self.mover.several(),
            Movement::Fevga => self.mover.some(),
        };
        let mut run = made & POINTS;
        let mut length = 0;
        while run != 0 {
            run &= run << 1;
            length += 1;
        }
        length
    }

    /// Whether the mover has a prime: six made points in a row (G16, G20).
    #[must_use]
    pub const fn has_prime(self) -> bool {
        self.longest_prime() >= 6
    }

    /// Whether the mover is closed out: on the bar against six made points (G16).
    ///
    /// ```
    /// use owlbox_engine::{BAR, Position};
    ///
    /// let mut board = [0; 26];
    /// board[usize::from(BAR)] = 1;
    /// board[19..=24].fill(-2);
    /// assert!(Position::from_board(&board, 15)?.is_closed_out());
    /// # Ok::<(), owlbox_engine::InvalidPosition>(())
    /// ```
    #[must_use]
    pub const fn is_closed_out(self) -> bool {
        self.mover.on_bar() > 0 && self.other.several() & HOME == HOME
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:?} | {:?}]", self.mover, self.other)
    }
}

/// Whether the two sides' checkers make a possible position.
fn check(movement: Movement, mover: Checkers, other: Checkers) -> Result<(), InvalidPosition> {
    if mover.movement() != movement || other.movement() != movement {
        return Err(InvalidPosition::TwoGames);
    }
    if mover.all_off() && other.all_off() {
        return Err(InvalidPosition::BothOff);
    }
    if !movement.has_bar() && (mover.on_bar() > 0 || other.on_bar() > 0) {
        return Err(InvalidPosition::NoBar);
    }
    match movement {
        Movement::Backgammon => match mover.some() & all_across(other.some()) & POINTS {
            0 => Ok(()),
            shared => Err(InvalidPosition::Shared { point: lowest(shared) }),
        },
        Movement::Plakoto => bits(POINTS).try_for_each(|point| check_pins(mover, other, point)),
        Movement::Fevga => {
            let shared = bits(mover.some()).find(|point| other.at(movement.across(*point)) > 0);
            shared.map_or(Ok(()), |point| Err(InvalidPosition::Shared { point }))
        }
    }
}

/// V4, Plakoto: where both sides stand on a point, one of them has a lone checker there, and it is pinned. No
/// other checker is marked as pinned.
fn check_pins(mover: Checkers, other: Checkers, point: Place) -> Result<(), InvalidPosition> {
    let (own, theirs) = (mover.at(point), other.at(across(point)));
    let pinned = [mover.is_pinned(point), other.is_pinned(across(point))];
    match (own, theirs, pinned) {
        (0, _, [false, false]) | (_, 0, [false, false]) => Ok(()),
        (1, 1.., [true, false]) | (1.., 1, [false, true]) => Ok(()),
        (0, _, _) | (_, 0, _) => Err(InvalidPosition::NothingPinned { point }),
        _ => Err(InvalidPosition::Shared { point }),
    }
}

/// The state of the two mothers in a game of Plakoto (V4).
///
/// ```
/// use owlbox_engine::{Checkers, Mothers, Movement, Position};
///
/// let side = |point: usize| {
///     let mut counts = [0; 26];
///     counts[point] = 1;
///     Checkers::new(counts).map(|side| side.moving(Movement::Plakoto))
/// };
/// // The other side's 1-point is the mover's 24: its checker there stands over the mover's mother.
/// let position = Position::new(side(24)?.pinned(24), side(1)?)?;
/// assert_eq!(Mothers::in_position(position), Mothers::MoverLost);
/// # Ok::<(), owlbox_engine::InvalidPosition>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mothers {
    /// Nobody has lost by a pinned mother, at least not yet.
    Safe,
    /// The mover's mother is pinned, and the other side's has left and is safe: the mover has lost.
    MoverLost,
    /// The other side's mother is pinned, and the mover's is safe: the other side has lost.
    OtherLost,
    /// Both mothers are pinned: the game is a tie.
    Tied,
}

impl Mothers {
    /// The state of the mothers in `position`; [`Safe`](Self::Safe) in every game but Plakoto.
    #[must_use]
    pub const fn in_position(position: Position) -> Self {
        let (mover, other) = (position.mover(), position.other());
        match (mover.is_pinned(START), other.is_pinned(START)) {
            (false, false) => Self::Safe,
            (true, true) => Self::Tied,
            // The other side's mother has not left its start and could still be pinned: that would be a tie.
            (true, false) if other.at(START) > 0 => Self::Safe,
            (true, false) => Self::MoverLost,
            (false, true) if mover.at(START) > 0 => Self::Safe,
            (false, true) => Self::OtherLost,
        }
    }
}
