//! The places of a flight, as far as they are decided, with the prizes of its division.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::entries::entry_key;
use super::rounds::flight_name;
use super::tables::{Asked, Field, TableQuery};
use super::{
    PAGES, division_page, everybody, heading, home, live, match_page, money, origin, player_page, title,
};
use crate::pages::sorted::{Column, SortKey};
use crate::pages::{Frame, LivePart, Tab};
use crate::say::Say;
use crate::visitor::{self, Visitor};
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_books::club::meant::Search;
use owlbox_desk::Refused;
use owlbox_desk::people::players::Origin;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::Place;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::event::Awarded;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::view::PrizesView;

/// The columns of the list.
const COLUMNS: [Column; 4] = [Column::Place, Column::Name, Column::From, Column::Prize];

/// The flight to show, and how.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct PlacesQuery {
    #[serde(default)]
    flight: String,
    #[serde(default)]
    from: String,
    #[serde(flatten)]
    table: TableQuery,
}

/// `/tournaments/{id}/{division}/places?flight=&q=&sort=&order=&from=&all=`
#[derive(Template)]
#[template(path = "tournaments/places.html")]
pub(crate) struct PlacesPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub number: DivisionNo,
    pub of: &'a Division,
    pub flight: usize,
    pub asked: Asked,
    /// The place in the list where the page begins, counted from 0.
    pub from: usize,
    /// The places that fit the search, with the names of their entries, in the order asked for.
    pub places: Vec<(String, Place)>,
    pub prizes: PrizesView,
    pub origins: &'a HashMap<PlayerId, Origin>,
}

pub(crate) async fn places(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<PlacesQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let asked_for = query.flight.parse().ok();
    let (screen, origins) = super::screen(&visitor, id, move |looking| {
        everybody(looking, number)?;
        let stream = looking.stream();
        let division = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
        let PrizesView { scheduled, given, .. } = division.prizes_view();
        looking.name(scheduled.into_iter().chain(given.unwrap_or_default()).map(|won| won.player));
        let places = division.places(flight_of(division, asked_for));
        let players = places.iter().filter_map(|place| division.entry(place.entry)).map(|entry| entry.player);
        looking.origins(&players.collect::<Vec<_>>())
    })
    .await?;
    let (t, of) = (visitor.say(&screen.names), screen.division(number)?);
    let flight = flight_of(of, asked_for);
    let mut page = PlacesPage {
        t,
        frame: visitor.frame(&title(&screen, of, &t.get("places")), Some(Tab::Tournaments)),
        screen: &screen,
        number,
        of,
        flight,
        asked: asked(id, number, &query.table, flight),
        from: query.from.parse().unwrap_or(0),
        places: Vec::new(),
        prizes: of.prizes_view(),
        origins: &origins,
    };
    page.places = page.found();
    visitor::html(StatusCode::OK, page.render())
}

/// How the list is asked for.
pub(super) fn asked(id: TournamentId, number: DivisionNo, query: &TableQuery, flight: usize) -> Asked {
    let flight = if flight == 0 { String::new() } else { flight.to_string() };
    Asked::new(division_page(id, number, "/places"), query, &COLUMNS, ("flight", flight))
}

/// The flight that was asked for, if there is one.
fn flight_of(division: &Division, asked: Option<usize>) -> usize {
    asked.filter(|flight| *flight < division.bracket.flights().len()).unwrap_or(0)
}

/// A place, or shared places: `1`, `3–4`.
pub(super) fn place_range(place: &Place) -> String {
    let Place { best, worst, .. } = place;
    if best == worst { best.to_string() } else { format!("{best}–{worst}") }
}

/// The field of an address for the place in the list where a page begins.
fn start(from: usize) -> Field {
    ("from", if from == 0 { String::new() } else { from.to_string() })
}

impl PlacesPage<'_> {
    fn live(&self) -> LivePart {
        live(self.screen, self.asked.again(start(self.from)))
    }

    fn heading(&self) -> String {
        heading(&self.t, self.screen, self.of)
    }

    /// The flights: name, address, and whether it is shown.
    fn flights(&self) -> Vec<(String, String, bool)> {
        let flights = 0..self.of.bracket.flights().len();
        let tab =
            |at| (flight_name(&self.t, &self.of.bracket, at), format!("?flight={at}"), at == self.flight);
        flights.map(tab).collect()
    }

    /// The places of the flight whose entries fit the search, in the order asked for.
    pub(super) fn found(&self) -> Vec<(String, Place)> {
        let (wanted, by) = (Search::new(&self.asked.search), self.asked.sorting.by);
        let places = self.of.places(self.flight).into_iter();
        let named = places.map(|place| (self.t.entrant(self.of, &place.entry), place));
        let mut fitting: Vec<(String, Place)> = named.filter(|(name, _)| wanted.finds(name)).collect();
        self.asked.sorting.arrange(&mut fitting, |(name, place)| {
            if by == Column::Prize {
                self.sum_of(self.player(place)?).map(SortKey::Number)
            } else if by == Column::Place {
                // They are in their order already, shared ones in that of their entries.
                Some(SortKey::Number(place.best.into()))
            } else {
                entry_key(self.of, by, name, place.entry, self.origins)
            }
        });
        fitting
    }

    /// The place, or a range of shared places.
    fn range(&self, place: &Place) -> String {
        place_range(place)
    }

    /// Whether it is the first place, and decided.
    fn is_won(&self, place: &Place) -> bool {
        place.worst == 1 && !place.playing
    }

    fn player(&self, place: &Place) -> Option<PlayerId> {
        self.of.entry(place.entry).map(|entry| entry.player)
    }

    /// What a player gets in the division: given, or due and decided.
    fn sum_of(&self, player: PlayerId) -> Option<u64> {
        let due = || Some(&self.prizes.scheduled).filter(|_| self.prizes.still_played.is_none());
        let prizes = self.prizes.given.as_ref().or_else(due)?;
        let sum = prizes.iter().filter(|won| won.player == player).map(|won| won.amount).sum();
        Some(sum).filter(|sum| *sum > 0)
    }

    /// The places on this page.
    fn rows(&self) -> &[(String, Place)] {
        let rest = self.places.get(self.from..).unwrap_or_default();
        rest.get(..self.asked.per_page()).unwrap_or(rest)
    }

    fn has_origins(&self) -> bool {
        self.rows().iter().any(|(_, place)| !self.origin(place).is_empty())
    }

    fn has_prize(&self) -> bool {
        self.rows().iter().any(|(_, place)| self.prize(place).is_some())
    }

    /// The columns in which there is anything, each with the address of the list sorted by it.
    fn columns(&self) -> Vec<(Column, String)> {
        let empty = [(Column::From, !self.has_origins()), (Column::Prize, !self.has_prize())];
        let columns = COLUMNS.into_iter().filter(|column| !empty.contains(&(*column, true)));
        self.asked.columns(&columns.collect::<Vec<_>>())
    }

    /// The page of a place's player.
    fn link(&self, place: &Place) -> String {
        let id = self.screen.id;
        self.player(place).map_or_else(|| home(id), |player| player_page(id, player))
    }

    /// Club and country.
    fn origin(&self, place: &Place) -> String {
        origin(self.player(place).and_then(|player| self.origins.get(&player)))
    }

    /// What the player gets in the division, once that is known. Whoever entered again has one prize, with the entry that still
    /// counts.
    fn prize(&self, place: &Place) -> Option<String> {
        let player = self.player(place).filter(|player| self.of.entry_of(*player) == Some(place.entry))?;
        money(&self.t, self.screen, self.sum_of(player)?)
    }

    /// The pools and the house's cut, as far as they hold anything.
    fn pools(&self) -> Vec<(String, String)> {
        let side = self.of.settings.side_pools.iter().zip(&self.prizes.side_pools);
        let side = side.map(|(pool, sum)| (pool.name.as_str().to_owned(), *sum));
        let kept = self.of.awards.as_ref().map_or(self.prizes.kept, |awards| awards.kept);
        let pools = std::iter::once((self.t.get("money-pool"), self.prizes.pool)).chain(side);
        let pools = pools.chain([(self.t.get("money-kept"), kept)]);
        pools.filter_map(|(what, sum)| Some((what, money(&self.t, self.screen, sum)?))).collect()
    }

    /// A match that is still to be played for a prize, unless the prizes were given before.
    fn still_played(&self) -> Option<MatchNo> {
        self.prizes.still_played.filter(|_| self.prizes.given.is_none())
    }

    fn match_page(&self, number: &MatchNo) -> String {
        match_page(self.screen.id, MatchRef { division: self.number, number: *number })
    }

    /// What can be won, while winners are still open.
    fn to_be_won(&self) -> Vec<(String, String)> {
        let prizes = self.prizes.schedule.iter().filter(|_| self.still_played().is_some());
        let named = prizes.map(|one| (self.t.prize(one.prize), money(&self.t, self.screen, one.amount)));
        named.filter_map(|(prize, amount)| Some((prize, amount?))).collect()
    }

    /// Who has won what, the largest prize first; nobody while winners are still open.
    fn winners(&self) -> Vec<(PlayerId, String)> {
        let won = self.prizes.given.as_ref().unwrap_or(&self.prizes.scheduled);
        let mut won: Vec<&Awarded> = won.iter().filter(|_| self.still_played().is_none()).collect();
        won.sort_by_key(|won| std::cmp::Reverse(won.amount));
        won.into_iter()
            .filter_map(|won| Some((won.player, money(&self.t, self.screen, won.amount)?)))
            .collect()
    }

    /// Whether there is money to speak of.
    fn has_prizes(&self) -> bool {
        let won = self.prizes.given.as_ref().unwrap_or(&self.prizes.scheduled);
        let is_won = || won.iter().any(|won| money(&self.t, self.screen, won.amount).is_some());
        !self.pools().is_empty() || is_won()
    }

    /// The address of the next page.
    fn next(&self) -> Option<String> {
        let next = self.from.saturating_add(self.asked.per_page());
        (next < self.places.len()).then(|| self.asked.from(start(next)))
    }

    /// The address of the whole list, unless this is all of it.
    fn whole(&self) -> Option<String> {
        (self.next().is_some() && !self.asked.whole).then(|| self.asked.all())
    }
}
