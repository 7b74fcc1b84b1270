//! Which part of a flight is shown: the matches that lead to one match, as many rounds back as there is room for.

use owlbox_domain::matches::MatchNo;
use owlbox_domain::tournament::bracket::{Bracket, EntryNo, Flight, Pairing};

/// The most matches in the first column of a page.
pub(super) const MOST_IN_A_COLUMN: u32 = 64;

/// A part of a flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub flight: usize,
    /// The match that all of it leads to.
    pub root: MatchNo,
    /// Round by round: which, its first match here, and how many.
    pub rounds: Vec<(usize, MatchNo, u32)>,
}

/// How much a window has room for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Matches in its first column.
    pub matches: u32,
    pub columns: usize,
}

impl Window {
    /// What leads to `root`, or to the flight's last match if `root` is none of its matches.
    pub fn new(bracket: &Bracket, flight: usize, root: Option<MatchNo>, room: Room) -> Option<Self> {
        let of_flight = bracket.flights().get(flight)?;
        let (root, last) = match root.and_then(|root| Some((root, round_of(of_flight, root)?))) {
            Some(asked) => asked,
            None => (of_flight.last()?, of_flight.rounds.len().checked_sub(1)?),
        };
        let ending = of_flight.rounds.get(last)?;
        let place = root.0 - ending.first.0;
        let led = of_flight.rounds.iter().enumerate().take(last + 1).rev().map(|(at, round)| {
            let share = (round.matches / ending.matches.max(1)).max(1);
            (at, MatchNo(round.first.0 + place * share), share)
        });
        let mut rounds: Vec<_> =
            led.take(room.columns).take_while(|(.., matches)| *matches <= room.matches).collect();
        rounds.reverse();
        Some(Self { flight, root, rounds })
    }

    /// The first round that is shown.
    pub fn first_round(&self) -> usize {
        self.rounds.first().map_or(0, |(round, ..)| *round)
    }

    /// Whether a match is shown.
    pub fn has(&self, number: MatchNo) -> bool {
        self.rounds.iter().any(|(_, first, matches)| (first.0..first.0 + matches).contains(&number.0))
    }

    /// The window that has this player's latest match in the flight, if the usual one has not.
    pub fn with(bracket: &Bracket, flight: usize, player: EntryNo, room: Room) -> Option<Self> {
        let in_flight = |at: &Pairing| usize::from(at.flight) == flight;
        let (latest, _) = bracket.path(player).filter(|(_, at)| in_flight(at)).last()?;
        let mut window = Self::new(bracket, flight, None, room)?;
        while !window.has(latest) {
            let first = window.first_round();
            // Down to the match of the first column that his leads to.
            let goes_on = |number: &MatchNo| bracket.get(*number)?.winner_to.map(|(next, _)| next);
            let root = std::iter::successors(Some(latest), goes_on)
                .find(|number| bracket.get(*number).is_some_and(|at| usize::from(at.round) == first))?;
            if root == window.root {
                return None;
            }
            window = Self::new(bracket, flight, Some(root), room)?;
        }
        Some(window)
    }

    /// The match to show instead to see what comes after: `None` is the flight's last.
    pub fn later(&self, bracket: &Bracket) -> Option<Option<MatchNo>> {
        let of_flight = bracket.flights().get(self.flight)?;
        let last = of_flight.last()?;
        if self.root == last {
            return None;
        }
        let goes_on = |number: &MatchNo| bracket.get(*number)?.winner_to.map(|(next, _)| next);
        let ahead = std::iter::successors(Some(self.root), goes_on).nth(self.rounds.len());
        Some(ahead.filter(|ahead| *ahead < last && round_of(of_flight, *ahead).is_some()))
    }
}

/// The round of a flight that a match belongs to.
pub(super) fn round_of(flight: &Flight, number: MatchNo) -> Option<usize> {
    let has = |round: &owlbox_domain::tournament::bracket::Round| {
        (round.first.0..round.first.0 + round.matches).contains(&number.0)
    };
    flight.rounds.iter().position(has)
}
