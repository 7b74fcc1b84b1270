//! Standings and past games of an old club, from a table: what it comes to, what is wrong, and the button that books it.

use askama::Template;

use super::frame::{Choice, Frame};
use owlbox_locale::{Amount, Locale};

/// `/ledger/import?table=`
#[derive(Debug, Template)]
#[template(path = "import.html")]
pub struct ImportPage {
    pub t: Locale,
    pub frame: Frame,
    /// Links to the ledgers of the club: label, address, and whether it is this page.
    pub books: Vec<(String, String, bool)>,
    /// Links to the kinds of tables: label, address, and whether it is the present one.
    pub tables: Vec<(String, String, bool)>,
    pub form: ImportForm,
    /// What was found in the table, once one was brought.
    pub found: Option<ImportFound>,
}

/// What was brought, to be looked at again.
#[derive(Clone, Debug)]
pub struct ImportForm {
    /// `standings` or `games`.
    pub table: &'static str,
    /// The columns of such a table, in words.
    pub columns: String,
    /// Such a table.
    pub sample: String,
    pub csv: String,
    /// The day of standings; `None` for games.
    pub on: Option<String>,
    pub today: String,
    pub memo: String,
    /// Whether the visitor may add players.
    pub may_add: bool,
    /// Whether they ask for it.
    pub add: bool,
    /// How amounts may be written.
    pub numbers: Vec<Choice>,
    /// How days may be written; `None` for standings, which have none.
    pub days: Option<Vec<Choice>>,
    /// Whether amounts, and whether days, can be two, so that it has to be said how they are written.
    pub ask: [bool; 2],
}

/// What a table comes to.
#[derive(Clone, Debug)]
pub struct ImportFound {
    /// How much it is, or how much of it is wrong.
    pub heading: String,
    /// How many things are wrong. Without any it can be booked.
    pub wrong: usize,
    /// Who would be added, in words.
    pub added: Option<String>,
    /// In order; all that are wrong, and the first of the others.
    pub lines: Vec<ImportLine>,
    /// How many lines are not on show, in words.
    pub more: Option<String>,
    /// Every person with what they come to, in each unit.
    pub sums: Vec<(String, Vec<Amount>)>,
    /// The key of the form that books it.
    pub key: String,
}

/// A line of the table.
#[derive(Clone, Debug)]
pub struct ImportLine {
    /// Its number in the file.
    pub number: u64,
    /// What it says, in words.
    pub what: String,
    pub amounts: Vec<Amount>,
    /// What is wrong with it: where and what stands there, and why it cannot be taken.
    pub wrong: Vec<(String, String)>,
}

impl ImportLine {
    /// A line that cannot be taken.
    #[must_use]
    pub const fn wrong(number: u64, wrong: Vec<(String, String)>) -> Self {
        Self { number, what: String::new(), amounts: Vec::new(), wrong }
    }
}
