//! Reads match text in any of its dialects.

use chrono::NaiveDate;

use super::line::{
    Cell, Kind, Line, Played, RIGHT, line, number, plain_name, played, players, rows, screen_column,
};
use crate::colour::Colour;
use crate::cube::{CubeValue, Raise};
use crate::dice::{Die, Roll};
use crate::notation::play;
use crate::record::progress::{Illegal, Progress, is_crawford};
use crate::record::stated::{Stated, resignation};
use crate::record::text::{
    LONGEST_LINE, Reason, TextError, TextPosition, TextPositions, characters, in_four_digits, one_line,
};
use crate::record::variation;
use crate::record::{
    Action, Entry, GameRecord, MOST_ACTIONS, MOST_GAMES, Record, Rules, index, replay, steps,
};
use crate::result::{Ended, Outcome, Win};
use crate::variant::Variant;

/// Reads a record from match text.
///
/// ```
/// use owlbox_engine::record::mat;
///
/// let text = "
///  3 point match
///
///  Game 1
///  Ann : 0                        Bob : 0
///   1) 31: 8/5 6/5                 Doubles => 2
///   2)  Drops
/// ";
/// let record = mat::read(text.as_bytes())?;
/// assert_eq!(record.players, ["Ann", "Bob"]);
/// assert_eq!(record.games[0].actions.len(), 3);
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] at the place where the text breaks off, cannot be read, or is against the rules.
pub fn read(bytes: &[u8]) -> Result<Record, TextError> {
    read_as(Variant::Standard, bytes)
}

/// Like [`read`], for a text that is of `variant` if it does not name one.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::record::mat;
///
/// let record = mat::read_as(Variant::Nackgammon, b" 3 point match\n")?;
/// assert_eq!(record.variant, Variant::Nackgammon);
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] at the place of the first fault.
pub fn read_as(variant: Variant, bytes: &[u8]) -> Result<Record, TextError> {
    read_assuming(variant, Rules { crawford: true, jacoby: false }, bytes)
}

/// Like [`read`], for a text that is of `variant` and by `rules` where it does not say otherwise: most do not
/// say that a match is played without the Crawford rule (M3).
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::record::{Rules, mat};
///
/// let without = Rules { crawford: false, jacoby: false };
/// let record = mat::read_assuming(Variant::Standard, without, b" 3 point match\n")?;
/// assert!(!record.rules.crawford);
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] at the place of the first fault.
pub fn read_assuming(variant: Variant, rules: Rules, bytes: &[u8]) -> Result<Record, TextError> {
    let text = characters(bytes)?;
    let mut reader = Reader::new(variant, rules);
    let mut lines = 0;
    // Old Macintosh files have no line feeds.
    let ends = if text.contains('\n') { '\n' } else { '\r' };
    for (number, text) in text.split_terminator(ends).enumerate() {
        reader.line(At { line: number + 1, before: 0, text: text.trim_end_matches('\r') })?;
        lines = number + 1;
    }
    reader.end(TextPosition { line: lines.max(1), column: 1 })
}

/// A line with its number, or a row of it.
#[derive(Clone, Copy)]
struct At<'t> {
    line: usize,
    /// The characters of the line before this row.
    before: usize,
    text: &'t str,
}

impl At<'_> {
    /// The place of the byte `at` of the line.
    fn text_position(self, at: usize) -> TextPosition {
        TextPosition {
            line: self.line,
            column: self.before + self.text.get(..at).map_or(0, |before| before.chars().count()) + 1,
        }
    }

    /// The side in whose column the byte `at` is.
    fn column(self, at: usize) -> Colour {
        if screen_column(self.text, at) < RIGHT { Colour::White } else { Colour::Black }
    }
}

struct Reader {
    record: Record,
    text_positions: TextPositions,
    /// The result of each game, in order.
    outcomes: Vec<Option<Outcome>>,
    expects: Expects,
    /// The game being read, which is the last of the record.
    progress: Option<Progress>,
    /// What the text says of the end of this game.
    end: End,
}

/// What a text says of the end of a game: who won, who lost, or both.
#[derive(Default)]
struct End {
    won: Option<Said>,
    lost: Option<Said>,
}

/// A statement about the end of a game.
#[derive(Clone, Copy)]
struct Said {
    by: Colour,
    stated: Stated,
    text_position: TextPosition,
}

/// The kind of line to come next, comments aside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expects {
    Length,
    Game,
    Players,
    Cells,
}

impl Expects {
    /// The reason that something else was found.
    const fn missed(self) -> Reason {
        Reason::Expected(match self {
            Self::Length => "the length as \"7 point match\"",
            Self::Game | Self::Players => "\"Game 1\"",
            Self::Cells => "a roll, a double, its answer or a win",
        })
    }
}

impl Reader {
    fn new(variant: Variant, rules: Rules) -> Self {
        Self {
            record: Record { variant, rules, ..Record::default() },
            text_positions: TextPositions::default(),
            outcomes: Vec::new(),
            expects: Expects::Length,
            progress: None,
            end: End::default(),
        }
    }

    fn line(&mut self, at: At<'_>) -> Result<(), TextError> {
        if at.text.len() > LONGEST_LINE && !at.text.trim_start().starts_with(';') {
            return Err(at.text_position(0).error(Reason::LineTooLong));
        }
        // A name may be anything, even something that looks like a comment.
        let comment = at.text.trim_start().starts_with([';', '#']);
        if self.expects == Expects::Players && !at.text.trim().is_empty() {
            return if comment && players(at.text).is_none() { Ok(()) } else { self.players(at) };
        }
        if self.expects != Expects::Cells || comment {
            return self.row(at);
        }
        rows(at.text).into_iter().try_for_each(|(begin, text)| {
            let before = at.text[..begin].chars().count();
            self.row(At { before, text, ..at })
        })
    }

    fn row(&mut self, at: At<'_>) -> Result<(), TextError> {
        match line(at.text) {
            Line::Nothing => Ok(()),
            Line::Header { key, value } => self.header(at, key, value),
            Line::Length(digits) if self.expects == Expects::Length => {
                self.record.length = parse(digits, at.text_position(0))?;
                self.expects = Expects::Game;
                Ok(())
            }
            Line::Game if matches!(self.expects, Expects::Game | Expects::Cells) => {
                self.expects = Expects::Players;
                Ok(())
            }
            Line::Cells(cells) if self.expects == Expects::Cells => self.cells(at, &cells),
            Line::Unknown(byte) if self.expects == Expects::Cells => {
                Err(at.text_position(byte).error(self.expects.missed()))
            }
            Line::Length(_) | Line::Game | Line::Cells(_) | Line::Unknown(_) => {
                Err(at.text_position(0).error(self.expects.missed()))
            }
        }
    }

    fn header(&mut self, at: At<'_>, key: &str, value: &str) -> Result<(), TextError> {
        let occasion = &mut self.record.occasion;
        let text = || Some(one_line(value)).filter(|value| !value.is_empty());
        match key {
            "Site" => occasion.site = text(),
            "Event" => occasion.event = text(),
            "Round" => occasion.round = text(),
            "EventDate" | "Date" => {
                let value = value.replace(['-', '/'], ".");
                let date = NaiveDate::parse_from_str(&value, "%Y.%m.%d").ok();
                occasion.date = in_four_digits(date).or(occasion.date);
            }
            "Crawford" => self.record.rules.crawford = !value.eq_ignore_ascii_case("off"),
            "Jacoby" => self.record.rules.jacoby = value.eq_ignore_ascii_case("on"),
            "Variation" => {
                let found = variation::from_name(&one_line(value))
                    .map_err(|reason| at.text_position(0).error(reason))?;
                if self.record.games.is_empty() {
                    self.record.variant = found;
                } else if found != self.record.variant {
                    return Err(at.text_position(0).error(Reason::NotKept("another game from here on")));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Begins a game with its line of names and points.
    fn players(&mut self, at: At<'_>) -> Result<(), TextError> {
        let begin = at.text_position(at.text.len() - at.text.trim_start().len());
        let players =
            players(at.text).ok_or_else(|| begin.error(Reason::Expected("\"Ann : 0   Bob : 0\"")))?;
        let [left, right] = players;
        let score = [parse(left.1, begin)?, parse(right.1, begin)?];
        self.finish_game(Some(score))?;
        let names = [plain_name(left.0), plain_name(right.0)];
        if self.record.games.is_empty() {
            self.record.players = names;
        } else if are_crossed(&self.record.players, &names) {
            return Err(begin.error(Reason::OtherPlayers));
        }
        if self.record.games.len() == MOST_GAMES {
            return Err(begin.error(Reason::TooManyGames));
        }
        let crawford = is_crawford(&self.record, &self.record.games, score).unwrap_or(true);
        let game = GameRecord { score, crawford, ..GameRecord::new(self.record.variant) };
        self.progress = Some(Progress::new(&self.record, &game));
        self.record.games.push(game);
        self.text_positions.0.push((begin, Vec::new()));
        self.expects = Expects::Cells;
        Ok(())
    }

    /// Reads the cells of a row. Two of a game's are White's and Black's; one alone is of the side whose turn
    /// it is. Of two statements about the end, or of one after a turn, the second is the other side's.
    fn cells(&mut self, at: At<'_>, cells: &[Cell<'_>]) -> Result<(), TextError> {
        let turns = cells.iter().filter(|cell| cell.kind.is_played()).count();
        if turns == 2 {
            self.black_began();
        }
        let mut before: Option<(Kind, Colour)> = None;
        for (number, cell) in cells.iter().enumerate() {
            let by = match (cell.kind, before) {
                (Kind::Loses, Some((_, by))) => {
                    if cell.same_side {
                        by
                    } else {
                        by.other()
                    }
                }
                (Kind::Wins, Some((Kind::Loses, by))) => by.other(),
                (Kind::Wins | Kind::Loses, _) => at.column(cell.at),
                _ if number > 1 => {
                    let reason = Reason::Expected("the end of the line");
                    return Err(at.text_position(cell.at).error(reason));
                }
                _ if turns == 1 => self.who(at, cell),
                (_, None) => Colour::White,
                (_, Some(_)) => Colour::Black,
            };
            self.cell(at, cell, by)?;
            before = Some((cell.kind, by));
        }
        Ok(())
    }

    /// Gives the first turn to Black if it stood alone in its row and White acts now: blanks may be lost, so
    /// that the column shows nothing.
    fn black_began(&mut self) {
        let Some(game) = self.record.games.last() else { return };
        let [Entry { by: Colour::White, action }] = game.actions[..] else { return };
        let entry = Entry { by: Colour::Black, action };
        let mut progress = Progress::new(&self.record, game);
        if let Some(game) = self.record.games.last_mut()
            && progress.apply(entry).is_ok()
        {
            game.actions = vec![entry];
            self.progress = Some(progress);
        }
    }

    /// The side that does what is alone in a line. The rules decide, unless it is the first action or a side
    /// is closed out; then the column decides.
    fn who(&self, at: At<'_>, cell: &Cell<'_>) -> Colour {
        let column = at.column(cell.at);
        let Some(progress) = &self.progress else { return column };
        let now = progress.now();
        let answers = match now.offer {
            None => false,
            Some(Raise::Double(_)) => true,
            // The take of a beaver may be missing, so a roll need not be the answering side's.
            Some(Raise::Beaver(_)) => !matches!(cell.kind, Kind::Roll(_)),
        };
        match () {
            () if answers => progress.actor(),
            () if !progress.begun() || now.position.is_closed_out() => column,
            () => now.turn,
        }
    }

    fn cell(&mut self, at: At<'_>, cell: &Cell<'_>, by: Colour) -> Result<(), TextError> {
        let text_position = at.text_position(cell.at);
        if cell.kind.is_played() && (self.end.won.is_some() || self.end.lost.is_some()) {
            return Err(text_position.error(Illegal::GameOver));
        }
        match cell.kind {
            Kind::Roll([0, 0]) if played(cell.rest) == Played::Unsaid => Ok(()),
            Kind::Roll(dice) => self.roll(at, cell, by, dice),
            Kind::Double => {
                self.act(text_position, by, Action::Double)?;
                self.check_double(at, cell)
            }
            Kind::Take => self.act(text_position, by, Action::Take),
            Kind::Drop => self.act(text_position, by, Action::Drop),
            Kind::Wins | Kind::Loses => self.states(at, cell, by),
            Kind::Nothing => {
                let closed_out = self.progress.as_ref().is_some_and(|progress| {
                    progress.now().turn == by && progress.now().position.is_closed_out()
                });
                // A side that is closed out simply does not roll (G17).
                if closed_out {
                    Ok(())
                } else {
                    Err(text_position.error(Reason::NotKept("a turn without a roll")))
                }
            }
            // If something is missing here, the next action will not fit.
            Kind::Unknown => Ok(()),
        }
    }

    /// Checks the number after ` Doubles =>`, if there is one, against the value of the cube.
    fn check_double(&self, at: At<'_>, cell: &Cell<'_>) -> Result<(), TextError> {
        let offered = self.progress.as_ref().and_then(|progress| progress.now().offer).map(Raise::to);
        let (Some(digits), Some(to)) = (number(cell.rest), offered) else { return Ok(()) };
        let found = digits.parse().ok().and_then(|value: u32| CubeValue::try_from(value).ok());
        if found == Some(to) { Ok(()) } else { Err(at.text_position(cell.rest_at).error(Reason::CubeIs(to))) }
    }

    fn roll(&mut self, at: At<'_>, cell: &Cell<'_>, by: Colour, dice: [u8; 2]) -> Result<(), TextError> {
        let text_position = at.text_position(cell.at);
        let [Ok(one), Ok(other)] = dice.map(Die::try_from) else {
            return Err(text_position.error(Reason::Dice));
        };
        let roll = Roll::new(one, other);
        self.take_of_a_beaver(text_position)?;
        let Some(progress) = &self.progress else { return Ok(()) };
        let position = progress.seen_by(by).map_err(|reason| self.illegal(text_position, reason))?.position;
        let action = match (played(cell.rest), steps::only_play(position, roll)) {
            (Played::Moves(moves), _) => {
                let moves = play::parse(moves).map_err(|error| {
                    let start = at.text_position(cell.rest_at);
                    let there = TextPosition { column: start.column + error.column - 1, ..start };
                    there.error(Reason::Moves(error.reason))
                })?;
                let play = steps::as_written(position, roll, &moves);
                Action::Play { roll, steps: play.map_err(|reason| text_position.error(reason))?.steps }
            }
            (Played::Illegal, _) => return Err(text_position.error(Reason::NotKept("an illegal play"))),
            (Played::Unsaid | Played::CannotMove, Some(only)) => Action::Play { roll, steps: only.steps },
            (Played::Unsaid, None) => Action::Roll(roll),
            (Played::CannotMove, None) => return Err(text_position.error(Reason::NoPlay)),
        };
        self.act(text_position, by, action)
    }

    /// Adds the take of a beaver, which need not be written: anything that follows a beaver, other than its
    /// drop, implies it.
    fn take_of_a_beaver(&mut self, text_position: TextPosition) -> Result<(), TextError> {
        match self.progress.as_ref().and_then(|progress| progress.now().offer) {
            Some(Raise::Beaver(beaver)) => self.act(text_position, beaver.by.other(), Action::Take),
            Some(Raise::Double(_)) | None => Ok(()),
        }
    }

    /// Records an action, if the rules allow it.
    fn act(&mut self, text_position: TextPosition, by: Colour, action: Action) -> Result<(), TextError> {
        let (Some(progress), Some(game), Some((_, text_positions))) =
            (&mut self.progress, self.record.games.last_mut(), self.text_positions.0.last_mut())
        else {
            return Err(text_position.error(Reason::Expected("\"Game 1\"")));
        };
        if game.actions.len() == MOST_ACTIONS {
            return Err(text_position.error(Reason::TooManyActions));
        }
        let entry = Entry { by, action };
        if let Err(reason) = progress.apply(entry) {
            return Err(self.illegal(text_position, reason));
        }
        game.actions.push(entry);
        text_positions.push(text_position);
        Ok(())
    }

    /// The error for a breach of the rules there. If the previous roll has not been played, the fault is
    /// its missing play.
    fn illegal(&self, text_position: TextPosition, reason: Illegal) -> TextError {
        let last = self.text_positions.0.last().and_then(|(_, actions)| actions.last());
        match (reason, last) {
            (Illegal::RollOpen, Some(roll)) => roll.error(Reason::NoPlay),
            _ => text_position.error(reason),
        }
    }

    /// Keeps a statement about the end of the game until all are known.
    fn states(&mut self, at: At<'_>, cell: &Cell<'_>, by: Colour) -> Result<(), TextError> {
        let text_position = at.text_position(cell.at);
        let there = at.text_position(cell.rest_at);
        let stated = Stated {
            points: number(cell.rest).map(|digits| parse(digits, there)).transpose()?,
            win: win_named(cell.rest),
            the_match: words(cell.rest).any(|word| word == "match"),
        };
        self.take_of_a_beaver(text_position)?;
        let loses = cell.kind == Kind::Loses;
        if !loses && stated == Stated::default() {
            return Err(there.error(Reason::Expected("a number")));
        }
        let said = if loses { &mut self.end.lost } else { &mut self.end.won };
        if said.replace(Said { by, stated, text_position }).is_some() {
            return Err(text_position.error(Illegal::GameOver));
        }
        Ok(())
    }

    /// Ends the game by what the text says: a check if it is over, otherwise a resignation. The next score
    /// knows best who won, then the winner's own line, whose column may be wrong.
    fn settle(&mut self, next: Option<[u32; 2]>) -> Result<(), TextError> {
        let End { won, lost } = std::mem::take(&mut self.end);
        let (Some(progress), Some(game)) = (&self.progress, self.record.games.last()) else { return Ok(()) };
        let Some(said) = won.or(lost) else { return Ok(()) };
        let gained = next.and_then(|next| gained(game.score, next));
        let column = if won.is_some() { said.by } else { said.by.other() };
        let winner = gained.map_or(column, |(winner, _)| winner);
        let stated =
            Stated { points: said.stated.points.or(lost.and_then(|lost| lost.stated.points)), ..said.stated };
        let stated = match (stated, gained) {
            (Stated { points: None, .. }, Some((_, points))) => Stated { points: Some(points), ..stated },
            (stated, _) => stated,
        };
        // Who gives up instead of answering a double drops it.
        let drops = progress.now().offer.is_some_and(|offer| offer.by() == winner);
        let text_position = said.text_position;
        if drops {
            self.act(text_position, winner.other(), Action::Drop)?;
        }
        let (Some(progress), Some(game)) = (&self.progress, self.record.games.last()) else { return Ok(()) };
        match resignation(&self.record, game.score, progress, winner, stated) {
            Ok(Some(win)) => self.act(text_position, winner.other(), Action::Resign(win)),
            Ok(None) => Ok(()),
            Err(Reason::Points { found, .. }) if next.is_none() && self.is_for_money(found) => {
                self.record.length = 0;
                self.record.rules = Rules { crawford: false, jacoby: true };
                self.record.games.iter_mut().for_each(|game| game.crawford = false);
                Ok(())
            }
            Err(reason) => Err(text_position.error(reason)),
        }
    }

    /// Whether the only game of the text counted an undoubled gammon or backgammon once, as it does with
    /// Jacoby (C9): then it is for money, although a length stands above it, as Backgammon Galaxy writes one.
    fn is_for_money(&self, found: u32) -> bool {
        let outcome = self.progress.as_ref().and_then(Progress::outcome);
        self.record.games.len() == 1
            && outcome.is_some_and(|Outcome { ended, stake, .. }| {
                matches!(ended, Ended::BorneOff { win } if win != Win::Single)
                    && stake == CubeValue::ONE
                    && found == 1
            })
    }

    /// Ends the game that is being read; `next` is the score after it, if another follows.
    fn finish_game(&mut self, next: Option<[u32; 2]>) -> Result<(), TextError> {
        self.settle(next)?;
        self.outcomes.extend(self.progress.take().map(|progress| progress.outcome()));
        Ok(())
    }

    /// Finishes the record at the end of the text.
    fn end(mut self, last: TextPosition) -> Result<Record, TextError> {
        match self.expects {
            Expects::Length => return Err(last.error(Reason::Expected("the length as \"7 point match\""))),
            Expects::Players => return Err(last.error(Reason::Expected("\"Ann : 0   Bob : 0\""))),
            Expects::Game | Expects::Cells => {}
        }
        self.finish_game(None)?;
        let money = self.record.length == 0;
        self.record.rules.crawford &= !money;
        self.record.rules.jacoby = money && (self.record.rules.jacoby || self.counted_by_jacoby());
        replay(&self.record).map_err(|error| self.text_positions.error(error))?;
        Ok(self.record)
    }

    /// Whether the score after some undoubled gammon or backgammon shows that it counted as a single win
    /// (C9).
    fn counted_by_jacoby(&self) -> bool {
        let next = self.record.games.iter().skip(1);
        self.record.games.iter().zip(&self.outcomes).zip(next).any(|((game, outcome), next)| {
            outcome.is_some_and(|outcome| {
                let at = index(outcome.winner);
                let (Ended::BorneOff { win } | Ended::Resigned { win }) = outcome.ended else { return false };
                let won = next.score[at].checked_sub(game.score[at]);
                win != Win::Single
                    && outcome.stake == game.start.cube.value
                    && won == Some(outcome.stake.get())
            })
        })
    }
}

/// Whether a side goes by the other side's name. A name that is merely spelt differently is the same
/// player's: the score shows that the match goes on.
fn are_crossed(first: &[String; 2], names: &[String; 2]) -> bool {
    let same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    let crossed = |side: usize| !same(&first[side], &names[side]) && same(&first[1 - side], &names[side]);
    crossed(0) || crossed(1)
}

/// The side whose points grew, and by how much; `None` unless it is one side only.
fn gained(before: [u32; 2], after: [u32; 2]) -> Option<(Colour, u32)> {
    match [0, 1].map(|side| after[side].checked_sub(before[side])) {
        [Some(points @ 1..), Some(0)] => Some((Colour::White, points)),
        [Some(0), Some(points @ 1..)] => Some((Colour::Black, points)),
        _ => None,
    }
}

/// The words of a text in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase)
}

/// The kind of win that a text names.
fn win_named(text: &str) -> Option<Win> {
    words(text).find_map(|word| match word.as_str() {
        "single" => Some(Win::Single),
        "gammon" => Some(Win::Gammon),
        "backgammon" => Some(Win::Backgammon),
        _ => None,
    })
}

/// Parses a number that consists of digits only.
fn parse<N: std::str::FromStr>(digits: &str, text_position: TextPosition) -> Result<N, TextError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(text_position.error(Reason::Expected("a number")));
    }
    digits.parse().map_err(|_| text_position.error(Reason::TooLarge))
}
