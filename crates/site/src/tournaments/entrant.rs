//! One player's way through a tournament: the current match, and those before.

use actix_web::HttpResponse;
use askama::Template;

use super::path::{Step, steps};
use super::places::place_range;
use super::report::Report;
use super::slot::SlotContents;
use super::view::View;
use super::{
    cancelled, division_page, home, line, live, match_page, money, origin, place_of, player_page,
    standing_key,
};
use crate::pages::{Frame, LivePart, Tab};
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::values::PlayerId;
use owlbox_desk::Refused;
use owlbox_desk::people::players::PlayerOrigin;
use owlbox_desk::tournaments::{TournamentReader, TournamentScreen};
use owlbox_http::problem::{Problem, not_found};
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::bracket::{EntryNo, Pairing};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{Call, DivisionNo, MatchRef};

/// `/tournaments/{id}/players/{player}`; by the link of an entry, `/e/{link}`
#[derive(Template)]
#[template(path = "tournaments/entrant.html")]
pub(super) struct EntrantPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub about: &'a About,
    pub player: PlayerId,
    /// Where the player comes from.
    pub from: Option<PlayerOrigin>,
    /// The link by which it was opened, if it was.
    pub link: Option<&'a str>,
    /// The form for reporting the result. Only on the player's own page.
    pub report: Option<Report<'a>>,
}

/// A player's present or next match.
struct Next<'a> {
    at: MatchRef,
    of: &'a Division,
    found: &'a Pairing,
    slot: Slot,
    call: Option<&'a Call>,
}

/// Looks for what a player's way names: everybody in the matches on it. Returns where the player comes from.
pub(super) fn look_for_way(
    looking: &mut TournamentReader<'_>,
    player: PlayerId,
) -> Result<Option<PlayerOrigin>, Refused> {
    let stream = looking.stream();
    looking.name([player]);
    for (division, entry) in stream.state.entries_of(player) {
        let Some(of) = stream.state.division(division) else { continue };
        let path = of.bracket.path(entry).map(|(number, _)| MatchRef { division, number });
        looking.name(stream.state.players_in(&path.collect::<Vec<_>>()));
    }
    Ok(looking.origins(&[player])?.remove(&player))
}

/// The page of a player and where they come from, with the form for the result of this entry's match; after a
/// refusal with the problem on it.
pub(super) fn answer(
    visitor: &Visitor,
    screen: &TournamentScreen,
    (player, from): (PlayerId, Option<PlayerOrigin>),
    link: Option<&str>,
    plays: Option<(DivisionNo, EntryNo)>,
) -> Result<HttpResponse, Problem> {
    let (t, about) = (visitor.say(&screen.names), screen.about().ok_or_else(not_found)?);
    let name = format!("{} · {}", t.name(&player), screen.name());
    let frame = visitor.frame(&name, Some(Tab::Tournaments));
    let report = plays.and_then(|(division, entry)| Report::new(t, screen, division, entry));
    visitor.answer(EntrantPage { t, frame, screen, about, player, from, link, report }.render())
}

impl EntrantPage<'_> {
    /// The address of the page.
    fn here(&self) -> String {
        self.link.map_or_else(|| player_page(self.screen.id, self.player), |link| format!("/e/{link}"))
    }

    /// Whether nothing else of the tournament may be seen by anyone who has the link.
    fn is_alone(&self) -> bool {
        self.link.is_some() && !self.about.public
    }

    fn home(&self) -> String {
        if self.is_alone() { self.here() } else { home(self.screen.id) }
    }

    fn live(&self) -> LivePart {
        let live = live(self.screen, self.here());
        LivePart { stream: live.stream.filter(|_| !self.is_alone()), ..live }
    }

    fn from(&self) -> String {
        origin(self.from.as_ref())
    }

    /// The divisions in which the player has entered, with the newest entry in each.
    fn divisions(&self) -> impl Iterator<Item = (DivisionNo, &Division, EntryNo)> {
        let divisions = self.screen.state().divisions();
        divisions.filter_map(|(division, of)| Some((division, of, of.entry_of(self.player)?)))
    }

    /// The present or next match. One in play comes before one that is waited for.
    fn next(&self) -> Option<Next<'_>> {
        let is_cancelled = self.screen.state().cancelled.is_some();
        let divisions = self.divisions().filter(|_| !is_cancelled);
        let next = divisions.filter_map(|(division, of, entry)| {
            let (number, found) = of.current(entry).filter(|_| !of.is_out(entry))?;
            let at = MatchRef { division, number };
            let call = self.screen.state().room.calls.get(&at);
            Some(Next { at, of, found, slot: found.slot_of(entry)?, call })
        });
        next.min_by_key(|next| match next.call {
            Some(call) if call.began_at.is_none() => 0,
            Some(_) => 1,
            None if next.found.is_ready() || self.is_put_off(next.at) => 2,
            None => 3,
        })
    }

    fn is_put_off(&self, at: MatchRef) -> bool {
        let until = self.screen.state().room.postponed.get(&at);
        until.is_some_and(|until| until.is_none_or(|until| self.screen.now < until))
    }

    /// How far the next match is: at table 4, waiting for an opponent.
    fn said(&self, next: &Next<'_>) -> String {
        let (t, room) = (&self.t, &self.screen.state().room);
        match (next.call, room.postponed.get(&next.at).filter(|_| self.is_put_off(next.at))) {
            (Some(call), _) if call.began_at.is_none() => t.with("next-at", "table", call.table.0),
            (Some(call), _) => t.with("next-playing", "table", call.table.0),
            (None, Some(Some(until))) => t.with("next-put-off-until", "time", t.time(until)),
            (None, Some(None)) => t.get("next-put-off"),
            (None, None) if next.found.is_ready() => t.get("next-ready"),
            (None, None) => t.get("next-waits"),
        }
    }

    fn against(&self, next: &Next<'_>) -> String {
        self.t.in_slot(next.of, &SlotContents::new(next.found, next.slot.other()))
    }

    /// Division, round and length of the next match.
    fn about(&self, next: &Next<'_>) -> String {
        place_of(&self.t, self.screen, next.of, next.found)
    }

    fn page_of(&self, division: &DivisionNo, number: &MatchNo) -> String {
        match_page(self.screen.id, MatchRef { division: *division, number: *number })
    }

    /// What stands there without a match.
    fn idle(&self) -> String {
        if let Some(cancelled) = cancelled(&self.t, self.screen) {
            return cancelled;
        }
        if self.divisions().any(|(_, of, _)| of.is_drawn()) {
            return self.t.get("idle-out");
        }
        // Before the draw: when the first of their divisions starts, if that is said.
        let starts = self.divisions().filter_map(|(_, of, _)| of.settings.starts.or(self.about.starts)).min();
        let when = |time| self.t.with("idle-starts", "when", self.t.day_at(self.about.date, Some(time)));
        starts.map_or_else(|| self.t.get("idle-not-drawn"), when)
    }

    /// The player's entries, in each division the newest first.
    fn ways(&self) -> Vec<(DivisionNo, &Division, EntryNo)> {
        let entries = self.screen.state().entries_of(self.player).into_iter();
        let way = |(division, entry)| Some((division, self.screen.state().division(division)?, entry));
        entries.filter_map(way).collect()
    }

    fn steps<'b>(&self, of: &'b Division, entry: &EntryNo) -> Vec<Step<'b>> {
        steps(&of.bracket, *entry)
    }

    /// The same way in the bracket.
    fn in_bracket(&self, division: &DivisionNo, entry: &EntryNo) -> String {
        let view = View { player: Some(*entry), ..View::default() };
        format!("{}{}", division_page(self.screen.id, *division, ""), view.query())
    }

    /// The place of an entry in the main flight and its prize, once it has nothing left to play; until then
    /// its state.
    fn standing(&self, of: &Division, entry: &EntryNo) -> String {
        let standing = || of.entry(*entry).map(|entry| entry.standing).unwrap_or_default();
        self.came(of, *entry).unwrap_or_else(|| self.t.get(standing_key(standing())))
    }

    fn came(&self, of: &Division, entry: EntryNo) -> Option<String> {
        if of.is_out(entry) || of.current(entry).is_some() {
            return None;
        }
        let places = of.bracket.places(0);
        let place = places.iter().find(|place| place.entry == entry && !place.playing)?;
        let came = self.t.fill("way-place", &[("place", &place_range(place)), ("of", &places.len())]);
        let player = of.entry(entry)?.player;
        let awards = of.awards.iter().flat_map(|awards| &awards.awards);
        let given: u64 = awards.filter(|award| award.player == player).map(|award| award.amount).sum();
        let given = money(&self.t, self.screen, given).filter(|_| of.entry_of(player) == Some(entry));
        Some(line([Some(&*came), given.as_deref()]))
    }
}
