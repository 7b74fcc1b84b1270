//! Commands at the table over HTTP: refusals by the rules, and players who may act only for themselves.

use rstest::rstest;
use serde_json::{Value, json};

use super::{Club, NOTHING, Person};
use crate::support::client::Client;
use crate::support::databases::Db;

fn act(command: &str, player: &str) -> Value {
    json!({"command": command, "player": player})
}

/// A club with a game in progress. The first person is the box, the second the captain, the third a crew
/// member; all have logins of their own.
fn game(db: Db) -> Option<(Club, [Person; 3], String)> {
    let club = Club::open(db, &[])?;
    let people = [club.somebody("player"), club.somebody("player"), club.somebody("player")];
    let table = club.table_of(&people.each_ref().map(|person| person.player.as_deref().unwrap()));
    Some((club, people, table))
}

fn own(person: &Person) -> &str {
    person.player.as_deref().unwrap()
}

#[rstest]
fn what_the_rules_refuse_is_a_problem_with_its_own_code_and_changes_nothing(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some((club, people, table)) = game(db) else { return };
    let [the_box, captain, crew] = people.each_ref().map(own);
    let stranger = club.player();
    let refuse = |command: &Value, code: &str| {
        let before = club.everything(std::slice::from_ref(&table));
        let answer = club.command(&club.admin, &table, command).refused(422, code);
        assert_eq!(before, club.everything(std::slice::from_ref(&table)), "{command} changed something");
        answer
    };
    let play = |command: &Value| club.command(&club.admin, &table, command).good();

    refuse(&act("take", the_box), "no_offer");
    refuse(&act("drop", captain), "no_offer");
    refuse(&act("double", &stranger), "unknown_player");
    refuse(&act("double", NOTHING), "unknown_player");
    refuse(&act("join", NOTHING), "unknown_player");
    refuse(&act("join", crew), "already_here");
    refuse(&json!({"command": "start_game"}), "game_in_progress");
    refuse(&json!({"command": "close"}), "game_in_progress");
    refuse(&json!({"command": "double", "player": captain, "against": [crew]}), "no_such_opponent");
    refuse(&json!({"command": "double", "player": captain, "against": []}), "bad_choice");

    play(&act("double", captain));
    let pending = refuse(&act("double", captain), "offer_pending");
    assert!(pending.body["allowed"].is_array(), "{pending}");
    refuse(&json!({"command": "finish", "winner": "box", "win": "single"}), "offer_pending");
    play(&act("take", the_box));
    // Now the box owns the cube.
    let not_theirs = refuse(&act("double", captain), "not_your_cube");
    assert_eq!((&not_theirs.body["field"], &not_theirs.body["allowed"]), (&json!("against"), &json!([])));
    play(&json!({"command": "finish", "winner": "box", "win": "gammon"}));
    refuse(&json!({"command": "finish", "winner": "box", "win": "gammon"}), "no_game");
    refuse(&act("double", captain), "no_game");
    refuse(&json!({"command": "enter_rolls", "rolls": []}), "order_already_set");
    play(&json!({"command": "close"}));
    refuse(&act("join", &stranger), "closed");
    refuse(&json!({"command": "close"}), "closed");

    let open = |body: Value| club.admin.post("/api/v1/chouettes", &body);
    open(json!({"name": "Two\nlines"})).refused(422, "bad_name");
    open(json!({"name": ""})).refused(422, "bad_name");
    let dollars = json!({"name": "Dollars", "stake": {"amount": 500, "currency": "USD"}});
    open(dollars).refused(422, "currency_not_in_use");
    open(json!({"name": "Minus", "stake": {"amount": -5, "currency": "EUR"}})).refused(400, "invalid_body");
    let inactive = format!("/api/v1/players/{stranger}");
    club.admin.patch(&inactive, &json!({"active": false})).good();
    let other = open(json!({"name": "Other"})).good();
    let other = super::text(&other.body["chouette"]["id"]).to_owned();
    club.command(&club.admin, &other, &act("join", &stranger)).refused(422, "player_inactive");
    club.logged_no_failure();
}

#[rstest]
fn a_stale_version_is_refused_whatever_the_command(#[values(Db::one(), Db::other())] db: Db) {
    let Some((club, people, table)) = game(db) else { return };
    let path = format!("/api/v1/chouettes/{table}");
    let current = club.admin.get(&path).good().etag().to_owned();
    let version: i64 = current.trim_matches('"').parse().unwrap();
    let double = act("double", own(&people[1]));
    for stale in [version - 1, version + 1, 0, -1, i64::MAX, i64::MIN] {
        for below in ["commands", "preview"] {
            let request = club.admin.request("POST", &format!("{path}/{below}")).json(&double);
            let answer = request.if_match(&format!("\"{stale}\"")).send().refused(412, "stale_version");
            assert_eq!(answer.body["allowed"], json!(version));
        }
    }
    assert_eq!(club.admin.get(&path).good().etag(), current);
    let request = club.admin.request("POST", &format!("{path}/commands")).json(&double);
    request.if_match(&current).send().good();
    club.logged_no_failure();
}

/// The commands listed as legal for a caller, each with its player.
fn legal(client: &Client, table: &str) -> Vec<(String, Value)> {
    let state = client.get(&format!("/api/v1/chouettes/{table}")).good().body;
    let legal = state["legal"].as_array().unwrap().iter();
    legal.map(|one| (super::text(&one["command"]).to_owned(), one["player"].clone())).collect()
}

#[rstest]
fn players_double_take_and_drop_for_themselves_and_are_told_no_more(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some((club, people, table)) = game(db) else { return };
    let [the_box, captain, crew] = &people;
    let told = |person: &Person| legal(&person.client, &table);
    let only = |commands: &[&str], person: &Person| -> Vec<(String, Value)> {
        commands.iter().map(|command| ((*command).to_owned(), json!(own(person)))).collect()
    };
    // At the start everybody may double, each for themselves; the scorer for all of them.
    for person in &people {
        assert_eq!(told(person), only(&["double"], person));
    }
    assert!(legal(&club.admin, &table).len() > 3);
    let of_the_books = [("pay".to_owned(), Value::Null)];
    assert_eq!(legal(&club.somebody("treasurer").client, &table), of_the_books);

    for (who, whose) in [(the_box, captain), (captain, crew), (crew, the_box)] {
        club.command(&who.client, &table, &act("double", own(whose))).refused(403, "not_yours");
    }
    let offer = json!({"command": "double", "player": own(the_box), "against": [own(captain)]});
    club.command(&the_box.client, &table, &offer).good();
    assert_eq!(told(captain), only(&["take", "drop"], captain));
    for command in ["take", "drop"] {
        club.command(&the_box.client, &table, &act(command, own(captain))).refused(403, "not_yours");
        club.command(&crew.client, &table, &act(command, own(captain))).refused(403, "not_yours");
        let preview = format!("/api/v1/chouettes/{table}/preview");
        crew.client.post(&preview, &act(command, own(captain))).refused(403, "not_yours");
    }
    club.command(&captain.client, &table, &act("take", own(captain))).good();
    for command in [
        json!({"command": "finish", "winner": "box", "win": "single"}),
        json!({"command": "close"}),
        json!({"command": "start_game"}),
        act("leave", own(crew)),
        act("join", own(crew)),
    ] {
        club.command(&crew.client, &table, &command).refused(403, "forbidden");
    }
    club.logged_no_failure();
}

#[rstest]
fn players_undo_their_own_last_act_and_nobody_elses(#[values(Db::one(), Db::other())] db: Db) {
    let Some((club, people, table)) = game(db) else { return };
    let [the_box, captain, crew] = &people;
    let undo = json!({"command": "undo"});
    let offered = |client: &Client| {
        let state = client.get(&format!("/api/v1/chouettes/{table}")).good().body;
        (!state["undo"].is_null(), !state["redo"].is_null())
    };
    // The admin started the game.
    assert_eq!((offered(&captain.client), offered(&club.admin)), ((false, false), (true, false)));
    club.command(&captain.client, &table, &undo).refused(403, "not_yours");

    club.command(&captain.client, &table, &act("double", own(captain))).good();
    assert_eq!((offered(&captain.client).0, offered(&crew.client).0), (true, false));
    club.command(&the_box.client, &table, &undo).refused(403, "not_yours");
    club.command(&captain.client, &table, &undo).good();
    assert_eq!((offered(&captain.client), offered(&crew.client)), ((false, true), (false, false)));
    let redo = json!({"command": "redo"});
    club.command(&crew.client, &table, &redo).refused(403, "not_yours");
    club.command(&captain.client, &table, &redo).good();

    // Once another player has answered, that is the last act.
    club.command(&the_box.client, &table, &act("take", own(the_box))).good();
    assert_eq!((offered(&captain.client).0, offered(&the_box.client).0), (false, true));
    club.command(&captain.client, &table, &undo).refused(403, "not_yours");
    // A scorer undoes any last act.
    club.command(&club.somebody("scorer").client, &table, &undo).good();
    // An act that a scorer undid can be redone by the player whose act it was, and by no other player.
    club.command(&captain.client, &table, &redo).refused(403, "not_yours");
    club.command(&the_box.client, &table, &redo).good();
    club.logged_no_failure();
}

#[rstest]
fn players_undo_several_acts_at_once_only_if_all_are_their_own(#[values(Db::one(), Db::other())] db: Db) {
    let Some((club, people, table)) = game(db) else { return };
    let [the_box, captain, crew] = &people;
    let back = |acts: u16| json!({"command": "undo", "acts": acts});
    let forth = |acts: u16| json!({"command": "redo", "acts": acts});
    for member in [captain, crew] {
        let offer = json!({"command": "double", "player": own(the_box), "against": [own(member)]});
        club.command(&the_box.client, &table, &offer).good();
    }
    let told = |person: &Person, which: &str| {
        let state = person.client.get(&format!("/api/v1/chouettes/{table}")).good().body;
        state[which]["acts"].clone()
    };
    assert_eq!((told(the_box, "undo"), told(captain, "undo")), (json!(2), Value::Null));
    // The admin started the game.
    club.command(&the_box.client, &table, &back(3)).refused(403, "not_yours");
    club.command(&captain.client, &table, &back(2)).refused(403, "not_yours");
    let preview = format!("/api/v1/chouettes/{table}/preview");
    captain.client.post(&preview, &back(2)).refused(403, "not_yours");
    let shown = the_box.client.post(&preview, &back(2)).good().body;
    assert_eq!(shown["acts"].as_array().unwrap().len(), 2);
    club.command(&the_box.client, &table, &back(2)).good();
    assert_eq!((told(the_box, "redo"), told(captain, "redo")), (json!(2), Value::Null));
    club.command(&captain.client, &table, &forth(2)).refused(403, "not_yours");
    club.command(&the_box.client, &table, &forth(2)).good();

    club.command(&captain.client, &table, &act("take", own(captain))).good();
    club.command(&captain.client, &table, &back(2)).refused(403, "not_yours");
    club.command(&the_box.client, &table, &back(2)).refused(403, "not_yours");
    club.command(&club.somebody("scorer").client, &table, &back(3)).good();
    club.command(&captain.client, &table, &forth(3)).refused(403, "not_yours");
    club.logged_no_failure();
}

#[rstest]
fn players_neither_undo_what_showed_dice_or_answers_nor_resign_for_their_side(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some((club, people, table)) = game(db) else { return };
    let [the_box, captain, crew] = &people;
    let run = |command: &Value| club.command(&club.admin, &table, command).good();
    let board = |action: Value| json!({"command": "board", "by": "box", "action": action});
    let undo = json!({"command": "undo"});

    run(&json!({"command": "finish", "winner": "box", "win": "single"}));
    run(&json!({"command": "change_rules", "rules": {"decision_order": "all_at_once"}}));
    run(&json!({"command": "start_game", "refereed": true}));
    let thrown = board(json!({"action": "roll_opening", "dice": {"white": 6, "black": 1}}));
    club.command(&the_box.client, &table, &thrown).refused(403, "not_yours");
    club.command(&captain.client, &table, &board(json!({"action": "roll_opening"})))
        .refused(403, "not_yours");
    club.command(&the_box.client, &table, &board(json!({"action": "roll_opening"}))).good();
    club.command(&the_box.client, &table, &undo).refused(403, "not_yours");
    for resign in [json!({"action": "resign", "win": "backgammon"}), json!({"action": "accept_resignation"})]
    {
        club.command(&the_box.client, &table, &board(resign)).refused(403, "not_yours");
    }
    // The scorer may undo to the beginning. Then a game without a referee, with secret answers.
    run(&json!({"command": "undo", "acts": 2}));
    run(&json!({"command": "start_game"}));
    run(&act("double", own(the_box)));
    club.command(&captain.client, &table, &act("take", own(captain))).good();
    let last = club.command(&crew.client, &table, &act("drop", own(crew))).good().body;
    assert!(
        last["act"]["events"].as_array().unwrap().iter().any(|event| event["event"] == "taken"),
        "{last}"
    );
    club.command(&crew.client, &table, &undo).refused(403, "not_yours");
    run(&undo);
}
