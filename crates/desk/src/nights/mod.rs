//! Nights and what they come to: the night in play, settling it up, and the statistics of periods and
//! seasons.

pub mod debts;
pub mod night;
pub mod periods;
pub mod seasons;
pub mod settling;
pub mod statistics;
