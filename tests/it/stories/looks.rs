//! Everything can be read and tapped, by night, by day and dim, with everything unfolded.

use serde_json::json;

use crate::support::evening::{Evening, MISFITS};

/// Finds texts that are too small, or with too little contrast (4.5 to 1, large texts 3 to 1).
const UNREADABLE: &str = "
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const channels = (colour) => {
        const [r, g, b, a = 1] = numbers(colour.replace('srgb', ''));
        return colour.startsWith('color(') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
    };
    const over = (above, below) => [0, 1, 2].map((at) => above[at] * above[3] + below[at] * (1 - above[3])).concat(1);
    const light = ([r, g, b]) => {
        const part = (value) => value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const wrong = new Set();
    let read = 0;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode.textContent.trim();
        const around = texts.currentNode.parentElement;
        if (!text || !around.checkVisibility() || around.closest('.hidden, .skip, script, :disabled, svg, option')) continue;
        let [behind, opacity] = [[255, 255, 255, 1], 1];
        const path = [];
        for (let one = around; one; one = one.parentElement) path.unshift(one);
        for (const one of path) {
            const style = getComputedStyle(one);
            behind = over(channels(style.backgroundColor), behind);
            opacity *= Number(style.opacity);
        }
        const style = getComputedStyle(around);
        const [r, g, b, a] = channels(style.color);
        const [dark, bright] = [light(over([r, g, b, a * opacity], behind)), light(behind)].sort((x, y) => x - y);
        const ratio = (bright + 0.05) / (dark + 0.05);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 650);
        if (ratio < (large ? 3 : 4.5)) wrong.add(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
        if (size < 14) wrong.add(`${text.slice(0, 40)}: ${size} px`);
        read += 1;
    }
    if (read < 10) wrong.add(`only ${read} texts`);
    return [...wrong];";

#[test]
fn everything_can_be_read_and_touched_by_night_and_by_day_and_dim() {
    let rules = json!({"lone_taker": {"rule": "extras"}, "stakes": "lower_of_two"});
    let Some(evening) = Evening::under(&rules, &["Ada", "Kim", "Massimiliano Ferrero-Quaglia", "Max"]) else {
        return;
    };
    let browser = &evening.phone.browser;
    let mut wrong = Vec::new();
    let mut looks = |pages: &[&str]| {
        for page in pages {
            for (night, theme, language) in
                [(true, "device", "it"), (false, "device", "en"), (false, "dim", "de")]
            {
                browser.by_night(night);
                for choice in [format!("language={language}"), format!("theme={theme}")] {
                    browser.run(&format!("document.cookie = 'owlbox_{choice}; path=/'"));
                }
                evening.phone.goto(page);
                browser.run("document.querySelectorAll('details').forEach((one) => one.open = true)");
                for found in [browser.run(UNREADABLE), browser.run(MISFITS)] {
                    if found != json!([]) {
                        wrong.push(format!("{page} {theme} {language}: {found}"));
                    }
                }
            }
        }
    };
    let page = |below: &str| evening.table.page(below);
    looks(&[
        &page(""),
        &page("/order"),
        "/",
        "/players",
        "/house-rules/los_angeles",
        "/house-rules/common/edit",
    ]);
    evening.command(&json!({"command": "start_game"}));
    evening.command(&json!({"command": "double", "player": "Ada"}));
    looks(&[&page("")]);
    evening.command(&json!({"command": "take", "player": "Kim"}));
    for name in ["Massimiliano Ferrero-Quaglia", "Max"] {
        evening.command(&json!({"command": "drop", "player": name}));
    }
    evening.command(&json!({"command": "give_extra", "player": "Massimiliano Ferrero-Quaglia"}));
    looks(&[&page(""), &page("/finish"), &page("/finish?winner=team&kind=gammon"), &page("/settle")]);
    evening.command(&json!({"command": "finish", "winner": "team", "win": "gammon"}));
    let correct = page("/correct?game=1&form=correct&winner=box&win=single");
    let ledger = format!("/ledger/{}", evening.table.players["Kim"]);
    let rules = page("/rules?form=rules&set=atlanta");
    let statistics = format!("/players/{}/statistics", evening.table.players["Kim"]);
    looks(&[
        &page("/settle-up"),
        &correct,
        &rules,
        &page("/pay"),
        &ledger,
        &statistics,
        "/account",
        "/settings",
    ]);
    evening.command(&json!({"command": "start_game", "refereed": true}));
    looks(&[&page("")]);
    assert!(wrong.is_empty(), "{wrong:#?}");
    evening.ends_well();
}
