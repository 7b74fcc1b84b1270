//! Lines for tournaments and for the sheets of matches.
//!
//! Where the API takes a number, a line may have a name: an entry is named by its player, and so is a slot of
//! a match by the player in it. The throwaway club has no logins of its own, so directors are named too.

use std::collections::BTreeMap;

use serde_json::json;

use super::named_command::NamedCommand;
use super::script::{Line, Names, misread};
use super::{Night, NightError, not_there};
use owlbox_base::permissions::{Role, Roles};
use owlbox_base::values::{AccountId, MatchId};
use owlbox_desk::access::accounts::NewAccount;
use owlbox_desk::matches::{self, NewMatch};
use owlbox_desk::tournaments;
use owlbox_desk::{Actor, Request};
use owlbox_play::matches::{MatchNo, Sheet, Slot};
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

impl Night {
    /// Gives a command to a tournament, or opens it.
    pub(super) async fn tournament(&mut self, line: &Line, name: &str) -> Result<(), NightError> {
        if line.command.kind() == Some("open") {
            return self.open_tournament(line, name).await;
        }
        let id = self.names.tournament(name).ok_or_else(|| not_there(line, "tournament", name))?;
        let before = self.desk.find::<Tournament>(id).await;
        let before = before.map_err(|refused| self.names.refused(line.number, &refused))?;
        let mut order = order(&mut self.names, &line.command, &before.state);
        let mut directors = BTreeMap::new();
        for name in line.command.texts("directors/*") {
            directors.insert(name, self.login(line, name).await?);
        }
        order.replace("directors/*", |name| directors.get(name).copied());
        let order: tournaments::Order = order.read().map_err(|error| misread(line.number, &error))?;
        let answer = self.desk.command::<Tournament>(Request::by(Actor::CONSOLE), id, order).await;
        answer.map(drop).map_err(|refused| self.names.refused(line.number, &refused))
    }

    /// The login of that name. The throwaway club creates one for every name it meets.
    async fn login(&mut self, line: &Line, name: &str) -> Result<AccountId, NightError> {
        if let Some(account) = self.names.login(name) {
            return Ok(account);
        }
        let new = NewAccount { player: None, roles: Roles::from_roles(&[Role::Player]), email: None };
        let made = self.desk.create_account(Request::by(Actor::CONSOLE), new).await;
        let (link, _) = made.map_err(|refused| self.names.refused(line.number, &refused))?;
        self.names.add_login(name, link.account);
        Ok(link.account)
    }

    async fn open_tournament(&mut self, line: &Line, name: &str) -> Result<(), NightError> {
        let mut about = line.command.details();
        about.set("name", json!(name));
        let about: About = about.read().map_err(|error| misread(line.number, &error))?;
        let opened = self.desk.open::<Tournament>(Request::by(Actor::CONSOLE), about.into()).await;
        let opened = opened.map_err(|refused| self.names.refused(line.number, &refused))?;
        self.names.add_tournament(name, opened.id);
        Ok(())
    }

    /// Gives a command to the sheet of a tournament's match.
    pub(super) async fn sheet_of(&mut self, line: &Line, name: &str, at: MatchRef) -> Result<(), NightError> {
        let id = self.names.tournament(name).ok_or_else(|| not_there(line, "tournament", name))?;
        let before = self.desk.find::<Tournament>(id).await;
        let before = before.map_err(|refused| self.names.refused(line.number, &refused))?;
        let sheet = before.state.division(at.division).and_then(|division| division.sheet(at.number));
        let sheet = sheet.ok_or_else(|| not_there(line, "sheet of match", &at.number.0.to_string()))?;
        self.score(line, sheet).await
    }

    /// Gives a command to the sheet of a friendly match or a money session, or opens it.
    pub(super) async fn sheet(&mut self, line: &Line, name: &str) -> Result<(), NightError> {
        if line.command.kind() != Some("open") {
            let sheet = self.names.sheet(name).ok_or_else(|| not_there(line, "sheet", name))?;
            return self.score(line, sheet).await;
        }
        let mut new = line.command.details();
        new.replace("players/*", |name| Some(self.names.id(name)));
        let new: NewMatch = new.read().map_err(|error| misread(line.number, &error))?;
        let opened = self.desk.open::<Sheet>(Request::by(Actor::CONSOLE), new).await;
        let opened = opened.map_err(|refused| self.names.refused(line.number, &refused))?;
        self.names.add_sheet(name, opened.id);
        Ok(())
    }

    async fn score(&mut self, line: &Line, sheet: MatchId) -> Result<(), NightError> {
        let order: matches::Order =
            line.command.clone().read().map_err(|error| misread(line.number, &error))?;
        let answer = self.desk.command::<Sheet>(Request::by(Actor::CONSOLE), sheet, order).await;
        answer.map(drop).map_err(|refused| self.names.refused(line.number, &refused))
    }
}

/// A command to a tournament, with ids, entry numbers and slots instead of names.
fn order(names: &mut Names, said: &NamedCommand, tournament: &Tournament) -> NamedCommand {
    let mut command = said.clone();
    for path in ["player", "awards/*/player"] {
        command.replace(path, |name| Some(names.id(name)));
    }
    if command.kind() == Some("enter") {
        command.replace("entries/*", |name| Some(json!({ "player": name })));
        command.replace("entries/*/player", |name| Some(names.id(name)));
        return command;
    }
    let division: DivisionNo = said.value("division").unwrap_or_default();
    let Some(division) = tournament.division(division) else { return command };
    for path in ["entries/*", "method/slots/*", "entry"] {
        command.replace(path, |name| Some(entry_of(names, division, name)));
    }
    if let Some(sits) = said.value("match").and_then(|number| sitting(names, division, number)) {
        put_slots(&mut command, &sits);
    }
    command
}

/// The number of the player's newest entry, or an unused number if they did not enter.
fn entry_of(names: &mut Names, division: &Division, name: &str) -> EntryNo {
    division.entry_of(names.id(name)).unwrap_or(EntryNo(u32::MAX))
}

/// The names of the players in the two slots of a match.
fn sitting(names: &Names, division: &Division, number: MatchNo) -> Option<[Option<String>; 2]> {
    let at = division.bracket.get(number)?;
    let named = |slot: Slot| Some(names.name_of(division.entry(at.occupant(slot).entry()?)?.player));
    Some(Slot::BOTH.map(named))
}

/// Replaces the winner's name by their slot, and points by name by points by slot.
fn put_slots(command: &mut NamedCommand, sits: &[Option<String>; 2]) {
    let slot_of = |name: &str| {
        let [upper, lower] = sits.each_ref().map(|sits| sits.as_deref() == Some(name));
        if upper { Some(Slot::Upper) } else { lower.then_some(Slot::Lower) }
    };
    command.replace("ended/winner", slot_of);
    for path in ["score", "ended/score"] {
        command.change(path, |score| {
            if let Some(points) = score.as_object()
                && points.keys().all(|name| slot_of(name).is_some())
            {
                let of = |name: &Option<String>| name.as_ref().and_then(|name| points.get(name)).cloned();
                *score = sits.iter().map(of).collect();
            }
        });
    }
}
