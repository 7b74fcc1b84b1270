//! Ledgers: a player's, the one of a tournament's pool, the house's.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::amounts::{alone, amount};
use super::visitor::{self, Visitor};
use crate::paging;
use crate::problem::Problem;
use owlbox_desk::books::{Balance, Line, NO_GAME, StatementScreen};
use owlbox_domain::ledger::{Source, Unit};
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::{Holder, PlayerId, TournamentId};
use owlbox_pages::locale::Locale;
use owlbox_pages::{Course, Ledger, LedgerLine, Tab, other_game};

/// Postings read for a page: enough for a good number of games and for the chart.
const POSTINGS: i64 = 150;

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
    of_holder(visitor, Holder::Player(*player), &query).await
}

pub(super) async fn pool(
    visitor: Visitor,
    tournament: web::Path<TournamentId>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    of_holder(visitor, Holder::Pool(*tournament), &query).await
}

pub(super) async fn house(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    of_holder(visitor, Holder::House, &query).await
}

async fn of_holder(visitor: Visitor, holder: Holder, query: &Query) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let asked = query.unit.as_deref().and_then(|unit| unit.parse().ok());
    let before = paging::cursor(query.after.as_deref())?;
    let screen = desk.statement_screen(&actor, holder, asked, before, POSTINGS).await?;
    let unit = screen.unit;
    let (games, next) = games(&screen.lines);
    let own = holder
        .player()
        .is_some_and(|player| visitor.principal.and_then(|principal| principal.player) == Some(player));
    let title = title(&visitor.t, holder, own, &screen);
    let stands = screen.balances.iter().find(|balance| balance.unit == unit.to_string());
    let page = Ledger {
        t: visitor.t,
        frame: visitor.frame(&title, Some(tab(holder, own))),
        title,
        books: books(&visitor, &address(holder)),
        balance: amount(&visitor.t, unit, stands.map_or(0, |balance| balance.amount)),
        units: units(&visitor, holder, unit, &screen.balances),
        course: before.is_none().then(|| course(&games)).flatten(),
        lines: lines(&visitor.t, &screen, &games),
        next: next.map(|after| format!("{}?unit={unit}&after={after}", address(holder))),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// The club's own ledgers and the viewer's are kept under the tab of ledgers, other players' under that of players.
const fn tab(holder: Holder, own: bool) -> Tab {
    match holder {
        Holder::Player(_) if !own => Tab::Players,
        Holder::Player(_) | Holder::Pool(_) | Holder::House => Tab::Ledger,
    }
}

/// Links to the ledgers of the club, for who keeps its books.
pub(super) fn books(visitor: &Visitor, here: &str) -> Vec<(String, String, bool)> {
    if !visitor.may(Permission::ViewAnyLedger) {
        return Vec::new();
    }
    let of_club = [
        ("books-house", "/ledger/house"),
        ("books-tournaments", "/ledger/tournaments"),
        ("books-exports", "/ledger/exports"),
    ];
    of_club.map(|(key, to)| (visitor.t.get(key), to.to_owned(), to == here)).to_vec()
}

/// The address of a ledger.
fn address(holder: Holder) -> String {
    match holder {
        Holder::Player(player) => format!("/ledger/{player}"),
        Holder::Pool(tournament) => format!("/ledger/pools/{tournament}"),
        Holder::House => "/ledger/house".to_owned(),
    }
}

fn title(t: &Locale, holder: Holder, own: bool, screen: &StatementScreen) -> String {
    match holder {
        Holder::Player(_) if own => t.get("your-ledger"),
        Holder::Player(_) => t.with("ledger-of", "name", screen.holder_name.as_deref().unwrap_or_default()),
        Holder::Pool(tournament) => {
            let source = Source::Tournament(tournament);
            t.with("ledger-of-pool", "name", source_name(t, source, screen.sources.get(&source)))
        }
        Holder::House => t.get("ledger-of-house"),
    }
}

fn units(visitor: &Visitor, holder: Holder, chosen: Unit, balances: &[Balance]) -> Vec<owlbox_pages::Unit> {
    let kept = balances.iter().filter_map(|balance| balance.unit.parse::<Unit>().ok());
    // A player always has points, even if none were won yet; other accounts have the unit that is shown.
    let first = if holder.player().is_some() { Unit::HalfPoints } else { chosen };
    let mut units: Vec<Unit> = vec![first];
    units.extend(kept.filter(|unit| *unit != first));
    let label = |unit: &Unit| match unit {
        Unit::HalfPoints => visitor.t.get("points-unit"),
        Unit::Money(currency) => currency.to_string(),
    };
    let unit = |unit: &Unit| owlbox_pages::Unit {
        label: label(unit),
        link: format!("{}?unit={unit}", address(holder)),
        chosen: *unit == chosen,
    };
    units.iter().map(unit).collect()
}

/// The postings of one transaction on the account: a game's bets, or payments. Each transfer of a tournament
/// stands alone. Newest first.
struct Game<'a> {
    newest: &'a Line,
    lines: &'a [Line],
}

impl Game<'_> {
    fn amount(&self) -> i64 {
        self.lines.iter().map(|line| line.posting.amount).sum()
    }

    const fn balance(&self) -> i64 {
        self.newest.posting.balance
    }
}

/// Groups postings by game. Returns the cursor of the next page, too; a page ends between two games.
fn games(postings: &[Line]) -> (Vec<Game<'_>>, Option<i64>) {
    let together = |one: &Line, other: &Line| {
        one.head.id == other.head.id && !matches!(one.source, Source::Tournament(_))
    };
    let mut games: Vec<Game<'_>> = postings
        .chunk_by(together)
        .filter_map(|lines| Some(Game { newest: lines.first()?, lines }))
        .collect();
    let full = i64::try_from(postings.len()).is_ok_and(|read| read >= POSTINGS);
    if full && games.len() > 1 {
        games.pop();
    }
    let last = games.last().and_then(|game| game.lines.last()).map(|line| line.posting.sequence);
    (games, last.filter(|_| full))
}

fn course(games: &[Game<'_>]) -> Option<Course> {
    let oldest = games.last()?;
    let before = oldest.balance() - oldest.amount();
    let after = games.iter().rev().map(Game::balance);
    Course::new(&std::iter::once(before).chain(after).collect::<Vec<_>>())
}

/// The name of a chouette, a tournament or a money session, or else a generic one.
fn source_name(t: &Locale, source: Source, name: Option<&String>) -> String {
    name.cloned().unwrap_or_else(|| match source {
        Source::Chouette(_) => String::new(),
        Source::Tournament(_) => t.get("line-of-tournament"),
        Source::Match(_) => t.get("line-of-session"),
    })
}

/// The key of the text for money that was moved, by kind of posting.
fn moved(kind: &str) -> &'static str {
    match kind {
        "entry_fee" => "line-entry-fee",
        "registration" => "line-registration",
        "side_pool" => "line-side-pool",
        "re_entry" => "line-re-entry",
        "added" => "line-added",
        "kept" => "line-kept",
        "prize" => "line-prize",
        "paid_in" => "line-paid-in",
        "paid_out" => "line-paid-out",
        "refund" => "line-refund",
        "returned" => "line-returned",
        _ => "line-payment",
    }
}

/// What a transaction was about: `Friday table, game 14`, with the variant if it was not backgammon; `Money
/// session,
/// game 3`; `Autumn Open, entry fee`.
fn what(t: &Locale, of: &str, line: &Line) -> String {
    let subject = match line.head.game {
        NO_GAME => t.get(moved(&line.posting.kind)),
        game => t.with("game-number", "game", game),
    };
    let what = match line.variant.and_then(|variant| other_game(t, variant)) {
        Some(played) => format!("{of}, {subject}, {played}"),
        None => format!("{of}, {subject}"),
    };
    match line.head.kind.as_str() {
        "reversal" => t.with("say-undone", "what", what),
        "correction" => t.with("line-corrected", "what", what),
        "contest" => t.with("line-contested", "what", what),
        "upheld" => t.with("line-upheld", "what", what),
        "merge" => t.with("line-merged", "what", what),
        _ => what,
    }
}

/// The page about what a posting came from.
fn link(source: Source) -> String {
    match source {
        Source::Chouette(id) => format!("/chouettes/{id}"),
        Source::Tournament(id) => format!("/tournaments/{id}"),
        Source::Match(id) => format!("/matches/{id}"),
    }
}

fn lines(t: &Locale, screen: &StatementScreen, games: &[Game<'_>]) -> Vec<LedgerLine> {
    let StatementScreen { unit, names, sources, .. } = screen;
    let (pool, house) = (t.get("line-with-pool"), t.get("line-with-house"));
    let line = |game: &Game<'_>| {
        let mut with: Vec<&str> = Vec::new();
        for line in game.lines.iter().rev() {
            let name = match line.posting.counterparty() {
                Holder::Player(player) => names.get(&player).map(String::as_str),
                Holder::Pool(_) => Some(pool.as_str()),
                Holder::House => Some(house.as_str()),
            };
            // In a correction everybody appears twice.
            with.extend(name.filter(|name| !with.contains(name)));
        }
        let source = game.newest.source;
        let of = source_name(t, source, sources.get(&source));
        LedgerLine {
            at: game.newest.head.happened_at.into(),
            what: what(t, &of, game.newest),
            link: link(source),
            with: t.list(&with),
            amount: alone(t, *unit, game.amount()),
            balance: alone(t, *unit, game.balance()),
        }
    };
    games.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use owlbox_domain::tournament::money::TransferKind;

    #[test]
    fn every_kind_of_transfer_has_words_of_its_own() {
        let words: BTreeSet<&str> = TransferKind::ALL.into_iter().map(|kind| moved(kind.name())).collect();
        assert_eq!(words.len(), TransferKind::ALL.len());
        assert!(!words.contains(moved("payment")));
    }
}
