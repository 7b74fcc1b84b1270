//! Writes plays, each in one way.

use super::on_board::OnBoard;
use crate::play::{Step, Steps};
use crate::position::{BAR, OFF, Place, Position};

/// The play in standard notation, as `24/18*/16 8/5(2)`: what one checker does is one chain, from the highest start
/// down; equal chains once with their number; a stop only where it hits and nothing else tells of that hit. The
/// empty text if nothing is moved.
///
/// It depends on which steps are made, not on their order. [`resolve`](super::resolve()) finds the play again.
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
    // Each hit is told once, where a chain ends rather than on the way.
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

/// The play as match files have it, as `24/18 18/16*`: one move a die, the higher first if it can be played first, the
/// bar as 25 and off as 0, a star after each step that hits. The empty text if nothing is moved.
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

/// The steps with the higher die first, if they can be made so.
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

/// What each checker does, as all the places where it comes by, from the highest start down, and how many do the same.
pub(in crate::notation) fn chains(steps: Steps) -> Vec<(Vec<Place>, usize)> {
    let mut steps: Vec<Step> = steps.iter().collect();
    // Checkers only go down: from the highest step on, a checker's later steps come later.
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

/// A place's name.
fn name(place: Place) -> String {
    match place {
        BAR => "bar".to_owned(),
        OFF => "off".to_owned(),
        point => point.to_string(),
    }
}
