//! The migrations of the schema: each keeps the data, and can be reverted as long as nothing would be lost.

use diesel::connection::SimpleConnection as _;
use diesel::migration::{Migration, MigrationSource};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use owlbox_store::connection::connect;
use owlbox_store::{AnyConnection, DatabaseUrl, Use};
use rstest::rstest;

use crate::support::databases::{Database, Db, lines};

const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// Applies the migrations of these numbers in order, or reverts them, the last first.
fn step<DB, C>(connection: &mut C, all: EmbeddedMigrations, numbers: &[u32], back: bool) -> Result<(), String>
where
    DB: diesel::backend::Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    connection.applied_migrations().map_err(|error| error.to_string())?;
    let all: Vec<Box<dyn Migration<DB>>> = all.migrations().map_err(|error| error.to_string())?;
    let number = |one: &dyn Migration<DB>| one.name().version().to_string().parse::<u32>().unwrap();
    let mut chosen: Vec<_> = all.iter().filter(|one| numbers.contains(&number(&***one))).collect();
    chosen.sort_by_key(|one| number(&***one));
    assert_eq!(chosen.len(), numbers.len());
    for one in &chosen {
        match back {
            false => connection.run_migration(&***one),
            true => connection.revert_migration(&***one),
        }
        .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A database with these migrations applied.
struct Steps {
    connection: AnyConnection,
    _database: Database,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl Steps {
    fn new(db: Db, numbers: &[u32]) -> Option<Self> {
        let database = db.fresh()?;
        let url: DatabaseUrl = database.url.parse().unwrap();
        let mut steps = Self { connection: connect(&url, Use::Write).unwrap(), _database: database };
        steps.go(numbers, false).unwrap();
        Some(steps)
    }

    fn go(&mut self, numbers: &[u32], back: bool) -> Result<(), String> {
        match &mut self.connection {
            AnyConnection::Sqlite(connection) => step(connection, SQLITE, numbers, back),
            AnyConnection::Postgres(connection) => step(connection, POSTGRES, numbers, back),
        }
    }

    fn execute(&mut self, sql: &str) -> QueryResult<()> {
        self.connection.batch_execute(sql)
    }

    /// The rows of a table in order, each as one text.
    fn rows(&mut self, table: &str, columns: &str) -> Vec<String> {
        let sql = format!("SELECT {columns} AS line FROM {table} ORDER BY 1");
        lines(&mut self.connection, &sql)
    }

    fn count(&mut self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) AS count FROM {table}");
        let rows: Vec<Count> = match &mut self.connection {
            AnyConnection::Sqlite(connection) => diesel::sql_query(sql).load(connection).unwrap(),
            AnyConnection::Postgres(connection) => diesel::sql_query(sql).load(connection).unwrap(),
        };
        rows[0].count
    }

    /// The books as they were before tournaments existed.
    fn old_books(&mut self) -> [Vec<String>; 3] {
        let text = |columns: &[&str]| {
            columns
                .iter()
                .map(|column| format!("CAST({column} AS TEXT)"))
                .collect::<Vec<_>>()
                .join(" || ' ' || ")
        };
        let heads = text(&["id", "act", "kind", "chouette", "game", "version", "happened_at", "posted_at"]);
        let postings = text(&[
            "player",
            "unit",
            "sequence",
            "ledger_transaction",
            "position",
            "counterparty",
            "bet",
            "amount",
            "balance",
        ]);
        let balances = text(&["player", "unit", "amount", "sequence"]);
        [
            self.rows("ledger_transaction", &heads),
            self.rows("posting", &postings),
            self.rows("balance", &balances),
        ]
    }
}

fn id(number: u32) -> String {
    format!("0190a6f4-0000-7000-8000-{number:012}")
}

const HOUSE: &str = "6f776c62-6f78-0000-8000-000000000002";
const NOON: &str = "2026-11-20T12:00:00.000000Z";

/// Two players, a chouette, and its only game in the books.
fn a_game(steps: &mut Steps) {
    let [ada, bea, table, game, act] = [1, 2, 3, 4, 5].map(id);
    let sql = format!(
        "INSERT INTO stream (id, kind, version) VALUES ('{table}', 'chouette', 9);
         INSERT INTO player (id, guest, active, name, name_key) VALUES
             ('{ada}', false, true, 'Ada', 'ada'), ('{bea}', false, true, 'Bea', 'bea');
         INSERT INTO chouette (id, name, night, status, games, opened_at) VALUES
             ('{table}', 'Friday', '2026-11-20', 'open', 1, '{NOON}');
         INSERT INTO ledger_transaction (id, act, kind, chouette, game, version, happened_at, posted_at) VALUES
             ('{game}', '{act}', 'game', '{table}', 1, 9, '{NOON}', '{NOON}');
         INSERT INTO posting
             (player, unit, sequence, ledger_transaction, position, counterparty, bet, amount, balance) VALUES
             ('{ada}', 'half_points', 1, '{game}', 0, '{bea}', 'member', 4, 4),
             ('{bea}', 'half_points', 1, '{game}', 1, '{ada}', 'member', -4, -4);
         INSERT INTO balance (player, unit, amount, sequence) VALUES
             ('{ada}', 'half_points', 4, 1), ('{bea}', 'half_points', -4, 1);"
    );
    steps.execute(&sql).unwrap();
}

#[rstest]
fn the_books_of_chouettes_become_books_of_tournaments_and_back(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut steps) = Steps::new(db, &[1, 2]) else { return };
    a_game(&mut steps);
    let before = steps.old_books();
    assert_eq!(before[1].len(), 2);
    steps.go(&[3], false).unwrap();
    assert_eq!(
        steps.rows("posting", "holder_kind || ' ' || counterparty_kind || ' ' || kind"),
        ["player player member", "player player member"]
    );
    assert_eq!(steps.rows("ledger_transaction", "CAST(stream AS TEXT)"), [id(3)]);
    steps.go(&[3], true).unwrap();
    assert_eq!(steps.old_books(), before);
    steps.go(&[3], false).unwrap();
    assert_eq!([steps.count("posting"), steps.count("balance")], [2, 2]);
}

#[rstest]
fn books_that_hold_a_tournament_are_not_taken_back(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut steps) = Steps::new(db, &[1, 2]) else { return };
    a_game(&mut steps);
    steps.go(&[3], false).unwrap();
    let [ada, open, added, act] = [1, 6, 7, 8].map(id);
    steps
        .execute(&format!(
            "INSERT INTO stream (id, kind, version) VALUES ('{open}', 'tournament', 1);
             INSERT INTO ledger_transaction (id, act, kind, stream, game, version, happened_at, posted_at) VALUES
                 ('{added}', '{act}', 'transfer', '{open}', 0, 1, '{NOON}', '{NOON}');
             INSERT INTO posting (holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty,
                 counterparty_kind, kind, amount, balance) VALUES
                 ('{open}', 'EUR', 1, 'pool', '{added}', 0, '{HOUSE}', 'house', 'added', 100, 100),
                 ('{HOUSE}', 'EUR', 1, 'house', '{added}', 1, '{open}', 'pool', 'added', -100, -100);
             INSERT INTO balance (holder, unit, holder_kind, amount, sequence) VALUES
                 ('{open}', 'EUR', 'pool', 100, 1), ('{HOUSE}', 'EUR', 'house', -100, 1);"
        ))
        .unwrap();
    assert!(steps.go(&[3], true).is_err());
    assert_eq!([steps.count("posting"), steps.count("balance")], [4, 4], "nothing is lost");
    for (why, holder, kind, unit) in [
        ("the house is the house", HOUSE, "player", "EUR"),
        ("nobody else is", ada.as_str(), "house", "EUR"),
        ("scores are players'", open.as_str(), "pool", "half_points"),
        ("there are three kinds", ada.as_str(), "bank", "EUR"),
    ] {
        let sql = format!(
            "INSERT INTO posting (holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty,
                 counterparty_kind, kind, amount, balance)
             VALUES ('{holder}', '{unit}', 9, '{kind}', '{added}', 2, '{ada}', 'player', 'added', 1, 1)"
        );
        assert!(steps.execute(&sql).is_err(), "{why}");
    }
}

/// For each game in the books: the variant from the latest start of that number before the posting. For a
/// money session: the variant it was opened for.
#[rstest]
fn the_books_come_to_say_what_was_played(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut steps) = Steps::new(db, &[1, 2, 3, 4, 5, 6, 7, 8]) else { return };
    let [chouette, fevga, usual, act, account] = [1, 2, 3, 4, 5].map(id);
    let entry = |stream: &str, version: u32, kind: &str, payload: &str| {
        format!("('{stream}', {version}, '{act}', '{kind}', 2, '{{{payload}}}', '{account}', '{NOON}')")
    };
    let opened =
        |variant: &str| format!(r#""terms": {{"play": "money", "game": {{"variant": "{variant}"}}}}"#);
    let started =
        |game: u32, variant: &str| format!(r#""game": {game}, "rules": {{"variant": "{variant}"}}"#);
    let journal = [
        entry(&chouette, 1, "game_started", &started(1, "misere")),
        // The start is undone, and the game is started as another variant.
        entry(&chouette, 3, "game_started", &started(2, "plakoto")),
        entry(&chouette, 5, "game_started", &started(2, "inverse")),
        entry(&chouette, 8, "game_started", r#""game": 3"#),
        entry(&fevga, 1, "opened", &opened("plakoto")),
        entry(&fevga, 3, "opened", &opened("fevga")),
        entry(&usual, 1, "opened", r#""terms": {"play": "money"}"#),
    ]
    .join(", ");
    let lines = [
        (11, &chouette, 1, 2, "misere"),
        (12, &chouette, 2, 4, "plakoto"),
        (13, &chouette, 2, 6, "inverse"),
        (14, &chouette, 1, 7, "misere"),
        (15, &chouette, 3, 9, "standard"),
        (16, &chouette, 0, 9, "-"),
        (17, &fevga, 1, 4, "fevga"),
        (18, &fevga, 0, 5, "-"),
        (19, &usual, 2, 3, "standard"),
    ];
    let posted = lines.map(|(number, stream, game, version, _)| {
        let (id, kind) = (id(number), if game == 0 { "payment" } else { "game" });
        format!("('{id}', '{act}', '{kind}', '{stream}', {game}, {version}, '{NOON}', '{NOON}')")
    });
    let posted = posted.join(", ");
    steps
        .execute(&format!(
            "INSERT INTO stream (id, kind, version) VALUES
                 ('{chouette}', 'chouette', 9), ('{fevga}', 'match', 5), ('{usual}', 'match', 3);
             INSERT INTO journal (stream, version, act, kind, format, payload, account, at) VALUES {journal};
             INSERT INTO ledger_transaction (id, act, kind, stream, game, version, happened_at, posted_at)
                 VALUES {posted};"
        ))
        .unwrap();
    for _ in 0..2 {
        steps.go(&[9], false).unwrap();
        let said = steps.rows("ledger_transaction", "CAST(id AS TEXT) || ' ' || COALESCE(variant, '-')");
        assert_eq!(said, lines.map(|(number, .., variant)| format!("{} {variant}", id(number))));
        steps.go(&[9], true).unwrap();
    }
}

/// Tallies of months and years follow from those of days. Existing ones are recomputed.
#[rstest]
fn tallies_of_years_and_months_follow_those_of_days(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut steps) = Steps::new(db, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) else { return };
    let (ada, nobody) = (id(1), "00000000-0000-0000-0000-000000000000");
    let row = |day: &str, cube: u32, games: u32, points: i32| {
        format!(
            "('{ada}', '{nobody}', '{day}', 'match', 'fevga', 'unknown', 'opponent', 'won', 'single', {cube}, {games}, {points})"
        )
    };
    let rows = [
        row("2025-12-31", 1, 1, 2),
        row("2026-01-01", 1, 2, 4),
        row("2026-01-09", 1, 3, 6),
        row("2026-01-09", 2, 1, 4),
        row("2026-11-09", 2, 1, 4),
    ];
    let insert = format!("INSERT INTO game_tally VALUES {}", rows.join(", "));
    steps.execute(&insert).unwrap();
    steps.execute("DELETE FROM unfilled").unwrap();
    steps.go(&[11], false).unwrap();
    assert_eq!(steps.rows("game_tally", "kind"), [""; 0]);
    assert_eq!(steps.rows("unfilled", "name"), ["game_tally"]);
    let years = "year || ' ' || cube || ' ' || games || ' ' || half_points";
    let months = "year || ' ' || month || ' ' || games || ' ' || half_points";
    steps.execute(&insert).unwrap();
    assert_eq!(steps.rows("year_tally", years), ["2025 1 1 2", "2026 1 5 10", "2026 2 2 8"]);
    assert_eq!(steps.rows("month_tally", months), ["2025 12 1 2", "2026 1 6 14", "2026 11 1 4"]);
    steps.execute("UPDATE game_tally SET games = 7, half_points = 16 WHERE day = '2026-11-09'").unwrap();
    steps.execute("DELETE FROM game_tally WHERE day < '2026-01-09'").unwrap();
    assert_eq!(steps.rows("month_tally", months), ["2026 1 4 10", "2026 11 7 16"]);
    steps.execute("DELETE FROM game_tally").unwrap();
    for table in ["year_tally", "month_tally"] {
        assert_eq!(steps.rows(table, "CAST(games AS TEXT)"), [""; 0], "{table}");
    }
    steps.go(&[11], true).unwrap();
}

/// Tallies of two players in all years follow from those of days. Existing ones are added up.
#[rstest]
fn tallies_of_pairs_follow_those_of_days(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let before: Vec<u32> = (1..=14).collect();
    let Some(mut steps) = Steps::new(db, &before) else { return };
    let (ada, ben, nobody) = (id(1), id(2), "00000000-0000-0000-0000-000000000000".to_owned());
    let insert = |player: &str, opponent: &str, day: &str, games: u32, points: i32| {
        format!(
            "INSERT INTO game_tally VALUES ('{player}', '{opponent}', '{day}', 'match', 'fevga', 'unknown',
                 'opponent', 'won', 'single', 1, {games}, {points})"
        )
    };
    let pairs = "CAST(player AS TEXT) || ' ' || games || ' ' || half_points";
    steps.execute(&insert(&ada, &ben, "2025-12-31", 1, 2)).unwrap();
    steps.execute(&insert(&ada, &ben, "2026-02-03", 2, 4)).unwrap();
    steps.execute(&insert(&ada, &nobody, "2026-02-03", 2, 4)).unwrap();
    steps.go(&[15], false).unwrap();
    assert_eq!(steps.rows("pair_tally", pairs), [format!("{ada} 3 6")]);
    steps.execute(&insert(&ada, &ben, "2026-02-04", 1, 2)).unwrap();
    steps.execute(&insert(&ben, &ada, "2026-02-04", 1, 8)).unwrap();
    steps.execute(&insert(&nobody, &nobody, "2026-02-04", 1, 8)).unwrap();
    steps.execute("UPDATE game_tally SET games = 5, half_points = 9 WHERE day = '2025-12-31'").unwrap();
    assert_eq!(steps.rows("pair_tally", pairs), [format!("{ada} 8 15"), format!("{ben} 1 8")]);
    steps.execute("DELETE FROM game_tally WHERE day < '2026-02-04'").unwrap();
    assert_eq!(steps.rows("pair_tally", pairs), [format!("{ada} 1 2"), format!("{ben} 1 8")]);
    steps.go(&[15], true).unwrap();
}

/// What accounts gained is added up of what was posted before, and kept from then on.
#[rstest]
fn what_accounts_gained_follows_their_postings(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut steps) = Steps::new(db, &[1, 2]) else { return };
    a_game(&mut steps);
    steps.go(&[3, 4, 5, 6, 7, 8, 9, 10, 11, 12], false).unwrap();
    let days = "day || ' ' || amount || ' ' || postings || ' ' || gained";
    let months = "month || ' ' || amount || ' ' || postings || ' ' || gained";
    steps.go(&[14], false).unwrap();
    assert_eq!(steps.rows("day_turnover", days), ["2026-11-20 -4 1 0", "2026-11-20 4 1 4"]);
    assert_eq!(steps.rows("month_turnover", months), ["2026-11-01 -4 1 0", "2026-11-01 4 1 4"]);
    let [ada, bea, game] = [1, 2, 4].map(id);
    let line = |sequence: u32, amount: i32, day: &str| {
        format!(
            "('{ada}', 'half_points', {sequence}, 'player', '{game}', {sequence}, '{bea}', 'player', 'member', {amount}, 0, '{day}')"
        )
    };
    let lines = [line(2, 3, "2026-11-20"), line(3, -9, "2026-11-20"), line(4, 1, "2026-11-30")].join(", ");
    let insert = "INSERT INTO posting (holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty,
        counterparty_kind, kind, amount, balance, booked_on)";
    steps.execute(&format!("{insert} VALUES {lines}")).unwrap();
    let kept = |steps: &mut Steps| [steps.rows("day_turnover", days), steps.rows("month_turnover", months)];
    let expected = [
        vec!["2026-11-20 -2 3 7", "2026-11-20 -4 1 0", "2026-11-30 1 1 1"],
        vec!["2026-11-01 -1 4 8", "2026-11-01 -4 1 0"],
    ];
    assert_eq!(kept(&mut steps), expected);
    steps.go(&[14], true).unwrap();
    steps.go(&[14], false).unwrap();
    assert_eq!(kept(&mut steps), expected, "and is the same if it is added up anew");

    // With one other account, too.
    let pairs = "month || ' ' || amount || ' ' || postings || ' ' || gained";
    steps.go(&[15], false).unwrap();
    assert_eq!(steps.rows("pair_turnover", pairs), ["2026-11-01 -1 4 8", "2026-11-01 -4 1 0"]);
    let more = [line(5, 2, "2026-11-02"), line(6, -5, "2026-12-01")].join(", ");
    steps.execute(&format!("{insert} VALUES {more}")).unwrap();
    let pairs_now = ["2026-11-01 -4 1 0", "2026-11-01 1 5 10", "2026-12-01 -5 1 0"];
    assert_eq!(steps.rows("pair_turnover", pairs), pairs_now);
    steps.go(&[15], true).unwrap();
    steps.go(&[15], false).unwrap();
    assert_eq!(steps.rows("pair_turnover", pairs), pairs_now);
}

/// A program that knows no scopes would let a token with some do everything.
#[rstest]
fn tokens_with_scopes_are_revoked_by_what_knows_none(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let mut before: Vec<u32> = (1..=15).collect();
    before.extend((db == Db::Postgres).then_some(16));
    before.push(18);
    let Some(mut steps) = Steps::new(db, &before) else { return };
    let account = id(1);
    steps.execute(&format!("INSERT INTO account (id, roles, active) VALUES ('{account}', 1, TRUE)")).unwrap();
    let at = "2026-11-20T19:00:00.000000Z";
    let blob = |number: u32| match db {
        Db::Sqlite => format!("x'{number:02}'"),
        Db::Postgres => format!("'\\x{number:02}'"),
    };
    let token = |number: u32| {
        let (id, hash) = (id(number), blob(number));
        format!(
            "INSERT INTO api_token (id, account, name, hash, created_at) VALUES ('{id}', '{account}', 'bot', {hash}, '{at}')"
        )
    };
    steps.execute(&token(10)).unwrap();
    steps.go(&[20], false).unwrap();
    let everything = |steps: &mut Steps| {
        steps.rows(
            "api_token",
            "CASE WHEN scopes IS NULL AND last_used_at IS NULL THEN 'as it was' ELSE scopes END",
        )
    };
    assert_eq!(everything(&mut steps), ["as it was"]);
    steps.execute(&token(11)).unwrap();
    steps.execute(&format!("UPDATE api_token SET scopes = 'read' WHERE id = '{}'", id(11))).unwrap();
    steps.go(&[20], true).unwrap();
    let left = steps.rows("api_token", "CASE WHEN revoked_at IS NULL THEN 'good' ELSE 'revoked' END");
    assert_eq!(left, ["good", "revoked"]);
}
