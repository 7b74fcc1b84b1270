//! The implementations of [`Subject`](crate::commands::subject::Subject), one for each kind of stream.
//!
//! They sit above the modules of the three kinds, so that `matches` and `tournaments` need not know each
//! other. Acts shared by both are in `sheets`.

mod chouettes;
mod matches;
pub(crate) mod sheets;
mod tournaments;
