//! Acts on a sheet: a button's command, with what its form lets the user choose.

use actix_web::{HttpRequest, HttpResponse, web};

use super::{SheetQuery, answer, answer_clock};
use crate::problem::Problem;
use crate::site::board;
use crate::site::form::{Form, malformed, put_chosen, word};
use crate::site::form_command::{FormCommand, as_sent, missing, written};
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::Request;
use owlbox_desk::matches::Order;
use owlbox_domain::code::Code;
use owlbox_domain::journal::Version;
use owlbox_domain::matches::{Command, Entered, How, Outcome, Sheet, Slot};
use owlbox_domain::values::MatchId;
use owlbox_engine::CubeValue;
use owlbox_pages::matches::words::slot_name;
use owlbox_pages::matches::{minutes_and_seconds, picked};
use owlbox_pages::unfinished::SheetCommand;

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
        Ok(_) if !partial => Ok(redirect(&there)),
        Ok(version) if clock => {
            Ok(visitor::with_version(answer_clock(&visitor, *id, true, None).await?, version))
        }
        Ok(version) => {
            let answer = answer(&visitor, *id, SheetQuery::default(), true, None).await?;
            Ok(visitor::with_version(answer, version))
        }
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) if clock => answer_clock(&visitor, *id, partial, Some(&problem)).await,
        Err(problem) => answer(&visitor, *id, query, partial, Some(&problem)).await,
    }
}

/// Carries out the form's command. Returns the version of the sheet after it.
async fn carry_out(visitor: &Visitor, id: MatchId, form: &Form, path: &str) -> Result<Version, Problem> {
    let expected = form.version()?;
    let written = written(form)?;
    let idempotency = form.idempotency(path, &as_sent(form, written))?;
    let order = match FormCommand::read(written)? {
        FormCommand::Whole(Order::Command(mut command)) => {
            replace(&mut command, form)?;
            Order::Command(command)
        }
        FormCommand::Whole(history @ Order::History(_)) => history,
        FormCommand::Unfinished(command) => Order::Command(finish(command, form)?),
    };
    let request = Request { actor: visitor.actor()?, expected, idempotency };
    Ok(visitor.service.desk.command::<Sheet>(request, id, order).await?.act.version)
}

/// Finishes a command with the choices it lacks.
fn finish(command: SheetCommand, form: &Form) -> Result<Command, Problem> {
    Ok(match command {
        SheetCommand::Game {} => Command::Game(entered(form)?.ok_or_else(|| missing("winner"))?),
        SheetCommand::Correct { game } => {
            Command::Correct { game, now: entered(form)?.ok_or_else(|| missing("now"))? }
        }
        SheetCommand::Import {} => Command::Import {
            // As typed: columns matter in match text.
            text: form.exact("text").to_owned(),
            left: form.word("left")?.unwrap_or(Slot::Upper),
        },
        SheetCommand::Board { by, action } => Command::Board { by, action: board::finish(action, form)? },
    })
}

/// Replaces what was chosen or typed in a command that is whole without it.
fn replace(command: &mut Command, form: &Form) -> Result<(), Problem> {
    match command {
        Command::Penalty { points, .. } => put_chosen(points, form.number("points")?),
        Command::Late { minutes, .. } => put_chosen(minutes, form.number("minutes")?),
        Command::Final { score } => put_chosen(score, typed_score(form)?),
        Command::SetClock { clock: Some(setting), left } => {
            put_chosen(&mut setting.delay, form.number("delay")?);
            put_chosen(left, typed_time(form)?.map(Some));
        }
        Command::Rule { outcome } => {
            if let Some(ruled) = form.some("ruled") {
                *outcome = ruling(ruled, form)?;
            }
        }
        Command::Board { action, .. } => board::replace(action, form)?,
        Command::Open { .. }
        | Command::Game(_)
        | Command::Resign { .. }
        | Command::Draw {}
        | Command::Concede { .. }
        | Command::Follow(_)
        | Command::GivenBy { .. }
        | Command::Contest { .. }
        | Command::WithdrawContest { .. }
        | Command::RuleContest { .. }
        | Command::Claim { .. }
        | Command::Correct { .. }
        | Command::Adjourn {}
        | Command::Resume {}
        | Command::Close {}
        | Command::Pay { .. }
        | Command::StartBoard { .. }
        | Command::AbandonBoard {}
        | Command::Import { .. }
        | Command::SetClock { clock: None, .. }
        | Command::StartClock { .. }
        | Command::PressClock { .. }
        | Command::PauseClock {}
        | Command::ResumeClock {} => {}
    }
    Ok(())
}

/// The seconds typed for the two sides; `None` if the form does not ask for them.
fn typed_time(form: &Form) -> Result<Option<[u32; 2]>, Problem> {
    let wrong = || Problem::new(Code::BadClock, "a time is in minutes, like 9 or 9:30").about("clock");
    let time =
        |name: &str| form.some(name).map(|typed| minutes_and_seconds(typed).ok_or_else(wrong)).transpose();
    Ok(match (time("left_upper")?, time("left_lower")?) {
        (Some(upper), Some(lower)) => Some([upper, lower]),
        (None, None) => None,
        _ => return Err(wrong()),
    })
}

/// The result entered for a game; `None` if the form was sent without one.
fn entered(form: &Form) -> Result<Option<Entered>, Problem> {
    let Some(pick) = form.some("pick") else { return Ok(None) };
    let (winner, win, how) = picked(pick).ok_or_else(|| malformed("nobody wins a game in such a way"))?;
    let resigned = form.text("how") == "resigned" && how == How::Played;
    Ok(Some(Entered {
        winner,
        win,
        cube: form.number("cube")?.unwrap_or(CubeValue::ONE),
        how: if resigned { How::Resigned } else { how },
        turned: None,
        began: form.word("began")?,
    }))
}

/// The points that were typed; `None` if none were.
fn typed_score(form: &Form) -> Result<Option<[u16; 2]>, Problem> {
    form.points().map_err(|_| bad(Code::BadScore, "score"))
}

/// A director's ruling as the form writes it: `forfeit-upper`, `double_forfeit`; `None` if the match goes on.
fn ruling(ruled: &str, form: &Form) -> Result<Option<Outcome>, Problem> {
    if ruled == "goes_on" {
        return Ok(None);
    }
    let (ending, winner) =
        ruled.rsplit_once('-').map_or((ruled, None), |(ending, slot)| (ending, Some(slot)));
    let winner = winner
        .map(|winner| Slot::BOTH.into_iter().find(|slot| slot_name(*slot) == winner))
        .map(|slot| slot.ok_or_else(|| bad(Code::BadRuling, "outcome")))
        .transpose()?;
    Ok(Some(Outcome { winner, ending: word(ending)?, score: typed_score(form)? }))
}

fn bad(code: Code, field: &'static str) -> Problem {
    let detail = "this fits no such match".to_owned();
    Problem::new(code, detail).about(field)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The command after what was typed, or the code of the refusal.
    fn replaced(command: &Value, fields: &[(&str, &str)]) -> Result<Command, Code> {
        let mut command: Command = serde_json::from_value(command.clone()).unwrap();
        replace(&mut command, &Form::filled(fields)).map_err(|problem| problem.code)?;
        Ok(command)
    }

    #[test]
    fn what_was_typed_replaces_what_the_page_offered() {
        let penalty = |points: u16| json!({"command": "penalty", "gains": "upper", "points": points});
        let clock = |left: [u32; 2], delay: u16| json!({"command": "set_clock", "clock": {"reserve_a_point": 120, "delay": delay}, "left": left});
        let rule = |outcome: Value| json!({"command": "rule", "outcome": outcome});
        let last = |score: [u16; 2]| json!({"command": "final", "score": score});
        let roll = |action: Value| json!({"command": "board", "by": "upper", "action": action});
        for (offered, fields, expected) in [
            (penalty(1), &[("points", "3")][..], penalty(3)),
            (penalty(1), &[("minutes", "3")], penalty(1)),
            (
                clock([840, 840], 12),
                &[("left_upper", "9:30"), ("left_lower", "7"), ("delay", "")],
                clock([570, 420], 12),
            ),
            (clock([840, 840], 12), &[("delay", "8")], clock([840, 840], 8)),
            (last([5, 0]), &[("upper", "2"), ("lower", "5")], last([2, 5])),
            (rule(Value::Null), &[("ruled", "goes_on")], rule(Value::Null)),
            (
                rule(Value::Null),
                &[("ruled", "forfeit-lower"), ("upper", "3")],
                rule(json!({"winner": "lower", "ending": "forfeit", "score": [3, 0]})),
            ),
            (
                roll(json!({"action": "roll"})),
                &[("die-1", "2"), ("die-2", "6")],
                roll(json!({"action": "roll", "dice": [6, 2]})),
            ),
            (
                roll(json!({"action": "pass"})),
                &[("die-1", "2"), ("die-2", "6")],
                roll(json!({"action": "pass"})),
            ),
        ] {
            let expected: Command = serde_json::from_value(expected).unwrap();
            assert_eq!(replaced(&offered, fields), Ok(expected), "{offered} {fields:?}");
        }
        for (offered, fields, code) in [
            (penalty(1), &[("points", "many")][..], Code::InvalidBody),
            (penalty(1), &[("points", "70000")], Code::InvalidBody),
            (last([5, 0]), &[("upper", "-1")], Code::BadScore),
            (rule(Value::Null), &[("ruled", "forfeit-nobody")], Code::BadRuling),
            (rule(Value::Null), &[("ruled", "rain")], Code::InvalidBody),
            (roll(json!({"action": "roll"})), &[("die-1", "7"), ("die-2", "6")], Code::InvalidBody),
        ] {
            assert_eq!(replaced(&offered, fields), Err(code), "{offered} {fields:?}");
        }
    }

    #[test]
    fn a_game_is_entered_only_with_a_winner() {
        let read = |fields: &[(&str, &str)]| entered(&Form::filled(fields)).map_err(|problem| problem.code);
        assert_eq!(read(&[("cube", "2"), ("how", "resigned")]), Ok(None));
        let fields = [("pick", "lower-gammon"), ("cube", "2"), ("how", "resigned"), ("began", "upper")];
        let game =
            json!({"winner": "lower", "win": "gammon", "cube": 2, "how": "resigned", "began": "upper"});
        assert_eq!(read(&fields), Ok(Some(serde_json::from_value(game).unwrap())));
        let dropped = json!({"winner": "upper", "win": "single", "how": "dropped"});
        let dropped = Ok(Some(serde_json::from_value(dropped).unwrap()));
        assert_eq!(read(&[("pick", "upper-dropped"), ("how", "resigned")]), dropped, "a drop stays one");
        assert_eq!(read(&[("pick", "upper")]), Err(Code::MalformedForm));
        assert_eq!(read(&[("pick", "upper-single"), ("cube", "3")]), Err(Code::InvalidBody));
    }
}
