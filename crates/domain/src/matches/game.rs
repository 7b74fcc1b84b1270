//! A game of a sheet, and the score after it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::board::Transcript;
use super::terms::Terms;
use crate::matches::Slot;
use crate::matches::score::{CannotScore, Tally, WonGame};
use owlbox_engine::tables::equity::Phase;
use owlbox_engine::{CubeValue, Ended, Win};

/// How a game came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = GameEndedHow))]
pub enum How {
    /// It was played out (G13).
    #[default]
    Played,
    /// The loser dropped a double (C3): it counts as a single win of the cube as it stood before.
    Dropped,
    /// The loser gave it up, as what kind of win both agreed.
    Resigned,
}

/// What kind of win a game counts as, and how it came to it.
pub(super) const fn ending(ended: Ended) -> (Win, How) {
    let how = match ended {
        Ended::BorneOff { .. } | Ended::MotherPinned {} => How::Played,
        Ended::Resigned { .. } => How::Resigned,
        Ended::Dropped {} => How::Dropped,
    };
    match ended.win() {
        Some(win) => (win, how),
        None => (Win::Single, how),
    }
}

/// Who entered something on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum EnteredBy {
    /// The upper slot's player, whatever his roles.
    Upper,
    /// The lower slot's player, whatever his roles.
    Lower,
    /// Neither of the two: somebody who runs matches.
    Scorer,
}

impl EnteredBy {
    /// Which of the two it was, if it was one.
    #[must_use]
    pub const fn side(self) -> Option<Slot> {
        match self {
            Self::Upper => Some(Slot::Upper),
            Self::Lower => Some(Slot::Lower),
            Self::Scorer => None,
        }
    }
}

impl From<Option<Slot>> for EnteredBy {
    fn from(side: Option<Slot>) -> Self {
        match side {
            Some(Slot::Upper) => Self::Upper,
            Some(Slot::Lower) => Self::Lower,
            None => Self::Scorer,
        }
    }
}

/// Who vouches for something on a sheet. By default nobody has said who entered it: the board or a file did, or it stood
/// there before that was written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vouched {
    pub entered_by: Option<EnteredBy>,
    /// Which side contests it. Until a scorer has ruled it is in no book and no rating.
    pub contested_by: Option<Slot>,
    /// Whether it is contested, or ever was.
    pub was_contested: bool,
    /// Whether a scorer has ruled that it stands, or put it right: nobody contests it any more.
    pub ruled: bool,
}

impl Vouched {
    #[must_use]
    pub const fn by(entered_by: Option<EnteredBy>) -> Self {
        Self { entered_by, contested_by: None, was_contested: false, ruled: false }
    }

    /// Whether this side can contest it: the other has entered it, and nobody has ruled.
    #[must_use]
    pub fn is_contestable_by(&self, by: Slot) -> bool {
        let the_other = self.entered_by.and_then(EnteredBy::side) == Some(by.other());
        the_other && self.contested_by.is_none() && !self.ruled
    }

    pub(super) const fn rule(&mut self) {
        (self.contested_by, self.ruled) = (None, true);
    }
}

/// A game that somebody won, as it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = SheetGameWon))]
pub struct Won {
    /// Who.
    pub winner: Slot,
    /// As what.
    pub win: Win,
    /// What the cube stood at in the end; of a drop, before the double.
    pub cube: CubeValue,
    /// Whether the cube was turned and taken (C9).
    pub turned: bool,
    /// How it came to its end.
    pub how: How,
    /// Who began, if it is known (G3).
    pub began: Option<Slot>,
    /// What the winner won and the loser lost, in points (M2, C9).
    pub points: u32,
}

impl Won {
    /// The same for the score of a match.
    #[must_use]
    pub const fn scored(&self) -> WonGame {
        WonGame { winner: self.winner, win: self.win, cube: self.cube }
    }
}

/// The score, as it was after something on the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = SheetStanding))]
pub struct SheetStanding {
    /// Points won in games, upper and lower slot; in a match they may exceed its length (M2).
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub won: [u32; 2],
    /// Penalty points that a side has of the other's.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub penalties: [u32; 2],
    /// Where the next game stands against the Crawford game (M3); `null` in a money session.
    pub phase: Option<Phase>,
}

impl SheetStanding {
    /// The score before the first game.
    #[must_use]
    pub fn before(terms: Terms) -> Self {
        let phase = terms.length().map(|length| Tally::new(length).phase());
        Self { won: [0; 2], penalties: [0; 2], phase }
    }

    /// The score of the match after `games`; `None` of a money session.
    #[must_use]
    pub fn tally(self, terms: Terms, games: u32) -> Option<Tally> {
        let kept = Tally::kept(terms.length()?, self.won, self.penalties, self.phase?, games);
        Some(kept.with_crawford(terms.crawford()))
    }

    /// After a game.
    ///
    /// # Errors
    /// [`CannotScore`], of a match.
    pub fn after(self, terms: Terms, won: &Won) -> Result<Self, CannotScore> {
        if let Some(tally) = self.tally(terms, 0) {
            return tally.after(won.scored()).map(Self::new);
        }
        let mut after = self;
        let has = &mut after.won[won.winner.at()];
        *has = has.saturating_add(won.points);
        Ok(after)
    }

    /// After points of the other's penalty. Nobody is penalised in a money session.
    ///
    /// # Errors
    /// [`CannotScore`].
    pub fn penalised(self, terms: Terms, gains: Slot, points: u16) -> Result<Self, CannotScore> {
        self.tally(terms, 0).map_or(Ok(self), |tally| tally.penalised(gains, points).map(Self::new))
    }

    fn new(tally: Tally) -> Self {
        Self { won: tally.won(), penalties: tally.penalties(), phase: Some(tally.phase()) }
    }
}

/// What stands in a line of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A game that somebody won.
    Won(Won),
    /// A game that was drawn by agreement, or that a director set so (M8): it counts nothing.
    Drawn,
    /// A game that never was, as a scorer ruled when it was contested: it keeps its number and counts nothing.
    Void,
    /// Points for one side, of the other's penalty.
    Penalty {
        gains: Slot,
        points: u16,
        /// How many minutes late the other was, if that is what it was for.
        minutes: Option<u32>,
    },
}

impl What {
    /// Whether it is a game.
    #[must_use]
    pub const fn is_game(&self) -> bool {
        matches!(self, Self::Won(_) | Self::Drawn | Self::Void)
    }

    /// The score after it.
    ///
    /// # Errors
    /// [`CannotScore`].
    pub fn after(&self, before: SheetStanding, terms: Terms) -> Result<SheetStanding, CannotScore> {
        match self {
            Self::Won(won) => before.after(terms, won),
            Self::Void => Ok(before),
            Self::Drawn if before.tally(terms, 0).is_some_and(|tally| tally.winner().is_some()) => {
                Err(CannotScore::Over)
            }
            Self::Drawn => Ok(before),
            Self::Penalty { gains, points, .. } => before.penalised(terms, *gains, *points),
        }
    }
}

/// Where a game is written down action by action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Nowhere: it was entered by its result.
    #[default]
    Entered,
    Board(Arc<Transcript>),
    /// In the file that was brought, which game of it, from 0.
    File(usize),
}

/// A line of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub what: What,
    pub standing: SheetStanding,
    /// Where the game is written down.
    pub source: Source,
    pub vouched: Vouched,
}
