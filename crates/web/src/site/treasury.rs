//! The treasurer's pages: what is due, the drawer, records and the closing of months.

use std::collections::BTreeSet;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::NaiveDate;
use serde::Deserialize;
use uuid::Uuid;

use super::amounts::{self, amount, how_much};
use super::form::{Form, invalid, malformed, word};
use super::importing;
use super::ledger::{books, other_side};
use super::visitor::{self, Visitor, redirect};
use crate::paging;
use crate::problem::Problem;
use owlbox_desk::daybook::{ClubMoney, ShownEntry};
use owlbox_desk::treasury::{ClubStanding, Creditor, Due, THE_CLUB, TreasuryScreen};
use owlbox_desk::{Refused, Request};
use owlbox_domain::club::players::PlayerName;
use owlbox_domain::code::Code;
use owlbox_domain::daybook::{Closing, Means, Month, OpeningBalance, Order, Record, Status, Sum, Way};
use owlbox_domain::ledger::Unit;
use owlbox_domain::permissions::Permission;
use owlbox_domain::typed::{self, Unread};
use owlbox_domain::values::{Currency, Day, Holder, InvalidValue, Payment, PlayerId};
use owlbox_pages::locale::Locale;
use owlbox_pages::{
    Choice, ClosingPart, DaybookLine, DaybookPage, DueInCurrency, DuePayment, DuePlayer, MoneyOfClub,
    RecordForms, Tab, Transfer, Treasury, qr_code,
};

pub(super) const HERE: &str = "/ledger/treasury";
pub(super) const DAYBOOK: &str = "/ledger/daybook";
/// Records on a page of the daybook.
const RECORDS: usize = 50;
/// The most months offered for closing.
const MONTHS: usize = 12;
/// The most standings of one record whose players are named.
const NAMED: usize = 20;
/// The most players offered in the forms.
const PLAYERS: i64 = 500;

#[derive(Debug, Deserialize)]
pub(super) struct Query {
    after: Option<String>,
}

pub(super) async fn show(
    visitor: Visitor,
    query: web::Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    // What is no player's id chooses nobody.
    let chosen = query.iter().filter(|(field, _)| field == "who").filter_map(|(_, id)| id.parse().ok());
    let chosen: BTreeSet<PlayerId> = chosen.collect();
    page(&visitor, Some(chosen).filter(|chosen| !chosen.is_empty()), None).await
}

async fn page(
    visitor: &Visitor,
    among: Option<BTreeSet<PlayerId>>,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let is_choice = among.is_some();
    let screen = desk.treasury(&actor, among).await?;
    let t = visitor.t;
    let (title, tab) = (t.get("treasury-title"), Some(Tab::Ledger));
    let (frame, status) = match problem {
        None => (visitor.frame(&title, tab), StatusCode::OK),
        Some(problem) => (visitor.frame_about(&title, tab, problem), visitor::status(problem)),
    };
    let players = desk.active_players(PLAYERS).await?;
    let currencies = visitor.settings().currencies;
    let page = Treasury {
        t,
        frame,
        books: books(visitor, HERE),
        is_choice,
        money: screen.money.iter().map(|money| money_of_club(&t, money)).collect(),
        due: screen.due.iter().map(|due| due_in_currency(&t, &screen, due)).collect(),
        waiting: screen.waiting.iter().map(|entry| line(visitor, &screen.names, entry)).collect(),
        recent: screen.recent.iter().map(|entry| line(visitor, &screen.names, entry)).collect(),
        closing: closing(visitor, &screen),
        import: visitor.may(Permission::KeepBooks).then_some(importing::HERE),
        forms: RecordForms {
            players: players.iter().map(|player| Choice::player(player, false)).collect(),
            currencies: currencies.as_slice().iter().map(Currency::to_string).collect(),
            today: screen.today.to_string(),
            keys: [(); 6].map(|()| key()),
        },
    };
    visitor::html(status, page.render())
}

/// A key for a form.
pub(super) fn key() -> String {
    Uuid::now_v7().to_string()
}

fn money_of_club(t: &Locale, club: &ClubStanding) -> MoneyOfClub {
    let ClubMoney { currency, drawer, bank } = club.money;
    let unit = Unit::Money(currency);
    let text = |sum: i64| how_much_signed(t, unit, sum);
    let earned = amount(t, unit, club.earned);
    MoneyOfClub { currency: currency.to_string(), drawer: text(drawer), bank: text(bank), earned, key: key() }
}

/// A sum that is rarely below zero: without a sign unless it is.
pub(super) fn how_much_signed(t: &Locale, unit: Unit, sum: i64) -> String {
    if sum < 0 { amount(t, unit, sum).text } else { how_much(t, unit, sum) }
}

fn due_in_currency(t: &Locale, screen: &TreasuryScreen, due: &Due) -> DueInCurrency {
    let unit = Unit::Money(due.currency);
    let sum = |of: &dyn Fn(i64) -> bool| -> i64 { due.balances.values().filter(|sum| of(**sum)).sum() };
    let name = |player: PlayerId| match player {
        THE_CLUB => String::new(),
        player => screen.names.get(&player).cloned().unwrap_or_default(),
    };
    let mut players: Vec<(PlayerId, i64)> =
        due.balances.iter().map(|(player, sum)| (*player, *sum)).collect();
    players.sort_by_key(|(player, sum)| (*sum, name(*player)));
    let payment = |Payment { payer, payee, amount }: &Payment| {
        let (payee_id, payer, payee) = (payee, name(*payer), name(*payee));
        let club = t.get("treasury-club-name");
        let side = |name: &str| if name.is_empty() { club.clone() } else { name.to_owned() };
        DuePayment {
            what: sentence(&t.fill("treasury-pays", &[("payer", &side(&payer)), ("payee", &side(&payee))])),
            how_much: how_much(t, unit, *amount),
            amount: t.typed(amount.unsigned_abs(), due.currency),
            transfer: transfer(t, screen.creditors.get(payee_id), due.currency, *amount, &payer),
            payer,
            payee,
            key: key(),
        }
    };
    DueInCurrency {
        currency: due.currency.to_string(),
        owe: how_much(t, unit, -sum(&|sum| sum < 0)),
        owed: how_much(t, unit, sum(&|sum| sum > 0)),
        payments: due.settling.payments.iter().map(payment).collect(),
        players: players
            .into_iter()
            .map(|(player, sum)| DuePlayer {
                id: player.to_string(),
                name: name(player),
                link: format!("/ledger/{player}?unit={}", due.currency),
                balance: amount(t, unit, sum),
            })
            .collect(),
    }
}

/// How a payment is made by bank, if the creditor has an account on file. `payer` is the name of who pays, empty for the
/// club.
pub(super) fn transfer(
    t: &Locale,
    creditor: Option<&Creditor>,
    currency: Currency,
    amount: i64,
    payer: &str,
) -> Option<Transfer> {
    let creditor = creditor?;
    let books = t.get("due-remittance");
    let remittance = if payer.is_empty() { books } else { format!("{payer}, {books}") };
    let code = creditor.transfer_code(currency, amount, &remittance);
    Some(Transfer { iban: creditor.iban.printed(), code: code.map(|code| qr_code(&code)) })
}

fn closing(visitor: &Visitor, screen: &TreasuryScreen) -> ClosingPart {
    let t = &visitor.t;
    let Closing(closed) = screen.closing;
    // Without a closed month the last twelve are offered, the newest first.
    let newest = Month::of(screen.today).previous();
    let mut month = newest;
    let mut next = Vec::new();
    let first = screen.closing.first_open();
    while next.len() < MONTHS && first.is_none_or(|first| month >= first) {
        next.push(Choice::new(month.to_string(), t.month_of(month.first_day()), next.is_empty()));
        month = month.previous();
    }
    ClosingPart {
        closed: closed.map(|month| t.month_of(month.first_day())),
        next: if visitor.may(Permission::KeepBooks) { next } else { Vec::new() },
        reopen: closed.filter(|_| visitor.may(Permission::ReopenBooks)).map(|month| month.to_string()),
        key: key(),
    }
}

type NamesOf = std::collections::BTreeMap<PlayerId, String>;

fn line(visitor: &Visitor, names: &NamesOf, ShownEntry { number, entry, .. }: &ShownEntry) -> DaybookLine {
    let t = &visitor.t;
    let own = visitor.principal.map(|principal| principal.account);
    let keeps = visitor.may(Permission::KeepBooks);
    let (status, proposed_by) = match entry.status {
        Status::Posted => (None, None),
        Status::Proposed(by) => (Some(t.get("daybook-proposed")), Some(by)),
        Status::TakingBack(by) => (Some(t.get("daybook-taking-back")), Some(by)),
        Status::Declined => (Some(t.get("daybook-declined")), None),
        Status::TakenBack => (Some(t.get("daybook-taken-back")), None),
    };
    DaybookLine {
        number: *number,
        day: t.day(entry.recorded.on),
        what: sentence(&what(t, names, &entry.recorded.what)),
        amount: sum(t, &entry.recorded.what),
        memo: entry.recorded.memo.as_ref().map(ToString::to_string).unwrap_or_default(),
        status,
        reason: entry.ended.as_ref().map(|(reason, _)| reason.to_string()),
        ended: matches!(entry.status, Status::Declined | Status::TakenBack),
        may_take_back: keeps && entry.status == Status::Posted,
        may_approve: keeps && proposed_by.is_some_and(|by| own != Some(by)),
        may_decline: keeps && proposed_by.is_some(),
        key: key(),
    }
}

/// A text as a sentence begins.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What was recorded, in words.
fn what(t: &Locale, names: &NamesOf, record: &Record) -> String {
    let name = |holder: &Holder| match holder {
        Holder::House => t.get("treasury-club-name"),
        Holder::Player(_)
        | Holder::Pool(_)
        | Holder::Bank
        | Holder::Opening
        | Holder::Rounding
        | Holder::Outside => other_side(t, names, *holder),
    };
    let with_means = |text: String, means: Means| match means {
        Means::Cash => text,
        Means::Bank => t.with("daybook-by-bank", "what", text),
    };
    match record {
        Record::Payment { payer, payee, means, .. } => {
            let text = t.fill("treasury-pays", &[("payer", &name(payer)), ("payee", &name(payee))]);
            with_means(text, *means)
        }
        Record::Fee { players, fee, .. } => {
            let fee = match fee {
                owlbox_domain::daybook::FeeKind::Membership => t.get("line-membership"),
                owlbox_domain::daybook::FeeKind::TableMoney => t.get("line-table-money"),
                owlbox_domain::daybook::FeeKind::Other => t.get("line-other-fee"),
            };
            let who: Vec<String> = players.iter().map(|player| name(&Holder::Player(*player))).collect();
            let who: Vec<&str> = who.iter().map(String::as_str).collect();
            format!("{}: {}", t.list(&who), fee)
        }
        Record::OpeningBalances { balances } if balances.len() > NAMED => {
            t.count("daybook-standings", &balances.len())
        }
        Record::OpeningBalances { balances } => {
            let mut who: Vec<String> = Vec::new();
            for one in balances.iter().map(|balance| name(&balance.holder)) {
                // Once, in however many units.
                if !who.contains(&one) {
                    who.push(one);
                }
            }
            let who: Vec<&str> = who.iter().map(String::as_str).collect();
            format!("{}: {}", t.list(&who), t.get("line-opening"))
        }
        Record::PastGames { games } => t.count("daybook-past-games", &games.len()),
        Record::Adjustment { from, to, .. } => {
            t.fill("daybook-adjusted", &[("from", &name(from)), ("to", &name(to))])
        }
        Record::Expense { means, .. } => with_means(t.get("line-expense"), *means),
        Record::Income { means, .. } => with_means(t.get("line-income"), *means),
        Record::Deposit { way: Way::ToBank, .. } => t.get("treasury-to-bank"),
        Record::Deposit { way: Way::FromBank, .. } => t.get("treasury-from-bank"),
        Record::Count { currency, counted, expected } => {
            let unit = Unit::Money(*currency);
            let counted = how_much(t, unit, *counted);
            t.fill(
                "daybook-counted",
                &[("counted", &counted), ("expected", &how_much_signed(t, unit, *expected))],
            )
        }
    }
}

/// What a record moves, in words.
fn sum(t: &Locale, record: &Record) -> String {
    let money = |currency: &Currency, sum: i64| how_much(t, Unit::Money(*currency), sum);
    match record {
        Record::Payment { currency, amount, .. }
        | Record::Expense { currency, amount, .. }
        | Record::Income { currency, amount, .. }
        | Record::Deposit { currency, amount, .. } => money(currency, *amount),
        Record::Fee { players, currency, amount, .. } => match players.len() {
            1 => money(currency, *amount),
            many => format!("{many} × {}", money(currency, *amount)),
        },
        Record::OpeningBalances { balances } => match balances.as_slice() {
            [only] => amount(t, only.unit, only.amount).text,
            _ => String::new(),
        },
        Record::PastGames { .. } => String::new(),
        Record::Adjustment { unit, amount, .. } => how_much(t, *unit, *amount),
        Record::Count { currency, counted, expected } => {
            amount(t, Unit::Money(*currency), counted - expected).text
        }
    }
}

/// The daybook, page by page.
pub(super) async fn daybook(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let before = paging::cursor(query.after.as_deref())?;
    let read = desk.daybook_page(&actor, before, RECORDS + 1).await?;
    let players = read.entries.iter().flat_map(|shown| shown.entry.recorded.what.players());
    let names = desk.names(players.collect()).await?;
    let shown = read.entries.get(..RECORDS).unwrap_or(&read.entries);
    let more = read.entries.len() > RECORDS;
    let last = shown.last().filter(|_| more).map(|entry| entry.number);
    let page = DaybookPage {
        t: visitor.t,
        frame: visitor.frame(&visitor.t.get("daybook-title"), Some(Tab::Ledger)),
        books: books(&visitor, DAYBOOK),
        lines: shown.iter().map(|entry| line(&visitor, &names, entry)).collect(),
        next: last.map(|last| format!("{DAYBOOK}?after={last}")),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// Records what a form says.
pub(super) async fn record(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    match recorded(&visitor, &form).await {
        Ok(()) => Ok(redirect(&format!("{HERE}?saved"))),
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => {
            let page = page(&visitor, None, Some(&problem)).await?;
            Ok(form.kept_in(page, DAYBOOK, &problem, &visitor))
        }
    }
}

async fn recorded(visitor: &Visitor, form: &Form) -> Result<(), Problem> {
    let actor = visitor.actor()?;
    let order = order(visitor, form).await?;
    let idempotency = form.idempotency(DAYBOOK, &form.choices())?;
    visitor.service.desk.note(Request { idempotency, ..Request::by(actor) }, order).await?;
    Ok(())
}

/// The order that a form gives.
async fn order(visitor: &Visitor, form: &Form) -> Result<Order, Problem> {
    let entry = || form.text("entry").parse::<u32>().map_err(|_| malformed("a record has a number"));
    let (t, on) = (&visitor.t, day(form)?);
    let means = if form.ticked("means") { Means::Bank } else { Means::Cash };
    let memo = || form.optional("memo");
    Ok(match form.text("command") {
        "approve" => Order::Approve { entry: entry()? },
        "decline" => Order::Decline { entry: entry()?, reason: form.value("reason")? },
        "take_back" => Order::TakeBack { entry: entry()?, reason: form.value("reason")? },
        "close_month" => Order::CloseMonth { month: form.value("month")? },
        "reopen_month" => Order::ReopenMonth { month: form.value("month")?, reason: form.value("reason")? },
        "count" => {
            let currency = currency(form)?;
            let counted = amounts::typed(t, "counted", form.text("counted"), Unit::Money(currency))?;
            Order::Count { currency, counted, memo: memo()? }
        }
        "pay" => {
            let currency = currency(form)?;
            Order::Pay {
                payer: party(visitor, form, "payer").await?,
                payee: party(visitor, form, "payee").await?,
                currency,
                amount: money(t, form, currency)?,
                means,
                on,
                memo: memo()?,
            }
        }
        "charge" => {
            let currency = currency(form)?;
            let players: Vec<PlayerId> = form.all("players").map(word).collect::<Result<_, _>>()?;
            let fee = form.word("fee")?.ok_or_else(|| malformed("a fee has a kind"))?;
            Order::Charge { players, fee, currency, amount: money(t, form, currency)?, on, memo: memo()? }
        }
        "spend" | "receive" => {
            let currency = currency(form)?;
            let (amount, memo) = (money(t, form, currency)?, form.value("memo")?);
            if form.text("command") == "spend" {
                Order::Spend { currency, amount, means, on, memo }
            } else {
                Order::Receive { currency, amount, means, on, memo }
            }
        }
        "deposit" => {
            let currency = currency(form)?;
            let way: Way = form.word("way")?.ok_or_else(|| malformed("a deposit goes one way"))?;
            Order::Deposit { currency, amount: money(t, form, currency)?, way, on, memo: memo()? }
        }
        "adjust" => {
            let unit = unit(form)?;
            Order::Adjust {
                from: party(visitor, form, "from").await?,
                to: party(visitor, form, "to").await?,
                unit,
                amount: sum_in(t, form, unit)?,
                on,
                memo: form.value("memo")?,
            }
        }
        "open_balances" => {
            let unit = unit(form)?;
            let typed = form.text("amount");
            let amount = typed::amount(typed, unit, t.writing())
                .map_err(|unread| Problem::unread("amount", unread))?;
            // A balance that was copied from a page brings its sign with it.
            let amount = if form.text("sign") == "owes" { -amount.abs() } else { amount };
            if amount == 0 || Sum::try_from(amount.abs()).is_err() {
                return Err(Problem::unread("amount", Unread::Unreadable));
            }
            let holder = party(visitor, form, "holder").await?;
            let balances = vec![OpeningBalance { holder, unit, amount }];
            Order::OpenBalances { balances, on, memo: memo()? }
        }
        _ => return Err(malformed("no page gives this command")),
    })
}

/// The day that was typed, if any was.
pub(super) fn day(form: &Form) -> Result<Option<NaiveDate>, Problem> {
    let Some(typed) = form.some("on") else { return Ok(None) };
    let day = typed.parse::<NaiveDate>().ok().and_then(|day| Day::try_from(day).ok());
    Ok(Some(day.ok_or_else(|| Problem::unreadable("on", "a day like 2026-11-26"))?.date()))
}

fn currency(form: &Form) -> Result<Currency, Problem> {
    form.text("currency").parse().map_err(|error: InvalidValue| invalid("currency", &error))
}

/// Points, or a currency.
fn unit(form: &Form) -> Result<Unit, Problem> {
    form.text("currency").parse().map_err(|error: InvalidValue| invalid("currency", &error))
}

fn money(t: &Locale, form: &Form, currency: Currency) -> Result<Sum, Problem> {
    sum_in(t, form, Unit::Money(currency))
}

fn sum_in(t: &Locale, form: &Form, unit: Unit) -> Result<Sum, Problem> {
    let amount = amounts::typed(t, "amount", form.text("amount"), unit)?;
    Sum::try_from(amount).map_err(|_| Problem::unread("amount", Unread::Unreadable))
}

/// The player of this name, or the club if none was typed.
async fn party(visitor: &Visitor, form: &Form, field: &'static str) -> Result<Holder, Problem> {
    let Some(typed) = form.some(field) else { return Ok(Holder::House) };
    let name: PlayerName = typed.parse().map_err(|error| invalid(field, &error))?;
    match visitor.service.desk.player_named(&name).await? {
        Some(player) => Ok(player.into()),
        None => {
            let detail = format!("nobody is called {name}");
            Err(Problem::from(Refused::rule(Code::UnknownPlayer, Some(field), detail)))
        }
    }
}
