//! The end of an evening: a player who leaves is paid off, then the night is closed, paid and carried to the
//! books.

use serde_json::json;

use super::ends_game;
use crate::support::evening::Evening;

/// E17: a player who leaves early is paid off by one of the others, who then takes over the table's debt to
/// them.
#[test]
fn who_leaves_early_is_paid_off_by_one_of_the_others() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let (phone, ids) = (&evening.phone, &evening.table.players);
    phone.act("Game 1 starts");
    ends_game(phone, "box", "single game");
    phone.tap("Who pays whom …");
    phone.fits();
    phone.tap("Ada");
    phone.sees("#leaver h3", "Ada is owed 15.00 EUR. Who pays?");
    for other in ["Lou", "Max"] {
        let tick = format!("#leaver input[name=by][value='{}']", ids[other]);
        if phone.browser.run(&format!("return document.querySelector({tick:?}).checked")) == json!(true) {
            phone.click(&tick);
        }
    }
    let kim = format!("#leaver input[name=by][value='{}']", ids["Kim"]);
    if phone.browser.run(&format!("return document.querySelector({kim:?}).checked")) == json!(false) {
        phone.click(&kim);
    }
    phone.tap("Work it out");
    phone.sees("#leaver", "Ada is still owed 10.00 EUR.");
    phone.browser.fill(&format!("input[name='amount-{}']", ids["Kim"]), "15");
    phone.tap("Work it out");
    phone.fits();
    phone.tap("Mark as paid: Kim has paid Ada 15.00 EUR");
    phone.sees(".hand.made .done", "paid");
    let stands: Vec<String> =
        phone.texts(".stands tbody tr").iter().map(|line| line.replace(char::is_whitespace, "")).collect();
    assert!(stands.iter().any(|line| line.starts_with("Ada") && line.ends_with("-15.000.00")), "{stands:?}");
    assert!(
        stands.iter().any(|line| line.starts_with("Kim") && line.ends_with("+10.00")),
        "Kim stands in: {stands:?}"
    );
    phone.goto(&evening.table.page(""));
    phone.act("Ada leaves");
    phone.act("Game 2 starts");
    evening.ends_well();
}

/// The night is closed, payments are recorded with a tap, unpaid debts stay in the books, and the sheet fits
/// on one page.
#[test]
fn a_night_is_closed_paid_and_carried_to_the_books() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let Some(kim) = evening.phone_of("Kim") else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    phone.act("Box doubles everybody to 2");
    phone.act("Kim takes 2");
    phone.act("Lou drops, loses 1");
    ends_game(phone, "box", "single game");
    phone.tap("Close the night …");
    phone.tap("Close the night");
    phone.logs("The night is closed");
    kim.sees("#now", "This table is closed for the night");
    kim.fits();
    phone.tap("Who pays whom");
    phone.sees("h1", "Who pays whom");
    phone.fits();
    assert!(!kim.offers("Mark as paid: Kim has paid Ada 10.00 EUR"), "not theirs to record");

    // On paper the sheet is one page, with nothing to tap.
    let paper = String::from_utf8_lossy(&phone.browser.print()).into_owned();
    assert_eq!(paper.matches("/Type /Page\n").count(), 1, "one page");
    // A paid line keeps its place, so that a second tap is not another's payment. Each payment is undone on
    // its own.
    let lines = phone.texts(".hand > p:first-child");
    let button = phone.browser.run(
        "const button = [...document.querySelectorAll('.hand button')].find((one) => one.textContent.includes('Kim'));
         const box = button.getBoundingClientRect();
         return [box.x + box.width / 2, box.y + box.height / 2 + scrollY]",
    );
    phone.tap("Mark as paid: Kim has paid Ada 10.00 EUR");
    phone.sees(".hand.made .done", "paid");
    assert_eq!(phone.texts(".hand > p:first-child"), lines, "nothing has moved");
    let under = phone.browser.run(&format!(
        "const [x, y] = {button}; scrollTo(0, y - 300);
         return document.elementFromPoint(x, y - scrollY).closest('button')?.textContent ?? ''"
    ));
    assert_eq!(under, json!(""), "there is nothing to tap where the finger was");
    phone.tap("Mark as paid: Lou has paid Ada 5.00 EUR");
    phone.sees(".even-now", "Nobody owes anybody anything");
    phone.tap("Undo: Kim has paid Ada 10.00 EUR");
    phone.sees(".hand:not(.made)", "Kim");
    assert_eq!(phone.texts(".hand.made > p:first-child").len(), 1, "Lou's payment stands");
    phone.tap("Undo: Lou has paid Ada 5.00 EUR");
    phone.sees(".payments", "2 payments settle everything");
    phone.tap("Mark as paid: Kim has paid Ada 10.00 EUR");
    phone.sees(".hand.made .done", "paid");
    phone.fits();
    assert!(!phone.offers("Mark as paid: Kim has paid Ada 10.00 EUR"));
    kim.goto("/");
    kim.sees(".balance", "0.00");
    kim.tap("See the ledger");
    kim.sees(".standing", "-2");
    kim.tap("EUR");
    kim.sees(".standing", "0.00");
    kim.sees(".book tbody tr:nth-child(2)", "payment");
    kim.fits();
    evening.ends_well();
}
