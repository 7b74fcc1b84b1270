//! What somebody without a login sees, of every kind of stream and under every setting of publicity: F2 of
//! the chouette night. Points are for strangers only where the club publishes them, payments never.

use std::collections::BTreeMap;
use std::time::Duration;

use owlbox_base::permissions::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::pages::signed_in;
use super::{Club, text};
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;

/// Amounts that nothing else on any page comes to, as the API has them.
const PAID: [i64; 5] = [778_899, 662_244, 551_133, 443_311, 335_577];
/// The same as people read them, in their parts.
const READ: [&str; 5] = ["7,788.99", "6,622.44", "5,511.33", "4,433.11", "3,355.77"];

/// One of each kind of stream, with points and payments in it.
struct Streams {
    table: String,
    closed: String,
    played: String,
    session: String,
    public: String,
    private: String,
}

/// A night with drops, settlements for half points, a correction and payments.
fn night(club: &Club, ids: &[String], paid: i64) -> String {
    let [a, b, c, d] = [0, 1, 2, 3].map(|at| ids[at].as_str());
    let new = json!({"name": "Friday", "stake": {"amount": 400_000, "currency": "EUR"},
        "rules": {"settlements": "halves", "lone_taker": {"rule": "nothing"}}});
    let opened = club.admin.post("/api/v1/chouettes", &new).good();
    let id = text(&opened.body["chouette"]["id"]).to_owned();
    let rolls =
        [(a, 6), (b, 5), (c, 4), (d, 3)].map(|(player, die)| json!({"player": player, "dice": [die]}));
    for player in [a, b, c, d] {
        club.command(&club.admin, &id, &json!({"command": "join", "player": player})).good();
    }
    for command in [
        json!({"command": "enter_rolls", "rolls": rolls}),
        json!({"command": "start_game"}),
        json!({"command": "double", "player": a}),
        json!({"command": "drop", "player": b}),
        json!({"command": "take", "player": c}),
        json!({"command": "take", "player": d}),
        json!({"command": "settle", "bets": [{"payer": a, "payee": c, "points": 3}]}),
        json!({"command": "finish", "winner": "team", "win": "gammon"}),
        json!({"command": "correct", "game": 1, "win": "single"}),
        json!({"command": "pay", "payer": a, "payee": d, "amount": paid}),
        json!({"command": "start_game"}),
        json!({"command": "double", "player": b}),
        json!({"command": "take", "player": a}),
        json!({"command": "double", "player": c, "rolled": true}),
        json!({"command": "drop", "player": a}),
    ] {
        // No matter who is box by then, somebody can do it.
        let answer = club.command(&club.admin, &id, &command);
        assert!(
            answer.status == 200
                || command["command"] == "double"
                || command["command"] == "take"
                || command["command"] == "drop",
            "{command}: {answer}"
        );
    }
    id
}

fn give(club: &Club, path: &str, commands: &[Value]) {
    for command in commands {
        club.admin.post(&format!("{path}/commands"), command).good();
    }
}

fn sheet(club: &Club, ids: &[String], terms: &Value, commands: &[Value]) -> String {
    let [a, b] = [0, 1].map(|at| ids[at].as_str());
    let opened = club.admin.post("/api/v1/matches", &json!({"players": [a, b], "terms": terms})).good();
    let id = text(&opened.body["match"]["id"]).to_owned();
    give(club, &format!("/api/v1/matches/{id}"), commands);
    id
}

/// A tournament with an entry that has paid, and prizes that are awarded.
fn tournament(club: &Club, public: bool, paid: i64) -> String {
    let about = json!({"name": format!("Open {}", club.number()), "date": "2026-11-20", "currency": "EUR", "public": public});
    let id = text(&club.admin.post("/api/v1/tournaments", &about).good().body["id"]).to_owned();
    let players = [club.player(), club.player()];
    let entries = players.each_ref().map(|player| json!({"player": player}));
    give(
        club,
        &format!("/api/v1/tournaments/{id}"),
        &[
            json!({"command": "add_division", "settings": {"fees": {"entry": 1_000_000}}}),
            json!({"command": "enter", "entries": entries}),
            json!({"command": "pay_in", "player": players[0], "amount": paid}),
            json!({"command": "draw"}),
        ],
    );
    id
}

impl Streams {
    fn of(club: &Club) -> Self {
        let ids: Vec<String> = (0..8).map(|_| club.player()).collect();
        Self::between(club, &ids)
    }

    /// Of these eight players.
    fn between(club: &Club, ids: &[String]) -> Self {
        let stake = json!({"amount": 600_000, "currency": "EUR"});
        let game = |winner: &str| json!({"command": "game", "winner": winner, "win": "gammon", "cube": 2});
        let streams = Self {
            table: night(club, &ids[..4], PAID[0]),
            closed: night(club, &ids[4..], PAID[1]),
            played: sheet(
                club,
                &ids[..2],
                &json!({"play": "match", "length": 3, "stake": stake}),
                &[game("upper"), json!({"command": "pay", "by": "lower", "amount": PAID[2]})],
            ),
            session: sheet(
                club,
                &ids[2..4],
                &json!({"play": "money", "stake": stake}),
                &[game("upper"), json!({"command": "pay", "by": "lower", "amount": PAID[2]})],
            ),
            public: tournament(club, true, PAID[3]),
            private: tournament(club, false, PAID[3]),
        };
        let ends = [json!({"command": "undo"}), json!({"command": "redo"})];
        give(club, &format!("/api/v1/chouettes/{}", streams.closed), &ends);
        let spent = json!({"command": "spend", "currency": "EUR", "amount": PAID[4], "memo": "Dice"});
        club.admin.post("/api/v1/daybook", &spent).good();
        streams
    }

    /// Everything that may be read of a table or a match: addresses, and whether they have points in any
    /// case.
    fn addresses(&self) -> Vec<String> {
        let mut all: Vec<String> = ["/", "/nights", "/matches", "/house-rules", "/tournaments", "/sign-in"]
            .map(str::to_owned)
            .into();
        all.extend(
            ["/api/v1/chouettes", "/api/v1/matches", "/api/v1/tournaments", "/api/v1/settings"]
                .map(str::to_owned),
        );
        for id in [&self.table, &self.closed] {
            all.extend(
                ["", "?partial=1", "/settle-up", "/finish", "/undo", "/settle", "/correct"]
                    .map(|below| format!("/chouettes/{id}{below}")),
            );
            all.extend(
                ["", "/acts", "/acts?limit=5", "/offers", "/settle-up"]
                    .map(|below| format!("/api/v1/chouettes/{id}{below}")),
            );
        }
        for id in [&self.played, &self.session] {
            all.extend(["", "?partial=1", "/clock", "/mat"].map(|below| format!("/matches/{id}{below}")));
            all.extend(["", "/acts", "/offers", "/mat"].map(|below| format!("/api/v1/matches/{id}{below}")));
        }
        for id in [&self.public, &self.private] {
            let pages = [
                "",
                "/screen",
                "/1",
                "/1/draw",
                "/1/entries",
                "/1/places",
                "/1/prizes",
                "/1/embed",
                "/1/print",
                "/desk",
                "/desk/log",
                "/desk/money",
                "/1/room",
            ];
            all.extend(pages.map(|below| format!("/tournaments/{id}{below}")));
            let api = [
                "",
                "/acts",
                "/queue",
                "/accounts",
                "/divisions/1/entries",
                "/divisions/1/matches",
                "/divisions/1/places",
                "/divisions/1/prizes",
                "/divisions/1/draws",
                "/divisions/1/entries/1",
            ];
            all.extend(api.map(|below| format!("/api/v1/tournaments/{id}{below}")));
        }
        let books = [
            "daybook",
            "ledger/export",
            "ledger/accounts",
            "ledger/house/statement",
            "players",
            "statistics",
            "nights/2026-11-20/settle-up?currency=EUR",
            "ratings",
        ];
        all.extend(books.map(|below| format!("/api/v1/{below}")));
        all.extend(
            ["/ledger/daybook", "/ledger/treasury", "/ledger/house", "/ratings", "/seasons", "/statistics"]
                .map(str::to_owned),
        );
        all
    }

    /// What a command would do, in the API and on the pages.
    fn previews(&self) -> Vec<(String, Value)> {
        let finish = json!({"command": "finish", "winner": "box", "win": "single"});
        let concede = json!({"command": "concede", "by": "upper"});
        let tables = [&self.table, &self.closed].map(|id| (format!("chouettes/{id}"), finish.clone()));
        let matches = [&self.played, &self.session].map(|id| (format!("matches/{id}"), concede.clone()));
        let tournaments = [&self.public, &self.private]
            .map(|id| (format!("tournaments/{id}"), json!({"command": "close"})));
        [tables, matches, tournaments].concat()
    }

    /// The live streams, told from their beginning.
    fn live(&self) -> Vec<String> {
        let below = |kind: &str, id: &String| format!("/api/v1/{kind}/{id}/events?after=0");
        let tables = [&self.table, &self.closed].map(|id| below("chouettes", id));
        let matches = [&self.played, &self.session].map(|id| below("matches", id));
        let tournaments = [&self.public, &self.private].map(|id| below("tournaments", id));
        [tables, matches, tournaments].concat()
    }
}

/// What a stranger reads there: the answer's text, or all that the stream tells.
fn read(street: &Client, address: &str) -> (u16, String) {
    if address.contains("/events") {
        let mut events = street.events(address, None);
        let mut told = String::new();
        if events.status != 200 {
            return (events.status, told);
        }
        while let Some(event) = events.next_within(Duration::from_millis(400)) {
            told.push_str(&event.data);
        }
        return (events.status, told);
    }
    let answer: Answer = street.get(address);
    (answer.status, said(&answer))
}

/// The body of a page or of an answer of the API.
fn said(answer: &Answer) -> String {
    answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned)
}

/// What this text has of what nobody without a login is told: an amount, or in what is told of a stream that
/// anybody paid or owes anything.
fn payments(said: &str, of_stream: bool) -> Option<String> {
    let amounts = PAID.iter().map(ToString::to_string).chain(READ.map(str::to_owned));
    let words =
        [" pays ", " owes ", "\"event\":\"paid\"", "\"payer\"", "stake_moved", "\"owed\":{", "/settle-up"];
    let words = words.into_iter().filter(|_| of_stream).map(str::to_owned);
    amounts.chain(words).find(|word| said.contains(word.as_str()))
}

/// Whether what is told of a table has points: half points in JSON, or as people read them.
fn points(said: &str) -> Option<&'static str> {
    let words = ["\"points\":", ", loses ", "½", "\u{2212}", "could lose", "class=\"score\"", "gets 1"];
    words.into_iter().find(|word| said.contains(word))
}

#[rstest]
fn f2_strangers_see_points_where_the_club_shows_them_and_payments_never(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(club) = Club::open(db, &[("LIMITS__LIVE_STREAMS", "100")]) else { return };
    club.show_everybody(false, false);
    let streams = Streams::of(&club);
    let street = club.public.clone();
    for (tables, standings) in [(false, false), (true, false), (false, true), (true, true)] {
        club.show_everybody(tables, standings);
        for address in streams.addresses().into_iter().chain(streams.live()) {
            let (status, said) = read(&street, &address);
            let here = format!("{address}, tables {tables}, points {standings}: {status}");
            assert!(status < 500, "{here}");
            let of_stream =
                status == 200 && (address.contains("/chouettes/") || address.contains("/matches/"));
            assert_eq!(payments(&said, of_stream), None, "{here}: {said}");
            let of = |ids: [&String; 2]| ids.iter().any(|id| address.contains(id.as_str()));
            let of_table = of([&streams.table, &streams.closed]);
            let of_session = address.contains(&streams.session);
            if of_table && !standings {
                assert_eq!(points(&said), None, "{here}: {said}");
            }
            if status == 200 {
                assert!(tables || !(of_table || address.contains(&streams.played)), "{here}");
                assert!((tables && standings) || !of_session, "{here}");
                assert!(!address.contains(&streams.private) && !said.contains(&streams.private), "{here}");
                assert!((tables && standings) || !said.contains(&streams.session), "{here}");
            }
        }
        for (stream, command) in streams.previews() {
            let fields: Vec<(&str, &str)> = command
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| (name.as_str(), text(value)))
                .collect();
            for answer in [
                street.post(&format!("/api/v1/{stream}/preview"), &command),
                street.request("POST", &format!("/{stream}/act/preview")).form(&fields).send(),
            ] {
                let here = format!("{stream}, tables {tables}, points {standings}: {answer}");
                assert!([401, 403].contains(&answer.status), "{here}");
                assert_eq!(payments(&said(&answer), false), None, "{here}");
            }
        }
        // What is shown is there, so that this walk cannot pass by seeing nothing.
        let acts = format!("/api/v1/chouettes/{}/acts", streams.table);
        let page = format!("/chouettes/{}", streams.table);
        let told = [read(&street, &acts).1, read(&street, &page).1, read(&street, &streams.live()[0]).1];
        assert_eq!(told.iter().all(|said| said.contains("dropped") || said.contains("drops")), tables);
        assert_eq!(told.iter().all(|said| points(said).is_some()), tables && standings);
        assert_eq!(read(&street, &format!("/matches/{}", streams.session)).0 == 200, tables && standings);
        assert_eq!(read(&street, &format!("/tournaments/{}", streams.public)).0, 200);
    }
    // Anyone who is signed in sees all of it, whatever is public.
    club.show_everybody(false, false);
    let player = club.somebody("player").client;
    for address in [format!("/api/v1/chouettes/{}/acts", streams.table), streams.live()[0].clone()] {
        let (_, said) = read(&player, &address);
        assert!(points(&said).is_some() && payments(&said, true).is_some(), "{address}: {said}");
    }
    club.logged_no_failure();
}

/// The box beside which the club says what is public tells what a stranger sees.
#[rstest]
fn f2_the_settings_say_what_a_stranger_sees(#[values(Db::Sqlite)] db: Db) {
    let Some(club) = Club::open(db, &[]) else { return };
    let (browser, _) = signed_in(&club, &club.somebody("admin").login);
    let page = browser.get("/settings");
    assert!(page.text().contains("Who pays whom is never shown to them"), "{page}");
}

/// What is told on a stream from its beginning; nothing if the caller may not listen.
fn told(client: &Client, address: &str) -> Vec<Value> {
    let mut events = client.events(address, None);
    let mut told = Vec::new();
    assert!([200, 401, 403, 404].contains(&events.status), "{address}: {}", events.status);
    if events.status == 200 {
        let mut patience = Duration::from_secs(5);
        while let Some(event) = events.next_within(patience) {
            told.push(event.json());
            patience = Duration::from_millis(500);
        }
    }
    told
}

#[rstest]
fn the_stream_of_the_whole_club_shows_each_what_the_others_show_them(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let settings = [("LIMITS__LIVE_STREAMS", "1000"), ("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "50")];
    let Some(club) = Club::open(db, &settings) else { return };
    let (plays, opponent) = (club.somebody("player"), club.somebody("player"));
    let mut ids: Vec<String> = (0..8).map(|_| club.player()).collect();
    for (place, person) in [(0, &plays), (1, &opponent)] {
        ids[place] = person.player.clone().unwrap();
        ids[place + 2] = club.player();
    }
    let streams = Streams::between(&club, &ids);
    let compare = |who: &str, client: &Client| {
        let one_by_one: BTreeMap<String, Vec<Value>> = streams
            .live()
            .iter()
            .map(|address| (address.split('/').nth(4).unwrap().to_owned(), told(client, address)))
            .filter(|(_, acts)| !acts.is_empty())
            .collect();
        let mut at_once: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for mut act in told(client, "/api/v1/events?after=0") {
            let act_fields = act.as_object_mut().unwrap();
            let id = act_fields.remove("id").unwrap().as_str().unwrap().to_owned();
            assert!(act_fields.remove("kind").is_some());
            at_once.entry(id).or_default().push(act);
        }
        assert_eq!(at_once, one_by_one, "{who}");
        one_by_one.len()
    };
    for (tables, standings, shown) in [(false, false, 1), (true, false, 4), (false, true, 1), (true, true, 5)]
    {
        club.show_everybody(tables, standings);
        let who = format!("a stranger, tables {tables}, points {standings}");
        assert_eq!(compare(&who, &club.public), shown, "{who}");
    }
    club.show_everybody(false, false);
    for role in Role::ALL {
        assert_eq!(compare(role.name(), &club.somebody(role.name()).client), 6, "{role:?}");
    }
    compare("a player there", &plays.client);
    compare("an opponent", &opponent.client);
    club.logged_no_failure();
}
