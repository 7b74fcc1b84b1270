//! A player's ledger.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::night::amount;
use super::visitor::{self, Visitor};
use crate::desk::Refused;
use crate::ledger::Unit;
use crate::store::books::{Balance, Head, NO_GAME, Posting};
use crate::store::chouettes as stored;
use crate::store::players;
use crate::values::{ChouetteId, MinorUnits, PlayerId};
use crate::web::api;
use crate::web::locale::{Amount, Locale};
use crate::web::pages::{self, Course, Ledger, LedgerLine, Tab};
use crate::web::problem::Problem;

/// Postings read for a page: enough for a good number of games, and for the course.
const POSTINGS: i64 = 150;

/// Which ledger page.
#[derive(Debug, Deserialize)]
pub(super) struct Query {
    unit: Option<String>,
    after: Option<String>,
}

/// A player's ledger in one unit.
pub(super) async fn show(
    visitor: Visitor,
    player: web::Path<PlayerId>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let (actor, player) = (visitor.actor()?, *player);
    let unit = query.unit.as_deref().and_then(|unit| unit.parse().ok()).unwrap_or(Unit::HalfPoints);
    let before = api::cursor(query.after.as_deref())?;
    let desk = &visitor.service.desk;
    let balances = desk.balances(&actor, player).await?;
    let postings = desk.statement(&actor, player, unit, before, POSTINGS).await?;
    let (games, next) = games(&postings);
    let own = visitor.authority.and_then(|authority| authority.player) == Some(player);
    let name = full_name(&visitor, player).await?;
    let title = if own { visitor.t.get("your-ledger") } else { visitor.t.with("ledger-of", "name", &name) };
    let stands = balances.iter().find(|balance| balance.unit == unit.to_string());
    let page = Ledger {
        t: visitor.t,
        frame: visitor.frame(&title, Some(if own { Tab::Ledger } else { Tab::Players })),
        player: name,
        own,
        balance: amount(&visitor.t, unit, stands.map_or(0, |balance| balance.amount)),
        units: units(&visitor, player, unit, &balances),
        course: before.is_none().then(|| course(&games)).flatten(),
        lines: lines(&visitor, unit, &games).await?,
        next: next.map(|after| format!("/ledger/{player}?unit={unit}&after={after}")),
    };
    visitor::html(StatusCode::OK, page.render())
}

async fn full_name(visitor: &Visitor, player: PlayerId) -> Result<String, Problem> {
    let read = move |connection: &mut _| Ok::<_, Refused>(players::find(connection, player)?);
    let row = visitor.service.desk.read(read).await?;
    Ok(row.map(|row| row.name).unwrap_or_default())
}

fn units(visitor: &Visitor, player: PlayerId, chosen: Unit, balances: &[Balance]) -> Vec<pages::Unit> {
    let kept = balances.iter().filter_map(|balance| balance.unit.parse::<Unit>().ok());
    let mut units: Vec<Unit> = vec![Unit::HalfPoints];
    units.extend(kept.filter(|unit| *unit != Unit::HalfPoints));
    let label = |unit: &Unit| match unit {
        Unit::HalfPoints => visitor.t.get("points-unit"),
        Unit::Money(currency) => currency.to_string(),
    };
    let unit = |unit: &Unit| pages::Unit {
        label: label(unit),
        link: format!("/ledger/{player}?unit={unit}"),
        chosen: *unit == chosen,
    };
    units.iter().map(unit).collect()
}

/// One game's bets of the player, newest first, with its transaction.
struct Game<'a> {
    head: &'a Head,
    postings: &'a [(Posting, Head)],
}

impl Game<'_> {
    fn amount(&self) -> i64 {
        self.postings.iter().map(|(posting, _)| posting.amount).sum()
    }

    fn balance(&self) -> i64 {
        self.postings.first().map_or(0, |(posting, _)| posting.balance)
    }
}

/// The postings game by game, and where the next page goes on. A page ends between two games.
fn games(postings: &[(Posting, Head)]) -> (Vec<Game<'_>>, Option<i64>) {
    let mut games: Vec<Game<'_>> = postings
        .chunk_by(|(_, one), (_, other)| one.id == other.id)
        .filter_map(|postings| Some(Game { head: &postings.first()?.1, postings }))
        .collect();
    let full = i64::try_from(postings.len()).is_ok_and(|read| read >= POSTINGS);
    if full && games.len() > 1 {
        games.pop();
    }
    let last = games.last().and_then(|game| game.postings.last()).map(|(posting, _)| posting.sequence);
    (games, last.filter(|_| full))
}

fn course(games: &[Game<'_>]) -> Option<Course> {
    let oldest = games.last()?;
    let before = oldest.balance() - oldest.amount();
    let after = games.iter().rev().map(Game::balance);
    Course::of(&std::iter::once(before).chain(after).collect::<Vec<_>>())
}

/// An amount in a column whose unit the page names elsewhere.
fn alone(t: &Locale, unit: Unit, units: i64) -> Amount {
    match unit {
        Unit::HalfPoints => amount(t, unit, units),
        Unit::Money(currency) => t.money_alone(MinorUnits(units), currency),
    }
}

/// What a transaction was about: `Friday table, game 14`.
fn what(t: &Locale, table: &str, head: &Head) -> String {
    let subject = match head.game {
        NO_GAME => t.get("line-payment"),
        game => t.with("game-number", "game", game),
    };
    let what = format!("{table}, {subject}");
    match head.kind.as_str() {
        "reversal" => t.with("say-undone", "what", what),
        "correction" => t.with("line-corrected", "what", what),
        "merge" => t.with("line-merged", "what", what),
        _ => what,
    }
}

async fn lines(visitor: &Visitor, unit: Unit, games: &[Game<'_>]) -> Result<Vec<LedgerLine>, Problem> {
    let t = visitor.t;
    let desk = &visitor.service.desk;
    let others = games.iter().flat_map(|game| game.postings);
    let others: BTreeSet<PlayerId> = others.map(|(posting, _)| posting.counterparty.into()).collect();
    let names = desk.names(others.into_iter().collect()).await?;
    let ids: BTreeSet<ChouetteId> = games.iter().map(|game| game.head.chouette.into()).collect();
    let read = move |connection: &mut _| {
        let mut tables = BTreeMap::new();
        for id in ids {
            if let Some(row) = stored::find(connection, id.0)? {
                tables.insert(id, row.name);
            }
        }
        Ok::<_, Refused>(tables)
    };
    let tables = desk.read(read).await?;
    let line = |game: &Game<'_>| {
        let id = ChouetteId::from(game.head.chouette);
        let mut with: Vec<&str> = Vec::new();
        for (posting, _) in game.postings.iter().rev() {
            let name = names.get(&posting.counterparty.into()).map(String::as_str);
            // Of a correction, everybody is there twice.
            with.extend(name.filter(|name| !with.contains(name)));
        }
        let table = tables.get(&id).map(String::as_str).unwrap_or_default();
        LedgerLine {
            at: game.head.happened_at.into(),
            what: what(&t, table, game.head),
            link: Some(format!("/chouettes/{id}")),
            with: t.list(&with),
            amount: alone(&t, unit, game.amount()),
            balance: alone(&t, unit, game.balance()),
        }
    };
    Ok(games.iter().map(line).collect())
}
