//! The books: balances and statements.

use std::fmt::Write as _;

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};

use super::csv::{Format, quoted};
use crate::caller::Caller;
use crate::paging::{Page, cursor, limit};
use crate::problem::Problem;
use crate::service::Service;
use owlbox_desk::books::{self, Balance, Line};
use owlbox_desk::income::{IncomeReport, Period};
use owlbox_domain::code::Code;
use owlbox_domain::ledger::{Source, Unit};
use owlbox_domain::values::{
    ActId, ChouetteId, Day, Holder, HolderKind, MatchId, PlayerId, Timestamp, TournamentId, TransactionId,
};
use owlbox_engine::Variant;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(balances).service(statement);
    config.service(house_balances).service(house_statement);
    config.service(pool_balances).service(pool_statement);
    config.service(tournament_income);
}

/// The balance of a player, a pool or the house in one unit.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct BalanceBody {
    /// `half_points`, or a currency.
    #[cfg_attr(test, schema(example = "half_points"))]
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
    /// The number of postings that make up the balance.
    pub postings: i64,
}

impl From<Balance> for BalanceBody {
    fn from(balance: Balance) -> Self {
        Self { unit: balance.unit, amount: balance.amount, postings: balance.sequence }
    }
}

/// One line of a statement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct StatementLine {
    /// The number of this posting within the account, from 1.
    pub sequence: i64,
    /// `game`; `correction` of a game; `payment` from one player to another; `transfer` of what a tournament
    /// takes, keeps or gives; `merge` of two players who are the same person; `contest`, which takes out a
    /// game of a money session until a scorer has ruled, and `upheld` if it stands; or `reversal` of any of
    /// these that was undone.
    #[cfg_attr(test, schema(example = "game"))]
    pub kind: String,
    /// The purpose: the kind of bet, `game` for one between two, `payment`, or for a tournament `entry_fee`,
    /// `registration`, `side_pool`, `re_entry`, `added`, `kept`, `prize`, `paid_in`, `paid_out`, `refund` or
    /// `returned`.
    #[cfg_attr(test, schema(example = "member"))]
    pub bet: String,
    /// The kind of account on the other side.
    pub with: HolderKind,
    /// The other player; null if the other side is a pool or the house.
    pub counterparty: Option<PlayerId>,
    /// The tournament whose pool is on the other side; null if none is.
    pub pool: Option<TournamentId>,
    /// The chouette that the posting comes from; null if from none.
    pub chouette: Option<ChouetteId>,
    /// The tournament that the posting comes from; null if from none.
    pub tournament: Option<TournamentId>,
    /// The match that the posting comes from; null if from none.
    #[serde(rename = "match")]
    pub sheet: Option<MatchId>,
    /// The number of the game within its chouette or match; null if the posting is not about a game.
    pub game: Option<i32>,
    /// The variant of the game; null if the posting is not about a game.
    pub variant: Option<Variant>,
    /// The amount added to the account, in half points or minor units: what a player won, or paid to another.
    /// Negative if the balance falls.
    pub amount: i64,
    /// The balance after the posting.
    pub balance: i64,
    /// When the game ended or the money changed hands.
    pub happened_at: Timestamp,
    /// When the posting was made.
    pub posted_at: Timestamp,
    pub transaction: TransactionId,
    /// The act that made the posting.
    pub act: ActId,
}

impl From<Line> for StatementLine {
    fn from(Line { posting, head, source, variant }: Line) -> Self {
        let other = posting.counterparty();
        let (mut chouette, mut tournament, mut sheet) = (None, None, None);
        match source {
            Source::Chouette(id) => chouette = Some(id),
            Source::Tournament(id) => tournament = Some(id),
            Source::Match(id) => sheet = Some(id),
        }
        Self {
            sequence: posting.sequence,
            kind: head.kind,
            with: other.kind(),
            counterparty: other.player(),
            pool: if let Holder::Pool(tournament) = other { Some(tournament) } else { None },
            bet: posting.kind,
            chouette,
            tournament,
            sheet,
            game: Some(head.game).filter(|game| *game != books::NO_GAME),
            variant,
            amount: posting.amount,
            balance: posting.balance,
            happened_at: head.happened_at.into(),
            posted_at: head.posted_at.into(),
            transaction: head.id.into(),
            act: head.act.into(),
        }
    }
}

type Balances = web::Json<Vec<BalanceBody>>;
type Statement = web::Json<Page<StatementLine>>;

async fn balances_of(service: &Service, caller: Caller, holder: Holder) -> Result<Balances, Problem> {
    let rows = service.desk.balances(&caller.actor, holder).await?;
    Ok(web::Json(rows.into_iter().map(BalanceBody::from).collect()))
}

async fn statement_of(
    service: &Service,
    caller: Caller,
    holder: Holder,
    query: &StatementQuery,
) -> Result<Statement, Problem> {
    let unit: Unit = match &query.unit {
        None => service.desk.usual_unit(holder).await?,
        Some(unit) => unit.parse().map_err(|error: owlbox_domain::values::InvalidValue| {
            Problem::new(Code::InvalidQuery, error.to_string()).about("unit")
        })?,
    };
    let limit = limit(service, query.limit)?;
    let before = cursor(query.after.as_deref())?;
    let lines = service.desk.statement(&caller.actor, holder, unit, before, limit + 1).await?;
    let items = lines.into_iter().map(StatementLine::from).collect();
    Ok(web::Json(Page::cut(items, limit, |line: &StatementLine| line.sequence.to_string())))
}

/// Shows a player's balances, points first.
///
/// Needs `view_own_ledger` for the caller's own, `view_any_ledger` for others'.
#[cfg_attr(test, utoipa::path(
    tag = "ledger",
    params(("id" = PlayerId, Path, description = "The player")),
    responses((status = 200, body = Vec<BalanceBody>), (status = 403, body = Problem), (status = 404, body = Problem))
))]
#[get("/players/{id}/balances")]
async fn balances(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<PlayerId>,
) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::Player(*id)).await
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct StatementQuery {
    /// `half_points`, or a currency. The default is points for a player, and the club's usual currency for a
    /// pool or the house.
    unit: Option<String>,
    /// Entries per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

/// Reads a player's statement in one unit, newest first, with the running balance.
///
/// Needs `view_own_ledger` for the caller's own, `view_any_ledger` for others'.
#[cfg_attr(test, utoipa::path(
    tag = "ledger",
    params(("id" = PlayerId, Path, description = "The player"), StatementQuery),
    responses(
        (status = 200, body = Page<StatementLine>),
        (status = 403, body = Problem),
        (status = 404, body = Problem)
    )
))]
#[get("/players/{id}/statement")]
async fn statement(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<StatementQuery>,
) -> Result<Statement, Problem> {
    statement_of(&service, caller, Holder::Player(*id), &query).await
}

/// Shows the balances of the house, one per currency.
///
/// Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    tag = "ledger",
    responses((status = 200, body = Vec<BalanceBody>), (status = 403, body = Problem))
))]
#[get("/ledger/house/balances")]
async fn house_balances(service: web::Data<Service>, caller: Caller) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::House).await
}

/// Reads the statement of the house in one currency, newest first, with the running balance.
///
/// Needs `view_any_ledger`. Only players have scores, so there are no postings in `half_points`.
#[cfg_attr(test, utoipa::path(
    tag = "ledger",
    params(StatementQuery),
    responses(
        (status = 200, body = Page<StatementLine>),
        (status = 400, body = Problem),
        (status = 403, body = Problem)
    )
))]
#[get("/ledger/house/statement")]
async fn house_statement(
    service: web::Data<Service>,
    caller: Caller,
    query: web::Query<StatementQuery>,
) -> Result<Statement, Problem> {
    statement_of(&service, caller, Holder::House, &query).await
}

/// Shows the balances of a pool, one per currency.
///
/// A pool holds what is paid in for a tournament until it is paid out. Needs `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    tag = "ledger",
    params(("id" = TournamentId, Path, description = "The tournament")),
    responses((status = 200, body = Vec<BalanceBody>), (status = 403, body = Problem), (status = 404, body = Problem))
))]
#[get("/ledger/pools/{id}/balances")]
async fn pool_balances(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<TournamentId>,
) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::Pool(*id)).await
}

/// Reads the statement of a pool in one currency, newest first, with the running balance.
///
/// Needs `view_any_ledger`. Only players have scores, so there are no postings in `half_points`.
#[cfg_attr(test, utoipa::path(
    tag = "ledger",
    params(("id" = TournamentId, Path, description = "The tournament"), StatementQuery),
    responses(
        (status = 200, body = Page<StatementLine>),
        (status = 400, body = Problem),
        (status = 403, body = Problem),
        (status = 404, body = Problem)
    )
))]
#[get("/ledger/pools/{id}/statement")]
async fn pool_statement(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<TournamentId>,
    query: web::Query<StatementQuery>,
) -> Result<Statement, Problem> {
    statement_of(&service, caller, Holder::Pool(*id), &query).await
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
}

/// Shows what tournaments took and gave: fees, pools, refunds, prizes, and what is left to the house.
///
/// All of it, or what was moved in a period. Amounts are in minor units; what was undone does not count. Needs
/// `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    tag = "ledger",
    params(IncomeQuery),
    responses(
        (status = 200, content((IncomeReport = "application/json"), (String = "text/csv"))),
        (status = 400, body = Problem),
        (status = 403, body = Problem)
    )
))]
#[get("/ledger/tournaments")]
async fn tournament_income(
    service: web::Data<Service>,
    caller: Caller,
    query: web::Query<IncomeQuery>,
) -> Result<HttpResponse, Problem> {
    let IncomeQuery { from, until, format } = *query;
    let period = Period { from: from.map(Day::date), until: until.map(Day::date) };
    let report = service.desk.tournament_income(&caller.actor, period).await?;
    Ok(format.answer(&report, "tournaments.csv", || income_csv(&report)))
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
