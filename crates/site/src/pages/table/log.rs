//! The history of a table in words: the log, and the sentences for undo and redo.

use std::collections::{BTreeMap, BTreeSet};

use super::Button;
use super::context::TableContext;
use crate::sentences::chouette::TableSentences;
use crate::sentences::in_a_row;
use owlbox_base::journal::{Act, ActKind, Steps, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ActId, Timestamp};
use owlbox_chouette::{Event, Roll};
use owlbox_desk::commands::history::HistoryCommand;

#[derive(Clone, Debug)]
pub struct LogLine {
    /// The version the event led to. It never changes, so the script uses it to highlight new lines.
    pub version: i64,
    pub at: Timestamp,
    pub what: String,
    /// The results of a finished game: the points, the partners' shares and the next seats.
    pub then: Vec<String>,
    pub by: String,
    /// Who took it back later, and when.
    pub undone: Option<Undone>,
    /// The act's id, where the viewer may take back everything from this line on.
    pub back: Option<String>,
}

/// Who took something back, and when.
#[derive(Clone, Debug)]
pub struct Undone {
    pub at: Timestamp,
    pub by: String,
}

/// The newest acts of a table, with those that were undone.
pub(super) struct History<'a> {
    acts: &'a [Act<Event>],
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

impl Happened<'_> {
    fn sentence(&self) -> String {
        self.table.sentence(self.event)
    }
}

impl<'a> History<'a> {
    pub(super) fn new(context: &TableContext<'a>) -> Self {
        let acts = &context.screen.acts;
        let mut undone = BTreeMap::new();
        for act in acts {
            match &act.kind {
                ActKind::Undo(named) => undone.extend(named.iter().map(|named| (*named, act))),
                ActKind::Redo(named) => undone.retain(|act, _| !named.contains(act)),
                ActKind::Events(_) => {}
            }
        }
        let events = events(context, acts, &undone);
        Self { acts, undone, events }
    }

    /// The events that count, newest first.
    pub(super) fn effective(&self) -> impl Iterator<Item = &'a Event> {
        let acts = self.acts.iter().rev().filter(|act| !self.undone.contains_key(&act.id));
        acts.flat_map(|act| act.events().iter().rev())
    }

    /// The last rolls for the order.
    pub(super) fn last_rolls(&self) -> &'a [Roll] {
        let rolls =
            |event: &'a Event| if let Event::RollsEntered { rolls, .. } = event { Some(rolls) } else { None };
        self.effective().find_map(rolls).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Every event of `acts`, in order. An undone act does not affect the state for those after it.
fn events<'a>(
    context: &TableContext<'a>,
    acts: &'a [Act<Event>],
    undone: &BTreeMap<ActId, &Act<Event>>,
) -> Vec<Happened<'a>> {
    let mut table = TableSentences::unknown(context.say, context.state());
    let mut happened = Vec::new();
    for act in acts {
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

/// The button that redoes everything from an act on. `None` unless that is more than one act.
pub(super) fn redo_all(context: &TableContext<'_>, act: ActId) -> Option<Button> {
    let acts = u16::try_from(context.redo?.acts).ok().and_then(|acts| Steps::try_from(acts).ok())?;
    let label = context.say.count("redo-all", &acts.acts());
    (acts > Steps::ONE).then(|| Button::new(label, &HistoryCommand::Redo { act: Some(act), acts }))
}

/// An act in one sentence. `None` if it is not among the newest.
pub(super) fn sentence_of_act(history: &History<'_>, named: ActId) -> Option<String> {
    let act: Vec<_> = history.events.iter().filter(|happened| happened.act.id == named).collect();
    if act.len() > 1 && act.iter().all(|happened| matches!(happened.event, Event::Joined { .. })) {
        return Some(in_a_row(act.into_iter().map(Happened::sentence)));
    }
    let events: Vec<&Event> = act.iter().map(|happened| happened.event).collect();
    let done: Vec<&Event> = events.iter().copied().filter(|event| !is_by_the_way(event)).collect();
    let itself = the_act_itself(events.into_iter())?;
    let first = act.iter().find(|happened| std::ptr::eq(happened.event, itself))?;
    Some(first.table.alike(&done).unwrap_or_else(|| first.sentence()))
}

/// Whether the event is a side effect of another event of the same act: an extra passed because play went on,
/// or the roll before a double.
pub(super) const fn is_by_the_way(event: &Event) -> bool {
    matches!(event, Event::ExtraPassed { .. } | Event::PlayedOn {})
}

/// What an act is named after: its first event that is no side effect, or else its last one, to which the others
/// have led.
pub(super) fn the_act_itself<'a>(
    mut events: impl DoubleEndedIterator<Item = &'a Event> + Clone,
) -> Option<&'a Event> {
    events.clone().find(|event| !is_by_the_way(event)).or_else(|| events.next_back())
}

/// The log, newest first: a line for every event, and one for every undo and redo.
pub(super) fn lines(context: &TableContext<'_>, history: &History<'_>) -> Vec<LogLine> {
    let by = |act: &Act<Event>| context.people.get(&act.by).cloned().unwrap_or_default();
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
    let within = back(context);
    let mut last = None;
    let mut lines = Vec::new();
    for Happened { act, version, event, table } in &history.events {
        let first_of_act = last.replace(act.id) != Some(act.id);
        let back = within.get(&act.id).filter(|_| first_of_act).map(ToString::to_string);
        let line = line(act, *version, table.sentence(event), table.results(event));
        lines.push(LogLine { back, ..line });
    }
    for act in history.acts {
        let step = step_back_or_forth(context, history, act);
        lines.extend(step.map(|(what, then)| line(act, act.version, what, then)));
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.version));
    lines
}

/// The acts back to which the viewer may undo from the log. The newest is left out, because it has its own
/// undo button; and a player undoes act by act.
fn back(context: &TableContext<'_>) -> BTreeSet<ActId> {
    let acts = context.undo.filter(|_| context.say.may(Permission::RunChouette)).map_or(0, |undo| undo.acts);
    let newest = context.stream.undoable().newest_first();
    newest.take(acts).skip(1).map(|entry| entry.id).collect()
}

/// The sentence for an undo or redo: the act, or the number of acts and the last of them.
fn step_back_or_forth(
    context: &TableContext<'_>,
    history: &History<'_>,
    act: &Act<Event>,
) -> Option<(String, Vec<String>)> {
    let (named, one, several) = match &act.kind {
        ActKind::Undo(named) => (named, "say-undone", "say-undone-several"),
        ActKind::Redo(named) => (named, "say-redone", "say-redone-several"),
        ActKind::Events(_) => return None,
    };
    let last = sentence_of_act(history, *named.last()?);
    if named.len() == 1 {
        return Some((context.say.with(one, "what", last?), Vec::new()));
    }
    let as_far_as = last.map(|last| context.say.with("say-as-far-as", "what", last));
    Some((context.say.count(several, &named.len()), as_far_as.into_iter().collect()))
}
