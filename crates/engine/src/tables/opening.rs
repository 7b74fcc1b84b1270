//! Plays from the start position: as the three-language rules in the game box print them (K2), and today's.
//!
//! Both are tables, not computations. [`recommended`] repeats its source, an old booklet, and no rollout
//! stands behind it. [`today`] is what [`TODAY_BY`] found. The booklet names points from White's view. Here
//! each side counts from its own home (G2), so the plays are the same for White and Black.

use std::fmt;

use crate::dice::Roll;
use crate::place::Place;
use crate::play::{Step, Steps};
use crate::position::Position;
use crate::variant::Variant;

/// The plays recommended for `roll` from the start, in the printed order: one play, or for 2-1 a choice of
/// two.
///
/// The plays for [doubles](is_reply_only) hold only conditionally. By then the first side has moved, which
/// may make another play better or this one impossible. The same goes for the other rolls if the second side
/// plays them.
///
/// ```
/// use owlbox_engine::tables::opening::recommended;
///
/// let plays = recommended("3-1".parse()?);
/// assert_eq!(format!("{plays:?}"), "[[8/5, 6/5]]");
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[must_use]
pub fn recommended(roll: Roll) -> &'static [Steps] {
    PLAYS[number(roll)]
}

/// A program whose judgement is kept here.
///
/// ```
/// use owlbox_engine::tables::opening::TODAY_BY;
///
/// assert_eq!(TODAY_BY.to_string(), "GNU Backgammon 1.07.001, 3-ply");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judge {
    /// Its name.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// How many turns it looked ahead.
    pub ply: u8,
}

impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {}-ply", self.program, self.version, self.ply)
    }
}

/// Who chose [today's plays](today): `hint` at 3-ply with the cube, for money without Jacoby.
pub const TODAY_BY: Judge = Judge { program: "GNU Backgammon", version: "1.07.001", ply: 3 };

/// The plays that are chosen today for `roll` from the start: the best by [`TODAY_BY`] and, where it is at
/// most a hundredth of a point behind, the second best. What is said of doubles at [`recommended`] holds here
/// too.
///
/// ```
/// use owlbox_engine::tables::opening::today;
///
/// let plays = today("2-1".parse()?);
/// assert_eq!(format!("{plays:?}"), "[[24/23, 13/11], [13/11, 6/5]]");
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[must_use]
pub fn today(roll: Roll) -> &'static [Steps] {
    TODAY[number(roll)]
}

/// The place of a roll in the tables.
fn number(roll: Roll) -> usize {
    let (high, low) = (usize::from(roll.high().pips()), usize::from(roll.low().pips()));
    high * (high - 1) / 2 + low - 1
}

/// Whether `roll` cannot open the game (G3). Its recommended play is then for the second side's first turn
/// only.
///
/// ```
/// use owlbox_engine::tables::opening::is_reply_only;
///
/// assert!(is_reply_only("4-4".parse()?) && !is_reply_only("4-3".parse()?));
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[must_use]
pub const fn is_reply_only(roll: Roll) -> bool {
    roll.is_double()
}

/// The start after one of these plays, seen by the side that made it. No play of the table hits.
///
/// ```
/// use owlbox_engine::tables::opening::{position_after, recommended};
///
/// let position = position_after(recommended("3-1".parse()?)[0]);
/// assert_eq!(position.made_points().collect::<Vec<_>>(), [5, 6, 8, 13, 24]);
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[must_use]
pub fn position_after(steps: Steps) -> Position {
    let start = Variant::Standard.start();
    let mut board = start.board();
    for step in steps.iter() {
        board[usize::from(step.from())] -= 1;
        board[usize::from(step.to())] += 1;
    }
    Position::from_board(&board, start.mover().total()).unwrap_or(start)
}

/// K2 in the order of [`Roll::ALL`].
static PLAYS: [&[Steps]; Roll::ALL.len()] = [
    // 1-1
    &[steps(&[(8, 1), (8, 1), (6, 1), (6, 1)])],
    // 2-1, 2-2
    &[steps(&[(24, 2), (22, 1)]), steps(&[(13, 2), (6, 1)])],
    &[steps(&[(24, 2), (22, 2), (24, 2), (22, 2)])],
    // 3-1 to 3-3
    &[steps(&[(8, 3), (6, 1)])],
    &[steps(&[(13, 3), (13, 2)])],
    &[steps(&[(24, 3), (24, 3), (8, 3), (8, 3)])],
    // 4-1 to 4-4
    &[steps(&[(24, 1), (13, 4)])],
    &[steps(&[(8, 4), (6, 2)])],
    &[steps(&[(13, 3), (13, 4)])],
    &[steps(&[(24, 4), (24, 4), (13, 4), (13, 4)])],
    // 5-1 to 5-5
    &[steps(&[(24, 1), (23, 5)])],
    &[steps(&[(13, 5), (13, 2)])],
    &[steps(&[(8, 5), (6, 3)])],
    &[steps(&[(24, 4), (13, 5)])],
    &[steps(&[(13, 5), (8, 5), (13, 5), (8, 5)])],
    // 6-1 to 6-6
    &[steps(&[(13, 6), (8, 1)])],
    &[steps(&[(24, 2), (24, 6)])],
    &[steps(&[(24, 3), (24, 6)])],
    &[steps(&[(24, 4), (24, 6)])],
    &[steps(&[(24, 6), (18, 5)])],
    &[steps(&[(24, 6), (24, 6), (13, 6), (13, 6)])],
];

/// Today's plays in the order of [`Roll::ALL`], with what the second is behind in thousandths of a point.
static TODAY: [&[Steps]; Roll::ALL.len()] = [
    // 1-1
    &[steps(&[(8, 1), (8, 1), (6, 1), (6, 1)])],
    // 2-1 (5), 2-2
    &[steps(&[(24, 1), (13, 2)]), steps(&[(13, 2), (6, 1)])],
    &[steps(&[(13, 2), (13, 2), (6, 2), (6, 2)])],
    // 3-1, 3-2 (5), 3-3
    &[steps(&[(8, 3), (6, 1)])],
    &[steps(&[(24, 3), (13, 2)]), steps(&[(13, 3), (13, 2)])],
    &[steps(&[(8, 3), (8, 3), (6, 3), (6, 3)])],
    // 4-1, 4-2, 4-3 (7), 4-4
    &[steps(&[(24, 1), (13, 4)])],
    &[steps(&[(8, 4), (6, 2)])],
    &[steps(&[(13, 3), (13, 4)]), steps(&[(24, 3), (13, 4)])],
    &[steps(&[(24, 4), (24, 4), (13, 4), (13, 4)])],
    // 5-1, 5-2 (5), 5-3 to 5-5
    &[steps(&[(24, 1), (13, 5)])],
    &[steps(&[(24, 2), (13, 5)]), steps(&[(13, 5), (13, 2)])],
    &[steps(&[(8, 5), (6, 3)])],
    &[steps(&[(24, 4), (13, 5)])],
    &[steps(&[(13, 5), (8, 5), (13, 5), (8, 5)])],
    // 6-1, 6-2, 6-3 (10), 6-4 (4), 6-5, 6-6
    &[steps(&[(13, 6), (8, 1)])],
    &[steps(&[(24, 6), (13, 2)])],
    &[steps(&[(24, 6), (13, 3)]), steps(&[(24, 6), (18, 3)])],
    &[steps(&[(8, 6), (6, 4)]), steps(&[(24, 6), (13, 4)])],
    &[steps(&[(24, 6), (18, 5)])],
    &[steps(&[(24, 6), (24, 6), (13, 6), (13, 6)])],
];

/// Steps from pairs of the place they leave and their pips.
const fn steps(all: &[(Place, u8)]) -> Steps {
    let mut steps = Steps::NONE;
    let mut at = 0;
    while at < all.len() {
        steps = steps.then(Step::known(all[at].0, all[at].1));
        at += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Die;
    use crate::generate::Generator;
    use crate::notation::gnu::from_position_id;

    /// K2 as the box rules print it.
    const PRINTED: &str = "
        6/6=2×1A-7A & 2×12A-7 | 5/5=2×12A-8-3      | 4/4=2×1A-5A & 2×12A-9 | 3/3=2×1A-4A & 2×8-5
        2/2=2×1A-3A-5A        | 1/1=2×8-7 & 2×6-5  | 6/5=1A-7A-12A         | 6/4=1A-5A & 1A-7A
        6/3=1A-4A & 1A-7A     | 6/2=1A-3A & 1A-7A  | 6/1=12A-7 & 8-7       | 5/4=1A-5A & 12A-8
        5/3=8-3 & 6-3         | 5/2=12A-8 & 12A-11 | 5/1=1A-2A-7A          | 4/3=12A-10 & 12A-9
        4/2=8-4 & 6-4         | 4/1=1A-2A & 12A-9  | 3/2=12A-10 & 12A-11   | 3/1=8-5 & 6-5
        2/1=1A-3A-4A or 12A-11 & 6-5";

    fn start() -> Position {
        from_position_id("4HPwATDgc/ABMA", 15).unwrap()
    }

    fn die(text: &str) -> Die {
        Die::try_from(text.parse::<u8>().unwrap()).unwrap()
    }

    /// A point by White's name for it (K1a): nA is White's 25-n.
    fn point(name: &str) -> Place {
        match name.strip_suffix('A') {
            Some(number) => 25 - number.parse::<Place>().unwrap(),
            None => name.parse().unwrap(),
        }
    }

    /// The steps of `2×1A-7A & 2×12A-7`.
    fn read(play: &str) -> Steps {
        let mut all = Vec::new();
        for part in play.split('&').map(str::trim) {
            let (times, chain) = part.strip_prefix("2×").map_or((1, part), |chain| (2, chain));
            let points: Vec<Place> = chain.split('-').map(point).collect();
            for _ in 0..times {
                let moves = points.windows(2);
                all.extend(
                    moves.map(|ends| Step::new(ends[0], Die::try_from(ends[0] - ends[1]).unwrap()).unwrap()),
                );
            }
        }
        Steps::new(&all).unwrap()
    }

    /// The position after steps that hit nothing, by plain counting.
    fn after(position: Position, steps: Steps) -> Position {
        let mut board = position.board();
        for step in steps.iter() {
            assert!(board[usize::from(step.from())] > 0 && board[usize::from(step.to())] >= 0);
            board[usize::from(step.from())] -= 1;
            board[usize::from(step.to())] += 1;
        }
        Position::from_board(&board, 15).unwrap().turned()
    }

    #[test]
    fn k2_the_table_is_what_is_printed() {
        let entries: Vec<&str> = PRINTED.lines().flat_map(|line| line.split('|')).map(str::trim).collect();
        let entries: Vec<&str> = entries.into_iter().filter(|entry| !entry.is_empty()).collect();
        assert_eq!(entries.len(), 21);
        for entry in entries {
            let (roll, plays) = entry.split_once('=').unwrap();
            let (high, low) = roll.split_once('/').unwrap();
            let plays: Vec<Steps> = plays.split(" or ").map(read).collect();
            assert_eq!(recommended(Roll::new(die(high), die(low))), plays, "{entry}");
        }
    }

    #[test]
    fn k2_every_play_is_legal_from_the_start_and_uses_the_roll() {
        for roll in Roll::ALL {
            assert!((1..=2).contains(&today(roll).len()));
            for steps in recommended(roll).iter().chain(today(roll)) {
                assert_eq!(position_after(*steps).turned(), after(start(), *steps));
                let mut legal = false;
                Generator::new(start()).for_each(roll, |play| legal |= play.result == after(start(), *steps));
                assert!(legal, "{roll}: {steps:?}");
                let mut pips: Vec<u8> = steps.iter().map(Step::pips).collect();
                pips.sort_unstable();
                let (low, high) = (roll.low().pips(), roll.high().pips());
                assert_eq!(pips, if roll.is_double() { vec![low; 4] } else { vec![low, high] });
            }
        }
    }

    #[test]
    fn k2_fifteen_rolls_open_and_six_are_replies_and_two_one_has_two_plays() {
        assert_eq!(Roll::ALL.iter().filter(|roll| !is_reply_only(**roll)).count(), 15);
        assert_eq!(Roll::ALL.iter().filter(|roll| is_reply_only(**roll)).count(), 6);
        for roll in Roll::ALL {
            let two_one = roll == Roll::new(die("2"), die("1"));
            assert_eq!(recommended(roll).len(), if two_one { 2 } else { 1 });
        }
    }
}
