//! Acts on a sheet: a button's command, completed with what its form lets the user choose.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Map, Value, json};

use super::{SheetQuery, answer, answer_clock};
use crate::problem::{Problem, of_body, of_json};
use crate::site::acting::request_hash;
use crate::site::board;
use crate::site::form::Form;
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::matches::Order;
use owlbox_desk::{Idempotency, Request};
use owlbox_domain::code::Code;
use owlbox_domain::matches::{Sheet, Slot};
use owlbox_domain::values::MatchId;
use owlbox_pages::matches::words::slot_name;
use owlbox_pages::matches::{picked, words::win_name};

/// Carries out an act, then answers with the page that the form goes on to, or redirects there.
pub(in crate::site) async fn act(
    visitor: Visitor,
    id: web::Path<MatchId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    let partial = visitor::is_partial(&request);
    let clock = form.text("then").ends_with("/clock");
    let query = SheetQuery { correct: form.some("correcting").and_then(|game| game.parse().ok()) };
    let there = if clock { format!("/matches/{id}/clock") } else { format!("/matches/{id}") };
    match carry_out(&visitor, *id, &form, request.path()).await {
        Ok(()) if !partial => Ok(redirect(&there)),
        Ok(()) if clock => answer_clock(&visitor, *id, true, None).await,
        Ok(()) => answer(&visitor, *id, SheetQuery::default(), true, None).await,
        Err(problem) if [401, 404].contains(&problem.status) => Err(problem),
        Err(problem) if clock => answer_clock(&visitor, *id, partial, Some(&problem)).await,
        Err(problem) => answer(&visitor, *id, query, partial, Some(&problem)).await,
    }
}

async fn carry_out(visitor: &Visitor, id: MatchId, form: &Form, path: &str) -> Result<(), Problem> {
    let expected = match form.some("version").map(str::parse) {
        Some(Ok(version)) => Some(version),
        Some(Err(_)) => return Err(malformed("the version is no number")),
        None => None,
    };
    let written = form.some("command").ok_or_else(|| malformed("there is no command"))?;
    let command: Map<String, Value> =
        serde_json::from_str(written).map_err(|error| of_json(&error, written.as_bytes()))?;
    let mut command = Value::Object(command);
    complete(&mut command, form)?;
    if command["command"] == "board" {
        let sheet = visitor.service.desk.find::<Sheet>(id).await?;
        board::complete(&mut command, form, sheet.state.board().map(|board| &board.game))?;
    }
    let idempotency = form.key()?.map(|key| Idempotency {
        key: key.to_owned(),
        request_hash: request_hash(path, &command.to_string()),
    });
    let order: Order = serde_json::from_value(command).map_err(|error| of_body(&error))?;
    let request = Request { actor: visitor.actor()?, expected, idempotency };
    visitor.service.desk.command::<Sheet>(request, id, order).await?;
    Ok(())
}

/// Puts what was chosen into the command that takes it.
fn complete(command: &mut Value, form: &Form) -> Result<(), Problem> {
    match command["command"].as_str() {
        Some("game") if form.some("pick").is_some() => {
            let Value::Object(game) = entered(form)? else { return Ok(()) };
            for (name, value) in game {
                command[name] = value;
            }
        }
        Some("correct") if form.some("pick").is_some() => command["now"] = entered(form)?,
        Some("penalty") => put_number(command, "points", form),
        Some("late") => put_number(command, "minutes", form),
        Some("final") => {
            if let Some(score) = score(form)? {
                command["score"] = json!(score);
            }
        }
        Some("set_clock") if command["clock"].is_object() => {
            put_number(&mut command["clock"], "reserve_a_point", form);
            put_number(&mut command["clock"], "delay", form);
        }
        Some("rule") => {
            if let Some(ruled) = form.some("ruled") {
                command["outcome"] = ruling(ruled, form)?;
            }
        }
        Some("import") if command.get("text").is_none() => {
            // As typed: columns matter in match text.
            command["text"] = json!(form.exact("text"));
            if let Some(left) = form.some("left") {
                command["left"] = json!(left);
            }
        }
        _ => {}
    }
    Ok(())
}

/// The result entered for a game.
fn entered(form: &Form) -> Result<Value, Problem> {
    let (winner, win, how) =
        picked(form.text("pick")).ok_or_else(|| malformed("nobody wins a game in such a way"))?;
    let mut game = json!({ "winner": slot_name(winner), "win": win_name(win), "how": how });
    if form.text("how") == "resigned" && game["how"] == json!("played") {
        game["how"] = json!("resigned");
    }
    put_number(&mut game, "cube", form);
    if let Some(began) = form.some("began") {
        game["began"] = json!(began);
    }
    Ok(game)
}

/// Puts a number that was typed into the command. A text that is not a number goes in as it is, and is
/// refused as such.
fn put_number(command: &mut Value, name: &str, form: &Form) {
    if let Some(typed) = form.some(name) {
        command[name] = typed.parse::<u64>().map_or_else(|_| json!(typed), |number| json!(number));
    }
}

/// The points that were typed; `None` if none were.
fn score(form: &Form) -> Result<Option<[u16; 2]>, Problem> {
    let points = |name: &str| form.some(name).map(str::parse::<u16>).transpose();
    match (points("upper"), points("lower")) {
        (Ok(None), Ok(None)) => Ok(None),
        (Ok(upper), Ok(lower)) => Ok(Some([upper.unwrap_or(0), lower.unwrap_or(0)])),
        _ => Err(bad(Code::BadScore, "score")),
    }
}

fn ruling(ruled: &str, form: &Form) -> Result<Value, Problem> {
    if ruled == "goes_on" {
        return Ok(Value::Null);
    }
    let (ending, winner) =
        ruled.rsplit_once('-').map_or((ruled, None), |(ending, slot)| (ending, Some(slot)));
    let winner = winner
        .map(|winner| Slot::BOTH.into_iter().find(|slot| slot_name(*slot) == winner))
        .map(|slot| slot.ok_or_else(|| bad(Code::BadRuling, "outcome")))
        .transpose()?;
    let mut outcome = json!({ "winner": winner.map(slot_name), "ending": ending });
    if let Some(score) = score(form)? {
        outcome["score"] = json!(score);
    }
    Ok(outcome)
}

fn bad(code: Code, field: &'static str) -> Problem {
    let detail = "this fits no such match".to_owned();
    Problem::new(code, detail).about(field)
}

fn malformed(why: &str) -> Problem {
    Problem::new(Code::MalformedForm, why)
}
