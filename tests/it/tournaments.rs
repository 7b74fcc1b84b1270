//! Tournaments over HTTP, on both databases: drawn, played, corrected, paid out and undone; and who may do
//! what.

use std::collections::BTreeMap;
use std::time::Duration;

use owlbox_desk::verify::{Checked, verify};
use owlbox_store::Store;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

mod links;

/// A tournament with one division, in which these players are entered.
pub struct Event {
    pub director: Client,
    pub id: String,
    pub players: BTreeMap<String, String>,
}

impl Event {
    pub fn new(house: &House, names: &[&str], settings: &Value) -> Self {
        let director = house.admin();
        let about = json!({"name": "Spring Open", "date": "2026-04-18", "currency": "EUR", "public": true});
        let opened = director.post("/api/v1/tournaments", &about);
        assert_eq!(opened.status, 201, "{opened}");
        let id = opened.body["id"].as_str().unwrap().to_owned();
        let players: BTreeMap<String, String> =
            names.iter().map(|name| ((*name).to_owned(), house.player(&director, name))).collect();
        let event = Self { director, id, players };
        event.does(&json!({"command": "add_division", "settings": settings}));
        let entries: Vec<Value> = names.iter().map(|name| json!({"player": event.players[*name]})).collect();
        event.does(&json!({"command": "enter", "entries": entries}));
        event
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/api/v1/tournaments/{}{rest}", self.id)
    }

    #[track_caller]
    pub fn does(&self, command: &Value) -> Answer {
        self.director.post(&self.path("/commands"), command).good()
    }

    #[track_caller]
    pub fn cannot(&self, command: &Value, code: &str) -> Answer {
        self.director.post(&self.path("/commands"), command).refused(422, code)
    }

    #[track_caller]
    pub fn played(&self, number: u32, score: [u16; 2]) -> Answer {
        self.does(
            &json!({"command": "result", "match": number, "ended": {"ending": "played", "score": score}}),
        )
    }

    #[track_caller]
    pub fn get(&self, rest: &str) -> Value {
        self.director.get(&self.path(rest)).good().body
    }

    /// The names in the two slots of a match.
    #[track_caller]
    pub fn who(&self, number: u32) -> [Option<String>; 2] {
        let at = self.get(&format!("/divisions/1/matches/{number}"));
        [0, 1].map(|slot| {
            let player = at["slots"][slot]["player"].as_str()?;
            Some(at["names"][player].as_str().unwrap().to_owned())
        })
    }
}

/// The phone of a player, and their account.
pub fn phone(house: &House, event: &Event, name: &str) -> (Client, String) {
    login(house, event, name, &["player"])
}

/// A player's login with these roles, and its account.
pub fn login(house: &House, event: &Event, name: &str, roles: &[&str]) -> (Client, String) {
    let invitation = json!({"roles": roles, "player": event.players[name]});
    let invited = event.director.post("/api/v1/accounts", &invitation).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    let (login, password) = (name.to_lowercase(), "quattro oche sul lago");
    house.server.public().post(&link, &json!({"login": login, "password": password})).good();
    (house.sign_in(&login, password), invited["account"].as_str().unwrap().to_owned())
}

/// Everything in the database follows from the journal.
#[track_caller]
pub fn is_in_order(house: &House) -> Checked {
    let mut connection = Store::open_for_reading(&house.database.url.parse().unwrap()).unwrap();
    verify(&mut connection).unwrap()
}

const EIGHT: [&str; 8] = ["Ada", "Bea", "Cleo", "Dino", "Elio", "Fia", "Gino", "Ida"];

/// Eight entrants, drawn in order of entry: Ada against Bea and so on.
pub fn eight(house: &House, settings: &Value) -> Event {
    let event = Event::new(house, &EIGHT, settings);
    let slots: Vec<u32> = (1..=8).collect();
    event.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
    event
}

/// Whether a command is among the ones listed as possible next.
#[track_caller]
fn may(something: &Value, command: &str) -> bool {
    something["legal"].as_array().unwrap().contains(&json!(command))
}

#[rstest]
fn what_may_come_next_is_told_of_tournament_division_and_entry(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = Event::new(&house, &EIGHT[..6], &json!({"name": "Open", "lengths": [3], "re_entries": 1}));
    let entry = |number: u32| event.get(&format!("/divisions/1/entries/{number}"));
    let division = || event.get("")["divisions"][0].clone();
    assert!(may(&division(), "draw") && !may(&division(), "draw_last_chance"));
    event.does(&json!({"command": "check_in", "entries": [1, 2, 3, 4, 5]}));
    event.does(&json!({"command": "draw", "only_checked_in": true}));

    // Ida has come after all: the free slots are listed, and she gets one.
    let late = entry(6);
    assert!(may(&late, "seat") && !may(&late, "re_enter"), "{late}");
    let mut seat = late["free"][0].clone();
    seat["command"] = json!("seat");
    seat["entry"] = json!(6);
    event.does(&seat);
    assert!(!may(&entry(6), "seat") && entry(6)["free"] == json!([]));

    let first = event.get("/divisions/1/matches?limit=100")["items"].clone();
    let ready: Vec<&Value> = first.as_array().unwrap().iter().filter(|at| may(at, "result")).collect();
    let mut losers = Vec::new();
    for at in &ready {
        event.played(u32::try_from(at["match"].as_u64().unwrap()).unwrap(), [3, 0]);
        let number =
            |slot: usize| u32::try_from(at["slots"][slot]["occupant"]["entry"].as_u64().unwrap()).unwrap();
        assert!(!may(&entry(number(0)), "re_enter") && !may(&entry(number(0)), "draw_last_chance"));
        assert!(may(&entry(number(1)), "re_enter") && may(&entry(number(1)), "draw_last_chance"));
        losers.push(number(1));
    }
    // Two entries with byes may meet in the second round at once.
    assert!(losers.len() >= 2 && may(&division(), "draw_last_chance"), "{losers:?}");
    event.does(&json!({"command": "draw_last_chance", "entries": losers}));
    assert!(!may(&division(), "draw_last_chance") && !may(&event.get(""), "close"));

    plays_on(&event);
    assert!(may(&event.get(""), "close") && !may(&event.get(""), "reopen"));
    event.does(&json!({"command": "close"}));
    let whole = event.get("");
    assert!(
        !may(&whole, "close") && may(&whole, "reopen") && whole["divisions"][0]["legal"] == json!(["award"])
    );
}

/// The upper slot wins every match that is left.
fn plays_on(event: &Event) {
    loop {
        let all = event.get("/divisions/1/matches?limit=100");
        let ready =
            all["items"].as_array().unwrap().iter().find(|at| {
                at["outcome"].is_null() && at["legal"].as_array().unwrap().contains(&json!("result"))
            });
        let Some(at) = ready else { return };
        let length = at["length"].as_u64().unwrap();
        let command = json!({"command": "result", "match": at["match"], "ended": {"ending": "played", "score": [length, 0]}});
        event.does(&command);
    }
}

/// Door: desk.
#[rstest]
fn an_event_of_eight_is_drawn_played_and_paid_out(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(
        &house,
        &json!({
            "name": "Championship", "format": {"consolation": {"of": "progressive"}}, "lengths": [9, 7, 5],
            "consolation_lengths": [5, 3], "fees": {"entry": 2500, "registration": 500}, "kept": 1000,
        }),
    );
    let overview = event.get("");
    assert_eq!(overview["divisions"][0]["pool"], 20_000);
    assert_eq!(overview["divisions"][0]["undecided"], 7 + 5);
    let rounds = &overview["divisions"][0]["flights"][0]["rounds"];
    let lengths: Vec<&Value> = rounds.as_array().unwrap().iter().map(|round| &round["length"]).collect();
    assert_eq!(lengths, [5, 7, 9], "from the final backwards");
    let owed = event.get("/accounts");
    assert!(owed["items"].as_array().unwrap().iter().all(|account| account["amount"] == -3000), "{owed}");

    event.cannot(&json!({"command": "award"}), "still_played");
    plays_on(&event);
    assert_eq!(event.get("")["divisions"][0]["undecided"], 0);
    let places = event.get("/divisions/1/places");
    let best: Vec<&Value> = places["items"].as_array().unwrap().iter().map(|place| &place["best"]).collect();
    assert_eq!(best, [1, 2, 3, 3, 5, 5, 5, 5]);
    assert_eq!(places["items"][0]["entry"], 1, "Ada");

    // 180 euros remain after 10 per cent: half, a quarter and a quarter.
    event.does(&json!({"command": "award"}));
    let prizes = event.get("/divisions/1/prizes");
    assert_eq!((&prizes["kept"], &prizes["scheduled"]), (&json!(2_000), &prizes["given"]));
    let amounts: Vec<u64> =
        prizes["given"].as_array().unwrap().iter().map(|prize| prize["amount"].as_u64().unwrap()).collect();
    assert_eq!(amounts.iter().sum::<u64>(), 18_000);
    assert!(amounts.contains(&9_000) && amounts.iter().filter(|amount| **amount == 4_500).count() == 2);

    // In the books the pool is empty, and the house has the registration fees and its share.
    let balance = |holder: &str| event.director.get(&format!("/api/v1/ledger/{holder}/balances")).good().body;
    assert_eq!(balance(&format!("pools/{}", event.id))[0]["amount"], 0);
    assert_eq!(balance("house")[0]["amount"], 8 * 500 + 2_000);
    // A player without a prize owes both fees until they pay.
    let accounts = || event.get("/accounts")["items"].as_array().unwrap().clone();
    let owes = accounts().into_iter().find(|account| account["amount"] == -3_000).unwrap()["player"].clone();
    event.does(&json!({"command": "pay_in", "player": owes, "amount": 3_000}));
    assert!(accounts().iter().all(|account| account["player"] != owes));
    event.does(&json!({"command": "close"}));
    let checked = is_in_order(&house);
    assert_eq!((checked.tournaments, checked.entrants), (1, 8), "{checked}");
    event.cannot(
        &json!({"command": "enter", "entries": [{"player": event.players["Ada"]}]}),
        "tournament_closed",
    );
}

/// The most wanted feature: the first round is corrected after the final, in each of the ways.
/// Proves T12.
#[rstest]
fn a_first_round_result_is_corrected_after_the_final(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"format": {"consolation": {"of": "progressive"}}, "lengths": [5]}));
    plays_on(&event);
    assert_eq!(event.who(7), [Some("Ada".into()), Some("Elio".into())], "the final");
    assert_eq!(event.who(8)[0].as_deref(), Some("Bea"), "the consolation");

    // Only the score changes: nobody moves.
    let score = json!({"command": "correct", "match": 1, "ended": {"ending": "played", "score": [5, 4]}, "later": "stands"});
    let preview = event.director.post(&event.path("/preview"), &score).good();
    assert_eq!(preview.body["matches"].as_array().unwrap().len(), 1);
    event.does(&score);

    // Bea advances, and later results stand for her. Ada drops to the consolation.
    let stands = json!({"command": "correct", "match": 1, "ended": {"ending": "played", "score": [4, 5]}, "later": "stands"});
    let preview = event.director.post(&event.path("/preview"), &stands).good();
    let touched: Vec<u64> = preview.body["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| at["after"]["match"].as_u64().unwrap())
        .collect();
    assert!(
        touched.contains(&1) && touched.contains(&5) && touched.contains(&7) && touched.contains(&8),
        "{touched:?}"
    );
    assert_eq!(event.who(7)[0].as_deref(), Some("Ada"), "a preview changes nothing");
    let made = event.does(&stands);
    assert_eq!(event.who(7), [Some("Bea".into()), Some("Elio".into())]);
    assert_eq!(event.who(8)[0].as_deref(), Some("Ada"));
    assert_eq!(event.get("/divisions/1/places")["items"][0]["entry"], 2, "Bea has won");
    assert_eq!(event.get("")["divisions"][0]["undecided"], 0);

    // One act, and so one undo.
    let act = made.body["act"]["act"].clone();
    event.does(&json!({"command": "undo", "act": act}));
    assert_eq!(event.who(7)[0].as_deref(), Some("Ada"));
    assert_eq!(event.who(8)[0].as_deref(), Some("Bea"));

    // Later results are void where other players are in the match now.
    let void = json!({"command": "correct", "match": 1, "ended": {"ending": "played", "score": [4, 5]}, "later": "void"});
    event.does(&void);
    assert_eq!(event.who(5), [Some("Bea".into()), Some("Cleo".into())]);
    let semi = event.get("/divisions/1/matches/5");
    assert!(
        semi["outcome"].is_null() && semi["legal"].as_array().unwrap().contains(&json!("result")),
        "{semi}"
    );
    assert_eq!(event.who(7), [None, Some("Elio".into())], "the final waits again");
    plays_on(&event);
    assert_eq!(event.get("/divisions/1/places")["items"][0]["entry"], 2);
    is_in_order(&house);
}

/// Door: draw.
#[rstest]
fn a_draw_is_shown_with_its_seed_and_made_again_only_with_a_reason(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = Event::new(&house, &EIGHT[..5], &json!({}));
    event.does(&json!({"command": "draw"}));
    let draws = event.get("/divisions/1/draws");
    let slots = draws["items"][0]["slots"].as_array().unwrap();
    assert_eq!(slots.len(), 8);
    assert_eq!(slots.iter().filter(|slot| **slot == 0).count(), 3, "byes");
    let seed = draws["items"][0]["drawn"]["seed"].as_u64().unwrap();
    assert!(seed < 1 << 53, "whole for every reader of JSON");
    event.cannot(&json!({"command": "draw"}), "draw_needs_reason");
    event.does(&json!({"command": "draw", "reason": "Gino had been forgotten"}));
    let draws = event.get("/divisions/1/draws");
    assert_eq!(draws["items"].as_array().unwrap().len(), 2);
    assert_eq!((&draws["items"][0]["counts"], &draws["items"][1]["counts"]), (&json!(false), &json!(true)));
    assert_eq!(draws["items"][1]["reason"], "Gino had been forgotten");
    let log = event.get("/acts?limit=1");
    assert_eq!(log["items"][0]["events"][0]["event"], "drawn");
}

/// Door: draw.
#[rstest]
fn who_comes_late_takes_a_free_bye_or_waits(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = Event::new(&house, &EIGHT[..3], &json!({"lengths": [5]}));
    event.does(&json!({"command": "draw"}));
    let admin = house.admin();
    let enters = |name: &str| {
        let player = house.player(&admin, name);
        event.does(&json!({"command": "enter", "entries": [{"player": player}]}))
    };
    let seated = enters("Late");
    let kinds: Vec<&Value> =
        seated.body["act"]["events"].as_array().unwrap().iter().map(|one| &one["event"]).collect();
    assert_eq!(kinds, ["entered", "seated"]);
    enters("Later");
    let entries = event.get("/divisions/1/entries");
    assert_eq!(entries["items"][4]["standing"], "waiting");
    // The slot of an entry that leaves before playing can be filled by hand.
    let gone = entries["items"][0]["current"].clone();
    event.does(&json!({"command": "withdraw", "entry": 1}));
    let at = event.get("/divisions/1/entries/1")["path"][0].clone();
    assert_eq!((&at["match"], &at["outcome"]["ending"]), (&gone, &json!("withdrawn")));
    let slot = if at["slots"][0]["player"] == event.players["Ada"].as_str() { "upper" } else { "lower" };
    event.does(&json!({"command": "seat", "entry": 5, "match": gone, "slot": slot}));
    assert_eq!(event.get("/divisions/1/entries/5")["current"], gone);
}

/// Door: desk.
#[rstest]
fn next_match_to_next_free_table(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [5]}));
    event.cannot(&json!({"command": "call_next"}), "no_free_table");
    let tables =
        json!([{"table": 1}, {"table": 2}, {"table": 3, "for": "reserved"}, {"table": 4, "for": "closed"}]);
    event.does(&json!({"command": "set_tables", "tables": tables}));
    event.does(&json!({"command": "postpone", "match": 1}));
    event.does(&json!({"command": "call_next", "matches": 9}));
    let room = event.get("/queue");
    let called: Vec<[&Value; 2]> =
        room["playing"].as_array().unwrap().iter().map(|at| [&at["match"], &at["call"]["table"]]).collect();
    assert_eq!(called, [[&json!(2), &json!(1)], [&json!(3), &json!(2)]]);
    assert_eq!(room["ready"][0]["match"], 4);
    assert_eq!(room["postponed"][0]["match"], 1);
    event.cannot(&json!({"command": "call", "match": 4}), "no_free_table");
    event.cannot(&json!({"command": "call", "match": 4, "table": 4}), "table_closed");
    event.does(&json!({"command": "call", "match": 4, "table": 3}));
    event.does(&json!({"command": "uncall", "match": 4}));
    event.does(&json!({"command": "begin", "match": 2}));
    event.played(2, [5, 0]);
    event.does(&json!({"command": "resume", "match": 1}));
    event.does(&json!({"command": "call_next"}));
    let room = event.get("/queue");
    assert_eq!(room["playing"].as_array().unwrap().len(), 2, "the table is free again");
    assert_eq!(room["playing"][1]["match"], 1, "who has waited longest: the first of the draw");
}

/// The desk and a script are told the same most urgent thing, from the first entry to the end; passers-by and
/// players are not.
#[rstest]
fn what_is_most_urgent_is_told_to_those_who_direct(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = Event::new(&house, &["Ada"], &json!({"lengths": [5]}));
    let (ada, _) = phone(&house, &event, "Ada");
    let page = house.server.public().cookies();
    let token = csrf(&page.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(page.request("POST", "/sign-in").form(&form).send().status, 303);
    let next = |task: &Value, headline: &str| {
        let room = event.get("/queue");
        assert_eq!(room["next"], *task, "{room}");
        let desk = page.get(&format!("/tournaments/{}/desk", event.id)).good();
        let desk = desk.body.as_str().unwrap_or_default();
        assert!(desk.contains(headline), "{headline} is not on the desk: {desk}");
    };
    next(&json!({"task": "enter", "division": 1}), "Who plays?");
    let bea = house.player(&event.director, "Bea");
    event.does(&json!({"command": "enter", "entries": [{"player": bea}]}));
    event.does(&json!({"command": "check_in", "entries": [1]}));
    next(&json!({"task": "draw", "division": 1, "entries": 2, "checked_in": 1}), "Ready to draw?");
    event.does(&json!({"command": "draw"}));
    next(&json!({"task": "call", "matches": 1, "tables": 0}), "Which tables do you have?");
    event.does(&json!({"command": "set_tables", "tables": [{"table": 7}]}));
    next(&json!({"task": "call", "matches": 1, "tables": 1}), "One match is ready");
    assert_eq!(event.get("/queue")["free_tables"], json!([7]));
    for other in [&ada, &house.server.public()] {
        assert!(other.get(&event.path("/queue")).good().body["next"].is_null());
    }
    event.does(&json!({"command": "call_next"}));
    assert_eq!(event.get("/queue")["free_tables"], json!([]));
    next(&json!({"task": "wait", "matches": 1}), "One match is under way");
    let says = |client: &Client, entry: u32, score: [u16; 2]| {
        let report = json!({"command": "report", "match": 1, "entry": entry, "score": score});
        client.post(&event.path("/commands"), &report).good()
    };
    says(&ada, 1, [5, 3]);
    next(&json!({"task": "confirm", "matches": 1}), "One result to confirm");
    says(&event.director, 2, [3, 5]);
    next(&json!({"task": "rule", "matches": 1}), "reports differ");
    event.played(1, [5, 3]);
    next(&json!({"task": "close"}), "All matches are played.");
    let invited = event.director.post("/api/v1/accounts", &json!({"roles": ["scorer"]})).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    let password = "quattro oche sul lago";
    house.server.public().post(&link, &json!({"login": "scorer", "password": password})).good();
    let scorer = house.sign_in("scorer", password);
    let told = scorer.get(&event.path("/queue")).good().body["next"].clone();
    assert_eq!(told, json!({"task": "nothing"}), "a scorer cannot close it");
    event.does(&json!({"command": "close"}));
    next(&json!({"task": "closed"}), "The tournament is over.");
}

#[rstest]
fn two_equal_reports_are_the_result_and_others_are_for_the_director(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [5]}));
    let [ada, bea, cleo] = ["Ada", "Bea", "Cleo"].map(|name| phone(&house, &event, name).0);
    let says = |client: &Client, entry: u32, score: [u16; 2]| {
        client.post(
            &event.path("/commands"),
            &json!({"command": "report", "match": 1, "entry": entry, "score": score}),
        )
    };
    says(&ada, 1, [5, 3]).good();
    says(&cleo, 2, [5, 3]).refused(403, "not_yours");
    says(&bea, 2, [3, 5]).good();
    assert_eq!(event.get("/queue")["reported"][0]["match"], 1);
    says(&bea, 2, [5, 2]).good();
    assert!(event.get("/divisions/1/matches/1")["outcome"].is_null(), "they still differ");
    says(&bea, 2, [5, 3]).good();
    assert_eq!(event.get("/divisions/1/matches/1")["outcome"]["score"], json!([5, 3]));
    ada.post(&event.path("/commands"), &json!({"command": "draw"})).refused(403, "forbidden");
}

#[rstest]
fn a_login_that_directs_the_tournament_may_do_everything_at_it_and_at_no_other(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let (event, other) = (eight(&house, &json!({})), Event::new(&house, &["Noor", "Olga"], &json!({})));
    let (ada, account) = phone(&house, &event, "Ada");
    let rules = json!({"command": "set_directors", "directors": [account]});
    ada.post(&event.path("/commands"), &rules).refused(403, "forbidden");
    event.does(&rules);
    let command = json!({"command": "disqualify", "entry": 3});
    ada.post(&event.path("/commands"), &command).good();
    ada.post(&other.path("/commands"), &json!({"command": "draw"})).refused(403, "forbidden");
}

#[rstest]
fn what_is_not_public_is_not_there_for_the_street(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({}));
    let street = house.server.public();
    for part in ["", "/queue", "/acts", "/divisions/1/entries", "/divisions/1/matches", "/divisions/1/draws"]
    {
        street.get(&event.path(part)).good();
    }
    street.get(&event.path("/accounts")).refused(401, "not_signed_in");
    let about = json!({"name": "Members only", "date": "2026-04-18", "currency": "EUR"});
    event.does(&json!({"command": "change", "about": about}));
    for part in ["", "/queue", "/acts", "/divisions/1/entries"] {
        street.get(&event.path(part)).refused(401, "not_signed_in");
    }
    assert_eq!(street.get("/api/v1/tournaments").good().body["items"], json!([]));
}

#[rstest]
fn a_retry_does_nothing_twice_and_a_stale_change_is_refused(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [5]}));
    let command = json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [5, 0]}});
    let path = event.path("/commands");
    let tries = |key: &str| event.director.request("POST", &path).json(&command).key(key).send();
    let first = tries("once").good();
    let again = tries("once").good();
    assert_eq!((&first.body, first.etag()), (&again.body, again.etag()));
    let stale = event.director.request("POST", &path).json(&command).if_match("\"1\"").send();
    stale.refused(412, "stale_version");
}

/// A match is scored game by game on its sheet. The result of the sheet enters the bracket in the same act,
/// and is undone in both or in neither. The director's decisions appear on the sheet.
#[rstest]
fn a_sheet_and_its_bracket_say_the_same(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    let sheet_of = |number: u32| {
        event.does(&json!({"command": "open_sheet", "match": number}));
        let at = event.get(&format!("/divisions/1/matches/{number}"));
        format!("/api/v1/matches/{}", at["sheet"].as_str().unwrap())
    };
    let outcome = |number: u32| event.get(&format!("/divisions/1/matches/{number}"))["outcome"].clone();
    let sheet = sheet_of(1);
    let path = format!("{sheet}/commands");
    let game = |winner: &str, win: &str| {
        event.director.post(&path, &json!({"command": "game", "winner": winner, "win": win, "cube": 1}))
    };
    event.cannot(&json!({"command": "open_sheet", "match": 1}), "match_has_sheet");
    game("upper", "gammon").good();
    assert!(outcome(1).is_null());
    // M3: at 2-0 to three points this is the Crawford game.
    let doubled = json!({"command": "game", "winner": "lower", "win": "single", "cube": 2});
    assert_eq!(event.director.post(&path, &doubled).status, 422);
    let last = game("upper", "single").good();
    assert_eq!((&outcome(1)["winner"], &outcome(1)["score"]), (&json!("upper"), &json!([3, 0])));
    assert_eq!(event.who(5)[0].as_deref(), Some("Ada"));

    // Undone on the sheet, it is undone in the bracket; then redone.
    event.director.post(&path, &json!({"command": "undo", "act": last.body["act"]["act"]})).good();
    assert!(outcome(1).is_null() && event.who(5)[0].is_none());
    event.director.post(&path, &json!({"command": "redo"})).good();
    assert_eq!(event.who(5)[0].as_deref(), Some("Ada"));

    // Later matches have been played: the result is corrected in the bracket, and the sheet follows.
    event.played(2, [3, 1]);
    let refused = event.director.post(&path, &json!({"command": "undo"}));
    refused.refused(422, "act_elsewhere_too");
    let ended = json!({"ending": "forfeit", "winner": "lower"});
    event.does(&json!({"command": "correct", "match": 1, "ended": ended, "later": "void"}));
    let told = event.director.get(&sheet).good().body;
    assert_eq!(
        (&told["outcome"]["winner"], &told["outcome"]["ending"]),
        (&json!("lower"), &json!("forfeit"))
    );
    assert_eq!(event.who(5)[0].as_deref(), Some("Bea"));

    // Undone at the tournament, it is undone on the sheet.
    event.does(&json!({"command": "undo"}));
    assert_eq!(event.director.get(&sheet).good().body["outcome"]["winner"], "upper");
    assert_eq!(event.who(5)[0].as_deref(), Some("Ada"));

    // An entry that leaves loses on its sheet too.
    let sheet = sheet_of(3);
    event.does(&json!({"command": "withdraw", "entry": 5}));
    assert_eq!(event.director.get(&sheet).good().body["outcome"]["winner"], "lower");
    is_in_order(&house);
}

/// Transfers of money are visible to the desk, and to players for themselves. Strangers see who plays and who
/// won.
#[rstest]
fn the_street_sees_the_matches_and_nobodys_money(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [5], "fees": {"entry": 2000}}));
    let [ada, bea] = ["Ada", "Bea"].map(|name| event.players[name].clone());
    for player in [&ada, &bea] {
        event.does(&json!({"command": "pay_in", "player": player, "amount": 2000}));
    }
    event.played(1, [5, 0]);
    event.does(&json!({"command": "award", "awards": [{"player": ada, "amount": 16000}]}));
    event.does(&json!({"command": "set_directors", "directors": []}));
    let (ada_phone, account) = phone(&house, &event, "Ada");
    let street = house.server.public();
    let log = |client: &Client| {
        let log = client.get(&event.path("/acts?limit=100")).good().body;
        let events: Vec<Value> = log["items"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|act| act["events"].as_array().unwrap().clone())
            .collect();
        (log, events)
    };
    let transfers = |events: &[Value]| -> Vec<Value> {
        let all = events.iter().filter_map(|event| event["transfers"].as_array());
        all.flatten().cloned().collect()
    };
    let named = |events: &[Value], kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    let (whole, all) = log(&event.director);
    let (told, seen) = log(&street);
    assert!(transfers(&all).len() >= 10 && whole["items"][0]["by"].is_string());
    assert_eq!(transfers(&seen), Vec::<Value>::new());
    assert!(told["items"].as_array().unwrap().iter().all(|act| act["by"].is_null()));
    assert_eq!((named(&seen, "booked"), named(&seen, "directors_changed")), (0, 0));
    assert_eq!((named(&seen, "resulted"), named(&seen, "entered"), named(&seen, "awarded")), (1, 1, 1));
    assert_eq!(told["items"].as_array().unwrap().len(), whole["items"].as_array().unwrap().len());
    let (_, own) = log(&ada_phone);
    let own = transfers(&own);
    assert!(own.len() >= 2, "their fee, and what they paid: {own:?}");
    assert!(
        own.iter().all(|one| one["from"]["player"] == ada.as_str() || one["to"]["player"] == ada.as_str())
    );
    event.does(&json!({"command": "set_directors", "directors": [account]}));
    assert_eq!(transfers(&log(&ada_phone).1).len(), transfers(&all).len(), "who directs it sees all");
    assert_eq!(street.get(&event.path("")).good().body["directors"], json!([]));

    // The live stream shows the same, and ends with the act that makes the tournament private.
    let last = event.get("")["version"].clone();
    let mut stream = street.events(&event.path("/events?after=0"), None);
    let mut shown = Vec::new();
    loop {
        let act = stream.next_event().json();
        shown.push(act["events"].clone());
        if act["version"] == last {
            break;
        }
    }
    assert!(!json!(shown).to_string().contains("paid_in") && json!(shown).to_string().contains("resulted"));
    let about = json!({"name": "Members only", "date": "2026-04-18", "currency": "EUR"});
    event.does(&json!({"command": "change", "about": about}));
    event.does(&json!({"command": "pay_in", "player": ada, "amount": 1}));
    assert_eq!(stream.next_within(Duration::from_secs(5)), None, "nothing of what is private");
    assert!(stream.ended_within(Duration::ZERO), "it ends before its next heartbeat");
}

/// Public answers are bounded, however large the tournament: lists come in pages.
#[rstest]
fn long_lists_of_a_tournament_come_by_the_page(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [5], "fees": {"entry": 2000}}));
    for again in 0..2 {
        event.does(&json!({"command": "draw", "reason": format!("again {again}")}));
    }
    let whole = |path: &str, list: &str| event.get(path)[list].as_array().unwrap().clone();
    let paged = |path: &str, list: &str| {
        let (mut all, mut after) = (Vec::new(), String::new());
        loop {
            let page = event.get(&format!("{path}?limit=3{after}"));
            let items = page[list].as_array().unwrap();
            assert!(items.len() <= 3);
            all.extend(items.clone());
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => return all,
            }
        }
    };
    for (path, list) in
        [("places", "items"), ("draws", "items"), ("prizes", "scheduled"), ("entries", "items")]
    {
        let path = format!("/divisions/1/{path}");
        assert_eq!(paged(&path, list), whole(&path, list), "{path}");
    }
    assert_eq!(whole("/divisions/1/places", "items").len(), 8);
    for far in
        ["places?after=18446744073709551615", "draws?after=99", "prizes?after=8", "entries?after=4294967295"]
    {
        let page = event.get(&format!("/divisions/1/{far}"));
        assert!(page["next"].is_null(), "{page}");
    }
    for far in ["print?from=18446744073709551615", "cards?after=4294967295", "slips?after=4294967295"] {
        signed_in_page(&house, &format!("/tournaments/{}/1/{far}", event.id));
    }
}

/// A page as the admin sees it.
fn signed_in_page(house: &House, path: &str) -> String {
    let browser = house.server.public().cookies();
    let door = browser.get("/sign-in").good();
    let token = csrf(&door);
    let form = [("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    browser.get(path).good().text().to_owned()
}
