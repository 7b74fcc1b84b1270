//! The books: balances and statements.

use actix_web::{get, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::caller::Caller;
use crate::paging::{Page, cursor, limit};
use crate::problem::Problem;
use crate::service::Service;
use owlbox_desk::books::{self, Balance, Line};
use owlbox_domain::code::Code;
use owlbox_domain::ledger::{Source, Unit};
use owlbox_domain::values::{
    ActId, ChouetteId, Holder, HolderKind, MatchId, PlayerId, Timestamp, TournamentId, TransactionId,
};
use owlbox_engine::Variant;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(balances).service(statement);
    config.service(house_balances).service(house_statement);
    config.service(pool_balances).service(pool_statement);
}

/// Where a player, a pool or the house stands in one unit.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceBody {
    /// `half_points`, or a currency.
    #[schema(example = "half_points")]
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
    /// How many postings it is the sum of.
    pub postings: i64,
}

impl From<Balance> for BalanceBody {
    fn from(balance: Balance) -> Self {
        Self { unit: balance.unit, amount: balance.amount, postings: balance.sequence }
    }
}

/// One line of a statement.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatementLine {
    /// The account's how-manieth posting.
    pub sequence: i64,
    /// `game`; `correction` of one; `payment` from one player to another; `transfer` of what a tournament takes,
    /// keeps or gives; `merge` of two players who are one; `contest` of a game between two that is taken out until a scorer has ruled, `upheld` of
    /// one that stands; or `reversal` of any of these that was undone.
    #[schema(example = "game")]
    pub kind: String,
    /// What it is for: the kind of bet, `game` for one between two, `payment`, or of a tournament `entry_fee`,
    /// `registration`, `side_pool`, `re_entry`, `added`, `kept`, `prize`, `paid_in`, `paid_out`, `refund` or `returned`.
    #[schema(example = "member")]
    pub bet: String,
    /// Who is on the other side.
    pub with: HolderKind,
    /// The other player; null if it is a pool or the house.
    pub counterparty: Option<PlayerId>,
    /// The tournament whose pool is on the other side; null if none is.
    pub pool: Option<TournamentId>,
    /// The chouette it comes from; null if from none.
    pub chouette: Option<ChouetteId>,
    /// The tournament it comes from; null if from none.
    pub tournament: Option<TournamentId>,
    /// The match it comes from; null if from none.
    #[serde(rename = "match")]
    pub sheet: Option<MatchId>,
    /// The game within its chouette or match; null if it is not of a game.
    pub game: Option<i32>,
    /// What was played there; null if it is not of a game.
    pub variant: Option<Variant>,
    /// By how much the account rises: what a player won, in half points or minor units, or what he paid another;
    /// negative if it falls.
    pub amount: i64,
    /// The balance after it.
    pub balance: i64,
    /// When the game ended, or the money was moved.
    pub happened_at: Timestamp,
    /// When it was posted.
    pub posted_at: Timestamp,
    /// The transaction.
    pub transaction: TransactionId,
    /// The act that posted it.
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

/// A ledger's balances as they are answered.
type Balances = web::Json<Vec<BalanceBody>>;
/// A page of a ledger's statement as it is answered.
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
/// Needs `view_own_ledger` for one's own, `view_any_ledger` for others'.
#[utoipa::path(
    tag = "ledger",
    params(("id" = PlayerId, Path, description = "The player")),
    responses((status = 200, body = Vec<BalanceBody>), (status = 403, body = Problem), (status = 404, body = Problem))
)]
#[get("/players/{id}/balances")]
async fn balances(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<PlayerId>,
) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::Player(*id)).await
}

/// Which statement, and which page of it.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct StatementQuery {
    /// `half_points`, or a currency. Without it a player's points, and all others' money in the club's usual currency.
    unit: Option<String>,
    /// Entries a page.
    limit: Option<i64>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// Reads a player's statement in one unit, newest first, with the running balance.
///
/// Needs `view_own_ledger` for one's own, `view_any_ledger` for others'.
#[utoipa::path(
    tag = "ledger",
    params(("id" = PlayerId, Path, description = "The player"), StatementQuery),
    responses(
        (status = 200, body = Page<StatementLine>),
        (status = 403, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/players/{id}/statement")]
async fn statement(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<StatementQuery>,
) -> Result<Statement, Problem> {
    statement_of(&service, caller, Holder::Player(*id), &query).await
}

/// Shows the house's balances, one a currency.
///
/// Needs `view_any_ledger`.
#[utoipa::path(
    tag = "ledger",
    responses((status = 200, body = Vec<BalanceBody>), (status = 403, body = Problem))
)]
#[get("/ledger/house/balances")]
async fn house_balances(service: web::Data<Service>, caller: Caller) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::House).await
}

/// Reads the house's statement in one currency, newest first, with the running balance.
///
/// Needs `view_any_ledger`. Scores are players' only, so there is nothing in `half_points`.
#[utoipa::path(
    tag = "ledger",
    params(StatementQuery),
    responses(
        (status = 200, body = Page<StatementLine>),
        (status = 400, body = Problem),
        (status = 403, body = Problem)
    )
)]
#[get("/ledger/house/statement")]
async fn house_statement(
    service: web::Data<Service>,
    caller: Caller,
    query: web::Query<StatementQuery>,
) -> Result<Statement, Problem> {
    statement_of(&service, caller, Holder::House, &query).await
}

/// Shows a pool's balances, one a currency. A pool is what is paid in for a tournament, until it is paid out.
///
/// Needs `view_any_ledger`.
#[utoipa::path(
    tag = "ledger",
    params(("id" = TournamentId, Path, description = "The tournament")),
    responses((status = 200, body = Vec<BalanceBody>), (status = 403, body = Problem), (status = 404, body = Problem))
)]
#[get("/ledger/pools/{id}/balances")]
async fn pool_balances(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<TournamentId>,
) -> Result<Balances, Problem> {
    balances_of(&service, caller, Holder::Pool(*id)).await
}

/// Reads a pool's statement in one currency, newest first, with the running balance.
///
/// Needs `view_any_ledger`. Scores are players' only, so there is nothing in `half_points`.
#[utoipa::path(
    tag = "ledger",
    params(("id" = TournamentId, Path, description = "The tournament"), StatementQuery),
    responses(
        (status = 200, body = Page<StatementLine>),
        (status = 400, body = Problem),
        (status = 403, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/ledger/pools/{id}/statement")]
async fn pool_statement(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<TournamentId>,
    query: web::Query<StatementQuery>,
) -> Result<Statement, Problem> {
    statement_of(&service, caller, Holder::Pool(*id), &query).await
}
