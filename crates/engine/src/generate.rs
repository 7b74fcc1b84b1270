//! Every legal play of a roll, each result once (G5 to G12).
//!
//! The generator never makes a result twice, so it never has to search for duplicates:
//!
//! * **Two numbers.** Each pair of checkers, one moved by the first number and one by the second, makes a
//!   result of its own, unless one arrives where the other starts. Such a pair equals one checker that plays
//!   both numbers, so it is left out. Every checker that can play both numbers does so once, over one stop or
//!   the other; over both stops only if a hit makes the results differ.
//! * **Doubles.** The number of checkers that leave each point determines the result. Points are left from
//!   the highest down, so no choice appears twice. That order is always possible, because a checker that
//!   moves through or into home does so before a lower one leaves. No move takes another one away, so every
//!   play that cannot go on has the same length, and the first one shows it.
//! * **Bearing off** with two numbers depends on the order, and few points are involved: there results are
//!   compared.
//!
//! All of this holds for backgammon's movement only. Other positions are left to the generator in `plain`.
//!
//! Whatever stays the same while one side moves - its open points, the blots it can hit - is computed once
//! for a position and serves all of its rolls.

use super::dice::Roll;
use super::movement::Movement;
use super::place::{BAR, HOME, OFF, OUTSIDE, POINTS, Place, Places, across, all_across, highest, lowest};
use super::plain;
use super::play::{Play, Step, Steps};
use super::position::{Checkers, Position};

/// The number a checker's move adds to its side, by pips and by the place it leaves.
static MOVES: [[u128; 26]; 7] = {
    let mut moves = [[0; 26]; 7];
    let mut pips = 1;
    while pips <= 6 {
        let mut from = 1;
        while from <= BAR {
            let to = from.saturating_sub(pips);
            moves[pips as usize][from as usize] = Checkers::one(to).wrapping_sub(Checkers::one(from));
            from += 1;
        }
        pips += 1;
    }
    moves
};

/// The number a hit adds to the side that is hit, by the point as the hitter counts.
static HITS: [u128; 26] = {
    let mut hits = [0; 26];
    let mut point = 1;
    while point < BAR {
        hits[point as usize] = Checkers::one(BAR).wrapping_sub(Checkers::one(across(point)));
        point += 1;
    }
    hits
};

/// The side after its checker on `from` has moved by `pips`.
#[inline(always)]
fn moved(mover: Checkers, from: Place, pips: u8) -> Checkers {
    mover.plus(MOVES[pips as usize][from as usize])
}

/// The side after its blot on `point`, as the opponent counts, has been hit.
#[inline(always)]
fn struck(other: Checkers, point: Place) -> Checkers {
    other.plus(HITS[point as usize])
}

/// The side with these `blots`, after a checker of its opponent has landed on `point`, as the opponent
/// counts.
#[inline(always)]
fn hit(other: Checkers, blots: Places, point: Place) -> Checkers {
    // Branch-free: whether there is a blot is unpredictable.
    let there = u128::from(blots >> point & 1);
    other.plus(HITS[point as usize] & there.wrapping_neg())
}

const AT_BAR: Places = 1 << BAR;

const fn bit(place: Place) -> Places {
    1 << place
}

/// Loops over the places of a set, from the lowest.
macro_rules! each {
    ($place:ident in $places:expr => $body:block) => {
        let mut rest: Places = $places;
        while rest != 0 {
            let $place = lowest(rest);
            rest &= rest - 1;
            $body
        }
    };
}

/// The plays of one position, for any roll.
///
/// ```
/// use owlbox_engine::{Generator, Variant};
///
/// let generator = Generator::new(Variant::Standard.start());
/// let mut results = Vec::new();
/// generator.results("5-5".parse()?, &mut results);
/// assert_eq!(results.len(), 4);
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    mover: Checkers,
    other: Checkers,
    /// The places with a checker of the mover. `several` has those with two or more.
    own: Places,
    several: Places,
    /// Points with fewer than two of the other side's checkers (G5), as the mover counts.
    open: Places,
    /// Points with exactly one of them (G9), as the mover counts.
    blots: Places,
    /// The option G8a: without the larger number, nothing is played.
    strict_larger_die: bool,
}

impl Generator {
    /// A generator for `position`, by the common rules.
    #[must_use]
    pub const fn new(position: Position) -> Self {
        let (mover, other) = (position.mover(), position.other());
        let blocked = all_across(other.several());
        Self {
            mover,
            other,
            own: mover.some(),
            several: mover.several(),
            open: POINTS & !blocked,
            blots: all_across(other.some()) & POINTS & !blocked,
            strict_larger_die: false,
        }
    }

    /// Switches the option G8a: if only the smaller of two numbers can be played, nothing is played.
    ///
    /// ```
    /// use owlbox_engine::{Generator, Position};
    ///
    /// // The six is blocked; only the one can be played.
    /// let mut board = [0; 26];
    /// (board[24], board[18], board[17]) = (1, -2, -2);
    /// let generator = Generator::new(Position::from_board(&board, 15)?);
    /// let moved = |strict: bool| {
    ///     let mut steps = 0;
    ///     let roll = "6-1".parse().unwrap();
    ///     generator.strict_larger_die(strict).for_each(roll, |play| steps = play.steps.len());
    ///     steps
    /// };
    /// assert_eq!((moved(false), moved(true)), (1, 0));
    /// # Ok::<(), owlbox_engine::InvalidPosition>(())
    /// ```
    #[must_use]
    pub const fn strict_larger_die(self, strict: bool) -> Self {
        Self { strict_larger_die: strict, ..self }
    }

    /// The position whose plays it finds.
    #[must_use]
    pub const fn position(&self) -> Position {
        Position::known(self.mover, self.other)
    }

    /// Calls `visit` with every legal play of `roll`, each result once. There is always at least one: if
    /// nothing can be moved, it has no steps.
    ///
    /// ```
    /// use owlbox_engine::{Generator, Variant};
    ///
    /// let mut plays = 0;
    /// Generator::new(Variant::Standard.start()).for_each("3-1".parse()?, |_| plays += 1);
    /// assert_eq!(plays, 16);
    /// # Ok::<(), owlbox_engine::InvalidValue>(())
    /// ```
    #[inline]
    pub fn for_each(&self, roll: Roll, mut visit: impl FnMut(Play)) {
        if self.position().movement() != Movement::Backgammon {
            return plain::plays(self.position(), roll, self.strict_larger_die).into_iter().for_each(visit);
        }
        let (high, low) = (roll.high().pips(), roll.low().pips());
        let found = match (roll.is_double(), self.mover.on_bar()) {
            (true, _) => self.double(high, &mut visit),
            (false, 0) if self.may_bear_off(high) => self.bearing_off(high, low, &mut visit),
            (false, 0) => self.mixed(high, low, &mut visit),
            (false, on_bar) => self.entering(high, low, on_bar, &mut visit),
        };
        if !found {
            visit(Play { steps: Steps::NONE, result: Position::known(self.other, self.mover) });
        }
    }

    /// Replaces the contents of `results` with the results of `roll`. Reusing the list saves allocations.
    #[inline]
    pub fn results(&self, roll: Roll, results: &mut Vec<Position>) {
        results.clear();
        self.for_each(roll, |play| results.push(play.result));
    }

    /// Whether two different numbers might bear a checker off: at most one checker is outside, and the larger
    /// number brings it home.
    const fn may_bear_off(&self, high: u8) -> bool {
        let outside = self.own & OUTSIDE;
        outside == 0
            || (outside & (outside - 1) == 0 && outside & self.several == 0 && outside >> high <= HOME)
    }

    /// Visits the plays that end with a move by `pips` from each place of `able`. Moves that hit come last,
    /// so that the other loop needs no look at the blots.
    #[inline(always)]
    fn last(
        &self,
        (mover, other, blots): (Checkers, Checkers, Places),
        (able, pips): (Places, u8),
        steps: Steps,
        visit: &mut impl FnMut(Play),
    ) {
        let hitting = able & blots << pips;
        each!(from in able ^ hitting => {
            visit(Play {
                steps: steps.then(Step::known(from, pips)),
                result: Position::known(other, moved(mover, from, pips)),
            });
        });
        each!(from in hitting => {
            visit(Play {
                steps: steps.then(Step::known(from, pips)),
                result: Position::known(struck(other, from - pips), moved(mover, from, pips)),
            });
        });
    }

    /// Plays of two different numbers with nobody on the bar and nothing to bear off.
    #[inline]
    fn mixed(&self, high: u8, low: u8, visit: &mut impl FnMut(Play)) -> bool {
        let by_high = self.own & self.open << high;
        let by_low = self.own & self.open << low;
        let mut found = false;
        each!(x in by_high => {
            let mover = moved(self.mover, x, high);
            let other = hit(self.other, self.blots, x - high);
            let blots = self.blots & !bit(x - high);
            // If one checker starts where the other arrives, this is one checker that plays both numbers.
            let taken = bit(x) & !self.several | bit(x - high) | bit(x + low);
            let partners = by_low & !taken;
            found |= partners != 0;
            let steps = Steps::NONE.then(Step::known(x, high));
            self.last((mover, other, blots), (partners, low), steps, visit);
        });
        found |= self.both_by_one(self.own, high, low, visit);
        found || self.only_one(by_high, by_low, high, low, visit)
    }

    /// Plays of both numbers by one checker of `from`.
    #[inline(always)]
    fn both_by_one(&self, from: Places, high: u8, low: u8, visit: &mut impl FnMut(Play)) -> bool {
        let able = from & self.open << (high + low);
        let high_first = able & self.open << high;
        // Both stops lead to the same result, unless a hit is possible on one of them.
        let same = high_first & !(self.blots << high) & !(self.blots << low);
        let low_first = able & self.open << low & !same;
        for (first, second, able) in [(high, low, high_first), (low, high, low_first)] {
            each!(x in able => {
                let (stop, end) = (x - first, x - first - second);
                let other = hit(hit(self.other, self.blots, stop), self.blots, end);
                let mover = moved(moved(self.mover, x, first), stop, second);
                visit(Play {
                    steps: Steps::NONE.then(Step::known(x, first)).then(Step::known(stop, second)),
                    result: Position::known(other, mover),
                });
            });
        }
        high_first | low_first != 0
    }

    /// G8: if both numbers cannot be played, the larger must be, and the smaller only if the larger cannot.
    #[inline(never)]
    fn only_one(
        &self,
        by_high: Places,
        by_low: Places,
        high: u8,
        low: u8,
        visit: &mut impl FnMut(Play),
    ) -> bool {
        let (able, pips) = if by_high != 0 { (by_high, high) } else { (by_low, low) };
        if able == 0 || (self.strict_larger_die && pips == low) {
            return false;
        }
        each!(x in able => {
            let other = match x > pips {
                true => hit(self.other, self.blots, x - pips),
                false => self.other,
            };
            visit(Play {
                steps: Steps::NONE.then(Step::known(x, pips)),
                result: Position::known(other, moved(self.mover, x, pips)),
            });
        });
        true
    }

    /// Plays of two different numbers with checkers on the bar (G10).
    #[inline]
    fn entering(&self, high: u8, low: u8, on_bar: u8, visit: &mut impl FnMut(Play)) -> bool {
        let entries = AT_BAR & self.open << high;
        let by_low = AT_BAR & self.open << low;
        if on_bar > 1 {
            if entries & by_low == 0 {
                return self.only_one(entries, by_low, high, low, visit);
            }
            let mover = moved(moved(self.mover, BAR, high), BAR, low);
            let other = hit(hit(self.other, self.blots, BAR - high), self.blots, BAR - low);
            visit(Play {
                steps: Steps::NONE.then(Step::known(BAR, high)).then(Step::known(BAR, low)),
                result: Position::known(other, mover),
            });
            return true;
        }
        let mut found = self.both_by_one(AT_BAR, high, low, visit);
        for (enter, then) in [(high, low), (low, high)] {
            if self.open >> (BAR - enter) & 1 == 0 {
                continue;
            }
            let mover = moved(self.mover, BAR, enter);
            let other = hit(self.other, self.blots, BAR - enter);
            let blots = self.blots & !bit(BAR - enter);
            let partners = self.own & self.open << then & !AT_BAR & !bit(BAR - enter);
            found |= partners != 0;
            let steps = Steps::NONE.then(Step::known(BAR, enter));
            self.last((mover, other, blots), (partners, then), steps, visit);
        }
        found || self.only_one(entries, by_low, high, low, visit)
    }

    /// Plays of two different numbers where a checker might be borne off (G11). The order matters here, and
    /// there are few results, so each is compared with those before it.
    #[inline(never)]
    fn bearing_off(&self, high: u8, low: u8, visit: &mut impl FnMut(Play)) -> bool {
        // At most seven places to leave with either number first, then seven with the other.
        let start = self.start();
        let mut seen = [0; 2 * 7 * 8];
        let mut count = 0;
        for (first, second) in [(high, low), (low, high)] {
            each!(x in self.able(start.own, first) => {
                let between = start.after(x, first);
                each!(y in self.able(between.own, second) => {
                    let end = between.after(y, second);
                    let mark = end.mark();
                    if !seen[..count].contains(&mark) {
                        seen[count] = mark;
                        count += 1;
                        visit(Play {
                            steps: Steps::NONE.then(Step::known(x, first)).then(Step::known(y, second)),
                            result: end.result(),
                        });
                    }
                });
            });
        }
        count > 0 || self.only_one(self.able(self.own, high), self.able(self.own, low), high, low, visit)
    }

    /// The places of `own` from which a checker can move by `pips`, with nobody on the bar.
    #[inline(always)]
    fn able(&self, own: Places, pips: u8) -> Places {
        let moving = own & self.open << pips;
        if own & OUTSIDE != 0 {
            return moving;
        }
        // The exact point; if it is empty and no checker is higher, the highest point.
        let from_there = own >> pips;
        if from_there == 0 {
            return moving | own.checked_ilog2().map_or(0, |top| 1 << top);
        }
        moving | (from_there & 1) << pips
    }

    /// Both sides before the first move.
    const fn start(&self) -> Turn {
        Turn { mover: self.mover, other: self.other, own: self.own, blots: self.blots }
    }

    /// Plays of a double: four moves of one number, or as many as are possible (G7, G8).
    #[inline]
    fn double(&self, pips: u8, visit: &mut impl FnMut(Play)) -> bool {
        let doubles = Doubles { generator: self, pips };
        let (mut start, mut steps) = (self.start(), Steps::NONE);
        let mut left = 4;
        let on_bar = self.mover.on_bar();
        if on_bar > 0 {
            if self.open >> (BAR - pips) & 1 == 0 {
                return false;
            }
            for _ in 0..on_bar.min(4) {
                (start, steps) = (start.after(BAR, pips), steps.then(Step::known(BAR, pips)));
                left -= 1;
            }
        }
        // Each checker outside takes a move before any may be borne off.
        if (start.own & OUTSIDE).count_ones() >= left {
            doubles.all::<false, _>(start, left, steps, visit)
        } else {
            doubles.all::<true, _>(start, left, steps, visit)
        }
    }
}

/// Both sides between two moves of a turn.
#[derive(Clone, Copy)]
struct Turn {
    mover: Checkers,
    other: Checkers,
    /// The places with a checker of the mover.
    own: Places,
    /// The blots that have not been hit yet.
    blots: Places,
}

impl Turn {
    /// The sides after one more move from `from` by `pips`, possibly off.
    #[inline(always)]
    fn after(self, from: Place, pips: u8) -> Self {
        let to = from.saturating_sub(pips);
        let mover = moved(self.mover, from, pips);
        let left = if mover.at(from) == 0 { self.own & !bit(from) } else { self.own };
        Self {
            mover,
            // The set of blots has no bit for `OFF`.
            other: hit(self.other, self.blots, to),
            own: (left | bit(to)) & !bit(OFF),
            blots: self.blots & !bit(to),
        }
    }

    /// A number that identifies the result of a roll that may bear off. Nobody stands beyond 12, so the
    /// mover's checkers take 52 bits, and only points up to 11 can have been hit.
    #[inline(always)]
    fn mark(self) -> u64 {
        self.mover.up_to_fifteen() | u64::from(self.blots & 0xffe) << 51
    }

    #[inline(always)]
    fn result(self) -> Position {
        Position::known(self.other, self.mover)
    }
}

/// The moves of a double.
#[derive(Clone, Copy)]
struct Doubles<'g> {
    generator: &'g Generator,
    pips: u8,
}

impl Doubles<'_> {
    /// The places of `own` from which a checker can move.
    #[inline(always)]
    fn able<const OFF_TOO: bool>(self, own: Places) -> Places {
        if OFF_TOO { self.generator.able(own, self.pips) } else { own & self.generator.open << self.pips }
    }

    /// Visits every way to add `left` more moves to `steps`, or as many as are possible. Returns false if no
    /// move was made at all.
    #[inline(always)]
    fn all<const OFF_TOO: bool, V: FnMut(Play)>(
        self,
        at: Turn,
        left: u32,
        steps: Steps,
        visit: &mut V,
    ) -> bool {
        let moves = self.longest::<OFF_TOO>(at, left);
        if moves > 0 {
            self.go::<OFF_TOO, V>(at, POINTS, moves, steps, visit);
        } else if !steps.is_empty() {
            visit(Play { steps, result: at.result() });
        }
        moves > 0 || !steps.is_empty()
    }

    /// The number of moves that can be made, at most `left`. No move takes another one away, so any choice
    /// will do.
    #[inline(always)]
    fn longest<const OFF_TOO: bool>(self, mut at: Turn, left: u32) -> u32 {
        for made in 0..left {
            let able = self.able::<OFF_TOO>(at.own);
            if able == 0 {
                return made;
            }
            // From the highest place first: checkers outside must come home before any is borne off.
            at = at.after(highest(able), self.pips);
        }
        left
    }

    /// Visits every way to make `left` more moves from the places of `from`.
    fn go<const OFF_TOO: bool, V: FnMut(Play)>(
        self,
        at: Turn,
        from: Places,
        left: u32,
        steps: Steps,
        visit: &mut V,
    ) {
        let able = self.able::<OFF_TOO>(at.own) & from;
        if left == 1 {
            return self.generator.last((at.mover, at.other, at.blots), (able, self.pips), steps, visit);
        }
        each!(x in able => {
            let or_lower = bit(x) | (bit(x) - 1);
            let steps = steps.then(Step::known(x, self.pips));
            self.go::<OFF_TOO, V>(at.after(x, self.pips), or_lower, left - 1, steps, visit);
        });
    }
}

/// The number of positions `depth` plies away: every distinct result of each of the 21 rolls at every ply,
/// unweighted. A game that is over leads nowhere and counts 0.
///
/// ```
/// use owlbox_engine::{Variant, perft};
///
/// assert_eq!(perft(Variant::Standard.start(), 1), 447);
/// ```
#[must_use]
pub fn perft(position: Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.is_over() {
        return 0;
    }
    let generator = Generator::new(position);
    let mut count = 0;
    for roll in Roll::ALL {
        if depth == 1 {
            generator.for_each(roll, |_| count += 1);
        } else {
            generator.for_each(roll, |play| count += perft(play.result, depth - 1));
        }
    }
    count
}
