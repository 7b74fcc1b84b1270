//! The lone taker: a member who alone takes the box's double (Q9, Q10).

use crate::bet::{Bet, Side};
use crate::decide::{Act, Decision};
use crate::event::{DroppedBet, Event, GivenExtra, Lone, TurnedBet};
use crate::game::{Answer, Asking, FirstAnswer, Game, LoneState, Proxy, Turn};
use crate::refusal::Refusal;
use crate::rules::LoneTaker;
use crate::state::Chouette;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_engine::CubeValue;

/// The turn in which the box doubled, if members have dropped in it: the double at once, or the box's raccoon
/// later.
fn dropped_by_some(game: &Game) -> Option<&Turn> {
    let dropped = |answer: &FirstAnswer| game.bet(answer.bet).is_some_and(Bet::is_dropped_by_member);
    game.turn.as_ref().filter(|turn| turn.side == Side::Box && turn.answered.iter().any(dropped))
}

/// Whether a cube at `value` may still be beavered, given the highest value it may reach.
fn can_beaver(chouette: &Chouette, value: CubeValue) -> bool {
    value.doubled().is_some_and(|to| to <= chouette.rules().cube_limit())
}

/// Whether `player` may answer this way when they answer last and are the only member left.
pub(super) fn allows_last(
    chouette: &Chouette,
    game: &Game,
    player: PlayerId,
    answer: Answer,
) -> Result<(), Refusal> {
    let alone = game.running_members().all(|bet| bet.team_side == player);
    let Some(raise) = game.member_bet(player).and_then(Bet::raise) else { return Ok(()) };
    let at_first = matches!(raise, owlbox_engine::Raise::Double(_));
    if !alone || !at_first || answer == Answer::Drop || dropped_by_some(game).is_none() {
        return Ok(());
    }
    match chouette.rules().lone_taker.among(game.players) {
        LoneTaker::MustDrop => Err(Refusal::MustDrop),
        LoneTaker::MustBeaverOrDrop if !can_beaver(chouette, raise.to()) => Err(Refusal::MustDrop),
        LoneTaker::MustBeaverOrDrop if answer == Answer::Take => Err(Refusal::MustBeaverOrDrop),
        LoneTaker::Nothing
        | LoneTaker::MustBeaverOrDrop
        | LoneTaker::Extras
        | LoneTaker::ExtrasOrDrop
        | LoneTaker::MustDropOrExtras => Ok(()),
    }
}

/// Once all have answered: finds a lone taker and starts what the rule about lone takers asks for.
pub(super) fn look_for_lone_taker(act: &mut Act<'_>) {
    let Some((bet, before, then)) = act.game().and_then(|game| lone_taker(&act.now, game)) else { return };
    let drops_too = matches!(then, Lone::MustDrop {});
    act.happens(Event::LoneTaker { player: bet.team_side, then });
    if drops_too {
        act.happens(dropped(&bet, bet.worth(before)));
    }
}

/// The lone taker's bet, the stake before the double and the rule in force, if any.
fn lone_taker(chouette: &Chouette, game: &Game) -> Option<(Bet, CubeValue, Lone)> {
    let turn = dropped_by_some(game)?;
    let mut still_in = game.running_members();
    let (Some(bet), None) = (still_in.next(), still_in.next()) else { return None };
    let first = turn.answered.iter().find(|answer| answer.bet == bet.id)?;
    let took_plainly = first.answer == Answer::Take && bet.raise().is_none();
    let then = match chouette.rules().lone_taker.among(game.players) {
        LoneTaker::MustDrop => Lone::MustDrop {},
        LoneTaker::MustBeaverOrDrop if took_plainly && can_beaver(chouette, bet.cube.value) => {
            Lone::MustBeaverOrDrop {}
        }
        LoneTaker::MustBeaverOrDrop if took_plainly => Lone::MustDrop {},
        LoneTaker::Extras | LoneTaker::ExtrasOrDrop if took_plainly && turn.first => Lone::Extras {
            asked: Some(givers(chouette, game, turn, bet.team_side)).filter(|asked| !asked.is_empty())?,
        },
        LoneTaker::Nothing
        | LoneTaker::MustBeaverOrDrop
        | LoneTaker::MustDropOrExtras
        | LoneTaker::Extras
        | LoneTaker::ExtrasOrDrop => return None,
    };
    Some((*bet, first.before, then))
}

/// The drop of this bet by its member. A lone taker who drops (Q9) loses the stake before the double.
fn dropped(bet: &Bet, points: HalfPoints) -> Event {
    let bets = vec![DroppedBet { bet: bet.id, opponent: bet.box_side, points: Some(points), cube: None }];
    Event::Dropped { player: bet.team_side, bets, captain: None }
}

/// Q10: who is asked for an extra. First those who dropped this double, in line order; then onlookers, where
/// the house lets them. Not the proxy who decides for the taker, who would play both sides of it.
fn givers(chouette: &Chouette, game: &Game, turn: &Turn, taker: PlayerId) -> Vec<PlayerId> {
    let dropped = |member: PlayerId| {
        let bet = game.member_bet(member).map(|bet| bet.id);
        turn.answered.iter().any(|answer| Some(answer.bet) == bet && answer.answer == Answer::Drop)
    };
    let droppers =
        game.members.iter().copied().filter(|&member| dropped(member) && chouette.is_there(member));
    let mut givers: Vec<PlayerId> = droppers.collect();
    if chouette.rules().lone_taker.extras_from == crate::rules::ExtrasFrom::Onlookers {
        let looks_on = |player: &PlayerId| {
            chouette.is_there(*player)
                && !game.partners.contains(player)
                && !game.bets.iter().any(|bet| bet.side_of(*player).is_some())
        };
        givers.extend(chouette.present().into_iter().filter(looks_on));
    }
    givers.retain(|&giver| game.proxies.get(&taker) != Some(&Proxy::Player(giver)));
    givers
}

/// Whom the lone taker may name when asked: the box, whose cube it is. A taker who has been offered extras
/// may name the givers, but only all of them, because every extra must be accepted (Q10).
pub(super) fn may_name(game: &Game, answer: Answer, against: Option<&[PlayerId]>) -> Result<(), Refusal> {
    let Some(named) = against else { return Ok(()) };
    let givers: &[PlayerId] = match (&game.lone, answer) {
        (Some(LoneState::Extras(asking)), Answer::Take) => &asking.offered,
        (Some(LoneState::Extras(_) | LoneState::MustBeaverOrDrop(_) | LoneState::MustDrop(_)) | None, _) => {
            &[]
        }
    };
    let once = |player: &PlayerId| named.iter().filter(|other| *other == player).count() == 1;
    let known = |player: &PlayerId| *player == game.box_player || givers.contains(player);
    let only_the_box = *named == [game.box_player];
    let all_givers = !givers.is_empty() && givers.iter().all(|giver| named.contains(giver));
    if (only_the_box || all_givers) && named.iter().all(|player| once(player) && known(player)) {
        return Ok(());
    }
    Err(Refusal::BadChoice { opponents: [&[game.box_player], givers].concat() })
}

/// What follows from the lone taker's answer.
pub(super) fn answer(
    act: &mut Act<'_>,
    game: &Game,
    player: PlayerId,
    answer: Answer,
) -> Result<(), Refusal> {
    let Some(bet) = game.member_bet(player).copied() else { return Ok(()) };
    let before = game
        .turn
        .as_ref()
        .and_then(|turn| turn.answered.iter().find(|answer| answer.bet == bet.id))
        .map_or(CubeValue::ONE, |answer| answer.before);
    match answer {
        Answer::Drop => act.happens(dropped(&bet, bet.worth(before))),
        Answer::Take => match &game.lone {
            Some(LoneState::Extras(asking)) => {
                let extras = extras(act.before, game, &bet, &asking.offered);
                act.happens(Event::ExtrasGiven { taker: player, extras });
            }
            Some(LoneState::MustBeaverOrDrop(_)) => return Err(Refusal::MustBeaverOrDrop),
            Some(LoneState::MustDrop(_)) | None => return Err(Refusal::NoBeaver),
        },
        Answer::Beaver => match &game.lone {
            Some(LoneState::MustBeaverOrDrop(_)) => {
                let Some(to) = bet.cube.value.doubled() else { return Err(Refusal::MustDrop) };
                let bets = vec![TurnedBet { bet: bet.id, opponent: bet.box_side, to }];
                act.happens(Event::Beavered { player, number: 1, bets, captain: None });
            }
            Some(LoneState::Extras(_) | LoneState::MustDrop(_)) | None => return Err(Refusal::NoBeaver),
        },
    }
    Ok(())
}

/// Who is asked for an extra now, if anybody.
pub(crate) fn asked_now(game: &Game) -> Option<PlayerId> {
    match &game.lone {
        Some(LoneState::Extras(asking)) => asking.asked.first().copied(),
        Some(LoneState::MustDrop(_) | LoneState::MustBeaverOrDrop(_)) | None => None,
    }
}

/// Passes for everybody asked for an extra who has not answered when play goes on. The journal shows it, so
/// that nobody's extra lapses unseen.
pub(super) fn passed_by_playing_on(game: &Game) -> Vec<Event> {
    match &game.lone {
        Some(LoneState::Extras(asking)) => {
            asking.asked.iter().map(|&player| Event::ExtraPassed { player }).collect()
        }
        Some(LoneState::MustDrop(_) | LoneState::MustBeaverOrDrop(_)) | None => Vec::new(),
    }
}

fn asked(chouette: &Chouette, player: PlayerId) -> Result<(&Game, &Asking), Refusal> {
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    let asked = asked_now(game);
    match &game.lone {
        Some(LoneState::Extras(asking)) if asked == Some(player) => Ok((game, asking)),
        Some(LoneState::Extras(_) | LoneState::MustDrop(_) | LoneState::MustBeaverOrDrop(_)) | None => {
            Err(Refusal::NotAsked { asked })
        }
    }
}

pub(super) fn give_extra(chouette: &Chouette, player: PlayerId) -> Decision {
    let (game, asking) = asked(chouette, player)?;
    if chouette.rules().lone_taker.rule == LoneTaker::ExtrasOrDrop {
        return Ok(vec![Event::ExtraOffered { player }]);
    }
    let taker = asking.taker;
    let Some(taken) = game.member_bet(taker) else { return Err(Refusal::NotAsked { asked: None }) };
    Ok(vec![Event::ExtrasGiven { taker, extras: extras(chouette, game, taken, &[player]) }])
}

pub(super) fn pass_extra(chouette: &Chouette, player: PlayerId) -> Decision {
    asked(chouette, player)?;
    Ok(vec![Event::ExtraPassed { player }])
}

/// Q10: each giver pays the stake before the double, and plays a cube at its value after it.
fn extras(chouette: &Chouette, game: &Game, taken: &Bet, givers: &[PlayerId]) -> Vec<GivenExtra> {
    let last = game.bets.iter().map(|bet| bet.id).max().unwrap_or_default();
    let extra = |(number, &giver): (u32, &PlayerId)| {
        let units = chouette.units_between(giver, taken.team_side);
        let value = taken.cube.value;
        // The stake before the double is half of the cube's value; in half points that is the value itself.
        let points = Some(HalfPoints(i64::from(value.get()) * i64::from(units)));
        GivenExtra { giver, payment: last + 2 * number - 1, points, bet: last + 2 * number, value, units }
    };
    (1..).zip(givers).map(extra).collect()
}
