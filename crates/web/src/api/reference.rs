//! The reference tables: opening plays (K2), shots (K3), and what a match's score means for the cube (M1 to M3).
//!
//! Everybody may read them. They change with the program alone, so each answer has an `ETag` of what it says and may be kept for
//! an hour.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::{IntoParams, ToSchema};

use crate::match_score::{EquityTable, ScoreBody, WrongScore};
use crate::problem::Problem;
use owlbox_domain::code::Code;
use owlbox_engine::game::PositionId;
use owlbox_engine::notation::{box_points, play};
use owlbox_engine::tables::equity::Away;
use owlbox_engine::tables::{opening, shots};
use owlbox_engine::{Colour, CubeValue, Roll, Step, Steps, Variant};

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(openings).service(distances).service(show_score).service(equities);
}

/// How long an answer may be kept.
const KEPT: &str = "public, max-age=3600";

/// The recommended plays from the start.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpeningTable {
    /// Every roll, from 1-1 to 6-6.
    #[schema(min_items = 21, max_items = 21)]
    pub rolls: Vec<OpeningRoll>,
}

/// What to play with a roll.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpeningRoll {
    /// The roll.
    #[schema(value_type = [u8; 2], example = json!([6, 1]))]
    pub roll: Roll,
    /// Whether the roll cannot open a game: then its play is for the second side's first turn, if it is still possible.
    pub reply_only: bool,
    /// The recommended play; with 2-1 two to choose from.
    #[schema(min_items = 1, max_items = 2)]
    pub plays: Vec<OpeningPlay>,
}

/// A recommended play.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpeningPlay {
    /// As a refereed game takes it.
    pub steps: Vec<Step>,
    /// In the common notation.
    #[schema(example = "13/7 8/7")]
    pub play: String,
    /// As the box rules print it for White.
    #[schema(example = "6/1=12A-7 & 8-7")]
    pub box_points: String,
    /// The position that it leaves, the other side being about to move.
    pub position: PositionId,
}

/// The rolls that reach what is so far away.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShotTable {
    /// For every distance from 1 to 24 pips.
    #[schema(min_items = 24, max_items = 24)]
    pub distances: Vec<Shots>,
}

/// The rolls that bring a lone checker exactly so far on an empty board.
#[derive(Debug, Serialize, ToSchema)]
pub struct Shots {
    /// How far.
    #[schema(minimum = 1, maximum = 24, example = 6)]
    pub pips: u8,
    /// The rolls.
    #[schema(value_type = Vec<[u8; 2]>, example = json!([[5, 1], [6, 6]]))]
    pub rolls: Vec<Roll>,
    /// How many of the 36 outcomes they are.
    #[schema(minimum = 0, maximum = 36, example = 17)]
    pub out_of_36: u32,
    /// The same in per cent, rounded.
    #[schema(minimum = 0, maximum = 100, example = 47)]
    pub percent: u32,
}

/// Answers with a table, or that the asker has it.
fn kept(request: &HttpRequest, table: &impl Serialize) -> HttpResponse {
    let body = serde_json::to_string(table).unwrap_or_default();
    let number = Sha256::digest(&body).iter().take(8).fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
    let tag = format!("\"{number}\"");
    let seen = request.headers().get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let known =
        seen.is_some_and(|tags| tags.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
    let mut answer = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    answer.insert_header((header::ETAG, tag)).insert_header((header::CACHE_CONTROL, KEPT));
    if known { answer.finish() } else { answer.content_type("application/json").body(body) }
}

/// Every roll with its recommended plays.
fn opening_table() -> OpeningTable {
    let start = Variant::Standard.start();
    let play = |roll: Roll, steps: &Steps| OpeningPlay {
        steps: steps.iter().collect(),
        play: play::write(start, *steps),
        box_points: box_points::write(Colour::White, roll, *steps),
        position: opening::position_after(*steps).turned().into(),
    };
    let roll = |roll: Roll| OpeningRoll {
        roll,
        reply_only: opening::is_reply_only(roll),
        plays: opening::recommended(roll).iter().map(|steps| play(roll, steps)).collect(),
    };
    OpeningTable { rolls: Roll::ALL.into_iter().map(roll).collect() }
}

/// Lists the recommended plays from the start (K2).
///
/// Fifteen rolls open a game; the six doubles are for the second side's first turn, where they are still possible. 2-1 has two
/// plays. Everybody may see it.
#[utoipa::path(
    operation_id = "list_opening_plays",
    tag = "reference",
    security(()),
    responses(
        (status = 200, body = OpeningTable, headers(("ETag" = String))),
        (status = 304)
    )
)]
#[get("/reference/opening")]
async fn openings(request: HttpRequest) -> HttpResponse {
    kept(&request, &opening_table())
}

/// Lists the rolls that reach a point 1 to 24 pips away, on an empty board (K3).
///
/// Combinations and equal numbers count. Everybody may see it.
#[utoipa::path(
    operation_id = "list_shots",
    tag = "reference",
    security(()),
    responses(
        (status = 200, body = ShotTable, headers(("ETag" = String))),
        (status = 304)
    )
)]
#[get("/reference/shots")]
async fn distances(request: HttpRequest) -> HttpResponse {
    let distances = (1..=24).map(|pips| {
        let rolls = shots::rolls_that_reach(pips);
        Shots { pips, rolls: rolls.iter().collect(), out_of_36: rolls.out_of_36(), percent: rolls.percent() }
    });
    kept(&request, &ShotTable { distances: distances.collect() })
}

/// Which score.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ScoreQuery {
    /// How many points the one side needs.
    #[param(minimum = 1, maximum = 25, example = 3)]
    own: u32,
    /// How many the other needs.
    #[param(minimum = 1, maximum = 25, example = 5)]
    other: u32,
    /// Whether it is the Crawford game: exactly one side needs one point then, and there is no cube.
    crawford: Option<bool>,
    /// The stake before a double, a power of two; 1 if nothing is said.
    #[param(minimum = 1, maximum = 1_048_576, example = 1)]
    cube: Option<u32>,
}

/// Shows what a score of a match means: the chance to win it, take points, doubling windows, the price of a gammon.
///
/// The match equities are those of Kazaross-XG2, for up to 25 points; everything else follows from them, gammons left out. Where
/// one side needs one point it is after the Crawford game, unless `crawford` says that it is that. Everybody may see it.
#[utoipa::path(
    operation_id = "show_score",
    tag = "reference",
    security(()),
    params(ScoreQuery),
    responses(
        (status = 200, body = ScoreBody, headers(("ETag" = String))),
        (status = 304),
        (status = 400, body = Problem)
    )
)]
#[get("/reference/score")]
async fn show_score(request: HttpRequest, query: web::Query<ScoreQuery>) -> Result<HttpResponse, Problem> {
    let wrong = |field: &'static str, detail: &str| Problem::new(Code::InvalidQuery, detail).about(field);
    let away = |field: &'static str, points: u32| {
        Away::try_from(points).map_err(|error| wrong(field, &error.to_string()))
    };
    let (own, other) = (away("own", query.own)?, away("other", query.other)?);
    let cube =
        CubeValue::try_from(query.cube.unwrap_or(1)).map_err(|error| wrong("cube", &error.to_string()))?;
    let score = ScoreBody::new(own, other, query.crawford.unwrap_or(false), cube);
    let score = score.map_err(|error| match error {
        WrongScore::NoCrawfordGame => {
            wrong("crawford", "in the Crawford game exactly one side needs one point")
        }
        WrongScore::NoCube => wrong("cube", "the Crawford game has no cube"),
    })?;
    Ok(kept(&request, &score))
}

/// Shows the whole match equity table.
///
/// Kazaross-XG2, up to 25 points for either side. Everybody may see it.
#[utoipa::path(
    operation_id = "show_match_equities",
    tag = "reference",
    security(()),
    responses(
        (status = 200, body = EquityTable, headers(("ETag" = String))),
        (status = 304)
    )
)]
#[get("/reference/match-equities")]
async fn equities(request: HttpRequest) -> HttpResponse {
    kept(&request, &EquityTable::complete())
}
