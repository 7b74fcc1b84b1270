//! Rare events at a table, on a phone: extras after a lone take, a partner found, the next turn. And the size
//! of a table's page.

use serde_json::Value;

use crate::browser::{AT_ONCE, club, post, press, sees, server, sign_in, table_with};
use crate::support::browser::Browser;
use crate::support::databases::Database;
use crate::support::evening::MISFITS;
use crate::support::server::Server;

/// The most bytes that a page and everything it loads may take on the wire.
const HEAVIEST: usize = 100_000;

/// A phone at a table of four, and the four in the order of the dice: box, captain, crew.
struct Evening {
    phone: Browser,
    names: Vec<String>,
    _server: (Server, Database),
}

impl Evening {
    fn under(rules: &str) -> Option<Self> {
        let phone = Browser::phone()?;
        let server = server();
        let kim = club(&server.0);
        let (table, _) = table_with(&kim, rules, &["Ada", "Lou", "Max", "Ida"]);
        sign_in(&phone, &server.0);
        phone.goto(&format!("{}{table}", server.0.url()));
        phone.wait_for("#live[data-state=on]");
        let name = |seat| phone.text(&format!(".board > li:nth-child({seat}) .who > b"));
        let names = (1..=4).map(name).collect();
        Some(Self { phone, names, _server: server })
    }

    /// Presses the button with this label, and sees it in the log.
    #[track_caller]
    fn act(&self, label: &str) {
        press(&self.phone, label);
        sees(&self.phone, label, AT_ONCE);
        assert_eq!(self.phone.run(MISFITS), Value::Array(vec![]), "after {label}");
    }

    /// The box doubles, the captain takes, the others drop.
    fn lone_take(&self) {
        let [_, captain, crew @ ..] = self.names.as_slice() else { unreachable!("four sit here") };
        self.act("Game 1 starts");
        self.act("Box doubles everybody to 2");
        self.act(&format!("{captain} takes 2"));
        for member in crew {
            press(&self.phone, &format!("{member} drops, loses 1"));
            self.phone.wait_for_text("#log", &format!("{member} drops, loses 1"), AT_ONCE);
        }
        sees(&self.phone, &format!("{captain} took alone"), AT_ONCE);
    }

    #[track_caller]
    fn shows(&self, css: &str, text: &str) {
        self.phone.wait_for_text(css, text, AT_ONCE);
    }

    /// Whether there is a button with this label.
    fn offers(&self, label: &str) -> bool {
        let script = format!(
            "return [...document.querySelectorAll('#table button:not([hidden] *)')].some((b) => b.textContent.trim() === {label:?})"
        );
        self.phone.run(&script) == Value::Bool(true)
    }
}

/// Q10: players who dropped are asked in line order. A giver pays the taker 1 and plays a cube of 2 against
/// them.
#[test]
fn an_extra_is_given_and_another_passed_after_a_lone_take() {
    let Some(evening) = Evening::under(r#"{"lone_taker":{"rule":"extras"}}"#) else { return };
    let [_, captain, first, last] = evening.names.as_slice() else { unreachable!("four sit here") };
    evening.lone_take();
    evening.shows("#now", &format!("{first}: an extra against {captain}?"));
    assert_eq!(evening.phone.count(".do button.main"), 1, "one question: yes or no");
    evening.act(&format!("{first} gives {captain} an extra: cube at 2, 1 paid"));
    evening.shows("#now", &format!("{last}: an extra against {captain}?"));
    evening.act(&format!("{last} gives no extra"));
    assert!(evening.phone.text(".board > li:nth-child(3) .extras").contains(captain));
    assert_eq!(evening.phone.count(".board > li:nth-child(4) .extras"), 0);
    // -1 for the drop and -1 paid to the taker.
    assert!(evening.phone.text(".board > li:nth-child(3) .score").ends_with("-2"));
    assert!(evening.phone.text(".board > li:nth-child(2) .score").ends_with("+1"));
}

/// Q13: the captain is asked first, and the first to accept is the partner.
#[test]
fn a_partnership_is_offered_declined_and_accepted() {
    let Some(evening) = Evening::under(r#"{"partner":{"when":"optional","from":4}}"#) else { return };
    let [_, captain, next, last] = evening.names.as_slice() else { unreachable!("four sit here") };
    evening.act(&format!("Partner of the box? Asked in turn: {captain} · {next} · {last}"));
    evening.shows("#now", &format!("{captain}: partner of the box?"));
    assert_eq!(evening.phone.count(".do button.main"), 1, "one question: yes or no");
    evening.act(&format!("{captain} declines to be partner"));
    evening.shows("#now", &format!("{next}: partner of the box?"));
    evening.act(&format!("{next} is partner of the box"));
    evening.act("Game 1 starts");
    assert_eq!(evening.phone.text(".board > li:has(.role-partner) .who > b"), *next);
    assert!(!evening.offers(&format!("{next} doubles to 2")), "a partner has no cube");
}

/// C3, F1: under the common rules nobody on the team doubles any more in a turn in which a double was
/// answered. Nobody at a table says that the dice were rolled, so a tap on another member's cube means a
/// double of theirs in the next turn, and never one of the box.
/// Proves C2.
#[test]
fn f1_after_the_box_took_one_cube_a_tap_on_another_is_its_owners_double() {
    let Some(evening) = Evening::under("{}") else { return };
    let [_, captain, crew, _] = evening.names.as_slice() else { unreachable!("four sit here") };
    evening.act("Game 1 starts");
    let late = format!("{crew} doubles to 2");
    assert!(evening.offers(&late));
    evening.act(&format!("{captain} doubles to 2"));
    evening.act(&format!("Box takes 2 from {captain}"));
    assert!(!evening.offers("Dice rolled"), "a double says it by itself");
    let titles = "return [...document.querySelectorAll('.at-cube')].map((cube) => cube.title).join()";
    assert!(!evening.phone.run(titles).as_str().unwrap().contains("Box"), "no cube is the box's to tap");
    assert_eq!(evening.phone.count(".board > li:nth-child(2) .at-cube"), 0, "the box owns this one");
    assert_eq!(evening.phone.run("return document.querySelector('li:nth-child(3) .at-cube').title"), late);
    evening.phone.click(".board > li:nth-child(3) .at-cube");
    sees(&evening.phone, &late, AT_ONCE);
    let log = "return [...document.querySelectorAll('#log li > span')].slice(0, 2).map((one) => one.firstChild.textContent.trim())";
    assert_eq!(evening.phone.run(log), serde_json::json!([late, "Dice rolled"]));
    assert!(evening.offers(&format!("Box takes 2 from {crew}")), "the box is to answer");
    evening.act(&format!("Box takes 2 from {crew}"));
}

/// F6: names are tapped one after the other as fast as people do, and all of them sit down.
#[test]
fn f6_names_tapped_one_after_the_other_all_sit_down() {
    let (server, _database) = server();
    let kim = club(&server);
    let names = ["Ada", "Bea", "Cem", "Dan", "Eva", "Fay", "Gil"];
    for name in names {
        post(&kim, "/players", "/players", &[("name", name)]);
    }
    let Some(phone) = Browser::phone() else { return };
    sign_in(&phone, &server);
    phone.click("details.sheet[open] #name");
    phone.fill("#name", "Friday table");
    press(&phone, "Open the table");
    phone.wait_for("#table");
    phone.wait_for("#live[data-state=on]");
    // Where each name is when the first is tapped: a finger does not look for it again.
    phone.run(
        "const names = ['Ada', 'Bea', 'Cem', 'Dan', 'Eva', 'Fay', 'Gil'];
         const places = names.map((name) => {
             const box = [...document.querySelectorAll('.names button')].find((one) => one.textContent.trim() === name).getBoundingClientRect();
             return { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
         });
         places.forEach((at, place) => setTimeout(() => {
             const thing = document.elementFromPoint(at.clientX, at.clientY);
             for (const [type, Event] of [['pointerdown', PointerEvent], ['pointerup', PointerEvent], ['click', MouseEvent]])
                 thing.dispatchEvent(new Event(type, { bubbles: true, cancelable: true, detail: 1, ...at }));
         }, 300 * place));",
    );
    for name in names {
        sees(&phone, &format!("{name} joins"), AT_ONCE + AT_ONCE);
    }
    phone.wait_for(".board > li:nth-child(7)");
    assert_eq!(phone.count(".names button[aria-pressed=true]:disabled"), 7, "each where it was, and done");
}

/// "A page under 100 kB on the wire with everything": the page with the most on it, a refereed game of ten,
/// and every file that it links, compressed as served and with an empty browser cache.
#[test]
fn a_table_of_ten_with_a_board_and_all_it_loads_weighs_less_than_a_hundred_kilobytes() {
    let (server, _database) = server();
    let kim = club(&server);
    let ten = ["Ada", "Lou", "Max", "Ida", "Noor", "Kim", "Bo", "Cy", "Dee", "Massimiliano Ferrero-Quaglia"];
    let (table, _) = table_with(&kim, "{}", &ten);
    let csrf = crate::browser::field(kim.get(&table).text(), "csrf");
    let start = [("command", "start_game"), ("refereed:flag", "true")];
    let fields = [start[0], start[1], ("version", ""), ("key", "start"), ("csrf", &csrf)];
    let started = kim.request("POST", &format!("{table}/act")).form(&fields).send();
    assert_eq!(started.status, 303, "{started}");
    let page = kim.get(&table);
    assert!(page.text().contains("id=\"game-board\""), "{page}");
    let mut addresses: Vec<&str> = vec![table.as_str()];
    addresses.extend(page.text().split('"').filter(|link| link.starts_with("/assets/")));
    assert!(addresses.len() > 5, "{addresses:?}");
    let weights: Vec<(&str, usize)> =
        addresses.into_iter().map(|address| (address, kim.weight_on_the_wire(address))).collect();
    let all: usize = weights.iter().map(|(_, weight)| weight).sum();
    assert!(all < HEAVIEST, "{all}: {weights:?}");
}

#[test]
fn a_tap_on_a_cube_is_the_double_of_whoever_may_turn_it() {
    let Some(evening) = Evening::under("{}") else { return };
    let (phone, captain) = (&evening.phone, &evening.names[1]);
    assert_eq!(phone.count(".at-cube"), 0, "no game is on");
    evening.act("Game 1 starts");
    assert_eq!(phone.count(".at-cube"), 3, "each of the team may double");
    let size = "const { width, height } = document.querySelector('.at-cube').getBoundingClientRect(); \
                return Math.min(width, height)";
    assert!(phone.run(size).as_f64().unwrap() >= 44.0, "it can be touched");
    let says = phone.run("return document.querySelector('.at-cube').title");
    assert_eq!(says, format!("{captain} doubles to 2"));
    if let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") {
        phone.screenshot(&std::path::Path::new(&folder).join("cubes-phone.png"));
    }
    phone.click(".board > li:nth-child(2) .at-cube");
    sees(phone, &format!("{captain} doubles to 2"), AT_ONCE);
    evening.shows("#log", &format!("{captain} doubles to 2"));
    assert_eq!(phone.count(".board > li:nth-child(2) .at-cube"), 0, "it waits for the answer");
    assert_eq!(phone.run(MISFITS), Value::Array(vec![]));
}
