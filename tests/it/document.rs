//! The OpenAPI document: complete, as agreed, and true, because its examples work.

use std::collections::BTreeSet;

use owlbox_base::text::{LINES, LOGIN, ONE_LINE, lines, one_line};
use owlbox_books::club::Login;
use owlbox_chouette::rules::catalogue::{Kind, settings};
use serde_json::{Value, json};

use crate::reference::pictures;
use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::{Database, Db};
use crate::support::house::House;
use crate::support::server::Server;

fn document() -> Option<Value> {
    let database = Db::Sqlite.fresh()?;
    let server = Server::start(&database);
    Some(server.public().get("/api/v1/openapi.json").good().body)
}

/// Every operation, by its method and path.
pub fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    document["paths"].as_object().expect("paths").iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        methods.map(move |(method, told)| (format!("{} {path}", method.to_uppercase()), told))
    })
}

/// Every change of the API shows in this file.
#[test]
fn the_document_is_as_agreed() {
    let Some(document) = document() else { return };
    let agreed = include_str!("../../crates/api/src/docs/openapi.json");
    assert!(
        document == serde_json::from_str::<Value>(agreed).unwrap(),
        "the service serves another document"
    );
}

#[test]
fn the_document_is_read_in_a_browser() {
    let Some(browser) = Browser::laptop() else { return };
    let Some(database) = Db::Sqlite.fresh() else { return };
    let server = Server::start(&database);
    browser.goto(&format!("{}/docs", server.url()));
    browser.wait_for("[id$=-sign_in]");
    pictures(&browser, "docs");
}

#[test]
fn every_operation_is_told_whole() {
    let Some(document) = document() else { return };
    assert_eq!(document["openapi"], "3.1.0");
    let tags = document["tags"].as_array().unwrap();
    let tags: BTreeSet<&str> = tags.iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    let mut ids = BTreeSet::new();
    let mut used = BTreeSet::new();
    for (name, told) in operations(&document) {
        let id = told["operationId"].as_str().unwrap_or_else(|| panic!("{name}: no id"));
        assert!(ids.insert(id.to_owned()), "{name}: another operation is called {id}, too");
        let own = told["tags"].as_array().unwrap_or_else(|| panic!("{name}: no tag"));
        used.extend(own.iter().map(|tag| tag.as_str().unwrap().to_owned()));
        for field in ["summary", "description"] {
            assert!(told[field].as_str().is_some_and(|text| text.ends_with('.')), "{name}: no {field}");
        }
        for parameter in told["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string(), "{name}: {parameter}");
        }
        let responses = told["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('2')), "{name}: when is it done?");
        for (status, response) in responses {
            assert!(response["description"].is_string(), "{name} {status}");
            if !status.starts_with('2') && status != "304" {
                let problem = &response["content"]["application/problem+json"]["schema"]["$ref"];
                assert_eq!(problem, "#/components/schemas/Problem", "{name} {status}");
            }
        }
        if let Some(body) = told.get("requestBody") {
            assert_eq!(body["required"], true, "{name}");
            let (kind, told) = body["content"].as_object().unwrap().iter().next().unwrap();
            let is_one = if kind == "application/json" { Value::is_object } else { Value::is_string };
            assert!(is_one(&told["example"]), "{name}: an example of its body is missing");
        }
    }
    let used: BTreeSet<&str> = used.iter().map(String::as_str).collect();
    assert_eq!(tags, used, "the tags that are explained are those in use");
}

#[test]
fn everything_that_the_document_refers_to_is_there() {
    fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|field| references(field, found));
            }
            _ => {}
        }
    }
    let Some(document) = document() else { return };
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in found {
        let there = document.pointer(reference.trim_start_matches('#'));
        assert!(there.is_some(), "{reference} is nowhere");
    }
}

/// A club's first evening, and what there is after it.
pub struct Evening {
    pub public: Client,
    pub admin: Client,
    /// The account of the first of the players.
    pub account: String,
    /// Mario, Ada and Eva.
    pub players: [String; 3],
    pub table: String,
    pub night: String,
    pub sheet: String,
    pub tournament: String,
    pub webhook: String,
    pub server: Server,
    _database: Database,
}

/// The examples, put in order, are a club's first evening. Only ids and secrets are filled in.
#[test]
fn every_example_does_what_it_is_there_for() {
    Evening::spent();
}

impl Evening {
    /// Sends every example of a request.
    pub fn spent() -> Option<Self> {
        let database = Db::Sqlite.fresh()?;
        let server = Server::start(&database);
        let public = server.public();
        let document = public.get("/api/v1/openapi.json").good().body;
        let mut left: BTreeSet<String> = operations(&document)
            .filter(|(_, told)| told.get("requestBody").is_some())
            .map(|(name, _)| name)
            .collect();
        let mut example = |name: &str, put: &[(&str, &str)]| {
            assert!(left.remove(name), "{name} has no body, or comes twice");
            let (_, told) = operations(&document).find(|(known, _)| known == name).unwrap();
            let content = told["requestBody"]["content"].as_object().unwrap();
            let mut text = content.values().next().unwrap()["example"].to_string();
            for (from, to) in put {
                assert!(text.contains(from), "{name}: {from} is not in {text}");
                text = text.replace(from, to);
            }
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let field =
            |value: &Value| value.as_str().unwrap_or_else(|| panic!("not a text: {value}")).to_owned();
        const PLAYER: &str = "0190a6f4-0000-7000-8000-000000000001";

        let code = crate::people::set_up_code(&server);
        let set_up = example("POST /api/v1/set-up", &[("F7K2-9QXM-4TRC", &code)]);
        public.post("/api/v1/set-up", &set_up).good();
        let tokens = public.post("/api/v1/sign-in", &example("POST /api/v1/sign-in", &[])).good().body;
        let shown = "owlr_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";
        let refresh = example("POST /api/v1/refresh", &[(shown, &field(&tokens["refresh_token"]))]);
        let tokens = public.post("/api/v1/refresh", &refresh).good().body;
        let admin = public.bearer(&field(&tokens["access_token"]));
        admin.put("/api/v1/settings", &example("PUT /api/v1/settings", &[])).good();
        admin.patch("/api/v1/settings", &example("PATCH /api/v1/settings", &[])).good();
        admin.put("/api/v1/house-rules/Friday", &example("PUT /api/v1/house-rules/{name}", &[])).good();
        admin.post("/api/v1/tokens", &example("POST /api/v1/tokens", &[])).good();

        let mario = admin.post("/api/v1/players", &example("POST /api/v1/players", &[])).good().body;
        let mario = field(&mario["id"]);
        let path = format!("/api/v1/players/{mario}");
        let changed = admin.patch(&path, &example("PATCH /api/v1/players/{id}", &[])).good().body;
        assert_eq!((&changed["nickname"], &changed["contact"]), (&Value::Null, &json!("+39 02 1234567")));
        let invite = example("POST /api/v1/accounts", &[(PLAYER, &mario)]);
        let invited = admin.post("/api/v1/accounts", &invite).good().body;
        let claim = example("POST /api/v1/links/{secret}", &[("maria", "mario")]);
        public.post(&format!("/api/v1/links/{}", field(&invited["secret"])), &claim).good();
        let path = format!("/api/v1/accounts/{}", field(&invited["account"]));
        let changed = admin.patch(&path, &example("PATCH /api/v1/accounts/{id}", &[])).good().body;
        assert_eq!(changed["roles"], json!(["player", "scorer"]));

        let opened = admin.post("/api/v1/chouettes", &example("POST /api/v1/chouettes", &[])).good().body;
        let path = format!("/api/v1/chouettes/{}", field(&opened["chouette"]["id"]));
        let commands = format!("{path}/commands");
        let others = ["Ada", "Eva"]
            .map(|name| field(&admin.post("/api/v1/players", &json!({ "name": name })).good().body["id"]));
        for player in [&mario, &others[0], &others[1]] {
            admin.post(&commands, &json!({"command": "join", "player": player})).good();
        }
        let asks = example("POST /api/v1/registrations", &[("maria", "ada")]);
        assert_eq!(public.post("/api/v1/registrations", &asks).status, 202);
        let waits = field(&admin.get("/api/v1/registrations").good().body["items"][0]["id"]);
        let confirm = example("POST /api/v1/registrations/{id}/confirm", &[(PLAYER, &others[0])]);
        admin.post(&format!("/api/v1/registrations/{waits}/confirm"), &confirm).good();
        admin.post(&commands, &json!({"command": "draw_order"})).good();
        admin.post(&commands, &json!({"command": "start_game"})).good();
        let preview = example("POST /api/v1/chouettes/{id}/preview", &[]);
        admin.post(&format!("{path}/preview"), &preview).good();
        admin.post(&commands, &example("POST /api/v1/chouettes/{id}/commands", &[(PLAYER, &mario)])).good();
        // Undoes the double. Then the game is played to its end.
        admin.post(&commands, &json!({"command": "undo"})).good();
        admin.post(&commands, &json!({"command": "finish", "winner": "box", "win": "single"})).good();
        let second = PLAYER.replace("001", "002");
        let new = example("POST /api/v1/matches", &[(PLAYER, &mario), (&second, &others[0])]);
        let opened_match = admin.post("/api/v1/matches", &new).good().body;
        let path = format!("/api/v1/matches/{}", field(&opened_match["match"]["id"]));
        admin.post(&format!("{path}/commands"), &example("POST /api/v1/matches/{id}/commands", &[])).good();
        admin.post(&format!("{path}/preview"), &example("POST /api/v1/matches/{id}/preview", &[])).good();
        let opened_tournament =
            admin.post("/api/v1/tournaments", &example("POST /api/v1/tournaments", &[])).good().body;
        let path = format!("/api/v1/tournaments/{}", field(&opened_tournament["id"]));
        let entries = json!([{"player": mario}, {"player": others[0]}]);
        for command in [
            json!({"command": "add_division", "settings": {}}),
            json!({"command": "enter", "entries": entries}),
            json!({"command": "draw"}),
            example("POST /api/v1/tournaments/{id}/commands", &[]),
        ] {
            admin.post(&format!("{path}/commands"), &command).good();
        }
        let arrival = "POST /api/v1/tournaments/{id}/divisions/{division}/entries/{entry}/arrival";
        admin.post(&format!("{path}/divisions/1/entries/1/arrival"), &example(arrival, &[])).good();
        admin.post(&format!("{path}/copies"), &example("POST /api/v1/tournaments/{id}/copies", &[])).good();
        let preview = example("POST /api/v1/tournaments/{id}/preview", &[]);
        admin.post(&format!("{path}/preview"), &preview).good();
        let mistyped = field(&admin.post("/api/v1/players", &json!({ "name": "Marioo" })).good().body["id"]);
        let removal = example("POST /api/v1/players/{id}/remove", &[]);
        admin.post(&format!("/api/v1/players/{mistyped}/remove"), &removal).good();
        let leaver = field(&admin.post("/api/v1/players", &json!({ "name": "Mariella" })).good().body["id"]);
        for act in ["erase/preview", "erase"] {
            let asked = example(&format!("POST /api/v1/players/{{id}}/{act}"), &[]);
            admin.post(&format!("/api/v1/players/{leaver}/{act}"), &asked).good();
        }
        admin.post("/api/v1/daybook", &example("POST /api/v1/daybook", &[])).good();
        for import in ["POST /api/v1/ledger/imports/preview", "POST /api/v1/ledger/imports"] {
            let path = import.trim_start_matches("POST ");
            admin.post(path, &example(import, &[("Maria", "Mario Rossi")])).good();
        }
        let file = field(&example("POST /api/v1/texts", &[]));
        let sent =
            admin.request("POST", "/api/v1/texts").raw("application/octet-stream", file.clone().into());
        assert_eq!(sent.send().good().body["text"], file);
        let night = field(&opened["chouette"]["night"]);
        let settle = example("POST /api/v1/nights/{date}/settle-up", &[]);
        admin.post(&format!("/api/v1/nights/{night}/settle-up"), &settle).good();
        let account =
            field(&admin.post("/api/v1/accounts", &json!({"roles": ["player"]})).good().body["account"]);
        let email = example("PUT /api/v1/accounts/{id}/email", &[]);
        admin.put(&format!("/api/v1/accounts/{account}/email"), &email).good();
        admin.put("/api/v1/me/email", &example("PUT /api/v1/me/email", &[])).good();
        let forgotten = example("POST /api/v1/forgotten-password", &[]);
        public.post("/api/v1/forgotten-password", &forgotten).refused(422, "mail_off");
        let made = admin.post("/api/v1/webhooks", &example("POST /api/v1/webhooks", &[])).good().body;
        let webhook = field(&made["id"]);
        let switched = example("PATCH /api/v1/webhooks/{id}", &[]);
        admin.patch(&format!("/api/v1/webhooks/{webhook}"), &switched).good();
        let tokens = admin.post("/api/v1/password", &example("POST /api/v1/password", &[])).good().body;
        assert_eq!(left, BTreeSet::new(), "nobody tried these");
        Some(Self {
            admin: public.bearer(&field(&tokens["access_token"])),
            public,
            account: field(&invited["account"]),
            table: field(&opened["chouette"]["id"]),
            night,
            sheet: field(&opened_match["match"]["id"]),
            tournament: field(&opened_tournament["id"]),
            webhook,
            players: {
                let [ada, eva] = others;
                [mario, ada, eva]
            },
            server,
            _database: database,
        })
    }
}

/// Every command of a stream in the document: its component and its example.
fn commands<'d>(document: &'d Value, stream: &str) -> Vec<(&'d str, &'d Value)> {
    let schemas = &document["components"]["schemas"];
    let variants = schemas[stream]["discriminator"]["mapping"].as_object().expect("a tagged type").iter();
    variants
        .map(|(name, to)| {
            let component =
                to.as_str().and_then(|to| to.strip_prefix("#/components/schemas/")).expect("a component");
            (name.as_str(), &schemas[component]["example"])
        })
        .collect()
}

/// The JSON pointers of all objects within a value.
fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(at.to_owned());
            fields.iter().for_each(|(name, field)| objects(field, &format!("{at}/{name}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| objects(item, &format!("{at}/{place}"), found));
        }
        _ => {}
    }
}

/// Every command of the document is accepted with all its fields, and a field that the document does not name
/// is refused, at any depth.
#[test]
fn the_commands_of_the_document_are_those_that_are_taken() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let document = admin.get("/api/v1/openapi.json").good().body;
    let streams: BTreeSet<&str> =
        ["ChouetteCommand", "SheetCommand", "TournamentCommand"].into_iter().collect();
    let asked: BTreeSet<&str> = operations(&document)
        .filter(|(name, _)| name.ends_with("/commands") || name.ends_with("/preview"))
        .filter_map(|(_, told)| told.pointer("/requestBody/content/application~1json/schema/$ref")?.as_str())
        .filter_map(|to| to.strip_prefix("#/components/schemas/"))
        // What is tried out is not always a command: a table that is brought is none.
        .filter(|to| to.ends_with("Command"))
        .collect();
    assert_eq!(asked, streams);
    let players: Vec<String> = ["Ada", "Bo"].map(|name| house.player(&admin, name)).into();
    let new_match = json!({"players": players, "terms": {"play": "match", "length": 7}});
    let opened = [
        ("ChouetteCommand", "chouettes", json!({"name": "Friday"}), "/chouette/id"),
        ("SheetCommand", "matches", new_match, "/match/id"),
        ("TournamentCommand", "tournaments", json!({"name": "Spring", "date": "2026-04-18"}), "/id"),
    ];
    for (stream, below, new, id) in opened {
        let answer = admin.post(&format!("/api/v1/{below}"), &new).good().body;
        let path = format!("/api/v1/{below}/{}/preview", answer.pointer(id).and_then(Value::as_str).unwrap());
        for (name, example) in commands(&document, stream) {
            assert_eq!(example["command"], name);
            let answer = admin.post(&path, example);
            assert!([200, 403, 404, 422].contains(&answer.status), "{stream} {example}: {}", answer.body);
            let mut places = Vec::new();
            objects(example, "", &mut places);
            for place in places.iter().filter(|place| !place.ends_with("/consolation")) {
                let mut more = example.clone();
                more.pointer_mut(place).unwrap()["nonsense"] = true.into();
                admin.post(&path, &more).refused(400, "invalid_body");
            }
        }
    }
}

/// Everything in a log and in a live stream is in the document: every kind of event of every stream, and the
/// entries of undo and redo.
#[test]
fn every_kind_of_event_is_in_the_document() {
    use owlbox_base::journal::kinds_of;
    use owlbox_chouette::Chouette;
    use owlbox_play::{matches::Sheet, tournament::Tournament};
    let Some(document) = document() else { return };
    let streams = [
        ("ChouetteEvent", kinds_of::<Chouette>().collect::<BTreeSet<_>>()),
        ("SheetEvent", kinds_of::<Sheet>().collect::<BTreeSet<_>>()),
        ("TournamentEvent", kinds_of::<Tournament>().collect::<BTreeSet<_>>()),
    ];
    for (stream, kinds) in streams {
        let told = &document["components"]["schemas"][stream]["discriminator"]["mapping"];
        let told: BTreeSet<&str> = told.as_object().unwrap().keys().map(String::as_str).collect();
        let kinds: BTreeSet<&str> = kinds.into_iter().chain(["undone", "redone"]).collect();
        assert_eq!(told, kinds, "{stream}");
    }
}

/// A player who sets house rules in a form reads what those read who set them through the API.
#[test]
fn a_setting_is_explained_as_its_field_is() {
    let document: Value =
        serde_json::from_str(include_str!("../../crates/api/src/docs/openapi.json")).unwrap();
    for setting in settings().iter().filter(|setting| !matches!(setting.kind, Kind::Choice { .. })) {
        let (part, field) = setting.key.split_once('.').unwrap_or(("", setting.key));
        let schema = match part {
            "" => "HouseRules",
            "game" => "BoardRules",
            "partner" => "PartnerRules",
            "lone_taker" => "LoneTakerRules",
            "automatics" => "Automatics",
            "table_size" => "TableSize",
            _ => panic!("{part} has no schema"),
        };
        let property = &document["components"]["schemas"][schema]["properties"][field];
        // A nullable field has two schemas, and the documentation is on the first.
        let about = [&property["description"], &property["oneOf"][0]["description"]];
        let about = about.iter().find_map(|about| about.as_str());
        assert_eq!(about, Some(&*without_rules(setting.about)), "{}", setting.key);
    }
}

/// The sentence without the numbers of rules in it, which the document does not cite.
fn without_rules(about: &str) -> String {
    let Some((before, rest)) = about.split_once(" (") else { return about.to_owned() };
    let is_rule = rest.chars().nth(1).is_some_and(|digit| digit.is_ascii_digit());
    let after = rest.split_once(')').map_or("", |(_, after)| after);
    if is_rule { format!("{before}{after}") } else { about.to_owned() }
}

/// A pattern of the document, as those who validate by it read it.
fn pattern(pattern: &str) -> jsonschema::Validator {
    jsonschema::validator_for(&json!({ "pattern": pattern })).unwrap()
}

#[test]
fn the_patterns_say_what_is_taken() {
    let (of_one_line, of_lines, of_login) = (pattern(ONE_LINE), pattern(LINES), pattern(LOGIN));
    for character in (0..=0xFFFF_u32).filter_map(char::from_u32) {
        let text = format!("a{character}b");
        assert_eq!(of_one_line.is_valid(&json!(text)), one_line(&text, 9).is_some(), "{character:?}");
        assert_eq!(of_lines.is_valid(&json!(text)), lines(&text, 9).is_some(), "{character:?}");
    }
    for text in ["", " ", "\t\u{a0}", "a", " a ", "ab", "a b", " abc\t", "ab "] {
        assert_eq!(of_one_line.is_valid(&json!(text)), one_line(text, 9).is_some(), "{text:?}");
        assert_eq!(of_login.is_valid(&json!(text)), text.parse::<Login>().is_ok(), "{text:?}");
    }
}
