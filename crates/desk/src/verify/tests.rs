//! Corrupts every table by hand and checks that verification finds it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use rstest::rstest;
use serde_json::json;
use tempfile::TempDir;

use super::{Unverified, verify};
use crate::chouettes::{NewChouette, Order};
use crate::club::stream::club_receipt;
use crate::{Actor, Clock, Dependencies, Desk, Dice, Idempotency, Request};
use owlbox_base::permissions::{Role, Roles};
use owlbox_base::values::{AccountId, ChouetteId, PlayerId, Timestamp};
use owlbox_books::club::players::PlayerDetails;
use owlbox_books::club::{Command as ClubCommand, Settings};
use owlbox_chouette::Chouette;
use owlbox_play::matches::Sheet;
use owlbox_store::connection::{Use, connect};
use owlbox_store::{AnyConnection, DatabaseUrl, Options, Store, StoreError, guards};

/// A club of four with one account, one closed night with a game undone and redone, and one night in
/// progress.
struct Club {
    folder: TempDir,
    players: Vec<PlayerId>,
    closed: ChouetteId,
}

impl Club {
    async fn made() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
        let store = Store::open(&url, &Options::default()).unwrap();
        let desk = Desk::new(Dependencies { dice: Dice::seeded(1), ..Dependencies::with_store(store) });
        desk.open_club(Request::by(Actor::CONSOLE), Settings::default()).await.unwrap();
        let mut players = Vec::new();
        for name in ["Ada", "Bruno", "Chiara", "Dino"] {
            let details = PlayerDetails::named(name.parse().unwrap());
            players.push(desk.add_player(Request::by(Actor::CONSOLE), details, false).await.unwrap().0);
        }
        let owner = players[0];
        desk.carry_out(Request::by(Actor::CONSOLE), move |unit| {
            let account = AccountId(uuid::Uuid::from_u128(7));
            let create = ClubCommand::CreateAccount {
                account,
                player: Some(owner),
                roles: Roles::from_roles(&[Role::Admin]),
            };
            Ok((club_receipt(&unit.change_club(&[create])?, 201), ()))
        })
        .await
        .unwrap();
        let closed = played(&desk, &players[..3], true).await;
        played(&desk, &players[1..], false).await;
        scored(&desk, [players[0], players[1]]).await;
        Self { folder, players, closed }
    }

    fn copy(&self) -> (TempDir, DatabaseUrl) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("club.db");
        owlbox_store::backup::backup(&self.url(), &file).unwrap();
        (folder, DatabaseUrl::Sqlite(file))
    }

    fn url(&self) -> DatabaseUrl {
        let path: &Path = self.folder.path();
        DatabaseUrl::Sqlite(path.join("club.db"))
    }
}

/// Changes what the database itself would not let anybody change.
fn spoiled(connection: &mut AnyConnection, sql: &str) {
    let done = guards::lifted(connection, |connection| {
        connection.batch_execute(&format!("PRAGMA foreign_keys = OFF; {sql}"))?;
        Ok::<_, StoreError>(())
    });
    done.unwrap();
}

/// A match with one finished game.
async fn scored(desk: &Desk, players: [PlayerId; 2]) {
    won(desk, players, json!({"play": "match", "length": 7})).await;
}

/// A sheet with one game, a gammon with the cube at 2.
async fn won(desk: &Desk, players: [PlayerId; 2], terms: serde_json::Value) {
    let new = serde_json::from_value(json!({"players": players, "terms": terms})).unwrap();
    let id = desk.open::<Sheet>(Request::by(Actor::CONSOLE), new).await.unwrap().id;
    let game = json!({"command": "game", "winner": "upper", "win": "gammon", "cube": 2});
    let order = serde_json::from_value(game).unwrap();
    desk.command::<Sheet>(Request::by(Actor::CONSOLE), id, order).await.unwrap();
}

async fn played(desk: &Desk, players: &[PlayerId], to_the_end: bool) -> ChouetteId {
    let new: NewChouette =
        serde_json::from_value(json!({"name": "Table", "stake": {"amount": 500, "currency": "EUR"}}))
            .unwrap();
    let id = desk.open::<Chouette>(Request::by(Actor::CONSOLE), new).await.unwrap().id;
    let tell = async |command: serde_json::Value| {
        let order: Order = serde_json::from_value(command).unwrap();
        let key = Idempotency { key: format!("{id} {}", uuid::Uuid::now_v7()), request_hash: vec![1] };
        let request = Request { idempotency: Some(key), ..Request::by(Actor::CONSOLE) };
        desk.command::<Chouette>(request, id, order).await.unwrap()
    };
    for player in players {
        tell(json!({"command": "join", "player": player})).await;
    }
    tell(json!({"command": "draw_order"})).await;
    tell(json!({"command": "start_game"})).await;
    let captain = desk.find::<Chouette>(id).await.unwrap().state.captain().unwrap();
    tell(json!({"command": "double", "player": captain})).await;
    if to_the_end {
        let owner = desk.find::<Chouette>(id).await.unwrap().state.box_player().unwrap();
        tell(json!({"command": "take", "player": owner})).await;
        tell(json!({"command": "finish", "winner": "team", "win": "gammon"})).await;
        tell(json!({"command": "undo"})).await;
        tell(json!({"command": "redo"})).await;
        tell(json!({"command": "close"})).await;
    }
    id
}

#[tokio::test]
async fn a_club_in_order_is_verified_beside_whoever_writes_it() {
    let club = Club::made().await;
    let _server = Store::open(&club.url(), &Options::default()).unwrap();
    let mut connection = Store::open_for_reading(&club.url()).unwrap();
    let checked = verify(&mut connection).unwrap();
    let told = "streams 4, events 27, players 4, accounts 1, chouettes 2, seats 6, matches 1, transactions 3, \
                postings 24, links of the chain 3, balances 6, rated matches 0, ratings 0, tallies of games 13, idempotency records 17, tournaments 0, entrants 0, \
                acts decided again 27, objects of the database 90";
    assert_eq!(checked.to_string(), told);
    assert_eq!(verify(&mut connection).unwrap(), checked, "the snapshot was given back");
}

#[tokio::test]
async fn an_empty_database_is_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    drop(Store::open(&url, &Options::default()).unwrap());
    let checked = verify(&mut Store::open_for_reading(&url).unwrap()).unwrap();
    assert_eq!(checked, super::Checked { shape: checked.shape, ..super::Checked::default() });
    assert!(checked.shape > 40, "the tables and their indexes");
}

/// The corruption, and the expected message. `CLOSED` stands for the closed chouette, `ADA` for the first
/// player and `FIRST_LINE` for the condition that finds the first posting of its game.
#[rstest]
#[case::stream_kind(
    "UPDATE stream SET kind = 'raffle' WHERE id = 'CLOSED'",
    "stream, stream CLOSED: kind: expected chouette"
)]
#[case::stream_version(
    "UPDATE stream SET version = version + 1 WHERE id = 'CLOSED'",
    "stream, stream CLOSED: version: expected 12, found 13"
)]
#[case::stream_missing("DELETE FROM stream WHERE id = 'CLOSED'", "stream, stream CLOSED: is missing")]
#[case::second_club(
    "UPDATE stream SET kind = 'club' WHERE id = 'CLOSED'",
    "stream, stream CLOSED: kind: expected chouette, match, tournament, or club for stream"
)]
#[case::journal_gap(
    "DELETE FROM journal WHERE stream = 'CLOSED' AND version = 6",
    "journal, stream CLOSED: broken history: act"
)]
#[case::journal_tail(
    "DELETE FROM journal WHERE stream = 'CLOSED' AND version = 12",
    "stream, stream CLOSED: version: expected 11, found 12"
)]
#[case::journal_kind(
    "UPDATE journal SET kind = 'dropped' WHERE stream = 'CLOSED' AND version = 8",
    "journal, stream CLOSED, version 8: kind: expected taken, found dropped"
)]
#[case::journal_format(
    "UPDATE journal SET format = 9 WHERE stream = 'CLOSED' AND version = 8",
    "chouette events of format 9 are unknown"
)]
#[case::journal_payload(
    "UPDATE journal SET payload = '{}' WHERE stream = 'CLOSED' AND version = 8",
    "journal, stream CLOSED: broken history: chouette event"
)]
#[case::journal_format_of_before(
    "UPDATE journal SET format = 2 WHERE stream = 'CLOSED' AND version = 8",
    "version 8: format 2 after 3"
)]
#[case::journal_cube(
    "UPDATE journal SET payload = json_set(payload, '$.bets[0].to', 4) WHERE stream = 'CLOSED' AND version = 7",
    "version 7: nothing that could be asked for then comes to this"
)]
#[case::journal_more(
    "UPDATE journal SET payload = json_set(payload, '$.act', '00000000-0000-0000-0000-000000000001') WHERE stream = 'CLOSED' AND version = 11",
    "takes back or puts back 00000000-0000-0000-0000-000000000001, which it cannot"
)]
#[case::journal_by_nobody(
    "UPDATE journal SET account = '00000000-0000-0000-0000-000000000009' WHERE stream = 'CLOSED' AND version = 7",
    "version 7: account 00000000-0000-0000-0000-000000000009 is none of the club's"
)]
#[case::journal_by_one_who_may_not(
    "UPDATE journal SET account = 'ADA' WHERE stream = 'CLOSED' AND version = 7",
    "version 7: account ADA could not do this then"
)]
#[case::journal_undone_by_one_who_may_not(
    "UPDATE journal SET account = 'ADA' WHERE stream = 'CLOSED' AND version = 10",
    "version 10: account ADA could not do this then"
)]
#[case::journal_time(
    "UPDATE journal SET at = '2099-01-01T00:00:00.000000Z' WHERE stream = 'CLOSED' AND version = 6",
    "version 6: at: expected 2"
)]
// By the time in its id it may be as it says: the clock may have been set back.
#[case::journal_time_of_before(
    "UPDATE journal SET at = '2020-01-01T00:00:00.000000Z' WHERE stream = 'CLOSED' AND version = 6",
    "version 6: its hash does not follow"
)]
#[case::trigger_of_nobody(
    "CREATE TRIGGER sly AFTER INSERT ON journal BEGIN DELETE FROM seat; END",
    "schema, trigger sly: nothing accounts for it"
)]
#[case::index_missing("DROP INDEX journal_act", "schema, index journal_act: is missing")]
#[case::column_of_nobody("ALTER TABLE player ADD COLUMN more TEXT", "schema, table player: definition")]
#[case::club_settings(
    "UPDATE club SET settings = replace(settings, 'UTC', 'Europe/Rome')",
    "settings: expected {"
)]
#[case::club_settings_broken("UPDATE club SET settings = '{}'", "settings: missing field")]
#[case::club_settings_missing("DELETE FROM club", "is missing")]
#[case::player_guest(
    "UPDATE player SET guest = TRUE WHERE id = 'ADA'",
    "player, player ADA: guest: expected false, found true"
)]
#[case::player_active(
    "UPDATE player SET active = FALSE WHERE id = 'ADA'",
    "player, player ADA: active: expected true, found false"
)]
#[case::player_missing("DELETE FROM player WHERE id = 'ADA'", "player, player ADA: is missing")]
#[case::player_unknown(
    "INSERT INTO player (id, guest, active, name, name_key) VALUES ('00000000-0000-0000-0000-000000000001', 0, 1, 'X', 'x')",
    "player, player 00000000-0000-0000-0000-000000000001: nothing accounts for it"
)]
#[case::account_roles("UPDATE account SET roles = 31", "roles: expected 1, found 31")]
#[case::account_player("UPDATE account SET player = NULL", "player: expected ADA, found nothing")]
#[case::account_missing(
    "DELETE FROM account",
    "account, account 00000000-0000-0000-0000-000000000007: is missing"
)]
#[case::chouette_status(
    "UPDATE chouette SET status = 'open' WHERE id = 'CLOSED'",
    "chouette, chouette CLOSED: status: expected closed, found open"
)]
#[case::chouette_stake(
    "UPDATE chouette SET stake_amount = 1 WHERE id = 'CLOSED'",
    "stake_amount: expected 500, found 1"
)]
#[case::chouette_games("UPDATE chouette SET games = 2 WHERE id = 'CLOSED'", "games: expected 1, found 2")]
#[case::chouette_closed_at(
    "UPDATE chouette SET closed_at = NULL WHERE id = 'CLOSED'",
    "closed_at: expected 2"
)]
#[case::chouette_missing("DELETE FROM chouette WHERE id = 'CLOSED'", "chouette, chouette CLOSED: is missing")]
#[case::seat_score(
    "UPDATE seat SET score = score + 1 WHERE chouette = 'CLOSED' AND player = 'ADA'",
    "seat, player ADA at chouette CLOSED: score"
)]
#[case::seat_present(
    "UPDATE seat SET present = TRUE WHERE chouette = 'CLOSED' AND player = 'ADA'",
    "present: expected false, found true"
)]
#[case::seat_neither_taken_nor_free(
    "UPDATE seat SET present = 2 WHERE player = 'ADA' AND chouette = 'CLOSED'",
    "schema, column seat.present: holds what is not of its kind"
)]
#[case::number_with_a_letter(
    "UPDATE posting SET amount = amount || 'x' WHERE FIRST_LINE",
    "schema, column posting.amount: holds what is not of its kind"
)]
#[case::seat_missing("DELETE FROM seat WHERE chouette = 'CLOSED' AND player = 'ADA'", "is missing")]
#[case::transaction_kind(
    "UPDATE ledger_transaction SET kind = 'game' WHERE version = 10",
    "ledger_transaction, game 1 of chouette CLOSED, posted at its version 10: kind: expected reversal, found game"
)]
#[case::transaction_variant(
    "UPDATE ledger_transaction SET variant = 'fevga' WHERE version = 9",
    "variant: expected standard, found fevga"
)]
#[case::transaction_time(
    "UPDATE ledger_transaction SET happened_at = '2020-01-01T00:00:00.000000Z' WHERE version = 9",
    "happened_at: expected 2"
)]
#[case::transaction_missing(
    "DELETE FROM ledger_transaction WHERE version = 11",
    "posted at its version 11: is missing"
)]
#[case::transaction_place(
    "UPDATE ledger_transaction SET version = 4 WHERE version = 11",
    "posted at its version 11: is missing"
)]
#[case::posting_amount(
    "UPDATE posting SET amount = amount + 1 WHERE FIRST_LINE",
    "posting, position 0 of game 1 of chouette CLOSED, posted at its version 9: amount: expected"
)]
#[case::posting_kind(
    "UPDATE posting SET kind = 'extra' WHERE FIRST_LINE",
    "kind: expected member, found extra"
)]
#[case::posting_missing("DELETE FROM posting WHERE FIRST_LINE", "posted at its version 9: is missing")]
#[case::posting_of_nothing(
    "UPDATE posting SET ledger_transaction = '00000000-0000-0000-0000-000000000001' WHERE FIRST_LINE",
    "nothing accounts for it"
)]
#[case::posting_twice("UPDATE posting SET position = 1 WHERE FIRST_LINE", "nothing accounts for it")]
#[case::posting_holder_kind(
    "UPDATE posting SET holder_kind = 'pool' WHERE holder = 'ADA' AND unit = 'EUR'",
    "holder: expected player ADA, found pool ADA"
)]
#[case::posting_counterparty_kind(
    "UPDATE posting SET counterparty_kind = 'pool' WHERE FIRST_LINE",
    "counterparty: expected player"
)]
#[case::balance_holder_kind(
    "UPDATE balance SET holder_kind = 'pool' WHERE holder = 'ADA' AND unit = 'EUR'",
    "balance, player ADA, unit EUR: is missing"
)]
#[case::posting_gap(
    "UPDATE posting SET sequence = sequence + 100 WHERE holder = 'ADA' AND unit = 'EUR'",
    "posting, player ADA, unit EUR, sequence 101: sequence: expected 1, found 101"
)]
#[case::posting_balance(
    "UPDATE posting SET balance = balance + 1 WHERE holder = 'ADA' AND unit = 'EUR' AND sequence = 2",
    "posting, player ADA, unit EUR, sequence 2: balance"
)]
#[case::balance_amount(
    "UPDATE balance SET amount = amount + 1 WHERE holder = 'ADA' AND unit = 'EUR'",
    "balance, player ADA, unit EUR: amount"
)]
#[case::balance_sequence(
    "UPDATE balance SET sequence = sequence + 1 WHERE holder = 'ADA' AND unit = 'EUR'",
    "balance, player ADA, unit EUR: sequence"
)]
#[case::balance_missing(
    "DELETE FROM balance WHERE holder = 'ADA' AND unit = 'EUR'",
    "balance, player ADA, unit EUR: is missing"
)]
#[case::balance_unknown(
    "INSERT INTO balance VALUES ('ADA', 'USD', 'player', 0, 0)",
    "balance, player ADA, unit USD: nothing accounts for it"
)]
#[case::rating_of_nothing(
    "INSERT INTO rating (player, rating, experience, matches) VALUES ('ADA', 1500000, 7, 1)",
    "rating, player ADA: nothing accounts for it"
)]
#[case::tally_missing(
    "DELETE FROM game_tally WHERE player = 'ADA' AND kind = 'match' AND opponent <> '00000000-0000-0000-0000-000000000000'",
    "game_tally, games of player ADA against"
)]
#[case::tally_games(
    "UPDATE game_tally SET games = 2 WHERE player = '00000000-0000-0000-0000-000000000000' AND kind = 'match'",
    "match, standard, began: unknown, as opponent: won, gammon, cube 2: games: expected 1, found 2"
)]
#[case::tally_points(
    "UPDATE game_tally SET half_points = half_points + 1 WHERE player = 'ADA' AND kind = 'chouette'",
    ": half_points: expected "
)]
#[case::year_missing(
    "DELETE FROM year_tally WHERE player = 'ADA' AND kind = 'match' AND opponent <> '00000000-0000-0000-0000-000000000000'",
    "year_tally, games of player ADA against"
)]
#[case::year_games(
    "UPDATE year_tally SET games = 2 WHERE player = '00000000-0000-0000-0000-000000000000' AND kind = 'match'",
    "match, standard, began: unknown, as opponent: won, gammon, cube 2: games: expected 1, found 2"
)]
#[case::year_unknown("UPDATE year_tally SET ending = 'in_tears'", "year_tally, a row")]
#[case::month_points(
    "UPDATE month_tally SET half_points = half_points + 1 WHERE player = 'ADA' AND kind = 'chouette'",
    ": half_points: expected "
)]
#[case::pair_turnover(
    "UPDATE pair_turnover SET gained = gained + 1 WHERE holder = 'ADA'",
    "pair_turnover, holder ADA with "
)]
#[case::pair_points(
    "UPDATE pair_tally SET half_points = half_points + 1 WHERE player = 'ADA' AND kind = 'chouette'",
    ": half_points: expected "
)]
#[case::pair_of_nobody(
    "INSERT INTO pair_tally SELECT opponent, player, 'a', 'b', 'c', 'd', 1, 0 FROM pair_tally LIMIT 1",
    "pair_tally, games of "
)]
#[case::month_unknown("UPDATE month_tally SET month = 13", "month_tally, games of ")]
#[case::years_no_longer_kept(
    "DROP TRIGGER game_tally_changed",
    "schema, trigger game_tally_changed: is missing"
)]
#[case::tally_of_no_word("UPDATE game_tally SET role = 'cook'", "game_tally, a row of 00000000")]
#[case::tally_of_nothing(
    "INSERT INTO unfilled (name) VALUES ('game_tally')",
    "unfilled, table game_tally: nothing accounts for it"
)]
#[case::idempotency_version(
    "UPDATE idempotency SET version = 99 WHERE stream = 'CLOSED' AND version = 12",
    "version: expected 1 to 12, found 99"
)]
#[case::match_missing("DELETE FROM \"match\"", "is missing")]
#[case::match_score("UPDATE \"match\" SET upper_score = 9", "upper_score: expected 4, found 9")]
#[case::match_winner("UPDATE \"match\" SET winner = 'lower'", "winner: expected nothing, found lower")]
#[case::match_of_nobody("UPDATE \"match\" SET id = '00000000-0000-0000-0000-000000000001'", "match, match ")]
#[case::idempotency_stream(
    "UPDATE idempotency SET stream = '00000000-0000-0000-0000-000000000001' WHERE version = 12",
    "stream: expected a stream of the journal"
)]
#[tokio::test]
async fn a_spoiled_table_is_found(#[case] spoil: &str, #[case] said: &str) {
    let club = Club::made().await;
    let named = |text: &str| {
        let place = "holder || unit || sequence IN (SELECT holder || unit || sequence FROM posting p JOIN \
                     ledger_transaction t ON p.ledger_transaction = t.id WHERE t.version = 9 AND p.position = 0)";
        text.replace("FIRST_LINE", place)
            .replace("CLOSED", &club.closed.to_string())
            .replace("ADA", &club.players[0].to_string())
    };
    let (_folder, url) = club.copy();
    let mut connection = connect(&url, Use::Write).unwrap();
    spoiled(&mut connection, &named(spoil));
    match verify(&mut connection) {
        Err(Unverified::Differs(difference)) => {
            let text = difference.to_string();
            assert!(text.contains(&named(said)), "said {text:?}");
        }
        other => panic!("{other:?}"),
    }
}

/// A clock that is set: so many seconds beside the real one, by which ids are made.
#[derive(Clone, Default)]
struct SetClock(Arc<AtomicI64>);

impl SetClock {
    fn set(&self, beside: i64) {
        self.0.store(beside, Ordering::Relaxed);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        (chrono::Utc::now() + TimeDelta::seconds(self.0.load(Ordering::Relaxed))).into()
    }
}

/// A desk whose clock is set, of a club without anybody.
async fn with_clock(beside: i64) -> (TempDir, DatabaseUrl, Desk, SetClock) {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    let clock = SetClock::default();
    clock.set(beside);
    let store = Store::open(&url, &Options::default()).unwrap();
    let desk = Desk::new(Dependencies { clock: Box::new(clock.clone()), ..Dependencies::with_store(store) });
    desk.open_club(Request::by(Actor::CONSOLE), Settings::default()).await.unwrap();
    (folder, url, desk, clock)
}

async fn added(desk: &Desk, actor: Actor, name: &str) -> PlayerId {
    let details = PlayerDetails::named(name.parse().unwrap());
    desk.add_player(Request::by(actor), details, false).await.unwrap().0
}

#[track_caller]
fn verified(url: &DatabaseUrl) {
    let found = verify(&mut Store::open_for_reading(url).unwrap());
    found.unwrap_or_else(|error| panic!("{error}"));
}

/// C28: the network's time puts the clock back while a night is on, and it catches up or is set again. Ids
/// never go back.
#[rstest]
#[case(3, 1)]
#[case(10, 1)]
#[case(40, 1)]
#[case(40, 2)]
#[case(2 * 60 * 60, 1)]
#[case(2 * 60 * 60, 2)]
#[case(2 * 60 * 60, 30)]
#[tokio::test]
async fn acts_while_the_clock_was_set_back_are_no_difference(#[case] seconds: i64, #[case] acts: u32) {
    let (_folder, url, desk, clock) = with_clock(0).await;
    let new = serde_json::from_value::<NewChouette>(json!({"name": "Friday"})).unwrap();
    let id = desk.open::<Chouette>(Request::by(Actor::CONSOLE), new).await.unwrap().id;
    let tell = async |command: serde_json::Value| {
        let order: Order = serde_json::from_value(command).unwrap();
        desk.command::<Chouette>(Request::by(Actor::CONSOLE), id, order).await.unwrap()
    };
    for name in ["Ada", "Bruno", "Chiara"] {
        let player = added(&desk, Actor::CONSOLE, name).await;
        tell(json!({"command": "join", "player": player})).await;
    }
    tell(json!({"command": "draw_order"})).await;
    clock.set(-seconds);
    for act in 0..acts + 2 {
        if act == acts {
            verified(&url);
            clock.set(0);
        }
        let finish = json!({"command": "finish", "winner": "box", "win": "single"});
        tell(if act % 2 == 0 { json!({"command": "start_game"}) } else { finish }).await;
    }
    verified(&url);
}

/// C28: the clock was ahead - another system's zone - and is put right, at once and for good.
#[rstest]
#[tokio::test]
async fn a_clock_that_is_put_right_in_the_middle_of_everything_is_no_difference(
    #[values(5, 50, 61, 120, 1440)] minutes: i64,
) {
    let (_folder, url, desk, clock) = with_clock(0).await;
    added(&desk, Actor::CONSOLE, "Ada").await;
    let ada_may = Roles::from_roles(&[Role::Director]);
    let account = given_login(&desk, ada_may).await;
    clock.set(-minutes * 60);
    verified(&url);
    added(&desk, account, "Bea").await;
    verified(&url);
}

/// The same where the program was started anew meanwhile, so that ids went back as well: an account that was
/// given a role by the clock that was ahead has it from the first act on that shows how late it was.
#[tokio::test]
async fn a_role_given_by_a_clock_that_was_ahead_counts_once_it_is_put_right() {
    let (_folder, url, desk, clock) = with_clock(2 * 60 * 60).await;
    let account = given_login(&desk, Roles::from_roles(&[Role::Player])).await;
    let roles = Roles::from_roles(&[Role::Director]);
    let change = ClubCommand::ChangeAccountRoles { account: account.account, roles };
    changed(&desk, change).await;
    clock.set(0);
    added(&desk, Actor::CONSOLE, "Ada").await;
    added(&desk, account, "Bea").await;
    verified(&url);
}

async fn changed(desk: &Desk, command: ClubCommand) {
    let done = desk.carry_out(Request::by(Actor::CONSOLE), move |unit| {
        Ok((club_receipt(&unit.change_club(std::slice::from_ref(&command))?, 200), ()))
    });
    done.await.unwrap();
}

/// Somebody with a login of these roles.
async fn given_login(desk: &Desk, roles: Roles) -> Actor {
    let account = AccountId(uuid::Uuid::from_u128(9));
    changed(desk, ClubCommand::CreateAccount { account, player: None, roles }).await;
    Actor { account, proof: crate::Proof::ApiToken { scopes: None } }
}

/// The postings and ratings of sheets are verified from their journals alone.
#[rstest]
#[case::not_posted(
    "DELETE FROM posting; DELETE FROM ledger_transaction; DELETE FROM balance",
    "ledger_transaction, game 1 of match "
)]
#[case::posted_otherwise(
    "UPDATE posting SET amount = -amount, balance = -balance",
    "amount: expected 8, found -8"
)]
#[case::not_rated("DELETE FROM rating; DELETE FROM rated_match", "rated_match, match 0 of division 0, ")]
#[case::rated_otherwise("UPDATE rated_match SET length = 3", "length: expected 1, found 3")]
#[tokio::test]
async fn a_session_out_of_the_books_and_a_friendly_match_out_of_the_ratings_are_found(
    #[case] spoil: &str,
    #[case] said: &str,
) {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    let desk = Desk::new(Dependencies::with_store(Store::open(&url, &Options::default()).unwrap()));
    desk.open_club(Request::by(Actor::CONSOLE), Settings::default()).await.unwrap();
    let mut players = Vec::new();
    for name in ["Ada", "Bruno"] {
        let details = PlayerDetails::named(name.parse().unwrap());
        players.push(desk.add_player(Request::by(Actor::CONSOLE), details, false).await.unwrap().0);
    }
    let players = [players[0], players[1]];
    won(&desk, players, json!({"play": "money"})).await;
    won(&desk, players, json!({"play": "match", "length": 1, "rated": true})).await;
    drop(desk);
    let mut connection = connect(&url, Use::Write).unwrap();
    let checked = verify(&mut connection).unwrap();
    assert_eq!((checked.transactions, checked.postings, checked.rated_matches), (1, 2, 1));
    spoiled(&mut connection, spoil);
    match verify(&mut connection) {
        Err(Unverified::Differs(difference)) => {
            let text = difference.to_string();
            assert!(text.contains(said), "said {text:?}");
        }
        other => panic!("{other:?}"),
    }
}
