//! Stored journals. One eventful night is kept as data, with the state after each event, so that a change to
//! the meaning of a stored event shows up here. Fields that later versions record in addition must make no
//! difference to the state.
//!
//! `OWLBOX_BLESS=1` rewrites the night and its states. If that becomes necessary, keep the old files beside
//! the new ones: clubs have such events in their journals.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Night, letter, letters, now, rules};
use crate::bet::BetStanding;
use crate::{Chouette, Event};
use owlbox_base::journal::{Act, Aggregate};
use owlbox_engine::Owner;

/// The fields recorded since the first events of this format were stored.
const LATER: [&str; 4] = ["captain", "cube", "asked", "may_decline"];

fn kept(name: &str) -> PathBuf {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/journals/");
    PathBuf::from(here).join(name)
}

/// A night with a bit of everything: a partner, extras offered and withdrawn, beavers, drops by both sides, a
/// captain who drops, a proxy, breaks, settlements, automatic doubles, a declined box, corrections, a split.
fn rich_night() -> Night {
    let mut night = Night::seated_under(
        "ABCDEFG",
        rules(json!({
            "partner": {"when": "optional"}, "animals": "otter", "decision_order": "any_order",
            "lone_taker": {"rule": "extras_or_drop", "extras_from": "onlookers"}, "captain_drops": "becomes",
            "automatics": {"at_most": 2, "later": "box_chooses", "carry_over": true}, "declining": "allowed",
            "stakes": "lower_of_two", "settlements": "halves", "leaving": {"mid_game": "proxy"},
        })),
    );
    night.play(
        "B plays for 3; A plays for 2; offer; B declines; C accepts; start; tie; tie doubles; tie
         H joins; A doubles; B drops; D drops; E takes; F drops; G drops
         B gives; D gives; F leaves; D leaves; G passes; H passes; E takes
         E doubles A; A beavers; E takes; team wins gammon",
    );
    night.play(
        "H rests; E declines the box; start; C doubles; G takes; B rests to G; B takes; A takes; E drops
         play on; G settles C 1½ for box; B returns; A doubles; C drops A; box wins",
    );
    night.play(
        "H returns; start; team wins; start; team wins backgammon; undo; correct 1 team single
         I joins; J joins; box wins; close",
    );
    night
}

/// The stored form of the night: format and payload of every event, in order, without undone ones.
fn stored(night: &Night) -> Vec<Value> {
    let effective: Vec<_> = night.stream.effective().newest_first().map(|mark| mark.id).collect();
    let acts = night.acts.iter().filter(|act| effective.contains(&act.id));
    acts.flat_map(Act::events).map(|event| json!({"format": Chouette::FORMAT, "event": event})).collect()
}

fn read(line: &Value) -> Event {
    let format = i16::try_from(line["format"].as_i64().unwrap()).unwrap();
    Chouette::decode(format, &line["event"].to_string()).unwrap()
}

/// Everything a state has to say for itself, in one line.
fn in_one_line(state: &Chouette) -> String {
    let one = |player: Option<_>| player.map_or('-', letter);
    let mut line = format!(
        "{:?} {} waiting {} resting {} partners {} asked {} stood up {} declines {} carried {};",
        state.phase(),
        letters(state.line()),
        letters(state.waiting()),
        letters(state.resting()),
        letters(state.partners()),
        letters(state.partnership_offered_to()),
        letters(state.stood_up()),
        one(state.may_decline()),
        state.carried(),
    );
    for player in state.known() {
        let _ = write!(line, " {}{}", letter(player), state.score(player));
    }
    let Some(game) = state.game() else { return line };
    let _ = write!(
        line,
        "; box {} captain {} acting {}:",
        letter(game.box_player),
        letter(game.captain),
        one(state.acting_captain())
    );
    for bet in &game.bets {
        let owner = match bet.cube.owner {
            Owner::Centred => String::new(),
            Owner::Owned(side) => format!("{side:?}"),
        };
        let standing = match bet.standing {
            BetStanding::Open => String::new(),
            standing => format!(" {standing:?}"),
        };
        let _ = write!(
            line,
            " [{}{} {}{owner}x{}{standing}]",
            letter(bet.box_side),
            letter(bet.team_side),
            bet.cube.value,
            bet.units
        );
    }
    let proxies: Vec<String> =
        game.proxies.iter().map(|(who, proxy)| format!("{}:{proxy:?}", letter(*who))).collect();
    let lone = format!("{:?}", game.lone);
    let turn = format!("{:?}", game.turn);
    let _ = write!(line, " proxies {proxies:?} lone {lone} turn {turn} automatics {}", game.automatics);
    in_letters(&line)
}

fn in_letters(line: &str) -> String {
    ('A'..='L').fold(line.to_owned(), |line, letter| {
        let id = format!("PlayerId({})", super::player(letter).0);
        line.replace(&id, &letter.to_string())
    })
}

/// The states after each of these lines.
fn replayed(lines: &[Value]) -> Vec<Chouette> {
    let mut state = Chouette::initial();
    let step = |line: &Value| {
        state.apply(&read(line), now());
        state.clone()
    };
    lines.iter().map(step).collect()
}

/// The lines as the program wrote them before it recorded those fields.
fn as_before(lines: &[Value]) -> Vec<Value> {
    lines.iter().map(without_later).collect()
}

fn without_later(line: &Value) -> Value {
    let mut line = line.clone();
    let kind = line["event"]["event"].as_str().unwrap_or_default().to_owned();
    let Some(event) = line["event"].as_object_mut() else { return line };
    let of_game = ["game_started", "game_finished", "captain_changed"].contains(&kind.as_str());
    for field in LATER.iter().filter(|_| !of_game) {
        event.remove(*field);
    }
    if kind == "dropped" {
        for bet in event["bets"].as_array_mut().into_iter().flatten() {
            bet.as_object_mut().unwrap().remove("cube");
        }
    }
    line
}

#[test]
fn a_stored_night_means_what_it_meant_when_it_was_stored() {
    let (journal, expected) = (kept("rich-night.jsonl"), kept("rich-night.expected.txt"));
    if std::env::var_os("OWLBOX_BLESS").is_some() {
        let lines = stored(&rich_night());
        let states: Vec<String> = replayed(&lines).iter().map(in_one_line).collect();
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        std::fs::create_dir_all(journal.parent().unwrap()).unwrap();
        std::fs::write(&journal, lines.join("\n") + "\n").unwrap();
        std::fs::write(&expected, states.join("\n") + "\n").unwrap();
    }
    let journal = std::fs::read_to_string(journal).unwrap();
    let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = std::fs::read_to_string(expected).unwrap();
    assert_eq!(expected.lines().count(), lines.len());
    for ((state, expected), line) in replayed(&lines).iter().zip(expected.lines()).zip(&lines) {
        assert_eq!(in_one_line(state), expected, "after {line}");
    }
    // Journals from before those fields were recorded lead to the same states.
    assert_eq!(replayed(&as_before(&lines)), replayed(&lines));
}

#[test]
fn the_stored_night_has_every_outcome_that_is_recorded() {
    let lines = stored(&rich_night());
    for field in LATER {
        let has = |line: &Value| {
            *line != without_later(line) && line.to_string().contains(&format!("\"{field}\":"))
        };
        assert!(lines.iter().any(has), "{field}");
    }
}

/// What is recorded equals what would be worked out: a random night leads to the same state without those
/// fields.
pub(super) fn reads_alike_without_what_was_recorded_later(night: &Night) {
    let lines = stored(night);
    assert_eq!(replayed(&as_before(&lines)).last(), replayed(&lines).last());
}
