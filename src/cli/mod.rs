//! The command line: one file for each command. This module parses and dispatches; all rules are in the
//! crates below.
//!
//! Results go to standard output, and an error goes to standard error as one line. The exit status is 0 for
//! success, 1 if the command failed or found something wrong, and 2 if it could not begin because of wrong
//! arguments or settings.

pub mod admin;
pub mod args;
pub mod backup;
pub mod books;
pub mod club;
pub mod demo;
pub mod draw;
pub mod engine;
pub mod export;
pub mod night;
pub mod person;
pub mod serve;
pub mod verify;

use std::io::Write as _;
use std::process::ExitCode;

use args::{Admin, Command, CommandLine};
use club::{ClubError, Purpose, chosen};
use export::ExportError;

use owlbox_desk::exports::NotExported;
use owlbox_web::config::{Config, Mistakes};

/// Why a command failed: one variant for each group of commands.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error(transparent)]
    Config(#[from] Mistakes),
    /// The service could not start, or failed while it ran.
    #[error(transparent)]
    Serve(#[from] serve::ServeError),
    /// The database does not match the journal, or cannot be read.
    #[error(transparent)]
    Verify(#[from] owlbox_desk::verify::Unverified),
    /// The backup was not made, or not restored.
    #[error(transparent)]
    Backup(#[from] backup::BackupError),
    /// A command about the books or a person failed.
    #[error(transparent)]
    Books(#[from] books::BooksError),
    /// The books were not exported.
    #[error(transparent)]
    Export(ExportError),
    /// A command about the clubs failed, or one that is about no club.
    #[error(transparent)]
    Club(#[from] ClubError),
    #[error(transparent)]
    Demo(#[from] demo::DemoError),
    /// The night was not played to its end.
    #[error(transparent)]
    Night(#[from] night::NightError),
    /// A command of the engine failed.
    #[error(transparent)]
    Engine(engine::EngineError),
    /// Standard output could not be written.
    #[error("standard output: {0}")]
    Output(#[from] std::io::Error),
}

impl From<engine::EngineError> for Failed {
    fn from(error: engine::EngineError) -> Self {
        if let engine::EngineError::Output(error) = error { Self::Output(error) } else { Self::Engine(error) }
    }
}

impl From<ExportError> for Failed {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::NotExported(NotExported::Output(error)) => Self::Output(error),
            other @ (ExportError::NotExported(NotExported::Store(_)) | ExportError::File { .. }) => {
                Self::Export(other)
            }
        }
    }
}

/// Carries out a command line. An error is reported on standard error.
#[must_use]
pub fn run(line: &CommandLine) -> ExitCode {
    match carry_out(line) {
        // The reader of the pipe has seen enough (`| head`): that is no failure.
        Err(Failed::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            // Standard error may be closed, and then there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "owlbox: {}", for_terminals(&failed.to_string()));
            ExitCode::from(if matches!(failed, Failed::Config(_)) { 2 } else { 1 })
        }
    }
}

/// A message without what would move a terminal's cursor or change its colours: a name in it may come from anywhere.
fn for_terminals(message: &str) -> String {
    let plain = |letter: char| !letter.is_control() || letter == '\n';
    let mut shown = String::with_capacity(message.len());
    for letter in message.chars() {
        if plain(letter) { shown.push(letter) } else { shown.extend(letter.escape_debug()) }
    }
    shown
}

fn carry_out(line: &CommandLine) -> Result<(), Failed> {
    let config = || Config::load(line.config.as_deref());
    let club = |purpose| Ok::<_, Failed>(chosen(config()?, line.club.as_ref(), purpose)?);
    match &line.command {
        Command::Serve => Ok(serve::serve(config()?)?),
        Command::Club(command) => print(&club::club(&config()?, command)?),
        Command::Books(command) => print(&books::books(&club(Purpose::Write)?.config, command)?),
        Command::Person(command) => print(&person::person(&club(Purpose::Write)?.config, command)?),
        Command::VerifyStatement(asked) => print(&books::verify_statement(asked)?),
        Command::Verify => print(&verify::verify(&club(Purpose::Read)?.config.database.url)?.to_string()),
        Command::Night(night) => print(&night::night(&night.file)?),
        Command::Backup(asked) => {
            print(&backup::backup(&club(Purpose::Read)?.config.database.url, &asked.file)?)
        }
        Command::Restore(asked) => {
            print(&backup::restore(&asked.file, &club(Purpose::Write)?.config.database.url, asked.replace)?)
        }
        Command::Export(asked) => {
            Ok(export::export(&club(Purpose::Read)?.config.database.url, asked, std::io::stdout().lock())?)
        }
        Command::Demo(asked) => Ok(demo::demo(config()?, *asked)?),
        Command::Admin(Admin::Create(asked)) => Ok(admin::create(&club(Purpose::Write)?.config, asked)?),
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

/// Writes a text and a line break to standard output.
fn print(text: &str) -> Result<(), Failed> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
