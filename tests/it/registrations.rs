//! People who ask for a login themselves, and the admin who confirms them.

use std::sync::Barrier;

use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::{browser, post, says};
use crate::matches::verified;
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

const PASSWORD: &str = "quattro oche sul lago";

/// A club that accepts such requests.
#[track_caller]
fn open(db: Db) -> Option<(House, Client)> {
    let house = House::open(db)?;
    let admin = house.admin();
    let mut settings = admin.get("/api/v1/settings").good().body;
    assert_eq!(settings["self_registration"], "off", "nobody has said otherwise");
    settings["self_registration"] = json!("confirmed");
    admin.put("/api/v1/settings", &settings).good();
    Some((house, admin))
}

fn asks(house: &House, login: &str, name: &str) -> Answer {
    let body = json!({"login": login, "name": name, "password": PASSWORD});
    house.server.public().post("/api/v1/registrations", &body)
}

fn signs_in(house: &House, login: &str) -> Answer {
    house.server.public().post("/api/v1/sign-in", &json!({"login": login, "password": PASSWORD}))
}

/// The ids and logins of the pending requests.
#[track_caller]
fn waiting(admin: &Client) -> Vec<(String, String)> {
    let list = admin.get("/api/v1/registrations").good().body;
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    list["items"].as_array().unwrap().iter().map(|one| (text(one, "id"), text(one, "login"))).collect()
}

#[rstest]
fn nobody_asks_where_the_club_invites_people_itself(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    asks(&house, "maria", "Maria Rossi").refused(422, "self_registration_off");
    let stranger = house.server.public().cookies();
    let door = stranger.get("/sign-in").good();
    assert!(!door.text().contains("/register"), "{door}");
    assert_eq!(stranger.get("/register").header("location"), Some("/sign-in"));
}

#[rstest]
fn whoever_asks_has_a_login_once_an_admin_has_confirmed_it(#[values(Db::one(), Db::other())] db: Db) {
    let Some((house, admin)) = open(db) else { return };
    // The answer is the same for a free login, one that somebody else has requested, and one that is taken.
    for (login, name) in [("maria", "Maria Rossi"), ("Maria", "Mario Rossi"), (ADMIN.0, "Adam Inn")] {
        let answer = asks(&house, login, name);
        assert_eq!((answer.status, answer.text()), (202, ""), "{answer}");
    }
    signs_in(&house, "maria").refused(401, "wrong_login_or_password");
    let all = waiting(&admin);
    let logins: Vec<&str> = all.iter().map(|(_, login)| login.as_str()).collect();
    assert_eq!(logins, ["maria", "Maria", ADMIN.0]);
    assert!(!admin.get("/api/v1/registrations").good().body.to_string().contains("argon2"));
    let confirm = |at: usize, body: &Value| {
        let path = format!("/api/v1/registrations/{}/confirm", all[at].0);
        admin.request("POST", &path).json(body).key("once").send()
    };
    let account = confirm(0, &json!({})).good();
    assert_eq!((account.status, &account.body["roles"]), (201, &json!(["player"])));
    assert_eq!(account.body["name"], "Maria Rossi");
    assert_eq!(confirm(0, &json!({})).good().body, account.body, "a retry finds what was done");
    let maria = house.sign_in("maria", PASSWORD);
    assert_eq!(maria.get("/api/v1/me").good().body["player"], account.body["player"]);

    // The admin sees that a login is taken. Confirming it is refused, and changes nothing.
    let told = admin.get("/api/v1/registrations").good().body;
    assert_eq!(told["items"].as_array().unwrap().iter().filter(|one| one["login_taken"] == true).count(), 2);
    for (id, _) in &all[1..] {
        admin.post(&format!("/api/v1/registrations/{id}/confirm"), &json!({})).refused(422, "login_taken");
        maria.delete(&format!("/api/v1/registrations/{id}")).refused(403, "forbidden");
        assert_eq!(admin.delete(&format!("/api/v1/registrations/{id}")).status, 204);
        admin.delete(&format!("/api/v1/registrations/{id}")).refused(404, "not_found");
    }
    assert_eq!(waiting(&admin), []);
    let names = admin.get("/api/v1/players").good().body.to_string();
    assert!(!names.contains("Mario") && !names.contains("Adam"), "{names}");
    verified(&house);
}

#[rstest]
fn a_login_is_given_to_a_player_who_is_there(#[values(Db::one(), Db::other())] db: Db) {
    let Some((house, admin)) = open(db) else { return };
    let [ann, bob] = ["Ann Lee", "Bob"].map(|name| house.player(&admin, name));
    for login in ["ann", "other"] {
        assert_eq!(asks(&house, login, "Ann Lee").status, 202);
    }
    let all = waiting(&admin);
    let confirm =
        |at: usize, body: &Value| admin.post(&format!("/api/v1/registrations/{}/confirm", all[at].0), body);
    confirm(0, &json!({})).refused(422, "name_taken");
    assert_eq!(confirm(0, &json!({ "player": ann })).good().body["player"], json!(ann));
    confirm(1, &json!({ "player": ann })).refused(422, "player_has_account");
    confirm(1, &json!({ "player": bob, "roles": ["admin"] })).refused(400, "invalid_body");
    assert_eq!(signs_in(&house, "ann").status, 200);
    verified(&house);
}

#[rstest]
fn no_more_ask_and_wait_than_an_admin_can_look_at(#[values(Db::one(), Db::other())] db: Db) {
    let Some((house, admin)) = open(db) else { return };
    let common = json!({"login": "maria", "name": "Maria", "password": "password123"});
    house.server.public().post("/api/v1/registrations", &common).refused(422, "password_too_common");
    for _ in 0..5 {
        assert_eq!(asks(&house, "maria", "Maria").status, 202);
    }
    let refused = asks(&house, "maria", "Maria").refused(429, "too_many_attempts");
    assert!(refused.header("retry-after").is_some(), "{refused}");
    assert_eq!(signs_in(&house, "maria").status, 401, "signing in is counted apart");
    let rows: Vec<String> = (0..95)
        .map(|at| {
            format!(
                "('0190a6f4-0000-7000-8000-{at:012}', 'maria', 'Maria', 'x', '2099-01-01T00:00:00.000000Z')"
            )
        })
        .collect();
    house.database.execute(&format!("INSERT INTO registration VALUES {}", rows.join(", ")));
    house.database.execute("DELETE FROM sign_in_attempt");
    let refused = asks(&house, "maria", "Maria").refused(422, "registrations_full");
    assert_eq!((refused.body["allowed"].as_u64(), waiting(&admin).len()), (Some(100), 100));
    assert_eq!(admin.delete("/api/v1/registrations").status, 204);
    assert_eq!(waiting(&admin), []);
    assert_eq!(asks(&house, "maria", "Maria").status, 202);
}

#[rstest]
fn of_two_admins_who_confirm_at_once_one_does(#[values(Db::one(), Db::other())] db: Db) {
    let Some((house, admin)) = open(db) else { return };
    assert_eq!(asks(&house, "maria", "Maria").status, 202);
    let path = format!("/api/v1/registrations/{}/confirm", waiting(&admin)[0].0);
    let begin = Barrier::new(4);
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let confirm = || {
            begin.wait();
            admin.post(&path, &json!({})).status
        };
        let all: Vec<_> = (0..4).map(|_| scope.spawn(confirm)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 404, 404, 404]);
    verified(&house);
}

#[test]
fn one_asks_on_a_page_and_an_admin_confirms_on_another() {
    let Some((house, admin)) = open(Db::Sqlite) else { return };
    house.player(&admin, "Bob Lane");
    let stranger = house.server.public().cookies();
    says(&stranger.get("/sign-in"), 200, "href=\"/register\"");
    let token = csrf(&stranger.get("/register").good());
    let ask = |name: &str, login: &str, password: &str| {
        let form = [("csrf", token.as_str()), ("name", name), ("login", login), ("password", password)];
        stranger.request("POST", "/register").form(&form).send()
    };
    let again = ask("Maria Rossi", "maria", "short");
    says(&again, 422, "value=\"Maria Rossi\"");
    assert!(!again.text().contains("short\""), "a password is not written back: {again}");
    for (name, login) in [("Maria Rossi", "maria"), ("bob lane", "bob"), ("Somebody", "who")] {
        assert_eq!(ask(name, login, PASSWORD).header("location"), Some("/register?asked"));
    }
    says(&stranger.get("/register?asked"), 200, "Your request is in.");

    let at = browser(&house);
    says(&at.0.get("/"), 200, "3 requests for a login");
    let settings = at.0.get("/settings").good();
    says(&settings, 200, "Somebody with this name plays here already");
    says(&settings, 200, "There is no player with this name");
    let all = waiting(&admin);
    let confirm = |at_place: usize, player: &str| {
        let path = format!("/settings/registrations/{}/confirm", all[at_place].0);
        // The form as the page showed it.
        let form = settings.text().split(&format!("{path}\">")).nth(1).unwrap();
        let form = form.split("</form>").next().unwrap();
        let known = form.split("name=\"known\" value=\"").nth(1).and_then(|text| text.split('"').next());
        assert_eq!(known.is_some(), at_place == 1, "{form}");
        post(&at, &path, &[("player", player), ("known", known.unwrap_or_default())])
    };
    says(&confirm(0, "Marta"), 404, "Maria Rossi");
    // A player added under that name since the page was shown is another person.
    let late = house.player(&admin, "Maria Rossi");
    says(&confirm(0, "Maria Rossi"), 422, "Maria Rossi");
    admin.request("PATCH", &format!("/api/v1/players/{late}")).json(&json!({"name": "Rosa"})).send().good();
    for (place, name) in [(0, "Maria Rossi"), (1, "bob lane")] {
        let done = confirm(place, name);
        assert!(done.status == 303 && done.header("location").unwrap().contains("#account-"), "{done}");
    }
    let declined = post(&at, &format!("/settings/registrations/{}/decline", all[2].0), &[]);
    assert_eq!(declined.header("location"), Some("/settings?saved#registrations"));
    assert_eq!(waiting(&admin), []);
    for login in ["maria", "bob"] {
        assert_eq!(signs_in(&house, login).status, 200);
    }
    signs_in(&house, "who").refused(401, "wrong_login_or_password");
    let players = admin.get("/api/v1/players").good().body;
    assert_eq!(players["items"].as_array().unwrap().len(), 3, "Bob was there already: {players}");

    let decline_all = "action=\"/settings/registrations/decline\"";
    assert!(!at.0.get("/settings").good().text().contains(decline_all), "nobody waits");
    for login in ["cem", "dora"] {
        assert_eq!(ask(login, login, PASSWORD).header("location"), Some("/register?asked"));
    }
    says(&at.0.get("/settings"), 200, decline_all);
    let declined = post(&at, "/settings/registrations/decline", &[]);
    assert_eq!((declined.header("location"), waiting(&admin).len()), (Some("/settings?saved"), 0));
    verified(&house);
}
