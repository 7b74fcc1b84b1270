//! The places of a flight, as far as they are decided, with the prizes of its division.

use std::collections::HashMap;

use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::entries::entry_key;
use super::rounds::flight_name;
use super::tables::{Field, ListOptions, TableQuery};
use super::{
    DIVISION_PAGES, division_page, everybody, heading, home, live, match_page, money, origin, player_page,
    title,
};
use crate::pages::{ChipLink, Frame, LivePart, Tab};
use crate::say::Say;
use crate::sorted::{Column, SortKey};
use crate::visitor::Visitor;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_books::club::meant::Search;
use owlbox_desk::Refused;
use owlbox_desk::people::players::PlayerOrigin;
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
pub(super) struct PlacesPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub flight: usize,
    pub asked: ListOptions,
    /// The place in the list where the page begins, counted from 0.
    pub from: usize,
    /// The places that fit the search, with the names of their entries, in the order asked for.
    pub places: Vec<(String, Place)>,
    pub prizes: PrizesView,
    pub origins: &'a HashMap<PlayerId, PlayerOrigin>,
}

pub(crate) async fn places(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<PlacesQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let asked_for = query.flight.parse().ok();
    let (screen, origins) = super::screen(&visitor, id, move |looking| {
        everybody(looking, division)?;
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let PrizesView { scheduled, given, .. } = of.prizes_view();
        looking.name(scheduled.into_iter().chain(given.unwrap_or_default()).map(|won| won.player));
        let places = of.places(flight_of(of, asked_for));
        let players = places.iter().filter_map(|place| of.entry(place.entry)).map(|entry| entry.player);
        looking.origins(&players.collect::<Vec<_>>())
    })
    .await?;
    let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
    let (flight, prizes) = (flight_of(of, asked_for), of.prizes_view());
    let asked = asked(id, division, &query.table, flight);
    let page = PlacesPage {
        t,
        frame: visitor.frame(&title(&screen, of, &t.get("places")), Some(Tab::Tournaments)),
        screen: &screen,
        division,
        of,
        flight,
        from: query.from.parse().unwrap_or(0),
        places: found(&t, of, flight, &asked, &prizes, &origins),
        asked,
        prizes,
        origins: &origins,
    };
    visitor.answer(page.render())
}

/// How the list is asked for.
pub(super) fn asked(
    id: TournamentId,
    division: DivisionNo,
    query: &TableQuery,
    flight: usize,
) -> ListOptions {
    let flight = if flight == 0 { String::new() } else { flight.to_string() };
    ListOptions::new(division_page(id, division, "/places"), query, &COLUMNS, ("flight", flight))
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

/// The places of a flight whose entries fit the search, with their names, in the order asked for.
pub(super) fn found(
    t: &Say<'_>,
    of: &Division,
    flight: usize,
    asked: &ListOptions,
    prizes: &PrizesView,
    origins: &HashMap<PlayerId, PlayerOrigin>,
) -> Vec<(String, Place)> {
    let (wanted, by) = (Search::new(&asked.search), asked.sorting.by);
    let named = of.places(flight).into_iter().map(|place| (t.entrant(of, &place.entry), place));
    let mut fitting: Vec<(String, Place)> = named.filter(|(name, _)| wanted.finds(name)).collect();
    asked.sorting.arrange(&mut fitting, |(name, place)| {
        if by == Column::Prize {
            sum_of(prizes, of.entry(place.entry)?.player).map(SortKey::Number)
        } else if by == Column::Place {
            // They are in their order already, shared ones in that of their entries.
            Some(SortKey::Number(place.best.into()))
        } else {
            entry_key(of, by, name, place.entry, origins)
        }
    });
    fitting
}

/// What a player gets in a division: given, or due and decided.
fn sum_of(prizes: &PrizesView, player: PlayerId) -> Option<u64> {
    let due = || Some(&prizes.scheduled).filter(|_| prizes.still_played.is_none());
    let won = prizes.given.as_ref().or_else(due)?.iter().filter(|won| won.player == player);
    Some(won.map(|won| won.amount).sum::<u64>()).filter(|sum| *sum > 0)
}

impl PlacesPage<'_> {
    fn live(&self) -> LivePart {
        live(self.screen, self.asked.again(start(self.from)))
    }

    fn heading(&self) -> String {
        heading(&self.t, self.screen, self.of)
    }

    fn flights(&self) -> Vec<ChipLink> {
        let flights = 0..self.of.bracket.flights().len();
        let name = |at| flight_name(&self.t, &self.of.bracket, at);
        let tab = |at| ChipLink::new(name(at), format!("?flight={at}"), at == self.flight);
        flights.map(tab).collect()
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

    /// What the player gets in the division, once that is known. A player who entered again has one prize,
    /// with the entry that still counts.
    fn prize(&self, place: &Place) -> Option<String> {
        let player = self.player(place).filter(|player| self.of.entry_of(*player) == Some(place.entry))?;
        money(&self.t, self.screen, sum_of(&self.prizes, player)?)
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
        match_page(self.screen.id, MatchRef { division: self.division, number: *number })
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
