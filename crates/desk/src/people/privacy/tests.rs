//! What is left of an erased person, and who has read a ledger.

use std::net::IpAddr;

use chrono::{NaiveDate, TimeDelta};
use rstest::rstest;

use crate::access::api_tokens::TokenTerms;
use crate::access::registrations::NewRegistration;
use crate::club::stream::CLUB;
use crate::fixture::{Db, Fixture, code};
use crate::people::privacy::person::AT_ONCE;
use crate::people::privacy::readings::Read;
use crate::{Actor, Refused, Request};
use owlbox_base::code::Code;
use owlbox_base::values::{Holder, PlayerId};
use owlbox_books::club::players::{PlayerDetails, PlayerDetailsChange, PlayerName};
use owlbox_books::club::settings::SelfRegistration;
use owlbox_books::club::{Club, Settings};
use owlbox_books::daybook::{DaybookCommand, Memo};
use owlbox_chouette::Chouette;

fn name(name: &str) -> PlayerName {
    name.parse().unwrap()
}

async fn add(fixture: &Fixture, admin: Actor, called: &str) -> PlayerId {
    let details = PlayerDetails {
        contact: Some("+39 333 1234567".parse().unwrap()),
        notes: Some("likes the box".parse().unwrap()),
        ..PlayerDetails::named(name(called))
    };
    fixture.desk.add_player(Request::by(admin), details, false).await.unwrap().0
}

fn pays(player: PlayerId, amount: i64, memo: &str) -> DaybookCommand {
    DaybookCommand::Pay {
        payer: Holder::Player(player),
        payee: Holder::House,
        currency: "EUR".parse().unwrap(),
        amount: amount.try_into().unwrap(),
        means: Default::default(),
        on: NaiveDate::from_ymd_opt(2026, 1, 2),
        memo: Some(memo.parse::<Memo>().unwrap()),
    }
}

#[rstest]
#[tokio::test]
async fn an_erased_person_is_in_no_row_and_no_event_and_the_club_is_whole(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let zita = add(&fixture, admin, "Zita Quintavalle").await;
    let bea = add(&fixture, admin, "Bea").await;
    let noted = format!("comes with Zita Quintavalle; {}", "plays on Fridays. ".repeat(20));
    let change: PlayerDetailsChange = serde_json::from_value(serde_json::json!({ "notes": noted })).unwrap();
    desk.change_player(Request::by(admin), bea, change.into()).await.unwrap();
    for order in
        [pays(zita, 500, "her taxi"), pays(bea, 700, "for zita quintavalle"), pays(bea, 900, "Zitas")]
    {
        desk.record(Request::by(admin), order).await.unwrap();
    }
    assert_eq!(
        code(desk.erase(Request::by(admin), zita, Vec::new()).await.map(drop)),
        Code::MoneyOpen.name()
    );
    let back = DaybookCommand::TakeBack { entry: 1, reason: "was cash".parse().unwrap() };
    desk.record(Request::by(admin), back).await.unwrap();

    let preview = desk.preview_erasure(&admin, zita, Vec::new()).await.unwrap();
    let pseudonym = preview.pseudonym.clone();
    let texts: Vec<_> = preview.texts.iter().map(|said| (said.text.as_str(), said.after.as_str())).collect();
    let named = format!("for {pseudonym}");
    let expected = [("her taxi", &*pseudonym), ("for zita quintavalle", &*named), ("was cash", &*pseudonym)];
    let (of_others, own) = texts.split_last().unwrap();
    assert!(of_others.1.starts_with(&format!("comes with {pseudonym}; plays on Fridays")), "{}", of_others.1);
    assert_eq!(own, expected);
    assert!(preview.refused.is_none());

    desk.erase(Request::by(admin), zita, vec![name("Zitas")]).await.unwrap();
    let again = desk.erase(Request::by(admin), zita, Vec::new()).await;
    assert_eq!(code(again.map(drop)), Code::PlayerErased.name());
    assert_eq!(desk.names(vec![zita]).await.unwrap()[&zita], pseudonym);
    let bring = PlayerDetails::named(name(&pseudonym));
    assert_eq!(
        code(desk.add_player(Request::by(admin), bring, false).await.map(drop)),
        Code::NameTaken.name(),
        "nobody comes back by the pseudonym"
    );
    let daybook = desk.daybook_page(&admin, None, 10).await.unwrap();
    let memos: Vec<_> = daybook
        .entries
        .iter()
        .map(|entry| entry.memo.as_ref().map(|memo| memo.as_str().to_owned()))
        .collect();
    assert_eq!(
        memos,
        [Some(pseudonym.clone()), Some(named), Some(pseudonym.clone())],
        "the state knows it too"
    );
    let left = fixture.everything().await.to_lowercase();
    for gone in ["zita", "quintavalle", "her taxi", "was cash"] {
        assert!(!left.contains(gone), "{gone} is left");
    }
    fixture.verify().await;
}

/// S9: in whatever order and spelling a name stands, in whatever field; and what only may mean the person is
/// told.
#[rstest]
#[tokio::test]
async fn a_name_is_erased_wherever_and_however_it_is_written(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let zebedeo = add(&fixture, admin, "Zebedeo Quuxley").await;
    let bea = add(&fixture, admin, "Bea").await;
    let change = serde_json::json!({"club": "Circolo Zebedeo Quuxley", "contact": "Z. Quuxley, next door"});
    let change: PlayerDetailsChange = serde_json::from_value(change).unwrap();
    desk.change_player(Request::by(admin), bea, change.into()).await.unwrap();
    let settings = desk.settings().await.unwrap().unwrap();
    let mut settings = serde_json::to_value(&settings).unwrap();
    settings["seat_words"] =
        serde_json::json!({"box": "Quuxley Zebedeo", "captain": "Il Quuxley", "crew": null});
    let settings: Settings = serde_json::from_value(settings).unwrap();
    desk.change_settings(Request::by(admin), settings).await.unwrap();
    for memo in [
        "Quuxley, Zebedeo",
        "Zebedeo_Quuxley",
        "Zebedeo-Quuxley",
        "ZebedeoQuuxley",
        "\u{ff3a}\u{ff45}\u{ff42}\u{ff45}\u{ff44}\u{ff45}\u{ff4f} \u{ff31}\u{ff55}\u{ff55}\u{ff58}\u{ff4c}\u{ff45}\u{ff59}",
        "Quuxley Z.",
        "Zebedeos taxi",
    ] {
        desk.record(Request::by(admin), pays(bea, 100, memo)).await.unwrap();
    }
    let preview = desk.preview_erasure(&admin, zebedeo, Vec::new()).await.unwrap();
    assert_eq!(preview.texts.len(), 9, "{:?}", preview.texts);
    let mut near: Vec<&str> = preview.near.iter().map(|miss| miss.text.as_str()).collect();
    near.sort_unstable();
    assert_eq!(near, ["Il Quuxley", "Zebedeos taxi"]);
    let also = ["Zebedeos", "Quuxley"].map(name).to_vec();
    let preview = desk.preview_erasure(&admin, zebedeo, also.clone()).await.unwrap();
    assert_eq!((preview.texts.len(), preview.near.len()), (11, 0), "{:?}", preview.near);
    desk.erase(Request::by(admin), zebedeo, also).await.unwrap();
    // Earlier copies are left in unused parts of the file, as pages were divided: what the command line does
    // ends them.
    desk.inner.store.rewrite_file().await.unwrap();
    let left = fixture.everything().await.to_lowercase();
    for gone in ["zebedeo", "quuxley", "\u{ff31}", "\u{ff51}"] {
        assert!(!left.contains(gone), "{gone} is left");
    }
    let seats = desk.settings().await.unwrap().unwrap().seat_words;
    assert!(seats.r#box.unwrap().as_str().starts_with("N.N."));
    fixture.verify().await;
}

/// S9: what is left of a text that changes, and the names of API tokens and of registrations.
#[rstest]
#[tokio::test]
async fn what_may_still_mean_a_person_is_told_of_what_is_left_and_of_names(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let zebedeo = add(&fixture, admin, "Zebedeo Quuxley").await;
    let bea = add(&fixture, admin, "Bea").await;
    let self_registration = SelfRegistration::Confirmed;
    let settings = Settings { self_registration, ..desk.settings().await.unwrap().unwrap() };
    desk.change_settings(Request::by(admin), settings).await.unwrap();
    for memo in ["Zebedeo Quuxley, Zebedeos taxi", "Quuxley, Zebedeo", "a taxi"] {
        desk.record(Request::by(admin), pays(bea, 100, memo)).await.unwrap();
    }
    for called in ["Zebedeos phone", "scores", "Quuxley Zebedeo"] {
        let terms = TokenTerms { name: called.into(), scopes: None, expires_at: None };
        desk.create_api_token(admin, terms).await.unwrap();
    }
    // The first names the person, so it goes.
    for (login, called) in [("zebedeo2", "Z. Quuxley junior"), ("maria", "Maria Quuxleys")] {
        let (login, name) = (login.parse().unwrap(), name(called));
        let new = NewRegistration { login, name, password: "quattro oche sul lago".into() };
        desk.register(new, IpAddr::from([192, 0, 2, 1])).await.unwrap();
    }
    let preview = desk.preview_erasure(&admin, zebedeo, Vec::new()).await.unwrap();
    let mut near: Vec<(&str, &str)> = preview.near.iter().map(|miss| (miss.of, miss.text.as_str())).collect();
    near.sort_unstable();
    let taxi = format!("{}, Zebedeos taxi", preview.pseudonym);
    assert_eq!(
        near,
        [("api_token", "Zebedeos phone"), ("daybook", &taxi), ("registration", "Maria Quuxleys")]
    );
    let also = ["Zebedeos", "Quuxley", "Quuxleys"].map(name).to_vec();
    let preview = desk.preview_erasure(&admin, zebedeo, also).await.unwrap();
    assert!(preview.near.is_empty(), "nothing of a whole name stays: {:?}", preview.near);
}

#[rstest]
#[tokio::test]
async fn whoever_reads_anothers_ledger_is_noted_once_a_day_and_nobody_reads_the_list_but_its_owner(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let ada = add(&fixture, admin, "Ada").await;
    for _ in 0..2 {
        desk.balances(&admin, ada.into(), None).await.unwrap();
    }
    fixture.clock.advance(TimeDelta::minutes(1));
    drop(desk.exporting(&admin).await.unwrap());
    desk.balances(&Actor::CONSOLE, ada.into(), None).await.unwrap();
    let readings = desk.readings(&admin, ada, None, 10).await.unwrap();
    let what: Vec<Read> = readings.iter().map(|reading| reading.what).collect();
    assert_eq!(what, [Read::Books, Read::Ledger]);
    assert!(readings.iter().all(|reading| reading.reader == admin.account));
    let first = &readings[0];
    let rest = desk.readings(&admin, ada, Some((first.at, first.reader)), 10).await.unwrap();
    assert_eq!(rest, readings[1..]);
    fixture.clock.advance(TimeDelta::minutes(1));
    let data = desk.personal_data(&admin, ada).await.unwrap();
    assert_eq!(data.read_by[0].what, Read::Person, "and so is this");
    assert_eq!(data.details.contact.unwrap().as_str(), "+39 333 1234567");
    let nobody = PlayerId(uuid::Uuid::nil());
    assert!(matches!(desk.personal_data(&admin, nobody).await, Err(Refused::NotFound("player"))));

    // Only so many at once.
    let places = u32::try_from(AT_ONCE).unwrap();
    let others = desk.inner.persons.clone().acquire_many_owned(places).await.unwrap();
    assert!(matches!(desk.personal_data(&admin, ada).await, Err(Refused::Busy)));
    drop(others);
    assert!(desk.personal_data(&admin, ada).await.is_ok());
    let after = desk.readings(&admin, ada, None, 10).await.unwrap();
    assert_eq!(after.len(), 3, "nobody is not everybody");
}

/// What was said of somebody is changed in place, which no version tells. An instance that remembers how it
/// was must not go on from there, nor write it down again.
#[tokio::test]
async fn another_instance_forgets_an_erased_person_as_well() {
    let Some((fixture, admin)) = Fixture::open(Db::Postgres).await else { return };
    let (desk, other) = (&fixture.desk, fixture.another_instance());
    let zita = add(&fixture, admin, "Zita Quintavalle").await;
    let settings = Settings { name: "Zita Quintavalle's club".parse().unwrap(), ..Settings::default() };
    desk.change_settings(Request::by(admin), settings).await.unwrap();
    let new = serde_json::from_value(serde_json::json!({ "name": "Zita Quintavalle's table" })).unwrap();
    let table = desk.open::<Chouette>(Request::by(admin), new).await.unwrap().id;
    let club = other.stream::<Club>(CLUB).await.unwrap();
    assert!(club.state.settings().unwrap().name.as_str().contains("Zita"), "it remembers");
    assert!(other.find::<Chouette>(table).await.unwrap().state.name().contains("Zita"));

    desk.erase(Request::by(admin), zita, Vec::new()).await.unwrap();
    // A command goes on from the club as it is now, before anybody has told of it.
    let details = PlayerDetails::named(name("Bea"));
    other.add_player(Request::by(admin), details, false).await.unwrap();
    let now = other.stream::<Club>(CLUB).await.unwrap();
    assert!(now.version > club.version + 1, "with the erasure and the player");
    let called = now.state.settings().unwrap().name.as_str();
    assert!(!called.contains("Zita"), "{called}");
    let table = other.find::<Chouette>(table).await.unwrap();
    assert!(!table.state.name().contains("Zita"), "{}", table.state.name());
}
