//! House rules over HTTP (Q14): the sets that come with the program, the club's own, a table opened with one,
//! and the pages.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};

const SETS: &str = "/api/v1/house-rules";

fn names(list: &Answer) -> Vec<String> {
    let items = list.body["items"].as_array().expect("items");
    items.iter().map(|set| set["name"].as_str().expect("a name").to_owned()).collect()
}

#[rstest]
fn q14_the_sets_of_the_program_are_listed_before_the_clubs_own(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let ready = names(&admin.get(SETS).good());
    assert_eq!(ready[0], "common");
    assert!(ready.contains(&"los_angeles".to_owned()) && ready.contains(&"rulebook".to_owned()));

    for name in ["Friday", "beginners"] {
        admin.put(&format!("{SETS}/{name}"), &json!({"jacoby": "off"})).good();
    }
    let all = names(&admin.get(SETS).good());
    assert_eq!(all, [ready.clone(), vec!["beginners".to_owned(), "Friday".to_owned()]].concat());
    // By pages of one set each.
    let (mut paged, mut after) = (Vec::new(), String::new());
    loop {
        let page = admin.get(&format!("{SETS}?limit=3{after}")).good();
        paged.extend(names(&page));
        let Some(next) = page.body["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!(paged, all);
    admin.get(&format!("{SETS}?after=gone")).refused(400, "invalid_query");
}

#[rstest]
fn q14_a_club_saves_replaces_and_removes_its_own_rules(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let path = format!("{SETS}/Friday%20night");
    let made = admin.put(&path, &json!({"cubes": "single", "partner": {"when": "optional"}}));
    assert_eq!(made.status, 201, "{made}");
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(made.body["name"], "Friday night");
    assert_eq!(made.body["differences"], json!(["cubes", "partner.when"]));
    assert_eq!(made.body["rules"]["partner"]["from"], 6, "what was not said is there");

    // Names differing only in case are the same. The version of the club guards the change.
    let seen = made.etag().to_owned();
    let same = format!("{SETS}/friday%20NIGHT");
    assert_eq!(admin.get(&same).good().body["rules"], made.body["rules"]);
    let replaced = admin.request("PUT", &path).json(&json!({"jacoby": "off"})).if_match(&seen).send();
    assert_eq!((replaced.status, &replaced.body["differences"]), (200, &json!(["jacoby"])), "{replaced}");
    admin.request("PUT", &path).json(&json!({})).if_match(&seen).send().refused(412, "stale_version");
    admin.put(&path, &json!({"jacoby": "off"})).refused(422, "nothing_changes");

    admin.request("DELETE", &path).if_match(&seen).send().refused(412, "stale_version");
    assert_eq!(admin.delete(&same).status, 204);
    admin.delete(&path).refused(404, "not_found");
    admin.get(&path).refused(404, "not_found");
}

#[rstest]
fn a_set_saved_twice_under_one_key_is_saved_once(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let path = format!("{SETS}/Friday");
    let save = || admin.request("PUT", &path).json(&json!({"jacoby": "off"})).key("one").send();
    let (first, again) = (save(), save());
    assert_eq!((first.status, first.etag()), (201, again.etag()));
    assert_eq!(again.status, 201, "the same answer: {again}");
    let remove = || admin.request("DELETE", &path).key("two").send();
    assert_eq!((remove().status, remove().status), (204, 204));
}

#[rstest]
fn q14_what_cannot_be_saved_says_why(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let put = |name: &str, rules: &Value| admin.put(&format!("{SETS}/{name}"), rules);
    let clash = put("Friday", &json!({"cubes": "single", "stakes": "own_start"}));
    let clash = clash.refused(422, "contradictory_rules");
    assert_eq!(
        (&clash.body["field"], &clash.body["allowed"]),
        (&json!("stakes"), &json!(["stakes", "cubes"]))
    );
    for name in ["common", "ATLANTA", "Schema"] {
        put(name, &json!({})).refused(422, "name_reserved");
    }
    for name in ["%20", "a%2Fb", "%00", &"x".repeat(61)] {
        put(name, &json!({})).refused(422, "invalid_name");
    }
    put("Friday", &json!({"cubs": "single"})).refused(400, "invalid_body");
    put("Friday", &json!({"cubes": "two"})).refused(400, "invalid_body");
    admin.delete(&format!("{SETS}/common")).refused(422, "name_reserved");
    assert!(!names(&admin.get(SETS).good()).contains(&"Friday".to_owned()));
}

/// Door: rules.
#[rstest]
fn q14_a_table_is_opened_with_a_set_by_its_name_and_keeps_it(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    admin.put(&format!("{SETS}/Friday"), &json!({"box_retention": "beat_everyone"})).good();
    let open = |more: Value| {
        let mut new = json!({"name": "Table"});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        admin.post("/api/v1/chouettes", &new)
    };
    let rules = |opened: &Answer| opened.body["chouette"]["rules"].clone();
    let friday = open(json!({"house_rules": "friday"})).good();
    assert_eq!(rules(&friday)["box_retention"], "beat_everyone");
    let single = open(json!({"house_rules": "single_cube"})).good();
    assert_eq!(rules(&single)["cubes"], "single");
    let common = admin.get(&format!("{SETS}/common")).good();
    assert_eq!(rules(&open(json!({})).good()), common.body["rules"]);

    let both = open(json!({"house_rules": "Friday", "rules": {}}));
    assert_eq!(both.refused(422, "rules_said_twice").body["field"], "house_rules");
    let unknown = open(json!({"house_rules": "Monday"})).refused(422, "unknown_house_rules");
    assert!(unknown.body["allowed"].as_array().unwrap().contains(&json!("Friday")), "{unknown}");
    open(json!({"rules": {"cubes": "single", "late_doubles": "open"}})).refused(422, "contradictory_rules");

    // A later change of the set changes no table.
    assert_eq!(admin.delete(&format!("{SETS}/Friday")).status, 204);
    let path = format!("/api/v1/chouettes/{}", friday.body["chouette"]["id"].as_str().unwrap());
    assert_eq!(admin.get(&path).good().body["rules"]["box_retention"], "beat_everyone");
}

/// Door: rules.
#[rstest]
fn q14_every_setting_is_explained_with_its_options(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let settings = house.admin().get(&format!("{SETS}/schema")).good().body["settings"].clone();
    let settings = settings.as_array().unwrap();
    let find = |key: &str| settings.iter().find(|setting| setting["key"] == key).expect(key);
    let retention = find("box_retention");
    assert_eq!((&retention["type"], &retention["default"]), (&json!("choice"), &json!("original_captain")));
    assert_eq!(retention["options"].as_array().unwrap().len(), 6);
    let from = find("partner.from");
    assert_eq!(
        (&from["type"], &from["minimum"], &from["maximum"]),
        (&json!("number"), &json!(3), &json!(20))
    );
    assert!(settings.iter().all(|setting| setting["about"].as_str().is_some_and(|about| about.len() > 10)));
}

#[rstest]
fn the_settings_have_a_limit_of_exposure(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let mut settings = admin.get("/api/v1/settings").good().body;
    assert_eq!(settings["exposure_limit"], Value::Null);
    settings["exposure_limit"] = json!(64);
    admin.put("/api/v1/settings", &settings).good();
    assert_eq!(admin.get("/api/v1/settings").good().body["exposure_limit"], 64);
    for bad in [json!(0), json!(-1), json!(1.5), json!(1_000_001), json!("64")] {
        settings["exposure_limit"] = bad;
        admin.put("/api/v1/settings", &settings).refused(400, "invalid_body");
    }
    // What is not named stays; null clears.
    settings.as_object_mut().unwrap().remove("exposure_limit");
    settings["highest_cube"] = json!(128);
    assert_eq!(admin.put("/api/v1/settings", &settings).good().body["exposure_limit"], 64);
    settings["exposure_limit"] = Value::Null;
    assert_eq!(admin.put("/api/v1/settings", &settings).good().body["exposure_limit"], Value::Null);
}

/// A browser without scripts: cookies, and the forms' token.
struct Pages {
    client: Client,
    csrf: String,
}

impl Pages {
    fn new(house: &House) -> Self {
        let client = house.server.public().cookies();
        let mut pages = Self { client, csrf: String::new() };
        pages.csrf = token(&pages.client.get("/sign-in").good());
        pages.post("/sign-in", &[("login", ADMIN.0), ("password", ADMIN.1)]);
        pages.csrf = token(&pages.client.get("/account").good());
        pages
    }

    fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let fields = [&[("csrf", self.csrf.as_str())], fields].concat();
        self.client.request("POST", path).form(&fields).send()
    }
}

fn token(page: &Answer) -> String {
    let (_, after) = page.text().split_once("name=\"csrf\" value=\"").expect("a form with its token");
    after.split('"').next().expect("the token").to_owned()
}

#[test]
fn q14_rules_are_written_on_a_page_without_scripts_and_errors_stand_at_the_field() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let pages = Pages::new(&house);
    let form = pages.client.get("/house-rules/single_cube/edit").good();
    assert!(form.text().contains(r#"<option value="single" selected>"#), "it begins with the set");

    let clash = [("from", "single_cube"), ("name", "Friday"), ("cubes", "single"), ("stakes", "own_start")];
    let refused = pages.post("/house-rules", &clash);
    assert_eq!(refused.status, 422);
    for id in ["stakes-error", "cubes-error"] {
        assert!(refused.text().contains(&format!("id=\"{id}\"")), "{id} is named at its field");
    }
    assert!(refused.text().contains(r#"<option value="own_start" selected>"#), "what was chosen stays");
    let bad = [("name", ""), ("partner.from", "2"), ("partner.share", "all")];
    let refused = pages.post("/house-rules", &bad);
    for id in ["name-error", "partner.from-error", "partner.share-error"] {
        assert!(refused.text().contains(&format!("id=\"{id}\"")), "{id} is named at its field");
    }

    let good = [("from", "single_cube"), ("name", "Friday night"), ("cubes", "single"), ("jacoby", "off")];
    let saved = pages.post("/house-rules", &good);
    assert_eq!((saved.status, saved.header("location")), (303, Some("/house-rules/Friday%20night?saved")));
    let page = pages.client.get("/house-rules/Friday%20night").good();
    assert!(page.text().contains("one for the whole game"), "the option in force is in words");
    let set = house.admin().get(&format!("{SETS}/Friday%20night")).good().body;
    assert_eq!(set["differences"], json!(["cubes", "jacoby"]));

    // A table opened with the set, which is then proposed again.
    let opened = pages.post("/chouettes", &[("name", "Friday"), ("house_rules", "Friday night")]);
    assert_eq!(opened.status, 303, "{opened}");
    let home = pages.client.get("/").good();
    assert!(home.text().contains(r#"<option value="Friday night" selected>"#));
    assert_eq!(pages.post("/house-rules/Friday%20night/remove", &[]).status, 303);
    assert_eq!(pages.client.get("/house-rules/Friday%20night").status, 404);
}

/// The rules that a set's form began with.
fn seen(page: &Answer) -> String {
    let (_, after) = page.text().split_once("name=\"seen\" value=\"").expect("what it was made from");
    after.split('"').next().expect("a fingerprint").to_owned()
}

#[test]
fn q14_a_form_never_takes_the_place_of_rules_that_it_has_not_seen() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let (pages, admin) = (Pages::new(&house), house.admin());
    let rules = |name: &str| admin.get(&format!("{SETS}/{name}")).good().body["differences"].clone();
    admin.put(&format!("{SETS}/Friday"), &json!({"cubes": "single"})).good();

    // A copy of a preset under the name of one of the club's own sets.
    let of_a_preset = seen(&pages.client.get("/house-rules/rulebook/edit").good());
    let copy = [("from", "rulebook"), ("seen", &of_a_preset), ("name", "friday"), ("jacoby", "off")];
    let refused = pages.post("/house-rules", &copy);
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("id=\"name-error\""), "it is told at the field");
    assert!(refused.text().contains("house rules with this name already"), "in words");
    assert_eq!(rules("Friday"), json!(["cubes"]));

    // Two people edit the same set. The second to save has not seen the first one's change and is refused.
    // Other changes of the club do not matter.
    let began = seen(&pages.client.get("/house-rules/Friday/edit").good());
    house.player(&admin, "Ada");
    let change = |setting: (&'static str, &'static str)| {
        let fields = [("from", "Friday"), ("seen", began.as_str()), ("name", "Friday"), setting];
        pages.post("/house-rules", &fields)
    };
    assert_eq!(change(("jacoby", "off")).status, 303);
    assert_eq!(change(("jacoby", "off")).status, 303, "sent twice it is the same");
    let refused = change(("beavers", "off"));
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("Somebody else has changed these rules"));
    assert_eq!(rules("Friday"), json!(["jacoby"]));

    // It can be saved under a new name, but a set cannot be renamed over another.
    let other = [("from", "Friday"), ("seen", began.as_str()), ("name", "Sunday"), ("cubes", "single")];
    assert_eq!(pages.post("/house-rules", &other).status, 303);
    let over = [("from", "Friday"), ("seen", began.as_str()), ("name", "Sunday"), ("jacoby", "off")];
    assert_eq!(pages.post("/house-rules", &over).status, 422);
    assert_eq!(rules("Sunday"), json!(["cubes"]));
}

#[test]
fn the_limit_of_exposure_is_set_on_the_page() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let pages = Pages::new(&house);
    let fields = [("name", "Milano"), ("time_zone", "Europe/Rome"), ("currencies", "EUR")];
    let post = |limit| pages.post("/settings", &[&fields[..], &[("exposure_limit", limit)]].concat());
    assert_eq!(post("64").status, 303);
    assert_eq!(house.admin().get("/api/v1/settings").good().body["exposure_limit"], 64);
    let refused = post("half");
    assert!(refused.status == 422 && refused.text().contains("whole points"), "{refused}");
    assert_eq!(post("").status, 303);
    assert_eq!(house.admin().get("/api/v1/settings").good().body["exposure_limit"], Value::Null);
}
