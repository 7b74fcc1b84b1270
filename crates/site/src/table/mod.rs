//! The page of a chouette's table, and the sheets that end a game or undo several acts.
//!
//! | address | posts to |
//! |---|---|
//! | `/chouettes/{id}`, `?partial=1` for its live part | `/chouettes/{id}/act` |
//! | `/chouettes/{id}/finish?winner=&kind=` | `/chouettes/{id}/act` |
//! | `/chouettes/{id}/everybody` | `/chouettes/{id}/act` |
//! | `/chouettes/{id}/undo?to=` | `/chouettes/{id}/act` |
//!
//! `/chouettes/{id}/act` takes the [fields](crate::pages::fields) of a command, `version` (that of the
//! rendered page; empty skips the check) and `key` (the idempotency key). Several commands,
//! `commands[0][command]` and so on, are carried out as one act. `then` is the page to go on to, if that is
//! the table's settling up rather than the table. A request with the header `HX-Request` is answered with the
//! live part of the table's page, even on a 4xx status, and then with a notice. Any other request is
//! redirected to the table.
//!
//! The chouette has decided every value of a page, and the desk what the viewer may do; there are no rules
//! here.

pub(super) mod act;
#[cfg(any(debug_assertions, test))]
pub(super) mod blocks;
mod board;
mod buttons;
pub(super) mod everybody;
pub(super) mod finish;
mod log;
mod now;
mod page;
#[cfg(test)]
pub(super) mod samples;
mod seats;
pub(super) mod take_back;
#[cfg(test)]
mod tests;

use actix_web::{HttpRequest, HttpResponse, web};

use self::buttons::has_buttons;
use self::log::History;
use self::now::Now;
use self::page::TablePage;
use super::house_rules;
use super::visitor::{self, Visitor};
use crate::pages::{LivePage as _, Tab};
use owlbox_base::journal::shared::ShownStream;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId};
use owlbox_books::club::settings::ExposureLimit;
use owlbox_chouette::Chouette;
use owlbox_desk::chouettes::screen::{TableScreen, TableScreenOptions};
use owlbox_desk::commands::subject::{Preview, StreamPreview};
use owlbox_http::problem::Problem;

/// Players that the page offers to join. In a larger club the others have to be typed by name.
const MOST_TO_JOIN: i64 = 150;

/// What an act does to a player's score.
struct Change {
    player: PlayerId,
    /// Partner or extra, where the player is or has one.
    besides: Option<String>,
    by: HalfPoints,
    /// The points of the night afterwards.
    to: HalfPoints,
}

fn table_address(id: ChouetteId) -> String {
    format!("/chouettes/{id}")
}

/// A table, whole or only the part that a live update replaces.
pub(super) async fn show(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    answer(&visitor, *id, visitor::is_partial(&request)).await
}

/// The current table; after a refusal with the problem above it, and its status.
async fn answer(visitor: &Visitor, id: ChouetteId, partial: bool) -> Result<HttpResponse, Problem> {
    let asked = TableScreenOptions {
        offers: has_buttons,
        everybody: true,
        log: true,
        free_players: Some(MOST_TO_JOIN),
    };
    let screen = screen(visitor, id, asked).await?;
    let mut frame = visitor.frame(screen.stream.state.name(), Some(Tab::Night));
    frame.here = table_address(id);
    let page = TablePage {
        exposure_limit: visitor.settings().exposure_limit.map(ExposureLimit::points),
        rule_set: house_rules::named(visitor, screen.stream.state.rules()),
        ..TablePage::new(visitor.say(&screen.names), frame, &screen, visitor.view)
    };
    visitor.answer(page.rendered(partial))
}

/// The table as the visitor is shown it.
pub(super) async fn screen(
    visitor: &Visitor,
    id: ChouetteId,
    asked: TableScreenOptions,
) -> Result<TableScreen, Problem> {
    Ok(visitor.service.desk.table_screen(visitor.principal, id, asked).await?)
}

/// What a previewed act would do, in words: what the log would say of it, and what would be next at the
/// table. Anyone who it brings to the table is named, too.
async fn preview_in_words(
    visitor: &Visitor,
    id: ChouetteId,
    preview: &Preview<Chouette>,
) -> Result<String, Problem> {
    visitor.require(Permission::ViewTables)?;
    let StreamPreview { before, after, .. } = &preview.here;
    let mut screen =
        screen(visitor, id, TableScreenOptions { log: true, ..TableScreenOptions::default() }).await?;
    let named = screen.names.keys().copied().chain(after.stream.state.known()).collect();
    screen.names = visitor.service.desk.names(named).await?;
    screen.stream = ShownStream::to(&screen.viewer, &after.stream);
    screen.acts.push(after.act.clone());
    let say = visitor.say(&screen.names);
    let mut lines = History::new(say, &screen).lines();
    lines.retain(|line| line.version > before.version);
    let sentences = lines.into_iter().rev().flat_map(|line| std::iter::once(line.what).chain(line.then));
    let now = Now { say, state: &screen.stream.state }.sentence();
    Ok(sentences.chain([now]).collect::<Vec<_>>().join(". "))
}
