//! Statistics: how many games of each kind everybody has played, and what they won by them.
//!
//! Days are written here; the tallies of years, of months and of two players in all years are kept by the
//! database's own triggers.

mod stored;
mod write;

use std::ops::RangeInclusive;
use std::str::FromStr;

use chrono::{Datelike as _, NaiveDate};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use serde_json::json;
use uuid::Uuid;

pub use self::stored::{MonthTally, PairTally, all, all_of_months, all_of_pairs, all_of_years};
pub(super) use self::write::{write_all, write_each};
use super::connection::{AnyConnection, MultiBackend};
use super::period::WholeMonths;
use super::schema::{game_tally, month_tally, pair_tally, year_tally};
use super::types::Key;
use super::{StoreError, journal};
use owlbox_base::journal::{Aggregate, BrokenHistory, Stream};
use owlbox_base::values::{InvalidValue, PlayerId};
use owlbox_books::statistics::{
    Began, Count, Kind, Manner, MannerCount, Month, Outcome, ResultCount, Tallies, TallyKey,
};
use owlbox_chouette::Chouette;
use owlbox_engine::Variant;
use owlbox_play::matches::Sheet;

/// Stands for `None` in a key column: as the player for the club, as the opponent for the game as a whole.
const NOBODY: Key = Key(Uuid::nil());

/// A [`Manner`] as stored, a word per property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable, Selectable, Insertable)]
#[diesel(table_name = game_tally)]
pub struct StoredManner {
    pub kind: String,
    pub variant: String,
    pub began: String,
    pub role: String,
    pub result: String,
    pub ending: String,
    /// The cube's value at the end.
    pub cube: i64,
}

impl From<Manner> for StoredManner {
    fn from(Manner { kind, variant, began, role, result, ending, cube }: Manner) -> Self {
        Self {
            kind: kind.name().to_owned(),
            variant: variant.key().to_owned(),
            began: began.name().to_owned(),
            role: role.name().to_owned(),
            result: result.name().to_owned(),
            ending: ending.name().to_owned(),
            cube: cube.into(),
        }
    }
}

impl StoredManner {
    /// The manner these words name.
    ///
    /// # Errors
    /// A word this program cannot have written.
    pub fn read(&self) -> Result<Manner, StoreError> {
        Ok(Manner {
            kind: word(&self.kind)?,
            variant: Variant::from_key(&self.variant).ok_or_else(|| broken(&"a variant that is unknown"))?,
            began: word(&self.began)?,
            role: word(&self.role)?,
            result: word(&self.result)?,
            ending: word(&self.ending)?,
            cube: u32::try_from(self.cube).map_err(|_| broken(&"a cube that cannot be"))?,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable, Selectable, Insertable)]
#[diesel(table_name = game_tally)]
pub struct TallyRow {
    pub player: Key,
    pub opponent: Key,
    pub day: NaiveDate,
    #[diesel(embed)]
    pub words: StoredManner,
    pub games: i64,
    /// The player's net win; for the club, what changed hands.
    pub half_points: i64,
}

impl TallyRow {
    #[must_use]
    pub fn new(tally: &TallyKey, count: Count) -> Self {
        Self {
            player: key(tally.player),
            opponent: key(tally.opponent),
            day: tally.day,
            words: tally.manner.into(),
            games: count.games,
            half_points: count.half_points,
        }
    }

    /// Its columns, in their order.
    fn to_json(&self) -> serde_json::Value {
        let Self { player, opponent, day, words, games, half_points } = self;
        let StoredManner { kind, variant, began, role, result, ending, cube } = words;
        json!([
            player.0,
            opponent.0,
            day,
            kind,
            variant,
            began,
            role,
            result,
            ending,
            cube,
            games,
            half_points
        ])
    }

    /// Decodes the row.
    ///
    /// # Errors
    /// The row holds a word this program cannot have written.
    pub fn read(&self) -> Result<(TallyKey, Count), StoreError> {
        let tally = TallyKey {
            player: somebody(self.player),
            opponent: somebody(self.opponent),
            day: self.day,
            manner: self.words.read()?,
        };
        Ok((tally, Count { games: self.games, half_points: self.half_points }))
    }
}

/// The key stored for a player; `None` is stored as the nil id.
#[must_use]
pub fn key(player: Option<PlayerId>) -> Key {
    player.map_or(NOBODY, Key::from)
}

/// The player a stored key stands for.
#[must_use]
pub fn somebody(key: Key) -> Option<PlayerId> {
    Some(key).filter(|key| *key != NOBODY).map(PlayerId::from)
}

fn word<T: FromStr<Err = InvalidValue>>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|error| broken(&error))
}

fn broken(error: &dyn std::fmt::Display) -> StoreError {
    BrokenHistory(format!("game_tally: {error}")).into()
}

/// Which games count; an absent field does not restrict them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub kind: Option<Kind>,
    pub variant: Option<Variant>,
    pub from: Option<NaiveDate>,
    /// The last day, inclusive.
    pub until: Option<NaiveDate>,
    pub began: Option<Began>,
}

/// A period split the way the tables are: whole years, and the days before and after them.
struct Period {
    years: RangeInclusive<i32>,
    days: Vec<RangeInclusive<NaiveDate>>,
}

impl Period {
    fn new(Filter { from, until, .. }: Filter) -> Self {
        let (from, until) = (from.unwrap_or(NaiveDate::MIN), until.unwrap_or(NaiveDate::MAX));
        let first = from.year() + i32::from((from.month(), from.day()) != (1, 1));
        let last = until.year() - i32::from((until.month(), until.day()) != (12, 31));
        let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day);
        let mut days = Vec::new();
        if first > last && from.year() == until.year() {
            days.push(from..=until);
        } else {
            let (head, tail) = (day(from.year(), 12, 31), day(until.year(), 1, 1));
            days.extend(head.filter(|_| first > from.year()).map(|end| from..=end.min(until)));
            days.extend(tail.filter(|_| last < until.year()).map(|start| start.max(from)..=until));
        }
        Self { years: first..=last, days }
    }
}

/// The condition for a player's games in a table, apart from the period.
macro_rules! of {
    ($table:ident, $player:expr, $filter:expr) => {
        those!($table, $table::player.eq(key($player)), $filter)
    };
}

/// The condition for the games of those who meet the first one, apart from the period.
macro_rules! those {
    ($table:ident, $whose:expr, $filter:expr) => {{
        type Condition = Box<dyn BoxableExpression<$table::table, MultiBackend, SqlType = Bool>>;
        let mut which: Condition = Box::new($whose);
        if let Some(kind) = $filter.kind {
            which = Box::new(which.and($table::kind.eq(kind.name())));
        }
        if let Some(variant) = $filter.variant {
            which = Box::new(which.and($table::variant.eq(variant.key())));
        }
        if let Some(began) = $filter.began {
            which = Box::new(which.and($table::began.eq(began.name())));
        }
        which
    }};
}

/// The games a query found.
#[derive(Debug, Default)]
pub struct GamesFound {
    /// By manner. The same manner comes once for each year it occurs in.
    pub games: Vec<MannerCount>,
    /// The same games by month.
    pub by_month: Vec<ResultCount<Month>>,
}

/// The games of a player (of the club, if `None`) against an opponent (as a whole, if `None`). Whole years
/// are read from the tallies of years; only the days of incomplete years are read one by one.
///
/// # Errors
/// A query failed.
pub fn games(
    connection: &mut AnyConnection,
    player: Option<PlayerId>,
    opponent: Option<PlayerId>,
    filter: Filter,
) -> Result<GamesFound, StoreError> {
    let Period { years, days } = Period::new(filter);
    let mut found = GamesFound::default();
    let of_years: Vec<(StoredManner, i64, i64)> = {
        use year_tally::dsl;
        dsl::year_tally
            .filter(of!(year_tally, player, filter))
            .filter(dsl::opponent.eq(key(opponent)))
            .filter(dsl::year.between(*years.start(), *years.end()))
            .select((
                (dsl::kind, dsl::variant, dsl::began, dsl::role, dsl::result, dsl::ending, dsl::cube),
                dsl::games,
                dsl::half_points,
            ))
            .load(connection)?
    };
    for (words, games, half_points) in of_years {
        found.games.push(MannerCount { manner: words.read()?, count: Count { games, half_points } });
    }
    let of_months: Vec<(i32, i32, String, i64, i64)> = {
        use month_tally::dsl;
        dsl::month_tally
            .filter(of!(month_tally, player, filter))
            .filter(dsl::opponent.eq(key(opponent)))
            .filter(dsl::year.between(*years.start(), *years.end()))
            .select((dsl::year, dsl::month, dsl::result, dsl::games, dsl::half_points))
            .load(connection)?
    };
    for (year, month, result, games, half_points) in of_months {
        let month = u32::try_from(month).map_err(|_| broken(&"a month that cannot be"))?;
        let (value, count) = (Month { year, month }, Count { games, half_points });
        found.by_month.push(ResultCount { value, result: word(&result)?, count });
    }
    for days in days {
        let rows: Vec<TallyRow> = game_tally::table
            .filter(of!(game_tally, player, filter))
            .filter(game_tally::opponent.eq(key(opponent)))
            .filter(game_tally::day.between(*days.start(), *days.end()))
            .select(TallyRow::as_select())
            .load(connection)?;
        for row in rows {
            let (TallyKey { day, manner, .. }, count) = row.read()?;
            found.games.push(MannerCount { manner, count });
            found.by_month.push(ResultCount { value: day.into(), result: manner.result, count });
        }
    }
    Ok(found)
}

/// A player's games by opponent and result. The same pair may come several times; the caller adds them up.
///
/// # Errors
/// A query failed.
pub fn opponents(
    connection: &mut AnyConnection,
    player: PlayerId,
    filter: Filter,
) -> Result<Vec<ResultCount<PlayerId>>, StoreError> {
    /// A table's sums by opponent and result within a period.
    macro_rules! sums {
        ($table:ident, $when:expr) => {
            $table::table
                .group_by(($table::opponent, $table::result))
                .filter(of!($table, Some(player), filter))
                .filter($table::opponent.ne(NOBODY))
                .filter($when)
                .select((
                    $table::opponent,
                    $table::result,
                    sql::<BigInt>("CAST(sum(games) AS BIGINT)"),
                    sql::<BigInt>("CAST(sum(half_points) AS BIGINT)"),
                ))
                .load::<(Key, String, i64, i64)>(connection)?
        };
    }
    let Period { years, days } = Period::new(filter);
    let mut rows = sums!(month_tally, month_tally::year.between(*years.start(), *years.end()));
    for days in days {
        rows.extend(sums!(game_tally, game_tally::day.between(*days.start(), *days.end())));
    }
    let read = |(opponent, result, games, half_points): (Key, String, i64, i64)| {
        let (value, count) = (PlayerId::from(opponent), Count { games, half_points });
        Ok(ResultCount { value, result: word(&result)?, count })
    };
    rows.into_iter().map(read).collect()
}

/// The games of one player against another with the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCount {
    pub player: PlayerId,
    /// `None` for the player's games as a whole, which partners share in as well.
    pub opponent: Option<PlayerId>,
    pub result: Outcome,
    pub count: Count,
}

/// Whose games, and against whom.
#[derive(Clone, Copy, Debug)]
pub enum PairSelection<'a> {
    /// Everybody's against everybody else, each pair from both sides, and as a whole.
    Everybody,
    /// These players' against everybody else, and as a whole.
    These(&'a [PlayerId]),
    /// These players' against each other.
    Among(&'a [PlayerId]),
    /// These players' as a whole.
    AsAWhole(&'a [PlayerId]),
}

/// The games of players against others, and as a whole. The same pair and result may come several times; the
/// caller adds them up.
///
/// All years are read from the tallies of pairs, whole months from theirs: what this costs depends on how
/// many pairs played in how many months of a period, not on their games. Days beside whole months are looked
/// for among the tallies of days; for everybody that reads all of them.
///
/// # Errors
/// A query failed.
pub fn pairs(
    connection: &mut AnyConnection,
    whose: PairSelection<'_>,
    filter: Filter,
) -> Result<Vec<PairCount>, StoreError> {
    let keys: Vec<Key> = match whose {
        PairSelection::Everybody => Vec::new(),
        PairSelection::These(players) | PairSelection::Among(players) | PairSelection::AsAWhole(players) => {
            players.iter().copied().map(Key::from).collect()
        }
    };
    /// A table's sums by player, opponent and result within a period.
    macro_rules! sums {
        ($table:ident, $when:expr) => {
            $table::table
                .group_by(($table::player, $table::opponent, $table::result))
                .filter(match whose {
                    PairSelection::Everybody => those!($table, $table::player.ne(NOBODY), filter),
                    PairSelection::These(_) => those!($table, $table::player.eq_any(keys.clone()), filter),
                    PairSelection::Among(_) => {
                        let both =
                            $table::player.eq_any(keys.clone()).and($table::opponent.eq_any(keys.clone()));
                        those!($table, both, filter)
                    }
                    PairSelection::AsAWhole(_) => {
                        let whole = $table::player.eq_any(keys.clone()).and($table::opponent.eq(NOBODY));
                        those!($table, whole, filter)
                    }
                })
                .filter($when)
                .select((
                    $table::player,
                    $table::opponent,
                    $table::result,
                    sql::<BigInt>("CAST(sum(games) AS BIGINT)"),
                    sql::<BigInt>("CAST(sum(half_points) AS BIGINT)"),
                ))
                .load::<(Key, Key, String, i64, i64)>(connection)?
        };
    }
    let rows = if filter.from.or(filter.until).is_none() {
        // All of them: the table has no tallies of nobody, and so none of games as a whole.
        let mut rows = Vec::new();
        if !matches!(whose, PairSelection::AsAWhole(_)) {
            rows.extend(sums!(pair_tally, pair_tally::player.ne(NOBODY)));
        }
        if !matches!(whose, PairSelection::Among(_)) {
            rows.extend(sums!(year_tally, year_tally::opponent.eq(NOBODY)));
        }
        rows
    } else {
        let (from, until) = (filter.from.unwrap_or(NaiveDate::MIN), filter.until.unwrap_or(NaiveDate::MAX));
        let WholeMonths { months, days } = WholeMonths::new(from, until);
        let number = sql::<BigInt>("CAST(year AS BIGINT) * 12 + month - 1");
        let [first, last] = [*months.start(), *months.end()].map(|day| Month::from(day).number());
        // The years alone have an index.
        let years = month_tally::year.between(months.start().year(), months.end().year());
        let mut rows = sums!(month_tally, years.and(number.between(first, last)));
        for days in days {
            rows.extend(sums!(game_tally, game_tally::day.between(*days.start(), *days.end())));
        }
        rows
    };
    let read = |(player, opponent, result, games, half_points): (Key, Key, String, i64, i64)| {
        let (player, opponent) = (PlayerId::from(player), somebody(opponent));
        Ok(PairCount { player, opponent, result: word(&result)?, count: Count { games, half_points } })
    };
    rows.into_iter().map(read).collect()
}

/// The days on which two players have played against each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairDays {
    pub first: Option<NaiveDate>,
    pub last: Option<NaiveDate>,
    /// Their games of the newest days, the newest first.
    pub newest: Vec<(NaiveDate, Kind, Outcome, Count)>,
}

/// The first and the last day on which a player has played against an opponent, and their games of the newest
/// `most` days. The key of the table begins with the two and the day, so no more than that is read.
///
/// # Errors
/// A query failed.
pub fn pair_days(
    connection: &mut AnyConnection,
    player: PlayerId,
    opponent: PlayerId,
    filter: Filter,
    most: i64,
) -> Result<PairDays, StoreError> {
    let of_two = |from: Option<NaiveDate>| {
        let mut those = of!(game_tally, Some(player), filter);
        those = Box::new(those.and(game_tally::opponent.eq(key(Some(opponent)))));
        if let Some(from) = from {
            those = Box::new(those.and(game_tally::day.ge(from)));
        }
        if let Some(until) = filter.until {
            those = Box::new(those.and(game_tally::day.le(until)));
        }
        game_tally::table.filter(those)
    };
    let first =
        of_two(filter.from).select(game_tally::day).order(game_tally::day).first(connection).optional()?;
    let days: Vec<NaiveDate> = of_two(filter.from)
        .select(game_tally::day)
        .distinct()
        .order(game_tally::day.desc())
        .limit(most)
        .load(connection)?;
    let Some(oldest) = days.last() else { return Ok(PairDays::default()) };
    let rows: Vec<TallyRow> =
        of_two(Some(*oldest)).select(TallyRow::as_select()).order(game_tally::day.desc()).load(connection)?;
    let read = |row: TallyRow| {
        let (TallyKey { day, manner, .. }, count) = row.read()?;
        Ok((day, manner.kind, manner.result, count))
    };
    let newest = rows.into_iter().map(read).collect::<Result<_, StoreError>>()?;
    Ok(PairDays { first, last: days.first().copied(), newest })
}

/// Fills the tallies from the journal.
///
/// # Errors
/// The journal cannot be read, or a query failed.
pub(super) fn fill(connection: &mut AnyConnection) -> Result<(), StoreError> {
    diesel::delete(game_tally::table).execute(connection)?;
    let mut tallies = Tallies::default();
    each(connection, |state: &Chouette| tallies.change_chouette(&Chouette::initial(), state))?;
    each(connection, |state: &Sheet| tallies.change_sheet(&Sheet::initial(), state))?;
    write::write(connection, &tallies)
}

/// Calls `look` with the current state of every stream of `A`'s kind.
pub(super) fn each<A: Aggregate>(
    connection: &mut AnyConnection,
    mut look: impl FnMut(&A),
) -> Result<(), StoreError> {
    for (id, _) in journal::streams(connection, A::KIND)? {
        let acts = journal::group::<A>(&journal::entries_after(connection, id, 0, None)?)?;
        look(&Stream::<A>::replay(&acts)?.state);
    }
    Ok(())
}
