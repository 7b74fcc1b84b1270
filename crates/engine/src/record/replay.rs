//! Goes through a record by the rules.

pub use super::progress::{Illegal, Situation};
use super::progress::{Progress, is_crawford};
use super::{GameRecord, Record, index};
use crate::result::Outcome;

/// A record known to be legal, with everything that follows from it by the rules.
///
/// ```
/// use owlbox_engine::record::{replay, sgf};
///
/// let record = sgf::read(b"(;GM[6];W[31hefe];B[double];W[drop])")?;
/// let replayed = replay(&record)?;
/// assert_eq!(replayed.games().count(), 1);
/// assert_eq!(replayed.score(), [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<'r> {
    record: &'r Record,
    games: Vec<GameReplay>,
    score: [u32; 2],
}

/// A legal game with all of its situations.
///
/// ```
/// use owlbox_engine::Ended;
/// use owlbox_engine::record::{replay, sgf};
///
/// let record = sgf::read(b"(;GM[6];W[31hefe];B[double];W[drop])")?;
/// let replayed = replay(&record)?;
/// let (_, game) = replayed.games().next().unwrap();
/// assert_eq!(game.before.len(), 3);
/// assert_eq!(game.outcome.map(|outcome| outcome.ended), Some(Ended::Dropped {}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameReplay {
    /// The situation before each action, in order.
    pub before: Vec<Situation>,
    /// The situation after the last action.
    pub last: Situation,
    /// The result; `None` if the game is unfinished.
    pub outcome: Option<Outcome>,
}

/// The place where a record breaks the rules, and the reason.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::record::{Action, Entry, GameRecord, Record, replay};
///
/// let entry = Entry { by: Colour::White, action: Action::Take };
/// let games = vec![GameRecord { actions: vec![entry], ..GameRecord::default() }];
/// let record = Record { games, ..Record::default() };
/// let error = replay(&record).unwrap_err();
/// assert_eq!(error.to_string(), "game 1, action 1: there is no double to answer");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}{}: {reason}", .action.map_or(String::new(), |action| format!(", action {action}")))]
#[non_exhaustive]
pub struct ReplayError {
    /// The number of the game, from 1.
    pub game: usize,
    /// The number of the action in that game, from 1; `None` if the game itself is wrong.
    pub action: Option<usize>,
    /// The rule that is broken.
    pub reason: Illegal,
}

impl<'r> Replay<'r> {
    /// The record that was replayed.
    #[must_use]
    pub const fn record(&self) -> &'r Record {
        self.record
    }

    /// The games in order, each with its replay.
    pub fn games(&self) -> impl Iterator<Item = (&'r GameRecord, &GameReplay)> {
        self.record.games.iter().zip(&self.games)
    }

    /// The points of White and Black after the last game. In a match they may exceed its length (M2).
    #[must_use]
    pub const fn score(&self) -> [u32; 2] {
        self.score
    }
}

/// Replays `record`. Every action must be legal, and every score must follow from the games before.
///
/// A side that is one point away may double like any other: M6 is advice about what to offer, not a
/// prohibition.
///
/// ```
/// use owlbox_engine::record::{replay, sgf};
///
/// let record = sgf::read(b"(;GM[6];W[31hefe])")?;
/// let replayed = replay(&record)?;
/// let (_, game) = replayed.games().next().unwrap();
/// // Seen by Black, who is about to roll or to double.
/// assert_eq!(game.last.position.other().pips(), 163);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReplayError`] for the first fault.
pub fn replay(record: &Record) -> Result<Replay<'_>, ReplayError> {
    let mut games = Vec::with_capacity(record.games.len());
    let mut score = record.games.first().map_or([0; 2], |first| first.score);
    for (number, game) in record.games.iter().enumerate() {
        let wrong = |action, reason| ReplayError { game: number + 1, action, reason };
        check_score(record, number, game, score).map_err(|reason| wrong(None, reason))?;
        let mut progress = Progress::new(record, game);
        let mut before = Vec::with_capacity(game.actions.len());
        for (at, entry) in game.actions.iter().enumerate() {
            // Where the situation leaves open who acts, the action decides.
            let situation = progress.seen_by(entry.by).unwrap_or(progress.now());
            progress.apply(*entry).map_err(|reason| wrong(Some(at + 1), reason))?;
            before.push(situation);
        }
        let outcome = progress.outcome();
        if let Some(Outcome { winner, points, .. }) = outcome {
            score[index(winner)] = score[index(winner)].saturating_add(points);
        }
        games.push(GameReplay { before, last: progress.now(), outcome });
    }
    Ok(Replay { record, games, score })
}

/// Whether a game can begin at its score, and marks itself as the Crawford game or not correctly.
fn check_score(record: &Record, number: usize, game: &GameRecord, counted: [u32; 2]) -> Result<(), Illegal> {
    let found = game.score;
    if found != counted {
        return Err(Illegal::Score { found, counted });
    }
    if record.length > 0 && found.iter().any(|points| *points >= u32::from(record.length)) {
        return Err(Illegal::MatchOver);
    }
    let crawford = is_crawford(record, &record.games[..number], found);
    if crawford.is_some_and(|crawford| crawford != game.crawford) {
        return Err(Illegal::NotCrawford { score: found, marked: game.crawford });
    }
    Ok(())
}
