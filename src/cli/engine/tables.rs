//! `owlbox opening` and `owlbox shots`: tables that players look up (K2, K3).

use super::{EngineError, checkers, of_game, written};
use crate::cli::args::{Opening, Shots};
use owlbox_engine::notation::gnu::from_position_id;
use owlbox_engine::tables::opening::{TODAY_BY, is_reply_only, recommended, today};
use owlbox_engine::tables::shots::{self, Rolls, rolls_that_reach};
use owlbox_engine::{Colour, Movement, Position, Roll, Steps, Variant};

/// The most pips that one roll can move one checker: 6-6.
const FURTHEST: u8 = 24;

/// The plays of one roll, or of all, one line each: as the rules in the game box print them, and today's.
/// Doubles cannot open a game; they are for the second side's first turn.
#[must_use]
pub fn opening(asked: &Opening) -> String {
    let start = Variant::Standard.start();
    let plays = |plays: &[Steps]| {
        let written = |steps: &Steps| written(asked.names.notation, Colour::White, start, *steps);
        plays.iter().map(written).collect::<Vec<_>>().join(" or ")
    };
    let line = |roll: Roll| {
        let note = if is_reply_only(roll) { "   (second side only)" } else { "" };
        let dice = format!("{}-{}", roll.high().pips(), roll.low().pips());
        format!("{dice}: {}   today: {}{note}", plays(recommended(roll)), plays(today(roll)))
    };
    let sources = format!("As the rules in the game box print them (K2); today: {TODAY_BY}, for money.");
    let asked = |roll: &Roll| asked.roll.is_none_or(|one| one == *roll);
    let lines = Roll::ALL.into_iter().filter(asked).map(line);
    std::iter::once(sources).chain(lines).collect::<Vec<_>>().join("\n")
}

/// The number of the 36 rolls that hit each blot of a position or, without a position, that reach a point so
/// many pips away on an empty board.
///
/// # Errors
/// There is no such position, or it is of a variant in which nobody is hit.
pub fn shots(asked: &Shots) -> Result<String, EngineError> {
    let Some(id) = &asked.pos else { return Ok(on_an_empty_board()) };
    let position = from_position_id(id, checkers(asked.variant, asked.checkers));
    let position = of_game(position.map_err(super::NoPosition::from)?, asked.variant)?;
    match position.movement() {
        Movement::Backgammon => Ok(in_a_position(position)),
        Movement::Plakoto | Movement::Fevga => Err(EngineError::NoHits),
    }
}

fn on_an_empty_board() -> String {
    let line = |pips: u8| {
        let rolls = rolls_that_reach(pips);
        (rolls.out_of_36() > 0).then(|| format!("{pips:>4} away: {}", chance(rolls)))
    };
    (1..=FURTHEST).filter_map(line).collect::<Vec<_>>().join("\n")
}

fn in_a_position(position: Position) -> String {
    let mut blots: Vec<_> = position.turned().blots().map(|blot| position.across(blot)).collect();
    blots.sort_unstable();
    let line = |(name, rolls): (String, Rolls)| {
        let each: Vec<_> =
            rolls.iter().map(|roll| format!("{}-{}", roll.high().pips(), roll.low().pips())).collect();
        format!("{name:>9}: {}  {}", chance(rolls), each.join(" ")).trim_end().to_owned()
    };
    let mut lines: Vec<_> =
        blots.iter().map(|blot| line((format!("{blot} point"), shots::shots(position, *blot)))).collect();
    match lines.len() {
        0 => return "there is no blot".to_owned(),
        1 => {}
        _ => lines.push(line(("any".to_owned(), shots::shots_at_any(position)))),
    }
    lines.join("\n")
}

fn chance(rolls: Rolls) -> String {
    format!("{:>2} of 36, {:>2} %", rolls.out_of_36(), rolls.percent())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Names;
    use owlbox_engine::Die;

    #[test]
    fn k2_f15_every_roll_has_its_line_with_the_printed_plays_and_today_s_and_their_sources() {
        const SOURCES: &str = "As the rules in the game box print them (K2); today: GNU Backgammon 1.07.001, 3-ply, for money.\n";
        let all = opening(&Opening { roll: None, names: Names::default() });
        assert_eq!(all.lines().count(), 22);
        let roll = Roll::new(Die::ALL[1], Die::ALL[0]);
        let two_one = "2-1: 24/21 or 13/11 6/5   today: 24/23 13/11 or 13/11 6/5";
        assert_eq!(
            opening(&Opening { roll: Some(roll), names: Names::default() }),
            format!("{SOURCES}{two_one}")
        );
        assert!(all.starts_with(SOURCES) && all.contains(&format!("\n{two_one}\n")), "{all}");
        assert!(all.contains("\n3-1: 8/5 6/5   today: 8/5 6/5\n"), "{all}");
        assert!(all.ends_with("today: 24/18(2) 13/7(2)   (second side only)"), "{all}");
    }

    #[test]
    fn k3_the_row_that_everybody_learns() {
        let text = shots(&Shots::default()).unwrap();
        let of_36: Vec<u32> = text
            .lines()
            .take(12)
            .map(|line| line.split("away: ").nth(1).unwrap()[..2].trim().parse().unwrap())
            .collect();
        assert_eq!(of_36, [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]);
        assert_eq!(text.lines().count(), 17, "15, 16, 18, 20 and 24 besides: {text}");
    }

    /// The start after the play 24/23: its blots are on the 1 and 2 points of the side that rolls now.
    #[test]
    fn k3_g9_in_a_position_every_blot_has_its_rolls() {
        let asked = |pos: &str| Shots { pos: Some(pos.to_owned()), ..Shots::default() };
        let mut board = [0; 26];
        (board[6], board[8], board[13], board[24]) = (5, 3, 5, 2);
        (board[1], board[2], board[12], board[17], board[19]) = (-1, -1, -5, -3, -5);
        let split = Position::from_board(&board, 15).unwrap();
        let text = shots(&asked(&owlbox_engine::notation::gnu::position_id(split))).unwrap();
        let lines: Vec<_> =
            text.lines().map(|line| line.split("  ").find(|part| part.contains("of 36")).unwrap()).collect();
        assert!(text.starts_with("  1 point: 22 of 36, 61 %  3-2 3-3 4-1"), "{text}");
        assert!(lines[1].ends_with("27 of 36, 75 %") && lines[2].ends_with("34 of 36, 94 %"), "{text}");
        assert_eq!(shots(&asked("4HPwATDgc/ABMA")).unwrap(), "there is no blot");
        let plakoto = owlbox_engine::notation::gnu::position_id(Variant::Plakoto.start());
        assert!(matches!(shots(&asked(&plakoto)), Err(EngineError::NoHits)));
        assert!(matches!(shots(&asked("nothing")), Err(EngineError::Position(_))));
    }
}
