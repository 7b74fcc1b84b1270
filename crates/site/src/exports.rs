//! The page with the books as files for other programs. The files themselves are the API's.

use actix_web::HttpResponse;
use askama::Template as _;

use super::days::AskedDays;
use super::income::{periods, typed};
use super::ledger::books;
use super::visitor::Visitor;
use crate::pages::sorted::address;
use crate::pages::{ExportFile, ExportsPage, Tab};
use owlbox_base::permissions::Permission;
use owlbox_books::ledger::export::Format;
use owlbox_desk::books::income::Period;
use owlbox_http::problem::Problem;
use owlbox_locale::spreadsheet;

const HERE: &str = "/ledger/exports";

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewAnyLedger)?;
    let (t, days) = (visitor.t, AskedDays::of(&visitor));
    let period = Period { from: days.from, until: days.until }.in_order()?;
    let today = visitor.settings().night_of(visitor.service.desk.now());
    let file = |format: Format| {
        let asked = match format {
            Format::Csv => spreadsheet::asked(&t).to_vec(),
            Format::Hledger | Format::Beancount | Format::GnucashAccounts | Format::Gnucash => {
                vec![("format", format.name().to_owned())]
            }
        };
        let asked: Vec<_> = asked.into_iter().chain(typed(period)).collect();
        ExportFile::new(&t, format, address("/api/v1/ledger/export", &asked))
    };
    let [(_, from), (_, until)] = typed(period);
    let page = ExportsPage {
        t,
        frame: days.frame(&visitor, &t.get("exports-title"), Tab::Ledger),
        books: books(&visitor, HERE),
        periods: periods(&t, today, period, HERE),
        days: [from, until],
        files: Format::ALL.map(file).to_vec(),
    };
    days.answer(&visitor, page.render())
}
