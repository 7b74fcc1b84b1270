//! The club's own stream: its settings and its house rules. And who is sent what happens in it
//! ([`webhooks`]).

pub mod house_rules;
pub(crate) mod settings;
pub mod stream;
pub mod webhooks;
