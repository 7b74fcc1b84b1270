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
    /// Whether it belongs to the roll before it, which was not played: `62: Concedes`.
    pub(super) same_side: bool,
}

/// The kinds of entries in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Two digits with a colon, or two digits before a play.
    Roll([u8; 2]),
    /// ` Doubles`, or a beaver of any kind.
    Double,
    Take,
    Drop,
    Wins,
    /// This side gives up, or its time is up.
    Loses,
    /// `Cannot Move` that follows no roll.
    Nothing,
    /// `???` that follows no roll.
    Unknown,
}

impl Kind {
    /// Whether it is a part of the game, and not a statement about its end.
    pub(super) const fn is_played(self) -> bool {
        !matches!(self, Self::Wins | Self::Loses)
    }
}

/// What programs write for a turn in which nothing can be moved.
const NOTHING: [&str; 9] =
    ["cannot move", "can't move", "cant move", "no move", "no play", "no legal", "none", "(no", "dances"];

/// The words with which cells begin, in lower case.
const WORDS: [(Kind, &[&str]); 7] = [
    (
        Kind::Double,
        &["double", "doubles", "redouble", "redoubles", "beaver", "beavers", "raccoon", "raccoons", "otters"],
    ),
    (Kind::Take, &["take", "takes", "accept", "accepts"]),
    (Kind::Drop, &["drop", "drops", "pass", "passes", "reject", "rejects"]),
    (Kind::Wins, &["win", "wins", "won"]),
    (
        Kind::Loses,
        &[
            "lose",
            "loses",
            "loss",
            "losses",
            "lost",
            "resign",
            "resigns",
            "resigned",
            "concede",
            "concedes",
            "conceded",
            "forfeit",
            "forfeits",
            "forfeited",
            "gives up",
            "out of time",
            "timed out",
            "times out",
            "timeout",
        ],
    ),
    (Kind::Nothing, &NOTHING),
    (Kind::Unknown, &["???", "????"]),
];

/// Recognises any line except the one with the players, which may look like anything.
pub(super) fn line(line: &str) -> Line<'_> {
    let text = line.trim();
    if text.is_empty() {
        return Line::Nothing;
    }
    if let Some(comment) = text.strip_prefix([';', '#']) {
        return header(comment).unwrap_or(Line::Nothing);
    }
    if let Some(number) = length(text) {
        return Line::Length(number);
    }
    if let Some(rest) = strip_word(text, "game")
        && rest.trim_start().trim_start_matches('#').starts_with(|c: char| c.is_ascii_digit())
    {
        return Line::Game;
    }
    // A comment may follow the cells.
    let line = line.split(';').next().unwrap_or(line);
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

/// The number in `7 point match`, `7-points match` or `Match to 7 points`; 0 for `Money game`.
fn length(text: &str) -> Option<&str> {
    let is = |word: Option<&str>, known: &[&str]| {
        word.is_some_and(|word| known.iter().any(|known| known.eq_ignore_ascii_case(word)))
    };
    let mut words = text.split(|c: char| c.is_whitespace() || c == '-').filter(|word| !word.is_empty());
    let (first, second, third) = (words.next()?, words.next(), words.next());
    if is(second, &["point", "points"]) && third.is_some_and(|third| starts_with(third, "match")) {
        return Some(first);
    }
    match () {
        () if is(Some(first), &["match"]) && is(second, &["of", "to"]) => third,
        () if is(Some(first), &["money", "unlimited"]) && is(second, &["game", "session", "match"]) => {
            Some("0")
        }
        () => None,
    }
}

/// Reads the `[Key "value"]` of a comment.
fn header(comment: &str) -> Option<Line<'_>> {
    let inside = comment.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (key, value) = inside.split_once('"')?;
    Some(Line::Header { key: key.trim(), value: value.trim_end().strip_suffix('"')? })
}

/// The rows in a line of cells, each with the byte at which it begins: one, unless a program left out the end
/// of a line, as in ` 14) 31: 8/5 6/5     14)  Losses 1 point`.
pub(super) fn rows(line: &str) -> Vec<(usize, &str)> {
    let mut rows = Vec::new();
    let (mut begun, mut at) = (0, 0);
    for word in line.split_inclusive(char::is_whitespace) {
        let number = word.trim_end().strip_suffix(')').unwrap_or_default();
        let numbers = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if numbers && line[begun..at].contains(')') && line[..at].ends_with("  ") {
            rows.push((begun, &line[begun..at]));
            begun = at;
        }
        at += word.len();
    }
    rows.push((begun, &line[begun..]));
    rows
}

/// The cells of `line` from the byte `body` on, or the byte of something that is not a cell.
fn cells(line: &str, body: usize) -> Result<Vec<Cell<'_>>, usize> {
    let mut cells: Vec<Cell<'_>> = Vec::new();
    let mut at = body;
    for word in line[body..].split_inclusive(char::is_whitespace) {
        let start = at;
        at += word.len();
        let follows = cells.last().map(|last| follows(line, last, start));
        let Some((kind, length)) = begin(&line[start..]).filter(|(kind, _)| {
            // Within a cell, `Cannot Move` and `???` belong to the roll before them, and `by resignation` to
            // the win.
            !matches!((kind, follows), (Kind::Nothing | Kind::Unknown, Some(Follows::OpenRoll)))
                && !matches!((kind, follows), (Kind::Loses, Some(Follows::SameStatement)))
        }) else {
            if cells.is_empty() && !word.trim().is_empty() {
                return Err(start);
            }
            continue;
        };
        if let Some(last) = cells.last_mut() {
            last.rest = &line[last.rest_at..start.max(last.rest_at)];
        }
        let rest_at = start + length;
        let same_side = kind == Kind::Loses && follows == Some(Follows::OpenRoll);
        cells.push(Cell { at: start, kind, rest: &line[rest_at..], rest_at, same_side });
    }
    Ok(cells)
}

/// How a word stands to the cell before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    /// Right after a roll without a play.
    OpenRoll,
    /// One blank after a statement about the end.
    SameStatement,
    Apart,
}

/// How the word at `start` stands to the last cell before it.
fn follows(line: &str, last: &Cell<'_>, start: usize) -> Follows {
    let between = line.get(last.rest_at..start).unwrap_or_default();
    let unknown = between.trim_end();
    let gap = between.len() - unknown.len();
    let is_roll = matches!(last.kind, Kind::Roll(_));
    if is_roll && gap <= 2 && unknown.trim_start().bytes().all(|byte| byte == b'?') {
        Follows::OpenRoll
    } else if !last.kind.is_played() && gap == 1 {
        Follows::SameStatement
    } else {
        Follows::Apart
    }
}

/// The kind of cell that begins here, and the length of its word.
fn begin(text: &str) -> Option<(Kind, usize)> {
    if let [high @ b'0'..=b'9', low @ b'0'..=b'9', rest @ ..] = text.as_bytes() {
        let dice = Kind::Roll([high - b'0', low - b'0']);
        match rest {
            [b':', ..] => return Some((dice, 3)),
            [b' ' | b'\t', ..] if is_move(text[2..].trim_start()) => return Some((dice, 2)),
            _ => return None,
        }
    }
    let known =
        |word: &&&str| starts_with(text, word) && !text[word.len()..].starts_with(char::is_alphanumeric);
    WORDS.iter().find_map(|(kind, words)| Some((*kind, words.iter().find(known)?.len())))
}

/// Whether a move begins here.
fn is_move(text: &str) -> bool {
    let from = text.split('/').next().unwrap_or_default();
    from.len() < text.len()
        && (1..=3).contains(&from.len())
        && from.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// What stands after a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Played<'t> {
    /// Moves, not yet parsed.
    Moves(&'t str),
    /// Nothing, or `???`.
    Unsaid,
    /// That nothing can be moved.
    CannotMove,
    /// That the play was illegal, which no record can hold.
    Illegal,
}

/// What the text after a roll says.
pub(super) fn played(rest: &str) -> Played<'_> {
    let words = rest.trim();
    match () {
        () if words.bytes().all(|byte| matches!(byte, b'?' | b'-')) || words.starts_with("??") => {
            Played::Unsaid
        }
        () if NOTHING.iter().any(|nothing| starts_with(words, nothing)) => Played::CannotMove,
        () if starts_with(words, "illegal") => Played::Illegal,
        // Marks of an annotator.
        () => Played::Moves(rest.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '!' | '?'))),
    }
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
