//! What is typed at the desk and cannot be read stays in its form, marked.

use serde_json::json;

use super::*;
use crate::refused_forms::is_marked;

#[test]
fn amounts_tables_and_scores_that_cannot_be_read_are_marked_in_their_forms() {
    let Some(hall) = Hall::open(&json!({"lengths": [11]})) else { return };
    let fees = json!({"entry": 5_000});
    hall.does(
        &json!({"command": "add_division", "settings": {"name": "Open", "lengths": [5], "fees": fees}}),
    );
    hall.does(&json!({"command": "enter", "division": 2, "entries": [{"player": hall.players["Ada"]}]}));
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let version = || hall.get("")["version"].clone();
    let before = version();

    let room = hall.desk("/room");
    let page = browser.get(&room).good();
    let refused =
        press(&browser, &page, "Save the tables", &[("tables[open]", "1-12"), ("tables[closed]", "9-1")]);
    is_marked(&refused, "closed", "9-1", "Enter table numbers from 1 to 2000, like 1-12, 15.");
    assert!(refused.text().contains("value=\"1-12\""), "the others are kept: {refused}");

    let money = hall.desk("/money");
    let page = browser.get(&money).good();
    let pay = |typed: &str| {
        let form =
            forms(&page).into_iter().find(|form| form.action.ends_with("/act") && form.buttons.len() > 1);
        let form = form.expect("a form for any amount");
        let label = form.buttons[0].0.clone();
        let player = page.text().split("<select id=\"player\"").nth(1).unwrap();
        let player = unescaped(player.split("<option value=\"").nth(1).unwrap().split('"').next().unwrap());
        press(&browser, &page, &label, &[("choice", player.as_str()), ("amount", typed)])
    };
    let refused = pay("ten");
    is_marked(&refused, "amount", "ten", "Enter an amount, like 25 or 12.50.");
    assert!(refused.text().contains("id=\"other\" open"), "{refused}");
    is_marked(&pay(""), "amount", "", "Please fill this in.");
    assert_eq!(version(), before, "nothing was recorded");

    let act = format!("/tournaments/{}/act", hall.id);
    assert_eq!(browser.get(&act).header("location"), Some(format!("/tournaments/{}", hall.id).as_str()));
}
