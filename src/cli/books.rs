//! `owlbox books`: the club's books from its own machine, and `owlbox verify-statement`, which needs no club
//! at all.

use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};

use super::args::{
    BooksCommand, ImportCommand, ImportStandings, ImportTable, StatementAsked, StatementFormat,
    VerifyStatement,
};
use super::progress::{Progress, while_opening};
use super::serve::{self, ServeError};
use super::terminal::on_one_line;
use owlbox_api::statements::csv;
use owlbox_base::code::Code;
use owlbox_base::values::{Holder, HolderKind, PlayerId};
use owlbox_books::club::players::PlayerName;
use owlbox_books::daybook::DaybookCommand;
use owlbox_books::daybook::import::{TableKind, Wrong};
use owlbox_books::typed::InputFormat;
use owlbox_desk::books::daybook::import::Import;
use owlbox_desk::books::signed;
use owlbox_desk::books::signed::{NotSigned, Verified};
use owlbox_desk::books::statements::Filter;
use owlbox_desk::{Actor, Allowed, Desk, Refused, Request, Rule};
use owlbox_http::config::Config;
use owlbox_store::{Store, StoreError};

/// Why a command about the books failed.
#[derive(Debug, thiserror::Error)]
pub enum BooksError {
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The desk refused it.
    #[error("{code}: {0}", code = .0.code())]
    Refused(#[from] Refused),
    /// No player and no account of the club is called so.
    #[error("no player is called {0}")]
    Nobody(String),
    /// The order is no JSON, or none that the daybook takes.
    #[error("the command cannot be read: {0}")]
    NoOrder(serde_json::Error),
    #[error("{}: {error}", path.display())]
    File {
        /// The file that cannot be read.
        path: std::path::PathBuf,
        /// Why.
        error: std::io::Error,
    },
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    NotSigned(#[from] NotSigned),
    /// Lines of a table cannot be taken.
    #[error("nothing was booked\n{}", lines(.0))]
    WrongLines(Vec<Wrong>),
}

/// What is wrong with a table, line by line.
fn lines(wrong: &[Wrong]) -> String {
    let line = |Wrong { line, column, found, why, allowed, may_be }: &Wrong| {
        let column = column.map(|column| format!(", {column}")).unwrap_or_default();
        let may_be: String = may_be.iter().map(|player| format!(", perhaps {player}")).collect();
        format!("line {line}{column}: {why}: found {found:?}, allowed is {allowed}{may_be}")
    };
    wrong.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The most accounts that are listed.
const ALL: i64 = i64::MAX;

/// Carries out a command about the books, as the console, and returns what it prints. On SQLite the service
/// must not be running, because one process at a time may open the database.
///
/// # Errors
/// [`BooksError`].
pub fn books(config: &Config, command: &BooksCommand) -> Result<String, BooksError> {
    let store = while_opening(|| Store::open_existing(&config.database.url, &serve::options(config)))?;
    let desk = serve::desk(config, store)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            BooksCommand::Accounts(asked) => {
                let accounts = desk.accounts_on(&Actor::CONSOLE, asked.on, None, ALL).await?;
                Ok(json!(accounts).to_string())
            }
            BooksCommand::Dues => {
                let dues = desk.dues(&Actor::CONSOLE, None).await?;
                Ok(json!(dues).to_string())
            }
            BooksCommand::Statement(asked) => statement(&desk, asked).await,
            BooksCommand::Note(asked) => {
                let order = read(&asked.order)?;
                let order = with_ids(&desk, order).await?;
                let order: DaybookCommand = serde_json::from_value(order).map_err(BooksError::NoOrder)?;
                let noted = desk.record(Request::by(Actor::CONSOLE), order).await?;
                Ok(json!(noted).to_string())
            }
            BooksCommand::Import(asked) => import(&desk, asked).await,
            BooksCommand::Key => Ok(desk.statement_key()),
        }
    })
}

async fn import(desk: &Desk, asked: &ImportCommand) -> Result<String, BooksError> {
    let (kind, asked, on) = match asked {
        ImportCommand::Standings(ImportStandings { table, on }) => (TableKind::Standings, table, *on),
        ImportCommand::Games(table) => (TableKind::Games, table, None),
    };
    let ImportTable { file, preview, add_players, memo, language, numbers, days } = asked;
    let writing = InputFormat { language: *language, numbers: *numbers, days: *days };
    let table = file_of(file)?;
    let _progress = Progress::of("importing");
    let import = Import { kind, table, add_players: *add_players, on, memo: memo.clone(), writing };
    if *preview {
        let found = desk.preview_import(&Actor::CONSOLE, import).await?;
        return match found.wrong.is_empty() {
            true => Ok(json!(found).to_string()),
            false => Err(BooksError::WrongLines(found.wrong)),
        };
    }
    match desk.import(Request::by(Actor::CONSOLE), import).await {
        Ok(imported) => Ok(json!(imported).to_string()),
        Err(Refused::Rule(Rule { allowed: Some(Allowed::Wrong(wrong)), .. })) => {
            Err(BooksError::WrongLines(wrong))
        }
        Err(refused) => Err(refused.into()),
    }
}

/// The bytes of a file, or of standard input.
fn file_of(path: &Path) -> Result<Vec<u8>, BooksError> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    std::fs::read(path).map_err(|error| BooksError::File { path: path.to_owned(), error })
}

async fn statement(desk: &Desk, asked: &StatementAsked) -> Result<String, BooksError> {
    let holder = holder(desk, &asked.account).await?;
    let unit = match asked.unit {
        Some(unit) => unit,
        None => desk.usual_unit(holder).await?,
    };
    let filter = Filter { from: asked.from, until: asked.until, ..Filter::default() };
    if asked.format == StatementFormat::Signed {
        let period = [asked.from, asked.until];
        let text = desk.signed_statement(&Actor::CONSOLE, holder, unit, period).await?;
        return Ok(text.trim_end().to_owned());
    }
    let whole = desk.whole_statement(&Actor::CONSOLE, holder, unit, filter).await?;
    Ok(csv(&whole.statement, &whole.names).trim_end().to_owned())
}

/// The account of this name: a player's, or one of the club's.
async fn holder(desk: &Desk, name: &str) -> Result<Holder, BooksError> {
    match HolderKind::try_from(name.to_owned()) {
        Ok(HolderKind::Player | HolderKind::Pool) | Err(_) => Ok(player(desk, name).await?.into()),
        Ok(
            kind @ (HolderKind::House
            | HolderKind::Bank
            | HolderKind::Opening
            | HolderKind::Rounding
            | HolderKind::Outside),
        ) => match player(desk, name).await {
            Ok(_) => {
                let detail =
                    format!("{name} is an account of the club, and also a player: give the player's id");
                Err(Refused::rule(Code::AmbiguousName, Some("account"), detail).into())
            }
            Err(BooksError::Nobody(_)) => Ok(kind.with_id(uuid::Uuid::nil())),
            Err(error) => Err(error),
        },
    }
}

/// The player of this name or id.
pub(super) async fn player(desk: &Desk, name: &str) -> Result<PlayerId, BooksError> {
    if let Ok(id) = name.parse() {
        return Ok(id);
    }
    let nobody = || BooksError::Nobody(name.to_owned());
    let name: PlayerName = name.parse().map_err(|_| nobody())?;
    desk.player_meant(name).await?.player("player")?.ok_or_else(nobody)
}

/// The order with ids in place of players' names: in `player` of an object, and in the list `players`.
async fn with_ids(desk: &Desk, mut order: Value) -> Result<Value, BooksError> {
    let mut names = Vec::new();
    let mut note = |value: &Value| names.extend(value.as_str().map(str::to_owned));
    each_player(&mut order, &mut |value| note(value));
    let mut ids = std::collections::BTreeMap::new();
    for name in names {
        let id = player(desk, &name).await?;
        ids.insert(name, id);
    }
    each_player(&mut order, &mut |value| {
        if let Some(id) = value.as_str().and_then(|name| ids.get(name)) {
            *value = json!(id);
        }
    });
    Ok(order)
}

fn each_player(value: &mut Value, with: &mut impl FnMut(&mut Value)) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match (name.as_str(), field) {
                    ("player", field) => with(field),
                    ("players", Value::Array(items)) => items.iter_mut().for_each(&mut *with),
                    (_, field) => each_player(field, with),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_player(item, with)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// An order as JSON: the argument itself, or `-` for standard input.
fn read(order: &str) -> Result<Value, BooksError> {
    let mut text = order.to_owned();
    if order == "-" {
        text.clear();
        std::io::stdin().lock().read_to_string(&mut text)?;
    }
    serde_json::from_str(&text).map_err(BooksError::NoOrder)
}

/// What a signed statement says, and which key signed it.
pub struct Checked {
    pub said: String,
    pub key: String,
}

/// Checks a signed statement without any club. Only where the key that should have signed it is given, the
/// text says that its signature holds: anybody can sign a statement with a key of their own.
///
/// # Errors
/// It cannot be read, was changed, is no statement, or another key signed it.
pub fn verify_statement(asked: &VerifyStatement) -> Result<Checked, BooksError> {
    let text = file_of(&asked.file)?;
    let text = String::from_utf8(text).map_err(|_| NotSigned::Changed)?;
    let Verified { statement, key } = signed::verify(&text, asked.key.as_deref())?;
    let head = if asked.key.is_some() {
        "the signature holds"
    } else {
        "unchanged since it was signed, by a key that was not given: this may be anybody's"
    };
    // An account of the club has no name but its own.
    let account = statement.account.name();
    let account = statement.name.map_or_else(|| account.to_owned(), |name| format!("{account} {name}"));
    let day = |day: Option<chrono::NaiveDate>| day.map_or_else(|| "-".to_owned(), |day| day.to_string());
    let said = format!(
        "{head}\nclub {}\naccount {}, unit {}\nfrom {}, until {}\nopening {}, closing {}\nissued {}\nkey {key}",
        on_one_line(&statement.club),
        on_one_line(&account),
        statement.unit,
        day(statement.from),
        day(statement.until),
        statement.opening,
        statement.closing,
        statement.issued_at.utc().to_rfc3339(),
    );
    Ok(Checked { said, key })
}
