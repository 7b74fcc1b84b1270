//! The cells of a table, and what is wrong with its form.

use std::collections::BTreeSet;

use csv::{ReaderBuilder, StringRecord};
use strum::VariantArray as _;

use owlbox_engine::record::{decoded, is_encoding_known};

use super::{Column, MOST_BYTES, MOST_LINES, SHOWN, TableKind, Why, Wrong};
use crate::typed::InputFormat;

/// The most headings that are looked at.
const MOST_HEADINGS: usize = 64;

/// A table as it was brought: its cells, not yet understood.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) kind: TableKind,
    /// The columns, from left to right.
    pub(super) columns: Vec<Column>,
    /// The lines that have a cell for each column.
    pub(super) lines: Vec<Cells>,
    /// What is wrong with the file, the headings, or the form of a line.
    pub(super) wrong: Vec<Wrong>,
}

/// The cells of a line, without the blanks around them.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// The line of the file, from 1.
    pub(super) number: u64,
    pub(super) cells: StringRecord,
}

/// Something wrong, with the beginning of what was found.
pub(super) fn wrong(line: u64, column: Option<Column>, found: &str, why: Why) -> Wrong {
    Wrong {
        line,
        column,
        found: found.chars().take(SHOWN).collect(),
        why,
        allowed: why.allowed(),
        may_be: BTreeSet::new(),
    }
}

impl Table {
    /// Reads a table. Whatever bytes it is given, it finds the lines that have the right form, and what is
    /// wrong with the others.
    #[must_use]
    pub fn read(kind: TableKind, bytes: &[u8], writing: InputFormat) -> Self {
        let mut table = Self { kind, columns: Vec::new(), lines: Vec::new(), wrong: Vec::new() };
        if bytes.len() > MOST_BYTES {
            table.wrong.push(wrong(1, None, "", Why::TooLarge));
            return table;
        }
        let text = decoded(bytes);
        if !is_encoding_known(bytes) {
            table.wrong.push(wrong(1, None, "", Why::NotText));
            return table;
        }
        let is_not_text = |line: &str| line.contains(is_no_text) || is_misread(line);
        let not_text = (1..).zip(text.lines()).filter(|(_, line)| is_not_text(line)).take(MOST_LINES);
        table.wrong.extend(not_text.map(|(number, line)| wrong(number, None, line, Why::NotText)));
        if table.wrong.is_empty() {
            table.read_text(&text, writing);
        }
        table
    }

    fn read_text(&mut self, text: &str, writing: InputFormat) {
        let mut reader = ReaderBuilder::new()
            .delimiter(separator(text))
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let (mut is_heading, mut taken) = (true, 0);
        // The text is in memory and in UTF-8, and lines may be of any length: nothing is left that could
        // fail.
        for cells in reader.records().filter_map(Result::ok) {
            let number = line_of(text, &cells);
            if is_heading {
                self.read_headings(number, &cells, writing);
                is_heading = false;
                if !self.wrong.is_empty() {
                    return;
                }
            } else if cells.iter().all(str::is_empty) {
                // Spreadsheets write empty rows below a table as separators alone.
            } else if taken == MOST_LINES {
                self.wrong.push(wrong(number, None, "", Why::TooManyLines));
                return;
            } else {
                taken += 1;
                self.read_line(Cells { number, cells });
            }
        }
        if is_heading {
            self.wrong.push(wrong(1, None, "", Why::NothingToBook));
        }
    }

    fn read_headings(&mut self, number: u64, cells: &StringRecord, writing: InputFormat) {
        let allowed = self.kind.columns();
        // Beyond these all are wrong: no table has so many columns.
        for cell in cells.iter().take(MOST_HEADINGS) {
            match Column::headed(cell, self.kind, writing) {
                Some(column) if self.columns.contains(&column) => {
                    self.wrong.push(wrong(number, Some(column), cell, Why::ColumnTwice));
                }
                Some(column) if allowed.contains(&column) => self.columns.push(column),
                Some(_) | None => self.wrong.push(wrong(number, None, cell, Why::UnknownColumn)),
            }
        }
        let missing = Column::VARIANTS.iter().filter(|column| self.needs(**column));
        let missing: Vec<Column> = missing.filter(|column| !self.columns.contains(column)).copied().collect();
        self.wrong
            .extend(missing.into_iter().map(|column| wrong(number, Some(column), "", Why::MissingColumn)));
    }

    /// Whether the table cannot do without a column: a game is for points, or for money in a currency.
    fn needs(&self, column: Column) -> bool {
        let has = |column: Column| self.columns.contains(&column);
        match (self.kind, column) {
            (TableKind::Standings, _) => self.kind.columns().contains(&column),
            (TableKind::Games, Column::Date | Column::Winner | Column::Loser) => true,
            (TableKind::Games, Column::Points) => !has(Column::Currency) && !has(Column::Amount),
            (TableKind::Games, Column::Currency) => has(Column::Amount),
            (TableKind::Games, Column::Amount) => has(Column::Currency),
            (TableKind::Games, Column::Player | Column::Unit) => false,
        }
    }

    fn read_line(&mut self, line: Cells) {
        let Cells { number, cells } = &line;
        let open = cells.iter().find(|cell| cell.contains(['\n', '\r']));
        let first = |cell: &str| cell.lines().next().unwrap_or_default().to_owned();
        match open {
            Some(open) => self.wrong.push(wrong(*number, None, &first(open), Why::OpenQuote)),
            None if cells.len() != self.columns.len() => {
                let found = cells.iter().collect::<Vec<_>>().join(" | ");
                self.wrong.push(wrong(*number, None, &found, Why::WrongCells));
            }
            None => self.lines.push(line),
        }
    }
}

/// Whether a character cannot stand in a table: it was lost on the way, or the file is none of text.
fn is_no_text(c: char) -> bool {
    c == char::REPLACEMENT_CHARACTER || (c.is_control() && !matches!(c, '\t' | '\r' | '\n'))
}

/// Whether a word has a character within that no name has: the file was read in another encoding than it has.
fn is_misread(line: &str) -> bool {
    let characters: Vec<char> = line.chars().collect();
    characters.windows(3).any(|three| match three {
        [before, '„' | '”' | '†' | '‡' | '‰' | '¤' | '¢' | '£' | '™' | 'ˆ' | '‹' | '›', after] => {
            before.is_alphabetic() && after.is_alphabetic()
        }
        _ => false,
    })
}

/// What separates the cells: whatever the headings have most of.
fn separator(text: &str) -> u8 {
    let headings = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let many = |separator: &u8| headings.bytes().filter(|byte| byte == separator).count();
    // Of equals the last one is found, so the comma stands last.
    [b'\t', b';', b','].into_iter().max_by_key(many).unwrap_or(b',')
}

/// The line of the file at which a row begins, from 1. The reader's position is that of the empty lines
/// before it.
fn line_of(text: &str, row: &StringRecord) -> u64 {
    let Some(position) = row.position() else { return 1 };
    let rest = usize::try_from(position.byte()).ok().and_then(|start| text.get(start..)).unwrap_or_default();
    let empty = rest.bytes().take_while(|byte| matches!(byte, b'\n' | b'\r')).filter(|byte| *byte == b'\n');
    position.line() + u64::try_from(empty.count()).unwrap_or_default()
}
