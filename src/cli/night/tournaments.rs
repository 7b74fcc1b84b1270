//! Lines for tournaments and for the sheets of matches.
//!
//! Where the API takes a number, a line may have a name: an entry is named by its player, and so is a slot of
//! a match by the player in it. The throwaway club has no logins of its own, so directors are named too.

use serde_json::{Value, json};

use super::script::{Line, Names, misread};
use super::{Night, NightError, not_there};
use owlbox_desk::access::accounts::NewAccount;
use owlbox_desk::matches::{self, NewMatch};
use owlbox_desk::tournaments;
use owlbox_desk::{Actor, Request};
use owlbox_domain::matches::{MatchNo, Sheet, Slot};
use owlbox_domain::permissions::{Role, Roles};
use owlbox_domain::tournament::Tournament;
use owlbox_domain::tournament::about::About;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::division::Division;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::values::{AccountId, MatchId};

impl Night {
    /// Gives a command to a tournament, or opens it.
    pub(super) async fn tournament(&mut self, line: &Line, name: &str) -> Result<(), NightError> {
        if line.command["command"] == "open" {
            return self.open_tournament(line, name).await;
        }
        let id = self.names.tournament(name).ok_or_else(|| not_there(line, "tournament", name))?;
        let before = self.desk.find::<Tournament>(id).await;
        let before = before.map_err(|refused| self.names.refused(line.number, &refused))?;
        let mut order = order(&mut self.names, &line.command, &before.state);
        for director in list(&mut order, "/directors") {
            if let Some(name) = director.as_str() {
                *director = json!(self.login(line, name).await?);
            }
        }
        let order: tournaments::Order =
            serde_json::from_value(order).map_err(|error| misread(line.number, &error))?;
        let answer = self.desk.command::<Tournament>(Request::by(Actor::CONSOLE), id, order).await;
        answer.map(drop).map_err(|refused| self.names.refused(line.number, &refused))
    }

    /// The login of that name. The throwaway club creates one for every name it meets.
    async fn login(&mut self, line: &Line, name: &str) -> Result<AccountId, NightError> {
        if let Some(account) = self.names.login(name) {
            return Ok(account);
        }
        let new = NewAccount { player: None, roles: Roles::from_roles(&[Role::Player]) };
        let made = self.desk.create_account(Request::by(Actor::CONSOLE), new).await;
        let (link, _) = made.map_err(|refused| self.names.refused(line.number, &refused))?;
        self.names.add_login(name, link.account);
        Ok(link.account)
    }

    async fn open_tournament(&mut self, line: &Line, name: &str) -> Result<(), NightError> {
        let mut about = without_command(&line.command);
        about["name"] = json!(name);
        let about: About = serde_json::from_value(about).map_err(|error| misread(line.number, &error))?;
        let opened = self.desk.open::<Tournament>(Request::by(Actor::CONSOLE), about).await;
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
        if line.command["command"] != "open" {
            let sheet = self.names.sheet(name).ok_or_else(|| not_there(line, "sheet", name))?;
            return self.score(line, sheet).await;
        }
        let mut new = without_command(&line.command);
        for player in list(&mut new, "/players") {
            self.names.put_id(Some(player));
        }
        let new: NewMatch = serde_json::from_value(new).map_err(|error| misread(line.number, &error))?;
        let opened = self.desk.open::<Sheet>(Request::by(Actor::CONSOLE), new).await;
        let opened = opened.map_err(|refused| self.names.refused(line.number, &refused))?;
        self.names.add_sheet(name, opened.id);
        Ok(())
    }

    async fn score(&mut self, line: &Line, sheet: MatchId) -> Result<(), NightError> {
        let order: matches::Order =
            serde_json::from_value(line.command.clone()).map_err(|error| misread(line.number, &error))?;
        let answer = self.desk.command::<Sheet>(Request::by(Actor::CONSOLE), sheet, order).await;
        answer.map(drop).map_err(|refused| self.names.refused(line.number, &refused))
    }
}

/// A line without its `command` key.
fn without_command(command: &Value) -> Value {
    let mut said = command.clone();
    if let Some(said) = said.as_object_mut() {
        said.remove("command");
    }
    said
}

/// A command to a tournament, with ids, entry numbers and slots instead of names.
fn order(names: &mut Names, said: &Value, tournament: &Tournament) -> Value {
    let mut command = said.clone();
    names.put_id(command.get_mut("player"));
    for award in list(&mut command, "/awards") {
        names.put_id(award.get_mut("player"));
    }
    if command["command"] == "enter" {
        for entry in list(&mut command, "/entries") {
            if entry.is_string() {
                *entry = json!({ "player": entry });
            }
            names.put_id(entry.get_mut("player"));
        }
        return command;
    }
    let division: DivisionNo = serde_json::from_value(said["division"].clone()).unwrap_or_default();
    let Some(division) = tournament.division(division) else { return command };
    for path in ["/entries", "/method/slots"] {
        list(&mut command, path).for_each(|entry| put_entry(names, division, entry));
    }
    command.get_mut("entry").into_iter().for_each(|entry| put_entry(names, division, entry));
    let number: Option<MatchNo> = serde_json::from_value(said["match"].clone()).ok();
    if let Some(sits) = number.and_then(|number| sitting(names, division, number)) {
        put_slots(&mut command, &sits);
    }
    command
}

/// The items of a list in a command. Empty if there is no list.
fn list<'a>(command: &'a mut Value, path: &str) -> impl Iterator<Item = &'a mut Value> {
    command.pointer_mut(path).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Replaces a name by the number of the player's newest entry, or by an unused number if they did not enter.
fn put_entry(names: &mut Names, division: &Division, place: &mut Value) {
    if let Some(name) = place.as_str() {
        let entry = division.entry_of(names.id(name));
        *place = json!(entry.unwrap_or(EntryNo(u32::MAX)));
    }
}

/// The names of the players in the two slots of a match.
fn sitting(names: &Names, division: &Division, number: MatchNo) -> Option<[Option<String>; 2]> {
    let at = division.bracket.get(number)?;
    let named = |slot: Slot| Some(names.name_of(division.entry(at.occupant(slot).entry()?)?.player));
    Some(Slot::BOTH.map(named))
}

/// Replaces the winner's name by their slot, and points by name by points by slot.
fn put_slots(command: &mut Value, sits: &[Option<String>; 2]) {
    let slot_of = |name: &str| {
        let [upper, lower] = sits.each_ref().map(|sits| sits.as_deref() == Some(name));
        if upper { Some(Slot::Upper) } else { lower.then_some(Slot::Lower) }
    };
    if let Some(winner) = command.pointer_mut("/ended/winner")
        && let Some(slot) = winner.as_str().and_then(slot_of)
    {
        *winner = json!(slot);
    }
    for path in ["/score", "/ended/score"] {
        if let Some(score) = command.pointer_mut(path)
            && let Some(points) = score.as_object()
            && points.keys().all(|name| slot_of(name).is_some())
        {
            *score =
                sits.iter().map(|name| name.as_ref().and_then(|name| points.get(name)).cloned()).collect();
        }
    }
}
