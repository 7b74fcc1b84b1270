//! `owlbox copy`: a club moves between files and schemas, and is the same club there.

use std::path::Path;
use std::time::{Duration, Instant};

use owlbox_desk::verify::copying::copy;
use owlbox_desk::verify::{Checked, verify};
use owlbox_store::{AnyConnection, Store};
use serde_json::json;

use crate::cli::{filled, good, owlbox, refused};
use crate::continuity::kept;
use crate::support::databases::{Database, Db, connected, lines};
use crate::support::house::{ADMIN, House, club, make_admin_called};
use crate::support::server::Server;

/// Copies the club with the command line. No other setting counts.
fn copied(from: &Database, to: &Database) -> std::process::Output {
    owlbox("sqlite://none.db", &["copy", "--from", &from.url, "--to", &to.url])
}

fn verified(database: &Database) -> Checked {
    verify(&mut Store::open_for_reading(&database.url.parse().unwrap()).unwrap()).unwrap()
}

/// The last hash of the books, and that of every stream.
pub fn hashes(database: &Database) -> Vec<String> {
    let mut connection = connected(&database.url);
    let hash = match connection {
        AnyConnection::Sqlite(_) => "lower(hex(hash))",
        AnyConnection::Postgres(_) => "encode(hash, 'hex')",
    };
    let books = format!("SELECT {hash} AS line FROM book_head");
    let streams = format!(
        "SELECT CAST(stream AS TEXT) || ' ' || {hash} AS line FROM journal
         WHERE version = (SELECT version FROM stream WHERE stream.id = journal.stream) ORDER BY 1"
    );
    [books, streams].iter().flat_map(|sql| lines(&mut connection, sql)).collect()
}

/// What was left at a place where nothing was to be left.
fn left(database: &Database) -> Vec<String> {
    match database.db() {
        Db::Sqlite => {
            let folder = Path::new(database.url.trim_start_matches("sqlite://")).parent().unwrap();
            folder
                .read_dir()
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect()
        }
        Db::Postgres => lines(
            &mut connected(&database.url),
            "SELECT relname::text AS line FROM pg_class WHERE relnamespace = current_schema()::regnamespace",
        ),
    }
}

/// Into the other kind of database, within it, and back.
#[test]
fn every_club_that_was_ever_kept_moves_to_postgres_and_back() {
    for file in kept() {
        let Some(schemas) = [(); 2].map(|()| Db::Postgres.fresh()).into_iter().collect::<Option<Vec<_>>>()
        else {
            return;
        };
        let [first, last] = [(); 2].map(|()| Db::Sqlite.fresh().unwrap());
        first.write_file(&std::fs::read(&file).unwrap());
        drop(first.store());
        let journey = [&first, &schemas[0], &schemas[1], &last];
        for step in journey.windows(2) {
            let [from, to] = [step[0], step[1]].map(|database| database.url.parse().unwrap());
            copy(&from, &to, &|done, all| assert!(done <= all)).unwrap_or_else(|error| {
                panic!("{}: {} to {}: {error}", file.display(), step[0].url, step[1].url)
            });
        }
        let figures = Checked { idempotency_records: 0, ..verified(&first) };
        assert!(figures.events > 100, "{}", file.display());
        assert_eq!(verified(&last), figures, "{}", file.display());
        for arrived in [&schemas[0], &last] {
            assert_eq!(hashes(arrived), hashes(&first), "{}", file.display());
        }
    }
}

/// Logins and tokens for scripts work where the club has moved, sessions do not; nothing is lost of what only
/// one of the databases would take easily; and the club can be played on.
#[test]
fn whoever_belongs_to_a_club_finds_it_where_it_has_moved() {
    let [first, last] = [(); 2].map(|()| Db::Sqlite.fresh().unwrap());
    let Some(between) = Db::Postgres.fresh() else { return };
    drop(filled(&first));
    make_admin_called(&first, "keeper");
    // Earlier versions accepted years of five digits.
    first.execute(
        r#"INSERT INTO registration VALUES ('01939bd0-0000-7000-8000-000000000001', 'zoe', 'Zoë "Z" \ {"a": 1}', '
            ', '+12345-01-02T03:04:05.000006Z');
        INSERT INTO mail_address SELECT id, 'Zoë@Club.example', 'zoë@club.example' FROM account LIMIT 1;
        INSERT INTO ledger_reading SELECT id, '+12345-01-02', id, 'ledger', '0900-01-02T03:04:05.000006Z' FROM player"#,
    );
    let sign_in = json!({"login": "keeper", "password": ADMIN.1});
    let (session, token) = {
        let server = Server::start(&first);
        let public = server.public();
        let session = public.post("/api/v1/sign-in", &sign_in).good().body;
        let admin = public.bearer(session["access_token"].as_str().unwrap());
        let made = admin.post("/api/v1/tokens", &json!({"name": "score board"})).good().body;
        let webhook = admin.post("/api/v1/webhooks", &json!({"url": "https://127.0.0.1:9999"})).good().body;
        let webhook = format!("/api/v1/webhooks/{}", webhook["id"].as_str().unwrap());
        admin.request("POST", &format!("{webhook}/ping")).send().good();
        admin.patch(&webhook, &json!({"active": false})).good();
        admin.request("POST", "/api/v1/players").key("once").json(&json!({"name": "Rita"})).send().good();
        (session, made["token"].as_str().unwrap().to_owned())
    };
    let before = verified(&first);
    assert_eq!(before.idempotency_records, 1);
    let said = good(&copied(&first, &between));
    assert!(said.contains(" to postgres://***@") && said.contains("players 19"), "{said}");
    let house = House::of(Server::start(&between), between);
    let public = house.server.public();
    public
        .post("/api/v1/refresh", &json!({"refresh_token": session["refresh_token"]}))
        .refused(401, "invalid_token");
    public.bearer(&token).get("/api/v1/accounts").good();
    house.sign_in("keeper", ADMIN.1).post("/api/v1/players", &json!({"name": "Otto"})).good();
    let House { server, database: between, .. } = house;
    drop(server);
    good(&copied(&between, &last));
    assert_eq!(hashes(&last), hashes(&between));
    let after = verified(&last);
    assert_eq!((after.players, after.idempotency_records), (before.players + 1, 0));
    let kept = [
        "registration",
        "ledger_reading",
        "one_time_link",
        "mail_address",
        "api_token",
        "credential",
        "token_epoch",
        "webhook",
        "webhook_delivery",
    ];
    for table in kept {
        let columns = "SELECT group_concat('\"' || name || '\"', ', ') AS line FROM pragma_table_info('{}')";
        let columns = lines(&mut connected(&first.url), &columns.replace("{}", table)).join("");
        let rows = format!("SELECT json_array({columns}) AS line FROM (SELECT * FROM {table}) ORDER BY 1");
        // Where it has been used meanwhile.
        let rows = rows.replace("\"hash\"", "hex(hash)").replace("\"last_used_at\"", "NULL");
        let rows = rows.replace("\"secret\"", "hex(secret)");
        let [original, arrived] = [&first, &last].map(|database| lines(&mut connected(&database.url), &rows));
        assert_eq!(arrived, original, "{table}");
    }
    assert_eq!([last.count("session"), last.count("refresh_token"), last.count("sign_in_attempt")], [0; 3]);
}

#[test]
fn a_place_that_has_a_club_is_refused_and_left_as_it_is() {
    let Some(from) = club(Db::Sqlite) else { return };
    for db in [Db::Sqlite, Db::Postgres] {
        let Some(there) = club(db) else { return };
        let before = hashes(&there);
        let why = match db {
            Db::Sqlite => "exists already: a copy needs a new file",
            Db::Postgres => "has a club already: a copy needs an empty database",
        };
        assert!(refused(&copied(&from, &there)).ends_with(why));
        assert_eq!(hashes(&there), before);
    }
    assert!(refused(&copied(&from, &from)).contains("exists already"), "its own place, too");
    // One of an older version is not even brought to this one.
    let older = Db::Sqlite.fresh().unwrap();
    older.write_file(&std::fs::read(&kept()[0]).unwrap());
    let versions = || {
        lines(&mut connected(&older.url), "SELECT version AS line FROM __diesel_schema_migrations ORDER BY 1")
    };
    let before = versions();
    assert!(refused(&copied(&from, &older)).contains("exists already"));
    assert_eq!(versions(), before);
    // And it is no source.
    let nowhere = Db::Sqlite.fresh().unwrap();
    assert!(refused(&copied(&older, &nowhere)).contains("start the service once"));
    assert_eq!(left(&nowhere), [""; 0]);
    drop(nowhere.store());
    assert!(refused(&copied(&nowhere, &Db::Sqlite.fresh().unwrap())).contains("there is no club"));
    // Nor is a file without a club written over, nor what a link leads to.
    assert!(refused(&copied(&from, &nowhere)).contains("exists already"));
    let link = Db::Sqlite.fresh().unwrap();
    let path = link.url.trim_start_matches("sqlite://");
    std::os::unix::fs::symlink("elsewhere.db", path).unwrap();
    assert!(refused(&copied(&from, &link)).contains("exists already"));
    // A PostgreSQL database without a club has room for one.
    let Some(empty) = Db::Postgres.fresh() else { return };
    drop(empty.store());
    good(&copied(&from, &empty));
}

/// What is signed with it, cards and statements, stays valid.
#[test]
fn the_key_file_of_a_club_can_be_used_on_postgres() {
    let Some(from) = club(Db::Sqlite) else { return };
    let Some(to) = Db::Postgres.fresh() else { return };
    let key = |database: &Database, file: &Path| {
        let mut program = Server::program_on(database);
        program.env_remove("OWLBOX_AUTH__SIGNING_KEYS").env("OWLBOX_AUTH__KEY_FILE", file);
        program.args(["books", "key"]).output().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.key");
    let own = good(&key(&from, &file));
    good(&copied(&from, &to));
    assert_eq!(good(&key(&to, &file)), own);
    // Instances that made a key each would not know each other's.
    let missing = folder.path().join("other.key");
    assert!(refused(&key(&to, &missing)).contains("other.key: No such file"));
    assert!(!missing.exists());
}

/// It would go on as if there were no club.
#[test]
fn a_schema_that_a_service_has_open_is_refused() {
    let Some(from) = club(Db::Sqlite) else { return };
    let Some(to) = Db::Postgres.fresh() else { return };
    let mut server = Server::start(&to);
    let locks = "SELECT count(*)::text AS line FROM pg_locks JOIN pg_namespace AS n ON objid = n.oid
        WHERE locktype = 'advisory' AND nspname = current_schema()";
    let until = Instant::now() + Duration::from_secs(10);
    while lines(&mut connected(&to.url), locks) != ["1"] {
        assert!(Instant::now() < until, "the service never shows that it has the club open");
        std::thread::sleep(Duration::from_millis(20));
    }
    let said = refused(&copied(&from, &to));
    assert!(said.starts_with("a service has postgres://***@") && said.ends_with("and copy again"), "{said}");
    assert!(server.stop().success());
    good(&copied(&from, &to));
    assert_eq!(hashes(&to), hashes(&from));
}

/// Another program may have its tables in the same schema: ours would stand among them.
#[test]
fn a_schema_with_tables_of_another_program_is_refused() {
    let Some(from) = club(Db::Sqlite) else { return };
    let Some(to) = Db::Postgres.fresh() else { return };
    to.execute("CREATE TABLE wp_posts (id BIGINT)");
    let said = refused(&copied(&from, &to));
    assert!(
        said.ends_with("has the table wp_posts, which is not Owlbox's: give the club a schema of its own"),
        "{said}"
    );
    assert_eq!(left(&to), ["wp_posts"]);
}

#[test]
fn of_a_club_that_is_not_in_order_or_cannot_be_written_nothing_stays() {
    for db in [Db::Sqlite, Db::Postgres] {
        let (Some(from), Some(to)) = (Db::Sqlite.fresh(), db.fresh()) else { return };
        assert!(refused(&copied(&from, &to)).contains("No such file"));
        drop(filled(&from));
        from.execute("UPDATE chouette SET games = 4");
        let said = refused(&copied(&from, &to));
        assert!(said.starts_with("the club does not verify, so nothing was copied: chouette,"), "{said}");
        assert_eq!(left(&to), [""; 0]);
        from.execute("UPDATE chouette SET games = 5");
        // What `verify` does not look into: no text for one of the databases, or for either.
        let text = if db == Db::Postgres { "char(0)" } else { "CAST(X'ff' AS TEXT)" };
        let id = "01939bd0-0000-7000-8000-000000000001";
        let at = "2026-11-26T21:00:00.000000Z";
        from.execute(&format!("INSERT INTO registration VALUES ('{id}', 'zoe', {text}, 'x', '{at}')"));
        refused(&copied(&from, &to));
        match db {
            Db::Sqlite => assert_eq!(left(&to), ["club.db.lock"]),
            Db::Postgres => {
                let rows = "SELECT count(*)::text AS line FROM stream";
                assert_eq!(lines(&mut connected(&to.url), rows), ["0"]);
            }
        }
        // What was made of it is in nobody's way.
        from.execute("DELETE FROM registration");
        good(&copied(&from, &to));
    }
}
