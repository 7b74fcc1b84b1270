//! Which commands are legal now, with their choices: what pages draw buttons from, clients read and tests
//! walk. Goes by the same checks as `decide`.

use serde::Serialize;
use utoipa::ToSchema;

use crate::chouette::bet::Side;
use crate::chouette::decide::{self, CubeAct};
use crate::chouette::game::Game;
use crate::chouette::order::Seats;
use crate::chouette::state::{Chouette, Phase};
use crate::engine::Win;
use crate::values::PlayerId;

/// A command that is legal now. A list in place of a value holds the choices: one of them for a value,
/// any non-empty choice for `against`, where naming nobody means all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Legal {
    /// Open the table.
    Open {},
    /// Any player of the club who is not present may join.
    Join {},
    /// One of these may leave.
    Leave {
        /// Who.
        player: Vec<PlayerId>,
    },
    /// The service may roll for the order.
    DrawOrder {},
    /// Rolls for the order may be entered: one die for each of these.
    EnterRolls {
        /// Who has to roll.
        players: Vec<PlayerId>,
    },
    /// A game may begin.
    StartGame {},
    /// This player may double any of these.
    Double {
        /// Who.
        player: PlayerId,
        /// Whom.
        against: Vec<PlayerId>,
    },
    /// This player may take the double of any of these.
    Take {
        /// Who.
        player: PlayerId,
        /// Whose.
        against: Vec<PlayerId>,
    },
    /// This player may drop the double of any of these.
    Drop {
        /// Who.
        player: PlayerId,
        /// Whose.
        against: Vec<PlayerId>,
    },
    /// The game may be finished.
    Finish {
        /// The side that won.
        winner: Vec<Side>,
        /// How.
        win: Vec<Win>,
    },
    /// The night may be closed.
    Close {},
}

/// Every legal command of `chouette`, the likeliest first.
pub(super) fn of(chouette: &Chouette) -> Vec<Legal> {
    let mut legal = Vec::new();
    match (chouette.phase(), chouette.game()) {
        (Phase::Unopened, _) => return vec![Legal::Open {}],
        (Phase::Closed, _) => return Vec::new(),
        (Phase::Playing, Some(game)) => {
            legal.extend(cube_acts(chouette, game));
            if game.offering().is_none() {
                legal.push(Legal::Finish { winner: Side::BOTH.to_vec(), win: Win::ALL.to_vec() });
            }
        }
        (Phase::BetweenGames, _) if chouette.line().len() >= decide::TO_PLAY => {
            legal.push(Legal::StartGame {})
        }
        (Phase::Ordering, _) => legal.extend(rolling(chouette)),
        _ => {}
    }
    // While players gather, the next to come is likelier than the roll.
    if chouette.present().len() < chouette.rules().table_size.seats() {
        legal.push(Legal::Join {});
    }
    if chouette.phase() == Phase::Gathering && chouette.present().len() >= Seats::TO_ROLL {
        legal.extend(rolling(chouette));
    }
    let player = decide::may_leave(chouette);
    if !player.is_empty() {
        legal.push(Legal::Leave { player });
    }
    if chouette.game().is_none() {
        legal.push(Legal::Close {});
    }
    legal
}

fn rolling(chouette: &Chouette) -> [Legal; 2] {
    [Legal::DrawOrder {}, Legal::EnterRolls { players: chouette.to_roll() }]
}

/// Answers before doubles; within an act the box first, then down the line.
fn cube_acts(chouette: &Chouette, game: &Game) -> Vec<Legal> {
    let mut legal = Vec::new();
    for act in [CubeAct::Answer, CubeAct::Double] {
        for player in game.players() {
            let against = decide::opponents_for(chouette, game, player, act);
            if against.is_empty() {
                continue;
            }
            match act {
                CubeAct::Answer => legal.extend([
                    Legal::Take { player, against: against.clone() },
                    Legal::Drop { player, against },
                ]),
                CubeAct::Double => legal.push(Legal::Double { player, against }),
            }
        }
    }
    legal
}
