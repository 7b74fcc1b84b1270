//! Who gets in and who may do what, over HTTP, on both databases.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::databases::{Database, Db};
use crate::support::server::Server;

const PASSWORD: &str = "quattro oche sul lago";

/// A club that was set up over HTTP. The server comes first, so that it is dropped before its database.
struct Club {
    server: Server,
    admin: Client,
    _database: Database,
}

impl Club {
    #[track_caller]
    fn open(db: Db, settings: &[(&str, &str)]) -> Option<Self> {
        let database = db.fresh()?;
        let server = Server::start_with(&database, settings);
        let code = set_up_code(&server);
        let answer = server.public().post("/api/v1/set-up", &set_up(&code));
        let admin = bearer(&server, &answer.good());
        Some(Self { server, admin, _database: database })
    }

    /// A person with these roles, invited and signed in.
    #[track_caller]
    fn somebody(&self, login: &str, roles: &[&str]) -> Client {
        let invited = self.admin.post("/api/v1/accounts", &json!({ "roles": roles })).good();
        bearer(&self.server, &self.claim(&invited, login).good())
    }

    #[track_caller]
    fn claim(&self, invited: &Answer, login: &str) -> Answer {
        self.server.public().post(&link(invited), &json!({"login": login, "password": PASSWORD}))
    }

    #[track_caller]
    fn player(&self, name: &str) -> String {
        text(&self.admin.post("/api/v1/players", &json!({ "name": name })).good().body["id"])
    }
}

#[track_caller]
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}")).to_owned()
}

#[track_caller]
fn link(invited: &Answer) -> String {
    format!("/api/v1/links/{}", text(&invited.body["secret"]))
}

#[track_caller]
fn bearer(server: &Server, tokens: &Answer) -> Client {
    server.public().bearer(&text(&tokens.body["access_token"]))
}

/// The set-up code on the console: three groups of four.
#[track_caller]
pub fn set_up_code(server: &Server) -> String {
    let is_code = |word: &str| word.len() == 14 && word.split('-').all(|group| group.len() == 4);
    // The address is announced a moment before the code.
    for _ in 0..100 {
        if let Some(code) = server.printed().split_whitespace().find(|word| is_code(word)) {
            return code.to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("no code in {}", server.printed())
}

fn set_up(code: &str) -> Value {
    json!({"code": code, "login": "Maria", "password": PASSWORD})
}

#[rstest]
fn a_club_is_set_up_with_the_code_that_the_console_shows(#[values(Db::one(), Db::other())] db: Db) {
    let Some(database) = db.fresh() else { return };
    let server = Server::start(&database);
    let public = server.public();
    public.post("/api/v1/set-up", &set_up("AAAA-AAAA-AAAA")).refused(422, "wrong_set_up_code");
    let code = set_up_code(&server);
    let tokens = public.post("/api/v1/set-up", &set_up(&code)).good();
    assert_eq!(tokens.header("cache-control"), Some("no-store"));
    public.post("/api/v1/set-up", &set_up(&code)).refused(422, "already_set_up");
    let me = bearer(&server, &tokens).get("/api/v1/me").good().body;
    assert_eq!((&me["login"], &me["roles"]), (&json!("Maria"), &json!(["admin"])));
    public.post("/api/v1/sign-in", &json!({"login": "maria", "password": PASSWORD})).good();
}

#[rstest]
fn a_player_is_invited_signs_in_and_leaves(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db, &[]) else { return };
    let mario = club.player("Mario Rossi");
    let invited = club.admin.post("/api/v1/accounts", &json!({"player": mario, "roles": ["player"]})).good();
    let public = club.server.public();
    let shown = public.get(&link(&invited)).good().body;
    assert_eq!((&shown["purpose"], &shown["name"]), (&json!("invite"), &json!("Mario Rossi")));
    assert_eq!(
        text(&invited.body["url"]),
        format!("{}/claim/{}", club.server.url(), text(&invited.body["secret"]))
    );

    let tokens = club.claim(&invited, "mario").good();
    club.claim(&invited, "mario").refused(422, "link_used");
    let client = bearer(&club.server, &tokens);
    assert_eq!(client.get("/api/v1/me").good().body["player"], json!(mario));

    // A change of roles takes effect at once.
    let account = format!("/api/v1/accounts/{}", text(&invited.body["account"]));
    client.post("/api/v1/players", &json!({"name": "Luigi", "guest": true})).refused(403, "forbidden");
    club.admin.patch(&account, &json!({"roles": ["scorer"]})).good();
    client.post("/api/v1/players", &json!({"name": "Luigi", "guest": true})).good();

    // A new password ends all earlier sessions.
    let changed =
        client.post("/api/v1/password", &json!({"old": PASSWORD, "new": "sei cigni sul fiume"})).good();
    client.get("/api/v1/me").refused(401, "invalid_token");
    let client = bearer(&club.server, &changed);
    let script = client.post("/api/v1/tokens", &json!({"name": "board"})).good();
    let script = client.bearer(&text(&script.body["token"]));
    script.get("/api/v1/me").good();

    // Deactivating an account ends everything.
    club.admin.patch(&account, &json!({"active": false})).good();
    client.get("/api/v1/me").refused(401, "invalid_token");
    script.get("/api/v1/me").refused(401, "invalid_token");
    let again = json!({"login": "mario", "password": "sei cigni sul fiume"});
    public.post("/api/v1/sign-in", &again).refused(401, "wrong_login_or_password");
}

#[rstest]
fn tokens_are_refreshed_and_revoked(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db, &[]) else { return };
    let public = club.server.public();
    let sign_in = || public.post("/api/v1/sign-in", &json!({"login": "maria", "password": PASSWORD})).good();
    let refresh = |token: &Value| public.post("/api/v1/refresh", &json!({ "refresh_token": token }));
    let first = sign_in();
    let second = refresh(&first.body["refresh_token"]).good();
    let again = refresh(&first.body["refresh_token"]).good();
    assert_eq!(second.body["refresh_token"], again.body["refresh_token"], "two tabs");
    let client = bearer(&club.server, &second);
    assert_eq!(client.request("POST", "/api/v1/sign-out").send().good().status, 204);
    client.get("/api/v1/me").refused(401, "invalid_token");
    refresh(&second.body["refresh_token"]).refused(401, "invalid_token");
    let other = bearer(&club.server, &sign_in());
    other.request("POST", "/api/v1/sign-out-everywhere").send().good();
    club.admin.get("/api/v1/me").refused(401, "invalid_token");
}

/// Each row has a request and the roles that may make it. The bodies would be refused for another reason, so
/// nothing changes.
#[rstest]
fn every_route_asks_for_its_permission(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db, &[]) else { return };
    let player = club.player("Mario Rossi");
    let nobody = "00000000-0000-7000-8000-000000000000";
    let all = ["admin", "director", "treasurer", "scorer", "player"].as_slice();
    let taken = |guest: bool| json!({"name": "mario rossi", "guest": guest});
    let settings = club.admin.get("/api/v1/settings").good().body;
    let rows = [
        ("GET", "/api/v1/me".to_owned(), None, all),
        ("GET", "/api/v1/settings".to_owned(), None, all),
        ("GET", "/api/v1/tokens".to_owned(), None, all),
        ("GET", "/api/v1/players".to_owned(), None, all),
        ("GET", format!("/api/v1/players/{player}"), None, all),
        ("POST", "/api/v1/players".to_owned(), Some(taken(true)), &["admin", "director", "scorer"]),
        ("POST", "/api/v1/players".to_owned(), Some(taken(false)), &["admin", "director"]),
        ("PATCH", format!("/api/v1/players/{player}"), Some(json!({})), &["admin", "director"]),
        ("GET", "/api/v1/accounts".to_owned(), None, &["admin"]),
        ("GET", format!("/api/v1/accounts/{nobody}"), None, &["admin"]),
        ("POST", "/api/v1/accounts".to_owned(), Some(json!({"roles": []})), &["admin"]),
        ("PATCH", format!("/api/v1/accounts/{nobody}"), Some(json!({})), &["admin"]),
        ("POST", format!("/api/v1/accounts/{nobody}/invite"), None, &["admin"]),
        ("POST", format!("/api/v1/accounts/{nobody}/reset"), None, &["admin"]),
        ("PUT", "/api/v1/settings".to_owned(), Some(settings), &["admin"]),
    ];
    for role in all {
        let client = club.somebody(role, &[role]);
        for (method, path, body, roles) in &rows {
            let ask = |client: &Client| {
                let request = client.request(method, path);
                match body {
                    Some(body) => request.json(body).send(),
                    None => request.send(),
                }
            };
            ask(&club.server.public()).refused(401, "not_signed_in");
            let answer = ask(&client);
            assert_eq!(answer.status != 403, roles.contains(role), "as {role}: {answer}");
        }
    }
}

#[test]
fn contacts_are_for_those_who_may_see_them() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let mario = json!({"name": "Mario", "contact": "mario@example.org", "notes": "plays fast"});
    let added = club.admin.request("POST", "/api/v1/players").json(&mario).key("one").send().good();
    let again = club.admin.request("POST", "/api/v1/players").json(&mario).key("one").send().good();
    assert_eq!((&added.body, added.etag()), (&again.body, again.etag()), "a retry");
    let path = format!("/api/v1/players/{}", text(&added.body["id"]));
    let scorer = club.somebody("scorer", &["scorer"]);
    let seen = scorer.get(&path).good().body;
    assert_eq!((&seen["contact"], &seen["notes"]), (&Value::Null, &Value::Null));
    let seen = scorer.get("/api/v1/players?search=MAR").good().body;
    assert_eq!((&seen["items"][0]["name"], &seen["items"][0]["contact"]), (&json!("Mario"), &Value::Null));
    let change = json!({"contact": null, "nickname": "Super"});
    club.admin.request("PATCH", &path).json(&change).if_match("\"1\"").send().refused(412, "stale_version");
    let changed = club.admin.patch(&path, &change).good().body;
    assert_eq!((&changed["contact"], &changed["nickname"]), (&Value::Null, &json!("Super")));
    assert_eq!(changed["notes"], json!("plays fast"), "what is absent stays");
}

#[test]
fn bad_input_at_the_door_changes_nothing() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let before = club.admin.get("/api/v1/settings").good().etag().to_owned();
    let rows = [
        ("POST", "/api/v1/sign-in", json!({"login": "maria"}), 400, "invalid_body"),
        ("POST", "/api/v1/sign-in", json!({"login": "maria", "password": 1}), 400, "invalid_body"),
        ("POST", "/api/v1/refresh", json!({"refresh_token": "x"}), 401, "invalid_token"),
        ("POST", "/api/v1/players", json!({"name": ""}), 400, "invalid_body"),
        ("POST", "/api/v1/players", json!({"name": "A", "guest": "yes"}), 400, "invalid_body"),
        ("POST", "/api/v1/players", json!(["Mario"]), 400, "invalid_body"),
        ("PATCH", "/api/v1/players/x", json!({}), 404, "not_found"),
        ("POST", "/api/v1/accounts", json!({"roles": []}), 422, "no_roles"),
        ("POST", "/api/v1/accounts", json!({"roles": ["owner"]}), 400, "invalid_body"),
        ("POST", "/api/v1/tokens", json!({"name": " "}), 422, "invalid_name"),
        ("POST", "/api/v1/links/owll_x", json!({"password": PASSWORD}), 404, "not_found"),
        ("PUT", "/api/v1/settings", json!({"name": "Milano"}), 400, "invalid_body"),
        ("DELETE", "/api/v1/tokens/00000000-0000-7000-8000-000000000000", json!({}), 404, "not_found"),
    ];
    for (method, path, body, status, code) in rows {
        club.admin.request(method, path).json(&body).send().refused(status, code);
    }
    club.admin.get("/api/v1/players?limit=0").refused(400, "invalid_query");
    club.admin.get("/api/v1/accounts?after=x").refused(400, "invalid_query");
    assert_eq!(club.admin.get("/api/v1/settings").good().etag(), before);
}

#[test]
fn attempts_are_limited_and_told_when_to_come_back() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let public = club.server.public();
    let wrong = json!({"login": "maria", "password": "cinque oche sul lago"});
    for _ in 0..10 {
        public.post("/api/v1/sign-in", &wrong).refused(401, "wrong_login_or_password");
    }
    let answer = public.post("/api/v1/sign-in", &wrong).refused(429, "too_many_attempts");
    assert_eq!(answer.header("retry-after"), Some("900"));
}

#[test]
fn no_secret_is_logged() {
    let settings = [("LOG__LEVEL", "trace"), ("LOG__FORMAT", "json")];
    let Some(club) = Club::open(Db::Sqlite, &settings) else { return };
    let invited = club.admin.post("/api/v1/accounts", &json!({"roles": ["player"]})).good();
    club.server.public().get(&link(&invited)).good();
    let tokens = club.claim(&invited, "mario").good();
    let client = bearer(&club.server, &tokens);
    let script = client.post("/api/v1/tokens", &json!({"name": "board"})).good();
    client.bearer(&text(&script.body["token"])).get("/api/v1/me").good();
    let logged = club.server.logged();
    assert!(!logged.is_empty());
    let secrets = [
        text(&invited.body["secret"]),
        text(&tokens.body["access_token"]),
        text(&tokens.body["refresh_token"]),
        text(&script.body["token"]),
        PASSWORD.to_owned(),
    ];
    for secret in secrets {
        // The log shows a link only as "owll_...".
        let line = logged.lines().find(|line| line.contains(&secret));
        assert_eq!(line, None, "{secret}");
    }
}
