//! Clubs that come from elsewhere: files and schemas that somebody else wrote into, files of older versions,
//! copies made by hand; and folders where there is no club yet.

use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use owlbox_store::{Options, Store};
use rstest::rstest;

use crate::continuity::kept;
use crate::support::databases::{Database, Db, connected, lines};
use crate::support::federation::Federation;
use crate::support::house::{House, club};
use crate::support::server::Server;

/// Runs a command of the program on this database.
fn owlbox(database: &Database, arguments: &[&str]) -> Output {
    done(Server::program_on(database).env("OWLBOX_HTTP__LISTEN", "127.0.0.1:0").args(arguments))
}

fn done(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the program runs")
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a command that was refused says, in one line.
#[track_caller]
fn refused(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

fn file(database: &Database) -> PathBuf {
    PathBuf::from(database.url.trim_start_matches("sqlite://"))
}

/// The names of all files in the folder of a file, in order.
fn beside(file: &Path) -> Vec<String> {
    let folder = file.parent().unwrap().read_dir().unwrap();
    let mut names: Vec<_> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// How many migrations a file has seen.
fn version(file: &Path) -> usize {
    let url = format!("sqlite://{}", file.display());
    lines(&mut connected(&url), "SELECT version AS line FROM __diesel_schema_migrations").len()
}

/// What strangers wrote into a club's file, and the name by which it is refused. `OTHER` is the file of
/// another club.
const HOSTILE: [(&str, &str); 7] = [
    (
        "CREATE TRIGGER \"IF EXISTS n; COMMIT; ATTACH 'OTHER' AS o; UPDATE o.player SET notes = 'taken'; DETACH o; \
         BEGIN; SAVEPOINT s; DROP TRIGGER IF EXISTS z_stays\" BEFORE UPDATE ON journal BEGIN SELECT 1; END",
        "ATTACH",
    ),
    (
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || '; COMMIT; ATTACH ''OTHER'' AS o; \
         UPDATE o.player SET notes = ''taken''; DETACH o; BEGIN; SAVEPOINT s' WHERE name = 'journal_stays'",
        "journal_stays",
    ),
    (
        "CREATE TRIGGER endless AFTER INSERT ON session BEGIN SELECT count(*) FROM (WITH RECURSIVE n(i) AS \
         (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n); END",
        "endless",
    ),
    ("CREATE TRIGGER much AFTER INSERT ON session BEGIN SELECT length(randomblob(1000000000)); END", "much"),
    (
        "DROP TABLE api_token; CREATE VIEW api_token AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
         SELECT i AS id FROM n",
        "api_token",
    ),
    ("CREATE INDEX mine ON player (hex(zeroblob(1000000)))", "mine"),
    (
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET \
         sql = replace(sql, 'CHECK (', 'CHECK (length(hex(zeroblob(1000000))) > 0 AND ') WHERE name = 'stream'",
        "stream",
    ),
];

#[test]
fn s1_a_file_that_somebody_else_wrote_into_runs_nothing_and_is_refused_by_name() {
    let Some(federation) = Federation::open(Db::Sqlite, &[]) else { return };
    let bern = federation.club("bern");
    bern.player("Anna");
    let target = federation.club("target");
    let folder = federation.folder();
    let other = folder.join(format!("{}.db", bern.name));
    for (number, (sql, named)) in HOSTILE.into_iter().enumerate() {
        let evil = club(Db::Sqlite).unwrap();
        evil.execute(&sql.replace("OTHER", other.to_str().unwrap()));
        let (from, mal) = (file(&evil), federation.name(&format!("mal{number}")));
        let from = from.to_str().unwrap();
        let before = beside(&other);

        let said = federation.refused(&["club", "create", &mal, "--from", from]);
        assert!(said.contains(named) && said.contains(from), "{said}");
        let restore = ["--club", &target.name, "restore", "--replace", from];
        assert!(federation.refused(&restore).contains(named));
        let left: Vec<_> = beside(&other).into_iter().filter(|file| !before.contains(file)).collect();
        assert!(left.iter().all(|file| file.ends_with(".door") || file.ends_with(".lock")), "{left:?}");

        // One that was put into the folder by hand: nobody waits for it, and `verify` says what is wrong with
        // it.
        std::fs::copy(from, folder.join(format!("{mal}.db"))).unwrap();
        let asked = Instant::now();
        federation.at(&mal).get("/api/v1/players").refused(500, "internal_error");
        assert!(asked.elapsed() < Duration::from_secs(10));
        assert!(federation.server.logs(named), "{}", federation.server.logged());
        assert!(federation.refused(&["--club", &mal, "verify"]).contains(named));
        assert!(federation.refused(&["--club", &mal, "export", "--format", "csv"]).contains(named));
        // To look into it elsewhere.
        let copy = folder.parent().unwrap().join("copy.db");
        federation.told(&["--club", &mal, "backup", copy.to_str().unwrap()]);
        std::fs::remove_file(copy).unwrap();
        // Alone, it is not served either.
        assert!(refused(&owlbox(&evil, &["serve"])).contains(named));
    }
    assert_eq!(bern.names(), ["Anna"]);
    let notes = "SELECT coalesce(notes, '') AS line FROM player";
    assert_eq!(lines(&mut connected(&format!("sqlite://{}", other.display())), notes), [""]);
    for club in [&bern, &target] {
        federation.verify(&club.name);
    }
}

/// Nothing is copied or checked before it was compared: that works out the conditions and the indexes of the
/// file.
#[test]
fn s1_what_a_file_says_of_its_rows_is_not_worked_out_before_it_is_compared() {
    let Some(federation) = Federation::open(Db::Sqlite, &[]) else { return };
    let evil = club(Db::Sqlite).unwrap();
    evil.execute(
        "INSERT INTO unfilled (name) VALUES ('x'); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET \
         sql = replace(sql, 'PRIMARY KEY', 'PRIMARY KEY CHECK (abs(-9223372036854775807 - 1) > 0)') WHERE name = 'unfilled'",
    );
    let from = file(&evil);
    let said =
        federation.refused(&["club", "create", &federation.name("mal"), "--from", from.to_str().unwrap()]);
    assert!(said.contains("table \"unfilled\" differs"), "{said}");
}

#[test]
fn s1_a_table_of_somebody_else_is_named_and_left() {
    let Some(federation) = Federation::open(Db::Sqlite, &[]) else { return };
    let database = club(Db::Sqlite).unwrap();
    database.execute("CREATE TABLE bar (drink TEXT CHECK (drink <> '')); INSERT INTO bar VALUES ('tea')");
    let name = federation.name("bar");
    let told = federation.told(&["club", "create", &name, "--from", file(&database).to_str().unwrap()]);
    assert!(
        told.starts_with("left unchanged") && told.contains("\"bar\"") && told.contains("code "),
        "{told}"
    );
    federation.at(&name).get("/sign-in").good();
    assert!(federation.server.logs("bar"), "{}", federation.server.logged());
}

#[test]
fn s1_a_schema_that_somebody_else_wrote_into_is_refused_by_name() {
    let Some(federation) = Federation::open(Db::Postgres, &[]) else { return };
    let nothing = "CREATE FUNCTION gift() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$";
    let cases = [
        (format!("{nothing}; CREATE TRIGGER gift BEFORE INSERT ON session FOR EACH ROW EXECUTE FUNCTION gift()"), "gift"),
        ("ALTER TABLE journal DISABLE TRIGGER journal_stays".to_owned(), "journal_stays"),
        ("CREATE FUNCTION lower(uuid) RETURNS text LANGUAGE sql AS 'SELECT pg_sleep(60)::text'".to_owned(), "lower(uuid)"),
        ("ALTER TABLE __diesel_schema_migrations ALTER COLUMN run_on SET DEFAULT clock_timestamp() + pg_sleep(60)::text::interval".to_owned(), "run_on"),
        ("CREATE TABLE mine (of_player uuid REFERENCES player (id) ON DELETE CASCADE)".to_owned(), "mine"),
        ("CREATE RULE gift AS ON INSERT TO session DO ALSO DELETE FROM api_token".to_owned(), "gift"),
    ];
    for (sql, named) in cases {
        let Some(database) = club(Db::Postgres) else { return };
        database.execute(&sql);
        let schema = database.url.rsplit_once("search_path%3D").unwrap().1.to_owned();
        let said = federation.refused(&["club", "create", &federation.name("mal"), "--from", &schema]);
        assert!(said.contains(named), "{sql}: {said}");
        // A later version would migrate it; before that it looks as well.
        if sql.contains("gift") {
            database.execute("DELETE FROM __diesel_schema_migrations WHERE version = (SELECT max(version) FROM __diesel_schema_migrations)");
            let opened = Store::open(&database.url.parse().unwrap(), &Options::default()).map(drop);
            assert!(opened.as_ref().is_err_and(|error| error.to_string().contains(named)), "{opened:?}");
        }
        assert_eq!(
            federation.told(&["club", "list"]).lines().filter(|club| *club == federation.name("mal")).count(),
            0
        );
    }
    let database = club(Db::Postgres).unwrap();
    database.execute("CREATE TABLE bar (id serial PRIMARY KEY, drink text CHECK (drink <> ''))");
    let schema = database.url.rsplit_once("search_path%3D").unwrap().1.to_owned();
    let told = federation.told(&["club", "create", &federation.name("bar"), "--from", &schema]);
    assert!(told.starts_with("left unchanged") && told.contains("\"bar\""), "{told}");
    federation.at(&federation.name("bar")).get("/sign-in").good();
}

#[test]
fn s8_b2_a_club_of_any_older_version_is_backed_up_restored_and_brought_in() {
    let Some(federation) = Federation::open(Db::Sqlite, &[]) else { return };
    for (number, old) in kept().into_iter().enumerate() {
        let database = Db::Sqlite.fresh().unwrap();
        let (club, copy) = (file(&database), file(&database).with_file_name("copy.db"));
        std::fs::copy(&old, &club).unwrap();
        good(&owlbox(&database, &["backup", copy.to_str().unwrap()]));
        assert_eq!(version(&copy), version(&old), "a backup is what it was");
        assert_eq!(version(&club), version(&old));

        let name = federation.name(&format!("old{number}"));
        federation.told(&["club", "create", &name, "--from", copy.to_str().unwrap()]);
        federation.verify(&name);
        good(&owlbox(&database, &["restore", "--replace", copy.to_str().unwrap()]));
        good(&owlbox(&database, &["verify"]));
        // It is archived by this version and brought back.
        let told = federation.told(&["club", "archive", &name]);
        let back = told.lines().last().unwrap().rsplit_once("--from ").unwrap().1;
        federation.told(&["club", "create", &name, "--from", back]);
    }
}

#[test]
fn before_a_club_is_migrated_one_copy_of_it_is_kept_or_nothing_is_done() {
    let old = kept().pop().unwrap();
    let database = Db::Sqlite.fresh().unwrap();
    let club = file(&database);
    std::fs::copy(&old, &club).unwrap();
    let before = std::fs::read(&club).unwrap();
    let beside = |end: &str| club.with_file_name(format!("club.db{end}"));

    // There is something in the way, or no room.
    std::fs::create_dir(beside(".before.part")).unwrap();
    let said = refused(&owlbox(&database, &["serve"]));
    assert!(said.contains("club.db.before-") && said.contains("nothing was done"), "{said}");
    assert_eq!(version(&club), version(&old), "it was not migrated");
    std::fs::remove_dir(beside(".before.part")).unwrap();
    std::fs::write(&club, &before).unwrap();

    std::fs::write(beside(".before-3"), "that of an earlier upgrade").unwrap();
    let mut server = Server::start(&database);
    let logged = server.logged();
    server.stop();
    let now = version(&club);
    let kept_as = format!("club.db.before-{now}");
    assert!(logged.contains(&kept_as), "{logged}");
    let copies = || -> Vec<String> {
        self::beside(&club).into_iter().filter(|name| name.contains(".before")).collect()
    };
    assert_eq!(copies(), std::slice::from_ref(&kept_as));
    let copy = beside(&format!(".before-{now}"));
    assert_eq!(version(&copy), version(&old));
    // It is the way back.
    let back = Db::Sqlite.fresh().unwrap();
    good(&owlbox(&back, &["restore", copy.to_str().unwrap()]));
    good(&owlbox(&back, &["verify"]));

    // A start that broke off half way keeps the copy from before it; a club that was put back is kept anew.
    for (there, kept_after) in [(&kept()[0], 1), (&old, version(&old))] {
        for end in ["", "-wal", "-shm"] {
            drop(std::fs::remove_file(beside(end)));
            drop(std::fs::remove_file(beside(&format!(".before-{now}{end}"))));
        }
        std::fs::copy(&old, &club).unwrap();
        std::fs::copy(there, &copy).unwrap();
        drop(database.store());
        assert_eq!(version(&copy), kept_after);
    }
}

#[test]
fn c18_a_copy_that_was_put_beside_an_old_log_by_hand_is_named_and_nothing_of_it_is_lost() {
    let mut house = House::open(Db::Sqlite).unwrap();
    let admin = house.admin();
    let copy = file(&house.database).with_file_name("copy.db");
    for number in 0..20 {
        house.player(&admin, &format!("Before {number}"));
    }
    good(&owlbox(&house.database, &["backup", copy.to_str().unwrap()]));
    for number in 0..40 {
        house.player(&admin, &format!("After {number}"));
    }
    house.server.kill();
    let (club, log) = (file(&house.database), file(&house.database).with_file_name("club.db-wal"));
    let own_log = std::fs::read(&log).unwrap();
    assert!(!own_log.is_empty());
    std::fs::copy(&copy, &club).unwrap();

    let before = std::fs::read(&club).unwrap();
    for command in [
        &["verify"][..],
        &["serve"],
        &["books", "accounts"],
        &["backup", "other.db"],
        &["export", "--format", "csv"],
    ] {
        let said = refused(&owlbox(&house.database, command));
        assert!(said.contains("club.db and the log beside it") && said.contains("restore"), "{said}");
        assert_eq!(std::fs::read(&club).unwrap(), before, "{command:?}");
        assert_eq!(std::fs::read(&log).unwrap(), own_log, "{command:?}");
    }
    good(&owlbox(&house.database, &["restore", "--replace", copy.to_str().unwrap()]));
    good(&owlbox(&house.database, &["verify"]));
    house.server.restart();
    let players = house.admin().get("/api/v1/players?limit=200").good().body;
    assert_eq!(players["items"].as_array().unwrap().len(), 20);
    house.player(&house.admin(), "New");
    // A club's own log is no stranger.
    house.server.restart();
    house.verify();
}

/// Commands that look for a club, and make none.
const LOOKING: [&[&str]; 9] = [
    &["verify"],
    &["backup", "copy.db"],
    &["export", "--format", "csv"],
    &["books", "accounts"],
    &["books", "dues"],
    &["books", "statement", "Anna"],
    &["person", "export", "Anna"],
    &["person", "erase", "Anna"],
    &["person", "erase", "Anna", "--yes"],
];

#[test]
fn b7_commands_that_only_look_make_no_club() {
    let folder = tempfile::tempdir().unwrap();
    let somewhere = Db::Sqlite.fresh().unwrap();
    for command in LOOKING {
        let mut program = Server::program_on(&somewhere);
        program.env("OWLBOX_DATABASE__URL", "sqlite://owlbox.db").env_remove("OWLBOX_AUTH__SIGNING_KEYS");
        let said = refused(&done(program.args(command).current_dir(folder.path())));
        assert!(said.contains("owlbox.db: No such file"), "{command:?}: {said}");
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{command:?} made something");
    }
    // A file with nothing in it is no club either.
    std::fs::File::create(file(&somewhere)).unwrap().flush().unwrap();
    assert!(refused(&owlbox(&somewhere, &["books", "accounts"])).contains("no club"));
    let Some(empty) = Db::Postgres.fresh() else { return };
    for command in LOOKING.into_iter().filter(|command| command[0] != "backup") {
        assert!(refused(&owlbox(&empty, command)).contains("no club"), "{command:?}");
    }
    assert_eq!(tables(&empty), [""; 0]);
}

fn tables(database: &Database) -> Vec<String> {
    let tables =
        "SELECT relname::text AS line FROM pg_class WHERE relnamespace = current_schema()::regnamespace";
    lines(&mut connected(&database.url), tables)
}

#[rstest]
fn b7_a_service_whose_port_is_taken_makes_and_migrates_nothing(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(database) = db.fresh() else { return };
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let serve = || {
        let mut program = Server::program_on(&database);
        program
            .env("OWLBOX_HTTP__LISTEN", taken.local_addr().unwrap().to_string())
            .env_remove("OWLBOX_AUTH__SIGNING_KEYS");
        if db == Db::Postgres {
            program.env("OWLBOX_AUTH__SIGNING_KEYS", crate::support::server::SIGNING_KEY);
        }
        let said = refused(&done(program.arg("serve")));
        assert!(said.contains("http.listen"), "{said}");
    };
    serve();
    match db {
        Db::Sqlite => {
            assert_eq!(beside(&file(&database)), [""; 0]);
            let old = kept().pop().unwrap();
            std::fs::copy(&old, file(&database)).unwrap();
            serve();
            assert_eq!(std::fs::read(file(&database)).unwrap(), std::fs::read(&old).unwrap());
        }
        Db::Postgres => assert_eq!(tables(&database), [""; 0]),
    }
}
