//! Plakoto and Fevga a second time (V4), as obvious as possible. A board is 24 heaps of checkers, as the
//! mover counts, and checkers are lifted and laid down one by one. It shares no code with the engine, only
//! the handling of dice (G8) with the second generator of backgammon.

use std::collections::BTreeSet;

use super::slow::results_by;

/// The owner of a checker, relative to the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Man {
    Own,
    Other,
}

/// The heaps of the points 1 to 24, each from the bottom up (0 and 25 stay empty), and the number of the
/// mover's checkers off.
pub type Heaps = (Vec<Vec<Man>>, usize);

/// Every result of `dice` in Plakoto, seen by the side that moved.
pub fn plakoto(board: &Heaps, dice: [u8; 2], strict: bool) -> BTreeSet<Heaps> {
    results_by(&plakoto_moved, board.clone(), dice, strict)
}

/// Every result of `dice` in Fevga, seen by the side that moved.
pub fn fevga(board: &Heaps, dice: [u8; 2], strict: bool) -> BTreeSet<Heaps> {
    let results = results_by(&fevga_moved, board.clone(), dice, strict);
    let open: BTreeSet<Heaps> = results.iter().filter(|board| !walled_in(board)).cloned().collect();
    if open.is_empty() { results } else { open }
}

fn plakoto_moved(board: &Heaps, from: usize, die: u8) -> Option<Heaps> {
    let mut after = board.clone();
    // Only the top checker can be lifted, and only the mover's: a checker under another side's is pinned.
    if after.0[from].pop()? != Man::Own {
        return None;
    }
    lay_down(board, after, from, die, |heap| {
        heap.iter().filter(|man| **man == Man::Other).count() < 2 && {
            // One of the mover's at the bottom and the other side's on top: the pinning checker holds the
            // point.
            !(heap.first() == Some(&Man::Own) && heap.last() == Some(&Man::Other))
        }
    })
}

fn fevga_moved(board: &Heaps, from: usize, die: u8) -> Option<Heaps> {
    let mut after = board.clone();
    if after.0[from].pop()? != Man::Own {
        return None;
    }
    // The other side begins on the mover's 12. Until a checker is past it, only the foremost may move.
    let stands: Vec<usize> = (1..=24).filter(|point| board.0[*point].contains(&Man::Own)).collect();
    if board.1 == 0 && stands[0] >= 12 && from != stands[0] {
        return None;
    }
    let after = lay_down(board, after, from, die, |heap| !heap.contains(&Man::Other))?;
    // The mover may never hold all six points of its first quarter.
    let all_six = (19..=24).all(|point| after.0[point].contains(&Man::Own));
    if all_six && usize::from(die) < from && from - usize::from(die) >= 19 { None } else { Some(after) }
}

/// Lays the lifted checker down where the die takes it, if that heap accepts it, or bears it off (G11).
fn lay_down(
    before: &Heaps,
    mut after: Heaps,
    from: usize,
    die: u8,
    takes: impl Fn(&[Man]) -> bool,
) -> Option<Heaps> {
    let die = usize::from(die);
    if from > die {
        let heap = &mut after.0[from - die];
        if !takes(heap) {
            return None;
        }
        heap.push(Man::Own);
        return Some(after);
    }
    let stands = |point: usize| before.0[point].contains(&Man::Own);
    if (7..=24).any(stands) || (die > from && (from + 1..=6).any(stands)) {
        return None;
    }
    after.1 += 1;
    Some(after)
}

/// Whether all of the other side's checkers are on one point and the mover holds each of the six points in
/// front of it.
fn walled_in((heaps, _): &Heaps) -> bool {
    // The other side's way: from the mover's 12 down to 1, and from 24 down to 13.
    let way: Vec<usize> = (1..=12).rev().chain((13..=24).rev()).collect();
    let heap_of = |at: usize| &heaps[way[at]];
    let others: usize = heaps.iter().flatten().filter(|man| **man == Man::Other).count();
    let stands: Vec<usize> = (0..24).filter(|at| heap_of(*at).contains(&Man::Other)).collect();
    others == 15
        && stands.len() == 1
        && stands[0] + 6 < 24
        && (stands[0] + 1..=stands[0] + 6).all(|at| heap_of(at).contains(&Man::Own))
}

/// The same board as the other side counts it, with `off` of its checkers borne off.
pub fn turned((heaps, _): &Heaps, same_way: bool, off: usize) -> Heaps {
    let mut turned = vec![Vec::new(); 26];
    for (point, heap) in heaps.iter().enumerate().take(25).skip(1) {
        let across = if same_way { (point + 11) % 24 + 1 } else { 25 - point };
        let swap = |man: &Man| if *man == Man::Own { Man::Other } else { Man::Own };
        turned[across] = heap.iter().map(swap).collect();
    }
    (turned, off)
}
