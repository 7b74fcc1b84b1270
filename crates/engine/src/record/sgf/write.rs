//! Writes the Smart Game Format for backgammon.

use std::fmt::Write as _;

use super::{LETTERS, letter};
use crate::colour::Colour;
use crate::cube::Owner;
use crate::movement::Movement;
use crate::place::BAR;
use crate::play::Steps;
use crate::position::Position;
use crate::record::replay::Replay;
use crate::record::text::one_line;
use crate::record::variation::word;
use crate::record::{Action, Entry, GameRecord, Record, Start, Unwritable, is_complete};
use crate::result::{Ended, Outcome};
use crate::variant::Variant;

/// The SGF of a legal record.
///
/// If a side resigned, the result is the loss it offered, times the cube. With Jacoby that can be more than
/// it counted (C9), which [`RU[Jacoby]`](super) shows.
///
/// ```
/// use owlbox_engine::record::{replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]MI[length:3];W[31hefe])")?;
/// let text = sgf::write(&replay(&record)?)?;
/// assert!(text.ends_with(";W[31hefe])\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unwritable::NoGames`], as each game has a tree of its own and there is no other place for the players.
/// [`Unwritable::SetUp`] for a set-up without all the checkers of the variant: readers take missing ones as
/// borne off. [`Unwritable::Variant`] for Plakoto and Fevga.
pub fn write(replay: &Replay<'_>) -> Result<String, Unwritable> {
    if replay.record().games.is_empty() {
        return Err(Unwritable::NoGames);
    }
    let variant = replay.record().variant;
    if variant.start().movement() != Movement::Backgammon {
        return Err(Unwritable::Variant);
    }
    let mut text = String::new();
    for (number, (game, replayed)) in replay.games().enumerate() {
        if !is_complete(game.start.position, variant) {
            return Err(Unwritable::SetUp { game: number + 1 });
        }
        root(&mut text, replay.record(), number, game, replayed.outcome);
        for entry in &game.actions {
            text += &node(*entry);
        }
        text += ")\n";
    }
    Ok(text)
}

/// The first node, with everything known of a game before it begins.
fn root(text: &mut String, record: &Record, number: usize, game: &GameRecord, outcome: Option<Outcome>) {
    let [white, black] = record.players.each_ref().map(|name| escaped(name));
    let [ws, bs] = game.score;
    // Writing into a `String` cannot fail.
    let _ = write!(
        text,
        "(;FF[4]GM[6]CA[UTF-8]AP[Owlbox:{}]MI[length:{}][game:{number}][ws:{ws}][bs:{bs}]PW[{white}]PB[{black}]",
        env!("CARGO_PKG_VERSION"),
        record.length,
    );
    if number == 0 {
        let occasion = &record.occasion;
        let date = occasion.date.map(|date| date.format("%Y-%m-%d").to_string());
        let all = [("EV", &occasion.event), ("RO", &occasion.round), ("PC", &occasion.site), ("DT", &date)];
        for (name, value) in all {
            if let Some(value) = value {
                let _ = write!(text, "{name}[{}]", escaped(value));
            }
        }
    }
    let rules = rules(record, game);
    if !rules.is_empty() {
        let _ = write!(text, "RU[{}]", rules.join(":"));
    }
    if let Some(outcome) = outcome {
        let _ = write!(text, "RE[{}]", result(outcome));
    }
    set_up(text, game.start, Start::new(record.variant));
}

/// The rules in force, and the name of the game if it is not backgammon.
fn rules(record: &Record, game: &GameRecord) -> Vec<&'static str> {
    let money = record.length == 0;
    let crawford = !money && record.rules.crawford;
    let all = [
        ("Crawford", crawford),
        ("CrawfordGame", crawford && game.crawford),
        ("Jacoby", money && record.rules.jacoby),
        (word(record.variant), record.variant != Variant::Standard),
    ];
    all.into_iter().filter(|(_, holds)| *holds).map(|(word, _)| word).collect()
}

/// The result as `W+2`, after a resignation as `W+2R`.
fn result(outcome: Outcome) -> String {
    let winner = name(outcome.winner);
    match outcome.ended {
        Ended::Resigned { win } => format!("{winner}+{}R", win.multiplier() * outcome.stake.get()),
        Ended::BorneOff { .. } | Ended::Dropped { .. } | Ended::MotherPinned { .. } => {
            format!("{winner}+{}", outcome.points)
        }
    }
}

/// The properties of a start that differs from the variant's.
fn set_up(text: &mut String, start: Start, common: Start) {
    if start.position != common.position {
        text.push_str("AE[a:y]");
        checkers(text, Colour::White, start.position);
        checkers(text, Colour::Black, start.position.turned());
    }
    if start.cube != common.cube {
        let owner = match start.cube.owner {
            Owner::Centred => "c",
            Owner::Owned(Colour::White) => "w",
            Owner::Owned(Colour::Black) => "b",
        };
        let _ = write!(text, "CV[{}]CO[{owner}]", start.cube.value);
    }
}

/// The mover's checkers in play, one letter each.
fn checkers(text: &mut String, side: Colour, position: Position) {
    let places = (1..=BAR).flat_map(|place| (0..position.mover().at(place)).map(move |_| place));
    for (number, place) in places.enumerate() {
        if number == 0 {
            let _ = write!(text, "A{}", name(side));
        }
        let _ = write!(text, "[{}]", letter(side, place));
    }
}

/// The node of an action. A resignation has none, because the result shows it.
fn node(Entry { by, action }: Entry) -> String {
    let side = name(by);
    match action {
        Action::Play { roll, steps } => {
            format!("\n;{side}[{}{}{}]", roll.high(), roll.low(), moves(by, steps))
        }
        Action::Roll(roll) => format!("\n;PL[{side}]DI[{}{}]", roll.high(), roll.low()),
        Action::Double => format!("\n;{side}[double]"),
        Action::Take => format!("\n;{side}[take]"),
        Action::Drop => format!("\n;{side}[drop]"),
        Action::Resign(_) => String::new(),
    }
}

fn moves(by: Colour, steps: Steps) -> String {
    steps.iter().flat_map(|step| [letter(by, step.from()), letter(by, step.to())]).collect()
}

const fn name(side: Colour) -> char {
    match side {
        Colour::White => 'W',
        Colour::Black => 'B',
    }
}

/// The text with the escapes a value needs.
fn escaped(text: &str) -> String {
    one_line(text).replace('\\', "\\\\").replace(']', "\\]")
}

// Every place has a letter.
const _: () = assert!(LETTERS.len() == BAR as usize + 1);
