//! The board of a game at a table. White is the box, Black the team. The cubes are at the seats, because each
//! bet has its own.

use super::context::TableContext;
use super::log::History;
use crate::board::{ActsAs, Board, BoardSide, DiceFrom};
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_chouette::{Event, Legal, Side};
use owlbox_engine::game::{ActionKind, Event as OnBoard};
use owlbox_engine::{Colour, Roll};

/// The board of the present game, if it is refereed.
pub(super) fn board(context: &TableContext<'_>, history: &History<'_>) -> Option<Board> {
    let game = context.state().game()?;
    Some(Board {
        t: *context.say,
        game: game.board.as_deref()?.clone(),
        sides: [
            board_side(context, history, Side::Box, Some(game.box_player)),
            board_side(context, history, Side::Team, context.state().acting_captain()),
        ],
        waits: game.offering().map(|_| context.say.get("board-double-waits")),
        may_double: context.state().legal().iter().any(|legal| matches!(legal, Legal::Double { .. })),
        // The scorer enters the dice that were rolled at the table.
        dice_from: DiceFrom { service: true, hand: context.say.may(Permission::RunChouette) },
        target: context.target(),
        view: context.view,
    })
}

fn board_side(
    context: &TableContext<'_>,
    history: &History<'_>,
    side: Side,
    player: Option<PlayerId>,
) -> BoardSide {
    let colour = match side {
        Side::Box => Colour::White,
        Side::Team => Colour::Black,
    };
    BoardSide {
        name: player.map(|player| context.name(player)).unwrap_or_default(),
        acts_as: ActsAs::Table(side),
        may: may(context, side),
        last: last_roll(history, colour),
        // After a double in this turn others may have something to say before the roll.
        is_viewers: player.is_some()
            && context.viewer == player
            // A viewer who may not redo what was undone must not roll in its place either.
            && context.stream.redoable().is_empty()
            && context.state().game().is_some_and(|game| game.turn.is_none()),
    }
}

fn may(context: &TableContext<'_>, side: Side) -> Vec<ActionKind> {
    let on_board = context.legal.iter().filter_map(|legal| {
        let Legal::Board { by, action } = legal else { return None };
        (*by == side).then_some(action)
    });
    on_board.flatten().copied().collect()
}

/// The last roll of a side in the present game.
fn last_roll(history: &History<'_>, colour: Colour) -> Option<Roll> {
    let mut game = history.effective().take_while(|event| !matches!(event, Event::GameStarted { .. }));
    game.find_map(|event| {
        let Event::Board { of } = event else { return None };
        if let OnBoard::Rolled { side, roll, .. } | OnBoard::RolledEarly { side, roll, .. } = of {
            (*side == colour).then_some(*roll)
        } else if let OnBoard::Opened { side, white, black, .. } = of {
            (*side == colour).then_some(Roll::new(*white, *black))
        } else {
            None
        }
    })
}
