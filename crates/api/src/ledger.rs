//! The books: balances, the list of all accounts, and what tournaments brought. Statements are in
//! `statements`.

use std::fmt::Write as _;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;

use super::csv::{Format, Reader, quoted};
use owlbox_base::values::{Day, Holder, PlayerId, TournamentId};
use owlbox_desk::books::balances::AccountBalance;
use owlbox_desk::books::chart::LedgerAccount;
use owlbox_desk::books::income::{IncomeReport, Period};
use owlbox_http::caller::Caller;
use owlbox_http::paging::{Page, limit, no_cursor};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_locale::Language;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(balances).service(house_balances).service(pool_balances);
    config.service(ledger_accounts).service(tournament_income);
}

type Balances = web::Json<Vec<AccountBalance>>;

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct OnQuery {
    /// The balances at the end of this day. The default is the balances now.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    on: Option<Day>,
}

async fn balances_of(
    service: &Service,
    caller: Caller,
    holder: Holder,
    OnQuery { on }: OnQuery,
) -> Result<Balances, Problem> {
    Ok(web::Json(service.desk.balances(&caller.actor, holder, on.map(Day::date)).await?))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct AccountsQuery {
    /// The balances at the end of this day. The default is the balances now.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    on: Option<Day>,
    /// Entries per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

/// Lists all accounts that do not stand at zero, with their balances now or at the end of a day.
///
/// In every unit they add up to zero. Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(AccountsQuery),
    responses((status = 200, body = Page<LedgerAccount>))
))]
#[get("/ledger/accounts")]
async fn ledger_accounts(
    service: Service,
    caller: Caller,
    query: web::Query<AccountsQuery>,
) -> Result<web::Json<Page<LedgerAccount>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let place = |text: &str| {
        let (holder, unit) = text.split_once('.').ok_or_else(no_cursor)?;
        Ok::<_, Problem>((holder.parse().map_err(|_| no_cursor())?, unit.to_owned()))
    };
    let after = query.after.as_deref().map(place).transpose()?;
    let day = query.on.map(Day::date);
    let accounts = service.desk.accounts_on(&caller.actor, day, after, limit + 1).await?;
    let next = |last: &LedgerAccount| format!("{}.{}", last.holder.id(), last.unit);
    Ok(web::Json(Page::cut(accounts, limit, next)))
}

/// Shows a player's balances, points first.
///
/// Needs `view_own_ledger` for the caller's own, `view_any_ledger` for others'.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), OnQuery),
    responses((status = 200, body = Vec<AccountBalance>))
))]
#[get("/players/{id}/balances")]
async fn balances(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<OnQuery>,
) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::Player(*id), *query).await
}

/// Shows the balances of the house, one per currency.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(OnQuery),
    responses((status = 200, body = Vec<AccountBalance>))
))]
#[get("/ledger/house/balances")]
async fn house_balances(
    service: Service,
    caller: Caller,
    query: web::Query<OnQuery>,
) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::House, *query).await
}

/// Shows the balances of a pool, one per currency.
///
/// A pool holds what is paid in for a tournament until it is paid out. Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(("id" = TournamentId, Path, description = "The tournament"), OnQuery),
    responses((status = 200, body = Vec<AccountBalance>))
))]
#[get("/ledger/pools/{id}/balances")]
async fn pool_balances(
    service: Service,
    caller: Caller,
    id: web::Path<TournamentId>,
    query: web::Query<OnQuery>,
) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::Pool(*id), *query).await
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct IncomeQuery {
    /// Only money moved from this day on, on the club's clock.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    from: Option<Day>,
    /// Only money moved up to and including this day.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    until: Option<Day>,
    /// `json` (the default), or `csv`: one line for each tournament and currency, amounts in minor units.
    #[serde(default)]
    #[cfg_attr(test, param(inline, value_type = Option<Format>))]
    format: Format,
    /// `spreadsheet`: as CSV for a person's spreadsheet, with a byte order mark, the separator and decimal
    /// mark of the language, headings in words, points and amounts; without ids.
    #[serde(rename = "for")]
    #[cfg_attr(test, param(inline))]
    reader: Option<Reader>,
    /// The language of that; by default the browser's, or the club's.
    #[cfg_attr(test, param(inline))]
    language: Option<Language>,
}

/// Shows what tournaments took and gave: fees, pools, refunds, prizes, and what is left to the house.
///
/// All of it, or what was moved in a period. Amounts are in minor units; what was undone does not count.
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(IncomeQuery),
    responses((status = 200, content((IncomeReport = "application/json"), (String = "text/csv"))))
))]
#[get("/ledger/tournaments")]
async fn tournament_income(
    service: Service,
    caller: Caller,
    query: web::Query<IncomeQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let IncomeQuery { from, until, format, reader, language } = *query;
    let period = Period { from: from.map(Day::date), until: until.map(Day::date) };
    let report = service.desk.tournament_income(&caller.actor, period).await?;
    let reader = Reader::locale(reader, language, &request).await?;
    Ok(format.answer(&report, "tournaments.csv", reader, || income_csv(&report)))
}

fn income_csv(report: &IncomeReport) -> String {
    let mut lines = String::from(
        "tournament,name,date,currency,entry_fees,side_pools,registration,refunds,added,prize_pool,prizes,kept,\
         house,in_pools,paid_in,paid_out\r\n",
    );
    for item in &report.items {
        let one = &item.income;
        // Writing to a string cannot fail.
        let _ = write!(
            lines,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
            item.tournament,
            quoted(&item.name),
            item.date,
            item.currency,
            one.entry_fees,
            one.side_pools,
            one.registration,
            one.refunds,
            one.added,
            one.prize_pool,
            one.prizes,
            one.kept,
            one.house,
            one.in_pools,
            one.paid_in,
            one.paid_out
        );
    }
    lines
}
