//! What is read without the store: the cache, and the acts that live streams are told of.

pub mod listening;
pub mod live;
pub mod memory;
