//! Ledgers: a player's, the one of a tournament's pool, the house's. [`seen`]: with which signs.

mod seen;

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::{Datelike as _, NaiveDate};
use serde::Deserialize;
use uuid::Uuid;

use self::seen::{Seen, course, in_words, lines};
use super::amounts::how_much;
use super::days::AskedDays;
use super::say::Say;
use super::treasury::{self, transfer};
use super::visitor::Visitor;
use crate::pages::{DuePart, DueReminder, Ledger, LedgerFilters, PeriodSums, Tab, other_game};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, Holder, HolderKind, MatchId, PlayerId, TournamentId};
use owlbox_books::club::players::UNNAMED;
use owlbox_books::daybook::{Month, MoveKind};
use owlbox_books::ledger::{PostingKind, Source, Unit};
use owlbox_chouette::bet::BetKind;
use owlbox_desk::Refused;
use owlbox_desk::books::posting::{Balance, NO_GAME};
use owlbox_desk::books::statements::{Filter, Part, Place, StatementLine, StatementScreen, Sums};
use owlbox_desk::books::treasury::{DuePayment, OwnDue, OwnDues};
use owlbox_desk::people::players::called;
use owlbox_http::paging;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::spreadsheet;
use owlbox_play::tournament::money::TransferKind;

/// Postings read for a page: enough for a good number of games and for the chart.
const POSTINGS: i64 = 150;

#[derive(Debug, Deserialize)]
pub(super) struct Query {
    unit: Option<String>,
    after: Option<String>,
    opponent: Option<PlayerId>,
    /// A kind of posting, as the books name it.
    kind: Option<String>,
    chouette: Option<ChouetteId>,
    tournament: Option<TournamentId>,
    r#match: Option<MatchId>,
}

impl Query {
    fn filter(&self, days: &AskedDays) -> Filter {
        Filter {
            from: days.from,
            until: days.until,
            kind: self.kind.clone().filter(|kind| PostingKind::named(kind).is_some()),
            source: self
                .chouette
                .map(Source::Chouette)
                .or(self.tournament.map(Source::Tournament))
                .or(self.r#match.map(Source::Match)),
            counterparty: self.opponent.map(Holder::Player),
        }
    }

    fn part(&self, filter: Filter) -> Result<Part, Problem> {
        if filter == Filter::default() {
            return Ok(Part::All { before: paging::cursor(self.after.as_deref())? });
        }
        let place = |text: &str| {
            let (day, sequence) = text.split_once('.')?;
            Some(Place { day: day.parse().ok()?, sequence: sequence.parse().ok()? })
        };
        let place = |text: &str| place(text).ok_or_else(paging::no_cursor);
        Ok(Part::Period { filter, before: self.after.as_deref().map(place).transpose()? })
    }
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

/// An account of the club's own: `bank`, `opening`, `rounding`, `outside`.
pub(super) async fn account(
    visitor: Visitor,
    account: web::Path<HolderKind>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    match *account {
        HolderKind::Player | HolderKind::Pool => Err(Refused::NotFound("account").into()),
        kind @ (HolderKind::House
        | HolderKind::Bank
        | HolderKind::Opening
        | HolderKind::Rounding
        | HolderKind::Outside) => of_holder(visitor, kind.with_id(Uuid::nil()), &query).await,
    }
}

async fn of_holder(visitor: Visitor, holder: Holder, query: &Query) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let asked = query.unit.as_deref().and_then(|unit| unit.parse().ok());
    let days = AskedDays::of(&visitor);
    let part = query.part(query.filter(&days))?;
    let screen = desk.statement_screen(&actor, holder, asked, part, POSTINGS).await?;
    let unit = screen.unit;
    let (games, next) = games(&screen.lines);
    let own = holder
        .player()
        .is_some_and(|player| visitor.principal.and_then(|principal| principal.player) == Some(player));
    let title = title(&visitor.t, holder, own, &screen);
    let stands = screen.balances.iter().find(|balance| balance.unit == unit.to_string());
    let here = Here { holder, unit, filter: query.filter(&days) };
    let dues = holder.player().zip(screen.dues.as_ref());
    let dues =
        dues.map(|(player, dues)| dues_of(&visitor.say(&dues.names), player, own, dues)).unwrap_or_default();
    let seen = Seen { t: &visitor.t, holder, unit };
    let page = Ledger {
        t: visitor.t,
        frame: days.frame(&visitor, &title, tab(holder, own)),
        title,
        books: books(&visitor, &address(holder)),
        balance: seen.with_unit(stands.map_or(0, |balance| balance.amount)),
        club: screen.club.map(|club| in_words(&visitor.say(&screen.names), &club)),
        units: units(&visitor, &here, &screen.balances),
        periods: here.periods(&visitor.t, screen.today),
        days: [here.filter.from, here.filter.until]
            .map(|day| day.map(|day| day.to_string()).unwrap_or_default()),
        unit: unit.to_string(),
        period: screen.period.map(|period| {
            let Sums { gained, lost, .. } = period.sums;
            let [gained, lost] = if seen.is_turned() { [lost, gained] } else { [gained, lost] };
            PeriodSums {
                opening: seen.with_unit(period.opening),
                closing: seen.with_unit(period.closing),
                gained: seen.with_unit(gained),
                lost: seen.with_unit(lost),
            }
        }),
        dues,
        filters: here.filters(&visitor.t, &screen),
        downloads: here.downloads(&visitor.t),
        course: query.after.is_none().then(|| course(&seen, &games)).flatten(),
        lines: lines(&seen, &screen, &games),
        next: next.map(|after| here.link(&here.filter, Some(&here.after(&after)))),
    };
    days.answer(&visitor, page.render())
}

/// The club's own ledgers and the viewer's are kept under the tab of ledgers, other players' under that of players.
const fn tab(holder: Holder, own: bool) -> Tab {
    match holder {
        Holder::Player(_) if !own => Tab::Players,
        Holder::Player(_)
        | Holder::Pool(_)
        | Holder::House
        | Holder::Bank
        | Holder::Opening
        | Holder::Rounding
        | Holder::Outside => Tab::Ledger,
    }
}

/// Links to the ledgers of the club, for who keeps its books.
pub(super) fn books(visitor: &Visitor, here: &str) -> Vec<(String, String, bool)> {
    if !visitor.may(Permission::ViewAnyLedger) {
        return Vec::new();
    }
    let of_club = [
        ("books-treasury", treasury::HERE),
        ("books-daybook", treasury::DAYBOOK),
        ("books-house", "/ledger/house"),
        ("books-tournaments", "/ledger/tournaments"),
        ("books-exports", "/ledger/exports"),
    ];
    let of_club = of_club.map(|(key, to)| (visitor.t.get(key), to.to_owned(), to == here));
    let own = visitor.principal.and_then(|principal| principal.player).map(|player| {
        let to = address(Holder::Player(player));
        (visitor.t.get("your-ledger"), to.clone(), to == here)
    });
    of_club.into_iter().chain(own).collect()
}

/// The ledger on show.
struct Here {
    holder: Holder,
    unit: Unit,
    filter: Filter,
}

impl Here {
    /// The address of this ledger with a filter.
    fn link(&self, filter: &Filter, after: Option<&str>) -> String {
        format!("{}?{}", address(self.holder), self.query(filter, after))
    }

    fn query(&self, filter: &Filter, after: Option<&str>) -> String {
        let mut query = format!("unit={}", self.unit);
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
        let opponent = filter.counterparty.and_then(Holder::player).map(|player| player.to_string());
        let parts = [
            ("from", day(filter.from)),
            ("until", day(filter.until)),
            ("opponent", opponent),
            ("kind", filter.kind.clone()),
            ("after", after.map(str::to_owned)),
        ];
        for (name, value) in parts {
            if let Some(value) = value {
                query.push_str(&format!("&{name}={value}"));
            }
        }
        let source = filter.source.and_then(|source| match source {
            Source::Chouette(id) => Some(format!("&chouette={id}")),
            Source::Tournament(id) => Some(format!("&tournament={id}")),
            Source::Match(id) => Some(format!("&match={id}")),
            Source::Daybook => None,
        });
        query + source.as_deref().unwrap_or_default()
    }

    /// Where the next page begins: before this line.
    fn after(&self, last: &StatementLine) -> String {
        let Place { day, sequence } = last.place();
        match self.filter == Filter::default() {
            true => sequence.to_string(),
            false => format!("{day}.{sequence}"),
        }
    }

    /// All of it, this month and the last two, this year and the last.
    fn periods(&self, t: &Locale, today: NaiveDate) -> Vec<(String, String, bool)> {
        let month = Month::of(today);
        let months = [month, month.previous(), month.previous().previous()]
            .map(|month| (t.month_of(month.first_day()), [month.first_day(), month.last_day()]));
        let years = [today.year(), today.year() - 1].map(|year| {
            let day = |month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap_or(today);
            (year.to_string(), [day(1, 1), day(12, 31)])
        });
        let all = (t.get("ledger-all"), Filter { from: None, until: None, ..self.filter.clone() });
        let some = months.into_iter().chain(years).map(|(label, [from, until])| {
            (label, Filter { from: Some(from), until: Some(until), ..self.filter.clone() })
        });
        let link = |(label, filter): (String, Filter)| {
            let chosen = filter == self.filter;
            (label, self.link(&filter, None), chosen)
        };
        std::iter::once(all).chain(some).map(link).collect()
    }

    /// The same as a file: for a spreadsheet, and signed by the club.
    fn downloads(&self, t: &Locale) -> Vec<(String, String)> {
        let of = match self.holder {
            Holder::Player(player) => format!("players/{player}"),
            Holder::Pool(tournament) => format!("ledger/pools/{tournament}"),
            Holder::House => "ledger/house".to_owned(),
            Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => {
                format!("ledger/accounts/{}", self.holder.kind().name())
            }
        };
        let link =
            |format: &str| format!("/api/v1/{of}/statement?{}&{format}", self.query(&self.filter, None));
        let mut all = vec![("CSV".to_owned(), link(&spreadsheet::query(t)))];
        let Filter { from: _, until: _, kind, source, counterparty } = &self.filter;
        if kind.is_none() && source.is_none() && counterparty.is_none() {
            all.push((t.get("ledger-signed"), link("format=signed")));
        }
        all
    }
}

/// The most links of a list of filters.
const FILTERS: usize = 12;

impl Here {
    /// What the lines on show can be narrowed to, and what they are: lists of links by heading.
    fn filters(&self, t: &Locale, screen: &StatementScreen) -> Vec<LedgerFilters> {
        let filter = |change: &dyn Fn(&mut Filter)| {
            let mut filter = self.filter.clone();
            change(&mut filter);
            self.link(&filter, None)
        };
        let of_lines = || screen.lines.iter().map(|line| &line.line);
        let chosen = self.filter.counterparty.and_then(Holder::player);
        let opponents = of_lines().filter_map(|line| line.posting.counterparty().player());
        let opponents = chosen.into_iter().chain(opponents).map(|player| {
            let is = chosen == Some(player);
            let with = (!is).then_some(Holder::Player(player));
            let name = called(&screen.names, player);
            (name, filter(&|filter| filter.counterparty = with), is)
        });
        let sources = of_lines().map(|line| (line.source, Some(line.head.night)));
        let sources = sources.filter(|(source, _)| !matches!(source, Source::Daybook));
        let chosen = self.filter.source;
        let sources = sources.chain(chosen.map(|source| (source, None))).map(|(source, night)| {
            let is = chosen == Some(source);
            let name = source_name(t, source, screen.sources.get(&source));
            let name = night.map_or_else(|| name.clone(), |night| format!("{name}, {}", t.day(night)));
            (name, filter(&|filter| filter.source = (!is).then_some(source)), is)
        });
        let kinds = of_lines().map(|line| line.posting.kind.clone());
        let kinds = self.filter.kind.clone().into_iter().chain(kinds).map(|kind| {
            let is = self.filter.kind.as_deref() == Some(kind.as_str());
            let to = filter(&|filter| filter.kind = (!is).then(|| kind.clone()));
            (kind_name(t, &kind), to, is)
        });
        let lists =
            [("line-with", first(opponents)), ("ledger-where", first(sources)), ("line-what", first(kinds))];
        let lists = lists.into_iter().filter(|(_, links)| !links.is_empty());
        lists.map(|(heading, links)| LedgerFilters { heading: t.get(heading), links }).collect()
    }
}

/// The first of these links, each once.
fn first(links: impl Iterator<Item = (String, String, bool)>) -> Vec<(String, String, bool)> {
    let mut seen = BTreeSet::new();
    links.filter(|(_, to, _)| seen.insert(to.clone())).take(FILTERS).collect()
}

/// What a player owes and is owed, with their payments.
pub(super) fn dues_of(t: &Say<'_>, player: PlayerId, own: bool, dues: &OwnDues) -> Vec<DueReminder> {
    let reminder = |due: &OwnDue| {
        let unit = Unit::Money(due.currency);
        let amount = how_much(t, unit, i64::try_from(due.balance.unsigned_abs()).unwrap_or(i64::MAX));
        let key = match (due.balance < 0, own) {
            (true, true) => "due-you-owe",
            (true, false) => "due-owes",
            (false, true) => "due-you-are-owed",
            (false, false) => "due-is-owed",
        };
        let payment = |DuePayment { payer, payee, amount }: &DuePayment| {
            let creditor = dues.creditors.get(payee).filter(|_| *payer == player.into());
            DuePart {
                what: t.payment(payer, payee),
                how_much: how_much(t, unit, *amount),
                transfer: transfer(t, creditor, due.currency, *amount, Some(&dues.name)),
            }
        };
        DueReminder {
            owes: due.balance < 0,
            what: t.with(key, "amount", amount),
            payments: due.payments.iter().map(payment).collect(),
        }
    };
    dues.dues.iter().map(reminder).collect()
}

/// The address of a ledger.
fn address(holder: Holder) -> String {
    match holder {
        Holder::Player(player) => format!("/ledger/{player}"),
        Holder::Pool(tournament) => format!("/ledger/pools/{tournament}"),
        Holder::House => "/ledger/house".to_owned(),
        Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => {
            format!("/ledger/accounts/{}", holder.kind().name())
        }
    }
}

fn title(t: &Locale, holder: Holder, own: bool, screen: &StatementScreen) -> String {
    match holder {
        Holder::Player(_) if own => t.get("your-ledger"),
        Holder::Player(_) => t.with("ledger-of", "name", screen.holder_name.as_deref().unwrap_or(UNNAMED)),
        Holder::Pool(tournament) => {
            let source = Source::Tournament(tournament);
            t.with("ledger-of-pool", "name", source_name(t, source, screen.sources.get(&source)))
        }
        Holder::House => t.get("ledger-of-house"),
        Holder::Bank => t.get("ledger-of-bank"),
        Holder::Opening => t.get("ledger-of-opening"),
        Holder::Rounding => t.get("ledger-of-rounding"),
        Holder::Outside => t.get("ledger-of-outside"),
    }
}

fn units(visitor: &Visitor, here: &Here, balances: &[Balance]) -> Vec<crate::pages::Unit> {
    let (holder, chosen) = (here.holder, here.unit);
    let kept = balances.iter().filter_map(|balance| balance.unit.parse::<Unit>().ok());
    // A player always has points, even if none were won yet; other accounts have the unit that is shown.
    let first = if holder.player().is_some() { Unit::HalfPoints } else { chosen };
    let mut units: Vec<Unit> = vec![first];
    units.extend(kept.filter(|unit| *unit != first));
    let label = |unit: &Unit| match unit {
        Unit::HalfPoints => visitor.t.get("points-unit"),
        Unit::Money(currency) => currency.to_string(),
    };
    let unit = |unit: &Unit| crate::pages::Unit {
        label: label(unit),
        link: Here { holder, unit: *unit, filter: here.filter.clone() }.link(&here.filter, None),
        chosen: *unit == chosen,
    };
    units.iter().map(unit).collect()
}

/// The postings of one transaction on the account: a game's bets, or payments. Each transfer of a tournament
/// stands alone. Newest first.
struct Game<'a> {
    newest: &'a StatementLine,
    lines: &'a [StatementLine],
}

impl Game<'_> {
    fn amount(&self) -> i64 {
        self.lines.iter().map(|line| line.line.posting.amount).sum()
    }

    /// The balance after it: in the order on show, or in that of posting where a filter leaves lines out.
    fn balance(&self) -> i64 {
        self.newest.running.unwrap_or(self.newest.line.posting.balance)
    }
}

/// Groups postings by game. Returns the cursor of the next page, too; a page ends between two games.
fn games(postings: &[StatementLine]) -> (Vec<Game<'_>>, Option<StatementLine>) {
    let together = |one: &StatementLine, other: &StatementLine| {
        one.line.head.id == other.line.head.id && !matches!(one.line.source, Source::Tournament(_))
    };
    let mut games: Vec<Game<'_>> = postings
        .chunk_by(together)
        .filter_map(|lines| Some(Game { newest: lines.first()?, lines }))
        .collect();
    let full = i64::try_from(postings.len()).is_ok_and(|read| read >= POSTINGS);
    if full && games.len() > 1 {
        games.pop();
    }
    let last = games.last().and_then(|game| game.lines.last()).cloned();
    (games, last.filter(|_| full))
}

/// The name of a chouette or a tournament, or else a generic one. Of sheets, matches alone have a name, in English.
fn source_name(t: &Locale, source: Source, name: Option<&String>) -> String {
    match (source, name) {
        (Source::Match(_), Some(_)) => t.get("line-of-match"),
        (Source::Match(_), None) => t.get("line-of-session"),
        (Source::Chouette(_) | Source::Tournament(_) | Source::Daybook, Some(name)) => name.clone(),
        (Source::Chouette(_), None) => String::new(),
        (Source::Tournament(_), None) => t.get("line-of-tournament"),
        (Source::Daybook, None) => t.get("line-of-daybook"),
    }
}

/// The key of the text for a kind of posting.
const fn kind_key(kind: PostingKind) -> &'static str {
    match kind {
        PostingKind::Game => "line-game",
        PostingKind::Stake => "line-stake",
        PostingKind::Bet(BetKind::Member) => "line-bet",
        PostingKind::Bet(BetKind::Extra) => "line-extra",
        PostingKind::Bet(BetKind::ExtraPayment) => "line-extra-payment",
        PostingKind::Bet(BetKind::Partner) => "line-partner",
        PostingKind::Payment | PostingKind::Recorded(MoveKind::Payment) => "line-payment",
        PostingKind::Transfer(TransferKind::EntryFee) => "line-entry-fee",
        PostingKind::Transfer(TransferKind::Registration) => "line-registration",
        PostingKind::Transfer(TransferKind::SidePool) => "line-side-pool",
        PostingKind::Transfer(TransferKind::ReEntry) => "line-re-entry",
        PostingKind::Transfer(TransferKind::Added) => "line-added",
        PostingKind::Transfer(TransferKind::Kept) => "line-kept",
        PostingKind::Transfer(TransferKind::Prize) => "line-prize",
        PostingKind::Transfer(TransferKind::PaidIn) | PostingKind::Recorded(MoveKind::PaidIn) => {
            "line-paid-in"
        }
        PostingKind::Transfer(TransferKind::PaidOut) | PostingKind::Recorded(MoveKind::PaidOut) => {
            "line-paid-out"
        }
        PostingKind::Transfer(TransferKind::Refund) => "line-refund",
        PostingKind::Transfer(TransferKind::Returned) => "line-returned",
        PostingKind::Recorded(MoveKind::Membership) => "line-membership",
        PostingKind::Recorded(MoveKind::TableMoney) => "line-table-money",
        PostingKind::Recorded(MoveKind::OtherFee) => "line-other-fee",
        PostingKind::Recorded(MoveKind::Opening) => "line-opening",
        PostingKind::Recorded(MoveKind::PastGame) => "line-past-game",
        PostingKind::Recorded(MoveKind::Adjustment) => "line-adjustment",
        PostingKind::Recorded(MoveKind::Expense) => "line-expense",
        PostingKind::Recorded(MoveKind::Income) => "line-income",
        PostingKind::Recorded(MoveKind::Outside) => "line-outside",
        PostingKind::Recorded(MoveKind::Deposit) => "line-deposit",
        PostingKind::Recorded(MoveKind::Counted) => "line-counted",
    }
}

/// A kind of posting in words, by its name in the books.
fn kind_name(t: &Locale, kind: &str) -> String {
    PostingKind::named(kind).map_or_else(|| kind.to_owned(), |kind| t.get(kind_key(kind)))
}

/// What a transaction was about: `Friday table, game 14`, with the variant if it was not backgammon; `Money
/// session,
/// game 3`; `Autumn Open, entry fee`.
fn what(t: &Locale, of: &str, StatementLine { line, record, .. }: &StatementLine) -> String {
    let subject = match (line.source, line.head.game) {
        (Source::Daybook, _) | (_, NO_GAME) => kind_name(t, &line.posting.kind),
        (Source::Chouette(_) | Source::Tournament(_) | Source::Match(_), game) => {
            t.with("game-number", "game", game)
        }
    };
    let what = match line.variant.and_then(|variant| other_game(t, variant)) {
        Some(played) => format!("{of}, {subject}, {played}"),
        None => format!("{of}, {subject}"),
    };
    let memo = record.as_ref().and_then(|record| record.memo.as_ref());
    let what = memo.map_or_else(|| what.clone(), |memo| format!("{what}: {memo}"));
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
        Source::Daybook => "/ledger/daybook".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_of_transfer_has_words_of_its_own() {
        let words: BTreeSet<&str> =
            TransferKind::ALL.into_iter().map(|kind| kind_key(PostingKind::Transfer(kind))).collect();
        assert_eq!(words.len(), TransferKind::ALL.len());
        assert!(!words.contains(kind_key(PostingKind::Payment)));
    }
}
