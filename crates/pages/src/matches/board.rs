//! The board of a match's present game. White is the upper slot, and the cube is the game's own.

use super::{CommandButton, MatchContext};
use crate::board::{ActsAs, Board, DiceFrom, Refereed, RefereedSide};
use owlbox_domain::matches::Slot;
use owlbox_domain::matches::{Command, Legal};
use owlbox_engine::game::{ActionKind, DiceSource};

/// The board, if the game is refereed.
#[must_use]
pub fn board(context: &MatchContext<'_>) -> Option<Board> {
    let board = context.sheet.board()?;
    let doubles = |slot: Slot| context.sheet.offered(slot).contains(&ActionKind::Double);
    let refereed = Refereed {
        t: context.t,
        game: &board.game,
        sides: Slot::BOTH.map(|slot| RefereedSide {
            name: context.name(slot).to_owned(),
            called: context.t.get(match slot {
                Slot::Upper => "board-white",
                Slot::Lower => "board-black",
            }),
            acts_as: ActsAs::Sheet(slot),
            may: may(context, slot),
            last: board.last_roll(slot),
            is_viewers: context.plays == Some(slot),
        }),
        waits: None,
        may_double: Slot::BOTH.into_iter().any(doubles),
        dice: DiceFrom { service: board.dice == DiceSource::Drawn, hand: board.dice == DiceSource::Entered },
        posts_to: context.address("/act"),
        version: context.version,
        view: context.view,
    };
    Some(refereed.board())
}

fn may(context: &MatchContext<'_>, slot: Slot) -> Vec<ActionKind> {
    let on_board = context.legal.iter().filter_map(|legal| match legal {
        Legal::Board { by, action } if *by == slot => Some(action),
        Legal::Open { .. }
        | Legal::Game { .. }
        | Legal::Resign { .. }
        | Legal::Draw { .. }
        | Legal::Penalty { .. }
        | Legal::Late { .. }
        | Legal::Final { .. }
        | Legal::Concede { .. }
        | Legal::Rule { .. }
        | Legal::Correct { .. }
        | Legal::Contest { .. }
        | Legal::WithdrawContest { .. }
        | Legal::RuleContest { .. }
        | Legal::Adjourn { .. }
        | Legal::Resume { .. }
        | Legal::Close { .. }
        | Legal::Pay { .. }
        | Legal::StartBoard { .. }
        | Legal::Board { .. }
        | Legal::AbandonBoard { .. }
        | Legal::Import { .. }
        | Legal::SetClock { .. }
        | Legal::StartClock { .. }
        | Legal::PressClock { .. }
        | Legal::PauseClock { .. }
        | Legal::ResumeClock { .. } => None,
    });
    on_board.flatten().copied().collect()
}

/// The ways to play the next game on a board: with drawn or with entered dice.
#[must_use]
pub fn starts(context: &MatchContext<'_>) -> Vec<CommandButton> {
    let sources = context
        .legal
        .iter()
        .find_map(|legal| if let Legal::StartBoard { dice } = legal { Some(dice.as_slice()) } else { None });
    let start = |dice: &DiceSource| {
        let key = match dice {
            DiceSource::Drawn => "scoring-board-drawn",
            DiceSource::Entered => "scoring-board-entered",
        };
        CommandButton::new(context.t.get(key), &Command::StartBoard { dice: *dice })
    };
    sources.unwrap_or_default().iter().map(start).collect()
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
