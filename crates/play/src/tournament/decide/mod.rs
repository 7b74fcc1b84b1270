//! Turns commands into events, or refuses them. Each file takes one subject.
//!
//! An act with several events is built step by step: each event is applied to a copy of the state before the
//! next is decided.

pub(super) mod drawing;
pub(super) mod entries;
mod leavers;
pub(super) mod money;
pub(super) mod results;
pub(super) mod room;
pub(super) mod whole;

pub use drawing::MOST_SEATED_AT_ONCE;
pub use room::MOST_CALLED_AT_ONCE;
pub use whole::{MOST_DIRECTORS, MOST_DIVISIONS};

use super::Tournament;
use super::aspects::CommandAspect;
use super::bracket::{Change, EntryNo, Later, Occupant, Pairing, Settling};
use super::command::{Command, CommandKind, SlotOfMatch};
use super::division::Division;
use super::entry::Entry;
use super::event::{Event, Leaving};
use super::refusal::Refusal;
use super::room::{DivisionNo, MatchRef};
use crate::matches::MatchNo;
use owlbox_base::journal::Inputs;
use owlbox_base::values::Timestamp;

/// The most entries a division may have.
pub const MOST_ENTRIES: usize = 65_536;

/// The events a command leads to, or why it is refused.
type Decision = Result<Vec<Event>, Refusal>;

/// An act being built, event by event.
struct Act {
    /// The tournament after the events so far.
    now: Tournament,
    at: Timestamp,
    events: Vec<Event>,
}

impl Act {
    fn on(tournament: &Tournament, at: Timestamp) -> Self {
        Self { now: tournament.clone(), at, events: Vec::new() }
    }

    fn happens(&mut self, event: Event) {
        self.now.take_note(&event, self.at);
        self.events.push(event);
    }

    fn division(&self, division: DivisionNo) -> Result<&Division, Refusal> {
        self.now.division(division).ok_or(Refusal::NoDivision)
    }
}

impl Tournament {
    fn in_division(&self, division: DivisionNo) -> Result<&Division, Refusal> {
        self.division(division).ok_or(Refusal::NoDivision)
    }
}

impl Division {
    fn known(&self, entry: EntryNo) -> Result<&Entry, Refusal> {
        self.entry(entry).ok_or(Refusal::NoEntry { entry })
    }

    /// An entry that has not left.
    fn playing(&self, entry: EntryNo) -> Result<&Entry, Refusal> {
        let found = self.known(entry)?;
        if found.standing.is_out() { Err(Refusal::EntryOut { entry }) } else { Ok(found) }
    }

    fn known_match(&self, number: MatchNo) -> Result<&Pairing, Refusal> {
        if !self.is_drawn() {
            return Err(Refusal::NotDrawn);
        }
        self.bracket.get(number).ok_or(Refusal::NoMatch)
    }

    /// The changes to the bracket if `act` is carried out. Entries in `also_out` count as out besides those
    /// that are, and `back` counts as playing.
    fn settle(
        &self,
        later: Later,
        also_out: &[EntryNo],
        back: Option<EntryNo>,
        act: impl FnOnce(&mut Settling<'_>),
    ) -> Vec<Change> {
        // An entry that comes back plays on where it was, except in last chances it has given up.
        let out = |entry, flight| {
            self.has_given_up(entry, flight)
                || (back != Some(entry) && (self.is_out(entry) || also_out.contains(&entry)))
        };
        let same_player = |two| self.are_one_player(two);
        let mut settling = Settling::new(&self.bracket, later, &out).but_not_between(&same_player);
        act(&mut settling);
        settling.settled().1
    }

    /// Settles again every match of an entry that has no stated result.
    fn look_again(&self, entry: EntryNo, settling: &mut Settling<'_>) {
        let open = self.bracket.path(entry).filter(|(_, at)| !Self::is_played(at));
        open.for_each(|(number, _)| settling.look_at(number));
    }

    /// The matches these changes would disturb: those with a stated result, which would get other players or
    /// another outcome; those under way, which would get other players; and those of last chances whose
    /// players would have a match in an earlier flight again.
    fn disturbed(&self, changes: &[Change], under_way: impl Fn(MatchNo) -> bool) -> Vec<MatchNo> {
        let disturbs = |change: &&Change| {
            self.bracket.get(change.number).is_some_and(|at| {
                let others_sit = at.occupants != change.occupants;
                let said = Self::is_played(at) && (others_sit || at.outcome != change.outcome);
                said || (others_sit && under_way(change.number))
            })
        };
        let seated = changes.iter().flat_map(|change| change.occupants).filter_map(Occupant::entry);
        let given_up = results::last_chances_given_up(self, changes, seated);
        let in_last_chance = given_up.iter().filter_map(|gone| {
            let path = self.bracket.path(gone.entry).filter(|(_, at)| at.flight == gone.flight);
            path.last().map(|(number, _)| number)
        });
        changes.iter().filter(disturbs).map(|change| change.number).chain(in_last_chance).collect()
    }
}

/// Checks that a list names nothing twice and has at most `most` items.
fn each_once<T: Ord + Copy>(list: &[T], most: usize, field: &'static str) -> Result<(), Refusal> {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    let twice = sorted.windows(2).any(|two| two[0] == two[1]);
    if list.len() > most || twice { Err(Refusal::BadList { field }) } else { Ok(()) }
}

/// Like [`each_once`], and the list may not be empty.
fn some_once<T: Ord + Copy>(list: &[T], most: usize, field: &'static str) -> Result<(), Refusal> {
    if list.is_empty() { Err(Refusal::BadList { field }) } else { each_once(list, most, field) }
}

pub(super) fn decide(tournament: &Tournament, command: &Command, inputs: &mut Inputs<'_>) -> Decision {
    match (tournament.about().is_some(), command) {
        (true, Command::Open { .. }) => return Err(Refusal::AlreadyOpen),
        (false, Command::Open { .. }) | (true, _) => {}
        (false, _) => return Err(Refusal::NotOpen),
    }
    let kind = CommandKind::from(command);
    if tournament.cancelled.is_some() && !kind.has(CommandAspect::WhenCancelled) {
        return Err(Refusal::Cancelled);
    }
    if tournament.closed_at.is_some() && !kind.has(CommandAspect::WhenClosed) {
        return Err(Refusal::Closed);
    }
    let events = tournament.whole(command, inputs)?;
    Ok(leavers::gone(tournament, events, inputs.now))
}

impl Tournament {
    /// The events of a command itself. Entries that leave because of them are added by [`leavers::gone`].
    fn whole(&self, command: &Command, inputs: &mut Inputs<'_>) -> Decision {
        match command {
            Command::Open { tournament, about } => whole::open(*tournament, about),
            Command::Change { about } => whole::change_about(self, about),
            Command::SetDirectors { directors } => whole::set_directors(directors),
            Command::AddDivision { settings } => whole::add_division(self, settings),
            Command::ChangeDivision { division, settings } => {
                whole::change_division(self, *division, settings)
            }
            Command::SetTables { tables } => whole::set_tables(self, tables),
            Command::Close { keep, reason } => whole::close(self, keep, reason.as_ref(), inputs),
            Command::Reopen {} => whole::reopen(self),
            Command::Cancel { reason } => whole::cancel(self, reason),

            Command::Enter { division, entries } => entries::enter(self, *division, entries, inputs),
            Command::ReEnter { division, entry } => entries::re_enter(self, *division, *entry, inputs),
            Command::CheckIn { division, entries, here } => {
                entries::check_in(self, *division, entries, *here)
            }
            Command::Seed { division, entries } => entries::seed(self, *division, entries),
            Command::JoinPools { division, entry, side_pools } => {
                entries::join_pools(self, *division, *entry, side_pools, inputs)
            }
            Command::Withdraw { division, entry, when } => {
                entries::withdraw(self, *division, *entry, *when, inputs)
            }
            Command::Disqualify { division, entry } => {
                entries::leave(self, *division, *entry, Leaving::Disqualified, inputs)
            }
            Command::Reinstate { division, entry } => entries::reinstate(self, *division, *entry, inputs.now),

            Command::Draw { division, method, only_checked_in, reason, groups } => {
                let reason = reason.as_ref();
                let how = drawing::DrawOptions { method, only_checked_in: *only_checked_in, reason, groups };
                drawing::draw_main(self, *division, &how, inputs.chance)
            }
            Command::DrawLastChance { division, entries } => {
                drawing::last_chance(self, *division, entries, inputs.chance)
            }
            Command::Seat { division, entry, number, slot } => {
                let place = SlotOfMatch { number: *number, slot: *slot };
                drawing::seat(self, *division, *entry, place, inputs)
            }
            Command::SeatByLot { division, entries } => drawing::seat_drawn(self, *division, entries, inputs),
            Command::Exchange { division, one, other } => drawing::exchange(self, *division, *one, *other),

            Command::Report { division, number, entry, score, players } => {
                results::report(self, inputs.now, (*division, *number), (*entry, *score), *players)
            }
            Command::Result { division, number, ended, players, withdraws } => {
                results::result(self, (*division, *number), (ended, withdraws), *players)
            }
            Command::Record { division, number, outcome, withdraws } => {
                results::record(self, (*division, *number), *outcome, withdraws)
            }
            Command::Correct { division, number, ended, later, withdraws } => {
                let corrected = (ended.as_ref(), *later);
                results::correct(self, inputs.now, (*division, *number), corrected, withdraws)
            }

            Command::Call { division, number, table } => room::call_to(self, (*division, *number), *table),
            Command::CallNext { matches } => room::call_next(self, *matches, inputs.now),
            Command::Uncall { division, number } => room::uncall(self, (*division, *number)),
            Command::Begin { division, number } => room::begin(self, (*division, *number)),
            Command::Postpone { division, number, until } => {
                room::postpone(self, (*division, *number), *until, inputs.now)
            }
            Command::Resume { division, number } => room::resume(self, (*division, *number)),
            Command::OpenSheet { division, number, sheet } => {
                room::open_sheet(self, (*division, *number), *sheet)
            }

            Command::PayIn { player, amount, account } => money::pay_in(self, *player, *amount, *account),
            Command::PayOut { player, amount, account } => money::pay_out(self, *player, *amount, *account),
            Command::AddMoney { division, amount } => money::add(self, *division, *amount),
            Command::Award { division, awards } => money::award(self, *division, awards.as_deref()),
        }
    }

    /// Whether the players may be at the table although there is no result: the match was called or has a
    /// sheet.
    fn may_have_begun(&self, division: DivisionNo, number: MatchNo) -> bool {
        self.room.calls.contains_key(&MatchRef { division, number })
            || self.division(division).is_some_and(|of| of.sheet(number).is_some())
    }

    /// The same, or a player has reported a result, which would be lost if others came to sit there.
    fn is_under_way(&self, division: DivisionNo, number: MatchNo) -> bool {
        let said =
            |of: &Division| of.reports.get(&number).is_some_and(|said| said.iter().any(Option::is_some));
        self.may_have_begun(division, number) || self.division(division).is_some_and(said)
    }
}
