//! A part of a bracket as columns of matches: on a page, on another site's page and on the wall.

use std::collections::BTreeSet;

use super::path::{Step, steps};
use super::rounds::{ending, flight_name, round_name};
use super::slot::SlotContents;
use super::view::{PAGE, View, to_pick_from};
use super::window::Window;
use super::{match_page, state_class};
use crate::pages::ChipLink;
use crate::say::Say;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::bracket::{EntryNo, Pairing, Source};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::view::MatchState;

/// The part of a bracket that is shown.
#[derive(Debug)]
pub(super) struct Picture<'a> {
    t: Say<'a>,
    screen: &'a TournamentScreen,
    division: DivisionNo,
    of: &'a Division,
    pub view: View,
    window: Option<Window>,
    /// The matches on the way of the player who is picked.
    way: BTreeSet<MatchNo>,
    /// Whether matches lead to their pages.
    leads_to_matches: bool,
}

/// A slot as it is drawn.
pub(super) struct DrawnSlot {
    pub is: SlotContents,
    pub text: String,
    /// Whether who sits there won; `None` while nobody has.
    won: Option<bool>,
    pub points: Option<u16>,
}

impl<'a> Picture<'a> {
    /// The part of a division's bracket that a view shows.
    pub fn new(
        t: Say<'a>,
        screen: &'a TournamentScreen,
        division: DivisionNo,
        of: &'a Division,
        view: View,
    ) -> Self {
        let (view, window) = view.within(&of.bracket);
        Self::in_window(t, screen, (division, of), view, window)
    }

    /// The same of a given window.
    pub fn in_window(
        t: Say<'a>,
        screen: &'a TournamentScreen,
        (division, of): (DivisionNo, &'a Division),
        view: View,
        window: Option<Window>,
    ) -> Self {
        let path = view.player.into_iter().flat_map(|player| of.bracket.path(player));
        let way = path.map(|(number, _)| number).collect();
        Self { t, screen, division, of, view, window, way, leads_to_matches: false }
    }

    /// The same with links to the pages of its matches.
    pub fn with_links(self) -> Self {
        Self { leads_to_matches: true, ..self }
    }

    /// The rounds shown: each with its index, its first match in this part, and the number of matches. Empty
    /// before the draw.
    pub fn rounds(&self) -> &[(usize, MatchNo, u32)] {
        self.window.as_ref().map_or(&[], |window| &window.rounds)
    }

    /// The most rounds that are made narrower so that a laptop shows all of them.
    const MOST_NARROWED: usize = 7;

    /// The CSS class that makes its rounds as narrow as a laptop's window needs. Empty if it shows too many
    /// or few.
    pub fn narrowed(&self) -> String {
        match self.rounds().len() {
            rounds @ 5..=Self::MOST_NARROWED => format!("of-{rounds}"),
            _ => String::new(),
        }
    }

    pub fn flights(&self) -> Vec<ChipLink> {
        let flight = |flight| {
            let name = flight_name(&self.t, &self.of.bracket, flight);
            ChipLink::new(name, self.view.of_flight(flight).query(), flight == self.view.flight)
        };
        (0..self.of.bracket.flights().len()).map(flight).collect()
    }

    /// The last rounds of a flight too large for one page, and one section for each match in the first of
    /// those rounds. Empty if the whole flight is shown.
    pub fn sections(&self) -> Vec<ChipLink> {
        let Some(window) = &self.window else { return Vec::new() };
        let bracket = &self.of.bracket;
        let link = |section| View { section, ..self.view }.query();
        let (later, above) = match window.later(bracket) {
            None if window.first_round() == 0 => return Vec::new(),
            None => (None, Some(window.clone())),
            Some(later) => (later, Window::new(bracket, window.flight, later, PAGE)),
        };
        let is_whole = above.as_ref() == Some(window);
        let last = ChipLink::new(self.t.get("later-rounds"), link(later), is_whole);
        let first = above.as_ref().and_then(|above| above.rounds.first());
        let roots =
            first.into_iter().flat_map(|(_, first, matches)| (1..=*matches).zip((first.0..).map(MatchNo)));
        let each = roots.map(|(place, root)| {
            ChipLink::new(place.to_string(), link(Some(root)), !is_whole && root == window.root)
        });
        std::iter::once(last).chain(each).collect()
    }

    /// The players to pick from, in the order of their names. Empty if there are too many for a list.
    pub fn players(&self) -> Vec<(EntryNo, String)> {
        let named = |entry| (entry, self.t.entrant(self.of, &entry));
        let mut players: Vec<_> = to_pick_from(&self.of.bracket).into_iter().map(named).collect();
        players.sort_by_cached_key(|(_, name)| name.to_lowercase());
        players
    }

    pub fn is_picked(&self, entry: &EntryNo) -> bool {
        self.view.player == Some(*entry)
    }

    /// The way of the player who is picked.
    pub fn steps(&self, player: &EntryNo) -> Vec<Step<'_>> {
        steps(&self.of.bracket, *player)
    }

    /// Where a step of that way is shown.
    pub fn step(&self, step: &Step<'_>) -> String {
        self.view.of_flight(usize::from(step.at.flight)).at(step.match_number)
    }

    /// The view without a player.
    pub fn without_player(&self) -> String {
        View { player: None, ..self.view }.query()
    }

    pub fn round_name(&self, round: &usize) -> String {
        let flight = self.of.bracket.flights().get(self.view.flight);
        flight.map_or_else(String::new, |flight| round_name(&self.t, flight, *round))
    }

    /// The length of a round's matches: `to 9`.
    pub fn length(&self, round: &usize) -> Option<String> {
        let flight = self.of.bracket.flights().get(self.view.flight)?;
        let before_last = flight.rounds.len().checked_sub(round + 1)?;
        let length = self.of.settings.length_of(flight.kind, before_last);
        Some(self.t.with("match-to", "points", length.points()))
    }

    /// The CSS class of what joins the matches of this column and the next: two to one, or one to one where
    /// their opponents come in from elsewhere.
    pub fn joined(&self, column: &usize) -> &'static str {
        match self.rounds().get(*column..) {
            Some([(.., matches), (.., next), ..]) if matches == next => "straight",
            Some([_, _, ..]) => "halves",
            _ => "end",
        }
    }

    /// The matches of a column, from the top.
    pub fn matches(&self, first: &MatchNo, matches: &u32) -> Vec<(MatchNo, &'a Pairing)> {
        let numbers = (first.0..first.0 + matches).map(MatchNo);
        numbers.filter_map(|number| Some((number, self.of.bracket.get(number)?))).collect()
    }

    fn at(&self, number: MatchNo) -> MatchRef {
        MatchRef { division: self.division, number }
    }

    fn state(&self, number: MatchNo, at: &Pairing) -> MatchState {
        self.screen.state().match_state(self.at(number), at)
    }

    /// The CSS classes of a match: its state, and whether the picked player's way goes through it, from and
    /// to another match of its flight.
    pub fn classes(&self, number: &MatchNo, at: &Pairing) -> String {
        let state = state_class(self.state(*number, at));
        let Some(player) = self.view.player.filter(|_| self.way.contains(number)) else {
            return state.to_owned();
        };
        let same_flight = |of: MatchNo| self.of.bracket.get(of).is_some_and(|of| of.flight == at.flight);
        let source = at.slot_of(player).map(|slot| at.source(slot));
        let came = matches!(source, Some(Source::Winner { of }) if same_flight(of));
        let goes = at.winner() == Some(player) && at.winner_to.is_some_and(|(next, _)| same_flight(next));
        format!("{state} on{}{}", if came { " came" } else { "" }, if goes { " goes" } else { "" })
    }

    /// The remark below a match: the table, or how it ended.
    pub fn strip(&self, number: &MatchNo, at: &Pairing) -> Option<String> {
        let call = self.screen.state().room.calls.get(&self.at(*number));
        let table = |key: &str| call.map(|call| self.t.with(key, "table", call.table.0));
        match self.state(*number, at) {
            MatchState::Playing => table("playing-at"),
            MatchState::Called => table("called-to"),
            MatchState::Ready => Some(self.t.get("ready")),
            MatchState::Waiting | MatchState::Done | MatchState::Empty => {
                at.outcome.and_then(|outcome| ending(&self.t, outcome.ending))
            }
        }
    }

    /// A match for readers who do not see the picture: its number and the remark.
    pub fn label(&self, number: &MatchNo, strip: Option<&str>) -> String {
        let called = self.t.with("match-number", "match", number.0);
        strip.map_or_else(|| called.clone(), |strip| format!("{called}, {strip}"))
    }

    /// The page of a match, where its number leads there.
    pub fn page_of(&self, number: &MatchNo) -> Option<String> {
        self.leads_to_matches.then(|| match_page(self.screen.id, self.at(*number)))
    }

    /// The view of the section that leads to a match, where the matches before it are not shown.
    pub fn before(&self, round: &usize, number: &MatchNo) -> Option<String> {
        let is_first = self.window.as_ref().is_some_and(|window| window.first_round() == *round);
        let view = View { section: Some(*number), ..self.view };
        (is_first && *round > 0).then(|| view.query())
    }

    /// Both slots of a match, the upper one first.
    pub fn slots(&self, at: &Pairing) -> [DrawnSlot; 2] {
        Slot::BOTH.map(|slot| {
            let is = SlotContents::new(at, slot);
            let points = at.outcome.and_then(|outcome| outcome.score).map(|score| slot.choose(score));
            DrawnSlot { is, text: self.t.in_slot(self.of, &is), won: at.won(slot), points }
        })
    }

    /// The view with a player's way, scrolled to a match; without it if they are picked.
    pub fn pick(&self, entry: &EntryNo, number: &MatchNo) -> String {
        View { player: Some(*entry).filter(|entry| !self.is_picked(entry)), ..self.view }.at(*number)
    }

    /// An entry's place on the seeding list.
    pub fn seed(&self, entry: &EntryNo) -> Option<u32> {
        self.of.entry(*entry)?.seeded
    }
}

impl DrawnSlot {
    /// The entry in it.
    pub fn player(&self) -> Option<EntryNo> {
        let SlotContents::Player(entry) = self.is else { return None };
        Some(entry)
    }

    pub fn has_won(&self) -> bool {
        self.won == Some(true)
    }

    pub fn has_lost(&self) -> bool {
        self.won == Some(false)
    }

    /// The CSS class of a name that is too long for one line on the wall, where it is written smaller. Empty
    /// for others.
    pub fn length(&self) -> &'static str {
        match self.text.chars().count() {
            ..=16 => "",
            17..=50 => "long",
            _ => "longest",
        }
    }
}
