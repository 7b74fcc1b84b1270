//! What the score of a match means for the cube (M1 to M3): chances, take points, doubling windows, the price of a gammon.
//!
//! The API answers with these values and the pages show them. The figures themselves are those of the engine's tables; reading the
//! score out of a request is left to either side.

use serde::Serialize;
use utoipa::ToSchema;

use owlbox_engine::tables::doubling::{self, TakePoint, Window};
use owlbox_engine::tables::equity::{Away, MatchScore, Phase};
use owlbox_engine::{CubeValue, Win};

/// What a score means.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScoreBody {
    /// What the one side needs.
    pub own: Away,
    /// What the other needs.
    pub other: Away,
    /// Where the match stands against the Crawford game.
    pub phase: Phase,
    /// The stake before a double.
    pub cube: CubeValue,
    /// The one side.
    pub own_side: ScoreSide,
    /// The other.
    pub other_side: ScoreSide,
}

/// What a score means for a side. Chances are from 0 to 1.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScoreSide {
    /// Its chance to win the match before the game.
    #[schema(example = 0.62)]
    pub equity: f64,
    /// Its chance to win the match once it has won this game: single, gammon, backgammon.
    #[schema(value_type = [f64; 3])]
    pub after_win: [f64; 3],
    /// Its chance to win the match once it has lost this game: single, gammon, backgammon.
    #[schema(value_type = [f64; 3])]
    pub after_loss: [f64; 3],
    /// With which chance to win the game it takes the other's double; null in the Crawford game.
    pub take_point: Option<TakePointBody>,
    /// Between which chances to win the game its own double gains, if the cube is dead once taken; null where it cannot gain.
    pub window: Option<WindowBody>,
    /// What winning a gammon adds, over what winning single adds to losing single.
    #[schema(example = 0.5)]
    pub gammon_price: f64,
}

/// With which chance to win the game a double is as good taken as dropped.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TakePoint)]
pub struct TakePointBody {
    /// If nobody doubles again.
    #[schema(example = 0.25)]
    pub dead: f64,
    /// If the taker doubles again at the best moment, and so on.
    #[schema(example = 0.2)]
    pub live: f64,
}

/// Between which chances to win the game a double gains.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DoublingWindow)]
pub struct WindowBody {
    /// From here on it gains.
    #[schema(example = 0.5)]
    pub opens: f64,
    /// From here on the other side had better drop; below `opens` where a dead cube is never worth doubling.
    #[schema(example = 0.75)]
    pub closes: f64,
}

/// The match equity table Kazaross-XG2.
#[derive(Debug, Serialize, ToSchema)]
pub struct EquityTable {
    /// The chance of the side that needs row + 1 points against one that needs column + 1; where one side needs one, before
    /// the Crawford game.
    #[schema(min_items = 25, max_items = 25)]
    pub rows: Vec<Vec<f64>>,
    /// After the Crawford game: the chance of the side that needs index + 1 points against one that needs one.
    #[schema(min_items = 25, max_items = 25)]
    pub after_crawford: Vec<f64>,
}

impl From<TakePoint> for TakePointBody {
    fn from(TakePoint { dead, live }: TakePoint) -> Self {
        Self { dead, live }
    }
}
impl From<Window> for WindowBody {
    fn from(Window { opens, closes }: Window) -> Self {
        Self { opens, closes }
    }
}

/// Why a score cannot be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongScore {
    /// M3: exactly one side needs one point in the Crawford game.
    NoCrawfordGame,
    /// M3: there is no cube in the Crawford game.
    NoCube,
}

impl ScoreBody {
    /// What the score means where the first side needs `own` points and the second `other`. Outside the Crawford game, a side that
    /// needs one point means that the Crawford game is over.
    ///
    /// # Errors
    /// The score cannot be that of the Crawford game, or `cube` is not 1 in it.
    pub fn new(own: Away, other: Away, crawford: bool, cube: CubeValue) -> Result<Self, WrongScore> {
        let one_needs_one = [own, other].contains(&Away::ONE);
        let phase = match (crawford, one_needs_one) {
            (true, _) => Phase::Crawford,
            (false, true) => Phase::AfterCrawford,
            (false, false) => Phase::BeforeCrawford,
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
}

impl EquityTable {
    /// The whole table.
    #[must_use]
    pub fn complete() -> Self {
        let away: Vec<Away> = (1_u32..).map_while(|points| points.try_into().ok()).collect();
        let at = |own: Away, other: Away| {
            let phases = [Phase::BeforeCrawford, Phase::Crawford, Phase::AfterCrawford];
            let score = phases.into_iter().find_map(|phase| MatchScore::new(own, other, phase).ok());
            score.map_or(0.5, MatchScore::equity)
        };
        let after =
            |own: Away| MatchScore::new(own, Away::ONE, Phase::AfterCrawford).map_or(0.5, MatchScore::equity);
        Self {
            rows: away.iter().map(|own| away.iter().map(|other| at(*own, *other)).collect()).collect(),
            after_crawford: away.iter().map(|own| after(*own)).collect(),
        }
    }
}
