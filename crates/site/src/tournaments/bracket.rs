//! The bracket of a division, on its own page and embedded in other sites.

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::picture::Picture;
use super::view::{View, Zoom};
use super::{DIVISION_PAGES, everybody, full_name, home, live, title};
use crate::copies;
use crate::pages::{Frame, LivePart, Tab};
use crate::playing::other_game;
use crate::say::Say;
use crate::visitor::{Visitor, redirect, rendered};
use owlbox_base::values::TournamentId;
use owlbox_books::club::meant::Search;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::{TournamentReader, TournamentScreen};
use owlbox_http::problem::{Problem, not_found};
use owlbox_http::server::EMBEDDED_SECURITY_POLICY;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;

/// The most players offered for a name typed.
const MOST_FOUND: usize = 20;
/// The most letters of it that are shown again.
const MOST_TYPED: usize = 60;
/// Seconds after which an embedded bracket reloads, since it has no live stream.
const LOOKED_AT_AGAIN: u16 = 60;

/// The part of the bracket to show. Values that this bracket does not have are ignored.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Query {
    #[serde(default)]
    flight: String,
    #[serde(default)]
    section: String,
    #[serde(default)]
    player: String,
    #[serde(default)]
    zoom: String,
    #[serde(default)]
    find: String,
}

impl Query {
    fn view(&self) -> View {
        View {
            flight: self.flight.parse().unwrap_or(0),
            section: self.section.parse().ok().map(MatchNo),
            player: self.player.parse().ok().map(EntryNo),
            zoom: Zoom::from_code(&self.zoom),
        }
    }
}

/// `/tournaments/{id}/{division}?flight=&section=&player=&zoom=&find=`
#[derive(Template)]
#[template(path = "bracket.html")]
pub(super) struct BracketPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub bracket: Picture<'a>,
    /// What a name was searched for, and whom that found: nobody, or several.
    pub found: Option<(&'a str, Vec<EntryNo>)>,
}

/// `/tournaments/{id}/{division}/embed`: the bracket without navigation, for display in another site's page.
#[derive(Template)]
#[template(path = "bracket_alone.html")]
pub(super) struct EmbeddedPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub bracket: Picture<'a>,
}

/// The bracket's own page. A reader who looks for somebody by name gets an answer of their own, all others
/// that of the view.
pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<Query>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let (view, typed) = (query.view(), query.find.trim());
    let here = format!("{}/{}", home(id), division.0);
    if typed.is_empty() {
        return copies::answer(visitor, &request, id, address(&here, view), async |visitor| {
            let (screen, ()) =
                super::screen(visitor, id, move |looking| shown_in(looking, division, view)).await?;
            rendered(page(visitor, &screen, division, view, None)?.render())
        })
        .await;
    }
    let (screen, ()) = super::screen(&visitor, id, move |looking| everybody(looking, division)).await?;
    let found = find(&visitor.say(&screen.names), screen.division(division)?, typed);
    if let [only] = found.as_slice() {
        return Ok(redirect(&format!("{here}{}", of_player(view, *only).query())));
    }
    let typed = typed.char_indices().nth(MOST_TYPED).map_or(typed, |(end, _)| &typed[..end]);
    visitor.answer(page(&visitor, &screen, division, view, Some((typed, found)))?.render())
}

/// The address of a view, the same for whatever asks for it.
fn address(page: &str, view: View) -> String {
    format!("{page}{}", view.query()).trim_end_matches('?').to_owned()
}

/// The view with the way of a player.
fn of_player(view: View, player: EntryNo) -> View {
    View { player: Some(player), section: None, ..view }
}

fn page<'a>(
    visitor: &Visitor,
    screen: &'a TournamentScreen,
    division: DivisionNo,
    view: View,
    found: Option<(&'a str, Vec<EntryNo>)>,
) -> Result<BracketPage<'a>, Problem> {
    let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
    let frame = visitor.frame(&title(screen, of, &t.get("bracket")), Some(Tab::Tournaments));
    let bracket = Picture::new(t, screen, division, of, view).with_links();
    Ok(BracketPage { t, frame, screen, division, of, bracket, found })
}

/// Looks for the names that a bracket shows in this view.
fn shown_in(looking: &mut TournamentReader<'_>, division: DivisionNo, view: View) -> Result<(), Refused> {
    let stream = looking.stream();
    let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
    let entries = view.entries(&of.bracket);
    looking.name(entries.into_iter().filter_map(|entry| of.entry(entry)).map(|entry| entry.player));
    Ok(())
}

/// Entries whose names contain what was typed, those that begin with it first.
fn find(t: &Say<'_>, of: &Division, typed: &str) -> Vec<EntryNo> {
    let wanted = Search::new(typed);
    let drawn = of.entries().filter(|(entry, _)| of.bracket.path(*entry).next().is_some());
    let mut fitting: Vec<(bool, String, EntryNo)> = drawn
        .filter_map(|(entry, _)| {
            let name = t.entrant(of, &entry);
            let place = wanted.place_in(&name)?;
            Some((place > 0, name, entry))
        })
        .collect();
    fitting.sort();
    fitting.into_iter().take(MOST_FOUND).map(|(.., player)| player).collect()
}

impl BracketPage<'_> {
    fn live(&self) -> LivePart {
        live(
            self.screen,
            format!("{}/{}{}", home(self.screen.id), self.division.0, self.bracket.view.query()),
        )
    }

    /// The game that the division plays, if it is not backgammon.
    fn game(&self) -> Option<String> {
        other_game(&self.t, self.of.settings.game.variant)
    }

    /// The address with the way of somebody who was found.
    fn way(&self, player: &EntryNo) -> String {
        of_player(self.bracket.view, *player).query()
    }

    /// Whether anybody may see the tournament, so that other sites may show the bracket.
    fn is_public(&self) -> bool {
        self.screen.about().is_some_and(|about| about.public)
    }
}

/// The bracket alone, for other sites: only of a public tournament, no matter who requests it.
pub(crate) async fn embed(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<Query>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let view = query.view();
    let address = address(&format!("{}/{}/embed", home(id), division.0), view);
    let mut answer = copies::answer(visitor, &request, id, address, async |visitor| {
        let (screen, ()) =
            super::screen(visitor, id, move |looking| shown_in(looking, division, view)).await?;
        if !screen.about().is_some_and(|about| about.public) {
            return Err(not_found());
        }
        let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
        let frame = visitor.frame(&full_name(&t, &screen, of), None);
        let bracket = Picture::new(t, &screen, division, of, view);
        rendered(EmbeddedPage { t, frame, screen: &screen, division, of, bracket }.render())
    })
    .await?;
    // The older header would refuse every frame, so it is left out with this policy.
    let policy = HeaderValue::from_static(EMBEDDED_SECURITY_POLICY);
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(answer)
}

impl EmbeddedPage<'_> {
    /// No other page comes after it by itself.
    fn next(&self) -> Option<(u16, String)> {
        None
    }

    /// The seconds after which it is looked at again, while anything can happen.
    fn again(&self) -> Option<u16> {
        self.screen.state().closed_at.is_none().then_some(LOOKED_AT_AGAIN)
    }
}
