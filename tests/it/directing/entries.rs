//! Who plays, at the desk without scripts: names, seeds, the door, a draw by hand.

use serde_json::{Value, json};

use super::*;

/// A line copied from a spreadsheet has cells. Cells with only a number are not part of a name.
#[test]
fn names_are_pasted_from_a_spreadsheet() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "undo"}));
    let page = browser.get(&hall.desk("/1/entries")).good();
    let many = "31\tJohn Smith\n32.\tKurt\tWeil\t1650.5\n#33\tZoë\t";
    let shown = press(&browser, &page, "Enter", &[("names", ""), ("names", many)]).good();
    leads_to(&press(&browser, &shown, "Enter", &[("names", many)]), &hall.desk("/1/entries?told=3-3-0"));
    let names: Vec<String> = hall.director.get("/api/v1/players?limit=50").good().body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["Ada", "Bea", "Cleo", "Dino", "John Smith", "Kurt Weil", "Zoë"]);
}

/// A name in the seeding list without an entry is reported, and the list stays as typed.
#[test]
fn a_seeding_list_with_a_stranger_names_them_and_keeps_the_others() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "undo"}));
    let page = browser.get(&hall.desk("/1/entries")).good();
    let refused = press(&browser, &page, "Save the seeds", &[("names", "Cleo\nKurt Weil\nAda")]);
    assert_eq!(refused.status, 422, "{refused}");
    assert!(words(refused.text()).contains("“Kurt Weil”: This player has not entered."), "{refused}");
    let list = refused.text().split("id=\"seeded\"").nth(1).unwrap();
    let list = unescaped(list.split_once('>').unwrap().1.split("</textarea>").next().unwrap());
    assert_eq!(list, "Cleo\nKurt Weil\nAda");
    assert!(refused.text().contains("id=\"seeds\" open"), "{refused}");
    leads_to(
        &press(&browser, &refused, "Save the seeds", &[("names", "Cleo\nAda")]),
        &hall.desk("/1/entries"),
    );
}

/// Guests created by an entry go when it is undone, unless something else refers to them, and come back with
/// redo.
#[test]
fn guests_go_with_the_entries_that_are_taken_back_and_come_again_with_them() {
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": {"entry": 1000}})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "undo"}));
    let page = browser.get(&hall.desk("/1/entries")).good();
    press(&browser, &page, "Enter", &[("names", ""), ("names", "Kurt\nZoe")]);
    let players =
        || hall.director.get("/api/v1/players?limit=50").good().body["items"].as_array().unwrap().clone();
    let names = || players().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let all = ["Ada", "Bea", "Cleo", "Dino", "Kurt", "Zoe"];
    assert_eq!(names(), all);
    let kurt = players()[4]["id"].clone();
    hall.does(&json!({"command": "undo"}));
    assert_eq!(names(), all[..4]);
    hall.does(&json!({"command": "redo"}));
    assert_eq!(names(), all);
    let about = json!({"name": "Another", "date": "2026-11-20"});
    let another =
        hall.director.post("/api/v1/tournaments", &about).good().body["id"].as_str().unwrap().to_owned();
    let there = format!("/api/v1/tournaments/{another}/commands");
    hall.director.post(&there, &json!({"command": "add_division", "settings": {"lengths": [5]}})).good();
    hall.director.post(&there, &json!({"command": "enter", "entries": [{"player": kurt}]})).good();
    hall.does(&json!({"command": "undo"}));
    assert_eq!(names(), all[..5], "Kurt plays elsewhere");
    // The name typed again is the same guest.
    let page = browser.get(&hall.desk("/1/entries")).good();
    press(&browser, &page, "Enter", &[("names", "Zoe")]);
    assert_eq!(names(), all);
}

/// A player who lost is offered a re-entry only once they have no match left: before, it would cost them
/// their place in the consolation.
#[test]
fn a_re_entry_is_offered_to_who_plays_on_nowhere() {
    let settings =
        json!({"lengths": [5], "re_entries": 1, "format": {"consolation": {"of": "first_losers"}}});
    let Some(hall) = Hall::open(&settings) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let offered = |entry: u32| {
        let page = browser.get(&hall.desk(&format!("/1/entries/{entry}"))).good();
        words(page.text()).contains("enters again")
    };
    let result = |at: u32, score: [u32; 2]| {
        let ended = json!({"ending": "played", "score": score});
        hall.does(&json!({"command": "result", "match": at, "ended": ended}));
    };
    result(1, [5, 0]);
    assert!(!offered(2), "Bea plays on in the consolation");
    assert!(!offered(1), "Ada has won");
    result(2, [5, 0]);
    assert!(!offered(2), "and waits for her match there");
    result(4, [0, 5]);
    assert!(offered(2), "she is out everywhere");
}

/// A player entered twice is merged, but only one without a history.
#[test]
fn a_player_without_a_history_is_merged_from_their_page() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let twice = hall.house.player(&hall.director, "Ada Lovelace");
    let ada = &hall.players["Ada"];
    assert!(!browser.get(&format!("/players/{ada}")).good().text().contains("Remove this player"));
    hall.director
        .post(&format!("/api/v1/players/{ada}/remove"), &json!({}))
        .refused(422, "player_has_history");
    let page = browser.get(&format!("/players/{twice}")).good();
    let merged = press(&browser, &page, "Remove this player", &[("into", "ada")]);
    leads_to(&merged, &format!("/players/{ada}?saved"));
    assert_eq!(browser.get(&format!("/players/{twice}")).status, 404);
    hall.director.get(&format!("/api/v1/players/{twice}")).refused(404, "not_found");
}

#[test]
fn names_are_taken_once_and_what_cannot_be_read_stays_in_the_form() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let entries = hall.desk("/1/entries");
    let page = browser.get(&entries).good();
    let many = "1. Ada\n2) Elio\n  \n- Fia\nElio";
    for said in ["2 entered · 2 new guests · one was entered already", "3 were entered already"] {
        let entered = press(&browser, &page, "Enter", &[("names", ""), ("names", many)]);
        let told = words(browser.get(entered.header("location").unwrap()).good().text());
        assert!(told.contains(said), "{told}");
    }
    let items = hall.get("/divisions/1/entries")["items"].as_array().unwrap().clone();
    assert_eq!(items.len(), 6, "Elio and Fia came, once");
    assert!(items[4..].iter().all(|entry| entry["standing"] == "waiting"), "no place is free: {items:?}");
    let page = browser.get(&entries).good();
    let wrong = press(&browser, &page, "Enter", &[("names", &format!("Gino\n{}", "x".repeat(101)))]);
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("Gino\n"), "what was typed is still there: {wrong}");
    assert!(words(wrong.text()).contains("“xxx"), "and which line it was is said: {wrong}");
    let sheet = browser.get(&hall.desk("/1/entries/5")).good();
    assert!(!sheet.text().contains("value=\"seat\""), "{sheet}");
    // A form redirects only to pages of the desk.
    let token = csrf(&page);
    let check_in = [("command", "check_in"), ("entries:numbers", "1"), ("here:flag", "true")];
    for then in
        ["https://evil.example", "//evil.example", "/players", &hall.desk("/../../players"), &hall.desk("/x")]
    {
        let mut form = vec![("csrf", token.as_str()), ("then", then)];
        form.extend(check_in);
        let done = browser.request("POST", &format!("/tournaments/{}/act", hall.id)).form(&form).send();
        leads_to(&done, &hall.desk(""));
    }
}

#[test]
fn what_is_refused_leaves_no_guests_behind_and_who_directs_here_may_add_them() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let (browser, account) = hall.somebody("player");
    let paste = |names: &str| {
        let token = csrf(&browser.get("/tournaments").good());
        let form = [("csrf", token.as_str()), ("names", names)];
        browser.request("POST", &hall.desk("/1/entries")).form(&form).send()
    };
    let guests = || {
        let found = hall.director.get("/api/v1/players?search=Vico").good().body;
        found["items"].as_array().unwrap().len()
    };
    assert_eq!(paste("Vico Alba\nVico Bassi").status, 403);
    assert_eq!(guests(), 0);
    hall.director
        .post(
            &format!("/api/v1/tournaments/{}/commands", hall.id),
            &json!({"command": "set_directors", "directors": [hall.players["Ada"]]}),
        )
        .refused(422, "unknown_account");
    hall.does(&json!({"command": "set_directors", "directors": [account]}));
    let zeno = hall.house.player(&hall.director, "Zeno");
    hall.director.patch(&format!("/api/v1/players/{zeno}"), &json!({"active": false})).good();
    assert_eq!(paste("Vico Alba\nZeno\nVico Bassi").status, 422, "one of them does not come any more");
    assert_eq!(guests(), 0);
    leads_to(&paste("Vico Alba\nAda\nvico alba\nVico Bassi"), &hall.desk("/1/entries?told=2-2-1"));
    assert_eq!(guests(), 2);
    assert_eq!(hall.get("/divisions/1/entries")["items"].as_array().unwrap().len(), 6);
    // The guests go when their entries are undone, and come back with redo.
    let entries = || hall.get("/divisions/1/entries")["items"].as_array().unwrap().len();
    hall.does(&json!({"command": "undo"}));
    assert_eq!((guests(), entries()), (0, 4));
    hall.does(&json!({"command": "redo"}));
    assert_eq!((guests(), entries()), (2, 6));
}

#[test]
fn seeds_are_named_as_they_are_shown() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "undo"}));
    let token = csrf(&browser.get("/tournaments").good());
    let seed = |names: &str| {
        let form = [("csrf", token.as_str()), ("names", names)];
        browser.request("POST", &hall.desk("/1/entries/seeds")).form(&form).send()
    };
    assert_eq!(seed("cleo\nNobody").status, 422);
    leads_to(&seed("cleo\nADA\nCleo"), &hall.desk("/1/entries"));
    let entries = hall.get("/divisions/1/entries");
    let seeded: Vec<&Value> = (0..4).map(|at| &entries["items"][at]["seeded"]).collect();
    assert_eq!(json!(seeded), json!([2, null, 1, null]));
}

/// The names are written as they were drawn. A part of one is asked about. What is wrong stands beside the
/// slot, and nothing that was typed is lost.
#[test]
fn a_draw_by_hand_is_written_by_name() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let second = json!({"command": "add_division", "settings": {"name": "Second", "lengths": [3]}});
    hall.does(&second);
    let names = ["Søren Ægir", "Anna Bianchi", "Anna Rossi", "Otto", "Late Lou"];
    let entries: Vec<Value> =
        names.iter().map(|name| json!({"player": hall.house.player(&hall.director, name)})).collect();
    hall.does(&json!({"command": "enter", "division": 2, "entries": entries}));
    hall.does(&json!({"command": "check_in", "division": 2, "entries": [1, 2, 3, 4]}));
    let desk = browser.get(&hall.desk("/2/draw")).good();
    let (page, all) = (hall.desk("/2/draw/by-hand"), hall.desk("/2/draw/by-hand?of=all"));
    assert!(desk.text().contains(&format!("href=\"{page}\"")), "{desk}");

    // Those who are here are drawn, unless everybody is wanted.
    let shown = browser.get(&page).good();
    let slots = |page: &Answer| page.text().matches("name=\"slot\"").count();
    assert_eq!((slots(&shown), slots(&browser.get(&all).good())), (4, 8));
    assert!(!shown.text().contains("Late Lou") && shown.text().contains("All 5 who have entered"), "{shown}");
    let draw = |page: &Answer, slots: &[&str], more: &[(&str, &str)]| {
        let slots = slots.iter().map(|slot| ("slot", *slot));
        press(&browser, page, "Draw by hand", &slots.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let refused = draw(&shown, &["anna", "Ot", "", " "], &[]);
    assert_eq!(refused.status, 422, "{refused}");
    for said in [
        "Several players have that name",
        "Both slots of this match are empty",
        "Still without a slot: Søren Ægir, Anna Bianchi and Anna Rossi",
        "value=\"anna\"",
        "Is Otto meant?",
        "value=\"Otto\"",
    ] {
        assert!(refused.text().contains(said), "{said}: {refused}");
    }
    let twice = draw(&refused, &["rossi", "Otto", "anna rossi", "<b>"], &[]);
    for said in ["Already in slot 1", "Nobody by that name is to be drawn", "value=\"&#60;b&#62;\""] {
        assert!(twice.text().contains(said), "{said}: {twice}");
    }
    let drawn = |number: u32| hall.get(&format!("/divisions/2/matches/{number}"))["slots"].clone();
    // A part of a name places nobody before it was seen whose it is.
    let asked = draw(&twice, &["rossi", "soren aeg", "OTTO", "bianci"], &[]);
    assert_eq!(asked.status, 422, "{asked}");
    let first = format!("/api/v1/tournaments/{}/divisions/2/matches/1", hall.id);
    hall.director.get(&first).refused(404, "not_found");
    for said in
        ["Is Anna Rossi meant?", "value=\"Anna Rossi\"", "Is Søren Ægir meant?", "value=\"Søren Ægir\""]
    {
        assert!(asked.text().contains(said), "{said}: {asked}");
    }
    assert!(!asked.text().contains("Is Otto meant?"), "{asked}");
    let otto = hall.director.get("/api/v1/players?search=Otto").good().body["items"][0]["id"].clone();
    let nickname = json!({"nickname": "The Fox"});
    hall.director.patch(&format!("/api/v1/players/{}", otto.as_str().unwrap()), &nickname).good();
    let whole = ["ANNA ROSSI", "Søren Ægir", "the fox", "Anna Bianchi"];
    leads_to(&draw(&asked, &whole, &[]), &hall.desk("/2/draw"));
    let who = |number: u32| [0, 1].map(|slot| drawn(number)[slot]["occupant"]["entry"].as_u64());
    assert_eq!((who(1), who(2)), ([Some(3), Some(1)], [Some(4), Some(2)]), "{}", drawn(1));
    // Lou was not here and waits. Drawn again, it needs a reason; what was typed survives the refusal.
    let again = browser.get(&all).good();
    assert!(again.text().contains("Why is it drawn again?"), "{again}");
    let typed = ["Late Lou", "", "Anna Rossi", "open", "Søren Ægir", "bye", "otto", "Anna Bianchi"];
    let without = draw(&again, &typed, &[("reason", "")]);
    assert!(without.status == 422 && without.text().contains("value=\"Late Lou\""), "{without}");
    leads_to(&draw(&without, &typed, &[("reason", "Lou came")]), &hall.desk("/2/draw"));
    let sits: Vec<_> = (1..=4).map(who).collect();
    assert_eq!(sits, [[Some(5), None], [Some(3), None], [Some(1), None], [Some(4), Some(2)]]);
    // A division that is not there, or has nobody to draw.
    assert_eq!(browser.get(&hall.desk("/9/draw/by-hand")).status, 404);
    hall.does(&json!({"command": "add_division", "settings": {"name": "Empty", "lengths": [3]}}));
    leads_to(&browser.get(&hall.desk("/3/draw/by-hand")), &hall.desk("/3/draw"));
}

/// Somebody at the door joins a side pool, pays and is here with one tap, which one undo takes back. A second
/// device that shows an older debt records nothing.
#[test]
fn paid_and_here_is_one_tap() {
    let fees = json!({"entry": 5_000, "registration": 1_000});
    let pools = json!([{"name": "Jackpot", "stake": 2_500}]);
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    hall.does(&json!({"command": "add_division", "settings": {"name": "Open", "lengths": [5], "fees": fees, "side_pools": pools}}));
    let entries: Vec<Value> = ["Elio", "Fia", "Gino"]
        .iter()
        .map(|name| json!({"player": hall.house.player(&hall.director, name)}))
        .collect();
    hall.does(&json!({"command": "enter", "division": 2, "entries": entries}));
    let (one, other) = (hall.browser(ADMIN.0, ADMIN.1), hall.browser(ADMIN.0, ADMIN.1));
    let list = hall.desk("/2/entries");
    let (page, stale) = (one.get(&list).good(), other.get(&list).good());
    for said in ["Due <b class=\"n\">180.00 EUR", "Open <b class=\"n\">180.00 EUR", "Jackpot, 25.00 EUR"] {
        assert!(page.text().contains(said), "{said}: {page}");
    }
    let version = || hall.get("")["version"].as_i64().unwrap();
    let pay = "Elio: Paid 60.00 EUR and here";
    for _ in 0..2 {
        leads_to(&press(&one, &page, pay, &[("pools[e1][]:number", "0")]), &list);
    }
    let entry = |number: u32| hall.get(&format!("/divisions/2/entries/{number}"));
    let elio = entry(1);
    assert_eq!((&elio["checked_in"], &elio["side_pools"]), (&json!(true), &json!([0])), "{elio}");
    let owed = || -> Vec<i64> {
        let accounts = hall.get("/accounts");
        accounts["items"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|one| one["amount"].as_i64())
            .filter(|sum| *sum < 0)
            .collect()
    };
    assert_eq!(owed(), [-6_000, -6_000]);
    let after = version();
    let late = press(&other, &stale, pay, &[("pools[e1][]:number", "0")]);
    assert_eq!(late.status, 422, "{late}");
    assert!(late.text().contains("What is owed has changed"), "{late}");
    assert_eq!(version(), after, "nothing was recorded twice");
    let page = one.get(&list).good();
    assert!(page.text().contains("Taken in <b class=\"n\">85.00 EUR"), "{page}");
    leads_to(&press(&one, &page, "Undo: Elio has paid 85.00 EUR and is here", &[]), &list);
    assert_eq!((owed().len(), entry(1)["checked_in"].clone()), (3, json!(false)));

    // A script does the same; without a payment it only checks in, and a second time there is nothing to do.
    let arrive = |number: u32, body: &Value| {
        hall.director
            .post(&format!("/api/v1/tournaments/{}/divisions/2/entries/{number}/arrival", hall.id), body)
    };
    let paid = arrive(2, &json!({"owed": 6_000})).good().body;
    let kinds: Vec<_> =
        paid["act"]["events"].as_array().unwrap().iter().map(|event| &event["event"]).collect();
    assert_eq!(json!(kinds), json!(["checked_in", "booked"]), "{paid}");
    for (number, body, code) in [
        (2, json!({}), "nothing_changes"),
        (2, json!({"owed": 6_000}), "debt_changed"),
        (2, json!({"owed": 0}), "nothing_changes"),
        (3, json!({"owed": 5_999}), "debt_changed"),
        (3, json!({"side_pools": [1]}), "no_such_side_pool"),
        (9, json!({}), "not_found"),
    ] {
        let refused = arrive(number, &body);
        assert_eq!(refused.body["code"], code, "{number} {body}: {refused}");
    }
    arrive(3, &json!({})).good();
    assert_eq!(owed(), [-6_000, -6_000], "Elio's payment was undone, and Gino has not paid");
    let owing = one.get(&format!("{list}?show=owing")).good();
    assert!(owing.text().contains("Gino: Paid 60.00 EUR\"") && !owing.text().contains(">Fia<"), "{owing}");
    // A scorer takes money, but puts nobody into a side pool.
    let (scorer, _) = hall.somebody("scorer");
    let seen = scorer.get(&list).good();
    assert!(seen.text().contains("Elio: Paid 60.00 EUR and here"), "{seen}");
    assert!(!seen.text().contains("name=\"pools["), "{seen}");
    let token = csrf(&seen);
    let arrives = [
        ("csrf", token.as_str()),
        ("command", "arrive"),
        ("division:number", "2"),
        ("entry:number", "3"),
        ("arrival[owed]:number", "6000"),
        ("arrival[side_pools]:list", ""),
        ("pools[e3][]:number", "0"),
    ];
    let act = format!("/tournaments/{}/act", hall.id);
    assert_eq!(scorer.request("POST", &act).form(&arrives).send().status, 403);
    assert_eq!(entry(3)["side_pools"], json!([]), "and nothing was recorded");

    // An entry that waits for a slot after the draw may still join a side pool; one that was drawn may not.
    hall.does(&json!({"command": "check_in", "division": 2, "entries": [1]}));
    hall.does(&json!({"command": "check_in", "division": 2, "entries": [3], "here": false}));
    hall.does(&json!({"command": "draw", "division": 2, "only_checked_in": true}));
    arrive(3, &json!({"side_pools": [0], "owed": 6_000})).good();
    let drawn = arrive(1, &json!({"side_pools": [0], "owed": 6_000}));
    assert_eq!(drawn.body["code"], "already_drawn", "{drawn}");
    verified(&hall.house);
}

/// A list that is too long for one page is on several; the search is over all of them, and an act stays on
/// its page.
#[test]
fn a_long_list_is_on_pages() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "add_division", "settings": {"name": "Open", "lengths": [5]}}));
    let names: Vec<String> = (1..=605).map(|number| format!("Player {number:03}")).collect();
    let list = hall.desk("/2/entries");
    let page = browser.get(&list).good();
    press(&browser, &page, "Enter", &[("names", ""), ("names", &names.join("\n"))]);
    let shown = |query: &str| {
        let page = browser.get(&format!("{list}{query}")).good();
        let link = |rel: &str| {
            let (_, link) = page.text().split_once(&format!("rel=\"{rel}\" "))?;
            attribute(&format!(" {}", link.split('>').next().unwrap()), "href")
        };
        let rows = page.text().matches("<tr class=\"entry\"").count();
        (rows, link("prev"), link("next"), page)
    };
    let at = |query: &str| Some(format!("{list}{query}"));
    let (rows, previous, next, page) = shown("");
    assert_eq!((rows, previous, next), (300, None, at("?page=2")));
    assert!(page.text().contains("1–300 of 605"), "{page}");
    let (rows, previous, next, middle) = shown("?page=2");
    assert_eq!((rows, previous, next), (300, at(""), at("?page=3")));
    assert!(middle.text().contains("Player 301") && !middle.text().contains("Player 300"), "{middle}");
    let (rows, previous, next, last) = shown("?page=3");
    assert_eq!((rows, previous, next), (5, at("?page=2"), None));
    assert!(last.text().contains("601–605 of 605"), "{last}");
    assert_eq!(shown("?page=99").0, 5, "there are no more");
    assert_eq!((shown("?page=0").0, shown("?page=x").0), (300, 300));
    let (rows, previous, next, _) = shown("?find=Player+60&page=2");
    assert_eq!((rows, previous, next), (6, None, None));
    let sorted = shown("?sort=number&order=desc&page=2");
    assert_eq!(sorted.2, at("?sort=number&order=desc&page=3"));
    leads_to(&press(&browser, &last, "Player 603 is here", &[]), &format!("{list}?page=3"));
    assert_eq!(hall.get("/divisions/2/entries/603")["checked_in"], json!(true));
}
