//! Acts at a table: a button's command, completed with what the form lets the user choose. Some buttons send
//! several commands, which make one act.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::form::Form;
use super::settle_up::{self, Asked};
use super::visitor::{self, Visitor, redirect};
use super::{board, sheets, table};
use crate::problem::{Problem, of_body, of_json};
use owlbox_desk::chouettes::{Order, Together};
use owlbox_desk::{Idempotency, Request};
use owlbox_domain::chouette::{Chouette, Command};
use owlbox_domain::club::players::{PlayerDetails, PlayerName};
use owlbox_domain::code::Code;
use owlbox_domain::journal::Version;
use owlbox_domain::values::{ChouetteId, PlayerId};

/// The most commands in a form.
const MOST_COMMANDS: usize = 20;

/// Carries out an act, then answers with the table or redirects to it.
pub(super) async fn act(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    let partial = visitor::is_partial(&request);
    let settling_up = settling_up(*id, &form);
    match (carry_out(&visitor, *id, &form, request.path()).await, settling_up) {
        (Ok(_), Some(then)) => Ok(redirect(then)),
        (Ok(_), None) if partial => table::answer(&visitor, *id, true, None).await,
        (Ok(then), None) => Ok(redirect(&then)),
        // The table's page is not shown to somebody who may not see it.
        (Err(problem), _) if [401, 404].contains(&problem.status) => Err(problem),
        (Err(problem), Some(_)) => settle_up::answer(&visitor, *id, &Asked::default(), Some(&problem)).await,
        (Err(problem), None) => table::answer(&visitor, *id, partial, Some(&problem)).await,
    }
}

/// The page to go on to if the form belongs to the table's settling up: that page, with what was chosen on
/// it.
fn settling_up(id: ChouetteId, form: &Form) -> Option<&str> {
    let then = form.some("then")?;
    let chosen = then.strip_prefix(&settle_up::address(id))?;
    let in_an_address = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~?=&%#".contains(&byte);
    let is_chosen = chosen.is_empty() || chosen.starts_with(['?', '#']);
    (is_chosen && chosen.bytes().all(in_an_address)).then_some(then)
}

/// A form sent to a table, with its address and its conditions.
struct Submission<'a> {
    form: &'a Form,
    path: &'a str,
    key: Option<&'a str>,
    /// The version of the table that the page was rendered from; `None` skips the check.
    expected: Option<Version>,
}

impl Submission<'_> {
    /// The request that carries out `command`. From then on the idempotency key stands for it.
    fn request(&self, visitor: &Visitor, command: &str) -> Result<Request, Problem> {
        let idempotency = self
            .key
            .map(|key| Idempotency { key: key.to_owned(), request_hash: request_hash(self.path, command) });
        Ok(Request { actor: visitor.actor()?, expected: self.expected, idempotency })
    }
}

/// Carries out the form's command, or all of its commands in one act. Returns where the browser goes next.
async fn carry_out(visitor: &Visitor, id: ChouetteId, form: &Form, path: &str) -> Result<String, Problem> {
    let commands: Vec<&str> = form.all("command").collect();
    let expected: Option<Version> = match form.some("version").map(str::parse) {
        Some(Ok(version)) => Some(version),
        Some(Err(_)) => return Err(malformed("the version is no number")),
        None => None,
    };
    let submission = Submission { form, path, key: form.key()?, expected };
    match commands.as_slice() {
        [] => Err(malformed("there is no command")),
        [command] => {
            let order = carry_out_one(visitor, id, &submission, command).await?;
            Ok(sheets::afterwards(id, &order))
        }
        several if several.len() <= MOST_COMMANDS => {
            carry_out_together(visitor, id, &submission, several).await?;
            Ok(format!("/chouettes/{id}"))
        }
        _ => Err(malformed("these are too many commands")),
    }
}

/// Carries out several commands as one act: all of them or none.
async fn carry_out_together(
    visitor: &Visitor,
    id: ChouetteId,
    submission: &Submission<'_>,
    several: &[&str],
) -> Result<(), Problem> {
    let read = |command: &&str| {
        serde_json::from_str::<Command>(command).map_err(|error| of_json(&error, command.as_bytes()))
    };
    let commands = several.iter().map(read).collect::<Result<Vec<Command>, Problem>>()?;
    let together = Together::new(commands)
        .ok_or_else(|| malformed("only doubles, takes and drops are given several at once"))?;
    let request = submission.request(visitor, &several.join("\n"))?;
    visitor.service.desk.command_together(request, id, together).await?;
    Ok(())
}

/// An idempotency key for a part of a form. It differs from the keys of other forms and of other parts,
/// whatever those are.
pub(super) fn derived(key: &str, part: &str) -> String {
    let mut hash = Sha256::new();
    for text in [key, part] {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("form-{hex}")
}

/// Carries out one command and returns it.
async fn carry_out_one(
    visitor: &Visitor,
    id: ChouetteId,
    submission: &Submission<'_>,
    command: &str,
) -> Result<Order, Problem> {
    let mut chosen = Chosen::from_form(submission.form);
    let command: Map<String, Value> =
        serde_json::from_str(command).map_err(|error| of_json(&error, command.as_bytes()))?;
    let mut command = Value::Object(command);
    if command["command"] == "join"
        && let Some(name) = chosen.guest.take()
    {
        command["player"] = json!(guest(visitor, name, submission).await?);
    }
    chosen.complete(&mut command);
    if command["command"] == "board" {
        let stream = visitor.service.desk.find::<Chouette>(id).await?;
        let game = stream.state.game().and_then(|game| game.board.as_deref());
        board::complete(&mut command, submission.form, game)?;
    }
    let text = command.to_string();
    let order: Order = serde_json::from_value(command).map_err(|error| of_body(&error))?;
    let request = submission.request(visitor, &text)?;
    visitor.service.desk.command::<Chouette>(request, id, order.clone()).await?;
    Ok(order)
}

/// What a form lets the user choose. Each choice goes into the first command that takes it, and into no
/// other.
struct Chosen<'a> {
    /// The name of the person who sits down, perhaps a guest.
    guest: Option<&'a str>,
    player: Option<&'a str>,
    against: Vec<&'a str>,
    /// The rolls for the order, each with its player.
    rolls: Vec<Value>,
}

impl<'a> Chosen<'a> {
    fn from_form(form: &'a Form) -> Self {
        // A die that is not a number stays a text, and is refused as such.
        let die = |die: &str| die.parse::<u8>().map_or_else(|_| json!(die), |die| json!(die));
        let mut rolls: Vec<(&str, Vec<Value>)> = Vec::new();
        for (player, rolled) in form.beginning("roll-") {
            match rolls.iter_mut().find(|(known, _)| *known == player) {
                Some((_, dice)) => dice.push(die(rolled)),
                None => rolls.push((player, vec![die(rolled)])),
            }
        }
        let roll = |(player, dice): (&str, Vec<Value>)| json!({ "player": player, "dice": dice });
        Self {
            guest: form.some("guest"),
            player: form.some("player"),
            against: form.all("against").collect(),
            rolls: rolls.into_iter().map(roll).collect(),
        }
    }

    /// Puts the choices that this command takes into it.
    fn complete(&mut self, command: &mut Value) {
        match command["command"].as_str() {
            Some("join") if command.get("player").is_none() => {
                if let Some(player) = self.player.take() {
                    command["player"] = json!(player);
                }
            }
            Some("double" | "take" | "drop" | "beaver") if !self.against.is_empty() => {
                command["against"] = json!(std::mem::take(&mut self.against));
            }
            Some("enter_rolls") if !self.rolls.is_empty() => {
                command["rolls"] = json!(std::mem::take(&mut self.rolls));
            }
            _ => {}
        }
    }
}

/// The player of this name: one of the club's, or a guest created now. The guest's key is derived from the
/// form's, so that a form sent twice makes one guest.
async fn guest(visitor: &Visitor, name: &str, submission: &Submission<'_>) -> Result<PlayerId, Problem> {
    let name: PlayerName = name.parse().map_err(|error| super::form::invalid("guest", &error))?;
    let desk = &visitor.service.desk;
    if let Some(known) = desk.player_named(&name).await? {
        return Ok(known);
    }
    let idempotency = submission.key.map(|key| Idempotency {
        key: derived(key, "guest"),
        request_hash: request_hash(submission.path, name.as_str()),
    });
    let request = Request { actor: visitor.actor()?, expected: None, idempotency };
    Ok(desk.add_player(request, PlayerDetails::named(name), true).await?.0)
}

fn malformed(why: &str) -> Problem {
    Problem::new(Code::MalformedForm, why)
}

/// Hashes what the key is used for: the path and the whole command, but not the version. So pressing the same
/// button again after a lost answer gives the first outcome.
pub(super) fn request_hash(path: &str, command: &str) -> Vec<u8> {
    let mut hash = Sha256::new();
    for part in ["POST", path, command] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_a_forms_parts_are_no_other_forms_and_fit() {
        let longest = "k".repeat(Form::LONGEST_KEY);
        let keys = [derived("K", "1"), derived("K-1", "1"), derived("K", "11"), derived("K1", "1")];
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{key}");
        }
        assert_eq!(derived("K", "1"), keys[0], "the same form again has the same");
        assert!(derived(&longest, "19").len() <= Form::LONGEST_KEY);
    }
}
