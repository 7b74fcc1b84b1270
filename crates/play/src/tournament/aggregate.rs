//! Makes a [`Tournament`] an [`Aggregate`]: how its stream decides commands and applies events.

use serde_json::value::RawValue;

use super::command::Command;
use super::decide;
use super::event::{Event, EventKind};
use super::refusal::Refusal;
use super::state::Tournament;
use owlbox_base::journal::{self, Aggregate, BrokenHistory, Inputs};
use owlbox_base::values::Timestamp;

impl Aggregate for Tournament {
    type Command = Command;
    type Event = Event;
    type Kind = EventKind;
    type Refusal = Refusal;

    const KIND: &'static str = "tournament";
    /// Format 2 has the JSON of format 1, but some commands lead to other events. Verification therefore
    /// decides only events of format 2 again.
    const FORMAT: i16 = 3;
    const SAME_FORM_SINCE: i16 = 1;

    fn initial() -> Self {
        Self::default()
    }

    fn decide(&self, command: &Command, inputs: &mut Inputs<'_>) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, command, inputs)
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        self.take_note(event, at);
    }

    /// Reports are left out of undo: taking back a director's act must not take back what the players said.
    fn stands_aside(event: &Event) -> bool {
        matches!(event, Event::Reported { .. })
    }

    fn decode(format: i16, payload: &str) -> Result<Self::Event, BrokenHistory> {
        journal::decode::<Self>(format, payload)
    }

    fn encode(event: &Self::Event) -> Result<Box<RawValue>, BrokenHistory> {
        journal::encode::<Self>(event)
    }
}
