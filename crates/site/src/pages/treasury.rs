//! The treasurer's pages: what is due and in the drawer, what was recorded, months to close.

use askama::Template;

use super::fields::Fields;
use super::frame::{Choice, Frame};
use super::ledger::Transfer;
use owlbox_locale::{Amount, Locale};

/// `/ledger/treasury`
#[derive(Debug, Template)]
#[template(path = "treasury.html")]
pub struct Treasury {
    pub t: Locale,
    pub frame: Frame,
    /// Whether what is due is that of some chosen people alone.
    pub is_choice: bool,
    /// Links to the ledgers of the club: label, address, and whether it is this page.
    pub books: Vec<(String, String, bool)>,
    /// Drawer and bank, by currency.
    pub money: Vec<ClubMoney>,
    /// Who owes and who is owed, by currency.
    pub due: Vec<Due>,
    /// What waits for a second person.
    pub waiting: Vec<DaybookLine>,
    /// The newest records.
    pub recent: Vec<DaybookLine>,
    pub closing: ClosingPart,
    /// The page to import an old club's standings and games from, for whoever may.
    pub import: Option<&'static str>,
    /// What is chosen from in the forms.
    pub forms: RecordForms,
}

/// What the club has in one currency.
#[derive(Clone, Debug)]
pub struct ClubMoney {
    pub currency: String,
    /// What should be in the drawer.
    pub drawer: String,
    /// What should be at the bank.
    pub bank: String,
    /// What the club has earned this year.
    pub earned: Amount,
    /// The key of the form with which the drawer is counted.
    pub key: String,
}

/// Open balances of players in one currency.
#[derive(Clone, Debug)]
pub struct Due {
    pub currency: String,
    /// What players owe in all, and what they are owed.
    pub owe: String,
    pub owed: String,
    /// Those chosen, then some of the others.
    pub players: Vec<DuePlayer>,
    /// The page with the next of them.
    pub more_players: Option<String>,
    /// Whether the page is one of them, not the first.
    pub is_further: bool,
    /// Some of the fewest payments after which all of them are even.
    pub payments: Vec<DuePayment>,
    /// The page with the next of them.
    pub more_payments: Option<String>,
}

/// A player whose balance is not even.
#[derive(Clone, Debug)]
pub struct DuePlayer {
    pub id: String,
    pub name: String,
    /// The player's statement in this currency.
    pub link: String,
    pub balance: Amount,
    pub chosen: bool,
}

/// A payment that settles something, ready to be marked as made.
#[derive(Clone, Debug)]
pub struct DuePayment {
    /// Who pays and is paid, by their ids.
    pub fields: Fields,
    /// Whether the club pays or is paid, by cash or by bank.
    pub with_club: bool,
    /// In words: who pays whom.
    pub what: String,
    /// How much, in words.
    pub how_much: String,
    /// How much, as it is typed.
    pub amount: String,
    /// How it is paid by bank, if that can be done.
    pub transfer: Option<Transfer>,
    pub key: String,
}

/// A record of the daybook.
#[derive(Clone, Debug)]
pub struct DaybookLine {
    pub number: u32,
    /// Its day, in words.
    pub day: String,
    /// What it was, in words: `Ada paid the club`.
    pub what: String,
    /// The sum it moves, with its currency; empty if it moves several.
    pub amount: String,
    pub memo: String,
    /// Where it stands, if it is not simply in the books.
    pub status: Option<String>,
    /// Why it was declined or taken back, or is to be taken back.
    pub reason: Option<String>,
    /// Whether it is in the books no more, or never was.
    pub ended: bool,
    /// Whether it can be taken back.
    pub may_take_back: bool,
    /// Whether the viewer may approve it.
    pub may_approve: bool,
    /// Whether it can be declined.
    pub may_decline: bool,
    pub key: String,
}

/// The closing of months.
#[derive(Clone, Debug)]
pub struct ClosingPart {
    /// The month up to which the books are closed, in words; `None` if none is.
    pub closed: Option<String>,
    /// The months that can be closed: value and words.
    pub next: Vec<Choice>,
    /// The closed month as a value, if the viewer may open it again.
    pub reopen: Option<String>,
    pub key: String,
}

/// What the forms offer.
#[derive(Clone, Debug)]
pub struct RecordForms {
    /// The names of all active players.
    pub players: Vec<Choice>,
    pub currencies: Vec<String>,
    /// Today, as an input's value.
    pub today: String,
    /// A key for each form.
    pub keys: [String; 6],
}

/// `/ledger/daybook`
#[derive(Debug, Template)]
#[template(path = "daybook.html")]
pub struct DaybookPage {
    pub t: Locale,
    pub frame: Frame,
    pub books: Vec<(String, String, bool)>,
    pub lines: Vec<DaybookLine>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
}
