//! Reads the Smart Game Format for backgammon.

use chrono::NaiveDate;

use super::place;
use super::tree::{Property, Tree, Value, main_lines};
use crate::colour::Colour;
use crate::cube::{Cube, CubeValue};
use crate::dice::{Die, Roll};
use crate::notation::play::{Moved, read::Reason as MoveReason};
use crate::place::OFF;
use crate::position::{Checkers, Position};
use crate::record::progress::{Progress, is_crawford};
use crate::record::stated::resignation;
use crate::record::text::{
    Reason, TextError, TextPosition, TextPositions, characters, in_four_digits, one_line,
};
use crate::record::variation;
use crate::record::{Action, Entry, GameRecord, MOST_ACTIONS, Record, Start, replay, steps};
use crate::variant::Variant;

/// Reads a record from SGF.
///
/// ```
/// use owlbox_engine::record::sgf;
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob]MI[length:3];W[31hefe];B[double];W[drop])")?;
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

/// Like [`read`], for a file that is of `variant` if it does not name one.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::record::sgf;
///
/// let record = sgf::read_as(Variant::Nackgammon, b"(;GM[6])")?;
/// assert_eq!(record.variant, Variant::Nackgammon);
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] at the place of the first fault.
pub fn read_as(variant: Variant, bytes: &[u8]) -> Result<Record, TextError> {
    let text = characters(bytes)?;
    let trees = main_lines(&text)?;
    let mut record = Record { variant, ..Record::default() };
    let mut text_positions = TextPositions::default();
    // Any game may say that Crawford is played, and the first must know it, so all roots are read beforehand.
    for (number, tree) in trees.iter().enumerate() {
        occasion(&mut record, tree.text_position, tree.root(), number == 0)?;
    }
    for tree in &trees {
        let (game, actions) = game(&record, tree)?;
        record.games.push(game);
        text_positions.0.push((tree.text_position, actions));
    }
    replay(&record).map_err(|error| text_positions.error(error))?;
    Ok(record)
}

/// Reads from a root what holds for the whole record. All roots must agree on the players, the variant and
/// the length.
fn occasion(
    record: &mut Record,
    text_position: TextPosition,
    root: &[Property],
    first: bool,
) -> Result<(), TextError> {
    let text = |name: &str| value(root, name).map(|value| one_line(&value.text));
    if let Some(game) = value(root, "GM")
        && game.text.trim() != "6"
    {
        return Err(game.text_position.error(Reason::Expected("6, which is backgammon")));
    }
    let players = [text("PW").unwrap_or_default(), text("PB").unwrap_or_default()];
    let length = information(root, "length")?.unwrap_or_default();
    let length = u16::try_from(length).map_err(|_| text_position.error(Reason::TooLarge))?;
    let variant = variant(root)?.unwrap_or(record.variant);
    if first {
        (record.players, record.length, record.variant) = (players, length, variant);
        let known = |name| text(name).filter(|text| !text.is_empty());
        record.occasion.site = known("PC");
        record.occasion.event = known("EV");
        record.occasion.round = known("RO");
        // A date may be a list, of which the first is used.
        let date = text("DT").unwrap_or_default();
        let date = NaiveDate::parse_from_str(date.get(..10).unwrap_or(""), "%Y-%m-%d");
        record.occasion.date = in_four_digits(date.ok());
    } else if record.players != players {
        return Err(text_position.error(Reason::OtherPlayers));
    } else if record.variant != variant {
        return Err(text_position.error(Reason::Expected("a game of the same variant")));
    } else if record.length != length {
        return Err(text_position.error(Reason::Expected("a game of the same length")));
    }
    record.rules.crawford |= record.length > 0 && has_rule(root, "Crawford");
    record.rules.jacoby |= record.length == 0 && has_rule(root, "Jacoby");
    Ok(())
}

/// The first value of a property.
fn value<'n>(node: &'n [Property], name: &str) -> Option<&'n Value> {
    node.iter().find(|property| property.name == name).and_then(|property| property.values.first())
}

/// Whether `RU` names a rule, alone or among others.
fn has_rule(root: &[Property], rule: &str) -> bool {
    let values = root.iter().filter(|property| property.name == "RU").flat_map(|property| &property.values);
    values.flat_map(|value| value.text.split(':')).any(|found| found.trim() == rule)
}

/// The game that `RU` names among its rules, if any.
fn variant(root: &[Property]) -> Result<Option<Variant>, TextError> {
    let values = root.iter().filter(|property| property.name == "RU").flat_map(|property| &property.values);
    for value in values {
        for word in value.text.split(':') {
            let found = variation::among_rules(word).map_err(|reason| value.text_position.error(reason))?;
            match found {
                None => {}
                Some(Variant::Plakoto | Variant::Fevga) => {
                    return Err(value.text_position.error(Reason::variation(word.trim())));
                }
                Some(
                    Variant::Standard
                    | Variant::Nackgammon
                    | Variant::HyperBackgammon
                    | Variant::Misere
                    | Variant::Inverse,
                ) => return Ok(found),
            }
        }
    }
    Ok(None)
}

/// A number from a property such as `MI[length:7][ws:1]`.
fn information(root: &[Property], key: &str) -> Result<Option<u32>, TextError> {
    let values = root.iter().filter(|property| property.name == "MI").flat_map(|property| &property.values);
    for value in values {
        if let Some((found, number)) = value.text.split_once(':')
            && found.trim() == key
        {
            return number
                .trim()
                .parse()
                .map(Some)
                .map_err(|_| value.text_position.error(Reason::Expected("a number")));
        }
    }
    Ok(None)
}

/// A game, and the places of its actions.
fn game(record: &Record, tree: &Tree) -> Result<(GameRecord, Vec<TextPosition>), TextError> {
    let root = tree.root();
    let score = [information(root, "ws")?.unwrap_or_default(), information(root, "bs")?.unwrap_or_default()];
    let derived = is_crawford(record, &record.games, score);
    let crawford = has_rule(root, "CrawfordGame") || derived == Some(true);
    let mut set_up = SetUp::new(record.variant);
    let first_action = |property: &Property| matches!(property.name, "W" | "B" | "DI");
    let begin = tree.properties.iter().position(first_action).unwrap_or(tree.properties.len());
    let (before, after) = tree.properties.split_at(begin);
    for property in before {
        set_up.property(property)?;
    }
    let game = GameRecord { score, crawford, start: set_up.start()?, actions: Vec::new() };
    let mut reader = Reader {
        progress: Progress::new(record, &game),
        game,
        text_positions: Vec::new(),
        turn: set_up.turn,
        rolled: None,
    };
    for property in after {
        reader.property(property)?;
    }
    reader.open_roll()?;
    if let Some(result) = value(root, "RE") {
        reader.result(record, result)?;
    }
    Ok((reader.game, reader.text_positions))
}

/// The set-up before a game begins.
struct SetUp {
    /// The number of checkers a side has.
    checkers: u8,
    /// White's and Black's checkers, each as that side counts. Those missing have been borne off.
    counts: [[u8; 26]; 2],
    cube_value: CubeValue,
    cube_owner: Option<Colour>,
    turn: Option<Colour>,
    last: TextPosition,
}

impl SetUp {
    fn new(variant: Variant) -> Self {
        let start = variant.start();
        let side =
            |checkers: Checkers| std::array::from_fn(|at| u8::try_from(at).map_or(0, |at| checkers.at(at)));
        Self {
            checkers: variant.checkers(),
            counts: [side(start.mover()), side(start.other())],
            cube_value: CubeValue::ONE,
            cube_owner: None,
            turn: None,
            last: TextPosition::START,
        }
    }

    fn property(&mut self, property: &Property) -> Result<(), TextError> {
        if !matches!(property.name, "AE" | "AW" | "AB" | "PL" | "CV" | "CO" | "CP") {
            return Ok(());
        }
        for value in &property.values {
            self.last = value.text_position;
            let text = value.text.trim();
            match property.name {
                "AE" => self.points(value, |[white, black], at| {
                    white[at(Colour::White)] = 0;
                    black[at(Colour::Black)] = 0;
                })?,
                "AW" => self.points(value, |[white, _], at| add(white, at(Colour::White)))?,
                "AB" => self.points(value, |[_, black], at| add(black, at(Colour::Black)))?,
                "PL" => self.turn = Some(side(value)?),
                "CV" => {
                    let number = text.parse().ok().and_then(|number: u32| CubeValue::try_from(number).ok());
                    self.cube_value = number
                        .ok_or_else(|| value.text_position.error(Reason::Expected("a power of two")))?;
                }
                _ if text.eq_ignore_ascii_case("c") || text.eq_ignore_ascii_case("n") => {
                    self.cube_owner = None
                }
                _ => self.cube_owner = Some(side(value)?),
            }
        }
        Ok(())
    }

    /// Calls `each` for every place of `a` or `a:c`, with its index as either colour counts it.
    fn points(
        &mut self,
        value: &Value,
        mut each: impl FnMut(&mut [[u8; 26]; 2], &dyn Fn(Colour) -> usize),
    ) -> Result<(), TextError> {
        let (from, to) = match value.text.trim().as_bytes() {
            [one] => (*one, *one),
            [from, b':', to] => (*from, *to),
            _ => return Err(value.text_position.error(Reason::Expected("a point from a to z"))),
        };
        if !from.is_ascii_lowercase() || !(from..=b'z').contains(&to) {
            return Err(value.text_position.error(Reason::Expected("a point from a to z")));
        }
        for letter in from..=to {
            each(&mut self.counts, &|side| place(side, letter).map_or(0, usize::from));
        }
        Ok(())
    }

    fn start(&self) -> Result<Start, TextError> {
        let side = |mut counts: [u8; 26]| {
            counts[usize::from(OFF)] = 0;
            let in_play: u32 = counts.iter().map(|count| u32::from(*count)).sum();
            let off = u32::from(self.checkers).saturating_sub(in_play);
            counts[usize::from(OFF)] = u8::try_from(off).unwrap_or_default();
            Checkers::new(counts)
        };
        let wrong = |error| self.last.error(Reason::SetUp(error));
        let (white, black) = (side(self.counts[0]).map_err(wrong)?, side(self.counts[1]).map_err(wrong)?);
        let cube = match self.cube_owner {
            None => Cube::centred(self.cube_value),
            Some(owner) => Cube::owned(self.cube_value, owner),
        };
        Ok(Start { position: Position::new(white, black).map_err(wrong)?, cube })
    }
}

/// Adds one checker at that index.
fn add(counts: &mut [u8; 26], at: usize) {
    counts[at] = counts[at].saturating_add(1);
}

/// Reads `W` or `B`, which may begin a whole word.
fn side(value: &Value) -> Result<Colour, TextError> {
    match value.text.trim().as_bytes().first() {
        Some(b'W' | b'w') => Ok(Colour::White),
        Some(b'B' | b'b') => Ok(Colour::Black),
        _ => Err(value.text_position.error(Reason::Expected("W or B"))),
    }
}

/// The game that is being read.
struct Reader {
    progress: Progress,
    game: GameRecord,
    text_positions: Vec<TextPosition>,
    /// The side that `PL` gave, until the next action.
    turn: Option<Colour>,
    /// The roll that `DI` gave, which may still be played.
    rolled: Option<(TextPosition, Colour, Roll)>,
}

impl Reader {
    fn property(&mut self, property: &Property) -> Result<(), TextError> {
        let Some(value) = property.values.first() else { return Ok(()) };
        match property.name {
            "W" => self.done(Colour::White, value),
            "B" => self.done(Colour::Black, value),
            "PL" => {
                self.turn = Some(side(value)?);
                Ok(())
            }
            "DI" => {
                self.open_roll()?;
                let roll = dice(value)?;
                self.rolled = Some((value.text_position, self.turn.unwrap_or(self.progress.actor()), roll));
                Ok(())
            }
            "AE" | "AW" | "AB" | "CV" | "CO" | "CP" => {
                Err(property.text_position.error(Reason::NotKept("a set-up in mid-game")))
            }
            _ => Ok(()),
        }
    }

    /// Records a roll that was never played.
    fn open_roll(&mut self) -> Result<(), TextError> {
        match self.rolled.take() {
            Some((text_position, by, roll)) => self.act(text_position, by, Action::Roll(roll)),
            None => Ok(()),
        }
    }

    fn done(&mut self, by: Colour, value: &Value) -> Result<(), TextError> {
        let action = match value.text.trim() {
            "double" => Action::Double,
            "take" => Action::Take,
            "drop" => Action::Drop,
            "" => return self.passed(by, value),
            _ => {
                let roll = dice(value)?;
                // If this roll was given by `DI` before, it is played now.
                self.rolled.take_if(|(_, roller, rolled)| *roller == by && *rolled == roll);
                let situation =
                    self.progress.seen_by(by).map_err(|reason| value.text_position.error(reason))?;
                let play = steps::as_written(situation.position, roll, &moves(by, value)?);
                Action::Play { roll, steps: play.map_err(|reason| value.text_position.error(reason))?.steps }
            }
        };
        self.open_roll()?;
        // A side given by `PL` holds for one action only.
        self.turn = None;
        self.act(value.text_position, by, action)
    }

    /// A side that is closed out simply does not roll (G17).
    fn passed(&self, by: Colour, value: &Value) -> Result<(), TextError> {
        let now = self.progress.now();
        if now.turn == by && now.position.is_closed_out() {
            Ok(())
        } else {
            Err(value.text_position.error(Reason::NotKept("a turn without a roll")))
        }
    }

    fn act(&mut self, text_position: TextPosition, by: Colour, action: Action) -> Result<(), TextError> {
        if self.game.actions.len() == MOST_ACTIONS {
            return Err(text_position.error(Reason::TooManyActions));
        }
        let entry = Entry { by, action };
        self.progress.apply(entry).map_err(|reason| text_position.error(reason))?;
        self.game.actions.push(entry);
        self.text_positions.push(text_position);
        Ok(())
    }

    /// Reads `RE[W+2]` or `RE[W+2R]`. Any other value means that there is no result.
    fn result(&mut self, record: &Record, value: &Value) -> Result<(), TextError> {
        let Some((_, points)) = value.text.trim().split_once('+') else { return Ok(()) };
        let winner = side(value)?;
        let points = points.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let found: u32 =
            points.parse().map_err(|_| value.text_position.error(Reason::Expected("points as \"W+2\"")))?;
        if self.progress.outcome().is_some_and(|outcome| outcome.winner != winner) {
            return Err(value.text_position.error(Reason::Winner));
        }
        let win = resignation(record, self.game.score, &self.progress, winner, found.into());
        match win.map_err(|reason| value.text_position.error(reason))? {
            Some(win) => self.act(value.text_position, winner.other(), Action::Resign(win)),
            None => Ok(()),
        }
    }
}

/// The roll from the first two digits.
fn dice(value: &Value) -> Result<Roll, TextError> {
    let die = |digit: u8| digit.checked_sub(b'0').and_then(|pips| Die::try_from(pips).ok());
    match value.text.trim_start().as_bytes() {
        [one, other, ..] => die(*one).zip(die(*other)).map(|(one, other)| Roll::new(one, other)),
        _ => None,
    }
    .ok_or_else(|| value.text_position.error(Reason::Dice))
}

/// The moves from the pairs of letters after the dice.
fn moves(by: Colour, value: &Value) -> Result<Vec<Moved>, TextError> {
    let blanks = value.text.chars().take_while(|c| c.is_whitespace()).count();
    let letters = value.text.trim().as_bytes().get(2..).unwrap_or_default();
    letters
        .chunks(2)
        .enumerate()
        .map(|(number, pair)| {
            let text_position = TextPosition {
                column: value.text_position.column + blanks + 2 + 2 * number,
                ..value.text_position
            };
            let [from, to] = *pair else { return Err(text_position.error(Reason::Expected("two points"))) };
            let (Some(from), Some(to)) = (place(by, from), place(by, to)) else {
                return Err(text_position.error(Reason::Expected("two points from a to z")));
            };
            if from > to {
                Ok(Moved { from, to, hit: false })
            } else {
                Err(text_position.error(Reason::Moves(MoveReason::Direction { from, to })))
            }
        })
        .collect()
}
