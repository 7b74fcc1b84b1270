//! A second generator, as slow and as obvious as possible: boards of 26 numbers, every order of the dice,
//! every checker, and the rules one by one as the rulebook has them. It shares no code with the fast one.

use std::collections::BTreeSet;

/// The mover's checkers are positive, the other side's negative; 25 is the mover's bar, 0 the other's. The
/// second part is the number of the mover's checkers borne off.
pub type Board = ([i32; 26], i32);

/// Every result of `dice` (two numbers, or four equal ones), seen by the side that moved.
pub fn results(board: Board, dice: [u8; 2], strict_larger_die: bool) -> BTreeSet<Board> {
    results_by(&|board, from, die| moved(*board, from, die), board, dice, strict_larger_die)
}

/// The same for any kind of board. `moved` moves one checker: it takes the board, the point to leave and the
/// die.
pub fn results_by<B: Clone + Ord>(
    moved: &impl Fn(&B, usize, u8) -> Option<B>,
    board: B,
    dice: [u8; 2],
    strict_larger_die: bool,
) -> BTreeSet<B> {
    let [high, low] = dice;
    let orders: Vec<Vec<u8>> =
        if high == low { vec![vec![high; 4]] } else { vec![vec![high, low], vec![low, high]] };
    // Every way to play on until nothing can be moved, with the numbers used.
    let mut ways: BTreeSet<(Vec<u8>, B)> = BTreeSet::new();
    for order in &orders {
        let mut of_this_order = BTreeSet::new();
        play_on(moved, board.clone(), order, Vec::new(), &mut of_this_order);
        ways.extend(of_this_order);
    }
    // G8: as many numbers as possible.
    let most = ways.iter().map(|(used, _)| used.len()).max().unwrap();
    ways.retain(|(used, _)| used.len() == most);
    // G8: the larger of two that cannot both be played. G8a: or none.
    if most == 1 && high != low {
        if ways.iter().any(|(used, _)| used[0] == high) {
            ways.retain(|(used, _)| used[0] == high);
        } else if strict_larger_die {
            return BTreeSet::from([board]);
        }
    }
    ways.into_iter().map(|(_, board)| board).collect()
}

fn play_on<B: Clone + Ord>(
    moved: &impl Fn(&B, usize, u8) -> Option<B>,
    board: B,
    dice: &[u8],
    used: Vec<u8>,
    ways: &mut BTreeSet<(Vec<u8>, B)>,
) {
    // Every stage counts as a way for now; the longest are picked later. A stage seen before need not be
    // explored again.
    if !ways.insert((used.clone(), board.clone())) {
        return;
    }
    let Some((&die, rest)) = dice.split_first() else { return };
    for from in 1..=25 {
        if let Some(after) = moved(&board, from, die) {
            let used = used.iter().copied().chain([die]).collect();
            play_on(moved, after, rest, used, ways);
        }
    }
}

/// The board after one checker has moved; `None` if it may not.
fn moved((mut points, mut off): Board, from: usize, die: u8) -> Option<Board> {
    let die = usize::from(die);
    // G5: only one's own checkers move.
    if points[from] <= 0 {
        return None;
    }
    // G10: checkers on the bar come first.
    if points[25] > 0 && from != 25 {
        return None;
    }
    if die < from {
        let to = from - die;
        // G5: a point with two or more of the other side's checkers is blocked.
        if points[to] <= -2 {
            return None;
        }
        points[from] -= 1;
        // G9: a single checker is hit.
        if points[to] == -1 {
            points[to] = 0;
            points[0] -= 1;
        }
        points[to] += 1;
    } else {
        // G11: all must be home; then from the exact point, or from the highest.
        if (7..=25).any(|point| points[point] > 0) {
            return None;
        }
        if die > from && (from + 1..=6).any(|point| points[point] > 0) {
            return None;
        }
        points[from] -= 1;
        off += 1;
    }
    Some((points, off))
}
