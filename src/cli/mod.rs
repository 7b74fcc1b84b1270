//! The command line: what can be asked of the program. Each command is carried out in a file of its
//! own; this room reads words, and leaves every rule to the rooms below.
//!
//! What a command has to say goes to standard output, what is wrong goes to standard error in one
//! line. The exit status is 0 if all is well, 1 if the command was not carried out or found something
//! wrong, 2 if it could not begin: wrong arguments, wrong settings.

pub mod admin;
pub mod args;
pub mod backup;
pub mod demo;
pub mod draw;
pub mod engine;
pub mod night;
pub mod serve;
pub mod verify;

use std::io::Write as _;
use std::process::ExitCode;

use args::{Admin, Command, CommandLine};

use owlbox_web::config::{Config, Mistakes};

/// Why a command of the command line was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error(transparent)]
    Config(#[from] Mistakes),
    /// The service did not run.
    #[error(transparent)]
    Serve(#[from] serve::ServeError),
    /// The database is not what the journal says, or could not be read.
    #[error(transparent)]
    Verify(#[from] owlbox_desk::verify::Unverified),
    /// The copy was not made, or not put back.
    #[error(transparent)]
    Backup(#[from] backup::BackupError),
    #[error(transparent)]
    Demo(#[from] demo::DemoError),
    /// The night was not played.
    #[error(transparent)]
    Night(#[from] night::NightError),
    /// The engine was not asked, or had no answer.
    #[error(transparent)]
    Engine(engine::EngineError),
    /// What there was to say could not be written.
    #[error("standard output: {0}")]
    Output(#[from] std::io::Error),
}

impl From<engine::EngineError> for Failed {
    fn from(error: engine::EngineError) -> Self {
        if let engine::EngineError::Output(error) = error { Self::Output(error) } else { Self::Engine(error) }
    }
}

/// Carries out what was asked, and says what went wrong.
#[must_use]
pub fn run(line: &CommandLine) -> ExitCode {
    match carry_out(line) {
        // Whoever reads has read enough.
        Err(Failed::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            // Whoever reads may have gone.
            let _ = writeln!(std::io::stderr(), "owlbox: {failed}");
            ExitCode::from(if matches!(failed, Failed::Config(_)) { 2 } else { 1 })
        }
    }
}

fn carry_out(line: &CommandLine) -> Result<(), Failed> {
    let config = || Config::load(line.config.as_deref());
    match &line.command {
        Command::Serve => Ok(serve::serve(config()?)?),
        Command::Verify => print(&verify::verify(&config()?.database.url)?.to_string()),
        Command::Night(night) => print(&night::night(&night.file)?),
        Command::Backup(asked) => print(&backup::backup(&config()?.database.url, &asked.file)?),
        Command::Restore(asked) => {
            print(&backup::restore(&asked.file, &config()?.database.url, asked.replace)?)
        }
        Command::Demo => Ok(demo::demo(config()?)?),
        Command::Admin(Admin::Create(asked)) => Ok(admin::create(&config()?, asked)?),
        Command::Plays(asked) => {
            Ok(engine::plays::plays(*asked, std::io::stdin().lock(), std::io::stdout().lock())?)
        }
        Command::Perft(asked) => Ok(engine::perft::perft(asked, std::io::stdout().lock())?),
        Command::Convert(asked) => Ok(engine::convert::convert(asked, std::io::stdout().lock())?),
        Command::Show(asked) => print(&engine::show::show(asked)?),
        Command::Play(asked) => Ok(engine::play::play(asked, std::io::stdout().lock())?),
        Command::Opening(asked) => print(&engine::tables::opening(asked)),
        Command::Shots(asked) => print(&engine::tables::shots(asked)?),
        Command::Draw(asked) => Ok(draw::draw(asked, std::io::stdout().lock())?),
    }
}

/// Says something, with an end of line.
fn print(text: &str) -> Result<(), Failed> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
