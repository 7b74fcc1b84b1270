//! Reconstructs the commands behind the events of a sheet.

use super::board::slot;
use super::command::{Command, ContestRuling, Entered, InBracket};
use super::event::{DecidedBy, Event};
use super::game::{EnteredBy, Won};
use super::state::Sheet;
use crate::matches::{Outcome, Slot};
use owlbox_base::journal::again::{Accountable, PossibleCommand};
use owlbox_engine::game::Event as OnBoard;
use owlbox_engine::game::again::Acted;

impl Accountable for Sheet {
    const DECIDES_SINCE: i16 = 2;
    const SEVERAL: bool = false;

    fn asked(&self, event: &Event, act: &[Event]) -> Vec<PossibleCommand<Command>> {
        let asked = self.asked_by_anybody(event, act);
        // Every entry is made by somebody, but journals from before this was recorded do not say by whom.
        match act.iter().find_map(Event::entered_by) {
            Some(by) => asked.into_iter().map(|asked| asked_by(by, asked)).collect(),
            None => asked,
        }
    }
}

/// The same command, given by this person.
fn asked_by(by: EnteredBy, asked: PossibleCommand<Command>) -> PossibleCommand<Command> {
    PossibleCommand { command: Command::GivenBy { by, command: Box::new(asked.command) }, ..asked }
}

impl Sheet {
    fn asked_by_anybody(&self, event: &Event, act: &[Event]) -> Vec<PossibleCommand<Command>> {
        let commands = match event {
            Event::Board { of } => return on_board(of, act),
            Event::Opened { players, terms, clock, of, booked: _ } => {
                vec![Command::Open { players: *players, terms: *terms, clock: *clock, of: *of }]
            }
            Event::GameWon { won, .. } => vec![Command::Game(entered(won))],
            Event::GameDrawn { .. } => vec![Command::Draw {}],
            Event::Penalised { gains, minutes: Some(minutes), .. } => {
                vec![Command::Late { by: gains.other(), minutes: *minutes }]
            }
            Event::Penalised { gains, points, minutes: None, .. } => {
                vec![Command::Penalty { gains: *gains, points: *points }]
            }
            Event::Corrected { game, now, .. } => {
                vec![Command::Correct { game: *game, now: entered(now) }]
            }
            Event::Claimed { by, score } => claimed(*by, *score, act),
            Event::Finished { by, outcome, entered_by: _, withdraws } => finished(*by, *outcome, withdraws),
            Event::Contested { by, game, .. } => vec![Command::Contest { by: *by, game: *game }],
            Event::ContestWithdrawn { by, game, .. } => {
                vec![Command::WithdrawContest { by: *by, game: *game }]
            }
            Event::Upheld { game, .. } => {
                vec![Command::RuleContest { game: *game, ruling: ContestRuling::Stands }]
            }
            Event::Voided { game, .. } => {
                vec![Command::RuleContest { game: Some(*game), ruling: ContestRuling::Void }]
            }
            Event::Reopened {} => vec![
                Command::Rule { outcome: None, withdraws: Vec::new() },
                follow(None),
                Command::RuleContest { game: None, ruling: ContestRuling::Void },
            ],
            Event::Detached {} => vec![Command::Follow(InBracket::Others)],
            Event::Attached {} => vec![follow(self.outcome()), follow(None)],
            // It follows from what decided the match.
            Event::StakeMoved { .. } => Vec::new(),
            Event::Adjourned {} => vec![Command::Adjourn {}],
            Event::Resumed {} => vec![Command::Resume {}],
            Event::Closed {} => vec![Command::Close {}],
            Event::Paid { by, amount } => vec![Command::Pay { by: *by, amount: *amount }],
            Event::BoardStarted { dice, .. } => vec![Command::StartBoard { dice: *dice }],
            Event::BoardAbandoned {} => vec![Command::AbandonBoard {}],
            // The stored text has the upper slot in its left column.
            Event::Imported { text, .. } => vec![Command::Import { text: text.clone(), left: Slot::Upper }],
            Event::ClockSet { clock, left } => vec![Command::SetClock { clock: *clock, left: *left }],
            Event::ClockStarted { slot } => {
                vec![Command::PressClock { by: slot.other() }, Command::StartClock { slot: *slot }]
            }
            Event::ClockPaused {} => vec![Command::PauseClock {}],
            Event::ClockResumed {} => vec![Command::ResumeClock {}],
        };
        commands.into_iter().map(PossibleCommand::from).collect()
    }
}

/// The game as it was entered, without its points: those are computed.
const fn entered(won: &Won) -> Entered {
    let Won { winner, win, cube, turned, how, began, points: _ } = *won;
    Entered { winner, win, cube, how, turned: Some(turned), began }
}

const fn follow(outcome: Option<Outcome>) -> Command {
    Command::Follow(InBracket::Theirs(outcome))
}

/// A claim of one side alone: of a final score, or of a game that would end the match.
fn claimed(by: Slot, score: [u16; 2], act: &[Event]) -> Vec<Command> {
    let game = act.iter().find_map(|event| {
        if let Event::GameWon { won, .. } = event { Some(Command::Game(entered(won))) } else { None }
    });
    let said = [Command::Final { score }].into_iter().chain(game);
    said.map(|command| Command::Claim { by, command: Box::new(command) }).collect()
}

fn finished(by: DecidedBy, outcome: Outcome, withdraws: &[Slot]) -> Vec<Command> {
    let bracket = follow(Some(outcome));
    match by {
        // Either it followed from a game, or a ruling was revoked and the score decides again.
        DecidedBy::Score {} => vec![Command::Rule { outcome: None, withdraws: Vec::new() }, bracket],
        DecidedBy::Stated {} => outcome.score.map(|score| Command::Final { score }).into_iter().collect(),
        DecidedBy::Concession { by } => vec![Command::Concede { by }],
        DecidedBy::Lateness { by, minutes } => vec![Command::Late { by, minutes }],
        // It followed from the penalty.
        DecidedBy::Penalties { .. } => Vec::new(),
        DecidedBy::Ruling {} => {
            vec![Command::Rule { outcome: Some(outcome), withdraws: withdraws.to_vec() }, bracket]
        }
    }
}

fn on_board<'a>(event: &OnBoard, act: &'a [Event]) -> Vec<PossibleCommand<Command>> {
    let on_board = |event: &'a Event| if let Event::Board { of } = event { Some(of) } else { None };
    let act: Vec<&OnBoard> = act.iter().filter_map(on_board).collect();
    let asked = |Acted { by, action, drawn }: Acted| PossibleCommand {
        command: Command::Board { by: slot(by), action },
        drawn,
    };
    event.acted(&act).into_iter().map(asked).collect()
}
