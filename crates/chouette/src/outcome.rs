//! What follows from an event besides what the command asked for: where a dropped cube stood, who acted as
//! captain when a turn was answered, who is still asked for an extra, who may still decline the box.
//!
//! [`complete`] records this in an event before the event is applied. Events of older journals lack it and
//! are read through the same functions. So these functions must not change: a house rule that changes one of
//! these outcomes goes into `complete`, and leaves the meaning of old events alone.

use crate::bet::Side;
use crate::event::{DroppedBet, DroppedCube, Event, EventKind, StillAsked};
use crate::game::{LoneState, Proxy};
use crate::order::Seats;
use crate::state::Chouette;
use owlbox_base::values::PlayerId;
use owlbox_engine::Owner;

/// Records what follows from `event`, which is about to happen to `chouette`.
#[expect(clippy::wildcard_enum_match_arm, reason = "an aspect of each kind says whether anything follows")]
pub(super) fn complete(chouette: &Chouette, event: &mut Event) {
    if !EventKind::from(&*event).is_completed() {
        return;
    }
    match event {
        Event::Taken { captain, .. } | Event::Beavered { captain, .. } => {
            *captain = captain_of_turn(chouette)
        }
        Event::Dropped { player, bets, captain } => {
            *captain = captain_of_turn(chouette);
            for bet in bets {
                bet.cube = dropped_cube(chouette, *player, bet);
            }
        }
        Event::Left { player, seats, proxy, may_decline, asked }
        | Event::WentOnBreak { player, seats, proxy, may_decline, asked } => {
            *asked = asked_without(chouette, *player, *proxy);
            *may_decline = still_declines(chouette, seats);
        }
        Event::ProxyNamed { player, proxy, asked } => *asked = asked_beside(chouette, *player, *proxy),
        Event::Returned { seats, may_decline, .. } | Event::Split { seats, may_decline, .. } => {
            *may_decline = still_declines(chouette, seats);
        }
        Event::PlayersMerged { duplicate, player, seats, may_decline, .. } => {
            let renamed = |captain| if captain == *duplicate { *player } else { captain };
            let captain = chouette.declining().map(renamed);
            *may_decline = captain.map(|_| self::may_decline(captain, seats));
        }
        _ => {}
    }
}

/// The acting captain, if nobody has answered in this turn yet.
fn captain_of_turn(chouette: &Chouette) -> Option<PlayerId> {
    let turn = chouette.game()?.turn.as_ref()?;
    turn.answered.is_empty().then(|| chouette.acting_captain()).flatten()
}

/// The cube of a bet that `player` drops: the value that the drop cost, and the owner before the double. A
/// lone taker who drops after all has taken the cube meanwhile, so their first answer says where it lay.
pub(super) fn dropped_cube(
    chouette: &Chouette,
    player: PlayerId,
    dropped: &DroppedBet,
) -> Option<DroppedCube> {
    let game = chouette.game()?;
    let bet = game.bet(dropped.bet)?;
    let turn = game.turn.as_ref().filter(|_| game.is_lone_taker(player));
    let first = turn.and_then(|turn| turn.answered.iter().find(|answer| answer.bet == dropped.bet));
    let owner = match (first.map(|first| first.centred), bet.cube.owner) {
        (Some(true), _) | (None, Owner::Centred) => None,
        (Some(false), _) => Some(Side::Box),
        (None, Owner::Owned(side)) => Some(side),
    };
    let cost = dropped.points?.0 / (2 * i64::from(bet.units).max(1));
    let value = u32::try_from(cost).ok().and_then(|value| value.try_into().ok()).unwrap_or(bet.cube.value);
    Some(DroppedCube { value, owner })
}

/// Who is asked for extras and who has offered one, once `player` is no longer there and `proxy` decides for
/// them. `None` if nobody is being asked.
pub(super) fn asked_without(
    chouette: &Chouette,
    player: PlayerId,
    proxy: Option<Proxy>,
) -> Option<StillAsked> {
    let mut asked = asked_beside(chouette, player, proxy)?;
    asked.asked.retain(|asked| *asked != player);
    asked.offered.retain(|offered| *offered != player);
    Some(asked)
}

/// Who is asked for extras and who has offered one, if `proxy` decides for `player`. Nobody decides for both
/// sides of an extra, so a proxy of the taker gives none. `None` if nobody is being asked.
pub(super) fn asked_beside(
    chouette: &Chouette,
    player: PlayerId,
    proxy: Option<Proxy>,
) -> Option<StillAsked> {
    let Some(LoneState::Extras(asking)) = &chouette.game()?.lone else { return None };
    let stays = |giver: &PlayerId| asking.taker != player || proxy != Some(Proxy::Player(*giver));
    let of = |givers: &[PlayerId]| givers.iter().copied().filter(stays).collect();
    Some(StillAsked { asked: of(&asking.asked), offered: of(&asking.offered) })
}

fn still_declines(chouette: &Chouette, seats: &Seats) -> Option<bool> {
    let captain = chouette.declining();
    captain.map(|_| may_decline(captain, seats))
}

/// Whether `captain`, who won the box, may still decline it with these seats: only while the box is theirs.
pub(super) fn may_decline(captain: Option<PlayerId>, seats: &Seats) -> bool {
    let box_player = seats.standing().and_then(|line| line.active().first().copied());
    captain.is_some() && captain == box_player
}
