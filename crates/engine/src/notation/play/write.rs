//! Writes plays, each in exactly one way.

use super::on_board::OnBoard;
use crate::place::{BAR, OFF, Place};
use crate::play::{Step, Steps};
use crate::position::Position;

/// The play in standard notation, such as `24/18*/16 8/5(2)`. Each checker is one chain, from the highest
/// start down. Equal chains are written once, with their number. A stop is named only if it hits and nothing
/// else shows that hit. Empty if nothing is moved.
///
/// The text depends on the steps, not on their order. [`resolve`](super::resolve()) finds the play again.
///
/// ```
/// use owlbox_engine::notation::play::write;
/// use owlbox_engine::{Die, Step, Steps, Variant};
///
/// let steps = [(24, Die::SIX), (18, Die::FIVE)].map(|(from, die)| Step::new(from, die).unwrap());
/// let steps = Steps::new(&steps).unwrap();
/// assert_eq!(write(Variant::Standard.start(), steps), "24/13");
/// ```
#[must_use]
pub fn write(position: Position, steps: Steps) -> String {
    let start = OnBoard::new(position);
    let chains = chains(steps);
    // Each hit is written once, preferably at the end of a chain.
    let mut untold: Vec<Place> = steps.iter().map(Step::to).filter(|to| start.has_blot(*to)).collect();
    let ends_at = |stop: Place| chains.iter().any(|(chain, _)| chain.last() == Some(&stop));
    let mut written: Vec<String> = Vec::new();
    for (chain, times) in &chains {
        let mut text = String::new();
        for (number, place) in chain.iter().enumerate() {
            let (first, last) = (number == 0, number + 1 == chain.len());
            let hits = !first && (last || !ends_at(*place)) && untold.contains(place);
            if first || last || hits {
                text += if first { "" } else { "/" };
                text += &name(*place);
            }
            if hits {
                text += "*";
                untold.retain(|told| told != place);
            }
        }
        if *times > 1 {
            text += &format!("({times})");
        }
        written.push(text);
    }
    written.join(" ")
}

/// The play as match files write it, such as `24/18 18/16*`: one move per die, the higher die first if that
/// is possible, the bar as 25 and off as 0, with a star after each step that hits. Empty if nothing is moved.
///
/// ```
/// use owlbox_engine::notation::play::write_by_die;
/// use owlbox_engine::{Die, Step, Steps, Variant};
///
/// let steps = [(24, Die::SIX), (18, Die::FIVE)].map(|(from, die)| Step::new(from, die).unwrap());
/// let steps = Steps::new(&steps).unwrap();
/// assert_eq!(write_by_die(Variant::Standard.start(), steps), "24/18 18/13");
/// ```
#[must_use]
pub fn write_by_die(position: Position, steps: Steps) -> String {
    let mut board = OnBoard::new(position);
    let mut written = Vec::new();
    for step in higher_die_first(board, steps) {
        let star = if board.has_blot(step.to()) { "*" } else { "" };
        written.push(format!("{}/{}{star}", step.from(), step.to()));
        board = board.moved(step.from(), step.to()).unwrap_or(board);
    }
    written.join(" ")
}

/// The steps with the higher die first, if they can be made in that order.
fn higher_die_first(board: OnBoard, steps: Steps) -> Vec<Step> {
    let mut steps: Vec<Step> = steps.iter().collect();
    if let [first, second] = steps[..]
        && first.pips() < second.pips()
        && board.stepped(second).is_some_and(|board| board.stepped(first).is_some())
    {
        steps.swap(0, 1);
    }
    steps
}

/// The chain of places each checker visits, from the highest start down, and how many checkers do the same.
pub(in crate::notation) fn chains(steps: Steps) -> Vec<(Vec<Place>, usize)> {
    let mut steps: Vec<Step> = steps.iter().collect();
    // Checkers only move down, so in this order each checker's later steps come after its earlier ones.
    steps.sort_by_key(|step| std::cmp::Reverse((step.from(), step.to())));
    let mut chains: Vec<Vec<Place>> = Vec::new();
    for step in steps {
        match chains.iter_mut().find(|chain| chain.last() == Some(&step.from())) {
            Some(chain) => chain.push(step.to()),
            None => chains.push(vec![step.from(), step.to()]),
        }
    }
    chains.sort_by(|one, other| other.cmp(one));
    let mut counted: Vec<(Vec<Place>, usize)> = Vec::new();
    for chain in chains {
        match counted.last_mut().filter(|(last, _)| *last == chain) {
            Some((_, times)) => *times += 1,
            None => counted.push((chain, 1)),
        }
    }
    counted
}

/// The word for a place.
fn name(place: Place) -> String {
    match place {
        BAR => "bar".to_owned(),
        OFF => "off".to_owned(),
        point => point.to_string(),
    }
}
