//! Plays with the point names of the box rules (K1): 1 to 12 and 1A to 12A, the same for both sides.
//!
//! White runs from 1A over 12A and 12 to 1, Black the other way, so nA is White's 25-n and Black's n (K1a). A
//! play is written `6/4=1A-5A & 1A-7A`: the roll, then each checker with all of its stops, as in `12A-9-3`,
//! after `2×` if two checkers do the same. The rules have no names for the bar and off; here they are `bar`
//! and `off`. Hits are not marked.
//!
//! The parser also accepts `x` for `×`; `und`, `and`, `e`, `et` or a comma for `&`; a word such as `W`, `Jet`
//! or `T` before the roll; and plays without a roll.

use super::cursor::Cursor;
use super::play::Moved;
use super::play::read::{LONGEST, MOST_MOVES};
use super::play::write::chains;
use crate::colour::Colour;
use crate::dice::{Die, Roll};
use crate::place::{BAR, OFF, Place};
use crate::play::Steps;

/// A play as it is written, with the roll.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::notation::box_points::{BoxPlay, parse};
///
/// let BoxPlay { roll, moves } = parse(Colour::White, "6/4=1A-5A & 1A-7A")?;
/// assert_eq!(roll, "6-4".parse().ok());
/// assert_eq!((moves[0].from, moves[0].to), (24, 20));
/// # Ok::<(), owlbox_engine::notation::box_points::ParseBoxPlayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxPlay {
    /// The roll; `None` if the text does not give it.
    pub roll: Option<Roll>,
    /// The moves, as the mover counts. [`resolve`](super::play::resolve()) finds the legal play they mean.
    pub moves: Vec<Moved>,
}

/// The place and the reason of a fault in a play with box names.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::notation::box_points::parse;
///
/// assert_eq!(parse(Colour::White, "1A-0A").unwrap_err().column, 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {reason}")]
#[non_exhaustive]
pub struct ParseBoxPlayError {
    /// The column of the character, from 1. If something is missing at the end, one more than the text has.
    pub column: usize,
    /// The fault at that column.
    pub reason: Reason,
}

/// The reason why a text is not a play with box names.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::notation::box_points::{Reason, parse};
///
/// assert_eq!(parse(Colour::White, "7A-1A").unwrap_err().reason, Reason::Direction);
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
    /// There is no roll before the `=`.
    #[error("a roll such as 6/4 is expected before \"=\"")]
    Roll,
    /// A word is not the name of a place.
    #[error("a point from 1 to 12 or 1A to 12A, \"bar\" or \"off\" is expected")]
    NoPlace,
    /// A place is not followed by another one.
    #[error("\"-\" and where the checker goes are expected")]
    NoMove,
    /// G5: the side does not move in this direction.
    #[error("a checker of that side does not move there")]
    Direction,
    /// The number before `×` is not 1 to 4.
    #[error("a number from 1 to {MOST_MOVES} is expected before \"×\"")]
    Times,
    /// Something other than `&` and a further move follows.
    #[error("\"&\" and one more move are expected")]
    NoJoint,
}

/// The name of the place that `colour` counts as `place`.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::notation::box_points::name;
///
/// assert_eq!(name(Colour::White, 24), "1A");
/// assert_eq!(name(Colour::Black, 24), "1");
/// ```
#[must_use]
pub fn name(colour: Colour, place: Place) -> String {
    let of_white = match (place, colour) {
        (BAR.., _) => return "bar".to_owned(),
        (OFF, _) => return "off".to_owned(),
        (point, Colour::White) => point,
        (point, Colour::Black) => BAR - point,
    };
    if of_white <= 12 { of_white.to_string() } else { format!("{}A", BAR - of_white) }
}

/// The play of `roll` with these steps, as the box rules print it. A lost turn is the roll with its `=` and
/// nothing else.
///
/// ```
/// use owlbox_engine::notation::box_points::write;
/// use owlbox_engine::{Colour, Die, Step, Steps};
///
/// let steps = [(24, Die::FOUR), (24, Die::SIX)].map(|(from, die)| Step::new(from, die).unwrap());
/// let steps = Steps::new(&steps).unwrap();
/// assert_eq!(write(Colour::White, "6-4".parse()?, steps), "6/4=1A-5A & 1A-7A");
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[must_use]
pub fn write(colour: Colour, roll: Roll, steps: Steps) -> String {
    let chain = |(places, times): (Vec<Place>, usize)| {
        let names: Vec<_> = places.iter().map(|place| name(colour, *place)).collect();
        let times = if times > 1 { format!("{times}×") } else { String::new() };
        times + &names.join("-")
    };
    let chains: Vec<_> = chains(steps).into_iter().map(chain).collect();
    format!("{}/{}={}", roll.high(), roll.low(), chains.join(" & "))
}

/// Reads a play of `colour` with box names.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::notation::box_points::parse;
///
/// // The same play in three languages, with and without the roll.
/// let moves = parse(Colour::White, "W 6/4 = 1A-7A und 1A-5A")?.moves;
/// assert_eq!(parse(Colour::White, "1A-7A e 1A-5A")?.moves, moves);
/// assert_eq!(parse(Colour::White, "1A-7A, 1A-5A")?.moves, moves);
/// # Ok::<(), owlbox_engine::notation::box_points::ParseBoxPlayError>(())
/// ```
///
/// # Errors
/// [`ParseBoxPlayError`], the first one from the left.
pub fn parse(colour: Colour, text: &str) -> Result<BoxPlay, ParseBoxPlayError> {
    if text.len() > LONGEST {
        return Err(ParseBoxPlayError { column: 1, reason: Reason::TooLong });
    }
    let mut reader = Reader { cursor: Cursor::new(text), colour };
    let roll = if text.contains('=') { Some(reader.roll()?) } else { None };
    let mut moves = Vec::new();
    let mut next = reader.skip_blanks();
    while next.is_some() {
        let column = reader.cursor.column;
        let (chain, times) = reader.chain()?;
        moves.extend(chain.repeat(times));
        if moves.len() > MOST_MOVES {
            return Err(ParseBoxPlayError { column, reason: Reason::TooManyMoves });
        }
        next = reader.joint()?;
    }
    Ok(BoxPlay { roll, moves })
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    colour: Colour,
}

impl Reader<'_> {
    const fn wrong<T>(column: usize, reason: Reason) -> Result<T, ParseBoxPlayError> {
        Err(ParseBoxPlayError { column, reason })
    }

    fn skip_blanks(&mut self) -> Option<char> {
        self.cursor.skip(char::is_whitespace)
    }

    /// Reads a roll and its equals sign, as in `W 6/4 =`.
    fn roll(&mut self) -> Result<Roll, ParseBoxPlayError> {
        self.cursor.skip(|next| next.is_alphabetic() || next.is_whitespace());
        let column = self.cursor.column;
        let first = self.die();
        self.cursor.take(|next| matches!(next, '/' | '-'));
        let second = self.die();
        self.skip_blanks();
        match (first, second, self.cursor.take(|next| next == '=')) {
            (Some(first), Some(second), Some(_)) => Ok(Roll::new(first, second)),
            _ => Self::wrong(column, Reason::Roll),
        }
    }

    fn die(&mut self) -> Option<Die> {
        let digit = self.cursor.take(|next| next.is_ascii_digit())?.to_digit(10)?;
        Die::try_from(u8::try_from(digit).ok()?).ok()
    }

    /// Reads a chain such as `2×12A-8-3`: its moves, and how many checkers make them.
    fn chain(&mut self) -> Result<(Vec<Moved>, usize), ParseBoxPlayError> {
        let mut column = self.cursor.column;
        let mut word = self.word();
        let mut times = 1;
        self.skip_blanks();
        if self.cursor.take(|next| matches!(next, '×' | 'x' | 'X')).is_some() {
            let number = word.parse().ok().filter(|times| (1..=MOST_MOVES).contains(times));
            times = number.ok_or(ParseBoxPlayError { column, reason: Reason::Times })?;
            self.skip_blanks();
            column = self.cursor.column;
            word = self.word();
        }
        let mut from = self.place(&word, column)?;
        let mut moves = Vec::new();
        self.skip_blanks();
        while self.cursor.take(|next| matches!(next, '-' | '–')).is_some() {
            self.skip_blanks();
            let column = self.cursor.column;
            let word = self.word();
            let to = self.place(&word, column)?;
            if to >= from {
                return Self::wrong(column, Reason::Direction);
            }
            moves.push(Moved { from, to, hit: false });
            from = to;
            self.skip_blanks();
        }
        if moves.is_empty() { Self::wrong(self.cursor.column, Reason::NoMove) } else { Ok((moves, times)) }
    }

    /// Takes what joins two chains and returns the character after it; `None` at the end.
    fn joint(&mut self) -> Result<Option<char>, ParseBoxPlayError> {
        if self.skip_blanks().is_none() {
            return Ok(None);
        }
        let column = self.cursor.column;
        let joined = match self.cursor.take(|next| matches!(next, '&' | ',')) {
            Some(_) => true,
            None => matches!(self.cursor.run(char::is_alphabetic).as_str(), "und" | "and" | "e" | "et"),
        };
        match self.skip_blanks() {
            Some(next) if joined => Ok(Some(next)),
            _ => Self::wrong(column, Reason::NoJoint),
        }
    }

    /// Reads a number with an `a` that follows it, or a word.
    fn word(&mut self) -> String {
        let number = self.cursor.run(|next| next.is_ascii_digit());
        if number.is_empty() {
            return self.cursor.run(|next| next.is_ascii_alphabetic());
        }
        number + self.cursor.take(|next| matches!(next, 'a' | 'A')).map_or("", |_| "a")
    }

    /// The place with this name.
    fn place(&self, word: &str, column: usize) -> Result<Place, ParseBoxPlayError> {
        let point = |number: &str| number.parse().ok().filter(|number| (1..=12).contains(number));
        let of_white = match word {
            "b" | "bar" => return Ok(BAR),
            "o" | "off" => return Ok(OFF),
            _ => match word.strip_suffix('a') {
                Some(number) => point(number).map(|number: Place| BAR - number),
                None => point(word),
            },
        };
        let of_white = of_white.ok_or(ParseBoxPlayError { column, reason: Reason::NoPlace })?;
        Ok(if self.colour == Colour::White { of_white } else { BAR - of_white })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::generate::Generator;
    use crate::notation::gnu::from_position_id;
    use crate::notation::play::{resolve, write as write_standard};
    use crate::position::Position;

    /// K2 as it is printed.
    const RECOMMENDED: &str = "\
        6/6=2×1A-7A & 2×12A-7 | 5/5=2×12A-8-3      | 4/4=2×1A-5A & 2×12A-9 | 3/3=2×1A-4A & 2×8-5 | \
        2/2=2×1A-3A-5A        | 1/1=2×8-7 & 2×6-5  | 6/5=1A-7A-12A         | 6/4=1A-5A & 1A-7A | \
        6/3=1A-4A & 1A-7A     | 6/2=1A-3A & 1A-7A  | 6/1=12A-7 & 8-7       | 5/4=1A-5A & 12A-8 | \
        5/3=8-3 & 6-3         | 5/2=12A-8 & 12A-11 | 5/1=1A-2A-7A          | 4/3=12A-10 & 12A-9 | \
        4/2=8-4 & 6-4         | 4/1=1A-2A & 12A-9  | 3/2=12A-10 & 12A-11   | 3/1=8-5 & 6-5 | \
        2/1=1A-3A-4A          | 2/1=12A-11 & 6-5";

    fn start() -> Position {
        from_position_id("4HPwATDgc/ABMA", 15).unwrap()
    }

    /// The play that a text with a roll means from the start position, in standard notation.
    fn from_start(colour: Colour, text: &str) -> String {
        let read = parse(colour, text).unwrap();
        let play = resolve(start(), read.roll.unwrap(), &read.moves);
        write_standard(start(), play.unwrap_or_else(|error| panic!("{text}: {error}")).steps)
    }

    #[test]
    fn k1a_n_a_is_whites_25_less_n_and_blacks_n() {
        for n in 1..=12 {
            assert_eq!(name(Colour::White, 25 - n), format!("{n}A"));
            assert_eq!(name(Colour::Black, n), format!("{n}A"));
            assert_eq!(name(Colour::White, n), n.to_string());
            assert_eq!(name(Colour::Black, 25 - n), n.to_string());
        }
        assert_eq!(
            (name(Colour::Black, BAR), name(Colour::White, OFF)),
            ("bar".to_owned(), "off".to_owned())
        );
    }

    #[test]
    fn k1_white_runs_from_1a_over_12a_and_12_to_1_and_black_the_other_way() {
        for (colour, texts) in [
            (Colour::White, ["1A-2A", "12A-12", "2-1", "1-off", "bar-6A"]),
            (Colour::Black, ["1-2", "12-12A", "2A-1A", "1A-off", "bar-6"]),
        ] {
            for text in texts {
                assert!(parse(colour, text).is_ok(), "{text}");
                let backwards = text.split('-').rev().collect::<Vec<_>>().join("-");
                assert_eq!(parse(colour, &backwards).unwrap_err().reason, Reason::Direction, "{backwards}");
            }
        }
    }

    #[test]
    fn k1a_x3_six_four_from_the_start_in_three_ways_and_three_languages() {
        for text in [
            "W 6/4 = 1A-7A und 1A-5A.",
            "Jet 6/4 = 1A-7A et 1A-5A",
            "T 6/4 = 1A-7A e 1A-5A",
            "4/6=1a-5a, 1a-7a",
        ] {
            assert_eq!(from_start(Colour::White, text.trim_end_matches('.')), "24/20 24/18", "{text}");
        }
        assert_eq!(from_start(Colour::White, "W 6/4 = 6-2 und 8-2"), "8/2 6/2");
        assert_eq!(from_start(Colour::White, "W 6/4 = 12A-9-3"), "13/3");
    }

    #[test]
    fn x3_three_three_in_the_five_ways_listed() {
        // The start without the two back checkers; the first stop is blocked there.
        let mut board = [0; 26];
        (board[13], board[8], board[6], board[24]) = (5, 3, 5, -2);
        let open = Position::from_board(&board, 15).unwrap();
        for (text, play) in [
            ("3/3=12A-10-7-4-1", "13/1"),
            ("3/3=2x8-5 & 2x6-3", "8/5(2) 6/3(2)"),
            ("3/3=2×12A-10-7", "13/7(2)"),
            ("3/3=12A-10-7 and 8-5 and 6-3", "13/7 8/5 6/3"),
            ("3/3=12A-10-7-4 & 8-5", "13/4 8/5"),
        ] {
            let read = parse(Colour::White, text).unwrap();
            let found = resolve(open, read.roll.unwrap(), &read.moves).unwrap();
            assert_eq!(write_standard(open, found.steps), play, "{text}");
        }
    }

    #[test]
    fn k2_the_printed_plays_are_legal_and_written_as_printed() {
        for text in RECOMMENDED.split('|').map(str::trim) {
            let read = parse(Colour::White, text).unwrap();
            let (roll, play) =
                (read.roll.unwrap(), resolve(start(), read.roll.unwrap(), &read.moves).unwrap());
            // If two checkers start together, we name the shorter move first; two of the printed plays do the
            // opposite.
            let printed = match text {
                "5/2=12A-8 & 12A-11" => "5/2=12A-11 & 12A-8",
                "3/2=12A-10 & 12A-11" => "3/2=12A-11 & 12A-10",
                _ => text,
            };
            assert_eq!(write(Colour::White, roll, play.steps), printed);
            // For Black, n and nA are swapped.
            let swapped = write(Colour::Black, roll, play.steps);
            assert_eq!(from_start(Colour::Black, &swapped), from_start(Colour::White, text));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_column() {
        for (text, column, reason) in [
            ("6/7=1A-7A", 1, Reason::Roll),
            ("W 6 = 1A-7A", 3, Reason::Roll),
            ("=1A-7A", 1, Reason::Roll),
            ("13-7", 1, Reason::NoPlace),
            ("1A-0A", 4, Reason::NoPlace),
            ("1A-", 4, Reason::NoPlace),
            ("1A", 3, Reason::NoMove),
            ("1A 7A", 4, Reason::NoMove),
            ("7A-1A", 4, Reason::Direction),
            ("5x1A-7A", 1, Reason::Times),
            ("×1A-7A", 1, Reason::Times),
            ("1A-7A 1A-5A", 7, Reason::NoJoint),
            ("1A-7A &", 7, Reason::NoJoint),
            ("1A-7A or 1A-5A", 7, Reason::NoJoint),
            ("4×1A-2A & 6-5", 11, Reason::TooManyMoves),
        ] {
            assert_eq!(parse(Colour::White, text), Err(ParseBoxPlayError { column, reason }), "{text}");
        }
        let long = " ".repeat(LONGEST + 1);
        assert_eq!(parse(Colour::White, &long).unwrap_err().reason, Reason::TooLong);
        assert_eq!(parse(Colour::White, "").unwrap(), BoxPlay { roll: None, moves: vec![] });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_text_is_too_much(text in ".{0,300}", near in "([WT] )?[1-6]/[1-6]=[0-9abofrxAX×& -]{0,30}") {
            for text in [text, near] {
                for colour in Colour::ALL {
                    if let Ok(read) = parse(colour, &text) {
                        prop_assert!(read.moves.len() <= MOST_MOVES);
                    }
                }
            }
        }

        #[test]
        fn every_play_is_found_again(id in "[A-Za-z0-9+/]{14}", roll in prop::sample::select(Roll::ALL.to_vec())) {
            for position in [Ok(start()), from_position_id("s5bBAVDIc/AAcA", 15), from_position_id(&id, 15)] {
                let Ok(position) = position else { continue };
                let mut plays = Vec::new();
                Generator::new(position).for_each(roll, |play| plays.push(play));
                for (play, colour) in plays.into_iter().flat_map(|play| Colour::ALL.map(|colour| (play, colour))) {
                    let text = write(colour, roll, play.steps);
                    let read = parse(colour, &text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
                    prop_assert_eq!(read.roll, Some(roll));
                    let found = resolve(position, roll, &read.moves).map(|found| found.result);
                    prop_assert_eq!(found, Ok(play.result), "{}", text);
                }
            }
        }
    }
}
