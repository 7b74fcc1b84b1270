//! An evening at one table: an open club, a settled line, the scorer's phone and the players' own. Tests work
//! like a thumb: they tap the labels they read.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::browser::{Browser, POLL};
use super::client::Client;
use super::databases::Db;
use super::house::{ADMIN, House, Table};

/// The time within which a page shows an act, on a machine that runs all other tests at the same time.
const SOON: Duration = Duration::from_secs(8);

const PASSWORD: &str = "quattro oche sul lago";

/// Finds faults of a page at its width: overflow, headings that break inside a word that has room on a line,
/// or tap targets that are too small.
pub const MISFITS: &str = "
    const misfits = [];
    const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (over > 0) misfits.push('wider by ' + over);
    for (const thing of document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary')) {
        if (thing.matches('.skip, :disabled') || thing.closest('details:not([open]) > :not(summary)')) continue;
        const box = (thing.matches('[type=checkbox], [type=radio]') ? thing.closest('label') : thing).getBoundingClientRect();
        if (box.width && box.height && (box.width < 43.5 || box.height < 43.5))
            misfits.push(thing.outerHTML.slice(0, 80) + ' ' + box.width + 'x' + box.height);
    }
    for (const table of document.querySelectorAll('.card > table')) {
        if (table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right)
            misfits.push('runs out of its card: ' + table.outerHTML.slice(0, 80));
    }
    for (const heading of document.querySelectorAll('h1, h2')) {
        const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, word.index);
            range.setEnd(texts.currentNode, word.index + word[0].length);
            const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
            if (lines.size > 1 && word[0].length * 17 < innerWidth - 32) misfits.push('broken: ' + word[0]);
        }
    }
    return misfits;";

/// A table at which a night is played, and the scorer's phone.
pub struct Evening {
    pub phone: Phone,
    pub table: Table,
    pub house: House,
}

impl Evening {
    /// Seats these players in this order under the common rules. `None` if there is no browser.
    pub fn with(names: &[&str]) -> Option<Self> {
        Self::under(&json!({}), names)
    }

    /// Like [`with`](Self::with), under these rules. If they do not roll one die each, or for fewer than
    /// three players, the order is not settled yet.
    pub fn under(rules: &Value, names: &[&str]) -> Option<Self> {
        let browser = Browser::phone()?;
        let house = House::open(Db::Sqlite)?;
        let client = house.admin();
        let players = names.iter().map(|name| ((*name).to_owned(), house.player(&client, name))).collect();
        let new =
            json!({"name": "Friday table", "stake": {"amount": 500, "currency": "EUR"}, "rules": rules});
        let opened = client.post("/api/v1/chouettes", &new).good();
        let id = opened.body["chouette"]["id"].as_str().unwrap().to_owned();
        let table = Table { client, id, players };
        for name in names {
            table.command(&json!({"command": "join", "player": name})).good();
        }
        if rules["order"].is_null() && names.len() >= 3 {
            line_up(&table, names);
        }
        let phone = Phone::signed_in(browser, &house, ADMIN);
        phone.goto(&table.page(""));
        Some(Self { phone, table, house })
    }

    /// The player's own phone, showing the table.
    pub fn phone_of(&self, name: &str) -> Option<Phone> {
        let phone = Phone::of_player(&self.house, &self.table.client, (name, &self.table.players[name]))?;
        phone.goto(&self.table.page(""));
        phone.browser.wait_for("#live[data-state=on]");
        Some(phone)
    }

    /// Gives a command that has names for players, and must succeed.
    #[track_caller]
    pub fn command(&self, command: &Value) {
        self.table.command(command).good();
    }

    /// A player's score, in half points.
    pub fn score(&self, name: &str) -> i64 {
        self.table.scores().get(name).copied().unwrap_or_default()
    }

    /// Opens the table, or one of its pages.
    pub fn goto(&self, below: &str) {
        self.phone.goto(&self.table.page(below));
    }

    /// Checks that nothing broke during all this.
    #[track_caller]
    pub fn ends_well(&self) {
        let logged = self.house.server.logged();
        assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
    }
}

/// Enters rolls of six, five, four and so on for these players.
#[track_caller]
pub fn line_up(table: &Table, names: &[&str]) {
    let rolls: Vec<Value> =
        names.iter().zip((1..=6).rev()).map(|(name, die)| json!({"player": name, "dice": [die]})).collect();
    assert_eq!(rolls.len(), names.len(), "a seventh would tie");
    table.command(&json!({"command": "enter_rolls", "rolls": rolls})).good();
}

/// A browser in a person's hand, signed in.
pub struct Phone {
    pub browser: Browser,
    site: String,
}

impl Phone {
    pub fn signed_in(browser: Browser, house: &House, (login, password): (&str, &str)) -> Self {
        let phone = Self { browser, site: house.server.url().to_owned() };
        phone.goto("/sign-in");
        phone.browser.fill("#login", login);
        phone.browser.fill("#password", password);
        phone.browser.click("main form button.main");
        phone.browser.wait_for("nav.tabs");
        phone
    }

    /// A player's own phone, with an account of that name. `None` if there is no browser.
    pub fn of_player(house: &House, admin: &Client, (name, player): (&str, &str)) -> Option<Self> {
        let browser = Browser::phone()?;
        let invitation = json!({"roles": ["player"], "player": player});
        let invited = admin.post("/api/v1/accounts", &invitation).good().body;
        let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
        let login = name.to_lowercase();
        let sign_up = json!({"login": login, "password": PASSWORD});
        house.server.public().post(&link, &sign_up).good();
        Some(Self::signed_in(browser, house, (&login, PASSWORD)))
    }

    /// Opens a page of the club.
    pub fn goto(&self, path: &str) {
        self.browser.goto(&format!("{}{path}", self.site));
        if self.browser.count("main > [data-page][data-live]") > 0 {
            self.browser.wait_for("#live[data-state=on]");
        }
    }

    /// Taps the button, link or line with exactly this label, after unfolding or scrolling whatever is
    /// needed.
    #[track_caller]
    pub fn tap(&self, label: &str) {
        let script = format!(
            "const label = {label:?};
             const said = (thing) => {{
                 const read = thing.cloneNode(true);
                 read.querySelectorAll('[aria-hidden=true]').forEach((drawn) => drawn.remove());
                 return (thing.getAttribute('aria-label') ?? read.textContent).replace(/\\s+/g, ' ').trim();
             }};
             const things = [...document.querySelectorAll('button:not([hidden] *), a, summary, label')];
             const found = things.find((thing) => said(thing) === label && !thing.disabled);
             if (!found) return 'nothing';
             let next = found;
             for (let d = found.closest('details'); d; d = d.parentElement.closest('details'))
                 if (!d.open && !(found === d.firstElementChild)) next = d.firstElementChild;
             document.querySelectorAll('[data-press]').forEach((thing) => delete thing.dataset.press);
             next.dataset.press = 'yes';
             next.scrollIntoView({{ block: 'center', behavior: 'instant' }});
             return next === found ? 'it' : 'what hides it';"
        );
        // The page may be redrawn between the two steps, and the mark is lost with it.
        let until = Instant::now() + SOON;
        loop {
            let found = self.browser.run(&script);
            if found != json!("nothing") && self.browser.click_now("[data-press]") && found == json!("it") {
                return;
            }
            assert!(Instant::now() < until, "no {label:?} at {}: {}", self.browser.url(), self.labels());
            std::thread::sleep(POLL);
        }
    }

    /// Taps the button with this label, and sees it in the log.
    #[track_caller]
    pub fn act(&self, label: &str) {
        self.tap(label);
        self.logs(label);
    }

    /// Unfolds an element, unless it is open.
    #[track_caller]
    pub fn open(&self, css: &str) {
        self.browser.wait_for(css);
        if self.browser.count(&format!("{css}[open]")) == 0 {
            self.click(&format!("{css} > summary"));
        }
        self.browser.wait_for(&format!("{css}[open]"));
    }

    /// Taps the first match, scrolled to where a thumb reaches it.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.browser.wait_for(css);
        self.browser.run(&format!(
            "document.querySelector({css:?}).scrollIntoView({{ block: 'center', behavior: 'instant' }})"
        ));
        self.browser.click(css);
    }

    #[track_caller]
    pub fn choose(&self, field: &str, value: &str) {
        let script = format!(
            "const field = document.getElementById({field:?});
             field.value = {value:?};
             field.dispatchEvent(new Event('change', {{ bubbles: true }}));
             return field.value"
        );
        self.browser.wait_for(&format!("[id='{field}']"));
        assert_eq!(self.browser.run(&script), json!(value), "{field}");
    }

    /// Types into a field, replacing its contents.
    #[track_caller]
    pub fn fill(&self, field: &str, text: &str) {
        self.browser.fill(&format!("[id='{field}']"), text);
    }

    /// Waits until the first match says this.
    #[track_caller]
    pub fn sees(&self, css: &str, text: &str) {
        self.browser.wait_for_text(css, text, SOON);
    }

    /// Waits until the newest line of the log says this.
    #[track_caller]
    pub fn logs(&self, text: &str) {
        self.sees("#log li:first-child", text);
    }

    /// Whether something can be tapped that has exactly this label.
    pub fn offers(&self, label: &str) -> bool {
        let script = format!(
            "return [...document.querySelectorAll('main button:not(:disabled), main a')]
                 .some((thing) => thing.textContent.replace(/\\s+/g, ' ').trim() === {label:?})"
        );
        self.browser.run(&script) == json!(true)
    }

    /// Whether a button with exactly this label is to be seen, without anything unfolded for it.
    pub fn sees_now(&self, label: &str) -> bool {
        let script = format!(
            "return [...document.querySelectorAll('main button')].some((one) =>
                 one.textContent.replace(/\\s+/g, ' ').trim() === {label:?} && one.checkVisibility())"
        );
        self.browser.run(&script) == json!(true)
    }

    /// The line as shown, box first.
    pub fn line(&self) -> Vec<String> {
        self.texts(".play .board .who > b")
    }

    /// The texts of all matches, as they are now.
    pub fn texts(&self, css: &str) -> Vec<String> {
        let script = format!(
            "return [...document.querySelectorAll({css:?})].map((thing) => thing.textContent.replace(/\\s+/g, ' ').trim())"
        );
        let texts = self.browser.run(&script);
        texts.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    }

    /// Checks that nothing overflows, and everything is large enough for a thumb.
    #[track_caller]
    pub fn fits(&self) {
        assert_eq!(self.browser.run(MISFITS), json!([]), "{}", self.browser.url());
    }

    fn labels(&self) -> String {
        self.texts("main button:not(:disabled), main a, main summary").join(" | ")
    }
}

impl Table {
    /// The address of the table's page, or of a page below it.
    pub fn page(&self, below: &str) -> String {
        format!("/chouettes/{}{below}", self.id)
    }
}
