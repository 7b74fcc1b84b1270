//! What the score of a match means for the cube (M1 to M3): chances, take points, doubling windows, the price
//! of a gammon.
//!
//! The API answers with these values and the pages show them. The figures come from the engine's tables.
//! Reading the score out of a request is left to either side.

use serde::Serialize;

use owlbox_engine::tables::doubling::{self, DoublingWindow, TakePoint};
use owlbox_engine::tables::equity::{Away, MatchPhase, MatchScore};
use owlbox_engine::{CubeValue, Win};

/// What the score of a match means for both sides.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ScoreBody {
    /// Points the first side needs to win the match.
    pub own: Away,
    /// Points the second side needs to win the match.
    pub other: Away,
    /// Before, in or after the Crawford game.
    pub phase: MatchPhase,
    /// The value of the cube before the double.
    pub cube: CubeValue,
    /// The score as the first side sees it.
    pub own_side: ScoreSide,
    /// The score as the second side sees it.
    pub other_side: ScoreSide,
}

/// What a score means for one side. Chances are from 0 to 1.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ScoreSide {
    /// The chance of winning the match at the start of the game.
    #[cfg_attr(feature = "schema", schema(example = 0.62))]
    pub equity: f64,
    /// The chance of winning the match after winning this game: single, gammon, backgammon.
    #[cfg_attr(feature = "schema", schema(value_type = [f64; 3]))]
    pub after_win: [f64; 3],
    /// The chance of winning the match after losing this game: single, gammon, backgammon.
    #[cfg_attr(feature = "schema", schema(value_type = [f64; 3]))]
    pub after_loss: [f64; 3],
    /// The chance of winning the game from which the opponent's double is a take; null in the Crawford game.
    pub take_point: Option<TakePointBody>,
    /// The chances of winning the game between which this side gains by doubling, with a cube that is dead
    /// once taken; null where doubling cannot gain.
    pub window: Option<WindowBody>,
    /// What winning a gammon adds, relative to what a single win adds over a single loss.
    #[cfg_attr(feature = "schema", schema(example = 0.5))]
    pub gammon_price: f64,
}

/// The chance of winning the game at which a double is as good taken as dropped.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TakePoint))]
pub struct TakePointBody {
    /// If nobody redoubles.
    #[cfg_attr(feature = "schema", schema(example = 0.25))]
    pub dead: f64,
    /// If the taker redoubles at the best moment, and so on.
    #[cfg_attr(feature = "schema", schema(example = 0.2))]
    pub live: f64,
}

/// The chances of winning the game between which a double gains.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DoublingWindow))]
pub struct WindowBody {
    /// Doubling gains from this chance on.
    #[cfg_attr(feature = "schema", schema(example = 0.5))]
    pub opens: f64,
    /// The opponent should drop from this chance on. Below `opens` where a dead cube is never worth doubling.
    #[cfg_attr(feature = "schema", schema(example = 0.75))]
    pub closes: f64,
}

/// The match equity table Kazaross-XG2.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EquityTable {
    /// The chance of the side that needs row + 1 points against one that needs column + 1. Where either side
    /// needs one point, the Crawford game is still to come.
    #[cfg_attr(feature = "schema", schema(min_items = 25, max_items = 25))]
    pub rows: Vec<Vec<f64>>,
    /// After the Crawford game: the chance of the side that needs index + 1 points against one that needs
    /// one.
    #[cfg_attr(feature = "schema", schema(min_items = 25, max_items = 25))]
    pub after_crawford: Vec<f64>,
}

impl From<TakePoint> for TakePointBody {
    fn from(TakePoint { dead, live }: TakePoint) -> Self {
        Self { dead, live }
    }
}
impl From<DoublingWindow> for WindowBody {
    fn from(DoublingWindow { opens, closes }: DoublingWindow) -> Self {
        Self { opens, closes }
    }
}

/// Why a score cannot be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongScore {
    /// M3: in the Crawford game exactly one side needs one point.
    NoCrawfordGame,
    /// M3: the Crawford game has no cube.
    NoCube,
}

impl ScoreBody {
    /// Looks up a score where the first side needs `own` points and the second `other`. If a side needs one
    /// point, the Crawford game is over unless `crawford` says that this is it.
    ///
    /// # Errors
    /// The score cannot be that of the Crawford game, or `cube` is not 1 in it.
    pub fn new(own: Away, other: Away, crawford: bool, cube: CubeValue) -> Result<Self, WrongScore> {
        let one_needs_one = [own, other].contains(&Away::ONE);
        let phase = match (crawford, one_needs_one) {
            (true, _) => MatchPhase::Crawford,
            (false, true) => MatchPhase::AfterCrawford,
            (false, false) => MatchPhase::BeforeCrawford,
        };
        let score = MatchScore::new(own, other, phase).map_err(|_| WrongScore::NoCrawfordGame)?;
        if crawford && cube != CubeValue::ONE {
            return Err(WrongScore::NoCube);
        }
        let own_side = ScoreSide::new(score, cube);
        let other_side = ScoreSide::new(score.turned(), cube);
        Ok(Self { own, other, phase: score.phase(), cube, own_side, other_side })
    }
}

impl ScoreSide {
    fn new(score: MatchScore, cube: CubeValue) -> Self {
        Self {
            equity: score.equity(),
            after_win: Win::ALL.map(|win| score.after_win(cube, win)),
            after_loss: Win::ALL.map(|win| score.after_loss(cube, win)),
            take_point: doubling::take_point(score, cube).map(Into::into),
            window: doubling::doubling_window(score, cube).map(Into::into),
            gammon_price: doubling::gammon_price(score, cube),
        }
    }

    /// Between which chances of winning the game doubling gains. `None` where a dead cube is never worth it.
    #[must_use]
    pub fn gaining(&self) -> Option<&WindowBody> {
        self.window.as_ref().filter(|window| window.opens <= window.closes)
    }
}

impl EquityTable {
    /// Every score that the table has.
    #[must_use]
    pub fn complete() -> Self {
        let away: Vec<Away> = (1_u32..).map_while(|points| points.try_into().ok()).collect();
        let at = |own: Away, other: Away| {
            let phases = [MatchPhase::BeforeCrawford, MatchPhase::Crawford, MatchPhase::AfterCrawford];
            let score = phases.into_iter().find_map(|phase| MatchScore::new(own, other, phase).ok());
            score.map_or(0.5, MatchScore::equity)
        };
        let after = |own: Away| {
            MatchScore::new(own, Away::ONE, MatchPhase::AfterCrawford).map_or(0.5, MatchScore::equity)
        };
        Self {
            rows: away.iter().map(|own| away.iter().map(|other| at(*own, *other)).collect()).collect(),
            after_crawford: away.iter().map(|own| after(*own)).collect(),
        }
    }
}
