//! Acts at the desk: a button's command, with what its form lets the user choose.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, web};
use chrono::TimeDelta;

use super::return_page::ReturnPage;
use crate::problem::Problem;
use crate::site::form::{Form, malformed, number, put_chosen, word};
use crate::site::form_command::{FormCommand, as_sent, missing, written};
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::Request;
use owlbox_desk::tournaments::Order;
use owlbox_domain::code::Code;
use owlbox_domain::journal::Version;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::command::{Ended, SlotOfMatch, WaitingEntry};
use owlbox_domain::tournament::event::Awarded;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef, Table, TableNo, TableUse};
use owlbox_domain::tournament::settings::Fee;
use owlbox_domain::tournament::{Command, Tournament};
use owlbox_domain::values::{PlayerId, Timestamp, TournamentId};
use owlbox_pages::decimal;
use owlbox_pages::directing::payments::as_seen;
use owlbox_pages::directing::{correction, tables};
use owlbox_pages::unfinished::TournamentCommand;

/// Carries out an act, then answers with the page that the form goes on to, or redirects there.
pub(in crate::site) async fn act(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    let partial = visitor::is_partial(&request);
    let (then, here) =
        (ReturnPage::from_address(*id, form.text("then")), ReturnPage::from_address(*id, form.text("here")));
    match carry_out(&visitor, *id, &form, request.path()).await {
        // A script stays on its page, or moves on by itself.
        Ok(version) if partial && here.address == then.address => {
            Ok(visitor::with_version(here.answer(&visitor, *id, true, None).await?, version))
        }
        Ok(version) if partial => Ok(visitor::with_version(HttpResponse::NoContent().finish(), version)),
        Ok(_) => Ok(redirect(&then.address)),
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => here.answer(&visitor, *id, partial, Some(&problem)).await,
    }
}

/// Carries out the form's command. Returns the version of the tournament after it.
async fn carry_out(visitor: &Visitor, id: TournamentId, form: &Form, path: &str) -> Result<Version, Problem> {
    let desk = &visitor.service.desk;
    let expected = form.version()?;
    let written = written(form)?;
    let command = FormCommand::read(written)?;
    let idempotency = form.idempotency(path, &as_sent(form, written))?;
    let tournament = desk.find::<Tournament>(id).await?;
    let state = &tournament.state;
    let order = match command {
        FormCommand::Whole(Order::Command(mut command)) => {
            replace(&mut command, form, state, desk.now())?;
            Order::Command(command)
        }
        FormCommand::Whole(history @ Order::History(_)) => history,
        FormCommand::Unfinished(command) => Order::Command(finish(command, form, state)?),
    };
    let request = Request { actor: visitor.actor()?, expected, idempotency };
    Ok(desk.command::<Tournament>(request, id, order).await?.act.version)
}

/// Finishes a command with the choices it lacks.
fn finish(command: TournamentCommand, form: &Form, state: &Tournament) -> Result<Command, Problem> {
    let player = || -> Result<(PlayerId, Option<i64>), Problem> {
        let (player, account) = as_seen(form.some("player").ok_or_else(|| missing("player"))?);
        Ok((word(player)?, account))
    };
    let amount = || typed_amount(form, state)?.ok_or_else(|| missing("amount"));
    Ok(match command {
        TournamentCommand::Result { division, number, players } => {
            // A form sent without its button chooses nothing.
            let written = form.some("ended").ok_or_else(bad_score)?;
            let ended = ended(written, MatchRef { division, number }, form, state)?;
            Command::Result { division, number, ended, players }
        }
        TournamentCommand::PayIn {} => {
            let (player, account) = player()?;
            Command::PayIn { player, amount: amount()?, account }
        }
        TournamentCommand::PayOut {} => {
            let (player, account) = player()?;
            Command::PayOut { player, amount: amount()?, account }
        }
        TournamentCommand::Cancel {} => {
            Command::Cancel { reason: form.word("reason")?.ok_or_else(|| missing("reason"))? }
        }
    })
}

/// Replaces what was chosen or typed in a command that is whole without it.
fn replace(command: &mut Command, form: &Form, state: &Tournament, now: Timestamp) -> Result<(), Problem> {
    match command {
        Command::Result { division, number, ended: result, .. } => {
            if let Some(written) = form.some("ended") {
                let at = MatchRef { division: *division, number: *number };
                *result = ended(written, at, form, state)?;
            }
        }
        Command::Call { table, .. } => {
            if let Some(chosen) = form.number("table")? {
                *table = Some(chosen);
            }
        }
        Command::Postpone { until, .. } => {
            if let Some(minutes) = form.some("minutes") {
                let minutes: u16 = minutes.parse().map_err(|_| malformed("the minutes are no number"))?;
                *until = Some(Timestamp::from(now.utc() + TimeDelta::minutes(i64::from(minutes))));
            }
        }
        Command::Enter { entries, .. } => {
            if let [entry] = entries.as_mut_slice() {
                entry.side_pools = form.numbers("side_pools")?;
            }
        }
        Command::Seat { number, slot, .. } => {
            if let Some(written) = form.some("seat") {
                let place = slot_of_match(written)?;
                (*number, *slot) = (place.number, place.slot);
            }
        }
        Command::Exchange { one, other, .. } => {
            put_chosen(one, form.some("one").map(slot_of_match).transpose()?);
            put_chosen(other, form.some("other").map(slot_of_match).transpose()?);
        }
        Command::Draw { only_checked_in, reason, .. } => {
            put_chosen(reason, form.word("reason")?.map(Some));
            *only_checked_in |= form.ticked("only_checked_in");
        }
        Command::DrawLastChance { entries, .. } => *entries = form.numbers("entries")?,
        Command::JoinPools { side_pools, .. } => *side_pools = form.numbers("side_pools")?,
        Command::SetTables { tables } => *tables = typed_tables(form)?,
        Command::PayIn { player, amount, .. } | Command::PayOut { player, amount, .. } => {
            put_chosen(player, form.word("player")?);
            put_chosen(amount, typed_amount(form, state)?);
        }
        Command::AddMoney { amount, .. } => put_chosen(amount, typed_amount(form, state)?),
        Command::Close { keep, reason } => {
            *keep = form.all("keep").map(waiting).collect::<Result<_, Problem>>()?;
            put_chosen(reason, form.word("reason")?.map(Some));
        }
        Command::Award { awards, .. } => put_chosen(awards, typed_awards(form, state)?.map(Some)),
        Command::Open { .. }
        | Command::Change { .. }
        | Command::SetDirectors { .. }
        | Command::AddDivision { .. }
        | Command::ChangeDivision { .. }
        | Command::ReEnter { .. }
        | Command::CheckIn { .. }
        | Command::Seed { .. }
        | Command::SeatByLot { .. }
        | Command::Withdraw { .. }
        | Command::Disqualify { .. }
        | Command::Reinstate { .. }
        | Command::Report { .. }
        | Command::Record { .. }
        | Command::Correct { .. }
        | Command::CallNext { .. }
        | Command::Uncall { .. }
        | Command::Begin { .. }
        | Command::Resume { .. }
        | Command::OpenSheet { .. }
        | Command::Reopen {}
        | Command::Cancel { .. } => {}
    }
    Ok(())
}

/// An entry that waits, as the form names it: division and number.
fn waiting(named: &str) -> Result<WaitingEntry, Problem> {
    let parts = named.split_once('-').and_then(|(of, entry)| Some((of.parse().ok()?, entry.parse().ok()?)));
    let (division, entry) = parts.ok_or_else(|| malformed("that is no entry"))?;
    Ok(WaitingEntry { division: DivisionNo(division), entry: EntryNo(entry) })
}

/// A slot as forms write it: `5-upper`.
fn slot_of_match(written: &str) -> Result<SlotOfMatch, Problem> {
    let (at, slot) = written.split_once('-').ok_or_else(|| malformed("this is no place of a match"))?;
    Ok(SlotOfMatch { number: number(at)?, slot: word(slot)? })
}

/// The tables as typed: open, reserved and closed.
fn typed_tables(form: &Form) -> Result<Vec<Table>, Problem> {
    let mut tables: BTreeMap<TableNo, TableUse> = BTreeMap::new();
    // A table listed as reserved or closed is not open.
    for (field, used_for) in
        [("tables", TableUse::Open), ("reserved", TableUse::Reserved), ("closed", TableUse::Closed)]
    {
        let numbers = tables::table_numbers(form.text(field)).ok_or_else(|| {
            let why = "tables are numbers from 1 to 2000, like 1-12, 15";
            Problem::new(Code::NoSuchTable, why).about("tables")
        })?;
        tables.extend(numbers.into_iter().map(|table| (table, used_for)));
    }
    Ok(tables.into_iter().map(|(table, used_for)| Table { table, used_for, note: None }).collect())
}

/// The amount as typed; `None` if none was.
fn typed_amount(form: &Form, state: &Tournament) -> Result<Option<Fee>, Problem> {
    let Some(typed) = form.some("amount") else { return Ok(None) };
    let amount = Fee::try_from(minor_units(typed, state)?);
    amount.map(Some).map_err(|error| Problem::new(Code::InvalidBody, error.to_string()))
}

/// What each player gets, as typed; `None` if the form does not ask. Whose field was emptied gets nothing, and who gets
/// nothing is left out.
fn typed_awards(form: &Form, state: &Tournament) -> Result<Option<Vec<Awarded>>, Problem> {
    let awards = form.beginning("award-").map(|(player, typed)| {
        let amount = if typed.is_empty() { 0 } else { minor_units(typed, state)? };
        Ok(Awarded { player: word(player)?, amount })
    });
    let awards: Vec<Awarded> = awards.collect::<Result<_, Problem>>()?;
    let given = || awards.iter().filter(|award| award.amount != 0).copied().collect();
    Ok((!awards.is_empty()).then(given))
}

/// An amount as typed, in minor units of the tournament's currency.
fn minor_units(typed: &str, state: &Tournament) -> Result<u64, Problem> {
    let currency = state.about().and_then(|about| about.currency);
    let amount = currency.and_then(|currency| decimal(typed, currency.decimals()));
    amount.and_then(|amount| u64::try_from(amount).ok()).ok_or_else(|| {
        let why = "an amount is a number like 25 or 12.50";
        Problem::new(Code::BadAmount, why).about("amount")
    })
}

/// How the match ended, according to the form.
fn ended(written: &str, at: MatchRef, form: &Form, state: &Tournament) -> Result<Ended, Problem> {
    let division = state.division(at.division);
    let found = division.and_then(|division| division.bracket.get(at.number));
    let length = division.zip(found).map_or(0, |(division, found)| division.length(found).points());
    let points = form.points().map_err(|_| bad_score())?;
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The command after what was chosen, or the code of the refusal. The tournament is empty, and without money.
    fn replaced(command: &Value, fields: &[(&str, &str)]) -> Result<Command, Code> {
        let mut command: Command = serde_json::from_value(command.clone()).unwrap();
        let now = "2026-11-20T18:00:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap().into();
        let state = Tournament::default();
        replace(&mut command, &Form::filled(fields), &state, now).map_err(|problem| problem.code)?;
        Ok(command)
    }

    #[test]
    fn what_was_chosen_replaces_what_the_page_offered() {
        let call = |table: Value| json!({"command": "call", "match": 3, "table": table});
        let postpone = |until: Value| json!({"command": "postpone", "match": 3, "until": until});
        let seat =
            |number: u32, slot: &str| json!({"command": "seat", "entry": 9, "match": number, "slot": slot});
        let tables = |tables: Value| json!({"command": "set_tables", "tables": tables});
        let draw = |method: Value, reason: Value, only: bool| json!({"command": "draw", "method": method, "reason": reason, "only_checked_in": only});
        let lot = || json!({"by": "lot"});
        let close = |keep: Value, reason: Value| json!({"command": "close", "keep": keep, "reason": reason});
        let place = |number: u32, slot: &str| json!({"match": number, "slot": slot});
        for (offered, fields, expected) in [
            (call(Value::Null), &[("table", "12")][..], call(json!(12))),
            (call(json!(4)), &[], call(json!(4))),
            (postpone(Value::Null), &[("minutes", "15")], postpone(json!("2026-11-20T18:15:00Z"))),
            (seat(1, "upper"), &[("seat", "5-lower")], seat(5, "lower")),
            (
                json!({"command": "exchange", "one": place(1, "upper"), "other": place(1, "upper")}),
                &[("one", "2-lower"), ("other", "4-upper")],
                json!({"command": "exchange", "one": place(2, "lower"), "other": place(4, "upper")}),
            ),
            (
                draw(lot(), Value::Null, false),
                &[("reason", "42"), ("only_checked_in", "yes")],
                draw(lot(), json!("42"), true),
            ),
            (
                tables(json!([])),
                &[("tables", "1-3"), ("closed", "2"), ("reserved", "5")],
                tables(json!([
                    {"table": 1}, {"table": 2, "for": "closed"}, {"table": 3}, {"table": 5, "for": "reserved"},
                ])),
            ),
            (
                close(json!([]), Value::Null),
                &[("keep", "1-6"), ("keep", "2-1"), ("reason", "came late")],
                close(json!([{"division": 1, "entry": 6}, {"division": 2, "entry": 1}]), json!("came late")),
            ),
            (
                json!({"command": "join_pools", "entry": 1, "side_pools": [0]}),
                &[],
                json!({"command": "join_pools", "entry": 1, "side_pools": []}),
            ),
        ] {
            let expected: Command = serde_json::from_value(expected).unwrap();
            assert_eq!(replaced(&offered, fields), Ok(expected), "{offered} {fields:?}");
        }
        for (offered, fields, code) in [
            (call(Value::Null), &[("table", "the window")][..], Code::InvalidBody),
            (postpone(Value::Null), &[("minutes", "soon")], Code::MalformedForm),
            (seat(1, "upper"), &[("seat", "5")], Code::MalformedForm),
            (seat(1, "upper"), &[("seat", "5-middle")], Code::InvalidBody),
            (tables(json!([])), &[("tables", "99999")], Code::NoSuchTable),
            (close(json!([]), Value::Null), &[("keep", "6")], Code::MalformedForm),
            (json!({"command": "add_money", "amount": 0}), &[("amount", "5")], Code::BadAmount),
        ] {
            assert_eq!(replaced(&offered, fields), Err(code), "{offered} {fields:?}");
        }
    }
}
