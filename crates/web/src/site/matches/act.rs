//! Acts on a sheet: a button's command, with what its form lets the user choose.

use actix_web::{HttpRequest, HttpResponse, web};

use super::{SheetQuery, answer, answer_clock};
use crate::problem::Problem;
use crate::site::board;
use crate::site::form::{Form, malformed, put, word};
use crate::site::form_command::{FormCommand, missing, text, written};
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::Request;
use owlbox_desk::matches::Order;
use owlbox_domain::code::Code;
use owlbox_domain::matches::{Command, Entered, How, Outcome, Sheet, Slot};
use owlbox_domain::values::MatchId;
use owlbox_engine::CubeValue;
use owlbox_pages::matches::picked;
use owlbox_pages::matches::words::slot_name;
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
        Ok(()) if !partial => Ok(redirect(&there)),
        Ok(()) if clock => answer_clock(&visitor, *id, true, None).await,
        Ok(()) => answer(&visitor, *id, SheetQuery::default(), true, None).await,
        Err(problem) if [401, 404].contains(&problem.status) => Err(problem),
        Err(problem) if clock => answer_clock(&visitor, *id, partial, Some(&problem)).await,
        Err(problem) => answer(&visitor, *id, query, partial, Some(&problem)).await,
    }
}

async fn carry_out(visitor: &Visitor, id: MatchId, form: &Form, path: &str) -> Result<(), Problem> {
    let expected = form.version()?;
    let order = match FormCommand::read(written(form)?)? {
        FormCommand::Whole(Order::Command(mut command)) => {
            replace(&mut command, form)?;
            Order::Command(command)
        }
        FormCommand::Whole(history @ Order::History(_)) => history,
        FormCommand::Unfinished(command) => Order::Command(finish(visitor, id, command, form).await?),
    };
    let idempotency = form.idempotency(path, &text(&order))?;
    let request = Request { actor: visitor.actor()?, expected, idempotency };
    visitor.service.desk.command::<Sheet>(request, id, order).await?;
    Ok(())
}

/// Finishes a command with the choices it lacks.
async fn finish(
    visitor: &Visitor,
    id: MatchId,
    command: SheetCommand,
    form: &Form,
) -> Result<Command, Problem> {
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
        SheetCommand::Board { by, action } => {
            let sheet = visitor.service.desk.find::<Sheet>(id).await?;
            let game = sheet.state.board().map(|board| &board.game);
            Command::Board { by, action: board::finish(action, form, game)? }
        }
    })
}

/// Replaces what was chosen or typed in a command that is whole without it.
fn replace(command: &mut Command, form: &Form) -> Result<(), Problem> {
    match command {
        Command::Penalty { points, .. } => put(points, form.number("points")?),
        Command::Late { minutes, .. } => put(minutes, form.number("minutes")?),
        Command::Final { score } => put(score, typed_score(form)?),
        Command::SetClock { clock: Some(setting) } => {
            put(&mut setting.reserve_a_point, form.number("reserve_a_point")?);
            put(&mut setting.delay, form.number("delay")?);
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
        | Command::Told { .. }
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
        | Command::SetClock { clock: None }
        | Command::StartClock { .. }
        | Command::PressClock { .. }
        | Command::PauseClock {}
        | Command::ResumeClock {} => {}
    }
    Ok(())
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
    let points = |name: &str| form.some(name).map(str::parse::<u16>).transpose();
    match (points("upper"), points("lower")) {
        (Ok(None), Ok(None)) => Ok(None),
        (Ok(upper), Ok(lower)) => Ok(Some([upper.unwrap_or(0), lower.unwrap_or(0)])),
        _ => Err(bad(Code::BadScore, "score")),
    }
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
