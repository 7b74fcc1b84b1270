//! Who won and lost: everybody against everybody, two players against each other, the club's nights and its
//! seasons (M8), over HTTP, compared with nights worked out by hand.

use chrono::{Datelike as _, NaiveDate};
use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::{browser, post, says};
use crate::matches::{Match, game, login_of, verified};
use crate::statistics::{finish, night, record};
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::{House, Table};

const MATRIX: &str = "/api/v1/statistics/head-to-head";

/// The pairs of an answer: player, opponent and record.
fn pairs(answer: &Value) -> Vec<(String, String, [i64; 5])> {
    let name = |value: &Value| value.as_str().unwrap().to_owned();
    let pairs = answer["pairs"].as_array().unwrap().iter();
    let mut pairs: Vec<_> =
        pairs.map(|pair| (name(&pair["player"]), name(&pair["opponent"]), record(pair))).collect();
    pairs.sort();
    pairs
}

fn expected(pairs: &[(&str, &str, [i64; 5])]) -> Vec<(String, String, [i64; 5])> {
    pairs.iter().map(|(one, other, record)| ((*one).to_owned(), (*other).to_owned(), *record)).collect()
}

/// What the night of `statistics.rs` comes to between every two.
const BOTH_SIDES: [(&str, &str, [i64; 5]); 10] = [
    ("Ann", "Bob", [3, 0, 3, 0, -12]),
    ("Ann", "Cem", [1, 0, 1, 0, -4]),
    ("Ann", "Dan", [1, 0, 1, 0, -4]),
    ("Bob", "Ann", [3, 3, 0, 0, 12]),
    ("Bob", "Cem", [2, 2, 0, 0, 8]),
    ("Bob", "Dan", [2, 2, 0, 0, 6]),
    ("Cem", "Ann", [1, 1, 0, 0, 4]),
    ("Cem", "Bob", [2, 0, 2, 0, -8]),
    ("Dan", "Ann", [1, 1, 0, 0, 4]),
    ("Dan", "Bob", [2, 0, 2, 0, -6]),
];

/// Door: statistics.
#[rstest]
fn m8_everybody_against_everybody_is_what_the_night_came_to(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = night(&house);
    let asked = |query: &str| table.with_names(&table.client.get(&format!("{MATRIX}{query}")).good().body);
    let all = asked("");
    assert_eq!(pairs(&all), expected(&BOTH_SIDES));
    let players: Vec<(String, i64)> = all["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!(one["player"], one["name"]);
            (one["name"].as_str().unwrap().to_owned(), one["half_points"].as_i64().unwrap())
        })
        .collect();
    let named = |(name, points): (&str, i64)| (name.to_owned(), points);
    assert_eq!(players, [("Bob", 26), ("Dan", -2), ("Cem", -4), ("Ann", -20)].map(named));

    let bob = asked(&format!("?player={}", table.players["Bob"]));
    assert_eq!(pairs(&bob), expected(&BOTH_SIDES[3..6]));
    assert_eq!(bob["players"][0]["name"], "Bob");
    assert_eq!(bob["players"][0]["half_points"], 26);

    let hyper =
        [("Bob", "Ann", [1, 1, 0, 0, 4]), ("Bob", "Cem", [1, 1, 0, 0, 4]), ("Bob", "Dan", [1, 1, 0, 0, 4])];
    assert_eq!(
        pairs(&asked(&format!("?variant=hyper_backgammon&player={}", table.players["Bob"]))),
        expected(&hyper)
    );
    assert_eq!(pairs(&asked("?kind=chouette")), expected(&BOTH_SIDES));
    assert_eq!(pairs(&asked("?kind=money_session")), []);

    let day: chrono::NaiveDate = table.state()["night"].as_str().unwrap().parse().unwrap();
    let [before, after] = [day.pred_opt().unwrap(), day.succ_opt().unwrap()];
    for (query, is_there) in [
        (format!("?from={day}&until={day}"), true),
        (format!("?from={}", day.format("%Y-%m-01")), true),
        (format!("?from={}&until={day}", day.format("%Y-01-01")), true),
        (format!("?until={before}"), false),
        (format!("?from={after}"), false),
    ] {
        let there = if is_there { expected(&BOTH_SIDES) } else { Vec::new() };
        assert_eq!(pairs(&asked(&query)), there, "{query}");
    }
    let backwards = format!("{MATRIX}?from={after}&until={before}");
    table.client.get(&backwards).refused(400, "invalid_query");

    let csv = table.client.get(&format!("{MATRIX}?format=csv")).good();
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[0], "player,name,opponent,opponent_name,games,won,lost,drawn,half_points");
    let [bob, dan] = ["Bob", "Dan"].map(|name| &table.players[name]);
    assert_eq!(lines[1], format!("{bob},\"Bob\",{dan},\"Dan\",2,2,0,0,6"));

    // Dan's game with the drop is taken back with the one after it; then it is played again otherwise.
    table.play(&[json!({"command": "undo"})]);
    let taken_back = pairs(&asked(&format!("?player={}", table.players["Bob"])));
    let without =
        [("Bob", "Ann", [2, 2, 0, 0, 8]), ("Bob", "Cem", [1, 1, 0, 0, 4]), ("Bob", "Dan", [1, 1, 0, 0, 2])];
    assert_eq!(taken_back, expected(&without));
    table.play(&[json!({"command": "redo"}), json!({"command": "correct", "game": 1, "win": "single"})]);
    let corrected = pairs(&asked(&format!("?player={}", table.players["Ann"])));
    let single = [
        ("Ann", "Bob", [3, 0, 3, 0, -10]),
        ("Ann", "Cem", [1, 0, 1, 0, -2]),
        ("Ann", "Dan", [1, 0, 1, 0, -2]),
    ];
    assert_eq!(corrected, expected(&single));
    verified(&house);
}

#[test]
fn m8_who_may_see_a_ledger_may_see_its_players_games_against_everybody() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = night(&house);
    let ann = login_of(&house, &table.client, &table.players["Ann"], "ann");
    let of = |player: &str| format!("{MATRIX}?player={player}");
    assert_eq!(pairs(&ann.get(&of(&table.players["Ann"])).good().body).len(), 3);
    ann.get(&of(&table.players["Bob"])).refused(403, "forbidden");
    ann.get(MATRIX).refused(403, "forbidden");
    house.server.public().get(MATRIX).refused(401, "not_signed_in");
    let nobody = "00000000-0000-0000-0000-000000000001";
    table.client.get(&of(nobody)).refused(404, "not_found");
    table.client.get(&format!("{MATRIX}?kind=raffle")).refused(400, "invalid_query");
}

#[test]
fn m8_the_table_of_everybody_leads_to_one_player_and_to_two() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = night(&house);
    let (at, _) = browser(&house);
    let page = "/statistics/head-to-head";
    let [ann, bob] = ["Ann", "Bob"].map(|name| &table.players[name]);
    says(&at.get("/statistics"), 200, &format!("href=\"{page}\""));
    let all = at.get(page);
    for text in [
        "Everybody against everybody",
        &format!("href=\"{page}?player={bob}\""),
        &format!("href=\"/players/{bob}/statistics/against/{ann}\""),
        "<span class=\"n won\">+6</span><small>3</small>",
        "href=\"/statistics/head-to-head?kind=chouette\"",
        "href=\"/api/v1/statistics/head-to-head?format=csv&#38;for=spreadsheet&#38;language=en\"",
    ] {
        says(&all, 200, text);
    }
    let own = at.get(&format!("{page}?player={bob}&kind=chouette"));
    says(&own, 200, "Bob against everybody");
    says(&own, 200, &format!("href=\"/players/{bob}/statistics/against/{ann}?kind=chouette\""));
    says(&at.get(&format!("{page}?kind=match")), 200, "No such games yet.");
    let pair = at.get(&format!("/players/{bob}/statistics/against/{ann}"));
    says(&pair, 200, "The days they last met");
    assert!(!pair.text().contains("Matches between them"), "{pair}");
}

/// The statistics of the first player against the second.
fn of_pair(one: &Match, below: &str) -> Value {
    let [player, other] = &one.players;
    one.client.get(&format!("/api/v1/players/{player}/statistics/against/{other}{below}")).good().body
}

fn won_and_lost(one: &Match) -> [i64; 2] {
    let matches = &of_pair(one, "")["matches"];
    ["won", "lost"].map(|field| matches[field].as_i64().unwrap())
}

/// A tournament of four in which the first player has won the match against the second.
fn tournament(director: &Client, players: &[String]) -> String {
    let about = json!({"name": "Open", "date": "2026-11-20", "currency": "EUR"});
    let id = director.post("/api/v1/tournaments", &about).good().body["id"].as_str().unwrap().to_owned();
    let entries: Vec<Value> = players.iter().map(|player| json!({ "player": player })).collect();
    for command in [
        json!({"command": "add_division", "settings": {}}),
        json!({"command": "enter", "entries": entries}),
        json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}),
        json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [7, 3]}}),
    ] {
        director.post(&format!("/api/v1/tournaments/{id}/commands"), &command).good();
    }
    id
}

/// Door: statistics.
#[rstest]
fn m8_two_players_see_since_when_they_play_and_who_won_their_matches(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &json!({"play": "match", "length": 5}));
    assert_eq!(of_pair(&one, "")["first"], Value::Null);
    one.play(&[game("upper", "gammon", 2)]);
    assert_eq!(won_and_lost(&one), [0, 0], "nobody has won it yet");
    one.play(&[game("upper", "single", 1)]);
    let lost = one.another(&json!({"play": "match", "length": 1}));
    lost.play(&[game("lower", "single", 1)]);
    let money = one.another(&json!({"play": "money"}));
    money.play(&[game("lower", "single", 4), json!({"command": "close"})]);
    assert_eq!(won_and_lost(&one), [1, 1]);
    let others = ["Cem", "Dan"].map(|name| house.player(&one.client, name));
    let players: Vec<String> = one.players.iter().cloned().chain(others).collect();
    let open = tournament(&one.client, &players);
    assert_eq!(won_and_lost(&one), [2, 1]);

    let pair = of_pair(&one, "");
    let newest = pair["matches"]["newest"].as_array().unwrap();
    assert_eq!(newest.len(), 3);
    assert_eq!(
        (&newest[0]["tournament"], &newest[0]["number"], &newest[0]["won"]),
        (&json!(open), &json!(1), &json!(true))
    );
    assert_eq!(
        (&newest[1]["match"], &newest[1]["length"], &newest[1]["won"]),
        (&json!(lost.id), &json!(1), &json!(false))
    );
    assert_eq!(
        (&newest[2]["match"], &newest[2]["length"], &newest[2]["won"]),
        (&json!(one.id), &json!(5), &json!(true))
    );

    let days = pair["newest"].as_array().unwrap();
    let kinds: Vec<(&str, [i64; 5])> =
        days.iter().map(|day| (day["kind"].as_str().unwrap(), record(day))).collect();
    assert_eq!(kinds, [("match", [3, 2, 1, 0, 0]), ("money_session", [1, 0, 1, 0, -8])]);
    assert_eq!((&pair["first"], &pair["last"]), (&days[0]["day"], &days[0]["day"]));
    assert_eq!(of_pair(&one, "?kind=chouette")["newest"], json!([]));
    assert_eq!(of_pair(&one, "?until=2020-12-31")["first"], Value::Null);

    lost.play(&[json!({"command": "undo"})]);
    assert_eq!(won_and_lost(&one), [2, 0]);
    let (at, _) = browser(&house);
    let page = at.get(&format!("/players/{}/statistics/against/{}", one.players[0], one.players[1]));
    for text in ["2 won, 0 lost", "Match to 5", &format!("href=\"/tournaments/{open}/1/matches/1\"")] {
        says(&page, 200, text);
    }
    verified(&house);
}

/// Sets the club's clock to a time zone. Those at the two ends of the world never have the same day.
fn in_zone(admin: &Client, zone: &str) {
    let settings = json!({"name": "Owlbox club", "time_zone": zone, "currencies": ["EUR"],
        "public": {"tables": false, "standings": false}});
    admin.put("/api/v1/settings", &settings).good();
}

/// Another table of players who have stood up, in this order of the line.
fn another_table(of: &Table, names: &[&str], new: &Value) -> Table {
    let opened = of.client.post("/api/v1/chouettes", new).good();
    let id = opened.body["chouette"]["id"].as_str().unwrap().to_owned();
    let table = Table { client: of.client.clone(), id, players: of.players.clone() };
    for name in names {
        table.play(&[json!({"command": "join", "player": name})]);
    }
    let rolls: Vec<Value> =
        names.iter().enumerate().map(|(at, name)| json!({"player": name, "dice": [6 - at]})).collect();
    table.play(&[json!({"command": "enter_rolls", "rolls": rolls})]);
    table
}

/// Two nights. On the first, for 5 EUR a point, Ann's box loses a gammon to Bob, Cem and Dan; on the second,
/// for points only, Bob's box beats Cem and Dan.
fn two_nights(house: &House) -> [Table; 2] {
    in_zone(&house.admin(), "Pacific/Pago_Pago");
    let rules = json!({"jacoby": "off"});
    let stake = json!({"amount": 500, "currency": "EUR"});
    let first = house.table_with(
        &["Ann", "Bob", "Cem", "Dan"],
        &json!({"name": "First night", "rules": rules, "stake": stake}),
    );
    first.play(&[json!({"command": "start_game"}), finish("team", "gammon"), json!({"command": "close"})]);
    in_zone(&first.client, "Pacific/Kiritimati");
    let second =
        another_table(&first, &["Bob", "Cem", "Dan"], &json!({"name": "Second night", "rules": rules}));
    second.play(&[json!({"command": "start_game"}), finish("box", "single")]);
    [first, second]
}

fn night_of(table: &Table) -> NaiveDate {
    table.state()["night"].as_str().unwrap().parse().unwrap()
}

/// Player, nights, nights ahead, nights behind, half points.
type Came = (String, [i64; 4]);

fn who_came(answer: &Value) -> Vec<Came> {
    let line = |one: &Value| {
        let figures = ["nights", "ahead", "behind", "half_points"].map(|field| one[field].as_i64().unwrap());
        (one["name"].as_str().unwrap().to_owned(), figures)
    };
    answer["players"].as_array().unwrap().iter().map(line).collect()
}

fn came(lines: &[(&str, [i64; 4])]) -> Vec<Came> {
    lines.iter().map(|(name, figures)| ((*name).to_owned(), *figures)).collect()
}

/// The nights of an answer: night, tables, games, players and half points.
fn nights_of(answer: &Value) -> Vec<(String, [i64; 4])> {
    let night = |night: &Value| {
        let figures =
            ["tables", "games", "players", "half_points"].map(|field| night[field].as_i64().unwrap());
        (night["night"].as_str().unwrap().to_owned(), figures)
    };
    answer["nights"].as_array().unwrap().iter().map(night).collect()
}

/// Door: statistics.
#[rstest]
fn m8_a_night_a_month_and_a_year_tell_who_came_and_who_won(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let [first, second] = two_nights(&house);
    let [one, two] = [night_of(&first), night_of(&second)];
    assert!(one < two);
    let asked = |below: &str| first.client.get(&format!("/api/v1/club/{below}")).good().body;
    let of_night = |night: NaiveDate| asked(&format!("nights/{night}"));

    let alone = of_night(one);
    assert_eq!(nights_of(&alone), [(one.to_string(), [1, 1, 4, 12])]);
    let everybody =
        [("Bob", [1, 1, 0, 4]), ("Cem", [1, 1, 0, 4]), ("Dan", [1, 1, 0, 4]), ("Ann", [1, 0, 1, -12])];
    assert_eq!(who_came(&alone), came(&everybody));
    let money: Vec<&Value> = alone["players"].as_array().unwrap().iter().map(|one| &one["money"]).collect();
    let euros = |amount: i64| json!([{"currency": "EUR", "amount": amount}]);
    assert_eq!(money, [&euros(1000), &euros(1000), &euros(1000), &euros(-3000)]);
    assert_eq!(
        (&alone["games"]["by_ending"][0]["value"], record(&alone["games"]["total"])),
        (&json!("gammon"), [1, 1, 0, 0, 12])
    );
    assert_eq!(
        (&alone["averages"]["games"], &alone["averages"]["players"], &alone["averages"]["half_points"]),
        (&json!(100), &json!(400), &json!(1200))
    );
    assert!(alone["nights"][0]["minutes"].is_i64() && alone["averages"]["minutes"].is_i64());
    let open = of_night(two);
    assert_eq!(
        who_came(&open),
        came(&[("Bob", [1, 1, 0, 4]), ("Cem", [1, 0, 1, -2]), ("Dan", [1, 0, 1, -2])])
    );
    assert_eq!((&open["nights"][0]["minutes"], &open["players"][0]["money"]), (&Value::Null, &json!([])));

    let both = [(one, [1, 1, 4, 12]), (two, [1, 1, 3, 4])];
    let within = |is_in: &dyn Fn(NaiveDate) -> bool| -> Vec<(String, [i64; 4])> {
        both.iter().filter(|(night, _)| is_in(*night)).map(|(night, of)| (night.to_string(), *of)).collect()
    };
    let year = asked(&format!("years/{}", one.year()));
    assert_eq!(nights_of(&year), within(&|night| night.year() == one.year()));
    let month = asked(&format!("years/{}/{}", two.year(), two.month()));
    assert_eq!(
        nights_of(&month),
        within(&|night| (night.year(), night.month()) == (two.year(), two.month()))
    );
    if one.year() == two.year() {
        let sums =
            [("Bob", [2, 2, 0, 8]), ("Cem", [2, 1, 1, 2]), ("Dan", [2, 1, 1, 2]), ("Ann", [1, 0, 1, -12])];
        assert_eq!(who_came(&year), came(&sums));
        assert_eq!(
            (&year["averages"]["players"], &year["averages"]["half_points"]),
            (&json!(350), &json!(800))
        );
    }
    assert_eq!(nights_of(&asked("years/1999")), []);
    assert_eq!(asked("years/1999")["averages"]["games"], Value::Null);

    // A correction and an undo are followed.
    second.play(&[json!({"command": "correct", "game": 1, "win": "gammon"})]);
    assert_eq!(who_came(&of_night(two))[0], ("Bob".to_owned(), [1, 1, 0, 8]));
    second.play(&[json!({"command": "undo"}), json!({"command": "undo"})]);
    assert_eq!((nights_of(&of_night(two)), who_came(&of_night(two))), (Vec::new(), Vec::new()));
    verified(&house);
}

#[test]
fn m8_everybody_sees_the_clubs_nights_and_the_treasurer_their_money() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let [first, _] = two_nights(&house);
    let path = format!("/api/v1/club/nights/{}", night_of(&first));
    let ann = login_of(&house, &first.client, &first.players["Ann"], "ann");
    let seen = ann.get(&path).good().body;
    assert_eq!((seen["players"].as_array().unwrap().len(), &seen["players"][0]["money"]), (4, &Value::Null));
    house.server.public().get(&path).refused(401, "not_signed_in");
    for below in ["years/0", "years/2026/13", "years/2026/0", "years/x", "nights/2026-02-30"] {
        first.client.get(&format!("/api/v1/club/{below}")).refused(404, "not_found");
    }
    let csv = first.client.get(&format!("{path}?format=csv")).good();
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines[0], "player,name,guest,nights,ahead,behind,half_points,EUR");
    assert_eq!(lines[4], format!("{},\"Ann\",false,1,0,1,-12,-3000", first.players["Ann"]));
    let own = ann.get(&format!("{path}?format=csv")).good();
    assert_eq!(own.text().lines().next(), Some("player,name,guest,nights,ahead,behind,half_points"));
}

#[test]
fn m8_the_pages_of_nights_lead_to_each_other() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let [first, second] = two_nights(&house);
    let (at, _) = browser(&house);
    let [one, two] = [night_of(&first), night_of(&second)];
    let address = |night: NaiveDate| format!("href=\"/club/nights/{night}\"");
    let of_month = |night: NaiveDate| format!("/club/years/{}/{}", night.year(), night.month());
    says(&at.get("/nights"), 200, &address(one));
    says(&at.get("/statistics"), 200, "href=\"/club/years/");
    let night = at.get(&format!("/club/nights/{one}"));
    for text in [
        format!("rel=\"next\" {}", address(two)),
        format!("href=\"{}\"", of_month(one)),
        format!("href=\"/chouettes/{}\"", first.id),
        "-30.00".to_owned(),
        format!("href=\"/players/{}/statistics\"", first.players["Ann"]),
    ] {
        says(&night, 200, &text);
    }
    says(&at.get(&of_month(two)), 200, &address(two));
    let year = at.get(&format!("/club/years/{}", one.year()));
    says(&year, 200, &format!("href=\"{}\"", of_month(one)));
    says(&year, 200, "<desc id=\"bars-desc\">Two bars for each month");
    says(&at.get("/club/years/1999"), 200, "Nothing was played then.");
    assert_eq!(at.get("/club/years/99999").status, 404);
    let pair =
        at.get(&format!("/players/{}/statistics/against/{}", first.players["Bob"], first.players["Ann"]));
    says(&pair, 200, &address(one));
}

/// Gives the club one season over the nights of these tables, with this rule.
fn with_season(tables: &[Table; 2], rule: &Value) {
    let client = &tables[0].client;
    let mut season = json!({"name": "Winter", "from": night_of(&tables[0]), "until": night_of(&tables[1])});
    season.as_object_mut().unwrap().extend(rule.as_object().unwrap().clone());
    let mut settings = client.get("/api/v1/settings").good().body;
    settings["seasons"] = json!([season]);
    client.put("/api/v1/settings", &settings).good();
}

/// Place, name, hundredths, nights, counted and won.
fn season_table(client: &Client) -> Vec<(Option<i64>, String, [i64; 4])> {
    let table = client.get("/api/v1/seasons/winter").good().body;
    let line = |one: &Value| {
        let figures = ["hundredths", "nights", "counted", "won"].map(|field| one[field].as_i64().unwrap());
        (one["place"].as_i64(), one["name"].as_str().unwrap().to_owned(), figures)
    };
    table["players"].as_array().unwrap().iter().map(line).collect()
}

fn lines(lines: &[(Option<i64>, &str, [i64; 4])]) -> Vec<(Option<i64>, String, [i64; 4])> {
    lines.iter().map(|(place, name, figures)| (*place, (*name).to_owned(), *figures)).collect()
}

/// Door: statistics.
#[rstest]
fn m8_a_season_is_ranked_by_the_clubs_own_rule(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let tables = two_nights(&house);
    let client = &tables[0].client;
    client.get("/api/v1/seasons/winter").refused(404, "not_found");
    with_season(&tables, &json!({"coming": 1, "places": [10, 8, 6, 4]}));
    let all = [
        (Some(1), "Bob", [2000, 2, 2, 2]),
        (Some(2), "Cem", [1700, 2, 2, 1]),
        (Some(2), "Dan", [1700, 2, 2, 1]),
        (Some(4), "Ann", [500, 1, 1, 0]),
    ];
    assert_eq!(season_table(client), lines(&all));
    let csv = client.get("/api/v1/seasons/Winter?format=csv").good();
    let told: Vec<&str> = csv.text().lines().collect();
    assert_eq!(told[0], "place,player,name,guest,hundredths,nights,counted,won,half_points");
    assert_eq!(told[4], format!("4,{},\"Ann\",false,500,1,1,0,-12", tables[0].players["Ann"]));

    with_season(
        &tables,
        &json!({"coming": 1, "places": [10, 8, 6, 4], "ties": "best", "best_nights": 1, "least_nights": 2}),
    );
    let best = [
        (Some(1), "Bob", [1100, 2, 1, 2]),
        (Some(1), "Cem", [1100, 2, 1, 1]),
        (Some(1), "Dan", [1100, 2, 1, 1]),
        (None, "Ann", [500, 1, 1, 0]),
    ];
    assert_eq!(season_table(client), lines(&best));

    with_season(&tables, &json!({"points_won": true, "guests": true}));
    assert_eq!(season_table(client).iter().map(|line| line.2[0]).collect::<Vec<_>>(), [400, 100, 100, -600]);

    tables[1].play(&[json!({"command": "undo"})]);
    assert_eq!(season_table(client).iter().map(|line| line.2[0]).collect::<Vec<_>>(), [200, 200, 200, -600]);
    let ann = login_of(&house, client, &tables[0].players["Ann"], "ann");
    assert_eq!(season_table(&ann).len(), 4);
    house.server.public().get("/api/v1/seasons/winter").refused(401, "not_signed_in");
    verified(&house);
}

#[test]
fn m8_a_season_is_named_ranked_changed_and_removed_on_its_pages() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let tables = two_nights(&house);
    let at = browser(&house);
    says(&at.0.get("/nights"), 200, "href=\"/seasons\"");
    says(&at.0.get("/seasons"), 200, "A new season");
    let [from, until] = [&tables[0], &tables[1]].map(|table| night_of(table).to_string());
    let season = |name: &str, places: &str, was: &str| {
        let fields = [
            ("name", name),
            ("from", &from),
            ("until", &until),
            ("coming", "1"),
            ("places", places),
            ("ties", "average"),
            ("was", was),
        ];
        post(&at, "/seasons", &fields)
    };
    says(&season("", "10 8", ""), 422, "notice problem");
    says(&season("Winter 2026", "8 10", ""), 422, "value=\"8 10\"");
    let saved = season("Winter 2026", "10, 8, 6, 4", "");
    assert_eq!((saved.status, saved.header("location")), (303, Some("/seasons/Winter%202026")), "{saved}");
    let shown = at.0.get("/seasons/Winter%202026");
    for text in [
        "Bob",
        "<b>20</b>",
        "<b>17</b>",
        "For the places of a night: 10 · 8 · 6 · 4.",
        "One point for coming",
    ] {
        says(&shown, 200, text);
    }
    says(&season("winter 2026", "10", ""), 422, "notice problem");
    says(&at.0.get("/seasons/Winter%202026/edit"), 200, "value=\"10 8 6 4\"");
    let renamed = season("Winter", "3", "Winter 2026");
    assert_eq!(renamed.header("location"), Some("/seasons/Winter"), "{renamed}");
    // Two nights, one won alone and one with two others: 2 + 3 + 3/3.
    says(&at.0.get("/seasons/Winter"), 200, "<b>6</b>");
    assert_eq!(at.0.get("/seasons/Winter%202026").status, 404);
    // The club's other settings leave the seasons alone.
    let settings = [("name", "Club"), ("time_zone", "UTC"), ("currencies", "EUR")];
    assert_eq!(post(&at, "/settings", &settings).status, 303);
    says(&at.0.get("/seasons"), 200, "href=\"/seasons/Winter\"");
    assert_eq!(post(&at, "/seasons/Winter/remove", &[]).status, 303);
    assert_eq!(at.0.get("/seasons/Winter").status, 404);
}
