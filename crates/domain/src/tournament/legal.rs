//! What may come next: with the tournament, a division, an entry, a match. Lists of commands' names, of the checks that `decide`
//! makes; the tests hold them against it. Whether somebody in particular may give a command is the desk's to say.

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::Tournament;
use super::bracket::EntryNo;
use super::command::SlotOfMatch;
use super::decide::{MOST_DIVISIONS, MOST_ENTRIES, drawing, entries, money, room, whole};
use super::division::Division;
use super::entry::EntryStanding;
use super::room::{DivisionNo, MatchRef, TableNo, TableUse};
use crate::matches::Ending;
use crate::values::Timestamp;

/// What can be done with a tournament as a whole: the command's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalOfTournament))]
pub enum TournamentAct {
    /// What it is can be changed.
    Change,
    /// It can be said who directs it.
    SetDirectors,
    /// It can have another division.
    AddDivision,
    /// It can be said which tables there are.
    SetTables,
    /// A match waits for which a table is free.
    CallNext,
    /// Players can pay.
    PayIn,
    /// Players can be paid.
    PayOut,
    /// Nothing is left to be played: it can end.
    Close,
    /// It is over and can go on.
    Reopen,
}

/// What can be done with a division: the command's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalOfDivision))]
pub enum DivisionAct {
    /// It can be played otherwise.
    ChangeDivision,
    /// Players can enter, or enter late.
    Enter,
    /// Entries can be checked in.
    CheckIn,
    /// The seeding list can be said.
    Seed,
    /// It can be drawn; again with a reason.
    Draw,
    /// Two entries at least can play a last chance.
    DrawLastChance,
    /// The house can add money to its pool.
    AddMoney,
    /// Its pools can be given to those who won them: by hand, while a match is still to be played for one.
    Award,
}

/// What can be done with an entry: the command's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalOfEntry))]
pub enum EntryAct {
    /// It can be seen in the room, or not after all.
    CheckIn,
    /// It waits, and a slot is free that it can be given.
    Seat,
    /// Its player can enter again.
    ReEnter,
    /// It can play a last chance, with another.
    DrawLastChance,
    /// It can join side pools, or leave them.
    JoinPools,
    /// It can leave.
    Withdraw,
    /// It can be disqualified.
    Disqualify,
    /// It left and can be back.
    Reinstate,
}

/// What can be done with a match: the command's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

/// Whether a slot of a division is free, looked for once: what one newcomer can be given, every other can.
#[derive(Debug, Default)]
pub(super) struct FreeSeats {
    for_newcomers: OnceCell<bool>,
}

/// The acts that may be, of these.
fn possible<T, const N: usize>(acts: [(bool, T); N]) -> Vec<T> {
    acts.into_iter().filter(|(may, _)| *may).map(|(_, act)| act).collect()
}

/// Whether two entries at least can play a last chance.
fn has_last_chance(of: &Division) -> bool {
    let may_play = |entry: &EntryNo| drawing::may_play_last_chance(of, *entry).is_ok();
    drawing::takes_last_chance(of).is_ok()
        && of.entries().map(|(number, _)| number).filter(may_play).take(2).count() == 2
}

impl Tournament {
    /// What can be done with the tournament as a whole at this moment.
    #[must_use]
    pub fn acts(&self, now: Timestamp) -> Vec<TournamentAct> {
        let open = self.closed_at.is_none();
        let pays = self.has_money() && self.divisions().any(|(_, of)| of.entered() > 0);
        possible([
            (open && room::call_next(self, 1, now).is_ok(), TournamentAct::CallNext),
            (whole::may_close(self).is_ok(), TournamentAct::Close),
            (!open, TournamentAct::Reopen),
            (pays, TournamentAct::PayIn),
            (pays, TournamentAct::PayOut),
            (true, TournamentAct::Change),
            (open, TournamentAct::SetDirectors),
            (open && self.divisions().len() < usize::from(MOST_DIVISIONS), TournamentAct::AddDivision),
            (open, TournamentAct::SetTables),
        ])
    }

    fn has_money(&self) -> bool {
        money::currency(self).is_ok()
    }

    /// What can be done with a division now, the likeliest first.
    #[must_use]
    pub fn division_acts(&self, division: DivisionNo) -> Vec<DivisionAct> {
        let Some(of) = self.division(division) else { return Vec::new() };
        let open = self.closed_at.is_none();
        let plays = open && of.entries().any(|(_, entry)| !entry.standing.is_out());
        let draw = open && drawing::to_draw(self, division, false).is_ok();
        possible([
            (draw && !of.is_drawn(), DivisionAct::Draw),
            (open && of.entered() < MOST_ENTRIES, DivisionAct::Enter),
            (plays, DivisionAct::CheckIn),
            (open, DivisionAct::Seed),
            (open && has_last_chance(of), DivisionAct::DrawLastChance),
            (self.has_money() && of.is_drawn(), DivisionAct::Award),
            (open && self.has_money(), DivisionAct::AddMoney),
            (open, DivisionAct::ChangeDivision),
            (draw && of.is_drawn(), DivisionAct::Draw),
        ])
    }

    /// What can be done with an entry of a division at this moment, the likeliest first.
    #[must_use]
    pub(super) fn entry_acts(
        &self,
        division: DivisionNo,
        entry: EntryNo,
        (now, seats): (Timestamp, &FreeSeats),
    ) -> Vec<EntryAct> {
        let Some((of, found)) = self.division(division).and_then(|of| Some((of, of.entry(entry)?))) else {
            return Vec::new();
        };
        let open = self.closed_at.is_none();
        let plays = open && !found.standing.is_out();
        let last_chance =
            drawing::takes_last_chance(of).is_ok() && drawing::may_play_last_chance(of, entry).is_ok();
        let waits = open && found.standing == EntryStanding::Waiting;
        let is_free = || self.free_places(division, entry, now).next().is_some();
        let seat = waits
            && match found.again {
                None => *seats.for_newcomers.get_or_init(is_free),
                Some(_) => is_free(),
            };
        possible([
            (seat, EntryAct::Seat),
            (plays, EntryAct::CheckIn),
            (open && entries::may_re_enter(self, division, entry).is_ok(), EntryAct::ReEnter),
            (open && last_chance, EntryAct::DrawLastChance),
            (open && entries::may_join_pools(self, division, entry).is_ok(), EntryAct::JoinPools),
            (open && entries::reinstate(self, division, entry, now).is_ok(), EntryAct::Reinstate),
            (plays, EntryAct::Withdraw),
            (plays, EntryAct::Disqualify),
        ])
    }

    /// The slots that an entry which waits can be given at this moment, in order; none of another.
    pub fn free_places(
        &self,
        division: DivisionNo,
        entry: EntryNo,
        now: Timestamp,
    ) -> impl Iterator<Item = SlotOfMatch> {
        let open = self.closed_at.is_none();
        drawing::free_places(self, division, entry, now).filter(move |_| open)
    }

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
        possible([
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
        ])
    }

    /// Whether there is another table that a match can be sent to.
    fn has_table_besides(&self, here: TableNo) -> bool {
        let mut tables = self.room.tables.values();
        tables.any(|table| table.table != here && table.used_for != TableUse::Closed)
    }
}
