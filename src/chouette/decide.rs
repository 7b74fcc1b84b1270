//! What a command makes happen, or why it may not be. The order in which reasons are given is that of
//! [`Refusal`](super::refusal).

use chrono::NaiveDate;

use crate::chouette::bet::{Bet, BetKind, BetStanding, SettledBet, SettledBy, Side};
use crate::chouette::command::Command;
use crate::chouette::event::{DroppedBet, Event, FinishedGame, OpenedBet, TurnedBet};
use crate::chouette::game::{Game, settle};
use crate::chouette::order::{Roll, Seats};
use crate::chouette::refusal::Refusal;
use crate::chouette::rotation::{self, Outcome};
use crate::chouette::rules::HouseRules;
use crate::chouette::state::{Chouette, Phase};
use crate::engine::{CannotDouble, CubeValue, Die, Win};
use crate::journal::Chance;
use crate::values::{HalfPoints, PlayerId, Stake};

/// How many have to sit in a standing line to play on: box and captain.
pub(super) const TO_PLAY: usize = 2;
/// The most rounds one drawing of the order records. Who is still tied then draws again.
const MOST_ROUNDS: usize = 100;
/// The longest name of a table, in characters.
const LONGEST_NAME: usize = 80;

type Decision = Result<Vec<Event>, Refusal>;

pub(super) fn decide(chouette: &Chouette, command: &Command, chance: &mut dyn Chance) -> Decision {
    if let Command::Open { name, night, stake, rules } = command {
        return open(chouette, name, *night, *stake, rules);
    }
    match chouette.phase() {
        Phase::Unopened => return Err(Refusal::NotOpen),
        Phase::Closed => return Err(Refusal::Closed),
        _ => {}
    }
    match command {
        Command::Open { .. } => Err(Refusal::AlreadyOpen),
        Command::Join { player } => join(chouette, *player),
        Command::Leave { player } => leave(chouette, *player),
        Command::DrawOrder {} => draw_order(chouette, chance),
        Command::EnterRolls { rolls } => enter_rolls(chouette, rolls),
        Command::StartGame {} => start_game(chouette),
        Command::Double { player, against } => double(chouette, *player, against.as_deref()),
        Command::Take { player, against } => take(chouette, *player, against.as_deref()),
        Command::Drop { player, against } => drop(chouette, *player, against.as_deref()),
        Command::Finish { winner, win } => finish(chouette, *winner, *win),
        Command::Close {} => not_playing(chouette).map(|()| vec![Event::Closed {}]),
    }
}

fn open(
    chouette: &Chouette,
    name: &str,
    night: NaiveDate,
    stake: Option<Stake>,
    rules: &HouseRules,
) -> Decision {
    if chouette.phase() != Phase::Unopened {
        return Err(Refusal::AlreadyOpen);
    }
    let name = name.trim();
    if !(1..=LONGEST_NAME).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return Err(Refusal::BadName);
    }
    Ok(vec![Event::Opened { name: name.to_owned(), night, stake, rules: rules.clone() }])
}

/// Q5: who comes in, or comes back, starts at the end of the line.
fn join(chouette: &Chouette, player: PlayerId) -> Decision {
    let present = chouette.present();
    let seats = chouette.rules().table_size.seats();
    if present.contains(&player) {
        return Err(Refusal::AlreadyHere { player });
    }
    if present.len() >= seats {
        return Err(Refusal::TableFull { seats });
    }
    let seats = chouette.seats().joined_by(player, chouette.game().is_some());
    Ok(vec![Event::Joined { player, seats }])
}

fn leave(chouette: &Chouette, player: PlayerId) -> Decision {
    here(chouette, player)?;
    let may_leave = may_leave(chouette);
    if !may_leave.contains(&player) {
        return Err(Refusal::GameInProgress { may_leave: Some(may_leave) });
    }
    Ok(vec![Event::Left { player, seats: chouette.seats().left_by(player) }])
}

/// Who may go now: everybody, or during a game who is not in it.
pub(super) fn may_leave(chouette: &Chouette) -> Vec<PlayerId> {
    let mut players = chouette.present();
    if let Some(game) = chouette.game() {
        players.retain(|&player| game.side_of(player).is_none());
    }
    players
}

/// Q1: enough are there, and the order is open.
fn may_roll(chouette: &Chouette) -> Result<Vec<PlayerId>, Refusal> {
    not_playing(chouette)?;
    match chouette.seats() {
        Seats::Line { .. } => Err(Refusal::OrderAlreadySet),
        seats if seats.present().len() < Seats::TO_ROLL => {
            Err(Refusal::TooFewPlayers { needed: Seats::TO_ROLL })
        }
        seats => Ok(seats.to_roll()),
    }
}

fn draw_order(chouette: &Chouette, chance: &mut dyn Chance) -> Decision {
    may_roll(chouette)?;
    let mut seats = chouette.seats().clone();
    let mut rounds = Vec::new();
    while rounds.len() < MOST_ROUNDS {
        let to_roll = seats.to_roll();
        if to_roll.is_empty() {
            break;
        }
        let round: Vec<Roll> =
            to_roll.into_iter().map(|player| Roll { player, die: Die::rolled(chance) }).collect();
        seats = seats.rolled(&round);
        rounds.push(round);
    }
    Ok(vec![Event::OrderDrawn { rounds, seats }])
}

fn enter_rolls(chouette: &Chouette, rolls: &[Roll]) -> Decision {
    let to_roll = may_roll(chouette)?;
    let once = |player: &PlayerId| rolls.iter().filter(|roll| roll.player == *player).count() == 1;
    if rolls.len() != to_roll.len() || !to_roll.iter().all(once) {
        return Err(Refusal::WrongRollers { to_roll });
    }
    Ok(vec![Event::RollsEntered { rolls: rolls.to_vec(), seats: chouette.seats().rolled(rolls) }])
}

/// Q2, Q11: the box plays alone against the team, with a cube for every member.
fn start_game(chouette: &Chouette) -> Decision {
    not_playing(chouette)?;
    let Seats::Line { line, .. } = chouette.seats() else {
        return Err(Refusal::NoOrder);
    };
    let [box_player, members @ ..] = line.as_slice() else {
        return Err(Refusal::TooFewPlayers { needed: TO_PLAY });
    };
    let [captain, ..] = members else {
        return Err(Refusal::TooFewPlayers { needed: TO_PLAY });
    };
    let bets = (1..)
        .zip(members)
        .map(|(bet, &member)| OpenedBet { bet, member, kind: BetKind::Member, value: CubeValue::ONE })
        .collect();
    let game = chouette.games_finished() + 1;
    Ok(vec![Event::GameStarted { game, box_player: *box_player, captain: *captain, bets }])
}

/// Q11: the box may double any of the members, and each member the box.
fn double(chouette: &Chouette, player: PlayerId, against: Option<&[PlayerId]>) -> Decision {
    let (game, side) = in_game(chouette, player)?;
    let limit = chouette.rules().cube_limit();
    let bets = chosen(chouette, game, player, against, CubeAct::Double)?
        .into_iter()
        .filter_map(|bet| {
            let offer = bet.cube.offer(side, limit).ok()?;
            Some(TurnedBet { bet: bet.id, opponent: bet.on(side.other()), to: offer.to })
        })
        .collect();
    Ok(vec![Event::Doubled { player, bets }])
}

/// C4: the taker owns the cube at its new value.
fn take(chouette: &Chouette, player: PlayerId, against: Option<&[PlayerId]>) -> Decision {
    let (game, side) = in_game(chouette, player)?;
    let bets = chosen(chouette, game, player, against, CubeAct::Answer)?
        .into_iter()
        .filter_map(|bet| match bet.standing {
            BetStanding::Offered { to, .. } => {
                Some(TurnedBet { bet: bet.id, opponent: bet.on(side.other()), to })
            }
            _ => None,
        })
        .collect();
    Ok(vec![Event::Taken { player, bets }])
}

/// C3: the refuser loses the stake as it was, at once; with the last bet the game is over.
fn drop(chouette: &Chouette, player: PlayerId, against: Option<&[PlayerId]>) -> Decision {
    let (game, side) = in_game(chouette, player)?;
    let dropped = chosen(chouette, game, player, against, CubeAct::Answer)?;
    let winner = side.other();
    let mut after = game.clone();
    let mut bets = Vec::new();
    for bet in &mut after.bets {
        if dropped.iter().any(|dropped| dropped.id == bet.id) {
            let points = HalfPoints::from_points(bet.cube.value.get());
            bet.standing = BetStanding::Settled { winner, points, by: SettledBy::Drop };
            bets.push(DroppedBet { bet: bet.id, opponent: bet.on(winner), points });
        }
    }
    let mut events = vec![Event::Dropped { player, bets }];
    if after.running().next().is_none() {
        let results = after.bets.iter().filter_map(Bet::result).collect();
        events.push(finished(chouette, game, winner, None, results));
    }
    Ok(events)
}

/// G13, G14: all bets still on are settled by the game.
fn finish(chouette: &Chouette, winner: Side, win: Win) -> Decision {
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    let unanswered: Vec<PlayerId> =
        game.bets.iter().filter_map(|bet| bet.offered_by().map(|by| bet.on(by.other()))).collect();
    if !unanswered.is_empty() {
        let mut players = unanswered;
        players.dedup();
        return Err(Refusal::OfferPending { players });
    }
    Ok(vec![finished(chouette, game, winner, Some(win), settle(game, winner, win))])
}

/// The end of `game`, which is as it was before the act that ended it: who sits where next.
fn finished(
    chouette: &Chouette,
    game: &Game,
    winner: Side,
    win: Option<Win>,
    bets: Vec<SettledBet>,
) -> Event {
    let members: Vec<PlayerId> = game.bets.iter().map(|bet| bet.team_side).collect();
    let outcome = Outcome {
        box_player: game.box_player,
        members: &members,
        bets: &bets,
        last_standing: game.acting_captain().unwrap_or(game.captain),
    };
    let mut line = rotation::next_line(chouette.rules().box_retention, &outcome);
    line.retain(|player| chouette.line().contains(player));
    line.extend(chouette.waiting());
    Event::GameFinished(FinishedGame { game: game.number, winner, win, bets, line })
}

fn not_playing(chouette: &Chouette) -> Result<(), Refusal> {
    match chouette.game() {
        Some(_) => Err(Refusal::GameInProgress { may_leave: None }),
        None => Ok(()),
    }
}

fn here(chouette: &Chouette, player: PlayerId) -> Result<(), Refusal> {
    let present = chouette.present();
    if !chouette.knows(player) {
        Err(Refusal::UnknownPlayer { player, present })
    } else if !present.contains(&player) {
        Err(Refusal::NotHere { player, present })
    } else {
        Ok(())
    }
}

fn in_game(chouette: &Chouette, player: PlayerId) -> Result<(&Game, Side), Refusal> {
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    here(chouette, player)?;
    let side = game.side_of(player).ok_or_else(|| Refusal::NotInGame { player, players: game.players() })?;
    Ok((game, side))
}

/// What a player may do with a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CubeAct {
    /// Offer it at twice its value.
    Double,
    /// Take or drop it.
    Answer,
}

/// What stands in the way of an act on one bet, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    NotOnTurn,
    OfferPending,
    NotYourCube,
    AtLimit,
    NoOffer,
}

/// Whether `player` may do `act` with this bet of `game`.
fn may(chouette: &Chouette, game: &Game, bet: &Bet, side: Side, act: CubeAct) -> Result<(), Obstacle> {
    match act {
        CubeAct::Answer if bet.offered_by() == Some(side.other()) => Ok(()),
        CubeAct::Answer => Err(Obstacle::NoOffer),
        // C2: only the side on roll doubles, so both cannot have offers out.
        CubeAct::Double if game.offering() == Some(side.other()) => Err(Obstacle::NotOnTurn),
        CubeAct::Double if bet.offered_by().is_some() => Err(Obstacle::OfferPending),
        CubeAct::Double => match bet.cube.offer(side, chouette.rules().cube_limit()) {
            Ok(_) => Ok(()),
            Err(CannotDouble::NotYours) => Err(Obstacle::NotYourCube),
            Err(CannotDouble::AtLimit) => Err(Obstacle::AtLimit),
        },
    }
}

/// The opponents against whom `player` may do `act` now, in line order.
pub(super) fn opponents_for(
    chouette: &Chouette,
    game: &Game,
    player: PlayerId,
    act: CubeAct,
) -> Vec<PlayerId> {
    let Some(side) = game.side_of(player) else { return Vec::new() };
    game.running_of(player)
        .filter(|bet| may(chouette, game, bet, side, act).is_ok())
        .map(|bet| bet.on(side.other()))
        .collect()
}

/// The bets meant by `against`, each of which allows `act`: those named, or all that do.
fn chosen<'a>(
    chouette: &Chouette,
    game: &'a Game,
    player: PlayerId,
    against: Option<&[PlayerId]>,
    act: CubeAct,
) -> Result<Vec<&'a Bet>, Refusal> {
    let Some(side) = game.side_of(player) else { return Ok(Vec::new()) };
    let all: Vec<&Bet> = game.running_of(player).collect();
    let opponents = || all.iter().map(|bet| bet.on(side.other())).collect();
    let refused = |obstacle| refusal(chouette, game, player, act, obstacle);

    let Some(named) = against else {
        let (able, obstacles): (Vec<_>, Vec<_>) =
            all.iter().map(|bet| may(chouette, game, bet, side, act).map(|()| *bet)).partition(Result::is_ok);
        let able: Vec<&Bet> = able.into_iter().flatten().collect();
        return match obstacles.into_iter().find_map(Result::err) {
            Some(obstacle) if able.is_empty() => Err(refused(obstacle)),
            _ => Ok(able),
        };
    };
    let twice = (1..named.len()).any(|place| named[..place].contains(&named[place]));
    if named.is_empty() || twice {
        return Err(Refusal::BadChoice { opponents: opponents() });
    }
    let mut bets = Vec::new();
    for &opponent in named {
        match all.iter().find(|bet| bet.on(side.other()) == opponent) {
            Some(bet) => bets.push(*bet),
            None => return Err(Refusal::NoSuchOpponent { opponent, opponents: opponents() }),
        }
    }
    for bet in &bets {
        may(chouette, game, bet, side, act).map_err(refused)?;
    }
    // In line order, however they were named: the event is the same.
    bets.sort_by_key(|bet| bet.id);
    Ok(bets)
}

fn refusal(chouette: &Chouette, game: &Game, player: PlayerId, act: CubeAct, obstacle: Obstacle) -> Refusal {
    let opponents = opponents_for(chouette, game, player, act);
    match obstacle {
        Obstacle::NotOnTurn => Refusal::NotOnTurn {
            on_turn: match game.offering() {
                Some(Side::Box) => vec![game.box_player],
                _ => game.running().map(|bet| bet.team_side).collect(),
            },
        },
        Obstacle::OfferPending => Refusal::OfferPending { players: opponents },
        Obstacle::NotYourCube => Refusal::NotYourCube { opponents },
        Obstacle::AtLimit => Refusal::CubeAtLimit { limit: chouette.rules().cube_limit() },
        Obstacle::NoOffer => Refusal::NoOffer { opponents },
    }
}
