//! The tournament as a whole, at the desk without scripts: copied, cancelled, and when it starts.

use serde_json::{Value, json};

use super::*;

/// The fields that a form shows as filled in, by name.
fn filled(page: &Answer, name: &str) -> String {
    let html = page.text();
    let field = html.split("<input ").skip(1).map(|input| format!(" {}", input.split('>').next().unwrap()));
    let mut fields = field.filter(|input| attribute(input, "name").as_deref() == Some(name));
    fields.next().and_then(|input| attribute(&input, "value")).unwrap_or_default()
}

/// A director opens the next tournament of a series from the last one.
#[test]
fn a_copy_has_everything_but_the_players_and_the_money() {
    let settings = json!({
        "name": "Championship", "lengths": [7, 5], "format": {"consolation": {"of": "progressive"}},
        "fees": {"entry": 2000, "registration": 500}, "side_pools": [{"name": "Calcutta", "stake": 1000}], "kept": 500,
        "payout": [{"prize": "winner", "parts": 3}, {"prize": "finalist", "parts": 1}], "starts": "11:30",
    });
    let Some(hall) = Hall::open(&settings) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "add_division", "settings": {"name": "Beginners", "lengths": [3]}}));
    let tables = json!([{"table": 1}, {"table": 2, "for": "reserved", "note": "by the window"}]);
    hall.does(&json!({"command": "set_tables", "tables": tables}));
    hall.does(&json!({"command": "pay_in", "player": hall.players["Ada"], "amount": 2500}));

    let set_up = browser.get(&hall.desk("/settings")).good();
    let link = format!("/tournaments/new?copy={}", hall.id);
    assert!(set_up.text().contains(&format!("href=\"{link}\"")), "{set_up}");
    let form = browser.get(&link).good();
    assert!(form.text().contains("Championship, Beginners, 2 tables"), "{form}");
    assert_eq!(filled(&form, "name"), "Spring Open");
    let date: chrono::NaiveDate = filled(&form, "date").parse().unwrap();
    assert_eq!(chrono::Datelike::weekday(&date), chrono::Weekday::Fri, "like 20 November 2026");
    // A refused form is still that of a copy.
    let typed = [("name", ""), ("date", "2027-05-21"), ("currency", "EUR")];
    let refused = press(&browser, &form, "Open the tournament", &typed);
    assert_eq!((refused.status, filled(&refused, "copy")), (422, hall.id.clone()), "{refused}");
    let typed = [("name", "Summer Open"), ("date", "2027-05-21"), ("starts", "10:00"), ("currency", "EUR")];
    let opened = press(&browser, &refused, "Open the tournament", &typed);
    let to = opened.header("location").unwrap().to_owned();
    assert_eq!(opened.status, 303, "{opened}");
    let id = to.split('/').nth(2).unwrap();

    let new = hall.director.get(&format!("/api/v1/tournaments/{id}")).good().body;
    let old = hall.get("");
    assert_eq!(
        (&new["name"], &new["date"], &new["starts"]),
        (&json!("Summer Open"), &json!("2027-05-21"), &json!("10:00"))
    );
    let played = |of: &Value| -> Vec<Value> {
        of["divisions"].as_array().unwrap().iter().map(|of| of["settings"].clone()).collect()
    };
    assert_eq!(played(&new), played(&old));
    assert_eq!(new["tables"], old["tables"]);
    let has = |of: &Value| json!([of["entries"], of["pool"], of["draw"]]);
    assert!(new["divisions"].as_array().unwrap().iter().all(|of| has(of) == json!([0, 0, null])), "{new}");
    let accounts = hall.director.get(&format!("/api/v1/tournaments/{id}/accounts")).good().body;
    assert_eq!(accounts["items"], json!([]));
    let acts = hall.director.get(&format!("/api/v1/tournaments/{id}/acts")).good().body;
    assert_eq!(acts["items"].as_array().unwrap().len(), 1, "it is opened by one act: {acts}");
    verified(&hall.house);
}

#[test]
fn a_copy_over_the_api_is_for_who_may_open_tournaments() {
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": {"entry": 1000}})) else { return };
    let path = format!("/api/v1/tournaments/{}/copies", hall.id);
    let about = json!({"name": "Again", "date": "2027-05-21", "currency": "EUR", "public": true});
    let copied = hall.director.request("POST", &path).key("once").json(&about).send().good();
    let again = hall.director.request("POST", &path).key("once").json(&about).send().good();
    assert_eq!((copied.status, &copied.body["id"]), (201, &again.body["id"]));
    let events: Vec<&Value> =
        copied.body["act"]["events"].as_array().unwrap().iter().map(|event| &event["event"]).collect();
    assert_eq!(events, ["opened", "division_added"]);
    assert_eq!(
        copied.header("location"),
        Some(&*format!("/api/v1/tournaments/{}", copied.body["id"].as_str().unwrap()))
    );
    // The fees need a currency.
    let without = json!({"name": "Again", "date": "2027-05-21"});
    hall.director.post(&path, &without).refused(422, "division_flawed");
    let nowhere = "/api/v1/tournaments/01935d2e-0000-7000-8000-000000000000/copies";
    hall.director.post(nowhere, &about).refused(404, "not_found");
    verified(&hall.house);
}

/// Nothing happens in a cancelled tournament any more, and its money goes back to where it came from.
#[test]
fn a_cancelled_tournament_says_so_and_owes_back_what_was_paid() {
    let settings = json!({"lengths": [5], "fees": {"entry": 2000, "registration": 500}});
    let Some(hall) = Hall::open(&settings) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "add_money", "amount": 5000}));
    hall.does(&json!({"command": "pay_in", "player": hall.players["Ada"], "amount": 2500}));
    hall.does(&json!({"command": "set_tables", "tables": [{"table": 1}]}));
    hall.does(&json!({"command": "call", "match": 1}));
    hall.does(&json!({"command": "open_sheet", "match": 1}));
    let sheet = hall.get("/divisions/1/matches/1")["sheet"].as_str().unwrap().to_owned();
    let sheet = format!("/api/v1/matches/{sheet}");

    let page = browser.get(&hall.desk("/settings")).good();
    let said = words(page.text());
    assert!(said.contains("Fees and stakes of 100.00 EUR are credited back"), "{said}");
    assert!(said.contains("You then have to hand back 25.00 EUR"), "{said}");
    let without = press(&browser, &page, "Cancel the tournament", &[("reason", "")]);
    assert!(without.status >= 400, "{without}");
    let cancelled = press(&browser, &page, "Cancel the tournament", &[("reason", "The roof leaks")]);
    leads_to(&cancelled, &hall.desk(""));

    let desk = words(browser.get(&hall.desk("")).good().text());
    for expected in ["The tournament was cancelled.", "The roof leaks", "One player is owed money."] {
        assert!(desk.contains(expected), "{expected}: {desk}");
    }
    assert!(!desk.contains("Reopen"), "{desk}");
    let home = format!("/tournaments/{}", hall.id);
    assert!(browser.get(&home).good().text().contains("Cancelled: The roof leaks"));
    let list = browser.get("/tournaments").good();
    assert!(words(list.text()).contains("Spring Open cancelled"), "{list}");
    let ada = browser.get(&format!("{home}/players/{}", hall.players["Ada"])).good();
    assert!(words(ada.text()).contains("Cancelled: The roof leaks"), "{ada}");

    let now = hall.get("");
    assert_eq!(
        (&now["cancelled"], &now["playing"], &now["waiting"]),
        (&json!("The roof leaks"), &json!(0), &json!(0))
    );
    assert_eq!((&now["divisions"][0]["pool"], &now["divisions"][0]["legal"]), (&json!(0), &json!([])));
    assert_eq!(now["legal"], json!(["pay_in", "pay_out", "change"]));
    let listed = hall.director.get("/api/v1/tournaments?closed=true").good().body;
    assert_eq!(
        (&listed["items"][0]["cancelled"], &listed["items"][0]["closed"]),
        (&json!(true), &json!(true))
    );
    let owed = hall.get("/accounts")["items"].clone();
    assert_eq!((&owed[0]["amount"], owed.as_array().unwrap().len()), (&json!(2500), 1));
    let commands = format!("/api/v1/tournaments/{}/commands", hall.id);
    for command in [
        json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [5, 0]}}),
        json!({"command": "call", "match": 2}),
        json!({"command": "award"}),
        json!({"command": "reopen"}),
    ] {
        hall.director.post(&commands, &command).refused(422, "tournament_cancelled");
    }
    assert_eq!(hall.director.get(&sheet).good().body["detached"], true);
    let game = json!({"command": "game", "winner": "upper", "win": "single", "cube": 1});
    hall.director.post(&format!("{sheet}/commands"), &game).refused(422, "match_detached");

    let money = browser.get(&hall.desk("/money")).good();
    assert!(!money.text().contains("Award"), "{money}");
    leads_to(&press(&browser, &money, "Ada was paid 25.00 EUR", &[]), &hall.desk("/money"));
    assert_eq!(hall.get("/accounts")["items"], json!([]));
    let house = hall.director.get("/api/v1/ledger/house/balances").good().body;
    let pool = hall.director.get(&format!("/api/v1/ledger/pools/{}/balances", hall.id)).good().body;
    assert_eq!((&house[0]["amount"], &pool[0]["amount"]), (&json!(0), &json!(0)));
    verified(&hall.house);

    // Undone, it goes on where it was.
    hall.does(&json!({"command": "undo", "acts": 2}));
    let back = hall.get("");
    assert_eq!(
        (&back["cancelled"], &back["playing"], &back["divisions"][0]["pool"]),
        (&Value::Null, &json!(1), &json!(13_000))
    );
    assert_eq!(hall.director.get(&sheet).good().body["detached"], false);
    hall.director.post(&format!("{sheet}/commands"), &game).good();
    verified(&hall.house);
}

/// The form about a tournament is one act: details and directors are saved together and undone together, and
/// a form that changes nothing leaves nothing behind.
#[test]
fn details_and_directors_are_saved_as_one_act() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let (_, account) = hall.somebody("player");
    let name = hall.get("")["name"].clone();
    let page = format!("/tournaments/{}/edit", hall.id);
    let typed = [
        ("name", "Winter Open"),
        ("date", "2026-12-20"),
        ("currency", "EUR"),
        ("directors", account.as_str()),
    ];
    let save = || press(&browser, &browser.get(&page).good(), "Save", &typed);
    leads_to(&save(), &hall.desk("/settings"));
    let saved = hall.get("");
    assert_eq!((&saved["name"], &saved["directors"]), (&json!("Winter Open"), &json!([account])));
    leads_to(&save(), &hall.desk("/settings"));
    assert_eq!(hall.get("")["version"], saved["version"], "all is as it should be");
    hall.does(&json!({"command": "undo"}));
    let undone = hall.get("");
    assert_eq!((&undone["name"], &undone["directors"]), (&name, &json!([])));
    verified(&hall.house);
}

/// When it starts is said where people look before the draw.
#[test]
fn it_says_when_it_starts() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "undo"}));
    let ada = format!("/tournaments/{}/players/{}", hall.id, hall.players["Ada"]);
    assert!(words(browser.get(&ada).good().text()).contains("The draw has not been made yet."));
    let edit = browser.get(&format!("/tournaments/{}/edit", hall.id)).good();
    let typed =
        |starts| [("name", "Spring Open"), ("date", "2026-11-20"), ("starts", starts), ("currency", "EUR")];
    let refused = press(&browser, &edit, "Save", &typed("half past seven"));
    assert!(refused.status == 422 && words(refused.text()).contains("Starts at:"), "{refused}");
    assert_eq!(filled(&refused, "starts"), "half past seven", "what was typed is kept");
    leads_to(&press(&browser, &edit, "Save", &typed("19:30")), &hall.desk("/settings"));
    assert_eq!(hall.get("")["starts"], "19:30");
    for page in ["/tournaments", &format!("/tournaments/{}", hall.id)] {
        assert!(browser.get(page).good().text().contains("Fri 20 Nov 2026, 19:30"), "{page}");
    }
    assert!(words(browser.get(&ada).good().text()).contains("Play starts Fri 20 Nov 2026, 19:30."));
    // A division can start at another time.
    let division = browser.get(&hall.desk("/1/settings")).good();
    let fields = [("name", "Open"), ("starts", "20:15"), ("lengths", "5"), ("house_keeps", "0")];
    leads_to(&press(&browser, &division, "Save", &fields), &hall.desk("/settings"));
    assert_eq!(hall.get("")["divisions"][0]["settings"]["starts"], "20:15");
    assert!(browser.get(&format!("/tournaments/{}", hall.id)).good().text().contains("starts 20:15"));
    assert!(words(browser.get(&ada).good().text()).contains("Play starts Fri 20 Nov 2026, 20:15."));
    verified(&hall.house);
}

/// A division's own schedule of prizes is typed as percentages, and looked at before it is saved.
#[test]
fn prizes_are_shared_by_percentages_of_ones_own() {
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": {"entry": 2000}})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let page = browser.get(&hall.desk("/1/settings")).good();
    let base = [("name", "Open"), ("lengths", "5"), ("entry", "20"), ("house_keeps", "0")];
    let typed = |shares: &[(&'static str, &'static str)]| -> Vec<(&'static str, &'static str)> {
        base.iter().chain(shares).copied().collect()
    };
    let schedule = || hall.get("")["divisions"][0]["settings"]["payout"].clone();
    let wrong =
        [("payout", "own"), ("share_winner", "60"), ("share_finalist", "30"), ("share_semi_finalist", "7.5")];
    let refused = press(&browser, &page, "Save", &typed(&wrong));
    assert_eq!(refused.status, 422, "{refused}");
    let beside = refused.text().split("id=\"prizes\"").nth(1).unwrap().split("</fieldset>").next().unwrap();
    assert!(words(beside).contains("The percentages add up to 105, not to 100."), "{beside}");
    assert_eq!((filled(&refused, "share_semi_finalist"), schedule()), ("7.5".to_owned(), Value::Null));
    let no_number = [("payout", "own"), ("share_winner", "half")];
    let refused = press(&browser, &page, "Save", &typed(&no_number));
    assert!(words(refused.text()).contains("Enter a percentage from 0 to 100"), "{refused}");

    // A director who types percentages means them, also without choosing so.
    let right = [
        ("payout", "usual"),
        ("share_winner", "60"),
        ("share_finalist", "27.5"),
        ("share_semi_finalist", "6,25"),
    ];
    let finer = press(&browser, &page, "Save", &typed(&right));
    assert_eq!(finer.status, 422, "no half of a half of a per cent: {finer}");
    let right = [
        ("payout", "usual"),
        ("share_winner", "60"),
        ("share_finalist", "27"),
        ("share_semi_finalist", "6,5"),
    ];
    let looked = press(&browser, &page, "Preview the amounts", &typed(&right));
    assert_eq!((looked.status, schedule()), (200, Value::Null), "looking saves nothing: {looked}");
    let amounts = looked.text().split("id=\"amounts\"").nth(1).unwrap().split("</section>").next().unwrap();
    let amounts = words(amounts);
    for expected in
        ["From the 80.00 EUR", "Winner49.00 EUR", "Finalist21.00 EUR", "Losing semi-finalist5.00 EUR"]
    {
        assert!(amounts.replace(' ', "").contains(&expected.replace(' ', "")), "{expected}: {amounts}");
    }
    leads_to(&press(&browser, &looked, "Save", &typed(&right)), &hall.desk("/settings"));
    let parts = json!([
        {"prize": "winner", "parts": 600}, {"prize": "finalist", "parts": 270},
        {"prize": "semi_finalist", "parts": 65}, {"prize": "semi_finalist", "parts": 65},
    ]);
    assert_eq!(schedule(), parts);
    // Shown and saved again, it stays; another choice replaces it.
    let page = browser.get(&hall.desk("/1/settings")).good();
    assert_eq!(filled(&page, "share_semi_finalist"), "6.5");
    let same =
        [("payout", "own"), ("share_winner", "60"), ("share_finalist", "27"), ("share_semi_finalist", "6.5")];
    leads_to(&press(&browser, &page, "Save", &typed(&same)), &hall.desk("/settings"));
    assert_eq!(schedule(), parts);
    let page = browser.get(&hall.desk("/1/settings")).good();
    let other = [
        ("payout", "winner"),
        ("share_winner", "60"),
        ("share_finalist", "27"),
        ("share_semi_finalist", "6.5"),
    ];
    leads_to(&press(&browser, &page, "Save", &typed(&other)), &hall.desk("/settings"));
    assert_eq!(schedule(), json!([{"prize": "winner", "parts": 1}]));
    verified(&hall.house);
}

/// An emptied amount gives that player nothing; it does not ask for what is due by the schedule.
#[test]
fn prizes_awarded_differently_and_emptied_give_nothing() {
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": {"entry": 1000}})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    for (number, score) in [(1, [5, 0]), (2, [5, 0]), (3, [5, 0])] {
        let ended = json!({"ending": "played", "score": score});
        hall.does(&json!({"command": "result", "match": number, "ended": ended}));
    }
    let page = browser.get(&hall.desk("/money")).good();
    let field = |name: &str| {
        let before =
            page.text().split_once(&format!("[player]\" value=\"{}\"", hall.players[name])).unwrap().0;
        format!("{}[amount]", before.rsplit_once("name=\"").unwrap().1)
    };
    let (ada, cleo) = (field("Ada"), field("Cleo"));
    let given = || hall.get("/divisions/1/prizes")["given"].clone();
    let emptied = press(&browser, &page, "Award them differently", &[(&ada, ""), (&cleo, "")]);
    assert_eq!((emptied.status, given()), (422, Value::Null), "{emptied}");
    assert!(words(emptied.text()).contains("40.00 EUR"), "it says the sum: {emptied}");
    leads_to(
        &press(&browser, &page, "Award them differently", &[(&ada, "40"), (&cleo, "")]),
        &hall.desk("/money"),
    );
    assert_eq!(given(), json!([{"player": hall.players["Ada"], "amount": 4000}]));
}

/// A player who was left out of the draw gets a slot by lot: one of them, or all who wait.
#[test]
fn who_waits_is_seated_by_lot() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let late: Vec<Value> = ["Elio", "Fia", "Gil"]
        .iter()
        .map(|name| json!({"player": hall.house.player(&hall.director, name)}))
        .collect();
    hall.does(&json!({"command": "undo"}));
    hall.does(&json!({"command": "enter", "entries": late}));
    hall.does(&json!({"command": "check_in", "entries": [1, 2, 3, 4]}));
    let slots = json!([1, null, 2, 0, 3, 0, 4, null]);
    hall.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}, "only_checked_in": true}));
    let legal = || hall.get("/divisions/1/entries/5")["legal"].clone();
    assert!(legal().as_array().unwrap().contains(&json!("seat_by_lot")), "{}", legal());
    let page = browser.get(&hall.desk("/1/entries/5")).good();
    leads_to(&press(&browser, &page, "Seat Elio by lot", &[]), &hall.desk("/1/entries/5"));
    assert!(!legal().as_array().unwrap().contains(&json!("seat_by_lot")));
    let undo = browser.get(&hall.desk("/1/entries/5")).good();
    assert!(undo.text().contains("Undo: Elio gets a slot by lot"), "{undo}");
    let acts = hall.get("/acts")["items"][0]["events"][0].clone();
    assert_eq!(
        (&acts["event"], acts["lot"]["among"].as_array().unwrap().len()),
        (&json!("seated"), 2),
        "{acts}"
    );
    assert!(acts["lot"]["seed"].is_u64(), "{acts}");

    let waiting = browser.get(&hall.desk("/1/entries?show=waiting")).good();
    press(&browser, &waiting, "Seat 2 by lot", &[]);
    let standing = |entry: u32| hall.get(&format!("/divisions/1/entries/{entry}"))["standing"].clone();
    assert_eq!([5, 6, 7].map(standing), [json!("in"), json!("in"), json!("in")]);
    let draw = browser.get(&format!("/tournaments/{}/1/draw", hall.id)).good();
    let said = words(draw.text());
    assert!(said.contains("Seated by lot after the draw") && said.contains("one of 2 slots, seed"), "{said}");
    // A lot is no preview.
    let preview = format!("/api/v1/tournaments/{}/preview", hall.id);
    let lot = json!({"command": "seat_by_lot", "entries": [5]});
    hall.director.post(&preview, &lot).refused(422, "no_preview");
    verified(&hall.house);
}

/// A director who imposes a clock in mid-match is offered what is left of the division's time; one tap sets
/// it.
#[test]
fn a_clock_set_in_mid_match_has_the_time_that_is_left_to_play() {
    let settings = json!({"lengths": [7], "clock": {"reserve_a_point": 90, "delay": 8}});
    let Some(hall) = Hall::open(&settings) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "open_sheet", "match": 1}));
    let id = hall.get("/divisions/1/matches/1")["sheet"].as_str().unwrap().to_owned();
    let sheet = format!("/matches/{id}");
    let api = format!("/api/v1/matches/{id}");
    for (winner, cube) in [("upper", 4), ("lower", 1)] {
        let game = json!({"command": "game", "winner": winner, "win": "single", "cube": cube});
        hall.director.post(&format!("{api}/commands"), &game).good();
    }
    // 4-1: three and six points are missing, four and a half in the mean, at a minute and a half each.
    let page = browser.get(&sheet).good();
    assert!(words(page.text()).contains("1:30 for each point still needed"), "{page}");
    assert_eq!(
        [filled(&page, "left[0]"), filled(&page, "left[1]"), filled(&page, "clock[delay]:number")],
        ["6:45", "6:45", "8"]
    );
    let offered = [("left[0]", "6:45"), ("left[1]", "6:45")];
    let set = press(&browser, &page, "Set the clock", &offered);
    assert_eq!(set.status, 303, "{set}");
    let clock = || hall.director.get(&api).good().body["clock"].clone();
    assert_eq!((&clock()["left"], &clock()["setting"]["delay"]), (&json!([405_000, 405_000]), &json!(8)));
    // A ruling on time: each side's minutes by themselves.
    let page = browser.get(&sheet).good();
    let typed = [("left[0]", "6:45"), ("left[1]", "4"), ("clock[delay]:number", "8")];
    assert_eq!(press(&browser, &page, "Set the clock", &typed).status, 303);
    assert_eq!(clock()["left"], json!([405_000, 240_000]));
    let page = browser.get(&sheet).good();
    assert_eq!([filled(&page, "left[0]"), filled(&page, "left[1]")], ["6:45", "4"], "as it stands");
    let wrong = press(&browser, &page, "Set the clock", &[("left[0]", "soon"), ("left[1]", "4")]);
    assert_eq!(wrong.status, 400, "{wrong}");
    verified(&hall.house);
}

/// The same payment, pressed on two devices, is recorded once; so is one with a typed amount.
#[test]
fn a_payment_pressed_on_two_devices_is_recorded_once() {
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": {"entry": 1000}})) else { return };
    let (one, other) = (hall.browser(ADMIN.0, ADMIN.1), hall.browser(ADMIN.0, ADMIN.1));
    let account = |name: &str| {
        let accounts = hall.get("/accounts")["items"].clone();
        let found = accounts.as_array().unwrap().iter().find(|one| one["player"] == hall.players[name]);
        found.map_or(0, |one| one["amount"].as_i64().unwrap())
    };
    let (here, there) = (one.get(&hall.desk("/money")).good(), other.get(&hall.desk("/money")).good());
    leads_to(&press(&one, &here, "Ada has paid 10.00 EUR", &[]), &hall.desk("/money"));
    let twice = press(&other, &there, "Ada has paid 10.00 EUR", &[]);
    assert_eq!((twice.status, account("Ada")), (422, 0), "{twice}");
    assert!(words(twice.text()).contains("What is owed has changed in the meantime."), "{twice}");

    let bea = |page: &Answer| {
        let options =
            page.text().split("<option value=\"").skip(1).map(|option| option.split('"').next().unwrap());
        options.map(unescaped).find(|value| value.contains(&hall.players["Bea"])).unwrap()
    };
    let (here, there) = (one.get(&hall.desk("/money")).good(), other.get(&hall.desk("/money")).good());
    let paid = bea(&here);
    let typed = [("choice", paid.as_str()), ("amount", "4")];
    leads_to(&press(&one, &here, "Has paid", &typed), &hall.desk("/money"));
    let twice = press(&other, &there, "Has paid", &typed);
    assert_eq!((twice.status, account("Bea")), (422, -600), "{twice}");

    // Over the API, a client that says what it saw is refused like that; one that does not is believed.
    let pay = |seen: Value| {
        let mut command = json!({"command": "pay_in", "player": hall.players["Cleo"], "amount": 1000});
        if !seen.is_null() {
            command["account"] = seen;
        }
        hall.director.post(&format!("/api/v1/tournaments/{}/commands", hall.id), &command)
    };
    pay(json!(-1000)).good();
    pay(json!(-1000)).refused(422, "debt_changed");
    pay(Value::Null).good();
    assert_eq!(account("Cleo"), 1000);
    let out = json!({"command": "pay_out", "player": hall.players["Cleo"], "amount": 1000, "account": 1000});
    let path = format!("/api/v1/tournaments/{}/commands", hall.id);
    hall.director.post(&path, &out).good();
    hall.director.post(&path, &out).refused(422, "debt_changed");
    verified(&hall.house);
}

/// The list of matches to call says why none can be called; a correction says where a match is being played.
#[test]
fn the_desk_says_when_no_table_is_free_and_where_a_match_is_being_played() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let ready = || {
        let page = browser.get(&hall.desk("")).good();
        words(page.text().split("id=\"ready\"").nth(1).unwrap().split("</section>").next().unwrap())
    };
    assert!(ready().contains("No tables are set up yet."), "{}", ready());
    hall.does(&json!({"command": "set_tables", "tables": [{"table": 7}]}));
    assert!(!ready().contains("No table"), "{}", ready());
    hall.does(&json!({"command": "call", "match": 2}));
    assert!(ready().contains("No table is free."), "{}", ready());

    for number in [1, 2] {
        let ended = json!({"ending": "played", "score": [5, 0]});
        hall.does(&json!({"command": "result", "match": number, "ended": ended}));
    }
    let correction = || {
        let below = "/1/matches/1/correct?ended=played-lower-4&later=void";
        words(browser.get(&hall.desk(below)).good().text())
    };
    assert!(!correction().contains("table 7"), "{}", correction());
    hall.does(&json!({"command": "call", "match": 3}));
    assert!(correction().contains("Called to table 7."), "{}", correction());
    hall.does(&json!({"command": "begin", "match": 3}));
    let said = correction();
    assert!(
        said.contains("Being played now, at table 7.") && said.contains("Bea takes the place of Ada"),
        "{said}"
    );
}
