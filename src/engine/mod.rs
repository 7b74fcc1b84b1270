//! The game itself, whoever plays it: for now its cube and its results.
//!
//! * [`cube`]: the doubling cube (C1 to C4, C10).
//! * [`result`]: the kinds of win (G14).
//!
//! Pure: no I/O, no clock, no chance.

pub mod cube;
pub mod result;

pub use cube::{CannotDouble, Cube, CubeValue, Offer, Owner};
pub use result::Win;
