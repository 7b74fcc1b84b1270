//! A rich club, made over HTTP: whatever can happen in a club happens in it, by reproducible chance.
//!
//! Not every command that is tried is legal. A refused one leaves nothing behind.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::{House, Table};

const PASSWORD: &str = "quattro oche sul lago";
/// The club is the same in every run, except for its ids, its times and what the service draws.
const SEED: u64 = 11;

/// Chance from a seed, so that a run can be repeated.
pub(super) struct Lots(ChaCha20Rng);

impl Lots {
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha20Rng::seed_from_u64(seed))
    }

    pub(super) fn below(&mut self, sides: usize) -> usize {
        usize::try_from(self.0.next_u32()).unwrap() % sides
    }

    pub(super) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// One element of a JSON array; null if it is empty.
    fn pick(&mut self, of: &Value) -> Value {
        match of.as_array().map(Vec::as_slice) {
            None | Some([]) => Value::Null,
            Some(all) => self.one(all).clone(),
        }
    }
}

/// Makes the club. `None` if tests on that database are to be skipped.
pub(super) fn rich(db: Db) -> Option<House> {
    let house = House::open(db)?;
    let mut lots = Lots::new(SEED);
    // On PostgreSQL commands take longer, and what is verified is the same.
    let share = if db == Db::Sqlite { 1 } else { 3 };
    let admin = house.admin();
    let names = ["Ada", "Bea", "Cleo", "Dino", "Elio", "Fia", "Gino", "Ida"];
    let players: Vec<String> = names.iter().map(|name| house.player(&admin, name)).collect();
    let director = people(&house, &admin, &players);
    first_table(&house);
    for rules in [
        json!({"partner": {"when": "optional", "from": 4}, "lone_taker": {"rule": "extras"}, "animals": "raccoon",
            "stakes": "lower_of_two", "automatics": {"at_most": 2}, "declining": "allowed"}),
        json!({"decision_order": "all_at_once", "cubes": "single", "animals": "beaver"}),
        json!({"late_doubles": "open", "captain_drops": "becomes", "stakes": "own_start"}),
    ] {
        night(&house, &mut lots, &rules, NIGHT / share);
    }
    sheets([&admin, &director], &mut lots, &players, SHEET / share);
    tournament([&admin, &director], &mut lots, &players, EVENT / share);
    Some(house)
}

fn id(answer: &Value) -> String {
    answer.as_str().expect("an id").to_owned()
}

/// Settings, house rules, players who change and leave, and logins. Returns one that directs.
fn people(house: &House, admin: &Client, players: &[String]) -> Client {
    let settings = |name: &str| {
        json!({"name": name, "time_zone": "Europe/Rome", "currencies": ["EUR", "CHF"],
            "public": {"tables": true, "standings": false}})
    };
    admin.put("/api/v1/settings", &settings("Circolo")).good();
    admin.put("/api/v1/settings", &settings("Circolo del gufo")).good();
    admin.put("/api/v1/house-rules/Our-own", &json!({"cubes": "single"})).good();
    admin.put("/api/v1/house-rules/Another", &json!({"animals": "beaver"})).good();
    admin.delete("/api/v1/house-rules/Another").good();
    let new = |name: &str, guest: bool| {
        id(&admin.post("/api/v1/players", &json!({"name": name, "guest": guest})).good().body["id"])
    };
    let [guest, gone, wrong] = [new("Gast", true), new("Gone", false), new("Wrong", true)];
    for (player, change) in [
        (&guest, json!({"guest": false})),
        (&players[0], json!({"nickname": "Countess", "country": "IT"})),
        (&gone, json!({"active": false})),
        (&gone, json!({"active": true})),
        (&gone, json!({"active": false})),
    ] {
        admin.patch(&format!("/api/v1/players/{player}"), &change).good();
    }
    admin.post(&format!("/api/v1/players/{wrong}/remove"), &json!({})).good();
    let login = |login: &str, role: &str, player: Option<&String>| {
        let invited = admin.post("/api/v1/accounts", &json!({"roles": [role], "player": player})).good().body;
        let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
        house.server.public().post(&link, &json!({"login": login, "password": PASSWORD})).good();
        id(&invited["account"])
    };
    login("treasurer", "treasurer", None);
    login("director", "director", None);
    login("ada", "player", Some(&players[0]));
    let scorer = login("scorer", "player", None);
    for change in [json!({"roles": ["scorer"]}), json!({"player": players[1]}), json!({"active": false})] {
        admin.patch(&format!("/api/v1/accounts/{scorer}"), &change).good();
    }
    admin.patch(&format!("/api/v1/accounts/{scorer}"), &json!({"active": true})).good();
    house.sign_in("director", PASSWORD)
}

/// A table with players who are entered twice, settle, leave for another table and come back.
pub(super) fn first_table(house: &House) {
    let new = json!({"name": "Early", "stake": {"amount": 500, "currency": "EUR"}});
    let table = house.table_with(&["Ugo", "Vera", "Wim", "Xaver", "Yola", "Zeno"], &new);
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "settle", "bets": [{"payer": "Ugo", "payee": "Vera", "points": 2}], "counts_for": "team"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    let twice = house.player(&table.client, "Zenone");
    table.play(&[
        json!({"command": "join", "player": twice}),
        json!({"command": "pay", "payer": "Ugo", "payee": "Wim", "amount": 500}),
        json!({"command": "merge_players", "duplicate": twice, "player": "Zeno"}),
        json!({"command": "undo"}),
        json!({"command": "leave", "player": twice}),
        json!({"command": "correct", "game": 1, "winner": "team", "win": "gammon"}),
        json!({"command": "split", "players": ["Xaver", "Yola", "Zeno"], "name": "Late"}),
    ]);
    let other = table.client.get("/api/v1/chouettes?closed=false").good().body["items"].clone();
    let other = other.as_array().unwrap().iter().find(|one| one["name"] == "Late").unwrap()["id"].clone();
    let late = Table { client: table.client.clone(), id: id(&other), players: table.players.clone() };
    late.play(&[
        json!({"command": "draw_order"}),
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "team", "win": "backgammon"}),
        json!({"command": "merge_into", "table": table.id}),
    ]);
    table.play(&[
        json!({"command": "change_rules", "rules": {"animals": "beaver"}}),
        json!({"command": "close"}),
    ]);
}

/// A night of games under these rules, with commands that the table lists as legal.
fn night(house: &House, lots: &mut Lots, rules: &Value, steps: usize) {
    let serial = lots.below(1_000_000);
    let names: Vec<String> = (1..=6).map(|number| format!("Player {serial}-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let new = json!({"name": format!("Table {serial}"), "stake": {"amount": 100, "currency": "CHF"}, "rules": rules});
    let table = house.table_with(&names, &new);
    for step in 0..steps {
        let state = table.client.get(&table.path("")).good().body;
        let legal = state["legal"].as_array().unwrap();
        let kinds: Vec<&str> = legal.iter().filter_map(|one| one["command"].as_str()).collect();
        let wanted = wanted(lots, &kinds);
        let of_this: Vec<&Value> = legal.iter().filter(|one| one["command"] == wanted).collect();
        let Some(&of_this) = (!of_this.is_empty()).then(|| lots.one(&of_this)) else { continue };
        if let Some(command) = said(lots, of_this, &state, &table) {
            let key = format!("{serial} {step}");
            table.client.request("POST", &table.path("/commands")).key(&key).json(&command).send();
        }
    }
    table.command(&json!({"command": "close"}));
}

/// The number of commands tried at a table in a night.
const NIGHT: usize = 110;

/// Chooses what to do: mostly games go on, and everything else happens now and then.
fn wanted<'a>(lots: &mut Lots, kinds: &[&'a str]) -> &'a str {
    let often = ["start_game", "double", "take", "drop", "beaver", "give_extra", "pass_extra", "board"];
    let often: Vec<&str> = kinds.iter().copied().filter(|kind| often.contains(kind)).collect();
    let seldom = ["undo", "redo", "correct", "pay", "leave", "break", "join"];
    match lots.below(20) {
        0 => ["undo", "redo"][lots.below(2)],
        1 if kinds.contains(&"finish") => "finish",
        2..=15 if !often.is_empty() => often[lots.below(often.len())],
        _ => {
            let kind = kinds[lots.below(kinds.len())];
            // These would leave nobody to play with.
            let ends = ["close", "change_rules", "split", "merge_into"].contains(&kind);
            if ends || (seldom.contains(&kind) && lots.below(3) > 0) { "finish" } else { kind }
        }
    }
}

/// A command made of a legal one, with some of its choices.
fn said(lots: &mut Lots, legal: &Value, state: &Value, table: &Table) -> Option<Value> {
    let name = legal["command"].as_str()?;
    let mut command = json!({ "command": name });
    let players: Vec<&String> = table.players.values().collect();
    match name {
        "undo" | "redo" => command["acts"] = json!(1 + lots.below(2)),
        "join" => command["player"] = json!(lots.one(&players)),
        "pay" => {
            let (payer, payee) = (lots.one(&players), lots.one(&players));
            command =
                json!({"command": name, "payer": payer, "payee": payee, "amount": 100 * (1 + lots.below(9))});
        }
        "start_game" => command["refereed"] = json!(lots.below(4) == 0),
        "correct" => {
            command["game"] = legal["from"].clone();
            command["winner"] = json!(lots.one(&["box", "team"]));
            command["win"] = json!(lots.one(&["single", "gammon"]));
        }
        "settle" => {
            let pair = lots.pick(&legal["pairs"]);
            let bet = json!({"payer": pair["box"], "payee": pair["team"], "points": 1});
            command["bets"] = json!([bet]);
            if pair["counts_for"] == true {
                command["counts_for"] = json!("team");
            }
        }
        "set_stake" => {
            command["player"] = lots.pick(&legal["player"]);
            command["units"] = json!(1 + lots.below(3));
        }
        "board" => {
            command["by"] = legal["by"].clone();
            command["action"] = on_board(lots, &legal["action"], &state["game"]["board"])?;
        }
        _ => {
            for (field, value) in legal.as_object()? {
                match (field.as_str(), value) {
                    ("command" | "whole" | "nobody" | "counts", _) => {}
                    ("against", Value::Array(all)) => {
                        if legal["whole"] == false && lots.below(3) == 0 {
                            command["against"] = json!([lots.one(all)]);
                        }
                    }
                    (_, Value::Array(_)) => command[field] = lots.pick(value),
                    _ => command[field] = value.clone(),
                }
            }
        }
    }
    Some(command)
}

/// One of the legal actions on the board.
fn on_board(lots: &mut Lots, actions: &Value, board: &Value) -> Option<Value> {
    let action = lots.pick(actions);
    match action.as_str()? {
        "play" => {
            let mut steps = Vec::new();
            let mut situation = 0;
            while let Some(step) = board["steps"][situation].as_array().and_then(|steps| steps.first()) {
                steps.push(json!({"from": step["from"], "pips": step["pips"]}));
                situation = usize::try_from(step["then"].as_u64()?).unwrap();
            }
            Some(json!({"action": "play", "steps": steps}))
        }
        "leave_board" => Some(json!({"action": "leave_board", "position": board["position"]})),
        // Dice are entered, so that every run plays the same game.
        "roll_opening" => {
            let white = 1 + lots.below(6);
            Some(json!({"action": "roll_opening", "dice": {"white": white, "black": 1 + white % 6}}))
        }
        "roll" => Some(json!({"action": "roll", "dice": [1 + lots.below(6), 1 + lots.below(6)]})),
        "resign" if lots.below(3) > 0 => None,
        "resign" => Some(json!({"action": "resign", "win": "single"})),
        other => Some(json!({ "action": other })),
    }
}

/// Matches and money sessions, scored and refereed, with clocks, contests and rulings.
fn sheets([admin, director]: [&Client; 2], lots: &mut Lots, players: &[String], steps: usize) {
    let clock = json!({"reserve_a_point": 120, "delay": 12});
    for (place, new) in [
        json!({"terms": {"play": "match", "length": 7, "rated": true}, "clock": clock}),
        json!({"terms": {"play": "match", "length": 3, "rated": true}}),
        json!({"terms": {"play": "money", "stake": {"amount": 500, "currency": "EUR"}}}),
        json!({"terms": {"play": "money"}}),
        json!({"terms": {"play": "match", "length": 3}}),
    ]
    .into_iter()
    .enumerate()
    {
        let mut new = new;
        new["players"] = json!([players[place], players[place + 1]]);
        let opened = admin.post("/api/v1/matches", &new).good().body;
        let path = format!("/api/v1/matches/{}", id(&opened["match"]["id"]));
        if place == 4 {
            let text = include_str!("../../../crates/engine/tests/data/mat/match7.mat")
                .replace("7 point", "3 point");
            admin.post(&format!("{path}/commands"), &json!({"command": "import", "text": text}));
        }
        for step in 0..steps {
            let state = admin.get(&path).good().body;
            let command = on_sheet(lots, &state, step > steps / 2);
            let by = if lots.below(3) == 0 { director } else { admin };
            by.post(&format!("{path}/commands"), &command);
        }
    }
}

/// The number of commands tried on a sheet.
const SHEET: usize = 40;

/// A command for a sheet. It may well be illegal.
fn on_sheet(lots: &mut Lots, state: &Value, late: bool) -> Value {
    let slot = *lots.one(&["upper", "lower"]);
    let game = json!({"winner": slot, "win": lots.one(&["single", "gammon"]), "cube": lots.one(&[1, 2])});
    if state["board"].is_object() && lots.below(6) > 0 {
        let legal = state["legal"].as_array().unwrap();
        let board: Vec<&Value> = legal.iter().filter(|one| one["command"] == "board").collect();
        if let Some(one) = (!board.is_empty()).then(|| *lots.one(&board))
            && let Some(action) = on_board(lots, &one["action"], &state["board"])
        {
            return json!({"command": "board", "by": one["by"], "action": action});
        }
    }
    match lots.below(22) {
        0..=3 => {
            let mut game = game;
            game["command"] = json!("game");
            game
        }
        4 => json!({"command": "correct", "game": 1, "now": game}),
        5 => json!({"command": "undo", "acts": 1 + lots.below(2)}),
        6 => json!({"command": "redo"}),
        7 => json!({"command": "draw"}),
        8 => json!({"command": "penalty", "gains": slot, "points": 1}),
        9 => json!({"command": "late", "by": slot, "minutes": 6}),
        10 => json!({"command": "contest", "by": slot, "game": 1}),
        11 => json!({"command": "withdraw_contest", "by": slot, "game": 1}),
        12 => json!({"command": "rule_contest", "game": 1, "ruling": lots.one(&["stands", "void"])}),
        13 => json!({"command": "adjourn"}),
        14 => json!({"command": "resume"}),
        15 => json!({"command": "start_board", "dice": "entered"}),
        16 => json!({"command": "abandon_board"}),
        17 => json!({"command": "set_clock", "clock": {"reserve_a_point": 60, "delay": 10}}),
        18 => json!({"command": lots.one(&["pause_clock", "resume_clock"])}),
        19 => json!({"command": "start_clock", "slot": slot}),
        20 => json!({"command": "press_clock", "by": slot}),
        _ if !late => json!({"command": "resume"}),
        _ => match lots.below(5) {
            0 => json!({"command": "concede", "by": slot}),
            1 => json!({"command": "rule", "outcome": {"winner": slot, "ending": "forfeit"}}),
            2 => json!({"command": "rule", "outcome": null}),
            3 => json!({"command": "pay", "by": slot, "amount": 500}),
            _ => json!({"command": "close"}),
        },
    }
}

/// Two tournaments, in which everything that a director can do happens now and then.
fn tournament([admin, director]: [&Client; 2], lots: &mut Lots, players: &[String], steps: usize) {
    for format in [
        json!({"consolation": {"of": "progressive"}}),
        json!({"consolation": {"of": "first_losers"}, "third_place": true}),
    ] {
        let about = |name: &str| {
            json!({"name": name, "date": "2026-04-18", "currency": "EUR", "public": true, "place": "The club room",
                "entries_open": "2026-04-01T08:00:00Z"})
        };
        let opened = admin.post("/api/v1/tournaments", &about("Spring")).good().body;
        let path = format!("/api/v1/tournaments/{}", id(&opened["id"]));
        let does = |command: &Value| director.post(&format!("{path}/commands"), command);
        let settings = |lengths: &[u8]| {
            json!({"name": "Championship", "format": format, "lengths": lengths, "consolation_lengths": [3],
                "fees": {"entry": 2500, "registration": 500, "re_entry": 2000}, "kept": 1000, "re_entries": 2,
                "side_pools": [{"name": "High", "stake": 1000}, {"name": "Low", "stake": 500}],
                "payout": [{"prize": "winner", "parts": 5}, {"prize": "finalist", "parts": 3},
                    {"prize": "last_chance_winner", "parts": 1}]})
        };
        let entries: Vec<Value> =
            players[..6].iter().map(|player| json!({"player": player, "side_pools": [0]})).collect();
        let me = id(&director.get("/api/v1/me").body["account"]);
        for command in [
            json!({"command": "change", "about": about("Spring Open")}),
            json!({"command": "set_directors", "directors": [me]}),
            json!({"command": "add_division", "settings": settings(&[5, 3])}),
            json!({"command": "change_division", "division": 1, "settings": settings(&[3])}),
            json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2, "note": "By the window"}]}),
            json!({"command": "enter", "entries": entries}),
            json!({"command": "check_in", "entries": [1, 2, 3, 4, 5], "here": true}),
            json!({"command": "seed", "entries": [3, 1]}),
            json!({"command": "join_pools", "entry": 2, "side_pools": [0, 1]}),
            json!({"command": "draw", "only_checked_in": lots.below(2) == 0}),
            json!({"command": "draw", "reason": "The first was a mistake",
                "method": {"by": "hand", "slots": [1, 0, 2, 3, 4, 5, 6, null]}}),
            json!({"command": "enter", "entries": [{"player": players[6]}]}),
        ] {
            does(&command).good();
        }
        for step in 0..steps {
            let command = at_tournament(lots, players, step > steps / 4);
            does(&command);
            if command["command"] == "open_sheet" || lots.below(6) == 0 {
                let of = id(&opened["id"]);
                let sheets = admin.get(&format!("/api/v1/matches?tournament={of}")).good().body;
                let sheet = lots.pick(&sheets["items"]);
                if let Some(sheet) = sheet["id"].as_str() {
                    let slot = *lots.one(&["upper", "lower"]);
                    let command = match lots.below(6) {
                        0 => {
                            json!({"command": "correct", "game": 1, "now": {"winner": slot, "win": "gammon"}})
                        }
                        1 => json!({"command": "concede", "by": slot}),
                        2 => json!({"command": "undo"}),
                        3 => json!({"command": "final", "score": [3, 1]}),
                        _ => json!({"command": "game", "winner": slot, "win": "gammon"}),
                    };
                    admin.post(&format!("/api/v1/matches/{sheet}/commands"), &command);
                }
            }
        }
        does(&json!({"command": "award"}));
        does(&json!({"command": "close", "reason": "Time is up"}));
        if does(&json!({"command": "reopen"})).status == 200 {
            does(&json!({"command": "close"}));
        }
    }
}

/// The number of commands tried at a tournament.
const EVENT: usize = 150;

/// A command for a tournament. It may well be illegal.
fn at_tournament(lots: &mut Lots, players: &[String], late: bool) -> Value {
    let number = 1 + lots.below(12);
    let entry = 1 + lots.below(9);
    let slot = *lots.one(&["upper", "lower"]);
    let score = *lots.one(&[[3, 0], [3, 2], [1, 3], [0, 3]]);
    let later = *lots.one(&["stands", "void"]);
    let played = json!({"ending": "played", "score": score});
    match lots.below(34) {
        0..=8 => json!({"command": "result", "match": number, "ended": played}),
        9 => json!({"command": "result", "match": number, "ended": {"ending": "walkover", "winner": slot}}),
        10 => json!({"command": "result", "match": number,
            "ended": {"ending": "conceded", "winner": slot, "score": [1, 1]}}),
        11 | 12 => json!({"command": "correct", "match": number, "ended": played, "later": later}),
        13 => json!({"command": "correct", "match": number, "ended": null, "later": later}),
        14 => json!({"command": "undo", "acts": 1 + lots.below(2)}),
        15 => json!({"command": "redo"}),
        16 => json!({"command": "open_sheet", "match": number}),
        17 => json!({"command": "call", "match": number}),
        18 => json!({"command": "call_next", "matches": 2}),
        19 => json!({"command": "begin", "match": number}),
        20 => json!({"command": "uncall", "match": number}),
        21 => json!({"command": "postpone", "match": number, "until": "2026-04-18T18:30:00Z"}),
        22 => json!({"command": "resume", "match": number}),
        23 => json!({"command": "report", "match": number, "entry": entry, "score": score}),
        24 if late => {
            json!({"command": "withdraw", "entry": entry, "when": lots.one(&["now", "after_match"])})
        }
        25 => json!({"command": "reinstate", "entry": entry}),
        26 if late => json!({"command": "disqualify", "entry": entry}),
        27 => json!({"command": "re_enter", "entry": entry}),
        28 => json!({"command": "enter", "entries": [{"player": lots.one(players)}]}),
        29 => json!({"command": "seat", "entry": entry, "match": number, "slot": slot}),
        30 => {
            let mut place = || json!({"match": 1 + lots.below(4), "slot": lots.one(&["upper", "lower"])});
            json!({"command": "exchange", "one": place(), "other": place()})
        }
        31 => json!({"command": "pay_in", "player": lots.one(players), "amount": 2000}),
        32 => json!({"command": "draw_last_chance", "entries": [1 + lots.below(4), 5 + lots.below(3)]}),
        _ => match lots.below(3) {
            0 => json!({"command": "award"}),
            1 => json!({"command": "add_money", "amount": 5000, "division": 1}),
            _ => json!({"command": "pay_out", "player": lots.one(players), "amount": 1000}),
        },
    }
}
