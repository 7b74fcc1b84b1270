//! Takes, drops and beavers (C3, C4, C7, C8, Q7), and what the last answer leads to: hidden answers shown, a
//! new captain (Q8), a lone taker, the end of the game.

use crate::bet::{Bet, BetKind, Side};
use crate::decide::cubes::{self, CubeAct, chosen, due_to_answer, followers};
use crate::decide::{Act, Decision, finish, in_game, lone, nothing_comes_first};
use crate::event::{DroppedBet, Event, TurnedBet};
use crate::game::{Answer, Game};
use crate::refusal::Refusal;
use crate::rules::{CaptainDrops, Cubes, DecisionOrder, TakersMoveUp};
use crate::state::Chouette;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_engine::Raise;

/// A bet, and the side of it that the player in question is on.
type Sided = (Bet, Side);

pub(super) fn answer(
    chouette: &Chouette,
    player: PlayerId,
    against: Option<&[PlayerId]>,
    answer: Answer,
    at: Timestamp,
) -> Decision {
    let (game, _) = in_game(chouette, player)?;
    let mut act = Act::on(chouette, at);
    if cubes::lone_asks(game, player) {
        lone::may_name(game, answer, against)?;
        lone::answer(&mut act, game, player, answer)?;
        follow_up(&mut act);
        return Ok(act.events);
    }
    nothing_comes_first(game)?;
    let kind = CubeAct::Answer(answer);
    let bets = chosen(chouette, game, player, against, kind)?;
    cubes::whole_cube(chouette, game, player, kind, &bets)?;
    let to_box = |(bet, side): &Sided| bet.kind == BetKind::Member && *side == Side::Team;
    if bets.iter().any(to_box) {
        if let Some(due) = cubes::answers_for(chouette, game, player) {
            return Err(Refusal::NotYourAnswer { due });
        }
        if chouette.rules().decision_order == DecisionOrder::AllAtOnce {
            return Ok(answered_in_secret(act, game, player, &bets, answer));
        }
        if let Some(due) = due_to_answer(chouette, game).filter(|due| *due != player) {
            return Err(Refusal::NotYourAnswer { due });
        }
        lone::allows_last(chouette, game, player, answer)?;
    }
    if player == game.box_player {
        cubes::restrained_answer(chouette, game, &bets, answer)?;
    }
    perform(&mut act, player, &bets, answer);
    if chouette.acting_captain() == Some(player) {
        let answer = of_followers(chouette, answer);
        for follower in followers(game, player) {
            let kind = CubeAct::Answer(answer);
            if let Ok(bets) = chosen(&act.now, game, follower, Some(&[game.box_player]), kind) {
                perform(&mut act, follower, &bets, answer);
            }
        }
    }
    follow_up(&mut act);
    Ok(act.events)
}

/// The answer of the cubes that follow the captain's: the same. A single cube that the captain beavers covers
/// them too, once they have taken.
fn of_followers(chouette: &Chouette, answer: Answer) -> Answer {
    match answer {
        Answer::Beaver if chouette.rules().cubes == Cubes::Single => Answer::Take,
        answer @ (Answer::Take | Answer::Drop | Answer::Beaver) => answer,
    }
}

/// All at once: a member's answer is kept until everybody has answered; then all happen in line order.
/// Answers about extras are not hidden.
fn answered_in_secret(
    mut act: Act<'_>,
    game: &Game,
    player: PlayerId,
    bets: &[Sided],
    answer: Answer,
) -> Vec<Event> {
    let extras: Vec<Sided> = bets.iter().copied().filter(|(bet, _)| bet.kind == BetKind::Extra).collect();
    if !extras.is_empty() {
        perform(&mut act, player, &extras, answer);
    }
    act.happens(Event::Answered { player, answer: Some(answer) });
    let waits =
        |member: PlayerId| game.member_bet(member).is_some_and(|bet| bet.offered_by() == Some(Side::Box));
    if act.before.acting_captain() == Some(player) {
        let answer = of_followers(act.before, answer);
        let with_box = [game.box_player];
        for follower in followers(game, player).into_iter().filter(|follower| waits(*follower)) {
            // Always in the same act. A follower left to answer alone would reveal that the captain has
            // beavered and that the follower's own cube cannot be. Such a follower takes.
            let can = chosen(act.before, game, follower, Some(&with_box), CubeAct::Answer(answer)).is_ok();
            let answer = if can { answer } else { Answer::Take };
            act.happens(Event::Answered { player: follower, answer: Some(answer) });
        }
    }
    let waiting: Vec<PlayerId> = game.members.iter().copied().filter(|&member| waits(member)).collect();
    let answers = act.game().map(|game| game.answers.clone()).unwrap_or_default();
    if !waiting.iter().all(|member| answers.contains_key(member)) {
        return act.events;
    }
    for member in waiting {
        let Some(&answer) = answers.get(&member) else { continue };
        let Some(bet) = act.game().and_then(|game| game.member_bet(member)).copied() else { continue };
        perform(&mut act, member, &[(bet, Side::Team)], answer);
    }
    follow_up(&mut act);
    act.events
}

/// Turns the answer to these offers into events.
fn perform(act: &mut Act<'_>, player: PlayerId, bets: &[Sided], answer: Answer) {
    let raised = |&(bet, side): &Sided| bet.raise().map(|raise| (bet, side, raise));
    let raised: Vec<(Bet, Side, Raise<Side>)> = bets.iter().filter_map(raised).collect();
    match answer {
        Answer::Take => {
            let taken = |&(bet, side, raise): &(Bet, Side, Raise<Side>)| TurnedBet {
                bet: bet.id,
                opponent: bet.on(side.other()),
                to: raise.to(),
            };
            act.happens(Event::Taken { player, bets: raised.iter().map(taken).collect(), captain: None });
            join_the_captains_beaver(act, player);
        }
        Answer::Drop => {
            let dropped = |&(bet, side, raise): &(Bet, Side, Raise<Side>)| DroppedBet {
                bet: bet.id,
                opponent: bet.on(side.other()),
                points: Some(bet.worth(raise.drop())),
                cube: None,
            };
            act.happens(Event::Dropped { player, bets: raised.iter().map(dropped).collect(), captain: None });
        }
        Answer::Beaver => beaver(act, player, &raised),
    }
}

/// C7, C8: redoubles at once. The captain beavers a single cube for everybody who has taken.
fn beaver(act: &mut Act<'_>, player: PlayerId, raised: &[(Bet, Side, Raise<Side>)]) {
    let limit = act.now.rules().cube_limit();
    let single = act.now.rules().cubes == Cubes::Single;
    let mut numbers: Vec<(u8, Vec<TurnedBet>)> = Vec::new();
    for &(bet, side, raise) in raised {
        let Ok(beaver) = raise.answered(side, limit) else { continue };
        let mut turned = vec![TurnedBet { bet: bet.id, opponent: bet.on(side.other()), to: beaver.to }];
        if single && side == Side::Team && bet.kind == BetKind::Member {
            let took = |other: &&Bet| other.raise().is_none() && other.cube.value == raise.to();
            let others = act.game().into_iter().flat_map(Game::running_members).filter(took);
            turned.extend(others.map(|other| TurnedBet {
                bet: other.id,
                opponent: other.box_side,
                to: beaver.to,
            }));
        }
        match numbers.iter_mut().find(|(number, _)| *number == beaver.number) {
            Some((_, bets)) => bets.append(&mut turned),
            None => numbers.push((beaver.number, turned)),
        }
    }
    for (number, mut bets) in numbers {
        bets.sort_by_key(|bet| bet.bet);
        act.happens(Event::Beavered { player, number, bets, captain: None });
    }
}

/// With a single cube, any member who takes after the captain has beavered is in at the beaver's value.
fn join_the_captains_beaver(act: &mut Act<'_>, player: PlayerId) {
    if act.now.rules().cubes != Cubes::Single {
        return;
    }
    let Some(game) = act.game() else { return };
    let beavered = game.running_members().find_map(|bet| match bet.raise() {
        Some(Raise::Beaver(beaver)) if beaver.by == Side::Team => Some((bet.team_side, beaver)),
        Some(Raise::Beaver(_) | Raise::Double(_)) | None => None,
    });
    let mine = game.member_bet(player).filter(|bet| bet.raise().is_none() && !bet.is_settled());
    if let (Some((captain, beaver)), Some(bet)) = (beavered, mine)
        && bet.cube.value == beaver.before
    {
        let bets = vec![TurnedBet { bet: bet.id, opponent: bet.box_side, to: beaver.to }];
        act.happens(Event::Beavered { player: captain, number: beaver.number, bets, captain: None });
    }
}

/// What the last answer leads to: a lone taker, new places, a new captain, the end of the game.
pub(super) fn follow_up(act: &mut Act<'_>) {
    let answered =
        |event: &Event| matches!(event, Event::Taken { .. } | Event::Dropped { .. } | Event::Beavered { .. });
    let offers = |game: &Game| game.running_members().any(|bet| bet.offered_by() == Some(Side::Box));
    let doubles = |game: &Game| {
        let double = |bet: &Bet| matches!(bet.raise(), Some(Raise::Double(offer)) if offer.by == Side::Box);
        game.running_members().any(double)
    };
    if act.game().is_some_and(|game| !doubles(game)) && act.events.iter().any(answered) {
        // Only a first answer to this turn's doubles can leave a lone taker.
        let heard = |chouette: &Chouette| {
            let turn = chouette.game().and_then(|game| game.turn.as_ref());
            turn.map_or(0, |turn| turn.answered.len())
        };
        if heard(&act.now) > heard(act.before) {
            lone::look_for_lone_taker(act);
        }
    }
    if act.game().is_some_and(|game| !offers(game)) && act.events.iter().any(answered) {
        move_takers_up(act);
        change_captain(act);
    }
    finish::if_over(act);
}

/// Q7: members who took the box's double move into the places of those who dropped it. Each group keeps its
/// order.
fn move_takers_up(act: &mut Act<'_>) {
    if act.now.rules().takers_move_up != TakersMoveUp::Line {
        return;
    }
    let Some(game) = act.game() else { return };
    let Some(turn) = game.turn.as_ref().filter(|turn| turn.side == Side::Box) else { return };
    let of_turn = |member: PlayerId| {
        let bet = game.member_bet(member)?;
        turn.answered.iter().any(|answer| answer.bet == bet.id).then_some(bet)
    };
    let asked: Vec<PlayerId> =
        game.members.iter().copied().filter(|member| of_turn(*member).is_some()).collect();
    let dropped = |member: &PlayerId| of_turn(*member).is_some_and(Bet::is_dropped_by_member);
    let (behind, ahead): (Vec<PlayerId>, Vec<PlayerId>) = asked.iter().partition(|member| dropped(member));
    let mut moved = ahead.into_iter().chain(behind);
    let place = |member: &PlayerId| if asked.contains(member) { moved.next() } else { Some(*member) };
    let members: Vec<PlayerId> = game.members.iter().filter_map(place).collect();
    if members != game.members {
        act.happens(Event::TakersMovedUp { members });
    }
}

/// Q8: replaces a captain who has dropped while others are still in.
fn change_captain(act: &mut Act<'_>) {
    if act.now.rules().captain_drops != CaptainDrops::Becomes {
        return;
    }
    let Some(game) = act.game() else { return };
    let dropped = game.member_bet(game.captain).is_some_and(Bet::is_dropped_by_member);
    let Some(&captain) = game.team().first().filter(|_| dropped) else { return };
    // Behind everybody, even behind a partner who has gone on a break meanwhile.
    let seated = act.now.line().iter().filter(|&&player| player != game.box_player);
    let mut members = game.members.clone();
    members.extend(seated.filter(|player| !game.members.contains(player)));
    members.retain(|member| *member != game.captain);
    members.push(game.captain);
    act.happens(Event::CaptainChanged { captain, members });
}
