//! The club: its people, their logins, what each may do, and the club's settings.
//!
//! * [`players`] and [`settings`]: checked values about people and the club.
//! * [`house_rules`]: the club's own sets of house rules.
//! * [`state`]: the club as a stream of events: players, logins, settings, house rules.
//! * [`login`]: what one signs in with.
//!
//! Nothing here does I/O or reads a clock. Credentials (password hashes, refresh tokens, counts of failed attempts) and
//! people's details are plain records kept by the store, and belong to the desk.

pub mod house_rules;
pub mod login;
pub mod players;
pub mod settings;
pub mod state;

pub use house_rules::{RuleSet, RuleSetName};
pub use login::Login;
pub use settings::Settings;
pub use state::{Allowed, Club, Command, Event, Refusal};
