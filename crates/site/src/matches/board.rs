//! The board of a match's present game. White is the upper slot, and the cube is the game's own.

use super::address;
use crate::board::{ActsAs, Board, BoardSide, BoardView, DiceFrom};
use crate::pages::button::Target;
use crate::sentences::matches::SheetSentences;
use owlbox_desk::matches::screen::MatchScreen;
use owlbox_engine::game::{ActionKind, DiceSource};
use owlbox_play::matches::{Legal, Slot};

/// The board, if the game is refereed.
pub(super) fn board(t: &SheetSentences<'_>, screen: &MatchScreen, view: BoardView) -> Option<Board> {
    let sheet = &screen.stream.state;
    let board = sheet.board()?;
    let (viewers, plays) = (screen.viewers_slot(), screen.plays());
    let doubles = |slot: Slot| sheet.offered(slot).contains(&ActionKind::Double);
    Some(Board {
        t: ***t,
        game: board.game.clone(),
        sides: Slot::BOTH.map(|slot| BoardSide {
            name: t.side(slot),
            acts_as: ActsAs::Sheet(slot),
            may: may(screen, slot),
            last: board.last_roll(slot),
            is_viewers: viewers == Some(slot),
            may_roll_at_once: plays == Some(slot),
        }),
        waits: None,
        may_double: Slot::BOTH.into_iter().any(doubles),
        dice_from: DiceFrom {
            service: board.dice == DiceSource::Drawn,
            hand: board.dice == DiceSource::Entered,
        },
        target: Target::at_match(screen.id, Some(screen.stream.version), address(screen.id, "")),
        view,
    })
}

fn may(screen: &MatchScreen, slot: Slot) -> Vec<ActionKind> {
    let on_board = screen.legal.iter().filter_map(|legal| {
        if let Legal::Board { by, action } = legal { (*by == slot).then_some(action) } else { None }
    });
    on_board.flatten().copied().collect()
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
