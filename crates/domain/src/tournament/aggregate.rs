//! What binds a tournament together for its stream: what is decided, and what happens to it.

use super::command::Command;
use super::decide;
use super::event::{Event, EventKind};
use super::refusal::Refusal;
use super::state::Tournament;
use crate::journal::{Aggregate, Inputs};
use crate::values::Timestamp;

impl Aggregate for Tournament {
    type Command = Command;
    type Event = Event;
    type Kind = EventKind;
    type Refusal = Refusal;

    const KIND: &'static str = "tournament";
    /// 2: decided again by whoever verifies.
    const FORMAT: i16 = 2;
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

    fn stands_aside(event: &Event) -> bool {
        matches!(event, Event::Reported { .. })
    }
}
