//! The books of a tournament: the pool's and the house's beside the players'.

use chrono::Utc;
use owlbox_base::values::{ActId, Holder, MinorUnits, PlayerId, TournamentId};
use owlbox_books::ledger::{PostingOrigin, Source, TransactionKind, reversal_of, transfers};
use owlbox_desk::books::posting::{NewTransaction, Posted, to_post};
use owlbox_desk::{Actor, Dependencies, Desk, Request};
use owlbox_play::tournament::money::{Transfer, TransferKind};
use owlbox_store::{StoreError, Transaction};
use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::client::Client;
use crate::support::databases::{Database, Db};
use crate::support::house::{ADMIN, club};
use crate::support::server::Server;

const OPEN: TournamentId = TournamentId(Uuid::from_u128(0x0190_a6f4_0000_7000_8000_0000_0000_0777));

/// A club whose books have a tournament of two: both enter, one pays, one wins. The last entry is undone.
struct Club {
    server: Server,
    admin: Client,
    players: [PlayerId; 2],
    _database: Database,
}

impl Club {
    fn open(db: Db) -> Option<Self> {
        let database = club(db)?;
        let players = [played(&database, "Ada"), played(&database, "Bea")];
        post(&database, players);
        let server = Server::start(&database);
        let signed_in =
            server.public().post("/api/v1/sign-in", &json!({"login": ADMIN.0, "password": ADMIN.1})).good();
        let admin = server.public().bearer(signed_in.body["access_token"].as_str().unwrap());
        Some(Self { server, admin, players, _database: database })
    }

    fn get(&self, path: &str) -> Value {
        self.admin.get(&format!("/api/v1/{path}")).good().body
    }
}

fn desk(database: &Database) -> Desk {
    Desk::new(Dependencies::with_store(database.store()))
}

fn played(database: &Database, name: &str) -> PlayerId {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let details = serde_json::from_value(json!({ "name": name })).unwrap();
    runtime.block_on(desk(database).add_player(Request::by(Actor::CONSOLE), details, false)).unwrap().0
}

fn transfer(from: Holder, to: Holder, amount: i64, what: TransferKind) -> Transfer {
    Transfer { from, to, amount: MinorUnits(amount), what }
}

fn post(database: &Database, [ada, bea]: [PlayerId; 2]) {
    let id = OPEN.0;
    database.execute(&format!("INSERT INTO stream (id, kind, version) VALUES ('{id}', 'tournament', 4)"));
    let (pool, [ada, bea]) = (Holder::Pool(OPEN), [ada, bea].map(Holder::Player));
    let entered = [ada, bea].map(|player| transfer(player, pool, 2_000, TransferKind::EntryFee));
    let paid = [
        transfer(ada, Holder::House, 300, TransferKind::Registration),
        transfer(Holder::House, ada, 2_300, TransferKind::PaidIn),
    ];
    let won = [transfer(pool, bea, 4_000, TransferKind::Prize)];
    let now = Utc::now().into();
    let place = PostingOrigin { source: Source::Tournament(OPEN), stake: None, at: now, night: None };
    let made =
        |all: &[Transfer]| transfers(place, TransactionKind::Transfer, "EUR".parse().unwrap(), all).unwrap();
    let undone = reversal_of(&made(&won));
    let store = database.store();
    for (version, transaction) in (1..).zip([made(&entered), made(&paid), made(&won), undone]) {
        let by = Posted { act: ActId(Uuid::now_v7()), at: now };
        let new = NewTransaction { transaction, variant: None, version, takes_back: None };
        let today = Utc::now().date_naive();
        let all = vec![to_post(&new, by, |_| today)];
        let post = move |unit: &mut Transaction<'_>| {
            unit.post(all.clone(), today);
            Ok::<_, StoreError>(())
        };
        store.write_blocking(post).unwrap();
    }
}

#[rstest]
fn a_tournaments_fees_and_prizes_stand_in_the_ledgers_of_all_three(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    let [ada, bea] = club.players;
    let balance =
        |amount: i64, postings: i64| json!([{"unit": "EUR", "amount": amount, "postings": postings}]);
    assert_eq!(club.get(&format!("players/{ada}/balances")), balance(0, 3));
    assert_eq!(club.get(&format!("players/{bea}/balances")), balance(-2_000, 3));
    assert_eq!(club.get(&format!("ledger/pools/{OPEN}/balances")), balance(4_000, 4));
    assert_eq!(club.get("ledger/house/balances"), balance(-2_000, 2));

    let lines = club.get(&format!("players/{ada}/statement?unit=EUR"));
    let told: Vec<Value> = lines["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            assert_eq!(line["tournament"], json!(OPEN));
            let none = ["chouette", "match", "game", "counterparty"];
            assert!(none.iter().all(|field| line.get(field).is_some_and(Value::is_null)), "{line}");
            json!([line["kind"], line["bet"], line["with"], line["pool"], line["amount"], line["balance"]])
        })
        .collect();
    let expected = [
        json!(["transfer", "paid_in", "house", null, 2_300, 0]),
        json!(["transfer", "registration", "house", null, -300, -2_300]),
        json!(["transfer", "entry_fee", "pool", OPEN, -2_000, -2_000]),
    ];
    assert_eq!(told, expected);

    // Without a unit, the club's usual currency. By pages.
    let first = club.get(&format!("ledger/pools/{OPEN}/statement?limit=1"));
    assert_eq!(first["items"][0]["kind"], "reversal");
    assert_eq!(first["items"][0]["counterparty"], json!(bea));
    let next = first["next"].as_str().unwrap();
    let second = club.get(&format!("ledger/pools/{OPEN}/statement?limit=1&after={next}"));
    assert_eq!(
        (&second["items"][0]["bet"], &second["items"][0]["amount"]),
        (&json!("prize"), &json!(-4_000))
    );
    let points = club.get("ledger/house/statement?unit=half_points");
    assert_eq!(points["items"], json!([]), "scores are players' only");
}

#[rstest]
fn the_pages_say_what_was_moved_and_with_whom(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    let browser = club.server.public().cookies();
    let token = crate::walk::csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    for (path, said) in [
        (
            format!("/ledger/{}?unit=EUR", club.players[0]),
            &["entry fee", "the pool", "paid in", "the house"][..],
        ),
        (format!("/ledger/pools/{OPEN}"), &["Pool of Tournament", "entry fee", "Ada", "prize", "Undone"]),
        ("/ledger/house".to_owned(), &["Ledger of the house", "registration fee", "Ada"]),
    ] {
        let page = browser.get(&path).good();
        for words in said {
            assert!(page.text().contains(words), "{path} does not say {words}: {}", page.text());
        }
        assert!(page.text().contains(&format!("href=\"/tournaments/{OPEN}\"")), "the way to the tournament");
    }
    assert_eq!(browser.get(&format!("/ledger/pools/{}", Uuid::nil())).status, 404);
}
