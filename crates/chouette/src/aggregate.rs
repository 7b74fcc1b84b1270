//! The chouette as an aggregate: how its stream decides commands, applies events and reads old formats.

use serde_json::value::RawValue;

use crate::command::Command;
use crate::decide;
use crate::event::{Event, EventKind};
use crate::refusal::Refusal;
use crate::rules::old;
use crate::state::Chouette;
use owlbox_base::journal::{self, Aggregate, BrokenHistory, Inputs};
use owlbox_base::values::Timestamp;

impl Aggregate for Chouette {
    type Command = Command;
    type Event = Event;
    type Kind = EventKind;
    type Refusal = Refusal;

    const KIND: &'static str = "chouette";
    /// Format 2: nested house rules, and rolls of several dice. Format 3: from here on, verification decides
    /// acts again.
    const FORMAT: i16 = 3;
    const SAME_FORM_SINCE: i16 = 2;

    fn initial() -> Self {
        Self::default()
    }

    fn decide(&self, command: &Command, inputs: &mut Inputs<'_>) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, command, inputs)
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        self.take_note(event, at);
    }

    fn decode(format: i16, payload: &str) -> Result<Event, BrokenHistory> {
        let broken = |error: &dyn std::fmt::Display| BrokenHistory(format!("chouette event: {error}"));
        match format {
            1 => {
                let event = old::event(payload).map_err(|error| broken(&error))?;
                serde_json::from_value(event).map_err(|error| broken(&error))
            }
            Self::SAME_FORM_SINCE..=Self::FORMAT => {
                serde_json::from_str(payload).map_err(|error| broken(&error))
            }
            _ => Err(BrokenHistory(format!("chouette events of format {format} are unknown"))),
        }
    }

    fn encode(event: &Event) -> Result<Box<RawValue>, BrokenHistory> {
        journal::encode::<Self>(event)
    }
}
