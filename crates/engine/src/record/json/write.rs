//! Writes the JSON that GNU Backgammon exports.

use chrono::Datelike as _;

use super::{Action, Document, Game, GameInfo, Kind, MatchInfo, Player, no_result};
use crate::notation::gnu::position_id;
use crate::record::replay::{GameReplay, Replay, Situation};
use crate::record::variation::word;
use crate::record::{Action as Done, Entry, GameRecord, Occasion, Record, Start, Unwritable, is_complete};
use crate::result::Ended;
use crate::variant::Variant;

/// The JSON document of a legal record.
///
/// ```
/// use owlbox_engine::record::{json, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob];W[31hefe];B[double];W[drop])")?;
/// let document = json::write(&replay(&record)?)?;
/// let text = serde_json::to_string(&document)?;
/// assert_eq!(json::read(text.as_bytes())?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unwritable::SetUp`] for a set-up of the cube, and for one of checkers that would not show. A game's
/// first action shows them by its position ID, if it is a play or a double.
pub fn write(replay: &Replay<'_>) -> Result<Document, Unwritable> {
    let record = replay.record();
    let games = replay.games().enumerate().map(|(number, (game, replayed))| {
        if can_be_told(game, record.variant) {
            Ok(write_game(record, game, replayed))
        } else {
            Err(Unwritable::SetUp { game: number + 1 })
        }
    });
    Ok(Document { info: info(record), games: games.collect::<Result<_, _>>()? })
}

fn can_be_told(game: &GameRecord, variant: Variant) -> bool {
    let common = Start::new(variant);
    let shown = matches!(game.actions.first(), Some(Entry { action: Done::Play { .. } | Done::Double, .. }));
    game.start.cube == common.cube
        && (game.start.position == common.position || shown && is_complete(game.start.position, variant))
}

fn info(record: &Record) -> MatchInfo {
    let [white, black] = record.players.clone().map(|name| Player { name });
    let Occasion { site, event, round, date } = record.occasion.clone();
    let money = record.length == 0;
    let rules = [("Crawford", record.rules.crawford && !money), ("Jacoby", record.rules.jacoby && money)];
    let number = |part: u32| i32::try_from(part).unwrap_or_default();
    MatchInfo {
        white,
        black,
        match_length: record.length,
        date: date.map(|date| [number(date.day()), number(date.month()), date.year()]),
        event,
        round,
        place: site,
        result: no_result(),
        variation: Some(word(record.variant).to_owned()),
        rules: rules.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned()).collect(),
    }
}

fn write_game(record: &Record, game: &GameRecord, replayed: &GameReplay) -> Game {
    let [score_white, score_black] = game.score;
    let needs_one = game.score.iter().any(|points| points.saturating_add(1) == u32::from(record.length));
    let info = GameInfo {
        score_white,
        score_black,
        crawford: (record.rules.crawford && needs_one).then_some(game.crawford),
        winner: replayed.outcome.map(|outcome| outcome.winner.into()),
        points_won: replayed.outcome.map(|outcome| outcome.points),
        resigned: replayed.outcome.map(|outcome| matches!(outcome.ended, Ended::Resigned { .. })),
    };
    let actions = game.actions.iter().zip(&replayed.before);
    Game { info, game: actions.map(|(entry, before)| write_action(*entry, before)).collect() }
}

fn write_action(entry: Entry, before: &Situation) -> Action {
    let board = || Some(position_id(before.position));
    let nothing = Action {
        dice: None,
        steps: None,
        board: None,
        action: Kind::Take,
        player: entry.by.into(),
        points: None,
    };
    match entry.action {
        Done::Play { roll, steps } => Action {
            dice: Some(roll),
            steps: Some(steps.iter().map(|step| [step.from(), step.to()]).collect()),
            board: board(),
            action: Kind::Move,
            ..nothing
        },
        Done::Roll(roll) => Action { dice: Some(roll), action: Kind::Set, ..nothing },
        Done::Double => Action { board: board(), action: Kind::Double, ..nothing },
        Done::Take => nothing,
        Done::Drop => Action { action: Kind::Drop, ..nothing },
        Done::Resign(win) => Action { action: Kind::Resign, points: Some(win.multiplier()), ..nothing },
    }
}
