//! The reference tables: opening plays (K2), shots (K3), and what a match's score means for the cube (M1 to
//! M3).
//!
//! They are public, and only a new version of the program changes them. So each answer has an `ETag` made
//! from its content, and may be cached for an hour.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use owlbox_base::code::Code;
use owlbox_desk::matches::score::{EquityTable, ScoreBody, WrongScore};
use owlbox_engine::game::PositionId;
use owlbox_engine::notation::{box_points, play};
use owlbox_engine::tables::equity::Away;
use owlbox_engine::tables::{opening, shots};
use owlbox_engine::{Colour, CubeValue, Roll, Step, Steps, Variant};
use owlbox_http::etag::client_has;
use owlbox_http::problem::Problem;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(list_opening_plays).service(list_shots).service(show_score).service(show_match_equities);
}

/// The `Cache-Control` of every answer here.
const KEPT: &str = "public, max-age=3600";

/// The opening plays: printed ones and today's.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct OpeningTable {
    /// Where `plays` are from, in English.
    #[cfg_attr(test, schema(example = "the rules in the game box (K2)"))]
    pub source: &'static str,
    /// Who chose the plays of `today`.
    pub today_by: TodayBy,
    /// Every roll, from 1-1 to 6-6.
    #[cfg_attr(test, schema(min_items = 21, max_items = 21))]
    pub rolls: Vec<OpeningRoll>,
}

/// The program that chose today's plays, for money.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TodayBy {
    /// Its name.
    #[cfg_attr(test, schema(example = "GNU Backgammon"))]
    pub program: &'static str,
    /// Its version.
    #[cfg_attr(test, schema(example = "1.07.001"))]
    pub version: &'static str,
    /// How many turns it looked ahead.
    #[cfg_attr(test, schema(example = 3))]
    pub ply: u8,
}

/// What to play with a roll.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct OpeningRoll {
    /// The two dice, the higher first.
    #[cfg_attr(test, schema(value_type = [u8; 2], example = json!([6, 1])))]
    pub roll: Roll,
    /// Whether the roll cannot open a game. Its play is then for the second player's first turn, if it is
    /// still possible.
    pub reply_only: bool,
    /// The play that the rules in the game box print; with 2-1 there are two.
    #[cfg_attr(test, schema(min_items = 1, max_items = 2))]
    pub plays: Vec<OpeningPlay>,
    /// The play that is chosen today; two where they are about equal.
    #[cfg_attr(test, schema(min_items = 1, max_items = 2))]
    pub today: Vec<OpeningPlay>,
}

/// A play from the start.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct OpeningPlay {
    /// The play as a refereed game takes it.
    pub steps: Vec<Step>,
    /// The play in the common notation.
    #[cfg_attr(test, schema(example = "13/7 8/7"))]
    pub play: String,
    /// The play for White as the box rules print it.
    #[cfg_attr(test, schema(example = "6/1=12A-7 & 8-7"))]
    pub box_points: String,
    /// The position after it, with the other side to move.
    pub position: PositionId,
}

/// The rolls that hit at each distance.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ShotTable {
    /// Every distance from 1 to 24 pips.
    #[cfg_attr(test, schema(min_items = 24, max_items = 24))]
    pub distances: Vec<Shots>,
}

/// The rolls that move a single checker exactly this far on an empty board.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Shots {
    /// The distance.
    #[cfg_attr(test, schema(minimum = 1, maximum = 24, example = 6))]
    pub pips: u8,
    /// The rolls, each as its two dice.
    #[cfg_attr(test, schema(value_type = Vec<[u8; 2]>, example = json!([[5, 1], [6, 6]])))]
    pub rolls: Vec<Roll>,
    /// How many of the 36 outcomes these rolls are.
    #[cfg_attr(test, schema(minimum = 0, maximum = 36, example = 17))]
    pub out_of_36: u32,
    /// The share of the 36 outcomes in per cent, rounded.
    #[cfg_attr(test, schema(minimum = 0, maximum = 100, example = 47))]
    pub percent: u32,
}

/// Answers with a table, or with 304 if the client has it.
fn kept(request: &HttpRequest, table: &impl Serialize) -> HttpResponse {
    let body = serde_json::to_string(table).unwrap_or_default();
    let number = Sha256::digest(&body).iter().take(8).fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
    let tag = header::EntityTag::new_strong(number.to_string());
    let known = client_has(request, &tag);
    let mut answer = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    answer.insert_header(header::ETag(tag)).insert_header((header::CACHE_CONTROL, KEPT));
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
    let plays = |roll: Roll, plays: &[Steps]| plays.iter().map(|steps| play(roll, steps)).collect();
    let roll = |roll: Roll| OpeningRoll {
        roll,
        reply_only: opening::is_reply_only(roll),
        plays: plays(roll, opening::recommended(roll)),
        today: plays(roll, opening::today(roll)),
    };
    let opening::Judge { program, version, ply } = opening::TODAY_BY;
    OpeningTable {
        source: "the rules in the game box (K2)",
        today_by: TodayBy { program, version, ply },
        rolls: Roll::ALL.into_iter().map(roll).collect(),
    }
}

/// Lists the opening plays: as the rules in the game box print them (K2), and today's.
///
/// Fifteen rolls open a game. The six doubles are for the second player's first turn, where they are still
/// possible. Public.
#[cfg_attr(test, utoipa::path(
    security(()),
    responses((status = 200, body = OpeningTable, headers(("ETag" = String))), (status = 304))
))]
#[get("/reference/opening")]
async fn list_opening_plays(request: HttpRequest) -> HttpResponse {
    kept(&request, &opening_table())
}

/// Lists the rolls that reach a point 1 to 24 pips away on an empty board (K3).
///
/// Combinations and doubles count. Public.
#[cfg_attr(test, utoipa::path(
    security(()),
    responses((status = 200, body = ShotTable, headers(("ETag" = String))), (status = 304))
))]
#[get("/reference/shots")]
async fn list_shots(request: HttpRequest) -> HttpResponse {
    let distances = (1..=24).map(|pips| {
        let rolls = shots::rolls_that_reach(pips);
        Shots { pips, rolls: rolls.iter().collect(), out_of_36: rolls.out_of_36(), percent: rolls.percent() }
    });
    kept(&request, &ShotTable { distances: distances.collect() })
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
pub struct ScoreQuery {
    /// Points that the first side needs to win the match.
    #[cfg_attr(test, param(minimum = 1, maximum = 25, example = 3))]
    own: u32,
    /// Points that the second side needs to win the match.
    #[cfg_attr(test, param(minimum = 1, maximum = 25, example = 5))]
    other: u32,
    /// Whether this is the Crawford game. Exactly one side then needs one point, and there is no cube.
    crawford: Option<bool>,
    /// The value of the cube before the double, a power of two. The default is 1.
    #[cfg_attr(test, param(minimum = 1, maximum = 1_048_576, example = 1))]
    cube: Option<u32>,
}

/// Shows what a score means: chances to win the match, take points, doubling windows, gammon prices.
///
/// The match equities are those of Kazaross-XG2, for up to 25 points; everything else follows from them,
/// ignoring gammons. If one side needs one point, the Crawford game is over unless `crawford` says that this
/// is it. Public.
#[cfg_attr(test, utoipa::path(
    security(()),
    params(ScoreQuery),
    responses((status = 200, body = ScoreBody, headers(("ETag" = String))), (status = 304))
))]
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
/// Kazaross-XG2, up to 25 points for either side. Public.
#[cfg_attr(test, utoipa::path(
    security(()),
    responses((status = 200, body = EquityTable, headers(("ETag" = String))), (status = 304))
))]
#[get("/reference/match-equities")]
async fn show_match_equities(request: HttpRequest) -> HttpResponse {
    kept(&request, &EquityTable::complete())
}
