//! The command line: what can be asked of the program. Each command is carried out in a file of its
//! own; this room reads words, and leaves every rule to the rooms below.

pub mod args;
pub mod serve;
