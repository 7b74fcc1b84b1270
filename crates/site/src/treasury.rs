//! The treasurer's pages: what is due, the drawer, records and the closing of months.

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::{Value, json};

use super::amounts;
use super::books::{DAYBOOK, TREASURY, books};
use super::days;
use super::form::{Form, Object, decoded, invalid};
use super::naming;
use super::refused::Filled;
use super::say::Say;
use super::visitor::{Visitor, redirect};
use crate::pages::{ChipLink, Frame, Tab, qr_code};
use owlbox_base::values::{Currency, Holder, PlayerId};
use owlbox_books::daybook::{DaybookCommand, Month};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::{self, InputError};
use owlbox_desk::Request;
use owlbox_desk::books::daybook::{EntryStatus, Proposal, ShownEntry};
use owlbox_desk::books::treasury::{BankAccount, Behind, DueOptions, DuePart, DuePayment, TreasuryScreen};
use owlbox_http::paging;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::url::address;

/// Records on a page of the daybook.
const RECORDS: usize = 50;
/// The most months offered for closing.
const MONTHS: usize = 12;

#[derive(Debug, Deserialize)]
pub(super) struct Query {
    after: Option<String>,
}

pub(super) async fn show(
    visitor: Visitor,
    query: web::Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    page(&visitor, asked(&query)).await
}

/// What the address asks for of what is due. What is no player's id chooses nobody, and what is no place
/// begins the lists.
fn asked(query: &[(String, String)]) -> DueOptions {
    let field = |name: &str| query.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let chosen = query.iter().filter(|(field, _)| field == "who").filter_map(|(_, id)| id.parse().ok());
    let chosen: BTreeSet<PlayerId> = chosen.collect();
    let person = || Some(Behind::Person(field("after")?.parse().ok()?));
    let payment = || {
        let (payer, payee) = field("paid_after")?.split_once('.')?;
        Some(Behind::Payment { payer: payer.parse().ok()?, payee: payee.parse().ok()? })
    };
    let currency = field("of").and_then(|currency| currency.parse().ok());
    DueOptions {
        among: Some(chosen).filter(|chosen| !chosen.is_empty()),
        behind: currency.zip(person().or_else(payment)),
    }
}

/// The address where a list of a currency goes on.
fn goes_on(asked: &DueOptions, currency: Currency, field: &'static str, last: String) -> String {
    let chosen = asked.among.iter().flatten().map(|player| ("who", player.to_string()));
    let place = [("of", currency.to_string()), (field, last)];
    let fields: Vec<_> = chosen.chain(place).collect();
    format!("{}#due-{currency}", address(TREASURY, &fields))
}

/// `/ledger/treasury`
#[derive(Template)]
#[template(path = "treasury.html")]
pub(super) struct TreasuryPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    /// Links to the ledgers of the club.
    pub books: Vec<ChipLink>,
    pub screen: &'a TreasuryScreen,
    pub asked: DueOptions,
}

impl TreasuryPage<'_> {
    /// The page with the next payments.
    fn more_payments(&self, due: &DuePart) -> Option<String> {
        let last = due.payments.last().filter(|_| due.more_payments)?;
        let last = format!("{}.{}", last.payer.id(), last.payee.id());
        Some(goes_on(&self.asked, due.currency, "paid_after", last))
    }

    /// The page with the next people.
    fn more_people(&self, due: &DuePart) -> Option<String> {
        let last = due.people.last().filter(|_| due.more_people)?;
        Some(goes_on(&self.asked, due.currency, "after", last.player.to_string()))
    }

    /// Whether the page is about these people: some were chosen, or it goes on with others.
    fn is_about_people(&self, due: &DuePart) -> bool {
        let goes_on = matches!(self.asked.behind, Some((of, Behind::Person(_))) if of == due.currency);
        self.asked.among.is_some() || goes_on
    }

    /// The form that marks a payment as made.
    fn form_of_payment(&self, due: &DuePart, payment: &DuePayment) -> Filled<'_> {
        let form = self.frame.form(DAYBOOK).sending("command", "pay").sending("currency", due.currency);
        [("payer", payment.payer), ("payee", payment.payee)].into_iter().fold(form, |form, (name, party)| {
            let (below, value) = party_field(&party);
            form.sending(&format!("{name}{below}"), value)
        })
    }

    /// The form for what the club spends or receives.
    fn form_of_outside(&self) -> Filled<'_> {
        let form = self.frame.form(DAYBOOK);
        let spends = form.sending("command", "spend");
        if spends.is_refused() { spends } else { form.sending("command", "receive") }
    }

    /// How a payment is made by bank.
    fn transfer(&self, currency: &Currency, payment: &DuePayment) -> Option<Transfer> {
        let payer = payment.payer.player().map(|payer| self.t.name(&payer));
        let creditor = self.screen.creditors.get(&payment.payee);
        transfer(&self.t, creditor, *currency, payment.amount, payer.as_deref())
    }

    /// The months that can be closed, newest first.
    fn open_months(&self) -> Vec<Month> {
        self.screen.closing.open_months(self.screen.today, MONTHS)
    }
}

/// A party to a payment who is known by id: the end of the field's name, and its value. In a field without
/// that end a name is typed.
fn party_field(party: &Holder) -> (&'static str, String) {
    match party.player() {
        Some(player) => ("[player]", player.to_string()),
        None => (":string", party.kind().name().to_owned()),
    }
}

async fn page(visitor: &Visitor, asked: DueOptions) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let screen = desk.treasury(&actor, asked.clone()).await?;
    let frame = visitor.frame(&visitor.t.get("treasury-title"), Some(Tab::Ledger));
    let t = visitor.say(&screen.names);
    let page = TreasuryPage { t, frame, books: books(visitor, TREASURY), screen: &screen, asked };
    visitor.answer(page.render())
}

/// How something is paid by bank.
pub(super) struct Transfer {
    /// The account to pay to, as it is printed.
    pub iban: String,
    /// The QR code that fills it in, as markup; there is none except for euros.
    pub code: Option<String>,
    /// Whether there is none because the bank of the account needs a BIC.
    pub needs_bic: bool,
}

/// How a payment is made by bank, if the creditor has an account on file. `payer` is the name of who pays,
/// unless it is the club.
pub(super) fn transfer(
    t: &Locale,
    creditor: Option<&BankAccount>,
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

/// `/ledger/daybook`
#[derive(Template)]
#[template(path = "daybook.html")]
pub(super) struct DaybookPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub books: Vec<ChipLink>,
    pub entries: &'a [ShownEntry],
    /// Whether older ones follow.
    pub more: bool,
}

/// The daybook, page by page.
pub(super) async fn daybook(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let before = paging::cursor(query.after.as_deref())?;
    let read = desk.daybook_page(&actor, before, RECORDS + 1).await?;
    let page = DaybookPage {
        t: visitor.say(&read.names),
        frame: visitor.frame(&visitor.t.get("daybook-title"), Some(Tab::Ledger)),
        books: books(&visitor, DAYBOOK),
        entries: read.entries.get(..RECORDS).unwrap_or(&read.entries),
        more: read.entries.len() > RECORDS,
    };
    visitor.answer(page.render())
}

/// Records what a form says.
pub(super) async fn record(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    match recorded(&visitor, &form).await {
        Ok(()) => Ok(redirect(&format!("{TREASURY}?saved"))),
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => page(&visitor.refused(DAYBOOK, &form, &problem), DueOptions::default()).await,
    }
}

async fn recorded(visitor: &Visitor, form: &Form) -> Result<(), Problem> {
    let actor = visitor.actor()?;
    let order = order(visitor, form).await?;
    let idempotency = form.idempotency(DAYBOOK, &form.choices())?;
    visitor.service.desk.record(Request { idempotency, ..Request::by(actor) }, order).await?;
    Ok(())
}

/// The order that a form gives: its fields are those of the API's body, with what people type for names and
/// amounts.
async fn order(visitor: &Visitor, form: &Form) -> Result<DaybookCommand, Problem> {
    let (t, mut command) = (&visitor.t, form.command()?);
    for field in ["payer", "payee", "from", "to", "holder"] {
        command.remove(&naming::choice_beside(field));
        // What is typed is a name, and what was left empty the club, as the field says. Ids are parts of the
        // field.
        if form.ticked(field) {
            let player = naming::known_player(&visitor.service.desk, form, field).await?;
            let party = player.map_or(Holder::House, Holder::Player);
            command.insert(field.to_owned(), json!(party));
        }
    }
    if let Some(on) = day(t, form)? {
        command.insert("on".to_owned(), json!(on));
    }
    for field in ["amount", "counted"].into_iter().filter(|field| form.ticked(field)) {
        put_amount(t, form, &mut command, field)?;
    }
    decoded(command)
}

/// Puts an amount in units of its currency, or in half points, in place of what was typed. What somebody is
/// owed or owes from before is the one balance of a list.
fn put_amount(t: &Locale, form: &Form, command: &mut Object, field: &'static str) -> Result<(), Problem> {
    let Some(Value::String(sign)) = command.remove("sign") else {
        let unit = if form.ticked("unit") { "unit" } else { "currency" };
        let amount = amounts::typed(t, field, form.text(field), unit_of(form, unit)?)?;
        command.insert(field.to_owned(), json!(amount));
        return Ok(());
    };
    let unit = unit_of(form, "unit")?;
    let amount = typed::amount(form.text(field), unit, t.writing())
        .map_err(|unread| Problem::unread(field, unread))?;
    // A balance that was copied from a page brings its sign with it.
    let amount = if sign == "owes" { -amount.abs() } else { amount };
    if amount == 0 {
        return Err(Problem::unread(field, InputError::Unreadable));
    }
    command.insert(field.to_owned(), json!(amount));
    let parts = ["holder", "unit", field].into_iter().filter_map(|part| command.remove_entry(part));
    let balance: Object = parts.collect();
    command.insert("balances".to_owned(), json!([balance]));
    Ok(())
}

/// Points, or a currency.
fn unit_of(form: &Form, field: &'static str) -> Result<Unit, Problem> {
    form.text(field).parse().map_err(|error| invalid(field, &error))
}

/// The day that was typed, if any was.
pub(super) fn day(t: &Locale, form: &Form) -> Result<Option<NaiveDate>, Problem> {
    form.some("on").map(|typed| days::day(t, "on", typed)).transpose()
}
