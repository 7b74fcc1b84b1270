//! Which legal play written moves mean.
//!
//! The moves may come in any order, and one may stand for several dice: `24/14` is a 6 and a 4 with a stop on 18
//! or on 20. Every way to make them with the dice is tried, and what comes out must be the result of a legal
//! play. Where several do, the writer named no stop and one of them hits there: the one counts that hits as often as
//! is written, which is not at all for `24/14` without a star.

use super::Moved;
use super::on_board::OnBoard;
use super::read::MOST_MOVES;
use crate::dice::Roll;
use crate::generate::Generator;
use crate::play::Play;
use crate::position::{Place, Position};

/// Why moves mean no play.
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
    /// No legal play of the roll comes of them (G5 to G12).
    #[error("these moves are no legal play of the roll")]
    NotLegal,
    /// They fit two legal plays that hit different checkers on the way.
    #[error("these moves fit several legal plays: name the stop on the way that hits")]
    Ambiguous,
}

/// The legal play of `roll` that `moves` mean, by the common rules. No moves mean that nothing can be moved.
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
/// [`Unresolved`].
pub fn resolve(position: Position, roll: Roll, moves: &[Moved]) -> Result<Play, Unresolved> {
    resolve_by(&Generator::new(position), roll, moves)
}

/// As [`resolve`], among the plays that `generator` finds: so by its options too.
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
/// [`Unresolved`].
pub fn resolve_by(generator: &Generator, roll: Roll, moves: &[Moved]) -> Result<Play, Unresolved> {
    let start = OnBoard::new(generator.position());
    let ways = ways(start, roll, moves);
    let hits = |board: OnBoard| u32::from(board.others_hit().saturating_sub(start.others_hit()));
    let written = written_hits(start, moves);
    // By how many hits it differs from what is written, and whether others do so too.
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

/// How many checkers are hit as far as is written: those where moves end, whether there is a star or not, and one
/// for every other star.
fn written_hits(start: OnBoard, moves: &[Moved]) -> u32 {
    let hitting = moves.iter().filter(|moved| moved.hit || start.has_blot(moved.to));
    hitting.fold(0_u32, |places, moved| places | 1_u32.unbounded_shl(moved.to.into())).count_ones()
}

/// What can come of the moves made with the dice of `roll`, legal or not.
fn ways(start: OnBoard, roll: Roll, moves: &[Moved]) -> Vec<OnBoard> {
    let (high, low) = (roll.high().pips(), roll.low().pips());
    let dice: &[u8] = if roll.is_double() { &[high; 4] } else { &[high, low] };
    let mut ways = Ways { moves, found: Vec::new() };
    // Each move takes a die at least.
    if moves.len() <= dice.len() {
        let mut at = [0; MOST_MOVES];
        for (at, moved) in at.iter_mut().zip(moves) {
            *at = moved.from;
        }
        ways.go(start, at, dice);
    }
    ways.found
}

/// The search for ways to make moves: four steps deep at most, four checkers wide.
struct Ways<'m> {
    moves: &'m [Moved],
    found: Vec<OnBoard>,
}

impl Ways<'_> {
    /// Goes on from `board`, each move having come to its place in `at`, with `dice` left.
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

/// Each different die of those left, highest first, with what is left after it.
fn each_die(dice: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let [first, rest @ ..] = dice else { return [None, None].into_iter().flatten() };
    // Two different ones are the only ones.
    let other = rest.first().filter(|other| *other != first).map(|other| (*other, &dice[..1]));
    [Some((*first, rest)), other].into_iter().flatten()
}
