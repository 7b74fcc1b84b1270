//! Opening balances and past games of an old club, from a table.
//!
//! A table is a file as spreadsheets write it (CSV, in the encodings of [`owlbox_engine::record::decoded`]):
//! a row of headings, then one line for each standing or game. Cells are separated by commas, semicolons or
//! tabs, whichever the headings have, and may stand in quotation marks. A mark of the byte order, both ends
//! of line and empty lines are taken; blanks around a cell are dropped.
//!
//! | table | columns, in any order |
//! |---|---|
//! | standings | `player`, `unit` (`points`, or a currency), `amount` (what they are owed; below zero, what they owe) |
//! | games | `date`, `winner`, `loser`, and `points`, or `currency` and `amount`, or all three |
//!
//! Amounts are plain: `12.5`, `12,5`, `-3`, and points also `1½`; days are `2025-11-30` or `30.11.2025`. If
//! it is known how the table is [written](InputFormat), they are read as people and spreadsheets write them
//! ([`typed`](crate::typed)), and the headings in every language of the pages.
//!
//! [`Table::read`] finds the cells, [`Table::check`] what they mean in a club. Both name *everything* that is
//! wrong with its line; nothing is booked unless nothing is. The order that books it all is one ordinary
//! [`DaybookCommand`], so an import is a record like any other: checked, posted, and taken back as one.

mod meaning;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::DaybookCommand;
use super::MOST_AT_ONCE;
use super::closing::Closing;
use super::record::{Memo, Money, OpeningBalance, PastGame, Sum};
use crate::club::meant::NameMatch;
use crate::club::players::PlayerName;
use crate::typed::InputFormat;
use crate::unit::Unit;
use owlbox_base::text::sought;
use owlbox_base::values::{Currency, PlayerId};

pub use table::Table;

/// The most bytes of a table.
pub const MOST_BYTES: usize = 1 << 20;
/// The most lines of a table, without the headings: what one record can hold.
pub const MOST_LINES: usize = MOST_AT_ONCE;
/// The most characters of a wrong cell that are repeated.
const SHOWN: usize = 60;

/// What the lines of a table are.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ImportTable))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TableKind {
    /// What players had before: opening balances.
    Standings,
    /// Games that were played before.
    Games,
}

/// A column of a table; as text, its heading.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ImportColumn))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
#[expect(missing_docs, reason = "the module's head says what each holds")]
pub enum Column {
    Player,
    Unit,
    Amount,
    Date,
    Winner,
    Loser,
    Points,
    Currency,
}

impl Column {
    /// What people call it, in the languages of the pages, as [`sought`] has it.
    const fn called(self) -> &'static [&'static str] {
        match self {
            Self::Player => &[
                "name",
                "member",
                "spieler",
                "spielerin",
                "mitglied",
                "joueur",
                "joueuse",
                "nom",
                "membre",
                "giocatore",
                "giocatrice",
                "nome",
                "socio",
                "membro",
            ],
            Self::Unit => &["einheit", "unite", "unita"],
            Self::Amount => &[
                "balance", "betrag", "saldo", "guthaben", "montant", "solde", "importo", "summe", "somme",
                "somma",
            ],
            Self::Date => &["day", "datum", "tag", "jour", "data", "giorno"],
            Self::Winner => &[
                "sieger",
                "siegerin",
                "gewinner",
                "gewinnerin",
                "gagnant",
                "gagnante",
                "vainqueur",
                "vincitore",
                "vincitrice",
            ],
            Self::Loser => &["verlierer", "verliererin", "perdant", "perdante", "perdente"],
            Self::Points => &["punkte", "punti", "pts", "pkt"],
            Self::Currency => &["wahrung", "waehrung", "devise", "monnaie", "valuta", "moneta"],
        }
    }

    /// The column with this heading in a table of this kind.
    fn headed(heading: &str, kind: TableKind, writing: InputFormat) -> Option<Self> {
        if let Ok(column) = heading.parse() {
            return Some(column);
        }
        if writing.is_plain() {
            return None;
        }
        let heading = sought(heading.trim_end_matches('.'));
        let column =
            Self::VARIANTS.iter().find(|column| column.called().contains(&heading.as_str())).copied();
        // What standings are in is a currency for most.
        let is_unit = kind == TableKind::Standings && column == Some(Self::Currency);
        if is_unit { Some(Self::Unit) } else { column }
    }
}

impl TableKind {
    /// The columns it may have.
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Standings => &[Column::Player, Column::Unit, Column::Amount],
            Self::Games => &[
                Column::Date,
                Column::Winner,
                Column::Loser,
                Column::Points,
                Column::Currency,
                Column::Amount,
            ],
        }
    }
}

/// Something in a table that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ImportWrong))]
pub struct Wrong {
    /// The line of the file, from 1. The headings usually are line 1.
    pub line: u64,
    /// The column; `null` if it is about the line, or the file.
    pub column: Option<Column>,
    /// What stands there, shortened; empty if nothing does.
    pub found: String,
    /// The stable code.
    #[serde(rename = "code")]
    pub why: Why,
    /// What would have been taken, in English.
    pub allowed: &'static str,
    /// Who may be meant by a name that is not exactly one player's.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub may_be: BTreeSet<PlayerId>,
}

/// Why something in a table cannot be taken; as text, its stable code.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Display, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ImportWhy))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Why {
    /// The file is too large.
    TooLarge,
    /// The file has too many lines.
    TooManyLines,
    /// The line is no text, or characters of it were lost on the way.
    NotText,
    /// Nothing in the file can be booked.
    NothingToBook,
    /// A heading is none of the table's.
    UnknownColumn,
    /// A heading is there twice.
    ColumnTwice,
    /// A column is missing.
    MissingColumn,
    /// The line has more or fewer cells than there are headings.
    WrongCells,
    /// A cell goes on over the end of its line: a quotation mark is missing.
    OpenQuote,
    /// The cell is empty.
    Empty,
    /// It is no name that a player can have.
    BadName,
    /// Nobody has this name.
    UnknownPlayer,
    /// It is not exactly one player's name: several have it, or it is nearly somebody's.
    AmbiguousName,
    /// Winner and loser are the same.
    SamePlayer,
    /// The player's standing in this unit is there already.
    Twice,
    /// It is neither points nor a currency.
    BadUnit,
    /// The club keeps no books in this currency.
    UnknownCurrency,
    /// It is no amount of this unit.
    BadAmount,
    /// It can be two amounts.
    AmbiguousAmount,
    /// It is no day.
    BadDay,
    /// It can be two days.
    AmbiguousDay,
    /// The day is yet to come.
    InTheFuture,
    /// The day is in a closed month.
    MonthClosed,
}

impl Why {
    /// What would have been taken.
    #[must_use]
    pub const fn allowed(self) -> &'static str {
        match self {
            Self::TooLarge => "at most 1 MiB",
            Self::TooManyLines => "at most 5,000 lines below the headings",
            Self::NotText => {
                "text in UTF-8, UTF-16 or Windows-1252, no character of it lost (U+FFFD) or taken for another"
            }
            Self::NothingToBook => "headings, and at least one line with an amount",
            Self::UnknownColumn => {
                "the headings of this table: player, unit, amount; or date, winner, loser, points, currency, amount"
            }
            Self::ColumnTwice => "each heading once",
            Self::MissingColumn => {
                "player, unit, amount; or date, winner, loser and points, or currency and amount"
            }
            Self::WrongCells => "as many cells as there are headings",
            Self::OpenQuote => "cells on one line, with a quotation mark at both ends or none",
            Self::Empty => "a value",
            Self::BadName => "1 to 60 visible characters",
            Self::UnknownPlayer => "the full name or the nickname of a player of the club",
            Self::AmbiguousName => "a name that only one player has, letter by letter",
            Self::SamePlayer => "two different players",
            Self::Twice => "one line for each player and unit",
            Self::BadUnit => "points, or a currency like EUR",
            Self::UnknownCurrency => "a currency of the club",
            Self::BadAmount => {
                "an amount like 12.5 or 12,50 with no more digits than the unit has, above zero if it was won"
            }
            Self::AmbiguousAmount => {
                "an amount without a sign between thousands, or `numbers`: which sign is before the decimals"
            }
            Self::AmbiguousDay => "a day like 2025-11-30, or `days`: what comes first",
            Self::BadDay => "a day like 2025-11-30 or 30.11.2025",
            Self::InTheFuture => "today or earlier",
            Self::MonthClosed => "a day after the closed months",
        }
    }
}

/// Somebody named in a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Person {
    /// A player of the club.
    Player(PlayerId),
    /// Somebody to be added, by their name as it stands first in the table.
    New(PlayerName),
}

/// A line of a table, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: u64,
    pub what: Entry,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A player had an amount, in half points or minor units. Nothing is booked for zero.
    Standing {
        /// Who had it.
        player: Person,
        /// In what.
        unit: Unit,
        /// Signed: what they were owed.
        amount: i64,
    },
    /// A game was played for points, for money, or for both.
    Game {
        /// When.
        on: NaiveDate,
        /// Who won.
        winner: Person,
        /// Who lost.
        loser: Person,
        /// In half points.
        points: Option<Sum>,
        /// In minor units.
        money: Option<Money>,
    },
}

/// What of a club a table is held against.
#[derive(Clone, Copy, Debug)]
pub struct ImportContext<'a> {
    pub today: NaiveDate,
    pub closing: Closing,
    pub currencies: &'a [Currency],
    /// Who is meant by each name, by [`PlayerName::key`]. A name that is missing is nobody's.
    pub meant: &'a BTreeMap<String, NameMatch>,
    /// Whether names that nobody has are added to the club.
    pub add_players: bool,
    pub writing: InputFormat,
}

/// A table in the light of a club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedTable {
    pub kind: TableKind,
    /// The lines with nothing wrong, in order.
    pub lines: Vec<Line>,
    /// All that is wrong, in order of lines. Unless this is empty, nothing can be booked.
    pub wrong: Vec<Wrong>,
    /// Who would be added to the club, in order of appearance.
    pub added: Vec<PlayerName>,
}

impl CheckedTable {
    /// What the lines come to for each person in each unit.
    #[must_use]
    pub fn sums(&self) -> BTreeMap<(Person, Unit), i128> {
        let mut sums = BTreeMap::new();
        let mut add = |person: &Person, unit, amount: i64| {
            *sums.entry((person.clone(), unit)).or_default() += i128::from(amount);
        };
        for line in &self.lines {
            match &line.what {
                Entry::Standing { player, unit, amount } => add(player, *unit, *amount),
                Entry::Game { winner, loser, points, money, on: _ } => {
                    let points = points.map(|points| (Unit::HalfPoints, i64::from(points)));
                    let money = money.map(|money| (Unit::Money(money.currency), i64::from(money.amount)));
                    for (unit, amount) in points.into_iter().chain(money) {
                        add(winner, unit, amount);
                        add(loser, unit, -amount);
                    }
                }
            }
        }
        sums
    }

    /// The order that books it all; games in order of their days. `added` are the ids of those who were
    /// added, by [`PlayerName::key`]. `on` is the day of standings. `None` if somebody has not been added.
    #[must_use]
    pub fn to_command(
        &self,
        added: &BTreeMap<String, PlayerId>,
        on: Option<NaiveDate>,
        memo: Option<Memo>,
    ) -> Option<DaybookCommand> {
        let id = |person: &Person| match person {
            Person::Player(player) => Some(*player),
            Person::New(name) => added.get(&name.key()).copied(),
        };
        let (mut balances, mut games) = (Vec::new(), Vec::new());
        for line in &self.lines {
            match &line.what {
                Entry::Standing { amount: 0, .. } => {}
                Entry::Standing { player, unit, amount } => {
                    balances.push(OpeningBalance {
                        holder: id(player)?.into(),
                        unit: *unit,
                        amount: *amount,
                    });
                }
                Entry::Game { on, winner, loser, points, money } => {
                    let (winner, loser) = (id(winner)?, id(loser)?);
                    games.push(PastGame { on: *on, winner, loser, points: *points, money: *money });
                }
            }
        }
        games.sort_by_key(|game| game.on);
        Some(match self.kind {
            TableKind::Standings => DaybookCommand::OpenBalances { balances, on, memo },
            TableKind::Games => DaybookCommand::RecordGames { games, memo },
        })
    }
}
