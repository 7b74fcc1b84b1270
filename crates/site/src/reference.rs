//! The reference tables. They are public, since nothing in them is the club's.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::visitor::{self, Visitor};
use crate::pages::reference::{OpeningPage, ReferencePage, ScorePage, ScoreShown, ShotsPage, Typed, marked};
use crate::pages::{Choice, Frame, Tab};
use owlbox_desk::matches::score::{EquityTable, ScoreBody, WrongScore};
use owlbox_engine::CubeValue;
use owlbox_engine::tables::equity::{Away, Phase};
use owlbox_http::problem::Problem;

/// The highest cube that the form offers. A single game of it wins a match of any length in the table.
const HIGHEST_CUBE: u32 = 32;
/// The points that either side needs before anything is typed.
const AT_FIRST: &str = "5";

fn frame(visitor: &Visitor, title: &str) -> Frame {
    visitor.frame(&visitor.t.get(title), Some(Tab::Reference))
}

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let page = ReferencePage::new(visitor.t, frame(&visitor, "reference-title"), visitor.view);
    visitor::html(StatusCode::OK, page.render())
}

/// Opening plays (K2).
pub(super) async fn opening(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let page = OpeningPage::new(visitor.t, frame(&visitor, "opening-title"), visitor.view);
    visitor::html(StatusCode::OK, page.render())
}

/// Shots (K3).
pub(super) async fn shots(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let page = ShotsPage::new(visitor.t, frame(&visitor, "shots-title"));
    visitor::html(StatusCode::OK, page.render())
}

/// The score as typed.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ScoreQuery {
    own: Option<String>,
    other: Option<String>,
    cube: Option<String>,
    crawford: Option<String>,
}

/// What a score means. An impossible score is shown again, with the mistake at its field.
pub(super) async fn score(visitor: Visitor, query: web::Query<ScoreQuery>) -> Result<HttpResponse, Problem> {
    let t = visitor.t;
    let (own, one) = points(&visitor, query.own.as_deref());
    let (other, two) = points(&visitor, query.other.as_deref());
    let crawford = query.crawford.is_some();
    let cube = query.cube.as_deref().map_or(Some(CubeValue::ONE), |text| {
        text.trim().parse().ok().and_then(|value: u32| CubeValue::try_from(value).ok())
    });
    let score = one.zip(two).zip(cube).map(|((one, two), cube)| ScoreBody::new(one, two, crawford, cube));
    let (found, refused) = match score {
        Some(Ok(score)) => (Some(score), None),
        Some(Err(wrong)) => (None, Some(wrong)),
        None => (None, None),
    };
    let wrong = |wrong: WrongScore| refused.filter(|one| *one == wrong);
    let place = found.as_ref().and_then(marked_place);
    let (rows, after_crawford) = marked(&t, &EquityTable::complete(), place);
    let no_cube = wrong(WrongScore::NoCube).map(|_| t.get("score-no-cube"));
    let page = ScorePage {
        t,
        frame: frame(&visitor, "score-title"),
        own,
        other,
        crawford,
        crawford_wrong: wrong(WrongScore::NoCrawfordGame).map(|_| t.get("score-no-crawford")),
        cubes: cubes(cube.unwrap_or(CubeValue::ONE)),
        cube_wrong: no_cube.or_else(|| cube.is_none().then(|| t.get("score-wrong-cube"))),
        shown: found.as_ref().map(|score| ScoreShown::new(&t, score)),
        rows,
        after_crawford,
    };
    let status = if found.is_some() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    visitor::html(status, page.render())
}

/// A field for the points that a side needs, and its value if that is valid.
fn points(visitor: &Visitor, typed: Option<&str>) -> (Typed, Option<Away>) {
    let text = typed.unwrap_or(AT_FIRST).trim().chars().take(20).collect::<String>();
    let away = text.parse().ok().and_then(|points: u32| Away::try_from(points).ok());
    let wrong = away.is_none().then(|| visitor.t.get("score-wrong-points"));
    (Typed { text, wrong }, away)
}

fn cubes(chosen: CubeValue) -> Vec<Choice> {
    let usual = |cube: &CubeValue| cube.get() <= HIGHEST_CUBE || *cube == chosen;
    let all = std::iter::successors(Some(CubeValue::ONE), |cube| cube.doubled()).filter(usual);
    all.map(|cube| Choice::new(cube.to_string(), cube.to_string(), cube == chosen)).collect()
}

/// Row and column of a score in the table, and whether it is in the row after the Crawford game, where the
/// side that needs one point has no row of its own.
fn marked_place(score: &ScoreBody) -> Option<(usize, usize, bool)> {
    let [own, other] = [score.own, score.other].map(|away| usize::try_from(away.points()).ok());
    let (own, other) = own.zip(other)?;
    match score.phase {
        Phase::BeforeCrawford | Phase::Crawford => Some((own, other, false)),
        Phase::AfterCrawford => Some((own.max(other), 1, true)),
    }
}
