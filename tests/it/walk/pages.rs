//! Every page and every form, from the table that registers them: with every role, with and without the
//! form's token, and with empty forms.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use owlbox_base::permissions::{OrderKind, Permission, Scope, allows};
use owlbox_base::permissions::{Role, Roles};
use owlbox_chouette::CommandKind as TableCommand;
use owlbox_play::tournament::CommandKind as TournamentCommand;
use owlbox_site::PAGES;
use serde_json::json;

use super::{Club, NOTHING, PASSWORD, filled};
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;

/// The people a page is for.
#[derive(Clone, Copy)]
enum Who {
    Anybody,
    May(Permission),
    Gives(TableCommand),
    Directs(TournamentCommand),
}

use Permission as P;
use TournamentCommand as T;
use Who::{Anybody, Directs, Gives, May};

/// The expected table: whom each page is for, and the status they get. For a form, the status when only its
/// token is sent.
const EXPECTED: [(&str, Who, u16); 150] = [
    ("GET /assets/{path:.*}", Anybody, 404),
    ("GET /", May(P::ViewClub), 200),
    ("POST /chouettes", May(P::OpenChouette), 422),
    ("GET /chouettes/{id}", May(P::ViewTables), 200),
    ("GET /chouettes/{id}/finish", Gives(TableCommand::Finish), 200),
    ("GET /chouettes/{id}/settle-up", May(P::ViewPayments), 200),
    // There is no double to answer: back to the table.
    ("GET /chouettes/{id}/everybody", Gives(TableCommand::Finish), 303),
    ("GET /chouettes/{id}/undo", Gives(TableCommand::Finish), 200),
    ("GET /chouettes/{id}/{sheet}", Gives(TableCommand::Pay), 200),
    ("POST /chouettes/{id}/act", May(P::ViewTables), 400),
    ("POST /chouettes/{id}/act/preview", May(P::ViewTables), 400),
    ("GET /nights", May(P::ViewTables), 200),
    ("GET /nights/{date}/settle-up", May(P::ViewPayments), 200),
    ("POST /nights/{date}/settle-up", May(P::RecordPayments), 422),
    ("GET /club/years/{year}", May(P::ViewPlayers), 200),
    ("GET /club/years/{year}/{month}", May(P::ViewPlayers), 200),
    ("GET /club/nights/{date}", May(P::ViewPlayers), 200),
    ("GET /seasons", May(P::ViewPlayers), 200),
    ("POST /seasons", May(P::ChangeSettings), 422),
    ("GET /seasons/{name}", May(P::ViewPlayers), 200),
    ("GET /seasons/{name}/edit", May(P::ChangeSettings), 200),
    ("POST /seasons/{name}/remove", May(P::ChangeSettings), 303),
    ("GET /house-rules", May(P::ViewTables), 200),
    ("POST /house-rules", May(P::ManageHouseRules), 422),
    ("GET /house-rules/{name}", May(P::ViewTables), 200),
    ("GET /house-rules/{name}/edit", May(P::ManageHouseRules), 200),
    ("POST /house-rules/{name}/remove", May(P::ManageHouseRules), 303),
    ("GET /ledger/house", May(P::ViewAnyLedger), 200),
    ("GET /ledger/tournaments", May(P::ViewAnyLedger), 200),
    ("GET /ledger/treasury", May(P::ViewAnyLedger), 200),
    ("GET /ledger/daybook", May(P::ViewAnyLedger), 200),
    ("POST /ledger/daybook", May(P::ViewAnyLedger), 400),
    ("GET /ledger/import", May(P::KeepBooks), 200),
    ("POST /ledger/import", May(P::KeepBooks), 400),
    ("POST /ledger/import/preview", May(P::KeepBooks), 400),
    ("GET /ledger/accounts/{account}", May(P::ViewAnyLedger), 200),
    ("GET /ledger/exports", May(P::ViewAnyLedger), 200),
    // There is no such tournament.
    ("GET /ledger/pools/{tournament}", May(P::ViewAnyLedger), 404),
    // They owe nothing.
    ("POST /ledger/{player}/remind", May(P::KeepBooks), 422),
    ("GET /ledger/{player}", May(P::ViewAnyLedger), 200),
    // Without a login, only public tournaments.
    ("GET /tournaments", Anybody, 200),
    ("GET /tournaments/{id}", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/screen", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/players/{player}", May(P::ViewTournaments), 200),
    ("POST /tournaments/{id}/players/{player}", May(P::ViewTournaments), 404),
    ("GET /tournaments/{id}/{division}", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/{division}/draw", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/{division}/entries", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/{division}/places", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/{division}/print", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/{division}/slips", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/{division}/cards", Directs(TournamentCommand::CheckIn), 200),
    // Only public tournaments are shown on other sites, no matter who asks.
    ("GET /tournaments/{id}/{division}/embed", May(P::ViewTournaments), 404),
    ("GET /tournaments/{id}/{division}/matches/{match}", May(P::ViewTournaments), 200),
    // There is no such link.
    ("GET /e/{link}", Anybody, 404),
    ("POST /e/{link}", Anybody, 404),
    ("GET /matches", May(P::ViewTables), 200),
    ("POST /matches", May(P::RunMatch), 422),
    ("GET /matches/{id}", May(P::ViewTables), 200),
    ("GET /matches/{id}/clock", May(P::ViewTables), 200),
    ("POST /matches/{id}/act", May(P::ViewTables), 400),
    ("POST /matches/{id}/act/preview", May(P::ViewTables), 400),
    ("GET /players", May(P::ViewPlayers), 200),
    ("POST /players", May(P::ViewPlayers), 422),
    ("GET /players/{id}", May(P::ViewPlayers), 200),
    ("POST /players/{id}", May(P::ManagePlayers), 422),
    ("GET /players/{id}/statistics", May(P::ViewAnyLedger), 200),
    ("GET /players/{id}/statistics/against/{other}", May(P::ViewAnyLedger), 200),
    ("GET /ratings", May(P::ViewPlayers), 200),
    ("GET /statistics", May(P::ViewPlayers), 200),
    ("GET /statistics/head-to-head", May(P::ViewAnyLedger), 200),
    ("POST /players/{id}/remove", May(P::ManagePlayers), 303),
    ("POST /players/{id}/invite", May(P::ManageAccounts), 422),
    ("GET /players/{id}/data", May(P::ManagePersonalData), 200),
    ("GET /players/{id}/erase", May(P::ManagePersonalData), 200),
    ("POST /players/{id}/erase", May(P::ManagePersonalData), 400),
    ("GET /tournaments/new", May(P::RunTournaments), 200),
    ("POST /tournaments", May(P::RunTournaments), 422),
    ("GET /tournaments/{id}/edit", Directs(T::Change), 200),
    ("POST /tournaments/{id}/edit", Directs(T::Change), 422),
    ("GET /tournaments/{id}/enter", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/desk", Directs(T::Call), 200),
    ("POST /tournaments/{id}/act", Directs(T::Call), 400),
    ("POST /tournaments/{id}/act/preview", May(P::ViewTournaments), 400),
    ("POST /tournaments/{id}/enter/act", May(P::ViewTournaments), 400),
    ("POST /tournaments/{id}/enter/act/preview", May(P::ViewTournaments), 400),
    ("POST /tournaments/{id}/desk/{page:.+}/act/preview", May(P::ViewTournaments), 400),
    ("POST /tournaments/{id}/desk/act", Directs(T::Call), 400),
    ("POST /tournaments/{id}/desk/act/preview", May(P::ViewTournaments), 400),
    ("POST /tournaments/{id}/desk/settings/act", Directs(T::Change), 400),
    ("POST /tournaments/{id}/desk/room/act", Directs(T::Call), 400),
    ("POST /tournaments/{id}/desk/money/act", Directs(T::PayIn), 400),
    ("POST /tournaments/{id}/desk/log/act", Directs(T::Call), 400),
    ("POST /tournaments/{id}/desk/{division}/entries/act", Directs(T::CheckIn), 400),
    ("POST /tournaments/{id}/desk/{division}/entries/{entry}/act", Directs(T::CheckIn), 400),
    ("POST /tournaments/{id}/desk/{division}/draw/act", Directs(T::Draw), 400),
    ("POST /tournaments/{id}/desk/{division}/matches/{n}/act", Directs(T::Result), 400),
    ("POST /tournaments/{id}/desk/{division}/matches/{n}/correct/act", Directs(T::Correct), 400),
    ("GET /tournaments/{id}/desk/settings", Directs(T::Change), 200),
    ("GET /tournaments/{id}/desk/new-division", Directs(T::AddDivision), 200),
    ("POST /tournaments/{id}/desk/new-division", Directs(T::AddDivision), 422),
    ("GET /tournaments/{id}/desk/{division}/settings", Directs(T::ChangeDivision), 200),
    ("POST /tournaments/{id}/desk/{division}/settings", Directs(T::ChangeDivision), 422),
    ("GET /tournaments/{id}/desk/room", Directs(T::Call), 200),
    ("GET /tournaments/{id}/desk/money", Directs(T::PayIn), 200),
    ("GET /tournaments/{id}/desk/log", Directs(T::Call), 200),
    ("GET /tournaments/{id}/desk/{division}/entries", Directs(T::CheckIn), 200),
    ("POST /tournaments/{id}/desk/{division}/entries", Directs(T::CheckIn), 422),
    ("POST /tournaments/{id}/desk/{division}/entries/seeds", Directs(T::Seed), 303),
    ("GET /tournaments/{id}/desk/{division}/entries/{entry}", Directs(T::CheckIn), 200),
    ("GET /tournaments/{id}/desk/{division}/draw", Directs(T::Draw), 200),
    // A match has been played.
    ("GET /tournaments/{id}/desk/{division}/draw/by-hand", Directs(T::Draw), 303),
    ("POST /tournaments/{id}/desk/{division}/draw/by-hand", Directs(T::Draw), 422),
    ("GET /tournaments/{id}/desk/{division}/matches/{n}", Directs(T::Result), 200),
    ("GET /tournaments/{id}/desk/{division}/matches/{n}/correct", Directs(T::Correct), 200),
    ("GET /account", May(P::ManageOwnAccount), 200),
    ("POST /account/password", May(P::ManageOwnAccount), 422),
    ("POST /account/email", May(P::ManageOwnAccount), 401),
    ("POST /account/sign-out-everywhere", May(P::ManageOwnAccount), 303),
    ("POST /account/tokens", May(P::ManageOwnAccount), 422),
    ("POST /account/tokens/{id}/revoke", May(P::ManageOwnAccount), 303),
    ("GET /settings", May(P::ChangeSettings), 200),
    ("POST /settings", May(P::ChangeSettings), 422),
    ("POST /settings/accounts/{id}", May(P::ManageAccounts), 422),
    ("POST /settings/accounts/{id}/reset", May(P::ManageAccounts), 200),
    // No request is pending.
    ("POST /settings/registrations/decline", May(P::ManageAccounts), 303),
    ("POST /settings/registrations/{id}/confirm", May(P::ManageAccounts), 404),
    ("POST /settings/registrations/{id}/decline", May(P::ManageAccounts), 404),
    ("GET /settings/webhooks", May(P::ChangeSettings), 200),
    // The form names no address.
    ("POST /settings/webhooks", May(P::ChangeSettings), 400),
    ("POST /settings/webhooks/{id}/switch", May(P::ChangeSettings), 303),
    ("POST /settings/webhooks/{id}/ping", May(P::ChangeSettings), 303),
    ("POST /settings/webhooks/{id}/remove", May(P::ChangeSettings), 303),
    ("GET /set-up", Anybody, 303),
    ("POST /set-up", Anybody, 422),
    ("GET /sign-in", Anybody, 303),
    ("POST /sign-in", Anybody, 401),
    // No mail is set up.
    ("POST /forgotten-password", Anybody, 422),
    // By default the club does not let people register.
    ("GET /register", Anybody, 303),
    ("POST /register", Anybody, 422),
    ("POST /sign-out", Anybody, 303),
    ("GET /claim/{secret}", Anybody, 200),
    ("POST /claim/{secret}", Anybody, 422),
    ("POST /language", Anybody, 303),
    ("POST /theme", Anybody, 303),
    ("POST /board-view", Anybody, 303),
    ("GET /reference", Anybody, 200),
    ("GET /reference/opening", Anybody, 200),
    ("GET /reference/shots", Anybody, 200),
    ("GET /reference/score", Anybody, 200),
];

/// Every registered page, as `GET /players/{id}`; not where a page's script sends a chosen file, which is no
/// form.
fn registered() -> Vec<String> {
    let pages = PAGES.iter().filter(|(_, path)| *path != "/texts");
    pages.map(|(method, path)| format!("{} {path}", method.to_uppercase())).collect()
}

/// The token in a page's forms.
#[track_caller]
pub(crate) fn csrf(page: &Answer) -> String {
    let (_, after) = page.text().split_once("name=\"csrf\" value=\"").expect("a form with its token");
    after.split('"').next().expect("the token").to_owned()
}

/// A browser with a signed-in user, and its forms' token.
#[track_caller]
pub(super) fn signed_in(club: &Club, login: &str) -> (Client, String) {
    let browser = club.public.cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", login), ("password", PASSWORD)];
    let answer = browser.request("POST", "/sign-in").form(&form).send();
    assert_eq!(answer.status, 303, "{answer}");
    let token = csrf(&browser.get("/account").good());
    (browser, token)
}

/// The page's path with real ids filled in.
fn real(club: &Club, path: &str) -> String {
    if path.starts_with("/tournaments/{id}") {
        let (id, player) = club.tournament(true);
        let path = path.replace("{id}", &id).replace("{player}", &player).replace("{page:.+}", "room");
        return filled(&path, "1");
    }
    let id = if path.contains("{account}") {
        "bank".to_owned()
    } else if path.contains("{date}") {
        "2026-11-20".to_owned()
    } else if path.contains("{year}") {
        "2026".to_owned()
    } else if path.contains("/chouettes/{id}") {
        let players = [club.player(), club.player(), club.player()];
        club.table_of(&players.each_ref().map(String::as_str))
    } else if path.starts_with("/matches/{id}") {
        club.timed_match()
    } else if path.contains("/accounts/{id}") {
        club.somebody("player").account
    } else if path.contains("{secret}") {
        super::text(&club.invite("player", None).body["secret"]).to_owned()
    } else if path.contains("/seasons/{name}") {
        club.season()
    } else if path.contains("/house-rules/{name}") {
        club.rule_set()
    } else if path.contains("/webhooks/{id}") {
        club.webhook()
    } else if path.contains("/tokens/{id}")
        || path.contains("/registrations/{id}")
        || path.contains("{tournament}")
    {
        NOTHING.to_owned()
    } else {
        club.player()
    };
    filled(path, &id).replace("{path:.*}", "nonsense.js")
}

/// Every page with real ids filled in, as an admin sees it or as a stranger does.
pub(super) fn shown(club: &Club) -> Vec<String> {
    let pages = EXPECTED.iter().filter_map(|(name, ..)| name.strip_prefix("GET "));
    pages.filter(|path| !path.starts_with("/assets")).map(|path| real(club, path)).collect()
}

/// Checks that the answer is an HTML page, or a redirect to one.
#[track_caller]
fn is_a_page(answer: &Answer) {
    let kind = answer.header("content-type").unwrap_or_default();
    let page = kind.starts_with("text/html") && answer.text().contains("</html>");
    assert!(page || answer.status == 303 && answer.header("location").is_some(), "no page: {answer}");
}

#[test]
fn the_expected_table_has_every_page_that_is_registered() {
    let mut expected: Vec<String> = EXPECTED.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let mut registered = registered();
    expected.sort();
    registered.sort();
    assert_eq!(registered, expected);
}

#[test]
fn every_page_shows_every_role_what_the_permission_table_says() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    // What is only looked at stays as it is for the next role, except for a season, which goes with the
    // settings.
    let mut looked_at = BTreeMap::new();
    for role in Role::ALL {
        let session = signed_in(&club, &club.somebody(role.name()).login);
        for (name, who, good) in EXPECTED {
            let (method, path) = name.split_once(' ').unwrap();
            let ends_sessions = method == "POST"
                && ["/sign", "/account", "/claim", "/set-up", "/language"]
                    .iter()
                    .any(|one| path.starts_with(one));
            let another = ends_sessions.then(|| signed_in(&club, &club.somebody(role.name()).login));
            let (browser, token) = another.as_ref().unwrap_or(&session);
            let path = match method {
                "GET" if !path.contains("/seasons/") => {
                    looked_at.entry(name).or_insert_with(|| real(&club, path)).clone()
                }
                _ => real(&club, path),
            };
            let answer = match method {
                "GET" => browser.get(&path),
                _ => browser.request("POST", &path).form(&[("csrf", token)]).send(),
            };
            let may = match who {
                Anybody => true,
                May(permission) => allows(Roles::from_roles(&[role]), permission),
                Gives(command) => {
                    OrderKind::from(command).scope(Roles::from_roles(&[role])) == Scope::Anybody
                }
                Directs(command) => {
                    OrderKind::from(command).scope(Roles::from_roles(&[role])) == Scope::Anybody
                }
            };
            assert_eq!(answer.status, if may { good } else { 403 }, "{role:?} {name}: {answer}");
            // What is kept of a person is a file.
            let is_file = path.ends_with(".json") && answer.status == 200;
            if !path.starts_with("/assets") && !is_file {
                is_a_page(&answer);
            }
        }
    }
    club.logged_no_failure();
}

#[test]
fn the_street_is_sent_to_the_door() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    for (name, who, good) in EXPECTED {
        let browser = club.public.cookies();
        let token = csrf(&browser.get("/sign-in").good());
        let (method, path) = name.split_once(' ').unwrap();
        let path = real(&club, path);
        let answer = match method {
            "GET" => browser.get(&path),
            _ => browser.request("POST", &path).form(&[("csrf", &token)]).send(),
        };
        // The sign-in page is shown only to people who are not signed in.
        let good = if path == "/sign-in" && method == "GET" { 200 } else { good };
        if matches!(who, Anybody) {
            assert_eq!(answer.status, good, "{name}: {answer}");
        } else {
            let to = answer.header("location").unwrap_or_default();
            assert!(answer.status == 303 && to.starts_with("/sign-in?next=/"), "{name}: {answer}");
        }
    }
    club.logged_no_failure();
}

#[test]
fn a_form_without_its_token_does_nothing() {
    let Some(club) = Club::open(Db::Sqlite, &[("HTTP__BODY_LIMIT", "2048")]) else { return };
    let person = club.somebody("admin");
    let (browser, token) = signed_in(&club, &person.login);
    let another = signed_in(&club, &club.somebody("admin").login).1;
    let long = "x".repeat(3000);
    let posts = EXPECTED.iter().filter_map(|(name, ..)| Some((*name, name.strip_prefix("POST ")?)));
    let posts: Vec<_> = posts.map(|(name, path)| (name, real(&club, path))).collect();
    let before = club.everything(&[]);
    for (name, path) in posts {
        let post = |fields: &[(&str, &str)]| browser.request("POST", &path).form(fields).send();
        for fields in [&[][..], &[("csrf", "")], &[("csrf", "nonsense")], &[("csrf", another.as_str())]] {
            let answer = post(fields);
            // A language and a theme are also chosen on pages that all strangers share.
            if ["POST /language", "POST /theme"].contains(&name) {
                assert_eq!(answer.status, 303, "{name} {fields:?}: {answer}");
                continue;
            }
            assert_eq!(answer.status, 403, "{name} {fields:?}: {answer}");
            is_a_page(&answer);
        }
        for (header, value) in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
            let answer =
                browser.request("POST", &path).form(&[("csrf", &token)]).header(header, value).send();
            assert_eq!(answer.status, 403, "{name} {header}: {answer}");
        }
        let answer = post(&[("csrf", &token), ("filler", &long)]);
        assert_eq!(answer.status, 413, "{name}: {answer}");
        is_a_page(&answer);
        for (kind, bytes) in [("application/json", &b"{}"[..]), ("text/plain", b"csrf=x"), ("", b"\xff\xfe")]
        {
            let answer = browser.request("POST", &path).raw(kind, bytes.to_vec()).send();
            assert!([400, 403].contains(&answer.status), "{name} {kind}: {answer}");
            is_a_page(&answer);
        }
    }
    assert_eq!(before, club.everything(&[]), "one of them changed something");
    club.logged_no_failure();
}

/// A chosen file is read for a page of this session, no matter who is signed in.
#[test]
fn a_chosen_file_needs_a_sign_in_and_the_pages_token() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let file = b"J\xf6rg".to_vec();
    let send = |browser: &Client, token: &str| {
        let request = browser.request("POST", "/texts").header("x-csrf-token", token);
        request.raw("application/octet-stream", file.clone()).send()
    };
    let street = club.public.cookies();
    let token = csrf(&street.get("/sign-in").good());
    assert_eq!(send(&street, &token).header("location"), Some("/sign-in?next=/"));
    for role in Role::ALL {
        let (browser, token) = signed_in(&club, &club.somebody(role.name()).login);
        assert_eq!(send(&browser, &token).good().text(), "J\u{f6}rg");
        assert_eq!(send(&browser, "nonsense").status, 403);
    }
    club.logged_no_failure();
}

/// Every page that links lead to from `start`, `most` at the most.
fn linked(browser: &Client, start: Vec<String>, most: usize) -> Vec<(String, Answer)> {
    let (mut seen, mut left) = (BTreeSet::new(), VecDeque::from(start));
    let mut pages = Vec::new();
    while let Some(path) = left.pop_front().filter(|_| pages.len() < most) {
        // The documentation shows code.
        let is_other = ["/assets", "/api", "/docs"].iter().any(|other| path.starts_with(other));
        let is_page = path.starts_with('/') && !is_other;
        if !is_page || !seen.insert(path.clone()) {
            continue;
        }
        let page = browser.get(&path);
        let links = page.text().split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let links = links.map(|link| link.replace("&#38;", "&").replace("&amp;", "&"));
        left.extend(links.map(|link| link.split('#').next().unwrap_or_default().to_owned()));
        pages.push((path, page));
    }
    pages
}

/// M2, F4: what is markup on one page is no text on another, in a club whose people have some in their names.
#[test]
fn no_page_escapes_anything_twice() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let (name, escaped) = ("Ada<i>&Bea", "Ada&#60;i&#62;&#38;Bea");
    let ada = club.admin.post("/api/v1/players", &json!({ "name": name })).good().body["id"].clone();
    for unit in ["EUR", "half_points"] {
        let adjust = json!({"command": "adjust", "from": {"player": ada}, "to": {"player": club.player()},
            "unit": unit, "amount": 5_000, "memo": name});
        club.admin.post("/api/v1/daybook", &adjust).good();
    }
    let account = club.somebody("admin");
    let (browser, _) = signed_in(&club, &account.login);
    let data = format!("/players/{}/data", super::text(&ada));
    let mut start = vec![data.clone()];
    start.extend(shown(&club));
    let pages = linked(&browser, start, 400);
    assert!(pages.iter().filter(|(_, page)| page.text().contains(escaped)).count() > 5);
    for (path, page) in pages {
        let rest = page.text().replace(escaped, "");
        for twice in ["&#60;", "&lt;", "&#38;#", "&#38;amp;", "&amp;#", "&amp;amp;"] {
            assert!(!rest.contains(twice), "{path} shows {twice} to its reader: {page}");
        }
        if path == data {
            assert!(rest.contains("-50.00 EUR") && rest.contains("-2500"), "{page}");
        }
    }
}

#[test]
fn pages_of_nothing_say_so() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let (browser, token) = signed_in(&club, &club.somebody("admin").login);
    for (name, ..) in EXPECTED {
        let (method, path) = name.split_once(' ').unwrap();
        if !path.contains('{') || path.contains("/assets") || path.contains("/revoke") {
            continue;
        }
        for id in ["x", "%00", "%ff", NOTHING] {
            let path = filled(path, id);
            let fields =
                [("csrf", token.as_str()), ("name", "Ada"), ("roles", "player"), ("command", "close")];
            let answer = match method {
                "GET" => browser.get(&path),
                _ => browser.request("POST", &path).form(&fields).send(),
            };
            assert_eq!(answer.status, 404, "{method} {path}: {answer}");
            is_a_page(&answer);
        }
    }
    for path in ["/nonsense", "/players/x/y", "/matches/x", "/ledger", "/players?after=x", "/%00", "/%ff"] {
        let answer = browser.get(path);
        assert!([400, 404].contains(&answer.status), "{path}: {answer}");
        is_a_page(&answer);
    }
    club.logged_no_failure();
}

/// Apart from its token, a form of the table may contain anything, so nonsense must be handled.
#[test]
fn acts_that_are_nonsense_are_told_at_the_table() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let (browser, token) = signed_in(&club, &club.somebody("admin").login);
    let table = real(&club, "/chouettes/{id}");
    let version = |club: &Club| club.admin.get(&format!("/api/v1{table}")).good().etag().to_owned();
    let before = version(&club);
    let long = "k".repeat(101);
    let rows: [(&[(&str, &str)], u16); 15] = [
        (&[("command", "nonsense")], 400),
        (&[("command", "[]")], 400),
        (&[("command", "17"), ("guest", "Ada")], 400),
        (&[("command", "close"), ("guest", "Ada")], 400),
        (&[("command:number", "3")], 400),
        (&[("command", "enter_rolls"), ("rolls[x", "6")], 400),
        (&[("command", "enter_rolls"), ("rolls[0][dice][]:number", "6")], 400),
        // As an older version of the page wrote it.
        (&[("command", r#"{"command":"close"}"#)], 400),
        (&[("command", "join")], 400),
        (&[("command", "join"), ("player", "x")], 400),
        (&[("command", "join"), ("player", NOTHING)], 422),
        (&[("command", "join"), ("guest", &long)], 422),
        (&[("command", "close"), ("version", "x")], 400),
        (&[("command", "close"), ("version", "1")], 412),
        (&[("command", "close"), ("key", &long)], 400),
    ];
    for (fields, status) in rows {
        let mut form = vec![("csrf", token.as_str())];
        form.extend(fields);
        let answer = browser.request("POST", &format!("{table}/act")).form(&form).send();
        assert_eq!(answer.status, status, "{fields:?}: {answer}");
        is_a_page(&answer);
        let partial =
            browser.request("POST", &format!("{table}/act")).form(&form).header("HX-Request", "true");
        assert_eq!(partial.send().status, status, "{fields:?}");
    }
    assert_eq!(version(&club), before);
    club.logged_no_failure();
}

/// The link that undoes everything back to an act, the preview it leads to, and the preview's form.
#[test]
fn a_scorer_sees_what_goes_before_undoing_several_acts() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let (browser, token) = signed_in(&club, &club.somebody("scorer").login);
    let players = [club.player(), club.player(), club.player()];
    let id = club.table_of(&players.each_ref().map(String::as_str));
    let table = format!("/chouettes/{id}");
    let finish = serde_json::json!({"command": "finish", "winner": "box", "win": "single"});
    club.command(&club.admin, &id, &finish).good();
    let state = || club.admin.get(&format!("/api/v1/chouettes/{id}")).good().body;
    let offered = state()["undo"]["acts"].as_u64().unwrap();

    let shown = browser.get(&table).good();
    let links: Vec<&str> = shown
        .text()
        .split(&format!("href=\"{table}/undo?to="))
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(links.len() as u64, offered - 1, "the newest has a button of its own");

    let sheet = browser.get(&format!("{table}/undo?to={}", links[0])).good();
    for said in ["Undo these 2 steps", "Game 1 starts", "Box wins a single game", "-2", "+1"] {
        assert!(sheet.text().contains(said), "no {said:?} in {sheet}");
    }
    let field = |name: &str| {
        let (_, rest) = sheet.text().split_once(&format!("name=\"{name}\" value=\"")).expect("a field");
        rest.split('"').next().unwrap().replace("&#34;", "\"")
    };
    let fields = [
        ("csrf", token.as_str()),
        ("version", &field("version")),
        ("key", &field("key")),
        ("command", &field("command")),
        ("act", &field("act")),
        ("acts:number", &field("acts:number")),
    ];
    let done = browser.request("POST", &format!("{table}/act")).form(&fields).send();
    assert_eq!(done.status, 303, "{done}");
    assert_eq!((&state()["games"], &state()["redo"]["acts"]), (&0.into(), &2.into()));
    let shown = browser.get(&table).good();
    for said in ["Undone: 2 steps at once", "Up to: Game 1 starts", "Redo all 2 steps"] {
        assert!(shown.text().contains(said), "no {said:?} in {shown}");
    }
    // The same form sent again: it is done already, and not done twice.
    let again = browser.request("POST", &format!("{table}/act")).form(&fields).send();
    assert_eq!((again.status, &state()["redo"]["acts"]), (303, &2.into()));
    // A link for something that can no longer be undone leads back to the table.
    let gone = browser.get(&format!("{table}/undo?to={}", links[0]));
    assert_eq!((gone.status, gone.header("location")), (303, Some(table.as_str())));
    club.logged_no_failure();
}
