//! The events of a command.

use chrono::NaiveDate;

use super::closing::{Closing, Month};
use super::state::{Daybook, Entry, Status};
use super::{Authority, Command, Event, Record, Refusal};

pub(super) fn decide(daybook: &Daybook, command: &Command) -> Result<Vec<Event>, Refusal> {
    Ok(vec![match command {
        Command::Record { recorded, word } => {
            recorded.what.check()?;
            if let Some((day, closed)) = past_game_in_a_closed_month(daybook, &recorded.what) {
                return Err(Refusal::ClosedDay { day, closed });
            }
            if recorded.memo.is_none() && recorded.what.needs_reason() {
                return Err(Refusal::ReasonNeeded);
            }
            let (entry, recorded) = (daybook.len() + 1, recorded.clone());
            match *word {
                Authority::Alone(by) => Event::Recorded { entry, recorded, by },
                Authority::Proposed(by) => Event::Proposed { entry, recorded, by },
            }
        }
        Command::Approve { entry, by } => {
            if proposer(daybook, *entry)? == *by {
                return Err(Refusal::SecondPerson { entry: *entry });
            }
            Event::Approved { entry: *entry, by: *by }
        }
        Command::Decline { entry, by, reason } => {
            proposer(daybook, *entry)?;
            Event::Declined { entry: *entry, by: *by, reason: reason.clone() }
        }
        Command::TakeBack { entry, reason, word } => {
            let (entry, status) = (*entry, found(daybook, *entry)?.status);
            match (status, *word) {
                (Status::Posted, Authority::Alone(by)) => {
                    Event::TakenBack { entry, reason: reason.clone(), by }
                }
                (Status::Posted, Authority::Proposed(by)) => {
                    Event::TakeBackProposed { entry, reason: reason.clone(), by }
                }
                (Status::TakingBack(_), _) => return Err(Refusal::SecondPerson { entry }),
                (Status::Proposed(_) | Status::Declined | Status::TakenBack, _) => {
                    return Err(Refusal::NotPosted { entry });
                }
            }
        }
        Command::CloseMonth { month, stands } => match daybook.closing() {
            Closing(Some(closed)) if *month <= closed => return Err(Refusal::MonthClosed { closed }),
            Closing(_) => Event::MonthClosed { month: *month, stands: stands.clone() },
        },
        Command::ReopenMonth { month, transactions, reason } => match daybook.closing() {
            Closing(Some(closed)) if *month <= closed => {
                Event::MonthReopened { month: *month, transactions: *transactions, reason: reason.clone() }
            }
            Closing(_) => return Err(Refusal::MonthOpen { month: *month }),
        },
    }])
}

/// The first past game whose day is in a closed month, and up to which month the books are closed. Anything
/// else that belongs to such a day counts for the day of posting; a game's day is all that the table of past
/// games is about.
fn past_game_in_a_closed_month(daybook: &Daybook, what: &Record) -> Option<(NaiveDate, Month)> {
    let closing = daybook.closing();
    let game = what.past_games()?.iter().find(|game| closing.covers(game.on))?;
    closing.0.map(|closed| (game.on, closed))
}

fn found(daybook: &Daybook, entry: u32) -> Result<&Entry, Refusal> {
    daybook.entry(entry).ok_or(Refusal::NoSuchRecord { entry, records: daybook.len() })
}

/// Who proposed what waits for approval: a record, or to take it back.
fn proposer(daybook: &Daybook, entry: u32) -> Result<owlbox_base::values::AccountId, Refusal> {
    match found(daybook, entry)?.status {
        Status::Proposed(by) | Status::TakingBack(by) => Ok(by),
        Status::Posted | Status::Declined | Status::TakenBack => Err(Refusal::NotProposed { entry }),
    }
}
