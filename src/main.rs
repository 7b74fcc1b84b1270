//! The `owlbox` program.
fn main() {}
