//! Plakoto and Fevga a second time (V4), as obvious as can be: a board is 24 heaps of checkers, as the side that moves counts,
//! and one checker after another is lifted and laid down. It shares no code with the engine but the asking about dice (G8) with
//! the second generator of backgammon.

use std::collections::BTreeSet;

use super::slow::results_by;

/// Whose a checker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Man {
    Own,
    Other,
}

/// The heaps of the points 1 to 24, each from the wood up (0 and 25 stay empty), and how many of one's own are borne off.
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
    // Only the topmost can be lifted, and only if it is one's own: who lies under another's is pinned.
    if after.0[from].pop()? != Man::Own {
        return None;
    }
    lay_down(board, after, from, die, |heap| {
        heap.iter().filter(|man| **man == Man::Other).count() < 2 && {
            // One's own at the bottom under another's: a place held by one who pins.
            !(heap.first() == Some(&Man::Own) && heap.last() == Some(&Man::Other))
        }
    })
}

fn fevga_moved(board: &Heaps, from: usize, die: u8) -> Option<Heaps> {
    let mut after = board.clone();
    if after.0[from].pop()? != Man::Own {
        return None;
    }
    // The other begins on one's own 12. Until somebody is beyond it, only the foremost moves.
    let stands: Vec<usize> = (1..=24).filter(|point| board.0[*point].contains(&Man::Own)).collect();
    if board.1 == 0 && stands[0] >= 12 && from != stands[0] {
        return None;
    }
    let after = lay_down(board, after, from, die, |heap| !heap.contains(&Man::Other))?;
    // Never all six of one's own first quarter.
    let all_six = (19..=24).all(|point| after.0[point].contains(&Man::Own));
    if all_six && usize::from(die) < from && from - usize::from(die) >= 19 { None } else { Some(after) }
}

/// Lays the checker that was lifted from `from` where the die says, if that heap takes it, or bears it off (G11).
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

/// Whether all of the other's checkers stand on one point, and each of the six that it would come to is one's own.
fn walled_in((heaps, _): &Heaps) -> bool {
    // The other's way: from one's own 12 down to 1, and from 24 down to 13.
    let way: Vec<usize> = (1..=12).rev().chain((13..=24).rev()).collect();
    let heap_of = |at: usize| &heaps[way[at]];
    let others: usize = heaps.iter().flatten().filter(|man| **man == Man::Other).count();
    let stands: Vec<usize> = (0..24).filter(|at| heap_of(*at).contains(&Man::Other)).collect();
    others == 15
        && stands.len() == 1
        && stands[0] + 6 < 24
        && (stands[0] + 1..=stands[0] + 6).all(|at| heap_of(at).contains(&Man::Own))
}

/// The same board as the other side counts it, with so many of its checkers borne off.
pub fn turned((heaps, _): &Heaps, same_way: bool, off: usize) -> Heaps {
    let mut turned = vec![Vec::new(); 26];
    for (point, heap) in heaps.iter().enumerate().take(25).skip(1) {
        let across = if same_way { (point + 11) % 24 + 1 } else { 25 - point };
        let swap = |man: &Man| if *man == Man::Own { Man::Other } else { Man::Own };
        turned[across] = heap.iter().map(swap).collect();
    }
    (turned, off)
}
