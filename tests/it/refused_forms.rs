//! Forms that are refused, without scripts and with them: what was typed is still there, and what is wrong
//! stands beside its field.

use serde_json::{Value, json};

use crate::match_pages::{browser, post, says};
use crate::matches::Match;
use crate::support::browser::Browser;
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};

/// The tag of the field that is marked, and what is said beside it.
#[track_caller]
pub fn marked(answer: &Answer) -> (String, String) {
    let page = answer.text();
    assert_eq!(page.matches("id=\"wrong-field\"").count(), 1, "one field is marked: {answer}");
    let (before, said) = page.split_once("<span class=\"wrong\" id=\"wrong-field\">").unwrap();
    let tag = before.rsplit("aria-invalid=\"true\" aria-describedby=\"wrong-field\"").nth(1).unwrap();
    let tag = tag.rsplit('<').next().unwrap();
    (tag.to_owned(), said.split("</span>").next().unwrap().replace("&#39;", "'"))
}

/// Checks that a form was refused for the field of this id, which still holds what was typed, and says this
/// beside it.
#[track_caller]
pub fn is_marked(answer: &Answer, id: &str, typed: &str, said: &str) {
    assert!((400..500).contains(&answer.status), "{answer}");
    let (tag, why) = marked(answer);
    assert!(tag.contains(&format!(" id=\"{id}\"")), "{id}: {tag}");
    assert!(tag.contains(&format!(" value=\"{typed}\"")), "{typed}: {tag}");
    assert_eq!(why, said);
}

const NEEDED: &str = "Please fill this in.";

#[test]
fn a_wrong_field_on_a_sheet_is_marked_and_keeps_what_was_typed() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let terms = json!({"play": "match", "length": 7});
    let clock = json!({"reserve_a_point": 120, "delay": 12});
    let one = Match::open_with(&house, &json!({"terms": terms, "clock": clock}));
    let at = browser(&house);
    let (sheet, act) = (format!("/matches/{}", one.id), format!("/matches/{}/act", one.id));
    let version = || one.client.get(&one.path("")).good().body["version"].clone();
    let before = version();
    let penalty = |points: &str| {
        post(&at, &act, &[("command", "penalty"), ("gains", "lower"), ("points:number", points)])
    };
    let number = "Enter a whole number from 1 to 255.";
    for typed in ["many", "70000", "-1", "1.5"] {
        let refused = penalty(typed);
        is_marked(&refused, "points-1", typed, number);
        says(&refused, 400, "Nothing was recorded: something in the form is missing or cannot be read.");
        says(&refused, 400, "<details class=\"plainly further\" id=\"further\" open>");
    }
    is_marked(&penalty(""), "points-1", "", NEEDED);
    // A refusal of the rules stands beside its field as well.
    let none = penalty("0");
    assert_eq!((none.status, marked(&none).0.contains("id=\"points-1\"")), (422, true), "{none}");

    let stated = |score: [&str; 2]| {
        post(&at, &act, &[("command", "final"), ("score[0]:number", score[0]), ("score[1]:number", score[1])])
    };
    is_marked(&stated(["7", ""]), "final-lower", "", NEEDED);
    let refused = stated(["", "7"]);
    is_marked(&refused, "final-upper", "", NEEDED);
    assert!(refused.text().contains("max=\"7\" required value=\"7\">"), "the other is kept: {refused}");
    is_marked(&stated(["7", "x"]), "final-lower", "x", "Enter a whole number from 0 to 7.");

    let page = at.0.get(&sheet).good();
    let form = page.text().split("<form ").find(|form| form.contains("id=\"clock-upper\"")).expect("a form");
    let hidden = form.split("<input type=\"hidden\" name=\"").skip(1).map(|input| {
        let (name, value) = input.split_once("\" value=\"").unwrap();
        (name, value.split('"').next().unwrap())
    });
    let mut clock: Vec<(&str, &str)> = hidden.filter(|(name, _)| *name != "csrf").collect();
    clock.extend([("left[0]", "9:30"), ("left[1]", "soon"), ("clock[delay]:number", "8")]);
    let refused = post(&at, &act, &clock);
    is_marked(&refused, "clock-lower", "soon", "Enter a time in minutes, like 9 or 9:30.");
    assert!(refused.text().contains("value=\"9:30\""), "the other is kept: {refused}");
    assert_eq!(version(), before, "nothing was recorded");

    // In the reader's language, and where the form's address is loaded again the sheet is shown.
    let german = at.0.request("POST", &act).header("accept-language", "de").form(&[
        ("csrf", at.1.as_str()),
        ("command", "penalty"),
        ("gains", "upper"),
        ("points:number", "viele"),
    ]);
    is_marked(&german.send(), "points-2", "viele", "Eine ganze Zahl von 1 bis 255.");
    assert_eq!(at.0.get(&act).header("location"), Some(sheet.as_str()));
}

#[test]
fn the_address_of_a_form_leads_to_its_page() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table(&["Ada", "Bob", "Kim"]);
    let (client, _) = browser(&house);
    for (form, page) in [
        (format!("/chouettes/{}/act", table.id), format!("/chouettes/{}", table.id)),
        ("/account/password".to_owned(), "/account".to_owned()),
        (format!("/players/{}/remove", table.players["Ada"]), format!("/players/{}", table.players["Ada"])),
        ("/language".to_owned(), "/".to_owned()),
        ("/theme".to_owned(), "/".to_owned()),
    ] {
        let answer = client.get(&form);
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(page.as_str())),
            "{form}: {answer}"
        );
    }
    for nothing in ["/act", "/chouettes/act", "/players/nobody", "/nothing/at/all"] {
        assert_eq!(client.get(nothing).status, 404, "{nothing}");
    }
}

/// Rolls for the order, and dice on a board that is rolled at the table as well as here.
#[test]
fn dice_that_are_missing_or_none_are_asked_for_again() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table(&["Ada", "Lou"]);
    let at = browser(&house);
    let act = format!("/chouettes/{}/act", table.id);
    let kim = house.player(&table.client, "Kim");
    table.command(&json!({"command": "join", "player": kim})).good();
    let page = at.0.get(&format!("/chouettes/{}", table.id)).good();
    let due: Vec<&str> =
        page.text().split("id=\"roll-").skip(1).map(|part| part.split("-1\"").next().unwrap()).collect();
    assert_eq!(due.len(), 3, "{page}");
    let rolls = |dice: [&str; 3]| {
        let mut fields = vec![("command".to_owned(), "enter_rolls".to_owned())];
        for (place, die) in dice.iter().enumerate() {
            fields.push((format!("rolls[{place}][player]"), due[place].to_owned()));
            fields.push((format!("rolls[{place}][dice][0]:number"), (*die).to_owned()));
        }
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        post(&at, &act, &fields)
    };
    let refused = rolls(["6", "5", "7"]);
    is_marked(&refused, &format!("roll-{}-1", due[2]), "7", "Enter a whole number from 1 to 6.");
    assert!(refused.text().contains("id=\"enter-rolls\" open"), "{refused}");
    is_marked(&rolls(["6", "", "4"]), &format!("roll-{}-1", due[1]), "", NEEDED);
    assert_eq!(rolls(["6", "5", "4"]).status, 303);

    let one = Match::open(&house, &json!({"play": "match", "length": 5}));
    one.play(&[json!({"command": "start_board", "dice": "entered"})]);
    let act = format!("/matches/{}/act", one.id);
    let none = [
        ("command", "board"),
        ("by", "upper"),
        ("action[action]", "roll_opening"),
        ("action[dice]:object", ""),
    ];
    let refused = post(&at, &act, &none);
    says(&refused, 400, "Nothing was recorded: something in the form is missing or cannot be read.");
    let state: Value = one.client.get(&one.path("")).good().body;
    assert_eq!(state["version"], 2, "nothing was rolled: {state}");
}

/// With scripts the page stays where it is, the field is marked and has the focus, and what another does
/// meanwhile takes the mark away but not what was typed.
#[test]
fn with_scripts_the_field_that_is_wrong_has_the_focus() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let Some(browser) = Browser::phone() else { return };
    let one = Match::open(&house, &json!({"play": "match", "length": 7}));
    let phone = Phone::signed_in(browser, &house, ADMIN);
    phone.goto(&format!("/matches/{}", one.id));
    phone.open("#further");
    // As a browser would send it that does not check fields itself.
    phone.browser.run("document.querySelectorAll('form').forEach((form) => { form.noValidate = true })");
    phone.fill("points-1", "300000");
    phone.browser.run("document.querySelector('#points-1').form.requestSubmit()");
    phone.sees("#wrong-field", "Enter a whole number from 1 to 255.");
    let field = "const field = document.activeElement; return [field.id, field.value, field.ariaInvalid]";
    assert_eq!(phone.browser.run(field), json!(["points-1", "300000", "true"]));
    phone.sees("#table-notice", "Nothing was recorded");
    phone.fits();
    one.play(&[json!({"command": "game", "winner": "upper", "win": "single", "cube": 1})]);
    phone.browser.wait_until_gone("#wrong-field");
    assert_eq!(phone.browser.run("return document.querySelector('#points-1').value"), "300000");
    let client: &Client = &one.client;
    assert_eq!(client.get(&one.path("")).good().body["score"], json!([1, 0]));
}
