//! Taps that are under way while others act, and a network that fails in the middle of them.

use serde_json::json;

use crate::support::evening::{Evening, Phone};

/// Taps the place of this element (with this text, unless `label` is empty) so many milliseconds after the
/// log shows `seen`, whatever is there by then.
fn aims(phone: &Phone, css: &str, label: &str, seen: &str, after: u32) {
    phone.browser.run(&format!(
        "const said = (thing) => thing.textContent.replace(/\\s+/g, ' ').trim();
         const aim = [...document.querySelectorAll({css:?})].find((one) => said(one).includes({label:?}) && one.checkVisibility());
         if (!aim) throw new Error('no ' + {label:?});
         aim.scrollIntoView({{ block: 'nearest', behavior: 'instant' }});
         const box = aim.getBoundingClientRect();
         const at = {{ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }};
         window.hit = null;
         const look = setInterval(() => {{
             if (!said(document.querySelector('#log li:first-child')).includes({seen:?})) return;
             clearInterval(look);
             setTimeout(() => {{
                 const thing = document.elementFromPoint(at.clientX, at.clientY);
                 window.hit = said(thing);
                 thing.dispatchEvent(new MouseEvent('click', {{ bubbles: true, cancelable: true, detail: 1, ...at }}));
             }}, {after});
         }}, 5);"
    ));
}

/// The element that was tapped. Resets the page's guard, so that it does not affect the next tap.
const HIT: &str = "if (window.hit) delete document.documentElement.dataset.held; return window.hit";

/// The text of the element that was tapped, once the tap has happened.
#[track_caller]
fn hit(phone: &Phone) -> String {
    let until = std::time::Instant::now() + std::time::Duration::from_secs(8);
    loop {
        if let Some(hit) = phone.browser.run(HIT).as_str() {
            return hit.to_owned();
        }
        assert!(std::time::Instant::now() < until, "nobody tapped");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// A button that another's act has just moved under the finger takes no tap for a moment, but an element that
/// was there before does. Screen readers and keyboards are not affected.
#[test]
fn what_a_remote_act_put_under_the_finger_takes_no_tap_yet() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let Some(kim) = evening.phone_of("Kim") else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    kim.logs("Game 1 starts");

    // The scorer aims at one button while Kim doubles from another phone. At the top of a small page the bar
    // does not move.
    phone.browser.resize(390, 440);
    phone.browser.run("scrollTo(0, 0)");
    aims(phone, ".bar button", "", "Kim doubles to 2", 150);
    kim.tap("Kim doubles to 2");
    let under = hit(phone);
    assert!(under.contains("Box"), "another act came under the finger: {under:?}");
    std::thread::sleep(std::time::Duration::from_millis(700));
    phone.logs("Kim doubles to 2");
    assert_eq!(evening.score("Kim"), 0, "nobody has dropped");
    phone.sees("#now", "Kim doubles");
    phone.act("Box takes 2 from Kim");
    kim.logs("Box takes 2 from Kim");

    // An element that was there before takes a tap at once.
    phone.browser.resize(1280, 800);
    phone.browser.wait_for("html:not([data-settling])");
    let seat = format!("#acts-{}", evening.table.players["Lou"]);
    aims(phone, &format!("{seat} > summary"), "Lou", "Box redoubles Kim to 4", 100);
    evening.command(&json!({"command": "double", "player": "Ada", "against": ["Kim"]}));
    hit(phone);
    phone.browser.wait_for(&format!("{seat}[open]"));
    evening.ends_well();
}

/// A screen reader announces the headline, the focus stays on the page, and a closed table is no longer live.
#[test]
fn doubles_are_announced_the_focus_goes_on_and_a_closed_table_is_not_live() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let Some(kim) = evening.phone_of("Kim") else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    phone.act("Box doubles everybody to 2");
    kim.sees("#headline[role=status]", "You answer now: take or drop?");
    kim.sees("#headline[role=status] #told", "Box doubles everybody to 2");
    phone.act("Kim takes 2");
    phone.act("Lou drops, loses 1");
    // Pressing a button by keyboard that then disappears moves the focus to the headline.
    phone.browser.run(
        "[...document.querySelectorAll('.do button')].find((one) => one.textContent === 'Kim redoubles to 4').focus()",
    );
    phone.browser.type_keys("\u{E007}");
    phone.logs("Kim redoubles to 4");
    let focused = "return document.activeElement.id || document.activeElement.tagName";
    assert_eq!(phone.browser.run(focused), json!("now"), "the focus went on");

    phone.act("Box takes 4 from Kim");
    super::ends_game(phone, "box", "single game");
    phone.tap("Close the night …");
    phone.tap("Close the night");
    phone.logs("The night is closed");
    for one in [phone, &kim] {
        one.sees("#now", "This table is closed for the night");
        one.sees("#standings", "Standings of ");
        one.browser.wait_for("#live[hidden]");
    }
    phone.tap("Undo: The night is closed");
    phone.logs("Undone: The night is closed");
    phone.browser.wait_for("#live[data-state=on]");
    evening.ends_well();
}

/// A result, a correction and a payment posted without a network wait on their page, are sent once when the
/// network is back, and no link loses them.
#[test]
fn what_is_recorded_without_a_network_waits_on_its_page_and_is_sent_once() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    // A waiting act of the table itself is not lost by following a link.
    phone.browser.offline(true);
    phone.tap("Box doubles everybody to 2");
    phone.sees("#kept", "Box doubles everybody to 2");
    phone.tap("Box wins");
    phone.sees("#kept", "Leave: it will be sent later");
    phone.sees("#kept", "Box doubles everybody to 2");
    phone.browser.offline(false);
    phone.logs("Box doubles everybody to 2");
    phone.act("Kim takes 2");
    phone.act("Lou takes 2");

    // First a result.
    phone.tap("Box wins");
    phone.sees("#confirm-title", "Box wins a single game");
    phone.browser.offline(true);
    phone.tap("Record");
    phone.sees("#kept", "Box wins a single game");
    phone.browser.offline(false);
    phone.logs("Box wins a single game");
    assert_eq!(evening.score("Ada"), 8, "once");

    // Then a correction.
    phone.goto(&evening.table.page("/correct?game=1&form=correct&winner=box&win=gammon"));
    phone.sees("#confirm-title", "corrected");
    phone.browser.offline(true);
    phone.click("#confirm button.main");
    phone.browser.wait_for("#kept:not([hidden])");
    assert_eq!(phone.browser.count("#confirm"), 1, "what was entered is still there");
    phone.browser.offline(false);
    phone.sees("#now", "Ada is box");
    assert_eq!(evening.score("Ada"), 16, "once");

    // Then a payment.
    phone.goto(&evening.table.page("/settle-up"));
    phone.browser.offline(true);
    phone.tap("Mark as paid: Kim has paid Ada 20.00 EUR");
    phone.browser.wait_for("#kept:not([hidden])");
    phone.browser.offline(false);
    phone.sees(".hand.made .done", "paid");
    evening.ends_well();
}

/// Measures how much of the table is visible above the bar, the bar's height, and elements that overflow.
const IN_SIGHT: &str = "
    const bar = document.querySelector('.bar').getBoundingClientRect();
    const sticks = getComputedStyle(document.querySelector('.bar')).position === 'sticky';
    const under = sticks && bar.width > innerWidth / 2 ? bar.top : innerHeight;
    const seats = [...document.querySelectorAll('.play .board > .seat')].filter((seat) => {
        const box = seat.querySelector('.seat-line').getBoundingClientRect();
        return box.top >= 0 && box.bottom <= under + 1;
    });
    const rows = new Set([...document.querySelectorAll('.bar :is(button, .button)')]
        .filter((one) => one.checkVisibility()).map((one) => Math.round(one.getBoundingClientRect().top)));
    const over = [];
    for (const one of document.querySelectorAll('#table :is(button, .button, .score, .who b)')) {
        const box = one.getBoundingClientRect();
        const card = one.closest('.seat, .bar, .further')?.getBoundingClientRect();
        if (!one.checkVisibility() || !box.width) continue;
        const read = document.createRange();
        read.selectNode(one.lastChild ?? one);
        const text = read.getBoundingClientRect();
        if (card && (Math.max(box.right, text.right) > card.right + 1 || text.left < card.left - 1)) over.push(one.textContent.trim());
        if (one.scrollWidth > one.clientWidth + 1 && !one.closest('.step')) over.push('clipped ' + one.textContent.trim());
    }
    return [seats.length, rows.size, over];";

/// The bar at the bottom has at most two rows and never hides the table. Nothing overflows, even with a long
/// score.
#[test]
fn the_table_is_seen_above_its_bar_on_every_screen() {
    let names = ["Ada", "Kim", "Lou", "Max", "Ida"];
    let Some(evening) = Evening::with(&names) else { return };
    let browser = &evening.phone.browser;
    evening.command(&json!({"command": "start_game"}));
    let screens = [(360, 640, 3), (390, 844, 5), (1024, 768, 5), (1440, 900, 5), (320, 256, 0)];
    let look = |when: &str| {
        for (width, height, seats) in screens {
            browser.resize(width, height);
            browser.run(
                "document.querySelector('.seat.box .score').textContent = '+25½';
                 scrollTo(0, 0); document.activeElement.blur()",
            );
            let seen = browser.run(IN_SIGHT);
            let place = format!("{when} at {width}x{height}: {seen}");
            assert!(seen[0].as_u64() >= Some(seats), "seats in sight {place}");
            assert!(seen[1].as_u64() <= Some(2), "rows of the bar {place}");
            assert_eq!(seen[2], json!([]), "over an edge {place}");
            evening.phone.fits();
            if let Ok(pictures) = std::env::var("OWLBOX_TEST_PICTURES") {
                for night in [true, false] {
                    browser.by_night(night);
                    let light = if night { "dark" } else { "light" };
                    let name = format!("table-{}-{width}x{height}-{light}.png", when.replace(' ', "-"));
                    browser.screenshot(&std::path::Path::new(&pictures).join(name));
                }
            }
        }
    };
    evening.goto("");
    look("playing");
    evening.command(&json!({"command": "double", "player": "Ada"}));
    evening.goto("");
    look("answering");
    for name in ["Kim", "Lou", "Max", "Ida"] {
        evening.command(&json!({"command": "take", "player": name}));
    }
    evening.command(&json!({"command": "undo", "acts": 2}));
    evening.goto("");
    look("with redo");
    evening.ends_well();
}

/// No sticky element covers the field being typed in, and no word that fits on a line is broken. The preview
/// of a gammon takes turned and dropped cubes into account.
#[test]
fn no_field_is_covered_no_word_broken_and_no_turned_cube_forgotten() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let (phone, browser) = (&evening.phone, &evening.phone.browser);
    evening.command(&json!({"command": "start_game"}));
    evening.command(&json!({"command": "double", "player": "Ada", "against": ["Lou"]}));
    evening.command(&json!({"command": "drop", "player": "Lou"}));
    phone.goto(&evening.table.page("/finish?winner=box&kind=gammon"));
    phone.sees("#confirm", "no cube still in play was turned");
    evening.command(&json!({"command": "finish", "winner": "box", "win": "gammon"}));

    phone.goto("/house-rules/common/edit");
    let covered = "const covered = [];
        for (const field of document.querySelectorAll('main select, main input:not([type=hidden]), main textarea')) {
            if (!field.checkVisibility()) continue;
            field.focus();
            field.scrollIntoView({ block: 'nearest', behavior: 'instant' });
            const box = field.getBoundingClientRect();
            const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            if (over?.closest('.set-save')) covered.push(field.name);
        }
        return covered;";
    assert_eq!(browser.run(covered), json!([]));

    let ledger = format!("/ledger/{}", evening.table.players["Kim"]);
    let broken = "const broken = [];
        const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            for (const { index, 0: word } of texts.currentNode.textContent.matchAll(/\\S+/g)) {
                const read = document.createRange();
                read.setStart(texts.currentNode, index);
                read.setEnd(texts.currentNode, index + word.length);
                const lines = new Set([...read.getClientRects()].map((box) => Math.round(box.top)));
                if (lines.size > 1 && word.length < 12) broken.push(word);
            }
        }
        return broken;";
    for (width, height) in [(390, 844), (320, 256)] {
        browser.resize(width, height);
        for page in [&evening.table.page(""), &evening.table.page("/settle-up"), &ledger] {
            phone.goto(page);
            assert_eq!(browser.run(broken), json!([]), "{page} at {width}");
            phone.fits();
        }
    }
    evening.ends_well();
}
