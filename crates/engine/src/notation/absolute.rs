//! One number per point, no matter who moves (K4). White moves up from 1 to 24 and has its home at 19 to 24;
//! Black moves down from 24 to 1 and has its home at 6 to 1.

use crate::colour::Colour;
use crate::place::{BAR, OFF, Place};

/// The number of the point that `colour` counts as `place`; `None` for the bar and off.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::notation::absolute::number;
///
/// assert_eq!(number(Colour::White, 6), Some(19));
/// assert_eq!(number(Colour::Black, 6), Some(6));
/// ```
#[must_use]
pub const fn number(colour: Colour, place: Place) -> Option<u8> {
    if place == OFF || place >= BAR {
        return None;
    }
    match colour {
        Colour::White => Some(BAR - place),
        Colour::Black => Some(place),
    }
}

/// The point with this number, as `colour` counts; `None` if the number is not 1 to 24.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::notation::absolute::place;
///
/// assert_eq!(place(Colour::White, 19), Some(6));
/// assert_eq!(place(Colour::White, 25), None);
/// ```
#[must_use]
pub const fn place(colour: Colour, point: u8) -> Option<Place> {
    // Counting from the other end is its own inverse.
    number(colour, point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Die, Roll};
    use crate::generate::Generator;
    use crate::notation::gnu::from_position_id;
    use crate::notation::play::{Moved, resolve, write};
    use crate::position::Position;

    #[test]
    fn k4_white_counts_up_to_home_at_24_and_black_down_to_home_at_1() {
        for point in 1..=24 {
            for colour in Colour::ALL {
                assert_eq!(place(colour, point).and_then(|place| number(colour, place)), Some(point));
            }
            assert_eq!(place(Colour::White, point), place(Colour::Black, 25 - point));
        }
        let home = |colour| (1..=6).map(|place| number(colour, place).unwrap()).collect::<Vec<_>>();
        assert_eq!(home(Colour::White), [24, 23, 22, 21, 20, 19]);
        assert_eq!(home(Colour::Black), [1, 2, 3, 4, 5, 6]);
        for nothing in [0, 25, 255] {
            assert_eq!((number(Colour::White, nothing), place(Colour::Black, nothing)), (None, None));
        }
    }

    /// The play of moves by number, 0 for off, in our notation.
    fn played(position: Position, colour: Colour, dice: [u8; 2], moves: &[(u8, u8)]) -> String {
        let place = |number| place(colour, number).unwrap_or(OFF);
        let moves: Vec<Moved> =
            moves.iter().map(|(from, to)| Moved { from: place(*from), to: place(*to), hit: false }).collect();
        let play =
            resolve(position, Roll::from(dice.map(|die| Die::try_from(die).unwrap())), &moves).unwrap();
        write(position, play.steps)
    }

    /// A board by White's numbers.
    fn white(checkers: &[(u8, i8)]) -> Position {
        let mut board = [0; 26];
        for (point, count) in checkers {
            board[usize::from(place(Colour::White, *point).unwrap())] = *count;
        }
        Position::from_board(&board, 15).unwrap()
    }

    #[test]
    fn x2_the_moves_of_the_servers_rules_are_the_plays_they_describe() {
        let after_move =
            white(&[(1, 2), (9, 3), (12, 4), (17, 3), (19, 3), (24, -2), (13, -5), (8, -3), (6, -5)]);
        assert_eq!(played(after_move, Colour::White, [6, 3], &[(9, 15), (1, 4)]), "24/21 16/10");
        let start = from_position_id("4HPwATDgc/ABMA", 15).unwrap();
        let fours = [(24, 20), (13, 9), (13, 9), (6, 2)];
        assert_eq!(played(start, Colour::Black, [4, 4], &fours), "24/20 13/9(2) 6/2");
        let blot = white(&[(1, 2), (15, 1), (17, 3), (19, -1), (24, -2)]);
        assert_eq!(played(blot, Colour::White, [3, 4], &[(17, 20), (15, 19)]), "10/6* 8/5");
    }

    #[test]
    fn x2_a_five_bears_off_from_20_and_sixes_from_20_then_21() {
        let home = white(&[(20, 2), (21, 2), (24, 1), (1, -2)]);
        assert_eq!(played(home, Colour::White, [5, 1], &[(20, 0), (20, 21)]), "5/4 5/off");
        let mut plays = Vec::new();
        Generator::new(home)
            .for_each(Roll::from([Die::ALL[5]; 2]), |play| plays.push(write(home, play.steps)));
        assert_eq!(plays, ["5/off(2) 4/off(2)"]);
    }
}
