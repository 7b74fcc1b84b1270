//! The command behind a recorded event.

use super::{Command, Daybook, Event};
use crate::journal::again::{Accountable, Asked};

impl Accountable for Daybook {
    const DECIDES_SINCE: i16 = 1;
    const SEVERAL: bool = false;
    const KEPT: usize = 0;

    fn asked(&self, event: &Event, _: &[Event]) -> Vec<Asked<Command>> {
        let command = match event.clone() {
            Event::Recorded { recorded, .. } => Command::Record { recorded, proposed_by: None },
            Event::Proposed { recorded, by, .. } => Command::Record { recorded, proposed_by: Some(by) },
            Event::Approved { entry, by } => Command::Approve { entry, by },
            Event::Declined { entry, by, reason } => Command::Decline { entry, by, reason },
            Event::TakenBack { entry, reason } => Command::TakeBack { entry, reason },
            Event::MonthClosed { month, stands } => Command::CloseMonth { month, stands },
            Event::MonthReopened { month, transactions, reason } => {
                Command::ReopenMonth { month, transactions, reason }
            }
        };
        vec![command.into()]
    }
}
