//! What is kept of webhooks, on a clock that the test moves.

use rstest::rstest;

use super::*;
use crate::fixture::{Db, Fixture};

async fn made(fixture: &Fixture, admin: Actor) -> DueWebhook {
    let new = NewWebhook { url: "https://bot.example/owlbox".to_owned(), kinds: None };
    let made = fixture.desk.create_webhook(admin, new).await.unwrap();
    fixture.desk.due_webhook(made.webhook.id).await.unwrap().unwrap()
}

fn delivery(status: Option<i16>, failure: Option<DeliveryFailure>) -> Delivery {
    let at = chrono::DateTime::UNIX_EPOCH.into();
    Delivery { id: Uuid::now_v7(), event: "1.1.00000000".to_owned(), at, milliseconds: 5, status, failure }
}

/// What is delivered does not matter here.
fn places() -> (Place, Place) {
    (Place::default(), Place::default())
}

#[rstest]
#[tokio::test]
async fn an_event_is_tried_for_a_day_ever_more_seldom_and_then_the_webhook_is_off(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let mut webhook = made(&fixture, admin).await;
    let (begun, mut pauses) = (desk.now(), Vec::new());
    let refused = || delivery(Some(500), Some(DeliveryFailure::Status));
    while let Some(after) = desk.note_delivery(&webhook, places(), refused()).await.unwrap() {
        let pause = after.due_at().utc() - desk.now().utc();
        pauses.push(pause.num_seconds());
        fixture.clock.advance(pause);
        webhook = after;
        let shown = desk.webhook(&admin, webhook.id()).await.unwrap();
        assert_eq!(shown.next_attempt_at, Some(webhook.due_at()));
        assert!(shown.active && shown.failing_since == Some(begun));
    }
    assert_eq!(pauses[..8], [1, 4, 16, 64, 256, 1024, 4096, 7200]);
    let passed = (desk.now().utc() - begun.utc()).num_hours();
    assert!((24..=26).contains(&passed), "{passed}");
    let shown = desk.webhook(&admin, webhook.id()).await.unwrap();
    assert_eq!((shown.active, shown.off_reason), (false, Some(WebhookOff::Failing)));
    assert!(desk.webhooks_on().await.unwrap().is_empty());
    assert!(desk.due_webhook(webhook.id()).await.unwrap().is_none());
    // Switched on again it begins anew, and what arrives ends the waiting.
    let shown = desk.switch_webhook(admin, webhook.id(), true).await.unwrap();
    assert_eq!((shown.active, shown.failing_since, shown.off_reason), (true, None, None));
    let again = desk.due_webhook(webhook.id()).await.unwrap().unwrap();
    let failed = desk.note_delivery(&again, places(), refused()).await.unwrap().unwrap();
    assert_eq!((failed.due_at().utc() - desk.now().utc()).num_seconds(), 1);
    let arrived = desk.note_delivery(&failed, places(), delivery(Some(204), None)).await.unwrap().unwrap();
    assert!(!arrived.is_failing());
    // The log keeps the newest hundred.
    for _ in 0..100 {
        let gone = desk.due_webhook(webhook.id()).await.unwrap().unwrap();
        desk.note_delivery(&gone, places(), delivery(Some(200), None)).await.unwrap().unwrap();
        fixture.clock.advance(TimeDelta::seconds(1));
    }
    let log = desk.deliveries(&admin, webhook.id()).await.unwrap();
    assert_eq!(log.len(), 100);
    assert!(log.iter().all(|one| one.failure.is_none()), "the newest");
    // A receiver that says it is gone is believed at once.
    let last = desk.due_webhook(webhook.id()).await.unwrap().unwrap();
    let gone = delivery(Some(410), Some(DeliveryFailure::Status));
    assert!(desk.note_delivery(&last, places(), gone).await.unwrap().is_none());
    assert_eq!(desk.webhook(&admin, last.id()).await.unwrap().off_reason, Some(WebhookOff::Gone));
}

#[rstest]
#[tokio::test]
async fn one_instance_sends_and_what_an_admin_does_meanwhile_stands(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let desk = &fixture.desk;
    let webhook = made(&fixture, admin).await;
    fixture.clock.advance(TimeDelta::seconds(1));
    let claimed = desk.claim_webhook(webhook.clone()).await.unwrap().unwrap();
    if db == Db::Postgres {
        assert!(desk.claim_webhook(webhook.clone()).await.unwrap().is_none(), "another has read it before");
        let seen = desk.due_webhook(webhook.id()).await.unwrap().unwrap();
        assert_eq!((seen.due_at().utc() - desk.now().utc()).num_seconds(), 60, "and waits until it is over");
    }
    fixture.clock.advance(TimeDelta::seconds(1));
    desk.switch_webhook(admin, webhook.id(), false).await.unwrap();
    let arrived = desk.note_delivery(&claimed, places(), delivery(Some(200), None)).await.unwrap();
    assert!(arrived.is_none(), "it is off");
    let shown = desk.webhook(&admin, webhook.id()).await.unwrap();
    assert_eq!(shown.off_reason, Some(WebhookOff::ByHand));
    assert!(desk.deliveries(&admin, webhook.id()).await.unwrap().is_empty());
    desk.delete_webhook(admin, webhook.id()).await.unwrap();
    assert!(desk.webhooks(&admin).await.unwrap().is_empty());
}

#[test]
fn a_url_is_one_of_the_web_without_a_login() {
    for good in [
        "https://bot.example",
        "https://bot.example/a/b?c=d",
        "http://192.168.1.20:8065/hooks/x",
        "https://[2001:db8::1]:8443/",
    ] {
        assert!(check_url(good).is_ok(), "{good}");
    }
    let long = format!("https://bot.example/{}", "x".repeat(LONGEST_URL));
    for bad in [
        "",
        "bot.example",
        "/owlbox",
        "ftp://bot.example",
        "file:///etc/passwd",
        "https://",
        "https://anna:secret@bot.example",
        "https://bot.example/#part",
        "https://bot.example:22",
        "https://bot.example:0",
        "https://bot.example:99999",
        "https://bot.example/a b",
        "https://bot.example/\r\nx: y",
        "https://b\u{f6}t.example",
        &long,
    ] {
        assert!(check_url(bad).is_err(), "{bad}");
    }
}

/// The example of the specification's own libraries.
#[test]
fn a_message_is_signed_as_standard_webhooks_has_it() {
    let at: Moment = Timestamp::from(chrono::DateTime::UNIX_EPOCH).into();
    let row = WebhookRow {
        id: Key(Uuid::nil()),
        account: Key(Uuid::nil()),
        url: "https://bot.example".to_owned(),
        secret: STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap(),
        kinds: "match".to_owned(),
        created_at: at,
        place: "0".to_owned(),
        due_at: at,
        attempts: 0,
        failing_since: None,
        off_since: None,
        off_reason: None,
    };
    let webhook = DueWebhook::try_from(row).unwrap();
    let body = br#"{"test": 2432232314}"#;
    let signature = webhook.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
    assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}
