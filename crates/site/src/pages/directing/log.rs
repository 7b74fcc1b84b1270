//! The log of a tournament: who did what and when, in the words of the undo button.

use super::{DirectorContext, Heading};
use crate::pages::Frame;
use crate::sentences::tournament;
use owlbox_base::journal::{Act, ActKind};
use owlbox_base::values::Timestamp;
use owlbox_desk::commands::acts::ReadableLog;
use owlbox_locale::Locale;
use owlbox_play::tournament::{Event, Tournament};

#[derive(Debug)]
pub struct DeskLogPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// The acts that the viewer may see anything of, newest first.
    pub lines: Vec<ActLine>,
    /// The address of the acts before these. `None` on the last page.
    pub older: Option<String>,
}

/// An act in the log.
#[derive(Clone, Debug)]
pub struct ActLine {
    pub version: i64,
    /// The day, where it is another than that of the line above.
    pub day: Option<String>,
    pub at: Timestamp,
    pub what: String,
    /// Who did it. Empty if they may not be named.
    pub by: String,
    pub undone: bool,
}

/// The page's place below the desk.
#[must_use]
pub fn below(before: Option<i64>) -> String {
    before.map_or_else(|| "/log".to_owned(), |before| format!("/log?before={before}"))
}

impl DeskLogPage {
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        frame: Frame,
        desk: Heading,
        log: &ReadableLog<Tournament>,
    ) -> Self {
        let mut above = None;
        let line = |act: &Act<Event>| {
            let what = sentence(context, log, &act.kind);
            if what.is_empty() {
                return None;
            }
            Some(ActLine {
                version: act.version,
                day: day_if_new(context.t, act.at, &mut above),
                at: act.at,
                what,
                by: log.people.get(&act.by).cloned().unwrap_or_default(),
                undone: log.undone.contains(&act.id),
            })
        };
        Self {
            t: *context.t,
            frame,
            desk,
            lines: log.page.acts.iter().filter_map(line).collect(),
            older: log.page.next.map(|before| context.address(&below(Some(before)))),
        }
    }
}

/// The day of a line, unless the line above has the same.
fn day_if_new(t: &Locale, at: Timestamp, above: &mut Option<String>) -> Option<String> {
    let day = t.date(&at);
    let is_new = above.as_ref() != Some(&day);
    is_new.then(|| above.insert(day).clone())
}

/// What an act did, in a sentence.
fn sentence(context: &DirectorContext<'_>, log: &ReadableLog<Tournament>, kind: &ActKind<Event>) -> String {
    let (one, several, acts) = match kind {
        ActKind::Events(events) => return tournament::act(context, events),
        ActKind::Undo(acts) => ("say-undone", "say-undone-several", acts),
        ActKind::Redo(acts) => ("say-redone", "say-redone-several", acts),
    };
    match acts.as_slice() {
        [act] => {
            let events = log.named.get(act).map(Vec::as_slice).unwrap_or_default();
            context.t.with(one, "what", tournament::act(context, events))
        }
        acts => context.t.count(several, &acts.len()),
    }
}
