use rstest::rstest;
use serde_json::json;

use super::*;
use crate::Request;
use crate::fixture::{Db, Fixture, code};
use owlbox_base::journal::Aggregate as _;
use owlbox_base::values::ChouetteId;

#[test]
fn a_place_is_read_as_it_is_written_and_in_no_other_way() {
    let place = Place { position: 1042, version: 17, act: 0x9f3a };
    assert_eq!(place.to_string(), "1042.17.00009f3a");
    for place in [place, Place::default()] {
        assert_eq!(place.to_string().parse(), Ok(place));
    }
    for other in ["", "00", "1042", "1042.17", "1042.17.9f3a", "1042.17.00009F3A", "+1042.17.00009f3a"] {
        assert_eq!(other.parse::<Place>(), Err(NoPlace), "{other}");
    }
}

#[test]
fn the_kinds_are_those_of_the_streams() {
    let kinds =
        [Chouette::KIND, Sheet::KIND, Tournament::KIND].map(|kind| kind.parse::<StreamKind>().unwrap());
    assert_eq!(kinds, StreamKind::ALL);
    assert!(owlbox_books::club::Club::KIND.parse::<StreamKind>().is_err());
}

/// Opens a table.
async fn table(desk: &Desk, admin: Actor) -> ChouetteId {
    let new = serde_json::from_value(json!({"name": "Friday"})).unwrap();
    desk.open::<Chouette>(Request::by(admin), new).await.unwrap().id
}

/// Gives a command without choices.
async fn act(desk: &Desk, admin: Actor, id: ChouetteId, command: &str) {
    let order = serde_json::from_value(json!({"command": command})).unwrap();
    desk.command::<Chouette>(Request::by(admin), id, order).await.unwrap();
}

async fn next(listener: &mut ClubListener, admin: Actor) -> (Uuid, Version) {
    let seen = listener.next_seen_by(Some(&admin), &StreamKind::ALL).await.unwrap();
    (seen.act.stream, seen.act.frame.version())
}

#[rstest]
#[tokio::test]
async fn whoever_is_interrupted_at_any_moment_misses_nothing_and_leaves_nothing_undone(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let mut patient = desk.listen_to_club(Some(&admin), None).await.unwrap();
    let mut hasty = desk.listen_to_club(Some(&admin), None).await.unwrap();
    let mut told = Vec::new();
    let mut expected = Vec::new();
    for turn in 0..40 {
        let id = table(desk, admin).await;
        expected.push((id.into(), 1));
        // Polled forever longer, so that it is interrupted in the middle of writing, and of reading.
        let interrupted = std::time::Duration::from_micros(turn * 40);
        while let Ok(seen) = tokio::time::timeout(interrupted, next(&mut hasty, admin)).await {
            told.push(seen);
        }
    }
    while told.len() < expected.len() {
        told.push(next(&mut hasty, admin).await);
    }
    assert_eq!(told, expected);
    for one in expected {
        assert_eq!(next(&mut patient, admin).await, one);
    }
    assert_eq!(hasty.place(), patient.place());
}

#[rstest]
#[tokio::test]
async fn what_happens_while_nobody_listens_is_told_to_who_comes_back_and_not_to_who_comes(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let before = desk.listen_to_club(Some(&admin), None).await.unwrap().place();
    let (one, other) = (table(desk, admin).await, table(desk, admin).await);
    for command in ["close", "undo", "redo", "undo"] {
        act(desk, admin, one, command).await;
    }
    let mut comes = desk.listen_to_club(Some(&admin), None).await.unwrap();
    let third = table(desk, admin).await;
    assert_eq!(next(&mut comes, admin).await, (third.into(), 1));
    let mut comes_back = desk.listen_to_club(Some(&admin), Some(before)).await.unwrap();
    let mut told = Vec::new();
    for _ in 0..7 {
        told.push(next(&mut comes_back, admin).await);
    }
    let of = |id: ChouetteId, versions: std::ops::RangeInclusive<Version>| {
        versions.map(move |version| (id.into(), version))
    };
    let expected: Vec<(Uuid, Version)> =
        of(one, 1..=5).chain(of(other, 1..=1)).chain(of(third, 1..=1)).collect();
    assert_eq!(told, expected);
    assert_eq!(comes_back.place(), comes.place());
}

#[rstest]
#[tokio::test]
async fn a_place_of_a_club_that_was_restored_is_known_not_to_be_of_this_one(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let mut listener = desk.listen_to_club(Some(&admin), None).await.unwrap();
    table(desk, admin).await;
    next(&mut listener, admin).await;
    let place = listener.place();
    assert!(desk.listen_to_club(Some(&admin), Some(place)).await.is_ok());
    let others = [
        Place { act: place.act ^ 1, ..place },
        Place { version: place.version + 1, ..place },
        Place { position: place.position + 1, ..place },
        Place { position: place.position - 1, ..place },
    ];
    for other in others {
        assert_eq!(
            code(desk.listen_to_club(Some(&admin), Some(other)).await.map(drop)),
            Code::EventGone.name()
        );
    }
}

/// Runs SQL as no command would.
async fn tamper(desk: &Desk, sql: &'static str) {
    use diesel::connection::SimpleConnection as _;
    let run = move |transaction: &mut owlbox_store::Transaction<'_>| {
        owlbox_store::guards::lifted(transaction.connection()?, |connection| {
            Ok::<_, StoreError>(connection.batch_execute(sql)?)
        })
    };
    desk.inner.store.write(run).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn an_order_that_cannot_be_written_for_a_moment_cuts_nobody_off(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let mut listener = desk.listen_to_club(Some(&admin), None).await.unwrap();
    tamper(desk, "ALTER TABLE journal_order RENAME TO put_away").await;
    let id = table(desk, admin).await;
    let mended = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        tamper(desk, "ALTER TABLE put_away RENAME TO journal_order").await;
    };
    let (told, ()) = tokio::join!(next(&mut listener, admin), mended);
    assert_eq!(told, (id.into(), 1));
}

#[rstest]
#[tokio::test]
async fn what_cannot_be_read_is_passed_over(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let mut listener = desk.listen_to_club(Some(&admin), None).await.unwrap();
    let before = listener.place();
    let one = table(desk, admin).await;
    act(desk, admin, one, "close").await;
    let other = table(desk, admin).await;
    tamper(desk, "UPDATE journal SET payload = '{}' WHERE kind = 'closed'").await;
    assert_eq!(next(&mut listener, admin).await, (one.into(), 1));
    assert_eq!(next(&mut listener, admin).await, (other.into(), 1), "not the act in between");
    // Who has the table not in memory cannot read any of it.
    drop(listener);
    let (fixture, desk) = match db {
        Db::Sqlite => {
            let fixture = fixture.restarted().await;
            let desk = fixture.desk.clone();
            (fixture, desk)
        }
        Db::Postgres => {
            let desk = fixture.another_instance();
            (fixture, desk)
        }
    };
    let mut listener = desk.listen_to_club(Some(&admin), Some(before)).await.unwrap();
    assert_eq!(next(&mut listener, admin).await, (other.into(), 1));
    drop(fixture);
}
