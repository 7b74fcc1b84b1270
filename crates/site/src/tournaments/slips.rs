//! Slips for the matches that can be played, which their players take to the table, four to a sheet of paper.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use super::paper::AfterQuery;
use super::rounds::{flight_name, round_name};
use super::{line, match_page, printed_name, title};
use crate::pages::{Frame, Tab, qr_code};
use crate::playing::other_game;
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::values::TournamentId;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_http::session::own_origin;
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::bracket::Pairing;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef, TableNo};

/// The most slips on a page: ten sheets, whose codes weigh as much as a page may.
const MOST: usize = 40;

/// `/tournaments/{id}/{division}/slips?after=`
#[derive(Template)]
#[template(path = "match_slips.html")]
pub(super) struct SlipsPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub division: DivisionNo,
    pub of: &'a Division,
    /// The matches on this page.
    pub ready: &'a [MatchNo],
    /// Whether others follow.
    pub more: bool,
    /// The service's own origin, for the codes.
    pub origin: &'a str,
}

pub(crate) async fn slips(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<AfterQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let after = query.after();
    let (screen, (ready, more)) = super::screen(&visitor, id, move |looking| {
        let stream = looking.stream();
        let ready = stream.state.room.ready_since.keys().filter(|at| at.division == division);
        let mut ready: Vec<MatchRef> = ready.filter(|at| at.number.0 > after).copied().collect();
        ready.sort_unstable();
        let more = ready.len() > MOST;
        ready.truncate(MOST);
        looking.name(stream.state.players_in(&ready));
        Ok((ready.into_iter().map(|at| at.number).collect::<Vec<MatchNo>>(), more))
    })
    .await?;
    let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
    let frame = visitor.frame(&title(&screen, of, &t.get("match-slips")), Some(Tab::Tournaments));
    let origin = &own_origin(&request);
    let page = SlipsPage { t, frame, screen: &screen, division, of, ready: &ready, more, origin };
    visitor.answer(page.render())
}

impl SlipsPage<'_> {
    fn event(&self) -> String {
        printed_name(self.screen, self.of)
    }

    fn slips(&self) -> Vec<(MatchNo, &Pairing)> {
        self.ready.iter().filter_map(|number| Some((*number, self.of.bracket.get(*number)?))).collect()
    }

    /// Flight and round.
    fn round(&self, at: &Pairing) -> String {
        let (bracket, flight) = (&self.of.bracket, usize::from(at.flight));
        let of_flight = bracket.flights().get(flight);
        let round = of_flight.map(|of_flight| round_name(&self.t, of_flight, usize::from(at.round)));
        format!("{} · {}", flight_name(&self.t, bracket, flight), round.unwrap_or_default())
    }

    /// The length, with the variant if it is not backgammon.
    fn length(&self, at: &Pairing) -> String {
        let settings = &self.of.settings;
        let length = self.t.with("slip-length", "points", settings.length(&self.of.bracket, at).points());
        line([Some(&*length), other_game(&self.t, settings.game.variant).as_deref()])
    }

    fn name(&self, at: &Pairing, slot: &Slot) -> String {
        let entry = at.occupant(*slot).entry();
        entry.map_or_else(String::new, |entry| self.t.entrant(self.of, &entry))
    }

    /// The table it is called to.
    fn table(&self, number: &MatchNo) -> Option<TableNo> {
        let at = MatchRef { division: self.division, number: *number };
        self.screen.state().room.calls.get(&at).map(|call| call.table)
    }

    /// How the clock is set.
    fn clock(&self, at: &Pairing) -> String {
        let settings = &self.of.settings;
        super::clock_set(&self.t, &settings.clock, settings.length(&self.of.bracket, at))
    }

    /// The code that opens the match on a phone.
    fn code(&self, number: &MatchNo) -> String {
        let at = MatchRef { division: self.division, number: *number };
        qr_code(&format!("{}{}", self.origin, match_page(self.screen.id, at)))
    }

    /// The address of the next page.
    fn next(&self) -> Option<String> {
        self.ready.last().filter(|_| self.more).map(|last| format!("?after={}", last.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::samples::{frame, locale};
    use crate::tournaments::samples::Sample;
    use crate::tournaments::samples::{PROGRESSIVE, drawn};
    use owlbox_engine::Variant;
    use owlbox_locale::Language;
    use owlbox_play::tournament::settings::DivisionSettings;
    use std::sync::Arc;

    #[test]
    fn a_slip_says_who_plays_whom_to_what_and_where_both_go() {
        let mut sample = Sample::new(&drawn(16, PROGRESSIVE));
        let mut settings = DivisionSettings::clone(&sample.of.settings);
        settings.game.variant = Variant::Nackgammon;
        sample.of.settings = Arc::new(settings);
        let t = locale(Language::English);
        let page = sample.slips(&t, frame(&t, "match-slips", None), &[MatchNo(1), MatchNo(999)]);
        let slips = page.slips();
        let [(number, at)] = slips.as_slice() else { panic!("there is no match 999") };
        assert_eq!(page.round(at), "Main · Last 16");
        assert_eq!(page.length(at), "Match to 7 · Nackgammon");
        assert_eq!(page.clock(at), "Clock 14:00 + 12 seconds a move");
        assert!(page.code(number).starts_with("<svg"));
        let html = page.render().unwrap();
        for said in ["The winner plays match 9", "The loser plays match 16"] {
            assert!(html.contains(said), "{said}");
        }
        for slot in Slot::BOTH {
            let name = at.occupant(slot).entry().map(crate::tournaments::samples::name);
            assert_eq!(page.name(at, &slot), name.unwrap_or_default());
        }
    }
}
