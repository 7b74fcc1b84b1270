//! The log of a tournament at the desk: who did what and when, in the words of the undo button.

use actix_web::HttpResponse;
use serde::Deserialize;

use super::act::takes_acts;
use super::frame::{DeskFrame, on_the_desk};
use crate::pages::{Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::Visitor;
use owlbox_base::journal::{Act, ActKind, Version};
use owlbox_base::values::TournamentId;
use owlbox_desk::commands::acts::ReadableLog;
use owlbox_desk::tournaments::{TournamentReader, TournamentScreen};
use owlbox_http::problem::Problem;
use owlbox_play::tournament::{CommandKind, Event, Tournament};

/// Acts on a page.
const A_PAGE: usize = 100;

/// `/tournaments/{id}/desk/log`
pub(super) struct LogPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub log: &'a ReadableLog<Tournament>,
}
on_the_desk! { LogPage<'a>: "directing/log.html" }

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct LogQuery {
    /// Acts before this version; without it, the newest.
    before: Option<Version>,
}

/// The page's place below the desk.
fn below(before: Option<Version>) -> String {
    before.map_or_else(|| "/log".to_owned(), |before| format!("/log?before={before}"))
}

takes_acts!(TournamentId, LogQuery);

/// The current log.
async fn answer(
    visitor: &Visitor,
    id: &TournamentId,
    LogQuery { before }: &LogQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let from = before.unwrap_or(Version::MAX);
    let look = move |looking: &mut TournamentReader<'_>| looking.log(from, A_PAGE);
    let (screen, log) = super::screen(visitor, *id, CommandKind::Call, look).await?;
    let (t, frame, desk) = super::surroundings(visitor, &screen, "the-log", &below(*before));
    // Older acts do not change.
    let desk = if before.is_some() { desk.still() } else { desk };
    let page = LogPage { t, frame, screen: &screen, desk, log: &log };
    visitor.answer(page.rendered(partial))
}

impl LogPage<'_> {
    /// The acts of which the viewer may see anything, newest first: each in a sentence, after its day where
    /// that is another than that of the line above.
    fn lines(&self) -> Vec<(Option<String>, &Act<Event>, String)> {
        let mut lines: Vec<(Option<String>, &Act<Event>, String)> = Vec::new();
        let mut above = String::new();
        for act in &self.log.page.acts {
            let (what, day) = (self.what(&act.kind), self.t.date(&act.at));
            if !what.is_empty() {
                let new = (day != above).then(|| day.clone());
                above = day;
                lines.push((new, act, what));
            }
        }
        lines
    }

    /// What an act did, in a sentence.
    fn what(&self, kind: &ActKind<Event>) -> String {
        let (one, several, acts) = match kind {
            ActKind::Events(events) => return self.t.act(events),
            ActKind::Undo(acts) => ("say-undone", "say-undone-several", acts),
            ActKind::Redo(acts) => ("say-redone", "say-redone-several", acts),
        };
        match acts.as_slice() {
            [act] => {
                let events = self.log.named.get(act).map(Vec::as_slice).unwrap_or_default();
                self.t.with(one, "what", self.t.act(events))
            }
            acts => self.t.count(several, &acts.len()),
        }
    }

    /// Who did it; empty if they may not be named.
    fn by(&self, act: &Act<Event>) -> &str {
        self.log.people.get(&act.by).map_or("", String::as_str)
    }

    /// The address of the acts before these. `None` on the last page.
    fn older(&self) -> Option<String> {
        self.log.page.next.map(|before| self.desk.address(&below(Some(before))))
    }
}
