//! Settling up: who hands what to whom.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::etag;
use crate::ask::Ask;
use crate::caller::MaybeCaller;
use crate::problem::Problem;
use crate::service::Service;
use owlbox_desk::Request;
use owlbox_desk::debts::{Debts, NightSession};
use owlbox_desk::settling::SettledTable;
use owlbox_domain::journal::Version;
use owlbox_domain::ledger::Unit;
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::{ActId, ChouetteId, Currency, Day, MatchId, Payment, PlayerId};

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(of_chouette).service(of_night).service(settle_night);
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
    /// Of a night: its money sessions that are not even. They are not counted above; each is settled by `pay` on its own
    /// sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions: Option<Vec<SessionDebt>>,
    /// What the players are called.
    pub names: BTreeMap<PlayerId, String>,
}

/// What is owed in a money session.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct SessionDebt {
    /// The session.
    #[serde(rename = "match")]
    pub sheet: MatchId,
    /// The payment that settles it.
    #[serde(flatten)]
    pub payment: Payment,
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

async fn body(
    service: &Service,
    debts: Debts,
    sessions: Option<Vec<NightSession>>,
) -> Result<SettleUpBody, Problem> {
    let of_sessions = sessions.iter().flatten().flat_map(|one| [one.payment.payer, one.payment.payee]);
    let names = service.desk.names(debts.standings.keys().copied().chain(of_sessions).collect()).await?;
    let session = |one: NightSession| SessionDebt { sheet: one.id, payment: one.payment };
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
        sessions: sessions.map(|sessions| sessions.into_iter().map(session).collect()),
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
    security((), ("bearer" = [])),
    params(("id" = ChouetteId, Path, description = "The chouette")),
    responses(
        (status = 200, body = SettleUpBody, headers(("ETag" = String))),
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
    let body = body(&service, debts, None).await?;
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
/// nothing. `POST` here pays it all. Money sessions that were opened that night and are not even are named beside it:
/// their two settle them on their own sheets. Needs `view_standings`.
#[utoipa::path(
    operation_id = "settle_up_night",
    tag = "chouettes",
    security((), ("bearer" = [])),
    params(("date" = chrono::NaiveDate, Path, description = "The night"), NightQuery),
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
    date: web::Path<Day>,
    query: web::Query<NightQuery>,
) -> Result<web::Json<SettleUpBody>, Problem> {
    service.desk.require(caller.actor(), Permission::ViewStandings).await?;
    let unit = query.currency.map_or(Unit::HalfPoints, Unit::Money);
    let night = service.desk.debts_of_night(date.date(), unit).await?;
    Ok(web::Json(body(&service, night.debts, Some(night.sessions)).await?))
}

/// A night to be settled up.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettleNight {
    /// The tables played for this currency; without it, those played for points only.
    #[serde(default)]
    pub currency: Option<Currency>,
    /// The payments as the sheet showed them, in its order: if they are others now, nothing is paid. Without them,
    /// whatever is owed.
    #[serde(default)]
    pub payments: Option<Vec<Payment>>,
}

/// A night that was settled up.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettledNight {
    /// The act: the same at every table.
    pub act: ActId,
    /// What people hand each other, largest first.
    pub payments: Vec<Payment>,
    /// What each table's books say was paid there.
    pub tables: Vec<SettledTableBody>,
    /// What the players are called.
    pub names: BTreeMap<PlayerId, String>,
}

/// A table of a night that was settled up.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettledTableBody {
    /// Which.
    pub id: ChouetteId,
    /// What it is called.
    pub name: String,
    /// Its version after the act.
    pub version: Version,
    /// What was paid there.
    pub payments: Vec<Payment>,
}

/// Settles up a whole night: pays what its sheet says, at all its tables, in one act.
///
/// What people hand each other are the fewest payments of the night, also between two who never met at a table. In the
/// books each payment stands at the tables where its payer owes and its payee is owed; what was handed on through
/// others stands as it was owed there. So every table's own sheet is even afterwards, and everybody has paid over all
/// tables what he handed over. Every table gets one transaction. Refused with `games_in_progress` while a table of the
/// night plays, and with `nothing_owed` where there is nothing to pay. `undo` at any of the tables takes it back at all
/// of them. Needs `record_payments`.
#[utoipa::path(
    operation_id = "settle_night",
    tag = "chouettes",
    params(
        ("date" = chrono::NaiveDate, Path, description = "The night"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(content = SettleNight, example = json!({"currency": "EUR"})),
    responses(
        (status = 200, body = SettledNight),
        (status = 401, body = Problem),
        (status = 403, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[post("/nights/{date}/settle-up")]
async fn settle_night(
    service: web::Data<Service>,
    date: web::Path<Day>,
    ask: Ask<SettleNight>,
) -> Result<web::Json<SettledNight>, Problem> {
    let unit = ask.body.currency.map_or(Unit::HalfPoints, Unit::Money);
    let request = Request { expected: None, ..ask.request };
    let settled = service.desk.settle_night(request, date.date(), unit, ask.body.payments).await?;
    let paid = settled.tables.iter().flat_map(|table| &table.payments);
    let players = paid.flat_map(|paid| [paid.payer, paid.payee]).collect();
    let names = service.desk.names(players).await?;
    let table = |table: SettledTable| SettledTableBody {
        id: table.id,
        name: table.name,
        version: table.version,
        payments: table.payments,
    };
    Ok(web::Json(SettledNight {
        act: settled.act,
        payments: settled.payments,
        tables: settled.tables.into_iter().map(table).collect(),
        names,
    }))
}
