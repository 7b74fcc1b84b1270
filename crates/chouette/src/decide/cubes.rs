//! Doubles, and who may do what with which cube (C2, C4, C7, C10, Q7, Q11).

use crate::bet::{Bet, BetKind, Side, colour};
use crate::decide::{Act, Decision, in_game, nothing_comes_first, start};
use crate::event::{Event, TurnedBet};
use crate::game::{Answer, Game, LoneState, Turn};
use crate::refusal::Refusal;
use crate::restraint::{self, Cube as Questioned};
use crate::rules::{BoxRestraint, Cubes, DecisionOrder, LateDoubles};
use crate::state::Chouette;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_engine::game::Phase as OnBoard;
use owlbox_engine::{CannotDouble, Colour, Raise};

/// What a player may do with a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CubeAct {
    /// Offer it at twice its value.
    Double,
    Answer(Answer),
}

/// What prevents an act on one bet, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    OnlyCaptain(PlayerId),
    NotOnTurn,
    OfferPending,
    NotYourCube,
    AtLimit,
    LateDouble,
    NoOffer,
    NoBeaver,
}

/// Whether the board lets `side` double now: before its roll (C2), not at the opening (C5). Without a board,
/// always.
fn board_lets_double(game: &Game, side: Side) -> bool {
    game.board.as_ref().is_none_or(|board| {
        board.phase() == OnBoard::ToRoll
            && board.turn() == Some(colour(side))
            && board.resignation().is_none()
    })
}

/// Whether `side` has to wait for answers: to the other side's doubles, or to anything in the other side's
/// turn. A beaver belongs to the turn in which it is made (C8).
fn answers_come_first(game: &Game, side: Side) -> bool {
    let others_turn = game.turn.as_ref().is_some_and(|turn| turn.side != side);
    game.offers(side.other()) || (others_turn && game.offers(side))
}

/// Who must answer the box next. `None` where the house sets no order, or nothing waits.
pub(crate) fn due_to_answer(chouette: &Chouette, game: &Game) -> Option<PlayerId> {
    let acting = chouette.acting_captain();
    let waits =
        |member: PlayerId| game.member_bet(member).is_some_and(|bet| bet.offered_by() == Some(Side::Box));
    // A cube that follows the captain's is answered together with it.
    let captain_waits = acting.is_some_and(waits);
    let follows = |member: PlayerId| captain_waits && game.follows(member, acting);
    let mut waiting = game.members.iter().copied().filter(|&member| waits(member) && !follows(member));
    match chouette.rules().decision_order {
        DecisionOrder::CaptainFirst => waiting.next(),
        DecisionOrder::LastFirst => waiting.next_back(),
        DecisionOrder::LowestScoreFirst => waiting.min_by_key(|&member| chouette.booked(member)),
        DecisionOrder::AllAtOnce | DecisionOrder::AnyOrder => None,
    }
}

/// The captain whose answer to the box is also that of `player`, because the player's cube follows the
/// captain's.
pub(crate) fn answers_for(chouette: &Chouette, game: &Game, player: PlayerId) -> Option<PlayerId> {
    let captain = chouette.acting_captain().filter(|&captain| game.follows(player, Some(captain)))?;
    let offered = game.member_bet(captain).is_some_and(|bet| bet.offered_by() == Some(Side::Box));
    // A cube that began to follow only after the captain answered in secret is answered alone.
    let together = !game.answers.contains_key(&captain) || game.answers.contains_key(&player);
    (offered && together).then_some(captain)
}

/// Whether `player` may do `act` with this bet of `game`, being on `side` of it.
fn may(
    chouette: &Chouette,
    game: &Game,
    player: PlayerId,
    bet: &Bet,
    side: Side,
    act: CubeAct,
) -> Result<(), Obstacle> {
    let rules = chouette.rules();
    let limit = rules.cube_limit();
    let single = rules.cubes == Cubes::Single && bet.kind == BetKind::Member;
    let acting = chouette.acting_captain();
    let at_limit = |error: CannotDouble| match error {
        CannotDouble::NotYours => Obstacle::NotYourCube,
        CannotDouble::AtLimit => Obstacle::AtLimit,
    };
    let only_captain = || match acting {
        Some(captain) if single && side == Side::Team && captain != player => {
            Err(Obstacle::OnlyCaptain(captain))
        }
        _ => Ok(()),
    };
    match act {
        CubeAct::Double => {
            only_captain()?;
            if let Some(captain) = acting.filter(|_| game.follows(player, acting)) {
                return Err(Obstacle::OnlyCaptain(captain));
            }
            // C2: only the side on roll doubles, so both sides cannot have offers out.
            if answers_come_first(game, side) || !board_lets_double(game, side) {
                return Err(Obstacle::NotOnTurn);
            }
            // Q7: a single cube is doubled for all or for nobody, so all must have answered first.
            let all_wait = single && game.running_members().any(|bet| bet.offered_by().is_some());
            if all_wait || bet.offered_by().is_some() {
                return Err(Obstacle::OfferPending);
            }
            bet.cube.offer(side, limit).map_err(at_limit)?;
            if side == Side::Team && is_late(chouette, game) {
                return Err(Obstacle::LateDouble);
            }
            Ok(())
        }
        CubeAct::Answer(answer) => {
            let raise = bet.raise().filter(|raise| raise.by() == side.other()).ok_or(Obstacle::NoOffer)?;
            if single
                && side == Side::Box
                && game.running_members().any(|bet| bet.offered_by() == Some(Side::Box))
            {
                // With a single cube, the box answers once the whole team has.
                return Err(Obstacle::NoOffer);
            }
            if answer != Answer::Beaver {
                return Ok(());
            }
            only_captain()?;
            let beaver = raise.answered(side, limit).map_err(at_limit)?;
            if rules.animals.allow(beaver.number) { Ok(()) } else { Err(Obstacle::NoBeaver) }
        }
    }
}

/// Whether members may no longer double in this turn.
pub(crate) fn is_late(chouette: &Chouette, game: &Game) -> bool {
    chouette.rules().late_doubles == LateDoubles::Closed
        && game.turn.as_ref().is_some_and(|turn| turn.side == Side::Team && !turn.answered.is_empty())
}

/// The bets with which `player` could do `act` if the bets allow it, and the player's side of each: their own
/// bets, and for a captain who doubles a single cube everybody's.
fn within_reach(chouette: &Chouette, game: &Game, player: PlayerId, act: CubeAct) -> Vec<(Bet, Side)> {
    let for_the_team = act == CubeAct::Double
        && chouette.rules().cubes == Cubes::Single
        && chouette.acting_captain() == Some(player);
    let mine = |bet: &Bet| match bet.side_of(player) {
        Some(side) => Some((*bet, side)),
        None if for_the_team && bet.kind == BetKind::Member => Some((*bet, Side::Team)),
        None => None,
    };
    game.running().filter_map(mine).collect()
}

/// The opponents against whom `player` may do `act` now, in line order, each once.
pub(crate) fn opponents_for(
    chouette: &Chouette,
    game: &Game,
    player: PlayerId,
    act: CubeAct,
) -> Vec<PlayerId> {
    let mut opponents = Vec::new();
    for (bet, side) in within_reach(chouette, game, player, act) {
        let opponent = bet.on(side.other());
        if may(chouette, game, player, &bet, side, act).is_ok() && !opponents.contains(&opponent) {
            opponents.push(opponent);
        }
    }
    opponents
}

/// The bets meant by `against`, each of which allows `act`: those named, or if nobody is named all that do.
pub(super) fn chosen(
    chouette: &Chouette,
    game: &Game,
    player: PlayerId,
    against: Option<&[PlayerId]>,
    act: CubeAct,
) -> Result<Vec<(Bet, Side)>, Refusal> {
    let all = within_reach(chouette, game, player, act);
    let opponents = || all.iter().map(|(bet, side)| bet.on(side.other())).collect::<Vec<_>>();
    let refused = |obstacle| refusal(chouette, game, player, act, obstacle);
    let checked =
        |&(bet, side): &(Bet, Side)| may(chouette, game, player, &bet, side, act).map(|()| (bet, side));

    let Some(named) = against else {
        let (able, obstacles): (Vec<_>, Vec<_>) = all.iter().map(checked).partition(Result::is_ok);
        let able: Vec<(Bet, Side)> = able.into_iter().flatten().collect();
        return match obstacles.into_iter().find_map(Result::err) {
            Some(obstacle) if able.is_empty() => Err(refused(obstacle)),
            _ => Ok(able),
        };
    };
    let twice = (1..named.len()).any(|place| named[..place].contains(&named[place]));
    if named.is_empty() || twice {
        return Err(Refusal::BadChoice { opponents: opponents() });
    }
    let mut bets: Vec<(Bet, Side)> = Vec::new();
    for &opponent in named {
        let found: Vec<_> = all.iter().filter(|(bet, side)| bet.on(side.other()) == opponent).collect();
        if found.is_empty() {
            return Err(Refusal::NoSuchOpponent { opponent, opponents: opponents() });
        }
        bets.extend(found);
    }
    bets.iter().try_for_each(|bet| checked(bet).map(drop)).map_err(refused)?;
    // In line order, however they were named, so that the event is always the same.
    bets.sort_by_key(|(bet, _)| bet.id);
    Ok(bets)
}

fn refusal(chouette: &Chouette, game: &Game, player: PlayerId, act: CubeAct, obstacle: Obstacle) -> Refusal {
    let opponents = opponents_for(chouette, game, player, act);
    match obstacle {
        Obstacle::OnlyCaptain(captain) => Refusal::OnlyCaptain { captain },
        Obstacle::NotOnTurn => Refusal::NotOnTurn { on_turn: on_turn(game) },
        Obstacle::OfferPending => Refusal::OfferPending { players: opponents },
        Obstacle::LateDouble => Refusal::LateDouble,
        Obstacle::NotYourCube => Refusal::NotYourCube { opponents },
        Obstacle::AtLimit => Refusal::CubeAtLimit { limit: chouette.rules().cube_limit() },
        Obstacle::NoOffer => Refusal::NoOffer { opponents },
        Obstacle::NoBeaver => Refusal::NoBeaver,
    }
}

/// The players of the side on roll, as far as the table knows it; otherwise nobody.
fn on_turn(game: &Game) -> Vec<PlayerId> {
    let on_board = game.board.as_ref().filter(|board| board.phase() == OnBoard::ToRoll);
    let on_board = on_board.and_then(|board| board.turn());
    match (game.offering(), on_board) {
        (Some(Side::Box), _) | (None, Some(Colour::White)) => vec![game.box_player],
        (Some(Side::Team), _) | (None, Some(Colour::Black)) => game.team(),
        (None, None) => Vec::new(),
    }
}

/// A single cube is doubled and answered as one: anyone who names part of it must name all.
pub(super) fn whole_cube(
    chouette: &Chouette,
    game: &Game,
    player: PlayerId,
    act: CubeAct,
    chosen: &[(Bet, Side)],
) -> Result<(), Refusal> {
    let box_acts = player == game.box_player;
    let for_all = chouette.rules().cubes == Cubes::Single && (box_acts || act == CubeAct::Double);
    let members = |bets: &[(Bet, Side)]| bets.iter().filter(|(bet, _)| bet.kind == BetKind::Member).count();
    let all: Vec<(Bet, Side)> = within_reach(chouette, game, player, act)
        .into_iter()
        .filter(|&(bet, side)| may(chouette, game, player, &bet, side, act).is_ok())
        .collect();
    if for_all && members(chosen) != 0 && members(chosen) != members(&all) {
        let opponents = all.iter().map(|(bet, side)| bet.on(side.other())).collect();
        return Err(Refusal::BadChoice { opponents });
    }
    Ok(())
}

/// Q7, Q11: the box may double any of the members, and each member the box. A single cube is doubled by the
/// captain for all. If the dice were `rolled` since the last double, that is part of the act.
pub(super) fn double(
    chouette: &Chouette,
    player: PlayerId,
    against: Option<&[PlayerId]>,
    rolled: bool,
    at: Timestamp,
) -> Decision {
    let (game, _) = in_game(chouette, player)?;
    // Without a turn the roll changes nothing. On a board it is the engine's, so `play_on` refuses this.
    if rolled && (game.turn.is_some() || game.board.is_some()) {
        let rolled = start::play_on(chouette)?;
        let doubled = double(&chouette.after(&rolled), player, against, false, at)?;
        return Ok([rolled, doubled].concat());
    }
    nothing_comes_first(game)?;
    let bets = chosen(chouette, game, player, against, CubeAct::Double)?;
    whole_cube(chouette, game, player, CubeAct::Double, &bets)?;
    restrained_double(chouette, game, player, &bets)?;
    let mut act = Act::on(chouette, at);
    act.plays_on();
    act.happens(Event::Doubled { player, bets: offered(chouette, &bets) });
    // Cubes that follow the captain's are doubled in the same act.
    if chouette.acting_captain() == Some(player) && bets.iter().any(|(bet, _)| bet.kind == BetKind::Member) {
        // Checked in the captain's name: a follower's own double would be refused.
        let may_too =
            |&(bet, side): &(Bet, Side)| may(chouette, game, player, &bet, side, CubeAct::Double).is_ok();
        for follower in followers(game, player) {
            let bet = game.member_bet(follower).map(|bet| (*bet, Side::Team)).filter(may_too);
            let doubled = bet.filter(|(bet, _)| !act.game().is_some_and(|game| game.is_offered(bet.id)));
            if let Some(bet) = doubled {
                act.happens(Event::Doubled { player: follower, bets: offered(chouette, &[bet]) });
            }
        }
    }
    Ok(act.events)
}

/// The members whose cubes follow the captain's.
pub(super) fn followers(game: &Game, captain: PlayerId) -> Vec<PlayerId> {
    let mut followers = game.team();
    followers.retain(|member| game.follows(*member, Some(captain)));
    followers
}

fn offered(chouette: &Chouette, bets: &[(Bet, Side)]) -> Vec<TurnedBet> {
    let limit = chouette.rules().cube_limit();
    let offer = |&(bet, side): &(Bet, Side)| {
        let offer = bet.cube.offer(side, limit).ok()?;
        Some(TurnedBet { bet: bet.id, opponent: bet.on(side.other()), to: offer.to })
    };
    bets.iter().filter_map(offer).collect()
}

/// Whether the house lets the box double these bets and not the others.
fn restrained_double(
    chouette: &Chouette,
    game: &Game,
    player: PlayerId,
    bets: &[(Bet, Side)],
) -> Result<(), Refusal> {
    let rule = chouette.rules().box_restraint;
    if rule == BoxRestraint::None || player != game.box_player {
        return Ok(());
    }
    let turn = game.turn.as_ref().filter(|turn| turn.side == Side::Box);
    let captain = turn.and_then(|turn| turn.captain).or_else(|| chouette.acting_captain());
    let first = turn.map_or(!game.box_has_doubled, |turn| turn.first);
    let cubes: Vec<Questioned> = game
        .bets
        .iter()
        .filter(|bet| bet.kind == BetKind::Member)
        .filter_map(|bet| {
            let doubled = turn.is_some_and(|turn| turn.doubled.contains(&bet.id));
            let now = bets.iter().any(|(chosen, _)| chosen.id == bet.id);
            let could = may(chouette, game, player, bet, Side::Box, CubeAct::Double).is_ok();
            let in_question = doubled || (could && !bet.is_settled());
            in_question.then(|| questioned(turn, bet, captain, Some(doubled || now)))
        })
        .collect();
    if restraint::may_double(rule, first, &cubes) { Ok(()) } else { Err(Refusal::Restraint { rule }) }
}

/// A cube in question as it stood before the doubles of this `turn`.
fn questioned(turn: Option<&Turn>, bet: &Bet, captain: Option<PlayerId>, done: Option<bool>) -> Questioned {
    let answered = turn.and_then(|turn| turn.answered.iter().find(|answer| answer.bet == bet.id));
    let (value, centred) = match answered {
        Some(answer) => (answer.before, answer.centred),
        None => match bet.raise() {
            Some(Raise::Double(offer)) => (offer.before, !bet.cube.is_turned()),
            Some(Raise::Beaver(_)) | None => (bet.cube.value, !bet.cube.is_turned()),
        },
    };
    Questioned { value, centred, captains: captain == Some(bet.team_side), units: bet.units, done }
}

/// Whether the house keeps the box from answering the double of `opponent` this way, whatever it answers to
/// others.
pub(crate) fn is_restrained(chouette: &Chouette, game: &Game, opponent: PlayerId, answer: Answer) -> bool {
    let bets: Vec<(Bet, Side)> = game.member_bet(opponent).map(|bet| (*bet, Side::Box)).into_iter().collect();
    restrained_answer(chouette, game, &bets, answer).is_err()
}

/// Whether the house lets the box answer these doubles of the team this way, given its answers so far.
pub(super) fn restrained_answer(
    chouette: &Chouette,
    game: &Game,
    bets: &[(Bet, Side)],
    answer: Answer,
) -> Result<(), Refusal> {
    let rule = chouette.rules().box_restraint;
    let Some(turn) = game.turn.as_ref().filter(|turn| turn.side == Side::Team) else { return Ok(()) };
    let captain = turn.captain.or_else(|| chouette.acting_captain());
    let cubes: Vec<Questioned> = turn
        .doubled
        .iter()
        .filter_map(|id| game.bet(*id))
        .map(|bet| {
            let before = turn.answered.iter().find(|answer| answer.bet == bet.id);
            let now = bets.iter().any(|(chosen, _)| chosen.id == bet.id).then_some(answer);
            let done = before.map(|before| before.answer).or(now).map(|answer| answer != Answer::Drop);
            questioned(Some(turn), bet, captain, done)
        })
        .collect();
    if restraint::may_answer(rule, !game.box_has_answered, &cubes) {
        Ok(())
    } else {
        Err(Refusal::Restraint { rule })
    }
}

/// Whether `player` is the lone taker and has to answer now.
pub(crate) fn lone_asks(game: &Game, player: PlayerId) -> bool {
    match &game.lone {
        Some(LoneState::MustBeaverOrDrop(lone)) => *lone == player,
        Some(LoneState::Extras(asking)) => {
            asking.taker == player && asking.asked.is_empty() && !asking.offered.is_empty()
        }
        Some(LoneState::MustDrop(_)) | None => false,
    }
}
