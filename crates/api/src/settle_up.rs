//! Settling up: debts, and the payments that settle them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};

use super::etag;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, Currency, Day, Payment, PlayerId};
use owlbox_books::ledger::Unit;
use owlbox_desk::Request;
use owlbox_desk::nights::debts::{Debts, NightSession};
use owlbox_desk::nights::settling::SettledNight;
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(settle_up_chouette).service(settle_up_night).service(settle_night);
}

/// What is owed, and the payments that settle it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SettleUpBody {
    /// The unit of every amount: `half_points`, or minor units of this currency.
    #[cfg_attr(test, schema(example = "EUR"))]
    pub unit: String,
    /// Everybody who has sat there, those who are owed most first.
    pub players: Vec<DebtBody>,
    /// The payments after which nobody owes anything, largest first.
    pub payments: Vec<Payment>,
    /// Whether it is proven that fewer payments cannot do. It is for up to twenty players with an open debt,
    /// and often for more.
    pub exact: bool,
    /// For a night: money sessions, and matches with a stake, that are not even. They are not part of the
    /// sums above; `pay` on its own sheet settles each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions: Option<Vec<NightSession>>,
    /// The names of the players.
    pub names: BTreeMap<PlayerId, String>,
}

/// Where a player stands.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DebtBody {
    pub player: PlayerId,
    /// Won in finished games at the stake; negative if lost.
    pub won: i64,
    /// Paid to others less received from others.
    pub paid: i64,
    /// What the others owe the player: `won` plus `paid`. Negative if the player owes them.
    pub debt: i64,
}

async fn body(
    service: &Service,
    debts: Debts,
    sessions: Option<Vec<NightSession>>,
) -> Result<SettleUpBody, Problem> {
    let of_sessions = sessions.iter().flatten().flat_map(|one| [one.payment.payer, one.payment.payee]);
    let names = service.desk.names(debts.standings.keys().copied().chain(of_sessions).collect()).await?;
    let mut players: Vec<DebtBody> = debts
        .standings
        .iter()
        .map(|(player, standing)| DebtBody {
            player: *player,
            won: standing.won,
            paid: standing.paid,
            debt: debts.owed_to(*player),
        })
        .collect();
    players.sort_by_key(|one| (Reverse(one.debt), one.player));
    Ok(SettleUpBody {
        unit: debts.unit.to_string(),
        players,
        payments: debts.settling.payments,
        exact: debts.settling.exact,
        sessions,
        names,
    })
}

/// Shows who owes what at a chouette, and the fewest payments that settle it.
///
/// Amounts are minor units of the stake's currency, or half points if no money is played for. A game in
/// progress does not count. The command `pay` records a payment, even after the night is closed; what is not
/// paid stays in the books. The `ETag` is the version of the chouette. Needs `view_payments`.
#[cfg_attr(test, utoipa::path(
    params(("id" = ChouetteId, Path, description = "The chouette")),
    responses((status = 200, body = SettleUpBody, headers(("ETag" = String))))
))]
#[get("/chouettes/{id}/settle-up")]
async fn settle_up_chouette(
    service: Service,
    caller: MaybeCaller,
    id: web::Path<ChouetteId>,
) -> Result<HttpResponse, Problem> {
    service.desk.require(caller.actor(), Permission::ViewPayments).await?;
    let (stream, debts) = service.desk.debts(*id).await?;
    let body = body(&service, debts, None).await?;
    Ok(HttpResponse::Ok().insert_header(etag(stream.version)).json(body))
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct NightQuery {
    /// Only tables played for this currency; without it, those played for points only.
    currency: Option<Currency>,
}

/// Shows who owes what over all tables of a night, and the fewest payments that settle it.
///
/// Like a single chouette, for all tables together: a player who won at one table and lost as much at another
/// owes nothing. Tables played for another currency, or for points only, are not counted. A night without
/// tables owes nothing. `POST` here pays everything. Money sessions, and matches with a stake, that were
/// opened that night and are not even are listed separately: their two players settle them on their own
/// sheets. Needs `view_payments`.
#[cfg_attr(test, utoipa::path(
    params(("date" = chrono::NaiveDate, Path, description = "The night"), NightQuery),
    responses((status = 200, body = SettleUpBody))
))]
#[get("/nights/{date}/settle-up")]
async fn settle_up_night(
    service: Service,
    caller: MaybeCaller,
    date: web::Path<Day>,
    query: web::Query<NightQuery>,
) -> Result<web::Json<SettleUpBody>, Problem> {
    service.desk.require(caller.actor(), Permission::ViewPayments).await?;
    let unit = query.currency.map_or(Unit::HalfPoints, Unit::Money);
    let night = service.desk.debts_of_night(date.date(), unit).await?;
    Ok(web::Json(body(&service, night.debts, Some(night.sessions)).await?))
}

/// A night to settle up.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SettleNight {
    /// The tables played for this currency; without it, those played for points only.
    #[serde(default)]
    pub currency: Option<Currency>,
    /// The payments as shown, in the same order: if they differ by now, nothing is paid. Without them,
    /// whatever is owed is paid.
    #[serde(default)]
    pub payments: Option<Vec<Payment>>,
}

/// Settles up a whole night: books all payments, at all tables, in one act.
///
/// Players hand each other the fewest payments for the night, also between two who never met at a table. In
/// the books each payment stands at the tables where the payer owes and the payee is owed; what passes
/// through others is booked as it was owed there. So every table is even afterwards, and over all tables
/// everybody has paid what they handed over. Every table gets one transaction. Refused with
/// `games_in_progress` while a game is being played at a table of the night, and with `nothing_owed` if there
/// is nothing to pay. `undo` at any of the tables takes the act back at all of them. Needs `record_payments`.
#[cfg_attr(test, utoipa::path(
    params(
        ("date" = chrono::NaiveDate, Path, description = "The night"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(content = SettleNight, example = json!({"currency": "EUR"})),
    responses((status = 200, body = SettledNight))
))]
#[post("/nights/{date}/settle-up")]
async fn settle_night(
    service: Service,
    date: web::Path<Day>,
    ask: CommandRequest<SettleNight>,
) -> Result<web::Json<SettledNight>, Problem> {
    let unit = ask.body.currency.map_or(Unit::HalfPoints, Unit::Money);
    let request = Request { expected: None, ..ask.request };
    let settled = service.desk.settle_night(request, date.date(), unit, ask.body.payments).await?;
    Ok(web::Json(settled))
}
