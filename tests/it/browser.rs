//! The pages in a real browser: set-up, a whole game by clicking while a second browser watches, and what
//! must hold for every page.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::{Client, fields_of};
use crate::support::databases::{Database, Db};
use crate::support::evening::MISFITS;
use crate::support::server::Server;

const PASSWORD: &str = "quattro oche sul lago";
/// The time within which a browser shows every act, on a machine that runs all other tests at the same time.
/// For the time on an idle machine see docs/performance.md.
pub const AT_ONCE: Duration = Duration::from_secs(5);

/// A server and its database, which must outlive it.
pub fn server() -> (Server, Database) {
    let database = Db::Sqlite.fresh().unwrap();
    (Server::start(&database), database)
}

/// The set-up code on the console.
fn code(server: &Server) -> String {
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        let printed = server.printed();
        if let Some(code) = printed.lines().find_map(|line| line.split("the code ").nth(1)) {
            return code.trim().to_owned();
        }
        assert!(Instant::now() < until, "no code in {printed}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The value of a hidden field of a page.
pub fn field(page: &str, name: &str) -> String {
    let mark = format!("name=\"{name}\" value=\"");
    let value = page.split(&mark).nth(1).unwrap_or_else(|| panic!("no {name} in {page}"));
    value.split('"').next().unwrap().replace("&#34;", "\"").replace("&quot;", "\"")
}

/// Posts a form of a page as a browser without scripts does.
pub fn post(
    client: &Client,
    page: &str,
    path: &str,
    fields: &[(&str, &str)],
) -> crate::support::client::Answer {
    let csrf = field(client.get(page).text(), "csrf");
    let mut fields = fields.to_vec();
    fields.push(("csrf", &csrf));
    client.request("POST", path).form(&fields).send()
}

/// A club that kim has set up with plain posts: nothing here needs a script.
pub fn club(server: &Server) -> Client {
    let kim = server.public().cookies();
    set_up(server, &kim);
    kim
}

fn set_up(server: &Server, kim: &Client) {
    let code = code(server);
    let fields = [
        ("code", code.as_str()),
        ("club", "Owls"),
        ("time_zone", "Europe/Rome"),
        ("login", "kim"),
        ("password", PASSWORD),
    ];
    let answer = post(kim, "/set-up", "/set-up", &fields);
    assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{answer}");
}

pub fn sign_in(browser: &Browser, server: &Server) {
    browser.goto(&format!("{}/sign-in", server.url()));
    browser.fill("#login", "kim");
    browser.fill("#password", PASSWORD);
    browser.click("main form button.main");
    browser.wait_for("nav.tabs");
}

/// Clicks the button with this label, wherever on the page it is.
pub fn press(browser: &Browser, label: &str) {
    let script = format!(
        "const wanted = {label:?};
         const button = [...document.querySelectorAll('button:not([hidden] *), a.button')].find((b) => b.textContent.trim().endsWith(wanted));
         if (!button) return false;
         for (let d = button.closest('details'); d; d = d.parentElement.closest('details')) d.open = true;
         document.querySelectorAll('[data-press]').forEach((b) => delete b.dataset.press);
         button.dataset.press = 'yes';
         return true;"
    );
    // The table may be redrawn between the two steps, and the mark is lost with it.
    let until = Instant::now() + Duration::from_secs(5);
    while browser.run(&script) != Value::Bool(true) || !browser.click_now("[data-press]") {
        assert!(Instant::now() < until, "no button {label:?}: {}", browser.text("#table"));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the newest line of the log says this.
#[track_caller]
pub fn sees(browser: &Browser, text: &str, within: Duration) {
    browser.wait_for_text("#log li:first-child", text, within);
}

#[test]
fn the_club_is_set_up_in_the_browser_and_one_signs_out_and_in() {
    let Some(browser) = Browser::phone() else { return };
    let (server, _database) = server();
    browser.goto(server.url());
    assert!(browser.url().ends_with("/set-up"));
    let set_up = |code: &str| {
        browser.fill("#code", code);
        browser.fill("#club", "Owls");
        browser.fill("#time_zone", "Europe/Rome");
        browser.fill("#login", "kim");
        browser.fill("#password", PASSWORD);
        browser.click("main form button.main");
    };
    set_up("AAAA-AAAA-AAAA");
    browser.wait_for(".notice.problem");
    set_up(&code(&server));
    browser.wait_for_text("h1", "Tonight", Duration::from_secs(5));

    browser.goto(&format!("{}/players?q=a", server.url()));
    browser.click("details.me summary");
    browser.click("form[action='/sign-out'] button");
    browser.wait_for("#password");
    browser.goto(&format!("{}/players?q=a", server.url()));
    assert!(browser.url().contains("/sign-in?next=/players%3Fq%3Da"), "{}", browser.url());
    browser.fill("#login", "kim");
    browser.fill("#password", "something else");
    browser.click("main form button.main");
    browser.wait_for(".notice.problem");
    browser.fill("#password", PASSWORD);
    browser.click("main form button.main");
    browser.wait_for("#list");
    assert!(browser.url().ends_with("/players?q=a"), "{}", browser.url());

    browser.click("footer button[value=it]");
    browser.wait_for_text("h1", "Giocatori", Duration::from_secs(5));
}

#[test]
fn a_whole_game_by_clicking_while_a_second_browser_watches() {
    let (Some(scorer), Some(watcher)) = (Browser::phone(), Browser::laptop()) else { return };
    let (server, _database) = server();
    let kim = club(&server);
    for name in ["Ada", "Lou", "Max"] {
        post(&kim, "/players", "/players", &[("name", name)]);
    }
    sign_in(&scorer, &server);
    scorer.click("details.sheet[open] #name");
    scorer.fill("#name", "Friday table");
    scorer.fill("#amount", "0.50");
    scorer.run("document.querySelector('#currency').value = 'EUR'");
    press(&scorer, "Open the table");
    scorer.wait_for("#table");
    let table = scorer.url();
    sign_in(&watcher, &server);
    watcher.goto(&table);
    watcher.wait_for("#live[data-state=on]");
    watcher.run("window.neverReloaded = true");

    for name in ["Ada", "Lou", "Max"] {
        press(&scorer, name);
        sees(&watcher, &format!("{name} joins"), AT_ONCE);
        sees(&scorer, &format!("{name} joins"), AT_ONCE);
    }
    press(&scorer, "Draw the order by dice");
    sees(&watcher, "Order: ", AT_ONCE);
    let seat = |number: usize| watcher.text(&format!(".board > li:nth-child({number}) .who b"));
    let (captain, crew) = (seat(2), seat(3));
    press(&scorer, "Game 1 starts");
    sees(&watcher, "Game 1 starts", AT_ONCE);
    press(&scorer, "Box doubles everybody to 2");
    sees(&watcher, "Box doubles everybody to 2", AT_ONCE);
    press(&scorer, &format!("{captain} takes 2"));
    sees(&watcher, &format!("{captain} takes 2"), AT_ONCE);
    press(&scorer, &format!("{crew} drops, loses 1"));
    sees(&watcher, &format!("{crew} drops, loses 1"), AT_ONCE);
    assert!(watcher.text(".board > li:nth-child(3) .score").ends_with("-1"), "E8: a drop shows at once");
    press(&scorer, &format!("{captain} redoubles to 4"));
    sees(&watcher, &format!("{captain} redoubles to 4"), AT_ONCE);
    press(&scorer, &format!("Box takes 4 from {captain}"));
    sees(&watcher, &format!("Box takes 4 from {captain}"), AT_ONCE);
    press(&scorer, &format!("Undo: Box takes 4 from {captain}"));
    sees(&watcher, &format!("Undone: Box takes 4 from {captain}"), AT_ONCE);
    press(&scorer, &format!("Redo: Box takes 4 from {captain}"));
    sees(&watcher, &format!("Redone: Box takes 4 from {captain}"), AT_ONCE);

    press(&scorer, "Team wins");
    scorer.wait_for("#confirm");
    scorer.click(".side-team .kinds a:nth-child(2)");
    scorer.wait_for_text("#confirm-title", "Team wins a gammon", AT_ONCE);
    let line = scorer.text("#confirm tbody tr:nth-child(2)");
    assert!(line.contains(&captain) && line.contains("+8") && line.contains("+4.00"), "{line}");
    assert_eq!(watcher.count("#log li"), 13, "nothing is recorded before it is confirmed");
    press(&scorer, "Record");
    sees(&watcher, "Team wins a gammon", AT_ONCE);
    assert!(watcher.text("#now").starts_with(&format!("{captain} is box")));
    // The end of the game and the last take are undone at once, after a look at the preview, and redone at
    // once.
    scorer.click(".log a.back");
    scorer.wait_for("#confirm");
    assert!(scorer.text("#back-log").starts_with("Undo these 2 steps"), "{}", scorer.text("#back-log"));
    press(&scorer, "Undo these 2 steps");
    sees(&watcher, "Undone: 2 steps at once", AT_ONCE);
    press(&scorer, "Redo all 2 steps");
    sees(&watcher, "Redone: 2 steps at once", AT_ONCE);
    assert!(watcher.text("#now").starts_with(&format!("{captain} is box")));

    press(&scorer, "Close the night");
    sees(&watcher, "The night is closed", AT_ONCE);
    assert_eq!(watcher.run("return window.neverReloaded"), Value::Bool(true));
    let logged = server.logged();
    assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
}

/// A table with six players in a game, set up with plain posts.
fn busy_table(kim: &Client) -> String {
    let fields = [("name", "Friday table"), ("amount", "5"), ("currency", "EUR")];
    let table = post(kim, "/", "/chouettes", &fields).header("location").unwrap().to_owned();
    let act = format!("{table}/act");
    for name in ["Ada", "Kim", "Lou", "Massimiliano Ferrero-Quaglia", "Ida", "Noor"] {
        let answer =
            post(kim, &table, &act, &[("command", "join"), ("guest", name), ("version", ""), ("key", name)]);
        assert_eq!(answer.status, 303, "{answer}");
    }
    for command in ["draw_order", "start_game"] {
        post(kim, &table, &act, &[("command", command), ("version", ""), ("key", command)]);
    }
    table
}

#[test]
fn every_page_fits_a_phone_and_everything_on_it_can_be_touched() {
    let (Some(phone), Some(small)) = (Browser::phone(), Browser::open(320, 640)) else { return };
    let (server, _database) = server();
    let kim = club(&server);
    let table = busy_table(&kim);
    let act = format!("{table}/act");
    let finish =
        [("command", "finish"), ("winner", "team"), ("win", "gammon"), ("version", ""), ("key", "finish")];
    post(&kim, &table, &act, &finish);
    post(&kim, &table, &act, &[("command", "start_game"), ("version", ""), ("key", "again")]);
    let players = kim.get("/players");
    let player =
        players.text().split("href=\"/players/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let mut misfits = Vec::new();
    for browser in [&phone, &small] {
        sign_in(browser, &server);
        let pages = [
            "/".to_owned(),
            table.clone(),
            format!("{table}/finish"),
            format!("{table}/finish?winner=box&kind=backgammon"),
            format!("{table}/undo"),
            "/players".to_owned(),
            format!("/players/{player}"),
            format!("/ledger/{player}"),
            format!("/ledger/{player}?unit=EUR"),
            "/account".to_owned(),
            "/settings".to_owned(),
            "/reference".to_owned(),
            "/reference/opening".to_owned(),
            "/reference/shots".to_owned(),
            "/reference/score?own=0&other=3".to_owned(),
            "/reference/score".to_owned(),
            "/nothing".to_owned(),
        ];
        for page in pages {
            for language in ["en", "it"] {
                browser.run(&format!("document.cookie = 'owlbox_language={language}; path=/'"));
                browser.goto(&format!("{}{page}", server.url()));
                let found = browser.run(MISFITS);
                if found != Value::Array(vec![]) {
                    misfits.push(format!("{page} {language}: {found}"));
                }
            }
        }
    }
    assert!(misfits.is_empty(), "{misfits:#?}");
    // The likeliest action is on the screen without scrolling, even with six players.
    phone.goto(&format!("{}{table}", server.url()));
    let visible = "const box = document.querySelector('.bar .acts button').getBoundingClientRect(); \
                   return box.top >= 0 && box.bottom <= innerHeight";
    assert_eq!(phone.run(visible), Value::Bool(true));
}

#[test]
fn every_act_can_be_reached_and_done_with_the_keyboard() {
    let Some(browser) = Browser::laptop() else { return };
    let (server, _database) = server();
    let kim = club(&server);
    let table = busy_table(&kim);
    sign_in(&browser, &server);
    browser.goto(&format!("{}{table}", server.url()));
    browser.wait_for("#live[data-state=on]");
    let unreachable = "return [...document.querySelectorAll('#table button, #table summary, #table a')]
        .filter((thing) => !thing.disabled && thing.tabIndex < 0).length";
    assert_eq!(browser.run(unreachable), Value::from(0));
    browser.run("document.querySelector('.bar .acts button').focus()");
    browser.type_keys("\u{E007}");
    browser.wait_for_text("#log li:first-child", "doubles", Duration::from_secs(2));
}

#[test]
fn an_act_works_without_scripts_and_a_lost_answer_costs_nothing() {
    let (server, _database) = server();
    let kim = club(&server);
    let table = busy_table(&kim);
    let page = kim.get(&table);
    let page = page.text();
    let form = page.split("<form").find(|form| form.contains("value=\"double\"")).expect("a double");
    let fields = ["csrf", "version", "key", "command", "player"].map(|name| (name, field(form, name)));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let act = format!("{table}/act");
    let first = kim.request("POST", &act).form(&fields).send();
    assert_eq!((first.status, first.header("location")), (303, Some(table.as_str())), "{first}");
    let again = kim.request("POST", &act).form(&fields).send();
    assert_eq!(again.status, 303, "the same key after a lost answer: {again}");
    let mut stale = fields.clone();
    stale[2] = ("key", "another");
    let stale = kim.request("POST", &act).form(&stale).send();
    assert_eq!(stale.status, 412);
    assert!(stale.text().contains("The table has moved on"), "{stale}");

    let mut foreign = fields.clone();
    foreign[0] = ("csrf", "guessed");
    assert_eq!(kim.request("POST", &act).form(&foreign).send().status, 403);
    let cross = kim.request("POST", &act).header("Sec-Fetch-Site", "cross-site").form(&fields).send();
    assert_eq!(cross.status, 403);
    let cross = kim.request("POST", &act).header("Origin", "https://evil.example").form(&fields).send();
    assert_eq!(cross.status, 403);
    let stranger = server.public().cookies();
    assert_eq!(stranger.get(&table).status, 303, "nothing is public");
    let partial = stranger.request("GET", &table).header("HX-Request", "true").send();
    assert_eq!(partial.status, 401);
}

/// The link that a page shows only once.
fn link(page: &str) -> String {
    let link = page
        .split("id=\"invite-link\" readonly value=\"")
        .nth(1)
        .unwrap_or_else(|| panic!("no link in {page}"));
    let link = link.split('"').next().unwrap();
    link[link.find("/claim/").unwrap()..].to_owned()
}

#[test]
fn a_player_is_invited_claims_the_link_and_acts_for_themselves_alone() {
    let (server, _database) = server();
    let kim = club(&server);
    let table = busy_table(&kim);
    let players = kim.get("/players?q=ada");
    let ada = players.text().split("href=\"/players/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let page = format!("/players/{ada}");
    let invited = post(&kim, &page, &format!("{page}/invite"), &[("roles", "player")]);
    assert!(invited.text().contains("<svg"), "the link as a picture: {invited}");
    let claim = link(invited.text());

    let visitor = server.public().cookies();
    let refused = post(&visitor, &claim, &claim, &[("login", "ada"), ("password", "short")]);
    assert!(refused.status == 422 && refused.text().contains("too short"), "{refused}");
    let claimed = post(&visitor, &claim, &claim, &[("login", "ada"), ("password", "otto lupi nel bosco")]);
    assert_eq!((claimed.status, claimed.header("location")), (303, Some("/")), "{claimed}");
    assert_eq!(server.public().cookies().get(&claim).status, 422, "a link works once");

    let own = visitor.get(&table);
    let labels: Vec<&str> = own.text().split("data-act").skip(1).collect();
    assert!(labels.iter().all(|form| !form.contains("value=\"join\"")), "a player lets nobody in");
    for (path, allowed) in [
        (format!("/ledger/{ada}"), 200),
        ("/players".to_owned(), 200),
        ("/account".to_owned(), 200),
        ("/settings".to_owned(), 403),
        (format!("{table}/finish"), 403),
        (format!("{table}/undo"), 403),
    ] {
        assert_eq!(visitor.get(&path).status, allowed, "{path}");
    }
    let close = [("command", "start_game"), ("version", ""), ("key", "mine")];
    let refused = post(&visitor, &table, &format!("{table}/act"), &close);
    assert!(refused.status == 403 && refused.text().contains("You may not do that."), "{refused}");

    let token = post(&visitor, "/account", "/account/tokens", &[("name", "score board")]);
    assert!(token.text().contains("owlt_"), "{token}");
    let password = [("current", "otto lupi nel bosco"), ("password", "nove volpi nel prato")];
    let changed = post(&visitor, "/account", "/account/password", &password);
    assert_eq!(changed.header("location"), Some("/account?saved"), "{changed}");
    assert_eq!(visitor.get("/account").status, 200, "this session goes on");
    post(&visitor, "/account", "/account/sign-out-everywhere", &[]);
    let gone = visitor.get("/account");
    assert_eq!(gone.header("location"), Some("/sign-in?next=/account"), "{gone}");
}

#[test]
fn an_access_token_that_ran_out_is_renewed_on_the_way() {
    let (server, _database) = server();
    let kim = club(&server);
    let refresh = kim.cookie("owlbox_refresh").unwrap();
    let browser = server.public().cookies();
    let only_refresh = format!("owlbox_refresh={refresh}");
    let home = browser.request("GET", "/").header("Cookie", &only_refresh).send();
    assert_eq!(home.status, 200, "{home}");
    assert!(browser.cookie("owlbox_access").is_some() && browser.cookie("owlbox_refresh") != Some(refresh));
    assert_eq!(browser.get("/account").status, 200);
    let cookies: Vec<_> =
        home.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).collect();
    for cookie in cookies {
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    }
}

#[test]
fn the_street_sees_what_the_settings_show() {
    let (server, _database) = server();
    let kim = club(&server);
    let table = busy_table(&kim);
    let stranger = server.public().cookies();
    assert_eq!(stranger.get("/").header("location"), Some("/sign-in?next=/"));
    let settings =
        [("name", "Owls"), ("time_zone", "Europe/Rome"), ("currencies", "eur chf"), ("public", "tables")];
    let saved = post(&kim, "/settings", "/settings", &settings);
    assert_eq!(saved.header("location"), Some("/settings?saved"), "{saved}");
    let home = stranger.get("/");
    assert!(home.text().contains("Friday table") && home.text().contains("/sign-in?next="), "{home}");
    let page = stranger.get(&table);
    assert!(page.status == 200 && !page.text().contains("data-act"), "nothing to press: {page}");
    assert!(!page.text().contains("id=\"standings\""), "standings are not public");
    for hidden in ["/players", "/settings", "/account"] {
        assert_eq!(stranger.get(hidden).status, 303, "{hidden}");
    }
    let missing = stranger.request("GET", "/nothing").header("Accept-Language", "it").send();
    assert!(missing.status == 404 && missing.text().contains("Qui non c’è niente."), "{missing}");
    stranger.get("/api/v1/nothing").refused(404, "not_found");
}

#[test]
fn a_page_is_in_the_readers_language_else_the_browsers_else_the_clubs() {
    let (server, _database) = server();
    let stranger = server.public().cookies();
    let sees = |accepted: &str, language: &str, title: &str| {
        let page = stranger.request("GET", "/sign-in").header("Accept-Language", accepted).send();
        let said = page.text().contains(&format!("<html lang=\"{language}\""));
        assert!(said && page.text().contains(&format!("<h1>{title}</h1>")), "{accepted}: {page}");
    };
    // The person who sets the club up does so in the language of their page.
    let kim = server.public().cookies();
    let picked = post(&kim, "/set-up", "/language", &[("language", "it"), ("back", "/set-up")]);
    assert_eq!(picked.status, 303, "{picked}");
    set_up(&server, &kim);
    sees("nl", "it", "Accedi");
    let settings =
        [("name", "Eulen"), ("time_zone", "Europe/Zurich"), ("currencies", "chf"), ("language", "de")];
    let saved = post(&kim, "/settings", "/settings", &settings);
    assert_eq!(saved.header("location"), Some("/settings?saved"), "{saved}");
    sees("nl", "de", "Anmelden");
    sees("fr-CH, en;q=0.8", "fr", "Connexion");
    sees("it", "it", "Accedi");
    let picked = post(&stranger, "/sign-in", "/language", &[("language", "en"), ("back", "/sign-in")]);
    assert_eq!(picked.status, 303, "{picked}");
    sees("fr", "en", "Sign in");
    let unknown = [("name", "Eulen"), ("time_zone", "UTC"), ("currencies", "chf"), ("language", "nl")];
    let refused = post(&kim, "/settings", "/settings", &unknown);
    assert_eq!(refused.status, 400, "{refused}");
}

#[test]
fn what_a_browser_loads_is_kept_for_ever_under_its_hashed_address() {
    let (server, _database) = server();
    let public = server.public();
    let page = public.cookies().get("/set-up");
    let style = page.text().split("href=\"").find(|link| link.contains("owlbox.css")).unwrap();
    let style = style.split('"').next().unwrap();
    let answer = public.get(style).good();
    assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    let plain = public.get("/assets/owlbox.css").good();
    assert_eq!(plain.header("cache-control"), Some("no-cache"));
    let again = public.request("GET", "/assets/owlbox.css").header("If-None-Match", plain.etag()).send();
    assert_eq!(again.status, 304);
    assert_eq!(public.get("/assets/../Cargo.toml").status, 404);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("cache-control"), Some("no-store"));
}

/// Opens a table with beavers and raccoons, at which doubles are answered in this order.
fn table_under(kim: &Client, decision_order: &str, players: &[&str]) -> (String, Vec<String>) {
    let rules = format!(r#"{{"decision_order":"{decision_order}","animals":"raccoon"}}"#);
    table_with(kim, &rules, players)
}

/// Opens a table under these house rules and draws the order, with plain posts. Returns its address and the
/// line, box first.
pub fn table_with(kim: &Client, rules: &str, players: &[&str]) -> (String, Vec<String>) {
    let csrf = field(kim.get("/").text(), "csrf");
    let fields = [("name", "Friday table"), ("amount", "5"), ("currency", "EUR"), ("csrf", &csrf)];
    let opened = kim.request("POST", "/chouettes").form(&fields).send();
    let table = opened.header("location").unwrap_or_else(|| panic!("{opened}")).to_owned();
    let act = format!("{table}/act");
    let give = |key: &str, command: &str, more: &[(&str, &str)]| {
        let mut fields = vec![("command", command), ("version", ""), ("key", key)];
        fields.extend(more);
        let answer = post(kim, &table, &act, &fields);
        assert_eq!(answer.status, 303, "{command}: {answer}");
    };
    if rules != "{}" {
        let rules = json!({"rules": serde_json::from_str::<Value>(rules).unwrap()});
        let rules = fields_of(&rules);
        let rules: Vec<_> = rules.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        give("rules", "change_rules", &rules);
    }
    for name in players {
        give(name, "join", &[("guest", name)]);
    }
    give("order", "draw_order", &[]);
    let page = kim.get(&table);
    let seats =
        page.text().split("id=\"seat-").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    (table.clone(), seats.collect())
}

/// Creates an account for a player of the club and signs in with it.
fn phone_of(server: &Server, kim: &Client, player: &str, login: &str) -> Option<Browser> {
    let browser = Browser::phone()?;
    let page = format!("/players/{player}");
    let claim = link(post(kim, &page, &format!("{page}/invite"), &[("roles", "player")]).text());
    browser.goto(&format!("{}{claim}", server.url()));
    browser.fill("#login", login);
    browser.fill("#password", PASSWORD);
    browser.click("main form button.main");
    browser.wait_for("nav.tabs");
    Some(browser)
}

#[test]
fn three_phones_answer_at_once_and_nobody_sees_what_until_all_are_in() {
    let Some(scorer) = Browser::phone() else { return };
    let (server, _database) = server();
    let kim = club(&server);
    let (table, seats) = table_under(&kim, "all_at_once", &["Ada", "Lou", "Max", "Ida"]);
    sign_in(&scorer, &server);
    let page = format!("{}{table}", server.url());
    scorer.goto(&page);
    let names: Vec<String> =
        (1..=4).map(|seat| scorer.text(&format!(".board > li:nth-child({seat}) .who > b"))).collect();
    let phones: Vec<Browser> =
        (1..4).filter_map(|seat| phone_of(&server, &kim, &seats[seat], &format!("phone{seat}"))).collect();
    for phone in &phones {
        phone.goto(&page);
        phone.wait_for("#live[data-state=on]");
    }
    press(&scorer, "Game 1 starts");
    press(&scorer, "Box doubles everybody to 2");
    for phone in &phones {
        phone.wait_for_text("#yours-hint", "Your answer stays hidden", AT_ONCE);
    }
    press(&phones[0], &format!("{} drops, loses 1", names[1]));
    sees(&scorer, &format!("{} has answered", names[1]), AT_ONCE);
    phones[0].wait_for_text("#yours-hint", "You said: drop", AT_ONCE);
    press(&phones[1], &format!("{} takes 2", names[2]));
    sees(&phones[2], &format!("{} has answered", names[2]), AT_ONCE);
    for watcher in [&scorer, &phones[1], &phones[2]] {
        assert!(!watcher.text("#log").contains("drops"), "hidden: {}", watcher.text("#log"));
    }
    press(&phones[2], &format!("{} beavers to 4", names[3]));
    sees(&scorer, &format!("{} beavers to 4", names[3]), AT_ONCE);
    phones[1].wait_for_text("#log", &format!("{} drops, loses 1", names[1]), AT_ONCE);
    press(&scorer, &format!("Box raccoons {} to 8", names[3]));
    sees(&phones[2], "Box raccoons", AT_ONCE);
}

#[test]
fn everybody_drops_at_one_tap_and_somebody_takes_a_break_and_comes_back() {
    let Some(phone) = Browser::phone() else { return };
    let (server, _database) = server();
    let kim = club(&server);
    let (table, _) = table_under(&kim, "captain_first", &["Ada", "Lou", "Max", "Ida"]);
    sign_in(&phone, &server);
    phone.goto(&format!("{}{table}", server.url()));
    phone.wait_for("#live[data-state=on]");
    let last = phone.text(".board > li:nth-child(4) .who > b");
    press(&phone, "Game 1 starts");
    press(&phone, "Opening tie: cubes to 2");
    sees(&phone, "Opening tie: cubes to 2", AT_ONCE);
    press(&phone, "Box doubles everybody to 4");
    phone.wait_for_text("#now", "answers first: take or drop?", AT_ONCE);
    // This ends the game. The result is previewed, nothing is recorded before, and one undo takes it back.
    let before = phone.count("#log li");
    press(&phone, "Everybody drops …");
    phone.wait_for("#confirm");
    assert!(phone.text("#confirm-title").ends_with(" drop"), "{}", phone.text("#confirm-title"));
    assert_eq!(phone.count("#confirm tbody tr"), 4, "what everybody gets");
    assert!(phone.text("#confirm .then").contains("is box"), "{}", phone.text("#confirm .then"));
    press(&phone, "Not everybody");
    phone.wait_for("#log");
    assert_eq!(phone.count("#log li"), before);
    press(&phone, "Everybody drops …");
    phone.wait_for("#confirm");
    press(&phone, "Record: Everybody drops");
    sees(&phone, "Every bet is settled", AT_ONCE);
    phone.click(".steps form:first-child button");
    sees(&phone, "Undone: ", AT_ONCE);
    phone.wait_for_text("#now", "answers first: take or drop?", AT_ONCE);
    phone.click(".steps form:nth-child(2) button");
    sees(&phone, "Redone: ", AT_ONCE);
    press(&phone, &format!("{last} takes a break"));
    sees(&phone, &format!("{last} takes a break"), AT_ONCE);
    press(&phone, &format!("{last} comes back"));
    sees(&phone, &format!("{last} comes back"), AT_ONCE);
    assert_eq!(phone.run(MISFITS), Value::Array(vec![]));
}
