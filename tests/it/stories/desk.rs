//! The pages of the director's desk on a phone, on paper and inside another site's page.

use serde_json::{Value, json};

use super::tournaments::Hall;
use crate::support::browser::Browser;
use crate::tournament_pages::another_site;

/// Three of the four entries owe their fee, and two have not checked in. In both lists rows slide up when one
/// is done.
fn hall() -> Option<Hall> {
    let settings = json!({"lengths": [5], "fees": {"entry": 1000}});
    Hall::with(Browser::phone(), &["Ada", "Bea", "Cleo", "Dino"], &settings)
}

/// Rows slide up when the one above is done. A second tap at the same place a moment later was meant for the
/// old row: it pays, checks in or undoes nothing.
#[test]
fn a_second_tap_does_not_hit_the_row_that_slid_under_the_finger() {
    let Some(hall) = hall() else { return };
    let phone = &hall.phone;
    let version = || hall.get("")["version"].as_i64().unwrap();
    let twice = |button: &str, done: &str, says: &str| {
        let (before, place) = (version(), phone.browser.middle_of(button));
        phone.browser.tap_at(place);
        phone.sees(done, says);
        phone.browser.tap_at(place);
        std::thread::sleep(std::time::Duration::from_millis(400));
        // That tap was held back by the page; the next one must not be.
        phone.browser.run("delete document.documentElement.dataset.held");
        assert_eq!(version(), before + 1, "one act for two taps on {button}");
        phone.sees(done, says);
    };
    hall.goto("/money");
    twice(".accounts .row:first-child button", "#undo-bar", "Undo: Ada has paid 10.00 EUR");
    hall.goto("/1/entries?show=missing");
    twice(".entry:first-child button", "#undo-bar", "Undo: Ada is here");
    // Two acts can be undone, but a double tap undoes only the last.
    hall.goto("/1/entries");
    twice("#undo-bar button", "#undo-bar", "Undo: Ada has paid 10.00 EUR");
    // After the finger has left, the same place takes the next tap.
    std::thread::sleep(std::time::Duration::from_millis(800));
    phone.tap("Undo: Ada has paid 10.00 EUR");
    phone.sees("#undo-bar", "Redo: Ada has paid 10.00 EUR");
    hall.ends_well();
}

/// Typing above the list filters it at once, and hides buttons that would act on the rows filtered out. A
/// reopened tab shows the same confirmation. The reason for a refusal appears near the finger.
#[test]
fn the_desk_under_a_finger_does_what_it_shows() {
    let Some(hall) = hall() else { return };
    let phone = &hall.phone;
    hall.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
    let find = |text: &str| {
        phone.browser.run(&format!(
            "const field = document.getElementById('find'); field.value = {text:?};
             field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        ));
    };
    let entries = "/1/entries";
    hall.director
        .patch(&format!("/api/v1/players/{}", hall.players["Dino"]), &json!({"name": "Søren Ægir"}))
        .good();
    hall.goto(entries);
    assert!(phone.offers("Check in all 4"));
    find("soren aeg");
    assert_eq!(phone.texts(".entry:not([hidden]) .entry-who"), ["Søren Ægir"]);
    assert_eq!(phone.browser.count("[data-for-all][hidden]"), 1, "nothing for those who are not seen");
    find("");
    assert_eq!(phone.browser.count("[data-for-all][hidden]"), 0);

    // The tab goes to the background and returns.
    hall.goto("/1/entries/2?leave=now");
    phone.sees("#confirm-title", "Bea leaves now");
    phone.browser.run("document.dispatchEvent(new Event('visibilitychange'))");
    std::thread::sleep(std::time::Duration::from_millis(500));
    phone.sees("#confirm-title", "Bea leaves now");
    phone.fits();

    hall.does(&json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [5, 0]}}));
    hall.does(&json!({"command": "result", "match": 2, "ended": {"ending": "played", "score": [5, 0]}}));
    hall.does(&json!({"command": "result", "match": 3, "ended": {"ending": "played", "score": [5, 0]}}));
    hall.goto("/money");
    phone.open(".pool details:has([name^=awards])");
    let field = format!("award-1-{}", hall.players["Ada"]);
    phone.fill(&field, "1");
    phone.click(".pool details[open] button.plain");
    phone.sees("#table-notice", "40.00 EUR");
    let seen = "const box = document.getElementById('table-notice').getBoundingClientRect();
                return box.top >= 0 && box.bottom <= innerHeight && scrollY > 0";
    assert_eq!(phone.browser.run(seen), json!(true), "why stands where the finger is");
    let typed = format!("return document.getElementById({field:?}).value");
    assert_eq!(phone.browser.run(&typed), json!("1"), "what was typed stays");
    hall.pictures(phone, "award-refused-phone");
    hall.ends_well();
}

/// Another site may embed the bracket in a part that unfolds later: it is laid out once there is room.
#[test]
fn an_embedded_bracket_is_laid_out_when_what_holds_it_is_shown() {
    let Some(hall) = Hall::eight(Browser::laptop(), &json!({"lengths": [5]})) else { return };
    let phone = &hall.phone;
    let about = json!({"name": "Spring Open", "date": "2026-11-20", "currency": "EUR", "public": true});
    hall.does(&json!({"command": "change", "about": about}));
    let elsewhere = another_site(&format!("{}/tournaments/{}/1/embed", hall.house.server.url(), hall.id));
    phone.browser.goto(&elsewhere);
    let shows = |display: &str| {
        phone.browser.run(&format!(
            "const frame = document.querySelector('iframe'); frame.style.display = {display:?};
             if ({display:?} === 'none') frame.src = frame.src"
        ));
        std::thread::sleep(std::time::Duration::from_millis(1_000));
    };
    shows("none");
    shows("block");
    assert!(phone.browser.shows_in_frame(".round"), "it is drawn");
    assert!(!phone.browser.shows_in_frame(".round.past"), "and none of its rounds folded away");
    hall.ends_well();
}

/// On paper a page is filled and no bar of buttons covers it. On a phone no page is wider than the screen.
#[test]
fn entries_and_places_fill_their_paper_and_no_page_is_wider_than_a_phone() {
    let names: Vec<String> = (1..=64).map(|number| format!("Player {number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Some(hall) = Hall::with(Browser::phone(), &names, &json!({"lengths": [5]})) else { return };
    let phone = &hall.phone;
    let slots: Vec<u32> = (1..=64).collect();
    hall.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
    let sheets = || {
        let paper = phone.browser.print();
        String::from_utf8_lossy(&paper).matches("/Type /Page\n").count()
    };
    for (page, most) in [("entries", 2), ("places", 2)] {
        phone.goto(&format!("/tournaments/{}/1/{page}", hall.id));
        phone.fits();
        let printed = sheets();
        assert!((1..=most).contains(&printed), "{page} of 64 on {printed} sheets");
    }
    phone.goto(&format!("/tournaments/{}/1", hall.id));
    phone.browser.wait_for("#draw .match");
    phone.fits();
    hall.goto("/money");
    phone.browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true })");
    let floats = "return getComputedStyle(document.getElementById('undo-bar')).position";
    assert_eq!(phone.browser.run(floats), Value::from("static"), "nothing lies over what is filled in");
    hall.ends_well();
}

/// Entries and places are tables: sorted by a tap on a heading or with the keyboard, narrowed while one
/// types, and printed whole with their headings on every sheet and nothing to press.
#[test]
fn entries_and_places_are_sorted_narrowed_and_printed() {
    let settings = json!({"lengths": [5], "fees": {"entry": 1000}});
    let names = ["Élodie", "Ada", "Bea", "Dino"];
    let Some(hall) = Hall::with(Browser::laptop(), &names, &settings) else { return };
    let phone = &hall.phone;
    hall.does(&json!({"command": "seed", "entries": [4, 2]}));
    let shown = || phone.texts(".sorted tbody tr:not([hidden]) th");
    let sorted = |label: &str| {
        phone.tap(label);
        phone.browser.wait_for(".sorted [aria-sort$=ending]");
    };
    for page in
        [format!("/tournaments/{}/1/entries", hall.id), format!("/tournaments/{}/desk/1/entries", hall.id)]
    {
        phone.goto(&page);
        assert_eq!(shown(), ["Ada", "Bea", "Dino", "Élodie"], "{page}");
        sorted("Seed");
        assert_eq!(shown(), ["Dino", "Ada", "Bea", "Élodie"], "{page}");
        assert_eq!(phone.texts("[aria-sort=ascending]"), ["Seed"]);
        sorted("Seed");
        assert_eq!(shown(), ["Ada", "Dino", "Bea", "Élodie"], "{page}: who has no seed stays last");
        assert_eq!(phone.texts("[aria-sort=descending]"), ["Seed"]);
        phone.browser.run("document.querySelector('th.col-number a').focus()");
        phone.browser.type_keys("\u{E007}");
        phone.browser.wait_for("[aria-sort=ascending].col-number");
        assert_eq!(shown(), names, "{page}");
        let field = if page.contains("desk") { "find" } else { "q" };
        phone.fill(field, "elo");
        assert_eq!(shown(), ["Élodie"], "{page}");

        phone.browser.on_paper(true);
        let on_paper = |css: &str| {
            let display = format!("return getComputedStyle(document.querySelector({css:?})).display");
            phone.browser.run(&display).as_str().unwrap_or_default().to_owned()
        };
        assert_eq!(on_paper(".sorted thead"), "table-header-group", "{page}: on every sheet");
        assert_eq!(on_paper(".sorted tbody tr"), "table-row", "{page}");
        let pressed = "return [...document.querySelectorAll('button, input, select, nav, summary')]
            .filter((thing) => thing.checkVisibility()).map((thing) => thing.outerHTML)";
        assert_eq!(phone.browser.run(pressed), json!([]), "{page}");
        phone.sees("main > .paper, .desk-entries > .paper", "Spring Open · Fri 20 Nov 2026");
        phone.browser.on_paper(false);
    }
    let slots = [1, 2, 3, 4];
    hall.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
    for number in 1..=3 {
        hall.does(
            &json!({"command": "result", "match": number, "ended": {"ending": "played", "score": [5, 0]}}),
        );
    }
    phone.goto(&format!("/tournaments/{}/1/places", hall.id));
    assert_eq!(shown(), ["Élodie", "Bea", "Ada", "Dino"]);
    sorted("Name");
    assert_eq!(shown(), ["Ada", "Bea", "Dino", "Élodie"]);
    sorted("Prize");
    assert_eq!(phone.texts(".sorted td.col-prize")[0], "27.00 EUR", "the largest first");
    phone.fill("q", "ada");
    assert_eq!(shown(), ["Ada"]);
    hall.ends_well();
}

/// On a phone an entry is a line: its name, its state and the likeliest act. So a list of 96 is read with the
/// thumb, and is small.
#[test]
fn ninety_six_entries_are_a_short_list_on_a_phone() {
    let names: Vec<String> = (1..=96).map(|number| format!("Player {number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let settings = json!({"lengths": [5], "fees": {"entry": 6_000}});
    let Some(hall) = Hall::with(Browser::phone(), &names, &settings) else { return };
    let phone = &hall.phone;
    hall.goto("/1/entries");
    phone.fits();
    let tallest =
        "return Math.max(...[...document.querySelectorAll('.entry')].map((line) => line.offsetHeight))";
    let tallest = phone.browser.run(tallest).as_f64().unwrap();
    assert!(tallest <= 64.0, "a line is {tallest} pixels high");
    let bytes = phone.browser.run("return performance.getEntriesByType('navigation')[0].encodedBodySize");
    let bytes = bytes.as_u64().unwrap();
    assert!(bytes > 0 && bytes < 16_000, "{bytes} bytes on the wire");
    hall.pictures(phone, "entries-96-phone");
    hall.ends_well();
}

/// Names are tapped into the slots in the order in which they are drawn, or dragged, or typed in part. Nobody
/// has to scroll through lists of names.
#[test]
fn a_draw_by_hand_is_tapped_dragged_and_typed() {
    let names = ["Ada", "Bea", "Cleo", "Dino", "Élodie"];
    let Some(hall) = Hall::with(Browser::phone(), &names, &json!({"lengths": [5]})) else { return };
    let phone = &hall.phone;
    hall.goto("/1/draw");
    phone.tap("Draw by hand …");
    phone.sees("[data-pool] h3", "To place 5");
    for name in ["Dino", "Ada"] {
        phone.tap(name);
    }
    let slots = || {
        phone
            .browser
            .run("return [...document.querySelectorAll('input[name=slot]')].map((slot) => slot.value)")
    };
    assert_eq!(slots(), json!(["Dino", "Ada", "", "", "", "", "", ""]));
    hall.pictures(phone, "draw-by-hand-phone");
    // A part of a name is enough; the return key goes on to the next slot and draws nothing.
    phone.click("#slot-3");
    phone.browser.type_keys("elo\u{E007}");
    phone.browser.type_keys("cle\u{E007}");
    assert_eq!(slots(), json!(["Dino", "Ada", "Élodie", "Cleo", "", "", "", ""]));
    phone.sees("[data-pool] h3", "To place 1");
    // Who is dragged onto another changes places with them; from the list, they take the slot.
    let drag = |from: &str, to: &str| {
        phone.browser.run(&format!(
            "const dataTransfer = new DataTransfer();
             const fire = (kind, at) => at.dispatchEvent(new DragEvent(kind, {{ bubbles: true, cancelable: true, dataTransfer }}));
             const [from, to] = [document.querySelector({from:?}), document.querySelector({to:?})];
             fire('dragstart', from); fire('dragover', to); fire('drop', to); fire('dragend', from)"
        ));
    };
    drag("label[for=slot-1]", "#slot-4");
    assert_eq!(slots(), json!(["Cleo", "Ada", "Élodie", "Dino", "", "", "", ""]));
    drag("[data-pool] button", "#slot-7");
    assert_eq!(slots(), json!(["Cleo", "Ada", "Élodie", "Dino", "", "", "Bea", ""]));
    phone.sees("[data-pool] h3", "To place 0");
    phone.fits();
    // Two empty slots make no match: the page says where, and keeps the names.
    phone.click(".hand-end .main");
    phone.sees("#wrong-5", "Both slots of this match are empty");
    assert_eq!(slots(), json!(["Cleo", "Ada", "Élodie", "Dino", "", "", "Bea", ""]));
    drag("label[for=slot-2]", "#slot-5");
    phone.click(".hand-end .main");
    phone.sees("#draw-state", "The draw is made.");
    phone.sees("#undo-bar", "Undo: ");
    hall.ends_well();
}

/// A name is found on any keyboard while it is typed, before anything is sent.
#[test]
fn a_name_is_found_on_any_keyboard_while_it_is_typed() {
    let names = ["Seán O’Brien", "Jean-Luc Picard", "J. R. Smith", "Jürgen Müller"];
    let Some(hall) = Hall::with(Browser::phone(), &names, &json!({"lengths": [5]})) else { return };
    let phone = &hall.phone;
    hall.goto("/1/entries");
    for (typed, found) in [
        ("sean o'brien", 0),
        ("OBRIEN", 0),
        ("jean luc", 1),
        ("JEANLUC", 1),
        ("jr smith", 2),
        ("mueller", 3),
        ("muller", 3),
    ] {
        phone.fill("find", typed);
        assert_eq!(phone.texts(".entry:not([hidden]) .entry-who"), [names[found]], "{typed}");
    }
    hall.goto("/1/draw/by-hand");
    phone.click("#slot-1");
    phone.browser.type_keys("o'brien\u{E007}");
    phone.browser.type_keys("jean luc\u{E007}");
    let slots = "return [...document.querySelectorAll('input[name=slot]')].map((slot) => slot.value)";
    assert_eq!(phone.browser.run(slots), json!([names[0], names[1], "", ""]));
    phone.sees("[data-pool] h3", "To place 2");
    hall.ends_well();
}

/// Only those play in a last chance who ask for it: they are found by name and ticked, and stay so whatever
/// happens at the tournament meanwhile.
#[test]
fn a_last_chance_is_ticked_one_by_one_while_the_tournament_goes_on() {
    let Some(hall) = Hall::eight(Browser::phone(), &json!({"lengths": [5]})) else { return };
    let phone = &hall.phone;
    let wins = |number: u32| {
        hall.does(
            &json!({"command": "result", "match": number, "ended": {"ending": "played", "score": [5, 0]}}),
        );
    };
    [1, 2, 3].into_iter().for_each(wins);
    hall.goto("/1/draw");
    phone.open("#last-chance");
    let ticked = || phone.texts(".last-chance-player:has(input:checked)");
    assert_eq!(ticked(), [""; 0], "nobody is ticked");
    let names = phone.texts(".last-chance-player");
    assert_eq!(names.len(), 3, "{names:?}");
    for name in &names[1..] {
        phone.fill("find-last-chance", name);
        assert_eq!(phone.texts(".last-chance-player:not([hidden])"), [name.as_str()]);
        phone.click(".last-chance-player:not([hidden]) span");
    }
    assert_eq!(ticked(), names[1..]);
    phone.sees("[data-counted]", "Chosen 2");
    wins(4);
    phone
        .browser
        .wait_until("the loser of match 4 to be offered", || phone.browser.count(".last-chance-player") == 4);
    assert_eq!(ticked(), names[1..], "nothing is ticked for somebody else");
    phone.sees("[data-counted]", "Chosen 2");
    hall.pictures(phone, "last-chance-phone");
    phone.click("#last-chance .main");
    phone.sees("#undo-bar", "last chance drawn");
    hall.ends_well();
}

/// The button at the door says the sum to take, with the stakes of the pools that were just ticked.
#[test]
fn the_sum_at_the_door_follows_the_pools_that_are_ticked() {
    let settings = json!({"lengths": [5], "fees": {"entry": 6_000}, "side_pools": [
        {"name": "Jackpot", "stake": 2_500}, {"name": "Small", "stake": 1_000}]});
    let Some(hall) = Hall::with(Browser::phone(), &["Ada", "Bea", "Cleo", "Dino"], &settings) else { return };
    let phone = &hall.phone;
    hall.goto("/1/entries");
    phone.sees("#e2 .arrival", "Paid 60.00 EUR");
    // What is rarer is behind a tap: the pools, and being here without paying.
    phone.open("#r2");
    phone.click("label:has(#pool-2-0)");
    phone.click("label:has(#pool-2-1)");
    phone.sees("#e2 .arrival", "Paid 95.00 EUR");
    phone.click("label:has(#pool-2-1)");
    phone.sees("#e2 .arrival", "Paid 85.00 EUR");
    let said = phone.browser.attribute("#e2 .arrival", "aria-label");
    assert_eq!(said.as_deref(), Some("Bea: Paid 85.00 EUR and here"));
    hall.pictures(phone, "door-phone");
    phone.fits();
    // What is ticked in another line is no part of it.
    phone.open("#r1");
    phone.click("label:has(#pool-1-0)");
    phone.click("#e2 .arrival");
    phone.sees("#undo-bar", "Undo: Bea has paid 85.00 EUR and is here");
    assert_eq!(phone.browser.count("#e2 .arrival"), 0, "nothing is left to pay");
    let joined = |entry: usize| hall.get("/divisions/1/entries")["items"][entry - 1]["side_pools"].clone();
    assert_eq!((joined(1), joined(2)), (json!([]), json!([0])), "nobody else has joined");
    // Two are tapped one after the other, faster than the page follows: both count.
    phone.browser.run(
        "for (const here of ['#e3', '#e4']) document.querySelector(`${here} [value*=check_in]`).click()",
    );
    phone.browser.wait_until("Cleo and Dino to be here", || phone.texts("#count") == ["3 of 4 are here"]);
    hall.ends_well();
}
