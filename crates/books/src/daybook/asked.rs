//! The command behind a recorded event.

use super::{Authority, Command, Daybook, Event};
use owlbox_base::journal::again::{Accountable, PossibleCommand};

impl Accountable for Daybook {
    const DECIDES_SINCE: i16 = 1;
    const SEVERAL: bool = false;
    const KEPT: usize = 0;

    fn asked(&self, event: &Event, _: &[Event]) -> Vec<PossibleCommand<Command>> {
        let command = match event.clone() {
            Event::Recorded { recorded, by, .. } => Command::Record { recorded, word: Authority::Alone(by) },
            Event::Proposed { recorded, by, .. } => {
                Command::Record { recorded, word: Authority::Proposed(by) }
            }
            Event::Approved { entry, by } => Command::Approve { entry, by },
            Event::Declined { entry, by, reason } => Command::Decline { entry, by, reason },
            Event::TakenBack { entry, reason, by } => {
                Command::TakeBack { entry, reason, word: Authority::Alone(by) }
            }
            Event::TakeBackProposed { entry, reason, by } => {
                Command::TakeBack { entry, reason, word: Authority::Proposed(by) }
            }
            Event::MonthClosed { month, stands } => Command::CloseMonth { month, stands },
            Event::MonthReopened { month, transactions, reason } => {
                Command::ReopenMonth { month, transactions, reason }
            }
        };
        vec![command.into()]
    }
}
