//! Permissions: every route with every role and every scope of a token, checked against one table; and the
//! table's own commands.

use std::cell::RefCell;
use std::collections::BTreeMap;

use owlbox_base::permissions::Public;
use owlbox_base::permissions::{OrderKind, Permission, Scope, allows, allows_public};
use owlbox_base::permissions::{Role, Roles};
use owlbox_chouette::{Command, CommandKind as TableCommand};
use owlbox_play::matches::CommandKind as MatchCommand;
use owlbox_play::tournament::CommandKind as TournamentCommand;
use serde_json::{Value, json};

use super::{Club, Operation, Person, Plausible};
use crate::support::client::Client;
use crate::support::databases::Db;

/// The people that a route works for.
#[derive(Clone, Copy)]
enum Who {
    /// Anybody, signed in or not.
    Anybody,
    SignedIn,
    /// Holders of the permission; strangers too, if the club shows it to everybody.
    May(Permission),
    /// People who may give this command for anybody.
    Gives(TableCommand),
    /// People who may give this command to a tournament.
    Directs(TournamentCommand),
    /// People who may give this command to another's match.
    Scores(MatchCommand),
}

use Permission as P;
use Who::{Anybody, Directs, Gives, May, Scores, SignedIn};

/// The expected table: whom each operation works for, and with which status.
const EXPECTED: [(&str, Who, u16); 125] = [
    ("GET /accounts", May(P::ManageAccounts), 200),
    ("POST /accounts", May(P::ManageAccounts), 201),
    ("GET /accounts/{id}", May(P::ManageAccounts), 200),
    ("PATCH /accounts/{id}", May(P::ManageAccounts), 200),
    ("PUT /accounts/{id}/email", May(P::ManageAccounts), 204),
    ("POST /accounts/{id}/invite", May(P::ManageAccounts), 201),
    ("POST /accounts/{id}/reset", May(P::ManageAccounts), 201),
    ("GET /chouettes", May(P::ViewTables), 200),
    ("POST /chouettes", May(P::OpenChouette), 201),
    ("GET /chouettes/{id}", May(P::ViewTables), 200),
    ("GET /chouettes/{id}/acts", May(P::ViewTables), 200),
    ("POST /chouettes/{id}/commands", Gives(TableCommand::Double), 200),
    ("GET /chouettes/{id}/events", May(P::ViewTables), 200),
    ("GET /chouettes/{id}/offers", May(P::ViewTables), 200),
    ("POST /chouettes/{id}/preview", Gives(TableCommand::Finish), 200),
    ("GET /chouettes/{id}/settle-up", May(P::ViewPayments), 200),
    ("GET /daybook", May(P::ViewAnyLedger), 200),
    ("POST /daybook", May(P::KeepBooks), 201),
    ("POST /ledger/imports", May(P::KeepBooks), 201),
    ("POST /ledger/imports/preview", May(P::KeepBooks), 200),
    ("GET /daybook/{record}", May(P::ViewAnyLedger), 200),
    ("GET /club/nights/{date}", May(P::ViewPlayers), 200),
    ("GET /club/years/{year}", May(P::ViewPlayers), 200),
    ("GET /club/years/{year}/{month}", May(P::ViewPlayers), 200),
    // Everybody is told what they may see.
    ("GET /events", May(P::ViewTables), 200),
    // No mail is set up.
    ("POST /forgotten-password", Anybody, 422),
    ("GET /house-rules", May(P::ViewTables), 200),
    ("GET /house-rules/schema", May(P::ViewTables), 200),
    ("GET /house-rules/{name}", May(P::ViewTables), 200),
    ("PUT /house-rules/{name}", May(P::ManageHouseRules), 200),
    ("DELETE /house-rules/{name}", May(P::ManageHouseRules), 204),
    ("GET /ledger/export", May(P::ViewAnyLedger), 200),
    ("GET /ledger/tournaments", May(P::ViewAnyLedger), 200),
    ("GET /ledger/accounts", May(P::ViewAnyLedger), 200),
    ("GET /ledger/accounts/{account}/statement", May(P::ViewAnyLedger), 200),
    ("GET /ledger/house/balances", May(P::ViewAnyLedger), 200),
    ("GET /ledger/house/statement", May(P::ViewAnyLedger), 200),
    ("GET /ledger/dues", May(P::ViewAnyLedger), 200),
    ("GET /ledger/money", May(P::ViewAnyLedger), 200),
    // There is no such tournament.
    ("GET /ledger/pools/{id}/balances", May(P::ViewAnyLedger), 404),
    ("GET /ledger/pools/{id}/statement", May(P::ViewAnyLedger), 404),
    ("GET /links/{secret}", Anybody, 200),
    ("POST /links/{secret}", Anybody, 200),
    ("GET /matches", May(P::ViewTables), 200),
    ("POST /matches", May(P::RunMatch), 201),
    ("GET /matches/{id}", May(P::ViewTables), 200),
    ("GET /matches/{id}/acts", May(P::ViewTables), 200),
    ("POST /matches/{id}/commands", Scores(MatchCommand::Game), 200),
    ("GET /matches/{id}/events", May(P::ViewTables), 200),
    ("GET /matches/{id}/mat", May(P::ViewTables), 200),
    ("GET /matches/{id}/offers", May(P::ViewTables), 200),
    ("POST /matches/{id}/preview", Scores(MatchCommand::Correct), 200),
    ("GET /me", SignedIn, 200),
    ("PUT /me/email", May(P::ManageOwnAccount), 204),
    ("GET /nights/{date}/settle-up", May(P::ViewPayments), 200),
    // Nobody owes anything.
    ("POST /nights/{date}/settle-up", May(P::RecordPayments), 422),
    ("POST /password", May(P::ManageOwnAccount), 200),
    ("GET /players", May(P::ViewPlayers), 200),
    ("POST /players", May(P::ManagePlayers), 201),
    ("GET /players/{id}", May(P::ViewPlayers), 200),
    ("PATCH /players/{id}", May(P::ManagePlayers), 200),
    ("POST /players/{id}/remove", May(P::ManagePlayers), 204),
    ("POST /players/{id}/erase", May(P::ManagePersonalData), 200),
    ("POST /players/{id}/erase/preview", May(P::ManagePersonalData), 200),
    ("GET /players/{id}/dues", May(P::ViewAnyLedger), 200),
    // They owe nothing.
    ("POST /players/{id}/reminder", May(P::KeepBooks), 422),
    ("GET /players/{id}/personal-data", May(P::ManagePersonalData), 200),
    ("GET /players/{id}/readings", May(P::ManagePersonalData), 200),
    ("GET /players/{id}/balances", May(P::ViewAnyLedger), 200),
    ("GET /players/{id}/ratings", May(P::ViewPlayers), 200),
    ("GET /players/{id}/match-statistics", May(P::ViewTables), 200),
    ("GET /players/{id}/statement", May(P::ViewAnyLedger), 200),
    ("GET /players/{id}/statistics", May(P::ViewAnyLedger), 200),
    ("GET /players/{id}/statistics/against/{other}", May(P::ViewAnyLedger), 200),
    ("GET /ratings", May(P::ViewPlayers), 200),
    ("GET /reference/match-equities", Anybody, 200),
    ("GET /reference/opening", Anybody, 200),
    // The request names no score.
    ("GET /reference/score", Anybody, 400),
    ("GET /reference/shots", Anybody, 200),
    ("POST /refresh", Anybody, 200),
    ("GET /registrations", May(P::ManageAccounts), 200),
    // By default the club does not let people register, so nobody is waiting either.
    ("POST /registrations", Anybody, 422),
    ("POST /registrations/{id}/confirm", May(P::ManageAccounts), 404),
    ("DELETE /registrations", May(P::ManageAccounts), 204),
    ("DELETE /registrations/{id}", May(P::ManageAccounts), 404),
    // The club is set up already, which is the answer for everybody.
    ("POST /set-up", Anybody, 422),
    ("GET /seasons/{name}", May(P::ViewPlayers), 200),
    ("GET /settings", May(P::ViewClub), 200),
    ("PUT /settings", May(P::ChangeSettings), 200),
    ("PATCH /settings", May(P::ChangeSettings), 200),
    ("POST /sign-in", Anybody, 200),
    ("POST /sign-out", May(P::ManageOwnAccount), 204),
    ("POST /sign-out-everywhere", May(P::ManageOwnAccount), 204),
    ("GET /statistics", May(P::ViewPlayers), 200),
    ("GET /statistics/head-to-head", May(P::ViewAnyLedger), 200),
    ("GET /tokens", May(P::ManageOwnAccount), 200),
    // No file is sent.
    ("POST /texts", SignedIn, 422),
    ("POST /tokens", May(P::ManageOwnAccount), 201),
    ("DELETE /tokens/{id}", May(P::ManageOwnAccount), 204),
    ("GET /tournaments", Anybody, 200),
    ("POST /tournaments", May(P::RunTournaments), 201),
    ("GET /tournaments/{id}", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/accounts", May(P::RecordPayments), 200),
    ("GET /tournaments/{id}/acts", May(P::ViewTournaments), 200),
    ("POST /tournaments/{id}/copies", May(P::RunTournaments), 201),
    ("POST /tournaments/{id}/commands", Directs(TournamentCommand::Result), 200),
    ("GET /tournaments/{id}/divisions/{division}/draws", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/divisions/{division}/entries", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/divisions/{division}/entries/{entry}", May(P::ViewTournaments), 200),
    (
        "POST /tournaments/{id}/divisions/{division}/entries/{entry}/arrival",
        Directs(TournamentCommand::CheckIn),
        200,
    ),
    ("GET /tournaments/{id}/divisions/{division}/matches", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/divisions/{division}/matches/{match}", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/divisions/{division}/places", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/divisions/{division}/prizes", May(P::ViewTournaments), 200),
    ("GET /tournaments/{id}/events", May(P::ViewTournaments), 200),
    ("POST /tournaments/{id}/preview", Directs(TournamentCommand::Correct), 200),
    ("GET /tournaments/{id}/queue", May(P::ViewTournaments), 200),
    ("GET /version", Anybody, 200),
    ("GET /webhooks", May(P::ChangeSettings), 200),
    ("POST /webhooks", May(P::ChangeSettings), 201),
    ("GET /webhooks/{id}", May(P::ChangeSettings), 200),
    ("PATCH /webhooks/{id}", May(P::ChangeSettings), 200),
    ("DELETE /webhooks/{id}", May(P::ChangeSettings), 204),
    ("GET /webhooks/{id}/deliveries", May(P::ChangeSettings), 200),
    ("POST /webhooks/{id}/ping", May(P::ChangeSettings), 200),
];
/// The scopes of tokens, each with what it may do besides reading. A tournament's is that of the route, if it
/// is about one.
const OF_SCOPES: [(&str, &[&str]); 6] = [
    ("read", &[]),
    (
        "tables",
        &[
            "POST /chouettes",
            "POST /chouettes/{id}/commands",
            "POST /chouettes/{id}/preview",
            "POST /nights/{date}/settle-up",
        ],
    ),
    ("matches", &["POST /matches", "POST /matches/{id}/commands", "POST /matches/{id}/preview"]),
    (
        "books",
        &[
            "POST /daybook",
            "POST /ledger/imports",
            "POST /ledger/imports/preview",
            "POST /nights/{date}/settle-up",
            "POST /players/{id}/reminder",
        ],
    ),
    (
        "tournament:",
        &[
            "POST /tournaments/{id}/commands",
            "POST /tournaments/{id}/preview",
            "POST /tournaments/{id}/divisions/{division}/entries/{entry}/arrival",
        ],
    ),
    // Another tournament's.
    ("tournament:other", &[]),
];
/// What is read with a permission to change.
const READ_BY_WHO_MAY_CHANGE: [&str; 8] = [
    "GET /accounts",
    "GET /accounts/{id}",
    "GET /players/{id}/personal-data",
    "GET /players/{id}/readings",
    "GET /registrations",
    "GET /webhooks",
    "GET /webhooks/{id}",
    "GET /webhooks/{id}/deliveries",
];
/// Operations for which no token is enough.
const FOR_SESSIONS: [&str; 4] = ["POST /sign-out", "POST /tokens", "PUT /me/email", "POST /webhooks"];

/// The status, and the code of a refusal, for an admin's token that may do this, and reads.
fn expected_within(may: &[&str], name: &str, who: Who, good: u16) -> (u16, Option<&'static str>) {
    let reads = name.starts_with("GET") && name != "GET /tokens" && !READ_BY_WHO_MAY_CHANGE.contains(&name);
    match who {
        _ if FOR_SESSIONS.contains(&name) => (422, Some("needs_session")),
        Anybody | SignedIn => (good, None),
        _ if reads || may.contains(&name) => (good, None),
        May(_) | Gives(_) | Directs(_) | Scores(_) => (403, Some("outside_token_scopes")),
    }
}

/// Operations that end the caller's session.
const ENDS_SESSIONS: [&str; 4] =
    ["POST /password", "POST /refresh", "POST /sign-out", "POST /sign-out-everywhere"];

/// The status, and the code of a refusal, for this role or for a stranger.
fn expected(who: Who, good: u16, role: Option<Role>, public: Public) -> (u16, Option<&'static str>) {
    let Some(role) = role else {
        return match who {
            Anybody => (good, None),
            May(permission) if allows_public(public, permission) => (good, None),
            _ => (401, Some("not_signed_in")),
        };
    };
    let roles = Roles::from_roles(&[role]);
    match who {
        Anybody | SignedIn => (good, None),
        May(permission) if allows(roles, permission) => (good, None),
        May(_) => (403, Some("forbidden")),
        Gives(command) => reaching(OrderKind::from(command).scope(roles), good),
        Scores(command) => reaching(OrderKind::from(command).scope(roles), good),
        Directs(command) => reaching(OrderKind::from(command).scope(roles), good),
    }
}

/// Likewise for a caller with this scope who gives a command for somebody else.
const fn reaching(scope: Scope, good: u16) -> (u16, Option<&'static str>) {
    match scope {
        Scope::Anybody => (good, None),
        Scope::Oneself => (403, Some("not_yours")),
        Scope::Nobody => (403, Some("forbidden")),
    }
}

/// Sends a plausible request as this person, and compares the answer with the expectation. What it was about
/// is kept for the next who ask, unless the request may have changed it.
#[track_caller]
fn ask(
    club: &Club,
    operation: &Operation,
    client: impl Fn(&Plausible) -> Client,
    for_whom: &Person,
    expected: (u16, Option<&str>),
    kept: &mut BTreeMap<String, Plausible>,
) {
    let plausible = kept.remove(&operation.name()).unwrap_or_else(|| club.plausible(operation, for_whom));
    let client = client(&plausible);
    if operation.path.ends_with("/events") && expected.1.is_none() {
        assert_eq!(client.events(&plausible.path, None).status, expected.0, "{}", operation.name());
        return;
    }
    let request = client.request(&operation.method, &plausible.path);
    let answer = match &plausible.body {
        Some(body) => request.json(body).send(),
        None => request.send(),
    };
    operation.is_told(&answer);
    match expected {
        (status, Some(code)) => drop(answer.refused(status, code)),
        (status, None) => assert_eq!(answer.status, status, "{}: {answer}", operation.name()),
    }
    // Of the caller alone, or gone with the settings that the walk changes.
    let is_for_once = ["/sign-in", "/refresh", "/tokens/{id}", "/seasons/{name}"]
        .iter()
        .any(|end| operation.path.ends_with(end))
        || operation.path.contains("/webhooks/{id}");
    if !is_for_once && (operation.method == "GET" || expected.1.is_some()) {
        kept.insert(operation.name(), plausible);
    }
}

#[test]
fn the_expected_table_has_every_route_of_the_document() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let mut served: Vec<String> = club.operations().iter().map(Operation::name).collect();
    let mut expected: Vec<String> = EXPECTED.iter().map(|(name, ..)| (*name).to_owned()).collect();
    served.sort();
    expected.sort();
    assert_eq!(served, expected);
}

#[test]
fn every_route_does_for_every_role_what_the_permission_table_says() {
    let Some(club) = Club::open(Db::Sqlite, &[("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "100")]) else { return };
    let hidden = Public { tables: false, standings: false };
    let mut kept = BTreeMap::new();
    for role in Role::ALL {
        let somebody = club.somebody(role.name());
        for operation in club.operations() {
            let name = operation.name();
            let (_, who, good) = EXPECTED.into_iter().find(|(known, ..)| *known == name).unwrap();
            club.show_everybody(false, false);
            let another = ENDS_SESSIONS.contains(&name.as_str()).then(|| club.somebody(role.name()));
            let person = another.as_ref().unwrap_or(&somebody);
            let expected = expected(who, good, Some(role), hidden);
            ask(&club, &operation, |_| person.client.clone(), person, expected, &mut kept);
        }
    }
    club.logged_no_failure();
}

#[test]
fn every_route_does_for_every_scope_what_it_may_of_what_its_login_may() {
    let Some(club) = Club::open(Db::Sqlite, &[("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "100")]) else { return };
    let mut kept = BTreeMap::new();
    let (other, _) = club.tournament(false);
    for (scope, may) in OF_SCOPES {
        let admin = club.somebody("admin");
        let with = |scope: &str| {
            let made = admin.client.post("/api/v1/tokens", &json!({"name": scope, "scopes": [scope]})).good();
            club.public.bearer(super::text(&made.body["token"]))
        };
        let scope =
            if scope == "tournament:other" { format!("tournament:{other}") } else { scope.to_owned() };
        let of_tournaments = RefCell::new(BTreeMap::<String, Client>::new());
        let everywhere = (scope != "tournament:").then(|| with(&scope));
        for operation in club.operations() {
            let name = operation.name();
            let (_, who, good) = EXPECTED.into_iter().find(|(known, ..)| *known == name).unwrap();
            let client = |plausible: &Plausible| {
                let id = plausible
                    .path
                    .strip_prefix("/api/v1/tournaments/")
                    .and_then(|rest| rest.split('/').next());
                let id = id.filter(|id| id.parse::<uuid::Uuid>().is_ok()).unwrap_or(&other);
                let of_this = || {
                    of_tournaments
                        .borrow_mut()
                        .entry(id.to_owned())
                        .or_insert_with_key(|id| with(&format!("tournament:{id}")))
                        .clone()
                };
                everywhere.clone().unwrap_or_else(of_this)
            };
            ask(&club, &operation, client, &admin, expected_within(may, &name, who, good), &mut kept);
        }
    }
    club.logged_no_failure();
}

#[test]
fn the_street_sees_what_the_club_shows_and_does_nothing() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let (street, somebody, mut kept) = (club.public.clone(), club.somebody("player"), BTreeMap::new());
    for (tables, standings) in [(false, false), (true, false), (false, true), (true, true)] {
        club.show_everybody(tables, standings);
        for operation in club.operations() {
            let name = operation.name();
            let (_, who, good) = EXPECTED.into_iter().find(|(known, ..)| *known == name).unwrap();
            let expected = expected(who, good, None, Public { tables, standings });
            ask(&club, &operation, |_| street.clone(), &somebody, expected, &mut kept);
        }
    }
    club.logged_no_failure();
}

#[test]
fn the_document_says_truly_which_routes_need_no_sign_in() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let everything_shown = Public { tables: true, standings: true };
    for operation in club.operations() {
        let name = operation.name();
        let (_, who, _) = EXPECTED.into_iter().find(|(known, ..)| *known == name).unwrap();
        let answers_strangers = match who {
            Anybody => true,
            // A tournament's visibility is its own setting; that of the club's pages is the club's.
            May(P::ViewTournaments) => true,
            May(permission) => allows_public(everything_shown, permission),
            SignedIn | Gives(_) | Directs(_) | Scores(_) => false,
        };
        assert_eq!(operation.is_for_strangers(), answers_strangers, "{name}");
        assert_eq!(operation.is_secured(), !answers_strangers, "{name}");
    }
}

#[test]
fn what_is_ones_own_needs_no_more_than_a_players_role() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let (mario, luigi) = (club.somebody("player"), club.somebody("player"));
    let (own, other) = (mario.player.unwrap(), luigi.player.unwrap());
    for below in ["balances", "statement"] {
        mario.client.get(&format!("/api/v1/players/{own}/{below}")).good();
        mario.client.get(&format!("/api/v1/players/{other}/{below}")).refused(403, "forbidden");
    }
    mario.client.get(&format!("/api/v1/accounts/{}", mario.account)).good();
    mario.client.get(&format!("/api/v1/accounts/{}", luigi.account)).refused(403, "forbidden");
    // A scorer may add a guest who turns up at the table, but not a member.
    let scorer = club.somebody("scorer").client;
    scorer.post("/api/v1/players", &json!({"name": "Ada", "guest": true})).good();
    scorer.post("/api/v1/players", &json!({"name": "Eva", "guest": false})).refused(403, "forbidden");
    // A token belongs to its owner only.
    let made = mario.client.post("/api/v1/tokens", &json!({"name": "mine"})).good().body;
    let path = format!("/api/v1/tokens/{}", super::text(&made["id"]));
    luigi.client.delete(&path).refused(404, "not_found");
    club.admin.delete(&path).refused(404, "not_found");
    assert_eq!(mario.client.delete(&path).status, 204);
}

/// A command of each kind, with a player of the table in it.
fn command(kind: OrderKind<TableCommand>, player: &str) -> Value {
    let name_text = kind.name();
    let OrderKind::Command(kind) = kind else { return json!({"command": name_text}) };
    match kind {
        TableCommand::Open => json!({"command": name_text, "name": "Again", "night": "2026-11-20"}),
        TableCommand::EnterRolls => json!({"command": name_text, "rolls": [{"player": player, "dice": [6]}]}),
        TableCommand::Finish => json!({"command": name_text, "winner": "box", "win": "single"}),
        TableCommand::ChangeRules => json!({"command": name_text, "rules": {}}),
        TableCommand::Split => json!({"command": name_text, "players": [player], "name": "Second"}),
        TableCommand::MergeInto => json!({"command": name_text, "table": uuid::Uuid::nil()}),
        TableCommand::MergePlayers => json!({"command": name_text, "duplicate": player, "player": player}),
        TableCommand::SetStake => json!({"command": name_text, "player": player, "units": 2}),
        TableCommand::SetStart => json!({"command": name_text, "player": player, "value": 2}),
        TableCommand::SetOrder => json!({"command": name_text, "line": [player]}),
        TableCommand::Settle => json!({"command": name_text, "bets": []}),
        TableCommand::Board => {
            json!({"command": name_text, "by": "box", "action": {"action": "roll_opening"}})
        }
        TableCommand::Correct => json!({"command": name_text, "game": 1}),
        TableCommand::Pay => json!({"command": name_text, "payer": player, "payee": player, "amount": 1}),
        _ => {
            let alone = json!({"command": name_text});
            let of_player = json!({"command": name_text, "player": player});
            if serde_json::from_value::<Command>(alone.clone()).is_ok() { alone } else { of_player }
        }
    }
}

#[test]
fn every_command_at_the_table_is_for_whom_the_permission_table_says() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    for role in Role::ALL {
        let somebody = club.somebody(role.name());
        // A refused command leaves the table as it is, for the next.
        let mut kept = None;
        for name in OrderKind::all() {
            let (players, table) = kept.take().unwrap_or_else(|| {
                let players = [club.player(), club.player(), club.player()];
                let table = club.table_of(&players.each_ref().map(String::as_str));
                (players, table)
            });
            let answer = club.command(&somebody.client, &table, &command(name, &players[1]));
            if answer.status == 403 {
                kept = Some((players, table));
            }
            match name.scope(Roles::from_roles(&[role])) {
                Scope::Nobody => drop(answer.refused(403, "forbidden")),
                Scope::Oneself => drop(answer.refused(403, "not_yours")),
                // Either done, or refused by the rules, which are checked after the permission.
                Scope::Anybody => {
                    assert!([200, 404, 422].contains(&answer.status), "{role:?} {name:?}: {answer}")
                }
            }
        }
    }
    club.logged_no_failure();
}

#[test]
fn a_retry_shows_nothing_to_somebody_who_may_no_longer_see_it() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let (once_admin, somebody) = (club.somebody("admin"), club.somebody("player"));
    let change = |client: &Client, account: &str, roles: &[&str], key: &str| {
        let request = client.request("PATCH", &format!("/api/v1/accounts/{account}"));
        request.json(&json!({ "roles": roles })).key(key).send()
    };
    let done = change(&once_admin.client, &somebody.account, &["scorer"], "one").good();
    let again = change(&once_admin.client, &somebody.account, &["scorer"], "one").good();
    assert_eq!(again.body, done.body);
    // A change of the caller's own account is repeated even though they are no admin any more.
    let own = change(&once_admin.client, &once_admin.account, &["player"], "two").good();
    assert_eq!(change(&once_admin.client, &once_admin.account, &["player"], "two").good().body, own.body);
    change(&once_admin.client, &somebody.account, &["scorer"], "one").refused(403, "forbidden");
    club.logged_no_failure();
}
