//! The club's tablet: its navigation, its theme, its screen, and what is handed on from it.

use serde_json::json;

use crate::support::browser::Browser;
use crate::support::databases::Db;
use crate::support::evening::{Evening, MISFITS, Phone};
use crate::support::house::{ADMIN, House};

/// The entries of the navigation that are seen, and the ones in the open menu; those that are cut or covered;
/// the number of rows.
const NAVIGATION: &str = "
    const shown = (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility());
    const menu = document.querySelector('.more-tabs');
    if (menu.checkVisibility()) menu.open = true;
    const tabs = shown('.tabs > a, .more-tabs > summary');
    const wrong = [];
    for (const one of [...tabs, ...shown('.more-tabs .menu a')]) {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const on_top = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth || !one.contains(on_top)) wrong.push(one.textContent.trim());
    }
    const rows = new Set(tabs.map((one) => Math.round(one.getBoundingClientRect().top))).size;
    menu.open = false;
    return { pages: shown('.tabs > a').map((one) => one.pathname), further: [...menu.querySelectorAll('.menu a')]
        .filter((one) => getComputedStyle(one).display !== 'none' && menu.checkVisibility()).map((one) => one.pathname), wrong, rows };";

#[test]
fn no_entry_of_the_navigation_is_cut_on_any_screen_in_any_language() {
    let Some(browser) = Browser::phone() else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let kim = house.player(&house.admin(), "Kim");
    let Some(player) = Phone::of_player(&house, &house.admin(), ("Kim", &kim)) else { return };
    let staff = Phone::signed_in(browser, &house, ADMIN);
    let own = format!("/ledger/{kim}");
    let beginning = ["/", "/tournaments", "/matches", "/players"];
    let theirs: [(&Phone, &[&str]); 2] =
        [(&staff, &["/ledger/treasury", "/house-rules", "/settings"]), (&player, &[&own, "/house-rules"])];
    for (phone, end) in theirs {
        for language in ["en", "de", "fr", "it"] {
            phone.browser.run(&format!("document.cookie = 'owlbox_language={language}; path=/'"));
            for width in [320, 390, 768, 820, 1024, 1280] {
                phone.browser.resize(width, 900);
                // The entry of the page one is on is bold, and so wider.
                for page in ["/tournaments", "/house-rules"] {
                    phone.goto(page);
                    let found = phone.browser.run(NAVIGATION);
                    let at = format!("{page} in {language} at {width}: {found}");
                    let mut pages: Vec<_> = ["pages", "further"]
                        .iter()
                        .flat_map(|part| {
                            found[part].as_array().unwrap().iter().map(|one| one.as_str().unwrap())
                        })
                        .collect();
                    pages.sort_unstable();
                    let mut all = [&beginning, end].concat();
                    all.sort_unstable();
                    assert_eq!(pages, all, "each once, {at}");
                    assert_eq!((&found["wrong"], &found["rows"]), (&json!([]), &json!(1)), "{at}");
                    assert_eq!(phone.browser.run(MISFITS), json!([]), "{at}");
                }
            }
        }
    }
    // In the menu, too, it is seen where one is.
    player.browser.resize(390, 844);
    player.goto("/players");
    player.click(".more-tabs > summary");
    assert_eq!(
        player.browser.attribute(".more-tabs a[href='/players']", "aria-current").as_deref(),
        Some("page")
    );
    player.click("h1");
    player.browser.wait_until_gone(".more-tabs[open]");
    player.click(".more-tabs > summary");
    player.click(".more-tabs a[href='/house-rules']");
    player.browser.wait_until("the rules", || player.browser.url().ends_with("/house-rules"));
    // A stranger's sign-in stands clear of the header's line.
    player.browser.forget_sessions();
    player.goto("/reference");
    let room = "
        const [header, button] = ['.top', '.top .button'].map((css) => document.querySelector(css).getBoundingClientRect());
        return Math.round(header.bottom - button.bottom)";
    assert!(player.browser.run(room).as_i64().unwrap() >= 8);
}

#[test]
fn a_browser_keeps_the_theme_that_was_chosen_in_it() {
    let Some(browser) = Browser::open(820, 1180) else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let tablet = Phone::signed_in(browser, &house, ADMIN);
    let looks = || {
        let look = "const { backgroundColor, fontSize } = getComputedStyle(document.body);
            return [backgroundColor, fontSize]";
        let look = tablet.browser.run(look);
        (look[0].as_str().unwrap().to_owned(), look[1].as_str().unwrap().to_owned())
    };
    let (night, day, dim) = ("rgb(20, 24, 31)", "rgb(246, 244, 239)", "rgb(13, 10, 7)");
    let is = |ground: &str, type_size: &str| assert_eq!(looks(), (ground.to_owned(), type_size.to_owned()));
    let choose = |theme: &str| {
        tablet.open("details.me");
        tablet.click(&format!(".themes button[value={theme}]"));
        tablet.browser.wait_for(&format!(".themes button[value={theme}][aria-pressed=true]"));
    };
    tablet.goto("/players");
    for (is_night, ground) in [(true, night), (false, day)] {
        tablet.browser.by_night(is_night);
        is(ground, "16px");
    }
    choose("dark");
    assert!(tablet.browser.url().ends_with("/players"), "one stays on the page");
    is(night, "16px");
    tablet.browser.by_night(true);
    choose("light");
    is(day, "16px");
    choose("dim");
    tablet.goto("/matches");
    is(dim, "20px");
    assert_eq!(tablet.browser.count("meta[name=theme-color][content='#0d0a07']:not([media])"), 1);
    assert_eq!(tablet.browser.run(MISFITS), json!([]));
    // Paper is white all the same.
    tablet.browser.on_paper(true);
    is("rgb(255, 255, 255)", "13.3333px");
    tablet.browser.on_paper(false);
    choose("device");
    tablet.browser.by_night(true);
    is(night, "16px");
}

/// It is chosen without scripts and without a sign-in, too, and on a page of which all strangers have a copy.
#[test]
fn a_stranger_chooses_a_theme_that_others_do_not_see() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let director = house.admin();
    let about = json!({"name": "Turin Open", "date": "2026-11-20", "currency": "EUR", "public": true});
    let id = director.post("/api/v1/tournaments", &about).good().body["id"].as_str().unwrap().to_owned();
    let path = format!("/tournaments/{id}");
    let (street, another) = (house.server.public().cookies(), house.server.public().cookies());
    let fields = [("theme", "dim"), ("back", path.as_str())];
    let picks = || street.request("POST", "/theme").form(&fields);
    assert_eq!(picks().header("Origin", "https://evil.example").send().status, 403);
    assert!(street.get(&path).good().text().contains("<form method=\"post\" action=\"/theme\""));
    let picked = picks().send();
    assert_eq!((picked.status, picked.header("location")), (303, Some(path.as_str())), "{picked}");
    let dim = |page: &str| page.contains("data-theme=\"dim\"") && page.contains("content=\"#0d0a07\"");
    assert!(dim(street.get(&path).good().text()) && dim(street.get("/sign-in").good().text()));
    assert!(!another.get(&path).good().text().contains("data-theme"));
    let nonsense = [("theme", "pink"), ("back", "/sign-in")];
    assert_eq!(street.request("POST", "/theme").form(&nonsense).send().status, 303);
    assert!(!street.get("/sign-in").good().text().contains("data-theme"));
}

/// In place of what the device does, counts the locks that are held.
const LOCKS: &str = "
    globalThis.held = 0;
    const request = async () => {
        held += 1;
        const lock = { released: false, release() { lock.released = true; held -= 1; } };
        globalThis.lock = lock;
        return lock;
    };
    Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });";

#[test]
fn the_screen_stays_lit_while_something_happens_at_the_table() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let browser = &evening.phone.browser;
    browser.before_pages(LOCKS);
    let holds = |locks: u32| browser.wait_until("the locks", || browser.run("return held") == json!(locks));
    evening.goto("");
    holds(1);
    evening.command(&json!({"command": "start_game"}));
    evening.phone.browser.wait_for(".bar .over");
    holds(1);
    // Back from a page on top of it the browser has taken the lock.
    browser.run("lock.release(); document.dispatchEvent(new Event('visibilitychange'))");
    holds(1);
    evening.command(&json!({"command": "finish", "winner": "box", "win": "single"}));
    evening.command(&json!({"command": "close"}));
    browser.wait_until_gone("[data-page][data-live]");
    holds(0);
    evening.phone.goto("/players");
    assert_eq!(browser.run("return held"), json!(0));
    evening.ends_well();
}

#[test]
fn a_link_is_copied_and_shared_where_it_is_made() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let phone = &evening.phone;
    phone.browser.before_pages(
        "navigator.share = async (what) => { globalThis.shared = what; };
         Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } }, configurable: true });",
    );
    phone.goto(&format!("/players/{}", evening.table.players["Kim"]));
    phone.tap("Make a link");
    phone.browser.wait_for(".invite .hand-on");
    // It is seen where one lands.
    let bottom =
        phone.browser.run("return [scrollY, document.querySelector('.qr').getBoundingClientRect().bottom]");
    assert!(bottom[0] == json!(0) && bottom[1].as_f64().unwrap() < 844.0, "{bottom}");
    let link = json!(phone.browser.attribute("#invite-link", "value").unwrap());
    phone.click(".invite .hand-on button:last-of-type");
    phone.sees(".invite [role=status]", "Copied");
    phone.click(".invite .hand-on button:first-of-type");
    assert_eq!(phone.browser.run("return [copied, shared.url]"), json!([link, link]));
    phone.fits();
    // Without https a browser only copies what is selected, and has no sheet to share by.
    phone.browser.before_pages(
        "delete navigator.share;
         Object.defineProperty(navigator, 'clipboard', { value: undefined });",
    );
    phone.goto(&format!("/players/{}", evening.table.players["Lou"]));
    phone.tap("Make a link");
    phone.click(".invite .hand-on button");
    phone.sees(".invite [role=status]", "Copied");
    assert_eq!(phone.texts(".invite .hand-on button"), ["Copy"]);
    evening.ends_well();
}

/// What phones show of a page that is put among their programs.
#[test]
fn a_phone_finds_icons_of_its_size() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let street = house.server.public().cookies();
    let page = street.get("/sign-in").good();
    let linked = |rel: &str| {
        let (_, after) = page.text().split_once(&format!("<link rel=\"{rel}\" href=\"")).expect(rel);
        after.split('"').next().unwrap().to_owned()
    };
    let has_size = |address: &str, side: u32| {
        let (headers, picture) = street.compressed(address);
        assert_eq!(headers["content-type"], "image/png", "{address}");
        let sides = [16..20, 20..24].map(|at| u32::from_be_bytes(picture[at].try_into().unwrap()));
        assert!(picture.starts_with(b"\x89PNG") && sides == [side, side], "{address} is {sides:?}");
        assert!(picture.len() < 6_000, "{address} has {} bytes", picture.len());
    };
    has_size(&linked("apple-touch-icon"), 180);
    let manifest = linked("manifest");
    let (folder, _) = manifest.rsplit_once('/').unwrap();
    let body = street.get(&manifest).good().body;
    for side in [192, 512] {
        let icons = body["icons"].as_array().unwrap().iter();
        let sized = icons.filter(|icon| icon["sizes"] == json!(format!("{side}x{side}")));
        let sources: Vec<_> = sized.map(|icon| icon["src"].as_str().unwrap()).collect();
        assert_eq!(sources.len(), 1, "{body}");
        has_size(&format!("{folder}/{}", sources[0]), side);
    }
}
