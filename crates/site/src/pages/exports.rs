//! The books as files for other programs, for the club's treasurer.

use askama::Template;

use super::frame::Frame;
use owlbox_books::ledger::export::Format;
use owlbox_locale::Locale;

/// `/ledger/exports?from=&until=`
#[derive(Debug, Template)]
#[template(path = "exports.html")]
pub struct ExportsPage {
    pub t: Locale,
    pub frame: Frame,
    /// Links to the ledgers of the club: label, address, and whether it is this page.
    pub books: Vec<(String, String, bool)>,
    /// Links to periods: label, address, and whether it is the present one.
    pub periods: Vec<(String, String, bool)>,
    /// The first and the last day of the period, as typed.
    pub days: [String; 2],
    pub files: Vec<ExportFile>,
}

/// A file to download.
#[derive(Clone, Debug)]
pub struct ExportFile {
    /// The program that reads it, by name.
    pub program: String,
    /// What it is, in a sentence.
    pub about: String,
    /// The name it is saved under.
    pub file: &'static str,
    pub link: String,
}

impl ExportFile {
    #[must_use]
    pub fn new(t: &Locale, format: Format, link: String) -> Self {
        let (program, about) = match format {
            Format::Hledger => ("exports-hledger", "exports-hledger-about"),
            Format::Beancount => ("exports-beancount", "exports-beancount-about"),
            Format::GnucashAccounts => ("exports-gnucash-accounts", "exports-gnucash-accounts-about"),
            Format::Gnucash => ("exports-gnucash", "exports-gnucash-about"),
            Format::Csv => ("exports-csv", "exports-csv-about"),
        };
        Self { program: t.get(program), about: t.get(about), file: format.file(), link }
    }
}
