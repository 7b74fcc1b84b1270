//! See `targets::json`.
#![no_main]

#[path = "../targets.rs"]
#[allow(dead_code, reason = "one target a program")]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::json(data));
