//! Match text, in and out. The left column is White, the upper slot.
//!
//! A file is read by the rules, play by play, and kept as this program writes it: without names, and of its headers
//! with the date and the variant alone, because events hold ids. Going out, a game is told by its actions where they are known. One
//! that was entered by its result can be said only if the cube stayed at 1: as given up at the start, after a roll that stands for
//! any. Points of a penalty no match text can say.

use super::board::{ending, slot};
use super::decide::{Act, MOST_GAMES, count};
use super::event::{Event, ImportedGame};
use super::game::{Entry, SheetStanding, Source, What, Won};
use super::refusal::Refusal;
use super::state::Sheet;
use super::terms::Terms;
use crate::matches::Slot;
use owlbox_engine::record::replay::GameReplay;
use owlbox_engine::record::{self, Action, GameRecord, Occasion, Record, Rules, mat, replay};
use owlbox_engine::tables::equity::Phase;
use owlbox_engine::{Colour, CubeValue, Die, Raise, Roll, Win};

/// The longest text that is taken, in bytes.
pub const MOST_BYTES: usize = 256 << 10;
/// The roll of a game that was given up before its first.
const NOT_PLAYED: Roll = Roll::new(Die::ALL[1], Die::ALL[0]);
/// What stands for the names in a text that is kept.
const COLOURS: [&str; 2] = ["White", "Black"];

/// A match text, onto an empty sheet.
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

/// The record that a text is, the upper slot in its left column.
fn read(terms: Terms, text: &str, left: Slot) -> Result<Record, Refusal> {
    if text.len() > MOST_BYTES {
        return Err(Refusal::FileTooLong { most: MOST_BYTES });
    }
    let record = mat::read(text.as_bytes()).map_err(|error| Refusal::BadFile {
        place: format!("{}:{}", error.line, error.column),
        detail: error.reason.to_string(),
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

/// The same with the columns changed over.
fn turned(mut record: Record) -> Record {
    for game in &mut record.games {
        game.score.reverse();
        for entry in &mut game.actions {
            entry.by = entry.by.other();
        }
    }
    record
}

/// Without names, and with the rules of the sheet.
fn nameless(mut record: Record, terms: Terms) -> Record {
    // Most files do not say that a match is played without the Crawford rule (M3).
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

fn rules(terms: Terms) -> Rules {
    let money = terms.length().is_none();
    Rules { crawford: terms.crawford(), jacoby: money && terms.cube().jacoby }
}

fn against_the_rules(error: &record::ReplayError) -> Refusal {
    let action = error.action.map_or(String::new(), |action| format!(", action {action}"));
    Refusal::BadFile { place: format!("game {}{action}", error.game), detail: error.reason.to_string() }
}

/// The games of a file that are over, with the score after each.
fn games(terms: Terms, replay: &record::Replay<'_>) -> Result<Vec<ImportedGame>, Refusal> {
    let all = replay.games().count();
    let mut standing = SheetStanding::before(terms);
    let mut games = Vec::with_capacity(all);
    for (number, (game, replayed)) in (1..).zip(replay.games()) {
        let wrong = |detail: String| Refusal::BadFile { place: format!("game {number}"), detail };
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

/// C7, C8, C10: whether the cube went no further than the two play. No file says how far that is.
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

/// What a game of a file counts; `None` if it breaks off.
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

impl Sheet {
    /// The sheet as match text, the upper slot in the left column under the first name.
    ///
    /// # Errors
    /// [`Refusal::PlaysNotKnown`] of a game that was entered with the cube above 1, and of what stands on no game at
    /// all; [`Refusal::Unwritable`] of anything else that match text cannot say.
    pub fn mat(&self, names: [&str; 2]) -> Result<String, Refusal> {
        let terms = self.terms().ok_or(Refusal::NotOpen)?;
        let file = self.file().map(|text| mat::read(text.as_bytes())).transpose();
        let file = file.map_err(|error| unwritable(&error))?;
        let date = match &file {
            Some(file) => file.occasion.date,
            None => self.opened_at().map(|at| at.utc().date_naive()),
        };
        let record = Record {
            players: names.map(str::to_owned),
            length: terms.length().map_or(0, u16::from),
            variant: terms.game().variant,
            rules: rules(terms),
            occasion: Occasion { date, ..Occasion::default() },
            games: self.records(terms, file.as_ref())?,
        };
        let replay = replay(&record).map_err(|error| unwritable(&error))?;
        mat::write(&replay).map_err(|error| unwritable(&error))
    }

    /// Every game as a file tells it, the one that is on last.
    fn records(&self, terms: Terms, file: Option<&Record>) -> Result<Vec<GameRecord>, Refusal> {
        let mut before = SheetStanding::before(terms);
        let mut records = Vec::new();
        for entry in self.entries() {
            if entry.what == What::Void {
                continue;
            }
            if !entry.what.is_game() {
                return Err(Refusal::Unwritable { detail: "points of a penalty".to_owned() });
            }
            let number = u32::try_from(records.len()).unwrap_or(u32::MAX).saturating_add(1);
            let game =
                game_record(terms, entry, before, file).ok_or(Refusal::PlaysNotKnown { game: number })?;
            records.push(at_score(begun(game), before));
            before = entry.standing;
        }
        // The file may end with a game that is not over. One that was brought and never was is not told, and counted here.
        let of_the_file = |entry: &Entry| matches!(entry.source, Source::File(_));
        let unfinished = match (self.board(), file) {
            (Some(board), _) => board.transcript.record(),
            (None, Some(file)) if self.entries().iter().all(of_the_file) => {
                file.games.get(self.entries().len()).cloned()
            }
            (None, _) => None,
        };
        records.extend(unfinished.map(|game| at_score(game, before)));
        if records.is_empty() {
            return Err(Refusal::PlaysNotKnown { game: 1 });
        }
        Ok(records)
    }
}

fn unwritable(error: &impl std::fmt::Display) -> Refusal {
    Refusal::Unwritable { detail: error.to_string() }
}

fn at_score(game: GameRecord, before: SheetStanding) -> GameRecord {
    GameRecord { score: before.won, crawford: before.phase == Some(Phase::Crawford), ..game }
}

/// The game of a line as a file can tell it. What was written down of it must come to what the sheet says: a game that
/// was corrected may not.
fn game_record(
    terms: Terms,
    entry: &Entry,
    before: SheetStanding,
    file: Option<&Record>,
) -> Option<GameRecord> {
    let written = match &entry.source {
        Source::Entered => None,
        Source::Board(transcript) => transcript.record(),
        Source::File(number) => file.and_then(|file| file.games.get(*number)).cloned(),
    };
    let written = written.filter(|game| comes_to(terms, game, before, &entry.what));
    written.or_else(|| match &entry.what {
        What::Won(won) if won.cube == CubeValue::ONE => Some(given_up(terms, won)),
        What::Drawn => Some(GameRecord::new(terms.game().variant)),
        What::Won(_) | What::Void | What::Penalty { .. } => None,
    })
}

/// Whether a game that was written down comes to what the sheet says.
fn comes_to(terms: Terms, game: &GameRecord, before: SheetStanding, what: &What) -> bool {
    let only = Record {
        length: terms.length().map_or(0, u16::from),
        variant: terms.game().variant,
        rules: rules(terms),
        games: vec![at_score(game.clone(), before)],
        ..Record::default()
    };
    let outcome = replay(&only).ok().and_then(|replay| replay.games().next()?.1.outcome);
    match (outcome, what) {
        (Some(outcome), What::Won(won)) => slot(outcome.winner) == won.winner && outcome.points == won.points,
        (None, What::Drawn) => true,
        _ => false,
    }
}

/// A game that was given up before anything was rolled, with a roll of the one who gave it up: GNU Backgammon counts a game by its
/// win line only if anything stands before it. Nobody knows which roll it was, if there was one; it is not played.
fn begun(mut game: GameRecord) -> GameRecord {
    if let [record::Entry { by, action: Action::Resign(_) }] = game.actions.as_slice() {
        let roll = record::Entry { by: *by, action: Action::Roll(NOT_PLAYED) };
        game.actions.insert(0, roll);
    }
    game
}

/// A game of which nothing is known but who won it as what, the cube at 1.
fn given_up(terms: Terms, won: &Won) -> GameRecord {
    let by = match won.winner {
        Slot::Upper => Colour::Black,
        Slot::Lower => Colour::White,
    };
    let win = if won.points == 1 { Win::Single } else { won.win };
    let actions = vec![record::Entry { by, action: Action::Resign(win) }];
    GameRecord { actions, ..GameRecord::new(terms.game().variant) }
}
