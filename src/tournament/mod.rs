//! Knock-out tournaments: matches, flights, the draw, results and their corrections.

pub mod bracket;
pub mod clock;
pub mod draw;
pub mod payout;
pub mod rating;
pub mod score;
