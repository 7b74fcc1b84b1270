//! Recovers the command behind a recorded event, so that verification can decide it again and compare the
//! events.
//!
//! Where several commands could have led to an event, all of them are offered, the likeliest first. Events
//! that only follow from others offer none.

use super::Tournament;
use super::about::Remark;
use super::bracket::{Change, EntryNo, Later, Occupant};
use super::command::{Command, DrawBy, MatchEnded, NewEntry, SlotOfMatch, WaitingEntry, When};
use super::decide::drawing::drawn_for_seats;
use super::draw::Seed;
use super::event::{DrawnBy, DrawnSlot, Entered, Event, Leaving};
use super::money::{Transfer, TransferKind};
use super::room::DivisionNo;
use super::settings::Fee;
use crate::matches::{Ending, MatchNo, Outcome, Slot};
use owlbox_base::journal::again::{Accountable, PossibleCommand};

impl Accountable for Tournament {
    const DECIDES_SINCE: i16 = 2;
    const SEVERAL: bool = true;

    fn asked(&self, event: &Event, act: &[Event]) -> Vec<PossibleCommand<Command>> {
        let commands = match event.clone() {
            Event::Entered { division, entries, .. } => return self.entered(division, &entries, act),
            Event::Drawn { division, drawn, waiting, slots, reason } => {
                return vec![asked_to_draw(division, drawn, !waiting.is_empty(), slots, reason)];
            }
            Event::LastChanceDrawn { division, drawn: DrawnBy::Lot { seed, .. }, slots } => {
                return vec![asked_to_draw_last_chance(division, seed, &slots)];
            }
            Event::LastChanceDrawn { drawn: DrawnBy::Hand {}, .. } => Vec::new(),
            Event::Opened { tournament, about } => vec![Command::Open { tournament, about }],
            Event::AboutChanged { about } => vec![Command::Change { about }],
            Event::DirectorsChanged { directors } => vec![Command::SetDirectors { directors }],
            Event::DivisionAdded { settings, .. } => vec![Command::AddDivision { settings }],
            Event::DivisionChanged { division, settings, .. } => {
                vec![Command::ChangeDivision { division, settings }]
            }
            Event::TablesSet { tables } => vec![Command::SetTables { tables }],
            Event::CheckedIn { division, entries, here } => {
                vec![Command::CheckIn { division, entries, here }]
            }
            Event::Seeded { division, entries } => vec![Command::Seed { division, entries }],
            Event::PoolsJoined { division, entry, side_pools } => {
                vec![Command::JoinPools { division, entry, side_pools: pools(side_pools) }]
            }
            Event::Seated { division, lot: Some(_), .. } => return vec![seated_by_lot(division, act)],
            Event::Seated { division, entry, number, slot, .. } => {
                vec![Command::Seat { division, entry, number, slot }]
            }
            Event::Exchanged { division, changes } => self.exchanged(division, &changes),
            Event::LeavesAfter { division, entry, .. } => {
                vec![Command::Withdraw { division, entry, when: When::AfterMatch }]
            }
            Event::Withdrawn { division, entry, how, .. } => left(division, entry, how),
            Event::Reinstated { division, entry, .. } => vec![Command::Reinstate { division, entry }],
            Event::Reported { division, number, by, entry, score } => {
                self.asked_to_report((division, number), by, entry, score)
            }
            Event::Resulted { division, number, changes, left } => {
                resulted(division, number, &changes, &left)
            }
            Event::Corrected { division, number, changes, given_up: _, left } => {
                corrected(division, number, &changes, &left)
            }
            Event::Called { division, number, table } => {
                let call = Command::Call { division, number, table: Some(table) };
                vec![asked_to_call_next(act).unwrap_or(call)]
            }
            Event::Uncalled { division, number } => vec![Command::Uncall { division, number }],
            Event::Began { division, number } => vec![Command::Begin { division, number }],
            Event::Postponed { division, number, until } => {
                vec![Command::Postpone { division, number, until }]
            }
            Event::Resumed { division, number } => vec![Command::Resume { division, number }],
            Event::SheetOpened { division, number, sheet } => {
                vec![Command::OpenSheet { division, number, sheet: Some(sheet) }]
            }
            Event::Booked { division, transfers, .. } => booked(division, &transfers),
            Event::Awarded { division, awards, .. } => {
                let by_hand = Command::Award { division, awards: Some(awards) };
                vec![Command::Award { division, awards: None }, by_hand]
            }
            Event::Closed { reason } => vec![self.asked_to_close(reason, act)],
            Event::Reopened {} => vec![Command::Reopen {}],
            Event::Cancelled { reason, .. } => vec![Command::Cancel { reason }],
        };
        commands.into_iter().map(PossibleCommand::from).collect()
    }
}

fn asked_to_draw(
    division: DivisionNo,
    drawn: DrawnBy,
    only_checked_in: bool,
    slots: Vec<DrawnSlot>,
    reason: Option<Remark>,
) -> PossibleCommand<Command> {
    let (method, drawn, groups) = match drawn {
        DrawnBy::Lot { seed, groups } => (DrawBy::Lot {}, halves(seed), groups),
        DrawnBy::Hand {} => (DrawBy::Hand { slots }, Vec::new(), Vec::new()),
    };
    PossibleCommand { command: Command::Draw { division, method, only_checked_in, reason, groups }, drawn }
}

fn asked_to_draw_last_chance(
    division: DivisionNo,
    seed: Seed,
    slots: &[DrawnSlot],
) -> PossibleCommand<Command> {
    let entries = slots.iter().filter_map(|slot| slot.0.filter(|entry| *entry != 0)).map(EntryNo).collect();
    PossibleCommand { command: Command::DrawLastChance { division, entries }, drawn: halves(seed) }
}

/// The call of the next matches, if the act called more than one.
fn asked_to_call_next(act: &[Event]) -> Option<Command> {
    let calls = act.iter().filter(|event| matches!(event, Event::Called { .. })).count();
    u16::try_from(calls).ok().filter(|calls| *calls > 1).map(|matches| Command::CallNext { matches })
}

impl Tournament {
    /// Late entries were seated by lot, so the numbers drawn must be those that put these slots first.
    fn entered(
        &self,
        division: DivisionNo,
        entries: &[Entered],
        act: &[Event],
    ) -> Vec<PossibleCommand<Command>> {
        let seated = |event: &Event| {
            let Event::Seated { number, slot, .. } = event else { return None };
            Some(SlotOfMatch { number: *number, slot: *slot })
        };
        let seats: Vec<SlotOfMatch> = act.iter().filter_map(seated).collect();
        let of = self.division(division).filter(|of| of.is_drawn());
        let Some(drawn) = of.map_or_else(|| Some(Vec::new()), |of| drawn_for_seats(of, &seats)) else {
            return Vec::new();
        };
        let command = match entries {
            [Entered { again: Some(entry), .. }] => Command::ReEnter { division, entry: *entry },
            entries => {
                let new = |new: &Entered| NewEntry { player: new.player, side_pools: pools(new.side_pools) };
                Command::Enter { division, entries: entries.iter().map(new).collect() }
            }
        };
        vec![PossibleCommand { command, drawn }]
    }

    /// The two slots whose sources have changed.
    fn exchanged(&self, division: DivisionNo, changes: &[Change]) -> Vec<Command> {
        let Some(of) = self.division(division) else { return Vec::new() };
        let mut places = changes.iter().flat_map(|change| {
            let sources = of.bracket.get(change.number).map(|at| at.sources).zip(change.sources);
            let other = move |slot: &Slot| sources.is_some_and(|(was, is)| was[slot.at()] != is[slot.at()]);
            Slot::BOTH.into_iter().filter(other).map(|slot| SlotOfMatch { number: change.number, slot })
        });
        match (places.next(), places.next()) {
            (Some(one), Some(other)) => vec![Command::Exchange { division, one, other }],
            _ => Vec::new(),
        }
    }

    /// If there was a reason, fees were kept: those of every waiting entry that this act did not withdraw.
    fn asked_to_close(&self, reason: Option<Remark>, act: &[Event]) -> Command {
        let left = |waiting: &WaitingEntry| {
            let it = |event: &Event| {
                if let Event::Withdrawn { division, entry, .. } = event {
                    (*division, *entry) == (waiting.division, waiting.entry)
                } else {
                    false
                }
            };
            act.iter().any(it)
        };
        let waiting = self.waiting_with_fees().into_iter().filter(|_| reason.is_some());
        let waiting = waiting.map(|fees| WaitingEntry { division: fees.division, entry: fees.entry });
        Command::Close { keep: waiting.filter(|waiting| !left(waiting)).collect(), reason }
    }

    fn asked_to_report(
        &self,
        (division, number): (DivisionNo, MatchNo),
        by: Slot,
        entry: Option<EntryNo>,
        score: Option<[u16; 2]>,
    ) -> Vec<Command> {
        let sits = || self.division(division)?.bracket.get(number)?.occupant(by).entry();
        let entry = entry.or_else(sits);
        let report = |entry| Command::Report { division, number, entry, score, players: None };
        entry.map(report).into_iter().collect()
    }
}

/// The two numbers that chance drew for a seed. The inverse of `by_lot` in `decide/drawing.rs`.
fn halves(Seed(seed): Seed) -> Vec<u32> {
    const HALF: u32 = 24;
    [seed >> HALF, seed & ((1 << HALF) - 1)].into_iter().filter_map(|half| u32::try_from(half).ok()).collect()
}

/// The lots of this act, with the numbers that chance drew for their seeds. An entry that found no slot drew
/// none, and the same command without it comes to the same.
fn seated_by_lot(division: DivisionNo, act: &[Event]) -> PossibleCommand<Command> {
    let (mut entries, mut drawn) = (Vec::new(), Vec::new());
    for event in act {
        if let Event::Seated { entry, lot: Some(lot), .. } = event {
            entries.push(*entry);
            drawn.extend(halves(lot.seed));
        }
    }
    PossibleCommand { command: Command::SeatByLot { division, entries }, drawn }
}

/// The numbers of the side pools whose bits are set.
fn pools(bits: u8) -> Vec<u8> {
    (0..8).filter(|pool| bits & (1 << pool) != 0).collect()
}

/// The command that made an entry leave. Entering again makes the old entry leave too, so that offers none.
fn left(division: DivisionNo, entry: EntryNo, how: Leaving) -> Vec<Command> {
    match how {
        Leaving::Withdrew => vec![Command::Withdraw { division, entry, when: When::Now }],
        Leaving::Disqualified => vec![Command::Disqualify { division, entry }],
        Leaving::EnteredAgain => Vec::new(),
    }
}

/// The outcome that these changes give a match.
fn outcome(number: MatchNo, changes: &[Change]) -> Option<Outcome> {
    changes.iter().find(|change| change.number == number)?.outcome
}

fn resulted(division: DivisionNo, number: MatchNo, changes: &[Change], left: &[EntryNo]) -> Vec<Command> {
    let Some(change) = changes.iter().find(|change| change.number == number) else { return Vec::new() };
    let Some(outcome) = change.outcome else { return Vec::new() };
    let withdrew = slots_of(change, left);
    // They may have announced it before.
    let record = Command::Record { division, number, outcome, withdraws: withdrew.clone() };
    let said = [Vec::new(), withdrew].into_iter().filter_map(|withdraws| {
        let ended = ended(outcome)?;
        Some(Command::Result { division, number, ended, players: None, withdraws })
    });
    said.chain([record]).collect()
}

/// The slots of a match in which these entries sit.
fn slots_of(change: &Change, entries: &[EntryNo]) -> Vec<Slot> {
    let has = |occupant: Occupant| occupant.entry().is_some_and(|entry| entries.contains(&entry));
    let slots = Slot::BOTH.into_iter().zip(change.occupants);
    slots.filter(|(_, occupant)| has(*occupant)).map(|(slot, _)| slot).collect()
}

/// A match without a stated outcome may have had its result removed, and then found a new one by itself:
/// hence `None` is always offered. The events do not record `later`, so both choices are.
fn corrected(division: DivisionNo, number: MatchNo, changes: &[Change], left: &[EntryNo]) -> Vec<Command> {
    let change = changes.iter().find(|change| change.number == number);
    let withdraws = change.map(|change| slots_of(change, left)).unwrap_or_default();
    let outcome = outcome(number, changes);
    let said = outcome.and_then(ended).map(Some).into_iter().chain([None]);
    let corrections = said.flat_map(|ended| {
        [Later::Void, Later::Stands].map(|later| Command::Correct {
            division,
            number,
            ended,
            later,
            withdraws: withdraws.clone(),
        })
    });
    let record = outcome.map(|outcome| Command::Record { division, number, outcome, withdraws: Vec::new() });
    corrections.chain(record).collect()
}

/// An outcome as a person would report it; `None` if it comes from a ruling on an entry or was found by
/// itself.
fn ended(Outcome { winner, ending, score }: Outcome) -> Option<MatchEnded> {
    match ending {
        Ending::Played => Some(MatchEnded::Played { score: score? }),
        Ending::Conceded => Some(MatchEnded::Conceded { winner: winner?, score }),
        Ending::Walkover => Some(MatchEnded::Walkover { winner: winner? }),
        Ending::Forfeit => Some(MatchEnded::Forfeit { winner: winner?, score }),
        Ending::DoubleForfeit => Some(MatchEnded::DoubleForfeit {}),
        Ending::Disqualified | Ending::Withdrawn | Ending::Bye | Ending::NotNeeded => None,
    }
}

/// Cash and money added by the house. Fees follow from entries, so they offer nothing.
fn booked(division: Option<DivisionNo>, transfers: &[Transfer]) -> Vec<Command> {
    let [Transfer { from, to, amount, what }] = transfers else { return Vec::new() };
    let Some(amount) = u64::try_from(amount.0).ok().and_then(|amount| Fee::try_from(amount).ok()) else {
        return Vec::new();
    };
    let command = if *what == TransferKind::Added {
        Some(Command::AddMoney { division: division.unwrap_or_default(), amount })
    } else if *what == TransferKind::PaidIn {
        to.player().map(|player| Command::PayIn { player, amount, account: None })
    } else if *what == TransferKind::PaidOut {
        from.player().map(|player| Command::PayOut { player, amount, account: None })
    } else {
        None
    };
    command.into_iter().collect()
}
