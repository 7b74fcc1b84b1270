//! Settling up a whole night: the payments over all tables, and the button that records them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use chrono::NaiveDate;
use serde::Deserialize;
use uuid::Uuid;

use super::amounts::{alone, how_much};
use super::form::Form;
use super::visitor::{self, Visitor, redirect};
use crate::pages::{Handing, NightLine, NightTableLine, PayAll, SettleNight, Tab};
use owlbox_base::journal::HistoryKind;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{Currency, Day, Payment, PlayerId};
use owlbox_books::ledger::Unit;
use owlbox_chouette::{Chouette, EventKind};
use owlbox_desk::Request;
use owlbox_desk::nights::debts::NightDebts;
use owlbox_desk::people::players::called;
use owlbox_http::problem::{Problem, of_json};

#[derive(Debug, Deserialize)]
pub(super) struct NightQuery {
    /// Only tables played for this currency; without it, those played for points only.
    currency: Option<Currency>,
}

/// The address of a night's page.
pub(super) fn address(night: NaiveDate, unit: Unit) -> String {
    match unit {
        Unit::HalfPoints => format!("/nights/{night}/settle-up"),
        Unit::Money(currency) => format!("/nights/{night}/settle-up?currency={currency}"),
    }
}

pub(super) async fn show(
    visitor: Visitor,
    night: web::Path<Day>,
    query: web::Query<NightQuery>,
) -> Result<HttpResponse, Problem> {
    answer(&visitor, night.date(), query.currency.map_or(Unit::HalfPoints, Unit::Money), None).await
}

/// Records that everything was paid as the page showed it.
pub(super) async fn settle(
    visitor: Visitor,
    night: web::Path<Day>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    visitor.require(Permission::RecordPayments)?;
    let night = night.date();
    let unit = form.optional::<Currency>("currency")?.map_or(Unit::HalfPoints, Unit::Money);
    match carry_out(&visitor, night, unit, &form, request.path()).await {
        Ok(()) => Ok(redirect(&address(night, unit))),
        Err(problem) => answer(&visitor, night, unit, Some(&problem)).await,
    }
}

async fn carry_out(
    visitor: &Visitor,
    night: NaiveDate,
    unit: Unit,
    form: &Form,
    path: &str,
) -> Result<(), Problem> {
    let seen = form.some("seen");
    let payments: Option<Vec<Payment>> = seen
        .map(|seen| serde_json::from_str(seen).map_err(|error| of_json(&error, seen.as_bytes())))
        .transpose()?;
    let idempotency = form.idempotency(path, &format!("{unit} {}", seen.unwrap_or_default()))?;
    let request = Request { actor: visitor.actor()?, expected: None, idempotency };
    visitor.service.desk.settle_night(request, night, unit, payments).await?;
    Ok(())
}

/// The current page; after a refusal with the problem above it, and its status.
async fn answer(
    visitor: &Visitor,
    night: NaiveDate,
    unit: Unit,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewPayments)?;
    let desk = &visitor.service.desk;
    let debts = desk.debts_of_night(night, unit).await?;
    let of_sessions = debts.sessions.iter().flat_map(|one| [one.payment.payer, one.payment.payee]);
    let known = debts.debts.standings.keys().copied().chain(of_sessions).collect();
    let names = desk.names(known).await?;
    let back = back(visitor, &debts).await?;
    let mut page = page(visitor, night, unit, &debts, &names, back);
    page.frame.here = address(night, unit);
    page.frame.notice = problem.map(|problem| visitor.notice(problem));
    visitor::html(problem.map_or(StatusCode::OK, visitor::status), page.render())
}

fn page(
    visitor: &Visitor,
    night: NaiveDate,
    unit: Unit,
    NightDebts { debts, tables, sessions }: &NightDebts,
    names: &BTreeMap<PlayerId, String>,
    back: Option<String>,
) -> SettleNight {
    let t = visitor.t;
    let name = |player: &PlayerId| called(names, *player);
    let handing = |paid: &Payment| Handing {
        payer: name(&paid.payer),
        payee: name(&paid.payee),
        amount: how_much(&t, unit, paid.amount),
        paid: false,
        pay: None,
    };
    let open = |player: &PlayerId| debts.balances.get(player).copied().unwrap_or_default();
    let mut ranked: Vec<&PlayerId> = debts.standings.keys().collect();
    ranked.sort_by_key(|player| Reverse(open(player)));
    let line = |player: &PlayerId| {
        let standing = debts.standings.get(player).copied().unwrap_or_default();
        NightLine {
            name: name(player),
            won: alone(&t, unit, standing.won),
            paid: alone(&t, unit, standing.paid),
            open: alone(&t, unit, open(player)),
        }
    };
    let is_open = tables.iter().any(|table| table.balances.values().any(|amount| *amount != 0));
    let may = visitor.may(Permission::RecordPayments) && !tables.iter().any(|table| table.playing);
    SettleNight {
        t,
        frame: visitor.frame(&t.get("settle-whole-night"), Some(Tab::Night)),
        address: address(night, unit),
        night,
        tables: tables
            .iter()
            .map(|table| NightTableLine {
                id: table.id.to_string(),
                name: table.name.clone(),
                playing: table.playing,
            })
            .collect(),
        payments: debts.settling.payments.iter().map(handing).collect(),
        exact: debts.settling.exact,
        pay_all: (is_open && may).then(|| PayAll {
            // Ids and numbers: serialising them cannot fail.
            seen: serde_json::to_string(&debts.settling.payments).unwrap_or_default(),
            key: Uuid::now_v7().to_string(),
        }),
        back,
        currency: match unit {
            Unit::HalfPoints => None,
            Unit::Money(currency) => Some(currency.to_string()),
        },
        standings: ranked.into_iter().map(line).collect(),
        sessions: sessions
            .iter()
            .map(|one| (format!("/matches/{}", one.id), handing(&one.payment)))
            .collect(),
    }
}

/// The first table of the night whose newest act is a payment that the viewer may undo.
async fn back(visitor: &Visitor, debts: &NightDebts) -> Result<Option<String>, Problem> {
    if !visitor.may(Permission::RunChouette) {
        return Ok(None);
    }
    let desk = &visitor.service.desk;
    let tables = debts.tables.iter().map(|table| table.id).collect();
    for (id, stream) in desk.find_all::<Chouette>(tables).await? {
        let steps = desk.steps(&stream, visitor.principal.as_ref(), HistoryKind::Undo).await?;
        if steps.is_some_and(|steps| steps.entry.kind == EventKind::Paid) {
            return Ok(Some(id.to_string()));
        }
    }
    Ok(None)
}
