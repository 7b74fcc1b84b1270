use tempfile::TempDir;

use super::*;
use crate::{Options, Store};

/// A place for clubs on either database. On PostgreSQL many tests share one, so names are made unique.
struct Place {
    clubs: Clubs,
    _folder: Option<TempDir>,
}

#[derive(Clone, Copy)]
enum Db {
    Sqlite,
    Postgres,
}

impl Db {
    fn place(self) -> Option<Place> {
        match self {
            Self::Sqlite => {
                let folder = tempfile::tempdir().unwrap();
                let clubs = Clubs::at(&DatabaseUrl::Sqlite(folder.path().join("clubs"))).unwrap();
                Some(Place { clubs, _folder: Some(folder) })
            }
            Self::Postgres => {
                let Ok(url) = std::env::var("OWLBOX_TEST_POSTGRES") else {
                    assert!(std::env::var("OWLBOX_TEST_SKIP_POSTGRES").is_ok(), "run `bash tests/run.sh`");
                    return None;
                };
                Some(Place { clubs: Clubs::at(&url.parse().unwrap()).unwrap(), _folder: None })
            }
        }
    }
}

fn label() -> ClubLabel {
    let random = Uuid::now_v7().simple().to_string();
    format!("c-{}", &random[12..]).parse().unwrap()
}

fn is_no_such(outcome: Result<ClubLocation, ClubsError>) -> bool {
    matches!(outcome, Err(ClubsError::NoSuchClub(_)))
}

fn open(location: &ClubLocation) -> Store {
    Store::open(&location.url, &Options { pool_size: 1, ..Options::default() }).unwrap()
}

fn mark(store: &Store) {
    use diesel::connection::SimpleConnection as _;
    let made = store.write_blocking(|transaction| {
        Ok::<_, StoreError>(transaction.connection()?.batch_execute("CREATE TABLE mark (made INTEGER)")?)
    });
    made.unwrap();
}

fn is_marked(store: &Store) -> bool {
    use diesel::connection::SimpleConnection as _;
    let look = |connection: &mut crate::AnyConnection| {
        Ok::<_, StoreError>(connection.batch_execute("SELECT made FROM mark")?)
    };
    store.read_blocking(look).is_ok()
}

#[test]
fn a_club_is_created_once_renamed_put_away_and_brought_back() {
    [Db::Sqlite, Db::Postgres]
        .into_iter()
        .filter_map(Db::place)
        .for_each(|place| comes_and_goes(&place.clubs));
}

fn comes_and_goes(clubs: &Clubs) {
    let (first, second, third) = (label(), label(), label());
    assert!(is_no_such(clubs.find(&first)));
    mark(&open(&clubs.create(&first).unwrap()));
    assert!(matches!(clubs.create(&first), Err(ClubsError::Exists(_))));
    assert!(clubs.list().unwrap().contains(&first));

    clubs.create(&second).unwrap();
    assert!(matches!(clubs.borrow(&first).unwrap().rename(&second), Err(ClubsError::Exists(_))));
    assert!(is_marked(&open(&clubs.find(&first).unwrap())), "nothing of it was moved");

    clubs.borrow(&first).unwrap().rename(&third).unwrap();
    assert!(is_no_such(clubs.find(&first)));
    assert!(is_marked(&open(&clubs.find(&third).unwrap())));
    assert!(!is_marked(&open(&clubs.find(&second).unwrap())), "one club is not the other");

    let away = clubs.borrow(&third).unwrap().archive(Utc::now()).unwrap();
    assert!(is_no_such(clubs.find(&third)));
    assert!(!clubs.list().unwrap().contains(&third));
    assert!(is_marked(&open(&clubs.adopt(&first, &away).unwrap().0)));
    assert!(matches!(clubs.adopt(&third, "nothing"), Err(ClubsError::NoClub { .. })));
    for label in [first, second] {
        clubs.borrow(&label).unwrap().archive(Utc::now()).unwrap();
    }
}

#[test]
fn a_club_that_somebody_has_alone_cannot_be_opened_and_is_wanted() {
    [Db::Sqlite, Db::Postgres].into_iter().filter_map(Db::place).for_each(|place| is_had_alone(&place.clubs));
}

fn is_had_alone(clubs: &Clubs) {
    let (one, other) = (label(), label());
    let open = [&one, &other].map(|label| (label.clone(), clubs.create(label).unwrap().identity));
    assert_eq!(clubs.wanted(&open).unwrap(), []);
    let alone = clubs.borrow(&one).unwrap();
    assert_eq!(clubs.wanted(&open).unwrap(), std::slice::from_ref(&one));
    assert!(matches!(clubs.open(&one, &Options::default()), Err(ClubsError::Borrowed(_))));
    assert!(clubs.open(&other, &Options::default()).is_ok());
    drop(alone);
    assert_eq!(clubs.wanted(&open).unwrap(), [], "nobody has it any more");
    assert!(clubs.open(&one, &Options::default()).is_ok());
    for label in [one, other] {
        clubs.borrow(&label).unwrap().archive(Utc::now()).unwrap();
    }
    assert_eq!(clubs.wanted(&open).unwrap().len(), 2, "they are gone");
}

/// What one connection to the server of the tests answers.
fn server(sql: &str) -> Vec<i32> {
    use diesel::RunQueryDsl as _;
    #[derive(diesel::QueryableByName)]
    struct Answer {
        #[diesel(sql_type = diesel::sql_types::Integer)]
        number: i32,
    }
    let url = std::env::var("OWLBOX_TEST_POSTGRES").unwrap();
    let connection = crate::connection::connect(&url.parse().unwrap(), crate::Use::Read).unwrap();
    let crate::AnyConnection::Postgres(mut connection) = connection else { panic!("{url}") };
    let answers: Vec<Answer> = diesel::sql_query(sql).load(&mut connection).unwrap();
    answers.into_iter().map(|answer| answer.number).collect()
}

#[test]
fn an_open_club_stays_claimed_when_the_server_has_cut_the_connection() {
    let Some(Place { clubs, .. }) = Db::Postgres.place() else { return };
    let label = label();
    let identity = clubs.create(&label).unwrap().identity;
    let (store, _) = clubs.open(&label, &Options { pool_size: 1, ..Options::default() }).unwrap();
    let schema = format!("club_{}", label.as_str().replace('-', "_"));
    let claims = format!(
        "SELECT pid AS number FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' \
         AND objid = (SELECT oid FROM pg_namespace WHERE nspname = '{schema}')"
    );
    let before = server(&claims);
    assert_eq!(before.len(), 1);
    server(&format!("SELECT pg_terminate_backend({}, 5000)::int AS number", before[0]));
    assert!(server(&claims).is_empty());
    assert_eq!(clubs.wanted(&[(label.clone(), identity)]).unwrap(), [], "nobody wants it");
    let after = server(&claims);
    assert_eq!(after.len(), 1);
    assert_ne!(after, before, "it was claimed anew");
    drop(store);
    assert!(server(&claims).is_empty(), "it was given back");
    clubs.borrow(&label).unwrap().archive(Utc::now()).unwrap();
}

#[test]
fn clubs_of_a_server_are_heard_on_one_connection_and_each_hears_its_own() {
    use crate::notify::{Notification, notify_names_changed};
    let Ok(url) = std::env::var("OWLBOX_TEST_POSTGRES") else {
        assert!(std::env::var("OWLBOX_TEST_SKIP_POSTGRES").is_ok(), "run `bash tests/run.sh`");
        return;
    };
    let labels = [label(), label()];
    let joint = if url.contains('?') { '&' } else { '?' };
    let clubs = Clubs::at(&format!("{url}{joint}application_name={}", labels[0]).parse().unwrap()).unwrap();
    let stores = labels.each_ref().map(|label| {
        clubs.create(label).unwrap();
        clubs.open(label, &Options { pool_size: 1, ..Options::default() }).unwrap().0
    });
    let heard = stores.each_ref().map(|store| {
        let (hears, heard) = std::sync::mpsc::channel();
        let subscription = store.subscribe(move |what| {
            let _ = hears.send(what);
        });
        (subscription.unwrap(), heard)
    });
    let next = |place: usize| {
        let is_news = |heard: &Notification| !matches!(heard, Notification::Alive(_) | Notification::Unknown);
        let until = std::time::Duration::from_secs(20);
        std::iter::repeat_with(|| heard[place].1.recv_timeout(until).unwrap()).find(is_news).unwrap()
    };
    for (_, heard) in &heard {
        assert_eq!(heard.recv_timeout(std::time::Duration::from_secs(20)).unwrap(), Notification::Unknown);
    }
    let change = |store: &Store| {
        store
            .write_blocking(|transaction| {
                notify_names_changed(transaction.connection()?)?;
                crate::notify::notify_access_changed(transaction.connection()?)
            })
            .unwrap();
    };
    // One for each club, one to look for clubs, one to hear.
    let connected =
        format!("SELECT pid AS number FROM pg_stat_activity WHERE application_name = '{}'", labels[0]);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    // The server notices late that those which created the clubs have ended.
    while server(&connected).len() != 4 {
        assert!(std::time::Instant::now() < until, "{:?}", server(&connected));
    }
    change(&stores[0]);
    change(&stores[1]);
    for place in [0, 1] {
        // In either order: channels have none among each other.
        let both = [next(place), next(place)];
        assert!(both.contains(&Notification::Access) && both.contains(&Notification::Names), "{both:?}");
    }
    let news = |(_, heard): &(_, std::sync::mpsc::Receiver<Notification>)| {
        heard
            .try_iter()
            .filter(|heard| !matches!(heard, Notification::Alive(_) | Notification::Unknown))
            .count()
    };
    assert_eq!(heard.iter().map(news).sum::<usize>(), 0, "nothing of the other club");
    drop((heard, stores));
    for label in labels {
        clubs.borrow(&label).unwrap().archive(Utc::now()).unwrap();
    }
}

#[test]
fn a_club_created_anew_is_not_the_one_that_was_put_away() {
    let Some(Place { clubs, .. }) = Db::Postgres.place() else { return };
    let label = label();
    let open = [(label.clone(), clubs.create(&label).unwrap().identity)];
    clubs.borrow(&label).unwrap().archive(Utc::now()).unwrap();
    clubs.create(&label).unwrap();
    assert_eq!(clubs.wanted(&open).unwrap(), std::slice::from_ref(&label));
    clubs.borrow(&label).unwrap().archive(Utc::now()).unwrap();
}

#[test]
fn a_club_of_a_service_alone_is_adopted_with_its_key_and_its_log() {
    let Some(Place { clubs, _folder }) = Db::Sqlite.place() else { return };
    let alone = tempfile::tempdir().unwrap();
    let (file, key) = (alone.path().join("owlbox.db"), alone.path().join("owlbox.key"));
    let store = Store::open(&DatabaseUrl::Sqlite(file.clone()), &Options::default()).unwrap();
    mark(&store);
    std::fs::write(&key, "secret").unwrap();
    let label: ClubLabel = "lugano".parse().unwrap();
    let (location, left) = clubs.adopt(&label, file.to_str().unwrap()).unwrap();
    assert_eq!(left, ["\"mark\""], "it is named, and left");
    assert!(is_marked(&open(&location)), "what was only in the log has come along");
    let DatabaseUrl::Sqlite(path) = &location.url else { panic!("{}", location.url) };
    assert_eq!(std::fs::read_to_string(path.with_extension("key")).unwrap(), "secret");
    // The key goes wherever the club goes, and does not wait for the next of its name.
    let bern: ClubLabel = "bern".parse().unwrap();
    clubs.borrow(&label).unwrap().rename(&bern).unwrap();
    assert!(!path.with_extension("key").exists());
    assert_eq!(std::fs::read_to_string(path.with_file_name("bern.key")).unwrap(), "secret");
    let away = clubs.borrow(&bern).unwrap().archive(Utc::now()).unwrap();
    assert!(!path.with_file_name("bern.key").exists());
    assert!(std::path::Path::new(&away).with_extension("key").exists());
}

#[test]
fn a_club_is_not_moved_under_the_hands_of_who_reads_or_writes_it() {
    let Some(Place { clubs, _folder }) = Db::Sqlite.place() else { return };
    let (lugano, bern): (ClubLabel, ClubLabel) = ("lugano".parse().unwrap(), "bern".parse().unwrap());
    let location = clubs.create(&lugano).unwrap();
    drop(open(&location));
    let reader = Store::open_for_reading(&location.url).unwrap();
    let moved = clubs.borrow(&lugano).unwrap().rename(&bern);
    assert!(matches!(moved, Err(ClubsError::Store(StoreError::InUse(_)))), "{moved:?}");
    drop(reader);
    clubs.borrow(&lugano).unwrap().rename(&bern).unwrap();
}

#[test]
fn a_place_is_a_folder_or_a_database_that_names_no_schema() {
    let file = tempfile::NamedTempFile::new().unwrap();
    assert!(Clubs::at(&DatabaseUrl::Sqlite(file.path().to_owned())).is_err());
    for url in [
        "postgres://h/d?options=-csearch_path%3Da",
        "postgres://h/d?opt%69ons=x",
        "postgres://h/d?a=b&options=x",
    ] {
        assert!(Clubs::at(&url.parse().unwrap()).is_err(), "{url}");
    }
    assert!(Clubs::at(&"postgres://h/d?sslmode=require".parse().unwrap()).is_ok());
}

#[test]
fn the_longest_name_is_put_away_and_brought_back() {
    for place in [Db::Sqlite, Db::Postgres].into_iter().filter_map(Db::place) {
        let random = Uuid::now_v7().simple().to_string();
        let longest: ClubLabel = format!("c{random}-abcdef").parse().unwrap();
        assert_eq!(longest.as_str().len(), 40);
        drop(open(&place.clubs.create(&longest).unwrap()));
        let away = place.clubs.borrow(&longest).unwrap().archive(Utc::now()).unwrap();
        place.clubs.adopt(&longest, &away).unwrap();
        place.clubs.borrow(&longest).unwrap().archive(Utc::now()).unwrap();
    }
}
