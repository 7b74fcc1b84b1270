//! The page with the books as files for other programs, for the club's treasurer. The files themselves are
//! the API's.

use actix_web::HttpResponse;
use askama::Template;

use super::books::{EXPORTS, books};
use super::days::AskedDays;
use super::income::AskedPeriod;
use super::visitor::Visitor;
use crate::pages::{ChipLink, Frame, Tab};
use owlbox_base::permissions::Permission;
use owlbox_books::ledger::export::Format;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::spreadsheet;
use owlbox_locale::url::address;

/// `/ledger/exports?from=&until=`
#[derive(Template)]
#[template(path = "exports.html")]
pub(super) struct ExportsPage {
    pub t: Locale,
    pub frame: Frame,
    pub books: Vec<ChipLink>,
    pub asked: AskedPeriod,
}

impl ExportsPage {
    /// The key of the name of the program that reads a file; with `-about` that of a sentence about it.
    fn key(&self, format: &Format) -> &'static str {
        match format {
            Format::Hledger => "exports-hledger",
            Format::Beancount => "exports-beancount",
            Format::GnucashAccounts => "exports-gnucash-accounts",
            Format::Gnucash => "exports-gnucash",
            Format::Csv => "exports-csv",
        }
    }

    /// What a file is, in a sentence.
    fn about(&self, format: &Format) -> String {
        self.t.get(&format!("{}-about", self.key(format)))
    }

    fn link(&self, format: &Format) -> String {
        let asked = match format {
            Format::Csv => spreadsheet::asked(&self.t).to_vec(),
            Format::Hledger | Format::Beancount | Format::GnucashAccounts | Format::Gnucash => {
                vec![("format", format.name().to_owned())]
            }
        };
        let asked: Vec<_> = asked.into_iter().chain(self.asked.typed()).collect();
        address("/api/v1/ledger/export", &asked)
    }
}

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewAnyLedger)?;
    let (days, visitor) = AskedDays::of(visitor);
    let asked = AskedPeriod::of(&visitor, &days, EXPORTS);
    asked.period.in_order()?;
    let frame = visitor.frame(&visitor.t.get("exports-title"), Some(Tab::Ledger));
    let page = ExportsPage { t: visitor.t, frame, books: books(&visitor, EXPORTS), asked };
    visitor.answer(page.render())
}
