//! The daybook as an aggregate: how its stream decides commands, applies and reads events.

use serde_json::value::RawValue;

use super::event::{Event, EventKind};
use super::state::Daybook;
use super::{Command, Refusal, decide};
use owlbox_base::journal::{self, Aggregate, BrokenHistory, Inputs};
use owlbox_base::values::Timestamp;

impl Aggregate for Daybook {
    type Command = Command;
    type Event = Event;
    type Kind = EventKind;
    type Refusal = Refusal;

    const KIND: &'static str = "daybook";
    /// Since format 2 the limit of one person covers more than single adjustments, and events say who went
    /// without a second.
    const FORMAT: i16 = 2;
    const SAME_FORM_SINCE: i16 = 1;

    fn initial() -> Self {
        Self::default()
    }

    fn decide(&self, command: &Command, _: &mut Inputs<'_>) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, command)
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        self.take_note(event, at);
    }

    fn decode(format: i16, payload: &str) -> Result<Event, BrokenHistory> {
        journal::decode::<Self>(format, payload)
    }

    fn encode(event: &Event) -> Result<Box<RawValue>, BrokenHistory> {
        journal::encode::<Self>(event)
    }
}
