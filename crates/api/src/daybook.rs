//! The daybook: what the treasurer records, and the closing of months.

use actix_web::{HttpResponse, get, post, web};
use chrono::NaiveDate;
use serde::Deserialize;

use super::etag;
use owlbox_books::club::Language;
use owlbox_books::daybook::import::TableKind;
use owlbox_books::daybook::{DaybookCommand, Memo};
use owlbox_books::typed::{DayOrder, DecimalMark, InputFormat};
use owlbox_desk::books::daybook::import::{Import, ImportPreview};
use owlbox_desk::books::daybook::{ClubMoney, ShownEntry};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::Caller;
use owlbox_http::paging::{Page, PageQuery, cursor, limit};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config
        .service(note_in_daybook)
        .service(preview_import)
        .service(import)
        .service(daybook)
        .service(daybook_entry)
        .service(club_money);
}

/// Records something in the daybook, approves or takes back a record, closes a month or opens it again.
///
/// Needs `keep_books`, and to open a month again `reopen_books`. A record is never edited: `take_back` posts
/// its reversal. What belongs to a closed month counts for the day of posting.
#[cfg_attr(test, utoipa::path(
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe"),
        ("If-Match" = Option<String>, Header, description = "The version of the daybook that was seen")
    ),
    request_body(
        content = DaybookCommand,
        example = json!({"command": "spend", "currency": "EUR", "amount": 300, "memo": "Two pairs of dice"})
    ),
    responses((status = 201, body = owlbox_desk::books::daybook::Noted, headers(("ETag" = String))))
))]
#[post("/daybook")]
async fn note_in_daybook(
    service: Service,
    ask: CommandRequest<DaybookCommand>,
) -> Result<HttpResponse, Problem> {
    let noted = service.desk.record(ask.request, ask.body).await?;
    Ok(HttpResponse::Created().insert_header(etag(noted.version)).json(noted))
}

/// A table to be booked: CSV with headings, its columns in any order.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(tag = "table", rename_all = "snake_case", deny_unknown_fields)]
pub enum ImportBody {
    /// Opening balances: `player`, `unit` (`points` or a currency) and `amount`.
    Standings {
        /// The file.
        csv: String,
        /// Whether names that nobody has are added as guests.
        #[serde(default)]
        add_players: bool,
        /// The day they stood so; today if left out.
        #[serde(default)]
        on: Option<NaiveDate>,
        #[serde(default)]
        memo: Option<Memo>,
        /// The language in which the table is written: its headings, and what amounts and days may look like.
        /// Without it, and without `numbers` and `days`, headings are those above, amounts are plain and days
        /// are `2025-11-30` or `30.11.2025`.
        #[serde(default)]
        language: Option<Language>,
        /// Which sign is before the decimals, where `1.240` could be two amounts.
        #[serde(default)]
        numbers: Option<DecimalMark>,
        /// What comes first, where `03/04/2025` could be two days.
        #[serde(default)]
        days: Option<DayOrder>,
    },
    /// Past games: `date`, `winner`, `loser`, and `points`, or `currency` and `amount`, or all three.
    Games {
        /// The file.
        csv: String,
        /// Whether names that nobody has are added as guests.
        #[serde(default)]
        add_players: bool,
        #[serde(default)]
        memo: Option<Memo>,
        /// The language in which the table is written: its headings, and what amounts and days may look like.
        /// Without it, and without `numbers` and `days`, headings are those above, amounts are plain and days
        /// are `2025-11-30` or `30.11.2025`.
        #[serde(default)]
        language: Option<Language>,
        /// Which sign is before the decimals, where `1.240` could be two amounts.
        #[serde(default)]
        numbers: Option<DecimalMark>,
        /// What comes first, where `03/04/2025` could be two days.
        #[serde(default)]
        days: Option<DayOrder>,
    },
}

impl From<ImportBody> for Import {
    fn from(body: ImportBody) -> Self {
        match body {
            ImportBody::Standings { csv, add_players, on, memo, language, numbers, days } => Self {
                kind: TableKind::Standings,
                table: csv.into_bytes(),
                add_players,
                on,
                memo,
                writing: InputFormat { language, numbers, days },
            },
            ImportBody::Games { csv, add_players, memo, language, numbers, days } => Self {
                kind: TableKind::Games,
                table: csv.into_bytes(),
                add_players,
                on: None,
                memo,
                writing: InputFormat { language, numbers, days },
            },
        }
    }
}

/// Shows what an import would book, and all that is wrong with its table.
///
/// Needs `keep_books`, and to add players `add_guests`. Nothing is recorded.
#[cfg_attr(test, utoipa::path(
    request_body(
        content = ImportBody,
        example = json!({"table": "standings", "csv": "player,unit,amount\nMaria,EUR,-12.50\n", "on": "2026-01-01"})
    ),
    responses((status = 200, body = ImportPreview), (status = 422, body = Problem))
))]
#[post("/ledger/imports/preview")]
async fn preview_import(
    service: Service,
    ask: CommandRequest<ImportBody>,
) -> Result<web::Json<ImportPreview>, Problem> {
    Ok(web::Json(service.desk.preview_import(&ask.request.actor, ask.body.into()).await?))
}

/// Books standings or past games from a table, as one record of the daybook, or nothing of it.
///
/// Needs `keep_books`, and to add players `add_guests`. If anything is wrong, `wrong_lines` names all of it
/// in `allowed`. `take_back` with the number of the record takes all of it back; players who were added stay.
#[cfg_attr(test, utoipa::path(
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe"),
        ("If-Match" = Option<String>, Header, description = "The version of the daybook that was seen")
    ),
    request_body(
        content = ImportBody,
        example = json!({"table": "standings", "csv": "player,unit,amount\nMaria,EUR,-12.50\n", "on": "2026-01-01"})
    ),
    responses((status = 201, body = owlbox_desk::books::daybook::import::Imported, headers(("ETag" = String))))
))]
#[post("/ledger/imports")]
async fn import(service: Service, ask: CommandRequest<ImportBody>) -> Result<HttpResponse, Problem> {
    let imported = service.desk.import(ask.request, ask.body.into()).await?;
    Ok(HttpResponse::Created().insert_header(etag(imported.version)).json(imported))
}

/// Lists the records of the daybook, newest first.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(PageQuery),
    responses((status = 200, body = Page<ShownEntry>, headers(("ETag" = String))))
))]
#[get("/daybook")]
async fn daybook(
    service: Service,
    caller: Caller,
    query: web::Query<PageQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = limit(&service, query.limit)?;
    let before = cursor(query.after.as_deref())?;
    let many = usize::try_from(limit + 1).unwrap_or(usize::MAX);
    let page = service.desk.daybook_page(&caller.actor, before, many).await?;
    let body = Page::cut(page.entries, limit, |entry: &ShownEntry| entry.number.to_string());
    let body = body.named(&service, |entry| entry.what.players()).await?;
    Ok(HttpResponse::Ok().insert_header(etag(page.version)).json(body))
}

/// Shows a record of the daybook.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(("record" = u32, Path, description = "The number of the record")),
    responses((status = 200, body = ShownEntry))
))]
#[get("/daybook/{record}")]
async fn daybook_entry(
    service: Service,
    caller: Caller,
    record: web::Path<u32>,
) -> Result<web::Json<ShownEntry>, Problem> {
    Ok(web::Json(service.desk.daybook_entry(&caller.actor, *record).await?))
}

/// Shows what should be in the club's drawer and at its bank, in each of its currencies.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(responses((status = 200, body = Vec<ClubMoney>))))]
#[get("/ledger/money")]
async fn club_money(service: Service, caller: Caller) -> Result<web::Json<Vec<ClubMoney>>, Problem> {
    Ok(web::Json(service.desk.club_money(&caller.actor).await?))
}
