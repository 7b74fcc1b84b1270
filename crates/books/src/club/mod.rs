//! The club: its players, their logins and roles, and the club's settings.
//!
//! * [`players`] and [`settings`]: checked values about people and the club.
//! * [`bank`]: accounts at banks.
//! * [`house_rules`]: the club's own sets of house rules.
//! * [`seasons`]: the club's seasons, and the table of each by its rule.
//! * [`state`], [`event`], [`refusal`]: the club as a stream of events: players, logins, settings, house
//!   rules.
//! * [`language`]: the languages of the pages.
//! * [`login`]: the name that a person signs in with.
//! * [`meant`]: who is meant by a typed name.
//!
//! Nothing here does I/O or reads a clock. Credentials (password hashes, refresh tokens, counts of failed
//! attempts) and people's details are plain records in the store. The desk looks after them.

pub mod bank;
pub mod event;
pub mod house_rules;
pub mod language;
pub mod login;
pub mod meant;
pub mod players;
pub mod refusal;
pub mod seasons;
pub mod settings;
pub mod settings_change;
pub mod state;

pub use event::{Event, EventKind};
pub use house_rules::{RuleSet, RuleSetName};
pub use language::Language;
pub use login::Login;
pub use refusal::{Allowed, Refusal};
pub use settings::Settings;
pub use settings_change::SettingsChange;
pub use state::{Club, Command};
