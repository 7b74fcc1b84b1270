//! The draw of a division at the desk: by lot, or again for a reason; the exchange of two slots; a last
//! chance. The draw by hand has a page of its own.

use actix_web::HttpResponse;

use super::act::{NoQuery, takes_acts};
use super::draw_by_hand::{self, is_offered, is_only_here};
use super::frame::{DeskFrame, draw_below, on_the_desk};
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::Visitor;
use owlbox_base::text::sought;
use owlbox_base::values::TournamentId;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_play::matches::{Ending, MatchNo, Slot};
use owlbox_play::tournament::bracket::{EntryNo, FlightKind, Pairing, Source};
use owlbox_play::tournament::command::{DrawBy, SlotOfMatch};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::legal::DivisionAct;
use owlbox_play::tournament::payout::Prize;
use owlbox_play::tournament::prizes::scheduled;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Command, CommandKind};

/// The most slots offered for an exchange, and the most entries offered for a last chance.
const MOST_CHOICES: usize = 600;

/// `/tournaments/{id}/desk/{division}/draw`
#[derive(Debug)]
pub(super) struct DrawPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub division: DivisionNo,
    pub of: &'a Division,
}
on_the_desk! { DrawPage<'a>: "directing/draw.html" }

takes_acts!((TournamentId, DivisionNo), NoQuery);

/// The current draw.
async fn answer(
    visitor: &Visitor,
    &(id, division): &(TournamentId, DivisionNo),
    _: &NoQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let screen = draw_by_hand::load(visitor, id, division).await?;
    let of = screen.division(division)?;
    let (t, frame, desk) = super::surroundings(visitor, &screen, "the-draw", &draw_below(division));
    let page = DrawPage { t, frame, screen: &screen, desk, division, of };
    visitor.answer(page.rendered(partial))
}

impl TournamentSentences<'_> {
    /// How many are to be drawn, and how many of them have checked in.
    pub(super) fn drawn_of_all(&self, here: &usize, all: &usize) -> String {
        self.fill("desk-next-draw-about", &[("here", here), ("all", all)])
    }
}

impl DrawPage<'_> {
    /// How many are entered, and how many of them have checked in.
    fn count(&self) -> String {
        self.t.drawn_of_all(&self.entries(true), &self.entries(false))
    }

    fn entries(&self, only_checked_in: bool) -> usize {
        self.screen.state().to_draw(self.division, only_checked_in).len()
    }

    fn can_be_drawn(&self) -> bool {
        self.screen.state().division_acts(self.division).contains(&DivisionAct::Draw)
    }

    /// Whether it is too late to draw again, because matches have begun.
    fn is_too_late(&self) -> bool {
        self.of.is_drawn() && self.is_open() && !self.can_be_drawn() && self.entries(false) >= 2
    }

    fn is_open(&self) -> bool {
        self.screen.state().closed_at.is_none()
    }

    fn draw(&self) -> Option<Button> {
        let (division, method) = (self.division, DrawBy::Lot {});
        let command =
            Command::Draw { division, method, only_checked_in: false, reason: None, groups: Vec::new() };
        let label = if self.of.is_drawn() { "desk-draw-again" } else { "desk-draw" };
        let may = self.can_be_drawn() && self.screen.may(CommandKind::Draw);
        may.then(|| self.button(label, Fields::of(&command)).main())
    }

    fn button(&self, label: &str, fields: Fields) -> Button {
        Button::of_form(self.t.get(label), fields).then(self.desk.here()).at(self.screen.stream.version)
    }

    /// How many have checked in, if not everybody has.
    fn checked_in(&self) -> Option<String> {
        let some = is_only_here(self.screen.state(), self.division);
        some.then(|| self.t.count("desk-only-here", &self.entries(true)))
    }

    /// The address of the page to draw by hand.
    fn by_hand(&self) -> Option<String> {
        let may = self.draw().is_some() && is_offered(self.screen.state(), self.division);
        may.then(|| self.desk.address(&draw_by_hand::below(self.division)))
    }

    /// The exchange of two slots of the first round, of matches that have not begun: the button, and the
    /// slots.
    fn exchange(&self) -> Option<(Button, Vec<(SlotOfMatch, String)>)> {
        if !self.is_open() || !self.of.is_drawn() || !self.screen.may(CommandKind::Exchange) {
            return None;
        }
        let still = |(at, found): &(MatchNo, &Pairing)| {
            let at = MatchRef { division: self.division, number: *at };
            let called = self.screen.state().room.calls.contains_key(&at);
            found.round == 0 && !Division::is_played(found) && !called
        };
        let drawn = |source| matches!(source, Source::Entry { .. } | Source::Bye | Source::Open);
        let matches = self.of.bracket.of_flight(0).filter(still);
        let slots = matches.flat_map(|(number, found)| Slot::BOTH.map(|slot| (number, found, slot)));
        let slots = slots.filter(|(_, found, slot)| drawn(found.source(*slot)));
        let label = |(number, found, slot): (MatchNo, &Pairing, Slot)| {
            let who = self.t.occupant(self.of, found, slot);
            let label = format!("{}: {who}", self.t.with("match-number", "match", number.0));
            (SlotOfMatch { number, slot }, label)
        };
        let choices: Vec<(SlotOfMatch, String)> = slots.take(MOST_CHOICES).map(label).collect();
        let fields = Fields::lacking(CommandKind::Exchange).with("division", &self.division);
        (choices.len() >= 2).then(|| (self.button("desk-exchange", fields), choices))
    }

    /// What the choice of a slot sets, as the `one` of an exchange or the `other`.
    fn slot(&self, name: &str, place: &SlotOfMatch) -> String {
        Fields::default().with(name, place).choice()
    }

    /// Who can play in a last chance: first those who have lost at a table and have no prize, then the
    /// others. `None` without two of them.
    fn last_chance(&self) -> Option<(Button, [Vec<EntryNo>; 2])> {
        if !self.is_open() || !self.screen.may(CommandKind::DrawLastChance) {
            return None;
        }
        let prizes = scheduled(self.of).prizes;
        let has_prize =
            |entry: EntryNo| self.of.entry(entry).is_some_and(|entry| prizes.contains_key(&entry.player));
        let players = self.screen.state().last_chance_players(self.division).take(MOST_CHOICES);
        let (lost, others): (Vec<EntryNo>, Vec<EntryNo>) =
            players.partition(|entry| has_lost_last_chance(self.of, *entry) && !has_prize(*entry));
        let command = Command::DrawLastChance { division: self.division, entries: Vec::new() };
        let button = || self.button("desk-draw-last-chance", Fields::of(&command));
        (lost.len() + others.len() >= 2).then(|| (button(), [lost, others]))
    }

    /// These entries with their names, in the order of the alphabet.
    fn named(&self, entries: &[EntryNo]) -> Vec<(EntryNo, String)> {
        let mut named: Vec<(EntryNo, String)> =
            entries.iter().map(|entry| (*entry, self.t.entry(self.of, entry))).collect();
        named.sort_by_cached_key(|(_, name)| sought(name));
        named
    }

    /// The prizes that change when a last chance is drawn, no matter who plays in it: what each is before and
    /// after. Empty if none does.
    fn prizes_changed(&self, [lost, others]: &[Vec<EntryNo>; 2]) -> Vec<(Prize, [u64; 2])> {
        let two: Vec<EntryNo> = lost.iter().chain(others).take(2).copied().collect();
        let (state, now) = (self.screen.state(), self.screen.now);
        let changed = state.currency().map(|_| state.prizes_with_last_chance(self.division, &two, now));
        changed.into_iter().flatten().collect()
    }
}

/// Whether an entry lost at the table in the last flight that was open to it. A no-show does not count.
fn has_lost_last_chance(of: &Division, entry: EntryNo) -> bool {
    let consoles = of.bracket.flights().iter().any(|flight| flight.kind == FlightKind::Consolation);
    let in_it = |at: &Pairing| {
        let kind = of.bracket.flights().get(usize::from(at.flight)).map(|flight| flight.kind);
        kind == Some(if consoles { FlightKind::Consolation } else { FlightKind::Main })
    };
    let at_a_table = |at: &Pairing| {
        at.outcome.is_some_and(|outcome| matches!(outcome.ending, Ending::Played | Ending::Conceded))
    };
    of.bracket.path(entry).any(|(_, at)| in_it(at) && at_a_table(at) && at.loser() == Some(entry))
}
