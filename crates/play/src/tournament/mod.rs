//! Knock-out tournaments: entries, flights, the draw, matches, results and their corrections.
//!
//! [`bracket`], [`draw`], [`pasted`], [`payout`] and [`rating`] are plain functions. [`Tournament`] is the
//! stream, with its [`command`]s, [`event`]s and [`refusal`]s. `decide/` turns commands into events, one file
//! for each subject, and `aggregate` makes the [`Aggregate`](owlbox_base::journal::Aggregate) of it all.
//!
//! Each module imports only those before it in this order: the plain functions, [`about`], [`money`],
//! [`room`], [`settings`]; [`event`], [`refusal`], [`command`], `aspects`; [`entry`], [`division`]; `state`,
//! [`ending`], [`prizes`]; `decide`, then [`legal`] and [`view`], then [`offers`] and [`queue`]; `asked`,
//! `shared`, `aggregate`.

pub mod about;
mod aggregate;
mod asked;
mod aspects;
pub mod bracket;
pub mod command;
mod decide;
pub mod division;
pub mod draw;
pub mod ending;
pub mod entry;
pub mod event;
pub mod legal;
pub mod money;
pub mod offers;
pub mod pasted;
pub mod payout;
pub mod prizes;
pub mod queue;
pub mod rated;
pub mod rating;
pub mod refusal;
pub mod room;
pub mod settings;
mod shared;
mod state;
#[cfg(test)]
mod tests;
pub mod view;

pub use aspects::{AboutWhom, CommandAspect, EventAspects};
pub use command::{Command, CommandKind};
pub use decide::{MOST_CALLED_AT_ONCE, MOST_DIRECTORS, MOST_DIVISIONS, MOST_ENTRIES, MOST_SEATED_AT_ONCE};
pub use event::{Event, EventKind};
pub use refusal::{Allowed, Refusal};
pub use state::Tournament;
