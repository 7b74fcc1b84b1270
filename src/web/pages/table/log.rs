//! What has happened at a table, in words: the log, and what undo and redo name.

use std::collections::{BTreeMap, BTreeSet};

use super::acts::key;
use super::from_domain::Scene;
use super::{Act as Button, Kind, LogLine, Saying, Step, Undone, Weight, Who};
use crate::chouette::{Event, FinishedGame, Roll, Side};
use crate::journal::{Act, Deed};
use crate::values::{ActId, PlayerId};

/// The newest acts of a table, with what of them was taken back.
pub(super) struct History<'a> {
    acts: &'a [Act<Event>],
    /// What was taken back, by which act.
    undone: BTreeMap<ActId, &'a Act<Event>>,
}

/// What the sentences of the log have to know of the game they speak of.
#[derive(Clone, Copy, Default)]
struct Game {
    box_player: Option<PlayerId>,
    /// How many members are still in.
    running: usize,
}

impl<'a> History<'a> {
    pub(super) fn of(acts: &'a [Act<Event>]) -> Self {
        let mut undone = BTreeMap::new();
        for act in acts {
            match &act.deed {
                Deed::Undo(named) => undone.extend(named.iter().map(|named| (*named, act))),
                Deed::Redo(named) => undone.retain(|act, _| !named.contains(act)),
                Deed::Events(_) => {}
            }
        }
        Self { acts, undone }
    }

    /// What was rolled for the order last.
    pub(super) fn last_rolls(&self) -> impl Iterator<Item = Roll> {
        let events = self.acts.iter().rev().filter(|act| !self.undone.contains_key(&act.id));
        let rolls = events.filter_map(|act| match &act.deed {
            Deed::Events(events) => events.iter().find_map(|event| match event {
                Event::RollsEntered { rolls, .. } => Some(rolls.clone()),
                _ => None,
            }),
            _ => None,
        });
        rolls.take(1).flatten().collect::<Vec<_>>().into_iter()
    }

    /// Every event with its act, its version and the game it belongs to, in order.
    fn events(&self) -> Vec<(&'a Act<Event>, i64, &'a Event, Game)> {
        let mut game = Game::default();
        let mut told = Vec::new();
        for act in self.acts {
            let Deed::Events(events) = &act.deed else { continue };
            let first = act.version - act.deed.versions() + 1;
            for (version, event) in (first..).zip(events) {
                told.push((act, version, event, game));
                if !self.undone.contains_key(&act.id) {
                    game = game.after(event);
                }
            }
        }
        told
    }
}

impl Game {
    fn after(self, event: &Event) -> Self {
        match event {
            Event::GameStarted { box_player, bets, .. } => {
                Self { box_player: Some(*box_player), running: bets.len() }
            }
            Event::Dropped { bets, .. } => Self { running: self.running.saturating_sub(bets.len()), ..self },
            _ => self,
        }
    }
}

/// What undo or redo of the act named would do, if it is among the newest.
pub(super) fn step(scene: &Scene<'_>, history: &History<'_>, command: &str, act: ActId) -> Option<Step> {
    Some(Step {
        what: saying_of(scene, history, act)?,
        command: serde_json::json!({ "command": command, "act": act }).to_string(),
        key: key(),
    })
}

/// Puts back everything from the act named on.
pub(super) fn redo_all(scene: &Scene<'_>, act: ActId) -> Button {
    Button {
        label: scene.t.count("redo-all", &scene.forth),
        command: serde_json::json!({ "command": "redo", "act": act, "acts": scene.forth }).to_string(),
        key: key(),
        weight: Weight::Plain,
    }
}

/// What the act named did, in a sentence.
fn saying_of(scene: &Scene<'_>, history: &History<'_>, named: ActId) -> Option<Saying> {
    let events = history.events();
    let (_, _, event, game) = events.iter().find(|(act, ..)| act.id == named)?;
    Some(saying(scene, history, event, *game))
}

/// The log, newest first: a line for every event, and one for every undo and redo.
pub(super) fn lines(scene: &Scene<'_>, history: &History<'_>) -> Vec<LogLine> {
    let by = |act: &Act<Event>| scene.accounts.get(&act.by).cloned().unwrap_or_default();
    let undone = |by_act: &&Act<Event>| Undone { at: by_act.at, by: by(by_act) };
    let line = |act: &Act<Event>, version, what, then| LogLine {
        version,
        at: act.at,
        what,
        then,
        by: by(act),
        undone: history.undone.get(&act.id).map(undone),
        back: None,
    };
    let within = back(scene);
    let mut told = None;
    let mut lines = Vec::new();
    for (act, version, event, game) in history.events() {
        let first_of_act = told.replace(act.id) != Some(act.id);
        let back = within.get(&act.id).filter(|_| first_of_act).map(ToString::to_string);
        let line = line(act, version, saying(scene, history, event, game), then(scene, event));
        lines.push(LogLine { back, ..line });
    }
    for act in history.acts {
        lines.extend(
            step_back_or_forth(scene, history, act).map(|(what, then)| line(act, act.version, what, then)),
        );
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.version));
    lines
}

/// The acts to which the viewer may take the table back, from the log: all he may but the newest, which
/// has a button of its own.
fn back(scene: &Scene<'_>) -> BTreeSet<ActId> {
    let newest = scene.stream.undoable().iter().rev();
    newest.take(scene.back).skip(1).map(|mark| mark.id).collect()
}

/// What an undo or redo did: to one act, or to how many and how far.
fn step_back_or_forth(
    scene: &Scene<'_>,
    history: &History<'_>,
    act: &Act<Event>,
) -> Option<(Saying, Option<Saying>)> {
    let (named, undo) = match &act.deed {
        Deed::Undo(named) => (named, true),
        Deed::Redo(named) => (named, false),
        Deed::Events(_) => return None,
    };
    let last = saying_of(scene, history, *named.last()?).map(Box::new);
    match (named.len(), undo) {
        (1, true) => Some((Saying::Undone(last?), None)),
        (1, false) => Some((Saying::Redone(last?), None)),
        (acts, true) => Some((Saying::UndoneSeveral(acts), last.map(Saying::AsFarAs))),
        (acts, false) => Some((Saying::RedoneSeveral(acts), last.map(Saying::AsFarAs))),
    }
}

/// Who sits where after a game.
fn then(scene: &Scene<'_>, event: &Event) -> Option<Saying> {
    match event {
        Event::GameFinished(FinishedGame { line, .. }) => match line.as_slice() {
            [box_player, captain, ..] => {
                Some(Saying::Seats { box_player: scene.name(*box_player), captain: scene.name(*captain) })
            }
            _ => None,
        },
        _ => None,
    }
}

fn saying(scene: &Scene<'_>, history: &History<'_>, event: &Event, game: Game) -> Saying {
    let who = |player: PlayerId| {
        if game.box_player == Some(player) { Who::Box } else { Who::Player(scene.name(player)) }
    };
    let is_box = |player: PlayerId| game.box_player == Some(player);
    match event {
        Event::Opened { .. } => Saying::Opened,
        Event::Joined { player, .. } if has_left(history, *player, event) => {
            Saying::Returns(scene.name(*player))
        }
        Event::Joined { player, .. } => Saying::Joins(scene.name(*player)),
        Event::Left { player, .. } => Saying::Leaves(scene.name(*player)),
        Event::RollsEntered { rolls, seats } if seats.line().is_empty() => Saying::Rolled(
            rolls
                .iter()
                .map(|roll| (scene.name(roll.player), u8::try_from(roll.pips()).unwrap_or(u8::MAX)))
                .collect(),
        ),
        Event::RollsEntered { seats, .. } | Event::OrderDrawn { seats, .. } => {
            Saying::Order(scene.names(seats.present()))
        }
        Event::GameStarted { game, .. } => Saying::GameStarts(usize::try_from(*game).unwrap_or(usize::MAX)),
        Event::Doubled { player, bets } => {
            let to = bets.first().map_or(2, |bet| bet.to.get());
            let everybody = is_box(*player) && bets.len() == game.running && game.running > 1;
            let whom = if everybody || !is_box(*player) {
                Vec::new()
            } else {
                scene.names(bets.iter().map(|bet| bet.opponent))
            };
            Saying::Doubles { who: who(*player), whom, to, again: to > 2 }
        }
        Event::Taken { player, bets } => {
            let to = bets.first().map_or(2, |bet| bet.to.get());
            let from =
                if is_box(*player) { scene.names(bets.iter().map(|bet| bet.opponent)) } else { Vec::new() };
            Saying::Takes { who: who(*player), from, to }
        }
        Event::Dropped { player, bets } => {
            let from =
                if is_box(*player) { scene.names(bets.iter().map(|bet| bet.opponent)) } else { Vec::new() };
            Saying::Drops { who: who(*player), from, loses: bets.iter().map(|bet| bet.points).sum() }
        }
        Event::GameFinished(FinishedGame { winner, win: Some(win), .. }) => {
            Saying::GameOver { box_wins: *winner == Side::Box, kind: Kind::from(*win) }
        }
        Event::GameFinished(_) => Saying::AllSettled,
        Event::Closed {} => Saying::Closes,
        other => Saying::Other(other.kind()),
    }
}

/// Whether the player had sat here before `joined`, as far as the newest acts tell.
fn has_left(history: &History<'_>, player: PlayerId, joined: &Event) -> bool {
    let events = history.acts.iter().filter(|act| !history.undone.contains_key(&act.id));
    let events = events.flat_map(|act| match &act.deed {
        Deed::Events(events) => events.as_slice(),
        _ => &[],
    });
    events
        .take_while(|event| !std::ptr::eq(*event, joined))
        .any(|event| matches!(event, Event::Left { player: left, .. } if *left == player))
}
