//! Writes match text as GNU Backgammon does.

use std::fmt::Write as _;

use super::line::{RIGHT, RIGHT_NAME, plain_name, players};
use crate::colour::Colour;
use crate::cube::Raise;
use crate::movement::Movement;
use crate::place::{Place, across};
use crate::play::Steps;
use crate::position::Position;
use crate::record::progress::is_crawford;
use crate::record::replay::{GameReplay, Replay, Situation};
use crate::record::text::{LONGEST_LINE, one_line};
use crate::record::variation::title;
use crate::record::{Action, GameRecord, Record, Start, Unwritable, index};
use crate::result::{Ended, Outcome};
use crate::variant::Variant;

/// The match text of a legal record.
///
/// ```
/// use owlbox_engine::record::{mat, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob]MI[length:3];W[31hefe])")?;
/// let text = mat::write(&replay(&record)?)?;
/// assert!(text.contains(" 3 point match\n") && text.contains("1) 31: 8/5 6/5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unwritable`]. Games must begin with the start of their variant and with the cube in the middle at 1, and
/// names must not look like points. Ratings and countries are left out of names, as on reading.
pub fn write(replay: &Replay<'_>) -> Result<String, Unwritable> {
    let record = replay.record();
    let mut text = headers(record);
    let names = record.players.each_ref().map(|name| plain_name(name));
    match record.games.first() {
        None if names.iter().any(|name| !name.is_empty()) => return Err(Unwritable::NoGames),
        Some(first) if !first.crawford && is_crawford(record, &[], first.score).is_none() => {
            return Err(Unwritable::AfterCrawford);
        }
        _ => {}
    }
    // Writing into a `String` cannot fail.
    let _ = writeln!(text, " {} point match\n", record.length);
    for (number, (game, replayed)) in replay.games().enumerate() {
        if game.start != Start::new(record.variant) {
            return Err(Unwritable::SetUp { game: number + 1 });
        }
        let players = players_line(&names, game.score).ok_or(Unwritable::Names)?;
        let _ = writeln!(text, " Game {}\n{players}", number + 1);
        write_game(&mut text, game, replayed);
        text.push('\n');
    }
    Ok(text)
}

/// The line with names and points; `None` if it would be read back as something else.
fn players_line(names: &[String; 2], score: [u32; 2]) -> Option<String> {
    let left = format!("{} : {}", names[0], score[0]);
    // A name longer than its column would run into the next one.
    let gap = if left.chars().count() < RIGHT_NAME - 1 { "" } else { " " };
    let line = format!(" {left:<0$}{gap}{1} : {2}", RIGHT_NAME - 1, names[1], score[1]);
    let read = players(&line).filter(|_| line.len() <= LONGEST_LINE)?;
    let same = |((name, points), side): ((&str, &str), usize)| {
        plain_name(name) == names[side] && points == score[side].to_string()
    };
    let as_written = read.into_iter().zip(0..).all(same);
    as_written.then_some(line)
}

/// The comments at the head, and the empty line after them.
fn headers(record: &Record) -> String {
    let mut text = String::new();
    let mut header = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(text, "; [{key} \"{}\"]", one_line(&value));
        }
    };
    let occasion = &record.occasion;
    header("Site", occasion.site.clone());
    header("Event", occasion.event.clone());
    header("Round", occasion.round.clone());
    header("EventDate", occasion.date.map(|date| date.format("%Y.%m.%d").to_string()));
    let variation = (record.variant != Variant::Standard).then(|| title(record.variant).to_owned());
    header("Variation", variation);
    let money = record.length == 0;
    header("Crawford", (!money && !record.rules.crawford).then(|| "Off".to_owned()));
    header("Jacoby", (money && record.rules.jacoby).then(|| "On".to_owned()));
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// The lines of a game.
fn write_game(text: &mut String, game: &GameRecord, replayed: &GameReplay) {
    let mut columns = Columns { text, lines: 0, right_is_free: false };
    for (entry, before) in game.actions.iter().zip(&replayed.before) {
        if let Some(cell) = cell(entry.action, before) {
            columns.cell(entry.by, &cell);
        }
    }
    if let Some(outcome) = replayed.outcome {
        columns.wins(outcome);
    } else {
        columns.end_line();
    }
}

/// The cell of an action; `None` for the take of a beaver and for a resignation, which the win line shows.
fn cell(action: Action, before: &Situation) -> Option<String> {
    let beaver = matches!(before.offer, Some(Raise::Beaver(_)));
    Some(match action {
        Action::Play { roll, steps } => {
            format!("{}{}: {}", roll.high(), roll.low(), moves(before.position, steps))
        }
        Action::Roll(roll) => format!("{}{}: ", roll.high(), roll.low()),
        Action::Double => match before.offer {
            None => format!(" Doubles => {}", before.cube.value.get() * 2),
            Some(offer) => format!(" Beavers => {}", offer.to().get() * 2),
        },
        Action::Take if beaver => return None,
        Action::Take => " Takes".to_owned(),
        Action::Drop => " Drops".to_owned(),
        Action::Resign(_) => return None,
    })
}

/// The steps, with a blank after each but a fourth, as GNU Backgammon has it.
fn moves(position: Position, steps: Steps) -> String {
    let mut blots: Vec<u8> = (1..=24).filter(|point| is_blot(position, *point)).collect();
    let mut text = String::new();
    for (number, step) in steps.iter().enumerate() {
        let hit = blots.iter().position(|blot| *blot == step.to());
        let star = hit.map_or("", |hit| {
            blots.swap_remove(hit);
            "*"
        });
        let _ = write!(text, "{}/{}{star}{}", step.from(), step.to(), if number < 3 { " " } else { "" });
    }
    text
}

/// Whether the other side has a lone checker there that can be hit (G9) or pinned (V4).
fn is_blot(position: Position, point: Place) -> bool {
    match position.movement() {
        Movement::Backgammon | Movement::Plakoto => {
            position.other().at(across(point)) == 1 && position.mover().at(point) == 0
        }
        Movement::Fevga => false,
    }
}

/// The two columns, filled one after the other.
struct Columns<'t> {
    text: &'t mut String,
    lines: usize,
    right_is_free: bool,
}

impl Columns<'_> {
    fn cell(&mut self, by: Colour, cell: &str) {
        match by {
            Colour::White => {
                self.end_line();
                self.left(cell);
            }
            Colour::Black => {
                if !self.right_is_free {
                    self.left("");
                }
                let _ = writeln!(self.text, "{cell}");
                self.right_is_free = false;
            }
        }
    }

    fn left(&mut self, cell: &str) {
        self.lines += 1;
        let _ = write!(self.text, "{:3}) {cell:<27} ", self.lines);
        self.right_is_free = true;
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.right_is_free) {
            self.text.push('\n');
        }
    }

    /// The line with the winner. Next to a drop in the left column, it goes on the same line.
    fn wins(&mut self, outcome: Outcome) {
        let Outcome { winner, points, ended, .. } = outcome;
        let points = format!("Wins {points} point{}", if points == 1 { "" } else { "s" });
        if self.right_is_free && ended == (Ended::Dropped {}) {
            let _ = writeln!(self.text, " {points} ");
            return;
        }
        self.end_line();
        let _ = writeln!(self.text, "{:1$}{points}", "", [6, 34][index(winner)]);
    }
}

// The reader must find both columns where they are written.
const _: () = assert!(RIGHT > 6 && RIGHT < 33);
