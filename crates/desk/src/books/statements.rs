//! Statements of account: a period with its opening and closing balance, filtered, page by page.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;

use crate::books::balances::usual_unit;
use crate::books::daybook::Snapshot;
use crate::books::income;
use crate::books::posting::{BalanceRow, exists, source_names};
use crate::books::treasury::{ClubStanding, OwnDues, club_standings, own_dues};
use crate::people::players::{called, called_on};
use crate::{Actor, Desk, Refused};
use owlbox_base::code::Code;
use owlbox_base::values::{
    ActId, ChouetteId, Holder, HolderKind, MatchId, PlayerId, Timestamp, TournamentId, TransactionId,
};
use owlbox_books::daybook::{Daybook, Memo};
use owlbox_books::ledger::{Source, Unit};
use owlbox_engine::Variant;
use owlbox_store::books::{self, BookHead, Line, NO_GAME};
use owlbox_store::statements as stored;
pub use owlbox_store::statements::{Filter, LinePosition, Sums};
use owlbox_store::{AnyConnection, players};

/// After every day of the calendar ([`is_in_calendar`](owlbox_base::values::is_in_calendar)), and known to
/// both databases.
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

/// One line of a statement.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StatementLine {
    /// The number of this posting within the account, from 1.
    pub sequence: i64,
    /// `game`; `correction` of a game; `payment` from one player to another; `transfer` of what a tournament
    /// takes, keeps or gives; `merge` of two players who are the same person; `contest`, which takes out a
    /// game of a money session until a scorer has ruled, and `upheld` if it stands; `stake` of a match, which
    /// one side won or lost again; of the daybook `payment`, `fee`, `opening`, `past_game`, `adjustment`,
    /// `expense`, `income`, `deposit` or `count`; or `reversal` of any of these that was undone or taken
    /// back.
    #[cfg_attr(feature = "schema", schema(example = "game"))]
    pub kind: String,
    /// What it is for: the kind of bet, `game` for one between two, `stake` of a match, `payment`, or for a
    /// tournament `entry_fee`, `registration`, `side_pool`, `re_entry`, `added`, `kept`, `prize`, `paid_in`,
    /// `paid_out`, `refund` or `returned`. Of the daybook `payment`, `paid_in`, `paid_out`, `membership`,
    /// `table_money`, `other_fee`, `opening`, `past_game`, `adjustment`, `expense`, `income`, `outside`,
    /// `deposit` or `counted`.
    #[cfg_attr(feature = "schema", schema(example = "member"))]
    pub purpose: String,
    /// Deprecated: the same as `purpose`.
    #[cfg_attr(feature = "schema", schema(example = "member"))]
    pub bet: String,
    /// The kind of account on the other side.
    pub with: HolderKind,
    /// The other player; null if the other side is a pool or the house.
    pub counterparty: Option<PlayerId>,
    /// The tournament whose pool is on the other side; null if none is.
    pub pool: Option<TournamentId>,
    /// The chouette that the posting comes from; null if from none.
    pub chouette: Option<ChouetteId>,
    /// The tournament that the posting comes from; null if from none.
    pub tournament: Option<TournamentId>,
    /// The match that the posting comes from; null if from none.
    #[serde(rename = "match")]
    pub sheet: Option<MatchId>,
    /// The number of the game within its chouette or match; null if the posting is not about a game.
    pub game: Option<i32>,
    /// The variant of the game; null if the posting is not about a game.
    pub variant: Option<Variant>,
    /// The day it belongs to: the night of the table, or the day on the club's clock.
    pub night: NaiveDate,
    /// The day it counts for: another one if the month of that night was closed when it was posted.
    pub counts_for: NaiveDate,
    /// Deprecated: the same as `counts_for`.
    pub booked_on: NaiveDate,
    /// The transaction that this one takes back; null if it takes none back.
    pub reverses: Option<TransactionId>,
    /// The number of the record in the daybook; null if it comes from elsewhere.
    pub record: Option<u32>,
    /// Its memo.
    pub memo: Option<Memo>,
    /// The amount added to the account, in half points or minor units: what a player won, or paid to another.
    /// Negative if the balance falls.
    pub amount: i64,
    /// The balance after the posting, in the order of posting.
    pub balance: i64,
    /// The balance after it in the order of the days that postings count for: of statements of a period only,
    /// and null where a filter leaves lines out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<i64>,
    /// When the game ended or the money changed hands.
    pub happened_at: Timestamp,
    /// When the posting was made.
    pub posted_at: Timestamp,
    pub transaction: TransactionId,
    /// The act that made the posting.
    pub act: ActId,
    /// Who is on the other side.
    #[serde(skip)]
    pub other: Holder,
    /// Where it comes from.
    #[serde(skip)]
    pub source: Source,
}

impl StatementLine {
    fn new(line: Line, running: Option<i64>, daybook: &Daybook) -> Self {
        let Line { posting, head, source, variant } = line;
        let other = posting.counterparty();
        let (mut chouette, mut tournament, mut sheet, mut record) = (None, None, None, None);
        match source {
            Source::Chouette(id) => chouette = Some(id),
            Source::Tournament(id) => tournament = Some(id),
            Source::Match(id) => sheet = Some(id),
            Source::Daybook => record = daybook.record_at(head.version),
        }
        let entry = record.and_then(|number| daybook.entry(number));
        Self {
            sequence: posting.sequence,
            kind: head.kind,
            purpose: posting.kind.clone(),
            bet: posting.kind,
            with: other.kind(),
            counterparty: other.player(),
            pool: other.pool(),
            chouette,
            tournament,
            sheet,
            game: Some(head.game).filter(|game| *game != NO_GAME),
            variant,
            night: head.night,
            counts_for: head.booked_on,
            booked_on: head.booked_on,
            reverses: head.reverses.map(Into::into),
            record,
            memo: entry.and_then(|entry| entry.recorded.memo.clone()),
            amount: posting.amount,
            balance: posting.balance,
            running,
            happened_at: head.happened_at.into(),
            posted_at: head.posted_at.into(),
            transaction: head.id.into(),
            act: head.act.into(),
            other,
            source,
        }
    }

    /// Its place in the account: what the next page begins before.
    #[must_use]
    pub const fn place(&self) -> LinePosition {
        LinePosition { day: self.booked_on, sequence: self.sequence }
    }
}

/// The names that a statement's lines need.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub players: BTreeMap<PlayerId, String>,
    pub sources: BTreeMap<Source, String>,
}

impl Names {
    /// The other side of a posting: a player's name, or the kind of account.
    #[must_use]
    pub fn with(&self, other: Holder) -> String {
        match other.player() {
            Some(player) => called(&self.players, player),
            None => other.kind().name().to_owned(),
        }
    }

    /// Where a transaction comes from: the name of the table or tournament, or the kind of what has no name.
    #[must_use]
    pub fn from(&self, source: Source) -> String {
        self.sources.get(&source).cloned().unwrap_or_else(|| source.kind().to_owned())
    }
}

/// All lines of a statement, with what is printed beside them.
#[derive(Debug)]
pub struct WholeStatement {
    pub statement: Statement,
    /// Of the holder as well.
    pub names: Names,
    /// The club's name.
    pub club: String,
    /// The end of the books at the moment of the statement.
    pub end: BookHead,
}

/// The most lines of a whole statement.
pub const MOST_LINES: i64 = 20_000;

/// Which part of a ledger a page shows.
#[derive(Clone, Debug)]
pub enum LedgerRange {
    /// All of it in the order of posting, before a sequence number.
    All {
        /// Where to go on.
        before: Option<i64>,
    },
    /// What passes a filter, by the days it counts for.
    Period {
        filter: Filter,
        /// Where to go on.
        before: Option<LinePosition>,
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
    /// The club's day.
    pub today: NaiveDate,
    /// In every unit, points first.
    pub balances: Vec<BalanceRow>,
    /// The newest first.
    pub lines: Vec<StatementLine>,
    /// What the period comes to, if a period is shown.
    pub period: Option<Period>,
    /// How the club stands in a currency, with what it earned in the period: of the house alone.
    pub club: Option<ClubStanding>,
    /// The full name of the player whose ledger it is.
    pub holder_name: Option<String>,
    /// What a player owes and is owed, on the first page of their ledger.
    pub dues: Option<OwnDues>,
    /// The names of the other players on the lines, and of the one the filter names.
    pub names: BTreeMap<PlayerId, String>,
    /// The names of the tables and tournaments on the lines, of the filter's, and of the pool's own
    /// tournament. Matches have none.
    pub sources: BTreeMap<Source, String>,
}

/// A page of a statement in the order of posting, before a sequence number.
fn in_order_of_posting(
    connection: &mut AnyConnection,
    daybook: &Daybook,
    (holder, unit): (Holder, Unit),
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<StatementLine>, Refused> {
    let lines = books::statement(connection, holder, &unit.to_string(), before, limit)?;
    Ok(lines.into_iter().map(|line| StatementLine::new(line, None, daybook)).collect())
}

/// A page of a statement of a period.
fn of_period(
    connection: &mut AnyConnection,
    daybook: &Daybook,
    (holder, unit): (Holder, Unit),
    filter: &Filter,
    before: Option<LinePosition>,
    limit: i64,
) -> Result<Statement, Refused> {
    income::Period { from: filter.from, until: filter.until }.in_order()?;
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
            let place = LinePosition { day: newest.posting.booked_on, sequence: newest.posting.sequence };
            let later = stored::later_that_day(connection, holder, &key, place)?;
            Some(stored::balance_on(connection, holder, &key, place.day)? - later)
        }
    };
    let line = |line: Line| {
        let after = running;
        running = after.map(|after| after - line.posting.amount);
        StatementLine::new(line, after, daybook)
    };
    let lines = lines.into_iter().map(line).collect();
    Ok(Statement { unit, opening, closing, sums, lines })
}

impl Desk {
    /// A page of a holder's statement in one unit, in the order of posting, newest first. `before` is the
    /// sequence number to continue from.
    ///
    /// # Errors
    /// There is no such player or tournament, or the caller may not see the ledger.
    pub async fn statement(
        &self,
        actor: &Actor,
        holder: Holder,
        unit: Unit,
        before: Option<i64>,
        limit: i64,
    ) -> Result<Vec<StatementLine>, Refused> {
        self.require_ledger(actor, holder).await?;
        self.books_snapshot(move |connection, Snapshot { daybook, .. }| {
            exists(connection, holder)?;
            in_order_of_posting(connection, &daybook.state, (holder, unit), before, limit)
        })
        .await
    }

    /// A page of a statement of a period.
    ///
    /// # Errors
    /// There is no such player or tournament, or the caller may not see the ledger.
    pub async fn statement_of(
        &self,
        actor: &Actor,
        holder: Holder,
        unit: Unit,
        filter: Filter,
        before: Option<LinePosition>,
        limit: i64,
    ) -> Result<Statement, Refused> {
        self.require_ledger(actor, holder).await?;
        self.books_snapshot(move |connection, Snapshot { daybook, .. }| {
            exists(connection, holder)?;
            of_period(connection, &daybook.state, (holder, unit), &filter, before, limit)
        })
        .await
    }

    /// A holder's ledger in one unit, or in the [usual](Self::usual_unit) one, as a page shows it: the lines,
    /// the balances, all names and, on the first page of a player's, what is due, of one moment. All of it in
    /// the order of posting, or of a period, if there is a filter.
    ///
    /// # Errors
    /// There is no such player or tournament, or the caller may not see the ledger.
    pub async fn statement_screen(
        &self,
        actor: &Actor,
        holder: Holder,
        unit: Option<Unit>,
        part: LedgerRange,
        limit: i64,
    ) -> Result<StatementScreen, Refused> {
        self.require_ledger(actor, holder).await?;
        self.books_snapshot(move |connection, Snapshot { settings, daybook, today }| {
            exists(connection, holder)?;
            let account = (holder, unit.unwrap_or_else(|| usual_unit(settings, holder)));
            let (filter, is_first) = match &part {
                LedgerRange::All { before } => (Filter::default(), before.is_none()),
                LedgerRange::Period { filter, before } => (filter.clone(), before.is_none()),
            };
            let (lines, period) = match part {
                LedgerRange::All { before } => {
                    (in_order_of_posting(connection, &daybook.state, account, before, limit)?, None)
                }
                LedgerRange::Period { filter, before } => {
                    let Statement { opening, closing, sums, lines, .. } =
                        of_period(connection, &daybook.state, account, &filter, before, limit)?;
                    (lines, Some(Period { opening, closing, sums }))
                }
            };
            let mut sources: BTreeSet<Source> = lines.iter().map(|line| line.source).collect();
            sources.extend(filter.source);
            let holder_name = match holder {
                Holder::Player(player) => players::find(connection, player)?.map(|row| row.name),
                Holder::Pool(tournament) => {
                    sources.insert(Source::Tournament(tournament));
                    None
                }
                Holder::House | Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => None,
            };
            let club = match account {
                (Holder::House, Unit::Money(currency)) => {
                    club_standings(connection, &[currency], [filter.from, filter.until])?.into_iter().next()
                }
                _ => None,
            };
            let dues = match holder.player().filter(|_| is_first) {
                Some(player) => Some(own_dues(connection, settings, player)?),
                None => None,
            };
            let chosen = filter.counterparty.and_then(Holder::player);
            Ok(StatementScreen {
                unit: account.1,
                today: *today,
                club,
                balances: books::balances(connection, holder)?,
                names: called_on(connection, others(&lines).chain(chosen))?,
                sources: source_names(connection, sources)?,
                holder_name,
                lines,
                period,
                dues,
            })
        })
        .await
    }

    /// All lines of a statement, at one moment.
    ///
    /// # Errors
    /// There is no such player or tournament, the caller may not see the ledger, or there are more than
    /// [`MOST_LINES`].
    pub async fn whole_statement(
        &self,
        actor: &Actor,
        holder: Holder,
        unit: Unit,
        filter: Filter,
    ) -> Result<WholeStatement, Refused> {
        self.require_ledger(actor, holder).await?;
        self.books_snapshot(move |connection, Snapshot { settings, daybook, .. }| {
            exists(connection, holder)?;
            let account = (holder, unit);
            let statement = of_period(connection, &daybook.state, account, &filter, None, MOST_LINES)?;
            if statement.sums.lines > MOST_LINES {
                let detail = format!("more than {MOST_LINES} lines: ask for a shorter period");
                return Err(Refused::rule(Code::InvalidQuery, Some("from"), detail));
            }
            let sources = statement.lines.iter().map(|line| line.source).collect();
            let named = others(&statement.lines).chain(holder.player());
            let names =
                Names { players: called_on(connection, named)?, sources: source_names(connection, sources)? };
            let end = books::head_of_books(connection)?;
            Ok(WholeStatement { statement, names, club: settings.name.to_string(), end })
        })
        .await
    }
}

/// The players on the other side of these lines.
fn others(lines: &[StatementLine]) -> impl Iterator<Item = PlayerId> {
    lines.iter().filter_map(|line| line.counterparty)
}

#[cfg(test)]
mod tests {
    use chrono::Days;
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _};
    use rstest::rstest;
    use uuid::Uuid;

    use super::*;
    use crate::Request;
    use crate::chouettes::NewChouette;
    use crate::fixture::{Db, Fixture};
    use owlbox_chouette::Chouette;
    use owlbox_store::StoreError;
    use owlbox_store::books::{NewPosting, ToPost, TransactionRow};
    use owlbox_store::types::{Key, Moment};

    const UNIT: &str = "half_points";
    const KINDS: [&str; 2] = ["member", "partner"];

    fn holder(number: u128) -> Holder {
        Holder::Player(PlayerId(Uuid::from_u128(number)))
    }

    /// A day within some four months.
    fn day(chance: &mut StdRng) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, 20).unwrap() + Days::new(chance.random_range(0..110))
    }

    fn game(chance: &mut StdRng, table: ChouetteId, version: i64) -> ToPost {
        let (day, at) = (day(chance), Moment(chrono::DateTime::UNIX_EPOCH.into()));
        let head = TransactionRow {
            id: Key(Uuid::now_v7()),
            act: Key(Uuid::now_v7()),
            kind: "game".to_owned(),
            stream: table.into(),
            game: i32::try_from(version).unwrap(),
            variant: None,
            version,
            happened_at: at,
            posted_at: at,
            night: day,
            booked_on: day,
            reverses: None,
        };
        let kind = (*KINDS.choose(chance).unwrap()).to_owned();
        let [one, other] = [holder(1), holder(chance.random_range(2..=3))];
        let amount = chance.random_range(-4..=4);
        let line = |holder, counterparty, amount| NewPosting {
            holder,
            counterparty,
            unit: UNIT.to_owned(),
            kind: kind.clone(),
            amount,
        };
        ToPost { head, takes_back: None, postings: vec![line(one, other, amount), line(other, one, -amount)] }
    }

    fn filter(chance: &mut StdRng, tables: &[ChouetteId]) -> Filter {
        let mut some = |share| chance.random_bool(share);
        let [from, until, kind, source, counterparty] = [0.6, 0.6, 0.4, 0.3, 0.4].map(&mut some);
        Filter {
            from: from.then(|| day(chance)),
            until: until.then(|| day(chance)),
            kind: kind.then(|| (*KINDS.choose(chance).unwrap()).to_owned()),
            source: source.then(|| Source::Chouette(*tables.choose(chance).unwrap())),
            counterparty: counterparty.then(|| holder(chance.random_range(2..=3))),
        }
    }

    fn passes(filter: &Filter, line: &Line) -> bool {
        let Filter { from, until, kind, source, counterparty } = filter;
        let day = line.posting.booked_on;
        from.is_none_or(|from| from <= day)
            && until.is_none_or(|until| day <= until)
            && kind.as_ref().is_none_or(|kind| *kind == line.posting.kind)
            && source.is_none_or(|source| source == line.source)
            && counterparty.is_none_or(|other| other == line.posting.counterparty())
    }

    /// However the sums of a filter are found, they are those of its lines.
    #[rstest]
    #[tokio::test]
    async fn a_filter_leaves_the_lines_that_pass_and_their_sums(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
        let Some((fixture, admin)) = Fixture::open(db).await else { return };
        let desk = &fixture.desk;
        let mut tables = Vec::new();
        for name in ["Friday", "Saturday"] {
            let new = NewChouette { name: name.to_owned(), stake: None, rules: None, house_rules: None };
            tables.push(desk.open::<Chouette>(Request::by(admin), new).await.unwrap().id);
        }
        let mut chance = StdRng::seed_from_u64(15);
        let games =
            (100..300).map(|version| game(&mut chance, tables[usize::from(version % 3 == 0)], version));
        let games: Vec<ToPost> = games.collect();
        let posted = desk.inner.store.write(move |transaction| {
            transaction.post(games.clone(), LAST_DAY);
            Ok::<_, StoreError>(())
        });
        posted.await.unwrap();
        let filters: Vec<Filter> = (0..100).map(|_| filter(&mut chance, &tables)).collect();
        let read = desk.read(move |connection| {
            let all = stored::lines(connection, holder(1), UNIT, &Filter::default(), None, 1_000)?;
            assert_eq!(all.len(), 200);
            for filter in filters {
                let expected: Vec<&Line> = all.iter().filter(|line| passes(&filter, line)).collect();
                let found = stored::lines(connection, holder(1), UNIT, &filter, None, 1_000)?;
                assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{filter:?}");
                let amounts = || expected.iter().map(|line| line.posting.amount);
                let sums = Sums {
                    lines: i64::try_from(expected.len()).unwrap(),
                    gained: amounts().filter(|amount| *amount > 0).sum(),
                    lost: amounts().filter(|amount| *amount < 0).sum(),
                };
                assert_eq!(stored::sums(connection, holder(1), UNIT, &filter)?, sums, "{filter:?}");
            }
            Ok::<_, StoreError>(())
        });
        read.await.unwrap();
    }
}
