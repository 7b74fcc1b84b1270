//! Taps are never lost: the network goes, the service stops, the page is closed or read anew, another acts
//! meanwhile. What was tapped is there once, or a person is asked.

use serde_json::json;

use crate::support::evening::{Evening, Phone};
use crate::support::house::ADMIN;
use crate::support::server::Server;

/// The labels of the acts that wait on this phone, as the browser's store has them.
fn waits(phone: &Phone) -> Vec<String> {
    let kept = phone
        .browser
        .run("return JSON.parse(localStorage.getItem('owlbox-outbox') ?? '[]').map((act) => act.label)");
    kept.as_array().unwrap().iter().map(|label| label.as_str().unwrap().to_owned()).collect()
}

/// A game in which the box has doubled and all three have to answer.
fn answering() -> Option<Evening> {
    let rules = json!({"decision_order": "any_order"});
    let evening = Evening::under(&rules, &["Ada", "Kim", "Lou", "Max"])?;
    evening.phone.act("Game 1 starts");
    evening.phone.act("Box doubles everybody to 2");
    Some(evening)
}

#[test]
fn what_was_tapped_without_a_network_survives_a_closed_page_and_is_sent_in_order() {
    let Some(evening) = answering() else { return };
    let phone = &evening.phone;
    let version = || evening.table.state()["version"].as_i64().unwrap();
    let before = version();
    phone.browser.offline(true);
    phone.tap("Kim takes 2");
    phone.sees("#kept", "Kim takes 2");
    // The second tap waits for the first, the same one again is one tap.
    phone.tap("Lou drops, loses 1");
    phone.sees("#kept ol", "Lou drops, loses 1");
    phone.tap("Lou drops, loses 1");
    assert_eq!(waits(phone), ["Kim takes 2", "Lou drops, loses 1"]);
    assert_eq!(version(), before, "nothing has reached the table");
    phone.fits();
    if let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") {
        phone.browser.screenshot(&std::path::Path::new(&folder).join("outbox.png"));
    }
    // The page is closed, and opened again when there is a network.
    phone.browser.goto("about:blank");
    phone.browser.offline(false);
    evening.goto("");
    phone.logs("Lou drops, loses 1");
    phone.sees("#log li:nth-child(2)", "Kim takes 2");
    phone.browser.wait_for("#kept[hidden]");
    assert_eq!(waits(phone), [""; 0]);
    phone.act("Max takes 2");
    evening.ends_well();
}

#[test]
fn what_the_service_did_without_being_able_to_say_so_is_done_once() {
    let Some(evening) = answering() else { return };
    let phone = &evening.phone;
    phone.browser.run(
        "const real = window.fetch;
         window.fetch = async (address, asked) => {
             if (asked?.method !== 'POST') return real(address, asked);
             await real(address, asked);
             window.fetch = real;
             throw new TypeError('the answer is lost');
         };",
    );
    phone.tap("Kim takes 2");
    phone.browser.wait_until("the act to be answered", || waits(phone).is_empty());
    phone.logs("Kim takes 2");
    phone.browser.wait_for("#kept[hidden]");
    let times = phone.texts("#log li").iter().filter(|line| line.contains("Kim takes 2")).count();
    assert_eq!(times, 1);
    evening.ends_well();
}

#[test]
fn a_restart_of_the_service_loses_no_tap_and_a_page_read_anew_knows_what_waits() {
    let Some(mut evening) = answering() else { return };
    let address = evening.house.server.address().to_owned();
    evening.house.server.stop();
    let phone = &evening.phone;
    phone.tap("Kim takes 2");
    phone.sees("#kept", "Not sent yet");
    phone.tap("Lou takes 2");
    phone.sees("#kept ol", "Lou takes 2");
    // Somebody reads the page anew before the service is back.
    phone.browser.run("setTimeout(() => location.reload(), 0)");
    std::thread::sleep(std::time::Duration::from_millis(500));
    evening.house.server = Server::start_with(&evening.house.database, &[("HTTP__LISTEN", &address)]);
    evening.goto("");
    let phone = &evening.phone;
    phone.logs("Lou takes 2");
    phone.sees("#log li:nth-child(2)", "Kim takes 2");
    assert_eq!(waits(phone), [""; 0]);
    evening.ends_well();
}

#[test]
fn where_another_has_acted_a_person_is_asked_and_still_after_the_page_was_closed() {
    let Some(evening) = answering() else { return };
    let phone = &evening.phone;
    phone.browser.offline(true);
    phone.tap("Kim takes 2");
    phone.tap("Lou takes 2");
    phone.sees("#kept ol", "Lou takes 2");
    evening.command(&json!({"command": "drop", "player": "Max"}));
    phone.browser.offline(false);
    phone.sees("#kept", "The table has moved on. Send it anyway? Kim takes 2");
    phone.logs("Max drops");
    assert_eq!(waits(phone), ["Kim takes 2", "Lou takes 2"], "nothing is dropped in silence");
    phone.goto("/players");
    phone.sees("#kept", "Someone else has acted since. Send it anyway? Kim takes 2");
    phone.tap("Look first");
    phone.sees("#kept", "Send it anyway? Kim takes 2");
    phone.sees("#kept", "It would now do this: Kim takes 2. Box doubles: Lou to answer");
    phone.tap("Send");
    phone.logs("Kim takes 2");
    // The next was tapped on the same state as the first: it is asked for as well.
    phone.sees("#kept", "Send it anyway? Lou takes 2");
    phone.tap("Discard");
    phone.browser.wait_for("#kept[hidden]");
    phone.act("Lou drops, loses 1");
    evening.ends_well();
}

#[test]
fn what_one_has_tapped_another_does_not_send_and_what_is_refused_says_so() {
    let Some(evening) = answering() else { return };
    let phone = &evening.phone;
    let kim = &evening.table.players["Kim"];
    let invited = json!({"roles": ["scorer"], "player": kim});
    let invited = evening.table.client.post("/api/v1/accounts", &invited).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    let sign_up = json!({"login": "kim", "password": "quattro oche sul lago"});
    evening.house.server.public().post(&link, &sign_up).good();

    phone.browser.offline(true);
    phone.tap("Kim takes 2");
    phone.sees("#kept", "Kim takes 2");
    // Somebody else takes the phone. The page that is left may live on for a moment, and not offline:
    // whatever it sends then, it sends without a session.
    phone.browser.forget_sessions();
    phone.browser.goto("about:blank");
    phone.browser.offline(false);
    // What the page that was left has sent without a session may have been answered with a new token for
    // forms.
    let sign_in = |login: &str, password: &str| {
        phone.browser.goto("about:blank");
        phone.browser.forget_sessions();
        phone.goto("/sign-in");
        phone.browser.fill("#login", login);
        phone.browser.fill("#password", password);
        phone.browser.click("main form button.main");
        phone.browser.wait_for("nav.tabs");
        evening.goto("");
    };
    sign_in("kim", "quattro oche sul lago");
    phone.act("Lou takes 2");
    assert_eq!(waits(phone), ["Kim takes 2"], "it waits for who has tapped it");
    evening.command(&json!({"command": "take", "player": "Kim"}));
    sign_in(ADMIN.0, ADMIN.1);
    phone.sees("#kept", "No longer possible: Kim takes 2");
    assert!(!phone.offers("Send"));
    phone.tap("Discard");
    phone.browser.wait_for("#kept[hidden]");
    assert_eq!(waits(phone), [""; 0]);
    evening.ends_well();
}

/// Whose session has ended in the middle of a night is led to the door with nothing lost, and is asked for
/// what has waited so long that the service may have forgotten it.
#[test]
fn a_session_that_ended_loses_no_tap_and_what_is_old_is_asked_for() {
    let Some(evening) = answering() else { return };
    let phone = &evening.phone;
    phone.browser.forget_sessions();
    phone.tap("Kim takes 2");
    phone.browser.wait_for("#password");
    assert_eq!(waits(phone), ["Kim takes 2"]);
    phone.browser.fill("#login", ADMIN.0);
    phone.browser.fill("#password", ADMIN.1);
    phone.browser.click("main form button.main");
    phone.browser.wait_for("nav.tabs");
    evening.goto("");
    phone.logs("Kim takes 2");
    assert_eq!(waits(phone), [""; 0]);

    phone.browser.offline(true);
    phone.tap("Lou takes 2");
    phone.sees("#kept", "Lou takes 2");
    phone.browser.run(
        "const acts = JSON.parse(localStorage.getItem('owlbox-outbox'));
         acts[0].at -= 13 * 3600000;
         localStorage.setItem('owlbox-outbox', JSON.stringify(acts))",
    );
    phone.browser.offline(false);
    phone.sees("#kept", "Send it anyway? Lou takes 2");
    assert_eq!(waits(phone), ["Lou takes 2"]);
    phone.tap("Send");
    phone.logs("Lou takes 2");
    evening.ends_well();
}

/// What is asked for says what it would do as things stand now, which is not always what its label said; and
/// what is no longer possible says why, and cannot be sent.
#[test]
fn who_is_asked_reads_what_the_act_would_do_now_or_why_it_is_no_longer_possible() {
    let Some(evening) = answering() else { return };
    let phone = &evening.phone;
    let version = || evening.table.state()["version"].as_i64().unwrap();
    phone.browser.offline(true);
    phone.tap("Lou drops, loses 1");
    phone.tap("Kim takes 2");
    phone.sees("#kept ol", "Kim takes 2");
    for player in ["Kim", "Max"] {
        evening.command(&json!({"command": "drop", "player": player}));
    }
    let before = version();
    phone.browser.offline(false);
    // Lou is the last now, so the game would be over.
    phone.sees("#kept", "It would now do this: Lou drops, loses 1");
    phone.sees("#kept b + p b", "Every bet is settled");
    phone.fits();
    if let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") {
        phone.browser.screenshot(&std::path::Path::new(&folder).join("outbox-asks.png"));
        phone.browser.by_night(true);
        phone.browser.screenshot(&std::path::Path::new(&folder).join("outbox-asks-night.png"));
    }
    assert_eq!(version(), before, "whoever asks what an act would do has done nothing");
    phone.tap("Discard");
    phone.sees("#kept", "No longer possible: Kim takes 2: ");
    assert!(!phone.offers("Send"));
    phone.tap("Discard");
    phone.browser.wait_for("#kept[hidden]");
    assert_eq!(version(), before);
    phone.act("Lou takes 2");
    evening.ends_well();
}
