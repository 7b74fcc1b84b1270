//! What differs on the one road for each kind of stream: the implementations of [`Subject`](crate::subject::Subject).
//!
//! They stand above the rooms of the three kinds, so that `matches` and `tournaments` need not know each other: what is one
//! act of both is in `sheets`.

mod chouettes;
mod matches;
mod tournaments;
