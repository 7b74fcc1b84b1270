//! Finds the legal play that written moves mean.
//!
//! The moves may be in any order, and one may stand for several dice: `24/14` is a 6 and a 4 with a stop on
//! 18 or on 20. All ways to make them with the dice are tried, and the outcome must be the result of a legal
//! play. If there are several such results, a stop was left out on which one of them hits. Then the play
//! counts whose number of hits is closest to what is written; for `24/14` without a star that is no hit.

use super::Moved;
use super::on_board::OnBoard;
use super::read::MOST_MOVES;
use crate::dice::Roll;
use crate::generate::Generator;
use crate::place::Place;
use crate::play::Play;
use crate::position::Position;

/// The reason why moves do not mean a play.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::notation::play::{Unresolved, parse, resolve};
///
/// let moves = parse("24/18")?;
/// let found = resolve(Variant::Standard.start(), "3-1".parse()?, &moves);
/// assert_eq!(found, Err(Unresolved::NotLegal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// The moves lead to no legal play of the roll (G5 to G12).
    #[error("these moves are not a legal play of the roll")]
    NotLegal,
    /// The moves fit two legal plays that hit different checkers on the way.
    #[error("these moves fit several legal plays: name the stop on the way that hits")]
    Ambiguous,
}

/// The legal play of `roll` that `moves` mean, by the common rules. No moves mean a lost turn.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::notation::play::{parse, resolve};
///
/// let start = Variant::Standard.start();
/// let play = resolve(start, "6-5".parse()?, &parse("24/13")?)?;
/// assert_eq!(format!("{:?}", play.steps), "[24/18, 18/13]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unresolved`] if there is no such play, or more than one.
pub fn resolve(position: Position, roll: Roll, moves: &[Moved]) -> Result<Play, Unresolved> {
    resolve_by(&Generator::new(position), roll, moves)
}

/// Like [`resolve`], but among the plays that `generator` finds, and so by its options.
///
/// ```
/// use owlbox_engine::notation::play::{parse, resolve_by};
/// use owlbox_engine::{Generator, Variant};
///
/// let generator = Generator::new(Variant::Standard.start()).strict_larger_die(true);
/// assert!(resolve_by(&generator, "3-1".parse()?, &parse("8/5 6/5")?).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unresolved`] if there is no such play, or more than one.
pub fn resolve_by(generator: &Generator, roll: Roll, moves: &[Moved]) -> Result<Play, Unresolved> {
    let start = OnBoard::new(generator.position());
    let ways = ways(start, roll, moves);
    let hits = |board: OnBoard| u32::from(board.others_hit().saturating_sub(start.others_hit()));
    let written = written_hits(start, moves);
    // The distance to the written number of hits, the play, and whether another play is equally close.
    let mut best: Option<(u32, Play, bool)> = None;
    generator.for_each(roll, |play| {
        let board = OnBoard::new(play.result.turned());
        if !ways.contains(&board) {
            return;
        }
        let off_by = hits(board).abs_diff(written);
        best = match best {
            Some((least, first, _)) if least == off_by => Some((least, first, true)),
            Some(better) if better.0 < off_by => Some(better),
            _ => Some((off_by, play, false)),
        };
    });
    match best {
        Some((_, play, false)) => Ok(play),
        Some((_, _, true)) => Err(Unresolved::Ambiguous),
        None => Err(Unresolved::NotLegal),
    }
}

/// The number of hits that the text implies: one for every move that ends on a blot, star or no star, and one
/// for every other star.
fn written_hits(start: OnBoard, moves: &[Moved]) -> u32 {
    let hitting = moves.iter().filter(|moved| moved.hit || start.has_blot(moved.to));
    hitting.fold(0_u32, |places, moved| places | 1_u32.unbounded_shl(moved.to.into())).count_ones()
}

/// All positions the moves can lead to with the dice of `roll`, legal or not.
fn ways(start: OnBoard, roll: Roll, moves: &[Moved]) -> Vec<OnBoard> {
    let (high, low) = (roll.high().pips(), roll.low().pips());
    let dice: &[u8] = if roll.is_double() { &[high; 4] } else { &[high, low] };
    let mut ways = Ways { moves, found: Vec::new() };
    // Each move takes at least one die.
    if moves.len() <= dice.len() {
        let mut at = [0; MOST_MOVES];
        for (at, moved) in at.iter_mut().zip(moves) {
            *at = moved.from;
        }
        ways.go(start, at, dice);
    }
    ways.found
}

/// The search for ways to make moves: at most four steps deep and four checkers wide.
struct Ways<'m> {
    moves: &'m [Moved],
    found: Vec<OnBoard>,
}

impl Ways<'_> {
    /// Continues from `board` with `dice` left. `at` holds the place each move has reached.
    fn go(&mut self, board: OnBoard, at: [Place; MOST_MOVES], dice: &[u8]) {
        let moves = self.moves;
        let mut arrived = true;
        for (number, (moved, from)) in
            moves.iter().zip(at).enumerate().filter(|(_, (moved, from))| *from > moved.to)
        {
            arrived = false;
            for (die, rest) in each_die(dice) {
                let to = from.saturating_sub(die);
                if let Some(board) = board.moved(from, to).filter(|_| to >= moved.to) {
                    let mut at = at;
                    at[number] = to;
                    self.go(board, at, rest);
                }
            }
        }
        if arrived && !self.found.contains(&board) {
            self.found.push(board);
        }
    }
}

/// Each distinct die of those left, highest first, with the dice left after it.
fn each_die(dice: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let [first, rest @ ..] = dice else { return [None, None].into_iter().flatten() };
    // If there are two different dice, there are no others.
    let other = rest.first().filter(|other| *other != first).map(|other| (*other, &dice[..1]));
    [Some((*first, rest)), other].into_iter().flatten()
}
