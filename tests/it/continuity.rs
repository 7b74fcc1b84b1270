//! Clubs made by earlier versions of the program: every later version opens, migrates and verifies them.
//!
//! Every change of the schema or of an event's format adds a club to `tests/data/clubs/`, made by the last
//! version before the change:
//!
//! ```text
//! OWLBOX_MAKE_CLUB=02-what-is-new cargo test --test it continuity
//! ```
//!
//! This writes `tests/data/clubs/02-what-is-new.sqlite` as one small file, and never overwrites an existing
//! one. The clubs are data: nothing may change them. (07 was made later, by a program with migrations 19 and
//! 20, and both were reverted in it.)

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use owlbox::cli::demo;
use owlbox::cli::night::Night;
use owlbox::cli::night::script::Script;
use owlbox_base::values::Holder;
use owlbox_chouette as chouette;
use owlbox_chouette::Chouette;
use owlbox_desk::verify::verify;
use owlbox_desk::{Actor, Dependencies, Desk, Request};
use owlbox_store::{DatabaseUrl, Options, Store, backup, books, chouettes, statistics};
use serde_json::json;

use crate::support::databases::Db;
use crate::support::house::{ADMIN, House, make_admin_called};
use crate::support::server::Server;

fn clubs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/clubs")
}

/// All kept clubs, oldest first.
pub fn kept() -> Vec<PathBuf> {
    let Ok(folder) = std::fs::read_dir(clubs()) else { return Vec::new() };
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "sqlite"));
    files.sort();
    files
}

/// A copy of a club in a temporary folder.
fn copied(club: &Path) -> (tempfile::TempDir, DatabaseUrl) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.db");
    std::fs::copy(club, &file).unwrap();
    (folder, DatabaseUrl::Sqlite(file))
}

#[test]
fn every_club_that_was_ever_kept_is_opened_migrated_and_verified() {
    for club in kept() {
        let (_folder, url) = copied(&club);
        drop(Store::open(&url, &Options::default()).unwrap_or_else(|e| panic!("{}: {e}", club.display())));
        let mut connection = Store::open_for_reading(&url).unwrap();
        let checked = verify(&mut connection).unwrap_or_else(|error| panic!("{}: {error}", club.display()));
        assert!(checked.transactions > 0 && checked.accounts > 0, "{}: {checked}", club.display());
    }
}

#[test]
fn m8_what_everybody_has_won_by_an_old_clubs_statistics_is_what_its_books_say() {
    for club in kept() {
        let (_folder, url) = copied(&club);
        let store = Store::open(&url, &Options::default()).unwrap();
        let mut won: BTreeMap<_, i64> = BTreeMap::new();
        for row in store.read_blocking(statistics::all).unwrap() {
            let (tally, count) = row.read().unwrap();
            if tally.opponent.is_none() {
                *won.entry(tally.player.map(Holder::Player)).or_default() += count.half_points;
            }
        }
        let balances = store.read_blocking(books::all_balances).unwrap();
        let scores: Vec<_> = balances.iter().filter(|balance| balance.unit == "half_points").collect();
        assert!(!scores.is_empty(), "{}", club.display());
        for score in scores {
            assert_eq!(won.remove(&Some(score.holder())), Some(score.amount), "{}", club.display());
        }
        assert!(won.remove(&None).is_some() && won.is_empty(), "{}: {won:?}", club.display());
    }
}

/// A club kept from before the books recorded the variant.
#[test]
fn an_old_clubs_books_say_what_was_played() {
    let (_folder, url) = copied(&clubs().join("06-before-variants-in-the-books.sqlite"));
    let store = Store::open(&url, &Options::default()).unwrap();
    let heads = store.read_blocking(books::all_heads).unwrap();
    assert!(heads.iter().all(|head| head.variant.is_some() == (head.game != books::NO_GAME)));
    let (usual, other): (Vec<_>, Vec<_>) = heads
        .iter()
        .filter_map(|head| Some((head.kind.as_str(), head.game, head.variant.as_deref()?)))
        .partition(|(.., variant)| *variant == "standard");
    assert_eq!(other, ["game", "reversal", "game"].map(|kind| (kind, 1, "nackgammon")));
    assert!(usual.len() > 22, "the night of the club");
}

#[test]
fn a_club_that_was_kept_can_be_played_on() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for club in kept() {
        let (_folder, url) = copied(&club);
        let store = Store::open(&url, &Options::default()).unwrap();
        let desk = Desk::new(Dependencies::with_store(store.clone()));
        let open = store.read_blocking(chouettes::all).unwrap();
        let mut open = open.into_iter().filter(|row| row.closed_at.is_none());
        let id = open.next().unwrap_or_else(|| panic!("{}: no night in progress", club.display())).id.into();
        for command in [json!({"command": "undo"}), json!({"command": "redo"})] {
            let order = serde_json::from_value(command).unwrap();
            let carried_out = desk.command::<Chouette>(Request::by(Actor::CONSOLE), id, order);
            runtime.block_on(carried_out).unwrap_or_else(|error| panic!("{}: {error}", club.display()));
        }
        verify(&mut Store::open_for_reading(&url).unwrap()).unwrap();
    }
}

/// The stored events keep their old formats, but clients receive only today's.
#[test]
fn an_old_club_answers_with_todays_events_in_the_log_and_in_the_live_stream() {
    for club in kept() {
        let Some(database) = Db::Sqlite.fresh() else { return };
        std::fs::copy(&club, database.url.trim_start_matches("sqlite://")).unwrap();
        make_admin_called(&database, "reader");
        let house = House::of(Server::start(&database), database);
        let admin = house.sign_in("reader", ADMIN.1);
        let tables = admin.get("/api/v1/chouettes").good().body;
        for table in tables["items"].as_array().unwrap() {
            let path = format!("/api/v1/chouettes/{}", table["id"].as_str().unwrap());
            let mut log = Vec::new();
            let mut page = admin.get(&format!("{path}/acts?limit=20")).good().body;
            loop {
                log.extend(page["items"].as_array().unwrap().iter().cloned());
                let Some(next) = page["next"].as_str() else { break };
                page = admin.get(&format!("{path}/acts?limit=20&after={next}")).good().body;
            }
            log.reverse();
            let mut stream = admin.events(&format!("{path}/events?after=0"), None);
            for act in &log {
                assert_eq!(stream.next_event().json(), *act, "{}", club.display());
                for event in act["events"].as_array().unwrap() {
                    if !matches!(event["event"].as_str(), Some("undone" | "redone")) {
                        let read = serde_json::from_value::<chouette::Event>(event.clone());
                        let read =
                            read.unwrap_or_else(|error| panic!("{}: {event}: {error}", club.display()));
                        assert_eq!(serde_json::to_value(read).unwrap(), *event, "{}", club.display());
                    }
                }
            }
            assert_eq!(log[0]["events"][0]["event"], "opened");
            assert!(log[0]["events"][0]["rules"]["game"].is_object(), "{}", log[0]["events"][0]);
        }
    }
}

/// Makes a club, and keeps it if the environment asks for that.
#[test]
fn a_club_to_keep_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(filled(&url));
    let Ok(name) = std::env::var("OWLBOX_MAKE_CLUB") else { return };
    let to = clubs().join(format!("{name}.sqlite"));
    assert!(!to.exists(), "{} is kept, and stays as it is", to.display());
    std::fs::create_dir_all(clubs()).unwrap();
    backup::backup(&url, &to).unwrap();
    // A single file, in a journal mode that needs no log beside it.
    let mut connection =
        owlbox_store::connection::connect(&DatabaseUrl::Sqlite(to), owlbox_store::Use::Write).unwrap();
    diesel::connection::SimpleConnection::batch_execute(
        &mut connection,
        "PRAGMA journal_mode = DELETE; VACUUM;",
    )
    .unwrap();
}

/// A money session in a variant of backgammon.
const SESSION: &str = r#"
{"sheet": "nack", "command": "open", "players": ["Nina", "Otto"], "terms": {"play": "money", "stake": {"amount": 100, "currency": "EUR"}, "game": {"variant": "nackgammon"}}}
{"sheet": "nack", "command": "game", "winner": "upper", "win": "gammon", "cube": 2}
{"sheet": "nack", "command": "undo"}
{"sheet": "nack", "command": "game", "winner": "lower", "win": "single", "cube": 4}
"#;

/// The worked night with its undone acts, a money session, and then the content of a demonstration: accounts,
/// and a night in progress.
async fn filled(url: &DatabaseUrl) {
    let mut friday = std::fs::read_to_string(clubs().join("../nights/friday.jsonl")).unwrap();
    // The demonstration has people who are called the same.
    for name in ["Ada", "Bruno", "Chiara", "Dino", "Elena", "Fabio", "Giulia"] {
        friday = friday.replace(&format!("\"{name}\""), &format!("\"{name} B.\""));
    }
    let script = Script::read(&format!("{friday}{SESSION}")).unwrap();
    let store = Store::open(url, &Options::default()).unwrap();
    let mut night = Night::opened(&script, store.clone()).await.unwrap();
    for line in &script.lines {
        night.play(line).await.unwrap();
    }
    let later = script.header.start.utc() + chrono::TimeDelta::days(60);
    demo::fill(store, later.into(), 0).await.unwrap();
}
