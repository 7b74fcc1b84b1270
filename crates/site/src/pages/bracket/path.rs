//! One player's way through all flights of a bracket.

use super::slot::slot_name;
use super::words::flight_name;
use super::{BracketLookup, View};
use owlbox_locale::Locale;
use owlbox_play::matches::{Ending, MatchNo, Slot};
use owlbox_play::tournament::bracket::{EntryNo, Pairing};

/// The way of a player, with the view that leaves it out again.
#[derive(Clone, Debug)]
pub struct PathShown {
    pub name: String,
    pub steps: Vec<PathStep>,
    pub without: String,
}

/// A match on the way.
#[derive(Clone, Debug)]
pub struct PathStep {
    pub link: String,
    pub number: MatchNo,
    /// The flight, where it is not that of the match before.
    pub flight: Option<String>,
    pub against: String,
    /// The score, the player's points first: `9–4`.
    pub score: Option<String>,
    /// Whether the player won against somebody. `None` for a bye, and while the match is undecided.
    pub won: Option<bool>,
}

impl PathShown {
    /// The way of this player through the bracket.
    #[must_use]
    pub fn new(t: &Locale, known: &BracketLookup<'_>, view: View, player: EntryNo) -> Self {
        let mut flight = None;
        let step = |(number, at): (MatchNo, &Pairing)| {
            let here = usize::from(at.flight);
            let another = flight.replace(here) != Some(here);
            PathStep::new(t, known, view, number, at, player, another)
        };
        Self {
            name: (known.name)(player),
            steps: known.bracket.path(player).filter_map(step).collect(),
            without: View { player: None, ..view }.query(),
        }
    }
}

impl PathStep {
    fn new(
        t: &Locale,
        known: &BracketLookup<'_>,
        view: View,
        number: MatchNo,
        at: &Pairing,
        player: EntryNo,
        another_flight: bool,
    ) -> Option<Self> {
        let slot = Slot::BOTH.into_iter().find(|slot| at.occupant(*slot).entry() == Some(player))?;
        let flight = usize::from(at.flight);
        let outcome = at.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded);
        let score = outcome.and_then(|outcome| outcome.score).map(|[upper, lower]| {
            let (own, other) = if slot == Slot::Upper { (upper, lower) } else { (lower, upper) };
            format!("{own}–{other}")
        });
        let bye = outcome.is_some_and(|outcome| outcome.ending == Ending::Bye);
        let against = if bye { t.get("slot-bye") } else { slot_name(t, known, at, slot.other()) };
        Some(Self {
            link: View { flight, section: None, ..view }.at(number),
            number,
            flight: another_flight.then(|| flight_name(t, known.bracket, flight)),
            against,
            score,
            won: outcome.filter(|_| !bye).and_then(|outcome| Some(outcome.winner? == slot)),
        })
    }
}
