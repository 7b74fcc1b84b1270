//! Reads plays in standard notation.
//!
//! Moves such as `24/18` follow each other, with or without commas. The bar is `bar`, `ba`, `b` or `25`; off
//! is `off`, `of`, `o`, `-` or `0`; case does not matter. A chain such as `24/18*/16` is several moves; `(2)`
//! repeats the chain before it. A `*` becomes [`Moved::hit`]. Spaces, commas and closing brackets are
//! ignored.

use super::Moved;
use crate::notation::cursor::Cursor;
use crate::place::{BAR, OFF, Place};

/// The longest text that is read, in bytes. Four moves with all stops take less than 60.
pub const LONGEST: usize = 256;
/// The most moves in a play, as nobody plays more than four dice.
pub const MOST_MOVES: usize = 4;

/// The place and the reason of a fault in a play.
///
/// ```
/// use owlbox_engine::notation::play::parse;
///
/// let error = parse("24/x").unwrap_err();
/// assert_eq!(error.column, 4);
/// assert_eq!(error.to_string(), "column 4: a point from 1 to 24, \"bar\" or \"off\" is expected");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {reason}")]
#[non_exhaustive]
pub struct ParsePlayError {
    /// The column of the character, from 1. If something is missing at the end, one more than the text has.
    pub column: usize,
    /// The fault at that column.
    pub reason: Reason,
}

/// The reason why a text is not a play.
///
/// ```
/// use owlbox_engine::notation::play::parse;
/// use owlbox_engine::notation::play::read::Reason;
///
/// assert_eq!(parse("8/5(5)").unwrap_err().reason, Reason::Times);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The text is longer than [`LONGEST`] bytes.
    #[error("a play is at most {LONGEST} bytes long")]
    TooLong,
    /// There are more than [`MOST_MOVES`] moves, repeated ones included.
    #[error("a play has at most {MOST_MOVES} moves")]
    TooManyMoves,
    /// A word is neither a number from 0 to 25 nor a name of the bar or off.
    #[error("a point from 1 to 24, \"bar\" or \"off\" is expected")]
    NoPlace,
    /// A place is not followed by another one.
    #[error("\"/\" and where the checker goes are expected")]
    NoMove,
    /// G5: checkers only move forward, from a place on the board, and not onto the bar.
    #[error("a checker does not move from {from} to {to}")]
    Direction {
        /// The place the move starts from.
        from: Place,
        /// The place it is to end at.
        to: Place,
    },
    /// A number in brackets has no move before it to repeat.
    #[error("there is no move to repeat")]
    NothingToRepeat,
    /// The number in brackets is not 1 to 4.
    #[error("a number from 1 to {MOST_MOVES} is expected")]
    Times,
}

/// The moves in a text, in its order; none if it is empty. Whether they are legal is not checked.
///
/// ```
/// use owlbox_engine::notation::play::parse;
///
/// let moves = parse("24/18*/16 8/5(2)")?;
/// let places: Vec<_> = moves.iter().map(|moved| (moved.from, moved.to)).collect();
/// assert_eq!(places, [(24, 18), (18, 16), (8, 5), (8, 5)]);
/// # Ok::<(), owlbox_engine::notation::play::ParsePlayError>(())
/// ```
///
/// # Errors
/// [`ParsePlayError`], the first one from the left.
pub fn parse(text: &str) -> Result<Vec<Moved>, ParsePlayError> {
    if text.len() > LONGEST {
        return Err(ParsePlayError { column: 1, reason: Reason::TooLong });
    }
    let mut reader = Reader(Cursor::new(text));
    let mut moves: Vec<Moved> = Vec::new();
    // The range of the chain that a number in brackets would repeat.
    let mut last_chain = 0..0;
    while let Some(next) = reader.skip_blanks() {
        let column = reader.0.column;
        let more = if next == '(' {
            let times = reader.times()?;
            let chain = moves.get(last_chain.clone()).filter(|chain| !chain.is_empty());
            let chain = chain.ok_or(ParsePlayError { column, reason: Reason::NothingToRepeat })?;
            chain.repeat(times - 1)
        } else {
            let chain = reader.chain()?;
            last_chain = moves.len()..moves.len() + chain.len();
            chain
        };
        moves.extend(more);
        if moves.len() > MOST_MOVES {
            return Err(ParsePlayError { column, reason: Reason::TooManyMoves });
        }
    }
    Ok(moves)
}

struct Reader<'t>(Cursor<'t>);

impl Reader<'_> {
    /// Skips characters without a meaning, and returns the one that follows.
    fn skip_blanks(&mut self) -> Option<char> {
        self.0.skip(|next| next.is_whitespace() || matches!(next, ',' | ')'))
    }

    /// Reads a chain such as `24/18*/16`: one move for every place after the first, and at least one.
    fn chain(&mut self) -> Result<Vec<Moved>, ParsePlayError> {
        let mut from = self.place()?;
        let mut chain = Vec::new();
        self.stars();
        while self.0.take(|next| next == '/').is_some() {
            let column = self.0.column;
            let to = self.place()?;
            // This also refuses moves from off and moves onto the bar.
            if to >= from {
                return Err(ParsePlayError { column, reason: Reason::Direction { from, to } });
            }
            chain.push(Moved { from, to, hit: self.stars() });
            from = to;
        }
        if chain.is_empty() {
            return Err(ParsePlayError { column: self.0.column, reason: Reason::NoMove });
        }
        Ok(chain)
    }

    /// Skips stars, and returns whether there were any.
    fn stars(&mut self) -> bool {
        !self.0.run(|next| next == '*').is_empty()
    }

    fn place(&mut self) -> Result<Place, ParsePlayError> {
        let column = self.0.column;
        let word = match self.0.take(|next| next == '-') {
            Some(_) => "off".to_owned(),
            None => {
                let number = self.0.run(|next| next.is_ascii_digit());
                if number.is_empty() { self.0.run(|next| next.is_ascii_alphabetic()) } else { number }
            }
        };
        let place = match word.as_str() {
            "b" | "ba" | "bar" => Some(BAR),
            "o" | "of" | "off" => Some(OFF),
            number => number.parse().ok().filter(|number| *number <= BAR),
        };
        place.ok_or(ParsePlayError { column, reason: Reason::NoPlace })
    }

    /// Reads the number of `(2)`. The closing bracket is skipped like any other.
    fn times(&mut self) -> Result<usize, ParsePlayError> {
        self.0.take(|next| next == '(');
        self.skip_blanks();
        let column = self.0.column;
        let times = self.0.run(|next| next.is_ascii_digit()).parse().ok();
        let times = times.filter(|times| (1..=MOST_MOVES).contains(times));
        times.ok_or(ParsePlayError { column, reason: Reason::Times })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The moves as `from/to`, with a star for a hit.
    fn shown(text: &str) -> String {
        let show = |moved: &Moved| format!("{}/{}{}", moved.from, moved.to, if moved.hit { "*" } else { "" });
        parse(text).unwrap().iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_spelling_of_a_play_is_read() {
        for (text, moves) in [
            ("", ""),
            (" , ", ""),
            ("8/5 6/5", "8/5 6/5"),
            ("8/5, 6/5,", "8/5 6/5"),
            ("24/18*/16", "24/18* 18/16"),
            ("24/18/16*", "24/18 18/16*"),
            ("8/5(2)", "8/5 8/5"),
            ("8/5 (2) 6/5", "8/5 8/5 6/5"),
            ("8/5*(2 6/3(2", "8/5* 8/5* 6/3 6/3"),
            ("13/9/5(2)", "13/9 9/5 13/9 9/5"),
            ("8/5(1)", "8/5"),
            ("6/5(2)(2)", "6/5 6/5 6/5"),
            ("bar/20 BA/3 b/4 25/1", "25/20 25/3 25/4 25/1"),
            ("6/off 6/O 6/- 6/0", "6/0 6/0 6/0 6/0"),
            ("Bar/OFF", "25/0"),
            ("24*/18**", "24/18*"),
        ] {
            assert_eq!(shown(text), moves, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_column() {
        for (text, column, reason) in [
            ("24", 3, Reason::NoMove),
            ("24 18", 3, Reason::NoMove),
            ("24/", 4, Reason::NoPlace),
            ("24/x", 4, Reason::NoPlace),
            ("8/5 26/20", 5, Reason::NoPlace),
            ("99999999999999999999/1", 1, Reason::NoPlace),
            ("/5", 1, Reason::NoPlace),
            ("é/5", 1, Reason::NoPlace),
            ("8/8", 3, Reason::Direction { from: 8, to: 8 }),
            ("5/8", 3, Reason::Direction { from: 5, to: 8 }),
            ("8/bar", 3, Reason::Direction { from: 8, to: 25 }),
            ("off/3", 5, Reason::Direction { from: 0, to: 3 }),
            ("(2)", 1, Reason::NothingToRepeat),
            ("8/5(0)", 5, Reason::Times),
            ("8/5(5)", 5, Reason::Times),
            ("8/5()", 6, Reason::Times),
            ("8/5(3) 6/5(2)", 11, Reason::TooManyMoves),
            ("8/7/6/5/4/3", 1, Reason::TooManyMoves),
        ] {
            assert_eq!(parse(text), Err(ParsePlayError { column, reason }), "{text}");
        }
        assert_eq!(parse(&" ".repeat(LONGEST + 1)).unwrap_err().reason, Reason::TooLong);
    }

    proptest! {
        #[test]
        fn no_text_is_too_much(text in ".{0,300}", near in "[0-9barof/*(), -]{0,40}") {
            for text in [text, near] {
                if let Ok(moves) = parse(&text) {
                    prop_assert!(moves.len() <= MOST_MOVES);
                    prop_assert!(moves.iter().all(|moved| moved.to < moved.from && moved.from <= BAR));
                }
            }
        }
    }
}
