//! `owlbox night FILE`: plays a night from a file in a throwaway club and prints a report.
//!
//! The commands take the same path as everybody's: through a [`Desk`] over a database, which is gone
//! afterwards. The time and the dice come from the file's header only, so the same file always gives the same
//! report, to the byte. `docs/night-files.md` describes the format. [`script`] reads the file,
//! [`named_command`] holds a command until its names are known, [`report`] writes the report, and
//! `tournaments` handles the lines for tournaments and matches.

pub mod named_command;
pub mod report;
pub mod script;
mod tournaments;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::progress::Progress;
use owlbox_base::code::Code;
use owlbox_base::journal::ActKind;
use owlbox_base::values::{ChouetteId, InvalidValue, Timestamp};
use owlbox_books::club::Settings;
use owlbox_books::club::players::PlayerDetails;
use owlbox_books::club::settings::Currencies;
use owlbox_chouette::{Chouette, Event};
use owlbox_desk::chouettes::NewChouette;
use owlbox_desk::{Actor, Clock, Dependencies, Desk, Dice, Refused, Request};
use owlbox_store::{DatabaseUrl, Options, Store, StoreError};
use report::Report;
use script::{Line, Names, Script, To};

/// Why a night was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum NightError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: std::io::Error },
    /// A line was refused or cannot be parsed.
    #[error("line {line}: {code}: {detail}")]
    Refused {
        /// The line's number, from 1.
        line: usize,
        /// The stable code of the refusal, as the API has it.
        code: Code,
        detail: String,
    },
    /// A refusal was expected, but the command was carried out.
    #[error("line {line}: not_refused: {expected} was expected, and the command was carried out")]
    NotRefused {
        /// The line's number, from 1.
        line: usize,
        /// The code of the refusal that the line expects.
        expected: String,
    },
    #[error("the throwaway club: {0}")]
    Club(#[from] Refused),
    #[error("the throwaway club: {0}")]
    Store(#[from] StoreError),
    /// The folder of the throwaway database could not be made.
    #[error("the throwaway club: {0}")]
    Folder(#[from] std::io::Error),
    /// The report could not be written as JSON.
    #[error("the answer: {0}")]
    Answer(#[from] serde_json::Error),
}

/// Plays the night in `file` (standard input for `-`). Returns the report as one JSON object.
///
/// # Errors
/// Any [`NightError`].
pub fn night(file: &Path) -> Result<String, NightError> {
    let mut text = String::new();
    let read = if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text)
    } else {
        std::fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map_err(|error| NightError::File { path: file.to_owned(), error })?;
    let script = Script::read(&text)?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let report = runtime.block_on(played(&script))?;
    Ok(report.to_text()?)
}

/// Plays a night to its end and reports on it.
///
/// # Errors
/// The first line whose refusal was not expected, or a failure of the throwaway club.
pub async fn played(script: &Script) -> Result<Report, NightError> {
    let folder = tempfile::Builder::new().prefix("owlbox-night.").tempdir()?;
    let url = DatabaseUrl::Sqlite(folder.path().join("night.db"));
    let options = Options { pool_size: 1, throwaway: true, ..Options::default() };
    let mut night = Night::opened(script, Store::open(&url, &options)?).await?;
    let progress = Progress::of("playing");
    for (played, line) in (1..).zip(&script.lines) {
        night.play(line).await?;
        progress.tell(played, script.lines.len());
    }
    night.report().await
}

/// A night in progress, in a throwaway club.
pub struct Night {
    desk: Desk,
    clock: NightClock,
    names: Names,
    /// The header's values for a table, used where a line that opens one does not give its own.
    usual: NewChouette,
    /// The chouette of the header; `None` for a file of tournaments and matches only.
    chouette: Option<ChouetteId>,
}

impl Night {
    /// Opens the club in an empty database and, if the script needs it, the chouette of its header.
    ///
    /// # Errors
    /// A value of the header is refused, or the database fails.
    pub async fn opened(script: &Script, store: Store) -> Result<Self, NightError> {
        let header = &script.header;
        let clock = NightClock(Arc::new(Mutex::new(header.start)));
        // Players are added through a desk of their own, so that they use none of the dice of the header's
        // seed.
        let door = Desk::new(Dependencies {
            clock: Box::new(clock.clone()),
            ..Dependencies::with_store(store.clone())
        });
        let settings = settings(script).map_err(|error| script.refused(&error.to_string()))?;
        door.open_club(Request::by(Actor::CONSOLE), settings).await?;
        let mut names = Names::default();
        for name in script.players() {
            let details = PlayerDetails::named(name.clone());
            let (player, _) = door.add_player(Request::by(Actor::CONSOLE), details, false).await?;
            names.add(&name, player);
        }
        let dice = Dice::seeded(header.seed);
        let desk = Desk::new(Dependencies {
            clock: Box::new(clock.clone()),
            dice,
            ..Dependencies::with_store(store)
        });
        let new = NewChouette {
            name: header.name.clone(),
            stake: header.stake,
            rules: Some(header.rules.clone()),
            house_rules: None,
        };
        let mut chouette = None;
        if script.has_table() {
            let opened = desk.open::<Chouette>(Request::by(Actor::CONSOLE), new.clone()).await;
            let opened = opened.map_err(|refused| names.refused(script.header_line, &refused))?;
            names.add_table(&header.name, opened.id);
            chouette = Some(opened.id);
        }
        Ok(Self { desk, clock, names, usual: new, chouette })
    }

    /// Carries out one line, one minute after the one before.
    ///
    /// # Errors
    /// The line was refused unexpectedly, or was carried out although it expects a refusal.
    pub async fn play(&mut self, line: &Line) -> Result<(), NightError> {
        self.clock.advance();
        let outcome = match line.impossible_name() {
            Some(error) => Err(error),
            None => self.carry_out(line).await,
        };
        match (outcome, &line.expect) {
            (Ok(()), None) => Ok(()),
            (Ok(()), Some(expected)) => {
                Err(NightError::NotRefused { line: line.number, expected: expected.clone() })
            }
            (Err(NightError::Refused { code, .. }), Some(expected)) if code.name() == expected => Ok(()),
            (Err(error), _) => Err(error),
        }
    }

    /// Carries out a line at whatever it is addressed to.
    async fn carry_out(&mut self, line: &Line) -> Result<(), NightError> {
        match &line.to {
            To::Table(_) if line.command.kind() == Some("open") => self.open(line).await,
            To::Table(at) => self.command(line, at.as_deref()).await,
            To::Tournament(name) => self.tournament(line, name).await,
            To::SheetOf(tournament, at) => self.sheet_of(line, tournament, *at).await,
            To::Sheet(name) => self.sheet(line, name).await,
        }
    }

    /// Opens another table, with the header's values where the line gives none.
    async fn open(&mut self, line: &Line) -> Result<(), NightError> {
        let mut usual = self.usual.clone();
        if line.command.has("house_rules") {
            // The house rules that the line names replace the header's.
            usual.rules = None;
        }
        let new = line.command.details().or_usual(serde_json::to_value(&usual)?);
        let new: NewChouette = new.read().map_err(|error| script::misread(line.number, &error))?;
        let name = new.name.trim().to_owned();
        let opened = self.desk.open::<Chouette>(Request::by(Actor::CONSOLE), new).await;
        let opened = opened.map_err(|refused| self.names.refused(line.number, &refused))?;
        self.names.add_table(&name, opened.id);
        Ok(())
    }

    /// Gives a command to the table named by the line.
    async fn command(&mut self, line: &Line, at: Option<&str>) -> Result<(), NightError> {
        let order = self.names.order(line).map_err(|error| script::misread(line.number, &error))?;
        let table = at.map_or(self.chouette, |name| self.names.table(name));
        let table = table.ok_or_else(|| not_there(line, "table", at.unwrap_or_default()))?;
        let answer = self.desk.command::<Chouette>(Request::by(Actor::CONSOLE), table, order).await;
        let answer = answer.map_err(|refused| self.names.refused(line.number, &refused))?;
        if let ActKind::Events(events) = &answer.act.kind {
            for event in events {
                if let (Event::Split { table, .. }, Some(name)) = (event, line.command.text("name")) {
                    self.names.add_table(name.trim(), *table);
                }
            }
        }
        Ok(())
    }

    /// The report of the night so far.
    ///
    /// # Errors
    /// The database failed.
    pub async fn report(&self) -> Result<Report, NightError> {
        Report::load(&self.desk, &self.names).await
    }

    /// The state of the table as the API shows it, but with names for ids.
    ///
    /// # Errors
    /// The database failed.
    pub async fn view(&self) -> Result<serde_json::Value, NightError> {
        let chouette = self.chouette.ok_or(Refused::NotFound("chouette"))?;
        let stream = self.desk.find::<Chouette>(chouette).await?;
        Ok(self.names.in_place_of_ids(serde_json::to_value(stream.state.view())?))
    }
}

/// The error for a line that is addressed to something that does not exist.
fn not_there(line: &Line, what: &str, name: &str) -> NightError {
    let detail = format!("there is no {what} {name:?}");
    NightError::Refused { line: line.number, code: Code::NotFound, detail }
}

/// The settings of the throwaway club: the header's time zone, and all currencies that are played for.
fn settings(script: &Script) -> Result<Settings, InvalidValue> {
    let usual = Settings::default();
    let played_for = script.currencies();
    let currencies =
        if played_for.is_empty() { usual.currencies.clone() } else { Currencies::try_from(played_for)? };
    Ok(Settings { time_zone: script.header.time_zone, currencies, ..usual })
}

/// The clock of the night. It only moves by a minute for each line.
#[derive(Clone)]
struct NightClock(Arc<Mutex<Timestamp>>);

impl NightClock {
    fn advance(&self) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now = (now.utc() + chrono::TimeDelta::minutes(1)).into();
    }
}

impl Clock for NightClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
