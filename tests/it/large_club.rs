//! A large club in which everybody has met everybody: its pages show a part, and every part is right.

use std::collections::BTreeSet;
use std::time::Instant;

use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::says;
use crate::support::browser::Browser;
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;
use crate::weights::{loads, painted};

const API: &str = "/api/v1/statistics/head-to-head";
const PAGE: &str = "/statistics/head-to-head";

/// Players whose names begin alike and end with their number. The lower it is, the more they have played, and
/// won.
struct LargeClub {
    house: House,
    admin: Client,
    players: Vec<String>,
}

impl LargeClub {
    fn of(db: Db, players: usize) -> Option<Self> {
        let house = House::open(db)?;
        let admin = house.admin();
        let names = (1..=players).map(|number| format!("Giambattista Player {number:03}"));
        let names = names.map(|name| house.player(&admin, &name)).collect();
        // As many nights as it takes until everybody has met would take an hour. Each has all games on one
        // day.
        let number = |player: &str| format!("CAST(substr({player}.name, 21) AS INTEGER)");
        let (one, other) = (number("one"), number("other"));
        let games = format!("{players} - CASE WHEN {one} < {other} THEN {one} ELSE {other} END");
        house.database.execute(&format!(
            "INSERT INTO game_tally
            SELECT one.id, other.id, '2026-05-04', 'chouette', 'standard', 'unknown', 'box',
                CASE WHEN {one} < {other} THEN 'won' ELSE 'lost' END, 'single', 1, {games},
                2 * ({games}) * CASE WHEN {one} < {other} THEN 1 ELSE -1 END
            FROM player one JOIN player other ON one.id <> other.id;
            INSERT INTO game_tally
            SELECT player, '00000000-0000-0000-0000-000000000000', '2026-05-04', 'chouette', 'standard', 'unknown', 'box', result,
                'single', 1, sum(games), sum(half_points)
            FROM game_tally GROUP BY player, result"
        ));
        Some(Self { house, admin, players: names })
    }

    /// Everybody owes, or is owed, another sum in euros.
    fn owing(&self) {
        let players = (1..=self.players.len()).map(|number| (Self::owed(number), self.id(number)));
        let balance =
            |(amount, player)| json!({"holder": {"player": player}, "unit": "EUR", "amount": amount});
        let balances: Vec<Value> = players.map(balance).collect();
        self.admin.post("/api/v1/daybook", &json!({"command": "open_balances", "balances": balances})).good();
    }

    /// What the player with this number is owed in cents; below zero, what they owe.
    fn owed(number: usize) -> i64 {
        i64::try_from(number * 7_919 % 2_003).unwrap() * 10 - 10_015
    }

    /// Everybody can be paid by a transfer.
    fn at_the_bank(&self) {
        for player in &self.players {
            let iban = json!({"iban": "DE89370400440532013000"});
            self.admin.patch(&format!("/api/v1/players/{player}"), &iban).good();
        }
    }

    /// The id of the player with this number.
    fn id(&self, number: usize) -> &str {
        &self.players[number - 1]
    }

    /// The first of them beats the second in a match.
    fn matched(&self, one: usize, other: usize) {
        let new = json!({"players": [self.id(one), self.id(other)], "terms": {"play": "match", "length": 1}});
        let opened = self.admin.post("/api/v1/matches", &new).good();
        let path = format!("/api/v1/matches/{}/commands", opened.body["match"]["id"].as_str().unwrap());
        self.admin
            .post(&path, &json!({"command": "game", "winner": "upper", "win": "single", "cube": 1}))
            .good();
    }

    /// A browser in which somebody has signed in.
    fn browser(&self, (login, password): (&str, &str)) -> Client {
        let browser = self.house.server.public().cookies();
        let token = csrf(&browser.get("/sign-in").good());
        let form = [("csrf", token.as_str()), ("login", login), ("password", password)];
        assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
        browser
    }
}

/// The numbers of the players whose links a page has between two marks, in their order.
fn numbers(page: &Answer, from: &str, until: &str) -> Vec<usize> {
    let text = page.text();
    let text = text.split_once(from).map_or("", |(_, rest)| rest);
    let text = text.split_once(until).map_or(text, |(text, _)| text);
    let names = text.split("Giambattista Player ").skip(1).filter(|rest| rest.get(3..7) == Some("</a>"));
    names.map(|rest| rest[..3].parse().unwrap()).collect()
}

fn rows(page: &Answer) -> Vec<usize> {
    numbers(page, "<tbody>", "</tbody>")
}

fn listed(page: &Answer) -> Vec<usize> {
    numbers(page, "id=\"players\"", "</form>")
}

/// The address of the list's next page.
fn more(page: &Answer) -> Option<String> {
    let (before, _) = page.text().split_once("#players\">More")?;
    Some(before.rsplit_once("href=\"")?.1.replace("&#38;", "&"))
}

#[test]
fn a_large_clubs_table_has_who_played_most_and_its_list_everybody() {
    let Some(club) = LargeClub::of(Db::Sqlite, 60) else { return };
    let browser = club.browser(ADMIN);
    let page = browser.get(PAGE).good();
    assert_eq!(rows(&page), (1..=20).collect::<Vec<_>>());
    says(&page, 200, "The 20 of 60 players who have played most against each other.");
    let mut seen = listed(&page);
    let mut next = more(&page);
    while let Some(address) = next {
        let page = browser.get(&address).good();
        assert_eq!(rows(&page).len(), 20);
        seen.extend(listed(&page));
        next = more(&page);
    }
    assert_eq!(seen, (1..=60).collect::<Vec<_>>(), "everybody is listed once");
    let all: Vec<(String, usize)> = loads(&browser, PAGE);
    let (alone, all) = (all[0].1, all.iter().map(|(_, weight)| weight).sum::<usize>());
    assert!(alone < 30_000 && all < 100_000, "{alone} of {all} bytes");
    // A whole one is looked at, and the spreadsheet has all.
    let own = browser.get(&format!("{PAGE}?player={}", club.id(60))).good();
    assert_eq!(numbers(&own, "<tbody>", "</tbody>").len(), 59);
    says(&page, 200, "Everybody against everybody, complete");
    let csv = club.admin.get(&format!("{API}?format=csv")).good();
    assert_eq!(csv.text().lines().count(), 1 + 60 * 59);
}

#[test]
fn the_players_of_the_table_can_be_chosen_and_searched_for() {
    let Some(club) = LargeClub::of(Db::Sqlite, 60) else { return };
    let browser = club.browser(ADMIN);
    let found = browser.get(&format!("{PAGE}?q=player+05&kind=chouette")).good();
    assert_eq!(listed(&found), (50..=59).collect::<Vec<_>>());
    let chosen = format!("{PAGE}?who={}&who={}&q=nobody&kind=chouette", club.id(58), club.id(40));
    let chosen = browser.get(&chosen).good();
    assert_eq!(rows(&chosen), [40, 58]);
    assert_eq!(listed(&chosen), [40, 58], "whom is chosen stays in the list");
    says(&chosen, 200, "2 of 60 players against each other.");
    says(&chosen, 200, &format!("value=\"{}\" aria-label=\"Giambattista Player 040\" checked", club.id(40)));
    says(&chosen, 200, "<span class=\"n won\">+20</span><small>20</small>");
    says(&chosen, 200, "<input type=\"hidden\" name=\"kind\" value=\"chouette\">");
    let one = browser.get(&format!("{PAGE}?who={}", club.id(58))).good();
    says(&one, 200, "Giambattista Player 058 against everybody");
    let all: String = (1..=60).map(|number| format!("&who={}", club.id(number))).collect();
    assert_eq!(
        rows(&browser.get(&format!("{PAGE}?{}", &all[1..])).good()).len(),
        20,
        "as many as it may have"
    );

    let invited = json!({"player": club.id(55), "roles": ["treasurer"]});
    let invited = club.admin.post("/api/v1/accounts", &invited).good().body;
    let sign_in = ("cleo", "quattro oche sul lago");
    let claim = json!({"login": sign_in.0, "password": sign_in.1});
    club.house
        .server
        .public()
        .post(&format!("/api/v1/links/{}", invited["secret"].as_str().unwrap()), &claim)
        .good();
    let own = rows(&club.browser(sign_in).get(PAGE).good());
    assert_eq!(own, std::iter::once(55).chain(1..=19).collect::<Vec<_>>(), "their own row comes first");
}

/// The pairs of an answer, each as one text, so that they can be compared.
fn pairs(answer: &Value) -> BTreeSet<String> {
    answer["pairs"].as_array().unwrap().iter().map(ToString::to_string).collect()
}

#[rstest]
fn the_parts_of_everybody_against_everybody_come_to_the_whole(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = LargeClub::of(db, 24) else { return };
    club.matched(3, 20);
    club.matched(20, 24);
    let api = &club.admin;
    for filter in
        ["", "&from=2026-04-02", "&from=2026-01-01&until=2026-12-31", "&kind=match", "&variant=standard"]
    {
        let whole = api.get(&format!("{API}?{}", filter.trim_start_matches('&'))).good().body;
        assert!(whole.get("next").is_none(), "as it was");
        let (mut players, mut met, mut after) = (Vec::new(), BTreeSet::new(), String::new());
        loop {
            let page = api.get(&format!("{API}?limit=10{after}{filter}")).good().body;
            players.extend(page["players"].as_array().unwrap().clone());
            met.extend(pairs(&page));
            let Some(next) = page["next"].as_str() else { break };
            after = format!("&after={next}");
        }
        assert_eq!(&Value::from(players), &whole["players"], "{filter}");
        assert_eq!(met, pairs(&whole), "{filter}");
        let ids = [3, 20, 21].map(|number| club.id(number)).join(",");
        let among = api.get(&format!("{API}?players={ids}{filter}")).good().body;
        let is_among = |id: &Value| ids.contains(id.as_str().unwrap());
        let both = |pair: &&Value| is_among(&pair["player"]) && is_among(&pair["opponent"]);
        let expected = whole["pairs"].as_array().unwrap().iter().filter(both);
        assert_eq!(pairs(&among), expected.map(ToString::to_string).collect(), "{filter}");
        let listed = |answer: &Value| -> BTreeSet<String> {
            let all = answer["players"].as_array().unwrap().iter();
            all.filter(|one| is_among(&one["player"])).map(ToString::to_string).collect()
        };
        assert_eq!(listed(&among), listed(&whole), "{filter}");
    }
    let two = format!("{},{}", club.id(1), club.id(2));
    let csv = api.get(&format!("{API}?players={two}&format=csv")).good();
    assert_eq!(csv.text().lines().count(), 1 + 2, "{csv}");
    for query in
        ["limit=0", "limit=5&format=csv", "players=Ada", "after=x", &format!("players={two}&limit=5")]
    {
        api.get(&format!("{API}?{query}")).refused(400, "invalid_query");
    }
    let nobody = "00000000-0000-0000-0000-000000000001";
    api.get(&format!("{API}?limit=5&after={nobody}")).refused(404, "not_found");
    club.house.server.public().get(&format!("{API}?limit=5")).refused(401, "not_signed_in");
}

const TREASURY: &str = "/ledger/treasury";

/// Who pays whom on the treasurer's page, in its order.
fn payments(page: &Answer) -> Vec<String> {
    let sentences = page.text().split("<p class=\"row\"><span>").skip(1);
    let sentences = sentences.filter_map(|rest| Some(rest.split_once("</span>")?.0.to_owned()));
    sentences.filter(|sentence| sentence.contains(" pays ")).collect()
}

/// The people listed there with their balances, as their numbers, and whether they are chosen.
fn debtors(page: &Answer) -> Vec<(usize, bool)> {
    let rows = page.text().split("name=\"who\"").skip(1).filter_map(|rest| rest.split_once('>'));
    let number = |rest: &str| rest.split_once("Giambattista Player ").unwrap().1[..3].parse().unwrap();
    rows.map(|(field, _)| (number(field), field.contains(" checked"))).collect()
}

/// The link of a list's next page.
fn further(page: &Answer, field: &str) -> Option<String> {
    let links = page.text().split("href=\"").filter_map(|rest| rest.split_once("#due-EUR\""));
    let mut links = links.map(|(link, _)| link.replace("&#38;", "&"));
    links.find(|link| link.starts_with(TREASURY) && !link.contains('"') && link.contains(field))
}

fn sums(page: &Answer) -> String {
    let (_, rest) = page.text().split_once("<dl class=\"sums\">").unwrap();
    rest.split_once("</dl>").unwrap().0.to_owned()
}

#[test]
fn what_is_due_in_a_large_club_comes_in_parts_with_the_sums_of_all() {
    let Some(club) = LargeClub::of(Db::Sqlite, 60) else { return };
    club.owing();
    let browser = club.browser(ADMIN);
    let first = browser.get(TREASURY).good();
    let due = &club.admin.get("/api/v1/ledger/dues").good().body[0];
    let called = |party: &Value| {
        let id = party["player"].as_str();
        let number = club.players.iter().position(|player| Some(player.as_str()) == id);
        number.map_or("the club".to_owned(), |number| format!("Giambattista Player {:03}", number + 1))
    };
    let expected = due["payments"].as_array().unwrap().iter();
    let expected = expected.map(|paid| format!("{} pays {}", called(&paid["payer"]), called(&paid["payee"])));
    let (mut paid, mut people) = (payments(&first), debtors(&first));
    assert_eq!((paid.len(), people.len()), (25, 25));
    let mut next = further(&first, "paid_after=");
    while let Some(address) = next {
        let page = browser.get(&address).good();
        assert_eq!((sums(&page), debtors(&page).len()), (sums(&first), 25), "of everybody");
        paid.extend(payments(&page));
        next = further(&page, "paid_after=");
    }
    let lower = |sentence: String| sentence.to_lowercase();
    assert_eq!(paid.into_iter().map(lower).collect::<Vec<_>>(), expected.map(lower).collect::<Vec<_>>());
    let mut next = further(&first, "&after=");
    while let Some(address) = next {
        let page = browser.get(&address).good();
        assert_eq!((sums(&page), payments(&page).len()), (sums(&first), 25), "of everybody");
        people.extend(debtors(&page));
        next = further(&page, "&after=");
    }
    let mut balances: Vec<(i64, usize)> = (1..=60).map(|number| (LargeClub::owed(number), number)).collect();
    balances.sort_unstable();
    let expected: Vec<(usize, bool)> = balances.iter().map(|(_, number)| (*number, false)).collect();
    assert_eq!(people, expected, "whoever owes most first, everybody once");

    let chosen = format!("{TREASURY}?who={}&who={}", club.id(7), club.id(8));
    let chosen = browser.get(&chosen).good();
    let mut listed = debtors(&chosen);
    let rest = listed.split_off(2);
    listed.sort_unstable();
    assert_eq!(listed, [(7, true), (8, true)]);
    assert!(rest.len() == 25 && rest.iter().all(|(_, chosen)| !chosen), "others can be added: {rest:?}");
    assert!(payments(&chosen).len() <= 2 && sums(&chosen) != sums(&first), "among the two, and the club");
    let further = further(&chosen, "&after=").unwrap();
    assert!(further.contains(club.id(7)) && debtors(&browser.get(&further).good())[0].1, "they stay chosen");
}

/// Not part of every run, since it is a measurement: `docs/performance.md` says how to repeat it.
#[test]
#[ignore = "a measurement, for a machine with nothing else to do"]
fn a_club_of_200_is_answered_in_100_ms_and_painted_in_300() {
    const ANSWERED: u128 = 100;
    const PAINTED: f64 = 300.0;
    let Some(club) = LargeClub::of(Db::Sqlite, 200) else { return };
    let mut late = Vec::new();
    let among: Vec<&str> = (1..=20).map(|number| club.id(number)).collect();
    for query in
        ["", "format=csv", "limit=20", "limit=20&from=2026-04-02", &format!("players={}", among.join(","))]
    {
        let path = format!("{API}?{query}");
        let (median, bytes) = answered(&path, &club.admin);
        println!("{median:>6} ms {bytes:>9} bytes {}", &path[..path.len().min(70)]);
        // All pairs at once are for anyone who has the time.
        if median >= ANSWERED && (query.contains("limit") || query.contains("players")) {
            late.push(format!("{path}: {median} ms"));
        }
    }
    let Some(browser) = Browser::laptop() else { return };
    let phone = Phone::signed_in(browser, &club.house, ADMIN);
    let at = club.browser(ADMIN);
    let own = format!("{PAGE}?player={}", club.id(1));
    club.owing();
    club.at_the_bank();
    let (median, bytes) = answered("/api/v1/ledger/dues", &club.admin);
    println!("{median:>6} ms {bytes:>9} bytes /api/v1/ledger/dues");
    for path in [PAGE, &format!("{PAGE}?from=2026-04-02"), &own, TREASURY] {
        let (median, bytes) = answered(path, &at);
        let mut paints: Vec<f64> =
            (0..5).filter_map(|_| painted(&phone, &format!("{}{path}", club.house.server.url()))).collect();
        paints.sort_by(f64::total_cmp);
        println!("{median:>6} ms {bytes:>9} bytes {path}: painted after {paints:.0?} ms");
        if median >= ANSWERED || paints.get(2).is_none_or(|median| *median >= PAINTED) {
            late.push(format!("{path}: {median} ms, painted after {paints:?} ms"));
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}

/// The median of how long an answer takes, in milliseconds, and its bytes on the wire.
fn answered(path: &str, client: &Client) -> (u128, usize) {
    let mut bytes = 0;
    let mut times: Vec<u128> = (0..7)
        .map(|_| {
            let began = Instant::now();
            bytes = client.weight_on_the_wire(path);
            began.elapsed().as_millis()
        })
        .collect();
    times.sort_unstable();
    (times[3], bytes)
}
