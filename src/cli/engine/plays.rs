//! `owlbox plays`: the legal plays of rolls (G5 to G12), one line of JSON in and one out.

use std::io::{BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};

use super::{EngineError, NoPosition, position, written};
use crate::cli::args::Plays;
use owlbox_engine::notation::gnu::position_id;
use owlbox_engine::{Colour, Generator, Roll, Variant};

/// The longest line accepted, in bytes, without its line break.
pub const LONGEST_LINE: usize = 64 * 1024;

/// One line of input. Unknown keys are ignored, so that people can keep notes in it.
#[derive(Deserialize)]
struct Question {
    /// The GNU position ID, with the side on roll to play. Without it, the start of the variant.
    pos: Option<String>,
    roll: Roll,
    /// The variant; without it the one of the command line.
    variant: Option<Variant>,
    /// The number of checkers a side, if it differs from the variant's.
    checkers: Option<u8>,
    /// Whether G8a applies: if only one die can be played it must be the larger.
    #[serde(default)]
    strict_larger_die: bool,
}

/// One line of output. `plays[i]` is one way to reach `legal[i]`.
#[derive(Serialize)]
struct PlaysLine {
    pos: String,
    roll: Roll,
    /// The position IDs of all results, with the other side on roll, sorted.
    legal: Vec<String>,
    /// In the notation of [`Plays::names`]. The empty text if nothing can be moved.
    plays: Vec<String>,
}

/// The output for a line that cannot be answered.
#[derive(Serialize)]
struct Broken {
    /// The line's number in the input, from 1.
    line: u64,
    error: String,
}

/// Why a line cannot be answered.
#[derive(Debug, thiserror::Error)]
enum CannotAnswer {
    #[error("the line is longer than {LONGEST_LINE} bytes")]
    TooLong,
    #[error("{0}")]
    Json(String),
    #[error("pos: {0}")]
    Position(#[from] NoPosition),
    #[error("pos: the game is over")]
    Over,
}

/// Answers every line of `input` on `output` before it reads the next. Empty lines are skipped.
///
/// # Errors
/// [`EngineError::Lines`] at the end, if some lines could not be answered; [`EngineError::Input`],
/// [`EngineError::Output`].
pub fn plays(options: Plays, mut input: impl BufRead, mut output: impl Write) -> Result<(), EngineError> {
    let (mut number, mut broken) = (0, 0);
    let mut line = Vec::new();
    while let Some(whole) = next_line(&mut input, &mut line).map_err(EngineError::Input)? {
        number += 1;
        if whole && line.trim_ascii().is_empty() {
            continue;
        }
        let answer = if whole { answer(options, &line) } else { Err(CannotAnswer::TooLong) };
        let text = match answer {
            Ok(answer) => serde_json::to_string(&answer),
            Err(error) => {
                broken += 1;
                serde_json::to_string(&Broken { line: number, error: error.to_string() })
            }
        };
        let text = text.map_err(std::io::Error::from)?;
        output.write_all(format!("{text}\n").as_bytes())?;
    }
    output.flush()?;
    if broken == 0 { Ok(()) } else { Err(EngineError::Lines { lines: broken }) }
}

/// Reads the next line into `line` and returns whether it was read as a whole. The rest of a line that is too
/// long is thrown away. `None` at the end of the input.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Option<bool>> {
    line.clear();
    // One byte more, for the line break.
    let read = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', line)?;
    if read <= LONGEST_LINE || line.ends_with(b"\n") {
        return Ok((read > 0).then_some(true));
    }
    input.skip_until(b'\n')?;
    Ok(Some(false))
}

fn answer(of_all: Plays, line: &[u8]) -> Result<PlaysLine, CannotAnswer> {
    // Every line is parsed by itself, so serde always says "line 1". The real line number is in the answer.
    let json = |error: serde_json::Error| error.to_string().replace(" at line 1 column ", " at column ");
    let question: Question = serde_json::from_slice(line).map_err(|error| CannotAnswer::Json(json(error)))?;
    let position = position(question.pos.as_deref(), question.variant.or(of_all.variant), question.checkers)?;
    if position.is_over() {
        return Err(CannotAnswer::Over);
    }
    let mut found = Vec::new();
    Generator::new(position).strict_larger_die(question.strict_larger_die).for_each(question.roll, |play| {
        let play_written = written(of_all.names.notation, Colour::White, position, play.steps);
        found.push((position_id(play.result), play_written));
    });
    found.sort_unstable();
    let (legal, plays) = found.into_iter().unzip();
    Ok(PlaysLine {
        pos: question.pos.unwrap_or_else(|| position_id(position)),
        roll: question.roll,
        legal,
        plays,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::cli::args::Names;
    use owlbox_engine::notation::PointNames;
    use owlbox_engine::notation::gnu::from_position_id;
    use owlbox_engine::notation::play::{parse, resolve};

    /// The answers to an input, and the number of lines that could not be answered.
    fn answers_to(input: &[u8]) -> (Vec<Value>, u64) {
        asked_of(Plays { variant: None, names: Names::default() }, input)
    }

    fn asked_of(of_all: Plays, input: &[u8]) -> (Vec<Value>, u64) {
        let mut output = Vec::new();
        let broken = match plays(of_all, input, &mut output) {
            Ok(()) => 0,
            Err(EngineError::Lines { lines }) => lines,
            Err(other) => panic!("{other}"),
        };
        let text = String::from_utf8(output).unwrap();
        (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), broken)
    }

    #[test]
    fn g5_to_g12_the_reference_plays_are_answered() {
        let text = include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/crates/engine/tests/data/legal_plays.jsonl"
        ));
        let (answers, broken) = answers_to(text);
        assert_eq!((answers.len(), broken), (1000, 0));
        for (line, answer) in text.split(|byte| *byte == b'\n').zip(answers) {
            let reference: Value = serde_json::from_slice(line).unwrap();
            for field in ["pos", "roll", "legal"] {
                assert_eq!(reference[field], answer[field], "{reference}");
            }
            let roll: Roll = serde_json::from_value(answer["roll"].clone()).unwrap();
            let position = from_position_id(answer["pos"].as_str().unwrap(), 15).unwrap();
            let (legal, plays) = (answer["legal"].as_array().unwrap(), answer["plays"].as_array().unwrap());
            assert_eq!(legal.len(), plays.len());
            for (id, text) in legal.iter().zip(plays) {
                let play = resolve(position, roll, &parse(text.as_str().unwrap()).unwrap()).unwrap();
                assert_eq!(position_id(play.result), id.as_str().unwrap());
            }
        }
    }

    #[test]
    fn a_broken_line_is_told_and_the_others_are_answered() {
        let good = r#"{"pos":"4HPwATDgc/ABMA","roll":[3,1]}"#;
        let input = format!(
            "{good}\n\nnot json\n{{\"pos\":\"4HPwATDgc/ABMA\",\"roll\":[7,1]}}\n{{\"pos\":\"x\",\"roll\":[2,1]}}\n{}\n{good}",
            " ".repeat(LONGEST_LINE) + "{}"
        );
        let (answers, broken) = answers_to(input.as_bytes());
        assert_eq!(broken, 4);
        let lines: Vec<_> = answers.iter().map(|answer| answer["line"].as_u64()).collect();
        assert_eq!(lines, [None, Some(3), Some(4), Some(5), Some(6), None]);
        assert_eq!(answers[0], answers[5]);
        assert_eq!(answers[0]["legal"].as_array().unwrap().len(), 16);
        assert!(answers[3]["error"].as_str().unwrap().starts_with("pos: "));
        assert!(answers[4]["error"].as_str().unwrap().contains("longer"));
    }

    #[test]
    fn nobody_plays_after_the_end_and_bytes_that_are_no_text_are_told() {
        // The side on roll has no checkers left in play.
        let (answers, broken) = answers_to(b"{\"pos\":\"AQAAAAAAAAAAAA\",\"roll\":[2,1]}\n\xff\xfe\n");
        assert_eq!(broken, 2);
        assert_eq!(answers[0]["error"], "pos: the game is over");
        assert_eq!(answers_to(b""), (vec![], 0));
        // Whatever follows so many blanks on the line is never read.
        let (answers, broken) = answers_to(" ".repeat(LONGEST_LINE + 2).as_bytes());
        assert_eq!((&answers[0]["line"], broken), (&1.into(), 1));
    }

    #[test]
    fn g8a_and_the_number_of_checkers_can_be_chosen() {
        use owlbox_engine::Position;
        // X5: two checkers on the bar, and the 6 is blocked.
        let mut board = [0; 26];
        (board[25], board[19]) = (2, -2);
        let id = position_id(Position::from_board(&board, 3).unwrap());
        let line = |more: &str| format!("{{\"pos\":\"{id}\",\"roll\":[3,6],\"checkers\":3{more}}}");
        let (answers, _) = answers_to(line("").as_bytes());
        assert_eq!((&answers[0]["plays"], &answers[0]["roll"]), (&["bar/22"].into(), &[6, 3].into()));
        let (answers, _) = answers_to(line(",\"strict_larger_die\":true").as_bytes());
        assert_eq!(answers[0]["plays"], Value::from([""]));
        let (_, broken) = answers_to(line("").replace(":3}", ":1}").as_bytes());
        assert_eq!(broken, 1);
    }

    #[test]
    fn v1_to_v4_a_line_or_the_command_says_which_game_it_is_and_without_a_position_it_is_its_start() {
        let of = |variant| Plays { variant: Some(variant), names: Names::default() };
        for variant in Variant::ALL {
            let (by_command, _) = asked_of(of(variant), b"{\"roll\":[2,1]}");
            let line = serde_json::json!({"roll": [2, 1], "variant": variant});
            let (by_line, _) = answers_to(line.to_string().as_bytes());
            assert_eq!(by_command, by_line);
            assert_eq!(by_line[0]["pos"], position_id(variant.start()));
        }
        let (answers, broken) = asked_of(of(Variant::Fevga), br#"{"pos":"4HPwATDgc/ABMA","roll":[2,1]}"#);
        assert_eq!((&answers[0]["error"], broken), (&"pos: the position is not of that game".into(), 1));
        assert_eq!(answers_to(br#"{"roll":[2,1]}"#).0[0]["error"], "pos: a position or a variant is needed");
    }

    #[test]
    fn k1_k4_plays_are_written_in_the_names_that_were_asked_for() {
        let written = |notation| {
            let of_all = Plays { variant: Some(Variant::Standard), names: Names { notation } };
            let (answers, _) = asked_of(of_all, b"{\"roll\":[6,5]}");
            answers[0]["plays"].as_array().unwrap().clone()
        };
        assert!(written(PointNames::Common).contains(&"24/13".into()));
        assert!(written(PointNames::Box).contains(&"1A-12A".into()));
        assert!(written(PointNames::Absolute).contains(&"1/12".into()));
    }

    proptest::proptest! {
        #[test]
        fn every_line_is_answered_whatever_it_says(
            bytes: Vec<u8>,
            pos in "[A-Za-z0-9+/]{14}",
            one in 0_u8..8,
            other in 0_u8..8,
            checkers in 0_u8..20,
        ) {
            let line = format!("{{\"pos\":\"{pos}\",\"roll\":[{one},{other}],\"checkers\":{checkers}}}");
            proptest::prop_assert_eq!(answers_to(line.as_bytes()).0.len(), 1);
            let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
            proptest::prop_assert_eq!(answers_to(&bytes).0.len(), lines);
        }
    }
}
