//! Statements of account: a period with its opening and closing balance, filtered, page by page.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::books::{Balance, exists, source_names};
use super::{Actor, Desk, Refused};
use owlbox_domain::daybook::{Daybook, Memo};
use owlbox_domain::ledger::{Source, Unit};
use owlbox_domain::values::{Holder, PlayerId};
use owlbox_store::books::{self, Line};
use owlbox_store::statements as stored;
pub use owlbox_store::statements::{Filter, Place, Sums};
use owlbox_store::{AnyConnection, players};

/// After every day of the calendar ([`is_in_calendar`](owlbox_domain::values::is_in_calendar)), and known to both databases.
pub(crate) const LAST_DAY: NaiveDate = match NaiveDate::from_ymd_opt(9999, 12, 31) {
    Some(day) => day,
    None => NaiveDate::MAX,
};

/// A statement of an account in one unit.
#[derive(Clone, Debug)]
pub struct Statement {
    pub unit: Unit,
    /// The balance at the end of the day before the period.
    pub opening: i64,
    /// The balance at the end of the period.
    pub closing: i64,
    /// What all lines come to that pass the filter.
    pub sums: Sums,
    /// A page of them, newest first.
    pub lines: Vec<StatementLine>,
}

/// A line of a statement.
#[derive(Clone, Debug)]
pub struct StatementLine {
    pub line: Line,
    /// The balance after it, by the days that postings count for; `None` where a filter leaves lines out.
    pub running: Option<i64>,
    /// The record of the daybook that it comes from.
    pub record: Option<FromRecord>,
}

/// A record that a line comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromRecord {
    pub number: u32,
    pub memo: Option<Memo>,
}

impl StatementLine {
    /// Its place in the account: what the next page begins before.
    #[must_use]
    pub const fn place(&self) -> Place {
        Place { day: self.line.posting.booked_on, sequence: self.line.posting.sequence }
    }
}

/// The names that a statement's lines need.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub players: BTreeMap<PlayerId, String>,
    pub sources: BTreeMap<Source, String>,
}

/// Which part of a ledger a page shows.
#[derive(Clone, Debug)]
pub enum Part {
    /// All of it in the order of posting, before a sequence number.
    All {
        /// Where to go on.
        before: Option<i64>,
    },
    /// What passes a filter, by the days it counts for.
    Period {
        filter: Filter,
        /// Where to go on.
        before: Option<Place>,
    },
}

/// What an account stood at before and after a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub opening: i64,
    pub closing: i64,
    /// What all lines come to that pass the filter.
    pub sums: Sums,
}

/// A holder's ledger in one unit.
#[derive(Clone, Debug)]
pub struct StatementScreen {
    pub unit: Unit,
    /// In every unit, points first.
    pub balances: Vec<Balance>,
    /// The newest first.
    pub lines: Vec<StatementLine>,
    /// What the period comes to, if a period is shown.
    pub period: Option<Period>,
    /// The full name of the player whose ledger it is.
    pub holder_name: Option<String>,
    /// The names of the other players on the lines.
    pub names: BTreeMap<PlayerId, String>,
    /// The names of the tables and tournaments on the lines, and that of the pool's own tournament. Matches have none.
    pub sources: BTreeMap<Source, String>,
}

/// A page of a statement of a period.
fn of_period(
    connection: &mut AnyConnection,
    daybook: &Daybook,
    (holder, unit): (Holder, Unit),
    filter: &Filter,
    before: Option<Place>,
    limit: i64,
) -> Result<Statement, Refused> {
    let key = unit.to_string();
    let opening = match filter.from.and_then(|from| from.pred_opt()) {
        Some(day) => stored::balance_on(connection, holder, &key, day)?,
        None => 0,
    };
    let closing = stored::balance_on(connection, holder, &key, filter.until.unwrap_or(LAST_DAY))?;
    let sums = stored::sums(connection, holder, &key, filter)?;
    let lines = stored::lines(connection, holder, &key, filter, before, limit)?;
    let is_whole = filter.kind.is_none() && filter.source.is_none() && filter.counterparty.is_none();
    let mut running = match lines.first().filter(|_| is_whole) {
        None => None,
        Some(newest) => {
            let place = Place { day: newest.posting.booked_on, sequence: newest.posting.sequence };
            let later = stored::later_that_day(connection, holder, &key, place)?;
            Some(stored::balance_on(connection, holder, &key, place.day)? - later)
        }
    };
    let line = |line: Line| {
        let after = running;
        running = after.map(|after| after - line.posting.amount);
        let record = record_of(daybook, &line);
        StatementLine { line, running: after, record }
    };
    let lines = lines.into_iter().map(line).collect();
    Ok(Statement { unit, opening, closing, sums, lines })
}

impl Desk {
    /// A page of a statement.
    ///
    /// # Errors
    /// There is no such player or tournament, or the caller may not see the ledger.
    pub async fn statement_of(
        &self,
        actor: &Actor,
        holder: Holder,
        unit: Unit,
        filter: Filter,
        before: Option<Place>,
        limit: i64,
    ) -> Result<Statement, Refused> {
        self.may_see_ledger(actor, holder).await?;
        let daybook = self.daybook().await?;
        self.snapshot(move |connection| {
            exists(connection, holder)?;
            of_period(connection, &daybook.state, (holder, unit), &filter, before, limit)
        })
        .await
    }

    /// A holder's ledger in one unit, or in the [usual](Self::usual_unit) one, as a page shows it: the lines, the
    /// balances of the same moment, and all names. All of it in the order of posting, or of a period, if there is a filter.
    ///
    /// # Errors
    /// There is no such player or tournament, or the caller may not see the ledger.
    pub async fn statement_screen(
        &self,
        actor: &Actor,
        holder: Holder,
        unit: Option<Unit>,
        part: Part,
        limit: i64,
    ) -> Result<StatementScreen, Refused> {
        self.may_see_ledger(actor, holder).await?;
        let unit = match unit {
            Some(unit) => unit,
            None => self.usual_unit(holder).await?,
        };
        let daybook = self.daybook().await?;
        let read = self.snapshot(move |connection| {
            exists(connection, holder)?;
            let (lines, period) = match part {
                Part::All { before } => {
                    let lines = books::statement(connection, holder, &unit.to_string(), before, limit)?;
                    let line = |line: Line| {
                        let record = record_of(&daybook.state, &line);
                        StatementLine { line, running: None, record }
                    };
                    (lines.into_iter().map(line).collect(), None)
                }
                Part::Period { filter, before } => {
                    let account = (holder, unit);
                    let Statement { opening, closing, sums, lines, .. } =
                        of_period(connection, &daybook.state, account, &filter, before, limit)?;
                    (lines, Some(Period { opening, closing, sums }))
                }
            };
            let mut sources: BTreeSet<Source> = lines.iter().map(|line| line.line.source).collect();
            let holder_name = match holder {
                Holder::Player(player) => players::find(connection, player)?.map(|row| row.name),
                Holder::Pool(tournament) => {
                    sources.insert(Source::Tournament(tournament));
                    None
                }
                Holder::House | Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => None,
            };
            Ok(StatementScreen {
                unit,
                balances: books::balances(connection, holder)?,
                names: BTreeMap::new(),
                sources: source_names(connection, sources)?,
                holder_name,
                lines,
                period,
            })
        });
        let read = read.await?;
        let others = read.lines.iter().filter_map(|line| line.line.posting.counterparty().player());
        let others: BTreeSet<PlayerId> = others.collect();
        Ok(StatementScreen { names: self.names(others.into_iter().collect()).await?, ..read })
    }

    /// The lines of the usual statement with the records they come from.
    ///
    /// # Errors
    /// The store failed.
    pub async fn with_records(&self, lines: Vec<Line>) -> Result<Vec<StatementLine>, Refused> {
        let daybook = self.daybook().await?;
        let line = |line: Line| {
            let record = record_of(&daybook.state, &line);
            StatementLine { line, running: None, record }
        };
        Ok(lines.into_iter().map(line).collect())
    }

    /// Every balance of a holder at the end of a day, points first; units in which nothing was posted by then stand
    /// at zero.
    ///
    /// # Errors
    /// There is no such player or tournament, or the caller may not see the ledger.
    pub async fn balances_on(
        &self,
        actor: &Actor,
        holder: Holder,
        day: NaiveDate,
    ) -> Result<Vec<(String, i64)>, Refused> {
        self.may_see_ledger(actor, holder).await?;
        self.snapshot(move |connection| {
            exists(connection, holder)?;
            let balances: Vec<Balance> = books::balances(connection, holder)?;
            let on = |balance: Balance| {
                let amount = stored::balance_on(connection, holder, &balance.unit, day)?;
                Ok((balance.unit, amount))
            };
            balances.into_iter().map(on).collect()
        })
        .await
    }

    /// The names on these lines.
    ///
    /// # Errors
    /// The store failed.
    pub async fn names_of_lines(&self, lines: &[StatementLine]) -> Result<Names, Refused> {
        let others = lines.iter().filter_map(|line| line.line.posting.counterparty().player());
        let others: BTreeSet<PlayerId> = others.collect();
        let sources: BTreeSet<Source> = lines.iter().map(|line| line.line.source).collect();
        let sources = self.read(move |connection| source_names(connection, sources)).await?;
        Ok(Names { players: self.names(others.into_iter().collect()).await?, sources })
    }
}

fn record_of(daybook: &Daybook, line: &Line) -> Option<FromRecord> {
    let Source::Daybook = line.source else { return None };
    let number = daybook.record_at(line.head.version)?;
    Some(FromRecord { number, memo: daybook.entry(number)?.recorded.memo.clone() })
}
