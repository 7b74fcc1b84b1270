//! Settling up and paying, on both databases: debts and books, and how undo, corrections and merged players
//! keep the two in agreement.

use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::browser_of;
use crate::support::client::{Answer, Client, fields_of};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House, Table};

fn at_three_euro() -> Value {
    json!({"name": "Friday table", "stake": {"amount": 300, "currency": "EUR"}})
}

fn pay(payer: &str, payee: &str, amount: i64) -> Value {
    json!({"command": "pay", "payer": payer, "payee": payee, "amount": amount})
}

fn settled(payer: &str, payee: &str, points: i64) -> Value {
    json!({"payer": payer, "payee": payee, "points": points * 2})
}

/// One game as in E17: A wins 6 from B, 20 from C and 8 from D, and loses 28 to E.
fn e17(house: &House) -> Table {
    let table = house.table_with(&["A", "B", "C", "D", "E"], &at_three_euro());
    let start = json!({"command": "start_game"});
    let play_on = json!({"command": "play_on"});
    let double = |player: &str| json!({"command": "double", "player": player});
    let take = |player: &str| json!({"command": "take", "player": player});
    table.play(&[start, double("A"), take("B"), take("C"), take("D"), take("E"), play_on.clone()]);
    table.play(&[double("C"), double("D"), double("E"), take("A"), play_on.clone()]);
    table.play(&[json!({"command": "double", "player": "A", "against": ["C", "E"]})]);
    table.play(&[take("C"), take("E"), play_on, double("E"), take("A")]);
    let bets = [settled("B", "A", 6), settled("C", "A", 20), settled("D", "A", 8), settled("A", "E", 28)];
    table.play(&[json!({"command": "settle", "bets": bets, "counts_for": "box"})]);
    table
}

/// The debts and the proposed payments, with names.
#[track_caller]
fn settle_up(table: &Table) -> Value {
    table.with_names(&table.client.get(&table.path("/settle-up")).good().body)
}

/// Everybody's debt, in order of name.
#[track_caller]
fn debts(settling: &Value) -> Vec<(String, i64)> {
    let players = settling["players"].as_array().unwrap();
    let mut debts: Vec<(String, i64)> = players
        .iter()
        .map(|one| (one["player"].as_str().unwrap().to_owned(), one["debt"].as_i64().unwrap()))
        .collect();
    debts.sort();
    debts
}

fn named(debts: &[(&str, i64)]) -> Vec<(String, i64)> {
    debts.iter().map(|(name, debt)| ((*name).to_owned(), *debt)).collect()
}

/// The newest lines of a statement: kind, game and amount.
#[track_caller]
fn lines(table: &Table, player: &str, unit: &str) -> Vec<(String, Value, i64)> {
    let path = format!("/api/v1/players/{}/statement?unit={unit}", table.players[player]);
    let lines = table.client.get(&path).good().body["items"].as_array().unwrap().clone();
    let told = |line: &Value| {
        (line["kind"].as_str().unwrap().to_owned(), line["game"].clone(), line["amount"].as_i64().unwrap())
    };
    lines.iter().map(told).collect()
}

/// The admin in a browser without scripts, and the forms' token.
pub(crate) fn in_a_browser(house: &House) -> (Client, String) {
    let browser = house.server.public().cookies();
    let token = |page: &Answer| {
        let (_, after) = page.text().split_once("name=\"csrf\" value=\"").unwrap();
        after.split('"').next().unwrap().to_owned()
    };
    let csrf = token(&browser.get("/sign-in").good());
    let form = [("csrf", csrf.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let csrf = token(&browser.get("/").good());
    (browser, csrf)
}

/// The books are what the journal says.
#[track_caller]
fn verified(house: &House) {
    let output = house.server.command(&["verify"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Door: money.
#[rstest]
fn e17_one_leaves_paid_off_by_another_and_two_pay_at_the_end(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = e17(&house);
    let settling = settle_up(&table);
    assert_eq!((&settling["unit"], &settling["exact"]), (&json!("EUR"), &json!(true)));
    let all = [("A", 1_800), ("B", -1_800), ("C", -6_000), ("D", -2_400), ("E", 8_400)];
    assert_eq!(debts(&settling), named(&all));
    let paid =
        |payer: &str, payee: &str, amount: i64| json!({"payer": payer, "payee": payee, "amount": amount});
    let fewest = json!([paid("C", "E", 6_000), paid("D", "E", 2_400), paid("B", "A", 1_800)]);
    assert_eq!(settling["payments"], fewest);
    let answer = table.client.get(&table.path("/settle-up")).good();
    assert_eq!(answer.etag(), table.client.get(&table.path("")).good().etag());

    let scores = table.scores();
    table.play(&[pay("B", "A", 1_800), json!({"command": "leave", "player": "A"})]);
    assert_eq!(table.scores(), scores, "the scores of the night stay");
    let settling = settle_up(&table);
    assert_eq!(debts(&settling), named(&[("A", 0), ("B", 0), ("C", -6_000), ("D", -2_400), ("E", 8_400)]));
    assert_eq!(settling["payments"], json!([paid("C", "E", 6_000), paid("D", "E", 2_400)]));
    let a = settling["players"].as_array().unwrap().iter().find(|one| one["player"] == "A").unwrap();
    assert_eq!(a, &json!({"player": "A", "won": 1_800, "paid": -1_800, "debt": 0}));
    assert_eq!((table.balance("A", "EUR"), table.balance("B", "EUR")), (0, 0));
    assert_eq!(table.balance("A", "half_points"), 12, "the score is not paid away");
    assert_eq!(lines(&table, "A", "EUR")[0], ("payment".to_owned(), Value::Null, -1_800));

    table.play(&[json!({"command": "close"}), pay("C", "E", 6_000), pay("D", "E", 2_400)]);
    assert_eq!(settle_up(&table)["payments"], json!([]), "what is owed is paid when the night is over, too");
    assert_eq!(table.balance("E", "EUR"), 0);
    verified(&house);
}

#[rstest]
fn a_payment_is_undone_by_its_reversal_and_put_back_by_another(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = e17(&house);
    table.play(&[pay("C", "E", 500), json!({"command": "undo"})]);
    assert_eq!(debts(&settle_up(&table))[2], ("C".to_owned(), -6_000));
    table.play(&[json!({"command": "redo"})]);
    assert_eq!(debts(&settle_up(&table))[2], ("C".to_owned(), -5_500));
    let told: Vec<_> =
        lines(&table, "C", "EUR").into_iter().map(|(kind, _, amount)| (kind, amount)).collect();
    let of = |kind: &str, amount: i64| (kind.to_owned(), amount);
    assert_eq!(told, [of("payment", 500), of("reversal", -500), of("payment", 500), of("game", -6_000)]);
    for (command, code) in [
        (pay("C", "C", 100), "bad_amount"),
        (pay("C", "E", 0), "bad_amount"),
        (pay("C", "E", -100), "bad_amount"),
        (pay("C", &uuid::Uuid::nil().to_string(), 100), "unknown_player"),
    ] {
        table.command(&command).refused(422, code);
    }
    verified(&house);
}

#[rstest]
fn without_money_debts_are_half_points_and_the_books_have_the_score_alone(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    table.play(&[json!({"command": "start_game"})]);
    table.play(&[json!({"command": "finish", "winner": "box", "win": "single"}), pay("B", "A", 2)]);
    let settling = settle_up(&table);
    assert_eq!(settling["unit"], "half_points");
    assert_eq!(debts(&settling), named(&[("A", 2), ("B", 0), ("C", -2)]));
    assert_eq!((table.balance("A", "half_points"), lines(&table, "B", "half_points").len()), (4, 1));
    verified(&house);
}

#[rstest]
fn a_night_is_settled_over_all_its_tables(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let first = house.table_with(&["A", "B", "C"], &at_three_euro());
    let play = |table: &Table, winner: &str| {
        table.play(&[json!({"command": "start_game"})]);
        table.play(&[json!({"command": "finish", "winner": winner, "win": "single"})]);
    };
    play(&first, "box");
    first.play(&[json!({"command": "close"})]);
    // The same three again, at six euro a point. A loses all of the winnings to the two others, and more.
    let six = json!({"name": "Later", "stake": {"amount": 600, "currency": "EUR"}});
    let opened = first.client.post("/api/v1/chouettes", &six).good();
    let id = opened.body["chouette"]["id"].as_str().unwrap().to_owned();
    let later = Table { client: house.admin(), id, players: first.players.clone() };
    for name in ["A", "B", "C"] {
        later.play(&[json!({"command": "join", "player": name})]);
    }
    let rolls: Vec<Value> = ["A", "B", "C"]
        .iter()
        .zip([6, 5, 4])
        .map(|(name, die)| json!({"player": name, "dice": [die]}))
        .collect();
    later.play(&[json!({"command": "enter_rolls", "rolls": rolls})]);
    play(&later, "team");
    let for_points = house.table(&["D", "E", "F"]);
    play(&for_points, "box");

    let night = later.state()["night"].as_str().unwrap().to_owned();
    let of = |query: &str| first.client.get(&format!("/api/v1/nights/{night}/settle-up{query}"));
    let settling = first.with_names(&of("?currency=EUR").good().body);
    assert_eq!(debts(&settling), named(&[("A", -600), ("B", 300), ("C", 300)]));
    assert_eq!(settling["payments"].as_array().unwrap().len(), 2);
    let settling = for_points.with_names(&of("").good().body);
    assert_eq!((&settling["unit"], debts(&settling)[0].1), (&json!("half_points"), 4));
    assert_eq!(of("?currency=CHF").good().body["players"], json!([]), "no table, no debts");
    of("?currency=chf").refused(400, "invalid_query");
}

/// Door: money.
#[rstest]
fn a_correction_moves_the_debts_and_the_books_alike(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table_with(&["A", "B", "C"], &at_three_euro());
    table.play(&[json!({"command": "start_game"})]);
    table.play(&[json!({"command": "finish", "winner": "box", "win": "single"})]);
    table.play(&[json!({"command": "correct", "game": 1, "winner": "team"})]);
    assert_eq!(debts(&settle_up(&table)), named(&[("A", -600), ("B", 300), ("C", 300)]));
    assert_eq!((table.balance("A", "EUR"), table.balance("A", "half_points")), (-600, -4));
    let told = lines(&table, "B", "EUR");
    let of = |kind: &str, amount: i64| (kind.to_owned(), json!(1), amount);
    assert_eq!(told, [of("correction", 300), of("correction", 300), of("game", -300)]);
    table.play(&[json!({"command": "undo"})]);
    assert_eq!(table.balance("B", "EUR"), -300);
    verified(&house);
}

#[rstest]
fn somebody_entered_twice_has_one_account_again(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let mut table = house.table_with(&["A", "B", "C"], &at_three_euro());
    let again = house.player(&table.client, "C again");
    table.players.insert("C again".to_owned(), again);
    let game = |winner: &str| {
        [json!({"command": "start_game"}), json!({"command": "finish", "winner": winner, "win": "single"})]
    };
    table.play(&game("box"));
    table.play(&[json!({"command": "leave", "player": "C"})]);
    table.play(&[json!({"command": "join", "player": "C again"})]);
    table.play(&game("team"));
    table.play(&[pay("C again", "A", 100)]);
    let before = debts(&settle_up(&table));
    let (duplicate, player) = ("C again", "C");
    table.play(&[json!({"command": "merge_players", "duplicate": duplicate, "player": player})]);
    let after = debts(&settle_up(&table));
    assert_eq!(after, [before[0].clone(), before[1].clone(), ("C".to_owned(), before[2].1 + before[3].1)]);
    for unit in ["EUR", "half_points"] {
        assert_eq!(table.balance("C again", unit), 0, "{unit}");
    }
    assert_eq!(table.balance("C", "EUR"), after[2].1);
    assert!(lines(&table, "C", "EUR").iter().any(|(kind, game, _)| kind == "merge" && *game == json!(2)));
    verified(&house);

    table.play(&[json!({"command": "undo"})]);
    assert_eq!(debts(&settle_up(&table)), before);
    verified(&house);
}

#[test]
fn the_page_says_who_hands_what_to_whom_and_one_button_records_it() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = e17(&house);
    let (browser, csrf) = in_a_browser(&house);
    let address = format!("/chouettes/{}/settle-up", table.id);
    let shown = |page: &Answer, texts: &[&str]| {
        for text in texts {
            assert!(page.text().contains(text), "no {text:?} in {page}");
        }
    };
    shown(
        &browser.get(&address).good(),
        &["60.00 EUR", "24.00 EUR", "18.00 EUR", "No fewer would do", ">Mark as paid<"],
    );
    shown(&browser.get(&format!("/chouettes/{}", table.id)).good(), &[&address]);

    let post = |command: &Value, then: &str| {
        let command = fields_of(&table.with_ids(command));
        let mut form = vec![("csrf", csrf.as_str()), ("then", then)];
        form.extend(command.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        browser.request("POST", &format!("/chouettes/{}/act", table.id)).form(&form).send()
    };
    let done = post(&pay("C", "E", 6_000), &address);
    assert_eq!((done.status, done.header("location")), (303, Some(address.as_str())), "{done}");
    shown(&browser.get(&address).good(), &["2 payments settle everything", "paid</p>", "Undo<span"]);
    let refused = post(&pay("C", "C", 100), &address);
    assert_eq!(refused.status, 422);
    shown(&refused, &["notice problem", "24.00 EUR"]);

    // Only back to this table's own page, whatever the form says.
    for then in [
        "https://evil.example",
        "//evil.example",
        &format!("{address}/../../x"),
        &format!("{address}?a=\r\nb: c"),
    ] {
        let done = post(&pay("D", "E", 1), then);
        assert_eq!(done.header("location"), Some(format!("/chouettes/{}", table.id).as_str()), "{then}");
    }
    let ledger = browser.get(&format!("/ledger/{}?unit=EUR", table.players["C"])).good();
    shown(&ledger, &["Friday table, payment", "+60.00"]);
}

#[test]
fn the_page_works_out_what_a_leaver_is_paid_and_by_whom() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = e17(&house);
    let (browser, _) = in_a_browser(&house);
    let [a, b, c] = ["A", "B", "C"].map(|name| table.players[name].as_str());
    let page = |query: &str| {
        let page = browser.get(&format!("/chouettes/{}/settle-up?{query}", table.id)).good();
        let (_, leaving) = page.text().split_once("id=\"leaver\"").unwrap();
        leaving.split("class=\"card games\"").next().unwrap().to_owned()
    };
    let proposed = page(&format!("leaver={a}"));
    assert!(proposed.contains("A is owed 18.00 EUR"), "{proposed}");
    let by_one = page(&format!("leaver={a}&by={b}"));
    assert!(by_one.contains(": B has paid A 18.00 EUR") && !by_one.contains("still owed"), "{by_one}");
    let by_two = page(&format!("leaver={a}&by={b}&by={c}&amount-{b}=7.50&amount-{c}=5"));
    for text in [": B has paid A 7.50 EUR", ": C has paid A 5.00 EUR", "A is still owed 5.50 EUR"] {
        assert!(by_two.contains(text), "no {text:?} in {by_two}");
    }
    // Once B has paid, the page goes on with C.
    assert!(by_two.contains(&format!("settle-up?leaver={a}&#38;by={c}&#38;amount-{c}=5#leaver")), "{by_two}");
    let too_much = page(&format!("leaver={a}&by={b}&amount-{b}=18.01"));
    assert!(too_much.contains("That is more than the 18.00 EUR still open."), "{too_much}");
    let nonsense = page(&format!("leaver={a}&by={b}&by=x&by={a}&amount-x=1&amount-{b}=many&colour=red"));
    assert!(nonsense.contains("An amount is a number above zero"), "{nonsense}");
}

#[test]
fn who_may_not_record_a_payment_sees_no_button() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = e17(&house);
    let settings = json!({"name": "Owls", "time_zone": "UTC", "currencies": ["EUR"],
        "public": {"tables": true, "standings": true}});
    table.client.put("/api/v1/settings", &settings).good();
    let address = format!("/chouettes/{}/settle-up", table.id);
    house.with_roles(&table.client, "pia", &["player"]);
    let page = browser_of(&house, ("pia", "quattro oche sul lago")).0.get(&address).good();
    assert!(page.text().contains("60.00 EUR"));
    assert!(!page.text().contains("name=\"command\"") && !page.text().contains("id=\"leaver\""), "{page}");
    // F2: who pays whom is not for strangers, even where everybody's points are.
    assert!(!house.server.public().get(&address).text().contains("60.00 EUR"));
}

/// A night of two tables at three euro. A wins 6 from B and C, who then moves to the other table, where D
/// loses 3 to each of three players, C among them. Over the night C is even, and B and E never meet.
fn two_tables(house: &House) -> (Table, Table) {
    let one = house.table_with(&["A", "B", "C"], &at_three_euro());
    let start = json!({"command": "start_game"});
    let ends = |winner: &str| json!({"command": "finish", "winner": winner, "win": "single"});
    one.play(&[start.clone(), ends("box"), json!({"command": "leave", "player": "C"})]);
    let mut two = house.table_with(&["D", "E", "F"], &at_three_euro());
    two.players.insert("C".to_owned(), one.players["C"].clone());
    two.play(&[json!({"command": "join", "player": "C"}), start, ends("team")]);
    two.players.extend(one.players.clone());
    (one, two)
}

/// The path of the night's settle-up sheet, and its body.
fn sheet_of(table: &Table) -> (String, Value) {
    let night = table.state()["night"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/nights/{night}/settle-up");
    let body = table.client.get(&format!("{path}?currency=EUR")).good().body;
    (path, table.with_names(&body))
}

fn handed(payer: &str, payee: &str, amount: i64) -> Value {
    json!({"payer": payer, "payee": payee, "amount": amount})
}

/// Proves S6. Door: money.
#[rstest]
fn a_night_is_settled_up_in_one_act_and_every_table_is_even(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (one, two) = two_tables(&house);
    let (path, sheet) = sheet_of(&two);
    let fewest = [handed("D", "A", 600), handed("B", "E", 300), handed("D", "F", 300)];
    let mut shown = sheet["payments"].as_array().unwrap().clone();
    shown.sort_by_key(|paid| (-paid["amount"].as_i64().unwrap(), paid["payer"].to_string()));
    assert_eq!((shown.len(), &shown[0]), (3, &fewest[0]), "{sheet}");

    let pay =
        |body: &Value, key: &str| two.client.request("POST", &path).json(&two.with_ids(body)).key(key).send();
    let other = json!({"currency": "EUR", "payments": [handed("D", "A", 600)]});
    let refused = pay(&other, "other").refused(422, "sheet_changed");
    assert_eq!(two.with_names(&refused.body["allowed"]), sheet["payments"], "what it is now");
    let all = json!({"currency": "EUR", "payments": sheet["payments"]});
    let done = pay(&all, "all").good().body;
    assert_eq!(two.with_names(&done)["payments"], sheet["payments"], "as the sheet said");
    assert_eq!(done["tables"].as_array().unwrap().len(), 2);
    assert_eq!(pay(&all, "all").good().body, done, "a retry does nothing twice");
    pay(&all, "again").refused(422, "sheet_changed");
    pay(&json!({"currency": "EUR"}), "more").refused(422, "nothing_owed");
    for table in [&one, &two] {
        let settling = settle_up(table);
        assert_eq!(settling["payments"], json!([]), "every table's own sheet is even");
        assert!(debts(&settling).iter().all(|(_, debt)| *debt == 0), "{settling}");
    }
    for player in ["A", "B", "C", "D", "E", "F"] {
        assert_eq!(two.balance(player, "EUR"), 0, "{player}");
    }
    assert_eq!(lines(&two, "B", "EUR").iter().map(|line| line.2).collect::<Vec<_>>(), [300, -300]);
    verified(&house);

    // Undone at one table, the act is undone at both. Then redone.
    let preview = two.client.post(&two.path("/preview"), &json!({"command": "undo"})).good().body;
    assert_eq!(preview["tables"][0]["id"], json!(one.id));
    assert_eq!(preview["postings"].as_array().unwrap().len() % 2, 0);
    two.play(&[json!({"command": "undo"})]);
    assert_eq!(sheet_of(&two).1, sheet);
    assert_eq!((two.balance("B", "EUR"), two.balance("A", "EUR")), (-300, 600));
    verified(&house);
    one.play(&[json!({"command": "redo"})]);
    assert_eq!(sheet_of(&two).1["payments"], json!([]));
    verified(&house);

    // Later games create new debts. A table that has gone on keeps its payments, and so does the other.
    two.play(&[json!({"command": "start_game"})]);
    pay(&json!({"currency": "EUR"}), "playing").refused(422, "games_in_progress");
    let refused = one.command(&json!({"command": "undo"})).refused(422, "other_table_moved_on");
    assert_eq!(refused.body["allowed"]["table"], json!(two.id));
    two.play(&[json!({"command": "finish", "winner": "box", "win": "single"})]);
    assert_eq!(pay(&json!({"currency": "EUR"}), "rest").good().body["tables"].as_array().unwrap().len(), 1);
    verified(&house);
}

#[rstest]
fn of_two_who_settle_the_night_at_once_one_does(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (one, two) = two_tables(&house);
    let (path, _) = sheet_of(&one);
    let settle = || one.client.post(&path, &json!({"currency": "EUR"})).status;
    let mut answers = std::thread::scope(|scope| {
        let all = [0, 1, 2].map(|_| scope.spawn(settle));
        all.map(|thread| thread.join().unwrap())
    });
    answers.sort_unstable();
    assert_eq!(answers, [200, 422, 422]);
    for table in [&one, &two] {
        assert_eq!(settle_up(table)["payments"], json!([]));
    }
    verified(&house);
}

/// Door: money.
#[test]
fn the_night_is_settled_up_on_its_page_with_one_button() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let (one, two) = two_tables(&house);
    let (browser, csrf) = in_a_browser(&house);
    let night = one.state()["night"].as_str().unwrap().to_owned();
    let table = browser.get(&format!("/chouettes/{}/settle-up", one.id)).good();
    let address = format!("/nights/{night}/settle-up?currency=EUR");
    assert!(table.text().contains(&format!("href=\"{address}\"")), "the table's page leads there");
    let page = browser.get(&address).good();
    assert!(page.text().contains("3 payments settle everything"), "{}", page.text());
    // What the form sends: its hidden fields.
    let (_, form) = page.text().split_once(&format!("action=\"{address}\"")).unwrap();
    let inputs = form.split("</form>").next().unwrap().split("name=\"").skip(1);
    let fields: Vec<(&str, &str)> = inputs
        .map(|input| {
            let (name, rest) = input.split_once("\" value=\"").unwrap();
            (name, rest.split('"').next().unwrap())
        })
        .collect();
    assert!(
        fields.contains(&("csrf", csrf.as_str()))
            && fields.iter().any(|(name, _)| *name == "payments[0][payer]")
    );
    // A form that is sent anew after a sign-in goes without the query of its address.
    let path = address.split('?').next().unwrap();
    for to in [path, &address] {
        let done = browser.request("POST", to).form(&fields).send();
        assert_eq!((done.status, done.header("location")), (303, Some(address.as_str())), "{done}");
    }
    let even = browser.get(&address).good();
    assert!(even.text().contains("Nobody owes anybody anything"));
    let first = one.id.clone().min(two.id.clone());
    assert!(even.text().contains(&format!("href=\"/chouettes/{first}/undo\"")), "it can be taken back");
    let sheet = browser.get(&format!("/chouettes/{first}/undo")).good();
    assert!(sheet.text().contains("Also undone at Friday table"), "{}", sheet.text());
    let other_key = |(name, value)| (name, if name == "key" { "other" } else { value });
    let again: Vec<(&str, &str)> = fields.iter().copied().map(other_key).collect();
    let refused = browser.request("POST", &address).form(&again).send();
    assert!(refused.status == 422 && refused.text().contains("What is owed has changed"), "{refused}");

    // The other table goes on: undoing the night's payment is refused, with a link to that table.
    two.play(&[json!({"command": "start_game"})]);
    let undo = [("csrf", csrf.as_str()), ("command", "undo"), ("key", "undo")];
    let refused = browser.request("POST", &format!("/chouettes/{}/act", one.id)).form(&undo).send();
    assert_eq!(refused.status, 422);
    assert!(
        refused.text().contains(&format!("<a href=\"/chouettes/{}\">Friday table</a>", two.id)),
        "{refused}"
    );
    verified(&house);
}
