//! The daybook: what the treasurer records, apart from tables, matches and tournaments. One stream for the
//! club.
//!
//! A [`Record`] is a payment, a fee, opening balances, past games, an adjustment, an expense or income of the
//! club, a deposit at the bank or a count of the drawer. Each has a number and a day. None is ever edited: it
//! is *taken back* by its number, at any time and in any order, which posts its reversal. What is above the
//! club's limit for one person ([`alone`]) is *proposed*, and happens once a second person has approved it.
//!
//! Months are *closed* in order: everything up to the end of a month. What is posted later for a day in a
//! closed month counts for the day of posting instead, so a closed month never changes. [`closing`] has that
//! rule.
//!
//! * [`record`]: the records, and what each moves between accounts.
//! * [`alone`]: what one person may record and take back without a second.
//! * [`closing`]: months, closing and the day a transaction counts for.
//! * [`import`]: opening balances and past games from a table (CSV).
//! * [`command`], [`event`], [`refusal`]: the language of the stream.
//! * [`state`]: the state; `decide`: the events of a command; `asked`: the command behind recorded events.

mod aggregate;
pub mod alone;
mod asked;
pub mod closing;
pub mod command;
mod decide;
pub mod event;
pub mod import;
pub mod record;
pub mod refusal;
pub mod state;
#[cfg(test)]
mod tests;

/// The most players, balances or games in one record.
pub const MOST_AT_ONCE: usize = 5_000;

pub use alone::Bookkeeper;
pub use closing::{Closing, Month, counts_for};
pub use command::{Authority, Command, CommandKind, DaybookCommand, Stands};
pub use event::{Event, EventKind};
pub use record::{
    FeeKind, Means, Memo, Money, Move, MoveKind, OpeningBalance, PastGame, Record, Recorded,
    RecordedTransaction, Sum, Way,
};
pub use refusal::{Allowed, Refusal};
pub use state::{Daybook, Entry, Status};
