//! Acts at the desk: a button's command, completed with what its form lets the user choose.

use actix_web::{HttpRequest, HttpResponse, web};
use chrono::TimeDelta;
use serde_json::{Map, Value, json};

use super::return_page::ReturnPage;
use crate::problem::{Problem, of_body, of_json};
use crate::site::acting::request_hash;
use crate::site::form::Form;
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::tournaments::Order;
use owlbox_desk::{Idempotency, Request};
use owlbox_domain::code::Code;
use owlbox_domain::matches::MatchNo;
use owlbox_domain::tournament::Tournament;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::values::{Timestamp, TournamentId};
use owlbox_pages::decimal;
use owlbox_pages::directing::{correction, tables};

/// Carries out an act, then answers with the page that the form goes on to, or redirects there.
pub(in crate::site) async fn act(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    let partial = visitor::is_partial(&request);
    let (then, here) = (ReturnPage::named(*id, form.text("then")), ReturnPage::named(*id, form.text("here")));
    match carry_out(&visitor, *id, &form, request.path()).await {
        // A script stays on its page, or moves on by itself.
        Ok(()) if partial && here.address == then.address => here.answer(&visitor, *id, true, None).await,
        Ok(()) if partial => Ok(HttpResponse::NoContent().finish()),
        Ok(()) => Ok(redirect(&then.address)),
        Err(problem) if [401, 404].contains(&problem.status) => Err(problem),
        Err(problem) => here.answer(&visitor, *id, partial, Some(&problem)).await,
    }
}

async fn carry_out(visitor: &Visitor, id: TournamentId, form: &Form, path: &str) -> Result<(), Problem> {
    let desk = &visitor.service.desk;
    let expected = match form.some("version").map(str::parse) {
        Some(Ok(version)) => Some(version),
        Some(Err(_)) => return Err(malformed("the version is no number")),
        None => None,
    };
    let written = form.some("command").ok_or_else(|| malformed("there is no command"))?;
    let command: Map<String, Value> =
        serde_json::from_str(written).map_err(|error| of_json(&error, written.as_bytes()))?;
    let mut command = Value::Object(command);
    // A retry has to hash the same, so values computed from the clock are left out.
    let idempotency = form.key()?.map(|key| Idempotency {
        key: key.to_owned(),
        request_hash: request_hash(path, &format!("{written}\n{}", chosen(form))),
    });
    let tournament = desk.find::<Tournament>(id).await?;
    complete(&mut command, form, &tournament.state, desk.now())?;
    let order: Order = serde_json::from_value(command).map_err(|error| of_body(&error))?;
    let request = Request { actor: visitor.actor()?, expected, idempotency };
    desk.command::<Tournament>(request, id, order).await?;
    Ok(())
}

/// What was chosen, as text for the hash.
fn chosen(form: &Form) -> String {
    let ours = ["csrf", "then", "here", "key", "version", "command"];
    let fields = form.beginning("").filter(|(name, _)| !ours.contains(name));
    fields.map(|(name, value)| format!("{name}={value}\n")).collect()
}

/// Puts what was chosen into the command that takes it.
fn complete(command: &mut Value, form: &Form, state: &Tournament, now: Timestamp) -> Result<(), Problem> {
    match command["command"].as_str() {
        Some("result") => {
            match form.some("ended") {
                Some(written) => command["ended"] = json!(ended(written, command, form, state)?),
                // A form sent without its button chooses nothing.
                None if command.get("ended").is_none() => return Err(bad_score()),
                None => {}
            }
        }
        Some("call") => {
            if let Some(table) = form.some("table") {
                command["table"] = number(table);
            }
        }
        Some("postpone") => {
            if let Some(minutes) = form.some("minutes") {
                let minutes: u16 = minutes.parse().map_err(|_| malformed("the minutes are no number"))?;
                let until = Timestamp::from(now.utc() + TimeDelta::minutes(i64::from(minutes)));
                command["until"] = json!(until);
            }
        }
        Some("enter") => {
            let side_pools: Vec<Value> = form.all("side_pools").map(number).collect();
            let entries = command.get_mut("entries").and_then(Value::as_array_mut);
            if let Some([Value::Object(entry)]) = entries.map(Vec::as_mut_slice) {
                entry.insert("side_pools".to_owned(), json!(side_pools));
            }
        }
        Some("seat") => {
            if let Some(place) = form.some("seat") {
                let place = place_of(place)?;
                (command["match"], command["slot"]) = (place["match"].clone(), place["slot"].clone());
            }
        }
        Some("exchange") => {
            for name in ["one", "other"] {
                if let Some(place) = form.some(name) {
                    command[name] = place_of(place)?;
                }
            }
        }
        Some("draw") => complete_draw(command, form)?,
        Some("draw_last_chance") => command["entries"] = form.all("entries").map(number).collect(),
        Some("join_pools") => command["side_pools"] = form.all("side_pools").map(number).collect(),
        Some("set_tables") => command["tables"] = tables(form)?,
        Some("pay_in" | "pay_out" | "add_money") => {
            if let Some(player) = form.some("player") {
                command["player"] = json!(player);
            }
            if let Some(typed) = form.some("amount") {
                command["amount"] = json!(amount(typed, state)?);
            }
        }
        Some("close") => {
            command["keep"] = form.all("keep").map(waiting).collect::<Result<_, Problem>>()?;
            if let Some(reason) = form.some("reason") {
                command["reason"] = json!(reason);
            }
        }
        Some("award") => {
            let typed = form.beginning("award-").filter(|(_, typed)| !typed.is_empty());
            let awards =
                typed.map(|(player, typed)| Ok(json!({"player": player, "amount": amount(typed, state)?})));
            let awards: Vec<Value> = awards.collect::<Result<_, Problem>>()?;
            if !awards.is_empty() {
                command["awards"] = awards.into_iter().filter(|award| award["amount"] != 0).collect();
            }
        }
        _ => {}
    }
    Ok(())
}

/// An entry that waits, as the form names it: division and number.
fn waiting(named: &str) -> Result<Value, Problem> {
    let parts = named.split_once('-').and_then(|(of, entry)| Some((of.parse().ok()?, entry.parse().ok()?)));
    let (division, entry): (u8, u32) = parts.ok_or_else(|| malformed("that is no entry"))?;
    Ok(json!({"division": division, "entry": entry}))
}

/// The reason for drawing again, who draws, and the order if it is set by hand.
fn complete_draw(command: &mut Value, form: &Form) -> Result<(), Problem> {
    if let Some(reason) = form.some("reason") {
        command["reason"] = json!(reason);
    }
    if form.ticked("only_checked_in") {
        command["only_checked_in"] = json!(true);
    }
    let slot = |slot: &str| if slot.is_empty() { Value::Null } else { number(slot) };
    let slots: Vec<Value> = form.all("slot").map(slot).collect();
    if !slots.is_empty() {
        let method = command.get_mut("method").and_then(Value::as_object_mut);
        let method = method.ok_or_else(|| malformed("the slots are of no draw by hand"))?;
        method.insert("slots".to_owned(), json!(slots));
    }
    Ok(())
}

/// A slot as forms write it: `5-upper`.
fn place_of(written: &str) -> Result<Value, Problem> {
    let (at, slot) = written.split_once('-').ok_or_else(|| malformed("this is no place of a match"))?;
    Ok(json!({"match": number(at), "slot": slot}))
}

/// The tables as typed: open, reserved and closed.
fn tables(form: &Form) -> Result<Value, Problem> {
    let mut tables = Vec::new();
    for (field, used) in [("tables", "open"), ("reserved", "reserved"), ("closed", "closed")] {
        let numbers = tables::table_numbers(form.text(field)).ok_or_else(|| {
            let why = "tables are numbers from 1 to 2000, like 1-12, 15";
            Problem::new(Code::NoSuchTable, why).about("tables")
        })?;
        // A table listed as reserved or closed is not open.
        for table in numbers {
            tables.retain(|known: &(u16, &str)| known.0 != table.0);
            tables.push((table.0, used));
        }
    }
    tables.sort_unstable();
    Ok(tables.into_iter().map(|(table, used)| json!({"table": table, "for": used})).collect())
}

/// An amount as typed, in minor units of the tournament's currency.
fn amount(typed: &str, state: &Tournament) -> Result<i64, Problem> {
    let currency = state.about().and_then(|about| about.currency);
    currency.and_then(|currency| decimal(typed, currency.decimals())).ok_or_else(|| {
        let why = "an amount is a number like 25 or 12.50";
        Problem::new(Code::BadAmount, why).about("amount")
    })
}

/// How the match ended, according to the form.
fn ended(
    written: &str,
    command: &Value,
    form: &Form,
    state: &Tournament,
) -> Result<owlbox_domain::tournament::command::Ended, Problem> {
    let at = |name: &str| command[name].as_u64().and_then(|number| u32::try_from(number).ok());
    let division = at("division")
        .and_then(|number| u8::try_from(number).ok())
        .map_or_else(DivisionNo::default, DivisionNo);
    let of = state.division(division);
    let found = at("match").and_then(|number| of?.bracket.get(MatchNo(number)));
    let length = of.zip(found).map_or(0, |(of, found)| of.length(found).points());
    let points = |name: &str| form.some(name).map(str::parse::<u16>).transpose();
    let points = match (points("upper"), points("lower")) {
        (Ok(None), Ok(None)) => None,
        (Ok(upper), Ok(lower)) => Some([upper.unwrap_or(0), lower.unwrap_or(0)]),
        _ => return Err(bad_score()),
    };
    let typed = match written {
        "played-upper" | "played-lower" => {
            let slot = written.trim_start_matches("played-");
            Some(format!("{written}-{}", form.text(&format!("lost-{slot}"))))
        }
        _ => None,
    };
    let written = typed.as_deref().unwrap_or(written);
    correction::ended(written, length, points).flatten().ok_or_else(bad_score)
}

fn bad_score() -> Problem {
    Problem::new(Code::BadScore, "this is no score of that match").about("score")
}

/// A number; or the text as it is, which is then refused as such.
fn number(text: &str) -> Value {
    text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number))
}

fn malformed(why: &str) -> Problem {
    Problem::new(Code::MalformedForm, why)
}
