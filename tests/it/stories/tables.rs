//! Tables split and merged, and one player who had been entered twice.

use serde_json::json;

use super::{ends_game, records};
use crate::support::evening::{Evening, line_up};
use crate::support::house::Table;

/// Three players leave for a new table, and those of another table come instead. All three pages show it.
/// Door: rooms.
#[test]
fn one_table_is_split_and_another_goes_over_to_it_while_three_phones_look_on() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max", "Ida", "Noor"]) else { return };
    let (Some(ada), Some(noor)) = (evening.phone_of("Ada"), evening.phone_of("Noor")) else { return };
    let (phone, client) = (&evening.phone, &evening.table.client);
    let names = ["Bo", "Cy", "Dee"];
    let players = names.iter().map(|name| ((*name).to_owned(), evening.house.player(client, name))).collect();
    let opened = client
        .post("/api/v1/chouettes", &json!({"name": "Bar table", "stake": {"amount": 500, "currency": "EUR"}}))
        .good();
    let id = opened.body["chouette"]["id"].as_str().unwrap().to_owned();
    let bar = Table { client: client.clone(), id, players };
    for name in names {
        bar.command(&json!({"command": "join", "player": name})).good();
    }
    line_up(&bar, &names);

    phone.tap("Split the table …");
    phone.fits();
    phone.fill("name", "Corner table");
    for name in ["Max", "Ida", "Noor"] {
        let tick = format!("input[name=players][value='{}']", evening.table.players[name]);
        if phone.browser.run(&format!("return document.querySelector({tick:?}).checked")) != json!(true) {
            phone.click(&tick);
        }
    }
    records(phone, "Max, Ida and Noor go to Corner table");
    ada.logs("Max, Ida and Noor leave for a table of their own");
    assert_eq!(ada.line(), ["Ada", "Kim", "Lou"]);
    phone.sees(".ways", "Corner table");
    phone.click(".ways a");
    phone.sees("h1", "Corner table");
    assert_eq!(phone.line(), ["Max", "Ida", "Noor"]);
    noor.goto("/");
    noor.click(".tile.mine");
    noor.sees("#now", "Who is playing?");
    phone.tap("Draw the order by dice");
    noor.sees("#log", "Order: ");

    phone.goto(&bar.page(""));
    phone.tap("Move to another table …");
    phone.sees(".whole", "Corner table");
    phone.tap("Friday table");
    records(phone, "Everybody moves to Friday table");
    phone.sees("h1", "Friday table");
    ada.sees("#now", "Ada is box, Kim captain");
    ada.sees(".play .board > li:nth-child(6)", "Dee");
    assert_eq!(
        ada.line(),
        ["Ada", "Kim", "Lou", "Bo", "Cy", "Dee"],
        "at the end of the line, in their order"
    );
    noor.goto(&bar.page(""));
    noor.sees("#now", "This table is closed for the night");
    noor.fits();
    phone.act("Game 1 starts");
    evening.ends_well();
}

/// A player entered a second time as a guest again has one score, one account and one name.
/// Door: rooms.
#[test]
fn somebody_entered_twice_is_one_again_on_every_phone() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let Some(lou) = evening.phone_of("Lou") else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    ends_game(phone, "box", "single game");
    phone.act("Lou leaves");
    phone.open("#joining");
    phone.fill("join-guest", "Luise");
    phone.click("form.joining:has(#join-guest) button");
    phone.logs("Luise joins");
    phone.act("Game 2 starts");
    ends_game(phone, "box", "gammon");

    phone.tap("Merge duplicate players …");
    phone.tap("Show what it does");
    phone.sees("#duplicate-wrong", "Please choose.");
    let option = |name: &str| {
        let found = phone.browser.run(&format!(
            "return [...document.querySelectorAll('#duplicate option')].find((one) => one.textContent === {name:?}).value"
        ));
        found.as_str().unwrap().to_owned()
    };
    let (twice, once) = (option("Luise"), option("Lou"));
    phone.choose("duplicate", &twice);
    phone.choose("player", &once);
    records(phone, "Luise was Lou all along");
    phone.logs("Luise was Lou, entered twice");
    lou.logs("Luise was Lou, entered twice");
    lou.fits();
    // A player whose joining was undone was never at the table, but still has a name in the log.
    phone.open("#joining");
    phone.fill("join-guest", "Bo");
    phone.click("form.joining:has(#join-guest) button");
    phone.logs("Bo joins");
    phone.tap("Undo: Bo joins");
    lou.logs("Undone: Bo joins");
    let standings = lou.texts("[id^=standing-]");
    assert!(standings.len() == 4 && !standings.concat().contains("Luise"), "{standings:?}");
    assert_eq!(["Ada", "Kim", "Lou", "Max"].map(|name| evening.score(name)), [12, -4, -4, -4]);
    assert!(lou.line().contains(&"Lou".to_owned()), "{:?}", lou.line());
    lou.goto(&format!("/ledger/{once}"));
    lou.sees(".standing", "-2");
    phone.goto(&format!("/ledger/{twice}"));
    evening.ends_well();
}

/// A club plays at the same table for the same stake week after week: its next table begins with what the
/// last one was, and what was played is found again, night by night, also in the players' ledgers.
#[test]
fn a_new_table_begins_as_the_last_one_was_and_past_nights_are_found_again() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    ends_game(phone, "box", "gammon");
    let typed = || {
        ["name", "amount", "currency"].map(|field| {
            let value = phone.browser.run(&format!("return document.getElementById({field:?}).value"));
            value.as_str().unwrap().to_owned()
        })
    };
    phone.goto("/");
    assert_eq!(typed(), ["", "5", "EUR"], "a table of that name is open");
    assert_eq!(phone.browser.count("#past-nights"), 0, "nothing is over yet");
    evening.command(&json!({"command": "close"}));
    phone.goto("/");
    assert_eq!(typed(), ["Friday table", "5", "EUR"]);
    phone.fits();
    phone.tap("Past nights");
    phone.sees("h1", "Past nights");
    phone.sees(".nights .card .row", "Friday table");
    phone.sees(".nights .card .row .right", "Ada +2");
    phone.fits();
    phone.click(".nights .card a[href*=settle-up]");
    phone.sees("h1", "The whole night");
    phone.goto(&format!("/ledger/{}", evening.table.players["Ada"]));
    let night = evening.table.state()["night"].as_str().unwrap().to_owned();
    let [year, _, day] = night.split('-').collect::<Vec<_>>()[..] else { panic!("{night}") };
    let headed = phone.texts(".book .night th");
    assert_eq!(headed.len(), 1, "one night: {headed:?}");
    assert!(headed[0].contains(year) && headed[0].contains(day.trim_start_matches('0')), "{headed:?}");
    assert_eq!(phone.texts(".course-days time").len(), 2, "the curve says from when to when");
    phone.fits();
    evening.ends_well();
}
