//! Reads a night's file: JSON lines with a header and then commands, with names instead of ids.
//!
//! A name belongs to a player of the throwaway club if somebody of that name joins a table, enters a
//! tournament or sits down to a match anywhere in the file. Commands with any other name are refused like
//! those with an unknown player. Names are equal if they are [`spelled`] alike.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::NightError;
use super::named_command::NamedCommand;
use owlbox_base::code::Code;
use owlbox_base::values::{
    AccountId, ChouetteId, Currency, MatchId, PlayerId, Stake, Timestamp, TournamentId,
};
use owlbox_books::club::meant::spelled;
use owlbox_books::club::players::PlayerName;
use owlbox_books::club::settings::TimeZone;
use owlbox_chouette::HouseRules;
use owlbox_desk::Refused;
use owlbox_desk::chouettes::Order;
use owlbox_http::problem;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// The first line of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The format of the file: 1.
    pub night: Format,
    /// The seed of all dice.
    pub seed: u64,
    /// The time at which the chouette is opened, from 1900 to 2200. Each command comes one minute after the
    /// last.
    #[serde(deserialize_with = "Timestamp::given")]
    pub start: Timestamp,
    /// The house rules. A missing setting takes its default.
    #[serde(default)]
    pub rules: HouseRules,
    /// The money a point is worth; absent if no money is played for.
    #[serde(default)]
    pub stake: Option<Stake>,
    /// The name of the table.
    #[serde(default = "usual_name")]
    pub name: String,
    /// The club's time zone, which decides the day the night belongs to.
    #[serde(default = "utc")]
    pub time_zone: TimeZone,
}

/// The format of a night's file. Only 1 is accepted.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u64")]
pub struct Format;

impl TryFrom<u64> for Format {
    type Error = &'static str;
    fn try_from(number: u64) -> Result<Self, Self::Error> {
        if number == 1 { Ok(Self) } else { Err("night: this program reads nights of format 1") }
    }
}

fn usual_name() -> String {
    "Night".to_owned()
}

const fn utc() -> TimeZone {
    TimeZone(chrono_tz::Tz::UTC)
}

/// One command of the file.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of its line, from 1.
    pub number: usize,
    /// The addressee of the command.
    pub to: To,
    /// The command, with names instead of ids.
    pub command: NamedCommand,
    /// The code it must be refused with; `None` if it must be carried out.
    pub expect: Option<String>,
}

/// The addressee of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// A table, by its name. Without one, the table of the header.
    Table(Option<String>),
    /// A tournament, by its name.
    Tournament(String),
    /// The sheet on which a match of a tournament is scored.
    SheetOf(String, MatchRef),
    /// The sheet of a friendly match or a money session, by the name that the file gives it.
    Sheet(String),
}

#[derive(Clone, Debug)]
pub struct Script {
    pub header: Header,
    /// The number of the header's line, from 1.
    pub header_line: usize,
    pub lines: Vec<Line>,
}

impl Script {
    /// Reads a night's file. Blank lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// The first line that cannot be parsed.
    pub fn read(text: &str) -> Result<Self, NightError> {
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
        let Some((header_line, header)) = lines.next() else {
            let detail = "there is no header".to_owned();
            return Err(NightError::Refused { line: 1, code: Code::MalformedJson, detail });
        };
        Ok(Self {
            header: serde_json::from_str(header).map_err(|error| misread(header_line, &error))?,
            header_line,
            lines: lines.map(|(number, line)| Line::read(number, line)).collect::<Result<_, _>>()?,
        })
    }

    /// Everybody who joins, enters or sits down, once each, in the order of the file.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerName> {
        let mut players: Vec<PlayerName> = Vec::new();
        for name in self.lines.iter().flat_map(Line::newcomers) {
            let name = name.parse::<PlayerName>().ok();
            players.extend(name.filter(|name| {
                players.iter().all(|known| spelled(known.as_str()) != spelled(name.as_str()))
            }));
        }
        players
    }

    /// All currencies that are played for, once each, in the order of the file.
    #[must_use]
    pub fn currencies(&self) -> Vec<Currency> {
        let mut currencies: Vec<Currency> =
            self.header.stake.map(|stake| stake.currency).into_iter().collect();
        let of_line = |line: &Line| match line.to {
            To::Tournament(_) => line.command.text("currency")?.parse().ok(),
            To::Sheet(_) => line.command.text("terms/stake/currency")?.parse().ok(),
            To::Table(_) | To::SheetOf(..) => None,
        };
        for currency in self.lines.iter().filter_map(of_line) {
            if !currencies.contains(&currency) {
                currencies.push(currency);
            }
        }
        currencies
    }

    /// Whether any line is addressed to a table. A file of tournaments and matches only has none.
    #[must_use]
    pub fn has_table(&self) -> bool {
        self.lines.is_empty() || self.lines.iter().any(|line| matches!(line.to, To::Table(_)))
    }

    /// The error for a header that was refused.
    pub(super) fn refused(&self, detail: &str) -> NightError {
        NightError::Refused { line: self.header_line, code: Code::InvalidBody, detail: detail.to_owned() }
    }
}

impl Line {
    fn read(number: usize, line: &str) -> Result<Self, NightError> {
        let mut command = NamedCommand::parse(line).map_err(|error| misread(number, &error))?;
        let expect = text(&mut command, number, "expect", "the code of a refusal")?;
        let to = To::read(&mut command, number)?;
        Ok(Self { number, to, command, expect })
    }

    /// The error for a line that would add a player under a name that no player can have.
    pub(super) fn impossible_name(&self) -> Option<NightError> {
        let mut names = self.newcomers().into_iter();
        names.find_map(|name| {
            let error = name.parse::<PlayerName>().err()?;
            Some(wrong(self.number, format!("{name:?} cannot be a name: {}", error.allowed)))
        })
    }

    /// The names of the players whom the line adds to the club.
    fn newcomers(&self) -> Vec<String> {
        let path = match (&self.to, self.command.kind()) {
            (To::Table(_), Some("join" | "merge_players")) => "player",
            (To::Tournament(_), Some("enter")) => "entries/*",
            (To::Sheet(_), Some("open")) => "players/*",
            _ => return Vec::new(),
        };
        self.command.names(path)
    }
}

impl To {
    /// Removes the addressee from a line and returns it.
    fn read(command: &mut NamedCommand, line: usize) -> Result<Self, NightError> {
        let at = text(command, line, "at", "the name of a table")?;
        let tournament = text(command, line, "tournament", "the name of a tournament")?;
        match (at, tournament, command.take("sheet")) {
            (at, None, None) => Ok(Self::Table(at)),
            (None, Some(tournament), None) => Ok(Self::Tournament(tournament)),
            (None, None, Some(Value::String(sheet))) => Ok(Self::Sheet(sheet)),
            (None, Some(tournament), Some(sheet)) => {
                let number: MatchNo = serde_json::from_value(sheet).map_err(|error| misread(line, &error))?;
                let division = command.take("division").map(serde_json::from_value::<DivisionNo>);
                let division =
                    division.transpose().map_err(|error| misread(line, &error))?.unwrap_or_default();
                Ok(Self::SheetOf(tournament, MatchRef { division, number }))
            }
            _ => {
                let detail = "a line is for a table, a tournament or a sheet: one of them";
                Err(wrong(line, detail.to_owned()))
            }
        }
    }
}

/// Removes a text from a line and returns it.
fn text(
    command: &mut NamedCommand,
    line: usize,
    key: &str,
    what: &str,
) -> Result<Option<String>, NightError> {
    match command.take(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(wrong(line, format!("{key} takes {what}"))),
    }
}

fn wrong(line: usize, detail: String) -> NightError {
    NightError::Refused { line, code: Code::InvalidBody, detail }
}

/// The error for a line that cannot be parsed, with the code the API has for it.
pub(super) fn misread(line: usize, error: &serde_json::Error) -> NightError {
    let problem = problem::of_body(error);
    NightError::Refused { line, code: problem.code, detail: problem.detail }
}

/// Where the commands to a table name players.
const PLAYERS: [&str; 11] = [
    "player",
    "proxy",
    "duplicate",
    "payer",
    "payee",
    "against/*",
    "line/*",
    "players/*",
    "rolls/*/player",
    "bets/*/payer",
    "bets/*/payee",
];

/// The names in the file and the ids they stand for.
#[derive(Clone, Debug, Default)]
pub struct Names {
    ids: BTreeMap<String, PlayerId>,
    names: Vec<(PlayerId, String)>,
    tables: Vec<(ChouetteId, String)>,
    tournaments: Vec<(TournamentId, String)>,
    sheets: Vec<(MatchId, String)>,
    logins: Vec<(AccountId, String)>,
}

impl Names {
    /// Records the id of a player.
    pub fn add(&mut self, name: &PlayerName, player: PlayerId) {
        self.ids.insert(spelled(name.as_str()), player);
        self.names.push((player, name.to_string()));
    }

    /// Records the login of a name.
    pub fn add_login(&mut self, name: &str, account: AccountId) {
        self.logins.push((account, name.to_owned()));
    }

    /// The login recorded for this name.
    #[must_use]
    pub fn login(&self, name: &str) -> Option<AccountId> {
        self.logins.iter().find(|(_, known)| known == name).map(|(account, _)| *account)
    }

    /// The name recorded for a login.
    #[must_use]
    pub fn of_login(&self, account: AccountId) -> String {
        let known = self.logins.iter().find(|(known, _)| *known == account);
        known.map_or_else(|| account.to_string(), |(_, name)| name.clone())
    }

    /// Records a table under its name.
    pub fn add_table(&mut self, name: &str, table: ChouetteId) {
        self.tables.push((table, name.to_owned()));
    }

    /// Every table, in the order in which they were opened.
    pub fn tables(&self) -> impl Iterator<Item = (ChouetteId, &str)> {
        self.tables.iter().map(|(table, name)| (*table, name.as_str()))
    }

    /// The table of this name that was opened last.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<ChouetteId> {
        self.tables.iter().rev().find(|(_, known)| known == name).map(|(table, _)| *table)
    }

    /// Records a tournament under its name.
    pub fn add_tournament(&mut self, name: &str, tournament: TournamentId) {
        self.tournaments.push((tournament, name.to_owned()));
    }

    /// Every tournament, in the order in which they were opened.
    pub fn tournaments(&self) -> impl Iterator<Item = TournamentId> {
        self.tournaments.iter().map(|(tournament, _)| *tournament)
    }

    /// The tournament of this name that was opened last.
    #[must_use]
    pub fn tournament(&self, name: &str) -> Option<TournamentId> {
        self.tournaments.iter().rev().find(|(_, known)| known == name).map(|(tournament, _)| *tournament)
    }

    /// Records the sheet of a match outside tournaments.
    pub fn add_sheet(&mut self, name: &str, sheet: MatchId) {
        self.sheets.push((sheet, name.to_owned()));
    }

    /// Every sheet outside tournaments, in the order in which they were opened.
    pub fn sheets(&self) -> impl Iterator<Item = (MatchId, &str)> {
        self.sheets.iter().map(|(sheet, name)| (*sheet, name.as_str()))
    }

    /// The sheet of this name that was opened last.
    #[must_use]
    pub fn sheet(&self, name: &str) -> Option<MatchId> {
        self.sheets.iter().rev().find(|(_, known)| known == name).map(|(sheet, _)| *sheet)
    }

    /// Everybody, in the order in which they were added.
    pub fn players(&self) -> impl Iterator<Item = (PlayerId, &str)> {
        self.names.iter().map(|(player, name)| (*player, name.as_str()))
    }

    /// The name of a player, or the id if there is none.
    #[must_use]
    pub fn name_of(&self, player: PlayerId) -> String {
        let found = self.names.iter().find(|(known, _)| *known == player);
        found.map_or_else(|| player.to_string(), |(_, name)| name.clone())
    }

    /// The id that a name stands for. A name that belongs to no player gets an id that belongs to none.
    pub(super) fn id(&mut self, name: &str) -> PlayerId {
        let key = spelled(name);
        let names = &mut self.names;
        *self.ids.entry(key).or_insert_with(|| {
            let nobody = PlayerId(Uuid::now_v7());
            names.push((nobody, name.to_owned()));
            nobody
        })
    }

    /// The command of a line, with ids instead of names.
    ///
    /// # Errors
    /// The line is not a command.
    pub fn order(&mut self, line: &Line) -> Result<Order, serde_json::Error> {
        let mut command = line.command.clone();
        for path in PLAYERS {
            command.replace(path, |name| Some(self.id(name)));
        }
        command.replace("table", |name| self.table(name));
        command.read()
    }

    /// The error for a refused line, with names instead of ids.
    #[must_use]
    pub fn refused(&self, line: usize, refused: &Refused) -> NightError {
        let mut detail = refused.to_string();
        for (player, name) in &self.names {
            detail = detail.replace(&player.to_string(), name);
        }
        NightError::Refused { line, code: refused.code(), detail }
    }

    /// A JSON value with names instead of ids.
    #[must_use]
    pub fn in_place_of_ids(&self, value: Value) -> Value {
        match value {
            Value::String(text) => {
                let player = text.parse().ok().filter(|id| self.names.iter().any(|(known, _)| known == id));
                let table =
                    text.parse().ok().and_then(|id| self.tables.iter().find(|(known, _)| *known == id));
                match (player, table) {
                    (Some(player), _) => Value::String(self.name_of(player)),
                    (None, Some((_, name))) => Value::String(name.clone()),
                    (None, None) => Value::String(text),
                }
            }
            Value::Array(items) => items.into_iter().map(|item| self.in_place_of_ids(item)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(key, value)| (key, self.in_place_of_ids(value))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }
}
