//! The daybook: what the treasurer records, and the closing of months.

use actix_web::{HttpResponse, get, post, web};
use chrono::NaiveDate;
use serde::Serialize;

use super::etag;
use crate::ask::Ask;
use crate::caller::Caller;
use crate::paging::{Page, PageQuery, cursor, limit};
use crate::problem::Problem;
use crate::service::Service;
use owlbox_desk::daybook::{ClubMoney, Noted, ShownEntry};
use owlbox_domain::daybook::{Memo, Month, Order, Record, Status};
use owlbox_domain::values::{AccountId, Timestamp};

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(give).service(all).service(one).service(club_money);
}

/// Where a record stands.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StatusBody {
    /// It is in the books.
    Posted,
    /// It waits for a second person's approval.
    Proposed,
    /// It was declined, and never in the books.
    Declined,
    /// It was taken back: its reversal is in the books.
    TakenBack,
}

/// A record of the daybook.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DaybookEntryBody {
    /// Its number, from 1.
    pub entry: u32,
    /// The day it belongs to.
    pub on: NaiveDate,
    pub memo: Option<Memo>,
    /// What was recorded.
    pub what: Record,
    pub status: StatusBody,
    /// Why it was declined or taken back; null if it was not.
    pub reason: Option<Memo>,
    /// When it was entered.
    pub at: Timestamp,
    /// The login that entered it.
    pub by: AccountId,
}

impl From<ShownEntry> for DaybookEntryBody {
    fn from(ShownEntry { number, entry, by }: ShownEntry) -> Self {
        let status = match entry.status {
            Status::Posted => StatusBody::Posted,
            Status::Proposed(_) => StatusBody::Proposed,
            Status::Declined => StatusBody::Declined,
            Status::TakenBack => StatusBody::TakenBack,
        };
        Self {
            entry: number,
            on: entry.recorded.on,
            memo: entry.recorded.memo.clone(),
            what: entry.recorded.what.clone(),
            status,
            reason: entry.ended.map(|(reason, _)| reason),
            at: entry.at,
            by,
        }
    }
}

/// What came of a command to the daybook.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct NotedBody {
    /// The version of the daybook after it.
    pub version: i64,
    /// The record it was about; null if it was about a month.
    pub entry: Option<DaybookEntryBody>,
    /// Up to which month the books are closed; null if none is.
    pub closed: Option<Month>,
}

impl From<Noted> for NotedBody {
    fn from(Noted { version, entry, closing }: Noted) -> Self {
        Self { version, entry: entry.map(Into::into), closed: closing.0 }
    }
}

/// Records something in the daybook, approves or takes back a record, closes a month or opens it again.
///
/// Needs `keep_books`, and to open a month again `reopen_books`. A record is never edited: `take_back` posts its reversal. What
/// belongs to a closed month counts for the day of posting.
#[cfg_attr(test, utoipa::path(
    operation_id = "note_in_daybook",
    tag = "ledger",
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe"),
        ("If-Match" = Option<String>, Header, description = "The version of the daybook that was seen")
    ),
    request_body(
        content = Order,
        example = json!({"command": "spend", "currency": "EUR", "amount": 300, "memo": "Two pairs of dice"})
    ),
    responses(
        (status = 201, body = NotedBody, headers(("ETag" = String))),
        (status = 401, body = Problem),
        (status = 403, body = Problem),
        (status = 412, body = Problem),
        (status = 422, body = Problem)
    )
))]
#[post("/daybook")]
async fn give(service: web::Data<Service>, ask: Ask<Order>) -> Result<HttpResponse, Problem> {
    let noted = service.desk.note(ask.request, ask.body).await?;
    Ok(HttpResponse::Created().insert_header(etag(noted.version)).json(NotedBody::from(noted)))
}

/// Lists the records of the daybook, newest first.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    operation_id = "daybook",
    tag = "ledger",
    params(PageQuery),
    responses(
        (
            status = 200,
            body = Page<DaybookEntryBody>,
            headers(("ETag" = String))
        ),
        (status = 400, body = Problem),
        (status = 403, body = Problem)
    )
))]
#[get("/daybook")]
async fn all(
    service: web::Data<Service>,
    caller: Caller,
    query: web::Query<PageQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = limit(&service, query.limit)?;
    let before = cursor(query.after.as_deref())?;
    let many = usize::try_from(limit + 1).unwrap_or(usize::MAX);
    let page = service.desk.daybook_page(&caller.actor, before, many).await?;
    let entries = page.entries.into_iter().map(DaybookEntryBody::from).collect();
    let body = Page::cut(entries, limit, |entry: &DaybookEntryBody| entry.entry.to_string());
    Ok(HttpResponse::Ok().insert_header(etag(page.version)).json(body))
}

/// Shows a record of the daybook.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    operation_id = "daybook_entry",
    tag = "ledger",
    params(("record" = u32, Path, description = "The number of the record")),
    responses((status = 200, body = DaybookEntryBody), (status = 403, body = Problem), (status = 404, body = Problem))
))]
#[get("/daybook/{record}")]
async fn one(
    service: web::Data<Service>,
    caller: Caller,
    record: web::Path<u32>,
) -> Result<web::Json<DaybookEntryBody>, Problem> {
    Ok(web::Json(service.desk.daybook_entry(&caller.actor, *record).await?.into()))
}

/// What the club has by its books in one currency, in minor units.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ClubMoneyBody {
    #[cfg_attr(test, schema(example = "EUR"))]
    pub currency: String,
    /// What should be in the drawer. `count` records what is.
    pub drawer: i64,
    /// What should be at the bank.
    pub bank: i64,
}

impl From<ClubMoney> for ClubMoneyBody {
    fn from(ClubMoney { currency, drawer, bank }: ClubMoney) -> Self {
        Self { currency: currency.to_string(), drawer, bank }
    }
}

/// Shows what should be in the club's drawer and at its bank, in each of its currencies.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    operation_id = "club_money",
    tag = "ledger",
    responses((status = 200, body = Vec<ClubMoneyBody>), (status = 403, body = Problem))
))]
#[get("/ledger/money")]
async fn club_money(
    service: web::Data<Service>,
    caller: Caller,
) -> Result<web::Json<Vec<ClubMoneyBody>>, Problem> {
    let money = service.desk.club_money(&caller.actor).await?;
    Ok(web::Json(money.into_iter().map(ClubMoneyBody::from).collect()))
}
