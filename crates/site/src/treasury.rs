//! The treasurer's pages: what is due, the drawer, records and the closing of months.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::amounts::{self, amount, how_much};
use super::days;
use super::form::{Form, Object, decoded, invalid, malformed};
use super::importing;
use super::ledger::{books, other_side};
use super::naming;
use super::visitor::{self, Visitor, redirect};
use crate::pages::fields::Fields;
use crate::pages::sorted::address;
use crate::pages::{
    Choice, ClosingPart, DaybookLine, DaybookPage, DueInCurrency, DuePayment, DuePlayer, MoneyOfClub,
    RecordForms, Tab, Transfer, Treasury, qr_code,
};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{Currency, Holder, PlayerId};
use owlbox_books::daybook::{Closing, Means, Month, Order, Record, Status, Way};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::{self, Unread};
use owlbox_desk::Request;
use owlbox_desk::daybook::{ClubMoney, ShownEntry};
use owlbox_desk::players::called;
use owlbox_desk::treasury::{Behind, ClubStanding, Creditor, Debtor, DueAsked, DuePart, TreasuryScreen};
use owlbox_http::paging;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;

pub(super) const HERE: &str = "/ledger/treasury";
pub(super) const DAYBOOK: &str = "/ledger/daybook";
/// Records on a page of the daybook.
const RECORDS: usize = 50;
/// The most months offered for closing.
const MONTHS: usize = 12;
/// The most standings of one record whose players are named.
const NAMED: usize = 20;

#[derive(Debug, Deserialize)]
pub(super) struct Query {
    after: Option<String>,
}

pub(super) async fn show(
    visitor: Visitor,
    query: web::Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    page(&visitor, asked(&query), None).await
}

/// What the address asks for of what is due. What is no player's id chooses nobody, and what is no place begins the lists.
fn asked(query: &[(String, String)]) -> DueAsked {
    let field = |name: &str| query.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let chosen = query.iter().filter(|(field, _)| field == "who").filter_map(|(_, id)| id.parse().ok());
    let chosen: BTreeSet<PlayerId> = chosen.collect();
    let person = || Some(Behind::Person(field("after")?.parse().ok()?));
    let payment = || {
        let (payer, payee) = field("paid_after")?.split_once('.')?;
        Some(Behind::Payment { payer: payer.parse().ok()?, payee: payee.parse().ok()? })
    };
    let currency = field("of").and_then(|currency| currency.parse().ok());
    DueAsked {
        among: Some(chosen).filter(|chosen| !chosen.is_empty()),
        behind: currency.zip(person().or_else(payment)),
    }
}

/// The address where a list of a currency goes on.
fn goes_on(asked: &DueAsked, currency: Currency, field: &'static str, last: String) -> String {
    let chosen = asked.among.iter().flatten().map(|player| ("who", player.to_string()));
    let place = [("of", currency.to_string()), (field, last)];
    let fields: Vec<_> = chosen.chain(place).collect();
    format!("{}#due-{currency}", address(HERE, &fields))
}

async fn page(
    visitor: &Visitor,
    asked: DueAsked,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let screen = desk.treasury(&actor, asked.clone()).await?;
    let t = visitor.t;
    let (title, tab) = (t.get("treasury-title"), Some(Tab::Ledger));
    let (frame, status) = match problem {
        None => (visitor.frame(&title, tab), StatusCode::OK),
        Some(problem) => (visitor.frame_about(&title, tab, problem), visitor::status(problem)),
    };
    let page = Treasury {
        t,
        frame,
        books: books(visitor, HERE),
        is_choice: asked.among.is_some(),
        money: screen.money.iter().map(|money| money_of_club(&t, money)).collect(),
        due: screen.due.iter().map(|due| due_in_currency(&t, &screen, due, &asked)).collect(),
        waiting: screen.waiting.iter().map(|entry| line(visitor, &screen.names, entry)).collect(),
        recent: screen.recent.iter().map(|entry| line(visitor, &screen.names, entry)).collect(),
        closing: closing(visitor, &screen),
        import: visitor.may(Permission::KeepBooks).then_some(importing::HERE),
        forms: RecordForms {
            players: screen.players.iter().map(|player| Choice::player(player, false)).collect(),
            currencies: screen.currencies.as_slice().iter().map(Currency::to_string).collect(),
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

fn due_in_currency(t: &Locale, screen: &TreasuryScreen, due: &DuePart, asked: &DueAsked) -> DueInCurrency {
    let unit = Unit::Money(due.currency);
    let further = asked.behind.filter(|(currency, _)| *currency == due.currency);
    let last_paid = due.payments.last().filter(|_| due.more_payments);
    let last_listed = due.people.last().filter(|_| due.more_people);
    let payment = |payment: &owlbox_desk::treasury::DuePayment| {
        let (payer, amount) = (payment.payer.player(), payment.amount);
        let payer = payer.map(|payer| called(&screen.names, payer));
        let creditor = screen.creditors.get(&payment.payee);
        DuePayment {
            what: payment_in_words(t, &screen.names, payment.payer, payment.payee),
            how_much: how_much(t, unit, amount),
            amount: t.typed(amount.unsigned_abs(), due.currency),
            transfer: transfer(t, creditor, due.currency, amount, payer.as_deref()),
            with_club: [payment.payer, payment.payee].contains(&Holder::House),
            fields: with_party(with_party(Fields::default(), "payer", payment.payer), "payee", payment.payee),
            key: key(),
        }
    };
    DueInCurrency {
        currency: due.currency.to_string(),
        owe: how_much(t, unit, due.owe),
        owed: how_much(t, unit, due.owed),
        more_payments: last_paid.map(|paid| {
            let last = format!("{}.{}", paid.payer.id(), paid.payee.id());
            goes_on(asked, due.currency, "paid_after", last)
        }),
        more_players: last_listed.map(|last| goes_on(asked, due.currency, "after", last.player.to_string())),
        is_further: matches!(further, Some((_, Behind::Person(_)))),
        payments: due.payments.iter().map(payment).collect(),
        players: due
            .people
            .iter()
            .map(|Debtor { player, balance, chosen }| DuePlayer {
                id: player.to_string(),
                name: called(&screen.names, *player),
                link: format!("/ledger/{player}?unit={}", due.currency),
                balance: amount(t, unit, *balance),
                chosen: *chosen,
            })
            .collect(),
    }
}

/// The fields with a party to a payment, who is known by id. A field that is only called `part` is a typed name.
fn with_party(fields: Fields, part: &str, party: Holder) -> Fields {
    match party.player() {
        Some(player) => fields.with(&format!("{part}[player]"), &player),
        None => fields.with_text(part, party.kind().name()),
    }
}

/// Who pays whom, as a sentence.
pub(super) fn payment_in_words(t: &Locale, names: &NamesOf, payer: Holder, payee: Holder) -> String {
    let [payer, payee] = [payer, payee].map(|party| party_name(t, names, party));
    sentence(&t.fill("treasury-pays", &[("payer", &payer), ("payee", &payee)]))
}

/// What a party is called in a sentence.
fn party_name(t: &Locale, names: &NamesOf, party: Holder) -> String {
    if party == Holder::House { t.get("treasury-club-name") } else { other_side(t, names, party) }
}

/// How a payment is made by bank, if the creditor has an account on file. `payer` is the name of who pays, unless it is
/// the club.
pub(super) fn transfer(
    t: &Locale,
    creditor: Option<&Creditor>,
    currency: Currency,
    amount: i64,
    payer: Option<&str>,
) -> Option<Transfer> {
    let creditor = creditor?;
    let books = t.get("due-remittance");
    let remittance = payer.map_or_else(|| books.clone(), |payer| format!("{payer}, {books}"));
    let code = creditor.transfer_code(currency, amount, &remittance);
    let needs_bic = currency == Currency::EURO && !creditor.iban.is_in_economic_area();
    Some(Transfer { iban: creditor.iban.printed(), code: code.map(|code| qr_code(&code)), needs_bic })
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

type NamesOf = BTreeMap<PlayerId, String>;

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
    let name = |holder: &Holder| party_name(t, names, *holder);
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
                owlbox_books::daybook::FeeKind::Membership => t.get("line-membership"),
                owlbox_books::daybook::FeeKind::TableMoney => t.get("line-table-money"),
                owlbox_books::daybook::FeeKind::Other => t.get("line-other-fee"),
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
    let shown = read.entries.get(..RECORDS).unwrap_or(&read.entries);
    let more = read.entries.len() > RECORDS;
    let last = shown.last().filter(|_| more).map(|entry| entry.number);
    let page = DaybookPage {
        t: visitor.t,
        frame: visitor.frame(&visitor.t.get("daybook-title"), Some(Tab::Ledger)),
        books: books(&visitor, DAYBOOK),
        lines: shown.iter().map(|entry| line(&visitor, &read.names, entry)).collect(),
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
            let page = page(&visitor, DueAsked::default(), Some(&problem)).await?;
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

/// The order that a form gives: its fields are those of the API's body, with what people type for names and amounts.
async fn order(visitor: &Visitor, form: &Form) -> Result<Order, Problem> {
    let (t, mut command) = (&visitor.t, form.command()?);
    for field in ["payer", "payee", "from", "to", "holder"] {
        command.remove(&naming::choice_beside(field));
        // What is typed is a name, and what was left empty the club, as the field says. Ids are parts of the field.
        if form.ticked(field) {
            let player = naming::known_player(visitor, form, field).await?;
            let party = player.map_or(Holder::House, Holder::Player);
            command.insert(field.to_owned(), json!(party));
        }
    }
    if let Some(on) = day(t, form)? {
        command.insert("on".to_owned(), json!(on));
    }
    match form.text("command") {
        "approve" | "decline" | "take_back" => {
            let entry = form.text("entry").parse::<u32>().map_err(|_| malformed("a record has a number"))?;
            command.insert("entry".to_owned(), json!(entry));
        }
        "charge" => {
            let players: Vec<&str> = form.all("players").collect();
            command.insert("players".to_owned(), json!(players));
            put_amount(t, form, &mut command, "amount")?;
        }
        "count" => put_amount(t, form, &mut command, "counted")?,
        // The page says `currency` where there are points to choose as well.
        "adjust" => {
            put_amount(t, form, &mut command, "amount")?;
            let unit = command.remove("currency");
            command.extend(unit.map(|unit| ("unit".to_owned(), unit)));
        }
        "open_balances" => put_balance(t, form, &mut command)?,
        _ if form.ticked("amount") => put_amount(t, form, &mut command, "amount")?,
        _ => {}
    }
    decoded(command)
}

/// Puts an amount in units of its currency, or in half points, in place of what was typed.
fn put_amount(t: &Locale, form: &Form, command: &mut Object, field: &'static str) -> Result<(), Problem> {
    let amount = amounts::typed(t, field, form.text(field), unit(form)?)?;
    command.insert(field.to_owned(), json!(amount));
    Ok(())
}

/// Makes the parts of a balance, which a form has one of, a list.
fn put_balance(t: &Locale, form: &Form, command: &mut Object) -> Result<(), Problem> {
    let unit = unit(form)?;
    let amount = typed::amount(form.text("amount"), unit, t.writing())
        .map_err(|unread| Problem::unread("amount", unread))?;
    // A balance that was copied from a page brings its sign with it.
    let amount = if form.text("sign") == "owes" { -amount.abs() } else { amount };
    if amount == 0 {
        return Err(Problem::unread("amount", Unread::Unreadable));
    }
    let mut balance: Object = command.remove_entry("holder").into_iter().collect();
    balance.extend([("unit".to_owned(), json!(unit)), ("amount".to_owned(), json!(amount))]);
    for field in ["sign", "currency", "amount"] {
        command.remove(field);
    }
    command.insert("balances".to_owned(), json!([balance]));
    Ok(())
}

/// Points, or a currency.
fn unit(form: &Form) -> Result<Unit, Problem> {
    form.text("currency").parse().map_err(|error| invalid("currency", &error))
}

/// The day that was typed, if any was.
pub(super) fn day(t: &Locale, form: &Form) -> Result<Option<NaiveDate>, Problem> {
    form.some("on").map(|typed| days::day(t, "on", typed)).transpose()
}
