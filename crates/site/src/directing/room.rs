//! The room at the desk: which tables there are, who plays where, and whether the rounds are on time.

use std::collections::BTreeMap;

use actix_web::HttpResponse;

use super::act::{NoQuery, takes_acts};
use super::frame::{DeskFrame, on_the_desk};
use super::now::{MINUTES_A_POINT, minutes_between};
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::tournaments::rounds::{flight_name, round_name};
use crate::visitor::Visitor;
use owlbox_base::values::{Timestamp, TournamentId};
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::CommandKind;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{MatchRef, TableNo, TableUse};

/// The planned time of a round, in minutes for each point, until its last match is over.
const MINUTES_A_POINT_OF_A_ROUND: i64 = 11;

/// `/tournaments/{id}/desk/room`
#[derive(Debug)]
pub(super) struct RoomPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
}
on_the_desk! { RoomPage<'a>: "directing/room.html" }

takes_acts!(TournamentId, NoQuery);

/// The current room.
async fn answer(
    visitor: &Visitor,
    id: &TournamentId,
    _: &NoQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let (screen, ()) = super::screen(visitor, *id, CommandKind::Call, |looking| {
        let stream = looking.stream();
        let called: Vec<MatchRef> = stream.state.room.calls.keys().copied().collect();
        looking.name(stream.state.players_in(&called));
        Ok(())
    })
    .await?;
    let (t, frame, desk) = super::surroundings(visitor, &screen, "desk-room", "/room");
    let page = RoomPage { t, frame, screen: &screen, desk };
    visitor.answer(page.rendered(partial))
}

/// A round with its planned and real time, in minutes.
struct Round {
    name: String,
    /// How many of its matches are finished.
    finished: usize,
    matches: usize,
    planned: i64,
    /// What it has taken so far. `None` before it begins.
    real: Option<i64>,
    /// The planned time of a match, and the average so far.
    a_match: (i64, Option<i64>),
}

impl Round {
    /// Whether the round takes longer than planned.
    fn is_late(&self) -> bool {
        self.real.is_some_and(|real| real > self.planned)
    }
}

impl RoomPage<'_> {
    fn free(&self) -> String {
        self.t.count("desk-free-tables", &self.screen.state().room.free_tables().count())
    }

    /// The matches at each table.
    fn at_tables(&self) -> BTreeMap<TableNo, Vec<MatchRef>> {
        let mut at_tables: BTreeMap<TableNo, Vec<MatchRef>> = BTreeMap::new();
        for (at, call) in self.screen.state().room.calls.iter() {
            at_tables.entry(call.table).or_default().push(*at);
        }
        at_tables
    }

    /// Sets the tables that a form says.
    fn set(&self) -> Option<Button> {
        let fields = Fields::lacking(CommandKind::SetTables).with("tables", &serde_json::json!({}));
        let tables: Vec<_> = self.screen.state().room.tables.values().collect();
        let button = || Button::of_form(self.t.get("desk-save-tables"), fields).in_place_of(&tables);
        self.screen.may(CommandKind::SetTables).then(|| button().then(self.desk.here()))
    }

    /// The tables with this use, as they are typed: `1-12, 15`.
    fn typed(&self, used: TableUse) -> String {
        let tables = self.screen.state().room.tables.values().filter(|table| table.used_for == used);
        let mut parts: Vec<(u16, u16)> = Vec::new();
        for number in tables.map(|table| table.table.0) {
            match parts.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => parts.push((number, number)),
            }
        }
        let part = |(first, last): &(u16, u16)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        parts.iter().map(part).collect::<Vec<_>>().join(", ")
    }

    /// The rounds in which there is something to play.
    fn rounds(&self) -> Vec<Round> {
        self.screen.state().divisions().flat_map(|(_, of)| self.rounds_of(of)).collect()
    }

    fn rounds_of(&self, of: &Division) -> Vec<Round> {
        let mut rounds = Vec::new();
        for (at, flight) in of.bracket.flights().iter().enumerate() {
            for round in 0..flight.rounds.len() {
                let division = self.screen.state().name_among(of).map(str::to_owned);
                let mut parts: Vec<String> = division.into_iter().collect();
                parts.extend((of.bracket.flights().len() > 1).then(|| flight_name(&self.t, &of.bracket, at)));
                let name = round_name(&self.t, flight, round);
                parts.extend(Some(name).filter(|name| parts.last() != Some(name)));
                rounds.extend(self.round(of, at, round, parts.join(" · ")));
            }
        }
        rounds
    }

    /// The times of a round. `None` if nothing is to be played in it.
    fn round(&self, of: &Division, flight: usize, round: usize, name: String) -> Option<Round> {
        let known = of.bracket.flights().get(flight)?;
        let length = of.settings.length_of(known.kind, known.rounds.len().saturating_sub(round + 1)).points();
        let in_round = of.bracket.of_flight(flight).filter(|(_, at)| usize::from(at.round) == round);
        let to_play = in_round.filter(|(_, at)| at.is_to_be_played() || Division::is_played(at));
        let to_play: Vec<MatchNo> = to_play.map(|(number, _)| number).collect();
        if to_play.is_empty() {
            return None;
        }
        let began = to_play.iter().filter_map(|number| of.began_at.get(number).copied()).min();
        let finished: Vec<Timestamp> =
            to_play.iter().filter_map(|number| of.finished_at.get(number).copied()).collect();
        let took = |number| Some(minutes_between(*of.began_at.get(number)?, *of.finished_at.get(number)?));
        let took: Vec<i64> = to_play.iter().filter_map(took).collect();
        let count = i64::try_from(took.len()).ok().filter(|count| *count > 0);
        let is_over = finished.len() == to_play.len();
        let end = finished.iter().max().copied().filter(|_| is_over).unwrap_or(self.screen.now);
        Some(Round {
            name,
            finished: finished.len(),
            matches: to_play.len(),
            planned: MINUTES_A_POINT_OF_A_ROUND * i64::from(length),
            real: began.map(|began| minutes_between(began, end)),
            a_match: (
                MINUTES_A_POINT * i64::from(length),
                count.map(|count| took.iter().sum::<i64>() / count),
            ),
        })
    }
}
