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

fn is_no_such(outcome: Result<Spot, ClubsError>) -> bool {
    matches!(outcome, Err(ClubsError::NoSuchClub(_)))
}

fn open(spot: &Spot) -> Store {
    Store::open(&spot.url, &Options { pool_size: 1, ..Options::default() }).unwrap()
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
    assert!(is_marked(&open(&clubs.adopt(&first, &away).unwrap())));
    assert!(matches!(clubs.adopt(&third, "nothing"), Err(ClubsError::NoClub(_))));
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
    let spot = clubs.adopt(&label, file.to_str().unwrap()).unwrap();
    assert!(is_marked(&open(&spot)), "what was only in the log has come along");
    let DatabaseUrl::Sqlite(path) = &spot.url else { panic!("{}", spot.url) };
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
    let spot = clubs.create(&lugano).unwrap();
    drop(open(&spot));
    let reader = Store::open_for_reading(&spot.url).unwrap();
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
