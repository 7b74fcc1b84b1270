//! The answers that the OpenAPI document shows: those of a club's first evening, shortened, with ids, secrets
//! and times that are the same in every run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::document::{Evening, operations};
use crate::support::contract::{self, Kept};

/// The file that the document takes them from. Renew it with `OWLBOX_BLESS=1`, and then the document.
const FILE: &str = "crates/api/src/docs/answers.json";
/// The evening as it is shown.
const EVENING: &str = "2026-11-20T19:30:00Z";
/// A season, for its table.
const SEASON: &str = "Winter-2026";
/// The longest text that is shown whole, in characters.
const LONGEST: usize = 600;

/// Every 2xx answer of an operation that has a body: the pointer to its content, by its media type.
fn contents<'d>(name: &str, told: &'d Value) -> Vec<(String, &'d str, &'d Value)> {
    let (method, path) = name.split_once(' ').unwrap();
    let at = format!("/paths/{}/{}", path.replace('/', "~1"), method.to_lowercase());
    let responses = told["responses"].as_object().unwrap().iter();
    let good = responses.filter(|(status, _)| status.starts_with('2'));
    good.flat_map(|(status, response)| {
        let contents = response["content"].as_object().into_iter().flatten();
        let place = |media: &str| format!("{at}/responses/{status}/content/{}", media.replace('/', "~1"));
        contents.map(move |(media, content)| (place(media), media.as_str(), content)).collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn every_operation_is_shown_with_an_answer_and_each_is_one() {
    let document = contract::document();
    let mut shown = 0;
    for (name, told) in operations(&document) {
        let contents = contents(&name, told);
        let examples: Vec<_> =
            contents.iter().filter(|(.., content)| !content["example"].is_null()).collect();
        assert!(
            contents.is_empty() || examples.len() == 1,
            "{name}: {} examples of its answer",
            examples.len()
        );
        for (place, media, content) in examples {
            let is_text = media.starts_with("text/") && *media != "text/event-stream";
            assert_eq!(content["example"].is_string(), is_text, "{name}");
            if !is_text {
                let breach = contract::breach_of_schema(&format!("{place}/schema"), &content["example"]);
                assert_eq!(breach, None, "{name}");
            }
            shown += 1;
        }
    }
    assert!(shown > 90, "{shown}");
}

#[test]
fn the_answers_of_the_document_are_those_of_an_evening() {
    let began = Utc::now();
    let (evening, mut kept) = contract::kept(|| {
        let evening = Evening::spent()?;
        evening.go_on();
        Some(evening)
    });
    let Some(evening) = evening else { return };
    let document = contract::document();
    kept.extend(contract::kept(|| evening.look_at_everything(&document)).1);
    kept.extend(evening.frames(&document));
    let mut shown = Shown::new(began, &evening);
    let mut answers = Map::new();
    for (name, told) in operations(&document) {
        let Some(kept) = chosen(told, kept.iter().filter(|kept| kept.operation == name)) else { continue };
        let contents = contents(&name, told);
        let (place, ..) = contents.iter().find(|(_, media, _)| *media == kept.media).unwrap();
        let answer = shown.of(&kept.answer());
        let shortened = [2, 30, usize::MAX].into_iter().map(|most| cut(&answer, most)).find(|answer| {
            answer.is_string() || contract::breach_of_schema(&format!("{place}/schema"), answer).is_none()
        });
        answers.insert(name, shortened.unwrap());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, serde_json::to_string_pretty(&answers).unwrap() + "\n").unwrap();
        return;
    }
    // Dice are drawn, so no two evenings are the same.
    let known: Map<String, Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(fields(&known), fields(&answers), "run this test again with OWLBOX_BLESS=1");
}

/// The fields of every answer.
fn fields(answers: &Map<String, Value>) -> BTreeMap<&str, BTreeSet<&str>> {
    let named = answers.iter().map(|(name, answer)| {
        let fields = answer.as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
        (name.as_str(), fields)
    });
    named.collect()
}

/// The answer to the command that is the request's example, or else the last.
fn chosen<'k>(told: &Value, kept: impl Iterator<Item = &'k Kept> + Clone) -> Option<&'k Kept> {
    let command = &told["requestBody"]["content"]["application/json"]["example"]["command"];
    kept.clone().find(|kept| !command.is_null() && kept.asked["command"] == *command).or_else(|| kept.last())
}

impl Kept {
    fn answer(&self) -> Value {
        let text = || String::from_utf8(self.bytes.clone()).unwrap();
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| text().into())
    }
}

impl Evening {
    /// Does what no example of a request does, so that there is something to see.
    fn go_on(&self) {
        let admin = &self.admin;
        let commands = format!("/api/v1/chouettes/{}/commands", self.table);
        admin.post(&commands, &json!({"command": "start_game"})).good();
        admin.post(&commands, &json!({"command": "finish", "winner": "team", "win": "gammon"})).good();
        let season = json!({"name": SEASON, "from": "2026-10-01", "until": "2027-03-31", "coming": 1});
        admin.patch("/api/v1/settings", &json!({ "seasons": [season] })).good();
        let asks = json!({"login": "tea", "password": "tre gufi nel fienile", "name": "Tea Conti"});
        assert_eq!(self.public.post("/api/v1/registrations", &asks).status, 202);
        let account = format!("/api/v1/accounts/{}", self.account);
        admin.request("POST", &format!("{account}/reset")).send().good();
        let another = admin.post("/api/v1/accounts", &json!({"roles": ["scorer"], "player": null})).good();
        let another = another.body["account"].as_str().unwrap().to_owned();
        let invited = admin.request("POST", &format!("/api/v1/accounts/{another}/invite")).send().good();
        let secret = invited.body["secret"].as_str().unwrap().to_owned();
        self.public.get(&format!("/api/v1/links/{secret}")).good();
        let terms = json!({"play": "match", "length": 3});
        let new = json!({"players": [self.players[0], self.players[1]], "terms": terms});
        let sheet = admin.post("/api/v1/matches", &new).good().body["match"]["id"].clone();
        let sheet = format!("/api/v1/matches/{}", sheet.as_str().unwrap());
        let written = " 3 point match\n\n Game 1\n Anna : 0    Bea : 0\n  1) 31: 8/5 6/5    52: 24/22 13/8\n";
        let import = json!({"command": "import", "left": "upper", "text": written});
        admin.post(&format!("{sheet}/commands"), &import).good();
        admin.get(&format!("{sheet}/mat")).good();
        // What is sent inside the network is refused at once, whatever the network.
        let inside = json!({"url": "https://127.0.0.1/", "kinds": ["match"]});
        let inside = admin.post("/api/v1/webhooks", &inside).good().body["id"].clone();
        admin.request("POST", &format!("/api/v1/webhooks/{}/ping", inside.as_str().unwrap())).send().good();
    }

    /// The address of an operation, about what there is in the club.
    fn address(&self, path: &str) -> String {
        let (year, month) = (&self.night[..4], self.night[5..7].trim_start_matches('0'));
        let named: [(&str, &str); 20] = [
            ("/accounts/{id}", &self.account),
            ("/chouettes/{id}", &self.table),
            ("/matches/{id}", &self.sheet),
            ("/players/{id}", &self.players[0]),
            ("/tournaments/{id}", &self.tournament),
            ("/pools/{id}", &self.tournament),
            ("/webhooks/{id}", &self.webhook),
            ("/house-rules/{name}", "Friday"),
            ("/seasons/{name}", SEASON),
            ("{other}", &self.players[1]),
            ("{date}", &self.night),
            ("{year}", year),
            ("{month}", month),
            ("{account}", "bank"),
            ("{record}", "1"),
            ("{division}", "1"),
            ("{entry}", "1"),
            ("{match}", "1"),
            ("/reference/score", "own=5&other=3"),
            ("/ledger/export", "format=csv"),
        ];
        named.into_iter().fold(path.to_owned(), |path, (place, name)| match place.split_once('{') {
            Some((before, _)) => path.replace(place, &format!("{before}{name}")),
            None if path.ends_with(place) => format!("{path}?{name}"),
            None => path,
        })
    }

    /// Reads all that can be read, once, except streams and what was read already.
    fn look_at_everything(&self, document: &Value) {
        for (name, _) in operations(document) {
            let Some(path) = name.strip_prefix("GET ") else { continue };
            if !["/events", "/links/{secret}", "/mat"].iter().any(|end| path.ends_with(end)) {
                self.admin.get(&self.address(path)).good();
            }
        }
    }

    /// The first frame of every stream.
    fn frames(&self, document: &Value) -> Vec<Kept> {
        let names = operations(document).map(|(name, _)| name).filter(|name| name.ends_with("/events"));
        names
            .map(|operation| {
                let path = self.address(operation.trim_start_matches("GET "));
                let mut events = self.admin.events(&path, Some("0"));
                let first = events.next_within(Duration::from_secs(10)).expect("what has happened");
                let frame = json!({"id": first.id, "event": first.event, "data": first.data});
                let media = "text/event-stream".to_owned();
                Kept { operation, asked: Value::Null, media, bytes: frame.to_string().into_bytes() }
            })
            .collect()
    }
}

/// Makes answers such as every run has them.
struct Shown {
    began: DateTime<Utc>,
    today: String,
    /// Every id that was met, with the one that is shown for it.
    ids: BTreeMap<String, String>,
}

impl Shown {
    fn new(began: DateTime<Utc>, evening: &Evening) -> Self {
        let mut shown = Self { began, today: evening.night.clone(), ids: BTreeMap::new() };
        // The players of the examples of requests.
        evening.players.iter().for_each(|player| drop(shown.id(player)));
        shown.ids.insert(evening.server.url().to_owned(), "https://owls.example".to_owned());
        shown
    }

    fn id(&mut self, id: &str) -> String {
        let next = self.ids.len() + 1;
        self.ids.entry(id.to_owned()).or_insert_with(|| format!("0190a6f4-0000-7000-8000-{next:012}")).clone()
    }

    fn of(&mut self, answer: &Value) -> Value {
        match answer {
            Value::Array(items) => items.iter().map(|item| self.of(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, field)| (self.text(name), self.of(field)))
                .collect::<Map<_, _>>()
                .into(),
            // The data of a frame.
            Value::String(text) if text.starts_with('{') => match serde_json::from_str::<Value>(text) {
                Ok(data) => self.of(&data).to_string().into(),
                Err(_) => self.text(text).into(),
            },
            Value::String(text) => self.text(text).into(),
            Value::Null | Value::Bool(_) | Value::Number(_) => answer.clone(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        if Uuid::parse_str(text).is_ok() {
            return self.id(text);
        }
        if let Ok(time) = DateTime::parse_from_rfc3339(text) {
            return self.time(time.to_utc());
        }
        let evening: DateTime<Utc> = EVENING.parse().unwrap();
        let (today, shown) = (&self.today, evening.date_naive().to_string());
        let dated = if *text == today[..7] { shown[..7].to_owned() } else { text.replace(today, &shown) };
        without_secrets(&self.ids.iter().fold(dated, |text, (id, shown)| text.replace(id, shown)))
    }

    /// The time on the evening that is shown, to the minute. What lies before this run was fixed by somebody.
    fn time(&self, time: DateTime<Utc>) -> String {
        let evening: DateTime<Utc> = EVENING.parse().unwrap();
        let after = TimeDelta::minutes((time - self.began).num_minutes());
        let shown = if time < self.began - TimeDelta::days(1) { time } else { evening + after };
        shown.format("%Y-%m-%dT%H:%M:%SZ").to_string()
    }
}

/// The text with others in place of tokens and of the secrets of links.
fn without_secrets(text: &str) -> String {
    if text.len() > 60 && text.starts_with("ey") && text.matches('.').count() == 2 {
        return "ACCESS.TOKEN.SIGNED".to_owned();
    }
    if text.starts_with("whsec_") {
        return "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=".to_owned();
    }
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && !"-_.".contains(letter));
    let secrets =
        words.filter(|word| word.len() > 25 && word.starts_with("owl") && word.find('_') == Some(4));
    secrets.fold(text.to_owned(), |text, secret| {
        text.replace(secret, &format!("{}AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE", &secret[..5]))
    })
}

/// At most so many items of every list of objects, three entries of a map by id, and the beginning of a long
/// text.
fn cut(answer: &Value, most: usize) -> Value {
    match answer {
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            answer.clone()
        }
        Value::Array(items) => items.iter().take(most).map(|item| cut(item, most)).collect(),
        Value::Object(fields) => {
            let is_map = !fields.is_empty() && fields.keys().all(|name| Uuid::parse_str(name).is_ok());
            let fields = fields.iter().take(if is_map { 3 } else { usize::MAX });
            fields.map(|(name, field)| (name.clone(), cut(field, most))).collect::<Map<_, _>>().into()
        }
        Value::String(text) if text.chars().count() > LONGEST && !text.starts_with('{') => {
            let beginning: String = text.chars().take(LONGEST).collect();
            beginning.rsplit_once('\n').map_or(beginning.as_str(), |(lines, _)| lines).trim_end().into()
        }
        other => other.clone(),
    }
}

#[test]
fn what_differs_from_run_to_run_is_shown_alike() {
    let began: DateTime<Utc> = "2027-02-03T04:05:06Z".parse().unwrap();
    let today = NaiveDate::from_ymd_opt(2027, 2, 3).unwrap().to_string();
    let mut shown = Shown { began, today, ids: BTreeMap::new() };
    let id = "01930000-0000-7000-8000-00000000abcd";
    let answer = json!({
        "id": id, "names": { id: "Anna" }, "at": "2027-02-03T04:05:07.123456Z", "expires_at": "2027-02-04T04:05:06Z",
        "night": "2027-02-03", "date": "2026-04-18", "token": "owlt_0123456789012345678901234567890123456789abc",
        "data": format!("{{\"player\":\"{id}\"}}"),
        "url": "http://host/links/owll_0123456789012345678901234567890123456789abc",
    });
    let first = "0190a6f4-0000-7000-8000-000000000001";
    assert_eq!(
        shown.of(&answer),
        json!({
            "id": first, "names": { first: "Anna" }, "at": EVENING, "expires_at": "2026-11-21T19:30:00Z",
            "night": "2026-11-20", "date": "2026-04-18", "token": "owlt_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE",
            "data": format!("{{\"player\":\"{first}\"}}"),
            "url": "http://host/links/owll_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE",
        })
    );
}
