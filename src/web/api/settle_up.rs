//! Settling up: who hands what to whom.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, web};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::chouettes::etag;
use crate::club::Permission;
use crate::desk::debts::Debts;
use crate::ledger::Unit;
use crate::values::{ChouetteId, Currency, Payment, PlayerId};
use crate::web::caller::MaybeCaller;
use crate::web::problem::Problem;
use crate::web::service::Service;

pub(super) fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig<'_>) {
    config.service(of_chouette).service(of_night);
}

/// What is owed, and the payments that settle it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettleUpBody {
    /// What every amount is counted in: `half_points`, or minor units of this currency.
    #[schema(example = "EUR")]
    pub unit: String,
    /// Everybody who has sat there; who is owed most comes first.
    pub players: Vec<DebtBody>,
    /// The payments that leave nobody owing anything, largest first.
    pub payments: Vec<Payment>,
    /// Whether it is proven that no fewer payments would do. It is up to twenty players with an open
    /// debt, and often beyond.
    pub exact: bool,
    /// What the players are called.
    pub names: BTreeMap<PlayerId, String>,
}

/// How a player stands.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct DebtBody {
    /// Who.
    pub player: PlayerId,
    /// Won by finished games at the stake; negative if lost.
    pub won: i64,
    /// Paid to others less what others paid.
    pub paid: i64,
    /// What the others owe the player: what was won and what was paid. Negative if the player owes them.
    pub debt: i64,
}

async fn body(service: &Service, debts: Debts) -> Result<SettleUpBody, Problem> {
    let names = service.desk.names(debts.standings.keys().copied().collect()).await?;
    let mut players: Vec<DebtBody> = debts
        .standings
        .iter()
        .map(|(player, standing)| DebtBody {
            player: *player,
            won: standing.won,
            paid: standing.paid,
            debt: debts.balances.get(player).copied().unwrap_or_default(),
        })
        .collect();
    players.sort_by_key(|one| (Reverse(one.debt), one.player));
    Ok(SettleUpBody {
        unit: debts.unit.to_string(),
        players,
        payments: debts.settling.payments,
        exact: debts.settling.exact,
        names,
    })
}

/// Says who owes what at a chouette, and the fewest payments that settle it.
///
/// Amounts are minor units of the stake's currency, or half points if no money is played for. A game that
/// is being played counts when it is over. A payment is recorded by the command `pay`, also when the night
/// is closed; what is not paid stays in the books. The `ETag` is the chouette's version. Needs
/// `view_standings`.
#[utoipa::path(
    operation_id = "settle_up_chouette",
    tag = "chouettes",
    params(("id" = ChouetteId, Path, description = "The chouette")),
    responses(
        (status = 200, body = SettleUpBody),
        (status = 401, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/chouettes/{id}/settle-up")]
async fn of_chouette(
    service: web::Data<Service>,
    caller: MaybeCaller,
    id: web::Path<ChouetteId>,
) -> Result<HttpResponse, Problem> {
    service.desk.require(caller.actor(), Permission::ViewStandings).await?;
    let (stream, debts) = service.desk.debts(*id).await?;
    let body = body(&service, debts).await?;
    Ok(HttpResponse::Ok().insert_header(etag(stream.version)).json(body))
}

/// Which of a night's tables.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct NightQuery {
    /// Those played for this currency; without it, those played for points only.
    currency: Option<Currency>,
}

/// Says who owes what over all tables of a night, and the fewest payments that settle it.
///
/// As for one chouette, taken together: who won at one table and lost as much at another owes nothing. Tables
/// that are played for another currency, or for points only, are not counted. A night without tables owes
/// nothing. Needs `view_standings`.
#[utoipa::path(
    operation_id = "settle_up_night",
    tag = "chouettes",
    params(("date" = NaiveDate, Path, description = "The night"), NightQuery),
    responses(
        (status = 200, body = SettleUpBody),
        (status = 401, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/nights/{date}/settle-up")]
async fn of_night(
    service: web::Data<Service>,
    caller: MaybeCaller,
    date: web::Path<NaiveDate>,
    query: web::Query<NightQuery>,
) -> Result<web::Json<SettleUpBody>, Problem> {
    service.desk.require(caller.actor(), Permission::ViewStandings).await?;
    let unit = query.currency.map_or(Unit::HalfPoints, Unit::Money);
    let debts = service.desk.debts_of_night(*date, unit).await?;
    Ok(web::Json(body(&service, debts).await?))
}
