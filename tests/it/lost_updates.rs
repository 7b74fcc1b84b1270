//! What two people change at once: settings are merged, and a page's form that was made from something else
//! is refused with what was typed, so that nothing is put back by somebody who never saw it.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};

/// A form of a page: where it goes, what tells it from others that go there, and its hidden fields.
struct Opened {
    action: String,
    mark: String,
    hidden: Vec<(String, String)>,
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    Some(tag.split_once(&format!("{name}=\""))?.1.split('"').next()?.to_owned())
}

#[track_caller]
fn form_on(page: &Answer, action: &str) -> Opened {
    form_with(page, action, "")
}

/// The first form of the page that goes there and has this text in it.
#[track_caller]
fn form_with(page: &Answer, action: &str, mark: &str) -> Opened {
    let text = page.text();
    let goes_there = format!("action=\"{action}\"");
    let forms = text.split(&goes_there).skip(1);
    let mut forms = forms.map(|form| form.split("</form>").next().unwrap_or_default());
    let form = forms.find(|form| form.contains(mark)).unwrap_or_else(|| panic!("no form: {page}"));
    let inputs = form.split("<input ").skip(1).map(|input| input.split('>').next().unwrap_or_default());
    let hidden = inputs.filter(|input| input.contains("type=\"hidden\""));
    let hidden = hidden.filter_map(|input| Some((attribute(input, "name")?, attribute(input, "value")?)));
    Opened { action: action.to_owned(), mark: mark.to_owned(), hidden: hidden.collect() }
}

#[track_caller]
fn open(browser: &Client, page: &str, action: &str) -> Opened {
    form_on(&browser.get(page).good(), action)
}

impl Opened {
    fn send(&self, browser: &Client, typed: &[(&str, &str)]) -> Answer {
        let hidden = self.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let fields: Vec<(&str, &str)> = hidden.chain(typed.iter().copied()).collect();
        browser.request("POST", &self.action).form(&fields).send()
    }
}

/// Checks that a stale form was refused, and shows what was typed; and gives the form as it is shown then.
#[track_caller]
fn refused(answer: &Answer, opened: &Opened, typed: &str) -> Opened {
    assert_eq!(answer.status, 412, "{answer}");
    assert!(answer.text().contains("role=\"alert\""), "{answer}");
    assert!(answer.text().contains(typed), "{typed:?} is lost: {answer}");
    form_with(answer, &opened.action, &opened.mark)
}

fn browser(house: &House) -> Client {
    let browser = house.server.public().cookies();
    let token = crate::walk::csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    browser
}

fn settings(admin: &Client) -> Value {
    admin.get("/api/v1/settings").good().body
}

fn winter() -> Value {
    json!([{"name": "Winter", "from": "2026-10-01", "until": "2027-03-31", "coming": 1}])
}

#[rstest]
fn put_leaves_what_it_does_not_name_and_null_clears(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let all = json!({"exposure_limit": 32, "iban": "DE89370400440532013000", "adjustment_limit": 5000,
        "seasons": winter(), "highest_cube": 128, "language": "it", "self_registration": "confirmed",
        "rating_experience": "including", "seat_words": {"box": "Capo", "captain": "Capitano"}});
    let full = admin.patch("/api/v1/settings", &all).good().body;
    // As a client sends them that was generated before all of these were there.
    let old = json!({"name": "Gufi", "time_zone": "Europe/Zurich", "currencies": ["CHF", "EUR"],
        "public": {"tables": true, "standings": true}});
    let mut expected = full.clone();
    for (field, value) in old.as_object().unwrap() {
        expected[field] = value.clone();
    }
    assert_eq!(admin.put("/api/v1/settings", &old).good().body, expected);
    assert_eq!(settings(&admin), expected);
    admin.put("/api/v1/settings", &old).refused(422, "nothing_changes");
    let mut clearing = old.clone();
    for field in ["exposure_limit", "iban", "adjustment_limit", "seasons", "seat_words", "language"] {
        clearing[field] = Value::Null;
    }
    let cleared = admin.put("/api/v1/settings", &clearing).good().body;
    for field in ["exposure_limit", "iban", "adjustment_limit"] {
        assert_eq!(cleared[field], Value::Null, "{field}");
    }
    assert_eq!((&cleared["seasons"], &cleared["language"]), (&json!([]), &json!("en")));
    assert_eq!(cleared["seat_words"], json!({"box": null, "captain": null, "crew": null}));
    assert_eq!((&cleared["highest_cube"], &cleared["rating_experience"]), (&json!(128), &json!("including")));
    for needed in ["name", "time_zone", "currencies", "public"] {
        for without in [None, Some(Value::Null)] {
            let mut lacking = old.clone();
            lacking.as_object_mut().unwrap().remove(needed);
            if let Some(null) = without {
                lacking[needed] = null;
            }
            admin.put("/api/v1/settings", &lacking).refused(400, "invalid_body");
        }
    }
    house.verify();
}

#[rstest]
fn patch_merges_within_public_and_seat_words_too(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    admin.patch("/api/v1/settings", &json!({"seat_words": {"box": "Capo", "crew": "Ciurma"}})).good();
    let before = admin.get("/api/v1/settings").good();
    let change = json!({"public": {"standings": true}, "seat_words": {"box": null}});
    let send = |tag: &str| {
        let request = admin.request("PATCH", "/api/v1/settings").json(&change).key("once").if_match(tag);
        request.send()
    };
    let done = send(before.etag()).good();
    let mut expected = before.body.clone();
    expected["public"]["standings"] = json!(true);
    expected["seat_words"]["box"] = Value::Null;
    assert_eq!(done.body, expected);
    // The same again, after something else has changed.
    admin.patch("/api/v1/settings", &json!({"exposure_limit": 8})).good();
    let again = send(before.etag()).good();
    assert_eq!((again.etag(), &again.body), (done.etag(), &done.body));
    assert_eq!(settings(&admin)["exposure_limit"], 8);
    let stale =
        admin.request("PATCH", "/api/v1/settings").json(&json!({"name": "X"})).if_match(before.etag());
    stale.send().refused(412, "stale_version");
    for wrong in [
        json!({"nonsense": 1}),
        json!({"public": {"nonsense": true}}),
        json!({"public": null}),
        json!({"public": []}),
        json!({"name": null}),
        json!({"name": ""}),
        json!({"name": 7}),
        json!({"currencies": []}),
        json!({"seasons": {}}),
    ] {
        admin.patch("/api/v1/settings", &wrong).refused(400, "invalid_body");
    }
    admin.patch("/api/v1/settings", &json!({})).refused(422, "nothing_changes");
    house.verify();
}

#[rstest]
fn r3_a_settings_form_reverts_nothing_that_was_saved_in_between(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    let typed =
        [("name", "Gufi nuovi"), ("time_zone", "Europe/Rome"), ("language", "it"), ("currencies", "EUR CHF")];
    let opened = open(&pages, "/settings", "/settings");
    admin.patch("/api/v1/settings", &json!({"seasons": winter(), "exposure_limit": 16})).good();
    let before = settings(&admin);
    let shown = refused(&opened.send(&pages, &typed), &opened, "Gufi nuovi");
    assert_eq!(settings(&admin), before, "a refused form changes nothing");
    // Saved all the same, it sets what it shows, and the seasons stay.
    assert_eq!(shown.send(&pages, &typed).status, 303);
    let after = settings(&admin);
    assert_eq!((&after["name"], &after["seasons"]), (&json!("Gufi nuovi"), &before["seasons"]));
    assert_eq!(shown.send(&pages, &typed).status, 303, "sent twice, it is no other change");

    // What else happens in the club is no reason to refuse it.
    let opened = open(&pages, "/settings", "/settings");
    house.player(&admin, "Ada");
    let renamed = [&[("name", "Gufi")], &typed[1..]].concat();
    assert_eq!(opened.send(&pages, &renamed).status, 303);
    assert_eq!(settings(&admin)["name"], "Gufi");
    house.verify();
}

#[rstest]
fn r3_a_players_form_reverts_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    let ada = house.player(&admin, "Ada");
    let path = format!("/api/v1/players/{ada}");
    let page = format!("/players/{ada}");
    let opened = open(&pages, &page, &page);
    admin.patch(&path, &json!({"iban": "DE89370400440532013000", "notes": "left-handed"})).good();
    let typed = [("name", "Ada"), ("nickname", "Lady A"), ("active", "true")];
    let shown = refused(&opened.send(&pages, &typed), &opened, "Lady A");
    let kept = admin.get(&path).good().body;
    assert_eq!((&kept["nickname"], &kept["notes"]), (&Value::Null, &json!("left-handed")));
    assert_eq!(shown.send(&pages, &typed).status, 303);
    assert_eq!(admin.get(&path).good().body["nickname"], "Lady A");
    let opened = open(&pages, &page, &page);
    let bea = house.player(&admin, "Bea");
    admin.patch(&format!("/api/v1/players/{bea}"), &json!({"notes": "somebody else"})).good();
    let typed = [("name", "Ada"), ("nickname", "A"), ("active", "true")];
    assert_eq!(opened.send(&pages, &typed).status, 303, "that was another player");
    assert_eq!(opened.send(&pages, &typed).status, 303, "sent twice");
    house.verify();
}

#[rstest]
fn r3_an_accounts_form_reverts_nothing_and_keeps_what_was_ticked(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    let invited = admin.post("/api/v1/accounts", &json!({"roles": ["player"]})).good().body;
    let account = invited["account"].as_str().unwrap();
    let path = format!("/api/v1/accounts/{account}");
    let action = format!("/settings/accounts/{account}");
    let opened = open(&pages, "/settings", &action);
    admin.patch(&path, &json!({"roles": ["treasurer"]})).good();
    let answer = opened.send(&pages, &[("roles", "director"), ("active", "true")]);
    let shown = refused(&answer, &opened, "value=\"director\"");
    let form = answer.text().split_once(&format!("action=\"{action}\"")).unwrap().1;
    let form = form.split("</form>").next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(form.contains("value=\"director\" checked"), "{form}");
    assert!(!form.contains("value=\"treasurer\" checked"), "{form}");
    assert_eq!(admin.get(&path).good().body["roles"], json!(["treasurer"]));
    assert_eq!(shown.send(&pages, &[("roles", "director"), ("active", "true")]).status, 303);
    assert_eq!(admin.get(&path).good().body["roles"], json!(["director"]));
    house.verify();
}

/// With each account offering all of them, the page had as many options as there are accounts times players.
#[test]
fn r4_the_settings_list_accounts_and_offer_players_for_the_one_that_is_chosen() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    let players: Vec<String> =
        (0..30).map(|number| house.player(&admin, &format!("Player {number}"))).collect();
    let accounts: Vec<String> = (0..12)
        .map(|_| {
            let made = admin.post("/api/v1/accounts", &json!({"roles": ["player"]})).good().body;
            made["account"].as_str().unwrap().to_owned()
        })
        .collect();
    let offers = |page: &Answer, player: &String| page.text().matches(&format!("value=\"{player}\"")).count();
    let list = pages.get("/settings").good();
    assert!(accounts.iter().all(|account| list.text().contains(&format!("id=\"account-{account}\""))));
    assert!(players.iter().all(|player| offers(&list, player) == 0), "{list}");
    let chosen = &accounts[7];
    assert!(list.text().contains(&format!("/settings?account={chosen}#account-{chosen}")));
    let one = pages.get(&format!("/settings?account={chosen}")).good();
    assert!(players.iter().all(|player| offers(&one, player) == 1), "{one}");
    // It is chosen by id: two people of one displayed name are two choices.
    let form = form_on(&one, &format!("/settings/accounts/{chosen}"));
    let saved = form.send(&pages, &[("roles", "player"), ("active", "true"), ("player", &players[3])]);
    assert_eq!(saved.status, 303, "{saved}");
    let path = format!("/api/v1/accounts/{chosen}");
    assert_eq!(admin.get(&path).good().body["player"], json!(players[3]));
    // The present player stays, and is offered, unless another is chosen.
    let list = pages.get("/settings").good();
    assert_eq!((offers(&list, &players[3]), offers(&list, &players[4])), (1, 0));
    let form = form_on(&list, &format!("/settings/accounts/{chosen}"));
    let kept =
        [("roles", "player"), ("roles", "scorer"), ("active", "true"), ("player", players[3].as_str())];
    assert_eq!(form.send(&pages, &kept).status, 303);
    assert_eq!(admin.get(&path).good().body["player"], json!(players[3]));
    assert_eq!(pages.get("/settings?account=nonsense").status, 400);
    house.verify();
}

#[rstest]
fn r3_a_seasons_form_reverts_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    admin.patch("/api/v1/settings", &json!({"seasons": winter()})).good();
    let opened = open(&pages, "/seasons/Winter/edit", "/seasons");
    let mut changed = winter();
    changed[0]["coming"] = json!(5);
    admin.patch("/api/v1/settings", &json!({"seasons": changed})).good();
    let typed = [("name", "Inverno"), ("from", "2026-10-01"), ("until", "2027-03-31"), ("coming", "1")];
    let shown = refused(&opened.send(&pages, &typed), &opened, "Inverno");
    assert_eq!(settings(&admin)["seasons"][0]["coming"], 5);
    // Another setting is no reason to refuse it.
    admin.patch("/api/v1/settings", &json!({"exposure_limit": 8})).good();
    for _ in 0..2 {
        assert_eq!(shown.send(&pages, &typed).status, 303);
    }
    let seasons = settings(&admin)["seasons"].clone();
    assert_eq!((seasons.as_array().unwrap().len(), &seasons[0]["name"]), (1, &json!("Inverno")));
    house.verify();
}

/// A drawn tournament of four in one division, and the path of its commands.
fn tournament(house: &House) -> (String, Vec<String>) {
    let admin = house.admin();
    let about = json!({"name": "Open", "date": "2026-11-20", "currency": "EUR"});
    let id = admin.post("/api/v1/tournaments", &about).good().body["id"].as_str().unwrap().to_owned();
    let players: Vec<String> = ["Ada", "Bea", "Cleo", "Dora"].map(|name| house.player(&admin, name)).into();
    let entries: Vec<Value> = players.iter().map(|player| json!({ "player": player })).collect();
    does(&admin, &id, &json!({"command": "add_division", "settings": {"name": "Open", "lengths": [5]}}));
    does(&admin, &id, &json!({"command": "enter", "entries": entries}));
    (id, players)
}

#[track_caller]
fn does(admin: &Client, id: &str, command: &Value) {
    admin.post(&format!("/api/v1/tournaments/{id}/commands"), command).good();
}

#[rstest]
fn r3_the_forms_of_a_tournament_and_of_a_division_revert_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    let (id, _) = tournament(&house);
    let shown_now = || admin.get(&format!("/api/v1/tournaments/{id}")).good().body;
    let edit = format!("/tournaments/{id}/edit");
    let opened = open(&pages, &edit, &edit);
    let placed = json!({"name": "Open", "date": "2026-11-20", "currency": "EUR", "place": "Sala Verdi"});
    does(&admin, &id, &json!({"command": "change", "about": placed}));
    let typed = [("name", "Spring Open"), ("date", "2026-11-20"), ("currency", "EUR")];
    let again = refused(&opened.send(&pages, &typed), &opened, "Spring Open");
    assert_eq!((&shown_now()["name"], &shown_now()["place"]), (&json!("Open"), &json!("Sala Verdi")));
    // What happens at the tournament meanwhile is no reason to refuse it.
    does(&admin, &id, &json!({"command": "check_in", "entries": [1]}));
    for _ in 0..2 {
        assert_eq!(again.send(&pages, &typed).status, 303);
    }
    assert_eq!(shown_now()["name"], "Spring Open");

    let form = format!("/tournaments/{id}/desk/1/settings");
    let opened = open(&pages, &form, &form);
    let settings = json!({"name": "Open", "lengths": [5], "fees": {"entry": 2000}});
    does(&admin, &id, &json!({"command": "change_division", "settings": settings}));
    let typed = [("name", "Championship"), ("lengths", "7"), ("house_keeps", "0")];
    let again = refused(&opened.send(&pages, &typed), &opened, "Championship");
    assert_eq!(shown_now()["divisions"][0]["settings"]["fees"]["entry"], 2000);
    does(&admin, &id, &json!({"command": "check_in", "entries": [2]}));
    assert_eq!(again.send(&pages, &typed).status, 303);
    assert_eq!(shown_now()["divisions"][0]["settings"]["name"], "Championship");
    house.verify();
}

#[rstest]
fn r3_the_lists_of_tables_and_of_seeds_revert_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    let (id, _) = tournament(&house);
    let room = || admin.get(&format!("/api/v1/tournaments/{id}")).good().body["tables"].clone();
    let (page, act) = (format!("/tournaments/{id}/desk/room"), format!("/tournaments/{id}/desk/room/act"));
    does(&admin, &id, &json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2}]}));
    let opened = open(&pages, &page, &act);
    let noted = json!([{"table": 1, "note": "by the window"}, {"table": 2}, {"table": 9}]);
    does(&admin, &id, &json!({"command": "set_tables", "tables": noted}));
    let before = room();
    let typed = [("tables[open]", "1-4"), ("tables[reserved]", ""), ("tables[closed]", "")];
    let again = refused(&opened.send(&pages, &typed), &opened, "1-4");
    assert_eq!(room(), before);
    assert_eq!(again.send(&pages, &typed).status, 303);
    let after = room();
    assert_eq!(after.as_array().unwrap().len(), 4);
    assert_eq!(after[0]["note"], "by the window", "the form does not show notes, and takes none away");

    let (page, action) =
        (format!("/tournaments/{id}/desk/1/entries"), format!("/tournaments/{id}/desk/1/entries/seeds"));
    let opened = open(&pages, &page, &action);
    does(&admin, &id, &json!({"command": "seed", "entries": [3, 4]}));
    let version = || admin.get(&format!("/api/v1/tournaments/{id}")).good().body["version"].clone();
    let before = version();
    let again = refused(&opened.send(&pages, &[("names", "Ada\nBea")]), &opened, "Ada\nBea");
    assert_eq!(version(), before);
    assert_eq!(again.send(&pages, &[("names", "Ada\nBea")]).status, 303);
    assert_ne!(version(), before);
    house.verify();
}

#[rstest]
fn r3_side_pools_and_prizes_by_hand_revert_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    let (id, players) = tournament(&house);
    let at = |below: &str| admin.get(&format!("/api/v1/tournaments/{id}/divisions/1{below}")).good().body;
    let pools = json!([{"name": "Jackpot", "stake": 500}, {"name": "Auction", "stake": 1000}]);
    let settings = json!({"name": "Open", "lengths": [5], "side_pools": pools});
    does(&admin, &id, &json!({"command": "change_division", "settings": settings}));
    let joined = || at("/entries/1")["side_pools"].clone();
    let entry = format!("/tournaments/{id}/desk/1/entries/1");
    let page = pages.get(&entry).good();
    let opened = form_with(&page, &format!("{entry}/act"), "side_pools[]:number");
    does(&admin, &id, &json!({"command": "join_pools", "entry": 1, "side_pools": [1]}));
    let again = refused(&opened.send(&pages, &[("side_pools[]:number", "0")]), &opened, "Jackpot");
    assert_eq!(joined(), json!([1]));
    for _ in 0..2 {
        assert_eq!(again.send(&pages, &[("side_pools[]:number", "0")]).status, 303);
    }
    assert_eq!(joined(), json!([0]));

    does(&admin, &id, &json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
    for number in 1..=3 {
        let ended = json!({"ending": "played", "score": [5, 0]});
        does(&admin, &id, &json!({"command": "result", "match": number, "ended": ended}));
    }
    let given = || at("/prizes")["given"].clone();
    let award = |[ada, cleo]: [u64; 2]| {
        let awards = json!([{"player": players[0], "amount": ada}, {"player": players[2], "amount": cleo}]);
        does(&admin, &id, &json!({"command": "award", "awards": awards}));
    };
    award([300, 200]);
    let money = format!("/tournaments/{id}/desk/money");
    let page = pages.get(&money).good();
    let opened = form_with(&page, &format!("{money}/act"), "awards[0][player]");
    award([100, 400]);
    let before = given();
    let typed = [("awards[0][amount]", "4.00"), ("awards[1][amount]", "1.00")];
    let again = refused(&opened.send(&pages, &typed), &opened, "value=\"4.00\"");
    assert_eq!(given(), before);
    for _ in 0..2 {
        assert_eq!(again.send(&pages, &typed).status, 303);
    }
    assert_ne!(given(), before);
    house.verify();
}

#[rstest]
fn r3_a_repeated_invitation_takes_no_roles_away_unseen(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, pages) = (house.admin(), browser(&house));
    let ada = house.player(&admin, "Ada");
    let action = format!("/players/{ada}/invite");
    let opened = open(&pages, &format!("/players/{ada}"), &action);
    // Somebody else has invited her meanwhile.
    let invited = admin.post("/api/v1/accounts", &json!({"player": ada, "roles": ["director"]})).good().body;
    let path = format!("/api/v1/accounts/{}", invited["account"].as_str().unwrap());
    let roles = || admin.get(&path).good().body["roles"].clone();
    let ticked = [("roles", "scorer")];
    let again = refused(&opened.send(&pages, &ticked), &opened, "value=\"scorer\" checked");
    assert_eq!(roles(), json!(["director"]));
    admin.patch(&path, &json!({"roles": ["treasurer"]})).good();
    let again = refused(&again.send(&pages, &ticked), &again, "value=\"scorer\" checked");
    assert_eq!(roles(), json!(["treasurer"]));
    for _ in 0..2 {
        assert_eq!(again.send(&pages, &ticked).status, 200);
    }
    assert_eq!(roles(), json!(["scorer"]));
    house.verify();
}
