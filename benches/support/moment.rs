//! Whether a bench is measured or only tried.
//!
//! `cargo bench` hands every bench `--bench`. Without it - `cargo test` runs the benches too - a bench runs
//! for a moment, on little: its figures mean nothing, but it still compiles, and all that it does is still done.

/// The program's own (`src/main.rs`): what is measured here allocates as it does there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `whole` where it is measured, `little` where it is only tried.
pub fn measured_or<T>(little: T, whole: T) -> T {
    if std::env::args().any(|argument| argument == "--bench") { whole } else { little }
}
