//! The link on a player's card: what it shows and lets its player say, and whose it is.

use super::*;

/// The code on a player's card opens a page of their own: their next match, table and result. No password,
/// and nothing else.
#[rstest]
fn the_link_of_an_entry_speaks_for_one_player_alone(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    let about = json!({"name": "Members only", "date": "2026-04-18", "currency": "EUR"});
    event.does(&json!({"command": "change", "about": about}));
    event.does(&json!({"command": "set_tables", "tables": [{"table": 12}]}));
    event.does(&json!({"command": "call", "match": 1}));
    let links = cards(&house, &event);
    assert_eq!(links.len(), 8);

    let phone = house.server.public().cookies();
    let ada = phone.get(&links[0]).good();
    assert!(ada.text().contains("12") && ada.text().contains("Bea"), "{ada}");
    let says = |client: &Client, link: &str, number: &str, score: &str| {
        let page = client.get(link).good();
        let token = csrf(&page);
        let form = [("csrf", token.as_str()), ("match", number), ("score", score)];
        client.request("POST", link).form(&form).send()
    };
    assert_eq!(says(&phone, &links[0], "1", "3-1").status, 303);
    let other = house.server.public().cookies();
    assert_eq!(says(&other, &links[1], "2", "3-1").status, 422, "not their match");
    assert_eq!(says(&other, &links[1], "1", "3-1").status, 303);
    assert_eq!(event.get("/divisions/1/matches/1")["outcome"]["score"], json!([3, 1]), "both say so");

    // The link does not sign anybody in.
    assert_eq!(phone.get(&format!("/tournaments/{}", event.id)).status, 303, "to the door");
    assert_eq!(phone.get(&format!("{}x", links[0])).status, 404);
    let token = links[0].rsplit('/').next().unwrap();
    house.server.public().bearer(token).get(&event.path("")).refused(401, "invalid_token");
}

/// The links on the cards of the entries, in order.
fn cards(house: &House, event: &Event) -> Vec<String> {
    let page = signed_in_page(house, &format!("/tournaments/{}/1/cards", event.id));
    page.split("class=\"entry-code\" href=\"")
        .skip(1)
        .map(|rest| format!("/e/{}", rest.split('"').next().unwrap().rsplit('/').next().unwrap()))
        .collect()
}

/// Posts the form of a player's page, with these fields in place of its own.
fn says_by_link(phone: &Client, link: &str, more: &[(&str, &str)]) -> Answer {
    let page = phone.get(link).good();
    let form = page.text().split("<form method=\"post\" action=\"/e/").nth(1).map(str::to_owned);
    let form = form.unwrap_or_else(|| panic!("nothing to say: {page}"));
    let field = |name: &str| {
        let (_, rest) = form.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let mut fields: BTreeMap<&str, String> =
        ["csrf", "match", "players", "key"].into_iter().map(|name| (name, field(name))).collect();
    fields.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    phone.request("POST", link).form(&fields).send()
}

#[rstest]
fn a_card_is_of_its_player_and_never_of_who_has_the_number_later(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = Event::new(&house, &["Ada", "Bea"], &json!({"lengths": [3]}));
    let links = cards(&house, &event);
    let phone = house.server.public().cookies();
    assert!(phone.get(&links[0]).good().text().contains("Ada"));
    event.does(&json!({"command": "undo"}));
    let cleo = house.player(&event.director, "Cleo");
    let others = [json!({"player": cleo}), json!({"player": event.players["Ada"]})];
    event.does(&json!({"command": "enter", "entries": others}));
    for link in &links {
        assert_eq!(phone.get(link).status, 404, "the number is another's now");
    }
    let links = cards(&house, &event);
    assert!(phone.get(&links[0]).good().text().contains("Cleo"));
    // A deactivated player can no longer report.
    event.director.patch(&format!("/api/v1/players/{cleo}"), &json!({"active": false})).good();
    assert_eq!(phone.get(&links[0]).status, 404);
}

#[rstest]
fn what_is_said_by_a_link_is_a_score_of_those_who_sit_there_and_not_without_end(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [5]}));
    let links = cards(&house, &event);
    let phone = house.server.public().cookies();
    let said = || event.get("/divisions/1/matches/1")["slots"][0]["reported"].clone();
    assert_eq!(says_by_link(&phone, &links[0], &[("score", "5-3")]).status, 303);
    for mangled in ["65536-0", "-5-2", "", "5", "5-x"] {
        let answer = says_by_link(&phone, &links[0], &[("score", mangled)]);
        assert_eq!(answer.status, 422, "{mangled}: {answer}");
    }
    assert_eq!(says_by_link(&phone, &links[0], &[("score", "5-1"), ("players", "1-3")]).status, 422);
    assert_eq!(said(), json!([5, 3]));
    // Repeating the same report changes nothing.
    let version = event.get("")["version"].clone();
    assert_eq!(says_by_link(&phone, &links[0], &[("score", "5-3")]).status, 303);
    assert_eq!(event.get("")["version"], version);
    assert_eq!(says_by_link(&phone, &links[0], &[("score", "none")]).status, 303);
    assert_eq!(said(), Value::Null);
    let often: Vec<u16> = (0..8)
        .map(|n| says_by_link(&phone, &links[0], &[("score", &format!("5-{}", n % 2))]).status)
        .collect();
    assert_eq!(often, [303, 303, 303, 303, 429, 429, 429, 429], "six times a minute");
    let other = house.server.public().cookies();
    assert_eq!(
        says_by_link(&other, &links[2], &[("score", "5-0")]).status,
        303,
        "another player's match does not count"
    );
    is_in_order(&house);
}

#[rstest]
fn who_waits_with_another_entry_still_says_how_their_match_ended(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let settings =
        json!({"lengths": [3], "re_entries": 1, "format": {"consolation": {"of": "first_losers"}}});
    let event = Event::new(&house, &["Ada", "Bea", "Cleo", "Dino"], &settings);
    let links = cards(&house, &event);
    event.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
    event.played(1, [3, 0]);
    event.played(2, [3, 0]);
    event.does(&json!({"command": "re_enter", "entry": 2}));
    let phone = house.server.public().cookies();
    let page = phone.get(&links[1]).good();
    assert!(page.text().contains("Dino"), "their match in the consolation: {page}");
    assert_eq!(says_by_link(&phone, &links[1], &[("score", "3-1")]).status, 303);
}
