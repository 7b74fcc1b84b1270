//! Import of match text.
//!
//! A file is replayed by the rules, play by play, and stored as this program writes it: without names, and
//! with only the date and the variant of its headers, because events hold ids.

use super::{Act, count};
use crate::matches::Slot;
use crate::matches::board::slot;
use crate::matches::event::{Event, ImportedGame};
use crate::matches::game::{SheetStanding, Won, ending};
use crate::matches::mat::rules;
use crate::matches::refusal::Refusal;
use crate::matches::state::MOST_GAMES;
use crate::matches::state::Sheet;
use crate::matches::terms::Terms;
use owlbox_engine::record::replay::GameReplay;
use owlbox_engine::record::{self, Action, Binary, GameRecord, Occasion, Record, mat, replay};
use owlbox_engine::{Raise, Variant};

/// The longest text accepted, in bytes.
pub const MOST_BYTES: usize = 256 << 10;
/// The names in a stored text.
const COLOURS: [&str; 2] = ["White", "Black"];

/// Imports a match text into an empty sheet.
pub(super) fn import(sheet: &Sheet, text: &str, left: Slot, act: &mut Act) -> Result<(), Refusal> {
    let terms = sheet.terms().ok_or(Refusal::NotOpen)?;
    if sheet.board().is_some() {
        return Err(Refusal::Refereed);
    }
    if !sheet.entries().is_empty() || sheet.file().is_some() {
        return Err(Refusal::AlreadyScored);
    }
    let record = nameless(read(terms, text, left)?, terms);
    let replay = replay(&record).map_err(|error| against_the_rules(&error))?;
    let games = games(terms, &replay)?;
    let text = mat::write(&replay).map_err(|reason| Refusal::Unwritable { detail: reason.to_string() })?;
    act.happens(Event::Imported { text, games, entered_by: None });
    act.settles();
    Ok(())
}

/// Parses the text and checks that it belongs to this sheet; the result has the upper slot in its left
/// column.
fn read(terms: Terms, text: &str, left: Slot) -> Result<Record, Refusal> {
    let file = Binary::of(text.as_bytes());
    if text.len() > MOST_BYTES && file.is_none() {
        return Err(Refusal::FileTooLong { most: MOST_BYTES });
    }
    let unless_it_says = record::Rules { crawford: terms.crawford(), jacoby: false };
    let record = mat::read_assuming(Variant::Standard, unless_it_says, text.as_bytes());
    let record = record.map_err(|error| Refusal::BadFile {
        place: format!("{}:{}", error.line, error.column),
        detail: error.reason.to_string(),
        file,
    })?;
    if record.length != terms.length().map_or(0, u16::from) {
        return Err(Refusal::OtherLength { found: record.length });
    }
    if record.variant != terms.game().variant {
        return Err(Refusal::OtherVariant { found: record.variant });
    }
    if record.games.first().is_none_or(|first| first.score != [0; 2]) {
        return Err(Refusal::NotFromStart);
    }
    Ok(match left {
        Slot::Upper => record,
        Slot::Lower => turned(record),
    })
}

/// The record with its columns swapped.
fn turned(mut record: Record) -> Record {
    for game in &mut record.games {
        game.score.reverse();
        for entry in &mut game.actions {
            entry.by = entry.by.other();
        }
    }
    record
}

/// The record without names, and with the rules of the sheet.
fn nameless(mut record: Record, terms: Terms) -> Record {
    // A file may say that a match is played by the Crawford rule (M3) when it is not.
    for game in &mut record.games {
        game.crawford &= terms.crawford();
    }
    Record {
        players: COLOURS.map(str::to_owned),
        rules: rules(terms),
        occasion: Occasion { date: record.occasion.date, ..Occasion::default() },
        ..record
    }
}

fn against_the_rules(error: &record::ReplayError) -> Refusal {
    let action = error.action.map_or(String::new(), |action| format!(", action {action}"));
    let place = format!("game {}{action}", error.game);
    Refusal::BadFile { place, detail: error.reason.to_string(), file: None }
}

/// The games of the file that are over, with the score after each.
fn games(terms: Terms, replay: &record::Replay<'_>) -> Result<Vec<ImportedGame>, Refusal> {
    let all = replay.games().count();
    let mut standing = SheetStanding::before(terms);
    let mut games = Vec::with_capacity(all);
    for (number, (game, replayed)) in (1..).zip(replay.games()) {
        let wrong = |detail: String| Refusal::BadFile { place: format!("game {number}"), detail, file: None };
        within_the_terms(terms, game, replayed).map_err(wrong)?;
        let won = won(terms, game, replayed);
        if won.is_none() && number == all {
            break;
        }
        standing =
            won.map_or(Ok(standing), |won| standing.after(terms, &won)).map_err(|e| wrong(e.to_string()))?;
        games.push(ImportedGame { won, standing });
    }
    match u32::try_from(games.len()) {
        Ok(games) if games <= MOST_GAMES => {}
        _ => return Err(Refusal::TooManyGames { most: MOST_GAMES }),
    }
    Ok(games)
}

/// Checks that the cube stayed within the terms (C7, C8, C10). Files do not state that limit.
fn within_the_terms(terms: Terms, game: &GameRecord, replayed: &GameReplay) -> Result<(), String> {
    let options = terms.cube();
    for (entry, before) in game.actions.iter().zip(&replayed.before) {
        if entry.action != Action::Double {
            continue;
        }
        let (number, from) = match before.offer {
            None => (0, before.cube.value),
            Some(raise @ Raise::Double(_)) => (1, raise.to()),
            Some(Raise::Beaver(beaver)) => (beaver.number.saturating_add(1), beaver.to),
        };
        if number > 0 && !options.beavers.allow(number) {
            return Err("the session is played without this beaver".to_owned());
        }
        if from.doubled().is_none_or(|to| to > options.limit()) {
            return Err(format!("the cube may not go above {}", options.limit()));
        }
    }
    Ok(())
}

/// The result of a game of the file; `None` if it breaks off.
fn won(terms: Terms, game: &GameRecord, replayed: &GameReplay) -> Option<Won> {
    let outcome = replayed.outcome?;
    let (win, how) = ending(outcome.ended);
    let began = game.actions.first().filter(|first| matches!(first.action, Action::Play { .. }));
    let won = Won {
        winner: slot(outcome.winner),
        win,
        cube: outcome.stake,
        turned: replayed.last.cube.is_turned(),
        how,
        began: began.map(|first| slot(first.by)),
        points: outcome.points,
    };
    Some(count(terms, won))
}
