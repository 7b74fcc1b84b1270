//! An evening without pointing or seeing: by keyboard alone, and as a screen reader announces it.

use serde_json::json;

use crate::support::evening::{Evening, Phone};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
/// The most stops of the Tab key that anybody would make to reach a button.
const MOST_STOPS: usize = 60;

/// Presses Tab until the element with this label has the focus, visibly and uncovered, and then Enter.
#[track_caller]
pub(super) fn enters(phone: &Phone, label: &str) {
    let focused = "const thing = document.activeElement;
        const read = thing.cloneNode(true);
        read.querySelectorAll('[aria-hidden=true]').forEach((drawn) => drawn.remove());
        const box = thing.getBoundingClientRect();
        const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const seen = getComputedStyle(thing).outlineStyle !== 'none' && (thing.contains(over) || over?.contains(thing));
        return [read.textContent.replace(/\\s+/g, ' ').trim(), seen]";
    let mut stops = Vec::new();
    for _ in 0..MOST_STOPS {
        phone.browser.type_keys(TAB);
        let now = phone.browser.run(focused);
        let said = now[0].as_str().unwrap_or_default().to_owned();
        if said == label {
            assert_eq!(now[1], json!(true), "{label:?} has the focus and cannot be seen");
            phone.browser.type_keys(ENTER);
            return;
        }
        stops.push(said);
    }
    panic!("no way to {label:?} by keyboard: {stops:?}");
}

#[test]
fn a_game_is_kept_by_keyboard_alone() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let phone = &evening.phone;
    phone.browser.resize(1280, 800);
    for act in ["Game 1 starts", "Box doubles everybody to 2", "Kim takes 2", "Lou drops, loses 1"] {
        enters(phone, act);
        phone.logs(act);
    }
    enters(phone, "Undo: Lou drops, loses 1");
    phone.logs("Undone: Lou drops, loses 1");
    enters(phone, "Redo: Lou drops, loses 1");
    phone.logs("Redone: Lou drops, loses 1");
    enters(phone, "Box wins");
    phone.sees(".finish h1", "How did game 1 end?");
    enters(phone, "Gammon");
    phone.sees("#confirm-title", "Box wins a gammon");
    enters(phone, "Record");
    phone.logs("Box wins a gammon");
    enters(phone, "More …");
    enters(phone, "Correct a game …");
    phone.sees("h1", "Correct a game");
    enters(phone, "game 1Ada is box. Box wins a gammon");
    phone.browser.wait_for("#winner");
    evening.ends_well();
}

/// Roles that need a name to be usable.
const USED: [&str; 8] =
    ["button", "link", "textbox", "combobox", "checkbox", "radio", "spinbutton", "DisclosureTriangle"];

/// Elements without a name for screen readers, or that share a name with an element that does something else.
fn unheard(phone: &Phone) -> Vec<String> {
    let spoken = phone.browser.spoken();
    let mut wrong = Vec::new();
    for (role, name) in &spoken {
        if USED.contains(&role.as_str()) && name.trim().is_empty() {
            wrong.push(format!("a {role} without a name"));
        }
    }
    for landmark in ["main", "banner", "heading"] {
        if !spoken.iter().any(|(role, _)| role == landmark) {
            wrong.push(format!("no {landmark}"));
        }
    }
    let more = phone.browser.run(
        "const wrong = [];
         if (document.querySelectorAll('h1').length !== 1) wrong.push('not one h1');
         if (!document.documentElement.lang) wrong.push('no language');
         const ids = [...document.querySelectorAll('[id]')].map((thing) => thing.id);
         for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) wrong.push('twice #' + id);
         for (const thing of document.querySelectorAll('[aria-describedby], [aria-labelledby]'))
             for (const id of `${thing.getAttribute('aria-describedby') ?? ''} ${thing.getAttribute('aria-labelledby') ?? ''}`.split(/\\s+/))
                 if (id && !document.getElementById(id)) wrong.push('no #' + id);
         const does = new Map();
         for (const button of document.querySelectorAll('form button:not([type=button])')) {
             const body = [...new FormData(button.form)].filter(([name]) => !['csrf', 'key', 'version', 'then'].includes(name));
             const act = JSON.stringify([button.form.action, body, button.value]);
             const label = button.textContent.trim();
             if (does.has(label) && does.get(label) !== act) wrong.push('two acts ' + label);
             does.set(label, act);
         }
         return wrong;",
    );
    wrong
        .extend(more.as_array().into_iter().flatten().map(|one| one.as_str().unwrap_or_default().to_owned()));
    wrong
}

#[test]
fn a_screen_reader_has_a_name_for_everything_that_can_be_used() {
    let rules = json!({"stakes": "lower_of_two", "partner": {"when": "optional", "from": 4}});
    let Some(evening) = Evening::under(&rules, &["Ada", "Kim", "Lou", "Max", "Ida", "Bea"]) else { return };
    let (phone, ids) = (&evening.phone, &evening.table.players);
    let mut wrong = Vec::new();
    let mut listens = |pages: &[String]| {
        for page in pages {
            for language in ["en", "it"] {
                phone.browser.run(&format!("document.cookie = 'owlbox_language={language}; path=/'"));
                phone.goto(page);
                phone.browser.run("document.querySelectorAll('details').forEach((one) => one.open = true)");
                let found = unheard(phone);
                if !found.is_empty() {
                    wrong.push(format!("{page} {language}: {found:?}"));
                }
            }
        }
    };
    let of_table =
        |sheets: &[&str]| -> Vec<String> { sheets.iter().map(|below| evening.table.page(below)).collect() };
    evening.command(&json!({"command": "start_game"}));
    evening.command(&json!({"command": "double", "player": "Ada"}));
    let lou = format!("/leave?player={}", ids["Lou"]);
    listens(&of_table(&["", "/leave", &lou, "/finish?winner=box&kind=gammon"]));
    for name in ["Kim", "Lou", "Max", "Ida", "Bea"] {
        evening.command(&json!({"command": "take", "player": name}));
    }
    listens(&of_table(&["", "/settle", "/finish", "/break", "/proxy", "/undo"]));
    evening.command(&json!({"command": "finish", "winner": "box", "win": "single"}));
    let leaver = format!("/settle-up?leaver={}", ids["Ada"]);
    let sheets = ["", "/order", "/split", "/merge", "/players", "/rules", "/correct?game=1", "/pay", &leaver];
    listens(&of_table(&sheets));
    evening.command(&json!({"command": "start_game", "refereed": true}));
    evening.command(
        &json!({"command": "board", "by": "box", "action": {"action": "roll_opening", "dice": {"white": 6, "black": 3}}}),
    );
    let club =
        ["/", "/players", "/house-rules", "/house-rules/common", "/house-rules/common/edit", "/account"];
    listens(&of_table(&[""]));
    listens(&club.map(str::to_owned));
    listens(&[format!("/ledger/{}", ids["Ada"]), format!("/players/{}", ids["Ada"]), "/settings".to_owned()]);
    assert!(wrong.is_empty(), "{wrong:#?}");
    evening.ends_well();
}
