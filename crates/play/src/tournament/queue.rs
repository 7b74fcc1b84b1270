//! What a director has to see to: the matches of the room, and the most urgent thing of all.

use std::collections::BTreeSet;

use serde::Serialize;

use super::about::Remark;
use super::command::CommandKind;
use super::division::Division;
use super::room::{DivisionNo, MatchRef};
use super::state::Tournament;
use owlbox_base::values::Timestamp;

/// The matches of the room. One with reports can stand in another list as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Matches that can be called now, those that have waited longest first.
    pub ready: Vec<MatchRef>,
    /// Matches that were put off, those whose time has come included.
    pub postponed: Vec<MatchRef>,
    /// Matches called or under way, in the order of their calls.
    pub playing: Vec<MatchRef>,
    /// Matches of which one player has reported a result, or both with different results.
    pub reported: Vec<MatchRef>,
}

/// The most urgent thing to see to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "task", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = DirectorsTask))]
pub enum Task {
    /// Nothing: the tournament was cancelled.
    Cancelled { reason: Remark },
    /// Nothing: the tournament is closed.
    Closed {},
    /// The players of this many matches have reported different results, and only a director can rule.
    Rule {
        /// How many matches.
        matches: usize,
    },
    /// There is no division yet.
    AddDivision {},
    /// This many matches can be called to this many free tables. Without a free table it is not the most
    /// urgent thing while a division can be drawn or a report be confirmed.
    Call {
        /// How many matches.
        matches: usize,
        /// How many free tables.
        tables: usize,
    },
    /// A division has not enough entries to be drawn.
    Enter { division: DivisionNo },
    /// A division is to be drawn: this many entries take part, and so many of them have checked in.
    Draw {
        division: DivisionNo,
        /// How many take part.
        entries: usize,
        /// How many of them have checked in.
        checked_in: usize,
    },
    /// One player of each of this many matches has reported its result.
    Confirm {
        /// How many matches.
        matches: usize,
    },
    /// Nothing but to wait: this many matches are called or under way.
    Wait {
        /// How many matches.
        matches: usize,
    },
    /// Everything is played, and a division's pool is not awarded.
    Award { division: DivisionNo },
    /// Everything is played: the tournament can be closed.
    Close {},
    /// Nothing can be done: what is left waits for a time, or for somebody with another permission.
    Nothing {},
}

impl Queue {
    /// The matches of a list without those whose players have reported: they wait for the director.
    pub fn not_reported(&self, list: &[MatchRef]) -> Vec<MatchRef> {
        let reported: BTreeSet<MatchRef> = self.reported.iter().copied().collect();
        list.iter().filter(|at| !reported.contains(at)).copied().collect()
    }
}

impl Tournament {
    /// The matches of the room at this moment.
    #[must_use]
    pub fn queue(&self, now: Timestamp) -> Queue {
        Queue {
            ready: self.waiting().filter(|at| self.may_be_called(*at, now)).collect(),
            postponed: self.room.postponed.keys().copied().collect(),
            playing: self.playing(),
            reported: self.reported().collect(),
        }
    }

    /// Whether every division is drawn and played to its end.
    #[must_use]
    pub fn is_played(&self) -> bool {
        self.divisions().len() > 0 && self.divisions().all(|(_, of)| of.is_drawn() && of.undecided == 0)
    }

    /// Whether both players of a match have reported, differently: equal reports are its result.
    #[must_use]
    pub fn reports_differ(&self, at: MatchRef) -> bool {
        let said = self.division(at.division).and_then(|of| of.reports.get(&at.number));
        said.is_some_and(|said| said.iter().all(Option::is_some))
    }

    /// The most urgent thing for somebody who may give the commands that `may` says, with the room's
    /// [`queue`](Self::queue).
    #[must_use]
    pub fn task(&self, queue: &Queue, may: impl Fn(CommandKind) -> bool) -> Task {
        if let Some(reason) = &self.cancelled {
            return Task::Cancelled { reason: reason.clone() };
        }
        if self.closed_at.is_some() {
            return Task::Closed {};
        }
        let differ = queue.reported.iter().filter(|at| self.reports_differ(**at)).count();
        if differ > 0 {
            return Task::Rule { matches: differ };
        }
        if self.divisions().len() == 0 {
            return if may(CommandKind::AddDivision) { Task::AddDivision {} } else { Task::Nothing {} };
        }
        let call = Task::Call {
            matches: queue.not_reported(&queue.ready).len(),
            tables: self.room.free_tables().count(),
        };
        if matches!(call, Task::Call { matches: 1.., tables: 1.. }) {
            return call;
        }
        let undrawn = self.divisions().find(|(_, of)| !of.is_drawn());
        if let Some((division, of)) = undrawn.filter(|_| may(CommandKind::Draw)) {
            return to_draw(division, of);
        }
        if !queue.reported.is_empty() {
            return Task::Confirm { matches: queue.reported.len() };
        }
        if matches!(call, Task::Call { matches: 1.., .. }) {
            return call;
        }
        if !queue.playing.is_empty() {
            return Task::Wait { matches: queue.playing.len() };
        }
        if !self.is_played() {
            return Task::Nothing {};
        }
        let unpaid = self.divisions().find(|(_, of)| of.awards.is_none() && of.played_for().pool > 0);
        match unpaid.filter(|_| may(CommandKind::Award)) {
            Some((division, _)) => Task::Award { division },
            None if may(CommandKind::Close) => Task::Close {},
            None => Task::Nothing {},
        }
    }
}

/// What a division that is not drawn needs next.
fn to_draw(division: DivisionNo, of: &Division) -> Task {
    let takes_part = of.entries().filter(|(_, entry)| !entry.standing.is_out());
    let (mut entries, mut checked_in) = (0, 0);
    for (_, entry) in takes_part {
        entries += 1;
        checked_in += usize::from(entry.checked_in);
    }
    if entries < 2 { Task::Enter { division } } else { Task::Draw { division, entries, checked_in } }
}
