//! A match of a tournament.

use std::collections::HashMap;

use actix_web::{HttpResponse, web};
use askama::Template;

use super::rounds::ending;
use super::slot::SlotContents;
use super::view::View;
use super::{
    DIVISION_PAGES, clock_set, division_page, live, match_page, origin, place_in_bracket, player_page,
    state_class, title,
};
use crate::matches::sheet_stream;
use crate::pages::{Frame, LivePart, Tab};
use crate::playing::other_game;
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::journal::shared::ShownStream;
use owlbox_base::values::{MatchId, PlayerId, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::people::players::PlayerOrigin;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_play::matches::{Ending, MatchNo, Sheet, Slot, Status, View as SheetView};
use owlbox_play::tournament::CommandKind;
use owlbox_play::tournament::bracket::{Pairing, Source};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::view::MatchState;

/// The sheet of a match that is being played.
pub(super) type OpenSheet = (MatchId, ShownStream<Sheet>);

/// `/tournaments/{id}/{division}/matches/{match}`
#[derive(Template)]
#[template(path = "tournaments/match.html")]
pub(super) struct MatchPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub at: MatchRef,
    pub found: &'a Pairing,
    /// Where the players come from.
    pub origins: &'a HashMap<PlayerId, PlayerOrigin>,
    /// Its sheet, while it is being played.
    pub sheet: Option<&'a OpenSheet>,
}

pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo, MatchNo)>,
) -> Result<HttpResponse, Problem> {
    let (id, division, number) = path.into_inner();
    let at = MatchRef { division, number };
    let (screen, (origins, sheet)) = super::screen(&visitor, id, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let found = of.bracket.get(number).ok_or(Refused::NotFound("match"))?;
        let sit = stream.state.players_in(&[at]);
        let origins = looking.origins(&sit)?;
        looking.name(sit);
        let sheet = of.sheet(number).filter(|_| found.outcome.is_none());
        let sheet = sheet.map(|id| Ok::<OpenSheet, Refused>((id, looking.sheet(id)?))).transpose()?;
        Ok((origins, sheet))
    })
    .await?;
    let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
    let name = t.with("match-number", "match", number.0);
    let page = MatchPage {
        t,
        frame: visitor.frame(&title(&screen, of, &name), Some(Tab::Tournaments)),
        screen: &screen,
        division,
        of,
        at,
        found: of.bracket.get(number).ok_or(Refused::NotFound("match"))?,
        origins: &origins,
        sheet: sheet.as_ref(),
    };
    visitor.answer(page.render())
}

impl MatchPage<'_> {
    fn live(&self) -> LivePart {
        let beside = self.sheet.map(|(id, sheet)| sheet_stream(*id, sheet.version));
        LivePart { beside, ..live(self.screen, match_page(self.screen.id, self.at)) }
    }

    fn round(&self) -> String {
        place_in_bracket(&self.t, self.of, self.found)
    }

    fn length(&self) -> String {
        self.t.with("match-long", "points", self.of.length(self.found).points())
    }

    /// The variant, if it is not backgammon.
    fn game(&self) -> Option<String> {
        other_game(&self.t, self.of.settings.game.variant)
    }

    /// How the clock is set, until the match is over.
    fn clock(&self) -> Option<String> {
        let is_open = !matches!(self.state(), MatchState::Done | MatchState::Empty);
        is_open.then(|| clock_set(&self.t, &self.of.settings.clock, self.of.length(self.found)))
    }

    /// How far it is. Players who play on a sheet need not say that they have begun.
    fn state(&self) -> MatchState {
        let state = self.screen.state().match_state(self.at, self.found);
        if self.running().is_some() { MatchState::Playing } else { state }
    }

    fn class(&self) -> &'static str {
        state_class(self.state())
    }

    /// How far it is, in words.
    fn said(&self) -> String {
        let (t, room) = (&self.t, &self.screen.state().room);
        let at_table = |key| room.calls.get(&self.at).map(|call| t.with(key, "table", call.table.0));
        let how = self.found.outcome.map(|outcome| outcome.ending);
        match self.state() {
            MatchState::Empty if how == Some(Ending::Bye) => t.get("match-empty"),
            MatchState::Empty | MatchState::Done => {
                how.and_then(|how| ending(t, how)).unwrap_or_else(|| t.get("match-done"))
            }
            MatchState::Playing => {
                let said = at_table("playing-at").into_iter().chain(self.running());
                said.collect::<Vec<_>>().join(" · ")
            }
            MatchState::Called => at_table("called-to").unwrap_or_default(),
            MatchState::Ready => match room.postponed.get(&self.at) {
                Some(Some(until)) => t.with("match-postponed-until", "when", t.time(until)),
                Some(None) => t.get("match-postponed"),
                None => t.get("match-ready"),
            },
            MatchState::Waiting => t.get("match-waits"),
        }
    }

    /// The game in progress on its sheet; `None` while the match has only been called.
    fn running(&self) -> Option<String> {
        let (_, sheet) = self.sheet?;
        let (sheet, call) = (&sheet.state, self.screen.state().room.calls.get(&self.at));
        let is_empty = sheet.entries().is_empty() && sheet.board().is_none();
        if is_empty && call.is_some_and(|call| call.began_at.is_none()) {
            return None;
        }
        Some(match sheet.status() {
            Status::Adjourned => self.t.get("scoring-adjourned"),
            Status::Unopened | Status::Open | Status::Over => {
                self.t.with("match-running", "game", sheet.games_over().saturating_add(1))
            }
        })
    }

    /// The player in a slot, or the match whose winner or loser comes there.
    fn name(&self, slot: &Slot) -> String {
        self.t.in_slot(self.of, &SlotContents::new(self.found, *slot))
    }

    fn player(&self, slot: &Slot) -> Option<PlayerId> {
        self.of.entry(self.found.occupant(*slot).entry()?).map(|entry| entry.player)
    }

    /// The page of the player in a slot, or of the match they come from.
    fn link(&self, slot: &Slot) -> Option<String> {
        let before = match self.found.source(*slot) {
            Source::Winner { of } | Source::Loser { of, .. } => Some(self.page_of(&of)),
            Source::Entry { .. } | Source::Bye | Source::Open => None,
        };
        self.player(slot).map(|player| player_page(self.screen.id, player)).or(before)
    }

    /// Where the player in a slot comes from.
    fn origin(&self, slot: &Slot) -> String {
        origin(self.player(slot).and_then(|player| self.origins.get(&player)))
    }

    /// The points of the result, or so far on the sheet.
    fn points(&self, slot: &Slot) -> Option<u32> {
        let result = self.found.result().map(|result| result.score.map(|score| score.map(u32::from)));
        let so_far = || self.sheet.map(|(_, sheet)| SheetView::score_of(&sheet.state));
        Some(slot.choose(result.unwrap_or_else(so_far)?))
    }

    /// Whether who sits in a slot won; `None` while nobody has.
    fn won(&self, slot: &Slot) -> Option<bool> {
        self.found.won(*slot)
    }

    /// The result that the player in a slot has reported, and that awaits the director.
    fn report(&self, slot: &Slot) -> Option<String> {
        let [upper, lower] =
            slot.choose(self.of.reports.get(&self.at.number).copied().unwrap_or_default())?;
        let name = self.t.entrant(self.of, &self.found.occupant(*slot).entry()?);
        Some(self.t.fill("match-report", &[("name", &name), ("score", &format!("{upper}–{lower}"))]))
    }

    fn asks_for_result(&self) -> bool {
        self.found.is_ready() && self.screen.state().asks_for_result(self.at, self.screen.now)
    }

    /// The page where the viewer reports the result, if they play this match.
    fn own(&self) -> Option<String> {
        let player = self.screen.principal.and_then(|viewer| viewer.player)?;
        let plays = self.of.players(self.found)?.contains(&player);
        let says = plays && self.asks_for_result() && self.screen.reports_as(player);
        says.then(|| format!("{}#report", player_page(self.screen.id, player)))
    }

    /// Whether to say that players report by their card: to those who are not signed in.
    fn is_by_card(&self) -> bool {
        self.screen.principal.is_none() && self.asks_for_result()
    }

    /// What has happened to it, each with its time.
    fn times(&self) -> Vec<(String, String)> {
        let room = &self.screen.state().room;
        let call = room.calls.get(&self.at);
        let ended = self.of.finished_at.get(&self.at.number).filter(|_| self.found.outcome.is_some());
        let ready = room.ready_since.get(&self.at).filter(|_| call.is_none());
        let times = [
            ("match-ready-since", ready),
            ("match-called-at", call.map(|call| &call.called_at)),
            ("match-began-at", self.of.began_at.get(&self.at.number)),
            ("match-ended-at", ended),
        ];
        times.into_iter().filter_map(|(key, at)| Some((self.t.get(key), self.t.date_time(at?)))).collect()
    }

    /// The matches that the winner and the loser go to: label, and number.
    fn then(&self) -> impl Iterator<Item = (&'static str, MatchNo)> {
        let ways = [("slip-winner-to", self.found.winner_to), ("slip-loser-to", self.found.loser_to)];
        ways.into_iter().filter_map(|(label, to)| Some((label, to?.0)))
    }

    fn page_of(&self, number: &MatchNo) -> String {
        match_page(self.screen.id, MatchRef { number: *number, ..self.at })
    }

    /// The address of the match in the bracket.
    fn in_bracket(&self) -> String {
        let view = View::default().of_flight(usize::from(self.found.flight));
        format!("{}{}", division_page(self.screen.id, self.division, ""), view.at(self.at.number))
    }

    /// The match at the director's desk, for viewers who work there.
    fn desk(&self) -> Option<String> {
        let MatchRef { division, number } = self.at;
        let desk = || format!("/tournaments/{}/desk/{}/matches/{}", self.screen.id, division.0, number.0);
        self.screen.may(CommandKind::Result).then(desk)
    }
}
