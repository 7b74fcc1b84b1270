//! Positions and plays as text.
//!
//! * [`play`]: plays in standard notation, such as `24/18*/16 8/5(2)`.
//! * [`box_points`]: plays with the points 1 to 12 and 1A to 12A; [`absolute`]: points 1 to 24 for both
//!   sides; [`PointNames`] chooses among the three.
//! * [`gnu`]: GNU Backgammon's position ID and match ID.
//! * [`xgid`]: both in one line, as XG writes them.
//! * [`state`]: what these IDs hold besides the position.
//! * [`board`]: a position drawn as text.

pub mod absolute;
pub mod board;
pub mod box_points;
mod cursor;
pub mod gnu;
pub mod play;
mod point_names;
pub mod state;
#[cfg(test)]
mod tests;
pub mod xgid;

pub use point_names::PointNames;
