//! What the cells of a table mean in a club.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::table::{Cells, Table, wrong};
use super::{Column, Entry, Known, Line, Person, TableKind, Understood, Why, Wrong};
use crate::club::players::{Meant, PlayerName};
use crate::daybook::record::{MOST, Money, Sum};
use crate::ledger::Unit;
use crate::typed::{decimal, half_points};
use crate::values::{Currency, is_in_calendar};

/// The unit of points, as a table names it.
const POINTS: &str = "points";

impl Table {
    /// The names in it, each once. Those that no player can have are left out.
    #[must_use]
    pub fn names(&self) -> Vec<PlayerName> {
        let of_players = [Column::Player, Column::Winner, Column::Loser];
        let mut names = BTreeMap::new();
        for line in &self.lines {
            let cells = self.columns.iter().zip(&line.cells);
            for (_, cell) in cells.filter(|(column, _)| of_players.contains(column)) {
                if let Ok(name) = cell.parse::<PlayerName>() {
                    names.entry(name.key()).or_insert(name);
                }
            }
        }
        names.into_values().collect()
    }

    /// Holds it against a club.
    #[must_use]
    pub fn understood(&self, club: &Known<'_>) -> Understood {
        let mut reading = Reading { club, added: Vec::new(), keys: BTreeMap::new(), stood: BTreeSet::new() };
        let (mut lines, mut all_wrong) = (Vec::new(), self.wrong.clone());
        for cells in &self.lines {
            let mut of_line = OfLine { table: self, cells, wrong: Vec::new() };
            let what = match self.kind {
                TableKind::Standings => reading.standing(&mut of_line),
                TableKind::Games => reading.game(&mut of_line),
            };
            match what {
                Some(what) if of_line.wrong.is_empty() => lines.push(Line { number: cells.number, what }),
                Some(_) | None => all_wrong.append(&mut of_line.wrong),
            }
        }
        let books = |line: &Line| !matches!(line.what, Entry::Standing { amount: 0, .. });
        if all_wrong.is_empty() && !lines.iter().any(books) {
            all_wrong.push(wrong(1, None, "", Why::NothingToBook));
        }
        all_wrong.sort_by_key(|wrong| (wrong.line, wrong.column));
        Understood { kind: self.kind, lines, wrong: all_wrong, added: reading.added }
    }
}

/// A line, and what was found wrong with it so far.
struct OfLine<'t> {
    table: &'t Table,
    cells: &'t Cells,
    wrong: Vec<Wrong>,
}

impl<'t> OfLine<'t> {
    /// The cell of a column; empty if the table has no such column.
    fn cell(&self, column: Column) -> &'t str {
        let place = self.table.columns.iter().position(|one| *one == column);
        place.and_then(|place| self.cells.cells.get(place)).unwrap_or_default()
    }

    fn refuse<T>(&mut self, column: Column, why: Why) -> Option<T> {
        self.wrong.push(wrong(self.cells.number, Some(column), self.cell(column), why));
        None
    }

    /// A cell, understood or refused.
    fn value<T>(&mut self, column: Column, read: impl FnOnce(&str) -> Result<T, Why>) -> Option<T> {
        let read = match self.cell(column) {
            "" => Err(Why::Empty),
            cell => read(cell),
        };
        read.map_or_else(|why| self.refuse(column, why), Some)
    }
}

/// A table being read.
struct Reading<'c> {
    club: &'c Known<'c>,
    added: Vec<PlayerName>,
    /// Those who are added, by the keys of their names.
    keys: BTreeMap<String, PlayerName>,
    /// Whose standing was read, in which unit.
    stood: BTreeSet<(Person, Unit)>,
}

impl Reading<'_> {
    fn standing(&mut self, line: &mut OfLine<'_>) -> Option<Entry> {
        let player = line.value(Column::Player, |name| self.person(name));
        let unit = line.value(Column::Unit, |unit| self.unit(unit));
        // Without a unit it is not known how many digits an amount has.
        let amount = match unit {
            Some(unit) => line.value(Column::Amount, |amount| signed(amount, unit)),
            None => None,
        };
        let (player, unit) = (player?, unit?);
        if !self.stood.insert((player.clone(), unit)) {
            return line.refuse(Column::Player, Why::Twice);
        }
        Some(Entry::Standing { player, unit, amount: amount? })
    }

    fn game(&mut self, line: &mut OfLine<'_>) -> Option<Entry> {
        let on = line.value(Column::Date, |day| self.day(day));
        let winner = line.value(Column::Winner, |name| self.person(name));
        let loser = line.value(Column::Loser, |name| self.person(name));
        // What is wrong with the rest of the line is named as well.
        let loser = if winner.is_some() && winner == loser {
            line.refuse(Column::Loser, Why::SamePlayer)
        } else {
            loser
        };
        let for_money = !line.cell(Column::Currency).is_empty() || !line.cell(Column::Amount).is_empty();
        let for_points = !line.cell(Column::Points).is_empty();
        let points = match for_points {
            true => line.value(Column::Points, |points| won(points, Unit::HalfPoints)),
            false => None,
        };
        let money = if for_money { self.money(line) } else { None };
        if !for_points && !for_money {
            let first =
                [Column::Points, Column::Amount].into_iter().find(|one| line.table.columns.contains(one));
            return line.refuse(first.unwrap_or(Column::Points), Why::Empty);
        }
        Some(Entry::Game { on: on?, winner: winner?, loser: loser?, points, money })
    }

    fn money(&self, line: &mut OfLine<'_>) -> Option<Money> {
        let currency = line.value(Column::Currency, |code| self.currency(code))?;
        let amount = line.value(Column::Amount, |amount| won(amount, Unit::Money(currency)))?;
        Some(Money { currency, amount })
    }

    fn person(&mut self, cell: &str) -> Result<Person, Why> {
        let name: PlayerName = cell.parse().map_err(|_| Why::BadName)?;
        let key = name.key();
        match self.club.meant.get(&key).copied().unwrap_or(Meant::Nobody) {
            Meant::Player(player) => Ok(Person::Player(player)),
            Meant::Several => Err(Why::AmbiguousName),
            Meant::Nobody if self.club.add_players => {
                let known = self.keys.entry(key).or_insert_with(|| {
                    self.added.push(name.clone());
                    name
                });
                Ok(Person::New(known.clone()))
            }
            Meant::Nobody => Err(Why::UnknownPlayer),
        }
    }

    fn unit(&self, cell: &str) -> Result<Unit, Why> {
        match cell.eq_ignore_ascii_case(POINTS) {
            true => Ok(Unit::HalfPoints),
            false => self.currency(cell).map(Unit::Money),
        }
    }

    fn currency(&self, cell: &str) -> Result<Currency, Why> {
        let currency: Currency = cell.to_ascii_uppercase().parse().map_err(|_| Why::BadUnit)?;
        match self.club.currencies.contains(&currency) {
            true => Ok(currency),
            false => Err(Why::UnknownCurrency),
        }
    }

    fn day(&self, cell: &str) -> Result<NaiveDate, Why> {
        let day = day(cell).ok_or(Why::BadDay)?;
        if day > self.club.today {
            return Err(Why::InTheFuture);
        }
        if self.club.closing.covers(day) { Err(Why::MonthClosed) } else { Ok(day) }
    }
}

/// An amount that may be below zero, in units of its unit.
fn signed(cell: &str, unit: Unit) -> Result<i64, Why> {
    let (sign, digits) = match cell.strip_prefix(['-', '\u{2212}']) {
        Some(digits) => (-1, digits),
        None => (1, cell.strip_prefix('+').unwrap_or(cell)),
    };
    let amount = match unit {
        Unit::HalfPoints => half_points(digits).map(|points| points.0),
        Unit::Money(currency) => decimal(digits, currency.decimals()),
    };
    amount.filter(|amount| *amount <= MOST).map(|amount| sign * amount).ok_or(Why::BadAmount)
}

/// An amount that somebody won: above zero.
fn won(cell: &str, unit: Unit) -> Result<Sum, Why> {
    Sum::try_from(signed(cell, unit)?).map_err(|_| Why::BadAmount)
}

/// A day, as `2025-11-30` or `30.11.2025`.
fn day(cell: &str) -> Option<NaiveDate> {
    let digits = |part: &str, least: usize, most: usize| {
        let fits = (least..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| fits)
    };
    let (year, month, day) = match cell.split('.').collect::<Vec<_>>().as_slice() {
        [day, month, year] => (digits(year, 4, 4)?, digits(month, 1, 2)?, digits(day, 1, 2)?),
        _ => match cell.split('-').collect::<Vec<_>>().as_slice() {
            [year, month, day] => (digits(year, 4, 4)?, digits(month, 2, 2)?, digits(day, 2, 2)?),
            _ => return None,
        },
    };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day).filter(|day| is_in_calendar(*day))
}
