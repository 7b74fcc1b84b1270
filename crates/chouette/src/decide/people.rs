//! Players who come and go (Q5), breaks, proxies, duplicates, and their own stakes and starts.

use crate::bet::Side;
use crate::decide::table::most_units;
use crate::decide::{Decision, SEATS, completed, here, in_game, not_playing, seats, standing_line};
use crate::event::{Event, GameBet};
use crate::game::{Game, Proxy};
use crate::order::{Line, Seats};
use crate::refusal::Refusal;
use crate::rules::{BreakPlace, LeavingMidGame, Stakes};
use crate::state::Chouette;
use owlbox_base::values::{Payment, PlayerId};
use owlbox_engine::CubeValue;

/// The most of the table's stakes that one player may play for.
pub const MOST_UNITS: u16 = 1_000;

/// Q5: a player who comes in, or comes back, starts at the end of the line or wherever the house seats
/// newcomers.
pub(super) fn join(chouette: &Chouette, player: PlayerId) -> Decision {
    let present = chouette.present();
    if present.contains(&player) {
        return Err(Refusal::AlreadyHere { player });
    }
    if present.len() >= SEATS {
        return Err(Refusal::TableFull { seats: SEATS });
    }
    let seats = match chouette.seats() {
        Seats::Line(line) => Seats::Line(come_in(chouette, line.clone(), player)),
        early @ (Seats::Gathering { .. } | Seats::Rolling { .. }) => early.joined_early(player),
    };
    Ok(vec![Event::Joined { player, seats }])
}

/// The line with one more player: in it, or waiting for the end of the game.
fn come_in(chouette: &Chouette, mut line: Line, player: PlayerId) -> Line {
    if chouette.game().is_some() {
        line.waiting.push(player);
    } else {
        // While the box can be declined, the player who would then have it keeps their place ahead of
        // newcomers. So newcomers sit where they would if the box had been declined before they came.
        let front = if seats::may_decline(chouette, &line).is_some() { 2 } else { 1 };
        // A player who stood up, left and came back is a newcomer like any other.
        let came_in = chouette.came_in();
        let losers = chouette.stood_up().iter().copied().filter(|loser| !came_in.contains(loser));
        let losers: Vec<PlayerId> = losers.collect();
        line.come_in(player, chouette.rules().newcomer, &losers, front);
    }
    line
}

pub(super) fn leave(chouette: &Chouette, player: PlayerId, proxy: Option<PlayerId>) -> Decision {
    here(chouette, player)?;
    let proxy = proxy_of_one_who_goes(chouette, player, proxy)?;
    let during_game = chouette.game().is_some();
    let seats = chouette.seats().without(player, during_game);
    Ok(completed(chouette, Event::Left { player, seats, proxy, may_decline: None, asked: None }))
}

pub(super) fn take_break(chouette: &Chouette, player: PlayerId, proxy: Option<PlayerId>) -> Decision {
    let Seats::Line(line) = chouette.seats() else {
        return Err(Refusal::NoOrder);
    };
    here(chouette, player)?;
    if line.resting.contains(&player) {
        return Err(Refusal::OnBreak);
    }
    let proxy = proxy_of_one_who_goes(chouette, player, proxy)?;
    let mut line = line.clone();
    let kept = chouette.rules().leaving.on_break == BreakPlace::Kept;
    line.rest(player, kept, chouette.game().is_some());
    let seats = Seats::Line(line);
    Ok(completed(chouette, Event::WentOnBreak { player, seats, proxy, may_decline: None, asked: None }))
}

pub(super) fn come_back(chouette: &Chouette, player: PlayerId) -> Decision {
    here(chouette, player)?;
    let resting = chouette.resting().to_vec();
    let Seats::Line(line) = chouette.seats() else {
        return Err(Refusal::NotOnBreak { resting });
    };
    if !resting.contains(&player) {
        return Err(Refusal::NotOnBreak { resting });
    }
    let mut line = line.clone();
    line.resting.retain(|other| *other != player);
    if !line.line.contains(&player) && !line.waiting.contains(&player) {
        line = come_in(chouette, line, player);
    }
    Ok(completed(chouette, Event::Returned { player, seats: Seats::Line(line), may_decline: None }))
}

/// Who may leave now with nothing to arrange about bets: everybody, or during a game those with no running
/// bet.
pub(crate) fn may_leave(chouette: &Chouette) -> Vec<PlayerId> {
    let mut players = chouette.present();
    if let Some(game) = chouette.game() {
        players.retain(|&player| game.side_of(player).is_none());
    }
    players
}

/// Who can decide the cubes of `player`: anybody who is there and not on the other side.
pub(crate) fn proxies_for(chouette: &Chouette, player: PlayerId) -> Vec<PlayerId> {
    let Some(game) = chouette.game() else { return Vec::new() };
    let mut proxies = chouette.present();
    proxies.retain(|&proxy| proxy != player && chouette.is_there(proxy) && !opposed(game, player, proxy));
    proxies
}

/// Whether the two are on different sides. A partner bets with nobody in the team, but shares what the box
/// wins.
fn opposed(game: &Game, one: PlayerId, other: PlayerId) -> bool {
    let side = |player| game.side_of(player).or_else(|| game.partners.contains(&player).then_some(Side::Box));
    match (side(one), side(other)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    }
}

/// Who decides for a player who leaves, where somebody must.
fn proxy_of_one_who_goes(
    chouette: &Chouette,
    player: PlayerId,
    named: Option<PlayerId>,
) -> Result<Option<Proxy>, Refusal> {
    let Some(game) = chouette.game() else { return Ok(None) };
    if game.side_of(player).is_none() {
        return Ok(None);
    }
    let proxies = proxies_for(chouette, player);
    let mid_game = chouette.rules().leaving.mid_game;
    match mid_game {
        LeavingMidGame::NotAllowed => Err(Refusal::GameInProgress { may_leave: Some(may_leave(chouette)) }),
        LeavingMidGame::Settle => {
            let opponents = game.running().filter_map(|bet| bet.opponent_of(player)).collect();
            Err(Refusal::MustSettle { opponents })
        }
        LeavingMidGame::WithCaptain if follows_captain(chouette, game, player) => Ok(Some(Proxy::Captain)),
        LeavingMidGame::Proxy | LeavingMidGame::WithCaptain => match named {
            None => Err(Refusal::ProxyNeeded { proxies }),
            Some(proxy) if proxies.contains(&proxy) => Ok(Some(Proxy::Player(proxy))),
            Some(_) => Err(Refusal::BadProxy { proxies }),
        },
    }
}

/// Whether the cube of `player` follows the captain's if they leave: only a member's, and only where the
/// house has it.
fn follows_captain(chouette: &Chouette, game: &Game, player: PlayerId) -> bool {
    chouette.rules().leaving.mid_game == LeavingMidGame::WithCaptain
        && game.side_of(player) == Some(Side::Team)
}

/// Whether the proxy of `player` can be called back: they are there, or their cube will follow the captain's.
pub(crate) fn may_have_no_proxy(chouette: &Chouette, game: &Game, player: PlayerId) -> bool {
    match game.proxies.get(&player) {
        None => false,
        Some(_) if chouette.is_there(player) => true,
        Some(proxy) => *proxy != Proxy::Captain && follows_captain(chouette, game, player),
    }
}

pub(super) fn name_proxy(chouette: &Chouette, player: PlayerId, proxy: Option<PlayerId>) -> Decision {
    let (game, _) = in_game(chouette, player)?;
    let proxies = proxies_for(chouette, player);
    let proxy = match proxy {
        // A player who has left cannot decide for themselves, but their cube may follow the captain's again.
        None if !chouette.is_there(player) && follows_captain(chouette, game, player) => Some(Proxy::Captain),
        None if !chouette.is_there(player) => return Err(Refusal::ProxyNeeded { proxies }),
        None => None,
        Some(proxy) if proxies.contains(&proxy) => Some(Proxy::Player(proxy)),
        Some(_) => return Err(Refusal::BadProxy { proxies }),
    };
    if game.proxies.get(&player).copied() == proxy {
        return Err(Refusal::NothingChanges);
    }
    Ok(completed(chouette, Event::ProxyNamed { player, proxy, asked: None }))
}

/// Merges a player entered twice: between games, and only if no game had both of them in it.
pub(super) fn merge(chouette: &Chouette, duplicate: PlayerId, player: PlayerId) -> Decision {
    not_playing(chouette)?;
    if !chouette.knows(duplicate) {
        return Err(Refusal::UnknownPlayer { player: duplicate, present: chouette.present() });
    }
    let bets: Vec<GameBet> = chouette.finished().flat_map(|finished| finished.bets_of(duplicate)).collect();
    let against = |bet: &GameBet| bet.bet.winner == player || bet.bet.loser == player;
    let played_both = chouette.finished().any(|finished| {
        finished.bets_of(duplicate).next().is_some() && finished.bets_of(player).next().is_some()
    });
    if duplicate == player || played_both || bets.iter().any(against) {
        return Err(Refusal::CannotMerge);
    }
    let present = chouette.present();
    let both_here = present.contains(&player) && present.contains(&duplicate);
    let seats = if both_here {
        chouette.seats().without(duplicate, false)
    } else {
        chouette.seats().renamed(duplicate, player)
    };
    let of_duplicate = |paid: &Payment| paid.payer == duplicate || paid.payee == duplicate;
    let payments = chouette.payments().filter(of_duplicate).collect();
    let merged = Event::PlayersMerged { duplicate, player, seats, bets, payments, may_decline: None };
    Ok(completed(chouette, merged))
}

pub(super) fn set_stake(chouette: &Chouette, player: PlayerId, units: u16) -> Decision {
    if chouette.rules().stakes != Stakes::LowerOfTwo {
        return Err(Refusal::NotInRules { key: "stakes" });
    }
    not_playing(chouette)?;
    here(chouette, player)?;
    if !(1..=MOST_UNITS).contains(&units) {
        return Err(Refusal::BadStake);
    }
    let most = most_units(chouette);
    if i64::from(units) > most {
        return Err(Refusal::StakesTooHigh { field: "units", most });
    }
    if chouette.units(player) == units {
        return Err(Refusal::NothingChanges);
    }
    Ok(vec![Event::StakeSet { player, units }])
}

pub(super) fn set_start(chouette: &Chouette, player: PlayerId, value: CubeValue) -> Decision {
    if chouette.rules().stakes != Stakes::OwnStart {
        return Err(Refusal::NotInRules { key: "stakes" });
    }
    // A start is agreed with the box, so there has to be one.
    standing_line(chouette)?;
    here(chouette, player)?;
    if chouette.box_player() == Some(player) {
        return Err(Refusal::BoxHasNoCube);
    }
    let starts = chouette.rules().starts();
    if !starts.contains(&value.get()) {
        return Err(Refusal::BadStart { starts });
    }
    if chouette.start(player) == value {
        return Err(Refusal::NothingChanges);
    }
    Ok(vec![Event::StartSet { player, value }])
}
