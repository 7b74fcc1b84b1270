//! The `owlbox` program.

use std::process::ExitCode;

use clap::Parser as _;
use owlbox::cli::args::{Command, CommandLine};
use owlbox::cli::serve;
use owlbox::config::Config;

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let config = match Config::load(line.config.as_deref()) {
        Ok(config) => config,
        Err(mistakes) => {
            eprintln!("owlbox: {mistakes}");
            return ExitCode::from(2);
        }
    };
    let outcome = match line.command {
        Command::Serve => serve::serve(config),
        _ => Ok(()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("owlbox: {error}");
            ExitCode::FAILURE
        }
    }
}
