//! The command line: one file for each command. This module parses and dispatches; all rules are in the
//! crates below.
//!
//! Results go to standard output, and an error goes to standard error as one line. The exit status is 0 for
//! success, 1 if the command failed or found something wrong, 2 if it could not begin because of wrong
//! arguments or settings, and 3 if `verify-statement` was not told whose signature it should look for.

pub mod admin;
pub mod args;
pub mod backup;
pub mod books;
pub mod club;
pub mod copy;
pub mod demo;
pub mod draw;
pub mod engine;
pub mod export;
pub mod healthcheck;
pub mod night;
pub mod person;
mod progress;
pub mod serve;
pub mod terminal;
pub mod verify;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use chrono::Utc;
use clap::CommandFactory as _;

use admin::{AdminError, LoginOrder};
use args::{Admin, Backup, BooksCommand, Command, CommandLine, ConfigCommand, PersonCommand, Verify};
use books::Checked;
use club::{ClubError, Purpose, chosen};
use export::ExportError;

use owlbox_desk::books::exports::NotExported;
use owlbox_http::config::{Config, DEFAULT, Mistakes};

/// Why a command failed: one variant for each group of commands.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error(transparent)]
    Config(#[from] Mistakes),
    /// The service could not start, or failed while it ran.
    #[error(transparent)]
    Serve(#[from] serve::ServeError),
    /// A command about logins failed.
    #[error(transparent)]
    Admin(#[from] AdminError),
    /// The database does not match the journal, or cannot be read.
    #[error(transparent)]
    Verify(#[from] owlbox_desk::verify::Unverified),
    /// The backup was not made, or not restored.
    #[error(transparent)]
    Backup(#[from] backup::BackupError),
    /// Not every club was copied, or is in order.
    #[error(transparent)]
    NotEveryClub(#[from] club::NotEveryClub),
    /// The club was not copied.
    #[error(transparent)]
    Copy(#[from] copy::CopyFailed),
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
    /// The service is not ready.
    #[error(transparent)]
    NotReady(#[from] healthcheck::NotReady),
    /// A command of the engine failed.
    #[error(transparent)]
    Engine(engine::EngineError),
    /// A statement is signed by this key, and nobody said whose key it is to be.
    #[error(
        "it is signed by {0}: compare this with the key that the club publishes, and give that with --key"
    )]
    KeyNotGiven(String),
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
            other @ (ExportError::NotExported(NotExported::Store(_))
            | ExportError::Refused(_)
            | ExportError::File { .. }) => Self::Export(other),
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
            let said = failed.to_string();
            // What `verify` says quotes rows of the database.
            let is_one_line = matches!(failed, Failed::Verify(_) | Failed::Copy(_));
            let said = if is_one_line { terminal::on_one_line(&said) } else { terminal::lines(&said) };
            let _ = writeln!(std::io::stderr(), "owlbox: {said}");
            let is_of_config = matches!(failed, Failed::Config(_));
            ExitCode::from(if is_of_config {
                2
            } else if matches!(failed, Failed::KeyNotGiven(_)) {
                3
            } else {
                1
            })
        }
    }
}

fn carry_out(line: &CommandLine) -> Result<(), Failed> {
    let config = || Ok::<_, Failed>(Config::load(line.config.as_deref())?);
    let club = |purpose| Ok::<_, Failed>(chosen(config()?, line.club.as_ref(), purpose)?);
    match &line.command {
        Command::Serve => Ok(serve::serve(config()?, line.config.clone())?),
        Command::Config(ConfigCommand::Print) => {
            print_data(Config::written_out(line.config.as_deref())?.trim_end())
        }
        Command::Config(ConfigCommand::Check) => {
            config().and_then(|_| print("the configuration can be used"))
        }
        Command::Config(ConfigCommand::Default) => print_data(DEFAULT.trim_end()),
        Command::Healthcheck => print(&healthcheck::healthcheck(config()?.http.listen)?),
        Command::Completions(asked) => {
            // Written to memory first: it panics where a pipe is closed.
            let mut script = Vec::new();
            clap_complete::generate(asked.shell, &mut CommandLine::command(), "owlbox", &mut script);
            print_data(String::from_utf8_lossy(&script).trim_end())
        }
        Command::Man(asked) => {
            Ok(clap_mangen::generate_to(CommandLine::command().name("owlbox"), &asked.folder)?)
        }
        Command::Club(command) => print(&club::club(&config()?, command)?),
        Command::Books(command @ BooksCommand::Statement(_)) => {
            print_data(&books::books(&club(Purpose::Write)?.config, command)?)
        }
        Command::Books(command) => print(&books::books(&club(Purpose::Write)?.config, command)?),
        Command::Person(command @ PersonCommand::Export(_)) => {
            print_data(&person::person(&club(Purpose::Write)?.config, command)?)
        }
        Command::Person(command) => print(&person::person(&club(Purpose::Write)?.config, command)?),
        Command::VerifyStatement(asked) => {
            let Checked { said, key } = books::verify_statement(asked)?;
            print(&said)?;
            asked.key.is_some().then_some(()).ok_or(Failed::KeyNotGiven(key))
        }
        Command::Verify(Verify { all: true, listing }) => Ok(verify::all(&config()?, *listing)?),
        Command::Verify(Verify { all: false, listing }) => {
            print(&verify::verify(&club(Purpose::Read)?.config.database.url, *listing)?)
        }
        Command::Night(night) => print(&night::night(&night.file)?),
        Command::Backup(Backup { file: Some(file), .. }) => {
            print(&backup::backup(&club(Purpose::Read)?.config.database.url, file)?)
        }
        Command::Backup(Backup { file: None, all, keep }) => {
            Ok(backup::all(&config()?, all.as_deref().unwrap_or(Path::new(".")), *keep, Utc::now())?)
        }
        Command::Restore(asked) => {
            print(&backup::restore(&asked.file, &club(Purpose::Write)?.config.database.url, asked.replace)?)
        }
        Command::Copy(asked) => print(&copy::copy(asked)?),
        Command::Export(asked) => {
            Ok(export::export(&club(Purpose::Read)?.config.database.url, asked, terminal::data())?)
        }
        Command::Demo(asked) => Ok(demo::demo(config()?, *asked)?),
        Command::Admin(Admin::List(asked)) => {
            let listed = admin::list(&club(Purpose::Read)?.config.database.url, *asked);
            print(&listed.map_err(AdminError::from)?)
        }
        // What is needed for it is asked first: a club of many may have to be closed for it.
        Command::Admin(Admin::Change(command)) => {
            let order = LoginOrder::of(command)?;
            print(&admin::change(&club(Purpose::Write)?, order)?)
        }
        Command::Plays(asked) => Ok(engine::plays::plays(*asked, std::io::stdin().lock(), terminal::data())?),
        Command::Perft(asked) => Ok(engine::perft::perft(asked, terminal::data())?),
        Command::Convert(asked) => Ok(engine::convert::convert(asked, terminal::data())?),
        Command::Show(asked) => print(&engine::show::show(asked)?),
        Command::Play(asked) => Ok(engine::play::play(asked, terminal::data())?),
        Command::Opening(asked) => print(&engine::tables::opening(asked)),
        Command::Shots(asked) => print(&engine::tables::shots(asked)?),
        Command::Draw(asked) => Ok(draw::draw(asked, terminal::data())?),
    }
}

/// Writes a text and a line break to standard output, for a reader.
fn print(text: &str) -> Result<(), Failed> {
    Ok(terminal::print(text)?)
}

/// Writes data and a line break to standard output.
fn print_data(text: &str) -> Result<(), Failed> {
    let mut out = terminal::data();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
