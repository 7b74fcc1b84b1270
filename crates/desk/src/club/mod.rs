//! The club's own stream: its settings and its house rules.

pub mod house_rules;
pub(crate) mod settings;
pub mod stream;
