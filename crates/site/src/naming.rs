//! People who are named in forms. What is typed goes one road ([`owlbox_books::club::meant`]); where it is
//! not exactly one person's name, the form comes back with everybody who may be meant, and one of them is
//! chosen.
//!
//! Beside the field `payer` that choice is `payer_meant`: an id, or `new` for somebody new, and behind it the
//! text that it was made for. When that text is changed, the choice no longer counts.

use super::form::{Form, invalid};
use crate::pages::Choice;
use owlbox_base::values::PlayerId;
use owlbox_books::club::players::{PlayerDetails, PlayerName};
use owlbox_desk::people::players::{Candidate, Entrant};
use owlbox_desk::{Allowed as DeskAllowed, Desk};
use owlbox_http::problem::{Allowed, Problem};
use owlbox_locale::Locale;

/// What the name of a field ends in by which somebody is chosen.
const MEANT: &str = "_meant";
/// Chosen for somebody new.
const NEW: &str = "new";
/// The fields in which somebody may be named who is new to the club: at a table, and in a registration.
const MAY_BE_NEW: [&str; 2] = ["guest", "player"];

/// The name of the choice beside a field.
pub(super) fn choice_beside(field: &str) -> String {
    format!("{field}{MEANT}")
}

/// Who was chosen for a text that was typed; `None` if nobody was.
enum Chosen {
    Player(PlayerId),
    New,
}

fn chosen(choice: Option<&str>, typed: &str) -> Option<Chosen> {
    let (who, of) = choice?.split_once(' ')?;
    match who {
        _ if of != typed => None,
        NEW => Some(Chosen::New),
        id => id.parse().ok().map(Chosen::Player),
    }
}

/// The player who is named in a field; `None` if nothing is typed there.
///
/// # Errors
/// No name, `unknown_player`, or `ambiguous_name`.
pub(super) async fn known_player(
    desk: &Desk,
    form: &Form,
    field: &'static str,
) -> Result<Option<PlayerId>, Problem> {
    let Some(typed) = form.some(field) else { return Ok(None) };
    if let Some(Chosen::Player(player)) = chosen(form.some(&choice_beside(field)), typed) {
        return Ok(Some(player));
    }
    let name: PlayerName = typed.parse().map_err(|error| invalid(field, &error))?;
    Ok(Some(desk.player_meant(name).await?.known_player(field)?))
}

/// The person named in a field. They may be new to the club.
///
/// # Errors
/// No name.
pub(super) fn entrant(typed: &str, choice: Option<&str>, field: &'static str) -> Result<Entrant, Problem> {
    let name = || typed.parse::<PlayerName>().map_err(|error| invalid(field, &error));
    Ok(match chosen(choice, typed) {
        Some(Chosen::Player(player)) => Entrant::Player(player),
        Some(Chosen::New) => Entrant::New(PlayerDetails::named(name()?)),
        None => Entrant::Named(name()?),
    })
}

/// Who may be meant by what was typed in the field that a problem is about, to choose from: the name of the
/// choice, and the choices. The only one is chosen already. Empty if the problem is another.
pub(super) fn choices(t: &Locale, form: &Form, problem: &Problem) -> Option<(String, Vec<Choice>)> {
    let Some(Allowed::Desk(DeskAllowed::Candidates(candidates))) = &problem.allowed else { return None };
    let field = problem.field.as_deref()?;
    let typed = form.text(field);
    let is_only = candidates.len() == 1;
    let choice =
        |Candidate { player, name }: &Candidate| Choice::new(format!("{player} {typed}"), name, is_only);
    let mut choices: Vec<Choice> = candidates.iter().map(choice).collect();
    if MAY_BE_NEW.contains(&field) {
        choices.push(Choice::new(format!("{NEW} {typed}"), t.with("meant-new", "name", typed), false));
    }
    Some((choice_beside(field), choices))
}
