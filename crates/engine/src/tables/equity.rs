//! Match equity: the chance to win a match from its score (M1 to M3).
//!
//! The numbers are the table Kazaross-XG2 (Neil Kazaross, 2011), which GNU Backgammon publishes under an
//! all-permissive notice; the unchanged file is in `assets/met/`. It is read **at compile time**: a damaged
//! file fails the build, and no error is left for run time.
//!
//! The author rolled out scores up to 9-away with eXtreme Gammon and up to 15-away with GNU Backgammon, and
//! extended them to 25-away by projecting take points. The table holds for two equal players, the cube in
//! use, the Crawford rule (M3) without Holland (M5), neither Jacoby nor beavers (M4). It has five or six
//! decimals, which says little about its accuracy. Longer matches are refused rather than extrapolated.
//!
//! A chance is an `f64` from 0 (the match is lost) to 1 (won). It advises people; no score or amount depends
//! on it.

use crate::InvalidValue;
use crate::cube::CubeValue;
use crate::result::Win;

/// The size of the table: up to 25 points to go for either side.
const LENGTH: usize = 25;

/// The points a side still needs to win the match: 1 to 25, as far as the table goes.
#[cfg_attr(
    doc,
    doc = r#"
```
use owlbox_engine::tables::equity::Away;

assert_eq!(Away::try_from(3)?.to_string(), "3a");
assert!(Away::try_from(26).is_err());
# Ok::<(), owlbox_engine::InvalidValue>(())
```"#
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "u32", into = "u32")
)]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(value_type = u32, minimum = 1, maximum = 25, example = 3)
)]
pub struct Away(u8);

impl Away {
    /// One point to go, the last.
    pub const ONE: Self = Self(1);

    /// The points as a number, 1 to 25.
    #[must_use]
    pub const fn points(self) -> u32 {
        self.0 as u32
    }

    /// The points still needed after winning `points`; `None` if that wins the match.
    fn less(self, points: u32) -> Option<Self> {
        let left = self.points().checked_sub(points).and_then(|left| u8::try_from(left).ok())?;
        (left > 0).then_some(Self(left))
    }

    /// The index of its row or column in the table.
    const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl TryFrom<u32> for Away {
    type Error = InvalidValue;
    fn try_from(points: u32) -> Result<Self, InvalidValue> {
        match u8::try_from(points) {
            Ok(points @ 1..=25) => Ok(Self(points)),
            _ => {
                Err(InvalidValue { what: "away score", allowed: "1 to 25, as far as the equity table goes" })
            }
        }
    }
}
impl From<Away> for u32 {
    fn from(away: Away) -> Self {
        away.points()
    }
}
impl std::fmt::Display for Away {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}a", self.0)
    }
}

/// The phase of a match relative to the Crawford game (M3).
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::tables::equity::{Away, MatchScore, MatchPhase};

let two = Away::try_from(2)?;
assert!(MatchScore::new(Away::ONE, two, MatchPhase::Crawford).is_ok());
assert!(MatchScore::new(two, two, MatchPhase::Crawford).is_err());
# Ok::<(), owlbox_engine::InvalidValue>(())
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum MatchPhase {
    /// Neither side is one point from winning.
    BeforeCrawford,
    /// The first game in which exactly one side is one point from winning. It is played without the cube.
    Crawford,
    /// The games after that, and those in which both sides need one point.
    AfterCrawford,
}

/// The score before a game, seen by one of the sides.
///
/// ```
/// use owlbox_engine::tables::equity::{Away, MatchScore, MatchPhase};
/// use owlbox_engine::{CubeValue, Win};
///
/// let score = MatchScore::new(Away::try_from(3)?, Away::try_from(4)?, MatchPhase::BeforeCrawford)?;
/// assert!((score.equity() - 0.57150).abs() < 1e-9);
/// // A gammon makes it 1-away, 4-away, and the next game is the Crawford game.
/// assert!((score.after_win(CubeValue::ONE, Win::Gammon) - 0.81436).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchScore {
    own: Away,
    other: Away,
    phase: MatchPhase,
}

/// A score that is impossible in the given phase.
///
/// ```
/// use owlbox_engine::tables::equity::{Away, MatchScore, MatchPhase, WrongPhase};
///
/// let (own, other) = (Away::ONE, Away::ONE);
/// assert_eq!(MatchScore::new(own, other, MatchPhase::Crawford), Err(WrongPhase { own, other }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a match at {own}-{other} is not in this phase")]
pub struct WrongPhase {
    /// The points the one side needs.
    pub own: Away,
    /// The points the other side needs.
    pub other: Away,
}

impl MatchScore {
    /// The score of a side that needs `own` points against one that needs `other`.
    ///
    /// # Errors
    /// If the phase does not fit (M3). It is [`MatchPhase::BeforeCrawford`] if neither side is 1-away,
    /// [`MatchPhase::AfterCrawford`] if both are, and either [`MatchPhase::Crawford`] or
    /// [`MatchPhase::AfterCrawford`] if exactly one is.
    pub fn new(own: Away, other: Away, phase: MatchPhase) -> Result<Self, WrongPhase> {
        let fits = match (own == Away::ONE, other == Away::ONE) {
            (false, false) => phase == MatchPhase::BeforeCrawford,
            (true, true) => phase == MatchPhase::AfterCrawford,
            _ => phase != MatchPhase::BeforeCrawford,
        };
        if fits { Ok(Self { own, other, phase }) } else { Err(WrongPhase { own, other }) }
    }

    /// The points this side needs.
    #[must_use]
    pub const fn own(self) -> Away {
        self.own
    }

    /// The points the other side needs.
    #[must_use]
    pub const fn other(self) -> Away {
        self.other
    }

    /// The phase the next game is in.
    #[must_use]
    pub const fn phase(self) -> MatchPhase {
        self.phase
    }

    /// The same score, seen by the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self { own: self.other, other: self.own, phase: self.phase }
    }

    /// This side's chance to win the match, before the game, from 0 to 1. The other side has the rest.
    #[must_use]
    pub fn equity(self) -> f64 {
        let (own, other) = (self.own.index(), self.other.index());
        let millionths = match self.phase {
            MatchPhase::BeforeCrawford | MatchPhase::Crawford => TABLE.scores[own][other],
            MatchPhase::AfterCrawford if self.own == Away::ONE => MILLION - TABLE.after_crawford[other],
            MatchPhase::AfterCrawford => TABLE.after_crawford[own],
        };
        f64::from(millionths) / f64::from(MILLION)
    }

    /// This side's chance to win the match after it has won this game with the cube on `cube`; 1 if that wins
    /// the match (M2).
    #[must_use]
    pub fn after_win(self, cube: CubeValue, win: Win) -> f64 {
        self.after_winning(cube.get() * win.multiplier())
    }

    /// This side's chance to win the match after it has lost this game with the cube on `cube`; 0 if that
    /// loses the match.
    #[must_use]
    pub fn after_loss(self, cube: CubeValue, win: Win) -> f64 {
        1.0 - self.turned().after_win(cube, win)
    }

    /// [`after_win`](Self::after_win) for a number of points, one or more.
    pub(super) fn after_winning(self, points: u32) -> f64 {
        self.next(points).map_or(1.0, Self::equity)
    }

    /// [`after_loss`](Self::after_loss) for a number of points, one or more.
    pub(super) fn after_losing(self, points: u32) -> f64 {
        1.0 - self.turned().after_winning(points)
    }

    /// The score before the next game if this side wins `points`; `None` if that wins the match.
    fn next(self, points: u32) -> Option<Self> {
        let own = self.own.less(points)?;
        let phase = match self.phase {
            MatchPhase::BeforeCrawford if own == Away::ONE => MatchPhase::Crawford,
            MatchPhase::BeforeCrawford => MatchPhase::BeforeCrawford,
            MatchPhase::Crawford | MatchPhase::AfterCrawford => MatchPhase::AfterCrawford,
        };
        Some(Self { own, other: self.other, phase })
    }
}

/// The unit of the table. Its decimals are whole numbers of it, so that sums are exact.
const MILLION: u32 = 1_000_000;

/// The whole table, in millionths.
struct Table {
    /// The chance of the side that needs row + 1 points against one that needs column + 1. If exactly one of
    /// the sides is 1-away, this is the Crawford game's.
    scores: [[u32; LENGTH]; LENGTH],
    /// After the Crawford game: the chance of the side that needs index + 1 points against one that needs
    /// one.
    after_crawford: [u32; LENGTH],
}

static TABLE: Table = Table::read(include_bytes!("../../assets/met/Kazaross-XG2.xml"));

impl Table {
    /// Reads the numbers in the order of the file: 25 rows of 25, then the row after Crawford.
    ///
    /// # Panics
    /// At compile time, if the file has more or fewer numbers, or one is malformed.
    const fn read(xml: &[u8]) -> Self {
        let mut table = Self { scores: [[0; LENGTH]; LENGTH], after_crawford: [0; LENGTH] };
        let (mut at, mut row) = (0, 0);
        while row <= LENGTH {
            let mut column = 0;
            while column < LENGTH {
                at = number_after(xml, at);
                let (millionths, end) = millionths(xml, at);
                at = end;
                match row < LENGTH {
                    true => table.scores[row][column] = millionths,
                    false => table.after_crawford[column] = millionths,
                }
                column += 1;
            }
            row += 1;
        }
        assert!(number_after(xml, at) == xml.len(), "the equity table has more numbers than 26 rows of 25");
        table
    }
}

/// The start of the next number from `at` on, just after its `<me>`; the end of the file if there is none.
const fn number_after(xml: &[u8], mut at: usize) -> usize {
    while at + 4 <= xml.len() {
        if xml[at] == b'<' && xml[at + 1] == b'm' && xml[at + 2] == b'e' && xml[at + 3] == b'>' {
            return at + 4;
        }
        at += 1;
    }
    xml.len()
}

/// The number at `at`, written `0.` and up to six decimals, in millionths, and the index after it.
const fn millionths(xml: &[u8], mut at: usize) -> (u32, usize) {
    assert!(at + 2 < xml.len() && xml[at] == b'0' && xml[at + 1] == b'.', "the equity table wants a number");
    at += 2;
    let (mut value, mut unit) = (0, MILLION / 10);
    while at < xml.len() && xml[at].is_ascii_digit() {
        assert!(unit > 0, "a number of the equity table has more than six decimals");
        value += (xml[at] - b'0') as u32 * unit;
        unit /= 10;
        at += 1;
    }
    assert!(at < xml.len() && xml[at] == b'<', "a number of the equity table does not end");
    (value, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: CubeValue = CubeValue::ONE;

    fn away(points: u32) -> Away {
        Away::try_from(points).unwrap()
    }

    fn score(own: u32, other: u32, phase: MatchPhase) -> MatchScore {
        MatchScore::new(away(own), away(other), phase).unwrap()
    }

    fn close(chance: f64, expected: f64) {
        assert!((chance - expected).abs() < 1e-9, "{chance} is not {expected}");
    }

    #[test]
    fn the_table_is_the_file_read_another_way() {
        let xml = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/met/Kazaross-XG2.xml"));
        let numbers: Vec<f64> =
            xml.split("<me>").skip(1).map(|rest| rest.split('<').next().unwrap().parse().unwrap()).collect();
        assert_eq!(numbers.len(), LENGTH * LENGTH + LENGTH);
        let table = TABLE.scores.iter().chain([&TABLE.after_crawford]).flatten();
        for (read, expected) in table.zip(numbers) {
            close(f64::from(*read) / f64::from(MILLION), expected);
        }
    }

    #[test]
    fn the_file_keeps_its_notice() {
        let xml = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/met/Kazaross-XG2.xml"));
        assert!(xml.contains("Copyright (C) 2011 Neil Kazaross"));
        assert!(xml.contains("are permitted in any medium without royalty"));
    }

    #[test]
    fn what_one_side_has_the_other_has_not() {
        for own in 0..LENGTH {
            for other in 0..LENGTH {
                assert_eq!(TABLE.scores[own][other] + TABLE.scores[other][own], MILLION, "{own} {other}");
            }
        }
        assert_eq!(TABLE.after_crawford[0], MILLION / 2);
    }

    #[test]
    fn needing_fewer_points_is_always_better() {
        for row in TABLE.scores {
            assert!(row.is_sorted_by(|fewer, more| fewer < more), "{row:?}");
        }
        assert!(TABLE.after_crawford.is_sorted_by(|fewer, more| fewer > more));
    }

    #[test]
    fn m3_equities_as_published() {
        use MatchPhase::{AfterCrawford, BeforeCrawford, Crawford};
        let published = [
            (2, 3, BeforeCrawford, 0.59947),
            (2, 4, BeforeCrawford, 0.66870),
            (3, 4, BeforeCrawford, 0.57150),
            (5, 7, BeforeCrawford, 0.62638),
            (1, 2, Crawford, 0.67736),
            (1, 3, Crawford, 0.75076),
            (1, 4, Crawford, 0.81436),
            (1, 5, Crawford, 0.84179),
            (2, 1, AfterCrawford, 0.48803),
            (3, 1, AfterCrawford, 0.32264),
            (4, 1, AfterCrawford, 0.31002),
            (5, 1, AfterCrawford, 0.19012),
            (6, 1, AfterCrawford, 0.18072),
            (7, 1, AfterCrawford, 0.11559),
            (1, 1, AfterCrawford, 0.5),
        ];
        for (own, other, phase, expected) in published {
            let score = score(own, other, phase);
            close(score.equity(), expected);
            close(score.turned().equity(), 1.0 - expected);
        }
    }

    #[test]
    fn m3_a_phase_that_the_score_rules_out_is_refused() {
        use MatchPhase::{AfterCrawford, BeforeCrawford, Crawford};
        let fits = [
            (2, 2, [true, false, false]),
            (1, 2, [false, true, true]),
            (7, 1, [false, true, true]),
            (1, 1, [false, false, true]),
        ];
        for (own, other, expected) in fits {
            let found = [BeforeCrawford, Crawford, AfterCrawford]
                .map(|phase| MatchScore::new(away(own), away(other), phase).is_ok());
            assert_eq!(found, expected, "{own}-{other}");
        }
    }

    #[test]
    fn m2_points_beyond_the_target_have_no_value() {
        let score = score(3, 2, MatchPhase::BeforeCrawford);
        close(score.after_win(ONE, Win::Backgammon), 1.0);
        close(score.after_win(CubeValue::MAX, Win::Backgammon), 1.0);
        close(score.after_loss(ONE, Win::Gammon), 0.0);
        close(score.after_loss(CubeValue::MAX, Win::Single), 0.0);
    }

    #[test]
    fn m3_a_won_game_leads_into_and_out_of_the_crawford_game() {
        // 3a-4a: a gammon makes 1a-4a, the Crawford game; a single loss makes 3a-3a.
        let before = score(3, 4, MatchPhase::BeforeCrawford);
        close(before.after_win(ONE, Win::Gammon), 0.81436);
        close(before.after_loss(ONE, Win::Single), 0.5);
        // The Crawford game at 1a-4a lost: 1a-3a after Crawford, where the trailer has 32.264 %.
        let crawford = score(1, 4, MatchPhase::Crawford);
        close(crawford.after_loss(ONE, Win::Single), 1.0 - 0.32264);
        close(crawford.after_win(ONE, Win::Single), 1.0);
        // That game lost as well: 1a-2a after Crawford; and one more: 1a-1a.
        close(score(1, 3, MatchPhase::AfterCrawford).after_loss(ONE, Win::Single), 1.0 - 0.48803);
        close(score(1, 2, MatchPhase::AfterCrawford).after_loss(ONE, Win::Single), 0.5);
    }

    #[test]
    fn m7_matches_longer_than_the_table_are_refused() {
        for good in 1..=25 {
            assert_eq!(away(good).points(), good);
        }
        for bad in [0, 26, 257, u32::MAX] {
            assert!(Away::try_from(bad).is_err(), "{bad}");
        }
        assert_eq!(away(3).to_string(), "3a");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn an_away_score_is_read_only_as_far_as_the_table_goes() {
        for good in 1..=25 {
            assert_eq!(serde_json::from_str::<Away>(&good.to_string()).unwrap().points(), good);
        }
        for bad in ["0", "26", "257", "-1", "2.5", "\"3\""] {
            assert!(serde_json::from_str::<Away>(bad).is_err(), "{bad}");
        }
    }
}
