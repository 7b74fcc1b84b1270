//! Ratings from outside: the ranking, the history of each rating, and the club's rating formula.

use chrono::{DateTime, TimeDelta};
use owlbox_base::values::PlayerId;
use owlbox_desk::{Actor, Dependencies, Desk, Request};
use owlbox_play::tournament::rated::{Key, Rated, run};
use owlbox_play::tournament::rating::Experience;
use owlbox_store::StoreError;
use owlbox_store::ratings::{self, RatedMatchRow, RatingRow};
use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::client::Client;
use crate::support::databases::{Database, Db};
use crate::support::house::{ADMIN, club};
use crate::support::server::Server;

const OPEN: Uuid = Uuid::from_u128(0x0190_a6f4_0000_7000_8000_0000_0000_0777);
const FRIENDLY: Uuid = Uuid::from_u128(0x0190_a6f4_0000_7000_8000_0000_0000_0778);

/// A club in which Ada beat Bea in a tournament and then lost a friendly match to her.
struct Club {
    server: Server,
    admin: Client,
    ada: PlayerId,
    bea: PlayerId,
    _database: Database,
}

fn desk(database: &Database) -> Desk {
    Desk::new(Dependencies::with_store(database.store()))
}

fn player(database: &Database, name: &str) -> PlayerId {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let details = serde_json::from_value(json!({ "name": name })).unwrap();
    runtime.block_on(desk(database).add_player(Request::by(Actor::CONSOLE), details, false)).unwrap().0
}

fn rate(database: &Database, ada: PlayerId, bea: PlayerId) {
    database.execute(&format!(
        "INSERT INTO stream (id, kind, version) VALUES ('{OPEN}', 'tournament', 1), ('{FRIENDLY}', 'match', 1)"
    ));
    let start = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    let one = |key, minute, length: u16, winner, loser| {
        let finished_at = (start + TimeDelta::minutes(minute)).into();
        Rated { key, finished_at, length: length.try_into().unwrap(), winner, loser }
    };
    let matches = [
        one(Key { stream: OPEN, division: 1, number: 4 }, 0, 9, ada, bea),
        one(Key { stream: FRIENDLY, division: 0, number: 0 }, 60, 1, bea, ada),
    ];
    let store = database.store();
    let done = store.write_blocking(move |unit| {
        let history = run(&matches, Experience::Before);
        for (one, standings) in history.matches.values() {
            ratings::insert(unit.connection()?, &RatedMatchRow::new(one, *standings))?;
        }
        for (player, total) in history.totals {
            let (value, experience) = (total.standing.rating.0, i64::from(total.standing.experience));
            let row = RatingRow { player: player.into(), value, experience, matches: 2 };
            ratings::put_rating(unit.connection()?, row)?;
        }
        Ok::<_, StoreError>(())
    });
    done.unwrap();
}

impl Club {
    fn open(db: Db) -> Option<Self> {
        let database = club(db)?;
        let (ada, bea) = (player(&database, "Ada"), player(&database, "Bea"));
        rate(&database, ada, bea);
        let server = Server::start(&database);
        let signed_in =
            server.public().post("/api/v1/sign-in", &json!({"login": ADMIN.0, "password": ADMIN.1})).good();
        let admin = server.public().bearer(signed_in.body["access_token"].as_str().unwrap());
        Some(Self { server, admin, ada, bea, _database: database })
    }

    fn get(&self, path: &str) -> Value {
        self.admin.get(&format!("/api/v1/{path}")).good().body
    }
}

/// Door: ratings.
#[rstest]
fn ratings_are_listed_and_each_has_its_history(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    // 5 x 6 points, and then 4.91 times what a favourite of 60 points loses in a match to one.
    let best = club.get("ratings?limit=1");
    assert_eq!(best["items"][0]["player"], json!(club.ada));
    let (rating, next) = (best["items"][0]["rating"].as_i64().unwrap(), best["next"].as_str().unwrap());
    assert!((1_519_000..1_520_000).contains(&rating), "{rating}");
    assert_eq!((&best["items"][0]["experience"], &best["items"][0]["matches"]), (&json!(10), &json!(2)));
    let second = club.get(&format!("ratings?limit=1&after={next}"));
    assert_eq!((&second["items"][0]["player"], &second["next"]), (&json!(club.bea), &Value::Null));

    let newest = club.get(&format!("players/{}/ratings?limit=1", club.ada));
    let line = &newest["items"][0];
    assert_eq!((&line["match"], &line["tournament"]), (&json!(FRIENDLY), &Value::Null));
    assert_eq!(
        (&line["won"], &line["opponent"], &line["length"]),
        (&json!(false), &json!(club.bea), &json!(1))
    );
    assert_eq!(line["rating"], rating);
    assert_eq!(line["change"], rating - 1_530_000);
    let older = format!("players/{}/ratings?after={}", club.ada, newest["next"].as_str().unwrap());
    let older = club.get(&older);
    let line = &older["items"][0];
    assert_eq!(
        (&line["tournament"], &line["division"], &line["number"]),
        (&json!(OPEN), &json!(1), &json!(4))
    );
    assert_eq!((&line["rating"], &line["change"]), (&json!(1_530_000), &json!(30_000)));
    assert_eq!((older["items"].as_array().unwrap().len(), &older["next"]), (1, &Value::Null));
    club.admin.get("/api/v1/ratings?after=best").refused(400, "invalid_query");
    club.admin.get(&format!("/api/v1/players/{}/ratings?after=1_2", club.ada)).refused(400, "invalid_query");
}

/// Door: ratings.
#[rstest]
fn the_convention_is_the_clubs_and_a_players_page_shows_the_course(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    let browser = club.server.public().cookies();
    let token = crate::walk::csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let page = browser.get(&format!("/players/{}", club.ada)).good();
    for words in ["2 rated matches", "<polyline points=", "1519."] {
        assert!(page.text().contains(words), "{words}: {}", page.text());
    }
    let page = browser.get("/ratings").good();
    let at = |words: &str| page.text().find(words).unwrap_or_else(|| panic!("{words}: {}", page.text()));
    assert!(at("Ada") < at("1519.") && at("1519.") < at("Bea") && at("Bea") < at("1480."));

    let mut settings = club.get("settings");
    assert_eq!(settings["rating_experience"], "before");
    let shown = browser.get("/settings").good();
    let token = crate::walk::csrf(&shown);
    let name = settings["name"].as_str().unwrap();
    let form = [
        ("csrf", token.as_str()),
        ("name", name),
        ("time_zone", "UTC"),
        ("currencies", "EUR"),
        ("rating_experience", "including"),
    ];
    assert_eq!(browser.request("POST", "/settings").form(&form).send().status, 303);
    assert_eq!(club.get("settings")["rating_experience"], "including");
    // The first nine points count for the match itself: 4.91 x 6.
    let history = club.get(&format!("players/{}/ratings", club.ada));
    assert_eq!(history["items"][1]["change"], 29_460);
    settings["rating_experience"] = json!("after");
    club.admin.put("/api/v1/settings", &settings).refused(400, "invalid_body");
    settings["rating_experience"] = json!("before");
    club.admin.put("/api/v1/settings", &settings).good();
    assert_eq!(club.get(&format!("players/{}/ratings", club.ada))["items"][1]["change"], 30_000);
}
