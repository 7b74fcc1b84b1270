//! What the cells of a table mean in a club.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::table::{Cells, Table, wrong};
use super::{CheckedTable, Column, Entry, ImportContext, Line, Person, TableKind, Why, Wrong};
use crate::club::meant::{NameMatch, spelled};
use crate::club::players::PlayerName;
use crate::daybook::record::{MOST, Money, Sum};
use crate::typed::{self, InputError, InputFormat};
use crate::unit::Unit;
use owlbox_base::values::Currency;

/// The unit of points, as a table names it; the first of them also where nothing is said of how it is
/// written.
const POINTS: [&str; 8] = ["points", "point", "punkte", "punkt", "pkt", "punti", "punto", "pts"];

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
    pub fn check(&self, club: &ImportContext<'_>) -> CheckedTable {
        let mut reading =
            Reading { club, added: Vec::new(), spelled: BTreeMap::new(), stood: BTreeSet::new() };
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
        CheckedTable { kind: self.kind, lines, wrong: all_wrong, added: reading.added }
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

    /// A name, understood, or refused with those who may be meant.
    fn person(&mut self, column: Column, reading: &mut Reading<'_>) -> Option<Person> {
        let person = self.value(column, |name| reading.person(name));
        let typed = self.cell(column).parse::<PlayerName>().ok();
        if person.is_none()
            && let (Some(wrong), Some(name)) = (self.wrong.last_mut(), typed)
            && wrong.why == Why::AmbiguousName
            && let Some(meant) = reading.club.meant.get(&name.key())
        {
            wrong.may_be = meant.candidates().collect();
        }
        person
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
    club: &'c ImportContext<'c>,
    added: Vec<PlayerName>,
    /// Those who are added, by how their names are spelled.
    spelled: BTreeMap<String, PlayerName>,
    /// Whose standing was read, in which unit.
    stood: BTreeSet<(Person, Unit)>,
}

impl Reading<'_> {
    fn standing(&mut self, line: &mut OfLine<'_>) -> Option<Entry> {
        let player = line.person(Column::Player, self);
        let unit = line.value(Column::Unit, |unit| self.unit(unit));
        // Without a unit it is not known how many digits an amount has.
        let amount = match unit {
            Some(unit) => line.value(Column::Amount, |amount| self.signed(amount, unit)),
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
        let winner = line.person(Column::Winner, self);
        let loser = line.person(Column::Loser, self);
        // What is wrong with the rest of the line is named as well.
        let loser = if winner.is_some() && winner == loser {
            line.refuse(Column::Loser, Why::SamePlayer)
        } else {
            loser
        };
        let for_money = !line.cell(Column::Currency).is_empty() || !line.cell(Column::Amount).is_empty();
        let for_points = !line.cell(Column::Points).is_empty();
        let points = match for_points {
            true => line.value(Column::Points, |points| self.won(points, Unit::HalfPoints)),
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
        let amount = line.value(Column::Amount, |amount| self.won(amount, Unit::Money(currency)))?;
        Some(Money { currency, amount })
    }

    fn person(&mut self, cell: &str) -> Result<Person, Why> {
        let name: PlayerName = cell.parse().map_err(|_| Why::BadName)?;
        match self.club.meant.get(&name.key()) {
            Some(NameMatch::Player(player)) => Ok(Person::Player(*player)),
            Some(NameMatch::Near(_) | NameMatch::Several(_)) => Err(Why::AmbiguousName),
            Some(NameMatch::Nobody) | None if self.club.add_players => {
                let known = self.spelled.entry(spelled(name.as_str())).or_insert_with(|| {
                    self.added.push(name.clone());
                    name
                });
                Ok(Person::New(known.clone()))
            }
            Some(NameMatch::Nobody) | None => Err(Why::UnknownPlayer),
        }
    }

    fn unit(&self, cell: &str) -> Result<Unit, Why> {
        let known = if self.writing().is_plain() { &POINTS[..1] } else { &POINTS[..] };
        let cell = cell.strip_suffix('.').unwrap_or(cell);
        match known.iter().any(|points| cell.eq_ignore_ascii_case(points)) {
            true => Ok(Unit::HalfPoints),
            false => self.currency(cell).map(Unit::Money),
        }
    }

    fn currency(&self, cell: &str) -> Result<Currency, Why> {
        let named = typed::currency(cell, self.club.currencies).filter(|_| !self.writing().is_plain());
        if let Some(currency) = named {
            return Ok(currency);
        }
        let currency: Currency = cell.to_ascii_uppercase().parse().map_err(|_| Why::BadUnit)?;
        match self.club.currencies.contains(&currency) {
            true => Ok(currency),
            false => Err(Why::UnknownCurrency),
        }
    }

    fn day(&self, cell: &str) -> Result<NaiveDate, Why> {
        let day = typed::day(cell, self.writing()).map_err(|unread| match unread {
            InputError::Unreadable => Why::BadDay,
            InputError::Ambiguous(_) => Why::AmbiguousDay,
        })?;
        if day > self.club.today {
            return Err(Why::InTheFuture);
        }
        if self.club.closing.covers(day) { Err(Why::MonthClosed) } else { Ok(day) }
    }

    const fn writing(&self) -> InputFormat {
        self.club.writing
    }

    /// An amount that may be below zero, in units of its unit.
    fn signed(&self, cell: &str, unit: Unit) -> Result<i64, Why> {
        let amount = typed::amount(cell, unit, self.writing()).map_err(|unread| match unread {
            InputError::Unreadable => Why::BadAmount,
            InputError::Ambiguous(_) => Why::AmbiguousAmount,
        })?;
        if (-MOST..=MOST).contains(&amount) { Ok(amount) } else { Err(Why::BadAmount) }
    }

    /// An amount that somebody won: above zero.
    fn won(&self, cell: &str, unit: Unit) -> Result<Sum, Why> {
        Sum::try_from(self.signed(cell, unit)?).map_err(|_| Why::BadAmount)
    }
}
