//! The `owlbox` program.

use std::process::ExitCode;

use clap::Parser as _;
use owlbox::cli;

/// A command allocates a few hundred times on its way. This allocator is measurably faster at that than the
/// system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run(&cli::args::CommandLine::parse())
}
