//! A roll played step by step in any order: the moves open to a player who taps checkers.
//!
//! The lists of steps that are legal plays ([`LegalPlays::move_lists`]) have most of their situations in
//! common. Here each situation on the way - a position and the dice left - appears once. The result is small
//! enough for a page to carry all of it and to work through a turn without asking the server.

use std::collections::BTreeMap;

use super::dice::Die;
use super::place::{BAR, Place};
use super::play::Step;
use super::plays::LegalPlays;
use super::position::Position;
use super::step_rules::{leaves_way, stepped};

/// A step, and the situation it leads to.
#[cfg_attr(
    doc,
    doc = r#"
```
use owlbox_engine::{LegalPlays, Variant};

let graph = LegalPlays::new(Variant::Standard.start(), "6-5".parse()?).step_graph();
let run = graph[0].iter().find(|next| next.from == 24).unwrap();
assert_eq!((run.pips, run.to), (6, 18));
assert!(graph[run.then].iter().all(|next| next.pips == 5));
# Ok::<(), owlbox_engine::InvalidValue>(())
```"#
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NextStep {
    /// Where the checker starts, as the mover counts: a point from 1 to 24, or 25 for the bar.
    pub from: u8,
    /// The number of pips it moves: the die used.
    pub pips: u8,
    /// Where it ends: a point, or 0 for borne off.
    pub to: u8,
    /// The situation it leads to, as an index into the list of all.
    pub then: usize,
}

/// The position on the way and the dice left.
type Situation = (Position, Vec<Die>);

/// The graph while it is being built.
struct Graph {
    numbers: BTreeMap<Situation, usize>,
    /// For each situation its steps, and how far they lead.
    nodes: Vec<(Vec<NextStep>, Far)>,
}

/// The largest number of steps that can still be made (G8), and whether that leaves the other side a way out
/// (V4).
type Far = (usize, bool);

impl LegalPlays {
    /// Every situation on the way to a legal play, each with the steps that lead on to one (G5 to G12). The
    /// first is the situation before anything is moved. One without steps is a complete play; if the first
    /// has none, nothing can be moved.
    #[must_use]
    pub fn step_graph(self) -> Vec<Vec<NextStep>> {
        let (high, low) = (self.roll().high(), self.roll().low());
        let dice = if self.roll().is_double() { vec![high; 4] } else { vec![high, low] };
        let mut graph = Graph { numbers: BTreeMap::new(), nodes: Vec::new() };
        let (first, (most, _)) = graph.explore(&(self.position(), dice));
        if most <= 1 {
            // If only one number can be played, G8 says which.
            let allowed: Vec<Step> = self.move_lists().iter().filter_map(|list| list.iter().next()).collect();
            let is_allowed = |next: &NextStep| {
                allowed.iter().any(|step| (step.from(), step.pips()) == (next.from, next.pips))
            };
            if let Some((steps, _)) = graph.nodes.get_mut(first) {
                steps.retain(is_allowed);
            }
        }
        graph.from(first)
    }
}

impl Graph {
    /// The number of a situation, and how far one can play on from there. Only steps of the longest ways are
    /// kept (G8); of those, only the ones that leave a way out if any does (V4). A step that bears off the
    /// last checker is always kept.
    fn explore(&mut self, situation: &Situation) -> (usize, Far) {
        if let Some(&number) = self.numbers.get(situation) {
            return (number, self.nodes.get(number).map_or((0, true), |(_, far)| *far));
        }
        let (position, dice) = situation;
        let mut ways = Vec::new();
        for (at, die) in dice.iter().enumerate().filter(|(at, die)| !dice[..*at].contains(die)) {
            for step in (1..=BAR).rev().filter_map(|from| Step::new(from, *die)) {
                if let Ok(after) = stepped(*position, step) {
                    let mut left = dice.clone();
                    left.remove(at);
                    let won = after.mover().all_off();
                    let (then, (more, way)) = self.explore(&(after, if won { Vec::new() } else { left }));
                    ways.push((step, then, (more + 1, way), won));
                }
            }
        }
        let most = ways.iter().map(|(_, _, far, _)| *far).max().unwrap_or((0, leaves_way(*position)));
        let kept = ways.into_iter().filter(|(_, _, far, won)| *far == most || *won);
        let steps = kept.map(|(step, then, ..)| next(step, then)).collect();
        let number = self.nodes.len();
        self.nodes.push((steps, most));
        self.numbers.insert(situation.clone(), number);
        (number, most)
    }

    /// The situations that can be reached from `first`, renumbered so that it comes first.
    fn from(&self, first: usize) -> Vec<Vec<NextStep>> {
        let mut order = vec![first];
        let mut numbers = BTreeMap::from([(first, 0)]);
        let mut told = Vec::new();
        while let Some(&number) = order.get(told.len()) {
            let steps = self.nodes.get(number).map(|(steps, _)| steps.as_slice()).unwrap_or_default();
            let renumbered = steps.iter().map(|next| {
                let then = *numbers.entry(next.then).or_insert_with(|| {
                    order.push(next.then);
                    order.len() - 1
                });
                NextStep { then, ..*next }
            });
            told.push(renumbered.collect());
        }
        told
    }
}

fn next(step: Step, then: usize) -> NextStep {
    let to: Place = step.to();
    NextStep { from: step.from(), pips: step.pips(), to, then }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::notation::gnu::from_position_id;
    use crate::{Generator, Roll, Variant};

    /// Every list of steps in the graph.
    fn lists(graph: &[Vec<NextStep>], at: usize, taken: &[(u8, u8)], all: &mut BTreeSet<Vec<(u8, u8)>>) {
        if graph[at].is_empty() {
            all.insert(taken.to_vec());
        }
        for next in &graph[at] {
            let taken = [taken, &[(next.from, next.pips)]].concat();
            lists(graph, next.then, &taken, all);
        }
    }

    fn agrees(position: Position, roll: Roll) {
        let plays = LegalPlays::new(position, roll);
        let mut told = BTreeSet::new();
        lists(&plays.step_graph(), 0, &[], &mut told);
        let results = |steps: &Vec<(u8, u8)>| {
            let steps =
                steps.iter().map(|(from, pips)| Step::new(*from, (*pips).try_into().unwrap()).unwrap());
            steps.fold(position, |at, step| stepped(at, step).unwrap())
        };
        let legal: BTreeSet<Position> = plays.results().iter().map(|play| play.result.turned()).collect();
        assert_eq!(told.iter().map(results).collect::<BTreeSet<_>>(), legal, "{position:?} {roll:?}");
        let full = plays.move_lists().into_iter();
        let full: BTreeSet<Vec<(u8, u8)>> =
            full.map(|list| list.iter().map(|step| (step.from(), step.pips())).collect()).collect();
        assert!(full.is_subset(&told), "{position:?} {roll:?}: every order is there");
    }

    #[test]
    fn g5_to_g12_the_graph_tells_every_legal_play_in_every_order_and_no_other() {
        let mut positions = vec![Variant::Standard.start()];
        for depth in 0..3 {
            let mut after = Vec::new();
            for position in positions.iter().skip(depth).take(4) {
                for roll in Roll::ALL {
                    agrees(*position, roll);
                    let mut last = None;
                    Generator::new(*position).for_each(roll, |play| last = Some(play.result));
                    after.extend(last);
                }
            }
            positions = after;
        }
    }

    #[test]
    fn g8_g10_g11_on_the_bar_with_one_number_only_and_at_the_end() {
        // On the bar against five points; a race; the last two checkers.
        let mut on_bar = [0; 26];
        on_bar[usize::from(BAR)] = 1;
        (on_bar[6], on_bar[8]) = (10, 4);
        (20..=24).for_each(|point| on_bar[point] = -3);
        let on_bar = Position::from_board(&on_bar, 15).unwrap();
        let others = ["27sBAAAAAAAAAA", "AwAAwAEAAAAAAA", "4HPwATDgc/ABMA"];
        for position in others.map(|id| from_position_id(id, 15).unwrap()).into_iter().chain([on_bar]) {
            for roll in Roll::ALL {
                agrees(position, roll);
            }
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_page_can_carry_it() {
        let position = Variant::Standard.start();
        for roll in Roll::ALL {
            let graph = LegalPlays::new(position, roll).step_graph();
            let length = serde_json::to_string(&graph).unwrap().len();
            assert!(length < 40_000, "{roll:?}: {length}");
        }
    }
}
