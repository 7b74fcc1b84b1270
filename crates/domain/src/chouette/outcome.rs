//! What comes of an event besides what was asked for: whose a dropped cube was, who acted as captain when a turn was
//! answered, who is still asked, who may still decline the box.
//!
//! [`complete`] records it in the event before anything is made of it. Events of journals that were written before
//! it was recorded lack it, and are read by the same functions. So these stay as they are: a house rule that
//! changes one of these outcomes decides otherwise in `complete`, and leaves what old events mean alone.

use crate::chouette::bet::Side;
use crate::chouette::event::{DroppedBet, DroppedCube, Event, StillAsked};
use crate::chouette::game::{LoneState, Proxy};
use crate::chouette::order::Seats;
use crate::chouette::state::Chouette;
use crate::values::PlayerId;
use owlbox_engine::Owner;

/// Records in `event`, which is about to happen to `chouette`, what comes of it.
pub(super) fn complete(chouette: &Chouette, event: &mut Event) {
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
        Event::Opened { .. }
        | Event::RulesChanged { .. }
        | Event::Joined { .. }
        | Event::StakeSet { .. }
        | Event::StartSet { .. }
        | Event::RollsEntered { .. }
        | Event::OrderDrawn { .. }
        | Event::OrderSet { .. }
        | Event::PartnershipOffered { .. }
        | Event::PartnershipDeclined { .. }
        | Event::PartnershipMade { .. }
        | Event::BoxDeclined { .. }
        | Event::GameStarted { .. }
        | Event::OpeningTied { .. }
        | Event::Doubled { .. }
        | Event::Answered { .. }
        | Event::CaptainChanged { .. }
        | Event::TakersMovedUp { .. }
        | Event::LoneTaker { .. }
        | Event::ExtraOffered { .. }
        | Event::ExtraPassed { .. }
        | Event::ExtrasGiven { .. }
        | Event::PlayedOn { .. }
        | Event::Settled { .. }
        | Event::Board { .. }
        | Event::GameFinished(_)
        | Event::GameCorrected { .. }
        | Event::Paid { .. }
        | Event::MergedInto { .. }
        | Event::Closed { .. } => {}
    }
}

/// Who acts as captain, if nobody has answered in this turn yet.
fn captain_of_turn(chouette: &Chouette) -> Option<PlayerId> {
    let turn = chouette.game()?.turn.as_ref()?;
    turn.answered.is_empty().then(|| chouette.acting_captain()).flatten()
}

/// The cube of a bet that `player` drops: at what it cost, and where it lay before the double. That of a lone taker
/// who drops after all has been taken meanwhile.
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
    let cost = dropped.points.0 / (2 * i64::from(bet.units).max(1));
    let value = u32::try_from(cost).ok().and_then(|value| value.try_into().ok()).unwrap_or(bet.cube.value);
    Some(DroppedCube { value, owner })
}

/// Who is asked for extras, and has offered one, once `player` is not there any more and `proxy` decides for him;
/// `None` if nobody is asked now.
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

/// Who is asked for extras, and has offered one, if `proxy` decides for `player`: nobody decides for both sides of
/// an extra.
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

/// Whether `captain`, who won the box, may still decline it when the seats are these: as long as it is his.
pub(super) fn may_decline(captain: Option<PlayerId>, seats: &Seats) -> bool {
    let box_player = seats.standing().and_then(|line| line.active().first().copied());
    captain.is_some() && captain == box_player
}
