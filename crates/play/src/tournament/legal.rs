//! Which commands are possible next: for the tournament, a division, an entry, a match. The answers are lists
//! of command names. They use the same checks as `decide`, and tests hold the two together. Whether a
//! particular person may give a command is for the desk to say.

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::Tournament;
use super::bracket::EntryNo;
use super::command::SlotOfMatch;
use super::decide::drawing::{self, Seats};
use super::decide::{MOST_DIVISIONS, MOST_ENTRIES, entries, money, room, whole};
use super::entry::EntryStanding;
use super::room::{DivisionNo, MatchRef, TableNo, TableUse};
use crate::matches::Ending;
use owlbox_base::values::Timestamp;

/// What can be done with a tournament as a whole, as names of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalOfTournament))]
pub enum TournamentAct {
    /// Its name, dates and other details can be changed.
    Change,
    /// Its directors can be set.
    SetDirectors,
    /// A division can be added.
    AddDivision,
    /// The tables of the room can be set.
    SetTables,
    /// A match is waiting, and a table is free for it.
    CallNext,
    /// Cash from players can be recorded.
    PayIn,
    /// Cash to players can be recorded.
    PayOut,
    /// Nothing is left to be played, so it can be closed.
    Close,
    /// It is closed and can be opened again.
    Reopen,
    /// It can be cancelled.
    Cancel,
}

/// What can be done with a division, as names of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalOfDivision))]
pub enum DivisionAct {
    /// Its settings can be changed.
    ChangeDivision,
    /// Players can enter, or enter late.
    Enter,
    /// Entries can be checked in.
    CheckIn,
    /// The seeding list can be set.
    Seed,
    /// It can be drawn; drawing again needs a reason.
    Draw,
    /// At least two entries can play a last chance.
    DrawLastChance,
    /// The house can add money to its pool.
    AddMoney,
    /// Its pools can be awarded. While a match that decides a prize is still open, only by hand.
    Award,
}

/// What can be done with an entry, as names of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalOfEntry))]
pub enum EntryAct {
    /// It can be checked in, or its check-in taken back.
    CheckIn,
    /// It waits, and there is a free slot for it.
    Seat,
    /// It waits, and there is a free slot of the main flight that a lot can fall on.
    SeatByLot,
    /// Its player can enter again.
    ReEnter,
    /// It can play a last chance against another such entry.
    DrawLastChance,
    /// It can join or leave side pools.
    JoinPools,
    /// It can withdraw from the division.
    Withdraw,
    /// It can be disqualified from the division.
    Disqualify,
    /// It left and can be brought back.
    Reinstate,
}

/// What can be done with a match, as names of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MatchAct {
    /// It can be called to a table; if it was called already, to another table.
    Call,
    /// It was called and can begin.
    Begin,
    /// Its result can be entered.
    Result,
    /// Its players can report how it ended.
    Report,
    /// A sheet can be opened to score it on.
    OpenSheet,
    /// Its call can be taken back.
    Uncall,
    /// It can be put off.
    Postpone,
    /// It was postponed and can be called again.
    Resume,
    /// Its result can be corrected.
    Correct,
}

/// Caches whether a division has a free slot for late entries: what is free for one of them is free for all.
/// Re-entries are checked one by one, since seating one gives up the player's other slots.
#[derive(Debug, Default)]
pub(super) struct FreeSeats {
    for_newcomers: OnceCell<bool>,
    by_lot: OnceCell<bool>,
}

/// The acts whose condition holds, in order.
fn possible<T, const N: usize>(acts: [(bool, T); N]) -> Vec<T> {
    acts.into_iter().filter(|(may, _)| *may).map(|(_, act)| act).collect()
}

impl Tournament {
    /// What can be done with the tournament as a whole at this moment, the likeliest first.
    #[must_use]
    pub fn acts(&self, now: Timestamp) -> Vec<TournamentAct> {
        let open = self.closed_at.is_none();
        let pays = self.has_money() && self.divisions().any(|(_, of)| of.entered() > 0);
        possible([
            (open && room::call_next(self, 1, now).is_ok(), TournamentAct::CallNext),
            (whole::may_close(self).is_ok(), TournamentAct::Close),
            (!open && self.cancelled.is_none(), TournamentAct::Reopen),
            (pays, TournamentAct::PayIn),
            (pays, TournamentAct::PayOut),
            (true, TournamentAct::Change),
            (open, TournamentAct::SetDirectors),
            (open && self.divisions().len() < usize::from(MOST_DIVISIONS), TournamentAct::AddDivision),
            (open, TournamentAct::SetTables),
            (open, TournamentAct::Cancel),
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
            (self.last_chance_players(division).nth(1).is_some(), DivisionAct::DrawLastChance),
            (self.has_money() && of.is_drawn() && self.cancelled.is_none(), DivisionAct::Award),
            (open && self.has_money(), DivisionAct::AddMoney),
            (open, DivisionAct::ChangeDivision),
            (draw && of.is_drawn(), DivisionAct::Draw),
        ])
    }

    /// The entries that a draw places in slots, in order of entry: those checked in, or all that take part.
    /// Of a player who has entered again, only the newest. Empty if there is no such division.
    #[must_use]
    pub fn to_draw(&self, division: DivisionNo, only_checked_in: bool) -> Vec<EntryNo> {
        self.division(division).map_or_else(Vec::new, |of| Seats::of(of, only_checked_in).drawn)
    }

    /// Whether an entry can join or leave side pools now.
    #[must_use]
    pub fn may_join_pools(&self, division: DivisionNo, entry: EntryNo) -> bool {
        self.closed_at.is_none() && entries::may_join_pools(self, division, entry).is_ok()
    }

    /// The entries that a last chance can be drawn from, in order of entry.
    pub fn last_chance_players(&self, division: DivisionNo) -> impl Iterator<Item = EntryNo> {
        let open = self.closed_at.is_none();
        let of = self.division(division).filter(|of| open && drawing::takes_last_chance(of).is_ok());
        of.into_iter().flat_map(|of| {
            let may_play = |entry: &EntryNo| drawing::may_play_last_chance(of, *entry).is_ok();
            of.entries().map(|(number, _)| number).filter(may_play)
        })
    }

    /// What can be done with an entry at this moment, the likeliest first.
    #[must_use]
    pub(super) fn entry_acts(
        &self,
        division: DivisionNo,
        entry: EntryNo,
        now: Timestamp,
        seats: &FreeSeats,
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
        let falls = || !drawing::places_for_lot(self, division, entry, now).is_empty();
        let by_lot = seat
            && match found.again {
                None => *seats.by_lot.get_or_init(falls),
                Some(_) => falls(),
            };
        possible([
            (seat, EntryAct::Seat),
            (by_lot, EntryAct::SeatByLot),
            (plays, EntryAct::CheckIn),
            (open && entries::may_re_enter(self, division, entry).is_ok(), EntryAct::ReEnter),
            (open && last_chance, EntryAct::DrawLastChance),
            (self.may_join_pools(division, entry), EntryAct::JoinPools),
            (open && entries::reinstate(self, division, entry, now).is_ok(), EntryAct::Reinstate),
            (plays, EntryAct::Withdraw),
            (plays, EntryAct::Disqualify),
        ])
    }

    /// The slots a waiting entry can be given at this moment, in order. Empty if the entry does not wait.
    pub fn free_places(
        &self,
        division: DivisionNo,
        entry: EntryNo,
        now: Timestamp,
    ) -> impl Iterator<Item = SlotOfMatch> {
        let open = self.closed_at.is_none();
        drawing::free_places(self, division, entry, now).filter(move |_| open)
    }

    /// Whether a lot can be drawn for a waiting entry now.
    #[must_use]
    pub fn may_seat_by_lot(&self, division: DivisionNo, entry: EntryNo, now: Timestamp) -> bool {
        self.closed_at.is_none() && !drawing::places_for_lot(self, division, entry, now).is_empty()
    }

    /// What can be done with a match now, the likeliest first. Who may do it is not considered.
    #[must_use]
    pub fn match_acts(&self, at: MatchRef) -> Vec<MatchAct> {
        let Some((division, found)) = self.match_at(at) else { return Vec::new() };
        let open = self.closed_at.is_none();
        let both = division.players(found).is_some_and(|[upper, lower]| upper != lower);
        let call = self.room.calls.get(&at);
        let ready = open && found.is_ready();
        let corrects = self.cancelled.is_none()
            && both
            && found.outcome.is_some_and(|outcome| outcome.ending != Ending::NotNeeded);
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

    /// Whether the match could be sent to a table other than `here`. Closed tables do not count, occupied
    /// ones do.
    fn has_table_besides(&self, here: TableNo) -> bool {
        let mut tables = self.room.tables.values();
        tables.any(|table| table.table != here && table.used_for != TableUse::Closed)
    }
}
