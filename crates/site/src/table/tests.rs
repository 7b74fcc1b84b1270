//! A table's page offers each legal act once and nothing else, whatever has happened.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::buttons::{Link, Near};
use super::page::TablePage;
use super::samples::{self, CLUB, Night, at, player};
use crate::pages::button::{Button, Weight};
use crate::pages::{Frame, LivePage as _};
use owlbox_base::code::Code;
use owlbox_base::journal::{ActKind, Aggregate as _, Inputs, Steps};
use owlbox_base::values::PlayerId;
use owlbox_chouette::rules::BoxRestraint;
use owlbox_chouette::{Chouette, Command, Legal, Roll, SeatRole};
use owlbox_desk::Dice;
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_locale::{Language, Locale};

/// The page of a table in English.
fn page(screen: &TableScreen) -> TablePage<'_> {
    samples::page(&Locale::new(Language::English, chrono_tz::UTC), Frame::default(), screen)
}

/// What a director is told, who sits at no table.
fn now(night: &Night) -> String {
    page(&night.screen(None)).now().sentence()
}

/// The sentences of the log, newest first.
fn log(night: &Night) -> Vec<String> {
    page(&night.screen(None)).history.lines().into_iter().map(|line| line.what).collect()
}

fn undo(night: &Night) -> String {
    page(&night.screen(None)).history.undo().unwrap().label
}

/// Everybody on the page: in the line first, then beside it.
fn everybody(table: &TablePage<'_>) -> Vec<PlayerId> {
    let (seated, beside) = (table.state().seated(), table.state().beside());
    seated.into_iter().chain(beside).map(|(player, _)| player).collect()
}

/// The labels of the buttons at a seat.
fn at_seat<'a>(table: &'a TablePage<'_>, seat: usize) -> Vec<&'a str> {
    let acts = table.buttons.acts_of(&everybody(table)[seat]);
    acts.iter().map(|act| act.label.as_str()).collect()
}

/// House rules that together reach every kind of act.
const RULES: [&str; 8] = [
    "{}",
    r#"{"cubes":"single","animals":"raccoon","lone_taker":{"rule":"must_drop","from":4}}"#,
    r#"{"lone_taker":{"rule":"extras","extras_from":"onlookers"},"late_doubles":"open","animals":"any"}"#,
    r#"{"lone_taker":{"rule":"extras_or_drop"},"decision_order":"last_first","stakes":"lower_of_two"}"#,
    r#"{"decision_order":"all_at_once","lone_taker":{"rule":"must_beaver_or_drop"},"animals":"otter"}"#,
    r#"{"box_restraint":"first_all_or_none","leaving":{"mid_game":"with_captain","on_break":"end_of_line"},
        "partner":{"when":"compulsory","from":4},"declining":"allowed"}"#,
    r#"{"box_restraint":"at_least_half","partner":{"when":"optional","from":4,"offer":"from_rear"},
        "automatics":{"at_most":2,"later":"box_chooses","carry_over":true},"decision_order":"any_order"}"#,
    r#"{"captain_drops":"becomes","decision_order":"lowest_score_first","order":{"dice":"by_hand"},
        "table_size":{"at_most":6},"stakes":"own_start","heads_up":"go_on"}"#,
];

/// A command reduced to one opponent at a time. A button for all opponents and buttons for each can so be
/// compared with what is legal.
type Simple = (String, Option<String>, Option<String>);

/// The sheet of an act, if it has one.
fn sheet(legal: &Legal) -> Option<&'static str> {
    Some(match legal {
        Legal::Settle { .. } => "settle",
        Legal::SetOrder { .. } | Legal::SetStake { .. } | Legal::SetStart { .. } => "order",
        Legal::Split { .. } => "split",
        Legal::MergeInto {} => "merge",
        Legal::MergePlayers {} => "players",
        Legal::ChangeRules {} => "rules",
        Legal::Correct { .. } => "correct",
        Legal::Pay {} => "settle-up",
        _ => return None,
    })
}

fn simple_of_legal(legal: &[Legal], state: &Chouette) -> BTreeSet<Simple> {
    let mut simple = BTreeSet::new();
    let text = |player: &PlayerId| Some(player.to_string());
    let roll_matters = state.turn_may_go_on();
    for legal in legal.iter().filter(|legal| roll_matters || !matches!(legal, Legal::PlayOn {})) {
        let json = serde_json::to_value(legal).unwrap();
        let name = json["command"].as_str().unwrap().to_owned();
        let mut one = |player| {
            simple.insert((name.clone(), player, None));
        };
        match legal {
            Legal::Board { .. } => {}
            Legal::Join {} => {
                let present = state.present();
                (0..CLUB)
                    .map(player)
                    .filter(|player| !present.contains(player))
                    .for_each(|player| one(text(&player)));
            }
            Legal::Leave { player, .. } | Legal::Break { player, .. } | Legal::Return { player } => {
                player.iter().for_each(|player| one(text(player)));
            }
            Legal::NameProxy { player, .. }
            | Legal::AcceptPartnership { player }
            | Legal::DeclinePartnership { player }
            | Legal::DeclineBox { player }
            | Legal::GiveExtra { player }
            | Legal::PassExtra { player } => one(text(player)),
            Legal::OpeningTie { double, counts } => double
                .iter()
                .filter(|double| *counts || **double)
                .for_each(|double| one(Some(double.to_string()))),
            Legal::StartGame { .. } => {
                [true, false].into_iter().for_each(|board| one(Some(board.to_string())))
            }
            Legal::Double { player, against, .. }
            | Legal::Take { player, against, .. }
            | Legal::Drop { player, against, .. }
            | Legal::Beaver { player, against, .. } => {
                simple.extend(against.iter().map(|opponent| (name.clone(), text(player), text(opponent))));
            }
            _ => match sheet(legal) {
                Some(sheet) => {
                    simple.insert(("sheet".to_owned(), Some(sheet.to_owned()), None));
                }
                None => one(None),
            },
        }
    }
    simple
}

fn buttons(table: &TablePage<'_>) -> Vec<Value> {
    let everybody = everybody(table);
    let seats = everybody.iter().flat_map(|player| table.buttons.acts_of(player));
    let acts = table.buttons.acts.iter().chain(seats).chain(&table.buttons.draw);
    acts.map(|act| act.fields.command()).collect()
}

/// The act a link leads to: of a player, or a sheet of the table.
fn simple_of_link(link: &Link) -> Simple {
    match link.sheet.split_once("?player=") {
        Some(("proxy", player)) => ("name_proxy".to_owned(), Some(player.to_owned()), None),
        Some((command, player)) => (command.to_owned(), Some(player.to_owned()), None),
        None => ("sheet".to_owned(), Some(link.sheet.clone()), None),
    }
}

fn simple_of_table(table: &TablePage<'_>, legal: &[Legal]) -> BTreeSet<Simple> {
    let mut simple = BTreeSet::new();
    let everybody = everybody(table);
    let at_seats = everybody.iter().flat_map(|player| table.buttons.links_of(player));
    let links = table.buttons.links.iter().chain(&table.buttons.sheets).chain(at_seats);
    simple.extend(links.map(simple_of_link));
    for command in buttons(table) {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let name = text(&command["command"]).unwrap();
        let flag = ["double", "refereed"].iter().find_map(|flag| command[*flag].as_bool());
        let who = text(&command["player"]).or(flag.map(|flag| flag.to_string()));
        let named: Option<Vec<String>> = serde_json::from_value(command["against"].clone()).unwrap();
        let all = || {
            legal.iter().find_map(|legal| match legal {
                Legal::Double { player, against, .. } if who == Some(player.to_string()) => {
                    Some(against.iter().map(ToString::to_string).collect::<Vec<_>>())
                }
                _ => None,
            })
        };
        match named.or_else(|| (name == "double").then(all).flatten()) {
            Some(against) => {
                simple.extend(against.into_iter().map(|one| (name.clone(), who.clone(), Some(one))));
            }
            None => assert!(simple.insert((name, who, None)), "twice: {command}"),
        }
    }
    let choices = table.joining().unwrap_or_default().into_iter().filter(|choice| !choice.chosen);
    simple.extend(choices.map(|choice| ("join".into(), Some(choice.value), None)));
    if let Some((doubler, against)) = table.buttons.doubling_some {
        let (doubler, text) = (Some(doubler.to_string()), |opponent: &PlayerId| Some(opponent.to_string()));
        simple.extend(against.iter().map(|one| ("double".into(), doubler.clone(), text(one))));
    }
    if table.is_rolling() && table.buttons.enter.is_some() {
        simple.insert(("enter_rolls".into(), None, None));
    }
    if table.may_finish() {
        simple.insert(("finish".into(), None, None));
    }
    simple
}

fn commands_of(several: &Button) -> Vec<Command> {
    let mut given: BTreeMap<String, Vec<Command>> = several.fields.command();
    given.remove("commands").unwrap()
}

/// Checks that each of a button's commands is accepted after the one before.
fn all_accepted(several: &Button, state: &Chouette) {
    let (mut state, mut dice) = (state.clone(), Dice::seeded(1));
    for command in commands_of(several) {
        let events = state.decide(&command, &mut Inputs { now: at(0), chance: &mut dice });
        for event in events.unwrap_or_else(|refusal| panic!("{command:?}: {refusal}")) {
            state.apply(&event, at(0));
        }
    }
}

/// Checks that the page offers exactly what is legal, that each button is accepted, and that none is there
/// twice.
fn page_and_rules_agree(night: &Night, viewer: Option<PlayerId>) {
    let state = &night.stream.state;
    let screen = night.screen(viewer);
    let table = page(&screen);
    let legal = state.legal();
    assert_eq!(simple_of_table(&table, &legal), simple_of_legal(&legal, state), "{state:?}");
    let mut dice = Dice::seeded(1);
    let mut seen = BTreeSet::new();
    for command in buttons(&table) {
        assert!(seen.insert(command.to_string()), "twice: {command}");
        let command: Command = serde_json::from_value(command).unwrap();
        let decided = state.decide(&command, &mut Inputs { now: at(0), chance: &mut dice });
        assert!(decided.is_ok(), "{command:?}: {decided:?}");
    }
    table.buttons.everybody.iter().for_each(|several| all_accepted(several, state));
    // The bar holds one row of acts; the rest stands under the board.
    let near = table.buttons.acts.iter().filter(|act| !act.far_reaching()).count()
        + usize::from(table.buttons.draw.is_some())
        + table.buttons.everybody.len()
        + table.buttons.links.len();
    assert!(table.likeliest().len() <= 2);
    assert_eq!(table.likeliest().len() + table.further().len(), near);
    if let Some((doubler, against)) = table.buttons.doubling_some {
        let button = table.doubles_some(&doubler);
        let mut command: Value = button.fields.command();
        let mut accepted = |opponent: &PlayerId| {
            command["against"] = json!([opponent]);
            let command: Command = serde_json::from_value(command.clone()).unwrap();
            state.decide(&command, &mut Inputs { now: at(0), chance: &mut dice }).is_ok()
        };
        // Only where the house rules do not restrain the box is every single choice accepted.
        let free = state.rules().box_restraint == BoxRestraint::None;
        let count = against.iter().filter(|opponent| accepted(opponent)).count();
        assert!(!free || count == against.len(), "{against:?}");
        // Where it alone is there for the doubles, it sends all of them unless it is changed.
        command["against"] = json!(against);
        let all: Command = serde_json::from_value(command).unwrap();
        let decided = state.decide(&all, &mut Inputs { now: at(0), chance: &mut dice });
        assert!(decided.is_ok() || !table.buttons.doubling_all && count > 0, "{against:?}: {decided:?}");
        let nobody: Command = button.fields.command();
        let decided = state.decide(&nobody, &mut Inputs { now: at(0), chance: &mut dice });
        assert_eq!(decided.map_err(|refusal| refusal.code()), Err(Code::BadChoice), "nobody is picked");
    }
    assert_eq!(table.history.undo().is_some(), !night.stream.undoable().is_empty());
    assert_eq!(table.history.redo().is_some(), !night.stream.redoable().is_empty());
    let lines = night.acts.iter().map(|act| match &act.kind {
        ActKind::Events(events) => events.len(),
        _ => 1,
    });
    let log = table.history.lines();
    assert_eq!(log.len(), lines.sum::<usize>());
    let games = table.history.games();
    let in_games = games.iter().flat_map(|(_, lines)| lines).map(|line| line.version);
    assert!(in_games.eq(log.iter().map(|line| line.version)), "each line is in the log of one game");
    let numbers: BTreeSet<Option<u32>> = games.iter().map(|(game, _)| *game).collect();
    assert_eq!(numbers.len(), games.len(), "each game is one part");
    let back = log.iter().filter(|line| line.leads_back).map(|line| line.act.id);
    let but_the_newest = night.stream.undoable().newest_first().skip(1);
    assert!(back.eq(but_the_newest.map(|entry| entry.id)));
    assert!(!everybody(&table).is_empty() || state.present().is_empty() || !table.is_open());
}

/// One step of a random night: presses a button, joins, enters dice, finishes or undoes.
fn button(night: &mut Night, [which, x, y, z]: [u8; 4]) {
    let screen = night.screen(None);
    let table = page(&screen);
    let pick = |length: usize, number: u8| usize::from(number) % length.max(1);
    let steps = Steps::try_from(u16::from(z % 4 + 1)).unwrap();
    if which % 16 == 0 {
        if let Ok(kind) = night.stream.undo_several(None, steps) {
            night.record(kind);
        }
        return;
    }
    if which % 16 == 1 {
        if let Ok(kind) = night.stream.redo_several(None, steps) {
            night.record(kind);
        }
        return;
    }
    let mut commands = buttons(&table);
    // Nothing follows after a close, so it is kept rare.
    commands.retain(|command| command["command"] != "close" || x > 250);
    let mut free = table.joining().unwrap_or_default();
    free.retain(|choice| !choice.chosen);
    if !free.is_empty() {
        let choice = &free[pick(free.len(), x)];
        commands.push(json!({ "command": "join", "player": choice.value }));
    }
    if table.is_rolling() && table.buttons.enter.is_some() {
        let dice = [x, y, z, x ^ y, y ^ z, x ^ z, which];
        let roll = |(player, die): (&PlayerId, u8)| json!({ "player": player, "dice": [die % 6 + 1] });
        let rolls: Vec<Value> = table.view.to_roll.iter().zip(dice).map(roll).collect();
        commands.push(json!({ "command": "enter_rolls", "rolls": rolls }));
    }
    if table.may_finish() {
        let legal = night.stream.state.legal();
        let finish = legal.iter().filter(|legal| matches!(legal, Legal::Finish { .. }));
        let results = night.stream.state.offers(finish);
        commands.push(serde_json::to_value(&results[pick(results.len(), y)].command).unwrap());
    }
    let present = night.stream.state.present();
    if night.stream.state.legal().iter().any(|legal| matches!(legal, Legal::SetOrder { .. })) {
        commands.push(json!({ "command": "set_order", "line": present }));
    }
    let seated = night.stream.state.seated().into_iter().map(|(player, _)| player);
    for player in seated.filter(|player| !table.buttons.links_of(player).is_empty()) {
        let proxy = present[pick(present.len(), x)];
        let go = if y > 128 { "leave" } else { "break" };
        commands.push(json!({ "command": go, "player": player, "proxy": proxy }));
    }
    if !commands.is_empty() {
        let command =
            serde_json::from_value(commands[pick(commands.len(), (which / 16) ^ z)].clone()).unwrap();
        // A player who leaves may need a proxy, and not everybody can be one.
        let goes = matches!(command, Command::Leave { .. } | Command::Break { .. });
        let inputs = night.give(&command, u64::from(x));
        assert!(inputs.is_ok() || goes, "{command:?}: {inputs:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_legal_act_has_one_button_and_nothing_else_has(
        rules in 0..RULES.len(),
        steps in vec(any::<[u8; 4]>(), 1..80),
    ) {
        let mut night = Night::under(RULES[rules]);
        for step in steps {
            button(&mut night, step);
            page_and_rules_agree(&night, None);
            page_and_rules_agree(&night, Some(player(u128::from(step[3]) % CLUB)));
        }
    }
}

/// Three in the line: P0 box, P1 captain, P2 crew.
fn three() -> Night {
    let mut night = Night::under(r#"{"decision_order":"any_order"}"#);
    for number in 0..3 {
        night.give(&Command::Join { player: player(number) }, 0).unwrap();
    }
    let rolls = (0..3_u8).map(|number| {
        let die = (6 - number).try_into().unwrap();
        Roll { player: player(u128::from(number)), dice: vec![die] }
    });
    night.give(&Command::EnterRolls { rolls: rolls.collect() }, 0).unwrap();
    night.give(&Command::StartGame { refereed: false, variant: None }, 0).unwrap();
    night
}

fn labels<'a>(table: &'a TablePage<'_>) -> Vec<&'a str> {
    table.buttons.acts.iter().map(|act| act.label.as_str()).collect()
}

#[test]
fn c2_c3_c4_the_page_tells_a_double_its_answers_and_their_undoing() {
    let mut night = three();
    let screen = night.screen(None);
    let table = page(&screen);
    let tie = "Opening tie: cubes to 2";
    assert_eq!(labels(&table), ["Box doubles everybody to 2", "P1 doubles to 2", tie]);
    assert_eq!(at_seat(&table, 2)[0], "P2 doubles to 2");
    assert_eq!(table.now().sentence(), "P0 plays the team, P1 rolls for it");

    night.give(&Command::Double { player: player(0), against: None, rolled: false }, 0).unwrap();
    let screen = night.screen(Some(player(2)));
    let table = page(&screen);
    assert_eq!(labels(&table), ["P2 takes 2", "P2 drops, loses 1"]);
    assert_eq!(at_seat(&table, 1), ["P1 takes 2", "P1 drops, loses 1"]);
    assert_eq!(table.buttons.acts[0].weight, Weight::Main, "the viewer's own is the likeliest");
    assert_eq!(table.now().sentence(), "Box doubles: the team to answer");
    assert!(!table.may_finish());

    night.give(&Command::Drop { player: player(1), against: None }, 0).unwrap();
    night.give(&Command::Take { player: player(2), against: None }, 0).unwrap();
    let screen = night.screen(None);
    let table = page(&screen);
    let roles: Vec<SeatRole> = table.state().seated().into_iter().map(|(_, role)| role).collect();
    assert_eq!(roles, [SeatRole::Box, SeatRole::DroppedCaptain, SeatRole::ActingCaptain]);
    assert_eq!(undo(&night), "Undo: P2 takes 2");
    assert_eq!(log(&night)[..3], ["P2 takes 2", "P1 drops, loses 1", "Box doubles everybody to 2"]);

    night.record(night.stream.undo(None).unwrap());
    let screen = night.screen(None);
    let table = page(&screen);
    let lines = table.history.lines();
    assert_eq!(lines[0].what, "Undone: P2 takes 2");
    assert_eq!([1, 2].map(|line| table.history.undone(lines[line].act).is_some()), [true, false]);
    assert_eq!(table.history.redo().unwrap().label, "Redo: P2 takes 2");
}

#[test]
fn several_acts_undone_or_redone_at_once_are_one_line_that_says_how_far() {
    let mut night = three();
    night.give(&Command::Double { player: player(0), against: None, rolled: false }, 0).unwrap();
    night.give(&Command::Take { player: player(1), against: None }, 0).unwrap();
    let told = |night: &Night| {
        let screen = night.screen(None);
        let table = page(&screen);
        let line = table.history.lines().remove(0);
        (line.what, line.then.first().cloned().unwrap_or_default())
    };
    let two = Steps::try_from(2).unwrap();
    night.record(night.stream.undo_several(None, two).unwrap());
    let expected = ("Undone: 2 steps at once".into(), "Up to: Box doubles everybody to 2".into());
    assert_eq!(told(&night), expected);
    let screen = night.screen(None);
    let table = page(&screen);
    let redo_all: Value = table.history.redo_all().unwrap().fields.command();
    assert_eq!((&redo_all["command"], &redo_all["acts"]), (&json!("redo"), &json!(2)));
    let lines = table.history.lines();
    assert!(lines[1..3].iter().all(|line| table.history.undone(line.act).is_some()));
    night.record(night.stream.redo_several(None, two).unwrap());
    assert_eq!(told(&night), ("Redone: 2 steps at once".into(), "Up to: P1 takes 2".into()));
}

#[test]
fn c4_the_box_answers_two_doublers_together_or_each() {
    let mut night = three();
    for number in [1, 2] {
        night.give(&Command::Double { player: player(number), against: None, rolled: false }, 0).unwrap();
    }
    let screen = night.screen(None);
    let table = page(&screen);
    assert_eq!(labels(&table), ["Box takes 2 from P1 and P2", "Box drops the double of P1 and P2, loses 2"]);
    assert_eq!(at_seat(&table, 2), ["Box takes 2 from P2", "Box drops the double of P2, loses 1"]);
    assert_eq!(table.now().sentence(), "P1 and P2 double: P0 to answer");
}

/// A night under these rules with P0 as box and the others behind in order.
fn seated(rules: &str, players: u8) -> Night {
    let mut night = seated_without_double(rules, players);
    night.give(&Command::Double { player: player(0), against: None, rolled: false }, 0).unwrap();
    night
}

/// The same before the box has doubled everybody.
fn seated_without_double(rules: &str, players: u8) -> Night {
    let mut night = Night::under(rules);
    for number in 0..players {
        night.give(&Command::Join { player: player(number.into()) }, 0).unwrap();
    }
    let rolls = (0..players).map(|number| {
        let die = (6 - number).try_into().unwrap();
        Roll { player: player(u128::from(number)), dice: vec![die] }
    });
    night.give(&Command::EnterRolls { rolls: rolls.collect() }, 0).unwrap();
    night.give(&Command::StartGame { refereed: false, variant: None }, 0).unwrap();
    night
}

#[test]
fn who_is_due_answers_in_the_biggest_sentence_and_everybody_at_one_tap() {
    let night = seated("{}", 4);
    let screen = night.screen(None);
    let table = page(&screen);
    assert_eq!(table.now().sentence(), "P1 answers first: take or drop?");
    assert_eq!(labels(&table), ["P1 takes 2", "P1 drops, loses 1"]);
    let everybody: Vec<(&str, usize)> = table
        .buttons
        .everybody
        .iter()
        .map(|several| (several.label.as_str(), commands_of(several).len()))
        .collect();
    assert_eq!(everybody, [("Everybody takes", 3), ("Everybody drops", 3)]);
    let screen = night.screen(Some(player(1)));
    let own = page(&screen);
    assert_eq!(own.question().unwrap().0, "You answer now: take or drop?");
}

/// Everybody's drops are one act: either all happen or none, and one undo takes them all back.
#[test]
fn what_everybody_does_at_one_tap_is_named_and_undone_as_one() {
    let mut night = seated("{}", 4);
    let drops = page(&night.screen(None)).buttons.everybody.remove(1);
    assert!(drops.far_reaching(), "what it comes to is shown first");
    let commands = commands_of(&drops);
    let mut dice = Dice::seeded(0);
    let mut inputs = Inputs { now: at(0), chance: &mut dice };
    let events = owlbox_base::journal::decide_all(&night.stream.state, &commands, &mut inputs).unwrap();
    night.record(ActKind::Events(events));
    assert_eq!(undo(&night), "Undo: P1, P2 and P3 drop");
    let kind = night.stream.undo_several(None, Steps::try_from(1).unwrap()).unwrap();
    night.record(kind);
    assert_eq!(now(&night), "P1 answers first: take or drop?");

    // Where each member has a cube of their own, the whole team can double at one tap.
    let mut night = three();
    let screen = night.screen(None);
    let everybody = page(&screen).buttons.everybody;
    let labels: Vec<&str> = everybody.iter().map(|several| several.label.as_str()).collect();
    assert_eq!(labels, ["Everybody doubles the box"]);
    night.give(&Command::Double { player: player(1), against: None, rolled: false }, 0).unwrap();
    assert!(page(&night.screen(None)).buttons.everybody.is_empty(), "one is left, and has a button");
}

/// Q5: players who have left no longer roll, and answer through the proxy who decides for them.
#[test]
fn q5_the_headline_names_nobody_who_has_left() {
    let mut night = seated(r#"{"decision_order":"captain_first"}"#, 3);
    night.give(&Command::Take { player: player(1), against: None }, 0).unwrap();
    night.give(&Command::Drop { player: player(2), against: None }, 0).unwrap();
    night.give(&Command::Leave { player: player(1), proxy: Some(player(2)) }, 0).unwrap();
    assert_eq!(now(&night), "P0 plays the team, P2 rolls for it");

    let mut night = seated(r#"{"decision_order":"captain_first"}"#, 4);
    night.give(&Command::Leave { player: player(1), proxy: Some(player(2)) }, 0).unwrap();
    assert_eq!(now(&night), "P2 for P1 answers first: take or drop?");
}

#[test]
fn an_answer_in_secret_shows_on_its_own_phone_alone_until_all_are_in() {
    let mut night = seated(r#"{"decision_order":"all_at_once"}"#, 4);
    night.give(&Command::Drop { player: player(1), against: None }, 0).unwrap();
    let screen = night.screen(Some(player(2)));
    let others = page(&screen);
    let hidden = "Your answer stays hidden until all have answered.";
    assert_eq!(others.question().unwrap().1.as_deref(), Some(hidden));
    assert_eq!(others.marks(&player(1)), [("answered", "has answered".to_owned())]);
    assert_eq!(log(&night)[0], "P1 has answered");
    let (_, hint) = page(&night.screen(Some(player(1)))).question().unwrap();
    assert_eq!(hint.unwrap(), "You said: drop. You may change it until all have answered.");
    for number in [2, 3] {
        night.give(&Command::Take { player: player(number), against: None }, 0).unwrap();
    }
    assert_eq!(log(&night)[..3], ["P3 takes 2", "P2 takes 2", "P1 drops, loses 1"]);
}

#[test]
fn q10_extras_are_asked_in_turn_and_told_at_giver_and_taker() {
    let mut night = seated(r#"{"lone_taker":{"rule":"extras"}}"#, 4);
    night.give(&Command::Take { player: player(1), against: None }, 0).unwrap();
    for number in [2, 3] {
        night.give(&Command::Drop { player: player(number), against: None }, 0).unwrap();
    }
    let screen = night.screen(None);
    let table = page(&screen);
    assert_eq!(table.now().sentence(), "P2: an extra against P1?");
    let inputs = "P2 gives P1 an extra: cube at 2, 1 paid";
    let shown = labels(&table);
    assert!(shown.contains(&inputs) && shown.contains(&"P2 gives no extra"), "{shown:?}");
    night.give(&Command::GiveExtra { player: player(2) }, 0).unwrap();
    let screen = night.screen(None);
    let table = page(&screen);
    assert_eq!(log(&night)[0], inputs, "the button said what the log says");
    let extras = [1, 2].map(player).map(|of| {
        let extras = table.extras_of(&of);
        extras.into_iter().map(|extra| table.opponent(extra, &of)).collect::<Vec<_>>()
    });
    assert_eq!(extras, [["P2"], ["P1"]]);

    // A player with two cubes sees on each button which one it turns.
    night.give(&Command::PassExtra { player: player(3) }, 0).unwrap();
    let screen = night.screen(None);
    let table = page(&screen);
    let at_seats = (0..everybody(&table).len()).flat_map(|seat| at_seat(&table, seat));
    let said: Vec<&str> = labels(&table).into_iter().chain(at_seats).collect();
    for whom in ["P0", "P2", "P0 and P2"] {
        let label = format!("P1 redoubles {whom} to 4");
        assert!(said.contains(&label.as_str()), "{label}: {said:?}");
    }
}

#[test]
fn c10_a_cube_beyond_eight_is_said_to_be_seldom_turned() {
    let mut night = three();
    let note = "Professionals seldom turn a cube beyond 8";
    let noted = |night: &Night| page(&night.screen(None)).facts().iter().any(|fact| fact == note);
    let one = || Some(vec![player(1)]);
    for doubler in [0, 1, 0] {
        assert!(!noted(&night), "a cube of 8 is nothing unusual");
        let against = (doubler == 0).then(one).flatten();
        night.give(&Command::Double { player: player(doubler), against, rolled: false }, 0).unwrap();
        let taker = player(1 - doubler);
        night.give(&Command::Take { player: taker, against: None }, 0).unwrap();
    }
    assert!(noted(&night), "the next is to 16");
    night.give(&Command::Double { player: player(1), against: None, rolled: false }, 0).unwrap();
    assert!(noted(&night));
    night.give(&Command::Drop { player: player(0), against: None }, 0).unwrap();
    assert!(!noted(&night), "nothing is left to turn but a centred cube");
}

#[test]
fn who_comes_over_from_another_table_is_undone_by_all_their_names() {
    let mut night = three();
    let mut dice = Dice::seeded(0);
    let mut inputs = Inputs { now: at(0), chance: &mut dice };
    let joins = [3, 4].map(|number| Command::Join { player: player(number) });
    let events = joins.iter().flat_map(|join| night.stream.state.decide(join, &mut inputs).unwrap());
    night.record(ActKind::Events(events.collect()));
    assert_eq!(undo(&night), "Undo: P3 joins · P4 joins");
    assert_eq!(log(&night)[0], "P4 joins", "the log has a line for each");
}

#[test]
fn c7_c8_animals_have_their_names_on_the_buttons_and_at_the_cubes() {
    let mut night = seated(r#"{"animals":"raccoon","decision_order":"any_order"}"#, 3);
    assert!(labels(&page(&night.screen(None))).contains(&"P1 beavers to 4"));
    night.give(&Command::Beaver { player: player(1), against: None }, 0).unwrap();
    night.give(&Command::Take { player: player(2), against: None }, 0).unwrap();
    let screen = night.screen(None);
    let table = page(&screen);
    assert_eq!(table.now().sentence(), "A beaver to 4: P0 to answer");
    assert!(labels(&table).contains(&"Box raccoons P1 to 8"), "{:?}", labels(&table));
    assert_eq!(table.cube_side(table.bet_of(&player(1)).unwrap()), "P1 beavers");
}

/// F1: a cube is its member's to tap, whatever the box may do with it, and a double that is too late in this
/// turn is one of the next.
#[test]
fn f1_a_tap_on_a_cube_is_never_the_boxs_double() {
    let mut night = three();
    let taps = |table: &TablePage<'_>| -> Vec<String> {
        let everybody = everybody(table);
        let cubes = everybody.iter().filter_map(|player| table.buttons.at_cube(player));
        cubes.map(|act| act.label.clone()).collect()
    };
    let told = |table: &TablePage<'_>| labels(table).join(" | ");
    assert_eq!(taps(&page(&night.screen(None))), ["P1 doubles to 2", "P2 doubles to 2"]);
    night.give(&Command::Double { player: player(1), against: None, rolled: false }, 0).unwrap();
    night.give(&Command::Take { player: player(0), against: None }, 0).unwrap();
    let screen = night.screen(None);
    let table = page(&screen);
    assert_eq!(taps(&table), ["P2 doubles to 2"], "the box has P1's cube, and its double is no tap");
    assert!(table.buttons.doubling_all, "F11: one form instead of a button for each value");
    assert!(!told(&table).contains("Dice rolled") && !told(&table).contains("Box "), "{}", told(&table));
    let tap: Value = table.buttons.at_cube(&player(2)).unwrap().fields.command();
    assert_eq!(tap, json!({"command": "double", "player": player(2), "rolled": true}));
    let screen = night.screen(Some(player(2)));
    let own = page(&screen);
    assert!(labels(&own).contains(&"P2 doubles to 2"), "on the player's own phone too");
    night.give(&Command::Double { player: player(2), against: None, rolled: true }, 0).unwrap();
    assert_eq!(undo(&night), "Undo: P2 doubles to 2");
    assert!(taps(&page(&night.screen(None))).is_empty());

    // While the box may double more of the team, or extras are asked for, the roll has a button: only
    // somebody at the table knows whether it has happened.
    let mut night = three();
    night
        .give(&Command::Double { player: player(0), against: Some(vec![player(1)]), rolled: false }, 0)
        .unwrap();
    night.give(&Command::Take { player: player(1), against: None }, 0).unwrap();
    assert!(labels(&page(&night.screen(None))).contains(&"Dice rolled"));
}

/// F10: whatever the cubes stand at, the answer that is due is among the acts under the board.
#[test]
fn f10_after_a_raccoon_the_due_answer_is_in_the_bar() {
    let mut night = seated_without_double(r#"{"animals":"raccoon","decision_order":"any_order"}"#, 4);
    for doubler in [1, 2, 3] {
        night.give(&Command::Double { player: player(doubler), against: None, rolled: false }, 0).unwrap();
    }
    let whom = |number| Some(vec![player(number)]);
    night.give(&Command::Beaver { player: player(0), against: whom(2) }, 0).unwrap();
    night.give(&Command::Beaver { player: player(2), against: None }, 0).unwrap();
    let screen = night.screen(None);
    let table = page(&screen);
    let likeliest: Vec<&str> = table
        .likeliest()
        .into_iter()
        .filter_map(|near| if let Near::Button(act) = near { Some(act.label.as_str()) } else { None })
        .collect();
    assert_eq!(likeliest, ["Box takes 8 from P2", "Box drops the double of P2, loses 4"]);
    // The others wait at their seats, and come into the bar one after the other, or all at once.
    night.give(&Command::Take { player: player(0), against: whom(2) }, 0).unwrap();
    assert_eq!(labels(&page(&night.screen(None)))[0], "Box takes 2 from P1 and P3");
}

#[test]
fn the_partial_is_the_live_part_of_the_page_and_nothing_around_it() {
    // Each time it is drawn its forms have other keys.
    let without_keys = |html: String| -> String {
        let parts = html.split("name=\"key\" value=\"").enumerate();
        parts.map(|(at, part)| if at == 0 { part } else { &part[36..] }).collect()
    };
    let screen = three().screen(None);
    let [part, whole] = [page(&screen).part(), page(&screen).whole()].map(|html| without_keys(html.unwrap()));
    assert!(part.trim_start().starts_with("<div id=\"table\""), "{part}");
    assert!(whole.contains(part.trim()));
}

/// A name that looks like markup stays text.
#[test]
fn names_are_escaped_everywhere() {
    let mut night = Night::called("<b>\"Friday\" & more", "{}");
    night.give(&Command::Join { player: player(0) }, 0).unwrap();
    let mut screen = night.screen(None);
    screen.names.insert(player(0), "<script>alert(1)</script>".to_owned());
    let page = page(&screen).whole().unwrap();
    assert!(page.contains("alert(1)") && !page.contains("<script>alert") && !page.contains("<b>\"Friday"));
}
