//! The board of a game at a table. White is the box, Black the team. The cubes are at the seats, because each
//! bet has its own.

use super::log::History;
use crate::board::{ActsAs, Board, BoardSide, BoardView, DiceFrom};
use crate::pages::button::Target;
use crate::say::Say;
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_chouette::{Event, Legal, Side};
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_engine::game::{ActionKind, Event as OnBoard};
use owlbox_engine::{Colour, Roll};

/// The board of the present game, if it is refereed.
pub(super) fn board(
    t: &Say<'_>,
    screen: &TableScreen,
    history: &History<'_>,
    view: BoardView,
) -> Option<Board> {
    let state = &screen.stream.state;
    let game = state.game()?;
    Some(Board {
        t: **t,
        game: game.board.as_deref()?.clone(),
        sides: [
            board_side(t, screen, history, Side::Box, Some(game.box_player)),
            board_side(t, screen, history, Side::Team, state.acting_captain()),
        ],
        waits: game.offering().map(|_| t.get("board-double-waits")),
        may_double: state.legal().iter().any(|legal| matches!(legal, Legal::Double { .. })),
        // The scorer enters the dice that were rolled at the table.
        dice_from: DiceFrom { service: true, hand: t.may(Permission::RunChouette) },
        target: Target::at_table(screen.id, screen.stream.version),
        view,
    })
}

fn board_side(
    t: &Say<'_>,
    screen: &TableScreen,
    history: &History<'_>,
    side: Side,
    player: Option<PlayerId>,
) -> BoardSide {
    let colour = match side {
        Side::Box => Colour::White,
        Side::Team => Colour::Black,
    };
    BoardSide {
        name: player.map(|player| t.name(&player)).unwrap_or_default(),
        acts_as: ActsAs::Table(side),
        may: may(screen, side),
        last: last_roll(history, colour),
        // After a double in this turn others may have something to say before the roll.
        is_viewers: player.is_some() && screen.viewer.player == player,
        // A viewer who may not redo what was undone must not roll in its place either.
        may_roll_at_once: screen.stream.redoable().is_empty()
            && screen.stream.state.game().is_some_and(|game| game.turn.is_none()),
    }
}

fn may(screen: &TableScreen, side: Side) -> Vec<ActionKind> {
    let on_board = screen.legal.iter().filter_map(|legal| {
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
