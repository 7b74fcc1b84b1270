//! A treasurer's month in a browser: collect, settle, correct, close, print, export.

use chrono::{Datelike as _, Days, NaiveDate, Utc};
use serde_json::json;

use crate::support::browser::Browser;
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::House;

/// The second day of the last month that is over everywhere.
fn a_day_of_last_month() -> NaiveDate {
    let this_month = Utc::now().date_naive().checked_sub_days(Days::new(1)).unwrap().with_day(1).unwrap();
    this_month.checked_sub_days(Days::new(1)).unwrap().with_day(2).unwrap()
}

#[test]
fn a_treasurers_month_from_the_fees_to_the_export() {
    let Some(browser) = Browser::laptop() else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let [ada, bea] = ["Ada", "Bea"].map(|name| house.player(&admin, name));
    house.with_roles(&admin, "kassier", &["treasurer"]);
    let desk = Phone::signed_in(browser, &house, ("kassier", "quattro oche sul lago"));
    let day = a_day_of_last_month();
    let browser = &desk.browser;
    let opens = |details: &str| browser.click(&format!("{details} > summary"));
    // The notice of the page before would do for that of the next.
    let saves = |form: &str| {
        browser.run("document.body.dataset.before = ''");
        browser.click(&format!("{form} button.main"));
        browser.wait_until_gone("body[data-before]");
        browser.wait_for_text(".notice", "Saved", std::time::Duration::from_secs(8));
    };
    desk.goto("/ledger/treasury");
    desk.fits();

    // Collect: a fee for both, of which Ada brings a part and Bea pays by bank.
    opens("#record-fee");
    for player in [&ada, &bea] {
        browser.click(&format!("#record-fee input[name='players[]'][value='{player}']"));
    }
    browser.fill("#record-fee input[name=amount]", "20");
    browser.run(&format!("document.querySelector('#record-fee input[name=on]').value = '{day}'"));
    saves("#record-fee");
    let due = "section[aria-label='Open debts EUR']";
    browser.wait_for_text(due, "Ada pays the club", std::time::Duration::from_secs(8));
    let payment = |number: usize| format!("{due} ul.rows > li:nth-child({number})");
    let ada_first = browser.text(&payment(1)).contains("Ada");
    let (of_ada, of_bea) = if ada_first { (payment(1), payment(2)) } else { (payment(2), payment(1)) };
    opens(&format!("{of_ada} details"));
    browser.fill(&format!("{of_ada} input[name=amount]"), "12,50");
    saves(&of_ada);
    assert!(browser.text(due).contains("7.50 EUR"), "the rest stays open: {}", browser.text(due));
    let of_bea = if browser.text(&payment(1)).contains("Bea") { payment(1) } else { of_bea };
    opens(&format!("{of_bea} details"));
    browser.click(&format!("{of_bea} input[name=means]"));
    saves(&of_bea);
    let money = "section[aria-label='The club’s money EUR']";
    assert!(
        browser.text(money).contains("12.50") && browser.text(money).contains("20.00"),
        "{}",
        browser.text(money)
    );

    // Settle: what is left of Ada's.
    let rest = payment(1);
    opens(&format!("{rest} details"));
    saves(&rest);
    browser.wait_for_text("main", "Nobody owes anything", std::time::Duration::from_secs(8));

    // Correct: Bea's transfer came from somebody else.
    opens("#record-3 details");
    browser.fill("#reason-3", "not hers");
    saves("#record-3 details");
    assert!(browser.text("#record-3").contains("taken back"), "{}", browser.text("#record-3"));
    browser.wait_for_text(due, "Bea pays the club", std::time::Duration::from_secs(8));

    // Close: the month of the fee, and nothing before it stays open.
    browser.run(&format!("document.querySelector('#close-month').value = '{}'", day.format("%Y-%m")));
    saves("form:has(#close-month)");
    browser.wait_for_text("main", "The books are closed up to", std::time::Duration::from_secs(8));
    let then =
        admin.get(&format!("/api/v1/players/{bea}/balances?on={}", day.format("%Y-%m-28"))).good().body;
    assert_eq!(then[0], json!({"unit": "EUR", "amount": -2_000, "postings": 1}));
    opens("#record-1 details");
    browser.fill("#reason-1", "they were guests");
    saves("#record-1 details");
    let still =
        admin.get(&format!("/api/v1/players/{bea}/balances?on={}", day.format("%Y-%m-28"))).good().body;
    assert_eq!(then, still, "what is corrected later counts for today");

    // Print: Bea's statement of all days, on paper without what is for the screen alone.
    desk.goto(&format!("/ledger/{bea}?unit=EUR"));
    let said = browser.text("main");
    assert!(said.contains("its month was closed"), "and the statement says so: {said}");
    browser.on_paper(true);
    let shown = "[...document.querySelectorAll('header.top, footer.foot, .actions.screen, #days, #filters')]
        .filter(one => getComputedStyle(one).display !== 'none').map(one => one.className || one.id)";
    assert_eq!(browser.run(&format!("return {shown}")), json!([]), "not on paper");
    browser.on_paper(false);
    assert!(browser.print().starts_with(b"%PDF"));

    // Export: the link of the page is a journal with both fees and their reversal.
    desk.goto("/ledger/exports");
    desk.fits();
    let link = browser.attribute("article[aria-label=hledger] a", "href").expect("a link");
    let journal = admin.get(&link).good();
    assert!(journal.text().contains(&day.to_string()) && journal.text().contains("Bea"), "{journal}");
    let logged = house.server.logged();
    assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
    house.verify();
}
