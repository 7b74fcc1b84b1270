//! Whether a bench is measured or only tried.
//!
//! `cargo bench` passes `--bench` to every bench. Without it, as under `cargo test`, a bench runs briefly on
//! little data: its figures mean nothing, but all of its code still compiles and runs.

/// The same allocator as in the program (`src/main.rs`), so that the figures apply to it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `whole` if the bench is measured, `little` if it is only tried.
pub fn measured_or<T>(little: T, whole: T) -> T {
    if std::env::args().any(|argument| argument == "--bench") { whole } else { little }
}
