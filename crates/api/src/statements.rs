//! Statements of account, as JSON and CSV.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};

use super::csv::{Format, Reader, quoted};
use owlbox_base::code::Code;
use owlbox_base::values::{ChouetteId, Day, Holder, InvalidValue, MatchId, PlayerId, TournamentId};
use owlbox_books::daybook::Memo;
use owlbox_books::ledger::export::Decimal;
use owlbox_books::ledger::{PostingKind, Source, Unit};
use owlbox_desk::books::statements::{Filter, LinePosition, Names, Statement, StatementLine};
use owlbox_http::caller::Caller;
use owlbox_http::paging::{Page, cursor, limit, no_cursor};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_locale::{Language, Locale};

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(statement).service(house_statement).service(pool_statement).service(account_statement);
}

/// A statement of account. Without a period or a filter it is all of the account in the order of posting, and
/// has `items`, `next` and `names` alone.
// Named in the document as when it was a page and nothing else, so that generated clients go on.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[cfg_attr(test, schema(as = Page_StatementLine))]
pub struct StatementBody {
    /// The lines.
    pub items: Vec<StatementLine>,
    /// The `after` of the next page; null on the last one.
    pub next: Option<String>,
    /// The names of the players on the other side of the lines.
    pub names: BTreeMap<PlayerId, String>,
    /// Of a period: `half_points`, or a currency: the unit of all amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "EUR"))]
    pub unit: Option<String>,
    /// Of a period: the balance at the end of the day before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<i64>,
    /// Of a period: the balance at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing: Option<i64>,
    /// Of a period: how many lines pass the filter, on all pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<i64>,
    /// Of a period: the sum of all their amounts above zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gained: Option<i64>,
    /// Of a period: the sum of all their amounts below zero, as a negative number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<i64>,
}

/// The format of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
enum StatementFormat {
    /// JSON.
    #[default]
    Json,
    /// CSV for a spreadsheet.
    Csv,
    /// A text with the club's signature.
    Signed,
}

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct StatementQuery {
    /// `half_points`, or a currency. The default is points for a player, and the club's usual currency for
    /// any other account.
    unit: Option<String>,
    /// Only what counts for this day or later.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    from: Option<Day>,
    /// Only what counts for this day or earlier.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    until: Option<Day>,
    /// Only postings of this `purpose`.
    purpose: Option<String>,
    /// Deprecated: the same as `purpose`.
    kind: Option<String>,
    /// Only what comes from this chouette.
    chouette: Option<ChouetteId>,
    /// Only what comes from this tournament.
    tournament: Option<TournamentId>,
    /// Only what comes from this match.
    r#match: Option<MatchId>,
    /// Only what has this player on the other side.
    opponent: Option<PlayerId>,
    /// `json` (the default); `csv`: all lines of the period, at most 20,000, amounts in whole units; or
    /// `signed`: the same signed by the club, for `owlbox verify-statement` to check. Signed are whole
    /// periods only.
    #[serde(default)]
    #[cfg_attr(test, param(inline, value_type = Option<StatementFormat>))]
    format: StatementFormat,
    /// `spreadsheet`: as CSV for a person's spreadsheet, with a byte order mark, the separator and decimal
    /// mark of the language, headings in words, points and amounts; without ids.
    #[serde(rename = "for")]
    #[cfg_attr(test, param(inline))]
    reader: Option<Reader>,
    /// The language of that; by default the browser's, or the club's.
    #[cfg_attr(test, param(inline))]
    language: Option<Language>,
    /// Entries per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

impl StatementQuery {
    fn filter(&self) -> Result<Filter, Problem> {
        for (name, purpose) in [("purpose", &self.purpose), ("kind", &self.kind)] {
            let unknown = purpose.as_deref().filter(|purpose| PostingKind::named(purpose).is_none());
            if let Some(purpose) = unknown {
                let detail = format!("no posting is for {purpose}");
                return Err(Problem::new(Code::InvalidQuery, detail).about(name));
            }
        }
        let source = self.chouette.map(Source::Chouette);
        let source = source.or(self.tournament.map(Source::Tournament)).or(self.r#match.map(Source::Match));
        Ok(Filter {
            from: self.from.map(Day::date),
            until: self.until.map(Day::date),
            kind: self.purpose.clone().or_else(|| self.kind.clone()),
            source,
            counterparty: self.opponent.map(Holder::Player),
        })
    }
}

fn place(text: &str) -> Result<LinePosition, Problem> {
    let (day, sequence) = text.split_once('.').ok_or_else(no_cursor)?;
    let (day, sequence) = (day.parse().map_err(|_| no_cursor())?, sequence.parse().map_err(|_| no_cursor())?);
    Ok(LinePosition { day, sequence })
}

async fn statement_of(
    service: &Service,
    caller: Caller,
    holder: Holder,
    query: &StatementQuery,
    request: &HttpRequest,
) -> Result<HttpResponse, Problem> {
    let desk = &service.desk;
    let unit: Unit = match &query.unit {
        None => desk.usual_unit(holder).await?,
        Some(unit) => unit.parse().map_err(|error: InvalidValue| {
            Problem::new(Code::InvalidQuery, error.to_string()).about("unit")
        })?,
    };
    let limit = limit(service, query.limit)?;
    let (filter, actor) = (query.filter()?, &caller.actor);
    if query.format == StatementFormat::Signed {
        let Filter { from, until, .. } = filter;
        if filter != (Filter { from, until, ..Filter::default() }) {
            let detail = "a signed statement has all lines of its period";
            return Err(Problem::new(Code::InvalidQuery, detail).about("format"));
        }
        let text = desk.signed_statement(actor, holder, unit, [from, until]).await?;
        return Ok(HttpResponse::Ok()
            .content_type("text/plain; charset=utf-8")
            .insert_header(("Content-Disposition", "attachment; filename=\"statement.txt\""))
            .body(text));
    }
    if query.format == StatementFormat::Csv {
        let whole = desk.whole_statement(actor, holder, unit, filter).await?;
        let reader = Reader::locale(query.reader, query.language, request).await?;
        let name = holder.player().and_then(|player| whole.names.players.get(&player));
        let file = match reader {
            Some(t) => file_name(&t, name, unit, query),
            None => "statement.csv".to_owned(),
        };
        return Ok(Format::Csv.answer(&(), &file, reader, || csv(&whole.statement, &whole.names)));
    }
    if filter == Filter::default() {
        let before = cursor(query.after.as_deref())?;
        let lines = desk.statement(actor, holder, unit, before, limit + 1).await?;
        let page = Page::cut(lines, limit, |line: &StatementLine| line.sequence.to_string());
        return Ok(HttpResponse::Ok().json(body(service, page).await?));
    }
    let before = query.after.as_deref().map(place).transpose()?;
    let Statement { unit, opening, closing, sums, lines } =
        desk.statement_of(actor, holder, unit, filter, before, limit + 1).await?;
    let next = |line: &StatementLine| format!("{}.{}", line.booked_on, line.sequence);
    Ok(HttpResponse::Ok().json(StatementBody {
        unit: Some(unit.to_string()),
        opening: Some(opening),
        closing: Some(closing),
        lines: Some(sums.lines),
        gained: Some(sums.gained),
        lost: Some(sums.lost),
        ..body(service, Page::cut(lines, limit, next)).await?
    }))
}

/// A page of lines, with the names of the players on their other sides.
async fn body(service: &Service, page: Page<StatementLine>) -> Result<StatementBody, Problem> {
    let Page { items, next, names } = page.named(service, |line| line.counterparty).await?;
    Ok(StatementBody { items, next, names: names.unwrap_or_default(), ..StatementBody::default() })
}

/// The name of a person's file: whose statement it is, in what, and of when.
fn file_name(t: &Locale, name: Option<&String>, unit: Unit, query: &StatementQuery) -> String {
    let unit = match unit {
        Unit::HalfPoints => t.get("csv-points"),
        Unit::Money(currency) => currency.to_string(),
    };
    let days = [query.from, query.until].map(|day| day.map(|day| day.date().to_string()));
    let parts = [Some(t.get("csv-statement")), name.cloned(), Some(unit)].into_iter().chain(days).flatten();
    let name: String = parts.collect::<Vec<_>>().join(" ");
    // No character that a file's name cannot have on some system.
    name.replace(['/', '\\', ':', '*', '?', '"', '<', '>', '|'], "-") + ".csv"
}

/// All lines as CSV, oldest first, between the opening and the closing balance. Amounts are in whole units of
/// the currency, or points.
#[must_use]
pub fn csv(whole: &Statement, names: &Names) -> String {
    let mut text = String::from("counts_for,night,kind,purpose,with,from,game,memo,amount,balance\r\n");
    let amount = |amount: i64| decimal(amount, whole.unit);
    // Writing to a String cannot fail.
    let _ = write!(text, ",,,,,opening balance,,,,{}\r\n", amount(whole.opening));
    for line in whole.lines.iter().rev() {
        let _ = write!(
            text,
            "{},{},{},{},{},{},{},{},{},{}\r\n",
            line.booked_on,
            line.night,
            line.kind,
            line.bet,
            quoted(&names.with(line.other)),
            quoted(&names.from(line.source)),
            line.game.map(|game| game.to_string()).unwrap_or_default(),
            quoted(line.memo.as_ref().map(Memo::as_str).unwrap_or_default()),
            amount(line.amount),
            line.running.map(amount).unwrap_or_default()
        );
    }
    let _ = write!(text, ",,,,,closing balance,,,,{}\r\n", amount(whole.closing));
    text
}

/// An amount as a decimal number: `-7.5` points, `12.30` euros.
fn decimal(amount: i64, unit: Unit) -> String {
    let amount = i128::from(amount);
    let written = match unit {
        Unit::Money(currency) => Decimal(amount, currency.decimals()),
        Unit::HalfPoints if amount % 2 == 0 => Decimal(amount / 2, 0),
        Unit::HalfPoints => Decimal(amount * 5, 1),
    };
    written.to_string()
}

/// Reads a player's statement in one unit, newest first, with the running balance.
///
/// All of it in the order of posting; or of a period, by kind, table, tournament, match or opponent, in the
/// order of the days that postings count for, with opening and closing balance. Needs `view_own_ledger` for
/// the caller's own, `view_any_ledger` for others'.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), StatementQuery),
    responses((
        status = 200,
        content((StatementBody = "application/json"), (String = "text/csv"), (String = "text/plain"))
    ))
))]
#[get("/players/{id}/statement")]
async fn statement(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<StatementQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    statement_of(&service, caller, Holder::Player(*id), &query, &request).await
}

/// Reads the statement of the house in one currency, newest first, with the running balance.
///
/// As a player's. Needs `view_any_ledger`. Only players have scores, so there are no postings in
/// `half_points`.
#[cfg_attr(test, utoipa::path(
    params(StatementQuery),
    responses((
        status = 200,
        content((StatementBody = "application/json"), (String = "text/csv"), (String = "text/plain"))
    ))
))]
#[get("/ledger/house/statement")]
async fn house_statement(
    service: Service,
    caller: Caller,
    query: web::Query<StatementQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    statement_of(&service, caller, Holder::House, &query, &request).await
}

/// Reads the statement of a pool in one currency, newest first, with the running balance.
///
/// As a player's. Needs `view_any_ledger`. Only players have scores, so there are no postings in
/// `half_points`.
#[cfg_attr(test, utoipa::path(
    params(("id" = TournamentId, Path, description = "The tournament"), StatementQuery),
    responses((
        status = 200,
        content((StatementBody = "application/json"), (String = "text/csv"), (String = "text/plain"))
    ))
))]
#[get("/ledger/pools/{id}/statement")]
async fn pool_statement(
    service: Service,
    caller: Caller,
    id: web::Path<TournamentId>,
    query: web::Query<StatementQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    statement_of(&service, caller, Holder::Pool(*id), &query, &request).await
}

/// An account of the club itself.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
enum ClubAccount {
    House,
    Bank,
    Opening,
    Rounding,
    Outside,
}

impl From<ClubAccount> for Holder {
    fn from(account: ClubAccount) -> Self {
        match account {
            ClubAccount::House => Self::House,
            ClubAccount::Bank => Self::Bank,
            ClubAccount::Opening => Self::Opening,
            ClubAccount::Rounding => Self::Rounding,
            ClubAccount::Outside => Self::Outside,
        }
    }
}

/// Reads the statement of an account of the club's own in one unit, newest first, with the running balance.
///
/// As a player's. Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(("account" = inline(ClubAccount), Path, description = "The account"), StatementQuery),
    responses((
        status = 200,
        content((StatementBody = "application/json"), (String = "text/csv"), (String = "text/plain"))
    ))
))]
#[get("/ledger/accounts/{account}/statement")]
async fn account_statement(
    service: Service,
    caller: Caller,
    account: web::Path<ClubAccount>,
    query: web::Query<StatementQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    statement_of(&service, caller, (*account).into(), &query, &request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_decimal_numbers() {
        let money = |code: &str| Unit::Money(code.parse().unwrap());
        for (amount, unit, text) in [
            (-15, Unit::HalfPoints, "-7.5"),
            (-1, Unit::HalfPoints, "-0.5"),
            (4, Unit::HalfPoints, "2"),
            (-5, money("EUR"), "-0.05"),
            (123_400, money("EUR"), "1234.00"),
            (-7, money("JPY"), "-7"),
            (1_001, money("KWD"), "1.001"),
        ] {
            assert_eq!(decimal(amount, unit), text);
        }
    }
}
