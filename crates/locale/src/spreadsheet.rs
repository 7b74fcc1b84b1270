//! The API's tables (CSV) as a reader's spreadsheet opens them: with a byte order mark, without which Excel
//! takes no file for UTF-8, the separator and decimal mark of the reader's language, and headings in words.
//!
//! Ids are left out; half points, hundredths and minor units become points and amounts. What is text stays
//! text: cells that are none of numbers stand in quotation marks, so their shields against formulas stay as
//! well.

use std::fmt::Write as _;

use csv::{ReaderBuilder, StringRecord};

use crate::{Language, Locale};
use owlbox_base::values::Currency;
use owlbox_books::ledger::export::{Decimal, HALF_POINTS};
use owlbox_books::typed;

/// The separator of cells and the decimal mark in a language, as its spreadsheets have them.
#[must_use]
pub const fn marks(language: Language) -> (char, char) {
    let (_, decimal) = typed::marks(language);
    (if decimal == ',' { ';' } else { ',' }, decimal)
}

/// What a page's link asks of the API, so that its reader's spreadsheet opens the answer.
#[must_use]
pub fn asked(t: &Locale) -> [(&'static str, String); 3] {
    let spreadsheet = ("for", "spreadsheet".to_owned());
    [("format", "csv".to_owned()), spreadsheet, ("language", t.language.tag().to_owned())]
}

/// The same as a query.
#[must_use]
pub fn query(t: &Locale) -> String {
    asked(t).map(|(name, value)| format!("{name}={value}")).join("&")
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// An id, which says nothing to a reader.
    Id,
    Text,
    /// `true` or `false`.
    YesNo,
    /// With a decimal point.
    Number,
    HalfPoints,
    Hundredths,
    /// Minor units of this currency, or of the one in the line's `currency`.
    Minor(Option<Currency>),
    /// An amount in the line's `unit`, which is half points or has a decimal point.
    InUnit,
    Unit,
}

#[derive(Debug)]
struct Column {
    kind: Kind,
    heading: String,
}

impl Column {
    fn of(t: &Locale, name: &str, has_unit: bool) -> Self {
        if let Ok(currency) = name.parse::<Currency>() {
            return Self { kind: Kind::Minor(Some(currency)), heading: name.to_owned() };
        }
        let kind = match name {
            "player" | "opponent" | "tournament" | "source_id" | "holder_id" => Kind::Id,
            "guest" => Kind::YesNo,
            "half_points" => Kind::HalfPoints,
            "hundredths" => Kind::Hundredths,
            "unit" => Kind::Unit,
            "amount" | "debit" | "credit" if has_unit => Kind::InUnit,
            "amount" | "balance" => Kind::Number,
            "entry_fees" | "side_pools" | "registration" | "refunds" | "added" | "prize_pool" | "prizes"
            | "kept" | "house" | "in_pools" | "paid_in" | "paid_out" => Kind::Minor(None),
            _ => Kind::Text,
        };
        let heading = match kind {
            Kind::Id => String::new(),
            Kind::Text
            | Kind::YesNo
            | Kind::Number
            | Kind::HalfPoints
            | Kind::Hundredths
            | Kind::Minor(_)
            | Kind::InUnit
            | Kind::Unit => t.get(&format!("csv-{}", name.replace('_', "-"))),
        };
        Self { kind, heading }
    }
}

/// A table on its way to a spreadsheet.
#[derive(Debug)]
pub struct Spreadsheet {
    t: Locale,
    names: StringRecord,
    columns: Vec<Column>,
    /// The beginning of a line whose end has not come yet.
    rest: Vec<u8>,
}

impl Spreadsheet {
    #[must_use]
    pub fn new(t: Locale) -> Self {
        Self { t, names: StringRecord::new(), columns: Vec::new(), rest: Vec::new() }
    }

    /// A whole table.
    #[must_use]
    pub fn table(t: Locale, csv: &str) -> String {
        Self::new(t).lines(csv.as_bytes())
    }

    /// More of the table, as it comes: the lines that are whole by now. No cell goes over the end of its
    /// line.
    pub fn lines(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let end = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let whole: Vec<u8> = self.rest.drain(..end).collect();
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(whole.as_slice());
        let mut text = String::new();
        // What the API writes is in UTF-8.
        for cells in reader.records().filter_map(Result::ok) {
            if self.columns.is_empty() {
                text.push('\u{feff}');
                self.begin(cells, &mut text);
            } else {
                self.line(&cells, &mut text);
            }
        }
        text
    }

    fn begin(&mut self, names: StringRecord, text: &mut String) {
        let has_unit = names.iter().any(|name| name == "unit");
        self.columns = names.iter().map(|name| Column::of(&self.t, name, has_unit)).collect();
        self.names = names;
        let shown = self.columns.iter().filter(|column| !matches!(column.kind, Kind::Id));
        let headings: Vec<String> = shown.map(|column| quoted(&column.heading)).collect();
        self.put(&headings, text);
    }

    fn line(&self, cells: &StringRecord, text: &mut String) {
        let named = |name: &str| {
            let place = self.names.iter().position(|one| one == name)?;
            cells.get(place)
        };
        let (currency, unit) = (named("currency").and_then(|code| code.parse().ok()), named("unit"));
        let shown: Vec<String> = self
            .columns
            .iter()
            .zip(cells)
            .filter_map(|(column, cell)| self.cell(column.kind, cell, currency, unit))
            .collect();
        self.put(&shown, text);
    }

    fn put(&self, cells: &[String], text: &mut String) {
        let (separator, _) = marks(self.t.language);
        // Writing to a string cannot fail.
        let _ = write!(text, "{}\r\n", cells.join(separator.encode_utf8(&mut [0; 4])));
    }

    /// A cell as the reader has it; `None` for one that is left out.
    fn cell(&self, kind: Kind, cell: &str, currency: Option<Currency>, unit: Option<&str>) -> Option<String> {
        let (_, mark) = marks(self.t.language);
        let number = |text: String| text.replace('.', mark.encode_utf8(&mut [0; 4]));
        let scaled = |by: i128, decimals: u32| {
            let whole = cell.parse::<i128>().ok();
            whole.map_or_else(|| cell.to_owned(), |whole| number(Decimal(whole * by, decimals).to_string()))
        };
        Some(match kind {
            Kind::Id => return None,
            Kind::YesNo => quoted(&self.t.get(if cell == "true" { "csv-yes" } else { "csv-no" })),
            Kind::HalfPoints => scaled(5, 1),
            Kind::Hundredths => scaled(1, 2),
            Kind::Minor(of_column) => {
                scaled(1, of_column.or(currency).map_or(2, |currency| currency.decimals()))
            }
            Kind::InUnit if unit == Some(HALF_POINTS) => scaled(5, 1),
            Kind::InUnit | Kind::Number => number(cell.to_owned()),
            Kind::Unit if cell == HALF_POINTS => quoted(&self.t.get("csv-points")),
            Kind::Text if cell == "opening balance" => quoted(&self.t.get("csv-opening-balance")),
            Kind::Text if cell == "closing balance" => quoted(&self.t.get("csv-closing-balance")),
            Kind::Text if cell.is_empty() || cell.bytes().all(|byte| byte.is_ascii_digit()) => {
                cell.to_owned()
            }
            Kind::Text | Kind::Unit => quoted(cell),
        })
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_language(language: Language, csv: &str) -> String {
        Spreadsheet::table(Locale::new(language, chrono_tz::UTC), csv)
    }

    #[test]
    fn c17_a_table_is_as_the_readers_spreadsheet_writes_it() {
        let csv = "player,name,guest,nights,ahead,behind,half_points,EUR,JPY\r\n\
            01,\"Jörg; \"\"J\"\" Østerå\",true,3,2,1,-15,-1250,300\r\n02,\"'=1+1\",false,1,1,0,4,5,0\r\n";
        let english = "\u{feff}\"Name\",\"Guest\",\"Nights\",\"Ahead\",\"Behind\",\"Points\",\"EUR\",\"JPY\"\r\n\
            \"Jörg; \"\"J\"\" Østerå\",\"yes\",3,2,1,-7.5,-12.50,300\r\n\"'=1+1\",\"no\",1,1,0,2.0,0.05,0\r\n";
        assert_eq!(in_language(Language::English, csv), english);
        let german = in_language(Language::German, csv);
        assert!(german.starts_with("\u{feff}\"Name\";\"Gast\";\"Abende\";"), "{german}");
        assert!(german.contains("\"Jörg; \"\"J\"\" Østerå\";\"ja\";3;2;1;-7,5;-12,50;300\r\n"), "{german}");
    }

    #[test]
    fn c17_an_amount_is_in_the_unit_of_its_line_or_its_columns_currency() {
        let csv = "tournament,name,date,currency,entry_fees,paid_out\r\n7,\"Open\",2026-01-02,EUR,12345,-5\r\n\
            8,\"Tokyo\",2026-01-03,JPY,500,0\r\n";
        let italian = in_language(Language::Italian, csv);
        assert!(italian.contains("\"Open\";\"2026-01-02\";\"EUR\";123,45;-0,05\r\n"), "{italian}");
        assert!(italian.contains("\"Tokyo\";\"2026-01-03\";\"JPY\";500;0\r\n"), "{italian}");
        let csv = "date,unit,amount,debit,credit\r\n2026-01-02,HALFPT,3,,3\r\n2026-01-02,EUR,-1.50,1.50,\r\n";
        let french = in_language(Language::French, csv);
        assert!(
            french.contains(";\"points\";1,5;;1,5\r\n") && french.contains(";\"EUR\";-1,50;1,50;\r\n"),
            "{french}"
        );
    }

    #[test]
    fn a_table_in_pieces_is_the_same_table() {
        let csv =
            "by,value,games,won,lost,drawn,half_points\r\ntotal,,3,2,1,0,5\r\nkind,chouette,3,2,1,0,5\r\n";
        let whole = in_language(Language::German, csv);
        assert_eq!(whole.lines().count(), 3);
        for at in 0..csv.len() {
            let mut table = Spreadsheet::new(Locale::new(Language::German, chrono_tz::UTC));
            let (first, second) = csv.as_bytes().split_at(at);
            assert_eq!(table.lines(first) + &table.lines(second), whole, "cut at {at}");
        }
    }
}
