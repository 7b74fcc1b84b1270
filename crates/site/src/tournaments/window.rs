//! The part of a flight that is shown: the matches that lead to one match, as many rounds back as there is
//! room for.

use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::{Bracket, EntryNo, Flight, Pairing};

/// The most matches in the first column of a page.
pub(super) const MOST_IN_A_COLUMN: u32 = 64;

/// A part of a flight, with one match at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub flight: usize,
    /// The match that all the others lead to.
    pub root: MatchNo,
    /// For each round its index, its first match in this part, and the number of matches.
    pub rounds: Vec<(usize, MatchNo, u32)>,
}

/// The room for a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The most matches in its first column.
    pub matches: u32,
    pub columns: usize,
}

impl Window {
    /// The matches that lead to `root`, or to the flight's last match if `root` is not in the flight.
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

    /// The index of the first round shown.
    pub fn first_round(&self) -> usize {
        self.rounds.first().map_or(0, |(round, ..)| *round)
    }

    /// Whether the window shows this match.
    pub fn has(&self, number: MatchNo) -> bool {
        self.rounds.iter().any(|(_, first, matches)| (first.0..first.0 + matches).contains(&number.0))
    }

    /// The window that shows the player's latest match in the flight. `None` if they have no match there.
    pub fn with(bracket: &Bracket, flight: usize, player: EntryNo, room: Room) -> Option<Self> {
        let in_flight = |at: &Pairing| usize::from(at.flight) == flight;
        let (latest, _) = bracket.path(player).filter(|(_, at)| in_flight(at)).last()?;
        let mut window = Self::new(bracket, flight, None, room)?;
        while !window.has(latest) {
            let first = window.first_round();
            // Go down to the match of the first column that the player's match leads to.
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

    /// The match to lead to instead, in order to see the later rounds. `Some(None)` is the flight's last
    /// match; `None` means there are no later rounds.
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

/// The index of the round a match belongs to. `None` if it is in another flight.
pub(super) fn round_of(flight: &Flight, number: MatchNo) -> Option<usize> {
    let has = |round: &owlbox_play::tournament::bracket::Round| {
        (round.first.0..round.first.0 + round.matches).contains(&number.0)
    };
    flight.rounds.iter().position(has)
}
