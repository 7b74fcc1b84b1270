//! What happens at a tournament, in words: in its log, on the undo button, and in previews; and how its
//! matches stand, as its director is told.

use std::ops::Deref;

use crate::playing::other_game;
use crate::say::Say;
use crate::tournaments::rounds::{flight_name, round_name};
use crate::tournaments::slot::SlotContents;
use owlbox_base::values::{Currency, Holder, MinorUnits};
use owlbox_books::club::players::UNNAMED;
use owlbox_play::matches::{Ending, MatchNo, Outcome, Slot};
use owlbox_play::tournament::bracket::{Change, EntryNo, Occupant, Pairing};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::event::Leaving;
use owlbox_play::tournament::money::{Transfer, TransferKind};
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Event, Tournament};

/// Says to one reader what happens at a tournament.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TournamentSentences<'a> {
    say: Say<'a>,
    pub state: &'a Tournament,
}

impl<'a> Deref for TournamentSentences<'a> {
    type Target = Say<'a>;
    fn deref(&self) -> &Say<'a> {
        &self.say
    }
}

/// Its events.
impl<'a> TournamentSentences<'a> {
    pub fn new(say: Say<'a>, state: &'a Tournament) -> Self {
        Self { say, state }
    }

    /// The same of the tournament as it becomes.
    pub fn of(&self, state: &'a Tournament) -> Self {
        Self { state, ..*self }
    }

    /// An act in a few words, for the undo button. Several calls count as one act.
    pub fn act(&self, events: &[Event]) -> String {
        let called = events.iter().filter(|event| matches!(event, Event::Called { .. })).count();
        if called > 1 {
            return self.count("desk-did-call-several", &called);
        }
        let pays = events.iter().find(|event| {
            matches!(event, Event::Booked { transfers, .. } if transfers.iter().any(|one| one.what == TransferKind::PaidIn))
        });
        let comes = events.iter().any(|event| matches!(event, Event::CheckedIn { here: true, .. }));
        let said = pays.or(events.first()).map_or_else(String::new, |event| self.sentence(event));
        if pays.is_some() && comes { self.with("desk-did-arrive", "paid", said) } else { said }
    }

    /// An event as a sentence; where that names nobody, with the division, if there are several.
    pub fn sentence(&self, event: &Event) -> String {
        let does = self.does(event);
        let of_all = matches!(
            event,
            Event::Seeded { .. }
                | Event::Drawn { .. }
                | Event::LastChanceDrawn { .. }
                | Event::Exchanged { .. }
                | Event::Awarded { .. }
        );
        match event.division().filter(|_| of_all).and_then(|division| self.division(&division)) {
            Some(name) => format!("{does} · {name}"),
            None => does,
        }
    }

    fn does(&self, event: &Event) -> String {
        let division = event.division().and_then(|number| self.state.division(number));
        let entry = |one: &EntryNo| division.map_or_else(|| format!("№ {}", one.0), |of| self.entry(of, one));
        let names_in = |number: &MatchNo| {
            let at = event.division().map(|division| MatchRef { division, number: *number });
            at.map_or_else(|| UNNAMED.to_owned(), |at| self.pair(&at).join(" – "))
        };
        let with_names = |key: &str, number: &MatchNo| self.with(key, "names", names_in(number));
        match event {
            Event::Opened { .. } => self.get("desk-did-open"),
            Event::AboutChanged { .. } => self.get("desk-did-about"),
            Event::DirectorsChanged { .. } => self.get("desk-did-directors"),
            Event::DivisionAdded { settings, .. } => {
                self.with("desk-did-division-added", "name", &settings.name)
            }
            Event::DivisionChanged { settings, .. } => {
                self.with("desk-did-division-changed", "name", &settings.name)
            }
            Event::TablesSet { .. } => self.get("desk-did-tables"),
            Event::Entered { entries, .. } => match entries.as_slice() {
                [one] => self.with("desk-did-enter", "name", self.name(&one.player)),
                several => self.count("desk-did-enter-several", &several.len()),
            },
            Event::CheckedIn { entries, here, .. } => match (entries.as_slice(), here) {
                ([one], true) => self.with("desk-did-check-in", "name", entry(one)),
                ([one], false) => self.with("desk-did-check-out", "name", entry(one)),
                (several, true) => self.count("desk-did-check-in-several", &several.len()),
                (several, false) => self.count("desk-did-check-out-several", &several.len()),
            },
            Event::Seeded { .. } => self.get("desk-did-seed"),
            Event::PoolsJoined { entry: one, .. } => self.with("desk-did-pools", "name", entry(one)),
            Event::Drawn { .. } => self.get("desk-did-draw"),
            Event::LastChanceDrawn { .. } => self.get("desk-did-last-chance"),
            Event::Seated { entry: one, lot, .. } => {
                let key = if lot.is_some() { "desk-did-seat-by-lot" } else { "desk-did-seat" };
                self.with(key, "name", entry(one))
            }
            Event::Exchanged { .. } => self.get("desk-did-exchange"),
            Event::LeavesAfter { entry: one, .. } => self.with("desk-did-leave-after", "name", entry(one)),
            Event::Withdrawn { entry: one, how, .. } => {
                let key = match how {
                    Leaving::Withdrew => "desk-did-withdraw",
                    Leaving::Disqualified => "desk-did-disqualify",
                    Leaving::EnteredAgain => "desk-did-re-enter",
                };
                self.with(key, "name", entry(one))
            }
            Event::Reinstated { entry: one, .. } => self.with("desk-did-reinstate", "name", entry(one)),
            Event::Reported { number, .. } => with_names("desk-did-report", number),
            Event::Resulted { changes, number, .. } => {
                let first = changes.iter().find(|change| change.number == *number);
                self.result(division, first).unwrap_or_else(|| with_names("desk-did-correct", number))
            }
            Event::Corrected { number, .. } => with_names("desk-did-correct", number),
            Event::Called { number, table, .. } => {
                self.fill("desk-did-call", &[("names", &names_in(number)), ("table", &table.0)])
            }
            Event::Uncalled { number, .. } => with_names("desk-did-uncall", number),
            Event::Began { number, .. } => with_names("desk-did-begin", number),
            Event::Postponed { number, .. } => with_names("desk-did-postpone", number),
            Event::Resumed { number, .. } => with_names("desk-did-resume", number),
            Event::SheetOpened { number, .. } => with_names("desk-did-sheet", number),
            Event::Booked { transfers, currency, .. } => self.booked(transfers, *currency),
            Event::Awarded { .. } => self.get("desk-did-award"),
            Event::Closed { .. } => self.get("desk-did-close"),
            Event::Reopened {} => self.get("desk-did-reopen"),
            Event::Cancelled { .. } => self.get("desk-did-cancel"),
        }
    }

    /// Money of a tournament that changed hands.
    fn booked(&self, transfers: &[Transfer], currency: Currency) -> String {
        let Some(first) = transfers.first() else { return String::new() };
        let key = match first.what {
            TransferKind::PaidIn => "desk-did-pay-in",
            TransferKind::PaidOut => "desk-did-pay-out",
            TransferKind::EntryFee
            | TransferKind::Registration
            | TransferKind::SidePool
            | TransferKind::ReEntry
            | TransferKind::Added
            | TransferKind::Kept
            | TransferKind::Prize
            | TransferKind::Refund
            | TransferKind::Returned => "desk-did-book",
        };
        let who = [first.from, first.to].into_iter().find_map(Holder::player);
        let name = who.map_or_else(String::new, |player| self.name(&player));
        self.fill(key, &[("name", &name), ("amount", &self.how_much(first.amount, currency))])
    }

    /// The result of a match, with the players who were in it.
    fn result(&self, division: Option<&Division>, change: Option<&Change>) -> Option<String> {
        let (division, change) = (division?, change?);
        let seated = change.occupants.map(|occupant| match occupant {
            Occupant::Entry(entry) => self.entry(division, &entry),
            Occupant::Nobody => self.get("slot-bye"),
            Occupant::Unknown => self.get("slot-open"),
        });
        Some(self.outcome(&seated, &change.outcome?))
    }
}

/// What its matches and divisions are called, and how they stand.
impl TournamentSentences<'_> {
    /// A sum in the tournament's currency, without its sign; empty if it has none.
    pub fn in_currency(&self, amount: impl TryInto<i64>) -> String {
        let amount = MinorUnits(amount.try_into().unwrap_or(i64::MAX));
        self.state.currency().map_or_else(String::new, |currency| self.how_much(amount, currency))
    }

    /// The name of a division; `None` if it is the only one.
    pub fn division(&self, division: &DivisionNo) -> Option<&str> {
        self.state.name_among(self.state.division(*division)?)
    }

    /// The name of an entry's player; its number if there is no such entry.
    pub fn entry(&self, of: &Division, entry: &EntryNo) -> String {
        of.entry(*entry).map_or_else(|| format!("№ {}", entry.0), |entry| self.name(&entry.player))
    }

    /// The player in a slot, or where they will come from.
    pub fn occupant(&self, of: &Division, at: &Pairing, slot: Slot) -> String {
        match at.occupant(slot) {
            Occupant::Entry(entry) => self.entry(of, &entry),
            Occupant::Nobody => self.get("slot-bye"),
            Occupant::Unknown => self.in_slot(of, &SlotContents::new(at, slot)),
        }
    }

    /// The players of a match, upper slot first.
    pub fn pair(&self, at: &MatchRef) -> [String; 2] {
        let found = self.state.match_at(*at);
        Slot::BOTH.map(|slot| found.map_or_else(String::new, |(of, found)| self.occupant(of, found, slot)))
    }

    /// The place of a match in the tournament: `Consolation · Semi-finals · to 7`.
    pub fn place(&self, at: &MatchRef) -> String {
        let Some((of, found)) = self.state.match_at(*at) else { return String::new() };
        let flight = usize::from(found.flight);
        let known = of.bracket.flights().get(flight);
        let round = known.map(|known| round_name(self, known, usize::from(found.round)));
        let mut parts: Vec<String> = self.division(&at.division).map(str::to_owned).into_iter().collect();
        if of.bracket.flights().len() > 1 {
            parts.push(flight_name(self, &of.bracket, flight));
        }
        parts.extend(round.filter(|round| parts.last() != Some(round)));
        parts.push(self.with("match-to", "points", of.length(found).points()));
        parts.extend(other_game(self, of.settings.game.variant));
        parts.join(" · ")
    }

    /// The state of a match without a result: called, postponed or ready. `None` if it is waiting for a
    /// player.
    pub fn going(&self, at: &MatchRef) -> Option<String> {
        let room = &self.state.room;
        match (room.calls.get(at), room.postponed.get(at)) {
            (Some(call), _) if call.began_at.is_some() => {
                Some(self.with("playing-at", "table", call.table.0))
            }
            (Some(call), _) => Some(self.with("called-to", "table", call.table.0)),
            (None, Some(Some(until))) => Some(self.with("desk-postponed-until", "time", self.time(until))),
            (None, Some(None)) => Some(self.get("desk-postponed")),
            (None, None) => room.ready_since.contains_key(at).then(|| self.get("ready")),
        }
    }

    /// The outcome of a match, or its state without one; empty if it is waiting for a player.
    pub fn standing(&self, at: &MatchRef) -> String {
        let outcome = self.state.match_at(*at).and_then(|(_, found)| found.outcome);
        let said = outcome.map(|outcome| self.outcome(&self.pair(at), &outcome));
        said.or_else(|| self.going(at)).unwrap_or_default()
    }

    /// The outcome of a match between these two, as a sentence.
    pub fn outcome(&self, names: &[String; 2], outcome: &Outcome) -> String {
        let [upper, lower] = names;
        let Some(winner) = outcome.winner else {
            let nobody_came = || self.fill("desk-nobody-came", &[("one", upper), ("other", lower)]);
            let is_needed = outcome.ending != Ending::NotNeeded;
            return if is_needed { nobody_came() } else { self.get("ending-not-needed") };
        };
        let [winner_name, loser] = winner.first([upper, lower]);
        let key = match outcome.ending {
            Ending::Played => "desk-beats",
            Ending::Conceded => "desk-concedes",
            Ending::Walkover => "desk-walks-over",
            Ending::Forfeit | Ending::DoubleForfeit => "desk-forfeits",
            Ending::Disqualified => "desk-disqualified",
            Ending::Withdrawn => "desk-has-left",
            Ending::Bye => "desk-has-bye",
            Ending::NotNeeded => return self.get("ending-not-needed"),
        };
        let said = self.fill(key, &[("winner", winner_name), ("loser", loser)]);
        match outcome.score {
            Some(points) => {
                let [won, lost] = winner.first(points);
                format!("{said} {won}–{lost}")
            }
            None => said,
        }
    }
}
