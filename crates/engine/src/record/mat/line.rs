//! The lines of a match text, each on its own.

use crate::record::text::one_line;

/// A line of a known kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line<'t> {
    /// An empty line, or a comment of which nothing is kept.
    Nothing,
    /// A header, as in `; [Key "value"]`.
    Header { key: &'t str, value: &'t str },
    /// A length, as in ` 7 point match`, with the number not yet parsed.
    Length(&'t str),
    /// The beginning of a game, as in ` Game 1`.
    Game,
    /// The cells of a line, as in `  1) 31: 8/5 6/5   52: 13/8 13/11`, or of a win line.
    Cells(Vec<Cell<'t>>),
    /// None of these, from this byte on.
    Unknown(usize),
}

/// One entry of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell<'t> {
    /// The byte of the line at which it begins.
    pub(super) at: usize,
    pub(super) kind: Kind,
    /// The text after the word or the roll, up to the next cell.
    pub(super) rest: &'t str,
    /// The byte of the line at which that text begins.
    pub(super) rest_at: usize,
}

/// The kinds of entries in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Two digits and a colon.
    Roll([u8; 2]),
    /// ` Doubles`, or a beaver of any kind.
    Double,
    Take,
    Drop,
    Wins,
    /// `Cannot Move` that follows no roll.
    Nothing,
    /// `???` that follows no roll.
    Unknown,
}

/// The words with which cells begin, in lower case.
const WORDS: [(&str, Kind); 9] = [
    ("doubles", Kind::Double),
    ("beavers", Kind::Double),
    ("raccoons", Kind::Double),
    ("otters", Kind::Double),
    ("takes", Kind::Take),
    ("drops", Kind::Drop),
    ("wins", Kind::Wins),
    ("cannot move", Kind::Nothing),
    ("???", Kind::Unknown),
];

/// Recognises any line except the one with the players, which may look like anything.
pub(super) fn line(line: &str) -> Line<'_> {
    let text = line.trim();
    if text.is_empty() {
        return Line::Nothing;
    }
    if let Some(comment) = text.strip_prefix(';') {
        return header(comment).unwrap_or(Line::Nothing);
    }
    if let Some((number, rest)) = text.split_once(char::is_whitespace)
        && starts_with(rest.trim_start(), "point match")
    {
        return Line::Length(number);
    }
    if let Some(number) = strip_word(text, "game")
        && number.trim().parse::<u32>().is_ok()
    {
        return Line::Game;
    }
    let begin = line.len() - line.trim_start().len();
    let numbered = line[begin..].find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0);
    let body = match numbered {
        Some(digits) if line[begin + digits..].starts_with(')') => begin + digits + 1,
        _ => begin,
    };
    match cells(line, body) {
        Ok(cells) if body > begin || !cells.is_empty() => Line::Cells(cells),
        Ok(_) => Line::Unknown(begin),
        Err(at) => Line::Unknown(at),
    }
}

/// Reads the `[Key "value"]` of a comment.
fn header(comment: &str) -> Option<Line<'_>> {
    let inside = comment.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (key, value) = inside.split_once('"')?;
    Some(Line::Header { key: key.trim(), value: value.trim_end().strip_suffix('"')? })
}

/// The cells of `line` from the byte `body` on, or the byte of something that is not a cell.
fn cells(line: &str, body: usize) -> Result<Vec<Cell<'_>>, usize> {
    let mut cells: Vec<Cell<'_>> = Vec::new();
    let mut at = body;
    for word in line[body..].split_inclusive(char::is_whitespace) {
        let start = at;
        at += word.len();
        // Within a cell, `Cannot Move` and `???` belong to the roll before them.
        let Some((kind, length)) =
            begin(&line[start..]).filter(|(kind, _)| !belongs(*kind, cells.last(), start))
        else {
            if cells.is_empty() && !word.trim().is_empty() {
                return Err(start);
            }
            continue;
        };
        if let Some(last) = cells.last_mut() {
            last.rest = &line[last.rest_at..start.max(last.rest_at)];
        }
        let rest_at = start + length;
        cells.push(Cell { at: start, kind, rest: &line[rest_at..], rest_at });
    }
    Ok(cells)
}

/// The kind of cell that begins here, and the length of its word.
fn begin(text: &str) -> Option<(Kind, usize)> {
    if let [high @ b'0'..=b'9', low @ b'0'..=b'9', b':', ..] = text.as_bytes() {
        return Some((Kind::Roll([high - b'0', low - b'0']), 3));
    }
    WORDS.iter().find(|(word, _)| starts_with(text, word)).map(|(word, kind)| (*kind, word.len()))
}

/// Whether a cell at `at` only describes how the roll before it was played.
fn belongs(kind: Kind, last: Option<&Cell<'_>>, at: usize) -> bool {
    let says_nothing = matches!(kind, Kind::Nothing | Kind::Unknown);
    says_nothing && last.is_some_and(|last| matches!(last.kind, Kind::Roll(_)) && at <= last.rest_at + 2)
}

/// The text after `word`, which must end there. Case does not matter.
fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = starts_with(text, word).then(|| &text[word.len()..])?;
    rest.starts_with(char::is_whitespace).then_some(rest)
}

/// Whether `text` begins with `word`, which is ASCII. Case does not matter.
pub(super) fn starts_with(text: &str, word: &str) -> bool {
    text.as_bytes().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// The first number in a text, as in ` => 4` or ` 2 points and the match`.
pub(super) fn number(text: &str) -> Option<&str> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits = text[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - start);
    Some(&text[start..start + digits])
}

/// The column on a screen of the byte `at` of a line, from 0. A tab goes on to the next multiple of 8.
pub(super) fn screen_column(line: &str, at: usize) -> usize {
    line[..at].chars().fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

/// The first screen column that counts as right. The right column begins at 33, but not every program is
/// exact.
pub(super) const RIGHT: usize = 20;

/// The column where the right name begins.
pub(super) const RIGHT_NAME: usize = 32;

/// The first byte of a line in this screen column or after it; the end of the line if it is just long enough.
fn byte_at(line: &str, column: usize) -> Option<usize> {
    let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    ends.take(column + 1).find(|at| screen_column(line, *at) >= column)
}

/// The name and the points of one side, not yet parsed.
pub(super) type Player<'t> = (&'t str, &'t str);

/// Reads ` Ann : 0                        Bob : 0`: both names with their points, which are not yet parsed.
///
/// A name may contain colons, and a long one leaves no blank before the other. The left side's points are the
/// first number followed by nothing but blanks up to the right column, where the right name begins. Failing
/// that, the first number followed by a blank, or else simply the first.
pub(super) fn players(line: &str) -> Option<[Player<'_>; 2]> {
    let line = line.trim_end();
    let (rest, right_points) = split_points(line)?;
    let split = |end: usize| {
        let (left_name, points) = split_points(&rest[..end])?;
        Some([(left_name.trim(), points), (rest[end..].trim(), right_points)])
    };
    // Places where a number ends.
    let ends = |end: &usize| {
        rest[..*end].ends_with(|c: char| c.is_ascii_digit())
            && !rest[*end..].starts_with(|c: char| c.is_ascii_digit())
    };
    let candidates: Vec<_> = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).filter(ends).collect();
    let right_name = byte_at(rest, RIGHT_NAME);
    let in_place = |end: &&usize| {
        right_name.and_then(|right| rest.get(**end..right)).is_some_and(|between| between.trim().is_empty())
    };
    let placed = candidates.iter().filter(in_place).find_map(|end| split(*end));
    let spaced = || {
        let followed_by_blank = |end: &&usize| rest[**end..].starts_with(char::is_whitespace);
        candidates.iter().filter(followed_by_blank).find_map(|end| split(*end))
    };
    placed.or_else(spaced).or_else(|| candidates.iter().find_map(|end| split(*end)))
}

/// Splits `Ann : 12` into the name and the points.
fn split_points(text: &str) -> Option<(&str, &str)> {
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let points = &text[name.len()..];
    let name = name.trim_end().strip_suffix(':')?;
    (!points.is_empty()).then_some((name, points))
}

/// A name on one line, without any `,1650.2` and `(JPN)` after it.
pub(in crate::record) fn plain_name(name: &str) -> String {
    let name = one_line(name);
    let mut plain = name.as_str();
    loop {
        let shorter = without_country(without_rating(plain));
        if shorter == plain {
            return plain.to_owned();
        }
        plain = shorter;
    }
}

fn without_rating(name: &str) -> &str {
    let is_rating = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok_and(|rating| rating > 0.0)
    };
    match name.rsplit_once(',') {
        Some((name, rating)) if is_rating(rating.trim()) => name.trim_end(),
        _ => name,
    }
}

fn without_country(name: &str) -> &str {
    let country = |text: &str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    match name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) {
        Some((name, inside)) if country(inside) => name.trim_end(),
        _ => name,
    }
}
