//! Export to match text. The left column is White, the upper slot.
//!
//! A game is written action by action where the actions are known. One that was entered by its result can be
//! written only if the cube stayed at 1: as resigned at the start, after a roll that stands for any. Penalty
//! points cannot be written at all.

use super::board::slot;
use super::game::{Entry, LineContent, SheetStanding, Source, Won};
use super::refusal::Refusal;
use super::state::Sheet;
use super::terms::Terms;
use crate::matches::Slot;
use owlbox_engine::record::{self, Action, GameRecord, Occasion, Record, Rules, mat, replay};
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_engine::{Colour, CubeValue, Die, Roll, Win};

/// The roll put before a resignation that came before any roll.
const NOT_PLAYED: Roll = Roll::new(Die::ALL[1], Die::ALL[0]);

/// The rules of a record under these terms.
pub(super) fn rules(terms: Terms) -> Rules {
    let money = terms.length().is_none();
    Rules { crawford: terms.crawford(), jacoby: money && terms.cube().jacoby }
}

impl Sheet {
    /// The sheet as match text, with the upper slot in the left column under the first name.
    ///
    /// # Errors
    /// [`Refusal::PlaysNotKnown`] for a game that was entered with the cube above 1, and for a sheet without
    /// any game; [`Refusal::Unwritable`] for anything else that match text cannot say.
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

    /// The record of every game, the one in progress last.
    fn records(&self, terms: Terms, file: Option<&Record>) -> Result<Vec<GameRecord>, Refusal> {
        let mut before = SheetStanding::before(terms);
        let mut records = Vec::new();
        for entry in self.entries() {
            if entry.what == LineContent::Void {
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
        // An imported file may end with a game that is not over: the one after the sheet's lines. Voided
        // games are left out above but count here, because each of them is a game of the file.
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
    GameRecord { score: before.won, crawford: before.phase == Some(MatchPhase::Crawford), ..game }
}

/// The record of one line. Recorded moves are used only if they lead to the result on the sheet, which they
/// may not after a correction.
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
        LineContent::Won(won) if won.cube == CubeValue::ONE => Some(given_up(terms, won)),
        LineContent::Drawn => Some(GameRecord::new(terms.game().variant)),
        LineContent::Won(_) | LineContent::Void | LineContent::Penalty { .. } => None,
    })
}

/// Whether the recorded moves lead to the result on the sheet.
fn comes_to(terms: Terms, game: &GameRecord, before: SheetStanding, what: &LineContent) -> bool {
    let only = Record {
        length: terms.length().map_or(0, u16::from),
        variant: terms.game().variant,
        rules: rules(terms),
        games: vec![at_score(game.clone(), before)],
        ..Record::default()
    };
    let outcome = replay(&only).ok().and_then(|replay| replay.games().next()?.1.outcome);
    match what {
        LineContent::Won(won) => {
            outcome.is_some_and(|outcome| slot(outcome.winner) == won.winner && outcome.points == won.points)
        }
        LineContent::Drawn => outcome.is_none(),
        LineContent::Void | LineContent::Penalty { .. } => false,
    }
}

/// Puts a roll of the resigning side before a resignation that came before any roll: GNU Backgammon counts a
/// game by its win line only if something precedes that line. Nobody knows which roll it was, if there was
/// one; it is not played.
fn begun(mut game: GameRecord) -> GameRecord {
    if let [record::Entry { by, action: Action::Resign(_) }] = game.actions.as_slice() {
        let roll = record::Entry { by: *by, action: Action::Roll(NOT_PLAYED) };
        game.actions.insert(0, roll);
    }
    game
}

/// A game of which only the winner and the kind of win are known, with the cube at 1.
fn given_up(terms: Terms, won: &Won) -> GameRecord {
    let by = match won.winner {
        Slot::Upper => Colour::Black,
        Slot::Lower => Colour::White,
    };
    let win = if won.points == 1 { Win::Single } else { won.win };
    let actions = vec![record::Entry { by, action: Action::Resign(win) }];
    GameRecord { actions, ..GameRecord::new(terms.game().variant) }
}
