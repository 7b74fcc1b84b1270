//! The outcomes of two dice, out of 36, that hit (K3, G9).
//!
//! Players mix up two questions:
//!
//! * [`rolls_that_reach`]: a point at some distance **on an empty board**. This is the row of K3 that
//!   everybody learns by heart; here it is counted, not typed in.
//! * [`shots`]: a blot **in a real position**. Every legal play of every roll is tried, so blocked stops,
//!   checkers on the bar (G10), several hitters and numbers that must be played elsewhere (G8) all count.

use crate::dice::Roll;
use crate::generate::Generator;
use crate::place::{BAR, OFF, Place, across};
use crate::position::Position;

/// The number of outcomes of two dice. A roll of two different numbers is two of them.
pub const OUTCOMES: u32 = 36;

/// A set of rolls, counted by outcomes.
///
/// ```
/// use owlbox_engine::tables::shots::{Rolls, rolls_that_reach};
///
/// let six_away: Rolls = rolls_that_reach(6);
/// assert_eq!((six_away.out_of_36(), six_away.percent()), (17, 47));
/// assert!(six_away.contains("4-2".parse()?));
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rolls(u32);

impl Rolls {
    /// The set of rolls for which `wanted` holds.
    fn that(mut wanted: impl FnMut(Roll) -> bool) -> Self {
        let all = Roll::ALL.into_iter().enumerate();
        Self(all.fold(0, |set, (bit, roll)| set | u32::from(wanted(roll)) << bit))
    }

    /// The rolls of the set, from 1-1 to 6-6.
    pub fn iter(self) -> impl Iterator<Item = Roll> {
        let all = Roll::ALL.into_iter().enumerate();
        all.filter(move |(bit, _)| self.0 >> bit & 1 == 1).map(|(_, roll)| roll)
    }

    /// Whether `roll` is in the set.
    #[must_use]
    pub fn contains(self, roll: Roll) -> bool {
        self.iter().any(|one| one == roll)
    }

    /// The number of the [36 outcomes](OUTCOMES) in the set.
    #[must_use]
    pub fn out_of_36(self) -> u32 {
        self.iter().map(Roll::weight).sum()
    }

    /// The share of the outcomes in per cent, rounded half up as K3 prints it: 17 of 36 are 47.
    #[must_use]
    pub fn percent(self) -> u32 {
        (200 * self.out_of_36() + OUTCOMES) / (2 * OUTCOMES)
    }
}

/// The rolls that move a lone checker exactly `pips` points on an empty board: by one number, by both
/// together, or by up to four of a double (K3, G6, G7).
///
/// K3 prints 1 to 12. Beyond that, only 15, 16, 18, 20 and 24 can be reached.
///
/// ```
/// use owlbox_engine::tables::shots::rolls_that_reach;
///
/// let counts = [1, 6, 12].map(|pips| rolls_that_reach(pips).out_of_36());
/// assert_eq!(counts, [11, 17, 3]);
/// ```
#[must_use]
pub fn rolls_that_reach(pips: u8) -> Rolls {
    Rolls::that(|roll| {
        let (high, low) = (roll.high().pips(), roll.low().pips());
        match roll.is_double() {
            true => (1..=4).any(|moves| moves * high == pips),
            false => [high, low, high + low].contains(&pips),
        }
    })
}

/// The rolls with which the side about to move can hit the other side's blot on `point`, as the mover counts.
/// Empty if there is no blot.
///
/// ```
/// use owlbox_engine::Position;
/// use owlbox_engine::tables::shots::shots;
///
/// // Eight away. The stops are blocked, except those of 5-3 and 4-4.
/// let mut board = [0; 26];
/// (board[20], board[18], board[14], board[12]) = (1, -2, -2, -1);
/// let position = Position::from_board(&board, 15)?;
/// assert_eq!(shots(position, 12).out_of_36(), 3);
/// # Ok::<(), owlbox_engine::InvalidPosition>(())
/// ```
#[must_use]
pub fn shots(position: Position, point: Place) -> Rolls {
    let blot = across(point.min(BAR));
    // Nothing is hit on the bar or off the board.
    if blot == OFF || blot == BAR || position.other().at(blot) != 1 {
        return Rolls::default();
    }
    // A checker that was hit has left the point, whether the hitter stayed there or went on.
    that_lead_to(position, |result| result.mover().at(blot) == 0)
}

/// The rolls with which the side about to move can hit at least one blot.
///
/// ```
/// use owlbox_engine::Position;
/// use owlbox_engine::tables::shots::shots_at_any;
///
/// // A blot one away, and another two away.
/// let mut board = [0; 26];
/// (board[20], board[19], board[18]) = (1, -1, -1);
/// let position = Position::from_board(&board, 15)?;
/// assert_eq!(shots_at_any(position).out_of_36(), 20);
/// # Ok::<(), owlbox_engine::InvalidPosition>(())
/// ```
#[must_use]
pub fn shots_at_any(position: Position) -> Rolls {
    if position.turned().blots().next().is_none() {
        return Rolls::default();
    }
    let on_bar = position.other().on_bar();
    that_lead_to(position, |result| result.mover().on_bar() > on_bar)
}

/// The rolls with a legal play that leads to a `wanted` position, seen by the other side.
fn that_lead_to(position: Position, wanted: impl Fn(Position) -> bool) -> Rolls {
    let generator = Generator::new(position);
    Rolls::that(|roll| {
        let mut found = false;
        generator.for_each(roll, |play| found |= wanted(play.result));
        found
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dice::Die;

    /// The mover's checkers and the other side's, all as the mover counts.
    fn position(own: &[(usize, i8)], theirs: &[(usize, i8)]) -> Position {
        let mut board = [0; 26];
        own.iter().for_each(|(place, count)| board[*place] = *count);
        theirs.iter().for_each(|(place, count)| board[*place] = -count);
        Position::from_board(&board, 15).unwrap()
    }

    /// The rolls with which the other side hits a blot of the side that has just played.
    fn shots_back(result: Position, blot: Place) -> Rolls {
        shots(result, across(blot.min(BAR)))
    }

    fn roll(one: u8, other: u8) -> Roll {
        Roll::new(Die::try_from(one).unwrap(), Die::try_from(other).unwrap())
    }

    #[test]
    fn k3_the_printed_row_is_what_enumeration_gives() {
        let row: Vec<Rolls> = (1..=12).map(rolls_that_reach).collect();
        let counts: Vec<u32> = row.iter().map(|rolls| rolls.out_of_36()).collect();
        assert_eq!(counts, [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]);
        let percent: Vec<u32> = row.iter().map(|rolls| rolls.percent()).collect();
        assert_eq!(percent, [31, 33, 39, 42, 42, 47, 17, 17, 14, 8, 6, 8]);
    }

    #[test]
    fn k3_beyond_twelve_only_doubles_reach() {
        for pips in 13..=u8::MAX {
            let rolls: Vec<Roll> = rolls_that_reach(pips).iter().collect();
            let double = match pips {
                15 => 5,
                16 => 4,
                18 | 24 => 6,
                20 => 5,
                _ => 0,
            };
            assert_eq!(rolls, if double > 0 { vec![roll(double, double)] } else { vec![] }, "{pips}");
        }
        assert_eq!(rolls_that_reach(0), Rolls::default());
    }

    #[test]
    fn k3_a_lone_checker_and_a_lone_blot_on_a_real_board_are_the_same_row() {
        for from in 2..=BAR {
            for point in 1..from.min(25) {
                // Only blots in front of the checker: bearing off has rules of its own.
                let one = position(&[(usize::from(from), 1)], &[(usize::from(point), 1)]);
                assert_eq!(shots(one, point), rolls_that_reach(from - point), "from {from} to {point}");
                assert_eq!(shots_at_any(one), rolls_that_reach(from - point));
                assert_eq!(shots_back(one, 25 - point), rolls_that_reach(from - point));
            }
        }
    }

    /// Proves K3.
    #[test]
    fn g5_a_blocked_stop_takes_the_combinations_away() {
        // Eight away: 6-2, 5-3, 4-4 and 2-2 reach it. With the stops six and two away blocked, only 5-3 and
        // 4-4 do.
        let free = position(&[(20, 1)], &[(12, 1)]);
        assert_eq!(shots(free, 12).out_of_36(), 6);
        let blocked = position(&[(20, 1)], &[(12, 1), (14, 2), (18, 2)]);
        assert_eq!(shots(blocked, 12).iter().collect::<Vec<_>>(), [roll(4, 4), roll(5, 3)]);
        assert_eq!(shots(blocked, 12).out_of_36(), 3);
        assert!(shots(blocked, 12).contains(roll(3, 5)) && !shots(blocked, 12).contains(roll(6, 2)));
    }

    /// Proves K3.
    #[test]
    fn g10_whoever_is_on_the_bar_enters_before_anything_hits() {
        // One checker on the bar, one on 10 that aims at 4: the six hits only if the other number enters.
        let one = position(&[(25, 1), (10, 1)], &[(4, 1), (20, 2), (21, 2), (22, 2)]);
        // 3, 4 and 5 do not enter. With 6-6, 6-2 and 6-1 one number enters and the other hits; 2-2 plays
        // bar/23, 10/4.
        let hits: Vec<Roll> = shots(one, 4).iter().collect();
        assert_eq!(hits, [roll(2, 2), roll(6, 1), roll(6, 2), roll(6, 6)]);
        assert_eq!(shots(one, 4).out_of_36(), 6);
        // With two on the bar, two different numbers are used up by entering. 3-3 and 6-6 have moves left.
        let two = position(&[(25, 2), (10, 1)], &[(4, 1)]);
        assert_eq!(shots(two, 4).iter().collect::<Vec<_>>(), [roll(3, 3), roll(6, 6)]);
    }

    /// Proves K3.
    #[test]
    fn g8_a_number_that_must_be_played_elsewhere_is_no_shot() {
        // 6-5, one checker on 12, a blot on 7. 12/7 hits but leaves no six; 12/6 leaves no five. So the
        // larger number must be played, and the five may not hit.
        let forced = position(&[(12, 1)], &[(7, 1), (1, 2)]);
        assert!(!shots(forced, 7).contains(roll(6, 5)));
        // A hit on the way to a play of both numbers counts.
        let free = position(&[(12, 1)], &[(7, 1)]);
        assert!(shots(free, 7).contains(roll(6, 5)));
    }

    /// Proves K3.
    #[test]
    fn g9_several_blots_are_counted_each_and_together() {
        let two = position(&[(24, 1)], &[(23, 1), (22, 1)]);
        let (near, far) = (shots(two, 23), shots(two, 22));
        assert_eq!((near.out_of_36(), far.out_of_36()), (11, 12));
        // Ones and twos: 20 outcomes; 1-1 reaches both blots.
        assert_eq!(shots_at_any(two).out_of_36(), 20);
    }

    #[test]
    fn what_is_no_blot_cannot_be_hit() {
        let made = position(&[(24, 1)], &[(18, 2), (0, 1)]);
        for point in 0..=u8::MAX {
            assert_eq!(shots(made, point), Rolls::default(), "{point}");
            assert_eq!(shots_back(made, point), Rolls::default(), "{point}");
        }
        assert_eq!(shots_at_any(made), Rolls::default());
    }

    /// The rules once more, on a plain board and by trying everything.
    mod brute {
        use super::*;

        type Board = [i8; 26];

        /// The board after a step, and whether it hit on `point`; `None` if it is illegal.
        fn step(board: &Board, from: usize, pips: usize, point: usize) -> Option<(Board, bool)> {
            let must_enter = board[25] > 0 && from != 25;
            if board[from] <= 0 || must_enter {
                return None;
            }
            let mut next = *board;
            next[from] -= 1;
            if from <= pips {
                let higher = (from + 1..=25).any(|place| board[place] > 0);
                let outside = (7..=25).any(|place| board[place] > 0);
                return (!outside && (from == pips || !higher)).then_some((next, false));
            }
            let to = from - pips;
            match board[to] {
                ..=-2 => None,
                -1 => {
                    next[to] = 1;
                    next[0] -= 1;
                    Some((next, to == point))
                }
                _ => {
                    next[to] += 1;
                    Some((next, false))
                }
            }
        }

        /// Every way to play `dice` in this order, at every length: the dice used, and whether it hit.
        fn ways(
            board: &Board,
            dice: &[usize],
            point: usize,
            used: &[usize],
            hit: bool,
        ) -> Vec<(Vec<usize>, bool)> {
            let mut all = vec![(used.to_vec(), hit)];
            if let [pips, rest @ ..] = dice {
                for from in 1..=25 {
                    if let Some((next, hits)) = step(board, from, *pips, point) {
                        let used = [used, &[*pips]].concat();
                        all.extend(ways(&next, rest, point, &used, hit || hits));
                    }
                }
            }
            all
        }

        /// Whether a legal play of `roll` hits on `point`. Legal plays use as many numbers as possible, and
        /// the larger of two if only one (G8).
        pub(super) fn hits(position: Position, roll: Roll, point: usize) -> bool {
            let (high, low) = (usize::from(roll.high().pips()), usize::from(roll.low().pips()));
            let orders = match roll.is_double() {
                true => vec![vec![high; 4]],
                false => vec![vec![high, low], vec![low, high]],
            };
            let board = position.board();
            let all: Vec<_> = orders.iter().flat_map(|dice| ways(&board, dice, point, &[], false)).collect();
            let most = all.iter().map(|(used, _)| (used.len(), used.iter().sum::<usize>())).max();
            all.iter().any(|(used, hit)| *hit && Some((used.len(), used.iter().sum())) == most)
        }
    }

    /// Positions with few checkers, so that blots, the bar, dead ends and bearing off are all common.
    fn sparse() -> impl Strategy<Value = Position> {
        let own = prop::collection::vec((1_usize..=25, 1_i8..=2), 1..=4);
        let theirs = prop::collection::vec((0_usize..=24, 1_i8..=2), 1..=6);
        (own, theirs).prop_map(|(own, theirs)| {
            let mut board = [0_i8; 26];
            own.iter().for_each(|(place, count)| board[*place] = *count);
            let free: Vec<_> = theirs.iter().filter(|(place, _)| board[*place] <= 0).copied().collect();
            free.iter().for_each(|(place, count)| board[*place] = -count);
            Position::from_board(&board, 15).unwrap()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn k3_shots_are_what_trying_everything_finds(position in sparse()) {
            let mut any = Rolls::default();
            for blot in position.turned().blots() {
                let point = across(blot);
                let found = shots(position, point);
                let expected = Rolls::that(|roll| brute::hits(position, roll, usize::from(point)));
                prop_assert_eq!(found, expected, "{:?} at {}", position, point);
                prop_assert_eq!(shots_back(position, blot), expected);
                any.0 |= expected.0;
            }
            prop_assert_eq!(shots_at_any(position), any);
        }
    }
}
