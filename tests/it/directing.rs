//! The director's desk without scripts: plain forms, answered with a redirect, or with the same page and the
//! reason.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::matches::verified;
use crate::support::browser::Browser;
use crate::support::client::{Answer, Client, fields_of};
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

mod entries;
mod log;
mod pasted;
mod players;
mod refused;
mod whole;

const PASSWORD: &str = "quattro oche sul lago";

/// A tournament of four, drawn in order of entry, and browsers at its desk.
struct Hall {
    house: House,
    director: Client,
    id: String,
    players: BTreeMap<String, String>,
}

/// A form of a page: its address, its fields, and its buttons with their labels and values.
#[derive(Debug)]
struct PageForm {
    action: String,
    fields: Vec<(String, String)>,
    buttons: Vec<(String, Option<(String, String)>)>,
}

impl Hall {
    fn open(settings: &Value) -> Option<Self> {
        Self::on(Db::Sqlite, settings)
    }

    fn on(db: Db, settings: &Value) -> Option<Self> {
        let house = House::open(db)?;
        let director = house.admin();
        let about = json!({"name": "Spring Open", "date": "2026-11-20", "currency": "EUR"});
        let opened = director.post("/api/v1/tournaments", &about).good();
        let id = opened.body["id"].as_str().unwrap().to_owned();
        let names = ["Ada", "Bea", "Cleo", "Dino"];
        let players: BTreeMap<String, String> =
            names.iter().map(|name| ((*name).to_owned(), house.player(&director, name))).collect();
        let hall = Self { house, director, id, players };
        let entries: Vec<Value> = names.iter().map(|name| json!({"player": hall.players[*name]})).collect();
        hall.does(&json!({"command": "add_division", "settings": settings}));
        hall.does(&json!({"command": "enter", "entries": entries}));
        hall.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
        Some(hall)
    }

    #[track_caller]
    fn does(&self, command: &Value) {
        self.director.post(&format!("/api/v1/tournaments/{}/commands", self.id), command).good();
    }

    #[track_caller]
    fn get(&self, below: &str) -> Value {
        self.director.get(&format!("/api/v1/tournaments/{}{below}", self.id)).good().body
    }

    fn desk(&self, below: &str) -> String {
        format!("/tournaments/{}/desk{below}", self.id)
    }

    #[track_caller]
    fn browser(&self, login: &str, password: &str) -> Client {
        let browser = self.house.server.public().cookies();
        let token = csrf(&browser.get("/sign-in").good());
        let form = [("csrf", token.as_str()), ("login", login), ("password", password)];
        assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
        browser
    }

    /// A person with this role, as a client and as an account.
    #[track_caller]
    fn somebody(&self, role: &str) -> (Client, String) {
        let invited = self.director.post("/api/v1/accounts", &json!({"roles": [role]})).good().body;
        let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
        let sign_up = json!({"login": role, "password": PASSWORD});
        self.house.server.public().post(&link, &sign_up).good();
        (self.browser(role, PASSWORD), invited["account"].as_str().unwrap().to_owned())
    }
}

fn unescaped(text: &str) -> String {
    text.replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#38;", "&")
        .replace("&amp;", "&")
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(unescaped(rest.split('"').next()?))
}

fn words(html: &str) -> String {
    let text: String =
        html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    unescaped(&text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The forms of a page that are posted.
fn forms(page: &Answer) -> Vec<PageForm> {
    let html = page.text();
    let parts = html
        .split("<form ")
        .skip(1)
        .filter(|part| part.starts_with("method=\"post\"") || part.contains(" method=\"post\""));
    parts
        .map(|part| {
            let form = part.split("</form>").next().unwrap();
            let head = format!(" {}", form.split('>').next().unwrap());
            let inputs =
                form.split("<input ").skip(1).map(|input| format!(" {}", input.split('>').next().unwrap()));
            let fields = inputs.filter(|input| input.contains("type=\"hidden\""));
            let fields = fields
                .map(|input| (attribute(&input, "name").unwrap(), attribute(&input, "value").unwrap()))
                .collect();
            let buttons = form.split("<button").skip(1).map(|button| {
                let (tag, rest) = button.split_once('>').unwrap();
                let sends = attribute(tag, "name").zip(attribute(tag, "value"));
                let says = attribute(tag, "aria-label")
                    .unwrap_or_else(|| words(rest.split("</button>").next().unwrap()));
                (says, sends)
            });
            PageForm { action: attribute(&head, "action").unwrap(), fields, buttons: buttons.collect() }
        })
        .collect()
}

/// Presses the button with this label, with further fields filled in.
#[track_caller]
fn press(browser: &Client, page: &Answer, label: &str, more: &[(&str, &str)]) -> Answer {
    let all = forms(page);
    let found =
        all.iter().find_map(|form| Some((form, form.buttons.iter().find(|(says, _)| says == label)?)));
    let (form, (_, sends)) = found.unwrap_or_else(|| {
        panic!("no {label:?} among {:?}", all.iter().map(|form| &form.buttons).collect::<Vec<_>>())
    });
    let mut fields: Vec<(&str, &str)> =
        form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.extend(sends.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    fields.extend(more);
    browser.request("POST", &form.action).form(&fields).send()
}

/// The answer is a redirect to this path.
#[track_caller]
fn leads_to(answer: &Answer, path: &str) {
    assert_eq!((answer.status, answer.header("location")), (303, Some(path)), "{answer}");
}

#[test]
fn plain_forms_lead_on_and_a_form_sent_twice_does_nothing_twice() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let sheet = hall.desk("/1/matches/1");
    let page = browser.get(&sheet).good();
    let before = hall.get("")["version"].as_i64().unwrap();
    for _ in 0..2 {
        leads_to(&press(&browser, &page, "Bea wins 5–3", &[]), &hall.desk(""));
    }
    assert_eq!(hall.get("")["version"], before + 1);
    assert_eq!(hall.get("/divisions/1/matches/1")["outcome"]["score"], json!([3, 5]));
    // On an outdated page a second result comes too late, and the sheet says so next to the button.
    let late = press(&browser, &page, "Ada wins by walkover, Bea did not come", &[]);
    assert_eq!(late.status, 422, "{late}");
    assert!(late.text().contains("Bea beats Ada 5–3") && late.text().contains("role=\"alert\""), "{late}");
    let undo = press(&browser, &browser.get(&hall.desk("")).good(), "Undo: Bea beats Ada 5–3", &[]);
    leads_to(&undo, &hall.desk(""));
    assert!(hall.get("/divisions/1/matches/1")["outcome"].is_null());
}

/// What is undone from any page of the desk, searched or not, is answered with a live part that a script puts
/// in place.
#[test]
fn an_undo_stays_on_the_page_it_is_tapped_on() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    for page in [
        "",
        "?find=Ada",
        "/room",
        "/log",
        "/settings",
        "/1/entries?find=Ada",
        "/1/entries/1",
        "/1/entries/1?leave=now",
        "/1/draw",
        "/1/matches/1",
        "/new-division",
        "/1/settings",
    ] {
        hall.does(&json!({"command": "check_in", "entries": [1], "here": true}));
        let shown = browser.get(&hall.desk(page)).good();
        let undo = forms(&shown)
            .into_iter()
            .find(|form| form.buttons.iter().any(|(says, _)| says.starts_with("Undo")));
        let undo = undo.unwrap_or_else(|| panic!("no undo on {page}: {shown}"));
        let fields: Vec<_> =
            undo.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let done = browser.request("POST", &undo.action).form(&fields).header("HX-Request", "true").send();
        assert_eq!(done.status, 200, "{page}: {done}");
        let takes_acts = !["/new-division", "/1/settings"].contains(&page);
        let there = hall.desk(if takes_acts { page } else { "" }).replace('&', "&#38;");
        assert!(done.text().contains(&format!("data-page=\"{there}\"")), "{page}: {done}");
        assert_eq!(hall.get("/divisions/1/entries/1")["checked_in"], json!(false));
    }
}

/// T2: somebody who did not come goes on in the consolation only if that is said.
#[test]
fn t2_a_page_asks_whether_who_did_not_come_goes_on() {
    let settings = json!({"lengths": [5], "format": {"consolation": {"of": "first_losers"}}});
    for (said, standing) in [("but plays on", "in"), ("and withdraws", "withdrawn")] {
        let Some(hall) = Hall::open(&settings) else { return };
        let browser = hall.browser(ADMIN.0, ADMIN.1);
        let page = browser.get(&hall.desk("/1/matches/1")).good();
        let buttons: Vec<String> =
            forms(&page).into_iter().flat_map(|form| form.buttons).map(|(label, _)| label).collect();
        let plain = "Ada wins by walkover, Bea did not come";
        assert!(!buttons.iter().any(|label| label == plain), "one must be chosen: {buttons:?}");
        leads_to(&press(&browser, &page, &format!("{plain} {said}"), &[]), &hall.desk(""));
        let entries = hall.get("/divisions/1/entries");
        let bea = entries["items"].as_array().unwrap().iter().find(|entry| entry["entry"] == 2).unwrap();
        assert_eq!(bea["standing"], standing, "{bea}");
        // The loser of the final goes nowhere.
        hall.does(&json!({"command": "result", "match": 2, "ended": {"ending": "played", "score": [5, 0]}}));
        let last = browser.get(&hall.desk("/1/matches/3")).good();
        assert!(last.text().contains("did not come</button>"), "{last}");
        // A sheet leads to the desk, which asks.
        hall.does(&json!({"command": "open_sheet", "match": 3}));
        let at = hall.get("/divisions/1/matches/3");
        let sheet = browser.get(&format!("/matches/{}", at["sheet"].as_str().unwrap())).good();
        assert!(!sheet.text().contains("did not come<"), "{sheet}");
        assert!(sheet.text().contains(&format!("href=\"{}\"", hall.desk("/1/matches/3"))), "{sheet}");
    }
}

/// T2: neither does a correction send somebody who did not come to the consolation unasked.
#[test]
fn t2_a_page_asks_when_a_result_turns_out_to_be_a_walkover() {
    let settings = json!({"lengths": [5], "format": {"consolation": {"of": "first_losers"}}});
    for (said, standing) in [("but plays on", "in"), ("and withdraws", "withdrawn")] {
        let Some(hall) = Hall::open(&settings) else { return };
        let browser = hall.browser(ADMIN.0, ADMIN.1);
        hall.does(&json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [5, 0]}}));
        let sheet = hall.desk("/1/matches/1");
        let page = browser.get(&format!("{sheet}/correct")).good();
        let label = format!("Ada wins by walkover, Bea did not come {said}");
        let button =
            page.text().split("name=\"ended\" value=\"").find(|part| part.contains(&format!(">{label}<")));
        let value =
            button.and_then(|button| button.split('"').next()).unwrap_or_else(|| panic!("{label}: {page}"));
        assert!(!page.text().contains("Bea did not come<"), "one must be chosen: {page}");
        let shown = browser.get(&format!("{sheet}/correct?ended={value}")).good();
        let record = forms(&shown).into_iter().flat_map(|form| form.buttons).map(|(label, _)| label);
        let record = record.into_iter().find(|label| label.starts_with("Record")).unwrap();
        assert_eq!(shown.text().contains(&label), standing == "withdrawn", "{shown}");
        leads_to(&press(&browser, &shown, &record, &[]), &sheet);
        let entries = hall.get("/divisions/1/entries");
        let bea = entries["items"].as_array().unwrap().iter().find(|entry| entry["entry"] == 2).unwrap();
        assert_eq!(bea["standing"], standing, "{bea}");
    }
}

/// C09: whether a walkover counts like a bye is a choice of the division.
#[test]
fn c09_a_division_counts_walkovers_as_byes_if_that_is_chosen() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "add_division", "settings": {"name": "Second"}}));
    let page = browser.get(&hall.desk("/2/settings")).good();
    let fields = [("name", "Second"), ("lengths", "5"), ("format", "first-played"), ("house_keeps", "0")];
    leads_to(&press(&browser, &page, "Save", &fields), &hall.desk("/settings"));
    let chosen = json!({"of": "first_losers", "walkovers_are_byes": true});
    assert_eq!(hall.get("")["divisions"][1]["settings"]["format"]["consolation"], chosen);
    let page = browser.get(&hall.desk("/2/settings")).good();
    assert!(page.text().contains("value=\"first-played\" selected"), "{page}");
    let told = browser.get(&format!("/tournaments/{}", hall.id)).good();
    assert!(told.text().contains("consolation for those who lose the first match they play"), "{told}");
}

/// R6: what is out of range is refused at its field, where it stands as it was typed.
#[test]
fn r6_nine_hundred_and_ninety_nine_re_entries_do_not_become_255() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let page = browser.get(&hall.desk("/1/settings")).good();
    let fields = [("name", "Open"), ("lengths", "5"), ("house_keeps", "0"), ("re_entries", "999")];
    let refused = press(&browser, &page, "Save", &fields);
    assert_eq!(refused.status, 422, "{refused}");
    assert!(refused.text().contains("value=\"999\"") && !refused.text().contains("\"255\""), "{refused}");
}

#[test]
fn two_helpers_do_not_stand_in_each_others_way_but_a_correction_is_of_what_was_seen() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let (one, other) = (hall.browser(ADMIN.0, ADMIN.1), hall.browser(ADMIN.0, ADMIN.1));
    let (first, second) =
        (one.get(&hall.desk("/1/matches/1")).good(), other.get(&hall.desk("/1/matches/2")).good());
    leads_to(&press(&one, &first, "Ada wins 5–0", &[]), &hall.desk(""));
    leads_to(&press(&other, &second, "Dino wins 5–1", &[]), &hall.desk(""));
    // Nothing has been played since, so there is no choice about later matches.
    let shown = one.get(&hall.desk("/1/matches/1/correct?ended=played-lower-4")).good();
    assert!(shown.text().contains("Record: Bea beats Ada 5–4"), "{shown}");
    assert!(!shown.text().contains("What about the matches"), "{shown}");
    let correct = hall.desk("/1/matches/1/correct?ended=played-lower-4&later=void");
    let shown = one.get(&correct).good();
    assert!(shown.text().contains("Bea takes the place of Ada"), "{shown}");
    hall.does(&json!({"command": "result", "match": 3, "ended": {"ending": "played", "score": [5, 2]}}));
    let stale = press(&one, &shown, "Record: Bea beats Ada 5–4", &[]);
    assert_eq!(stale.status, 412, "the final was played meanwhile: {stale}");
    let shown = one.get(&correct).good();
    assert!(shown.text().contains("Void, to be played again: Ada beats Dino 5–2"), "{shown}");
    leads_to(&press(&one, &shown, "Record: Bea beats Ada 5–4", &[]), &hall.desk("/1/matches/1"));
    assert!(hall.get("/divisions/1/matches/3")["outcome"].is_null());
    // An impossible result, and one that is already recorded, are refused on the page.
    for (asked, status) in
        [("played-lower-4", 422), ("played-lower-5", 422), ("nonsense", 200), ("walkover-x", 200)]
    {
        let page = one.get(&hall.desk(&format!("/1/matches/1/correct?ended={asked}&later=void")));
        assert_eq!(page.status, status, "{asked}: {page}");
    }
}

/// The content of a confirmation is in the page's address. So a browser that fetches it again, for instance a
/// reopened tab or after a refusal, sees it for the current state.
#[test]
fn a_confirmation_is_part_of_its_pages_address() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [5, 0]}}));
    hall.does(&json!({"command": "result", "match": 2, "ended": {"ending": "played", "score": [5, 0]}}));
    hall.does(&json!({"command": "result", "match": 3, "ended": {"ending": "played", "score": [5, 0]}}));
    let confirmations = [
        ("/1/matches/1/correct?ended=played-lower-4&later=void", "Record: Bea beats Ada 5–4"),
        ("/1/entries/1?leave=now", "Record: Ada leaves now"),
    ];
    for (below, record) in confirmations {
        let page = browser.get(&hall.desk(below)).good();
        let own = attribute(page.text().split("id=\"table\"").nth(1).unwrap(), "data-page").unwrap();
        assert_eq!(own, hall.desk(below), "where it is fetched again");
        let again = browser.request("GET", &own).header("HX-Request", "true").send().good();
        assert!(again.text().contains(record) && !again.text().contains("<html"), "{again}");
        // Somebody else has changed the tournament meanwhile: the command is refused, and the page shows the
        // current state.
        hall.does(&json!({"command": "check_in", "entries": [2], "here": true}));
        let refused = press(&browser, &page, record, &[]);
        assert_eq!(refused.status, 412, "{below}: {refused}");
        assert!(refused.text().contains(record), "{below}: {refused}");
        hall.does(&json!({"command": "undo"}));
    }
    let page = browser.get(&hall.desk(confirmations[1].0)).good();
    leads_to(&press(&browser, &page, confirmations[1].1, &[]), &hall.desk("/1/entries/1"));
}

/// While the list is filtered, no button acts on matches outside it; the count of what comes next covers all.
#[test]
fn a_filtered_desk_calls_what_it_shows() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "set_tables", "tables": [{"table": 7}]}));
    let next = |page: &Answer| {
        words(page.text().split("id=\"next\"").nth(1).unwrap().split("</section>").next().unwrap())
    };
    let all = browser.get(&hall.desk("")).good();
    assert!(next(&all).contains("Call the next match to the free table"), "{}", next(&all));
    let of_cleo = browser.get(&hall.desk("?find=cleo")).good();
    assert!(next(&of_cleo).contains("2 matches are ready"), "{}", next(&of_cleo));
    assert!(!of_cleo.text().contains("call_next"), "nothing that calls another match: {of_cleo}");
    leads_to(&press(&browser, &of_cleo, "Call to table 7", &[]), &hall.desk(""));
    let called = &hall.get("/divisions/1/matches/2")["call"]["table"];
    assert_eq!(called, 7, "the one that was shown");
    let nobody = browser.get(&hall.desk("?find=nobody")).good();
    assert!(!nobody.text().contains("Nothing to do right now"), "{nobody}");
    assert!(next(&nobody).contains("One match is ready"), "{}", next(&nobody));
}

/// Søren can be found as `soren`, on a keyboard without an ø, in every search field.
#[test]
fn a_player_is_found_without_typing_accents() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    for (old, new) in [("Ada", "Søren Łuk"), ("Cleo", "Amélie")] {
        hall.director.patch(&format!("/api/v1/players/{}", hall.players[old]), &json!({"name": new})).good();
    }
    let at = format!("/tournaments/{}", hall.id);
    for (page, name) in [
        ("/players?q=soren".to_owned(), "Søren Łuk"),
        (format!("{at}/1/entries?q=soren"), "Søren Łuk"),
        (format!("{at}/desk?find=soren"), "Søren Łuk"),
        (format!("{at}/desk/1/entries?find=luk"), "Søren Łuk"),
        (format!("{at}/desk?find=AMELIE"), "Amélie"),
    ] {
        let found = browser.get(&page).good();
        assert!(
            found.text().contains(&format!("<b>{name}")) || words(found.text()).contains(name),
            "{page}: {found}"
        );
    }
    let found = hall.director.get("/api/v1/players?search=soren").good().body;
    assert_eq!(found["items"][0]["name"], "Søren Łuk");
}

#[test]
fn a_score_of_a_long_match_is_typed_and_points_are_kept_where_it_was_conceded() {
    let Some(hall) = Hall::open(&json!({"lengths": [31]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let page = browser.get(&hall.desk("/1/matches/1")).good();
    assert_eq!(press(&browser, &page, "Ada wins", &[("ended[score][1]:number", "31")]).status, 422);
    let page = browser.get(&hall.desk("/1/matches/1")).good();
    leads_to(
        &press(
            &browser,
            &page,
            "Ada wins",
            &[("ended[score][1]:number", "12"), ("ended[score][0]:number", "")],
        ),
        &hall.desk(""),
    );
    assert_eq!(hall.get("/divisions/1/matches/1")["outcome"]["score"], json!([31, 12]));
    let page = browser.get(&hall.desk("/1/matches/2")).good();
    let done = press(
        &browser,
        &page,
        "Cleo concedes to Dino",
        &[("points_then[upper]:number", "7"), ("points_then[lower]:number", "20")],
    );
    leads_to(&done, &hall.desk(""));
    let outcome = &hall.get("/divisions/1/matches/2")["outcome"];
    assert_eq!((&outcome["ending"], &outcome["score"]), (&json!("conceded"), &json!([7, 20])));
}

#[test]
fn everybody_at_the_desk_sees_the_buttons_they_may_press() {
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": {"entry": 1000}})) else { return };
    hall.does(&json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [5, 0]}}));
    let (scorer, _) = hall.somebody("scorer");
    assert!(!scorer.get(&hall.desk("/1/matches/1")).good().text().contains("Correct the result"));
    for below in ["/1/matches/1/correct", "/1/draw", "/settings", "/1/settings", "/new-division"] {
        assert_eq!(scorer.get(&hall.desk(below)).status, 403, "{below}");
    }
    let page = scorer.get(&hall.desk("/1/matches/2")).good();
    leads_to(&press(&scorer, &page, "Cleo wins 5–2", &[]), &hall.desk(""));
    // A scorer may undo their own act, but not another's.
    let page = scorer.get(&hall.desk("")).good();
    leads_to(&press(&scorer, &page, "Undo: Cleo beats Dino 5–2", &[]), &hall.desk(""));
    assert!(!scorer.get(&hall.desk("")).good().text().contains("Undo: Ada beats Bea"));
    // A player sees none of it, unless they direct this tournament.
    let (player, account) = hall.somebody("player");
    assert_eq!(player.get(&hall.desk("")).status, 403);
    hall.does(&json!({"command": "set_directors", "directors": [account]}));
    let page = player.get(&hall.desk("/1/matches/1")).good();
    assert!(page.text().contains("Correct the result"), "{page}");
    let page = player.get(&hall.desk("/money")).good();
    leads_to(&press(&player, &page, "Ada has paid 10.00 EUR", &[]), &hall.desk("/money"));
    assert_eq!(player.get(&format!("/tournaments/{}/edit", hall.id)).status, 200);
}

/// Money and points are labelled as such, even on the first page that a player sees.
#[test]
fn what_somebody_has_in_money_is_not_called_points() {
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": {"entry": 10_000}})) else { return };
    let invited = json!({"roles": ["player"], "player": hall.players["Ada"]});
    let invited = hall.director.post("/api/v1/accounts", &invited).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    hall.house.server.public().post(&link, &json!({"login": "ada", "password": PASSWORD})).good();
    let home = words(hall.browser("ada", PASSWORD).get("/").good().text());
    let (_, balance) = home.split_once("Your balance").expect("her balance");
    assert!(balance.trim_start().starts_with("-100.00 EUR"), "{balance}");
    assert!(!balance.starts_with(" -100.00 EUR points"), "{balance}");
}

#[test]
fn tables_amounts_and_prizes_are_typed_and_what_is_wrong_is_said() {
    let settings = json!({"lengths": [5], "fees": {"entry": 1000}});
    let Some(hall) = Hall::open(&settings) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let page = browser.get(&hall.desk("/room")).good();
    for (typed, status) in [("1-x", 400), ("0", 400), ("1-9999", 400)] {
        assert_eq!(
            press(&browser, &page, "Save the tables", &[("tables[open]", typed)]).status,
            status,
            "{typed}"
        );
    }
    let page = browser.get(&hall.desk("/room")).good();
    let fields = [("tables[open]", "1-4"), ("tables[reserved]", "3"), ("tables[closed]", "4, 6")];
    leads_to(&press(&browser, &page, "Save the tables", &fields), &hall.desk("/room"));
    let tables = hall.get("")["tables"].clone();
    let used: Vec<&Value> = tables.as_array().unwrap().iter().map(|table| &table["for"]).collect();
    assert_eq!(used, ["open", "open", "reserved", "closed", "closed"]);

    let page = browser.get(&hall.desk("/money")).good();
    let ada = hall.players["Ada"].as_str();
    assert_eq!(press(&browser, &page, "Has paid", &[("player", ada), ("amount", "ten")]).status, 400);
    let page = browser.get(&hall.desk("/money")).good();
    leads_to(
        &press(&browser, &page, "Has paid", &[("player", ada), ("amount", "4,50")]),
        &hall.desk("/money"),
    );
    let page = browser.get(&hall.desk("/money")).good();
    leads_to(&press(&browser, &page, "The house adds money", &[("amount", "100")]), &hall.desk("/money"));
    for at in [1, 2, 3] {
        hall.does(&json!({"command": "result", "match": at, "ended": {"ending": "played", "score": [5, 0]}}));
    }
    let page = browser.get(&hall.desk("/money")).good();
    let (first, second) = ("awards[0][amount]", "awards[1][amount]");
    let too_much = [(first, "100"), (second, "50")];
    let wrong = press(&browser, &page, "Award them differently", &too_much);
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("They must add up to 140.00 EUR."), "{wrong}");
    let page = browser.get(&hall.desk("/money")).good();
    let all = [(first, "70"), (second, "70.00")];
    leads_to(&press(&browser, &page, "Award them differently", &all), &hall.desk("/money"));
    let page = words(browser.get(&hall.desk("/money")).good().text());
    assert!(page.contains("Should be in the cash box4.50 EUR"), "{page}");
    let given = hall.get("/divisions/1/prizes")["given"].clone();
    assert!(given.as_array().unwrap().iter().all(|award| award["amount"] == 7_000), "{given}");
}

/// The page stays open after saving: its form holds the saved values, and the next save sends them, not
/// blanks.
#[test]
fn a_form_that_was_saved_can_be_saved_again_with_one_field_changed() {
    let Some(browser) = Browser::laptop() else { return };
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let director = Phone::signed_in(browser, &hall.house, ADMIN);
    let used = || -> Vec<String> {
        let tables = hall.get("")["tables"].as_array().unwrap().clone();
        tables
            .iter()
            .map(|table| format!("{}{}", table["table"], &table["for"].as_str().unwrap()[..1]))
            .collect()
    };
    director.goto(&hall.desk("/room"));
    let browser = &director.browser;
    browser.fill("#tables", "1-3");
    browser.fill("#reserved", "4");
    director.tap("Save the tables");
    director.sees("#free", "3 tables are free.");
    browser.run("document.getElementById('set-tables').open = true");
    let held = |field: &str| browser.run(&format!("return document.getElementById('{field}').value"));
    assert_eq!([held("tables"), held("reserved"), held("closed")], ["1-3", "4", ""]);
    browser.fill("#closed", "3");
    director.tap("Save the tables");
    director.sees("#free", "2 tables are free.");
    assert_eq!(used(), ["1o", "2o", "3c", "4r"]);
}

/// One tap opens a match's sheet. A field with an impossible value is named. The treasurer is led to the
/// money.
#[test]
fn the_desk_leads_on_to_the_sheet_and_names_the_field_that_is_wrong() {
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": {"entry": 1000}})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let page = browser.get(&hall.desk("/1/matches/1")).good();
    let opened = press(&browser, &page, "Score it game by game", &[]);
    let on = browser.get(opened.header("location").unwrap());
    assert!(on.header("location").is_some_and(|sheet| sheet.starts_with("/matches/")), "{on}");
    let page = browser.get(&hall.desk("/1/settings")).good();
    let typed = [("lengths", "5"), ("house_keeps", "0"), ("registration", "abc")];
    let wrong = press(&browser, &page, "Save", &typed);
    assert_eq!(wrong.status, 422);
    let said = words(wrong.text());
    assert!(said.contains("Registration, to the house: ") && wrong.text().contains("aria-invalid"), "{said}");
    let (treasurer, _) = hall.somebody("treasurer");
    let page = treasurer.get(&format!("/tournaments/{}", hall.id)).good();
    assert!(page.text().contains(&hall.desk("/money")), "{page}");
    let page = treasurer.get(&hall.desk("/money")).good();
    assert!(!page.text().contains(&format!("href=\"{}\"", hall.desk("/room"))), "{page}");
}

#[test]
fn a_form_that_makes_no_sense_is_refused_and_harms_nobody() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let (player, _) = hall.somebody("player");
    let act = format!("/tournaments/{}/act", hall.id);
    for browser in [&player, &hall.browser(ADMIN.0, ADMIN.1)] {
        let token = csrf(&browser.get("/tournaments").good());
        for (command, field) in [
            (json!({"command": "draw", "method": "x"}), ("slot", "1")),
            (json!({"command": "draw", "method": [1]}), ("slot", "1")),
            (json!({"command": "draw"}), ("slot", "1")),
            (json!({"command": "enter", "entries": [5]}), ("entries[0][side_pools][]:number", "0")),
            (json!({"command": "enter", "entries": 5}), ("side_pools", "0")),
            (json!({"command": ["enter"]}), ("side_pools", "0")),
            (json!({"command": "seat"}), ("choice", "x")),
            (json!({"command": "set_tables"}), ("tables[open]", "99999")),
            (json!({"command": "set_tables", "tables": 1}), ("tables[open]", "1")),
            (json!({"command": "postpone", "match": 1}), ("minutes:number", "soon")),
            (json!({"command": "pay_in"}), ("amount", "1.234")),
        ] {
            let written = fields_of(&command);
            let mut form = vec![("csrf", token.as_str())];
            form.extend(written.iter().map(|(name, value)| (name.as_str(), value.as_str())));
            form.push(field);
            let answer = browser.request("POST", &act).form(&form).send();
            assert!([400, 403, 422].contains(&answer.status), "{command}: {answer}");
        }
    }
    assert!(hall.get("/divisions/1/matches/1")["outcome"].is_null());
}

#[test]
fn a_result_is_of_those_who_were_seen_and_never_made_up() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    for number in [1, 2] {
        hall.does(
            &json!({"command": "result", "match": number, "ended": {"ending": "played", "score": [5, 0]}}),
        );
    }
    let page = browser.get(&hall.desk("/1/matches/3")).good();
    // Submitted by a script or the return key, without any button's value.
    let form =
        forms(&page).into_iter().find(|form| form.buttons.iter().any(|(says, _)| says.contains("5–3")));
    let form = form.unwrap();
    let fields: Vec<(&str, &str)> =
        form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let answer = browser.request("POST", &form.action).form(&fields).send();
    assert_eq!(answer.status, 400, "{answer}");
    assert!(hall.get("/divisions/1/matches/3")["outcome"].is_null());
    // Meanwhile the first match is corrected, so another player is in the final.
    let ended = json!({"ending": "played", "score": [0, 5]});
    hall.does(&json!({"command": "correct", "match": 1, "ended": ended, "later": "void"}));
    let late = press(&browser, &page, "Ada wins 5–3", &[]);
    assert_eq!(late.status, 422, "{late}");
    assert!(late.text().contains("This match has other players now"), "{late}");
    assert!(hall.get("/divisions/1/matches/3")["outcome"].is_null());
}

#[test]
fn the_end_names_whose_fees_are_given_back_and_what_was_not_given_and_a_correction_who_gives_up_a_last_chance()
 {
    let fees = json!({"entry": 1_000});
    let Some(hall) = Hall::open(&json!({"lengths": [5], "fees": fees})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let result = |number: u32, score: [u16; 2]| {
        let ended = json!({"ending": "played", "score": score});
        hall.does(&json!({"command": "result", "match": number, "ended": ended}));
    };
    let late: Vec<Value> = ["Elio", "Fia"]
        .iter()
        .map(|name| json!({"player": hall.house.player(&hall.director, name)}))
        .collect();
    hall.does(&json!({"command": "enter", "entries": late}));
    result(1, [5, 0]);
    result(2, [5, 0]);
    hall.does(&json!({"command": "draw_last_chance", "entries": [2, 4]}));
    // Bea would be in the final again, and so in two places.
    let preview = |command: &Value| {
        let path = format!("/api/v1/tournaments/{}/preview", hall.id);
        hall.director.post(&path, command).good().body
    };
    let correct = json!({
        "command": "correct", "match": 1, "ended": {"ending": "played", "score": [0, 5]}, "later": "void",
    });
    assert_eq!(preview(&correct)["given_up"], json!([{"entry": 2, "flight": 1}]));
    let shown = browser.get(&hall.desk("/1/matches/1/correct?ended=played-lower-0&later=void")).good();
    assert!(
        shown.text().contains("Bea has a match to play again and drops out of the last chance."),
        "{shown}"
    );
    result(3, [5, 0]);
    result(4, [5, 0]);
    hall.does(&json!({"command": "award"}));
    hall.does(&json!({"command": "add_money", "amount": 600}));

    let before = &preview(&json!({"command": "close"}))["before_closing"];
    let waiting: Vec<_> =
        before["waiting"].as_array().unwrap().iter().map(|one| (&one["entry"], &one["fees"])).collect();
    assert_eq!(json!(waiting), json!([[5, 1_000], [6, 1_000]]));
    assert_eq!(before["prizes_not_given"], json!([{"division": 1, "amount": 600}]));
    let page = browser.get(&hall.desk("")).good();
    for said in ["Elio: 10.00 EUR", "Fia: 10.00 EUR", "prizes of 6.00 EUR have not been awarded"] {
        assert!(page.text().contains(said), "{said}: {page}");
    }
    if let (Ok(folder), Some(driver)) = (std::env::var("OWLBOX_TEST_PICTURES"), Browser::phone()) {
        let director = Phone::signed_in(driver, &hall.house, ADMIN);
        director.goto(&hall.desk(""));
        director.browser.screenshot(&std::path::Path::new(&folder).join("closing.png"));
    }
    let kept = "keep[1][division]:number=1&keep[1][entry]:number=6";
    let refused = press(&browser, &page, "Close the tournament", &[("choice", kept)]);
    assert_eq!(refused.status, 422, "kept without a reason: {refused}");
    let kept = [("choice", kept), ("reason", "did not come when called")];
    leads_to(&press(&browser, &page, "Close the tournament", &kept), &hall.desk(""));
    let owes = |name: &str| {
        let accounts = hall.get("/accounts");
        let players = hall.director.get(&format!("/api/v1/players?search={name}")).good().body;
        let found = accounts["items"].as_array().unwrap().iter();
        found
            .filter(|account| account["player"] == players["items"][0]["id"])
            .map(|one| one["amount"].clone())
            .next()
    };
    assert_eq!((owes("Elio"), owes("Fia")), (None, Some(json!(-1_000))));
}

/// Truth F2: no page counts in the pools what somebody paid who waits.
#[test]
fn f2_pools_are_what_is_played_for_on_every_page() {
    let settings = json!({
        "lengths": [5], "fees": {"entry": 1_000}, "side_pools": [{"name": "Calcutta", "stake": 500}],
    });
    let Some(hall) = Hall::open(&settings) else { return };
    let player = hall.house.player(&hall.director, "Elio");
    hall.does(&json!({"command": "enter", "entries": [{"player": player, "side_pools": [0]}]}));
    let prizes = hall.get("/divisions/1/prizes");
    assert_eq!((&prizes["pool"], &prizes["side_pools"]), (&json!(4_000), &json!([0])));
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    let home = format!("/tournaments/{}", hall.id);
    for page in [hall.desk("/money"), home.clone(), format!("{home}/1/places")] {
        let page = browser.get(&page).good();
        assert!(page.text().contains("40.00 EUR") && !page.text().contains("50.00 EUR"), "{page}");
    }
}

/// Prizes say what they come of, and a last chance with a prize of its own says beforehand which others it
/// changes.
#[test]
fn prizes_say_why_and_a_last_chance_changes_none_in_silence() {
    let payout = json!([{"prize": "winner", "parts": 2}, {"prize": "last_chance_winner", "parts": 1}]);
    let settings = json!({"lengths": [5], "fees": {"entry": 1_000}, "payout": payout});
    let Some(hall) = Hall::open(&settings) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    for number in [1, 2] {
        let ended = json!({"ending": "played", "score": [5, 0]});
        hall.does(&json!({"command": "result", "match": number, "ended": ended}));
    }
    let said = |page: &str| words(browser.get(&hall.desk(page)).good().text());
    let share = |prize: &str, share: &str| {
        let page = browser.get(&hall.desk("/money")).good();
        let row = format!("<th scope=\"row\">{prize}</th><td class=\"num\">{share}</td>");
        assert!(page.flows(&row), "{row}: {page}");
    };
    share("Winner", "2/2");
    let draw = said("/1/draw");
    assert!(draw.contains("Winner: 40.00 EUR → 27.00 EUR"), "{draw}");
    assert!(draw.contains("Winner of the last chance: 0.00 EUR → 13.00 EUR"), "{draw}");
    hall.does(&json!({"command": "draw_last_chance", "entries": [2, 4]}));
    share("Winner", "2/3");
    share("Winner of the last chance", "1/3");
    assert!(said("/money").contains("Prizes are whole multiples of 1.00 EUR"));
    assert!(!said("/1/draw").contains("has a prize of its own"), "another last chance changes none of them");
}
