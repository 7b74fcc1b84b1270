//! A second generator, as slow and as obvious as can be: boards of 26 numbers, every order of the dice, every
//! checker, and the rules one after another as the rulebook has them. It shares no code with the fast one.

use std::collections::BTreeSet;

/// Own checkers above zero, the other side's below; 25 the own bar, 0 the other's. With them, how many have been
/// borne off.
pub type Board = ([i32; 26], i32);

/// Every result of `dice` (two numbers, or four equal ones), seen by the side that moved.
pub fn results(board: Board, dice: [u8; 2], strict_larger_die: bool) -> BTreeSet<Board> {
    results_by(&|board, from, die| moved(*board, from, die), board, dice, strict_larger_die)
}

/// The same, where one checker moves as `moved` says: the board, from where, by which die.
pub fn results_by<B: Clone + Ord>(
    moved: &impl Fn(&B, usize, u8) -> Option<B>,
    board: B,
    dice: [u8; 2],
    strict_larger_die: bool,
) -> BTreeSet<B> {
    let [high, low] = dice;
    let orders: Vec<Vec<u8>> =
        if high == low { vec![vec![high; 4]] } else { vec![vec![high, low], vec![low, high]] };
    // Every way to go on until nothing can be moved, with the numbers it used.
    let mut ways: BTreeSet<(Vec<u8>, B)> = BTreeSet::new();
    for order in &orders {
        let mut of_this_order = BTreeSet::new();
        play_on(moved, board.clone(), order, Vec::new(), &mut of_this_order);
        ways.extend(of_this_order);
    }
    // G8: as many as possible.
    let most = ways.iter().map(|(used, _)| used.len()).max().unwrap();
    ways.retain(|(used, _)| used.len() == most);
    // G8: of two that cannot both be played, the larger. G8a: or none.
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
    // Wherever one stops counts for now. What has been gone through before need not be again.
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

/// The board after one checker has moved, if it may.
fn moved((mut points, mut off): Board, from: usize, die: u8) -> Option<Board> {
    let die = usize::from(die);
    // G5: one's own checkers only.
    if points[from] <= 0 {
        return None;
    }
    // G10: those on the bar first.
    if points[25] > 0 && from != 25 {
        return None;
    }
    if die < from {
        let to = from - die;
        // G5: not where two or more of the others stand.
        if points[to] <= -2 {
            return None;
        }
        points[from] -= 1;
        // G9: a single one is hit.
        if points[to] == -1 {
            points[to] = 0;
            points[0] -= 1;
        }
        points[to] += 1;
    } else {
        // G11: all home; the exact point, or the highest.
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
