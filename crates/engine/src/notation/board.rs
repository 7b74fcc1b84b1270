//! Draws a position as text, in the style of GNU Backgammon.
//!
//! The player at the bottom is X, whose numbering is shown; O moves the other way. Next to the board are
//! pips, checkers off and, given a [`MatchState`], score, dice and cube. From the sixth checker on, a stack
//! shows its size. Checkers on the bar are in the half where they enter. A pinned checker (V4) is at the edge
//! as x or o, under the ones that pin it. In Fevga, O's numbering is half a lap away from the one shown.

use super::state::{MatchState, Seat};
use crate::cube::{Cube, Owner};
use crate::position::{Checkers, Position};
use crate::result::Win;

/// The rows of checkers in each half.
const ROWS: usize = 5;
const TOP: &str = " +13-14-15-16-17-18------19-20-21-22-23-24-+";
const BOTTOM: &str = " +12-11-10--9--8--7-------6--5--4--3--2--1-+";
const MIDDLE: &str = " |                  |BAR|                  |";

/// The position as lines of text, each with its line break. Without a state, the side about to move is X at
/// the bottom; once the game [is over](Position::is_over), no side is said to move.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::notation::board::draw;
///
/// let drawn = draw(Variant::Standard.start(), None);
/// assert!(drawn.starts_with(" +13-14-15-16-17-18------19-20-21-22-23-24-+  O: 167 pips, 0 off"));
/// ```
#[must_use]
pub fn draw(position: Position, state: Option<&MatchState>) -> String {
    let on_roll = state.map_or(Seat::Bottom, |state| state.on_roll);
    let from_bottom = if on_roll == Seat::Bottom { position } else { position.turned() };
    let (board, top, bottom) = (stacks(from_bottom), from_bottom.other(), from_bottom.mover());
    let mut lines = vec![beside(TOP, &checkers("O", top))];
    let on_turn = |seat| match state {
        None if position.is_over() => String::new(),
        _ => turn(seat, on_roll, state),
    };
    let notes = [score(Seat::Top, state), on_turn(Seat::Top)];
    for row in 0..ROWS {
        lines.push(beside(&line(&board, [13, 19], 25, row), notes.get(row).map_or("", String::as_str)));
    }
    lines.push(beside(MIDDLE, &state.map_or_else(String::new, |state| cube(&state.cube))));
    let notes = [score(Seat::Bottom, state), on_turn(Seat::Bottom)];
    for row in (0..ROWS).rev() {
        lines.push(beside(&line(&board, [7, 1], 0, row), notes.get(row).map_or("", String::as_str)));
    }
    lines.push(beside(BOTTOM, &checkers("X", bottom)));
    lines.extend(state.map(|state| beside("", &rules(state))));
    lines.concat()
}

/// The checkers in a slot of the board.
#[derive(Clone, Copy)]
struct Stack {
    /// The number of checkers, positive for X. If one is pinned, the number of those that pin it.
    count: i8,
    /// Whether they pin a checker of the other side.
    pins: bool,
}

/// The stacks on the board, as X counts.
fn stacks(position: Position) -> [Stack; 26] {
    let mut stacks = position.board().map(|count| Stack { count, pins: false });
    let (mover, other) = (position.mover(), position.other());
    for point in mover.pins().chain(other.pins().map(|point| position.across(point))) {
        stacks[usize::from(point)].pins = true;
    }
    stacks
}

/// A line of the board with a note beside it.
fn beside(board: &str, note: &str) -> String {
    format!("{}\n", format!("{board}  {note}").trim_end())
}

/// One row of both quadrants of a half; `row` counts from the edge. A quadrant is given by its lowest point.
/// In the upper half, where slot 25 is the bar, points rise to the right.
fn line(board: &[Stack; 26], quadrants: [usize; 2], bar: usize, row: usize) -> String {
    let [left, right] = quadrants.map(|lowest| {
        let points = (0..6).map(|number| board[if bar > 0 { lowest + number } else { lowest + 5 - number }]);
        points.map(|stack| cell(stack, row)).collect::<String>()
    });
    // Checkers on the bar are stacked from the middle.
    format!(" |{left}|{}|{right}|", cell(board[bar], ROWS - 1 - row))
}

/// A slot's part of a row.
fn cell(Stack { count, pins }: Stack, row: usize) -> String {
    let letters = if count > 0 { ["X", "o"] } else { ["O", "x"] };
    let letter = letters[usize::from(pins && row == 0)];
    match usize::from(count.unsigned_abs()) + usize::from(pins) {
        more if more > ROWS && row == ROWS - 1 => format!("{:>2} ", count.unsigned_abs()),
        some if some > row => format!(" {letter} "),
        _ => "   ".to_owned(),
    }
}

fn checkers(letter: &str, checkers: Checkers) -> String {
    format!("{letter}: {} pips, {} off", checkers.pips(), checkers.off())
}

fn score(seat: Seat, state: Option<&MatchState>) -> String {
    match state.map(|state| state.score_of(seat)) {
        Some(1) => "1 point".to_owned(),
        Some(points) => format!("{points} points"),
        None => String::new(),
    }
}

/// The note about the turn at this seat.
fn turn(seat: Seat, on_roll: Seat, state: Option<&MatchState>) -> String {
    let told = match state {
        Some(state) if seat != on_roll => return answer(seat, state).to_owned(),
        _ if seat != on_roll => "",
        None => "to move",
        Some(MatchState { resigned: Some(Win::Single), .. }) => "offers to resign",
        Some(MatchState { resigned: Some(Win::Gammon), .. }) => "offers to resign a gammon",
        Some(MatchState { resigned: Some(Win::Backgammon), .. }) => "offers to resign a backgammon",
        Some(MatchState { double_offered: true, .. }) => "doubles",
        Some(MatchState { dice: Some(roll), .. }) => return format!("rolled {roll}"),
        Some(_) => "to roll",
    };
    told.to_owned()
}

/// The note about an answer the seat that is not on roll has to give.
fn answer(seat: Seat, state: &MatchState) -> &'static str {
    if state.turn == seat && (state.double_offered || state.resigned.is_some()) { "to answer" } else { "" }
}

fn cube(cube: &Cube<Seat>) -> String {
    let owner = match cube.owner {
        Owner::Centred => "in the middle",
        Owner::Owned(Seat::Top) => "with O",
        Owner::Owned(Seat::Bottom) => "with X",
    };
    format!("cube {} {owner}", cube.value)
}

/// The line about the kind of game and its options.
fn rules(state: &MatchState) -> String {
    let (game, options) = match state.length {
        0 => ("money game".to_owned(), [(state.jacoby, ", Jacoby"), (state.beavers, ", beavers")]),
        length => (format!("{length}-point match"), [(state.crawford, ", Crawford game"), (false, "")]),
    };
    options.iter().filter(|(on, _)| *on).fold(game, |told, (_, option)| told + option)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::gnu::{from_match_id, from_position_id};
    use crate::notation::xgid::Xgid;

    #[test]
    fn the_start_is_drawn() {
        let start = from_position_id("4HPwATDgc/ABMA", 15).unwrap();
        let drawn = "
 +13-14-15-16-17-18------19-20-21-22-23-24-+  O: 167 pips, 0 off
 | X           O    |   | O              X |
 | X           O    |   | O              X |
 | X           O    |   | O                |
 | X                |   | O                |
 | X                |   | O                |
 |                  |BAR|                  |
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X                |
 | O           X    |   | X              O |  to move
 | O           X    |   | X              O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+  X: 167 pips, 0 off
";
        assert_eq!(draw(start, None), drawn[1..]);
    }

    #[test]
    fn g19_c11_bars_stacks_and_the_cube_are_drawn() {
        let xgid = Xgid::read("XGID=ba-GA---------k----------A:1:1:-1:31:3:1:0:11:10", 15).unwrap();
        let drawn = "
 +13-14-15-16-17-18------19-20-21-22-23-24-+  O: 195 pips, 1 off
 |    O             |   |                  |  1 point
 |    O             |   |                  |  rolled 3-1
 |    O             |   |                  |
 |    O             |   |                  |
 |   11             | X |                  |
 |                  |BAR|                  |  cube 2 with X
 |                  | O |          7       |
 |                  | O |          X       |
 |                  |   |          X       |
 |                  |   |          X       |
 |                  |   |       X  X     O |  3 points
 +12-11-10--9--8--7-------6--5--4--3--2--1-+  X: 50 pips, 6 off
  11-point match
";
        assert_eq!(draw(xgid.position, Some(&xgid.state)), drawn[1..]);
    }

    #[test]
    fn whatever_is_on_is_told() {
        let start = from_position_id("4HPwATDgc/ABMA", 15).unwrap();
        for (id, told) in [
            ("cBGgAAAAAAAE", ["to answer", "doubles", "5-point match\n"]),
            ("cIkFAAAAAAAA", ["rolled 3-1", "cube 1 in the middle", "money game, Jacoby\n"]),
            ("8AkgAYAAIAAE", ["8 points", "4 points", "9-point match, Crawford game\n"]),
            ("AwEAAAAAAAAE", ["cube 8 with O", "to roll", "money game\n"]),
        ] {
            let drawn = draw(start, Some(&from_match_id(id).unwrap()));
            assert!(told.iter().all(|told| drawn.contains(told)), "{drawn}");
        }
    }

    proptest! {
        #[test]
        fn every_line_of_the_board_is_as_wide(id in "[A-Za-z0-9+/]{14}") {
            if let Ok(position) = from_position_id(&id, 15) {
                let drawn = draw(position, None);
                prop_assert_eq!(drawn.lines().count(), 13);
                prop_assert!(drawn.lines().all(|line| line.chars().nth(43).is_some_and(|edge| "|+".contains(edge))));
            }
        }
    }
}
