//! The board of a game at a table. White is the box, Black the team. The cubes are at the seats, because each
//! bet has its own.

use super::context::TableContext;
use crate::pages::board::{ActsAs, Board, DiceFrom, Refereed, RefereedSide};
use owlbox_base::journal::ActKind;
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_chouette::{Event, Legal, Side};
use owlbox_engine::game::{ActionKind, Event as OnBoard};
use owlbox_engine::{Colour, Roll};

/// The board of the present game, if it is refereed.
pub(super) fn board(context: &TableContext<'_>) -> Option<Board> {
    let game = context.state().game()?;
    let refereed = Refereed {
        t: &context.say,
        game: game.board.as_deref()?,
        sides: [
            refereed_side(context, Side::Box, Some(game.box_player)),
            refereed_side(context, Side::Team, context.state().acting_captain()),
        ],
        waits: game.offering().map(|_| context.say.get("board-double-waits")),
        may_double: context.state().legal().iter().any(|legal| matches!(legal, Legal::Double { .. })),
        // The scorer enters the dice that were rolled at the table.
        dice: DiceFrom { service: true, hand: context.say.may(Permission::RunChouette) },
        target: context.target(),
        view: context.view,
    };
    Some(refereed.board())
}

fn refereed_side(context: &TableContext<'_>, side: Side, player: Option<PlayerId>) -> RefereedSide {
    let (called, colour) = match side {
        Side::Box => ("board-box", Colour::White),
        Side::Team => ("board-team", Colour::Black),
    };
    RefereedSide {
        name: player.map(|player| context.name(player)).unwrap_or_default(),
        called: context.say.get(called),
        acts_as: ActsAs::Table(side),
        may: may(context, side),
        last: last_roll(context, colour),
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

/// The last roll of a side in the present game, from the acts that were not undone.
fn last_roll(context: &TableContext<'_>, colour: Colour) -> Option<Roll> {
    let mut undone = std::collections::BTreeSet::new();
    for act in &context.acts {
        match &act.kind {
            ActKind::Undo(named) => undone.extend(named),
            ActKind::Redo(named) => undone.retain(|act| !named.contains(act)),
            ActKind::Events(_) => {}
        }
    }
    let counting = context.acts.iter().rev().filter(|act| !undone.contains(&act.id));
    let events = counting.flat_map(|act| act.events().iter().rev());
    events.take_while(|event| !matches!(event, Event::GameStarted { .. })).find_map(|event| {
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
