//! Many clubs in one service: each at its host, made and moved by the command line.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::json;

use crate::support::client::Answer;
use crate::support::databases::{Db, cluster, connected, lines};
use crate::support::federation::{DOMAIN, Federation};
use crate::support::house::{ADMIN, House};

#[rstest]
fn a_club_is_reached_by_its_host_or_by_a_path(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(federation) = Federation::open(db, &[]) else { return };
    let (lugano, bern) = (federation.club("lugano"), federation.club("bern"));
    let mario = lugano.player("Mario");
    bern.player("Luigi");
    assert_eq!((lugano.names(), bern.names()), (vec!["Mario".to_owned()], vec!["Luigi".to_owned()]));

    // With a port, in capitals, with the dot of a full name: it is the same host.
    let path = format!("/api/v1/players/{mario}");
    for host in [format!("{}:8080", lugano.host), lugano.host.to_uppercase(), format!("{}.", lugano.host)] {
        lugano.admin.at_host(&host).get(&path).good();
    }
    bern.admin.get(&path).refused(404, "not_found");
    // A token of one club is nothing in another.
    lugano.admin.at_host(&bern.host).get("/api/v1/players").refused(401, "invalid_token");

    // By a path, whatever the host.
    let script = lugano.admin.at_host("127.0.0.1");
    script.get(&format!("/clubs/{}{path}", lugano.name)).good();
    script.get(&format!("/clubs/{}{path}", bern.name)).refused(401, "invalid_token");
    script.get(&format!("/clubs/{}/api/v1/nothing", lugano.name)).refused(404, "not_found");
    script.get("/clubs/nobody/api/v1/players").refused(404, "no_such_club");
    // Pages are at the host alone: those of two clubs would share what a browser keeps. So browsers are sent
    // there.
    for (page, at_host) in [
        ("", "/"),
        ("/", "/"),
        ("/players?page=2", "/players?page=2"),
        ("/apifoo", "/apifoo"),
        ("//x", "//x"),
    ] {
        for (asked, port) in [("127.0.0.1", ""), ("clubs.example:8080", ":8080")] {
            let sent = lugano.public.at_host(asked).get(&format!("/clubs/{}{page}", lugano.name));
            assert_eq!(sent.status, 307, "{sent}");
            assert_eq!(sent.header("location"), Some(&*format!("http://{}{port}{at_host}", lugano.host)));
        }
    }
    script.get("/clubs/Not_a_name/players").refused(404, "no_such_club");
    script.post(&format!("/clubs/{}/players", lugano.name), &json!({})).refused(404, "no_such_club");

    let listed = federation.told(&["club", "list"]);
    for club in [&lugano, &bern] {
        assert!(listed.lines().any(|line| line == club.name), "{listed}");
        federation.verify(&club.name);
    }
}

/// What an engine that places schemas on different machines asks for.
#[test]
fn nothing_in_a_schema_needs_anything_of_another() {
    let Some(federation) = Federation::open(Db::Postgres, &[]) else { return };
    let clubs = [federation.club("lugano"), federation.club("bern")];
    let mut cluster = connected(&cluster().unwrap());
    for club in clubs {
        let schema = format!("club_{}", club.name.replace('-', "_"));
        // Foreign keys, defaults, functions, triggers, types: whatever the server knows to depend on
        // something else, both ways.
        let across = format!(
            "SELECT one.identity || ' needs ' || other.identity AS line FROM pg_depend \
             CROSS JOIN LATERAL pg_identify_object(classid, objid, 0) AS one \
             CROSS JOIN LATERAL pg_identify_object(refclassid, refobjid, 0) AS other \
             WHERE (one.identity ~ '\\m{schema}\\.') <> (other.identity ~ '\\m{schema}\\.') \
             AND other.identity !~ '^pg_catalog\\.' AND one.schema IS DISTINCT FROM 'pg_toast' \
             AND other.type NOT IN ('schema', 'language')"
        );
        assert_eq!(lines(&mut cluster, &across), Vec::<String>::new());
        // What the server does not look into: its functions name no schema, and find their tables on the
        // caller's search path.
        let naming = format!(
            "SELECT proname::text AS line FROM pg_proc WHERE pronamespace = '{schema}'::regnamespace \
             AND (prosrc ~ '\\m(public|club_\\w+|away_\\w+)\\.' OR proconfig IS NOT NULL)"
        );
        assert_eq!(lines(&mut cluster, &naming), Vec::<String>::new());
        let functions = format!(
            "SELECT proname::text AS line FROM pg_proc WHERE pronamespace = '{schema}'::regnamespace"
        );
        assert!(lines(&mut cluster, &functions).len() > 3, "there is something to look into");
        let keyless = format!(
            "SELECT relname::text AS line FROM pg_class WHERE relnamespace = '{schema}'::regnamespace AND relkind = 'r' \
             AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = pg_class.oid AND contype = 'p')"
        );
        assert_eq!(
            lines(&mut cluster, &keyless),
            Vec::<String>::new(),
            "a table that is moved needs a primary key"
        );
    }
}

#[rstest]
fn an_address_without_a_club_says_so(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(federation) = Federation::open(db, &[]) else { return };
    for host in [DOMAIN, "127.0.0.1:8080", "nobody.clubs.example", "a.b.clubs.example", "clubs.example.org"] {
        let stranger = federation.server.public().at_host(host);
        for path in ["/api/v1/players", "/%61pi/v1/reference/equities"] {
            stranger.get(path).refused(404, "no_such_club");
        }
        let page = stranger.request("GET", "/").header("Accept-Language", "de").send();
        assert_eq!(page.status, 404, "{page}");
        assert!(page.flows("Unter dieser Adresse gibt es keinen Club."), "{page}");
        assert_eq!(page.header("x-frame-options"), Some("DENY"));
        // What is the same for all clubs is reached at any address.
        for path in
            ["/healthz", "/readyz", "/metrics", "/api/v1/openapi.json", "/api/v1/version", "/docs/problems"]
        {
            assert_eq!(stranger.get(path).status, 200, "{path}");
        }
    }
}

#[rstest]
fn a_club_is_renamed_put_away_and_brought_back_beside_the_service(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some(federation) = Federation::open(db, &[]) else { return };
    let club = federation.club("lugano");
    club.player("Mario");
    let to = federation.name("ticino");
    federation.told(&["club", "move", &club.name, &to]);
    club.public.get("/api/v1/players").refused(404, "no_such_club");
    // It is the same club, with its people, their sign-ins and its keys.
    let moved = club.admin.at_host(&format!("{to}.{DOMAIN}"));
    assert_eq!(moved.get("/api/v1/players").good().body["items"][0]["name"], "Mario");

    // The name is free for another, which has nothing of it.
    let other = federation.club("lugano");
    assert_eq!(other.names(), Vec::<String>::new());
    club.admin.get("/api/v1/players").refused(401, "invalid_token");
    let said = federation.refused(&["club", "move", &club.name, &to]);
    assert!(said.contains("already"), "{said}");

    let told = federation.told(&["club", "archive", &to]);
    moved.get("/api/v1/players").refused(404, "no_such_club");
    let back = told.lines().last().and_then(|line| line.rsplit_once("--from ")).expect("where it is").1;
    federation.told(&["club", "create", &to, "--from", back]);
    assert_eq!(moved.get("/api/v1/players").good().body["items"][0]["name"], "Mario");
    federation.verify(&to);
    federation.refused(&["club", "archive", "nobody"]);
    federation.refused(&["club", "create", "Not a name"]);
}

#[rstest]
fn a_command_says_which_club_it_is_about(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(federation) = Federation::open(db, &[]) else { return };
    let club = federation.club("lugano");
    let said = federation.refused(&["verify"]);
    assert!(said.contains("--club NAME"), "{said}");
    federation.refused(&["--club", "nobody", "verify"]);
    // One that writes, beside the service, which has the club open.
    club.admin.get("/api/v1/players").good();
    let order = json!({"command": "spend", "currency": "EUR", "amount": 300, "memo": "Dice"}).to_string();
    federation.told(&["--club", &club.name, "books", "note", &order]);
    let daybook = club.admin.get("/api/v1/daybook").good();
    assert!(daybook.body.to_string().contains("Dice"), "{daybook}");
}

#[test]
fn a_service_of_one_club_has_no_other() {
    let database = Db::Sqlite.fresh().unwrap();
    for command in [&["club", "list"][..], &["--club", "lugano", "verify"]] {
        let output = crate::support::server::Server::program_on(&database).args(command).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("clubs.domain is not set"), "{said}");
    }
}

#[rstest]
fn a_club_that_a_service_had_alone_becomes_one_of_many(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(federation) = Federation::open(db, &[]) else { return };
    let mut house = House::open(db).unwrap();
    house.player(&house.admin(), "Mario");
    house.server.stop();
    let from = match db {
        Db::Sqlite => house.database.url.trim_start_matches("sqlite://").to_owned(),
        Db::Postgres => house.database.url.rsplit_once("search_path%3D").unwrap().1.to_owned(),
    };
    let name = federation.name("alone");
    federation.told(&["club", "create", &name, "--from", &from]);
    // Its people and everything else have come along.
    let there = federation.at(&name);
    let sign_in = json!({"login": ADMIN.0, "password": ADMIN.1});
    let signed_in = there.post("/api/v1/sign-in", &sign_in).good().body;
    let admin = there.bearer(signed_in["access_token"].as_str().unwrap());
    assert_eq!(admin.get("/api/v1/players").good().body["items"][0]["name"], "Mario");
    federation.verify(&name);
    let said = federation.refused(&["club", "create", &name, "--from", &from]);
    assert!(said.contains("already") || said.contains("not a club"), "{said}");
    federation.refused(&["club", "create", &federation.name("other"), "--from", "/nothing"]);
}

#[rstest]
fn a_live_stream_keeps_its_club_awake_and_ends_when_it_is_moved(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(federation) = Federation::open(db, &[("CLUBS__AWAKE", "1")]) else { return };
    // The second is created while the first may still be used: then it has to wait for it.
    let lugano = federation.club("lugano");
    let table = in_time(|| lugano.admin.post("/api/v1/chouettes", &json!({"name": "Friday"}))).good().body;
    let id = table["chouette"]["id"].as_str().unwrap().to_owned();
    let mut live = lugano.admin.events(&format!("/api/v1/chouettes/{id}/events"), None);
    assert_eq!(live.status, 200);
    let bern = federation.name("bern");
    federation.told(&["club", "create", &bern]);
    let at_bern = || federation.at(&bern).get("/api/v1/tournaments");
    // Only one may be awake, and it is listened to.
    at_bern().refused(503, "busy");
    federation.told(&["club", "move", &lugano.name, &federation.name("ticino")]);
    assert!(live.ended_within(Duration::from_secs(30)));
    // Now there is room.
    in_time(at_bern).good();
}

/// The answer of a club once it is not busy any more.
fn in_time(ask: impl Fn() -> Answer) -> Answer {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = ask();
        if answer.status != 503 || Instant::now() >= until {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_broken_club_is_no_matter_of_the_others() {
    let Some(federation) = Federation::open(Db::Sqlite, &[]) else { return };
    let good = federation.club("good");
    let broken = federation.name("broken");
    std::fs::write(federation.folder().join(format!("{broken}.db")), "this is no database").unwrap();
    let stranger = federation.at(&broken);
    for _ in 0..3 {
        stranger.get("/api/v1/players").refused(500, "internal_error");
        good.player(&format!("Player {}", good.names().len()));
    }
    assert_eq!(stranger.get("/").status, 500);
    assert_eq!(federation.server.public().get("/readyz").status, 200);
}

/// Where as many are open as may be, each that is asked for has another closed, and gets the place of that
/// one.
#[test]
fn clubs_that_are_asked_for_at_once_are_not_told_busy_while_others_sleep() {
    let Some(federation) = Federation::open(Db::Sqlite, &[("CLUBS__AWAKE", "8")]) else { return };
    let clubs: Vec<String> = (0..16).map(|number| federation.name(&format!("c{number}"))).collect();
    for club in &clubs {
        federation.told(&["club", "create", club]);
    }
    // One half is awake when the other is asked for, and the other way round.
    for half in clubs.chunks(8).cycle().take(6) {
        std::thread::scope(|scope| {
            for club in half {
                scope.spawn(|| federation.at(club).get("/api/v1/players").refused(401, "not_signed_in"));
            }
        });
    }
}

#[rstest]
fn a_crowd_wakes_a_club_once_and_nothing_is_lost_when_it_sleeps(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut federation) = Federation::open(db, &[("CLUBS__AWAKE", "2")]) else { return };
    let clubs = ["a", "b", "c", "d"].map(|short| federation.club(short));
    // More clubs than may be awake, from several sides at once: they wake and sleep all the time.
    std::thread::scope(|scope| {
        for club in &clubs {
            for side in 0..2 {
                scope.spawn(move || {
                    for number in 0..8 {
                        let new = json!({ "name": format!("Player {side} {number}") });
                        in_time(|| club.admin.post("/api/v1/players", &new)).good();
                    }
                });
            }
        }
    });
    for club in &clubs {
        let listed = in_time(|| club.admin.get("/api/v1/players")).good().body;
        assert_eq!(listed["items"].as_array().unwrap().len(), 16, "{}", club.name);
    }
    assert!(federation.server.stop().success());
    for club in &clubs {
        federation.verify(&club.name);
    }
}
