//! Acts at a table. Some buttons give several commands, which make one act.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::Value;

use super::{answer, preview_in_words, table_address};
use crate::acting::{self, Acted, Next, Submission};
use crate::board;
use crate::form::{Form, Object, decoded, malformed};
use crate::naming;
use crate::settle_up::{self, EarlyLeaver};
use crate::sheets;
use crate::visitor::Visitor;
use owlbox_base::journal::Version;
use owlbox_base::values::ChouetteId;
use owlbox_chouette::{Chouette, Command};
use owlbox_desk::Request;
use owlbox_desk::chouettes::{CommandBatch, Order};
use owlbox_desk::commands::subject::Preview;
use owlbox_desk::people::players::Entrant;
use owlbox_http::problem::Problem;

/// The most commands in a form.
const MOST_COMMANDS: usize = 20;

type Sent<'a> = Submission<'a, Chouette>;

/// Commands that are given together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Several {
    commands: Vec<Command>,
}

/// A command whose player is named instead of being given by id.
#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
enum ByName {
    Join { guest: String },
}

impl Acted for Chouette {
    async fn convert(_: &Sent<'_>, command: &mut Object) -> Result<(), Problem> {
        board::put_left_board(command)
    }

    async fn carry_out(sent: &Sent<'_>, request: Request, command: Object) -> Result<Version, Problem> {
        let desk = &sent.visitor.service.desk;
        let answer = if command.contains_key("commands") {
            desk.command_together(request, sent.id, together(command)?).await?
        } else if command.contains_key("guest") {
            desk.join_by_name(request, sent.id, guest(command)?).await?
        } else {
            desk.command::<Self>(request, sent.id, decoded(command)?).await?
        };
        Ok(answer.act.version)
    }

    async fn previewed(
        sent: &Sent<'_>,
        request: Request,
        command: Object,
    ) -> Result<(String, Version), Problem> {
        let desk = &sent.visitor.service.desk;
        let preview = if command.contains_key("commands") {
            desk.preview_together(request, sent.id, together(command)?).await?
        } else if command.contains_key("guest") {
            let (player, name) = match guest(command)? {
                Entrant::Player(player) => (Some(player), None),
                Entrant::Named(name) => (desk.player_meant(name.clone()).await?.player("guest")?, Some(name)),
                Entrant::New(details) => (None, Some(details.name)),
            };
            let Some(player) = player else {
                // Somebody whom the club does not know yet.
                let version = desk.find::<Self>(sent.id).await?.version;
                let name = name.map_or_else(String::new, |name| name.to_string());
                return Ok((sent.visitor.t.with("say-joins", "name", name), version));
            };
            desk.preview::<Self>(request, sent.id, Order::Command(Command::Join { player })).await?
        } else {
            desk.preview::<Self>(request, sent.id, decoded(command)?).await?
        };
        Ok((Self::in_words(sent, &preview).await?, preview.here.before.version))
    }

    async fn in_words(sent: &Sent<'_>, preview: &Preview<Self>) -> Result<String, Problem> {
        preview_in_words(sent.visitor, sent.id, preview).await
    }
}

/// An act at a table, from its page or from that of its settling up.
pub(crate) async fn act(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let id = *id;
    let settles = settling_up(id, &form);
    let next = match settles {
        Some(page) => Next::Another(page.to_owned()),
        None => Next::Same(sheets::afterwards(id, &form).unwrap_or_else(|| table_address(id))),
    };
    acting::act::<Chouette>(visitor, id, &form, &request, next, async |visitor, partial| match settles {
        Some(_) => settle_up::answer(visitor, id, &EarlyLeaver::default()).await,
        None => answer(visitor, id, partial).await,
    })
    .await
}

fn together(command: Object) -> Result<CommandBatch, Problem> {
    let Several { commands } = decoded(command)?;
    if commands.len() > MOST_COMMANDS {
        return Err(malformed("these are too many commands"));
    }
    CommandBatch::new(commands).ok_or_else(|| {
        malformed("only doubles, takes and drops are given several at once, or a result and a start")
    })
}

fn guest(mut command: Object) -> Result<Entrant, Problem> {
    let choice = command.remove(&naming::choice_beside("guest"));
    let ByName::Join { guest } = decoded(command)?;
    naming::entrant(&guest, choice.as_ref().and_then(Value::as_str), "guest")
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
