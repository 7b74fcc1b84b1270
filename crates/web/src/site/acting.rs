//! Acts at a table: a button's command, with what its form lets the user choose. Some buttons send several
//! commands, which make one act.

use actix_web::{HttpRequest, HttpResponse, web};

use super::form::{Form, invalid, malformed, number, word};
use super::form_command::{FormCommand, as_sent, missing};
use super::settle_up::{self, EarlyLeaver};
use super::visitor::{self, Visitor, redirect};
use super::{board, sheets, table};
use crate::ask;
use crate::problem::Problem;
use owlbox_desk::Request;
use owlbox_desk::chouettes::{Order, Together};
use owlbox_domain::chouette::{Chouette, Command, Roll};
use owlbox_domain::club::players::{PlayerDetails, PlayerName};
use owlbox_domain::journal::Version;
use owlbox_domain::values::{ChouetteId, PlayerId};
use owlbox_pages::unfinished::TableCommand;

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
        (Ok((_, version)), None) if partial => {
            let answer = table::answer(&visitor, *id, true, None).await?;
            Ok(visitor::with_version(answer, version))
        }
        (Ok((then, _)), None) => Ok(redirect(&then)),
        // The table's page is not shown to somebody who may not see it.
        (Err(problem), _) if problem.is_for_no_page() => Err(problem),
        (Err(problem), Some(_)) => {
            settle_up::answer(&visitor, *id, &EarlyLeaver::default(), Some(&problem)).await
        }
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
    /// The version of the table that the page was rendered from; `None` skips the check.
    expected: Option<Version>,
}

impl Submission<'_> {
    /// The request that carries out `command`. From then on the idempotency key stands for it.
    fn request(&self, visitor: &Visitor, command: &str) -> Result<Request, Problem> {
        let idempotency = self.form.idempotency(self.path, command)?;
        Ok(Request { actor: visitor.actor()?, expected: self.expected, idempotency })
    }
}

/// Carries out the form's command, or all of its commands in one act. Returns where the browser goes next, and the
/// version of the table after the act.
async fn carry_out(
    visitor: &Visitor,
    id: ChouetteId,
    form: &Form,
    path: &str,
) -> Result<(String, Version), Problem> {
    let commands: Vec<&str> = form.all("command").collect();
    let submission = Submission { form, path, expected: form.version()? };
    match commands.as_slice() {
        [] => Err(malformed("there is no command")),
        [command] => {
            let (order, version) = carry_out_one(visitor, id, &submission, command).await?;
            Ok((sheets::afterwards(id, &order), version))
        }
        several if several.len() <= MOST_COMMANDS => {
            let version = carry_out_together(visitor, id, &submission, several).await?;
            Ok((format!("/chouettes/{id}"), version))
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
) -> Result<Version, Problem> {
    let commands = several.iter().map(|command| ask::read(command.as_bytes()));
    let commands = commands.collect::<Result<Vec<Command>, Problem>>()?;
    let together = Together::new(commands)
        .ok_or_else(|| malformed("only doubles, takes and drops are given several at once"))?;
    let request = submission.request(visitor, &several.join("\n"))?;
    Ok(visitor.service.desk.command_together(request, id, together).await?.act.version)
}

/// Carries out one command and returns it, with the version after it.
async fn carry_out_one(
    visitor: &Visitor,
    id: ChouetteId,
    submission: &Submission<'_>,
    written: &str,
) -> Result<(Order, Version), Problem> {
    let order = match FormCommand::read(written)? {
        FormCommand::Whole(Order::Command(mut command)) => {
            replace(&mut command, submission.form)?;
            Order::Command(command)
        }
        FormCommand::Whole(history @ Order::History(_)) => history,
        FormCommand::Unfinished(command) => Order::Command(finish(visitor, submission, command).await?),
    };
    let request = submission.request(visitor, &as_sent(submission.form, written))?;
    let answer = visitor.service.desk.command::<Chouette>(request, id, order.clone()).await?;
    Ok((order, answer.act.version))
}

/// Finishes a command with the choices it lacks.
async fn finish(
    visitor: &Visitor,
    submission: &Submission<'_>,
    command: TableCommand,
) -> Result<Command, Problem> {
    let form = submission.form;
    Ok(match command {
        TableCommand::Join {} => {
            let player = match form.some("guest") {
                Some(name) => guest(visitor, name, submission).await?,
                None => form.word("player")?.ok_or_else(|| missing("player"))?,
            };
            Command::Join { player }
        }
        TableCommand::EnterRolls {} => {
            let rolls = rolls(form)?;
            if rolls.is_empty() {
                return Err(missing("rolls"));
            }
            Command::EnterRolls { rolls }
        }
        TableCommand::Board { by, action } => Command::Board { by, action: board::finish(action, form)? },
    })
}

/// Replaces what was chosen in a command that is whole without it.
fn replace(command: &mut Command, form: &Form) -> Result<(), Problem> {
    match command {
        Command::Double { against, .. }
        | Command::Take { against, .. }
        | Command::Drop { against, .. }
        | Command::Beaver { against, .. } => {
            let chosen = form.all("against").map(word).collect::<Result<Vec<PlayerId>, Problem>>()?;
            if !chosen.is_empty() {
                *against = Some(chosen);
            }
        }
        Command::Board { action, .. } => board::replace(action, form)?,
        Command::Open { .. }
        | Command::ChangeRules { .. }
        | Command::Close {}
        | Command::Split { .. }
        | Command::MergeInto { .. }
        | Command::Join { .. }
        | Command::Leave { .. }
        | Command::Break { .. }
        | Command::Return { .. }
        | Command::NameProxy { .. }
        | Command::MergePlayers { .. }
        | Command::SetStake { .. }
        | Command::SetStart { .. }
        | Command::DrawOrder {}
        | Command::EnterRolls { .. }
        | Command::SetOrder { .. }
        | Command::OfferPartnership {}
        | Command::AcceptPartnership { .. }
        | Command::DeclinePartnership { .. }
        | Command::DeclineBox { .. }
        | Command::StartGame { .. }
        | Command::OpeningTie { .. }
        | Command::GiveExtra { .. }
        | Command::PassExtra { .. }
        | Command::PlayOn {}
        | Command::Settle { .. }
        | Command::Finish { .. }
        | Command::Correct { .. }
        | Command::Pay { .. } => {}
    }
    Ok(())
}

/// The rolls for the order, each with its player.
fn rolls(form: &Form) -> Result<Vec<Roll>, Problem> {
    let mut rolls: Vec<Roll> = Vec::new();
    for (player, die) in form.beginning("roll-") {
        let player: PlayerId = word(player)?;
        let die = number(die)?;
        match rolls.iter_mut().find(|roll| roll.player == player) {
            Some(roll) => roll.dice.push(die),
            None => rolls.push(Roll { player, dice: vec![die] }),
        }
    }
    Ok(rolls)
}

/// The player of this name: one of the club's, or a guest created now. The guest's key is derived from the
/// form's, so that a form sent twice makes one guest.
async fn guest(visitor: &Visitor, name: &str, submission: &Submission<'_>) -> Result<PlayerId, Problem> {
    let name: PlayerName = name.parse().map_err(|error| invalid("guest", &error))?;
    let desk = &visitor.service.desk;
    if let Some(known) = desk.player_named(&name).await? {
        return Ok(known);
    }
    let idempotency = submission.form.idempotency_of_part("guest", submission.path, name.as_str())?;
    let request = Request { actor: visitor.actor()?, expected: None, idempotency };
    Ok(desk.add_player(request, PlayerDetails::named(name), true).await?.0)
}
