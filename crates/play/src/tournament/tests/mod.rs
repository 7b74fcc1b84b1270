//! Tests of whole tournaments. Players are numbers, lots come from a fixed seed, and each command comes a
//! second after the one before.

mod drawing;
mod entries;
mod leaving;
mod money;
mod naive;
mod refusals;
mod results;
mod room;
mod walk;

use serde_json::{Value, json};
use uuid::Uuid;

use super::bracket::tests::Lots;
use super::bracket::{EntryNo, Pairing};
use super::division::Division;
use super::room::{DivisionNo, MatchRef};
use super::{Command, Event, Refusal, Tournament};
use crate::matches::{MatchNo, Slot};
use owlbox_base::journal::{Aggregate, Chance, Inputs};
use owlbox_base::values::{PlayerId, Timestamp};

const FIRST: DivisionNo = DivisionNo(1);

/// The player with this number.
fn player(number: u32) -> PlayerId {
    PlayerId(Uuid::from_u128(number.into()))
}

fn moment(second: i64) -> Timestamp {
    chrono::DateTime::from_timestamp(second, 0).unwrap().into()
}

impl Chance for Lots {
    fn below(&mut self, sides: u32) -> u32 {
        u32::try_from(Self::below(self, sides as usize)).unwrap()
    }
}

/// A tournament under test, and all events recorded so far.
struct TestTournament {
    now: Tournament,
    acts: Vec<(Timestamp, Vec<Event>)>,
    lots: Lots,
    second: i64,
}

impl TestTournament {
    /// An open tournament with one division that has these settings.
    fn with(settings: Value) -> Self {
        let mut tournament = Self::closed(1);
        tournament.good(
            json!({"command": "open", "about": {"name": "Owl", "date": "2026-11-21", "currency": "EUR"}}),
        );
        tournament.good(json!({"command": "add_division", "settings": settings}));
        tournament
    }

    fn closed(seed: u64) -> Self {
        Self { now: Tournament::default(), acts: Vec::new(), lots: Lots::new(seed), second: 0 }
    }

    /// A division with this many entries, drawn by hand into these slots; 0 is a bye.
    fn drawn(settings: Value, entries: u32, slots: &[u32]) -> Self {
        let mut tournament = Self::with(settings);
        tournament.enter(1..=entries);
        tournament.draw(slots);
        tournament
    }

    /// The answer to a command, without carrying it out.
    fn asks(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        let now = moment(self.second + 1);
        self.now.decide(command, &mut Inputs { now, chance: &mut self.lots })
    }

    fn does(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        let events = self.asks(command)?;
        self.second += 1;
        events.iter().for_each(|event| self.now.apply(event, moment(self.second)));
        self.acts.push((moment(self.second), events.clone()));
        Ok(events)
    }

    #[track_caller]
    fn good(&mut self, command: Value) -> Vec<Event> {
        let command: Command = serde_json::from_value(command).unwrap();
        self.does(&command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
    }

    #[track_caller]
    fn refused(&mut self, command: Value) -> Refusal {
        let command: Command = serde_json::from_value(command).unwrap();
        match self.asks(&command) {
            Ok(events) => panic!("{command:?} was not refused: {events:?}"),
            Err(refusal) => refusal,
        }
    }

    #[track_caller]
    fn enter(&mut self, players: impl IntoIterator<Item = u32>) {
        let entries: Vec<Value> =
            players.into_iter().map(|number| json!({"player": player(number)})).collect();
        self.good(json!({"command": "enter", "entries": entries}));
    }

    #[track_caller]
    fn draw(&mut self, slots: &[u32]) {
        self.good(json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
    }

    /// Enters a played result of the match, with this slot as the winner.
    #[track_caller]
    fn won(&mut self, number: u32, winner: Slot) {
        let ended = self.played(number, winner);
        self.good(json!({"command": "result", "match": number, "ended": ended}));
    }

    fn played(&self, number: u32, winner: Slot) -> Value {
        let length = self.division().length(self.at(number)).points();
        let score = if winner == Slot::Upper { [length, 0] } else { [0, length] };
        json!({"ending": "played", "score": score})
    }

    fn division(&self) -> &Division {
        self.now.division(FIRST).unwrap()
    }

    #[track_caller]
    fn at(&self, number: u32) -> &Pairing {
        self.division().bracket.get(MatchNo(number)).unwrap()
    }

    /// The entries in a match: 0 stands for nobody, or nobody yet.
    #[track_caller]
    fn sit(&self, number: u32) -> [u32; 2] {
        self.at(number).occupants.map(|occupant| occupant.entry().map_or(0, |entry| entry.0))
    }

    fn standing(&self, entry: u32) -> super::entry::EntryStanding {
        self.division().entry(EntryNo(entry)).unwrap().standing
    }

    /// The state after this many acts, rebuilt from the events, each through its JSON.
    fn replayed(&self, acts: usize) -> Tournament {
        let mut state = Tournament::initial();
        for (at, events) in self.acts.iter().take(acts) {
            for event in events {
                let payload = serde_json::to_string(event).unwrap();
                state.apply(&Tournament::decode(Tournament::FORMAT, &payload).unwrap(), *at);
            }
        }
        state
    }
}

fn match_ref(number: u32) -> MatchRef {
    MatchRef { division: FIRST, number: MatchNo(number) }
}
