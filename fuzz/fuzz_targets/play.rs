//! See `targets::play`.
#![no_main]

#[path = "../targets.rs"]
#[allow(dead_code, reason = "one target a program")]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::play(data));
