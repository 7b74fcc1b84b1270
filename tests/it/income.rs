//! What tournaments brought the club, where its treasurer looks: the sums, the period, who may see them.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::House;
use crate::walk::csrf;

const PASSWORD: &str = "quattro oche sul lago";

/// A tournament with fees, a side pool, money of the house and somebody who left before the draw, played to
/// its end. Its pools are not given yet.
struct Played {
    admin: Client,
    id: String,
}

impl Played {
    fn new(house: &House) -> Self {
        let admin = house.admin();
        let about = json!({"name": "=Spring \"Open\"", "date": "2026-11-20", "currency": "EUR"});
        let id = admin.post("/api/v1/tournaments", &about).good().body["id"].as_str().unwrap().to_owned();
        let played = Self { admin, id };
        played.does(&json!({"command": "add_division", "settings": {"lengths": [5], "kept": 1000,
            "fees": {"entry": 2000, "registration": 300}, "side_pools": [{"name": "Pot", "stake": 500}]}}));
        let entries: Vec<Value> = ["Ada", "Bea", "Cleo", "Dino", "Elio"]
            .map(|name| json!({"player": house.player(&played.admin, name)}))
            .to_vec();
        played.does(&json!({"command": "enter", "entries": entries}));
        for entry in [1, 2] {
            played.does(&json!({"command": "join_pools", "entry": entry, "side_pools": [0]}));
        }
        played.does(&json!({"command": "withdraw", "entry": 5}));
        played.does(&json!({"command": "add_money", "amount": 1000}));
        played.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
        for number in 1..=3 {
            let ended = json!({"ending": "played", "score": [5, 0]});
            played.does(&json!({"command": "result", "match": number, "ended": ended}));
        }
        played
    }

    #[track_caller]
    fn does(&self, command: &Value) {
        self.admin.post(&format!("/api/v1/tournaments/{}/commands", self.id), command).good();
    }

    #[track_caller]
    fn income(&self, query: &str) -> Value {
        self.admin.get(&format!("/api/v1/ledger/tournaments{query}")).good().body
    }
}

#[rstest]
fn the_treasurer_sees_what_a_tournament_took_and_gave(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let played = Played::new(&house);
    let before = json!({
        "entry_fees": 10_000, "side_pools": 1_000, "registration": 1_500, "refunds": 2_300, "added": 1_000,
        "prize_pool": 10_000, "prizes": 0, "kept": 0, "house": 200, "in_pools": 10_000, "paid_in": 0, "paid_out": 0,
    });
    let sums = |of: &Value| {
        let fields = before.as_object().unwrap().keys();
        fields.map(|field| (field.clone(), of[field].clone())).collect::<serde_json::Map<_, _>>()
    };
    let is = |expected: &Value, query: &str| {
        let report = played.income(query);
        assert_eq!(Value::from(sums(&report["items"][0])), *expected, "{report}");
        assert_eq!(
            Value::from(sums(&report["totals"][0])),
            *expected,
            "one tournament is all of it: {report}"
        );
        assert_eq!(report["items"][0]["tournament"], json!(played.id));
        assert_eq!(report["totals"][0]["currency"], "EUR");
    };
    is(&before, "");
    played.does(&json!({"command": "award"}));
    let mut given = before.clone();
    for (field, sum) in [("prizes", 9_200), ("kept", 800), ("house", 1_000), ("in_pools", 0)] {
        given[field] = json!(sum);
    }
    is(&given, "");
    // The same as in the books: what is in the pool, and what is the house's.
    let pool = played.admin.get(&format!("/api/v1/ledger/pools/{}/balances", played.id)).good().body;
    assert_eq!(pool[0]["amount"], 0, "{pool}");
    let of_house = played.admin.get("/api/v1/ledger/house/balances").good().body;
    assert_eq!(of_house[0]["amount"], 1_000, "nobody has paid in cash: {of_house}");

    // Cash changes what is owed, not what was earned. What is undone does not count.
    let ada = played.admin.get("/api/v1/players?search=Ada").good().body["items"][0]["id"].clone();
    played.does(&json!({"command": "pay_in", "player": ada, "amount": 2_800}));
    given["paid_in"] = json!(2_800);
    is(&given, "");
    for _ in 0..2 {
        played.does(&json!({"command": "undo"}));
    }
    is(&before, "");
    played.does(&json!({"command": "redo"}));
    given["paid_in"] = json!(0);
    is(&given, "");

    // Over a period: the money was moved today.
    is(&given, "?from=2020-01-01&until=2199-12-31");
    for query in ["?until=2020-12-31", "?from=2199-01-01"] {
        assert_eq!(played.income(query), json!({"totals": [], "items": []}), "{query}");
    }
    played.admin.get("/api/v1/ledger/tournaments?from=yesterday").refused(400, "invalid_query");
    let csv = played.admin.get("/api/v1/ledger/tournaments?format=csv").good();
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let line = format!(
        "{},\"'=Spring \"\"Open\"\"\",2026-11-20,EUR,10000,1000,1500,2300,1000,10000,9200,800,1000,0,0,0",
        played.id
    );
    assert_eq!(csv.text().lines().nth(1), Some(line.as_str()), "{csv}");
}

#[test]
fn the_treasurer_reaches_the_income_from_the_books_and_others_do_not_see_it() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let played = Played::new(&house);
    played.does(&json!({"command": "award"}));
    let somebody = |role: &str| {
        let invited = played.admin.post("/api/v1/accounts", &json!({"roles": [role]})).good().body;
        let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
        house.server.public().post(&link, &json!({"login": role, "password": PASSWORD})).good();
        let browser = house.server.public().cookies();
        let token = csrf(&browser.get("/sign-in").good());
        let form = [("csrf", token.as_str()), ("login", role), ("password", PASSWORD)];
        assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
        browser
    };
    let treasurer = somebody("treasurer");
    let home = treasurer.get("/").good();
    // M1: on the treasury, not on an account that only accountants read.
    assert!(home.text().contains("href=\"/ledger/treasury\""), "the books are one tap away: {home}");
    let books = treasurer.get("/ledger/house").good();
    assert!(books.text().contains("href=\"/ledger/tournaments\""), "{books}");
    let page = treasurer.get("/ledger/tournaments").good();
    for said in ["The house keeps", "10.00 EUR", "100.00 EUR", "Fri 20 Nov 2026", "format=csv"] {
        assert!(page.text().contains(said), "no {said:?} in {page}");
    }
    assert!(page.text().contains(&format!("/ledger/pools/{}?unit=EUR", played.id)), "{page}");
    let earlier = treasurer.get("/ledger/tournaments?until=2020-12-31").good();
    assert!(earlier.text().contains("Tournaments moved no money"), "{earlier}");
    for role in ["scorer", "player"] {
        let other = somebody(role);
        assert_eq!(other.get("/ledger/tournaments").status, 403, "{role}");
        assert!(!other.get("/").good().text().contains("/ledger/treasury"), "{role}");
    }
}
