//! Statistics of a sheet (M8): who won how many games of which kind, as counts and in per cent to two
//! decimals.

use std::collections::BTreeMap;

use serde::Serialize;

use super::game::{GameEnding, LineContent, Won};
use super::state::Sheet;
use crate::matches::Slot;
use owlbox_engine::Win;

/// A count, and its share of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Frequency))]
pub struct Share {
    /// How many.
    pub count: u32,
    /// The share in hundredths of a per cent, rounded: 3333 is 33.33 per cent. 0 if the total is 0.
    pub hundredths: u32,
}

impl Share {
    /// The share of `count` in `all`.
    #[must_use]
    pub fn new(count: u32, all: u32) -> Self {
        let hundredths = (u64::from(count) * 20_000 + u64::from(all)).checked_div(2 * u64::from(all));
        Self { count, hundredths: hundredths.and_then(|part| u32::try_from(part).ok()).unwrap_or(0) }
    }
}

/// The games of one kind, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GamesOfAKind))]
pub struct Games {
    /// How many games.
    pub games: u32,
    /// Their share of all games of the sheet, or of the kind of match.
    pub part: Share,
    /// Won by White: the upper slot, or the player asked about.
    pub white: Share,
    /// Won by Black, the opponent.
    pub black: Share,
    pub drawn: Share,
}

impl Games {
    /// Their share of all games, and of them those won by White, won by Black, and drawn.
    #[must_use]
    pub const fn shares(&self) -> [Share; 4] {
        [self.part, self.white, self.black, self.drawn]
    }
}

/// Games by which side began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ByBeginner {
    pub white: Games,
    pub black: Games,
    /// Games for which nobody has recorded who began.
    pub unknown: Games,
}

/// Games that ended in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ByWin {
    pub how: GameEnding,
    pub win: Win,
    pub games: Games,
}

/// Games that ended with the cube at one value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ByCube {
    /// The value of the cube.
    pub cube: u32,
    pub games: Games,
}

/// Statistics of some games (M8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GameStatistics))]
pub struct Statistics {
    pub all: Games,
    /// The games by which side began.
    pub by_beginner: ByBeginner,
    /// By kind of win, without drawn games.
    pub by_win: Vec<ByWin>,
    /// By the value of the cube at the end, without drawn games.
    pub by_cube: Vec<ByCube>,
}

/// Running counts of games by result.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    white: u32,
    black: u32,
    drawn: u32,
}

impl Counts {
    fn note(&mut self, winner: Option<bool>) {
        let count = match winner {
            Some(true) => &mut self.white,
            Some(false) => &mut self.black,
            None => &mut self.drawn,
        };
        *count = count.saturating_add(1);
    }

    const fn games(self) -> u32 {
        self.white.saturating_add(self.black).saturating_add(self.drawn)
    }

    fn with_shares(self, all: u32) -> Games {
        let games = self.games();
        Games {
            games,
            part: Share::new(games, all),
            white: Share::new(self.white, games),
            black: Share::new(self.black, games),
            drawn: Share::new(self.drawn, games),
        }
    }
}

/// Statistics in the making, of one sheet or of many.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    all: Counts,
    by_beginner: [Counts; 3],
    by_win: BTreeMap<(GameEnding, Win), Counts>,
    by_cube: BTreeMap<u32, Counts>,
}

impl Counting {
    /// Counts the games of a sheet, with the player in slot `white` as White.
    pub fn sheet(&mut self, sheet: &Sheet, white: Slot) {
        for (_, entry) in sheet.games() {
            match &entry.what {
                LineContent::Won(won) => self.won(won, white),
                LineContent::Drawn | LineContent::Penalty { .. } => self.drawn(),
                LineContent::Void => {}
            }
        }
    }

    fn won(&mut self, won: &Won, white: Slot) {
        let winner = Some(won.winner == white);
        self.all.note(winner);
        self.by_win.entry((won.how, won.win)).or_default().note(winner);
        self.by_cube.entry(won.cube.get()).or_default().note(winner);
        let beginner = match won.began {
            Some(slot) => usize::from(slot != white),
            None => UNKNOWN,
        };
        self.by_beginner[beginner].note(winner);
    }

    fn drawn(&mut self) {
        self.all.note(None);
        self.by_beginner[UNKNOWN].note(None);
    }

    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let all = self.all.games();
        let [white, black, unknown] = self.by_beginner.map(|counts| counts.with_shares(all));
        Statistics {
            all: self.all.with_shares(all),
            by_beginner: ByBeginner { white, black, unknown },
            by_win: self
                .by_win
                .iter()
                .map(|(&(how, win), counts)| ByWin { how, win, games: counts.with_shares(all) })
                .collect(),
            by_cube: self
                .by_cube
                .iter()
                .map(|(&cube, counts)| ByCube { cube, games: counts.with_shares(all) })
                .collect(),
        }
    }
}

/// The index of games for which nobody has recorded who began.
const UNKNOWN: usize = 2;

impl Sheet {
    /// The statistics of its games, with the upper slot as White (M8).
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let mut counting = Counting::default();
        counting.sheet(self, Slot::Upper);
        counting.statistics()
    }
}
