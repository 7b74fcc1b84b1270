//! The games of a sheet, and the score after each.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::board::Transcript;
use super::terms::Terms;
use crate::matches::Slot;
use crate::matches::score::{CannotScore, MatchTally, WonGame};
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_engine::{CubeValue, Ended, Win};

/// The way in which a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = GameEndedHow))]
pub enum GameEnding {
    /// It was played out (G13).
    #[default]
    Played,
    /// The loser dropped a double (C3). Counts as a single win at the cube's value before the double.
    Dropped,
    /// The loser resigned, for the kind of win that both agreed on.
    Resigned,
}

/// The kind of win that a game counts as, and how it ended.
pub(super) const fn ending(ended: Ended) -> (Win, GameEnding) {
    let how = match ended {
        Ended::BorneOff { .. } | Ended::MotherPinned {} => GameEnding::Played,
        Ended::Resigned { .. } => GameEnding::Resigned,
        Ended::Dropped {} => GameEnding::Dropped,
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
    /// The upper slot's player, whatever their roles.
    Upper,
    /// The lower slot's player, whatever their roles.
    Lower,
    /// Neither player, but somebody who runs matches.
    Scorer,
}

impl EnteredBy {
    /// The slot of the player who entered it; `None` for a scorer.
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

/// Who entered a line or a final score, and whether it is contested. By default nobody is recorded as having
/// entered it: it came from the board, or was entered before this was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vouched {
    pub entered_by: Option<EnteredBy>,
    /// The side that contests it. Until a scorer has ruled it is in no book and no rating.
    pub contested_by: Option<Slot>,
    /// Whether it is contested now, or ever was.
    pub was_contested: bool,
    /// Whether a scorer has ruled that it stands, or has corrected it: it can no longer be contested.
    pub ruled: bool,
}

impl Vouched {
    #[must_use]
    pub const fn by(entered_by: Option<EnteredBy>) -> Self {
        Self { entered_by, contested_by: None, was_contested: false, ruled: false }
    }

    /// Whether this side can contest it: the other side entered it, and no scorer has ruled.
    #[must_use]
    pub fn is_contestable_by(&self, by: Slot) -> bool {
        let the_other = self.entered_by.and_then(EnteredBy::side) == Some(by.other());
        the_other && self.contested_by.is_none() && !self.ruled
    }

    pub(super) const fn rule(&mut self) {
        (self.contested_by, self.ruled) = (None, true);
    }
}

/// The result of a game that one side won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = SheetGameWon))]
pub struct Won {
    pub winner: Slot,
    pub win: Win,
    /// The value of the cube at the end; after a drop, the value before the double.
    pub cube: CubeValue,
    /// Whether a double was made and taken (C9).
    pub turned: bool,
    pub how: GameEnding,
    /// The side that began, if known (G3).
    pub began: Option<Slot>,
    /// The points that the winner won and the loser lost (M2, C9).
    pub points: u32,
}

impl Won {
    /// The result as the score of a match needs it.
    #[must_use]
    pub const fn scored(&self) -> WonGame {
        WonGame { winner: self.winner, win: self.win, cube: self.cube }
    }
}

/// The score after a line of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SheetStanding {
    /// Points won in games, upper and lower slot; in a match they may exceed its length (M2).
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub won: [u32; 2],
    /// Points each side was given for the other's penalties.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub penalties: [u32; 2],
    /// The next game's place relative to the Crawford game (M3); `null` in a money session.
    pub phase: Option<MatchPhase>,
}

impl SheetStanding {
    /// The score before the first game.
    #[must_use]
    pub fn before(terms: Terms) -> Self {
        let phase = terms.length().map(|length| MatchTally::new(length).phase());
        Self { won: [0; 2], penalties: [0; 2], phase }
    }

    /// The score of the match after `games`; `None` for a money session.
    #[must_use]
    pub fn tally(self, terms: Terms, games: u32) -> Option<MatchTally> {
        let kept = MatchTally::kept(terms.length()?, self.won, self.penalties, self.phase?, games);
        Some(kept.with_crawford(terms.crawford()))
    }

    /// The score after a game.
    ///
    /// # Errors
    /// [`CannotScore`], in a match only.
    pub fn after(self, terms: Terms, won: &Won) -> Result<Self, CannotScore> {
        if let Some(tally) = self.tally(terms, 0) {
            return tally.after(won.scored()).map(Self::new);
        }
        let mut after = self;
        let has = &mut after.won[won.winner.at()];
        *has = has.saturating_add(won.points);
        Ok(after)
    }

    /// The score after penalty points. A money session has no penalties, so its score does not change.
    ///
    /// # Errors
    /// [`CannotScore`].
    pub fn penalised(self, terms: Terms, gains: Slot, points: u16) -> Result<Self, CannotScore> {
        self.tally(terms, 0).map_or(Ok(self), |tally| tally.penalised(gains, points).map(Self::new))
    }

    fn new(tally: MatchTally) -> Self {
        Self { won: tally.won(), penalties: tally.penalties(), phase: Some(tally.phase()) }
    }
}

/// The content of a line of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineContent {
    /// A game that one side won.
    Won(Won),
    /// A game drawn by agreement, or set so by a director (M8): it counts nothing.
    Drawn,
    /// A contested game that a scorer ruled was never played: it keeps its number and counts nothing.
    Void,
    /// Points given to one side for the other's penalty.
    Penalty {
        gains: Slot,
        points: u16,
        /// The minutes by which the other side was late, if that was the reason.
        minutes: Option<u32>,
    },
}

impl LineContent {
    /// Whether the line is a game rather than a penalty.
    #[must_use]
    pub const fn is_game(&self) -> bool {
        matches!(self, Self::Won(_) | Self::Drawn | Self::Void)
    }

    /// The score after this line.
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

/// Where the moves of a game are recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Nowhere: only the result was entered.
    #[default]
    Entered,
    Board(Arc<Transcript>),
    /// In the imported file, by the game's index from 0.
    File(usize),
}

/// A line of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub what: LineContent,
    pub standing: SheetStanding,
    /// Where the moves of the game are recorded.
    pub source: Source,
    pub vouched: Vouched,
}
