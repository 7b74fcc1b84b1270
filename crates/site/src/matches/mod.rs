//! Matches and money sessions: the list of them, the sheet on which one is scored, and its clock.
//!
//! | address | posts to |
//! |---|---|
//! | `/matches?player=&after=` | `/matches`: `upper lower play length amount currency jacoby clock reserve delay` ... |
//! | `/matches/{id}?correct=` | `/matches/{id}/act` |
//! | `/matches/{id}/clock` | `/matches/{id}/act` |
//!
//! Every button posts to `/matches/{id}/act` ([`act`](super::acting::act)): the fields of its command,
//! `version` (that of the rendered page; not on the clock, where a tap counts whatever has happened), `key`
//! (the idempotency key) and `then` (the page to go on to). A script gets the live part of the form's page as
//! the answer.
//!
//! The desk says what is legal, and what a button would lead to; there are no rules here.

pub(super) mod act;
mod board;
mod clock;
mod list;
#[cfg(test)]
mod sample;
mod scoring;
mod sheet;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

pub(super) use list::{list, open};

use self::clock::{ClockPage, is_of_clock};
use self::sheet::{SheetPage, has_buttons};
use super::visitor::{self, Visitor};
use crate::pages::button::Button;
use crate::pages::{Frame, LivePage as _, LivePart, Tab};
use crate::sentences::matches::SheetSentences;
use owlbox_base::journal::Version;
use owlbox_base::values::MatchId;
use owlbox_desk::Refused;
use owlbox_desk::matches::screen::{MatchScreen, MatchScreenOptions};
use owlbox_http::problem::Problem;
use owlbox_play::matches::{Command, Sheet};

/// The match as the visitor is shown it.
///
/// # Errors
/// There is no such match, or the visitor may not see it.
async fn screen(visitor: &Visitor, id: MatchId, asked: MatchScreenOptions) -> Result<MatchScreen, Problem> {
    let desk = &visitor.service.desk;
    let (_, principal) = desk.visible::<Sheet>(visitor.actor().ok().as_ref(), id).await?;
    Ok(desk.match_screen(principal, id, asked).await?)
}

/// The address of a match's sheet, or of a page below it.
fn address(id: MatchId, below: &str) -> String {
    format!("/matches/{id}{below}")
}

/// How a page of a match is fetched again after a change. The stream never ends, since a sheet can be
/// corrected even after the match.
fn live(screen: &MatchScreen, page: String) -> LivePart {
    let version = screen.stream.version;
    LivePart { page, version, stream: Some(sheet_stream(screen.id, version)), beside: None }
}

/// The stream of events on a sheet after this version.
pub(super) fn sheet_stream(id: MatchId, after: Version) -> String {
    format!("/api/v1/matches/{id}/events?after={after}")
}

/// A button for each of the offers that `button` makes one of.
fn buttons(screen: &MatchScreen, button: impl Fn(&Command) -> Option<Button>) -> Vec<Button> {
    screen.offers.iter().filter_map(|offer| button(&offer.command)).collect()
}

/// What is written on a page of a match for the visitor, and what is around it.
fn sentences_and_frame<'a>(
    visitor: &Visitor,
    screen: &'a MatchScreen,
    below: &str,
) -> (SheetSentences<'a>, Frame) {
    let t = SheetSentences::new(visitor.say(&screen.names), &screen.stream.state);
    let frame = visitor.frame(&t.sides().join(" – "), Some(Tab::Matches));
    (t, Frame { here: address(screen.id, below), ..frame })
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct SheetQuery {
    /// The earlier game to correct.
    correct: Option<u32>,
}

pub(super) async fn show(
    visitor: Visitor,
    id: web::Path<MatchId>,
    query: web::Query<SheetQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer(&visitor, *id, *query, visitor::is_partial(&request)).await
}

/// The current sheet, whole or only its live part; after a refusal with the reason above it.
async fn answer(
    visitor: &Visitor,
    id: MatchId,
    query: SheetQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let asked = MatchScreenOptions { offers: has_buttons, correct: query.correct, events: true };
    let screen = screen(visitor, id, asked).await?;
    let (t, frame) = sentences_and_frame(visitor, &screen, "");
    let page = SheetPage::new(t, frame, &screen, visitor.view, query.correct);
    visitor.answer(page.rendered(partial))
}

pub(super) async fn clock(
    visitor: Visitor,
    id: web::Path<MatchId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer_clock(&visitor, *id, visitor::is_partial(&request)).await
}

/// The current clock; not found for a match without one.
async fn answer_clock(visitor: &Visitor, id: MatchId, partial: bool) -> Result<HttpResponse, Problem> {
    let screen =
        screen(visitor, id, MatchScreenOptions { offers: is_of_clock, ..MatchScreenOptions::default() })
            .await?;
    let (t, frame) = sentences_and_frame(visitor, &screen, "/clock");
    let page = ClockPage::new(t, frame, &screen).ok_or(Refused::NotFound("clock"))?;
    visitor.answer(page.rendered(partial))
}
