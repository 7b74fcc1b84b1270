//! What players owe and are owed, and the fewest payments that settle it.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::{HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};

use owlbox_base::code::Code;
use owlbox_base::values::{Currency, Holder, PlayerId};
use owlbox_desk::books::treasury::{DuePayment, OpenDebts, OwnDue, OwnDues};
use owlbox_http::caller::Caller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(player_dues).service(remind_player).service(open_debts);
}

/// What a player owes or is owed in a currency.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DueBody {
    pub currency: Currency,
    /// In minor units: above zero, what the others owe the player; below, what the player owes. Never zero.
    pub amount: i64,
    /// The player's part in the fewest payments after which everybody is even.
    pub payments: Vec<DuePaymentBody>,
    /// The names of those who pay or are paid.
    pub names: BTreeMap<PlayerId, String>,
}

/// A payment that settles something.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DuePaymentBody {
    /// A player, or `house` for the club.
    pub payer: Holder,
    pub payee: Holder,
    /// In minor units.
    pub amount: i64,
    /// The text of a QR code (EPC069-12) with which a banking app fills in the transfer; null unless the
    /// player pays euros to somebody with an account on file whose bank is in the European Economic Area: any
    /// other needs a BIC.
    pub transfer_code: Option<String>,
}

/// Shows what a player owes and is owed over all nights, tournaments and records, and how it is settled.
///
/// Needs `view_own_ledger` for the caller's own, `view_any_ledger` for others'.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player")),
    responses((status = 200, body = Vec<DueBody>))
))]
#[get("/players/{id}/dues")]
async fn player_dues(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
) -> Result<web::Json<Vec<DueBody>>, Problem> {
    let player = *id;
    let OwnDues { name, dues, creditors, names } = service.desk.own_dues(&caller.actor, player).await?;
    let due = |OwnDue { currency, balance, payments }: OwnDue| {
        let payment = |DuePayment { payer, payee, amount }: DuePayment| DuePaymentBody {
            payer,
            payee,
            amount,
            transfer_code: creditors
                .get(&payee)
                .filter(|_| payer == player.into())
                .and_then(|creditor| creditor.transfer_code(currency, amount, &name)),
        };
        let parties = payments.iter().flat_map(|payment| [payment.payer, payment.payee]);
        let named = |party: Holder| Some((party.player()?, names.get(&party.player()?)?.clone()));
        let names = parties.filter_map(named).collect();
        DueBody { currency, amount: balance, payments: payments.into_iter().map(payment).collect(), names }
    };
    Ok(web::Json(dues.into_iter().map(due).collect()))
}

/// Reminds a player by mail of what they owe and how to pay it, where the service sends mail.
///
/// At most once a day. Needs `keep_books`.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player")),
    responses(
        (status = 202, description = "On its way"),
        (status = 422, body = Problem),
        (status = 429, body = Problem),
        (status = 503, body = Problem)
    )
))]
#[post("/players/{id}/reminder")]
async fn remind_player(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    service.mail_reminder(&caller.actor, *id).await?;
    Ok(HttpResponse::Accepted().finish())
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct DuesQuery {
    /// Only among these players and the club: ids, separated by commas. The default is everybody.
    players: Option<String>,
}

/// Shows all open debts over all nights, tournaments and records, and the fewest payments that settle them.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(DuesQuery),
    responses((status = 200, body = Vec<OpenDebts>))
))]
#[get("/ledger/dues")]
async fn open_debts(
    service: Service,
    caller: Caller,
    query: web::Query<DuesQuery>,
) -> Result<web::Json<Vec<OpenDebts>>, Problem> {
    let among = query.players.as_deref().map(ids).transpose()?;
    Ok(web::Json(service.desk.dues(&caller.actor, among).await?))
}

/// The players that a query lists.
pub(super) fn ids(text: &str) -> Result<BTreeSet<PlayerId>, Problem> {
    let ids = text.split(',').map(|id| id.trim().parse()).collect::<Result<_, _>>();
    ids.map_err(|_| {
        Problem::new(Code::InvalidQuery, "players must be a list of ids, separated by commas")
            .about("players")
    })
}
