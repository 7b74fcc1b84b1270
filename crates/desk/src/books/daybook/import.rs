//! Standings and past games of an old club, from a table: what would be booked, and the booking of it as one record.
//!
//! A preview and an import hold the table against the club in the same way. Names that nobody has are wrong, unless the
//! caller asks for them to be added as guests: those are part of the act, and stay when its record is taken back.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::Serialize;

use super::{EntryStatus, Stood, may_be_day};
use crate::commands::metrics::COMMANDS;
use crate::commands::pipeline::outcome;
use crate::{Actor, Allowed, Desk, Principal, Receipt, Refused, Request, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{Stream, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_books::club::Club;
use owlbox_books::club::meant::{Meant, People};
use owlbox_books::club::players::PlayerName;
use owlbox_books::daybook::import::{Entry, Known, Line, Person, Table, TableKind, Understood, Wrong};
use owlbox_books::daybook::{CommandKind, Daybook, Memo, Month, Record, Refusal};
use owlbox_books::ledger::Source;
use owlbox_books::typed::Writing;

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
    pub writing: Writing,
}

/// What would come of an import.
#[derive(Clone, Debug)]
pub struct ImportPreview {
    pub understood: Understood,
    /// The display names of all players named.
    pub names: BTreeMap<PlayerId, String>,
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
    fn understood(
        &self,
        people: &People,
        club: &Club,
        daybook: &Daybook,
        now: Timestamp,
    ) -> Result<Understood, Refused> {
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
        let of_the_club = |meant: Meant| match meant {
            Meant::Player(player) if club.player(player).is_none_or(|entry| entry.removed) => Meant::Nobody,
            Meant::Player(_) | Meant::Near(_) | Meant::Several(_) | Meant::Nobody => meant,
        };
        let meant = |name: &PlayerName| (name.key(), of_the_club(people.meant(name.as_str())));
        let meant = names.iter().map(meant).collect();
        Ok(table.understood(&Known {
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
            let understood = import.understood(&people, &club.state, &daybook.state, desk.now())?;
            let mut named = players(&understood.lines);
            named.extend(understood.wrong.iter().flat_map(|wrong| &wrong.may_be));
            let names = desk.names_on(connection, &named)?;
            Ok(ImportPreview { understood, names })
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
        let club = self.look_at_club()?;
        let now = self.now;
        let desk = self.desk().clone();
        let people = desk.people_on(self.transaction.connection()?, &club)?;
        let understood = import.understood(&people, &club.state, &before.state, now)?;
        if !understood.wrong.is_empty() {
            return Err(wrong_lines(understood.wrong));
        }
        let added = self.add_guests(&understood.added)?;
        let order = understood.order(&added, import.on, import.memo.clone());
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
