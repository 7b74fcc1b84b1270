//! `owlbox opening` and `owlbox shots`: what a player looks up (K2, K3).

use super::written;
use crate::cli::args::Opening;
use crate::engine::tables::opening::{is_reply_only, recommended};
use crate::engine::tables::shots::rolls_that_reach;
use crate::engine::{Colour, Roll, Variant};

/// The furthest that a roll can bring one checker: 6-6.
const FURTHEST: u8 = 24;

/// The recommended plays of one roll, or of all: a line each. Those of equal numbers, which cannot open, are for the second
/// side's first turn.
#[must_use]
pub fn opening(asked: &Opening) -> String {
    let start = Variant::Standard.start();
    let line = |roll: Roll| {
        let plays: Vec<String> = recommended(roll)
            .iter()
            .map(|steps| written(asked.names.notation, Colour::White, start, *steps))
            .collect();
        let note = if is_reply_only(roll) { "   (second side only)" } else { "" };
        format!("{}-{}: {}{note}", roll.high().pips(), roll.low().pips(), plays.join(" or "))
    };
    let asked = |roll: &Roll| asked.roll.is_none_or(|one| one == *roll);
    Roll::ALL.into_iter().filter(asked).map(line).collect::<Vec<_>>().join("\n")
}

/// How many of the 36 rolls reach a point so many pips away on an empty board, and in per cent.
#[must_use]
pub fn shots() -> String {
    let line = |pips: u8| {
        let rolls = rolls_that_reach(pips);
        (rolls.out_of_36() > 0)
            .then(|| format!("{pips:>4} away: {:>2} of 36, {:>2} %", rolls.out_of_36(), rolls.percent()))
    };
    (1..=FURTHEST).filter_map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Names;
    use crate::engine::Die;

    #[test]
    fn k2_every_roll_has_its_line_and_two_one_has_two_plays() {
        let all = opening(&Opening { roll: None, names: Names::default() });
        assert_eq!(all.lines().count(), 21);
        let roll = Roll::new(Die::ALL[1], Die::ALL[0]);
        assert_eq!(
            opening(&Opening { roll: Some(roll), names: Names::default() }),
            "2-1: 24/21 or 13/11 6/5"
        );
        assert!(all.contains("3-1: 8/5 6/5\n") && all.ends_with("(second side only)"), "{all}");
    }

    #[test]
    fn k3_the_row_that_everybody_learns() {
        let text = shots();
        let of_36: Vec<u32> = text
            .lines()
            .take(12)
            .map(|line| line.split("away: ").nth(1).unwrap()[..2].trim().parse().unwrap())
            .collect();
        assert_eq!(of_36, [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]);
        assert_eq!(text.lines().count(), 17, "15, 16, 18, 20 and 24 besides: {text}");
    }
}
