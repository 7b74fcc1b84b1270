//! Which part of a bracket is shown, and how large. A view is an address, so a link keeps flight, section,
//! player and size.

use std::collections::BTreeSet;

use super::window::{MOST_IN_A_COLUMN, Room, Window};
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::{Bracket, EntryNo, Pairing, Source};

/// The most players that are offered as a list. More are searched for by name.
const MOST_TO_PICK_FROM: usize = 256;

/// The room on a page: the first column is limited, the number of rounds is not.
pub(super) const PAGE: Room = Room { matches: MOST_IN_A_COLUMN, columns: usize::MAX };

/// The size at which a bracket is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Zoom {
    /// As much as can still be made out.
    Far,
    /// Large enough to read and tap.
    #[default]
    Usual,
    /// Large enough to read from some distance.
    Near,
}

impl Zoom {
    /// Every size, from the smallest to the largest.
    pub const ALL: [Self; 3] = [Self::Far, Self::Usual, Self::Near];

    pub const fn code(self) -> &'static str {
        match self {
            Self::Far => "far",
            Self::Usual => "usual",
            Self::Near => "near",
        }
    }

    /// The size with this code. An unknown code gives the usual size.
    pub fn from_code(code: &str) -> Self {
        Self::ALL.into_iter().find(|zoom| zoom.code() == code).unwrap_or_default()
    }

    /// The sizes before it and after it.
    fn beside(self) -> [Option<Self>; 2] {
        match self {
            Self::Far => [None, Some(Self::Usual)],
            Self::Usual => [Some(Self::Far), Some(Self::Near)],
            Self::Near => [Some(Self::Usual), None],
        }
    }
}

/// The part of a bracket that is shown, and everything a link to it keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct View {
    /// The flight, as an index into the bracket's flights.
    pub flight: usize,
    /// Only the matches that lead to this one. `None` shows as many rounds before the flight's last match as
    /// there is room for.
    pub section: Option<MatchNo>,
    pub player: Option<EntryNo>,
    pub zoom: Zoom,
}

impl View {
    /// The view as the query of an address, with its question mark.
    pub fn query(self) -> String {
        let flight = (self.flight > 0).then(|| format!("flight={}", self.flight));
        let section = self.section.map(|section| format!("section={}", section.0));
        let player = self.player.map(|player| format!("player={}", player.0));
        let zoom = (self.zoom != Zoom::Usual).then(|| format!("zoom={}", self.zoom.code()));
        let parts: Vec<String> = [flight, section, player, zoom].into_iter().flatten().collect();
        format!("?{}", parts.join("&"))
    }

    /// The same view, scrolled to this match.
    pub fn at(self, number: MatchNo) -> String {
        format!("{}#m{}", self.query(), number.0)
    }

    /// The same view of another flight.
    pub fn of_flight(self, flight: usize) -> Self {
        Self { flight, section: None, ..self }
    }

    /// The addresses of the same view in a smaller and a larger size.
    pub fn sizes(self) -> [Option<String>; 2] {
        self.zoom.beside().map(|zoom| zoom.map(|zoom| Self { zoom, ..self }.query()))
    }

    /// The view without a flight, section or player that this bracket does not have, and the part of it that
    /// it shows.
    pub(super) fn within(self, bracket: &Bracket) -> (Self, Option<Window>) {
        let flight = if self.flight < bracket.flights().len() { self.flight } else { 0 };
        let in_flight = |at: &Pairing| usize::from(at.flight) == flight;
        let section = self.section.filter(|section| bracket.get(*section).is_some_and(in_flight));
        let player = self.player.filter(|player| bracket.path(*player).next().is_some());
        let view = Self { flight, section, player, ..self };
        let picked = player.filter(|_| section.is_none());
        let window = picked
            .and_then(|player| Window::with(bracket, flight, player, PAGE))
            .or_else(|| Window::new(bracket, flight, section, PAGE));
        (view, window)
    }

    /// The entries that a page with this view names: those to pick from, those in the matches that it shows,
    /// and those on the way of the one that is picked.
    pub fn entries(self, bracket: &Bracket) -> BTreeSet<EntryNo> {
        let (view, window) = self.within(bracket);
        let rounds = window.iter().flat_map(|window| &window.rounds);
        let shown = rounds.flat_map(|(_, first, matches)| (first.0..first.0 + matches).map(MatchNo));
        let path = view.player.into_iter().flat_map(|player| bracket.path(player)).map(|(number, _)| number);
        let matches = shown.chain(path).filter_map(|number| bracket.get(number));
        let sit = matches.flat_map(|at| at.occupants).filter_map(|occupant| occupant.entry());
        to_pick_from(bracket).into_iter().chain(sit).collect()
    }
}

/// Everybody who was drawn or seated. Empty if there are too many for a list.
pub(super) fn to_pick_from(bracket: &Bracket) -> BTreeSet<EntryNo> {
    let drawn = bracket.iter().flat_map(|(_, at)| at.sources).filter_map(|source| match source {
        Source::Entry { entry } => Some(entry),
        Source::Winner { .. } | Source::Loser { .. } | Source::Bye | Source::Open => None,
    });
    let mut all = BTreeSet::new();
    for entry in drawn {
        all.insert(entry);
        if all.len() > MOST_TO_PICK_FROM {
            return BTreeSet::new();
        }
    }
    all
}
