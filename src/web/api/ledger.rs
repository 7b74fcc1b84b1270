//! The books: balances and statements.

use actix_web::{get, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Page, cursor, limit};
use crate::ledger::Unit;
use crate::store::books::{self, Balance, Head, Posting};
use crate::values::{ActId, ChouetteId, PlayerId, Timestamp, TransactionId};
use crate::web::caller::Caller;
use crate::web::problem::Problem;
use crate::web::service::Service;

pub(super) fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig<'_>) {
    config.service(balances).service(statement);
}

/// Where a player stands in one unit.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceBody {
    /// `half_points`, or a currency.
    #[schema(example = "half_points")]
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
    /// How many postings it is the sum of.
    pub postings: i64,
}

impl From<Balance> for BalanceBody {
    fn from(balance: Balance) -> Self {
        Self { unit: balance.unit, amount: balance.amount, postings: balance.sequence }
    }
}

/// One line of a statement.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatementLine {
    /// The account's how-manieth posting.
    pub sequence: i64,
    /// `game`; `correction` of one; `payment` from one player to another; `merge` of two players who are one;
    /// or `reversal` of any of these that was undone.
    #[schema(example = "game")]
    pub kind: String,
    /// The kind of bet, or `payment`.
    #[schema(example = "member")]
    pub bet: String,
    /// The other player of the bet, or of the payment.
    pub counterparty: PlayerId,
    /// The chouette.
    pub chouette: ChouetteId,
    /// The game within it; null of a payment.
    pub game: Option<i32>,
    /// Won or lost: half points, or minor units. Of a payment, what the player paid; negative if he was
    /// paid.
    pub amount: i64,
    /// The balance after it.
    pub balance: i64,
    /// When the game ended, or the payment was made.
    pub happened_at: Timestamp,
    /// When it was posted.
    pub posted_at: Timestamp,
    /// The transaction.
    pub transaction: TransactionId,
    /// The act that posted it.
    pub act: ActId,
}

impl From<(Posting, Head)> for StatementLine {
    fn from((posting, head): (Posting, Head)) -> Self {
        Self {
            sequence: posting.sequence,
            kind: head.kind,
            bet: posting.bet,
            counterparty: posting.counterparty.into(),
            chouette: head.chouette.into(),
            game: Some(head.game).filter(|game| *game != books::NO_GAME),
            amount: posting.amount,
            balance: posting.balance,
            happened_at: head.happened_at.into(),
            posted_at: head.posted_at.into(),
            transaction: head.id.into(),
            act: head.act.into(),
        }
    }
}

/// Shows a player's balances, points first.
///
/// Needs `view_own_ledger` for one's own, `view_any_ledger` for others'.
#[utoipa::path(
    tag = "ledger",
    params(("id" = PlayerId, Path, description = "The player")),
    responses((status = 200, body = Vec<BalanceBody>), (status = 403, body = Problem), (status = 404, body = Problem))
)]
#[get("/players/{id}/balances")]
async fn balances(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<PlayerId>,
) -> Result<web::Json<Vec<BalanceBody>>, Problem> {
    let balances = service.desk.balances(&caller.actor, *id).await?;
    Ok(web::Json(balances.into_iter().map(BalanceBody::from).collect()))
}

/// Which statement, and which page of it.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct StatementQuery {
    /// `half_points` (without it), or a currency.
    unit: Option<String>,
    /// Entries a page.
    limit: Option<i64>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// Reads a player's statement in one unit, newest first, with the running balance.
///
/// Needs `view_own_ledger` for one's own, `view_any_ledger` for others'.
#[utoipa::path(
    tag = "ledger",
    params(("id" = PlayerId, Path, description = "The player"), StatementQuery),
    responses(
        (status = 200, body = Page<StatementLine>),
        (status = 403, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/players/{id}/statement")]
async fn statement(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<StatementQuery>,
) -> Result<web::Json<Page<StatementLine>>, Problem> {
    let unit: Unit = match &query.unit {
        None => Unit::HalfPoints,
        Some(unit) => unit.parse().map_err(|error: crate::values::InvalidValue| {
            Problem::new(actix_web::http::StatusCode::BAD_REQUEST, "invalid_query", error.to_string())
                .about("unit")
        })?,
    };
    let limit = limit(&service, query.limit)?;
    let before = cursor(query.after.as_deref())?;
    let lines = service.desk.statement(&caller.actor, *id, unit, before, limit + 1).await?;
    let items = lines.into_iter().map(StatementLine::from).collect();
    Ok(web::Json(Page::cut(items, limit, |line: &StatementLine| line.sequence.to_string())))
}
