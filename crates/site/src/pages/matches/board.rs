//! The board of a match's present game. White is the upper slot, and the cube is the game's own.

use super::MatchContext;
use crate::pages::board::{ActsAs, Board, DiceFrom, Refereed, RefereedSide};
use owlbox_engine::game::{ActionKind, DiceSource};
use owlbox_play::matches::{Legal, Slot};

/// The board, if the game is refereed.
#[must_use]
pub fn board(context: &MatchContext<'_>) -> Option<Board> {
    let board = context.sheet.board()?;
    let plays = context.screen.plays();
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
            is_viewers: plays == Some(slot),
        }),
        waits: None,
        may_double: Slot::BOTH.into_iter().any(doubles),
        dice: DiceFrom { service: board.dice == DiceSource::Drawn, hand: board.dice == DiceSource::Entered },
        target: context.target(context.address("")),
        view: context.view,
    };
    Some(refereed.board())
}

fn may(context: &MatchContext<'_>, slot: Slot) -> Vec<ActionKind> {
    let on_board = context.screen.legal.iter().filter_map(|legal| {
        if let Legal::Board { by, action } = legal { (*by == slot).then_some(action) } else { None }
    });
    on_board.flatten().copied().collect()
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
