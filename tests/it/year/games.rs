//! Games and nights counted from the journal: who won how often, as what, how and at which cube.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::Value;

use super::journal::{Entry, day, effective, list, number, text};

/// Games, won, lost, drawn, half points.
pub(super) type Record = [i64; 5];

/// A game, as one player has it in their statistics.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// `None` in the club's own statistics.
    pub(super) player: Option<String>,
    /// `None` for the game as a whole.
    pub(super) opponent: Option<String>,
    pub(super) day: NaiveDate,
    /// By what games are told apart, `by_kind` and so on, with this game's value.
    pub(super) by: BTreeMap<&'static str, String>,
    pub(super) record: Record,
}

/// A table of a night: everybody who sat there with their score, its stake, and from when to when it was
/// open.
pub(super) struct Table {
    pub(super) night: NaiveDate,
    pub(super) games: i64,
    pub(super) stake: Value,
    pub(super) opened: DateTime<Utc>,
    pub(super) closed: Option<DateTime<Utc>>,
    pub(super) scores: BTreeMap<String, i64>,
}

/// A game of a chouette while it is played, and afterwards.
#[derive(Clone, Default)]
struct Game {
    number: i64,
    variant: String,
    box_player: String,
    captain: String,
    partners: Vec<String>,
    members: BTreeSet<String>,
    /// Where the cube of each bet stands.
    cubes: BTreeMap<i64, i64>,
    results: Vec<Value>,
    winner: String,
    win: Value,
}

/// Every game of the year, from everybody's side.
pub(super) fn counted(entries: &[Entry]) -> Vec<Counted> {
    let mut all = Vec::new();
    for stream in effective(entries, "chouette") {
        let night = day(&stream[0].event["night"]);
        for game in games_of(&stream) {
            count(&game, night, &mut all);
        }
    }
    for stream in effective(entries, "match") {
        on_a_sheet(&stream, &mut all);
    }
    all
}

/// Every table at which a game was finished.
pub(super) fn tables(entries: &[Entry]) -> Vec<Table> {
    let mut tables = Vec::new();
    for stream in effective(entries, "chouette") {
        let games = games_of(&stream);
        let of = |kind: &'static str| stream.iter().filter(move |entry| entry.kind() == kind);
        let mut scores: BTreeMap<String, i64> =
            of("joined").map(|entry| (text(&entry.event["player"]).to_owned(), 0)).collect();
        for bet in games.iter().flat_map(|game| &game.results) {
            *scores.get_mut(text(&bet["winner"])).unwrap() += number(&bet["points"]);
            *scores.get_mut(text(&bet["loser"])).unwrap() -= number(&bet["points"]);
        }
        if games.is_empty() {
            continue;
        }
        tables.push(Table {
            night: day(&stream[0].event["night"]),
            games: i64::try_from(games.len()).unwrap(),
            stake: stream[0].event["stake"].clone(),
            opened: stream[0].at,
            closed: of("closed").next_back().map(|entry| entry.at),
            scores,
        });
    }
    tables
}

fn named(value: &Value) -> String {
    text(value).to_owned()
}

/// The finished games of a table, as corrected.
fn games_of(stream: &[&Entry]) -> Vec<Game> {
    let (mut games, mut game): (Vec<Game>, Game) = (Vec::new(), Game::default());
    for entry in stream {
        let event = &entry.event;
        match entry.kind() {
            "game_started" => game = started(event),
            "opening_tied" | "taken" | "beavered" => stand(&mut game, &event["bets"], "to"),
            "dropped" => {
                for bet in list(&event["bets"]) {
                    game.cubes.insert(number(&bet["bet"]), number(&bet["cube"]["value"]));
                }
            }
            "extras_given" => stand(&mut game, &event["extras"], "value"),
            "captain_changed" => game.captain = named(&event["captain"]),
            "game_finished" => {
                assert_eq!(game.number, number(&event["game"]));
                set_result(&mut game, event, &event["bets"]);
                games.push(std::mem::take(&mut game));
            }
            "game_corrected" => {
                let one = games.iter_mut().find(|game| game.number == number(&event["game"])).unwrap();
                set_result(one, event, &event["after"]);
                stand(one, &event["cubes"], "value");
            }
            "board" => panic!("no game of the year is refereed"),
            _ => {}
        }
    }
    games
}

fn started(event: &Value) -> Game {
    let bets = list(&event["bets"]);
    Game {
        number: number(&event["game"]),
        variant: event["rules"]["variant"].as_str().unwrap_or("standard").to_owned(),
        box_player: named(&event["box"]),
        captain: named(&event["captain"]),
        partners: event["partners"].as_array().into_iter().flatten().map(named).collect(),
        members: bets.iter().map(|bet| named(&bet["member"])).collect(),
        cubes: bets.iter().map(|bet| (number(&bet["bet"]), number(&bet["value"]))).collect(),
        ..Game::default()
    }
}

/// The cubes of these bets stand where the field says.
fn stand(game: &mut Game, bets: &Value, field: &str) {
    for bet in list(bets) {
        game.cubes.insert(number(&bet["bet"]), number(&bet[field]));
    }
}

fn set_result(game: &mut Game, event: &Value, bets: &Value) {
    (game.winner, game.win) = (named(&event["winner"]), event["win"].clone());
    game.results = list(bets).to_vec();
}

/// What a player won and lost in these bets.
fn net<'b>(player: &str, bets: impl IntoIterator<Item = &'b Value>) -> i64 {
    let of = |bet: &Value| match (bet["winner"] == player, bet["loser"] == player) {
        (true, _) => number(&bet["points"]),
        (_, true) => -number(&bet["points"]),
        _ => 0,
    };
    bets.into_iter().map(of).sum()
}

fn record(net: i64) -> Record {
    [1, i64::from(net > 0), i64::from(net < 0), i64::from(net == 0), net]
}

fn count(game: &Game, night: NaiveDate, all: &mut Vec<Counted>) {
    let players: BTreeSet<String> =
        game.results.iter().flat_map(|bet| [named(&bet["winner"]), named(&bet["loser"])]).collect();
    let mut changed_hands = 0;
    for player in &players {
        let own = net(player, &game.results);
        changed_hands += own.max(0);
        let role = role(game, player);
        // A partner's game ended as the box's bets did.
        let whose = if role == "partner" { &game.box_player } else { player };
        let every: Vec<&Value> = game.results.iter().collect();
        let by = manner(game, role, (whose, own), &every);
        all.push(Counted {
            player: Some(player.clone()),
            opponent: None,
            day: night,
            by,
            record: record(own),
        });
        for other in players.iter().filter(|other| *other != player) {
            let with = |bet: &&&Value| bet["winner"] == other.as_str() || bet["loser"] == other.as_str();
            let mine = |bet: &&Value| bet["winner"] == player.as_str() || bet["loser"] == player.as_str();
            let bets = game.results.iter().filter(mine).collect::<Vec<_>>();
            let bets: Vec<&Value> =
                bets.iter().filter(with).copied().filter(|bet| bet["kind"] != "partner").collect();
            if bets.is_empty() {
                continue;
            }
            let own = net(player, bets.iter().copied());
            let by = manner(game, role, (player, own), &bets);
            let (player, opponent) = (Some(player.clone()), Some(other.clone()));
            all.push(Counted { player, opponent, day: night, by, record: record(own) });
        }
    }
    let every: Vec<&Value> = game.results.iter().collect();
    let (role, won) = if game.winner == "box" { ("box", 1) } else { ("captain", -1) };
    let by = manner(game, role, (&game.box_player, won), &every);
    let somebody_won = i64::from(changed_hands > 0);
    let record = [1, somebody_won, 0, 1 - somebody_won, changed_hands];
    all.push(Counted { player: None, opponent: None, day: night, by, record });
}

fn role(game: &Game, player: &str) -> &'static str {
    match player {
        _ if player == game.box_player => "box",
        _ if game.partners.iter().any(|partner| partner == player) => "partner",
        _ if player == game.captain => "captain",
        _ if game.members.contains(player) => "crew",
        _ => "onlooker",
    }
}

/// By what a game is counted. How it ended, and at which cube, is decided by the player's largest bet that
/// went as the game went for them: of several, by one that was played to the end, and then by the first.
fn manner(
    game: &Game,
    role: &str,
    (whose, net): (&str, i64),
    bets: &[&Value],
) -> BTreeMap<&'static str, String> {
    let went_so = |bet: &Value| match net.signum() {
        1 => bet["winner"] == whose,
        -1 => bet["loser"] == whose,
        _ => true,
    };
    let with_cube = |bet: &&&Value| {
        (bet["kind"] == "member" || bet["kind"] == "extra")
            && (bet["winner"] == whose || bet["loser"] == whose)
    };
    let mut decides: Option<&Value> = None;
    for bet in bets.iter().filter(with_cube).copied() {
        let rank =
            |bet: &Value| (went_so(bet), number(&bet["points"]), bet["by"] == "game", -number(&bet["bet"]));
        if decides.is_none_or(|best| rank(bet) > rank(best)) {
            decides = Some(bet);
        }
    }
    let ending = match decides.map(|bet| text(&bet["by"])) {
        Some("game") => game.win.as_str().unwrap_or("single"),
        Some("drop") => "drop",
        _ => "settlement",
    };
    let cube = decides.map_or(0, |bet| game.cubes[&number(&bet["bet"])]);
    words("chouette", &game.variant, "unknown", role, ending, cube)
}

fn words(
    kind: &str,
    variant: &str,
    began: &str,
    role: &str,
    ending: &str,
    cube: i64,
) -> BTreeMap<&'static str, String> {
    let mut by: BTreeMap<&str, String> = [
        ("by_kind", kind),
        ("by_variant", variant),
        ("by_began", began),
        ("by_role", role),
        ("by_ending", ending),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .into();
    if cube > 0 {
        by.insert("by_cube", cube.to_string());
    }
    by
}

/// The games on a sheet: they belong to the day, in UTC, on which it was opened.
fn on_a_sheet(stream: &[&Entry], all: &mut Vec<Counted>) {
    let opened = &stream[0].event;
    let is_money = opened["terms"]["play"] == "money";
    let kind = if is_money { "money_session" } else { "match" };
    let mut games: Vec<Value> = Vec::new();
    for entry in &stream[1..] {
        let event = &entry.event;
        match entry.kind() {
            "game_won" => games.push(event["won"].clone()),
            "game_drawn" => games.push(Value::Null),
            "corrected" => games[usize::try_from(number(&event["game"])).unwrap() - 1] = event["now"].clone(),
            "finished" | "reopened" | "closed" | "paid" | "stake_moved" => {}
            other => panic!("not in the year: {other}"),
        }
    }
    let [upper, lower] = [0, 1].map(|place| named(&opened["players"][place]));
    let day = stream[0].at.date_naive();
    for game in &games {
        let points = if is_money && game.is_object() { 2 * number(&game["points"]) } else { 0 };
        let seen = |slot: &str| -> (BTreeMap<&'static str, String>, Record) {
            let began = match game["began"].as_str() {
                None => "unknown",
                Some(began) if began == slot => "own_side",
                Some(_) => "other_side",
            };
            let record = match game["winner"].as_str() {
                None => [1, 0, 0, 1, 0],
                Some(winner) if winner == slot => [1, 1, 0, 0, points],
                Some(_) => [1, 0, 1, 0, -points],
            };
            let ending = match (game["how"].as_str(), game["win"].as_str()) {
                (None, _) | (_, None) => "agreed",
                (Some("dropped"), _) => "drop",
                (Some(_), Some(win)) => win,
            };
            let cube = game["cube"].as_i64().unwrap_or(0);
            (words(kind, "standard", began, "opponent", ending, cube), record)
        };
        for (slot, player, other) in [("upper", &upper, &lower), ("lower", &lower, &upper)] {
            for opponent in [None, Some(other.clone())] {
                let (by, record) = seen(slot);
                all.push(Counted { player: Some(player.clone()), opponent, day, by, record });
            }
        }
        let (by, record) = seen(game["winner"].as_str().unwrap_or("upper"));
        all.push(Counted { player: None, opponent: None, day, by, record });
    }
}
