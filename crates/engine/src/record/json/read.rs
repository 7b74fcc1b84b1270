//! Reads the JSON that GNU Backgammon exports.

use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Action, GameInfo, Kind, MatchInfo, Side};
use crate::colour::Colour;
use crate::notation::gnu::from_position_id;
use crate::notation::play::{Moved, read::Reason as MoveReason};
use crate::place::BAR;
use crate::record::progress::{Progress, is_crawford};
use crate::record::stated::resignation;
use crate::record::text::{Reason, TextError, TextPosition, characters, in_four_digits, one_line};
use crate::record::variation;
use crate::record::{
    Action as Done, Entry, GameRecord, MOST_ACTIONS, MOST_GAMES, Occasion, Record, Rules, Start, replay,
    steps,
};
use crate::result::Win;
use crate::variant::Variant;

/// A document with its games as slices of the text, so that errors can be located.
#[derive(Deserialize)]
struct Document<'t> {
    #[serde(rename = "match-info")]
    info: MatchInfo,
    #[serde(borrow)]
    games: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
struct Game<'t> {
    info: GameInfo,
    #[serde(borrow)]
    game: Vec<&'t RawValue>,
}

/// Reads a record from JSON. Boards are used only in a game's first action, where they may show a set-up.
/// Results are only checked.
///
/// ```
/// use owlbox_engine::record::json;
///
/// let text = r#"{"match-info": {"X": {"name": "Ann"}, "O": {"name": "Bob"}, "match-length": 7},
///     "games": []}"#;
/// assert_eq!(json::read(text.as_bytes())?.length, 7);
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
/// use owlbox_engine::record::json;
///
/// let text = r#"{"match-info": {"X": {"name": "Ann"}, "O": {"name": "Bob"}, "match-length": 7},
///     "games": []}"#;
/// let record = json::read_as(Variant::Fevga, text.as_bytes())?;
/// assert_eq!(record.variant, Variant::Fevga);
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] at the place of the first fault.
pub fn read_as(variant: Variant, bytes: &[u8]) -> Result<Record, TextError> {
    let characters = characters(bytes)?;
    let text = Text(&characters);
    let document: Document<'_> = text.part(text.0)?;
    if let Some(first_too_many) = document.games.get(MOST_GAMES) {
        return Err(text.error(first_too_many.get(), Reason::TooManyGames));
    }
    let variant = document.info.variation.as_deref().map_or(Ok(variant), variation::from_name);
    let variant = variant.map_err(|reason| text.error(text.0, reason))?;
    let mut record = header(document.info, variant);
    let mut parts = Vec::new();
    for part in document.games {
        let game: Game<'_> = text.part(part.get())?;
        parts.push((part, game.game.clone()));
        let game = read_game(text, &record, part, &game)?;
        record.games.push(game);
    }
    // Locating a part takes a walk through the text, so it is done for errors only.
    replay(&record).map_err(|error| {
        let place = parts.get(error.game - 1).map(|(game, actions)| {
            error.action.and_then(|action| actions.get(action - 1)).unwrap_or(game).get()
        });
        text.error(place.unwrap_or(text.0), error.reason)
    })?;
    Ok(record)
}

/// The whole text, of which all parts are slices.
#[derive(Clone, Copy)]
struct Text<'t>(&'t str);

impl<'t> Text<'t> {
    /// The place where `part` begins.
    fn text_position(self, part: &str) -> TextPosition {
        let at = part.as_ptr().addr().saturating_sub(self.0.as_ptr().addr());
        let before = self.0.get(..at).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        TextPosition {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    fn error(self, part: &str, reason: impl Into<Reason>) -> TextError {
        self.text_position(part).error(reason)
    }

    /// Deserializes `part`, with errors located in the whole text.
    fn part<P: Deserialize<'t>>(self, part: &'t str) -> Result<P, TextError> {
        serde_json::from_str(part).map_err(|error| {
            let start = self.text_position(part);
            // Serde counts bytes. Continuation bytes of UTF-8 do not begin a character, so they do not count.
            let line = part.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
            let before = line.bytes().take(error.column().saturating_sub(1));
            let column = before.filter(|byte| byte & 0xc0 != 0x80).count() + 1;
            let text_position = match error.line() {
                0 | 1 => TextPosition { column: start.column + column - 1, ..start },
                line => TextPosition { line: start.line + line - 1, column },
            };
            let message = error.to_string();
            // The message need not repeat the place.
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            text_position.error(Reason::Json(message.to_owned()))
        })
    }
}

fn header(info: MatchInfo, variant: Variant) -> Record {
    let MatchInfo { white, black, match_length, date, event, round, place, rules, .. } = info;
    let rule = |name: &str| rules.iter().any(|rule| rule == name);
    let number = |number: i32| u32::try_from(number).ok();
    let date =
        date.and_then(|[day, month, year]| NaiveDate::from_ymd_opt(year, number(month)?, number(day)?));
    let known = |text: Option<String>| text.map(|text| one_line(&text)).filter(|text| !text.is_empty());
    let money = match_length == 0;
    Record {
        players: [white, black].map(|player| one_line(&player.name)),
        length: match_length,
        variant,
        rules: Rules { crawford: !money && rule("Crawford"), jacoby: money && rule("Jacoby") },
        occasion: Occasion {
            site: known(place),
            event: known(event),
            round: known(round),
            date: in_four_digits(date),
        },
        games: Vec::new(),
    }
}

fn read_game(
    text: Text<'_>,
    record: &Record,
    part: &RawValue,
    game: &Game<'_>,
) -> Result<GameRecord, TextError> {
    let info = &game.info;
    if let Some(first_too_many) = game.game.get(MOST_ACTIONS) {
        return Err(text.error(first_too_many.get(), Reason::TooManyActions));
    }
    let score = [info.score_white, info.score_black];
    let derived = is_crawford(record, &record.games, score);
    let crawford = info.crawford == Some(true) || derived == Some(true);
    let start = game
        .game
        .first()
        .map_or(Ok(Start::new(record.variant)), |first| start(text, record.variant, first.get()))?;
    let mut read = GameRecord { score, crawford, start, actions: Vec::new() };
    let mut progress = Progress::new(record, &read);
    for part in &game.game {
        let wrong = |reason: Reason| text.error(part.get(), reason);
        let action: Action = text.part(part.get())?;
        let by = action.player.into();
        let entry = Entry { by, action: done(&progress, by, &action).map_err(wrong)? };
        progress.apply(entry).map_err(|reason| wrong(reason.into()))?;
        read.actions.push(entry);
    }
    let (Some(winner), Some(points)) = (info.winner, info.points_won) else { return Ok(read) };
    let winner: Colour = winner.into();
    if progress.outcome().is_some_and(|outcome| outcome.winner != winner) {
        return Err(text.error(part.get(), Reason::Winner));
    }
    let win = resignation(record, score, &progress, winner, points.into());
    if let Some(win) = win.map_err(|reason| text.error(part.get(), reason))? {
        read.actions.push(Entry { by: winner.other(), action: Done::Resign(win) });
    }
    Ok(read)
}

/// The start of a game, which its first action shows.
fn start(text: Text<'_>, variant: Variant, part: &str) -> Result<Start, TextError> {
    let common = Start::new(variant);
    // If the action is faulty, reading it later reports that.
    let Ok(Action { board: Some(board), player, .. }) = serde_json::from_str(part) else {
        return Ok(common);
    };
    let position = from_position_id(&board, variant.checkers());
    let position = position.map_err(|error| text.error(part, Reason::Json(error.to_string())))?;
    if position.movement() != common.position.movement() {
        return Err(text.error(part, Reason::Json("the position is of another game".to_owned())));
    }
    let position = if player == Side::X { position } else { position.turned() };
    Ok(Start { position, ..common })
}

/// The action that a JSON action stands for.
fn done(progress: &Progress, by: Colour, action: &Action) -> Result<Done, Reason> {
    let dice = || action.dice.ok_or(Reason::Dice);
    Ok(match action.action {
        Kind::Move => {
            let roll = dice()?;
            let moves = action.steps.iter().flatten().map(|[from, to]| moved(*from, *to));
            let moves = moves.collect::<Result<Vec<_>, _>>()?;
            let play = steps::as_written(progress.seen_by(by)?.position, roll, &moves)?;
            Done::Play { roll, steps: play.steps }
        }
        Kind::Set => Done::Roll(dice()?),
        Kind::Double => Done::Double,
        Kind::Take => Done::Take,
        Kind::Drop => Done::Drop,
        Kind::Resign => {
            let points = action.points.ok_or(Reason::Expected("the points of a resignation"))?;
            let win = Win::ALL.into_iter().find(|win| win.multiplier() == points);
            Done::Resign(win.ok_or(Reason::Expected("a resignation for 1, 2 or 3"))?)
        }
    })
}

fn moved(from: u8, to: u8) -> Result<Moved, Reason> {
    if from <= BAR && to < from {
        Ok(Moved { from, to, hit: false })
    } else {
        Err(Reason::Moves(MoveReason::Direction { from, to }))
    }
}
