//! What the books and the statistics make of nights at tables, played as the chouette's own tests play them.

#[allow(dead_code, reason = "a kit of the chouette's tests: not every test needs all of it")]
#[path = "../../../chouette/src/tests/night.rs"]
mod night;
#[path = "../../../chouette/src/tests/random_nights/walk.rs"]
mod walk;

mod counted_twice;
mod posted;
