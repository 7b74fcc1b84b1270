//! The `owlbox` program.

use std::process::ExitCode;

use clap::Parser as _;
use owlbox::cli;

fn main() -> ExitCode {
    cli::run(&cli::args::CommandLine::parse())
}
