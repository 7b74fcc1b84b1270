//! The director's desk: its pages, for those who direct a tournament, and what their forms do.
//!
//! Every button posts to the address of its page with `/act` after it ([`takes_acts`](act::takes_acts)), and
//! names the page to go on to; a script gets the live part of its page as the answer. Only corrections, draws
//! and the like carry the version they were shown at, so that two helpers at one desk do not get in each
//! other's way.
//!
//! Every page answers one question, and has the [`DeskFrame`] around its work, with the undo always in the
//! same place. The tournament says what is possible ([`Tournament::match_acts`]), and the screen what the
//! viewer is permitted.
//!
//! | file | what it shows |
//! |---|---|
//! | `now` | the next thing to do: whom to call, who plays, whose result is missing |
//! | `one_match`, `correction` | a match: its result in one tap; the correction of it, with everything it touches shown first (`effect`) |
//! | `about`, `division` with `division_form` and `own_prizes` | the details of a tournament and its divisions |
//! | `entries`, `entry`, `entering`, `pasted`, `draw`, `draw_by_hand` | who plays, and who sits where; `enter`: players enter themselves |
//! | `room`, `money`, `log` | tables and time; debts and prizes; who did what |

pub(super) mod about;
mod act;
pub(super) mod correction;
pub(super) mod division;
mod division_form;
pub(super) mod draw;
pub(super) mod draw_by_hand;
mod effect;
pub(super) mod enter;
pub(super) mod entering;
pub(super) mod entries;
pub(super) mod entry;
mod frame;
pub(super) mod log;
pub(super) mod money;
pub(super) mod now;
pub(super) mod one_match;
mod own_prizes;
mod pasted;
pub(super) mod room;
#[cfg(test)]
pub(crate) mod samples;

#[cfg(test)]
pub(crate) use act::ARRIVE;

use self::frame::DeskFrame;
use super::visitor::Visitor;
use crate::pages::{Frame, Tab};
use crate::sentences::tournament::TournamentSentences;
use owlbox_base::journal::{Act, ActKind};
use owlbox_base::values::{Currency, MinorUnits, TournamentId};
use owlbox_desk::commands::subject::{Preview, StreamPreview};
use owlbox_desk::tournaments::{DirectorScreen, TournamentReader};
use owlbox_desk::{Allowed as DeskAllowed, Refused};
use owlbox_http::problem::{Allowed, Problem};
use owlbox_play::tournament::Allowed as TournamentAllowed;
use owlbox_play::tournament::{CommandKind, Event, Tournament};

/// The screen of a visitor who may give `needed` for others, with what `look` looks for.
///
/// # Errors
/// There is no such tournament; the visitor is not signed in, or lacks the permission; or what `look`
/// refuses.
async fn screen<T: Send + 'static>(
    visitor: &Visitor,
    id: TournamentId,
    needed: CommandKind,
    look: impl FnOnce(&mut TournamentReader<'_>) -> Result<T, Refused> + Send + 'static,
) -> Result<(DirectorScreen, T), Problem> {
    let actor = visitor.actor()?;
    Ok(visitor.service.desk.director_screen(&actor, id, needed, look).await?)
}

/// The screen of a visitor who may give `needed` for others, where nothing else is looked for.
async fn bare_screen(
    visitor: &Visitor,
    id: TournamentId,
    needed: CommandKind,
) -> Result<DirectorScreen, Problem> {
    Ok(screen(visitor, id, needed, |_| Ok(())).await?.0)
}

/// What every page of the desk has: its sentences, the frame with this title, and what is around its work at
/// `below`. The frame says why a form was refused, in the desk's words.
fn surroundings<'a>(
    visitor: &Visitor,
    screen: &'a DirectorScreen,
    title: &str,
    below: &str,
) -> (TournamentSentences<'a>, Frame, DeskFrame<'a>) {
    let t = TournamentSentences::new(visitor.say(&screen.names), screen.state());
    let desk = DeskFrame::new(t, screen, below);
    let frame = frame_in_words(visitor, title, screen.state().currency());
    // A refused act has the address that it was sent to.
    let here = if visitor.problem().is_some() { desk.here() } else { frame.here };
    (t, Frame { here, ..frame }, desk)
}

/// What a previewed act would do, in a few words.
async fn preview_in_words(visitor: &Visitor, preview: &Preview<Tournament>) -> Result<String, Problem> {
    let StreamPreview { before, after, named } = &preview.here;
    let (state, events, key) = match &after.act.kind {
        ActKind::Events(events) => (&after.stream.state, events.clone(), None),
        ActKind::Undo(_) => (&before.state, events_of(named), Some("undo-what")),
        ActKind::Redo(_) => (&after.stream.state, events_of(named), Some("redo-what")),
    };
    let players = events.iter().flat_map(|event| state.players_of(event)).collect();
    let names = visitor.service.desk.distinct_names(players).await?;
    let what = TournamentSentences::new(visitor.say(&names), state).act(&events);
    Ok(key.map_or(what.clone(), |key| visitor.t.with(key, "what", what)))
}

fn events_of(acts: &[Act<Event>]) -> Vec<Event> {
    acts.iter().flat_map(Act::events).cloned().collect()
}

/// The frame of a page with this title, which says why a form was refused in the desk's words.
fn frame_in_words(visitor: &Visitor, title: &str, currency: Option<Currency>) -> Frame {
    let mut frame = visitor.frame(&visitor.t.get(title), Some(Tab::Tournaments));
    if let Some((problem, notice)) = visitor.problem().zip(frame.notice.as_mut()) {
        notice.text = problem_in_words(visitor, problem, currency);
    }
    frame
}

/// What is wrong, in words: the field or line it is about, and the sum needed.
fn problem_in_words(visitor: &Visitor, problem: &Problem, currency: Option<Currency>) -> String {
    let t = &visitor.t;
    let text = visitor.notice(problem).text;
    let sum = match &problem.allowed {
        Some(Allowed::Desk(DeskAllowed::Tournament(TournamentAllowed::Pool(pool)))) => {
            i64::try_from(*pool).ok().zip(currency)
        }
        _ => None,
    };
    let line = match &problem.allowed {
        Some(Allowed::Line { line }) => Some(line),
        _ => None,
    };
    match (problem.field.as_deref().and_then(label_of), line, sum) {
        (_, _, Some((sum, currency))) => {
            format!("{text} {}", t.with("desk-sum-is", "amount", t.how_much(MinorUnits(sum), currency)))
        }
        (_, Some(line), _) => format!("{line}: {text}"),
        (Some(label), ..) => format!("{}: {text}", t.get(label)),
        _ => text,
    }
}

/// The text key for the label of a form field, by the field's name.
fn label_of(field: &str) -> Option<&'static str> {
    Some(match field {
        "name" => "about-name",
        "date" => "about-date",
        "starts" => "about-starts",
        "place" => "about-place",
        "currency" => "about-currency",
        "entries_open" => "about-entries-open",
        "entries_close" => "about-entries-close",
        "format" => "division-format",
        "lengths" => "division-lengths",
        "consolation_lengths" => "division-consolation-lengths",
        "last_chance_lengths" => "division-last-chance-lengths",
        "reserve" => "division-reserve",
        "delay" => "division-delay",
        "re_entries" => "division-re-entries",
        "entry" => "division-entry-fee",
        "registration" => "division-registration",
        "re_entry" => "division-re-entry",
        "house_keeps" => "division-kept",
        "side_pools" => "division-side-pools",
        "prizes" => "division-payout",
        _ => return None,
    })
}
