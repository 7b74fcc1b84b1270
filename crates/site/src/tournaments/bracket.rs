//! The bracket of a division, on its own page and embedded in other sites.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::{Names, ShownDivision, TournamentData, everybody, home};
use crate::copies;
use crate::pages::around::Around;
use crate::pages::bracket::{Bare, BracketAlone, BracketPage, BracketShown, Found, View, Zoom};
use crate::pages::{Tab, other_game};
use crate::visitor::{self, Visitor, redirect, rendered};
use owlbox_base::values::TournamentId;
use owlbox_books::club::meant::Search;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::TournamentReader;
use owlbox_http::problem::{Problem, not_found};
use owlbox_http::server::EMBEDDED_SECURITY_POLICY;
use owlbox_locale::Locale;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;

/// The most players offered for a name typed.
const MOST_FOUND: usize = 20;
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

/// The bracket's own page. Whoever looks for somebody by name gets an answer of their own, anybody else that of the view.
pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<Query>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let (view, typed) = (query.view(), query.find.trim());
    let here = format!("{}/{}", home(id), number.0);
    if typed.is_empty() {
        let address = address(&here, view);
        return copies::answer(visitor, &request, id, address, async |visitor| {
            let look = move |looking: &mut TournamentReader<'_>| shown_in(looking, number, view);
            let (data, ()) = TournamentData::load(visitor, id, look).await?;
            rendered(page(visitor, &data, number, view, None)?.render())
        })
        .await;
    }
    let (data, ()) = TournamentData::load(&visitor, id, move |looking| everybody(looking, number)).await?;
    let found = find(&visitor.t, &data.names, data.division(number)?, typed, view);
    if let [(_, only)] = found.players.as_slice() {
        return Ok(redirect(&format!("{here}{only}")));
    }
    visitor::html(StatusCode::OK, page(&visitor, &data, number, view, Some(found))?.render())
}

/// The address of a view, the same for whatever asks for it.
fn address(page: &str, view: View) -> String {
    format!("{page}{}", view.query()).trim_end_matches('?').to_owned()
}

fn page(
    visitor: &Visitor,
    data: &TournamentData,
    number: DivisionNo,
    view: View,
    found: Option<Found>,
) -> Result<BracketPage, Problem> {
    let division = data.division(number)?;
    let t = visitor.t;
    let here = format!("{}/{}", data.home(), number.0);
    let shown = ShownDivision { t: &t, number, division };
    let mut bracket = data.known(&shown, true, |known| BracketShown::new(&t, known, view));
    bracket.live = Some(data.live(format!("{here}{}", bracket.view.query())));
    let flight = bracket.view.flight;
    Ok(BracketPage {
        t,
        frame: visitor.frame(&data.title(&t.get("bracket"), division), Some(Tab::Tournaments)),
        around: Around { division: None, ..data.around(&t, number, division, "page-bracket") },
        title: division.settings.name.as_str().to_owned(),
        game: other_game(&t, division.settings.game.variant),
        found,
        print: division.is_drawn().then(|| format!("{here}/print?flight={flight}")),
        embed: data.about.public.then(|| format!("{}#embed-{}", data.home(), number.0)),
        bracket,
    })
}

/// Looks for the names that a bracket shows in this view.
fn shown_in(looking: &mut TournamentReader<'_>, number: DivisionNo, view: View) -> Result<(), Refused> {
    let stream = looking.stream();
    let of = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
    let entries = view.entries(&of.bracket);
    looking.name(entries.into_iter().filter_map(|entry| of.entry(entry)).map(|entry| entry.player));
    Ok(())
}

/// Entries whose names contain what was typed, those that begin with it first.
fn find(t: &Locale, names: &Names, division: &Division, typed: &str, view: View) -> Found {
    let wanted = Search::new(typed);
    let drawn = division.entries().filter(|(entry, _)| division.bracket.path(*entry).next().is_some());
    let mut fitting: Vec<(bool, String, EntryNo)> = drawn
        .filter_map(|(entry, _)| {
            let name = names.of_entry(t, division, entry);
            let place = wanted.place_in(&name)?;
            Some((place > 0, name, entry))
        })
        .collect();
    fitting.sort();
    let players = fitting.into_iter().take(MOST_FOUND).map(|(_, name, player)| {
        let view = View { player: Some(player), section: None, ..view };
        (name, view.query())
    });
    Found { typed: typed.chars().take(60).collect(), players: players.collect() }
}

/// The bracket alone, for other sites: only of a public tournament, whoever requests it.
pub(crate) async fn embed(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<Query>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let view = query.view();
    let address = address(&format!("{}/{}/embed", home(id), number.0), view);
    let mut answer = copies::answer(visitor, &request, id, address, async |visitor| {
        let look = move |looking: &mut TournamentReader<'_>| shown_in(looking, number, view);
        let (data, ()) = TournamentData::load(visitor, id, look).await?;
        rendered(alone(visitor, &data, number, view)?.render())
    })
    .await?;
    // The older header would refuse every frame, so it is left out with this policy.
    let policy = HeaderValue::from_static(EMBEDDED_SECURITY_POLICY);
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(answer)
}

fn alone(
    visitor: &Visitor,
    data: &TournamentData,
    number: DivisionNo,
    view: View,
) -> Result<BracketAlone, Problem> {
    if !data.about.public {
        return Err(not_found());
    }
    let division = data.division(number)?;
    let t = visitor.t;
    let shown = ShownDivision { t: &t, number, division };
    let mut bracket = data.known(&shown, false, |known| BracketShown::new(&t, known, view));
    bracket.again = data.state().closed_at.is_none().then_some(LOOKED_AT_AGAIN);
    let event = data.full_name(&t, division);
    Ok(BracketAlone {
        t,
        bare: Bare { title: event.clone(), club: visitor.frame("", None).club, next: None },
        event,
        home: format!("{}/{}", data.home(), number.0),
        bracket,
    })
}
