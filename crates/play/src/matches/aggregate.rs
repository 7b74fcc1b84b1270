//! A sheet as an aggregate of the journal.

use serde_json::value::RawValue;

use super::command::Command;
use super::decide;
use super::event::{Event, EventKind};
use super::refusal::Refusal;
use super::state::Sheet;
use owlbox_base::journal::{self, Aggregate, BrokenHistory, Inputs};
use owlbox_base::values::Timestamp;

impl Aggregate for Sheet {
    type Command = Command;
    type Event = Event;
    type Kind = EventKind;
    type Refusal = Refusal;

    const KIND: &'static str = "match";
    /// 2: decided again when a journal is verified. 3: nobody judges a match between members in which they
    /// play. 4: no payments while something is contested, and the players do not set the clock of a
    /// tournament match.
    const FORMAT: i16 = 4;
    const SAME_FORM_SINCE: i16 = 1;

    fn initial() -> Self {
        Self::unopened()
    }

    fn decide(&self, command: &Command, inputs: &mut Inputs<'_>) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, command, inputs)
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        self.take_note(event, at);
    }

    fn decode(format: i16, payload: &str) -> Result<Self::Event, BrokenHistory> {
        journal::decode::<Self>(format, payload)
    }

    fn encode(event: &Self::Event) -> Result<Box<RawValue>, BrokenHistory> {
        journal::encode::<Self>(event)
    }
}
