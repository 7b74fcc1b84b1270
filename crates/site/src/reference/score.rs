//! What the score means for the cube: the form, the figures for its score, and the match equity table.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::frame;
use crate::pages::Frame;
use crate::visitor::{self, Visitor};
use owlbox_desk::matches::score::{EquityTable, ScoreBody, ScoreSide, WrongScore};
use owlbox_engine::CubeValue;
use owlbox_engine::tables::equity::{Away, MatchPhase};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;

/// The highest cube that the form offers. A single game of it wins a match of any length in the table.
const HIGHEST_CUBE: u32 = 32;
/// The points that either side needs before anything is typed.
const AT_FIRST: &str = "5";

/// A row of figures: its name, and a text for each side.
type Figures = (&'static str, [String; 2]);

/// `/reference/score?own=&other=&cube=&crawford=`
#[derive(Template)]
#[template(path = "reference/score.html")]
pub(super) struct ScorePage {
    pub t: Locale,
    pub frame: Frame,
    /// How many points the own side needs, as typed.
    pub own: String,
    pub other: String,
    /// Whether it is the Crawford game.
    pub crawford: bool,
    /// The value of the cube. `None` if it has no such value.
    pub cube: Option<CubeValue>,
    /// What the score means. `None` if something of it cannot be read.
    pub score: Option<Result<ScoreBody, WrongScore>>,
    pub table: EquityTable,
}

/// The points that a side needs.
fn away(typed: &str) -> Option<Away> {
    typed.parse().ok().and_then(|points: u32| Away::try_from(points).ok())
}

impl ScorePage {
    fn new(t: Locale, frame: Frame, query: &ScoreQuery) -> Self {
        let typed =
            |points: Option<&str>| -> String { points.unwrap_or(AT_FIRST).trim().chars().take(20).collect() };
        let (own, other) = (typed(query.own.as_deref()), typed(query.other.as_deref()));
        let crawford = query.crawford.is_some();
        let cube = query.cube.as_deref().map_or(Some(CubeValue::ONE), |text| {
            text.trim().parse().ok().and_then(|value: u32| CubeValue::try_from(value).ok())
        });
        let asked = away(&own).zip(away(&other)).zip(cube);
        let score = asked.map(|((own, other), cube)| ScoreBody::new(own, other, crawford, cube));
        Self { t, frame, own, other, crawford, cube, score, table: EquityTable::complete() }
    }

    fn found(&self) -> Option<&ScoreBody> {
        self.score.as_ref()?.as_ref().ok()
    }

    fn is_wrong(&self, why: WrongScore) -> bool {
        matches!(self.score, Some(Err(wrong)) if wrong == why)
    }

    /// What is wrong with the cube.
    fn wrong_cube(&self) -> Option<&'static str> {
        match self.cube {
            None => Some("score-wrong-cube"),
            Some(_) => self.is_wrong(WrongScore::NoCube).then_some("score-no-cube"),
        }
    }

    /// The values of the cube to choose from.
    fn cubes(&self) -> impl Iterator<Item = CubeValue> {
        let usual = |cube: &CubeValue| cube.get() <= HIGHEST_CUBE || Some(*cube) == self.cube;
        std::iter::successors(Some(CubeValue::ONE), |cube| cube.doubled()).filter(usual)
    }

    /// The score and its phase, as in `3a–5a · before Crawford`.
    fn title(&self, score: &ScoreBody) -> String {
        let phase = self.t.get(match score.phase {
            MatchPhase::BeforeCrawford => "score-before-crawford",
            MatchPhase::Crawford => "score-crawford",
            MatchPhase::AfterCrawford => "score-after-crawford",
        });
        format!("{}–{} · {phase}", score.own, score.other)
    }

    /// The own side's chance to win the match.
    fn chance(&self, score: &ScoreBody) -> String {
        self.t.per_cent(score.own_side.equity)
    }

    /// What the score means for either side, figure by figure: take points, doubling windows, gammon prices.
    fn figures(&self, score: &ScoreBody) -> [Figures; 6] {
        let t = &self.t;
        let if_any =
            |chance: Option<f64>| chance.map_or_else(|| t.get("score-none"), |chance| t.per_cent(chance));
        let row = |key: &'static str, figure: &dyn Fn(&ScoreSide) -> String| {
            (key, [&score.own_side, &score.other_side].map(figure))
        };
        [
            row("score-wins-match", &|side| t.per_cent(side.equity)),
            row("score-take-dead", &|side| if_any(side.take_point.as_ref().map(|at| at.dead))),
            row("score-take-live", &|side| if_any(side.take_point.as_ref().map(|at| at.live))),
            row("score-opens", &|side| if_any(side.gaining().map(|window| window.opens))),
            row("score-closes", &|side| if_any(side.gaining().map(|window| window.closes))),
            row("score-gammon", &|side| t.decimals(side.gammon_price, 2)),
        ]
    }

    /// The own side's chance after a single game, gammon or backgammon, if it wins and if it loses.
    fn after_game(&self, score: &ScoreBody) -> Vec<Figures> {
        let chances = score.own_side.after_win.into_iter().zip(score.own_side.after_loss);
        let kinds = ["kind-single", "kind-gammon", "kind-backgammon"].into_iter().zip(chances);
        kinds.map(|(kind, (won, lost))| (kind, [won, lost].map(|chance| self.t.per_cent(chance)))).collect()
    }

    /// A chance in the table: per cent, without the sign.
    fn equity(&self, chance: &f64) -> String {
        self.t.decimals(100.0 * chance, 1)
    }

    /// Whether a cell of the table is that of the score in the form.
    fn is_asked(&self, own: &usize, other: &usize) -> bool {
        let score = self.found().filter(|score| score.phase != MatchPhase::AfterCrawford);
        score.is_some_and(|score| is(score.own, *own) && is(score.other, *other))
    }

    /// The same for the row after the Crawford game, where the side that needs one point has no row of its
    /// own.
    fn is_asked_after_crawford(&self, away: &usize) -> bool {
        let score = self.found().filter(|score| score.phase == MatchPhase::AfterCrawford);
        score.is_some_and(|score| is(score.own.max(score.other), *away))
    }
}

fn is(away: Away, points: usize) -> bool {
    usize::try_from(away.points()) == Ok(points)
}

/// The score as typed.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ScoreQuery {
    own: Option<String>,
    other: Option<String>,
    cube: Option<String>,
    crawford: Option<String>,
}

/// What a score means. An impossible score is shown again, with the mistake at its field.
pub(crate) async fn show(visitor: Visitor, query: web::Query<ScoreQuery>) -> Result<HttpResponse, Problem> {
    let page = ScorePage::new(visitor.t, frame(&visitor, "score-title"), &query);
    let status = if page.found().is_some() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    visitor::html(status, page.render())
}
