//! The cache of states, and who listens to acts as they happen.

pub mod listening;
pub mod live;
pub mod memory;
pub mod whole_club;
