//! Decides the commands of a sheet: the events each leads to, or the refusal. Reasons are given in the order
//! of [`Refusal`](super::refusal).
//!
//! * `score`: games, penalties, the final score.
//! * `ruling`: concessions and rulings.
//! * `contest`: contests of what the other side has entered.
//! * `correct`: corrections of earlier games.
//! * `board`: the game that the engine referees.
//! * `clock`: the clock.
//! * `import`: games from match text.
//!
//! Whatever they decide, the stake of a match follows the outcome.

mod board;
mod clock;
mod contest;
mod correct;
mod import;
mod ruling;
mod score;

use super::aspects::CommandAspect;
use super::command::{Command, CommandKind, Entered};
use super::event::{DecidedBy, Event};
use super::game::GameEnding;
use super::refusal::Refusal;
use super::state::{Sheet, Status};
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::ClockSetting;
use crate::matches::score::MatchTally;
use crate::matches::{Ending, Outcome, Slot};
use owlbox_base::journal::Inputs;
use owlbox_base::values::{PlayerId, Timestamp};

pub use import::MOST_BYTES;
pub(super) use score::count;

type Decision = Result<Vec<Event>, Refusal>;

pub(super) fn decide(sheet: &Sheet, command: &Command, inputs: &mut Inputs<'_>) -> Decision {
    let mut events = what_happens(sheet, command, inputs)?;
    events.extend(stake_follows(sheet, &events, inputs.now));
    Ok(events)
}

/// Moves the stake of the match to whom it is due after these events; `None` if it is there already.
fn stake_follows(before: &Sheet, events: &[Event], at: Timestamp) -> Option<Event> {
    if !matches!(before.terms(), Some(Terms::Match { stake: Some(_), .. })) {
        return None;
    }
    let mut after = before.clone();
    for event in events {
        after.take_note(event, at);
    }
    let (from, to) = (after.stake_won(), after.stake_due());
    (from != to).then_some(Event::StakeMoved { from, to })
}

/// The events of a command, except for what becomes of the stake.
fn what_happens(sheet: &Sheet, command: &Command, inputs: &mut Inputs<'_>) -> Decision {
    if let Command::Claim { by, command } = command {
        let events = what_happens(sheet, command, inputs)?;
        return Ok(events.into_iter().map(|event| claimed(*by, event)).collect());
    }
    if let Command::GivenBy { by, command } = command {
        let events = what_happens(sheet, command, inputs)?;
        if matches!(**command, Command::Board { .. }) {
            // The board's own result was entered by nobody.
            return Ok(events);
        }
        return Ok(events.into_iter().map(|event| event.entered_by_person(*by)).collect());
    }
    may_come(sheet, command)?;
    let mut act = Act::on(sheet, inputs.now);
    match command {
        Command::Open { players, terms, clock, of } => return open(*players, *terms, *clock, *of),
        Command::Game(entered) => score::game(&mut act, entered)?,
        Command::Resign { by, win, cube, turned, began } => {
            let (winner, how) = (by.other(), GameEnding::Resigned);
            score::game(
                &mut act,
                &Entered { winner, win: *win, cube: *cube, how, turned: *turned, began: *began },
            )?;
        }
        Command::Draw {} => score::draw(&mut act)?,
        Command::Penalty { gains, points } => score::penalty(&mut act, *gains, *points)?,
        Command::Late { by, minutes } => score::late(&mut act, *by, *minutes)?,
        Command::Final { score } => score::stated(&mut act, *score)?,
        Command::Concede { by } => ruling::concede(&mut act, *by)?,
        Command::Rule { outcome, withdraws } => ruling::rule(&mut act, *outcome, withdraws)?,
        // Unwrapped above.
        Command::Claim { .. } | Command::GivenBy { .. } => {}
        Command::Follow(bracket) => ruling::follow(&mut act, *bracket)?,
        Command::Contest { by, game } => contest::contest(&mut act, *by, *game)?,
        Command::WithdrawContest { by, game } => contest::withdraw(&mut act, *by, *game)?,
        Command::RuleContest { game, ruling } => contest::rule(&mut act, *game, *ruling)?,
        Command::Correct { game, now } => correct::correct(&mut act, *game, now)?,
        Command::Adjourn {} => {
            act.clock_stops();
            act.happens(Event::Adjourned {});
        }
        Command::Resume {} => act.happens(Event::Resumed {}),
        Command::Close {} => close(&mut act)?,
        Command::Pay { by, amount } => pay(&mut act, *by, *amount)?,
        Command::StartBoard { dice } => board::start(&mut act, *dice)?,
        Command::Board { by, action } => board::act(&mut act, *by, action, inputs.chance)?,
        Command::AbandonBoard {} => board::abandon(&mut act)?,
        Command::Import { text, left } => import::import(sheet, text, *left, &mut act)?,
        Command::SetClock { clock: setting, left } => clock::set(&mut act, *setting, *left)?,
        Command::StartClock { slot } => clock::start(&mut act, *slot)?,
        Command::PressClock { by } => clock::press(&mut act, *by)?,
        Command::PauseClock {} => clock::pause(&mut act)?,
        Command::ResumeClock {} => clock::resume(&mut act)?,
    }
    Ok(act.events)
}

/// Where one side alone reports the end of the match, the outcome becomes a claim.
fn claimed(by: Slot, event: Event) -> Event {
    if let Event::Finished {
        by: DecidedBy::Score {} | DecidedBy::Stated {},
        outcome: Outcome { score: Some(score), .. },
        ..
    } = event
    {
        Event::Claimed { by, score }
    } else {
        event
    }
}

/// Checks that a command of this kind is possible now, leaving aside its values and the board.
fn may_come(sheet: &Sheet, command: &Command) -> Result<(), Refusal> {
    let kind = CommandKind::from(command);
    let money = sheet.terms().is_some_and(|terms| terms.length().is_none());
    let payable = money || sheet.terms().is_some_and(|terms| terms.stake().is_some());
    let opens = kind == CommandKind::Open;
    if opens != (sheet.status() == Status::Unopened) {
        return Err(if opens { Refusal::AlreadyOpen } else { Refusal::NotOpen });
    }
    if opens || kind == CommandKind::Follow {
        return Ok(());
    }
    if sheet.is_detached() {
        return Err(Refusal::Detached);
    }
    let after_the_end = kind.has(CommandAspect::AfterTheEnd) || payable && kind == CommandKind::Pay;
    if sheet.status() == Status::Over && !after_the_end {
        return Err(if money { Refusal::SessionClosed } else { Refusal::MatchOver });
    }
    if money && kind.has(CommandAspect::OfMatchesAlone) {
        return Err(Refusal::NotInMoney);
    }
    if !money && kind == CommandKind::Close || !payable && kind == CommandKind::Pay {
        return Err(Refusal::NotInMatch);
    }
    if sheet.score_is_open() && kind.has(CommandAspect::OfPlay) {
        return Err(Refusal::DecidedByScore);
    }
    if sheet.status() == Status::Adjourned {
        if kind.has(CommandAspect::NeedsPlayers) { Err(Refusal::Adjourned) } else { Ok(()) }
    } else if kind == CommandKind::Resume {
        Err(Refusal::NotAdjourned)
    } else {
        Ok(())
    }
}

fn open(
    players: [PlayerId; 2],
    terms: Terms,
    clock: Option<ClockSetting>,
    of: Option<MatchOfTournament>,
) -> Decision {
    if players[0] == players[1] {
        return Err(Refusal::SamePlayer);
    }
    if clock.is_some() && terms.length().is_none() {
        return Err(Refusal::NotInMoney);
    }
    clock::possible(clock)?;
    terms.check().map_err(|contradiction| Refusal::ContradictoryTerms { contradiction })?;
    // That of a tournament has none: there the entry fees are played for.
    let terms = if of.is_some() { terms.without_stake() } else { terms };
    let booked = terms.are_booked();
    Ok(vec![Event::Opened { players, terms, clock, of, booked }])
}

fn close(act: &mut Act) -> Result<(), Refusal> {
    if act.now.board().is_some() {
        return Err(Refusal::Refereed);
    }
    act.happens(Event::Closed {});
    Ok(())
}

/// Records a payment, which changes debts, never the score. Nobody pays more than they owe, and nothing at
/// all while a contest leaves that open.
fn pay(act: &mut Act, by: Slot, amount: i64) -> Result<(), Refusal> {
    if act.now.debt_is_contested() {
        return Err(Refusal::Contested);
    }
    let (_, most) = act.now.owed().filter(|(owes, _)| *owes == by).ok_or(Refusal::NothingOwed)?;
    if !(1..=most).contains(&amount) {
        return Err(Refusal::BadAmount { most });
    }
    act.happens(Event::Paid { by, amount });
    Ok(())
}

/// An act in the making: the events so far, and the state they have led to.
pub(super) struct Act {
    pub(super) now: Sheet,
    events: Vec<Event>,
    at: Timestamp,
}

impl Act {
    fn on(before: &Sheet, at: Timestamp) -> Self {
        Self { now: before.clone(), events: Vec::new(), at }
    }

    pub(super) fn happens(&mut self, event: Event) {
        self.now.take_note(&event, self.at);
        self.events.push(event);
    }

    fn terms(&self) -> Result<Terms, Refusal> {
        self.now.terms().ok_or(Refusal::NotOpen)
    }

    fn tally(&self) -> Result<MatchTally, Refusal> {
        self.now.tally().ok_or(Refusal::NotInMoney)
    }

    /// Pauses the clock if it runs.
    fn clock_stops(&mut self) {
        if self.now.clock().is_some_and(|clock| clock.running().is_some()) {
            self.happens(Event::ClockPaused {});
        }
    }

    /// Gives the match this outcome.
    fn finishes(&mut self, by: DecidedBy, outcome: Outcome) {
        self.clock_stops();
        self.happens(Event::Finished { by, outcome, entered_by: None, withdraws: Vec::new() });
    }

    /// Ends the match if one side has its points (M1).
    pub(super) fn settles(&mut self) {
        if let Some(tally) = self.now.tally()
            && let Some(winner) = tally.winner()
        {
            self.finishes(DecidedBy::Score {}, won_by(winner, Ending::Played, Some(tally)));
        }
    }

    /// Checks that the game on the board, if any, goes on by the rules it began with.
    fn board_stands(&self) -> Result<(), Refusal> {
        match (self.now.board(), self.now.game_rules()) {
            (Some(board), Some(rules))
                if self.now.status() != Status::Over && *board.game.rules() != rules =>
            {
                Err(Refusal::GameRulesChange)
            }
            _ => Ok(()),
        }
    }
}

/// The outcome of a match won by `winner` at this score.
fn won_by(winner: Slot, ending: Ending, tally: Option<MatchTally>) -> Outcome {
    Outcome { winner: Some(winner), ending, score: tally.map(|tally| tally.points()) }
}
