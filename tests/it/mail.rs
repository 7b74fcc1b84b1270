//! Mail: invitations and links for forgotten passwords, by a service that has a mail server, and that there
//! is nothing of it without.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::browser::field;
use crate::match_pages::{browser, browser_of, post, says};
use crate::matches::verified;
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::federation::Federation;
use crate::support::house::House;
use crate::support::mail::{MailServer, Manner};
use crate::walk::csrf;

const PASSWORD: &str = "quattro oche sul lago";
const OTHER: &str = "sei cigni sul fiume";

#[track_caller]
fn open(db: Db) -> Option<(House, Client, MailServer)> {
    let mail = MailServer::start();
    let house = House::open_with(db, &mail.settings())?;
    let admin = house.admin();
    Some((house, admin, mail))
}

/// Invites somebody by mail, and has them claim the invitation of this letter.
#[track_caller]
fn invited(house: &House, admin: &Client, mail: &MailServer, login: &str, email: &str) -> Client {
    let before = mail.letters().len();
    let made = admin.post("/api/v1/accounts", &json!({"roles": ["player"], "email": email})).good().body;
    assert_eq!(made["mailed"], true);
    let secret = mail.letter(before).path().replace("/claim/", "/api/v1/links/");
    house.server.public().post(&secret, &json!({"login": login, "password": PASSWORD})).good();
    house.sign_in(login, PASSWORD)
}

/// What the form of an invitation is about.
fn seen(page: &Answer) -> String {
    field(page.text().split_once("/invite\"").expect("a form").1, "seen")
}

fn forgets(house: &House, named: &str) -> Answer {
    house.server.public().post("/api/v1/forgotten-password", &json!({ "login": named }))
}

#[rstest]
fn an_invitation_comes_by_mail_and_lets_its_receiver_in(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((house, admin, mail)) = open(db) else { return };
    let ann = house.player(&admin, "Änn \"Bcc: all\" Lee");
    let at = browser(&house);
    let page = format!("/players/{ann}");
    says(&at.0.get(&page), 200, "name=\"email\"");
    let seen = seen(&at.0.get(&page).good());
    let invite = |email: &str| {
        let fields = [("seen", seen.as_str()), ("roles", "player"), ("email", email)];
        post(&at, &format!("{page}/invite"), &fields)
    };
    says(&invite("Ann@club.example\r\nBcc: all@club.example"), 422, "notice problem");
    says(&invite("Ann@Club.example"), 200, "It is on its way by mail, too.");
    let letter = mail.letter(0);
    assert_eq!(letter.to, ["Ann@Club.example"]);
    assert_eq!(letter.headers["from"], "\"Owlbox club\" <owlbox@club.example>");
    assert_eq!(letter.headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(letter.headers["auto-submitted"], "auto-generated");
    assert!(letter.text.starts_with("Hello Änn \"Bcc: all\" Lee,\n\n"), "{letter:?}");
    assert!(letter.text.contains("\nhttp://club.example/claim/owll_"), "{letter:?}");
    let guest = house.server.public().cookies();
    let token = csrf(&guest.get(&letter.path()).good());
    let form = [("csrf", token.as_str()), ("login", "ann"), ("password", PASSWORD)];
    assert_eq!(guest.request("POST", &letter.path()).form(&form).send().status, 303);
    let me = house.sign_in("ann", PASSWORD);
    assert_eq!(me.get("/api/v1/me").good().body["email"], "Ann@Club.example");

    // It is theirs: handed out to them, shown to nobody else, and gone when they are.
    let account = me.get("/api/v1/me").good().body["account"].as_str().unwrap().to_owned();
    let data = me.get(&format!("/api/v1/players/{ann}/personal-data")).good().body;
    assert_eq!(data["login"]["email"], "Ann@Club.example");
    says(&browser_of(&house, ("ann", PASSWORD)).0.get(&format!("{page}/data")), 200, "Ann@Club.example");
    for path in ["/accounts".to_owned(), format!("/accounts/{account}"), format!("/players/{ann}")] {
        let shown = admin.get(&format!("/api/v1{path}")).good();
        assert!(!shown.body.to_string().contains("Club.example"), "{shown}");
    }
    admin
        .put(&format!("/api/v1/accounts/{account}/email"), &json!({"email": "eve@club.example"}))
        .refused(422, "already_claimed");
    admin.post(&format!("/api/v1/players/{ann}/erase"), &json!({})).good();
    if db == Db::Sqlite {
        assert_eq!(house.database.count("mail_address"), 0);
    }
    verified(&house);
}

#[rstest]
fn an_invitation_without_an_address_is_handed_over_and_may_be_sent_later(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some((house, admin, mail)) = open(db) else { return };
    let made = admin.post("/api/v1/accounts", &json!({"roles": ["player"]})).good().body;
    assert_eq!(made["mailed"], false);
    let path = format!("/api/v1/accounts/{}", made["account"].as_str().unwrap());
    for wrong in [json!({"email": "bea"}), json!({"email": null}), json!({})] {
        admin.put(&format!("{path}/email"), &wrong).refused(400, "invalid_body");
    }
    admin.put(&format!("{path}/email"), &json!({"email": "bea@club.example"})).good();
    assert_eq!(admin.post(&format!("{path}/invite"), &json!({})).good().body["mailed"], true);
    let letter = mail.letter(0);
    assert_eq!(letter.to, ["bea@club.example"]);
    assert_eq!(mail.letters().len(), 1);
    let link = letter.path().replace("/claim/", "/api/v1/links/");
    for (email, works) in [("bea@club.example", true), ("bea@home.example", false)] {
        admin.put(&format!("{path}/email"), &json!({ "email": email })).good();
        let shown = house.server.public().get(&link);
        assert_eq!(shown.status == 200, works, "{shown}");
    }
}

#[rstest]
fn who_has_forgotten_a_password_gets_a_link_that_works_once(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((house, admin, mail)) = open(db) else { return };
    let mut settings = admin.get("/api/v1/settings").good().body;
    settings["language"] = json!("it");
    admin.put("/api/v1/settings", &settings).good();
    let ann = invited(&house, &admin, &mail, "ann", "ann@club.example");
    assert!(mail.letter(0).text.contains("ti ha invitato"), "nobody knows yet how Ann reads");

    let door = house.server.public().cookies().at_host("evil.example");
    let token = csrf(&door.get("/sign-in").good());
    let ask = |named: &str| {
        let form = [("csrf", token.as_str()), ("named", named)];
        let answer =
            door.request("POST", "/forgotten-password").header("Accept-Language", "de").form(&form).send();
        assert_eq!(answer.header("location"), Some("/sign-in?sent"), "{answer}");
    };
    assert_eq!(door.request("POST", "/forgotten-password").form(&[("named", "ann")]).send().status, 403);
    ask("ANN@Club.example");
    says(&door.get("/sign-in?sent"), 200, "role=\"status\"");
    let letter = mail.letter(1);
    assert_eq!(letter.to, ["ann@club.example"], "to the address that is known, not to the one typed");
    assert!(letter.text.contains("http://club.example/claim/owll_") && !letter.text.contains("evil"));
    assert!(letter.text.contains("Benutzername ann."), "{letter:?}");
    house.sign_in("ann", PASSWORD);

    let token = csrf(&door.get(&letter.path()).good());
    let claim = || {
        let form = [("csrf", token.as_str()), ("password", OTHER)];
        door.request("POST", &letter.path()).form(&form).send().status
    };
    assert_eq!(claim(), 303);
    let again = letter.path().replace("/claim/", "/api/v1/links/");
    house.server.public().post(&again, &json!({"password": OTHER})).refused(422, "link_used");
    ann.get("/api/v1/me").refused(401, "invalid_token");
    house.sign_in("ann", OTHER);
    verified(&house);
}

#[rstest]
fn nobody_learns_from_asking_whether_there_is_a_login(#[values(Db::one(), Db::other())] db: Db) {
    let Some((house, admin, mail)) = open(db) else { return };
    invited(&house, &admin, &mail, "ann", "ann@club.example");
    house.with_roles(&admin, "bob", &["player"]);
    // An invitation that nobody has claimed, and a login that is shut.
    admin.post("/api/v1/accounts", &json!({"roles": ["player"], "email": "new@club.example"})).good();
    let shut = invited(&house, &admin, &mail, "eve", "eve@club.example");
    let shut = shut.get("/api/v1/me").good().body["account"].as_str().unwrap().to_owned();
    admin.patch(&format!("/api/v1/accounts/{shut}"), &json!({"active": false})).good();
    // The three invitations have come.
    mail.letter(2);
    let before = mail.letters().len();
    let answers = ["ann", "bob", "nobody", "new@club.example", "eve"].map(|named| {
        let answer = forgets(&house, named);
        (answer.status, answer.text().to_owned(), answer.header("content-type").map(str::to_owned))
    });
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer.0 == 202), "{answers:?}");
    // One household asks no more than that, whomever for.
    for named in ["ann", "nobody"] {
        let refused = forgets(&house, named).refused(429, "too_many_attempts");
        assert!(refused.header("retry-after").is_some(), "{refused}");
    }
    assert_eq!(mail.letter(before).to, ["ann@club.example"]);

    // A login is sent three a day, by whichever name; then the answer is still the same.
    for named in ["ann@club.example", "ann", "ann", "ann"] {
        forget_household(&house);
        assert_eq!(forgets(&house, named).status, 202);
        // A link that the next replaces before it is sent is not sent.
        std::thread::sleep(Duration::from_millis(700));
    }
    mail.letter(before + 2);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(mail.letters().len(), before + 3);
    assert!(!house.server.logged().contains("ann@"), "{}", house.server.logged());
    forgets(&house, "a bell\u{7}").refused(400, "invalid_body");
}

/// Forgets how often this household has asked: of what is counted it alone has reached five.
fn forget_household(house: &House) {
    house.database.execute("DELETE FROM sign_in_attempt WHERE failures >= 5");
}

#[rstest]
fn ones_own_address_is_changed_with_the_password(#[values(Db::one(), Db::other())] db: Db) {
    let Some((house, admin, mail)) = open(db) else { return };
    let bob = house.with_roles(&admin, "bob", &["player"]);
    let change = |email: Value, password: &str| {
        bob.put("/api/v1/me/email", &json!({"email": email, "password": password}))
    };
    change(json!("bob@club.example"), "wrong and long enough").refused(401, "wrong_login_or_password");
    change(json!("bob"), PASSWORD).refused(400, "invalid_body");
    assert_eq!(bob.get("/api/v1/me").good().body["email"], Value::Null);
    let token = bob.post("/api/v1/tokens", &json!({"name": "script"})).good().body;
    let script = house.server.public().bearer(token["token"].as_str().unwrap());
    let body = json!({"email": "bob@club.example", "password": PASSWORD});
    script.put("/api/v1/me/email", &body).refused(422, "needs_session");
    change(json!("bob@club.example"), PASSWORD).good();
    assert_eq!(bob.get("/api/v1/me").good().body["email"], "bob@club.example");

    let at = browser_of(&house, ("bob", PASSWORD));
    let page =
        |email: &str, current: &str| post(&at, "/account/email", &[("email", email), ("current", current)]);
    says(&at.0.get("/account"), 200, "value=\"bob@club.example\"");
    says(&page("Bob@club.example", "wrong and long enough"), 401, "value=\"Bob@club.example\"");
    says(&page("not one", PASSWORD), 422, "notice problem");
    assert_eq!(page("Bob@club.example", PASSWORD).header("location"), Some("/account?saved"));
    assert_eq!(forgets(&house, "bob").status, 202);
    assert_eq!(mail.letter(0).to, ["Bob@club.example"]);
    change(Value::Null, PASSWORD).good();
    // What an admin makes is handed over then.
    let account = bob.get("/api/v1/me").good().body["account"].as_str().unwrap().to_owned();
    let made = admin.post(&format!("/api/v1/accounts/{account}/reset"), &json!({})).good().body;
    assert_eq!(made["mailed"], false);
}

#[test]
fn a_server_that_hangs_holds_nobody_up_and_a_full_queue_is_said() {
    let Some((house, admin, mail)) = open(Db::Sqlite) else { return };
    mail.does(Manner::Hangs);
    let begun = Instant::now();
    let invite =
        || admin.post("/api/v1/accounts", &json!({"roles": ["player"], "email": "ann@club.example"}));
    for _ in 0..50 {
        assert_eq!(invite().good().body["mailed"], true);
    }
    let made = invite().good();
    assert_eq!((made.status, &made.body["mailed"]), (201, &json!(false)), "the link is handed over");
    let refused = forgets(&house, "ann").refused(503, "mail_busy");
    assert!(refused.header("retry-after").is_some(), "{refused}");
    assert!(begun.elapsed() < Duration::from_secs(10), "nobody waits for a mail server");
    let at = browser(&house);
    let ann = house.player(&admin, "Ann");
    let page = at.0.get(&format!("/players/{ann}")).good();
    let seen = seen(&page);
    let fields = [("seen", seen.as_str()), ("roles", "player"), ("email", "ann@club.example")];
    let full = post(&at, &format!("/players/{ann}/invite"), &fields);
    says(&full, 200, "/claim/owll_");
    assert!(!full.text().contains("It is on its way by mail"), "{full}");
}

#[test]
fn what_is_refused_for_now_is_sent_again_and_what_is_refused_for_good_is_given_up() {
    let Some((house, admin, mail)) = open(Db::Sqlite) else { return };
    let invite = |email: &str| {
        admin.post("/api/v1/accounts", &json!({"roles": ["player"], "email": email})).good();
    };
    mail.does(Manner::Refuses(451));
    invite("ann@club.example");
    assert!(house.server.logs("a mail was not sent: it is tried again"));
    mail.does(Manner::Takes);
    assert_eq!(mail.letter(0).to, ["ann@club.example"]);
    mail.does(Manner::Refuses(550));
    invite("nobody.here@club.example");
    assert!(house.server.logs("a mail was not sent, and is given up"));
    let logged = house.server.logged();
    assert!(logged.contains("550") && logged.contains("club.example"), "{logged}");
    assert!(!logged.contains("nobody.here") && !logged.contains("owll_"), "{logged}");
}

#[test]
fn each_of_many_clubs_writes_under_its_name_with_its_own_links() {
    let mail = MailServer::start();
    let [url, from, _] = mail.settings();
    let public = ("HTTP__PUBLIC_URL", "http://clubs.example");
    let Some(federation) = Federation::open(Db::Sqlite, &[url, from, public]) else { return };
    for (at, name) in ["one", "two"].into_iter().enumerate() {
        let club = federation.club(name);
        let new = json!({"roles": ["player"], "email": "ann@club.example"});
        assert_eq!(club.admin.post("/api/v1/accounts", &new).good().body["mailed"], true);
        let letter = mail.letter(at);
        assert_eq!(letter.headers["from"], format!("\"Club {name}\" <owlbox@club.example>"));
        assert!(letter.text.contains(&format!("http://{}/claim/owll_", club.host)), "{letter:?}");
    }
}

#[test]
fn without_a_mail_server_there_is_nothing_of_mail() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let (admin, at) = (house.admin(), browser(&house));
    let ann = house.player(&admin, "Ann");
    let door = house.server.public().cookies().get("/sign-in").good();
    says(&door, 200, "Ask the club for a link.");
    assert!(!door.text().contains("forgotten-password"), "{door}");
    for path in ["/account".to_owned(), format!("/players/{ann}")] {
        let page = at.0.get(&path).good();
        assert!(!page.text().contains("name=\"email\""), "{page}");
    }
    forgets(&house, "ann").refused(422, "mail_off");
    says(&post(&at, "/forgotten-password", &[("named", "ann")]), 422, "The club sends no mail.");
    let new = json!({"roles": ["player"], "email": "ann@club.example"});
    assert_eq!(admin.post("/api/v1/accounts", &new).good().body["mailed"], false);
}

#[rstest]
fn a_treasurer_reminds_who_owes_and_has_an_address_once_a_day(#[values(Db::one(), Db::other())] db: Db) {
    let Some((house, admin, mail)) = open(db) else { return };
    let [ann, bob] = ["Ann", "Bob"].map(|name| house.player(&admin, name));
    let remind = |player: &str| admin.post(&format!("/api/v1/players/{player}/reminder"), &json!({}));
    let charge = |players: &[&String]| {
        let charge = json!({"command": "charge", "players": players, "fee": "membership", "currency": "EUR", "amount": 2_500});
        admin.post("/api/v1/daybook", &charge).good();
    };
    remind(&ann).refused(422, "nothing_owed");
    let mut settings = admin.get("/api/v1/settings").good().body;
    settings["iban"] = json!("DE89370400440532013000");
    admin.put("/api/v1/settings", &settings).good();
    charge(&[&ann, &bob]);
    remind(&ann).refused(422, "no_mail_address");
    let new = json!({"player": ann, "roles": ["player"], "email": "ann@club.example"});
    admin.post("/api/v1/accounts", &new).good();
    mail.letter(0);

    let at = browser(&house);
    let ledger = |player: &str| at.0.get(&format!("/ledger/{player}")).good();
    says(&ledger(&ann), 200, "Remind them by mail");
    assert!(!ledger(&bob).text().contains("Remind them by mail"), "nobody knows where to");
    let sent = post(&at, &format!("/ledger/{ann}/remind"), &[]);
    assert_eq!(sent.header("location"), Some(format!("/ledger/{ann}?saved").as_str()), "{sent}");
    let letter = mail.letter(1);
    assert_eq!(letter.to, ["ann@club.example"]);
    for line in [
        "Hello Ann,",
        "You owe 25.00 EUR",
        "* 25.00 EUR to Owlbox club",
        "  IBAN DE89 3704 0044 0532 0130 00 – Ann, club books",
        &format!("http://club.example/ledger/{ann}"),
    ] {
        assert!(letter.text.lines().any(|known| known == line), "{line}: {}", letter.text);
    }
    assert!(!letter.text.contains("Bob"), "{letter:?}");
    remind(&ann).refused(429, "too_many_attempts");
    says(&post(&at, &format!("/ledger/{ann}/remind"), &[]), 429, "notice problem");
    assert_eq!(mail.letters().len(), 2);
}
