//! What may come next with a match: a short list for pages, held against `decide` by the tests.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Tournament;
use super::room::{MatchRef, TableNo, TableUse};
use crate::matches::Ending;

/// What can be done with a match: the command's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchAct {
    /// It can be called to a table; to another one, if it was called.
    Call,
    /// It was called and can begin.
    Begin,
    /// Its result can be said.
    Result,
    /// Its players can say how it ended.
    Report,
    /// A sheet can be opened on which it is scored.
    OpenSheet,
    /// Its call can be taken back.
    Uncall,
    /// It can be called later.
    Postpone,
    /// It was postponed and can be called again.
    Resume,
    /// Its result can be corrected.
    Correct,
}

impl Tournament {
    /// What can be done with a match now, the likeliest first; by the right people.
    #[must_use]
    pub fn match_acts(&self, at: MatchRef) -> Vec<MatchAct> {
        let Some(division) = self.division(at.division) else { return Vec::new() };
        let Some(found) = division.bracket.get(at.number) else { return Vec::new() };
        let open = self.closed_at.is_none();
        let both = division.players(found).is_some_and(|[upper, lower]| upper != lower);
        let call = self.room.calls.get(&at);
        let ready = open && found.is_ready();
        let corrects = both && found.outcome.is_some_and(|outcome| outcome.ending != Ending::NotNeeded);
        let acts = [
            (ready && call.is_some_and(|call| call.began_at.is_none()), MatchAct::Begin),
            (ready && call.is_none(), MatchAct::Call),
            (ready, MatchAct::Result),
            (ready, MatchAct::Report),
            (ready && division.sheet(at.number).is_none(), MatchAct::OpenSheet),
            (ready && call.is_some(), MatchAct::Uncall),
            (ready && call.is_some_and(|call| self.has_table_besides(call.table)), MatchAct::Call),
            (ready, MatchAct::Postpone),
            (ready && self.room.postponed.contains_key(&at), MatchAct::Resume),
            (corrects, MatchAct::Correct),
        ];
        acts.into_iter().filter(|(may, _)| *may).map(|(_, act)| act).collect()
    }

    /// Whether there is another table that a match can be sent to.
    fn has_table_besides(&self, here: TableNo) -> bool {
        let mut tables = self.room.tables.values();
        tables.any(|table| table.table != here && table.used_for != TableUse::Closed)
    }
}
