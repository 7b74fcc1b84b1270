//! Standings and past games of an old club, from a table: what would be booked, and the booking of it as one
//! record.
//!
//! A preview and an import hold the table against the club in the same way. Names that nobody has are wrong,
//! unless the caller asks for them to be added as guests: those are part of the act, and stay when its record
//! is taken back.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::Serialize;

use super::{EntryStatus, Stood, may_be_day};
use crate::commands::metrics::COMMANDS;
use crate::commands::pipeline::outcome;
use crate::people::players::called;
use crate::{Actor, Allowed, Desk, Principal, Receipt, Refused, Request, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{Stream, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_books::club::Club;
use owlbox_books::club::meant::{NameIndex, NameMatch};
use owlbox_books::club::players::PlayerName;
use owlbox_books::daybook::import::{
    CheckedTable, Entry, ImportContext, Line, Person, Table, TableKind, Wrong,
};
use owlbox_books::daybook::{CommandKind, Daybook, Memo, Money, Month, Record, Refusal};
use owlbox_books::ledger::{Source, Unit};
use owlbox_books::typed::InputFormat;

/// A table to be booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub kind: TableKind,
    /// The file: [`owlbox_books::daybook::import`] says how it is written.
    pub table: Vec<u8>,
    /// Whether names that nobody has are added as guests, for which the caller needs `add_guests`.
    pub add_players: bool,
    /// The day of standings; without one, today. Games have days of their own.
    pub on: Option<NaiveDate>,
    pub memo: Option<Memo>,
    /// How the table is written.
    pub writing: InputFormat,
}

/// Somebody named in a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportPerson {
    /// Null if they would be added.
    pub id: Option<PlayerId>,
    /// Their name as the club writes it, or as the table has it.
    pub name: String,
}

/// A standing, as a line of a table was understood.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportStanding {
    /// The line of the file, from 1.
    pub line: u64,
    pub player: ImportPerson,
    pub unit: Unit,
    /// In half points or minor units. Nothing is booked for zero.
    pub amount: i64,
}

/// A past game, as a line of a table was understood.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportGame {
    /// The line of the file, from 1.
    pub line: u64,
    /// The day it was played.
    pub on: NaiveDate,
    pub winner: ImportPerson,
    pub loser: ImportPerson,
    /// In half points; null if it was not for points.
    pub points: Option<i64>,
    /// Null if it was not for money.
    pub money: Option<Money>,
}

/// What a table comes to for somebody in a unit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportSum {
    pub player: ImportPerson,
    pub unit: Unit,
    /// In half points or minor units.
    pub amount: i64,
}

/// What would come of an import.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ImportPreviewBody))]
pub struct ImportPreview {
    /// The lines of a table of standings with nothing wrong.
    pub standings: Vec<ImportStanding>,
    /// The lines of a table of games with nothing wrong.
    pub games: Vec<ImportGame>,
    /// The sums of those lines, for every person and unit.
    pub sums: Vec<ImportSum>,
    /// The guests that would be added.
    pub added: Vec<PlayerName>,
    /// All that is wrong. Unless this is empty, nothing can be booked.
    pub wrong: Vec<Wrong>,
    /// The display names of all players named, and of those who may be meant.
    #[serde(skip)]
    pub names: BTreeMap<PlayerId, String>,
}

impl ImportPreview {
    /// How many lines have nothing wrong.
    #[must_use]
    pub const fn lines(&self) -> usize {
        self.standings.len() + self.games.len()
    }

    fn new(understood: CheckedTable, names: BTreeMap<PlayerId, String>) -> Self {
        let named = |person: Person| match person {
            Person::Player(player) => ImportPerson { id: Some(player), name: called(&names, player) },
            Person::New(name) => ImportPerson { id: None, name: name.to_string() },
        };
        let sum = |((person, unit), amount): ((Person, Unit), i128)| ImportSum {
            player: named(person),
            unit,
            // A table has room for 5,000 lines of 10^15 at most.
            amount: i64::try_from(amount).unwrap_or(if amount < 0 { i64::MIN } else { i64::MAX }),
        };
        let sums = understood.sums().into_iter().map(sum).collect();
        let (mut standings, mut games) = (Vec::new(), Vec::new());
        for Line { number: line, what } in understood.lines {
            match what {
                Entry::Standing { player, unit, amount } => {
                    standings.push(ImportStanding { line, player: named(player), unit, amount });
                }
                Entry::Game { on, winner, loser, points, money } => {
                    let (winner, loser, points) = (named(winner), named(loser), points.map(i64::from));
                    games.push(ImportGame { line, on, winner, loser, points, money });
                }
            }
        }
        Self { standings, games, sums, added: understood.added, wrong: understood.wrong, names }
    }
}

/// What came of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ImportedBody))]
pub struct Imported {
    /// The version of the daybook after it.
    pub version: Version,
    /// The number of the record, by which it is taken back.
    pub entry: u32,
    /// How many standings or games it holds.
    pub booked: usize,
    /// Whether it is in the books, or waits for a second person.
    pub status: EntryStatus,
}

impl Import {
    fn require(&self, principal: &Principal) -> Result<(), Refused> {
        principal.require(Permission::KeepBooks)?;
        if self.add_players { principal.require(Permission::AddGuests) } else { Ok(()) }
    }

    /// Holds the table against the club and its daybook.
    fn check(
        &self,
        people: &NameIndex,
        club: &Club,
        daybook: &Daybook,
        now: Timestamp,
    ) -> Result<CheckedTable, Refused> {
        let settings = club.settings().cloned().unwrap_or_default();
        let today = settings.night_of(now);
        if let Some(day) = self.on {
            may_be_day(day, today)?;
            if let Some(closed) = daybook.closing().0.filter(|closed| Month::of(day) <= *closed) {
                return Err(Refusal::ClosedDay { day, closed }.into());
            }
        }
        let table = Table::read(self.kind, &self.table, self.writing);
        let names = table.names();
        let of_the_club = |meant: NameMatch| match meant {
            NameMatch::Player(player) if club.player(player).is_none_or(|entry| entry.removed) => {
                NameMatch::Nobody
            }
            NameMatch::Player(_) | NameMatch::Near(_) | NameMatch::Several(_) | NameMatch::Nobody => meant,
        };
        let meant = |name: &PlayerName| (name.key(), of_the_club(people.meant(name.as_str())));
        let meant = names.iter().map(meant).collect();
        Ok(table.check(&ImportContext {
            today,
            closing: daybook.closing(),
            currencies: settings.currencies.as_slice(),
            meant: &meant,
            add_players: self.add_players,
            writing: self.writing,
        }))
    }
}

impl Desk {
    /// What would come of an import, and all that is wrong with its table. Records nothing.
    ///
    /// # Errors
    /// The caller may not do it, or the day of standings is in a closed month.
    pub async fn preview_import(&self, actor: &Actor, import: Import) -> Result<ImportPreview, Refused> {
        import.require(&self.principal(actor).await?)?;
        let (club, daybook, desk) = (self.club().await?, self.daybook().await?, self.clone());
        self.read(move |connection| {
            let people = desk.people_on(connection, &club)?;
            let understood = import.check(&people, &club.state, &daybook.state, desk.now())?;
            let mut named = players(&understood.lines);
            named.extend(understood.wrong.iter().flat_map(|wrong| &wrong.may_be));
            let names = desk.names_on(connection, &named)?;
            Ok(ImportPreview::new(understood, names))
        })
        .await
    }

    /// Books a table as one record of the daybook, or nothing of it.
    ///
    /// # Errors
    /// `wrong_lines` with all that is wrong; or what [`preview_import`](Self::preview_import) and
    /// [`note`](Self::note) refuse.
    pub async fn import(&self, request: Request, import: Import) -> Result<Imported, Refused> {
        let expected = request.expected;
        let kind = match import.kind {
            TableKind::Standings => CommandKind::OpenBalances,
            TableKind::Games => CommandKind::RecordGames,
        };
        let done = self
            .carry_out(request, move |unit| {
                import.require(&unit.principal)?;
                let before = unit.daybook()?;
                UnitOfWork::expect(&before, expected)?;
                let version = unit.import(&before, &import)?;
                Ok((Receipt { status: 201, stream: Source::DAYBOOK, version }, version))
            })
            .await;
        metrics::counter!(COMMANDS, "kind" => <&'static str>::from(kind), "outcome" => outcome(&done))
            .increment(1);
        let version = done?.version();
        let daybook = self.daybook().await?;
        let number = daybook.state.record_at(version);
        let found = number.and_then(|number| Some((number, daybook.state.entry(number)?)));
        let (entry, found) = found.ok_or(Refused::NotFound("record"))?;
        let (status, _) = EntryStatus::of(found.status);
        Ok(Imported { version, entry, booked: booked(&found.recorded.what), status })
    }
}

/// How many standings or games a record holds.
const fn booked(record: &Record) -> usize {
    match record {
        Record::OpeningBalances { balances } => balances.len(),
        Record::PastGames { games } => games.len(),
        Record::Payment { .. }
        | Record::Fee { .. }
        | Record::Adjustment { .. }
        | Record::Expense { .. }
        | Record::Income { .. }
        | Record::Deposit { .. }
        | Record::Count { .. } => 1,
    }
}

/// The players of the club that lines name.
fn players(lines: &[Line]) -> Vec<PlayerId> {
    let named = |line: &Line| match &line.what {
        Entry::Standing { player, .. } => vec![player.clone()],
        Entry::Game { winner, loser, .. } => vec![winner.clone(), loser.clone()],
    };
    let known = |person: Person| match person {
        Person::Player(player) => Some(player),
        Person::New(_) => None,
    };
    let mut players: Vec<PlayerId> = lines.iter().flat_map(named).filter_map(known).collect();
    players.sort_unstable();
    players.dedup();
    players
}

impl UnitOfWork<'_, '_> {
    fn import(&mut self, before: &Arc<Stream<Daybook>>, import: &Import) -> Result<Version, Refused> {
        let club = self.club_unlocked()?;
        let now = self.now;
        let desk = self.desk().clone();
        let people = desk.people_on(self.transaction.connection()?, &club)?;
        let understood = import.check(&people, &club.state, &before.state, now)?;
        if !understood.wrong.is_empty() {
            return Err(wrong_lines(understood.wrong));
        }
        let added = self.add_guests(&understood.added)?;
        let order = understood.to_command(&added, import.on, import.memo.clone());
        let order = order.ok_or(Refused::NotFound("player"))?;
        // An import closes no month.
        let command = self.command_of(&before.state, order, &Stood::default())?;
        self.append_to_daybook(before, &command)
    }
}

fn wrong_lines(wrong: Vec<Wrong>) -> Refused {
    let first = wrong.first().map(|wrong| wrong.line).unwrap_or_default();
    Refused::Rule(Rule {
        code: Code::WrongLines,
        field: Some("csv"),
        detail: format!("{} things are wrong, the first in line {first}; nothing was booked", wrong.len()),
        allowed: Some(Allowed::Wrong(wrong)),
    })
}
