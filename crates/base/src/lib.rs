//! What all rooms of the domain are made of, without I/O: no clock, no randomness, no database, no HTTP.
//!
//! A module imports only modules above it in this list:
//!
//! * [`values`], [`text`]: half points, money, ids and times; checked text.
//! * [`journal`]: event streams, acts and undo.
//! * [`permissions`]: roles, what each may do, and what a command may require.
//! * [`code`]: the stable codes of refusals.
//! * [`json`], [`read_by_value`], [`refusals`]: how the commands of a stream are read, and how it defines
//!   what it refuses.

// In a test a wildcard arm is safe: the test panics on a variant it does not know.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod code;
pub mod journal;
pub mod json;
mod listed;
pub mod permissions;
pub mod text;
pub mod values;
