//! The history of a table in words: the log, and what is undone and redone.

use std::collections::{BTreeMap, BTreeSet};

use crate::pages::button::Button;
use crate::say::Say;
use crate::sentences::chouette::{TableSentences, game_over};
use crate::sentences::in_a_row;
use owlbox_base::journal::{Act, ActKind, Steps, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::ActId;
use owlbox_chouette::{Chouette, Event, Roll};
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_desk::commands::history::HistoryCommand;

/// The newest acts of a table, with those that were undone.
pub(super) struct History<'a> {
    say: Say<'a>,
    screen: &'a TableScreen,
    /// Each act that was undone, with the act that undid it.
    undone: BTreeMap<ActId, &'a Act<Event>>,
    /// Every event of those acts, in order, including undone ones.
    events: Vec<Happened<'a>>,
}

/// An event with its act, its version, and the words for what happens at the table as it was before.
struct Happened<'a> {
    act: &'a Act<Event>,
    version: Version,
    event: &'a Event,
    table: TableSentences<'a>,
}

/// The lines of a game, the newest first, with its number; without one what was before the first game.
pub(super) type GameLog<'a> = (Option<u32>, Vec<Line<'a>>);

/// A line of the log: an event, or an undo or redo.
pub(super) struct Line<'a> {
    pub act: &'a Act<Event>,
    /// The version the event led to. It never changes, so the script uses it to highlight new lines.
    pub version: Version,
    pub what: String,
    /// The results of a finished game: the points, the partners' shares and the next seats.
    pub then: Vec<String>,
    /// Whether the viewer may take back everything from this line on.
    pub leads_back: bool,
}

impl Happened<'_> {
    fn sentence(&self) -> String {
        self.table.sentence(self.event)
    }
}

impl<'a> History<'a> {
    pub fn new(say: Say<'a>, screen: &'a TableScreen) -> Self {
        let mut undone = BTreeMap::new();
        for act in &screen.acts {
            match &act.kind {
                ActKind::Undo(named) => undone.extend(named.iter().map(|named| (*named, act))),
                ActKind::Redo(named) => undone.retain(|act, _| !named.contains(act)),
                ActKind::Events(_) => {}
            }
        }
        let events = events(say, screen, &undone);
        Self { say, screen, undone, events }
    }

    /// The events that count, newest first.
    pub fn effective(&self) -> impl Iterator<Item = &'a Event> {
        let acts = self.screen.acts.iter().rev().filter(|act| !self.undone.contains_key(&act.id));
        acts.flat_map(|act| act.events().iter().rev())
    }

    /// The last rolls for the order.
    pub fn last_rolls(&self) -> &'a [Roll] {
        let rolls =
            |event: &'a Event| if let Event::RollsEntered { rolls, .. } = event { Some(rolls) } else { None };
        self.effective().find_map(rolls).map(Vec::as_slice).unwrap_or_default()
    }

    /// The account behind an act. Empty if it may not be shown.
    pub fn author(&self, act: &Act<Event>) -> &'a str {
        self.screen.people.get(&act.by).map_or("", String::as_str)
    }

    /// The act that undid this one.
    pub fn undone(&self, act: &Act<Event>) -> Option<&'a Act<Event>> {
        self.undone.get(&act.id).copied()
    }

    pub fn undo(&self) -> Option<Button> {
        let act = self.screen.undo?.entry.id;
        Some(Button::undo(&self.say, self.sentence_of_act(act)?, act))
    }

    pub fn redo(&self) -> Option<Button> {
        let act = self.screen.redo?.entry.id;
        Some(Button::redo(&self.say, self.sentence_of_act(act)?, act))
    }

    /// Puts back everything that was undone. `None` unless that is more than one act.
    pub fn redo_all(&self) -> Option<Button> {
        let redo = self.screen.redo?;
        let acts = u16::try_from(redo.acts).ok().and_then(|acts| Steps::try_from(acts).ok())?;
        let label = self.say.count("redo-all", &acts.acts());
        let command = HistoryCommand::Redo { act: Some(redo.entry.id), acts };
        (acts > Steps::ONE).then(|| Button::new(label, &command))
    }

    /// The log in parts, the newest first: what happened up to the first game, and from the start of each
    /// game to that of the next.
    pub fn games(&self) -> Vec<GameLog<'a>> {
        let started = |happened: &Happened<'_>| {
            let Event::GameStarted { game, .. } = happened.event else { return None };
            self.undone(happened.act).is_none().then_some((happened.version, *game))
        };
        let starts: Vec<(Version, u32)> = self.events.iter().filter_map(started).collect();
        let game_at =
            |version| starts.iter().rev().find(|(start, _)| *start <= version).map(|(_, game)| *game);
        let mut games: Vec<GameLog<'a>> = Vec::new();
        for line in self.lines() {
            let game = game_at(line.version);
            match games.last_mut().filter(|(last, _)| *last == game) {
                Some((_, lines)) => lines.push(line),
                None => games.push((game, vec![line])),
            }
        }
        games
    }

    /// A game in the log in one line: how it ended, and what it brought the box. `None` if it has not ended.
    pub fn game_in_short(&self, game: &u32) -> Option<String> {
        let state: &Chouette = &self.screen.stream.state;
        let finished = state.finished_game(*game)?;
        let ended = game_over(&self.say, finished.winner, finished.win);
        let points = finished.points_of(finished.box_player).filter(|_| self.screen.viewer.sees_points);
        let Some(points) = points else { return Some(ended) };
        let of_box = format!("{} {}", self.say.name(&finished.box_player), self.say.points(&points.0).text);
        Some(format!("{ended} · {of_box}"))
    }

    /// The log, newest first: a line for every event, and one for every undo and redo.
    pub fn lines(&self) -> Vec<Line<'a>> {
        let back = self.ways_back();
        let mut last = None;
        let mut lines = Vec::new();
        for &Happened { act, version, event, ref table } in &self.events {
            let is_first = last.replace(act.id) != Some(act.id);
            let (what, then) = (table.sentence(event), table.results(event));
            let leads_back = is_first && back.contains(&act.id);
            lines.push(Line { act, version, what, then, leads_back });
        }
        lines.extend(self.screen.acts.iter().filter_map(|act| self.back_or_forth(act)));
        lines.sort_by_key(|line| std::cmp::Reverse(line.version));
        lines
    }

    /// The acts back to which the viewer may undo from the log. The newest is left out, because it has its
    /// own undo button; and a player undoes act by act.
    fn ways_back(&self) -> BTreeSet<ActId> {
        let undo = self.screen.undo.filter(|_| self.say.may(Permission::RunChouette));
        let newest = self.screen.stream.undoable().newest_first();
        newest.take(undo.map_or(0, |undo| undo.acts)).skip(1).map(|entry| entry.id).collect()
    }

    /// An undo or redo: the act, or the number of acts and the last of them.
    fn back_or_forth(&self, act: &'a Act<Event>) -> Option<Line<'a>> {
        let (named, one, several) = match &act.kind {
            ActKind::Undo(named) => (named, "say-undone", "say-undone-several"),
            ActKind::Redo(named) => (named, "say-redone", "say-redone-several"),
            ActKind::Events(_) => return None,
        };
        let last = self.sentence_of_act(*named.last()?);
        let line = |what, then| Line { act, version: act.version, what, then, leads_back: false };
        if named.len() == 1 {
            return Some(line(self.say.with(one, "what", last?), Vec::new()));
        }
        let as_far_as = last.map(|last| self.say.with("say-as-far-as", "what", last));
        Some(line(self.say.count(several, &named.len()), as_far_as.into_iter().collect()))
    }

    /// An act in one sentence. `None` if it is not among the newest.
    fn sentence_of_act(&self, named: ActId) -> Option<String> {
        let act: Vec<_> = self.events.iter().filter(|happened| happened.act.id == named).collect();
        if act.len() > 1 && act.iter().all(|happened| matches!(happened.event, Event::Joined { .. })) {
            return Some(in_a_row(act.into_iter().map(Happened::sentence)));
        }
        let events: Vec<&Event> = act.iter().map(|happened| happened.event).collect();
        let done: Vec<&Event> = events.iter().copied().filter(|event| !is_by_the_way(event)).collect();
        let itself = the_act_itself(events.into_iter())?;
        let first = act.iter().find(|happened| std::ptr::eq(happened.event, itself))?;
        Some(first.table.alike(&done).unwrap_or_else(|| first.sentence()))
    }
}

/// Every event of the newest acts, in order. An undone act does not affect the state for those after it.
fn events<'a>(
    say: Say<'a>,
    screen: &'a TableScreen,
    undone: &BTreeMap<ActId, &Act<Event>>,
) -> Vec<Happened<'a>> {
    let mut table = TableSentences::unknown(say, &screen.stream.state);
    let mut happened = Vec::new();
    for act in &screen.acts {
        let ActKind::Events(events) = &act.kind else { continue };
        let first = act.version - act.kind.versions() + 1;
        let before = table.clone();
        for (version, event) in (first..).zip(events) {
            happened.push(Happened { act, version, event, table: table.clone() });
            table.note(event);
        }
        if undone.contains_key(&act.id) {
            table = before;
        }
    }
    happened
}

/// Whether the event is a side effect of another event of the same act: an extra passed because play went on,
/// or the roll before a double.
const fn is_by_the_way(event: &Event) -> bool {
    matches!(event, Event::ExtraPassed { .. } | Event::PlayedOn {})
}

/// What an act is named after: its first event that is no side effect, or else its last one, to which the
/// others have led.
pub(super) fn the_act_itself<'a>(
    mut events: impl DoubleEndedIterator<Item = &'a Event> + Clone,
) -> Option<&'a Event> {
    events.clone().find(|event| !is_by_the_way(event)).or_else(|| events.next_back())
}
