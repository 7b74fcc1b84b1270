//! The commands that ask the engine and need no club.

pub mod convert;
