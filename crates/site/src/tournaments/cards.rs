//! A card for every entry in play, eight to a sheet of paper. Its code opens the player's own page: next
//! match, table, result.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use super::paper::AfterQuery;
use super::{printed_name, title};
use crate::pages::{Frame, Tab, qr_code};
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_desk::{Refused, Unauthorised};
use owlbox_http::problem::Problem;
use owlbox_http::session::own_origin;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;

/// The most cards on a page.
const MOST: usize = 48;

/// `/tournaments/{id}/{division}/cards?after=`
#[derive(Template)]
#[template(path = "entry_cards.html")]
pub(super) struct CardsPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub of: &'a Division,
    /// The entries on this page, each with the signed link in its code.
    pub cards: &'a [(EntryNo, String)],
    /// Whether others follow.
    pub more: bool,
    /// The service's own origin, for the codes.
    pub origin: &'a str,
}

pub(crate) async fn cards(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<AfterQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let after = query.after();
    let (screen, (playing, more)) = super::screen(&visitor, id, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let playing = (after.saturating_add(1)..=u32::MAX).map(EntryNo);
        let playing = playing.map_while(|entry| Some((entry, of.entry(entry)?)));
        let mut playing: Vec<(EntryNo, PlayerId)> = playing
            .filter(|(_, entry)| !entry.standing.is_out())
            .map(|(number, entry)| (number, entry.player))
            .take(MOST + 1)
            .collect();
        let more = playing.len() > MOST;
        playing.truncate(MOST);
        looking.name(playing.iter().map(|(_, player)| *player));
        Ok((playing.into_iter().map(|(number, _)| number).collect::<Vec<EntryNo>>(), more))
    })
    .await?;
    let principal = screen.principal.ok_or(Refused::from(Unauthorised::Missing))?;
    let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
    let links = visitor.service.desk.entry_links(&principal, id, division, &playing).await?;
    let cards: Vec<(EntryNo, String)> = playing.into_iter().zip(links).collect();
    let frame = visitor.frame(&title(&screen, of, &t.get("entry-cards")), Some(Tab::Tournaments));
    let origin = &own_origin(&request);
    let page = CardsPage { t, frame, screen: &screen, of, cards: &cards, more, origin };
    visitor.answer(page.render())
}

impl CardsPage<'_> {
    fn event(&self) -> String {
        printed_name(self.screen, self.of)
    }

    fn code(&self, link: &str) -> String {
        qr_code(&format!("{}/e/{link}", self.origin))
    }

    /// The address of the next page.
    fn next(&self) -> Option<String> {
        self.cards.last().filter(|_| self.more).map(|(last, _)| format!("?after={}", last.0))
    }
}
