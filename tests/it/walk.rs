//! Walks every route of the service: the API's from the served OpenAPI document, the pages' from the list
//! that registers them. A route that is not handled here fails the walk.

mod bad_input;
mod barriers;
mod heads;
mod isolation;
mod pages;
mod roles;
mod strangers;
mod table;

pub(crate) use pages::csrf;

use std::cell::Cell;

use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::databases::{Database, Db};
use crate::support::house::{self, ADMIN};
use crate::support::server::Server;

/// Everybody's password, which is also that of the document's examples.
const PASSWORD: &str = "quattro oche sul lago";
/// The player of the document's examples.
const EXAMPLE_PLAYER: &str = "0190a6f4-0000-7000-8000-000000000001";
/// Where no webhook may send.
const NOWHERE: &str = "https://127.0.0.1:9999";
/// An id that nothing has.
const NOTHING: &str = "0190a6f4-0000-7000-8000-ffffffffffff";

/// A club to walk through.
struct Club {
    /// A stranger at its address.
    public: Client,
    admin: Client,
    document: Value,
    serial: Cell<u32>,
    /// `None` for one of many.
    home: Option<Home>,
}

/// A service of one club. The server comes first, so that it is dropped before its database.
struct Home {
    server: Server,
    _database: Database,
}

struct Person {
    client: Client,
    login: String,
    account: String,
    player: Option<String>,
    tokens: Value,
}

/// One method of one path in the document.
struct Operation {
    method: String,
    path: String,
    told: Value,
}

/// A request that should succeed at what the operation is for.
struct Plausible {
    path: String,
    body: Option<Value>,
}

impl Operation {
    /// The operation as `POST /chouettes/{id}/commands`.
    fn name(&self) -> String {
        format!("{} {}", self.method, self.path.trim_start_matches("/api/v1"))
    }

    fn example(&self) -> Option<&Value> {
        self.told["requestBody"]["content"]["application/json"].get("example")
    }

    /// Whether it sets no security of its own, so that the default of the document applies: a sign-in.
    fn is_secured(&self) -> bool {
        self.told["security"].is_null()
    }

    /// Whether it may answer without a token, if only in clubs that show it to everybody.
    fn is_for_strangers(&self) -> bool {
        self.told["security"].as_array().is_some_and(|ways| ways.contains(&json!({})))
    }

    /// The names of its parameters of one kind.
    fn parameters<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a str> {
        let all = self.told["parameters"].as_array().into_iter().flatten();
        all.filter(move |parameter| parameter["in"] == kind).filter_map(|p| p["name"].as_str())
    }

    /// Checks that the document lists the answer's status.
    #[track_caller]
    fn is_told(&self, answer: &Answer) {
        let told = self.told["responses"].get(answer.status.to_string()).is_some();
        assert!(told, "{}: the document tells nothing of this answer: {answer}", self.name());
    }
}

impl Plausible {
    /// The id of the table that it is about.
    fn table(&self) -> Option<String> {
        let below = self.path.strip_prefix("/api/v1/chouettes/")?;
        below.split('/').next().map(str::to_owned)
    }
}

impl Club {
    #[track_caller]
    fn open(db: Db, settings: &[(&str, &str)]) -> Option<Self> {
        let database = house::club(db)?;
        let server = Server::start_with(&database, settings);
        let public = server.public();
        let signed_in =
            public.post("/api/v1/sign-in", &json!({"login": ADMIN.0, "password": ADMIN.1})).good();
        let admin = public.bearer(text(&signed_in.body["access_token"]));
        let document = public.get("/api/v1/openapi.json").good().body;
        let home = Some(Home { server, _database: database });
        Some(Self { public, admin, document, serial: Cell::new(0), home })
    }

    fn operations(&self) -> Vec<Operation> {
        let paths = self.document["paths"].as_object().expect("paths");
        let operations = paths.iter().flat_map(|(path, methods)| {
            methods.as_object().expect("methods").iter().map(|(method, told)| Operation {
                method: method.to_uppercase(),
                path: path.clone(),
                told: told.clone(),
            })
        });
        operations.collect()
    }

    fn number(&self) -> u32 {
        self.serial.set(self.serial.get() + 1);
        self.serial.get()
    }

    /// A new player without an account.
    #[track_caller]
    fn player(&self) -> String {
        let new = json!({"name": format!("Player {}", self.number())});
        text(&self.admin.post("/api/v1/players", &new).good().body["id"]).to_owned()
    }

    #[track_caller]
    fn invite(&self, role: &str, player: Option<&str>) -> Answer {
        self.admin.post("/api/v1/accounts", &json!({"roles": [role], "player": player})).good()
    }

    /// A person with this role, invited and signed in; players are linked to a player.
    #[track_caller]
    fn somebody(&self, role: &str) -> Person {
        let player = (role == "player").then(|| self.player());
        let invited = self.invite(role, player.as_deref()).body;
        let login = format!("{role}{}", self.number());
        let path = format!("/api/v1/links/{}", text(&invited["secret"]));
        let public = &self.public;
        let tokens = public.post(&path, &json!({"login": login, "password": PASSWORD})).good().body;
        let client = public.bearer(text(&tokens["access_token"]));
        Person { client, login, account: text(&invited["account"]).to_owned(), player, tokens }
    }

    /// A table with these players in this order and a game in progress.
    #[track_caller]
    fn table_of(&self, players: &[&str]) -> String {
        let opened = self.admin.post("/api/v1/chouettes", &json!({"name": "Friday"})).good();
        let id = text(&opened.body["chouette"]["id"]).to_owned();
        for player in players {
            self.command(&self.admin, &id, &json!({"command": "join", "player": player})).good();
        }
        let rolls = players.iter().zip((1..=6).rev());
        let rolls: Vec<Value> = rolls.map(|(player, die)| json!({"player": player, "dice": [die]})).collect();
        self.command(&self.admin, &id, &json!({"command": "enter_rolls", "rolls": rolls})).good();
        self.command(&self.admin, &id, &json!({"command": "start_game"})).good();
        id
    }

    /// A match between these two with one finished game.
    #[track_caller]
    fn match_of(&self, players: [&String; 2]) -> String {
        let new = json!({"players": players, "terms": {"play": "match", "length": 7}});
        let opened = self.admin.post("/api/v1/matches", &new).good();
        let id = text(&opened.body["match"]["id"]).to_owned();
        let game = json!({"command": "game", "winner": "upper", "win": "single"});
        self.admin.post(&format!("/api/v1/matches/{id}/commands"), &game).good();
        id
    }

    /// A match with a clock.
    #[track_caller]
    fn timed_match(&self) -> String {
        let clock = json!({"reserve_a_point": 120, "delay": 12});
        let terms = json!({"play": "match", "length": 7});
        let new = json!({"players": [self.player(), self.player()], "terms": terms, "clock": clock});
        text(&self.admin.post("/api/v1/matches", &new).good().body["match"]["id"]).to_owned()
    }

    /// A private tournament of four, drawn, with its first match played or not: its id and one of its
    /// players.
    #[track_caller]
    fn tournament(&self, played: bool) -> (String, String) {
        let about =
            json!({"name": format!("Open {}", self.number()), "date": "2026-11-20", "currency": "EUR"});
        let id = text(&self.admin.post("/api/v1/tournaments", &about).good().body["id"]).to_owned();
        let players = [self.player(), self.player(), self.player(), self.player()];
        let entries: Vec<Value> = players.iter().map(|player| json!({ "player": player })).collect();
        let result = json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [7, 3]}});
        let commands = [
            json!({"command": "add_division", "settings": {"fees": {"entry": 1000}}}),
            json!({"command": "enter", "entries": entries}),
            json!({"command": "draw"}),
        ];
        for command in commands.iter().chain(played.then_some(&result)) {
            self.admin.post(&format!("/api/v1/tournaments/{id}/commands"), command).good();
        }
        let [one, ..] = players;
        (id, one)
    }

    /// One of the club's own sets of house rules, with its name as in a URL.
    #[track_caller]
    fn rule_set(&self) -> String {
        let name = format!("Set-{}", self.number());
        self.admin.put(&format!("/api/v1/house-rules/{name}"), &json!({})).good();
        name
    }

    /// A season of the club, with its name as in a URL. What the public may see stays as it is.
    #[track_caller]
    fn season(&self) -> String {
        let name = "Winter-2026";
        let mut settings = self.admin.get("/api/v1/settings").good().body;
        settings["seasons"] =
            json!([{"name": name, "from": "2026-10-01", "until": "2027-03-31", "coming": 1}]);
        let answer = self.admin.put("/api/v1/settings", &settings);
        assert!(answer.status == 200 || answer.body["code"] == "nothing_changes", "{answer}");
        name.to_owned()
    }

    fn command(&self, client: &Client, table: &str, command: &Value) -> Answer {
        client.post(&format!("/api/v1/chouettes/{table}/commands"), command)
    }

    /// Sets what is visible without a sign-in.
    #[track_caller]
    fn show_everybody(&self, tables: bool, standings: bool) {
        let settings = json!({"name": "Milano", "time_zone": "Europe/Rome", "currencies": ["EUR"],
            "public": {"tables": tables, "standings": standings}, "self_registration": null, "exposure_limit": null});
        let answer = self.admin.put("/api/v1/settings", &settings);
        assert!(answer.status == 200 || answer.body["code"] == "nothing_changes", "{answer}");
    }

    /// The document's own example with real ids filled in, such that `who` can do it if permitted.
    #[track_caller]
    fn plausible(&self, operation: &Operation, who: &Person) -> Plausible {
        let below = operation.path.trim_start_matches("/api/v1");
        let mut body = operation.example().cloned();
        let mut put = |from: &str, to: &str| body = body.take().map(|body| replaced(&body, from, to));
        let mut id = String::new();
        if below.starts_with("/chouettes/{id}") {
            let players = [self.player(), self.player(), self.player()];
            id = self.table_of(&players.each_ref().map(String::as_str));
            put(EXAMPLE_PLAYER, &players[1]);
        } else if below.starts_with("/matches/{id}") {
            id = self.match_of([&self.player(), &self.player()]);
        } else if below.starts_with("/tournaments/{id}") {
            (id, _) = self.tournament(!below.ends_with("/commands"));
        } else if below.starts_with("/players/{id}") {
            id = self.player();
        } else if ["/accounts/{id}/invite", "/accounts/{id}/email"].contains(&below) {
            id = text(&self.invite("player", None).body["account"]).to_owned();
        } else if below.starts_with("/accounts/{id}") {
            id = self.somebody("player").account;
        } else if below.starts_with("/ledger/accounts/{account}") {
            "bank".clone_into(&mut id);
        } else if below.starts_with("/club/years/") {
            "2026".clone_into(&mut id);
        } else if below.starts_with("/nights/{date}") || below.starts_with("/club/nights/") {
            id = "2026-11-20".to_owned();
        } else if below == "/daybook/{record}" {
            "1".clone_into(&mut id);
            let spent = json!({"command": "spend", "currency": "EUR", "amount": 300, "memo": "Dice"});
            self.admin.post("/api/v1/daybook", &spent).good();
        } else if below == "/seasons/{name}" {
            id = self.season();
        } else if below == "/house-rules/{name}" {
            id = self.rule_set();
        } else if below == "/tokens/{id}" {
            let made = who.client.post("/api/v1/tokens", &json!({"name": "script"})).good();
            id = text(&made.body["id"]).to_owned();
        } else if below.starts_with("/webhooks/{id}") {
            id = self.webhook();
        } else if below.starts_with("/ledger/pools/{id}") || below.starts_with("/registrations/{id}") {
            id = NOTHING.to_owned();
        } else if below == "/links/{secret}" {
            id = text(&self.invite("player", None).body["secret"]).to_owned();
            put("maria", &format!("maria{}", self.number()));
        }
        match below {
            "/accounts" => put(EXAMPLE_PLAYER, &self.player()),
            "/matches" => {
                put(EXAMPLE_PLAYER, &self.player());
                put(&EXAMPLE_PLAYER.replace("001", "002"), &self.player());
            }
            "/players" => {
                put("Mario Rossi", &format!("Mario {}", self.number()));
                put("Mari", &format!("Mari {}", self.number()));
            }
            "/ledger/imports" | "/ledger/imports/preview" => {
                let name = format!("Maria {}", self.number());
                self.admin.post("/api/v1/players", &json!({ "name": name })).good();
                let shown = operation.example().map_or("", |example| text(&example["csv"]));
                put(shown, &shown.replace("Maria", &name));
            }
            "/webhooks" => put("https://bot.example/owlbox", NOWHERE),
            "/sign-in" => put("maria", &who.login),
            "/refresh" => {
                let shown = operation.example().map_or("", |example| text(&example["refresh_token"]));
                put(shown, text(&who.tokens["refresh_token"]));
            }
            _ => {}
        }
        Plausible { path: filled(&operation.path, &id), body }
    }

    /// A webhook that reaches nobody. A club has few: it is there already, unless somebody has removed it.
    #[track_caller]
    fn webhook(&self) -> String {
        let there =
            self.admin.get("/api/v1/webhooks").good().body["items"][0]["id"].as_str().map(str::to_owned);
        there.unwrap_or_else(|| {
            let made = self.admin.post("/api/v1/webhooks", &json!({"url": NOWHERE})).good();
            text(&made.body["id"]).to_owned()
        })
    }

    /// Everything that a refused request must leave unchanged.
    #[track_caller]
    fn everything(&self, tables: &[String]) -> Value {
        let look = |path: &str| {
            let answer = self.admin.get(path).good();
            json!([answer.header("etag"), answer.body])
        };
        let lists = [
            "settings",
            "house-rules?limit=200",
            "accounts?limit=200",
            "players?limit=200",
            "chouettes?limit=200",
            "matches?limit=200",
            "tournaments?limit=200",
            "tokens",
        ];
        let mut all: Vec<Value> = lists.map(|list| look(&format!("/api/v1/{list}"))).to_vec();
        all.extend(tables.iter().map(|id| look(&format!("/api/v1/chouettes/{id}"))));
        Value::Array(all)
    }

    #[track_caller]
    fn server(&self) -> &Server {
        &self.home.as_ref().expect("a club with a service of its own").server
    }

    /// Checks that the log has nothing that looks like a failure.
    #[track_caller]
    fn logged_no_failure(&self) {
        logged_no_failure(self.server());
    }
}

#[track_caller]
fn logged_no_failure(server: &Server) {
    let logged = server.logged();
    let bad = ["ERROR", "WARN", "panicked", "stack backtrace"];
    let found = logged.lines().find(|line| bad.iter().any(|word| line.contains(word)));
    assert_eq!(found, None);
}

/// The path with its parameters filled in: an id, the number 1, or a form of a table.
fn filled(path: &str, id: &str) -> String {
    let places = [
        "{id}",
        "{secret}",
        "{link}",
        "{player}",
        "{other}",
        "{tournament}",
        "{date}",
        "{year}",
        "{name}",
        "{record}",
        "{account}",
    ];
    let parts = ["{division}", "{n}", "{entry}", "{match}", "{month}"];
    let path = parts.into_iter().fold(path.replace("{sheet}", "pay"), |path, part| path.replace(part, "1"));
    places.into_iter().fold(path, |path, place| path.replace(place, id))
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

/// The value with one text replaced by another, wherever it is.
fn replaced(value: &Value, from: &str, to: &str) -> Value {
    match value {
        Value::String(text) if text == from => json!(to),
        Value::Array(items) => items.iter().map(|item| replaced(item, from, to)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), replaced(field, from, to))).collect()
        }
        other => other.clone(),
    }
}
