//! Webhooks: what happens is sent once and in order, to receivers that fail, are slow and lie, and never
//! inside the network.

use std::io::BufRead as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::matches::Match;
use crate::support;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::events::Event;
use crate::support::federation::Federation;
use crate::support::house::{ADMIN, House, Table};
use crate::support::receiver::{Message, Receiver, Reply};
use crate::support::server::Server;

const HOOKS: &str = "/api/v1/webhooks";
/// Receivers are on this machine.
const HERE: (&str, &str) = ("HTTP__WEBHOOK_NETWORKS", "127.0.0.0/8");
const OK: Reply = Reply::Status(204);

/// Makes a webhook, and returns its address in the API.
#[track_caller]
fn hook(admin: &Client, url: &str, kinds: &Value) -> String {
    let made = admin.post(HOOKS, &json!({"url": url, "kinds": kinds})).good();
    assert_eq!(made.status, 201);
    made.header("location").unwrap().to_owned()
}

#[track_caller]
fn hook_to(admin: &Client, receiver: &Receiver) -> String {
    hook(admin, &receiver.url(), &Value::Null)
}

#[track_caller]
fn ping(admin: &Client, hook: &str) -> Value {
    admin.request("POST", &format!("{hook}/ping")).send().good().body
}

fn deliveries(admin: &Client, hook: &str) -> Vec<Value> {
    admin.get(&format!("{hook}/deliveries")).good().body["items"].as_array().unwrap().clone()
}

/// The webhook, once it is as the test waits for.
#[track_caller]
fn once(admin: &Client, hook: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let now = admin.get(hook).good().body;
        if is_so(&now) {
            return now;
        }
        assert!(Instant::now() < until, "{now}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn leave_and_join(table: &Table, name: &str) {
    table.play(&[json!({"command": "leave", "player": name}), json!({"command": "join", "player": name})]);
}

/// Whether a message is what the club's live stream tells.
#[track_caller]
fn tells(message: &Message, event: &Event) {
    assert_eq!(message.body, event.json());
    assert_eq!(message.header("webhook-id"), event.id.as_ref().unwrap().replace('.', "-"));
    assert_eq!(message.path, "/owlbox?to=me");
    assert_eq!(message.header("content-type"), "application/json");
    assert!(message.header("webhook-signature").starts_with("v1,"));
}

#[rstest]
fn what_the_stream_tells_is_sent_once_and_in_order_to_each_by_its_kinds(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open_with(db, &[HERE]) else { return };
    let admin = house.admin();
    let before = house.table(&["D", "E", "F"]);
    let (all, matches) = (Receiver::answering(&[OK]), Receiver::answering(&[Reply::Status(200)]));
    let first = hook_to(&admin, &all);
    hook(&admin, &matches.url(), &json!(["match"]));
    let mut stream = admin.events("/api/v1/events", None);
    leave_and_join(&before, "F");
    let sheet = Match::open(&house, &json!({"play": "match", "length": 3}));
    sheet.play(&[json!({"command": "game", "winner": "upper", "win": "gammon"})]);
    leave_and_join(&before, "F");
    let events: Vec<Event> = (0..6).map(|_| stream.next_event()).collect();
    events.iter().for_each(|event| tells(&all.next(), event));
    events[2..4].iter().for_each(|event| tells(&matches.next(), event));
    assert!(matches.within(Duration::from_millis(300)).is_none());
    assert!(all.within(Duration::from_millis(1)).is_none());
    let last = events[5].id.as_deref().unwrap();
    once(&admin, &first, |hook| hook["reached"] == last);
    let log = deliveries(&admin, &first);
    let logged: Vec<&str> = log.iter().rev().map(|one| one["event"].as_str().unwrap()).collect();
    assert_eq!(logged, events.iter().map(|event| event.id.as_deref().unwrap()).collect::<Vec<_>>());
    assert!(log.iter().all(|one| one["status"] == 204 && one["failure"].is_null()));
    let figures = house.server.public().get("/metrics").text().to_owned();
    assert!(figures.contains("owlbox_webhook_deliveries_total{outcome=\"done\"} 8"), "{figures}");
    house.verify();
}

/// One answers an error first, one never answers, one is well; and the service starts anew meanwhile.
#[rstest]
fn a_receiver_that_fails_is_tried_again_and_keeps_nobody_waiting(#[values(Db::one(), Db::other())] db: Db) {
    let Some(mut house) = House::open_with(db, &[HERE]) else { return };
    let admin = house.admin();
    let table = house.table(&["A", "B", "C"]);
    let failing = Receiver::answering(&[Reply::Status(500), Reply::Nothing, OK]);
    let (slow, well) = (Receiver::answering(&[Reply::Never]), Receiver::answering(&[OK]));
    let [of_failing, of_slow, of_well] = [&failing, &slow, &well].map(|receiver| hook_to(&admin, receiver));
    leave_and_join(&table, "C");
    let sent: Vec<Message> = (0..2).map(|_| well.next()).collect();
    // Twice in vain, with the same id and another signature; the next comes only then.
    let tried: Vec<Message> = (0..4).map(|_| failing.next()).collect();
    for (attempt, event) in [(0, 0), (1, 0), (2, 0), (3, 1)] {
        assert_eq!(tried[attempt].header("webhook-id"), sent[event].header("webhook-id"));
        assert_eq!(tried[attempt].body, sent[event].body);
    }
    assert_ne!(tried[2].header("webhook-timestamp"), tried[0].header("webhook-timestamp"));
    once(&admin, &of_failing, |hook| hook["failing_since"].is_null());
    let log = deliveries(&admin, &of_failing);
    let told: Vec<_> = log.iter().rev().map(|one| (one["status"].clone(), one["failure"].clone())).collect();
    let said = |status: Value, failure: Value| (status, failure);
    assert_eq!(
        told,
        [
            said(json!(500), json!("status")),
            said(Value::Null, json!("unreachable")),
            said(json!(204), Value::Null),
            said(json!(204), Value::Null),
        ]
    );
    let waits = once(&admin, &of_slow, |hook| hook["failing_since"].is_string());
    assert!(waits["active"] == true && waits["next_attempt_at"].is_string());
    assert_eq!(deliveries(&admin, &of_slow)[0]["failure"], "timed_out");
    once(&admin, &of_well, |hook| hook["reached"] != waits["reached"]);

    // After a day in vain it is switched off, which is said.
    house.server.terminate();
    assert!(house.server.wait().success());
    house.database.execute(
        "UPDATE webhook SET failing_since = '2026-01-01T00:00:00.000000Z' WHERE failing_since IS NOT NULL",
    );
    house.database.execute("UPDATE webhook SET due_at = '2026-01-01T00:00:00.000000Z'");
    slow.answer(Reply::Status(503));
    while slow.within(Duration::from_millis(1)).is_some() {}
    house.server = Server::start_with(&house.database, &[HERE]);
    let admin = house.sign_in(ADMIN.0, ADMIN.1);
    assert_eq!(slow.next().header("webhook-id"), sent[0].header("webhook-id"));
    let off = once(&admin, &of_slow, |hook| hook["active"] == false);
    assert_eq!(off["off_reason"], "failing");
    assert!(house.server.logs("a webhook was switched off"));
    assert!(!house.server.logged().contains("to=me"), "a URL may hold a secret");
    // Switched on, it goes on where it stopped.
    slow.answer(OK);
    assert_eq!(admin.patch(&of_slow, &json!({"active": true})).good().body["off_reason"], Value::Null);
    for message in &sent {
        assert_eq!(slow.next().header("webhook-id"), message.header("webhook-id"));
    }
    assert!(slow.within(Duration::from_millis(300)).is_none());
    assert!(well.within(Duration::from_millis(1)).is_none(), "nothing twice");
    // And off by hand it is silent; removed, it is gone.
    assert_eq!(admin.patch(&of_slow, &json!({"active": false})).good().body["off_reason"], "by_hand");
    assert_eq!(admin.delete(&of_well).status, 204);
    admin.get(&of_well).refused(404, "not_found");
    let table = Table { client: admin, ..table };
    leave_and_join(&table, "C");
    assert_ne!(failing.next().header("webhook-id"), sent[1].header("webhook-id"));
    assert!(slow.within(Duration::from_millis(300)).is_none());
    assert!(well.within(Duration::from_millis(1)).is_none());
    house.verify();
}

#[rstest]
fn a_receiver_that_lies_gets_no_further(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open_with(db, &[HERE]) else { return };
    let admin = house.admin();
    let elsewhere = Receiver::answering(&[OK]);
    let receiver = Receiver::answering(&[OK]);
    let hook = hook_to(&admin, &receiver);
    for (reply, status, failure) in [
        (OK, json!(204), Value::Null),
        (Reply::RedirectTo(elsewhere.url()), json!(307), json!("status")),
        (Reply::Endless, json!(200), Value::Null),
        (Reply::EndlessHead, Value::Null, json!("unreachable")),
        (Reply::Noise, Value::Null, json!("unreachable")),
        (Reply::Nothing, Value::Null, json!("unreachable")),
        (Reply::Status(404), json!(404), json!("status")),
    ] {
        receiver.answer(reply.clone());
        let told = ping(&admin, &hook);
        assert_eq!((&told["status"], &told["failure"]), (&status, &failure), "{reply:?}: {told}");
        assert_eq!(receiver.next().body, json!({"kind": "ping"}));
        assert_eq!(deliveries(&admin, &hook)[0], told);
    }
    assert!(elsewhere.within(Duration::from_millis(200)).is_none(), "redirects are not followed");
    // Trying it out changes nothing about the events. Who says to be gone is believed.
    assert!(admin.get(&hook).good().body["active"] == true);
    receiver.answer(Reply::Status(410));
    house.table(&["A", "B", "C"]);
    assert_eq!(once(&admin, &hook, |hook| hook["active"] == false)["off_reason"], "gone");
    // A port where nobody listens.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = self::hook(&admin, &format!("http://127.0.0.1:{free}"), &Value::Null);
    let told = ping(&admin, &nobody);
    assert_eq!(told["failure"], "unreachable");
}

/// Whatever an address is called: what counts is where it leads.
#[rstest]
fn nothing_is_sent_inside_the_network_unless_the_configuration_allows_it(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open_with(db, &[("HTTP__WEBHOOK_NETWORKS", "127.0.0.9/32")]) else { return };
    let admin = house.admin();
    let receiver = Receiver::answering(&[OK]);
    let port = receiver.port;
    for (url, failure) in [
        (format!("http://127.0.0.1:{port}"), "inside"),
        (format!("https://127.0.0.1:{port}"), "inside"),
        (format!("http://localhost:{port}"), "inside"),
        (format!("http://127.1:{port}"), "inside"),
        (format!("http://2130706433:{port}"), "inside"),
        (format!("http://0x7f000001:{port}"), "inside"),
        (format!("http://0.0.0.0:{port}"), "inside"),
        (format!("http://[::1]:{port}"), "inside"),
        (format!("http://[::ffff:127.0.0.1]:{port}"), "inside"),
        ("http://169.254.169.254/latest/meta-data".to_owned(), "inside"),
        ("https://10.0.0.1".to_owned(), "inside"),
        ("https://nobody.invalid".to_owned(), "no_address"),
        ("http://1.1.1.1".to_owned(), "unencrypted"),
    ] {
        let hook = hook(&admin, &url, &Value::Null);
        let told = ping(&admin, &hook);
        assert_eq!((&told["failure"], &told["status"]), (&json!(failure), &Value::Null), "{url}");
        assert_eq!(admin.delete(&hook).status, 204);
    }
    assert!(receiver.within(Duration::from_millis(100)).is_none());
    for url in ["", "ftp://bot.example", "https://me:secret@bot.example", "https://bot.example:22", "/owlbox"]
    {
        let refused = admin.post(HOOKS, &json!({"url": url})).refused(400, "invalid_body");
        assert_eq!(refused.body["field"], "url");
    }
    admin.post(HOOKS, &json!({"url": "https://bot.example", "kinds": []})).refused(400, "invalid_body");
}

#[rstest]
fn a_webhook_sees_what_its_login_sees_and_ends_with_it(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &[HERE]) else { return };
    let admin = house.admin();
    let second = house.with_roles(&admin, "second", &["admin"]);
    let account = second.get("/api/v1/me").good().body["account"].clone();
    let receiver = Receiver::answering(&[OK]);
    let made = second.post(HOOKS, &json!({"url": receiver.url()})).good().body;
    assert_eq!(made["secret"].as_str().unwrap().len(), "whsec_".len() + 44);
    let hook = format!("{HOOKS}/{}", made["id"].as_str().unwrap());
    assert!(admin.get(HOOKS).good().body["items"][0]["secret"].is_null(), "shown once");
    assert_eq!(admin.get(&hook).good().body["account"], account);
    let table = house.table(&["A", "B", "C"]);
    (0..5).for_each(|_| drop(receiver.next()));
    let path = format!("/api/v1/accounts/{}", account.as_str().unwrap());
    admin.patch(&path, &json!({"roles": ["scorer"]})).good();
    leave_and_join(&table, "C");
    assert_eq!(once(&admin, &hook, |hook| hook["active"] == false)["off_reason"], "owner");
    assert!(receiver.within(Duration::from_millis(300)).is_none());
    // Of those there are ten at most.
    for _ in 1..10 {
        hook_to(&admin, &receiver);
    }
    let refused = admin.post(HOOKS, &json!({"url": receiver.url()})).refused(422, "too_many");
    assert_eq!(refused.body["allowed"], 10);
    house.verify();
}

/// Who has taken a login over may have made webhooks with it. A reset takes them along, as it does API
/// tokens.
#[rstest]
fn a_reset_switches_off_the_webhooks_of_its_login(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &[HERE]) else { return };
    let admin = house.admin();
    let second = house.with_roles(&admin, "second", &["admin"]);
    let account = second.get("/api/v1/me").good().body["account"].clone();
    let receiver = Receiver::answering(&[OK]);
    let hook = hook_to(&second, &receiver);
    let reset = format!("/api/v1/accounts/{}/reset", account.as_str().unwrap());
    let link = admin.post(&reset, &json!({})).good().body["secret"].clone();
    let link = format!("/api/v1/links/{}", link.as_str().unwrap());
    house.server.public().post(&link, &json!({"password": "another correct horse"})).good();
    assert_eq!(admin.get(&hook).good().body["off_reason"], "owner");
    house.table(&["A", "B", "C"]);
    assert!(receiver.within(Duration::from_millis(300)).is_none(), "nothing that happened afterwards");
    house.verify();
}

/// Two instances on one PostgreSQL, at which two tables are played at the same time; then one is gone.
#[test]
fn one_of_the_instances_sends() {
    let Some(mut house) = House::open_with(Db::Postgres, &[HERE]) else { return };
    let tables = [house.table(&["A", "B", "C"]), house.table(&["D", "E", "F"])];
    let other = Server::start_with(&house.database, &[HERE]);
    let there = other.public().bearer(&house.access_token(ADMIN.0, ADMIN.1));
    let receiver = Receiver::answering(&[OK]);
    let hook = hook_to(&there, &receiver);
    let mut stream = house.admin().events("/api/v1/events", None);
    std::thread::scope(|scope| {
        for (table, name, client) in [(&tables[0], "C", house.admin()), (&tables[1], "F", there.clone())] {
            scope.spawn(move || {
                for turn in 0..20 {
                    let command = if turn % 2 == 0 { "leave" } else { "join" };
                    let command = table.with_ids(&json!({"command": command, "player": name}));
                    client.post(&table.path("/commands"), &command).good();
                }
            });
        }
    });
    for _ in 0..40 {
        tells(&receiver.next(), &stream.next_event());
    }
    assert!(receiver.within(Duration::from_millis(300)).is_none(), "nothing twice");
    // Whichever it was that sent, the other goes on.
    house.server.terminate();
    assert!(house.server.wait().success());
    let table = &tables[1];
    let leave = table.with_ids(&json!({"command": "leave", "player": "F"}));
    there.post(&table.path("/commands"), &leave).good();
    let message = receiver.within(Duration::from_secs(90)).expect("the other instance takes over");
    assert_eq!(message.body["id"], json!(table.id));
    once(&there, &hook, |hook| hook["failing_since"].is_null());
}

/// One service with many clubs: each sends its own.
#[rstest]
fn a_club_of_many_sends_its_own(#[values(Db::one())] db: Db) {
    let Some(federation) = Federation::open(db, &[HERE]) else { return };
    let clubs = [federation.club("one"), federation.club("other")];
    let receivers = [Receiver::answering(&[OK]), Receiver::answering(&[OK])];
    for (club, receiver) in clubs.iter().zip(&receivers) {
        hook_to(&club.admin, receiver);
    }
    let opened = clubs.iter().map(|club| {
        let opened = club.admin.post("/api/v1/chouettes", &json!({"name": "Table"})).good().body;
        opened["chouette"]["id"].clone()
    });
    for (id, receiver) in opened.collect::<Vec<_>>().into_iter().zip(&receivers) {
        assert_eq!(receiver.next().body["id"], id);
        assert!(receiver.within(Duration::from_millis(200)).is_none());
    }
}

/// The script that people are to begin with.
#[rstest]
fn the_bot_posts_a_nights_result_to_a_chat(#[values(Db::Sqlite)] db: Db) {
    let (Some(python), Some(house)) = (support::python(), House::open_with(db, &[HERE])) else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/night_result.py");
    let lines = std::fs::read_to_string(&script).unwrap().lines().count();
    assert!(lines <= 60, "{lines}");
    let admin = house.admin();
    let chat = Receiver::answering(&[Reply::Status(500), Reply::Status(200)]);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let new = json!({"url": format!("http://127.0.0.1:{port}"), "kinds": ["chouette"]});
    let made = admin.post(HOOKS, &new).good().body;
    let token = admin.post("/api/v1/tokens", &json!({"name": "bot", "scopes": ["read"]})).good().body;
    let start = |secret: &str| {
        let mut bot = Command::new(&python)
            .arg(&script)
            .env("OWLBOX_URL", house.server.url())
            .env("OWLBOX_TOKEN", token["token"].as_str().unwrap())
            .env("OWLBOX_SECRET", secret)
            .env("CHAT_URL", chat.url())
            .env("PORT", port.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut printed = std::io::BufReader::new(bot.stdout.take().unwrap()).lines();
        assert_eq!(printed.next().unwrap().unwrap(), "listening");
        bot
    };
    let hook = format!("{HOOKS}/{}", made["id"].as_str().unwrap());
    let mut stranger = start("whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=");
    assert_eq!(ping(&admin, &hook)["status"], 401);
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    let mut bot = start(made["secret"].as_str().unwrap());
    assert_eq!(ping(&admin, &hook)["status"], 204);
    let table = house.table(&["Ann", "Bob", "Cy"]);
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "gammon"}),
        json!({"command": "close"}),
    ]);
    let night = table.state()["night"].as_str().unwrap().to_owned();
    // The chat was not there at first. An undoubled gammon counts once (Jacoby).
    let posted = [chat.next(), chat.next()].map(|message| message.body["text"].clone());
    assert_eq!(posted[1], posted[0]);
    assert_eq!(posted[1], format!("Friday table, {night}, games: 1. Ann +2, Bob -1, Cy -1"));
    assert!(chat.within(Duration::from_millis(300)).is_none());
    bot.kill().unwrap();
    bot.wait().unwrap();
}
