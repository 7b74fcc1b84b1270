//! `owlbox perft`: counts the positions some plies away. Two engines with the same counts generate the same
//! plays.

use std::io::Write;

use serde::Serialize;

use super::EngineError;
use crate::cli::args::Perft;
use crate::cli::progress::Progress;
use owlbox_engine::notation::gnu::position_id;
use owlbox_engine::{Generator, Position, Roll, perft as count};

/// The last line of the output.
#[derive(Serialize)]
struct Count<'a> {
    pos: &'a str,
    depth: u32,
    count: u64,
}

/// The count for one first roll, printed with `--divide`.
#[derive(Serialize)]
struct RollCount {
    roll: Roll,
    count: u64,
}

/// Counts positions: with `--divide` first one line for every roll, then one line for the total.
///
/// # Errors
/// [`EngineError::Position`], [`EngineError::Output`].
pub fn perft(asked: &Perft, mut output: impl Write) -> Result<(), EngineError> {
    let position = super::position(asked.pos.as_deref(), asked.variant, asked.checkers)?;
    let pos = asked.pos.clone().unwrap_or_else(|| position_id(position));
    let total = if asked.divide && asked.depth > 0 && !position.is_over() {
        let mut total = 0;
        for roll in Roll::ALL {
            let count = after_roll(position, roll, asked.depth);
            total += count;
            say(&mut output, &RollCount { roll, count })?;
        }
        total
    } else {
        let _progress = Progress::of("counting");
        count(position, asked.depth)
    };
    say(&mut output, &Count { pos: &pos, depth: asked.depth, count: total })
}

/// The number of positions `depth` plies away, at least one ply, if the first roll is `roll`.
fn after_roll(position: Position, roll: Roll, depth: u32) -> u64 {
    let mut total = 0;
    Generator::new(position).for_each(roll, |play| total += count(play.result, depth - 1));
    total
}

fn say(output: &mut impl Write, line: &impl Serialize) -> Result<(), EngineError> {
    let text = serde_json::to_string(line).map_err(std::io::Error::from)?;
    output.write_all(format!("{text}\n").as_bytes())?;
    Ok(output.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(pos: &str, depth: u32, divide: bool) -> Vec<String> {
        let mut output = Vec::new();
        let asked = Perft { pos: Some(pos.to_owned()), variant: None, depth, checkers: None, divide };
        perft(&asked, &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_start_has_its_numbers() {
        let start = "4HPwATDgc/ABMA";
        for (depth, count) in [(0, 1), (1, 447), (2, 202_782)] {
            let line = format!(r#"{{"pos":"{start}","depth":{depth},"count":{count}}}"#);
            assert_eq!(answered(start, depth, false), [line.as_str()]);
            assert_eq!(answered(start, depth, true).last(), Some(&line));
        }
        let divided = answered(start, 1, true);
        assert_eq!(divided.len(), 22);
        assert_eq!(divided[3], r#"{"roll":[3,1],"count":16}"#);
    }

    #[test]
    fn g13_nothing_follows_the_end() {
        let over = "AQAAAAAAAAAAAA";
        assert_eq!(answered(over, 1, true), [format!(r#"{{"pos":"{over}","depth":1,"count":0}}"#)]);
        let asked =
            Perft { pos: Some("x".to_owned()), variant: None, depth: 1, checkers: None, divide: false };
        assert!(matches!(perft(&asked, Vec::new()), Err(EngineError::Position(_))));
    }
}
