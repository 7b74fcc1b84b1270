//! What is opened of a file that anybody may have written into.

use std::path::PathBuf;

use diesel::connection::SimpleConnection as _;
use tempfile::TempDir;

use super::sqlite::plain;
use crate::connection::{AnyConnection, Use, connect};
use crate::{DatabaseUrl, Options, Store, StoreError, guards};

/// A club whose file somebody has changed past the program, with everything in its schema free to write.
struct Changed {
    folder: TempDir,
}

impl Changed {
    fn by(sql: &str) -> Self {
        let changed = Self { folder: tempfile::tempdir().unwrap() };
        drop(Store::open(&changed.url(), &Options::default()).unwrap());
        changed.again(sql);
        changed
    }

    fn again(&self, sql: &str) {
        let mut connection = self.connection();
        connection.batch_execute(&format!("PRAGMA writable_schema = ON; {sql}")).unwrap();
    }

    fn connection(&self) -> AnyConnection {
        connect(&self.url(), Use::Write).unwrap()
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("club.db")
    }

    fn url(&self) -> DatabaseUrl {
        DatabaseUrl::Sqlite(self.file())
    }

    #[track_caller]
    fn refused(&self) -> String {
        let opened = Store::open(&self.url(), &Options::default()).map(drop);
        let Err(StoreError::Foreign(named)) = opened else { panic!("{opened:?}") };
        let read = Store::open_for_reading(&self.url()).map(drop);
        assert!(matches!(read, Err(StoreError::Foreign(_))), "{read:?}");
        named
    }
}

#[test]
fn s1_what_somebody_wrote_into_a_schema_is_refused_by_name() {
    let bomb = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let cases = [
        (
            "CREATE TRIGGER gift AFTER INSERT ON session BEGIN DELETE FROM player; END",
            "trigger \"gift\" is not",
        ),
        (
            "CREATE TRIGGER \"x; ATTACH 'y' AS o_stays\" BEFORE UPDATE ON journal BEGIN SELECT 1; END",
            "ATTACH",
        ),
        (
            "UPDATE sqlite_schema SET sql = replace(sql, 'BEGIN', 'BEGIN DELETE FROM player;') WHERE name = 'journal_stays'",
            "trigger \"journal_stays\" differs",
        ),
        // It looks as before to anyone who takes what is quoted for a comment.
        (
            "UPDATE sqlite_schema SET sql = replace(sql, 'never changed', 'never--''); DELETE FROM player; SELECT ('''||char(10)||'changed') WHERE name = 'chain_stays'",
            "trigger \"chain_stays\" differs",
        ),
        ("DROP TRIGGER posting_remains", "trigger \"posting_remains\" is missing"),
        ("CREATE INDEX mine ON player (hex(zeroblob(1000000)))", "index \"mine\" is not"),
        (&format!("CREATE VIEW gift AS {bomb} SELECT * FROM n"), "view \"gift\" is not"),
        (
            &format!("DROP TABLE unfilled; CREATE VIEW unfilled AS {bomb} SELECT i AS name FROM n"),
            "view \"unfilled\" is not",
        ),
        (
            &format!(
                "DROP TABLE __diesel_schema_migrations; CREATE VIEW __diesel_schema_migrations AS {bomb} SELECT i AS version FROM n"
            ),
            "view \"__diesel_schema_migrations\" is not",
        ),
        (
            "ALTER TABLE unfilled ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(zeroblob(1000000)))",
            "table \"unfilled\" differs",
        ),
        // SQLite's own names are no hiding place.
        (
            "CREATE TRIGGER hidden AFTER INSERT ON session BEGIN SELECT 1; END; UPDATE sqlite_schema SET name = 'sqlite_hidden', sql = replace(sql, 'hidden', 'sqlite_hidden') WHERE name = 'hidden'",
            "trigger \"sqlite_hidden\" is not",
        ),
        (
            "CREATE TABLE mine (of_player TEXT REFERENCES player (id) ON DELETE SET DEFAULT)",
            "table \"mine\" is not",
        ),
        (
            "ALTER TABLE __diesel_schema_migrations ADD COLUMN more TEXT",
            "table \"__diesel_schema_migrations\" is not",
        ),
        (
            "CREATE TABLE mine (a); CREATE TRIGGER of_mine AFTER INSERT ON mine BEGIN SELECT 1; END",
            "trigger \"of_mine\" is not",
        ),
        (
            "CREATE TRIGGER \"\u{1b}[2J\nowlbox: all is well\" AFTER INSERT ON session BEGIN SELECT 1; END",
            "trigger \"\\u{1b}[2J\\nowlbox: all is well\" is not",
        ),
    ];
    for (sql, named) in cases {
        let said = Changed::by(sql).refused();
        assert!(said.contains(named), "{sql}: {said}");
        assert!(!said.chars().any(char::is_control), "{said:?}");
    }
}

#[test]
fn a_table_that_is_not_ours_is_named_and_left() {
    let changed = Changed::by(
        "CREATE TABLE \"the bar's\" (drink TEXT CHECK (length(drink) > 2)); INSERT INTO \"the bar's\" VALUES ('tea')",
    );
    let mut connection = changed.connection();
    assert_eq!(super::admit(&mut connection).unwrap(), ["\"the bar's\""]);
    drop(connection);
    drop(Store::open(&changed.url(), &Options::default()).unwrap());
    changed.again("INSERT INTO \"the bar's\" VALUES ('beer')");
}

#[test]
fn s1_guards_are_put_back_as_the_migrations_have_them_whatever_the_file_says() {
    let changed = Changed::by(
        "UPDATE sqlite_schema SET sql = replace(sql, 'BEFORE UPDATE', '/* what follows would run */ BEFORE UPDATE') || \
         '; CREATE TABLE gift (a)' WHERE name = 'posting_stays'",
    );
    let mut connection = changed.connection();
    guards::lifted(&mut connection, |_| Ok::<_, StoreError>(())).unwrap();
    assert_eq!(super::admit(&mut connection).unwrap(), [""; 0], "neither the text nor what followed it");
}

#[test]
fn what_a_schema_says_calls_nothing_that_reaches_out_of_the_database() {
    #[derive(diesel::QueryableByName)]
    struct Trusted {
        #[diesel(sql_type = diesel::sql_types::Integer)]
        trusted_schema: i32,
    }
    use diesel::RunQueryDsl as _;
    let changed = Changed::by("");
    for purpose in [Use::Read, Use::Write] {
        let Ok(AnyConnection::Sqlite(mut connection)) = connect(&changed.url(), purpose) else {
            panic!("a file")
        };
        let trusted: Trusted =
            diesel::sql_query("PRAGMA trusted_schema").get_result(&mut connection).unwrap();
        assert_eq!(trusted.trusted_schema, 0, "{purpose:?}");
    }
}

#[test]
fn c18_s1_a_log_that_a_crash_left_is_looked_at_without_running_what_the_file_says() {
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS version FROM n";
    let changed = Changed::by(&format!("DROP TABLE stream; CREATE VIEW stream AS {endless}"));
    // As after a crash: a copy of both, made while somebody has it open.
    let open = changed.connection();
    changed.again("CREATE TABLE mine (a)");
    let crashed = Changed { folder: tempfile::tempdir().unwrap() };
    for end in ["", "-wal"] {
        let [from, to] = [&changed, &crashed].map(|club| crate::files::beside(&club.file(), end));
        std::fs::copy(from, to).unwrap();
    }
    drop(open);
    assert!(std::fs::metadata(crate::files::beside(&crashed.file(), "-wal")).unwrap().len() > 0);
    assert!(crashed.refused().contains("view \"stream\" is not"));
}

#[test]
fn a_definition_is_compared_without_comments_and_with_all_that_is_quoted() {
    let definition = "CREATE  TABLE t ( -- of what\n\ta INTEGER /* id **/,\n b)";
    assert_eq!(plain(definition), "CREATE TABLE t ( a INTEGER , b)");
    // What looks like a comment within quotes is none: what follows it would run unseen.
    for quoted in ["'the--' || evil() || '\njournal'", "\"a/*\" b \"*/\"", "[--]", "`--`", "'it''s -- so'"] {
        assert_eq!(plain(quoted), quoted);
    }
    let (hidden, ours) =
        ("RAISE(ABORT, 'the--' || f() || '\njournal stays')", "RAISE(ABORT, 'the journal stays')");
    assert_ne!(plain(hidden), plain(ours));
}
